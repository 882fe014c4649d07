"""Cards, their schedule and their log written as a package that every version of Anki reads."""

from __future__ import annotations

import datetime as dt
import hashlib
import html
import json
import re
import sqlite3
import tempfile
import tomllib
import zipfile
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from groundwire.documents.blocks import Progress
from groundwire.errors import InputError, NotFoundError, UnavailableError
from groundwire.learning.cards import store
from groundwire.learning.packages.archive import named_in, write_media
from groundwire.learning.packages.templates import OWN, NoteType, note_types
from groundwire.learning.schedule.policy import day_of, local_text, read_policy
from groundwire.safe_text import safe_name
from groundwire.statefile import StateFile

_DAY_MS = 86_400_000
_FACTOR = 2_500
_PHASES = {"learning": (1, 1), "review": (2, 2), "relearning": (3, 1)}
_KINDS = {"manual": 4, "reschedule": 5}
_NEW = (0, 0)
_SUSPENDED = -1
_TAG = re.compile(r"<[^<>]*>")
_STEP = 1_000
_PARTS = "\x1f"


@dataclass(frozen=True, slots=True)
class ExportReport:
    """The content that was written.

    Attributes:
        cards: cards.
        notes: notes that they are made of.
        reviews: entries of the log.
        left_out: cards that were not written: drafts, which are unproven, and archived ones.
    """

    cards: int
    notes: int
    reviews: int
    left_out: int


class _Row(NamedTuple):
    """A card with its note and its schedule."""

    card_id: str
    note_id: str
    ordinal: int
    type: str
    front: str
    back: str
    state: str
    created_ms: int
    deck: str
    guid: str | None
    note_type: str | None
    fields: str | None
    tags: str | None
    changed_ms: int | None
    phase: str | None
    stability: float | None
    difficulty: float | None
    due_ms: int | None
    last_ms: int | None
    reviews: int | None
    lapses: int | None


@dataclass(slots=True)
class _Written:
    """Ids of what was written so far."""

    notes: dict[str, int] = field(default_factory=dict[str, int])
    cards: dict[str, int] = field(default_factory=dict[str, int])
    decks: dict[str, int] = field(default_factory=lambda: {"Default": 1})
    types: dict[int, NoteType] = field(default_factory=dict[int, NoteType])
    reviews: int = 0


