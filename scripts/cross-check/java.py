"""Counts of Java's traces and of HotSpot's logs, read on their own.

parse(bytes) gives a list of {format, type, message, causes, frames}: `frames` are counted with those that `... N
more` stands for. Of a HotSpot log {format, type, pid, frames, threads, images}.
"""
import re

CALL = re.compile(r"^\s*at (\S+)\((.*?)\)")
HEAD = re.compile(r"^(?:Exception in thread \".*?\" )?([\w.$/]+(?:Exception|Error|Throwable)|[\w$]+(?:\.[\w$]+)+)(?:: (.*))?$")


def hotspot(text):
    kind = re.search(r"^#\s+(\w+) \(0x\w+\) at pc=|^#\s+(Internal Error|Out of Memory Error) \(", text, re.M)
    native = re.search(r"^Native frames: .*\n((?:[VCjJAv] +.*\n)*)", text, re.M)
    java = re.search(r"^Java frames: .*\n((?:[VCjJAv] +.*\n)*)", text, re.M)
    stack = native.group(1) if native and native.group(1) else java.group(1) if java else ""
    pid = re.search(r"pid=(\d+)", text)
    return {"format": "java-hs-err", "type": (kind.group(1) or kind.group(2)) if kind else None,
            "pid": int(pid.group(1)) if pid else None,
            "frames": len(stack.splitlines()),
            "threads": len(re.findall(r"^(?:=>|  )0x[0-9a-f]+ (?:\(exited\) )?\w*Thread", text, re.M))}


def parse(data):
    text = data.decode(errors="replace")
    if re.search(r"^# (A fatal error has been detected by|There is insufficient memory for) ", text, re.M):
        return [hotspot(text)]
    reports, chain, previous = [], [], ""
    for line in text.splitlines():
        call = CALL.match(line)
        more = re.match(r"^\s*\.\.\. (\d+) (?:more|common frames omitted)", line)
        cause = re.match(r"^Caused by: (?!\[CIRCULAR)([\w.$/]+)(?:: (.*))?", line)
        if cause and chain:
            chain.append([cause.group(1), cause.group(2), 0, True])
        elif re.match(r"^\s+Suppressed: |^\s+Caused by: |^Caused by: \[CIRC", line) and chain:
            chain[-1][3] = False
        elif call and not call.group(2) == "":
            if not chain or not chain[-1][3] and not line.startswith("\t\t"):
                pass
            head = HEAD.match(previous.strip())
            if head and not previous.startswith(("\t", "Caused")):
                chain = [[head.group(1), head.group(2), 0, True]]
                reports.append(chain)
            if chain and chain[-1][3]:
                chain[-1][2] += 1
        elif more and chain and chain[-1][3]:
            chain[-1][2] += int(more.group(1))
        previous = line
    return [{"format": "java-trace", "type": chain[0][0], "message": chain[0][1],
             "causes": [cause[0] for cause in chain[1:]], "frames": chain[0][2],
             "causeFrames": [cause[2] for cause in chain[1:]]} for chain in reports]
