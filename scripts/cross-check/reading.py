"""What the parsers share: lines of text, times and ids as Mayday writes them."""
import datetime
import re
import uuid


def lines(data):
    """The lines of a text, without byte-order mark and terminal escapes."""
    text = data.decode("utf-8", "replace").lstrip("\ufeff")
    return re.sub(r"\x1b\[[0-9;]*m", "", text).replace("\r\n", "\n").split("\n")


def hexadecimal(number):
    return "0x%x" % number


def moment(value, fraction=""):
    """A time in UTC: seconds, or a time with a zone; with the digits of its fraction."""
    if isinstance(value, (int, float)):
        value = datetime.datetime.fromtimestamp(value, datetime.UTC)
    fraction = (fraction or "").rstrip("0")
    text = value.astimezone(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%S")
    return text + ("." + fraction if fraction else "") + "Z"


def written(text):
    """A time written as `2022-08-05 13:24:19.1234 +0400` or `2023-08-15T15:54:17+0100`; None if it is none."""
    match = re.match(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.(\d+))? ?(Z|[+-]\d\d:?\d\d)$", text.strip())
    if not match:
        return None
    zone = match.group(4).replace("Z", "+0000").replace(":", "")
    return moment(datetime.datetime.strptime(match.group(1) + match.group(2) + zone, "%Y-%m-%d%H:%M:%S%z"),
                  match.group(3))


def dashed(text):
    """A UUID as Mayday writes debug ids; None if it is none, or nothing but zeros."""
    try:
        value = uuid.UUID(text)
    except ValueError:
        return None
    return str(value) if value.int else None


def present(**members):
    """A part of a document without the members that are None or empty text."""
    return {name: value for name, value in members.items() if value is not None and value != ""}


# What a sanitizer or libFuzzer prints when a runtime ends the process.
ENDED = re.compile(r"ERROR: (?:\w+Sanitizer: (?:ABRT|ILL|TRAP|SEGV)|libFuzzer: (?:deadly signal|fuzz target exited))")


def within_sanitizer(reports, text):
    """The last exception before a sanitizer's report of the process's end is part of that report."""
    if reports and ENDED.search(text):
        exception = reports[-1]["reason"].get("exception")
        exception.pop("frames", None)
        reports[-1] = {"format": "sanitizer", "reason": {"exception": exception}}
    return reports
