"""`query_metric`: found, not_found or unrecognized_param, and nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.metrics.factbase import State
from groundwire.metrics.results import QueryResult

Query = Callable[..., QueryResult]
LABEL = re.compile(
    r"(?<![\d.,])(?:FY)?\d{4}(?:-\d\d-\d\d|-\d\d|Q[1-4]|H[12])?(?!\d|[.,]\d)", re.ASCII
)


def refused(answer: QueryResult) -> tuple[str | None, str | None, list[str]]:
    assert answer.status == "unrecognized_param"
    return answer.param, answer.reason, [one.value for one in answer.candidates or []]


def resolved(answer: QueryResult) -> dict[str, tuple[str, str]]:
    return {one.param: (one.resolved, one.how) for one in answer.resolved or []}


def assert_holds_no_number(answer: QueryResult, *sent: str) -> None:
    """A refusal holds no digits but those of period labels, days, and what was sent."""
    tree = answer.model_dump(mode="json", exclude_none=True)
    assert not {"value", "value_text", "unit", "interval", "source", "conflicts"} & tree.keys()
    text = json.dumps(tree, ensure_ascii=False)
    for one in sorted(sent, key=len, reverse=True):
        for written in (one, " ".join(one.split()), " ".join(one.split())[:80]):
            if written:
                text = text.replace(json.dumps(written, ensure_ascii=False)[1:-1], "")
    assert not re.search(r"\d", LABEL.sub("", text)), text


# Found


@pytest.mark.parametrize(
    ("sent", "value", "unit", "days"),
    [
        (("population", "中国", "2010"), "1337705000", "people", "2010-01-01 2010-12-31"),
        (("营收", "中国", "FY2024"), "3998900000", "CNY", "2024-01-01 2024-12-31"),
        (("revenue", "HK", "2024Q3"), None, "CNY", "2024-07-01 2024-09-30"),
        (("net profit", "HK", "FY2024"), "-12300000", "CNY", "2024-01-01 2024-12-31"),
        (("gross margin", "HK", "2024H1"), "37.0", "%", "2024-01-01 2024-06-30"),
        (("ROE", "托瓦恩集团", "2025"), "9.9", "%", "2025-01-01 2025-12-31"),
        (("revenue", "Tolvarne", "2025年3月", "线上"), None, "CNY", "2025-03-01 2025-03-31"),
    ],
)
def test_a_value_is_exact_and_comes_with_unit_interval_and_source(
    query: Query, sent: tuple[str, ...], value: str | None, unit: str, days: str
) -> None:
    answer = query(*sent)
    assert answer.status == "found"
    assert value in (None, answer.value_text)
    assert answer.value is not None and Decimal(str(answer.value)) == Decimal(answer.value_text)
    assert answer.unit == unit
    assert f"{answer.interval.start} {answer.interval.end}" == days
    assert answer.source.doc and answer.source.locator and len(answer.source.doc_hash) == 64
    assert f"{Decimal(answer.value_text):,f}" in answer.answer
    assert answer.source.doc in answer.answer and answer.source.locator in answer.answer


def test_thousands_are_grouped_and_never_an_exponent(shops: Any, written: Any) -> None:
    query = shops(
        written("SALES", "A", "2024-01-01", "2024-12-31", "3626396000"),
        written("SALES", "A", "2023-01-01", "2023-12-31", "3.626396E+9"),
        written("SALES", "A", "2022-01-01", "2022-12-31", "0.00000012"),
        written("SALES", "A", "2021-01-01", "2021-12-31", "12345678901234567890.10"),
    )
    answers = [query("sales", "Alpha", str(year)) for year in (2024, 2023, 2022, 2021)]
    assert [one.value_text for one in answers] == [
        "3626396000", "3626396000", "0.00000012", "12345678901234567890.10",
    ]  # fmt: skip
    assert "3,626,396,000 EUR" in answers[0].answer
    assert "3,626,396,000 EUR" in answers[1].answer
    assert "0.00000012 EUR" in answers[2].answer
    assert "12,345,678,901,234,567,890.10 EUR" in answers[3].answer
    assert answers[0].value == 3626396000 and isinstance(answers[0].value, int)
    assert isinstance(answers[3].value, float)


def test_how_each_argument_was_read_is_said(query: Query) -> None:
    answer = query("sales", "Mainland China", "last quarter", "e-commerce", "2026-11-01")
    assert answer.status == "found"
    assert resolved(answer) == {
        "metric": ("REVENUE", "alias"),
        "entity": ("CN", "alias"),
        "period": ("2026Q3", "last quarter = 2026Q3 (today is 2026-11-21)"),
        "channel": ("ONLINE", "alias"),
        "as_of": ("2026-11-01", "read"),
    }


def test_a_name_is_of_the_kind_that_has_the_metric(query: Query) -> None:
    assert query("人口", "中国", "2020").entity == "CHN"
    assert query("收入", "中国", "2024").entity == "CN"
    assert query("population", "Hong Kong", "2020").entity == "HKG"
    assert query("revenue", "中国香港", "2024").entity == "HK"


def test_the_raw_cell_is_kept_where_it_is_not_the_value(query: Query) -> None:
    answer = query("net profit", "Hong Kong", "FY2024")
    assert (answer.value_text, answer.source.raw) == ("-12300000", "(12.3)")
    assert query("population", "China", "2010").source.raw is None


# Periods


def test_fiscal_years_are_the_entity_s_own(query: Query) -> None:
    answer = query("revenue", "日本", "FY2024")
    assert answer.value_text == "479200000"
    assert (answer.interval.start, answer.interval.end) == ("2024-04-01", "2025-03-31")
    quarter = query("revenue", "Japan", "FY2024Q2")
    assert (quarter.interval.start, quarter.interval.end) == ("2024-07-01", "2024-09-30")
    assert query("revenue", "Japan", "2024Q3").value_text == quarter.value_text
    assert query("revenue", "HK", "FY2024").interval.start == "2024-01-01"


def test_a_calendar_year_is_no_fiscal_year(query: Query) -> None:
    answer = query("revenue", "Japan", "2024")
    assert answer.status == "not_found"
    assert "FY2024" in answer.available.periods


def test_fiscal_years_of_52_and_53_weeks(shops: Any, written: Any) -> None:
    query = shops(
        written("SALES", "W", "2022-01-30", "2023-01-28", "52"),
        written("SALES", "W", "2023-01-29", "2024-02-03", "53"),
        written("SALES", "W", "2024-02-04", "2025-02-01", "54"),
        written("SALES", "W", "2024-02-04", "2024-05-04", "13"),
    )
    assert query("sales", "Weekly", "FY2022").value_text == "52"
    long = query("sales", "Weekly", "FY2023")
    assert (long.value_text, long.interval.end) == ("53", "2024-02-03")
    assert query("sales", "Weekly", "FY2024").value_text == "54"
    assert query("sales", "Weekly", "FY2024Q1").value_text == "13"
    latest = query("sales", "Weekly", "latest")
    assert (latest.value_text, latest.period) == ("54", "FY2024")
    assert query("sales", "Weekly", "FY2025").status == "not_found"
    assert query("sales", "Weekly", "2023").status == "not_found"


def test_a_stock_at_the_last_day_answers_for_its_period(shops: Any, written: Any) -> None:
    query = shops(
        written("STOCK", "A", "2024-12-31", "2024-12-31", "70"),
        written("STOCK", "A", "2024-09-30", "2024-09-30", "60"),
        written("SALES", "A", "2024-12-31", "2024-12-31", "5"),
    )
    for period in ("2024", "2024Q4", "2024-12", "2024-12-31", "December 2024"):
        assert query("stock on hand", "Alpha", period).value_text == "70", period
    assert query("stock on hand", "Alpha", "2024Q3").value_text == "60"
    assert query("stock on hand", "Alpha", "latest").value_text == "70"
    assert query("stock on hand", "Alpha", "2024-12-30").status == "not_found"
    # A flow of one day is no flow of the year.
    assert query("sales", "Alpha", "2024").status == "not_found"


def test_latest_is_the_newest_period_that_has_the_fact(query: Query) -> None:
    assert query("population", "China", "latest").period == "2024"
    assert query("revenue", "HK", "latest").period == "2025"
    assert query("revenue", "HK", "latest quarter").period == "2026Q3"
    assert query("revenue", "Japan", "Latest").period == "FY2025"
    assert query("revenue", "HK", "latest", "TOTAL", "2025-06-30").period == "2024"


@pytest.mark.parametrize("period", ["TTM", "last 12 months", "过去12个月"])
def test_a_rolling_period_is_unsupported(query: Query, period: str) -> None:
    assert refused(query("revenue", "HK", period))[:2] == ("period", "unsupported")


@pytest.mark.parametrize(
    ("period", "candidates"),
    [
        ("2022-2024", ["2022", "2023", "2024"]),
        ("2023Q1 to 2023Q3", ["2023Q1", "2023Q2", "2023Q3"]),
        ("since 2023", ["2023"]),
    ],
)
def test_a_range_is_several_values(query: Query, period: str, candidates: list[str]) -> None:
    answer = query("revenue", "HK", period)
    assert refused(answer) == ("period", "unsupported", candidates)
    assert "query_metric_grid" in answer.answer


@pytest.mark.parametrize("period", ["", "sometime", "2024Q5", "when we were young", "20244"])
def test_a_time_that_cannot_be_read_is_never_a_default(query: Query, period: str) -> None:
    assert refused(query("revenue", "HK", period))[0] == "period"


# What was known when


def test_a_restatement_is_chosen_by_the_day(query: Query) -> None:
    now = query("net profit", "HK", "FY2024")
    before = query("net profit", "HK", "FY2024", "TOTAL", "2025-06-30")
    assert (now.value_text, now.as_of) == ("-12300000", "2026-03-24")
    assert (before.value_text, before.as_of) == ("-9700000", "2025-03-25")
    day_before = query("net profit", "HK", "FY2024", "TOTAL", "2026-03-23")
    on_the_day = query("net profit", "HK", "FY2024", "TOTAL", "2026年3月24日")
    assert (day_before.value_text, on_the_day.value_text) == ("-9700000", "-12300000")


def test_before_anything_was_known_the_first_day_is_named(query: Query) -> None:
    answer = query("revenue", "HK", "FY2024", "TOTAL", "2020-01-01")
    assert answer.status == "not_found"
    assert answer.available.known_from == "2025-03-25"
    assert answer.normalized["as_of"] == "2020-01-01"
    assert answer.available.periods == []
    assert "as known on 2020-01-01; it is known from 2025-03-25" in answer.answer
    assert_holds_no_number(answer)


def test_nothing_known_at_all_names_no_period(query: Query) -> None:
    answer = query("population", "China", "latest", "TOTAL", "1999-01-01")
    assert answer.answer == "No fact is held of Population of China as known on 1999-01-01."
    assert "by quarter. Periods" in query("population", "China", "latest quarter").answer


@pytest.mark.parametrize("as_of", ["last year", "2024-13-45", "2024", "soon", "1"])
def test_as_of_is_a_day(query: Query, as_of: str) -> None:
    answer = query("revenue", "HK", "FY2024", "TOTAL", as_of)
    assert refused(answer) == ("as_of", "unknown", [])
    assert "send one as 2024-12-31" in answer.answer


def test_sources_that_disagree_are_all_shown(query: Query) -> None:
    answer = query("revenue", "HK", "FY2024", "stores")
    (other,) = answer.conflicts
    assert (answer.value_text, other.value_text) == ("228100000", "219700000")
    assert (other.source.doc, other.source.raw) == ("Retail sales survey 2024", "2.197亿元")
    assert "other sources differ: 219,700,000 CNY in Retail sales survey 2024" in answer.answer
    assert query("revenue", "HK", "FY2023", "stores").conflicts is None


# Not found


def test_what_there_is_instead(query: Query) -> None:
    answer = query("GDP", "Germany", "2024Q3")
    assert answer.status == "not_found"
    assert answer.normalized == {
        "metric": "GDP", "entity": "DEU", "period": "2024Q3", "channel": "TOTAL",
    }  # fmt: skip
    assert answer.available.periods[:2] == ["2023", "2022"]
    assert answer.available.left_out == "earlier periods, back to 1960"
    assert answer.available.channels == []
    assert "is held by year" in answer.answer
    assert_holds_no_number(answer)
    other = query("revenue", "Japan", "2024")
    assert other.available.entities == ["CN", "HK", "TVN"]
    assert other.available.channels == []
    assert_holds_no_number(other)


def test_a_channel_without_the_fact(query: Query) -> None:
    answer = query("profit", "HK", "FY2024", "online")
    assert (answer.status, answer.available.channels) == ("not_found", ["TOTAL"])
    assert_holds_no_number(answer)


# Unrecognized


@pytest.mark.parametrize(
    ("sent", "param", "reason", "candidate"),
    [
        (("populaton", "Germany", "2020"), "metric", "unknown", "POPULATION"),
        (("revenue", "Honk Kong", "2024"), "entity", "unknown", "HK"),
        (("population", "Irelant", "2020"), "entity", "unknown", "IRL"),
        (("revenue", "HK", "2024", "onlin"), "channel", "unknown", "ONLINE"),
        (("revenue growth", "HK", "2024"), "metric", "unsupported", "REVENUE"),
        (("revenue per employee", "HK", "2024"), "metric", "unsupported", "HEADCOUNT"),
        (("non-revenue", "HK", "2024"), "metric", "unknown", "REVENUE"),
        (("grorss profit margin", "HK", "2024"), "metric", "unknown", "GROSS_MARGIN"),
        (("heroes", "HK", "2024"), "metric", "unknown", None),
        (("revenue", "中国平安", "2024"), "entity", "unknown", None),
        (("revenue", "Prudential", "2024"), "entity", "unknown", None),
        (("revenue", "HK: excluding Macau", "2024"), "entity", "unknown", None),
        (("revenue", "Germany", "2024"), "entity", "unsupported", None),
        (("population", "Tolvarne", "2024"), "entity", "unsupported", None),
        (("population", "China", "2024", "online"), "channel", "unknown", None),
        (("", "", ""), "metric", "unknown", None),
    ],
)
def test_what_is_not_recognized_is_named_and_never_replaced(
    query: Query, sent: tuple[str, ...], param: str, reason: str, candidate: str | None
) -> None:
    answer = query(*sent)
    found, why, candidates = refused(answer)
    assert (found, why) == (param, reason)
    assert candidate is None or candidate in candidates
    assert (
        answer.raw
        == dict(zip(("metric", "entity", "period", "channel"), sent, strict=False))[param]
    )
    assert {one.likeness for one in answer.candidates} <= {None, "same name", "close", "possible"}
    assert_holds_no_number(answer, *sent)


def test_one_name_of_two_is_ambiguous(shops: Any, written: Any) -> None:
    query = shops(written("SALES", "A", "2024-01-01", "2024-12-31", "77123"))
    answer = query("takings", "Alpha", "2024")
    assert refused(answer) == ("metric", "ambiguous", ["SALES", "STOCK"])
    assert "may be any of Sales, Stock on hand" in answer.answer
    assert query("销售额", "甲店", "2024").value_text == "77123"


@pytest.mark.parametrize("param", ["metric", "entity", "period", "channel", "as_of"])
@pytest.mark.parametrize(
    "name", ["中国棠屿居", "Tangy\u200buju", "Ｌａｎｑｕｅ", "Аshquillo", "香港瀾雀"]
)
def test_the_gate_screens_every_argument_first(query: Query, param: str, name: str) -> None:
    sent = {"metric": "nonsense", "entity": "nowhere", "period": "never", "as_of": "whenever"}
    answer = query(**{**sent, param: f"HK {name} 2024"})
    assert refused(answer)[:2] == (param, "out_of_scope_entity")
    assert "is outside the scope of this server; ask about Tolvarne Group" in answer.answer
    assert [one.value for one in answer.candidates] == (["TVN"] if param == "entity" else [])


# Any input whatever


NAMES = ["revenue", "人口", "GDP", "HK", "中国", "China", "2024", "FY2024Q3", "latest", "online"]
ODD = [
    "'; DROP TABLE facts; --", '" OR 1=1 --', "%", "_", "\u202eHK", "H\u200bK", "\x00", "\ud7ff",
    "NaN", "1e999", "9" * 400, "٢٠٢٤", "二〇二四年", "[]", "{}", "../..", "TOTAL", "0001", "9999",
    "9999Q4", "FY9999", "0000-00-00", "2024-02-30", "31 February 2024", "Tangyuju",
]  # fmt: skip
ANYTHING = st.one_of(st.sampled_from(NAMES), st.sampled_from(ODD), st.text(max_size=60))


def test_exactly_one_of_three_statuses_whatever_is_sent(query: Query, state: State) -> None:
    @settings(max_examples=600, deadline=None)
    @given(sent=st.tuples(ANYTHING, ANYTHING, ANYTHING, ANYTHING, ANYTHING))
    def holds(sent: tuple[str, ...]) -> None:
        answer = query(*sent)
        json.loads(answer.model_dump_json())
        if answer.status == "found":
            days = (answer.interval.start, answer.interval.end)
            key = (answer.metric, answer.entity, answer.channel)
            held = state.store.lookup(*key, *map(date.fromisoformat, days))
            assert answer.value_text in {format(one.value, "f") for one in held}
        else:
            assert answer.status in ("not_found", "unrecognized_param")
            # What was sent is echoed, so it is taken away first: short texts would take more.
            odd = [one for one in sent if one not in NAMES]
            if all(len(one) > 3 for one in odd):
                assert_holds_no_number(answer, *odd)

    holds()


# A stock holds at a day


CASH = """
[profile]
name = "tills"

