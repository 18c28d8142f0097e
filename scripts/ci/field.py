#!/usr/bin/env python3
"""Checks what Mayday answers for a folder of inputs against stated answers, and prints a table of right and
wrong. Exits with 1 if an answer is wrong.

    scripts/ci/field.py FOLDER [--answers FILE] [--mayday PROGRAM] [--only WORD]

FILE, by default FOLDER/answers.json, is a list of cases:

    {"name": "Two crashes of a stripped app", "inputs": ["stripped-*.crash"], "groups": 2}

| member | meaning |
|---|---|
| `inputs` | crash files, as patterns below FOLDER or the scratch folder, or full paths |
| `symbols` | debug files, likewise |
| `make` | a shell command that runs before, in an empty scratch folder; $FIELD is FOLDER |
| `skip_unless` | a shell command: where it fails, the case is skipped and named as such |

and what has to hold:

| member | what is compared |
|---|---|
| `groups` | how many groups `triage` makes of the inputs |
| `kind`, `type`, `signal`, `format` | of every report; `null` says that it has none |
| `message`, `title` | a text in the message and the group's title of every report |
| `never` | texts that no title, message or function holds |
| `functions` | functions of the crashed stack of every report, in this order, with others between them |
| `first` | functions with which the crashed stack of every report begins |
| `location` | `FILE:LINE` of a frame of the crashed stack; the file by its name alone |
| `app`, `version`, `time`, `address` | of every report |
| `refused` | `symbols add` refuses each of `symbols`, with a reason |
| `lookup` | {"ADDRESS": "FUNCTION"} in the first of `symbols` |
| `seconds` | the longest that `triage` may take |
"""
import argparse
import fnmatch
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from shared.paths import MAYDAY

KNOWN = {
    "name", "inputs", "symbols", "make", "skip_unless", "groups", "kind", "type", "signal", "format",
    "message", "title", "never", "functions", "first", "location", "app", "version", "time", "address",
    "refused", "lookup", "seconds",
}


