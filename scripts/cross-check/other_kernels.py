"""Panics and traps of BSD kernels and of Fuchsia's."""
import re

from reading import hexadecimal, lines

FOLDERS = ["other-kernel", "bsd-kernel", "fuchsia"]
FORMATS = ["bsd-kernel", "fuchsia"]
ARGUED = [
    ("*starnix*", "reports", "panics of Starnix are not parsed here"),
    ("*fuchsia-10*", "reports", "a kernel that starts anew without a word is not parsed here"),
]
NAME = r"[\w.$]+"
FRAME = re.compile(r"(?:%s\(.*\)|fp \w+ %s\(.*\)|#\d+ 0x\w+) at (?:[0-9a-f]{8,} )?(?:%s:)?(%s)(?:\+0x([0-9a-f]+))?"
                   r"(?:/frame 0x\w+| 0x\w+)?(?: (.*))?$" % (NAME, NAME, NAME, NAME))
TIME = re.compile(r"^\[ *\d+(?:\.\d+)?\] *")
ZIRCON = re.compile(r"bt#\d+: (?:(\[ inline \])|0x[0-9a-f]+)(?: (.*?))?(?: (\S+):(\d+))?$")
MARKUP = re.compile(r"\{\{\{bt:\d+:(0x[0-9a-f]+)")


def joined(text):
    """The lines, those joined that the console broke at its width."""
    result = []
    for raw in text:
        line = TIME.sub("", raw.strip("\r")).rstrip()
        if result and 78 <= len(result[-1]) <= 80 and ") at " in result[-1] and re.fullmatch("[0-9a-fA-Z_]+", line) \
                and FRAME.match(result[-1] + line):
            result[-1] += line
        elif line:
            result.append(line)
    return result


def bsd(text):
    """The first stack of each panic or trap, without what the debugger prints after it."""
    reports, report, done = [], None, False
    for line in joined(text):
        if re.match(r"Fatal trap \d+|(?:login: )?panic: |fatal page fault in supervisor", line):
            if report is None or done:
                report, done = {"format": "bsd-kernel", "frames": []}, False
                reports.append(report)
            continue
        if report is None or done:
            continue
        found = FRAME.match(line)
        if found:
            name = found.group(1)
            if found.group(3) and found.group(3).endswith("[inline]"):
                name = found.group(3).split(" ")[0]
            report["frames"].append(name)
        elif report["frames"] and not line.startswith("---") or line.startswith("--- syscall"):
            done = bool(report["frames"])
    return reports


def fuchsia(text):
    reports, report = [], None
    for raw in text:
        line = re.sub(r"^\[\d+\.\d+\] \d+\.\d+> ", "", raw)
        if line.strip() == "ZIRCON KERNEL PANIC":
            report = {"format": "fuchsia", "frames": []}
            reports.append(report)
        found = ZIRCON.match(line) if report is not None else None
        if found and found.group(2) != "end":
            report["frames"].append(found.group(2))
        found = MARKUP.search(line) if report is not None else None
        if found:
            report["frames"].append(None)
    return reports


def parse(data):
    text = lines(data)
    whole = "\n".join(text)
    if "goroutine " in whole or "STARNIX" in whole or "panic(cpu" in whole:
        return []
    reports = fuchsia(text) if "ZIRCON" in whole else bsd(text)
    for report in reports:
        frames = report.pop("frames")
        numbered = re.search(r"^#0 0x", whole, re.M)
        # The address of the trap stands among the numbered ones.
        pointer = re.search(r"instruction pointer\s*= 0x\w+:0x(\w+)", whole)
        if numbered and pointer and "calltrap" in frames:
            frames.insert(frames.index("calltrap") + 1, None)
        report["threads"] = [{"frames": [{"function": name} for name in frames]}]
        address = re.search(r"fault virtual address\s*= 0x(\w+)", whole)
        if address:
            report["reason"] = {"address": hexadecimal(int(address.group(1), 16))}
    return reports
