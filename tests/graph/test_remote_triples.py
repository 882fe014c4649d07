"""CONSTRUCT and DESCRIBE at endpoints, and what is kept of every exchange for its proof."""

from __future__ import annotations

import asyncio
import time
import urllib.request

import pytest

from groundwire.errors import DeadlineError, InputError, LimitError, UnavailableError
from groundwire.graph import remote_exchange
from groundwire.graph.queries import CompiledQuery, GatedQuery, Verdict
from groundwire.graph.remote import RemoteGraph
from groundwire.graph.remote_exchange import KEPT_BYTES, Exchange
from groundwire.graph.terms import XSD, Term, iri, literal
from groundwire.transport.client import GuardedClient
from groundwire.transport.targets import RequestPolicy

NT = "application/n-triples"
TURTLE = "text/turtle"
RDF_XML = "application/rdf+xml"
JSON_LD = "application/ld+json"
RDF = "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'"
JSON = "application/sparql-results+json"
CONSTRUCT = CompiledQuery("CONSTRUCT WHERE { ?s ?p ?o }")
LINES = "".join(f"<http://e/s{n}> <http://e/p> <http://e/o> .\n" for n in range(20))


@pytest.fixture(autouse=True)
def no_urllib(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_args, **_options):
        pytest.fail("a connection past the guarded client")

    monkeypatch.setattr(urllib.request.OpenerDirector, "open", refuse)
    monkeypatch.setattr("SPARQLWrapper.Wrapper.urlopener", refuse)


def run(url: str, query=CONSTRUCT, *, verb="triples", exchanges=None, graph=None, **options):
    async def ask():
        client = GuardedClient(RequestPolicy.naming(url))
        remote = RemoteGraph(url, client, **(graph or {}))
        seen = [] if exchanges is None else exchanges
        try:
            return await getattr(remote, verb)(query, observer=seen.append, **options)
        finally:
            await client.aclose()

    return asyncio.run(ask())


# --- triples ---------------------------------------------------------------------------------


def test_terms_of_n_triples_and_turtle(hostile) -> None:
    body = """@prefix e: <http://e/> . # a comment
      e:s e:p 7 , "chat"@fr , "x\\n" . [] e:q <http://e/with space> .""".replace(
        "with space", "with%20space"
    )
    hostile.on("ttl", lambda x: x.answer(body, Content_Type=TURTLE + "; charset=utf-8"))
    triples, complete, elapsed = run(hostile.url + "/ttl")
    assert complete
    assert elapsed > 0
    assert triples[:3] == [
        (iri("http://e/s"), iri("http://e/p"), literal("7", XSD + "integer")),
        (iri("http://e/s"), iri("http://e/p"), literal("chat", language="fr")),
        (iri("http://e/s"), iri("http://e/p"), literal("x\n")),
    ]
    assert triples[3][0].kind == "bnode"
    [seen] = hostile.requests
    assert "accept: application/n-triples, text/turtle;q=0.9" in seen.head
    line = '_:b <http://e/p> "1"^^<http://e/d> .\n'
    url = hostile.on("nt", lambda x: x.answer(line * 2, Content_Type=NT))
    assert run(url).triples == [(Term("bnode", "b"), iri("http://e/p"), literal("1", "http://e/d"))]


@pytest.mark.parametrize("body", ["", "# Empty NT\n"])
def test_no_triples(body, hostile) -> None:
    assert run(hostile.on("s", lambda x: x.answer(body, Content_Type=NT)))[:2] == ([], True)


def test_more_triples_than_were_wanted(hostile) -> None:
    url = hostile.on("s", lambda x: x.answer(LINES, Content_Type=NT))
    triples, complete, _ = run(url, max_rows=19)
    assert (len(triples), complete) == (19, False)
    assert run(url, max_rows=20).complete
    gated = GatedQuery(str(CONSTRUCT), Verdict("construct", (), 5, 6))
    assert len(run(url, gated).triples) == 5


