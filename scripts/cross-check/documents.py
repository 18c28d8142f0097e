"""Report documents of many files, by one run of Mayday for a hundred of them."""
import json
import os
import subprocess
import tempfile

# A report between two files shows where the documents of one end.
BETWEEN = "CrossCheckBoundary"
BATCH = 100


def documents(mayday, paths):
    """A list of documents for each path; a text instead if Mayday says why there is none."""
    found = []
    for start in range(0, len(paths), BATCH):
        found += batch(mayday, paths[start:start + BATCH])
    return found


def batch(mayday, paths):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAYDAY_")}
    environment["SWIFT_BACKTRACE"] = "enable=no"
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as between:
        between.write('Traceback (most recent call last):\n  File "between.py", line 1, in <module>\n%s: 1\n' % BETWEEN)
        between.flush()
        arguments = [word for path in paths for word in (path, between.name)]
        run = subprocess.run([mayday, "symbolicate", "--json", "--no-pager", "--config", "/dev/null", *arguments],
                             env=environment, capture_output=True, check=False)
    # Some of the files hold no report.
    if run.returncode not in (0, 6) and not run.stdout:
        raise SystemExit("%s exits with %d: %s" % (mayday, run.returncode, run.stderr.decode()[-2000:]))
    values = json.loads(run.stdout)
    lists = [[]]
    for value in values if isinstance(values, list) else [values]:
        if value.get("reason", {}).get("type") == BETWEEN:
            lists.append([])
        else:
            lists[-1].append(value)
    if len(lists) != len(paths) + 1 or lists[-1]:
        raise SystemExit("documents of %d files, not of %d" % (len(lists) - 1, len(paths)))
    refusals = {}
    for line in run.stderr.decode(errors="replace").splitlines():
        for path in paths:
            if line.startswith("mayday: %s: " % path):
                refusals[path] = line[len("mayday: %s: " % path):]
    return [reports or refusals.get(path, "no report") for path, reports in zip(paths, lists)]
