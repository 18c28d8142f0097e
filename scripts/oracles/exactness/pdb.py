"""What a PDB itself says about an address, out of what llvm-pdbutil prints of it: which procedures it
has, and where they begin and end."""
import re
import subprocess


class ProgramDatabase:
    """Addresses are distances from the image base."""

    def __init__(self, path, program):
        sections, number = {}, 0
        for line in self.lines(["llvm-readobj-14", "--sections", program]):
            found = re.match(r"\s+(Number|VirtualAddress): (\w+)", line)
            if found and found[1] == "Number":
                number = int(found[2])
            elif found:
                sections[number] = int(found[2], 16)
        self.procedures = []
        # Public symbols have no size: the last one stands for what follows it.
        self.publics, name = {}, None
        for line in self.lines(["llvm-pdbutil-14", "dump", "-symbols", "-publics", path]):
            public = re.search(r"S_PUB32 \[.*?\] `(.*)`", line)
            name = public[1] if public else name
            found = re.search(r"addr = (\d{4}):(\d+)(?:, code size = (\d+))?", line)
            if not found or int(found[1]) not in sections:
                continue
            start = sections[int(found[1])] + int(found[2])
            if found[3]:
                self.procedures.append((start, start + int(found[3])))
            elif name:
                self.publics.setdefault(start, set()).add(name)
                name = None

    @staticmethod
    def lines(command):
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
        return done.stdout.splitlines()

    def judge(self, chain, address, others):
        """None for an answer where a procedure is, and for none where none is; and for lines that
        another symbolizer has too, in every inlined call."""
        inside = any(start <= address < end for start, end in self.procedures)
        if not chain:
            return "no answer" if inside else None
        if not inside and len(chain) == 1 and not chain[0].line:
            return None if chain[0].name in self.last_public(address) else "another procedure's"
        lines = [frame.line for frame in chain]
        if any(lines == [frame.line for frame in other] for other in others):
            return None
        return "nobody else says so"

    def last_public(self, address):
        """The public symbols that an address lies behind with no procedure between them."""
        starts = [start for start in self.publics if start <= address]
        last = max(starts, default=0)
        between = any(last < start <= address for start, _ in self.procedures)
        return set() if between or not starts else self.publics[last]
