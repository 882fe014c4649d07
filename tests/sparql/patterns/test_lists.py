"""A list is whole, or what is missing of it is said."""

from __future__ import annotations

import pytest

from groundwire.graph.terms import Term, literal
from groundwire.sparql.patterns.answers import in_places, in_sequence
from groundwire.sparql.workflow.queries import RDF_REST

NIL = RDF_REST.replace("rest", "nil")


def cells(*links: tuple[str, str | None, str]) -> list[dict[str, Term | None]]:
    """Nodes of a list that begins at a: node, member, rest."""
    return [
        {
            "h": Term("bnode", "a"),
            "n": Term("bnode", node),
            "item": literal(item) if item else None,
            "rest": Term("iri" if rest == NIL else "bnode", rest),
        }
        for node, item, rest in links
    ]


def test_a_list_is_read_in_its_order_whatever_the_rows_have() -> None:
    rows = cells(("c", "3", NIL), ("a", "1", "b"), ("b", "2", "c"))
    found, missing = in_sequence(rows)
    assert [one.value for one in found if isinstance(one, Term)] == ["1", "2", "3"]
    assert missing == ""


@pytest.mark.parametrize(
    ("rows", "said"),
    (
        (cells(("a", "1", "b"), ("b", "2", "a")), "after member 2 it begins again"),
        (cells(("a", "1", "b"), ("b", None, NIL)), "member 2 is not stated once"),
        (cells(("a", "1", "b"), ("a", "1", "c"), ("b", "2", NIL)), "it breaks off after member 1"),
        (cells(("a", "1", "b")), "member 2 is not stated once"),
    ),
)
def test_a_broken_list_says_where_it_breaks(rows: list[dict[str, Term | None]], said: str) -> None:
    assert in_sequence(rows)[1] == said


def test_places_have_no_hole_and_none_twice() -> None:
    nodes = [{"n1": Term("iri", f"urn:{one}")} for one in "abc"]

    def stated(*places: str) -> list[dict[str, Term]]:
        return [
            {"x": row["n1"], "v": literal(place)} for row, place in zip(nodes, places, strict=True)
        ]

    found, missing = in_places(nodes, stated("3", "1", "2"))
    assert [one.value for one in found if isinstance(one, Term)] == ["urn:b", "urn:c", "urn:a"]
    assert missing == ""
    assert in_places(nodes, stated("1", "2", "4"))[1] == "3 are held, and number 3 is missing"
    assert "place 2" in in_places(nodes, stated("1", "2", "2"))[1]
