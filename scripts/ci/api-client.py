#!/usr/bin/env python3
"""Reads every answer about groups, reports and submissions with a client made from the OpenAPI document, and does
the session of README.md with it: an app, a token, a report, its groups, a decision, a debug file.

A home with the samples is served by `mayday serve`, and each sample is submitted again. openapi-python-client
makes a client from the document that the server publishes. Each answer must become an object of that client,
and the object must have the members of the answer, no more and no less.
"""
import argparse
import collections
import datetime
import importlib
import importlib.util
import inspect
import io
import json
import os
import pkgutil
import re
import subprocess
import sys
import time
import traceback

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from shared import environment
from shared.paths import MAYDAY, ROOT
from shared.servers import Home, Server

TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)")


def plain(value):
    """A document with moments in place of the texts that spell them."""
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, list):
        return [plain(part) for part in value]
    if isinstance(value, str) and TIME.fullmatch(value):
        return datetime.datetime.fromisoformat(value)
    return value


class Asker:
    """Asks questions through the client, and counts what came of them."""

    def __init__(self, server):
        client = importlib.import_module("client.client")
        self.client = client.AuthenticatedClient(
            base_url=server.url, token=server.token, raise_on_unexpected_status=True)
        self.read = collections.Counter()
        self.faults = []

    def ask(self, name, **parameters):
        """The document of an answer, or nothing where the client could not read it."""
        operation = importlib.import_module("client.api." + name)
        try:
            answer = operation.sync_detailed(client=self.client, **parameters)
            document = json.loads(answer.content)
            assert answer.status_code == 200, document
            parsed = answer.parsed
            back = [part.to_dict() if hasattr(part, "to_dict") else part for part in parsed] \
                if isinstance(parsed, list) else parsed.to_dict()
            assert plain(back) == plain(document), "the client lost or changed a member"
        except Exception:  # A fault of the description can be any error of the client.
            last = traceback.format_exc().strip().split("\n")[-1]
            self.faults.append(f"{name} {parameters}: {last[:300]}")
            return None
        self.read[name] += 1
        return document

    def all(self, name):
        """All items of a list, page by page."""
        items, parameters = [], {"limit": 100}
        while True:
            page = self.ask(name, **parameters)
            if page is None:
                return items
            items += page["items"]
            if not page.get("next"):
                return items
            parameters["after"] = page["next"]


def plain_questions():
    """The operations that ask for a list or for figures, and need no parameter."""
    package = importlib.import_module("client.api")
    for module in pkgutil.walk_packages(package.__path__, "client.api."):
        operation = importlib.import_module(module.name)
        call = getattr(operation, "sync_detailed", None)
        if call is None or "get" not in inspect.getsource(operation._get_kwargs).split('"method": ')[1][:6]:
            continue
        needed = [
            name for name, parameter in inspect.signature(call).parameters.items()
            if parameter.default is inspect.Parameter.empty]
        if needed == ["client"]:
            yield module.name.removeprefix("client.api.")


def submit(server):
    """Submits every sample. Returns the ids of the submissions, of which none waits any more."""
    ids = []
    for folder, _, names in os.walk(os.path.join(ROOT, "Samples")):
        for name in sorted(names):
            if folder.endswith("Samples"):
                continue
            with open(os.path.join(folder, name), "rb") as file:
                accepted = server.post("/api/v1/reports", file.read(), "application/octet-stream")
            ids.append(accepted["id"])
    for _ in range(600):
        if all(server.json("/api/v1/submissions/" + id)["status"] != "waiting" for id in ids[-1:]):
            break
        time.sleep(0.1)
    return ids


