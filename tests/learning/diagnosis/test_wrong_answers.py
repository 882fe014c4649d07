"""Wrong answers that were typed: what rules can tell of them, and what they leave open."""

from __future__ import annotations

import pytest

from groundwire.learning.diagnosis.features import (
    Answer,
    Facet,
    Sorted,
    Trace,
    meaning_of,
    sort_wrong,
)
from groundwire.vocabulary.fold import fold

BACKS = {
    "c1": "1852 metres",
    "c2": "spring tide",
    "c3": "It does not fall dry",
    "c4": "the Moon and the Sun",
    "c5": "neap tide",
    "c6": "breakwater",
    "c7": "Nipptide bei Halbmond",
}


def sorted_of(*typed: tuple[str, str], failed: bool = True) -> Sorted:
    answers = [
        Answer(
            f"r{number}", card, failed, "server", number, None, 0, 0, 1, number + 1, None, None,
            None, fold(text), typed=text,
        )
        for number, (card, text) in enumerate(typed)
    ]  # fmt: skip
    cards = {
        key: Facet(key, 0, frozenset((fold(back),)), frozenset(), back)
        for key, back in BACKS.items()
    }
    named = {"m1": ("The Earth's shadow", "shadow of the Earth")}
    return sort_wrong(answers, Trace(answers, cards, {}, 0.0, {}, None), named)


@pytest.mark.parametrize(
    ("card", "typed", "sort", "of"),
    [
        ("c2", "shadow of the Earth", "known_misconception", "m1"),
        ("c2", "Neap tide", "other_card", "c5"),
        ("c6", "braekwater", "misspelt", ""),
        ("c1", "18520 metres", "power_of_ten", ""),
        ("c1", "1852 ft", "other_unit", ""),
        ("c1", "1609 metres", "other_number", ""),
        ("c3", "It does fall dry", "opposite", ""),
        ("c4", "the Moon", "part", ""),
        ("c4", "the Moon and the Sun and Mars", "more", ""),
        ("c7", "bei Halbmond", "part", ""),
    ],
)
def test_a_rule_tells_what_an_answer_is(card: str, typed: str, sort: str, of: str) -> None:
    found = sorted_of((card, typed))
    assert [(one.sort, one.of, one.typed) for one in found.groups] == [(sort, of, typed)]
    assert found.unsorted == 0
    assert meaning_of(found.groups[0].sort).endswith(".")


def test_what_no_rule_fits_is_counted_and_not_guessed() -> None:
    found = sorted_of(("c2", "when the wind blows"), ("c6", "a lighthouse"))
    assert found == Sorted((), 2, 0, 2)


def test_what_is_answered_again_is_told() -> None:
    found = sorted_of(("c2", "a storm"), ("c2", "A storm"), ("c6", "a storm"))
    (group,) = found.groups
    assert (group.sort, group.card_id, group.reviews) == ("repeated", "c2", ("r0", "r1"))
    assert (found.typed, found.unsorted) == (3, 1)


def test_giving_up_and_right_words_are_no_misconception() -> None:
    found = sorted_of(("c2", "I don't know"), ("c2", "Spring tide"), ("c2", "  ?"))
    assert found == Sorted((), 0, 1, 0)
    assert sorted_of(("c2", "neap tide"), failed=False) == Sorted((), 0, 0, 0)


def test_an_answer_to_a_card_that_is_gone_is_passed_over() -> None:
    assert sorted_of(("gone", "a storm")) == Sorted((), 0, 0, 0)
