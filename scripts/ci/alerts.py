#!/usr/bin/env python3
"""Alerts of a server, sent to real receivers.

A mail server (plain, with STARTTLS and a password, with TLS from the start; one that refuses recipients, one that
says nothing) and a receiver of webhooks (that fails twice, hangs, redirects) take what `mayday serve` and `mayday
alerts test` send. Mails are read by Python's email package, signatures checked by its hmac. The servers are those of
aiosmtpd and pytest-httpserver. Testers of releases get their mails from the same servers.
"""

import argparse
import concurrent.futures
import contextlib
import email
import email.policy
import hashlib
import hmac
import json
import logging
import os
import re
import socket
import ssl
import struct
import subprocess
import sys
import threading
import time
import urllib.parse
import zipfile

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from shared import environment
from shared.paths import MAYDAY, ROOT
from shared.servers import Home, Server, free_port

URL = "https://crashes.example.org"
PASSWORD = "hunter2 of the mail server"


class Checks:
    def __init__(self):
        self.count = 0
        self.failures = []
        self.lock = threading.Lock()

    def expect(self, is_true, text):
        with self.lock:
            self.count += 1
            if not is_true:
                self.failures.append(text)
                print("FAILED:", text, file=sys.stderr)


def wait_for(condition, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.2)
    return False


class Mails:
    """The mails that the mail servers received."""

    def __init__(self):
        self.envelopes = []
        self.is_busy = True

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("refused@"):
            return "550 no such mailbox"
        if address.startswith("later@") and self.is_busy:
            return "450 mailbox is busy"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        self.envelopes.append(envelope)
        return "250 taken"

    def to(self, address):
        """The mails to an address."""
        return [envelope for envelope in self.envelopes if envelope.rcpt_tos == [address]]

    def read(self, checks, envelope=None):
        """A mail, by default the last one, parsed strictly."""
        envelope = envelope or self.envelopes[-1]
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        checks.expect(not message.defects, f"the mail is well-formed: {message.defects}")
        parts = list(message.iter_parts())
        checks.expect([part.get_content_type() for part in parts] == ["text/plain", "text/html"],
                      "a mail has a part of text and one of HTML")
        for part in parts:
            checks.expect(not part.defects, f"a part is well-formed: {part.defects}")
        return envelope, message, parts[0].get_content(), parts[1].get_content()


def mail_servers(folder, mails):
    from aiosmtpd.controller import Controller
    from aiosmtpd.smtp import AuthResult

    certificate, key = os.path.join(folder, "cert.pem"), os.path.join(folder, "key.pem")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)

    def authenticate(server, session, envelope, mechanism, data):
        is_right = data.login == b"mayday" and data.password == PASSWORD.encode()
        return AuthResult(success=is_right, handled=False)

    servers = {
        "plain": Controller(mails, "127.0.0.1", free_port(), enable_SMTPUTF8=True),
        "starttls": Controller(
            mails, "127.0.0.1", free_port(), tls_context=context, require_starttls=True,
            authenticator=authenticate, auth_required=True, enable_SMTPUTF8=True),
        "tls": Controller(mails, "127.0.0.1", free_port(), ssl_context=context),
    }
    for server in servers.values():
        server.start()
    # A server that accepts connections and never responds.
    stalled = socket.create_server(("127.0.0.1", 0))
    return servers, stalled, certificate


class Hooks:
    """The requests that the webhook receiver got, and its responses."""

    def __init__(self, server):
        from werkzeug import Response

        self.server = server
        self.secret = None
        self.got = []
        self.lock = threading.Lock()

        def take(request):
            with self.lock:
                self.got.append((request.path, dict(request.headers), request.get_data(), time.time()))
                tries = sum(1 for path, *_ in self.got if path == request.path)
            if request.path == "/flaky" and tries <= 2:
                return Response("try again", 500)
            if request.path == "/slow":
                time.sleep(20)
            if request.path == "/moved":
                return Response("", 302, {"Location": self.server.url_for("/elsewhere")})
            if request.path == "/gone":
                return Response("gone\r\nfor \x1b[31mgood", 410)
            if request.path == "/busy" and tries == 1:
                return Response("busy", 503, {"Retry-After": "25"})
            return Response("ok", 200)

        server.expect_request(re.compile("/.*"), method="POST").respond_with_handler(take)

    def of(self, path):
        with self.lock:
            return [entry for entry in self.got if entry[0] == path]


