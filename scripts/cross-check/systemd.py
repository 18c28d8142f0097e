"""Entries of systemd-coredump: text, export and JSON."""
import json
import re

from reading import hexadecimal, lines, moment, present

FOLDERS = ["systemd-coredump", "systemd-journal"]
FORMATS = ["systemd-coredump"]
FRAME = re.compile(r"^\s*#\d+\s+0x([0-9a-f]+) (\S.*?) \((.*?)(?: \+ 0x([0-9a-f]+))?\)$")


def message(text):
    """The process and the threads of a message."""
    report = {"format": "systemd-coredump", "threads": []}
    for line in text.split("\n"):
        process = re.search(r"Process (\d+) \((.*)\) of user \d+ (?:dumped core|terminated abnormally)", line)
        thread = re.search(r"Stack trace of thread (\d+):", line)
        match = FRAME.match(line)
        if process:
            report["process"] = {"pid": int(process.group(1))}
        elif thread:
            report["threads"].append({"id": int(thread.group(1)), "frames": []})
        elif match and report["threads"]:
            found = {"address": hexadecimal(int(match.group(1), 16))}
            if match.group(2) != "n/a":
                found["function"] = match.group(2)
            if match.group(4):
                found["image_offset"] = hexadecimal(int(match.group(4), 16))
            report["threads"][-1]["frames"].append(found)
    return report


def entries(data):
    """The fields of each entry of an export."""
    fields, position = {}, 0
    while position < len(data):
        end = data.find(b"\n", position)
        end = len(data) if end < 0 else end
        line = data[position:end]
        position = end + 1
        if not line:
            if fields:
                yield fields
            fields = {}
        elif b"=" in line:
            name, _, value = line.partition(b"=")
            fields[name.decode()] = value.decode("utf-8", "replace")
        else:
            size = int.from_bytes(data[position:position + 8], "little")
            fields[line.decode()] = data[position + 8:position + 8 + size].decode("utf-8", "replace")
            position += 8 + size + 1
    if fields:
        yield fields


def of_fields(fields):
    report = message(fields.get("MESSAGE") or "")
    report["process"] = present(pid=int(fields["COREDUMP_PID"]) if "COREDUMP_PID" in fields else None,
                                path=fields.get("COREDUMP_EXE"))
    report["reason"] = present(signal=fields.get("COREDUMP_SIGNAL_NAME"))
    if "COREDUMP_TIMESTAMP" in fields:
        seconds, rest = divmod(int(fields["COREDUMP_TIMESTAMP"]), 1_000_000)
        report["time"] = moment(seconds, "%06d" % rest)
    return report


def parse(data):
    if data.startswith(b"__CURSOR="):
        return [of_fields(fields) for fields in entries(data) if "COREDUMP_PID" in fields]
    if data.lstrip().startswith(b"{"):
        values = [json.loads(line) for line in data.splitlines() if line.strip()]
        return [of_fields({name: value for name, value in fields.items() if isinstance(value, str)})
                for fields in values if "COREDUMP_PID" in fields]
    text = "\n".join(lines(data))
    starts = [match.start() for match in re.finditer(r"Process \d+ \(.*\) of user \d+ dumped core", text)]
    return [message(text[start:end]) for start, end in zip(starts, starts[1:] + [len(text)])]


def generate(random):
    """An entry in one of the three forms."""
    pid, microseconds = random.randrange(2, 99999), 1_750_000_000_000_000 + random.getrandbits(40)
    modules = ["tern", "libc.so.6", "lib tern (2).so", "linux-vdso.so.1"]
    threads, text = [], "Process %d (tern desk) of user 1000 dumped core.\n" % pid
    for number in range(random.randrange(1, 5)):
        identity = pid + number
        text += "\nStack trace of thread %d:\n" % identity
        frames = []
        for index in range(random.randrange(1, 9)):
            address, offset = random.getrandbits(47), random.getrandbits(20)
            name = random.choice(["n/a", "main", "tern_price", "operator new(unsigned long)", "start_thread"])
            text += "#%-2d 0x%016x %s (%s + 0x%x)\n" % (index, address, name, random.choice(modules), offset)
            frames.append({"address": hexadecimal(address), "image_offset": hexadecimal(offset),
                           "function": None if name == "n/a" else name})
        threads.append({"id": identity, "frames": frames})
    text += "ELF object binary architecture: AMD x86-64"
    fields = {"__CURSOR": "s=1;i=2", "__REALTIME_TIMESTAMP": str(microseconds + 5), "COREDUMP_PID": str(pid),
              "COREDUMP_UID": "1000", "COREDUMP_SIGNAL": "11", "COREDUMP_SIGNAL_NAME": "SIGSEGV",
              "COREDUMP_TIMESTAMP": str(microseconds), "COREDUMP_EXE": "/opt/tern desk/tern", "COREDUMP_COMM": "tern desk",
              "MESSAGE_ID": "fc2e22bc6ee647b6b90729ab34a250b1", "MESSAGE": text}
    report = {"format": "systemd-coredump", "process": {"pid": pid}, "threads": threads}
    form = random.choice(["text", "export", "json"])
    if form == "text":
        return ("May 01 10:11:12 till systemd-coredump[9]: " + text.replace("\n", "\n" + " " * 16) + "\n").encode(), [report]
    seconds, rest = divmod(microseconds, 1_000_000)
    report.update(time=moment(seconds, "%06d" % rest), reason={"signal": "SIGSEGV"},
                  process={"pid": pid, "path": "/opt/tern desk/tern"})
    if form == "json":
        return (json.dumps(fields) + "\n").encode(), [report]
    data = b""
    for name, value in fields.items():
        value = value.encode()
        data += name.encode() + (b"\n" + len(value).to_bytes(8, "little") + value if b"\n" in value else b"=" + value) + b"\n"
    return data + b"\n", [report]
