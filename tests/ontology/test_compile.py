"""Queries hold terms of the index and typed values, and nothing that a caller wrote unescaped."""

from __future__ import annotations

from typing import Any

import pyoxigraph
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundwire.errors import InputError
from groundwire.graph.terms import Term, iri, literal
from groundwire.ontology import plan as plans
from groundwire.ontology.compile import group_query, page_query, total_query
from groundwire.ontology.index.model import Domain, Path, Step
from groundwire.ontology.plan import Bounds, Branch, Grouping, Join, Nothing, Ordering, Plan

SHIP = Domain("Ship", "https://example.org/Ship", ":Ship", properties={})
NAME = Path((Step("https://example.org/name"),))

FRAGMENTS = [
    '"',
    "\\",
    "'",
    '"""',
    "} UNION { ?s ?p ?o",
    '" } SERVICE <http://127.0.0.1:1/> { ?s ?p "',
    '") } ; DROP ALL #',
    "<http://evil.example/> ",
    "?asset",
    "\\u0022 }",
    "# comment",
    "}} LIMIT 0",
    "^^xsd:integer",
    "@en",
    "\u2028",
    "x' OR '1'='1",
]
nasty = st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=8), min_size=1, max_size=4).map(
    "".join
)
encodable = nasty.filter(
    lambda text: text.isprintable() or not any("\ud800" <= c <= "\udfff" for c in text)
)


def parsed(query: str) -> pyoxigraph.QuerySolutions:
    """The solutions on an empty store: raises SyntaxError where the query is not well formed."""
    found = pyoxigraph.Store().query(query)
    assert isinstance(found, pyoxigraph.QuerySolutions)
    return found


def holds(**parts: Any) -> plans.Test:
    return plans.Test("filters.name", "name", (NAME,), **parts)


@given(encodable, encodable)
def test_any_text_is_only_ever_one_literal(first: str, second: str) -> None:
    wanted = holds(
        any_of=(literal(first), literal(second, language="en")),
        all_of=((literal(second),),),
        none_of=(literal(first), literal(second)),
        contains=(first, second),
    )
    other = Join("references[0]", SHIP, (NAME,), (), (wanted,))
    plan = Plan((Branch(SHIP, (wanted,), (other,)),))
    store = pyoxigraph.Store()
    # The query finds what holds exactly these texts, and so was not broken open by them.
    ship, name = pyoxigraph.NamedNode(SHIP.class_iri), pyoxigraph.NamedNode(NAME.steps[0].iri)
    kind = pyoxigraph.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
    asset = pyoxigraph.NamedNode("https://example.org/a")
    store.add(pyoxigraph.Quad(asset, kind, ship))
    store.add(pyoxigraph.Quad(asset, name, pyoxigraph.Literal(first)))
    holding = Plan((Branch(SHIP, (holds(any_of=(literal(first),), contains=(first,)),)),))
    found = store.query(page_query(holding, limit=5))
    assert isinstance(found, pyoxigraph.QuerySolutions)
    assert [row["asset"] for row in found] == [asset]
    for query in (page_query(plan, limit=1), total_query(plan)):
        assert list(parsed(query)) == []


@given(st.text(max_size=30).filter(lambda text: not any("\ud800" <= c <= "\udfff" for c in text)))
def test_any_iri_stays_inside_its_brackets(value: str) -> None:
    query = page_query(Plan((Branch(SHIP, (holds(any_of=(iri(f"urn:x:{value}"),)),)),)), limit=1)
    inside = query.split("<urn:x:", 1)[1].split(">", 1)[0]
    assert not set(inside) & set('<"{}|^`\\ \n\t')


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(encodable)
def test_what_a_caller_sends_never_reaches_the_query_unescaped(harbour: Any, text: str) -> None:
    """Through the whole search: every slot that takes a text, with fragments of SPARQL in it."""
    for slots in (
        {"domains": [text]},
        {"domains": ["ship"], "filters": {"name": text}},
        {"domains": ["ship"], "filters": {"name": {"contains": text}}},
        {"domains": ["ship"], "filters": {text: "x"}},
        {"domains": ["ship"], "filters": {"operatedBy": text}},
        {"domains": ["ship"], "ranges": {"crew": {"min": text}, "launched": {"max": text}}},
        {"domains": ["voyage"], "references": {"domain": text, "filters": {text: text}}},
    ):
        try:
            result = harbour.search(slots, dry_run=True)
        except (ValueError, InputError):
            # Blank, or no plain text: refused before anything was looked up.
            continue
        if result.sparql is not None:
            list(parsed(result.sparql))
            assert "SERVICE <" not in _without_literals(result.sparql)
            assert "DROP" not in _without_literals(result.sparql)