def is_signed(headers, body, secret, now):
    """Checks a signature as in docs/operate/alerts.md."""
    fields = dict(part.split("=", 1) for part in headers.get("Mayday-Signature", "").split(","))
    expected = hmac.new(secret.encode(), fields["t"].encode() + b"." + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, fields["v1"]) and abs(now - int(fields["t"])) < 300


def check_targets(checks, home, mails, servers, stalled, certificate, hooks):
    """Runs `mayday alerts test` for each target."""
    password = os.path.join(home.folder, "password")
    with open(password, "w") as file:
        file.write(PASSWORD + "\n")
    wrong = os.path.join(home.folder, "wrong")
    with open(wrong, "w") as file:
        file.write("wrong\n")
    sender = ["--from", "mayday@example.org"]
    to = ["--to", "ann@example.org", "--to", "bob@example.org"]
    starttls = f"smtp://localhost:{servers['starttls'].port}"
    trusted = ["--ca-file", certificate]
    user = ["--user", "mayday"]
    targets = {
        "plain": ["--smtp", f"smtp://127.0.0.1:{servers['plain'].port}", "--without-tls", *to],
        "starttls": ["--smtp", starttls, *trusted, *user, "--password-file", password, *to],
        "env": ["--smtp", starttls, *trusted, *user, "--password-env", "TEST_SMTP_PASSWORD", *to],
        "tls": ["--smtp", f"smtps://localhost:{servers['tls'].port}", *trusted, *to],
    }
    for name, words in targets.items():
        home.run("alerts", "target", name, *sender, *words)
        before = len(mails.envelopes)
        done = home.run("alerts", "test", name, status=None)
        checks.expect(done.stdout == f"{name}: sent, 250\n", f"{name} takes mail: {done.stdout}{done.stderr}")
        if len(mails.envelopes) != before + 1:
            checks.expect(False, f"{name} got a mail")
            continue
        envelope, message, text, _ = mails.read(checks)
        checks.expect(envelope.mail_from == "mayday@example.org", "the sender is the one that was given")
        checks.expect(envelope.rcpt_tos == ["ann@example.org", "bob@example.org"], "all get it")
        checks.expect(message["Subject"].startswith("[Mayday] Test: "), "a test says that it is one")
        checks.expect(message["Auto-Submitted"] == "auto-generated", "no program answers it")
        checks.expect("Sample.crash()" in text, "the sample is in it")
    refusals = {
        "no-tls": (["--smtp", f"smtp://127.0.0.1:{servers['plain'].port}", *to], "a server without STARTTLS"),
        "untrusted": (["--smtp", starttls, *user, "--password-file", password, *to], "an unknown certificate"),
        "wrong": (["--smtp", starttls, *trusted, *user, "--password-file", wrong, *to], "a wrong password"),
        "nobody": (["--smtp", starttls, *trusted, *to], "no password where one is wanted"),
        "refused": (
            ["--smtp", targets["plain"][1], "--without-tls", "--to", "refused@example.org"], "a refused recipient"),
        "stalled": (
            ["--smtp", f"smtp://127.0.0.1:{stalled.getsockname()[1]}", "--without-tls", *to], "a silent server"),
        "absent": (["--smtp", f"smtp://127.0.0.1:{free_port()}", "--without-tls", *to], "no server"),
    }
    before = len(mails.envelopes)
    for name, (words, what) in refusals.items():
        home.run("alerts", "target", name, *sender, *words)
        begun = time.monotonic()
        done = home.run("alerts", "test", name, status=None)
        checks.expect(done.returncode == 1 and f"{name}: failed, " in done.stdout, f"{what} fails: {done.stdout}")
        checks.expect(time.monotonic() - begun < 40, f"{what} takes a bounded time")
        checks.expect(PASSWORD not in done.stdout + done.stderr, "no password is printed")
    checks.expect(len(mails.envelopes) == before, "nothing was sent where something was wrong")

    for path in ("ok", "moved", "gone", "slow"):
        done = home.run("alerts", "target", path, "--webhook", hooks.server.url_for("/" + path))
        if path == "ok":
            hooks.secret = done.stdout.strip()
    checks.expect(len(hooks.secret) == 43, "the secret is printed once")
    done = home.run("alerts", "test", "ok")
    checks.expect(done.stdout == "ok: sent, 200: ok\n", f"a webhook takes it: {done.stdout}")
    _, headers, body, now = hooks.of("/ok")[-1]
    checks.expect(is_signed(headers, body, hooks.secret, now), "the signature is right")
    checks.expect(not is_signed(headers, body + b" ", hooks.secret, now), "that of another body is not")
    document = json.loads(body)
    checks.expect(document["test"] and document["schema"] == 1, "the document says that it is a test")
    checks.expect(headers["Mayday-Delivery"] == document["id"], "the id is in the headers, too")
    done = home.run("alerts", "test", "moved", status=None)
    checks.expect("302, a redirect, which is not followed" in done.stdout and not hooks.of("/elsewhere"),
                  "no redirect is followed")
    done = home.run("alerts", "test", "gone", status=None)
    checks.expect("410: gone" in done.stdout and "\x1b" not in done.stdout, f"answers are printable: {done.stdout}")
    begun = time.monotonic()
    done = home.run("alerts", "test", "slow", status=None)
    checks.expect(done.returncode == 1 and time.monotonic() - begun < 18, "a target that hangs is left")
    for preset, member in (("slack", "text"), ("mattermost", "text"), ("discord", "content"), ("teams", "type")):
        home.run("alerts", "target", preset, "--preset", preset, "--webhook", hooks.server.url_for("/" + preset))
        home.run("alerts", "test", preset)
        document = json.loads(hooks.of("/" + preset)[-1][2])
        checks.expect(member in document, f"{preset} gets its own document")
        checks.expect("Mayday-Signature" not in hooks.of("/" + preset)[-1][1], "chats get no signature")
    listed = home.run("alerts", "list").stdout + home.run("alerts", "list", "--json").stdout
    checks.expect(hooks.secret not in listed and "/slack" not in listed, "lists show no secret")


