#!/usr/bin/env python3
"""Compares Mayday's look-ups with those of other symbolizers, and differences with the DWARF.

    scripts/oracles/oracle.py [--addresses N] [--examples N] [FILE[:ARCH]|FOLDER...]
    scripts/oracles/oracle.py --fresh 5 [--day 2026-12-01]
    scripts/oracles/oracle.py --summary RESULT.json...

Asks random code addresses, and those at which functions, inlined calls, line rows and symbols begin
and end, of Mayday, llvm-symbolizer, addr2line, eu-addr2line and symbolic; prints how many answers agree
(function, file, line, column, the whole chain of inlined calls) and what kind of differences there are.
Of every address at which anybody says something else than Mayday, Mayday's answer is held against the
debug information and the sections of symbols, as other tools print them.

`--fresh` takes debug packages that apt knows and that were never taken before, chosen by the day.

Exits with 1 when an answer of Mayday's is wrong by the debug information, a difference was not judged, a
file could not be read, or less than 99.9 % are the same or judged right beside llvm-symbolizer.
See docs/reference/exactness.md.
"""
import argparse
import json
import os
import random
import re
import subprocess
import sys
import time
from collections import Counter, defaultdict

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from exactness.breakpad import BreakpadText
from exactness.dwarf import DebugInformation
from exactness.frames import SPELLING, difference
from exactness.fresh import fresh_files
from exactness.inputs import Input, expand
from exactness.pdb import ProgramDatabase
from exactness.peers import ours, peers
from exactness.summary import agreement, as_markdown, faults
from exactness.summary import kinds as kinds_of
from exactness.symbols import Symbols
from shared.paths import MAYDAY, MAYDAY_BENCH, ROOT

# llvm-symbolizer is the reference; the rest is asked for what they are worth.
REFERENCE = "llvm-symbolizer"
MUST = 0.999
# Files that have nothing to compare, and why.
LEFT_OUT = []


def say(text):
    print(text, file=sys.stderr, flush=True)


