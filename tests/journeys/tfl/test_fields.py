"""Fields of a payload by the type they should have."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.journeys.itinerary import Point
from groundwire.journeys.tfl.fields import (
    child,
    children,
    flag,
    plain_text,
    point,
    text,
    texts,
    whole,
)


@given(st.text(st.sampled_from("ab <>&;/\\n\n\t.,\xa0\u2003"), max_size=12))
def test_a_text_is_always_plain(value: str) -> None:
    assert text({"name": value}, "name") == plain_text(value)


@pytest.mark.parametrize(
    ("value", "number"),
    [(7, 7), (7.6, 8), ("12", 12), ("3.0", 3), ("", None), ("x", None), (True, None), (None, None),
     (float("nan"), None), (float("inf"), None), ([1], None)],
)  # fmt: skip
def test_whole_numbers(value: Any, number: int | None) -> None:
    assert whole({"n": value}, "n") == number


def test_what_is_of_another_type_is_absent() -> None:
    node: dict[str, Any] = {"a": 7, "b": "text", "c": [1, {"x": 1}, "<b>y</b>", ""], "d": {"x": 1}}
    assert text(node, "a") == "7"
    assert text(node, "d") == ""
    assert child(node, "c") == {}
    assert children(node, "c") == [{"x": 1}]
    assert children(node, "b") == []
    assert texts(node, "c") == ["y"]
    assert texts(node, "b") == []
    assert flag({"a": "true"}, "a") is False


@pytest.mark.parametrize(
    ("node", "found"),
    [
        ({"lat": 51.5, "lon": -0.1}, Point(51.5, -0.1)),
        ({"lat": 51, "lon": 0}, Point(51.0, 0.0)),
        ({"lat": 0.0, "lon": 0.0}, None),
        ({"lat": 91, "lon": 0}, None),
        ({"lat": "51.5", "lon": -0.1}, None),
        ({"lat": float("nan"), "lon": 1}, None),
        ({}, None),
    ],
)
def test_positions(node: dict[str, Any], found: Point | None) -> None:
    assert point(node) == found
