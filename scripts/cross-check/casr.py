"""CASR's reports."""
import json
import re

from reading import hexadecimal

FOLDERS = ["casr"]
FORMATS = ["casr"]


def parse(data):
    value = json.loads(data)
    frames = []
    for line in value["Stacktrace"]:
        match = re.match(r"#\d+\s+(?:(0x[0-9a-f]+) in )?(.*?) \(", line)
        found = {"function": match.group(2)}
        if match.group(1):
            found["address"] = hexadecimal(int(match.group(1), 16))
        place = re.search(r" at (.*?):(\d+)", line)
        if place:
            found.update(file=place.group(1), line=int(place.group(2)))
        frames.append(found)
    severity = value["CrashSeverity"]
    return [{"format": "casr", "reason": {"type": severity["ShortDescription"], "message": severity["Description"]},
             "threads": [{"frames": frames}], "tags": {"casr.severity": severity["Type"]},
             "process": {"path": value["ExecutablePath"]}}]
