"""A disk that fills, under the server: on a small file system of its own, which only root may mount."""
import ctypes
import os
import time

LIBRARY = ctypes.CDLL(None, use_errno=True)


class SmallDisk:
    """A file system in memory in the place of the server's home, gone at the end."""

    def __init__(self, server, megabytes):
        self.home = server.home.path
        os.makedirs(self.home, mode=0o700, exist_ok=True)
        options = f"size={megabytes}m,mode=700".encode()
        if LIBRARY.mount(b"none", self.home.encode(), b"tmpfs", 0, options) != 0:
            raise AssertionError(
                f"not checked: {os.strerror(ctypes.get_errno())}; mounting is for root")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # Detached: the server may still have it open.
        LIBRARY.umount2(self.home.encode(), 2)

    def fill(self):
        """Takes all that is free, down to the last byte."""
        with open(self.home + "/fill", "wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(1 << 16))
            except OSError:
                pass

    def free(self):
        os.unlink(self.home + "/fill")


REPORT = (b'{"app_name":"Tern","bug_type":"309","name":"Tern"}\n{"procName":"Tern","number":%d,'
          b'"pad":"%s"}')


def wait(condition, seconds, what):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.1)
    raise AssertionError(f"{what}: not within {seconds} s")


def check_flood_leaves_room(server):
    """What comes in ends before the disk does, and intake goes on by itself when there is room"""
    with SmallDisk(server, 64) as disk:
        server.start("--rate", "0")
        statuses = set()
        for number in range(800):
            status, _, body = server.request(
                "POST", "/api/v1/reports", REPORT % (number, os.urandom(100_000).hex().encode()))
            statuses.add(status)
            assert server.home.path.encode() not in body, body
            if status != 202:
                break
        assert statuses == {202, 503}, statuses
        status = os.statvfs(server.home.path)
        assert status.f_bavail * status.f_frsize > 1 << 20, "the last of the disk was taken"
        # Another program takes the rest.
        disk.fill()
        assert server.request("GET", "/readyz", token=False)[0] == 503, "ready on a full disk"
        assert server.request("GET", "/api/v1/groups")[0] == 200
        disk.free()
        wait(lambda: server.request("GET", "/readyz", token=False)[0] == 200, 30, "ready again")
        server.stop()


def check_flood_is_stored(server):
    """A flood that goes on fills the disk up to its reserve, and all that was accepted is stored"""
    with SmallDisk(server, 64):
        server.start("--rate", "0")
        accepted, least, number = 0, 1 << 40, 0
        end = time.monotonic() + 25
        while time.monotonic() < end:
            number += 1
            size = (100, 3_000, 100_000, 400_000)[number % 4]
            body = REPORT % (number, os.urandom(size).hex().encode())
            status, _, _ = server.request("POST", "/api/v1/reports", body)
            assert status in (202, 503), status
            accepted += status == 202
            status = os.statvfs(server.home.path)
            least = min(least, status.f_bavail * status.f_frsize)
        # Half of the reserve, a tenth of the disk, is for whoever makes room.
        assert least > 64 << 20 // 20, f"only {least} bytes were left"

        def figures():
            text = server.request("GET", "/metrics")[2].decode()
            return dict(line.split() for line in text.splitlines() if line.startswith("mayday_") and
                        "{" not in line)

        def is_stored():
            now = figures()
            return now["mayday_queue_waiting"] == now["mayday_queue_working"] == "0"

        wait(is_stored, 60, "all stored")
        assert int(figures()["mayday_intake_accepted_total"]) == accepted
        server.stop()
        assert f"{accepted}" in server.run("stats", "--ledger")


def check_killed_on_full_disk(server):
    """Killed on a full disk, the server starts, shows what is stored, and goes on when there is room"""
    with SmallDisk(server, 64) as disk:
        server.start()
        server.request("POST", "/api/v1/reports", REPORT % (1, b""))
        disk.fill()
        assert server.request("GET", "/readyz", token=False)[0] == 503, "ready on a full disk"
        server.kill()
        for _ in range(2):
            server.start()
            server.check_alive()
            assert server.request("GET", "/readyz", token=False)[0] == 503
            for method, path in (("GET", "/api/v1/groups"), ("POST", "/api/v1/reports"),
                                 ("PUT", "/api/v1/symbols"), ("POST", "/logs")):
                status, _, body = server.request(method, path, b"x" if method != "GET" else None)
                assert server.home.path.encode() not in body and b".db" not in body, body
                assert status == (200 if method == "GET" else 503), (path, status, body)
            server.kill()
        server.start()
        disk.free()
        wait(lambda: server.request("GET", "/readyz", token=False)[0] == 200, 30, "ready again")
        assert server.request("POST", "/api/v1/reports", REPORT % (2, b""))[0] == 202
        server.stop()
