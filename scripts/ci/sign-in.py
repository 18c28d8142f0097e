#!/usr/bin/env python3
"""Sign-ins through an identity provider, valid and invalid ones.

A server is configured for an OpenID Connect provider, oidc-provider-mock, which here checks PKCE and, if
asked, misbehaves: tokens that are unsigned or for somebody else, responses that never end. Then a browser with
scripts and one without sign in with the button.
"""

import argparse
import base64
import hashlib
import html
import http.client
import json
import os
import re
import subprocess
import sys
import threading
import time
import urllib.parse

import pages

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from shared import environment
from shared.servers import Home, Server

CALLBACK = "/sign-in/provider/callback"
USERS = [
    ("1", {"preferred_username": "ann", "email": "ann@example.com", "email_verified": True, "groups": ["dev"]}),
    ("2", {"preferred_username": "Ann", "email": "other@example.com", "email_verified": True}),
    ("3", {"preferred_username": "eve", "email": "eve@example.com", "email_verified": False}),
    ("4", {"preferred_username": "dev", "email": "dev@example.com", "email_verified": True, "groups": ["dev"]}),
    ("5", {"email": "noname@example.com", "email_verified": True}),
    ("6", {"preferred_username": "bad\nname", "groups": ["dev"]}),
    ("7", {"preferred_username": "admin", "groups": ["dev"]}),
]


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Provider:
    """The provider, on a port of this machine."""

    def __init__(self):
        import flask
        import oidc_provider_mock
        from oidc_provider_mock import User
        from werkzeug.serving import make_server

        self.lie = None
        self.challenges = {}
        self.app = oidc_provider_mock.app(user_claims=[User(sub=sub, claims=claims) for sub, claims in USERS])

        @self.app.before_request
        def check():
            if flask.request.path != "/oauth2/token":
                return None
            if self.lie == "slow":
                time.sleep(15)
            if self.lie == "huge":
                return flask.Response("x" * (2 << 20))
            verifier = flask.request.form.get("code_verifier", "").encode()
            if self.challenges.get(flask.request.form.get("code")) != encoded(hashlib.sha256(verifier).digest()):
                return flask.jsonify(error="invalid_grant", error_description="wrong verifier"), 400
            return None

        @self.app.after_request
        def keep(response):
            request = flask.request
            if request.path == "/oauth2/authorize" and response.status_code == 302:
                answer = urllib.parse.parse_qs(urllib.parse.urlparse(response.location).query)
                if "code" in answer and request.args.get("code_challenge_method") == "S256":
                    self.challenges[answer["code"][0]] = request.args["code_challenge"]
            if request.path == "/oauth2/token" and response.status_code == 200 and self.lie not in (None, "huge"):
                tokens = response.get_json()
                tokens["id_token"] = self.lied(tokens["id_token"], flask.g.oidc_provider_mock_storage.jwk)
                response.set_data(json.dumps(tokens))
            if request.path == "/userinfo" and self.lie == "userinfo":
                response.set_data(json.dumps({**response.get_json(), "sub": "9"}))
            return response

        self.server = make_server("127.0.0.1", 0, self.app, threaded=True)
        self.issuer = f"http://127.0.0.1:{self.server.port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def lied(self, token, key):
        from joserfc import jws
        from joserfc.jwk import RSAKey

        head, body, signature = token.split(".")
        claims = json.loads(base64.urlsafe_b64decode(body + "=="))
        key = RSAKey.import_key(key.as_dict(is_private=True))
        header = json.loads(base64.urlsafe_b64decode(head + "=="))
        if self.lie == "none":
            return f"{encoded(json.dumps({'alg': 'none'}).encode())}.{body}."
        if self.lie == "other key":
            key = RSAKey.generate_key(2048)
        changes = {
            "nonce": {"nonce": "other"}, "audience": {"aud": "other"}, "issuer": {"iss": "https://evil.example"},
            "expired": {"exp": int(time.time()) - 3600, "iat": int(time.time()) - 7200},
        }
        claims.update(changes.get(self.lie, {}))
        return jws.serialize_compact(header, json.dumps(claims).encode(), key)

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