def check_server(checks, home, mails, hooks):
    """Checks the alerts that a server sends by itself."""
    for path in ("flaky", "busy"):
        home.run("alerts", "target", path, "--webhook", hooks.server.url_for("/" + path))
    for target in ("ok", "flaky", "busy", "gone", "slow", "plain", "slack"):
        home.run("alerts", "add", "new-group", "--to", target)
    home.run("alerts", "target", "later", "--webhook", hooks.server.url_for("/later"))
    home.run("alerts", "target", "filtered", "--webhook", hooks.server.url_for("/filtered"))
    minute = time.gmtime(time.time() - 60)
    hours = f"{minute.tm_hour:02}:{minute.tm_min:02}-{(minute.tm_hour + 2) % 24:02}:00"
    home.run("alerts", "add", "new-group", "--to", "later", "--quiet", hours)
    home.run("alerts", "add", "new-group", "--to", "filtered", "--query", "signal:SIGSEGV")
    home.run("apps", "add", "Gull")
    home.run("alerts", "add", "new-group", "--to", "filtered", "--app", "Gull")
    secrets = {path: hooks.secret for path in ("/ok",)}
    count = len(mails.envelopes)
    with Server(home, "--server-url", URL) as server:
        hostile = os.path.join(home.folder, "hostile.ips")
        with open(os.path.join(ROOT, "Samples", "apple-ips", "abort-1.0.0-macos-x86_64.ips")) as file:
            text = file.read()
        evil = "evil\\r\\nBcc: eve@example.org\\r\\n\\r\\n<script>`<!channel> @everyone\\u202e"
        with open(hostile, "w") as file:
            file.write(text.replace("abort() called", evil))
        home.run("ingest", hostile)
        path = "/ok"
        arrived = wait_for(lambda: len(hooks.of(path)) >= 2, 30)
        checks.expect(arrived, "a new group arrives within half a minute")
        if arrived:
            _, headers, body, now = hooks.of(path)[1]
            checks.expect(is_signed(headers, body, secrets[path], now), "what a server sends is signed")
            document = json.loads(body)
            checks.expect([alert["url"] for alert in document["alerts"]] == [URL + "/groups/TERN-1"],
                          "the link leads to the group on the server's address")
        checks.expect(wait_for(lambda: len(mails.envelopes) > count, 60), "a mail arrives")
        envelope, message, text, html = mails.read(checks)
        checks.expect(envelope.rcpt_tos == ["ann@example.org", "bob@example.org"], "nobody else gets it")
        checks.expect(message["Bcc"] is None and "<script>" not in html, "texts of reports make no header or markup")
        checks.expect("<script>`<!channel> @everyone" in text and "\u202e" not in text,
                      f"they are shown as what they are: {text}")
        message_id = message["Message-ID"]
        # After a restart, the server alerts about events in the meantime, and about none twice.
        server.stop()
        home.run("ingest", os.path.join(ROOT, "Samples", "apple-ips"), status=None)
        server.start()
        checks.expect(wait_for(lambda: len(hooks.of("/flaky")) >= 4, 120), "a target that fails twice is tried again")
        ids = [json.loads(entry[2])["id"] for entry in hooks.of("/flaky")]
        checks.expect(ids[0] == ids[1] == ids[2], "each time with the same id")
        checks.expect(wait_for(lambda: len(hooks.of("/busy")) >= 2, 60), "a busy target is tried again")
        waits = hooks.of("/busy")[1][3] - hooks.of("/busy")[0][3]
        checks.expect(waits >= 25, f"not before it wants to be: {waits}")
        checks.expect(wait_for(lambda: len(hooks.of("/ok")) >= 3, 60), "groups of a stopped server are told of later")
        document = json.loads(hooks.of("/ok")[2][2])
        shown = len(document["alerts"])
        checks.expect(shown == 20 and document["more"] > 0, "a flood is one message with a bounded list")
        groups = json.loads(home.run("groups", "--json").stdout)
        groups = groups["groups"] if isinstance(groups, dict) else groups
        checks.expect(shown + document["more"] == len(groups) - 1, "and counts all of them")
        wait_for(lambda: len(hooks.of("/slack")) >= 3, 60)
        slack = json.loads(hooks.of("/slack")[-1][2])["text"]
        checks.expect("more>" in slack and len(slack) < 4_000, "a chat gets what it can take")
        # Late debug files rename and merge groups, which must not alert again.
        told = len(hooks.of("/ok"))
        # Some files are refused on purpose.
        home.run("symbols", "add", os.path.join(ROOT, "Symbols"), status=None)
        after = home.run("groups", "--json").stdout
        checks.expect(after != groups, "late debug files change the groups")
        checks.expect(not wait_for(lambda: len(hooks.of("/ok")) > told, 75), "late debug files make nothing new")
        filtered = [json.loads(entry[2]) for entry in hooks.of("/filtered")]
        checks.expect(filtered and all("SIGSEGV" in alert["detail"] for body in filtered for alert in body["alerts"]),
                      "a query chooses groups")
        checks.expect(not hooks.of("/later"), "in quiet hours nothing is sent")
        states = {(entry["target"], entry["state"]) for entry in json.loads(home.run("alerts", "log", "--json", "--limit", "1000").stdout) if entry.get("rule")}
        checks.expect(("gone", "failed") in states, "what is refused for good is given up at once")
        checks.expect(("flaky", "sent") in states and ("ok", "sent") in states, "the log says what arrived")
        checks.expect(("slow", "waiting") in states, "what hangs is tried again")
        doctor = home.run("doctor", status=None)
        checks.expect("failed in the last day" in doctor.stdout + doctor.stderr, "doctor tells of failures")
        ids = [str(email.message_from_bytes(mail.content)["Message-ID"]) for mail in mails.envelopes]
        checks.expect(ids.count(message_id) == 1, "a mail that arrived is not sent again")