def session(server):
    """What README.md does with commands, through the generated client."""
    client_type = importlib.import_module("client.client").AuthenticatedClient
    types = importlib.import_module("client.types")
    models = importlib.import_module("client.models")

    def call(operation, client, /, **parameters):
        answer = importlib.import_module("client.api." + operation).sync_detailed(client=client, **parameters)
        assert answer.status_code < 300, (operation, answer.status_code, answer.content)
        return answer.parsed

    def file(path):
        return types.File(
            payload=open(os.path.join(ROOT, path), "rb"), file_name=os.path.basename(path),
            mime_type="application/octet-stream")

    def wait(isDone, what):
        for _ in range(600):
            if isDone():
                return
            time.sleep(0.1)
        raise SystemExit("waited too long for " + what)

    admin = client_type(base_url=server.url, token=server.token)
    app = call("apps.add_app", admin, body=models.AddAppBody(name="Session"))
    assert app.name == "Session" and app.intake_key
    scopes = [models.NewTokenScopesItem(scope) for scope in ("ingest", "symbols", "read", "triage")]
    made = call("tokens.make_token", admin, body=models.MakeTokenBody.from_dict(
        {"label": "session", "scopes": [scope.value for scope in scopes], "for": "1d"}))
    client = client_type(base_url=server.url, token=made.token)
    # Its names become known when its debug file comes.
    path = "Samples/apple-ips/abort-1.0.0-macos-x86_64.ips"
    with open(os.path.join(ROOT, path), "rb") as sample:
        accepted = call("reports.submit_report", client, app="Session", body=types.File(
            payload=io.BytesIO(sample.read()), file_name="crash.ips"))
    form = models.SubmitReportFilesBody(file=file(path), attachment=[file("README.md")])
    call("reports.submit_report", client, app="Session", body=form)
    def status_now():
        return call("reports.get_submission_status", client, id=accepted.id)

    wait(lambda: status_now().status.value != "waiting", "the report")
    status = status_now()
    assert status.status.value == "stored" and len(status.reports) == 1, status
    groups = call("groups.list_groups", client, query='app:Session')
    group = groups.items[0]
    assert groups.total == len(groups.items) >= 1
    page = call("groups.get_group", client, id=status.reports[0].group)
    assert page.report.id == status.reports[0].id
    group = page
    resolved = call("triage.resolve", client, id=group.id, body=models.ResolveBody.from_dict({"in": "1.2.0"}))
    assert resolved.state.value == "resolved", resolved
    stored = call("symbols.put_debug_file", client, name="Tern", body=file("Symbols/apple/1.0.0/macos/Tern"))
    assert stored.files, stored
    wait(lambda: call("reports.list_versions", client, id=page.report.id).versions, "reprocessing")
    after = call("reports.get_report", client, id=page.report.id)
    assert after.to_dict() != page.report.to_dict()
    trend = call("reports.get_trend", client, query="app:Session", by=models.GetTrendBy.WEEK)
    assert sum(item.reports for item in trend.items) >= 1
    apps = call("apps.list_apps", client, limit=1)
    assert [app.name for app in apps.items] == ["Session"]
    print("README's session: done")


def make_client(server):
    """Makes a client of the document that the server publishes, for Python to import."""
    folder = server.home.folder
    document = os.path.join(folder, "openapi.json")
    with open(document, "wb") as file:
        file.write(server.fetch("/api/v1/openapi.json"))
    subprocess.run(
        [environment.program("openapi-python-client"), "generate", "--path", document, "--meta", "none",
         "--output-path", os.path.join(folder, "client")], check=True, capture_output=True)
    sys.path.insert(0, folder)


def ask_everything(server):
    submissions = submit(server)
    asker = Asker(server)
    for group in asker.all("groups.list_groups"):
        for name in ["groups.get_group", "groups.list_group_keys"]:
            asker.ask(name, id=group["id"])
    for report in asker.all("reports.list_reports"):
        for name in ["reports.get_report", "reports.get_place", "reports.list_versions"]:
            asker.ask(name, id=report["id"])
    for submission in submissions:
        asker.ask("reports.get_submission_status", id=submission)
    for name in plain_questions():
        # The server's own state is text.
        if not name.startswith("server."):
            asker.ask(name)
    return asker


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mayday", default=MAYDAY)
    options = parser.parse_args()
    environment.enter()
    with Home(options.mayday) as home:
        home.fill()
        with Server(home, "--rate", "0") as server:
            make_client(server)
            with Home(options.mayday) as empty, Server(empty, "--rate", "0") as fresh:
                session(fresh)
            asker = ask_everything(server)
    print(", ".join(f"{name}: {count}" for name, count in sorted(asker.read.items())))
    print(f"{sum(asker.read.values())} answers read, {len(asker.faults)} not")
    for fault in asker.faults[:40]:
        print(fault, file=sys.stderr)
    enough = all(asker.read[name] > 30 for name in [
        "groups.get_group", "reports.get_report", "reports.get_submission_status"])
    sys.exit(0 if enough and not asker.faults else 1)


if __name__ == "__main__":
    main()
