"""The gate on its own list of attacks: what must be refused, for what reason, and what not."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pyoxigraph as ox
import pytest

from groundwire.errors import ForbiddenError, GroundwireError, InputError, LimitError
from groundwire.graph.engine import LocalGraph
from groundwire.graph.gate import SCHEMA_GRAPH, SCHEMA_POLICY, Policy, check
from groundwire.graph.layout import DATABASE, QUADS
from groundwire.graph.lexer import tokenize
from groundwire.graph.queries import CompiledQuery
from groundwire.graph.syntax import accept_by_engine
from groundwire.graph.terms import iri

OPEN = Policy(allowed_graphs=None)
SH = "PREFIX sh: <http://www.w3.org/ns/shacl#> "
S = "<http://127.0.0.1:{port}/sparql>"

# Every way to write a SERVICE that was thought of; {s} is the address of a listening socket.
DISGUISES = {
    "plain": "SELECT * { SERVICE {s} { ?s ?p ?o } }",
    "silent": "SELECT * { SERVICE SILENT {s} { ?s ?p ?o } }",
    "lower case": "SELECT * { service {s} { ?s ?p ?o } }",
    "mixed case, glued": "SELECT*{sErViCe{s}{?s ?p ?o}}",
    "variable": "SELECT * { VALUES ?x { {s} } SERVICE ?x { ?s ?p ?o } }",
    "bound variable": "SELECT * { BIND({s} AS ?x) SERVICE ?x { ?s ?p ?o } }",
    "computed variable": 'SELECT * { BIND(IRI(CONCAT("http://127.0.0.1:", "1")) AS ?x) '
    "SERVICE ?x { ?s ?p ?o } }",
    "prefixed name": "PREFIX e: <http://127.0.0.1:{port}/> SELECT * { SERVICE e:x { ?s ?p ?o } }",
    "base": "BASE <http://127.0.0.1:{port}/> SELECT * { SERVICE <x> { ?s ?p ?o } }",
    "in EXISTS": "SELECT * { ?s ?p ?o FILTER EXISTS { SERVICE {s} { ?s ?p ?o } } }",
    "in NOT EXISTS": "SELECT * { ?s ?p ?o FILTER NOT EXISTS { SERVICE {s} { ?s ?p ?o } } }",
    "in EXISTS in BIND": "SELECT * { BIND(EXISTS { SERVICE {s} { ?s ?p ?o } } AS ?x) }",
    "in EXISTS in IF": "SELECT (IF(EXISTS { SERVICE {s} { ?a ?b ?c } }, 1, 2) AS ?x) { }",
    "in EXISTS in ORDER BY": "SELECT * { ?s ?p ?o } ORDER BY (EXISTS { SERVICE {s} { ?a ?b ?c } })",
    "in EXISTS in HAVING": "SELECT ?s { ?s ?p ?o } GROUP BY ?s "
    "HAVING (EXISTS { SERVICE {s} { ?s ?p ?o } })",
    "in an aggregate": "SELECT (SUM(IF(EXISTS { SERVICE {s} { ?a ?b ?c } }, 1, 0)) AS ?n) { }",
    "in OPTIONAL": "SELECT * { OPTIONAL { SERVICE {s} { ?s ?p ?o } } }",
    "in MINUS": "SELECT * { ?s ?p ?o MINUS { SERVICE {s} { ?s ?p ?o } } }",
    "in UNION": "SELECT * { { ?s ?p ?o } UNION { SERVICE {s} { ?s ?p ?o } } }",
    "in GRAPH": "SELECT * { GRAPH ?g { SERVICE {s} { ?s ?p ?o } } }",
    "in a sub-query": "SELECT * { { SELECT * { { SELECT * { SERVICE {s} { ?s ?p ?o } } } } } }",
    "in an OPTIONAL's FILTER": "SELECT * { OPTIONAL { ?s ?p ?o "
    "FILTER EXISTS { SERVICE {s} { ?s ?p ?o } } } }",
    "in LATERAL": "SELECT * { ?s ?p ?o LATERAL { SERVICE {s} { ?s ?p ?o } } }",
    "in ASK": "ASK { SERVICE {s} { ?s ?p ?o } }",
    "in CONSTRUCT": "CONSTRUCT { ?s ?p ?o } WHERE { SERVICE {s} { ?s ?p ?o } }",
    "in DESCRIBE": "DESCRIBE ?s WHERE { SERVICE {s} { ?s ?p ?o } }",
    "short escape": "SELECT * { \\u0053ERVICE {s} { ?s ?p ?o } }",
    "long escape": "SELECT * { \\U00000053\\u0045RVICE {s} { ?s ?p ?o } }",
    "all escaped": "SELECT * { \\u0053\\u0045\\u0052\\u0056\\u0049\\u0043\\u0045 {s} {} }",
    "escape of an escape": "SELECT * { \\u005Cu0053ERVICE {s} { ?s ?p ?o } }",
    "split by a comment": "SELECT * { SERVICE # {\n {s} { ?s ?p ?o } }",
    "comment ended by a return": "SELECT * { # } \r SERVICE {s} { ?s ?p ?o } }",
    "comment ended by an escape": "SELECT * { # \\u000A SERVICE {s} { ?s ?p ?o } \n }",
    "escape read as eight digits": "SELECT * { VALUES ?x { 1 # \\u000A0000 \n} "
    "SERVICE {s} { ?s ?p ?o } }",
    "hash in an IRI": "SELECT * { ?s <http://e/#> ?o . SERVICE {s} { ?s ?p ?o } }",
    "hash in a string": 'SELECT * { ?s ?p "#" . SERVICE {s} { ?s ?p ?o } }',
    "after a long string": 'SELECT * { ?s ?p """"x"" #""" . SERVICE {s} { ?s ?p ?o } }',
    "after an escaped quote": "SELECT * { ?s ?p 'it\\'s # ' . SERVICE {s} { ?s ?p ?o } }",
    "string closed by an escape": 'SELECT * { ?s ?p "a\\u0022 . SERVICE {s} { ?a ?b ?c } #" }',
    "after a trailing VALUES": "SELECT * { SERVICE {s} { ?s ?p ?o } } VALUES ?s { 1 }",
    "second query": "SELECT * { } SELECT * { SERVICE {s} { ?s ?p ?o } }",
    "form feed": "SELECT * { SERVICE\x0c{s} { ?s ?p ?o } }",
    "no-break space": "SELECT * { SERVICE\u00a0{s} { ?s ?p ?o } }",
    "byte order mark": "SELECT * { \ufeffSERVICE {s} { ?s ?p ?o } }",
    "dotless and full-width letters": "SELECT * { \uff33ERVICE {s} { ?s ?p ?o } }",
    "an update": "INSERT { ?s ?p ?o } WHERE { SERVICE {s} { ?s ?p ?o } }",
}


