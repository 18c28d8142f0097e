#!/usr/bin/env python3
"""Asks a server everything that the description of its API knows, and judges what it answers.

A home with the samples is served by `mayday serve`. First the answers to plain questions are held
against the description, strictly: a member that it does not know is an error too. Then Schemathesis
makes requests out of the description, right and wrong ones, and checks statuses, types and documents.
"""
import argparse
import collections
import hashlib
import json
import os
import re
import subprocess
import sys
import time
import urllib.parse
import urllib.request

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from shared import environment
from shared.paths import MAYDAY, ROOT
from shared.servers import Home, Server

# What a query, a version or a length of time may be, its schema does not tell: some that fit are refused.
# What needs no token, such as /healthz, has no need of the header with one.
CHECKS = [
    "not_a_server_error", "status_code_conformance", "content_type_conformance",
    "response_headers_conformance", "response_schema_conformance", "negative_data_rejection",
    "unsupported_method", "ignored_auth",
]
REFUSALS = ["400", "401", "403", "404", "405", "406", "409", "412", "413", "415", "422", "429", "5xx"]


def closed(schema):
    """The schema with no members but those that it names."""
    if isinstance(schema, dict):
        result = {key: closed(value) for key, value in schema.items()}
        if "properties" in result and "additionalProperties" not in result:
            result["additionalProperties"] = False
        return result
    return [closed(value) for value in schema] if isinstance(schema, list) else schema


def check_answers(server):
    """The answers to plain questions, strictly.

    Returns the path parameters that were used, by name.
    """
    import jsonschema_rs

    document = server.json("/api/v1/openapi.json")
    components = closed(document["components"])
    group = server.json("/api/v1/groups?sort=-first-seen&limit=1")["items"][0]["id"]
    report = next(
        item["id"] for item in server.json("/api/v1/reports?query=attachment:log.txt")["items"])
    debug_files = server.json("/api/v1/symbols?limit=1000")["items"]
    # The one that tells most: with units in other files, if there is one.
    debug_id = next((item["debug_id"] for item in debug_files if "split" in item["name"]),
                    debug_files[0]["debug_id"])
    submission = submitted(server)
    plan = {"size": 3, "sha256": hashlib.sha256(b"abc").hexdigest(), "kind": "report"}
    upload = server.post("/api/v1/uploads", json.dumps(plan).encode(), "application/json")["id"]
    ids = {"groups": group, "symbols": debug_id, "submissions": submission, "uploads": upload}
    app = urllib.parse.quote(server.json("/api/v1/apps")["items"][0]["name"])
    known = {"name": "log.txt", "number": "1", "app": app}
    released(server, app)
    first = server.json("/api/v1/releases?limit=1")["items"][0]
    release = urllib.parse.urlencode({"version": first["version"], "app": first["app"]})
    queries = {
        "/api/v1/artefacts": "app=" + app, "/api/v1/artefacts/history": "app=" + app,
        "/api/v1/artefacts/missing-debug-files": f"app={app}&number=1",
        "/api/v1/artefacts/warnings": "app=" + app,
        "/api/v1/releases/explain": f"app={app}&platform=iOS&version=1.0.0",
        "/api/v1/distribution-groups": "app=" + app, "/api/v1/testers": "app=" + app,
        "/api/v1/testers/mails": "app=" + app,
        "/api/v1/releases/figures": release,
        "/api/v1/releases/rollout": release,
        "/api/v1/groups/counts": "by=version", "/api/v1/reports/counts": "by=os",
        "/api/v1/groups/trend": f"groups={group}&from=2020-01-01&to=2026-12-31",
        "/api/v1/reports/{id}": "source=3",
        "/api/v1/apps/{name}/regressions": "confidence=0&since=2020-01-01",
        "/api/v1/groups/{id}/correlations": "by=version,os,image,uptime",
    }
    faults, count = [], 0
    for path, operations in document["paths"].items():
        operation = operations.get("get")
        if operation is None or "application/json" not in operation["responses"]["200"].get(
                "content", {}) or path.endswith("openapi.json"):
            continue
        # Nothing is quarantined here.
        if path == "/api/v1/intake/{id}":
            continue
        place = path.replace("{id}", ids.get(path.split("/")[3], report))
        place = place.replace("/apps/{name}", "/apps/" + app)
        place = re.sub(r"\{(\w+)\}", lambda match: known[match[1]], place)
        if path in queries:
            place += "?" + queries[path]
        status, headers, body = server.request("GET", place)
        if status != 200:
            faults.append(f"{place}: {status} {body.decode()}")
            continue
        schema = closed(operation["responses"]["200"]["content"]["application/json"]["schema"])
        schema["components"] = components
        count += 1
        for error in jsonschema_rs.validator_for(schema).iter_errors(json.loads(body)):
            where = "/".join(str(part) for part in error.instance_path)
            faults.append(f"{place}: {where}: {error.message[:200]}")
        if not re.fullmatch(r'"[0-9a-f]{32}"', headers["ETag"] or ""):
            faults.append(f"{place}: no strong entity tag")
    print(f"{count} questions: {len(faults)} answers that the description does not know")
    return faults, {"group": group, "report": report}