def app_file(folder, version):
    """A release whose version its name does not say."""
    path = os.path.join(folder, f"tern-{version}.zip")
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("tern", struct.pack("<I", len(version)) + version.encode())
    return path


APP = "Tern <b>&amp; S\u00f6hne"
NOTES = "Fixes:\n- <script>alert(1)</script> the nest\r\nBcc: eve@example.org\r\n\r\n\u202eend"


def links(text):
    return re.findall(r"https://\S+", text)


def check_invitations(checks, home, server, mails):
    """Mails of invitations; gives the path at which Ada stops mails."""
    app = ["--app", APP]
    done = home.run("testers", "invite", "ada@example.org", "jos\u00e9@example.org", "later@example.org",
                    "refused@example.org", "eve@b\u00fccher.example", "--group", "Beta", *app, "--mail")
    code = re.search(r"^ada@example.org: (/install/invitations/\w+)$", done.stdout, re.M)[1]
    checks.expect(done.stderr.count("the server mails it") == 5, f"each is mailed: {done.stderr}")
    home.run("testers", "invite", "quiet@example.org", "--group", "Beta", *app, "--no-mail")
    checks.expect(wait_for(lambda: mails.to("ada@example.org"), 30), "an invitation arrives")
    envelope, message, text, html = mails.read(checks, mails.to("ada@example.org")[0])
    checks.expect(envelope.mail_from == "mayday@example.org" and message["To"] == "ada@example.org",
                  "only the tester gets it, not the recipients of alerts")
    checks.expect(message["Subject"] == f"You are invited to test {APP}", f"the subject: {message['Subject']}")
    checks.expect(URL + code in links(text) and URL + code in html, "the link is the one that was printed")
    checks.expect("<b>" not in html and "&lt;b&gt;" in html, "names are no markup")
    stop = message["List-Unsubscribe"].strip("<>")
    checks.expect(message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click" and stop in links(text),
                  "a mail program can stop mails with one click")
    checks.expect(wait_for(lambda: mails.to("jos\u00e9@example.org"), 30), "a name outside ASCII gets its mail")
    checks.expect(wait_for(lambda: any(to.startswith("eve@") for mail in mails.envelopes for to in mail.rcpt_tos), 30),
                  "so does a host outside ASCII")
    _, message, _, _ = mails.read(checks, mails.to("jos\u00e9@example.org")[0])
    checks.expect(all(ord(mark) < 128 for mark in message.as_string().split("\n\n")[0]), "the header is ASCII")
    checks.expect(not mails.to("quiet@example.org"), "who is not to be mailed is not")
    statuses = [server.request("POST", code, body=b"", token=False)[0] for _ in range(2)]
    checks.expect(statuses == [303, 404], f"an invitation works once: {statuses}")
    return urllib.parse.urlsplit(stop).path


