"""Tables taken in: cards, and logs of reviews; all rows or nothing."""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from groundwire.documents.blocks import Progress
from groundwire.errors import InputError
from groundwire.learning.cards import store
from groundwire.learning.cards.checks import check_card
from groundwire.learning.cards.cloze import parse_cloze
from groundwire.learning.cards.quoting import locate
from groundwire.learning.cards.types import CardDraft, Passage
from groundwire.learning.packages.csv_columns import Columns, ratings, read_table
from groundwire.learning.packages.templates import html_text
from groundwire.learning.reviews.store import Imported, add_imported
from groundwire.safe_text import new_handle, safe_characters, safe_name
from groundwire.statefile import StateFile
from groundwire.vocabulary.fold import fold

_KINDS = ("review", "manual", "reschedule")
_STEP = 1_000
# A number of this size or more is a time in milliseconds, a smaller one in seconds.
_MILLISECONDS = 100_000_000_000
_LONGEST_DECK = 200
_LONGEST_CONCEPTS = 2_000
_MOST_STRANGE = 5


@dataclass(frozen=True, slots=True)
class TableReport:
    """The content that was taken in.

    Attributes:
        columns: how the table was read.
        cards: cards that are new.
        quoted: those of them whose quote proves them.
        known: cards that were here already.
        reviews: reviews that are new.
        reviews_known: reviews that were here already.
        left_out: what was not taken, and how often, for people.
        decks: names of the decks of the new cards.
    """

    columns: Columns
    cards: int
    quoted: int
    known: int
    reviews: int
    reviews_known: int
    left_out: Mapping[str, int]
    decks: tuple[str, ...] = ()


def import_table(
    state: StateFile,
    owner: str,
    path: Path,
    *,
    now_ms: int,
    deck: str = "",
    progress: Progress | None = None,
) -> TableReport:
    """Take in a table of cards or of reviews, CSV or TSV, all of it or nothing.

    Cards are the learner's own material, active and `imported`; one with a quote that stands in a
    source and proves it is `quoted`. Taken in again a table adds only what is new.

    Args:
        state: the file of learning.
        owner: whose cards.
        path: the table; its columns are drafted from their names.
        now_ms: the present, milliseconds since 1970 in UTC.
        deck: deck of cards whose row names none; "" takes the file's own, or its name.
        progress: told of the name of the file, rows done, and 0.

    Raises:
        InputError: its columns cannot be told, or a row cannot be read; it is named.
        LimitError: it is too large.
        UnavailableError: the file of learning cannot be written.
    """
    columns, rows = read_table(path)
    with state.writing() as connection:
        if columns.kind == "reviews":
            entries = list(_entries(connection, owner, columns, rows, now_ms))
            added, known = add_imported(connection, owner, entries, now_ms)
            return TableReport(columns, 0, 0, 0, added, known, {})
        table = _Cards(connection, owner, columns, deck or columns.deck or path.stem, now_ms)
        for count, (_, row) in enumerate(rows, 1):
            table.take(row)
            if count % _STEP == 0 and progress is not None:
                progress(path.name, count, 0)
        return table.report()


