"""One import into a store: rows are coded, sorted and inserted in one transaction."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from datetime import date
from itertools import islice
from operator import itemgetter
from types import TracebackType
from typing import Self

from groundwire.errors import InputError
from groundwire.metrics.facts.failures import named, told
from groundwire.metrics.facts.model import FactRow, SourceDocument
from groundwire.metrics.facts.reading import LAST_DAY, exact
from groundwire.metrics.facts.schema import DIMENSIONS
from groundwire.metrics.facts.sealing import SeriesKey, is_sound, restate, seal_of, source_mark
from groundwire.state import StatePlace

# Beyond these a number is a mistake of whoever read it, and would be slow to print.
_MOST_BITS, _MOST_EXPONENT = 10_000, 1_000

_GIVE = {
    table: (
        f"SELECT id FROM {table} WHERE text = ?",  # noqa: S608 - a name of ours
        f"INSERT INTO {table} (text) VALUES (?) RETURNING id",  # noqa: S608 - a name of ours
    )
    for table in DIMENSIONS
}

# As the table `facts` has them: series, start, end, as_of, document, mantissa, exponent, place,
# number, raw, seal.
CodedRow = tuple[int, int, int, int, int, int | str, int, int, int, str | None, int]


class Coder:
    """Gives the codes of rows their numbers, in the transaction of one import.

    Attributes:
        connection: where the transaction is open.
        documents: the documents that the import has registered, by their numbers: what seals cover
            of them.
        keys: the series of its rows, by their numbers.
        wrong: those of them whose facts were changed behind the back of the store.
        names: metric, entity and channel of these series.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self._codes: dict[str, dict[str, int]] = {table: {} for table in _GIVE}
        # With what seals say of it; by the unit too, so that a row of another is not found here.
        self._series: dict[tuple[str, str, str, str], tuple[int, str]] = {}
        (self._last_series,) = connection.execute("SELECT series FROM summary").fetchone()
        self.documents: dict[int, str] = {}
        self.keys: dict[int, SeriesKey] = {}
        self.wrong: set[SeriesKey] = set()
        self.names: dict[int, tuple[str, str, str]] = {}

    def coded(self, rows: Iterator[FactRow]) -> list[CodedRow]:
        """The rows with numbers for their codes, as the table has them.

        Raises:
            InputError: a row is none, or has another unit than its series.
        """
        known, places, documents = self._series, self._codes["places"], self.documents
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
            about = (metric, entity, channel, unit)
            found = known.get(about)
            if found is None:
                found = known[about] = self._series_of(row), str(about)
            series, text = found
            place_number = places.get(place)
            if place_number is None:
                place_number = self._code("places", place)
            if not (
                0 < start <= end <= LAST_DAY
                and 0 < as_of <= LAST_DAY
                and document in documents
                and -0x8000000000000000 <= mantissa <= 0x7FFFFFFFFFFFFFFF
                and -_MOST_EXPONENT <= exponent <= _MOST_EXPONENT
            ):
                mantissa = self._unusual(row)
            source = documents[document]
            seal = seal_of(text, start, end, as_of, mantissa, exponent, place, number, raw, source)
            coded.append(
                (
                    series,
                    start,
                    end,
                    as_of,
                    document,
                    mantissa,
                    exponent,
                    place_number,
                    number,
                    raw,
                    seal,
                )
            )
        return coded

    def finish(self) -> None:
        """Write down which number the last series has."""
        self.connection.execute("UPDATE summary SET series = ?", (self._last_series,))

    def _unusual(self, row: FactRow) -> str:
        """The mantissa of a row that does not fit 64 bits.

        Raises:
            InputError: something else is the matter with the row.
        """
        wrong = None
        if row.document not in self.documents:
            wrong = f"document {row.document} is not registered: register it first"
        elif not 0 < row.start <= row.end <= LAST_DAY or not 0 < row.as_of <= LAST_DAY:
            wrong = "its days are none, or end before they start: correct them"
        elif row.mantissa.bit_length() > _MOST_BITS or abs(row.exponent) > _MOST_EXPONENT:
            wrong = "the number has thousands of digits: correct it"
        if wrong:
            raise InputError(f"{_place(row)}: {wrong}.")
        return str(row.mantissa)

    def _series_of(self, row: FactRow) -> int:
        """The number of a row's series; it is made if it is not there.

        Raises:
            InputError: the series has another unit.
        """
        names = row.metric, row.entity, row.channel
        key = (
            self._code("metrics", row.metric),
            self._code("entities", row.entity),
            self._code("channels", row.channel),
        )
        found = self.connection.execute(
            "SELECT id, unit FROM series WHERE metric = ? AND entity = ? AND channel = ?", key
        ).fetchone()
        if found is None:
            self._last_series += 1
            found = self._last_series, row.unit
            self.connection.execute(
                "INSERT INTO series VALUES (?, ?, ?, ?, ?, 0, 0, 0, 0)", (*key, *found)
            )
        elif not is_sound(self.connection, key):
            self.wrong.add(key)
        number, unit = found
        if unit != row.unit:
            raise InputError(
                f"{_place(row)}: the unit is {row.unit or 'none'}, but {row.metric} of "
                f"{row.entity} in {row.channel} has {unit or 'none'}: convert it, or import it as "
                "another metric."
            )
        self.keys[number] = key
        self.names[number] = names
        return number

    def _code(self, table: str, text: str) -> int:
        """The number of a code or place, which is given one if it has none."""
        met = self._codes[table]
        number = met.get(text)
        if number is None:
            find, give = _GIVE[table]
            found = self.connection.execute(find, (text,)).fetchone()
            if found is None:
                found = self.connection.execute(give, (text,)).fetchone()
            number = met[text] = int(found[0])
        return number


