"""The symbol table of a file, read by a tool that shares nothing with the product."""
import bisect
import re
import subprocess


class Symbols:
    """Names by address and addresses by name; how far each reaches, where that can be known."""

    def __init__(self, paths, architecture=None):
        self.by_address = {}
        self.by_name = {}
        self.sized = []
        # Where symbols without a size end at the latest, though nothing is named there.
        self.ends = []
        self.arch = [f"--arch={architecture}"] if architecture else []
        for table, path in [(table, path) for table in ([], ["--dynamic"]) for path in paths]:
            code = self.code_sections(path)
            for line in self.lines(["llvm-nm-14", "--format=sysv"] + table + self.arch + [path]):
                fields = [field.strip() for field in line.rsplit("|", 6)]
                if len(fields) != 7 or not re.fullmatch(r"[0-9a-f]+", fields[1]):
                    continue
                # A symbol names code by its section: the value of one in `.debug_info`, as gcc -flto puts
                # there, or of an absolute one is no address of code, however it looks.
                if code and fields[6] not in code:
                    continue
                name, address = bare(fields[0]), int(fields[1], 16)
                self.add(name, address, int(fields[4], 16) if fields[4] else 0)
                if name.startswith("_"):
                    self.add(name[1:], address, 0)
        with open(paths[0], "rb") as file:
            data = file.read() if file.read(4) == b"\0asm" else b""
            file.seek(0)
            self.is_windows = file.read(2) == b"MZ"
        if self.is_windows:
            self.add_windows(paths[0])
        if data:
            self.by_address, self.by_name, self.sized = {}, {}, []
            self.add_module(b"\0asm" + data)
        # Functions by the table for unwinding, as readelf prints it: where those without a size end.
        self.unwound = sorted({
            (int(found[1], 16), int(found[2], 16)) for path in paths
            for line in self.lines(["readelf", "--debug-dump=frames", "-W", path])
            if (found := re.search(r" FDE .*pc=([0-9a-f]+)\.\.([0-9a-f]+)", line))})
        if self.is_windows:
            text = "\n".join(self.lines(["llvm-readobj-14", "--unwind", paths[0]]))
            self.unwound = sorted({(int(start, 16), int(end, 16)) for start, end in re.findall(
                r"StartAddress:.*\(0x([0-9A-F]+)\)\s+EndAddress:.*\(0x([0-9A-F]+)\)", text)})
        self.sized.sort()
        self.ends.sort()
        self.starts = sorted(self.by_address)
        # Labels that a compiler or assembler puts between instructions are names too, but not the
        # functions'.
        self.functions = sorted(address for address, names in self.by_address.items()
                                if not all(name.startswith(".") for name in names))
        self.sections = []
        for line in self.lines(["llvm-objdump-14", "--section-headers"] + self.arch + [paths[0]]):
            found = re.match(r"\s*\d+ \S+\s+([0-9a-f]+) ([0-9a-f]{8,16})\b.*TEXT", line)
            if found:
                start = int(found[2], 16)
                self.sections.append((start, start + int(found[1], 16)))

    @classmethod
    def code_sections(cls, path):
        """The names of the sections of an ELF file that are allocated and executable, as readelf prints
        their flags; none for other files, and for those that mark none."""
        with open(path, "rb") as file:
            if file.read(4) != b"\x7fELF":
                return set()
        found = set()
        for line in cls.lines(["readelf", "-SW", path]):
            parts = re.match(r"\s*\[ *\d+\] (\S+)\s+\S+\s+(?:[0-9a-f]+ ){4}\s*(\S*[A-Z]\S*)\s", line)
            if parts and "A" in parts[2] and "X" in parts[2]:
                found.add(parts[1])
        return found

    def add_windows(self, path):
        """What a Windows program exports, which may be all its symbols, and its static functions, which
        llvm-nm leaves out; and where the code of each object file begins, whose static functions may
        have been stripped."""
        sections, base, name, number = {}, 0, "", 0
        for line in self.lines(["llvm-readobj-14", "--file-headers", "--sections", "--coff-exports", path]):
            word, _, value = line.strip().partition(": ")
            if word == "ImageBase":
                base = int(value, 16)
            elif word == "Number":
                number = int(value)
            elif word == "VirtualAddress":
                sections[number] = int(value, 16)
            elif word == "Name":
                name = value
            elif word == "RVA" and name:
                self.add(name, base + int(value, 16), 0)
        for line in self.lines(["objdump", "-t", path]):
            found = re.match(
                r"\[.*\]\(sec +(\d+)\).*\(ty +(20|0)\)\(scl +3\) \(nx (\d+)\) 0x([0-9a-f]+) (\S+)$", line)
            if found and int(found[1]) in sections:
                address = base + sections[int(found[1])] + int(found[4], 16)
                if found[2] == "0":
                    self.ends += [address] * (found[3] != "0")
                    continue
                for plain in (bare(found[5]), bare(found[5])[found[5].startswith("_"):]):
                    self.add(plain, address, 0)

    def add_module(self, data):
        """The functions of a WebAssembly module and their names, by where they begin in the section of
        code. Source: WebAssembly core specification 2.0, sections 5.5 and 7.4.1."""
        imported, bodies, place = 0, [], 8
        names = {}
        while place < len(data):
            kind = data[place]
            size, start = leb(data, place + 1)
            place = start + size
            if kind == 2:
                imported = len(re.findall(rb"\0", b"")) + imports(data, start)
            elif kind == 10:
                count, at = leb(data, start)
                for _ in range(count):
                    length, body = leb(data, at)
                    bodies.append((body - start, body + length - start))
                    at = body + length
            elif kind == 0:
                length, at = leb(data, start)
                if data[at:at + length] == b"name":
                    names = function_names(data, at + length, place)
        for index, (begin, end) in enumerate(bodies):
            name = names.get(index + imported)
            if name:
                self.add(name, begin, end - begin)

    def add_database(self, path):
        """The names that a PDB has for its procedures; their addresses are of no image."""
        name = None
        for line in self.lines(["llvm-pdbutil-14", "dump", "-symbols", "-publics", path]):
            found = re.search(r"S_(?:PUB32|[GL]PROC32) \[.*?\] `(.*)`", line)
            if found:
                name = found[1]
                continue
            found = re.search(r"addr = (\d{4}):(\d+)", line)
            if found and name:
                self.add(name, int(found[1]) << 40 | int(found[2]), 0)
                name = None

    @staticmethod
    def lines(command):
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True, errors="replace")
        return done.stdout.splitlines()

    def add(self, name, address, size):
        self.by_address.setdefault(address, set()).add(name)
        self.by_name.setdefault(name, set()).add(address)
        if size:
            self.sized.append((address, address + size, name))

    def aliases(self, name):
        """The addresses that a name has."""
        return self.by_name.get(bare(name), set())

    def covering(self, address):
        """The names of the symbols that hold an address; else those of the last before it in its
        section, if the table tells no end of them."""
        names = set()
        place = bisect.bisect_right(self.sized, (address, 1 << 64, ""))
        for start, end, name in self.sized[max(0, place - 60):place]:
            if start <= address < end:
                names |= self.by_address[start]
        # What says how far it reaches counts before what does not.
        if names:
            return names
        section = next((s for s in self.sections if s[0] <= address < s[1]), None)
        for starts in (self.starts, self.functions):
            place = bisect.bisect_right(starts, address)
            if not place:
                continue
            last = starts[place - 1]
            following = bisect.bisect_left(self.sized, (last, 0, ""))
            has_size = following < len(self.sized) and self.sized[following][0] == last
            if bisect.bisect_right(self.ends, address) > bisect.bisect_right(self.ends, last):
                continue
            if self.ends_between(last, address):
                continue
            if not has_size and (section[0] <= last if section else not self.sections):
                names |= self.by_address[last]
        return names


    def ends_between(self, start, address):
        """Whether the function that begins at `start` ends up to an address, or another one begins, by the
        table for unwinding."""
        place = bisect.bisect_right(self.unwound, (start, 1 << 64))
        if place and start < self.unwound[place - 1][1]:
            return self.unwound[place - 1][1] <= address
        return place < len(self.unwound) and self.unwound[place][0] <= address


