#!/usr/bin/env python3
"""Writes what llvm-symbolizer says about the debug files in Symbols, for tests to compare with.

    expected.py LLVM-SYMBOLIZER SYMBOLS SAMPLES

Every debug file, or every architecture of one, gets a file Symbols/expected/ID.jsonl: a line for each
address, as `llvm-symbolizer --output-style=JSON --no-demangle` prints it. The addresses are all that
the samples ask of that file, ready for look-up (one less for return addresses), and random ones inside
its functions. index.tsv says which file belongs to which debug file, architecture and sample count.

The samples are read by a few regular expressions here, which share nothing with the product.
"""

import glob
import json
import os
import random
import re
import subprocess
import sys

TEXT = 0x1_0000_0000
# How many random addresses are kept: (with a line, without one), and of files that know no lines.
KEPT, KEPT_OF_VARIANT, KEPT_WITHOUT_LINES = (90, 10), (40, 8), 24

# Files that llvm-symbolizer cannot read, or finds nothing in on its own: what it says about the same
# code in another file is the truth for them. LLVM dropped .zdebug sections, the toolchain's is built
# without zstd, and it does not look into .gnu_debugdata.
STAND_INS = {
    "variants/compressed-zlib-gnu": "variants/plain",
    "variants/compressed-zstd": "variants/plain",
    "variants/debuglink": "variants/debuglink.debug",
    "variants/minidebug": "variants/minidebug.symbols",
    "variants/macho-map-arm64.dylib": "variants/macho-map-arm64.dsym",
    "variants/macho-map-x86_64.dylib": "variants/macho-map-x86_64.dsym",
    "variants/wasm32-split.wasm": "variants/wasm32-dwarf5.wasm",
}


def main():
    symbolizer, symbols, samples = sys.argv[1:]
    os.chdir(symbols)
    nm = os.path.join(os.path.dirname(symbolizer), "llvm-nm")
    files = debug_files()
    asked = {key: set() for key in files}
    for path in sorted(glob.glob(os.path.join(samples, "*", "*"))):
        text = open(path, encoding="utf-8", newline="").read()
        kind = os.path.basename(os.path.dirname(path))
        found = READERS[kind](text) if kind in READERS else ()
        for key, address in found:
            if key in asked:
                asked[key].add(address)
    subprocess.run(["rm", "-rf", "expected"], check=True)
    os.makedirs("expected/variants")
    with open("expected/index.tsv", "w") as index:
        index.write("look-ups\tdebug file\tarchitecture\tasked of\tfrom samples\tin all\n")
        for key, (path, arch) in sorted(files.items()):
            asked_of = STAND_INS.get(path, path)
            query = Query(symbolizer, nm, asked_of, arch)
            addresses = sorted(asked[key])
            lines = query.answers(addresses)
            lines += query.random_answers(key, set(addresses))
            with open(f"expected/{key}.jsonl", "w") as output:
                output.writelines(line.replace(f'"{asked_of}"', f'"{path}"') for line in lines)
            index.write(f"{key}.jsonl\t{path}\t{arch or '-'}\t{asked_of if asked_of != path else '-'}\t{len(addresses)}\t{len(lines)}\n")


def debug_files():
    """Name of the look-ups -> (path, architecture): build id, UUID, or the file's own name."""
    found = {}
    for path in glob.glob("*/.build-id/*/*.debug", include_hidden=True):
        found["".join(path[: -len(".debug")].split("/")[-2:])] = (path, None)
    for path in glob.glob("gcc/*.debug"):
        found[os.path.basename(path)[: -len(".debug")]] = (path, None)
    for path in glob.glob("apple/*/*/*.dSYM/Contents/Resources/DWARF/*"):
        output = subprocess.run(["llvm-dwarfdump-14", "--uuid", path], check=True, capture_output=True, text=True).stdout
        for uuid, arch in re.findall(r"UUID: (\S+) \((\w+)\)", output):
            found[uuid.lower()] = (path, arch)
    for path in glob.glob("variants/*"):
        if os.path.isfile(path) and not path.endswith((".md", ".tsv")):
            found[path] = (path, None)
    return found


