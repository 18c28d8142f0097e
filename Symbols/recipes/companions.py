#!/usr/bin/env python3
"""Prints what llvm-symbolizer says about addresses in the functions of a program, a line each.

    companions.py LLVM-SYMBOLIZER PROGRAM [BASE]

Of each function the first and the last byte are asked for, and some between. BASE is taken off the
addresses that are printed.
"""

import json
import os
import random
import subprocess
import sys

PER_FUNCTION = 12


def main():
    symbolizer, program = sys.argv[1:3]
    base = int(sys.argv[3], 0) if len(sys.argv) > 3 else 0
    nm = os.path.join(os.path.dirname(symbolizer), "llvm-nm")
    output = subprocess.run([nm, "-S", "--defined-only", program], check=True, capture_output=True, text=True).stdout
    seed = random.Random(program)
    addresses = set()
    for line in output.splitlines():
        fields = line.split()
        if len(fields) < 4 or fields[2] not in "TtWw":
            continue
        start, size = int(fields[0], 16), int(fields[1], 16)
        places = {0, size - 1} | {seed.randrange(size) for _ in range(PER_FUNCTION)} if size else set()
        addresses |= {start + place for place in places}
    command = [symbolizer, "--output-style=JSON", "--no-demangle", "--obj=" + program]
    text = "".join(f"{address:#x}\n" for address in sorted(addresses))
    output = subprocess.run(command, input=text, check=True, capture_output=True, text=True).stdout
    for line in output.splitlines():
        answer = json.loads(line)
        answer["Address"] = hex(int(answer["Address"], 16) - base)
        print(json.dumps(answer, separators=(",", ":")))


main()
