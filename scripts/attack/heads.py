"""Heads that two readers could take for different requests."""

# A request that must never be seen as one: its path stands in the access log where it was.
HIDDEN = b"GET /healthz?hidden HTTP/1.1\r\nHost: x\r\n\r\n"

REFUSED = {
    "two lengths": b"Content-Length: 3\r\nContent-Length: 3\r\n",
    "two lengths that differ": b"Content-Length: 3\r\nContent-Length: 42\r\n",
    "a list of lengths": b"Content-Length: 3, 3\r\n",
    "a signed length": b"Content-Length: +3\r\n",
    "a length in hexadecimal": b"Content-Length: 0x3\r\n",
    "a length beyond 2^64": b"Content-Length: 18446744073709551619\r\n",
    "length and coding": b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n",
    "a coding that is unknown": b"Transfer-Encoding: xchunked\r\n",
    "two codings": b"Transfer-Encoding: gzip, chunked\r\n",
    "a blank before the colon": b"Content-Length : 3\r\n",
}


def check_framing(server):
    """A head whose body has no clear end is refused, and nothing after it is read as a request"""
    for name, fields in REFUSED.items():
        answer = server.raw(
            b"POST /api/v1/reports HTTP/1.1\r\nHost: x\r\n" + fields + b"\r\n" + HIDDEN)
        statuses = server.statuses(answer)
        assert statuses == [400], f"{name}: {statuses}"
    assert "hidden" not in server.errors()
