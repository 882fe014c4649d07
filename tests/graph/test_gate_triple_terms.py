"""SPARQL 1.2 from the query to its rows: through the gate, in a local graph, and back."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.errors import GroundwireError
from groundwire.graph.engine import LocalGraph
from groundwire.graph.gate import REMOTE_POLICY, Policy, check
from groundwire.graph.lexer import is_new, reduced, tokenize, write
from groundwire.graph.stores import build_store
from groundwire.sparql.outcome import Outcome, Request
from groundwire.sparql.sparql_runner import SparqlRunner

pytestmark = pytest.mark.anyio

# What is said of a statement, and a text that runs from right to left.
DATA = """
PREFIX e: <http://e/>
e:ann e:knows e:bob {| e:since 1999 ; e:source e:diary |} .
e:ann e:motto "سلام"@ar--rtl , "peace"@en .
GRAPH e:g { e:bob e:knows e:cid . }
"""


@pytest.fixture
async def runner(tmp_path: Path):
    (tmp_path / "said.trig").write_text(DATA, "utf-8")
    graph = LocalGraph(build_store([tmp_path / "said.trig"], tmp_path / "stores").path)
    policy = Policy(allowed_graphs=None, sources=())
    running = SparqlRunner(graph, policy)
    yield running
    await running.close()


async def ask(runner: SparqlRunner, text: str) -> Outcome:
    outcome = await runner.run(Request("sparql", f"PREFIX e: <http://e/>\n{text}", 10, 20))
    assert outcome.status != "error", outcome.reason
    return outcome


async def test_what_is_said_of_a_statement_is_found(runner: SparqlRunner) -> None:
    for text in (
        "SELECT ?year { << e:ann e:knows e:bob >> e:since ?year }",
        "SELECT ?year { e:ann e:knows e:bob {| e:since ?year |} }",
        "SELECT ?year { e:ann e:knows e:bob ~ ?r . ?r e:since ?year }",
        "SELECT ?year { ?r e:since ?year . << e:ann e:knows e:bob ~ ?r >> . }",
        'VERSION "1.2" SELECT ?year { e:ann e:knows ?who {| e:source e:diary ; e:since ?year |} }',
    ):
        outcome = await ask(runner, text)
        assert [cell.value for (cell,) in outcome.rows] == ["1999"], text


async def test_triple_terms_are_values(runner: SparqlRunner) -> None:
    reifies = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies>"
    outcome = await ask(runner, f"SELECT ?t {{ ?r {reifies} ?t FILTER(isTRIPLE(?t)) }}")
    ((term,),) = outcome.rows
    assert term.kind == "triple"
    assert term.n3() == "<<( <http://e/ann> <http://e/knows> <http://e/bob> )>>"
    parts = await ask(
        runner, f"SELECT (SUBJECT(?t) AS ?s) (OBJECT(?t) AS ?o) {{ ?r {reifies} ?t }}"
    )
    assert [cell.value for cell in parts.rows[0]] == ["http://e/ann", "http://e/bob"]
    again = await ask(runner, f"ASK {{ ?r {reifies} {term.n3()} }}")
    assert again.rows == ((True,),)
    made = await ask(runner, "SELECT (TRIPLE(e:a, e:b, 1) AS ?t) { }")
    assert made.rows[0][0].value.endswith('"1"^^<http://www.w3.org/2001/XMLSchema#integer> )>>')


async def test_base_directions_stay(runner: SparqlRunner) -> None:
    outcome = await ask(
        runner, "SELECT ?m (LANGDIR(?m) AS ?d) { e:ann e:motto ?m FILTER(hasLANGDIR(?m)) }"
    )
    ((motto, direction),) = outcome.rows
    assert (motto.language, direction.value) == ("ar--rtl", "rtl")
    assert (await ask(runner, f"ASK {{ ?s e:motto {motto.n3()} }}")).rows == ((True,),)


async def test_hashes_are_functions_like_others(runner: SparqlRunner) -> None:
    outcome = await ask(
        runner,
        'SELECT (MD5("a") AS ?m) (SHA1("a") AS ?s) (SHA256("a") AS ?t) (SHA384("a") AS ?u) '
        '(SHA512("a") AS ?v) { }',
    )
    assert [len(cell.value) for cell in outcome.rows[0]] == [32, 40, 64, 96, 128]


async def test_from_takes_the_graphs_that_are_held(runner: SparqlRunner) -> None:
    held = await ask(runner, "SELECT ?o FROM <http://e/g> { ?s e:knows ?o }")
    assert [cell.value for (cell,) in held.rows] == ["http://e/cid"]
    named = await ask(runner, "SELECT ?g FROM NAMED <http://e/g> { GRAPH ?g { ?s ?p ?o } }")
    assert [cell.value for (cell,) in named.rows] == ["http://e/g"]
    for source in ("http://127.0.0.1:9/x", "http://e/none", "file:///etc/passwd"):
        refused = await ask(runner, f"SELECT * FROM <http://e/g> FROM <{source}> {{ ?s ?p ?o }}")
        assert refused.status == "refused"
        assert f"<{source}>" in refused.reason and "does not hold" in refused.reason
    many = " ".join(f"FROM <urn:g{n}>" for n in range(9))
    assert (await ask(runner, f"SELECT * {many} {{ ?s ?p ?o }}")).status == "refused"


async def test_a_byte_order_mark_before_a_query_is_passed_over(runner: SparqlRunner) -> None:
    outcome = await runner.run(Request("sparql", "\ufeffASK { ?s ?p ?o }", 10, 20))
    assert outcome.rows == ((True,),)


def test_what_stands_for_a_triple_term_keeps_the_rest() -> None:
    text = (
        "SELECT * { ?s ?p <<( ?a ?b ?c )>> , << ?d ?e << ?f ?g ?h >> ~ ?r >> ~ {| ?i ?j |} . "
        "<< ?k ?l ?m >> . FILTER(SUBJECT(?a) = <urn:x>) << ?n ?o ?q >> ?u 'v'@en--ltr "
        "VALUES ?w { <<( <urn:a> <urn:b> 1 )>> } }"
    )
    tokens = tokenize(text)
    assert is_new(tokens)
    simple = reduced(tokens)
    assert not is_new(simple.tokens)
    assert write(simple.tokens) == (
        "SELECT * { ?s ?p ?groundwire_1 , ?groundwire_2 . "
        "?groundwire_3 ?groundwire_4 ?groundwire_5 . FILTER(STR(?a) = <urn:x>) ?groundwire_6 ?u "
        '"v"@en VALUES ?w { <urn:groundwire:triple> } }'
    )
    assert simple.patterns >= 7
    assert not is_new(tokenize("SELECT * { ?s ?p ?o FILTER(?o < 1 || ?o > 2) }"))


def test_annotations_count_as_patterns() -> None:
    many = " ; ".join(f"<urn:p{n}> ?o{n}" for n in range(80))
    with pytest.raises(GroundwireError, match="triple patterns"):
        check(f"SELECT * {{ ?s ?p ?o {{| {many} |}} }}", REMOTE_POLICY)


@pytest.mark.parametrize("text", [
    "SELECT * { ?s ?p <<( ?a ?b FILTER(1) )>> }",
    "SELECT * { ?s ?p ?o {| ?q ?r } GRAPH ?g { |} }",
    "SELECT * { ?s ?p << ?a ?b ?c )>> }",
    "SELECT * { )>> }", "SELECT * { << }", "SELECT * { {| |} }", "SELECT * { ~ }",
    "SELECT * { BIND(<<( <<( ?a ?b ?c )>> ?d ?e )>> AS ?t) }",
    'SELECT * { FILTER(isTRIPLE(<<( "a" <urn:b> ?e )>>)) }',
    "VERSION SELECT * { }", "VERSION", 'VERSION """1.2""" SELECT * { }',
    "SELECT (SUM(COUNT(?x)) AS ?n) { ?x ?y ?z }",
])  # fmt: skip
def test_what_is_no_sparql_12_is_refused(text: str) -> None:
    with pytest.raises(GroundwireError):
        pytest.fail(f"accepted as {check(text, REMOTE_POLICY)}")


def test_a_sub_query_may_count_within_what_is_counted() -> None:
    check(
        "SELECT (SUM(IF(EXISTS { SELECT (COUNT(?y) AS ?n) { ?x ?y ?z } }, 1, 0)) AS ?m) { ?x ?y 1}",
        REMOTE_POLICY,
    )
