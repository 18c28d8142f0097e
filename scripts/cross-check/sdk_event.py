"""Events of SDKs as JSON: Bugsnag, measure, Rollbar."""
import json

from reading import present

FOLDERS = ["sdk-event", "sdk-events"]
FORMATS = ["sdk-event"]
ARGUED = [
    ("*partycrasher*", "*", "stacks of Launchpad are not read by the parser"),
    ("*dart_nested*", "*", "the stack of an exception without a type belongs to the one before it"),
]


def bugsnag(event):
    exceptions = event["exceptions"]
    chain = [{"type": exception.get("errorClass"), "message": exception.get("message") or None,
              "frames": len(exception.get("stacktrace") or [])} for exception in exceptions]
    return chain


def measured(event):
    body = event.get("exception") or event.get("anr") or event
    chain = []
    for exception in body["exceptions"]:
        frames = []
        for value in exception["frames"]:
            found = {}
            if value.get("line_num", 0) > 0:
                found["line"] = value["line_num"]
            frames.append(found)
        chain.append(present(type=exception.get("type"), frames=frames))
    threads = body.get("threads") or []
    return chain, threads


def rollbar(event):
    body = event["data"]["body"]
    chain = body.get("trace_chain") or [body["trace"]]
    return [{"type": trace["exception"]["class"], "message": trace["exception"].get("message"), "frames": [
        present(function=frame.get("method"), file=frame.get("filename"), line=frame.get("lineno"))
        for frame in reversed(trace["frames"])]} for trace in chain]


def nested(chain):
    inner = []
    for exception in reversed(chain):
        exception["inner"] = inner
        inner = [exception]
    return inner[0]


def parse(data):
    try:
        event = json.loads(data)
    except ValueError:
        return []
    if isinstance(event, list) or not isinstance(event, dict):
        return []
    report = {"format": "sdk-event"}
    if isinstance(event.get("data"), dict):
        report["reason"] = {"exception": nested(rollbar(event))}
        return [report]
    # A request has a list of events.
    event = event["events"][0] if event.get("events") else event
    body = event.get("exception") or event.get("anr") or event
    exceptions = body.get("exceptions") if isinstance(body, dict) else None
    if not exceptions:
        return []
    if "errorClass" in exceptions[0]:
        chain = bugsnag(event)
        if len(chain) == 1 and chain[0]["type"].startswith("SIG"):
            report["reason"] = {"signal": chain[0]["type"]}
            report["crashed frames"] = chain[0]["frames"]
        else:
            report["reason"] = {"exception": nested(chain)}
        report.update(present(user=(event.get("user") or {}).get("id")))
        return [report]
    chain, threads = measured(event)
    if not any("signal" in exception for exception in exceptions):
        report["reason"] = {"exception": nested(chain)}
        report["threads"] = [present(frames=len(thread["frames"])) for thread in threads]
    else:
        report["reason"] = present(signal=exceptions[0].get("signal"))
        if body.get("binary_images"):
            report["images"] = [{"path": image.get("path")} for image in body["binary_images"]]
    return [report]
