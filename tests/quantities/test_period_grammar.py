"""Expressions of time, in English and Chinese, and the days that they are on a calendar."""

from __future__ import annotations

from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.quantities import (
    CALENDAR_YEAR,
    FiscalCalendar,
    PeriodReading,
    find_periods,
    find_time_words,
    read_period,
)

TODAY = date(2026, 11, 21)
FEBRUARY = FiscalCalendar(2, 1)
APRIL = FiscalCalendar(4, 1)
APRIL_BY_START = FiscalCalendar(4, 1, "start")
SIXTH_OF_APRIL = FiscalCalendar(4, 6)
JULY = FiscalCalendar(7, 1)
CALENDARS = (CALENDAR_YEAR, FEBRUARY, APRIL, APRIL_BY_START, SIXTH_OF_APRIL, JULY)


def read(text: str, calendar: FiscalCalendar = CALENDAR_YEAR, today: date = TODAY) -> PeriodReading:
    expression = read_period(text)
    assert expression is not None, text
    return expression.on(calendar, today)


def days(reading: PeriodReading) -> str:
    (period,) = reading.periods
    return f"{period.start}..{period.end}"


# What the calendar alone decides: the same on every fiscal calendar.
CALENDAR_FORMS = {
    ("2024", "2024-01-01..2024-12-31"): (
        "2024",
        "year 2024",
        "the year 2024",
        "in 2024",
        "full year 2024",
        "2024 full year",
        "calendar 2024",
        "calendar year 2024",
        "2024 calendar year",
        "CY2024",
        "CY24",
        "2024年",
        "2024 年",
        "2024年度",
        "2024年全年",
        "２０２４年",
        "二〇二四年",
        "二零二四年",
        "公历2024年",
    ),
    ("2024Q3", "2024-07-01..2024-09-30"): (
        "2024Q3",
        "2024 Q3",
        "2024-Q3",
        "Q3 2024",
        "q3 2024",
        "Q3-2024",
        "Q3 of 2024",
        "Q3, 2024",
        "Q3'24",
        "3Q24",
        "3Q 2024",
        "3Q2024",
        "CY24Q3",
        "2024 third quarter",
        "2024's third quarter",
        "third quarter of 2024",
        "the third quarter of 2024",
        "third quarter 2024",
        "3rd quarter of 2024",
        "calendar Q3 2024",
        "2024年第三季度",
        "2024年第3季度",
        "2024年三季度",
        "2024年3季度",
        "2024年第三季",
        "2024年Q3",
        "2024年度第三季度",
        "二〇二四年第三季度",
        "2024 年第三季度",
        "２０２４年Ｑ３",
    ),
    ("2024Q4", "2024-10-01..2024-12-31"): (
        "last quarter of 2024",
        "final quarter of 2024",
        "last three months of 2024",
        "three months ended 31 December 2024",
        "2024年第四季度",
    ),
    ("2024H1", "2024-01-01..2024-06-30"): (
        "H1 2024",
        "2024H1",
        "2024 H1",
        "1H24",
        "1H 2024",
        "H1'24",
        "first half of 2024",
        "the first half of 2024",
        "1st half 2024",
        "2024 first half",
        "first six months of 2024",
        "six months ended 30 June 2024",
        "2024年上半年",
        "截至2024年6月30日止六个月",
    ),
    ("2024H2", "2024-07-01..2024-12-31"): ("2H24", "second half of 2024", "2024年下半年"),
    ("2024 first nine months", "2024-01-01..2024-09-30"): (
        "2024 first nine months",
        "first nine months of 2024",
        "first 9 months of 2024",
        "first three quarters of 2024",
        "9M 2024",
        "9M24",
        "nine months ended September 30, 2024",
        "2024年前三季度",
        "2024年前三个季度",
        "2024年前9个月",
        "2024年前九个月",
    ),
    ("2024-03", "2024-03-01..2024-03-31"): (
        "2024-03",
        "2024/03",
        "03/2024",
        "March 2024",
        "march 2024",
        "March, 2024",
        "March of 2024",
        "Mar 2024",
        "Mar. 2024",
        "Mar-2024",
        "March '24",
        "2024 March",
        "2024年3月",
        "2024年03月",
        "2024年3月份",
        "2024 年 3 月",
        "二〇二四年三月",
    ),
    ("2024-03-31", "2024-03-31..2024-03-31"): (
        "2024-03-31",
        "2024/3/31",
        "2024.03.31",
        "31 March 2024",
        "31st March, 2024",
        "31st of March 2024",
        "31-Mar-2024",
        "March 31, 2024",
        "March 31st 2024",
        "Mar. 31, 2024",
        "as of 31 March 2024",
        "as at 31 March 2024",
        "at 31 March 2024",
        "on March 31, 2024",
        "end of March 2024",
        "the end of Q1 2024",
        "2024年3月31日",
        "2024年3月31号",
        "二〇二四年三月三十一日",
        "截至2024年3月31日",
        "截至2024年3月底",
    ),
    ("2023-12-31", "2023-12-31..2023-12-31"): (
        "at 31 December 2023",
        "end of 2023",
        "at the end of 2023",
        "year-end 2023",
        "2023 year-end",
        "2023年末",
        "2023年底",
        "2023年年底",
    ),
    ("2023", "2023-01-01..2023-12-31"): (
        "year ended 31 December 2023",
        "year to 31 December 2023",
        "12 months ended 31 December 2023",
        "twelve months ended December 31, 2023",
        "截至2023年12月31日止年度",
    ),
}


