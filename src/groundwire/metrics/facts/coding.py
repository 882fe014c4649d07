"""Numbers for the codes of the rows of an import; rows that cannot be stored are refused."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from groundwire.errors import InputError
from groundwire.metrics.facts.reading import LAST_DAY
from groundwire.metrics.facts.schema import DIMENSIONS
from groundwire.metrics.facts.sealing import SeriesKey, is_sound, seal_of
from groundwire.metrics.facts.writing import FactRow

# Beyond these a number is a mistake of whoever read it, and would be slow to print.
MOST_BITS, MOST_EXPONENT = 10_000, 1_000

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
                and -MOST_EXPONENT <= exponent <= MOST_EXPONENT
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
        elif row.mantissa.bit_length() > MOST_BITS or abs(row.exponent) > MOST_EXPONENT:
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


def _place(row: FactRow) -> str:
    return row.place.replace("{}", str(row.number))
