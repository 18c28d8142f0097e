#!/usr/bin/env python3
"""Composes the reports about the programs of Symbols/whole that no machine at hand could run.

    compose-whole.py SYMBOLS-WHOLE SAMPLES FOLDER

What a report says about the program is true of its code: the fault is at the first instruction of `priceOf`, all
other addresses are those after the calls, and llvm-symbolizer agrees with the names. The addresses of system
libraries are made up. FOLDER has `skiff.map`, the link map of the PDB's program.
"""
import json
import os
import re
import struct
import subprocess
import sys
import uuid

WHOLE, SAMPLES, BUILD = sys.argv[1:]
OBJDUMP = os.environ.get("OBJDUMP", "llvm-objdump-14")
READOBJ = os.environ.get("READOBJ", "llvm-readobj-14")
SYMBOLIZER = os.path.join(os.environ.get("SWIFT_HOME", "/opt/swift"), "usr/bin/llvm-symbolizer")


def run(*command, text=None):
    return subprocess.run(command, input=text, check=True, capture_output=True, text=True).stdout


def put(path, data):
    path = os.path.join(SAMPLES, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode())


class Program:
    """The addresses of a crash in a program: of the fault, and of the return to each caller."""

    def __init__(self, path, *flags, debug=None, link_map=None):
        self.path, self.debug = path, debug or path
        starts = {}
        for line in open(link_map) if link_map else ():
            if found := re.match(r"\s*0001:\S+\s+(\S+)\s+([0-9a-f]{16})", line):
                starts[int(found[2], 16)] = found[1]
        code, name = {}, None
        for line in run(OBJDUMP, "-d", "--no-show-raw-insn", *flags, path).splitlines():
            if found := re.match(r"(?:[0-9a-f]+ )?<?([\w?@$]+)>?:$", line):
                name = found[1]
            elif found := re.match(r"\s*([0-9a-f]+):\s+(.*)", line):
                address = int(found[1], 16)
                name = starts.get(address, name)
                code.setdefault(name, []).append((address, found[2]))
        self.code = code
        self.fault = self.function("priceOf")[0][0]
        chain = [name for name in ("main", "sell", "total", "priceOf") if self.has(name)]
        self.callers = [self.after_call(*pair) for pair in zip(chain, chain[1:])][::-1]
        self.handler = self.after_call("onSignal", "abort") if self.has("onSignal") else None
        self.check()

    def has(self, name):
        return any(re.fullmatch(self.pattern(name), known or "") for known in self.code)

    @staticmethod
    def pattern(name):
        return rf"_*(ZL?\d+)?\??{name}(P\w*|i|@@\S*)?"

    def function(self, name):
        return next(code for known, code in self.code.items() if re.fullmatch(self.pattern(name), known or ""))

    def after_call(self, caller, callee):
        """The return address of a call of `callee`, a function here or one imported; `None` where it was inlined."""
        code = self.function(caller)
        target = f"0x{self.function(callee)[0][0]:x}" if self.has(callee) else "none"
        for index, (address, text) in enumerate(code):
            if re.match(r"(bl|callq?)\s", text) and (callee in text or target in text.split()):
                return code[index + 1][0] if index + 1 < len(code) else address + (4 if text.startswith("bl") else 5)
        return None

    def check(self):
        """What llvm-symbolizer says of the addresses."""
        wanted = [(self.fault, "priceOf")]
        wanted += zip((address - 1 for address in self.callers), ("total", "sell" if self.has("sell") else "main", "main"))
        if self.handler:
            wanted.append((self.handler - 1, "onSignal"))
        text = "".join(f"{address:#x}\n" for address, _ in wanted)
        for line, (address, name) in zip(
                run(SYMBOLIZER, "--output-style=JSON", "--obj=" + self.debug, text=text).splitlines(), wanted):
            symbol = json.loads(line)["Symbol"][-1]
            if not symbol["FunctionName"].startswith(name) or symbol["Line"] == 0:
                raise SystemExit(f"{self.debug}: {address:#x} is {symbol}, not {name}")


# MARK: Android

