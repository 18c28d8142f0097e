#!/usr/bin/env python3
"""Copies a core without the pages of zeros in it. Where the core lists mapped files only the memory that has a
thread's stack, and the beginnings of ELF files, are copied; elsewhere the loader's list is needed, too.

    trim-core.py CORE OUT

The addresses stay listed, as those that coredump_filter leaves out.
"""

import struct
import sys

PAGE = 4096
LOAD, NOTE = 1, 4
STATUS, FILES = 1, 0x46494C45
# Where the stack pointer is among the registers, by processor: x86-64, 64-bit Arm.
STACK_POINTER = {62: 19, 183: 31}

data = open(sys.argv[1], "rb").read()
assert data[:6] == b"\x7fELF\x02\x01", "not a 64-bit little-endian ELF file"
machine, = struct.unpack_from("<H", data, 18)
table, = struct.unpack_from("<Q", data, 32)
count, = struct.unpack_from("<H", data, 56)
segments = [struct.unpack_from("<IIQQQQQQ", data, table + 56 * index) for index in range(count)]
notes = next(data[s[2]:s[2] + s[5]] for s in segments if s[0] == NOTE)

pointers, place, has_files = [], 0, False
while place + 12 <= len(notes):
    name, size, kind = struct.unpack_from("<III", notes, place)
    place += 12 + (name + 3 & ~3)
    has_files = has_files or kind == FILES
    if kind == STATUS:
        pointers.append(struct.unpack_from("<Q", notes, place + 112 + 8 * STACK_POINTER[machine])[0])
    place += size + 3 & ~3

kept = []
for kind, flags, offset, address, _, size, memory, alignment in segments:
    if kind != LOAD:
        continue
    is_needed = (not has_files or any(address <= pointer < address + memory for pointer in pointers)
                 or data[offset:offset + 4] == b"\x7fELF")
    start, pages = address, b""
    end = address + memory
    for page in range(address, address + size, PAGE):
        content = data[offset + page - address:offset + min(page - address + PAGE, size)]
        if is_needed and content.strip(b"\0"):
            if not pages and start < page:
                kept.append((flags, start, b"", page - start))
                start = page
            pages += content
        elif pages:
            kept.append((flags, start, pages, page - start))
            start, pages = page, b""
    kept.append((flags, start, pages, end - start))

out = bytearray(data[:64])
struct.pack_into("<Q", out, 32, 64)
struct.pack_into("<Q", out, 40, 0)
struct.pack_into("<HHH", out, 56, len(kept) + 1, 0, 0)
struct.pack_into("<H", out, 62, 0)
place = 64 + 56 * (len(kept) + 1)
out += struct.pack("<IIQQQQQQ", NOTE, 0, place, 0, 0, len(notes), 0, 4)
place += len(notes)
for flags, start, pages, memory in kept:
    out += struct.pack("<IIQQQQQQ", LOAD, flags, place, start, 0, len(pages), memory, 1)
    place += len(pages)
out += notes + b"".join(pages for _, _, pages, _ in kept)
open(sys.argv[2], "wb").write(out)
