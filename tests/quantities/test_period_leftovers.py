"""What speaks of time and is no period is found, so that nobody assumes one."""

from __future__ import annotations

import pytest

from groundwire.quantities import find_periods, find_time_words


def words(text: str) -> list[str]:
    return [text[start:end] for start, end in find_time_words(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("recently reported revenue", "recently"),
        ("next spring", "next|spring"),
        ("in the fall", "the fall"),
        ("Michaelmas term", "Michaelmas"),
        ("revenue before 2020", "before"),
        ("until 2020", "until"),
        ("by 2023", "by"),
        ("up to 2023", "up to"),
        ("prior to 2023", "prior to"),
        ("mid-2024", "mid|2024"),
        ("pre-2020", "pre|2020"),
        ("pre-pandemic revenue", "pre-pandemic"),
        ("early 2024", "early"),
        ("the beginning of 2024", "beginning of"),
        ("as of Q3 2024", "as of"),
        ("Q5 2024", "Q5 2024"),
        ("31 June 2024", "31 June 2024"),
        ("2024-13", "2024-13"),
        ("FY0000", "FY0000"),
        ("24/25", "24/25"),
        ("202403", "202403"),
        ("03/05/2024", "03/05/2024"),
        ("the 1990s", "1990s"),
        ("the 90s", "90s"),
        ("2 years ago", "2 years ago"),
        ("three quarters back", "three quarters back"),
        ("500 BC", "500 BC"),
        ("yesterday and tomorrow", "yesterday|tomorrow"),
        ("on Monday", "Monday"),
        ("last week", "last week"),
        ("Christmas sales", "Christmas"),
        ("quarterly revenue", "quarterly"),
        ("revenue per year", "per year"),
        ("over the same period", "same period"),
        ("year over year growth", "year|year"),
        ("yoy", "yoy"),
        ("twenty twenty-four", "twenty twenty-four"),
        ("two thousand twenty four", "two thousand twenty four"),
        ("Mar-24", "Mar-24"),
        ("revenue last December", "last"),
        ("1 to 31 March 2024", "1 to"),
        ("2024 assets", "2024"),
        ("CC-2024", "2024"),
        ("近期", "近期"),
        ("近几年营收", "近几年"),
        ("上周销售额", "上周"),
        ("本周和下周", "本周|下周"),
        ("13月营收", "13月"),
        ("第五季度", "第五季度"),
        ("2024年13月", "2024年13月"),
        ("24年营收", "24年"),
        ("2024年初营收", "初"),
        ("2024年前", "前"),
        ("2024年后", "后"),
        ("2024年左右", "左右"),
        ("2024年中的营收", "中"),
        ("2024年春季", "春季"),
        ("到2024年", "到"),
        ("2019+", "+"),
        ("through 2024", "through"),
        ("S1 2024", "S1"),
        ("FYE 2024", "FYE"),
        ("last annual report", "last annual"),
        ("2024 fiscal deficit", "fiscal"),
        ("2024Q1-5", "2024Q1"),
        ("春节期间", "春节|期间"),
        ("國慶", "國慶"),
        ("疫情前", "疫情"),
        ("同比和环比", "同比|环比"),
        ("去年同期", "同期"),
        ("上世纪九十年代", "上世纪|九十年代"),
        ("三年前", "三年前"),
        ("2020年之前", "之前"),
        ("2020年代", "2020年代"),
        ("季度营收", "季度"),
        ("截至2024年Q3", "截至"),
        ("目前的营收", "目前"),
    ],
)
def test_words_of_time_are_found(text: str, found: str) -> None:
    assert "|".join(words(text)) == found


@pytest.mark.parametrize(
    "text",
    [
        "What was the revenue of HK in 2024?",
        "annual revenue 2024",
        "revenue may fall or march on",
        "net profit margin of the Hong Kong subsidiary",
        "last year's Q4 and FY2024",
        "from 2022 to 2024",
        "since 2021",
        "as of 31 March 2024",
        "2024年第三季度营收是多少",
        "中国内地FY2024的REVENUE是多少",
        "去年第四季度的净利润",
        "超过去年",
        "2024年中国GDP",
        "2024年前三季度",
        "2024年前十大客户",
        "达到2024年",
        "2024's revenue",
        "the 2022-2024 period",
        "以上年龄",
        "日本的市场份额",
        "$2,024 and 42 million",
        "gross margin second to none",
        "",
    ],
)
def test_what_is_read_or_no_time_is_left(text: str) -> None:
    assert words(text) == []


def test_the_year_beside_a_bound_is_still_found() -> None:
    assert [one.raw for one in find_periods("revenue before 2020")] == ["2020"]
