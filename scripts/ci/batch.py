#!/usr/bin/env python3
"""The jobs of examples/batch on the engines that they are for, against one run.

Thousands of reports are made from the samples, with duplicates and files that are no reports. GNU parallel, Dask, Ray
and Spark (two workers of their own) triage them while their processes are killed, and the manifests of Kubernetes, AWS
Batch and Slurm are checked by their schemas and run as processes with the variables that these set. All groups must
be those of one run, byte for byte, and the table of Spark must have every report once.
"""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from shared import environment
from shared.dumps import make_inputs
from shared.paths import MAYDAY, ROOT

EXAMPLES = os.path.join(ROOT, "examples/batch")
SYMBOLS = os.path.join(ROOT, "Symbols")
SHARES = 16


class Killer(threading.Thread):
    """Kills processes of a job at random instants: some of the program, and one worker of the engine.

    A task is killed twice at most: the engines try it three times, and on a slow machine it is found each time.
    """

    def __init__(self, worker=None, most=4):
        super().__init__(daemon=True)
        self.worker = worker
        self.most = most
        self.killed = []
        self.lines = []
        self.is_over = threading.Event()
        self.start()

    def run(self):
        chance = random.Random(7)
        while not self.is_over.wait(0.2 + chance.random()):
            wanted = None
            if self.worker and "worker" not in self.killed and self.killed:
                wanted = self.worker
            found = [(pid, line) for pid in self.descendants() if (line := self.line(pid))
                     and self.is_wanted(line, wanted) and self.lines.count(line) < 2]
            if found and len(self.killed) < self.most:
                pid, line = chance.choice(found)
                try:
                    os.kill(pid, signal.SIGKILL)
                    self.killed.append("worker" if wanted else "task")
                    self.lines.append(line)
                except ProcessLookupError:
                    pass

    @staticmethod
    def is_wanted(line, worker):
        """Whether a command line is that of a worker or, without one, of the program that makes a part."""
        if worker:
            return worker in line
        return os.path.basename(line.split(b"\0")[0]) == b"mayday" and b"--partial" in line

    @staticmethod
    def line(pid):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                return file.read()
        except OSError:
            return b""

    @staticmethod
    def descendants():
        """The processes below this one."""
        parents = {}
        for name in os.listdir("/proc"):
            if name.isdigit():
                try:
                    with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                        parents[int(name)] = int(file.read().rpartition(")")[2].split()[1])
                except OSError:
                    continue
        found = {os.getpid()}
        while True:
            more = {pid for pid, parent in parents.items() if parent in found} - found
            if not more:
                return found - {os.getpid()}
            found |= more

    def stop(self):
        self.is_over.set()
        self.join()
        return self.killed


