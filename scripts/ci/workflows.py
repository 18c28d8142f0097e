#!/usr/bin/env python3
"""The workflows of docs/use/ci.md, run as GitHub Actions and GitLab run them.

Each complete workflow of the page is checked by the schema of its service. Then its steps run in a project that has
the samples: with known crashes, with a new one, and with none. What the steps print and leave is read as the services
read it: workflow commands, the job's summary, SARIF, JUnit and Code Quality.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from shared import environment
from shared.paths import MAYDAY, ROOT

PAGE = os.path.join(ROOT, "docs/use/ci.md")
SAMPLES = os.path.join(ROOT, "Samples/apple-ips")
SYMBOLS = os.path.join(ROOT, "Symbols/apple")
# The checkout of the samples, as their debug files name it.
CHECKOUT = "/app"
KNOWN = "null-read-1.1.0-ios-arm64.ips"
NEW = "abort-1.0.0-macos-x86_64.ips"

# docs.gitlab.com, "Code Quality report format"; the severities are all of them.
CODE_QUALITY = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "minLength": 1},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "properties": {
                    "path": {"type": "string", "pattern": "^(?!\\./).+"},
                    "lines": {
                        "type": "object", "required": ["begin"],
                        "properties": {"begin": {"type": "integer", "minimum": 1}},
                    },
                },
            },
        },
    },
}


class Checks:
    def __init__(self):
        self.count = 0
        self.failures = []

    def expect(self, is_true, text):
        self.count += 1
        if not is_true:
            self.failures.append(text)
            print("FAILED:", text, file=sys.stderr)


class Project:
    """A checkout with a Makefile whose tests leave crash files and fail, or pass."""

    def __init__(self, mayday, crashes):
        self._temporary = tempfile.TemporaryDirectory(prefix="mayday-workflow-")
        self.folder = os.path.join(self._temporary.name, "checkout")
        self.bin = os.path.join(self._temporary.name, "bin")
        self.summary = os.path.join(self._temporary.name, "summary.md")
        os.makedirs(self.folder)
        os.makedirs(self.bin)
        os.symlink(os.path.abspath(mayday), os.path.join(self.bin, "mayday"))
        lines = ["all:", f"\tcp -r {SYMBOLS} build", "", "test:"]
        if crashes:
            lines += ["\tmkdir crashes", *(f"\tcp {SAMPLES}/{name} crashes/" for name in crashes), "\tfalse"]
        else:
            lines += ["\ttrue"]
        with open(os.path.join(self.folder, "Makefile"), "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        known = subprocess.run(
            [mayday, "triage", os.path.join(SAMPLES, KNOWN), "--symbols", SYMBOLS, "--json"],
            check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=self.environment()).stdout
        with open(os.path.join(self.folder, "known-crashes.json"), "wb") as file:
            file.write(known)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._temporary.cleanup()

    def environment(self, more=None):
        own = {name: value for name, value in os.environ.items()
               if not name.startswith(("MAYDAY_", "GITHUB_", "CI_", "MAKE"))}
        return {**own, "PATH": f"{self.bin}:/usr/bin:/bin", "CI": "true", "MAYDAY_CONFIG": "/dev/null",
                "MAYDAY_ROOT": CHECKOUT, **(more or {})}

    def has(self, pattern):
        """What hashFiles of the pattern is about."""
        path = os.path.join(self.folder, pattern.removesuffix("/**"))
        return any(names for _, _, names in os.walk(path)) if pattern.endswith("/**") else os.path.isfile(path)

    def path(self, name):
        return os.path.join(self.folder, name)


def run(shell, script, project, variables):
    file = os.path.join(project.bin, "script.sh")
    with open(file, "w", encoding="utf-8") as out:
        out.write(script)
    done = subprocess.run(
        ["bash", *shell, file], cwd=project.folder, env=project.environment(variables), text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=300)
    return done.returncode, done.stdout


# GitHub Actions

def unescaped(text, is_property=False):
    pairs = [("%0D", "\r"), ("%0A", "\n")] + ([("%3A", ":"), ("%2C", ",")] if is_property else [])
    for code, sign in [*pairs, ("%25", "%")]:
        text = text.replace(code, sign)
    return text


def commands(output):
    """The workflow commands of an output, as the runner's ActionCommand reads them."""
    found = []
    for line in output.splitlines():
        match = re.match(r"::([^\s:]+)(?: ([^:]*(?::(?!:)[^:]*)*))?::(.*)$", line.lstrip())
        if not match:
            continue
        pairs = (pair.split("=", 1) for pair in (match[2] or "").split(",") if "=" in pair)
        properties = {name.strip(): unescaped(value, True) for name, value in pairs}
        found.append((match[1], properties, unescaped(match[3])))
    return found


def holds(condition, has_failed, project):
    """A condition of a step, of those that the page has."""
    if condition is None:
        return not has_failed
    is_true = True
    for term in str(condition).split("&&"):
        term = term.strip()
        files = re.fullmatch(r"hashFiles\('([^']+)'\) != ''", term)
        if files:
            is_true = is_true and project.has(files[1])
        elif term == "failure()":
            is_true = is_true and has_failed
        elif term != "always()":
            raise ValueError(f"unknown condition {term}")
    # Without a function that says otherwise, a step needs the success of those before.
    return is_true and (not has_failed or "always()" in str(condition) or "failure()" in str(condition))


