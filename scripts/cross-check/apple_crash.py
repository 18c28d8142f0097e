"""Apple's text reports: headers, threads, images."""
import re

from reading import dashed, hexadecimal, lines, present, written

FOLDERS = ["apple-crash", "apple-crash-text"]
FORMATS = ["apple-crash"]
ARGUED = [
    ("*guard_crash*", "reports", "a report without threads is not read by the parser"),
    ("*resource*", "reports", "call trees are not read by the parser"),
    ("*_panic.crash", "reports", "panics are not read by the parser"),
    ("*stackshot*", "reports", "stackshots are not read by the parser"),
    ("*sleep_wake*", "reports", "spindumps are not read by the parser"),
    ("*security_violation*", "*path", "the path ends before the description that a jailbreak adds"),
    ("*-banner.crash", "first images*", "the JSON below the text is read in its place, and has more images"),
]
FRAME = re.compile(r"^\s*(\d+)\s+(.+?)\s+(0x[0-9a-fA-F]{8,16}|0{16,18})\s(.*)$")
IMAGE = re.compile(r"^\s*\+?(0x[0-9a-f]+) - +(?:0x[0-9a-f]+|\?\?\?) +(.*)$")
ID = re.compile(r"<([0-9A-Fa-f]{32}|[0-9A-Fa-f]{8}-[0-9A-Fa-f-]{27})> *")
HEAD = re.compile(r"^Thread (\d+)( Crashed| Attributed)?:(?:: (.*)|\s*(.*))$")


def name_of(words):
    """A thread's name: of `NAME  Dispatch queue: QUEUE` the name, or else the queue."""
    name, _, queue = (words or "").partition("Dispatch queue: ")
    return name.strip() or queue.strip() or None


def frame(match):
    # A demangler that ran over the text left the offset in front of the parameters.
    rest = re.sub(r"\+ \d+ (\(.*\+ \d+)$", r"\1", match.group(4).strip())
    inlined = rest.endswith(" [inlined]")
    rest = rest.removesuffix(" [inlined]")
    found = {"address": hexadecimal(int(match.group(3), 16)), "inlined": inlined}
    place = re.search(r" \(([^()]*?):(\d+)\)$", rest)
    if place:
        rest = rest[:place.start()]
        found["file"] = place.group(1)
        if int(place.group(2)):
            found["line"] = int(place.group(2))
    both = re.match(r"0x[0-9a-f]+ \+ \d+ \((.*) \+ (\d+)\)$", rest)
    symbol = re.match(r"(.*) \+ (\d+)$", rest)
    if both:
        found.update(function=both.group(1), symbol_offset=int(both.group(2)))
    elif symbol and not re.match(r"0x[0-9a-fA-F]+$|\d+$", symbol.group(1)) and symbol.group(1) != match.group(2).strip():
        found.update(function=symbol.group(1), symbol_offset=int(symbol.group(2)))
    return found


def parse(data):
    text = lines(data)
    report = {"format": "apple-crash", "threads": [], "app": {}, "process": {}, "reason": {}, "images": []}
    section, stack, names, system = None, None, {}, ""
    for line in text:
        key, _, value = line.partition(":")
        value = value.strip()
        head = HEAD.match(line)
        named = re.match(r"^Thread (\d+) name: +(.*)$", line)
        match = FRAME.match(line)
        if named:
            names[int(named.group(1))] = name_of(named.group(2))
        elif re.match(r"^Last Exception Backtrace|^Application Specific Backtrace", line):
            stack = []
        elif head:
            number = int(head.group(1))
            stack = []
            if head.group(2):
                report["crashed_thread"] = len(report["threads"])
            report["threads"].append(present(index=number, frames=stack, crashed=bool(head.group(2)),
                                             name=names.get(number) or name_of(head.group(3) or head.group(4))))
        elif not line.strip():
            stack = None
        elif match and stack is not None:
            stack.append(frame(match))
        elif line.startswith("Binary Images"):
            section = "images"
        elif section == "images":
            match = IMAGE.match(line)
            if match:
                image = {"base": hexadecimal(int(match.group(1), 16))}
                identity = ID.search(match.group(2))
                if identity:
                    path = match.group(2)[identity.end():].strip()
                    image.update(present(debug_id=dashed(identity.group(1)), path=None if path == "???" else path))
                report["images"].append(image)
            elif not line.strip() and report["images"]:
                section = None
        elif report["threads"]:
            pass
        elif key == "Process":
            match = re.match(r"(.*) \[(\d+)\]$", value)
            if match:
                report["process"].update(name=match.group(1), pid=int(match.group(2)))
        elif key == "Path" and value:
            report["process"]["path"] = value
        elif key == "Incident Identifier":
            report["incident"] = value
        elif key == "Identifier" and value:
            report["app"]["identifier"] = value
        elif key == "Version":
            match = re.match(r"(.*) \((.*)\)$", value)
            if match and "?" not in value:
                report["app"].update(version=match.group(1), build=match.group(2))
        elif key == "OS Version":
            system = value
        elif key == "Date/Time" and written(value):
            report["time"] = written(value)
        elif key == "Exception Type":
            match = re.match(r"(EXC_\w+)(?: +\((SIG\w+)\))?$", value)
            if match:
                report["reason"].update(present(type=match.group(1), signal=match.group(2)))
    # On iOS either may come first.
    if system.startswith(("iPhone OS", "iOS", "iPadOS", "Watch", "Apple TVOS")) and "build" in report["app"]:
        del report["app"]["version"], report["app"]["build"]
    # Images that frames alone name are added to those.
    report["first images"] = report.pop("images")
    if not report["first images"]:
        del report["first images"]
    return [report] if report["threads"] else []


