#!/usr/bin/env python3
"""Measures checks for updates beside nginx, which serves a file of the size of the answer.

Each installed copy of an app asks `mayday serve` whenever somebody opens it. `mayday-bench http-load` asks
both over 32 connections that stay open, in turn (A B A B ...); the file of nginx is the server's answer.
"""
import argparse
import contextlib
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
import urllib.request

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from measuring.releases import CHECK, fill
from measuring.saved import save
from shared.paths import MAYDAY_BENCH
from shared.servers import Home, Server, free_port
from shared.smoke import add_option, smaller


def start_nginx(program, folder, port, answer):
    os.mkdir(os.path.join(folder, "site"))
    os.chmod(folder, 0o755)
    with open(os.path.join(folder, "site", "latest.json"), "wb") as file:
        file.write(answer)
    configuration = os.path.join(folder, "nginx.conf")
    with open(configuration, "w", encoding="utf-8") as file:
        file.write(f"""
daemon off; worker_processes auto; pid {folder}/nginx.pid; error_log {folder}/nginx.txt;
events {{ worker_connections 1024; }}
http {{
  access_log {folder}/access.txt; sendfile on; tcp_nopush on; keepalive_requests 1000000000;
  open_file_cache max=100; types {{ application/json json; }}
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fast;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  server {{ listen 127.0.0.1:{port}; root {folder}/site; }}
}}
""")
    process = subprocess.Popen([program, "-c", configuration, "-p", folder])
    return process, f"http://127.0.0.1:{port}/latest.json"


def wait_for(url):
    for _ in range(250):
        try:
            with urllib.request.urlopen(url) as answer:
                return answer.read()
        except OSError:
            time.sleep(0.02)
    raise SystemExit(f"{url}: no answer")


def load(url, options):
    command = [MAYDAY_BENCH, "http-load", url, "--connections", str(options.connections), "--seconds",
               str(options.seconds)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: {done.stderr or done.stdout}")
    found = dict(re.findall(r"^(\w+) (\d+)$", done.stdout, re.M))
    wrong = [name for name in found if name.startswith("status_") and name != "status_200"]
    if wrong:
        raise SystemExit(f"{url}: {' '.join(wrong)}")
    return int(found["requests_per_second"]), int(found["latency_us_p50"]), int(found["latency_us_p99"])


@contextlib.contextmanager
def nginx(folder, answer):
    """The address of a file with the answer, which nginx serves; None where it is not installed."""
    program = shutil.which("nginx") or "/usr/sbin/nginx"
    if not os.path.exists(program):
        print("nginx is not installed: there is nothing to compare with", file=sys.stderr)
        yield None
        return
    process, url = start_nginx(program, folder, free_port(), answer)
    try:
        wait_for(url)
        yield url
    finally:
        process.terminate()
        process.wait()


def compare(server, options):
    """Asks both in turn, and prints how many answers a second each gave."""
    sites = {"mayday": server.url + CHECK}
    answer = wait_for(sites["mayday"])
    with nginx(server.home.folder, answer) as url:
        if url:
            sites["nginx"] = url
        taken = {name: [] for name in sites}
        for _ in range(options.runs):
            for name, url in sites.items():
                taken[name].append(load(url, options))
    print(f"checks for updates, {len(answer)} bytes each, {options.connections} connections")
    rates, rows = {}, []
    for name, runs in taken.items():
        rate, p50, p99 = (statistics.median(run[index] for run in runs) for index in range(3))
        rates[name] = rate
        print(f"  {name:8} {rate:9,.0f} a second   p50 {p50 / 1000:.2f} ms   p99 {p99 / 1000:.2f} ms")
        rows.append([name, f"{rate:,.0f}", f"{p50 / 1000:.2f}", f"{p99 / 1000:.2f}"])
    if "nginx" in rates:
        ratio = rates["mayday"] / rates["nginx"]
        print(f"  mayday / nginx {ratio:.2f}")
        save("updates", ["", "answers/s", "p50 ms", "p99 ms"], rows + [["mayday to nginx", f"{ratio:.2f}", "", ""]])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--connections", type=int, default=32)
    parser.add_argument("--seconds", type=int, default=smaller(3, 1))
    parser.add_argument("--runs", type=int, default=smaller(5, 1))
    parser.add_argument("--releases", type=int, default=smaller(20, 2))
    add_option(parser)
    options = parser.parse_args()
    with Home() as home:
        fill(home, options.releases)
        with Server(home) as server:
            compare(server, options)


if __name__ == "__main__":
    main()
