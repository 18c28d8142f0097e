#!/usr/bin/env python3
"""Writes reports of telephones in other forms than their systems': crashes of the samples as the SDKs and
daemons would have written them.

    compose-mobile.py SAMPLES

Apple's forms (PLCrashReporter, KSCrash, MetricKit, Sentry) hold the same incidents as `SAMPLES/apple-ips`: the same
images, addresses, registers and times. Android's (a tombstone as text and as protobuf, a trace of ART) hold the
stacks of `SAMPLES/minidump/worker-null-1.0.0-clang-O2.dmp`: the same build id and offsets, moved into the call
where Android's unwinder moves them.

The layouts are those of plcrashreporter's `crash_report.proto`, of KSCrash's reports of version 3, of Apple's
documentation of MetricKit, and of `tombstone.proto` and `tombstone_proto_to_text.cpp` of Android 14.
"""
import json
import os
import sys
import uuid

SAMPLES = sys.argv[1]
SIGNALS = {"SIGSEGV": 11, "SIGABRT": 6, "SIGTRAP": 5, "SIGKILL": 9}
EXCEPTIONS = {"EXC_BAD_ACCESS": 1, "EXC_BREAKPOINT": 6, "EXC_CRASH": 10}


def put(path, data):
    path = os.path.join(SAMPLES, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode())


# MARK: protobuf

def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while True:
        if value < 128:
            return bytes(out + bytes([value]))
        out.append(value & 127 | 128)
        value >>= 7


def number(field, value, always=False):
    return varint(field << 3) + varint(value) if value or always else b""


def part(field, data):
    data = data.encode() if isinstance(data, str) else data
    return varint(field << 3 | 2) + varint(len(data)) + data


# MARK: Apple

def incident(name):
    """Header and body of an `.ips`."""
    text = open(os.path.join(SAMPLES, "apple-ips", name + ".ips")).read()
    decoder = json.JSONDecoder()
    first, end = decoder.raw_decode(text)
    rest = text[end:].lstrip()
    return (first, decoder.raw_decode(rest)[0]) if rest else ({}, first)


def seconds(text):
    import calendar
    import time
    moment = time.strptime(text[:19], "%Y-%m-%d %H:%M:%S")
    zone = text.split(" ")[-1]
    shift = (int(zone[1:3]) * 60 + int(zone[3:5])) * 60 * (-1 if zone[0] == "-" else 1)
    return calendar.timegm(moment) - shift


def registers(thread):
    state = thread.get("threadState", {})
    found = [(f"x{index}", entry["value"]) for index, entry in enumerate(state.get("x", []))]
    for name in ("fp", "lr", "sp", "pc", "cpsr"):
        if name in state:
            found.append((name, state[name]["value"]))
    return found


def addresses(body, frames):
    images = body["usedImages"]
    return [images[frame["imageIndex"]]["base"] + frame["imageOffset"] for frame in frames]


def version(body):
    return body["osVersion"]["train"].split(" ")[-1]


def exception_name(body):
    """The name and reason of the exception that the runtime printed."""
    text = "\n".join(line for lines in body.get("asi", {}).values() for line in lines)
    name = text.split("uncaught exception '")[1].split("'")[0]
    return name, text.split("reason: '")[1].split("'")[0]


def plcrash(name):
    _, body = incident(name)
    info = body["bundleInfo"]
    out = part(1, number(1, 1) + part(2, version(body)) + number(3, 6)
               + number(4, seconds(body["captureTime"])) + part(5, body["osVersion"]["build"]))
    out += part(2, part(1, info["CFBundleIdentifier"]) + part(2, info["CFBundleVersion"])
                + part(3, info["CFBundleShortVersionString"]))
    for index, thread in enumerate(body["threads"]):
        data = number(1, index, always=True)
        for pc in addresses(body, thread["frames"]):
            data += part(2, number(3, pc))
        data += number(3, int(index == body["faultingThread"]), always=True)
        if index == body["faultingThread"]:
            for register, value in registers(thread):
                data += part(4, part(1, register) + number(2, value, always=True))
        out += part(3, data)
    processor = number(1, 1) + number(2, 0x0100000c) + number(3, 2, always=True)
    for image in body["usedImages"]:
        out += part(4, number(1, image["base"]) + number(2, image["size"]) + part(3, image["path"])
                    + part(4, uuid.UUID(image["uuid"]).bytes)
                    + part(5, number(1, 1) + number(2, 0x0100000c) + number(3, 0, always=True)))
    if "lastExceptionBacktrace" in body:
        title, reason = exception_name(body)
        data = part(1, title) + part(2, reason)
        for pc in addresses(body, body["lastExceptionBacktrace"]):
            data += part(3, part_pc(pc))
        out += part(5, data)
    signal = body["exception"]["signal"]
    address = (body["exception"].get("rawCodes") or [0, 0])[1]
    mach = EXCEPTIONS[body["exception"]["type"]]
    codes = b"".join(number(2, code, always=True) for code in body["exception"].get("rawCodes", []))
    code = "SEGV_MAPERR" if signal == "SIGSEGV" else "#0"
    data = part(1, signal) + part(2, code) + number(3, address, always=True)
    if "lastExceptionBacktrace" not in body:
        data += part(4, number(1, mach) + codes)
    out += part(6, data)
    out += part(7, part(1, body["procName"]) + number(2, body["pid"]) + part(3, body["procPath"])
                + part(4, "launchd") + number(5, 1) + number(6, 1)
                + number(7, seconds(body["procLaunch"])))
    out += part(8, part(1, body["modelCode"]) + part(2, processor) + number(3, 6) + number(4, 6))
    out += part(9, number(1, 0, always=True) + part(2, uuid.UUID(body["incident"]).bytes))
    put(f"plcrash/{name}.plcrash", b"plcrash\x01" + out)


