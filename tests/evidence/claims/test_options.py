"""Plans of one trip are told apart: by their number, their length of time, or what they go by."""

from __future__ import annotations

from dataclasses import replace

import pytest

from groundwire.evidence.canonical import decode, encode, join
from groundwire.evidence.claims.check import check
from groundwire.evidence.records import Draft, Item, Record, Value
from tests.evidence.drafts import record, refused

TRIP = Item(("Brixton to Bank", "Brixton - Bank"))


def plan(number: int, arrives: str, minutes: str, *lines: str) -> list[Value]:
    item = replace(TRIP, options=(number,))
    values = [
        Value("arrival", arrives, "time", labels=("arrive", "arrives"), item=item),
        Value("duration", minutes, unit="min", labels=("takes",), item=item),
    ]
    names = [name for line in lines for name in (line, line.removesuffix(" line"))]
    return values + [Value("line of the plan", name, "name", item=item) for name in names]


def journey() -> Record:
    both = replace(TRIP, options=(1, 2))
    return record(
        [
            Value("departure", "08:00", "time", labels=("leave", "leaves"), item=both),
            *plan(1, "08:20", "20", "Victoria line", "Northern line"),
            *plan(2, "08:34", "34", "Jubilee line"),
        ],
        tool="compute_journey_plans",
    )


def wrong(text: str) -> list[str]:
    return refused(check(text, [journey()]))


@pytest.mark.parametrize(
    "text",
    [
        "Brixton to Bank: the fastest plan takes 20 minutes, the slowest 34 minutes.",
        "The first option leaves at 08:00 and arrives at 08:20; the second arrives at 08:34.",
        "By the Victoria and Northern lines 20 minutes, by the Jubilee line 34 minutes.",
        "20 minutes by the Victoria line and the Northern line; 34 minutes by the Jubilee line.",
        "Leave at 08:00 by the Jubilee line and arrive at 08:34.",
        "Take the Jubilee line (34 minutes).",
        "| Plan | Lines | Takes |\n|---|---|---|\n| 1 | Victoria, Northern | 20 min |\n"
        "| 2 | Jubilee | 34 min |",
        "Die schnellste Verbindung ist um 08:20 da, die langsamste um 08:34.",
        "方案一用时20分钟，方案二用时34分钟。",
    ],
)
def test_what_is_said_of_its_own_plan_is_supported(text: str) -> None:
    assert wrong(text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Brixton to Bank: the fastest plan takes 34 minutes.", ["34 minutes"]),
        ("The slowest route takes 20 minutes.", ["20 minutes"]),
        ("The first plan arrives at 08:34.", ["08:34"]),
        ("Option 2 takes 20 minutes.", ["20 minutes"]),
        (
            "By the Jubilee line 20 minutes, by the Victoria and Northern lines 34 minutes.",
            ["20 minutes", "34 minutes"],
        ),
        ("34 minutes by the Victoria line and the Northern line.", ["34 minutes"]),
        ("The first plan goes by the Jubilee line.", ["Jubilee line"]),
        ("| Lines | Takes |\n|---|---|\n| Jubilee | 20 min |", ["20 min"]),
        ("| Plan | Takes |\n|---|---|\n| 2 | 20 min |", ["20 min"]),
        ("第一个方案用时34分钟。", ["34分钟"]),
    ],
)
def test_what_is_said_of_another_plan_is_contradicted(text: str, found: list[str]) -> None:
    assert wrong(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "It takes 20 minutes and arrives at 08:34.",
        "Take the Victoria line and the Northern line and arrive at 08:34.",
        "It takes 20 or 34 minutes.",
    ],
)
def test_what_no_one_plan_has_is_not_supported(text: str) -> None:
    assert check(text, [journey()]).verdict != "supported"


def test_the_options_of_a_value_are_kept_in_the_ledger() -> None:
    values = (Value("arrival", "08:00", "time", item=replace(TRIP, options=(1, 2))),)
    read = decode(join(*encode("compute_journey_plans", {}, Draft(values), False)))
    assert read.draft.values == values
