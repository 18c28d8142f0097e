"""Backtraces of Swift's runtime on Linux, as text and JSON."""
import json
import re

from reading import hexadecimal, lines, present

FOLDERS = ["swift-backtrace", "swift-backtrace-json"]
FORMATS = ["swift-backtrace", "swift-backtrace-json"]
ARGUED = [
    ("swift-backtrace/precondition-1.1.0-debug.txt", "*", "the stack of an older runtime is not read by the parser"),
    ("*-outdir.txt", "reports", "the backtrace is in another file"),
    ("*-addresses.txt", "*", "frames without names are not read by the parser"),
    ("*friendly*", "*", "frames without addresses are not read by the parser"),
]
FRAME = re.compile(r"^\s*(\d+)\s(?:\s*(?:\[[a-z]+\] )*)\s*(?:(0x[0-9a-f]{8,16}) )?(.*)$")
IMAGE = re.compile(r"^(0x[0-9a-f]+)[–-](0x[0-9a-f]+) +(\S+) +(.*?) +(/.*)$")


def frame(match):
    rest = match.group(3)
    place = re.search(r" at (/.*?|//?<compiler-generated>):(\d+)(?::(\d+))?$", rest)
    found = {"address": hexadecimal(int(match.group(2), 16))}
    if place:
        rest = rest[:place.start()]
        if int(place.group(2)) and "<compiler" not in place.group(1):
            found.update(present(file=place.group(1), line=int(place.group(2)),
                                 column=int(place.group(3)) if int(place.group(3) or 0) else None))
    inside = re.match(r"(.*) in (\S.*)$", rest)
    if inside:
        name = inside.group(1)
        name = re.sub(r" \+ \d+$", "", re.sub(r" \[inlined\]", "", name))
        name = name.strip()
        if name and not name.startswith(("<unknown>", "0x", "[")):
            found["function"] = name
    return found


def of_json(value):
    report = {"format": "swift-backtrace-json", "threads": [], "images": []}
    for image in value.get("images") or []:
        report["images"].append(present(base=hexadecimal(int(image["baseAddress"], 16)), path=image.get("path"),
                                        code_id=image.get("buildId")))
    for thread in value["threads"]:
        frames = []
        for entry in thread["frames"]:
            if "address" not in entry:
                continue
            place = entry.get("sourceLocation") or {}
            found = {"address": hexadecimal(int(entry["address"], 16)), "inlined": bool(entry.get("inlined"))}
            if place.get("line"):
                found.update(file=place["file"], line=place["line"])
            if entry.get("description") and entry.get("symbol"):
                found["function"] = re.sub(r" \+ \d+$", "", entry["description"])
            frames.append(found)
        one = present(frames=frames, name=thread.get("name"))
        if thread.get("crashed"):
            report["crashed_thread"] = len(report["threads"])
            one["registers"] = {name: hexadecimal(int(number, 16)) for name, number in thread.get("registers", {}).items()}
        report["threads"].append(one)
    return report


def parse(data):
    text = "\n".join(lines(data))
    start = re.search(r'\{ ?"timestamp"', text)
    if start:
        return [of_json(json.JSONDecoder().raw_decode(text[start.start():])[0])]
    if not re.search(r"Program crashed: |Swift runtime failure: |Fatal error", text):
        return []
    report = {"format": "swift-backtrace", "threads": [], "images": []}
    inside = False
    for line in text.split("\n"):
        head = re.match(r'^Thread (\d+)(?: "(.*)")?( crashed)?:$', line)
        image = IMAGE.match(line)
        if head:
            inside = True
            report["threads"].append(present(index=int(head.group(1)), name=head.group(2), frames=[]))
            if head.group(3):
                report["crashed_thread"] = len(report["threads"]) - 1
        elif line.startswith(("Registers:", "Images")):
            inside = False
        elif image:
            report["images"].append({"base": hexadecimal(int(image.group(1), 16)), "path": image.group(5)})
        elif inside and report["threads"]:
            match = FRAME.match(line)
            if match and match.group(2) and not match.group(3).startswith("│"):
                report["threads"][-1]["frames"].append(frame(match))
    if not report["images"]:
        del report["images"]
    return [report] if report["threads"] else []
