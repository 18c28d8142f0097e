"""Heads and chunks that two readers could take for different requests.

The last check compares with h11, a strict parser of HTTP/1.1.
"""
import json
import os
import random
import re
import socket
import subprocess
import time

import h11

# A request that must never be seen as one: its path would stand in the access log.
HIDDEN = b"GET /healthz/hidden HTTP/1.1\r\nHost: x\r\n\r\n"
POST = b"POST /api/v1/reports HTTP/1.1\r\nHost: x\r\n"
GET = b"GET /healthz HTTP/1.1\r\nHost: x\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"

# Name: bytes, and the one status that is the answer.
REFUSED = {
    "two lengths": (POST + b"Content-Length: 3\r\nContent-Length: 3\r\n\r\n", 400),
    "two lengths that differ": (POST + b"Content-Length: 3\r\nContent-Length: 42\r\n\r\n", 400),
    "a list of lengths": (POST + b"Content-Length: 3, 3\r\n\r\n", 400),
    "a signed length": (POST + b"Content-Length: +3\r\n\r\n", 400),
    "a length in hexadecimal": (POST + b"Content-Length: 0x3\r\n\r\n", 400),
    "an empty length": (POST + b"Content-Length:\r\n\r\n", 400),
    "a length of 2^63": (POST + b"Content-Length: 9223372036854775808\r\n\r\n", 413),
    "a length of 2^64-1": (POST + b"Content-Length: 18446744073709551615\r\n\r\n", 413),
    "a length beyond 2^64": (POST + b"Content-Length: 18446744073709551619\r\n\r\n", 413),
    "a length with a NUL": (POST + b"Content-Length: 3\0\r\n\r\n", 400),
    "a length cut by a NUL": (POST + b"Content-Length: 3\x0042\r\n\r\n", 400),
    "length and coding": (POST + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
    "coding and length": (POST + b"Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n", 400),
    "an unknown coding": (POST + b"Transfer-Encoding: xchunked\r\n\r\n", 400),
    "two codings": (POST + b"Transfer-Encoding: gzip, chunked\r\n\r\n", 400),
    "a coding twice": (POST + b"Transfer-Encoding: chunked\r\n" * 2 + b"\r\n", 400),
    "a coding cut by a NUL": (POST + b"Transfer-Encoding: chunked\0x\r\n\r\n", 400),
    # Crashpad sends such a body: it is read, and nothing after it.
    "a coding in HTTP/1.0": (
        b"POST /api/v1/reports HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 401),
    "a blank before the colon": (POST + b"Content-Length : 3\r\n\r\n", 400),
    "a tab before the colon": (POST + b"Transfer-Encoding\t: chunked\r\n\r\n", 400),
    "a folded length": (POST + b"Content-Length:\r\n 3\r\n\r\n", 400),
    "a length that goes on": (POST + b"Content-Length: 1\r\n 0\r\n\r\n", 400),
    "a header folded into a length": (POST + b"X-A: b\r\n Content-Length: 3\r\n\r\n", 400),
    "a folded coding": (POST + b"Transfer-Encoding:\r\n\tchunked\r\n\r\n", 400),
    "a fold before the first header": (b"POST / HTTP/1.1\r\n Host: x\r\n\r\n", 400),
    "a NUL in a name": (POST + b"Content-Length\0: 3\r\n\r\n", 400),
    "a NUL in a value": (POST + b"X-A: b\0c\r\n\r\n", 400),
    "a NUL in the path": (b"GET /healthz\0/hidden HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    "an encoded NUL in the path": (b"GET /healthz%00 HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    "an encoded NUL in the query": (b"GET /healthz?a=%00 HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    "a NUL in the method": (b"GE\0T /healthz HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    "a path that is not ASCII": (b"GET /\xff HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    "a tab in the request line": (b"GET\t/healthz HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    "two blanks in the request line": (b"GET  /healthz HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    "a blank at the end of the line": (b"GET /healthz HTTP/1.1 \r\nHost: x\r\n\r\n", 400),
    "no version": (b"GET /healthz\r\nHost: x\r\n\r\n", 400),
    "HTTP/0.9": (b"GET /healthz\r\n\r\n", 400),
    "HTTP/1.2": (b"GET /healthz HTTP/1.2\r\nHost: x\r\n\r\n", 505),
    "HTTP/2": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
    "a bare LF after the request line": (b"GET /healthz HTTP/1.1\nHost: x\r\n\r\n", 400),
    "a bare LF after a header": (GET + b"X-A: b\nX-C: d\r\n\r\n", 400),
    "a bare LF at the end": (GET + b"\n", 400),
    "bare LFs only": (b"GET /healthz HTTP/1.1\nHost: x\n\n", 400),
    "a bare CR in a header": (GET + b"X-A: b\rContent-Length: 3\r\n\r\n", 400),
    "a bare CR at the end": (GET + b"X-A: b\r\r\n\r\n", 400),
    "an empty line before the request": (b"\r\n" + GET + b"\r\n", 400),
    "no Host": (b"GET /healthz HTTP/1.1\r\n\r\n", 400),
    "two Hosts": (GET + b"Host: y\r\n\r\n", 400),
    "a Host with a path": (b"GET /healthz HTTP/1.1\r\nHost: x/y\r\n\r\n", 400),
    "a header without a colon": (GET + b"X-A\r\n\r\n", 400),
    "a header without a name": (GET + b": b\r\n\r\n", 400),
    "two Content-Types": (
        POST + b"Content-Type: a/b\r\nContent-Type: c/d\r\nContent-Length: 3\r\n\r\n", 400),
    "a boundary of 40 KB": (
        POST + b"Content-Type: multipart/form-data; boundary=" + b"b" * 40_000
        + b"\r\nContent-Length: 3\r\n\r\n", 400),
    "another expectation": (POST + b"Expect: 200-ok\r\nContent-Length: 3\r\n\r\n", 417),
    "a fragment": (b"GET /healthz#a HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    "an asterisk": (b"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    "an authority": (b"CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    "a greeting of TLS": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 40, 400),
    "300 headers": (GET + b"X-A: b\r\n" * 300 + b"\r\n", 431),
    "a head of 70 KB": (GET + b"X-A: " + b"b" * 70_000 + b"\r\n\r\n", 431),
    "a head without an end": (GET + b"X-A: " + b"b" * 300_000, 431),
    "a path of 70 KB": (b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 414),
    "20,000 items in the query": (
        b"GET /healthz?" + b"a&" * 20_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 414),
}

# What follows a chunked head.
BROKEN_CHUNKS = {
    "a bare LF after the size": b"3\nabc\r\n0\r\n\r\n",
    "a bare LF after the chunk": b"3\r\nabc\n0\r\n\r\n",
    "a bare LF after the last chunk": b"3\r\nabc\r\n0\n\r\n",
    "a bare LF at the end": b"3\r\nabc\r\n0\r\n\n",
    "a bare CR after the size": b"3\rabc\r\n0\r\n\r\n",
    "a chunk that is longer than its size": b"3\r\nabcd\r\n0\r\n\r\n",
    "a chunk that is shorter than its size": b"5\r\nabc\r\n0\r\n\r\n",
    "a sign": b"+3\r\nabc\r\n0\r\n\r\n",
    "a negative size": b"-3\r\nabc\r\n0\r\n\r\n",
    "0x": b"0x3\r\nabc\r\n0\r\n\r\n",
    "no size": b"\r\nabc\r\n0\r\n\r\n",
    "a blank before the size": b" 3\r\nabc\r\n0\r\n\r\n",
    "a size of 2^64": b"10000000000000000\r\nabc\r\n0\r\n\r\n",
    "a size beyond 2^64": b"10000000000000003\r\nabc\r\n0\r\n\r\n",
    "a NUL in the size": b"3\0\r\nabc\r\n0\r\n\r\n",
    "a NUL in an extension": b"3;a\0b\r\nabc\r\n0\r\n\r\n",
    "an LF in an extension": b"3;a\nb\r\nabc\r\n0\r\n\r\n",
    "an endless extension": b"3;" + b"a" * 5_000 + b"\r\nabc\r\n0\r\n\r\n",
    "a folded trailer": b"3\r\nabc\r\n0\r\nX-A: b\r\n c\r\n\r\n",
    "a trailer without a colon": b"3\r\nabc\r\n0\r\nX-A\r\n\r\n",
    "endless trailers": b"3\r\nabc\r\n0\r\n" + b"X-A: b\r\n" * 5_000 + b"\r\n",
}


def heads_of(answer):
    """Every response of an answer: status and lower-case headers."""
    found = []
    while answer:
        head, mark, rest = answer.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        code = re.fullmatch(r"HTTP/1\.1 (\d\d\d) .*", lines[0])
        assert mark and code, f"not a response: {answer[:80]!r}"
        fields = {}
        for line in lines[1:]:
            name, colon, value = line.partition(":")
            assert colon and name.lower() not in fields, f"{line!r} in {head!r}"
            fields[name.lower()] = value.strip()
        length = int(fields.get("content-length", 0))
        assert int(code[1]) == 100 or "content-length" in fields, head
        found.append((int(code[1]), fields, rest[:length]))
        answer = rest[length:]
    return found


def check_refusals(server):
    """Each hostile head is refused once, by a problem document, and nothing after it is a request"""
    for name, (data, status) in REFUSED.items():
        found = heads_of(server.raw(data + HIDDEN))
        assert [code for code, _, _ in found] == [status], f"{name}: {found}"
        _, fields, body = found[0]
        assert fields["content-type"] == "application/problem+json", f"{name}: {fields}"
        assert json.loads(body)["status"] == status, f"{name}: {body}"
        assert fields.get("connection", "").lower() == "close", f"{name}: {fields}"
    assert "hidden" not in server.output()


def check_chunks(server):
    """Each hostile chunk ends its request with 400 or an earlier refusal, and nothing follows it"""
    for name, chunks in BROKEN_CHUNKS.items():
        found = heads_of(server.raw(CHUNKED + chunks + HIDDEN))
        assert [code for code, _, _ in found] in ([400], [401]), f"{name}: {found}"
        request = CHUNKED.replace(b"\r\n\r\n", b"\r\nAuthorization: Bearer %s\r\n\r\n" % (
            server.token.encode()))
        found = heads_of(server.raw(request + chunks + HIDDEN))
        assert [code for code, _, _ in found] == [400], f"{name}, with a token: {found}"
    assert "hidden" not in server.output()
    assert server.run("reports", "--json") .strip() == "[]", "a broken body was stored"


def check_tls(server):
    """The same over TLS, where heads come in records"""
    import ssl
    key, certificate = (os.path.join(server.home.folder, name) for name in ("key.pem", "cert.pem"))
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=x", "-days", "2",
         "-keyout", key, "-out", certificate], check=True, capture_output=True)
    server.start("--tls-cert", certificate, "--tls-key", key)
    context = ssl.create_default_context(cafile=certificate)
    context.check_hostname = False

    def ask(*pieces):
        with context.wrap_socket(server.connect()) as client:
            for piece in pieces:
                client.sendall(piece)
            return heads_of(server.rest(client))

    whole = GET + b"Connection: close\r\n\r\n"
    assert [code for code, _, _ in ask(*(whole[i:i + 1] for i in range(len(whole))))] == [200]
    assert [code for code, _, _ in ask(GET + b"\r\n" + GET + b"\r\n", whole)] == [200] * 3
    for name, (data, status) in list(REFUSED.items()):
        if name.startswith("a greeting"):
            continue
        found = ask(data + HIDDEN)
        assert [code for code, _, _ in found] == [status], f"{name}: {found}"
    assert "hidden" not in server.output()
    server.stop()


def check_splits(server):
    """A stream of requests gives the same answers wherever it is cut"""
    stream = (
        GET + b"\r\n" + POST + b"Content-Length: 5\r\n\r\nabcde"
        + CHUNKED + b"3;x=y\r\nabc\r\n00A\r\n0123456789\r\n0\r\nX-T: v\r\n\r\n"
        + GET + b"\r\n" + POST + b"Content-Length: 1\r\n 0\r\n\r\n" + HIDDEN)
    for cut in range(1, len(stream)):
        with server.connect() as client:
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            client.sendall(stream[:cut])
            time.sleep(0.001)
            client.sendall(stream[cut:])
            codes = [code for code, _, _ in heads_of(server.rest(client))]
        assert codes == [200, 401, 401, 200, 400], f"cut at {cut}: {codes}"


def check_many_items(server):
    """A query of a thousand items reaches its route, one of more does not"""
    # No route knows the parameter: its refusal shows that the query was read.
    for count, status in ((699, 400), (701, 400), (1_000, 400), (1_001, 414)):
        query = b"&".join(b"a=%d" % index for index in range(count))
        found = heads_of(server.raw(
            b"GET /healthz?" + query + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 5))
        assert [code for code, _, _ in found] == [status], f"{count}: {found}"


def check_waiting_heads(server):
    """Gigabytes of heads that wait for their turn are not kept"""
    before = server.memory()
    head = GET + b"X-A: " + b"b" * 60_000 + b"\r\n\r\n"
    clients = [server.connect(2) for _ in range(50)]
    try:
        for _ in range(40):
            for client in clients:
                try:
                    client.setblocking(False)
                    client.send(head * 4)
                except OSError:
                    pass
        peak = server.memory("VmHWM")
    finally:
        for client in clients:
            client.close()
    assert peak - before < 120, f"from {before:.0f} to {peak:.0f} MB"


# Comparison with h11

SEEDS = [
    GET + b"\r\n" + GET + b"X-A: b\r\n\r\n",
    POST + b"Content-Length: 5\r\n\r\nabcde" + GET + b"\r\n",
    CHUNKED + b"5\r\nabcde\r\n0\r\n\r\n" + GET + b"\r\n",
    CHUNKED + b"a;x=y\r\n0123456789\r\n3\r\nabc\r\n0\r\nX-T: v\r\n\r\n" + GET + b"\r\n",
    POST + b"Expect: 100-continue\r\nContent-Length: 2\r\n\r\nab" + GET + b"\r\n",
    b"POST /api/v1/reports HTTP/1.0\r\nX-A: b\r\nContent-Length: 2\r\n\r\nab"
    + b"GET /healthz HTTP/1.0\r\n\r\n",
    GET + b"Connection: close\r\n\r\n" + GET + b"\r\n",
]
PIECES = [
    b"\r", b"\n", b"\r\n", b"\0", b" ", b"\t", b":", b";", b",", b"0", b"1", b"\r\n ", b"\n\n", b"\x0b",
    b"\x85", b"\xff", b"-", b"+", b"0x", b"\r\n\r\n", b"Content-Length: 5\r\n", b"Content-Length: 0\r\n",
    b"Transfer-Encoding: chunked\r\n", b"Transfer-Encoding:\r\n chunked\r\n", b"chunked", b"identity",
    b"Host: y\r\n", b"Content-Length:\r\n 5\r\n", b"HTTP/1.0", b"0\r\n\r\n", b"GET /healthz?b HTTP/1.1\r\n", b"\"",
]
REFUSALS = {400, 413, 414, 417, 431, 505}


def seen_by_h11(data):
    """How many whole requests it reads before it refuses or needs more."""
    connection = h11.Connection(h11.SERVER, max_incomplete_event_size=1 << 20)
    connection.receive_data(data)
    count = 0
    try:
        while True:
            event = connection.next_event()
            if event in (h11.NEED_DATA, h11.PAUSED):
                return count
            if isinstance(event, (h11.ConnectionClosed,)):
                return count
            if isinstance(event, h11.EndOfMessage):
                count += 1
                connection.send(h11.Response(
                    status_code=200, headers=[("content-length", "0")]))
                connection.send(h11.EndOfMessage())
                if connection.our_state is h11.MUST_CLOSE:
                    return count
                connection.start_next_cycle()
    except h11.RemoteProtocolError:
        return count


def mutated(generator, data):
    result = bytearray(data)
    for _ in range(generator.choice((1, 1, 1, 2, 3))):
        place = generator.randrange(len(result) + 1)
        piece = generator.choice(PIECES)
        kind = generator.randrange(4)
        if kind == 0:
            result[place:place] = piece
        elif kind == 1:
            result[place:place + len(piece)] = piece
        elif kind == 2:
            del result[place:place + generator.randrange(1, 4)]
        else:
            lines = bytes(result).split(b"\r\n")
            lines.insert(generator.randrange(len(lines)), piece.rstrip(b"\r\n"))
            result = bytearray(b"\r\n".join(lines))
    return bytes(result)


def check_against_h11(server):
    """Of 6,000 mutated streams none gives more requests than h11 reads in it"""
    generator = random.Random(14)
    fewer = 0
    for number in range(6_000):
        data = mutated(generator, generator.choice(SEEDS))
        found = heads_of(server.raw(data, 3))
        codes = [code for code, _, _ in found if code != 100]
        accepted = sum(code not in REFUSALS for code in codes)
        limit = seen_by_h11(data)
        # A refusal may come before the end of a body that has none; a hidden request would be 200.
        early = codes[-1:] and codes[-1] in (401, 404, 405)
        assert accepted <= limit + (1 if early else 0), (
            f"stream {number}: {codes}, h11 reads {limit}: {data!r}")
        assert 500 not in codes, f"stream {number}: {codes}: {data!r}"
        fewer += accepted < limit
    # It must not be held by refusing everything.
    assert fewer < 3_000, f"{fewer} streams gave fewer"
