"""Dates and years, and the digits that only look like them."""

from __future__ import annotations

import pytest

from groundwire.quantities import find_dates, find_partial_dates


@pytest.mark.parametrize(
    ("text", "raw", "start", "end", "grain"),
    [
        ("on 2024-03-05.", "2024-03-05", "2024-03-05", "2024-03-05", "day"),
        ("2024-03-05T10:00:00Z", "2024-03-05T10:00:00Z", "2024-03-05", "2024-03-05", "day"),
        ("2024/3/5", "2024/3/5", "2024-03-05", "2024-03-05", "day"),
        ("by 2024-02 at last", "2024-02", "2024-02-01", "2024-02-29", "month"),
        ("3 March 2024", "3 March 2024", "2024-03-03", "2024-03-03", "day"),
        ("the 3rd of March, 2024", "3rd of March, 2024", "2024-03-03", "2024-03-03", "day"),
        ("March 3rd, 2024", "March 3rd, 2024", "2024-03-03", "2024-03-03", "day"),
        ("Mar 2024", "Mar 2024", "2024-03-01", "2024-03-31", "month"),
        ("Sept. 2023", "Sept. 2023", "2023-09-01", "2023-09-30", "month"),
        ("创建于2024年3月5日。", "2024年3月5日", "2024-03-05", "2024-03-05", "day"),
        ("二〇二四年三月五日", "二〇二四年三月五日", "2024-03-05", "2024-03-05", "day"),
        ("2024 年 3 月", "2024 年 3 月", "2024-03-01", "2024-03-31", "month"),
        ("２０２４年", "２０２４年", "2024-01-01", "2024-12-31", "year"),
        ("Q3 2024", "Q3 2024", "2024-07-01", "2024-09-30", "quarter"),
        ("2024Q3", "2024Q3", "2024-07-01", "2024-09-30", "quarter"),
        ("2024年第三季度", "2024年第三季度", "2024-07-01", "2024-09-30", "quarter"),
        ("in 2024 it grew", "2024", "2024-01-01", "2024-12-31", "year"),
        ("GDP (2023) was", "2023", "2023-01-01", "2023-12-31", "year"),
        ("2024 revenue", "2024", "2024-01-01", "2024-12-31", "year"),
        ("FY2023 results", "FY2023", "2023-01-01", "2023-12-31", "year"),
        ("FY23", "FY23", "2023-01-01", "2023-12-31", "year"),
        ("2023财年", "2023财年", "2023-01-01", "2023-12-31", "year"),
    ],
)
def test_a_date_is_an_interval(text: str, raw: str, start: str, end: str, grain: str) -> None:
    (mention,) = find_dates(text)
    assert mention.raw == raw
    assert (str(mention.start), str(mention.end), mention.grain) == (start, end, grain)
    assert text[slice(*mention.span)] == raw


@pytest.mark.parametrize(
    "text",
    [
        "2024 assets",
        "of 2024 matching assets",
        "2024 km",
        "2024km",
        "2024个资产",
        "$2024",
        "2,024",
        "12024",
        "CC-2024",
        "10.1234/2024",
        "asset-2024-03-05",
        "31 June 2024",
        "2023-02-30",
        "the 1990s",
        "03/05/2024",
        "3 March",
        "in May",
        "v2024",
    ],
)
def test_what_is_no_date_is_not_read(text: str) -> None:
    assert find_dates(text) == []


def test_both_ends_of_a_span_of_years_are_found() -> None:
    for text in ("2020-2024", "2020–2024", "from 2020 to 2024", "2020年至2024年"):
        assert [mention.start.year for mention in find_dates(text)] == [2020, 2024], text


def test_fiscal_years_are_marked_and_do_not_cover_calendar_ones() -> None:
    (fiscal,), (year,), (month,) = (find_dates(t) for t in ("FY2024", "2024年", "March 2024"))
    assert fiscal.fiscal
    assert year.covers(month)
    assert not fiscal.covers(month)
    assert not month.covers(year)


def test_days_and_months_without_a_year_are_known_as_no_quantities() -> None:
    text = "from 3 March to 5月6日, in the 1990s, 03/05/2024"
    assert [text[slice(*span)] for span in find_partial_dates(text)] == [
        "3 March",
        "5月6日",
        "1990s",
        "03/05/2024",
    ]


@pytest.mark.parametrize("text", ["GDP was 2022 USD.", "Revenue: 2022 million", "2022 yuan"])
def test_an_amount_is_no_year(text: str) -> None:
    assert find_dates(text) == []


def test_the_dollars_of_a_year_leave_it_a_year() -> None:
    assert [date.raw for date in find_dates("GDP in 2015 USD")] == ["2015"]
