"""What `make bench-quick` measures: commands on inputs that are samples, or made from a fixed seed."""
import http.client
import json
import os
import random
import shutil
import statistics
import struct
import zipfile
from dataclasses import dataclass
from typing import Callable

from measuring import counting, releases
from measuring.text import write_text
from shared.paths import ROOT
from shared.servers import Home, Server

SAMPLES = os.path.join(ROOT, "Samples")
SYMBOLS = os.path.join(ROOT, "Symbols")
DEBUG_FILE = os.path.join(SYMBOLS, "tern/.build-id/c7/cc5e11a0c7fbc498870aae63c528894debbb3c.debug")
# So many files of each family, so that the work on them dominates the start.
FAMILIES = {
    "apple-ips": 132, "apple-crash": 132, "minidump": 60, "elf-core": 32, "sanitizer": 154, "swift-backtrace": 138,
    "java-trace": 120, "java-hs-err": 40, "android-tombstone": 80, "python-traceback": 180, "javascript": 90,
    "go-panic": 90, "rust-panic": 90, "appcenter": 120, "linux-kernel": 90, "windows-debugger": 90, "dotnet": 90,
    "plcrash": 60, "kscrash": 60, "metrickit": 60}
# Reports in an archive that are named one by one, and what that may cost, against the archive at once.
MEMBERS = 400
MEMBERS_COST = 4
# Reports of the prepared home.
STORED = 3000
POSTS = 400
CHECKS = 1500
# Runs whose median is a peak of memory.
PEAKS = 3
# So many dumps, the second of which fill several batches; and what storing any number of them may take.
DUMPS = 600, 3000
INGEST_BYTES = 150 << 20
SIGNATURES = 20_000
# A log that is searched piece by piece, and one that is read at once.
LOG_BYTES = 17 << 20
SMALL_LOG_BYTES = 4 << 20
# How often the units of a debug file come.
COPIES = 240


@dataclass
class Case:
    """One thing to measure. `prepare` gets a tool box and an empty folder, and gives the command and its input."""
    name: str
    prepare: Callable
    has_memory: bool = True
    measure: Callable | None = None

    def figures(self, tools, folder):
        """Name, unit and value of each figure."""
        if self.measure:
            return self.measure(self.name, tools, folder)
        command, stdin = self.prepare(tools, _fresh(folder, "counted"))
        count = counting.instructions(command, os.path.join(folder, "counted"), stdin)
        found = [(self.name, "M", count / 1e6)]
        if self.has_memory:
            sizes = [self._peak(tools, _fresh(folder, f"plain{run}")) for run in range(PEAKS)]
            found.append((self.name + ", memory", "MB", statistics.median(sizes) / (1 << 20)))
        return found

    def _peak(self, tools, folder):
        command, stdin = self.prepare(tools, folder)
        size = counting.peak(command, folder, stdin)
        shutil.rmtree(folder)
        return size


@dataclass
class Tools:
    """Stripped programs, and a home with reports, of which each command gets a copy.

    Cases run beside each other, and a database that another program has open is not copied whole.
    """
    mayday: str
    bench: str
    home: str


def prepare_tools(mayday, bench, folder):
    """Everything that several cases use."""
    tools = Tools(counting.strip(mayday, folder), counting.strip(bench, folder), os.path.join(folder, "home"))
    counting.output([tools.bench, "home", tools.home, str(STORED)], folder)
    return tools


def _fresh(folder, name):
    path = os.path.join(folder, name)
    os.makedirs(path)
    return path


def copies(family, count, folder):
    """So many different files of a family of samples: each copy has a few bytes that mean nothing more."""
    source = os.path.join(SAMPLES, family)
    names = [name for name in sorted(os.listdir(source)) if os.path.isfile(os.path.join(source, name))]
    files = _fresh(folder, "reports")
    for number in range(count):
        name = names[number % len(names)]
        with open(os.path.join(source, name), "rb") as file:
            content = bytearray(file.read())
        turn = number // len(names)
        if content.startswith(b"MDMP"):
            # Its time.
            struct.pack_into("<I", content, 20, 1_800_000_000 + turn)
        else:
            content += (b"\0" if b"\0" in content[:512] else b"\n") * turn
        with open(os.path.join(files, f"{number:03}-{name}"), "wb") as file:
            file.write(content)
    return files