def check_releases(checks, home, server, mails, stop):
    """Mails of releases, one for several, and none for who stopped them."""
    app = ["--app", APP]
    count = len(mails.to("ada@example.org"))
    notes = os.path.join(home.folder, "notes")
    with open(notes, "w", newline="") as file:
        file.write(NOTES)
    for version in ("1.0", "1.1"):
        home.run("releases", "add", app_file(home.folder, version), "--release", f"{version} (7)", *app, "--groups",
                 "Beta", "--notify", "--notes-file", notes)
    home.run("releases", "edit", "1.1", *app, "--groups", "Beta", "--notify")
    checks.expect(wait_for(lambda: len(mails.to("ada@example.org")) > count, 120), "new releases arrive")
    _, message, text, html = mails.read(checks, mails.to("ada@example.org")[-1])
    checks.expect(message["Subject"] == f"2 new releases of {APP}", f"two are one mail: {message['Subject']}")
    checks.expect("1.0 (7), " in text and "1.1 (7), " in text and URL + "/install" in links(text), "with what is new")
    checks.expect("<script>" not in html and "\u202e" not in text + html and message["Bcc"] is None,
                  "notes are neither markup nor header")
    checks.expect(len(mails.to("later@example.org")) == 1, "who has not accepted is not told")
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Origin": "https://mail.example.net"}
    checks.expect(server.request("GET", stop, token=False)[0] == 200, "the link has a page")
    status = server.request("POST", stop, body=b"List-Unsubscribe=One-Click", headers=headers, token=False)[0]
    checks.expect(status == 200, "one click stops mails")
    count = len(mails.envelopes)
    home.run("releases", "add", app_file(home.folder, "1.2"), "--release", "1.2 (7)", *app, "--groups", "Beta",
             "--notify")
    done = home.run("testers", "resend", "ada@example.org", *app)
    checks.expect("wants no mails" in done.stderr, "who invites learns that no mail is sent")
    return count


