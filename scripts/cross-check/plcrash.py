"""PLCrashReporter's files, read on their own: `threads` and `images` are numbers, `frames` those of each thread."""
from android import fields


def parse(data):
    assert data[:8] == b"plcrash\x01"
    report = {"format": "plcrash", "frames": [], "addresses": [], "images": 0, "exception": None}
    for number, value in fields(data[8:].rstrip(b"\0") if data.endswith(b"\0" * 16) else data[8:]):
        if number == 1:
            facts = dict(fields(value))
            report["version"] = facts[2].decode()
            report["time"] = facts[4]
        if number == 3:
            stack = [dict(fields(part))[3] for kind, part in fields(value) if kind == 2]
            report["frames"].append(len(stack))
            report["addresses"].append(stack)
            if dict(fields(value)).get(3):
                report["crashed"] = len(report["frames"]) - 1
        if number == 4:
            report["images"] += 1
        if number == 5:
            facts = dict((kind, part) for kind, part in fields(value) if kind != 3)
            report["exception"] = (facts[1].decode(), facts[2].decode())
            report["exception_frames"] = sum(kind == 3 for kind, _ in fields(value))
        if number == 6:
            report["signal"] = dict(fields(value))[1].decode()
    report["threads"] = len(report["frames"])
    return [report]
