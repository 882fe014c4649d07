"""Label matches written for other engines, asked of real ones."""

from __future__ import annotations

import asyncio

import pytest

from groundwire.graph.queries import CompiledQuery
from groundwire.graph.remote import RemoteGraph
from groundwire.graph.terms import Rows
from groundwire.sparql.label_queries import COLUMNS, bif_contains_query, regex_query

HOSTILE = (
    "what's \"this\" \\ (a AND b) OR * near 'x' ?",
    "') } } ; DROP # label",
    "知识 label \U0001f642 \ud800",
    "label\nnumber\x00\t7",
)


def ask(url: str, query: CompiledQuery, dialect: str = "virtuoso") -> Rows:
    async def asked() -> Rows:
        graph = RemoteGraph.configured(url, dialect=dialect)
        try:
            return await graph.select(query)
        finally:
            await graph.close()

    rows = asyncio.run(asked())
    assert rows.columns == COLUMNS
    return rows


def values(rows: Rows) -> list[str]:
    return [row[1].value for row in rows.rows if row[1] is not None]


def test_virtuoso_finds_a_phrase(virtuoso) -> None:
    [found] = values(ask(virtuoso.url, bif_contains_query("Label number 77?")))
    assert found == "label number 77"
    assert values(ask(virtuoso.url, bif_contains_query("number label 77"))) == []


def test_virtuoso_finds_all_or_some_words(virtuoso) -> None:
    query = bif_contains_query("77 label", "and")
    assert values(ask(virtuoso.url, query)) == ["label number 77"]
    some = values(ask(virtuoso.url, bif_contains_query("77 78", "or")))
    assert sorted(some) == ["label number 77", "label number 78"]
    assert values(ask(virtuoso.url, bif_contains_query("77", "and", ["http://e/Nothing"]))) == []


@pytest.mark.parametrize("mode", ["phrase", "and", "or", "either"])
@pytest.mark.parametrize("text", HOSTILE)
def test_virtuoso_understands_what_is_made_of_any_text(virtuoso, text: str, mode) -> None:
    rows = ask(virtuoso.url, bif_contains_query(text, mode, limit=3))
    assert len(rows.rows) <= 3


@pytest.mark.parametrize("dialect", ["oxigraph", "virtuoso"])
def test_regular_expressions_find_terms(request: pytest.FixtureRequest, dialect) -> None:
    url = request.getfixturevalue(dialect).url
    options = {"properties": ["http://e/label"]}
    rows = ask(url, regex_query(["LABEL", "number 77"], **options), dialect)
    assert values(rows) == ["label number 77"]
    rows = ask(url, regex_query(["number 77", "number 8"], "or", limit=2, **options), dialect)
    assert values(rows) == ["label number 8", "label number 77"]


@pytest.mark.parametrize("dialect", ["oxigraph", "virtuoso"])
@pytest.mark.parametrize("text", HOSTILE)
def test_no_term_breaks_a_regular_expression(
    request: pytest.FixtureRequest, dialect, text: str
) -> None:
    url = request.getfixturevalue(dialect).url
    assert ask(url, regex_query([text, "label"]), dialect).rows == []


def test_virtuoso_finds_a_question_that_was_published(virtuoso_faq) -> None:
    question = "What is a decision ontology?"
    rows = ask(virtuoso_faq.url, bif_contains_query(question, types=["http://schema.org/Question"]))
    assert question in values(rows)
    rows = ask(virtuoso_faq.url, bif_contains_query("decision ontology", "and"))
    assert question in values(rows)
