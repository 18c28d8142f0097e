"""The rules of `mayday symbols unwind --ndjson`, applied to registers and memory."""
import bisect

from .stackwin import MASK, REGISTERS, Failure

# Numbers of DWARF for 32-bit x86.
NUMBERS = {4: "esp", 5: "ebp", 3: "ebx", 6: "esi", 7: "edi", 8: "eip", 0: "eax", 1: "ecx", 2: "edx"}


class OwnRules:
    def __init__(self, rows):
        self.rows = rows
        self.starts = [int(row["address"], 16) for row in rows]

    def at(self, address):
        index = bisect.bisect_right(self.starts, address) - 1
        return self.rows[index] if index >= 0 and address < int(self.rows[index]["end"], 16) else None

    @staticmethod
    def caller(row, registers, memory, callee_parameters):
        """The registers of the caller; those without a rule are as they were."""

        def expression(text, *stack):
            return evaluate(text, list(stack), registers, memory, callee_parameters)

        cfa = row["cfa"]
        if "expression" in cfa:
            frame = expression(cfa["expression"])
        elif "offset" in cfa:
            frame = (registers[NUMBERS[cfa["number"]]] + cfa["offset"]) & MASK
        else:
            raise Failure("no rule")
        result = dict(registers, esp=frame)
        for rule in row["rules"]:
            kind, name = rule["rule"], NUMBERS[rule["number"]]
            if kind in ("saved", "value"):
                place = frame + rule["offset"] if "offset" in rule else \
                    expression(rule["expression"], frame)
                result[name] = memory.word(place) if kind == "saved" else place & MASK
            elif kind == "register":
                result[name] = registers[NUMBERS[rule["in_number"]]]
            elif kind != "same":
                raise Failure(f"{name} is lost")
        return {name: result[name] for name in REGISTERS}


def evaluate(text, stack, registers, memory, callee_parameters):
    """An expression in the words that the command prints: DWARF's, and three more. The frame address is
    what the stack begins with."""
    frame = stack[0] if stack else 0
    for word in text.split(", "):
        name, *operands = word.split()
        numbers = [int(operand, 0) for operand in operands]
        if name.startswith("breg"):
            stack.append(registers[NUMBERS[int(name[4:])]] + numbers[0])
        elif name in ("consts", "constu"):
            stack.append(numbers[0])
        elif name == "plus_uconst":
            stack[-1] += numbers[0]
        elif name == "callee_params":
            stack.append(callee_parameters)
        elif name == "cfa":
            stack.append(frame)
        elif name == "deref":
            stack[-1] = memory.word(stack[-1])
        else:
            right, left = stack.pop(), stack.pop()
            stack.append({
                "plus": lambda: left + right, "minus": lambda: left - right,
                "mul": lambda: left * right, "and": lambda: left & right,
                "udiv": lambda: left // right, "umod": lambda: left % right}[name]())
        stack[-1] &= MASK
    return stack[-1]
