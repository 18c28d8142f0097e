"""The symbol table of a file, read by a tool that shares nothing with the product."""
import bisect
import re
import subprocess


class Symbols:
    """Names by address and addresses by name; sizes where the table has them."""

    def __init__(self, path, architecture=None):
        self.by_address = {}
        self.by_name = {}
        self.sized = []
        arch = [f"--arch={architecture}"] if architecture else []
        for table in ([], ["--dynamic"]):
            done = subprocess.run(
                ["llvm-nm-14", "--format=sysv"] + table + arch + [path], capture_output=True,
                text=True, errors="replace")
            for line in done.stdout.splitlines():
                fields = [field.strip() for field in line.rsplit("|", 6)]
                if len(fields) != 7 or not re.fullmatch(r"[0-9a-f]+", fields[1]):
                    continue
                name, address = fields[0], int(fields[1], 16)
                name = re.sub(r"@.*", "", name)
                self.add(name, address, int(fields[4], 16) if fields[4] else 0)
                if name.startswith("_"):
                    self.add(name[1:], address, 0)
        self.sized.sort()
        self.starts = sorted(self.by_address)

    def add(self, name, address, size):
        self.by_address.setdefault(address, set()).add(name)
        self.by_name.setdefault(name, set()).add(address)
        if size:
            self.sized.append((address, address + size, name))

    def aliases(self, name):
        """The addresses that a name has."""
        return self.by_name.get(name, set())

    def covering(self, address):
        """The names of the symbols that hold an address or are the last before it."""
        place = bisect.bisect_right(self.starts, address)
        names = set(self.by_address[self.starts[place - 1]]) if place else set()
        place = bisect.bisect_right(self.sized, (address, 1 << 64, ""))
        for start, end, name in self.sized[max(0, place - 40):place]:
            if start <= address < end:
                names.add(name)
        return names
