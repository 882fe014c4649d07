"""The guarded client against servers that break off, mislead, dawdle and flood."""

from __future__ import annotations

import asyncio
import functools
import gzip
import time
import tracemalloc
import zlib
from email.utils import formatdate

import pytest

from groundwire.errors import (
    DeadlineError,
    ForbiddenError,
    GroundwireError,
    InputError,
    LimitError,
    UnavailableError,
)
from groundwire.transport.client import FAILURES_TO_OPEN, GuardedClient
from groundwire.transport.messages import Response
from groundwire.transport.targets import RequestPolicy


def fetch(url: str, *, named: tuple[str, ...] | None = None, method="GET", **options) -> Response:
    """One request by a fresh client that the endpoint is named to, unless said otherwise."""

    async def run() -> Response:
        client = GuardedClient(RequestPolicy.naming(*((url,) if named is None else named)))
        try:
            return await client.request(method, url, **options)
        finally:
            await client.aclose()

    return asyncio.run(run())


def test_a_plain_exchange(hostile) -> None:
    url = hostile.on("ok", lambda x: x.answer('{"a":1}', Content_Type="Application/JSON; x=y"))
    response = fetch(url + "?b=2&api_key=K", params={"q": "ü &"}, headers={"Accept": "text/x"})
    assert (response.status, response.body, response.cut) == (200, b'{"a":1}', "")
    assert response.content_type == "application/json"
    assert not response.truncated
    assert 0 < response.elapsed_ms < 60_000
    assert response.url.endswith("?b=2&api_key=***&q=%C3%BC%20%26") or "api_key=***" in response.url
    [seen] = hostile.requests
    assert f"host: 127.0.0.1:{hostile.port}" in seen.head
    assert "accept: text/x" in seen.head
    assert "api_key=k" in seen.head


def test_a_form_is_posted_with_credentials(hostile) -> None:
    url = hostile.on("form", lambda x: x.answer())
    fetch(url, method="POST", data={"query": "ASK {}"}, auth=("u", "p"))
    fetch(url, method="POST", content=b"raw", auth="token")
    form, raw = hostile.requests
    assert form.body == b"query=ASK+%7B%7D"
    assert "authorization: basic dtpw" in form.head
    assert raw.body == b"raw"
    assert "authorization: bearer token" in raw.head


# --- addresses ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "localhost",
        "[::ffff:127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "2130706433",
        "0x7f.1",
        "017700000001",
        "127.1",
        "localhost.",
        "[::ffff:7f00:1]",
    ],
)
def test_loopback_is_not_reached_unless_named(host, canary, network) -> None:
    # "localhost." is unknown to some resolvers, which is as good.
    with pytest.raises((ForbiddenError, InputError, UnavailableError)):
        fetch(f"http://{host}:{canary.port}/", named=())
    assert network.dialled == []
    assert canary.connections == 0


def test_naming_one_port_does_not_name_another(hostile, canary) -> None:
    with pytest.raises(ForbiddenError):
        fetch(canary.url, named=(hostile.url,))
    assert canary.connections == 0


def test_one_bad_address_among_good_ones_is_enough_to_refuse(canary, network) -> None:
    network.names["mixed.example"] = [["93.184.216.34", "127.0.0.1"]]
    with pytest.raises(ForbiddenError):
        fetch(f"http://mixed.example:{canary.port}/", named=())
    assert network.dialled == []


def test_the_connection_goes_to_the_address_that_was_checked(hostile, canary, network) -> None:
    """A resolver that turns from a public address to loopback finds no second look-up."""
    hostile.on("", lambda x: x.answer("public", Connection="close"))
    network.names["rebind.example"] = [["93.184.216.34"], ["127.0.0.1"]]
    network.routes[("93.184.216.34", canary.port)] = hostile.port
    url = f"http://rebind.example:{canary.port}/"

    async def run() -> None:
        client = GuardedClient()
        assert (await client.request("GET", url)).body == b"public"
        assert network.lookups == ["rebind.example"]
        assert network.dialled == [("93.184.216.34", canary.port)]
        # The next connection is resolved anew, and refused now that the name has turned.
        with pytest.raises(ForbiddenError):
            await client.request("GET", url)
        await client.aclose()

    asyncio.run(run())
    assert len(network.dialled) == 1
    assert canary.connections == 0
    assert f"host: rebind.example:{canary.port}" in hostile.requests[0].head


