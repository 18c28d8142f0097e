"""What is compared: a file, and what the other symbolizers are given in its place where they can't read it."""
import atexit
import os
import re
import shutil
import struct
import subprocess
import tempfile

FORMATS = {b"\x7fE": "ELF", b"MZ": "PE", b"MO": "text"}
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


def output(*command):
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        text=True, errors="replace", env=dict(os.environ, LC_ALL="C"))
    return done.stdout


def scratch():
    """A folder that is gone when the program ends."""
    folder = tempfile.mkdtemp(prefix="mayday-oracle-")
    atexit.register(shutil.rmtree, folder, True)
    return folder


class Input:
    """NAME=FILE:ARCH, of which FILE is enough.

    `path` is what Mayday reads, `peers` what the others do: the same, but for
    - debug information compressed as not all of them can inflate it: the same file, inflated;
    - split debug information that says it lies in a folder that is not here: the program with another
      folder written into it;
    - a PDB: the program beside it, which names it. Its addresses count from `base` there.
    `debug` is where the debug information is that says who is right: the file that `peers` links to,
    if it has none; `symbols` is what has a symbol table, and `common` where dwz put what several
    files share. `folder` is where relative paths of split debug information start."""

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
        self.peers, self.common, self.sections = self.path, None, ""
        if self.format == "ELF":
            self.sections = output("readelf", "-tW", self.path)
        if self.is_pdb:
            self.pair_with_program()
        elif ".zdebug_" in self.sections or "ZSTD" in self.sections:
            self.inflate()
        elif ".debug_info" in self.sections:
            self.come_home()
        self.debug, self.symbols = self.peers, [self.peers]
        self.follow_links()
        self.follow_external()

    @property
    def is_pdb(self):
        return self.path.lower().endswith(".pdb")

    @property
    def is_text(self):
        return self.format == "text"

    @property
    def parts(self):
        """How many sections of code an object has that is not linked: they have no addresses, and
        everybody gives them other ones."""
        if self.format != "ELF" or "REL (Relocatable" not in output("readelf", "-hW", self.path):
            return 1
        return len(re.findall(r"\sAX", output("readelf", "-SW", self.path)))

    def inflate(self):
        plain = os.path.join(scratch(), os.path.basename(self.path))
        done = subprocess.run(
            ["objcopy", "--decompress-debug-sections", self.path, plain], capture_output=True)
        if done.returncode == 0:
            self.peers = plain

    def come_home(self):
        """Lets split debug information that says it lies in a folder that is not here be found beside
        the program: the folder's name gives way to a dot."""
        units = output("llvm-dwarfdump-14", "--debug-info", "-r", "0", self.path)
        if "dwo_name" not in units:
            return
        folders = set(re.findall(r'DW_AT_comp_dir\t\("(/.*)"\)', units))
        folders = [folder.encode() for folder in folders if not os.path.isdir(folder)]
        if not folders:
            return
        with open(self.path, "rb") as file:
            data = file.read()
        for folder in folders:
            data = data.replace(folder + b"\0", b".".ljust(len(folder) + 1, b"\0"))
        self.folder = scratch()
        for name in os.listdir(os.path.dirname(self.path)):
            os.symlink(os.path.join(os.path.dirname(self.path), name), os.path.join(self.folder, name))
        self.peers = os.path.join(self.folder, os.path.basename(self.path))
        os.remove(self.peers)
        with open(self.peers, "wb") as file:
            file.write(data)

    def follow_links(self):
        folder = os.path.dirname(self.path)

        def linked(section):
            text = output("readelf", "--string-dump=" + section, self.path)
            found = re.search(r"\[ *0\]  (\S+)", text)
            path = os.path.join(folder, found[1]) if found else ""
            return path if found and os.path.exists(path) else None

        bundle = self.path + ".dSYM/Contents/Resources/DWARF"
        if os.path.isdir(bundle):
            self.debug = os.path.join(bundle, os.listdir(bundle)[0])
            self.symbols.append(self.debug)
        if ".gnu_debuglink" in self.sections and ".debug_info" not in self.sections:
            self.debug = linked(".gnu_debuglink") or self.debug
            self.symbols.append(self.debug)
        if ".gnu_debugaltlink" in self.sections:
            self.common = linked(".gnu_debugaltlink")
        if ".debug_sup" in self.sections:
            self.common = self.supplementary(folder)
        if ".gnu_debugdata" in self.sections:
            packed = os.path.join(scratch(), "symbols")
            output("objcopy", "--dump-section", f".gnu_debugdata={packed}.xz", self.path, "/dev/null")
            output("xz", "-d", packed + ".xz")
            self.symbols += [packed] if os.path.exists(packed) else []

    def follow_external(self):
        """What a WebAssembly module without debug information names: a custom section, of the file's
        name behind its length."""
        with open(self.path, "rb") as file:
            data = file.read() if file.read(4) == b"\0asm" else b""
        name = data.partition(b"\x13external_debug_info")[2]
        if name:
            path = os.path.join(os.path.dirname(self.path), name[1:1 + name[0]].decode())
            self.debug = path if os.path.exists(path) else self.debug

    def supplementary(self, folder):
        """The file that .debug_sup names behind a version and a flag: DWARF 5, section 7.3.6."""
        section = os.path.join(scratch(), "sup")
        output("objcopy", "--dump-section", f".debug_sup={section}", self.path, "/dev/null")
        with open(section, "rb") as file:
            path = os.path.join(folder, file.read()[3:].split(b"\0")[0].decode())
        return path if os.path.isfile(path) else None

    def pair_with_program(self):
        """The program lies beside the PDB; llvm-symbolizer looks for the name that the program gives."""
        for ending in (".exe", ".dll"):
            program = self.path[:-4] + ending
            if not os.path.exists(program):
                continue
            self.peers = program
            for line in output("llvm-readobj-14", "--file-headers", program).splitlines():
                if "ImageBase:" in line:
                    self.base = int(line.split(":")[1], 16)
            with open(program, "rb") as file:
                place = file.read().partition(b"RSDS")[2][20:].split(b"\0")[0].decode("utf-8", "replace")
            name = re.split(r"[\\/]", place)[-1]
            if name and not os.path.exists(os.path.join(os.path.dirname(program), name)):
                folder = scratch()
                self.peers = os.path.join(folder, os.path.basename(program))
                os.symlink(program, self.peers)
                os.symlink(self.path, os.path.join(folder, name))