def check_testers(checks, home, mails, servers, certificate):
    """Mails to the testers of releases, by the mail server of a target."""
    home.run("apps", "add", APP)
    home.run("testers", "add-group", "Beta", "--app", APP)
    done = home.run("testers", "invite", "ada@example.org", "--group", "Beta", "--app", APP, "--mail", status=None)
    checks.expect(done.returncode == 2 and not mails.envelopes, "without a mail server, --mail says so")
    password = os.path.join(home.folder, "password")
    with open(password, "w") as file:
        file.write(PASSWORD + "\n")
    home.run("alerts", "target", "other", "--smtp", f"smtp://127.0.0.1:{free_port()}", "--without-tls", "--from",
             "other@example.org", "--to", "team@example.org")
    home.run("alerts", "target", "mail", "--smtp", f"smtp://localhost:{servers['starttls'].port}", "--ca-file",
             certificate, "--user", "mayday", "--password-file", password, "--from", "mayday@example.org", "--to",
             "team@example.org", "--testers")
    with Server(home, "--server-url", URL) as server:
        stop = check_invitations(checks, home, server, mails)
        checks.expect(wait_for(lambda: tries(home, "later@example.org") >= 1, 30), "a busy mailbox is tried")
        # A mail that waits survives a killed server, and arrives once.
        server.kill()
        mails.is_busy = False
        server.start("--server-url", URL)
        checks.expect(wait_for(lambda: mails.to("later@example.org"), 90), "and again after the server was killed")
        count = check_releases(checks, home, server, mails, stop)
        checks.expect(not wait_for(lambda: len(mails.envelopes) > count, 90), "who stopped mails gets none")
        states = {mail["email"]: mail["state"] for mail in log(home) if mail["kind"] == "invitation"}
        checks.expect(states["refused@example.org"] == "failed", "what is refused for good is given up")
        checks.expect(states["later@example.org"] == "sent" and len(mails.to("later@example.org")) == 1,
                      "nobody gets a mail twice")
        identifiers = [str(email.message_from_bytes(mail.content)["Message-ID"]) for mail in mails.envelopes]
        checks.expect(len(identifiers) == len(set(identifiers)), "no mail is sent twice")
        listed = json.loads(server.request("GET", "/api/v1/testers/mails?app=" + urllib.parse.quote(APP))[2])
        checks.expect([mail["state"] for mail in listed["items"]] == [mail["state"] for mail in log(home)],
                      "the API lists them, too")
        checks.expect(PASSWORD not in server.output(), "no password is printed")


def log(home):
    return json.loads(home.run("testers", "mails", "--app", APP, "--json").stdout)


def tries(home, address):
    return max(mail["attempts"] for mail in log(home) if mail["email"] == address)


@contextlib.contextmanager
def running_mail_servers(folder, mails):
    """Mail servers, one that never responds, and their certificate."""
    servers, stalled, certificate = mail_servers(folder, mails)
    try:
        yield servers, stalled, certificate
    finally:
        for server in servers.values():
            server.stop()
        stalled.close()


def check_alerts(checks, mayday):
    """Checks alerts; gives how many mails and requests came."""
    from pytest_httpserver import HTTPServer

    mails = Mails()
    with Home(mayday, environment={"TEST_SMTP_PASSWORD": PASSWORD}) as home, \
            running_mail_servers(home.folder, mails) as (servers, stalled, certificate), \
            HTTPServer(host="127.0.0.1", port=0, threaded=True) as receiver:
        hooks = Hooks(receiver)
        check_targets(checks, home, mails, servers, stalled, certificate, hooks)
        check_server(checks, home, mails, hooks)
    return len(mails.envelopes), len(hooks.got)


def check_mails_to_testers(checks, mayday):
    """Checks mails to testers; gives how many came, and no requests."""
    mails = Mails()
    with Home(mayday) as home, running_mail_servers(home.folder, mails) as (servers, _, certificate):
        check_testers(checks, home, mails, servers, certificate)
    return len(mails.envelopes), 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mayday", default=MAYDAY)
    parser.add_argument("--only", choices=["alerts", "testers"], help="check only this part")
    options = parser.parse_args()
    environment.enter()
    # Their messages are counted at the end.
    logging.disable(logging.CRITICAL)
    parts = {"alerts": check_alerts, "testers": check_mails_to_testers}
    chosen = [options.only] if options.only else list(parts)
    checks = Checks()
    # Both wait for most of their time.
    with concurrent.futures.ThreadPoolExecutor() as pool:
        counts = list(pool.map(lambda name: parts[name](checks, options.mayday), chosen))
    mails, requests = (sum(count) for count in zip(*counts))
    print(f"{checks.count} checks, {len(checks.failures)} failures; {mails} mails and {requests} requests came")
    sys.exit(1 if checks.failures else 0)


if __name__ == "__main__":
    main()