def part_pc(pc):
    return number(3, pc)


def kscrash(name):
    _, body = incident(name)
    info = body["bundleInfo"]
    images = body["usedImages"]

    def backtrace(frames):
        contents = []
        for frame in frames:
            image = images[frame["imageIndex"]]
            contents.append({
                "object_name": image["name"], "object_addr": image["base"],
                "instruction_addr": image["base"] + frame["imageOffset"],
                "symbol_name": "<redacted>", "symbol_addr": 0})
        return {"contents": contents, "skipped": 0}

    threads = []
    for index, thread in enumerate(body["threads"]):
        crashed = index == body["faultingThread"]
        frames = thread["frames"]
        if crashed and "lastExceptionBacktrace" in body:
            frames = body["lastExceptionBacktrace"]
        entry = {"index": index, "crashed": crashed, "current_thread": crashed,
                 "backtrace": backtrace(frames)}
        if crashed:
            entry["registers"] = {"basic": dict(registers(thread)), "exception": {}}
        if thread.get("queue"):
            entry["dispatch_queue"] = thread["queue"]
        threads.append(entry)
    error = {"address": (body["exception"].get("rawCodes") or [0, 0])[1]}
    signal = body["exception"]["signal"]
    mach = body["exception"]["type"]
    if "lastExceptionBacktrace" in body:
        title, reason = exception_name(body)
        error.update({"type": "nsexception", "reason": reason, "address": 0,
                      "nsexception": {"name": title, "userInfo": "{\n}"}})
    else:
        error["type"] = "mach"
        error["mach"] = {"exception": EXCEPTIONS[mach], "exception_name": mach, "code": 1,
                         "code_name": "KERN_INVALID_ADDRESS", "subcode": error["address"]}
    error["signal"] = {"signal": SIGNALS[signal], "name": signal, "code": 0}
    report = {
        "binary_images": [
            {"name": image["path"], "uuid": image["uuid"].upper(), "image_addr": image["base"],
             "image_size": image["size"], "image_vmaddr": 0x100000000, "cpu_type": 0x0100000c,
             "cpu_subtype": 0, "major_version": 0, "minor_version": 0, "revision_version": 0}
            for image in images],
        "crash": {"error": error, "threads": threads},
        "process": {},
        "report": {"id": body["incident"].upper(), "process_name": body["procName"],
                   "timestamp": seconds(body["captureTime"]) * 1000000, "type": "standard",
                   "version": "3.3.0"},
        "system": {
            "CFBundleExecutablePath": body["procPath"],
            "CFBundleIdentifier": info["CFBundleIdentifier"],
            "CFBundleShortVersionString": info["CFBundleShortVersionString"],
            "CFBundleVersion": info["CFBundleVersion"], "cpu_arch": "arm64",
            "device_app_hash": "8a0b3f6e", "machine": body["modelCode"],
            "os_version": body["osVersion"]["build"], "process_id": body["pid"],
            "process_name": body["procName"], "system_name": "iOS",
            "system_version": version(body),
            "application_stats": {"active_time_since_launch": 12.5,
                                  "application_active": True, "application_in_foreground": True}},
        "user": {"desk": "till 3", "basket": {"lines": 2}},
    }
    put(f"kscrash/{name}.json", json.dumps(report, indent=1) + "\n")


