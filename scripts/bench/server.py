#!/usr/bin/env python3
"""Measures the server's durable intake beside the same server's echo and beside Bugsink.

A report of 15 KB, each time another one, is posted over 32 connections that stay open, by
`mayday-bench http-load` on the same machine. An answer of `mayday serve` means that the report is on the
disk; the echo keeps nothing. Bugsink, with two processes of gunicorn, gets an event of the same size as
its SDKs send it: once with its queue, which is its intake, once without, which files before it answers.
"""
import argparse
import hashlib
import http.client
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from measuring.saved import save
from peers.bugsink import Bugsink
from shared.paths import MAYDAY_BENCH, ROOT
from shared.servers import Home, Server, free_port
from shared.smoke import IS_SMOKE, add_option, smaller

SAMPLE = os.path.join(ROOT, "Samples/apple-ips/raised-exception-1.1.0-macos-arm64.ips")
SIZE = 15_000
# Stands for a number that is another in each request.
MARK = "beefbeefbeef"


def padding(count):
    """Text as a log's, which does not compress to nothing."""
    words, line = [], 0
    while sum(map(len, words)) < count:
        digest = hashlib.sha256(str(line).encode()).hexdigest()
        words.append(f"{line:06} request {digest[:12]} took {int(digest[:3], 16)} ms; ")
        line += 1
    return "".join(words)[:count]


def report(path):
    """A report of 15 KB: the sample, each time another incident, with a log as long as is left."""
    with open(SAMPLE, encoding="utf-8") as file:
        head, body = file.read().split("\n", 1)
    value = json.loads(body)
    incident = value["incident"][:24] + MARK
    head = head.replace(value["incident"], incident)
    value["incident"] = incident
    value["asi"] = {"log": [""]}
    left = SIZE - len(head) - 1 - len(json.dumps(value))
    value["asi"] = {"log": [padding(left)]}
    with open(path, "w", encoding="utf-8") as file:
        file.write(head + "\n" + json.dumps(value))


def envelope(path, key):
    """The peer's: an event of 15 KB with an exception and its stack, each time another id."""
    event = "0" * 20 + MARK
    frames = [{"function": f"handler_{index}", "module": f"shop.views.part{index % 7}",
               "filename": f"shop/views/part{index % 7}.py", "lineno": 10 + index, "in_app": True,
               "context_line": padding(80)} for index in range(40)]
    value = {"event_id": event, "timestamp": time.time(), "platform": "python", "level": "error",
             "release": "shop@1.4.2", "environment": "production", "user": {"id": MARK},
             "exception": {"values": [{"type": "KeyError", "value": "basket",
                                       "stacktrace": {"frames": frames}}]},
             "extra": {"log": ""}}
    value["extra"]["log"] = padding(SIZE - 200 - len(json.dumps(value)))
    with open(path, "w", encoding="utf-8") as file:
        for part in ({"event_id": event, "dsn": f"http://{key}@127.0.0.1/1"}, {"type": "event"}):
            file.write(json.dumps(part) + "\n")
        file.write(json.dumps(value) + "\n")


def memory(process, field, file="status"):
    """Of a process and those that it started, in MB."""
    total = 0
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            if process not in (int(name), parent(name)):
                continue
            with open(f"/proc/{name}/{file}", encoding="utf-8") as lines:
                found = re.search(rf"^{field}:\s+(\d+)", lines.read(), re.M)
        except OSError:
            continue
        total += int(found[1]) if found else 0
    return total / 1024


def rest(server):
    """Waits until the server is one process again, as it is when nothing comes."""
    for _ in range(900):
        children = [name for name in os.listdir("/proc") if name.isdigit() and parent(name) == server]
        if not children:
            return
        time.sleep(0.1)
    raise SystemExit("the worker does not end")


def parent(name):
    try:
        with open(f"/proc/{name}/status", encoding="utf-8") as status:
            return int(re.search(r"PPid:\s+(\d+)", status.read())[1])
    except OSError:
        return 0


def load(url, body, options, headers=()):
    command = [MAYDAY_BENCH, "http-load", url, "--connections", str(options.connections), "--seconds",
               str(options.seconds), "--body", body, "--unique", MARK]
    for header in headers:
        command += ["--header", header]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: {done.stderr or done.stdout}")
    return done.stdout.strip()


def shares(text):
    """The latencies of `http-load` in ms, each with its name."""
    found = dict(re.findall(r"latency_us_(\w+) (\d+)", text))
    return [(name, f"{int(found[name]) / 1000:.1f}") for name in ("p50", "p90", "p99")]


def latencies(text):
    """Of `http-load`, in ms."""
    figures = ", ".join(f"{name} {value}" for name, value in shares(text))
    refused = [line for line in text.split("\n")
               if line.startswith("status_") and not line.startswith("status_20")]
    return f"{figures} ms" + "".join(f", {line}" for line in refused)


def rate(text):
    found = re.search(r"requests_per_second (\d+)", text)
    return int(found[1]) if found else 0


