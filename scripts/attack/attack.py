#!/usr/bin/env python3
"""Attacks a server of the release build on 127.0.0.1, and prints what held and what did not.

Every function `check_...` of scripts/attack/checks/*.py is one check: the first line of its docstring is its
name, and an exception is its failure. Each gets a server of its own, on a home of its own, which is
started when the check first asks for its port, or with options by `server.start("--rate", "5")`. At the end
of each check the server must still answer `/healthz`, unless the check stopped or killed it.

    scripts/attack/attack.py                 all checks
    scripts/attack/attack.py heads floods    those whose file or function has one of the words in its name

Exit status 1 when a check failed.
"""
import argparse
import importlib.util
import os
import re
import socket
import sys
import time
import traceback

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from shared import environment
from shared.paths import MAYDAY, ROOT
from shared.servers import Failure, Home, Server

FOLDER = os.path.join(ROOT, "scripts/attack/checks")


class Target(Server):
    """A server under attack. What a check needs of it stands here once."""

    @property
    def port(self):
        if self.process is None:
            self.start()
        return self._port

    @property
    def pid(self):
        return self.port and self.process.pid

    @property
    def token(self):
        return self.port and self.home.token

    def memory(self, field="VmRSS"):
        """Of the server's process, in MB."""
        with open(f"/proc/{self.pid}/status", encoding="utf-8") as status:
            return int(re.search(rf"^{field}:\s+(\d+)", status.read(), re.M)[1]) / 1024

    def connect(self, timeout=10):
        return socket.create_connection(("127.0.0.1", self.port), timeout)

    def raw(self, data, timeout=10, shut=True):
        """Sends bytes as they are, and gives all that comes back until the server ends the connection
        or is silent for the time."""
        with self.connect(timeout) as client:
            try:
                client.sendall(data)
                if shut:
                    client.shutdown(socket.SHUT_WR)
            except OSError:
                pass
            return self.rest(client)

    @staticmethod
    def rest(client):
        answer = bytearray()
        try:
            while piece := client.recv(1 << 16):
                answer += piece
        except OSError:
            pass
        return bytes(answer)

    @staticmethod
    def statuses(answer):
        """The status of every response in what `raw` gave, where no body looks like a status line."""
        return [int(code) for code in re.findall(rb"^HTTP/1\.[01] (\d\d\d)", answer, re.M)]

    def run(self, *arguments, **options):
        """A command of mayday on the server's home; gives its standard output."""
        return self.home.run(*arguments, **options).stdout

    def check_alive(self):
        """That it still runs, and answers at once."""
        if self.process is None:
            return
        code = self.process.poll()
        assert code is None, f"the server ended with status {code}:\n{self.output()[-800:]}"
        begun = time.monotonic()
        status, _, _ = self.request("GET", "/healthz", token=False, timeout=20)
        seconds = time.monotonic() - begun
        assert status == 200, f"/healthz is {status}"
        assert seconds < 3, f"/healthz took {seconds:.1f} s"


def checks():
    """Of every file: (file, function's name, function)."""
    sys.path.insert(0, FOLDER)
    for name in sorted(os.listdir(FOLDER)):
        if not name.endswith(".py") or name.startswith("_"):
            continue
        stem = name[:-3]
        spec = importlib.util.spec_from_file_location(f"attack_{stem}", os.path.join(FOLDER, name))
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for function in [name for name in vars(module) if name.startswith("check_")]:
            yield stem, function, getattr(module, function)


def run(program, function):
    """Seconds, and the text of the failure or None."""
    with Home(program) as home:
        server = Target(home)
        begun, failure = time.monotonic(), None
        try:
            function(server)
            server.check_alive()
        except AssertionError as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            failure = str(error) or f"{place.line}  ({os.path.basename(place.filename)}:{place.lineno})"
        except Failure as error:
            failure = str(error)
        except Exception:  # A check that cannot run did not hold.
            failure = traceback.format_exc()
        finally:
            server.kill()
        return time.monotonic() - begun, failure


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("words", nargs="*", help="only checks with one of these in their name")
    parser.add_argument("--program", default=MAYDAY)
    parser.add_argument("--list", action="store_true", help="print the checks, run none")
    options = parser.parse_args()
    environment.enter()
    failures = count = 0
    for stem, name, function in checks():
        if options.words and not any(word in f"{stem}/{name}" for word in options.words):
            continue
        title = (function.__doc__ or name).strip().split("\n")[0].rstrip(".")
        count += 1
        if options.list:
            print(f"{stem:<12} {title}")
            continue
        seconds, failure = run(options.program, function)
        print(f"{'FAILED' if failure else 'held':<7} {seconds:6.1f} s  {stem:<12} {title}", flush=True)
        if failure:
            failures += 1
            print("        " + failure.strip().replace("\n", "\n        "), flush=True)
    if not options.list:
        print(f"\n{count} checks, {failures} failed")
    if count == 0:
        raise SystemExit("no check has such a name")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
