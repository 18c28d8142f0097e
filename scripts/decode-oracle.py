#!/usr/bin/env python3
"""Compares decoded instructions with what objdump reads: scripts/decode-oracle.py [FILE...]

FILE is an ELF program or library for x86-64, x86 or 64-bit Arm; without one, the C library of this machine
and the compiler's. For each instruction of a function its length and its memory operand must be those
that GNU objdump (x86) or llvm-objdump (Arm) prints. Operands of nops and prefetches are not accessed.

Prints the agreement of each file, and the first differences; exits with 1 where less than 99.9 % agree.
DECODE is the program, ".build/release/mayday-bench decode" unless told.
"""
import os
import re
import shlex
import subprocess
import sys

DECODE = shlex.split(os.environ.get("DECODE", ".build/release/mayday-bench decode"))
LLVM = os.environ.get("LLVM_OBJDUMP", "llvm-objdump")
SHOWN = int(os.environ.get("SHOWN", "12"))
MOST = int(os.environ.get("MOST", "600000"))
LINE = re.compile(r"^ *([0-9a-f]+):\s+((?:[0-9a-f]{2} ?)+|[0-9a-f]{8})\s*(.*)$")
SIZES = {"BYTE": 1, "WORD": 2, "DWORD": 4, "QWORD": 8, "TBYTE": 10, "XMMWORD": 16, "YMMWORD": 32,
         "ZMMWORD": 64, "OWORD": 16}


def architecture(path):
    with open(path, "rb") as file:
        head = file.read(20)
    if head[:4] != b"\x7fELF":
        sys.exit(f"{path} is not an ELF file")
    return {62: "x86_64", 3: "x86", 183: "arm64"}[int.from_bytes(head[18:20], "little")]


def listing(path, kind):
    """Addresses, bytes and texts."""
    if kind == "arm64":
        command = [LLVM, "-d", "--mattr=+v8.5a,+lse,+sve,+crypto,+fp16fml,+mte", "--no-leading-headers", path]
    else:
        command = ["objdump", "-d", "-w", "-M", "intel", "--insn-width=15", path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            if match := LINE.match(line):
                code = match[2].strip()
                if kind == "arm64" and " " not in code:
                    code = bytes.fromhex(code)[::-1].hex()
                code = code.replace(" ", "")
                yield int(match[1], 16), code, match[3].strip()


def normal(text):
    """The terms of an x86 operand, in any order."""
    text = text.replace("eiz*1", "").replace("riz*1", "").replace("*1", "")
    text = re.sub(r"(?<![\w])\+?(eiz|riz)\b", "", text)
    terms = re.findall(r"[+-]?[^+-]+", text)
    numbers = [term for term in terms if re.fullmatch(r"[+-]?0x[0-9a-f]+", term)]
    names = sorted(term.lstrip("+") for term in terms if term not in numbers)
    total = sum(int(number, 16) for number in numbers) & 0xffffffffffffffff
    if total >> 31 == 0x1ffffffff or total >> 31 == 1:
        total &= 0xffffffff
    return tuple(names), total


def expected_x86(text):
    """Size and terms of the memory operand that objdump prints; None without one."""
    text = text.split("#")[0].split("<")[0]
    name = text.split(" ")[0] if text else ""
    match = re.search(r"(?:(\w+) (?:PTR|BCST) )?(?:([defgs]s):)?\[([^\]]*)\]", text)
    if match:
        size = SIZES.get(match[1]) if match[1] else None
        return size, match[2] if match[2] in ("fs", "gs") else None, normal(match[3]), name
    match = re.search(r"(?:(\w+) PTR )?([cdefgs]s):(0x[0-9a-f]+)", text)
    if match:
        size = SIZES.get(match[1]) if match[1] else None
        return size, match[2] if match[2] in ("fs", "gs") else None, normal(match[3]), name
    return None


def found(operand):
    """The same of `read:8:[fs:rax+0x10]`."""
    _, size, text = operand.split(":", 2)
    text = text.strip("[]")
    segment = None
    if text[:3] in ("fs:", "gs:"):
        segment, text = text[:2], text[3:]
    return None if size == "?" else int(size), segment, normal(text)


UNTOUCHED = re.compile(
    r"\b(nop|lea|prefetch|endbr|clflush|clwb|cldemote|invlpg|rdssp|bnd[a-z]|ud[01])")


def agrees_x86(text, operands):
    if UNTOUCHED.search(text.split("[")[0]):
        return not operands
    expected = expected_x86(text)
    if expected is None:
        return not operands
    if not operands:
        return False
    for operand in operands.split(" "):
        size, segment, terms = found(operand)
        if (segment, terms) == expected[1:3] and (None in (size, expected[0]) or size == expected[0]):
            return True
    return False


ARM_MEMORY = re.compile(r"\[([^\]]*)\]")
ARM_ACCESS = re.compile(r"^(ld|st|swp|cas|dc\tzva)")


def agrees_arm(text, operands, address):
    name = text.split("\t")[0].split(" ")[0]
    if not ARM_ACCESS.match(text) or name in ("stg", "ldg", "st2g", "stzg", "stz2g", "ldgm", "stgm"):
        return name.startswith("dc") or not operands
    if not operands:
        return False
    match = ARM_MEMORY.search(text)
    operand = operands.split(":", 2)[2].strip("[]")
    if not match:
        return operand.startswith("pc")
    parts = [part.strip() for part in match[1].split(",")]
    if operand.split("+")[0].split("-")[0] != parts[0]:
        return False
    if len(parts) > 1 and parts[1].startswith("#"):
        wanted = int(parts[1][1:], 0)
        rest = operand[len(parts[0]):]
        return (int(rest, 16) if rest else 0) == wanted
    if len(parts) > 1:
        index = operand.split("+")[1] if "+" in operand else ""
        return index.split("*")[0].lstrip("xw") == parts[1].lstrip("xw").replace("zr", "")
    return "+" not in operand and "-" not in operand


def compare(path):
    kind = architecture(path)
    lines = []
    for line in listing(path, kind):
        # Data among the code; `fwait` is an instruction of its own; `xlat` names its memory implicitly.
        if re.match(r"\(bad\)|<unknown>|\.|$|rex|xlat", line[2]) or line[1].startswith("9b"):
            continue
        lines.append(line)
        if len(lines) >= MOST:
            break
    text = "".join(f"{address:x} {code}\n" for address, code, _ in lines)
    answers = subprocess.run(DECODE + [kind], input=text, capture_output=True, text=True,
                             check=True).stdout.split("\n")
    lengths = memory = named = 0
    shown = 0
    for (address, code, text), answer in zip(lines, answers):
        length, name, operands = answer.split("\t")
        same = int(length) == len(code) // 2
        lengths += same
        named += name not in ("-", "?")
        agrees = same and (agrees_arm(text, operands, address) if kind == "arm64"
                           else agrees_x86(text, operands))
        memory += agrees
        if not agrees and shown < SHOWN:
            shown += 1
            print(f"  {address:x} {code} | {text} | {length} {name} | {operands}")
    total = max(1, len(lines))
    print(f"{os.path.basename(path)}: {len(lines)} instructions of {kind}, lengths {lengths / total:.4%}, "
          f"operands {memory / total:.4%}, named {named / total:.2%}")
    return lengths / total >= 0.999 and memory / total >= 0.999


if __name__ == "__main__":
    files = sys.argv[1:] or ["/lib/x86_64-linux-gnu/libc.so.6", "/lib/x86_64-linux-gnu/libstdc++.so.6"]
    sys.exit(0 if all([compare(path) for path in files]) else 1)
