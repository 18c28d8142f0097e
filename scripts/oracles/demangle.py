#!/usr/bin/env python3
"""Compares the C++ names that Mayday prints with those of LLVM's newest demangler.

Names are taken from the symbol tables of files and folders, or from text files, one a line. They go into
the symbol table of an object that is made here, and llvm-nm -C prints it. With --mutate as many damaged
copies of them are compared, too. With --microsoft the names are those of Microsoft's compiler, out of PDBs,
PE files, Breakpad files and text, and llvm-undname prints them; both programs are timed. Exits with 1 when
less than 99.9 % of the names that LLVM demangles are printed as LLVM prints them.
"""
import argparse
import collections
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
import time

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from shared.paths import MAYDAY_BENCH

LETTERS = b"0123456789STNEILXJKVPRODvijlmcbtuswpaegrnqCdfMFAUBHQW_yZ"
NAME = re.compile(rb"_{1,4}Z[\w.$]+\Z")
MICROSOFT = re.compile(rb"(?:\?|\.\?A)[\w?$@<>-]{3,}\Z")
MICROSOFT_LETTERS = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ@@@@$$??_abc"


def object_of(names):
    """An ELF object whose symbol table holds the names."""
    strings, symbols = bytearray(b"\0"), bytearray(24)
    for name in names:
        symbols += struct.pack("<IBBHQQ", len(strings), 0x12, 0, 0xFFF1, 0, 0)
        strings += name + b"\0"
    titles = b"\0.symtab\0.strtab\0.shstrtab\0"
    places = [64, 64 + len(symbols), 64 + len(symbols) + len(strings)]
    table = (places[2] + len(titles) + 7) & ~7
    head = b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack(
        "<HHIQQQIHHHHHH", 1, 62, 1, 0, 0, table, 0, 64, 0, 0, 64, 4, 3)
    sections = [
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
        (1, 2, 0, 0, places[0], len(symbols), 2, 1, 8, 24),
        (9, 3, 0, 0, places[1], len(strings), 0, 0, 1, 0),
        (17, 3, 0, 0, places[2], len(titles), 0, 0, 1, 0)]
    body = head + symbols + strings + titles
    return body.ljust(table, b"\0") + b"".join(struct.pack("<IIQQQQIIQQ", *one) for one in sections)


def theirs(names, tool):
    with tempfile.NamedTemporaryFile(suffix=".o") as file:
        file.write(object_of(names))
        file.flush()
        lines = subprocess.run([tool, "-C", "-p", file.name], stdout=subprocess.PIPE, check=True).stdout
    return [line[19:] for line in lines.split(b"\n")[:-1]]


def ours(names, tool, *style):
    run = subprocess.run(
        [tool, "demangle", *style], input=b"\n".join(names) + b"\n", stdout=subprocess.PIPE, check=True)
    return run.stdout.split(b"\n")[:-1]