def tombstones():
    library = Program(os.path.join(WHOLE, "libskiff.so"))
    own = "/data/app/~~w0lE==/app.example.skiff-Kq==/lib/arm64/libskiff.so"
    libc = "/apex/com.android.runtime/lib64/bionic/libc.so"
    vdso = "[vdso]"
    art = [("/data/app/~~w0lE==/app.example.skiff-Kq==/oat/arm64/base.odex", 0x1f4c, None),
           ("/apex/com.android.art/lib64/libart.so", 0x33a0d4, "art_quick_invoke_stub+548")]
    # Android's unwinder moves a return address into the call.
    calls = [(own, library.fault, None)] + [(own, address - 4, None) for address in library.callers] + art
    killed = [(libc, 0x52a5c, "abort+164"), (own, library.handler - 4, None), (vdso, 0x5d0, "__kernel_rt_sigreturn")]
    for name, frames, signal in (
            ("null-read-whole", calls, "signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0000000000000040"),
            ("handler-abort-whole", killed + calls, "signal 6 (SIGABRT), code -1 (SI_QUEUE), fault addr --------")):
        lines = ["*** " * 15 + "***", "Build fingerprint: 'google/oriole/oriole:14/UP1A.231105.001/10817346:user/release-keys'",
                 "Revision: 'MP1.0'", "ABI: 'arm64'", "Timestamp: 2026-11-20 10:12:44.481920173+0100", "Process uptime: 4s",
                 "Cmdline: app.example.skiff", "pid: 2217, tid: 2217, name: xample.skiff  >>> app.example.skiff <<<",
                 "uid: 10161", signal, "", f"{len(frames)} total frames", "backtrace:"]
        for index, (path, offset, function) in enumerate(frames):
            lines.append(f"      #{index:02} pc {offset:016x}  {path}" + (f" ({function})" if function else ""))
        put(f"android-tombstone/{name}.txt", "\n".join(lines) + "\n")


# MARK: ABRT

LIBC = [0x8aeec, 0x3bfb2, 0x26472]
RESTORER, START = 0x3c050, 0x2724a


def abrt():
    base, libc = 0x55d0c4f1e000, 0x7f10a4a00000
    for name, program in (("null-read-whole", "skiff-core"), ("handler-abort-whole", "skiff-pie")):
        own = Program(os.path.join(WHOLE, program))
        places = [(base, offset, program) for offset in [own.fault] + own.callers] + [(libc, START, None)]
        if own.handler:
            places = ([(libc, offset, None) for offset in LIBC] + [(base, own.handler, program), (libc, RESTORER, None)]
                      + places)
        frames = []
        for start, offset, file in places:
            frame = {"address": start + offset}
            if not file:
                frame["build_id"] = "cc10c72da62c93033e227ffbe2670f2c4fbbde1a"
            frame["build_id_offset"] = offset
            frame["file_name"] = f"/srv/bin/{file}" if file else "/usr/lib64/libc.so.6"
            frames.append(frame)
        signal = 6 if own.handler else 11
        put(f"abrt/{name}.json", json.dumps({
            "ureport_version": 2, "reason": f"{program} killed by signal {signal}",
            "reporter": {"name": "satyr", "version": "0.43"},
            "os": {"name": "fedora", "version": "40", "architecture": "x86_64"},
            "problem": {"type": "core", "executable": f"/srv/bin/{program}", "signal": signal, "component": program,
                        "user": {"root": False, "local": True},
                        "stacktrace": [{"crash_thread": True, "frames": frames}]},
            "packages": [{"name": program, "epoch": 0, "version": "1.0.0", "release": "1.fc40",
                          "architecture": "x86_64", "package_role": "affected"}],
        }, indent=1) + "\n")


# MARK: Apple

def mach_uuid(path):
    data = open(path, "rb").read()
    at = 32
    for _ in range(struct.unpack_from("<I", data, 16)[0]):
        command, size = struct.unpack_from("<II", data, at)
        if command == 0x1B:
            return uuid.UUID(bytes=data[at + 8:at + 24])
        at += size


TEXT = 0x1_0000_0000
SYSTEM = {"libsystem_kernel.dylib": (0x1_e8a0_0000, 0x39000), "libsystem_c.dylib": (0x1_a2c0_0000, 0x7f000),
          "libsystem_platform.dylib": (0x1_f940_0000, 0x8000), "dyld": (0x1_c0a0_0000, 0x8b000)}


