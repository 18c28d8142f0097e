"""The figures that the symbol engine has to reach, and which inputs reach them."""
import math

from measuring.runs import table
from measuring.saved import save

# name: (what it is, least, wanted, whether more is better, unit)
WANTED = {
    "cpu-symbolic": ("compile, one thread, CPU, against symbolic", 3, 5, True, "x"),
    "cpu-gsymutil": ("the same against gsymutil", 3, 4, True, "x"),
    "packed": ("compile of compressed sections, two threads, wall, against symbolic", 4, 8, True, "x"),
    "threads": ("compile, two threads over one, wall", 1.6, 1.9, True, "x"),
    "peak": ("peak memory of the compile, against symbolic", 1, 0.5, False, ""),
    "size": ("size of the cache, against symbolic", 1, 0.7, False, ""),
    "warm": ("look-ups in process, warm, against symbolic", 4, 8, True, "x"),
    "stdin-first": ("100,000 look-ups by the command, first pass, against llvm-symbolizer",
                    10, 20, True, "x"),
    "stdin-second": ("the same, second pass", 5, 10, True, "x"),
    "names": ("C++ names a second, against libiberty", 1, 1.5, True, "x"),
    "first-1": ("first answer without a cache, 1 address, against llvm-symbolizer",
                1, 0.5, False, ""),
    "first-20": ("the same, 20 addresses", 1, 0.5, False, ""),
    "dump-folder": ("dumps a second of a folder by the command, with .sym files, against minidump-stackwalk",
                    3, 8, True, "x"),
    "dump-sym": ("one dump by the command, with .sym files, wall, against minidump-stackwalk", 3, 8, True, "x"),
    "dump-cold": ("the same with debug files, against dump_syms and minidump-stackwalk", 3, 8, True, "x"),
    "core": ("one core by the command, wall, against eu-stack and gdb", 3, 8, True, "x"),
    "big-core": ("peak memory of a core of 2 GB", 200, 100, False, " MB"),
    "cached": ("first answer with a cache on disk, whole process", 5, 3, False, " ms"),
}
# The summaries of the page, each with the figures of the parts that are run together.
SUMMARIES = {
    "symbol-caches-summary": ["cpu-symbolic", "cpu-gsymutil", "packed", "threads", "peak", "size"],
    "look-ups-summary": ["warm", "stdin-first", "stdin-second", "first-1", "first-20", "cached"],
    "crash-files-summary": ["dump-folder", "dump-sym", "dump-cold", "core", "big-core"],
}
HEADER = ["figure", "least", "wanted", "worst", "mean", "reach the least", "reach the wanted"]


class Figures:
    """What was measured, by figure and input."""

    def __init__(self):
        self.found = {}

    def add(self, figure, name, value):
        self.found.setdefault(figure, []).append((value, name))
        return value

    def print(self):
        rows, missed = {}, []
        for figure, (text, least, wanted, more, unit) in WANTED.items():
            values = self.found.get(figure)
            if not values:
                continue

            def reached(value, bound, more=more):
                return value >= bound if more else value <= bound

            worst, where = min(values) if more else max(values)
            middle = math.exp(sum(math.log(value) for value, _ in values) / len(values))
            rows[figure] = [
                text, f"{least:g}{unit}", f"{wanted:g}{unit}", f"{worst:.2f}", f"{middle:.2f}",
                f"{sum(reached(value, least) for value, _ in values)}/{len(values)}",
                f"{sum(reached(value, wanted) for value, _ in values)}/{len(values)}"]
            missed += [
                f"  {figure}: {name} {value:.2f}{unit}"
                for value, name in sorted(values, reverse=not more) if not reached(value, least)]
        if rows:
            table(
                "The figures: the least and the wanted one, the worst input, the geometric mean, and"
                " how many inputs reach them", HEADER, list(rows.values()))
        for name, parts in SUMMARIES.items():
            if all(figure in rows for figure in parts):
                save(name, HEADER, [rows[figure] for figure in parts])
        if missed:
            print("\nMissed:\n" + "\n".join(missed))
