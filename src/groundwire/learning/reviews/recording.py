"""Recording of one review: checked, graded, written once, and the card scheduled anew.

The rating comes from where it was heard: from a comparison with the back (`server`), from the
learner, who was asked (`learner`), or from the model that says so (`host`). No caller can send a
due date, a stability or a probability.
"""

from __future__ import annotations

import json
import math
import sqlite3
from dataclasses import dataclass
from typing import Literal

from groundwire.errors import InputError, NotFoundError
from groundwire.learning.learner import Learner
from groundwire.learning.reviews.grading import Grade, Outcome, grade
from groundwire.learning.reviews.store import (
    Row,
    append,
    memory_of,
    reviews_of,
    schedule,
)
from groundwire.learning.schedule.policy import Policy, read_policy, scheduler_of
from groundwire.learning.schedule.state import Fsrs, Memory
from groundwire.learning.terms import (
    CLOCK_SLACK_MS,
    DAY_MS,
    EARLIEST_MS,
    RATINGS,
    RatedBy,
    Rating,
    Reported,
)
from groundwire.safe_text import new_handle
from groundwire.statefile import Flush

LONGEST_ID = 200
LONGEST_RESPONSE = 10_000
MOST_DURATION_MS = DAY_MS
_NAMES: dict[int, Rating] = {number: name for name, number in RATINGS.items()}  # pyright: ignore


@dataclass(frozen=True, slots=True)
class Sent:
    """One review as it was sent.

    Attributes:
        card_id: the card.
        response: what the learner typed, or None.
        rating: again, hard, good or easy, or None.
        rated_by: `learner` where the learner said the rating, `host` where the model thinks so.
        confidence: how sure the learner was beforehand, from 0 to 1, or None.
        duration_ms: how long it took, milliseconds, or None.
        review_id: the id that makes it one review, however often it is sent; None mints one.
        at_ms: when it was, for a device that was offline; None is now.
        reported_by: what of it the model sent, where nobody asked the learner for it.
    """

    card_id: str
    response: str | None = None
    rating: Rating | None = None
    rated_by: Literal["learner", "host"] = "learner"
    confidence: float | None = None
    duration_ms: int | None = None
    review_id: str | None = None
    at_ms: int | None = None
    reported_by: Reported = ""


@dataclass(frozen=True, slots=True)
class Card:
    """A card as reviewing needs it.

    Attributes:
        card_id: its id.
        front: its question.
        back: its answer.
        aliases: other right answers.
        deck: the name of its deck.
        state: draft, active, suspended or archived.
    """

    card_id: str
    front: str
    back: str
    aliases: tuple[str, ...]
    deck: str
    state: str


@dataclass(frozen=True, slots=True)
class Recorded:
    """One review that is in the log.

    Attributes:
        review_id: its id.
        card: the card.
        rating: 1 to 4.
        rated_by: who decided the rating.
        grade: the outcome, and what decided it.
        confidence: what the learner gave for it beforehand, or None.
        predicted: the probability that the schedule gave for it, or None.
        before: the memory before it, or None for a new card.
        after: the memory after it.
        at_ms: when it was.
        again: whether it had been recorded before.
        policy: the policy it was scheduled by.
        reported_by: what of it the model sent.
    """

    review_id: str
    card: Card
    rating: int
    rated_by: RatedBy
    grade: Grade
    confidence: float | None
    predicted: float | None
    before: Memory | None
    after: Memory | None
    at_ms: int
    again: bool
    policy: Policy
    reported_by: Reported = ""

    @property
    def rating_name(self) -> Rating:
        """The rating as a word."""
        return _NAMES[self.rating]


@dataclass(frozen=True, slots=True)
class Undecided:
    """A response that only the learner can judge; nothing was recorded.

    Attributes:
        card: the card.
        response: what was typed, or None.
    """

    card: Card
    response: str | None


def to_be_asked(learner: Learner, sent: Sent) -> Undecided | None:
    """Return what the learner has to judge before a review can be recorded as theirs, or None.

    Raises:
        InputError: what was sent cannot be recorded at all.
        NotFoundError: the learner has no such card.
    """
    _check(sent)
    with learner.reading() as connection:
        if sent.review_id and _found(connection, learner.owner, sent.review_id):
            return None
        _check_answered(sent)
        card = active_card(connection, learner.owner, sent.card_id)
    if sent.response is not None:
        graded = grade(sent.response, card.back, card.aliases)
        return Undecided(card, sent.response) if graded.outcome == "undecided" else None
    return Undecided(card, None) if sent.rated_by == "learner" else None


