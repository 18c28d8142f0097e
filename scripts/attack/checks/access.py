"""Tokens of one app against another app, and what is left of an erased person."""
import hashlib
import json
import os
import sqlite3
import time

LOG = """{"logs":[{"type":"handledError","id":"A3C1F0D2-5B7E-4E19-8C3A-6F2D1B9E0A11",
"timestamp":"2026-03-02T10:12:01Z","userId":"%s","properties":{"k":"%s"},
"exception":{"type":"E","message":"%s","frames":[{"className":"a.B","methodName":"c","lineNumber":3}]},
"device":{"osName":"Android","appVersion":"1.2.0"}}]}"""


JSON = {"Content-Type": "application/json"}


def document(answer):
    status, _, body = answer
    return status, json.loads(body or b"null")


def stored(server, count):
    for _ in range(200):
        _, reports = document(server.request("GET", "/api/v1/reports"))
        if len(reports["items"]) >= count:
            return reports["items"]
        time.sleep(0.1)
    raise AssertionError("the reports were not stored within 20 s")


def token(server, app, *scopes):
    status, made = document(server.request(
        "POST", "/api/v1/tokens", json.dumps({"label": "t", "app": app, "scopes": list(scopes)}), JSON))
    assert status == 201, made
    return made["token"]


def two_apps(server):
    """AppA and appa, which no route makes, with a report each."""
    for app, word in (("AppA", "secret"), ("Zeta", "own")):
        status, _, body = server.request(
            "POST", f"/api/v1/reports?app={app}", LOG % ("u" + word, "p" + word, "m" + word))
        assert status == 202, body
    stored(server, 2)
    server.stop()
    with sqlite3.connect(server.home.path + "/mayday.db") as database:
        database.execute("UPDATE apps SET name = 'appa', key_name = 'Zeta' WHERE name = 'Zeta'")
    database.close()
    server.start()
    return token(server, "appa", "read", "triage", "symbols", "ingest")


def check_letter_case(server):
    """A token of appa sees nothing of AppA, by no route and no id"""
    own = two_apps(server)
    items = stored(server, 2)
    theirs = next(item for item in items if item["app"]["name"] == "AppA")
    for path in ("/api/v1/reports", "/api/v1/groups", "/api/v1/reports/counts?by=app", "/api/v1/apps",
                 "/api/v1/reports?query=app:AppA", "/api/v1/stats", "/api/v1/ledger", "/v0.1/apps"):
        status, _, body = server.request("GET", path, token=own)
        assert status == 200, (path, status)
        for word in (b"msecret", theirs["id"].encode(), b'"AppA"'):
            assert word not in body, (path, word)
    for path in (f"/api/v1/reports/{theirs['id']}", f"/api/v1/reports/{theirs['id']}/raw",
                 f"/api/v1/groups/{theirs['group']}", "/api/v1/stats?app=AppA",
                 "/v0.1/apps/o/AppA/errors/errorGroups",
                 f"/v0.1/apps/o/appa/errors/errorGroups/{theirs['group']}"):
        status, _, _ = server.request("GET", path, token=own)
        assert status in (403, 404), (path, status)


def check_new_name_that_looks_alike(server):
    """A new app whose name differs in letter case only is refused"""
    status, _, _ = server.request("POST", "/api/v1/apps", '{"name":"Tern"}', JSON)
    assert status in (200, 201), status
    for path, body in (("/api/v1/apps", '{"name":"tern"}'), ("/api/v1/reports?app=TERN", LOG % ("a", "b", "c"))):
        status, _, _ = server.request("POST", path, body, JSON)
        assert 400 <= status < 500, (path, status)


def check_known_debug_files(server):
    """What another app handed in is not known to a token of one app"""
    first, other = (token(server, app, "symbols") for app in ("One", "Two"))
    path = server.home.program
    with open(path, "rb") as file:
        bytes_ = file.read(1 << 26)
    status, _, body = server.request("PUT", "/api/v1/symbols?name=x", bytes_, token=first, timeout=120)
    assert status in (200, 201, 422), (status, body[:200])
    digest = hashlib.sha256(bytes_).hexdigest()
    status, known = document(server.request(
        "POST", "/api/v1/symbols/known", json.dumps({"digests": [digest]}), JSON, token=other))
    assert status == 200 and known == {"known": []}, known
    status, _, _ = server.request(
        "POST", "/api/v1/symbols/known", json.dumps({"digests": [digest], "app": "One"}), JSON, token=other)
    assert status == 403, status


def check_erased_bytes(server):
    """Of an erased person no word is left in any byte of the home"""
    words = ["qzuserplanted", "qzpropertyplanted", "qzmessageplanted"]
    server.request("POST", "/api/v1/reports?app=Tern", LOG % tuple(words))
    server.request("POST", "/api/v1/reports?app=Tern", LOG % ("other", "other", "other words"))
    stored(server, 2)
    status, _, body = server.request("POST", "/api/v1/erase", json.dumps({"user": words[0]}), JSON)
    assert status == 200, body
    server.stop()
    server.run("gc", "--grace", "0")
    for folder, _, names in os.walk(server.home.path):
        for name in names:
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                content = file.read()
            assert os.stat(path).st_mode & 0o077 == 0, path
            for word in words:
                assert word.encode() not in content, (path, word)