@pytest.mark.parametrize(
    ("text", "label", "interval"),
    [(text, *expected) for expected, texts in CALENDAR_FORMS.items() for text in texts],
)
def test_what_is_not_called_fiscal_is_the_calendars(text: str, label: str, interval: str) -> None:
    for calendar in (CALENDAR_YEAR, FEBRUARY, SIXTH_OF_APRIL):
        reading = read(text, calendar)
        assert (reading.kind, days(reading), reading.note) == ("single", interval, "")
    assert read(text).periods[0].label == label


FISCAL_FORMS = {
    ("FY2023", "2023-01-01..2023-12-31", "2022-02-01..2023-01-31"): (
        "FY2023",
        "FY 2023",
        "FY-2023",
        "FY23",
        "FY'23",
        "fy2023",
        "fiscal 2023",
        "fiscal year 2023",
        "the fiscal year 2023",
        "financial year 2023",
        "2023 fiscal year",
        "2023 FY",
        "2023财年",
        "2023財年",
        "2023 财年",
        "2023财政年度",
        "23财年",
        "财年2023",
    ),
    ("FY2023Q4", "2023-10-01..2023-12-31", "2022-11-01..2023-01-31"): (
        "Q4 FY2023",
        "Q4 FY23",
        "FY2023 Q4",
        "FY2023Q4",
        "FY23Q4",
        "Q4FY23",
        "4QFY23",
        "Q4 of fiscal 2023",
        "fiscal Q4 2023",
        "fiscal 2023 Q4",
        "FQ4 2023",
        "fourth quarter of fiscal 2023",
        "the fourth quarter of fiscal year 2023",
        "fourth fiscal quarter of 2023",
        "fiscal fourth quarter 2023",
        "2023财年第四季度",
        "2023财年Q4",
    ),
    ("FY2023H1", "2023-01-01..2023-06-30", "2022-02-01..2022-07-31"): (
        "FY2023H1",
        "H1 FY2023",
        "1HFY23",
        "first half of fiscal 2023",
        "2023财年上半年",
    ),
    ("FY2023 first nine months", "2023-01-01..2023-09-30", "2022-02-01..2022-10-31"): (
        "FY2023 first nine months",
        "first nine months of fiscal 2023",
        "9M FY2023",
        "2023财年前三季度",
    ),
}


@pytest.mark.parametrize(
    ("text", "label", "by_calendar", "by_february"),
    [(text, *expected) for expected, texts in FISCAL_FORMS.items() for text in texts],
)
def test_what_is_called_fiscal_is_on_the_fiscal_calendar(
    text: str, label: str, by_calendar: str, by_february: str
) -> None:
    expression = read_period(text)
    assert expression is not None
    assert expression.explicit_fiscal
    for calendar, interval in ((CALENDAR_YEAR, by_calendar), (FEBRUARY, by_february)):
        reading = expression.on(calendar, TODAY)
        assert (reading.kind, days(reading)) == ("single", interval)
        assert (reading.periods[0].label, reading.periods[0].fiscal) == (label, True)


