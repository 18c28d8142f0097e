#!/usr/bin/env python3
"""Compares the reports that Mayday reads with those of small parsers in Python, family by family.

    scripts/cross-check/cross-check.py [CORPUS] [--only FAMILY] [--mayday PROGRAM] [--inputs N] [--seed N]
        [--all]

CORPUS is a folder with a folder per format and perhaps an INDEX.tsv (format, path, role, licence), of which the
inputs are read. Without it the samples of the project are read, and inputs that the parsers' modules generate.

Each module in scripts/cross-check/ has the names of its folders (FOLDERS), parse(bytes), which gives a list of
reports, and perhaps generate(random), which gives an input and what it holds. A report is a part of Mayday's report
document: only what it names is compared. See scripts/cross-check/README.md.

Prints a table by family and each difference; exits with 1 if one is not argued.
"""
import argparse
import importlib
import os
import random
import sys
import tempfile

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from comparing import Tally
from documents import documents
from shared.paths import MAYDAY, ROOT

FAMILIES = ["abrt", "apport", "native", "android", "cdb", "kernel", "other_kernels", "apple_crash", "apple_ips", "debugger", "dotnet", "go", "java",
            "javascript", "kscrash", "metrickit", "plcrash", "python", "rust", "sanitizer", "sentry_event", "systemd",
            "swift", "socorro", "sdk_event", "scripting", "languages", "dart", "engines", "casr", "appcenter", "mixed",
            "expected"]
# Families that are compared only if asked for.
ASKED = ["prefixed"]


def inputs(corpus, folders):
    """The files of a folder of reports, as paths below it."""
    index = os.path.join(corpus, "INDEX.tsv")
    if os.path.exists(index):
        with open(index, encoding="utf-8") as lines:
            rows = [line.rstrip("\n").split("\t") for line in lines]
        return [row[1] for row in rows if row[0] in folders and row[2] == "input"]
    return sorted(os.path.relpath(os.path.join(folder, name), corpus)
                  for first in folders for folder, _, names in os.walk(os.path.join(corpus, first)) for name in names)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def check_files(module, corpus, mayday, tally):
    names = inputs(corpus, module.FOLDERS)
    paths = [os.path.join(corpus, name) for name in names]
    for name, path, found in zip(names, paths, documents(mayday, paths)):
        try:
            expected = module.parse(read(path))
        except Exception as error:  # pylint: disable=broad-except
            tally.failed(name, error)
            continue
        if expected is None:
            tally.unread.add(name)
        else:
            tally.compare(name, expected, own(module, expected, found))


def own(module, expected, found):
    """Without reports of other formats, which a log may hold too."""
    formats = {report["format"] for report in expected} | set(module.FORMATS)
    return found if isinstance(found, str) else [report for report in found if report["format"] in formats]


def check_generated(module, mayday, count, seed, tally):
    with tempfile.TemporaryDirectory() as folder:
        cases = []
        for number in range(count):
            data, expected = module.generate(random.Random(seed * 1_000_003 + number))
            path = os.path.join(folder, "%s-%d" % (module.__name__, number))
            with open(path, "wb") as file:
                file.write(data)
            cases.append((path, data, expected))
        for (path, data, expected), found in zip(cases, documents(mayday, [case[0] for case in cases])):
            before = tally.differences()
            name = "generated " + os.path.basename(path)
            tally.compare(name, expected, found)
            try:
                if hasattr(module, "parse"):
                    tally.compare(name + ", the parser", expected, module.parse(data), partial=True)
            except Exception as error:  # pylint: disable=broad-except
                tally.failed(name, error)
            if tally.differences() > before and tally.kept < 12:
                tally.kept += 1
                kept = os.path.join(tempfile.gettempdir(), "cross-check-" + os.path.basename(path))
                with open(kept, "wb") as file:
                    file.write(data)
                tally.remark(name, "kept as " + kept)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].strip())
    parser.add_argument("corpus", nargs="?")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--mayday", default=MAYDAY)
    parser.add_argument("--inputs", type=int, default=20, help="generated inputs of each family")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--all", action="store_true", help="print argued differences too")
    options = parser.parse_args()
    unknown = set(options.only) - set(FAMILIES + ASKED)
    if unknown:
        parser.error("unknown family: %s; known are %s" % (", ".join(sorted(unknown)), ", ".join(FAMILIES + ASKED)))
    tallies = []
    for family in options.only or FAMILIES:
        module = importlib.import_module(family)
        tally = Tally(family, getattr(module, "ARGUED", []))
        if hasattr(module, "check"):
            if options.corpus:
                module.check(options.corpus, options.mayday, tally)
            tallies.append(tally)
            continue
        check_files(module, options.corpus or os.path.join(ROOT, "Samples"), options.mayday, tally)
        if not options.corpus and hasattr(module, "generate"):
            check_generated(module, options.mayday, options.inputs, options.seed, tally)
        tallies.append(tally)
    for tally in tallies:
        tally.print(options.all)
    rows = [["family", "files", "reports", "fields", "differences", "argued", "not judged"]] + [tally.row() for tally in tallies]
    widths = [max(len(str(row[column])) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(str(cell).ljust(width) if column == 0 else str(cell).rjust(width)
                        for column, (cell, width) in enumerate(zip(row, widths))))
    if sum(tally.files for tally in tallies) == 0:
        sys.exit("no files to compare")
    sys.exit(1 if any(tally.differences() for tally in tallies) else 0)


if __name__ == "__main__":
    main()