def settle(server):
    """Waits until all that was accepted is stored; the figures, how many were stored here, and the seconds."""
    def done(figures):
        return sum(figures[f'mayday_intake_done_total{{outcome="{outcome}"}}']
                   for outcome in ("stored", "duplicate"))

    start, first = time.monotonic(), done(server.metrics())
    figures = server.settle()
    return figures, done(figures) - first, time.monotonic() - start


def measure_echo(body, options):
    port = free_port()
    echo = subprocess.Popen([MAYDAY_BENCH, "http", "echo", str(port)], stdout=subprocess.DEVNULL)
    time.sleep(0.5)
    try:
        return load(f"http://127.0.0.1:{port}/echo", body, options)
    finally:
        echo.send_signal(signal.SIGTERM)
        echo.wait()


def measure_mayday(body, options):
    with Home() as home, Server(home, "--rate", "0") as server:
        time.sleep(1)
        idle = memory(server.pid, "VmRSS")
        share = memory(server.pid, "Pss", "smaps_rollup")
        taken = load(
            server.url + "/api/v1/reports", body, options, [f"Authorization: Bearer {server.token}"])
        figures, done, seconds = settle(server)
        peak = memory(server.pid, "VmHWM")
        # The worker waits for a minute before it ends.
        if not IS_SMOKE:
            rest(server.pid)
        again = memory(server.pid, "VmRSS")
    return {"taken": taken, "idle": idle, "share": share, "again": again, "peak": peak,
            "stored": done / max(seconds, 0.001),
            "accepted": figures["mayday_intake_accepted_total"], "seconds": seconds}


def measure_bugsink(folder, options, queued):
    peer = Bugsink(folder, free_port(), queued)
    try:
        body = os.path.join(folder, "event.txt")
        envelope(body, peer.key)
        idle = sum(memory(process.pid, "VmRSS") for process in peer.processes)
        taken = load(peer.url, body, options, peer.headers)
        # What it has stored at the end of the load; the rest is in its queue.
        stored = peer.stored()
        peak = sum(memory(process.pid, "VmHWM") for process in peer.processes)
    finally:
        peer.stop()
    return {"taken": taken, "idle": idle, "peak": peak, "stored": stored / options.seconds}


def send(name, body, port, token, is_over, sent, acknowledged):
    """Hands in reports, each another one, until the server is gone."""
    number = 0
    while not is_over.is_set():
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        try:
            while not is_over.is_set():
                number += 1
                own = f"{name}-{number}"
                sent.append(own)
                connection.request(
                    "POST", f"/api/v1/reports?name={own}", body + own.encode(),
                    {"Authorization": f"Bearer {token}"})
                answer = connection.getresponse()
                answer.read()
                if answer.status == 202:
                    acknowledged.append(own)
        except (OSError, http.client.HTTPException):
            time.sleep(0.01)
        finally:
            connection.close()


def kill(options):
    """Kills the server at random instants under load; what it acknowledged must be there, once."""
    with open(SAMPLE, "rb") as file:
        body = file.read() + b"\n"
    chance = random.Random(7)
    sent, acknowledged = [], []
    with Home() as home:
        # What is beyond the daily limit of a group is only counted, and could not be told from what is lost.
        server = Server(home, "--rate", "0", "--keep-per-day", "0")
        for turn in range(options.kills):
            server.start()
            is_over = threading.Event()
            clients = [threading.Thread(target=send, args=(
                f"{turn}-{client}", body, server.port, home.token, is_over, sent, acknowledged))
                for client in range(4)]
            for client in clients:
                client.start()
            time.sleep(chance.uniform(0.02, 0.6))
            server.kill()
            is_over.set()
            for client in clients:
                client.join()
        with server:
            server.settle()
        names = [report["file"] for report in json.loads(home.run("reports", "--json", "--limit", "0").stdout)]
        does_agree = home.run("stats", "--ledger", status=None).returncode == 0
    print(f"{options.kills} kills, {len(sent)} reports sent, {len(acknowledged)} acknowledged,"
          f" {len(names)} stored: {len(set(acknowledged) - set(names))} lost,"
          f" {len(names) - len(set(names))} twice,"
          f" {len(set(names) - set(sent))} of nobody; the sums"
          f" {'agree' if does_agree else 'DISAGREE'}")
    return 0 if set(acknowledged) <= set(names) and len(names) == len(set(names)) and does_agree else 1


QUESTIONS = ["groups", "stats", "reports?limit=50", "groups?query=function:main",
             "reports?query=os:macOS&limit=20", "apps"]