class _Cards:
    """A table of cards that is taken in."""

    def __init__(
        self, connection: sqlite3.Connection, owner: str, columns: Columns, deck: str, now_ms: int
    ) -> None:
        self._connection = connection
        self._owner = owner
        self._columns = columns
        self._deck = deck
        self._now_ms = now_ms
        self._decks: dict[str, store.Deck] = {}
        self._counts: Counter[str] = Counter()
        self._left_out: Counter[str] = Counter()
        self._taken: set[str] = set()
        self._strange: dict[str, None] = {}
        names = store.concept_names(connection, owner)
        self._concepts = {folded: node_id for node_id, _, folded in names}
        self._known = {
            row[0] for row in connection.execute("SELECT guid FROM notes WHERE owner = ?", (owner,))
        }

    def take(self, row: list[str]) -> None:
        """Take in one row; a blank side is left out, and counted."""
        front, back = self._side(row, "front"), self._side(row, "back")
        cloze = parse_cloze(front)
        if not front or not (back or cloze):
            self._left_out["rows without a front or a back"] += 1
            return
        guid = _cell(row, self._columns, "guid")[:200]
        if not guid:
            hashed = hashlib.sha256(f"{front}\x1f{back}".encode()).hexdigest()
            guid = f"csv:{hashed[:24]}"
        if guid in self._known:
            self._counts["twice" if guid in self._taken else "known"] += 1
            self._tie(row, store.cards_of(self._connection, self._owner, guid))
            return
        self._known.add(guid)
        self._taken.add(guid)
        kind = "cloze" if cloze else "atomic"
        quote = safe_characters(_cell(row, self._columns, "quote")).strip()
        passage = self._proof(CardDraft(kind, front, back if not cloze else "", quote))
        note_id = new_handle("note")
        names = ("Text", "Back Extra") if cloze else ("Front", "Back")
        place = locate(quote, passage.text) if passage else None
        store.add_notes(
            self._connection,
            self._owner,
            [
                store.Note(
                    note_id,
                    guid,
                    kind,
                    (*names, "Source", "Locator"),
                    (
                        front,
                        back,
                        passage.source if passage else "",
                        passage.locator if passage else "",
                    ),
                    tuple(_cell(row, self._columns, "tags").replace(",", " ").split()),
                    self._now_ms,
                )
            ],
        )
        sides = (
            [(cloze.masked(number), cloze.answer(number)) for number in cloze.numbers]
            if cloze
            else [(front, back)]
        )
        deck = self._deck_of(row)
        card_ids = [new_handle("card") for _ in sides]
        store.add_cards(
            self._connection,
            self._owner,
            (
                store.Card(
                    card_ids[ordinal],
                    note_id,
                    deck.deck_id,
                    ordinal,
                    kind,
                    one,
                    other,
                    "active",
                    "quoted" if passage else "imported",
                    self._now_ms,
                    passage.text[place.start : place.stop] if passage and place else "",
                    passage.passage_id if passage else "",
                )
                for ordinal, (one, other) in enumerate(sides)
            ),
        )
        self._tie(row, card_ids)
        self._counts["cards"] += len(sides)
        self._counts["quoted"] += len(sides) if passage else 0

    def _tie(self, row: list[str], card_ids: Sequence[str]) -> None:
        """Tie cards to the concepts that their row names; those that are not known are told."""
        cell = _cell(row, self._columns, "concepts")
        for name in filter(None, map(str.strip, re.split("[|;,，；、]", cell[:_LONGEST_CONCEPTS]))):
            node = self._concepts.get(fold(name))
            if node is None:
                self._strange.setdefault(safe_name(name, 60))
            else:
                for card_id in card_ids:
                    store.add_concepts(self._connection, self._owner, card_id, (node,))

    def report(self) -> TableReport:
        """Return what was taken."""
        counts = self._counts
        if counts["twice"]:
            self._left_out["rows standing in the table twice"] = counts["twice"]
        if self._strange:
            shown = ", ".join([*self._strange][:_MOST_STRANGE])
            more = ", ..." if len(self._strange) > _MOST_STRANGE else ""
            self._left_out[
                f"concepts missing in your graph ({shown}{more}): let your host add them, "
                "then import the table again"
            ] = len(self._strange)
        return TableReport(
            self._columns,
            counts["cards"],
            counts["quoted"],
            counts["known"],
            0,
            0,
            dict(self._left_out),
            tuple(self._decks),
        )

    def _side(self, row: list[str], role: str) -> str:
        cell = _cell(row, self._columns, role)
        return safe_characters(html_text(cell) if self._columns.is_html else cell.strip())

    def _deck_of(self, row: list[str]) -> store.Deck:
        name = safe_characters(_cell(row, self._columns, "deck") or self._deck).strip()
        name = name[:_LONGEST_DECK] or "Default"
        if name not in self._decks:
            self._decks[name] = store.add_deck(self._connection, self._owner, name, self._now_ms)
        return self._decks[name]

    def _proof(self, card: CardDraft) -> Passage | None:
        """The passage that proves a card by its quote, or None; a vain quote is counted."""
        if not card.quote:
            return None
        passages = list(store.passages_with(self._connection, self._owner, card.quote))
        for passage in passages:
            if not check_card(card, passage):
                return passage
        why = "proving nothing" if passages else "standing in no imported document"
        self._left_out[f"quotes {why}, so that their cards are imported only"] += 1
        return None


