#!/usr/bin/env python3
"""Prints a minidump of 64-bit Intel Linux as Breakpad's microdump writer would, with a logger's prefix.

    microdump.py MINIDUMP >MICRODUMP

The layout is that of Breakpad, src/client/linux/microdump_writer/microdump_writer.cc.
"""
import struct
import sys

data = open(sys.argv[1], "rb").read()
count, directory = struct.unpack_from("<II", data, 8)
streams = {}
for index in range(count):
    kind, size, offset = struct.unpack_from("<III", data, directory + 12 * index)
    streams[kind] = data[offset:offset + size]


def text(offset):
    length = struct.unpack_from("<I", data, offset)[0]
    return data[offset + 4:offset + 4 + length].decode("utf-16-le")


def put(line):
    print(f"01-25 09:57:54.139 F/google-breakpad( 4711): {line}")


thread, _, code, _, _, address = struct.unpack_from("<IIIIQQ", streams[6])
size, offset = struct.unpack_from("<II", streams[6], 160)
context = data[offset:offset + size]
stack_pointer = struct.unpack_from("<Q", context, 152)[0]
for index in range(struct.unpack_from("<I", streams[3])[0]):
    entry = streams[3][4 + 48 * index:]
    start, length, place = struct.unpack_from("<QII", entry, 24)
    if struct.unpack_from("<I", entry)[0] == thread:
        stack = data[place:place + length]
        break
# The writer prints the pages from the stack pointer on.
first = max(start, stack_pointer & ~0xfff)
stack = stack[first - start:][:8192]
version = text(struct.unpack_from("<I", streams[7], 24)[0])

put("-----BEGIN BREAKPAD MICRODUMP-----")
put("V Tern:1.1.0")
put("P browser")
put(f"R {code:08X} SIGSEGV {address:016X}")
put(f"O L x86_64 {max(1, streams[7][6]):02X} x86_64 {version}")
put("G UNKNOWN")
put(f"S 0 {stack_pointer:016X} {first:016X} {len(stack):016X}")
for place in range(0, len(stack), 384):
    put(f"S {first + place:016X} {stack[place:place + 384].hex().upper()}")
put(f"C {context.hex().upper()}")
for index in range(struct.unpack_from("<I", streams[4])[0]):
    entry = streams[4][4 + 108 * index:]
    base, length = struct.unpack_from("<QI", entry)
    name = text(struct.unpack_from("<I", entry, 20)[0])
    size, offset = struct.unpack_from("<II", entry, 76)
    record = (data[offset + 4:offset + size] + bytes(16))[:16]
    one, two, three = struct.unpack_from("<IHH", record)
    put(f"M {base:016X} {0:016X} {length:016X} {one:08X}{two:04X}{three:04X}{record[8:].hex().upper()}0 {name}")
put("-----END BREAKPAD MICRODUMP-----")
