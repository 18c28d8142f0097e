"""Reports of clang's and GCC's sanitizers and of libFuzzer."""
import re

from reading import hexadecimal, lines, present

FOLDERS = ["sanitizer"]
FORMATS = ["sanitizer"]
ARGUED = [
    ("*_stacktrace.txt", "reports", "a stack without a headline is not read by the parser"),
    ("*centipede_uaf*", "*.count", "the logger's words before each line are not read by the parser"),
    ("*fuchsia*", "threads*", "frames that a console wrapped are not joined by the parser"),
    ("*address_in_state*", "*.function", "names whose other frames contradict them are no functions' names"),
    ("*browser_uaf2*", "*.count", "the stack of the use is cut; the first that is left is that of the allocation"),
]
HEAD = re.compile(r"(?:==(\d+)== ?)?(?:ERROR|WARNING): (\w+Sanitizer|libFuzzer): (.*)$")
UNDEFINED = re.compile(r"^(\S.*?):(\d+):(\d+): runtime error: (.*)$")
FRAME = re.compile(r"^\s*#(\d+)\s+(?:(0x[0-9a-f]+)(?: in | |$))?(.*)$")
MODULE = re.compile(r"^(.*?) ?\((\S[^()]*)\+(0x[0-9a-f]+)\)(?: \(BuildId: ([0-9a-f]+)\))?$")
PLACE = re.compile(r"^(.*?) ?((?:/|[A-Za-z]:\\|\.\./|<)?[^\s()]*?|(?<= )/.*?):(\d+)(?::(\d+))?$")
SIGNALS = {"SEGV": "SIGSEGV", "ABRT": "SIGABRT", "ILL": "SIGILL", "FPE": "SIGFPE", "BUS": "SIGBUS", "TRAP": "SIGTRAP"}


def frame(match):
    found = present(address=match.group(2) and hexadecimal(int(match.group(2), 16)))
    rest = match.group(3).strip()
    module = MODULE.match(rest)
    name = module.group(1).removesuffix("<null>").strip() if module else rest
    place = PLACE.match(name)
    if module:
        found["image_offset"] = hexadecimal(int(module.group(3), 16))
        if name and name != "<null>":
            # The nearest symbol, and how far from it.
            found["function"] = re.sub(r"\+0x[0-9a-f]+$", "", name)
    if place and place.group(1):
        found.update(function=place.group(1), file=place.group(2))
        # Line 0 is code that the compiler made.
        if int(place.group(3)):
            found["line"] = int(place.group(3))
            if place.group(4):
                found["column"] = int(place.group(4))
    return found


def start(line):
    head = HEAD.search(line)
    undefined = UNDEFINED.match(line)
    if head:
        tool, words = head.group(2), head.group(3)
        report = {"format": "sanitizer", "tags": {"sanitizer": tool}, "reason": {}, "stacks": []}
        if head.group(1):
            report["process"] = {"pid": int(head.group(1))}
        signal = re.match(r"(SEGV|ABRT|ILL|FPE|BUS|TRAP)\b", words)
        if signal:
            report["reason"].update(type=signal.group(1), signal=SIGNALS[signal.group(1)])
        elif re.match(r"[a-z-]+ on (?:unknown )?address", words):
            report["reason"]["type"] = words.split()[0]
        elif tool == "ThreadSanitizer":
            report["reason"]["type"] = words.partition(" (")[0]
        counter = re.search(r"\bpc (0x[0-9a-f]+)", words)
        if counter and (signal or re.match(r"[a-z-]+ on unknown address|stack-overflow|access-violation", words)):
            report["counter"] = int(counter.group(1), 16)
        address = re.match(r"(?:[a-z-]+|SEGV) on (?:unknown )?address (0x[0-9a-f]+)\b", words)
        if address and not words.startswith(("ABRT",)):
            report["reason"]["address"] = hexadecimal(int(address.group(1), 16))
        return report
    if undefined:
        return {"format": "sanitizer", "tags": {"sanitizer": "UndefinedBehaviorSanitizer"}, "stacks": [],
                "reason": {"message": undefined.group(4)},
                "place": {"file": undefined.group(1), "line": int(undefined.group(2)), "column": int(undefined.group(3))}}
    return None


def correct(frames, counter):
    """Older runtimes print the youngest frame of a fault as the others, one byte before the instruction."""
    for frame in frames:
        # Inlined calls have the same address.
        if not counter or frame.get("address") != hexadecimal(counter - 1):
            break
        for member in ("address", "image_offset"):
            if member in frame:
                frame[member] = hexadecimal(int(frame[member], 16) + 1)


