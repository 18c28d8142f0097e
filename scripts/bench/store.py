#!/usr/bin/env python3
"""Measures the store: filling a large home, asking it, and being killed while it works.

Everything lies under .bench/. The home is kept for the next run of the queries; --fresh makes it anew.
"""
import argparse
import json
import os
import random
import shutil
import signal
import sqlite3
import statistics
import subprocess
import sys
import time

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from measuring.saved import save
from shared.paths import BENCH, MAYDAY, MAYDAY_BENCH, ROOT
from shared.smoke import add_option, smaller

SAMPLES = os.path.join(ROOT, "Samples")
SYMBOLS = os.path.join(ROOT, "Symbols")
QUIET = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def bench_home(count, fresh, lean):
    """Fills a home with made-up reports; its path.

    Of a lean home only the last documents are kept, and a run that was stopped goes on.
    """
    home = os.path.join(BENCH, f"home-{count}")
    done = os.path.join(home, "whole")
    if os.path.exists(done) and not fresh:
        print(f"\n{home} is there already")
        return home
    if fresh or not lean:
        shutil.rmtree(home, ignore_errors=True)
    print(f"\nFilling a home with {count:,} reports", flush=True)
    lines = subprocess.run(
        [MAYDAY_BENCH, "home", home, str(count)] + ["lean"] * lean, check=True, stdout=subprocess.PIPE,
        text=True)
    parts = []
    for line in lines.stdout.splitlines():
        words = line.split()
        if words[0] == "part":
            values = dict(zip(words[::2], words[1::2]))
            parts.append((float(values["wall"]), float(values["cpu"]), int(values["reports"])))
            wall, cpu, reports = parts[-1]
            print(f"  part {values['part']:>2}  {reports / wall:7,.0f} reports/s"
                  f"  {cpu / reports * 1e6:5.0f} us of CPU a report")
        else:
            print("  " + line)
        if words[0] == "came":
            came, compressed = int(words[1]), int(words[3])
    first, last = parts[0], parts[-1]
    print(f"  last part beside the first: rate {first[0] / last[0]:.2f},"
          f" CPU {last[1] / first[1]:.2f}")
    size = sum(
        os.path.getsize(os.path.join(path, name))
        for path, _, names in os.walk(home) for name in names)
    print(f"  {size / 1e9:.2f} GB, {size / count:,.0f} bytes a report that came with {came / count:,.0f},"
          f" compressed {compressed / count:,.0f}")
    if not lean:
        save(f"disk-{count}", ["bytes a report", ""],
             [["as it came", f"{came / count:,.0f}"], ["compressed by itself", f"{compressed / count:,.0f}"],
              ["in the home", f"{size / count:,.0f}"], ["home to compressed", f"{size / compressed:.2f}"]])
    open(done, "w").close()
    return home


def bench_growth(home, count, rounds=smaller(3, 1), step=smaller(20_000, 200)):
    """The same reports into an empty home and into a full one, in turn."""
    rows = []
    print(f"\n{step:,} reports more, into an empty home and into the full one, in turn")
    empty = os.path.join(BENCH, "home-empty")
    counter = os.path.join(home, "more")
    first = int(open(counter).read()) if os.path.exists(counter) else 0
    rates = {"empty": [], "full": []}
    costs = {"empty": [], "full": []}
    for _ in range(rounds):
        shutil.rmtree(empty, ignore_errors=True)
        for name, path in (("empty", empty), ("full", home)):
            run = subprocess.run(
                [MAYDAY_BENCH, "more", path, str(count), str(first), str(first + step)], check=True,
                stdout=subprocess.PIPE, text=True)
            words = run.stdout.split()
            rates[name].append(step / float(words[words.index("wall") + 1]))
            costs[name].append(float(words[words.index("cpu") + 1]) / step * 1e6)
        first += step
        with open(counter, "w") as file:
            file.write(str(first))
    for name in rates:
        rate, cost = statistics.median(rates[name]), statistics.median(costs[name])
        print(f"  {name:5}  {rate:7,.0f} reports/s  {cost:5.0f} us of CPU a report")
        rows.append([f"{name} home", f"{rate:,.0f}", f"{cost:,.0f}"])
    ratio = statistics.median(
        full / empty for empty, full in zip(rates["empty"], rates["full"]))
    print(f"  rate of the full home beside the empty one: {ratio:.2f}")
    cost = statistics.median(full / empty for empty, full in zip(costs["empty"], costs["full"]))
    rows.append(["full to empty", f"{ratio:.2f}", f"{cost:.2f}"])
    save(f"growth-{count}", ["", "reports/s", "µs of CPU a report"], rows)


