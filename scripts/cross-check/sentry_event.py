"""Sentry's events; their oldest frame comes first."""
import json

from reading import present

FOLDERS = ["crashprobe-json", "sentry-event"]
FORMATS = ["sentry-event"]


def values(event, key):
    member = event.get(key) or {}
    return member if isinstance(member, list) else member.get("values") or []


def stack(entry):
    frames = (entry.get("stacktrace") or {}).get("frames") or []
    return [present(address=frame.get("instruction_addr")) for frame in reversed(frames)]


def parse(data):
    event = json.loads(data)
    exceptions = values(event, "exception")
    threads = [(stack(thread), thread.get("id", thread.get("uuid")), bool(thread.get("crashed")))
               for thread in values(event, "threads")]
    if exceptions:
        # A thread without a stack has that of its exception.
        last = exceptions[-1]
        frames = stack(last)
        threads = [(frames if not found and number == last.get("thread_id") else found, number, crashed)
                   for found, number, crashed in threads] or ([(frames, 0, True)] if frames else [])
    report = {"format": "sentry-event", "threads": [{"frames": frames} for frames, _, _ in threads],
              "images": [present(base=image.get("image_addr")) for image in (event.get("debug_meta") or {}).get("images") or []]}
    if event.get("event_id"):
        report["incident"] = event["event_id"].lower()
    if any(crashed for _, _, crashed in threads):
        report["crashed_thread"] = [crashed for _, _, crashed in threads].index(True)
    if exceptions:
        report["reason"] = present(type=exceptions[-1].get("type"))
    return [report]
