#!/usr/bin/env python3
"""Compares rules by which stacks are walked with what others read: scripts/oracles/unwind-oracle.py [FILE...]

Of an ELF file readelf interprets the call frame information by itself (--debug-dump=frames-interp); each
of its rows is looked for among what `mayday symbols unwind --ndjson` prints. A 32-bit Arm program without such
information is compared with the opcodes of its exception index as llvm-readelf prints them. Of a Breakpad symbol file
with STACK WIN records, made-up stacks are walked: by the rules that Mayday makes of them, by a plain
interpreter of their programs, and by Breakpad itself, which symbolic has up to version 8. Without FILE a
symbol file with such records is made up.

Prints the agreement of each file, and the first differences; exits with 1 when there is one. MAYDAY is
the program, .build/release/mayday unless told.
"""
import bisect
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from unwinding import exidx, made, windows

MAYDAY = os.environ.get("MAYDAY", ".build/release/mayday")
READELF = os.environ.get("READELF", "readelf")
SHOWN = 5

X86_64 = "rax rdx rcx rbx rsi rdi rbp rsp".split() + [f"r{n}" for n in range(8, 16)] + ["rip"] \
    + [f"xmm{n}" for n in range(16)]
I386 = "eax ecx edx ebx esp ebp esi edi eip eflags".split()
ARM64 = [f"x{n}" for n in range(31)] + ["sp"]
S390 = [f"r{n}" for n in range(16)] \
    + "f0 f2 f4 f6 f1 f3 f5 f7 f8 f10 f12 f14 f9 f11 f13 f15".split()
RISCV = ("zero ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 "
         "t3 t4 t5 t6 ft0 ft1 ft2 ft3 ft4 ft5 ft6 ft7 fs0 fs1 fa0 fa1 fa2 fa3 fa4 fa5 fa6 fa7 "
         "fs2 fs3 fs4 fs5 fs6 fs7 fs8 fs9 fs10 fs11 ft8 ft9 ft10 ft11").split()
NAMES = [("X86-64", X86_64), ("Intel 80386", I386), ("AArch64", ARM64), ("S/390", S390),
         ("RISC-V", RISCV)]


def run(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          stdin=subprocess.DEVNULL, timeout=600).stdout.decode("utf-8", "replace")


class Row:
    __slots__ = ("start", "end", "cfa", "rules")

    def __init__(self, start, end, cfa, rules):
        self.start, self.end, self.cfa, self.rules = start, end, cfa, rules


def sections_with_code(path):
    """The addresses of the sections that hold code."""
    ranges = []
    for line in run(READELF, "-SW", path).splitlines():
        found = re.match(r" *\[ *\d+\] (\S*) +(\w+) +([0-9a-f]+) ([0-9a-f]+) ([0-9a-f]+) "
                         r"[0-9a-f]+ +([A-Zop]+) ", line)
        if found and "X" in found[6]:
            start = int(found[3], 16)
            ranges.append((start, start + int(found[5], 16)))
    return sorted(ranges)


HEAD = re.compile(r"^([0-9a-f]+) [0-9a-f]+ [0-9a-f]+ (CIE|FDE)")
CIE = re.compile(r'CIE "(.*)" cf=(-?\d+) df=(-?\d+) ra=(\d+)')
FDE = re.compile(r"FDE(?: cie=([0-9a-f]+))? .*pc=([0-9a-f]+)\.\.([0-9a-f]+)")


def theirs(path):
    """The rows of each section that readelf prints, and how many entries it could not read."""
    sections, cies, entry = {}, {}, None
    name = ""
    for line in run(READELF, "--debug-dump=frames-interp", "-W", path).splitlines() + ["end"]:
        if line.startswith("Contents of the"):
            name = line.split()[3]
            sections[name] = []
            cies = {}
        head = HEAD.match(line)
        if entry and (head or line == "end" or line.startswith("Contents of")):
            kind, offset, start, end, rows = entry
            if kind == "CIE":
                cies[offset] = rows[0] if rows else None
            else:
                if not rows and cies.get(start[1]):
                    rows = [(start[0],) + cies[start[1]][1:]]
                for index, (loc, cfa, rules) in enumerate(rows):
                    until = rows[index + 1][0] if index + 1 < len(rows) else end
                    if loc < min(until, end):
                        sections[name].append(Row(loc, min(until, end), cfa, rules))
            entry = None
        if head:
            if head[2] == "CIE":
                entry = ("CIE", int(head[1], 16), 0, 0, [])
            else:
                found = FDE.search(line)
                if found:
                    cie = int(found[1], 16) if found[1] else 0
                    entry = ("FDE", 0, (int(found[2], 16), cie), int(found[3], 16), [])
            columns = []
        elif entry and line.strip().startswith("LOC"):
            columns = line.split()[2:]
        elif entry and re.match(r"^[0-9a-f]{8,16} (?!ZERO)\S", line):
            words = re.sub(r"(\w+) \((\w+)\)", r"\2", line).split()
            rules = {key: value for key, value in zip(columns, words[2:]) if value != "u"}
            entry[4].append((int(words[0], 16), words[1], rules))
    return sections


