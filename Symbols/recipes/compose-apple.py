#!/usr/bin/env python3
"""Composes Apple reports whose addresses point into the Tern app.

    compose-apple.py SYMBOLS-APPLE-FOLDER SAMPLES-FOLDER

Nothing here was captured: no Mac took part. What a report says about the app is true of the
binaries, though. Frame 0 of a crash is the instruction that the bug hits, every other frame of the
app is the address after a call of the next one, image offsets, UUIDs and architectures are those of
the files. Names, offsets and UUIDs of system libraries are made up, in the shape that real ones have.
"""

import json
import os
import random
import re
import struct
import subprocess
import sys
import uuid

OBJDUMP = os.environ.get("OBJDUMP", "llvm-objdump-14")
SYMBOLIZER = os.path.join(os.environ.get("SWIFT_HOME", "/opt/swift"), "usr/bin/llvm-symbolizer")
TEXT = 0x1_0000_0000
CPU = {0x01000007: "x86_64", 0x0100000C: "arm64"}

# ---------------------------------------------------------------- the app's binaries


class Binary:
    """One architecture of the app: its functions with their instructions, UUID and size."""

    def __init__(self, path, dsym, arch):
        self.arch, self.dsym = arch, dsym
        self.read_load_commands(open(path, "rb").read())
        self.read_code(path)

    def read_load_commands(self, data):
        start = 0
        if data[:4] == b"\xca\xfe\xba\xbe":
            for i in range(struct.unpack_from(">I", data, 4)[0]):
                cpu, _, offset = struct.unpack_from(">III", data, 8 + 20 * i)
                if CPU[cpu] == self.arch:
                    start = offset
        count = struct.unpack_from("<I", data, start + 16)[0]
        at = start + 32
        for _ in range(count):
            command, size = struct.unpack_from("<II", data, at)
            if command == 0x1B:
                self.uuid = uuid.UUID(bytes=data[at + 8 : at + 24])
            if command == 0x19 and data[at + 8 : at + 24].rstrip(b"\0") == b"__TEXT":
                assert struct.unpack_from("<Q", data, at + 24)[0] == TEXT
                self.size = struct.unpack_from("<Q", data, at + 32)[0]
            at += size

    def read_code(self, path):
        output = subprocess.run(
            [OBJDUMP, "--macho", "-d", "--no-show-raw-insn", "--arch=" + self.arch, path],
            check=True, capture_output=True, text=True).stdout
        self.functions, name = {}, None
        for line in output.splitlines():
            if re.fullmatch(r"\S.*:", line) and not line.startswith(("/", "(")):
                name = line[:-1]
                self.functions[name] = []
            elif name and (found := re.match(r"\s*([0-9a-f]+):\s+(.*)", line)):
                self.functions[name].append((int(found[1], 16), found[2]))
        self.functions = {name: code for name, code in self.functions.items() if code}
        self.starts = {code[0][0]: name for name, code in self.functions.items()}

    def after_call(self, caller, callee):
        """The return address of the first call of `callee`, a function here or one imported."""
        code = self.functions[caller]
        for i, (_, text) in enumerate(code):
            if not re.match(r"(bl|callq?)\s", text):
                continue
            target = re.search(r"0x([0-9a-f]+)", text)
            local = target and self.starts.get(int(target[1], 16)) == callee
            plain = re.match(r"(bl|callq?)\s+(\S+)", text)[2] == callee
            if local or plain or re.search(r"symbol stub for: " + re.escape(callee) + r"$", text):
                return code[i + 1][0] if i + 1 < len(code) else code[i][0] + (4 if self.arch == "arm64" else 5)
        raise SystemExit(f"{self.arch}: {caller} does not call {callee}")

    def chain(self, *names):
        """Return addresses, innermost first, of a call chain given from the outermost."""
        addresses = [self.after_call(a, b) for a, b in zip(names, names[1:])]
        return addresses[::-1]

    def instruction(self, function, matching=None, inside=None):
        """The last instruction of a function that looks like `matching` and that the debug file
        puts inside the inlined function `inside` (or one of several)."""
        found = [a for a, text in self.functions[function] if not matching or re.match(matching, text)]
        if inside:
            found = [a for a, name in zip(found, self.innermost(found)) if name.startswith(inside)]
        if not found:
            raise SystemExit(f"{self.arch}: nothing in {function} is {matching} inside {inside}")
        return found[-1]

    def innermost(self, addresses):
        return [frames[0]["FunctionName"] for frames in self.symbolized(addresses)]

    def symbolized(self, addresses):
        output = subprocess.run(
            [SYMBOLIZER, "--output-style=JSON", "--obj=" + self.dsym, "--default-arch=" + self.arch],
            input="".join(f"{a:#x}\n" for a in addresses), check=True, capture_output=True, text=True).stdout
        return [json.loads(line)["Symbol"] for line in output.splitlines()]

    def start_of_function(self, address):
        return max(start for start in self.starts if start <= address)