def configured(home, provider, *options):
    """A server that is configured for the provider."""
    secret = os.path.join(home.folder, "secret")
    with open(secret, "w") as file:
        file.write("s3cr&t + more\n")
    return Server(home, "--oidc-issuer", provider.issuer, "--oidc-client", "mayday", "--oidc-secret-file", secret,
                  "--oidc-name", "Tern <ID>", *options)


class Browser:
    """A client that follows no redirects, keeps cookies, and records the Set-Cookie fields."""

    def __init__(self, origin):
        self.origin = origin
        self.cookies = {}

    def get(self, address, headers=()):
        place = urllib.parse.urlparse(urllib.parse.urljoin(self.origin, address))
        connection = http.client.HTTPConnection(place.netloc, timeout=60)
        sent = dict(headers)
        if place.netloc == urllib.parse.urlparse(self.origin).netloc and self.cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        connection.request("GET", place._replace(scheme="", netloc="").geturl(), headers=sent)
        answer = connection.getresponse()
        answer.text = html.unescape(answer.read().decode())
        answer.fields = answer.headers.get_all("Set-Cookie") or []
        for field in answer.fields:
            name, _, value = field.split(";")[0].partition("=")
            if value:
                self.cookies[name] = value
            else:
                self.cookies.pop(name, None)
        answer.location = answer.headers["Location"]
        return answer

    def go(self, next="/account"):
        """Starts a sign-in and returns the address of the redirect to the provider."""
        return self.get("/sign-in/provider?next=" + urllib.parse.quote(next, "")).location

    @staticmethod
    def choose(address, sub, action="allow"):
        """Signs in at the provider and returns the address of the redirect back."""
        place = urllib.parse.urlparse(address)
        connection = http.client.HTTPConnection(place.netloc, timeout=60)
        body = urllib.parse.urlencode({"sub": sub, "action": "deny"} if action == "deny" else {"sub": sub})
        connection.request(
            "POST", place._replace(scheme="", netloc="").geturl(), body,
            {"Content-Type": "application/x-www-form-urlencoded"})
        return connection.getresponse().headers["Location"]

    def sign_in(self, sub, next="/account"):
        return self.get(self.choose(self.go(next), sub))


class Checks:
    def __init__(self):
        self.count = 0
        self.failures = []

    def expect(self, is_true, text):
        self.count += 1
        if not is_true:
            self.failures.append(text)

    def refused(self, answer, words, text, status=403):
        self.expect(answer.status == status, f"{text}: status {answer.status}")
        self.expect(words in answer.text, f"{text}: '{words}' is not said")
        self.expect("mayday=" not in " ".join(answer.fields), f"{text}: a session is made")


