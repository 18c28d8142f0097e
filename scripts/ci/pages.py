#!/usr/bin/env python3
"""The pages of a server in a real browser.

A server with the samples is signed in to, walked through with scripts and without, on a phone and on a wide
screen, light and dark. Every page is checked by axe-core, may ask no other host for anything, and may leave no
error in the browser's console. Screenshots are left in a folder.
"""

import argparse
import ctypes
import fcntl
import json
import os
import re
import shutil
import socket
import struct
import sys
import urllib.request
import zlib

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from shared import environment
from shared.paths import MAYDAY, ROOT
from shared.servers import Home, Server

SAMPLE = os.path.join(ROOT, "Samples/apple-ips/abort-1.0.0-macos-x86_64.ips")
DEBUG_FILE = os.path.join(
    ROOT, "Symbols/apple/1.0.0/macos/Tern.app.dSYM/Contents/Resources/DWARF/Tern")
CHROMIUM = "/usr/lib/chromium/chromium-headless-shell"
RULES = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]
HOSTILE = "NAME<img src=x onerror=alert(1)>'><script>alert(2)</script>{{7*7}}\\u202e"
DOCUMENT = """{"appUpdate": {"availableVersion": "2.0", "url": "https://example.org/tern", "type": "recommended",
  "localizedStrings": [{"title": "Update", "text": "Tern 2.0 is here.",
    "options": [{"title": "Later"}, {"title": "Update", "isUpdateAction": true}]}]}}"""
PASSWORD = "correct horse battery"
SIZES = [(390, 844), (1280, 900), (1920, 1080)]
# The narrowest screen on which nothing may need scrolling to the side.
NARROWEST = (320, 700)
# The width in pixels up to which rows are cards.
PHONE = 608
LONG_NAME = "com.apple.MobileSoftwareUpdate.UpdateBrainService"


def without_network():
    """Gives server and browser a network with only the loopback interface, if the machine allows it."""
    new_network = 0x40000000  # CLONE_NEWNET
    if ctypes.CDLL(None).unshare(new_network) != 0:
        print("pages.py: no network namespace here; only the browser's own rule keeps it from other hosts",
              file=sys.stderr)
        return
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as loopback:
        get_flags, set_flags, is_up = 0x8913, 0x8914, 1  # SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP
        request = fcntl.ioctl(loopback, get_flags, struct.pack("16sh14x", b"lo", 0))
        flags = struct.unpack("16sh14x", request)[1]
        fcntl.ioctl(loopback, set_flags, struct.pack("16sh14x", b"lo", flags | is_up))


class Site(Server):
    """A server whose pages are walked through."""

    def __init__(self, home, attached=None):
        super().__init__(home)
        self.attached = attached

    def new_link(self):
        return self.home.run("accounts", "link", "admin", "--server-url", self.url).stdout.strip()


def fill(home):
    """Adds the samples and reports that are hard to show. Returns the id of one with attachments."""
    # Some files of both folders are refused on purpose.
    home.run("symbols", "add", os.path.join(ROOT, "Symbols"), status=None)
    home.run("ingest", os.path.join(ROOT, "Samples"), status=None)
    home.run("testers", "add-group", "Everyone", "--public", "--app", "Tern")
    home.run("testers", "invite", "ada@example.org", f"{'long' * 40}@example.org", "--group", "Collaborators",
             "--app", "Tern")
    home.run("releases", "add", os.path.join(ROOT, "Artefacts", "Tern-1.1.0.ipa"), "--app", "Tern",
             "--groups", "Everyone", "--notes", "Fixes the nest.")
    add_long(home)
    add_hostile(home)
    return add_attached(home)


def add_report(home, name, text):
    path = os.path.join(home.folder, name)
    with open(path, "w") as file:
        file.write(text)
    home.run("ingest", path)


def sample():
    with open(SAMPLE) as file:
        return file.read()


def add_long(home):
    """A report of an app whose name is long and has no space to break at."""
    add_report(home, "long.ips", sample().replace("Tern", LONG_NAME))


def add_hostile(home):
    """A report whose names contain markup, direction marks and a word of a megabyte."""
    text = sample()
    for name in ("Tern", "abort", "main"):
        text = text.replace(name, HOSTILE.replace("NAME", name))
    add_report(home, "hostile.ips", text.replace("macOS", "macOS" + "x" * 1_000_000, 1))


