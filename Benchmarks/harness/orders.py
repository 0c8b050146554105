"""The records both servers hold: orders of an invented tea shop, made from a seed."""
import random
from datetime import datetime, timedelta, timezone

SIZES = ["中杯", "大杯", "瓶裝", "保溫壺"]
SUGARS = ["全糖", "少糖", "半糖", "微糖", "無糖"]
TOPPINGS = ["珍珠", "椰果", "仙草", "布丁", "紅豆", "芋圓"]
DRINKS = [
    "珍珠奶茶", "四季春青茶", "鐵觀音拿鐵", "檸檬綠茶", "冬瓜青茶", "百香果綠茶", "紅茶拿鐵", "翡翠烏龍",
    "蜂蜜檸檬", "黑糖鮮奶", "芋頭鮮奶", "葡萄柚綠茶", "伯爵紅茶", "阿薩姆奶茶", "茉莉花茶", "桂花烏龍",
    "楊枝甘露", "抹茶拿鐵", "仙草凍奶茶", "梅子綠茶",
]
PEOPLE = ["Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hana", "Ivo", "June", "Kai", "Lin", "Mina", "Noor", "Otto"]
PHRASES = [
    "please ring at the side door", "請放在櫃台", "no straw", "少冰就好謝謝", "two bags if possible", "會晚一點到",
    "for the meeting upstairs", "不要塑膠袋", "call when ready", "麻煩分開裝", "hot if it rains", "杯子上寫名字",
]

#: name, kind; the kind decides the column on either side and how its order is checked.
FIELDS = [
    ("name", "text"), ("drink", "text"), ("size", "select"), ("sugar", "select"), ("toppings", "selects"),
    ("note", "long text"), ("cups", "number"), ("total", "number"), ("paid", "checkbox"), ("time", "dateTime"),
]
NAMES = [name for name, _ in FIELDS]
KINDS = dict(FIELDS)
CHOICES = {"size": SIZES, "sugar": SUGARS, "toppings": TOPPINGS}
FIRST_DAY = datetime(2025, 1, 1, tzinfo=timezone.utc)


def note(draw):
    """About sixty characters in two scripts and without digits, which the two servers order differently."""
    text = draw.choice(PHRASES)
    while len(text) < 52:
        text += ", " + draw.choice(PHRASES)
    return text


def order(draw, number, seconds):
    toppings = draw.sample(TOPPINGS, draw.choice([0, 0, 1, 1, 2, 3]))
    cups = draw.randint(1, 12)
    time = FIRST_DAY + timedelta(seconds=seconds, milliseconds=draw.randrange(1000))
    return {
        "name": f"{draw.choice(PEOPLE)} {number:06d}",
        "drink": draw.choice(DRINKS),
        "size": draw.choice(SIZES),
        "sugar": draw.choice(SUGARS),
        "toppings": toppings,
        "note": note(draw),
        "cups": cups,
        "total": cups * (draw.randint(30, 95) + 10 * len(toppings)),
        "paid": draw.random() < 0.5,
        "time": time.strftime("%Y-%m-%dT%H:%M:%S.") + f"{time.microsecond // 1000:03d}Z",
    }


def orders(count, seed, first_number=0):
    """`count` orders, the same for the same arguments; every name and every time is there once."""
    draw = random.Random(seed)
    numbers = list(range(first_number, first_number + count))
    moments = [i * 600 + draw.randrange(600) for i in range(count)]
    draw.shuffle(numbers)
    draw.shuffle(moments)
    return [order(draw, number, moment) for number, moment in zip(numbers, moments)]


def changes(draw):
    """What the write in a mix of reads changes: three cells, two of them sorted on by some of the reads."""
    return {"cups": draw.randint(1, 12), "paid": draw.random() < 0.5, "note": note(draw)}
