"""Android's tombstones, as text and protobuf, and the traces of its runtime."""
import re

from protobuf import fields, members
from reading import hexadecimal, present, written

FOLDERS = ["android-anr", "android-tombstone", "android-tombstone-pb", "android-tombstone-text"]
FORMATS = ["android-anr", "android-tombstone", "android-tombstone-pb"]
FRAME = re.compile(r"^\s*#\d+\s+pc (?:0x)?([0-9a-f]+)\s|^\s*#\d+ 0x\S+\s+\(")
THREAD = re.compile(r"pid: (\d+), tid: (\d+), name: (.*?)\s*>>> (.*) <<<")
MANAGED = re.compile(r"^\s+at ([^( ]+)\((.*)\)$")
NATIVE = re.compile(r"^\s+(?:native: )?#\d+ pc ([0-9a-f]+)\s|^\s+kernel: \w+\+0x")


def message(data):
    report = {"format": "android-tombstone-pb", "process": {}, "reason": {}}
    threads = {}
    crashed = 0
    for number, value in fields(data):
        if number == 4:
            report["time"] = written(value.decode())
        if number == 5:
            report["process"]["pid"] = value
        if number == 6:
            crashed = value
        if number == 10:
            signal = members(value)
            report["reason"]["signal"] = signal[2].decode()
            if signal.get(8):
                report["reason"]["address"] = hexadecimal(signal.get(9, 0))
        if number == 14:
            report["reason"]["message"] = value.decode()
        if number == 16:
            entry = members(value)
            thread = members(entry[2])
            threads[entry[1]] = {
                "id": entry[1], "name": thread.get(2, b"").decode() or None, "frames": [
                    present(address=hexadecimal(frame.get(2, 0)), symbol_offset=frame.get(5) if 4 in frame else None)
                    for frame in (members(part) for kind, part in fields(entry[2]) if kind == 4)]}
    order = sorted(threads, key=lambda thread: (thread != crashed, thread))
    report["threads"] = [threads[thread] for thread in order]
    return [report]


def tombstones(text):
    starts = [match.start() for match in re.finditer(r"Build fingerprint: ", text)]
    reports = []
    for index, start in enumerate(starts):
        end = starts[index + 1] if index + 1 < len(starts) else len(text)
        part = re.split(r"\n(?:\+\+\+ |java stacktrace:)", text[start:end])[0]
        threads = [{"frames": 0}]
        for line in part.split("\n"):
            head = THREAD.search(line)
            if head and (threads[-1]["frames"] or len(threads) > 1):
                threads.append({"frames": 0})
            if head:
                threads[-1].update(id=int(head.group(2)), name=head.group(3))
            if FRAME.match(line):
                threads[-1]["frames"] += 1
        signal = re.search(r"signal \d+ \((SIG\w+)\)", part)
        address = re.search(r"signal .*fault addr (?:0x)?([0-9a-f]+)\b", part)
        words = re.search(r"^\s*Abort message: ['\"](.*)['\"]$", part, re.M)
        reason = present(signal=signal and signal.group(1), address=address and hexadecimal(int(address.group(1), 16)),
                         message=words and words.group(1))
        report = {"format": "android-tombstone", "threads": threads, "reason": reason}
        pid = re.search(r"^pid: (\d+),", part, re.M)
        if pid:
            report["process"] = {"pid": int(pid.group(1))}
        reports.append(report)
    return reports


def traces(text):
    reports = []
    for part in re.split(r"^----- (?:end|dumping)|^\+\+\+ ", text, flags=re.M):
        threads = []
        for line in part.split("\n"):
            name = re.match(r'"(.*)" (?:daemon )?(?:prio=|sysTid=)', line)
            managed, native = MANAGED.match(line), NATIVE.match(line)
            if name:
                threads.append({"name": name.group(1), "frames": []})
            elif threads and managed:
                threads[-1]["frames"].append({"function": managed.group(1)})
            elif threads and native:
                threads[-1]["frames"].append({"image_offset": hexadecimal(int(native.group(1), 16))} if native.group(1)
                                             else {})
            elif threads and line.startswith("  | sysTid="):
                threads[-1]["id"] = int(line.split("=")[1].split()[0])
        if threads:
            report = {"format": "android-anr", "kind": "hang", "threads": threads}
            start = re.search(r"^----- pid (\d+) at (.*) -----$", part, re.M)
            if start:
                report["process"] = {"pid": int(start.group(1))}
                report.update(present(time=written(start.group(2))))
            reports.append(report)
    return reports


