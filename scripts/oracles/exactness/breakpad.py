"""What a Breakpad symbol file itself says about an address, read line by line.

Source: Breakpad, docs/symbol_files.md."""
import bisect


class BreakpadText:
    """Functions with their lines and inlined calls; what PUBLIC and STACK CFI lines say of the rest."""

    def __init__(self, path):
        self.files, self.origins, self.functions, self.publics, self.rules = {}, {}, [], {}, []
        with open(path, encoding="utf-8", errors="replace") as file:
            for line in file:
                self.add(line.rstrip("\r\n"))
        self.functions.sort(key=lambda function: function[0])
        self.starts = [function[0] for function in self.functions]
        self.rules.sort()
        self.ends = sorted(start for start in self.publics)

    def add(self, line):
        word, _, rest = line.partition(" ")
        if word == "FILE":
            number, _, name = rest.partition(" ")
            self.files.setdefault(int(number), name)
        elif word == "INLINE_ORIGIN":
            number, _, name = rest.partition(" ")
            self.origins.setdefault(int(number), name)
        elif word in ("FUNC", "PUBLIC"):
            rest = rest[2:] if rest.startswith("m ") else rest
            fields = rest.split(" ", 3 if word == "FUNC" else 2)
            start = int(fields[0], 16)
            name = fields[-1] if len(fields) == (4 if word == "FUNC" else 3) else ""
            if word == "FUNC":
                self.functions.append((start, start + int(fields[1], 16), name, [], []))
            else:
                self.publics.setdefault(start, set()).add(name)
        elif word == "INLINE" and self.functions:
            numbers = rest.split()
            ranges = [(int(a, 16), int(a, 16) + int(b, 16)) for a, b in zip(numbers[4::2], numbers[5::2])]
            self.functions[-1][4].append(
                (int(numbers[0]), int(numbers[1]), int(numbers[2]), int(numbers[3]), ranges))
        elif word == "STACK" and rest.startswith("CFI INIT "):
            fields = rest.split()
            start = int(fields[2], 16)
            self.rules.append((start, start + int(fields[3], 16)))
        elif word and self.functions and all(c in "0123456789abcdefABCDEF" for c in word):
            fields = line.split()
            start = int(fields[0], 16)
            self.functions[-1][3].append((start, start + int(fields[1], 16), int(fields[2]), int(fields[3])))

    def judge(self, chain, address, symbols=None, has_columns=True, has_paths=True):
        """None for what the file says, else what is wrong."""
        found = [function for function in self.functions[:bisect.bisect_right(self.starts, address)]
                 if address < function[1]]
        if not found:
            return self.outside(chain, address)
        faults = [self.compare(chain, function, address) for function in found]
        return None if None in faults else faults[0]

    def compare(self, chain, function, address):
        _, _, name, rows, calls = function
        # Outermost first; of several on one level the last counts.
        held = {}
        for level, line, file, origin, ranges in calls:
            if any(start <= address < end for start, end in ranges):
                held[level] = (line, file, origin)
        levels = []
        while len(levels) in held:
            levels.append(held[len(levels)])
        if len(chain) != len(levels) + 1:
            return "depth"
        names = [name] + [self.origins.get(origin, "") for _, _, origin in levels]
        row = next((row for row in rows if row[0] <= address < row[1]), None)
        places = [(line, self.files.get(file, "")) for line, file, _ in levels]
        places.append((row[2], self.files.get(row[3], "")) if row else (0, ""))
        for frame, own, (line, file) in zip(reversed(chain), names, places):
            if frame.name != own:
                return "name"
            if frame.line != line:
                return "line"
            if line and frame.file != file:
                return "file"
        return None

    def outside(self, chain, address):
        """A public symbol reaches no further than the next one, a function, or the end of its own in the rules
        for unwinding; and nothing says that it reaches beyond its page."""
        place = bisect.bisect_right(self.ends, address)
        last = self.ends[place - 1] if place else None
        names = self.publics.get(last, set())
        if not chain:
            rule = next((r for r in self.rules if r[0] <= (last or 0) < r[1]), None)
            between = any(last is not None and last <= start <= address for start in self.starts)
            beyond = last is None or between or rule and address >= rule[1] or last >> 12 != address >> 12 \
                or any(last < start <= address for start, _ in self.rules)
            return None if beyond else "no answer for a symbol"
        if len(chain) > 1 or chain[0].line:
            return "lines where no function is"
        return None if chain[0].name in names else "name"
