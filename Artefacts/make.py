#!/usr/bin/env python3
"""Makes the artefacts in this folder again, of the programs in ../Symbols.

The same Python and the same tools make the same bytes. The apk needs Debian's aapt, android-framework-res and
zipalign.
"""
import datetime
import io
import json
import os
import plistlib
import struct
import subprocess
import sys
import tempfile
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


def run(*command):
    subprocess.run(command, check=True)


def dex(map_id):
    """The start of a file of code, with the text by which R8 says which mapping explains it."""
    marker = json.dumps({"backend": "dex", "compilation-mode": "release", "min-api": 23, "pg-map-id": map_id,
                         "version": "8.7.18"}, separators=(",", ":"))
    return b"dex\n035\0" + bytes(104) + b"~~R8" + marker.encode() + b"\0"


def library():
    """A program for 64-bit Arm, as good as a library for its build id."""
    folder = os.path.join(SYMBOLS, "cores")
    for name in sorted(os.listdir(folder)):
        data = symbols("cores/" + name) if os.path.isfile(os.path.join(folder, name)) else b""
        if data[:4] == b"\x7fELF" and data[18:20] == b"\xb7\0":
            return data
    raise SystemExit("no program for 64-bit Arm")


MANIFEST = """<?xml version="1.0" encoding="utf-8"?>
<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="com.example.tern"
  android:versionCode="1100" android:versionName="@string/version">
  <uses-sdk android:minSdkVersion="23" android:targetSdkVersion="23"/>
  <application android:label="@string/app" android:icon="@mipmap/icon"/>
</manifest>
"""