@pytest.mark.parametrize(
    ("status", "headers"),
    [
        ("200 OK", {"X_SQL_State": "S1TAT"}),
        ("206 Partial Content", {}),
        ("200 OK", {"X_SPARQL_MaxRows": "20"}),
    ],
)
def test_partial_triples_are_never_complete(status, headers, hostile) -> None:
    url = hostile.on("s", lambda x: x.answer(LINES, status, Content_Type=NT, **headers))
    assert not run(url).complete


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (
            f"<?xml version='1.0'?><rdf:RDF {RDF} xmlns:e='http://e/'><rdf:Description "
            "rdf:about='http://e/s'><e:p>one</e:p><e:q rdf:resource='http://e/o'/>"
            "</rdf:Description></rdf:RDF>",
            RDF_XML,
        ),
        (
            '{"@context":{"p":"http://e/p"},"@graph":[{"@id":"http://e/s","p":"one",'
            '"http://e/q":{"@id":"http://e/o"}}]}',
            JSON_LD,
        ),
        (
            '[{"@id":"http://e/s","http://e/p":[{"@value":"one"}],'
            '"http://e/q":[{"@id":"http://e/o"}]}]',
            JSON_LD,
        ),
    ],
)
def test_other_formats_that_servers_write(body: str, kind: str, hostile) -> None:
    found = run(hostile.on("s", lambda x: x.answer(body, Content_Type=f"{kind}; charset=utf-8")))
    assert found.complete
    s = iri("http://e/s")
    assert set(found.triples) == {
        (s, iri("http://e/p"), literal("one")),
        (s, iri("http://e/q"), iri("http://e/o")),
    }


@pytest.mark.parametrize(
    ("body", "kind", "why"),
    [
        (LINES[:-5], NT, "cut off"),
        (LINES + "Virtuoso 42000 Error: transaction timed out", NT, "cut off"),
        ("@prefix e: <http://e/> . e:s e:p", TURTLE, "cut off"),
        ("[" * 100_000, TURTLE, "cut off"),
        ("<html>Error</html>", "text/html", "text/html"),
        ("Sign in", "text/plain", "text/plain"),
        ("<!DOCTYPE html><html>", "", "no type"),
        ('{"head":{},"boolean":true}', "application/json", "instead of N-Triples"),
        ("<html><p>x</html>", "", "no type"),
        ('{"head":{},"boolean":true}', JSON, "instead of N-Triples"),
        ('<!DOCTYPE r [<!ENTITY a "a">]><r>&a;</r>', RDF_XML, "document type"),
        ('<!DOCTYPE r SYSTEM "http://127.0.0.1:9/x"><r/>', RDF_XML, "document type"),
        ("<a>" * 100_000, RDF_XML, "too deeply"),
        (f"<rdf:RDF {RDF}><rdf:Description rdf:about='http://e/s'>", RDF_XML, "cut off"),
        ("<html><p>Sign in</html>", RDF_XML, "cut off"),
        (f"<rdf:RDF {RDF}><rdf:Description rdf:ID='a b'/></rdf:RDF>", RDF_XML, "malformed"),
        ('{"@id":"http://e/a","http://e/p":' * 90 + "1" + "}" * 90, JSON_LD, "too deeply"),
        ("[" * 200_000, JSON_LD, "cut off"),
        ('{"@context":"http://127.0.0.1:9/c","@id":"http://e/a"}', JSON_LD, "not fetched"),
        ('{"@context":[{},"http://127.0.0.1:9/c"],"@id":"http://e/a"}', JSON_LD, "not fetched"),
        ('{"@context":{"@import":"http://127.0.0.1:9/c"}}', JSON_LD, "not fetched"),
        ('[{"@context":{"p":"http://e/p"},"p":1}]', JSON_LD, "contexts within"),
        ('{"@context":{"T":{"@id":"urn:T","@context":{}}}}', JSON_LD, "contexts within"),
        ('"a text"', JSON_LD, "no JSON-LD"),
        ('{"@id":"http://e/s","http://e/p":', JSON_LD, "cut off"),
        ("\xff\xfe", NT, "cut off"),
    ],
)
def test_what_holds_no_triples_is_an_error(body, kind, why, hostile) -> None:
    headers = {"Content_Type": kind} if kind else {}
    url = hostile.on("s", lambda x: x.answer(body.encode("latin-1"), **headers))
    with pytest.raises(UnavailableError, match=why):
        run(url)


