"""Exceptions of .NET and Mono."""
import re

from reading import lines

FOLDERS = ["dotnet", "dotnet-trace"]
FORMATS = ["dotnet"]
ARGUED = [
    ("*failfast*", "reports", "native crashes of Mono are not read by the parser"),
    ("*open-drawer*", "reports", "native crashes of Mono are not read by the parser"),
]
# The words for `at`, `in` and `line` may be of any language.
FRAME = re.compile(r"^\s*at (.+?)(?: \[0x([0-9a-f]+)\])?(?: in (.+?):(?:line )?(\d+))?\s*$")
HEAD = re.compile(r"^(?:Unhandled [Ee]xception[.:] ?)?(?:\[ERROR\] FATAL UNHANDLED EXCEPTION: )?"
                  r"((?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*(?:Exception|Error)\w*)(?: \(0x[0-9a-fA-F]+\))?(?:: (.*))?$")


def frame(match):
    # Mono prints a blank before the arguments.
    name = re.sub(r"^\(wrapper [a-z-]+\) ", "", match.group(1).strip())
    name = re.sub(r" \(", "(", name, count=1)
    found = {"function": name}
    if match.group(3) and not match.group(3).startswith("<"):
        found.update(file=match.group(3), line=int(match.group(4)) or None)
    return found


def parse(data):
    reports = []
    # The innermost exception's frames come first, each ended by a line of its own.
    chain, open_, headed = [], None, False
    for line in lines(data):
        text = line.strip()
        head = HEAD.match(re.split(r" ---> ", text)[0]) if not text.startswith("at ") else None
        match = FRAME.match(line)
        if head and not text.startswith("---"):
            parts = re.split(r" ---> ", text)
            chain = []
            for part in parts:
                one = HEAD.match(part)
                if one:
                    chain.append({"type": one.group(1), "frames": []})
            open_, headed = len(chain) - 1, True
            entry = {"format": "dotnet", "chain": chain}
            if "FATAL UNHANDLED EXCEPTION" in text and reports:
                # Mono prints an exception twice.
                continue
            reports.append(entry)
        elif headed and "---> " in text and not match:
            for part in re.split(r"(?:^| )---> ", text)[1:]:
                one = HEAD.match(part)
                if one:
                    chain.append({"type": one.group(1), "frames": []})
            open_ = len(chain) - 1
        elif text.startswith("--- End of inner exception stack trace ---") and headed:
            open_ = max(open_ - 1, 0)
        elif match and headed:
            chain[open_]["frames"].append(frame(match))
    found = []
    for report in reports:
        inner = []
        for exception in reversed(report["chain"]):
            exception["inner"] = inner
            inner = [exception]
        if any(exception["frames"] for exception in report["chain"]):
            found.append({"format": "dotnet", "reason": {"exception": inner[0]}})
    return found


def generate(random):
    """An unhandled exception with inner ones."""
    calls = ["Tern.Till.Charge(Basket basket)", "Tern.Basket`1.ElementAt(Int32 index)", "Tern.Desk.<>c__DisplayClass3_0.<Open>b__0()",
             "Tern.Desk.<Reserve>d__2.MoveNext()", "System.Linq.Enumerable.Sum[TSource](IEnumerable`1 source, Func`2 selector)",
             "Tern.Program.<Main>g__Local|0_1(String[] args)", "Tern.Till..ctor(String name)"]
    places = ["/src/Till.cs", "C:\\src tern\\Desk.cs", "/home/me/a b/Basket.cs"]
    types = ["System.FormatException", "Tern.PaymentException", "System.AggregateException", "TernError"]
    count = random.randrange(1, 4)
    exceptions = []
    for number in range(count):
        text, frames = "", []
        for _ in range(random.randrange(1, 8)):
            call = random.choice(calls)
            text += "   at " + call
            found = {"function": call}
            if random.random() < 0.6:
                file, line = random.choice(places), random.randrange(1, 5000)
                text += " in %s:line %d" % (file, line)
                found.update(file=file, line=line)
            else:
                found.update(file=None, line=None)
            frames.append(found)
            text += "\n"
            if random.random() < 0.1:
                text += "--- End of stack trace from previous location ---\n"
        exceptions.append({"type": random.choice(types[:2] + types[3:]), "message": random.choice(
            ["no price", "a: b", "it's -> \"x\"", "line 1", "at least one"]), "frames": frames, "text": text})
    text = "tern 1.0 starts\nUnhandled exception. " + "\n ---> ".join(
        "%s: %s" % (exception["type"], exception["message"]) for exception in exceptions) + "\n"
    for number, exception in reversed(list(enumerate(exceptions))):
        text += exception.pop("text")
        if number:
            text += "   --- End of inner exception stack trace ---\n"
    inner = []
    for exception in reversed(exceptions):
        exception["inner"] = inner
        inner = [exception]
    return text.encode(), [{"format": "dotnet", "kind": "crash", "reason": {"exception": inner[0]}}]
