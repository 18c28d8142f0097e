"""What the debug information itself says about an address, out of what llvm-dwarfdump prints of it:
the entries of the units that hold the address, with their ranges, and the rows of the line table."""
import bisect
import itertools
import os
import re
import shutil
import subprocess
import tempfile

from .frames import COLD, plain_of, same_path
from .symbols import bare


class Entry:
    """A function, an inlined call, a lexical block or what holds them."""
    __slots__ = ("offset", "tag", "ranges", "name", "linkage", "call", "children", "stated", "origin")

    def __init__(self, offset, tag):
        self.offset, self.tag = offset, tag
        self.ranges, self.children = [], []
        self.name = self.linkage = self.stated = ""
        self.call = ["", 0, 0]
        # Where its declaration or abstract instance is.
        self.origin = None

    def holds(self, address):
        return any(start <= address < end for start, end in self.ranges)


class Unit:
    def __init__(self, offset):
        self.offset = offset
        self.ranges = []
        self.line_table = None
        self.directory = ""
        self.split = False
        self.version = 0
        self.functions = None
        self.table = None


HEADER = re.compile(r"^(0x[0-9a-f]+): +Compile Unit: .*version = 0x([0-9a-f]+)")
ENTRY = re.compile(r"^(0x[0-9a-f]+): ( *)(DW_TAG_\w+|NULL)")
ATTRIBUTE = re.compile(r"^ +(DW_AT_\w+)\t ?\((.*)$")
RANGE = re.compile(r"\[0x([0-9a-f]+), 0x([0-9a-f]+)\)")
REFERENCE = re.compile(r"0x([0-9a-f]+)")
# What stands before the names of the functions in it, in C++.
SCOPES = {"DW_TAG_namespace": "(anonymous namespace)", "DW_TAG_class_type": "", "DW_TAG_structure_type": "",
          "DW_TAG_union_type": ""}
WITH_CODE = ("DW_TAG_subprogram", "DW_TAG_inlined_subroutine", "DW_TAG_lexical_block")


class Attributes:
    """The attributes of one entry, values over several lines joined."""

    def __init__(self):
        self.values = {}
        self.last = None

    def line(self, text):
        found = ATTRIBUTE.match(text)
        if found:
            self.last = found[1]
            self.values[self.last] = found[2]
        elif self.last:
            self.values[self.last] += text

    def number(self, name, default=None):
        found = re.search(r"0x([0-9a-f]+)|(\d+)", self.values.get(name, ""))
        if not found:
            return default
        return int(found[1], 16) if found[1] else int(found[2])

    def reference(self, *names):
        """The offset of the entry that one of these attributes means."""
        for name in names:
            found = REFERENCE.search(self.values.get(name, ""))
            if found:
                return int(found[1], 16)
        return None

    def text(self, name):
        found = re.search(r'"(.*)"', self.values.get(name, ""))
        return found[1] if found else ""

    def ranges(self):
        if "DW_AT_ranges" in self.values:
            return [(int(a, 16), int(b, 16)) for a, b in RANGE.findall(self.values["DW_AT_ranges"])
                    if int(a, 16) < int(b, 16)]
        low, high = self.number("DW_AT_low_pc"), self.number("DW_AT_high_pc")
        return [(low, high)] if low is not None and high is not None and low < high else []


class Ranges:
    """Pieces of code that may overlap, each with what it belongs to."""

    def __init__(self, pieces):
        self.pieces = sorted(piece for piece in pieces if piece[0] < piece[1])
        self.reach, reach = [], 0
        for _, end, _ in self.pieces:
            reach = max(reach, end)
            self.reach.append(reach)

    def at(self, address):
        place = bisect.bisect_right(self.pieces, (address, 1 << 64, 0)) - 1
        found = set()
        while place >= 0 and self.reach[place] > address:
            start, end, owner = self.pieces[place]
            if start <= address < end:
                found.add(owner)
            place -= 1
        return sorted(found)