def walk(checks, provider, server):
    def new():
        return Browser(server.url)

    for role in ("triage", "admin"):
        server.home.run("accounts", "add", "ann", "--role", role)
        checks.refused(new().sign_in("1"), "is waiting for the person", f"a name alone, for the role {role}")
        server.home.run("accounts", "remove", "ann")
    server.home.run("accounts", "add", "ann", "--role", "triage", "--from-provider")
    browser = new()
    checks.expect("Sign in with Tern <ID>" in browser.get("/sign-in").text, "there is a button")
    answer = browser.get("/sign-in/provider?next=%2Faccount")
    query = urllib.parse.parse_qs(urllib.parse.urlparse(answer.location).query)
    checks.expect(answer.location.startswith(provider.issuer + "/oauth2/authorize?"), "the provider is asked")
    checks.expect(query["code_challenge_method"] == ["S256"] and len(query["code_challenge"][0]) == 43, "PKCE")
    checks.expect(query["redirect_uri"] == [server.url + CALLBACK], "the way back is told")
    checks.expect(len({query[name][0] for name in ("state", "nonce", "code_challenge")}) == 3, "random texts differ")
    flow = browser.cookies["mayday-provider"]
    checks.expect("HttpOnly; SameSite=Lax" in answer.fields[0], "the cookie is for the server alone")
    back = browser.choose(answer.location, "1")
    stolen = new()
    checks.refused(stolen.get(back), "another sign-in", "an answer in another browser")
    answer = browser.get(back)
    checks.expect(answer.status == 303 and answer.location == "/account", "the right flow signs in")
    checks.expect("mayday-provider" not in browser.cookies, "the flow's cookie is gone")
    account = browser.get("/account")
    checks.expect("<h1>ann</h1>" in account.text and "identity provider" in account.text, "ann is signed in")

    browser.cookies["mayday-provider"] = flow
    checks.refused(browser.get(back), "did not confirm", "an answer for the second time")
    checks.refused(browser.get(back), "another sign-in", "the cookie is good once")
    browser = new()
    back = browser.choose(browser.go(), "1")
    checks.refused(browser.get(re.sub("state=[^&]*", "state=x", back)), "another sign-in", "wrong state")
    checks.refused(browser.get(back), "another sign-in", "after a wrong state")
    first, second = new(), new()
    code = urllib.parse.parse_qs(urllib.parse.urlparse(first.choose(first.go(), "1")).query)["code"][0]
    state = urllib.parse.parse_qs(urllib.parse.urlparse(second.go()).query)["state"][0]
    query = urllib.parse.urlencode({"code": code, "state": state})
    checks.refused(second.get(f"{CALLBACK}?{query}"), "did not confirm", "the code of another browser, by PKCE")
    browser = new()
    back = browser.choose(browser.go(), "1")
    checks.refused(browser.get(back + "&iss=https://evil.example"), "not for this sign-in", "another issuer's answer")
    browser = new()
    address = browser.go()
    state = urllib.parse.parse_qs(urllib.parse.urlparse(address).query)["state"][0]
    # This provider omits the state in a refusal, although RFC 6749 4.1.2.1 requires it.
    denied = browser.choose(address, "1", "deny") + "&state=" + state
    checks.refused(browser.get(denied), "denied access", "a denied sign-in")
    browser = new()
    state = urllib.parse.parse_qs(urllib.parse.urlparse(browser.go()).query)["state"][0]
    answer = browser.get(f"{CALLBACK}?state={state}&error=%3Cscript%3E")
    checks.refused(answer, "refused the sign-in: <script>", "an error that is markup")
    checks.refused(new().get(CALLBACK), "another sign-in", "an answer without anything")

    checks.refused(new().sign_in("3"), "no account with that name", "an account that is not there")
    checks.refused(new().sign_in("2"), "belongs to another person", "another person of the same name")
    checks.refused(new().sign_in("7"), "not connected", "the account of the first admin")
    checks.refused(new().sign_in("5"), "did not send your user name", "somebody without a name")
    for place in ("//evil.example", "https://evil.example", "/\\evil.example"):
        checks.expect(new().sign_in("1", place).location == "/", f"{place} is not gone to")

    for lie in ("none", "other key", "nonce", "audience", "issuer", "expired"):
        provider.lie = lie
        checks.refused(new().sign_in("1"), "not for this sign-in", lie)
    provider.lie = "huge"
    checks.refused(new().sign_in("1"), "does not understand", "an endless answer", 503)
    provider.lie = "slow"
    start = time.monotonic()
    checks.refused(new().sign_in("1"), "did not respond", "a provider that is silent", 503)
    checks.expect(time.monotonic() - start < 14, "nobody waits long for it")
    provider.lie = None
    checks.expect(new().sign_in("1").status == 303, "after all that the right flow signs in")
    audit = subprocess.run(
        ["sqlite3", "-readonly", os.path.join(server.home.path, "server.db"),
         "SELECT group_concat(DISTINCT action) FROM audit WHERE token = 'refused'"],
        stdout=subprocess.PIPE, text=True).stdout if os.path.exists("/usr/bin/sqlite3") else "wrong ID token"
    checks.expect("wrong ID token" in audit, "the audit log has what was refused")


