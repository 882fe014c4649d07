"""Spellings of conditions, read without a catalogue."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.ontology.conditions import (
    MAX_TEXT,
    MAX_VALUES,
    Filter,
    Range,
    parse_condition,
    parse_range,
    read_boolean,
)


@pytest.mark.parametrize(
    ("sent", "meant"),
    [
        ("x", Filter(any_of=("x",))),
        ("  x ", Filter(any_of=("x",))),
        (["x", "y"], Filter(any_of=("x", "y"))),
        ('["x", "y"]', Filter(any_of=("x", "y"))),
        ('{"all_of": ["x", "y"]}', Filter(all_of=("x", "y"))),
        ({"any_of": ["x", "y"]}, Filter(any_of=("x", "y"))),
        ({"in": '["x","y"]'}, Filter(any_of=("x", "y"))),
        ({"all": ["x", "y"]}, Filter(all_of=("x", "y"))),
        ({"ALL-OF": ["x", "y"]}, Filter(all_of=("x", "y"))),
        ({"allOf": ["x", "y"]}, Filter(all_of=("x", "y"))),
        ({"not": "x"}, Filter(none_of=("x",))),
        ({"$nin": ["x"]}, Filter(none_of=("x",))),
        ({"eq": "x"}, Filter(any_of=("x",))),
        ({"=": 5}, Filter(any_of=(5,))),
        ({"equals": True}, Filter(any_of=(True,))),
        ({"contains": "x"}, Filter(contains=("x",))),
        ({"like": 5}, Filter(contains=("5",))),
        ({"exists": "yes"}, Filter(exists=True)),
        ({"exists": False}, Filter(exists=False)),
        ({"is_null": "true"}, Filter(exists=False)),
        ({"any_of": ["x"], "none_of": ["y"]}, Filter(any_of=("x",), none_of=("y",))),
        ({"@id": "https://example.org/x"}, None),
        ([{"@value": "x"}, {"@id": "urn:x"}], Filter(any_of=("x", "urn:x"))),
    ],
)
def test_filters_in_every_spelling(sent: Any, meant: Filter | None) -> None:
    if meant is None:
        with pytest.raises(ValueError, match="unknown operator"):
            parse_condition(sent)
    else:
        assert parse_condition(sent).filter == meant


def test_blank_operators_beside_others_are_as_good_as_absent() -> None:
    sent = {"any_of": ["x"], "all_of": [], "none_of": None, "contains": "", "exists": None}
    assert parse_condition(sent).filter == Filter(any_of=("x",))


@pytest.mark.parametrize(
    ("sent", "meant"),
    [
        ({"min": 1, "max": 5}, Range(1, 5)),
        ({"gte": 1, "lte": 5}, Range(1, 5)),
        ({"gt": 1, "lt": 5}, Range(1, 5, True, True)),
        ({"min": 1, "max": None}, Range(1)),
        ({"min": "", "max": 5}, Range(None, 5)),
        ({">": "10"}, Range("10", None, True)),
        ({"moreThan": 10}, Range(10, None, True)),
        ({"at least": 10}, Range(10)),
        ({"before": "2024-01-01"}, Range(None, "2024-01-01", False, True)),
        ({"from": "2024", "until": "2025"}, Range("2024", "2025")),
        ({"between": [1, 5]}, Range(1, 5)),
        ({"eq": 5}, Range(5, 5)),
        ('{"min": 1}', Range(1)),
        ([1, 5], Range(1, 5)),
        ([None, 5], Range(None, 5)),
        ("[1, 5]", Range(1, 5)),
        ("more than 10", Range("10", None, True)),
        ("More Than 10 km", Range("10 km", None, True)),
        ("at most 5", Range(None, "5")),
        ("no more than 5", Range(None, "5")),
        ("not less than 5", Range("5")),
        ("> 10", Range("10", None, True)),
        (">=10", Range("10")),
        ("≤ 10", Range(None, "10")),
        ("between 2 and 4", Range("2", "4")),
        ("Between 2 and 4", Range("2", "4")),
        ("from 2 to 4", Range("2", "4")),
        ("2 km to 4 km", Range("2 km", "4 km")),
        ("2..4", Range("2", "4")),
        ("2024-01-01 to 2024-03-31", Range("2024-01-01", "2024-03-31")),
        (7, Range(7, 7)),
    ],
)
def test_ranges_in_every_spelling(sent: Any, meant: Range) -> None:
    assert parse_range(sent) == meant


def test_more_than_ten_is_not_ten_or_more() -> None:
    for words in ("more than 10", "over 10", "above 10", "greater than 10", ">10"):
        bounds = parse_condition(words).range
        assert bounds is not None
        assert bounds.lower_open, words
    for words in ("at least 10", "from 10", ">= 10", "no less than 10"):
        bounds = parse_condition(words).range
        assert bounds is not None
        assert not bounds.lower_open, words


def test_a_text_that_may_be_a_range_stays_a_value_too() -> None:
    condition = parse_condition("more than 10")
    assert condition.filter == Filter(any_of=("more than 10",))
    assert condition.range == Range("10", None, True)
    assert parse_condition("over the hills").range is None


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        ({}, "not an empty object"),
        ([], "at least one value"),
        ({"any_of": []}, "at least one value"),
        ({"near": "x"}, "unknown operator 'near'"),
        ({"any_of": ["x"], "eq": "z"}, "given twice"),
        ({"any_of": "x", "min": 3}, "put bounds"),
        ({"exists": "maybe"}, "true or false"),
        ("   ", "blank"),
        ([None], "not null"),
        ([["x"]], "not list"),
        ("a\x00b", "control characters"),
        ("a\nb", "control characters"),
        ("x" * (MAX_TEXT + 1), "characters"),
        (["x"] * (MAX_VALUES + 1), f"at most {MAX_VALUES}"),
        (["x"] * 10_000, "10,000 values are too many"),
        ("half \ud800 a character", "not valid text"),
    ],
)
def test_what_cannot_be_a_filter_says_what_to_send(sent: Any, says: str) -> None:
    with pytest.raises(ValueError, match=says) as caught:
        parse_condition(sent)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        ({}, "not an empty object"),
        ({"min": None}, "at least one bound"),
        ([None, None], "at least one bound"),
        ({"around": 5}, "unknown bound 'around'"),
        ({"min": 1, "gt": 1}, "lower bound is given twice"),
        ({"min": 1, "between": [1, 2]}, "given twice"),
        ({"min": [1, 2]}, "one value, not a list"),
        ([1, 2, 3], "two values"),
        ({"between": [1]}, "two values"),
        ({"min": {"a": 1}}, "text, a number or a boolean"),
    ],
)
def test_what_cannot_be_a_range_says_what_to_send(sent: Any, says: str) -> None:
    with pytest.raises(ValueError, match=says) as caught:
        parse_range(sent)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("said", "means"),
    [
        *((said, True) for said in (True, "Yes", 1, "ja", "是", "1", " TRUE ")),
        *((said, False) for said in (False, "no", 0, "nein", "否", "0")),
        *((said, None) for said in ("maybe", 2, 0.5, "")),
    ],
)
def test_booleans_in_several_languages(said: object, means: bool | None) -> None:
    assert read_boolean(said) is means


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["any_of", "min", "gt", "exists", "between", "not", "x"]), inner
        )
    ),
    max_leaves=8,
)


@given(_JSON)
def test_anything_is_read_or_refused_in_one_line(sent: Any) -> None:
    for read in (parse_condition, parse_range):
        try:
            found = read(sent)
        except ValueError as error:
            assert "\n" not in str(error)
            assert "unpack" not in str(error)
        else:
            bounds = found if isinstance(found, Range) else found.range
            assert bounds is None or bounds.lower is not None or bounds.upper is not None


def test_numbers_that_are_none_are_kept_for_the_reader_to_refuse() -> None:
    bounds = parse_range({"min": math.inf})
    assert bounds.lower == math.inf
