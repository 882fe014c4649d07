"""The demo of the learning server, on the embedded sample of cards and reviews."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from groundwire.cli.demo import Answer, Exchange

_DECK = "Tides and harbours"
# Two cards: the passage that is imported before them proves the first.
_TABLE = """front,back,quote
What does a lock do?,It lets vessels pass between two levels of water.,\
A lock lets vessels pass between two levels of water.
Where do I moor?,At the third pontoon.,
"""


def prepare(home: Path) -> None:
    """Give the demo's own learner the sample, anew: its days count from now."""
    from groundwire import profiles
    from groundwire.learning.holdings import forget
    from groundwire.learning.importing import Places, import_into, load_sample
    from groundwire.learning.learner import LearningBase

    places = Places(*profiles.learning_sample())
    with LearningBase(home) as base, TemporaryDirectory() as folder:
        learner = base.learner("local")
        forget(learner)
        table = Path(folder) / "harbour_words.csv"
        table.write_text(_TABLE, "utf-8")
        lines = [
            f"# Before it: groundwire learning import {places.text.name} {table.name} --deck Words",
            *import_into(learner, places.text, title=_DECK),
            *import_into(learner, table, deck="Words"),
            f"and groundwire learning sample: {load_sample(learner, places)} cards with reviews",
        ]
        lines[1:] = [f"#   {line}" for line in lines[1:]]
    sys.stdout.write("\n".join((*lines, "")) + "\n")


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


def _quoted(answers: list[Answer]) -> dict[str, Any]:
    """Four cards: one that its quote proves, one that it leaves open, a wrong one, an unquoted."""
    quote = "A lock lets vessels pass between two levels of water."
    return {
        "deck": "Words",
        "cards": [
            {
                "front": "Between how many levels of water does a lock let vessels pass?",
                "back": "two",
                "quote": quote,
            },
            {"front": "How many levels of water does a lock join?", "back": "two", "quote": quote},
            {"front": "How many levels of water can a lock join?", "back": "3", "quote": quote},
            {"front": "What do sailors fear most?", "back": "a lee shore"},
        ],
    }


def _undone_change(answers: list[Answer]) -> dict[str, Any]:
    """The change of the graph that was committed before."""
    made = [one.get("change_id") for one in answers if one.get("change_id")]
    return {"undo": str(made[-1]) if made else "none"}


def _final(answers: list[Answer]) -> dict[str, Any]:
    """Return the final sentences of a host, made from the first answers."""
    listed, deck = answers[0], answers[1]
    return {
        "draft": (
            f'{listed.get("due_count", 0)} cards of the deck "{_DECK}" are due. The mean recall '
            f'probability of the deck "{_DECK}" is {deck.get("value_text", "unknown")}.'
        ),
        "evidence_ids": _proofs(answers[:2]),
    }


def _a_claim(answers: list[Answer]) -> dict[str, Any]:
    """A draft with the true number of due cards, and a mastery that nobody estimated."""
    listed = answers[0]
    return {
        "draft": (
            f'{listed.get("due_count", 0)} cards of the deck "{_DECK}" are due. The concept '
            '"tides" is known with a probability of 42 %.'
        ),
        "evidence_ids": _proofs((*answers[:1], *answers[2:3])),
    }


def _proofs(answers: Iterable[Answer]) -> list[str]:
    return [one["evidence_id"] for one in answers if one.get("evidence_id")]


_EDGE = {"op": "add_edge", "relation": "prerequisite"}

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
        "Why do answers fail? That takes more of them",
        "diagnose_reviews",
        {},
        ("families", "needs"),
    ),
    Exchange(
        "What does the imported text say?",
        "search_sources",
        {"query": "lock vessels", "limit": 1},
        ("passages",),
    ),
    Exchange(
        "New cards: one that its quote proves, one left open, a wrong one, one without",
        "submit_cards",
        _quoted,
        ("accepted", "gaps"),
    ),
    Exchange(
        "What has to be known before, and what of it is not?",
        "query_concepts",
        {"concept": "navigation"},
        ("prerequisites", "unmet"),
    ),
    Exchange(
        "The graph grows by a list of changes that is checked as one",
        "submit_graph_changes",
        {
            "operations": [_EDGE | {"source": "navigation", "target": "harbours"}],
            "rationale": "Whoever enters a harbour has to find it",
        },
    ),
    Exchange(
        "A change that leads in a circle is refused, with the circle",
        "submit_graph_changes",
        {
            "operations": [_EDGE | {"source": "harbours", "target": "tides"}],
            "rationale": "Harbours first",
        },
        ("stages",),
    ),
    Exchange("The change before it is undone", "submit_graph_changes", _undone_change),
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
        "Before the learner sees it, the final sentence is checked",
        "verify_answer",
        _final,
        ("verdict", "claims"),
    ),
    Exchange(
        "And one with a number that is invented",
        "verify_answer",
        _a_claim,
        ("verdict", "claims"),
    ),
]
