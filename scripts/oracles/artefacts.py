#!/usr/bin/env python3
"""What artefacts of releases say of their apps, by readers of its own, beside what Mayday reads.

Without --mayday, prints identifier, version, build, oldest system, hashes and ids as JSON. With it, asks
`mayday releases inspect --json` for the same files, prints each difference and fails if there is one. Nothing
here is shared with Mayday: Python's zipfile, plistlib and ElementTree, and small readers of Mach-O, ELF, PE and of
Android's two kinds of manifests. Where Debian's aapt is installed, it is asked about apks, too.
"""
import argparse
import hashlib
import io
import json
import os
import plistlib
import re
import shutil
import struct
import subprocess
import sys
import uuid
import zipfile
from xml.etree import ElementTree

CPUS = {(0x0100000C, 0): "arm64", (0x0100000C, 2): "arm64e", (12, 9): "armv7", (0x01000007, 3): "x86_64",
        (0x01000007, 8): "x86_64h"}


def macho(data):
    """Architecture and UUID of each slice."""
    magic = struct.unpack(">I", data[:4])[0]
    if magic in (0xCAFEBABE, 0xCAFEBABF):
        for index in range(struct.unpack(">I", data[4:8])[0]):
            if magic == 0xCAFEBABE:
                offset, size = struct.unpack(">II", data[16 + 20 * index:24 + 20 * index])
            else:
                offset, size = struct.unpack(">QQ", data[16 + 32 * index:32 + 32 * index])
            yield from macho(data[offset:offset + size])
        return
    if magic not in (0xCEFAEDFE, 0xCFFAEDFE):
        return
    cpu, sub, _, count, _ = struct.unpack("<5I", data[4:24])
    place = 32 if magic == 0xCFFAEDFE else 28
    found = None
    for _ in range(count):
        command, size = struct.unpack("<II", data[place:place + 8])
        if command == 0x1B:
            found = str(uuid.UUID(bytes=data[place + 8:place + 24]))
        place += size
    yield CPUS.get((cpu, sub & 0xFFFFFF), f"{cpu:#x}/{sub:#x}"), found


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def apple(archive, pattern, contents, executables):
    """An application bundle, whose Info.plist has the name `pattern`."""
    lists = [name for name in archive.namelist() if re.fullmatch(pattern, name)]
    assert len(lists) == 1, lists
    folder = lists[0][:-len("Info.plist")]
    values = plistlib.loads(archive.read(lists[0]))
    main = folder + executables + values["CFBundleExecutable"]
    binaries = []
    for name in [main] + [name for name in archive.namelist() if name != main]:
        for architecture, identity in macho(archive.read(name).ljust(4, b"\0")):
            binaries.append({"path": name, "arch": architecture, "debug_id": identity})
    version, build = values["CFBundleShortVersionString"], values["CFBundleVersion"]
    said = {"identifier": values["CFBundleIdentifier"], "version": version, "build": build,
            "minimum_os": values.get("MinimumOSVersion") or values.get("LSMinimumSystemVersion"),
            "binaries": binaries, "hashes": []}
    if contents == "ipa":
        said["hashes"] = [sha256(f"{binary['debug_id']}:{version}:{build}") for binary in binaries
                          if binary["path"] == main]
        profile = [name for name in archive.namelist() if name == folder + "embedded.mobileprovision"]
        if profile:
            data = archive.read(profile[0])
            values = plistlib.loads(data[data.index(b"<?xml"):data.index(b"</plist>") + 8])
            said["provisioning"] = {"name": values["Name"], "devices": len(values.get("ProvisionedDevices", []))}
    return said


def elf(data):
    """The debug id of a little-endian ELF file, as Breakpad makes it of a build id."""
    assert data[:6] == b"\x7fELF\x02\x01", "not a little-endian ELF file of 64 bits"
    table, = struct.unpack("<Q", data[32:40])
    size, count = struct.unpack("<HH", data[54:58])
    for index in range(count):
        kind, _, start, _, _, length = struct.unpack("<IIQQQQ", data[table + size * index:table + size * index + 40])
        while kind == 4 and length > 12:
            name, value, note = struct.unpack("<III", data[start:start + 12])
            body = start + 12 + (name + 3) // 4 * 4
            if note == 3 and data[start + 12:start + 16] == b"GNU\0":
                return str(uuid.UUID(bytes_le=data[body:body + 16]))
            step = body + (value + 3) // 4 * 4 - start
            start, length = start + step, length - step
    return None


def pe(data):
    """The debug id of a program for Windows: the GUID and age of the record RSDS."""
    place = data.index(b"RSDS")
    age, = struct.unpack("<I", data[place + 20:place + 24])
    identity = str(uuid.UUID(bytes_le=data[place + 4:place + 20]))
    return identity + (f"-{age:x}" if age else "")


