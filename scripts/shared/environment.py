"""The Python environments that scripts/ci/venv makes of scripts/requirements*.txt."""
import functools
import os
import subprocess
import sys

from shared.paths import ROOT


@functools.cache
def folder(name=""):
    """The environment of `requirements.txt`, or of `requirements-NAME.txt`; made where it is missing."""
    script = os.path.join(ROOT, "scripts/ci/venv")
    done = subprocess.run([script, *([name] if name else [])], check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout.strip()


def program(program, name=""):
    """The path of a program of an environment."""
    return os.path.join(folder(name), "bin", program)


def enter(name=""):
    """Starts the running script again with the Python of an environment."""
    wanted = folder(name)
    if os.path.realpath(sys.prefix) != os.path.realpath(wanted):
        python = os.path.join(wanted, "bin/python3")
        os.execv(python, [python, *sys.argv])
