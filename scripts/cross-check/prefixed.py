"""Reports in logs whose lines have a logger's words before them, beside the same reports without.

Runs when it is asked for, with a corpus: what stands before a line is ambiguous, and not all of it is found.
"""
import os
import tempfile

from documents import documents

PREFIXES = ["2026-05-01T10:11:12.123456789Z stderr F ", "May 01 10:11:12 till tern[4711]: "]
FOLDERS = ["go-panic", "rust-panic", "python-traceback", "java-trace", "dotnet-trace", "node-js", "other-langs", "sanitizer",
           "linux-kernel", "native-log", "java-hs-err", "flutter-dart", "gdb-backtrace", "android-tombstone-text",
           "android-anr", "microdump", "swift-backtrace", "other-kernel"]
ARGUED = [
    ("dotnet-trace/*", "kind", "a logger's words before an exception say that it was handled"),
    ("node-js/*", "kind", "a logger's words before an exception say that it was handled"),
]
LIMIT = 3_000_000


def names(corpus):
    for folder in FOLDERS:
        for path, _, files in sorted(os.walk(os.path.join(corpus, folder))):
            for name in sorted(files):
                if ".expected" not in name and ".reference" not in name and name != "PROVENANCE.md":
                    yield os.path.relpath(os.path.join(path, name), corpus)


def short(exception):
    return {"type": exception.get("type"), "message": exception.get("message"), "frames": [
        {"function": frame.get("function"), "line": frame.get("line")} for frame in exception["frames"]],
        "inner": [short(inner) for inner in exception["inner"]]}


def told(report):
    """What must be the same."""
    reason = report.get("reason", {})
    found = {"format": report["format"], "kind": report["kind"], "threads": [
        {"frames": [{"function": frame.get("function"), "address": frame.get("address"), "line": frame.get("line")}
                    for frame in thread["frames"]]} for thread in report["threads"]]}
    found["reason"] = {name: reason.get(name) for name in ("type", "signal", "message")}
    if "exception" in reason:
        found["reason"]["exception"] = short(reason["exception"])
    return found


def check(corpus, mayday, tally):
    texts = []
    for name in names(corpus):
        with open(os.path.join(corpus, name), "rb") as file:
            data = file.read(LIMIT + 1)
        if len(data) <= LIMIT and b"\0" not in data and not data.startswith((b"{", b"[")):
            texts.append((name, data.decode("utf-8", "replace").replace("\r\n", "\n").rstrip("\n")))
    plain = documents(mayday, [os.path.join(corpus, name) for name, _ in texts])
    with tempfile.TemporaryDirectory() as folder:
        for number, prefix in enumerate(PREFIXES):
            paths = []
            for index, (_, text) in enumerate(texts):
                paths.append(os.path.join(folder, "%d-%d" % (number, index)))
                with open(paths[-1], "w", encoding="utf-8") as file:
                    file.write("".join(prefix + line + "\n" for line in text.split("\n")))
            for (name, _), expected, found in zip(texts, plain, documents(mayday, paths)):
                if not isinstance(expected, str):
                    tally.compare("%s after %r" % (name, prefix[:12]), [told(report) for report in expected], found)