class Jobs:
    def __init__(self, folder, mayday, count):
        self.folder = folder
        self.mayday = mayday
        self.dumps = os.path.join(folder, "dumps")
        make_inputs(self.dumps, count)
        self.names = os.path.join(folder, "names.txt")
        with open(self.names, "w", encoding="utf-8") as file:
            for where, _, names in sorted(os.walk(self.dumps)):
                file.writelines(f"{os.path.join(where, name)}\n" for name in sorted(names))
        self.failures = []
        start = time.monotonic()
        self.expected = subprocess.run(
            [mayday, "triage", self.dumps, "--symbols", SYMBOLS, "--json"], check=True, stdout=subprocess.PIPE).stdout
        self.counts = json.loads(self.expected)["counts"]
        print(f"one run: {self.counts['reports']} reports in {self.counts['groups']} groups, "
              f"{self.counts['duplicates']} duplicates, {time.monotonic() - start:.1f} s", flush=True)

    def variables(self, **more):
        path = os.path.dirname(self.mayday)
        return dict(
            os.environ, PATH=f"{path}:{os.environ['PATH']}", MAYDAY=self.mayday, DUMPS=self.dumps, SYMBOLS=SYMBOLS,
            MAYDAY_CONFIG=os.devnull, PYTHONPATH=EXAMPLES, **more)

    def fresh(self, name):
        folder = os.path.join(self.folder, name)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        return folder

    def run(self, name, command, killing=True, worker=None, **variables):
        """Runs a job that leaves groups.json in its folder."""
        folder = self.fresh(name)
        start = time.monotonic()
        killer = Killer(worker) if killing else None
        done = subprocess.run(
            [part.replace("GROUPS", os.path.join(folder, "groups.json")) for part in command], cwd=folder,
            env=self.variables(**variables), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            errors="replace", check=False)
        killed = killer.stop() if killer else []
        if done.returncode:
            return self.fail(name, f"ended with {done.returncode}:\n{done.stdout[-4000:]}")
        if killing and not killed:
            self.fail(name, "no process was killed")
        with open(os.path.join(folder, "groups.json"), "rb") as file:
            self.compare(name, file.read())
        print(f"{name}: {time.monotonic() - start:.1f} s, killed: {', '.join(killed) or 'none'}", flush=True)
        return folder

    def fail(self, name, text):
        self.failures.append(name)
        print(f"FAILED: {name}: {text}", file=sys.stderr, flush=True)

    def compare(self, name, groups):
        if groups != self.expected:
            self.fail(name, f"other groups than in one run: {len(groups)} bytes instead of {len(self.expected)}")

    # Engines

    def parallel(self):
        self.run("parallel", ["sh", os.path.join(EXAMPLES, "parallel.sh")], SHARES=str(SHARES))

    def dask(self):
        self.run("dask", [environment.program("python3", "batch"), os.path.join(EXAMPLES, "dask_triage.py"), self.dumps,
                          "--symbols", SYMBOLS, "--shares", str(SHARES), "--groups", "GROUPS"],
                 worker=b"multiprocessing")

    def ray(self):
        self.run("ray", [environment.program("python3", "batch"), os.path.join(EXAMPLES, "ray_triage.py"), self.dumps,
                         "--symbols", SYMBOLS, "--shares", str(SHARES), "--groups", "GROUPS"], worker=b"ray::share")

    def spark(self):
        folder = self.run("spark", [
            environment.program("spark-submit", "batch"), "--master", "local-cluster[2,1,1024]", "--py-files",
            os.path.join(EXAMPLES, "mayday_parts.py"), os.path.join(EXAMPLES, "spark_triage.py"), self.names,
            "--symbols", SYMBOLS, "--tasks", str(SHARES), "--table", "reports.parquet", "--groups", "GROUPS"],
            worker=b"CoarseGrainedExecutorBackend", PYSPARK_PYTHON=environment.program("python3", "batch"),
            SPARK_LOCAL_IP="127.0.0.1")
        if folder:
            self.check_table(os.path.join(folder, "reports.parquet"))

    def check_table(self, path):
        """Every report is in the table once, with its group's key, and every other file with the reason."""
        script = ("import json, sys; import pyarrow.parquet as parquet; "
                  "json.dump(parquet.read_table(sys.argv[1]).to_pylist(), sys.stdout)")
        rows = json.loads(subprocess.run(
            [environment.program("python3", "batch"), "-c", script, path], check=True, stdout=subprocess.PIPE).stdout)
        groups = json.loads(self.expected)
        keys = {key for group in groups["groups"] for key in group["keys"]}
        wanted = {member["id"] for group in groups["groups"] for member in group["members"]}
        reports = [row for row in rows if row["error"] is None]
        if {row["id"] for row in reports} != wanted or not {row["grouping_key"] for row in reports} <= keys:
            self.fail("spark", "the table has other reports than the groups")
        refused = {entry["file"] for entry in groups["unrecognised"]}
        if {row["source"] for row in rows if row["error"]} != refused:
            self.fail("spark", "the table has other failures than the groups")

    # Manifests

    def shares(self, name, command, count, variable, first):
        """Runs the command of a manifest once a share, two at a time, and two of them again; then merges the parts."""
        parts = self.fresh(name)
        start = time.monotonic()
        killer = Killer()
        waiting = list(range(first, first + count)) + [first, first + count - 1]
        running = {}
        while waiting or running:
            while waiting and len(running) < 2:
                number = waiting.pop(0)
                values = self.variables(
                    PARTS=parts, SHARES=str(count), SLURM_ARRAY_TASK_COUNT=str(count), **{variable: str(number)})
                running[subprocess.Popen(command, stderr=subprocess.DEVNULL, env=values)] = number
            for task in [task for task in running if task.poll() is not None]:
                number = running.pop(task)
                # What is killed is done again, as the engines do.
                if task.returncode:
                    waiting.append(number)
            time.sleep(0.02)
        killed = killer.stop()
        found = sorted(os.listdir(parts))
        if len(found) != count:
            self.fail(name, f"other files than the parts: {found}")
        merged = subprocess.run(
            [self.mayday, "triage", "--merge", *(os.path.join(parts, part) for part in found), "--json"], check=False,
            stdout=subprocess.PIPE).stdout
        self.compare(name, merged)
        print(f"{name}: {time.monotonic() - start:.1f} s, killed: {', '.join(killed) or 'none'}", flush=True)

    def kubernetes(self):
        path = os.path.join(EXAMPLES, "kubernetes.yaml")
        checked = subprocess.run(
            [environment.program("kubernetes-validate", "batch"), "--strict", path], check=False, capture_output=True,
            text=True)
        if checked.returncode:
            self.fail("kubernetes", checked.stdout + checked.stderr)
        script = "import json, sys, yaml; json.dump(yaml.safe_load(open(sys.argv[1])), sys.stdout)"
        job = json.loads(subprocess.run(
            [environment.program("python3", "batch"), "-c", script, path], check=True, stdout=subprocess.PIPE).stdout)
        container = job["spec"]["template"]["spec"]["containers"][0]
        self.shares("kubernetes", container["command"], job["spec"]["completions"], "JOB_COMPLETION_INDEX", 0)

    def aws(self):
        path = os.path.join(EXAMPLES, "aws-batch.json")
        script = ("import json, sys; import botocore.session, botocore.validate; "
                  "job = json.load(open(sys.argv[1])); "
                  "model = botocore.session.get_session().get_service_model('batch').operation_model('SubmitJob'); "
                  "report = botocore.validate.ParamValidator().validate(job, model.input_shape); "
                  "sys.exit(report.generate_report() if report.has_errors() else 0)")
        checked = subprocess.run(
            [environment.program("python3", "batch"), "-c", script, path], check=False, capture_output=True, text=True)
        if checked.returncode:
            self.fail("aws", checked.stderr)
        with open(path, encoding="utf-8") as file:
            job = json.load(file)
        self.shares("aws", job["containerOverrides"]["command"], job["arrayProperties"]["size"],
                    "AWS_BATCH_JOB_ARRAY_INDEX", 0)

    def slurm(self):
        self.shares("slurm", ["sh", os.path.join(EXAMPLES, "slurm.sbatch")], SHARES, "SLURM_ARRAY_TASK_ID", 1)


ENGINES = ("parallel", "kubernetes", "aws", "slurm", "dask", "ray", "spark")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--mayday", default=MAYDAY)
    parser.add_argument("--reports", type=int, default=20_000)
    parser.add_argument("--only", action="append", choices=ENGINES, help="run only this engine")
    options = parser.parse_args()
    folder = os.path.join(ROOT, ".build/batch")
    shutil.rmtree(folder, ignore_errors=True)
    jobs = Jobs(folder, os.path.abspath(options.mayday), options.reports)
    for engine in options.only or ENGINES:
        getattr(jobs, engine)()
    if not jobs.failures:
        shutil.rmtree(folder)
    sys.exit(f"failed: {', '.join(jobs.failures)}" if jobs.failures else 0)


if __name__ == "__main__":
    main()
