#!/usr/bin/env python3
"""The pages of a server in a real browser.

A server with the samples is signed in to, walked through with scripts and without, on a phone and on a wide
screen, light and dark. Every page is checked by axe-core, may ask no other host for anything, and may leave no
error in the browser's console. Screenshots are left in a folder. Chromium comes from the distribution,
Playwright and axe-core from the package index.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import venv

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PACKAGES = ["playwright==1.65.2", "axe-playwright-python==0.1.8"]
CHROMIUM = "/usr/lib/chromium/chromium-headless-shell"
RULES = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]
HOSTILE = "NAME<img src=x onerror=alert(1)>'><script>alert(2)</script>{{7*7}}\\u202e"
SIZES = [(390, 844), (1280, 900), (1920, 1080)]


def with_packages():
    """Starts this script again with the packages that it needs."""
    folder = os.path.join(ROOT, ".build", "pages-venv")
    python = os.path.join(folder, "bin", "python3")
    if sys.executable == python:
        return
    if not os.path.exists(os.path.join(folder, "complete")):
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
        open(os.path.join(folder, "complete"), "w").close()
    os.execv(python, [python, *sys.argv])


class Server:
    """`mayday serve` on a fresh home with the samples."""

    def __init__(self, mayday, home):
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run(
            [mayday, "symbols", "add", os.path.join(ROOT, "Symbols"), "--home", home], **quiet)
        # Some of the samples are there to be refused.
        subprocess.run(
            [mayday, "ingest", os.path.join(ROOT, "Samples"), "--home", home], **quiet)
        self.debug_file = os.path.join(
            ROOT, "Symbols", "apple", "1.0.0", "macos", "Tern.app.dSYM", "Contents", "Resources", "DWARF",
            "Tern")
        self.add_hostile(mayday, home, quiet)
        self.program = subprocess.Popen(
            [mayday, "serve", "--listen", "0", "--home", home], stderr=subprocess.PIPE, text=True)
        self.link = None
        for line in self.program.stderr:
            found = re.search(r"http://\S+/sign-in\?code=\S+", line)
            if found:
                self.link = found.group()
            if "/api/v1/reports" in line:
                break
        if self.link is None:
            sys.exit("the server printed no link that signs in")
        self.origin = self.link.split("/sign-in")[0]

    @staticmethod
    def add_hostile(mayday, home, quiet):
        """A report whose names are markup, turn the direction of text, and have a word of a megabyte."""
        with open(os.path.join(ROOT, "Samples", "apple-ips", "abort-1.0.0-macos-x86_64.ips")) as file:
            text = file.read()
        for name in ("Tern", "abort", "main"):
            text = text.replace(name, HOSTILE.replace("NAME", name))
        text = text.replace("macOS", "macOS" + "x" * 1_000_000, 1)
        path = os.path.join(home, "..", "hostile.ips")
        with open(path, "w") as file:
            file.write(text)
        subprocess.run([mayday, "ingest", path, "--home", home], check=True, **quiet)

    def stop(self):
        self.program.terminate()
        self.program.wait(30)


class Walk:
    def __init__(self, browser, server, axe, folder, has_scripts, size, scheme, failures):
        self.server = server
        self.axe = axe
        self.folder = folder
        self.failures = failures
        self.name = f"{size[0]}-{scheme}" + ("" if has_scripts else "-noscript")
        self.has_scripts = has_scripts
        self.context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, color_scheme=scheme,
            java_script_enabled=has_scripts)
        self.page = self.context.new_page()
        self.page.on("console", lambda m: m.type == "error" and self.fail(f"console: {m.text}"))
        self.page.on("pageerror", lambda e: self.fail(f"script: {e}"))
        self.page.on("request", self.check_request)
        self.page.on("dialog", lambda d: (self.fail(f"ran: {d.message}"), d.dismiss()))

    def fail(self, text):
        self.failures.append(f"{self.name} {self.page.url}: {text}")

    def check_request(self, request):
        if not request.url.startswith((self.server.origin, "data:")):
            self.fail(f"asked {request.url}")

    def check(self, name):
        """The page as it is now: accessible, not wider than the screen, and pictured."""
        self.page.screenshot(path=os.path.join(self.folder, f"{name}-{self.name}.png"), full_page=True)
        wide = self.page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if wide > 0:
            self.fail(f"{name} is {wide} pixels wider than the screen")
        if self.has_scripts:
            found = self.axe.run(self.page, options={"runOnly": RULES}).response["violations"]
            for violation in found:
                nodes = ", ".join(str(node["target"]) for node in violation["nodes"][:3])
                self.fail(f"{name}: {violation['id']}: {violation['help']}: {nodes}")

    def go(self, path, name):
        answer = self.page.goto(self.server.origin + path)
        if answer.status != 200:
            self.fail(f"{path} answers {answer.status}")
        self.check(name)

    def expect(self, is_true, text):
        if not is_true:
            self.fail(text)

    def sign_in(self, link):
        self.page.goto(link)
        self.check("sign-in")
        self.page.get_by_role("button", name="Sign in").click()
        self.expect(self.page.locator("h1").inner_text() == "Groups", "the list follows the sign-in")

    def run(self):
        page = self.page
        self.go("/", "groups")
        first = page.locator("table.groups a.signature").first
        title = first.inner_text()
        first.click()
        self.expect(title in page.locator("h1").inner_text(), "the group has the title of its row")
        self.check("group")
        group = page.url
        page.locator("summary", has_text="Resolve").click()
        page.get_by_label("in the next release").check()
        page.get_by_role("button", name="Resolve").click()
        self.expect(page.locator("h1 ~ p .state").inner_text() == "resolved", "it is resolved")
        page.get_by_role("button", name="Undo").first.click()
        self.expect(page.locator("h1 ~ p .state").inner_text() == "open", "it is open again")
        page.get_by_role("link", name="The whole report").click()
        self.check("report")
        with page.expect_download() as download:
            page.get_by_role("link", name="Submission").click()
        self.expect(os.path.getsize(download.value.path()) > 0, "the submission has bytes")
        text = page.get_by_role("link", name="Text").get_attribute("href")
        answer = self.context.request.get(self.server.origin + text)
        self.expect(answer.ok and "Thread" in answer.text(), "the report is there as text")
        self.go("/?status=all&sort=reports", "all-groups")
        page.get_by_label("Search").fill("no-report-has-this")
        page.get_by_role("button", name="Search").click()
        self.expect("No group matches" in page.inner_text("main"), "a failed search says so")
        self.check("nothing-found")
        self.go("/?status=all&q=onerror", "hostile-groups")
        self.expect(page.locator("table.groups tbody tr").count() > 0, "the hostile report is found")
        self.expect(page.locator("main img").count() == 0, "no markup of a report is markup")
        page.locator("table.groups a.signature").first.click()
        self.check("hostile-group")
        page.get_by_role("link", name="The whole report").click()
        self.check("hostile-report")
        self.expect(page.locator("main img, main script").count() == 0, "no markup of a report is markup")
        page.get_by_role("link", name="Why this title").click()
        self.check("explain")
        page.get_by_label("Compare").fill("TERN-1")
        page.get_by_role("button", name="Compare").click()
        self.expect("A is in" in page.inner_text("main"), "two reports are compared")
        self.check("compare")
        self.go("/releases", "releases")
        page.locator("tr.row a").first.click()
        self.check("release")
        for name in ("", "/quarantine", "/tokens", "/accounts", "/audit"):
            self.go("/server" + name, "server" + name.replace("/", "-"))
        self.go("/symbols", "symbols")
        page.get_by_label("Debug files").set_input_files(os.path.join(ROOT, "README.md"))
        page.get_by_role("button", name="Upload").click()
        self.expect("0 debug files added" in page.inner_text("h1"), "a text is not a debug file")
        self.go("/symbols", "symbols")
        page.get_by_label("Debug files").set_input_files(self.server.debug_file)
        page.get_by_role("button", name="Upload").click()
        self.expect("added" in page.inner_text("h1"), "a debug file is uploaded")
        self.check("uploaded")
        self.go("/apps", "apps")
        self.go("/account", "account")
        if self.has_scripts:
            self.keys(group)

    def keys(self, group):
        page = self.page
        page.goto(self.server.origin + "/?status=all")
        page.keyboard.press("j")
        page.keyboard.press("j")
        page.keyboard.press("k")
        self.expect(page.locator("tr[data-current]").count() == 1, "j and k select a row")
        page.keyboard.press("x")
        self.expect(page.locator("tr[data-current] input:checked").count() == 1, "x ticks it")
        page.keyboard.press("?")
        self.expect(page.locator(".keys").is_visible(), "? shows the keys")
        self.check("keys")
        page.keyboard.press("/")
        self.expect(page.evaluate("document.activeElement.name") == "q", "/ goes to the search")
        page.keyboard.press("Escape")
        page.keyboard.press("o")
        page.wait_for_url("**/groups/*")
        page.keyboard.press("e")
        self.expect(page.get_by_label("in the next release").is_visible(), "e opens resolve")

    def sign_out(self):
        self.page.goto(self.server.origin + "/account")
        self.page.get_by_role("button", name="Sign out").first.click()
        self.page.goto(self.server.origin + "/")
        self.expect("/sign-in" in self.page.url, "who signed out sees no page")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mayday", default=os.path.join(ROOT, ".build", "release", "mayday"))
    parser.add_argument("--screenshots", default=os.path.join(ROOT, ".build", "pages"))
    options = parser.parse_args()
    with_packages()
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import sync_playwright

    shutil.rmtree(options.screenshots, ignore_errors=True)
    os.makedirs(options.screenshots)
    failures = []
    walks = [(True, size, scheme) for size in SIZES for scheme in ("light", "dark")]
    walks += [(False, SIZES[0], "light"), (False, SIZES[1], "dark")]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        home = os.path.join(folder, "home")
        server = Server(options.mayday, home)
        try:
            browser = playwright.chromium.launch(
                executable_path=CHROMIUM,
                args=["--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"])
            for number, (has_scripts, size, scheme) in enumerate(walks):
                walk = Walk(browser, server, Axe(), options.screenshots, has_scripts, size, scheme, failures)
                link = server.link if number == 0 else subprocess.run(
                    [options.mayday, "accounts", "link", "admin", "--home", home, "--server-url",
                     server.origin], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
                walk.sign_in(link)
                walk.run()
                walk.sign_out()
                walk.context.close()
            browser.close()
        finally:
            server.stop()
    for failure in failures:
        print(failure, file=sys.stderr)
    pictures = len(os.listdir(options.screenshots))
    print(f"{len(walks)} walks, {pictures} screenshots in {options.screenshots}, {len(failures)} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