# Rows that are sorted together: neighbours in the file are then written together.
BATCH = 50_000

_INSERT = (
    "INSERT INTO facts (series, start_day, end_day, as_of, document, mantissa, exponent, place, "
    "number, raw, seal) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_KEY = itemgetter(slice(0, 5))
_DOCUMENT = itemgetter(4)


class _Undone(Exception):
    """The transaction of an import is not kept."""


class SqliteImport:
    """The `FactWriter` of a store. After an error it takes nothing more, and keeps nothing."""

    def __init__(
        self,
        place: StatePlace | None,
        changing: AbstractContextManager[sqlite3.Connection],
        origin: str = "",
    ) -> None:
        """Prepare an import; nothing is opened before the block is entered.

        Args:
            place: where the store is, for messages; None is a store in memory.
            changing: a block with a connection in a transaction, which is kept unless it fails.
            origin: which profile and file the documents come with; "" where a user imports them.
        """
        self._place = place
        self._changing = changing
        self._origin = origin
        self._coder: Coder | None = None
        self._error: BaseException | None = None
        self._block = ExitStack()
        self._new: Counter[int] = Counter()
        self._seals: Counter[int] = Counter()

    def __enter__(self) -> Self:
        with told(self._place), ExitStack() as block:
            self._coder = Coder(block.enter_context(self._changing))
            self._block = block.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        coder, self._coder = self._open(), None
        failure = error or self._error
        with suppress(_Undone), self._block:
            if failure is not None:
                raise _Undone
            with told(self._place):
                coder.finish()
                restate(coder.connection, coder.keys.values(), self._new, self._seals, coder.wrong)
        if kind is None and failure is not None:
            raise failure

    def document(self, document: SourceDocument) -> int:
        """Register a document; the same name and hash again is the same number.

        One that came with a profile is the user's as soon as a user imports it, and stays so.

        Raises:
            InputError: it is registered with another publisher or date.
            UnavailableError: the store cannot be written now.
        """
        dated = document.dated and document.dated.isoformat()
        with self._taking() as coder:
            row = coder.connection.execute(
                "SELECT id, origin, publisher, dated FROM documents WHERE name = ? AND sha256 = ?",
                (document.name, document.sha256),
            ).fetchone()
            if row is None:
                about = (document.name, document.sha256, document.publisher, dated)
                (number,) = coder.connection.execute(
                    "INSERT INTO documents (name, sha256, publisher, dated, imported, facts, "
                    "origin) VALUES (?, ?, ?, ?, ?, 0, ?) RETURNING id",
                    (*about, date.today().isoformat(), self._origin),
                ).fetchone()
            else:
                number, origin, *before = row
                if before != [document.publisher, dated]:
                    raise InputError(
                        f"The document {document.name} is in the store with publisher "
                        f"{before[0]!r} and date {before[1]}, not {document.publisher!r} and "
                        f"{dated}: forget it there first, then import it again."
                    )
                if origin not in ("", self._origin):
                    coder.connection.execute(
                        "UPDATE documents SET origin = ? WHERE id = ?", (self._origin, number)
                    )
            coder.documents[number] = source_mark(
                document.name, document.sha256, document.publisher
            )
        return number

    def add(self, rows: Iterable[FactRow]) -> int:
        """See `FactWriter.add`.

        Raises:
            InputError: as there, or a row is none (an unknown document, an end before its start).
            UnavailableError: the store cannot be written now.
        """
        new, source = 0, iter(rows)
        with self._taking() as coder:
            while batch := coder.coded(islice(source, BATCH)):
                batch.sort(key=_KEY)
                new += self._insert(coder, batch)
        return new

    @contextmanager
    def _taking(self) -> Generator[Coder, None, None]:
        """Remember an error of the block: the transaction may not be committed any more.

        Part of the rows may be in it; after some errors SQLite has even ended it by itself.
        """
        coder = self._open()
        if self._error is not None:
            raise self._error
        try:
            with told(self._place):
                yield coder
        except UnicodeEncodeError as error:
            self._error = InputError(
                f"A cell has {error.object[error.start : error.end]!r}, which is no character: "
                "correct the file, or name its encoding."
            )
            raise self._error from error
        except BaseException as error:
            self._error = error
            raise

    def _open(self) -> Coder:
        if self._coder is None:
            raise InputError(f"{named(self._place)} takes facts in only inside `with`.")
        return self._coder

    def _insert(self, coder: Coder, batch: list[CodedRow]) -> int:
        """Insert sorted rows; how many were not there already."""
        connection = coder.connection
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
                _compare(coder, row)
                there.append(row)
        new = Counter(map(_DOCUMENT, batch))
        new.subtract(map(_DOCUMENT, there))
        self._new.update(new)
        for row in batch:
            self._seals[row[4]] += row[10]
        for row in there:
            self._seals[row[4]] -= row[10]
        return len(batch) - len(there)


def _compare(coder: Coder, row: CodedRow) -> None:
    """See that a row whose key is taken says what is there.

    Raises:
        InputError: its document says another value there.
    """
    mantissa, exponent, place, number = coder.connection.execute(
        "SELECT mantissa, exponent, p.text, number FROM facts JOIN places p ON p.id = place "
        "WHERE series = ? AND start_day = ? AND end_day = ? AND as_of = ? AND document = ?",
        row[:5],
    ).fetchone()
    here, there = exact(row[5], row[6]), exact(mantissa, exponent)
    if here == there:
        return
    (text,) = coder.connection.execute("SELECT text FROM places WHERE id = ?", (row[7],)).fetchone()
    metric, entity, channel = coder.names[row[0]]
    raise InputError(
        f"{text.replace('{}', str(row[8]))}: {metric} of {entity} in {channel} from "
        f"{date.fromordinal(row[1])} to {date.fromordinal(row[2])} is {here}, but "
        f"{place.replace('{}', str(number))} of the same document says {there}: keep one."
    )


def _place(row: FactRow) -> str:
    return row.place.replace("{}", str(row.number))
