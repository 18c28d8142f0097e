#!/usr/bin/env python3
"""What artefacts of releases say of their apps, by readers of its own, beside what Mayday reads.

Without --mayday, prints identifier, version, build, oldest system, hashes and ids as JSON. With it, asks
`mayday releases inspect --json` for the same files, prints each difference and fails if there is one. Nothing
here is shared with Mayday: Python's zipfile and plistlib, and small readers of Mach-O.
"""
import argparse
import hashlib
import json
import os
import plistlib
import re
import struct
import subprocess
import sys
import uuid
import zipfile

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


def read(path):
    name = os.path.basename(path).lower()
    with zipfile.ZipFile(path) as archive:
        if name.endswith(".ipa"):
            return apple(archive, r"Payload/[^/]+\.app/Info\.plist", "ipa", "")
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
        found = list(differences(json.loads(run.stdout), theirs))
        failures += len(found)
        for difference in found:
            print(f"{path}: {difference}")
        if not found:
            print(f"{path}: the same")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
