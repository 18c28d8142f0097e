#!/usr/bin/env python3
"""Files of 1 MB that are made to cost as much as they can, and what they cost.

  scripts/attack/hostile.py [--mayday PROGRAM] [--keep DIR] [NAME...]

Each debug file is read by `lookup`, by `symbols compile` and, where it has unwind rules, by `symbols
unwind`; each archive by `triage`. Prints the processor time and the most memory of each; fails where 1 MB
costs more than 1 s or 100 MB. Each archive inside another is read by a process of its own: an archive may also
take the time that this machine needs to start as many as are opened in a file of its size.
"""

import argparse
import gzip
import io
import lzma
import os
import resource
import struct
import subprocess
import sys
import tarfile
import tempfile
import zipfile
import zlib
from random import Random

SIZE = 1 << 20
SECONDS = 1.0
MEMORY = 100 << 20
CASES = {}
ARCHIVES = set()
# The archives that are opened in a file, and one more for each KiB of it, as docs/operate/security.md has them.
OPENED = 1_000
# Of what comes out of an archive, 100 MB cost as much as 1 MB of a file.
UNPACKED = {"zeros-in-gzips-in-zip": 4}


def archive(function):
    """A file for `triage`."""
    ARCHIVES.add(function.__name__.replace("_", "-"))
    return case(function)


def case(function):
    CASES[function.__name__.replace("_", "-")] = function
    return function


def uleb(value):
    out = bytearray()
    while True:
        byte = value & 0x7F
        value >>= 7
        out.append(byte | (0x80 if value else 0))
        if not value:
            return bytes(out)


def u16(*values):
    return struct.pack("<%dH" % len(values), *values)


def u32(*values):
    return struct.pack("<%dI" % len(values), *values)


def u64(*values):
    return struct.pack("<%dQ" % len(values), *values)


# ELF and DWARF


def elf(sections, symbols=None, names=b"\0", kind=2, note=True):
    """An ELF file of x86-64; sections are (name, bytes), or (name, bytes, flags, address, type)."""
    table = [("", b"", 0, 0, 0, 0, 0, 0)]
    table.append((".text", b"", 6, 0x1000, 8, 0, 0, 0x0FFF0000))
    if note:
        table.append((".note.gnu.build-id", u32(4, 8, 3) + b"GNU\0" + b"\x11" * 8, 2, 0x200, 7, 0, 0, 0))
    for section in sections:
        name, data, flags, address, type_ = (tuple(section) + (0, 0, 1))[:5] if len(section) == 2 else section
        table.append((name, data, flags, address, type_, 0, 0, 0))
    if symbols is not None:
        table.append((".strtab", names, 0, 0, 3, 0, 0, 0))
        table.append((".symtab", symbols, 0, 0, 2, len(table) - 1, 0, 0))
    text = b"\0"
    offsets = []
    for entry in table:
        offsets.append(len(text) if entry[0] else 0)
        if entry[0]:
            text += entry[0].encode() + b"\0"
    offsets.append(len(text))
    text += b".shstrtab\0"
    table.append((".shstrtab", text, 0, 0, 3, 0, 0, 0))
    body = bytearray()
    start = 64 + 56
    headers = b""
    for place, (name, data, flags, address, type_, link, info, size) in zip(offsets, table):
        size = size or len(data)
        entry = 24 if type_ == 2 else 0
        headers += struct.pack(
            "<IIQQQQIIQQ", place, type_, flags, address, start + len(body), size, link, info, 1, entry)
        body += data
    head = b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack(
        "<HHIQQQIHHHHHH", kind, 62, 1, 0x1000, 64, start + len(body), 0, 64, 56, 1, 64, len(table),
        len(table) - 1)
    load = struct.pack("<IIQQQQQQ", 1, 5, 0, 0, 0, 0x10000000, 0x10000000, 4096)
    return head + load + bytes(body) + headers


def abbreviation(code, tag, children, attributes):
    out = uleb(code) + uleb(tag) + bytes([children])
    for name, form in attributes:
        if isinstance(form, tuple):
            out += uleb(name) + uleb(form[0]) + sleb(form[1])
        else:
            out += uleb(name) + uleb(form)
    return out + b"\0\0"


def sleb(value):
    out = bytearray()
    while True:
        byte = value & 0x7F
        value >>= 7
        if (value == 0 and not byte & 0x40) or (value == -1 and byte & 0x40):
            out.append(byte)
            return bytes(out)
        out.append(byte | 0x80)


def unit(entries, abbreviations=0, version=4):
    if version >= 5:
        body = u16(version) + b"\x01\x08" + u32(abbreviations) + entries
    else:
        body = u16(version) + u32(abbreviations) + b"\x08" + entries
    return u32(len(body)) + body