@pytest.mark.parametrize(
    ("calendar", "text", "interval"),
    [
        (APRIL, "FY2024", "2023-04-01..2024-03-31"),
        (APRIL_BY_START, "FY2024", "2024-04-01..2025-03-31"),
        (APRIL_BY_START, "Q4 FY2024", "2025-01-01..2025-03-31"),
        (SIXTH_OF_APRIL, "FY2024", "2023-04-06..2024-04-05"),
        (SIXTH_OF_APRIL, "FY2024 Q1", "2023-04-06..2023-07-05"),
        (JULY, "FY2024H2", "2024-01-01..2024-06-30"),
        (FiscalCalendar(7, 1, "start"), "FY2024", "2024-07-01..2025-06-30"),
        (FEBRUARY, "end of FY2023", "2023-01-31..2023-01-31"),
        (FEBRUARY, "first month of FY2023", ""),
    ],
)
def test_fiscal_years_start_where_the_calendar_says(
    calendar: FiscalCalendar, text: str, interval: str
) -> None:
    expression = read_period(text)
    if not interval:
        assert expression is None
    else:
        assert days(read(text, calendar)) == interval


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("last year", "2025"),
        ("this year", "2026"),
        ("current year", "2026"),
        ("previous year", "2025"),
        ("prior year", "2025"),
        ("year before last", "2024"),
        ("next year", "2027"),
        ("last calendar year", "2025"),
        ("last quarter", "2026Q3"),
        ("this quarter", "2026Q4"),
        ("previous quarter", "2026Q3"),
        ("next quarter", "2027Q1"),
        ("the quarter before last", "2026Q2"),
        ("last month", "2026-10"),
        ("this month", "2026-11"),
        ("month before last", "2026-09"),
        ("last year's Q4", "2025Q4"),
        ("last year Q4", "2025Q4"),
        ("Q4 last year", "2025Q4"),
        ("Q3 of last year", "2025Q3"),
        ("the fourth quarter of last year", "2025Q4"),
        ("last quarter of last year", "2025Q4"),
        ("first half of this year", "2026H1"),
        ("March last year", "2025-03"),
        ("31 March this year", "2026-03-31"),
        ("end of last year", "2025-12-31"),
        ("去年", "2025"),
        ("今年", "2026"),
        ("前年", "2024"),
        ("大前年", "2023"),
        ("明年", "2027"),
        ("上年", "2025"),
        ("上一年", "2025"),
        ("上年度", "2025"),
        ("本年度", "2026"),
        ("上季度", "2026Q3"),
        ("上个季度", "2026Q3"),
        ("上個季度", "2026Q3"),
        ("上一季度", "2026Q3"),
        ("上上个季度", "2026Q2"),
        ("本季度", "2026Q4"),
        ("上月", "2026-10"),
        ("上个月", "2026-10"),
        ("本月", "2026-11"),
        ("去年第四季度", "2025Q4"),
        ("去年的第四季度", "2025Q4"),
        ("去年Q4", "2025Q4"),
        ("去年3月", "2025-03"),
        ("去年三月三十一日", "2025-03-31"),
        ("今年上半年", "2026H1"),
        ("今年前三季度", "2026 first nine months"),
        ("去年年底", "2025-12-31"),
    ],
)
def test_relative_words_are_counted_from_today_and_say_so(text: str, label: str) -> None:
    for calendar in (CALENDAR_YEAR, FEBRUARY):
        reading = read(text, calendar)
        assert [period.label for period in reading.periods] == [label]
        assert reading.note.endswith(f" = {label} (today is 2026-11-21)")
    expression = read_period(text)
    assert expression is not None
    assert expression.relative
    assert not expression.explicit_fiscal