def _cell(row: list[str], columns: Columns, role: str) -> str:
    place = columns.roles.get(role)
    return row[place] if place is not None and place < len(row) else ""


def _entries(
    connection: sqlite3.Connection,
    owner: str,
    columns: Columns,
    rows: Iterator[tuple[int, list[str]]],
    now_ms: int,
) -> Iterator[Imported]:
    """The reviews of a table; a row that cannot be read refuses it all."""
    known = {
        row[0] for row in connection.execute("SELECT card_id FROM cards WHERE owner = ?", (owner,))
    }
    by_guid = dict(
        connection.execute(
            "SELECT n.guid, c.card_id FROM notes AS n JOIN cards AS c "
            "ON c.owner = n.owner AND c.note_id = n.note_id WHERE n.owner = ? AND c.ordinal = 0",
            (owner,),
        ).fetchall()
    )
    for number, row in rows:
        raw = _cell(row, columns, "card").strip()
        card = raw if raw in known else by_guid.get(raw)
        if card is None:
            raise InputError(
                f"Row {number} is of the card {safe_name(raw, 60)!r}, which is not here: import "
                "the cards first"
            )
        kind = _cell(row, columns, "kind").strip().lower() or "review"
        if kind not in _KINDS:
            raise InputError(f"Row {number}: the kind is one of {', '.join(_KINDS)}")
        at_ms = _time(_cell(row, columns, "at"), number, now_ms)
        rating = _rating(_cell(row, columns, "rating"), number) if kind == "review" else None
        given = _cell(row, columns, "review").strip()[:200]
        yield Imported(
            given or f"csv:{card}:{at_ms}",
            card,
            rating,
            at_ms,
            kind,
            _duration(_cell(row, columns, "duration"), number),
            _confidence(_cell(row, columns, "confidence"), number),
        )


def _rating(raw: str, number: int) -> int:
    found = ratings().get(fold(raw[:40])) if raw.strip() else None
    if found is None:
        raise InputError(
            f"Row {number}: the rating {safe_name(raw, 40)!r} is none of 1 again, 2 hard, 3 good, "
            "4 easy"
        )
    return found


def _time(raw: str, number: int, now_ms: int) -> int:
    """A time in milliseconds since 1970: a whole number of seconds or milliseconds, or ISO 8601."""
    text = raw.strip()
    try:
        if text.isdigit() and len(text) < 16:
            at_ms = int(text) if int(text) >= _MILLISECONDS else int(text) * 1_000
        else:
            moment = datetime.fromisoformat(text)
            moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
            at_ms = round(moment.timestamp() * 1_000)
    except (ValueError, OverflowError) as error:
        raise InputError(
            f"Row {number}: the time {safe_name(raw, 40)!r} cannot be read: write it as "
            "2026-11-23T08:30:00Z, or in seconds or milliseconds since 1970"
        ) from error
    if not 0 < at_ms <= now_ms:
        raise InputError(f"Row {number}: the time {safe_name(raw, 40)!r} is before 1970 or to come")
    return at_ms


def _duration(raw: str, number: int) -> int | None:
    text = raw.strip()
    if not text:
        return None
    if not text.isdigit() or len(text) > 12:
        raise InputError(f"Row {number}: the duration is a whole number of milliseconds")
    return int(text)


def _confidence(raw: str, number: int) -> float | None:
    text = raw.strip()
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise InputError(f"Row {number}: the confidence is a number from 0 to 1")
    return value