def released(server, app):
    """Releases a file, invites a tester and publishes a remote configuration, so that there is something to ask for."""
    with open(os.path.join(ROOT, "Artefacts/Tern-1.1.0.ipa"), "rb") as file:
        server.post(f"/api/v1/artefacts?app={app}&name=Tern.ipa", file.read(), "application/octet-stream")
    tester = {"app": urllib.parse.unquote(app), "email": "ada@example.org", "group": "Collaborators"}
    server.post("/api/v1/testers/invite", json.dumps(tester).encode(), "application/json")
    document = {"appUpdate": {"availableVersion": "1.0.0", "url": "https://example.org"}}
    server.post(
        f"/api/v1/remote-config/{app}", json.dumps({"document": json.dumps(document)}).encode(),
        "application/json", method="PUT")


def submitted(server):
    """Hands in a sample and waits until it is stored. Returns the submission's id."""
    path = os.path.join(ROOT, "Samples/apple-ips/abort-1.0.0-macos-x86_64.ips")
    with open(path, "rb") as file:
        accepted = server.post("/api/v1/reports", file.read(), "application/octet-stream")
    for _ in range(600):
        if server.json("/api/v1/submissions/" + accepted["id"])["status"] != "waiting":
            break
        time.sleep(0.1)
    return accepted["id"]


def statuses(log):
    """How often each status was answered, from the access log."""
    found = collections.Counter(re.findall(r'"status":(\d+)', log))
    return ", ".join(f"{count} x {status}" for status, count in sorted(found.items()))


def configuration(path, known, server):
    """Who asks; and requests about what there is, beside those about what there is not."""
    token, key = server.token, server.json("/api/v1/apps")["items"][0]["intake_key"]
    lines = [
        "[auth.openapi.bearer]", f'bearer = "{token}"', "[auth.openapi.token]",
        f'api_key = "{token}"', "[auth.openapi.password]", 'username = "mayday"',
        f'password = "{token}"', "[auth.openapi.appKey]", f'api_key = "{key}"', "",
        # 413: what is wrong and too large besides is refused for its size first.
        "[checks.negative_data_rejection]", f"expected-statuses = {json.dumps(REFUSALS)}", ""]
    for pattern, name in [("/api/v1/groups/", "group"), ("/api/v1/reports/", "report")]:
        lines += [
            "[[operations]]", f'include-path-regex = "^{pattern}[{{]id[}}]"',
            f'parameters = {{ "path.id" = "{known[name]}" }}', ""]
    # A part of a form is bytes, whatever a wrong value was before it was written: any is an attachment.
    lines += [
        "[[operations]]", 'include-operation-id = "submitReport"',
        f"checks.negative_data_rejection.expected-statuses = {json.dumps(REFUSALS + ['202'])}", ""]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))


def run(server, options):
    """Asks everything. Returns what was wrong."""
    faults, known = check_answers(server)
    configured = os.path.join(server.home.folder, "schemathesis.toml")
    configuration(configured, known, server)
    done = subprocess.run(
        [environment.program("schemathesis"), "--config-file", configured, "run",
         server.url + "/api/v1/openapi.json", "--checks", options.checks,
         "--max-examples", str(options.examples), "--seed", str(options.seed),
         "--max-time", str(options.seconds), "--continue-on-failure", "--request-timeout", "30",
         "--warnings", "off", "--exclude-operation-id", "revokeToken"],
        cwd=server.home.folder, timeout=options.seconds + 120)
    if done.returncode:
        faults.append(f"schemathesis ended with {done.returncode}")
    print("answers by status: " + statuses(server.output()))
    if server.is_running:
        faults += [f"the ledger does not agree: {one}" for one in server.json("/api/v1/ledger")["disagreements"]]
    else:
        faults.append("the server does not run any more")
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mayday", default=MAYDAY)
    parser.add_argument("--examples", type=int, default=20, help="requests of one kind")
    parser.add_argument("--seconds", type=int, default=90, help="the most that the requests may take")
    parser.add_argument("--checks", default=",".join(CHECKS))
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    environment.enter()
    with Home(options.mayday) as home:
        home.fill()
        with Server(home, "--rate", "0") as server:
            faults = run(server, options)
            # At the end, where a log that was cut still has them.
            for fault in faults[:40]:
                print(fault, file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
