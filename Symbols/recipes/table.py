#!/usr/bin/env python3
"""Puts the table of debug files into Symbols/README.md, between its two markers.

    table.py SYMBOLS
"""

import csv
import os
import sys

BEGIN, END = "<!-- table: begin -->\n", "<!-- table: end -->\n"

symbols = sys.argv[1]
rows = ["| build id or UUID | module | made from |", "|---|---|---|"]
for folder in ("tern", "gcc", "dumps", "cores", "desk", "apple"):
    with open(os.path.join(symbols, folder, "build-ids.tsv"), newline="") as file:
        for identity, module, made in csv.reader(file, delimiter="\t"):
            rows.append(f"| `{identity}` | `{module}` | {made} |")

readme = os.path.join(symbols, "README.md")
text = open(readme).read()
before, rest = text.split(BEGIN)
_, after = rest.split(END)
open(readme, "w").write(before + BEGIN + "\n" + "\n".join(rows) + "\n\n" + END + after)
