"""Parts of a triage as bytes, for engines that pass values between tasks. All that it needs is the program."""
import os
import subprocess
import tempfile

MAYDAY = os.environ.get("MAYDAY", "mayday")


def part_of_names(names, symbols=(), options=()):
    """The part that has the reports of some files, one name an element."""
    command = [MAYDAY, "triage", "--files-from", "-", "-0", "--partial", "-", *options]
    for path in symbols:
        command += ["--symbols", path]
    names = b"".join(os.fsencode(name) + b"\0" for name in names)
    return _run(command, names)


def part_of_share(paths, number, count, symbols=(), options=()):
    """The part that has one share of the files below some paths; shares are numbered from 1."""
    command = [MAYDAY, "triage", *paths, "--shard", f"{number}/{count}", "--partial", "-", *options]
    for path in symbols:
        command += ["--symbols", path]
    return _run(command)


def merged(parts, *output):
    """What is made of some parts: by default another part, else what the options say, such as --json."""
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for number, part in enumerate(parts):
            names.append(os.path.join(folder, f"{number}.mdp"))
            with open(names[-1], "wb") as file:
                file.write(part)
        return _run([MAYDAY, "triage", "--merge", *names, *(output or ("--partial", "-"))])


def _run(command, stdin=b""):
    done = subprocess.run(command, input=stdin, capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{command[1]} ended with {done.returncode}: {done.stderr.decode(errors='replace')[-2000:]}")
    return done.stdout
