#!/usr/bin/env python3
"""Posts logs of App Center's SDKs to a server as the SDKs do, and compares what comes of them.

    scripts/oracles/appcenter.py DIR

DIR is a folder with containers of logs (`{"logs":[...]}`), such as the examples of App Center's
documentation. A server is started over a fresh home. One log goes in a request, compressed as the SDKs
compress, in any order, from three threads; requests are sent again, and some are given up before they are
answered. Each report gets a session with events, and files. Then everything that the logs say is read
back over the API and compared: reports, stacks, images, registers, groups, files, sessions, events.
Debug files that are made for the frames are uploaded in the three steps of the command line client,
whole and in blocks, and each frame has to get the function that its file says. A second server gets the
same in another order, without knowing the apps, which are adopted afterwards: everything has to be the
same again.

What a log says of a report is read here a second time, by the rules of the SDKs. Exits with 1 on a difference.
"""
import argparse
import base64
import calendar
import collections
import concurrent.futures
import gzip
import hashlib
import io
import json
import os
import random
import re
import socket
import sys
import time
import urllib.parse
import uuid
import zipfile

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from shared.paths import MAYDAY
from shared.servers import Failure, Home, Server

REPORTS = {"appleError", "managedError", "handledError"}
OTHERS = {"errorAttachment", "startService", "startSession", "event", "page",
          "distributionStartSession", "pushInstallation", "customProperties"}
GZIP_FROM = 1400  # bytes of JSON from which the SDKs for Apple and Android compress
LARGEST = 7 * 1024 * 1024  # raw bytes of an attachment
SHOWN = 5  # differences of one kind
THREADS = 3  # requests at a time, of each of the SDKs
CPUS = {7: "i386", 18: "ppc"}
X86_64 = {8: "x86_64h"}
ARM = {6: "armv6", 9: "armv7", 11: "armv7s", 12: "armv7k"}
ARM64 = {0: "arm64", 1: "arm64", 2: "arm64e"}


# --- Logs ---------------------------------------------------------------------------------------------


def pairs(members):
    """Of a key that is there twice the last value that is not null."""
    found = {}
    for key, value in members:
        if value is not None:
            found[key] = value
    return found


def canonical(text):
    digits = re.sub("[-{}]", "", text).lower()
    return str(uuid.UUID(digits)) if re.fullmatch("[0-9a-f]{32}", digits) else text.lower()


class Log:
    """A log with the file that it is from; its text is sent as it stands there."""

    def __init__(self, value, name):
        self.value = value
        self.name = name
        self.type = value.get("type")
        self.id = canonical(value["id"]) if value.get("id") else None


def containers(folder):
    """The logs below a folder, by file, and the names of the files that hold none."""
    files, others = [], []
    for path in sorted(os.path.join(at, name) for at, _, names in os.walk(folder) for name in names):
        name = os.path.relpath(path, folder)
        with open(path, "rb") as file:
            data = file.read()
        try:
            logs = json.loads(data, object_pairs_hook=pairs)["logs"]
            logs = [Log(log, name) for log in logs if log.get("type") in REPORTS | OTHERS]
        except (ValueError, KeyError, TypeError, AttributeError):
            logs = []
        if logs:
            files.append(logs)
        else:
            others.append((name, data))
    return files, others


class App:
    """An app as the check makes it up, with what is sent for it."""

    def __init__(self, number):
        self.name = f"Corpus{number}"
        self.secret = str(uuid.UUID(int=0x7A4D1C00000040008000000000000000 + number))
        self.reports = {}
        self.attachments = collections.defaultdict(list)
        self.requests = []
        self.sessions = set()
        self.events = collections.defaultdict(set)
        self.crashed = set()

    def install(self, log):
        """Apple writes UUIDs in upper case, the others in lower."""
        number = int(hashlib.sha256((log.id or log.name).encode()).hexdigest()[:1], 16) % 5
        # A crash that names no session would belong to one of its installation.
        if not log.value.get("sid"):
            number += 5
        text = str(uuid.UUID(int=0x5C1B9D0E7A524C0B8D5E2B6A9E4C0000 + number))
        return text.upper() if log.type == "appleError" else text

    def post(self, value, log):
        self.requests.append(({"logs": [value]}, self.install(log), log))


