"""The values of records made ready for look-up: by number and unit, by date, by IRI."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property, lru_cache

from groundwire.evidence.claims.words import cue_tables, key_of, words_of
from groundwire.evidence.records import Derivation, Record, Value
from groundwire.quantities import (
    DateMention,
    Unit,
    find_clock_times,
    find_dates,
    parse_number,
    resolve_unit,
)

_MOST_SAID = 3
_EXTENTS = frozenset(("length", "time", "angle"))
_FINE = frozenset(map(key_of, cue_tables()["finer"]))
_LONGEST_COLUMN = 60
_SCALES = {
    "thousand": Decimal(1_000),
    "million": Decimal(1_000_000),
    "billion": Decimal(1_000_000_000),
}

ASSETS = "assets"
"""The unit of what counts whatever a catalogue holds, which sentences call in many ways."""

PeriodKey = tuple[str, str, bool] | str


@dataclass(frozen=True, slots=True)
class Fact:
    """A recorded value, or a recorded derivation, with what is needed to compare it.

    Attributes:
        evidence_id: the record that holds it.
        value: what was recorded; for a derivation a value of the same text and unit.
        number: its number, or None.
        unit: its unit, or None for a bare number or a unit that is not known.
        date: its date, or None.
        entities: keys of what it is about; several for a derivation, empty for the answer.
        periods: keys of its periods, empty where it has none.
        names: keys of what it is a value of.
        operands: the facts that a derivation was computed from.
        formula: the computation, where it is a derivation.
    """

    evidence_id: str
    value: Value
    number: Decimal | None
    unit: Unit | None
    date: DateMention | None
    entities: frozenset[str]
    periods: frozenset[PeriodKey]
    names: frozenset[str]
    operands: tuple[Fact, ...] = ()
    formula: str = ""
    operation: str = ""

    @property
    def said(self) -> str:
        """The value as a reader would write it, with its unit."""
        return f"{self.value.value} {self.value.unit}" if self.value.unit else self.value.value

    @property
    def about(self) -> str:
        """The name, entity and period of the value, as text."""
        if self.operands:
            return self.formula or self.operation
        text = self.value.name
        if self.value.entity:
            text += f" of {self.value.entity}"
        if self.value.item:
            text += f" of {self.value.item.names[0]}"
        return f"{text} ({self.value.period})" if self.value.period else text


def is_fineness(fact: Fact) -> bool:
    """Whether a smaller measure is more of it: a map with a precision of 2 cm is more precise."""
    measured = fact.unit is not None and fact.unit.dimension in _EXTENTS
    return measured and not _FINE.isdisjoint(fact.names)


def said_of(facts: Sequence[Fact]) -> str:
    """State the recorded values that stand in place of a claimed one; "" for no facts."""
    if not facts:
        return ""
    told = list(
        dict.fromkeys(
            fact.about if _ends_in_value(fact) else f"{fact.about} {fact.said}" for fact in facts
        )
    )
    rest = len(told) - _MOST_SAID
    return f"the record has {'; '.join(told[:_MOST_SAID])}" + (
        f" and {rest} more" if rest > 0 else ""
    )


def _ends_in_value(fact: Fact) -> bool:
    """Whether a value is told as a computation that ends in it: "5 - 3 = 2 people"."""
    return bool(fact.operands) and any(sign in fact.formula for sign in "=≈")


def period_key(mention: DateMention) -> PeriodKey:
    """The identity of a period that a text or record names."""
    return (mention.start.isoformat(), mention.end.isoformat(), mention.fiscal)


@lru_cache(maxsize=4_096)
def dates_in(text: str) -> tuple[DateMention, ...]:
    """Return the dates of a recorded text: a record is read again with each that is added."""
    return tuple(find_dates(text))


_number_in = lru_cache(maxsize=16_384)(parse_number)


def key_of_period(text: str) -> PeriodKey:
    """The identity of a recorded period: its interval, or its words where it is none."""
    found = dates_in(text)
    if len(found) == 1 and found[0].span == (0, len(text)):
        return period_key(found[0])
    if len(found) == 2 and found[0].span[0] == 0 and found[1].span[1] == len(text):
        return (found[0].start.isoformat(), found[1].end.isoformat(), found[0].fiscal)
    return key_of(text)


def periods_of(value: Value) -> tuple[str, ...]:
    """The names of the period that a value holds for; " = " stands between two of one period."""
    return tuple(value.period.split(" = ")) if value.period else ()


def entity_key(value: Value, labels: Mapping[str, str]) -> str | None:
    """The identity of what a value is about: its label, since that is what sentences name.

    Args:
        value: the value.
        labels: a label of each IRI that the records have one of.
    """
    label = value.entity or labels.get(value.entity_iri or "")
    return (key_of(label) or label) if label else value.entity_iri


def is_label(value: Value) -> bool:
    """Whether a value is a name of the thing that only its IRI identifies."""
    return value.name == "label" and value.kind in ("name", "text") and not value.entity


def _labels_of(records: Sequence[Record]) -> dict[str, str]:
    """The first name of every IRI: as an answer calls it, else as it is labelled."""
    values = [value for record in records for value in record.draft.values if value.entity_iri]
    found: dict[str, str] = {}
    for value in values:
        if value.entity and value.entity_iri:
            found.setdefault(value.entity_iri, value.entity)
    for value in values:
        if value.entity_iri and is_label(value):
            found.setdefault(value.entity_iri, value.value)
    return found


def distinct(facts: Iterable[Fact]) -> list[Fact]:
    """Return recorded values, each once that several records have."""
    first: dict[tuple[object, ...], Fact] = {}
    for fact in facts:
        value = fact.value
        key = (fact.names, fact.entities, fact.periods, value.unit, value.value, value.item)
        first.setdefault((*key, fact.operation), fact)
    return list(first.values())


@dataclass
class Facts:
    """All facts of some records.

    Attributes:
        all: every fact, derivations after the values of their record.
        by_dimension: numbers in base units, sorted, with their facts; "" holds bare numbers.
        by_number: numbers as recorded, whatever their unit.
        dates: facts that are dates.
        times: facts that are times of day, by minutes after midnight.
        iris: entity IRIs, IRI values and sources, with the facts they belong to.
        by_position: recorded values, by their record and their position in it.
    """

    all: list[Fact] = field(default_factory=list[Fact])
    by_dimension: dict[str, _Sorted] = field(default_factory=dict[str, "_Sorted"])
    by_number: _Sorted = field(default_factory=lambda: _Sorted())
    dates: list[Fact] = field(default_factory=list[Fact])
    times: dict[int, list[Fact]] = field(default_factory=dict[int, list[Fact]])
    iris: dict[str, list[Fact]] = field(default_factory=dict[str, list[Fact]])
    by_position: dict[tuple[str, int], Fact] = field(default_factory=dict[tuple[str, int], Fact])

    def numbers(self) -> Sequence[Fact]:
        """Every fact that has a number, in their order."""
        return self.by_number.facts

    @cached_property
    def names_of_groups(self) -> frozenset[str]:
        """The properties that only counts of groups have: no figure with a unit is of them."""
        counted = frozenset(n for f in self.numbers() if f.value.unit == ASSETS for n in f.names)
        others = (fact.names for fact in self.numbers() if fact.value.unit != ASSETS)
        return counted.difference(*others)


@dataclass(slots=True)
class _Sorted:
    keys: list[Decimal] = field(default_factory=list[Decimal])
    facts: list[Fact] = field(default_factory=list[Fact])

    def between(self, low: Decimal, high: Decimal) -> list[Fact]:
        return self.facts[bisect_left(self.keys, low) : bisect_right(self.keys, high)]


def index(records: Sequence[Record]) -> Facts:
    """Make the values and derivations of records ready for look-up."""
    facts = Facts()
    labels = _labels_of(records)
    for record in records:
        own = [_fact(record.evidence_id, value, labels) for value in record.draft.values]
        facts.all += own
        facts.by_position.update({(record.evidence_id, i): one for i, one in enumerate(own)})
        facts.all += [_derived(record, own, derivation) for derivation in record.draft.derivations]
    pairs: dict[str, list[tuple[Decimal, Fact]]] = {}
    raw: list[tuple[Decimal, Fact]] = []
    for fact in facts.all:
        if fact.number is not None:
            raw.append((fact.number, fact))
            base = fact.unit.to_base(fact.number) if fact.unit else fact.number
            dimension = fact.unit.dimension if fact.unit else ""
            pairs.setdefault(dimension, []).append((base, fact))
        if fact.date is not None:
            facts.dates.append(fact)
        if fact.value.kind == "time":
            for clock in find_clock_times(fact.value.value):
                facts.times.setdefault(clock.minutes[0], []).append(fact)
        for iri in (fact.value.entity_iri, fact.value.source):
            if iri and ":" in iri:
                facts.iris.setdefault(iri, []).append(fact)
        if fact.value.kind == "iri":
            facts.iris.setdefault(fact.value.value, []).append(fact)
    facts.by_number = _sorted(raw)
    facts.by_dimension = {dimension: _sorted(some) for dimension, some in pairs.items()}
    return facts


def _sorted(pairs: list[tuple[Decimal, Fact]]) -> _Sorted:
    pairs.sort(key=lambda pair: pair[0])
    return _Sorted([key for key, _ in pairs], [fact for _, fact in pairs])


def _fact(evidence_id: str, value: Value, labels: Mapping[str, str]) -> Fact:
    number = None
    unit = resolve_unit(value.unit) if value.unit else None
    date = None
    if value.kind in ("number", "text", "name"):
        number = _number_in(value.value) if len(value.value) <= 60 else None
    if value.kind == "date" or (value.kind == "text" and number is None and len(value.value) < 40):
        found = dates_in(value.value)
        date = found[0] if len(found) == 1 else None
    if number is not None and value.unit is None:
        unit, scale = _unit_of_name(value.name)
        number *= scale
    entity = entity_key(value, labels)
    return Fact(
        evidence_id,
        value,
        number,
        unit,
        date,
        frozenset((entity,)) if entity else frozenset(),
        frozenset(map(key_of_period, periods_of(value))),
        frozenset((key_of(value.name),)),
    )


@lru_cache(maxsize=1_024)
def _unit_of_name(name: str) -> tuple[Unit | None, Decimal]:
    """Return the currency and the scale that the name of a column ends in: `cny_million`."""
    words = [word for word in words_of(name) if len(name) <= _LONGEST_COLUMN]
    units = [unit for word in words[-2:] if (unit := resolve_unit(word.upper())) is not None]
    scales = [_SCALES[word] for word in words[-2:] if word in _SCALES]
    if len(units) != 1 or len(scales) != 1 or not units[0].dimension.startswith("currency"):
        return None, Decimal(1)
    return units[0], scales[0]


def _derived(record: Record, own: list[Fact], derivation: Derivation) -> Fact:
    operands = tuple(own[i] for i in derivation.operands if 0 <= i < len(own))
    value = Value(derivation.operation, derivation.value, unit=derivation.unit)
    return Fact(
        record.evidence_id,
        value,
        parse_number(derivation.value),
        resolve_unit(derivation.unit) if derivation.unit else None,
        None,
        frozenset[str]().union(*(fact.entities for fact in operands)),
        frozenset[PeriodKey]().union(*(fact.periods for fact in operands)),
        frozenset[str]().union(*(fact.names for fact in operands)),
        operands,
        derivation.formula,
        derivation.operation,
    )
