"""Gaps that a caller submits are resolved again."""

from __future__ import annotations

from typing import Any

SHIPS = {"domains": ["ship"]}


def submitted(bench: Any, *gaps: Any, slots: Any = SHIPS) -> list[Any]:
    return bench.search(slots, gaps=list(gaps)).gaps


def test_a_term_that_does_resolve_is_told_so_with_its_slot(harbour: Any) -> None:
    (gap,) = submitted(harbour, {"term": "Northline Shipping", "reason": "unmapped"})
    assert gap.detail.startswith(
        "'Northline Shipping' is known after all: send filters.operatedBy="
    )
    assert gap.suggestions[0].startswith('filters.operatedBy="')
    (gap,) = submitted(harbour, "flag country")
    assert gap.suggestions == ['filters.flag={"exists": true}']
    (gap,) = submitted(harbour, "sea passage")
    assert gap.suggestions == ['domains=["Voyage"]']


def test_a_term_that_does_not_gets_real_suggestions(harbour: Any) -> None:
    (gap,) = submitted(harbour, "contaners")
    assert "was not searched for" in gap.detail
    assert gap.suggestions == ['filters.cargoTypes="containers"']


def test_what_says_less_than_a_term_is_told_and_not_offered(harbour: Any) -> None:
    (gap,) = submitted(harbour, "container carrier")
    assert gap.suggestions == []
    assert 'more than was asked for: filters.cargoTypes="containers"' in gap.detail


def test_a_bound_with_a_unit_is_offered_whole_where_the_unit_fits(harbour: Any) -> None:
    (gap,) = submitted(harbour, "longer than 0.2 km")
    assert gap.suggestions == ['ranges.length={"gt": "0.2 km"}']
    slots = {**SHIPS, "ranges": {"length": {"gt": "0.2 km"}}}
    assert harbour.found(slots) == ["delphin"]


def test_a_figure_is_never_left_out(harbour: Any) -> None:
    for term in ("> 500 MB", "more than 500", "crew of 12", "length 500 MB"):
        (gap,) = submitted(harbour, term)
        assert gap.suggestions == [], term


def test_a_term_like_nothing_gets_none(harbour: Any) -> None:
    (gap,) = submitted(harbour, "xylophone quartet")
    assert gap.suggestions == []


def test_the_reason_that_was_given_is_kept(harbour: Any) -> None:
    (gap,) = submitted(harbour, {"term": "wind", "reason": "unsupported"})
    assert gap.reason == "unsupported"


def test_submitted_gaps_lower_the_confidence_and_reject_no_condition(harbour: Any) -> None:
    result = harbour.search({**SHIPS, "ranges": {"length": {"min": 0}}}, gaps=["wind"])
    assert (result.status, result.confidence, result.total) == ("results", "low", 4)


def test_gaps_of_a_rejected_search_are_answered_too(harbour: Any) -> None:
    gaps = submitted(harbour, "Blueway Lines", slots={"domains": ["dragon"]})
    assert [gap.slot for gap in gaps] == ["domains[0]", None]
    assert "known after all" in gaps[1].detail


def test_many_gaps_are_cut_with_a_note(harbour: Any) -> None:
    gaps = submitted(harbour, *(f"term {number}" for number in range(12)))
    assert len(gaps) == 11
    assert (gaps[-1].term, gaps[-1].reason) == ("2 more gaps", "limitation")