# ---------------------------------------------------------------- the bugs

HANDLE = "__ZN4tern6Window6handleERKNS_5EventE"
OUTER = ("_main", "_tern_window_run", HANDLE)
TILL = "__ZN4tern4Till"
TOTAL = "__ZNK4tern6Basket5totalEv"
WIDTH = "__ZN4tern5widthEPKci"
ADD = "__ZN4tern6Basket3addEPKNS_4ItemEi"
PRICE = "__ZN4tern9listPriceEPKc"
MEMORY = r"(ldr|ldur|ldp|str|stur|ldrsw|mov|add|dec|sub|imul|movl|movq|incq|decq|addq|subq)\w*\s.*[\[(]"


def app(address):
    return ("Tern", address - TEXT)


START = [("dyld", "start")]
KILLED = [("libsystem_kernel.dylib", "__pthread_kill"), ("libsystem_pthread.dylib", "pthread_kill"),
          ("libsystem_c.dylib", "abort")]
TERMINATED = KILLED + [
    ("libc++abi.dylib", "abort_message"), ("libc++abi.dylib", "demangling_terminate_handler()"),
    ("libobjc.A.dylib", "_objc_terminate()"), ("libc++abi.dylib", "std::__terminate(void (*)())"),
    ("libc++abi.dylib", "__cxxabiv1::failed_throw(__cxxabiv1::__cxa_exception*)"),
    ("libc++abi.dylib", "__cxa_throw")]


class Bug:
    """What one bug looks like in one binary: frames of the crashed thread and the exception."""

    def __init__(self, frames, type, signal, codes=(0, 0), kind=None, message=None, last=None, main=None,
                 termination=None):
        self.frames, self.type, self.signal, self.codes = frames, type, signal, codes
        self.kind, self.message, self.last, self.main = kind, message, last, main
        self.termination = termination


def bad_access(binary, frames, address, kind="KERN_INVALID_ADDRESS"):
    return Bug(frames, "EXC_BAD_ACCESS", "SIGSEGV", (1 if kind == "KERN_INVALID_ADDRESS" else 2, address), kind)


def null_read(binary, seed):
    frames = [app(binary.instruction(TOTAL, MEMORY, ("tern::priceOf", "tern::times")))]
    frames += map(app, binary.chain(*OUTER, TILL + "4sellEPKc", TOTAL))
    return bad_access(binary, frames + START, 0x10)


def use_after_free(binary, seed):
    leaf = "__ZNK4tern6Ledger5printEPKNS_7ReceiptE"
    frames = [app(binary.instruction(leaf, MEMORY, "tern::firstLine"))]
    frames += map(app, binary.chain(*OUTER, TILL + "12printReceiptEv", leaf))
    return bad_access(binary, frames + START, seed.randrange(0x1_0000, 0x7FFF_0000) * 8 + 0x3_9000_0000_0000)


def split(binary, seed):
    leaf = "__ZNK4tern6Basket5splitEi"
    frames = [app(binary.instruction(leaf, MEMORY, "tern::owed"))]
    frames += map(app, binary.chain(*OUTER, TILL + "5splitEPKc", leaf))
    return bad_access(binary, frames + START, 0x8)


def stack_overflow(binary, seed):
    first = binary.functions[WIDTH][0][0]
    guard = 0x7_FF7B_F000 if binary.arch == "x86_64" else 0x1_6B7F_C000
    recursion = app(binary.after_call(WIDTH, WIDTH))
    frames = [app(first)] + [recursion] * 504
    frames += map(app, binary.chain(*OUTER, TILL + "8showTreeEPKc", WIDTH))
    return bad_access(binary, frames + START, guard - seed.randrange(1, 5) * 16, "KERN_PROTECTION_FAILURE")


def worker_null(binary, seed):
    leaf = "__ZN4tern5Stock4walkEi"
    frames = [app(binary.instruction(leaf, MEMORY, "tern::take"))]
    frames += [app(binary.after_call("__ZN4ternL10pickerMainEPv", leaf))]
    frames += [("libsystem_pthread.dylib", "_pthread_start"), ("libsystem_pthread.dylib", "thread_start")]
    bug = bad_access(binary, frames, 0x0)
    waiting = [("libsystem_kernel.dylib", "__ulock_wait"), ("libsystem_pthread.dylib", "_pthread_join")]
    waiting += map(app, binary.chain(*OUTER, TILL + "4pickEv", "__ZN4tern5Stock4pickEv", "_pthread_join"))
    bug.main = waiting + START
    return bug


def abort(binary, seed):
    chain = binary.chain(*OUTER, TILL + "8closeDayEv", "__ZNK4tern6Ledger5auditENS_5MoneyE", "_abort")
    return Bug(KILLED + [app(a) for a in chain] + START, "EXC_CRASH", "SIGABRT", message="abort() called")