def ours(path, names, arch):
    rows = []
    words = [MAYDAY, "symbols", "unwind", "--ndjson", path] + (["-a", arch] if arch else [])
    for line in run(*words).splitlines():
        row = json.loads(line)

        def name(number):
            return names[number] if number < len(names) else f"r{number}"

        numbers = row["rules"]
        cfa = row["cfa"]
        if "expression" in cfa:
            text = "exp"
        elif "offset" in cfa:
            text = f"{name(cfa['number'])}{cfa['offset']:+d}"
        else:
            text = "?"
        rules = {}
        for rule in numbers:
            kind = rule["rule"]
            key = "ra" if rule["register"] == row["return_address"] else name(rule["number"])
            if kind == "saved":
                value = f"c{rule['offset']:+d}" if "offset" in rule else "exp"
            elif kind == "value":
                value = f"v{rule['offset']:+d}" if "offset" in rule else "vexp"
            elif kind == "same":
                value = "s"
            elif kind == "register":
                value = name(rule["in_number"])
            else:
                continue
            rules[key] = value
        rows.append(Row(int(row["address"], 16), int(row["end"], 16), text, rules))
    return rows


def plain(text):
    return text.replace("%", "")


def same(left, right):
    if plain(left.cfa) != plain(right.cfa):
        return False
    keys = set(left.rules) | set(right.rules)
    return all(plain(left.rules.get(key, "u")) == plain(right.rules.get(key, "u"))
               for key in keys)


def is_breakpad(path):
    with open(path, "rb") as file:
        return file.read(7) == b"MODULE "


def compare(path):
    if is_breakpad(path):
        text = run(MAYDAY, "symbols", "unwind", "--ndjson", path)
        return windows.compare(path, [json.loads(line) for line in text.splitlines()])
    header = run(READELF, "-hW", path)
    names = next((names for word, names in NAMES if word in header), [])
    code = sections_with_code(path)
    rows = ours(path, names, None)
    starts = [row.start for row in rows]

    def at(address):
        index = bisect.bisect_right(starts, address) - 1
        return rows[index] if index >= 0 and address < rows[index].end else None

    sections = theirs(path)
    if "Machine:                           ARM" in header and not any(sections.values()):
        text = run(MAYDAY, "symbols", "unwind", "--ndjson", path)
        return exidx.compare(path, [json.loads(line) for line in text.splitlines()])
    everything = [row for section in sections.values() for row in section]
    everything = [row for row in everything
                  if not code or any(start <= row.start < end for start, end in code)]
    by_start = sorted(everything, key=lambda row: row.start)
    total, wrong, overlapped = 0, [], 0
    longest = max([row.end - row.start for row in by_start], default=0)
    begins = [row.start for row in by_start]

    def others(address):
        index = bisect.bisect_right(begins, address) - 1
        while index >= 0 and begins[index] >= address - longest:
            if by_start[index].end > address:
                yield by_start[index]
            index -= 1

    for row in everything:
        for address in {row.start, row.end - 1}:
            total += 1
            mine = at(address)
            if mine and same(mine, row):
                continue
            if mine and any(same(mine, other) for other in others(address)):
                overlapped += 1
                continue
            wrong.append((address, mine, row))
    covered = [row for row in rows if not any(True for _ in others(row.start))]
    share = 100.0 * (total - len(wrong)) / total if total else 100.0
    print(f"{os.path.basename(path)}: {len(everything)} rows of readelf, {len(rows)} of ours, "
          f"{total} addresses, {share:.4f} % agree"
          + (f", {overlapped} by another entry" if overlapped else "")
          + (f", {len(covered)} rows that readelf has not" if covered else ""))
    for address, mine, row in wrong[:SHOWN]:
        print(f"  0x{address:x}: {mine and (mine.cfa, mine.rules)} / {(row.cfa, row.rules)}")
    for row in covered[:SHOWN]:
        print(f"  0x{row.start:x}: {(row.cfa, row.rules)} / nothing")
    return not wrong and not covered


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        files = sys.argv[1:] or [os.path.join(folder, "made.sym")]
        if not sys.argv[1:]:
            made.file(files[0])
        sys.exit(0 if all([compare(path) for path in files]) else 1)
