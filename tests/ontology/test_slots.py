"""The argument shapes that models send, and those that are refused with a line."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from groundwire.ontology.conditions import Filter, Range
from groundwire.ontology.slots import MAX_ENTRIES, Slots, SubmittedGap


def refused(slots: Any) -> str:
    with pytest.raises(ValidationError) as caught:
        Slots.model_validate(slots)
    return " ".join(str(error["msg"]) for error in caught.value.errors())


@pytest.mark.parametrize("sent", ["ship", ["ship"], '["ship"]', ("ship",)])
def test_domains_as_text_or_list(sent: Any) -> None:
    if isinstance(sent, tuple):
        sent = list(sent)
    assert Slots.model_validate({"domains": sent}).domains == ["ship"]


@pytest.mark.parametrize("blank", [None, "", [], "  ", [""], [None]])
def test_blank_slots_are_as_good_as_absent(blank: Any) -> None:
    assert Slots.model_validate({"domains": blank}) == Slots()
    if blank in (None, ""):
        sent = {"filters": blank, "ranges": blank, "references": blank}
        assert Slots.model_validate(sent) == Slots()


def test_blank_entries_are_as_good_as_absent() -> None:
    sent = {
        "filters": {"a": "", "b": None, "c": [], "d": "x"},
        "ranges": {"e": {}, "f": {"min": 1}},
    }
    slots = Slots.model_validate(sent)
    assert list(slots.filters) == ["d"]
    assert list(slots.ranges) == ["f"]


def test_a_range_without_a_bound_is_as_good_as_absent() -> None:
    sent = {"ranges": {"a": {"min": None, "max": None}, "b": {"gt": "", "lt": ""}, "c": [None, 2]}}
    assert list(Slots.model_validate(sent).ranges) == ["c"]


def test_objects_that_arrive_as_text() -> None:
    sent = {
        "filters": '{"flag": ["DE", "NL"]}',
        "ranges": '{"crew": {"gt": 10}}',
        "references": '[{"domain": "port", "filters": "{\\"quays\\": \\"stone\\"}"}]',
    }
    slots = Slots.model_validate(sent)
    assert slots.filters["flag"].filter == Filter(any_of=("DE", "NL"))
    assert slots.ranges["crew"] == Range(10, None, True)
    assert slots.references[0].filters["quays"].filter == Filter(any_of=("stone",))


@pytest.mark.parametrize("slot", ["location", "license"])
def test_slots_that_do_not_exist_are_told_the_filter_to_use(slot: str) -> None:
    says = refused({"domains": ["ship"], slot: "x"})
    assert f"there is no slots.{slot}: use filters." in says


@pytest.mark.parametrize(
    ("slots", "says"),
    [
        ({"filters": ["flag"]}, "filters is an object"),
        ({"filters": "flag"}, "filters is an object"),
        ({"filters": 5}, "filters is an object"),
        ({"ranges": [1, 2]}, "ranges is an object"),
        ({"domains": [{"name": "ship"}]}, "string"),
        ({"domains": 5}, "string"),
        ({"references": 5}, "dictionary"),
        ({"references": [{"filters": {}}]}, "Field required"),
        ({"references": [{"domain": "port", "colour": "red"}]}, "Extra inputs"),
        ({"references": [{"domain": ""}]}, "the name of a domain is blank"),
        ({"bogus": 1}, "Extra inputs"),
        ({"filters": {f"p{n}": "x" for n in range(10_000)}}, "10,000 entries: send at most"),
        ({"ranges": {f"p{n}": 1 for n in range(10_000)}}, "10,000 entries"),
        ({"domains": ["ship"] * 10_000}, "10,000 entries"),
        ({"references": ["port"] * (MAX_ENTRIES + 1)}, "entries"),
        ({"filters": {"flag": {"any_of": ["DE"] * 10_000}}}, "10,000 values are too many"),
        ({"filters": {"x" * 5_000: "y"}}, "a name in filters has 5,000 characters"),
        ({"domains": ["x" * 5_000]}, "at most"),
        ({"filters": {"a\x00b": "y"}}, "control characters"),
        ({"domains": ["a\x07b"]}, "control characters"),
        ({"references": [{"domain": "a\x07b"}]}, "control characters"),
    ],
)
def test_what_cannot_be_slots_says_what_to_send(slots: Any, says: str) -> None:
    assert says in refused(slots)


def test_gaps_as_terms_and_objects() -> None:
    assert SubmittedGap.model_validate("dragons").term == "dragons"
    gap = SubmittedGap.model_validate({"term": "x", "reason": "no idea", "comment": "!"})
    assert gap.reason == "unmapped"
