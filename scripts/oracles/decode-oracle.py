#!/usr/bin/env python3
"""Compares decoded instructions with what objdump reads: scripts/oracles/decode-oracle.py [FILE...]

FILE is an ELF program or library for x86-64, x86 or 64-bit Arm; without one, the C library of this machine
and the compiler's, and then every form of every opcode of x86-64: with each prefix, with VEX and EVEX, each with
a displacement of one byte and each field of ModRM. For each instruction its length and its memory operand must
be those that GNU objdump (x86) or llvm-objdump (Arm) prints. Operands of nops and prefetches are not accessed.

Prints the agreement of each file, how many differences ARGUED explains, and the first others; exits with 1
where there is one. DECODE is the program, ".build/release/mayday-bench decode" unless told.
"""
import itertools
import os
import re
import shlex
import subprocess
import sys
import tempfile

DECODE = shlex.split(os.environ.get("DECODE", ".build/release/mayday-bench decode"))
LLVM = os.environ.get("LLVM_OBJDUMP", "llvm-objdump")
SHOWN = int(os.environ.get("SHOWN", "12"))
MOST = int(os.environ.get("MOST", "600000"))
LINE = re.compile(r"^ *([0-9a-f]+):\s+((?:[0-9a-f]{2} ?)+|[0-9a-f]{8})\s*(.*)$")
# Texts of objdump that are right to differ, and why.
ARGUED = [(re.compile(pattern), reason) for pattern, reason in [
    (r"\bfemms", "3DNow!, which no processor has any more"),
    (r"^(aes(enc|dec)(wide)?(128|256)kl|encodekey|loadiwkey)", "Key Locker is not decoded"),
    (r"^(data16 |repn?z |rex.W )*mov\s.*\b([cd]r\d+|dr\d)\b", "its ModRM names registers only"),
    (r"\?", "no such register"),
    (r"\bxlat\b", "its memory is not written"),
    (r"^vzero(upper|all)$", "a prefix that it does not have"),
    (r"^(callw|jmpw)", "Intel's processors do not heed the prefix"),
    (r"^l[sfg]s\s+r", "objdump heeds both of two sizes"),
    (r"^(ld|st)\S+\s\{? ?[zp]\d+", "SVE: how long its vectors are is not in the code"),
]]
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
        command = ["objdump", "-d", "-w", "-M", "intel,intel64", "--insn-width=15", path]
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
        return not operands
    if not operands:
        return False
    match = ARM_MEMORY.search(text)
    operand = operands.split(":", 2)[2].strip("[]")
    if not match:
        return operand.startswith("pc") or name == "dc" and operand == text.split(", ")[-1]
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


def forms():
    """The bytes of every form of every opcode of x86-64."""
    vectors = [(length, broadcast) for length in (0, 1, 2) for broadcast in (0, 1)]
    grouped = {(1, 0x71), (1, 0x72), (1, 0x73), (1, 0xae), (2, 0xc6), (2, 0xc7), (2, 0xf3)}
    for map, prefix, wide, source, opcode in itertools.product(
            (1, 2, 3, 5, 6), range(4), (0, 1), (15, 14), range(256)):
        for field in range(8) if (map, opcode) in grouped else (0, 1):
            rest = [opcode, 0x40 | field << 3 | 2, 1]
            for length, broadcast in vectors:
                # Gathers, scatters and what goes with them need a mask.
                mask = map == 2 and opcode in (*range(0x90, 0x94), *range(0xa0, 0xa4), 0xc6, 0xc7)
                yield [0x62, 0xf0 | map, wide << 7 | source << 3 | 4 | prefix,
                       length << 5 | broadcast << 4 | 8 | mask, *rest]
                if map < 4 and length < 2 and not broadcast:
                    yield [0xc4, 0xe0 | map, wide << 7 | source << 3 | length << 2 | prefix, *rest]
    prefixes = {0x26, 0x2e, 0x36, 0x3e, *range(0x40, 0x50), 0x62, *range(0x64, 0x68), 0xc4, 0xc5, 0xf0, 0xf2, 0xf3}
    for size, escape, opcode in itertools.product(
            ([], [0x66], [0xf3], [0xf2], [0x48], [0x66, 0x48], [0xf3, 0x48], [0xf2, 0x48]),
            ([], [0x0f], [0x0f, 0x38], [0x0f, 0x3a]), range(256)):
        # 9b is a wait, of which objdump makes one instruction with the next.
        if not escape and (opcode in prefixes or opcode in (0x0f, 0x9b)) or escape == [0x0f] and opcode in (0x0f, 0x38, 0x3a):
            continue
        for field in range(8):
            yield [*size, *escape, opcode, 0x40 | field << 3 | 2, 1]
            yield [*size, *escape, opcode, 0x04 | field << 3, 0x91, 1, 0, 0, 0]
        yield [*size, *escape, opcode, 0xc1]


def assembled(folder):
    """An object file with all forms, with nops between them: what is no instruction may take some of them."""
    source, path = os.path.join(folder, "forms.s"), os.path.join(folder, "forms")
    with open(source, "w", encoding="ascii") as file:
        for code in forms():
            file.write(".byte " + ",".join(map(str, code + [0x90] * 15)) + "\n")
    subprocess.run(["as", source, "-o", path], check=True)
    return path


def compare(path):
    kind = architecture(path)
    lines = []
    for line in listing(path, kind):
        # Data among the code; `fwait` is an instruction of its own; `xlat` names its memory implicitly. `nop`
        # parts the forms.
        if re.match(r"<unknown>|\.|$|rex|xlat", line[2]) or "bad" in line[2] or line[1][:2] in ("9b", "90"):
            continue
        lines.append(line)
        if len(lines) >= MOST:
            break
    text = "".join(f"{address:x} {code}\n" for address, code, _ in lines)
    answers = subprocess.run(DECODE + [kind], input=text, capture_output=True, text=True,
                             check=True).stdout.split("\n")
    lengths = memory = named = argued = wrong = 0
    for (address, code, text), answer in zip(lines, answers):
        length, name, operands = answer.split("\t")
        same = int(length) == len(code) // 2
        lengths += same
        named += name not in ("-", "?")
        agrees = same and (agrees_arm(text, operands, address) if kind == "arm64"
                           else agrees_x86(text, operands))
        memory += agrees
        if agrees:
            continue
        if any(pattern.search(text) for pattern, _ in ARGUED):
            argued += 1
            continue
        wrong += 1
        if wrong <= SHOWN:
            print(f"  {address:x} {code} | {text} | {length} {name} | {operands}")
    total = max(1, len(lines))
    print(f"{os.path.basename(path)}: {len(lines)} instructions of {kind}, lengths {lengths / total:.4%}, operands "
          f"{memory / total:.4%}, named {named / total:.2%}, argued {argued}, wrong {wrong}")
    return wrong == 0


def main():
    files = sys.argv[1:] or ["/lib/x86_64-linux-gnu/libc.so.6", "/lib/x86_64-linux-gnu/libstdc++.so.6"]
    agree = [compare(path) for path in files]
    if not sys.argv[1:]:
        with tempfile.TemporaryDirectory() as folder:
            agree.append(compare(assembled(folder)))
    return 0 if all(agree) else 1


if __name__ == "__main__":
    sys.exit(main())