def metric_frames(body, frames):
    """Each frame inside the one before it: the youngest is the root."""
    tree = None
    for frame in reversed(frames):
        image = body["usedImages"][frame["imageIndex"]]
        entry = {"binaryUUID": image["uuid"].upper(), "binaryName": image["name"],
                 "offsetIntoBinaryTextSegment": frame["imageOffset"], "sampleCount": 1,
                 "address": image["base"] + frame["imageOffset"]}
        if tree:
            entry["subFrames"] = [tree]
        tree = entry
    return [tree]


def metrickit(crash, hang):
    def metadata(body):
        info = body["bundleInfo"]
        return {"appVersion": info["CFBundleShortVersionString"],
                "appBuildVersion": info["CFBundleVersion"],
                "bundleIdentifier": info["CFBundleIdentifier"],
                "osVersion": f"iPhone OS {version(body)} ({body['osVersion']['build']})",
                "deviceType": body["modelCode"], "platformArchitecture": "arm64e",
                "regionFormat": "DE", "pid": body["pid"], "isTestFlightApp": False,
                "lowPowerModeEnabled": False}

    _, body = incident(crash)
    facts = metadata(body)
    facts.update({"exceptionType": EXCEPTIONS[body["exception"]["type"]],
                  "exceptionCode": body["exception"]["rawCodes"][0],
                  "signal": SIGNALS[body["exception"]["signal"]],
                  "terminationReason": "Namespace SIGNAL, Code 11 Segmentation fault: 11"})
    payload = {
        "timeStampBegin": body["captureTime"][:10] + " 00:00:00",
        "timeStampEnd": body["captureTime"][:10] + " 23:59:00",
        "crashDiagnostics": [{
            "version": "1.0.0", "diagnosticMetaData": facts,
            "callStackTree": {"callStackPerThread": True, "callStacks": [
                {"threadAttributed": index == body["faultingThread"],
                 "callStackRootFrames": metric_frames(body, thread["frames"])}
                for index, thread in enumerate(body["threads"])]}}]}
    _, body = incident(hang)
    facts = metadata(body)
    facts["hangDuration"] = "20 sec"
    main = list(reversed(body["threads"][0]["frames"]))
    payload["hangDiagnostics"] = [{
        "version": "1.0.0", "diagnosticMetaData": facts,
        "callStackTree": {"callStackPerThread": True, "callStacks": [
            {"threadAttributed": True, "callStackRootFrames": metric_frames(body, main)}]}}]
    put(f"metrickit/{crash}-and-hang.json", json.dumps(payload, indent=1) + "\n")


def sentry(name):
    _, body = incident(name)
    info = body["bundleInfo"]
    images = body["usedImages"]

    def stack(thread):
        frames = [{"instruction_addr": hex(images[frame["imageIndex"]]["base"] + frame["imageOffset"]),
                   "image_addr": hex(images[frame["imageIndex"]]["base"]),
                   "package": images[frame["imageIndex"]]["path"]} for frame in thread["frames"]]
        return {"frames": frames[::-1], "registers": {n: hex(v) for n, v in registers(thread)}}

    crashed = body["faultingThread"]
    codes = body["exception"]["rawCodes"]
    event = {
        "event_id": body["incident"].replace("-", "").lower(), "platform": "cocoa", "level": "fatal",
        "timestamp": seconds(body["captureTime"]),
        "release": f"{info['CFBundleIdentifier']}@{info['CFBundleShortVersionString']}+{info['CFBundleVersion']}",
        "environment": "shop", "tags": {"desk": "till 3"},
        "sdk": {"name": "sentry.cocoa", "version": "8.40.0"},
        "contexts": {
            "app": {"app_name": body["procName"], "app_identifier": info["CFBundleIdentifier"]},
            "device": {"model": body["modelCode"], "arch": "arm64"},
            "os": {"name": "iOS", "version": version(body), "build": body["osVersion"]["build"]}},
        "exception": {"values": [{
            "type": body["exception"]["type"], "thread_id": crashed,
            "value": "Attempted to dereference null pointer.",
            "mechanism": {"type": "mach", "handled": False, "data": {"relevant_address": hex(codes[1])},
                          "meta": {"signal": {"number": 11, "name": body["exception"]["signal"]},
                                   "mach_exception": {"name": body["exception"]["type"],
                                                      "exception": 1, "code": 1}}},
            "stacktrace": stack(body["threads"][crashed])}]},
        "threads": {"values": [
            {"id": index, "crashed": index == crashed, "current": index == crashed,
             **({} if index == crashed else {"stacktrace": stack(thread)})}
            for index, thread in enumerate(body["threads"])]},
        "debug_meta": {"images": [
            {"type": "macho", "debug_id": image["uuid"].lower(), "code_file": image["path"],
             "image_addr": hex(image["base"]), "image_size": image["size"], "arch": "arm64"}
            for image in images]}}
    put(f"sentry-event/{name}.json", json.dumps(event, indent=1) + "\n")


