"""Table queries drawn for a world, in the terms of a caller and in those of the brute force."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal

from warehouse_brute import Asked, Brute, World, first_day, step
from warehouse_writing import aggs, code, inputs

from groundwire.metrics.table.query import Condition, Order, TableQuery
from groundwire.quantities import Period

GRAINS = ("day", "week", "month", "quarter", "half", "year")
MONTHS = {"month": 1, "quarter": 3, "half": 6, "year": 12}


@dataclass(frozen=True)
class Case:
    """A query of both kinds, and the class that it is counted in."""

    kind: str
    query: TableQuery
    asked: Asked


def tables_of(world: World, name: str) -> set[str]:
    spec = world.specs[name]
    found = {agg.table for agg in aggs(spec.tree)}
    for part in inputs(spec.tree):
        found |= tables_of(world, part[1])
    return found


def is_timed(world: World, name: str) -> bool:
    spec = world.specs[name]
    parts = inputs(spec.tree)
    return all(is_timed(world, part[1]) for part in parts) if parts else spec.time is not None


def needs_time(world: World, name: str) -> bool:
    spec = world.specs[name]
    return any(part[2] or needs_time(world, part[1]) for part in inputs(spec.tree))


def units(world: World, name: str) -> set[str]:
    """Units of the offsets of a metric."""
    return {part[2][1] for part in inputs(world.specs[name].tree) if part[2]}


def dimensions(world: World, table: str) -> set[tuple]:
    """What a table can be broken down by, as (table, column) or (table, links, column)."""
    found: set[tuple] = set()
    for target, types in world.types.items():
        if len(world.ways(table, target)) == 1:
            found |= {(target, column) for column in types}
    for link in world.links.values():
        if link.label and len(world.ways(table, link.many)) == 1:
            if len(world.ways(table, link.one)) == 1:
                continue
            found |= {(link.many, (link.name,), column) for column in world.types[link.one]}
    return found


def shared(world: World, names: tuple[str, ...]) -> list[tuple]:
    tables = set().union(*(tables_of(world, name) for name in names))
    return sorted(set.intersection(*(dimensions(world, table) for table in tables)), key=str)


def column_of(world: World, one: tuple) -> tuple[str, str]:
    if len(one) == 3:
        _, links, column = one
        return world.links[links[-1]].one, column
    return one


def name_of(world: World, one: tuple) -> str:
    if len(one) == 3:
        return code(world, one[0], one[1], one[2])
    return ".".join(one)


def usable(world: World, one: tuple) -> bool:
    table, column = column_of(world, one)
    return world.types[table][column] not in ("timestamp", "float")


def condition(rng: random.Random, world: World, one: tuple) -> tuple[Condition, tuple] | None:
    """A condition on a dimension: the caller's, and the brute force's op and value."""
    table, column = column_of(world, one)
    stored = [row[column] for row in world.tables[table]]
    if not stored:
        return None
    kind = world.types[table][column]
    name = name_of(world, one)
    if kind in ("integer", "decimal", "date") and rng.random() < 0.5:
        known = sorted(value for value in stored if value is not None)
        if known:
            low, high = sorted(rng.choices(known, k=2))
            if kind != "date":
                low, high = Decimal(low), Decimal(high)
            ends = (rng.random() < 0.7, rng.random() < 0.7)
            if rng.random() < 0.3:
                low = None
            elif rng.random() < 0.3:
                high = None
            return Condition(name, "range", (), low, high, *ends), ("range", (low, high, *ends))
    picks = tuple(dict.fromkeys(rng.choices(stored, k=rng.randint(1, 3))))
    op = rng.choice(["in", "in", "not_in"])
    sent = tuple(
        Decimal(value) if isinstance(value, int) and not isinstance(value, bool) else value
        for value in picks
    )
    return Condition(name, op, sent), (op, picks)


def period(rng: random.Random, world: World, names: tuple[str, ...]) -> Period:
    days = [
        day
        for name in names
        for table in tables_of(world, name)
        for row in world.tables[table]
        for value in row.values()
        if isinstance(value, date)
        for day in [value.date() if isinstance(value, datetime) else value]
    ]
    middle = rng.choice(days) if days else date(2023, 5, 5)
    grain = rng.choice(["day", "month", "month", "quarter", "half", "year", "year", "other"])
    if grain == "other":
        end = middle + timedelta(days=rng.randrange(90))
        return Period(middle, end, "other", False, f"{middle} to {end}")
    low = first_day(middle, grain)
    return Period(low, step(low, 1, grain) - timedelta(days=1), grain, False, str(low))


def draw(rng: random.Random, world: World) -> Case | None:  # noqa: C901
    """One query, or None where what was drawn cannot be asked."""
    names = tuple(rng.sample(sorted(world.specs), rng.choice([1, 1, 1, 2, 2, 3])))
    found = [one for one in shared(world, names) if usable(world, one)]
    by: list[object] = rng.sample(found, min(len(found), rng.choice([0, 1, 1, 2, 3])))
    timed = all(is_timed(world, name) for name in names)
    if not timed and any(needs_time(world, name) for name in names):
        return None
    grain = ""
    ranges: list[Period] = []
    compare = ""
    fiscal = False
    if timed:
        if rng.random() < 0.55:
            grain = rng.choice(GRAINS)
            for name in names:
                for unit in units(world, name):
                    if MONTHS.get(grain, 0) > MONTHS.get(unit, 0) or grain == "week":
                        grain = "month"
            by.insert(rng.randint(0, len(by)), "period")
        if rng.random() < 0.5 or (not grain and any(needs_time(world, name) for name in names)):
            ranges = [period(rng, world, names)]
            if grain and rng.random() < 0.2:
                ranges.append(period(rng, world, names))
        if rng.random() < 0.25 and (grain or ranges):
            compare = rng.choice(["previous_period", "previous_year"])
        plain = not any(needs_time(world, name) for name in names)
        if plain and grain in ("quarter", "half", "year") and rng.random() < 0.4:
            fiscal = world.fiscal != (1, 1)
    where, told = [], []
    for one in rng.sample(found, min(len(found), rng.choice([0, 0, 1, 1, 2]))):
        both = condition(rng, world, one)
        if both:
            where.append(both[0])
            told.append((one, *both[1]))
    codes = tuple("period" if one == "period" else name_of(world, one) for one in by)
    order = ()
    if rng.random() < 0.5:
        order = (Order(rng.choice([*names, *codes]), rng.random() < 0.6),)
    if compare and order and order[0].by in names:
        # Half of what is compared is sorted by what changed; a draw of its own moves no other.
        own = random.Random(f"{names} {codes} {where} {ranges}")
        change = own.choice(["", "", ".change", ".percent_change"])
        order = (Order(f"{order[0].by}{change}", order[0].descending),)
    query = TableQuery(
        names,
        codes,
        tuple(where),
        tuple(ranges),
        (f"fiscal_{grain}" if fiscal else grain) or None,
        compare,
        order,
        limit=rng.choice([3, 10, 50, 5000, 5000]),
        offset=rng.choice([0, 0, 0, 2]),
    )
    asked = Asked(
        names,
        tuple(by),
        tuple(told),
        tuple((one.start, one.end) for one in ranges),
        grain,
        fiscal,
        compare,
    )
    bases = len(set().union(*(tables_of(world, name) for name in names)))
    kinds = {
        (bool(world.specs[name].cumulative) and "cumulative")
        or (bool(world.specs[name].semi) and "semi-additive")
        for name in names
    } - {False}
    kind = "several tables" if bases > 1 else "compared" if compare else ""
    return Case(kind or (sorted(kinds)[0] if kinds else "one table"), query, asked)


def cases(rng: random.Random, world: World, count: int) -> Iterator[Case]:
    """Queries of a world."""
    made = 0
    while made < count:
        case = draw(rng, world)
        if case is not None:
            made += 1
            yield case


def expected(world: World, case: Case) -> dict[tuple, tuple[list, list]]:
    """What the brute force answers."""
    return Brute(world, case.asked).rows()
