"""Names, owners, clauses and choices: cards on texts that people study, false and true."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from groundwire.learning.cards.checks import check_card
from groundwire.learning.cards.types import CardDraft, Passage

CASES = tomllib.loads((Path(__file__).parent / "study_cards.toml").read_text("utf-8"))
TEXTS: dict[str, str] = CASES["texts"]


def gaps_of(text: str, quote: str, front: str, back: str) -> list[str]:
    passage = Passage(text, TEXTS[text], text, "1")
    return [
        one.reason for one in check_card(CardDraft("atomic", front, back, quote, text), passage)
    ]


@pytest.mark.parametrize("card", CASES["false"])
def test_a_card_that_says_something_else_is_not_proven(card: list[str]) -> None:
    assert gaps_of(*card)


@pytest.mark.parametrize("card", CASES["true"])
def test_a_card_that_says_what_its_quote_says_is_proven(card: list[str]) -> None:
    assert not gaps_of(*card)
