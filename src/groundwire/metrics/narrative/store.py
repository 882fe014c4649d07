"""Narrative documents in an SQLite file, found by words; what is withheld never leaves a query."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime
from operator import itemgetter
from typing import Any, NamedTuple

from groundwire.documents.blocks import Block
from groundwire.documents.chunks import Chunk, chunks
from groundwire.errors import LimitError
from groundwire.metrics.facts.failures import other_version
from groundwire.textindex import (
    PASSAGES_TABLE,
    Database,
    all_words,
    any_part,
    indexed,
    informative_parts,
)

Days = tuple[date, date]


@dataclass(frozen=True, slots=True)
class NarrativeDocument:
    """A document whose paragraphs may be quoted.

    Attributes:
        name: what answers call it; unique in a store.
        title: its title for people.
        sha256: hash of its file, hexadecimal.
        entity: code of the entity that it is about, or "".
        period: first and last day that it is about, or None.
        sensitivity: one of the profile's levels.
        dated: its own date, or None.
    """

    name: str
    title: str
    sha256: str
    entity: str
    period: Days | None
    sensitivity: str
    dated: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredDocument(NarrativeDocument):
    """A document as the store holds it.

    Attributes:
        imported: day of its import.
        chunks: how many chunks it was cut to.
        origin: which profile and file it came with; "" where a user imported it.
    """

    imported: date
    chunks: int
    origin: str


@dataclass(frozen=True, slots=True)
class Scope:
    """The scope of a search. Nothing that a question says goes in here unchecked.

    Attributes:
        allowed: levels whose documents may be quoted; all others are withheld.
        entities: codes of entities, one of which the document is about; empty for any document,
            and with "" among them also documents about none.
        period: days, some of which the document is about; None for any document. A document
            without a period is about no certain days.
    """

    allowed: frozenset[str]
    entities: frozenset[str] = frozenset()
    period: Days | None = None


class Passage(NamedTuple):
    """A quotation that was found.

    Attributes:
        text: as it stands in the document.
        doc: name of the document.
        title: title of the document.
        locator: where in the document it stands.
        score: greater is better; only good for ordering the passages of one search.
        entity: code of the entity that the document is about, or "".
        period: first and last day that the document is about, or None.
        sensitivity: level of the document.
        key: number of the chunk in its store, never used for another.
    """

    text: str
    doc: str
    title: str
    locator: str
    score: float
    entity: str
    period: Days | None
    sensitivity: str
    key: int


# A chunk's number is its document's, shifted, and its place: the chunks of a document are one range
# of numbers, and the document of a chunk is known without a look at a table. AUTOINCREMENT never
# gives a number twice, so that an old number of a chunk can find no other.
_PLACE_BITS = 20
_MOST_CHUNKS = 1 << _PLACE_BITS
_DOCUMENTS_TABLE = """
    CREATE TABLE IF NOT EXISTS documents (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        title TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        entity TEXT NOT NULL,
        first INTEGER,
        last INTEGER,
        sensitivity TEXT NOT NULL,
        dated INTEGER,
        imported INTEGER NOT NULL,
        chunks INTEGER NOT NULL,
        origin TEXT NOT NULL
    ) STRICT"""
_COLUMNS = "name, title, sha256, entity, first, last, sensitivity, dated, imported, chunks, origin"

# The one place where a search is kept to what it may see. A level that is not named is withheld.
# Each match costs one look at its document, before it is scored. Looked up the other way round, all
# documents that may be seen cost more than a rare word; and a column of tags in the index costs the
# length of the tags' own lists (tests/benchmarks/narrative.py).
_SCOPE = """
    EXISTS (
        SELECT 1 FROM documents
        WHERE id = passages.rowid >> 20
        AND sensitivity IN (SELECT value FROM json_each(:allowed))
        AND (:entities IS NULL OR entity IN (SELECT value FROM json_each(:entities)))
        AND (:first IS NULL OR (first <= :last AND last >= :first))
    )"""
_RANKED = "SELECT rowid AS id, bm25(passages) AS away FROM passages WHERE passages MATCH :match AND"
_BEST = "ORDER BY away, rowid LIMIT :limit"
# Those that hold enough of the words: each word's own matches, counted.
_ENOUGH = """
    AND +passages.rowid IN (
        SELECT one.rowid FROM json_each(:parts) AS part CROSS JOIN passages AS one
        WHERE one.passages MATCH part.value
        GROUP BY one.rowid HAVING count(*) >= :enough
    )"""
_WANTED = """
    SELECT wanted.value AS id, wanted.key AS away
    FROM json_each(:keys) AS wanted CROSS JOIN passages ON passages.rowid = wanted.value WHERE"""
_SHOWN_FIRST = """
    SELECT found.id, found.away, passages.text, passages.key, d.name, d.title, d.entity,
        d.first, d.last, d.sensitivity
    FROM ("""
_SHOWN_LAST = """
    ) AS found
    CROSS JOIN passages ON passages.rowid = found.id
    CROSS JOIN documents AS d ON d.id = found.id >> 20"""
_ALL_WORDS = " ".join((_SHOWN_FIRST, _RANKED, _SCOPE, _BEST, _SHOWN_LAST))
_ENOUGH_WORDS = " ".join((_SHOWN_FIRST, _RANKED, _SCOPE, _ENOUGH, _BEST, _SHOWN_LAST))
_BY_KEYS = " ".join((_SHOWN_FIRST, _WANTED, _SCOPE, _SHOWN_LAST))
_ALL_KEYS = " ".join(("SELECT passages.rowid FROM passages WHERE", _SCOPE, "ORDER BY rowid"))

MOST_PASSAGES = 100

_APPLICATION = 0x47574E41  # "GWNA"
_VERSION = 2
_CACHE_KIB = 16_384


class NarrativeStore(Database):
    """Documents, cut to chunks, with an index of their words. Threads may share it."""

    what = "narrative store"
    remedy = "check the file and its folder, or remove the file and import the documents again"

    def add(
        self,
        document: NarrativeDocument,
        blocks: Iterable[Block],
        *,
        imported: date | None = None,
        origin: str = "",
    ) -> int:
        """Take in a document, all of it or nothing.

        One of the same name is replaced, unless it is the same in every respect: a file that did
        not change but is more sensitive now is more sensitive at once. One that came with a
        profile is the user's as soon as a user imports the same, and stays so.

        Args:
            document: what is known of it.
            blocks: its paragraphs, in reading order.
            imported: the day of the import; None is today in UTC.
            origin: which profile and file it comes with; "" where a user imports it.

        Returns:
            how many chunks were added; 0 if the store held it already.

        Raises:
            LimitError: it has more than a million chunks.
            UnavailableError: the file cannot be written; it holds what it held before.
        """
        day = imported or datetime.now(UTC).date()
        with self._writing() as connection:
            row = connection.execute(
                "SELECT " + _COLUMNS + " FROM documents WHERE name = ?",  # noqa: S608 - columns of ours
                (document.name,),
            ).fetchone()
            if row is not None and _document(row) == document:
                if row[-1] not in ("", origin):
                    connection.execute(
                        "UPDATE documents SET origin = ? WHERE name = ?", (origin, document.name)
                    )
                return 0
            _remove(connection, document.name)
            number = connection.execute(
                "INSERT INTO documents (name, title, sha256, entity, first, last, sensitivity, "
                "dated, imported, chunks, origin) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)",
                (*_row(document, day), origin),
            ).lastrowid
            assert number is not None
            count = 0
            for count, chunk in enumerate(chunks(blocks), start=1):
                if count >= _MOST_CHUNKS:
                    raise LimitError(f"The document {document.name} is too long: split it")
                _insert(connection, (number << _PLACE_BITS) + count, chunk)
            connection.execute("UPDATE documents SET chunks = ? WHERE id = ?", (count, number))
        return count

    def remove(self, name: str) -> bool:
        """Remove a document with its chunks; whether there was one of this name.

        Raises:
            UnavailableError: the file cannot be written; it holds what it held before.
        """
        with self._writing() as connection:
            return _remove(connection, name)

    def withdraw(self, origin: str) -> int:
        """Remove the documents of an origin with their chunks; how many documents that were.

        Raises:
            UnavailableError: the file cannot be written; it holds what it held before.
        """
        with self._writing() as connection:
            names = connection.execute(
                "SELECT name FROM documents WHERE origin = ?", (origin,)
            ).fetchall()
            return sum(_remove(connection, name) for (name,) in names)

    def documents(self) -> list[StoredDocument]:
        """Every document by name, withheld ones too: for who imports them, not for answers."""
        rows = self._select("SELECT " + _COLUMNS + " FROM documents ORDER BY name")  # noqa: S608 - columns of ours
        return [_stored(row) for row in rows]

    def find(self, query: str, scope: Scope, limit: int = 5) -> list[Passage]:
        """Find passages with all words of a query, or where none has all, with enough of them.

        Enough is half of the words that say what the query is about, pairs of characters of
        Chinese ones; so a query about something else finds nothing.

        Args:
            query: plain words; nothing in it is an operator, and a long one is cut.
            scope: what may be seen; the query itself leaves out all else.
            limit: how many passages at most, up to `MOST_PASSAGES`.

        Returns:
            the passages, best first.

        Raises:
            UnavailableError: the file cannot be read.
        """
        match = all_words(query)
        limit = min(limit, MOST_PASSAGES)
        if not match or limit < 1:
            return []
        bound = _bound(scope)
        found = self._passages(_ALL_WORDS, {**bound, "match": match, "limit": limit})
        parts = informative_parts(query)
        some = any_part(parts)
        if found or some in ("", match):
            return found
        asked = {
            "match": some,
            "parts": json.dumps(parts),
            "enough": (len(parts) + 1) // 2,
            "limit": limit,
        }
        return self._passages(_ENOUGH_WORDS, {**bound, **asked})

    def passages(self, keys: Sequence[int], scope: Scope) -> list[Passage]:
        """The passages of some chunks, in the order of the keys, that may be seen.

        The score is the place in that order, negative; keys that are none find nothing.

        Raises:
            UnavailableError: the file cannot be read.
        """
        known = [key for key in dict.fromkeys(keys) if type(key) is int and 0 < key < 1 << 63]
        return self._passages(_BY_KEYS, {**_bound(scope), "keys": json.dumps(known)})

    def keys(self, scope: Scope) -> list[int]:
        """The numbers of all chunks that may be seen, in order.

        Raises:
            UnavailableError: the file cannot be read.
        """
        return [key for (key,) in self._select(_ALL_KEYS, _bound(scope))]

    def _passages(self, statement: str, parameters: dict[str, object]) -> list[Passage]:
        # Sorted here, since SQLite would copy the texts to sort the few rows that are left.
        rows = sorted(self._select(statement, parameters), key=itemgetter(1, 0))
        return [_passage(row) for row in rows]

    def _prepare(self, connection: sqlite3.Connection) -> None:
        """Make the tables in an empty file; any other file has to be a store of this version."""
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        connection.execute(f"PRAGMA cache_size = {-_CACHE_KIB}")
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if (application, version) == (_APPLICATION, _VERSION):
            return
        if application == _APPLICATION:
            raise other_version("The narrative store", self._where, version, _VERSION, "documents")
        if tables or application or version:
            raise self._unavailable("it is another kind of file")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(_DOCUMENTS_TABLE)
        connection.execute(PASSAGES_TABLE)
        connection.execute(f"PRAGMA application_id = {_APPLICATION}")
        connection.execute(f"PRAGMA user_version = {_VERSION}")
        connection.execute("COMMIT")


def _insert(connection: sqlite3.Connection, number: int, chunk: Chunk) -> None:
    """Index a chunk by its words and those of its heading; it is shown without the heading."""
    connection.execute(
        "INSERT INTO passages (rowid, key, text, words, characters) VALUES (?, ?, ?, ?, ?)",
        (number, chunk.locator, chunk.text, *indexed(f"{chunk.heading}\n{chunk.text}")),
    )


def _remove(connection: sqlite3.Connection, name: str) -> bool:
    row = connection.execute("SELECT id FROM documents WHERE name = ?", (name,)).fetchone()
    if row is None:
        return False
    first = row[0] << _PLACE_BITS
    connection.execute(
        "DELETE FROM passages WHERE rowid BETWEEN ? AND ?", (first, first + _MOST_CHUNKS - 1)
    )
    connection.execute("DELETE FROM documents WHERE id = ?", row)
    return True


def _bound(scope: Scope) -> dict[str, object]:
    """The parameters of `_SCOPE`."""
    first, last = scope.period or (None, None)
    return {
        "allowed": _listed(scope.allowed),
        "entities": _listed(scope.entities) if scope.entities else None,
        "first": first and first.toordinal(),
        "last": last and last.toordinal(),
    }


def _listed(names: Collection[str]) -> str:
    """Names for `json_each`, which ends a text at a zero: no name may become another by that."""
    return json.dumps([name for name in names if name.isprintable()])


def _row(document: NarrativeDocument, imported: date) -> tuple[object, ...]:
    first, last = document.period or (None, None)
    return (
        document.name,
        document.title,
        document.sha256,
        document.entity,
        first and first.toordinal(),
        last and last.toordinal(),
        document.sensitivity,
        document.dated and document.dated.toordinal(),
        imported.toordinal(),
    )


def _days(first: int | None, last: int | None) -> Days | None:
    if first is None or last is None:
        return None
    return date.fromordinal(first), date.fromordinal(last)


def _document(row: Sequence[Any]) -> NarrativeDocument:
    name, title, sha256, entity, first, last, sensitivity, dated, *_ = row
    day = None if dated is None else date.fromordinal(dated)
    return NarrativeDocument(name, title, sha256, entity, _days(first, last), sensitivity, day)


def _stored(row: Sequence[Any]) -> StoredDocument:
    known = _document(row)
    return StoredDocument(
        *(getattr(known, field.name) for field in fields(known)),
        imported=date.fromordinal(row[-3]),
        chunks=row[-2],
        origin=row[-1],
    )


def _passage(row: Sequence[Any]) -> Passage:
    number, away, text, locator, name, title, entity, first, last, sensitivity = row
    period = _days(first, last)
    return Passage(text, name, title, locator, -away, entity, period, sensitivity, number)
