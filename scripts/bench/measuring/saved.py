"""Tables that a measurement leaves for docs/performance.md, with the commit, the day and the machine."""
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


def save(name, header, rows):
    """Leaves a table for the page."""
    commit = subprocess.run(["git", "rev-parse", "--short=8", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    value = {"commit": commit.stdout.strip(), "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
             "cores": os.cpu_count(), "model": processor(), "header": header, "rows": rows}
    os.makedirs(FOLDER, exist_ok=True)
    with open(os.path.join(FOLDER, name + ".json"), "w", encoding="utf-8") as file:
        json.dump(value, file, indent=1)
