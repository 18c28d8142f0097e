"""Crash files of Apport: the facts, the stacks that gdb printed, Python's exceptions."""
import datetime
import re

from reading import lines, present

FOLDERS = ["apport"]
FORMATS = ["apport"]
ARGUED = []
FRAME = re.compile(r"#(\d+)\s+(?:(0x[0-9a-f]+) in )?(.*?) \(")


def fields(data):
    values, key = {}, None
    for line in lines(data):
        if line.startswith(" "):
            values[key] += line[1:] + "\n"
        elif ":" in line:
            key, value = line.split(":", 1)
            values[key] = value.strip()
    return values


def stack(text):
    """The functions of the first whole stack in a text: the frame that was looked at stands before it once more."""
    found = []
    for line in text.split("\n"):
        match = FRAME.match(line)
        if match and match.group(1) == "0":
            found = []
        if match:
            found.append(present(function=match.group(3) if match.group(3) != "??" else None))
    return found


def parse(data):
    values = fields(data)
    report = {"format": "apport", "process": {"path": values["ExecutablePath"]},
              "tags": {"os.distribution": values["DistroRelease"]}}
    date = datetime.datetime.strptime(values["Date"], "%a %b %d %H:%M:%S %Y")
    report["time"] = date.strftime("%Y-%m-%dT%H:%M:%SZ")
    if "Uname" in values:
        report["os"] = {"version": values["Uname"].split()[1]}
    if "Traceback" in values:
        last = values["Traceback"].rstrip("\n").split("\n")
        head = max(number for number, line in enumerate(last) if re.match(r"\w[\w.]*(: |$)", line) and "Traceback" not in line)
        name, _, message = last[head].partition(": ")
        message = "\n".join([message] + last[head + 1:])
        calls = []
        for line in last[:head]:
            if line.startswith("Traceback "):
                calls = []
            call = re.match(r'  File "(.*)", line (\d+), in (.*)', line)
            if call:
                calls.insert(0, {"file": call.group(1), "line": int(call.group(2)), "function": call.group(3)})
        report["reason"] = {"exception": present(message=message, frames=calls)}
        report["reason"]["exception"]["type"] = name.split(".")[-1] if "." not in name else name
        return [report]
    report["reason"] = {"signal": values.get("SignalName")}
    if "Stacktrace" in values:
        report["crashed frames"] = stack(values["Stacktrace"])
    return [report]