@pytest.fixture
def canary() -> Iterator[tuple[int, list[object]]]:
    """The port of a listening socket, and every connection that it got."""
    listener = socket.create_server(("127.0.0.1", 0))
    connections: list[object] = []

    def accept() -> None:
        while True:
            try:
                connection, peer = listener.accept()
            except OSError:
                return
            connections.append(peer)
            connection.close()

    thread = threading.Thread(target=accept)
    thread.start()
    yield listener.getsockname()[1], connections
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()
    thread.join()


def addressed(disguise: str, port: int) -> str:
    return disguise.replace("{s}", S).replace("{port}", str(port))


@pytest.mark.parametrize("name", DISGUISES)
def test_no_disguise_of_service_gets_through(name: str) -> None:
    for policy in (OPEN, SCHEMA_POLICY):
        with pytest.raises((ForbiddenError, InputError)):
            check(addressed(DISGUISES[name], 9), policy)


def test_service_by_its_plain_name_is_called_by_it() -> None:
    with pytest.raises(ForbiddenError, match="SERVICE"):
        check(addressed(DISGUISES["in EXISTS"], 9), OPEN)


@pytest.mark.parametrize("on_disk", [False, True])
async def test_nobody_calls_the_canary(
    canary: tuple[int, list[object]],
    people_store: Path,
    tmp_path: Path,
    on_disk: bool,
) -> None:
    port, connections = canary
    folder = people_store
    if on_disk:
        folder = tmp_path
        database = ox.Store(str(folder / DATABASE))
        database.bulk_load(path=str(people_store / QUADS), format=ox.RdfFormat.N_QUADS)
        del database
    people = LocalGraph(folder)
    for disguise in DISGUISES.values():
        with pytest.raises((ForbiddenError, InputError)):
            check(addressed(disguise, port), OPEN)
    # Past the gate the engine's parser only reads, and a worker cannot open a socket.
    for disguise in DISGUISES.values():
        text = addressed(disguise, port)
        try:
            accept_by_engine(text)
        except InputError:
            continue
        for verb in (people.select, people.ask, people.triples):
            try:
                await verb(CompiledQuery(text), timeout=5)
            except GroundwireError:
                continue
    await people.close()
    # Connections are accepted in the order in which they came, so ours is behind all others.
    socket.create_connection(("127.0.0.1", port)).close()
    end = time.monotonic() + 60
    while not connections and time.monotonic() < end:
        time.sleep(0.01)
    assert len(connections) == 1, "the canary itself listens, and nothing else called it"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


