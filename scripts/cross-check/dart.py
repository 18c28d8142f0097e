"""Stacks of Dart and Flutter."""
import re

from reading import hexadecimal, lines

FOLDERS = ["dart", "flutter-dart"]
FORMATS = ["dart"]
NATIVE = re.compile(r"#(\d+) +abs ([0-9a-f]+)(?: virt ([0-9a-f]+))? ")
CALL = re.compile(r"#(\d+) +(.*?) \((.+?)(?::(\d+)(?::(\d+))?)?\)$")


def parse(data):
    reports, frames = [], None
    build = None
    for line in lines(data):
        native, call = NATIVE.search(line), CALL.search(line)
        found = re.search(r"build_?id: ?'?([0-9a-f]{32})", line, re.I)
        if found:
            build = found.group(1)
        if not native and not call:
            continue
        number = int((native or call).group(1))
        if number == 0 or frames is None:
            frames = []
            reports.append({"format": "dart", "reason": {"exception": {"frames": frames}}})
            if native and build:
                reports[-1]["images"] = [{"code_id": build}]
        if native:
            # Crashlytics rewrites the absolute addresses to 0.
            found = {"address": hexadecimal(int(native.group(2), 16))} if int(native.group(2), 16) else {}
        else:
            found = {"function": call.group(2).replace(".<anonymous closure>", ".<anonymous closure>"), "file": call.group(3)}
            if call.group(4):
                found["line"] = int(call.group(4))
            if call.group(5):
                found["column"] = int(call.group(5))
        frames.append(found)
    return reports
