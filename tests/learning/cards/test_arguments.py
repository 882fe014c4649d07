"""Who did what to whom, of how many, and why: cards that have the words of their quotes."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from groundwire.learning.cards.checks import check_card
from groundwire.learning.cards.types import CardDraft, Gap, Passage, leaves_open

CARDS, PAIRS = (
    tomllib.loads((Path(__file__).parent / f"{name}_cards.toml").read_text("utf-8"))
    for name in ("role", "pair")
)


def gaps_of(quote: str, front: str, back: str, passage: str = "") -> list[Gap]:
    card = CardDraft("atomic", front, back, quote, "p")
    return check_card(card, Passage("p", passage or quote, "Notes", "section 1"))


@pytest.mark.parametrize("card", [*CARDS["false"], *CARDS["false_references"], *PAIRS["false"]])
def test_a_card_with_another_relation_is_not_proven(card: list[str]) -> None:
    assert gaps_of(*card)


@pytest.mark.parametrize("card", [*CARDS["true"], *CARDS["true_references"], *PAIRS["true"]])
def test_a_card_with_the_relation_of_its_quote_is_proven(card: list[str]) -> None:
    assert not gaps_of(*card)


def test_a_card_that_turns_a_relation_round_is_kept_as_a_draft() -> None:
    gaps = gaps_of(
        "The pump moves water from the cellar to the roof.",
        "From where does the pump move water?",
        "From the roof",
    )
    assert leaves_open(gaps)


def test_a_count_of_four_digits_is_no_year() -> None:
    front, quote = "How many metres is a nautical mile?", "A nautical mile is 1,852 metres."
    assert not gaps_of(quote, front, "1852")
    (gap,) = gaps_of(quote, front, "1825")
    assert (gap.reason, gap.suggestions) == ("number", ("1,852 metres",))