def cold(binary, function, callee):
    """The chain from a function to an import that the compiler may have moved to a cold part."""
    for name in (function, function + ".cold.1"):
        try:
            binary.after_call(name, callee)
        except (SystemExit, KeyError):
            continue
        return (name,) if name == function else (function, name)
    raise SystemExit(f"{binary.arch}: {function} never calls {callee}")


def uncaught_exception(binary, seed):
    chain = binary.chain(*OUTER, TILL + "9showPriceEPKc", *cold(binary, PRICE, "___cxa_throw"), "___cxa_throw")
    return Bug(TERMINATED + [app(a) for a in chain] + START, "EXC_CRASH", "SIGABRT",
               message="terminating due to uncaught exception of type tern::NotPrinted")


def raised(binary, seed):
    add = cold(binary, ADD, "_objc_exception_throw")
    chain = [app(a) for a in binary.chain(*OUTER, TILL + "4fillEPKc", *add, "_objc_exception_throw")]
    frames = TERMINATED + [("libobjc.A.dylib", "objc_exception_throw")] + chain + START
    last = [("CoreFoundation", "__exceptionPreprocess"), ("libobjc.A.dylib", "objc_exception_throw")] + chain + START
    return Bug(frames, "EXC_CRASH", "SIGABRT", last=last,
               message="*** Terminating app due to uncaught exception 'NSRangeException', reason: "
               "'the basket is full'")


def trap(binary, seed):
    leaf = "__ZNK4tern6Basket10discountedEi"
    at = binary.instruction(leaf, r"brk|ud2")
    frames = [app(at)] + [app(a) for a in binary.chain(*OUTER, TILL + "8discountEPKc", leaf)] + START
    if binary.arch == "x86_64":
        return Bug(frames, "EXC_BAD_INSTRUCTION", "SIGILL", (1, 0))
    return Bug(frames, "EXC_BREAKPOINT", "SIGTRAP", (1, "pc"))


def watchdog(binary, seed):
    chain = binary.chain(*OUTER, TILL + "11synchroniseEv", "__ZN4tern6Ledger4sendEi", "_sleep")
    frames = [("libsystem_kernel.dylib", "__semwait_signal"), ("libsystem_c.dylib", "nanosleep"),
              ("libsystem_c.dylib", "sleep")] + [app(a) for a in chain] + START
    return Bug(frames, "EXC_CRASH", "SIGKILL", termination=(
        "FRONTBOARD", 2343432205, "scene-update watchdog transgression: application<shop.tern.till>:412 "
        "exhausted real (wall clock) time allowance of 10.00 seconds"))


# ---------------------------------------------------------------- systems

# Library -> (size, {function: (its made-up place, distance of the return address from it)}).
SYSTEM = {
    "dyld": (0x8B000, {"start": (0x5E44, 2360)}),
    "libsystem_kernel.dylib": (0x3A000, {
        "__pthread_kill": (0x9360, 8), "__semwait_signal": (0x4098, 8), "__ulock_wait": (0x2344, 8),
        "mach_msg2_trap": (0x1178, 8), "__workq_kernreturn": (0x34BC, 8)}),
    "libsystem_pthread.dylib": (0xD000, {
        "pthread_kill": (0x6CD0, 288), "_pthread_start": (0x6F10, 136), "thread_start": (0x1D30, 8),
        "_pthread_join": (0x8C30, 608), "_pthread_wqthread": (0x2E20, 364), "start_wqthread": (0x1D24, 8)}),
    "libsystem_c.dylib": (0x7F000, {
        "abort": (0x76AE4, 180), "nanosleep": (0xE6F4, 220), "sleep": (0xF5CC, 52)}),
    "libc++abi.dylib": (0x1D000, {
        "abort_message": (0x14B84, 132), "demangling_terminate_handler()": (0x4A30, 320),
        "std::__terminate(void (*)())": (0x13E84, 16), "__cxa_throw": (0x16B78, 92),
        "__cxxabiv1::failed_throw(__cxxabiv1::__cxa_exception*)": (0x16AE4, 36)}),
    "libobjc.A.dylib": (0x51000, {"objc_exception_throw": (0x2F0A8, 448), "_objc_terminate()": (0x22F90, 172)}),
    "CoreFoundation": (0x4D9000, {"__exceptionPreprocess": (0x132E80, 164), "__CFRunLoopServiceMachPort": (0x7A3B4, 160),
                                  "__CFRunLoopRun": (0x78C10, 1208)}),
}
FOLDER = {"dyld": "/usr/lib/dyld", "libobjc.A.dylib": "/usr/lib/libobjc.A.dylib", "libc++abi.dylib": "/usr/lib/libc++abi.dylib",
          "CoreFoundation": "/System/Library/Frameworks/CoreFoundation.framework/{v}CoreFoundation"}

