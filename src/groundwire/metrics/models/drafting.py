"""Draft a semantic model from the tables of an engine; every guess is marked in the file.

Keys, foreign keys and comments are taken as the database tells them. What it does not tell is
guessed from names and looked up in the values: a relationship by a name is written down only where
no value is missing on the other side.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.errors import GroundwireError, InputError
from groundwire.metrics.models.draft_writing import (
    DraftDataset,
    DraftField,
    DraftLink,
    DraftMetric,
    written,
)
from groundwire.quantities import resolve_unit
from groundwire.tables.engine import Column, Engine, Limits, Table
from groundwire.vocabulary.fold import CJK, singular

if TYPE_CHECKING:
    from sqlglot import exp

MOST_TABLES = 300
"""Tables of one draft; a larger database is drafted by schema."""

_LOOK = Limits(seconds=10.0, rows=10, characters=10_000)
_TEXT = re.compile(r"char|text|string|clob|enum|uuid", re.IGNORECASE)
_WHOLE = re.compile(r"int(?!erval)|serial", re.IGNORECASE)
_EXACT = re.compile(r"dec|num|money", re.IGNORECASE)
_FLOAT = re.compile(r"float|double|real", re.IGNORECASE)
_MOMENT = re.compile(r"timestamp|datetime", re.IGNORECASE)
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")


@dataclass(frozen=True, slots=True)
class Draft:
    """A model that was drafted.

    Attributes:
        text: an Ossie model in YAML.
        notes: what a person should look at, one line each.
    """

    text: str
    notes: tuple[str, ...]


@dataclass(slots=True)
class _Table:
    """A table, and what was found out about it."""

    dataset: str
    table: Table
    key: tuple[str, ...]
    is_key_guessed: bool = False
    time: str = ""
    references: set[str] = field(default_factory=set[str])
    is_referred_to: bool = False

    @property
    def lasts(self) -> bool:
        """Whether its rows are things that other rows are of, such as stations."""
        return self.is_referred_to and not self.references


def draft_model(engine: Engine, name: str) -> Draft:
    """Draft a model of all tables that an engine shows.

    Args:
        engine: is asked for its tables, and for values where names suggest a relationship.
        name: of the model.

    Raises:
        InputError: there are no tables, or more than `MOST_TABLES`.
        UnavailableError: the engine does not answer.
    """
    listed = engine.tables()
    if not listed:
        raise InputError("The engine shows no tables: check the path, or the account's rights.")
    if len(listed) > MOST_TABLES:
        raise InputError(
            f"The engine shows {len(listed):,} tables; a draft takes {MOST_TABLES}: name a schema, "
            "or an account that sees fewer."
        )
    return _Drafting(engine, listed).draft(name)


class _Drafting:
    """One draft."""

    def __init__(self, engine: Engine, listed: Sequence[Table]) -> None:
        self._engine = engine
        self._notes: list[str] = []
        names = _unique([table.name.replace('"', "").split(".")[-1] for table in listed])
        self._tables = [
            _Table(name, table, table.primary_key)
            for name, table in zip(names, listed, strict=True)
        ]

    def draft(self, name: str) -> Draft:
        """Find keys, relationships, times and measures, and write them."""
        for one in self._tables:
            if not one.key:
                self._guess_key(one)
        links = list(self._links())
        datasets = [self._dataset(one) for one in self._tables]
        drafted = [metric for one in self._tables for metric in self._metrics(one)]
        said = Counter(" ".join(words(one.column)) for one in drafted if one.column)
        metrics = [
            one.called_by_column() if one.column and said[" ".join(words(one.column))] == 1 else one
            for one in drafted
        ]
        return Draft(written(_name(name), datasets, links, metrics), tuple(self._notes))

    def _guess_key(self, one: _Table) -> None:
        """Take a column as key whose name says so and whose values all differ."""
        own = words(one.dataset)
        names = {singular(one.dataset.lower()), singular(own[-1])} if own else set[str]()
        for column in one.table.columns:
            parts = words(column.name)
            stem = singular("_".join(parts[:-1]))
            if parts in (["id"], ["key"]) or (
                parts[-1:] in (["id"], ["key"], ["sk"]) and stem in names
            ):
                if self._is_unique(one.table, column.name):
                    one.key, one.is_key_guessed = (column.name,), True
                return

    def _links(self) -> Iterator[DraftLink]:
        taken: set[str] = set()
        for one in self._tables:
            told = {key.columns for key in one.table.foreign_keys}
            for key in one.table.foreign_keys:
                target = self._by_table(key.table)
                if target is None:
                    self._notes.append(
                        f"{one.table.name} refers to {key.table}, which is not shown: no join"
                    )
                    continue
                one.references |= set(key.columns)
                yield self._link(taken, one, target, key.columns, key.to_columns, "")
            for column in one.table.columns:
                if (column.name,) in told or (column.name,) == one.key:
                    continue
                for target in self._named_by(one, column):
                    reason = self._contained(one, column, target)
                    if reason:
                        one.references.add(column.name)
                        yield self._link(taken, one, target, (column.name,), target.key, reason)
                        break

    def _link(
        self,
        taken: set[str],
        many: _Table,
        one: _Table,
        columns: tuple[str, ...],
        to: tuple[str, ...],
        guess: str,
    ) -> DraftLink:
        one.is_referred_to = True
        name = f"{many.dataset}_to_{one.dataset}"
        if name in taken:
            name += "_by_" + "_".join(_name(column) for column in columns)
        while name in taken:
            name += "_2"
        taken.add(name)
        role = " ".join(part for part in words(columns[0]) if part not in ("id", "key", "sk"))
        return DraftLink(name, many.dataset, one.dataset, columns, to or one.key, role, guess)

    def _by_table(self, name: str) -> _Table | None:
        plain = name.replace('"', "").casefold()
        for one in self._tables:
            if one.table.name.replace('"', "").casefold() == plain:
                return one
        return None

    def _named_by(self, one: _Table, column: Column) -> list[_Table]:
        """Tables whose single key a column may refer to by its name."""
        parts = words(column.name)
        found: list[_Table] = []
        for target in self._tables:
            if target is one or len(target.key) != 1:
                continue
            key = words(target.key[0])
            same = parts == key and len(parts) > 1
            own = words(target.dataset)
            stem = [*own[:-1], singular(own[-1])] if own else []
            if same or (stem and parts[-1:] == key[-1:] and parts[:-1] == stem):
                found.append(target)
        return found

    def _contained(self, one: _Table, column: Column, target: _Table) -> str:
        """Why a column is taken to refer to a table, or "" where its values do not all occur."""
        key = target.key[0]
        if _type(column) != _type(next(c for c in target.table.columns if c.name == key)):
            return ""
        from sqlglot import exp

        value = exp.column(exp.to_identifier(column.name, quoted=True))
        distinct = exp.select(value.as_("v")).distinct().from_(self._table(one.table))
        distinct = distinct.where(exp.Not(this=exp.Is(this=value.copy(), expression=exp.Null())))
        to = exp.column(exp.to_identifier(key, quoted=True), table="o")
        query = (
            exp.select(exp.Count(this=exp.Star()).as_("missing"))
            .from_(distinct.subquery("d"))
            .join(
                exp.alias_(self._table(target.table), "o", table=True),
                on=exp.EQ(this=exp.column("v", table="d"), expression=to),
                join_type="left",
            )
            .where(exp.Is(this=to.copy(), expression=exp.Null()))
        )
        missing = self._number(query)
        shown = f"{one.table.name}.{column.name} and {target.table.name}.{key}"
        if missing is None:
            self._notes.append(f"{shown}: the values could not be compared in time, so no join")
            return ""
        if missing:
            self._notes.append(f"{shown} are named alike, but {missing:,} values have no row there")
            return ""
        return "by its name; every value has a row there"

    def _is_unique(self, table: Table, column: str) -> bool:
        from sqlglot import exp

        value = exp.column(exp.to_identifier(column, quoted=True))
        every = exp.Count(this=exp.Star())
        differing = exp.Count(this=exp.Distinct(expressions=[value]))
        query = exp.select(exp.Sub(this=every, expression=differing).as_("repeated"))
        return self._number(query.from_(self._table(table))) == 0

    def _table(self, table: Table) -> exp.Table:
        from sqlglot import exp

        return exp.to_table(table.name, dialect=self._engine.dialect)

    def _number(self, query: exp.Query) -> int | None:
        """The number that a query gives, or None where the engine does not tell it."""
        try:
            rows = self._engine.run(query.sql(self._engine.dialect), _LOOK).rows
        except GroundwireError:
            return None
        value = rows[0][0] if rows and rows[0] else None
        return int(value) if isinstance(value, int | float) else None

    def _dataset(self, one: _Table) -> DraftDataset:
        times = [column.name for column in one.table.columns if _type(column) in _TIMES]
        fit = [name for name in times if not one.lasts and not _has(name, "bookkeeping")]
        one.time = (fit or [""])[0]
        guesses: list[str] = []
        if one.lasts and times:
            guesses.append(f"its rows are there all the time, whatever {times[0]} says")
        if len(times) > 1 and one.time:
            guesses.append(f"rows are placed in time by {one.time}, of {', '.join(times[:6])}")
        if one.is_key_guessed:
            guesses.append(f"the key is {one.key[0]}: its values all differ")
        names = _unique([column.name for column in one.table.columns])
        fields = tuple(
            self._field(one, column, name)
            for column, name in zip(one.table.columns, names, strict=True)
        )
        time_field = next((f.name for f in fields if f.column == one.time), "")
        return DraftDataset(
            one.dataset, one.table.name, one.key, one.table.unique_keys, one.table.comment,
            time_field, fields,
            "; ".join(guesses),
        )  # fmt: skip

    def _field(self, one: _Table, column: Column, name: str) -> DraftField:
        kind = _type(column)
        is_key = column.name in one.key or column.name in one.references
        is_amount = kind in _NUMBERS and not is_key and not _has(column.name, "codes")
        parts = words(column.name)
        is_personal = _has(column.name, "personal") or (
            (parts[-1:] == ["name"] or column.name.endswith(("名", "名称")))
            and (_has(column.name.rstrip("名称"), "persons") or _has(one.dataset, "persons"))
        )
        if is_personal:
            self._notes.append(
                f"{one.dataset}.{name} may be about a person: withheld until you change its level"
            )
        thing = "" if is_personal else self._thing(one, column)
        return DraftField(
            name=name,
            column=column.name,
            label=" ".join(parts).capitalize(),
            description=column.comment,
            datatype=kind,
            is_dimension=not is_key and not is_amount,
            grain="day" if kind in _TIMES and not one.lasts else "",
            level="RESTRICTED" if is_personal else "",
            guess="about a person, so it is withheld"
            if is_personal
            else f"each row is called by it, so it is what {thing!r} asks for"
            if thing
            else "",
            synonym=thing,
        )

    def _thing(self, one: _Table, column: Column) -> str:
        """The name for one row of a table, of the column that tells the rows' names, or ""."""
        own = words(one.dataset)
        own = [*own[:-1], singular(own[-1])] if own else []
        parts = words(column.name)
        first = next((each for each in one.table.columns if _has(each.name, "names")), None)
        is_name = column is first and parts[:-1] in ([], own)
        return " ".join(own) if is_name and _type(column) == "String" and one.key else ""

    def _metrics(self, one: _Table) -> Iterator[DraftMetric]:
        if len(one.key) == 1 and (one.time or one.references or one.is_referred_to):
            things = " ".join(words(one.dataset)).lower()
            yield DraftMetric(
                f"{one.dataset}_count", "", one.dataset, _field_name(one, one.key[0]), "COUNT",
                f"Rows of {one.dataset}.", "rows are counted",
                synonym=things, label=f"{things}数" if _is_han(things) else f"Number of {things}",
            )  # fmt: skip
        for column in one.table.columns:
            is_key = column.name in one.key or column.name in one.references
            if is_key or _type(column) not in _NUMBERS or _has(column.name, "codes"):
                continue
            name, unit = _field_name(one, column.name), _unit_in(column.name)
            named = words(column.name)[:-1] if unit else words(column.name)
            guess = "added up, by its name" + (f"; its unit too, {unit}" if unit else "")
            said = [*words(one.dataset), *named]
            label = ("" if all(map(_is_han, said)) else " ").join(said).capitalize()
            metric = DraftMetric(
                f"{one.dataset}_{name}", column.name, one.dataset, name, "SUM", column.comment,
                guess, label=label, unit=unit,
            )  # fmt: skip
            if _has(column.name, "not_summed"):
                average = (
                    f"平均{label}" if _is_han(label) else f"Average {label[:1].lower()}{label[1:]}"
                )
                metric = replace(metric, label=average).taken(
                    "AVG", "a rate or price by its name: averaged, not added up"
                )
            elif _has(column.name, "balances"):
                if not one.time:
                    self._notes.append(
                        f"{one.dataset}.{name} looks like a balance, but has no time: no metric"
                    )
                    continue
                metric = metric.at_the_end(
                    f"{one.dataset}.{_field_name(one, one.time)}",
                    "a balance by its name: the last of a period, not added over time",
                )
            yield metric


