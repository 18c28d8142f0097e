"""Logs with reports of several languages, as loggers, containers and other systems leave them."""
import importlib

FOLDERS = []
FORMATS = []
ARGUED = []
PARTS = ["dotnet", "go", "java", "javascript", "python", "rust", "sanitizer", "scripting", "debugger", "engines"]
PREFIXES = ["May 01 10:11:12 till tern[4711]: ", "2026-05-01T10:11:12.123456789Z stderr F ", "[till-1] ", "\t", "tern_1  | ",
            "05-01 10:11:12.345  4711  4733 E Tern    : "]


def decorated(random, text):
    """The same lines with other ends, colours or what stands before each."""
    form = random.choice(["plain", "crlf", "mark", "prefix", "colour", "html"])
    if form == "crlf":
        return text.replace("\n", "\r\n")
    if form == "mark":
        return "\ufeff" + text
    if form == "colour":
        return "".join("\x1b[31m%s\x1b[0m\n" % line for line in text.split("\n"))
    if form == "prefix":
        before = random.choice(PREFIXES)
        return "".join(before + line + "\n" for line in text.split("\n"))
    if form == "html" and "&" not in text:
        return text.replace("<", "&lt;").replace(">", "&gt;")
    return text


def generate(random):
    text, expected = "", []
    for _ in range(random.randrange(1, 5)):
        data, reports = importlib.import_module(random.choice(PARTS)).generate(random)
        text += data.decode() + "\ntern goes on\n\n"
        expected += reports
    return decorated(random, text).encode(), expected
