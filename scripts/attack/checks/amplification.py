"""Little that is sent with an app's public key becomes no more than a submission may hold, and keeps nobody else
waiting."""
import gzip
import io
import json
import lzma
import os
import tarfile
import threading
import time
import zipfile

from disk import SmallDisk, wait

LINE = b"WARNING: CPU: 0 PID: 1 at a.c:1 %s+0x1/0x2\n"
REPORTS = 1_000
# Seconds within which a report of another app has to be stored.
PATIENCE = 10


def zipped(members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        for name, data in members:
            file.writestr(name, data)
    return out.getvalue()


def tarred(members):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as file:
        for name, data in members:
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            file.addfile(entry, io.BytesIO(data))
    return out.getvalue()


def nested(width, levels, inner, pack):
    for level in range(levels):
        inner = pack([(f"{level}-{index}", inner) for index in range(width)])
    return inner


def app(server, name):
    """Makes an app; gives its key."""
    server.start("--rate", "0") if server.process is None else None
    body = json.dumps({"name": name}).encode()
    status, _, answer = server.request(
        "POST", "/api/v1/apps", body, {"Content-Type": "application/json"})
    assert status in (200, 201), (status, answer)
    return json.loads(server.request("GET", f"/api/v1/apps/{name}")[2])["intake_key"]


def post(server, key, body, **headers):
    status, _, answer = server.request(
        "POST", "/api/v1/reports", body, {"X-App-Key": key, **headers}, token=False, timeout=60)
    return status, json.loads(answer)


def submission(server, key, name):
    return json.loads(server.request(
        "GET", f"/api/v1/submissions/{name}", headers={"X-App-Key": key}, token=False)[2])


def ledger(server, name):
    """The account of an app; fails where a sum does not agree."""
    answer = json.loads(server.request("GET", "/api/v1/ledger", timeout=120)[2])
    assert not answer.get("faults"), answer["faults"]
    accounts = answer["apps"]
    return next(account for account in accounts if account.get("app") == name)


def finished(server, key, answer, seconds=120):
    """The end of a submission."""
    found = {}

    def is_done():
        found.update(submission(server, key, answer["id"]))
        return found["status"] != "waiting"

    wait(is_done, seconds, "the submission is done")
    return found


INPUTS = {
    "a log in gzip": lambda: gzip.compress(LINE % b"f" * 12_000, 9),
    "logs in a zip": lambda: zipped([(f"{i}.txt", LINE % b"f%d" % i * 10_000) for i in range(12)]),
    "logs in xz in tar": lambda: tarred(
        [(f"{i}.xz", lzma.compress(LINE % b"g%d" % i * 10_000)) for i in range(8)]),
    "events as JSON lines": lambda: b"".join(
        b'{"event_id":"%032x","platform":"native","exception":{"values":[{"type":"E","value":"%d"}]}}\n'
        % (i, i) for i in range(5_000)),
}


def check_reports_of_a_submission(server):
    """Few bytes with a key become 1,000 reports at the most; the ledger has the others, and its sums agree"""
    key = app(server, "Loud")
    for name, make in INPUTS.items():
        before = ledger(server, "Loud")["reports"]["stored"] if name != "a log in gzip" else 0
        status, answer = post(server, key, make())
        assert status == 202, (name, status, answer)
        found = finished(server, key, answer)
        account = ledger(server, "Loud")
        stored = account["reports"]["stored"] - before
        assert stored <= REPORTS, f"{name}: {stored} reports"
        if found["status"] == "stored" and name != "events as JSON lines":
            assert stored == REPORTS, f"{name}: {stored} reports"
            assert any("limit" in file["reason"] for file in found["refused"]), (name, found["refused"])
    left = account["reports"]["left_out"]
    assert left["count"] > 9_000, left


def check_logs_of_a_request(server):
    """One request of 10,000 logs with a secret becomes 1,000 reports; the others are counted"""
    server.start("--rate", "0")
    log = ('{"type":"handledError","id":"a3c1f0d2-5b7e-4e19-8c3a-%012x","timestamp":"2026-03-02T10:12:01Z",'
           '"exception":{"type":"E","message":"m","frames":[{"className":"a.B","methodName":"c%d"}]},'
           '"device":{"appVersion":"1"}}')
    body = gzip.compress(
        ('{"logs":[' + ",".join(log % (i, i % 20) for i in range(10_000)) + "]}").encode(), 9)
    secret = "5b1e6c1c-3c51-4e0b-9f4e-2e3c7e0b7a10"
    status, _, _ = server.request(
        "POST", "/logs", body, {"App-Secret": secret, "Content-Encoding": "gzip"}, token=False)
    assert status == 200, status

    def accounts():
        answer = json.loads(server.request("GET", "/api/v1/ledger", timeout=120)[2])
        assert not answer.get("faults"), answer["faults"]
        return [one for one in answer["apps"]
                if one["reports"]["stored"] > 0]

    wait(lambda: accounts(), 60, "the logs are stored")
    account = accounts()[0]
    assert account["reports"]["stored"] == REPORTS, account["reports"]
    assert account["reports"]["left_out"]["count"] == 9_000, account["reports"]


def check_submissions_pay_for_what_they_hold(server):
    """What a submission held is taken from the rate of its sender and of its app"""
    server.start("--rate", "100")
    key = app(server, "Loud")
    status, answer = post(server, key, gzip.compress(LINE % b"f" * 5_000, 9))
    assert status == 202
    time.sleep(1.5)
    finished(server, key, answer)
    time.sleep(1.5)
    status, answer = post(server, key, LINE % b"g")
    assert status == 429, (status, answer)


COSTLY = {
    "zips in zips": lambda: nested(16, 4, zipped([("a", b"x")]), zipped),
    "wide zips in zips": lambda: nested(64, 3, zipped([("a", b"x")]), zipped),
    "xz in tars in tars": lambda: nested(
        40, 2, lzma.compress(b"x"), lambda members: gzip.compress(tarred(members))),
    "30 files of 30 MB": lambda: zipped(
        [(f"{i}.zip", zipped([("a.txt", LINE % b"f" * 700_000)])) for i in range(30)]),
    "120,000 reports": lambda: zipped([(f"{i}.txt", LINE % b"f%d" % i * 10_000) for i in range(12)]),
}


def others_wait(server, loud, quiet, quiet_key, send):
    """A report of another app is stored in time while `send` sends what costs much."""
    for name, make in COSTLY.items():
        body = make()
        for _ in range(5):
            assert send(body) == 202, name
        time.sleep(0.5)
        begun = time.monotonic()
        status, answer = post(server, quiet_key, LINE % b"q%d" % int(begun * 1_000_000))
        assert status == 202
        found = finished(server, quiet_key, answer)
        seconds = time.monotonic() - begun
        assert found["status"] == "stored", found
        print(f"        {name}, {len(body):,} bytes: another app's report was stored in {seconds:.1f} s")
        assert seconds <= PATIENCE, f"{name}: another app's report took {seconds:.1f} s"


def check_other_apps_go_on(server):
    """While one app's key sends archives in archives and floods, another app's report is stored in 10 s"""
    server.start("--rate", "0")
    key, quiet = app(server, "Loud"), app(server, "Quiet")
    others_wait(server, "Loud", "Quiet", quiet, lambda body: post(server, key, body)[0])


def check_other_apps_go_on_beside_a_stream(server):
    """While one app's key sends 39 kB of archives in archives again and again, another's reports are stored in 10 s"""
    server.start("--rate", "0")
    key, quiet = app(server, "Loud"), app(server, "Quiet")
    inner = nested(19, 6, zipped([("a", b"x")]), zipped)
    sent, is_over = [], threading.Event()

    def send():
        while not is_over.is_set():
            # The name makes each a submission of its own.
            sent.append(post(server, key, zipped([(str(len(sent)), inner)]))[0])

    sender = threading.Thread(target=send)
    sender.start()
    longest = 0.0
    try:
        for number in range(10):
            time.sleep(1)
            begun = time.monotonic()
            status, answer = post(server, quiet, LINE % b"s%d" % number)
            assert status == 202, (status, answer)
            found = finished(server, quiet, answer)
            assert found["status"] == "stored", found
            longest = max(longest, time.monotonic() - begun)
    finally:
        is_over.set()
        sender.join()
    print(f"        {len(sent)} of {len(inner):,} bytes were sent: "
          f"another app's report was stored in {longest:.1f} s at the most")
    assert len(sent) > 10 and set(sent) <= {202, 503}, set(sent)
    assert longest <= PATIENCE, f"another app's report took {longest:.1f} s"


def check_other_apps_go_on_beside_tokens(server):
    """While a token sends large archives for one app, another app's report is stored in 10 s"""
    server.start("--rate", "0")
    app(server, "Loud")
    quiet = app(server, "Quiet")
    others_wait(
        server, "Loud", "Quiet", quiet,
        lambda body: server.request("POST", "/api/v1/reports?app=Loud", body, timeout=60)[0])


def check_large_submissions_leave_the_reserve(server):
    """Large submissions fill the disk up to its reserve and wait; others' are stored, and gc makes room"""
    with SmallDisk(server, 64):
        server.start("--rate", "0")
        app(server, "Loud")
        quiet = app(server, "Quiet")
        # By a token: more reports than the disk holds.
        for number in range(4):
            body = zipped(
                [(f"{i}.txt", LINE % b"f%d_%d" % (number, i) * 9_000) for i in range(6)])
            status, _, _ = server.request("POST", "/api/v1/reports?app=Loud", body)
            assert status in (202, 503), status
        stored, end = 0, time.monotonic() + 60
        answers = []
        while time.monotonic() < end and len(answers) < 20:
            status, answer = post(server, quiet, LINE % b"q%d" % len(answers))
            if status == 202:
                answers.append(answer)
            time.sleep(1)
        for answer in answers:
            stored += finished(server, quiet, answer)["status"] == "stored"
        assert stored == len(answers), f"{stored} of {len(answers)} stored"
        status = os.statvfs(server.home.path)
        free = status.f_bavail * status.f_frsize
        assert free > 64 << 20 // 20, f"only {free} bytes are left"
        server.run("gc", "--app", "Loud", "--keep-per-group", "5", "--grace", "0", timeout=300)
        status = os.statvfs(server.home.path)
        assert status.f_bavail * status.f_frsize > free, "gc freed nothing"
