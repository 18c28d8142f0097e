"""What Rust's runtime prints of panics."""
import re

from reading import lines, within_sanitizer

FOLDERS = ["rust-panic"]
FORMATS = ["rust-panic"]
ARGUED = [
    ("*-stack.txt", "reports", "a stack overflow without a panic is not read by the parser"),
    ("*rust_ignores.txt", "reports", "old messages of several lines are not read by the parser"),
]
HEAD = re.compile(r"thread '(.*?)'(?: \((\d+)\))? panicked at (?:'(.*)', )?(\S+?):?$")
FRAME = re.compile(r"^\s*(\d+): +(?:(0x[0-9a-f]+) - )?(.*)$")
PLACE = re.compile(r"^\s+at (.*?):(\d+)(?::(\d+))?$")


def parse(data):
    reports, report, inside, words = [], None, False, None
    for line in lines(data):
        head = HEAD.search(line)
        if head:
            stack = []
            report = {"format": "rust-panic", "tags": {"thread.name": head.group(1)},
                      "reason": {"type": "panic", "code": head.group(4),
                                 "exception": {"type": "panic", "message": head.group(3), "frames": stack}}}
            if head.group(2):
                report["tags"]["thread.id"] = head.group(2)
            reports.append(report)
            inside = False
            words = None if head.group(3) is not None else []
            continue
        if report is None:
            continue
        if words is not None:
            if line.startswith(("note: ", "stack backtrace:", "thread caused non-unwinding panic")):
                report["reason"]["exception"]["message"] = "\n".join(words).strip()
                words = None
            else:
                words.append(line)
        if line.strip() == "stack backtrace:":
            inside = True
        elif inside:
            frame = FRAME.match(line)
            place = PLACE.match(line)
            if frame:
                name = re.sub(r"\[[0-9a-f]{16}\]", "", frame.group(3))
                stack.append({"function": None if name == "<unknown>" else name})
                if frame.group(2):
                    stack[-1]["address"] = frame.group(2)
            elif place and stack:
                stack[-1].update(file=place.group(1), line=int(place.group(2)))
                if int(place.group(3) or 0):
                    stack[-1]["column"] = int(place.group(3))
            elif not line.startswith(" "):
                inside = False
    for report in reports:
        exception = report["reason"]["exception"]
        # Without a backtrace the place of the panic is the only frame.
        if not exception["frames"]:
            exception["frames"] = 1
        if exception["message"] is None:
            del exception["message"]
    return within_sanitizer(joined(reports), "\n".join(lines(data)))


def joined(reports):
    """A panic that unwound while the next one came is its cause."""
    found = []
    for report in reports:
        exception = report["reason"]["exception"]
        exception["inner"] = []
        if exception.get("message") in ("panic in a destructor during cleanup", "panic in a function that cannot unwind"):
            while found and found[-1]["tags"] == report["tags"]:
                inner = found.pop()["reason"]["exception"]
                if exception["inner"]:
                    deepest = exception["inner"][0]
                    deepest["inner"] = [inner]
                else:
                    exception["inner"] = [inner]
        found.append(report)
    return found