def texts(path):
    """The strings of the file in which dwz keeps what several files share: where an entry has its name
    there, llvm-dwarfdump prints none."""
    with tempfile.NamedTemporaryFile() as out:
        subprocess.run(["objcopy", "--dump-section", f".debug_str={out.name}", path, "/dev/null"],
                       stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(out.name, "rb") as file:
            return {text.decode("utf-8", "replace") for text in file.read().split(b"\0")}


class DebugInformation:
    """Units are dumped when an address in them is asked for, and kept."""

    def __init__(self, input):
        self.path, self.folder = input.debug, input.folder
        self.limit = 60 + os.path.getsize(self.path) // 1_000_000
        self.tool = next((t for t in ("llvm-dwarfdump-19", "llvm-dwarfdump-14") if shutil.which(t)),
                         "llvm-dwarfdump")
        self.arch = [f"--arch={input.architecture}"] if input.architecture else []
        self.common = texts(input.common) if input.common else set()
        # Of each function's entry without a linkage name what stands around it, and of each entry with an
        # origin or a specification where that is.
        self.scopes, self.origins, self.read_offsets = {}, {}, set()
        self.units = []
        self.read_units()
        self.ranges = Ranges(
            (start, end, index) for index, unit in enumerate(self.units)
            for start, end in unit.ranges)
        self.sequences = None

    def dump(self, *options):
        """Lines of llvm-dwarfdump's output, at most so long."""
        limit = self.limit * (10 if "--dwo" in options else 1)
        command = ["timeout", str(limit), self.tool] + self.arch + list(options) + [self.path]
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, errors="replace",
                              cwd=self.folder) as process:
            yield from process.stdout

    def read_units(self):
        unit, values = None, None

        def finish():
            if unit and values:
                unit.ranges = values.ranges()
                unit.line_table = values.number("DW_AT_stmt_list")
                unit.directory = values.text("DW_AT_comp_dir")
                unit.split = any(name in values.values for name in
                                 ("DW_AT_dwo_name", "DW_AT_GNU_dwo_name"))

        for line in self.dump("--debug-info", "-r", "0"):
            header = HEADER.match(line)
            if header:
                finish()
                unit, values = Unit(0), None
                unit.version = int(header[2], 16)
                self.units.append(unit)
                continue
            entry = ENTRY.match(line)
            if entry and unit:
                if values is None:
                    unit.offset, values = int(entry[1], 16), Attributes()
                else:
                    finish()
                    unit = None
            elif values is not None and unit:
                values.line(line)
        finish()

    def units_at(self, address):
        return [self.units[index] for index in self.ranges.at(address)]

    def stray_units(self, address):
        """Units whose line table holds an address that their ranges leave out."""
        if self.sequences is None:
            by_table = {unit.line_table: index for index, unit in enumerate(self.units)}
            pieces, table, start = [], None, None
            for line in self.dump("--debug-line"):
                found = re.match(r"debug_line\[(0x[0-9a-f]+)\]", line)
                if found:
                    table, start = by_table.get(int(found[1], 16)), None
                    continue
                found = re.match(r"0x([0-9a-f]{8,16}) ", line)
                if found and table is not None:
                    address_here = int(found[1], 16)
                    if start is None:
                        start = address_here
                    if line.rstrip().endswith("end_sequence"):
                        pieces.append((start, address_here, table))
                        start = None
            self.sequences = Ranges(pieces)
        return [self.units[index] for index in self.sequences.at(address)]

    def functions(self, unit):
        """The functions of a unit, whatever they stand in, with what is inlined into them."""
        if unit.functions is None and unit.split:
            self.read_split()
        elif unit.functions is None:
            unit.functions = self.entries(self.dump(f"--debug-info=0x{unit.offset:x}", "-c"))
        return unit.functions or []

    def read_split(self):
        """The functions of all units that are split off, each printed behind its skeleton. One alone
        can't be asked for: its offset means the skeleton's as well as one in the other file."""
        units, lines = iter(self.units), []
        unit = None
        for line in itertools.chain(self.dump("--debug-info", "--dwo"), [None]):
            if line is None or HEADER.match(line):
                if unit:
                    unit.functions = self.entries(lines)
                unit, lines = next(units, None), []
            else:
                lines.append(line)

    def entries(self, lines):
        """The functions among entries as they are printed."""
        functions, stack = [], []
        entry = values = None

        def finish():
            if entry is None:
                return
            entry.ranges = values.ranges()
            if entry.tag == "DW_TAG_lexical_block":
                return
            origin = values.text("DW_AT_abstract_origin") or values.text("DW_AT_specification")
            entry.origin = values.reference("DW_AT_abstract_origin", "DW_AT_specification")
            entry.linkage = values.text("DW_AT_linkage_name") or values.text("DW_AT_MIPS_linkage_name")
            entry.name = values.text("DW_AT_name")
            entry.stated = entry.linkage or origin or entry.name
            path = values.text("DW_AT_call_file")
            entry.call = [path, values.number("DW_AT_call_line", 0), values.number("DW_AT_call_column", 0)]

        # What is open around an entry: (depth, tag, attributes, offset).
        around = []

        def close():
            """Notes the surroundings of the function whose attributes were read."""
            if around and around[-1][1] == "DW_TAG_subprogram":
                own = around[-1]
                target = own[2].reference("DW_AT_specification", "DW_AT_abstract_origin")
                if target is not None:
                    self.origins[own[3]] = target
                self.scopes[own[3]] = self.surroundings(around[:-1])
            elif around and around[-1][1] in SCOPES:
                target = around[-1][2].reference("DW_AT_specification")
                if target is not None:
                    self.origins[around[-1][3]] = target
                self.scopes[around[-1][3]] = self.surroundings(around)

        attributes = None
        for line in lines:
            found = ENTRY.match(line)
            if not found:
                if attributes is not None:
                    attributes.line(line)
                continue
            finish()
            close()
            entry = values = attributes = None
            depth = len(found[2])
            while around and around[-1][0] >= depth:
                around.pop()
            while stack and stack[-1][0] >= depth:
                stack.pop()
            if found[3] in SCOPES or found[3] == "DW_TAG_subprogram":
                attributes = Attributes()
                around.append((depth, found[3], attributes, int(found[1], 16)))
            if found[3] not in WITH_CODE:
                continue
            entry, values = Entry(int(found[1], 16), found[3]), attributes or Attributes()
            attributes = values
            if found[3] == "DW_TAG_subprogram" or not stack:
                functions.append(entry)
            else:
                stack[-1][1].children.append(entry)
            stack.append((depth, entry))
        finish()
        close()
        return functions

    def surroundings(self, around):
        """What the namespaces and types around an entry are called together: `audio::Worker::`."""
        text = ""
        for _, tag, values, offset in around:
            if tag == "DW_TAG_subprogram":
                text = ""
                continue
            name = values.text("DW_AT_name")
            declared = values.reference("DW_AT_specification")
            if not name and declared is not None and declared in self.scopes:
                text = self.scopes[declared]
                continue
            name = name or SCOPES[tag]
            text += name + "::" if name else ""
        return text

    def qualified(self, entry):
        """The name of an entry with what stands around the declaration that has it."""
        offset, hops = entry.offset, 0
        while hops < 16:
            hops += 1
            target = entry.origin if offset == entry.offset else self.origins.get(offset)
            if target is None:
                break
            if target not in self.scopes and target not in self.origins:
                unit = next((u for u in reversed(self.units) if u.offset <= target), None)
                if unit is not None and unit.offset not in self.read_offsets:
                    self.read_offsets.add(unit.offset)
                    self.functions(unit)
            offset = target
        return self.scopes.get(offset, "") + (entry.name or entry.stated)

    def rows(self, unit):
        """The sequences of a unit's line table: lists of (address, line, file, is end)."""
        if unit.table is not None:
            return unit.table
        unit.table = []
        if unit.line_table is None:
            return unit.table
        directories, files, sequence = {}, {}, []
        number = None
        for line in self.dump(f"--debug-line=0x{unit.line_table:x}"):
            found = re.match(r"include_directories\[ *(\d+)\] = \"(.*)\"", line)
            if found:
                directories[int(found[1])] = found[2]
                continue
            found = re.match(r"file_names\[ *(\d+)\]:", line)
            if found:
                number = int(found[1])
                continue
            found = re.match(r" +name: \"(.*)\"", line)
            if found:
                files[number] = [found[1], 0]
                continue
            found = re.match(r" +dir_index: (\d+)", line)
            if found and number in files:
                files[number][1] = int(found[1])
                continue
            found = re.match(r"0x([0-9a-f]+) +(\d+) +(\d+) +(\d+) .*?(end_sequence)?$", line)
            if found:
                sequence.append((int(found[1], 16), int(found[2]), int(found[4]), bool(found[5]), int(found[3])))
                if found[5]:
                    unit.table.append(sequence)
                    sequence = []
        paths = {}
        for index, (name, directory) in files.items():
            # Before version 5 folder 0 is the one in which the compiler ran.
            folder = directories.get(directory, "")
            paths[index] = join(unit.directory, folder, name)
        unit.table = [[(a, line, paths.get(f, ""), e, c) for a, line, f, e, c in rows] for rows in unit.table]
        return unit.table

    def places(self, unit, address):
        """(file, line, column) of an address by each sequence that holds it."""
        found = []
        for rows in self.rows(unit):
            if not rows[0][0] <= address < rows[-1][0]:
                continue
            current = None
            for row in rows:
                if row[0] > address:
                    break
                if not row[3]:
                    current = (row[2], row[1], row[4])
            if current and current not in found:
                found.append(current)
        return found

    def chains(self, address):
        """All chains that the entries give for an address: lists of (names, [(file, line)])."""
        found = []
        units = self.units_at(address) or self.stray_units(address)
        places = [place for unit in units for place in self.places(unit, address)]
        for unit in units:
            for function in self.functions(unit):
                if function.tag != "DW_TAG_subprogram" or not function.holds(address):
                    continue
                path = self.innermost(function, address)
                names = [entry for entry in reversed(path)]
                calls = [tuple(entry.call) for entry in reversed(path)][:-1]
                own = self.places(unit, address) or places or [("", 0, 0)]
                found.append((names, own, calls))
        return found, places

    @staticmethod
    def innermost(function, address):
        """The function and the inlined calls around an address, the outermost first. Blocks without
        ranges are passed through."""
        path, entry = [function], function
        while True:
            following = None
            for child in entry.children:
                if child.holds(address):
                    following = child
                elif child.tag == "DW_TAG_lexical_block" and not child.ranges and following is None:
                    if any(DebugInformation.reaches(inner, address) for inner in child.children):
                        following = child
            if following is None:
                return path
            entry = following
            if entry.tag != "DW_TAG_lexical_block":
                path.append(entry)

    @staticmethod
    def reaches(entry, address):
        return entry.holds(address) or (
            not entry.ranges and any(DebugInformation.reaches(c, address) for c in entry.children))

    def judge(self, chain, address, symbols, has_columns=True, has_paths=True):
        """Whether a chain is what the debug information says: None for yes, else what is wrong.

        Every part of it counts: the depth, each name, each file with its folders, lines and columns. Peers may
        be let off what they don't print."""
        found, places = self.chains(address)
        here = symbols.covering(address)
        strict = has_columns, has_paths
        if not found:
            return self.outside(chain, places, here, strict)
        wrong = []
        for entries, own, calls in found:
            wrong.append("no answer" if not chain else
                         self.compare(chain, entries, own, calls, here, symbols, strict))
            if wrong[-1] is None:
                return None
        several = len(found[0][0][-1].ranges) > 1
        return wrong[0] + (" in a function of several parts" if several else "")

    @staticmethod
    def place_fault(frame, places, strict):
        """What is wrong with a frame's place, of which one of several may be meant."""
        same = [place for place in places if place[1] == frame.line]
        if not same:
            return "line"
        named = [p for p in same if not p[0] or not frame.file or same_path(p[0], frame.file) < 2]
        if not named:
            return "file"
        # Of code without a line, none is right, and so is the file that its sequence began with.
        if frame.line and not frame.file and any(p[0] for p in named):
            return "file"
        if frame.line and strict[1] and not any(not p[0] or same_whole_path(p[0], frame.file) for p in named):
            return "folder"
        if frame.line and strict[0] and not any(p[2] == frame.column for p in named):
            return "column"
        return None

    @classmethod
    def outside(cls, chain, places, here, strict):
        """What is wrong with a chain where no function's entry is: padding behind a function whose rows
        go on, or code whose entry the compiler left out, as gcc does of functions that it merged."""
        if not chain:
            return "no answer for a row outside functions" if any(p[1] for p in places) else \
                "no answer for a symbol" if here else None
        if len(chain) > 1:
            return "inlined calls where no entry is"
        frame = chain[0]
        if places:
            fault = cls.place_fault(frame, places, strict)
            if fault:
                return "no line for a row outside functions" if not frame.line else fault
        if not places and frame.line:
            return "line where no row is"
        return None if not frame.name or bare(frame.name) in here else "name of a function that is not there"

    def compare(self, chain, entries, own, calls, here, symbols, strict):
        if len(chain) != len(entries):
            return "depth"
        fault = self.place_fault(chain[0], own, strict)
        if fault:
            return fault
        for frame, (file, line, column) in zip(chain[1:], calls):
            fault = self.place_fault(frame, [(file, line, column)], strict)
            if fault:
                return fault + " of a call"
        for index, (frame, entry) in enumerate(zip(chain, entries)):
            # The outermost may have the name of a symbol that lies in code and holds the address.
            if index == len(entries) - 1 and bare(frame.name) in here:
                continue
            if not self.is_name(frame.name, entry):
                return "name"
        return None

    def is_name(self, name, entry):
        """Whether a name is one that an entry has."""
        stated = entry.stated
        if not name:
            # The compiler gave none, or it stands in a file that llvm-dwarfdump does not read.
            return not stated and not self.common
        if self.common and not stated:
            return name in self.common or name.split("::")[-1] in self.common
        if bare(name) == stated or name in (entry.linkage, entry.name, COLD.sub("", stated)):
            return True
        if "::" in name and not name.startswith(("_", "?", "$")):
            return name == self.qualified(entry) or name.split("::")[-1] in self.common
        # The entry's own name is plain: of a linkage name at least the last part has to be it.
        return plain_of(name, stated) or plain_of(stated, name)


def join(*parts):
    """Folders and a name joined, where the name may be a whole path; Windows' ones, too."""
    path = ""
    for part in parts:
        whole = part.startswith("/") or re.match(r"[A-Za-z]:[\\/]|\\\\", part)
        path = part if whole or not path else path.rstrip("/\\") + "/" + part if part else path
    return path


def same_whole_path(a, b):
    """Whether two paths are spelled alike but for `.` and `..` and the slashes between."""
    clean = [os.path.normpath(path.replace("\\", "/")) for path in (a, b)]
    # Relative folders of the compiler's have nothing to be joined to.
    return clean[0] == clean[1] or not clean[0].startswith("/") and clean[1].endswith("/" + clean[0]) \
        or not clean[1].startswith("/") and clean[0].endswith("/" + clean[1])