PLATFORMS = {
    "macos-arm64": dict(arch="arm64", folder="macos", train="macOS 14.5", build="23F79", model="Mac14,2", number=1,
                        cpu="ARM-64", code="ARM-64", os="macOS 14.5 (23F79)", cache=0x1_8F00_0000,
                        path="/Applications/Tern.app/Contents/MacOS/Tern", role="Foreground",
                        events="com.apple.NSEventThread"),
    "macos-x86_64": dict(arch="x86_64", folder="macos", train="macOS 13.6.7", build="22G720", model="MacBookPro16,1", number=1,
                         cpu="X86-64", code="X86-64", os="macOS 13.6.7 (22G720)", cache=0x7FF8_0C00_0000,
                         path="/Applications/Tern.app/Contents/MacOS/Tern", role="Foreground",
                        events="com.apple.NSEventThread"),
    "ios-arm64": dict(arch="arm64", folder="ios", train="iPhone OS 17.5.1", build="21F90", model="iPhone15,2", number=2,
                      cpu="ARM-64", code="ARM-64 (Native)", os="iPhone OS 17.5.1 (21F90)", cache=0x1_9400_0000,
                      path="/private/var/containers/Bundle/Application/{bundle}/Tern.app/Tern", role="Foreground", events="com.apple.uikit.eventfetch-thread"),
}
BUILD = {"1.0.0": "100", "1.1.0": "117"}


class Report:
    """Everything a report says, before it is written in one of the styles."""

    def __init__(self, binary, version, platform, name, bug):
        seed = random.Random(f"{name} {version} {platform}")
        self.seed, self.version, self.name, self.binary = seed, version, name, binary
        self.platform = PLATFORMS[platform]
        self.bug = bug(binary, seed)
        page = 0x4000 if binary.arch == "arm64" else 0x1000
        self.base = TEXT + seed.randrange(1, 0xC00) * page
        self.bundle = self.new_uuid().upper()
        self.path = self.platform["path"].format(bundle=self.bundle)
        self.incident, self.key = self.new_uuid().upper(), self.new_uuid().upper()
        self.pid = seed.randrange(400, 9000)
        day, hour, minute, second = (seed.randrange(1, 29), seed.randrange(8, 19), seed.randrange(60), seed.randrange(60))
        month = 3 if version == "1.0.0" else 5
        self.day, self.time = f"2026-{month:02}-{day:02}", f"{hour:02}:{minute:02}:{second:02}"
        self.launch = f"{hour - 1:02}:{minute:02}:{second:02}"
        self.zone = "+0200"
        self.images = [self.app_image()]
        others = [[("libsystem_pthread.dylib", "start_wqthread")] if seed.random() < 0.5 else
                  [("libsystem_kernel.dylib", "__workq_kernreturn"), ("libsystem_pthread.dylib", "_pthread_wqthread"),
                   ("libsystem_pthread.dylib", "start_wqthread")] for _ in range(seed.randrange(1, 4))]
        events = [("libsystem_kernel.dylib", "mach_msg2_trap"), ("CoreFoundation", "__CFRunLoopServiceMachPort"),
                  ("CoreFoundation", "__CFRunLoopRun"), ("libsystem_pthread.dylib", "_pthread_start"),
                  ("libsystem_pthread.dylib", "thread_start")]
        if self.bug.main:
            self.threads = [(None, self.bug.main)] + [(None, f) for f in others] + [("picker", self.bug.frames)]
        else:
            self.threads = [(None, self.bug.frames)] + [(None, f) for f in others] + [(self.platform["events"], events)]
        self.crashed = len(self.threads) - 1 if self.bug.main else 0
        self.first_id = seed.randrange(10_000, 90_000)
        for _, frames in self.threads:
            for frame in frames:
                self.image_index(frame[0])
        for frame in self.bug.last or []:
            self.image_index(frame[0])

    def new_uuid(self):
        return str(uuid.UUID(int=self.seed.getrandbits(128), version=4))

    def app_image(self):
        return dict(source="P", arch=self.binary.arch, base=self.base, size=self.binary.size,
                    uuid=str(self.binary.uuid), path=self.path, name="Tern",
                    CFBundleIdentifier="shop.tern.till", CFBundleShortVersionString=self.version,
                    CFBundleVersion=BUILD[self.version])

    def image_index(self, name):
        for index, image in enumerate(self.images):
            if image["name"] == name:
                return index
        size, _ = SYSTEM[name]
        path = FOLDER.get(name, "/usr/lib/system/" + name).format(v="Versions/A/" if self.platform["number"] == 1 else "")
        order = list(SYSTEM).index(name)
        self.images.append(dict(
            source="P" if name == "dyld" else "S", arch="arm64e" if self.binary.arch == "arm64" else "x86_64",
            base=self.platform["cache"] + order * 0x60_0000, size=size,
            uuid=str(uuid.uuid5(uuid.NAMESPACE_DNS, f"{name} {self.platform['build']}")), path=path, name=name))
        return len(self.images) - 1

    def resolve(self, frame):
        """(image index, offset, symbol, distance) of a frame; of the app the last two are None."""
        name, what = frame
        index = self.image_index(name)
        if name == "Tern":
            return index, what, None, None
        start, distance = SYSTEM[name][1][what]
        return index, start + distance, what, distance

    def address(self, frame):
        index, offset, _, _ = self.resolve(frame)
        return self.images[index]["base"] + offset

    @property
    def codes(self):
        first, second = self.bug.codes
        return first, self.address(self.bug.frames[0]) if second == "pc" else second

    def registers(self):
        """Plausible values; pc (or rip) is frame 0, as in a real report."""
        seed = random.Random(self.incident)
        stack = 0x1_6B80_0000 - seed.randrange(0x400) * 16 if self.binary.arch == "arm64" else \
            0x7FF7_B000_0000 + seed.randrange(0x4000) * 16
        pc = self.address(self.bug.frames[0])
        lr = self.address(self.bug.frames[1])
        fault = self.codes[1] if self.bug.type == "EXC_BAD_ACCESS" else 0
        some = [0 if seed.random() < 0.3 else seed.randrange(1 << 34) & ~7 for _ in range(29)]
        if self.binary.arch == "arm64":
            return dict(x=some, fp=stack + 64, lr=lr, sp=stack, pc=pc, cpsr=0x6000_1000, far=fault,
                        esr=0x9200_0006 if self.bug.type == "EXC_BAD_ACCESS" else 0x5600_0080)
        names = ["rax", "rbx", "rcx", "rdx", "rdi", "rsi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"]
        found = dict(zip(names, some))
        found.update(rbp=stack + 64, rsp=stack, rip=pc, rflags=0x10246, cr2=fault)
        return found