pytestmark = pytest.mark.anyio

# Text, the policy, the error, and what its message names.
REFUSED = {
    "insert": ("INSERT DATA { <a:b> <a:b> 1 }", OPEN, ForbiddenError, "INSERT"),
    "delete": ("DELETE WHERE { ?s ?p ?o }", OPEN, ForbiddenError, "DELETE"),
    "load": ("LOAD <file:///etc/passwd>", OPEN, ForbiddenError, "LOAD"),
    "clear": ("PREFIX e: <a:b> CLEAR ALL", OPEN, ForbiddenError, "CLEAR"),
    "drop after a comment": ("# SELECT\nDROP ALL", OPEN, ForbiddenError, "DROP"),
    "with": ("WITH <a:g> DELETE { ?s ?p ?o } WHERE { }", OPEN, ForbiddenError, "WITH"),
    "update after a query": ("SELECT * { } ; DROP ALL", OPEN, InputError, "well-formed"),
    "two queries": ("SELECT * { } SELECT * { }", OPEN, InputError, "well-formed"),
    "from": ("SELECT * FROM <http://e/x> { }", Policy(), ForbiddenError, "<http://e/x>"),
    "from a file": ("SELECT * FROM <file:///etc/passwd> { }", Policy(), ForbiddenError, "passwd"),
    "from named": ("SELECT * FROM NAMED <http://e/x> { }", Policy(), ForbiddenError, "e/x"),
    "from by prefix": (
        "PREFIX e: <http://e/> SELECT * FROM e:x { }",
        SCHEMA_POLICY,
        ForbiddenError,
        "<http://e/x>",
    ),
    "graph": ("SELECT * { GRAPH <http://e/x> { } }", SCHEMA_POLICY, ForbiddenError, "e/x"),
    "graph in exists": (
        "SELECT * { FILTER EXISTS { GRAPH <http://e/x> { ?s ?p ?o } } }",
        SCHEMA_POLICY,
        ForbiddenError,
        "e/x",
    ),
    "graph by base": (
        "BASE <http://e/> SELECT * { GRAPH <x> { ?s ?p ?o } }",
        SCHEMA_POLICY,
        ForbiddenError,
        "http://e/x",
    ),
    "any graph": ("SELECT * { GRAPH ?g { ?s ?p ?o } }", Policy(), ForbiddenError, "GRAPH"),
    "ask": ("ASK { }", SCHEMA_POLICY, ForbiddenError, "ASK"),
    "construct": ("CONSTRUCT WHERE { ?s ?p ?o }", SCHEMA_POLICY, ForbiddenError, "CONSTRUCT"),
    "describe": ("DESCRIBE <http://e/x>", SCHEMA_POLICY, ForbiddenError, "DESCRIBE"),
    "function": ("SELECT (<http://e/f>(1) AS ?x) { }", OPEN, ForbiddenError, "<http://e/f>"),
    "function in filter": (
        "PREFIX e: <http://e/> SELECT * { FILTER e:f(1) }",
        OPEN,
        ForbiddenError,
        "<http://e/f>",
    ),
    "function in exists in a sub-query": (
        "PREFIX e: <http://e/> SELECT * { { SELECT * { FILTER EXISTS { BIND(e:f(1) AS ?x) } } } }",
        OPEN,
        ForbiddenError,
        "<http://e/f>",
    ),
    "function that looks like a cast": (
        "PREFIX xsd: <http://www.w3.org/2001/XMLSchema> SELECT (xsd:integer(1) AS ?x) { }",
        OPEN,
        ForbiddenError,
        "XMLSchemainteger",
    ),
    "custom aggregate": (
        "SELECT (<http://e/agg>(DISTINCT ?s) AS ?x) { ?s ?p ?o }",
        OPEN,
        ForbiddenError,
        "e/agg",
    ),
    "bif": (
        'SELECT (bif:http_get("http://127.0.0.1/") AS ?x) { }',
        OPEN,
        ForbiddenError,
        "bif:http_get",
    ),
    "bif, declared": (
        'PREFIX bif: <bif:> SELECT * { ?s ?p ?o FILTER bif:contains(?o, "x") }',
        OPEN,
        ForbiddenError,
        "bif:contains",
    ),
    "bif as an IRI": ("SELECT (<bif:http_get>(1) AS ?x) { }", OPEN, ForbiddenError, "bif:"),
    "bif as a predicate": ('SELECT * { ?o bif:contains "x" }', OPEN, InputError, "bif:"),
    "sql": ("SELECT (sql:rnk_scale(1) AS ?x) { }", OPEN, ForbiddenError, "sql:"),
    "define": ('DEFINE input:inference "x" SELECT * { }', OPEN, ForbiddenError, "DEFINE"),
    "define sponge": ('define get:soft "soft" SELECT * { }', OPEN, ForbiddenError, "define"),
    "option": (
        "SELECT * { ?s ?p ?o OPTION (TRANSITIVE) }",
        OPEN,
        ForbiddenError,
        "OPTION",
    ),
    "length": ("SELECT * { } #" + "x" * 9000, OPEN, LimitError, "characters"),
    "brackets": ("SELECT * " + "{" * 40 + "}" * 40, OPEN, LimitError, "nested"),
    "parentheses": ("SELECT * { FILTER" + "(" * 900 + "1" + ")" * 900 + "}", OPEN, LimitError, ""),
    "square brackets": ("SELECT * { ?s ?p " + "[" * 900 + "]" * 900 + "}", OPEN, LimitError, ""),
    "patterns": ("SELECT * { " + "?s ?p ?o . " * 61 + "}", OPEN, LimitError, "patterns"),
    "many patterns": ("SELECT * { " + "?s ?p ?o . " * 250 + "}", OPEN, InputError, "nested"),
    "values": ("SELECT * { VALUES ?x { " + "1 " * 501 + "} }", OPEN, LimitError, "VALUES"),
    "in": ("SELECT * { FILTER(1 IN (1" + ",1" * 501 + ")) }", OPEN, LimitError, "IN"),
    "tokens": ("SELECT * { FILTER(1" + "+1" * 1500 + ") }", OPEN, LimitError, "terms"),
    "nothing": (" # nothing\n", OPEN, InputError, "no query"),
    "prefix only": ("PREFIX e: <http://e/>", OPEN, InputError, "no query"),
    "prose": ("Please list all shapes!", OPEN, InputError, ""),
    "a fence": ("```sparql\nSELECT * { }\n```", OPEN, InputError, "Line 1"),
    "undeclared prefix": ("SELECT * { ?s sh:path ?o }", OPEN, InputError, "PREFIX sh:"),
    "open string": ('SELECT * { ?s ?p "x }', OPEN, InputError, "Line 1"),
    "open bracket": ("SELECT * { ?s ?p ?o", OPEN, InputError, "well-formed"),
    "nul": ("SELECT * { ?s ?p \x00 }", OPEN, InputError, "control"),
    "surrogate": ("SELECT * { ?s ?p \ud800 }", OPEN, InputError, "control"),
    "escaped nul": ("SELECT * { ?s ?p \\u0000 }", OPEN, InputError, "control"),
    "escape beyond unicode": ("SELECT * { \\UFFFFFFFF }", OPEN, InputError, "no character"),
    "triple term that does not end": ("SELECT * { <<( ?s ?p ?o }", OPEN, GroundwireError, ""),
    "escape in a name": ("SELECT * { ?s e:\\u0061 ?o }", OPEN, InputError, ""),
    "limit without a number": ("SELECT * { } LIMIT ?n", OPEN, InputError, "LIMIT"),
    "two limits": ("SELECT * { } LIMIT 1 LIMIT 2", OPEN, InputError, "well-formed"),
    "limit in values": ("SELECT * { } VALUES ?x { 1 } LIMIT 1", OPEN, InputError, "well-formed"),
    "negative limit": ("SELECT * { } LIMIT -1", OPEN, InputError, "LIMIT"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_the_reason(name: str) -> None:
    text, policy, kind, reason = REFUSED[name]
    for _ in range(2):  # the second time from what the gate remembers
        with pytest.raises(kind) as caught:
            check(text, policy)
        assert reason in str(caught.value)
        assert "\n" not in str(caught.value)


def test_there_are_enough_attacks() -> None:
    assert len(DISGUISES) + len(REFUSED) >= 60


@pytest.mark.parametrize(
    ("text", "limit", "end"),
    [
        ("SELECT * { ?s ?p ?o }", 51, "} LIMIT 51"),
        ("SELECT * { ?s ?p ?o } # LIMIT 3", 51, "} LIMIT 51"),
        ("SELECT * { ?s ?p ?o } LIMIT 7", 7, "LIMIT 7"),
        ("SELECT * { ?s ?p ?o } limit 50", 50, "limit 50"),
        ("SELECT * { ?s ?p ?o } LIMIT 0", 0, "LIMIT 0"),
        ("SELECT * { ?s ?p ?o } LIMIT 9999999999999999999999999", 51, "LIMIT 51"),
        ("SELECT * { ?s ?p ?o } OFFSET 5", 51, "OFFSET 5 LIMIT 51"),
        ("SELECT * { ?s ?p ?o } LIMIT 900 OFFSET 5", 51, "LIMIT 51 OFFSET 5"),
        ("SELECT * { ?s ?p ?o } OFFSET 5 LIMIT 900", 51, "OFFSET 5 LIMIT 51"),
        ("SELECT * { ?s ?p ?o } ORDER BY ?s", 51, "ORDER BY ?s LIMIT 51"),
        ("SELECT * { ?s ?p ?o } VALUES ?s { 1 }", 51, "LIMIT 51 VALUES ?s { 1 }"),
        ("SELECT * { ?s ?p ?o }VALUES?s{1}", 51, "LIMIT 51 VALUES?s{1}"),
        ("SELECT * { { SELECT * { ?s ?p ?o } LIMIT 900 } }", 51, "LIMIT 900 } } LIMIT 51"),
        ('SELECT * { ?s ?p "LIMIT 3" }', 51, '"LIMIT 3" } LIMIT 51'),
        ("SELECT * { ?s ?limit ?o }", 51, "?o } LIMIT 51"),
    ],
)
def test_the_limit_is_lowered_or_added(text: str, limit: int, end: str) -> None:
    query = check(text, SCHEMA_POLICY)
    assert query.endswith(end)
    assert query.verdict.limit == limit
    assert check(query, SCHEMA_POLICY).verdict == query.verdict, "the result passes as it is"


@pytest.mark.parametrize(
    "text",
    [
        SH + "SELECT DISTINCT ?c { ?shape a sh:NodeShape ; sh:targetClass ?c } ORDER BY ?c",
        SH + "SELECT ?s (COUNT(?p) AS ?n) { ?s sh:property/sh:path ?p } GROUP BY ?s HAVING(?n > 1)",
        SH + "SELECT * { ?s sh:in/(<http://e/rest>*)/<http://e/first> ?v FILTER(?v != 'a\\'b') }",
        SH + "SELECT * { GRAPH <urn:graph:schema> { ?s sh:path ?p } }",
        "SELECT * { GRAPH ?g { ?s ?p ?o } }",
        "SELECT * FROM <urn:graph:schema> { ?s ?p ?o }",
        "SELECT * FROM NAMED <urn:graph:schema> { GRAPH ?g { ?s ?p ?o } }",
        "SELECT * { ?s ?p ?o FILTER(?o > -1.5 && ?o < 2.5e3 || ?o IN (1, 2)) }",
        "SELECT * { ?s ?p ?o FILTER(<http://www.w3.org/2001/XMLSchema#integer>(?o) = 1) }",
        "SELECT * { ?s ?p ?o FILTER regex(str(?o), '^(a+)+$', 'i') }",
        'SELECT * { ?s ?p "SERVICE <http://e/> { } # ; DROP ALL" }',
        "SELECT ?service { ?service <http://e/service> <http://e/SERVICE> }",
        "PREFIX service: <http://e/> SELECT * { ?s service:service service:SERVICE }",
        'SELECT * { ?s ?p \'\'\'a """ b\n c\'\'\' , """d \'\'\' e""" , ""@zh-Hans }',
        "SELECT * { ?s ?p ?o FILTER(?s<?o) }",
        "SELECT * { ?s <http://e/\\u00e9\u4e2d> \u0022\\u4e2d\u0022 }",
    ],
)
def test_ordinary_queries_on_the_schema_pass(text: str) -> None:
    assert check(text, SCHEMA_POLICY).verdict.form == "select"


def test_what_is_known_of_a_query() -> None:
    query = check("SELECT ?s (1 AS ?one) FROM <urn:g> FROM NAMED <urn:h> { ?s ?p ?o }", OPEN)
    assert query.verdict.columns == ("s", "one")
    assert (query.verdict.default_graphs, query.verdict.named_graphs) == (("urn:g",), ("urn:h",))
    assert check("SELECT * { ?s ?p ?o }", OPEN).verdict.columns == ()
    assert check("ASK { ?s ?p ?o }", OPEN).verdict.limit is None


def test_a_string_is_written_in_one_notation() -> None:
    texts = ["'''a\"\\'b\nc'''", '"""a\\"\'b\nc"""', '"a\\"\'b\\nc"', "'a\"\\'b\\nc'"]
    assert {tokenize(text)[0].text for text in texts} == {'"a\\"\'b\\nc"'}


async def test_the_policy_chooses_the_graphs(tmp_path: Path) -> None:
    from groundwire.graph.formats import Source
    from groundwire.graph.stores import build_store

    (tmp_path / "shapes.ttl").write_text("<urn:shape> <urn:p> 1 .")
    (tmp_path / "assets.ttl").write_text("<urn:asset> <urn:p> 2 .")
    sources = [
        Source(tmp_path / "shapes.ttl", SCHEMA_GRAPH),
        Source(tmp_path / "assets.ttl", ""),
    ]
    graph = LocalGraph(build_store(sources, tmp_path / "stores").path)
    try:
        for text in (
            "SELECT ?s { ?s ?p ?o }",
            "SELECT ?s { GRAPH ?g { ?s ?p ?o } }",
            "SELECT ?s FROM <urn:graph:schema> { ?s ?p ?o }",
        ):
            found = await graph.select(check(text, SCHEMA_POLICY))
            assert found.rows == [(iri("urn:shape"),)], text
        everything = CompiledQuery("SELECT ?s { ?s ?p ?o }")
        assert (await graph.select(everything)).rows == [(iri("urn:asset"),)]
        # A caller cannot widen what the gate allowed.
        wider = check("SELECT ?s { ?s ?p ?o }", SCHEMA_POLICY)
        assert (await graph.select(wider, default_graphs=[""])).rows == []
    finally:
        await graph.close()


async def test_fifty_rows_are_told_from_more(people: LocalGraph) -> None:
    policy = Policy(max_rows=50)
    numbers = "SELECT ?n { ?n <http://example.org/n> ?v FILTER(?v < %d) }"
    for there, shown, complete in ((49, 49, True), (50, 50, True), (51, 50, False)):
        found = await people.select(check(numbers % there, policy))
        assert (len(found.rows), found.complete) == (shown, complete)


RUNAWAY = {
    "cartesian product": "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } ORDER BY ?c ?f ?i",
    "count of a product": "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }",
    "distinct of a product": "SELECT DISTINCT ?c ?f ?i { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } "
    "ORDER BY ?c",
    "open paths": "SELECT * { ?s (!<urn:x>|^!<urn:x>)* ?o . ?p (!<urn:x>|^!<urn:x>)* ?q . "
    "?q (!<urn:x>|^!<urn:x>)* ?r } ORDER BY ?s ?r",
    "growing string": "SELECT * { ?s ?p ?o BIND(STR(?p) AS ?x0) "
    + "".join(f"BIND(CONCAT({', '.join([f'?x{n}'] * 20)}) AS ?x{n + 1}) " for n in range(8))
    + "FILTER(STRLEN(?x8) = 1) }",
    "rows for nothing": "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER(?c + ?f + ?i = 0.5) }",
}


@pytest.mark.parametrize("name", RUNAWAY)
async def test_a_runaway_query_is_cut_off_and_the_next_answered(
    name: str, people_store: Path, on_time
) -> None:
    graph = LocalGraph(people_store, memory=512 << 20)
    try:
        await graph.warm()
        for _ in on_time(2):
            with pytest.raises(GroundwireError):
                await graph.select(check(RUNAWAY[name], OPEN), timeout=0.4)
        quick = check("SELECT ?o { <http://example.org/bob> <http://example.org/name> ?o }", OPEN)
        assert [term.value for (term,) in (await graph.select(quick)).rows if term] == ["Bob"]
    finally:
        await graph.close()


LONGEST = """
import time
from groundwire.errors import GroundwireError
from groundwire.graph.gate import Policy, check

def nested(before, opening, closing, after):
    return lambda n: before + opening * n + "1" + closing * n + after

def repeated(before, part, after):
    return lambda n: before + part * n + after

SHAPES = [
    repeated("SELECT * { FILTER(1", "+1", ") }"),
    repeated("SELECT * { FILTER(1", "&&1", ") }"),
    repeated("SELECT * { ?s <a:b>", "/<a:b>", " ?o }"),
    repeated("SELECT * { ?s <a:b>", "|<a:b>", " ?o }"),
    repeated("SELECT * { {}", "UNION{}", " }"),
    repeated("SELECT * { ", "OPTIONAL{}", " }"),
    repeated("SELECT * { ", "?s ?p ?o.", " }"),
    repeated("SELECT * { ?s ?p ?o", ",?o", " }"),
    repeated("SELECT * { FILTER(", "!", "1) }"),
    nested("SELECT * { FILTER", "(", ")", " }"),
    nested("SELECT * { FILTER(", "ABS(", ")", ") }"),
    nested("SELECT * { FILTER(", "IF(1,1,", ")", ") }"),
    nested("SELECT * { ?s ?p ", "(", ")", " }"),
    nested("SELECT * { ?s ?p ", "[?p ", "]", " }"),
    nested("SELECT * { ?s ", "(<a:b>/", "<a:b>)*", " ?o }".replace("1", "")),
    nested("SELECT * { ", "{SELECT * {", "}}", " }"),
    nested("SELECT * { ", "FILTER EXISTS {", "}", " }"),
]
for number, shape in enumerate(SHAPES):
    for size in (4, 6, 8, 12, 15, 30, 55, 100, 240, 490, 660, 990, 1900):
        start = time.process_time()
        try:
            check(shape(size), Policy(allowed_graphs=None))
        except GroundwireError:
            pass
        took = time.process_time() - start
        assert took < 5, (number, size, took)
print("standing")
"""


def test_the_longest_queries_neither_end_nor_stall_the_gate() -> None:
    """Both parsers recurse, and a stack that overflows would end the server."""
    command = [sys.executable, "-c", LONGEST]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.stdout.endswith("standing\n"), (done.returncode, done.stderr[-500:])