NAMES = {0x01010001: "label", 0x0101020C: "minSdkVersion", 0x0101021B: "versionCode", 0x0101021C: "versionName"}


def strings(data, place):
    """The texts of a pool of a binary file of Android."""
    head, = struct.unpack("<H", data[place + 2:place + 4])
    count, _, flags, start = struct.unpack("<4I", data[place + 8:place + 24])
    for index in range(count):
        at = place + start + struct.unpack("<I", data[place + head + 4 * index:place + head + 4 * index + 4])[0]
        if flags & 0x100:
            at += 2 if data[at] & 0x80 else 1
            size = data[at]
            at += 1
            if size & 0x80:
                size = (size & 0x7F) << 8 | data[at]
                at += 1
            yield data[at:at + size].decode()
        else:
            size, = struct.unpack("<H", data[at:at + 2])
            yield data[at + 2:at + 2 + 2 * size].decode("utf-16-le")


def binary_manifest(data):
    """Elements of a binary manifest as (name, attributes), in order."""
    texts, numbers, place = [], [], 8
    while place + 8 <= len(data):
        kind, head, size = struct.unpack("<HHI", data[place:place + 8])
        if kind == 1:
            texts = list(strings(data, place))
        elif kind == 0x180:
            numbers = struct.unpack(f"<{(size - 8) // 4}I", data[place + 8:place + size])
        elif kind == 0x102:
            at = place + head
            name, start, step, count = struct.unpack("<4xIHHH", data[at:at + 14])
            values = {}
            for index in range(count):
                _, key, _, _, _, type_, value = struct.unpack(
                    "<IIIHBBI", data[at + start + step * index:at + start + step * index + 20])
                number = numbers[key] if key < len(numbers) else 0
                values[NAMES.get(number, texts[key])] = ("@" if type_ == 1 else "") + (
                    texts[value] if type_ == 3 else str(value))
            yield texts[name], values
        place += size


def resources(data):
    """The values of a table of resources for any device, by number: texts, and references as @number."""
    texts = list(strings(data, 12))
    found = {}
    place = 12 + struct.unpack("<I", data[16:20])[0]
    package, = struct.unpack("<I", data[place + 8:place + 12])
    end = place + struct.unpack("<I", data[place + 4:place + 8])[0]
    place += struct.unpack("<H", data[place + 2:place + 4])[0]
    while place < end:
        kind, head, size = struct.unpack("<HHI", data[place:place + 8])
        if kind == 0x201 and not any(data[place + 24:place + 20 + struct.unpack("<I", data[place + 20:place + 24])[0]]):
            count, start = struct.unpack("<II", data[place + 12:place + 20])
            for index in range(count):
                offset, = struct.unpack("<I", data[place + head + 4 * index:place + head + 4 * index + 4])
                if offset == 0xFFFFFFFF:
                    continue
                at = place + start + offset
                if struct.unpack("<H", data[at + 2:at + 4])[0] & 1:
                    continue
                type_, value = struct.unpack("<3xBI", data[at + 8:at + 16])
                found[package << 24 | data[place + 8] << 16 | index] = (
                    texts[value] if type_ == 3 else ("@" if type_ == 1 else "") + str(value))
        place += size
    return found


def fields(data):
    """The fields of a message of Protocol Buffers: number, and number or bytes."""
    place = 0

    def varint():
        nonlocal place
        value = shift = 0
        while True:
            byte = data[place]
            place += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while place < len(data):
        key = varint()
        assert key & 7 in (0, 2)
        value = varint()
        if key & 7 == 2:
            place += value
            yield key >> 3, data[place - value:place]
        else:
            yield key >> 3, value


def bundle_manifest(data):
    """Elements of the manifest of an app bundle as (name, attributes), in order."""
    for number, element in fields(data):
        if number != 1:
            continue
        parts = list(fields(element))
        values = {}
        for number, part in parts:
            if number == 4:
                attribute = dict(fields(part))
                values[NAMES.get(attribute.get(5), attribute[2].decode())] = attribute[3].decode()
        yield dict(parts)[3].decode(), values
        for number, part in parts:
            if number == 5:
                yield from bundle_manifest(part)