def undecorated(names, tool):
    """llvm-undname prints each name, its text if there is one, and an empty line."""
    run = subprocess.run(
        [tool], input=b"\n".join(names) + b"\n", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    texts = []
    for part in run.stdout.split(b"\n\n")[:len(names)]:
        lines = part.split(b"\n")
        texts.append(lines[1] if len(lines) > 1 else lines[0])
    return texts


def microsoft_names_of(path):
    if os.path.isdir(path):
        for folder, _, files in os.walk(path):
            for file in files:
                yield from microsoft_names_of(os.path.join(folder, file))
        return
    with open(path, "rb") as file:
        data = file.read()
    if data[:26] == b"Microsoft C/C++ MSF 7.00\r\n":
        data = subprocess.run(
            ["llvm-pdbutil", "dump", "-publics", "-symbols", path], capture_output=True).stdout
    elif data[:2] == b"MZ":
        data = b"".join(
            subprocess.run(["llvm-readobj", option, path], capture_output=True).stdout
            for option in ("--coff-exports", "--coff-imports"))
    for word in re.split(rb"[\s`'\"\0]+", data):
        if MICROSOFT.match(word):
            yield word


def names_of(path):
    if os.path.isdir(path):
        for folder, _, files in os.walk(path):
            for file in files:
                yield from names_of(os.path.join(folder, file))
        return
    with open(path, "rb") as file:
        data = file.read()
    if data[:4] in (b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe") or data[:2] == b"MZ":
        data = b"".join(
            subprocess.run(["llvm-nm"] + option + [path], capture_output=True).stdout
            for option in ([], ["-D"]))
    for word in data.split():
        word = word.split(b"@")[0]
        if NAME.match(word):
            yield word


def mutated(names, count, seed, letters=LETTERS):
    generator = random.Random(seed)
    names = [name for name in names if 8 < len(name) < 300]
    for _ in range(count if names else 0):
        name = bytearray(generator.choice(names))
        for _ in range(generator.choice([1, 1, 2, 3])):
            place = generator.randrange(3, len(name))
            kind = generator.randrange(4)
            if kind == 0:
                name[place] = generator.choice(letters)
            elif kind == 1:
                name.insert(place, generator.choice(letters))
            elif kind == 2 and len(name) > 5:
                del name[place]
            else:
                other = generator.choice(names)
                start = generator.randrange(2, len(other))
                name[place:place] = other[start:start + generator.randrange(1, 30)]
        yield bytes(name)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="+", metavar="PATH")
    parser.add_argument("--mutate", type=int, default=0, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--examples", type=int, default=3, metavar="N")
    parser.add_argument("--nm", default="llvm-nm", help="LLVM's newest nm")
    parser.add_argument("--microsoft", action="store_true", help="names of Microsoft's compiler")
    parser.add_argument("--undname", default="llvm-undname-19", help="LLVM's newest undname")
    parser.add_argument("--bench", default=MAYDAY_BENCH)
    options = parser.parse_args()
    read = microsoft_names_of if options.microsoft else names_of
    letters = MICROSOFT_LETTERS if options.microsoft else LETTERS
    names = sorted({name for path in options.paths for name in read(path)})
    names += sorted(set(mutated(names, options.mutate, options.seed, letters)))
    # Rust's older names are printed as Rust's tools do.
    names = [name for name in names if not re.search(rb"17h[0-9a-f]{16}E", name)]
    start = time.monotonic()
    llvm_texts = undecorated(names, options.undname) if options.microsoft else theirs(names, options.nm)
    middle = time.monotonic()
    own_texts = ours(names, options.bench, *(["full"] if options.microsoft else []))
    if options.microsoft:
        seconds = middle - start, time.monotonic() - middle
        print(f"{len(names):,} names: llvm-undname {seconds[0]:.3f} s, mayday {seconds[1]:.3f} s, "
              f"{seconds[0] / seconds[1]:.1f}x")
    kinds = collections.defaultdict(list)
    for name, llvm, own in zip(names, llvm_texts, own_texts):
        if llvm == own:
            kinds["the same" if own != name else "left as they are by both"].append(None)
        else:
            kinds["ours alone" if llvm == name else
                  "LLVM's alone" if own == name else "different"].append((name, llvm, own))
    for kind, found in sorted(kinds.items(), key=lambda pair: -len(pair[1])):
        print(f"{len(found):9,} {kind}")
        for example in sorted(filter(None, found), key=lambda one: len(one[0]))[:options.examples]:
            print("".join(f"          {text.decode(errors='replace')}\n" for text in example))
    same = len(kinds["the same"])
    asked = same + len(kinds["LLVM's alone"]) + len(kinds["different"])
    print(f"{100 * same / max(asked, 1):.4f} % of {asked:,} as LLVM prints them")
    sys.exit(same < 0.999 * asked or not asked)


if __name__ == "__main__":
    main()
