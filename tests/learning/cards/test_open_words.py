"""What a quote leaves open of a card, and what shows it to be wrong: words, eras, shares."""

from __future__ import annotations

import pytest

from groundwire.learning.cards.checks import check_card
from groundwire.learning.cards.types import CardDraft, Passage, leaves_open


def reasons(front: str, back: str, quote: str, text: str = "") -> list[str]:
    card = CardDraft("atomic", front, back, quote, "p")
    return [gap.reason for gap in check_card(card, Passage("p", text or quote, "Notes", "page 1"))]


@pytest.mark.parametrize(
    ("front", "right", "wrong", "quote"),
    [
        ("When did Caesar die?", "44 BC", "44 AD", "Caesar died in 44 BC."),
        ("Wann starb Caesar?", "44 v. Chr.", "44", "Caesar starb 44 v. Chr."),
        ("邗沟是哪一年开挖的？", "公元前486年", "公元486年", "邗沟在公元前486年下令开挖"),
    ],
)
def test_a_year_keeps_its_era(front: str, right: str, wrong: str, quote: str) -> None:
    assert not reasons(front, right, quote)
    assert "date" in reasons(front, wrong, quote)


@pytest.mark.parametrize(
    ("front", "right", "wrong", "quote"),
    [
        pytest.param(
            "How many bricks are laid a day by hand?", "200", "900",
            "With a machine 900 bricks are laid a day and 200 by hand.", id="first",
        ),
        pytest.param(
            "How many bricks are laid a day by hand?", "200", "900",
            "900 bricks are laid a day with a machine and 200 by hand.", id="zone",
        ),
        pytest.param(
            "How many eyes does the scallop have?", "60", "20",
            "The snail has 20 eyes, the scallop 60.", id="rival",
        ),
        pytest.param(
            "Which lake is deeper?", "Lake Ohrid", "Lake Prespa",
            "Lake Prespa drains into Lake Ohrid, which is deeper.", id="relative",
        ),
        pytest.param(
            "From where does the wind blow at night?", "From the land", "From the sea",
            "At night the wind blows from the land to the sea.", id="direction",
        ),
    ],
)  # fmt: skip
def test_an_answer_stands_with_what_is_asked(
    front: str, right: str, wrong: str, quote: str
) -> None:
    assert not reasons(front, right, quote)
    assert reasons(front, wrong, quote)


def test_a_share_is_not_the_whole() -> None:
    quote = "About two thirds of its 90 rooms lie in the north wing."
    assert reasons("How many rooms lie in the north wing?", "90", quote) == ["attachment"]
    assert not reasons("How many rooms are its?", "90", quote)


def test_what_becomes_what_keeps_its_order() -> None:
    quote = "A larva becomes a pupa when it is grown."
    assert not reasons("When does a larva become a pupa?", "When it is grown", quote)
    assert reasons("When does a pupa become a larva?", "When it is grown", quote) == ["attachment"]


@pytest.mark.parametrize(
    ("front", "quote", "text"),
    [
        ("Did the town own a mill?", "the town owned a mill",
         "The mayor denied that the town owned a mill."),
        ("Besaß die Stadt eine Mühle?", "eine Mühle besaß die Stadt",
         "Doch eine Mühle besaß die Stadt nicht."),
        ("Was the bridge finished?", "the bridge was finished",
         "Hardly anyone believed the bridge was finished."),
    ],
)  # fmt: skip
def test_a_quote_is_not_cut_before_a_denial(front: str, quote: str, text: str) -> None:
    reply = "Ja" if front.startswith("Bes") else "Yes"
    assert not reasons(front, reply, quote)
    assert reasons(front, reply, quote, text) == ["attachment"]


def test_a_reason_is_said_to_be_one() -> None:
    front, back = "Why did the mill stop?", "The river froze"
    assert not reasons(front, back, "The mill did stop because the river froze.")
    assert reasons(front, back, "The mill did stop. The river froze.") == ["attachment"]


def test_each_part_of_an_answer_keeps_its_negation() -> None:
    quote = "eine Mühle oder eine Brücke besaß die Stadt nicht"
    front = "Besaß die Stadt eine Mühle?"
    assert "attachment" in reasons(front, "Ja, eine Mühle, aber keine Brücke", quote)


@pytest.mark.parametrize(
    ("front", "back", "quote"),
    [
        ("Which country exports the most cork?", "Portugal", "Portugal exports the most cork."),
        ("What does a knot stand for?", "one nautical mile per hour",
         "A knot is one nautical mile per hour."),
        ("Wofür steht ein Knoten?", "eine Seemeile je Stunde",
         "Ein Knoten ist eine Seemeile je Stunde."),
        ("Wer gründete den Städtebund?", "Kaufleute", "Kaufleute gründeten den Bund von Städten."),
        ("大运河长多少？", "1794公里", "大运河长1794公里。"),
    ],
)  # fmt: skip
def test_words_that_only_ask_need_no_proof(front: str, back: str, quote: str) -> None:
    assert not reasons(front, back, quote)


def test_a_word_that_the_quote_does_not_have_leaves_a_card_open() -> None:
    quote = "The mill was built in 1820."
    assert reasons("When was the mill rebuilt by monks?", "In 1820", quote)[-1] == "front_word"
    card = CardDraft("atomic", "When was the old mill built?", "In 1820", quote, "p")
    gaps = check_card(card, Passage("p", quote, "Notes", "page 1"))
    assert leaves_open(gaps)
    wrong = CardDraft("atomic", "When was the mill built?", "In 1830", quote, "p")
    assert not leaves_open(check_card(wrong, Passage("p", quote, "Notes", "page 1")))
