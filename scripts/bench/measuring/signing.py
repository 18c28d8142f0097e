"""Signatures of made-up reports, by the second of processor time."""
import re
import statistics
import subprocess

from measuring import cases
from measuring.runs import table
from shared.paths import BENCH, MAYDAY, MAYDAY_BENCH

# Names that were seen before, in the order of the command's lines, and the least that is to be reached.
LEAST = {"none, and none remembered": "", "none at the start": "50,000", "all": "200,000"}


def bench_signatures(runs):
    command, path = cases.signatures(cases.Tools(MAYDAY, MAYDAY_BENCH, ""), BENCH)
    command.remove("--text")
    rates = {}
    for _ in range(runs):
        with open(path, "rb") as stacks:
            text = subprocess.run(
                command, stdin=stacks, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True, text=True).stderr
        count, *lines = text.splitlines()[-4:]
        for name, line in zip(LEAST, lines):
            rates.setdefault(name, []).append(int(re.match(r"\d+", line)[0]))
    table(
        f"signatures a second of processor time, {count}", ["names that were seen before", "signatures/s", "least"],
        [[name, f"{statistics.median(values):,.0f}", LEAST[name]] for name, values in rates.items()], "signatures")
