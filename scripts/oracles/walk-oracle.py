#!/usr/bin/env python3
"""Compares walked stacks with those of gdb and eu-stack, and with calls that are known.

Programs in C, C++, Rust, Go and Swift (oracles/walking) are compiled in several ways and crashed in several ways;
C also for other processors, in qemu. The stacks of their core files are compared frame by frame, and a table is printed. Then programs are stepped by
instructions, and each walk is compared with the calls that are open.

  walk-oracle.py [--mayday PROGRAM] [--bench PROGRAM] [--only TEXT] [--verbose]
"""
import argparse
import collections
import itertools
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = os.path.join(HERE, "walking")

GDB = """
import gdb
for thread in gdb.selected_inferior().threads():
    thread.switch()
    frame = gdb.newest_frame()
    count = 0
    while frame is not None and count < 400:
        # Inlined calls share a frame; tail calls have none, and gdb guesses them.
        if frame.type() not in (gdb.INLINE_FRAME, gdb.TAILCALL_FRAME):
            # Past the first frame, gdb takes what it finds beyond the end of Go's stacks for calls.
            if frame.pc() < 4096 and count > 0:
                break
            # As linkers know it, where there is debug information.
            function = frame.function()
            name = function.linkage_name if function else frame.name()
            print("FRAME", thread.ptid[1], hex(frame.pc()), name or "?")
            count += 1
        try:
            frame = frame.older()
        except gdb.error:
            frame = None
"""

C_CRASHES = [
    (where, how)
    for where in ("main", "thread", "handler", "other-stack")
    for how in ("null", "leaf", "noreturn", "null-call", "stub", "raise", "free")
] + [("main", "overflow"), ("thread", "overflow")]


def flavours():
    """Name, where it runs, compiler with options, source, and how to crash."""
    native = Native()
    for flavour in native_flavours():
        yield flavour[0], native, *flavour[1:]
    # gdb 13 does not come to an end below a signal handler of a processor with SVE.
    for target in (Emulated("aarch64", "aarch64-linux-gnu", "-cpu", "cortex-a57"),
                   Emulated("arm", "arm-linux-gnueabihf"), Attached("riscv64", "riscv64-linux-gnu")):
        for level in ("-O0", "-O2"):
            # gdb finds the libraries of programs that may lie anywhere only where the core has their code.
            yield (f"C {target.name} {level}", target,
                   [f"{target.triple}-gcc", level, "-g", "-w", "-no-pie", "-pthread"], "crash.c", C_CRASHES)


def native_flavours():
    for level in ("-O0", "-O2"):
        for pointer in ("-fno-omit-frame-pointer", "-fomit-frame-pointer"):
            mark = f"{level} {'fp' if 'no-' in pointer else 'no-fp'}"
            for cc in ("gcc", "clang"):
                options = [level, pointer, "-g", "-w", "-Wl,-z,lazy"]
                yield f"C {cc} {mark}", [cc, *options, "-pthread"], "crash.c", C_CRASHES
            yield (f"C++ {mark}", ["g++", level, pointer, "-g", "-pthread"], "crash.cpp",
                   [(w, h) for w in ("main", "thread") for h in ("null", "throw", "at")])
    for level in ("0", "2"):
        yield (f"Rust -O{level}", ["rustc", "-g", "-C", f"opt-level={level}"], "crash.rs",
               [(w, h) for w in ("main", "thread") for h in ("null", "abort")])
    yield "Go", ["go", "build"], "crash.go", [("main", ""), ("thread", "")]
    yield "Go -N -l", ["go", "build", "-gcflags=-N -l"], "crash.go", [("main", ""), ("thread", "")]
    for level in ("-Onone", "-O"):
        yield (f"Swift {level}", ["swiftc", "-g", level], "crash.swift",
               [("main", "null"), ("main", "array"), ("main", "unwrap")])


