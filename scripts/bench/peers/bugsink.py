"""Bugsink, the peer of the server's intake: set up below a folder, started, and asked what it has stored."""
import os
import re
import subprocess
import time
import uuid

from shared import environment

# Its own template for one server, without its limits and with plain HTTP on one port.
SETTINGS = """
BUGSINK["BASE_URL"] = "http://127.0.0.1:{port}"
ALLOWED_HOSTS = ["*"]
SECURE_SSL_REDIRECT = False
SNAPPEA["TASK_ALWAYS_EAGER"] = {eager}
for name in ("", "PROJECT_"):
    for span in ("5_MINUTES", "HOUR", "MONTH"):
        BUGSINK["MAX_EVENTS_" + ("PER_PROJECT_" if name else "") + "PER_" + span] = 10_000_000
"""


class Bugsink:
    """Two processes of gunicorn; with `queued` its queue beside them, else each event is stored before
    the answer."""

    def __init__(self, folder, port, queued):
        os.makedirs(folder)
        self.folder = folder
        self.port = port
        self.key = uuid.uuid4().hex
        self.tools("create-conf", "--template=singleserver", "--host=127.0.0.1",
                   f"--base-dir={folder}")
        with open(os.path.join(folder, "bugsink_conf.py"), "a", encoding="utf-8") as file:
            file.write(SETTINGS.format(port=port, eager=not queued))
        self.tools("manage", "migrate", "-v0")
        self.tools("manage", "migrate", "-v0", "--database=snappea")
        self.shell("from projects.models import Project; from teams.models import Team;"
                   "Project.objects.create(team=Team.objects.create(name='t'), name='p', slug='p',"
                   f" sentry_key='{self.key}')")
        self.processes = [self.start(
            "gunicorn", "--workers", "2", "--bind", f"127.0.0.1:{port}", "--timeout", "60",
            "--log-level", "error", "bugsink.wsgi")]
        if queued:
            self.processes.append(self.start("bugsink-runsnappea"))
        time.sleep(5)

    def run(self, name, *arguments, **options):
        return [environment.program(name, "bugsink"), *arguments], {"cwd": self.folder, **options}

    def tools(self, name, *arguments):
        command, options = self.run("bugsink-" + name, *arguments)
        done = subprocess.run(command, capture_output=True, text=True, **options)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(command)}: {done.stderr}")
        return done.stdout

    def shell(self, code):
        return self.tools("manage", "shell", "--no-imports", "-c", code)

    def start(self, name, *arguments):
        command, options = self.run(name, *arguments)
        log = open(os.path.join(self.folder, name + ".log"), "w", encoding="utf-8")
        variables = {**os.environ, "PYTHONPATH": self.folder, "DJANGO_SETTINGS_MODULE": "bugsink_conf"}
        return subprocess.Popen(command, stdout=log, stderr=log, env=variables, **options)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/api/1/envelope/"

    @property
    def headers(self):
        return [f"X-Sentry-Auth: Sentry sentry_version=7, sentry_key={self.key}",
                "Content-Type: application/x-sentry-envelope"]

    def stored(self):
        found = re.search(r"(\d+)", self.shell(
            "from events.models import Event; print(Event.objects.count())"))
        return int(found[1]) if found else 0

    def stop(self):
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
