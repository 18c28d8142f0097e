"""The STACK WIN records of a Breakpad symbol file, interpreted plainly at the moment of walking: what
Breakpad's documents (docs/symbol_files.md and the comments of stackwalker_x86.cc) say of them."""
import re

MASK = 0xffffffff
REGISTERS = ("eip", "esp", "ebp", "ebx", "esi", "edi")
# Programs may name registers by their numbers in CodeView: CV_REG_EBX and following of cvconst.h.
NUMBERED = {"$20": "$ebx", "$21": "$esp", "$22": "$ebp", "$23": "$esi", "$24": "$edi"}


class Failure(Exception):
    """A program that cannot be worked out, or memory that is not there."""


class Memory:
    """Words at a place, and nothing elsewhere; little-endian, at any alignment."""

    def __init__(self, base, data):
        self.base, self.data = base, data

    def word(self, address):
        place = (address & MASK) - self.base
        if not 0 <= place <= len(self.data) - 4:
            raise Failure(f"no memory at 0x{address & MASK:x}")
        return int.from_bytes(self.data[place:place + 4], "little")


class Record:
    def __init__(self, fields):
        numbers = [int(field, 16) for field in fields[:10]]
        self.type, self.start, self.size = numbers[:3]
        self.parameters, self.saved, self.locals = numbers[5:8]
        self.has_program = numbers[9] == 1
        self.rest = fields[10] if len(fields) > 10 else ""

    @property
    def end(self):
        return self.start + self.size

    @property
    def program(self):
        """What it computes; of a record without a program what Breakpad runs in place of one."""
        if self.type == 4:
            return self.rest
        base = "$ebp $esp .cbCalleeParams + .cbSavedRegs + 8 - ^ =" if self.rest.strip() == "1" else ""
        return f"$eip .raSearchStart ^ = {base} $esp .raSearchStart 4 + ="

    def caller(self, registers, memory, callee_parameters, base=0):
        """The registers of the caller, as far as the program says; those of others are as they were."""
        search = registers["esp"] + self.saved + self.locals + callee_parameters
        if "@" in self.program:
            search = registers["ebp"] + 4
        values = {"$" + name: registers[name] for name in REGISTERS}
        values |= {
            ".raSearch": search & MASK, ".raSearchStart": search & MASK,
            ".cbParams": self.parameters, ".cbLocals": self.locals, ".cbSavedRegs": self.saved,
            ".cbCalleeParams": callee_parameters}
        assigned = run(self.program, values, memory)
        if not {"$eip", "$esp"} <= assigned:
            raise Failure("no return address")
        for number, name in NUMBERED.items():
            if number in assigned and name not in assigned:
                values[name] = values[number]
        return {name: values["$" + name] for name in REGISTERS}


def run(program, values, memory):
    """Runs a postfix program and returns the names that it assigned."""
    stack, assigned = [], set()

    def value():
        if not stack:
            raise Failure("empty stack")
        item = stack.pop()
        if isinstance(item, int):
            return item
        if item not in values:
            raise Failure(f"{item} is not known")
        return values[item]

    # The sign of an assignment may be glued to what follows it.
    for token in re.sub(r"(^|\s)=(?=\S)", r"\1= ", program).split():
        if token == "=":
            result = value()
            if not stack or isinstance(stack[-1], int):
                raise Failure("assignment to a number")
            values[stack[-1]] = result
            assigned.add(stack.pop())
        elif token == "^":
            stack.append(memory.word(value()))
        elif token in ("+", "-", "*", "/", "%", "@"):
            right, left = value(), value()
            if token in "/%" and right == 0:
                raise Failure("division by zero")
            stack.append({
                "+": lambda: left + right, "-": lambda: left - right, "*": lambda: left * right,
                "/": lambda: left // right, "%": lambda: left % right,
                "@": lambda: left & -right}[token]() & MASK)
        elif re.fullmatch(r"-?\d+", token):
            stack.append(int(token) & MASK)
        else:
            stack.append(token)
    if stack:
        raise Failure("values left over")
    return assigned


class Records:
    """The records of a file by address: one with a program before one without, the innermost of
    several."""

    def __init__(self, path):
        self.records = []
        self.skipped = 0
        with open(path, "rb") as file:
            lines = file.read().decode("utf-8", "replace").splitlines()
        self.module = lines[0].split(" ", 4)
        for line in lines:
            if not line.startswith("STACK WIN "):
                continue
            try:
                record = Record(line.split(" ", 12)[2:])
            except (ValueError, IndexError):
                self.skipped += 1
                continue
            if record.type in (0, 4) and record.size and record.has_program == (record.type == 4):
                self.records.append(record)
            else:
                self.skipped += 1

    def holding(self, address):
        found = [record for record in self.records if record.start <= address < record.end]
        return [record for record in found if record.type == 4] or found

    def at(self, address):
        return max(self.holding(address), key=lambda record: (record.start, -record.size), default=None)

    def cross(self, address):
        """Whether a record that holds an address overlaps another, neither of which lies in the other."""
        return any(one.type == other.type and (
            one.start < other.start < one.end < other.end or other.start < one.start < other.end < one.end)
            for one in self.holding(address) for other in self.records)
