"""What Go's runtime and race detector print: panics, fatal errors, races, goroutines."""
import re

from reading import lines, within_sanitizer

FOLDERS = ["go-panic"]
FORMATS = ["go-panic"]
ARGUED = [
    ("*stack_overflow.txt", "reason.exception.message", "the line before, which says how large the stack was, is part of it"),
]
HEAD = re.compile(r"(?<![\w-])(panic|fatal error): (.*)$|http: panic serving \S+: (.*)$")
GOROUTINE = re.compile(r"goroutine (\d+) .*\[(.*)\]:$")
PLACE = re.compile(r"^\s*(\S.*?):(\d+)(?: \+(0x[0-9a-f]+))?(?: fp=.*)?$")
CALL = re.compile(r"\s*([\w./%~-]+\.[^ ]*|panic)\(.*\)$")
RACE = re.compile(r"(?:  )?(Previous )?(?:read|write|Read|Write|atomic \w+) at 0x\w+ by .*:$")


def frame(call, place):
    name = call[:call.rindex("(")].strip().replace("%2e", ".")
    found = PLACE.match(place)
    return {"function": "runtime.gopanic" if name == "panic" else name, "file": found.group(1),
            "line": int(found.group(2))}


def parse(data):
    reports, report, stack = [], None, None
    text = lines(data)
    for index, line in enumerate(text):
        if "WARNING: DATA RACE" in line:
            stack = []
            report = {"format": "go-panic", "reason": {"type": "DATA RACE"}, "threads": [{"frames": stack}]}
            reports.append(report)
            continue
        head = HEAD.search(line)
        if head and not re.search(r"thread \d+ panic:|\d: fatal error", line):
            words = (head.group(2) or head.group(3) or "").replace(" [recovered]", "").replace(" [recovered, repanicked]", "")
            if report and line.startswith("\t") and not report["threads"]:
                report["messages"].append(words)
            else:
                report = {"format": "go-panic", "reason": {"type": head.group(1) or "panic"}, "messages": [words],
                          "threads": []}
                reports.append(report)
            continue
        goroutine = GOROUTINE.search(line.strip())
        if goroutine:
            if report is None:
                report = {"format": "go-panic", "messages": [], "threads": []}
                reports.append(report)
            stack = []
            report["threads"].append({"index": int(goroutine.group(1)), "frames": stack})
            continue
        if stack is None or report is None:
            continue
        following = text[index + 1] if index + 1 < len(text) else ""
        if CALL.match(line) and index + 1 >= len(text) - 1 and not following:
            # Cut.
            stack.append({"function": line[:line.rindex("(")]})
        elif CALL.match(line) and PLACE.match(following) and not line.strip().startswith("created by"):
            stack.append(frame(line, following))
        if report["reason"].get("type") == "DATA RACE" and stack and not line.strip() if "reason" in report else False:
            stack = None
    for report in reports:
        messages = report.pop("messages", None)
        if messages:
            # The last panic is the one that ended the process; those before are causes.
            inner = []
            for message in messages[:-1]:
                inner = [{"message": message, "inner": inner}]
            report["reason"].update(message=messages[-1])
            report["reason"]["exception"] = {"message": messages[-1], "inner": inner}
    return within_sanitizer([report for report in reports if report["threads"]], "\n".join(text))


def generate(random):
    """A panic with goroutines."""
    kind = random.choice(["panic", "panic", "fatal error"])
    message = random.choice(["runtime error: index out of range [7] with length 0", "no price", "main.codeErr{code:7}", "a: b"])
    if kind == "fatal error":
        message = random.choice(["concurrent map writes", "sync: unlock of unlocked mutex"])
    text, inner = "", []
    if kind == "panic" and random.random() < 0.4:
        # Panics that were recovered, or raised meanwhile, are causes of the last one.
        for number in range(random.randrange(1, 3)):
            before = random.choice(["first", "payment declined: 3", "main.T{a:1}"])
            text += "\t" * number + "panic: %s%s\n" % (before, random.choice(["", " [recovered]"]))
            inner = [{"message": before, "inner": inner}]
        text += "\t" * (number + 1)
    text += "%s: %s\n" % (kind, message)
    if kind == "panic" and random.random() < 0.3:
        text += "[signal SIGSEGV: segmentation violation code=0x1 addr=0x%x pc=0x483024]\n" % random.getrandbits(20)
    threads = []
    for number in range(random.randrange(1, 5)):
        identity = random.randrange(1, 400) * 5 + number
        state = "running" if number == 0 else random.choice(["chan receive", "select, 3 minutes", "IO wait", "sleep", "semacquire, locked to thread"])
        text += "\ngoroutine %d [%s]:\n" % (identity, state)
        frames = []
        for _ in range(random.randrange(1, 8)):
            name = random.choice(["main.main", "main.(*Till).Charge", "example.com/tern/desk.Open.func1", "net/http.(*conn).serve",
                                  "main.Map[...]", "sync.(*Mutex).Lock", "gopkg.in/tern%2ev2.Pay", "main.run.func2.1"])
            file, line = random.choice(["/app/src/till.go", "/usr/lib/go-1.19/src/runtime/time.go", "C:/tern desk/pay.go", "example.com/tern/desk.go"]), random.randrange(1, 3000)
            inlined = random.random() < 0.2
            text += "%s(%s)\n\t%s:%d%s\n" % (name, "..." if inlined else "0x%x?, {0x1, 0x2}" % random.getrandbits(32), file, line,
                                            "" if inlined else " +0x%x" % random.getrandbits(10))
            frames.append({"function": name.replace("%2e", "."), "file": file, "line": line, "inlined": inlined})
        if number and random.random() < 0.7:
            text += "created by main.main in goroutine 1\n\t/app/src/till.go:%d +0x1d\n" % random.randrange(1, 99)
        threads.append({"index": identity, "frames": frames})
    return ("tern starts\n" + text + "exit status 2\n").encode(), [{
        "format": "go-panic", "crashed_thread": 0, "threads": threads, "reason": {"type": kind, "exception": {"message": message, "inner": inner}}}]
