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
        self.arch = [f"--arch={architecture}"] if architecture else []
        for table, path in [(table, path) for table in ([], ["--dynamic"]) for path in paths]:
            for line in self.lines(["llvm-nm-14", "--format=sysv"] + table + self.arch + [path]):
                fields = [field.strip() for field in line.rsplit("|", 6)]
                if len(fields) != 7 or not re.fullmatch(r"[0-9a-f]+", fields[1]):
                    continue
                name, address = bare(fields[0]), int(fields[1], 16)
                self.add(name, address, int(fields[4], 16) if fields[4] else 0)
                if name.startswith("_"):
                    self.add(name[1:], address, 0)
        self.add_exports(paths[0])
        self.sized.sort()
        self.starts = sorted(self.by_address)
        self.sections = []
        for line in self.lines(["llvm-objdump-14", "--section-headers"] + self.arch + [paths[0]]):
            found = re.match(r"\s*\d+ \S+\s+([0-9a-f]+) ([0-9a-f]{8,16})\b.*TEXT", line)
            if found:
                start = int(found[2], 16)
                self.sections.append((start, start + int(found[1], 16)))

    def add_exports(self, path):
        """What a Windows program exports: it may have no other symbols."""
        with open(path, "rb") as file:
            if file.read(2) != b"MZ":
                return
        base, name = 0, ""
        for line in self.lines(["llvm-readobj-14", "--file-headers", "--coff-exports", path]):
            word, _, value = line.strip().partition(": ")
            if word == "ImageBase":
                base = int(value, 16)
            elif word == "Name":
                name = value
            elif word == "RVA" and name:
                self.add(name, base + int(value, 16), 0)

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
        place = bisect.bisect_right(self.starts, address)
        last = self.starts[place - 1] if place else None
        if last is None:
            return names
        section = next((s for s in self.sections if s[0] <= address < s[1]), None)
        following = bisect.bisect_left(self.sized, (last, 0, ""))
        has_size = following < len(self.sized) and self.sized[following][0] == last
        if not has_size and (section is None or section[0] <= last):
            names |= self.by_address[last]
        return names


def bare(name):
    """A name without the version that a dynamic symbol has behind it."""
    return re.sub(r"@.*", "", name)
