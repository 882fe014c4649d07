"""`list_cards`: what comes next, how likely each card is recalled, and how much there is to do."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from groundwire.evidence.records import Draft
from groundwire.learning.learner import Learner
from groundwire.learning.proof import Proof, probability
from groundwire.learning.results import CandidateItem, CardItem, CardList
from groundwire.learning.schedule.policy import Policy, day_of, local_text, read_policy
from groundwire.learning.schedule.queue import (
    MOST_COUNTED,
    Counts,
    Listed,
    Scope,
    counts,
    listed,
)
from groundwire.learning.subjects import EVERYTHING, NotRead, Subject, card_name, read_subject
from groundwire.learning.terms import DAY_MS, LEECH_LAPSES, CardState, SessionMode

_LONGEST_SIDE = 2_000
_MOST_PROVEN = 50
_KINDS: dict[CardState, str] = {
    "": "for this session",
    "due": "due",
    "new": "new",
    "leech": "leeches",
    "draft": "drafts",
    "all": "held",
}


@dataclass(frozen=True, slots=True)
class ListRequest:
    """Which cards are asked for.

    Attributes:
        deck: name or id of a deck, or "".
        concept: name or id of a concept, or "".
        state: which cards; "" for those of a session.
        mode: the order of a session.
        show_back: whether the backs are shown.
        limit: cards of the page.
        offset: cards before it.
    """

    deck: str = ""
    concept: str = ""
    state: CardState = ""
    mode: SessionMode = "goal-driven"
    show_back: bool = False
    limit: int = 20
    offset: int = 0


def list_cards(learner: Learner, request: ListRequest) -> tuple[CardList, Draft]:
    """Return one page of a learner's cards with how many are due.

    Raises:
        UnavailableError: the file cannot be read.
    """
    now = learner.clock()
    with learner.reading() as connection:
        scope = _scope(connection, learner.owner, request)
        if isinstance(scope, NotRead):
            return _refused(scope)
        deck, concept = scope
        policy = read_policy(connection, learner.owner)
        where = Scope(deck.id if deck else "", concept.id if concept else "")
        counted = counts(connection, learner.owner, policy, where, now)
        found = listed(
            connection,
            learner.owner,
            policy,
            where,
            now,
            state=request.state,
            mode=request.mode,
            limit=request.limit + 1,
            offset=request.offset,
        )
        held = _held(connection, learner.owner)
        decks = dict(
            connection.execute("SELECT deck_id, name FROM decks WHERE owner = ?", (learner.owner,))
        )
    more = len(found) > request.limit
    cards = found[: request.limit]
    next_due = None if counted.next_due_ms is None else local_text(policy, counted.next_due_ms)
    result = CardList(
        answer=(held if not cards else "")
        or _answer(request, counted, cards, deck, concept, next_due),
        status="found" if cards else "empty",
        due_count=counted.due,
        new_today=counted.new_today,
        begun_today=counted.begun,
        next_due=next_due,
        cards=[_item(one, policy, now, request, decks.get(one.deck_id)) for one in cards],
        offset=request.offset,
        next_offset=request.offset + request.limit if more else None,
    )
    every = request.state == "all" and not request.offset and not more
    return result, _draft(policy, counted, cards, deck, concept, now, every=every)


def _scope(
    connection: sqlite3.Connection, owner: str, request: ListRequest
) -> tuple[Subject | None, Subject | None] | NotRead:
    found: list[Subject | None] = []
    for raw, kind in ((request.deck, "deck"), (request.concept, "concept")):
        if not raw.strip():
            found.append(None)
            continue
        one = read_subject(
            connection, owner, raw, param=kind, kinds=("deck",) if kind == "deck" else ("concept",)
        )
        if isinstance(one, NotRead):
            return one
        found.append(one)
    return found[0], found[1]


def _refused(refusal: NotRead) -> tuple[CardList, Draft]:
    result = CardList(
        answer=refusal.said,
        status="unrecognized_param",
        param=refusal.param,
        raw=refusal.raw,
        reason=refusal.reason,
        candidates=[CandidateItem(value=value, label=label) for value, label in refusal.candidates],
    )
    return result, Proof().not_read(refusal)


def _held(connection: sqlite3.Connection, owner: str) -> str:
    """The sentence of a learner of whom no card can be due, with what to do; "" of others."""
    states: dict[str, int] = dict(
        connection.execute(
            "SELECT state, count(*) FROM cards WHERE owner = ? GROUP BY state", (owner,)
        )
    )
    if not states:
        return (
            "There are no cards yet: submit_cards keeps new ones, and `groundwire learning import` "
            "takes in a deck, a table or a text to quote."
        )
    if set(states) == {"draft"}:
        return (
            "0 cards are due: all are drafts, which no quote proves, and these never become due. "
            "Send them again with a quote that does."
        )
    return ""


def _answer(
    request: ListRequest,
    counted: Counts,
    cards: list[Listed],
    deck: Subject | None,
    concept: Subject | None,
    next_due: str | None,
) -> str:
    where = f' in the deck "{deck.name}"' if deck else ""
    where += f' about "{concept.name}"' if concept else ""
    due = _number(counted.due)
    one = counted.due == 1
    said = f"{due} card{'' if one else 's'}{where} {'is' if one else 'are'} due today"
    if request.mode != "exam":
        new = counted.new_today
        said += f", and {new} new card{'' if new == 1 else 's'} may be begun today"
    if not counted.due and next_due:
        said += f"; the next card is due on {next_due}"
    if request.state and request.state != "due":
        kind = _KINDS[request.state]
        listed = f". {len(cards)} listed" + (f": {kind}" if request.state != "all" else "")
        said += listed if cards else f". No cards are {kind}"
    return said + "."


def _number(count: int) -> str:
    return f"{count:,}" if count < MOST_COUNTED else f"At least {count:,}"


def _item(
    one: Listed, policy: Policy, now: int, request: ListRequest, deck: str | None
) -> CardItem:
    return CardItem(
        card_id=one.card_id,
        front=one.front[:_LONGEST_SIDE],
        back=one.back[:_LONGEST_SIDE] if request.show_back else None,
        deck=deck,
        state=one.state,
        due=None if one.due_ms is None else local_text(policy, one.due_ms),
        retrievability=None if one.retrievability is None else probability(one.retrievability),
        reviews=one.reviews,
        lapses=one.lapses or None,
        why=_why(one, policy, now),
    )


def _why(one: Listed, policy: Policy, now: int) -> str:
    """Return why a card stands in the list; it is due by the days of the learner."""
    if one.state != "active":
        return "draft: no quote proves it" if one.state == "draft" else one.state
    if one.due_ms is None or one.last_ms is None:
        return "new"
    leech = f"; leech: forgotten {one.lapses} times" if one.lapses >= LEECH_LAPSES else ""
    days = (now - one.due_ms) // DAY_MS
    if one.due_ms > now:
        ahead = (day_of(policy, one.due_ms).date - day_of(policy, now).date).days
        if not ahead:
            return ("due today" if one.phase == "review" else "due later today") + leech
        return f"due in {ahead} day{'' if ahead == 1 else 's'}{leech}"
    if days < 1:
        return ("due" if one.phase == "review" else f"{one.phase}: due again") + leech
    return f"overdue for {days} day{'' if days == 1 else 's'}" + leech


def _draft(
    policy: Policy,
    counted: Counts,
    cards: list[Listed],
    deck: Subject | None,
    concept: Subject | None,
    now: int,
    *,
    every: bool,
) -> Draft:
    subject = deck or concept or EVERYTHING
    proof = Proof(
        parameters_id=policy.parameters_id,
        desired_retention=policy.desired_retention,
        day=counted.day.date.isoformat(),
        as_of_ms=now,
    )
    of = proof.subject(subject)
    about = (*(proof.about(deck) if deck else ()), *(proof.about(concept) if concept else ()))
    due = proof.value("due_cards", str(counted.due), of=of)
    proof.scope("card", proof.exists("due"), *about, value=due)
    new = proof.value("new_today", str(counted.new_today), of=of)
    proof.scope("card", proof.exists("new"), proof.exists("today"), *about, value=new)
    # The new cards of a day are counted over all decks.
    proof.value("begun_today", str(counted.begun), of=proof.subject(EVERYTHING))
    new = proof.value("new_cards", str(counted.new), of=of)
    proof.scope("card", proof.exists("new"), *about, value=new)
    if every:
        held = proof.value("held_cards", str(len(cards)), of=of)
        proof.scope("card", *about, value=held, complete="all_counted")
    if not counted.due:
        proof.absence(proof.said("card"), "due", *about)
    if counted.next_due_ms is not None:
        day, _, clock = local_text(policy, counted.next_due_ms).partition(" ")
        proof.value("next_due", day, "date")
        proof.value("next_due", clock, "time")
    for one in cards[:_MOST_PROVEN]:
        name = card_name(one.front, one.card_id)
        proof.kind(name, "card")
        why = _why(one, policy, now)
        if why == "new" or ("due" in why and not why.startswith("due in ")):
            proof.relation((name,), "state", proof.said("new" if why == "new" else "due"))
        if one.due_ms is not None:
            day = local_text(policy, one.due_ms)[:10]
            proof.dated("due_date", day, name)
            if why.startswith("due in "):
                proof.value("due_in", why.split()[2], unit="d", of=name)
            if (late := (now - one.due_ms) // DAY_MS) > 0 and one.state == "active":
                proof.value("overdue", str(late), unit="d", of=name)
        if one.retrievability is not None:
            proof.share("recall", one.retrievability, of=name, fine=True)
        proof.value("reviews", str(one.reviews), of=name)
        if one.lapses:
            proof.value("lapses", str(one.lapses), of=name)
    return proof.draft()