def apple():
    path = os.path.join(WHOLE, "apple/Skiff")
    app = Program(path, "--macho", debug=os.path.join(WHOLE, "apple/Skiff.app.dSYM/Contents/Resources/DWARF/Skiff"))
    own = [("Skiff", address - TEXT, None) for address in [app.fault] + app.callers] + [("dyld", 0x681c, "start + 2360")]
    killed = [("libsystem_kernel.dylib", 0x9368, "__pthread_kill + 8"), ("libsystem_c.dylib", 0x76b98, "abort + 180"),
              ("Skiff", app.handler - TEXT, None), ("libsystem_platform.dylib", 0x5f70, "_sigtramp + 56")]
    base = 0x1_02a4_0000
    images = {"Skiff": (base, 0x8000, mach_uuid(path), "/private/var/containers/Bundle/Application/"
                        "6B2E4A51-0F1D-4C57-9C32-7A1D35A0E9F4/Skiff.app/Skiff")}
    for name, (start, size) in SYSTEM.items():
        images[name] = (start, size, uuid.uuid5(uuid.NAMESPACE_DNS, name),
                        "/usr/lib/dyld" if name == "dyld" else "/usr/lib/system/" + name)
    incident = {}
    for name, frames, signal in (("null-read-whole", own, "SIGSEGV"), ("handler-abort-whole", killed + own, "SIGABRT")):
        used = [image for image in images if any(frame[0] == image for frame in frames)]
        incident = uuid.uuid5(uuid.NAMESPACE_DNS, "incident " + name)
        kind = ("EXC_BAD_ACCESS", [1, 0x40]) if signal == "SIGSEGV" else ("EXC_CRASH", [0, 0])
        ips(name, frames, used, images, incident, signal, *kind)
        crash(name, frames, used, images, incident, signal, *kind)
        kscrash(name, frames, used, images, incident, signal, *kind)
        plcrash(name, frames, used, images, incident, signal, *kind)


def short(name):
    return name.removesuffix("-whole")


def ips(name, frames, used, images, incident, signal, kind, codes):
    entries = []
    for image, offset, function in frames:
        entry = {"imageOffset": offset, "imageIndex": used.index(image)}
        if function:
            symbol, distance = function.rsplit(" + ", 1)
            entry.update(symbol=symbol, symbolLocation=int(distance))
        entries.append(entry)
    pc = images[frames[0][0]][0] + frames[0][1]
    header = {"app_name": "Skiff", "timestamp": "2026-05-01 10:12:44.00 +0200", "app_version": "1.0.0",
              "slice_uuid": str(images["Skiff"][2]), "build_version": "7", "platform": 2, "bundleID": "shop.tern.skiff",
              "bug_type": "309", "os_version": "iPhone OS 17.5.1 (21F90)", "name": "Skiff", "incident_id": str(incident).upper()}
    body = {"version": 2, "modelCode": "iPhone15,2", "osVersion": {"train": "iPhone OS 17.5.1", "build": "21F90",
                                                                   "releaseType": "User"},
            "captureTime": "2026-05-01 10:12:44.4213 +0200", "incident": str(incident).upper(), "pid": 2217,
            "cpuType": "ARM-64", "bug_type": "309", "procName": "Skiff", "procPath": images["Skiff"][3],
            "bundleInfo": {"CFBundleShortVersionString": "1.0.0", "CFBundleVersion": "7",
                           "CFBundleIdentifier": "shop.tern.skiff"},
            "exception": {"codes": ", ".join(f"0x{code:016x}" for code in codes), "rawCodes": codes, "type": kind,
                          "signal": signal},
            "faultingThread": 0,
            "threads": [{"triggered": True, "id": 41001, "queue": "com.apple.main-thread",
                         "threadState": {"flavor": "ARM_THREAD_STATE64", "pc": {"value": pc, "matchesCrashFrame": 1}},
                         "frames": entries}],
            "usedImages": [{"source": "P", "arch": "arm64" if image == "Skiff" else "arm64e", "base": images[image][0],
                            "size": images[image][1], "uuid": str(images[image][2]), "path": images[image][3], "name": image}
                           for image in used],
            "reportNotes": ["This report was composed; no device wrote it."]}
    put(f"apple-whole/{short(name)}-ios-arm64.ips", json.dumps(header) + "\n" + json.dumps(body, indent=1) + "\n")


