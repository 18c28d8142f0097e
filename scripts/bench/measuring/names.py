"""Demangling of C++ names."""
import math
import os
import random
import shutil
import statistics
import subprocess
import time

from measuring.inputs import build
from measuring.runs import table
from shared.paths import BENCH, MAYDAY_BENCH

ROUNDS = 5


def mangled(inputs):
    """At most 100,000 names of C++ from the symbol tables of the inputs."""
    names = set()
    for input in inputs:
        if input.is_macho:
            continue
        text = subprocess.run(["nm", "-p", input.path], capture_output=True, text=True).stdout
        names.update(
            word for word in (line.rpartition(" ")[2] for line in text.splitlines())
            if word.startswith("_Z") and "17h" not in word and "@" not in word)
    names = sorted(names)
    random.Random(20).shuffle(names)
    return names[:100_000]


def bench_names(inputs, runs, figures):
    names = mangled(inputs)
    if not names:
        return
    build("demangle-libiberty", ["cc", "-O2"], "demangle-libiberty.c", ["-liberty"])
    data = ("\n".join(names) + "\n").encode()

    def rate(command):
        run = subprocess.run(command, input=data, stdout=subprocess.PIPE, check=True)
        return float(run.stdout.split()[1])

    def whole():
        if not shutil.which("llvm-cxxfilt"):
            return math.nan
        start = time.monotonic()
        subprocess.run(["llvm-cxxfilt"], input=data, stdout=subprocess.DEVNULL, check=True)
        return len(names) / (time.monotonic() - start)

    ours, theirs, llvm = [], [], []
    for _ in range(runs):
        ours.append(rate([MAYDAY_BENCH, "demangle", str(ROUNDS)]))
        theirs.append(rate([os.path.join(BENCH, "demangle-libiberty"), str(ROUNDS)]))
        llvm.append(whole())
    ratio = statistics.median([a / b for a, b in zip(ours, theirs)])
    figures.add("names", "C++ names", ratio)
    table(
        f"{len(names)} C++ names, one thread",
        ["", "names/s"],
        [
            ["mayday", f"{statistics.median(ours):,.0f}"],
            ["libiberty", f"{statistics.median(theirs):,.0f}"],
            ["llvm-cxxfilt, whole process", f"{statistics.median(llvm):,.0f}"],
            ["mayday to libiberty, at least 1x", f"{ratio:.2f}x"]], "names")
