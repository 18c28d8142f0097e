"""Processed crashes of Socorro, and minidump-stackwalk's JSON."""
import json

from reading import hexadecimal, present

FOLDERS = ["socorro"]
FORMATS = ["socorro"]
ARGUED = [("*raw*", "*", "raw crashes are not read by the parser")]


def frame(value):
    found = {"address": hexadecimal(int(value["offset"], 16)), "function": value.get("function") or None}
    if value.get("line"):
        found["line"] = value["line"]
        # REPOSITORY:PATH without the repository and the revision.
        parts = value["file"].split(":")
        found["file"] = parts[2] if len(parts) == 4 and parts[0] in ("hg", "git", "s3") else value["file"]
    if value.get("trust"):
        found["position"] = "exact" if value["trust"] == "context" else "adjusted"
    return found


def expanded(value):
    """Inlined calls stand before the function that holds them."""
    return [present(function=call.get("function"), line=call.get("line"), inlined=True) for call in value.get("inlines") or []
            ] + [frame(value)]


def parse(data):
    try:
        value = json.loads(data)
    except ValueError:
        return []
    value = value.get("json_dump") or value
    if "threads" not in value:
        return []
    info = value.get("crash_info") or {}
    report = {"format": "socorro", "images": [present(
        base=hexadecimal(int(image["base_addr"], 16)), version=image.get("version")) for image in value["modules"]]}
    report["threads"] = [present(name=thread.get("thread_name"), frames=[
        call for entry in thread["frames"] for call in expanded(entry)]) for thread in value["threads"]]
    if info.get("crashing_thread") is not None:
        report["crashed_thread"] = info["crashing_thread"]
    if info.get("type"):
        kind, _, code = info["type"].partition(" / ")
        report["reason"] = {"signal": kind, "code": code} if kind.startswith("SIG") and code else {}
    return [report]
