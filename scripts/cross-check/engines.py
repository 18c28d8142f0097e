"""Unreal's contexts and logs, and Unity's managed stacks."""
import re
import zlib

from reading import hexadecimal, lines

FOLDERS = ["unreal", "unity"]
FORMATS = ["unreal", "unity"]
LOGGED = re.compile(r"(?:^|\] |: )(?:\[Callstack\] (?:\d+ )?)?(0x[0-9A-Fa-f]{8,16}) (\S+?)(?:\((0x[0-9A-Fa-f]+)\))?!(.*) \[(.*)\]$")
UNITY = re.compile(r"^(\S+?)[:.]([^\s:.(]+) \((.*?)\)(?: \(at (.+?):(\d+)\))?$")


def element(text, name):
    match = re.search("<%s>(.*?)</%s>" % (name, name), text, re.S)
    return match.group(1).strip() if match else None


def context(text):
    frames = []
    for line in (element(text, "PCallStack") or "").split("\n"):
        match = re.match(r"\s*(.+?) (0x[0-9a-fA-F]+) \+ ([0-9a-fA-F]+)\s*$", line)
        if match:
            base, offset = int(match.group(2), 16), int(match.group(3), 16)
            frames.append({"address": hexadecimal(base + offset), "image_offset": hexadecimal(offset)})
    return {"format": "unreal", "threads": [{"frames": frames}] if frames else [],
            "incident": element(text, "CrashGUID"), "tags": {"wrapper.version": element(text, "EngineVersion")}}


def parse(data):
    if data[:1] == b"\x78":
        # The stacks of the minidump are compared with rust-minidump's.
        text = zlib.decompress(data)
        found = re.search(rb"<CrashGUID>(.*?)</CrashGUID>", text)
        return [{"format": "minidump", "incident": found.group(1).decode()}] if b"MDMP" in text else []
    text = lines(data)
    joined = "\n".join(text)
    if "<FGenericCrashContext>" in joined:
        return [context(joined)]
    frames = []
    for line in text:
        match = LOGGED.search(line)
        if match:
            found = {"address": hexadecimal(int(match.group(1), 16))}
            if match.group(3):
                found["image_offset"] = hexadecimal(int(match.group(3), 16))
            name = match.group(4).strip()
            if name and name not in ("UnknownFunction", "[Unknown]()"):
                found["function"] = name
            place = re.match(r"(.*):(\d+)$", match.group(5))
            if place:
                found.update(file=place.group(1), line=int(place.group(2)))
            frames.append(found)
    if frames:
        return [{"format": "unreal", "threads": [{"frames": frames}]}]
    for line in text:
        match = UNITY.match(line)
        if match:
            frames.append({"function": "%s.%s(%s)" % match.group(1, 2, 3)})
            if match.group(5):
                frames[-1].update(file=match.group(4), line=int(match.group(5)))
    return [{"format": "unity", "reason": {"exception": {"frames": frames}}}] if frames else []


def generate(random):
    """A log of Unreal with a stack."""
    modules = ["UnrealEditor-Core.dll", "Tern.exe", "libUnreal.so", "Tern-Win64-Shipping.exe"]
    names = ["ATill::Pay()", "TArray<int,FDefaultAllocator>::operator[]()", "UnknownFunction", "`anonymous namespace'::run()", "main()"]
    text, frames = "LogWindows: Error: === Critical error: ===\nLogWindows: Error:\n", []
    text += "LogWindows: Error: Assertion failed: Item [File:D:\\tern\\Till.cpp] [Line: 20]\nLogWindows: Error:\n"
    bare = random.random() < 0.4
    for _ in range(random.randrange(1, 12)):
        address, offset = random.getrandbits(47) | 1 << 40, random.getrandbits(24)
        module, name = random.choice(modules), random.choice(names)
        file, line = random.choice(["D:\\tern desk\\Till.cpp", "/src/Till.cpp"]), random.randrange(1, 900)
        placed = random.random() < 0.6
        text += "LogWindows: Error: [Callstack] 0x%016x %s%s!%s [%s]\n" % (
            address, module, "(0x%016X)" % offset if bare else "", name, "%s:%d" % (file, line) if placed else "")
        frames.append({"address": hexadecimal(address), "function": None if name == "UnknownFunction" else name,
                       "file": file if placed else None, "line": line if placed else None})
        if bare:
            frames[-1]["image_offset"] = hexadecimal(offset)
    return (text + "LogWindows: Error: \nLogExit: Executing\n").encode(), [
        {"format": "unreal", "kind": "crash", "threads": [{"frames": frames}], "reason": {"type": "Assert"}}]