@pytest.mark.parametrize(
    ("text", "calendar", "today", "interval"),
    [
        ("last fiscal year", FEBRUARY, "2026-11-21", "2025-02-01..2026-01-31"),
        ("last fiscal year", FEBRUARY, "2026-01-31", "2024-02-01..2025-01-31"),
        ("last fiscal year", FEBRUARY, "2026-02-01", "2025-02-01..2026-01-31"),
        ("last fiscal year", APRIL_BY_START, "2026-03-31", "2024-04-01..2025-03-31"),
        ("上财年", FEBRUARY, "2026-11-21", "2025-02-01..2026-01-31"),
        ("上一财年", FEBRUARY, "2026-11-21", "2025-02-01..2026-01-31"),
        ("上个财政年度", FEBRUARY, "2026-11-21", "2025-02-01..2026-01-31"),
        ("this fiscal year", FEBRUARY, "2026-11-21", "2026-02-01..2027-01-31"),
        ("本财年", FEBRUARY, "2026-11-21", "2026-02-01..2027-01-31"),
        ("Q4 of last fiscal year", FEBRUARY, "2026-11-21", "2025-11-01..2026-01-31"),
        ("上财年第四季度", FEBRUARY, "2026-11-21", "2025-11-01..2026-01-31"),
        ("last fiscal quarter", FEBRUARY, "2026-11-21", "2026-08-01..2026-10-31"),
        ("last fiscal quarter", FEBRUARY, "2026-02-01", "2025-11-01..2026-01-31"),
        ("last fiscal quarter", SIXTH_OF_APRIL, "2026-04-05", "2025-10-06..2026-01-05"),
        ("last fiscal year", CALENDAR_YEAR, "2026-11-21", "2025-01-01..2025-12-31"),
        ("last quarter", CALENDAR_YEAR, "2026-01-01", "2025-10-01..2025-12-31"),
        ("last month", CALENDAR_YEAR, "2026-01-31", "2025-12-01..2025-12-31"),
    ],
)
def test_relative_words_cross_years(
    text: str, calendar: FiscalCalendar, today: str, interval: str
) -> None:
    assert days(read(text, calendar, date.fromisoformat(today))) == interval


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("2022-2024", "2022 2023 2024"),
        ("2022–2024", "2022 2023 2024"),
        ("2022 - 2024", "2022 2023 2024"),
        ("2022~2024", "2022 2023 2024"),
        ("2022 to 2024", "2022 2023 2024"),
        ("2022 through 2024", "2022 2023 2024"),
        ("from 2022 to 2024", "2022 2023 2024"),
        ("between 2021 and 2023", "2021 2022 2023"),
        ("2022-24", "2022 2023 2024"),
        ("FY2022-FY2024", "FY2022 FY2023 FY2024"),
        ("FY2022 to 2024", "FY2022 FY2023 FY2024"),
        ("FY2022-24", "FY2022 FY2023 FY2024"),
        ("FY22-24", "FY2022 FY2023 FY2024"),
        ("fiscal 2022 to fiscal 2024", "FY2022 FY2023 FY2024"),
        ("2022年至2024年", "2022 2023 2024"),
        ("2022至2024年", "2022 2023 2024"),
        ("2022到2024年", "2022 2023 2024"),
        ("从2022年到2024年", "2022 2023 2024"),
        ("2022年至2024年期间", "2022 2023 2024"),
        ("2022至2024财年", "FY2022 FY2023 FY2024"),
        ("2022Q1-2022Q4", "2022Q1 2022Q2 2022Q3 2022Q4"),
        ("2023Q4 to 2024Q2", "2023Q4 2024Q1 2024Q2"),
        ("2024Q1-Q3", "2024Q1 2024Q2 2024Q3"),
        ("Q1 to Q3 2024", "2024Q1 2024Q2 2024Q3"),
        ("Q1-Q3 FY2024", "FY2024Q1 FY2024Q2 FY2024Q3"),
        ("first to third quarter of 2024", "2024Q1 2024Q2 2024Q3"),
        ("2024年第一季度至第三季度", "2024Q1 2024Q2 2024Q3"),
        ("2024年第一至第三季度", "2024Q1 2024Q2 2024Q3"),
        ("H1 2023 to H1 2024", "2023H1 2023H2 2024H1"),
        ("March to May 2024", "2024-03 2024-04 2024-05"),
        ("apr to jun 2024", "2024-04 2024-05 2024-06"),
        ("Mar-May 2024", "2024-03 2024-04 2024-05"),
        ("November 2023 to February 2024", "2023-11 2023-12 2024-01 2024-02"),
        ("2024-01 to 2024-03", "2024-01 2024-02 2024-03"),
        ("2024年1-3月", "2024-01 2024-02 2024-03"),
        ("2024年1月至3月", "2024-01 2024-02 2024-03"),
        ("2023 to last year", "2023 2024 2025"),
    ],
)
def test_a_range_is_each_of_its_periods(text: str, labels: str) -> None:
    reading = read(text)
    assert reading.kind == "several"
    assert " ".join(period.label for period in reading.periods) == labels


