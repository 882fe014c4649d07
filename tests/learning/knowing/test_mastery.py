"""What is known of a card, a deck or a concept: estimated, or no number at all."""

from __future__ import annotations

import random

import pytest
from learning_worlds import World

from groundwire.learning.choosing import set_policy
from groundwire.learning.estimating import query_calibration, query_mastery
from groundwire.learning.results import MasteryResult
from groundwire.learning.schedule.policy import Change


@pytest.fixture
def studied(world: World) -> World:
    """Twelve cards of two decks and concepts, reviewed for two months with confidence."""
    set_policy(world.learner, Change(day_ends="00:00 UTC"))
    chance = random.Random(4)
    for number in range(12):
        deck, concept = (("Spanish", "verbs"), ("German", "cases"))[number % 2]
        world.card(f"c{number:02}", deck=deck, concepts=[concept])
    for _ in range(20):
        for number in range(12):
            right = chance.random() < 0.85
            world.review(
                f"c{number:02}", "answer" if right else "no idea", confidence=chance.uniform(0.7, 1)
            )
        world.wait(days=3)
    return world


def test_a_card_is_estimated_with_its_interval(studied: World) -> None:
    found, draft = query_mastery(studied.learner, "c00")
    assert (found.status, found.kind, found.method) == ("estimated", "recall", "fsrs-6")
    assert found.value is not None and found.interval is not None
    assert 0 < found.interval.low <= found.value <= found.interval.high < 1
    assert found.n_reviews == 20 and found.rated_by is not None and found.rated_by.server == 20
    assert found.value_text is not None and found.value_text in found.answer
    assert found.resolved is not None and found.resolved[0].resolved == "card: front of c00"
    assert draft.audit["parameters_id"] == "fsrs-6-defaults"


def test_a_deck_and_a_concept_are_estimated(studied: World) -> None:
    deck, _ = query_mastery(studied.learner, "spanish")
    assert (deck.status, deck.kind, deck.n_cards) == ("estimated", "recall", 6)
    concept, _ = query_mastery(studied.learner, "concept: verbs")
    assert (concept.status, concept.kind, concept.method) == ("estimated", "known", "bkt")
    assert concept.n_reviews == 120


def test_what_was_known_on_a_day_is_what_its_reviews_say(studied: World) -> None:
    now, _ = query_mastery(studied.learner, "c00")
    then, _ = query_mastery(studied.learner, "c00", "2026-04-01")
    assert then.as_of == "2026-04-01" and then.n_reviews == 11
    assert then.value != now.value
    for day in ("2030-01-01", "soon", "2026", "yesterday's tomorrow"):
        refused, _ = query_mastery(studied.learner, "c00", day)
        assert (refused.status, refused.param) == ("unrecognized_param", "as_of"), day
    nothing, _ = query_mastery(studied.learner, "c00", "2025-01-01")
    assert nothing.status == "not_enough" and nothing.n_reviews == 0


def test_ratings_of_the_model_move_no_estimate(studied: World) -> None:
    before, _ = query_mastery(studied.learner, "c00")
    for _ in range(5):
        studied.review("c00", None, rating="again")
    after, _ = query_mastery(studied.learner, "c00")
    assert after.value == before.value and after.interval == before.interval
    assert after.rated_by is not None and after.rated_by.host == 5
    concept, _ = query_mastery(studied.learner, "verbs")
    assert concept.rated_by is not None and concept.rated_by.host == 5


def test_too_little_is_told_without_a_number(world: World) -> None:
    world.card("c1", concepts=["verbs"])
    for of in ("c1", "Spanish", "verbs"):
        found, _ = query_mastery(world.learner, of)
        assert found.status == "not_enough" and found.needed == "a first review"
        assert found.value is None and found.interval is None and found.method is None
    world.review("c1", None, rating="good")
    found, _ = query_mastery(world.learner, "c1")
    assert "the model alone" in (found.needed or "")
    world.review("c1")
    found, _ = query_mastery(world.learner, "c1")
    assert found.needed == (
        "30 reviews a day or more after the one before, of any cards: there are 0"
    )
    for _ in range(4):
        world.review("c1")
    found, _ = query_mastery(world.learner, "verbs")
    assert found.status == "not_enough" and (found.needed or "").startswith("30 answers")


def test_a_result_cannot_hold_a_number_that_is_not_its_own() -> None:
    for wrong in (
        {"status": "not_enough", "needed": "x", "value": 0.5},
        {"status": "unrecognized_param", "param": "of", "raw": "x", "reason": "unknown",
         "candidates": [], "value_text": "50 %"},
        {"status": "estimated", "value": 0.5},
    ):  # fmt: skip
        with pytest.raises(ValueError, match=r"lacks \['|has \['"):
            MasteryResult(answer="x", **wrong)


def test_calibration_is_scored_and_split(studied: World) -> None:
    found, _ = query_calibration(studied.learner, by="deck")
    assert (found.status, found.source, found.n) == ("estimated", "confidence", 240)
    assert found.brier is not None and found.bins is not None
    parts = found.brier
    total = parts.reliability - parts.resolution + parts.uncertainty + parts.within
    assert total == pytest.approx(parts.score, abs=3e-4)
    assert [(one.name, one.n) for one in found.groups or []] == [("German", 120), ("Spanish", 120)]
    months, _ = query_calibration(studied.learner, by="month")
    assert sum(one.n for one in months.groups or []) == 240
    schedule, _ = query_calibration(studied.learner, source="schedule")
    assert schedule.n == 12 * 19
    one, _ = query_calibration(studied.learner, "c00")
    assert (one.status, one.n, one.brier) == ("not_enough", 20, None)


def test_pairs_of_the_model_do_not_count(world: World) -> None:
    world.card("c1")
    for _ in range(40):
        world.review("c1", None, rating="good", confidence=0.9)
        world.wait(days=2)
    found, _ = query_calibration(world.learner)
    assert (found.status, found.n) == ("not_enough", 0)
    assert found.rated_by is not None and found.rated_by.host == 40


def test_undone_reviews_count_for_nothing(studied: World) -> None:
    from groundwire.learning.reviewing import undo

    for _ in range(20):
        undo(studied.learner, "c00")
    found, _ = query_mastery(studied.learner, "c00")
    assert found.status == "not_enough" and found.n_reviews == 0


def test_names_are_never_taken_by_likeness(studied: World) -> None:
    studied.card("x", deck="verbs")
    both, _ = query_mastery(studied.learner, "verbs")
    assert (both.status, both.reason) == ("unrecognized_param", "ambiguous")
    assert [one.value for one in both.candidates or []] == ["deck: verbs", "concept: verbs"]
    near, _ = query_mastery(studied.learner, "Spanisch")
    assert (near.status, near.reason) == ("unrecognized_param", "unknown")
    assert (near.candidates or [])[0].value == "deck: Spanish"
    sent, _ = query_mastery(studied.learner, (near.candidates or [])[0].value)
    assert sent.status == "estimated"
    other, _ = query_mastery(studied.other("eve"), "c00")
    assert other.status == "unrecognized_param" and other.candidates == []


def test_no_estimate_is_certain(world: World) -> None:
    world.card("c1", concepts=["verbs"])
    for _ in range(80):
        world.review("c1")
        world.wait(days=2)
    concept, _ = query_mastery(world.learner, "verbs")
    assert concept.value_text == "99.9 %" and concept.value == 0.9999
    assert concept.interval is not None and concept.interval.high == 0.9999
    card, _ = query_mastery(world.learner, "c1")
    assert card.value is not None and 0 < card.value < 1
