"""Words that bound a period are shown beside it, and a date is the part of a year that is named."""

from __future__ import annotations

import pytest

from groundwire.quantities import find_dates, find_periods, find_time_words


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