def test_a_range_of_days_is_one_period() -> None:
    reading = read("2024-01-05 to 2024-02-09")
    assert (reading.kind, days(reading)) == ("single", "2024-01-05..2024-02-09")
    assert read("1 January 2024 to 31 March 2024").periods[0].label == "2024Q1"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("2024 to 2022", "ends before"),
        ("2023 to March 2024", "one length"),
        ("2022 to FY2024", "fiscal or calendar"),
        ("Q3 2022-2024", "one length"),
        ("1600 to 2000", "at most 240"),
        ("Q4 to Q1 2024", "of which year"),
        ("2023/24", "one fiscal year, or two"),
        ("FY2023-24", "one fiscal year, or two"),
        ("2023/2024", "one fiscal year, or two"),
        ("March FY2024", "calendar month"),
        ("latest quarter of 2024", "window within"),
        ("29 February last year", "no such day"),
        ("year ended 2024", "on which day"),
        ("since Q3", "names no year"),
        ("Q3", "Q3 of which year?"),
        ("第三季度", "第三季度 of which year?"),
        ("三季度", "of which year?"),
        ("H1", "of which year?"),
        ("third quarter", "of which year?"),
        ("上半年", "of which year?"),
        ("下半年", "of which year?"),
        ("前三季度", "of which year?"),
        ("in March", "of which year?"),
        ("3月", "of which year?"),
        ("三月", "of which year?"),
        ("31 March", "of which year?"),
        ("3月31日", "of which year?"),
        ("first nine months", "of which year?"),
    ],
)
def test_what_cannot_be_read_says_why(text: str, why: str) -> None:
    reading = read(text)
    assert (reading.kind, reading.periods) == ("unreadable", ())
    assert why in reading.note


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("since 2021", "2021"),
        ("from 2021 on", "2021"),
        ("from 2021 onwards", "2021"),
        ("2021 onwards", "2021"),
        ("after 2021", "2022"),
        ("since FY2021", "FY2021"),
        ("since Q3 2023", "2023Q3"),
        ("after Q4 2023", "2024Q1"),
        ("since March 2022", "2022-03"),
        ("after 31 December 2023", "2024-01-01"),
        ("2021年以来", "2021"),
        ("自2021年以来", "2021"),
        ("自2021年", "2021"),
        ("2021年起", "2021"),
        ("从2021年起", "2021"),
        ("2021年至今", "2021"),
        ("2021年第三季度以来", "2021Q3"),
    ],
)
def test_since_is_its_first_period(text: str, first: str) -> None:
    reading = read(text)
    assert (reading.kind, [period.label for period in reading.periods]) == ("since", [first])


@pytest.mark.parametrize(
    ("text", "grain"),
    [
        ("latest", None),
        ("the latest", None),
        ("newest", None),
        ("most recent", None),
        ("latest available", None),
        ("最新", None),
        ("最近一期", None),
        ("latest year", "year"),
        ("most recent fiscal year", "year"),
        ("latest quarter", "quarter"),
        ("last reported quarter", "quarter"),
        ("latest month", "month"),
        ("latest half-year", "half"),
        ("最近一个季度", "quarter"),
        ("最近一個季度", "quarter"),
        ("最新季度", "quarter"),
        ("最新一季", "quarter"),
        ("最新财年", "year"),
    ],
)
def test_latest_has_the_grain_that_was_asked_for(text: str, grain: str | None) -> None:
    reading = read(text)
    assert (reading.kind, reading.periods, reading.grain) == ("latest", (), grain)


