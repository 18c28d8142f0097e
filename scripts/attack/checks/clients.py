"""What one client may take, send and keep."""
import json
import os
import subprocess


def check_connections(server):
    """One address has 100 connections, or as many as --connections-per-address says"""
    for limit, options in ((100, ()), (5, ("--connections-per-address", "5"))):
        server.start(*options)
        clients = []
        try:
            for _ in range(limit):
                client = server.connect()
                clients.append(client)
                client.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
                assert client.recv(4096).startswith(b"HTTP/1.1 200 "), f"connection {len(clients)}"
            assert server.raw(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n") == b"", "one more"
        finally:
            for client in clients:
                client.close()
        server.stop()


def check_json_type(server):
    """A body of JSON that does not say so is refused: pages of other sites can send such"""
    body = json.dumps({"label": "x", "scopes": ["admin"]})
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "",
                 "application/jsonx", "text/plain; application/json"):
        status, _, _ = server.request(
            "POST", "/api/v1/tokens", body, {"Content-Type": kind} if kind else {})
        assert status == 415, f"{kind}: {status}"
    for kind in ("application/json", "Application/JSON; charset=utf-8"):
        status, _, _ = server.request("POST", "/api/v1/tokens", body, {"Content-Type": kind})
        assert status == 201, f"{kind}: {status}"


def check_caches(server):
    """No answer may be kept by a cache without being asked for again"""
    for path in ("/metrics", "/healthz", "/readyz", "/api/v1/groups", "/api/v1/openapi.json",
                 "/v0.1/apps", "/v0.1/none", "/none"):
        for token in (True, False):
            _, headers, _ = server.request("GET", path, token=token)
            rule = headers.get("Cache-Control", "")
            assert "no-store" in rule or "no-cache" in rule, f"{path}: {rule or 'nothing'}"


def check_authority(server):
    """A client believes a certificate of its own authority with --ca-file, and no other"""
    key, certificate = (os.path.join(server.home.folder, name) for name in ("key.pem", "cert.pem"))
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost", "-days", "2", "-keyout", key, "-out",
         certificate], check=True, capture_output=True)
    server.start("--tls-cert", certificate, "--tls-key", key)
    url = f"https://localhost:{server.port}"
    own = {"MAYDAY_TOKEN": server.token}
    for words in (["apps", "list", "--server", url], ["groups", "--server", url],
                  ["doctor", "--server", url]):
        server.run(*words, "--ca-file", certificate, environment=own)
        server.run(*words, environment={**own, "MAYDAY_CA_FILE": certificate})
        server.run(*words, environment=own, status=5)
    server.run("upload", server.log, "--to", url, "--tries", "1", environment=own, status=None)
    server.stop()
