#!/usr/bin/env python3
"""Compares Mayday's look-ups with those of other symbolizers, and differences with the DWARF.

    scripts/oracle.py [--addresses N] [--examples N] [FILE[:ARCH]|FOLDER...]
    scripts/oracle.py --summary RESULT.json...

Asks random code addresses, and those at which functions, inlined calls, line rows and symbols begin
and end, of Mayday, llvm-symbolizer, addr2line, eu-addr2line and symbolic; prints how many answers agree
(function, file, line, the whole chain of inlined calls), what kind of differences there are, and of
how many that were looked at the debug information itself says which answer is right.

Exits with 1 when less than 99.9 % agree with llvm-symbolizer, or a difference has no explanation.
See docs/exactness.md.
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

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from exactness.dwarf import DebugInformation
from exactness.frames import SPELLING, difference
from exactness.inputs import Input, expand
from exactness.pdb import ProgramDatabase
from exactness.peers import OWN, ROOT, ours, peers
from exactness.summary import agreement, as_markdown, faults, kinds as kinds_of
from exactness.symbols import Symbols

# llvm-symbolizer is the reference; the rest is asked for what they are worth.
REFERENCE = "llvm-symbolizer"
MUST = 0.999
# Differences of each kind that are looked up however long it takes.
ANYWAY = 2


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

    def __init__(self, peer):
        self.peer = peer
        self.asked = 0
        self.same = 0
        self.classes = Counter()
        self.members = defaultdict(list)
        # class -> Counter of verdicts: both, ours, peer's, neither
        self.verdicts = defaultdict(Counter)
        # class -> Counter of what was wrong with the peer's
        self.faults = defaultdict(Counter)
        self.examples = {}

    @property
    def spelling(self):
        return sum(self.classes[name] for name in SPELLING)

    @property
    def other(self):
        return sum(self.classes.values()) - self.spelling

    def share(self, count):
        return f"{100 * count / max(self.asked, 1):.2f}"

    def excused(self):
        """Differences of kinds of which every one looked at showed the peer wrong, or both right."""
        total = 0
        for name, count in self.classes.items():
            if name in SPELLING:
                continue
            verdicts = self.verdicts[name]
            if verdicts and not verdicts["peer's"] and not verdicts["neither"]:
                total += count
        return total

    def unexplained(self):
        """Kinds of differences of which some showed us wrong, or that nothing could be said about."""
        return [
            name for name in self.classes
            if name not in SPELLING and (
                self.verdicts[name]["peer's"] or self.verdicts[name]["neither"]
                or not self.verdicts[name])]


def compare(input, options):
    name, path, architecture = input.name, input.path, input.architecture
    if input.parts > 1:
        say(f"{name}: {input.parts} sections of code that are not linked, left out")
        return []
    command = [OWN, "edges", path, str(options.addresses)] + ([architecture] if architecture else [])
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        say(f"{name}: {done.stdout.strip() or done.stderr.strip()[-300:]}")
        return []
    addresses = [int(line, 16) for line in done.stdout.split()]
    if not addresses:
        say(f"{name}: no code")
        return []
    # In an order that is random and the same each time: slow peers answer only the first.
    random.Random(4).shuffle(addresses)
    symbols = Symbols(input.symbols, architecture)
    if input.is_pdb:
        symbols.add_database(path)
    own = ours().answers(path, architecture, addresses, 600)
    judge, answers = None, {}
    comparisons = []
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
        result = Comparison(peer.name)
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
    for result in comparisons:
        judged = options.judged if result.peer == REFERENCE else max(options.judged // 4, 1)
        theirs = answers[result.peer]
        until = time.monotonic() + options.judging
        # By turns, so that each kind has its share of the time, and the first of each for any price.
        lists = {kind: members[:judged] for kind, members in sorted(result.members.items())
                 if kind != "column" and (kind not in SPELLING or result.peer == REFERENCE)}
        for turn in range(judged if not input.is_text else 0):
            if turn >= ANYWAY and time.monotonic() > until:
                break
            for kind, address in [(k, m[turn]) for k, m in lists.items() if turn < len(m)]:
                if input.is_pdb:
                    # Where procedures are; what is in them is left to what most say.
                    judge = judge or ProgramDatabase(path, input.peers)
                    others = [theirs[address] for name, theirs in answers.items()
                              if name[:15] != result.peer[:15] and address in theirs]
                    own_fault = judge.judge(own.get(address, ()), address, others)
                    their_fault = judge.judge(theirs[address], address, others)
                else:
                    judge = judge or DebugInformation(input)
                    own_fault = judge.judge(own.get(address, ()), address, symbols)
                    their_fault = judge.judge(theirs[address], address, symbols)
                verdict = ("both" if not own_fault and not their_fault else
                           "ours" if not own_fault else "peer's" if not their_fault else "neither")
                result.verdicts[kind][verdict] += 1
                if verdict == "ours":
                    result.faults[kind][their_fault] += 1
                result.examples.setdefault((kind, verdict), []).append(
                    (address, own.get(address, ()), theirs[address], own_fault, their_fault))
    return comparisons


def write(path, everything):
    """What was found so far, so that a run that is stopped leaves it."""
    with open(path, "w") as out:
        json.dump([
            {"file": name, "peer": result.peer, "asked": result.asked, "same": result.same,
             "classes": result.classes,
             "addresses": {kind: [f"0x{a:x}" for a in list] for kind, list in result.members.items()},
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
        [os.path.join(ROOT, "scripts/gen-flavours")], stdout=subprocess.PIPE, text=True)
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
                        help="differences of each kind that are looked up in the DWARF (12)")
    parser.add_argument("--judging", type=int, default=120, help="seconds for that, a file and peer")
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
    files = [word for given in options.files for word in expand(given)] or inputs()
    failed = False
    everything = []
    rows, kinds = [], []
    for word in files:
        input = Input(word)
        name, path = input.name, input.path
        say(f"{name}{' ' + input.architecture if input.architecture else ''}")
        for result in compare(input, options):
            rows.append([
                name, result.peer, result.asked, result.share(result.same),
                result.share(result.spelling), result.share(result.excused()),
                result.share(result.other - result.excused())])
            for kind, count in result.classes.most_common():
                verdicts = result.verdicts[kind]
                kinds.append([name, result.peer, kind, count] + [
                    verdicts[word] or "" for word in ("both", "ours", "peer's", "neither")] + [
                        "; ".join(fault for fault, _ in result.faults[kind].most_common(3))])
            everything.append((name, path, result))
            if options.json:
                write(options.json, everything)
            if result.peer == REFERENCE:
                agreed = result.same + result.spelling + result.excused()
                if agreed < MUST * result.asked or result.unexplained():
                    failed = True
    print("Agreement, in hundredths of the addresses asked\n")
    table(["file", "peer", "asked", "same", "spelling", "ours right", "other"], rows)
    print("\nDifferences by kind, and who is right by the DWARF where it was looked up\n")
    table(["file", "peer", "kind", "count", "both", "ours", "peer", "neither", "what is wrong"], kinds)
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
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
