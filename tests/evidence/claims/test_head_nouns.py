"""Numbers, names and times that are recorded, but of something else than a draft says."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3]))

from groundwire.evidence.claims.check import check
from groundwire.evidence.records import Item, Record, Value
from tests.evidence.drafts import record


def road() -> list[Record]:
    """An asset with several counts and limits."""
    of = {"entity": "Munich Ring"}
    return [
        record(
            [
                Value("numberIntersections", "3", **of),
                Value("numberTrafficSigns", "42", **of),
                Value("speedLimitMin", "60", unit="km/h", **of),
                Value("speedLimitMax", "100", unit="km/h", **of),
            ]
        )
    ]


@pytest.mark.parametrize(
    ("draft", "right"),
    [
        ("Munich Ring has 3 intersections and 42 traffic signs.", True),
        ("Munich Ring has 42 intersections and 3 traffic signs.", False),
        ("Munich Ring has a minimum speed limit of 60 km/h.", True),
        ("Munich Ring has a minimum speed limit of 100 km/h.", False),
        ("Munich Ring has a maximum speed of 100 km/h.", True),
        ("Munich Ring has a maximum speed of 60 km/h.", False),
        ("Munich Ring has speed limits of 60 to 100 km/h.", True),
    ],
)
def test_the_words_beside_a_number_say_which_value_it_is(draft: str, right: bool) -> None:
    assert (check(draft, road()).verdict == "supported") == right


@pytest.mark.parametrize(
    ("draft", "right"),
    [
        ("1 of 11 tube lines is disrupted.", True),
        ("3 of 11 tube lines are disrupted.", False),
    ],
)
def test_a_part_counts_what_its_whole_counts(draft: str, right: bool) -> None:
    values = [
        Value("number of plans", "3"),
        Value("what it costs", "3.00", unit="GBP"),
        Value("number of lines told of", "11", labels=("lines", "tube lines")),
        Value("number of lines disrupted", "1", labels=("lines disrupted", "tube lines disrupted")),
    ]
    assert (check(draft, [record(values)]).verdict == "supported") == right


def test_nearly_is_less_and_not_by_much() -> None:
    records = [record([Value("population", "1407745000", entity="China", unit="people")])]
    assert check("China has nearly 1.41 billion people.", records).verdict == "supported"
    assert check("China has nearly 1.5 billion people.", records).verdict == "contradicted"
    assert check("China has less than 1.5 billion people.", records).verdict == "supported"


@pytest.mark.parametrize(
    ("draft", "right"),
    [
        ("The world had 7.0 billion, middle-income countries 5.12 billion.", True),
        ("The world had 7.0 billion people, middle-income countries 5.12 billion.", False),
        ("The world had 5.12 billion people.", False),
        ("Middle-income countries had 7.0 billion people.", False),
    ],
)
def test_a_row_of_a_code_is_called_by_the_name_that_it_alone_has(draft: str, right: bool) -> None:
    rows = [("WLD", "World", "7001266876"), ("MIC", "Middle income", "5123741911")]
    values = [
        value
        for code, name, people in rows
        for value in (
            Value("country", name, "name", entity=code),
            Value("value", people, entity=code),
        )
    ]
    assert (check(draft, [record(values)]).verdict == "supported") == right


def two_trips() -> list[Record]:
    """Two trips of a day, each with its line and its departure, which the call asked for."""
    trips = (
        ("Oxford Circus to Hayes", "08:30", "Elizabeth line"),
        ("Brixton to Stratford", "20:45", "Victoria line"),
    )
    values = [
        value
        for name, departure, line in trips
        for value in (
            Value("departure", departure, "time", labels=("leaves",), item=Item((name,))),
            Value("line of the plan", line, "name", item=Item((name,))),
        )
    ]
    asked = {"trips": [{"time": departure} for _, departure, _ in trips]}
    return [record(values, arguments=asked)]


@pytest.mark.parametrize(
    ("draft", "right"),
    [
        ("Brixton to Stratford leaves at 20:45, by the Victoria line.", True),
        ("Brixton to Stratford leaves at 08:30.", False),
        ("From Brixton to Stratford take the Elizabeth line.", False),
        ("Oxford Circus to Hayes: Elizabeth line. Brixton to Stratford: Victoria line.", True),
    ],
)
def test_a_line_or_an_asked_time_is_that_of_its_trip(draft: str, right: bool) -> None:
    assert (check(draft, two_trips()).verdict == "supported") == right


def test_a_trip_the_other_way_is_another_trip() -> None:
    back = "The trip from Stratford to Brixton leaves at 20:45."
    assert check(back, two_trips()).verdict in ("contradicted", "unsupported")


def test_a_line_of_another_trip_does_not_excuse_the_next_one() -> None:
    values = [
        Value("line of the plan", line, "name", item=Item((name,)))
        for name, line in (
            ("Oxford Circus to Hayes", "Elizabeth line"),
            ("Oxford Circus to Hayes", "Bakerloo line"),
            ("Brixton to Stratford", "Victoria line"),
        )
    ]
    draft = "From Brixton to Stratford take the Elizabeth line and the Bakerloo line."
    wrong = [c.text for c in check(draft, [record(values)]).claims if c.status == "contradicted"]
    assert wrong == ["Elizabeth line", "Bakerloo line"]


def test_what_a_sentence_denies_is_contradicted_where_it_is_so() -> None:
    records = [record([Value("length", "12.5", unit="km", entity="Munich Ring")])]
    assert check("The length of Munich Ring is not 12.5 km.", records).verdict == "contradicted"
    corrected = "The length of Munich Ring is not 14 km but 12.5 km."
    assert "contradicted" not in {one.status for one in check(corrected, records).claims}
    wrong = "The length of Munich Ring is not 12.5 km but 14 km."
    assert check(wrong, records).verdict == "contradicted"
