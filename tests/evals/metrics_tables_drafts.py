"""Sentences about tables, true and false by construction; every second template is held out."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from tests.evals.metrics_tables_cases import Case
from tests.evals.metrics_tables_truth import Countries

ORDINALS = ("", "first", "second", "third", "fourth", "fifth")
NOUN = {"POPULATION": "population", "GDP": "GDP"}


@dataclass(frozen=True)
class Sentence:
    """A sentence with what it is: whether it is true, its template, and whether it is held out."""

    text: str
    true: bool
    kind: str
    held: bool


def grouped(value: Decimal, metric: str) -> str:
    return f"{value:,f} people" if metric == "POPULATION" else f"{value:,f} USD"


def drafts(rng: random.Random, case: Case, world: Countries) -> Iterator[Sentence]:
    """Sentences over the rows of a case."""
    if case.kind == "top" and not case.about["least"]:
        yield from _ranking(rng, case, world)
    elif case.kind == "threshold" and case.about["total"] > 2:
        yield from _counts(rng, case, world)
    elif case.kind == "trend" and len(case.about["years"]) > 1:
        yield from _trends(rng, case, world)
    elif case.kind == "compare":
        yield from _changes(rng, case, world)
    elif case.kind == "group" and len(case.rows or []) > 1:
        yield from _narrowed(case)


def _ranking(rng: random.Random, case: Case, world: Countries) -> Iterator[Sentence]:
    metric, year, rows = case.about["metric"], case.about["year"], case.rows or []
    values = [Decimal(row[1] or 0) for row in rows]
    names = [row[0] or "" for row in rows]
    noun, told = NOUN[metric], [grouped(value, metric) for value in values]
    if len(set(values)) < len(values) or any("," in name for name in names):
        return
    first = f"The largest is {names[0]} with {told[0]}."
    yield Sentence(first, True, "largest", False)
    yield Sentence(
        f"{names[0]} had the largest {noun} in {year}: {told[0]}.", True, "largest", True
    )
    if len(rows) < 3:
        return
    yield Sentence(f"The largest is {names[1]} with {told[1]}.", False, "largest", False)
    yield Sentence(
        f"{names[2]} had the largest {noun} in {year}: {told[2]}.", False, "largest", True
    )
    yield Sentence(f"{names[1]} had {told[0]} in {year}.", False, "swapped", False)
    yield Sentence(f"In {year}, {noun} was {told[1]} in {names[2]}.", False, "swapped", True)
    yield Sentence(f"{names[1]} had {told[1]} in {year}.", True, "row", False)
    yield Sentence(f"In {year}, {names[2]} had {told[2]}, {names[1]} {told[1]}.", True, "row", True)
    place = rng.randrange(2, min(5, len(rows)) + 1)
    word, name, value = ORDINALS[place], names[place - 1], told[place - 1]
    yield Sentence(f"{name} ranked {word} in {year} with {value}.", True, "rank", False)
    yield Sentence(f"{name} was the {word} largest by {noun}, at {value}.", True, "rank", True)
    wrong = ORDINALS[place - 1 if place > 2 else place + 1]
    yield Sentence(f"{name} ranked {wrong} in {year} with {value}.", False, "rank", False)
    yield Sentence(f"{name} was the {wrong} largest by {noun}, at {value}.", False, "rank", True)
    listed = f"{', '.join(names[:2])} and {names[2]}"
    yield Sentence(f"The top three in {year} were {listed}.", True, "top", False)
    yield Sentence(f"By {noun}, the top 3 are {listed}.", True, "top", True)
    if len(names) > 3:
        others = f"{', '.join(names[1:3])} and {names[3]}"
        yield Sentence(f"The top three in {year} were {others}.", False, "top", False)
        yield Sentence(f"By {noun}, the top 3 are {others}.", False, "top", True)


def _counts(rng: random.Random, case: Case, world: Countries) -> Iterator[Sentence]:
    metric, year, count = case.about["metric"], case.about["year"], case.about["total"]
    noun, bound = NOUN[metric], case.about["bound"]
    unit = "people" if metric == "POPULATION" else "USD"
    above = (
        "more than" if next(iter(case.sent["where"].values())).keys() & {"gt", ">"} else "at least"
    )
    yield Sentence(
        f"{count} countries had {above} {bound:,f} {unit} in {year}.", True, "count", False
    )
    yield Sentence(
        f"In {year}, {count} countries had a {noun} of {above} {bound:,f} {unit}.",
        True,
        "count",
        True,
    )
    wrong = count + rng.choice((-1, 1, 5))
    yield Sentence(
        f"{wrong} countries had {above} {bound:,f} {unit} in {year}.", False, "count", False
    )
    yield Sentence(
        f"In {year}, {wrong} countries had a {noun} of {above} {bound:,f} {unit}.",
        False,
        "count",
        True,
    )
    yield Sentence(
        f"{count} countries had {above} {bound * 2:,f} {unit} in {year}.", False, "bound", False
    )
    yield Sentence(
        f"In {year}, {count} countries had less than {bound:,f} {unit}.", False, "bound", True
    )


def _trends(rng: random.Random, case: Case, world: Countries) -> Iterator[Sentence]:
    metric, code, years = case.about["metric"], case.about["code"], case.about["years"]
    name, series = world.names[code], world.values[metric][code]
    if "," in name:
        return
    first, last = years[0], years[-1]
    a, b = series[first], series[last]
    if a == b or not a or abs(b - a) / a < Decimal("0.02"):
        return
    noun = NOUN[metric]
    right, wrong = ("rose", "fell") if b > a else ("fell", "rose")
    up, down = ("grew", "shrank") if b > a else ("shrank", "grew")
    told = f"from {grouped(a, metric)} in {first} to {grouped(b, metric)} in {last}"
    yield Sentence(f"The {noun} of {name} {right} {told}.", True, "direction", False)
    yield Sentence(f"{name}'s {noun} {up} {told}.", True, "direction", True)
    yield Sentence(f"The {noun} of {name} {wrong} {told}.", False, "direction", False)
    yield Sentence(f"{name}'s {noun} {down} {told}.", False, "direction", True)
    swapped = f"from {grouped(a, metric)} in {last} to {grouped(b, metric)} in {first}"
    yield Sentence(f"The {noun} of {name} {right} {swapped}.", False, "years", False)
    yield Sentence(f"{name}'s {noun} {up} {swapped}.", False, "years", True)


def _changes(rng: random.Random, case: Case, world: Countries) -> Iterator[Sentence]:
    metric, year = case.about["metric"], case.about["year"]
    held = [row for row in case.rows or [] if row[4] is not None and "," not in (row[0] or "")]
    if len(held) < 2:
        return
    noun = NOUN[metric]
    for row, other in ((held[0], held[1]),):
        percent, foreign = Decimal(row[4] or 0), Decimal(other[4] or 0)
        if abs(percent) < Decimal("0.1") or abs(abs(percent) - abs(foreign)) < Decimal("0.2"):
            continue
        up, down = ("grew", "fell") if percent > 0 else ("fell", "grew")
        told = f"{abs(percent):.2f}%"
        yield Sentence(
            f"{row[0]}'s {noun} {up} by {told} from {year - 1} to {year}.", True, "percent", False
        )
        yield Sentence(
            f"From {year - 1} to {year} the {noun} of {row[0]} {up} by {told}.",
            True,
            "percent",
            True,
        )
        yield Sentence(
            f"{row[0]}'s {noun} {down} by {told} from {year - 1} to {year}.",
            False,
            "percent",
            False,
        )
        yield Sentence(
            f"From {year - 1} to {year} the {noun} of {row[0]} {up} by {abs(foreign):.2f}%.",
            False,
            "percent",
            True,
        )


def _narrowed(case: Case) -> Iterator[Sentence]:
    """What holds of the members of a group, said of them and said of all countries."""
    metric, year, group = case.about["metric"], case.about["year"], case.about["group"]
    (first, value), (second, other) = [(row[0], Decimal(row[1] or 0)) for row in case.rows[:2]]  # type: ignore[index]
    if value == other or "," in f"{first}{second}{group}" or "(" in group:
        return
    noun, told = NOUN[metric], grouped(value, metric)
    wide = f"{first} had the largest {noun} in {year}: {told}."
    yield Sentence(wide, False, "widened", False)
    yield Sentence(
        f"{second} ranked second in {year} with {grouped(other, metric)}.", False, "widened", True
    )
    narrow = f"Of the members of {group}, {first} had the largest {noun} in {year}: {told}."
    yield Sentence(narrow, True, "narrowed", False)
    yield Sentence(
        f"In {group}, {second} ranked second in {year} by {noun}.", True, "narrowed", True
    )
