"""PLCrashReporter's files: a magic, a version byte and a protobuf message."""
import uuid

from protobuf import fields, members
from reading import hexadecimal, moment, present

FOLDERS = ["plcrash"]
FORMATS = ["plcrash"]
SYSTEMS = {0: "macOS", 1: "iOS", 2: "iOS", 4: "tvOS"}


def word(data):
    """Text; None if it is damaged or absent."""
    try:
        return data.decode() if data is not None else None
    except UnicodeDecodeError:
        return None


def frames(thread, number):
    found = []
    for kind, part in fields(thread):
        if kind == number:
            found.append({"address": hexadecimal(members(part)[3])})
    return found


def parse(data):
    if data[:7] != b"plcrash" or len(data) == 8:
        return []
    report = {"format": "plcrash", "threads": [], "images": []}
    # Writers allocate the file before: zeros may follow the message.
    for number, value in fields(data[8:], padded=True):
        part = members(value) if isinstance(value, bytes) and number != 10 else {}
        if number == 1:
            report["time"] = moment(part[4])
            report["os"] = present(name=SYSTEMS.get(part[1]), version=word(part[2]),
                                   build=word(part.get(5)))
        if number == 2:
            report["app"] = present(identifier=word(part[1]), build=word(part[2]) if 3 in part else None,
                                    version=word(part.get(3) or part[2]))
        if number == 3:
            thread = {"index": part.get(1, 0), "frames": frames(value, 2), "crashed": bool(part.get(3))}
            registers = [members(entry) for kind, entry in fields(value) if kind == 4]
            if part.get(3):
                report["crashed_thread"] = len(report["threads"])
                thread["registers"] = {entry[1].decode(): hexadecimal(entry.get(2, 0)) for entry in registers}
            report["threads"].append(thread)
        if number == 4:
            image = {"base": hexadecimal(part.get(1, 0)), **present(path=word(part[3]))}
            if 4 in part:
                image["debug_id"] = str(uuid.UUID(bytes=part[4]))
            report["images"].append(image)
        if number == 5:
            report.setdefault("reason", {})["exception"] = {
                "type": part[1].decode(), "message": part[2].decode(), "frames": frames(value, 3)}
        if number == 6:
            reason = report.setdefault("reason", {})
            reason["signal"] = part[1].decode()
        if number == 7:
            report["process"] = present(name=word(part.get(1)), pid=part.get(2),
                                        path=word(part.get(3)))
        if number == 8 and 1 in part:
            report["device"] = present(model=word(part[1]))
        if number == 9 and 2 in part:
            report["incident"] = str(uuid.UUID(bytes=part[2])).upper()
    return [report]