def crash(name, frames, used, images, incident, signal, kind, codes):
    lines = [f"Incident Identifier: {str(incident).upper()}", "Hardware Model:      iPhone15,2",
             "Process:             Skiff [2217]", f"Path:                {images['Skiff'][3]}",
             "Identifier:          shop.tern.skiff", "Version:             1.0.0 (7)",
             "Code Type:           ARM-64 (Native)", "Role:                Foreground",
             "Parent Process:      launchd [1]", "", "Date/Time:           2026-05-01 10:12:44.4213 +0200",
             "OS Version:          iPhone OS 17.5.1 (21F90)", "Release Type:        User", "Report Version:      104", "",
             f"Exception Type:  {kind} ({signal})", "Exception Codes: " + ", ".join(f"0x{code:016x}" for code in codes),
             "Triggered by Thread:  0", "", "Thread 0 name:  Dispatch queue: com.apple.main-thread", "Thread 0 Crashed:"]
    for index, (image, offset, function) in enumerate(frames):
        base = images[image][0]
        lines.append(f"{index:<4}{image:<30}\t0x{base + offset:016x} {function or f'0x{base:x} + {offset}'}")
    lines += ["", "Binary Images:"]
    for image in sorted(used, key=lambda image: images[image][0]):
        base, size, identity, path = images[image]
        arch = "arm64" if image == "Skiff" else "arm64e"
        lines.append(f"{base:#11x} - {base + size - 1:#11x} {image} {arch}  <{identity.hex}> {path}")
    put(f"apple-whole/{short(name)}-ios-arm64.crash", "\n".join(lines + ["", "EOF"]) + "\n")


NUMBER = {"SIGSEGV": 11, "SIGABRT": 6}
MACH = {"EXC_BAD_ACCESS": 1, "EXC_CRASH": 10}


def kscrash(name, frames, used, images, incident, signal, kind, codes):
    # KSCrash finds the symbols of system libraries and none of a stripped program.
    contents = [{"object_name": image, "object_addr": images[image][0], "instruction_addr": images[image][0] + offset,
                 "symbol_name": function.split(" + ")[0] if function else "<redacted>",
                 "symbol_addr": images[image][0] + offset - int(function.split(" + ")[1]) if function else 0}
                for image, offset, function in frames]
    error = {"address": codes[1], "signal": {"signal": NUMBER[signal], "name": signal, "code": 0}}
    if signal == "SIGSEGV":
        error.update(type="mach", mach={"exception": MACH[kind], "exception_name": kind, "code": 1,
                                        "code_name": "KERN_INVALID_ADDRESS", "subcode": codes[1]})
    else:
        error.update(type="signal")
    put(f"kscrash/{name}-ios-arm64.json", json.dumps({
        "binary_images": [{"name": images[image][3], "uuid": str(images[image][2]).upper(), "image_addr": images[image][0],
                           "image_size": images[image][1], "image_vmaddr": TEXT if image == "Skiff" else 0,
                           "cpu_type": 0x0100000c, "cpu_subtype": 0} for image in used],
        "crash": {"error": error, "threads": [{"index": 0, "crashed": True, "current_thread": True,
                                               "backtrace": {"contents": contents, "skipped": 0}}]},
        "process": {},
        "report": {"id": str(incident).upper(), "process_name": "Skiff", "timestamp": 1777623164000000, "type": "standard",
                   "version": "3.3.0"},
        "system": {"CFBundleExecutablePath": images["Skiff"][3], "CFBundleIdentifier": "shop.tern.skiff",
                   "CFBundleShortVersionString": "1.0.0", "CFBundleVersion": "7", "cpu_arch": "arm64",
                   "machine": "iPhone15,2", "os_version": "21F90", "process_id": 2217, "process_name": "Skiff",
                   "system_name": "iOS", "system_version": "17.5.1"},
    }, indent=1) + "\n")


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out + bytes([value]))


def number(field, value):
    return varint(field << 3) + varint(value)


def part(field, data):
    data = data.encode() if isinstance(data, str) else data
    return varint(field << 3 | 2) + varint(len(data)) + data


