#!/usr/bin/env python3
"""Signatures of `mayday releases sign` beside those of PyNaCl (libsodium), for keys made at random.

Each artefact of the project, an empty-looking one and one of 20 MB are signed with Mayday. PyNaCl must make the same
signature with the same seed and accept it with the public key that Mayday prints, and must refuse it for a file
with one byte changed.
"""
import base64
import json
import os
import subprocess
import sys
import tempfile

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from shared import environment
from shared.paths import MAYDAY, ROOT


def main():
    environment.enter()
    from nacl.exceptions import BadSignatureError
    from nacl.signing import SigningKey, VerifyKey

    mayday = sys.argv[1] if len(sys.argv) > 1 else MAYDAY
    folder = os.path.join(ROOT, "Artefacts")
    files = [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.startswith("Tern")]
    with tempfile.TemporaryDirectory() as scratch:
        for name, data in (("one.zip", b"\0"), ("large.dmg", os.urandom(20 << 20))):
            files.append(os.path.join(scratch, name))
            with open(files[-1], "wb") as file:
                file.write(data)
        for path in files:
            seed = os.urandom(32)
            key = os.path.join(scratch, "key")
            with open(key, "w") as file:
                file.write(base64.b64encode(seed).decode() + "\n")
            run = subprocess.run([mayday, "releases", "sign", path, "--key", key, "--json"], capture_output=True,
                                 text=True, check=True)
            answer = json.loads(run.stdout)
            signature = base64.b64decode(answer["ed_signature"], validate=True)
            with open(path, "rb") as file:
                data = file.read()
            assert answer["length"] == len(data), path
            assert SigningKey(seed).sign(data).signature == signature, path
            public = VerifyKey(base64.b64decode(answer["public_key"], validate=True))
            public.verify(data, signature)
            try:
                public.verify(data[:-1] + bytes([data[-1] ^ 1]), signature)
                raise SystemExit(f"{path}: the signature is valid for another file")
            except BadSignatureError:
                pass
    print(f"{len(files)} signatures, each the same as PyNaCl's")


if __name__ == "__main__":
    main()
