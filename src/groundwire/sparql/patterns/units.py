"""Units in which a graph states the values of its properties, and in which prompts want them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Context, Decimal
from typing import cast

from groundwire.evidence.records import Value
from groundwire.graph.queries import CompiledQuery
from groundwire.language.sentences import Language, number_text
from groundwire.quantities.units import Unit, convert, resolve_unit
from groundwire.sparql.outcome import Outcome
from groundwire.sparql.patterns.answers import PatternAnswer, key_of
from groundwire.sparql.patterns.asking import cells_of
from groundwire.sparql.patterns.compiling import COMMENT, units_query
from groundwire.sparql.patterns.reading import Reading, Span
from groundwire.sparql.patterns.schema import Schema, unit_commented, unit_in
from groundwire.sparql.patterns.words import SCALES, plain, written
from groundwire.sparql.schema.names import Use, local

Units = Mapping[str, str]
"""Canonical symbols of units, by property."""
Stated = Sequence[tuple[tuple[str, ...], str]]
"""Words of units, each with a property that has it."""

_MOST_UNITS = 200
_MOST_CONVERTED = 5
_MOST_BEHIND = 2
_SHOWN, _EXACT = Context(prec=8), Context(prec=15)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A unit that a prompt wants its answer in.

    Attributes:
        span: the words that name it.
        said: the same as they are written.
        unit: the unit; None where only a scale is asked for, as in 多少亿.
        scale: how many of the unit are one of what is asked for.
    """

    span: Span
    said: str
    unit: Unit | None
    scale: int


async def units_of(ask: Callable[[CompiledQuery, int], Awaitable[Outcome]]) -> Units:
    """Return the units that a graph states of its properties, or writes in their comments.

    Args:
        ask: runs a query with a limit.
    """
    found: dict[str, set[str]] = {}
    for row in cells_of(await ask(units_query(), _MOST_UNITS)):
        said = key_of(row["unit"])
        unit = resolve_unit(unit_commented(said) if key_of(row["by"]) == COMMENT else said)
        if unit is not None:
            found.setdefault(key_of(row["p"]), set()).add(unit.symbol)
    return {iri: own.pop() for iri, own in found.items() if len(own) == 1}


def stated_units(outcome: Outcome, schema: Schema) -> list[tuple[tuple[str, ...], str]]:
    """Return the words of the units that rows of `units_query` and names of properties state."""
    found = [
        (written(unit), key_of(row["p"]))
        for row in cells_of(outcome)
        if (
            unit := unit_commented(key_of(row["unit"]))
            if key_of(row["by"]) == COMMENT
            else key_of(row["unit"])
        )
    ]
    named = [
        (written(unit), one.iri)
        for one in schema.properties.values()
        for unit in {unit_in(text) for text in (local(one.iri), *dict(one.labels))} - {""}
    ]
    return [*found, *named]


def lacks_units(told: PatternAnswer) -> bool:
    """Whether an answer has figures of the graph without a unit."""
    return any(_lacks_unit(one) for one in told.values)


def _lacks_unit(value: Value) -> bool:
    return value.kind == "number" and value.unit is None and value.source is not None


def in_stated_units(told: PatternAnswer, stated: Stated) -> PatternAnswer:
    """Return an answer whose figures have the units that the graph states of their properties."""
    found: dict[str, set[str]] = {}
    for words, iri in stated:
        unit = resolve_unit(" ".join(words)) or resolve_unit("".join(words))
        if unit is not None:
            found.setdefault(local(iri), set()).add(unit.symbol)
    units = {name: own.pop() for name, own in found.items() if len(own) == 1}
    values = [replace(v, unit=units.get(v.name)) if _lacks_unit(v) else v for v in told.values]
    return replace(told, values=tuple(values))


def with_units(reading: Reading, stated: Stated) -> tuple[Reading, Wanted | None]:
    """Return a reading without the units that it names, and the one that it wants values in.

    A unit behind a number is that of a property; any other one is that of the answer.
    """
    units = sorted(stated, key=lambda one: -len("".join(one[0])))
    named = {p for one in reading.relations for p in one.properties}
    left, properties, wanted = list(reading.left), set[str](), list[Wanted]()
    numbers = {one.last: one for one in reading.numbers}
    for one in reading.left:
        if one.first not in numbers:
            wanted += _wanted(reading, one)
            continue
        said = [plain(word.text) for word in reading.words[one.first :]]
        fit = [(unit, p) for unit, p in units if unit and _is_unit(said, unit)]
        # "Below 5 degrees" of what is in degrees Celsius, and 5度 of 摄氏度.
        fit = fit or [
            (unit, p) for unit, p in units
            if one.last - one.first == 1 and len(unit) > 1
            and said[0] in (unit[0], unit[-1] if len(said[0]) == 1 else "")
        ]  # fmt: skip
        fit = [(unit, p) for unit, p in fit if p in named] or fit
        if fit and one.first + len(fit[0][0]) >= one.last:
            left.remove(one)
            own = {p for unit, p in fit if unit == fit[0][0]}
            numbers[one.first] = replace(numbers[one.first], properties=tuple(own))
            properties |= own
        elif converted := _converted(reading, numbers[one.first], one, stated, named):
            left.remove(one)
            numbers[one.first] = replace(converted[0], properties=tuple(converted[1]))
            properties |= converted[1]
    relations = reading.relations
    if len(wanted) == 1:
        left.remove(wanted[0].span)
        relations = relations or _measured_in(wanted[0], stated)
    unit = next(iter(properties)) if len(properties) == 1 else ""
    read = replace(
        reading, left=tuple(left), unit=unit, relations=relations, numbers=tuple(numbers.values())
    )
    return read, wanted[0] if len(wanted) == 1 else None


