"""Apple's reports as JSON: a header object and a body object."""
import json

from reading import dashed, hexadecimal, present, written

FOLDERS = ["apple-ips", "apple-ips-other"]
FORMATS = ["apple-ips"]
ARGUED = [
    ("apple-ips-other/*", "reports", "reports without threads (memory, panics, resources) are not read by the parser"),
]
ARCHITECTURES = {"ARM-64": "arm64", "X86-64": "x86_64", "ARM": "arm", "X86": "i386"}


def objects(text):
    """The JSON objects that a file begins with."""
    decoder = json.JSONDecoder()
    text = text.lstrip("\ufeff \t\r\n")
    while text.startswith("{"):
        value, end = decoder.raw_decode(text)
        yield value
        text = text[end:].lstrip()


def frame(value, images):
    image = images[value["imageIndex"]] if value.get("imageIndex", -1) < len(images) else {}
    found = present(function=value.get("symbol") and value["symbol"].strip(), symbol_offset=value.get("symbolLocation") if "symbol" in value else None,
                    file=value.get("sourceFile"), inlined=bool(value.get("inline")))
    if value.get("sourceLine"):
        found["line"] = value["sourceLine"]
    if "imageIndex" in value:
        found["address"] = hexadecimal(image.get("base", 0) + value["imageOffset"] & (1 << 64) - 1)
    return found


def body_of(header, body):
    images = body.get("usedImages") or []
    report = {"format": "apple-ips", "incident": body.get("incident") or header.get("incident_id"), "threads": []}
    report.update(present(time=written(body.get("captureTime") or body.get("date") or header.get("timestamp") or "")))
    bundle = body.get("bundleInfo") or {}
    report["app"] = present(identifier=bundle.get("CFBundleIdentifier") or header.get("bundleID"),
                            version=bundle.get("CFBundleShortVersionString") or header.get("app_version"),
                            build=bundle.get("CFBundleVersion") or header.get("build_version"))
    report["process"] = present(name=body.get("procName"), pid=body.get("pid"), path=body.get("procPath"))
    report["os"] = present(build=(body.get("osVersion") or {}).get("build"))
    report["device"] = present(model=body.get("modelCode"), arch=ARCHITECTURES.get(body.get("cpuType")))
    exception = body.get("exception") or {}
    report["reason"] = present(type=exception.get("type"), signal=exception.get("signal"))
    for thread in body.get("threads") or []:
        state = thread.get("threadState") or {}
        found = present(id=thread.get("id"), frames=[frame(value, images) for value in thread.get("frames") or []],
                        name=thread.get("name") or thread.get("queue"))
        registers = {name: hexadecimal(state[name]["value"]) for name in ("lr", "pc", "sp", "fp", "rip", "rax")
                     if isinstance(state.get(name), dict)}
        if isinstance(state.get("x"), list):
            registers.update(("x%d" % number, hexadecimal(entry["value"])) for number, entry in enumerate(state["x"]))
        if registers:
            found["registers"] = registers
        report["threads"].append(found)
    if report["threads"] and "faultingThread" in body:
        report["crashed_thread"] = body["faultingThread"]
    if body.get("lastExceptionBacktrace"):
        report["reason"]["exception"] = {"frames": [frame(value, images) for value in body["lastExceptionBacktrace"]]}
    # A placeholder without a path stands for addresses outside of all images.
    report["image ids"] = sorted({dashed(image.get("uuid") or "") for image in images if image.get("size") or
                                  image.get("base")} - {None})
    return report


def parse(data):
    values = list(objects(data.decode("utf-8", "replace")))
    reports, header = [], {}
    for value in values:
        if "threads" in value or "usedImages" in value:
            reports.append(body_of(header, value))
        header = value
    return reports


def generate(random):
    """A report of macOS or iOS with a few threads and images."""
    def identifier():
        return "%08X-%04X-%04X-%04X-%012X" % tuple(random.getrandbits(bits) for bits in (32, 16, 16, 16, 48))

    names = ["Tern", "Café Tern", "libsystem_kernel.dylib", "Tern Helper (GPU)", "libswiftCore.dylib"]
    images = [{"source": "P", "arch": random.choice(["arm64", "arm64e", "x86_64"]), "base": 0x100000000 + number * 0x10000000,
               "size": random.randrange(0x4000, 0x100000), "uuid": identifier().lower(), "name": name,
               "path": "/Applications/Tern.app/" + name} for number, name in enumerate(names)]
    words = ["tern::price(tern::Item const*)", "-[Till pay:]", "main", "closure #1 in Desk.open()", "operator<<", "start"]

    def stack():
        frames = []
        for _ in range(random.randrange(1, 9)):
            value = {"imageOffset": random.randrange(0, 0x4000), "imageIndex": random.randrange(len(images))}
            if random.random() < 0.7:
                value.update(symbol=random.choice(words), symbolLocation=random.randrange(0, 500))
                # A function begins in its image.
                value["symbolLocation"] = min(value["symbolLocation"], value["imageOffset"])
                if random.random() < 0.5:
                    value.update(sourceFile="Till.swift", sourceLine=random.randrange(0, 900))
                    if random.random() < 0.4 and len(frames) < 6:
                        frames.append(dict(value, inline=True))
            frames.append(value)
        return frames

    threads = []
    for number in range(random.randrange(1, 6)):
        thread = {"id": random.getrandbits(24)}
        if random.random() < 0.9:
            thread["frames"] = stack()
        if random.random() < 0.3:
            thread["name"] = random.choice(["worker \"1\"", "com.apple.NSEventThread", "a: b"])
        if random.random() < 0.3:
            thread["queue"] = random.choice(["com.apple.main-thread", "tern.q"])
        threads.append(thread)
    crashed = random.randrange(len(threads))
    threads[crashed]["triggered"] = True
    threads[crashed].setdefault("frames", stack())
    threads[crashed]["threadState"] = {"flavor": "ARM_THREAD_STATE64", "x": [
        {"value": random.getrandbits(64)} for _ in range(29)], "pc": {"value": random.getrandbits(64)}}
    body = {"captureTime": "2026-%02d-%02d %02d:%02d:%02d.%04d %+03d00" % (
                random.randrange(1, 13), random.randrange(1, 29), random.randrange(24), random.randrange(60),
                random.randrange(60), random.randrange(10000), random.randrange(-11, 13)),
            "incident": identifier(), "pid": random.randrange(1, 99999), "cpuType": random.choice(["ARM-64", "X86-64"]),
            "procName": "Tern", "procPath": "/Applications/Tern.app/Tern", "modelCode": "Mac14,2",
            "osVersion": {"train": "macOS 14.5", "build": "23F79"}, "faultingThread": crashed,
            "bundleInfo": {"CFBundleShortVersionString": "1.%d" % random.randrange(9), "CFBundleVersion": "117",
                           "CFBundleIdentifier": "shop.tern.till"},
            "exception": {"type": "EXC_BAD_ACCESS", "signal": "SIGSEGV", "codes": "0x1, 0x10", "rawCodes": [1, 16]},
            "threads": threads, "usedImages": images}
    if random.random() < 0.3:
        body["lastExceptionBacktrace"] = stack()
    header = {"app_name": "Tern", "timestamp": "2026-01-01 00:00:00.00 +0000", "bug_type": "309", "os_version": "macOS 14.5",
              "incident_id": body["incident"]}
    text = json.dumps(header) + random.choice(["\n", "", "\r\n"]) + json.dumps(
        body, indent=random.choice([None, 2]), ensure_ascii=random.random() < 0.5)
    return text.encode(), [body_of(header, body)]