@pytest.mark.parametrize(
    ("text", "grain", "count"),
    [
        ("YTD", None, 0),
        ("year to date", None, 0),
        ("year-to-date", None, 0),
        ("2024 YTD", None, 0),
        ("YTD 2024", None, 0),
        ("this year so far", None, 0),
        ("年初至今", None, 0),
        ("今年以来", None, 0),
        ("TTM", "month", 12),
        ("LTM", "month", 12),
        ("last twelve months", "month", 12),
        ("trailing 12 months", "month", 12),
        ("the last 3 years", "year", 3),
        ("past two quarters", "quarter", 2),
        ("latest 4 quarters", "quarter", 4),
        ("past year", "year", 1),
        ("over the last year", "year", 1),
        ("最近三年", "year", 3),
        ("过去两个季度", "quarter", 2),
        ("過去三年", "year", 3),
        ("近12个月", "month", 12),
        ("近十年", "year", 10),
    ],
)
def test_a_window_is_no_period(text: str, grain: str | None, count: int) -> None:
    reading = read(text)
    assert (reading.kind, reading.periods) == ("rolling", ())
    assert (reading.grain, reading.count) == (grain, count)


@pytest.mark.parametrize(
    ("text", "raws"),
    [
        ("Revenue of HK in 2023 and 2024", "2023|2024"),
        ("2022, 2023 and 2024", "2022|2023|2024"),
        ("2022,2023", "2022|2023"),
        ("中国内地FY2024的REVENUE是多少", "FY2024"),
        ("腾讯去年第四季度的收入和今年上半年的利润", "去年第四季度|今年上半年"),
        ("Q3 2024, Q4 2024", "Q3 2024|Q4 2024"),
        ("2024 Q3, 2024 Q4", "2024 Q3|2024 Q4"),
        ("May I see the May 2024 revenue?", "May 2024"),
        ("did it march on in march 2024", "march 2024"),
        ("本月 vs 日本月均", "本月"),
        ("超过去年", "去年"),
        ("以上年龄, 目前年均, 说明年份, 版本月报", ""),
        ("revenue from 2022 to 2024 in China", "from 2022 to 2024"),
        ("revenue before 2020", "2020"),
        ("𝔘nicode before 2024Q3 keeps offsets", "2024Q3"),
        ("İstanbul 2024", "2024"),
        ("revenue:2024", "2024"),
        ("2024's revenue", "2024"),
        ("2023年全年和2024年前三季度", "2023年全年|2024年前三季度"),
    ],
)
def test_periods_are_found_where_they_stand(text: str, raws: str) -> None:
    found = find_periods(text)
    assert "|".join(one.raw for one in found) == raws
    assert all(text[slice(*one.span)] == one.raw for one in found)


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("Q1, Q2 and Q3 2024", "2024Q1 2024Q2 2024Q3"),
        ("first and second quarter of 2024", "2024Q1 2024Q2"),
        ("2024Q1、Q2、Q3", "2024Q1 2024Q2 2024Q3"),
        ("2024年3月和4月", "2024-03 2024-04"),
        ("FY2023 and 2024", "FY2023 FY2024"),
        ("2023和2024财年", "FY2023 FY2024"),
        ("2023 and FY2024", "2023 FY2024"),
        ("Q4 and Q1 2024", "? 2024Q1"),
        ("Q3 2023 and 2024", "2023Q3 ?"),
        ("2023和2024年第三季度", "? 2024Q3"),
        ("2024 and the previous year", "2024 ?"),
        ("2024年第三季度比上季度", "2024Q3 ?"),
        ("2024 and last year", "2024 2025"),
        ("2024年vs2023年", "2024 2023"),
        ("2024年Q3vs2023年Q3", "2024Q3 2023Q3"),
        ("Q3FY24vsQ3FY23", "FY2024Q3 FY2023Q3"),
        ("31 December 2023 and 2022", "2023-12-31 ?"),
        ("three months ended 31 March 2024 and 2023", "2024Q1 ?"),
        ("years ended 31 December 2024, 2023 and 2022", "2024 2023 2022"),
        ("years ended 31 January 2024, 2023 and 2022", "2023-02-01 to 2024-01-31 ? ?"),
        ("the previous year", "2025"),
    ],
)
def test_periods_that_are_named_together_share_what_is_plain(text: str, labels: str) -> None:
    readings = [one.on(CALENDAR_YEAR, TODAY) for one in find_periods(text)]
    assert " ".join(one.periods[0].label if one.periods else "?" for one in readings) == labels


