"""Counts of Python's tracebacks, read on their own; of groups only how many exceptions they have.

parse(bytes) gives a list of {format, type, message, causes, frames, threads}: `frames` youngest first.
"""
import re

FRAME = re.compile(r'^\s*(?:\| )?\s*File "(.*)", line (\d+)(?:,? in (.*))?$')
LINK = re.compile(r"direct cause of the following|During handling of the above")


def parse(data):
    text = data.decode(errors="replace")
    fault = re.search(r"Fatal Python error: (.*)", text)
    if fault:
        threads = []
        for line in text[fault.end():].splitlines():
            if re.search(r"hread 0x[0-9a-f]+ .*\(most recent call first\):", line):
                threads.append([])
            frame = FRAME.match(line)
            if frame and threads:
                threads[-1].append(frame.group(3))
        return [{"format": "python-traceback", "type": "Fatal Python error", "message": fault.group(1), "causes": [],
                 "frames": [], "threads": threads}]
    reports, blocks, frames, open_, linked = [], [], [], False, False
    for line in text.splitlines():
        if "Traceback (most recent call last):" in line and "|" not in line.split("Traceback")[0]:
            if not linked:
                blocks = []
                reports.append(blocks)
            frames, open_, linked = [], True, False
        elif LINK.search(line):
            linked = True
        elif open_:
            frame = FRAME.match(line)
            if frame:
                frames.insert(0, frame.group(3))
            elif line and not line.startswith((" ", "\t")) or re.match(r"  \| \S", line):
                words = line.replace("  | ", "").partition(": ")
                blocks.append((words[0].replace("__main__.", ""), words[2] or None, frames))
                open_ = False
    return [{"format": "python-traceback", "type": blocks[-1][0], "message": blocks[-1][1],
             "causes": [block[0] for block in blocks[-2::-1]], "frames": blocks[-1][2], "threads": []}
            for blocks in reports if blocks]