def _without_literals(query: str) -> str:
    """The query with what stands in double quotes left out."""
    kept, inside, escaped = [], False, False
    for character in query:
        if inside:
            if character == '"' and not escaped:
                inside = False
            escaped = character == "\\" and not escaped
        elif character == '"':
            inside = True
        else:
            kept.append(character)
    assert not inside
    return "".join(kept)


# Forms of queries


def test_every_kind_of_condition_is_well_formed() -> None:
    term = Term("literal", "x", "http://www.w3.org/2001/XMLSchema#string")
    bounds = Bounds("1", "2.5", True, False)
    tests = (
        holds(any_of=(term,)),
        holds(all_of=((term, term), (term,)), none_of=(term,), contains=("x",), exists=True),
        holds(exists=False, bounds=bounds),
        holds(any_bounds=(bounds, Bounds("3", "3")), none_bounds=(bounds,), all_bounds=(bounds,)),
        holds(bounds=Bounds("2024-01-01", "2024-12-31", temporal=True)),
        holds(bounds=Bounds("2024-01-01", None, True, temporal=True, cast=True)),
        holds(bounds=Bounds(None, "2", cast=True)),
    )
    back = Path((Step("https://example.org/name", inverse=True), Step("urn:p", repeat="*")))
    inner = Join("references[0].references[0]", SHIP, (), (NAME, back), tests[:1])
    join = Join("references[0]", SHIP, (NAME, back), (), tests, (inner,))
    one = Branch(SHIP, tests, (join,))
    two = Branch(
        Domain("Tug", "urn:Tug", "Tug", properties={}, subclasses=("urn:a", "urn:b")),
        tests,
        (join,),
    )
    paths = ((NAME,), (NAME, back))
    for plan in (
        Plan((one,)),
        Plan((one, two)),
        Plan((one, two), Ordering("name", paths)),
        Plan((one, two), Ordering("name", paths, descending=True)),
    ):
        list(parsed(page_query(plan, limit=3, offset=2)))
        list(parsed(total_query(plan)))
    list(parsed(group_query(Plan((one, two), None, Grouping("name", paths)), limit=3)))


class OnlyName(Nothing):
    """Of a graph in which nothing has any other property."""

    def may_match(self, path: Path) -> bool:
        return path is NAME


def test_paths_that_no_asset_has_are_left_out_and_one_is_kept() -> None:
    other = Path((Step("urn:gone"),))
    plan = Plan((Branch(SHIP, (plans.Test("f", "name", (NAME, other), exists=True),)),))
    assert "urn:gone" not in page_query(plan, limit=1, known=OnlyName())
    never = Plan((Branch(SHIP, (plans.Test("f", "name", (other,), exists=True),)),))
    assert "<urn:gone>" in page_query(never, limit=1, known=OnlyName())


class InOrder(Nothing):
    """Of a graph that gives everything in an order of its own."""

    ordered = True


def test_only_repeated_steps_are_sorted_where_the_engine_has_an_order() -> None:
    for way, is_sorted in ((NAME, False), (Path((Step("urn:p", repeat="*"), *NAME.steps)), True)):
        test = plans.Test("f", "name", (way,), any_of=(literal("x"),))
        other = Join("references[0]", SHIP, (), (NAME,), (test,))
        plan = Plan((Branch(SHIP, (), (other,)),))
        query = page_query(plan, limit=3, offset=3, known=InOrder(), first_page=("urn:a",))
        assert ("ORDER BY ?asset" in query) == is_sorted
        assert "ORDER BY ?asset" in page_query(plan, limit=3, offset=3, first_page=("urn:a",))
        assert "ORDER BY ?asset" in page_query(plan, limit=3, known=InOrder())