def _unit_in(column: str) -> str:
    """The unit that ends the name of a column, "fine_eur", or ""."""
    parts = words(column)
    unit = resolve_unit(parts[-1]) if len(parts) > 1 and parts[-1] not in _NO_UNITS else None
    return unit.symbol if unit is not None and len(parts[-1]) > 1 else ""


# They end names that they give no unit: "price_min", "delivered_in".
_NO_UNITS = frozenset(("in", "min", "oz", "st", "pt", "point", "points", "second", "minute", "no"))
_TIMES = ("Date", "DateTime", "DateTimeTz")
_NUMBERS = ("Integer", "Decimal", "Float")


def words(name: str) -> list[str]:
    """The words of a name: `orderDate`, `order_date` and `Order Date` are order and date."""
    return [part.lower() for part in _PART.findall(name)]


@cache
def _lexicon() -> Mapping[str, frozenset[str]]:
    tree = tomllib.loads(Path(__file__).with_name("draft_words.toml").read_text("utf-8"))
    return {key: frozenset(value) for key, value in tree.items()}


def _is_han(text: str) -> bool:
    return re.fullmatch(f"[{CJK}]+", text) is not None


def _has(name: str, what: str) -> bool:
    """Whether a name has a word of a kind, also written as two: `first_name`."""
    parts = words(name)
    pairs = ["".join(pair) for pair in pairwise(parts)]
    ends = tuple(_lexicon().get(f"{what}_ends", ()))
    return not _lexicon()[what].isdisjoint((*parts, *pairs)) or any(
        one.endswith(ends) for one in parts
    )


