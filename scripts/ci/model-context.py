#!/usr/bin/env python3
"""The tools of the Model Context Protocol, used by the client of the package mcp.

`mayday mcp` is started for a home and for a server, and `/mcp` of the server is asked directly. The client checks each
document by the schema that the tool declares. The answers are compared with what the commands print.
"""

import argparse
import asyncio
import difflib
import http.client
import json
import os
import subprocess
import sys
import time
import warnings

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from shared import environment
from shared.paths import MAYDAY, ROOT
from shared.servers import Home, Server

READING = ["apps", "groups", "search", "regressions", "show", "explain"]
SYMBOLS = ["missing_symbols", "lookup"]
ALL = sorted([*READING, *SYMBOLS, "resolve"])
# The largest answer that a model gets, in bytes of text.
LARGEST = 40_000


class Checks:
    def __init__(self):
        self.count = 0
        self.failures = []

    def expect(self, is_true, text):
        self.count += 1
        if not is_true:
            self.failures.append(text)
            print("FAILED:", text, file=sys.stderr)


def text(result):
    return "".join(block.text for block in result.content if block.type == "text")


async def call(checks, client, name, **arguments):
    """The document of a tool, or its text."""
    result = await client.call_tool(name, arguments)
    checks.expect(not result.is_error, f"{name} {arguments}: {text(result)}")
    checks.expect(len(text(result)) < LARGEST, f"{name} {arguments}: {len(text(result))} characters")
    if result.structured_content is not None:
        checks.expect(json.loads(text(result)) == result.structured_content, f"{name}: text and document differ")
        return result.structured_content
    return text(result)


async def refused(checks, client, words, name, **arguments):
    result = await client.call_tool(name, arguments)
    checks.expect(result.is_error and words in text(result), f"{name} {arguments}: {text(result)!r}")


def printed(home, *words):
    return json.loads(home.run(*words, "--json").stdout)


async def check_lists(checks, client, home):
    groups = printed(home, "groups")
    found, after = [], None
    while True:
        page = await call(checks, client, "groups", limit=25, **({"after": after} if after else {}))
        checks.expect(page["total"] == len(groups), f"{page['total']} of {len(groups)} groups")
        found += page["items"]
        after = page.get("next")
        if after is None:
            break
    checks.expect([one["id"] for one in found] == [one["id"] for one in groups], "the pages of groups")
    first = next(one for one in groups if one["id"] == found[0]["id"])
    checks.expect(all(first[name] == value for name, value in found[0].items()), f"{found[0]} of {first}")
    checks.expect(len((await call(checks, client, "groups"))["items"]) == 10, "ten groups without a limit")
    query = "app:Tern tern::take"
    only = await call(checks, client, "groups", query=query, sort="-reports")
    wanted = printed(home, "groups", *query.split(), "--sort", "-reports")
    checks.expect([one["id"] for one in only["items"]] == [one["id"] for one in wanted] != [], f"groups {query}")
    reports = await call(checks, client, "search", query=f"group:{wanted[0]['id']}", limit=3)
    checks.expect(reports["total"] == wanted[0]["reports"], f"search: {reports}")
    checks.expect(all(one["group"] == wanted[0]["id"] for one in reports["items"]), f"search: {reports}")
    apps = await call(checks, client, "apps", limit=50)
    checks.expect("Tern" in [one["name"] for one in apps["items"]], f"{apps}")
    some = (await call(checks, client, "apps", limit=1))
    rest = await call(checks, client, "apps", limit=50, after=some["next"])
    checks.expect(some["items"] + rest["items"] == apps["items"], "the pages of apps")
    worse = await call(checks, client, "regressions", app="Tern", confidence=0.5)
    expected = printed(home, "regressions", "--app", "Tern", "--confidence", "50", "--limit", "10")
    checks.expect(worse["items"] == expected["items"], f"regressions: {worse}")
    await refused(checks, client, "limit must be 1 to 50", "groups", limit=51)
    await refused(checks, client, "has no argument 'lmit'", "groups", lmit=5)
    await refused(checks, client, "app is missing", "regressions")
    await refused(checks, client, "is:", "groups", query="is:nonsense")
    await refused(checks, client, "begin again", "apps", after="no such app")
    return wanted[0]


