"""Sentry's events, read on their own: `threads` and `images` are numbers, `frames` those of each thread."""
import json


def values(event, key):
    member = event.get(key) or {}
    return member if isinstance(member, list) else member.get("values") or []


def parse(data):
    event = json.loads(data)
    exceptions = values(event, "exception")
    threads = [((thread.get("stacktrace") or {}).get("frames") or [], thread.get("id", thread.get("uuid")))
               for thread in values(event, "threads")]
    if exceptions:
        # A thread without a stack has that of its exception.
        last = exceptions[-1]
        frames = (last.get("stacktrace") or {}).get("frames") or []
        threads = [(frames if not stack and number == last.get("thread_id") else stack, number)
                   for stack, number in threads] or ([(frames, 0)] if frames else [])
    return [{"format": "sentry-event", "threads": len(threads),
             "frames": [len(stack) for stack, _ in threads],
             "images": len((event.get("debug_meta") or {}).get("images") or []),
             "exception": [(entry.get("type"), entry.get("value")) for entry in exceptions]}]
