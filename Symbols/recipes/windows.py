#!/usr/bin/env python3
"""Writes what llvm-symbolizer says about the programs in Symbols/windows.

    windows.py LLVM-SYMBOLIZER FOLDER

Each program gets a file NAME.jsonl: a line for each address, as `llvm-symbolizer --output-style=JSON
--no-demangle --obj=NAME.exe` prints it. The addresses are the first and the last ones of the code, and
random ones in it; the seed is the program's name.
"""

import glob
import os
import random
import struct
import subprocess
import sys

KEPT = 96


def code(path):
    """The image base, and the ranges of addresses that hold code."""
    with open(path, "rb") as file:
        data = file.read()
    pe = struct.unpack_from("<I", data, 60)[0]
    count, optional = struct.unpack_from("<H", data, pe + 6)[0], struct.unpack_from("<H", data, pe + 20)[0]
    wide = struct.unpack_from("<H", data, pe + 24)[0] == 0x20B
    base = struct.unpack_from("<Q", data, pe + 48)[0] if wide else struct.unpack_from("<I", data, pe + 52)[0]
    ranges = []
    for index in range(count):
        header = pe + 24 + optional + 40 * index
        size, start = struct.unpack_from("<II", data, header + 8)
        if struct.unpack_from("<I", data, header + 36)[0] & 0x20:
            ranges.append(range(base + start, base + start + size))
    return ranges


def main():
    symbolizer, folder = sys.argv[1:]
    os.chdir(folder)
    for path in sorted(glob.glob("*.exe") + glob.glob("*.dll")):
        seed = random.Random(path)
        everything = [address for part in code(path) for address in part]
        chosen = sorted(set(seed.sample(everything, min(KEPT, len(everything)))) | {everything[0], everything[-1]})
        command = [symbolizer, "--output-style=JSON", "--no-demangle", "--obj=" + path]
        text = "".join(f"{address:#x}\n" for address in chosen)
        output = subprocess.run(command, input=text, check=True, capture_output=True, text=True).stdout
        with open(os.path.splitext(path)[0] + ".jsonl", "w") as file:
            file.write(output)


main()
