"""An app with releases that a server offers to whoever asks."""
import os
import plistlib
import zipfile

from shared.paths import ROOT

SECRET = "8e14e67c-7c91-40ac-8517-c62ece8424a6"
EXECUTABLE = os.path.join(ROOT, "Symbols/apple/1.1.0/macos/Tern")
GROUP = "Everyone"
# What an installed copy of the app asks.
CHECK = f"/v0.1/public/sdk/apps/{SECRET}/releases/latest?release_hash=0"


def fill(home, releases):
    """Adds an app and this many public releases."""
    home.run("apps", "add", "Tern", "--secret", SECRET)
    home.run("testers", "add-group", GROUP, "--public", "--app", "Tern")
    for number in range(releases):
        path = os.path.join(home.folder, "tern.ipa")
        facts = {"CFBundleIdentifier": "com.example.tern", "CFBundleExecutable": "Tern",
                 "CFBundleName": "Tern", "CFBundleVersion": str(100 + number),
                 "CFBundleShortVersionString": f"1.{number}.0", "MinimumOSVersion": "13.0"}
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("Payload/Tern.app/Info.plist", plistlib.dumps(facts))
            archive.write(EXECUTABLE, "Payload/Tern.app/Tern")
        home.run("releases", "add", path, "--app", "Tern", "--groups", GROUP, "--notes", "Fixes")
