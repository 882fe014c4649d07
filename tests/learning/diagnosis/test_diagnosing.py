"""Why answers fail: what is told, from which reviews, and when nothing is told."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from statements import unproven

from groundwire.errors import InputError, NotFoundError
from groundwire.learning.diagnosis.diagnosing import DiagnosisRequest, diagnose_reviews, meaning
from groundwire.learning.diagnosis.families import FAMILIES, Contrast
from groundwire.learning.diagnosis.results import Diagnosis
from groundwire.learning.diagnosis.thresholds import read_thresholds
from groundwire.learning.learner import learning_file
from groundwire.profiles import FOLDER
from groundwire.state import StatePlace
from groundwire.statefile import StateFile

HOUR = 3_600_000
DAY = 24 * HOUR
THRESHOLDS = read_thresholds(FOLDER / "learning.toml")
Review = Callable[..., None]
Ask = Callable[..., Diagnosis]


@pytest.fixture
def state(place: StatePlace) -> Iterator[StateFile]:
    opened = learning_file(place)
    yield opened
    opened.close()


@pytest.fixture
def review(state: StateFile) -> Review:
    """Store one review of a card."""
    count = iter(range(10**6))

    def add(card: str, at: int, rating: int = 3, owner: str = "ada", **more: Any) -> None:
        row = {
            "owner": owner, "review_id": f"{owner} {next(count)}", "card_id": card,
            "kind": "review", "rating": rating, "rated_by": "learner", "at_ms": at,
            "recorded_ms": at, **more,
        }  # fmt: skip
        with state.writing() as connection:
            connection.execute(
                f"INSERT INTO reviews ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})",
                tuple(row.values()),
            )

    return add


@pytest.fixture
def card(state: StateFile) -> Callable[..., None]:
    def add(card_id: str, concept: str, back: str = "", note: str = "", ordinal: int = 0) -> None:
        with state.writing() as connection:
            connection.execute(
                "INSERT INTO cards (owner, card_id, note_id, deck_id, ordinal, type, front, back,"
                " state, proof, created_ms) VALUES ('ada', ?, ?, 'd', ?, 'basic', ?, ?, 'active',"
                " 'imported', 0)",
                (card_id, note or card_id, ordinal, f"front of {card_id}", back or card_id),
            )
            connection.execute(
                "INSERT OR IGNORE INTO nodes VALUES ('ada', ?, 'concept', ?, ?, '{}', 1)",
                (concept, concept.title(), concept),
            )
            connection.execute("INSERT INTO card_concepts VALUES ('ada', ?, ?)", (card_id, concept))

    return add


@pytest.fixture
def ask(state: StateFile) -> Ask:
    def diagnose(of: str = "", since: str = "", owner: str = "ada") -> Diagnosis:
        return diagnose_reviews(state, THRESHOLDS, owner, DiagnosisRequest(of, since))[0]

    return diagnose


def a_leech(review: Review, card: Callable[..., None], **more: Any) -> None:
    """Ten cards reviewed for forty days: one fails each other day, the others seldom."""
    choose = random.Random(7)
    for number in range(10):
        card(f"c{number}", f"concept{number % 3}")
    for day in range(40):
        for number in range(10):
            fails = day % 2 if number == 0 else choose.random() < 0.06
            at = day * DAY + number * 20_000
            review(f"c{number}", at, 1 if fails else 3, duration_ms=8_000, **more)


def test_a_leech_is_told_with_its_reviews_and_a_step(
    review: Review, card: Callable[..., None], ask: Ask
) -> None:
    a_leech(review, card)
    result = ask()
    assert result.status == "found"
    (family,) = result.families
    assert (family.family, family.of) == ("leech", ["front of c0"])
    assert family.support == len(family.reviews) == 20
    (step,) = result.patches
    assert (step.action, step.tool) == ("rewrite_cards", "submit_cards")
    assert '"front of c0"' in step.says
    assert result.rated_by == {"learner": 400}


def test_the_record_names_the_cause_that_was_found_and_no_other(
    state: StateFile, review: Review, card: Callable[..., None]
) -> None:
    _, empty = diagnose_reviews(state, THRESHOLDS, "ada", DiagnosisRequest())
    assert [(one.kind, one.objects) for one in empty.statements] == [("absence", ())]
    a_leech(review, card)
    _, draft = diagnose_reviews(state, THRESHOLDS, "ada", DiagnosisRequest())
    (statement,) = draft.statements
    assert statement.kind == "relation" and "Ursache" in statement.predicate
    assert [names[0] for names in statement.objects] == ["leech"]
    failures = next(one for one in draft.values if one.name == "failures" and not one.entity)
    assert "Fehler" in failures.labels


def test_reviews_that_only_a_host_rated_tell_nothing(
    review: Review, card: Callable[..., None], ask: Ask
) -> None:
    a_leech(review, card, rated_by="host")
    result = ask()
    assert (result.status, result.n_reviews, result.families) == ("not_enough", 0, [])
    assert result.rated_by == {"host": 400}
    assert result.needs


def test_undone_reviews_do_not_count(
    state: StateFile, review: Review, card: Callable[..., None], ask: Ask
) -> None:
    a_leech(review, card)
    with state.writing() as connection:
        connection.execute(
            "INSERT INTO reviews (owner, review_id, card_id, kind, rated_by, undoes, at_ms,"
            " recorded_ms) SELECT owner, 'u' || review_id, card_id, 'undo', 'learner', review_id,"
            " at_ms, at_ms FROM reviews WHERE card_id = 'c0' AND rating = 1"
        )
    assert ask().status in ("undetermined", "not_enough")


def test_another_learner_and_a_later_day_have_too_little(
    review: Review, card: Callable[..., None], ask: Ask
) -> None:
    a_leech(review, card)
    assert ask(owner="eve").status == "not_enough"
    assert ask(since="2026-01-01").n_reviews == 0
    assert ask(since="1970-01-02T00:00:00+00:00").status == "found"
    assert ask(of="c0").status == "not_enough"
    assert ask(of="c0").rated_by == {"learner": 40}
    assert ask(of="c0").answer.startswith(
        "There is not enough to tell why answers fail: 20 failures"
    )
    assert 'answers of card "front of c0" that test memory; needed are' in ask(of="c0").answer
    assert ask(of="Concept0").n_reviews > 0


def test_what_is_no_day_and_no_card_is_refused(
    review: Review, card: Callable[..., None], ask: Ask
) -> None:
    with pytest.raises(NotFoundError):
        ask(of="c0")
    a_leech(review, card)
    with pytest.raises(InputError, match="2026-01-31"):
        ask(since="yesterday")
    with pytest.raises(NotFoundError, match="did you mean Concept0"):
        ask(of="Concep0")
    with pytest.raises(NotFoundError):
        ask(of="x" * 10**6)
    with pytest.raises(NotFoundError):
        ask(of="c0", owner="eve")


def test_failures_without_a_pattern_are_undetermined(
    review: Review, card: Callable[..., None], ask: Ask
) -> None:
    for number in range(10):
        card(f"c{number}", f"concept{number % 3}")
    choose = random.Random(3)
    for day in range(40):
        for number in range(10):
            rating = 1 if choose.random() < 0.2 else 3
            review(f"c{number}", day * DAY + number * 20_000, rating)
    result = ask()
    assert (result.status, result.families, result.patches) == ("undetermined", [], [])
    assert "no pattern" in result.answer


def test_confused_cards_are_told_as_a_pair_with_an_edge_to_send(
    review: Review, card: Callable[..., None], ask: Ask
) -> None:
    backs = {"c0": "mitosis", "c1": "meiosis"}
    for number in range(10):
        name = f"c{number}"
        card(name, f"concept{number}", backs.get(name, f"back {number}"))
    for day in range(40):
        for number in range(10):
            name, at = f"c{number}", day * DAY + number * 20_000
            wrong = name in backs and day % 3 == 0
            other = "meiosis" if name == "c0" else "Mitosis"
            review(name, at, 1 if wrong else 3, response=other if wrong else "", rated_by="server")
    result = ask()
    (family,) = result.families
    assert (family.family, family.of) == ("confusion", ["front of c0", "front of c1"])
    assert result.patches[0].arguments == {
        "operations": [
            {
                "op": "add_edge",
                "source": "concept0",
                "relation": "confusable_with",
                "target": "concept1",
            }
        ],
        "rationale": "answered with each other's back",
    }


def test_every_number_of_an_answer_is_recorded(
    state: StateFile, review: Review, card: Callable[..., None]
) -> None:
    request = DiagnosisRequest()
    result, draft = diagnose_reviews(state, THRESHOLDS, "ada", request)
    assert result.status == "not_enough" and unproven(result.answer, draft) == []
    a_leech(review, card)
    result, draft = diagnose_reviews(state, THRESHOLDS, "ada", request)
    assert result.status == "found" and unproven(result.answer, draft) == []


def test_every_family_says_what_it_is() -> None:
    assert all(meaning(family).endswith(".") for family in FAMILIES)


def test_a_bound_lies_below_its_ratio_and_rises_with_the_answers() -> None:
    small, large = Contrast(10, 5, 40, 8), Contrast(100, 50, 400, 80)
    assert small.lower(2.0) < large.lower(2.0) < large.ratio
    assert Contrast(50, 10, 50, 10).ratio == pytest.approx(1.0)
    assert Contrast(50, 10, 50, 10).excess == pytest.approx(0.0, abs=0.5)
    assert Contrast(0, 0, 0, 0).lower(2.0) < 1