def test_the_next_address_is_tried_when_one_is_dead(hostile, network) -> None:
    hostile.on("", lambda x: x.answer("second"))
    network.names["two.example"] = [["93.184.216.34", "93.184.216.35"]]
    network.routes[("93.184.216.34", 80)] = 1
    network.routes[("93.184.216.35", 80)] = hostile.port
    assert fetch("http://two.example/", named=()).body == b"second"


def test_an_unknown_host(network) -> None:
    network.names["nowhere.example"] = [[]]
    with pytest.raises(UnavailableError, match="No address is known"):
        fetch("http://nowhere.example/", named=())


# --- redirects ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "location",
    [
        "http://127.0.0.1:{canary}/",
        "http://localhost:{canary}/",
        "http://[::ffff:127.0.0.1]:{canary}/",
        "http://2130706433:{canary}/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[fd00:ec2::254]/latest/meta-data/",
        "http://100.100.100.200/",
        "http://10.0.0.1/",
        "http://user:pass@127.0.0.1:{canary}/",
        "file:///etc/passwd",
        "gopher://127.0.0.1:{canary}/",
        "//127.0.0.1:{canary}/",
    ],
)
@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "303 Other", "307 T", "308 P"])
def test_a_redirect_is_checked_like_any_address(location, status, hostile, canary, network) -> None:
    network.names["evil.example"] = [["93.184.216.34"]]
    network.routes[("93.184.216.34", 80)] = hostile.port
    hostile.on("", lambda x: x.answer("", status, Location=location.format(canary=canary.port)))
    with pytest.raises(ForbiddenError):
        fetch("http://evil.example/", named=())
    assert network.dialled == [("93.184.216.34", 80)]
    assert canary.connections == 0


def test_a_stranger_cannot_lead_to_a_named_endpoint(hostile, canary, network) -> None:
    """The configuration trusts its endpoint, not whoever redirects there."""
    network.names["evil.example"] = [["93.184.216.34"]]
    network.routes[("93.184.216.34", 80)] = hostile.port
    hostile.on("", lambda x: x.answer("", "302 Found", Location=canary.url + "/"))
    with pytest.raises(ForbiddenError, match="ask that endpoint itself"):
        fetch("http://evil.example/", named=(canary.url,))
    assert canary.connections == 0


def test_credentials_and_keys_stay_with_their_origin(hostile, canary, network) -> None:
    hostile.on("go", lambda x: x.answer("", "302 Found", Location="http://other.example/there"))
    hostile.on(
        "stay", lambda x: x.answer("", "302 Found", Location="/end", Set_Cookie="session=S; Path=/")
    )
    hostile.on("end", lambda x: x.answer("end"))
    canary.on("there", lambda x: x.answer("there"))
    network.names["other.example"] = [["93.184.216.34"]]
    network.routes[("93.184.216.34", 80)] = canary.port
    secret = {"X-Api-Key": "KEY", "Accept": "text/turtle"}
    for auth in (("user", "pass"), "TOKEN"):
        assert fetch(hostile.url + "/go?app_key=K", headers=secret, auth=auth).body == b"there"
    for stranger in canary.requests:
        assert "accept: text/turtle" in stranger.head
        for word in ("authorization", "key", "token", "cookie", "referer"):
            assert word not in stranger.head
    response = fetch(hostile.url + "/stay", headers=secret, auth="TOKEN")
    assert response.body == b"end"
    same_origin = hostile.requests[-1]
    assert "authorization: bearer token" in same_origin.head
    assert "x-api-key: key" in same_origin.head
    assert "cookie" not in same_origin.head


