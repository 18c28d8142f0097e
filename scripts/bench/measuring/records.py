"""bench/figures.tsv: what each figure is now, and the best that it ever was."""
import os
import re
from dataclasses import dataclass, replace

from shared.paths import ROOT

FIGURES = os.path.join(ROOT, "bench/figures.tsv")

# More than so much above the best is a failure, by the unit: a share, and what it has to be at least.
BOUNDS = {"M": (0.10, 0.0), "MB": (0.20, 4.0), "%": (0.05, 2.0)}
# Closer to the recorded value than this, a figure is the same.
NOISE = {"M": 0.01, "MB": 0.05, "%": 0.01}
COLUMNS = ["name", "unit", "value", "best", "reason", "why"]


@dataclass(frozen=True)
class Record:
    """A line of the table."""
    name: str
    unit: str
    value: float
    best: float
    reason: str
    why: str = ""

    @property
    def limit(self):
        """What the figure may be, unless the line says why it may be more."""
        share, least = BOUNDS[self.unit]
        return max(self.best * (1 + share), self.best + least)

    @property
    def allowed(self):
        """What `why` allows, or None: `up to 12.5: the reason`."""
        found = re.match(r"up to (\d+(?:\.\d+)?): \S", self.why)
        return float(found[1]) if found else None


class Table:
    """The lines of a file by the name of their figure, and the comments at its head."""

    def __init__(self, path):
        self.path = path
        self.head = []
        self.records = {}
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                self._take(line.rstrip("\n"), number)

    def _take(self, line, number):
        if not line.strip() or line.startswith("#"):
            self.head.append(line)
            return
        fields = line.split("\t")
        if fields[:2] == COLUMNS[:2]:
            return
        try:
            name, unit, value, best, reason, why = [*fields, ""][:6]
            record = Record(name, unit, float(value), float(best), reason, why)
            if unit not in BOUNDS or len(fields) > len(COLUMNS):
                raise ValueError
        except ValueError:
            raise SystemExit(f"{self.path}:{number}: not a figure: {line}") from None
        if name in self.records:
            raise SystemExit(f"{self.path}:{number}: a second line for '{name}'")
        if why and record.allowed is None:
            raise SystemExit(f"{self.path}:{number}: `why` has the form 'up to VALUE: REASON'")
        self.records[name] = record

    def judge(self, name, unit, value):
        """What is wrong with a measured figure, or None."""
        record = self.records.get(name)
        if record is None or record.unit != unit:
            return f"'{name}' ({unit}) has no line; write it with: make bench-quick RENEW=1"
        if value <= record.limit or (record.allowed is not None and value <= record.allowed):
            return None
        bound = f"and may be {max(record.limit, record.allowed or 0):.1f}"
        return f"'{name}' is {value:.1f} {unit}, the best was {record.best:.1f}, {bound}"

    def renew(self, figures, reason):
        """Takes the measured values over, in their order, and keeps the best; lines of others go."""
        kept = {}
        for name, unit, value in figures:
            value = round(value, 2)
            old = self.records.get(name)
            if old is None or old.unit != unit:
                kept[name] = Record(name, unit, value, value, reason)
            elif abs(value - old.value) <= NOISE[unit] * old.value:
                kept[name] = old
            else:
                kept[name] = replace(old, value=value, best=min(value, old.best), reason=reason)
        self.records = kept

    def write(self):
        lines = [*self.head, "\t".join(COLUMNS)]
        for record in self.records.values():
            fields = [record.name, record.unit, f"{record.value:.2f}", f"{record.best:.2f}", record.reason, record.why]
            lines.append("\t".join(fields).rstrip("\t"))
        with open(self.path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
