"""KSCrash's JSON, read on its own: `threads` and `images` are numbers, `frames` those of each thread."""
import json
import re


def one(value):
    crash = value.get("crash") or {}
    threads = crash.get("threads") or ([crash["crashed_thread"]] if "crashed_thread" in crash else [])
    error = crash.get("error") or {}
    # Some reports are damaged on purpose.
    threads = [thread for thread in threads if isinstance(thread, dict)]
    stacks = [(thread.get("backtrace") or {}).get("contents") or [] for thread in threads]
    stacks = [[frame for frame in stack if isinstance(frame, dict) and "instruction_addr" in frame]
              for stack in stacks]
    return {"format": "kscrash", "threads": len(threads), "frames": [len(stack) for stack in stacks],
            "addresses": [[frame["instruction_addr"] for frame in stack] for stack in stacks],
            "incident": (value.get("report") or {}).get("id"),
            "listed_images": len(value.get("binary_images") or []),
            "signal": (error.get("signal") or {}).get("name"),
            "exception": (error.get("nsexception") or error.get("cpp_exception") or {}).get("name")}


def parse(data):
    text = data.decode("utf-8", "replace")
    # Commas before closing brackets.
    value = json.loads(re.sub(r",(\s*[}\]])", r"\1", text))
    reports = [one(value)]
    if isinstance(value.get("recrash_report"), dict):
        reports.append(one(value["recrash_report"]))
        if not (value.get("crash") or {}).get("threads") and "incomplete" not in value:
            reports.reverse()
    return reports
