#!/usr/bin/env python3
"""Writes of a 64-bit ELF file what the walk of a stack needs: its build id and unwind rules.

    rules.py FILE OUT [--debug]

With --debug symbols and debug information, too.

All sections stay listed; those that are left out become NOBITS, as objcopy --only-keep-debug does it, which
however leaves out the unwind rules, too. Exported names are left out: reports of other folders, whose frames in
the library have no names, stay as they are.
"""

import struct
import sys

KEPT = {".note.gnu.build-id", ".eh_frame", ".shstrtab"}
DEBUG = (".debug_", ".symtab", ".strtab") if "--debug" in sys.argv else ()
NOBITS = 8
HEADER, SEGMENT, SECTION = 64, 56, 64

data = open(sys.argv[1], "rb").read()
assert data[:6] == b"\x7fELF\x02\x01", "not a 64-bit little-endian ELF file"
segments_at, sections_at = struct.unpack_from("<QQ", data, 32)
segments, section_count, names_index = (struct.unpack_from("<H", data, at)[0] for at in (56, 60, 62))

out = bytearray(data[:HEADER])
struct.pack_into("<Q", out, 32, HEADER)
out += data[segments_at : segments_at + segments * SEGMENT]

sections = [bytearray(data[sections_at + i * SECTION :][:SECTION]) for i in range(section_count)]
names_at = struct.unpack_from("<Q", sections[names_index], 24)[0]
for section in sections:
    name_at = names_at + struct.unpack_from("<I", section)[0]
    name = data[name_at : data.index(b"\0", name_at)].decode()
    kind = struct.unpack_from("<I", section, 4)[0]
    start, size = struct.unpack_from("<QQ", section, 24)
    out += bytes(-len(out) % 8)
    struct.pack_into("<Q", section, 24, len(out))
    if name in KEPT or name.startswith(DEBUG):
        out += data[start : start + size]
    elif kind != 0:
        struct.pack_into("<I", section, 4, NOBITS)
out += bytes(-len(out) % 8)
struct.pack_into("<Q", out, 40, len(out))
for section in sections:
    out += section
open(sys.argv[2], "wb").write(out)
