"""The subject of a written name: a deck, a concept or a card of a learner, or candidates.

Names are matched exactly, but for case, accents and spaces, or by an alias; near ones are
candidates alone. A name that both a deck and a concept have is ambiguous, and `deck: NAME` or
`concept: NAME` says which is meant.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from groundwire.vocabulary import Policy, Resolution, Term, Vocabulary

Kind = Literal["deck", "concept", "card", "everything"]

MOST_NAMES = 20_000
"""Names of one kind that near names are looked for among."""

_KINDS: tuple[Kind, ...] = ("deck", "concept")
_MOST_CANDIDATES = 5
_LONGEST = 60
_LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of a question about reviews.

    Attributes:
        kind: deck, concept, card, or everything that the learner has.
        id: deck_id, node_id or card_id; "" for everything.
        name: what sentences call it.
        how: how the name was read.
    """

    kind: Kind
    id: str
    name: str
    how: str = "exact"


@dataclass(frozen=True, slots=True)
class NotRead:
    """A name that stands for nothing here, or for more than one thing.

    Attributes:
        param: the argument.
        raw: what was sent.
        reason: unknown or ambiguous.
        candidates: what may have been meant: what can be sent, and what it is called.
    """

    param: str
    raw: str
    reason: Literal["unknown", "ambiguous"]
    candidates: tuple[tuple[str, str], ...]

    @property
    def said(self) -> str:
        """The refusal as a sentence."""
        quoted = shortened(self.raw)
        offered = "; ".join(f'"{value}"' for value, _ in self.candidates)
        if self.reason == "ambiguous":
            return f'"{quoted}" may be {offered}: send the one that is meant.'
        kinds = "card" if self.param == "of" else self.param
        which = "deck, concept or card" if kinds == "card" else kinds
        rest = f" The nearest: {offered}." if offered else ""
        return f'There is no {which} "{quoted}".{rest}'


EVERYTHING = Subject("everything", "", "all cards")


def shortened(text: str) -> str:
    """Return a text in one line, cut for a sentence."""
    line = " ".join(text.split())
    return f"{line[:_LONGEST]}..." if len(line) > _LONGEST else line


def read_subject(
    connection: sqlite3.Connection,
    owner: str,
    raw: str,
    *,
    param: str = "of",
    kinds: Sequence[Kind] = ("card", "deck", "concept"),
) -> Subject | NotRead:
    """Return what a name stands for among a learner's own cards, decks and concepts.

    Args:
        connection: to the learner's file.
        owner: the learner.
        raw: the name or id as it was sent.
        param: the argument that it came in.
        kinds: what it may be.
    """
    sent = raw.strip()
    prefix, mark, rest = sent.partition(":")
    wanted = prefix.strip().casefold()
    if mark and wanted in kinds:
        meant: list[Kind] = [one for one in kinds if one == wanted]
        found = _read(connection, owner, rest.strip(), param, meant)
        if isinstance(found, Subject):
            return found
    return _read(connection, owner, sent, param, kinds)


def _read(
    connection: sqlite3.Connection, owner: str, sent: str, param: str, kinds: Sequence[Kind]
) -> Subject | NotRead:
    if "card" in kinds and (card := _card(connection, owner, sent)):
        return card
    resolved: dict[Kind, Resolution] = {
        kind: Vocabulary(_terms(connection, owner, kind)).resolve(sent, Policy.CANDIDATES_ONLY)
        for kind in _KINDS
        if kind in kinds
    }
    found = [
        Subject(kind, one.term.id, one.term.label, one.how)
        for kind, one in resolved.items()
        if one.term is not None
    ]
    if len(found) == 1:
        return found[0]
    if found:
        named = tuple((f"{one.kind}: {one.name}", one.name) for one in found)
        return NotRead(param, sent, "ambiguous", named)
    if "card" in kinds:
        cards = _fronts(connection, owner, sent)
        if len(cards) == 1:
            return cards[0]
        if cards:
            named = tuple((one.id, one.name) for one in cards)
            return NotRead(param, sent, "ambiguous", named)
    ambiguous = any(one.how == "ambiguous" for one in resolved.values())
    several = len(resolved) > 1
    near = sorted(
        ((one.score, kind, one.term) for kind, all_ in resolved.items() for one in all_.candidates),
        key=lambda each: -each[0],
    )[:_MOST_CANDIDATES]
    offered = tuple(
        (term.id if ambiguous else f"{kind}: {term.label}" if several else term.label, term.label)
        for _, kind, term in near
    )
    return NotRead(param, sent, "ambiguous" if ambiguous else "unknown", offered)


def _card(connection: sqlite3.Connection, owner: str, sent: str) -> Subject | None:
    row = connection.execute(
        "SELECT card_id, front FROM cards WHERE owner = ? AND card_id = ?", (owner, sent)
    ).fetchone()
    return None if row is None else Subject("card", row[0], card_name(row[1], row[0]))


def _fronts(connection: sqlite3.Connection, owner: str, sent: str) -> list[Subject]:
    rows = connection.execute(
        "SELECT card_id, front FROM cards WHERE owner = ? AND front = ? COLLATE NOCASE "
        "ORDER BY card_id LIMIT ?",
        (owner, sent, _MOST_CANDIDATES),
    )
    return [
        Subject("card", card_id, card_name(front, card_id), "exact" if front == sent else "folded")
        for card_id, front in rows
    ]


def card_name(front: str, card_id: str) -> str:
    """Return what sentences call a card: its front where that is short, else its id."""
    line = " ".join(front.split())
    return line if 0 < len(line) <= _LONGEST_NAME else card_id


def _terms(connection: sqlite3.Connection, owner: str, kind: Kind) -> list[Term]:
    if kind == "deck":
        rows = connection.execute(
            "SELECT deck_id, name FROM decks WHERE owner = ? LIMIT ?", (owner, MOST_NAMES)
        )
        return [Term(deck_id, name) for deck_id, name in rows]
    rows = connection.execute(
        "SELECT node_id, name, data FROM nodes WHERE owner = ? LIMIT ?", (owner, MOST_NAMES)
    )
    return [Term(node_id, name, _aliases(data)) for node_id, name, data in rows]


def _aliases(data: str) -> tuple[str, ...]:
    held: dict[str, Any] = json.loads(data)
    names: list[Any] = held.get("aliases", [])
    return tuple(one for one in names if isinstance(one, str))


def cards_of(subject: Subject) -> tuple[str, dict[str, str]]:
    """Return the condition on `card_id`, and its named values, for rows about a subject.

    The condition names `:owner`, which is not among the values.
    """
    if subject.kind == "card":
        return "card_id = :subject", {"subject": subject.id}
    if subject.kind == "deck":
        return (
            "card_id IN (SELECT card_id FROM cards WHERE owner = :owner AND deck_id = :subject)",
            {"subject": subject.id},
        )
    if subject.kind == "concept":
        return (
            "card_id IN (SELECT card_id FROM card_concepts WHERE owner = :owner "
            "AND node_id = :subject)",
            {"subject": subject.id},
        )
    return "1", {}