def parse(data):
    reports, report, ended, heading = [], None, False, ""
    for line in lines(data):
        began = start(line)
        if began:
            report, ended, heading = began, False, ""
            reports.append(report)
            continue
        if report is None:
            continue
        match = FRAME.match(line)
        if line.startswith("SUMMARY: ") and report["stacks"]:
            ended = True
        elif match is None and line.strip():
            heading = line
        # After the summary only the makers of threads follow, or the same stacks again.
        if ended and "created by" not in heading:
            continue
        if match:
            if match.group(1) == "0" or not report["stacks"]:
                report["stacks"].append([])
            report["stacks"][-1].append(frame(match))
        elif re.match(r"^(?:  )?(?:Read|Write|read|write) of size \d+", line.strip()) and "tags" in report:
            access = re.match(r"(\w+ of size \d+)", line.strip())
            report["tags"].setdefault("access", access.group(1).upper().replace("OF SIZE", "of size"))
    for report in reports:
        stacks = report.pop("stacks")
        correct(stacks[0] if stacks else [], report.pop("counter", None))
        place = report.pop("place", None)
        report["threads"] = [{"frames": stacks[0]}] if stacks else [{"frames": [place]}] if place else []
        report["own stacks"] = [{"frames": stack} for stack in stacks[1:]]
    return reports


def generate(random):
    """A report of AddressSanitizer with its stacks."""
    names = ["tern::price(tern::Item const*)", "main", "std::vector<int, std::allocator<int> >::operator[](unsigned long)",
             "operator new(unsigned long)", "(anonymous namespace)::walk(char const*)", "tern::Till::{lambda(int)#1}::operator()(int) const"]

    def stack():
        return [(random.getrandbits(47), random.choice(names), random.choice(["place", "gcc", "blank", "module", "bare"]),
                 random.randrange(1, 999), random.randrange(1, 80), random.getrandbits(24)) for _ in range(random.randrange(1, 12))]

    def printed(frames):
        text, found = "", []
        for number, (address, name, form, line, column, offset) in enumerate(frames):
            text += "    #%d 0x%012x" % (number, address)
            one = {"address": hexadecimal(address)}
            if form == "place":
                text += " in %s /app/src/till.cpp:%d:%d\n" % (name, line, column)
                one.update(function=name, file="/app/src/till.cpp", line=line, column=column)
            elif form == "gcc":
                text += " in %s ../boat/till.h:%d\n" % (name, line)
                one.update(function=name, file="../boat/till.h", line=line, column=None)
            elif form == "blank":
                text += " in %s /home/me/tern desk/till (2).cpp:%d:%d\n" % (name, line, column)
                one.update(function=name, file="/home/me/tern desk/till (2).cpp", line=line, column=column)
            elif form == "module":
                text += " in %s (/app/bin/tern+0x%x) (BuildId: 0123456789abcdef0123456789abcdef01234567)\n" % (name, offset)
                one.update(function=name, image_offset=hexadecimal(offset))
            else:
                text += "  (/app/bin/tern+0x%x)\n" % offset
                one.update(image_offset=hexadecimal(offset), function=None)
            found.append(one)
        return text, found

    kind = random.choice(["heap-use-after-free", "heap-buffer-overflow", "stack-buffer-overflow", "global-buffer-overflow"])
    address, pid = random.getrandbits(47), random.randrange(1, 99999)
    access = random.choice(["READ", "WRITE"]) + " of size %d" % random.choice([1, 2, 4, 8, 16])
    first, frames = printed(stack())
    text = "tern starts\n" + "=" * 65 + "\n==%d==ERROR: AddressSanitizer: %s on address 0x%012x at pc 0x1 bp 0x2 sp 0x3\n" % (
        pid, kind, address)
    text += "%s at 0x%012x thread T0\n%s\n" % (access, address, first)
    others = []
    for title in random.sample(["freed by thread T0 here:", "previously allocated by thread T1 here:",
                                "Thread T1 created by T0 here:"], random.randrange(0, 4)):
        more, other = printed(stack())
        text += "%s\n%s\n" % (title, more)
        others.append({"title": title, "frames": other})
    text += "SUMMARY: AddressSanitizer: %s /app/src/till.cpp:1:2 in main\n==%d==ABORTING\n" % (kind, pid)
    return text.encode(), [{"format": "sanitizer", "process": {"pid": pid}, "reason": {
        "type": kind, "address": hexadecimal(address)}, "tags": {"sanitizer": "AddressSanitizer", "access": access},
        "threads": [{"frames": frames}], "own stacks": others}]
