"""Run by gdb, with a program stopped by a signal in qemu: writes a core file of it to $WALK_CORE, since qemu writes
none for some processors.

Threads and registers, the list of mapped files, their first pages, and stacks.
"""
import os
import struct

import gdb

REGISTERS = {
    "riscv:rv64": ("pc ra sp gp tp t0 t1 t2 fp s1 a0 a1 a2 a3 a4 a5 a6 a7"
                   " s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 t3 t4 t5 t6").split(),
}
MACHINE = {"riscv:rv64": 243}
MOST_OF_A_STACK = 1 << 20


def note(kind, content):
    content += bytes(-len(content) % 4)
    return struct.pack("<III", 5, len(content), kind) + b"CORE\0\0\0\0" + content


def page(inferior, address):
    try:
        return bytes(inferior.read_memory(address, 4096))
    except gdb.error:
        return None


def stack(inferior, pointer):
    start, pages = pointer & ~4095, []
    # One that overflowed points below its memory.
    if page(inferior, start) is None:
        start += 4096
    while len(pages) * 4096 < MOST_OF_A_STACK:
        found = page(inferior, start + len(pages) * 4096)
        if found is None:
            break
        pages.append(found)
    return start, b"".join(pages)


def stack_pointers(frame):
    pointers = []
    while frame is not None and len(pointers) < 400:
        pointers.append(int(frame.read_register("sp")) & (1 << 64) - 1)
        try:
            frame = frame.older()
        except gdb.error:
            break
    return pointers


def mapped(program):
    """Where each file lies, from what gdb knows of its sections."""
    ends = {}
    for line in gdb.execute("info files", to_string=True).splitlines():
        words = line.split()
        if len(words) < 5 or words[1] != "-" or words[3] != "is":
            continue
        path = words[6] if len(words) > 6 and words[5] == "in" else program
        start, end = int(words[0], 16), int(words[2], 16)
        known = ends.get(path, (start, end))
        ends[path] = (min(known[0], start) & ~4095, max(known[1], end) + 4095 & ~4095)
    return [(start, end, path) for path, (start, end) in sorted(ends.items(), key=lambda item: item[1])]


def write(path):
    inferior = gdb.selected_inferior()
    architecture = gdb.newest_frame().architecture().name()
    program = os.path.realpath(gdb.current_progspace().filename)
    notes, parts = b"", {}
    for thread in sorted(inferior.threads(), key=lambda thread: not thread.ptid == gdb.selected_thread().ptid):
        thread.switch()
        frame = gdb.newest_frame()
        values = [int(frame.read_register(name)) & (1 << 64) - 1 for name in REGISTERS[architecture]]
        status = struct.pack("<IIIHHQQIIII", 11, 0, 0, 11, 0, 0, 0, thread.ptid[1], 0, 0, 0)
        status += bytes(112 - len(status)) + struct.pack(f"<{len(values)}Q", *values) + bytes(8)
        notes += note(1, status)
        # Below a signal another stack may go on.
        for pointer in stack_pointers(frame):
            if not any(start <= pointer < start + len(part[0]) for start, part in parts.items()):
                start, content = stack(inferior, pointer)
                parts[start] = (content, 6)
    places = mapped(program)
    notes += note(0x46494c45, struct.pack("<QQ", len(places), 4096)
                  + b"".join(struct.pack("<QQQ", start, end, 0) for start, end, _ in places)
                  + b"".join(path.encode() + b"\0" for _, _, path in places))
    for start, end, _ in places:
        # Without their bytes, but for the first page: the code is in the files.
        parts[start] = (page(inferior, start) or b"", 5, end - start)
    place = 64 + 56 * (len(parts) + 1)
    headers = struct.pack("<IIQQQQQQ", 4, 0, place, 0, 0, len(notes), 0, 4)
    place += len(notes)
    for start, (content, flags, *size) in sorted(parts.items()):
        headers += struct.pack("<IIQQQQQQ", 1, flags, place, start, 0, len(content), size[0] if size else len(content), 1)
        place += len(content)
    with open(path, "wb") as file:
        file.write(b"\x7fELF\2\1\1" + bytes(9))
        file.write(struct.pack("<HHIQQQIHHHHHH", 4, MACHINE[architecture], 1, 0, 64, 0, 0, 64, 56, len(parts) + 1, 0, 0, 0))
        file.write(headers + notes)
        for _, (content, *_) in sorted(parts.items()):
            file.write(content)


write(os.environ["WALK_CORE"])
