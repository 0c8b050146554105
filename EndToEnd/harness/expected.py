"""Error answers, as the protocol's table of errors has them."""

import re

ABSENT = object()
ANY = re.compile(r"(?s).+")


class Expected:
    """One acceptable answer: a status with either a bare string or a type and a message."""

    def __init__(self, status, kind=None, message=ANY, *, bare=None):
        self.status, self.kind, self.message, self.bare = status, kind, message, bare

    def fault(self, answer):
        """What is wrong with the answer, or None."""
        if answer.status != self.status:
            return f"status is {answer.status}"
        body = answer.json
        if self.bare is not None:
            return None if body == {"error": self.bare} else "the body differs"
        if set(body) != {"error"} or not isinstance(body["error"], dict):
            return "the body has not the shape of an error"
        error = body["error"]
        if self.kind is not None:
            kinds = self.kind if isinstance(self.kind, tuple) else (self.kind,)
            if error.get("type") not in kinds:
                return "the type differs"
        elif not isinstance(error.get("type"), str) or not error["type"]:
            return "the type is missing"
        if self.message is ABSENT:
            return None if set(error) == {"type"} else "there must be no message"
        if set(error) != {"type", "message"} or not isinstance(error["message"], str):
            return "an error has a type and a message"
        messages = self.message if isinstance(self.message, tuple) else (self.message,)
        for message in messages:
            if message == error["message"] if isinstance(message, str) else message.search(error["message"]):
                return None
        return "the message differs"

    def filled(self, fill):
        """The same with its placeholders filled."""
        def text(value):
            if isinstance(value, tuple):
                return tuple(text(one) for one in value)
            return fill(value) if isinstance(value, str) else value
        return Expected(self.status, self.kind, text(self.message), bare=self.bare)

    def __repr__(self):
        if self.bare:
            return f'{self.status} {{"error":"{self.bare}"}}'
        message = {ABSENT: "no message", ANY: "any message"}.get(self.message, self.message) \
            if not isinstance(self.message, tuple) else " or ".join(map(str, self.message))
        return f"{self.status} {self.kind or 'any type'}: {message}"


def check_error(answer, *expected):
    """The answer is one of those expected and looks like every error does."""
    faults = [(one, one.fault(answer)) for one in expected]
    if all(fault for _, fault in faults):
        raise AssertionError(
            f"got {answer}\n" + "\n".join(f"expected {one!r} ({fault})" for one, fault in faults))
    assert answer.headers["Content-Type"] == "application/json; charset=utf-8"
    assert answer.headers["Access-Control-Allow-Origin"] == "*"


def either(*kinds):
    return kinds


NOT_FOUND = Expected(404, bare="NOT_FOUND")
NO_TOKEN = Expected(401, "AUTHENTICATION_REQUIRED", "Authentication required")
NO_MODEL = Expected(
    403, "INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND",
    "Invalid permissions, or the requested model was not found. Check that both your user and your token have the "
    "required permissions, and that the model names and/or ids are correct.")
NOT_PERMITTED = Expected(403, "INVALID_PERMISSIONS", re.compile("^You are not permitted to "))
NO_RECORD = Expected(404, "MODEL_ID_NOT_FOUND", "Record not found")
INVALID = Expected(
    422, "INVALID_REQUEST_UNKNOWN", "Invalid request: parameter validation failed. Check your request data.")
MISSING_FIELDS = Expected(422, "INVALID_REQUEST_MISSING_FIELDS", 'Could not find field "fields" in the request body')
UPDATE_RECORDS = Expected(
    422, "INVALID_RECORDS",
    'You must provide an array of up to 10 record objects, each with an "id" ID field and a "fields" object for cell '
    "values.")
CREATE_RECORDS = Expected(
    422, "INVALID_RECORDS",
    'You must provide an array of up to 10 record objects, each with a "fields" object for cell values.')
ELEVEN_CREATED = Expected(
    422, "INVALID_RECORDS",
    ('You must provide an array of up to 10 record objects, each with a "fields" object for cell values.',
     "A maximum of 10 records can be created per request but you have provided 11."))
DELETE_RECORDS = Expected(422, "INVALID_RECORDS", "You must provide an array of up to 10 record IDs.")
REFUSED = Expected(422)
BAD_FORMULA = Expected(
    422, "INVALID_FILTER_BY_FORMULA",
    re.compile(r"(?s)\AThe formula for filtering records is invalid: Invalid formula\. Please check your formula text\. "
               r"Line 1, column \d+: .+\n.*\n *\^\Z"))


def unknown_field(name):
    return Expected(422, "UNKNOWN_FIELD_NAME", f'Unknown field name: "{name}"')


def bad_value(name):
    return Expected(422, "INVALID_VALUE_FOR_COLUMN", f'Field "{name}" cannot accept the provided value')


def computed(name):
    return Expected(
        422, "INVALID_VALUE_FOR_COLUMN", f'Field "{name}" cannot accept a value because the field is computed')


def new_choice(name):
    return Expected(
        422, "INVALID_MULTIPLE_CHOICE_OPTIONS",
        (f'Insufficient permissions to create new select option "{name}"',
         f'Insufficient permissions to create new select option ""{name}""'))


def bad_json(*positions):
    """Broken JSON names the byte where reading stopped (the first byte is 0)."""
    numbers = "|".join(map(str, positions))
    return Expected(422, "INVALID_REQUEST_BODY", re.compile(rf"(?<!\d)({numbers})(?!\d)"))


def bad_options():
    return Expected(422, ("INVALID_REQUEST_UNKNOWN", "INVALID_FIELD_TYPE_OPTIONS_FOR_CREATE"))


def unknown_names(names):
    return Expected(
        422, "INVALID_FILTER_BY_FORMULA",
        f"The formula for filtering records is invalid: Unknown field names: {names}")