# ---------------------------------------------------------------- writing: .ips


def ips_header(r):
    header = dict(app_name="Tern", timestamp=f"{r.day} {r.time}.00 {r.zone}", app_version=r.version,
                  slice_uuid=str(r.binary.uuid), build_version=BUILD[r.version], platform=r.platform["number"],
                  bundleID="shop.tern.till", share_with_app_devs=1, is_first_party=0, bug_type="309",
                  os_version=r.platform["os"], roots_installed=0, name="Tern", incident_id=r.incident)
    return header


def ips_frames(r, frames, symbolicated, exact=True):
    """The frames as written; those of the app with names and inlined calls if `symbolicated`. The
    first is looked up as it is if `exact`, the others are return addresses."""
    found = []
    for number, frame in enumerate(frames):
        index, offset, symbol, distance = r.resolve(frame)
        place = dict(imageOffset=offset, imageIndex=index)
        if symbol is None and symbolicated:
            address = TEXT + offset
            chain = r.binary.symbolized([address - (0 if exact and number == 0 else 1)])[0]
            for step in chain:
                inlined = step is not chain[-1]
                found.append(dict(
                    imageOffset=offset, sourceLine=step["Line"], sourceFile=os.path.basename(step["FileName"]),
                    symbol=step["FunctionName"], imageIndex=index,
                    symbolLocation=0 if inlined else address - r.binary.start_of_function(address),
                    **(dict(inline=True) if inlined else {})))
        elif symbol is None:
            found.append(place)
        else:
            found.append(dict(imageOffset=offset, symbol=symbol, symbolLocation=distance, imageIndex=index))
    return found


def ips_state(r):
    state = r.registers()
    if r.binary.arch == "arm64":
        found = dict(x=[dict(value=v) for v in state["x"]], flavor="ARM_THREAD_STATE64")
        for key in ("lr", "cpsr", "fp", "sp"):
            found[key] = dict(value=state[key])
        found["esr"] = dict(value=state["esr"], description="(Data Abort) byte read Translation fault"
                            if r.bug.type == "EXC_BAD_ACCESS" else " Address size fault")
        found["pc"] = dict(value=state["pc"], matchesCrashFrame=1)
        found["far"] = dict(value=state["far"])
        return found
    found = {key: dict(value=value) for key, value in state.items()}
    found["rip"]["matchesCrashFrame"] = 1
    found.update(flavor="x86_THREAD_STATE", trap=dict(value=14, description="(no mapping for user data read)"),
                 err=dict(value=4))
    return found


