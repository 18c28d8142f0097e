"""What is compared: a file, and what the other symbolizers are given in its place where they can't read it."""
import atexit
import os
import shutil
import subprocess
import tempfile

FORMATS = {b"\x7fE": "ELF", b"MZ": "PE"}


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
