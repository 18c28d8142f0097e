"""Looks linked addresses from standard input up in symbolic's SymCache: a line of JSON each."""
import json
import sys

from symbolic.debuginfo import Archive


def number(data, place):
    """A LEB128 number, and where what follows it begins."""
    value = shift = 0
    while True:
        byte = data[place]
        place += 1
        value |= (byte & 0x7f) << shift
        shift += 7
        if byte < 0x80:
            return value, place


def code_section(path):
    """Where the contents of the section of code begin in a WebAssembly module."""
    with open(path, "rb") as file:
        data = file.read()
    place = 8
    while place < len(data):
        kind = data[place]
        size, place = number(data, place + 1)
        if kind == 10:
            return place
        place += size
    return 0


objects = list(Archive.open(sys.argv[1]).iter_objects())
object = next((o for o in objects if not sys.argv[2] or o.arch == sys.argv[2]), objects[0])
cache = object.make_symcache()
with open(sys.argv[1], "rb") as file:
    head = file.read(20)
# Addresses count from the base of the image.
base = 0
if head[:4] == b"\x7fELF":
    import os
    import re
    import subprocess
    text = subprocess.run(
        ["readelf", "-lW", sys.argv[1]], capture_output=True, text=True,
        env=dict(os.environ, LC_ALL="C")).stdout
    first = re.search(r"^\s*LOAD\s+0x[0-9a-f]+ 0x([0-9a-f]+)", text, re.M)
    base = int(first[1], 16) if first else 0
elif head[:4] in (b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe"):
    import subprocess
    text = subprocess.run(
        ["llvm-objdump-14", "--macho", "--private-headers", sys.argv[1]], capture_output=True,
        text=True).stdout
    place = text.find("segname __TEXT")
    base = int(text[place:].split("vmaddr ")[1].split()[0], 16) if place >= 0 else 0
elif head[:2] == b"MZ":
    # ImageBase of the optional header, [PE format] Optional Header Windows-Specific Fields.
    with open(sys.argv[1], "rb") as file:
        start = file.read(4096)
    header = int.from_bytes(start[60:64], "little") + 24
    wide = start[header:header + 2] == b"\x0b\x02"
    base = int.from_bytes(start[header + (24 if wide else 28):header + 32], "little")
elif head[:4] == b"\0asm":
    # Its addresses count from the start of the file, not from that of the code.
    base = -code_section(sys.argv[1])
for line in sys.stdin:
    address = int(line, 16)
    found = cache.lookup(address - base) if address >= base else []
    print(json.dumps([line.strip(), [[f.symbol, f.full_path, f.line] for f in found]]))
