"""Every stored field type: how it is created, how its schema reads, and cells that it takes.

The values are those of Airtable's field model; nothing here was copied from an answer of the program.
"""

ISO = {"name": "iso", "format": "YYYY-MM-DD"}
LOCAL = {"name": "local", "format": "l"}
HOURS24 = {"name": "24hour", "format": "HH:mm"}
HOURS12 = {"name": "12hour", "format": "h:mma"}


def choices(*names):
    return {"choices": [{"name": name} for name in names]}


# type: (options sent, options read or None where there are none, cells that read as they are written)
# The ids of choices are left out; colours without a wish follow the cycle.
STORED = {
    "singleLineText": (None, None, ["茶 \"x\" 😀", " blanks ", "a'b;}{"]),
    "multilineText": (None, None, ["one\ntwo\n\n", "\t"]),
    "richText": (None, None, ["**bold** _x_\n"]),
    "email": (None, None, ["a@example.org", "not an address"]),
    "url": (None, None, ["https://example.org/茶?a=b#c", "not an address"]),
    "phoneNumber": (None, None, ["+886 2 1234 5678"]),
    "number": ({"precision": 2}, {"precision": 2},
               [0, 1, -1, 0.1, 2.005, 1e-7, 12345678901.5, 9007199254740991, -9007199254740991, 1e300]),
    "percent": ({"precision": 0}, {"precision": 0}, [0, 0.5, 0.29999999999999877, -2]),
    "currency": ({"precision": 0, "symbol": "NT$"}, {"precision": 0, "symbol": "NT$"}, [0, 35, -0.25]),
    "duration": ({"durationFormat": "h:mm:ss.SSS"}, {"durationFormat": "h:mm:ss.SSS"}, [0, 5400, 61.125]),
    "rating": ({"icon": "star", "max": 5, "color": "yellowBright"}, {"icon": "star", "max": 5, "color": "yellowBright"},
               [1, 5]),
    "checkbox": ({"icon": "check", "color": "greenBright"}, {"icon": "check", "color": "greenBright"}, [True]),
    "date": ({"dateFormat": {"name": "iso"}}, {"dateFormat": ISO}, ["2024-02-29", "1969-12-31", "2099-01-01"]),
    "dateTime": ({"dateFormat": {"name": "local"}, "timeFormat": {"name": "12hour"}, "timeZone": "Asia/Taipei"},
                 {"dateFormat": LOCAL, "timeFormat": HOURS12, "timeZone": "Asia/Taipei"},
                 ["2024-05-01T10:00:00.000Z", "1970-01-01T00:00:00.001Z", "1969-07-20T20:17:40.999Z"]),
    "singleSelect": (choices("Todo", "Doing", "Done"),
                     {"choices": [{"name": "Todo", "color": "blueLight2"}, {"name": "Doing", "color": "cyanLight2"},
                                  {"name": "Done", "color": "tealLight2"}]},
                     ["Done", "Todo"]),
    "multipleSelects": ({"choices": [{"name": "甲"}, {"name": "b, c", "color": "pinkDark1"}]},
                        {"choices": [{"name": "甲", "color": "blueLight2"}, {"name": "b, c", "color": "pinkDark1"}]},
                        [["b, c", "甲"], ["甲"]]),
    "barcode": (None, None, [{"text": "4711"}, {"text": "0123456", "type": "upce"}]),
    "singleCollaborator": (None, None, []),
    "multipleCollaborators": (None, None, []),
}
# type: (options sent, options read)
WRITTEN_BY_THE_SERVER = {
    "createdTime": (None, "result"),
    "lastModifiedTime": (None, "result"),
    "autoNumber": (None, None),
    "createdBy": (None, None),
    "lastModifiedBy": (None, None),
}


def without_choice_ids(options):
    """The options with choice ids checked and taken out."""
    if not options or "choices" not in options:
        return options
    kept = []
    for choice in options["choices"]:
        choice = dict(choice)
        identifier = choice.pop("id")
        assert identifier.startswith("sel") and len(identifier) == 17
        kept.append(choice)
    return {**options, "choices": kept}


def definition(kind, name=None):
    """The write object of a field of a stored type."""
    options = (STORED.get(kind) or WRITTEN_BY_THE_SERVER[kind])[0]
    return {"name": name or kind, "type": kind, **({"options": options} if options else {})}
