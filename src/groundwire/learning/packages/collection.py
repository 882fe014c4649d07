"""A collection of Anki, read from its SQLite file, whose schema has version 11 or 18.

The file is somebody else's: it is opened read-only, only its own plain tables are read, no function
of SQLite that it may name is trusted, and every value is checked for its type.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple, cast

from groundwire.errors import InputError, LimitError
from groundwire.learning.packages.archive import first_int, first_text
from groundwire.learning.packages.templates import NoteType, Template

SCHEMAS = (11, 18)
"""The versions of the schema that are read: of packages for every version of Anki."""

MOST_CARDS = 2_000_000
MOST_REVIEWS = 50_000_000
LONGEST_NOTE = 2_000_000
"""Characters of the fields of one note."""

_LONGEST_VALUE = 64 * 1024**2
_PART_OF_DECK = "\x1f"
_READ = ("col", "notes", "cards", "revlog", "decks", "notetypes", "fields", "templates", "config")
_ALLOWED = frozenset((sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION))
_KIND, _QUESTION, _ANSWER, _STYLE = 1, 1, 2, 3
_LONGEST_STYLE = 1_000_000
_LEGACY_SCHEDULER = 1
# The types of the first values of a stored card, which SQLite does not hold to those of columns.
_FORM = (int, int, str, int, int, str, str, *[int] * 8)


class StoredCard(NamedTuple):
    """A card with its note, as a collection has it.

    Attributes:
        card: its id.
        note: the id of its note.
        guid: the id that the note has everywhere.
        note_type: the id of its note's type.
        changed: when the note was changed, seconds since 1970.
        tags: tags, set apart by spaces.
        fields: the note's fields as HTML, set apart by U+001F.
        deck: the id of its deck; where it is lent to a filtered deck that of its home.
        ordinal: which card of its note.
        type: 0 new, 1 learning, 2 review, 3 relearning.
        queue: -1 suspended, -2 and -3 buried.
        due: a position, a day since the collection began, or seconds since 1970, by type.
        interval: days until it is due, from the last review.
        reviews: how often it was reviewed.
        lapses: how often it was forgotten.
        data: JSON with the state of FSRS, or "" where there is none, or another value.
    """

    card: int
    note: int
    guid: str
    note_type: int
    changed: int
    tags: str
    fields: str
    deck: int
    ordinal: int
    type: int
    queue: int
    due: int
    interval: int
    reviews: int
    lapses: int
    data: str


class StoredReview(NamedTuple):
    """An entry of a collection's log.

    Attributes:
        at_ms: when it was, milliseconds since 1970 in UTC; unique.
        card: the id of the card.
        ease: 1 again, 2 hard, 3 good, 4 easy; 0 for all else.
        factor: the ease factor, or the difficulty; 0 where nothing was scheduled.
        duration_ms: how long it took.
        type: 0 learning, 1 review, 2 relearning, 3 filtered, 4 manual, 5 rescheduled.
    """

    at_ms: int
    card: int
    ease: int
    factor: int
    duration_ms: int
    type: int


class AnkiCollection:
    """A collection that is open for reading."""

    def __init__(self, connection: sqlite3.Connection, name: str) -> None:
        """Read what a collection says of itself.

        Args:
            connection: its file.
            name: what messages call it.

        Raises:
            InputError: it is none of Anki, or of a version that is not known.
            LimitError: it has more cards or reviews than are read.
        """
        self._connection = connection
        self._name = name
        self._check_tables()
        row = self._row("SELECT ver, crt FROM col LIMIT 1")
        version, self.created = int(row[0]), int(row[1])
        if version not in SCHEMAS:
            raise InputError(
                f"The collection of {name} has a schema of version {version}; versions "
                f"{' and '.join(map(str, SCHEMAS))} are read: export it again with a current Anki"
            )
        self.is_old = version == SCHEMAS[0]
        self.cards = self._count("cards", MOST_CARDS)
        self.reviews = self._count("revlog", MOST_REVIEWS)
        self.decks = dict(self._decks())
        self.note_types = dict(self._note_types())
        self.scheduler = self._scheduler()

    def stored_cards(self) -> Iterator[StoredCard]:
        """Yield the cards with their notes, note by note.

        Raises:
            InputError: a value is of another type than it should be.
            LimitError: a note is longer than `LONGEST_NOTE`.
        """
        rows = self._rows(
            "SELECT c.id, n.id, n.guid, n.mid, n.mod, n.tags, n.flds, "
            "CASE WHEN c.odid THEN c.odid ELSE c.did END, c.ord, c.type, c.queue, "
            "CASE WHEN c.odid AND c.odue THEN c.odue ELSE c.due END, "
            "c.ivl, c.reps, c.lapses, c.data FROM notes AS n JOIN cards AS c ON c.nid = n.id "
            "ORDER BY n.id, c.ord"
        )
        for row in rows:
            if tuple(map(type, row[:15])) != _FORM:
                raise InputError(f"The collection of {self._name} has a card of another form")
            card = StoredCard(*row)
            if len(card.fields) > LONGEST_NOTE:
                raise LimitError(
                    f"A note of {self._name} has more than {LONGEST_NOTE:,} characters: shorten it"
                )
            yield card

    def stored_reviews(self) -> Iterator[StoredReview]:
        """Yield the log in order of time.

        Raises:
            InputError: a value is of another type than it should be.
        """
        for row in self._rows("SELECT id, cid, ease, factor, time, type FROM revlog ORDER BY id"):
            if any(type(one) is not int for one in row):
                raise InputError(f"The log of {self._name} has an entry of another form")
            review = StoredReview(*row)
            if self.scheduler == _LEGACY_SCHEDULER and review.type in (0, 2) and review.ease > 1:
                # The first scheduler had no "hard" in learning: its 2 is good, its 3 easy.
                review = review._replace(ease=min(4, review.ease + 1))
            yield review

    def _check_tables(self) -> None:
        kinds = dict(
            cast(
                "list[tuple[str, str]]",
                self._rows("SELECT name, type || ':' || coalesce(sql, '') FROM sqlite_master"),
            )
        )
        for name in _READ:
            kind = kinds.get(name, "table:").lower()
            # No view, no virtual table and no computed column: reading runs nothing of the file.
            plain = kind.startswith("table:") and "virtual" not in kind.partition("(")[0]
            if not plain or " as (" in " ".join(kind.split()) or "generated" in kind:
                raise InputError(f"The collection of {self._name} is not one of Anki")
        for name in ("col", "notes", "cards", "revlog"):
            if name not in kinds:
                raise InputError(f"The collection of {self._name} is not one of Anki")

    def _count(self, table: str, most: int) -> int:
        (count,) = self._row(f"SELECT count(*) FROM {table}")  # noqa: S608 - a name of ours
        if count > most:
            raise LimitError(f"The collection of {self._name} has more than {most:,} {table}")
        return int(count)

    def _decks(self) -> Iterator[tuple[int, str]]:
        if self.is_old:
            for key, deck in self._json("decks").items():
                yield int(key), str(deck["name"])
            return
        for number, name in self._rows("SELECT id, name FROM decks"):
            yield int(number), str(name).replace(_PART_OF_DECK, "::")

    def _note_types(self) -> Iterator[tuple[int, NoteType]]:
        if self.is_old:
            for key, model in self._json("models").items():
                yield (
                    int(key),
                    NoteType(
                        str(model["name"]),
                        model.get("type") == 1,
                        tuple(str(one["name"]) for one in model["flds"]),
                        tuple(
                            Template(str(one["name"]), str(one["qfmt"]), str(one["afmt"]))
                            for one in model["tmpls"]
                        ),
                        str(model.get("css", ""))[:_LONGEST_STYLE],
                    ),
                )
            return
        fields: dict[int, list[str]] = {}
        for number, name in self._rows("SELECT ntid, name FROM fields ORDER BY ntid, ord"):
            fields.setdefault(number, []).append(str(name))
        templates: dict[int, list[Template]] = {}
        for number, name, config in self._rows(
            "SELECT ntid, name, config FROM templates ORDER BY ntid, ord"
        ):
            texts = (first_text(config, one) for one in (_QUESTION, _ANSWER))
            templates.setdefault(number, []).append(Template(str(name), *texts))
        for number, name, config in self._rows("SELECT id, name, config FROM notetypes"):
            yield (
                int(number),
                NoteType(
                    str(name),
                    first_int(config, _KIND) == 1,
                    tuple(fields.get(number, ())),
                    tuple(templates.get(number, ())),
                    first_text(config, _STYLE)[:_LONGEST_STYLE],
                ),
            )

    def _scheduler(self) -> int:
        if self.is_old:
            return int(self._json("conf").get("schedVer", _LEGACY_SCHEDULER))
        row = self._rows("SELECT val FROM config WHERE KEY = 'schedVer'")
        found = next(iter(row), None)
        return int(json.loads(found[0])) if found else 2

    def _json(self, column: str) -> dict[str, Any]:
        (text,) = self._row(f"SELECT {column} FROM col LIMIT 1")  # noqa: S608 - a name of ours
        return cast("dict[str, Any]", json.loads(text))

    def _row(self, statement: str) -> tuple[Any, ...]:
        row = next(iter(self._rows(statement)), None)
        if row is None:
            raise InputError(f"The collection of {self._name} is empty")
        return row

    def _rows(self, statement: str) -> Iterator[tuple[Any, ...]]:
        try:
            return _Rows(self._connection.execute(statement), self._name)
        except sqlite3.Error as error:
            raise _unreadable(self._name, error) from error


class _Rows(Iterator[tuple[Any, ...]]):
    """The rows of a query; a file that is broken is told as such wherever it is read."""

    def __init__(self, cursor: sqlite3.Cursor, name: str) -> None:
        self._cursor = cursor
        self._name = name

    def __next__(self) -> tuple[Any, ...]:
        try:
            return next(self._cursor)
        except (sqlite3.Error, UnicodeError) as error:
            raise _unreadable(self._name, error) from error


@contextmanager
def open_collection(file: Path, name: str) -> Generator[AnkiCollection]:
    """Yield the collection in an SQLite file.

    Raises:
        InputError: it is broken, none of Anki, or of a version that is not known.
        LimitError: it is larger than is read.
    """
    connection = sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
    with closing(connection):
        try:
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE)
            connection.create_collation("unicase", _compared)
            connection.set_authorizer(_authorized)
            collection = AnkiCollection(connection, name)
        except sqlite3.Error as error:
            raise _unreadable(name, error) from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(f"The collection of {name} is of another form than Anki's") from error
        yield collection


def _unreadable(name: str, error: Exception) -> InputError:
    reason = " ".join(str(error).split())[:200]
    return InputError(f"The collection of {name} cannot be read: {reason}")


def _compared(one: str, other: str) -> int:
    first, second = one.casefold(), other.casefold()
    return (first > second) - (first < second)


def _authorized(action: int, *_: str | None) -> int:
    return sqlite3.SQLITE_OK if action in _ALLOWED else sqlite3.SQLITE_DENY