def record(
    learner: Learner, sent: Sent, said: Rating | None = None, flush: Flush | None = None
) -> Recorded | Undecided:
    """Record one review and schedule its card.

    Args:
        learner: whose card it is.
        sent: the review.
        said: the rating that the learner gave when asked, or None where nobody was asked.
        flush: where the caller waits for the disk itself, before anybody is answered.

    Returns:
        the review, or what has to be judged first, where nothing was recorded.

    Raises:
        InputError: the review cannot be: no response and no rating, a confidence beyond 0 to
            1, a time in the future, an id that another review has, a card that is not
            active.
        NotFoundError: the learner has no such card.
        UnavailableError: the file cannot be written.
    """
    _check(sent)
    with learner.writing(flush) as connection:
        if sent.review_id:
            known = _found(connection, learner.owner, sent.review_id)
            if known is not None:
                return _again(connection, learner.owner, known, sent)
        _check_answered(sent)
        card = active_card(connection, learner.owner, sent.card_id)
        rated = _rated(card, sent, said)
        if rated is None:
            return Undecided(card, sent.response)
        return _written(connection, learner, card, sent, *rated)


def active_card(connection: sqlite3.Connection, owner: str, card_id: str) -> Card:
    """Return a card that can be reviewed.

    Raises:
        NotFoundError: it is unknown, deleted or another owner's; which of these is not told.
        InputError: it is a draft, suspended or archived.
    """
    card = find_card(connection, owner, card_id)
    if card.state != "active":
        way = {
            "draft": "it has no quote that proves it; submit_cards takes one",
            "suspended": "the learner suspended it",
        }.get(card.state, "it was put away")
        raise InputError(f"This card is {card.state} and is not reviewed: {way}.")
    return card


def find_card(connection: sqlite3.Connection, owner: str, card_id: str) -> Card:
    """Return a card in any state.

    Raises:
        NotFoundError: it is unknown, deleted or another owner's.
    """
    row = connection.execute(
        "SELECT card_id, front, back, aliases, coalesce(name, ''), state FROM cards "
        "LEFT JOIN decks USING (owner, deck_id) WHERE owner = ? AND card_id = ?",
        (owner, card_id),
    ).fetchone()
    if row is None:
        raise NotFoundError(
            "There is no such card: send a card_id that list_cards returned, as it stands."
        )
    found_id, front, back, aliases, deck, state = row
    return Card(found_id, front, back, tuple(json.loads(aliases)), deck, state)


def _check(sent: Sent) -> None:
    """Refuse what cannot be a review.

    Raises:
        InputError: see `record`.
    """
    if sent.rating is not None and sent.rating not in RATINGS:
        raise InputError(f"rating is again, hard, good or easy, not {str(sent.rating)[:20]!r}.")
    if sent.response is not None and len(sent.response) > LONGEST_RESPONSE:
        raise InputError(f"response holds at most {LONGEST_RESPONSE:,} characters.")
    sure = sent.confidence
    if sure is not None and not (math.isfinite(sure) and 0 <= sure <= 1):
        hint = f": send {sure / 100:g} for {sure:g} %" if 1 < sure <= 100 else ""
        raise InputError(f"confidence is a probability from 0 to 1{hint}.")
    if sent.duration_ms is not None and not 0 <= sent.duration_ms <= MOST_DURATION_MS:
        raise InputError("duration_ms is the time of one review, from 0 to 86,400,000 (one day).")
    if sent.review_id is not None and not 0 < len(sent.review_id) <= LONGEST_ID:
        raise InputError(f"review_id is any text of 1 to {LONGEST_ID} characters.")


def _check_answered(sent: Sent) -> None:
    """Refuse a review that has neither response nor rating.

    Raises:
        InputError: it has neither.
    """
    if sent.response is None and sent.rating is None:
        raise InputError(
            "A review needs the response that the learner typed, or the rating that the learner "
            "gave: again, hard, good or easy."
        )


def _rated(card: Card, sent: Sent, said: Rating | None) -> tuple[int, RatedBy, Grade] | None:
    """Return the rating, who decided it, and the grade; None where nobody did."""
    if sent.response is not None:
        graded = grade(sent.response, card.back, card.aliases)
        if graded.outcome != "undecided":
            good = graded.outcome == "right"
            return RATINGS["good" if good else "again"], "server", graded
    if said is not None:
        return RATINGS[said], "learner", _said(said)
    if sent.rating is not None:
        return RATINGS[sent.rating], "host", _said(sent.rating)
    return None


def _said(rating: Rating) -> Grade:
    return Grade("wrong" if rating == "again" else "right", "said")


