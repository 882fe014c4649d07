"""The record of a table, against which sentences about it are checked.

- Each value of each row is a value of its own, and a scope: its metric under the keys of its row
  and under the conditions of the query.
- What the rows run over is a set of its own, all listed where every row is on the page.
- The order of a ranking by one metric is an order.
- How many rows there are is the count of a set whose members meet the conditions.
- What a value is compared with is a value too; the changes are recorded derivations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, TypeVar, TypeVarTuple

from groundwire.evidence.records import (
    Condition,
    Derivation,
    Draft,
    Names,
    Operator,
    Statement,
    Value,
)
from groundwire.metrics.proof import documents
from groundwire.metrics.statements import absence_of_term, out_of_scope
from groundwire.metrics.table.query import (
    CHANNEL,
    ENTITY,
    PERIOD,
    POINTS,
    Key,
    Keyed,
    Places,
    TableRow,
    TableRows,
)
from groundwire.metrics.table.query import Condition as Filter
from groundwire.metrics.table.reading import Understood
from groundwire.metrics.table.results import TableResult
from groundwire.metrics.table.sentences import TableNames, plurals
from groundwire.metrics.terms import TOTAL
from groundwire.metrics.wording import exact, source_names
from groundwire.quantities import Period

if TYPE_CHECKING:
    from groundwire.metrics.factbase import State

_Told = TypeVarTuple("_Told")
_Made = TypeVar("_Made")
_MOST_TERMS = 150
_MOST_OVERLAPS = 12
# A thing has all of its names when it is first named, and the same fewer ones from then on.
_SETTLED = 2
_NOT_ADDED = ("holds", "within", "overlap")
_PARAMS = {"metrics": "metric", "by": "entity", "period": "period", "grain": "grain"}


def prove_refusal(state: State, result: TableResult, statement: str = "") -> Draft:
    """Return the record of a table without rows: what was refused, or is not held."""
    said: list[Statement] = []
    raw = result.raw or ""
    if result.reason == "out_of_scope_entity":
        said.append(out_of_scope(state, raw))
    elif result.param is not None and raw.strip():
        key = _PARAMS.get(result.param, result.param.removeprefix("where."))
        key = key if key in ("metric", "entity", "channel", "period", "grain") else "fact"
        objects = [tuple(dict.fromkeys((c.label, c.value))) for c in result.candidates or ()]
        said.append(absence_of_term(raw, key, objects))
    periods = (result.available or {}).get("period", ())
    return Draft(
        values=tuple(Value("named period", one, "name") for one in periods),
        audit={"profile": state.profile.profile.name, "status": result.status, "sql": statement},
        statements=tuple(said),
    )


def prove_table(
    state: State,
    read: Understood,
    found: TableRows,
    units: Sequence[str],
    cells: Sequence[Sequence[str | None]],
) -> Draft:
    """Return the record of a table.

    Args:
        state: the fact base that answered.
        read: what was asked.
        found: the rows.
        units: the unit of each metric.
        cells: the exact texts of each row, as its answer shows them.
    """
    proof = _Proof(state, read, found, units)
    proof.add_rows(cells)
    proof.add_sets()
    return Draft(
        values=(*proof.values, *documents(proof.sources)),
        derivations=tuple(proof.derivations),
        audit={
            "profile": state.profile.profile.name,
            "status": "found",
            "sql": found.statement,
            "left_out": list(found.left_out),
        },
        vocabulary=proof.vocabulary(),
        overlaps=proof.overlaps(),
        statements=tuple(proof.statements),
    )


class _Whose(NamedTuple):
    """The subject of the values of one metric in rows of the same keys.

    Attributes:
        name: of the values.
        entity: the label of what they are about, or None.
        labels: other names of the values and of what they are about.
        key: what they are about.
        keyed: all keys of the rows but the period, and what is given for all of them.
    """

    name: str
    entity: str | None
    labels: Names
    key: Key
    keyed: tuple[Keyed, ...]


class _Cell(NamedTuple):
    """A cell of values: what they are about, of which metric, and where they are from."""

    whose: _Whose
    place: int
    sources: str
    lineage: str


def _settled(told: list[_Made], make: Callable[[*_Told], _Made], *parts: *_Told) -> _Made:
    """Return what `make` names; from the third time on what it was the second time.

    A thing has all of its names the first time that it is named, and fewer from then on.
    """
    if len(told) < _SETTLED:
        told.append(make(*parts))
    return told[-1]


class _Proof:
    """Gathers the record of one table."""

    def __init__(
        self, state: State, read: Understood, found: TableRows, units: Sequence[str]
    ) -> None:
        self._state = state
        self._read = read
        self._query = read.query
        self._found = found
        self._units = units
        self._names = TableNames(state, read.store)
        self._kind = self._names.kind_of(read.metrics[0])
        self.values: list[Value] = []
        self.derivations: list[Derivation] = []
        self.statements: list[Statement] = []
        self.sources = list(dict.fromkeys(name for row in found.rows for name in row.sources))
        self._places = Places(self._query.by, read.store)
        self._keys_told: dict[tuple[Keyed, ...], list[tuple[Condition, ...]]] = {}
        self._dimensions_told: dict[str, list[Names]] = {}
        self._grains_told: dict[str, list[Condition]] = {}
        self._times_told: dict[tuple[int, str], tuple[Names, tuple[Condition, ...]]] = {}
        self._known: dict[tuple[int, tuple[Keyed, ...]], _Whose] = {}
        self._metric_told: list[list[Names]] = [[] for _ in read.metrics]
        self._period_told: list[Names] = []
        self._subject = self._subject_of()
        self._channels_given = self._channels_of_conditions()
        self._given = self._given_conditions()

    def _subject_of(self) -> Keyed | None:
        """Return the one value of a condition that is the subject, where no key names one."""
        if self._places.has_main:
            return None
        for one in self._query.conditions:
            fits = self._read.store != "facts" or one.dimension == ENTITY
            if one.op == "in" and len(one.values) == 1 and fits:
                return one.dimension, one.values[0]
        return None

    def _channels_of_conditions(self) -> list[Keyed]:
        """The one channel that the values are of, where no key of the rows says so."""
        return [
            (one.dimension, one.values[0])
            for one in self._query.conditions
            if one.dimension == CHANNEL and one.op == "in" and len(one.values) == 1
            if one.values[0] != TOTAL and self._places.without(CHANNEL)
        ]

    def add_rows(self, cells: Sequence[Sequence[str | None]]) -> None:
        """Record every value of every row; `cells` are the texts of the rows."""
        keys, width = len(self._query.by), 4 if self._query.compare else 1
        for row, texts in zip(self._found.rows, cells, strict=True):
            keyed = self._places.keyed(row.keys)
            sources = ", ".join(row.sources)
            for place in range(len(row.values)):
                value, *compared = texts[keys + place * width : keys + (place + 1) * width]
                if value is None:
                    continue
                whose = self._whose(place, keyed)
                lineage = row.lineage[place] if row.lineage else sources
                of = _Cell(whose, place, sources, lineage)
                after = self._add(of, value, row.period)
                if compared and compared[0] is not None:
                    before = self._add(of, compared[0], row.period_before)
                    self._derive(place, (after, before), compared[1], compared[2])
                for one in row.differing:
                    if one.place == place:
                        other = of._replace(lineage=one.source)
                        self._add(other, exact(one.value), row.period)

    def _add(self, of: _Cell, value: str, period: Period | None) -> int:
        """Record one value with its scope; return its position."""
        whose, place = of.whose, of.place
        periods = self._names.period(period, whose.key) if period else ()
        position = len(self.values)
        self.values.append(
            Value(
                whose.name,
                value,
                unit=self._units[place] or None,
                entity=whose.entity,
                labels=whose.labels,
                period=" = ".join(periods) or None,
                source=of.lineage or None,
            )
        )
        told = self._keys_told.setdefault(whose.keyed, [])
        keys = _settled(told, self._conditions_of, whose.keyed)
        conditions = (*keys, *(self._when(periods, period.grain) if period else self._given))
        self.statements.append(
            Statement(
                "scope",
                self._metric_names(place),
                conditions=conditions,
                value=position,
                source=of.sources or None,
            )
        )
        return position

    def _whose(self, place: int, keyed: tuple[Keyed, ...]) -> _Whose:
        """Return the subject of the values of a metric in rows of some keys."""
        found = self._known.get((place, keyed))
        if found is None:
            metric = self._read.metrics[place]
            main, rest = self._places.split(keyed)
            main = main or self._subject
            rest += self._channels_given
            entity = self._names.all_names(*main) if main else ()
            others = [self._names.all_names(*one) for one in rest]
            labels = metric.label, *metric.aliases, *entity[1:], *chain.from_iterable(others)
            found = self._known[place, keyed] = _Whose(
                " ".join((metric.code, *(names[0] for names in others))),
                entity[0] if entity else None,
                tuple(dict.fromkeys(labels)),
                main[1] if main else None,
                (main, *rest) if main else tuple(rest),
            )
        return found

    def _conditions_of(self, keyed: tuple[Keyed, ...]) -> tuple[Condition, ...]:
        """That each of some dimensions has its key."""
        return tuple([self._keyed(*one) for one in keyed])

    def _metric_names(self, place: int) -> Names:
        """The names of a metric."""
        return _settled(self._metric_told[place], self._names.metric, self._read.metrics[place])

    def _when(self, names: Names, grain: str) -> tuple[Condition, ...]:
        """That a value is of a period and of its grain, with what is given for all values.

        Rows of one period share what they say of it, from the third on.
        """
        known = self._times_told.get((id(names), grain))
        if known is not None:
            return known[1]
        told = self._grains_told.setdefault(grain, [])
        period = Condition(_settled(self._period_told, self._names.said, "period"), "is", (names,))
        made = (period, _settled(told, self._names.grain, grain), *self._given)
        if len(told) == _SETTLED == len(self._period_told):
            self._times_told[id(names), grain] = names, made
        return made

    def _keyed(self, code: str, key: Key) -> Condition:
        """That a dimension has a value."""
        told = self._dimensions_told.setdefault(code, [])
        dimension = _settled(told, self._names.dimension, code, self._kind)
        return Condition(dimension, "is", (self._names.key(code, key),))

    def _derive(
        self, place: int, operands: tuple[int, int], change: str | None, percent: str | None
    ) -> None:
        """Record the change and the percent change."""
        unit = self._units[place] or None
        value, earlier = (self.values[one].value for one in operands)
        if change is not None:
            told = POINTS if unit == "%" else unit
            formula = f"{value} - {earlier}"
            self.derivations.append(Derivation("difference", operands, change, told, formula))
        if percent is not None:
            formula = f"({value} - {earlier}) / {earlier} * 100"
            self.derivations.append(Derivation("percent_change", operands, percent, "%", formula))

    def _given_conditions(self) -> tuple[Condition, ...]:
        """The conditions of the query that no key of the rows repeats."""
        subject = self._subject[0] if self._subject else ""
        kept = [
            one
            for one in self._query.conditions
            if one.dimension not in self._query.by and one.dimension != subject
            if not (one.dimension == CHANNEL and len(one.values) == 1)
        ]
        given = [self._condition(one) for one in kept]
        if self._query.as_of:
            given.append(
                Condition(self._names.said("as_of"), "is", ((self._query.as_of.isoformat(),),))
            )
        return tuple(given)

    def _condition(self, one: Filter) -> Condition:
        names = self._names.dimension(one.dimension, self._kind)
        if one.op == "range":
            return self._bound(names, one, None)
        objects = tuple(self._names.key(one.dimension, key) for key in one.values)
        if one.op == "not_in":
            return Condition(names, "none_of", objects)
        return Condition(names, "is" if len(objects) == 1 else "any_of", objects)

    def _bound(self, names: Names, one: Filter, unit: str | None) -> Condition:
        if one.low is not None:
            operator: Operator = "at_least" if one.low_included else "more_than"
            return Condition(names, operator, ((_text(one.low),),), unit)
        operator = "at_most" if one.high_included else "less_than"
        return Condition(names, operator, ((_text(one.high),),), unit)

    def add_sets(self) -> None:
        """Record what the rows run over, how many there are, and their order."""
        rows, query = self._found.rows, self._query
        total = self._found.total_rows
        # Who speaks of all without saying what the rows were narrowed to speaks of more.
        narrowed = bool(query.conditions or query.having)
        whole = query.offset == 0 and self._found.is_complete and total == len(rows)
        whole = whole and not narrowed
        asked = Condition(self._names.said("asked_about"), "exists")
        for place, code in enumerate(query.by):
            objects = tuple(dict.fromkeys(self._row_names(row, place) for row in rows))
            names = self._names.dimension(code, self._kind)
            self.statements.append(
                Statement(
                    "scope",
                    names,
                    (),
                    objects,
                    (asked,),
                    complete="all_listed" if whole else "page",
                )
            )
        self._add_count(total)
        self._add_order()
        for name in self.sources:
            self.statements.append(
                Statement("source", source_names(self._state.profile, name, "", ""))
            )

    def _row_names(self, row: TableRow, place: int) -> Names:
        code, key = self._query.by[place], row.keys[place]
        if code == PERIOD:
            return (row.labels[place] if row.labels else _text(key),)
        return self._names.key(code, key)

    def _common_period(self) -> Period | None:
        found = {row.period for row in self._found.rows}
        return found.pop() if len(found) == 1 else None

    def _set_conditions(self) -> tuple[Condition, ...]:
        """Return the conditions that hold for every row."""
        made = [self._condition(one) for one in self._query.conditions]
        for one in self._query.having:
            place = self._query.metrics.index(one.dimension)
            metric = self._read.metrics[place]
            unit = self._units[place] or None
            made.append(self._bound(self._names.metric(metric), one, unit))
        period = self._common_period()
        if period is not None:
            made.append(Condition(self._names.said("period"), "is", (self._names.period(period),)))
        return tuple(made)

    def _add_count(self, total: int | None) -> None:
        """Record how many rows there are, under the conditions that they meet."""
        if total is None or len(self._query.by) != 1 or self._query.by[0] == PERIOD:
            return
        period = self._common_period()
        names = self._names.dimension(self._query.by[0], self._kind)
        self.values.append(
            Value(
                "total",
                str(total),
                unit=None,
                labels=plurals(names),
                period=" = ".join(self._names.period(period)) if period else None,
            )
        )
        self.statements.append(
            Statement(
                "scope",
                plurals(names),
                (),
                (),
                self._set_conditions(),
                value=len(self.values) - 1,
                complete="all_counted",
            )
        )

    def _add_order(self) -> None:
        """Record the order of a ranking by one metric."""
        query = self._query
        order = query.order[0] if query.order else None
        if order is None or order.by not in query.metrics or query.offset or len(query.by) != 1:
            return
        metric = self._read.metrics[query.metrics.index(order.by)]
        direction = self._names.said("descending" if order.descending else "ascending")
        place = query.metrics.index(order.by)
        ranked = [row for row in self._found.rows if row.values[place] is not None]
        self.statements.append(
            Statement(
                "order",
                plurals(self._names.dimension(query.by[0], self._kind)),
                self._names.metric(metric),
                tuple(self._row_names(row, 0) for row in ranked),
                (
                    *self._set_conditions(),
                    Condition(self._names.said("order"), "is", (direction,)),
                ),
            )
        )

    def vocabulary(self) -> tuple[str, ...]:
        """Return other names of the same vocabularies, which a sentence may not put in place."""
        if self._read.store != "facts":
            return ()
        profile = self._state.profile
        given = {key for one in self._query.conditions for key in one.values}
        names = chain(
            (one.label for one in profile.metrics if one.kind == self._kind),
            (
                one.name
                for one in profile.entities
                if one.kind == self._kind and one.code not in given
            ),
        )
        found: dict[str, None] = {}
        for name in names:
            found[name] = None
            if len(found) == _MOST_TERMS:
                break
        return tuple(found)

    def overlaps(self) -> dict[str, tuple[str, ...]]:
        """Return by the name of an entity the others that must not be added to it."""
        if self._read.store != "facts" or ENTITY not in self._query.by:
            return {}
        profile = self._state.profile
        place = self._query.by.index(ENTITY)
        codes = list(dict.fromkeys(str(row.keys[place]) for row in self._found.rows))
        wholes = [code for code in codes if code in profile.membership.parts]
        held: dict[str, tuple[str, ...]] = {}
        for code in codes if wholes else ():
            among = codes if code in wholes else wholes
            others = [
                one
                for one in among[: _MOST_OVERLAPS * 4]
                if one != code and profile.membership.relation(one, code) in _NOT_ADDED
            ]
            if others:
                names = [profile.entity_by_code[one].name for one in others]
                held[profile.entity_by_code[code].name] = tuple(names)
        return held


def _text(key: Key) -> str:
    if isinstance(key, Decimal):
        return exact(key)
    return "" if key is None else str(key)
