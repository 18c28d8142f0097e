"""Reading, symbolicating and grouping of whole reports."""
import json
import os
import shutil
import statistics
import subprocess

from measuring.runs import Run, in_turn, median, say, table
from shared.paths import BENCH, MAYDAY, MAYDAY_BENCH, ROOT
from shared.smoke import smaller


def reports(count, size):
    """A folder of reports of about `size` bytes, made of the samples with their threads repeated."""
    folder = os.path.join(BENCH, f"reports-{count}-{size}")
    if os.path.exists(os.path.join(folder, "done")):
        return os.path.join(folder, "files")
    say(f"Composing {count} reports of about {size // 1000} KB")
    shutil.rmtree(folder, ignore_errors=True)
    files = os.path.join(folder, "files")
    os.makedirs(files)
    samples = []
    source = os.path.join(ROOT, "Samples/apple-ips")
    for name in sorted(os.listdir(source)):
        text = open(os.path.join(source, name)).read()
        first, _, rest = text.partition("\n")
        try:
            header, body = json.loads(first), json.loads(rest)
        except json.JSONDecodeError:
            continue
        others = [thread for thread in body["threads"] if not thread.get("triggered")]
        if others:
            samples.append((header, body, others))
    for number in range(count):
        header, body, others = samples[number % len(samples)]
        incident = "%08X-0000-4000-8000-%012X" % (number, number)
        header = dict(header, incident_id=incident)
        body = dict(body, incident=incident, threads=list(body["threads"]))
        length = len(json.dumps(body))
        while length < size:
            for thread in others:
                copy = dict(thread, id=len(body["threads"]) + 1000)
                body["threads"].append(copy)
                length += len(json.dumps(copy))
        lines = ",\n".join(
            f"  {json.dumps(key)} : {json.dumps(value, separators=(',', ':'))}"
            for key, value in body.items())
        with open(os.path.join(files, f"report-{number:05}.ips"), "w") as out:
            out.write(json.dumps(header) + "\n{\n" + lines + "\n}\n")
    open(os.path.join(folder, "done"), "w").close()
    return files


def bench_triage(runs):
    folder = reports(smaller(2000, 20), 100_000)
    names = os.listdir(folder)
    total = sum(os.path.getsize(os.path.join(folder, name)) for name in names)
    command = [MAYDAY, "triage", folder, "--symbols", os.path.join(ROOT, "Symbols"), "--json"]
    done = in_turn(runs, mayday=lambda: Run(command))["mayday"]
    wall = median(done, "wall")
    table(
        f"triage of {len(names)} Apple reports of {total / len(names) / 1000:.0f} KB with symbols",
        ["reports/s", "MB/s", "wall s", "CPU s", "peak MB"],
        [[
            f"{len(names) / wall:.0f}", f"{total / 1e6 / wall:.0f}", f"{wall:.2f}",
            f"{median(done, 'cpu'):.2f}", f"{median(done, 'peak'):.0f}"]], "triage")


def bench_parse(runs):
    folder = reports(20, 300_000)
    paths = [os.path.join(folder, name) for name in sorted(os.listdir(folder))]

    def rate(command):
        return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    ours, theirs = [], []
    for _ in range(runs):
        ours.append(rate([MAYDAY_BENCH, "parse"] + paths))
        theirs.append(rate([os.path.join(BENCH, "decode-ips")] + paths))
    table(
        ".ips parse, 300 KB reports, one thread",
        ["", "MB/s"],
        [
            ["mayday, to a CrashReport", f"{statistics.median(ours):.0f}"],
            ["JSONDecoder, to structures", f"{statistics.median(theirs):.0f}"],
            ["ratio", f"{statistics.median(a / b for a, b in zip(ours, theirs)):.1f}x"],
        ], "parse")
