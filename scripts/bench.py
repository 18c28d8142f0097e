#!/usr/bin/env python3
"""Measures Mayday beside its peers and prints medians and ratios.

Everything runs on this machine, in turn with its peer (A B A B ...), so that a ratio holds when the
machine's speed drifts. Inputs and peers are fetched and built under .bench/ on the first run.
"""
import argparse
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BENCH = os.path.join(ROOT, ".bench")
MAYDAY = os.path.join(ROOT, ".build/release/mayday")
OWN = os.path.join(ROOT, ".build/release/mayday-bench")
PACKAGES = {
    "small": ["libc6-dbg", "libstdc++6-12-dbg", "python3.11-dbg"],
    "large": ["librados2-dbg", "openjdk-17-dbg"],
}


def say(text):
    print(text, file=sys.stderr, flush=True)


class Run:
    """One finished process, by the operating system's own accounting."""

    def __init__(self, command, stdin=None):
        source = open(stdin or os.devnull, "rb")
        with open(os.path.join(BENCH, "stderr.txt"), "wb") as errors:
            start = time.monotonic()
            process = subprocess.Popen(
                command, stdin=source, stdout=subprocess.DEVNULL, stderr=errors)
            _, status, usage = os.wait4(process.pid, 0)
            self.wall = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        source.close()
        self.code = process.returncode
        self.cpu = usage.ru_utime + usage.ru_stime
        self.peak = usage.ru_maxrss / 1024
        if self.code != 0:
            with open(os.path.join(BENCH, "stderr.txt"), errors="replace") as errors:
                raise SystemExit(f"{' '.join(command)}: exit {self.code}: {errors.read()[:500]}")


def in_turn(runs, **commands):
    """Runs the commands in turn, after one round to warm up; the runs by name."""
    done = {name: [] for name in commands}
    for round in range(runs + 1):
        for name, call in commands.items():
            run = call()
            if round > 0:
                done[name].append(run)
    return done


def median(runs, figure):
    return statistics.median(getattr(run, figure) for run in runs)


def ratio(ours, theirs, figure):
    """How many times as much the peer took, pair by pair."""
    return statistics.median(
        getattr(their, figure) / max(getattr(our, figure), 1e-6)
        for our, their in zip(ours, theirs))