class Case:
    def __init__(self, case, folder, mayday):
        self.case, self.folder, self.mayday = case, folder, mayday
        self.scratch = tempfile.mkdtemp(prefix="mayday-field-")
        self.wrong = []

    def expect(self, what, found, wanted):
        if found != wanted:
            self.wrong.append(f"{what} is {found!r}, not {wanted!r}")

    def run(self, *words):
        return subprocess.run(
            [self.mayday, *words], capture_output=True, text=True, errors="replace", timeout=600,
            stdin=subprocess.DEVNULL, env={**os.environ, "MAYDAY_HOME": self.scratch + "/home"})

    def paths(self, member):
        found = []
        for pattern in self.case.get(member, []):
            here = sorted({
                path for folder in (self.folder, self.scratch)
                for path in glob.glob(os.path.join(glob.escape(folder), pattern))
            })
            if not here:
                self.wrong.append(f"nothing matches {pattern}")
            found += here
        return found

    def check(self):
        """`None` if it was skipped."""
        unknown = set(self.case) - KNOWN
        if unknown:
            self.wrong.append(f"unknown members: {', '.join(sorted(unknown))}")
        shell = dict(
            shell=True, cwd=self.scratch, capture_output=True, text=True,
            env={**os.environ, "FIELD": self.folder})
        condition = self.case.get("skip_unless")
        if condition and subprocess.run(condition, **shell).returncode:
            return None
        if "make" in self.case:
            made = subprocess.run(self.case["make"], **shell)
            if made.returncode:
                self.wrong.append(f"make failed: {made.stderr.strip()[-300:]}")
                return self.wrong
        inputs, symbols = self.paths("inputs"), self.paths("symbols")
        if inputs:
            self.check_reports(inputs, [word for path in symbols for word in ("--symbols", path)])
        if self.case.get("refused"):
            self.check_refused(symbols)
        for address, function in self.case.get("lookup", {}).items():
            answer = self.run("lookup", "-o", symbols[0], address)
            first = answer.stdout.split("\n")[0]
            self.expect(f"the function at {address}", first, function)
        return self.wrong

    def check_reports(self, inputs, symbols):
        start = time.monotonic()
        triage = self.run("triage", *inputs, *symbols, "--json")
        took = time.monotonic() - start
        if took > self.case.get("seconds", 600):
            self.wrong.append(f"triage took {took:.1f} s")
        try:
            document = json.loads(triage.stdout)
        except json.JSONDecodeError:
            self.wrong.append(f"triage exits with {triage.returncode}: {triage.stderr.strip()[-300:]}")
            return
        titles = {
            member["id"]: group["signature"]["text"]
            for group in document["groups"] for member in group["members"]
        }
        if "groups" in self.case:
            found = len(document["groups"])
            if found != self.case["groups"]:
                self.wrong.append(
                    f"{found} groups, not {self.case['groups']}: {sorted(set(titles.values()))}")
        if not set(self.case) & (KNOWN - {
                "name", "inputs", "symbols", "make", "skip_unless", "groups", "refused", "lookup", "seconds"}):
            return
        answer = self.run("symbolicate", *inputs, *symbols, "--json")
        try:
            reports = json.loads(answer.stdout)
        except json.JSONDecodeError:
            self.wrong.append(f"symbolicate fails: {answer.stderr.strip()[-300:]}")
            return
        reports = reports if isinstance(reports, list) else [reports]
        if not reports:
            self.wrong.append("no report")
        for report in reports:
            self.check_report(report)

    def check_report(self, report):
        case, reason = self.case, report.get("reason") or {}
        plain = {
            "kind": report.get("kind"), "format": report.get("format"), "type": reason.get("type"),
            "signal": reason.get("signal"), "address": reason.get("address"), "time": report.get("time"),
            "app": (report.get("app") or {}).get("name"),
            "version": (report.get("app") or {}).get("version"),
        }
        for member, found in plain.items():
            if member in case:
                self.expect(member, found, case[member])
        title = (report.get("signature") or {}).get("text", "")
        exception = reason.get("exception") or {}
        message = reason.get("message") or exception.get("message") or ""
        for member, found in (("title", title), ("message", message)):
            if member in case and case[member] not in found:
                self.wrong.append(f"{member} is {found!r}, without {case[member]!r}")
        frames = self.frames(report)
        names = [frame.get("function") for frame in frames]
        for text in case.get("never", []):
            held = [name for name in [title, message, *names] if name and text in name]
            if held:
                self.wrong.append(f"{text!r} is in {held[0]!r}")
        if "first" in case:
            self.expect("the stack begins", names[:len(case["first"])], case["first"])
        rest = iter(names)
        for wanted in case.get("functions", []):
            if not any(name is not None and fnmatch.fnmatchcase(name, wanted) for name in rest):
                self.wrong.append(f"{wanted!r} is not in {names[:12]}")
                break
        if "location" in case:
            places = [
                f"{os.path.basename(frame['file'])}:{frame.get('line')}" for frame in frames
                if frame.get("file")
            ]
            if case["location"] not in places:
                self.wrong.append(f"{case['location']} is not in {places[:8]}")

    @staticmethod
    def frames(report):
        exception = (report.get("reason") or {}).get("exception") or {}
        if exception.get("frames"):
            return exception["frames"]
        threads = report.get("threads") or []
        crashed = [thread for thread in threads if thread.get("crashed")] or threads[:1]
        return crashed[0]["frames"] if crashed else []

    def check_refused(self, symbols):
        for path in symbols:
            added = self.run("symbols", "add", path)
            if added.returncode != 6:
                self.wrong.append(
                    f"symbols add {os.path.basename(path)} exits with {added.returncode}: {added.stdout.strip()}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folder")
    parser.add_argument("--answers")
    parser.add_argument("--mayday", default=MAYDAY)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    folder = os.path.abspath(options.folder)
    with open(options.answers or os.path.join(folder, "answers.json"), encoding="utf-8") as file:
        cases = json.load(file)
    counts = {"right": 0, "wrong": 0, "skipped": 0}
    for case in cases:
        if options.only not in case["name"]:
            continue
        one = Case(case, folder, os.path.abspath(options.mayday))
        try:
            wrong = one.check()
        finally:
            shutil.rmtree(one.scratch, ignore_errors=True)
        verdict = "skipped" if wrong is None else "wrong" if wrong else "right"
        counts[verdict] += 1
        print(f"{verdict:8}{case['name']}", flush=True)
        for text in (wrong or [])[:6]:
            print(f"        {text}")
    print(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    if not sum(counts.values()):
        sys.exit("no case was checked")
    sys.exit(1 if counts["wrong"] else 0)


if __name__ == "__main__":
    main()
