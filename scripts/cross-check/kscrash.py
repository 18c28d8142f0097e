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


def generate(random):
    """A report of a crash with threads and images."""
    images = [{"name": "/private/var/Tern.app/" + name, "uuid": "%08X-1111-2222-3333-%012X" % (random.getrandbits(32), random.getrandbits(48)),
               "image_addr": 0x100000000 + number * 0x1000000, "image_size": 0x80000, "image_vmaddr": 0, "cpu_type": 16777228, "cpu_subtype": 0}
              for number, name in enumerate(["Tern", "libTern desk.dylib"])]
    threads = []
    for number in range(random.randrange(1, 6)):
        contents = []
        for _ in range(random.randrange(0, 8)):
            image = random.choice(images)
            address = image["image_addr"] + random.randrange(0x80000)
            contents.append({"instruction_addr": address, "object_addr": image["image_addr"], "object_name": "Tern",
                             "symbol_addr": address & ~0xff, "symbol_name": random.choice(["main", "<redacted>", "_ZN4tern4TillE", None])})
        threads.append({"index": number, "crashed": False, "current_thread": False, "backtrace": {"contents": contents, "skipped": 0}})
    crashed = random.randrange(len(threads))
    threads[crashed]["crashed"] = True
    error = {"type": "mach", "address": random.getrandbits(40), "mach": {"exception": 1, "exception_name": "EXC_BAD_ACCESS", "code": 1,
             "code_name": "KERN_INVALID_ADDRESS"}, "signal": {"signal": 11, "name": "SIGSEGV", "code": 0}}
    if random.random() < 0.4:
        error = {"type": "nsexception", "reason": "no price", "nsexception": {"name": "NSRangeException"}, "signal": {"name": "SIGABRT"}}
    value = {"report": {"id": "%08X-0000-4000-8000-000000000000" % random.getrandbits(32), "timestamp": random.choice([
        1_750_000_000 + random.getrandbits(20), (1_750_000_000 + random.getrandbits(20)) * 1_000_000 + random.getrandbits(19), "2026-05-12T13:18:20Z"]),
        "type": "standard", "process_name": "Tern", "version": random.choice(["3.2.0", {"major": 3, "minor": 2}])},
        "system": {"CFBundleIdentifier": "shop.tern.till", "CFBundleVersion": "117", "CFBundleShortVersionString": "1.1.0", "process_id": 42,
                   "system_name": "iOS", "system_version": "17.5.1", "cpu_arch": "arm64"},
        "crash": {"error": error, "threads": threads}, "binary_images": images}
    text = json.dumps(value, indent=random.choice([None, 2]))
    return text.encode(), [one(value)]