def triage(family, count):
    """A family of samples, with its debug files."""
    def prepare(tools, folder):
        command = [tools.mayday, "triage", copies(family, count, folder), "--symbols", SYMBOLS, "--app", "Tern"]
        text = counting.output(command, folder)
        if "duplicate" in text or f"from {count} files" not in text:
            raise counting.CommandFailed(f"{family}: {text.splitlines()[-1:]}")
        return command, None
    return Case(f"triage {family}", prepare)


def one_report(name, sample):
    def prepare(tools, _):
        return [tools.mayday, "symbolicate", os.path.join(SAMPLES, sample), "--symbols", SYMBOLS], None
    return Case(name, prepare)


def members(name, tools, folder):
    """The peak of memory for a list of the members of an archive, as a task of a batch job gets it.

    Unpacked for each of them, the archive would cost hundreds of times what it costs at once. Its unpacking is
    another process in a sandbox, in which callgrind cannot run.
    """
    files = copies("python-traceback", MEMBERS, folder)
    path = os.path.join(folder, "reports.zip")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member in sorted(os.listdir(files)):
            archive.write(os.path.join(files, member), member)
    names = os.path.join(folder, "names.txt")
    with open(names, "w", encoding="utf-8") as file:
        file.writelines(f"{path}!{member}\n" for member in sorted(os.listdir(files)))
    listed = [tools.mayday, "triage", "--files-from", names]
    one, other = (min(counting.seconds(command, folder) for _ in range(PEAKS))
                  for command in ([tools.mayday, "triage", path], listed))
    if other > MEMBERS_COST * one:
        raise counting.CommandFailed(
            f"{name}: the archive takes {one:.2f} s of CPU, and all of its members by name {other:.2f} s")
    sizes = [counting.peak(listed, folder) for _ in range(PEAKS)]
    return [(f"{name}, memory", "MB", statistics.median(sizes) / (1 << 20))]


def ingest_empty(tools, folder):
    return [tools.mayday, "ingest", copies("apple-ips", 99, folder), "--symbols", SYMBOLS, "--app", "Tern",
            "--home", os.path.join(folder, "home")], None


def ingest_many(name, tools, folder):
    """The peaks of memory of storing few and many dumps: they must not grow with the number."""
    found = []
    for count in DUMPS:
        dumps = copies("minidump", count, _fresh(folder, str(count)))
        sizes = []
        for run in range(PEAKS):
            own = _fresh(folder, f"{count}-{run}")
            command = [tools.mayday, "ingest", dumps, "--symbols", SYMBOLS, "--app", "Tern",
                       "--home", os.path.join(own, "home")]
            sizes.append(counting.peak(command, own))
            shutil.rmtree(own)
        size = statistics.median(sizes)
        if size > INGEST_BYTES:
            raise counting.CommandFailed(
                f"{name}: {count} dumps took {size >> 20} MB of memory, and may take {INGEST_BYTES >> 20}")
        found.append((f"{name}, {count} dumps, memory", "MB", size / (1 << 20)))
    return found


def copy_home(tools, folder):
    """A home with reports, for one command alone."""
    home = os.path.join(folder, "home")
    shutil.copytree(tools.home, home)
    return home


def ingest_full(tools, folder):
    home = copy_home(tools, folder)
    return [tools.mayday, "ingest", copies("apple-ips", 99, folder), "--symbols", SYMBOLS, "--app", "Tern",
            "--home", home], None


def listing(name, *words):
    return Case(name, lambda tools, folder: ([tools.mayday, *words, "--home", copy_home(tools, folder)], None))


def lookups(tools, folder):
    """Addresses of the code of a debug file, from standard input."""
    path = os.path.join(folder, "addresses.txt")
    chance = random.Random(20)
    with open(path, "w", encoding="utf-8") as file:
        # Its .text, as `readelf -S` shows it.
        file.writelines(f"0x{0x8a310 + chance.randrange(0x10a1cc):x}\n" for _ in range(20_000))
    return [tools.mayday, "lookup", "--no-cache", "--json", "-o", DEBUG_FILE], path


def compiling(tools, folder):
    return [tools.bench, "compile", DEBUG_FILE, os.path.join(folder, "cache"), "40"], None