def bench_queries(home, count):
    """Asks the home, and leaves how long each answer took."""
    run = subprocess.run([MAYDAY_BENCH, "queries", home], check=True, stdout=subprocess.PIPE, text=True)
    print("\n" + run.stdout, end="", flush=True)
    first, _, *lines = run.stdout.splitlines()
    # One for each query, which ends in four numbers.
    lines = [line.rsplit(None, 4) for line in lines]
    # More than `count` where earlier runs added some.
    save(f"queries-{count}", [f"query of {int(first.split()[0]):,} reports", "median ms", "p99 ms", "found"],
         [[" ".join(name.split()), median, last, found] for name, median, last, _, found in
          (line for line in lines if len(line) == 5)])


def bench_copies(home, times):
    """Lists in a home whose reports are there many times, each under another id and a little later.

    Everything that lists read of a report is copied, so that ten million are there in minutes; documents, stacks
    and counters are shared by the copies.
    """
    copy = os.path.join(BENCH, "home-copies")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(home, copy, ignore=shutil.ignore_patterns("whole", "more"))
    # Opened, so that all of it is in the database, and nothing in its log.
    subprocess.run([MAYDAY, "stats", "--home", copy], check=True, **QUIET)
    started = time.monotonic()
    with sqlite3.connect(os.path.join(copy, "mayday.db")) as database:
        for setting in ("journal_mode = DELETE", "journal_mode = OFF", "synchronous = OFF", "cache_size = -2000000"):
            database.execute("PRAGMA " + setting).fetchall()
        count, = database.execute("SELECT count(*) FROM reports").fetchone()
        step, = database.execute("SELECT max(id) FROM reports").fetchone()
        print(f"\nCopying {count:,} reports {times} times", flush=True)
        indexes = database.execute(
            "SELECT name, sql FROM sqlite_schema WHERE tbl_name = 'reports' AND type = 'index' AND sql > ''").fetchall()
        for name, _ in indexes:
            database.execute(f"DROP INDEX {name}")
        for table, key, changed in (
                ("reports", "id", {
                    "name": "substr(name, 1, 24) || printf('%08x', {n})", "position": "position + 1000000 * {n}",
                    "time": "time + {n}"}),
                ("search_facts", "report", {"time": "time + {n}"}),
                ("search_messages", "report", {})):
            names = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
            changed[key] = f"{key} + {step} * {{n}}"
            for number in range(1, times):
                columns = ", ".join(changed.get(name, name).format(n=number) for name in names)
                database.execute(
                    f"INSERT INTO {table} SELECT {columns} FROM {table} WHERE {key} <= {step} ORDER BY {key}")
        for _, sql in indexes:
            database.execute(sql)
        database.execute(
            "INSERT OR IGNORE INTO search_stale SELECT DISTINCT report >> 13 FROM search_facts")
    print(f"  copied in {time.monotonic() - started:.0f} s", flush=True)
    started = time.monotonic()
    subprocess.run([MAYDAY, "stats", "--home", copy], check=True, **QUIET)
    print(f"  opened, with segments made of all reports, in {time.monotonic() - started:.0f} s", flush=True)
    bench_queries(copy, count * times)
    shutil.rmtree(copy)