def table(header, rows):
    lines = [header] + [[str(cell) for cell in row] for row in rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    for number, line in enumerate(lines):
        print("  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths))).rstrip())
        if number == 0:
            print("  ".join("-" * width for width in widths))
    sys.stdout.flush()


class Comparison:
    """One file asked of one peer."""

    def __init__(self, peer, has_columns):
        self.peer = peer
        self.has_columns = has_columns
        self.asked = 0
        self.same = 0
        self.classes = Counter()
        self.members = defaultdict(list)
        # class -> how many of Mayday's answers are wrong, and how many nobody judged
        self.wrong = Counter()
        self.unjudged = Counter()
        # class -> Counter of verdicts where the peer's was judged too: both, ours, peer's, neither
        self.verdicts = defaultdict(Counter)
        # class -> Counter of what was wrong with the peer's
        self.faults = defaultdict(Counter)
        self.examples = {}

    @property
    def spelling(self):
        """Differences of spelling, those of them in which Mayday's is wrong left out."""
        return sum(self.right(name) for name in SPELLING)

    @property
    def judged_right(self):
        return sum(self.right(name) for name in self.classes if name not in SPELLING)

    def right(self, name):
        return self.classes[name] - self.wrong[name] - self.unjudged[name]

    @property
    def bad(self):
        return self.wrong.total() + self.unjudged.total()

    def share(self, count):
        return f"{100 * count / max(self.asked, 1):.2f}"


class Unreadable(Exception):
    """A file that cannot be compared, and why."""


def compare(input, options):
    name, path, architecture = input.name, input.path, input.architecture
    if input.parts > 1:
        LEFT_OUT.append((name, f"{input.parts} sections of code that are not linked have no addresses"))
        return []
    command = [options.bench, "edges", path, str(options.addresses)] + (
        [architecture] if architecture else [])
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise Unreadable(done.stdout.strip() or done.stderr.strip()[-300:])
    addresses = [int(line, 16) for line in done.stdout.split()]
    if not addresses:
        LEFT_OUT.append((name, "no code"))
        return []
    # In an order that is random and the same each time: slow peers answer only the first.
    random.Random(4).shuffle(addresses)
    symbols = Symbols(input.symbols, architecture)
    if input.is_pdb:
        symbols.add_database(path)
    own = ours(options.mayday).answers(path, architecture, addresses, 600)
    answers, comparisons = {}, []
    for peer in peers():
        if options.peers and peer.name not in options.peers:
            continue
        if not peer.reads(input):
            continue
        if not peer.available():
            say(f"{peer.name} is not installed")
            continue
        limit = options.seconds if peer.is_slow else 600
        asked, base = peer.target(input)
        theirs = {
            address - base: answer
            for address, answer in peer.answers(
                asked, architecture, [address + base for address in addresses], limit,
                input.folder).items()}
        answers[peer.name] = theirs
        result = Comparison(peer.name, peer.has_columns)
        comparisons.append(result)
        for address in addresses:
            if address not in theirs:
                continue
            result.asked += 1
            kind = difference(own.get(address, ()), theirs[address], address, symbols, peer.has_columns)
            if kind is None:
                result.same += 1
                continue
            result.classes[kind] += 1
            result.members[kind].append(address)
    if comparisons and not any(result.asked for result in comparisons):
        raise Unreadable("no peer answered")
    judge_all(input, options, symbols, own, answers, comparisons)
    return comparisons


def judge_all(input, options, symbols, own, answers, comparisons):
    """Holds Mayday's answer against the file itself at every address where a peer says something else, and
    those of peers at some."""
    differing = {address for result in comparisons for list in result.members.values() for address in list}
    if not differing:
        return
    judge = (BreakpadText(input.path) if input.is_text else
             ProgramDatabase(input.path, input.peers) if input.is_pdb else DebugInformation(input))

    def fault(chain, address, peer, has_columns=True, has_paths=True):
        if input.is_pdb:
            # Where procedures are; what is in them is left to what most say.
            others = [theirs[address] for name, theirs in answers.items()
                      if name[:15] != peer[:15] and address in theirs]
            return judge.judge(chain, address, others)
        return judge.judge(chain, address, symbols, has_columns, has_paths)

    until = time.monotonic() + options.judging
    own_faults = {}
    for number, address in enumerate(sorted(differing)):
        if time.monotonic() > until:
            break
        own_faults[address] = fault(own.get(address, ()), address, "mayday")
    for result in comparisons:
        judged = options.judged if result.peer == REFERENCE else max(options.judged // 4, 1)
        theirs = answers[result.peer]
        for kind, members in sorted(result.members.items()):
            for number, address in enumerate(members):
                if address not in own_faults:
                    result.unjudged[kind] += 1
                    continue
                own_fault = own_faults[address]
                if own_fault:
                    result.wrong[kind] += 1
                if number >= judged and not own_fault:
                    continue
                their_fault = fault(
                    theirs[address], address, result.peer, result.has_columns and kind == "column",
                    kind == "path")
                verdict = ("both" if not own_fault and not their_fault else
                           "ours" if not own_fault else "peer's" if not their_fault else "neither")
                result.verdicts[kind][verdict] += 1
                if verdict == "ours":
                    result.faults[kind][their_fault] += 1
                result.examples.setdefault((kind, verdict), []).append(
                    (address, own.get(address, ()), theirs[address], own_fault, their_fault))


def write(path, everything):
    """What was found so far, so that a run that is stopped leaves it."""
    with open(path, "w") as out:
        json.dump([
            {"file": name, "peer": result.peer, "asked": result.asked, "same": result.same,
             "classes": result.classes,
             "addresses": {kind: [f"0x{a:x}" for a in list] for kind, list in result.members.items()},
             "wrong": result.wrong, "unjudged": result.unjudged,
             "verdicts": result.verdicts, "faults": result.faults}
            for name, _, result in everything], out, indent=1)


def show(chain):
    return " < ".join(f"{f.name or '??'} {os.path.basename(f.file)}:{f.line}" for f in chain) or "nothing"


def inputs():
    """What `make bench` measures, and every flavour of the generated program."""
    bench = os.path.join(ROOT, ".bench")
    found = [
        f"{name}={os.path.join(bench, name, 'plain')}" for name in sorted(os.listdir(bench))
        if os.path.exists(os.path.join(bench, name, "plain"))] if os.path.isdir(bench) else []
    rust = os.path.join(bench, "rust-symbolic")
    if os.path.exists(rust):
        found.append(rust)
    done = subprocess.run(
        [os.path.join(ROOT, "scripts/oracles/gen-flavours")], stdout=subprocess.PIPE, text=True)
    return found + ["/".join((family(line), "=".join(line.split("\t"))))
                    for line in done.stdout.splitlines()]


def family(flavour):
    """What flavours of one compiler are counted under together; others have one program each."""
    name = re.match(r"[a-z]+", flavour)[0]
    if name in ("aarch", "armv"):
        return "ARM"
    return name if name in ("gcc", "clang", "rust", "swift", "macho", "mingw", "wasm") else "others"


def summarise(paths):
    """Prints the tables of earlier runs' results as one; of two of a file and peer the last counts."""
    results = {}
    for path in paths:
        with open(path) as file:
            results.update(((result["file"], result["peer"]), result) for result in json.load(file))
    results = list(results.values())
    print("\n\n".join(as_markdown(*part(results)) for part in (agreement, kinds_of, faults)))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--addresses", type=int, default=4000,
                        help="random addresses, and functions and rows whose edges are asked (4000)")
    parser.add_argument("--examples", type=int, default=1, help="examples to print of each kind (1)")
    parser.add_argument("--judged", type=int, default=12,
                        help="differences of each kind of which the peer's answer is judged, too (12)")
    parser.add_argument("--judging", type=int, default=1800,
                        help="seconds for judging, a file; what is left then counts as not judged (1800)")
    parser.add_argument("--mayday", default=MAYDAY, help="the program to ask (the built one)")
    parser.add_argument("--bench", default=MAYDAY_BENCH, help="the program that finds the edges (the built one)")
    parser.add_argument("--fresh", type=int, metavar="N",
                        help="debug packages that apt knows and that were never taken")
    parser.add_argument("--day", default=time.strftime("%Y-%m-%d"), help="by which those are chosen (today)")
    parser.add_argument("--seconds", type=int, default=30, help="the most a slow peer may take")
    parser.add_argument("--peer", dest="peers", action="append", help="only this peer; repeatable")
    parser.add_argument("--json", help="write all differences to this file")
    parser.add_argument("--summary", action="store_true",
                        help="print one table of the results that --json wrote to FILE...")
    parser.add_argument("files", nargs="*", metavar="[NAME=]FILE[:ARCH]")
    options = parser.parse_args()
    if options.summary:
        summarise(options.files)
        return
    files = [word for given in options.files for word in expand(given)]
    if options.fresh:
        files += fresh_files(options.fresh, options.day, os.path.join(ROOT, ".bench", "fresh"), say)
    elif not files:
        files = inputs()
    failed = False
    everything = []
    rows, kinds, unreadable = [], [], []
    for word in files:
        input = Input(word)
        name, path = input.name, input.path
        say(f"{name}{' ' + input.architecture if input.architecture else ''}")
        try:
            results = compare(input, options)
        except Unreadable as error:
            unreadable.append((name, str(error)))
            continue
        for result in results:
            rows.append([
                name, result.peer, result.asked, result.share(result.same),
                result.share(result.spelling), result.share(result.judged_right),
                result.wrong.total(), result.unjudged.total()])
            for kind, count in result.classes.most_common():
                verdicts = result.verdicts[kind]
                kinds.append([name, result.peer, kind, count, result.wrong[kind] or "",
                              result.unjudged[kind] or ""] + [
                    verdicts[word] or "" for word in ("both", "ours", "peer's", "neither")] + [
                        "; ".join(fault for fault, _ in result.faults[kind].most_common(3))])
            everything.append((name, path, result))
            if options.json:
                write(options.json, everything)
            if result.bad:
                failed = True
            if result.peer == REFERENCE:
                agreed = result.same + result.spelling + result.judged_right
                if agreed < MUST * result.asked:
                    failed = True
    print("Agreement, in hundredths of the addresses asked\n")
    table(["file", "peer", "asked", "same", "spelling", "ours right", "ours wrong", "not judged"], rows)
    print("\nDifferences by kind, in how many Mayday is wrong, and who is right where the peer was judged, too\n")
    table(["file", "peer", "kind", "count", "wrong", "not judged", "both", "ours", "peer", "neither",
           "what is wrong with the peer's"], kinds)
    for title, list in (("Left out", LEFT_OUT), ("Could not be read", unreadable)):
        if list:
            print(f"\n{title}\n")
            table(["file", "why"], list)
    if options.examples:
        print("\nExamples")
        for name, path, result in everything:
            for (kind, verdict), examples in sorted(result.examples.items()):
                for address, own, their, own_fault, their_fault in examples[:options.examples]:
                    if kind in SPELLING and verdict == "both":
                        continue
                    print(f"\n{name}, {result.peer}: {kind}; right: {verdict}; 0x{address:x}")
                    print(f"  ours: {show(own)}{f'  [{own_fault}]' if own_fault else ''}")
                    print(f"  peer: {show(their)}{f'  [{their_fault}]' if their_fault else ''}")
    asked = sum(result.asked for _, _, result in everything if result.peer == REFERENCE)
    wrong = sum(result.wrong.total() for _, _, result in everything)
    unjudged = sum(result.unjudged.total() for _, _, result in everything)
    print(f"\n{asked} addresses, {wrong} wrong answers, {unjudged} differences not judged, "
          f"{len(unreadable)} files not read")
    sys.exit(1 if failed or unreadable or not everything else 0)


if __name__ == "__main__":
    main()