def compiling_on_threads(name, tools, folder):
    """A larger debug file: instructions of two threads, as a share of those of one, and their memory.

    The units of a sample come many times, so that there is something to share; of each function the first counts.
    """
    units = os.path.join(folder, "units")
    plain = os.path.join(folder, "plain.debug")
    large = os.path.join(folder, "large.debug")
    counting.output(["objcopy", "--decompress-debug-sections", DEBUG_FILE, plain], folder)
    counting.output(["objcopy", "--dump-section", f".debug_info={units}", plain, os.devnull], folder)
    with open(units, "rb") as file:
        content = file.read()
    with open(units, "wb") as file:
        file.write(content * COPIES)
    counting.output(["objcopy", "--update-section", f".debug_info={units}", plain, large], folder)

    def command(threads):
        return [tools.mayday, "symbols", "compile", large, "--threads", str(threads),
                "-o", os.path.join(folder, "cache")]

    one, two = (counting.instructions(command(threads), _fresh(folder, f"counted{threads}")) for threads in (1, 2))
    sizes = [counting.peak(command(2), _fresh(folder, f"plain{run}")) for run in range(PEAKS)]
    return [(name, "M", two / 1e6), (name + ", of one", "%", 100 * two / one),
            (name + ", memory", "MB", statistics.median(sizes) / (1 << 20))]


def compiling_text(tools, folder):
    path = os.path.join(folder, "long.sym")
    write_text(path, functions=4000)
    return [tools.mayday, "symbols", "compile", path, "--threads", "1", "-o", os.path.join(folder, "cache")], None