def test_triple_terms_and_directions_come_whole(hostile) -> None:
    held = "<<( <http://e/a> <http://e/b> <http://e/c> )>>"
    body = f'<http://e/s> <http://e/p> {held} .\n<http://e/s> <http://e/q> "x"@ar--rtl .'
    found = run(hostile.on("s", lambda x: x.answer(body, Content_Type=NT)))
    values = [triple[2] for triple in found.triples]
    assert [(one.kind, one.n3()) for one in values] == [
        ("triple", held), ("literal", '"x"@ar--rtl'),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (LINES, "text/plain"),
        (LINES, ""),
        ("\ufeff" + LINES, TURTLE),
        ("\ufeff" + LINES, "application/octet-stream"),
        (LINES, "text/n3"),
        (LINES, "application/n-quads"),
        (LINES, "application/trig"),
        ("@prefix e: <http://e/> . { e:s e:p 1 } <urn:g> { e:s e:q 2 }", "application/trig"),
        ("PREFIX e: <http://e/> e:s e:p 1 .", "text/plain"),
        (f"<?xml version='1.0'?><rdf:RDF {RDF}><rdf:Description rdf:about='http://e/s' "
         "xmlns:e='http://e/' e:p='1'/></rdf:RDF>", "text/xml"),
        ('[{"@id":"http://e/s","http://e/p":1}]', "application/json"),
        ('{"@id":"http://e/s","http://e/p":1}', ""),
    ],
)  # fmt: skip
def test_any_format_of_rdf_is_read_also_where_the_server_does_not_name_it(
    body, kind, hostile
) -> None:
    headers = {"Content_Type": kind} if kind else {}
    url = hostile.on("s", lambda x: x.answer(body.encode("utf-8"), **headers))
    assert run(url).triples


def test_prefixes_do_not_expand_without_bound(hostile) -> None:
    # 1 MB of prefix, named three times in every eleven bytes that follow; those that come again
    # cost as much as those that are new.
    prefix = f"@prefix p: <http://e/{'x' * 1_000_000}> . "
    hostile.on("same", lambda x: x.answer(prefix + "p: p: p:a . " * 200_000, Content_Type=TURTLE))
    new = prefix + "".join(f"p: p: p:{n} . " for n in range(1000))
    hostile.on("new", lambda x: x.answer(new, Content_Type=TURTLE))
    # Of this process, whatever else the machine does.
    started = time.process_time()
    for path in ("same", "new"):
        with pytest.raises(LimitError, match="too large to hold"):
            run(f"{hostile.url}/{path}", timeout=60)
    assert time.process_time() - started < 5


def test_as_many_triples_as_can_be_held(hostile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote_exchange, "MAX_TRIPLES", 20)
    url = hostile.on("s", lambda x: x.answer(LINES, Content_Type=NT))
    assert len(run(url).triples) == 20
    more = LINES + "<http://e/a> <http://e/b> 'c' .\n".replace("'", '"')
    with pytest.raises(LimitError):
        run(hostile.on("more", lambda x: x.answer(more, Content_Type=NT)))
    assert not run(hostile.url + "/more", max_rows=20).complete


def test_virtuoso_is_told_how_to_describe(hostile) -> None:
    def handler(exchange) -> None:
        if b"ASK" in exchange.body:
            server = {"Server": "Virtuoso/07.20"} if b"unknown" in exchange.request else {}
            exchange.answer('{"head":{},"boolean":true}', Content_Type=JSON, **server)
        else:
            exchange.answer(LINES, Content_Type=NT)

    url = hostile.on("s", handler)

    def sent(text: str, dialect: str, form="describe", which="?known") -> str:
        exchanges: list[Exchange] = []
        query = GatedQuery(text, Verdict(form, (), 50, 51))
        run(url + which, query, graph={"dialect": dialect}, exchanges=exchanges)
        return exchanges[0].query

    plain = "DESCRIBE <http://e/s>"
    assert sent(plain, "virtuoso") == f'DEFINE sql:describe-mode "CBD"\n{plain}'
    assert sent(plain, "generic") == plain
    # One that was not described is first asked next to nothing, to see what it is.
    assert sent(plain, "generic", which="?unknown").startswith("DEFINE")
    chosen = f'DEFINE sql:describe-mode "SPO" {plain}'
    assert sent(chosen, "virtuoso") == chosen
    assert sent(str(CONSTRUCT), "virtuoso", "construct") == str(CONSTRUCT)


# --- exchanges -------------------------------------------------------------------------------


