#!/usr/bin/env python3
"""Writes Samples/apport: crash files as Apport would have written them of a core in Samples/elf-core, and of a
program in Python. The core is packed in pieces, as Apport packs it."""
import base64
import pathlib
import zlib

samples = pathlib.Path(__file__).resolve().parents[2] / "Samples"
head = """ProblemType: Crash
Architecture: amd64
Date: Sun Mar 01 10:11:12 2026
DistroRelease: Ubuntu 24.04
ExecutablePath: /app/bin/tern
Package: tern 1.1.0-1
"""


def packed(data, piece=1 << 20):
    yield b"\x1f\x8b\x08\x08\0\0\0\0\x02\xffCoreDump\0"
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, zlib.DEF_MEM_LEVEL, 0)
    for start in range(0, len(data), piece):
        block = deflate.compress(data[start : start + piece])
        if block:
            yield block
    end = zlib.crc32(data).to_bytes(4, "little") + (len(data) & 0xFFFFFFFF).to_bytes(4, "little")
    yield deflate.flush() + end


core = (samples / "elf-core" / "null-read-1.1.0-gcc-O2.core").read_bytes()
lines = "".join(f" {base64.b64encode(block).decode()}\n" for block in packed(core))
text = head + "Signal: 11\nSignalName: SIGSEGV\nUname: Linux 6.8.0-31-generic x86_64\nCoreDump: base64\n" + lines
out = samples / "apport"
out.mkdir(exist_ok=True)
(out / "null-read-1.1.0-gcc-O2.crash").write_text(text)
python = head.replace("/app/bin/tern", "/app/bin/tern.py") + """InterpreterPath: /usr/bin/python3.12
Traceback:
 Traceback (most recent call last):
   File "/app/bin/tern.py", line 14, in <module>
     charge("two")
   File "/app/bin/tern.py", line 6, in charge
     return int(count)
            ^^^^^^^^^^
 ValueError: invalid literal for int() with base 10: 'two'
Uname: Linux 6.8.0-31-generic x86_64
"""
(out / "value-error-python.crash").write_text(python)
