"""Facts of the worlds of the claim check, read from what the tools answered.

Drafts by template are made of them: a true one tells a fact, a false one tells it with one slot
changed. Only the structured results are read, never the ledger, so that a draft's truth does not
depend on what is checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

Results = Sequence[Mapping[str, Any]]
_YEAR_OF_QUERY = re.compile(r"\byear\s*=\s*(\d{4})\b")
_ROW = re.compile(r"\brow (\d+)")
# Columns in which a query tells how many people a country has.
_PEOPLE = ("people", "population")
_STATEMENTS = {"altLabel": "called", "related": "related"}


@dataclass(frozen=True, slots=True)
class Figure:
    """One value of a metric.

    Attributes:
        world: the world whose record holds it.
        metric: code of the metric, with the channel where it is not the total.
        entity: code of the entity, or its English name in a table.
        period: as recorded: 2020, FY2024, FY2023Q3.
        value: the exact value.
        unit: people, CNY, USD or %.
        publisher: whose figure it is; empty where the record does not say.
        row: the row of its locator, or None.
    """

    world: str
    metric: str
    entity: str
    period: str
    value: Decimal
    unit: str
    publisher: str
    row: int | None


@dataclass(frozen=True, slots=True)
class Scope:
    """How many assets of a kind meet some conditions, as pairs of property and value."""

    world: str
    kind: str
    conditions: tuple[tuple[str, str], ...]
    total: int


@dataclass(frozen=True, slots=True)
class Attribute:
    """One value of one asset; no other value of the property is held of it."""

    world: str
    label: str
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Leg:
    """A ride without a change."""

    line: str
    towards: str
    start: str
    end: str
    minutes: int


@dataclass(frozen=True, slots=True)
class Plan:
    """The best plan of a trip.

    Attributes:
        world: the world whose record holds it.
        start: where it begins.
        end: where it ends.
        minutes: how long it takes.
        changes: how often one changes.
        legs: its rides in order; empty where they were not asked for.
        others: minutes, changes and lines of the other plans of the same answer.
    """

    world: str
    start: str
    end: str
    minutes: int
    changes: int
    legs: tuple[Leg, ...]
    others: tuple[tuple[int, int, tuple[str, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Relation:
    """A statement of the graph: `relation` is "called" or "related"."""

    world: str
    subject: str
    relation: str
    object: str


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a guide, counted from 1."""

    world: str
    number: int
    text: str
    of: int


Fact = Figure | Scope | Attribute | Plan | Relation | Step


def facts_of(world: str, results: Results) -> Iterator[Fact]:
    """Read the facts of one world, each once."""
    seen: set[Fact] = set()
    for result in results:
        for one in _facts(world, result):
            if one not in seen:
                seen.add(one)
                yield one


def _facts(world: str, result: Mapping[str, Any]) -> Iterator[Fact]:
    for cell in (result, *result.get("cells", ())):
        if cell.get("status") == "found" and "value_text" in cell:
            yield _figure(world, cell)
    yield from _rows(world, result)
    yield from _scopes(world, result)
    yield from _attributes(world, result)
    yield from _plans(world, result)
    yield from _relations(world, result)
    for row in result.get("rows", ()):
        if isinstance(row, Mapping) and row.get("steps_are_whole"):
            for number, text in enumerate(row["steps"], 1):
                yield Step(world, number, text, len(row["steps"]))


def _figure(world: str, cell: Mapping[str, Any]) -> Figure:
    channel = cell.get("channel", "TOTAL")
    row = _ROW.search(cell["source"].get("locator", ""))
    return Figure(
        world,
        cell["metric"] if channel == "TOTAL" else f"{cell['metric']}_{channel}",
        cell["entity"],
        cell["period"],
        Decimal(cell["value_text"]),
        cell["unit"],
        cell["source"].get("publisher", ""),
        int(row[1]) if row else None,
    )


def _rows(world: str, result: Mapping[str, Any]) -> Iterator[Figure]:
    """Read the rows of a query for people by country, of the year that it names."""
    columns = list(result.get("columns", ()))
    year = _YEAR_OF_QUERY.search(str(result.get("audit", {}).get("query_text", "")))
    people = [name for name in columns if name in _PEOPLE]
    if "country" not in columns or not people or year is None:
        return
    for row in result["rows"]:
        told = dict(zip(columns, row, strict=True))
        value = Decimal(str(told[people[0]]))
        yield Figure(world, "POPULATION", told["country"], year[1], value, "people", "", None)


def _scopes(world: str, result: Mapping[str, Any]) -> Iterator[Scope]:
    applied = result.get("applied", {})
    exact = result.get("status") == "results" and result.get("total_is_exact")
    if not exact or applied.get("ranges") or len(applied.get("domains", ())) != 1:
        return
    kind = applied["domains"][0]
    filters = applied.get("filters", {})
    if not all(isinstance(one, str) for one in filters.values()):
        return
    conditions = tuple((name, value) for name, value in filters.items())
    counts = result.get("counts", ())
    if conditions and not counts:
        yield Scope(world, kind, conditions, result["total"])
    for one in counts:
        more = (*conditions, (applied["count_by"], str(one["value"])))
        yield Scope(world, kind, more, one["count"])


def _attributes(world: str, result: Mapping[str, Any]) -> Iterator[Attribute]:
    for asset in result.get("results", ()):
        for name, value in asset.get("values", {}).items():
            if isinstance(value, str):
                yield Attribute(world, asset["label"], name, value)
    if "domain" not in result or not isinstance(result.get("values"), list):
        return
    values: dict[str, list[str]] = {}
    for one in result["values"]:
        values.setdefault(one["property"].rpartition("/")[2], []).append(str(one["value"]))
    for name, held in values.items():
        if len(held) == 1:
            yield Attribute(world, result["label"], name, held[0])


def _plans(world: str, result: Mapping[str, Any]) -> Iterator[Plan]:
    for journey in (*result.get("journeys", ()), result):
        if journey.get("plans") and "from" in journey:
            yield _plan(world, journey)
    if result.get("legs"):
        rides, ends = _legs(result["legs"]), result["legs"]
        yield Plan(world, ends[0]["from"], ends[-1]["to"], 0, len(rides) - 1, rides)


def _plan(world: str, journey: Mapping[str, Any]) -> Plan:
    best, *others = journey["plans"]
    told = tuple(
        (one["duration_minutes"], one["interchanges"], tuple(one["lines"])) for one in others
    )
    minutes, changes = best["duration_minutes"], best["interchanges"]
    legs = _legs(best.get("legs", ()))
    return Plan(world, journey["from"], journey["to"], minutes, changes, legs, told)


def _legs(legs: Sequence[Mapping[str, Any]]) -> tuple[Leg, ...]:
    return tuple(
        Leg(one["line"], one["direction"], one["from"], one["to"], one["duration_minutes"])
        for one in legs
        if one.get("line")
    )


def _relations(world: str, result: Mapping[str, Any]) -> Iterator[Relation]:
    triples = [one for one in result.get("triples", ()) if not one.get("inverse")]
    names = [one["value"] for one in triples if one["predicate"].endswith("/name")]
    if not names:
        return
    for one in triples:
        relation = _STATEMENTS.get(one["predicate"].rpartition("#")[2])
        if relation and one.get("language", "en") == "en":
            told = one["value"].rpartition("#")[2].replace("-", " ")
            yield Relation(world, names[0], relation, told)
