"""One import into a store: rows are coded, sorted and inserted in one transaction."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from itertools import islice
from operator import itemgetter
from pathlib import Path
from types import TracebackType
from typing import Self

from groundwire.errors import InputError
from groundwire.metrics.facts.failures import named, told
from groundwire.metrics.facts.reading import LAST_DAY, SeriesKey, exact
from groundwire.metrics.facts.summaries import restate
from groundwire.metrics.facts.writing import FactRow, SourceDocument

# Rows that are sorted together: neighbours in the file are then written together.
BATCH = 50_000
# Beyond these a number is a mistake of whoever read it, and would be slow to print.
MOST_BITS, MOST_EXPONENT = 10_000, 1_000

_INSERT = "INSERT INTO facts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_KEY = itemgetter(slice(0, 5))
_DOCUMENT = itemgetter(4)
_GIVE = {
    "metrics": ("SELECT id FROM metrics WHERE text = ?", "INSERT INTO metrics (text) VALUES (?)"),
    "entities": (
        "SELECT id FROM entities WHERE text = ?",
        "INSERT INTO entities (text) VALUES (?)",
    ),
    "channels": (
        "SELECT id FROM channels WHERE text = ?",
        "INSERT INTO channels (text) VALUES (?)",
    ),
    "places": ("SELECT id FROM places WHERE text = ?", "INSERT INTO places (text) VALUES (?)"),
}

# As the table `facts` has them: series, start, end, as_of, document, mantissa, exponent, place,
# number, raw.
CodedRow = tuple[int, int, int, int, int, int | str, int, int, int, str | None]


class SqliteImport:
    """The `FactWriter` of a store. After an error it takes nothing more, and keeps nothing."""

    def __init__(
        self,
        path: Path | None,
        begin: Callable[[], sqlite3.Connection],
        end: Callable[[sqlite3.Connection, bool], None],
    ) -> None:
        """Prepare an import; nothing is opened before the block is entered.

        Args:
            path: the file, for messages; None is a store in memory.
            begin: opens a connection and begins the transaction.
            end: is given the connection back, and whether its transaction was committed.
        """
        self._path = path
        self._begin = begin
        self._end = end
        self._connection: sqlite3.Connection | None = None
        self._error: BaseException | None = None
        self._codes: dict[str, dict[str, int]] = {table: {} for table in _GIVE}
        self._series: dict[tuple[str, str, str, str], int] = {}
        self._keys: dict[int, SeriesKey] = {}
        self._names: dict[int, tuple[str, str, str]] = {}
        self._documents: set[int] = set()
        self._new: Counter[int] = Counter()

    def __enter__(self) -> Self:
        with told(self._path):
            self._connection = self._begin()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        connection, self._connection = self._open(), None
        kept = False
        try:
            with told(self._path):
                if kind is None and self._error is None:
                    restate(connection, self._keys.values(), self._new)
                    connection.execute("COMMIT")
                    kept = True
        finally:
            with told(self._path):
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                self._end(connection, kept)
        if kind is None and self._error is not None:
            raise self._error

    def document(self, document: SourceDocument) -> int:
        """Register a document; the same name and hash again is the same number.

        Raises:
            InputError: it is registered with another publisher or date.
            UnavailableError: the store cannot be written now.
        """
        connection, dated = self._open(), document.dated and document.dated.isoformat()
        with told(self._path):
            row = connection.execute(
                "SELECT id, publisher, dated FROM documents WHERE name = ? AND sha256 = ?",
                (document.name, document.sha256),
            ).fetchone()
            if row is None:
                number = connection.execute(
                    "INSERT INTO documents (name, sha256, publisher, dated, imported, facts) "
                    "VALUES (?, ?, ?, ?, ?, 0)",
                    (
                        document.name,
                        document.sha256,
                        document.publisher,
                        dated,
                        date.today().isoformat(),
                    ),
                ).lastrowid
            else:
                number, *before = row
                if before != [document.publisher, dated]:
                    raise InputError(
                        f"The document {document.name} is in the store with publisher "
                        f"{before[0]!r} and date {before[1]}, not {document.publisher!r} and "
                        f"{dated}: forget it there first, then import it again."
                    )
        assert number is not None
        self._documents.add(number)
        return number

    def add(self, rows: Iterable[FactRow]) -> int:
        """See `FactWriter.add`.

        Raises:
            InputError: as there, or a row is none (an unknown document, an end before its start).
            UnavailableError: the store cannot be written now.
        """
        connection = self._open()
        if self._error is not None:
            raise self._error
        new, source = 0, iter(rows)
        try:
            with told(self._path):
                while batch := self._coded(connection, islice(source, BATCH)):
                    batch.sort(key=_KEY)
                    new += self._insert(connection, batch)
        except BaseException as error:
            # Part of the rows is in the transaction, which may therefore not be committed.
            self._error = error
            raise
        return new

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            raise InputError(f"{named(self._path)} takes facts in only inside `with`.")
        return self._connection

    def _coded(self, connection: sqlite3.Connection, rows: Iterator[FactRow]) -> list[CodedRow]:
        """The rows with numbers for their codes, ready for `_INSERT`."""
        known, places, documents = self._series, self._codes["places"], self._documents
        coded: list[CodedRow] = []
        for row in rows:
            (
                metric,
                entity,
                channel,
                start,
                end,
                as_of,
                mantissa,
                exponent,
                unit,
                document,
                place,
                number,
                raw,
            ) = row
            series = known.get((metric, entity, channel, unit))
            if series is None:
                series = self._series_of(connection, row)
            place_number = places.get(place)
            if place_number is None:
                place_number = self._code(connection, "places", place)
            if not (
                0 < start <= end <= LAST_DAY
                and 0 < as_of <= LAST_DAY
                and document in documents
                and -0x8000000000000000 <= mantissa <= 0x7FFFFFFFFFFFFFFF
                and -MOST_EXPONENT <= exponent <= MOST_EXPONENT
            ):
                mantissa = self._unusual(row)
            coded.append(
                (series, start, end, as_of, document, mantissa, exponent, place_number, number, raw)
            )
        return coded

    def _unusual(self, row: FactRow) -> str:
        """The mantissa of a row that does not fit 64 bits.

        Raises:
            InputError: something else is the matter with the row.
        """
        wrong = None
        if row.document not in self._documents:
            wrong = f"document {row.document} is not registered: register it first"
        elif not 0 < row.start <= row.end <= LAST_DAY or not 0 < row.as_of <= LAST_DAY:
            wrong = "its days are none, or end before they start: correct them"
        elif row.mantissa.bit_length() > MOST_BITS or abs(row.exponent) > MOST_EXPONENT:
            wrong = "the number has thousands of digits: correct it"
        if wrong:
            raise InputError(f"{_place(row)}: {wrong}.")
        return str(row.mantissa)

    def _series_of(self, connection: sqlite3.Connection, row: FactRow) -> int:
        """The number of a row's series; it is made if it is not there.

        Raises:
            InputError: the series has another unit.
        """
        names = row.metric, row.entity, row.channel
        key = (
            self._code(connection, "metrics", row.metric),
            self._code(connection, "entities", row.entity),
            self._code(connection, "channels", row.channel),
        )
        found = connection.execute(
            "SELECT id, unit FROM series WHERE metric = ? AND entity = ? AND channel = ?", key
        ).fetchone()
        if found is None:
            found = self._make_series(connection, key, row.unit)
        number, unit = found
        if unit != row.unit:
            raise InputError(
                f"{_place(row)}: the unit is {row.unit or 'none'}, but {row.metric} of "
                f"{row.entity} in {row.channel} has {unit or 'none'}: convert it, or import it as "
                "another metric."
            )
        self._series[(*names, unit)] = number
        self._keys[number] = key
        self._names[number] = names
        return number

    def _make_series(
        self, connection: sqlite3.Connection, key: SeriesKey, unit: str
    ) -> tuple[int, str]:
        (number,) = connection.execute(
            "UPDATE summary SET series = series + 1 RETURNING series"
        ).fetchone()
        connection.execute(
            "INSERT INTO series VALUES (?, ?, ?, ?, ?, 0, 0, 0)", (*key, number, unit)
        )
        return number, unit

    def _code(self, connection: sqlite3.Connection, table: str, text: str) -> int:
        """The number of a code or place, which is given one if it has none."""
        met = self._codes[table]
        number = met.get(text)
        if number is None:
            find, give = _GIVE[table]
            found = connection.execute(find, (text,)).fetchone()
            number = found[0] if found else connection.execute(give, (text,)).lastrowid
            assert number is not None
            met[text] = number
        return number

    def _insert(self, connection: sqlite3.Connection, batch: list[CodedRow]) -> int:
        """Insert sorted rows; how many were not there already."""
        before, pending, there = connection.total_changes, iter(batch), list[CodedRow]()
        while True:
            try:
                connection.executemany(_INSERT, pending)
                break
            except sqlite3.IntegrityError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY:
                    raise
                # `pending` goes on after this row.
                row = batch[connection.total_changes - before + len(there)]
                self._compare(connection, row)
                there.append(row)
        new = Counter(map(_DOCUMENT, batch))
        new.subtract(map(_DOCUMENT, there))
        self._new.update(new)
        return len(batch) - len(there)

    def _compare(self, connection: sqlite3.Connection, row: CodedRow) -> None:
        """See that a row whose key is taken says what is there.

        Raises:
            InputError: its document says another value there.
        """
        mantissa, exponent, place, number = connection.execute(
            "SELECT mantissa, exponent, p.text, number FROM facts JOIN places p ON p.id = place "
            "WHERE series = ? AND start_day = ? AND end_day = ? AND as_of = ? AND document = ?",
            row[:5],
        ).fetchone()
        here, there = exact(row[5], row[6]), exact(mantissa, exponent)
        if here == there:
            return
        (text,) = connection.execute("SELECT text FROM places WHERE id = ?", (row[7],)).fetchone()
        metric, entity, channel = self._names[row[0]]
        raise InputError(
            f"{text.replace('{}', str(row[8]))}: {metric} of {entity} in {channel} from "
            f"{date.fromordinal(row[1])} to {date.fromordinal(row[2])} is {here}, but "
            f"{place.replace('{}', str(number))} of the same document says {there}: keep one."
        )


def _place(row: FactRow) -> str:
    return row.place.replace("{}", str(row.number))
