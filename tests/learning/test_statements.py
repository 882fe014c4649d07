"""What the records of answers hold: every number and name of the answer, and no more than is so."""

from __future__ import annotations

import random
import re

import pytest
from learning_worlds import World
from statements import condition, of_kind, said, unproven

from groundwire.evidence.claims.check import check
from groundwire.evidence.records import Draft, Record
from groundwire.learning.choosing import set_policy
from groundwire.learning.estimating import query_calibration, query_mastery
from groundwire.learning.listing import ListRequest, list_cards
from groundwire.learning.reviewing import record_review, undo_review
from groundwire.learning.reviews.recording import Sent
from groundwire.learning.schedule.policy import Change, Policy, write_policy

Told = tuple[str, Draft]


def verdict(text: str, draft: Draft) -> str:
    at = "2027-03-02T09:00:00.000Z"
    record = Record("ev_1", 1, "local", "t", {}, at, draft, None, None, False, "", "")
    return check(text, [record]).verdict


@pytest.fixture
def told(world: World) -> dict[str, Told]:
    """The answers of every tool about one learner."""
    set_policy(world.learner, Change(day_ends="00:00 UTC"))
    chance = random.Random(8)
    for number in range(8):
        front = f"word {'abcdefgh'[number]}"
        world.card(f"c{number}", front, deck="Spanish", concepts=["verbs"])
    for _ in range(9):
        for number in range(7):
            right = chance.random() < 0.8
            world.review(f"c{number}", "answer" if right else "no idea", confidence=0.9)
        world.wait(days=4)
    made = {
        "list": list_cards(world.learner, ListRequest(deck="Spanish")),
        "none due": list_cards(world.learner, ListRequest(concept="verbs", state="leech")),
        "card": query_mastery(world.learner, "c1"),
        "deck": query_mastery(world.learner, "Spanish"),
        "concept": query_mastery(world.learner, "verbs"),
        "not enough": query_mastery(world.learner, "c7"),
        "unknown": query_mastery(world.learner, "Spanisch"),
        "calibration": query_calibration(world.learner),
        "too few": query_calibration(world.learner, "c1"),
        "review": record_review(world.learner, Sent("c1", "answer", confidence=0.8)),
        "undo": undo_review(world.learner, "c1"),
        "policy": set_policy(world.learner, Change(loadout="light")),
    }
    return {name: (result.answer, draft) for name, (result, draft) in made.items() if draft}


def test_every_number_and_name_of_an_answer_is_recorded(told: dict[str, Told]) -> None:
    assert len(told) == 12
    for name, (answer, draft) in told.items():
        clocks = re.findall(r"\b\d\d:\d\d\b", answer)
        assert set(clocks) <= said(draft), (name, answer)
        assert unproven(re.sub(r"\b\d\d:\d\d\b", "", answer), draft) == [], (name, answer)


def test_the_count_of_due_cards_is_of_its_deck(told: dict[str, Told]) -> None:
    _, draft = told["list"]
    due = next(one for one in of_kind(draft, "scope") if one.value == 0)
    assert condition(due, "deck").objects == (("Spanish",),)
    assert condition(due, "due").operator == "exists"
    assert verdict("2 cards are due in the deck Spanish.", draft) == "supported"
    assert verdict("8 cards are due in the deck Spanish.", draft) == "contradicted"
    assert verdict("Im Stapel Spanish sind 2 Karten fällig.", draft) == "supported"
    assert verdict("Im Stapel Spanish sind 9 Karten fällig.", draft) == "contradicted"


def test_nothing_numeric_is_said_where_too_little_is_known(told: dict[str, Told]) -> None:
    answer, draft = told["not enough"]
    assert "takes a first review" in answer
    assert not [one for one in draft.values if one.unit == "%"]
    for text in ("The recall of word h is 90 %.", "word h is known with a probability of 0.9."):
        assert verdict(text, draft) not in ("supported", "supported_in_part")
    assert verdict("There is no estimate of word h.", draft) == "supported"


def test_an_end_of_an_interval_is_not_taken_for_the_value(told: dict[str, Told]) -> None:
    answer, draft = told["card"]
    value, low = (one.partition(" ")[0] for one in answer.split(" of ")[1].split(" (from "))
    assert verdict(f"The recall of word b is {value} %.", draft) == "supported"
    assert verdict(f"The recall of word b is {low} %.", draft) == "contradicted"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("\"word a\" has 3 reviews; 30 are needed.", "supported"),
        ("It takes 30 reviews a day or more after the one before; there are 2.", "supported"),
        ("There is not enough to estimate the recall of word a: there are 3 reviews.", "supported"),
        ("There are 2 of the 30 that it takes.", "supported"),
        ("word a has 30 reviews.", "contradicted"),
        ("word a needs 30 reviews.", "unsupported"),
        ("The recall of word a is 30 %.", "unsupported"),
        ("3 reviews are enough.", "unsupported"),
    ],
)  # fmt: skip
def test_true_refusals_are_supported_and_no_more(world: World, text: str, wanted: str) -> None:
    world.card("c1", "word a")
    for _ in range(3):
        world.review("c1")
        world.wait(days=2)
    _, draft = query_mastery(world.learner, "c1")
    assert verdict(text, draft) == wanted


def test_a_card_without_reviews_is_said_to_have_none(world: World) -> None:
    world.card("c1", "word a")
    _, draft = query_mastery(world.learner, "c1")
    assert verdict("word a was never reviewed.", draft) == "supported"
    assert verdict("There is no review of word a.", draft) == "supported"
    assert verdict("There are 2 reviews of word a.", draft) == "contradicted"


def test_answers_that_a_host_reports_are_told_and_calibrate_nothing(world: World) -> None:
    world.card("c1", "word a")
    for _ in range(40):
        sent = Sent("c1", "answer", confidence=0.8, reported_by="host")
        found, draft = record_review(world.learner, sent)
        world.wait(days=2)
    assert found.graded is not None and found.graded.reported_by == "host"
    assert (
        verdict("The answer to word a was reported by the host.", draft or Draft()) == "supported"
    )
    for source in ("confidence", "schedule"):
        left, draft = query_calibration(world.learner, source=source)
        assert (left.status, left.n) == ("not_enough", 0)
        assert left.reported_left_out == (40 if source == "confidence" else 39)
    known, _ = query_mastery(world.learner, "c1")
    assert known.rated_by is not None and known.rated_by.reported_by_host == 40
    with world.learner.writing() as connection:
        write_policy(connection, "local", Policy(count_reported=True), world.now_ms)
    counted, _ = query_calibration(world.learner)
    assert (counted.status, counted.n, counted.reported_left_out) == ("estimated", 40, None)
