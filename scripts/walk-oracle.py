#!/usr/bin/env python3
"""Compares walked stacks with those of gdb and eu-stack, and with calls that are known.

Programs in C, C++, Rust, Go and Swift (scripts/walking) are compiled in several ways and crashed in several ways.
The stacks of their core files are compared frame by frame, and a table is printed. Then programs are stepped by
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
            print("FRAME", thread.ptid[1], hex(frame.pc()), frame.name() or "?")
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
    """Name, compiler with options, source, and how to crash."""
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


def core_of(program, arguments, folder):
    """Runs a program in a folder of its own until it crashes; the path of its core."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)

    def limits():
        resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        resource.setrlimit(resource.RLIMIT_STACK, (1 << 20, resource.RLIM_INFINITY))

    environment = dict(os.environ, GOTRACEBACK="crash", SWIFT_BACKTRACE="enable=no")
    subprocess.run([program, *arguments], cwd=folder, preexec_fn=limits, env=environment, timeout=60,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    cores = [name for name in os.listdir(folder) if name.startswith("core")]
    return os.path.join(folder, cores[0]) if cores else None


def libraries(program):
    text = subprocess.run(["ldd", program], capture_output=True, text=True).stdout
    return sorted({os.path.realpath(path) for path in re.findall(r"(/\S+) \(0x", text)})


def frames_of_gdb(program, core, folder):
    script = os.path.join(folder, "frames.py")
    with open(script, "w") as file:
        file.write(GDB)
    text = subprocess.run(
        ["gdb", "-nx", "-batch", "-ex", "set debuginfod enabled off", "-ex", "set backtrace past-main on",
         "-ex", "set auto-load off", "-x", script, program, core],
        capture_output=True, text=True, timeout=120).stdout
    threads = collections.defaultdict(list)
    for line in text.splitlines():
        if line.startswith("FRAME "):
            _, thread, address, name = line.split(" ", 3)
            threads[int(thread)].append((int(address, 16), name))
    return threads


def frames_of_elfutils(program, core):
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


def frames_of_mayday(mayday, program, core):
    command = [mayday, "symbolicate", core, "--json", "--full", "--config", "/dev/null"]
    for path in [program, *libraries(program)]:
        command += ["--symbols", path]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300,
                            env=dict(os.environ, SWIFT_BACKTRACE="enable=no"))
    if not result.stdout:
        sys.exit(f"{' '.join(command)}: {result.stderr}")
    threads = {}
    for thread in json.loads(result.stdout)["threads"]:
        threads[thread["id"]] = [
            (int(frame["address"], 16), frame.get("function") or frame.get("symbol") or "?", frame["trust"])
            for frame in thread.get("frames", []) if not frame.get("inlined")]
    return threads


def agreement(theirs, ours):
    """How many of the frames of another tool are the same here, and how many it has; the first difference."""
    same = total = 0
    differences = []
    for thread, frames in theirs.items():
        mine = ours.get(thread, [])
        total += len(frames)
        for index, frame in enumerate(frames):
            if index < len(mine) and mine[index][0] == frame[0]:
                same += 1
        at = next((i for i, f in enumerate(frames) if i >= len(mine) or mine[i][0] != f[0]), None)
        if at is not None:
            differences.append((thread, at, frames[max(0, at - 1):at + 3], mine[max(0, at - 1):at + 3]))
    return same, total, differences


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
    print("| program | crashes | gdb's frames | the same | eu-stack's frames | the same |")
    print("|---|---|---|---|---|---|")
    sums = [0, 0, 0, 0]
    details = []
    with tempfile.TemporaryDirectory(prefix="walk-oracle") as folder:
        for name, compiler, source, crashes in flavours():
            if options.only not in name or not shutil.which(compiler[0]):
                continue
            program = os.path.join(folder, "crash")
            built = subprocess.run([*compiler, "-o", program, os.path.join(SOURCES, source)],
                                   capture_output=True, text=True)
            if built.returncode != 0:
                sys.exit(f"{name}: {built.stderr}")
            row, count = [0, 0, 0, 0], 0
            for where, how in crashes:
                core = core_of(program, [where, how], os.path.join(folder, "run"))
                # A linker may put the table of the stubs elsewhere.
                if core is None and how == "stub":
                    continue
                if core is None:
                    sys.exit(f"{name}, {where} {how}: no core; is /proc/sys/kernel/core_pattern a plain name?")
                count += 1
                ours = frames_of_mayday(options.mayday, program, core)
                for at, theirs in ((0, frames_of_gdb(program, core, folder)),
                                   (2, frames_of_elfutils(program, core))):
                    same, total, differences = agreement(theirs, ours)
                    row[at] += total
                    row[at + 1] += same
                    for difference in differences:
                        details.append((name, where, how, "gdb" if at == 0 else "eu-stack", difference))
            print(f"| {name} | {count} | {row[0]} | {row[1]} | {row[2]} | {row[3]} |", flush=True)
            sums = [a + b for a, b in zip(sums, row)]
        print(f"| all |  | {sums[0]} | {sums[1]} | {sums[2]} | {sums[3]} |")
        if sums[0]:
            print(f"\n{100 * sums[1] / sums[0]:.2f} % of gdb's frames, {100 * sums[3] / max(1, sums[2]):.2f} % of eu-stack's")
        if options.verbose:
            for name, where, how, tool, (thread, at, theirs, mine) in details:
                print(f"\n{name}, {where} {how}: thread {thread} differs from {tool} at frame {at}")
                for frame in theirs:
                    print(f"  {tool:9} {frame[0]:#x} {frame[1]}")
                for frame in mine:
                    print(f"  mayday    {frame[0]:#x} {frame[1]} {frame[2]}")
        if os.path.exists(options.bench):
            steps(options.bench, folder, options.verbose)
    if sums[0] and sums[1] < 0.99 * sums[0]:
        sys.exit("less than 99 % of gdb's frames are the same")


main()
