"""What Rust's runtime prints of panics."""
import re

from reading import lines, within_sanitizer

FOLDERS = ["rust-panic"]
FORMATS = ["rust-panic"]
ARGUED = [
    ("*debug-assert*", "*message", "lines of a message lose the blanks before them"),
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


def generate(random):
    """A panic with or without a backtrace."""
    name, identity = random.choice(["main", "till 3", "tokio-runtime-worker"]), random.choice([None, random.randrange(1, 99999)])
    message = random.choice(["no price", "called `Option::unwrap()` on a `None` value", "index out of bounds: the len is 0 but the index is 7", "it's: b",
                             "assertion `left == right` failed: no price\nleft: 1\nright: 2", "two\nlines"])
    file, line, column = random.choice(["src/till.rs", "/rustc/0123456789abcdef/library/core/src/panicking.rs", "src\\tern\\pay.rs"]), random.randrange(1, 900), random.randrange(1, 90)
    place = "%s:%d:%d" % (file, line, column)
    old = random.random() < 0.3 and "\n" not in message
    head = "thread '%s'%s panicked at " % (name, " (%d)" % identity if identity and not old else "")
    text = head + ("'%s', %s\n" % (message, place) if old else "%s:\n%s\n" % (place, message))
    frames = []
    if random.random() < 0.8:
        text += "stack backtrace:\n"
        full = random.random() < 0.5
        for number in range(random.randrange(1, 12)):
            function = random.choice(["tern::till::charge", "core::panicking::panic_fmt", "<T as core::convert::Into<U>>::into", "std::rt::lang_start::{{closure}}", "main"])
            address = random.getrandbits(47)
            text += ("  %2d:     0x%x - %s\n" % (number, address, function)) if full else "  %2d: %s\n" % (number, function)
            found = {"function": function}
            if full:
                found["address"] = "0x%x" % address
            if random.random() < 0.7:
                at = random.randrange(1, 900)
                text += "             at /app/src/tern desk/till.rs:%d:7\n" % at
                found.update(file="/app/src/tern desk/till.rs", line=at, column=7)
            frames.append(found)
        text += "note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.\n"
    else:
        text += "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n"
        frames.append({"file": file, "line": line, "column": column})
    tags = {"thread.name": name}
    if identity and not old:
        tags["thread.id"] = str(identity)
    return ("tern starts\n" + text).encode(), [{"format": "rust-panic", "tags": tags, "reason": {
        "type": "panic", "code": place, "exception": {"message": message, "frames": frames}}}]