def bare(name):
    """A name without the version that a dynamic symbol has behind it; of Windows' names an @ is part."""
    return name if name.startswith(("?", "@", ".")) else re.sub(r"@.*", "", name)


def leb(data, place):
    """A LEB128 number, and where what follows it begins."""
    value = shift = 0
    while True:
        byte = data[place]
        place += 1
        value |= (byte & 0x7f) << shift
        shift += 7
        if byte < 0x80:
            return value, place


def imports(data, place):
    """How many of the imports of a WebAssembly module are functions: they are numbered first."""
    functions = 0
    count, place = leb(data, place)
    for _ in range(count):
        for _ in range(2):
            length, place = leb(data, place)
            place += length
        kind = data[place]
        place += 1
        if kind == 0:
            functions += 1
            _, place = leb(data, place)
            continue
        if kind == 1:
            place += 1
        if kind in (1, 2):
            flags, place = leb(data, place)
            for _ in range(1 + (flags & 1)):
                _, place = leb(data, place)
        else:
            place += 2
    return functions


def function_names(data, place, end):
    found = {}
    while place < end:
        kind = data[place]
        size, place = leb(data, place + 1)
        if kind == 1:
            count, at = leb(data, place)
            for _ in range(count):
                index, at = leb(data, at)
                length, at = leb(data, at)
                found[index] = data[at:at + length].decode("utf-8", "replace")
                at += length
        place += size
    return found
