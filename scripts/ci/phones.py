#!/usr/bin/env python3
"""Install pages and sign-ins of testers on phones, tablets and computers, in a real browser.

Chromium takes the user agent, the screen and the pointer of each device. A user of a public group installs from the
page of the app; a computer shows a QR code, which zbar reads from the screenshot; a tester accepts an invitation and
gets the release of a private group, by the page and by the check for updates of the app. Every page is checked by
axe-core, with and without scripts, light and dark, down to 320 pixels; screenshots are left in a folder.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import urllib.parse
import urllib.request

import pages

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from shared import environment
from shared.paths import MAYDAY, ROOT
from shared.servers import Home, Server

SECRET = "8e14e67c-7c91-40ac-8517-c62ece8424a6"
REQUEST = "b9f2a52c-1f37-4a4b-8f0c-6d1f0f5b6a11"
PAGE = "/install/apps/Tern"
IPA = "itms-services://"
APK = "Tern-1.1.0.apk"

# Name, user agent, size of the screen, whether it has a touch screen, and the kind of what it installs.
DEVICES = [
    ("iphone", "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
               "Version/17.5 Mobile/15E148 Safari/604.1", (390, 844), True, IPA),
    ("iphone-se", "Mozilla/5.0 (iPhone; CPU iPhone OS 12_5_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like "
                  "Gecko) Version/12.1.2 Mobile/15E148 Safari/604.1", (320, 568), True, IPA),
    # Since iPadOS 13 the same as a Mac's.
    ("ipad", "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
             "Version/17.5 Safari/605.1.15", (820, 1180), True, IPA),
    ("pixel", "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile "
              "Safari/537.36", (412, 915), True, APK),
    ("galaxy-tab", "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 "
                   "Chrome/121.0.0.0 Safari/537.36", (800, 1280), True, APK),
    ("mac", "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
            "Version/17.5 Safari/605.1.15", (1280, 900), False, "Tern-1.1.0.app.zip"),
    ("windows", "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
                "Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0", (1920, 1080), False, "Tern-1.1.0.msix"),
]
COMPUTERS = ("mac", "windows")


def fill(home):
    """An app with a release for each system, in a public group, and a newer one for testers."""
    files = os.path.join(ROOT, "Artefacts")
    home.run("apps", "add", "Tern", "--secret", SECRET)
    home.run("testers", "add-group", "Everyone", "--public", "--app", "Tern")
    home.run("testers", "add-group", "Beta", "--app", "Tern")
    notes = "Fixes <b>the nest</b>.\n" + "A long line about it. " * 20
    for name in ("Tern-1.0.0.ipa", "Tern-1.1.0.ipa", APK, "Tern-1.1.0.app.zip", "Tern-1.1.0.msix"):
        home.run("releases", "add", os.path.join(files, name), "--app", "Tern", "--groups", "Everyone",
                 "--notes", notes)
    home.run("apps", "updates", "Tern", "--older-releases", "yes")
    home.run("apps", "add", "Secret")
    home.run("testers", "add-group", "Beta", "--app", "Secret")
    for name in ("Tern-1.1.0.ipa", APK):
        home.run("releases", "add", os.path.join(files, name), "--app", "Secret", "--groups", "Beta")


class Device(pages.Walk):
    """A browser that says it is on a device."""

    def __init__(self, browser, server, axe, folder, device, has_scripts, scheme, failures):
        self.kind, agent, size, has_touch, self.installs = device
        super().__init__(browser, server, axe, folder, has_scripts, size, scheme, failures)
        self.context.close()
        self.name = f"{self.kind}-{scheme}" + ("" if has_scripts else "-noscript")
        self.context = browser.new_context(
            user_agent=agent, viewport={"width": size[0], "height": size[1]}, has_touch=has_touch,
            is_mobile=has_touch, color_scheme=scheme, java_script_enabled=has_scripts,
            device_scale_factor=2 if has_touch else 1)
        self.page = self.context.new_page()
        self.page.on("console", self.hear)
        self.page.on("pageerror", lambda e: self.fail(f"script: {e}"))
        self.page.on("request", self.check_request)

    def hear(self, message):
        # The browser logs a page that is not there as an error.
        if message.type == "error" and "status of 404" not in message.text:
            self.fail(f"console: {message.text}")

    def shown(self):
        """The addresses of the buttons that can be seen."""
        buttons = self.page.locator("a.button").all()
        return [button.get_attribute("href") for button in buttons if button.is_visible()]

    def install(self):
        """From the page of the app to the file."""
        self.go(PAGE, "install")
        page = self.page
        buttons = self.shown()
        self.expect(buttons and self.installs in buttons[0], f"the first button is {buttons[:1]}")
        self.expect(page.locator("main b").count() == 0, "no markup of notes is markup")
        if self.kind in COMPUTERS:
            self.scan()
        else:
            self.expect(len(buttons) == 1 or self.kind == "galaxy-tab", f"a phone is offered {len(buttons)} files")
            if self.kind != "galaxy-tab":
                self.expect(not page.locator("svg.code").is_visible(), "a phone needs no code")
        self.fetch(buttons[0])
        if self.installs == IPA:
            page.locator("summary").click()
            self.check("older")
            page.get_by_role("link", name="1.0.0 (1000)").click()
            self.expect("Version 1.0.0" in page.inner_text("main"), "an older release has a page")
            self.check("older-release")

    def fetch(self, address):
        """What the system does after the button: the manifest, then the file."""
        if address.startswith(IPA):
            query = urllib.parse.parse_qs(urllib.parse.urlparse(address).query)
            manifest = self.read(query["url"][0]).decode()
            address = re.search(r"<string>(http[^<]*/file/[^<]*)</string>", manifest).group(1).replace("&amp;", "&")
        self.expect(self.read(address)[:2] == b"PK", "the file is an archive")

    @staticmethod
    def read(address):
        with urllib.request.urlopen(address) as answer:
            return answer.read()

    def scan(self):
        """The code, as a phone's camera sees it on the screen."""
        picture = os.path.join(self.folder, f"code-{self.name}.png")
        self.page.locator("svg.code").screenshot(path=picture)
        read = subprocess.run(
            ["zbarimg", "--quiet", "--raw", picture], stdout=subprocess.PIPE, text=True, check=False)
        self.expect(read.stdout.strip() == self.server.url + PAGE, f"the code says {read.stdout!r}")

    def strangers(self):
        """An app with private releases looks like one that is not there, and leads to the sign-in."""
        texts = []
        for app in ("Secret", "Nobody"):
            answer = self.page.goto(self.server.url + "/install/apps/" + app)
            self.expect(answer.status == 404, f"{app} answers {answer.status}")
            texts.append(self.page.inner_text("main"))
        self.expect(texts[0] == texts[1], "strangers can tell a private app")
        self.check("nothing")
        self.page.get_by_role("link", name="Releases for testers").click()
        self.expect("not signed in" in self.page.inner_text("main"), "the page leads to the testers' sign-in")
        self.check("testers")

    def accept(self):
        """From the invitation to the page of the private release, and to the app's own update."""
        page, home = self.page, self.server.home
        email = f"{self.name}@example.org"
        line = home.run("testers", "invite", email, "--group", "Beta", "--app", "Secret",
                        "--address", self.server.url).stdout
        page.goto(line.split()[-1])
        self.check("invitation")
        page.get_by_role("button", name="Accept the invitation").click()
        page.wait_for_url("**/install")
        self.expect(email in page.inner_text("main"), "the tester is signed in")
        self.check("signed-in")
        self.go("/install/apps/Secret", "private")
        buttons = self.shown()
        kind = APK if self.installs == APK else IPA
        self.expect(buttons and kind in urllib.parse.unquote(buttons[0]), f"the tester is offered {buttons[:1]}")
        self.fetch(buttons[0])

    def update(self):
        """The app asks for a token in the browser, and for its update with it."""
        line = self.server.home.run("testers", "invite", f"{self.name}@example.com", "--group", "Beta", "--app",
                                    "Tern", "--address", self.server.url).stdout
        self.page.goto(line.split()[-1])
        self.page.get_by_role("button", name="Accept the invitation").click()
        self.page.wait_for_url("**/install")
        system = {"platform": "Android", "redirect_id": "com.example.tern", "redirect_scheme": "appcenter"} \
            if self.installs == APK else {"platform": "iOS", "redirect_id": "appcenter-" + SECRET}
        query = urllib.parse.urlencode({
            "release_hash": "0" * 64, "request_id": REQUEST, "enable_failure_redirect": "true", **system})
        answer = self.context.request.get(
            f"{self.server.url}/install/apps/{SECRET}/private-update-setup/?{query}", max_redirects=0)
        address = answer.headers.get("location") or re.search(r'href="([^"]+)"', answer.text()).group(1)
        self.expect("update_setup_failed" not in address, f"the sign-in leads to {address}")
        token = re.search(r"update_token=([^&;]+)", address.replace("&amp;", "&"))
        self.expect(token is not None, f"the app gets a token: {address}")
        if token is None:
            return
        request = urllib.request.Request(
            f"{self.server.url}/v0.1/sdk/apps/{SECRET}/releases/private/latest?release_hash=" + "0" * 64,
            headers={"x-api-token": urllib.parse.unquote(token.group(1)),
                     "User-Agent": "Dalvik/2.1.0" if self.installs == APK else "Tern/1 CFNetwork/1498 Darwin/23.5.0"})
        with urllib.request.urlopen(request) as answer:
            release = json.load(answer)
        self.expect(release["short_version"] == "1.1.0", f"the update is {release['short_version']}")
        self.fetch(release["install_url"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mayday", default=MAYDAY)
    parser.add_argument("--screenshots", default=os.path.join(ROOT, ".build", "phones"))
    options = parser.parse_args()
    environment.enter()
    pages.without_network()
    import html5lib
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import sync_playwright

    pages.html5lib = html5lib
    shutil.rmtree(options.screenshots, ignore_errors=True)
    os.makedirs(options.screenshots)
    failures = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=pages.CHROMIUM, args=["--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"])
        with Home(options.mayday) as home:
            fill(home)
            home.run("releases", "add", os.path.join(ROOT, "Artefacts", "Tern-1.1.0.ipa"), "--app", "Tern",
                     "--groups", "Beta")
            home.run("releases", "add", os.path.join(ROOT, "Artefacts", APK), "--app", "Tern", "--groups", "Beta")
            with Server(home) as server:
                for device in DEVICES:
                    for has_scripts, scheme in ((True, "light"), (True, "dark"), (False, "light")):
                        walk = Device(
                            browser, server, Axe(), options.screenshots, device, has_scripts, scheme, failures)
                        walk.install()
                        walk.strangers()
                        if walk.kind not in COMPUTERS:
                            walk.accept()
                            walk.update()
                        walk.context.close()
        browser.close()
    pictures = len(os.listdir(options.screenshots))
    print(f"{len(DEVICES)} devices, {pictures} screenshots in {options.screenshots}, {len(failures)} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
