"""What is compared: a file, and what the other symbolizers are given in its place where they can't read it."""
import atexit
import os
import shutil
import struct
import subprocess
import tempfile

FORMATS = {b"\x7fE": "ELF", b"MZ": "PE"}
# What files of a folder are asked of: programs and debug files, not the members of split ones.
MAGICS = (b"\x7fELF", b"MZ", b"\0asm", b"Micr", b"MODU", b"\xca\xfe\xba\xbe", b"\xca\xfe\xba\xbf",
          b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe")
MEMBERS = (".o", ".dwo", ".dwp", ".dwz")
# CPU type and subtype of a universal file's slices, as <mach/machine.h> has them.
SLICES = {(7, 3): "i386", (0x1000007, 3): "x86_64", (0x1000007, 8): "x86_64h", (12, 9): "armv7",
          (12, 11): "armv7s", (12, 12): "armv7k", (0x100000c, 0): "arm64", (0x100000c, 2): "arm64e",
          (0x200000c, 1): "arm64_32"}


def slices(path):
    """The architectures of a universal file; none for any other."""
    with open(path, "rb") as file:
        head = file.read(4096)
    wide = head[:4] == b"\xca\xfe\xba\xbf"
    if not wide and head[:4] != b"\xca\xfe\xba\xbe":
        return []
    count, size = struct.unpack_from(">I", head, 4)[0], 32 if wide else 20
    kinds = [struct.unpack_from(">II", head, 8 + index * size) for index in range(min(count, 100))]
    return [SLICES[kind, subtype & 0xffffff] for kind, subtype in kinds
            if (kind, subtype & 0xffffff) in SLICES]


def expand(word):
    """A word of the command line, [NAME=]FILE[:ARCH], with every file of a folder and every slice of
    a universal file for itself. What is in a folder is named GROUP/FILE."""
    name, path = word.split("=", 1) if "=" in word else (None, word)
    if not os.path.isdir(path):
        archs = slices(path) if os.path.isfile(path) else []
        name = name or os.path.basename(path)
        return [f"{name}-{arch}={path}:{arch}" for arch in archs] or [word]
    group, found = name or os.path.basename(os.path.abspath(path)), []
    for folder, folders, files in os.walk(path):
        folders.sort()
        for file in sorted(files):
            whole = os.path.join(folder, file)
            if file.endswith(MEMBERS) or os.path.islink(whole):
                continue
            with open(whole, "rb") as opened:
                if not opened.read(4).startswith(MAGICS):
                    continue
            # The PDB is asked, with what it belongs to.
            if os.path.exists(os.path.splitext(whole)[0] + ".pdb") and not file.endswith(".pdb"):
                continue
            found += expand(f"{group}/{os.path.relpath(whole, path)}={whole}")
    return found


class Input:
    """NAME=FILE:ARCH, of which FILE is enough.

    `path` is what Mayday reads, `peers` what the others do: the same, but for
    - debug information compressed as not all of them can inflate it: the same file, inflated;
    - a PDB: the program beside it, which names it. Its addresses count from `base` there.
    `folder` is where relative paths of split debug information start."""

    def __init__(self, word):
        name, path = word.split("=", 1) if "=" in word else (None, word)
        path, _, architecture = path.partition(":")
        self.path = os.path.abspath(path)
        self.architecture = architecture or None
        self.name = name or os.path.basename(path)
        if self.name in ("program", "plain"):
            self.name = os.path.basename(os.path.dirname(self.path))
        self.folder = os.path.dirname(os.path.dirname(self.path))
        with open(self.path, "rb") as file:
            self.format = FORMATS.get(file.read(4)[:2], "")
        self.base = 0
        self.peers = self.path
        if self.path.lower().endswith(".pdb"):
            self.pair_with_program()
        elif self.is_compressed():
            self.inflate()

    @property
    def is_pdb(self):
        return self.path.lower().endswith(".pdb")

    @property
    def is_text(self):
        return self.path.endswith(".sym")

    def is_compressed(self):
        if self.format != "ELF":
            return False
        done = subprocess.run(
            ["readelf", "-tW", self.path], capture_output=True, text=True, errors="replace",
            env=dict(os.environ, LC_ALL="C"))
        return ".zdebug_" in done.stdout or "ZSTD" in done.stdout

    def inflate(self):
        folder = tempfile.mkdtemp(prefix="mayday-oracle-")
        atexit.register(shutil.rmtree, folder, True)
        plain = os.path.join(folder, os.path.basename(self.path))
        done = subprocess.run(
            ["objcopy", "--decompress-debug-sections", self.path, plain], capture_output=True)
        if done.returncode == 0:
            self.peers = plain

    def pair_with_program(self):
        for ending in (".exe", ".dll"):
            program = self.path[:-4] + ending
            if os.path.exists(program):
                self.peers = program
                done = subprocess.run(
                    ["llvm-readobj-14", "--file-headers", program], capture_output=True, text=True)
                for line in done.stdout.splitlines():
                    if "ImageBase:" in line:
                        self.base = int(line.split(":")[1], 16)