def limits(core):
    """What a program may use, and how much of a core."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CORE, (core, core))
        resource.setrlimit(resource.RLIMIT_STACK, (1 << 20, resource.RLIM_INFINITY))
    return limit


def threads_in(text):
    """Addresses and names by thread, as the script for gdb prints them."""
    threads = collections.defaultdict(list)
    for line in text.splitlines():
        if line.startswith("FRAME "):
            _, thread, address, name = line.split(" ", 3)
            threads[int(thread)].append((int(address, 16), name))
    return threads


class Native:
    """This machine's programs."""
    gdb = "gdb"
    # The bits of an address; one of 32-bit Arm says in which state the processor was.
    mask = (1 << 64) - 1

    def compilers(self, command):
        return [command[0]]

    def crash(self, program, arguments, folder):
        """Runs a program in a folder of its own until it crashes; the path of its core, and gdb's frames."""
        environment = dict(os.environ, GOTRACEBACK="crash", SWIFT_BACKTRACE="enable=no")
        subprocess.run([program, *arguments], cwd=folder, preexec_fn=limits(resource.RLIM_INFINITY),
                       env=environment, timeout=60, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        cores = [name for name in os.listdir(folder) if name.startswith("core")]
        if not cores:
            return None, None
        core = os.path.join(folder, cores[0])
        return core, self.frames(program, core)

    def frames(self, program, core):
        text = subprocess.run(
            [self.gdb, "-nx", "-batch", "-ex", "set debuginfod enabled off", "-ex", "set backtrace past-main on",
             "-ex", "set auto-load off", *self.options(), "-x", self.script, program, core],
            capture_output=True, text=True, timeout=120).stdout
        return threads_in(text)

    def options(self):
        return []

    def libraries(self, program):
        text = subprocess.run(["ldd", program], capture_output=True, text=True).stdout
        return sorted({os.path.realpath(path) for path in re.findall(r"(/\S+) \(0x", text)})

    def elfutils(self, program, core):
        text = subprocess.run(["eu-stack", "-n", "400", f"--executable={program}", f"--core={core}"],
                              capture_output=True, text=True, timeout=120).stdout
        threads, thread = collections.defaultdict(list), None
        for line in text.splitlines():
            head = re.match(r"TID (\d+):", line)
            if head:
                thread = int(head[1])
            frame = re.match(r"#\d+\s+(0x[0-9a-f]+)(?: - 1)?\s*(.*)", line)
            if frame and thread:
                threads[thread].append((int(frame[1], 16), frame[2]))
        return threads


class Emulated(Native):
    """Another processor's programs, in qemu, which writes a core when its program crashes."""
    gdb = "gdb-multiarch"

    def __init__(self, name, triple, *options):
        self.name = name
        self.triple = triple
        self.emulator = [f"qemu-{name}", *options, "-L", f"/usr/{triple}"]
        self.root = f"/usr/{triple}"
        if name == "arm":
            self.mask -= 1

    def compilers(self, command):
        return [command[0], self.emulator[0], self.gdb]

    def crash(self, program, arguments, folder):
        # qemu dies of the signal, too, and leaves a core of its own.
        subprocess.run([*self.emulator, program, *arguments], cwd=folder,
                       preexec_fn=limits(resource.RLIM_INFINITY), timeout=60,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        cores = [name for name in os.listdir(folder) if name.startswith("qemu_")]
        if not cores:
            return None, None
        core = os.path.join(folder, cores[0])
        return core, self.frames(program, core)

    def options(self):
        return ["-ex", f"set sysroot {self.root}"]

    def elfutils(self, program, core):
        # It has no way to say where the libraries of another system are.
        return {}

    def libraries(self, program):
        folder = os.path.join(self.root, "lib")
        return [os.path.join(folder, name) for name in sorted(os.listdir(folder))
                if name == "libc.so.6" or name.startswith("ld-linux")]


class Attached(Emulated):
    """A processor for which qemu writes no core: gdb stops the program and writes what a core holds."""

    def crash(self, program, arguments, folder):
        socket, core = os.path.join(folder, "gdb"), os.path.join(folder, "core.gdb")
        qemu = subprocess.Popen([*self.emulator, "-g", socket, program, *arguments],
                                preexec_fn=limits(0), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            for _ in range(200):
                if os.path.exists(socket):
                    break
                time.sleep(0.05)
            text = subprocess.run(
                [self.gdb, "-nx", "-batch", "-ex", "set debuginfod enabled off",
                 "-ex", "set backtrace past-main on", "-ex", "set auto-load off", *self.options(),
                 "-ex", f"file {program}", "-ex", f"target remote {socket}", *self.signals(arguments),
                 "-ex", "continue", "-x", self.script, "-x", os.path.join(SOURCES, "gdb-core.py")],
                capture_output=True, text=True, timeout=120, env=dict(os.environ, WALK_CORE=core)).stdout
        finally:
            qemu.kill()
            qemu.wait()
        return (core, threads_in(text)) if os.path.exists(core) else (None, None)

    def signals(self, arguments):
        # The first fault is what the program's handler is for; the second one ends it.
        return ["-ex", "continue"] if arguments[0] in ("handler", "other-stack") else []


def frames_of_mayday(mayday, program, libraries, core):
    command = [mayday, "symbolicate", core, "--json", "--full", "--config", "/dev/null"]
    for path in [program, *libraries]:
        command += ["--symbols", path]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300,
                            env=dict(os.environ, SWIFT_BACKTRACE="enable=no"))
    if not result.stdout:
        sys.exit(f"{' '.join(command)}: {result.stderr}")
    threads = {}
    for thread in json.loads(result.stdout)["threads"]:
        threads[thread["id"]] = [
            (int(frame["address"], 16), frame.get("function") or frame.get("symbol") or "?", frame["trust"],
             frame.get("symbol") or frame.get("function") or "?")
            for frame in thread.get("frames", []) if not frame.get("inlined")]
    return threads


class Names:
    """The functions of the files that Mayday was given, by nm: which names are of one address."""

    def __init__(self, files):
        self.places = collections.defaultdict(set)
        for number, path in enumerate(files):
            for table in ([], ["-C"], ["-D"], ["-D", "-C"]):
                text = subprocess.run(["nm", "--defined-only", *table, path], capture_output=True, text=True,
                                      errors="replace").stdout
                for line in text.splitlines():
                    fields = line.split(" ", 2)
                    if len(fields) == 3 and re.fullmatch(r"[0-9a-f]+", fields[0]):
                        self.places[plain(fields[2])].add((number, int(fields[0], 16)))

    def fault(self, theirs, ours):
        """What is wrong with the name of a frame that gdb names otherwise; None for nothing."""
        theirs, ours = plain(theirs), plain(ours)
        if theirs == ours or theirs == "?":
            return None
        if ours == "?":
            # gdb reads debug files of its own, of libraries that are stripped here.
            return "no name" if theirs in self.places else None
        if self.places.get(ours, set()) & self.places.get(theirs, set()):
            return None
        return "another name" if theirs in self.places else \
            None if ours in self.places and theirs not in self.places else "no such name"


def plain(name):
    """A name without parameters, versions and what compilers add to parts of a function."""
    name = re.sub(r"@.*", "", name)
    name = re.sub(r"\(.*", "", name) or name
    name = re.sub(r"(\.(cold|part|isra|constprop|lto_priv)(\.\d+)?)+$", "", name)
    return name.split(" ")[-1] if not name.startswith("operator") else name


def names_of(theirs, ours, mask, names):
    """How many frames of the same place and address are named, those named wrongly, and how many frames of
    ours go on after the last of theirs."""
    named, wrong, more = 0, [], 0
    for thread, frames in theirs.items():
        mine = ours.get(thread, [])
        for index, frame in enumerate(frames[:len(mine)]):
            if mine[index][0] & mask != frame[0]:
                continue
            named += 1
            fault = names.fault(frame[1], mine[index][3])
            if fault:
                wrong.append((thread, index, frame[1], mine[index][3], fault))
        if len(frames) < 400:
            more += max(0, len(mine) - len(frames))
    return named, wrong, more


def agreement(theirs, ours, mask):
    """How many of the frames of another tool are the same here, and how many it has; the first difference."""
    same = total = 0
    differences = []
    for thread, frames in theirs.items():
        mine = ours.get(thread, [])
        total += len(frames)
        for index, frame in enumerate(frames):
            if index < len(mine) and mine[index][0] & mask == frame[0]:
                same += 1
        at = next((i for i, f in enumerate(frames) if i >= len(mine) or mine[i][0] & mask != f[0]), None)
        if at is not None:
            differences.append((thread, at, frames[max(0, at - 1):at + 3], mine[max(0, at - 1):at + 3]))
    return same, total, differences


def tasks(mayday, folder):
    """Compares the functions that wait for one that crashed with the runtime's own backtrace."""
    print("\n| asynchronous Swift | the runtime's frames | the same | open calls | found |")
    print("|---|---|---|---|---|")
    calls = [".crash(", ".feed(", ".hatch(", ".Nest.tend(", ".season()", "Main"]
    complete = True
    for level in ("-Onone", "-O"):
        program = os.path.join(folder, "waiting")
        subprocess.run(["swiftc", "-g", level, "-parse-as-library", "-o", program,
                        os.path.join(SOURCES, "async.swift")], check=True)
        # Both runs have the same addresses.
        result = subprocess.run(
            ["setarch", "-R", program], capture_output=True, text=True, timeout=120, cwd=folder,
            env=dict(os.environ, SWIFT_BACKTRACE="enable=yes,threads=crashed,color=no,symbolicate=off,images=none"))
        theirs = [int(address, 16) for address in
                  re.findall(r"^ *\d+ (?:\[\w+\] )*+ *(0x[0-9a-f]+)", result.stdout + result.stderr, re.M)]
        run = os.path.join(folder, "run")
        shutil.rmtree(run, ignore_errors=True)
        os.makedirs(run)
        target = Native()
        core, _ = target.crash("/usr/bin/setarch", ["-R", program], run)
        ours = max(frames_of_mayday(mayday, program, target.libraries(program), core).values(),
                   key=lambda frames: sum(calls[0] in frame[1] for frame in frames))
        same = sum(a == b[0] for a, b in zip(theirs, ours))
        found = sum(any(name in frame[1] for frame in ours) for name in calls)
        complete = complete and found == len(calls)
        print(f"| {level} | {len(theirs)} | {same} | {len(calls)} | {found} |", flush=True)
    return complete


def steps(bench, folder, verbose):
    stepper = os.path.join(folder, "stepper")
    subprocess.run(["gcc", "-O2", "-w", "-o", stepper, os.path.join(SOURCES, "stepper.c")], check=True)
    print("\n| stepped, binding | instructions | open calls | found | instructions without a fault |")
    print("|---|---|---|---|---|")
    pointers = {"fp": "-fno-omit-frame-pointer", "no-fp": "-fomit-frame-pointer"}
    for cc, level, mark, binding in itertools.product(("gcc", "clang"), ("-O0", "-O2"), pointers, ("lazy", "now")):
        program = os.path.join(folder, "stepped")
        subprocess.run([cc, level, pointers[mark], "-g", "-w", f"-Wl,-z,{binding}", "-pthread", "-o", program,
                        os.path.join(SOURCES, "crash.c")], check=True)
        names = subprocess.run(["nm", program], capture_output=True, text=True).stdout
        main = next(line.split()[0] for line in names.splitlines() if line.endswith(" T main"))
        out = os.path.join(folder, "steps")
        subprocess.run([stepper, out, "5000", "1", program, main, "main", "leaf"], check=True,
                       stderr=subprocess.DEVNULL)
        text = subprocess.run([bench, "walk", out], capture_output=True, text=True, check=True).stdout
        figures = dict(line.split(" ", 1) for line in text.splitlines() if not line.startswith(" "))
        print(f"| {cc} {level} {mark}, {binding} | {figures['steps']} | {figures['calls']} |"
              f" {figures['found']} | {figures['right']} |", flush=True)
        if verbose:
            print("\n".join(line for line in text.splitlines() if line.startswith(" ")))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mayday", default=".build/release/mayday")
    parser.add_argument("--bench", default=".build/release/mayday-bench")
    parser.add_argument("--only", default="")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    print("| program | crashes | gdb's frames | the same | named | wrongly | more | eu-stack's frames | the same |")
    print("|---|---|---|---|---|---|---|---|---|")
    sums = [0, 0, 0, 0, 0, 0, 0]
    details, wrong_names, missing = [], [], []
    with tempfile.TemporaryDirectory(prefix="walk-oracle") as folder:
        Native.script = os.path.join(folder, "frames.py")
        with open(Native.script, "w") as file:
            file.write(GDB)
        for name, target, compiler, source, crashes in flavours():
            if options.only not in name:
                continue
            lacking = [tool for tool in target.compilers(compiler) if not shutil.which(tool)]
            if lacking:
                missing.append(f"{name}: {', '.join(lacking)} is not installed")
                continue
            program = os.path.join(folder, "crash")
            built = subprocess.run([*compiler, "-o", program, os.path.join(SOURCES, source)],
                                   capture_output=True, text=True)
            if built.returncode != 0:
                sys.exit(f"{name}: {built.stderr}")
            row, count = [0] * 7, 0
            names = Names([program, *target.libraries(program)])
            for where, how in crashes:
                run = os.path.join(folder, "run")
                shutil.rmtree(run, ignore_errors=True)
                os.makedirs(run)
                core, gdb = target.crash(program, [where, how], run)
                # A linker may put the table of the stubs elsewhere.
                if core is None and how == "stub":
                    continue
                if core is None:
                    sys.exit(f"{name}, {where} {how}: no core; is /proc/sys/kernel/core_pattern a plain name?")
                count += 1
                ours = frames_of_mayday(options.mayday, program, target.libraries(program), core)
                named, wrong, more = names_of(gdb, ours, target.mask, names)
                row[2], row[3], row[4] = row[2] + named, row[3] + len(wrong), row[4] + more
                wrong_names += [(name, where, how, *entry) for entry in wrong]
                for at, theirs in ((0, gdb), (5, target.elfutils(program, core))):
                    same, total, differences = agreement(theirs, ours, target.mask)
                    row[at] += total
                    row[at + 1] += same
                    for difference in differences:
                        details.append((name, where, how, "gdb" if at == 0 else "eu-stack", difference))
            print(f"| {name} | {count} | {' | '.join(map(str, row))} |", flush=True)
            sums = [a + b for a, b in zip(sums, row)]
        print(f"| all |  | {' | '.join(map(str, sums))} |")
        if sums[0]:
            print(f"\n{100 * sums[1] / sums[0]:.2f} % of gdb's frames, {100 * sums[6] / max(1, sums[5]):.2f} % of eu-stack's")
        for line in missing:
            print(f"left out: {line}")
        for (name, where, how, thread, index, theirs, mine, fault), times in collections.Counter(
                [entry[:3] + (0, 0) + entry[5:] for entry in wrong_names]).most_common(20):
            print(f"{name}, {where} {how}: {mine} for gdb's {theirs}, {times} times: {fault}")
        if options.verbose:
            for name, where, how, tool, (thread, at, theirs, mine) in details:
                print(f"\n{name}, {where} {how}: thread {thread} differs from {tool} at frame {at}")
                for frame in theirs:
                    print(f"  {tool:9} {frame[0]:#x} {frame[1]}")
                for frame in mine:
                    print(f"  mayday    {frame[0]:#x} {frame[1]} {frame[2]}")
        complete = not shutil.which("swiftc") or options.only not in "Swift tasks" or tasks(options.mayday, folder)
        if os.path.exists(options.bench):
            steps(options.bench, folder, options.verbose)
    if sums[0] and sums[1] < 0.99 * sums[0]:
        sys.exit("less than 99 % of gdb's frames are the same")
    if wrong_names:
        sys.exit(f"{len(wrong_names)} frames have a wrong name")
    if not complete:
        sys.exit("functions of Swift that wait are missing")


main()
