"""Counts of what Go's runtime prints, read on their own.

parse(bytes) gives a list of {format, type, message, causes, threads, frames}: `threads` are the numbers of the
goroutines, `frames` the functions of each, the first that died.
"""
import re

HEAD = re.compile(r"(?<![\w-])(panic|fatal error): (.*)$|http: panic serving \S+: (.*)$")
GOROUTINE = re.compile(r"goroutine (\d+) .*\[(.*)\]:$")
PLACE = re.compile(r"^\s+?\S.*:\d+( \+0x[0-9a-f]+)?( fp=.*)?$|^\S+:\d+ \+0x[0-9a-f]+")


def parse(data):
    reports, report, stack = [], None, None
    lines = data.decode(errors="replace").splitlines()
    for index, line in enumerate(lines):
        if "WARNING: DATA RACE" in line:
            stack = []
            report = {"format": "go-panic", "type": "DATA RACE", "causes": [], "threads": [1], "frames": [stack]}
            reports.append(report)
            continue
        head = HEAD.search(line)
        if head and not re.search(r"thread \d+ panic:|\d: fatal error", line):
            words = (head.group(2) or head.group(3) or "").replace(" [recovered]", "")
            if report and line.startswith("\t") and not report["threads"]:
                report["causes"].append(report["message"])
                report["message"] = words
            else:
                report = {"format": "go-panic", "type": head.group(1) or "panic", "message": words, "causes": [],
                          "threads": [], "frames": []}
                reports.append(report)
            continue
        goroutine = GOROUTINE.search(line.strip())
        if goroutine:
            if report is None:
                report = {"format": "go-panic", "type": None, "causes": [], "threads": [], "frames": []}
                reports.append(report)
            stack = []
            report["threads"].append(int(goroutine.group(1)))
            report["frames"].append(stack)
            continue
        if stack is None or report is None:
            continue
        following = lines[index + 1] if index + 1 < len(lines) else ""
        call = re.match(r"\s*([\w./%~-]+\.[^ ]*|panic)\(.*\)$", line)
        if call and PLACE.match(following) and not line.strip().startswith("created by"):
            name = line.strip()
            stack.append(name[:name.rindex("(")])
        if report["type"] == "DATA RACE" and stack and not line.strip():
            stack = None
    return [report for report in reports if report["threads"]]