def test_cookies_are_not_kept(hostile) -> None:
    url = hostile.on("cookie", lambda x: x.answer("", Set_Cookie="a=b"))

    async def run() -> None:
        client = GuardedClient(RequestPolicy.naming(url))
        for _ in range(2):
            assert "set-cookie" not in (await client.request("GET", url)).headers
        await client.aclose()

    asyncio.run(run())
    assert all("cookie:" not in seen.head for seen in hostile.requests)


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "307 Temporary", "308 Permanent"])
def test_a_body_is_not_sent_elsewhere(status, hostile, network) -> None:
    network.names["other.example"] = [["93.184.216.34"]]
    url = hostile.on("post", lambda x: x.answer("", status, Location="http://other.example/"))
    with pytest.raises(ForbiddenError, match="redirects a POST"):
        fetch(url, method="POST", data={"query": "secret"})
    assert ("93.184.216.34", 80) not in network.dialled


def test_a_post_stays_a_post_on_its_own_server(hostile) -> None:
    url = hostile.on("old", lambda x: x.answer("", "308 Permanent", Location="new"))
    hostile.on("new", lambda x: x.answer(x.body))
    assert fetch(url, method="POST", content=b"query").body == b"query"
    hostile.on("see", lambda x: x.answer("", "303 See Other", Location="seen"))
    hostile.on("seen", lambda x: x.answer(x.request.split(b" ")[0] + x.body))
    assert fetch(hostile.url + "/see", method="POST", content=b"query").body == b"GET"


def test_a_redirect_chain_ends(hostile) -> None:
    url = hostile.on("round", lambda x: x.answer("", "302 Found", Location="/round"))
    with pytest.raises(LimitError, match="more than 3 times"):
        fetch(url)
    assert len(hostile.requests) == 4


def test_a_redirect_to_nonsense(hostile) -> None:
    url = hostile.on("odd", lambda x: x.answer("", "302 Found", Location="http://[:::"))
    with pytest.raises(UnavailableError, match="no URL"):
        fetch(url)


# --- requests that are not sent --------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {"X-A": "1\r\nX-Evil: 2"},
        {"X-A": "1\nEvil"},
        {"X-A\r\nEvil": "1"},
        {"X A": "1"},
        {"": "1"},
        {"X-A": "\x00"},
        {"X-A": "snow ☃"},
        {"Host": "other.example"},
        {"content-length": "0"},
        {"Transfer-Encoding": "chunked"},
        {"Connection": "upgrade"},
        {"Cookie": "a=b"},
    ],
)
def test_headers_cannot_be_injected(headers, hostile) -> None:
    with pytest.raises(ForbiddenError):
        fetch(hostile.url, headers=headers)
    assert hostile.connections == 0


@pytest.mark.parametrize("auth", ["tok\r\nX-Evil: 1", ("us:er", "p"), "snow ☃"])
def test_credentials_cannot_inject(auth, hostile) -> None:
    with pytest.raises((ForbiddenError, InputError)) as refusal:
        fetch(hostile.url, auth=auth)
    assert "Evil" not in str(refusal.value)
    assert hostile.connections == 0


def test_credentials_do_not_travel_in_the_clear(network) -> None:
    for options in ({"auth": "TOKEN"}, {"headers": {"Authorization": "Bearer TOKEN"}}):
        with pytest.raises(ForbiddenError, match="unencrypted"):
            fetch("http://public.example/", named=(), **options)
    assert network.lookups == []


@pytest.mark.parametrize(
    "options",
    [
        {"method": "DELETE"},
        {"method": "get"},
        {"method": "GET /x HTTP/1.1\r\nHost: evil\r\n\r\nGET"},
        {"method": "GET", "content": b"x"},
        {"method": "POST", "content": b"x", "data": {"a": "b"}},
    ],
)
def test_requests_that_cannot_be_meant(options, hostile) -> None:
    with pytest.raises(InputError):
        fetch(hostile.url, **options)
    assert hostile.connections == 0