def signatures(tools, folder):
    """Made-up stacks of C++, Swift and Java with names that come again, as those of a program do."""
    chance = random.Random(11)
    verbs = ["open", "close", "render", "parse", "load", "store", "merge", "update", "find", "resize"]
    nouns = ["Basket", "Session", "Image", "Layout", "Cache", "Route", "Order", "Socket", "Buffer", "View"]
    names = [f"lagoon::{noun}{part}::{verb}(std::vector<int, std::allocator<int>> const&, unsigned long)"
             for noun in nouns for verb in verbs for part in range(20)]
    path = os.path.join(folder, "stacks.jsonl")
    with open(path, "w", encoding="utf-8") as file:
        for number in range(SIGNATURES // 10):
            frames = [{"function": name, "module": "/usr/bin/lagoon", "file": f"src/{len(name)}.cpp", "line": line}
                      for line, name in enumerate(chance.choices(names, k=23))]
            row = {"id": str(number), "source": "made", "project": "lagoon",
                   "reason": {"type": "SIGSEGV", "message": ""}, "frames": frames}
            file.write(json.dumps(row) + "\n")
    return [tools.bench, "grouping", "--link", "off", "--text"], path


def log_search(tools, folder):
    """A server's log, with a report of a sanitizer in every two megabytes of it."""
    lines = b"".join(
        b"2026-05-01T10:%02d:%02d.%03dZ INFO [worker-%d] GET /items/%d?page=%d: 200 in %d ms\n"
        % (n // 60 % 60, n % 60, n % 1000, n % 16, n * 7919 % 1_000_000, n % 50, n % 900) for n in range(24_000))
    return write_log(tools, folder, [lines], LOG_BYTES)


def write_log(tools, folder, kinds, size):
    """The search of a log in which lines of each kind follow one another, with a report after each."""
    with open(os.path.join(SAMPLES, "sanitizer/null-read-asan-1.1.0-clang-O2.txt"), "rb") as file:
        report = file.read()
    path = os.path.join(folder, "server.log")
    with open(path, "wb") as log:
        while log.tell() < size:
            for lines in kinds:
                log.write(b"request %d\n" % log.tell() + lines + report)
    return [tools.mayday, "triage", path, "--json"], None


def prefixed_logs(tools, folder):
    """Logs whose lines begin as those of a Java service, of the system's logger and of a logger of JSON."""
    chance = random.Random(38)
    loggers = ["com.acme.shop.OrderService", "c.a.s.Till", "o.a.c.c.C.[Tomcat]", "com.zaxxer.hikari.HikariDataSource"]
    messages = ["Completed initialization in %d ms", "GET /orders/%d, parameters={}", "user %d: logged in",
                "Pool stats (total=%d, active=0)", "error: none of %d", "Started at port %d"]
    programs = ["sshd", "systemd", "kernel", "NetworkManager"]
    events = ["Accepted publickey for root from 10.0.0.1 port %d", "Started Session %d of User root.",
              "pam_unix(sshd:session): session %d opened", "ERROR: no route %d", "[UFW BLOCK] IN=eth0 MAC=00:11:%d"]

    def clock(number):
        return f"10:{number // 60 % 60:02d}:{number % 60:02d}"

    service = [
        f"2026-05-01 {clock(n)}.{n % 1000:03d}  {chance.choice(['INFO ', 'WARN ', 'DEBUG'])} 4711 --- [exec-{n % 10}]"
        f" {chance.choice(loggers):40} : {chance.choice(messages) % n}\n" for n in range(5_000)]
    system = [f"May  1 {clock(n)} host-1 {chance.choice(programs)}[{n % 5000}]: {chance.choice(events) % n}\n"
              for n in range(8_000)]
    objects = [
        json.dumps({"time": f"2026-05-01T{clock(n)}Z", "level": "info", "logger": "shop.Till",
                    "msg": chance.choice(messages) % n, "status": 200, "path": f"/items/{n}"}) + "\n"
        for n in range(5_000)]
    return write_log(tools, folder, ["".join(lines).encode() for lines in (service, system, objects)], SMALL_LOG_BYTES)


def serving(title, prepare, ask):
    """The server's process alone, with its start, while it is asked. Its worker is what `ingest` is.

    The least of three runs, as how the threads of a server meet depends on what else the machine does.
    """
    def measure(name, tools, folder):
        counts = [count_server(tools, _fresh(folder, str(run)), prepare, ask) for run in range(3)]
        return [(name, "M", min(counts) / 1e6)]
    return Case(title, None, measure=measure)


def count_server(tools, folder, prepare, ask):
    """The instructions of a server."""
    wrapper = os.path.join(folder, "serve")
    with open(wrapper, "w", encoding="utf-8") as file:
        file.write(f'#!/bin/sh\nexec {" ".join(counting.CALLGRIND)} --trace-children=no'
                   f' --log-file={folder}/callgrind.%p {tools.mayday} "$@"\n')
    os.chmod(wrapper, 0o755)
    settings = {"SWIFT_DETERMINISTIC_HASHING": "1"}
    with Home(tools.mayday, environment=settings) as home:
        # The first start makes the home and its token.
        Server(home).start().stop()
        prepare(home)
        home.program = wrapper
        with Server(home, "--rate", "0", "--workers", "1") as server:
            ask(server)
    return counting.counted(folder)


def post(server):
    """Hands in reports, each another one, over one connection."""
    with open(os.path.join(SAMPLES, "apple-ips/raised-exception-1.1.0-macos-arm64.ips"), "rb") as file:
        body = file.read()
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    for number in range(POSTS):
        connection.request("POST", "/api/v1/reports", body + b"\n" * number,
                           {"Authorization": f"Bearer {server.token}"})
        _expect(connection, 202)
    connection.close()


def check(server):
    """Asks for updates as an app does, over one connection."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    for _ in range(CHECKS):
        connection.request("GET", releases.CHECK)
        _expect(connection, 200)
    connection.close()


def _expect(connection, status):
    answer = connection.getresponse()
    answer.read()
    if answer.status != status:
        raise counting.CommandFailed(f"the server answers {answer.status}")


def cases():
    """All of them, in the order of the table."""
    return [
        Case("start", lambda tools, _: ([tools.mayday, "--version"], None), has_memory=False),
        *(triage(family, count) for family, count in FAMILIES.items()),
        Case("triage members of an archive", None, measure=members),
        one_report("one report", "apple-ips/raised-exception-1.1.0-macos-arm64.ips"),
        one_report("one dump", "minidump/null-read-1.1.0-gcc-O2.dmp"),
        one_report("one core", "elf-core/null-read-1.1.0-gcc-O2.core"),
        Case("ingest, empty home", ingest_empty),
        Case("ingest, home with reports", ingest_full),
        Case("ingest", None, measure=ingest_many),
        listing("groups by conditions", "groups", "signal:SIGSEGV", "function:*refresh*"),
        listing("reports by conditions", "reports", "app:Heron", "version:1.*"),
        listing("regressions", "regressions", "--app", "Tern"),
        listing("correlations", "correlate", "TERN-1"),
        Case("look-ups", lookups),
        Case("compile DWARF", compiling),
        Case("compile DWARF, two threads", None, measure=compiling_on_threads),
        Case("compile Breakpad's text", compiling_text),
        Case("signatures", signatures),
        Case("log search", log_search),
        Case("log search, prefixes", prefixed_logs),
        serving("server intake", lambda _: None, post),
        serving("server update checks", lambda home: releases.fill(home, 20), check),
    ]
