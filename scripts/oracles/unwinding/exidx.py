"""Compares Mayday's rules of exception indices (.ARM.exidx) with the opcodes that LLVM prints in words.

llvm-readelf prints no opcodes where a routine of a language reads them (C++, Rust): their bytes are put into words
here first. What the words do to the stack is worked out one by one.
"""
import os
import re
import struct
import subprocess

LLVM_READELF = os.environ.get("LLVM_READELF", "llvm-readelf")
SHOWN = 5
NAMES = [f"r{n}" for n in range(11)] + ["fp", "ip", "sp", "lr", "pc"]
FIRST_DOUBLE = 256


def words_of(codes):
    """The opcodes of a C++ function in LLVM's words."""
    codes = iter(codes)
    for code in codes:
        if code < 0x80:
            yield f"vsp = vsp {'-' if code & 0x40 else '+'} {(code & 0x3f) * 4 + 4}"
        elif code < 0x90:
            mask = ((code & 15) << 8 | next(codes)) << 4
            yield "refuse to unwind" if mask == 0 else registers(n for n in range(16) if mask >> n & 1)
        elif code < 0xa0:
            yield f"vsp = r{code & 15}"
        elif code < 0xb0:
            yield registers([*range(4, 5 + (code & 7))] + ([14] if code & 8 else []))
        elif code == 0xb0:
            return
        elif code == 0xb1:
            mask = next(codes)
            yield registers(n for n in range(4) if mask >> n & 1)
        elif code == 0xb2:
            value, shift = 0, 0
            while True:
                byte = next(codes)
                value |= (byte & 127) << shift
                shift += 7
                if byte < 128:
                    break
            yield f"vsp = vsp + {0x204 + value * 4}"
        elif code in (0xc8, 0xc9):
            pair = next(codes)
            first = (pair >> 4) + (16 if code == 0xc8 else 0)
            yield "pop {" + ", ".join(f"d{first + n}" for n in range((pair & 15) + 1)) + "}"
        elif 0xd0 <= code < 0xd8:
            yield "pop {" + ", ".join(f"d{8 + n}" for n in range((code & 7) + 1)) + "}"
        else:
            yield f"opcode {code:#x}"


def registers(numbers):
    return "pop {" + ", ".join(NAMES[n] for n in numbers) + "}"


def rules_of(words):
    """What words make of the stack, as rows of Mayday's are written; None where they end nothing."""
    base, offset, saved = "sp", 0, {}
    for word in words:
        if word in ("finish", "refuse to unwind"):
            if word == "finish":
                break
            return None
        if found := re.fullmatch(r"vsp = vsp ([+-]) (\d+)", word):
            offset += int(found[2]) * (1 if found[1] == "+" else -1)
        elif found := re.fullmatch(r"vsp = (\w+)", word):
            base, offset = found[1], 0
        elif found := re.fullmatch(r"pop \{(.*)\}", word):
            for name in found[1].split(", "):
                saved[name] = (base, offset)
                offset += 8 if name[0] == "d" else 4
        else:
            return f"? {word}"
    rules = []
    for name, (where, place) in saved.items():
        rules.append(f"{name}=" + (f"c{place - offset:+d}" if where == base else f"({where}{place:+d})"))
    return f"{base}{offset:+d} " + " ".join(sorted(rules))


class Image:
    """The bytes of a little-endian program by address."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.bytes = file.read()
        start, = struct.unpack_from("<I", self.bytes, 28)
        size, count = struct.unpack_from("<HH", self.bytes, 42)
        self.segments = []
        for index in range(count):
            kind, offset, address, _, length = struct.unpack_from("<5I", self.bytes, start + index * size)
            if kind == 1:
                self.segments.append((address, offset, length))

    def word(self, address):
        for start, offset, length in self.segments:
            if start <= address < start + length:
                return struct.unpack_from("<I", self.bytes, offset + address - start)[0]
        raise ValueError(f"nothing at {address:#x}")

    def codes(self, address):
        """The opcodes that a language's routine reads."""
        word = self.word(address + 4)
        words = [word] + [self.word(address + 8 + 4 * n) for n in range(word >> 24)]
        return [word >> shift & 255 for word in words for shift in (24, 16, 8, 0)][1:]


def theirs(path):
    """Address and rules of each function that LLVM finds in the index."""
    text = subprocess.run([LLVM_READELF, "--unwind", path], capture_output=True, text=True, check=True).stdout
    image = Image(path)
    functions = []
    for entry in text.split("Entry {")[1:]:
        address = int(re.search(r"FunctionAddress: 0x(\w+)", entry)[1], 16)
        if "Model: CantUnwind" in entry:
            functions.append((address, None))
        elif "Model: Generic" in entry:
            place = int(re.search(r"TableEntryAddress: 0x(\w+)", entry)[1], 16)
            functions.append((address, rules_of(words_of(image.codes(place)))))
        else:
            functions.append((address, rules_of(re.findall(r"; (.*)", entry))))
    return functions


def name(number):
    return f"d{number - FIRST_DOUBLE}" if number >= FIRST_DOUBLE else NAMES[number]


def text_of(row):
    """A row of Mayday's as the words above."""
    rules = []
    for rule in row["rules"]:
        if "offset" in rule:
            rules.append(f"{name(rule['number'])}=c{rule['offset']:+d}")
        else:
            found = re.fullmatch(r"breg(\d+) (-?\d+)", rule["expression"])
            rules.append(f"{name(rule['number'])}=({name(int(found[1]))}{int(found[2]):+d})")
    cfa = row["cfa"]
    return f"{name(cfa['number'])}{cfa['offset']:+d} " + " ".join(sorted(rules))


def compare(path, rows):
    """Whether each function of the index has the same rules here, and nothing else has any."""
    functions = theirs(path)
    ours = {int(row["address"], 16): (int(row["end"], 16), text_of(row)) for row in rows}
    starts = sorted(ours)
    wrong, same = [], 0
    for index, (address, rules) in enumerate(functions):
        start = max((start for start in starts if start <= address), default=None)
        mine = ours[start][1] if start is not None and address < ours[start][0] else None
        if mine == rules:
            same += 1
        else:
            wrong.append((address, mine, rules))
    covered = {address for address, _ in functions}
    extra = [start for start in starts if start not in covered]
    print(f"{os.path.basename(path)}: {len(functions)} functions of the exception index, {same} agree"
          + (f", {len(extra)} rows that it has not" if extra else ""))
    for address, mine, rules in wrong[:SHOWN]:
        print(f"  {address:#x}: {mine} / {rules}")
    return not wrong and not extra