def export_package(
    state: StateFile,
    owner: str,
    path: Path,
    *,
    now_ms: int,
    deck: str = "",
    progress: Progress | None = None,
) -> ExportReport:
    """Write an owner's active and suspended cards as an .apkg; a file there is replaced at the end.

    Days begin when the learner's days do, in their zone. Media that a note or its style names go
    with it; a package of everything has all that are kept.

    Args:
        state: the file of learning.
        owner: whose cards.
        path: the package.
        now_ms: the present, milliseconds since 1970 in UTC.
        deck: id or name of a deck, taken with the decks within it; "" for all.
        progress: told of the name of the file, cards done, of how many.

    Raises:
        InputError: the path cannot be written.
        NotFoundError: the deck is unknown, or has no card to write.
        UnavailableError: the file of learning cannot be read.
    """
    with state.reading() as connection:
        if connection is None:
            raise NotFoundError("There is no card yet: groundwire learning import FILE.")
        try:
            folder = Path(tempfile.mkdtemp(prefix=".groundwire-", dir=path.parent))
        except OSError as error:
            raise InputError(
                f"The package {path} cannot be written ({error.strerror}): check its folder"
            ) from error
        collection, package = folder / "collection.anki2", folder / "package.apkg"
        try:
            with closing(sqlite3.connect(collection, isolation_level=None)) as out:
                report = _Export(connection, owner, out, path.name, now_ms, progress).run(deck)
                texts = named_in(out)
            with zipfile.ZipFile(package, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
                archive.write(collection, "collection.anki2")
                write_media(archive, connection, owner, texts if deck.strip() else None)
            package.replace(path)
        except OSError as error:
            raise UnavailableError(
                f"The package {path} cannot be written ({error.strerror}): check disk and folder"
            ) from error
        finally:
            for one in (collection, package):
                one.unlink(missing_ok=True)
            folder.rmdir()
    return report


class _Export:
    """One package that is written."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        owner: str,
        out: sqlite3.Connection,
        name: str,
        now_ms: int,
        progress: Progress | None,
    ) -> None:
        self._connection = connection
        self._owner = owner
        self._out = out
        self._name = name
        self._now_ms = now_ms
        self._progress = progress
        self._written = _Written()
        self._types = note_types(connection, owner)
        self._policy = read_policy(connection, owner)

    def run(self, deck: str) -> ExportReport:
        """Write the tables of the collection."""
        chosen = {"owner": self._owner, "deck": self._deck_name(deck)}
        total, left_out, oldest = self._connection.execute(_sql("totals"), chosen).fetchone()
        if not total:
            raise NotFoundError("There is no active card to write: only drafts, or none at all.")
        # Anki counts the days of dues from here, and takes no day before it for one.
        first = self._day(min(self._now_ms, oldest or self._now_ms)) - 1
        self._out.execute("PRAGMA journal_mode = OFF")
        self._out.execute("PRAGMA synchronous = OFF")
        self._out.executescript(_schema())
        self._out.execute("BEGIN")
        self._cards(chosen, first, total)
        self._log(chosen)
        self._collection(first)
        self._out.execute("COMMIT")
        written = self._written
        return ExportReport(
            len(written.cards), len(written.notes), written.reviews, int(left_out or 0)
        )

    def _day(self, at_ms: int) -> int:
        """The number of the learner's day that a moment belongs to."""
        return day_of(self._policy, at_ms).date.toordinal()

    def _beginning(self, first: int) -> tuple[int, dict[str, int]]:
        """When the first day begins, in seconds, and how the collection's days are counted."""
        noon = dt.datetime.combine(dt.date.fromordinal(first), dt.time(12), dt.UTC)
        day = day_of(self._policy, round(noon.timestamp()) * 1_000)
        shift = (first - day.date.toordinal()) * _DAY_MS
        start = day_of(self._policy, day.start_ms + shift + _DAY_MS // 2).start_ms
        hour, minute = map(int, self._policy.day_ends.split(":"))
        # Anki's days begin at a full hour; the clock at the beginning tells how far west it is.
        clock = dt.datetime.strptime(local_text(self._policy, start), "%Y-%m-%d %H:%M")
        at = dt.datetime.fromtimestamp(start / 1_000, dt.UTC).replace(tzinfo=None)
        west = round((at - clock).total_seconds() / 60)
        hours = {"rollover": hour, "creationOffset": west}
        return start // 1_000 - minute * 60, hours

    def _deck_name(self, deck: str) -> str:
        """The name of a deck that is chosen, "" for all.

        Raises:
            NotFoundError: the deck is unknown.
        """
        if not deck.strip():
            return ""
        found = store.find_deck(self._connection, self._owner, deck.strip())
        if found is None:
            raise NotFoundError(f"There is no deck {safe_name(deck, 80)!r}.")
        return found.name

    def _cards(self, chosen: Mapping[str, str], first: int, total: int) -> None:
        notes: list[tuple[object, ...]] = []
        cards: list[tuple[object, ...]] = []
        written = self._written
        for number, one in enumerate(self._connection.execute(_sql("cards"), chosen), 1):
            row = _Row._make(one)
            note = written.notes.get(row.note_id)
            if note is None:
                note = written.notes[row.note_id] = self._now_ms + len(written.notes)
                notes.append(self._note(note, row))
            card = written.cards[row.card_id] = self._now_ms + len(written.cards)
            cards.append(self._card(card, note, row, first, number))
            if number % _STEP == 0:
                self._insert(notes, cards)
                if self._progress is not None:
                    self._progress(self._name, number, total)
        self._insert(notes, cards)
        if self._progress is not None:
            self._progress(self._name, total, total)

    def _insert(self, notes: list[tuple[object, ...]], cards: list[tuple[object, ...]]) -> None:
        self._out.executemany("INSERT INTO notes VALUES (?,?,?,?,-1,?,?,?,?,0,'')", notes)
        self._out.executemany(
            "INSERT INTO cards VALUES (?,?,?,?,?,-1,?,?,?,?,?,?,?,?,0,0,0,?)", cards
        )
        notes.clear()
        cards.clear()

    def _note(self, note: int, row: _Row) -> tuple[object, ...]:
        imported = self._types.get(row.note_type or "")
        values = json.loads(row.fields) if row.fields else [row.front, row.back]
        if imported is None:
            kind = OWN["cloze" if row.note_type == "cloze" else "atomic"]
            values = [html.escape(one, quote=False).replace("\n", "<br>") for one in values]
            values = (values + [""] * len(kind.fields))[: len(kind.fields)]
        else:
            kind = imported
        number = self._type(kind)
        first = _TAG.sub("", values[0]).strip()
        tags: list[str] = json.loads(row.tags) if row.tags else []
        return (
            note,
            row.guid or row.note_id,
            number,
            (row.changed_ms or row.created_ms) // 1_000,
            f" {' '.join(tags)} " if tags else "",
            _PARTS.join(values),
            first,
            # Anki tells notes of the same first field by this sum.
            int(hashlib.sha1(first.encode(), usedforsecurity=False).hexdigest()[:8], 16),
        )

    def _type(self, kind: NoteType) -> int:
        number = _type_id(kind)
        self._written.types.setdefault(number, kind)
        return number

    def _deck(self, name: str) -> int:
        decks = self._written.decks
        if name not in decks:
            decks[name] = _stable_id("deck", name)
        return decks[name]

    def _card(self, card: int, note: int, row: _Row, first: int, place: int) -> tuple[object, ...]:
        kind, queue = _PHASES.get(row.phase or "", _NEW)
        due, interval = place, 0
        if kind == _PHASES["review"][0]:
            due = self._day(row.due_ms or self._now_ms) - first
            last = row.last_ms if row.last_ms is not None else self._now_ms
            interval = max(1, round(((row.due_ms or self._now_ms) - last) / _DAY_MS))
        elif kind:
            due = (row.due_ms or self._now_ms) // 1_000
        memory: dict[str, float] = {}
        if kind and row.stability is not None and row.difficulty is not None:
            memory = {"s": row.stability, "d": row.difficulty}
        return (
            card,
            note,
            self._deck(row.deck),
            row.ordinal,
            self._now_ms // 1_000,
            kind,
            _SUSPENDED if row.state == "suspended" else queue,
            due,
            interval,
            _FACTOR if kind else 0,
            row.reviews or 0,
            row.lapses or 0,
            1_001 if queue == 1 else 0,
            json.dumps(memory, separators=(",", ":")),
        )

    def _log(self, chosen: Mapping[str, str]) -> None:
        """Write the log; of entries of one millisecond, which Anki cannot hold, later ones move."""
        rows = self._connection.execute(_sql("log"), chosen)
        before: dict[str, tuple[int, int]] = {}
        written: list[tuple[object, ...]] = []
        last = -1
        for card_id, at_ms, kind, rating, duration in rows:
            at = max(at_ms, last + 1)
            last = at
            earlier = before.get(card_id)
            days = round((at_ms - earlier[0]) / _DAY_MS) if earlier else 0
            lapsed = earlier is not None and earlier[1] == 1
            review = 0 if earlier is None else 2 if lapsed else 1
            card = self._written.cards[card_id]
            number = _KINDS.get(kind, review)
            written.append(
                (at, card, rating or 0, max(1, days), days, _FACTOR, duration or 0, number)
            )
            if kind == "review":
                before[card_id] = (at_ms, rating)
        self._out.executemany("INSERT INTO revlog VALUES (?,?,-1,?,?,?,?,?,?)", written)
        self._written.reviews = len(written)

    def _collection(self, first: int) -> None:
        defaults = _defaults()
        begins, hours = self._beginning(first)
        written = self._written
        seconds = self._now_ms // 1_000
        decks = {
            str(number): {**defaults["deck"], "id": number, "name": name, "mod": seconds}
            for name, number in written.decks.items()
        }
        models = {
            str(number): _model(number, kind, seconds, defaults)
            for number, kind in written.types.items()
        }
        self._out.execute(
            "INSERT INTO col VALUES (1, ?, ?, ?, 11, 0, 0, 0, ?, ?, ?, ?, '{}')",
            (
                begins,
                self._now_ms,
                self._now_ms,
                json.dumps({**defaults["conf"], **hours}),
                json.dumps(models),
                json.dumps(decks),
                json.dumps({"1": defaults["options"]}),
            ),
        )


def _stable_id(*parts: str) -> int:
    """An id that the same thing always has, of the size of a time in milliseconds."""
    hashed = hashlib.sha256("\x1f".join(parts).encode()).digest()
    return 10**12 + int.from_bytes(hashed[:6]) % 10**12


def _type_id(kind: NoteType) -> int:
    texts = (part for one in kind.templates for part in (one.name, one.question, one.answer))
    styles = (kind.css,) if kind.css else ()
    return _stable_id("type", kind.name, str(kind.is_cloze), *kind.fields, *texts, *styles)


def _model(
    number: int, kind: NoteType, seconds: int, defaults: Mapping[str, Any]
) -> dict[str, object]:
    return {
        "id": number,
        "name": kind.name,
        "type": int(kind.is_cloze),
        "mod": seconds,
        "usn": -1,
        "sortf": 0,
        "did": None,
        "tmpls": [
            {
                "name": one.name,
                "ord": place,
                "qfmt": one.question,
                "afmt": one.answer,
                "bqfmt": "",
                "bafmt": "",
                "did": None,
                "bfont": "",
                "bsize": 0,
            }
            for place, one in enumerate(kind.templates)
        ],
        "flds": [
            {
                "name": name,
                "ord": place,
                "sticky": False,
                "rtl": False,
                "font": "Arial",
                "size": 20,
                "media": [],
            }
            for place, name in enumerate(kind.fields)
        ],
        "css": kind.css or defaults["css"],
        "latexPre": defaults["latex_pre"],
        "latexPost": defaults["latex_post"],
        "latexsvg": False,
        "req": [[place, "any", [0]] for place in range(len(kind.templates))],
        "tags": [],
        "vers": [],
    }


@cache
def _sql(name: str) -> str:
    return (files("groundwire.learning.packages") / f"export_{name}.sql").read_text("utf-8")


@cache
def _schema() -> str:
    return (files("groundwire.learning.packages") / "anki_schema.sql").read_text("utf-8")


@cache
def _defaults() -> dict[str, Any]:
    text = (files("groundwire.learning.packages") / "apkg_defaults.toml").read_text("utf-8")
    return tomllib.loads(text)