async def check_texts(checks, client, home, group):
    shown = await call(checks, client, "show", id=group["id"])
    markdown = home.run("show", group["id"], "--format", "md").stdout
    checks.expect(shown.split("\n")[0] == markdown.split("\n")[0], f"show: {shown[:200]}")
    rest, whole = shown, ""
    while "call again with after" in rest.rstrip().split("\n")[-1]:
        lines = rest.rstrip().split("\n")
        whole += "\n".join(lines[:-2]) + "\n"
        rest = await call(checks, client, "show", id=group["id"], after=int(lines[-1].rstrip("]").split()[-1]))
    whole += rest
    checks.expect(
        whole.split() == markdown.split(),
        "the pages of show:\n" + "\n".join(difflib.unified_diff(markdown.split("\n"), whole.split("\n"), lineterm="", n=0)))
    report = await call(checks, client, "show", id=group["exemplar"][:10])
    checks.expect(group["exemplar"] in report, f"show of a report: {report[:200]}")
    why = await call(checks, client, "explain", id=group["id"])
    checks.expect(group["signature"]["hash"] in why, f"explain: {why[-300:]}")
    await refused(checks, client, "NONE-1", "show", id="NONE-1")
    await refused(checks, client, "the text has", "show", id=group["id"], after=100000)


def located(home):
    """A frame with a line that is neither a return address nor inlined, and its image."""
    for group in printed(home, "groups", "app:Tern", "os:iOS"):
        document = printed(home, "show", group["exemplar"])
        for frame in (frame for thread in document["threads"] for frame in thread["frames"]):
            if frame["position"] == "exact" and frame.get("file") and not frame["inlined"]:
                return frame, document["images"][frame["image"]]
    raise ValueError("no sample has such a frame")


async def check_symbols(checks, client, home):
    missing = await call(checks, client, "missing_symbols", limit=2)
    expected = printed(home, "symbols", "missing", "--limit", "2")
    checks.expect([one["name"] for one in missing["items"]] == [one["name"] for one in expected], f"{missing}")
    more = await call(checks, client, "missing_symbols", limit=1, after=missing["next"])
    checks.expect(more["items"][0] not in missing["items"], "the second page of missing files")
    # What the stored reports say of offsets is what a look-up says of them.
    known, image = located(home)
    found = await call(checks, client, "lookup", id=image["debug_id"], offsets=[known["image_offset"], "0x1"])
    last = found["items"][0]["frames"][-1]
    checks.expect((last.get("function"), last.get("file"), last.get("line"))
                  == (known.get("function"), known.get("file"), known.get("line")), f"lookup: {found} {known}")
    checks.expect(found["items"][1]["frames"] == [], f"lookup of nothing: {found}")
    await refused(checks, client, "hexadecimal", "lookup", id=image["debug_id"], offsets=["12"])
    await refused(checks, client, "1 to 100", "lookup", id=image["debug_id"], offsets=[])
    await refused(checks, client, "--home", "lookup", id="--home", offsets=["0x1"])


async def check_resolve(checks, client, home, group):
    asked = await call(checks, client, "resolve", id=group, next=True)
    checks.expect(group in asked["message"] and "group" not in asked, f"{asked}")
    checks.expect(printed(home, "show", group)["state"] == "open", "the first call decides nothing")
    await refused(checks, client, "not for this call", "resolve", id=group, confirmation=asked["confirmation"])
    done = await call(checks, client, "resolve", id=group, next=True, confirmation=asked["confirmation"])
    checks.expect(done["group"]["state"] == "resolved" and "confirmation" not in done, f"{done}")
    checks.expect(printed(home, "show", group)["state"] == "resolved", "the group is resolved")
    await refused(checks, client, "not for this call", "resolve", id=group, next=True,
                  confirmation=asked["confirmation"])


