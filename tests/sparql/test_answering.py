"""Rows as results show them, and the values that the ledger keeps of them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from decimal import Decimal
from pathlib import Path

import pytest

from groundwire.errors import InputError, NotFoundError, UnavailableError
from groundwire.graph.terms import XSD, Term, iri, literal
from groundwire.sparql.answering import execute_query, proof, shown
from groundwire.sparql.execution import Execution
from groundwire.sparql.opening import Supplies
from groundwire.sparql.workspace import Workspace

pytestmark = pytest.mark.anyio

TURTLE = """
@prefix e: <http://e/> .
e:a a e:Person ; e:name "Ann" ; e:age 31 .
e:b a e:Person ; e:name "Bob" ; e:age 47 .
e:c e:name "Cy" .
"""
REGISTRY = """
default_endpoint = "people"
[[endpoints]]
name = "people"
files = ["people.ttl"]
"""
PEOPLE = (
    "SELECT ?s ?name ?age { ?s <http://e/name> ?name OPTIONAL { ?s <http://e/age> ?age } } "
    "ORDER BY ?name"
)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def people(tmp_path: Path) -> AsyncIterator[Workspace]:
    (tmp_path / "people.ttl").write_text(TURTLE, "utf-8")
    (tmp_path / "endpoints.toml").write_text(REGISTRY, "utf-8")
    space = Workspace(tmp_path / "endpoints.toml", Supplies(tmp_path / "home", (), None))
    yield space
    await space.close()


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        (iri("http://e/a"), "http://e/a"),
        (Term("bnode", "x1"), "_:x1"),
        (literal("007", XSD + "integer"), "007"),
        (Decimal("0.10"), "0.10"),
        (1.5, 1.5),
        (True, True),
        (None, None),
    ],
)
def test_cells_as_json_has_them(cell: object, value: object) -> None:
    assert shown(cell) == value  # type: ignore[arg-type]


async def test_a_row_is_about_its_first_iri_and_is_called_by_its_first_text(
    people: Workspace,
) -> None:
    result, draft = await execute_query(people, Execution("sparql", PEOPLE), "local")
    assert result.rows == [
        ["http://e/a", "Ann", "31"], ["http://e/b", "Bob", "47"], ["http://e/c", "Cy", None],
    ]  # fmt: skip
    ages = [one for one in draft.values if one.name == "age"]
    assert [(one.value, one.kind, one.entity, one.entity_iri) for one in ages] == [
        ("31", "number", "Ann", "http://e/a"),
        ("47", "number", "Bob", "http://e/b"),
    ]
    assert len(draft.values) == 9
    assert draft.audit == {"queries": [result.audit]}
    assert result.audit["endpoint_url"] == "local:people"
    assert [one.iri for one in result.provenance or ()] == [
        "http://e/a",
        "http://e/b",
        "http://e/c",
    ]


async def test_a_later_page_begins_where_the_one_before_ended(people: Workspace) -> None:
    asked = Execution("sparql", PEOPLE)
    page, draft = await execute_query(people, asked, "local", offset=2)
    assert [row[1] for row in page.rows] == ["Cy"]
    assert page.row_count == 3
    assert [one.iri for one in page.provenance or ()] == ["http://e/c"]
    assert len(draft.values) == 9


async def test_a_page_that_is_shortened_keeps_the_links_of_its_rows(people: Workspace) -> None:
    page, _ = await execute_query(people, Execution("sparql", PEOPLE), "local")
    short = page.shortened(1)
    assert (len(short.rows), short.next_offset, short.row_count) == (1, 1, 3)
    assert [one.iri for one in short.provenance or ()] == ["http://e/a"]


async def test_an_export_has_every_row_and_an_unanswered_query_none(
    people: Workspace, tmp_path: Path
) -> None:
    folder = tmp_path / "exports"
    result, _ = await execute_query(people, Execution("sparql", PEOPLE), "local", 0, folder)
    assert Path(result.export_path or "").read_bytes() == (
        b"s,name,age\r\nhttp://e/a,Ann,31\r\nhttp://e/b,Bob,47\r\nhttp://e/c,Cy,\r\n"
    )
    assert result.answer == "3 rows at people, complete. The exported file has 3 rows as CSV."
    refused, draft = await execute_query(
        people, Execution("sparql", "DROP ALL"), "local", 0, folder
    )
    assert (refused.status, refused.export_path) == ("refused", None)
    assert (draft.values, draft.payload) == ((), None)
    assert len(list(folder.iterdir())) == 1
    (tmp_path / "file").write_text("x", "utf-8")
    with pytest.raises(UnavailableError, match="without export"):
        await execute_query(
            people, Execution("sparql", PEOPLE), "local", 0, tmp_path / "file" / "x"
        )


async def test_what_cannot_be_asked_is_an_error_and_no_outcome(people: Workspace) -> None:
    with pytest.raises(InputError, match="no endpoint of the registry does"):
        await execute_query(people, Execution("sql", "SELECT 1"), "local")
    with pytest.raises(NotFoundError, match="nearest is people"):
        await execute_query(people, Execution("sparql", "ASK {}", "peple"), "local")
    with pytest.raises(InputError, match="from 1 to 1,000"):
        await execute_query(people, Execution("sparql", "ASK {}", limit=1001), "local")


def test_the_record_of_several_queries_holds_every_response() -> None:
    from groundwire.sparql.outcome import QueryAudit

    def audit(raw: bytes) -> QueryAudit:
        return QueryAudit("sparql", "ASK {}", "e", "local:e", "", "", None, "complete", "", raw=raw)

    draft = proof([audit(b"one"), audit(b""), audit(b"two")])
    assert draft.payload == b"one\ntwo"
    assert draft.audit is not None
    assert len(draft.audit["queries"]) == 3


async def test_an_ask_is_answered_with_yes_or_no(people: Workspace) -> None:
    yes, _ = await execute_query(people, Execution("sparql", "ASK { ?s <http://e/age> 31 }"), "ada")
    no, _ = await execute_query(people, Execution("sparql", "ASK { ?s <http://e/age> 3 }"), "ada")
    assert (yes.answer, yes.rows) == ("Yes at people: the pattern matches.", [[True]])
    assert (no.answer, no.rows) == ("No at people: nothing matches.", [[False]])


async def test_an_empty_answer_says_which_names_the_graph_does_not_know(people: Workspace) -> None:
    asked = Execution("sparql", "SELECT ?s { ?s <https://e/name> ?name }")
    result, draft = await execute_query(people, asked, "ada")
    assert result.status == "empty"
    assert result.reason == "No predicate <https://e/name> is held here; near: <http://e/name>."
    assert result.answer == f"No row at people: n{result.reason[1:]}"
    assert [value.value for value in draft.values] == [result.reason]
    known = Execution("sparql", 'SELECT ?s { ?s <http://e/name> "Zoe" }')
    result, _ = await execute_query(people, known, "ada")
    assert (result.status, result.reason) == ("empty", None)


async def test_nobody_is_told_to_raise_the_highest_limit(tmp_path: Path) -> None:
    many = "\n".join(f"<http://e/{number}> <http://e/n> {number} ." for number in range(1_001))
    (tmp_path / "people.ttl").write_text(many, "utf-8")
    (tmp_path / "endpoints.toml").write_text(REGISTRY, "utf-8")
    space = Workspace(tmp_path / "endpoints.toml", Supplies(tmp_path / "home", (), None))
    query = "SELECT ?s { ?s ?p ?o }"
    try:
        few, _ = await execute_query(space, Execution("sparql", query, limit=2), "ada")
        most, _ = await execute_query(space, Execution("sparql", query, limit=1_000), "ada")
    finally:
        await space.close()
    assert few.answer == "The first 2 rows at people: there are more, raise the limit."
    assert most.answer.endswith("there are more, narrow the query, or page with OFFSET.")


@pytest.mark.parametrize("part", ["LIMIT 0", "OFFSET 500"])
async def test_what_a_query_skips_is_not_told_as_absent(people: Workspace, part: str) -> None:
    asked = Execution("sparql", f"SELECT ?s {{ ?s ?p ?o }} {part}")
    result, _ = await execute_query(people, asked, "ada")
    assert result.status == "empty"
    assert result.answer == f"No row at people: the query ran, and its {part} leaves none."


async def test_a_cut_graphql_answer_says_how_to_page(people: Workspace) -> None:
    asked = Execution("graphql", "{ person { iri } }", limit=1)
    result, _ = await execute_query(people, asked, "ada")
    assert result.status == "truncated"
    assert result.answer.startswith("A part of the answer at people. There are more person than")
