"""Logs of the Linux kernel with one call trace on x86, of which all calls are certain."""
import re

from reading import lines

FOLDERS = ["linux-kernel"]
FORMATS = ["linux-kernel"]
ARGUED = []
CALL = re.compile(r"^(?:\[<[0-9a-f]+>\] )?(?:\? )?([\w.$]+)\+0x([0-9a-f]+)/0x([0-9a-f]+)(?: \[([\w-]+)\])?"
                  r"(?: [\w./-]+:\d+)?(?: \[inline\])?$")
TIME = re.compile(r"^(?:<\d+>)?\[ *\d+\.\d+\](?:\[ *[TC]\d+\])? ?")
START = re.compile(r"^(?:BUG: |WARNING: |kernel BUG at |general protection fault|Oops: |INFO: |Kernel panic|UBSAN: |"
                   r"Unable to handle|watchdog: |rcu: |unregister_netdevice|divide error)")


def parse(data):
    text = [TIME.sub("", line.rstrip("\r")).strip() for line in lines(data)]
    traces = [number for number, line in enumerate(text) if re.fullmatch(r"Call [Tt]race:|Call Trace:?", line)]
    starts = [line for line in text if START.match(line)]
    if len(traces) != 1 or len(starts) != 1 or any(line.startswith("? ") for line in text):
        return None
    report = {"format": "linux-kernel"}
    frames = []
    for line in text[traces[0] + 1:]:
        if re.fullmatch(r"</?(?:TASK|IRQ|NMI|#DF|SOFTIRQ)>", line):
            continue
        found = CALL.match(line)
        if not found:
            break
        name, offset, size, module = found.groups()
        frame = {"function": name, "symbol_offset": int(offset, 16), "symbol_size": int(size, 16)}
        if line.endswith("[inline]"):
            return None
        frames.append(frame)
    if not frames:
        return None
    end = traces[0] + 1 + len(frames)
    if any(CALL.match(line) for line in text[end + 2:end + 40]):
        return None
    # The instruction that failed stands before the trace, in the form of its time.
    instruction = None
    for line in text:
        found = re.match(r"(?:RIP: 0010:|IP: |EIP is at |EIP: )(?:\[<[0-9a-f]+>\] *)*([\w.$]+)\+0x([0-9a-f]+)/0x([0-9a-f]+)",
                         line)
        if found:
            instruction = {"function": found.group(1), "symbol_offset": int(found.group(2), 16),
                           "symbol_size": int(found.group(3), 16)}
            break
    for line in text:
        found = re.match(r"CPU: (\d+) (?:UID: \d+ )?PID: (\d+) Comm: (.+?) (?:Not tainted|Tainted: \S.*?) (\d\S+)", line)
        if found:
            report["process"] = {"pid": int(found.group(2))}
            report["os"] = {"version": found.group(4)}
            break
    report["crashed frames"] = ([instruction] if instruction else []) + frames
    return [report]
