"""What cdb and WinDbg print of a crash."""
import re

from reading import hexadecimal, lines

FOLDERS = ["windows-cdb-log", "windows-debugger"]
FORMATS = ["windows-debugger"]
ARGUED = []
WORD = r"(?:[0-9a-f]{8}`[0-9a-f]{8}|[0-9a-f]{16}|[0-9a-f]{8})"
ROW = re.compile(r"(?:[0-9a-f]{2,3} )?(?:\(Inline[^)]*\) [-` :]+|%s %s +(?:: )?(?:%s )*(?:: )?)"
                 r"(?:(0x[0-9a-f]+)|([^!\s]+?)(?:!(.*?))?(?:\+0x([0-9a-f]+))?)(?: \[(.*) @ (\d+)\])?$" % (WORD, WORD, WORD))


def joined(text):
    """The lines, those joined that the console broke at its width."""
    result = []
    for raw in text:
        line = raw.strip()
        if line and result and 78 <= len(result[-1]) <= 80 and re.match(WORD + " ", result[-1]) \
                and not ROW.match(line) and ROW.match(result[-1] + line):
            result[-1] += line
        else:
            result.append(line)
    return result


def stacks(text):
    """The stacks, each a list of functions."""
    found, rows = [], None
    for line in joined(text):
        if re.match(r"STACK_TEXT:|(?:# )?Child(?:EBP|-SP) ", line):
            rows = []
            found.append(rows)
            continue
        row = ROW.match(line)
        if rows is not None and row and (row.group(1) or row.group(3) or row.group(4)):
            rows.append((row.group(3), row.group(6)))
        elif rows is not None and line and not line.startswith(("WARNING: ", "*** ")):
            rows = None
    return found


def parse(data):
    text = lines(data)
    whole = "\n".join(text)
    # What `!analyze` prints, or the debugger where it stops.
    if "EXCEPTION_RECORD:" not in whole and not re.search(r"code [0-9a-f]{8} \(!!! second chance !!!\)", whole):
        return []
    # A broken line is joined with the one after it, which then is not its own.
    rows = max(stacks(text), key=lambda rows: len(rows), default=[])
    report = {"format": "windows-debugger",
              "threads": [{"frames": [{"function": name} for name, _ in rows]}]}
    address = re.search(r"Attempt to (?:read from|write to) address ([0-9a-f`]+)", whole)
    if address:
        report["reason"] = {"address": hexadecimal(int(address.group(1).replace("`", ""), 16))}
    name = re.search(r"PROCESS_NAME:\s+(\S+)", whole)
    if name:
        report["process"] = {"name": name.group(1)}
    return [report]