class GitHubRun:
    """The steps of a job, with the shell and the variables of the runner."""

    def __init__(self, job, project):
        self.has_failed = False
        self.statuses = {}
        self.output = ""
        self.uploaded = []
        open(project.summary, "w", encoding="utf-8").close()
        variables = {
            "GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": project.folder, "GITHUB_STEP_SUMMARY": project.summary,
            "GITHUB_REF_NAME": "main", "GITHUB_RUN_NUMBER": "7",
        }
        for step in job["steps"]:
            if not holds(step.get("if"), self.has_failed, project):
                continue
            if "uses" in step:
                self.use(step, project)
                continue
            status, output = run(["-e"], step["run"], project, variables)
            self.statuses[step["name"]] = status
            self.output += output
            self.has_failed = self.has_failed or status != 0
        self.commands = commands(self.output)
        with open(project.summary, encoding="utf-8") as file:
            self.summary = file.read()

    def use(self, step, project):
        name = step["uses"].split("@")[0]
        if name == "github/codeql-action/upload-sarif":
            with open(project.path(step["with"]["sarif_file"]), encoding="utf-8") as file:
                self.uploaded.append(file.read())
        elif name != "actions/checkout":
            raise ValueError(f"unknown action {name}")


def check_sarif(checks, text):
    # Its classes are made from the schema of OASIS.
    from fluidattacks_core.sarif import SarifLog

    SarifLog.model_validate_json(text)
    log = json.loads(text)
    for result in log["runs"][0]["results"]:
        place = result["locations"][0]["physicalLocation"]
        uri = place["artifactLocation"]["uri"]
        checks.expect(uri.startswith("src/") and place["region"]["startLine"] > 0, f"SARIF: {uri} is no source")
    return log["runs"][0]["results"]


def check_github(checks, workflow, mayday):
    jobs = workflow["jobs"]
    checks.expect(len(jobs) == 1, "the workflow for GitHub has one job")
    job = next(iter(jobs.values()))
    with Project(mayday, [KNOWN]) as project:
        known = GitHubRun(job, project)
    checks.expect(known.statuses["Group crashes"] == 0, f"a known crash fails: {known.output}")
    checks.expect(known.has_failed, "the failed test is forgotten")
    checks.expect([command[0] for command in known.commands] == ["notice"], f"known: {known.commands}")
    checks.expect("**0 new groups**" in known.summary, f"summary: {known.summary}")
    checks.expect(len(known.uploaded) == 1 and len(check_sarif(checks, known.uploaded[0])) == 1, "SARIF of one group")
    with Project(mayday, [KNOWN, NEW]) as project:
        new = GitHubRun(job, project)
    checks.expect(new.statuses["Group crashes"] == 7, f"a new crash: {new.statuses}")
    checks.expect([command[0] for command in new.commands] == ["error", "notice"], f"new: {new.commands}")
    kind, properties, text = new.commands[0]
    checks.expect(properties["file"].startswith("src/") and int(properties["line"]) > 0, f"{properties}")
    checks.expect(properties["title"].startswith("New crash: ") and "1 report" in text, f"{properties} {text}")
    checks.expect("**1 new group**" in new.summary and properties["file"] in new.summary, f"summary: {new.summary}")
    checks.expect(len(check_sarif(checks, new.uploaded[0])) == 2, "SARIF of two groups")
    with Project(mayday, []) as project:
        none = GitHubRun(job, project)
    checks.expect(not none.has_failed and not none.commands and "Group crashes" not in none.statuses,
                  f"no crash: {none.statuses} {none.output}")


# GitLab

def gitlab_jobs(pipeline):
    return {name: job for name, job in pipeline.items() if isinstance(job, dict) and "script" in job}


def run_gitlab(pipeline, project):
    """The jobs by their stages: their statuses, and the reports that they leave."""
    statuses, reports, has_failed = {}, {}, False
    jobs = gitlab_jobs(pipeline)
    for stage in pipeline["stages"]:
        for name, job in jobs.items():
            if job["stage"] != stage or has_failed and job.get("when") != "always":
                continue
            variables = {"GITLAB_CI": "true", "CI_PROJECT_DIR": project.folder, "CI_COMMIT_REF_NAME": "main"}
            status, output = run(["-eo", "pipefail"], "\n".join(job["script"]), project, variables)
            statuses[name] = (status, output)
            has_failed = has_failed or status != 0
            for kind, file in job.get("artifacts", {}).get("reports", {}).items():
                if os.path.isfile(project.path(file)):
                    with open(project.path(file), encoding="utf-8") as report:
                        reports[kind] = report.read()
    return statuses, reports