def ips_body(r, symbolicated=False):
    threads = []
    for index, (name, frames) in enumerate(r.threads):
        thread = dict(id=r.first_id + index)
        if index == r.crashed:
            thread = dict(triggered=True, id=r.first_id + index, threadState=ips_state(r))
        if index == 0:
            thread["queue"] = "com.apple.main-thread"
        if name:
            thread["name"] = name
        thread["frames"] = ips_frames(r, frames, symbolicated)
        threads.append(thread)
    first, second = r.codes
    exception = dict(codes=f"0x{first:016x}, 0x{second:016x}", rawCodes=[first, second], type=r.bug.type, signal=r.bug.signal)
    if r.bug.kind:
        exception["subtype"] = f"{r.bug.kind} at 0x{second:016x}"
    body = dict(
        uptime=r.seed.randrange(9_000, 400_000), procRole=r.platform["role"], version=2, userID=501, deployVersion=210,
        modelCode=r.platform["model"], coalitionID=r.seed.randrange(300, 3000),
        osVersion=dict(train=r.platform["train"], build=r.platform["build"], releaseType="User"),
        captureTime=f"{r.day} {r.time}.4213 {r.zone}", codeSigningMonitor=1, incident=r.incident, pid=r.pid,
        translated=False, cpuType=r.platform["cpu"], roots_installed=0, bug_type="309",
        procLaunch=f"{r.day} {r.launch}.1187 {r.zone}", procStartAbsTime=r.seed.randrange(1 << 40),
        procExitAbsTime=(1 << 40) + r.seed.randrange(1 << 40), procName="Tern", procPath=r.path,
        bundleInfo=dict(CFBundleShortVersionString=r.version, CFBundleVersion=BUILD[r.version],
                        CFBundleIdentifier="shop.tern.till"),
        parentProc="launchd", parentPid=1, coalitionName="shop.tern.till", crashReporterKey=r.key,
        exception=exception)
    if r.bug.signal == "SIGABRT":
        body["termination"] = dict(flags=0, code=6, namespace="SIGNAL", indicator="Abort trap: 6", byProc="Tern", byPid=r.pid)
        body["asi"] = {"libsystem_c.dylib" if r.bug.message == "abort() called" else "libc++abi.dylib": [r.bug.message]}
        if r.bug.last:
            body["asi"] = {"CoreFoundation": [r.bug.message]}
    elif r.bug.termination:
        space, code, why = r.bug.termination
        body["termination"] = dict(flags=6, code=code, namespace=space, reasons=[f"<RBSTerminateContext| domain:10 code:0x8BADF00D explanation:{why}>"])
    else:
        number = {"SIGSEGV": 11, "SIGTRAP": 5, "SIGILL": 4}[r.bug.signal]
        text = {11: "Segmentation fault: 11", 5: "Trace/BPT trap: 5", 4: "Illegal instruction: 4"}[number]
        body["termination"] = dict(flags=0, code=number, namespace="SIGNAL", indicator=text, byProc="exc handler", byPid=r.pid)
    body["faultingThread"] = r.crashed
    if r.bug.last:
        body["lastExceptionBacktrace"] = ips_frames(r, r.bug.last, symbolicated, exact=False)
    cache = dict(base=r.platform["cache"], size=0x1_2000_0000,
                 uuid=str(uuid.uuid5(uuid.NAMESPACE_DNS, "cache " + r.platform["build"])))
    body.update(threads=threads, usedImages=r.images, sharedCache=cache,
                legacyInfo=dict(threadTriggered=dict(queue="com.apple.main-thread") if r.crashed == 0 else dict(name="picker")),
                reportNotes=["This report was composed; no device wrote it."])
    return body


