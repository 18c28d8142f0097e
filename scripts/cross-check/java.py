"""Java's traces and the logs of HotSpot."""
import re

from reading import lines, present

FOLDERS = ["java-trace", "java-hs-err"]
FORMATS = ["java-trace", "java-hs-err"]
ARGUED = [
    ("*.clojure.txt", "reports", "Clojure's maps of data are not read by the parser"),
]
LOGCAT = re.compile(r"^\d\d-\d\d [\d:.]+ +\d+ +\d+ [A-Z] AndroidRuntime: ")
CALL = re.compile(r"^\s*at (\S+)\((.*?)\)")
HEAD = re.compile(r"^(?:Exception in thread \".*?\" |== Java Exception: |.*DEBUG.*: )?([\w.$/]+(?:Exception|Error|Throwable)|[\w$]+(?:\.[\w$]+)+)"
                  r"(?:: (.*))?$")
MORE = re.compile(r"^\s*\.\.\. (\d+) (?:more|common frames omitted)")


def hotspot(text):
    kind = re.search(r"^#\s+(\w+) \(0x\w+\) at pc=|^#\s+(Internal Error|Out of Memory Error) \(", text, re.M)
    native = re.search(r"^Native frames: .*\n((?:[VCjJAv] +.*(?:\n|$))*)", text, re.M)
    java = re.search(r"^Java frames: .*\n((?:[VCjJAv] +.*(?:\n|$))*)", text, re.M)
    stack = native.group(1) if native and native.group(1) else java.group(1) if java else ""
    frames = len(stack.splitlines())
    if not frames and re.search(r"^# Problematic frame:\n# \S+ +\S", text, re.M):
        frames = 1
    listed = re.findall(r"^(=>|  )0x[0-9a-f]+ (?:\(exited\) )?\w*Thread", text, re.M)
    memory = "# There is insufficient memory for" in text
    pid = re.search(r"pid=(\d+)", text)
    return {"format": "java-hs-err", "reason": {"type": "insufficient memory"} if memory else present(
                type=(kind.group(1) or kind.group(2)) if kind else None),
            "process": present(pid=int(pid.group(1)) if pid else None), "crashed frames": frames,
            # The thread that died may not be in the list.
            "threads": len(listed) + ("=>" not in listed and frames > 0)}


def place(words):
    """File and line in the brackets of a call."""
    match = re.match(r"([^:()]+\.\w+):(\d+)$", words)
    return {"file": match.group(1), "line": int(match.group(2))} if match else {}


def dump(text):
    """All threads of a machine."""
    threads = []
    for line in text[text.index("Full thread dump "):].split("\n"):
        head = re.match(r'"(.*)" (?:#(\d+) )?.*?\bnid=(0x[0-9a-f]+|\d+) ', line)
        call = CALL.match(line)
        if line.startswith("Found one Java-level deadlock:"):
            break
        if head:
            threads.append(present(name=head.group(1), id=int(head.group(3), 0), frames=[],
                                   index=int(head.group(2)) if head.group(2) else None))
        elif call and threads:
            threads[-1]["frames"].append({"function": bare(call.group(1))})
    report = {"format": "java-trace", "threads": threads, "kind": "other"}
    if "Java-level deadlock:" in text:
        report.update(kind="hang", reason={"type": "deadlock"})
    return report


def bare(name):
    """A function without its module and class loader."""
    return re.sub(r"^(?:[\w.@-]*/)+(?=[A-Za-z_$])", "", name)


def parse(data):
    text = data.decode(errors="replace")
    if re.search(r"^# (A fatal error has been detected by|There is insufficient memory for) ", text, re.M):
        return [hotspot(text)]
    if "Full thread dump " in text:
        return [dump(text)]
    reports, chain, unread, headline = [], [], False, None
    for line in lines(data):
        line = LOGCAT.sub("", line)
        call = CALL.match(line)
        more = MORE.match(line)
        cause = re.match(r"^Caused by: (?!\[CIRCULAR)([\w.$/]+)(?:: (.*))?", line)
        if cause and chain:
            chain.append({"type": cause.group(1), "count": 0, "frames": []})
            unread = False
        elif re.match(r"^\s+Suppressed: |^\s+Caused by: |^Caused by: \[CIRC", line) and chain:
            unread = True
        elif call and call.group(2):
            if headline:
                head, headline = headline, None
                chain = [{"type": head.group(1), "count": 0, "frames": []}]
                reports.append(chain)
                unread = False
            if chain and not unread:
                chain[-1]["count"] += 1
                chain[-1]["frames"].append(dict(place(call.group(2)), function=bare(call.group(1))))
        elif more and chain and not unread:
            chain[-1]["count"] += int(more.group(1))
        elif not line.strip():
            chain = []
        if HEAD.match(line.strip()) and not line.startswith(("\t", "Caused")):
            headline = HEAD.match(line.strip())
    found = []
    for chain in reports:
        inner = []
        for exception in reversed(chain):
            exception["inner"] = inner
            # Frames that are only counted come out of the trace around it.
            if exception.pop("count") > len(exception["frames"]):
                exception["first frames"] = exception.pop("frames")
            inner = [exception]
        found.append({"format": "java-trace", "reason": {"exception": inner[0]}})
    return found


def generate(random):
    """An exception with causes."""
    text, exceptions, stacks = "", [], []
    for number in range(random.randrange(1, 4)):
        kind, message = random.choice(["java.lang.IllegalStateException", "com.example.tern.PaymentException", "java.io.IOException"]), random.choice(
            ["no price", "a: b", None, "till (3) -> desk"])
        head = kind + (": " + message if message else "")
        text += ("Caused by: " if number else 'Exception in thread "till 3" ') + head + "\n"
        frames, common = [], 0
        for _ in range(random.randrange(1, 9)):
            name = random.choice(["com.example.tern.Till.charge", "com.example.tern.Desk$Drawer.open", "com.example.tern.Tern.lambda$main$0",
                                  "com.example.tern.Till.<init>", "java.util.ArrayList.forEach", "com.example.tern.Till$Companion.of"])
            form = random.random()
            if form < 0.7:
                file, line = random.choice(["Till.java", "Desk.kt", "ArrayList.java"]), random.randrange(1, 3000)
                text += "\tat %s%s(%s:%d)%s\n" % (random.choice(["", "java.base/", "app//", "java.base@17.0.15/"]), name, file, line,
                                                 random.choice(["", "", " ~[tern.jar:1.2]"]))
                frames.append({"function": name, "file": file, "line": line})
            else:
                text += "\tat %s(%s)\n" % (name, random.choice(["Native Method", "Unknown Source"]))
                frames.append({"function": name, "line": None})
        if stacks and len(stacks[-1]) > 1 and random.random() < 0.7:
            common = random.randrange(1, len(stacks[-1]))
            text += "\t... %d more\n" % common
            frames += stacks[-1][-common:]
        stacks.append(frames)
        exceptions.append({"type": kind, "message": message, "frames": frames})
    inner = []
    for exception in reversed(exceptions):
        exception["inner"] = inner
        inner = [exception]
    return ("tern starts\n" + text).encode(), [{"format": "java-trace", "reason": {"exception": inner[0]}}]