def check_gitlab(checks, pipeline, mayday):
    import jsonschema
    import junitparser

    expected = {"known": ([KNOWN], 0), "new": ([KNOWN, NEW], 7), "none": ([], 0)}
    for name, (crashes, status) in expected.items():
        with Project(mayday, crashes) as project:
            statuses, reports = run_gitlab(pipeline, project)
        checks.expect(statuses["crashes"][0] == status, f"GitLab, {name}: {statuses}")
        checks.expect((statuses["test"][0] != 0) == bool(crashes), f"GitLab, {name}: {statuses}")
        if not crashes:
            checks.expect(not reports, "GitLab: reports without a crash")
            continue
        findings = json.loads(reports["codequality"])
        jsonschema.validate(findings, CODE_QUALITY)
        checks.expect(len(findings) == len(crashes), f"Code Quality, {name}: {findings}")
        checks.expect(all(one["location"]["path"].startswith("src/") for one in findings), f"{findings}")
        suites = junitparser.JUnitXml.fromstring(reports["junit"].encode())
        cases = [case for suite in suites for case in suite]
        failed = [case for case in cases if any(isinstance(one, junitparser.Failure) for one in case.result)]
        skipped = [case for case in cases if any(isinstance(one, junitparser.Skipped) for one in case.result)]
        checks.expect(len(cases) == len(crashes) and len(skipped) == 1, f"JUnit, {name}: {reports['junit']}")
        checks.expect(len(failed) == len(crashes) - 1, f"JUnit, {name}: {reports['junit']}")
        root = xml.etree.ElementTree.fromstring(reports["junit"].encode())
        checks.expect(int(root.get("failures")) == len(failed), "JUnit: the count of failures")


# Every sample, in every form

def check_samples(checks, mayday):
    """What services would refuse, were any name of a sample not escaped."""
    import jsonschema
    import junitparser

    def triage(form):
        done = subprocess.run(
            [mayday, "triage", os.path.join(ROOT, "Samples"), "--format", form], text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "MAYDAY_CONFIG": "/dev/null"})
        checks.expect(done.returncode == 0, f"--format {form}: exit {done.returncode}: {done.stderr[-500:]}")
        return done.stdout

    from fluidattacks_core.sarif import SarifLog

    groups = json.loads(triage("json"))["groups"]
    text = triage("sarif")
    SarifLog.model_validate_json(text)
    results = json.loads(text)["runs"][0]["results"]
    checks.expect(len(results) == len(groups), f"SARIF: {len(results)} of {len(groups)} groups")
    findings = json.loads(triage("gitlab"))
    jsonschema.validate(findings, CODE_QUALITY)
    checks.expect(len(findings) == len(groups), f"Code Quality: {len(findings)} of {len(groups)} groups")
    prints = {one["fingerprint"] for one in findings}
    checks.expect(len(prints) == len(findings), "Code Quality: a fingerprint twice")
    suites = junitparser.JUnitXml.fromstring(triage("junit").encode())
    failures = [case for suite in suites for case in suite
                if any(isinstance(one, junitparser.Failure) for one in case.result)]
    checks.expect(len(failures) == len(groups), f"JUnit: {len(failures)} of {len(groups)} groups")
    names = {(case.classname, case.name) for case in failures}
    checks.expect(len(names) == len(failures), "JUnit: a test twice")
    output = triage("github")
    errors = [command for command in commands(output) if command[0] == "error"]
    checks.expect(len(errors) == len(groups), f"GitHub: {len(errors)} of {len(groups)} groups")
    checks.expect(all(line.startswith("::") for line in output.splitlines()), "GitHub: a line that is no command")


def workflows(text):
    """The complete workflows of the page: those of GitHub, then those of GitLab."""
    import yaml

    blocks = [yaml.safe_load(block) for block in re.findall(r"^```yaml\n(.*?)^```", text, re.M | re.S)]
    complete = [block for block in blocks if isinstance(block, dict)]
    return ([block for block in complete if "jobs" in block], [block for block in complete if "stages" in block])


def check_schema(checks, name, document):
    """The schema of the service, as check-jsonschema has it."""
    # YAML 1.1 reads the key `on` as true.
    document = {"on" if key is True else key: value for key, value in document.items()}
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump(document, file)
        file.flush()
        done = subprocess.run(
            [environment.program("check-jsonschema"), "--builtin-schema", f"vendor.{name}", file.name],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    checks.expect(done.returncode == 0, f"{name}: {done.stdout}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mayday", default=MAYDAY)
    options = parser.parse_args()
    environment.enter()
    if not shutil.which("make"):
        sys.exit("make is missing")
    checks = Checks()
    with open(PAGE, encoding="utf-8") as file:
        github, gitlab = workflows(file.read())
    checks.expect(len(github) == 1 and len(gitlab) == 1, f"{len(github)} and {len(gitlab)} complete workflows")
    for workflow in github:
        check_schema(checks, "github-workflows", workflow)
        check_github(checks, workflow, options.mayday)
    for pipeline in gitlab:
        check_schema(checks, "gitlab-ci", pipeline)
        check_gitlab(checks, pipeline, options.mayday)
    check_samples(checks, options.mayday)
    print(f"{checks.count} checks, {len(checks.failures)} failures")
    sys.exit(1 if checks.failures else 0)


if __name__ == "__main__":
    main()
