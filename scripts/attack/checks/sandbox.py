"""Child processes on kernels that lack a part of the sandbox."""
import ctypes
import os
import subprocess
import zipfile

# Of x86-64 and of arm64.
NUMBERS = {"x86_64": {"seccomp": 317, "prctl": 157}, "aarch64": {"seccomp": 277, "prctl": 167}}
LANDLOCK = 444


class Rule(ctypes.Structure):
    _fields_ = [("code", ctypes.c_ushort), ("yes", ctypes.c_ubyte), ("no", ctypes.c_ubyte),
                ("value", ctypes.c_uint)]


class Filter(ctypes.Structure):
    _fields_ = [("count", ctypes.c_ushort), ("rules", ctypes.POINTER(Rule))]


def without(part):
    """For a child: makes the kernel look as if it had no landlock, or no seccomp."""
    numbers = NUMBERS[os.uname().machine]
    number = LANDLOCK if part == "landlock" else numbers["seccomp"]
    prctl = numbers["prctl"] if part == "seccomp" else 0xffffffff
    load, equal, leave = 0x20, 0x15, 0x06
    rules = (Rule * 7)(
        Rule(load, 0, 0, 0), Rule(equal, 4, 0, number), Rule(equal, 0, 2, prctl),
        Rule(load, 0, 0, 16), Rule(equal, 1, 0, 22),
        Rule(leave, 0, 0, 0x7fff0000), Rule(leave, 0, 0, 0x50000 | 38))
    program = Filter(7, rules)
    libc = ctypes.CDLL(None, use_errno=True)

    def apply():
        assert libc.prctl(38, 1, 0, 0, 0) == 0
        assert libc.prctl(22, 2, ctypes.byref(program)) == 0
    return apply


def run(server, words, part=None, **variables):
    return subprocess.run(
        [server.home.program, *words], capture_output=True, text=True, timeout=60,
        preexec_fn=without(part) if part else None, env=server.home.environment(variables))


def check_requirement(server):
    """--require-sandbox refuses to run where landlock or seccomp is missing, and only there"""
    archive = os.path.join(server.home.folder, "a.zip")
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("a.txt", "text")
    commands = (["triage", archive], ["ingest", archive, "--home", server.home.path],
                ["symbolicate", archive], ["symbols", "add", archive, "--home", server.home.path],
                ["serve", "--listen", "0", "--home", server.home.path])
    for part in ("landlock", "seccomp"):
        for words in commands:
            for extra, variables in ((["--require-sandbox"], {}),
                                     ([], {"MAYDAY_REQUIRE_SANDBOX": "1"})):
                done = run(server, words + extra, part, **variables)
                assert done.returncode == 1, f"{words}: {done.returncode} {done.stderr}"
                assert "--require-sandbox" in done.stderr and f"no {part}" in done.stderr, done.stderr
    done = run(server, ["triage", archive, "--require-sandbox"])
    assert "sandbox" not in done.stderr, done.stderr
    # Without the flag the archive is read behind what there is.
    done = run(server, ["triage", archive], "landlock")
    assert "sandbox" not in done.stderr, done.stderr