def picture(width, height, rows):
    """A PNG that says to be so large."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows))
            + chunk(b"IEND", b""))


def add_attached(home):
    """A report with a picture, texts, a picture that is also HTML, and one that claims too many pixels."""
    page = b"<html><script>alert(3)</script>"
    gif = (b"GIF89a\2\0\2\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\2\0\2\0\0\2\2\x4c\1\0;" + page)
    folder = os.path.join(home.folder, "attached")
    files = os.path.join(folder, "crash.ips.attachments")
    os.makedirs(files)
    shutil.copy(SAMPLE, os.path.join(folder, "crash.ips"))
    shot = b"".join(b"\0" + bytes([60, y % 256, 160]) * 640 for y in range(400))
    for name, content in (
        ("shot.png", picture(640, 400, shot)),
        ("bomb.png", picture(60_000, 60_000, b"\0")), ("both.gif", gif), ("page.html", page),
        ("draw.svg", b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(4)'/>"),
        ("state.json", b'{"basket": [1, {"price": 2.50}]}'), ("log.txt", b"a line of the log\n" * 20_000),
        ("line.txt", b"x" * 1_000_000), ("</pre><script>alert(5)</script>.txt", b"</pre><script>alert(6)</script>"),
    ):
        with open(os.path.join(files, name.replace("/", "\\")), "wb") as file:
            file.write(content)
    home.run("ingest", folder)
    return json.loads(home.run("reports", "attachment:shot.png", "--json").stdout)[0]["id"]


def clicks_told():
    """The clicks of each question and task in docs/use/pages.md."""
    with open(os.path.join(ROOT, "docs/use/pages.md")) as file:
        rows = re.search(r"\| question or task .*\n\|.*\n((?:\|.*\n)+)", file.read())[1].splitlines()
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    return {question: int(clicks) for question, _, clicks in cells}


class Walk:
    def __init__(self, browser, server, axe, folder, has_scripts, size, scheme, failures):
        self.server = server
        self.axe = axe
        self.folder = folder
        self.failures = failures
        self.name = self.title(has_scripts, size, scheme)
        self.has_scripts = has_scripts
        self.is_phone = size[0] <= PHONE
        # Whether refused forms are part of the step.
        self.makes_mistakes = False
        self.context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, color_scheme=scheme,
            java_script_enabled=has_scripts)
        self.page = self.context.new_page()
        self.page.on("console", self.hear)
        self.page.on("pageerror", lambda e: self.fail(f"script: {e}"))
        self.page.on("request", self.check_request)
        self.page.on("dialog", lambda d: (self.fail(f"ran: {d.message}"), d.dismiss()))

    @staticmethod
    def title(has_scripts, size, scheme):
        return f"{size[0]}-{scheme}" + ("" if has_scripts else "-noscript")

    def fail(self, text):
        self.failures.append(f"{self.name} {self.page.url}: {text}")
        print(self.failures[-1], file=sys.stderr, flush=True)

    def hear(self, message):
        # The browser logs a refused sign-in as an error.
        refused = "/sign-in" in message.location.get("url", "") and "status of 403" in message.text
        refused |= "/account/password" in message.location.get("url", "") and "status of 400" in message.text
        refused |= self.makes_mistakes and "status of 400" in message.text
        if message.type == "error" and not refused:
            self.fail(f"console: {message.text}")

    def check_request(self, request):
        if not request.url.startswith((self.server.url, "data:")):
            self.fail(f"asked {request.url}")

    def check(self, name):
        """Checks that the page is accessible and not wider than the screen, and takes a screenshot."""
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
        answer = self.page.goto(self.server.url + path)
        if answer.status != 200:
            self.fail(f"{path} answers {answer.status}")
        reader = html5lib.HTMLParser()
        reader.parse(answer.text())
        for place, error, _ in reader.errors:
            self.fail(f"{name}: line {place[0]}: {error}")
        self.check(name)

    def expect(self, is_true, text):
        if not is_true:
            self.fail(text)

    def sign_in(self, link):
        self.page.goto(link)
        self.check("sign-in")
        self.page.get_by_role("button", name="Sign in").click()
        self.expect(self.page.locator("h1").inner_text() == "Groups", "the list follows the sign-in")

    def set_password(self):
        page = self.page
        page.goto(self.server.url + "/account")
        page.get_by_label("New password", exact=True).fill(PASSWORD)
        page.get_by_label("Confirm new password").fill("another one")
        page.get_by_role("button", name=re.compile("^(Set|Change) password$")).click()
        self.expect("do not match" in page.locator("main").get_by_role("alert").inner_text(), "two passwords differ")
        self.check("password-problem")
        page.get_by_label("New password", exact=True).fill(PASSWORD)
        page.get_by_label("Confirm new password").fill(PASSWORD)
        page.get_by_role("button", name=re.compile("^(Set|Change) password$")).click()
        self.expect("Password saved" in page.locator("main").get_by_role("status").inner_text(), "the password is set")

    def sign_in_by_password(self):
        page = self.page
        page.goto(self.server.url + "/groups/TERN-1")
        self.check("sign-in-password")
        page.get_by_label("Name").fill("Admin")
        page.get_by_label("Password").fill(PASSWORD[:-1])
        page.get_by_role("button", name="Sign in", exact=True).click()
        self.expect("Incorrect" in page.locator("main").get_by_role("alert").inner_text(), "a wrong password is reported")
        self.expect(page.get_by_label("Name").input_value() == "Admin", "the name stays")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in", exact=True).click()
        self.expect(page.url.endswith("/groups/TERN-1"), "the page follows that was asked for")

    def narrow(self):
        """The pages that have no steps, on the narrowest screen."""
        page = self.page
        self.go("/?status=all", "groups")
        page.locator("table.groups a.signature").first.click()
        self.check("group")
        page.get_by_role("link", name="Full report").click()
        self.check("report")
        paths = ["/groups/TERN-1", "/groups/TERN-1/reports", "/groups/TERN-1/split", "/reports", "/releases",
                 "/symbols", "/symbols/stored", "/symbols/releases", "/apps", "/apps/" + LONG_NAME,
                 "/apps/Tern/configuration", "/apps/Tern/testers", "/apps/Tern/check", "/apps/Tern/upload",
                 "/apps/Tern/files", "/releases/Tern/1.1.0%20(1100)", "/account",
                 "/sign-in/command", "/server"]
        paths += ["/server/" + name for name in (
            "quarantine", "tokens", "alerts", "accounts", "retention", "scrubbing", "erasure", "audit")]
        for path in paths:
            self.go(path, path.strip("/").replace("/", "-"))

    def mistakes(self):
        """Forms that are refused say why, and keep what was typed."""
        page = self.page
        self.makes_mistakes = True
        self.go("/groups/TERN-1/split", "split")
        page.get_by_label("Reports to split off").fill("nofield:1")
        page.get_by_role("button", name="Preview").first.click()
        self.expect("nofield" in page.inner_text("[role=alert]"), "a wrong rule for a split is refused")
        self.expect(page.get_by_label("Reports to split off").input_value() == "nofield:1", "the rule stays")
        self.check("split-refused")
        self.go("/server/scrubbing", "server-scrubbing")
        page.get_by_label("Rules").fill("[patterns]\nmine = (")
        page.get_by_label("Sample text").fill("a" * 65_537)
        page.get_by_role("button", name="Save rules").click()
        self.expect("64 KiB" in page.inner_text("[role=alert]"), "a sample text that is too long is refused")
        self.expect("mine = (" in page.get_by_label("Rules").input_value(), "the rules stay")
        self.check("scrubbing-refused")
        self.go("/apps/Tern/configuration", "configuration")
        page.get_by_label("Document (JSON)").fill(DOCUMENT)
        page.get_by_label("Note").fill("n" * 65_537)
        page.get_by_role("button", name="Publish").click()
        self.expect("note" in page.inner_text("[role=alert]"), "a note that is too long is refused")
        self.expect("appUpdate" in page.get_by_label("Document (JSON)").input_value(), "the document stays")
        self.check("configuration-refused")
        self.makes_mistakes = False

    def lists(self):
        """The order of changes, the frames of a title, and a search that is saved and removed."""
        page = self.page
        self.go("/?status=all&sort=change", "groups-by-change")
        title = page.locator("table.groups a.signature[aria-describedby]").first
        title.focus()
        stack = page.locator("#" + title.get_attribute("aria-describedby"))
        self.expect(stack.is_visible(), "the frames of a title show when it has the focus")
        self.check("groups-with-frames")
        page.locator("summary", has_text="Saved searches").click()
        page.get_by_label("Name").fill("By change")
        page.get_by_role("button", name="Save this search").click()
        self.expect("Search saved" in page.inner_text("main"), "a search is saved")
        page.locator("summary", has_text="Saved searches").click()
        self.check("saved-searches")
        page.get_by_role("button", name="Remove By change").click()
        self.expect("Search removed" in page.inner_text("main"), "a saved search is removed")
        self.go("/releases", "releases-after-list")
        link = page.get_by_role("navigation", name="Pages").get_by_role("link", name="Groups")
        self.expect("sort=change" in link.get_attribute("href"), "other pages lead back to the list")
        self.go("/", "groups-again")

    def run(self):
        page = self.page
        self.go("/", "groups")
        top = page.locator("table.groups tbody tr").first.bounding_box()["y"]
        self.expect(top < (600 if self.is_phone else 450), f"the first group is {top} pixels down")
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
        self.group_steps(group)
        page.goto(group)
        page.get_by_role("link", name="Full report").click()
        self.check("report")
        with page.expect_download() as download:
            page.get_by_role("link", name="Submission").click()
        self.expect(os.path.getsize(download.value.path()) > 0, "the submission has bytes")
        text = page.get_by_role("link", name="Text").get_attribute("href")
        answer = self.context.request.get(self.server.url + text)
        self.expect(answer.ok and "Thread" in answer.text(), "the report is there as text")
        self.go("/?status=all&sort=reports", "all-groups")
        self.several()
        page.get_by_label("Search").fill("no-report-has-this")
        page.get_by_role("button", name="Search").click()
        self.expect("No group matches" in page.inner_text("main"), "a failed search says so")
        self.check("nothing-found")
        self.lists()
        self.mistakes()
        self.go("/?status=all&q=onerror", "hostile-groups")
        self.expect(page.locator("table.groups tbody tr").count() > 0, "the hostile report is found")
        self.expect(page.locator("main img").count() == 0, "no markup of a report is markup")
        page.locator("table.groups a.signature").first.click()
        self.check("hostile-group")
        page.get_by_role("link", name="Full report").click()
        self.check("hostile-report")
        self.expect(page.locator("main img, main script").count() == 0, "no markup of a report is markup")
        page.get_by_role("link", name="Why this title").click()
        self.check("explain")
        page.get_by_label("Compare").fill("TERN-1")
        page.get_by_role("button", name="Compare").click()
        self.expect("A is in" in page.inner_text("main"), "two reports are compared")
        self.check("compare")
        self.report()
        self.go("/releases", "releases")
        page.locator("tr.row a").first.click()
        self.check("release")
        self.go("/releases/Tern/1.1.0%20(1100)", "release-with-file")
        page.get_by_label("Percent of users").fill("25")
        page.get_by_role("button", name="Offer").click()
        self.expect("offered to 25 %" in page.inner_text("main"), "a release is offered to a quarter")
        self.publish()
        self.hand_over()
        for name in ("", "/quarantine", "/tokens", "/alerts", "/accounts", "/retention", "/scrubbing", "/audit"):
            self.go("/server" + name, "server" + name.replace("/", "-"))
        self.go("/server/scrubbing", "server-scrubbing")
        page.get_by_label("Sample text").fill("password=hunter2")
        page.get_by_role("button", name="Preview").click()
        self.expect("1 text would be removed" in page.inner_text("main"), "scrubbing shows its outcome")
        self.check("server-scrubbing-preview")
        for name in ("/stored", "/releases"):
            self.go("/symbols" + name, "symbols" + name.replace("/", "-"))
        self.go("/symbols", "symbols")
        page.get_by_label("Debug files").set_input_files(os.path.join(ROOT, "README.md"))
        page.get_by_role("button", name="Upload").click()
        page.get_by_role("heading", name="0 debug files added").wait_for()
        self.go("/symbols", "symbols")
        page.get_by_label("Debug files").set_input_files(DEBUG_FILE)
        page.get_by_role("button", name="Upload").click()
        page.get_by_role("heading", name=re.compile("^[01] debug files? added")).wait_for()
        self.check("uploaded")
        self.go("/apps", "apps")
        page.get_by_role("link", name="Tern", exact=True).first.click()
        self.check("app")
        page.get_by_label("Reports per group").fill("1")
        page.get_by_role("button", name="Preview").click()
        self.expect("would now delete" in page.inner_text("main"), "retention has a preview")
        self.check("app-retention")
        page.get_by_role("link", name="Remote configuration").click()
        page.get_by_label("Document (JSON)").fill("{}")
        page.get_by_role("button", name="Check and preview").click()
        self.expect("appUpdate" in page.inner_text("[role=alert]"), "a wrong document is refused")
        page.get_by_label("Document (JSON)").fill(DOCUMENT)
        page.get_by_role("button", name="Check and preview").click()
        self.expect("Every client can read this document" in page.inner_text("main"), "a right one is shown")
        self.check("configuration")
        self.go("/account", "account")
        if self.has_scripts:
            self.keys(group)
            if not self.is_phone:
                self.flows()

    def publish(self):
        """A release is added, previewed, published and explained."""
        page = self.page
        self.go("/apps/Tern/upload", "release-upload")
        page.get_by_label("File:").set_input_files(os.path.join(ROOT, "Artefacts", "Tern-1.0.0.ipa"))
        page.get_by_label("Release notes").fill("- the **nest**")
        page.get_by_role("button", name="Upload").click()
        page.get_by_role("heading", name="Tern 1.0.0 (1000) added").wait_for()
        self.check("release-added")
        page.get_by_role("link", name="1.0.0 (1000)", exact=True).click()
        page.get_by_text("Publish #").last.click()
        page.get_by_label("Collaborators").last.check()
        page.get_by_role("button", name="Preview").last.click()
        self.expect("What clients will be told" in page.inner_text("main"), "a preview says what clients will be told")
        self.check("release-preview")
        page.get_by_role("button", name="Publish", exact=True).click()
        self.expect("published" in page.inner_text("main"), "a release is published")
        self.go("/apps/Tern/check", "check-form")
        page.get_by_label("Installed release").fill("0.9.0")
        page.get_by_role("button", name="Explain").click()
        self.expect("published to others" in page.inner_text("main"), "a check is explained")
        self.check("check")

    def hand_over(self):
        """Crash files are handed over by somebody with an account, and by a link."""
        page = self.page
        self.go("/apps/Tern/files", "files")
        page.get_by_label("Crash files").set_input_files([SAMPLE, DEBUG_FILE])
        page.get_by_label("Attachments").set_input_files(os.path.join(ROOT, "README.md"))
        page.get_by_role("button", name="Hand over").click()
        page.get_by_role("link", name="Show the results").wait_for()
        self.expect("debug file" in page.inner_text("main"), "a debug file belongs to the symbols")
        self.check("files-handed-over")
        for _ in range(100):
            if page.get_by_role("link", name="Show the results").count() == 0:
                break
            page.wait_for_timeout(100)
            page.get_by_role("link", name="Show the results").click()
        self.expect(page.locator("main a[href^='/reports/'], main a[href^='/groups/']").count() > 0,
                    "a handed file leads to its report")
        self.check("files-results")
        link = self.server.home.run("intake-links", "add", self.name, "--app", "Tern").stdout.split()
        secret = next(word for word in link if "/files/" in word)
        self.go(secret[secret.index("/files/"):], "files-by-link")

    def flows(self):
        """Questions and tasks take as many clicks from the list of groups as docs/use/pages.md says."""
        told = clicks_told()
        found = {}
        for question in told:
            self.page.goto(self.server.url + "/")
            self.clicks = 0
            flow = self.FLOWS.get(question)
            if flow is None:
                self.fail(f"no flow tries '{question}'")
                continue
            flow(self)
            found[question] = self.clicks
            if question in self.DECISIONS:
                self.page.get_by_role("button", name="Undo", exact=True).first.click()
        for question in set(told) & set(found):
            self.expect(told[question] == found[question],
                        f"'{question}' takes {found[question]} clicks, told are {told[question]}")
        self.expect(set(self.FLOWS) <= set(told), "every flow is told")

    def click(self, target):
        target.click()
        self.clicks += 1

    def click_button(self, name):
        self.click(self.page.get_by_role("button", name=name, exact=True).first)

    def click_link(self, name):
        self.click(self.page.get_by_role("link", name=name, exact=True).first)

    def click_title(self):
        self.click(self.page.locator("table.groups a.signature").first)

    def click_menu(self, name):
        self.click(self.page.locator("summary", has_text=name).first)

    def click_boxes(self):
        for index in range(2):
            self.click(self.page.locator("table.groups td input[type=checkbox]").nth(index))

    def shows(self, text):
        self.expect(text in self.page.inner_text("main"), f"the page shows '{text}'")

    def see_change(self):
        for title in ("Change", "First seen"):
            self.shows(title)

    def see_places(self):
        self.expect(self.page.locator("table.groups td.title .mono").count() > 10, "titles have their places")

    def sort_by_reports(self):
        self.click_link("Reports")
        self.expect("sort=reports" in self.page.url, "the list is sorted by reports")

    def find_group(self):
        self.page.get_by_role("combobox", name="Search").fill("tern-1")
        self.page.keyboard.press("Enter")
        self.page.wait_for_url("**/groups/TERN-1")

    def compare_release(self):
        self.click_link("Releases")
        self.click(self.page.locator("tr.row a", has_text="1.1.0").first)
        self.expect(self.page.locator("main .verdict, main .quiet").count() > 0, "a release is compared")

    def see_missing(self):
        self.click_link("Symbols")
        self.shows("Missing symbols")

    def explain(self):
        self.click_title()
        self.click_link("Full report")
        self.click_link("Why this title")
        self.expect("/explain" in self.page.url, "the title is explained")

    def resolve(self):
        self.click_title()
        self.click_menu("Resolve")
        self.click(self.page.get_by_label("in the next release"))
        self.click_button("Resolve")
        self.expect(self.page.locator("h1 ~ p .state").inner_text() == "resolved", "it is resolved")

    def undo(self):
        self.resolve()
        self.clicks = 0
        self.click_button("Undo")
        self.expect(self.page.locator("h1 ~ p .state").inner_text() == "open", "it is open again")

    def ignore_two(self):
        self.click_boxes()
        self.click_button("Ignore")
        self.shows("2 groups ignored")

    def merge_two(self):
        # Only groups of one app can be merged.
        self.page.goto(self.server.url + "/?q=app%3ATern")
        self.click_boxes()
        self.click_menu("More")
        self.click_button("Merge into the first selected")
        self.expect(self.page.get_by_role("button", name="Undo", exact=True).count() > 0, "they are merged")

    def assign(self):
        self.click_title()
        self.click_menu("Assign")
        self.click_button("Assign to me")
        self.shows("assigned to admin")

    def note(self):
        self.click_title()
        self.click_menu("Note")
        self.page.get_by_label("Note").fill("seen on the tram")
        self.click_button("Note")
        self.shows("seen on the tram")
        self.page.get_by_role("button", name="Remove", exact=True).first.click()

    def save_search(self):
        # The list without a search or an order of its own has nothing to keep.
        self.page.goto(self.server.url + "/?status=all&sort=change")
        self.click_menu("Saved searches")
        self.page.get_by_label("Name").fill("All of it")
        self.click_button("Save this search")
        self.shows("Search saved")
        self.page.locator("summary", has_text="Saved searches").click()
        self.page.get_by_role("button", name="Remove All of it").click()

    FLOWS = {
        "What gets worse, and since which build?": see_change, "Where is it in my code?": see_places,
        "What crashes most?": sort_by_reports, "What is TERN-1?": find_group,
        "Is a release worse than the one before?": compare_release, "Which debug files are missing?": see_missing,
        "Why does it have this title?": explain, "Resolve it in the next release": resolve,
        "Take that back": undo, "Ignore two groups": ignore_two, "Merge two groups": merge_two,
        "Assign it to me": assign, "Add a note": note, "Keep this search": save_search,
    }
    # These are undone, so that the next one begins with the same list.
    DECISIONS = {"Resolve it in the next release", "Ignore two groups", "Merge two groups", "Assign it to me"}

    def report(self):
        """The page of a report: attachments, links to frames, neighbours and a comparison."""
        page = self.page
        report = self.server.url + "/reports/" + self.server.attached
        page.goto(report)
        page.locator("#attachments").scroll_into_view_if_needed()
        page.wait_for_load_state("networkidle")
        self.check("attached")
        self.expect(page.locator("#attachments img").count() == 2, "two of the pictures are shown")
        if self.has_scripts:
            width = page.locator("img[src$='shot.png']").evaluate("picture => picture.naturalWidth")
            self.expect(width == 640, "the picture is shown")
        self.expect('"price": 2.50' in page.inner_text("#attachments"), "JSON is shown")
        self.expect("60000 × 60000" in page.inner_text("#attachments"), "the bomb is not")
        for name in ("shot.png", "both.gif", "log.txt", "state.json"):
            with_page = self.context.new_page()
            with_page.on("dialog", lambda d: (self.fail(f"ran: {d.message}"), d.dismiss()))
            answer = with_page.goto(report + "/attachments/" + name)
            self.expect(answer.ok and answer.headers["content-security-policy"].startswith("sandbox"), name)
            with_page.close()
        for name in ("page.html", "draw.svg"):
            with page.expect_download():
                page.locator(f"#attachments a[href$='{name}']").click()
        page.goto(report + "#t1f0")
        self.expect(page.locator("#t1f0").is_visible(), "an address opens the thread of its frame")
        page.goto(report)
        page.get_by_label("Another report or group").fill("TERN-1")
        page.get_by_role("button", name="Compare").click()
        self.expect(page.inner_text("h1") == "Compare reports", "two reports are shown side by side")
        self.check("side-by-side")
        self.go("/?status=all&q=reports:>1&sort=reports", "groups-of-many")
        page.locator("table.groups a.signature").first.click()
        page.get_by_role("link", name="Full report").click()
        there = page.url
        beside = page.locator("a[rel=prev], a[rel=next]").first
        relation = beside.get_attribute("rel")
        if self.has_scripts:
            page.keyboard.press("[" if relation == "prev" else "]")
            page.wait_for_url(lambda url: url != there)
        else:
            beside.click()
        self.expect(page.url != there and "/reports/" in page.url, "the reports of a group lead to each other")
        self.check("report-beside")

    def several(self):
        """A decision about two groups of the list, and its undoing."""
        page = self.page
        address = page.url
        boxes = page.locator("table.groups input[type=checkbox]")
        for index in range(2):
            boxes.nth(index).check()
        page.get_by_role("button", name="Ignore", exact=True).click()
        notice = page.locator("main").get_by_role("status").filter(has_text="2 groups ignored")
        self.expect(notice.get_by_role("link").count() == 2, "the message links to both groups")
        self.check("groups-decided")
        page.get_by_role("button", name="Undo", exact=True).click()
        self.expect("2 groups as before" in page.inner_text("main"), "one button undoes both")
        page.goto(address)

    def group_steps(self, group):
        """Everything that a group's page shows and does; each decision is undone."""
        page = self.page
        path = group[len(self.server.url):]
        page.locator("summary", has_text="Ignore").click()
        page.get_by_label("more reports").fill("3")
        page.get_by_role("button", name="Ignore").click()
        self.expect("until 3 more reports" in page.inner_text("main"), "it is ignored for a while")
        page.get_by_role("button", name="Undo").first.click()
        page.locator("summary", has_text="Assign").click()
        page.get_by_role("button", name="Assign to me").click()
        self.expect("assigned to admin" in page.inner_text("main"), "it is assigned")
        page.get_by_role("button", name="Undo").first.click()
        page.locator("summary", has_text="Note").click()
        page.get_by_label("Note").fill("first line\nsecond line")
        page.get_by_role("button", name="Note").click()
        self.check("group-decided")
        page.get_by_role("button", name="Remove").click()
        self.expect(page.get_by_role("heading", name="Notes").count() == 0, "the note is gone")
        for end in (".txt", ".md", ".json"):
            answer = self.context.request.get(group + end)
            self.expect(answer.ok and len(answer.text()) > 100, f"the group is there as {end}")
        self.go(path + "/reports", "group-reports")
        self.go("/?status=all&sort=reports", "all-groups")
        page.locator("table.groups a.signature").first.click()
        largest = page.url[len(self.server.url):]
        self.check("largest-group")
        self.go(largest + "/split", "split")
        page.get_by_label("Reports to split off").fill("version:1.0.0")
        page.get_by_role("button", name="Preview").first.click()
        self.expect("would move" in page.inner_text("main"), "a split shows what would move")
        self.check("split-preview")
        page.get_by_role("button", name=re.compile("^Split off [0-9]")).click()
        page.get_by_text(re.compile("^split .* off")).first.wait_for()
        page.get_by_role("button", name="Undo").first.click()
        self.go("/", "groups")
        page.get_by_text("Fields", exact=True).click()
        self.check("groups-fields")
        page.get_by_role("link", name="signal:SIGSEGV|SIGBUS").click()
        self.expect(page.get_by_label("Search").input_value() == "signal:SIGSEGV|SIGBUS", "an example is added")
        menu = page.locator("select[name=version]")
        release = menu.locator("option").nth(1).get_attribute("value")
        menu.select_option(release)
        if not self.has_scripts:
            page.get_by_role("button", name="Search").click()
        page.wait_for_url(re.compile("version"))
        self.expect(page.get_by_label("Search").input_value().endswith(" version:" + release),
                    "a menu writes into the query")
        self.check("groups-searched")
        order = page.locator("select[name=sort]")
        self.expect(order.is_visible() == self.is_phone, "phones have a menu that sorts")
        if self.is_phone:
            order.select_option("reports")
            if not self.has_scripts:
                page.get_by_role("button", name="Search").click()
            page.wait_for_url(re.compile("sort=reports"))
        if self.has_scripts:
            self.completion()

    def completion(self):
        page = self.page
        page.goto(self.server.url + "/?status=all")
        from playwright.sync_api import expect

        field = page.get_by_role("combobox", name="Search")
        field.click()
        field.press_sequentially("signa")
        page.get_by_role("option").first.wait_for()
        self.check("completion")
        field.press("ArrowDown")
        field.press("Enter")
        self.expect(field.input_value() == "signal:", "a field is completed")
        field.press_sequentially("sigs")
        # Until the server responds, the list is the previous one.
        expect(page.locator("[role=option]")).to_have_count(1)
        field.press("ArrowDown")
        self.expect(page.locator("[aria-selected=true]").count() == 1, "an arrow marks a value")
        field.press("Enter")
        self.expect(field.input_value() == "signal:SIGSEGV ", "a value is completed")
        field.press("Enter")
        page.wait_for_url(re.compile("q=signal"))
        page.goto(self.server.url + "/?status=all")
        resolve = page.locator("#several button[value=resolve]")
        self.expect(resolve.is_disabled(), "there is nothing to resolve")
        page.get_by_label("Select all on this page").check()
        self.expect(resolve.is_enabled(), "all of it can be resolved")
        rows = page.locator("table.groups tbody tr").count()
        self.expect(f"{rows} selected" in page.inner_text("#several"), "one box ticks all")
        page.locator("table.groups a.signature").first.click()
        for key in "][":
            # The script listens once the page has loaded.
            page.wait_for_load_state()
            there = page.url
            page.keyboard.press(key)
            page.wait_for_url(lambda url: url != there)

    def keys(self, group):
        page = self.page
        page.goto(self.server.url + "/?status=all")
        page.keyboard.press("j")
        page.keyboard.press("j")
        page.keyboard.press("k")
        self.expect(page.locator("tr[data-current]").count() == 1, "j and k select a row")
        page.keyboard.press("x")
        self.expect(page.locator("tr[data-current] input:checked").count() == 1, "x ticks it")
        page.keyboard.press("?")
        self.expect(page.locator(".keys").is_visible(), "? shows the keys")
        self.check("keys")
        page.keyboard.press("Escape")
        self.expect(page.locator(".keys").count() == 0, "Escape hides the keys")
        page.keyboard.press("x")
        page.keyboard.press("a")
        self.expect(page.locator("tr[data-current] input:checked").count() == 1, "a ticks the row")
        self.expect(page.evaluate("document.activeElement.name") == "to", "a asks to whom")
        self.check("list-menu")
        page.keyboard.press("Escape")
        self.expect(page.locator("details.menu[open]").count() == 0, "Escape closes the menu")
        page.keyboard.press("/")
        self.expect(page.evaluate("document.activeElement.name") == "q", "/ goes to the search")
        page.keyboard.press("Escape")
        page.keyboard.press("o")
        page.wait_for_url("**/groups/*")
        page.keyboard.press("e")
        self.expect(page.get_by_label("in the next release").is_visible(), "e opens resolve")
        page.keyboard.press("m")
        self.expect(page.locator("details.menu[open]").count() == 1, "m closes it and opens ignore")
        page.keyboard.press("Escape")
        self.expect(page.evaluate("document.activeElement.textContent") == "Ignore", "Escape goes back to its button")
        page.get_by_role("button", name="Copy stack").wait_for()

    def first_run(self):
        """An empty server leads to the first report, whose names appear once its debug file is there."""
        page = self.page
        self.expect(page.inner_text("h1") == "No reports yet", "an empty server says so")
        self.check("first-run")
        page.get_by_label("Name of your app").fill("Tern")
        page.get_by_role("button", name="Add app").click()
        key = re.search(r"X-App-Key: ([0-9a-f]+)", page.inner_text("main"))
        self.expect(key is not None, "the key of the app is in the line to copy")
        self.check("first-run-app")
        with open(SAMPLE, "rb") as file:
            request = urllib.request.Request(
                self.server.url + "/api/v1/reports", data=file.read(), headers={"X-App-Key": key.group(1)})
        urllib.request.urlopen(request).close()
        page.locator("table.groups").wait_for(timeout=60_000)
        self.expect(page.get_by_text("symbols missing").count() == 1, "the list says that symbols are missing")
        page.locator("table.groups a.signature").first.click()
        page.wait_for_load_state()
        group = page.url
        self.expect("tern::" not in page.inner_text("#stack"), "the stack has no names yet")
        self.check("without-symbols")
        page.goto(self.server.url + "/symbols")
        if self.has_scripts:
            file = page.evaluate_handle(
                "() => { const all = new DataTransfer(); all.items.add(new File(['a note'], 'a.txt')); return all }")
            page.locator("form.drop").dispatch_event("drop", {"dataTransfer": file})
            page.get_by_role("heading", name="0 debug files added").wait_for()
            page.goto(self.server.url + "/symbols")
        page.get_by_label("Debug files").set_input_files(DEBUG_FILE)
        page.get_by_role("button", name="Upload").click()
        page.get_by_role("heading", name=re.compile("^[1-9] debug files? added")).wait_for()
        for _ in range(60):
            page.goto(group)
            if "tern::" in page.inner_text("#stack"):
                break
            page.wait_for_timeout(500)
        self.expect("tern::" in page.inner_text("#stack"), "the names appear")
        self.check("with-symbols")

    def sign_out(self):
        self.page.goto(self.server.url + "/account")
        self.page.get_by_role("button", name="Sign out").first.click()
        self.page.goto(self.server.url + "/")
        self.expect("/sign-in" in self.page.url, "who signed out sees no page")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mayday", default=MAYDAY)
    parser.add_argument("--screenshots", default=os.path.join(ROOT, ".build", "pages"))
    parser.add_argument(
        "--only", metavar="WALK", action="append", help="such as 390-light, 1280-dark-noscript or first-run")
    options = parser.parse_args()
    environment.enter()
    without_network()
    global html5lib
    import html5lib
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import sync_playwright

    shutil.rmtree(options.screenshots, ignore_errors=True)
    os.makedirs(options.screenshots)
    failures = []
    walks = [(True, size, scheme) for size in SIZES for scheme in ("light", "dark")]
    walks += [(False, SIZES[0], "light"), (False, SIZES[1], "dark"), (True, NARROWEST, "light")]
    if options.only:
        walks = [walk for walk in walks if Walk.title(*walk) in options.only]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"])
        with Home(options.mayday) as home, Site(home, attached=fill(home)) as server:
            for number, (has_scripts, size, scheme) in enumerate(walks):
                walk = Walk(browser, server, Axe(), options.screenshots, has_scripts, size, scheme, failures)
                if number > 0 and number % 2 == 0:
                    walk.sign_in_by_password()
                else:
                    walk.sign_in(home.link if number == 0 else server.new_link())
                if number == 0:
                    walk.set_password()
                if size == NARROWEST:
                    walk.narrow()
                else:
                    walk.run()
                walk.sign_out()
                walk.context.close()
        for has_scripts in (True, False) if "first-run" in (options.only or ["first-run"]) else ():
            with Home(options.mayday) as home, Site(home) as server:
                walk = Walk(browser, server, Axe(), options.screenshots, has_scripts, SIZES[1], "light", failures)
                walk.page.goto(home.link)
                walk.page.get_by_role("button", name="Sign in").click()
                walk.first_run()
                walk.context.close()
        browser.close()
    pictures = len(os.listdir(options.screenshots))
    print(f"{len(walks)} walks, {pictures} screenshots in {options.screenshots}, {len(failures)} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
