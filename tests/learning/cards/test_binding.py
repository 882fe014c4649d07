"""What binds a card to its quote: clause, phrase, condition, report, degree, measure and bound."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from groundwire.learning.cards.checks import check_card
from groundwire.learning.cards.types import CardDraft, Gap, Passage

HERE = Path(__file__).parent
FALSE = tomllib.loads((HERE / "false_cards.toml").read_text("utf-8"))["cards"]
TRUE = tomllib.loads((HERE / "true_cards.toml").read_text("utf-8"))["cards"]


def gaps_of(quote: str, front: str, back: str) -> list[Gap]:
    card = CardDraft("atomic" if back else "cloze", front, back, quote, "p")
    return check_card(card, Passage("p", quote, "Notes", "section 1"))


@pytest.mark.parametrize(("quote", "front", "back"), FALSE)
def test_a_card_that_says_something_else_is_not_proven(quote: str, front: str, back: str) -> None:
    assert gaps_of(quote, front, back)


@pytest.mark.parametrize(
    ("quote", "front", "back"),
    [
        *TRUE,
        (
            "The river freezes in winter and floods in spring.",
            "When does the river flood?",
            "in spring",
        ),
        (
            "If the lamp flashes, the tank is empty.",
            "When is the tank empty?",
            "If the lamp flashes",
        ),
        ("Children under 6 travel free.", "Which children travel free?", "Children under 6"),
        ("The tunnel is 9 km long and 6 m wide.", "How wide is the tunnel?", "6 m"),
        ("The Nile is the longest river.", "Which is the longest river?", "The Nile"),
        ("The lift carries no more than 8 people.", "How many people at most?", "8"),
        (
            "Garlic must not burn, otherwise it is bitter.",
            "Why must garlic not burn?",
            "it is bitter",
        ),
        ("In 1930 Pluto was found.", "When was Pluto found?", "In 1930"),
        ("Anders als Butter lässt sich Öl erhitzen.", "Was lässt sich erhitzen?", "Öl"),
        ("读者每次最多可以借五本书。", "读者每次最多可以借几本书？", "五本"),
        ("长江发源于青海，流入东海。", "长江流入哪里？", "东海"),
    ],
)
def test_a_card_in_the_words_of_its_quote_is_proven(quote: str, front: str, back: str) -> None:
    assert not gaps_of(quote, front, back)


def test_a_part_of_a_sentence_keeps_its_condition() -> None:
    quote = "If it rains, the market is held in the hall."
    assert gaps_of(quote, "The market is held in {{c1::the hall}}.", "")
    assert not gaps_of(quote, "If it rains, the market is held in {{c1::the hall}}.", "")