# MARK: Android

FINGERPRINT = "google/sdk_gphone64_x86_64/emu64xa:14/UE1A.230829.036/11228894:user/release-keys"
TERN = ("/data/app/~~kQ3vTn1xT8a==/app.example.tern-Zb7vOq==/lib/x86_64/libtern.so",
        "cc2d19272e32c23387437d85bce6e9088126e779", 0x7b1a2c000000)
LIBC = ("/apex/com.android.runtime/lib64/bionic/libc.so", "a87908b48b368e6282bcc9f34bcfc28c",
        0x7b1d40000000)
LIBCXX = ("/data/app/~~kQ3vTn1xT8a==/app.example.tern-Zb7vOq==/base.apk!libc++_shared.so",
          "5cd0f62d3e1b3a4a6ee5d41d2a6ecc9e42b1a7f0", 0x7b1a2d000000)
WORKER = [(TERN, 0x5248, None, 0, 0),
          (LIBCXX, 0x9c2f0, "std::__ndk1::__thread_proxy(void*)", 48, 0x1f4000),
          (LIBC, 0xcb6f0, "__pthread_start(void*)", 208, 0),
          (LIBC, 0x64460, "__start_thread", 64, 0)]
MAIN = [(LIBC, 0x62e1c, "syscall", 28, 0), (LIBC, 0x6796b, "pthread_join", 107, 0),
        (TERN, 0x5105, None, 0, 0), (TERN, 0x4317, None, 0, 0), (TERN, 0x3acb, None, 0, 0),
        (LIBC, 0x5a31c, "__libc_init", 108, 0)]
REGISTERS = [("rax", 0), ("rbx", 0x7b1a2c0aa000), ("rcx", 0x7b1d40062e1c), ("rdx", 3), ("r8", 0),
             ("r9", 1), ("r10", 0x7ffd2), ("r11", 0x246), ("r12", 0), ("r13", 0x7b1a2bff0ac0),
             ("r14", 0x7b1a2c0aa040), ("r15", 7), ("rdi", 0), ("rsi", 3), ("rbp", 0x7b1a2bff0b40),
             ("rsp", 0x7b1a2bff0a80), ("rip", 0x7b1a2c005248)]
THREADS = [(4719, "tern picker", WORKER, REGISTERS), (4711, "app.example.tern", MAIN, [])]
TIME = "2026-11-20 09:41:07.481920173+0100"


def tombstone_text():
    lines = ["*** " * 15 + "***", f"Build fingerprint: '{FINGERPRINT}'", "Revision: '0'",
             "ABI: 'x86_64'", f"Timestamp: {TIME}", "Process uptime: 9s",
             "Cmdline: app.example.tern"]
    for index, (tid, name, frames, values) in enumerate(THREADS):
        if index:
            lines.append("--- " * 15 + "---")
        lines.append(f"pid: 4711, tid: {tid}, name: {name}  >>> app.example.tern <<<")
        lines.append("uid: 10151")
        if index == 0:
            lines += ["signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0000000000000018",
                      "Cause: null pointer dereference"]
        for start in range(0, len(values), 4):
            lines.append("    " + "  ".join(f"{n:<3} {v:016x}" for n, v in values[start:start + 4]))
        lines += ["", f"{len(frames)} total frames", "backtrace:"]
        for number_, (image, offset, function, inside, place) in enumerate(frames):
            line = f"      #{number_:02} pc {offset:016x}  {image[0]}"
            line += f" (offset 0x{place:x})" if place else ""
            line += f" ({function}+{inside})" if function else ""
            lines.append(line + f" (BuildId: {image[1]})")
        lines.append("")
    lines += ["--------- log main",
              "11-20 09:41:07.102  4711  4719 I tern    : picking 3 pencils",
              "11-20 09:41:07.480  4711  4719 F libc    : Fatal signal 11 (SIGSEGV), code 1 "
              "(SEGV_MAPERR), fault addr 0x18 in tid 4719 (tern picker), pid 4711 (app.example.tern)", ""]
    put("android-tombstone/worker-null-1.0.0.txt", "\n".join(lines))