def bench_rules(home):
    """All reports of a copy of a home signed by other rules, and the groups of before found again."""
    copy = os.path.join(BENCH, "home-rules")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(home, copy)
    stats = json.loads(subprocess.run(
        [MAYDAY, "stats", "--json", "--home", copy], check=True, stdout=subprocess.PIPE).stdout)
    reports = sum(app["reports_kept"] for app in stats["apps"])
    print(f"\nOther rules for a home with {reports:,} reports, {os.cpu_count()} cores", flush=True)
    rules = os.path.join(BENCH, "other.rules")
    with open(rules, "w") as file:
        file.write("max-frames=1\n")
    rows = []
    for words in (["apply", rules], ["rollback"]):
        started = time.monotonic()
        for app in stats["apps"]:
            subprocess.run(
                [MAYDAY, "rules", *words, "--app", app["app"], "--home", copy], check=True,
                **QUIET)
        seconds = time.monotonic() - started
        print(f"  rules {words[0]:8}  {seconds:7.1f} s  {reports / seconds:9,.0f} reports/s")
        rows.append([f"rules {words[0]}", f"{reports:,}", f"{seconds:.1f}", f"{reports / seconds:,.0f}"])
    save("rules", ["", "reports", "s", "reports/s"], rows)
    shutil.rmtree(copy)


def bench_related(count):
    """Groups that are alike found among many, one report more filed, and what the index takes."""
    home = os.path.join(BENCH, "home-related")
    shutil.rmtree(home, ignore_errors=True)
    print(f"\nGroups that are alike, of {count:,} reports of one app", flush=True)
    rows, groups = [], 0
    for line in subprocess.run(
            [MAYDAY_BENCH, "related", home, str(count)], check=True, stdout=subprocess.PIPE,
            text=True).stdout.splitlines():
        print("  " + line)
        words = line.split()
        if words[0] == "reports":
            groups = int(words[3])
        if words[1] == "median":
            rows.append([{"related": "groups like one", "filed": "a report filed"}[words[0]],
                         f"{float(words[2]):.1f}", f"{float(words[4]):.1f}"])
    save("related", [f"among {groups:,} groups", "median ms", "p99 ms"], rows)
    with sqlite3.connect(os.path.join(home, "mayday.db")) as database:
        names = "'key_stacks', 'stack_lists', 'stacks'"
        size, = database.execute(
            "SELECT sum(pgsize) FROM dbstat WHERE name IN (SELECT name FROM sqlite_master"
            f" WHERE tbl_name IN ({names}))").fetchone()
        stacks, = database.execute("SELECT count(*) FROM key_stacks").fetchone()
    print(f"  index: {size / stacks:,.0f} bytes for each of {stacks:,} stacks")
    shutil.rmtree(home)


SCRUB = {
    "without rules": "[scrub]\nuse = none\n",
    "with the standard rules": None,
    "with all rules": "[scrub]\nuse = secrets\nuse = email\nuse = home\n"
                      "[patterns]\ncustomer = \\bK-\\d{8}\\b\n",
}


def bench_scrub(count=smaller(5_000, 100), rounds=smaller(5, 1)):
    """What taking secrets out costs: the same reports into homes with and without rules, in turn."""
    print(f"\n{count:,} reports into an empty home, by the rules of scrubbing, in turn")
    home = os.path.join(BENCH, "home-scrub")
    costs = {name: [] for name in SCRUB}
    for _ in range(rounds):
        for name, rules in SCRUB.items():
            shutil.rmtree(home, ignore_errors=True)
            os.makedirs(home, mode=0o700)
            if rules:
                with open(os.path.join(home, "scrub.conf"), "w") as file:
                    file.write(rules)
            run = subprocess.run(
                [MAYDAY_BENCH, "more", home, str(count), "0", str(count)], check=True,
                stdout=subprocess.PIPE, text=True)
            words = run.stdout.split()
            costs[name].append(float(words[words.index("cpu") + 1]) / count * 1e6)
    shutil.rmtree(home, ignore_errors=True)
    base = costs["without rules"]
    rows = []
    for name, values in costs.items():
        ratio = statistics.median(own / other for own, other in zip(values, base))
        print(f"  {name:24}  {statistics.median(values):5.0f} us of CPU a report,"
              f" {ratio:.2f} of that without rules")
        rows.append([name, f"{statistics.median(values):,.0f}", f"{ratio:.2f}"])
    save("scrubbing", ["", "µs of CPU a report", "beside none"], rows)


