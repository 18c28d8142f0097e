"""Compares how Mayday, a plain interpreter and Breakpad itself walk stacks by STACK WIN records, over made-up
registers and memory."""
import atexit
import os
import random
import re
import tempfile
from collections import Counter

from . import breakpad
from .ownrules import OwnRules
from .stackwin import NUMBERED, REGISTERS, Failure, Memory, Records

# Where the module lies; the stack lies in it too, so that each of its words is a place in the stack and
# a place in the code: whatever is taken for an address can be followed.
BASE = 0x400000
FRAMES = 4
SHOWN = 5
# Of two records that cross Breakpad drops the one that comes later in the file. Here, as in rust-minidump,
# the one that begins later holds.
OVERLAP = "records that cross"


class Case:
    """A thread: its registers, and the frames that each walker finds."""

    def __init__(self, registers):
        self.registers = registers
        self.chains = {}


def words(chance, records, count):
    """Memory whose words are places in the records' code, aligned as those of a stack are."""
    # A return address is looked up a byte earlier.
    choices = [[place for place in range(record.start + 1, record.end + 1) if place % 4 == 0]
               for record in records]
    choices = [places for places in choices if places]
    places = [BASE + chance.choice(chance.choice(choices)) for _ in range(count)]
    return b"".join(place.to_bytes(4, "little") for place in places)


def chain(registers, step):
    """Frames as a walker finds them: what each one's caller has in its registers."""
    found, callee_parameters = [], 0
    for number in range(FRAMES):
        # Return addresses belong to the instruction before them.
        try:
            registers, callee_parameters = step(
                registers, registers["eip"] - (number > 0) - BASE, callee_parameters)
        except Failure as problem:
            found.append(str(problem))
            break
        found.append(registers)
    return found


def plainly(records, memory):
    def step(registers, address, callee_parameters):
        record = records.at(address)
        if record is None:
            raise Failure("no record")
        return record.caller(registers, memory, callee_parameters), record.parameters
    return step


def by_rules(rules, memory):
    def step(registers, address, callee_parameters):
        row = rules.at(address)
        if row is None:
            raise Failure("no record")
        return (rules.caller(row, registers, memory, callee_parameters),
                row.get("parameter_bytes", 0))
    return step


def classify(case, peer, records):
    """What the frames of a peer differ in from ours, and in which; None where they say the same as far as
    both go."""
    before = case.registers
    for number, (mine, other) in enumerate(zip(case.chains["mayday"], case.chains[peer])):
        if isinstance(mine, str) or isinstance(other, str):
            different = "the end" if isinstance(mine, str) != isinstance(other, str) else ""
        else:
            different = ", ".join(name for name in REGISTERS
                                  if name in other and mine[name] != other[name])
        if different:
            address = before["eip"] - (number > 0) - BASE
            return (OVERLAP if records.cross(address) else different), number
        before = mine
    return None


def with_names(path):
    """A copy of a symbol file whose programs name all registers: Breakpad does not know the numbers that
    Microsoft's compiler writes, and loses what is saved under them."""
    with open(path, encoding="utf-8", errors="replace") as file:
        lines = [re.sub(r"\$2[0-4]\b", lambda found: NUMBERED[found[0]], line)
                 if line.startswith("STACK WIN ") else line for line in file]
    copy = tempfile.NamedTemporaryFile("w", suffix=".sym", delete=False)
    atexit.register(os.remove, copy.name)
    with copy:
        copy.writelines(lines)
    return copy.name


def compare(path, rows):
    """Prints how many threads are walked alike, and returns whether all are."""
    records, rules = Records(path), OwnRules(rows)
    if not records.records:
        print(f"{os.path.basename(path)}: no STACK WIN records")
        return True
    chance = random.Random(5)
    end = max(record.end for record in records.records)
    size = (end + 0xffff) // 0x10000 * 0x10000
    memory = Memory(BASE, words(chance, records.records, size // 4))
    cases = []
    for record in records.records:
        for address in {record.start, record.start + record.size // 2, record.end - 1}:
            # The stack grows: later frames lie higher.
            place = BASE + chance.randrange(0, size // 4) // 4 * 4
            registers = {name: BASE + chance.randrange(size // 4, size // 2) // 4 * 4 for name in REGISTERS}
            cases.append(Case(dict(registers, eip=BASE + address, esp=place)))
    theirs = [[]] * len(cases)
    if re.fullmatch("[0-9A-F]{33,40}", records.module[3]):
        theirs = breakpad.walk(
            with_names(path), [case.registers for case in cases], memory,
            (records.module[3], records.module[4], BASE, size))
    else:
        print(f"{os.path.basename(path)}: no minidump can have its id, so Breakpad is not asked")
    for case, frames in zip(cases, theirs):
        case.chains = {
            "mayday": chain(case.registers, by_rules(rules, memory)),
            "interpreter": chain(case.registers, plainly(records, memory)),
            "breakpad": [{name: int(value, 16) for name, value in registers.items()}
                         for trust, registers in frames[1:] if trust == "cfi"][:FRAMES]}
    good = True
    for peer in ("interpreter", "breakpad") if any(theirs) else ("interpreter",):
        kinds, examples, compared = Counter(), {}, 0
        for case in cases:
            compared += min(len(case.chains["mayday"]), len(case.chains[peer]))
            found = classify(case, peer, records)
            if found:
                kinds[found[0]] += 1
                examples.setdefault(found[0], (case, found[1]))
        alike = len(cases) - sum(kinds.values())
        print(f"{os.path.basename(path)}, {peer}: {len(records.records)} records, {len(cases)} threads, "
              f"{compared} frames, {100 * alike / len(cases):.2f} % alike")
        for kind, (case, number) in list(examples.items())[:SHOWN]:
            if kind == OVERLAP:
                print(f"  {kind} ({kinds[kind]})")
                continue
            good = False
            before = case.registers if number == 0 else case.chains["mayday"][number - 1]
            record = records.at(before["eip"] - (number > 0) - BASE)
            print(f"  {kind} ({kinds[kind]}), frame {number + 1}: {record and vars(record)}")
            print(f"    from {hexadecimal(before)}")
            for walker in ("mayday", "interpreter", "breakpad"):
                frames = case.chains[walker]
                print(f"    {walker}: {hexadecimal(frames[number]) if number < len(frames) else 'nothing'}")
    return good


def hexadecimal(registers):
    if isinstance(registers, str):
        return registers
    return " ".join(f"{name}={value:x}" for name, value in registers.items())
