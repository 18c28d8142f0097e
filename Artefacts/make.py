#!/usr/bin/env python3
"""Makes the artefacts in this folder again, of the programs in ../Symbols.

The same Python and the same tools make the same bytes. The apk needs Debian's aapt, android-framework-res and
zipalign.
"""
import datetime
import io
import os
import plistlib
import struct
import sys
import zipfile
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
SYMBOLS = os.path.join(HERE, "..", "Symbols")
WHEN = (2027, 3, 1, 10, 0, 0)


def symbols(path):
    with open(os.path.join(SYMBOLS, path), "rb") as file:
        return file.read()


class Pipe(io.RawIOBase):
    """A file that cannot be sought in: the sizes of members then follow their data."""

    def __init__(self):
        self.data = bytearray()

    def writable(self):
        return True

    def write(self, data):
        self.data += data
        return len(data)


def pack(name, members, pipe=False):
    out = Pipe() if pipe else io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for path, data, *stored in members:
            info = zipfile.ZipInfo(path, WHEN)
            info.external_attr = 0o100644 << 16
            info.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    data = bytes(out.data) if pipe else out.getvalue()
    with open(os.path.join(HERE, name), "wb") as file:
        file.write(data)
    print(f"{name}: {len(data)} bytes")


def png(size, color):
    """A square of one colour."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + bytes(color) * size) * size
    head = struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def xcode_png(size, color):
    """The same as Xcode writes it for iOS: blue first, multiplied by the transparency, and without zlib's head."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    red, green, blue, alpha = color
    pixel = bytes([blue * alpha // 255, green * alpha // 255, red * alpha // 255, alpha])
    rows = (b"\0" + pixel * size) * size
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = deflate.compress(rows) + deflate.flush()
    head = struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"CgBI", b"\x50\0\x20\x06") + chunk(b"IHDR", head)
            + chunk(b"IDAT", data) + chunk(b"IEND", b""))


def slices(fat):
    """The slices of a universal Mach-O file: CPU type, subtype, bytes."""
    magic, count = struct.unpack(">II", fat[:8])
    assert magic == 0xCAFEBABE
    for index in range(count):
        cpu, sub, offset, size, _ = struct.unpack(">5I", fat[8 + 20 * index:28 + 20 * index])
        yield cpu, sub, fat[offset:offset + size]


def universal(parts, wide=False):
    """A universal Mach-O file, with offsets of 64 bits if it is `wide`."""
    head = struct.pack(">II", 0xCAFEBABF if wide else 0xCAFEBABE, len(parts))
    body = b""
    start = 4096
    for cpu, sub, data in parts:
        body = body.ljust(start - 4096, b"\0") + data
        if wide:
            head += struct.pack(">IIQQII", cpu, sub, start, len(data), 12, 0)
        else:
            head += struct.pack(">5I", cpu, sub, start, len(data), 12)
        start = (start + len(data) + 4095) // 4096 * 4096
    return head.ljust(4096, b"\0") + body


def der(tag, data):
    size = len(data)
    if size < 128:
        return bytes([tag, size]) + data
    count = (size.bit_length() + 7) // 8
    return bytes([tag, 0x80 | count]) + size.to_bytes(count, "big") + data


def profile(name, **more):
    """A provisioning profile: a property list as the content of a message (CMS) with no signature."""
    values = {"AppIDName": "Tern", "Name": name, "UUID": "6f1f0d7e-0a5b-4b7e-9d64-3c0d7f0f6f11",
              "CreationDate": datetime.datetime(2027, 1, 1), "ExpirationDate": datetime.datetime(2028, 1, 1),
              "TeamName": "Example", "Version": 1, **more}
    content = der(0x30, bytes.fromhex("06092a864886f70d010701") + der(0xA0, der(4, plistlib.dumps(values))))
    signed = der(0x30, b"\x02\x01\x01" + der(0x31, b"") + content + der(0x31, b""))
    return der(0x30, bytes.fromhex("06092a864886f70d010702") + der(0xA0, signed))


def information(version, build, **more):
    return {"CFBundleDisplayName": "Tern", "CFBundleExecutable": "Tern", "CFBundleIdentifier": "com.example.tern",
            "CFBundleInfoDictionaryVersion": "6.0", "CFBundleName": "Tern", "CFBundlePackageType": "APPL",
            "CFBundleShortVersionString": version, "CFBundleSupportedPlatforms": ["iPhoneOS"],
            "CFBundleVersion": build, "MinimumOSVersion": "15.0", "UIDeviceFamily": [1, 2],
            "CFBundleIcons": {"CFBundlePrimaryIcon": {"CFBundleIconFiles": ["AppIcon60x60"]}}, **more}


def ipas():
    """1.0.0 as text with one slice, 1.1.0 in binary with two, a framework and a profile."""
    app = "Payload/Tern.app/"
    pack("Tern-1.0.0.ipa", [
        (app + "Info.plist", plistlib.dumps(information("1.0.0", "1000"))),
        (app + "Tern", symbols("apple/1.0.0/ios/Tern")),
        (app + "PkgInfo", b"APPL????"),
        (app + "AppIcon60x60@2x.png", png(120, (20, 90, 160, 255))),
    ])
    desktop = list(slices(symbols("apple/1.1.0/macos/Tern")))
    intel = next(part for part in desktop if part[0] == 0x01000007)
    arm = (0x0100000C, 0, symbols("apple/1.1.0/ios/Tern"))
    framework = app + "Frameworks/Gull.framework/"
    pack("Tern-1.1.0.ipa", [
        (app + "Info.plist", plistlib.dumps(information("1.1.0", "1100"), fmt=plistlib.FMT_BINARY)),
        (app + "Tern", universal([arm, intel])),
        (framework + "Info.plist", plistlib.dumps({"CFBundleExecutable": "Gull"}, fmt=plistlib.FMT_BINARY)),
        (framework + "Gull", universal([intel], wide=True)),
        (app + "embedded.mobileprovision", profile("Tern testers", ProvisionedDevices=["00008110-1", "00008110-2"])),
        (app + "AppIcon60x60@2x.png", xcode_png(120, (20, 90, 160, 255))),
    ], pipe=True)


MAKERS = {"ipa": ipas}

if __name__ == "__main__":
    for name in sys.argv[1:] or MAKERS:
        MAKERS[name]()
