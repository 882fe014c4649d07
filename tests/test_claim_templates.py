"""What drafts by template are made of: amounts in words, facts, and false drafts that are false."""

from __future__ import annotations

import random
import sys
from collections import Counter
from decimal import Decimal
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.evals.claim_amounts import exact, in_words, mixed, scaled  # noqa: E402
from tests.evals.claim_check_worlds import Answered  # noqa: E402
from tests.evals.claim_facts import Figure, Scope, facts_of  # noqa: E402
from tests.evals.claim_own_answers import own_sentences  # noqa: E402
from tests.evals.claim_templates import Facts, made  # noqa: E402

CELL = {
    "answer": "Population of Germany for 2020: 83,160,871 people (row 57).",
    "status": "found",
    "value_text": "83160871",
    "unit": "people",
    "metric": "POPULATION",
    "entity": "DEU",
    "period": "2020",
    "channel": "TOTAL",
    "source": {"doc": "d", "locator": "row 57, column 2020", "publisher": "World Bank"},
    "evidence_id": "ev_1",
}
GERMANY = Figure("w", "POPULATION", "DEU", "2020", Decimal(83160871), "people", "World Bank", 57)


@pytest.mark.parametrize(
    ("number", "language", "words"),
    [
        (21, "en", "twenty-one"),
        (230, "en", "two hundred and thirty"),
        (5113, "en", "five thousand one hundred and thirteen"),
        (21, "de", "einundzwanzig"),
        (716, "de", "siebenhundertsechzehn"),
        (14, "zh", "十四"),
        (8316, "zh", "八千三百一十六"),
        (1005, "zh", "一千零五"),
    ],
)
def test_numbers_are_written_in_words(number: int, language: str, words: str) -> None:
    assert in_words(number, language) == words


def test_an_amount_is_exact_or_says_that_it_is_rounded() -> None:
    assert exact(Decimal("-12300000"), "CNY", "de") == "-12.300.000 CNY"
    assert scaled(Decimal("5113700000"), "CNY", "zh") == "约51.14亿元"
    assert scaled(Decimal("12000000"), "CNY", "en") == "12 million CNY"


def test_a_figure_has_mixed_forms_in_every_language() -> None:
    value = Decimal(1_500_000_000)
    told = {one: dict(mixed(value, "USD", one)) for one in ("en", "de", "zh")}
    assert told["en"]["vulgar fraction"] == "about 1½ billion US dollars"
    assert told["de"]["fraction in words"] == "rund anderthalb Milliarden US-Dollar"
    assert told["zh"]["in words"] == "约十五亿美元"
    assert dict(mixed(Decimal(1_450_000_000), "USD", "zh"))["two scales"] == "约14亿5千万美元"


def test_facts_are_read_from_what_a_tool_answered() -> None:
    counts = {
        "status": "results",
        "total_is_exact": True,
        "total": 3,
        "applied": {"domains": ["hdmap"], "filters": {"country": "DE"}},
    }
    assert list(facts_of("w", [CELL, {"cells": [CELL]}, counts])) == [
        GERMANY,
        Scope("w", "hdmap", (("country", "DE"),), 3),
    ]


def test_a_false_draft_does_not_tell_the_recorded_figure_of_its_own_key() -> None:
    austria = Figure("w", "POPULATION", "AUT", "2020", Decimal(8916864), "people", "World Bank", 16)
    facts = Facts([GERMANY, austria])
    assert not facts.apart(GERMANY)
    drafts = made(facts)
    kinds = Counter((one.truth, one.kind) for one in drafts)
    assert kinds["true", "plain figure"] and kinds["false", "narrowed entity"]
    true = {one.text for one in drafts if one.truth == "true"}
    assert not true & {one.text for one in drafts if one.truth == "false"}
    assert {one.half for one in drafts} == {"seen", "held_out"}


def test_own_sentences_of_a_world_are_told_once_each() -> None:
    answered = Answered("metrics", [CELL], ["ev_1"])
    drafts = list(own_sentences("w", answered, "seen", random.Random(1)))
    assert [one.kind for one in drafts] == ["alone", "bulleted", "numbered"]
    assert drafts[0].text == CELL["answer"]
