// Prints random cases with moment's answers, for the test that runs this:
//
//     TZ=UTC NODE_PATH=/usr/share/nodejs node moment_cases.js SEED COUNT
//
// One case a line, with tabs between; tabs, line ends and backslashes in texts are escaped. `-` is no date, or one
// outside the years 0001 to 9999.
//     F LOCALE TIME OFFSET PATTERN TEXT     writing by a pattern
//     P LOCALE NOW PATTERN TEXT TIME        reading by a pattern
//     L TEXT TIME                           reading without one
//     A TIME OFFSET AMOUNT UNIT TIME        adding
//     D TIME TIME OFFSET UNIT NUMBER        difference
//     S TIME TIME OFFSET UNIT LOCALE 0|1    whether both are in the same unit
//     H LOCALE TIME TIME TEXT               length of time in words
const moment = require("moment");

const locales = ["en", "zh-tw", "zh-cn", "ja", "ko", "de", "fr", "es", "zh-hk", "en-gb", "en-au", "en-ca", "en-ie",
    "en-in", "en-nz", "en-sg"];
for (const locale of locales.slice(1)) require("moment/locale/" + locale);
moment.suppressDeprecationWarnings = true;

// Mulberry32, so that the same seed gives the same cases everywhere.
let state = Number(process.argv[2]) >>> 0;
function random(limit) {
    state = (state + 0x6D2B79F5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) % limit;
}
const pick = list => list[random(list.length)];
const chance = percent => random(100) < percent;

const writing = ("M Mo MM MMM MMMM Q Qo D Do DD DDD DDDo DDDD d do dd ddd dddd e E w wo ww W Wo WW YY YYYY Y YYYYY " +
    "YYYYYY gg gggg ggggg GG GGGG GGGGG A a H HH h hh k kk Hmm Hmmss hmm hmmss m mm s ss S SS SSS SSSS SSSSSS Z ZZ X " +
    "x LT LTS L LL LLL LLLL l ll lll llll y yyyy N NNNN NNNNN").split(" ");
const reading = ("M MM MMM MMMM Q D Do DD DDD DDDD d dd ddd dddd e E w ww W WW YY YYYY Y YYYYY YYYYYY gg gggg GG GGGG " +
    "A a H HH h hh k kk Hmm Hmmss hmm hmmss m mm s ss S SS SSS SSSS SSSSSS Z ZZ LT LTS L LL LLL LLLL l ll lll llll Mo " +
    "wo").split(" ");
const likely = ["YYYY-MM-DD", "M/D/YYYY", "DD/MM/YYYY HH:mm", "MMM D, YYYY h:mm A", "dddd, MMMM Do YYYY, h:mm:ss a",
    "YYYY-MM-DDTHH:mm:ss.SSSZ", "YYYYMMDD", "YYYYMMDDHHmmss", "D MMMM YYYY", "L", "LL", "LLL", "LLLL", "l", "ll", "lll",
    "llll", "L LT", "GGGG-[W]WW-E", "gggg w e", "YYYY DDDD", "Do MMM YY", "YYYY\u5e74M\u6708D\u65e5 A h:mm", "MMM YYYY",
    "HH:mm", "D-MMM-YYYY", "YYYY [Q]Q", "ddd D MMM"];
const between = ["-", "/", " ", ":", ".", ", ", "", "T", "[at]", "[de]", "\u5e74", "\u3000", "\\Y", "\\", "\n", "[a]b]", "[",
    "]", "\\[", "\u{1F600}", "g", "_"];

function pattern(tokens) {
    if (chance(30)) return pick(likely);
    let text = "";
    for (let count = 1 + random(6); count > 0; count--) text += pick(tokens) + pick(between);
    return text;
}

const dayLength = 86400000;
function time() {
    const first = Date.UTC(1000, 0, 1);
    if (chance(15)) return first + random(3287181) * dayLength + random(dayLength);
    const year = 1968 + random(85);
    // Around the ends of months and the leap day, at midnight more often than not.
    const day = chance(70) ? [0, 1, 2, -1, -2][random(5)] : random(31);
    const date = new Date(Date.UTC(year, random(13), 1) + day * dayLength);
    return +date + (chance(40) ? 0 : chance(30) ? dayLength - 1 : random(dayLength));
}
const offset = () => pick([0, 0, 480, -300, 540, -210, 345, -720, 840]);

function damaged(text) {
    const letters = Array.from(text);
    const place = random(letters.length + 1);
    switch (random(6)) {
    case 0: letters.splice(place, 1); break;
    case 1: letters.splice(place, 0, pick(Array.from("0159 -/:.,aApPZ+\u6708x"))); break;
    case 2: return text.toUpperCase();
    case 3: return text.toLowerCase();
    case 4: letters.splice(place, 1, pick(Array.from("0123456789"))); break;
    default: return pick(["  ", "on ", "x"]) + text;
    }
    return letters.join("");
}

function answer(date) {
    const value = date.valueOf();
    return value >= -62135596800000 && value <= 253402300799999 ? String(value) : "-";
}

// What takes a time from the text counts alone in moment, yet half the other checks apply: not worth following. Nor is a
// lone g, which reads a number and forgets it.
const isFollowed = text => !/[xX]/.test(text) && !(text.match(/gg(ggg?)?|GG(GGG?)?|g|G/g) || []).some(
    token => token.length === 1);

