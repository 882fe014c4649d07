"""Intervals of time are read with the bound beside them, in English, German and Chinese."""

from __future__ import annotations

from datetime import date

import pytest

from groundwire.quantities import find_dates, find_intervals, find_periods, find_time_words

TODAY = date(2026, 11, 21)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("before 2010", None, "2009-12-31"),
        ("until the end of 2020", None, "2020-12-31"),
        ("since March 2019", "2019-03-01", None),
        ("after 2015", "2016-01-01", None),
        ("the 1990s", "1990-01-01", "1999-12-31"),
        ("since the 1990s", "1990-01-01", None),
        ("the 20th century", "1901-01-01", "2000-12-31"),
        ("seit 2015", "2015-01-01", None),
        ("bis 2020", None, "2020-12-31"),
        ("vor März 2019", None, "2019-02-28"),
        ("in den 1980er-Jahren", "1980-01-01", "1989-12-31"),
        ("1. Halbjahr 2024", "2024-01-01", "2024-06-30"),
        ("31.12.2024", "2024-12-31", "2024-12-31"),
        ("24Q1", "2024-01-01", "2024-03-31"),
        ("2015年以来", "2015-01-01", None),
        ("2010年之前", None, "2009-12-31"),
        ("上世纪九十年代", "1990-01-01", "1999-12-31"),
        ("2018年前半年", "2018-01-01", "2018-06-30"),
    ],
)
def test_an_interval_has_its_bound(text: str, start: str | None, end: str | None) -> None:
    (found,) = find_intervals(text, TODAY)
    assert (str(found.start or ""), str(found.end or "")) == (start or "", end or "")
    assert text[slice(*found.span)] == found.raw


@pytest.mark.parametrize(
    "text",
    ["mid-2024", "early 2019", "around 2015", "Anfang 2019", "Frühjahr 2020", "2018年初",
     "KW 12 2021", "fünftes Quartal 2024", "01/02/2024", "in the 20s"],
)  # fmt: skip
def test_what_is_vague_is_no_interval(text: str) -> None:
    assert find_intervals(text, TODAY) == []


def test_a_german_bound_is_shown_beside_the_period() -> None:
    text = "Umsatz vor 2020"
    assert [one.raw for one in find_periods(text)] == ["2020"]
    assert [text[start:end] for start, end in find_time_words(text)] == ["vor"]


@pytest.mark.parametrize(
    ("text", "start", "end", "grain"),
    [
        ("H1 2024", "2024-01-01", "2024-06-30", "half"),
        ("drittes Quartal 2020", "2020-07-01", "2020-09-30", "quarter"),
        ("first nine months of 2024", "2024-01-01", "2024-09-30", "part"),
        ("2020年1-6月", "2020-01-01", "2020-06-30", "part"),
    ],
)
def test_a_date_is_the_part_of_the_year_that_is_named(
    text: str, start: str, end: str, grain: str
) -> None:
    (found,) = find_dates(text)
    assert (str(found.start), str(found.end), found.grain) == (start, end, grain)
    assert found.raw == text
