"""Triage in shares, and what their parts and the merge cost; memory by the number of files."""
import hashlib
import os
import statistics
import subprocess
import time

from measuring.runs import Run, in_turn, median, say, table
from shared.dumps import make_inputs
from shared.paths import BENCH, MAYDAY, ROOT
from shared.smoke import smaller

SYMBOLS = os.path.join(ROOT, "Symbols")


def _folder(count):
    folder = os.path.join(BENCH, f"dumps-{count}")
    if not os.path.exists(os.path.join(folder, "done")):
        say(f"Making {count} files of the samples")
        make_inputs(os.path.join(folder, "files"), count)
        open(os.path.join(folder, "done"), "w").close()
    return os.path.join(folder, "files")


def _parts(folder, count):
    """Makes the parts of a folder, each on one processor, two at a time; the seconds that took."""
    processors = sorted(os.sched_getaffinity(0))[:2]
    start = time.monotonic()
    for first in range(0, count, len(processors)):
        running = [
            subprocess.Popen(
                ["taskset", "-c", str(processor), *_part(folder, first + index + 1, count)], stderr=subprocess.DEVNULL)
            for index, processor in enumerate(processors[:count - first])]
        if any(task.wait() for task in running):
            raise SystemExit("a part could not be made")
    return time.monotonic() - start


def _part(folder, number, count):
    return [MAYDAY, "triage", folder, "--symbols", SYMBOLS, "--shard", f"{number}/{count}", "--partial",
            _name(number, count)]


def _name(number, count):
    return os.path.join(BENCH, f"part-{number}-of-{count}.mdp")


# The head of a note with a build id of 20 bytes.
BUILD_ID = b"\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0"
# A report, whose debug files are missing, and a small one of another build.
REPORT = os.path.join(ROOT, "Samples/android-tombstone/null-read-whole.txt")
DEBUG_FILE = os.path.join(SYMBOLS, "variants/symtab-only")


def _debug_files(count):
    """A folder with as many debug files of different builds."""
    folder = os.path.join(BENCH, f"debug-files-{count}")
    if not os.path.exists(os.path.join(folder, "done")):
        say(f"Making {count} debug files")
        with open(DEBUG_FILE, "rb") as file:
            content = bytearray(file.read())
        start = content.index(BUILD_ID) + len(BUILD_ID)
        for number in range(count):
            content[start:start + 20] = hashlib.sha1(str(number).encode()).digest()
            group = os.path.join(folder, "files", f"{number // 1000}")
            os.makedirs(group, exist_ok=True)
            with open(os.path.join(group, f"{number}.debug"), "wb") as file:
                file.write(content)
        open(os.path.join(folder, "done"), "w").close()
    return os.path.join(folder, "files")


def _bench_index(runs):
    rows = []
    for count in smaller((10_000, 60_000), (50, 100)):
        folder = _debug_files(count)
        index = os.path.join(BENCH, f"debug-files-{count}.mdi")
        made = Run([MAYDAY, "symbols", "index", folder, "-o", index])
        done = in_turn(
            runs, none=lambda: Run([MAYDAY, "symbolicate", REPORT, "--json"]),
            index=lambda: Run([MAYDAY, "symbolicate", REPORT, "--json", "--symbols", index]),
            scan=lambda: Run([MAYDAY, "symbolicate", REPORT, "--json", "--symbols", folder]))
        none, indexed, scanned = (median(done[name], "wall") * 1000 for name in ("none", "index", "scan"))
        rows.append([f"{count:,}", f"{made.wall:.1f}", f"{os.path.getsize(index) / 1e6:.1f}", f"{none:.1f}",
                     f"{indexed:.1f}", f"{scanned:.0f}"])
    table("a symbol index, and a report symbolicated with it, with a scan of the folder and without debug files",
          ["debug files", "made in s", "MB", "without, ms", "index, ms", "scan, ms"], rows, "batch-index")


def bench_batch(runs):
    _bench_index(runs)
    count = smaller(40_000, 200)
    folder = _folder(count)
    seconds = {shards: [] for shards in (1, 2, 4)}
    for _ in range(runs):
        for shards in seconds:
            seconds[shards].append(_parts(folder, shards))
    rows = []
    for shards, found in seconds.items():
        # Two processors take half the time, however many shares there are.
        linear = statistics.median(one / time / min(shards, 2) for one, time in zip(seconds[1], found))
        rows.append([shards, f"{count / statistics.median(found):.0f}", f"{linear:.2f}"])
    table(f"parts of {count} files, each on one of two processors", ["shares", "files/s", "of linear"], rows, "batch")

    shards = 4
    numbers = range(1, shards + 1)
    names = [_name(number, shards) for number in numbers]
    done = in_turn(
        runs, one=lambda: Run([MAYDAY, "triage", folder, "--symbols", SYMBOLS, "--json"]),
        **{name: lambda number=number: Run(_part(folder, number, shards)) for number, name in zip(numbers, names)},
        merge=lambda: Run([MAYDAY, "triage", "--merge", *names, "--json"]))
    one = median(done["one"], "cpu")
    parts = sum(median(done[name], "cpu") for name in names)
    merge = median(done["merge"], "cpu")
    table(
        f"CPU seconds of {count} files at once, and in {shards} shares", ["at once", "parts", "merge", "ratio"],
        [[f"{one:.2f}", f"{parts:.2f}", f"{merge:.2f}", f"{(parts + merge) / one:.2f}"]], "batch-merge")

    rows = []
    for count in smaller((10_000, 40_000, 100_000), (100, 200)):
        folder = _folder(count)
        lines = Run([MAYDAY, "symbolicate", "--ndjson", folder, "--symbols", SYMBOLS])
        groups = Run([MAYDAY, "triage", folder, "--symbols", SYMBOLS, "--json"])
        rows.append([f"{count:,}", f"{lines.peak:.0f}", f"{groups.peak:.0f}", f"{count / groups.wall:.0f}"])
    table("peak of memory by the number of files, in MB",
          ["files", "symbolicate --ndjson", "triage", "triage, files/s"], rows, "batch-memory")