def _type(column: Column) -> str:
    """The data type of a column in the words of Ossie, or ""."""
    told = column.type
    if _MOMENT.search(told):
        return "DateTimeTz" if re.search(r"tz|with time zone", told, re.IGNORECASE) else "DateTime"
    for pattern, name in (
        (_TEXT, "String"), (_FLOAT, "Float"), (_WHOLE, "Integer"), (_EXACT, "Decimal"),
    ):  # fmt: skip
        if pattern.search(told):
            return name
    low = told.lower()
    return "Boolean" if low.startswith("bool") else "Date" if low.startswith("date") else ""


def _name(text: str) -> str:
    """A text as a name of a model."""
    plain = re.sub(r"\W", "_", text)[:100].strip("_") or "unnamed"
    return f"_{plain}" if plain[0].isdigit() else plain


def _unique(texts: Sequence[str]) -> list[str]:
    """Texts as names, of which no two differ in case only."""
    found: list[str] = []
    taken: set[str] = set()
    for text in texts:
        name = base = _name(text)
        number = 1
        while name.casefold() in taken:
            number += 1
            name = f"{base}_{number}"
        taken.add(name.casefold())
        found.append(name)
    return found


def _field_name(one: _Table, column: str) -> str:
    names = _unique([each.name for each in one.table.columns])
    return names[[each.name for each in one.table.columns].index(column)]