def measured_of_class(reading: Reading, uses: Mapping[str, Use]) -> Reading:
    """Return a reading whose numbers are of the class that it names, where units are of several."""
    classes = {one for span in reading.relations for one in span.classes}
    numbers: list[Span] = []
    for one in reading.numbers:
        fit = [p for p in one.properties if not uses[p].domain.isdisjoint(classes)]
        numbers.append(replace(one, properties=(*fit,)) if len(fit) == 1 else one)
    units = {p for one in numbers for p in one.properties}
    unit = units.pop() if len(units) == 1 else reading.unit
    return replace(reading, numbers=tuple(numbers), unit=unit)


def _of_dimension(unit: Unit | None, stated: Stated) -> list[tuple[Unit, str]]:
    """Return the properties whose values are in a unit of the same dimension, with theirs."""
    units = [(resolve_unit(" ".join(one)) or resolve_unit("".join(one)), p) for one, p in stated]
    dimension = unit.dimension if unit else ""
    return [(one, p) for one, p in units if one is not None and one.dimension == dimension]


def _measured_in(wanted: Wanted, stated: Stated) -> tuple[Span, ...]:
    """Return the one property that is measured as a unit is: "how many hectares is Denmark"."""
    fit = tuple({p for _, p in _of_dimension(wanted.unit, stated)})
    return (replace(wanted.span, properties=fit),) if len(fit) == 1 else ()


def _converted(
    reading: Reading, number: Span, behind: Span, stated: Stated, named: set[str]
) -> tuple[Span, set[str]] | None:
    """Return a number in the unit of the graph: "over 2 hours" of what is stated in minutes.

    With it come the properties that have the unit.
    """
    asked = next(_wanted(reading, behind), None)
    if asked is None or asked.unit is None or number.is_day:
        return None
    fit = _of_dimension(asked.unit, stated)
    fit = [(unit, p) for unit, p in fit if p in named] or fit
    if len({unit for unit, _ in fit}) != 1:
        return None
    value = convert(Decimal(number.number) * asked.scale, asked.unit, fit[0][0])
    return replace(number, number=f"{_EXACT.plus(value).normalize():f}"), {p for _, p in fit}


def in_unit(
    told: PatternAnswer, wanted: Wanted, schema: Schema, language: str
) -> tuple[list[str], list[Value]]:
    """Return the figures of an answer in the unit that is wanted, in words and as values.

    There are none where one cannot be told, and no values where only a scale is wanted.
    """
    units: dict[str, set[Unit]] = {}
    for words, p in schema.units or ():
        if (unit := resolve_unit(" ".join(words)) or resolve_unit("".join(words))) is not None:
            units.setdefault(local(p), set()).add(unit)
    figures = [one for one in told.values if one.kind == "number"]
    if not 0 < len(figures) <= _MOST_CONVERTED:
        return [], []
    texts: list[str] = []
    values: list[Value] = []
    for one in figures:
        value = Decimal(one.value)
        if wanted.unit is not None:
            own = units.get(one.name, set())
            fit = [unit for unit in own if unit.dimension == wanted.unit.dimension]
            if len(own) != 1 or not fit:
                return [], []
            value = convert(value, fit[0], wanted.unit)
            exact = format(_SHOWN.plus(value).normalize(), "f")
            values.append(replace(one, value=exact, unit=wanted.unit.symbol))
        shown = _SHOWN.plus(value / wanted.scale).normalize()
        text = number_text(Decimal(format(shown, "f")), cast("Language", language))
        texts.append(text if len(figures) == 1 else f"{one.entity} {text}")
    return texts, values


def _wanted(reading: Reading, span: Span) -> Iterator[Wanted]:
    """Yield the unit that words which are left over name, with words behind them that end it."""
    words = reading.words
    for last in range(min(len(words), span.last + _MOST_BEHIND), span.last - 1, -1):
        said = reading.prompt[words[span.first].start : words[last - 1].end]
        scale = SCALES.get(said.lower().rstrip("s"), 0) or SCALES.get(said[:1], 1)
        name = (said[1:] if said[:1] in SCALES else "") if scale > 1 else said
        spelled = name.lower().replace("sq ", "square ")
        unit = resolve_unit(name) or resolve_unit(spelled) or resolve_unit(spelled.rstrip("n"))
        if unit is not None or (scale > 1 and not name):
            yield Wanted(span, said, unit, scale)
            return


def _is_unit(said: Sequence[str], unit: Sequence[str]) -> bool:
    """Whether words begin with a unit, but for the ending of its last word."""
    *first, last = unit
    own = said[len(first)] if len(said) > len(first) else ""
    is_last = own.startswith(last) and len(own) - len(last) <= (2 if len(last) > 3 else 0)
    if len(unit) == 1 and (meant := resolve_unit(last)) is not None:
        is_last = is_last or resolve_unit(own) is meant
    return list(said[: len(first)]) == first and is_last
