"""What Python prints of exceptions, and what faulthandler prints."""
import re

from reading import lines

FOLDERS = ["python-traceback"]
FORMATS = ["python-traceback"]
ARGUED = [
    ("*group.txt", "*", "members of groups are not read by the parser"),
    ("*satyr-python-04.txt", "reports", "a SyntaxError without a traceback is not read by the parser"),
    ("*pysecsan*", "reports", "a finding of PySecSan is not read by the parser"),
]
FRAME = re.compile(r'^\s*(?:\| )?\s*File "(.*)", line (\d+)(?:,? in (.*))?$')
LINK = re.compile(r"direct cause of the following|During handling of the above")


def frame(match):
    found = {"file": match.group(1), "line": int(match.group(2))}
    if match.group(3):
        found["function"] = match.group(3)
    return found


def parse(data):
    text = lines(data)
    for number, line in enumerate(text):
        fault = re.search(r"Fatal Python error: (.*)", line)
        if fault:
            threads = []
            for rest in text[number + 1:]:
                if re.search(r"hread 0x[0-9a-f]+ .*\(most recent call first\):", rest):
                    threads.append({"frames": []})
                match = FRAME.match(rest)
                if match and threads:
                    threads[-1]["frames"].append(frame(match))
            return [{"format": "python-traceback", "reason": {"type": "Fatal Python error", "message": fault.group(1)},
                     "threads": threads}]
    reports, blocks, frames, inside, linked = [], [], [], False, False
    for line in text:
        if "Traceback (most recent call last):" in line and "|" not in line.split("Traceback")[0]:
            if not linked:
                blocks = []
                reports.append(blocks)
            frames, inside, linked = [], True, False
        elif LINK.search(line):
            linked = True
        elif inside:
            match = FRAME.match(line)
            if match:
                frames.insert(0, frame(match))
            elif line and not line.startswith((" ", "\t")) or re.match(r"  \| \S", line):
                words = line.replace("  | ", "").partition(": ")
                blocks.append({"type": words[0].replace("__main__.", ""), "first line": words[2] or None, "frames": frames})
                inside = False
    found = []
    for blocks in reports:
        inner = []
        for block in blocks:
            block["inner"] = inner
            inner = [block]
        found += [{"format": "python-traceback", "reason": {"exception": block}} for block in inner]
    return found


def generate(random):
    """A traceback with causes."""
    text, inner = "", []
    for number in range(random.randrange(1, 4)):
        if number:
            text += "\n" + random.choice([
                "The above exception was the direct cause of the following exception:",
                "During handling of the above exception, another exception occurred:"]) + "\n\n"
        text += "Traceback (most recent call last):\n"
        frames = []
        for _ in range(random.randrange(1, 9)):
            found = {"file": random.choice(["/opt/tern/till.py", "C:\\tern desk\\pay.py", "<string>", "<frozen runpy>", "/usr/lib/python3.11/json/decoder.py"]),
                     "line": random.randrange(1, 2000), "function": random.choice(["<module>", "charge", "<listcomp>", "Desk.open", "__init__", "<lambda>"])}
            text += '  File "%s", line %d, in %s\n' % (found["file"], found["line"], found["function"])
            if random.random() < 0.7:
                text += "    total = price(item, {'a': 1})\n"
                if random.random() < 0.5:
                    text += "            ^^^^^~~~~~~\n"
            frames.insert(0, found)
        kind, message = random.choice(["ValueError", "tern.errors.PaymentError", "KeyError", "AssertionError"]), random.choice(
            ["no price", "'pencil'", "a: b", None, "two\nlines"])
        text += kind + (": " + message if message else "") + "\n"
        inner = [{"type": kind, "message": message, "frames": frames, "inner": inner}]
    return ("tern starts\n" + text + "\ntern ends\n").encode(), [{"format": "python-traceback", "reason": {"exception": inner[0]}}]