def table(title, header, rows):
    print(f"\n{title}\n")
    lines = [header] + [[str(cell) for cell in row] for row in rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    for number, line in enumerate(lines):
        print("  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths))).rstrip())
        if number == 0:
            print("  ".join("-" * width for width in widths))
    sys.stdout.flush()


# Inputs and peers


def prepare(size):
    os.makedirs(BENCH, exist_ok=True)
    venv = os.path.join(BENCH, "venv")
    if not os.path.exists(os.path.join(venv, "done")):
        say("Making a Python environment with symbolic")
        subprocess.check_call([sys.executable, "-m", "venv", venv])
        subprocess.check_call([os.path.join(venv, "bin/pip"), "install", "-q", "symbolic==13.9.0"])
        open(os.path.join(venv, "done"), "w").close()
    decoder = os.path.join(BENCH, "decode-ips")
    if not os.path.exists(decoder):
        say("Building the JSONDecoder peer")
        source = os.path.join(ROOT, "scripts/peers/decode-ips.swift")
        subprocess.check_call(["swiftc", "-O", "-o", decoder, source])
    names = PACKAGES["small"] + (PACKAGES["large"] if size == "large" else [])
    return [fetch(name) for name in names] + [rust_library(venv)]


def fetch(package):
    """The largest debug file of a Debian package, unpacked: (name, path)."""
    folder = os.path.join(BENCH, package)
    if not os.path.exists(os.path.join(folder, "done")):
        say(f"Fetching {package}")
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        subprocess.check_call(
            ["apt-get", "download", "-qq", "-o", "APT::Sandbox::User=root", package], cwd=folder)
        archive = [name for name in os.listdir(folder) if name.endswith(".deb")][0]
        subprocess.check_call(["dpkg-deb", "-x", archive, "."], cwd=folder)
        open(os.path.join(folder, "done"), "w").close()
    plain = os.path.join(folder, "plain")
    if not os.path.exists(plain):
        files = [
            os.path.join(path, name)
            for path, _, names in os.walk(os.path.join(folder, "usr")) for name in names
            if os.path.isfile(os.path.join(path, name)) and is_elf(os.path.join(path, name))]
        largest = max(files, key=os.path.getsize)
        subprocess.check_call(["objcopy", "--decompress-debug-sections", largest, plain])
    return package, plain


def is_elf(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def rust_library(venv):
    plain = os.path.join(BENCH, "rust-symbolic")
    if not os.path.exists(plain):
        for path, _, names in os.walk(os.path.join(venv, "lib")):
            for name in names:
                if re.match(r".*lowlevel.*\.so$", name):
                    subprocess.check_call(
                        ["objcopy", "--decompress-debug-sections", os.path.join(path, name), plain])
    return "rust-symbolic", plain


def sections(path):
    """Address and size of each section by name."""
    found = {}
    text = subprocess.run(["readelf", "-SW", path], capture_output=True, text=True).stdout
    for line in text.splitlines():
        match = re.match(r"\s*\[ *\d+\] (\S+)\s+\S+\s+([0-9a-f]+) ([0-9a-f]+) ([0-9a-f]+)", line)
        if match:
            found[match[1]] = (int(match[2], 16), int(match[4], 16))
    return found


def addresses(path, count):
    """A file of random code addresses of an executable, always the same ones."""
    start, size = sections(path)[".text"]
    choose = random.Random(20)
    name = os.path.join(BENCH, "addresses.txt")
    with open(name, "w") as out:
        for _ in range(count):
            out.write(f"0x{start + choose.randrange(size):x}\n")
    return name


def reports(count, size):
    """A folder of reports of about `size` bytes, made of the samples with their threads repeated."""
    folder = os.path.join(BENCH, f"reports-{count}-{size}")
    if os.path.exists(os.path.join(folder, "done")):
        return os.path.join(folder, "files")
    say(f"Composing {count} reports of about {size // 1000} KB")
    shutil.rmtree(folder, ignore_errors=True)
    files = os.path.join(folder, "files")
    os.makedirs(files)
    samples = []
    source = os.path.join(ROOT, "Samples/apple-ips")
    for name in sorted(os.listdir(source)):
        text = open(os.path.join(source, name)).read()
        first, _, rest = text.partition("\n")
        try:
            header, body = json.loads(first), json.loads(rest)
        except json.JSONDecodeError:
            continue
        others = [thread for thread in body["threads"] if not thread.get("triggered")]
        if others:
            samples.append((header, body, others))
    for number in range(count):
        header, body, others = samples[number % len(samples)]
        incident = "%08X-0000-4000-8000-%012X" % (number, number)
        header = dict(header, incident_id=incident)
        body = dict(body, incident=incident, threads=list(body["threads"]))
        length = len(json.dumps(body))
        while length < size:
            for thread in others:
                copy = dict(thread, id=len(body["threads"]) + 1000)
                body["threads"].append(copy)
                length += len(json.dumps(copy))
        lines = ",\n".join(
            f"  {json.dumps(key)} : {json.dumps(value, separators=(',', ':'))}"
            for key, value in body.items())
        with open(os.path.join(files, f"report-{number:05}.ips"), "w") as out:
            out.write(json.dumps(header) + "\n{\n" + lines + "\n}\n")
    open(os.path.join(folder, "done"), "w").close()
    return files


# Measurements


def bench_triage(runs):
    folder = reports(2000, 100_000)
    names = os.listdir(folder)
    total = sum(os.path.getsize(os.path.join(folder, name)) for name in names)
    command = [MAYDAY, "triage", folder, "--symbols", os.path.join(ROOT, "Symbols"), "--json"]
    done = in_turn(runs, mayday=lambda: Run(command))["mayday"]
    wall = median(done, "wall")
    table(
        f"triage of {len(names)} Apple reports of {total / len(names) / 1000:.0f} KB with symbols",
        ["reports/s", "MB/s", "wall s", "CPU s", "peak MB"],
        [[
            f"{len(names) / wall:.0f}", f"{total / 1e6 / wall:.0f}", f"{wall:.2f}",
            f"{median(done, 'cpu'):.2f}", f"{median(done, 'peak'):.0f}"]])


def bench_parse(runs):
    folder = reports(20, 300_000)
    paths = [os.path.join(folder, name) for name in sorted(os.listdir(folder))]

    def rate(command):
        return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    ours, theirs = [], []
    for _ in range(runs):
        ours.append(rate([OWN, "parse"] + paths))
        theirs.append(rate([os.path.join(BENCH, "decode-ips")] + paths))
    table(
        ".ips parse, 300 KB reports, one thread",
        ["", "MB/s"],
        [
            ["mayday, to a CrashReport", f"{statistics.median(ours):.0f}"],
            ["JSONDecoder, to structures", f"{statistics.median(theirs):.0f}"],
            ["ratio", f"{statistics.median(a / b for a, b in zip(ours, theirs)):.1f}x"],
        ])


def bench_compile(inputs, runs):
    rows, memory, sizes = [], [], []
    python = os.path.join(BENCH, "venv/bin/python")
    peer = os.path.join(ROOT, "scripts/peers/symcache.py")
    out = lambda name: os.path.join(BENCH, name)
    for name, path in inputs:
        info = sections(path)[".debug_info"][1]
        done = in_turn(
            runs,
            mayday=lambda: Run([OWN, "compile", path, out("own.symcache")]),
            symbolic=lambda: Run([python, peer, path, out("symbolic.symcache")]),
            gsymutil=lambda: Run(
                ["llvm-gsymutil-14", "--convert", path, "-o", out("peer.gsym"),
                 "--num-threads=1"]))
        ours = done["mayday"]
        rows.append([
            name, f"{info / 1e6:.1f}", f"{info / 1e6 / median(ours, 'cpu'):.0f}",
            f"{median(ours, 'cpu'):.3f}", f"{median(done['symbolic'], 'cpu'):.3f}",
            f"{ratio(ours, done['symbolic'], 'cpu'):.1f}x",
            f"{median(done['gsymutil'], 'cpu'):.3f}",
            f"{ratio(ours, done['gsymutil'], 'cpu'):.1f}x"])
        size = lambda file: os.path.getsize(out(file))
        memory.append([
            name, f"{median(ours, 'peak'):.0f}", f"{median(done['symbolic'], 'peak'):.0f}",
            f"{median(done['gsymutil'], 'peak'):.0f}",
            f"{size('own.symcache') / 1e6:.2f}", f"{size('symbolic.symcache') / 1e6:.2f}",
            f"{size('own.symcache') / size('symbolic.symcache'):.2f}"])
    table(
        "Symbol cache compile, one thread, CPU seconds of the whole process",
        ["input", "info MB", "MB/s", "mayday", "symbolic", "ratio", "gsymutil", "ratio"], rows)
    table(
        "The same: peak memory in MB, size of the cache in MB",
        ["input", "mayday", "symbolic", "gsymutil", "cache", "symcache", "ratio"], memory)


def bench_look_up(inputs, runs, count):
    rows = []
    for name, path in inputs:
        once = addresses(path, count)
        twice = os.path.join(BENCH, "twice.txt")
        with open(once) as source, open(twice, "w") as out:
            out.write(source.read() * 2)
        ours = [MAYDAY, "lookup", "--json", "-o", path]
        peer = ["llvm-symbolizer", "--output-style=JSON", "-e", path]
        done = in_turn(
            runs,
            ours=lambda: Run(ours, once), peer=lambda: Run(peer, once),
            ours_twice=lambda: Run(ours, twice), peer_twice=lambda: Run(peer, twice))
        second = lambda name: max(median(done[name + "_twice"], "wall") - median(done[name], "wall"), 1e-4)
        rows.append([
            name,
            f"{count / median(done['ours'], 'wall'):.0f}",
            f"{count / median(done['peer'], 'wall'):.0f}",
            f"{ratio(done['ours'], done['peer'], 'wall'):.1f}x",
            f"{count / second('ours'):.0f}", f"{count / second('peer'):.0f}",
            f"{second('peer') / second('ours'):.1f}x"])
    table(
        f"{count} look-ups on standard input, JSON, against llvm-symbolizer, addresses a second",
        ["input", "first", "llvm", "ratio", "second", "llvm", "ratio"], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", choices=["small", "large"], default="small")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--addresses", type=int, default=100_000)
    parser.add_argument("only", nargs="*", help="triage, parse, compile, lookup, grouping")
    options = parser.parse_args()
    wanted = lambda name: not options.only or name in options.only
    inputs = prepare(options.size)
    with open("/proc/cpuinfo") as info:
        model = re.search(r"model name\s*: (.*)", info.read())
    print(f"{os.cpu_count()} x {model[1] if model else 'unknown processor'},"
          f" medians of {options.runs} runs in turn")
    if wanted("triage"):
        bench_triage(options.runs)
    if wanted("parse"):
        bench_parse(options.runs)
    if wanted("compile"):
        bench_compile(inputs, options.runs)
    if wanted("lookup"):
        bench_look_up(inputs, options.runs, options.addresses)


if __name__ == "__main__":
    main()
