"""Pages of facts and their sums: filtered, sorted, cut and added by SQLite.

Every fact of a page is held against its seal. Those beside it decide which facts the page has, and
those of a sum are not told, so the metric as a whole is held against its digests, once after each
change of the file and before anything is answered.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from functools import lru_cache
from typing import Any, NamedTuple

from groundwire.metrics.facts import schema
from groundwire.metrics.facts.model import (
    Fact,
    FactPage,
    FactTotal,
    Holding,
    Interval,
    PageOfFacts,
    Slice,
    SortColumn,
)
from groundwire.metrics.facts.reading import LAST_DAY, Reader, exact, interval_number

_MOST, _LEAST = 0x7FFFFFFFFFFFFFFF, -0x8000000000000000
# 10 ** 18 is the greatest power of ten in 64 bits.
_MOST_SHIFT = 18
_WIDE = Context(prec=1_200, Emax=999_999, Emin=-999_999)
_COLUMNS: dict[SortColumn, str] = {
    "entity": "e.text",
    "channel": "c.text",
    "start": "f.start_day, f.end_day",
}
# As `schema.PAGE` selects: entity, channel, first and last day, then as `schema.LOOKUP` does.
_Row = tuple[str, str, int, int, int, int, int | str, int, int, int, str | None, str, int | None]


class Pages:
    """Cuts pages with one reader, and keeps how it holds its metrics until the file changes.

    Attributes:
        reader: reads the file.
    """

    def __init__(self, reader: Reader) -> None:
        """Use a reader; nothing is read yet."""
        self.reader = reader
        self._version: int | None = None
        self._holdings: dict[str, Holding | None] = {}

    def holding(self, metric: str) -> Holding | None:
        """See `FactStore.holding`. All facts of the metric are read for it, once a change."""
        self._look()
        if metric not in self._holdings:
            self._holdings[metric] = self._read_holding(metric)
        return self._holdings[metric]

    def _look(self) -> None:
        """Forget what was known of the file before it changed."""
        version = self.reader.checks.look()
        if version != self._version:
            self._version = version
            self._holdings.clear()

    def _read_holding(self, metric: str) -> Holding | None:
        reader, connection = self.reader, self.reader.connection
        number = reader.code("metrics", metric)
        with reader.snapshot():
            low, high, text, least, most, single, facts = connection.execute(
                schema.HELD_VALUES, (number,)
            ).fetchone()
            if low is None:
                return None
            if not single:
                (several,) = connection.execute(schema.SECOND_VERSION, (number,)).fetchone()
                single = not several
            units = reader.texts(schema.HELD_UNITS, (number,))
            sortable = not text and high - low <= _MOST_SHIFT
            greatest = max(-least, most) * 10 ** (high - low) if sortable else _MOST + 1
            return Holding(
                frozenset(reader.texts(schema.COVERED_ENTITIES, (number,))),
                frozenset(reader.texts(schema.COVERED_CHANNELS, (number,))),
                tuple(reader.periods(metric)),
                units[0] if len(units) == 1 else None,
                low,
                high,
                greatest <= _MOST,
                bool(single),
                greatest * facts <= _MOST,
            )

    def page(self, asked: FactPage) -> PageOfFacts:
        """See `FactStore.page`.

        Raises:
            ChangedError: a fact of the metric is not as it was imported.
        """
        with self.reader.snapshot():
            holding = self.holding(asked.metric)
            if holding is None:
                return PageOfFacts([], 0)
            self._check(asked.metric)
            query, values = page_query(asked, holding), self._values(asked, holding)
            if not self.reader.is_sealed:
                query = query.replace("f.seal", "NULL")
            rows: list[_Row] = self.reader.connection.execute(query, values).fetchall()
            self.reader.meet((row[5], row[8]) for row in rows)
            total = asked.offset + len(rows)
            if len(rows) == asked.limit or (not rows and asked.offset):
                counted = f"{schema.PAGE_COUNT_OF} {_limits(asked, holding)}"
                (total,) = self.reader.connection.execute(
                    schema.PAGE_COUNT.format(of=counted), values
                ).fetchone()
            return PageOfFacts([self._facts(asked, holding, row) for row in rows], total)

    def totals(self, asked: FactPage, by: Sequence[SortColumn]) -> list[FactTotal]:
        """See `FactStore.totals`.

        Raises:
            ChangedError: a fact of the metric is not as it was imported.
        """
        with self.reader.snapshot():
            holding = self.holding(asked.metric)
            if holding is None:
                return []
            self._check(asked.metric)
            values = self._values(asked, holding)
            run = self.reader.connection.execute
            rows = run(totals_query(asked, holding, by), values).fetchall()
            docs: dict[tuple[object, ...], list[int]] = {}
            if any(first != last for *_, first, last in rows):
                query = _grouped(schema.PAGE_DOCUMENTS, asked, holding, by)
                for *keys, document in run(query, values):
                    docs.setdefault(tuple(keys), []).append(document)
            found: list[FactTotal] = []
            for *keys, scaled, exponent, facts, first, _ in rows:
                if not facts:
                    continue
                # With as many digits as the most exact of the values.
                unit = Decimal(1).scaleb(min(exponent, 0))
                value = exact(scaled, holding.lowest).quantize(unit, context=_WIDE)
                names = self.reader.names_of(docs.get(tuple(keys), [first]))
                found.append(FactTotal(_keys(by, keys), value, facts, names))
            return found

    def _facts(self, asked: FactPage, holding: Holding, row: _Row) -> Sequence[Fact]:
        """The fact of a row, with those of other sources behind it."""
        entity, channel, start, end = row[:4]
        days = date.fromordinal(start), date.fromordinal(end)
        if not holding.is_single:
            return self.reader.lookup_in_snapshot(asked.metric, entity, channel, *days, asked.as_of)
        return (self.reader.fact((asked.metric, entity, channel, *days), row[4:], start, end),)

    def holds(self, asked: FactPage) -> bool:
        """See `FactStore.holds`."""
        holding = self.holding(asked.metric)
        if holding is None:
            return False
        limits = _limits(asked, holding, with_values=False)
        query = schema.PAGE_HOLDS.format(of=f"{schema.PAGE_COUNT_OF} {limits}")
        (found,) = self.reader.connection.execute(query, self._values(asked, holding)).fetchone()
        return bool(found)

    def held_entities(self, asked: FactPage) -> frozenset[str]:
        """See `FactStore.held_entities`."""
        holding = self.holding(asked.metric)
        if holding is None:
            return frozenset()
        values = self._values(asked, holding)
        limits = _limits(asked, holding, with_values=False)
        query = schema.PAGE_ENTITIES.format(of=f"{schema.PAGE_OF} {limits}")
        found = self.reader.connection.execute(query, values)
        return frozenset(text for (text,) in found)

    def _values(self, asked: FactPage, holding: Holding) -> dict[str, object]:
        """Return the values of the names in the queries."""
        code = self.reader.code
        days = _days(holding, asked.intervals)
        return {
            "metric": code("metrics", asked.metric),
            "entities": json.dumps([code("entities", one) for one in asked.entities]),
            "channels": json.dumps([code("channels", one) for one in asked.channels]),
            "first": days.first,
            "last": days.last,
            "shortest": days.shortest,
            "longest": days.longest,
            "intervals": days.listed,
            "least": _scaled(asked.least, holding, ROUND_CEILING),
            "most": _scaled(asked.most, holding, ROUND_FLOOR),
            "limit": asked.limit,
            "offset": asked.offset,
            "as_of": LAST_DAY if asked.as_of is None else asked.as_of.toordinal(),
        }

    def _check(self, metric: str) -> None:
        """Hold a metric against what was imported, once a change."""
        self.reader.checks.metric(self.reader.code("metrics", metric))


def page_query(asked: FactPage, holding: Holding) -> str:
    """Return the SQL of a page."""
    order = [
        f"{part} {'DESC' if descending else 'ASC'}"
        for column, descending in asked.order
        for part in (
            _value(holding) if column == "value" else _COLUMNS[column]
        ).split(", ")
    ]  # fmt: skip
    of = f"{schema.PAGE_OF} {_limits(asked, holding)}"
    return schema.PAGE.format(of=of, order=", ".join(order) or "1")


def totals_query(asked: FactPage, holding: Holding, by: Sequence[SortColumn]) -> str:
    """Return the SQL of the sums of a page."""
    return _grouped(schema.PAGE_TOTALS, asked, holding, by)


def _grouped(query: str, asked: FactPage, holding: Holding, by: Sequence[SortColumn]) -> str:
    columns = ", ".join(_COLUMNS[one] for one in by)
    return query.format(
        columns=f"{columns}," if columns else "",
        value=_value(holding),
        of=f"{schema.PAGE_OF} {_limits(asked, holding, with_values=False)}",
        group=f"GROUP BY {columns}" if columns else "",
    )


def _keys(by: Sequence[SortColumn], found: Sequence[Any]) -> tuple[str | Interval, ...]:
    """The keys of a group; the two days of `start` are one."""
    keys: list[str | Interval] = []
    rest = iter(found)
    for column in by:
        one = next(rest)
        if column == "start":
            one = Interval(date.fromordinal(one), date.fromordinal(next(rest)))
        keys.append(one)
    return tuple(keys)


def _value(holding: Holding) -> str:
    """The value of a fact in SQL, as an integer of 64 bits."""
    if holding.lowest == holding.highest:
        return "f.mantissa"
    powers = " ".join(
        f"WHEN {exponent} THEN {10 ** (exponent - holding.lowest)}"
        for exponent in range(holding.lowest, holding.highest + 1)
    )
    return f"f.mantissa * CASE f.exponent {powers} END"


def _limits(asked: FactPage, holding: Holding, *, with_values: bool = True) -> str:
    """The conditions of a page beside its metric and channels."""
    found: list[str] = []
    if asked.entities:
        found.append(schema.OF_ENTITIES)
    if len(asked.intervals) == 1:
        found.append(schema.OF_ONE_INTERVAL)
    else:
        found.append(schema.OF_INTERVALS)
        if _days(holding, asked.intervals).listed:
            found.append(schema.OF_LISTED_INTERVALS)
    if asked.as_of is not None:
        found.append(schema.AS_KNOWN_THEN)
    if not holding.is_single:
        found.append(schema.LAST_VERSION)
    if with_values:
        for bound, operator in (("least", ">="), ("most", "<=")):
            if getattr(asked, bound) is not None:
                found.append(f"AND {_value(holding)} {operator} :{bound}")
    return " ".join(found)


class _Days(NamedTuple):
    """Intervals as SQL has them.

    Attributes:
        first: the first day that one of them begins on.
        last: the last day of the one that there is; of several the last that one begins on.
        shortest, longest: days between first and last day.
        listed: each as a number, in JSON, where these bounds would let others in too; else "".
    """

    first: int
    last: int
    shortest: int
    longest: int
    listed: str


@lru_cache(maxsize=32)
def _days(holding: Holding, intervals: tuple[Interval, ...]) -> _Days:
    pairs = {(one.start.toordinal(), one.end.toordinal()) for one in intervals}
    starts = [start for start, _ in pairs]
    lengths = [end - start for start, end in pairs]
    first, last, shortest, longest = min(starts), max(starts), min(lengths), max(lengths)
    if len(pairs) == 1:
        return _Days(first, first + longest, shortest, longest, "")
    inside = sum(
        first <= one.start.toordinal() <= last and shortest <= (one.end - one.start).days <= longest
        for one in holding.intervals
    )
    listed = json.dumps([interval_number(one) for one in intervals])
    return _Days(first, last, shortest, longest, listed if inside > len(pairs) else "")


def _scaled(bound: Decimal | None, holding: Holding, rounding: str) -> int | None:
    """A bound of values at the least exponent, within 64 bits."""
    if bound is None:
        return None
    scaled = _WIDE.scaleb(bound, -holding.lowest).to_integral_value(rounding, _WIDE)
    return max(_LEAST, min(_MOST, int(scaled)))


def page_statement(asked: FactPage, holding: Holding, sums: Sequence[SortColumn] | None) -> str:
    """Return the SQL of a page, or of its sums by some columns, and what stands for its names."""
    told = {
        "metric": asked.metric,
        "entities": list(asked.entities) or "all",
        "channels": list(asked.channels),
        "first": min(asked.intervals).start.isoformat(),
        "last": max(one.end for one in asked.intervals).isoformat(),
        "intervals": len(asked.intervals),
        "least": None if asked.least is None else format(asked.least, "f"),
        "most": None if asked.most is None else format(asked.most, "f"),
        "limit": asked.limit,
        "offset": asked.offset,
        "as_of": asked.as_of and asked.as_of.isoformat(),
    }
    query = page_query(asked, holding) if sums is None else totals_query(asked, holding, sums)
    return _with_values(query, told)


def slice_statement(asked: Slice) -> str:
    """Return the SQL of a slice, and what stands for its names."""
    told: dict[str, object] = {
        "metric": asked.metric,
        "entities": list(asked.entities) or "all",
        "channels": list(asked.channels),
        "first": asked.first.isoformat(),
        "last": asked.last.isoformat(),
        "shortest": asked.shortest,
        "longest": asked.longest,
        "days": asked.days,
        "as_of": asked.as_of and asked.as_of.isoformat(),
    }
    if asked.intervals:
        told["intervals"] = [[day.isoformat() for day in one] for one in asked.intervals[:12]]
    return _with_values(schema.TABLE_OF_INTERVALS if asked.intervals else schema.TABLE, told)


def _with_values(query: str, told: Mapping[str, object]) -> str:
    return f"{query.strip()}\n-- {json.dumps(told, ensure_ascii=True)}"