def _written(
    connection: sqlite3.Connection,
    learner: Learner,
    card: Card,
    sent: Sent,
    rating: int,
    rated_by: RatedBy,
    graded: Grade,
) -> Recorded:
    owner, now = learner.owner, learner.clock()
    reported_by = sent.reported_by
    if rated_by == "learner" and reported_by == "host":
        # The learner was asked for the rating, whoever sent the response that was shown to them.
        reported_by = "" if sent.confidence is None else "host_confidence"
    policy = read_policy(connection, owner)
    scheduler = scheduler_of(connection, owner, policy)
    latest = memory_of(connection, owner, card.card_id, policy)
    held: list[tuple[int, int]] = []
    if latest is None:
        held = reviews_of(connection, owner, card.card_id)
        latest = scheduler.replay(held)
    at_ms = _time(sent.at_ms, now, latest)
    before, after = latest, None
    if latest is not None and at_ms < latest.last_ms:
        # A device that was offline: its review takes its place among those that came later.
        held = reviews_of(connection, owner, card.card_id)
        earlier = [one for one in held if one[1] <= at_ms]
        before = scheduler.replay(earlier)
        after = scheduler.replay([*earlier, (rating, at_ms), *held[len(earlier) :]])
    if after is None:
        after = scheduler.step(before, rating, at_ms)
    predicted = None if before is None else scheduler.retrievability(before, at_ms)
    review_id = sent.review_id or new_handle("review")
    row = Row(
        review_id,
        card.card_id,
        "review",
        rating,
        rated_by,
        at_ms,
        now,
        graded.outcome,
        graded.how,
        sent.response,
        sent.confidence,
        predicted,
        sent.duration_ms,
        reported_by=reported_by,
    )
    append(connection, owner, row)
    schedule(connection, owner, card.card_id, after, policy.parameters_id)
    return Recorded(
        review_id,
        card,
        rating,
        rated_by,
        graded,
        sent.confidence,
        predicted,
        before,
        after,
        at_ms,
        False,
        policy,
        reported_by,
    )


def _time(sent_ms: int | None, now: int, latest: Memory | None) -> int:
    """Return when a review was.

    Raises:
        InputError: it lies in the future or before 1970, or the clock of this machine was set back
            behind the card's last review.
    """
    if sent_ms is not None:
        if not EARLIEST_MS <= sent_ms <= now + CLOCK_SLACK_MS:
            raise InputError("A review lies between 1970 and now: mend the time of the device.")
        return min(sent_ms, now)
    if latest is None or now >= latest.last_ms:
        return now
    if latest.last_ms - now <= CLOCK_SLACK_MS:
        return latest.last_ms
    raise InputError(
        "The clock of this machine stands before the last review of this card: set the clock, or "
        "undo that review if it was the one with the wrong time."
    )


def is_recorded(connection: sqlite3.Connection, owner: str, review_id: str) -> bool:
    """Whether a learner's log has a review of this id."""
    return _found(connection, owner, review_id) is not None


def _found(connection: sqlite3.Connection, owner: str, review_id: str) -> Row | None:
    row = connection.execute(
        "SELECT review_id, card_id, kind, rating, rated_by, at_ms, recorded_ms, outcome, how, "
        "response, confidence, predicted, duration_ms, undoes, reported_by FROM reviews "
        "WHERE owner = ? AND review_id = ?",
        (owner, review_id),
    ).fetchone()
    return None if row is None else Row(*row)


def _again(connection: sqlite3.Connection, owner: str, known: Row, sent: Sent) -> Recorded:
    """Return a review that is there already.

    Raises:
        InputError: its id is that of another review, or of one that was undone.
    """
    same = (
        known.kind == "review"
        and known.card_id == sent.card_id
        and (known.response == sent.response or (sent.response, sent.rating) == (None, None))
        and known.confidence == sent.confidence
        and (sent.rating is None or known.rated_by == "server" or _same_rating(known, sent))
    )
    if not same or known.rating is None:
        raise InputError(
            "Another review has this review_id: send a new one, or leave review_id out."
        )
    undone = connection.execute(
        "SELECT 1 FROM reviews WHERE owner = ? AND kind = 'undo' AND card_id = ? AND undoes = ?",
        (owner, known.card_id, known.review_id),
    ).fetchone()
    if undone:
        raise InputError(
            "This review was recorded and undone since: send a new review_id to record it again."
        )
    card = find_card(connection, owner, known.card_id)
    policy = read_policy(connection, owner)
    scheduler = scheduler_of(connection, owner, policy)
    held = reviews_of(connection, owner, card.card_id)
    before = _until(scheduler, held, known)
    return Recorded(
        known.review_id,
        card,
        known.rating,
        known.rated_by,
        Grade(_outcome(known), "said" if known.how == "said" else _how(known)),
        known.confidence,
        known.predicted,
        before,
        scheduler.replay(held),
        known.at_ms,
        True,
        policy,
        known.reported_by,
    )


def _same_rating(known: Row, sent: Sent) -> bool:
    # The learner may have been asked, and have said another rating than was sent.
    return known.rated_by == "learner" or known.rating == RATINGS[sent.rating or "again"]


def _outcome(row: Row) -> Outcome:
    return "right" if row.outcome == "right" else "wrong"


def _how(row: Row) -> Literal["exact", "folded", "alias", "number", "gave_up"]:
    return row.how  # pyright: ignore - it was written from a grade


def _until(scheduler: Fsrs, held: list[tuple[int, int]], known: Row) -> Memory | None:
    return scheduler.replay([one for one in held if one[1] < known.at_ms])
