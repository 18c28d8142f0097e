"""Debug files to symbol caches, beside symbolic and gsymutil."""
import os
import threading

from measuring.runs import Run, fresh, in_turn, median, ratio, scratch, table
from measuring.text import count_records, write_text
from shared import environment
from shared.paths import MAYDAY, ROOT
from shared.smoke import IS_SMOKE

SYMBOLIC = os.path.join(ROOT, "scripts/bench/peers/symcache.py")


def python():
    """The Python that has symbolic."""
    return environment.program("python3", "peers")


def own(path, threads, output="own.symcache"):
    return Run([MAYDAY, "symbols", "compile", path, "-o", fresh(output),
                "--threads", str(threads)])


def symbolic(path):
    if IS_SMOKE:
        return own(path, 1, "symbolic.symcache")
    return Run([python(), SYMBOLIC, path, fresh("symbolic.symcache")])


class Pair:
    """Two compiles at once that know nothing of each other: what two processors give here."""

    def __init__(self, path):
        runs = []
        sides = [
            threading.Thread(target=lambda name=name: runs.append(own(path, 1, name)))
            for name in ("own.symcache", "other.symcache")]
        for side in sides:
            side.start()
        for side in sides:
            side.join()
        # Of each, as if the other's work came for nothing.
        self.wall = max(run.wall for run in runs) / 2


def size(name):
    return os.path.getsize(scratch(name))


def bench_compile(inputs, runs, figures):
    """Times and sizes; peers that read only a part of a split file are left out for it."""
    inputs = [input for input in inputs if input.is_whole]
    times, sizes = [], []
    for input in inputs:
        def gsymutil():
            return Run(["llvm-gsymutil-14", "--convert", input.path, "-o", fresh("peer.gsym"),
                        "--num-threads=1"])

        commands = {
            "own": lambda: own(input.path, 1), "symbolic": lambda: symbolic(input.path),
            "gsymutil": gsymutil}
        if input.is_macho or IS_SMOKE:
            del commands["gsymutil"]
        done = in_turn(runs, **commands)
        ours = done["own"]
        # By themselves: a process that begins where a large one has just ended finds its memory, and
        # the next one does not.
        side = in_turn(
            2 * runs, one=lambda: own(input.path, 1), two=lambda: own(input.path, 2),
            pair=lambda: Pair(input.path))
        row = [
            input.name, f"{input.info / 1e6:.1f}", f"{input.info / 1e6 / median(ours, 'cpu'):.0f}",
            f"{median(ours, 'cpu'):.3f}"]
        for peer in ("symbolic", "gsymutil"):
            if peer in done:
                value = figures.add(
                    "cpu-" + peer, input.name, ratio(ours, done[peer], "cpu"))
                row += [f"{median(done[peer], 'cpu'):.3f}", f"{value:.1f}x"]
            else:
                row += ["", ""]
        value = figures.add("threads", input.name, ratio(side["two"], side["one"], "wall"))
        times.append(
            row + [f"{median(side['one'], 'wall'):.3f}", f"{median(side['two'], 'wall'):.3f}",
                   f"{value:.2f}x", f"{ratio(side['pair'], side['one'], 'wall'):.2f}x"])
        peak = figures.add("peak", input.name, 1 / ratio(ours, done["symbolic"], "peak"))
        share = figures.add("size", input.name, size("own.symcache") / size("symbolic.symcache"))
        sizes.append([
            input.name, f"{median(ours, 'peak'):.0f}", f"{median(side['two'], 'peak'):.0f}",
            f"{median(done['symbolic'], 'peak'):.0f}", f"{peak:.2f}",
            f"{median(done['gsymutil'], 'peak'):.0f}" if "gsymutil" in done else "",
            f"{size('own.symcache') / 1e6:.2f}", f"{size('symbolic.symcache') / 1e6:.2f}",
            f"{share:.2f}"])
    table(
        "Symbol cache compile, whole processes: CPU seconds of one thread; wall seconds of one and two"
        " threads,\nand what two processes at once reach",
        ["input", "info MB", "MB/s", "CPU", "symbolic", "ratio", "gsymutil", "ratio", "one", "two",
         "ratio", "at once"], times, "compile")
    table(
        "The same: peak memory in MB with one and two threads, size of the cache in MB",
        ["input", "one", "two", "symbolic", "ratio", "gsymutil", "cache", "symbolic", "ratio"], sizes,
        "compile-memory")
    if IS_SMOKE:
        return
    start = in_turn(runs, python=lambda: Run([python(), "-c", "import symbolic.debuginfo"]))["python"]
    print(f"\nOf symbolic's figures {median(start, 'cpu'):.3f} s and {median(start, 'peak'):.0f} MB"
          " are Python's start.")


def bench_packed(inputs, runs, figures):
    rows = []
    for input in inputs:
        if not input.is_whole or input.is_macho:
            continue
        for kind in ("zlib", "zstd"):
            path = input.packed(kind)
            done = in_turn(
                runs, own=lambda: own(path, 2), symbolic=lambda: symbolic(path))
            value = figures.add(
                "packed", f"{input.name}, {kind}", ratio(done["own"], done["symbolic"], "wall"))
            rows.append([
                input.name, kind, f"{os.path.getsize(path) / 1e6:.1f}",
                f"{median(done['own'], 'wall'):.3f}", f"{median(done['symbolic'], 'wall'):.3f}",
                f"{value:.1f}x"])
            if input.info > 100e6:
                os.remove(path)
    table(
        "Compile of compressed sections, wall seconds, two threads (symbolic has one)",
        ["input", "sections", "file MB", "mayday", "symbolic", "ratio"], rows, "compressed")


def bench_text(runs):
    """Breakpad's text: a program's symbols many times over."""
    path = scratch("long.sym")
    if not os.path.exists(path):
        write_text(path)
    lines, functions, calls = count_records(path)
    done = in_turn(runs, own=lambda: own(path, 1), symbolic=lambda: symbolic(path))
    ours, theirs = done["own"], done["symbolic"]
    size_mb = os.path.getsize(path) / 1e6
    table(
        f"Breakpad's text, {size_mb:.0f} MB ({lines / 1e6:.1f} million lines, {functions} functions,"
        f" {calls} inlined calls), to a symbol cache, one thread",
        ["", "CPU s", "MB/s", "peak MB", "cache MB"],
        [["mayday", f"{median(ours, 'cpu'):.2f}", f"{size_mb / median(ours, 'cpu'):.0f}",
          f"{median(ours, 'peak'):.0f}", f"{size('own.symcache') / 1e6:.1f}"],
         ["symbolic", f"{median(theirs, 'cpu'):.2f}", f"{size_mb / median(theirs, 'cpu'):.0f}",
          f"{median(theirs, 'peak'):.0f}", f"{size('symbolic.symcache') / 1e6:.1f}"],
         ["ratio", f"{ratio(ours, theirs, 'cpu'):.1f}x", "",
          f"{1 / ratio(ours, theirs, 'peak'):.2f}", ""]], "breakpad-text")
