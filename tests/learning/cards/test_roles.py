"""Cards that hold only words of their quote, and say something else all the same."""

from __future__ import annotations

import pytest
from pytest import param

from groundwire.learning.cards.checks import check_card
from groundwire.learning.cards.types import CardDraft, Passage


def reasons(front: str, back: str, quote: str, *, cloze: bool = False) -> list[str]:
    card = CardDraft("cloze" if cloze else "atomic", front, back, quote)
    return [gap.reason for gap in check_card(card, Passage("p", quote, "A book", "page 1"))]


@pytest.mark.parametrize(
    ("front", "right", "wrong", "quote"),
    [
        param("Who taught Bede?", "Ceolfrith", "Bede", "Ceolfrith taught Bede.", id="own name"),
        param("Who taught Hild?", "Anna", "Mary", "Anna taught Hild, who taught Mary.", id="sides"),
        param("Who was taught by Anna?", "Hild", "Anna", "Anna taught Hild.", id="passive"),
        param("Whose house burned?", "Hild's", "Anna's", "Anna saw Hild's house burn.", id="whose"),
        param(
            "Which tower is older?", "The north tower", "The south tower",
            "The north tower is older than the south tower.", id="than",
        ),
        param("Welcher Turm ist älter?", "Der Nordturm", "Der Wehrturm",
              "Am Turm im Osten ist der Nordturm älter als der Wehrturm.", id="als"),
        param("哪条河的含沙量高？", "黄河", "长江", "黄河的含沙量比长江高。", id="比"),
        param("From where does the pump send water?", "From the tank", "From the boiler",
              "The pump sends water from the tank to the boiler.", id="from"),
        param("What happens in spring?", "Sowing", "Harvest",
              "Sowing happens in spring and harvest in autumn.", id="and"),
        param("When was the bridge rebuilt?", "In 912", "In 880",
              "The bridge burned in 880 and was rebuilt in 912.", id="verb"),
        param("Wie hoch ist der Turm?", "40 m", "60 m",
              "Der Dom ist 60 m hoch, der Turm nur 40 m.", id="elided"),
    ],
)  # fmt: skip
def test_an_answer_stands_where_the_question_asks(
    front: str, right: str, wrong: str, quote: str
) -> None:
    assert not reasons(front, right, quote)
    assert reasons(front, wrong, quote)


@pytest.mark.parametrize(
    ("front", "back", "quote"),
    [
        ("What did the king do?", "He signed the treaty", "The king refused to sign the treaty."),
        ("Was maß der Abt?", "Die Tiefe", "Der Abt versuchte, die Tiefe zu messen. Er maß nichts."),
        ("How full was the tank?", "It was full", "The tank was almost full."),
    ],
)
def test_what_was_only_tried_or_nearly_so_is_no_fact(front: str, back: str, quote: str) -> None:
    assert reasons(front, back, quote)


def test_a_reason_may_hold_no_negation_of_its_question() -> None:
    quote = "The canal has no locks, because both seas stand at one level."
    front = "Why does the canal have no locks?"
    assert not reasons(front, "Because both seas stand at one level", quote)
    quote = "The mill does not turn, because the brook is not dammed."
    front = "Why does the mill not turn?"
    assert reasons(front, "Because the brook is dammed", quote) == ["attachment"]


def test_a_cloze_leaves_out_whole_parts_only() -> None:
    quote = "The tide, which the Moon raises, runs twice a day, the ferry once."
    assert not reasons("The {{c1::tide}} runs twice a day.", "tide", quote, cloze=True)
    assert reasons("The {{c1::ferry}} runs twice a day.", "ferry", quote, cloze=True)


def test_a_bound_of_the_question_need_not_be_repeated() -> None:
    quote = "Above 1064 °C gold melts."
    assert not reasons("Above which temperature does gold melt?", "1064 °C", quote)
    assert reasons("Below which temperature does gold melt?", "1064 °C", quote)