def plcrash(name, frames, used, images, incident, signal, kind, codes):
    out = part(1, number(1, 1) + part(2, "17.5.1") + number(3, 6) + number(4, 1777623164) + part(5, "21F90"))
    out += part(2, part(1, "shop.tern.skiff") + part(2, "7") + part(3, "1.0.0"))
    pcs = [images[image][0] + offset for image, offset, _ in frames]
    thread = number(1, 0) + b"".join(part(2, number(3, pc)) for pc in pcs) + number(3, 1)
    thread += part(4, part(1, "pc") + number(2, pcs[0]))
    out += part(3, thread)
    for image in used:
        base, size, identity, path = images[image]
        out += part(4, number(1, base) + number(2, size) + part(3, path) + part(4, identity.bytes)
                    + part(5, number(1, 1) + number(2, 0x0100000c) + number(3, 0)))
    mach = part(4, number(1, MACH[kind]) + b"".join(number(2, code) for code in codes)) if signal == "SIGSEGV" else b""
    out += part(6, part(1, signal) + part(2, "SEGV_MAPERR" if mach else "#0") + number(3, codes[1]) + mach)
    out += part(7, part(1, "Skiff") + number(2, 2217) + part(3, images["Skiff"][3]) + part(4, "launchd") + number(5, 1)
                + number(6, 1) + number(7, 1777623100))
    out += part(8, part(1, "iPhone15,2") + part(2, number(1, 1) + number(2, 0x0100000c) + number(3, 2)) + number(3, 6)
                + number(4, 6))
    out += part(9, number(1, 0) + part(2, incident.bytes))
    put(f"plcrash/{name}-ios-arm64.plcrash", b"plcrash\x01" + out)


# MARK: Windows

class Portable:
    """The headers of a PE file."""

    def __init__(self, path):
        data = open(path, "rb").read()
        pe = struct.unpack_from("<I", data, 60)[0]
        self.stamp = struct.unpack_from("<I", data, pe + 8)[0]
        self.base = struct.unpack_from("<Q", data, pe + 48)[0]
        self.size, = struct.unpack_from("<I", data, pe + 24 + 56)
        self.codeview = None
        address, length = struct.unpack_from("<II", data, pe + 24 + 112 + 8 * 6)
        count, optional = struct.unpack_from("<H", data, pe + 6)[0], struct.unpack_from("<H", data, pe + 20)[0]
        for index in range(count):
            size, start, _, file = struct.unpack_from("<IIII", data, pe + 24 + optional + 40 * index + 8)
            if length and start <= address < start + size:
                for at in range(address - start + file, address - start + file + length, 28):
                    kind, bytes_, _, place = struct.unpack_from("<IIII", data, at + 12)
                    if kind == 2:
                        self.codeview = data[place:place + bytes_]

    @staticmethod
    def frame_sizes(path):
        """The bytes that each function moves the stack pointer by, by its start."""
        sizes, start = {}, None
        for line in run(READOBJ, "--unwind", path).splitlines():
            if found := re.search(r"StartAddress: .*\(?0x([0-9A-Fa-f]+)\)?", line):
                start = int(found[1], 16)
                sizes[start] = 0
            elif "PUSH_NONVOL" in line:
                sizes[start] += 8
            elif found := re.search(r"ALLOC_\w+.*size=(\d+)", line):
                sizes[start] += int(found[1])
            elif "SET_FPREG" in line:
                raise SystemExit(f"{path}: a frame pointer at {start:#x}")
        return sizes


def windows():
    for name, link_map in (("skiff-pdb", os.path.join(BUILD, "skiff.map")), ("skiff-mingw", None)):
        path = os.path.join(WHOLE, name + ".exe")
        program, file = Program(path, link_map=link_map), Portable(path)
        base = 0x7ff6_3a10_0000
        moved = [base + address - file.base for address in [program.fault] + program.callers]
        kernel, ntdll = 0x7ffb_1c8a_0000, 0x7ffb_1dc0_0000
        places = moved + [kernel + 0x1257d, ntdll + 0x5af28]
        dump(f"minidump/null-read-whole-{name[6:]}.dmp", name, program, file, base, moved, kernel, ntdll)
        modules = [(base, file.size, f"C:\\skiff\\{name}.exe"), (ntdll, 0x217000, "C:\\Windows\\SYSTEM32\\ntdll.dll"),
                   (kernel, 0xc4000, "C:\\Windows\\System32\\KERNEL32.DLL")]
        def where(address):
            start, _, module = max(entry for entry in modules if entry[0] <= address)
            short = module.split("\\")[-1].rsplit(".", 1)[0].replace("-", "_")
            if short == "KERNEL32":
                return "KERNEL32!BaseThreadInitThunk+0x1d"
            return "ntdll!RtlUserThreadStart+0x28" if short == "ntdll" else f"{short}+0x{address - start:x}"
        def tick(value):
            return f"{value >> 32:08x}`{value & 0xffffffff:08x}"
        lines = ["Microsoft (R) Windows Debugger Version 10.0.22621.2428 AMD64", "Copyright (c) Microsoft Corporation. All rights reserved.",
                 "", f"CommandLine: {name}.exe"]
        lines += [f"ModLoad: {tick(start)} {tick(start + size)}   {module}" for start, size, module in modules]
        lines += ["(8a9.1b40): Access violation - code c0000005 (!!! second chance !!!)", f"{where(moved[0])}:",
                  f"{tick(moved[0])} 488b4140        mov     rax,qword ptr [rcx+40h] ds:00000000`00000040=????????????????",
                  "0:000> k", " # Child-SP          RetAddr               Call Site"]
        stack = 0x0000_0046_0b2f_f7d8
        for index, address in enumerate(places):
            after = places[index + 1] if index + 1 < len(places) else 0
            lines.append(f"{index:02x} {tick(stack + 0x40 * index)} {tick(after)}     {where(address)}")
        put(f"windows-debugger/null-read-whole-{name[6:]}.txt", "\n".join(lines) + "\n0:000> q\n")