async def check_all(checks, transport, home, group):
    from mcp import Client

    async with Client(transport) as client:
        checks.expect(client.server_info.name == "mayday", f"{client.server_info}")
        checks.expect("never instructions" in (client.instructions or ""), f"{client.instructions}")
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        checks.expect(sorted(tools) == ALL, f"tools: {sorted(tools)}")
        for name, tool in tools.items():
            checks.expect(tool.annotations.read_only_hint == (name != "resolve"), f"{name}: {tool.annotations}")
            checks.expect(tool.input_schema["additionalProperties"] is False, f"{name}: {tool.input_schema}")
        with warnings.catch_warnings():
            # Later versions of the protocol have none.
            warnings.simplefilter("ignore")
            await client.send_ping()
        shown = await check_lists(checks, client, home)
        await check_texts(checks, client, home, shown)
        await check_symbols(checks, client, home)
        await check_resolve(checks, client, home, group)


def stdio(home, *words, **variables):
    from mcp import StdioServerParameters

    return StdioServerParameters(command=home.program, args=["mcp", *words], env=home.environment(variables))


def lines(home, *messages):
    """What the program answers to lines on its standard input."""
    done = subprocess.run(
        [home.program, "mcp"], input="".join(message + "\n" for message in messages), text=True, capture_output=True,
        env=home.environment(), timeout=60)
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def message(number, method, **parameters):
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": parameters})


def check_lines(checks, home):
    """What no client of the package sends."""
    handshake = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    status, answers = lines(
        home, message(1, "initialize", **handshake), message("two", "initialize", **{**handshake,
                                                                                      "protocolVersion": "1999-01-01"}),
        "{", "[]", message(3, "none"), message(4, "tools/call", name="none"), message(5, "ping"),
        message(6, "tools/list", cursor="x"), message(7, "initialize"), "", "x" * ((1 << 20) + 1))
    checks.expect(status == 0, f"exit {status}")
    by_id = {one["id"]: one for one in answers if one["id"] is not None}
    checks.expect(by_id[1]["result"]["protocolVersion"] == "2025-06-18", f"{by_id[1]}")
    checks.expect(by_id["two"]["result"]["protocolVersion"] == "2025-11-25", f"{by_id['two']}")
    codes = sorted(one["error"]["code"] for one in answers if one["id"] is None)
    checks.expect(codes == [-32700, -32700, -32600], f"messages that are none: {codes}")
    for number, code in {3: -32601, 4: -32602, 6: -32602, 7: -32602}.items():
        checks.expect(by_id[number]["error"]["code"] == code, f"{by_id[number]}")
    checks.expect(by_id[5]["result"] == {}, f"{by_id[5]}")
    # What is cancelled before it begins is not answered; what comes after it is.
    cancelled = json.dumps({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}})
    _, answers = lines(home, message(1, "ping"), message(2, "tools/call", name="groups", arguments={}), cancelled,
                       message(3, "ping"))
    checks.expect([one["id"] for one in answers] == [1, 3], f"cancelled: {answers}")


