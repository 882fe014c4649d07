"""The gateway: the order of its four modes, what it assumes, and what it asks."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.metrics.intent.clarify import clarify
from groundwire.metrics.intent.parsed import ParsedIntent
from groundwire.quantities import read_period

MODES = {"none", "ask_first", "answer_with_assumptions", "out_of_scope_entity"}


def test_ordinary_questions_are_answered_without_asking(desk, answerable):
    assert len(answerable) >= 120
    asked = [
        one.question
        for one in answerable
        if desk.clarify(one.question).mode not in ("none", "answer_with_assumptions")
    ]
    assert len(asked) <= 0.02 * len(answerable), asked


def test_ordinary_questions_that_are_answered_are_read_right(desk, answerable):
    for one in answerable:
        intent = desk.parse(one.question)
        made = desk.judge(intent)
        if made.mode != "ask_first":
            read = (intent.metrics, intent.entities, len(intent.periods), made.mode)
            assert read == (one.metrics, one.entities, one.periods, one.mode), one.question


def test_traps_are_never_answered_with_what_they_do_not_mean(desk, traps):
    assert len(traps) >= 120
    for trap in traps:
        intent = desk.parse(trap.question)
        made = desk.judge(intent)
        if intent.route == "narrative":
            assert trap.never not in ("*", *intent.metrics), trap.question
        else:
            assert made.mode == "ask_first", (trap.question, intent)


def test_a_missing_metric_is_asked_for_with_the_kinds_own_first(desk):
    made = desk.clarify("How much was it for Singapore in 2024?")
    assert made.mode == "ask_first"
    assert made.question == "Which metric of Acme Singapore do you mean?"
    values = [option.value for option in made.narrowing_options]
    assert values[:3] == ["REVENUE", "NET_PROFIT", "ROE"]
    assert set(values) == {one.code for one in desk.profile.metrics}


def test_a_near_miss_is_offered_first_and_never_taken(desk):
    made = desk.clarify("revenu of Singapore in 2024")
    assert made.mode == "ask_first"
    assert made.narrowing_options[0][:2] == ("metric", "REVENUE")


def test_a_missing_entity_and_period_are_assumed_and_said(desk):
    made = desk.clarify("What is the revenue?")
    assert made.mode == "answer_with_assumptions"
    assert made.assumed_slots["entity"] == "ACME"
    assert "2025" in made.assumed_slots["period"]
    assert "Acme Holdings" in made.assumption_note
    assert made.assumed_slots["period"] in made.assumption_note
    offered = {(option.slot, option.value) for option in made.narrowing_options}
    assert {("entity", "HK"), ("period", "latest quarter")} <= offered


def test_the_note_is_in_the_language_of_the_question(desk):
    made = desk.clarify("营收是多少")
    assert made.mode == "answer_with_assumptions"
    assert "默认" in made.assumption_note
    assert "艾克米" in made.assumption_note


def test_the_complete_year_is_that_of_the_entitys_calendar(desk):
    made = desk.clarify("What is the store count of Snow Retail?")
    # Its fiscal year 2027 began on 1 February 2026, so 2026 is the last that is complete.
    assert made.assumed_slots == {"period": "FY2026"}


def test_an_assumed_period_can_be_read_back(desk):
    for question in ("revenue", "store count", "population of France"):
        period = desk.clarify(question).assumed_slots["period"]
        assert read_period(period) is not None


def test_a_kind_without_a_home_is_asked_about(desk):
    made = desk.clarify("What is the GDP in 2023?")
    assert made.mode == "ask_first"
    assert {option.slot for option in made.narrowing_options} == {"entity"}


@pytest.mark.parametrize(
    "question",
    [
        "revenue in Q3",
        "香港三季度营收",
        "revenue of HK in recent years",
        "revenue in month 13 of 2024",
    ],
)
def test_a_time_that_cannot_be_read_is_never_a_silent_year(desk, question):
    made = desk.clarify(question)
    assert made.mode == "ask_first"
    assert "period" in {option.slot for option in made.narrowing_options}


def test_an_unknown_name_is_answered_with_the_entities_that_are_known(desk):
    made = desk.clarify("revenue of Wonka in 2024")
    assert made.question == 'I cannot tell what "Wonka" means here. Which company do you mean?'
    assert [option.value for option in made.narrowing_options] == ["ACME", "CN", "HK", "SG"]


def test_what_is_not_understood_is_named(desk):
    assert '"per employee"' in desk.clarify("revenue per employee of HK 2024").question
    assert "“中国平安”" in desk.clarify("中国平安2024年营收").question


@pytest.mark.parametrize(
    "question",
    [
        "What was Globex's revenue in 2024?",
        "globex revenue 2024",
        "Why did Globex grow?",
        "Compare Acme and GLOBEX revenue in 2024",
        "环球伯2024年营收",
        "中国伊尼2024年营收",
        "hello Globex",
    ],
)
def test_a_name_out_of_scope_is_refused_first(desk, question):
    made = desk.clarify(question)
    assert made.mode == "out_of_scope_entity"
    assert made.external_entity in made.question
    chinese = not question.isascii()
    assert ("不在本服务的范围内" if chinese else "Acme Holdings") in made.question
    assert ("entity", "ACME") in {option[:2] for option in made.narrowing_options}


CLAIMS = st.fixed_dictionaries(
    {
        "route": st.sampled_from(["structured", "narrative", "composite"]),
        "metric": st.sampled_from([None, "REVENUE", "NOPE"]),
        "metrics": st.sampled_from([(), ("REVENUE",), ("GDP", "NOPE")]),
        "entity": st.sampled_from([None, "HK", "NOPE"]),
        "entities": st.sampled_from([(), ("HK",), ("CHN", "NOPE")]),
        "channel": st.sampled_from([None, "ONLINE", "NOPE"]),
        "external_entity": st.sampled_from([None, "Acme"]),
    }
)


@given(
    claims=CLAIMS,
    before=st.text(max_size=30),
    after=st.text(max_size=30),
    name=st.sampled_from(["Globex", "Globex Corporation", "环球伯", "中国伊尼"]),
)
@settings(max_examples=150, deadline=None)
def test_no_forged_claim_opens_the_gate(desk, claims, before, after, name):
    question = f"{before} {name} {after}"
    if not desk.gate.screen(question).refused:
        # Other letters that touch it may make another word of it; the gate's own tests tell.
        return
    made = desk.judge(ParsedIntent(raw_question=question, **claims))
    assert made.mode == "out_of_scope_entity"


@given(claims=CLAIMS)
@settings(max_examples=60, deadline=None)
def test_a_plain_competitor_is_refused_whatever_is_claimed(desk, claims):
    for question in ("Globex revenue 2024", "2024年环球伯的营收"):
        assert desk.judge(ParsedIntent(question, **claims)).mode == "out_of_scope_entity"


WORDS = st.sampled_from(
    [
        *("revenue", "ROE", "GDP", "population", "of", "HK", "CN", "China", "Prudential", "US"),
        *(
            "中国",
            "香港",
            "营收",
            "人口",
            "第三季度",
            "和",
            "、",
            "的",
            "为什么",
            "平安",
            "去年",
            "合计",
        ),
        *("2024", "2023", "Q3", "and", ",", "?", "growth", "per", "non-", "why", "excluding", "us"),
        *("latest", "last year", "total", "*", ";"),
    ]
)


@given(
    st.one_of(
        st.text(max_size=80),
        st.lists(WORDS, max_size=10).map(" ".join),
        st.lists(WORDS, max_size=10).map("".join),
    )
)
@settings(max_examples=400, deadline=None)
def test_any_text_has_exactly_one_mode(desk, text):
    intent = desk.parse(text)
    assert intent.raw_question == text
    made = desk.judge(intent)
    assert made.mode in MODES
    assert bool(made.question) == (made.mode in ("ask_first", "out_of_scope_entity"))
    assert bool(made.assumed_slots) == (made.mode == "answer_with_assumptions")
    if made.mode in ("none", "answer_with_assumptions") and intent.route != "narrative":
        assert intent.metric is not None
        assert intent.leftovers == ()
        assert intent.entities or "entity" in made.assumed_slots
        assert intent.periods or "period" in made.assumed_slots
    for leftover in intent.leftovers:
        assert text[slice(*leftover.span)] == leftover.text


@given(claims=CLAIMS, question=st.text(max_size=40))
@settings(max_examples=150, deadline=None)
def test_what_a_parser_invents_is_asked_about(desk, claims, question):
    made = desk.judge(ParsedIntent(raw_question=question, **claims))
    assert made.mode in MODES
    known = [code for code in (claims["metric"], *claims["metrics"]) if code != "NOPE"]
    if claims["route"] != "narrative" and not any(known) and made.mode != "out_of_scope_entity":
        assert made.mode == "ask_first"


def test_the_reference_day_moves_what_is_assumed(desk):
    intent = desk.parse("revenue of HK")
    for day, year in ((date(2026, 1, 1), "2025"), (date(2025, 12, 31), "2024")):
        made = clarify(intent, desk.names, desk.gate, day)
        assert year in made.assumed_slots["period"]


def test_a_kind_may_take_the_latest_by_default(desk):
    kinds = dict(desk.profile.kinds)
    kinds["company"] = kinds["company"].model_copy(update={"default_period": "latest"})
    names = type(desk.names)(desk.profile.model_copy(update={"kinds": kinds}))
    newest = read_period("2026Q3").on(desk.profile.calendar_of["HK"], date(2026, 11, 21)).periods[0]
    intent = desk.parse("revenue of HK")
    made = clarify(intent, names, desk.gate, date(2026, 11, 21), lambda *_: newest)
    assert made.assumed_slots == {"period": "latest"}
    assert newest.label in made.assumption_note


def test_a_parser_need_not_fill_the_lists(desk):
    intent = desk.parse("revenue of HK in 2024")
    alone = replace(intent, metrics=(), entities=(), periods=())
    assert desk.judge(alone).mode == "none"
