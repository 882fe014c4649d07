"""Sentences about tables against the record of the table."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from groundwire.metrics.factbase import State
from groundwire.metrics.table.answering import query_table
from groundwire.metrics.table.query import TableArguments

TODAY = date(2026, 11, 21)
Verdict = Callable[..., str]
RANKING = (["population"], ["entity"])


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The largest is China with 1,411,100,000 people.", "supported"),
        ("India ranked second in 2020 with 1.4 billion people.", "supported"),
        ("India is the second largest by population.", "supported"),
        (
            "The top three by population in 2020 were China, India and the United States.",
            "supported",
        ),
        ("India had the largest population in 2020, with 1.40 billion people.", "contradicted"),
        ("In 2020 India had 1,411,100,000 people.", "contradicted"),
        ("In 2020 India had 500,000 people in hospital.", "unsupported"),
        ("China ranked second in 2020 with 1.41 billion people.", "contradicted"),
        ("The top three in 2020 were China, India and Indonesia.", "contradicted"),
        ("By population, the top 3 are China, India and United States.", "supported"),
        ("India was first, followed by China.", "contradicted"),
    ],
)
def test_ranks(verdict: Verdict, sentence: str, expected: str) -> None:
    assert verdict(sentence, *RANKING, period="2020", limit=5) == expected


@pytest.mark.parametrize(
    "sentence",
    ["The smallest is Pakistan with 235,001,746 people.", "China had the largest GDP in 2020."],
)
def test_what_a_page_does_not_show_is_not_supported(verdict: Verdict, sentence: str) -> None:
    assert verdict(sentence, *RANKING, period="2020", limit=5) != "supported"


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("14 countries had more than 100 million people in 2020.", "supported"),
        ("12 countries had more than 100 million people in 2020.", "contradicted"),
        ("7 countries had more than 200 million people in 2020.", "unsupported"),
        ("7 countries had less than 200 million people in 2020.", "unsupported"),
        ("All countries had more than 100 million people in 2020.", "unsupported"),
    ],
)
def test_counts_under_a_condition(verdict: Verdict, sentence: str, expected: str) -> None:
    where = {"population": {"gt": "100 million"}}
    assert verdict(sentence, *RANKING, period="2020", where=where) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "China's population rose from 1,379,860,000 in 2015 to 1,408,975,000 in 2024.",
            "supported",
        ),
        (
            "China's population fell from 1,379,860,000 in 2015 to 1,408,975,000 in 2024.",
            "contradicted",
        ),
    ],
)
def test_directions(verdict: Verdict, sentence: str, expected: str) -> None:
    sent = {"period": "since 2015", "where": {"entity": "China"}}
    assert verdict(sentence, ["population"], ["period"], **sent) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("India's population grew by 0.98% from 2019 to 2020.", "supported"),
        ("India's population grew by 0.24% from 2019 to 2020.", "contradicted"),
        ("India's population grew by 1.09% from 2017 to 2018.", "unsupported"),
        ("India's urban population grew by 2.3% from 2019 to 2020.", "unsupported"),
    ],
)
def test_comparisons(verdict: Verdict, sentence: str, expected: str) -> None:
    assert verdict(sentence, *RANKING, period="2020", limit=5, compare="previous_year") == expected


def test_each_value_has_a_scope_and_each_change_is_recorded(state: State) -> None:
    sent = TableArguments(
        ["population"], ["entity"], period="2020", limit=3, compare="previous_year"
    )
    _, draft = query_table(state, sent, TODAY)
    numbers = [at for at, one in enumerate(draft.values) if one.name == "POPULATION"]
    scoped = [
        one.value for one in draft.statements if one.kind == "scope" and one.value is not None
    ]
    assert set(numbers) <= set(scoped)
    assert [one.operation for one in draft.derivations] == ["difference", "percent_change"] * 3


def test_a_refusal_records_what_there_is_none_of(state: State) -> None:
    sent = TableArguments(["population"], ["entity"], where={"entity": "Chna"})
    _, draft = query_table(state, sent, TODAY)
    assert [(one.kind, one.subject) for one in draft.statements] == [("absence", ("Chna",))]
    assert not draft.values
