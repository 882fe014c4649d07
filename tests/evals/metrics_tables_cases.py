"""Cases of table queries, made by template with the rows that are right for each.

A case is what a caller sends, and either the rows that must come back, in their order, or the
status that there must be in their place. Every second template is held out of development.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from tests.evals.metrics_tables_truth import Countries

Rows = list[list[str | None]]
YEARS = {"POPULATION": range(1960, 2025), "GDP": range(1990, 2024)}
SPOKEN = {
    "POPULATION": ("population", "POPULATION", "人口", "inhabitants"),
    "GDP": ("GDP", "gdp", "国内生产总值", "nominal GDP"),
}


@dataclass(frozen=True)
class Case:
    """One call.

    Attributes:
        kind: the template.
        held: whether it was held out of development.
        sent: arguments of the call.
        rows: the rows that are right, or None where there must be none.
        status: the right status.
        loose: whether rows of equal values may stand in any order.
        about: what the rows are of, for sentences: metric, year.
        codes: code of each row.
    """

    kind: str
    held: bool
    sent: dict[str, Any]
    rows: Rows | None
    status: str = "found"
    about: dict[str, Any] = field(default_factory=dict[str, Any])
    codes: tuple[str, ...] = ()


Make = Callable[[random.Random, Countries], Case | None]


def plain(value: Decimal) -> str:
    return format(value, "f")


def _metric_year(rng: random.Random) -> tuple[str, int]:
    metric = rng.choice(("POPULATION", "GDP"))
    return metric, rng.choice(YEARS[metric])


def _name(rng: random.Random, world: Countries, code: str) -> str:
    """A country as a caller may write it: by name, code, in capitals or small letters."""
    name = world.names[code]
    unique = [one for one in world.aliases[code] if len(one) > 2]
    every = [name, name.lower(), code, *([rng.choice(unique)] if unique else [])]
    return rng.choice(every)


def _rows(world: Countries, ranked: list[tuple[str, Decimal]]) -> Rows:
    return [[world.names[code], plain(value)] for code, value in ranked]


def top(rng: random.Random, world: Countries, held: bool) -> Case:
    metric, year = _metric_year(rng)
    limit, least = rng.choice((1, 3, 5, 10, 20)), rng.random() < 0.3
    ranked = world.ranked(metric, year, least=least)
    way: Any = f"{'' if least else '-'}{metric}"
    if held:
        way = {"by": rng.choice(SPOKEN[metric]), "direction": "asc" if least else "desc"}
    elif rng.random() < 0.5:
        way = f"{metric.lower()} {'asc' if least else 'desc'}"
    sent = {
        "metrics": [rng.choice(SPOKEN[metric])], "by": ["entity"], "period": str(year),
        "order_by": [way], "limit": limit,
    }  # fmt: skip
    about = {"metric": metric, "year": year, "total": len(ranked), "least": least}
    return Case(
        "top",
        held,
        sent,
        _rows(world, ranked[:limit]),
        "found",
        about,
        tuple(c for c, _ in ranked[:limit]),
    )


def threshold(rng: random.Random, world: Countries, held: bool) -> Case:
    metric, year = _metric_year(rng)
    ranked = world.ranked(metric, year)
    place = rng.randrange(3, min(60, len(ranked)))
    digits = len(str(int(ranked[place][1]))) - 2
    bound = Decimal(int(ranked[place][1]) // 10**digits * 10**digits)
    op = rng.choice(("gt", "gte")) if not held else rng.choice(("min", ">"))
    kept = [one for one in ranked if (one[1] > bound if op in ("gt", ">") else one[1] >= bound)]
    sent = {
        "metrics": [metric], "by": ["country" if held else "entity"], "period": str(year),
        "where": {rng.choice(SPOKEN[metric]): {op: int(bound)}}, "limit": 1000,
    }  # fmt: skip
    about = {"metric": metric, "year": year, "bound": bound, "total": len(kept)}
    return Case(
        "threshold", held, sent, _rows(world, kept), "found", about, tuple(c for c, _ in kept)
    )


def group(rng: random.Random, world: Countries, held: bool) -> Case | None:
    metric, year = _metric_year(rng)
    code = rng.choice([one for one in world.members if len(world.last_parts(one)) > 3])
    ranked = world.ranked(metric, year, world.last_parts(code))
    if not ranked:
        return None
    limit = rng.choice((3, 5, 1000))
    key = "region" if held else "group"
    sent = {
        "metrics": [metric], "by": ["entity"], "period": str(year),
        "where": {key: world.names[code] if held else code}, "limit": limit,
    }  # fmt: skip
    return Case(
        "group",
        held,
        sent,
        _rows(world, ranked[:limit]),
        "found",
        {"metric": metric, "year": year, "group": world.names[code]},
        tuple(c for c, _ in ranked[:limit]),
    )


def chosen(rng: random.Random, world: Countries, held: bool) -> Case | None:
    metric, year = _metric_year(rng)
    codes = rng.sample(world.single, rng.randrange(2, 9))
    ranked = world.ranked(metric, year, codes)
    if not ranked:
        return None
    names: Any = [_name(rng, world, one) for one in codes]
    value = {"any_of": names} if held else names
    sent = {"metrics": [metric], "by": ["entity"], "period": str(year), "where": {"entity": value}}
    about = {"metric": metric, "year": year, "chosen": True}
    return Case(
        "chosen", held, sent, _rows(world, ranked), "found", about, tuple(c for c, _ in ranked)
    )


def all_but(rng: random.Random, world: Countries, held: bool) -> Case:
    metric, year = _metric_year(rng)
    full = world.ranked(metric, year)
    codes = [code for code, _ in rng.sample(full[:12], 3)]
    ranked = [one for one in full if one[0] not in codes]
    op = "not" if held else "none_of"
    sent = {
        "metrics": [metric], "by": ["entity"], "period": str(year), "limit": 8,
        "where": {"entity": {op: [_name(rng, world, one) for one in codes]}},
    }  # fmt: skip
    return Case(
        "all_but",
        held,
        sent,
        _rows(world, ranked[:8]),
        "found",
        {},
        tuple(c for c, _ in ranked[:8]),
    )


def trend(rng: random.Random, world: Countries, held: bool) -> Case | None:
    metric = rng.choice(("POPULATION", "GDP"))
    code = rng.choice(world.single)
    series = world.values[metric].get(code, {})
    first = rng.choice(YEARS[metric])
    last = rng.choice(YEARS[metric])
    first, last = min(first, last), max(first, last)
    since = rng.random() < 0.4
    kept = sorted(y for y in series if first <= y and (since or y <= last))
    if not kept:
        return None
    period = f"since {first}" if since else f"{first}-{last}"
    sent: dict[str, Any] = {
        "metrics": [metric], "by": ["year" if held else "period"], "period": period,
        "where": {"entity": _name(rng, world, code)}, "limit": 1000,
    }  # fmt: skip
    if held and not since:
        sent.pop("period")
        sent["where"]["period"] = {"gte": str(first), "lte": str(last)}
    rows: Rows = [[str(y), plain(series[y])] for y in kept]
    return Case("trend", held, sent, rows, "found", {"metric": metric, "code": code, "years": kept})


def compare(rng: random.Random, world: Countries, held: bool) -> Case | None:
    metric = rng.choice(("POPULATION", "GDP"))
    year = rng.choice(YEARS[metric][1:])
    codes = rng.sample(world.single, 4)
    how = "previous_year" if held else "previous_period"
    rows: Rows = []
    ranked = world.ranked(metric, year, codes)
    for code, value in ranked:
        before = world.values[metric][code].get(year - 1)
        change = None if before is None else value - before
        percent = None
        if before and change is not None:
            percent = (change / before * 100).quantize(Decimal("0.000001")).normalize()
        rows.append(
            [world.names[code], plain(value)]
            + [None if one is None else plain(one) for one in (before, change, percent)]
        )
    if not rows:
        return None
    sent = {
        "metrics": [metric], "by": ["entity"], "period": str(year), "compare": how,
        "where": {"entity": codes},
    }  # fmt: skip
    about = {"metric": metric, "year": year}
    return Case("compare", held, sent, rows, "found", about, tuple(c for c, _ in ranked))


def total(rng: random.Random, world: Countries, held: bool) -> Case | None:
    metric, year = _metric_year(rng)
    if held:
        codes = rng.sample(world.single, 3)
        where: dict[str, Any] = {"entity": codes}
    else:
        code = rng.choice([one for one in world.members if world.complete[one]])
        codes = world.last_parts(code)
        where = {"group": code}
    values = world.held(metric, year, codes)
    sent = {"metrics": [metric], "where": where, "period": str(year)}
    if len(values) < len(codes):
        return Case("total", held, sent, None, "not_found")
    return Case("total", held, sent, [[plain(sum(values.values(), Decimal(0)))]])


def grew(rng: random.Random, world: Countries, held: bool) -> Case | None:
    """The countries that changed most: of all that have both values, those without come last."""
    metric = rng.choice(("POPULATION", "GDP"))
    year = rng.choice(YEARS[metric][1:])
    how = "change" if held else "percent_change"
    codes = rng.sample(world.single, 30)
    found: list[tuple[Decimal, str, list[str | None]]] = []
    for code, value in world.ranked(metric, year, codes):
        before = world.values[metric][code].get(year - 1)
        if not before:
            return None
        change = value - before
        percent = (change / before * 100).quantize(Decimal("0.000001")).normalize()
        row = [world.names[code], *map(plain, (value, before, change, percent))]
        found.append((change if held else change / before, code, row))
    rising = rng.random() < 0.5
    found.sort(key=lambda one: (-one[0] if rising else one[0], one[1]))
    sent = {
        "metrics": [metric], "by": ["entity"], "period": str(year), "compare": "previous_year",
        "where": {"entity": codes}, "limit": 5,
        "order_by": [f"{'-' if rising else ''}{metric}.{how}"],
    }  # fmt: skip
    return Case("grew", held, sent, [row for _, _, row in found[:5]], "found") if found else None


def window(rng: random.Random, world: Countries, held: bool) -> Case | None:
    """The last years of one country, up to the newest that any has."""
    metric = rng.choice(("POPULATION", "GDP"))
    code = rng.choice(world.single)
    count = rng.randint(2, 9)
    last = max(year for values in world.values[metric].values() for year in values)
    held_years = world.values[metric].get(code, {})
    kept = [year for year in range(last - count + 1, last + 1) if year in held_years]
    if not kept:
        return None
    rows: Rows = [[str(year), plain(held_years[year])] for year in kept]
    said = f"past {count} years" if held else f"last {count} years"
    sent = {"metrics": [metric], "by": ["period"], "period": said, "where": {"entity": code}}
    return Case("window", held, sent, rows, "found")


def both(rng: random.Random, world: Countries, held: bool) -> Case | None:
    year = rng.choice(YEARS["GDP"])
    people, money = world.held("POPULATION", year), world.held("GDP", year)
    order = "GDP" if held else "POPULATION"
    ranked = world.ranked(order, year)[:6]
    rows: Rows = []
    for code, _ in ranked:
        cells = [people.get(code), money.get(code)]
        rows.append([world.names[code], *(None if one is None else plain(one) for one in cells)])
    sent = {
        "metrics": ["population", "gdp"], "by": ["entity"], "period": str(year),
        "order_by": [f"-{order}"], "limit": 6,
    }  # fmt: skip
    return Case("both", held, sent, rows)


def absent_period(rng: random.Random, world: Countries, held: bool) -> Case:
    metric = rng.choice(("POPULATION", "GDP"))
    year = rng.choice((*range(1900, 1960), *range(2026, 2090)))
    sent = {"metrics": [metric], "by": ["entity"], "period": str(year)}
    if held:
        sent["grain"] = "quarter"
        sent["period"] = str(rng.choice(YEARS[metric]))
        sent["by"] = ["entity", "period"]
    return Case("absent_period", held, sent, None, "not_found")


def absent_entity(rng: random.Random, world: Countries, held: bool) -> Case | None:
    """A name with a wrong letter, or of something that is no country: never a row."""
    name = world.names[rng.choice(world.single)]
    at = rng.randrange(1, len(name) - 1)
    known = {fold for one in world.names.values() for fold in (one.casefold(),)}
    known |= {one.casefold() for some in world.aliases.values() for one in some}
    raw = name[:at] + rng.choice("bcdfgkmnprstvz") + name[at + (0 if held else 1) :]
    if raw.casefold() in known or any(raw.casefold() == c.casefold() for c in world.names):
        return None
    value = [raw, world.names[rng.choice(world.single)]]
    sent = {
        "metrics": ["population"], "by": ["entity"], "period": "2020", "where": {"entity": value},
    }  # fmt: skip
    return Case("absent_entity", held, sent, None, "unrecognized_param")


def wrong_column(rng: random.Random, world: Countries, held: bool) -> Case:
    sent: dict[str, Any] = {"metrics": ["population"], "by": ["entity"], "period": "2020"}
    if held:
        sent["where"] = {rng.choice(("continent", "colour", "GDP", "1=1", "name; DROP")): "x"}
    else:
        sent["order_by"] = [rng.choice(("GDP", "-revenue", "1", "name desc", "1; DROP TABLE x"))]
    return Case("wrong_column", held, sent, None, "unrecognized_param")


TEMPLATES = (
    top, threshold, group, chosen, all_but, trend, compare, total, both, absent_period,
    absent_entity, wrong_column, grew, window,
)  # fmt: skip


def cases(seed: int, each: int, world: Countries) -> Iterator[Case]:
    """`each` cases of every template, half of them held out."""
    for template in TEMPLATES:
        for held in (False, True):
            for number in range(each):
                rng = random.Random(f"{seed}/{template.__name__}/{held}/{number}")
                case = template(rng, world, held)
                if case is not None:
                    yield case
