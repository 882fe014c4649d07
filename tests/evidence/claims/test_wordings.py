"""Rules that put a draft in the wording that the readers know: what each changes, and to what."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3]))

from groundwire.evidence.claims.check import check
from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.wordings import reworded, rules
from tests.evidence.drafts import metric, record

SENTENCES: dict[str, list[tuple[str, str]]] = tomllib.loads(
    Path(__file__).with_name("wordings.toml").read_text("utf-8")
)


@pytest.mark.parametrize(("sentence", "known"), [one for own in SENTENCES.values() for one in own])
def test_a_sentence_is_put_in_the_wording_that_the_readers_know(sentence: str, known: str) -> None:
    other = reworded(sentence)

    assert other is not None
    assert other.text == known


def test_each_rule_has_a_sentence_that_it_changes() -> None:
    said = [sentence for own in SENTENCES.values() for sentence, _ in own]
    unused = [one.pattern for one, _ in rules() if not any(map(one.search, said))]

    assert unused == []


@pytest.mark.parametrize(
    "text",
    [
        'The report says "over the years 2010 to 2020".',
        "Der Bericht sagt „in den Jahren 2010 bis 2020“.",
        "The card is `all told, 110 maps`.",
    ],
)
def test_what_is_quoted_keeps_its_wording(text: str) -> None:
    assert reworded(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "China grew by 5.5% in the years 2010 and 2020.",
        "Sudan is bigger than any other country but Algeria.",
        "No East African country is bigger than Algeria.",
        "It is smaller than any other country's.",
        "香港少赚1230万元。",
    ],
)
def test_a_wording_that_says_something_else_is_left(text: str) -> None:
    other = reworded(text)

    assert other is None or other.text == text


def test_a_claim_stands_where_it_stood_in_the_draft() -> None:
    text = "Over the years 2010 to 2020 India grew by 12.8%."
    other = reworded(text)
    assert other is not None
    start = other.text.index("12.8%")
    claim = Claim("12.8%", "percent", "supported", None, "", start, start + 5)

    moved = other.moved(claim)

    assert text[moved.start : moved.end] == "12.8%"


def test_a_first_word_keeps_its_capital_and_nouns_keep_theirs() -> None:
    other = reworded("Im Laufe des Jahres 2020 wuchs Indien.")

    assert other is not None
    assert other.text == "Im Jahr 2020 wuchs Indien."


@pytest.mark.parametrize(
    ("draft", "verdict"),
    [
        ("Hong Kong ended 2024 CNY 12.3 million in the red.", "supported"),
        ("Hong Kong ended 2024 CNY 12.3 million in the black.", "refused"),
        ("Hong Kong ended 2024 CNY 13.2 million in the red.", "refused"),
    ],
)
def test_a_draft_is_checked_in_other_words_too(draft: str, verdict: str) -> None:
    loss = metric("net profit", ("net profit",), "Hong Kong", "2024", "-12300000", "CNY")

    found = check(draft, [record([loss], tool="query_metric")])

    assert (found.verdict == "supported") == (verdict == "supported")
