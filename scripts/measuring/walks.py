"""Walking of stacks in memory, and triage of many dumps."""
import os
import shutil
import statistics
import struct
import subprocess

from measuring.runs import BENCH, MAYDAY, OWN, ROOT, Run, in_turn, median, say, table


def steps():
    """Registers and stacks at 5,000 instructions of a program without frame pointers."""
    path = os.path.join(BENCH, "steps")
    if os.path.exists(path):
        return path
    say("Stepping a program")
    sources = os.path.join(ROOT, "scripts/walking")
    stepper, program = os.path.join(BENCH, "stepper"), os.path.join(BENCH, "stepped")
    subprocess.run(["gcc", "-O2", "-w", "-o", stepper, os.path.join(sources, "stepper.c")], check=True)
    subprocess.run(["gcc", "-O2", "-fomit-frame-pointer", "-w", "-pthread", "-o", program,
                    os.path.join(sources, "crash.c")], check=True)
    names = subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout
    main = next(line.split()[0] for line in names.splitlines() if line.endswith(" T main"))
    subprocess.run([stepper, path, "5000", "1", program, main, "main", "leaf"], check=True)
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
    source = os.path.join(ROOT, "Samples/minidump")
    samples = [open(os.path.join(source, name), "rb").read() for name in sorted(os.listdir(source))]
    for number in range(count):
        dump = bytearray(samples[number % len(samples)])
        struct.pack_into("<I", dump, 20, 1_800_000_000 + number)
        with open(os.path.join(files, f"dump-{number:05}.dmp"), "wb") as file:
            file.write(dump)
    open(os.path.join(folder, "done"), "w").close()
    return files


def bench_walk(runs):
    path = steps()
    rates = []
    for _ in range(runs):
        text = subprocess.run([OWN, "walk", path, "20"], capture_output=True, text=True, check=True).stdout
        rates.append(float(dict(line.split(" ", 1) for line in text.splitlines())["frames-per-second"]))
    rate = statistics.median(rates)
    # 17 threads with 1,473 frames, rules for each: minidump_stackwalk -m, and symbolic 8.8.0 in process.
    table("walk of stacks in memory by call frame information, one thread", ["", "frames/s"],
          [["mayday", f"{rate:.0f}"], ["Breakpad, as measured once", "59000"], ["ratio", f"{rate / 59000:.0f}x"]])
    folder = dumps(5000)
    names = sorted(os.listdir(folder))
    symbols = os.path.join(ROOT, "Symbols")
    one = [MAYDAY, "symbolicate", os.path.join(folder, names[0]), "--symbols", os.path.join(symbols, "dumps")]
    done = in_turn(runs, one=lambda: Run(one),
                   all=lambda: Run([MAYDAY, "triage", folder, "--symbols", symbols, "--json"]))
    wall = median(done["all"], "wall")
    table(f"triage of {len(names)} minidumps with symbols",
          ["dumps/s", "wall s", "CPU s", "peak MB", "one dump by the command, ms"],
          [[f"{len(names) / wall:.0f}", f"{wall:.2f}", f"{median(done['all'], 'cpu'):.2f}",
            f"{median(done['all'], 'peak'):.0f}", f"{1000 * median(done['one'], 'wall'):.1f}"]])
