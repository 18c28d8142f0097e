#!/usr/bin/env python3
"""Fills the tables of docs/reference/performance.md: what stands between `<!-- figures: NAME -->` and `<!-- end -->`.

The table `quick` comes from bench/figures.tsv. Others come from .bench/figures/NAME.json, which the scripts of
`make bench` write; where there is no such file, the table stays. --check writes nothing, and exits with 1 where the
page is not what would be written.
"""
import argparse
import json
import os
import re
import sys

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from measuring.records import FIGURES, Table
from measuring.saved import FOLDER
from shared.paths import ROOT

PAGE = os.path.join(ROOT, "docs/reference/performance.md")
BLOCK = re.compile(r"(<!-- figures: (\S+) -->\n)(.*?)(<!-- end -->)", re.S)


def markdown(header, rows):
    """A table, its first column to the left and the others to the right."""
    def line(cells):
        # Names of queries hold what Markdown would take for its own.
        return "| " + " | ".join(re.sub(r"([\\`*|<])", r"\\\1", str(cell)) for cell in cells) + " |"

    return "\n".join([line(header), "|---|" + "--:|" * (len(header) - 1), *map(line, rows)]) + "\n"


def quick():
    """A row for each case: its instructions and its memory, each beside the best."""
    records = Table(FIGURES).records
    rows = []
    for name in dict.fromkeys(name.removesuffix(", memory") for name in records):
        row = [name]
        for record in records.get(name), records.get(f"{name}, memory"):
            row += [f"{record.value:,.1f}", f"{record.best:,.1f}"] if record else ["", ""]
        rows.append(row)
    return "\n" + markdown(["", "M instructions", "best", "MB", "best"], rows) + "\n"


def saved(name):
    """A table as a script left it, and where and when it was measured; None where none is there."""
    path = os.path.join(FOLDER, name + ".json")
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        value = json.load(file)
    place = f"{value['date']}, commit {value['commit']}, {value['cores']} cores, {value['model']}"
    return f"\n{markdown(value['header'], value['rows'])}\n*{place}*\n\n"


def filled(text):
    """The page with its tables."""
    def block(found):
        begin, name, old, end = found.groups()
        new = quick() if name == "quick" else saved(name)
        return begin + (old if new is None else new) + end

    return BLOCK.sub(block, text)


def read():
    with open(PAGE, encoding="utf-8") as file:
        return file.read()


def write():
    """Fills the page, and gives whether that changed it."""
    old = read()
    new = filled(old)
    if new != old:
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(new)
    return new != old


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 where the page is older")
    options = parser.parse_args()
    if not options.check:
        write()
        return 0
    text = read()
    if "<!-- figures: quick -->" in text and filled(text) == text:
        return 0
    print("docs/reference/performance.md is not what its figures give; write it with: scripts/bench/page.py")
    return 1


if __name__ == "__main__":
    sys.exit(main())