def soak(server, body, options):
    """The memory of server and worker, and the time of answers, while reports come at a rate and
    clients ask."""
    begin, times, refused, is_over = time.monotonic(), {}, [], threading.Event()

    def ask(connection, method, path, body=None):
        start = time.monotonic()
        connection.request(method, path, body, {"Authorization": f"Bearer {server.token}"})
        answer = connection.getresponse()
        answer.read()
        times.setdefault(f"{method} {path}", []).append(time.monotonic() - start)
        if answer.status >= 300:
            refused.append((path, answer.status))

    def hand_in(client):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        number = 0
        while not is_over.is_set():
            number += 1
            own = body.replace(MARK.encode(), b"%012x" % (client << 36 | number))
            ask(connection, "POST", "/api/v1/reports", own)
            time.sleep(max(0, begin + number * 4 / options.rate - time.monotonic()))

    def question(client):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        number = client
        while not is_over.is_set():
            ask(connection, "GET", "/api/v1/" + QUESTIONS[number % len(QUESTIONS)])
            number += 1
            time.sleep(0.02)

    threads = [threading.Thread(target=work, args=(client,))
               for work in (hand_in, question) for client in range(4)]
    for thread in threads:
        thread.start()
    peak = 0
    while time.monotonic() < begin + options.soak:
        time.sleep(0.5)
        peak = max(peak, memory(server.pid, "VmRSS"))
    is_over.set()
    for thread in threads:
        thread.join()
    figures, _, seconds = settle(server)
    print(f"{figures['mayday_intake_accepted_total']} reports in {options.soak} s, the last stored"
          f" {seconds:.1f} s later; {len(refused)} refused {refused[:3]}")
    print(f"memory      {peak:6.0f} MB at most, of server and worker")
    for name, values in sorted(times.items()):
        values.sort()
        median, late = (values[int(len(values) * share)] * 1000 for share in (0.5, 0.99))
        print(f"{name:<45} {len(values):6}  p50 {median:.1f}, p99 {late:.1f} ms")
    return 1 if refused else 0


def leave(echoed, own, queue, eager):
    """The table of the page."""
    def row(name, taken, stored="", idle="", peak=""):
        cells = [f"{rate(taken):,}", *(value for _, value in shares(taken))]
        return [name, *cells, *(f"{value:,.0f}" if value else "" for value in (stored, idle, peak))]

    save("intake", ["", "accepted/s", "p50 ms", "p90 ms", "p99 ms", "stored/s", "idle MB", "at most MB"], [
        row("echo", echoed), row("Mayday", own["taken"], own["stored"], own["idle"], own["peak"]),
        row("Bugsink, with its queue", queue["taken"], "", queue["idle"], queue["peak"]),
        row("Bugsink, without", eager["taken"], eager["stored"], eager["idle"], eager["peak"])])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--connections", type=int, default=32)
    parser.add_argument("--seconds", type=int, default=smaller(10, 1))
    parser.add_argument("--alone", action="store_true", default=IS_SMOKE, help="without the peer")
    parser.add_argument("--kills", type=int, default=0, help="kill it so often, and nothing else")
    parser.add_argument("--soak", type=int, default=0, metavar="SECONDS",
                        help="hand in reports at a rate so long and ask meanwhile, and nothing else")
    parser.add_argument("--rate", type=int, default=200, help="of a soak, reports a second")
    add_option(parser)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mayday-bench-") as folder:
        body = os.path.join(folder, "report.ips")
        report(body)
        if options.soak:
            with open(body, "rb") as file, Home() as home, Server(home, "--rate", "0") as server:
                return soak(server, file.read(), options)
        if options.kills:
            return kill(options)
        print(f"{options.connections} connections, {SIZE} bytes, each time another report\n")
        echoed = measure_echo(body, options)
        print(f"echo        {rate(echoed):6}/s  {latencies(echoed)}")
        own = measure_mayday(body, options)
        taken = rate(own["taken"])
        print(f"intake      {taken:6}/s  {latencies(own['taken'])}")
        print(f"stored      {own['stored']:6.0f}/s  after the load; the last of {own['accepted']}"
              f" {own['seconds']:.1f} s later")
        print(f"memory      {own['idle']:6.0f} MB idle ({own['share']:.0f} MB PSS),"
              f" {own['peak']:.0f} MB at most, of server and worker,"
              f" {own['again']:.0f} MB when idle again")
        print(f"intake against the echo: {taken / max(rate(echoed), 1):.2f}")
        if options.smoke:
            print("Bugsink is left out: it is fetched")
        if options.alone:
            return 0
        queue = measure_bugsink(os.path.join(folder, "queued"), options, True)
        eager = measure_bugsink(os.path.join(folder, "eager"), options, False)
        print(f"\nBugsink     {rate(queue['taken']):6}/s  {latencies(queue['taken'])}, with its queue")
        print(f"stored      {eager['stored']:6.0f}/s  before the answer, without its queue")
        print(f"memory      {queue['idle']:6.0f} MB idle, {queue['peak']:.0f} MB at most")
        print(f"intake against Bugsink's: {taken / max(rate(queue['taken']), 1):.1f}x,"
              f" stored: {own['stored'] / max(eager['stored'], 0.001):.1f}x")
        leave(echoed, own, queue, eager)
        return 0


if __name__ == "__main__":
    sys.exit(main())
