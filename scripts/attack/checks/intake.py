"""Whoever has no token neither ends the server, nor takes what others need, nor loses their reports."""
import http.client
import json
import os
import random
import re
import signal
import subprocess
import threading
import time
import uuid

LOG = json.dumps({"logs": [{
    "type": "handledError", "id": "%s", "timestamp": "2024-01-01T00:00:00Z",
    "exception": {"type": "Error", "message": "marked %s", "frames": [
        {"className": "a", "methodName": "b", "fileName": "c", "lineNumber": 1}]}}]})


def latencies(server, seconds, path="/healthz"):
    """How long each of many requests took, in seconds."""
    times, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        begun = time.monotonic()
        status, _, _ = server.request("GET", path, token=False, timeout=60)
        assert status == 200, status
        times.append(time.monotonic() - begun)
        time.sleep(0.01)
    return sorted(times)


def logs(server, secret, body=b'{"logs":[]}', client=None):
    own = client or http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    own.request("POST", "/logs", body, {"App-Secret": secret, "Install-ID": str(uuid.uuid4())})
    answer = own.getresponse()
    answer.read()
    if client is None:
        own.close()
    return answer


def check_lengths(server):
    """A length that no route takes is 413 everywhere, with a submission waiting before it"""
    server.start("--rate", "0")
    document = json.loads(server.request("GET", "/api/v1/openapi.json")[2])
    routes = [(method.upper(), re.sub(r"\{\w+\}", "x", path))
              for path, methods in document["paths"].items()
              for method in methods if method in ("post", "put", "patch", "delete")]
    routes += [("POST", "/logs"), ("POST", "/a/b/logs"), ("PUT", "/symbol-blobs/x"),
               ("POST", "/v0.1/apps/o/a/symbol_uploads"), ("PATCH", "/v0.1/apps/o/a/symbol_uploads/x"),
               ("POST", "/v0.1/apps/o/a/errors/upload"), ("POST", "/v0.1/none")]
    assert len(routes) > 20, routes
    waiting = b"POST /logs HTTP/1.1\r\nHost: x\r\nApp-Secret: a\r\nContent-Length: 11\r\n\r\n{\"logs\":[]}"
    for length in (2 ** 63 - 1, 2 ** 63, 2 ** 64 - 1):
        for method, path in routes:
            head = (f"{method} {path} HTTP/1.1\r\nHost: x\r\nApp-Secret: a\r\n"
                    f"Content-Length: {length}\r\n\r\n").encode()
            for before in (b"", waiting):
                # The body of the first answer ends without a line's end.
                answer = server.raw(before + head + b"x", shut=False)
                statuses = [int(code) for code in re.findall(rb"HTTP/1\.1 (\d\d\d) ", answer)]
                assert statuses == [200] * bool(before) + [413], f"{method} {path} {length}: {statuses}"


def check_secrets(server):
    """3,000 made up secrets in 5 s and wrong keys leave others their answers, and make no more apps than allowed"""
    server.start("--rate", "0", "--unknown-app-limit", "200")
    client = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    statuses, begun = {}, time.monotonic()
    for _ in range(3000):
        status = logs(server, str(uuid.uuid4()), client=client).status
        statuses[status] = statuses.get(status, 0) + 1
    print(f"        secrets: {statuses} in {time.monotonic() - begun:.1f} s")
    assert statuses.get(200) == 200 and statuses.get(503) == 2800, statuses
    isOver = threading.Event()

    def knock():
        own = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        while not isOver.is_set():
            own.request("POST", "/api/v1/reports", b"x", {"X-App-Key": uuid.uuid4().hex})
            own.getresponse().read()
        own.close()

    threads = [threading.Thread(target=knock) for _ in range(4)]
    for thread in threads:
        thread.start()
    times = latencies(server, 5)
    isOver.set()
    for thread in threads:
        thread.join()
    p99 = times[int(len(times) * 0.99)]
    print(f"        /healthz: median {times[len(times) // 2] * 1e3:.1f} ms, 99 % {p99 * 1e3:.1f} ms")
    assert p99 < 0.25, f"/healthz took {p99:.2f} s"
    apps = json.loads(server.request("GET", "/api/v1/apps?limit=1000")[2])["items"]
    assert len(apps) <= 200, len(apps)


def check_rate(server):
    """A flood of logs is asked to come again, in the words of SDKs"""
    server.start("--rate", "50")
    answers = [logs(server, "a") for _ in range(80)]
    refused = [answer for answer in answers if answer.status == 503]
    assert len(refused) >= 20, len(refused)
    assert all(int(answer.headers["x-ms-retry-after-ms"]) > 0 for answer in refused)


