"""Thousands of reports, made of the samples."""
import os
import random
import re

from shared.paths import ROOT

SAMPLES = os.path.join(ROOT, "Samples")
FAMILIES = ("apple-ips", "apple-crash", "sanitizer", "java-trace", "python-traceback", "swift-backtrace", "minidump")


def make_inputs(folder, count):
    """Reports of other versions, devices and processes than those of the samples, and files that are no reports."""
    chance = random.Random(count)
    samples = []
    for family in FAMILIES:
        for name in sorted(os.listdir(os.path.join(SAMPLES, family))):
            with open(os.path.join(SAMPLES, family, name), "rb") as file:
                samples.append((name, file.read()))
    written = []
    for number in range(count):
        name, content = chance.choice(samples)
        if not name.endswith(".dmp"):
            version = f"1.{chance.randrange(8)}.{chance.randrange(4)}".encode()
            content = re.sub(rb"\b1\.[01]\.0\b", version, content)
            # Ids of incidents and installations, and of processes.
            content = re.sub(rb"(?i)([0-9a-f]{8})-([0-9a-f]{4})-4", lambda found: b"%08X-%s-4" % (
                chance.randrange(1 << 32), found[2]), content, count=2)
            pid = b"==%d==" % (1000 + number)
            content = re.sub(rb"==\d+==", lambda _, pid=pid: pid, content)
            if name.endswith(".txt"):
                content = b"run %d of the nightly tests\n" % number + content
        if chance.random() < 0.02 and written:
            content = chance.choice(written)
        if chance.random() < 0.01:
            content = b"no report at all, number %d\n" % number
        where = os.path.join(folder, str(number % 40))
        os.makedirs(where, exist_ok=True)
        with open(os.path.join(where, f"{number}-{name}"), "wb") as file:
            file.write(content)
        if len(written) < 200:
            written.append(content)
