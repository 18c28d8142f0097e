"""Debug packages that nobody has looked at yet: a few of those that apt knows, chosen by the day."""
import glob
import hashlib
import os
import re
import subprocess

# In bytes as they are downloaded: larger ones take an hour to judge.
LARGEST = 20_000_000
# Too small to say much.
SMALLEST = 50_000
# What docs/reference/exactness.md and `make bench` speak of: these were looked at.
USED = {"binutils-multiarch-dbg", "ceph-osd-dbg", "libc6-dbg", "librados2-dbg", "libstdc++6-12-dbg",
        "linux-image-amd64-dbg", "openjdk-17-dbg", "python3.11-dbg"}
# Of a package, the files that have the most.
FILES = 2


def candidates():
    """Name and size of each debug package of this machine's architecture, in the order of names."""
    done = subprocess.run(["apt-cache", "dumpavail"], capture_output=True, text=True, errors="replace")
    name, found = None, {}
    for line in done.stdout.splitlines():
        if line.startswith("Package: "):
            name = line.split()[1]
        elif line.startswith("Size: ") and name and re.search(r"-(dbg|dbgsym)$", name):
            found[name] = int(line.split()[1])
    return sorted((name, size) for name, size in found.items() if SMALLEST <= size <= LARGEST)


def taken(folder):
    """The packages that earlier runs took, by the list that they left."""
    path = os.path.join(folder, "taken")
    if not os.path.exists(path):
        return USED
    with open(path) as file:
        return USED | {line.split()[1] for line in file if line.strip()}


def fresh_files(count, day, folder, say):
    """Downloads packages that are not in the list of those taken, and returns their debug files as words
    for the oracle; of the same day and the same list always the same ones."""
    os.makedirs(folder, exist_ok=True)
    before = taken(folder)
    # The largest number first: nobody can choose them, and each day has others.
    ranked = sorted(candidates(), key=lambda c: hashlib.sha256(f"{day} {c[0]}".encode()).hexdigest())
    words, packages = [], 0
    for name, size in ranked:
        if packages == count:
            break
        if name in before:
            continue
        say(f"{name}, {size} bytes")
        unpacked = os.path.join(folder, name)
        if not os.path.isdir(unpacked):
            done = subprocess.run(["apt-get", "download", "-q", name], cwd=folder, capture_output=True, text=True)
            archives = glob.glob(os.path.join(folder, name + "_*.deb"))
            if done.returncode or not archives:
                say(f"{name}: {done.stderr.strip()[-200:]}")
                continue
            subprocess.run(["dpkg-deb", "-x", archives[0], unpacked], check=True)
            os.remove(archives[0])
        paths = [os.path.join(at, file) for at, _, files in os.walk(os.path.join(unpacked, "usr/lib/debug"))
                 for file in files]
        files = [path for path in paths if not os.path.islink(path) and is_debug_file(path)]
        files.sort(key=lambda path: (-os.path.getsize(path), path))
        with open(os.path.join(folder, "taken"), "a") as out:
            out.write(f"{day} {name}\n")
        if not files:
            say(f"{name}: no debug file")
            continue
        packages += 1
        words += [f"{name}/{os.path.basename(path)}={path}" for path in files[:FILES]]
    if packages < count:
        say(f"only {packages} debug packages are left; does apt know a source of debug packages?")
    return words


def is_debug_file(path):
    """An ELF file, and not what dwz made several share."""
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF" and "/.dwz/" not in path