def android(archive, elements, table, root):
    elements = list(elements)
    manifest = dict(elements)["manifest"]

    def text(value):
        while value.startswith("@"):
            value = table[int(value[1:])]
        return value

    version, build = text(manifest["versionName"]), manifest["versionCode"]
    binaries = []
    for name in archive.namelist():
        if name.startswith(root + "lib/") and name.endswith(".so"):
            binaries.append({"path": name, "arch": {"arm64-v8a": "arm64"}[name.split("/")[-2]],
                             "debug_id": elf(archive.read(name))})
    for name in archive.namelist():
        if name.endswith(".dex"):
            mapping = re.search(rb'~~R8\{[^\0]*"pg-map-id":"([^"]+)"', archive.read(name))[1].decode()
            space = uuid.uuid5(uuid.NAMESPACE_DNS, "pg_map_id")
            binaries.append({"path": name, "arch": "jvm", "debug_id": str(uuid.uuid5(space, mapping))})
    return {"identifier": manifest["package"], "version": version, "build": build, "binaries": binaries,
            "minimum_os": dict(elements)["uses-sdk"]["minSdkVersion"],
            "hashes": [sha256(f"{manifest['package']}:{version}:{build}")]}


def badging(path, said):
    """What Debian's aapt says of an apk, where it is installed."""
    if not shutil.which("aapt"):
        return
    text = subprocess.run(["aapt", "dump", "badging", path], capture_output=True, text=True, check=True).stdout
    package = re.search(r"package: name='([^']*)' versionCode='([^']*)' versionName='([^']*)'", text)
    level = re.search(r"sdkVersion:'([^']*)'", text)
    assert package.groups() == (said["identifier"], said["build"], said["version"]), package.groups()
    assert level[1] == said["minimum_os"], level[1]


def windows(archive, outer=""):
    def root(data):
        return re.sub(r' xmlns="[^"]*"', "", data.decode())

    names = archive.namelist()
    if "AppxMetadata/AppxBundleManifest.xml" in names:
        list_ = ElementTree.fromstring(root(archive.read("AppxMetadata/AppxBundleManifest.xml")))
        inner = []
        for package in list_.iter("Package"):
            name = package.get("FileName")
            inner.append(windows(zipfile.ZipFile(io.BytesIO(archive.read(name))), name + "!"))
        version = list_.find("Identity").get("Version")
        return {**inner[0], "version": version, "build": version,
                "binaries": [binary for part in inner for binary in part["binaries"]]}
    manifest = ElementTree.fromstring(root(archive.read("AppxManifest.xml")))
    identity = manifest.find("Identity")
    return {"identifier": identity.get("Name"), "version": identity.get("Version"), "build": identity.get("Version"),
            "name": manifest.find("Properties/DisplayName").text,
            "minimum_os": manifest.find("Dependencies/TargetDeviceFamily").get("MinVersion"),
            "binaries": [{"path": outer + name, "arch": "x86_64", "debug_id": pe(archive.read(name))}
                         for name in names if name.endswith((".exe", ".dll"))]}


def read(path):
    name = os.path.basename(path).lower()
    with zipfile.ZipFile(path) as archive:
        if name.endswith(".ipa"):
            return apple(archive, r"Payload/[^/]+\.app/Info\.plist", "ipa", "")
        if name.endswith(".app.zip"):
            return apple(archive, r"[^/]+\.app/Contents/Info\.plist", "app.zip", "MacOS/")
        if name.endswith(".apk"):
            said = android(archive, binary_manifest(archive.read("AndroidManifest.xml")),
                           resources(archive.read("resources.arsc")), "")
            badging(path, said)
            return said
        if name.endswith(".aab"):
            return android(archive, bundle_manifest(archive.read("base/manifest/AndroidManifest.xml")), {}, "base/")
        if name.endswith((".msix", ".msixbundle")):
            return windows(archive)
    raise SystemExit(f"{path}: not read here")


def differences(ours, theirs, path=""):
    """Where `ours` does not have what `theirs` says."""
    if isinstance(theirs, dict):
        for key, value in theirs.items():
            yield from differences((ours or {}).get(key), value, f"{path}.{key}")
    elif isinstance(theirs, list):
        if len(ours or []) != len(theirs):
            yield f"{path}: {len(ours or [])} instead of {len(theirs)}"
        for index, (left, right) in enumerate(zip(ours or [], theirs)):
            yield from differences(left, right, f"{path}[{index}]")
    elif ours != theirs:
        yield f"{path}: {ours!r} instead of {theirs!r}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--mayday", metavar="PROGRAM", help="compare with what this program reads")
    options = parser.parse_args()
    failures = 0
    for path in options.files:
        theirs = read(path)
        if not options.mayday:
            print(json.dumps({"file": path, **theirs}, indent=2, ensure_ascii=False))
            continue
        run = subprocess.run([options.mayday, "releases", "inspect", "--json", path], capture_output=True, text=True)
        if not run.stdout:
            print(f"{path}: {run.stderr.strip()}")
            failures += 1
            continue
        found = list(differences(json.loads(run.stdout)["package"], theirs))
        failures += len(found)
        for difference in found:
            print(f"{path}: {difference}")
        if not found:
            print(f"{path}: the same")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