def dump(sample, name, program, file, base, moved, kernel, ntdll):
    """A minidump of Windows: system, threads, modules, memory of the stack, exception."""
    sizes = Portable.frame_sizes(program.path)
    stack_start, pointer = 0x46_0b2f_f000, 0x46_0b2f_f7d8
    memory = bytearray(0x1000)
    at = pointer - stack_start
    struct.pack_into("<Q", memory, at, moved[1])
    at += 8
    functions = [function for function in ("total", "sell", "main") if program.has(function)]
    for function, after in zip(functions, moved[2:] + [kernel + 0x1257d]):
        at += sizes.get(program.function(function)[0][0], 0)
        struct.pack_into("<Q", memory, at, after)
        at += 8
    context = bytearray(1232)
    struct.pack_into("<I", context, 48, 0x10000f)
    struct.pack_into("<Q", context, 152, pointer)
    struct.pack_into("<Q", context, 248, moved[0])
    modules = [(base, file.size, file.stamp, f"C:\\skiff\\{name}.exe", file.codeview),
               (kernel, 0xc4000, 0x64a1b2c3, "C:\\Windows\\System32\\kernel32.dll", None),
               (ntdll, 0x217000, 0x64a1b2d4, "C:\\Windows\\System32\\ntdll.dll", None)]
    count = 5
    out = bytearray(32 + 12 * count)
    directory = []

    def place(data):
        out.extend(bytes(-len(out) % 8))
        out.extend(data)
        return len(out) - len(data)

    def text(value):
        value = value.encode("utf-16-le")
        return place(struct.pack("<I", len(value)) + value + b"\0\0")

    def stream(kind, data):
        directory.append((kind, len(data), place(data)))

    service = text("")
    stream(7, struct.pack("<HHHBBIIIIIHHQQQ", 9, 6, 0, 8, 1, 10, 0, 22631, 2, service, 0, 0, 0, 0, 0)[:56])
    registers, stack = place(bytes(context)), place(bytes(memory))
    stream(3, struct.pack("<I", 1) + struct.pack("<IIIIQQIIII", 0x1b40, 0, 0, 0, 0x46_0b0d_0000, stack_start, len(memory),
                                                 stack, len(context), registers))
    entries = b""
    for start, size, stamp, path, codeview in modules:
        record = place(codeview) if codeview else 0
        entries += struct.pack("<QIIII", start, size, 0, stamp, text(path)) + bytes(52)
        entries += struct.pack("<IIII", len(codeview or b""), record, 0, 0) + bytes(16)
    stream(4, struct.pack("<I", len(modules)) + entries)
    stream(5, struct.pack("<I", 1) + struct.pack("<QII", stack_start, len(memory), stack))
    stream(6, struct.pack("<IIIIQQII", 0x1b40, 0, 0xc0000005, 0, 0, moved[0], 2, 0) + struct.pack("<QQ", 0, 0x40)
           + bytes(13 * 8) + struct.pack("<II", len(context), registers))
    struct.pack_into("<IIIIIIQ", out, 0, 0x504d444d, 0xa793, count, 32, 0, 1777623164, 0)
    for index, entry in enumerate(directory):
        struct.pack_into("<III", out, 32 + 12 * index, *entry)
    put(sample, bytes(out))


steps = [tombstones, abrt, apple, windows]
for step in steps:
    step()