def test_the_environment_changes_nothing(hostile, canary, monkeypatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "HTTPS_PROXY"):
        monkeypatch.setenv(name, canary.url)
    assert fetch(hostile.on("x", lambda x: x.answer("direct"))).body == b"direct"
    assert canary.connections == 0


# --- time -----------------------------------------------------------------------------------


def drip_body(exchange) -> None:
    exchange.send(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
    while exchange.pause(0.02):
        exchange.send(b"x")


def drip_headers(exchange) -> None:
    exchange.send(b"HTTP/1.1 200 OK\r\n")
    while exchange.pause(0.02):
        exchange.send(b"X-A: b\r\n")


def drip_informational(exchange) -> None:
    while exchange.pause(0.02):
        exchange.send(b"HTTP/1.1 103 Early Hints\r\n\r\n")


def silence(exchange) -> None:
    exchange.pause(30)


def drip_redirects(exchange) -> None:
    exchange.pause(0.2)
    exchange.answer("", "302 Found", Location="/slow")


def ends_at_its_deadline(url: str, on_time) -> None:
    """A request raises at its deadline, at most a tenth late."""

    async def run() -> None:
        clients = []
        for _ in on_time(0.88, least=0.8):
            clients.append(GuardedClient(RequestPolicy.naming(url)))
            with pytest.raises(DeadlineError, match=r"within 0\.8 s"):
                await clients[-1].request("GET", url, deadline=0.8)
        for client in clients:
            await client.aclose()

    asyncio.run(run())


@pytest.mark.parametrize("handler", [drip_body, drip_headers, drip_informational, silence])
def test_the_deadline_covers_the_whole_exchange(handler, hostile, on_time) -> None:
    ends_at_its_deadline(hostile.on("slow", handler), on_time)


def test_the_deadline_covers_all_redirects_together(hostile, on_time) -> None:
    ends_at_its_deadline(hostile.on("slow", drip_redirects), on_time)


def test_the_deadline_covers_connecting(network, hostile, on_time) -> None:
    """A server whose backlog is full neither accepts nor refuses."""
    import socket

    with socket.create_server(("127.0.0.1", 0), backlog=0) as full:
        port = full.getsockname()[1]
        waiting = []
        for _ in range(3):
            client = socket.socket()
            client.setblocking(False)
            client.connect_ex(("127.0.0.1", port))
            waiting.append(client)
        ends_at_its_deadline(f"http://127.0.0.1:{port}/", on_time)
        for client in waiting:
            client.close()


# --- size -----------------------------------------------------------------------------------


def endless(exchange) -> None:
    exchange.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n")
    while not exchange.server.closing.is_set():
        exchange.send(b"x" * 65536)


def endless_chunks(exchange) -> None:
    exchange.send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    while not exchange.server.closing.is_set():
        exchange.send(b"8000\r\n" + b"x" * 0x8000 + b"\r\n")


@functools.cache
def packed_zeros(megabytes: int) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    zeros = bytes(1_000_000)
    return b"".join(packer.compress(zeros) for _ in range(megabytes)) + packer.flush()


def bomb(exchange) -> None:
    """200 MB of zeros in 200 kB."""
    exchange.answer(packed_zeros(200), Content_Encoding="gzip")


def many_bombs(exchange) -> None:
    """A thousand gzip members that unpack to 1 MB each."""
    exchange.answer(packed_zeros(1) * 1000, Content_Encoding="gzip")


@pytest.mark.parametrize("handler", [endless, endless_chunks, bomb, many_bombs])
def test_memory_is_bounded(handler, hostile) -> None:
    url = hostile.on("flood", handler)
    # What is loaded or made once is no part of the peak.
    fetch(hostile.on("warm", lambda x: x.answer("")))
    packed_zeros(200), packed_zeros(1)
    tracemalloc.start()
    response = fetch(url, max_bytes=1_000_000, deadline=300)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert response.cut == "max_bytes"
    assert len(response.body) == 1_000_000
    # The pieces, the body made of them, and what zlib hands over; the server's side too.
    assert peak < 5_000_000


def test_a_body_of_exactly_the_limit_is_whole(hostile) -> None:
    url = hostile.on("full", lambda x: x.answer(b"x" * 1000))
    assert fetch(url, max_bytes=1000).cut == ""
    assert fetch(url, max_bytes=999).cut == "max_bytes"
    packed = hostile.on(
        "gz", lambda x: x.answer(gzip.compress(b"y" * 1000), Content_Encoding="gzip")
    )
    assert fetch(packed, max_bytes=1000).cut == ""
    assert fetch(packed, max_bytes=999).cut == "max_bytes"
    assert fetch(packed, max_bytes=999).body == b"y" * 999


def huge_headers(exchange) -> None:
    exchange.send(b"HTTP/1.1 200 OK\r\n")
    while not exchange.server.closing.is_set():
        exchange.send(b"X-Filler: " + b"x" * 8000 + b"\r\n")


def one_huge_header(exchange) -> None:
    exchange.send(b"HTTP/1.1 200 OK\r\nX-Filler: ")
    while not exchange.server.closing.is_set():
        exchange.send(b"x" * 65536)


@pytest.mark.parametrize("handler", [huge_headers, one_huge_header])
def test_huge_headers_are_refused(handler, hostile) -> None:
    with pytest.raises(LimitError, match="header of more than 100 kB"):
        fetch(hostile.on("huge", handler))


# --- bodies that end early -------------------------------------------------------------------


def half_a_length(exchange) -> None:
    exchange.answer('{"head":', length=100, Content_Type="application/json")
    exchange.connection.close()


def half_a_chunk(exchange) -> None:
    exchange.send(b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n{"head":\r\n')
    exchange.connection.close()


@pytest.mark.parametrize("handler", [half_a_length, half_a_chunk])
def test_a_connection_that_ends_early_is_told(handler, hostile) -> None:
    response = fetch(hostile.on("half", handler))
    assert (response.body, response.cut) == (b'{"head":', "connection")


def test_a_packed_body_that_ends_early_is_told(hostile) -> None:
    packed = gzip.compress(b'{"head": {}, "results": {}}' * 50)
    url = hostile.on("gz", lambda x: x.answer(packed[:-12], Content_Encoding="gzip"))
    assert fetch(url).cut == "encoding"


def test_packed_bodies_are_read(hostile) -> None:
    text = b"groundwire " * 5000
    raw = zlib.compressobj(9, zlib.DEFLATED, -15)
    bodies = {
        "gzip": gzip.compress(text[:7]) + gzip.compress(text[7:]),
        "x-gzip": gzip.compress(text),
        "deflate": zlib.compress(text),
    }
    for encoding, body in bodies.items():
        url = hostile.on(encoding, lambda x, e=encoding, b=body: x.answer(b, Content_Encoding=e))
        assert fetch(url).body == text
        assert fetch(url).cut == ""
    bare = raw.compress(text) + raw.flush()
    url = hostile.on("bare", lambda x: x.answer(bare, Content_Encoding="deflate"))
    assert fetch(url).body == text
    empty = hostile.on("none", lambda x: x.answer(b"", Content_Encoding="gzip"))
    assert (fetch(empty).body, fetch(empty).cut) == (b"", "")


@pytest.mark.parametrize("encoding", ["br", "gzip, gzip", "zstd"])
def test_packing_that_was_not_asked_for(encoding, hostile) -> None:
    url = hostile.on("odd", lambda x: x.answer(b"x", Content_Encoding=encoding))
    with pytest.raises(UnavailableError, match="not asked for"):
        fetch(url)


def test_damaged_packing(hostile) -> None:
    url = hostile.on("bad", lambda x: x.answer(b"no gzip at all", Content_Encoding="gzip"))
    with pytest.raises(UnavailableError, match="damaged"):
        fetch(url)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"HTTP/1.1 999999 What\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx",
        b"HTTP/1.1 200 OK\r\nBad Header\r\n\r\n",
    ],
)
def test_what_is_no_http(raw, hostile) -> None:
    def handler(exchange) -> None:
        exchange.send(raw)
        exchange.connection.close()

    with pytest.raises(UnavailableError):
        fetch(hostile.on("raw", handler))


# --- being asked to wait ---------------------------------------------------------------------


class Busy:
    """Answers 429 a few times, then 200."""

    def __init__(self, times: int, status: str = "429 Too Many", **headers: str) -> None:
        self.left, self.status, self.headers = times, status, headers

    def __call__(self, exchange) -> None:
        self.left -= 1
        if self.left >= 0:
            exchange.answer("busy", self.status, **self.headers)
        else:
            exchange.answer("done")


@pytest.mark.parametrize("status", ["429 Too Many", "503 Unavailable"])
def test_retry_after_is_honoured_once(status, hostile, on_time) -> None:
    for _ in on_time(2.0, least=1.0):
        hostile.requests.clear()
        url = hostile.on("busy", Busy(1, status, Retry_After="1"))
        assert fetch(url).body == b"done"
        assert len(hostile.requests) == 2
    again = hostile.on("again", Busy(2, status, Retry_After="0"))
    assert fetch(again).status == int(status[:3])
    assert len(hostile.requests) == 4


def test_retry_after_as_a_date(hostile) -> None:
    url = hostile.on("busy", Busy(1, Retry_After=formatdate(time.time() + 1, usegmt=True)))
    assert fetch(url).body == b"done"


@pytest.mark.parametrize("headers", [{}, {"Retry_After": "60"}, {"Retry_After": "soon"}])
def test_no_waiting_without_a_time_or_beyond_the_deadline(headers, hostile, on_time) -> None:
    for _ in on_time(0.5):
        hostile.requests.clear()
        url = hostile.on("busy", Busy(1, **headers))
        assert fetch(url, deadline=20.0).status == 429
        assert len(hostile.requests) == 1


# --- servers that are down -------------------------------------------------------------------


def test_a_dead_server_is_left_alone(network, on_time) -> None:
    network.routes[("127.0.0.1", 9)] = 1
    url = "http://127.0.0.1:9/"

    async def run() -> None:
        client = GuardedClient(RequestPolicy.naming(url))
        for _ in range(FAILURES_TO_OPEN):
            with pytest.raises(UnavailableError, match="cannot be reached"):
                await client.request("GET", url)
        tried = len(network.dialled)
        for _ in on_time(0.2):
            for _ in range(100):
                with pytest.raises(UnavailableError, match="left alone"):
                    await client.request("GET", url)
        assert len(network.dialled) == tried == FAILURES_TO_OPEN
        await client.aclose()

    asyncio.run(run())


def test_messages_hold_no_secrets(hostile) -> None:
    url = hostile.url + "/gone?app_key=SECRET"
    hostile.on("gone", lambda x: x.connection.close())
    for options in ({}, {"deadline": 0.0}, {"headers": {"X-Key": "SECRET\n"}}):
        with pytest.raises(GroundwireError) as failure:
            fetch(url, auth=("SECRET", "SECRET"), **options)
        assert "SECRET" not in str(failure.value)
        assert "\n" not in str(failure.value)


def test_nothing_is_imported_before_the_first_request() -> None:
    import subprocess
    import sys

    code = (
        "import sys; from groundwire.transport.client import GuardedClient; GuardedClient();"
        "print([m for m in ('httpx2', 'httpcore2', 'anyio') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