const kinds = {
    F() {
        const [locale, at, zone, text] = [pick(locales), time(), offset(), pattern(writing)];
        return [locale, at, zone, text, moment(at).utcOffset(zone).locale(locale).format(text)];
    },
    P() {
        const [locale, now, at] = [pick(locales), time(), time()];
        const wanted = pattern(reading);
        const written = chance(85) ? wanted : pattern(reading);
        let text = moment(at).utcOffset(chance(80) ? 0 : offset()).locale(locale).format(written);
        if (chance(30)) text = damaged(text);
        if (!isFollowed(wanted)) return this.P();
        moment.now = () => now;
        return [locale, now, wanted, text, answer(moment.utc(text, wanted, locale))];
    },
    L() {
        const at = moment.utc(time());
        if (chance(50)) {
            const date = pick(["YYYY-MM-DD", "YYYYMMDD", "GGGG-[W]WW-E", "GGGG[W]WWE", "YYYY-DDDD", "YYYYDDDD", "YYYY-MM",
                "YYYYMM", "YYYY", "GGGG-[W]WW", "YYYYYY-MM-DD", "YYYYYYMMDD"]);
            const clock = pick(["", "", "HH:mm", "HH:mm:ss", "HH:mm:ss.SSS", "HH:mm:ss,SS", "HH", "HHmm", "HHmmss"]);
            const zone = clock ? pick(["", "[Z]", " [Z]", "Z", "ZZ", "[+08]"]) : "";
            // Months, years and weeks alone have no time, and basic and extended forms are not mixed.
            if (clock && /^(YYYY-MM|YYYYMM|YYYY|.*WW)$/.test(date)) return this.L();
            if (clock.length > 2 && date.includes("-") !== clock.includes(":")) return this.L();
            let text = at.utcOffset(offset()).format(date + (clock ? pick(["T", " "]) + clock + zone : ""));
            if (chance(20) && date.length > 7) text = text.replace(/\d(?=\D*$)/, String(random(10)));
            return [text, answer(moment.utc(text))];
        }
        const date = pick(["M/D/YYYY", "MM/DD/YYYY", "M/D/YY", "M-D-YYYY", "MMM D, YYYY", "MMMM D, YYYY", "D MMM YYYY",
            "D MMMM YYYY", "D-MMM-YYYY", "YYYY/M/D", "YYYY/MM/DD", "dddd, MMMM D, YYYY", "ddd, D MMM YYYY", "MMM-D-YYYY",
            "ddd MMM D YYYY", "MMMM D YYYY", "YYYY MMM D", "M.D.YYYY"]);
        const clock = pick(["", "", " H:mm", " h:mm A", " HH:mm:ss", " HH:mm:ss.SSS", ", h:mm:ss A"]);
        const zone = clock ? pick(["", "", " [UTC]", " [GMT]", " ZZ", " Z", " [GMT]ZZ", " [EST]", " [PDT]", " [Z]"]) : "";
        const text = at.utcOffset(offset()).format(date + clock + zone);
        return [text, answer(new Date(text))];
    },
    A() {
        const units = ["y", "years", "Q", "quarter", "M", "months", "month", "w", "weeks", "d", "days", "h", "hours", "m",
            "minutes", "s", "seconds", "ms", "milliseconds"];
        const amount = chance(10) ? (random(2000) - 1000) / 8 : random(60) - 30;
        const [at, zone, unit] = [time(), offset(), pick(units)];
        return [at, zone, amount, unit, answer(moment(at).utcOffset(zone).add(amount, unit))];
    },
    D() {
        const units = ["years", "y", "quarters", "Q", "months", "M", "weeks", "w", "days", "d", "hours", "h", "minutes", "m",
            "seconds", "s", "milliseconds", "ms", "Days", "fortnights", "D", "isoWeek"];
        const [at, zone, unit] = [time(), offset(), pick(units)];
        const other = chance(50) ? time() : +moment(at).utcOffset(zone).add(random(80) - 40, "M")
            .add(chance(50) ? 0 : random(3) - 1, "ms");
        return [at, other, zone, unit, moment(at).utcOffset(zone).diff(other, unit) + 0];
    },
    S() {
        const units = ["year", "years", "quarter", "month", "week", "isoWeek", "day", "hour", "minute", "second", "ms"];
        const [at, zone, unit, locale] = [time(), offset(), pick(units), pick(locales)];
        const span = pick([1, 1000, 60000, 3600000, dayLength, 7 * dayLength, 31 * dayLength, 366 * dayLength]);
        const other = at + random(span + 1) - Math.floor(span / 2);
        return [at, other, zone, unit, locale, moment(at).utcOffset(zone).locale(locale).isSame(other, unit) ? 1 : 0];
    },
    H() {
        const [at, locale] = [time(), pick(locales)];
        const span = pick([60000, 3600000, dayLength, 60 * dayLength, 700 * dayLength, 20000 * dayLength]);
        const other = at + Math.floor(span * (random(20001) - 10000) / 10000);
        return [locale, at, other, moment.utc(at).locale(locale).from(moment.utc(other), true)];
    },
};

function escaped(value) {
    return String(value).replace(/[\\\t\n]/g, found => ({"\\": "\\\\", "\t": "\\t", "\n": "\\n"})[found]);
}

const names = ["F", "F", "F", "P", "P", "P", "L", "A", "D", "S", "H"];
const lines = [];
for (let count = Number(process.argv[3]); count > 0; count--) {
    const name = pick(names);
    lines.push([name, ...kinds[name]()].map(escaped).join("\t"));
}
process.stdout.write(lines.join("\n") + "\n");
