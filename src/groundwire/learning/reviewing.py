"""`record_review`: one review recorded or undone, as it is answered and proven.

Undoing adds a row that names the review, and the card is scheduled as if it had never been.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, replace

from groundwire.errors import InputError, NotFoundError
from groundwire.evidence.records import Condition, Draft
from groundwire.learning.learner import Learner
from groundwire.learning.proof import Proof, decimals
from groundwire.learning.results import GradeItem, MemoryItem, ReviewResult
from groundwire.learning.reviews.recording import (
    Card,
    Recorded,
    Sent,
    Undecided,
    active_card,
    find_card,
    is_recorded,
    record,
    to_be_asked,
)
from groundwire.learning.reviews.store import Row, append, memory_of, recompute
from groundwire.learning.schedule.policy import Policy, local_text, read_policy
from groundwire.learning.schedule.state import Memory
from groundwire.learning.subjects import card_name, shortened
from groundwire.learning.terms import RATINGS, Rating
from groundwire.quantities import Quantity, parse_quantity
from groundwire.statefile import Flush

_PREFIX = "undo:"
_LAST = (
    "SELECT review_id, at_ms FROM reviews WHERE owner = ? AND card_id = ? AND kind = 'review' "
    "AND NOT EXISTS (SELECT 1 FROM reviews AS undo WHERE undo.owner = reviews.owner "
    "AND undo.kind = 'undo' AND undo.undoes = reviews.review_id "
    "AND undo.card_id = reviews.card_id) ORDER BY sequence DESC LIMIT 1"
)


@dataclass(frozen=True, slots=True)
class Undone:
    """A review that counts no more.

    Attributes:
        review_id: the review that was undone.
        card: its card.
        before: the memory before the undoing.
        after: the memory after it, or None where the card is new again.
        again: whether it had been undone before.
        policy: the learner's policy.
    """

    review_id: str
    card: Card
    before: Memory | None
    after: Memory | None
    again: bool
    policy: Policy


def undo(learner: Learner, card_id: str, review_id: str | None = None) -> Undone:
    """Undo a review of a card: the one that is named, else the one that was recorded last.

    Undoing a review twice undoes it once.

    Raises:
        NotFoundError: the learner has no such card, or the card no such review.
        InputError: the card has no review that counts, or the one named does not count as one.
        UnavailableError: the file cannot be written.
    """
    with learner.writing() as connection:
        card = find_card(connection, learner.owner, card_id)
        policy = read_policy(connection, learner.owner)
        review_id, at_ms = _meant(connection, learner.owner, card_id, review_id)
        before = memory_of(connection, learner.owner, card_id, policy)
        known = connection.execute(
            "SELECT 1 FROM reviews WHERE owner = ? AND review_id = ?",
            (learner.owner, _PREFIX + review_id),
        ).fetchone()
        if known is None:
            now = learner.clock()
            row = Row(
                _PREFIX + review_id, card_id, "undo", None, "host", at_ms, now, undoes=review_id
            )
            append(connection, learner.owner, row)
            recompute(connection, learner.owner, [card_id])
        after = memory_of(connection, learner.owner, card_id, policy)
        return Undone(review_id, card, before, after, known is not None, policy)


def _meant(
    connection: sqlite3.Connection, owner: str, card_id: str, review_id: str | None
) -> tuple[str, int]:
    """Return the id and the time of the review that is to be undone."""
    if review_id is None:
        row = connection.execute(_LAST, (owner, card_id)).fetchone()
        if row is None:
            raise InputError("This card has no review that could be undone.")
        return row
    row = connection.execute(
        "SELECT review_id, at_ms, kind FROM reviews "
        "WHERE owner = ? AND review_id = ? AND card_id = ?",
        (owner, review_id.removeprefix(_PREFIX), card_id),
    ).fetchone()
    if row is None:
        raise NotFoundError(
            "This card has no such review: send the review_id that record_review returned, or "
            "leave it out to undo the last one."
        )
    if row[2] != "review":
        raise InputError("Only a review can be undone: send the review_id of one.")
    return row[:2]


_BY = {
    "server": "by comparison with the back",
    "learner": "by the learner",
    "host": "by the model alone",
    "import": "by an imported log",
}
_REPORTED = {
    "host": " The answer was reported by the host: nobody asked the learner here.",
    "host_confidence": " The confidence was reported by the host.",
}
# The counts of a list of cards, which a review changes.
_COUNTED = ("due_cards", "new_cards", "new_today", "begun_today")
_LONGEST_BACK = 500
_LONGEST_FRONT = 2_000


def record_review(
    learner: Learner, sent: Sent, said: Rating | None = None, flush: Flush | None = None
) -> tuple[ReviewResult, Draft | None]:
    """Record one review; where only the learner can judge it, return the question for them.

    Args:
        learner: whose card it is.
        sent: the review as it was sent.
        said: the rating that the learner gave when asked, or None.
        flush: where the caller waits for the disk itself, before anybody is answered; the answer
            may be recorded meanwhile.

    Raises:
        InputError, NotFoundError, UnavailableError: see `groundwire.learning.reviews.recording`.
    """
    found = record(learner, sent, said, flush)
    if isinstance(found, Undecided):
        return _undecided(found), None
    return _recorded(found)


def undo_review(
    learner: Learner, card_id: str, review_id: str | None = None
) -> tuple[ReviewResult, Draft]:
    """Undo a review of a card, the last one where none is named.

    Raises:
        InputError, NotFoundError, UnavailableError: see `groundwire.learning.reviewing`.
    """
    return _undone(undo(learner, card_id, review_id))


def to_be_answered(learner: Learner, sent: Sent) -> str | None:
    """Return the front of a card that the learner has to answer; None where that is recorded.

    Raises:
        InputError: the review cannot be recorded, whatever the answer is.
        NotFoundError: the learner has no such card.
    """
    to_be_asked(learner, replace(sent, response=""))
    with learner.reading() as connection:
        if sent.review_id and is_recorded(connection, learner.owner, sent.review_id):
            return None
        return active_card(connection, learner.owner, sent.card_id).front[:_LONGEST_FRONT]


def question_for(found: Undecided) -> str:
    """Return what the learner is asked: to hold the response against the back, and rate it."""
    back = shortened_back(found.card)
    front = shortened(found.card.front)
    if found.response is None:
        return f'How well did you recall "{front}"? The card says: {back}'
    return f'"{front}": you wrote "{shortened(found.response)}", the card says: {back}. How was it?'


def shortened_back(card: Card) -> str:
    """Return the back of a card in one line, cut after 500 characters."""
    line = " ".join(card.back.split())
    return f"{line[:_LONGEST_BACK]}..." if len(line) > _LONGEST_BACK else line


def _undecided(found: Undecided) -> ReviewResult:
    question = question_for(found)
    return ReviewResult(
        answer=(
            "Nothing was recorded: only the learner can say how this was. Ask them, and send their "
            f"rating with the same response. {question}"
        ),
        status="undecided",
        card_id=found.card.card_id,
        graded=GradeItem(outcome="undecided", back=shortened_back(found.card)),
        response=found.response,
        question=question,
        options=list(RATINGS),
    )


def _recorded(found: Recorded) -> tuple[ReviewResult, Draft]:
    name = card_name(found.card.front, found.card.card_id)
    after = found.after
    when = f" It is due on {local_text(found.policy, after.due_ms)}." if after else ""
    begins = "This review had been recorded before" if found.again else "Recorded"
    # What the model alone says of an answer is no outcome.
    outcome = "" if found.rated_by == "host" else f"{found.grade.outcome}, "
    reported = _REPORTED.get(found.reported_by, "")
    if found.rated_by == "host":
        reported = " Nobody asked the learner here, so that this rating counts for no estimate."
    result = ReviewResult(
        answer=(
            f'{begins}: "{name}" was {outcome}rated {found.rating_name} '
            f"{_BY[found.rated_by]}.{when}{reported}"
        ),
        status="already_recorded" if found.again else "recorded",
        card_id=found.card.card_id,
        review_id=found.review_id,
        graded=GradeItem(
            outcome=found.grade.outcome,
            how=found.grade.how or None,
            rating=found.rating_name,
            rated_by=found.rated_by,
            reported_by=found.reported_by or None,
            back=shortened_back(found.card) if found.rated_by == "server" else None,
        ),
        before=_memory(found.before, found.policy),
        after=_memory(after, found.policy),
    )
    return result, _draft(found, name)


def _undone(found: Undone) -> tuple[ReviewResult, Draft]:
    name = card_name(found.card.front, found.card.card_id)
    begins = "This review had been undone before" if found.again else "Undone"
    when = (
        f"is due on {local_text(found.policy, found.after.due_ms)}"
        if found.after
        else "is new again"
    )
    result = ReviewResult(
        answer=f'{begins}: the card "{name}" {when}.',
        status="already_undone" if found.again else "undone",
        card_id=found.card.card_id,
        review_id=found.review_id,
        before=_memory(found.before, found.policy),
        after=_memory(found.after, found.policy),
    )
    proof = Proof(stale=_COUNTED, review_id=found.review_id)
    _due(proof, name, found.after, found.policy)
    if found.after is None:
        proof.scope("card", proof.exists("new"), objects=((name,),))
    return result, proof.draft()


def _memory(memory: Memory | None, policy: Policy) -> MemoryItem | None:
    if memory is None:
        return None
    return MemoryItem(
        phase=memory.phase,
        stability=memory.stability,
        difficulty=memory.difficulty,
        due=local_text(policy, memory.due_ms),
        reviews=memory.reviews,
        lapses=memory.lapses,
    )


def _draft(found: Recorded, name: str) -> Draft:
    proof = Proof(
        stale=_COUNTED,
        review_id=found.review_id,
        rated_by=found.rated_by,
        reported_by=found.reported_by,
        how=found.grade.how,
        parameters_id=found.policy.parameters_id,
    )
    rated = Condition(proof.said("rated_by"), "is", (proof.said(f"by_{found.rated_by}"),))
    by_model = found.rated_by == "host"
    if found.grade.outcome != "undecided" and not by_model:
        outcome = proof.said(found.grade.outcome)
        proof.relation((name,), "outcome", outcome, complete="all_listed")
    if found.rated_by == "server":
        back = shortened_back(found.card)
        proof.relation((name,), "answer", (back,), complete="all_listed")
        if isinstance(told := parse_quantity(back), Quantity):
            proof.value("answer", decimals(float(told.value)), unit=told.unit, of=name)
    proof.relation(
        (name,),
        "model_rating" if by_model else "rating",
        proof.said(f"rating_{found.rating_name}"),
        complete="all_listed",
    )
    proof.scope("review", rated, objects=((name,),))
    if found.reported_by:
        proof.relation((name,), "reported_by", proof.said("by_host"))
    _due(proof, name, found.after, found.policy)
    proof.relation((name,), "state", proof.said("reviewed"))
    if found.confidence is not None:
        proof.share("confidence", found.confidence, of=name)
    if found.predicted is not None:
        proof.share("predicted", found.predicted, of=name)
    return proof.draft()


def _due(proof: Proof, name: str, memory: Memory | None, policy: Policy) -> None:
    if memory is None:
        return
    day, _, clock = local_text(policy, memory.due_ms).partition(" ")
    proof.dated("due_date", day, name)
    proof.value("due_time", clock, "time", of=name)
    proof.value("reviews", str(memory.reviews), of=name)
    proof.value("stability", decimals(memory.stability), of=name)
    proof.value("difficulty", decimals(memory.difficulty), of=name)
    proof.value("lapses", str(memory.lapses), of=name)
