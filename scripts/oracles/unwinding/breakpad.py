"""Breakpad's own stack walker as a peer: it is inside the Python package symbolic up to version 8, which
Bugsink needs. It is given a minidump that is made up, with a thread for each case."""
import json
import os
import struct
import subprocess
import tempfile

from shared import environment
from shared.paths import ROOT


def context(registers):
    """CONTEXT of 32-bit x86, minidump_cpu_x86.h: flags, then 112 bytes of floating point behind the
    debug registers, segments, and the registers from edi on."""
    flags = struct.pack("<I", 0x10007)
    data = flags + bytes(24) + bytes(112) + bytes(16)
    data += struct.pack(
        "<12I", registers["edi"], registers["esi"], registers["ebx"], 0, 0, 0, registers["ebp"],
        registers["eip"], 0x23, 0x246, registers["esp"], 0x2b)
    return data + bytes(512)


def minidump(threads, memory, module):
    """A minidump of a 32-bit Windows process with one module: streams of the system, the module and
    the threads, which share a stack."""
    identifier, name, base, size = module
    blob = bytearray(32 + 3 * 12)

    def add(data):
        blob.extend(bytes(-len(blob) % 8))
        place = len(blob)
        blob.extend(data)
        return place, len(data)

    text = name.encode("utf-16-le")
    name_place, _ = add(struct.pack("<I", len(text)) + text + b"\0\0")
    guid = bytes.fromhex(identifier[:32])
    guid = guid[3::-1] + guid[5:3:-1] + guid[7:5:-1] + guid[8:]
    view = add(b"RSDS" + guid + struct.pack("<I", int(identifier[32:], 16)) + name.encode() + b"\0")
    words = add(memory.data)
    contexts = [add(context(thread)) for thread in threads]
    service_pack, _ = add(struct.pack("<I", 2) + "1".encode("utf-16-le") + b"\0\0")
    system = add(struct.pack("<HHHBB", 0, 6, 0, 1, 1)
                 + struct.pack("<5I", 10, 0, 19041, 2, service_pack) + bytes(28))
    modules = add(
        struct.pack("<IQIIII", 1, base, size, 0, 0, name_place) + bytes(52)
        + struct.pack("<II", view[1], view[0]) + bytes(8 + 16))
    listed = add(struct.pack("<I", len(threads)) + b"".join(
        struct.pack("<IIIIQQII", number + 1, 0, 0, 0, 0, memory.base, words[1], words[0])
        + struct.pack("<II", place[1], place[0]) for number, place in enumerate(contexts)))
    struct.pack_into("<4sIIIIIQ", blob, 0, b"MDMP", 0xa793, 3, 32, 0, 0, 0)
    for index, (kind, place) in enumerate([(7, system), (4, modules), (3, listed)]):
        struct.pack_into("<III", blob, 32 + 12 * index, kind, place[1], place[0])
    return bytes(blob)


def walk(symbols, threads, memory, module):
    """For each thread its frames: (trust, registers), as far as Breakpad goes."""
    script = os.path.join(ROOT, "scripts/bench/peers/walk-breakpad.py")
    with tempfile.NamedTemporaryFile(suffix=".dmp") as file:
        file.write(minidump(threads, memory, module))
        file.flush()
        done = subprocess.run([environment.program("python3", "bugsink"), script, file.name, symbols], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]