def repeat(piece, size):
    return piece * max(1, size // len(piece))


ROOT = abbreviation(1, 0x11, 1, [(0x11, 0x01)])
ROOT_DATA = b"\x01" + u64(0)


@case
def one_abbreviation_table_many_units():
    """Small units that all want the last abbreviation of a long table."""
    table = bytearray()
    for code in range(2, 60000):
        table += abbreviation(code, 0x34, 0, [])
        if len(table) > SIZE // 2:
            break
    table += abbreviation(1, 0x11, 0, [(0x11, 0x01), (0x12, 0x07)]) + b"\0"
    return elf([(".debug_info", repeat(unit(b"\x01" + u64(0x2000, 0)), SIZE // 2)),
                (".debug_abbrev", bytes(table))])


@case
def overlapping_abbreviation_tables():
    """Units whose tables begin one abbreviation later each."""
    one = abbreviation(1, 0x11, 0, [])
    table = repeat(one, SIZE // 2) + b"\0"
    info = bytearray()
    place = 0
    while len(info) < SIZE // 2:
        info += unit(b"\x01", place)
        place = (place + len(one)) % (len(table) - 8)
    return elf([(".debug_info", bytes(info)), (".debug_abbrev", table)])


@case
def attributes_without_bytes():
    """Entries of one byte with thousands of attributes that take none."""
    wide = [(0x03, 0x19)] * 4000
    table = ROOT + abbreviation(2, 0x2E, 0, [(0x55, 0x19)] + wide) + b"\0"
    return elf([(".debug_info", unit(ROOT_DATA + b"\x02" * (SIZE - len(table) - 2000))),
                (".debug_abbrev", table)])


@case
def origin_chains():
    """Functions of one byte whose name is sixteen origins away."""
    wide = [(0x3A, 0x19)] * 200
    table = bytearray(abbreviation(1, 0x11, 1, [(0x11, 0x01)]))
    table += abbreviation(2, 0x2E, 0, [(0x55, 0x17), (0x31, 0x13)] + wide)
    table += abbreviation(3, 0x2E, 0, [(0x31, 0x13)] + wide) + b"\0"
    entries = bytearray(ROOT_DATA)
    start = 11
    places = []
    while len(entries) < SIZE // 2:
        places.append(start + len(entries))
        entries += b"\x03" + u32(places[-2] if len(places) > 1 else places[-1])
    index = 0
    while len(entries) < SIZE - 8192:
        index += 1
        entries += b"\x02" + u32(0) + u32(places[-1 - index % (len(places) - 20)])
    ranges = u64(0x2000, 0x3000, 0, 0)
    return elf([(".debug_info", unit(bytes(entries))), (".debug_abbrev", bytes(table)),
                (".debug_ranges", ranges)])


def shared_ranges(count, root):
    pairs = b"".join(u64(0x2000 + i * 16, 0x2008 + i * 16) for i in range(count)) + u64(0, 0)
    table = abbreviation(1, 0x11, 1, [(0x55, 0x17), (0x11, 0x01)])
    table += abbreviation(2, 0x2E, 0, [(0x55, 0x17)]) + b"\0"
    head = b"\x01" + u32(0) + u64(0)
    if root:
        info = repeat(unit(head), SIZE - len(pairs) - 4096)
    else:
        info = unit(head + repeat(b"\x02" + u32(0), SIZE - len(pairs) - 4096))
    return elf([(".debug_info", info), (".debug_abbrev", table), (".debug_ranges", pairs)])


@case
def shared_range_list_of_functions():
    """Many functions with one long list of ranges."""
    return shared_ranges(20000, False)


@case
def shared_range_list_of_units():
    """Many units with one long list of ranges."""
    return shared_ranges(20000, True)


@case
def overlapping_pieces():
    """Thousands of functions that lie over each other, and pieces that go below them all."""
    table = abbreviation(1, 0x11, 1, [(0x11, 0x01)])
    table += abbreviation(2, 0x1D, 0, [(0x11, 0x01), (0x12, 0x06)])
    table += abbreviation(3, 0x1D, 0, [(0x55, 0x17)]) + b"\0"
    entries = bytearray(ROOT_DATA)
    lists = bytearray()
    for i in range((SIZE // 2) // 16):
        lists += u64(0x4000 + i * 8, 0x0F000000)
    lists += u64(0, 0)
    entries += b"\x03" + u32(0)
    for i in range(4090):
        entries += b"\x02" + u64(0x2000 + i) + u32(0x0E000000)
    while len(entries) + len(lists) < SIZE - 4096:
        entries += b"\x03" + u32(0)
    return elf([(".debug_info", unit(bytes(entries))), (".debug_abbrev", table),
                (".debug_ranges", bytes(lists))])


@case
def overlapping_pieces_that_end():
    """The same where one ends for each that is put below the others."""
    table = abbreviation(1, 0x11, 1, [(0x11, 0x01)])
    table += abbreviation(2, 0x1D, 0, [(0x11, 0x01), (0x12, 0x06)]) + b"\0"
    entries = bytearray(ROOT_DATA)
    count = (SIZE - 8192) // 13
    # The later an entry, the earlier it begins: each goes below all that are open.
    for i in range(count):
        begin = 0x2000 + (count - i) * 4
        entries += b"\x02" + u64(begin) + u32(4 * 4000)
    return elf([(".debug_info", unit(bytes(entries))), (".debug_abbrev", table)])


@case
def colliding_claims():
    """Functions whose places fall on one slot of the table of claims."""
    prime = 0x9E3779B97F4A7C15
    inverse = pow(prime, -1, 1 << 64)
    table = abbreviation(1, 0x11, 1, [(0x11, 0x01)])
    table += abbreviation(2, 0x2E, 0, [(0x11, 0x01), (0x12, 0x01)]) + b"\0"
    entries = bytearray(ROOT_DATA)
    # hash >> 24 & mask is the slot, so bits 24 to 45 stay 0; the others are free.
    free = 0
    while len(entries) < SIZE - 8192:
        free += 1
        low = free & 0xFFFFFF
        high = free >> 24
        for top in range(16):
            key = ((top << 46 | high << 50 | low) * inverse) & ((1 << 64) - 1)
            start = key >> 32
            end = (key & 0xFFFFFFFF) ^ start
            if 0x1000 <= start < end < 0x10000000:
                entries += b"\x02" + u64(start, end)
        if free > 1 << 22:
            break
    return elf([(".debug_info", unit(bytes(entries))), (".debug_abbrev", table)])


@case
def many_functions():
    """A function of one byte each, without a name."""
    table = abbreviation(1, 0x11, 1, [(0x11, 0x01)])
    table += abbreviation(2, 0x2E, 0, [(0x55, (0x21, 0))]) + b"\0"
    lists = b"\x06" + u64(0x2000, 0x3000) + b"\0"
    head = ROOT_DATA
    return elf([(".debug_info", unit(head + b"\x02" * (SIZE - 2000), version=5)),
                (".debug_abbrev", table), (".debug_rnglists", lists)])


@case
def inline_depth():
    """Calls inlined into each other as deep as the file reaches, over and over."""
    table = abbreviation(1, 0x11, 1, [(0x11, 0x01)])
    table += abbreviation(2, 0x1D, 1, [(0x55, (0x21, 0))])
    table += abbreviation(3, 0x2E, 1, [(0x55, (0x21, 0))]) + b"\0"
    lists = b"\x06" + u64(0x2000, 0x3000) + b"\0"
    tree = b"\x03" + b"\x02" * 1900 + b"\0" * 1901
    head = ROOT_DATA
    return elf([(".debug_info", unit(head + repeat(tree, SIZE - 2000), version=5)),
                (".debug_abbrev", table), (".debug_rnglists", lists)])


@case
def entries_deep():
    """Entries within each other, one level a byte."""
    table = abbreviation(1, 0x11, 1, [(0x11, 0x01)])
    table += abbreviation(2, 0x0B, 1, []) + b"\0"
    return elf([(".debug_info", unit(ROOT_DATA + b"\x02" * (SIZE - 2000))), (".debug_abbrev", table)])


def line_table(program, version=4, tables=b"\0a\0\0\0\0\0", base=13):
    lengths = bytes([0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1])[: base - 1]
    head = b"\x01\x01\x01\xfb\x0e" + bytes([base]) + lengths + tables
    body = u16(version) + (b"\x08\0" if version >= 5 else b"") + u32(len(head)) + head + program
    return u32(len(body)) + body


def lines_alone(table, units=None):
    abbreviations = abbreviation(1, 0x11, 0, [(0x10, 0x17), (0x11, 0x01), (0x1B, 0x08)]) + b"\0"
    info = units or unit(b"\x01" + u32(0) + u64(0) + b"/x\0")
    return elf([(".debug_info", info), (".debug_abbrev", abbreviations), (".debug_line", table)])


START = b"\0\x09\x02" + u64(0x2000)


@case
def line_rows():
    """A row of the line table for each byte."""
    return lines_alone(line_table(START + bytes([0x21, 0x2F]) * ((SIZE - 4096) // 2) + b"\0\x01\x01"))


@case
def line_sequences():
    """Sequences as short as they get."""
    one = b"\x03\x01\x09\x10\0\x01\x02\x02\0\x01\x01"
    return lines_alone(line_table(repeat(START + one, SIZE - 4096)))


@case
def line_advances():
    """Advances over nearly all addresses, forth and back."""
    one = b"\x02" + uleb(0xFFFF0000) + b"\x01" + b"\x02" + uleb((1 << 64) - 0xFFFF0000) + b"\x01"
    return lines_alone(line_table(START + repeat(one, SIZE - 4096)))


@case
def line_tables_read_again():
    """Units that share a line table with a long head, each with a folder of its own."""
    files = b"\0" + b"".join(b"%d\0\0\0\0" % i for i in range(60000))[: SIZE // 2] + b"\0"
    table = line_table(START + b"\x21\0\x01\x01", tables=files)
    units = bytearray()
    for i in range(1 << 20):
        units += unit(b"\x01" + u32(0) + u64(0) + b"/%d\0" % i)
        if len(units) > SIZE // 2 - 4096:
            break
    return lines_alone(table, bytes(units))


@case
def line_entries_without_bytes():
    """File entries of version 5 with many fields that take no bytes."""
    fields = b"\xff" + (b"\x05\x19" * 255)
    count = 700000
    files = b"\x01\x01\x08" + b"\x01/\0" + fields + uleb(count) + bytes(count)
    table = line_table(START + b"\x21\0\x01\x01", version=5, tables=files)
    units = bytearray()
    for i in range(1 << 20):
        units += unit(b"\x01" + u32(0) + u64(0) + b"/%d\0" % i)
        if len(units) > SIZE - len(table) - 4096:
            break
    return lines_alone(table, bytes(units))


@case
def line_entries_of_many_fields():
    """The same with one byte in each entry."""
    fields = b"\xff" + b"\x01\x0b" + (b"\x05\x19" * 254)
    count = 700000
    files = b"\x01\x01\x08" + b"\x01/\0" + fields + uleb(count) + bytes(count)
    table = line_table(START + b"\x21\0\x01\x01", version=5, tables=files)
    units = bytearray()
    for i in range(1 << 20):
        units += unit(b"\x01" + u32(0) + u64(0) + b"/%d\0" % i)
        if len(units) > SIZE - len(table) - 4096:
            break
    return lines_alone(table, bytes(units))


@case
def long_paths():
    """Rows of many files with names that share their bytes."""
    count = 60000
    text = b"a" * (SIZE // 4) + b"\0"
    fields = b"\x01\x01\x1f"
    files = b"\x01\x01\x08" + b"\x01/\0" + fields + uleb(count)
    files += b"".join(u32(i) for i in range(count))
    program = bytearray(START)
    for i in range(count):
        program += b"\x04" + uleb(i) + b"\x21"
        if len(program) > SIZE // 2 - 8192 - 60000:
            break
    abbreviations = abbreviation(1, 0x11, 0, [(0x10, 0x17), (0x11, 0x01), (0x1B, 0x08)]) + b"\0"
    return elf([(".debug_info", unit(b"\x01" + u32(0) + u64(0) + b"/x\0")),
                (".debug_abbrev", abbreviations),
                (".debug_line", line_table(bytes(program) + b"\0\x01\x01", 5, files)),
                (".debug_line_str", text)])


@case
def overlapping_names():
    """Functions whose names begin a byte later each in one long text."""
    table = abbreviation(1, 0x11, 1, [(0x11, 0x01)])
    table += abbreviation(2, 0x2E, 0, [(0x03, 0x0E), (0x11, 0x01), (0x12, 0x0B)]) + b"\0"
    text = b"a" * (SIZE // 3) + b"\0"
    entries = bytearray(ROOT_DATA)
    i = 0
    while len(entries) + len(text) < SIZE - 4096:
        entries += b"\x02" + u32(i) + u64(0x2000 + i * 4) + b"\x04"
        i += 1
    return elf([(".debug_info", unit(bytes(entries))), (".debug_abbrev", table), (".debug_str", text)])


@case
def overlapping_symbols():
    """The same in a symbol table."""
    names = b"\0" + b"a" * (SIZE // 3) + b"\0"
    count = (SIZE - len(names) - 4096) // 24
    symbols = b"".join(
        struct.pack("<IBBHQQ", 1 + i, 18, 0, 1, 0x2000 + i * 4, 4) for i in range(count))
    return elf([], symbols, names)


@case
def mangled_names():
    """Symbols with short names that demangle to long ones."""
    parts = [b"\0"]
    symbols = bytearray()
    place = 1
    for i in range((SIZE - 4096) // 150):
        name = b"_Z1fI" + b"St4pairI" * 12 + b"ii" + b"ES_" * 4 + b"E" * 12 + b"v%d" % i
        parts.append(name + b"\0")
        symbols += struct.pack("<IBBHQQ", place, 18, 0, 1, 0x2000 + i * 4, 4)
        place += len(name) + 1
    return elf([], bytes(symbols), b"".join(parts))


@case
def symbols_within_each_other():
    """Symbols that all reach to the end."""
    count = (SIZE - 4096) // 24
    symbols = b"".join(
        struct.pack("<IBBHQQ", 1, 18, 0, 1, 0x2000 + i * 4, 0x0F000000) for i in range(count))
    return elf([], symbols, b"\0f\0")


@case
def compressed_zlib():
    """Debug sections that unpack to as much as deflate can."""
    size = 700 << 20
    packer = zlib.compressobj(9)
    data = bytearray()
    chunk = bytes(1 << 20)
    for _ in range(size >> 20):
        data += packer.compress(chunk)
    data += packer.flush()
    data = u32(1, 0) + u64(size, 1) + bytes(data)
    abbreviations = abbreviation(1, 0x11, 0, []) + b"\0"
    return elf([(".debug_info", unit(b"\x01")), (".debug_abbrev", abbreviations),
                (".debug_str", data, 0x800, 0, 1)])


@case
def compressed_zstd():
    """The same by zstd, whose ratio has no bound of its own: one run of 128 KB a block."""
    size = 4000 << 20
    frame = bytearray(u32(0xFD2FB528) + b"\xc0\x38" + u64(size))
    blocks = size // (128 << 10)
    for index in range(blocks):
        last = 1 if index == blocks - 1 else 0
        header = last | 1 << 1 | (128 << 10) << 3
        frame += struct.pack("<I", header)[:3] + b"\0"
    data = u32(2, 0) + u64(size, 1) + bytes(frame)
    abbreviations = abbreviation(1, 0x11, 0, []) + b"\0"
    return elf([(".debug_info", unit(b"\x01")), (".debug_abbrev", abbreviations),
                (".debug_str", data, 0x800, 0, 1)])


@case
def many_sections():
    """An ELF file of section headers."""
    count = (SIZE - 4096) // 64
    return elf([(".debug_info", b"")] * min(count, 15000))


@case
def relocations():
    """An object file whose relocations all change the same bytes."""
    info = unit(ROOT_DATA + bytes(64))
    abbreviations = ROOT + b"\0"
    count = (SIZE - 8192) // 24
    table = struct.pack("<QQq", 6, 1 << 32 | 10, 1) * count
    file = bytearray(elf([(".debug_info", info), (".debug_abbrev", abbreviations),
                          (".rela.debug_info", table, 0, 0, 4)],
                         struct.pack("<IBBHQQ", 0, 0, 0, 0, 0, 0) * 2, b"\0", kind=1))
    return bytes(file)


# Unwind rules


def eh_frame(entries):
    return elf([(".eh_frame", entries, 2, 0x100000, 1)])


def cie(instructions=b"", augmentation=b"\0", data=b""):
    body = u32(0) + b"\x01" + augmentation + b"\x01\x78\x10" + data + instructions
    body += b"\0" * (-len(body) % 4)
    return u32(len(body)) + body


@case
def frame_advances():
    """Call frame programs with a row for each byte or two."""
    out = bytearray(cie())
    size = 60000
    while len(out) < SIZE - 8192:
        place = len(out)
        body = u32(place + 4) + u64(0x2000 + place * 4, size) + (b"\x41\x0e\x10\x41\x0e\x18") * (size // 12)
        body += b"\0" * (-len(body) % 4)
        out += u32(len(body)) + body
    return eh_frame(bytes(out))


@case
def frame_shared_start():
    """Entries of a few bytes that share a start with a long program."""
    long = bytearray()
    for i in range(60000):
        long += b"\x0e" + bytes([i & 63])
    out = bytearray(cie(bytes(long)))
    while len(out) < SIZE - 8192:
        place = len(out)
        out += u32(20) + u32(place + 4) + u64(0x2000 + place, 4)
    return eh_frame(bytes(out))


@case
def frame_states():
    """Programs that remember and restore states with many registers."""
    head = b"".join(b"\x05" + uleb(i) + b"\x01" for i in range(0, 120))
    out = bytearray(cie(head))
    body = (b"\x0a\x41\x0b") * 5000
    while len(out) < SIZE - 32768:
        place = len(out)
        data = u32(place + 4) + u64(0x2000 + place * 2, 30000) + body
        data += b"\0" * (-len(data) % 4)
        out += u32(len(data)) + data
    return eh_frame(bytes(out))


# Mach-O


def macho(commands, tail=b"", kind=2):
    body = b"".join(commands)
    return u32(0xFEEDFACF, 0x0100000C, 0, kind, len(commands), len(body), 0, 0) + body + tail


def segment(name, address, size, offset, filesize, sections=b"", count=0):
    return u32(0x19, 72 + len(sections)) + name.ljust(16, b"\0") + u64(address, size, offset, filesize) + \
        u32(7, 5, count, 0) + sections


TEXT = segment(b"__TEXT", 0x100000000, 0x10000000, 0, 0x1000)
UUID = u32(0x1B, 24) + bytes(range(16))


@case
def macho_commands():
    """A Mach-O file of load commands."""
    return macho([TEXT, UUID] + [u32(0x1B, 8)] * ((SIZE - 4096) // 8))


@case
def macho_segments():
    """Segments that all lie over each other."""
    return macho([UUID] + [TEXT] * ((SIZE - 4096) // 72))


@case
def macho_function_starts():
    """Function starts of a byte each."""
    head = [TEXT, UUID, u32(0x26, 16, 4096, SIZE - 8192)]
    file = macho(head)
    return file + bytes(4096 - len(file)) + b"\x04" * (SIZE - 8192)


def macho_symbols(entries, names):
    head = [TEXT, UUID, u32(2, 24, 4096, len(entries) // 16, 4096 + len(entries), len(names))]
    file = macho(head)
    return file + bytes(4096 - len(file)) + entries + names


@case
def macho_debug_map():
    """A debug map of objects that are not there, each with a function."""
    names = b"\0" + b"/o" * 1000 + b".o\0_f\0"
    count = (SIZE - 8192 - len(names)) // 48
    function = len(names) - 3
    entries = b"".join(
        struct.pack("<IBBHQ", 1 + i % 1900, 0x66, 0, 1, 0)
        + struct.pack("<IBBHQ", function, 0x24, 1, 0, 0x100001000 + i * 4)
        + struct.pack("<IBBHQ", 0, 0x24, 0, 0, 4) for i in range(count))
    return macho_symbols(entries, names)


@case
def macho_overlapping_paths():
    """A debug map of objects whose paths begin a byte later each."""
    names = b"\0" + b"o" * (SIZE // 3) + b".o\0_f\0"
    count = (SIZE - 8192 - len(names)) // 48
    function = len(names) - 3
    entries = b"".join(
        struct.pack("<IBBHQ", 1 + i, 0x66, 0, 1, 0)
        + struct.pack("<IBBHQ", function, 0x24, 1, 0, 0x100001000 + i * 4)
        + struct.pack("<IBBHQ", 0, 0x24, 0, 0, 4) for i in range(count))
    return macho_symbols(entries, names)


@case
def universal_overlapping():
    """A universal file whose slices are all the same bytes."""
    count = 44
    names = b"\0_f\0"
    entries = struct.pack("<IBBHQ", 1, 0x0F, 1, 0, 0x100001000) * ((SIZE - 65536) // 16)
    slice_ = macho_symbols(entries, names)
    out = struct.pack(">II", 0xCAFEBABE, count)
    for i in range(count):
        out += struct.pack(">IIIII", 0x0100000C, i, 4096, len(slice_), 12)
    return out + bytes(4096 - len(out)) + slice_


@case
def compact_unwind():
    """Compact unwind pages that share their entries."""
    pages = (SIZE // 2) // 12
    index = 28
    second = index + pages * 12
    page = struct.pack("<IHHHH", 3, 12, 60000, 12, 0) + b"".join(
        u32(i * 4 & 0xFFFFFF) for i in range(60000))
    section = u32(1, 28, 0, 28, 0, index, pages)
    for i in range(pages):
        section += u32(0x1000 + i * 0x100, second, second)
    section += page
    entry = b"__unwind_info".ljust(16, b"\0") + b"__TEXT".ljust(16, b"\0") + u64(
        0x100010000, len(section)) + u32(4096, 2, 0, 0, 0, 0, 0, 0)
    file = macho([segment(b"__TEXT", 0x100000000, 0x10000000, 0, 0x200000, entry, 1), UUID])
    return file + bytes(4096 - len(file)) + section


# PE and PDB


def pdb(streams, order=None):
    """An MSF file; `order` gives for a stream the blocks that it names, for those that share some."""
    size = 512
    blocks = [b"", b"", b""]
    places = []
    for stream in streams:
        numbers = []
        for start in range(0, len(stream), size):
            numbers.append(len(blocks))
            blocks.append(stream[start:start + size].ljust(size, b"\0"))
        places.append(numbers)
    for stream, (length, numbers) in (order or {}).items():
        places[stream] = numbers
        streams[stream] = b"\0" * length
    directory = u32(len(streams)) + u32(*[len(s) for s in streams])
    for numbers in places:
        directory += u32(*numbers)
    first = len(blocks)
    count = (len(directory) + size - 1) // size
    directory_size = len(directory)
    directory = directory.ljust(count * size, b"\0")
    for start in range(0, len(directory), size):
        blocks.append(directory[start:start + size])
    map_ = u32(*range(first, first + count))
    map_block = len(blocks)
    for start in range(0, len(map_), size):
        blocks.append(map_[start:start + size].ljust(size, b"\0"))
    head = b"Microsoft C/C++ MSF 7.00\r\n\x1aDS\0\0\0" + u32(
        size, 1, len(blocks), directory_size, 0, map_block)
    blocks[0] = head.ljust(size, b"\0")
    blocks[1] = blocks[2] = bytes(size)
    return b"".join(blocks)


def section_headers():
    return b".text\0\0\0" + u32(0x0F000000, 0x1000, 0x0F000000, 0x400, 0, 0, 0, 0x60000020)


def dbi(modules, optional_sections):
    optional = u16(*[0xFFFF] * 5, optional_sections, *[0xFFFF] * 5)
    head = u32(0xFFFFFFFF, 19990903, 1) + u16(0xFFFF, 0, 0xFFFF, 0, 0xFFFF, 0)
    head += u32(len(modules), 0, 0, 0, 0, 0, len(optional), 0) + u16(0, 0x8664) + u32(0)
    return head + modules + optional


def info_stream():
    return u32(20000404, 1, 1) + bytes(range(16)) + u32(0, 0, 0, 0, 0)


def module(stream, symbols, lines, name=b"m"):
    out = bytes(34) + u16(stream) + u32(symbols, 0, lines) + bytes(16) + name + b"\0\0"
    return out + bytes(-len(out) % 4)


def record(kind, data):
    data = data + bytes(-(len(data) + 2) % 4)
    return u16(len(data) + 2, kind) + data


def function_record(offset, size, name=b"f"):
    return record(0x1110, u32(0, 0, 0, size, 0, 0, 0, offset) + u16(1) + b"\0" + name + b"\0")


def pdb_of(symbols, lines=b"", modules=1, types=b"", items=b""):
    stream = u32(4) + symbols + lines
    one = module(5, len(symbols) + 4, len(lines))
    return pdb([b"", info_stream(), types, dbi(one * modules, 6), items, stream, section_headers()])


@case
def pdb_functions():
    """Functions of a PDB as short as they get."""
    out = bytearray()
    i = 0
    while len(out) < SIZE - 16384:
        out += function_record(i * 4, 4)
        i += 1
    return pdb_of(bytes(out))


@case
def pdb_modules_of_one_stream():
    """Modules that all name the same stream."""
    symbols = b"".join(function_record(i * 4, 4) for i in range(10000))
    return pdb_of(symbols, modules=6000)


@case
def pdb_inline_sites():
    """Inlined calls within each other, with as many stretches as fit."""
    out = bytearray()
    notes = b"\x0b\x21" * 400
    depth = 0
    body = bytearray()
    while len(body) < SIZE - 65536:
        body += record(0x114D, u32(0, 0, 0x1000 + depth) + notes)
        depth += 1
    body += record(0x114E, b"") * depth
    out = function_record(0, 0x00FFFFFF) + bytes(body) + record(6, b"")
    return pdb_of(out)


@case
def pdb_inline_sites_small():
    """Inlined calls within each other, each as small as it gets."""
    body = bytearray()
    depth = 0
    while len(body) < (SIZE - 65536) * 5 // 6:
        body += record(0x114D, u32(0, 0, 0x1000) + b"\x0b\x21\x04\x7f")
        depth += 1
    body += record(0x114E, b"") * depth
    return pdb_of(function_record(0, 0x00FFFFFF) + bytes(body) + record(6, b""))


@case
def pdb_lines():
    """Lines that all begin at the same places."""
    count = (SIZE - 16384) // 8
    rows = b"".join(u32((count - i) * 2 & 0xFFFF, i & 0xFFFF) for i in range(count))
    block = u32(0, 0) + u32(0xFFFFFF) + u32(0, count, 12 + len(rows)) + rows
    block = u32(0) + u16(1, 0) + u32(0xFFFFFF) + u32(0, count, 12 + len(rows)) + rows
    lines = u32(0xF4, 8) + u32(0, 0) + u32(0xF2, len(block)) + block
    return pdb_of(function_record(0, 0x00FFFFFF), lines)


@case
def pdb_shared_blocks():
    """Streams that all consist of the same blocks."""
    count = 200
    streams = [b"", info_stream(), b"", dbi(b"".join(module(5 + i, 60000, 4) for i in range(count)), 4),
               section_headers()] + [b""] * count
    order = {5 + i: (512 * 500, [4, 3] * 250) for i in range(count)}
    return pdb(streams, order) + bytes(SIZE // 2)


@case
def pe_sections():
    """A PE file of section headers, and symbols of COFF."""
    head = b"MZ" + bytes(58) + u32(64)
    coff = b"PE\0\0" + u16(0x8664, 65535) + u32(0, 4096, (SIZE - 8192) // 18) + u16(240, 0x22)
    optional = u16(0x20B) + bytes(22) + u64(0x140000000) + bytes(76) + u32(16) + bytes(128)
    return (head + coff + optional).ljust(4096, b"\0") + (
        b"f\0\0\0\0\0\0\0" + u32(16) + u16(1, 0x20) + b"\x02\0") * ((SIZE - 8192) // 18)


# Breakpad


BREAKPAD = b"MODULE Linux x86_64 0123456789ABCDEF0123456789ABCDEF0 a\n"


@case
def breakpad_inline_levels():
    """Records of inlined calls of one function, each a level deeper."""
    out = bytearray(BREAKPAD + b"FILE 0 a\nINLINE_ORIGIN 0 g\nFUNC 1000 f000000 0 f\n")
    level = 0
    while len(out) < SIZE - 64:
        out += b"INLINE %d 1 0 0 1000 f000000\n" % level
        level += 1
    return bytes(out)


@case
def breakpad_inline_ranges():
    """Levels of inlined calls that cut each other up."""
    out = bytearray(BREAKPAD + b"FILE 0 a\nINLINE_ORIGIN 0 g\nFUNC 1000 f000000 0 f\n")
    for level in range(1 << 20):
        out += b"INLINE %d 1 0 0" % level
        for i in range(500):
            out += b" %x 10" % (0x1000 + i * 0x20 + level % 16)
        out += b"\n"
        if len(out) > SIZE - 8192:
            break
    return bytes(out)


@case
def breakpad_inlines():
    """As many inlined calls of one function as fit, all of one range."""
    out = bytearray(BREAKPAD + b"FUNC 1000 f000000 0 f\n")
    while len(out) < SIZE - 64:
        out += b"INLINE 0 1 0 0 1 1\n"
    return bytes(out)


@case
def breakpad_rows():
    """Lines as short as they get, back and forth."""
    return BREAKPAD + b"FUNC 0 f000000 0 f\n" + repeat(b"1 1 1 0\n3 1 1 0\n", SIZE - 128)


@case
def breakpad_numbers():
    """Files and origins with numbers far apart."""
    out = bytearray(BREAKPAD)
    i = 0
    while len(out) < SIZE - 64:
        out += b"FILE %d a\nINLINE_ORIGIN %d b\n" % (i * 190, 4194000 - i * 170)
        i += 1
    return bytes(out)


@case
def breakpad_publics():
    """Public symbols at one address."""
    return BREAKPAD + repeat(b"PUBLIC 1 0 a\n", SIZE - 128)


@case
def breakpad_functions():
    """Functions that all lie over each other."""
    out = bytearray(BREAKPAD)
    i = 0
    while len(out) < SIZE - 64:
        out += b"FUNC %x f000000 0 f\n" % (i * 2)
        i += 1
    return bytes(out)


@case
def breakpad_stack():
    """Rules of stack walks that share a start, and overlap."""
    out = bytearray(BREAKPAD + b"FUNC 1000 f000000 0 f\n")
    i = 0
    while len(out) < SIZE - 256:
        out += b"STACK CFI INIT %x f00000 .cfa: $rsp 8 + .ra: .cfa 8 - ^\n" % (i * 2)
        out += b"STACK CFI %x .cfa: $rsp %d +\n" % (i * 2 + 1, i)
        i += 1
    return bytes(out)


# WebAssembly and libraries


@case
def wasm_functions():
    """A module of functions without contents."""
    count = (SIZE - 4096) // 4
    types = b"\x01\x04\x01\x60\0\0"
    functions = uleb(count) + b"\0" * count
    code = uleb(count) + b"\x02\0\x0b" * count
    out = b"\0asm\x01\0\0\0" + types
    for number, body in ((3, functions), (10, code)):
        out += bytes([number]) + uleb(len(body)) + body
    return out


@case
def wasm_names():
    """A name section in which each name is for a function far away."""
    entries = b"".join(uleb(0xFFFF0000 + i) + b"\x01a" for i in range((SIZE - 4096) // 7))
    part = uleb((SIZE - 4096) // 7) + entries
    body = b"\x04name" + b"\x01" + uleb(len(part)) + part
    return b"\0asm\x01\0\0\0" + b"\0" + uleb(len(body)) + body


@case
def wasm_sections():
    """A module of empty sections."""
    return b"\0asm\x01\0\0\0" + repeat(b"\0\x02\x01a", SIZE - 64)


@case
def archive_members():
    """A library of members without contents."""
    member = b"a.o/".ljust(16) + b"0".ljust(12) + b"0".ljust(6) + b"0".ljust(6) + b"0".ljust(8) + b"0".ljust(10) + b"`\n"
    return b"!<arch>\n" + repeat(member, SIZE - 64)


@case
def compressed_lines():
    """A line table of rows that repeat, compressed as far as is believed."""
    random = Random(1)
    rows = b"".join(
        bytes(random.choices(range(0x20, 0xF0), k=220)) + bytes([0x21, 0x2F]) * 2500
        for _ in range(3800))
    table = line_table(START + rows + b"\0\x01\x01")
    data = u32(1, 0) + u64(len(table), 1) + zlib.compress(table, 9)
    abbreviations = abbreviation(1, 0x11, 0, [(0x10, 0x17), (0x11, 0x01), (0x1B, 0x08)]) + b"\0"
    return elf([(".debug_info", unit(b"\x01" + u32(0) + u64(0) + b"/x\0")),
                (".debug_abbrev", abbreviations), (".debug_line", data, 0x800, 0, 1),
                (".filler", bytes(max(0, SIZE - len(data) - 4096)))])


@case
def compressed_calls():
    """Inlined calls of three bytes, compressed as far as is believed."""
    table = abbreviation(1, 0x11, 1, [(0x11, 0x01), (0x73, 0x17)])
    table += abbreviation(2, 0x2E, 1, [(0x11, 0x29), (0x12, 0x06)])
    table += abbreviation(3, 0x1D, 0, [(0x11, 0x29), (0x12, 0x0B)]) + b"\0"
    calls = b"".join(bytes([3, i, 1 + i % 7]) for i in range(256))
    function = b"\x02\0" + u32(0x10000) + calls * 1000 + b"\0"
    root = b"\x01" + u64(0) + u32(8)
    entries = unit(root + repeat(function, 19 << 20) + b"\0", version=5)
    addresses = struct.pack("<IHBB", 4 + 256 * 8, 5, 8, 0)
    addresses += b"".join(u64(0x2000 + i * 9) for i in range(256))
    data = u32(1, 0) + u64(len(entries), 1) + zlib.compress(entries, 9)
    return elf([(".debug_info", data, 0x800, 0, 1), (".debug_abbrev", table),
                (".debug_addr", addresses), (".filler", bytes(max(0, SIZE - len(data) - 8192)))])


@case
def equal_hashes():
    """Symbols whose names fall on one number of a hash that has no seed."""
    prime = 0x9E3779B97F4A7C15
    mask = (1 << 64) - 1
    begin = (17 * prime) & mask
    parts = [b"\0"]
    symbols = bytearray()
    place = 1
    i = 0
    while len(symbols) + place < SIZE - 4096:
        i += 1
        first = b"%08d" % i
        product = (begin ^ struct.unpack("<Q", first)[0]) * prime
        second = u64((product >> 64 ^ product ^ 0x1234567812345678) & mask)
        if 0 in second:
            continue
        parts.append(first + second + b"a\0")
        symbols += struct.pack("<IBBHQQ", place, 18, 0, 1, 0x2000 + i * 4, 4)
        place += 18
    return elf([], bytes(symbols), b"".join(parts))


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (20, 21))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(arguments):
    """Seconds of the processor, the most memory and how it ended."""
    os.environ["SWIFT_BACKTRACE"] = "enable=no"
    with open(os.devnull, "rb+") as nothing, tempfile.TemporaryFile() as words:
        process = subprocess.Popen(
            arguments, stdin=nothing, stdout=nothing, stderr=words, preexec_fn=limit)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
        words.seek(0)
        text = words.read(300).decode(errors="replace").strip().replace("\n", " ")
    code = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss << 10, code, text


def start_of_unpacker(program, folder):
    """Seconds of the processor that one more archive in an archive takes: the least of some tries."""
    def seconds(count):
        path = os.path.join(folder, "archives")
        with open(path, "wb") as file:
            file.write(zipped([("%d.gz" % i, gzip.compress(b"%d" % i)) for i in range(count)]))
        taken = min(run([program, "triage", path])[0] for _ in range(3))
        os.remove(path)
        return taken
    return (seconds(220) - seconds(20)) / 200


# Archives


def zipped(members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        for name, data in members:
            file.writestr(name, data)
    return out.getvalue()


def tarred(members):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as file:
        for name, data in members:
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            file.addfile(entry, io.BytesIO(data))
    return out.getvalue()


def nested(width, levels, inner, pack):
    for level in range(levels):
        inner = pack([("%d-%d" % (level, i), inner) for i in range(width)])
    return inner


@archive
def zips_in_zips():
    """65,536 archives in 4 levels."""
    return nested(16, 4, zipped([("a.txt", b"x")]), zipped)


@archive
def zips_in_wide_zips():
    """Millions of archives in 3 levels."""
    return nested(150, 3, zipped([("a.txt", b"x")]), zipped)


@archive
def gzips_in_tars():
    """65,536 compressed files in compressed tars in each other."""
    return nested(40, 3, gzip.compress(b"x"), lambda members: lzma.compress(tarred(members)))


@archive
def gzips_in_zip():
    """As many compressed files as 1 MB holds."""
    return zipped([("%d.gz" % i, gzip.compress(b"%d" % i)) for i in range(SIZE // 150)])


@archive
def damaged_zips_in_zip():
    """Archives that are begun again for each of their damaged members."""
    one = bytearray(zipped([("%d" % i, b"text" * 20) for i in range(16)]))
    place = -4
    for _ in range(16):
        place = one.find(b"PK\x03\x04", place + 4)
        one[place + 31] ^= 0x55
    return zipped([("%d.zip" % i, bytes(one)) for i in range(2000)])


@archive
def zeros_in_gzips_in_zip():
    """Compressed files each of which stays below the bytes that come out of one at any ratio."""
    zeros = gzip.compress(b"y" * (31 << 20), 9)
    return zipped([("%d.gz" % i, zeros) for i in range(2000)])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--mayday", default=".build/release/mayday")
    parser.add_argument("--keep", help="where the files stay")
    parser.add_argument("--words", action="store_true", help="print what the program says, too")
    parser.add_argument("names", nargs="*", metavar="NAME", help="of files; all without")
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in CASES]
    if unknown:
        parser.error("no file is called %s; there are: %s" % (unknown[0], ", ".join(CASES)))
    folder = options.keep or tempfile.mkdtemp(prefix="hostile-")
    os.makedirs(folder, exist_ok=True)
    failed = False
    start = start_of_unpacker(options.mayday, folder)
    print("one more archive: %.2f ms of the processor" % (start * 1000))
    print("%-36s %-16s %8s %8s %5s" % ("file", "command", "seconds", "MB", "exit"))
    for name in options.names or CASES:
        path = os.path.join(folder, name)
        # In a process of its own: what this one takes counts for those that it starts.
        child = os.fork()
        if child == 0:
            with open(path, "wb") as file:
                file.write(CASES[name]())
            os._exit(0)
        os.waitpid(child, 0)
        factor = max(1.0, os.path.getsize(path) / SIZE, UNPACKED.get(name, 0))
        commands = [["triage", path]] if name in ARCHIVES else [
            ["lookup", "--no-cache", "-o", path, "0x2000", "0x100002000"],
            ["symbols", "compile", path, "-o", path + ".cache"],
            ["symbols", "unwind", path],
        ]
        allowed = SECONDS * factor
        if name in ARCHIVES:
            allowed += (OPENED + os.path.getsize(path) / 1024) * start
        for command in commands:
            seconds, memory, code, text = run([options.mayday] + command)
            is_bad = seconds > allowed or memory > MEMORY * factor or code < 0
            failed = failed or is_bad
            print("%-36s %-16s %8.2f %8.1f %5d%s%s" % (
                name, " ".join(command[:2] if command[0] == "symbols" else command[:1]), seconds,
                memory / (1 << 20), code, "  TOO MUCH" if is_bad else "",
                "  " + text[:200] if options.words else ""))
            sys.stdout.flush()
        for leftover in [path + ".cache"] + ([] if options.keep else [path]):
            if os.path.exists(leftover):
                os.remove(leftover)
    if not options.keep:
        os.rmdir(folder)
    sys.exit(1 if failed else 0)


main()
