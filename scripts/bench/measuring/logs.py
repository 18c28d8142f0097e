"""Triage of a long log that holds reports, beside a plain search of the same bytes."""
import os

from measuring.runs import Run, in_turn, median, say, table
from shared.paths import BENCH, MAYDAY, ROOT
from shared.smoke import smaller

REPORTS = smaller(10_000, 10)
BYTES = smaller(2 << 30, 2 << 20)


def long_log():
    """A server's log of 2 GiB with 10,000 reports of a sanitizer among its lines."""
    path = os.path.join(BENCH, "server.log")
    if os.path.exists(path) and os.path.getsize(path) >= BYTES:
        return path
    say(f"Writing a log of {BYTES >> 20} MiB")
    sample = os.path.join(ROOT, "Samples/sanitizer/null-read-asan-1.1.0-clang-O2.txt")
    with open(sample, "rb") as file:
        report = file.read()
    lines = b"".join(
        b"2026-05-01T10:%02d:%02d.%03dZ INFO [worker-%d] GET /items/%d?page=%d: 200 in %d ms\n"
        % (n // 60 % 60, n % 60, n % 1000, n % 16, n * 7919 % 1_000_000, n % 50, n % 900)
        for n in range(4000))
    room = BYTES // REPORTS - len(report)
    with open(path, "wb") as log:
        for number in range(REPORTS):
            log.write(b"request %d\n" % number + lines[:lines.rfind(b"\n", 0, room) + 1] + report)
    return path


def bench_logs(runs):
    path = long_log()
    size = os.path.getsize(path) / 1e6
    # Into a pipe, as grep ends at the first match where nobody reads what it prints.
    search = f"grep -c AddressSanitizer '{path}' | cat"
    done = in_turn(runs, own=lambda: Run([MAYDAY, "triage", path, "--json"]),
                   grep=lambda: Run(["sh", "-c", search]))
    rows = []
    for name, runs_of in (("mayday triage", done["own"]), ("grep -c", done["grep"])):
        rows.append([name, f"{size / median(runs_of, 'wall'):.0f}", f"{median(runs_of, 'cpu'):.2f}",
                     f"{median(runs_of, 'peak'):.0f}"])
    ratio = median(done["grep"], "wall") / median(done["own"], "wall")
    table(f"log of {size:.0f} MB with {REPORTS} reports", ["", "MB/s", "CPU s", "peak MB"],
          rows + [["ratio", f"{ratio:.2f}x", "", ""]], "log")
