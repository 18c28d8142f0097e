"""Processes that are run in turn, by the operating system's own accounting, and tables of them."""
import os
import statistics
import subprocess
import sys

from measuring.saved import save
from shared.paths import BENCH

LAUNCH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "launch.py")


def go_ahead():
    """Lets this process, and with it all that it starts, go before others that run; only root may.

    Each command has that from its parent: a program like chrt that started it would be measured too.
    """
    os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(5))


def say(text):
    print(text, file=sys.stderr, flush=True)


def scratch(name):
    return os.path.join(BENCH, name)


class Run:
    """One finished process, which ran in `folder`."""

    def __init__(self, command, stdin=None, folder=None):
        output, end = os.pipe()
        with open(stdin or os.devnull, "rb") as source, open(scratch("stderr.txt"), "wb") as errors:
            subprocess.run(
                [sys.executable, "-I", "-S", LAUNCH, str(end), *command], stdin=source,
                stdout=subprocess.DEVNULL, stderr=errors, cwd=folder, pass_fds=[end])
        os.close(end)
        with open(output, encoding="utf-8") as file:
            found = file.read().split()
        if not found:
            raise SystemExit(f"{command[0]} cannot be started")
        self.wall, self.cpu, self.peak = float(found[0]), float(found[1]), int(found[2]) / 1024
        self.code = os.waitstatus_to_exitcode(int(found[3]))
        if self.code != 0:
            with open(scratch("stderr.txt"), errors="replace") as errors:
                raise SystemExit(f"{' '.join(command)}: exit {self.code}: {errors.read()[:500]}")


def fresh(name):
    """The place of an output, with nothing there: to replace a file costs more than to make one."""
    path = scratch(name)
    if os.path.exists(path):
        os.remove(path)
    return path


def in_turn(runs, **commands):
    """Runs the commands in turn, after one round to warm up; the runs by name."""
    done = {name: [] for name in commands}
    for round in range(runs + 1):
        for name, call in commands.items():
            run = call()
            if round > 0:
                done[name].append(run)
    return done


def median(runs, figure):
    return statistics.median(getattr(run, figure) for run in runs)


def ratio(ours, theirs, figure):
    """How many times as much the peer took, pair by pair."""
    return statistics.median(
        getattr(their, figure) / max(getattr(our, figure), 1e-6)
        for our, their in zip(ours, theirs))


def table(title, header, rows, name=None):
    """Prints a table, and with a name leaves it for the page."""
    if name:
        save(name, header, rows)
    print(f"\n{title}\n")
    lines = [header] + [[str(cell) for cell in row] for row in rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    for number, line in enumerate(lines):
        print("  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths))).rstrip())
        if number == 0:
            print("  ".join("-" * width for width in widths))
    sys.stdout.flush()
