"""The demo of the learning server, on the embedded sample of cards and reviews."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from groundwire.cli.demo import Answer, Exchange

_DECK = "Tides and harbours"


def prepare(home: Path) -> None:
    """Give the demo's own learner the sample, anew: its days count from now."""
    from groundwire import profiles
    from groundwire.learning.holdings import forget
    from groundwire.learning.learner import LearningBase
    from groundwire.learning.sample import Places, load_sample

    with LearningBase(home) as base:
        learner = base.learner("local")
        forget(learner)
        load_sample(learner, Places(*profiles.learning_sample()))


def _next_card(answers: list[Answer], at: int = 0) -> str:
    """The card at a place of the first list."""
    cards: list[Any] = answers[0].get("cards") or []
    return str(cards[at]["card_id"]) if len(cards) > at else "none"


def _given_up(answers: list[Answer]) -> dict[str, Any]:
    return {"card_id": _next_card(answers), "response": "I don't know", "confidence": 0.8}


def _rated_by_host(answers: list[Answer]) -> dict[str, Any]:
    return {"card_id": _next_card(answers, 1), "rating": "easy"}


def _undone(answers: list[Answer]) -> dict[str, Any]:
    return {"card_id": _next_card(answers, 1), "undo": True}


def _a_claim(answers: list[Answer]) -> dict[str, Any]:
    """A draft with the true number of due cards, and a mastery that nobody estimated."""
    listed = answers[0]
    return {
        "draft": (
            f'{listed.get("due_count", 0)} cards of the deck "{_DECK}" are due. The concept '
            '"tides" is known with a probability of 61.8 %.'
        ),
        "evidence_ids": [
            one["evidence_id"] for one in (*answers[:1], *answers[2:3]) if one.get("evidence_id")
        ],
    }


SCRIPT = [
    Exchange("What is there to review?", "list_cards", {"deck": _DECK, "limit": 5}, ("cards",)),
    Exchange(
        "How well is a deck remembered? With the interval that the learner's own record gives",
        "query_mastery",
        {"of": _DECK},
        ("interval", "rated_by"),
    ),
    Exchange(
        "And a concept, by the answers about its cards",
        "query_mastery",
        {"of": "tides"},
        ("interval",),
    ),
    Exchange(
        "One that has hardly been asked about: no number stands in the answer",
        "query_mastery",
        {"of": "harbour_drying"},
        ("needed",),
    ),
    Exchange(
        "A misspelt name is no guess, but a candidate",
        "query_mastery",
        {"of": "navigaton"},
        ("candidates",),
    ),
    Exchange(
        "The learner types an answer; it is compared with the back, not judged by a model",
        "record_review",
        {"card_id": "nav_mile", "response": "1.852 km", "review_id": "demo-1"},
        ("graded", "after"),
    ),
    Exchange(
        "The same review once more: it counts once",
        "record_review",
        {"card_id": "nav_mile", "response": "1.852 km", "review_id": "demo-1"},
        ("graded",),
    ),
    Exchange("Who gives up has forgotten", "record_review", _given_up, ("graded", "after")),
    Exchange(
        "Other words for the same may be right, which no program knows: the learner is asked",
        "record_review",
        {"card_id": "tide_cause", "response": "our satellite"},
        ("options",),
    ),
    Exchange(
        "A rating that nobody gave is marked as the model's, and counts for no estimate",
        "record_review",
        _rated_by_host,
        ("graded",),
    ),
    Exchange("So it is undone", "record_review", _undone),
    Exchange(
        "Does the learner know what they know?",
        "query_calibration",
        {},
        ("brier", "bins", "rated_by"),
    ),
    Exchange(
        "A due date or a mastery cannot be sent",
        "record_review",
        {"card_id": "nav_mile", "response": "1852 m", "due": "2030-01-01"},
    ),
    Exchange(
        "An examination is near: what would it cost?",
        "set_learning_policy",
        {"loadout": "exam"},
        ("changed", "workload", "workload_before"),
    ),
    Exchange(
        "Before a user sees a draft, it is checked: its second number is invented",
        "verify_answer",
        _a_claim,
        ("verdict", "claims"),
    ),
]
