"""KSCrash's JSON and that of the SDKs with a copy of it."""
import json
import re

from reading import dashed, hexadecimal, moment, present, written

FOLDERS = ["kscrash"]
FORMATS = ["kscrash"]


def pointer(number):
    """An address; raw reports have it signed, or with the bits of pointer authentication."""
    return hexadecimal(number & (1 << 64) - 1)


def time(value):
    if isinstance(value, str):
        return written(value)
    if not value:
        return None
    seconds, rest = divmod(value, 1_000_000) if value > 10 ** 12 else (value, 0)
    return moment(int(seconds), "%06d" % rest if rest else "")


def stack(thread):
    backtrace = thread.get("backtrace")
    contents = (backtrace.get("contents") if isinstance(backtrace, dict) else None) or []
    return [{"address": pointer(frame["instruction_addr"])} for frame in contents
            if isinstance(frame, dict) and isinstance(frame.get("instruction_addr"), int)]


def one(value):
    crash = value.get("crash") or {}
    threads = crash.get("threads") or ([crash["crashed_thread"]] if "crashed_thread" in crash else [])
    error = crash.get("error") or {}
    # Some reports are damaged on purpose.
    threads = [thread for thread in threads if isinstance(thread, dict)]
    facts = value.get("report") or {}
    system = value.get("system") or {}
    report = present(format="kscrash", incident=facts.get("id"), time=time(facts.get("timestamp")),
                     threads=[{"frames": stack(thread), "crashed": bool(thread.get("crashed"))} for thread in threads])
    if any(thread.get("crashed") for thread in threads):
        report["crashed_thread"] = [bool(thread.get("crashed")) for thread in threads].index(True)
    report["app"] = present(identifier=system.get("CFBundleIdentifier"), build=system.get("CFBundleVersion"),
                            version=system.get("CFBundleShortVersionString"))
    report["os"] = present(version=system.get("system_version"))
    report["process"] = present(pid=system.get("process_id"), name=facts.get("process_name"))
    reason = present(signal=(error.get("signal") or {}).get("name"), type=(error.get("mach") or {}).get("exception_name"))
    kind = error.get("type")
    if kind in ("mach", "signal"):
        report["reason"] = reason
    exception = error.get("nsexception") or (kind == "cpp_exception" and error.get("cpp_exception"))
    if kind in ("nsexception", "cpp_exception") and exception and exception.get("name"):
        report["reason"] = {"exception": {"type": exception["name"]}}
    images = value.get("binary_images") or []
    report["images"] = [present(base=pointer(image["image_addr"]), path=image.get("name"),
                                debug_id=dashed(image.get("uuid") or "")) for image in images if isinstance(image, dict)]
    # Frames name the images that damage hides.
    if not images or len(report["images"]) < len(images):
        del report["images"]
    return report


def described(value):
    """Whether an object has a crash at all."""
    return "crash" in value or "report" in value or "recrash_report" in value or "binary_images" in value


def parse(data):
    text = data.decode("utf-8", "replace")
    # Commas before closing brackets.
    value = json.loads(re.sub(r",(\s*[}\]])", r"\1", text))
    reports = [one(value)] if described(value) else []
    if isinstance(value.get("recrash_report"), dict):
        reports.append(one(value["recrash_report"]))
        if not (value.get("crash") or {}).get("threads") and "incomplete" not in value:
            reports.reverse()
    return reports
