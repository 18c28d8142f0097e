"""Tables that a measurement leaves for docs/reference/performance.md, with the commit, the day and the machine.

Those of `--smoke` go to that form's own folder, which the page is not filled from.
"""
import datetime
import json
import os
import re
import subprocess

from shared.paths import BENCH, ROOT

FOLDER = os.path.join(BENCH, "figures")


def processor():
    """The name of the machine's processor."""
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        found = re.search(r"model name\s*: (.*)", info.read())
    return found[1] if found else "unknown processor"


IS_LEFT = True


def leave_nothing():
    """Keeps the tables of before: what runs now measures only some of their rows."""
    global IS_LEFT
    IS_LEFT = False


def save(name, header, rows):
    """Leaves a table for the page."""
    if not IS_LEFT:
        return
    commit = subprocess.run(["git", "rev-parse", "--short=8", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    value = {"commit": commit.stdout.strip(), "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
             "cores": os.cpu_count(), "model": processor(), "header": header, "rows": rows}
    os.makedirs(FOLDER, exist_ok=True)
    with open(os.path.join(FOLDER, name + ".json"), "w", encoding="utf-8") as file:
        json.dump(value, file, indent=1)