def test_an_exchange_is_told_of_whatever_becomes_of_it(hostile) -> None:
    exchanges: list[Exchange] = []
    hostile.on("good", lambda x: x.answer(LINES, Content_Type=NT))
    hostile.on("bad", lambda x: x.answer("no such function", "400 Bad Request"))
    hostile.on("html", lambda x: x.answer("<html>", Content_Type="text/html; charset=utf-8"))
    run(hostile.url + "/good", exchanges=exchanges)
    with pytest.raises(InputError):
        run(hostile.url + "/bad", exchanges=exchanges)
    with pytest.raises(UnavailableError):
        run(hostile.url + "/html", exchanges=exchanges)
    assert [x.status for x in exchanges] == [200, 400, 200]
    assert [x.content_type for x in exchanges] == [NT, "", "text/html"]
    assert exchanges[0].body == LINES.encode()
    assert exchanges[0].size == len(LINES)
    assert exchanges[1].body == b"no such function"
    assert not any(x.cut or x.out_of_time or x.row_limit for x in exchanges)


def test_an_exchange_says_what_the_server_said_of_its_answer(hostile) -> None:
    exchanges: list[Exchange] = []
    table = '{"head":{"vars":[]},"results":{"bindings":[]}}'
    headers = {"X_SQL_State": "S1TAT", "X_SPARQL_MaxRows": "7"}
    url = hostile.on("s", lambda x: x.answer(table, Content_Type=JSON, **headers))
    select = CompiledQuery("SELECT * {}")
    run(url, select, verb="select", exchanges=exchanges)
    assert (exchanges[0].out_of_time, exchanges[0].row_limit) == (True, 7)


def test_a_body_that_was_cut_says_so(hostile) -> None:
    exchanges: list[Exchange] = []
    hostile.on("s", lambda x: x.answer(LINES, Content_Type=NT))
    with pytest.raises(LimitError):
        run(hostile.url + "/s", exchanges=exchanges, graph={"max_bytes": 100})
    [seen] = exchanges
    assert (seen.body, seen.size, seen.cut) == (LINES.encode()[:100], len(LINES), True)
    long = LINES * (KEPT_BYTES // len(LINES) + 1)
    hostile.on("long", lambda x: x.answer(long, Content_Type=NT))
    run(hostile.url + "/long", exchanges=exchanges, graph={"max_bytes": 2 * KEPT_BYTES})
    assert (len(exchanges[1].body), exchanges[1].size) == (KEPT_BYTES, len(long))
    assert exchanges[1].cut


@pytest.mark.parametrize("credentials", [("alice", "correct horse"), "token-of-alice"])
def test_credentials_that_come_back_are_hidden(credentials, hostile) -> None:
    exchanges: list[Exchange] = []
    told = b"\n" + " ".join(credentials[1:] if isinstance(credentials, tuple) else []).encode()
    hostile.on("s", lambda x: x.answer(x.request + told, "500 Failed", Content_Type="text/plain"))
    with pytest.raises(UnavailableError) as failure:
        run(
            hostile.url + "/s?apikey=k-123456&x=1",
            exchanges=exchanges,
            graph={"credentials": credentials},
        )
    assert "authorization" in hostile.requests[0].head
    shown = exchanges[0].body.decode() + str(failure.value)
    assert "/s?apikey=***&x=1" in shown
    for secret in ("correct horse", "YWxpY2U6", "token-of-alice", "k-123456"):
        assert secret not in shown


def test_the_url_is_shown_without_secrets() -> None:
    graph = RemoteGraph("https://example.org/sparql?apikey=k-123456", GuardedClient())
    assert graph.url == "https://example.org/sparql?apikey=***"


def test_a_probe_is_no_exchange_of_the_query(hostile) -> None:
    exchanges: list[Exchange] = []

    def handler(exchange) -> None:
        if b"ASK" in exchange.body:
            exchange.answer('{"head":{},"boolean":true}', Content_Type=JSON)
        elif len(hostile.requests) == 1:
            exchange.pause(20)
        else:
            exchange.answer(LINES, Content_Type=NT)

    url = hostile.on("s", handler)

    async def ask() -> None:
        client = GuardedClient(RequestPolicy.naming(url))
        graph = RemoteGraph(url, client)
        with pytest.raises(DeadlineError):
            await graph.triples(CONSTRUCT, timeout=0.5, observer=exchanges.append)
        assert exchanges == []
        await graph.triples(CONSTRUCT, observer=exchanges.append)
        await client.aclose()

    asyncio.run(ask())
    assert len(hostile.requests) == 3
    assert [x.query for x in exchanges] == [str(CONSTRUCT)]
