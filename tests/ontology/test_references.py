"""Connected assets: several, nested and inverse, over declared paths only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from groundwire.ontology.references import MAX_DEPTH, MAX_JOINS


def voyages(harbour: Any, references: Any) -> set[str]:
    return set(harbour.found({"domains": ["voyage"], "references": references}))


def test_a_reference_with_filters_and_ranges(harbour: Any) -> None:
    ship = {"domain": "ship", "filters": {"flag": "Germany"}, "ranges": {"crew": {"gt": 10}}}
    assert voyages(harbour, ship) == {"v3"}


def test_a_reference_may_be_an_object_a_list_a_name_or_a_text(harbour: Any) -> None:
    for sent in (
        {"domain": "port", "filters": {"quays": "concrete"}},
        [{"domain": "port", "filters": {"quays": "concrete"}}],
        '{"domain": "port", "filters": {"quays": "concrete"}}',
    ):
        assert voyages(harbour, sent) == {"v1", "v2"}
    assert voyages(harbour, "port") == {"v1", "v2", "v3"}
    assert voyages(harbour, ["port", {"domain": "ship"}]) == {"v1", "v2", "v3"}


def test_several_references_must_all_hold(harbour: Any) -> None:
    both = [
        {"domain": "ship", "filters": {"flag": "DE"}},
        {"domain": "port", "filters": {"quays": "concrete"}},
    ]
    assert voyages(harbour, both) == {"v1"}


def test_two_references_to_one_domain_may_be_met_by_two_assets(harbour: Any) -> None:
    two_ports = [
        {"domain": "port", "ranges": {"berths": {"gt": 10}}},
        {"domain": "port", "ranges": {"berths": {"lt": 10}}},
    ]
    assert voyages(harbour, two_ports) == {"v1"}
    one_port = {"domain": "port", "ranges": {"berths": {"gt": 4, "lt": 12}}}
    assert voyages(harbour, one_port) == set()


def test_a_reference_is_followed_backwards(harbour: Any) -> None:
    stormy = {"domain": "voyage", "filters": {"weather": "calm"}}
    assert harbour.found({"domains": ["ship"], "references": stormy}) == ["aurora"]
    assert set(harbour.found({"domains": ["port"], "references": stormy})) == {"bremen", "turku"}


def test_nested_references(harbour: Any) -> None:
    slots = {
        "domains": ["port"],
        "references": {
            "domain": "voyage",
            "filters": {"weather": "fog"},
            "references": {"domain": "ship", "filters": {"flag": "DE"}},
        },
    }
    result = harbour.search(slots)
    assert [item.label for item in result.results] == ["Bremen"]
    assert result.applied["references"][0]["references"] == [
        {"domain": "Ship", "filters": {"flag": "DE"}}
    ]


def test_the_connected_assets_are_named_in_the_answer(harbour: Any) -> None:
    result = harbour.search({"domains": ["voyage"], "references": "port"})
    first = next(item for item in result.results if item.label == "First voyage")
    assert {iri.rsplit("/", 1)[-1] for iri in first.references} == {"bremen", "turku"}


def test_domains_that_nothing_joins_are_refused_with_those_that_are(harbour: Any) -> None:
    gap = harbour.gap({"domains": ["ship"], "references": {"domain": "port"}})
    assert (gap.slot, gap.reason) == ("references[0].domain", "unmapped")
    assert "no declared connection" in gap.detail
    assert gap.suggestions == ["Voyage"]


def test_a_domain_that_was_not_sent_follows_from_the_reference(harbour: Any) -> None:
    slots = {"references": {"domain": "ship", "filters": {"flag": "DE"}}}
    result = harbour.search(slots)
    assert result.applied["domains"] == ["Voyage"]
    assert {item.label for item in result.results} == {"First voyage", "Third voyage"}


def test_more_references_than_can_be_joined_are_a_gap_of_reason_limitation(harbour: Any) -> None:
    gap = harbour.gap({"domains": ["voyage"], "references": ["port"] * (MAX_JOINS + 1)})
    assert gap.reason == "limitation"
    assert f"at most {MAX_JOINS} references" in gap.detail


def test_references_nested_too_deeply_are_a_gap_of_reason_limitation(harbour: Any) -> None:
    reference: dict[str, Any] = {"domain": "ship"}
    for level in range(MAX_DEPTH):
        reference = {"domain": ("voyage", "ship")[level % 2], "references": [reference]}
    outer = "ship" if reference["domain"] == "voyage" else "voyage"
    gap = harbour.gap({"domains": [outer], "references": reference})
    assert (gap.reason, gap.slot) == ("limitation", "references[0]" + ".references[0]" * MAX_DEPTH)


def test_a_reference_is_never_guessed_over_a_sibling_path(make: Callable[[str, str], Any]) -> None:
    """An asset without the declared link is not found by a link that another property holds."""
    bench = make(
        ":A a sh:NodeShape ; sh:targetClass :Tour ; sh:property [ sh:path :visits ; "
        "sh:class :Town ] , [ sh:path :avoids ; sh:nodeKind sh:IRI ] . "
        ":B a sh:NodeShape ; sh:targetClass :Town ; sh:property [ sh:path :people ] .",
        ":t1 a :Tour ; :visits :x . :t2 a :Tour ; :mentions :x . :x a :Town ; :people 5 .",
    )
    assert bench.found({"domains": ["tour"], "references": "town"}) == ["t1"]
    assert "mentions" not in bench.query({"domains": ["tour"], "references": "town"})