def stamp(text, seconds=0.0):
    """An ISO time, so many seconds later, as microseconds; None for what is no time."""
    match = re.fullmatch(r"(\d+-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?Z", text or "")
    if not match:
        return None
    whole = calendar.timegm(time.strptime(match[1], "%Y-%m-%dT%H:%M:%S"))
    return whole * 1_000_000 + int(round(float(match[2] or 0) * 1e6)) + int(seconds * 1e6)


def written(micros):
    rest = micros % 1_000_000
    text = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(micros // 1_000_000))
    return text + (f".{rest:06d}".rstrip("0") if rest else "") + "Z"


def assign(files, has_large):
    """Apps so that no two reports of one have the same id, and everything that is sent for them."""
    apps = []
    for logs in files:
        ids = {log.id for log in logs if log.type in REPORTS}
        app = next((app for app in apps if not ids & set(app.reports)), None)
        if app is None:
            app = App(len(apps) + 1)
            apps.append(app)
        for log in logs:
            if log.type in REPORTS:
                app.reports[log.id] = log
                app.post(log.value, log)
                extra(app, log, has_large)
            elif log.type == "errorAttachment":
                own = next((other for other in logs if other.id == canonical(log.value["errorId"])), log)
                keep(app, log.value, own)
            else:
                app.post(log.value, log)
    return apps


def keep(app, value, report):
    """An attachment that is sent for a report; of what cannot be used only the answer matters."""
    app.post(value, report)
    try:
        text = re.sub(r"\s", "", value["data"])
        data = base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except ValueError:
        return
    if len(data) <= LARGEST:
        name = value.get("fileName") or "attachment-" + canonical(value["id"])[:8]
        app.attachments[canonical(value["errorId"])].append((name, value["contentType"], data))


def extra(app, log, has_large):
    """The files, the session and the events that an SDK would send beside a report."""
    number = len(app.reports)
    files = [("log.txt", "text/plain", f"what went before {log.id}\n".encode())]
    if number % 3 == 0:
        files.append(("picture.bin", "application/octet-stream", bytes(range(256)) * number))
    if number == 2 and app.name == "Corpus1" and has_large:
        files.append(("large.bin", "application/octet-stream", b"\0\xff" * (LARGEST // 2)))
        files.append(("too-large.bin", "application/octet-stream", b"\0" * (LARGEST + 1)))
    for place, (name, kind, data) in enumerate(files):
        key = f"{log.id} {name}"
        # The id of the report in another spelling than its own.
        error = log.id.upper() if place % 2 == 0 else log.id
        keep(app, {
            "type": "errorAttachment", "timestamp": log.value.get("timestamp"),
            "id": str(uuid.uuid5(uuid.NAMESPACE_OID, key)), "errorId": error, "contentType": kind,
            "fileName": name, "data": base64.b64encode(data).decode(),
            "device": log.value.get("device", {})}, log)
    at = stamp(log.value.get("timestamp"))
    if not log.value.get("sid") or at is None:
        return
    sid = canonical(log.value["sid"])
    device = log.value.get("device", {})
    app.sessions.add(sid)
    if log.type != "handledError" and log.value.get("fatal") is not False:
        app.crashed.add(sid)
    app.post({"type": "startSession", "sid": log.value["sid"], "timestamp": written(at - 60_000_000),
              "device": device}, log)
    for seconds in (-20, -10, 30):
        name = f"event {seconds} of {log.id[:8]}"
        app.events[sid].add((at + seconds * 1_000_000, name))
        app.post({"type": "event", "sid": log.value["sid"], "name": name,
                  "id": str(uuid.uuid5(uuid.NAMESPACE_OID, name)),
                  "timestamp": written(at + seconds * 1_000_000),
                  "properties": {"seconds": str(seconds)}, "device": device}, log)


# --- What a log says ----------------------------------------------------------------------------------


def known(text):
    return None if text in (None, "", "???", "unknown") else text


def architecture(value):
    cpu, kind = value.get("primaryArchitectureId"), value.get("architectureVariantId", 0)
    if cpu is None:
        return None
    kind &= 0x00FFFFFF
    if cpu == 12:
        return ARM.get(kind, "arm")
    if cpu == 0x0100000C:
        return ARM64.get(kind, "arm64")
    if cpu == 0x01000007:
        return X86_64.get(kind, "x86_64")
    return CPUS.get(cpu)


def hexadecimal(text):
    return hex(int(text, 16))


def frame_facts(frame):
    """Address, function and line of a frame; what the log does not say is None."""
    address = int(frame["address"], 16) if frame.get("address") else 0
    function = ".".join(x for x in (frame.get("className"), frame.get("methodName")) if x) or None
    symbol = re.fullmatch(r"(.+) \+ (\d+)", frame.get("code") or "")
    if symbol and not symbol[1].startswith("0x"):
        function = function or symbol[1]
    line = frame.get("lineNumber", 0)
    is_source = not address
    return (hex(address) if address else None, function,
            (frame.get("fileName") if is_source else None), line if is_source and line > 0 else None)


def exception_facts(exception):
    frames = [frame_facts(frame) for frame in exception.get("frames", [])]
    facts = {"type": exception.get("type"), "message": exception.get("message"),
             "inner": [exception_facts(inner) for inner in exception.get("innerExceptions", [])]}
    # A stack that comes as text alone is read otherwise.
    if frames or not exception.get("stackTrace"):
        facts["frames"] = frames
    return facts


def facts(log, install):
    """What the report of a log has to say, by the field of its document."""
    value, device = log.value, log.value.get("device", {})
    found = {
        "incident": log.id, "format": "appcenter", "install": canonical(install),
        "kind": "handled" if log.type == "handledError" or value.get("fatal") is False else "crash",
        "user": value.get("userId"), "app.version": device.get("appVersion"),
        "app.build": device.get("appBuild"), "app.identifier": device.get("appNamespace"),
        "os.version": device.get("osVersion"), "os.build": device.get("osBuild"),
        "os.name": {"android": "Android", "WINDOWS": "Windows"}.get(
            device.get("osName"), device.get("osName")),
        "device.model": known(device.get("model")), "process.name": known(value.get("processName")),
        "process.path": known(value.get("applicationPath")),
        "process.pid": int(value["processId"]) if value.get("processId") is not None else None,
    }
    # Apple's SDK adds .999 to whole seconds; the others write up to seven digits.
    moment = re.fullmatch(r"(\S+?)(\.\d+)?Z", value.get("timestamp") or "")
    if moment:
        rest = "" if log.type == "appleError" and moment[2] == ".999" else (moment[2] or "").rstrip("0").rstrip(".")
        found["time"] = moment[1] + rest + "Z"
    for name, key in (("sdk.name", "sdkName"), ("sdk.version", "sdkVersion"), ("locale", "locale")):
        found["tags." + name] = device.get(key)
    for name, text in (value.get("properties") or {}).items():
        found["properties." + name] = text
    if log.type == "appleError":
        apple(value, found)
    else:
        managed(value, found)
    return found


def apple(value, found):
    death = value["osExceptionType"]
    found["reason." + ("signal" if death.startswith("SIG") else "type")] = death
    if value.get("osExceptionCode", "#").startswith(("SEGV", "BUS", "ILL", "TRAP", "FPE")):
        found["reason.code"] = value["osExceptionCode"]
    found["reason.address"] = hexadecimal(value["osExceptionAddress"])
    own = next((thread["exception"] for thread in value["threads"] if thread.get("exception")), None)
    if value.get("exceptionType"):
        found["reason.exception.type"] = value["exceptionType"]
        found["reason.exception.message"] = value.get("exceptionReason")
    if own:
        found["reason.exception.frames"] = [
            frame_facts(frame)[0] for frame in own.get("frames", [])]
    found["threads"] = [
        (thread["id"], [frame_facts(frame)[0] for frame in thread["frames"]])
        for thread in value["threads"]]
    if value.get("errorThreadId") is not None:
        found["crashed"] = value["errorThreadId"]
    found["registers"] = {
        name: int(text, 16) for name, text in (value.get("registers") or {}).items()}
    found["device.arch"] = architecture(value) or next(
        (architecture(binary) for binary in value["binaries"] if architecture(binary)), None)
    # The end that Apple's SDK tells is that of the last byte.
    found["images"] = sorted(
        (hexadecimal(binary["startAddress"]),
         int(binary["endAddress"], 16) - int(binary["startAddress"], 16) + 1, binary["name"],
         canonical(binary["id"]) if known(binary["id"]) else None, architecture(binary))
        for binary in value["binaries"])


def managed(value, found):
    exception = value.get("exception") or {}
    if exception.get("type") == "minidump":
        return
    if exception:
        found["exception"] = exception_facts(exception)
    found["threads"] = [
        (thread["id"], [frame_facts(frame)[1] for frame in thread["frames"]])
        for thread in value.get("threads", [])]


# --- The server ---------------------------------------------------------------------------------------


class Target(Server):
    """A server that is asked and sent to as App Center's clients do."""

    def ask(self, method, path, body=None, headers=None, token=True):
        """Status and body; the token is where the command line client has it."""
        headers = dict(headers or {})
        if token:
            headers["X-API-Token"] = self.token
        status, _, data = self.request(method, path, body, headers, token=False)
        return status, data

    def document(self, path, query=None):
        if query:
            path += "?" + urllib.parse.urlencode(query)
        status, data = self.ask("GET", path)
        if status != 200:
            raise Failure(f"GET {path}: {status} {data[:300]!r}")
        return json.loads(data)

    def post_log(self, app, request, cut=False):
        """One request of an SDK; `cut` gives it up before it is answered."""
        container, install, log = request
        sdk = container["logs"][0].get("device", {}).get("sdkName", "")
        is_windows = any(word in sdk for word in ("uwp", "wpf", "winforms", "winui"))
        if is_windows:
            body = json.dumps(container, indent=2).encode()
            headers = {"Content-Type": "application/json; charset=utf-8"}
        else:
            body = json.dumps(container, separators=(",", ":")).encode()
            headers = {"Content-Type": "application/json"}
            if len(body) >= GZIP_FROM:
                body = gzip.compress(body)
                headers["Content-Encoding"] = "gzip"
        headers.update({"App-Secret": app.secret, "Install-ID": install})
        # A base with a slash at its end gives two.
        path = "//logs?Api-Version=1.0.0" if is_windows else "/logs?api-version=1.0.0"
        if cut:
            lines = [f"POST {path} HTTP/1.1", "Host: localhost", f"Content-Length: {len(body)}"]
            lines += [f"{name}: {text}" for name, text in headers.items()]
            with socket.create_connection(("127.0.0.1", self.port)) as connection:
                connection.sendall("\r\n".join(lines + ["", ""]).encode() + body)
            return None
        status, data = self.ask("POST", path, body, headers, token=False)
        answer = json.loads(data)
        keys = {"status", "validDiagnosticsIds", "throttledDiagnosticsIds", "correlationId"}
        return status == 200 and answer["status"] == "Success" and set(answer) == keys


# --- Comparing ----------------------------------------------------------------------------------------


class Comparison:
    def __init__(self):
        self.counts = collections.Counter()
        self.differences = []

    def same(self, what, place, found, wanted):
        self.counts[what] += 1
        if found != wanted:
            self.differences.append((what, f"{place}: {what} is {short(found)}, should be {short(wanted)}"))

    def tell(self):
        print("compared: " + ", ".join(f"{count} {what}" for what, count in sorted(self.counts.items())))
        shown = collections.Counter()
        for what, difference in self.differences:
            shown[what] += 1
            if shown[what] <= SHOWN:
                print("DIFFERS  " + difference)
        print(f"{sum(self.counts.values())} comparisons, {len(self.differences)} differences")


def short(value):
    text = json.dumps(value, default=str)
    return text if len(text) < 300 else text[:300] + "..."


def at(document, path):
    for key in path.split("."):
        document = (document or {}).get(key)
    return document


def read_exception(exception, wanted):
    found = {"type": exception.get("type"), "message": exception.get("message"),
             "inner": [read_exception(inner, other) for inner, other in
                       zip(exception.get("inner", []), wanted["inner"])]}
    if "frames" in wanted:
        found["frames"] = [
            (frame.get("address"), frame.get("function"), frame.get("file"), frame.get("line"))
            for frame in exception.get("frames", [])]
    return found


def read(document, key, wanted):
    """What a document says of a fact."""
    if key.startswith("tags."):
        return document["tags"].get(key[5:])
    if key.startswith("properties."):
        return document.get("properties", {}).get(key[11:])
    if key == "threads":
        by = 0 if any(isinstance(x, str) and x.startswith("0x") for _, s in wanted for x in s) else 1
        return [(thread["index"] if by == 0 else thread.get("id", thread["index"]),
                 [frame.get("address") if by == 0 else frame.get("function")
                  for frame in thread["frames"] if not frame.get("inlined")])
                for thread in document["threads"]]
    if key == "crashed":
        place = document.get("crashed_thread")
        return None if place is None else document["threads"][place]["index"]
    if key == "registers":
        place = document.get("crashed_thread")
        values = {} if place is None else document["threads"][place].get("registers", {})
        return {name: int(text, 16) for name, text in values.items()}
    if key == "images":
        return sorted((image["base"], image["size"], image["name"], image.get("debug_id"),
                       image.get("arch")) for image in document["images"])
    if key == "exception":
        return read_exception(at(document, "reason.exception") or {}, wanted)
    if key == "reason.exception.frames":
        frames = at(document, key) or []
        return [frame.get("address") for frame in frames if not frame.get("inlined")]
    return at(document, key)


def documents(server, app):
    """The documents of an app's reports, by the id that the SDK gave."""
    items = server.document("/api/v1/reports", {"query": f"app:{app.name}", "limit": 1000})["items"]
    found = {}
    for item in items:
        document = server.document("/api/v1/reports/" + item["id"])
        found[document.get("incident")] = document | {"group": item["group"]}
    return found, len(items)


def compare_reports(server, apps, comparison):
    for app in apps:
        found, count = documents(server, app)
        comparison.same("number of reports", app.name, count, len(app.reports))
        for key, log in app.reports.items():
            place = f"{log.name} ({log.id})"
            document = found.get(key)
            comparison.same("report", place, document is not None, True)
            if document is None:
                continue
            for field, wanted in facts(log, app.install(log)).items():
                comparison.same(field.split(".")[0], f"{place} {field}", read(document, field, wanted), wanted)
            compare_files(server, app, log, document, comparison)
            compare_session(server, app, log, document, comparison)
        compare_figures(server, app, comparison)


def compare_files(server, app, log, document, comparison):
    """By App Center's own API."""
    path = f"/v0.1/apps/any/{app.name}/errors/{document['id']}/attachments"
    found = []
    for item in server.document(path):
        place = urllib.parse.urlsplit(item["blobLocation"]).path
        _, data = server.ask("GET", place)
        found.append((item["fileName"], item["contentType"], item["size"], hashlib.sha256(data).hexdigest()))
        if item["contentType"].startswith("text/"):
            text = server.document(f"{path}/{item['attachmentId']}/text")["content"]
            comparison.same("text", item["fileName"], text.encode(), data)
    wanted = [(name, kind, len(data), hashlib.sha256(data).hexdigest())
              for name, kind, data in app.attachments[log.id]]
    comparison.same("files", log.name, sorted(found), sorted(wanted))


def compare_session(server, app, log, document, comparison):
    sid = canonical(log.value["sid"]) if log.value.get("sid") else None
    # Of a crash whole seconds are known; what was in the same second is taken along.
    end = (stamp(log.value.get("timestamp")) or 0) // 1_000_000 * 1_000_000 + 1_000_000
    wanted = sorted((written(moment), name) for moment, name in app.events.get(sid, ()) if moment < end)
    path = f"/v0.1/apps/any/{app.name}/errors/{document['id']}/sessionLogs"
    logs = server.document(path)["logs"]
    found = sorted((item["timestamp"], item["event_name"]) for item in logs if item["type"] == "event")
    comparison.same("events", log.name, found, wanted)


def compare_figures(server, app, comparison):
    figures = server.document("/api/v1/sessions", {"app": app.name})["items"][0]
    comparison.same("sessions", app.name, figures["sessions"]["all"], len(app.sessions))
    lonely = sum(1 for log in app.reports.values() if not log.value.get("sid")
                 and log.type != "handledError" and log.value.get("fatal") is not False)
    comparison.same("crashed sessions", app.name, figures["sessions"]["crashed"], len(app.crashed) + lonely)
    groups = server.document("/api/v1/groups", {"query": f"app:{app.name}", "limit": 1000})["items"]
    comparison.same("counts of groups", app.name, sum(group["reports"] for group in groups), len(app.reports))
    start = {"start": "1970-01-02", "$top": 2000}
    path = f"/v0.1/apps/any/{app.name}/errors/errorGroups"
    theirs = server.document(path, start)["errorGroups"]
    comparison.same("groups", app.name,
                    sorted((group["errorGroupId"], group["count"]) for group in theirs),
                    sorted((group["id"], group["reports"]) for group in groups))


def picture(server, apps):
    """Everything that has to be the same whatever the order, without ids that are made of the apps' names."""
    shown = []
    for app in apps:
        found, _ = documents(server, app)
        groups = collections.defaultdict(list)
        for key, document in found.items():
            groups[document["group"]].append(key)
            frames = [[frame.get("function") or frame.get("address") for frame in thread["frames"]]
                      for thread in document["threads"]]
            shown.append((app.name, key, document["signature"]["text"], document["time"], frames,
                          sorted((file["name"], file["digest"]) for file in document["attachments"]),
                          document["notes"]))
        shown += [(app.name, sorted(members, key=str)) for members in groups.values()]
    return sorted(shown, key=str)


# --- Symbols ------------------------------------------------------------------------------------------


class Symbols:
    """Breakpad files that are made for the frames: a function for each sixteen bytes that one lies in."""

    STEP = 16

    def __init__(self, apps):
        self.modules = {}
        for app in apps:
            for log in app.reports.values():
                if log.type == "appleError":
                    for image, offset in self.places(log):
                        self.note(image, offset)

    def places(self, log):
        """Image and offset of what each frame was doing."""
        for _, frame, position in self.frames(log):
            found = self.lookup(log, frame, position)
            if found:
                yield found

    @staticmethod
    def frames(log):
        for thread in log.value["threads"]:
            for index, frame in enumerate(thread["frames"]):
                yield "threads", frame, index == 0
            for frame in (thread.get("exception") or {}).get("frames", []):
                yield "exception", frame, False

    @staticmethod
    def lookup(log, frame, is_exact):
        """A frame that is not the top of a thread has the address that its call returns to."""
        address = int(frame["address"], 16)
        for binary in log.value["binaries"]:
            start, end = int(binary["startAddress"], 16), int(binary["endAddress"], 16)
            if start <= address <= end and known(binary["id"]):
                offset = address - start - (0 if is_exact else 1)
                return (binary, offset) if offset >= 0 else None
        return None

    def note(self, image, offset):
        key = (canonical(image["id"]), architecture(image))
        module = self.modules.setdefault(key, (image["name"], set()))
        module[1].add(offset // self.STEP)

    def function(self, image, offset):
        return f"fn_{canonical(image['id'])[:8]}_{offset // self.STEP * self.STEP:x}"

    def text(self, key):
        name, buckets = self.modules[key]
        digits = key[0].replace("-", "").upper()
        cpu = {"armv7": "arm", "armv7s": "arm", "i386": "x86"}.get(key[1], key[1])
        lines = [f"MODULE mac {cpu} {digits}0 {name}", f"FILE 0 src/{name}.c"]
        for bucket in sorted(buckets):
            start = bucket * self.STEP
            lines.append(f"FUNC {start:x} {self.STEP:x} 0 fn_{key[0][:8]}_{start:x}")
            lines.append(f"{start:x} {self.STEP:x} {bucket % 60_000 + 1} 0")
        return "\n".join(lines) + "\n"

    def archive(self, keys):
        """In folders as a store of symbols has them."""
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
            for key in keys:
                name = self.modules[key][0]
                folder = f"symbols/{name}/{key[0].replace('-', '').upper()}0"
                archive.writestr(f"{folder}/{name}.sym", self.text(key))
            archive.writestr("__MACOSX/symbols/._rubbish", b"\0\5\x16\7")
        return data.getvalue()


def upload(server, app, data, block, comparison):
    """The three steps of the command line client, whole or in blocks."""
    path = f"/v0.1/apps/any/{app.name}/symbol_uploads"
    kind = {"Content-Type": "application/json"}
    status, answer = server.ask("POST", path, b'{"symbol_type":"Breakpad"}', kind)
    comparison.same("upload", "announce", status, 200)
    announced = json.loads(answer)
    parts = urllib.parse.urlsplit(announced["upload_url"])
    place = f"{parts.path}?{parts.query}"
    headers = {"x-ms-blob-type": "BlockBlob", "x-ms-blob-content-type": "application/zip"}
    if not block:
        comparison.same("upload", "put", server.ask("PUT", place, data, headers, token=False)[0], 201)
    else:
        pieces = [data[start:start + block] for start in range(0, len(data), block)]
        names = [base64.b64encode(f"block-{number:032d}".encode()).decode() for number in range(len(pieces))]

        def put(number):
            query = "&comp=block&blockid=" + urllib.parse.quote(names[number], safe="")
            return server.ask("PUT", place + query, pieces[number], headers, token=False)[0]

        order = list(reversed(range(len(pieces)))) + [0]
        with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
            comparison.same("upload", "blocks", set(pool.map(put, order)), {201})
        text = "".join(f"<Latest>{name}</Latest>" for name in names)
        text = f'<?xml version="1.0" encoding="utf-8"?><BlockList>{text}</BlockList>'
        status = server.ask("PUT", place + "&comp=blocklist", text.encode(), headers, token=False)[0]
        comparison.same("upload", "list of blocks", status, 201)
    status, answer = server.ask(
        "PATCH", f"{path}/{announced['symbol_upload_id']}", b'{"status":"committed"}', kind)
    comparison.same("upload", "commit", status, 200)
    comparison.same("upload", "status", json.loads(answer).get("status"), "indexed")


def compare_symbols(server, apps, symbols, comparison):
    for app in apps:
        found, _ = documents(server, app)
        for log in app.reports.values():
            document = found.get(log.id)
            if log.type != "appleError" or document is None:
                continue
            stacks = [thread["frames"] for thread in document["threads"]]
            shown = {"threads": [frame for stack in stacks for frame in stack],
                     "exception": at(document, "reason.exception.frames") or []}
            places = {name: iter(frames) for name, frames in shown.items()}
            for kind, frame, is_exact in Symbols.frames(log):
                mine = next(places[kind], {})
                place = Symbols.lookup(log, frame, is_exact)
                if place is None:
                    continue
                image, offset = place
                given = frame_facts(frame)[1]
                wanted = [symbols.function(image, offset), f"src/{image['name']}.c",
                          offset // Symbols.STEP % 60_000 + 1]
                got = [mine.get("function"), mine.get("file"), mine.get("line")]
                comparison.same("frames with symbols", f"{log.name} {frame['address']} ({given})", got, wanted)
        path = f"/v0.1/apps/any/{app.name}/diagnostics/symbol_groups"
        ids = {symbol["symbol_id"] for group in server.document(path, {"top": 2147483647})["groups"]
               for symbol in group["missing_symbols"] if symbol["status"] == "missing"}
        mine = {key[0].replace("-", "") for key in symbols.modules}
        comparison.same("missing symbols", app.name, sorted(ids & mine), [])


# --- One run ------------------------------------------------------------------------------------------


def run(options, home, files, others, seed, is_known, comparison):
    """Posts everything in an order, and looks at what came of it, before and after symbols."""
    apps = assign(files, options.large)
    if is_known:
        for app in apps:
            home.run("apps", "add", app.name, "--secret", app.secret)
    with Target(home, "--rate", "0") as server:
        order = random.Random(seed)
        # Each is sent twice or more, and now and then given up before the answer.
        requests = [(app, request, cut) for app in apps for request in app.requests
                    for cut in [order.random() < 0.2] + [False] * (order.choice((1, 2, 2)) if len(
                        request[0]["logs"][0].get("data") or "") < LARGEST else 1)]
        order.shuffle(requests)
        with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
            answers = list(pool.map(lambda item: server.post_log(*item), requests))
        answered = [answer for (_, _, cut), answer in zip(requests, answers) if not cut]
        comparison.same("answers", "POST /logs", answered.count(True), len(answered))
        comparison.counts["answers"] += len(answered) - 1
        # What is no container is taken too: an SDK that is refused deletes all that it holds.
        for name, data in others:
            status, _ = server.ask("POST", "/logs?api-version=1.0.0", data, {"App-Secret": apps[0].secret},
                                   token=False)
            comparison.same("answers", name, status, 200)
        server.settle()
        if not is_known:
            for app in apps:
                home.run("apps", "adopt", app.secret, app.name)
        compare_reports(server, apps, comparison)
        before = picture(server, apps)
        ledger(server, comparison)
        symbols = Symbols(apps)
        keys = sorted(symbols.modules, key=str)
        if keys:
            half = (len(keys) + 1) // 2
            upload(server, apps[0], symbols.archive(keys[:half]), 0, comparison)
            if keys[half:]:
                upload(server, apps[0], symbols.archive(keys[half:]), 8_192, comparison)
            server.settle()
            compare_reports(server, apps, comparison)
            compare_symbols(server, apps, symbols, comparison)
            ledger(server, comparison)
        return before, picture(server, apps), len(requests), len(keys)


def ledger(server, comparison):
    document = server.document("/api/v1/ledger")
    comparison.same("ledger", "disagreements", document["disagreements"], [])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", metavar="DIR", help="containers of logs, in folders of any depth")
    parser.add_argument("--mayday", default=MAYDAY)
    parser.add_argument("--no-large", dest="large", action="store_false",
                        help="leave out the files of 7 MB")
    parser.add_argument("--seed", type=int, default=1, help="of the order in which logs are sent")
    options = parser.parse_args()
    files, others = containers(options.folder)
    if not files:
        raise SystemExit(f"no logs are below {options.folder}")
    logs = [log for container in files for log in container]
    kinds = collections.Counter(log.type for log in logs)
    print(f"{len(files)} files with {len(logs)} logs: "
          + ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())))
    print(f"{len(others)} other files, posted as they are")
    comparison = Comparison()
    pictures = []
    for number, is_known in enumerate((True, False)):
        with Home(options.mayday) as home:
            *shown, requests, modules = run(
                options, home, files, others, options.seed + number, is_known, comparison)
        pictures.append(shown)
        print(f"run {number + 1}: {requests} requests, {modules} modules with symbols"
              + ("" if is_known else ", apps adopted afterwards"))
    for name, one, other in zip(("before symbols", "after symbols"), *pictures):
        comparison.same("pictures", name + ", number", len(one), len(other))
        for left, right in zip(one, other):
            comparison.same("pictures", name, left, right)
    comparison.tell()
    sys.exit(1 if comparison.differences else 0)


if __name__ == "__main__":
    main()
