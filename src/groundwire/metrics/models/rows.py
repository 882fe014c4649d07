"""Rows of a dataset in SQL: the table, what it joins, and the fields that are read from it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from groundwire.errors import NotFoundError
from groundwire.metrics.models import nodes
from groundwire.metrics.models.day_sql import DaySql
from groundwire.metrics.models.expressions import (
    ExpressionError,
    column_parts,
    columns,
    is_aggregate,
    parse,
    written_for,
)
from groundwire.metrics.models.joins import Joins, Reached, Way
from groundwire.metrics.models.semantic import Dataset, ModelField, Relationship, SemanticModel

if TYPE_CHECKING:
    from sqlglot import exp

_REGULAR = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SOURCE_PART = re.compile(r"[\w$ -]{1,128}")
_QUOTED_PART = re.compile(r'"(?:[^"\x00-\x1f]|""){1,128}"')


def source_parts(source: str) -> tuple[str, ...]:
    """Return the parts of a table's qualified name, of which there are up to three.

    Raises:
        ExpressionError: it is a query, a function or a list instead of a name.
    """
    found: list[str] = []
    rest = source.strip()
    while rest:
        match = _QUOTED_PART.match(rest) or _SOURCE_PART.match(rest)
        if match is None:
            break
        part = match.group()
        found.append(part[1:-1].replace('""', '"') if part.startswith('"') else part.strip())
        rest = rest[match.end() :]
        if not rest.startswith("."):
            break
        rest = rest[1:]
        if not rest:
            found.append("")
    if rest or not 1 <= len(found) <= 3 or not all(found):
        raise ExpressionError(
            f"{source[:80]!r} is no table: write catalog.schema.table, and make a view of a query"
        )
    if " " in " ".join(found) and re.match(r"(?i)(select|with|from|values)\b", source.strip()):
        raise ExpressionError("a query is no source: make a view of it, and name that")
    return tuple(found)


def identifier(name: str) -> exp.Identifier:
    """Return a name as SQL: in quotes where it is needed, and where it changes nothing."""
    from sqlglot import exp

    regular = _REGULAR.fullmatch(name) is not None
    return exp.Identifier(this=name, quoted=not regular or name == name.lower())


def safe_divisions(tree: exp.Expr) -> exp.Expr:
    """Make every division one of floating numbers, empty where the divisor is 0.

    Engines differ: some divide integers to integers, some cut decimals, some fail on 0.
    """
    from sqlglot import exp

    for node in list(tree.find_all(exp.Div)):
        divisor = node.expression
        if not isinstance(divisor, exp.Nullif):
            node.set(
                "expression",
                exp.Nullif(this=divisor.copy(), expression=exp.Literal.number(0)),
            )
        if not isinstance(node.this, exp.Cast):
            node.set("this", nodes.cast(node.this.copy(), "DOUBLE"))
        node.set("typed", False)
        node.set("safe", False)
    return tree


_NUMBERS = frozenset(("integer", "decimal", "float"))
_TEXTS = ("text", "blob")


class FieldSql:
    """Fields of a model as SQL over the columns of their tables, each read once."""

    def __init__(self, model: SemanticModel, joins: Joins, dialect: str) -> None:
        """Take the model and the dialect whose expressions are preferred."""
        self.model = model
        self._joins = joins
        self._dialect = dialect
        self._rows: dict[tuple[str, str], exp.Expr] = {}

    def row(self, dataset: str, field: ModelField) -> exp.Expr:
        """Return a field over columns of its table; the tree is shared.

        Raises:
            ExpressionError: it cannot be used.
        """
        key = (dataset, field.name)
        if key not in self._rows:
            self._rows[key] = self._resolve(self.model.datasets[dataset], field, ())
        return self._rows[key]

    def _resolve(self, dataset: Dataset, field: ModelField, above: tuple[str, ...]) -> exp.Expr:
        if field.name in above:
            raise ExpressionError(
                f"the fields {', '.join((*above, field.name))[:160]} are made of one another"
            )
        text, dialect = written_for(field.expression, self._dialect)
        return self.condition(dataset, text, dialect, (*above, field.name))

    def condition(
        self, dataset: Dataset, text: str, dialect: str, above: tuple[str, ...] = ()
    ) -> exp.Expr:
        """Return an expression on rows of a dataset over columns of its table.

        A name is a column, unless it is that of another field that is computed from other columns.

        Raises:
            ExpressionError: it cannot be used.
        """
        from sqlglot import exp

        tree = exp.Paren(this=parse(text, dialect).copy())
        if any(is_aggregate(node) for node in tree.walk()):
            raise ExpressionError("a field is of one row: it holds no aggregate")
        for column in columns(tree):
            parts = column_parts(column)
            *before, name = parts
            if len(before) > 1 or any(one.casefold() != dataset.name.casefold() for one in before):
                raise ExpressionError(
                    f"{'.'.join(parts)[:80]} is of another dataset: a field is made of its own"
                )
            other = self._computed(dataset, name, above)
            if other is not None:
                column.replace(exp.Paren(this=self._resolve(dataset, other, above).copy()))
            else:
                column.set("table", None)
        inner = tree.this
        inner.pop()
        return safe_divisions(exp.Paren(this=inner)).this

    def _computed(self, dataset: Dataset, name: str, above: tuple[str, ...]) -> ModelField | None:
        if above and name == above[-1]:
            return None
        try:
            field = self._joins.field(dataset, name)
        except NotFoundError:
            return None
        text, dialect = written_for(field.expression, self._dialect)
        tree = parse(text, dialect)
        named = {column.name.casefold() for column in columns(tree)}
        return None if name.casefold() in named else field


def repeated_key(
    fields: FieldSql, joins: Joins, relationship: Relationship, days: DaySql
) -> exp.Select:
    """Return a SELECT that has a row where a key that rows refer to stands twice."""
    from sqlglot import exp

    rows = Rows(fields, joins, relationship.one, days)
    keys = [rows.key(name) for name in relationship.one_columns]
    conditions: list[exp.Expr] = [
        exp.Not(this=exp.Is(this=key.copy(), expression=exp.null())) for key in keys
    ]
    own = rows.own_filter()
    if own is not None:
        conditions.append(own)
    twice = exp.GT(this=exp.Count(this=exp.Star()), expression=exp.Literal.number(1))
    found = rows.select(nodes.named(exp.Count(this=exp.Star()), "n")).where(*conditions, copy=False)
    return found.group_by(*keys, copy=False).having(twice, copy=False).limit(1, copy=False)


class Rows:
    """One SELECT's rows: a table under the alias gw_t0, and what it is joined to, each once."""

    def __init__(self, fields: FieldSql, joins: Joins, base: str, days: DaySql) -> None:
        """Start with the rows of a dataset."""
        self._fields = fields
        self._joins = joins
        self._model = fields.model
        self.base = base
        self.days = days
        self._aliases: dict[Way, str] = {(): "gw_t0"}

    def value(self, reached: Reached) -> exp.Expr:
        """Return a field's value, joining what leads to it."""
        from sqlglot import exp

        found = self._at(self._fields.row(reached.dataset, reached.field), self._alias(reached.way))
        if isinstance(found, exp.Column | exp.Literal | exp.Func | exp.Paren):
            return found
        return exp.Paren(this=found)

    def _number(self, reached: Reached) -> exp.Expr:
        """Return a field's value; in SQLite, whose columns hold any type, no text as a number.

        SQLite would add a text as the number that it begins with, or as 0.
        """
        from sqlglot import exp

        value = self.value(reached)
        if self.days.dialect != "sqlite" or reached.field.datatype not in _NUMBERS:
            return value
        kind = exp.Anonymous(this="typeof", expressions=[value.copy()])
        is_none = exp.In(this=kind, expressions=[exp.Literal.string(one) for one in _TEXTS])
        read = exp.Anonymous(this="number_of", expressions=[value.copy()])
        return exp.Case(ifs=[exp.If(this=is_none, true=read)], default=value)

    def bound(self, tree: exp.Expr) -> exp.Expr:
        """Return an expression over `dataset.field` with the values in their place."""
        from sqlglot import exp

        holder = exp.Paren(this=tree.copy())
        for column in columns(holder):
            column.replace(self._number(self._joins.reach(self.base, column_parts(column))))
        found = holder.this
        found.pop()
        return safe_divisions(exp.Paren(this=found)).this

    def day(self, reached: Reached) -> exp.Expr:
        """Return the day of a date or timestamp."""
        field = reached.field
        return self.days.day(self.value(reached), field.datatype, field.time_zone)

    def own_filter(self) -> exp.Expr | None:
        """Return the condition that the rows of the dataset itself must meet, or None."""
        return self._row_filter(self._model.datasets[self.base], "gw_t0")

    def select(self, *what: exp.Expr) -> exp.Select:
        """Return a SELECT over the rows, with all joins that have been needed so far."""
        from sqlglot import exp

        found = exp.select(*what, copy=False).from_(self._table(self.base, "gw_t0"), copy=False)
        for way, alias in self._aliases.items():
            if len(way) == 0:
                continue
            one = self._model.relationships[way[-1]]
            before = self._aliases[way[:-1]]
            conditions: list[exp.Expr] = [
                exp.EQ(
                    this=self._key(one.many, many, before),
                    expression=self._key(one.one, to, alias),
                )
                for many, to in zip(one.many_columns, one.one_columns, strict=True)
            ]
            own = self._row_filter(self._model.datasets[one.one], alias)
            if own is not None:
                conditions.append(own)
            nodes.join(found, self._table(one.one, alias), nodes.all_of(conditions), "LEFT")
        return found

    def key(self, name: str) -> exp.Expr:
        """Return a column of the dataset itself, or the field of that name."""
        return self._key(self.base, name, "gw_t0")

    def joined(self) -> set[int]:
        """Return the relationships that have been needed so far, by their place in the model."""
        return {way[-1] for way in self._aliases if len(way) > 0}

    def _alias(self, way: Way) -> str:
        if way not in self._aliases:
            self._alias(way[:-1])
            self._aliases[way] = f"gw_t{len(self._aliases)}"
        return self._aliases[way]

    def _at(self, tree: exp.Expr, alias: str) -> exp.Expr:
        """An expression over columns of a table, with the table's alias before each."""
        from sqlglot import exp

        if isinstance(tree, exp.Column) and isinstance(tree.this, exp.Identifier):
            # What most fields are; a copy by sqlglot costs ten times as much.
            name = exp.Identifier(this=tree.this.this, quoted=tree.this.args.get("quoted"))
            return exp.Column(this=name, table=exp.Identifier(this=alias, quoted=False))
        holder = exp.Paren(this=tree.copy())
        for column in columns(holder):
            column.set("table", exp.Identifier(this=alias, quoted=False))
        found = holder.this
        found.pop()
        return found

    def _key(self, dataset: str, name: str, alias: str) -> exp.Expr:
        from sqlglot import exp

        field = self._model.datasets[dataset].fields.get(name)
        if field is not None:
            return self._at(self._fields.row(dataset, field), alias)
        return exp.Column(this=identifier(name), table=exp.Identifier(this=alias, quoted=False))

    def _row_filter(self, dataset: Dataset, alias: str) -> exp.Expr | None:
        from sqlglot import exp

        if not dataset.row_filter:
            return None
        condition = self._fields.condition(dataset, dataset.row_filter, "")
        return exp.Paren(this=self._at(condition, alias))

    def _table(self, dataset: str, alias: str) -> exp.Table:
        from sqlglot import exp

        parts = source_parts(self._model.datasets[dataset].source)
        names = [identifier(part) for part in reversed(parts)]
        found = exp.Table(this=names[0])
        if len(names) > 1:
            found.set("db", names[1])
        if len(names) > 2:
            found.set("catalog", names[2])
        found.set("alias", exp.TableAlias(this=exp.Identifier(this=alias, quoted=False)))
        return found
