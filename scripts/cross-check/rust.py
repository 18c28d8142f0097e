"""Counts of Rust's panics, read on their own.

parse(bytes) gives a list of {format, message, thread, frames, addresses}.
"""
import re

HEAD = re.compile(r"thread '(.*?)'(?: \((\d+)\))? panicked at (?:'(.*)', )?(\S+?):?$")
FRAME = re.compile(r"^\s*(\d+): +(?:(0x[0-9a-f]+) - )?(.*)$")


def parse(data):
    reports, report, inside = [], None, False
    for line in data.decode(errors="replace").splitlines():
        head = HEAD.search(line)
        if head:
            report = {"format": "rust-panic", "thread": head.group(1), "message": head.group(3), "frames": [],
                      "addresses": 0}
            reports.append(report)
            inside = False
        elif report and report["message"] is None:
            report["message"] = line
        elif line.strip() == "stack backtrace:":
            inside = True
        elif report and inside:
            frame = FRAME.match(line)
            if frame:
                report["frames"].append(None if frame.group(3) == "<unknown>" else frame.group(3))
                report["addresses"] += frame.group(2) is not None
    return reports