def generate(random):
    """A text report of iOS or macOS."""
    ios = random.random() < 0.5
    names = ["Tern", "libsystem_kernel.dylib", "Tern Helper (GPU)", "com.apple.Foundation", "libswiftCore.dylib", "Café"]
    images = [(name, 0x100000000 + number * 0x1000000, "%032x" % random.getrandbits(128)) for number, name in enumerate(names)]
    symbols = ["main", "-[Till pay:with:]", "tern::price(tern::Item const*, int)", "closure #1 in Desk.open() + thunk", "operator<<(std::ostream&, int)",
               "__psynch_cvwait", "specialized Array.remove(at:)", "void (anonymous namespace)::f<int>(int)"]

    def stack():
        text, frames = "", []
        for number in range(random.randrange(1, 14)):
            name, base, _ = random.choice(images)
            offset = random.randrange(0x1000, 0x80000)
            address = base + offset
            text += "%-3d %-30s\t0x%016x " % (number, name, address)
            found = {"address": hexadecimal(address), "inlined": False}
            form = random.random()
            if form < 0.35:
                text += "0x%x + %d" % (base, offset)
                found["function"] = None
            else:
                symbol, plus = random.choice(symbols), random.randrange(0, 4000)
                text += "%s + %d" % (symbol, plus)
                found.update(function=symbol, symbol_offset=plus)
                if form > 0.7:
                    line = random.randrange(1, 999)
                    text += " (%s:%d)" % ("Till.swift", line)
                    found.update(file="Till.swift", line=line)
                if form > 0.9:
                    text += " [inlined]"
                    found["inlined"] = True
            frames.append(found)
            text += "\n"
        return text, frames

    pid = random.randrange(2, 99999)
    text = "Incident Identifier: 4742B38A-25B4-4BB9-81BB-788BFFCCF040\nHardware Model:      iPhone15,2\n" if ios else ""
    text += "Process:             Tern [%d]\nPath:                /private/var/Tern.app/Tern\nIdentifier:          shop.tern.till\nVersion:             1.1.0 (117)\n" % pid
    text += "Code Type:           %s\nParent Process:      launchd [1]\n\nDate/Time:           2026-05-12 13:18:20.%04d +0200\n" % (
        "ARM-64" if ios else "ARM-64 (Native)", random.randrange(10000))
    text += "OS Version:          %s\nReport Version:      %s\n\n" % (("iPhone OS 17.5.1 (21F90)", "104") if ios else ("macOS 14.5 (23F79)", "12"))
    text += "Exception Type:  EXC_BAD_ACCESS (SIGSEGV)\nException Codes: KERN_INVALID_ADDRESS at 0x0000000000000010\n"
    threads, count = [], random.randrange(1, 6)
    crashed = random.randrange(count)
    text += "%s  %d\n\n" % ("Triggered by Thread:" if ios else "Crashed Thread:       ", crashed)
    for number in range(count):
        name = random.choice([None, "worker 1", "com.apple.NSEventThread"])
        mark = " Crashed" if number == crashed else ""
        if ios:
            text += ("Thread %d name:  %s\n" % (number, name) if name else "") + "Thread %d%s:\n" % (number, mark)
        else:
            text += "Thread %d%s:%s\n" % (number, mark, ": " + name if name else "")
        printed, frames = stack()
        text += printed + "\n"
        threads.append({"index": number, "name": name, "crashed": number == crashed, "frames": frames})
    text += "Thread %d crashed with ARM Thread State (64-bit):\n    x0: 0x0000000000000000   x1: 0x0000000000000001\n\nBinary Images:\n" % crashed
    for name, base, identity in images:
        if ios:
            text += "0x%x - 0x%x %s arm64  <%s> /private/var/Tern.app/%s\n" % (base, base + 0x80000 - 1, name, identity, name)
        else:
            text += "       0x%x -        0x%x +%s (1.0 - 3) <%s> /private/var/Tern.app/%s\n" % (base, base + 0x80000 - 1, name, dashed(identity).upper(), name)
    report = {"format": "apple-crash", "process": {"name": "Tern", "pid": pid}, "threads": threads, "crashed_thread": crashed, "reason": {
        "type": "EXC_BAD_ACCESS", "signal": "SIGSEGV"}, "app": {"version": "1.1.0", "build": "117"},
        "first images": [{"base": hexadecimal(base), "debug_id": dashed(identity), "path": "/private/var/Tern.app/" + name}
                         for name, base, identity in images]}
    return text.encode(), [report]
