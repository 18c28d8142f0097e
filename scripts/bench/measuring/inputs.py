"""The files that the symbol engine is measured on: fetched, built and unpacked below .bench."""
import os
import random
import re
import shutil
import subprocess

from measuring.runs import say
from shared import environment
from shared.paths import BENCH, ROOT
from shared.smoke import IS_SMOKE, smaller

PACKAGES = {
    "small": ["libc6-dbg", "libstdc++6-12-dbg", "python3.11-dbg"],
    "large": ["librados2-dbg", "openjdk-17-dbg", "linux-image-amd64-dbg", "ceph-osd-dbg"],
}
# Flavours of the generated program; those of less than the smallest size are left out.
FLAVOURS = [
    "gcc5", "gcc4", "gcc5-O0", "gcc5-lto", "gcc5-types", "gcc5-split", "gcc4-dwp", "gcc5-dwz",
    "clang5", "clang4", "clang5-O0", "clang5-lto", "clang5-icf", "clang5-split", "clang5-dwp",
    "macho-arm64", "rust5", "swift"]
# In bytes of .debug_info.
SMALLEST = smaller(4 << 20, 0)


class Input:
    """One debug file, its sections not compressed."""

    def __init__(self, name, path):
        self.name = name
        self.path = path
        folder = os.path.dirname(path)
        found = sections(path)
        self.text = found.get(".text", (0, 0))
        self.is_macho = not is_elf(path)
        # What offsets in symbol caches count from.
        self.base = 0 if self.is_macho else first_segment(path)
        others = [
            os.path.join(folder, other) for other in sorted(os.listdir(folder))
            if other.endswith((".dwo", ".dwp", ".dwz"))] if "/gen/" in path else []
        # From where the compilers' paths lead on, for peers that look nowhere else.
        self.folder = os.path.join(BENCH, "gen") if "/gen/" in path else None
        # Peers that read a single file see less than there is.
        self.is_whole = not others
        self.info = sum(
            size for file in [path] + others for name, (_, size) in sections(file).items()
            if name in (".debug_info", ".debug_info.dwo", "__debug_info"))

    def packed(self, kind):
        """A copy with compressed sections, zlib or zstd."""
        name = os.path.join(BENCH, f"{self.name}.{kind}")
        if not os.path.exists(name) or os.path.getmtime(name) < os.path.getmtime(self.path):
            subprocess.check_call(
                ["objcopy", f"--compress-debug-sections={kind}", self.path, name])
        return name

    def addresses(self, count, name="addresses.txt"):
        """A file of random code addresses, always the same ones, and what is in it."""
        start, size = self.text
        choose = random.Random(20)
        words = [f"0x{start + choose.randrange(max(size, 1)):x}" for _ in range(count)]
        path = os.path.join(BENCH, name)
        with open(path, "w") as out:
            out.write("\n".join(words) + "\n")
        return path, words


def prepare(size, as_is):
    """Peers and inputs; fetches and builds nothing that is not there if `as_is`."""
    os.makedirs(BENCH, exist_ok=True)
    build("decode-ips", ["swiftc", "-O"], "decode-ips.swift", [])
    if IS_SMOKE:
        return [Input("tern", sample())]
    build("lookup-symcache", ["cc", "-O2"], "lookup-symcache.c", ["-ldl"])
    names = PACKAGES["small"] + (PACKAGES["large"] if size == "large" else [])
    found = [fetch(name) for name in names if not as_is or has(name)]
    found.append(rust_library())
    found += flavours(as_is)
    inputs = [Input(name, path) for name, path in found]
    for input in inputs:
        if input.info < SMALLEST:
            say(f"{input.name} is left out: {input.info / 1e6:.1f} MB of .debug_info")
    return [input for input in inputs if input.info >= SMALLEST]


def sample():
    """A debug file of the samples."""
    path = os.path.join(BENCH, "tern.debug")
    source = os.path.join(ROOT, "Symbols/tern/.build-id/c7/cc5e11a0c7fbc498870aae63c528894debbb3c.debug")
    subprocess.check_call(["objcopy", "--decompress-debug-sections", source, path])
    return path


def symbolic_library():
    """The C library inside symbolic's Python package."""
    for path, _, names in os.walk(os.path.join(environment.folder("peers"), "lib")):
        for name in names:
            if re.match(r".*lowlevel.*\.so$", name):
                return os.path.join(path, name)
    raise SystemExit("symbolic's package has no library")


