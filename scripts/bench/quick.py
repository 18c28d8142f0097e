#!/usr/bin/env python3
"""Measures in a few minutes what may not become slower or larger, and compares it with the best there was.

Counts instructions, which other work on the machine does not change, and the peak of memory; bench/figures.tsv has
the figures. Exits with 1 where one is too far above its best, has no line there, or is no longer measured.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import page
from measuring.cases import cases, prepare_tools
from measuring.counting import has_valgrind
from measuring.records import FIGURES, Table
from shared.paths import MAYDAY, MAYDAY_BENCH, ROOT


def measure(wanted, jobs):
    """Name, unit and value of all figures, in the order of the cases."""
    with tempfile.TemporaryDirectory(prefix="mayday-quick-") as folder:
        tools = prepare_tools(MAYDAY, MAYDAY_BENCH, folder)

        def one(item):
            number, case = item
            own = os.path.join(folder, str(number))
            os.makedirs(own)
            start = time.monotonic()
            found = case.figures(tools, own)
            shutil.rmtree(own)
            print(f"{time.monotonic() - start:6.1f} s  {case.name}", file=sys.stderr, flush=True)
            return found

        with ThreadPoolExecutor(jobs) as pool:
            return [figure for found in pool.map(one, enumerate(wanted)) for figure in found]


def show(figures, table):
    """The figures beside their best."""
    width = max(len(name) for name, _, _ in figures)
    print(f"{'':{width}}  {'value':>9}     {'best':>9}  change")
    for name, unit, value in figures:
        record = table.records.get(name)
        best = f"{record.best:9.1f}  {100 * (value / record.best - 1):+5.1f} %" if record else f"{'-':>9}"
        print(f"{name:{width}}  {value:9.1f} {unit:2}  {best}")


def wrong(figures, table, is_whole):
    """What is to be said of the figures."""
    found = [table.judge(*figure) for figure in figures]
    if is_whole:
        measured = {name for name, _, _ in figures}
        found += [f"'{name}' is not measured; take its line out with: make bench-quick RENEW=1"
                  for name in table.records if name not in measured]
    return [line for line in found if line]


def last_subject():
    done = subprocess.run(["git", "log", "-1", "--format=%s"], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--renew", action="store_true", help="write the values, and keep the best")
    parser.add_argument("--reason", help="of new values; by default the subject of the last commit")
    parser.add_argument("--only", action="append", metavar="NAME", help="only cases whose name holds this")
    parser.add_argument("--figures", default=FIGURES, metavar="FILE")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    if not has_valgrind():
        print("valgrind is not installed: there is nothing to count instructions with", file=sys.stderr)
        return 1
    wanted = [case for case in cases() if not options.only or any(part in case.name for part in options.only)]
    if not wanted:
        parser.error("no case has such a name")
    start = time.monotonic()
    table = Table(options.figures)
    figures = measure(wanted, options.jobs)
    show(figures, table)
    print(f"{len(figures)} figures in {time.monotonic() - start:.0f} s")
    if options.renew:
        if options.only:
            parser.error("--renew takes all cases")
        table.renew(figures, options.reason or last_subject())
        table.write()
        page.write()
    errors = wrong(figures, table, not options.only)
    for line in errors:
        print(f"error: {line}")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