@pytest.mark.parametrize(
    "text",
    [
        "2024 km",
        "2024 assets",
        "2024个资产",
        "$2024",
        "€ 2024",
        "2,024",
        "12024",
        "20240",
        "2024.5",
        "CC-2024",
        "asset2024",
        "2024abc",
        "v1.2024.3",
        "https://example.org/2024/03",
        "03/05/2024",
        "31 June 2024",
        "29 February 2023",
        "2023-02-30",
        "2024-13",
        "2024-13-01",
        "Q5 2024",
        "2024Q5",
        "FY0000",
        "FY1234",
        "第五季度",
        "13月",
        "2024年13月",
        "2024年2月30日",
        "24",
        "24年",
        "1990s",
        "2020年代",
        "1499",
        "2200",
        "the may flower",
        "sept",
        "",
    ],
)
def test_what_is_no_period_is_not_read(text: str) -> None:
    assert find_periods(text) == []
    assert read_period(text) is None


@pytest.mark.parametrize("text", ["2024 revenue", "in 2024 and 2025", "x2024", "2024" * 100])
def test_a_text_that_is_more_than_one_expression_is_not_read_whole(text: str) -> None:
    assert read_period(text) is None


PIECES = st.lists(
    st.sampled_from(
        [
            *"0123456789 .,-/'年月日季第上下半去今前度财个一二三四十和至到自起来最近新QHFYM\n",
            *("2024", "FY", "Q3", "H1", " of ", " to ", " and ", "last ", "year", "quarter"),
            *(
                "since ",
                "between ",
                "March",
                "31",
                "first ",
                "nine ",
                "months",
                " ended ",
                "latest",
            ),
            *("fiscal ", "季度", "财年", "以来", "截至", "止年度", "end of ", "Q5", "13", "YTD"),
        ]
    ),
    max_size=12,
).map("".join)


@given(st.one_of(st.text(max_size=60), PIECES), st.sampled_from(CALENDARS), st.dates())
def test_any_text_is_read_without_failing(text: str, calendar: FiscalCalendar, today: date) -> None:
    found, words = find_periods(text), find_time_words(text)
    spans = [one.span for one in found]
    for start, end in [*spans, *words]:
        assert 0 <= start < end <= len(text)
    for everything in (spans, words, sorted([*spans, *words])):
        assert all(one[1] <= other[0] for one, other in pairwise(everything))
    for one in found:
        assert text[slice(*one.span)] == one.raw
        reading = one.on(calendar, today)
        assert bool(reading.periods) == (reading.kind in ("single", "several", "since"))
        assert all(period.start <= period.end for period in reading.periods)
    read_period(text)


@given(PIECES, st.sampled_from(CALENDARS))
def test_every_label_is_read_back(text: str, calendar: FiscalCalendar) -> None:
    for one in find_periods(text):
        for period in one.on(calendar, TODAY).periods:
            assert read(period.label, calendar).periods == (period,)


@pytest.mark.parametrize(
    "text", ["2024" * 5000, "2024 " * 2000, "1" * 20000, " " * 20000, "Q1 and " * 2000, "第" * 9000]
)
def test_long_texts_are_read_too(text: str) -> None:
    assert len(find_periods(text)) <= len(text) // 2
    find_time_words(text)


@pytest.mark.parametrize(
    ("text", "year"),
    [("FY94", 1994), ("FY69", 1969), ("FY68", 2068), ("94财年", 1994), ("1Q94", 1994)],
)
def test_two_digits_are_a_year_from_1969_to_2068(text: str, year: int) -> None:
    assert read(text).periods[0].start.year == year


@pytest.mark.parametrize(
    "text",
    [
        "Italy 2022 gross domestic product?",
        "伊朗伊斯兰共和国的2022人口",
        "布基纳法索的2022名义GDP",
        "2022台湾人口",
        "2022公司营收",
    ],
)
def test_a_word_that_begins_like_a_measure_word_leaves_a_year_a_year(text: str) -> None:
    assert [one.raw for one in find_periods(text)] == ["2022"]


@pytest.mark.parametrize("text", ["2022人", "2022名员工", "there are 2022 assets"])
def test_a_count_is_no_year(text: str) -> None:
    assert find_periods(text) == []


def test_full_width_letters_around_a_period_are_passed_over() -> None:
    assert days(read("ｔｈｅ ｙｅａｒ ２０２４")) == "2024-01-01..2024-12-31"