def apk():
    """A binary manifest by aapt, whose version, label and icon are resources; the version through another one."""
    with tempfile.TemporaryDirectory() as folder:
        def write(path, data):
            path = os.path.join(folder, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(data if isinstance(data, bytes) else data.encode())

        write("AndroidManifest.xml", MANIFEST)
        write("res/values/strings.xml", """<resources><string name="app">Tern</string>
            <string name="number">1.1.0</string><string name="version">@string/number</string></resources>""")
        write("res/values-de/strings.xml", """<resources><string name="app">Seeschwalbe</string></resources>""")
        write("res/mipmap-mdpi/icon.png", png(48, (20, 90, 160, 255)))
        write("res/mipmap-xhdpi/icon.png", png(96, (20, 90, 160, 255)))
        run("aapt", "package", "-f", "-M", f"{folder}/AndroidManifest.xml", "-S", f"{folder}/res",
            "-I", "/usr/share/android-framework-res/framework-res.apk", "-F", f"{folder}/made.apk")
        with zipfile.ZipFile(f"{folder}/made.apk") as made:
            members = [(name, made.read(name), *(["stored"] if name.endswith(("arsc", "png")) else []))
                       for name in made.namelist()]
    members += [("classes.dex", dex("48ffd94")), ("lib/arm64-v8a/libgull.so", library())]
    pack("Tern-1.1.0.apk", members)
    path = os.path.join(HERE, "Tern-1.1.0.apk")
    run("zipalign", "-f", "-p", "4", path, path + ".aligned")
    os.replace(path + ".aligned", path)


def field(number, value):
    """A field of a message of Protocol Buffers."""

    def varint(value):
        out = bytearray()
        while value > 127:
            out.append(value & 127 | 128)
            value >>= 7
        return bytes(out) + bytes([value])

    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def aab():
    """A bundle: the manifest and the resources as messages, as aapt2 writes them (Resources.proto)."""
    android = "http://schemas.android.com/apk/res/android"

    def reference(resource):
        return field(1, field(2, resource))

    def attribute(name, text, resource=0, item=b""):
        return field(4, (field(1, android) if resource else b"") + field(2, name) + field(3, text)
                     + (field(5, resource) if resource else b"") + (field(6, item) if item else b""))

    def element(name, attributes, children=b""):
        return field(1, field(3, name) + attributes + children)

    uses = field(5, element("uses-sdk", attribute("minSdkVersion", "26", 0x0101020C, field(7, field(6, 26)))))
    application = field(5, element("application", attribute("label", "@string/app", 0x01010001, reference(0x7F010000))
                                   + attribute("icon", "@mipmap/icon", 0x01010002, reference(0x7F020000))))
    manifest = element("manifest", attribute("package", "com.example.tern")
                       + attribute("versionCode", "1200", 0x0101021B, field(7, field(6, 1200)))
                       + attribute("versionName", "1.2.0", 0x0101021C), uses + application)

    def entry(number, name, values):
        return field(3, field(1, field(1, number)) + field(2, name) + b"".join(
            field(6, field(1, config) + field(2, field(4, item))) for config, item in values))

    strings = field(3, field(1, field(1, 1)) + field(2, "string") + entry(0, "app", [
        (field(3, "de"), field(2, field(1, "Seeschwalbe"))), (b"", field(2, field(1, "Tern")))]))
    icons = field(3, field(1, field(1, 2)) + field(2, "mipmap") + entry(0, "icon", [
        (field(18, 480), field(5, field(1, "res/mipmap-xxhdpi-v4/icon.png")))]))
    table = field(2, field(1, field(1, 0x7F)) + field(2, "com.example.tern") + strings + icons)
    pack("Tern-1.2.0.aab", [
        ("BundleConfig.pb", field(1, field(2, "1.15.6"))),
        ("base/manifest/AndroidManifest.xml", manifest),
        ("base/resources.pb", table),
        ("base/res/mipmap-xxhdpi-v4/icon.png", png(144, (20, 90, 160, 255))),
        ("base/dex/classes.dex", dex("5a1c0de")),
        ("base/lib/arm64-v8a/libgull.so", library()),
    ])


def msix():
    """A package of Windows, and a bundle with two of them; nobody has signed them."""
    spaces = "http://schemas.microsoft.com/appx/manifest/foundation/windows10"

    def manifest(architecture):
        return f"""<?xml version="1.0" encoding="utf-8"?>
<Package xmlns="{spaces}" xmlns:uap="http://schemas.microsoft.com/appx/manifest/uap/windows10">
  <Identity Name="Example.Tern" Publisher="CN=Example" Version="1.1.0.0" ProcessorArchitecture="{architecture}"/>
  <Properties><DisplayName>Tern</DisplayName><PublisherDisplayName>Example</PublisherDisplayName>
    <Logo>Assets\\Logo.png</Logo></Properties>
  <Dependencies><TargetDeviceFamily Name="Windows.Desktop" MinVersion="10.0.17763.0" MaxVersionTested="10.0.19041.0"/>
  </Dependencies>
  <Applications><Application Id="App" Executable="tern.exe" EntryPoint="Windows.FullTrustApplication"/></Applications>
</Package>
"""

    types = """<?xml version="1.0" encoding="utf-8"?><Types
  xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="png"
  ContentType="image/png"/><Default Extension="exe" ContentType="application/octet-stream"/></Types>"""
    program = next(data for data in windows_programs())

    def members(architecture):
        return [("AppxManifest.xml", manifest(architecture)), ("Assets/Logo.png", png(50, (20, 90, 160, 255))),
                ("Assets/Logo.scale-200.png", png(100, (20, 90, 160, 255))), ("tern.exe", program),
                ("[Content_Types].xml", types)]

    pack("Tern-1.1.0.msix", members("x64"))
    inner = []
    for architecture in ("x64", "arm64"):
        pack("inner.msix", members(architecture))
        with open(os.path.join(HERE, "inner.msix"), "rb") as file:
            inner.append((f"tern_{architecture}.msix", file.read(), "stored"))
        os.remove(os.path.join(HERE, "inner.msix"))
    packages = "".join(f'<Package Type="application" Version="1.1.0.0" Architecture="{name[5:-5]}" FileName="{name}"/>'
                       for name, *_ in inner)
    pack("Tern-1.1.0.msixbundle", [("AppxMetadata/AppxBundleManifest.xml", f"""<?xml version="1.0" encoding="utf-8"?>
<Bundle xmlns="http://schemas.microsoft.com/appx/2013/bundle" SchemaVersion="5.0">
  <Identity Name="Example.Tern" Publisher="CN=Example" Version="2027.301.1.0"/>
  <Packages>{packages}</Packages>
</Bundle>
""")] + inner + [("[Content_Types].xml", types)])


def windows_programs():
    """Programs for Windows below Symbols, the smallest first."""
    found = []
    for folder, _, names in os.walk(SYMBOLS):
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                data = file.read()
            if data[:2] == b"MZ" and b"RSDS" in data:
                found.append(data)
    return sorted(found, key=len)


def mac():
    """A bundle for macOS, as Sparkle's apps are handed out."""
    app = "Tern.app/Contents/"
    values = {"CFBundleExecutable": "Tern", "CFBundleIdentifier": "com.example.tern.mac", "CFBundleName": "Tern",
              "CFBundleShortVersionString": "1.1.0", "CFBundleVersion": "1100", "LSMinimumSystemVersion": "12.0",
              "CFBundleIconFile": "Tern"}
    picture = png(128, (20, 90, 160, 255))
    icon = b"icns" + struct.pack(">I", 16 + len(picture)) + b"ic07" + struct.pack(">I", 8 + len(picture)) + picture
    pack("Tern-1.1.0.app.zip", [
        (app + "Info.plist", plistlib.dumps(values)),
        (app + "MacOS/Tern", symbols("apple/1.1.0/macos/Tern")),
        (app + "Resources/Tern.icns", icon),
    ])


MAKERS = {"ipa": ipas, "apk": apk, "aab": aab, "msix": msix, "mac": mac}

if __name__ == "__main__":
    for name in sys.argv[1:] or MAKERS:
        MAKERS[name]()
