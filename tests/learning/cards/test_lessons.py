"""Cards on signs, groups of most and some, lacks, worked out figures, units and choices."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from groundwire.learning.cards.checks import check_card
from groundwire.learning.cards.types import CardDraft, Gap, Passage, leaves_open

CARDS = tomllib.loads(Path(__file__).with_name("lesson_cards.toml").read_text("utf-8"))


def gaps_of(quote: str, front: str, back: str) -> list[Gap]:
    card = CardDraft("atomic", front, back, quote, "p")
    return check_card(card, Passage("p", quote, "Notes", "section 1"))


@pytest.mark.parametrize(("quote", "front", "back"), CARDS["false"])
def test_a_card_that_says_something_else_is_not_proven(quote: str, front: str, back: str) -> None:
    assert gaps_of(quote, front, back)


@pytest.mark.parametrize(("quote", "front", "back"), CARDS["proven"])
def test_a_card_that_says_what_its_quote_says_is_proven(quote: str, front: str, back: str) -> None:
    assert not gaps_of(quote, front, back)


@pytest.mark.parametrize(("quote", "front", "back"), CARDS["open"])
def test_what_may_be_right_is_a_draft_and_not_refused(quote: str, front: str, back: str) -> None:
    assert leaves_open(gaps_of(quote, front, back))


def test_signs_are_told_as_they_are_written() -> None:
    quote = "In C, && is the logical and, while & works bit by bit."
    (first, *_) = gaps_of(quote, "Which operator works bit by bit?", "&&")
    assert "Sign" not in f"{first.detail}{first.suggestions}"


@pytest.mark.parametrize("front", ["=" * 3_999, "What is " + "=" * 300 + "?", "What is =>?"])
def test_lines_of_signs_end(front: str) -> None:
    assert isinstance(gaps_of("a == b, and ==== c", front, "=="), list)
