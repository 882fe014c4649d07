"""What a store of facts holds, read row by row with plain SQL: the truth that answers are held to.

Nothing here asks the reader of the store, so that a fault of it shows.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from groundwire.metrics.facts.model import FactRow, SourceDocument
from groundwire.metrics.facts.store import SqliteFacts
from groundwire.metrics.profile import TOTAL

_ROWS = """
    SELECT m.text, e.text, c.text, f.start_day, f.end_day, f.as_of, f.document, f.mantissa,
           f.exponent, p.text, f.number, f.raw, s.unit
    FROM facts f JOIN series s ON s.id = f.series JOIN metrics m ON m.id = s.metric
    JOIN entities e ON e.id = s.entity JOIN channels c ON c.id = s.channel
    JOIN places p ON p.id = f.place"""
_DOCUMENTS = "SELECT id, name, sha256, publisher, dated FROM documents ORDER BY id"


class Key(NamedTuple):
    """What a fact is of."""

    metric: str
    entity: str
    channel: str
    start: date
    end: date

    @property
    def series(self) -> tuple[str, str, str]:
        return self[:3]


@dataclass(frozen=True, slots=True)
class Version:
    """What one document says of a fact."""

    key: Key
    value: Decimal
    unit: str
    as_of: date
    number: int
    doc: str
    locator: str
    publisher: str


class Truth:
    """Every version of every fact of a store."""

    def __init__(self, rows: Iterable[FactRow], documents: dict[int, SourceDocument]) -> None:
        self.rows = tuple(rows)
        self.documents = documents
        self.versions: dict[Key, list[Version]] = defaultdict(list)
        for row in self.rows:
            key = Key(*row[:3], date.fromordinal(row.start), date.fromordinal(row.end))
            source = documents[row.document]
            self.versions[key].append(
                Version(
                    key,
                    Decimal(f"{row.mantissa}E{row.exponent}"),
                    row.unit,
                    date.fromordinal(row.as_of),
                    row.document,
                    source.name,
                    row.place.replace("{}", str(row.number)),
                    source.publisher,
                )
            )
        for said in self.versions.values():
            said.sort(key=lambda one: (one.as_of, one.number))

    @classmethod
    def read(cls, path: Path) -> Truth:
        """Everything in the file of a store."""
        with closing(sqlite3.connect(path)) as connection:
            documents = {
                number: SourceDocument(name, sha, by, dated and date.fromisoformat(dated))
                for number, name, sha, by, dated in connection.execute(_DOCUMENTS)
            }
            rows = [
                FactRow(*row[:6], int(row[7]), row[8], row[12], row[6], row[9], row[10], row[11])
                for row in connection.execute(_ROWS)
            ]
        return cls(rows, documents)

    def without(self, gone: Collection[Key]) -> Truth:
        """The same without some facts, in all their versions."""
        days = {(*key.series, key.start.toordinal(), key.end.toordinal()) for key in gone}
        return Truth((row for row in self.rows if row[:5] not in days), self.documents)

    def write(self, path: Path) -> SqliteFacts:
        """A store that holds just this."""
        store = SqliteFacts(path)
        with store.writer() as writer:
            numbers = {old: writer.document(one) for old, one in self.documents.items()}
            writer.add(row._replace(document=numbers[row.document]) for row in self.rows)
        return store

    def answer(self, key: Key, as_of: date | None = None) -> Version | None:
        """The version that answers: what was said last."""
        known = [one for one in self.versions.get(key, ()) if as_of is None or one.as_of <= as_of]
        return known[-1] if known else None

    def conflicts(self, key: Key) -> frozenset[tuple[Decimal, str]]:
        """What other publishers said last, where it is another value; with the document."""
        last = {one.publisher: one for one in self.versions[key]}
        answer = self.versions[key][-1]
        return frozenset((one.value, one.doc) for one in last.values() if one.value != answer.value)

    @cached_property
    def keys(self) -> list[Key]:
        """Every fact, in an order that does not depend on the file's."""
        return sorted(self.versions)

    @cached_property
    def by_series(self) -> dict[tuple[str, str, str], list[Key]]:
        """Facts of each series, by their first day."""
        found: dict[tuple[str, str, str], list[Key]] = defaultdict(list)
        for key in self.keys:
            found[key.series].append(key)
        return dict(found)

    @cached_property
    def series(self) -> list[tuple[str, str, str]]:
        return sorted(self.by_series)

    @cached_property
    def totals(self) -> list[Key]:
        """Facts of no special channel."""
        return [key for key in self.keys if key.channel == TOTAL]

    @cached_property
    def digits(self) -> frozenset[str]:
        """The significant digits of every value that has at least five of them."""
        found = {significant(one.value) for said in self.versions.values() for one in said}
        return frozenset(one for one in found if len(one) >= 5)

    @cached_property
    def by_text(self) -> dict[tuple[object, ...], list[Version]]:
        """The versions of each fact, by its codes and days as answers write them."""
        return {
            (*key.series, key.start.isoformat(), key.end.isoformat()): said
            for key, said in self.versions.items()
        }

    def newest(self, keys: Iterable[Key]) -> Key | None:
        """The fact that ends last; of several the longest."""
        return max(keys, key=lambda key: (key.end, -key.start.toordinal()), default=None)


def significant(value: Decimal) -> str:
    """The digits of a number without sign, point and zeros at either end."""
    return format(abs(value), "f").replace(".", "").strip("0")