def check_slow_bodies(server):
    """17 bodies of 31 MiB that never end keep nobody out, stay out of memory, and are ended"""
    server.start("--rate", "0")
    length = 32 << 20
    piece = b"x" * (1 << 20)
    clients = []
    for _ in range(17):
        client = server.connect(60)
        client.sendall(
            f"POST /logs HTTP/1.1\r\nHost: x\r\nApp-Secret: a\r\nContent-Length: {length}\r\n\r\n".encode())
        try:
            for _ in range(31):
                client.sendall(piece)
        except OSError:
            pass
        clients.append(client)
    time.sleep(1)
    memory = server.memory()
    status = logs(server, "b", (LOG % (uuid.uuid4(), 1)).encode()).status
    own, _, _ = server.request("POST", "/api/v1/reports", b"x" * 1000)
    print(f"        memory {memory:.0f} MB; another's logs {status}, reports {own}")
    assert status == 200 and own in (200, 202), (status, own)
    assert memory < 200, f"{memory:.0f} MB"
    begun = time.monotonic()
    left = clients
    while left and time.monotonic() - begun < 60:
        time.sleep(1)
        still = []
        for client in left:
            try:
                client.sendall(b"x")
                client.settimeout(0.01)
                if client.recv(4096) == b"":
                    continue
            except TimeoutError:
                still.append(client)
            except OSError:
                continue
            else:
                still.append(client)
        left = still
    print(f"        all ended after {time.monotonic() - begun:.0f} s")
    assert not left, f"{len(left)} connections are still open"


def check_unknown_tokens(server):
    """4,000 unknown tokens of 60 KB are not remembered"""
    server.request("GET", "/api/v1/apps")
    before = server.memory()
    for form in ("%060000d", "mayday_%012d_" + "x" * 60_000):
        client = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        for number in range(2000):
            client.request("GET", "/api/v1/apps", headers={"X-API-Token": form % number})
            answer = client.getresponse()
            answer.read()
            if answer.status not in (401, 431):
                raise AssertionError(answer.status)
            if answer.will_close:
                client.close()
        client.close()
    more = server.memory() - before
    print(f"        memory: {more:+.0f} MB")
    assert more < 60, f"{more:.0f} MB more"


def check_pauses(server):
    """Server and worker are stopped, continued and killed at any moment: nothing acknowledged is lost"""
    random.seed(7)
    # What is beyond the daily limit of a group is only counted, and could not be told from what is lost.
    options = ["--rate", "0", "--keep-per-day", "0"]
    server.start(*options)
    secret = str(uuid.uuid4())
    accepted, lock, isOver = [], threading.Lock(), threading.Event()
    number = iter(range(10 ** 9))

    def send():
        while not isOver.is_set():
            with lock:
                mark = f"m{next(number):06d}"
            # A large one is a file of its own.
            text = LOG % (uuid.uuid4(), mark)
            if random.random() < 0.05:
                text = text.replace('"frames"', '"stackTrace": "' + "y" * 300_000 + '", "frames"')
            # Not `server.port`: between a kill and the next start that would start a server of its own.
            client = http.client.HTTPConnection("127.0.0.1", server._port, timeout=60)
            try:
                if logs(server, secret, text.encode(), client).status == 200:
                    with lock:
                        accepted.append(mark)
            except (OSError, http.client.HTTPException):
                time.sleep(0.05)
            finally:
                client.close()

    def children(pid):
        found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True)
        return [int(word) for word in found.stdout.split()]

    threads = [threading.Thread(target=send) for _ in range(6)]
    for thread in threads:
        thread.start()
    for turn in range(12):
        time.sleep(random.uniform(0.2, 0.8))
        pid = server.process.pid
        for target in [pid, *children(pid)]:
            try:
                os.kill(target, signal.SIGSTOP)
                time.sleep(random.uniform(0.01, 0.3))
                if random.random() < 0.3 and target != pid:
                    os.kill(target, signal.SIGKILL)
                else:
                    os.kill(target, signal.SIGCONT)
            except ProcessLookupError:
                pass
        if turn % 4 == 3:
            server.kill()
            server.start(*options)
    isOver.set()
    for thread in threads:
        thread.join()
    # What a worker died of too often is quarantined, which is not lost.
    time.sleep(2)
    server.request("POST", "/api/v1/intake/retry")
    for _ in range(600):
        metrics = server.request("GET", "/metrics")[2].decode()
        waiting = sum(int(float(value)) for value in re.findall(
            r"^mayday_queue_(?:waiting|working)(?:_submissions)? (\S+)", metrics, re.M))
        if waiting == 0 and "mayday_queue" in metrics:
            break
        time.sleep(0.1)
    time.sleep(1)
    server.stop()
    found = set(re.findall(r"marked (m\d{6})", server.run("export", "--json", timeout=300, status=None)))
    if not found:
        found = set()
        reports = json.loads(server.run("reports", "--json", "--limit", "1000000", timeout=300))
        found = set(re.findall(r"marked (m\d{6})", json.dumps(reports)))
    lost = [mark for mark in accepted if mark not in found]
    print(f"        {len(accepted)} acknowledged, {len(lost)} lost")
    assert len(accepted) > 50 and not lost, f"{len(lost)} of {len(accepted)} lost: {lost[:5]}"
    server.run("stats", "--ledger")
