"""Counts of Android's tombstones and ANR traces, read on their own.

parse(bytes) gives a list of {format, threads, frames, registers, images, signal, time, name}: `threads` is the number
of threads, `frames` the number of frames of each.
"""
import re

FRAME = re.compile(r"#\d+\s+(?:pc\s+(?:0x)?[0-9a-f]+|0x[0-9a-f]+\s+\()")
THREAD = re.compile(r"pid: (\d+), tid: (\d+), name: (.*?)\s*>>> (.*) <<<")


def fields(data):
    """The fields of a protobuf message: (number, value)."""
    position = 0

    def varint():
        nonlocal position
        value = shift = 0
        while True:
            byte = data[position]
            position += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while position < len(data):
        key = varint()
        kind = key & 7
        if kind == 0:
            yield key >> 3, varint()
        elif kind == 2:
            length = varint()
            if position + length > len(data):
                raise ValueError("cut")
            yield key >> 3, data[position:position + length]
            position += length
        else:
            size = 8 if kind == 1 else 4
            yield key >> 3, int.from_bytes(data[position:position + size], "little")
            position += size


def message(data):
    report = {"format": "android-tombstone-pb", "threads": 0, "frames": [], "images": set()}
    threads = {}
    crashed = 0
    for number, value in fields(data):
        if number == 4:
            report["time"] = value.decode()
        if number == 6:
            crashed = value
        if number == 10:
            report["signal"] = dict(fields(value)).get(2, b"").decode()
        if number == 16:
            entry = dict(fields(value))
            stack = [dict(fields(part)) for kind, part in fields(entry[2]) if kind == 4]
            threads[entry[1]] = len(stack)
            report["images"] |= {frame[6].decode() for frame in stack if 6 in frame}
    order = sorted(threads, key=lambda thread: (thread != crashed, thread))
    report["threads"] = len(threads)
    report["frames"] = [threads[thread] for thread in order]
    report["images"] = len(report["images"])
    return [report]


def tombstones(text):
    starts = [match.start() for match in re.finditer(r"Build fingerprint: ", text)]
    reports = []
    for index, start in enumerate(starts):
        end = starts[index + 1] if index + 1 < len(starts) else len(text)
        part = re.split(r"\n(?:\+\+\+ |java stacktrace:)", text[start:end])[0]
        frames = [0]
        for line in part.split("\n"):
            if THREAD.search(line) and frames[-1]:
                frames.append(0)
            elif THREAD.search(line) and len(frames) > 1:
                frames.append(0)
            if FRAME.match(line.strip()) and " pc " in line or re.match(r"\s*#\d+ 0x\S+\s+\(", line):
                frames[-1] += 1
        signal = re.search(r"signal \d+ \((SIG\w+)\)", part)
        reports.append({"format": "android-tombstone", "threads": len(frames), "frames": frames,
                        "signal": signal and signal.group(1)})
    return reports


def traces(text):
    reports = []
    for part in re.split(r"^----- (?:end|dumping)|^\+\+\+ ", text, flags=re.M):
        names, frames = [], []
        for line in part.split("\n"):
            name = re.match(r'"(.*)" (?:daemon )?(?:prio=|sysTid=)', line)
            if name:
                names.append(name.group(1))
                frames.append(0)
            elif names and re.match(r"\s+(?:native: )?#\d+ pc |\s+at .*\)$|\s+kernel: \w+\+0x", line):
                frames[-1] += 1
        if names:
            reports.append({"format": "android-anr", "threads": len(names), "frames": frames,
                            "names": names})
    return reports


def parse(data):
    if data[:1] in (b"\x08", b"\x12"):
        return message(data)
    text = data.decode("utf-8", "replace")
    if "unreachable allocation" in text:
        return [{"format": "android-tombstone", "threads": 1,
                 "frames": [len(re.findall(r"^\s*#\d+\s+pc ", text, re.M))]}]
    return traces(text) or tombstones(text)
