"""A Breakpad symbol file that is made up: STACK WIN records in the forms that Microsoft's compiler writes, one
inside the other, and programs that use every operator."""
import random

# What a program does; numbers in braces are multiples of four.
PROGRAMS = [
    "$T0 .raSearch = $eip $T0 ^ = $esp $T0 4 + =",
    "$T0 $ebp = $eip $T0 4 + ^ = $ebp $T0 ^ = $esp $T0 8 + =",
    "$T0 $ebp = $T2 $esp = $T1 .raSearchStart = $eip $T1 ^ = $ebp $T0 = $esp $T1 4 + =",
    "$T0 $ebp {0} + = $eip $T0 4 + ^ = $ebp $T0 ^ = $esp $T0 8 + =",
    "$T1 .raSearch = $T0 $T1 4 - 8 @ = $ebp $T1 4 - ^ = $eip $T1 ^ = $esp $T1 4 + =",
    "$T0 $ebp {0} + =$eip $T0 4 + ^ =$esp $T0 8 + =",
    "$T0 $esp .cbLocals + .cbSavedRegs + .cbCalleeParams + = $eip $T0 ^ = $esp $T0 4 + .cbParams + =",
    "$T0 $esp 4 * 3 / 7 % 4 * $esp + = $eip $T0 ^ = $esp $T0 4 + =",
    "$T0 $ebp = $eip $T0 4 + ^ = $esp $T0 8 + = $ebp $T0 ^ ^ =",
]
# Registers by their numbers, as the compiler has them, or their names.
SAVED = [("$20", "$ebx"), ("$23", "$esi"), ("$24", "$edi")]


def program(chance):
    text = chance.choice(PROGRAMS).format(4 * chance.randrange(1, 60))
    saved = [chance.choice(names) for names in chance.sample(SAVED, chance.randrange(4))]
    if "$ebp" not in text and chance.random() < 0.3:
        saved.append("$22")
    for place, name in enumerate(saved):
        text += f"  {name} $T0 {4 * place + 4 * chance.randrange(8) + 4} - ^ ="
    return text


def record(chance, start, size):
    numbers = [chance.randrange(8), 0] + [4 * chance.randrange(8) for _ in range(3)] + [0]
    head = f"{start:x} {size:x} " + " ".join(f"{number:x}" for number in numbers)
    if chance.random() < 0.3:
        return f"STACK WIN 0 {head} 0 {chance.randrange(2)}"
    return f"STACK WIN 4 {head} 1 {program(chance)}"


def file(path, count=400):
    """Writes one with so many functions."""
    chance, place = random.Random(3), 0x1000
    lines = ["MODULE windows x86 0123456789ABCDEF0123456789ABCDEF1 made.pdb"]
    for _ in range(count):
        size = chance.randrange(16, 256)
        start, end = place, place + size
        # A record for the whole function, and smaller ones from where more was pushed.
        while end - start > 4 and len(lines) < 10 * count:
            lines.append(record(chance, start, end - start))
            if chance.random() < 0.4:
                break
            start, end = start + chance.randrange(1, 8), end - chance.randrange(8)
        place += size + chance.randrange(32)
    # One that is told twice, and two of which one goes further than the other.
    lines += [f"STACK WIN 4 {place:x} 40 0 0 4 4 {locals:x} 0 1 {PROGRAMS[0]}" for locals in (4, 8)]
    lines += [f"STACK WIN 4 {place + start:x} 40 0 0 4 4 4 0 1 {PROGRAMS[0]}" for start in (0x100, 0x120)]
    with open(path, "w", encoding="utf-8") as out:
        out.write("\n".join(lines) + "\n")