def walk_creation(checks, server):
    checks.refused(Browser(server.url).sign_in("2"), "who may not sign in here", "not in the group")
    checks.refused(Browser(server.url).sign_in("5"), "who may not sign in here", "no group at all")
    browser = Browser(server.url)
    checks.expect(browser.sign_in("4").status == 303, "a member of the group gets an account")
    text = browser.get("/account").text
    checks.expect("<h1>dev@example.com</h1>" in text and "Role: triage" in text, "by its address and with the role")
    checks.expect(browser.sign_in("4").status == 303, "and signs in again")
    server.home.run("accounts", "add", "eve@example.com", "--role", "viewer")
    checks.refused(Browser(server.url).sign_in("3"), "verified email", "an address that nobody has verified")


def walk_behind_proxy(checks, server, is_trusted):
    browser = Browser(server.url)
    answer = browser.get("/account", {"X-Forwarded-User": "joe"})
    if not is_trusted:
        checks.expect(answer.status == 303 and not browser.cookies, "a header of anybody does not count")
        return
    checks.expect(answer.status == 200 and "<h1>joe</h1>" in answer.text, "whom the proxy names is signed in")
    checks.expect(browser.get("/account").status == 303, "a session of a proxy does not hold without it")


def walk_in_chromium(checks, server, folder):
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=pages.CHROMIUM,
            args=["--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"])
        for has_scripts in (True, False):
            context = browser.new_context(viewport={"width": 390, "height": 844}, java_script_enabled=has_scripts)
            page = context.new_page()
            page.on("console", lambda m: m.type == "error" and "favicon" not in m.location.get("url", "")
                    and server.url in m.location.get("url", "") and checks.failures.append(m.text))
            page.goto(server.url + "/releases")
            page.screenshot(path=os.path.join(folder, f"sign-in-provider{'' if has_scripts else '-noscript'}.png"))
            if has_scripts:
                found = Axe().run(page, options={"runOnly": pages.RULES}).response["violations"]
                checks.expect(not found, f"axe: {[violation['id'] for violation in found]}")
            page.get_by_role("link", name="Sign in with Tern").click()
            page.locator("input[name=sub]").first.fill("1")
            page.locator("input[name=sub]").first.press("Enter")
            page.wait_for_url(server.url + "/**")
            checks.expect(page.url == server.url + "/releases", f"the browser comes back, not to {page.url}")
            context.close()
        browser.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mayday", default=os.path.join(pages.ROOT, ".build", "release", "mayday"))
    parser.add_argument("--screenshots", default=os.path.join(pages.ROOT, ".build", "pages"))
    options = parser.parse_args()
    environment.enter()
    pages.without_network()
    os.makedirs(options.screenshots, exist_ok=True)
    import logging
    import warnings
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)

    checks = Checks()
    provider = Provider()
    with Home(options.mayday) as home, configured(home, provider) as server:
        walk(checks, provider, server)
        walk_in_chromium(checks, server, options.screenshots)
    with Home(options.mayday) as home, configured(
            home, provider, "--oidc-role", "triage", "--oidc-group", "dev", "--oidc-domain", "EXAMPLE.com",
            "--oidc-claim", "email") as server:
        walk_creation(checks, server)
    provider.stop()
    with Home(options.mayday) as home:
        for trusted in ("192.0.2.1", "127.0.0.1"):
            with configured(
                    home, provider, "--trusted-proxy", trusted, "--proxy-user-header", "X-Forwarded-User",
                    "--proxy-user-role", "viewer") as server:
                walk_behind_proxy(checks, server, trusted == "127.0.0.1")
    with Home(options.mayday) as home, configured(home, provider) as server:
        answer = Browser(server.url).get("/sign-in/provider")
        checks.refused(answer, "did not respond", "a provider that is not there", 503)
    for failure in checks.failures:
        print(failure, file=sys.stderr)
    print(f"{checks.count} checks, {len(checks.failures)} failures")
    sys.exit(1 if checks.failures else 0)


if __name__ == "__main__":
    main()
