"""Answers from one open file of facts.

A reader keeps the numbers of codes and the texts of documents and places that it has met. Codes and
places stay for ever and no document's number is given twice, so none of it grows old while the file
is the same; what is not met yet is looked for in the file, where another process may have put it.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from groundwire.metrics.facts import schema
from groundwire.metrics.facts.model import (
    Coverage,
    Fact,
    Interval,
    Lineage,
    Restated,
    Slice,
    SourceDocument,
)
from groundwire.metrics.facts.sealing import (
    ChangedError,
    Checks,
    SeriesKey,
    changed,
    check_each,
    check_totals,
    seal_of,
    source_mark,
)

LAST_DAY = date.max.toordinal()

# As `schema.LOOKUP` selects: as_of, document, mantissa, exponent, place, number, raw, unit, seal.
Version = tuple[int, int, int | str, int, int, int, str | None, str, int | None]
_MOST_ABOUTS = 20_000


class HeldDocument(NamedTuple):
    """A document in a store.

    Attributes:
        document: what it was registered as.
        facts: how many facts are from it.
        imported: the day on which it was first registered.
        origin: which profile and file it came with; "" where a user imported it.
    """

    document: SourceDocument
    facts: int
    imported: date
    origin: str = ""


class _Source(NamedTuple):
    name: str
    sha256: str
    publisher: str
    mark: str


def exact(mantissa: int | str, exponent: int) -> Decimal:
    """The value mantissa * 10 ** exponent with just these digits, in any decimal context."""
    return Decimal(f"{mantissa}E{exponent}") if exponent else Decimal(mantissa)


def interval_number(interval: Interval) -> int:
    """An interval as SQL has it in a list: its first day 22 bits above its last."""
    return interval.start.toordinal() << 22 | interval.end.toordinal()


class Reader:
    """Reads through one connection. Not for two threads at once.

    Attributes:
        connection: where it reads.
        is_sealed: whether its facts have seals.
        checks: what it has seen to be as it was imported.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.checks = Checks(connection)
        self.is_sealed = self.checks.is_sealed
        self._lookup = schema.LOOKUP if self.is_sealed else schema.LOOKUP_UNSEALED
        self._looked_through: int | None = None
        self._metrics: dict[str, int] = {}
        self._entities: dict[str, int] = {}
        self._channels: dict[str, int] = {}
        self._codes = {
            "metrics": self._metrics,
            "entities": self._entities,
            "channels": self._channels,
        }
        self._sources: dict[int, _Source] = {}
        self._places: dict[int, str] = {}
        self._abouts: dict[tuple[tuple[str, str, str], str], str] = {}
        self._periods: dict[str, tuple[Interval, ...]] = {}
        self._periods_of = 0

    def lookup(
        self, metric: str, entity: str, channel: str, start: date, end: date, as_of: date | None
    ) -> Sequence[Fact]:
        """See `FactStore.lookup`."""
        series = self._series(metric, entity, channel)
        if series is None:
            return ()
        last = LAST_DAY if as_of is None else as_of.toordinal()
        asked = (*series, start.toordinal(), end.toordinal(), last)
        versions: list[Version] = self.connection.execute(self._lookup, asked).fetchall()
        if not versions:
            return ()
        fact = (metric, entity, channel, start, end)
        try:
            found = self.facts(fact, versions)
        except KeyError:
            found = self.facts(fact, self._met(asked))
        self.checks.series(series)
        return found

    def slice(self, asked: Slice) -> list[Sequence[Fact]]:
        """See `FactStore.slice`. One question for the whole table."""
        metric = self.code("metrics", asked.metric)
        entities = [self.code("entities", one) for one in asked.entities]
        channels = [self.code("channels", one) for one in asked.channels]
        if not metric or (entities and not any(entities)):
            return []
        query = schema.TABLE_OF_INTERVALS if asked.intervals else schema.TABLE
        if not self.is_sealed:
            query = query.replace("f.seal", "NULL")
        values = {
            "metric": metric,
            "entities": json.dumps(entities),
            "channels": json.dumps(channels),
            "first": asked.first.toordinal(),
            "last": asked.last.toordinal(),
            "shortest": asked.shortest,
            "longest": asked.longest,
            "days": int(asked.days),
            "as_of": LAST_DAY if asked.as_of is None else asked.as_of.toordinal(),
            "intervals": json.dumps([interval_number(one) for one in asked.intervals]),
        }
        day = date.fromordinal
        with self.snapshot():
            self.checks.metric(metric)
            rows = self.connection.execute(query, values).fetchall()
            self.meet(row[5:9:3] for row in rows)
            names = {
                table: dict(self.connection.execute(
                    schema.NUMBERED[table], (json.dumps(list({row[place] for row in rows})),)
                ).fetchall())
                for place, table in enumerate(("entities", "channels"))
            }  # fmt: skip
        entity_of, channel_of = names["entities"], names["channels"]
        found: list[Sequence[Fact]] = []
        first, following = 0, 1
        while first < len(rows):
            entity, channel, start, end = key = rows[first][:4]
            while following < len(rows) and rows[following][:4] == key:
                following += 1
            fact = asked.metric, entity_of[entity], channel_of[channel], day(start), day(end)
            found.append(self.facts(fact, [version[4:] for version in rows[first:following]]))
            first, following = following, following + 1
        return found

    def intervals(
        self, metric: str, entity: str, channel: str, as_of: date | None
    ) -> Sequence[Interval]:
        """See `FactStore.intervals`."""
        series = self._series(metric, entity, channel)
        if series is None:
            return ()
        last = LAST_DAY if as_of is None else as_of.toordinal()
        return self._spans(schema.INTERVALS, (*series, last))

    def periods(self, metric: str) -> Sequence[Interval]:
        """See `FactStore.periods`. All facts of the metric are read for it, once a change."""
        version = self.data_version()
        if version != self._periods_of:
            self._periods_of, self._periods = version, {}
        found = self._periods.get(metric)
        if found is None:
            number = self.code("metrics", metric)
            found = self._periods[metric] = tuple(self._spans(schema.PERIODS, (number,)))
        return found

    def first_known(
        self, metric: str, entity: str, channel: str, start: date, end: date
    ) -> date | None:
        """See `FactStore.first_known`."""
        series = self._series(metric, entity, channel)
        if series is None:
            return None
        asked = (*series, start.toordinal(), end.toordinal())
        (first,) = self.connection.execute(schema.FIRST_KNOWN, asked).fetchone()
        return None if first is None else date.fromordinal(first)

    def restated(self, entities: Sequence[str]) -> Sequence[Restated]:
        """Return the versions of facts of some entities that their publisher stated otherwise."""
        return [
            Restated(metric, entity, channel, *map(date.fromordinal, days))
            for metric, entity, channel, *days in self.connection.execute(
                schema.RESTATED, (json.dumps(list(entities)),)
            )
        ]

    def coverage(self, metric: str) -> Coverage | None:
        """See `FactStore.coverage`."""
        number = self.code("metrics", metric)
        # One state of the file for the three questions.
        with self.snapshot():
            facts, first, last = self.connection.execute(schema.COVERED_DAYS, (number,)).fetchone()
            if not facts:
                return None
            return Coverage(
                tuple(self.texts(schema.COVERED_ENTITIES, (number,))),
                tuple(self.texts(schema.COVERED_CHANNELS, (number,))),
                facts,
                date.fromordinal(first),
                date.fromordinal(last),
            )

    def entities(self, metric: str, start: date, end: date) -> Sequence[str]:
        """See `FactStore.entities`."""
        number = self.code("metrics", metric)
        first, last = start.toordinal(), end.toordinal()
        return self.texts(schema.ENTITIES, (number, first, last, first, last))

    def channels(self, metric: str, entity: str) -> Sequence[str]:
        """See `FactStore.channels`."""
        numbers = (
            self.code("metrics", metric),
            self.code("entities", entity),
        )
        return self.texts(schema.CHANNELS, numbers)

    def metrics(self) -> list[str]:
        """Codes of the metrics that have facts."""
        return self.texts(schema.METRICS, ())

    def documents(self) -> list[HeldDocument]:
        """Every document, in the order in which they were registered."""
        return [
            HeldDocument(
                SourceDocument(name, sha256, publisher, dated and date.fromisoformat(dated)),
                facts,
                date.fromisoformat(imported),
                origin,
            )
            for name, sha256, publisher, dated, facts, imported, origin in self.connection.execute(
                schema.DOCUMENTS
            )
        ]

    def count(self) -> int:
        """How many facts there are."""
        (facts,) = self.connection.execute(schema.COUNT).fetchone()
        return facts

    def data_version(self) -> int:
        """A number that changes when another connection has changed the file."""
        (version,) = self.connection.execute("PRAGMA data_version").fetchone()
        return version

    def look_through(self) -> None:
        """See whether the file has changed; hold a store of few facts against its sums if so.

        Raises:
            ChangedError: facts were added or removed behind the back of the store.
        """
        version = self.checks.look()
        if self.is_sealed and version != self._looked_through:
            with self.snapshot():
                self.checks.totals(self.count())
            self._looked_through = version

    def check(self) -> str | None:
        """Return the fault of the file, or None."""
        with self.snapshot():
            (said,) = self.connection.execute("PRAGMA quick_check(1)").fetchone()
            if said != "ok":
                return str(said).splitlines()[-1]
            (series,) = self.connection.execute(schema.SUM).fetchone()
            if series != self.count():
                return f"it says that it has {self.count():,} facts, and its series {series:,}"
            if self.is_sealed:
                try:
                    check_totals(self.connection)
                    check_each(self.connection)
                    for metric in self.metrics():
                        self.checks.metric(self.code("metrics", metric))
                except ChangedError as error:
                    return str(error)
        return None

    def _series(self, metric: str, entity: str, channel: str) -> SeriesKey | None:
        """The numbers of three codes, or None if the store has never had one of them."""
        try:
            return self._metrics[metric], self._entities[entity], self._channels[channel]
        except KeyError:
            key = (
                self.code("metrics", metric),
                self.code("entities", entity),
                self.code("channels", channel),
            )
            return key if all(key) else None

    def code(self, table: str, code: str) -> int:
        """The number of a code, from 1; 0 if the store has never had it."""
        met = self._codes[table]
        number = met.get(code)
        if number is None:
            row = self.connection.execute(schema.CODES[table], (code,)).fetchone()
            if row is None:
                return 0
            number = met[code] = int(row[0])
        return number

    def texts(self, query: str, numbers: tuple[int, ...]) -> list[str]:
        """Return what a query of one column of text finds."""
        return [text for (text,) in self.connection.execute(query, numbers)]

    def _spans(self, query: str, numbers: tuple[int, ...]) -> list[Interval]:
        day = date.fromordinal
        rows = self.connection.execute(query, numbers)
        return [Interval(day(start), day(end)) for start, end in rows]

    def facts(
        self, fact: tuple[str, str, str, date, date], versions: list[Version]
    ) -> Sequence[Fact]:
        """Return the versions of a fact that still stand, the answer first.

        Raises:
            KeyError: a document or place is not met yet.
            ChangedError: a fact is not as it was imported.
        """
        first, last = fact[3].toordinal(), fact[4].toordinal()
        stand = versions if len(versions) == 1 else _standing(versions, self._sources)
        return [self.fact(fact, one, first, last) for one in stand]

    def fact(
        self, fact: tuple[str, str, str, date, date], version: Version, first: int, last: int
    ) -> Fact:
        """Return one version of a fact, whose days are `first` and `last` as ordinals.

        Raises:
            KeyError: its document or place is not met yet.
            ChangedError: it is not as it was imported.
        """
        as_of, document, mantissa, exponent, place, number, raw, unit, seal = version
        name, sha256, publisher, mark = self._sources[document]
        text = self._places[place]
        if self.is_sealed:
            about = self._about(fact[:3], unit)
            if seal != seal_of(
                about, first, last, as_of, mantissa, exponent, text, number, raw, mark
            ):
                raise changed(*fact[:3], name)
        locator = text.replace("{}", str(number))
        source = Lineage(name, locator, sha256, publisher, raw or "")
        value = exact(mantissa, exponent)
        return Fact(*fact, date.fromordinal(as_of), value, unit, source)

    def _about(self, series: tuple[str, str, str], unit: str) -> str:
        """Return the text that stands for a series in seals."""
        about = self._abouts.get((series, unit))
        if about is None:
            if len(self._abouts) > _MOST_ABOUTS:
                self._abouts.clear()
            about = self._abouts[series, unit] = str((*series, unit))
        return about

    def _met(self, asked: tuple[int, ...]) -> list[Version]:
        """The versions again, with every document and place of them met.

        Raises:
            sqlite3.DatabaseError: a fact is of a document or place that is not in the file.
        """
        with self.snapshot():
            return self._versions(asked)

    def _versions(self, asked: tuple[int, ...]) -> list[Version]:
        versions: list[Version] = self.connection.execute(self._lookup, asked).fetchall()
        self.meet((version[1], version[4]) for version in versions)
        return versions

    def lookup_in_snapshot(
        self, metric: str, entity: str, channel: str, start: date, end: date, as_of: date | None
    ) -> Sequence[Fact]:
        """As `lookup`, for a fact that is held, inside a block of `snapshot`."""
        series = self._series(metric, entity, channel)
        assert series is not None
        last = LAST_DAY if as_of is None else as_of.toordinal()
        asked = (*series, start.toordinal(), end.toordinal(), last)
        return self.facts((metric, entity, channel, start, end), self._versions(asked))

    def meet(self, needed: Iterable[tuple[int, int]]) -> None:
        """Keep the texts of documents and places.

        Args:
            needed: numbers of a document and of a place in it.

        Raises:
            sqlite3.DatabaseError: one of them is not in the file.
        """
        for document, place in needed:
            self._meet_document(document)
            if place not in self._places:
                row = self.connection.execute(schema.PLACE, (place,)).fetchone()
                (self._places[place],) = _there(row, "a place")

    def _meet_document(self, document: int) -> None:
        if document not in self._sources:
            row = self.connection.execute(schema.SOURCE, (document,)).fetchone()
            name, sha256, publisher = _there(row, "a document")
            mark = source_mark(name, sha256, publisher)
            self._sources[document] = _Source(name, sha256, publisher, mark)

    def names_of(self, documents: Sequence[int]) -> tuple[str, ...]:
        """Return what documents are called, each name once."""
        for document in documents:
            self._meet_document(document)
        return tuple(dict.fromkeys(self._sources[one].name for one in documents))

    @contextmanager
    def snapshot(self) -> Generator[None, None, None]:
        """One state of the file for everything that is asked in the block and in blocks in it."""
        if self.connection.in_transaction:
            yield
            return
        self.connection.execute("BEGIN")
        try:
            yield
        finally:
            if self.connection.in_transaction:
                self.connection.execute("COMMIT")


def _standing(versions: list[Version], sources: dict[int, _Source]) -> list[Version]:
    """Of each publisher what it said last; first the answer, then what differs from it."""
    newest: dict[str, int] = {}
    answer, *others = (
        version
        for version in reversed(versions)
        if newest.setdefault(sources[version[1]].publisher, version[0]) == version[0]
    )
    value = exact(answer[2], answer[3])
    return [answer, *(other for other in others if exact(other[2], other[3]) != value)]


def _there(row: tuple[str, ...] | None, what: str) -> tuple[str, ...]:
    if row is None:
        raise sqlite3.DatabaseError(f"a fact is of {what} that is not in it")
    return row