def tombstone_message():
    out = number(1, 3) + part(2, FINGERPRINT) + part(3, "0") + part(4, TIME)
    out += number(5, 4711) + number(6, 4719) + number(7, 10151)
    out += part(8, "u:r:untrusted_app:s0") + part(9, "app.example.tern")
    out += part(10, number(1, 11) + part(2, "SIGSEGV") + number(3, 1) + part(4, "SEGV_MAPERR")
                + number(8, 1) + number(9, 0x18))
    out += part(15, part(1, "null pointer dereference"))
    for tid, name, frames, values in reversed(THREADS):
        data = number(1, tid) + part(2, name)
        for register, value in values:
            data += part(3, part(1, register) + number(2, value))
        for image, offset, function, inside, place in frames:
            frame = number(1, offset) + number(2, image[2] + offset)
            if function:
                frame += part(4, function) + number(5, inside)
            data += part(4, frame + part(6, image[0]) + number(7, place) + part(8, image[1]))
        out += part(16, number(1, tid) + part(2, data))
    out += number(20, 9) + number(22, 4096)
    put("android-tombstone/worker-null-1.0.0.pb", out)


def art_trace():
    def native(frames):
        return [f"  native: #{index:02} pc {offset:016x}  {image[0]}"
                + (f" (offset {place:x})" if place else "")
                + (f" ({function}+{inside})" if function else " (???)")
                + f" (BuildId: {image[1]})"
                for index, (image, offset, function, inside, place) in enumerate(frames)]

    def thread(name, rest, tid, lines):
        return [f'"{name}" {rest}', '  | group="main" sCount=1 ucsCount=0 flags=1 obj=0x721b0f98 '
                'self=0xb400007d136a27b0', f"  | sysTid={tid} nice=-10 cgrp=top-app sched=0/0 "
                "handle=0x7f053014f8", "  | state=S schedstat=( 979645230 62026944 1016 ) utm=91 "
                "stm=6 core=0 HZ=100", "  | stack=0x7ffccb0000-0x7ffccb2000 stackSize=8188KB",
                "  | held mutexes="] + lines + [""]

    lines = ["Subject: Input dispatching timed out (7c1e app.example.tern/.TillActivity is not "
             "responding. Waited 5001ms for MotionEvent)", "",
             "----- pid 4711 at 2026-11-20 09:44:18.220107345+0100 -----",
             "Cmd line: app.example.tern", f"Build fingerprint: '{FINGERPRINT}'", "ABI: 'x86_64'",
             "Build type: optimized", "DALVIK THREADS (3):"]
    lines += thread("main", "prio=5 tid=1 Blocked", 4711, [
        "  at app.example.tern.Till.total(Till.kt:58)",
        "  - waiting to lock <0x0481d03d> (a app.example.tern.Stock) held by thread 12",
        "  at app.example.tern.TillActivity.onPay(TillActivity.kt:31)",
        "  at android.view.View.performClick(View.java:7659)",
        "  at android.os.Handler.dispatchMessage(Handler.java:99)",
        "  at android.os.Looper.loop(Looper.java:294)",
        "  at android.app.ActivityThread.main(ActivityThread.java:8177)",
        "  at java.lang.reflect.Method.invoke(Native method)",
        "  at com.android.internal.os.ZygoteInit.main(ZygoteInit.java:971)"])
    lines += thread("tern picker", "prio=5 tid=12 Native", 4719,
                    native([(LIBC, 0x62e1c, "syscall", 28, 0), (TERN, 0x5105, None, 0, 0),
                            (TERN, 0x4317, None, 0, 0)]) + [
        "  at app.example.tern.Stock.pick(Native method)",
        "  at app.example.tern.Stock.restock(Stock.kt:77)",
        "  - locked <0x0481d03d> (a app.example.tern.Stock)",
        "  at java.lang.Thread.run(Thread.java:1012)"])
    lines += thread("HeapTaskDaemon", "daemon prio=5 tid=9 WaitingForTaskProcessor", 4715,
                    native([(LIBC, 0x62e1c, "syscall", 28, 0)]) + ["  (no managed stack frames)"])
    lines += ["----- end 4711 -----", ""]
    put("android-anr/blocked-main-1.0.0.txt", "\n".join(lines))


plcrash("worker-null-1.1.0-ios-arm64")
plcrash("raised-exception-1.1.0-ios-arm64")
kscrash("null-read-1.1.0-ios-arm64")
kscrash("raised-exception-1.1.0-ios-arm64")
sentry("null-read-1.1.0-ios-arm64")
metrickit("null-read-1.1.0-ios-arm64", "watchdog-1.1.0-ios-arm64")
tombstone_text()
tombstone_message()
art_trace()