[kinds.shop]
label = "shop"

[[entities]]
code = "A"
kind = "shop"
name = "Alpha"

[[entities]]
code = "W"
kind = "shop"
name = "Weekly"
fiscal_year_start = "02-01"
fiscal_year_named_by = "start"

[[metrics]]
code = "CASH"
kind = "shop"
label = "Cash"
unit = "EUR"
measure = "stock"
counted = "end"
grains = ["year", "quarter"]

[[metrics]]
code = "VISITORS"
kind = "shop"
label = "Regular visitors"
measure = "stock"
grains = ["year"]
"""


def test_a_stock_counted_at_the_end_answers_for_the_last_day_of_its_period(
    shops: Any, written: Any
) -> None:
    query = shops(
        written("CASH", "A", "2024-01-01", "2024-12-31", "500"),
        written("CASH", "A", "2024-10-01", "2024-12-31", "500"),
        profile=CASH,
    )
    answer = query("cash", "Alpha", "2024-12-31")
    assert (answer.status, answer.value_text, answer.period) == ("found", "500", "2024-12-31")
    assert answer.interval.grain == "year"
    assert resolved(answer)["period"] == ("2024-12-31", "the last day of 2024")
    assert answer.conflicts is None
    assert query("cash", "Alpha", "2024-12-30").status == "not_found"


def test_periods_that_end_on_one_day_and_differ_are_conflicts_unless_one_restates_the_other(
    shops: Any, written: Any
) -> None:
    query = shops(
        written("CASH", "A", "2024-01-01", "2024-12-31", "500", doc="Annual"),
        written("CASH", "A", "2024-10-01", "2024-12-31", "490", "2025-01-20", doc="Quarterly"),
        written("CASH", "A", "2024-07-01", "2024-12-31", "480", "2025-02-01", "Bank", "Bank"),
        profile=CASH,
    )
    answer = query("cash", "Alpha", "2024-12-31")
    assert answer.value_text == "500"
    assert [one.value_text for one in answer.conflicts or ()] == ["480"]
    before = query("cash", "Alpha", "2024-12-31", as_of="2025-01-31")
    assert (before.value_text, before.conflicts) == ("490", None)


def test_a_stock_of_which_nothing_says_the_day_answers_for_its_period_alone(
    shops: Any, written: Any
) -> None:
    query = shops(written("VISITORS", "A", "2024-01-01", "2024-12-31", "70"), profile=CASH)
    assert query("regular visitors", "Alpha", "2024").status == "found"
    assert query("regular visitors", "Alpha", "2024-12-31").status == "not_found"


def test_a_stock_of_a_day_answers_for_the_year_that_ends_then(shops: Any, written: Any) -> None:
    query = shops(
        written("VISITORS", "A", "2024-12-31", "2024-12-31", "70"),
        # A fiscal year of 52 weeks ends on a Saturday near the calendar's last day.
        written("VISITORS", "W", "2025-02-01", "2025-02-01", "80"),
        profile=CASH,
    )
    answer = query("regular visitors", "Alpha", "2024")
    assert (answer.value_text, answer.interval.start) == ("70", "2024-12-31")
    assert resolved(answer)["period"] == ("2024", "its last day, 2024-12-31")
    assert query("regular visitors", "Weekly", "FY2024").value_text == "80"
    assert query("regular visitors", "Weekly", "FY2023").status == "not_found"


def test_cash_at_the_end_of_a_year_is_found_in_the_embedded_profile(query: Query) -> None:
    of_day, of_year = (query("cash", "Tolvarne", period) for period in ("2024-12-31", "2024"))
    assert (of_day.status, of_day.value_text) == ("found", of_year.value_text)
    # People are estimated at mid-year, so the last day has no figure of its own.
    assert query("population", "China", "2020-12-31").status == "not_found"


# What to send instead


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (("", "China", "2020"), "`metric` is blank: list_metrics has them all."),
        (("population", " ", "2020"), "`entity` is blank: list_dimension_values has them all."),
        (("population", "China", ""), "`period` is blank: send a year"),
        (("population", "China", "2020", ""), "`channel` is blank: there is Total."),
        (("qwertyuiop", "China", "2020"), "is no metric that is held: list_metrics has them all."),
        (
            ("population", "qwertyuiop", "2020"),
            "is not a country or group of countries that is held here: list_dim",
        ),
        (
            ("revenue", "HK", "2024", "qwertyuiop"),
            "is no channel of a company: there is Total, Online, Retail, Wholesale.",
        ),
        (("revenue", "HK", "Q3"), '"Q3" is not clear: Q3 of which year?'),
        (("revenue per employee", "HK", "2024"), "held are Revenue, Headcount."),
        (("GDP growth", "China", "2020"), "held is GDP (current US$)."),
    ],
)
def test_a_refusal_without_candidates_says_where_they_are(
    query: Query, sent: tuple[str, ...], said: str
) -> None:
    answer = query(*sent)
    assert answer.status == "unrecognized_param"
    assert said in answer.answer and "?." not in answer.answer


@pytest.mark.parametrize("named", ["the United States", "The United States", "the  UK"])
def test_an_article_before_a_name_is_no_part_of_it(query: Query, named: str) -> None:
    answer = query("population", named, "2020")
    assert answer.status == "found"
    assert resolved(answer)["entity"][1] in ("folded", "alias")


def test_an_article_makes_no_name_of_a_near_one(query: Query) -> None:
    assert query("population", "the Untied States", "2020").status == "unrecognized_param"
    assert query("population", "the", "2020").status == "unrecognized_param"


def test_what_is_held_by_channel_alone_says_so(shops: Any, written: Any) -> None:
    query = shops(written("SALES", "A", "2024-01-01", "2024-12-31", "5", channel="WEB"))
    answer = query("sales", "Alpha", "2024")
    assert answer.status == "not_found"
    assert "; it is held by channel: Web." in answer.answer
    assert query("sales", "Alpha", "2024", "web").status == "found"


def test_entities_that_were_not_known_on_the_day_are_not_offered(shops: Any, written: Any) -> None:
    query = shops(
        written("SALES", "W", "2024-01-01", "2024-12-31", "5", "2025-06-01"),
    )
    assert query("sales", "Alpha", "2024").available.entities == ["W"]
    assert query("sales", "Alpha", "2024", as_of="2025-07-01").available.entities == ["W"]
    assert query("sales", "Alpha", "2024", as_of="2025-01-01").available.entities == []


def test_each_statement_of_a_refusal_holds_for_what_was_asked(shops: Any, written: Any) -> None:
    query = shops(
        written("SALES", "A", "2023-01-01", "2023-12-31", "5", channel="WEB"),
        written("SALES", "W", "2024-01-01", "2024-12-31", "5"),
        written("STOCK", "A", "2024-12-31", "2024-12-31", "5"),
    )
    other_year = query("sales", "Alpha", "2024")
    assert "channel" not in other_year.answer
    assert other_year.available.channels == []
    assert other_year.available.entities == ["W"]
    assert query("sales", "Alpha", "2023").available.channels == ["WEB"]
    # Weekly holds 2024 in total only, which is no online figure of it.
    assert query("sales", "Alpha", "2024", "web").available.entities == []
    # No series of this channel is held by any grain.
    assert "is held by" not in query("sales", "Alpha", "2023Q1").answer
    assert "is held by year" in query("sales", "Alpha", "2023-01", "web").answer


def test_names_that_are_hardly_alike_are_no_near_ones(query: Query) -> None:
    answer = query("gdp", "Taiwan", "2022")
    assert answer.candidates
    assert "near to it" not in answer.answer and "list_dimension_values" in answer.answer
    assert "near to it: Germany" in query("gdp", "Germny", "2022").answer
