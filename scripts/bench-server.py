#!/usr/bin/env python3
"""Measures the server's durable intake beside the same server's echo, and its memory.

A report of 15 KB is posted over 32 connections that stay open, by `mayday-bench http-load` on the same
machine. An answer of `mayday serve` means that the report is on the disk; the echo keeps nothing.
"""
import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MAYDAY = os.path.join(ROOT, ".build/release/mayday")
OWN = os.path.join(ROOT, ".build/release/mayday-bench")
SAMPLE = os.path.join(ROOT, "Samples/apple-ips/abort-1.0.0-macos-x86_64.ips")
SIZE = 15_000


def report(path):
    """A report of 15 KB: the sample, with a message that is as long as is left."""
    with open(SAMPLE, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(text + " " * (SIZE - len(text.encode())))


def memory(process, field):
    """Of a process and those that it started, in MB."""
    total = 0
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/status") as file:
                status = file.read()
        except OSError:
            continue
        parent = int(re.search(r"PPid:\s+(\d+)", status)[1])
        found = re.search(field + r":\s+(\d+)", status)
        if found and process in (int(name), parent):
            total += int(found[1])
    return total / 1024


def load(url, body, options, headers=()):
    command = [OWN, "http-load", url, "--connections", str(options.connections), "--seconds",
               str(options.seconds), "--body", body]
    for header in headers:
        command += ["--header", header]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: {done.stderr or done.stdout}")
    return done.stdout.strip()


def wait_for(text, path, process):
    for _ in range(500):
        with open(path) as file:
            found = re.search(text, file.read())
        if found:
            return found
        if process.poll() is not None:
            break
        time.sleep(0.02)
    raise SystemExit(f"{path}: the server did not start")


def rate(text):
    found = re.search(r"requests_per_second (\d+)", text)
    return int(found[1]) if found else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--connections", type=int, default=32)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--port", type=int, default=18099)
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="mayday-bench-server-")
    try:
        body = os.path.join(folder, "report.ips")
        report(body)
        with open(os.path.join(folder, "echo.txt"), "w") as log:
            echo = subprocess.Popen([OWN, "http", "echo", str(options.port)], stdout=log, stderr=log)
        time.sleep(0.5)
        echoed = load(f"http://127.0.0.1:{options.port}/echo", body, options)
        echo.send_signal(signal.SIGTERM)
        echo.wait()
        errors = os.path.join(folder, "errors.txt")
        with open(errors, "w") as log:
            server = subprocess.Popen(
                [MAYDAY, "serve", "--home", os.path.join(folder, "home"), "--listen",
                 str(options.port), "--rate", "0"], stderr=log)
        token = wait_for(r"mayday_\w+_\w+", errors, server)[0]
        url = f"http://127.0.0.1:{options.port}"
        time.sleep(1)
        idle = memory(server.pid, "VmRSS")
        taken = load(
            url + "/api/v1/reports", body, options, [f"Authorization: Bearer {token}"])
        peak = memory(server.pid, "VmHWM")
        start = time.monotonic()
        while True:
            request = urllib.request.Request(
                url + "/metrics", headers={"Authorization": f"Bearer {token}"})
            with urllib.request.urlopen(request) as answer:
                metrics = dict(re.findall(r"^(\w+) (\d+)$", answer.read().decode(), re.M))
            if metrics["mayday_queue_waiting"] == metrics["mayday_queue_working"] == "0":
                break
            time.sleep(0.1)
        server.send_signal(signal.SIGTERM)
        server.wait()
        print(f"\n{options.connections} connections, a report of {SIZE} bytes\n")
        print(f"echo    {echoed}")
        print(f"intake  {taken}")
        print(f"\nintake against the echo: {rate(taken) / max(rate(echoed), 1):.2f}")
        print(f"accepted {metrics['mayday_intake_accepted_total']}, all of them filed"
              f" {time.monotonic() - start:.1f} s after the last")
        print(f"memory of server and worker: idle {idle:.0f} MB, peak {peak:.0f} MB")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main())