def spaced(body):
    """One key a line, as Apple writes it."""
    lines = [f"  {json.dumps(key)} : {json.dumps(value, separators=(',', ':'))}" for key, value in body.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def write_ips(r, path, style):
    header, body = json.dumps(ips_header(r), separators=(",", ":")), ips_body(r, style == "symbolicated")
    one_line = json.dumps(body, separators=(",", ":"))
    text = {
        "lines": header + "\n" + spaced(body),
        "symbolicated": header + "\n" + spaced(body),
        "indented": header + "\n" + json.dumps(body, indent=2) + "\n",
        "compact": header + "\n" + one_line + "\n",
        "joined": header + one_line + "\n",
        "headerless": spaced(body),
    }[style]
    save(path, text)


# ---------------------------------------------------------------- writing: .crash


def crash_frames(r, frames):
    lines = []
    for number, frame in enumerate(frames):
        index, offset, symbol, distance = r.resolve(frame)
        image = r.images[index]
        rest = f"{symbol} + {distance}" if symbol else f"0x{image['base']:x} + {offset}"
        gap = "\t" if r.platform["number"] == 2 else "\t    "
        lines.append(f"{number:<4}{image['name']:<30}{gap}0x{image['base'] + offset:x} {rest}"
                     if r.platform["number"] == 1 else
                     f"{number:<4}{image['name']:<30}{gap}0x{image['base'] + offset:016x} {rest}")
    return lines


def crash_exception(r):
    first, second = r.codes
    lines = [f"Exception Type:        {r.bug.type} ({r.bug.signal})"] if r.platform["number"] == 1 else \
        [f"Exception Type:  {r.bug.type} ({r.bug.signal})"]
    pad = "        " if r.platform["number"] == 1 else "  "
    if r.bug.kind and r.platform["number"] == 2:
        lines.append(f"Exception Subtype: {r.bug.kind} at 0x{second:016x}")
    if r.bug.kind and r.platform["number"] == 1:
        lines.append(f"Exception Codes:       {r.bug.kind} at 0x{second:016x}")
    lines.append(f"Exception Codes:{pad if r.platform['number'] == 2 else '       '}0x{first:016x}, 0x{second:016x}")
    if r.bug.type == "EXC_CRASH":
        lines.append("Exception Note:  EXC_CORPSE_NOTIFY")
    if r.bug.termination:
        space, code, why = r.bug.termination
        lines.append(f"Termination Reason: {space} {code}")
        lines.append(f"<RBSTerminateContext| domain:10 code:0x8BADF00D explanation:{why}>")
    else:
        number, text = {"SIGSEGV": (11, "Segmentation fault: 11"), "SIGTRAP": (5, "Trace/BPT trap: 5"),
                        "SIGILL": (4, "Illegal instruction: 4"), "SIGABRT": (6, "Abort trap: 6")}[r.bug.signal]
        if r.platform["number"] == 1:
            lines.append(f"Termination Reason:    Namespace SIGNAL, Code {number} {text}")
        else:
            lines.append(f"Termination Reason: SIGNAL {number} {text}")
    lines.append(f"Terminating Process:{'   ' if r.platform['number'] == 1 else ' '}"
                 f"{'Tern' if r.bug.signal == 'SIGABRT' else 'exc handler'} [{r.pid}]")
    return lines


def crash_state(r):
    state = r.registers()
    if r.binary.arch == "arm64":
        cells = [f"{'x' + str(i):>5}: 0x{v:016x}" for i, v in enumerate(state["x"])]
        cells += [f"{key:>5}: 0x{state[key]:016x}" for key in ("fp", "lr", "sp", "pc")]
        lines = ["  ".join(cells[i : i + 4]).rstrip() for i in range(0, len(cells), 4)]
        lines.append(f"  cpsr: 0x{state['cpsr']:08x}  far: 0x{state['far']:016x}  esr: 0x{state['esr']:08x}")
        return f"Thread {r.crashed} crashed with ARM Thread State (64-bit):", lines
    order = ["rax", "rbx", "rcx", "rdx", "rdi", "rsi", "rbp", "rsp", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
             "rip", "rflags", "cr2"]
    cells = [f"{key:>5}: 0x{state[key]:016x}" for key in order]
    lines = ["".join(cells[i : i + 4]) for i in range(0, len(cells), 4)]
    return f"Thread {r.crashed} crashed with X86 Thread State (64-bit):", lines + ["", "Logical CPU:     2", "Error Code:      0x00000004", "Trap Number:     14"]


def crash_text(r, raw_last=False):
    mac = r.platform["number"] == 1
    head = ([("Process", f"Tern [{r.pid}]"), ("Path", r.path), ("Identifier", "shop.tern.till"),
             ("Version", f"{r.version} ({BUILD[r.version]})"), ("Code Type", f"{r.platform['code']} (Native)"),
             ("Parent Process", "launchd [1]"), ("User ID", "501"), None,
             ("Date/Time", f"{r.day} {r.time}.4213 {r.zone}"), ("OS Version", r.platform["os"]), ("Report Version", "12"),
             ("Anonymous UUID", r.key), None, ("Time Awake Since Boot", "48000 seconds"), None,
             ("System Integrity Protection", "enabled"), None,
             ("Crashed Thread", f"{r.crashed}" + ("  Dispatch queue: com.apple.main-thread" if r.crashed == 0 else "  picker")), None]
            if mac else
            [("Incident Identifier", r.incident), ("Hardware Model", r.platform["model"]), ("Process", f"Tern [{r.pid}]"),
             ("Path", r.path), ("Identifier", "shop.tern.till"), ("Version", f"{r.version} ({BUILD[r.version]})"),
             ("Code Type", r.platform["code"]), ("Role", r.platform["role"]), ("Parent Process", "launchd [1]"),
             ("Coalition", "shop.tern.till [612]"), None, ("Date/Time", f"{r.day} {r.time}.4213 {r.zone}"),
             ("Launch Time", f"{r.day} {r.launch}.1187 {r.zone}"), ("OS Version", r.platform["os"]),
             ("Release Type", "User"), ("Report Version", "104"), None])
    width = 22 if mac else 20
    lines = ["" if pair is None else f"{pair[0] + ':':<{width}} {pair[1]}" for pair in head]
    lines += crash_exception(r)
    if not mac:
        lines.append(f"Triggered by Thread:  {r.crashed}")
    if r.bug.message:
        lines += ["", "Application Specific Information:", r.bug.message]
    if r.bug.last:
        if raw_last:
            lines += ["", "Last Exception Backtrace:", "(" + " ".join(f"0x{r.address(f):x}" for f in r.bug.last) + ")"]
        else:
            lines += ["", "Last Exception Backtrace:"] + crash_frames(r, r.bug.last)
    for index, (name, frames) in enumerate(r.threads):
        crashed = " Crashed" if index == r.crashed else ""
        queue = "Dispatch queue: com.apple.main-thread" if index == 0 else name
        if mac:
            lines += ["", f"Thread {index}{crashed}:" + (f": {queue}" if queue else "")]
        else:
            if queue:
                lines += ["", f"Thread {index} name:  {queue}", f"Thread {index}{crashed}:"]
            else:
                lines += ["", f"Thread {index}{crashed}:"]
        lines += crash_frames(r, frames)
    title, state = crash_state(r)
    lines += ["", "", title] + state + ["", "Binary Images:"]
    for image in sorted(r.images, key=lambda i: i["base"]):
        end = image["base"] + image["size"] - 1
        if mac:
            own = "+" if image["name"] == "Tern" else " "
            what = f"shop.tern.till ({r.version} - {BUILD[r.version]})" if own == "+" else f"{image['name']} (*)"
            lines.append(f"  {image['base']:#18x} - {end:#18x} {own}{what} <{image['uuid'].upper()}> {image['path']}")
        else:
            lines.append(f"{image['base']:#11x} - {end:#11x} {image['name']} {image['arch']}  <{image['uuid'].replace('-', '')}> {image['path']}")
    lines += ["", "This report was composed; no device wrote it.", "", "EOF" if not mac else ""]
    return "\n".join(lines) + "\n"


def write_crash(r, path, style):
    text = crash_text(r, style == "raw")
    if style == "banner":
        rule = "-------------------------------------\n"
        text = rule + "Translated Report (Full Report Below)\n" + rule + "\n" + text + \
            "\n-----------\nFull Report\n-----------\n\n" + json.dumps(ips_header(r), separators=(",", ":")) + "\n" + \
            spaced(ips_body(r))
    if style == "crlf":
        text = text.replace("\n", "\r\n")
    save(path, text)


def save(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", newline="") as file:
        file.write(text)


# ---------------------------------------------------------------- which reports

# Bug, its name, the versions that have it.
BUGS = [
    (null_read, "null-read", ("1.0.0", "1.1.0")),
    (use_after_free, "use-after-free", ("1.0.0",)),
    (split, "split-null-read", ("1.1.0",)),
    (stack_overflow, "stack-overflow", ("1.0.0", "1.1.0")),
    (worker_null, "worker-null", ("1.0.0", "1.1.0")),
    (abort, "abort", ("1.0.0", "1.1.0")),
    (uncaught_exception, "uncaught-exception", ("1.0.0", "1.1.0")),
    (raised, "raised-exception", ("1.0.0", "1.1.0")),
    (trap, "trap", ("1.0.0", "1.1.0")),
    (watchdog, "watchdog", ("1.0.0", "1.1.0")),
]
IPS_STYLES = ["lines", "compact", "headerless", "joined", "indented"]


def main():
    apple, samples = sys.argv[1:]
    binaries = {}
    for version in BUILD:
        for platform, about in PLATFORMS.items():
            folder = os.path.join(apple, version, about["folder"])
            dsym = os.path.join(folder, "Tern.app.dSYM/Contents/Resources/DWARF/Tern")
            binaries[version, platform] = Binary(os.path.join(folder, "Tern"), dsym, about["arch"])
    written = 0
    for bug, name, versions in BUGS:
        for version in versions:
            for platform in PLATFORMS:
                if bug is watchdog and platform != "ios-arm64":
                    continue
                report = Report(binaries[version, platform], version, platform, name, bug)
                file = f"{name}-{version}-{platform}"
                both = len(versions) == 1 or bug in (raised, watchdog)
                as_text = (written % 2 == 0) or both
                as_ips = (written % 2 == 1) or both
                if as_text:
                    style = {("raised-exception", "ios-arm64"): "raw",
                             ("trap", "ios-arm64"): "crlf"}.get((name, platform), "plain")
                    write_crash(report, os.path.join(samples, "apple-crash", file + ".crash"), style)
                if as_ips:
                    style = IPS_STYLES[written // 2 % len(IPS_STYLES)]
                    write_ips(report, os.path.join(samples, "apple-ips", file + ".ips"), style)
                written += 1
    report = Report(binaries["1.1.0", "macos-arm64"], "1.1.0", "macos-arm64", "null-read again", null_read)
    write_ips(report, os.path.join(samples, "apple-ips", "null-read-1.1.0-macos-arm64-symbolicated.ips"), "symbolicated")
    report = Report(binaries["1.0.0", "macos-arm64"], "1.0.0", "macos-arm64", "abort with banner", abort)
    write_crash(report, os.path.join(samples, "apple-crash", "abort-1.0.0-macos-arm64-banner.crash"), "banner")


main()
