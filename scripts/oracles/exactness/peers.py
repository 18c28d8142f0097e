"""The symbolizers, each asked for the same addresses; answers come as far as the time allows."""
import json
import os
import re
import shutil
import subprocess
import tempfile

from shared import environment
from shared.paths import MAYDAY, ROOT

from .frames import Frame, chain, clean, clean_path


def toolchain(name):
    """A tool of the Swift toolchain, which need not come first in the path."""
    swift = shutil.which("swift")
    folder = os.path.dirname(os.path.realpath(swift)) if swift else ""
    path = os.path.join(folder, name)
    return path if os.path.exists(path) else name


def ask(command, addresses, limit, folder=None):
    """The output for addresses on standard input, cut off after `limit` seconds."""
    with tempfile.TemporaryFile("w+") as source, tempfile.TemporaryFile("w+", errors="replace") as out:
        source.write("".join(f"0x{address:x}\n" for address in addresses))
        source.seek(0)
        process = subprocess.Popen(command, stdin=source, stdout=out, stderr=subprocess.DEVNULL,
                                   cwd=folder)
        try:
            process.wait(limit)
            whole = True
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            whole = False
        out.seek(0)
        return out.read(), whole


class Peer:
    # Takes long for each answer, so that only some are asked for.
    is_slow = False

    def reads(self, input):
        # A PDB is asked through its program.
        return not input.is_text and input.peers[-4:].lower() != ".pdb"

    def target(self, input):
        """The file to ask, and what its addresses are more than Mayday's."""
        return input.peers, input.base


class JSONPeer(Peer):
    """llvm-symbolizer and what prints as it does."""
    has_columns = True

    def __init__(self, name, command, arch):
        self.name, self.command, self.arch = name, command, arch

    def available(self):
        return shutil.which(self.command[0]) is not None

    def answers(self, path, architecture, addresses, limit, folder=None):
        command = self.command + [path]
        if architecture:
            command += [self.arch.format(architecture)]
        text, _ = ask(command, addresses, limit, folder)
        found = {}
        for line in text.splitlines():
            try:
                answer = json.loads(line)
            except json.JSONDecodeError:
                continue
            if isinstance(answer, list):
                answer = answer[0] if answer else {}
            if "Symbol" not in answer:
                continue
            found[int(answer["Address"], 16)] = chain(
                Frame(clean(f["FunctionName"]), clean_path(f["FileName"]), f["Line"], f["Column"])
                for f in answer["Symbol"])
        return found


class AddressToLine(Peer):
    """addr2line of binutils."""
    name, has_columns, is_slow = "addr2line", False, True

    def reads(self, input):
        return input.format in ("ELF", "PE") and not input.is_pdb

    def available(self):
        return shutil.which("addr2line") is not None

    def answers(self, path, architecture, addresses, limit, folder=None):
        text, whole = ask(["addr2line", "-f", "-i", "-a", "-e", path], addresses, limit, folder)
        found = {}
        for address, lines in blocks(text, whole):
            frames = []
            for name, place in zip(lines[::2], lines[1::2]):
                place = re.sub(r" \(discriminator \d+\)$", "", place)
                file, _, line = place.rpartition(":")
                frames.append(Frame(clean(name), clean_path(file), number(line), 0))
            found[address] = chain(frames)
        return found


class ElfutilsAddressToLine(Peer):
    name, has_columns, is_slow = "eu-addr2line", True, True

    def reads(self, input):
        return input.format == "ELF"

    def available(self):
        return shutil.which("eu-addr2line") is not None

    def answers(self, path, architecture, addresses, limit, folder=None):
        text, whole = ask(["eu-addr2line", "-f", "-i", "-a", "-A", "-e", path], addresses, limit, folder)
        found = {}
        for address, lines in blocks(text, whole):
            frames = []
            for name, place in zip(lines[::2], lines[1::2]):
                name = name.split(" inlined at ")[0]
                parts = re.match(r"(.*?):(\d+)(?::(\d+))?$", place)
                file, line, column = parts.groups() if parts else (place, 0, 0)
                frames.append(Frame(clean(name), clean_path(file), int(line), int(column or 0)))
            found[address] = chain(frames)
        return found


def number(text):
    return int(text) if text.isdigit() else 0


def blocks(text, whole):
    """Address and lines of each answer; the last one is dropped where the output was cut off."""
    parts = re.split(r"^0x([0-9a-f]+)\n", text, flags=re.M)[1:]
    pairs = [(int(parts[i], 16), parts[i + 1].splitlines()) for i in range(0, len(parts) - 1, 2)]
    return pairs if whole else pairs[:-1]


class Symbolic(Peer):
    """symbolic's SymCache, through its Python package."""
    name, has_columns = "symbolic", False

    def reads(self, input):
        return True

    def target(self, input):
        return (input.path, 0) if input.is_pdb else (input.peers, input.base)

    def available(self):
        return True

    def answers(self, path, architecture, addresses, limit, folder=None):
        python = environment.program("python3", "peers")
        script = os.path.join(ROOT, "scripts/bench/peers/lookup-symcache.py")
        text, _ = ask([python, script, path, architecture or ""], addresses, limit, folder)
        found = {}
        for line in text.splitlines():
            try:
                answer = json.loads(line)
            except json.JSONDecodeError:
                continue
            found[int(answer[0], 16)] = chain(
                Frame(clean(name or ""), path or "", line or 0, 0) for name, path, line in answer[1])
        return found


def ours(program=MAYDAY):
    return JSONPeer("mayday", [program, "lookup", "--json", "--no-demangle", "-o"], "--arch={}")


def peers():
    style = ["--output-style=JSON", "--no-demangle"]
    return [
        JSONPeer("llvm-symbolizer", [toolchain("llvm-symbolizer")] + style + ["-e"],
                 "--default-arch={}"),
        JSONPeer("llvm-symbolizer-14", ["llvm-symbolizer-14"] + style + ["-e"], "--default-arch={}"),
        AddressToLine(), ElfutilsAddressToLine(), Symbolic()]
