#!/usr/bin/env python3
"""Measures the pages of a server over a large home.

One browser without a cache asks for each page in turn, again and again; printed are the median and the 95th
percentile of the time to the last byte, and the bytes of the page, whole and compressed. The home is that of
scripts/bench/store.py, which fills it on the first run.
"""
import argparse
import gzip
import http.client
import os
import re
import statistics
import subprocess
import sys
import time
import urllib.parse

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from measuring.saved import save
from shared.paths import BENCH, ROOT
from shared.servers import Home, Server
from shared.smoke import add_option, smaller


class Browser:
    """A connection to a server that stays open, signed in as an admin."""

    def __init__(self, server):
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port)
        link = server.home.run(
            "accounts", "add", f"bench{os.getpid()}", "--role", "admin", "--server-url", server.url).stdout
        code = urllib.parse.urlsplit(link.split()[-1]).query
        self.connection.request(
            "POST", "/sign-in", code, {"Content-Type": "application/x-www-form-urlencoded"})
        answer = self.connection.getresponse()
        answer.read()
        self.cookie = answer.headers["Set-Cookie"].split(";")[0]

    def get(self, path):
        """The seconds until the last byte, and the received bytes."""
        start = time.perf_counter()
        self.connection.request("GET", path, headers={"Cookie": self.cookie, "Accept-Encoding": "gzip"})
        answer = self.connection.getresponse()
        body = answer.read()
        seconds = time.perf_counter() - start
        if answer.status != 200:
            sys.exit(f"{path} answers {answer.status}")
        return seconds, body, answer.headers.get("Content-Encoding")

    def page(self, path):
        _, body, coding = self.get(path)
        return (gzip.decompress(body) if coding == "gzip" else body).decode()


def measure(browser, options):
    groups = re.findall(r'href="(/groups/[^"/?]+)"', browser.page("/?status=all&sort=reports"))
    report = re.search(r'href="(/reports/[0-9a-f]+)', browser.page(groups[0]))[1]
    release = re.search(r'href="(/releases/[^"/]+/[^"]+)"', browser.page("/releases"))[1]
    app = re.search(r'href="(/apps/[^"/]+)"', browser.page("/apps"))[1]
    pages = [
        ("groups", "/"), ("groups by reports", "/?status=all&sort=reports"),
        ("groups of a search", "/?status=all&q=function%3Arender"),
        ("groups of a release", "/?status=all&q=version%3A" + release.rsplit("/", 1)[1].split("%20")[0]),
        ("the largest group", groups[0]), ("its reports", groups[0] + "/reports"),
        ("a completion", "/complete?word=function%3Aren"), ("a report", report),
        ("its explanation", report + "/explain"),
        ("releases", "/releases"), ("a release", release), ("missing symbols", "/symbols"),
        ("symbols by release", "/symbols/releases"), ("debug files", "/symbols/stored"),
        ("apps", "/apps"), ("an app", app), ("ledger", "/server"), ("audit log", "/server/audit"),
    ]
    print(f"\nPages of a home with {options.reports:,} reports, {os.cpu_count()} cores,"
          f" {options.rounds} rounds")
    print(f"  {'':20}  {'p50 ms':>8}  {'p95 ms':>8}  {'bytes':>9}  {'gzip':>8}")
    times = {name: [] for name, _ in pages}
    sizes = {}
    for _ in range(options.rounds):
        for name, path in pages:
            seconds, body, coding = browser.get(path)
            times[name].append(seconds * 1000)
            whole = gzip.decompress(body) if coding == "gzip" else body
            sizes[name] = (len(whole), len(body))
    rows = []
    for name, values in times.items():
        last = statistics.quantiles(values, n=20)[-1]
        whole, packed = sizes[name]
        print(f"  {name:20}  {statistics.median(values):8.1f}  {last:8.1f}  {whole:9,}  {packed:8,}")
        rows.append([name, f"{statistics.median(values):.1f}", f"{last:.1f}", f"{packed / 1000:.1f}"])
    save(f"pages-{options.reports}", ["page", "median ms", "p95 ms", "KB"], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--reports", type=int, default=smaller(100_000, 1_000))
    parser.add_argument("--rounds", type=int, default=smaller(40, 2))
    parser.add_argument("--lean", action="store_true", help="of a home that was filled so")
    add_option(parser)
    options = parser.parse_args()
    home = os.path.join(BENCH, f"home-{options.reports}")
    if not os.path.exists(os.path.join(home, "whole")):
        subprocess.run(
            [sys.executable, os.path.join(ROOT, "scripts/bench/store.py"), "--reports",
             str(options.reports), "home"] + ["--lean"] * options.lean + ["--smoke"] * options.smoke, check=True)
    with Home(path=home) as opened, Server(opened) as server:
        measure(Browser(server), options)


if __name__ == "__main__":
    main()