class Query:
    def __init__(self, symbolizer, nm, path, arch):
        self.command = [symbolizer, "--output-style=JSON", "--no-demangle", "--obj=" + path]
        self.command += ["--default-arch=" + arch] if arch else []
        self.nm = [nm, "--defined-only", "--numeric-sort", "--format=posix", "-t", "x"]
        self.nm += ["--arch=" + arch] if arch else []
        self.path = path

    def answers(self, addresses):
        text = "".join(f"{a:#x}\n" for a in addresses)
        output = subprocess.run(self.command, input=text, check=True, capture_output=True, text=True).stdout
        return output.splitlines(keepends=True)

    def function_starts(self):
        if self.path.endswith(".wasm"):  # llvm-nm shows no symbols of a linked module
            return list(range(1, wasm_code_size(self.path), 24))
        found = set()
        for extra in ([], ["--dynamic"]):
            output = subprocess.run(self.nm + extra + [self.path], capture_output=True, text=True).stdout
            for line in output.splitlines():
                fields = line.split()
                if len(fields) >= 3 and fields[1] in "TtWiV":
                    found.add(int(fields[2], 16))
        return sorted(found)

    def random_answers(self, name, known):
        """Answers for random addresses, mostly such that have lines; the seed is the file's name."""
        seed, starts = random.Random(os.path.basename(name)), self.function_starts()
        if not starts:  # stripped: nothing is known anywhere
            return self.answers(range(0x201200, 0x201400, 0x20))
        ends = starts[1:] + [starts[-1] + 16]
        chosen = set()
        for _ in range(4000):
            i = seed.randrange(len(starts))
            chosen.add(starts[i] + seed.randrange(max(1, min(ends[i] - starts[i], 2000))))
        chosen = sorted(chosen - known)
        lines = self.answers(chosen)
        has = [bool(json.loads(line)["Symbol"] and json.loads(line)["Symbol"][0]["FileName"]) for line in lines]
        with_lines = [line for line, good in zip(lines, has) if good]
        without = [line for line, good in zip(lines, has) if not good]
        most = KEPT_OF_VARIANT if name.startswith("variants/") else KEPT
        if not with_lines:
            most = (0, KEPT_WITHOUT_LINES)
        kept = seed.sample(with_lines, min(most[0], len(with_lines)))
        kept += seed.sample(without, min(most[1], len(without)))
        return sorted(kept, key=lambda line: int(json.loads(line)["Address"], 16))


def wasm_code_size(path):
    with open(path, "rb") as file:
        data = file.read()

    def number(at):
        value = shift = 0
        while True:
            value |= (data[at] & 127) << shift
            at, shift = at + 1, shift + 7
            if data[at - 1] < 128:
                return value, at

    at = 8
    while at < len(data):
        size, start = number(at + 1)
        if data[at] == 10:
            return size
        at = start + size
    return 0


# ---------------------------------------------------------------- addresses in the samples


def sanitizer(text):
    """Offsets are those of the call already."""
    for module, offset, build_id in re.findall(r"\((\S+)\+0x([0-9a-f]+)\)(?: \(BuildId: ([0-9a-f]+)\))?", text):
        yield build_id or os.path.basename(module), int(offset, 16)


def swift_backtrace(text):
    if '{ "timestamp"' in text:
        yield from swift_json(json.loads(text[text.index('{ "timestamp"') :]))
        return
    text = re.sub(r"\x1b\[[0-9;]*m", "", text)
    images = [(int(a, 16), int(b, 16), i) for a, b, i in
              re.findall(r"^0x([0-9a-f]+)–0x([0-9a-f]+) ([0-9a-f]+) ", text, re.M)]
    for flags, address in re.findall(r"^ *\d+ ((?:\[\w+\] )*) *0x([0-9a-f]+)", text, re.M):
        yield from inside(images, int(address, 16), "[ra]" in flags)


def swift_json(report):
    images = [(int(i["baseAddress"], 16), int(i["endOfText"], 16), i.get("buildId")) for i in report["images"]]
    for thread in report["threads"]:
        for frame in thread["frames"]:
            if "address" in frame:
                yield from inside(images, int(frame["address"], 16), frame["kind"] == "returnAddress")


def inside(images, address, is_return):
    for base, end, build_id in images:
        if base <= address < end:
            yield build_id, address - base - is_return


def apple_ips(text):
    body = text
    try:
        report = json.loads(body)
        if "threads" not in report:
            raise ValueError
    except ValueError:
        _, end = json.JSONDecoder().raw_decode(text)
        report = json.loads(text[end:])
    images = report["usedImages"]

    def lookups(frames, exact):
        for number, frame in enumerate(frames):
            image = images[frame["imageIndex"]]
            if image["name"] == "Tern":
                yield image["uuid"].lower(), TEXT + frame["imageOffset"] - (0 if exact and number == 0 else 1)

    for thread in report["threads"]:
        yield from lookups(thread["frames"], True)
    yield from lookups(report.get("lastExceptionBacktrace", ()), False)


def apple_crash(text):
    text = text.replace("\r\n", "\n")
    base, uuid = re.search(r"^ *0x([0-9a-f]+) - +0x[0-9a-f]+ (?:\+shop|Tern ).*<([0-9A-Fa-f-]+)>", text, re.M).groups()
    base, uuid = int(base, 16), uuid.replace("-", "").lower()
    uuid = "-".join((uuid[:8], uuid[8:12], uuid[12:16], uuid[16:20], uuid[20:]))
    last = False
    for line in text.splitlines():
        if line.startswith("Last Exception"):
            last = True
        elif line.startswith("Thread "):
            last = False
        elif last and line.startswith("(0x"):
            for address in re.findall(r"0x[0-9a-f]+", line):
                if 0 <= int(address, 16) - base < 0x100000:
                    yield uuid, TEXT + int(address, 16) - base - 1
        elif found := re.match(r"(\d+) +Tern\s+0x([0-9a-f]+) ", line):
            yield uuid, TEXT + int(found[2], 16) - base - (0 if found[1] == "0" and not last else 1)


READERS = {"sanitizer": sanitizer, "swift-backtrace": swift_backtrace, "apple-ips": apple_ips, "apple-crash": apple_crash}

main()