def facts(home):
    """Groups and reports of a home, without what differs from run to run."""
    def ask(*words):
        run = subprocess.run(
            [MAYDAY, *words, "--home", home, "--limit", "0", "--json"], check=True,
            stdout=subprocess.PIPE)
        return json.loads(run.stdout)

    reports = {item["id"]: (item["group"], item["signature"]["text"]) for item in ask("reports")}
    members = {}
    for group, signature in reports.values():
        members.setdefault(group, []).append(signature)
    groups = {item["id"]: item for item in ask("groups")}
    for name, item in groups.items():
        if item["reports"] != len(members.get(name, [])):
            raise SystemExit(f"{home}: {name} counts {item['reports']} reports"
                             f" and has {len(members.get(name, []))}")
    return reports, {name: item["signature"]["text"] for name, item in groups.items()}


def bench_kills(rounds, seed):
    """Kills ingests and late symbolications at random instants, then lets them end."""
    print(f"\nKilling {rounds} times with SIGKILL, seed {seed}")
    chance = random.Random(seed)
    folder = os.path.join(BENCH, "kills")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    rows = []
    jobs = {
        "ingest": (
            [], [MAYDAY, "ingest", SAMPLES, "--symbols", SYMBOLS]),
        "late symbols": (
            [[MAYDAY, "ingest", SAMPLES]], [MAYDAY, "symbols", "add", SYMBOLS]),
    }
    for title, (before, command) in jobs.items():
        whole = os.path.join(folder, "whole")
        shutil.rmtree(whole, ignore_errors=True)
        for step in before:
            subprocess.run([*step, "--home", whole], **QUIET)
        start = time.monotonic()
        subprocess.run([*command, "--home", whole], **QUIET)
        duration = time.monotonic() - start
        expected = facts(whole)
        killed = wrong = homes = 0
        while killed < rounds // len(jobs):
            home = os.path.join(folder, "home")
            shutil.rmtree(home, ignore_errors=True)
            for step in before:
                subprocess.run([*step, "--home", home], **QUIET)
            # What one death leaves meets the next.
            for _ in range(4):
                process = subprocess.Popen([*command, "--home", home], **QUIET)
                time.sleep(chance.uniform(0, duration * 1.05))
                process.send_signal(signal.SIGKILL)
                if process.wait() == -signal.SIGKILL:
                    killed += 1
            subprocess.run([*command, "--home", home], **QUIET)
            homes += 1
            if facts(home) != expected:
                wrong += 1
        print(f"  {title}: {killed} kills in {homes} homes of {len(expected[0])} reports,"
              f" {wrong} homes that end otherwise")
        if wrong:
            raise SystemExit("a killed run was not made good")
        rows.append([title, killed, homes, len(expected[0]), wrong])
    save("kills", ["", "kills", "homes", "reports in each", "homes that end otherwise"], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reports", type=int, default=smaller(100_000, 1_000))
    parser.add_argument("--kills", type=int, default=smaller(200, 2))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fresh", action="store_true", help="fill the home anew")
    parser.add_argument("--lean", action="store_true",
                        help="keep few of the documents of the home, which no list reads")
    parser.add_argument("--copies", type=int, default=smaller(100, 3),
                        help="how often each report is there in the home of copies")
    parser.add_argument("--related", type=int, default=smaller(100_000, 500),
                        help="how many reports groups that are alike are made of")
    add_option(parser)
    parser.add_argument("only", nargs="*", help="home, queries, copies, rules, related, scrub, kills")
    options = parser.parse_args()

    def wanted(name):
        return not options.only or name in options.only

    os.makedirs(BENCH, exist_ok=True)
    if any(map(wanted, ("home", "queries", "copies", "rules"))):
        home = bench_home(options.reports, options.fresh, options.lean)
        if wanted("queries"):
            bench_queries(home, options.reports)
        if wanted("copies"):
            bench_copies(home, options.copies)
        if wanted("home") and not options.lean:
            bench_growth(home, options.reports)
        if wanted("rules") and not options.lean:
            bench_rules(home)
    if wanted("related"):
        bench_related(options.related)
    if wanted("scrub"):
        bench_scrub()
    if wanted("kills"):
        bench_kills(options.kills, options.seed)


if __name__ == "__main__":
    main()