def parse(data):
    if data[:1] in (b"\x08", b"\x12"):
        return message(data)
    text = data.decode("utf-8", "replace").replace("\r\n", "\n")
    # logcat's words before each line.
    text = re.sub(r"^\d\d-\d\d [\d:.]+ +\d+ +\d+ [A-Z] DEBUG +: ", "", text, flags=re.M)
    if "unreachable allocation" in text:
        return [{"format": "android-tombstone", "threads": [{"frames": len(re.findall(r"^\s*#\d+\s+pc ", text, re.M))}]}]
    return traces(text) or tombstones(text)


def generate(random):
    """A tombstone as text, in a file or in logcat."""
    names = ["abort", "tern::Till::charge(int) const", "art_quick_generic_jni_trampoline", "std::__ndk1::__thread_proxy(void*)", "(anonymous)"]
    files = ["/system/lib64/libc.so", "/data/app/~~x==/app.tern-1==/lib/arm64/libtern.so", "/data/app/app.tern-1/base.apk!libtern.so (offset 0x1a2000)",
             "/apex/com.android.runtime/lib64/bionic/libc.so", "[anon:dalvik-jit-code-cache]", "/data/app/a b/base.apk (offset 0x10000)"]
    pid = random.randrange(2, 32000)
    address = random.getrandbits(40)
    text = "*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***\nBuild fingerprint: 'google/x/y:14/UE1A/1:user/release-keys'\nRevision: '0'\nABI: 'arm64'\n"
    threads = []
    for number in range(random.randrange(1, 4)):
        tid, name = pid + number, random.choice(["app.tern", "tern picker", "Thread-3", "binder:1_2"])
        if number:
            text += "--- --- --- --- --- --- --- --- --- --- --- --- --- --- --- ---\n"
        text += "pid: %d, tid: %d, name: %s  >>> app.tern <<<\n" % (pid, tid, name)
        if not number:
            text += "uid: 10123\nsignal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x%x\nAbort message: 'no price: \"3\"'\n" % address
        text += "    x0  0000000000000000  x1  0000007b1a2c0aa0\n    lr  0000007b1a2c0aa0  sp  0000007b1a2c0aa0  pc  0000007b1a2c0aa0  pst 0000000060001000\n"
        frames = []
        text += "%d total frames\nbacktrace:\n" % random.randrange(1, 99) if random.random() < 0.5 else "\nbacktrace:\n"
        for index in range(random.randrange(1, 12)):
            pc, file, function, offset = random.getrandbits(28), random.choice(files), random.choice(names + [None]), random.randrange(0, 900)
            text += "      #%02d pc %016x  %s" % (index, pc, file)
            if function:
                text += " (%s+%d)" % (function, offset)
            if random.random() < 0.7:
                text += " (BuildId: a87908b48b368e6282bcc9f34bcfc28c)"
            text += "\n"
            frames.append({"function": function, "symbol_offset": offset if function else None})
        text += "\n"
        threads.append({"id": tid, "name": name, "frames": frames})
    form = random.choice(["file", "logcat"])
    if form == "logcat":
        text = "".join("05-01 10:11:12.345  4711  4733 F DEBUG   : %s\n" % line for line in text.split("\n"))
    return text.encode(), [{"format": "android-tombstone", "process": {"pid": pid}, "threads": threads, "crashed_thread": 0, "reason": {
        "signal": "SIGSEGV", "code": "SEGV_MAPERR", "address": hexadecimal(address), "message": "no price: \"3\""}}]
