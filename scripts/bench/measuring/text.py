"""A long file of Breakpad's text, always the same one."""
import os
import random

from shared.smoke import smaller

FUNCTIONS = smaller(60_000, 1_000)


def write_text(path, functions=FUNCTIONS):
    choose = random.Random(7)
    with open(path + ".new", "w") as out:
        out.write("MODULE Linux x86_64 0123456789ABCDEF0123456789ABCDEF0 lagoon\n")
        for number in range(3000):
            out.write(f"FILE {number} /home/lagoon/src/part{number % 60}/unit{number}.cpp\n")
        for number in range(9000):
            out.write(f"INLINE_ORIGIN {number} lagoon::Row<long, {number}>::at(unsigned long)\n")
        address = 0x1000
        frames = []
        for number in range(functions):
            size = 64 + choose.randrange(60) * 16
            file = choose.randrange(3000)
            out.write(f"FUNC {address:x} {size:x} 0 lagoon::unit{file}::work{number}(long, int)\n")
            inner = 0
            for _ in range(choose.randrange(13)):
                start = inner + choose.randrange(16)
                length = 4 + choose.randrange(24)
                if start + length > size:
                    break
                out.write(
                    f"INLINE 0 {choose.randrange(900)} {file} {choose.randrange(9000)}"
                    f" {address + start:x} {length:x}\n")
                inner = start + length
            row = 0
            while row < size:
                length = min(4 + choose.randrange(20), size - row)
                out.write(
                    f"{address + row:x} {length:x} {choose.randrange(900)}"
                    f" {file if choose.randrange(4) else choose.randrange(3000)}\n")
                row += length
            frames.append((address, size))
            address += size + choose.randrange(2) * 16
        for start, size in frames:
            out.write(f"STACK CFI INIT {start:x} {size:x} .cfa: $rsp 8 + .ra: .cfa -8 + ^\n")
            out.write(f"STACK CFI {start + 1:x} .cfa: $rsp 16 + $rbp: .cfa -16 + ^\n")
            out.write(f"STACK CFI {start + 4:x} .cfa: $rbp 16 +\n")
            out.write(f"STACK CFI {start + size - 1:x} .cfa: $rsp 8 +\n")
    os.rename(path + ".new", path)


def count_records(path):
    """Lines, functions and inlined calls of such a file."""
    lines = functions = calls = 0
    with open(path) as file:
        for line in file:
            lines += 1
            functions += line.startswith("FUNC ")
            calls += line.startswith("INLINE ")
    return lines, functions, calls
