"""How the time to read a report grows with its length, format by format."""
import glob
import os
import statistics

from measuring.runs import Run, say, scratch, table
from shared.paths import MAYDAY, ROOT
from shared.smoke import smaller

SMALL = smaller(1 << 20, 1 << 10)
"""Bytes of the smallest input; the others are 2 and 4 times as long."""


def lengthened(sample, size):
    """The sample's inner lines, each as often as it takes: a report of `size` bytes, not many reports."""
    lines = sample.splitlines(keepends=True)
    first, last = len(lines) // 4, len(lines) - len(lines) // 4
    inner = lines[first:last] or lines
    times = max(1, size // max(1, sum(map(len, inner))))
    return b"".join(lines[:first] + [line for line in inner for _ in range(times)] + lines[last:])


def repeated(sample, size):
    """The sample as often as it takes: a log of many reports."""
    return (sample.rstrip(b"\n") + b"\n") * max(1, size // len(sample))


def seconds(content, runs):
    path = scratch("curve.txt")
    with open(path, "wb") as file:
        file.write(content)
    # A report that was lengthened may be damaged: then it is refused, which takes its time, too.
    command = f"'{MAYDAY}' triage '{path}' --json || test $? = 1 -o $? = 6"
    return statistics.median(Run(["sh", "-c", command]).cpu for _ in range(runs))


def bench_curves(runs):
    """Time of each format's longest text sample, its lines or itself repeated to 1, 2 and 4 MiB."""
    rows = []
    for folder in sorted(glob.glob(os.path.join(ROOT, "Samples", "*"))):
        samples = [path for path in glob.glob(folder + "/*") if os.path.isfile(path)]
        if not samples:
            continue
        with open(max(samples, key=os.path.getsize), "rb") as file:
            sample = file.read()
        if b"\0" in sample[:4096]:
            continue
        name = os.path.basename(folder)
        say(f"Curve of {name}")
        for way, make in (("lines", lengthened), ("reports", repeated)):
            times = [seconds(make(sample, SMALL << power), min(runs, 3)) for power in range(3)]
            growth = (times[2] - times[1]) / max(times[1] - times[0], 0.01)
            rows.append([name, way] + [f"{time:.2f}" for time in times] + [f"{growth:.1f}"])
    table("time by length: growth is 2 where it is linear, 4 where it is quadratic",
          ["format", "repeated", "1 MiB s", "2 MiB s", "4 MiB s", "growth"], rows)
