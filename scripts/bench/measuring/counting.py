"""What a command costs, whatever else the machine does: instructions by callgrind, and its peak of memory."""
import os
import re
import shutil
import subprocess

# Callgrind's own options: nothing is written, and processes that the command starts count too.
CALLGRIND = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
SECONDS = 300
# Callgrind counts each repetition of `rep movsb`, and glibc chooses by the processor and its caches from which size on
# it copies and fills that way: without these, a copy of a megabyte counts ten times as much on some machines.
TUNABLES = ":".join(f"glibc.cpu.{name}={1 << 40}" for name in (
    "x86_rep_movsb_threshold", "x86_rep_stosb_threshold", "x86_non_temporal_threshold"))


class CommandFailed(Exception):
    """A command that did not do what is measured; says what it printed."""


def environment(folder):
    """The variables of a measured command: the same ones on each machine, and tables in the same order."""
    return {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC", "HOME": folder,
            "GLIBC_TUNABLES": TUNABLES, "MAYDAY_CONFIG": os.devnull, "SWIFT_DETERMINISTIC_HASHING": "1", "SWIFT_BACKTRACE": "enable=no"}


def strip(program, folder):
    """A copy without debug information, which valgrind 3.19 cannot read."""
    copy = os.path.join(folder, os.path.basename(program))
    subprocess.run(["strip", "-o", copy, program], check=True)
    return copy


def has_valgrind():
    return shutil.which("valgrind") is not None


def instructions(command, folder, stdin=None):
    """How many instructions a command and all that it starts take."""
    log = os.path.join(folder, "callgrind.%p")
    _run([*CALLGRIND, "--trace-children=yes", f"--log-file={log}", *command], folder, stdin)
    return counted(folder)


def counted(folder):
    """The sum over the logs that callgrind left in a folder."""
    total = 0
    for name in os.listdir(folder):
        if name.startswith("callgrind."):
            with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as log:
                found = re.search(r"refs:\s+([\d,]+)", log.read())
            total += int(found[1].replace(",", "")) if found else 0
    if total == 0:
        raise CommandFailed("callgrind counted nothing")
    return total


def peak(command, folder, stdin=None):
    """The most bytes that a command held in memory, or one that it started."""
    result = os.path.join(folder, "peak.txt")
    # A program of its own: a process that this one starts would begin with the memory of Python.
    _run(["/usr/bin/time", "--format=%M", f"--output={result}", *command], folder, stdin)
    with open(result, encoding="utf-8") as file:
        return int(file.read()) * 1024


def seconds(command, folder):
    """The CPU time of a command and all that it starts."""
    result = os.path.join(folder, "seconds.txt")
    _run(["/usr/bin/time", "--format=%U %S", f"--output={result}", *command], folder, None)
    with open(result, encoding="utf-8") as file:
        return sum(float(part) for part in file.read().split())


def output(command, folder):
    """What a command prints, on both streams."""
    done = subprocess.run(command, cwd=folder, env=environment(folder), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS)
    text = done.stdout.decode(errors="replace")
    _check(command, done.returncode, text)
    return text


def _input(path):
    return open(path or os.devnull, "rb")


def _run(command, folder, stdin):
    with _input(stdin) as source:
        done = subprocess.run(command, cwd=folder, env=environment(folder), stdin=source,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=SECONDS)
    _check(command, done.returncode, done.stderr.decode(errors="replace"))


def _check(command, status, text):
    if status != 0:
        raise CommandFailed(f"{' '.join(command)}: exit {status}: {text[-500:]}")