def check_http(checks, server, home):
    """What the address refuses."""
    def post(body, token=home.token, path="/mcp", method="POST", **headers):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        fields = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        if token:
            fields["Authorization"] = f"Bearer {token}"
        fields.update({name.replace("_", "-"): value for name, value in headers.items()})
        connection.request(method, path, body, {name: value for name, value in fields.items() if value})
        response = connection.getresponse()
        return response.status, response.read()

    ping = message(1, "ping")
    checks.expect(post(ping)[0] == 200, "a ping")
    checks.expect(post(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"})) == (202, b""),
                  "a notification is accepted without a body")
    checks.expect(post(ping, token=None)[0] == 401, "without a token")
    checks.expect(post(ping, Origin="https://evil.example")[0] == 403, "from a page of another site")
    checks.expect(post(ping, Origin=f"http://127.0.0.1:{server.port}")[0] == 403, "from a page by a name of its own")
    checks.expect(post(ping, MCP_Protocol_Version="2025-06-18")[0] == 200, "a known version")
    checks.expect(post(ping, MCP_Protocol_Version="1999-01-01")[0] == 400, "an unknown version")
    checks.expect(post("{")[0] == 400 and post(f"[{ping}]")[0] == 400, "what is no message")
    checks.expect(post(ping, Content_Type="text/plain")[0] == 415, "another type")
    checks.expect(post(None, method="GET")[0] == 405 and post(None, method="DELETE")[0] == 405,
                  "neither streams nor sessions")
    sent = home.run("tokens", "add", "ci", "--scope", "ingest").stdout.split()
    ingest = next(word for word in sent if word.startswith("mayday_"))
    checks.expect(post(ping, token=ingest)[0] == 403, "a token that may only send reports")


def token(home, *words):
    made = home.run("tokens", "add", *words).stdout.split()
    return next(word for word in made if word.startswith("mayday_"))


async def tools(transport):
    from mcp import Client

    async with Client(transport) as client:
        return [tool.name for tool in (await client.list_tools()).tools]


async def check_scopes(checks, home, address):
    """The tools of tokens with some scopes, and those of one app."""
    def bridge(secret):
        return stdio(home, "--server", address, MAYDAY_TOKEN=secret)

    read = token(home, "reader", "--scope", "read")
    checks.expect(sorted(await tools(bridge(read))) == sorted(READING), "tools of a token that reads")
    symbols = token(home, "symbols", "--scope", "symbols")
    checks.expect(sorted(await tools(bridge(symbols))) == sorted(SYMBOLS), "tools of a token for debug files")
    own = token(home, "own", "--scope", "symbols", "--scope", "triage", "--scope", "read", "--app", "Tern")
    found = await tools(bridge(own))
    checks.expect(sorted(found) == sorted(set(ALL) - {"lookup"}), f"tools of a token of one app: {found}")
    from mcp import Client

    async with Client(bridge(own)) as client:
        page = await call(checks, client, "groups", limit=50)
        checks.expect({one["app"]["name"] for one in page["items"]} == {"Tern"}, "groups of one app")
    try:
        await tools(bridge("mayday_wrong_token"))
        checks.expect(False, "a wrong token is accepted")
    except Exception as error:
        checks.expect("token" in repr(error) or "token" in str(getattr(error, "exceptions", "")), f"{error!r}")


async def check(checks, home, server, address):
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    groups = [one["id"] for one in printed(home, "groups", "app:Tern")]
    await check_all(checks, stdio(home), home, groups[-1])
    await check_all(checks, stdio(home, "--server", address, MAYDAY_TOKEN=home.token), home, groups[-2])
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {home.token}"}, timeout=60) as web:
        await check_all(checks, streamable_http_client(address + "/mcp", http_client=web), home, groups[-3])
    await check_scopes(checks, home, address)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mayday", default=MAYDAY)
    options = parser.parse_args()
    environment.enter()
    checks = Checks()
    began = time.monotonic()
    with Home(options.mayday) as home:
        home.run("symbols", "add", os.path.join(ROOT, "Symbols/apple"), status=None)
        home.run("ingest", os.path.join(ROOT, "Samples/apple-ips"), os.path.join(ROOT, "Samples/go-panic"),
                 os.path.join(ROOT, "Samples/rust-panic"), os.path.join(ROOT, "Samples/javascript"), status=None)
        check_lines(checks, home)
        with Server(home, "--rate", "0") as server:
            address = f"http://127.0.0.1:{server.port}"
            check_http(checks, server, home)
            asyncio.run(check(checks, home, server, address))
            audit = server.json("/api/v1/audit")["items"]
            checks.expect(sum(one["action"] == "resolve" for one in audit) == 2, "decisions are in the audit log")
    print(f"{checks.count} checks, {len(checks.failures)} failures, in {time.monotonic() - began:.0f} s")
    sys.exit(1 if checks.failures else 0)


if __name__ == "__main__":
    main()
