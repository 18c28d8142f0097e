"""Exceptions of JavaScript: V8, Firefox, Safari; diagnostic reports of Node."""
import json
import re

from reading import lines

FOLDERS = ["javascript", "node-js", "node-report"]
FORMATS = ["javascript", "node-report"]
ARGUED = [
    ("*AT_SIGN*", "*", "names and addresses with an at sign are not read by the parser"),
    ("*abort.txt", "*", "native stacks are not read by the parser"),
    ("*memory-*", "*", "native stacks are not read by the parser"),
    ("*aggregate*", "*", "lists of errors are not read by the parser"),
    ("*throwobj*", "*", "values that are no errors are not read by the parser"),
    ("*OPERA*", "*", "stacks of old browsers are not read by the parser"),
    ("*EVAL*", "*", "code of eval is not read by the parser"),
]
V8 = re.compile(r"^\s+at (?:(.*?) \((.*)\)|(\S.*))$")
GECKO = re.compile(r"^([^@]*?)(?:\([^@]*\))?@(?:(\S+?):(\d+)(?::(\d+))?|\[native code\])$")
PLACE = re.compile(r"^(.*?):(\d+):(\d+)$")
HEAD = re.compile(r"^(?:Uncaught )?([A-Za-z_$][\w$.]*(?:Error|Exception)|Error)(?: \[\w+\])?(?:: (.*))?$")
SKIPPED = re.compile(r"^\s*\.\.\. (\d+) lines matching cause stack trace \.\.\.")
ANONYMOUS = ("Object.<anonymous>", "<anonymous>", "Anonymous function")


def frame(name, place):
    found = {}
    if name and name not in ANONYMOUS:
        found["function"] = name
    match = PLACE.match(place)
    if match:
        found.update(file=match.group(1), line=int(match.group(2)), column=int(match.group(3)))
    return found


def parse(data):
    if data.lstrip().startswith(b"{"):
        value = json.loads(data)
        stack = value.get("javascriptStack") or {}
        frames = [V8.match("    " + line.strip()) for line in stack.get("stack") or []]
        return [{"format": "node-report", "reason": {"exception": {"frames": [
            frame(match.group(1), match.group(2) or match.group(3)) for match in frames if match]}},
            "threads": [{"frames": len(value.get("nativeStack") or [])}],
            "process": {"pid": value["header"]["processId"]}}]
    reports, stack, headline = [], None, None
    for line in lines(data):
        cause = re.match(r"^\s+\[cause\]: ([\w.$]+)(?:: (.*))?$", line)
        head = HEAD.match(line.strip()) if not line.startswith("    at ") else None
        match = V8.match(line)
        gecko = GECKO.match(line.strip())
        skipped = SKIPPED.match(line)
        if cause and reports:
            inner = {"type": cause.group(1), "frames": []}
            reports[-1]["chain"].append(inner)
            stack = inner["frames"]
        elif head:
            headline, stack = head, None
        elif match and " at " in line:
            place = match.group(2) or match.group(3)
            place = place.removesuffix(" {").removesuffix(",")
            if stack is None:
                exception = {"frames": []}
                if headline:
                    exception["type"] = headline.group(1)
                    if headline.group(2):
                        exception["first line"] = headline.group(2)
                stack, headline = exception["frames"], None
                reports.append({"format": "javascript", "chain": [exception]})
            stack.append(frame(match.group(1), place))
        elif gecko:
            if stack is None:
                exception = {"frames": []}
                stack = exception["frames"]
                reports.append({"format": "javascript", "chain": [exception]})
            found = {}
            if gecko.group(2):
                found = {"file": gecko.group(2), "line": int(gecko.group(3))}
            if gecko.group(1):
                found["function"] = gecko.group(1)
            if gecko.group(4):
                found["column"] = int(gecko.group(4))
            stack.append(found)
        elif skipped and stack is not None:
            # They are filled in out of the cause.
            stack += [{}] * int(skipped.group(1))
        elif not line.strip():
            stack = None
        elif line.startswith("Emitted "):
            break
    found = []
    for report in reports:
        inner = []
        for exception in reversed(report["chain"]):
            exception["inner"] = inner
            inner = [exception]
        found.append({"format": "javascript", "reason": {"exception": inner[0]}})
    return found


def generate(random):
    """An exception of Node with causes."""
    names = ["total", "Basket.sum", "async Promise.all", "new Till", "Array.map", "Module._compile", "Object.<anonymous>",
             "Till.pay [as charge]", "Function.executeUserEntryPoint [as runMain]", "#price", "async open"]
    files = ["/app/till.js", "node:internal/modules/cjs/loader", "file:///app/desk.mjs", "/home/a b/till.js", "webpack:///./src/till.ts",
             "https://tern.example/static/js/main.3c1.js", "C:\\app\\till.js"]
    exceptions, text = [], ""
    for number in range(random.randrange(1, 4)):
        kind, message = random.choice(["TypeError", "RangeError", "PaymentError", "Error"]), random.choice(
            ["no price", "x is not a function", "Cannot read properties of null (reading 'a')", "a: b"])
        indent = "  " * number
        text += ("  " * number + "[cause]: " if number else "") + "%s: %s\n" % (kind, message)
        frames = []
        count = random.randrange(1, 10)
        for position in range(count):
            name, file, line, column = random.choice(names), random.choice(files), random.randrange(1, 9999), random.randrange(1, 200)
            if random.random() < 0.2:
                text += "%s    at %s:%d:%d" % (indent, file, line, column)
                frames.append({"function": None, "file": file, "line": line, "column": column})
            else:
                text += "%s    at %s (%s:%d:%d)" % (indent, name, file, line, column)
                frames.append(dict({"file": file, "line": line, "column": column}, **frame(name, "")))
            text += "\n"
        exceptions.append({"type": kind, "message": message, "frames": frames})
        text = text.rstrip("\n") + " {\n"
    text = text[:-3] + "\n" + "".join("  " * number + "}\n" for number in reversed(range(len(exceptions) - 1)))
    inner = []
    for exception in reversed(exceptions):
        exception["inner"] = inner
        inner = [exception]
    return ("tern starts\n/app/till.js:1\n  x()\n  ^\n\n%s\nNode.js v20.20.2\n" % text).encode(), [
        {"format": "javascript", "reason": {"exception": inner[0]}}]
