"""What programs in C and C++ print of their own death: the first message or signal, and the stack below."""
import re

from reading import hexadecimal, lines, present

FOLDERS = ["native-log"]
FORMATS = ["native-log"]
ARGUED = [
    ("*-oom.txt", "reports", "the tombstone that follows has the message and is the report"),
    ("*-skia_abort.txt", "reports", "libFuzzer's report that follows has the message and is the report"),
]
CHECKS = r"(?:Security )?D?CHECK|Check"
HEADS = [
    re.compile(r"\[(?:[\d:/.]+:)?FATAL:(?P<file>[^\]]*?)(?:\(\d+\)|:\d+)\] (?:(?P<type>(?:%s) failed): )?(?P<text>.*)" % CHECKS),
    re.compile(r"^F\d{4}\d* .* (?P<file>\S+):\d+\] (?:(?P<type>(?:%s) failed): )?(?P<text>.*)" % CHECKS),
    re.compile(r"^# Fatal error in (?P<v8>.*)"),
    re.compile(r"^.*GPU process exited unexpectedly: (?P<gpu>.*)"),
    re.compile(r"^\S+: error while loading shared libraries: (?P<library>.*)"),
    re.compile(r"========= (?P<limit>.*xceeded.*); exiting"),
    re.compile(r"^Received signal (?P<signal>\d+)"),
    re.compile(r"(?:got|^Caught) signal (?P<signal>\d+)"),
]
FRAMES = [
    re.compile(r"^\s*#\d+ (?P<address>0x[0-9a-f]+) (?!in )"),
    re.compile(r"^\s*\d+: (?P<address>0x[0-9a-f]+)"),
    re.compile(r"^\s*\d+: (?P<name>\w\S+)$"),
    re.compile(r"^\s*@\s+(?P<address>0x[0-9a-f]+)"),
    re.compile(r"\[(?P<address>0x[0-9a-f]+)\]$"),
    re.compile(r" \[(?P<address>0x[0-9A-F]+)\+\d+\]"),
]
SIGNALS = {4: "SIGILL", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 11: "SIGSEGV"}


def start(match, following):
    found = match.groupdict()
    if found.get("signal"):
        return {"signal": SIGNALS[int(found["signal"])]}
    if "gpu" in found:
        return {"type": "GPU process exited unexpectedly", "code": found["gpu"]}
    if "library" in found:
        return {"type": "error while loading shared libraries", "message": found["library"]}
    if "limit" in found:
        return {"type": "timeout", "message": found["limit"]}
    if "v8" in found:
        text = following[2:].strip() if following.startswith("# ") else None
        check = re.match(r"((?:%s) failed): (.*)" % CHECKS, text or "")
        return {"type": check.group(1) if check else "Fatal error", "message": check.group(2) if check else text}
    return {"type": found["type"] or "FATAL", "message": found["text"].strip()}


def parse(data):
    reports, frames, calm = [], None, 0
    text = lines(data)
    for number, line in enumerate(text):
        head = next(filter(None, (one.search(line) for one in HEADS)), None)
        if head and "Abort message" not in line:
            reason = start(head, text[number + 1] if number + 1 < len(text) else "")
            if "signal" in reason and reports and calm < 8:
                # What came of the message: the same stack once more.
                reports[-1]["reason"]["signal"] = reason["signal"]
                frames = None
            elif not (reports and reports[-1]["reason"].get("type") == "timeout"):
                frames = []
                reports.append({"format": "native-log", "reason": reason, "crashed frames": frames})
            calm = 0
            continue
        found = next(filter(None, (one.search(line) for one in FRAMES)), None)
        if found and frames is not None:
            address = found.groupdict().get("address")
            frames.append(present(address=hexadecimal(int(address, 16)) if address else None))
            calm = 0
        elif line.strip():
            calm += 1
            if frames and calm > 2:
                frames = None
    for report in reports:
        # Without a stack the place is a frame.
        if not report["crashed frames"]:
            del report["crashed frames"]
    return reports