def build(name, compiler, source, libraries):
    """A peer that is compiled here."""
    program = os.path.join(BENCH, name)
    source = os.path.join(ROOT, "scripts/bench/peers", source)
    if not os.path.exists(program) or os.path.getmtime(program) < os.path.getmtime(source):
        say(f"Building {name}")
        subprocess.check_call(compiler + ["-o", program, source] + libraries)


def has(package):
    folder = os.path.join(BENCH, package)
    return any(os.path.exists(os.path.join(folder, name)) for name in ("plain", "done"))


def fetch(package):
    """The largest debug file of a Debian package, unpacked: (name, path)."""
    folder = os.path.join(BENCH, package)
    plain = os.path.join(folder, "plain")
    if os.path.exists(plain):
        return package, plain
    say(f"Fetching {package}")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    wanted = package
    if package.startswith("linux-image"):
        # It holds nothing, but depends on the package of one version.
        text = subprocess.run(
            ["apt-cache", "depends", package], capture_output=True, text=True).stdout
        wanted = re.search(r"Depends: (\S+)", text)[1]
    subprocess.check_call(
        ["apt-get", "download", "-qq", "-o", "APT::Sandbox::User=root", wanted], cwd=folder)
    archive = [name for name in os.listdir(folder) if name.endswith(".deb")][0]
    # Of packages of many files only the one that is measured is unpacked.
    largest = largest_member(os.path.join(folder, archive))
    unpack = subprocess.Popen(
        ["dpkg-deb", "--fsys-tarfile", archive], cwd=folder, stdout=subprocess.PIPE)
    subprocess.check_call(["tar", "-x", largest], cwd=folder, stdin=unpack.stdout)
    unpack.wait()
    file = os.path.join(folder, largest)
    subprocess.check_call(["objcopy", "--decompress-debug-sections", file, plain])
    os.remove(os.path.join(folder, archive))
    shutil.rmtree(os.path.join(folder, "usr"), ignore_errors=True)
    return package, plain


def largest_member(archive):
    """The path of the largest file that a Debian package holds, archives of objects left out."""
    text = subprocess.run(
        ["dpkg-deb", "--contents", archive], capture_output=True, text=True).stdout
    found = [line.split(None, 5) for line in text.splitlines() if line.startswith("-")]
    return max((fields for fields in found if not fields[5].endswith(".a")), key=lambda fields: int(fields[2]))[5]


def rust_library():
    plain = os.path.join(BENCH, "rust-symbolic")
    if not os.path.exists(plain):
        subprocess.check_call(["objcopy", "--decompress-debug-sections", symbolic_library(), plain])
    return "rust-symbolic", plain


def flavours(as_is):
    """The generated program, in those flavours that can be built here."""
    folder = os.path.join(BENCH, "gen")
    found = []
    for name in FLAVOURS:
        done = os.path.join(folder, name, "done")
        if not os.path.exists(done) and not as_is:
            subprocess.run(
                [os.path.join(ROOT, "scripts/oracles/gen-flavours"), name], stdout=subprocess.DEVNULL)
        if os.path.exists(done):
            with open(done) as file:
                found.append((f"gen-{name}", os.path.join(folder, file.read())))
        else:
            say(f"{name} is left out: it is not built")
    return found


def is_elf(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def first_segment(path):
    """The address of the first segment that is loaded."""
    text = subprocess.run(["readelf", "-lW", path], capture_output=True, text=True).stdout
    first = re.search(r"^\s*LOAD\s+0x[0-9a-f]+ 0x([0-9a-f]+)", text, re.M)
    return int(first[1], 16) if first else 0


def sections(path):
    """Address and size of each section by name."""
    found = {}
    if is_elf(path):
        text = subprocess.run(["readelf", "-SW", path], capture_output=True, text=True).stdout
        for line in text.splitlines():
            match = re.match(
                r"\s*\[ *\d+\] (\S+)\s+\S+\s+([0-9a-f]+) ([0-9a-f]+) ([0-9a-f]+)", line)
            if match:
                address, size = found.get(match[1], (int(match[2], 16), 0))
                found[match[1]] = (address, size + int(match[4], 16))
        return found
    text = subprocess.run(["objdump", "-h", path], capture_output=True, text=True).stdout
    text = text or subprocess.run(
        ["llvm-objdump-14", "-h", path], capture_output=True, text=True).stdout
    for line in text.splitlines():
        match = re.match(r"\s*\d+ (\S+)\s+([0-9a-f]+) ([0-9a-f]+)", line)
        if match:
            name = ".text" if match[1] == "__text" else match[1]
            found[name] = (int(match[3], 16), int(match[2], 16))
    return found
