"""`mayday serve` on a home of its own, for scripts that ask a server.

    with Home() as home:
        home.run("apps", "add", "Tern")
        with Server(home, "--rate", "0") as server:
            server.json("/api/v1/apps")
"""
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time

from shared.paths import MAYDAY, ROOT

# Lines of its output that are shown of a server that failed.
SHOWN = 60


class Failure(Exception):
    """A command or a server that did not do what it should; says what it printed."""


class Home:
    """A home, by default a temporary one, and the commands of mayday on it."""

    def __init__(self, program=MAYDAY, path=None, environment=None):
        # One that is never closed is removed with this object.
        self._temporary = tempfile.TemporaryDirectory(prefix="mayday-", ignore_cleanup_errors=True)
        self.folder = self._temporary.name
        self.program = os.path.abspath(program)
        self.path = path or os.path.join(self.folder, "home")
        self.token = None
        self.link = None
        self._more = dict(environment or {})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Removes the folder, with a temporary home in it."""
        self._temporary.cleanup()

    def environment(self, more=None):
        """The variables of a command: without settings of whoever runs the script."""
        own = {name: value for name, value in os.environ.items()
               if not name.startswith("MAYDAY_") or name.startswith("MAYDAY_TEST_")}
        return {**own, "MAYDAY_CONFIG": "/dev/null", "MAYDAY_HOME": self.path, **self._more, **(more or {})}

    def run(self, *words, status=0, input=None, environment=None, timeout=600):
        """A command's result. Fails where it ends with another status; None allows any."""
        done = subprocess.run(
            [self.program, *words], capture_output=True, text=True, errors="replace", input=input,
            timeout=timeout, env=self.environment(environment))
        if status is not None and done.returncode != status:
            raise Failure(
                f"mayday {' '.join(words)}: exit {done.returncode}, not {status}: {done.stderr[-500:]}")
        return done

    def fill(self):
        """Adds the samples and debug files of the project. One report comes before its debug file, so that it
        has versions, and with an attachment, log.txt."""
        log = os.path.join(self.folder, "log.txt")
        with open(log, "w", encoding="utf-8") as file:
            file.write("what went before\n")
        sample = os.path.join(ROOT, "Samples/apple-ips/abort-1.0.0-macos-x86_64.ips")
        self.run("ingest", sample, "--attach", log)
        # Some files of both folders are refused on purpose.
        self.run("symbols", "add", os.path.join(ROOT, "Symbols"), status=None)
        self.run("ingest", os.path.join(ROOT, "Samples"), status=None)


class Server:
    """`mayday serve` on a free port of 127.0.0.1; its output is shown where something fails."""

    def __init__(self, home, *options):
        self.home = home
        self.options = options
        self.log = os.path.join(home.folder, "serve.log")
        self.process = None
        self._port = None
        self._scheme = "http"
        open(self.log, "a", encoding="utf-8").close()

    # Starting and stopping

    def __enter__(self):
        return self.start()

    def __exit__(self, kind, error, _):
        status = self.stop()
        has_failed = kind is not None and not (kind is SystemExit and not error.code)
        if status or has_failed:
            self.show_output()
        if status and not has_failed:
            raise Failure(f"the server ended with status {status}")

    def start(self, *options, environment=None):
        """Starts it, again if it runs, and waits until it is ready. Options come on top of its own."""
        self.stop()
        begin = os.path.getsize(self.log)
        notices = os.path.join(self.home.folder, "notices")
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver, open(self.log, "ab") as log:
            receiver.bind(notices)
            variables = {"NOTIFY_SOCKET": notices, **(environment or {})}
            self.process = subprocess.Popen(
                [self.home.program, "serve", "--home", self.home.path, "--listen", "127.0.0.1:0",
                 *self.options, *options],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self.home.environment(variables))
            is_ready = self._is_ready(receiver, 60)
        os.remove(notices)
        text = self.output(begin)
        found = re.search(r"^Listening on (https?)://[^\s,]*:(\d+)", text, re.M)
        if not is_ready or not found:
            self.kill()
            raise Failure(f"the server did not start:\n{text}")
        self._scheme, self._port = found[1], int(found[2])
        # Only the first start on a home prints them.
        if token := re.search(r"^\s+(mayday_\w+_\w+)$", text, re.M):
            self.home.token = token[1]
        if link := re.search(r"^\s+(http\S+/sign-in\?code=\S+)$", text, re.M):
            self.home.link = link[1]
        return self

    def _is_ready(self, receiver, seconds):
        """Waits for what a service manager is told."""
        receiver.settimeout(0.1)
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.process.poll() is None:
            try:
                if b"READY=1" in receiver.recv(4096).split(b"\n"):
                    return True
            except TimeoutError:
                pass
        return False

    def stop(self, seconds=60):
        """SIGTERM; gives its exit status, or None if it does not run."""
        return self._end(signal.SIGTERM, seconds)

    def kill(self):
        """SIGKILL; likewise."""
        return self._end(signal.SIGKILL, 10)

    def _end(self, number, seconds):
        process, self.process, self._port = self.process, None, None
        if process is None:
            return None
        process.send_signal(number)
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise Failure(f"the server did not end within {seconds} s of signal {number}") from None

    @property
    def is_running(self):
        return self.process is not None and self.process.poll() is None

    @property
    def port(self):
        return self._port

    @property
    def url(self):
        return f"{self._scheme}://127.0.0.1:{self.port}"

    @property
    def pid(self):
        return self.process.pid

    @property
    def token(self):
        """The token of the admin, which the first start on a home made."""
        return self.home.token

    def output(self, begin=0):
        """What it printed, each time that it was started, from a byte on."""
        with open(self.log, "rb") as log:
            log.seek(begin)
            return log.read().decode(errors="replace")

    def show_output(self):
        print("\n".join(["The server printed:", *self.output().splitlines()[-SHOWN:]]), file=sys.stderr)

    # Asking

    def request(self, method, path, body=None, headers=None, token=True, timeout=60):
        """One request on a connection of its own: status, headers, body. `token`: the admin's, another one, or
        False for none."""
        fields = dict(headers or {})
        if token:
            fields["Authorization"] = f"Bearer {self.token if token is True else token}"
        client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            client.request(method, path, body, fields)
            answer = client.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            client.close()

    def fetch(self, path):
        """The body of an answer that has to be good."""
        status, _, body = self.request("GET", path)
        if status != 200:
            raise Failure(f"GET {path}: {status} {body[:300]!r}")
        return body

    def json(self, path):
        """The document of an answer that has to be good."""
        return json.loads(self.fetch(path))

    def post(self, path, body, content_type, method="POST"):
        """Sends a body, which has to be taken, and gives the document of the answer."""
        status, _, answer = self.request(method, path, body, {"Content-Type": content_type})
        if status >= 300:
            raise Failure(f"{method} {path}: {status} {answer[:300]!r}")
        return json.loads(answer)

    def metrics(self):
        """The figures of /metrics that are whole numbers, by name and labels."""
        text = self.fetch("/metrics").decode()
        return {name: int(value) for name, value in re.findall(r"^(\S+) (\d+)$", text, re.M)}

    def settle(self):
        """Waits until what was accepted is stored, and done again where symbols came; gives the metrics."""
        while True:
            figures = self.metrics()
            if not any(figures.get(f"mayday_{name}") for name in (
                    "queue_waiting", "queue_working", "reprocess_waiting")):
                return figures
            time.sleep(0.05)


def free_port():
    """A port of 127.0.0.1 on which nothing listened just now."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]
