"""Addresses to functions and lines: in process, by the command, the first of a file, from a cache."""
import shutil
import statistics
import subprocess

from measuring.compiling import own, symbolic
from measuring.inputs import symbolic_library
from measuring.runs import Run, in_turn, median, ratio, scratch, table
from shared.paths import MAYDAY, MAYDAY_BENCH
from shared.smoke import IS_SMOKE


def bench_warm(inputs, runs, count, figures):
    """Both sides loop over the same offsets in one thread and one process, without printing."""
    rows = []
    for input in inputs:
        if not input.is_whole or input.is_macho:
            continue
        own(input.path, 2)
        symbolic(input.path)
        _, words = input.addresses(count)
        with open(scratch("offsets.txt"), "w") as out:
            out.write("".join(f"{int(word, 16) - input.base:x}\n" for word in words))
        ours = [MAYDAY_BENCH, "lookup", scratch("own.symcache"), scratch("offsets.txt")]
        theirs = ours if IS_SMOKE else [
            scratch("lookup-symcache"), symbolic_library(), scratch("symbolic.symcache"), scratch("offsets.txt")]

        def passes(command):
            text = subprocess.run(
                command, capture_output=True, text=True, check=True).stdout
            found = dict(line.split() for line in text.splitlines())
            return [float(found[f"pass{number}_lookups_per_second"]) for number in (1, 2, 3)], \
                float(found["frames_per_lookup"])

        pairs = [(passes(ours), passes(theirs)) for _ in range(runs)]
        # The second and the third pass.
        warm = [(sum(a[0][1:]) / 2, sum(b[0][1:]) / 2) for a, b in pairs]
        value = figures.add("warm", input.name, statistics.median(a / b for a, b in warm))
        rows.append([
            input.name, f"{statistics.median(a for a, _ in warm) / 1e6:.2f}",
            f"{statistics.median(b for _, b in warm) / 1e6:.2f}", f"{value:.1f}x",
            f"{pairs[0][0][1]:.2f}", f"{pairs[0][1][1]:.2f}"])
    table(
        f"{count} look-ups in process, one thread, warm, millions a second; frames an address",
        ["input", "mayday", "symbolic", "ratio", "frames", "symbolic"], rows, "look-ups")


def bench_standard_input(inputs, runs, count, figures):
    rows = []
    for input in inputs:
        once, words = input.addresses(count)
        twice = scratch("twice.txt")
        with open(twice, "w") as out:
            out.write(("\n".join(words) + "\n") * 2)
        ours = [MAYDAY, "lookup", "--no-cache", "--json", "-o", input.path]
        peer = ["llvm-symbolizer", "--output-style=JSON", "-e", input.path]
        done = in_turn(
            runs,
            ours=lambda: Run(ours, once), peer=lambda: Run(peer, once, input.folder),
            ours_twice=lambda: Run(ours, twice),
            peer_twice=lambda: Run(peer, twice, input.folder))

        def second(name):
            return max(median(done[name + "_twice"], "wall") - median(done[name], "wall"), 1e-4)

        first = figures.add("stdin-first", input.name, ratio(done["ours"], done["peer"], "wall"))
        again = figures.add("stdin-second", input.name, second("peer") / second("ours"))
        rows.append([
            input.name,
            f"{count / median(done['ours'], 'wall') / 1e3:.0f}",
            f"{count / median(done['peer'], 'wall') / 1e3:.0f}", f"{first:.1f}x",
            f"{count / second('ours') / 1e3:.0f}", f"{count / second('peer') / 1e3:.0f}",
            f"{again:.1f}x"])
    table(
        f"{count} look-ups on standard input, JSON, thousands a second, the first time and again",
        ["input", "first", "llvm", "ratio", "second", "llvm", "ratio"], rows, "standard-input")


def bench_first(inputs, runs, figures):
    rows = []
    for input in inputs:
        _, words = input.addresses(20)
        row = [input.name]
        for count in (1, 20):
            ours = [MAYDAY, "lookup", "--no-cache", "-o", input.path] + words[:count]
            peer = ["llvm-symbolizer", "-e", input.path] + words[:count]
            done = in_turn(
                runs, ours=lambda: Run(ours), peer=lambda: Run(peer, folder=input.folder))
            value = figures.add(
                f"first-{count}", input.name, 1 / ratio(done["ours"], done["peer"], "wall"))
            row += [f"{1e3 * median(done['ours'], 'wall'):.1f}",
                    f"{1e3 * median(done['peer'], 'wall'):.1f}", f"{value:.2f}"]
        folder = scratch("caches")
        shutil.rmtree(folder, ignore_errors=True)
        ours = [MAYDAY, "lookup", "--cache", folder, "-o", input.path, words[0]]
        done = in_turn(max(runs, 9), ours=lambda: Run(ours))["ours"]
        value = figures.add("cached", input.name, 1e3 * median(done, "wall"))
        row.append(f"{value:.1f}")
        rows.append(row)
    shutil.rmtree(scratch("caches"), ignore_errors=True)
    table(
        "First answers, ms of the whole process: 1 and 20 addresses without a cache, 1 with",
        ["input", "1", "llvm", "ratio", "20", "llvm", "ratio", "cache"], rows, "first-answers")
