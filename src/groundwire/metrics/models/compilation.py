"""One table query on its way to SQL: each measure at its own grain, joined on the keys.

Every rowset is one subquery that groups its own rows; where there are several, their results are
put under one another and grouped by the keys again, which joins them whether or not a key is empty
and whatever the engine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from groundwire.errors import InputError, NotFoundError
from groundwire.metrics.models import nodes
from groundwire.metrics.models.compiled import AskSpan, Compiled, Output, Span, UnreachableError
from groundwire.metrics.models.expressions import ExpressionError, literal
from groundwire.metrics.models.joins import ManyWaysError, NoWayError, Reached, day_field
from groundwire.metrics.models.measures import Collected, Rowset
from groundwire.metrics.models.rows import safe_divisions
from groundwire.metrics.models.rowset_sql import RowsetSql, Settled
from groundwire.metrics.models.spans import GRAINS, Ranges, length, ranges_of
from groundwire.metrics.table.query import CHANGES, AmbiguousQueryError, TableQuery

if TYPE_CHECKING:
    from sqlglot import exp

    from groundwire.metrics.models.warehouse import Compiler

MOST_OFFSET = 1_000_000
MOST_LIMIT = 100_000


class Compilation:
    """One query on its way."""

    def __init__(self, compiler: Compiler, query: TableQuery, ask_span: AskSpan | None) -> None:
        self.compiler = compiler
        self.query = query
        self.ask_span = ask_span
        self.joins = compiler.joins
        self.days = compiler.days
        self.ranges: Ranges = ranges_of(query.periods, compiler.fiscal)
        self.grain = compiler.grain(query) if query.grain or "period" in query.by else None
        self.collected = Collected()
        self.plan: list[str] = []
        self._spans: dict[str, Span] = {}
        self._written: dict[Rowset, RowsetSql] = {}
        self._check()

    def _check(self) -> None:
        query = self.query
        if not query.metrics:
            raise InputError("No metric is asked for: name one")
        for what, names in (("metric", query.metrics), ("dimension", query.by)):
            twice = [name for name in names if names.count(name) > 1]
            if twice:
                raise InputError(f"The {what} {twice[0][:80]!r} is named twice: name it once")
        for name in query.metrics:
            if name not in self.compiler.model.metrics or not self.compiler.is_offered(name):
                raise InputError(f"The model has no metric {name[:80]!r}")
        if query.as_of is not None:
            raise InputError("A warehouse holds what is known now: leave as_of out")
        if not 0 < query.limit <= MOST_LIMIT or not 0 <= query.offset <= MOST_OFFSET:
            raise InputError(
                f"limit is 1 to {MOST_LIMIT:,}, offset is 0 to {MOST_OFFSET:,}: send such numbers"
            )

    def compiled(self) -> Compiled:
        """Return the query as SQL.

        Raises:
            AmbiguousQueryError: a dimension is reached in several ways, or in none.
            InputError: the query cannot be asked of this model.
        """
        from sqlglot import exp

        query = self.query
        try:
            trees = [self.compiler.trees.tree(name, self.collected) for name in query.metrics]
            self._add_anchors()
            before: list[exp.Expr] = []
            if query.compare:
                back = self._back()
                before = [
                    self.compiler.trees.tree(name, self.collected, (back,))
                    for name in query.metrics
                ]
        except ExpressionError as problem:
            raise InputError(f"The model cannot answer this: {problem}") from None
        self._written = {one: self._rowset_sql(one) for one in self.collected.rowsets}
        try:
            parts = [
                (rowset, self._written[rowset].select(measures))
                for rowset, measures in self.collected.rowsets.items()
            ]
        except ExpressionError as problem:
            raise InputError(f"The model cannot answer this: {problem}") from None
        keys = [f"k{at}" for at in range(len(query.by))]
        measured = [name for known in self.collected.rowsets.values() for name in known.values()]
        ctes: list[tuple[str, exp.Expr]] = []
        for at, (_, rowset_sql) in enumerate(parts):
            ctes += [*rowset_sql.needed, (f"gw_g{at}", rowset_sql.select)]
        joined = "gw_g0" if len(parts) == 1 else "gw_r"
        if len(parts) > 1:
            ctes += self._joined(keys, measured, [rowset for rowset, _ in parts])
        values = self._values(trees, "v")
        values_before = self._values(before, "b")
        computed = [(name, tree) for name, tree in (*values, *values_before) if name[0] != "c"]
        inner = exp.select(
            *(nodes.column(name) for name in (*keys, *measured)),
            *(
                nodes.named(safe_divisions(exp.Paren(this=tree.copy())).this, name)
                for name, tree in computed
            ),
            copy=False,
        ).from_(nodes.table(joined), copy=False)
        names = [*keys, *measured, *(name for name, _ in computed)]
        outer = exp.select(
            *(nodes.column(name) for name in names),
            nodes.named(exp.Window(this=exp.Count(this=exp.Star())), "n"),
            copy=False,
        ).from_(nodes.table("gw_f"), copy=False)
        outer = self._having(outer, values)
        outer = outer.order_by(*self._order(keys, values, values_before), copy=False)
        outer = outer.limit(query.limit, copy=False)
        if query.offset:
            outer = outer.offset(query.offset, copy=False)
        # SQLite runs a subquery again for each row that it is joined to, unless it is told.
        kept = self.compiler.dialect == "sqlite"
        outer = nodes.with_tables(outer, (*ctes, ("gw_f", inner)), kept=kept)
        places = {name: at for at, name in enumerate(names)}
        return Compiled(
            outer.sql(self.compiler.dialect, copy=False, comments=False, normalize_functions=False),
            tuple(self._key_kind(one) for one in query.by),
            tuple(self._output(name, tree, places) for name, tree in values),
            tuple(self._output(name, tree, places) for name, tree in values_before),
            self._sources(),
            tuple(dict.fromkeys(self.plan)),
            tuple(sorted(set[int]().union(*(one.joined() for one in self._written.values())))),
        )

    def _values(self, trees: Sequence[exp.Expr], letter: str) -> list[tuple[str, exp.Expr]]:
        """Names of columns with what they are; a bare measure is its own column."""
        from sqlglot import exp

        found: list[tuple[str, exp.Expr]] = []
        for at, tree in enumerate(trees):
            bare = tree.unnest()
            name = bare.name if isinstance(bare, exp.Column) else f"{letter}{at}"
            found.append((name, tree))
        return found

    @staticmethod
    def _output(name: str, tree: exp.Expr, places: Mapping[str, int]) -> Output:
        from sqlglot import exp

        if name.startswith("c"):
            return Output(places[name], None, {})
        parts = {column.name: places[column.name] for column in tree.find_all(exp.Column)}
        return Output(places[name], tree, parts)

    def _add_anchors(self) -> None:
        """Rows stand where something that is not read from earlier stands."""
        now = [rowset for rowset in self.collected.rowsets if not rowset.offsets]
        if not now:
            for rowset in list(self.collected.rowsets):
                self.collected.rowsets.setdefault(replace(rowset, offsets=()), {})
            return
        # A metric that is read from earlier alone has rows of its own.
        for name in self.query.metrics:
            own = Collected()
            self.compiler.trees.tree(name, own)
            if all(rowset.offsets for rowset in own.rowsets):
                for rowset in own.rowsets:
                    self.collected.rowsets.setdefault(replace(rowset, offsets=()), {})

    def _back(self) -> tuple[int, str]:
        """How far back `compare` looks."""
        query = self.query
        if query.compare not in ("previous_period", "previous_year"):
            raise InputError("compare is previous_period or previous_year")
        timed = "period" in query.by
        if not timed and not self.ranges:
            raise InputError("compare needs a period, or a breakdown by period: name one")
        if query.compare == "previous_year":
            if timed and self.grain is not None and self.grain.unit == "week":
                self.plan.append("The week a year before is the one 52 weeks before.")
                return 52, "week"
            return 1, "year"
        if timed and self.grain is not None:
            return 1, self.grain.unit
        return length(self.ranges[0][0], self.ranges[0][1])

    def _rowset_sql(self, rowset: Rowset) -> RowsetSql:
        moment = self._time_among_keys() or "period"
        settled = Settled(
            number=list(self.collected.rowsets).index(rowset),
            by=tuple(
                None if one == "period" else self._reach(rowset.base, one, "by")
                for one in self.query.by
            ),
            conditions=tuple(
                (one, self._reach(rowset.base, one.dimension, "where"))
                for one in self.query.conditions
            ),
            ranges=self.ranges,
            grain=self.grain,
            time=self._time(rowset),
            moment=self.query.by.index(moment) if moment in self.query.by else None,
        )
        self._tell(rowset, settled.time)
        return RowsetSql(self.compiler, rowset, settled, self._days_there)

    def _tell(self, rowset: Rowset, time: Reached | None) -> None:
        said = f"Rows of {rowset.base}"
        if time is not None and (self.grain is not None or self.ranges):
            said += f", placed in time by {self.joins.code(rowset.base, time.way, time.field.name)}"
        if rowset.filters:
            said += f", where {' and '.join(text for text, _ in rowset.filters)}"
        if rowset.semi:
            said += f", of the {rowset.semi[1]} day that there is"
        if rowset.cumulative:
            window = f"the last {rowset.window[0]} {rowset.window[1]}s" if rowset.window else ""
            to_date = f"the {rowset.to_date} to date" if rowset.to_date else "all up to then"
            said += f", {window or to_date}"
        for count, unit in rowset.offsets:
            said += f", {count} {unit}{'s' if count != 1 else ''} earlier"
        self.plan.append(f"{said}.")

    def _time(self, rowset: Rowset) -> Reached | None:
        """The field that places rows in time; None where nothing of the query needs it."""
        needed = bool(
            self.ranges or rowset.offsets or rowset.cumulative or "period" in self.query.by
        )
        own = self._time_among_keys()
        if own:
            return self._reach(rowset.base, own, "by")
        if not needed and rowset.semi is None:
            return None
        try:
            found = day_field(self.compiler.model, self.joins, rowset.base, rowset.time)
        except ManyWaysError as ways:
            raise AmbiguousQueryError(
                f"{rowset.base} has several times: break down by one of {', '.join(ways.codes)}",
                "by",
                "period",
                list(zip(ways.codes, ways.labels, strict=True)),
            ) from None
        except NoWayError as problem:
            raise UnreachableError(
                f"{rowset.base} has no time ({problem}): leave period and compare out",
                "by" if "period" in self.query.by else "period",
                "period",
                (),
            ) from None
        finest = found.field.grain if found.field.grain in GRAINS else "day"
        if self.grain is not None and GRAINS.index(finest) > GRAINS.index(self.grain.unit):
            raise InputError(
                f"{found.field.name} has no {self.grain.unit}s: its finest grain is {finest}"
            )
        return found

    def _time_among_keys(self) -> str:
        """The one time among the keys, where it is what the grain is about; else ""."""
        if self.query.grain is None or "period" in self.query.by:
            return ""
        found = [one for one in self.query.by if self._key_kind(one) == "date"]
        return found[0] if len(found) == 1 else ""

    def _key_kind(self, code: str) -> str:
        if code == "period":
            return "date"
        start, *roles, name = code.split(".")
        try:
            end = self.joins.dataset(start).name
            for role in roles:
                end = self.joins.end(end, role)
            kind = self.joins.field(self.joins.dataset(end), name).datatype
        except (NotFoundError, ValueError):
            return ""
        if kind == "date":
            return "date"
        cut = self.query.grain is not None and "period" not in self.query.by
        return "date" if kind == "timestamp" and cut else kind

    def _reach(self, base: str, code: str, param: str) -> Reached:
        parts = code.split(".")
        try:
            if len(parts) < 2:
                raise NotFoundError(f"{code[:80]!r} is no dimension: write dataset.field")
            found = self.joins.reach(base, parts)
        except NotFoundError as problem:
            raise InputError(f"{str(problem)[:1].upper()}{str(problem)[1:]}") from None
        except ManyWaysError as ways:
            raise AmbiguousQueryError(
                f"{code} can be reached in several ways: send one of {', '.join(ways.codes)}",
                param,
                code,
                list(zip(ways.codes, ways.labels, strict=True)),
            ) from None
        except NoWayError as problem:
            raise UnreachableError(
                f"{', '.join(self.query.metrics)[:160]} cannot be told by {code}: {problem}",
                param,
                code,
                self._shared(),
            ) from None
        if not self.compiler.is_open(found.dataset, found.field.name):
            raise InputError(f"The dataset {found.dataset} has no field {found.field.name!r}")
        return found

    def _shared(self) -> list[tuple[str, str]]:
        """Dimensions that all measures of the query have, as codes with labels, twenty at most."""
        from groundwire.metrics.models.offered import dimension_codes

        found: dict[str, str] | None = None
        for rowset in self.collected.rowsets:
            own = dimension_codes(self.compiler, rowset.base)
            found = own if found is None else {one: found[one] for one in found if one in own}
        return list((found or {}).items())[:20]

    def _joined(
        self, keys: Sequence[str], measured: Sequence[str], rowsets: Sequence[Rowset]
    ) -> list[tuple[str, exp.Expr]]:
        """The results of all rowsets under one another, then grouped by the keys."""
        from sqlglot import exp

        anchored = any(rowset.offsets for rowset in rowsets)
        parts: list[exp.Expr] = []
        owner = {
            name: at
            for at, rowset in enumerate(rowsets)
            for name in self.collected.rowsets[rowset].values()
        }
        for at, rowset in enumerate(rowsets):
            columns: list[exp.Expr] = [nodes.column(key) for key in keys]
            for name in measured:
                if owner[name] == at:
                    columns.append(nodes.column(name))
                else:
                    columns.append(self._nothing(name, owner[name], first=at == 0))
            if anchored or not keys:
                flag = exp.Literal.number(0 if rowset.offsets else 1)
                columns.append(nodes.named(flag, "a"))
            parts.append(
                exp.select(*columns, copy=False).from_(nodes.table(f"gw_g{at}"), copy=False)
            )
        union = parts[0]
        for part in parts[1:]:
            union = exp.Union(this=union, expression=part, distinct=False)
        grouped = exp.select(
            *(nodes.column(key) for key in keys),
            *(nodes.named(exp.Max(this=nodes.column(name)), name) for name in measured),
            copy=False,
        ).from_(nodes.table("gw_u"), copy=False)
        if keys:
            grouped = grouped.group_by(*(nodes.column(key) for key in keys), copy=False)
        if anchored or not keys:
            grouped = grouped.having(
                exp.EQ(this=exp.Max(this=nodes.column("a")), expression=exp.Literal.number(1)),
                copy=False,
            )
        return [("gw_u", union), ("gw_r", grouped)]

    def _nothing(self, name: str, owner: int, *, first: bool) -> exp.Expr:
        """NULL; PostgreSQL takes its type from the first two of three, which may have none."""
        from sqlglot import exp

        value: exp.Expr = exp.null()
        if first and self.compiler.dialect == "postgres":
            empty = exp.select(nodes.column(name), copy=False).from_(
                nodes.table(f"gw_g{owner}"), copy=False
            )
            value = exp.Subquery(this=empty.where(exp.false(), copy=False))
        return nodes.named(value, name)

    def _having(self, select: exp.Select, values: Sequence[tuple[str, exp.Expr]]) -> exp.Select:
        from sqlglot import exp

        for one in self.query.having:
            if one.dimension not in self.query.metrics or one.op != "range":
                raise InputError(f"having is about the query's metrics, not {one.dimension[:80]!r}")
            column = nodes.column(values[self.query.metrics.index(one.dimension)][0])
            for bound, included, kinds in (
                (one.low, one.low_included, (exp.GTE, exp.GT)),
                (one.high, one.high_included, (exp.LTE, exp.LT)),
            ):
                if bound is not None:
                    kind = kinds[0] if included else kinds[1]
                    right = literal(bound, self.days)
                    select = select.where(kind(this=column.copy(), expression=right), copy=False)
        return select

    def _order(
        self,
        keys: Sequence[str],
        values: Sequence[tuple[str, exp.Expr]],
        before: Sequence[tuple[str, exp.Expr]],
    ) -> list[exp.Expr]:
        from sqlglot import exp

        columns: dict[str, exp.Expr] = {
            name: nodes.column(key) for name, key in zip(self.query.by, keys, strict=True)
        }
        for at, name in enumerate(self.query.metrics):
            value = columns[name] = nodes.column(values[at][0])
            if before:
                for what in CHANGES:
                    one = _change(value, nodes.column(before[at][0]), what)
                    columns.setdefault(f"{name}.{what}", one)
        asked: list[tuple[exp.Expr, bool]] = []
        for one in self.query.order:
            if one.by not in columns:
                raise InputError(f"order_by {one.by[:80]!r} is neither a metric nor a key here")
            asked.append((columns[one.by], one.descending))
        chosen = {one.by for one in self.query.order}
        asked += [(columns[name], False) for name in self.query.by if name not in chosen]
        if not asked:
            asked = [(nodes.column(values[0][0]), False)]
        found: list[exp.Expr] = []
        kinds = {key: self._key_kind(one) for one, key in zip(self.query.by, keys, strict=True)}
        for what, descending in asked:
            kind = kinds.get(what.name) if isinstance(what, exp.Column) else None
            if self.compiler.dialect == "postgres" and kind == "string":
                what = exp.Collate(
                    this=what.copy(), expression=exp.Identifier(this="C", quoted=True)
                )
            found.append(exp.Ordered(this=what.copy(), desc=descending, nulls_first=False))
        return found

    def _sources(self) -> tuple[str, ...]:
        model = self.compiler.model
        return tuple(
            dict.fromkeys(model.datasets[one.base].source for one in self.collected.rowsets)
        )

    def _days_there(self) -> Ranges:
        """From the first to the last day that the query's tables have rows of; () without any.

        Raises:
            InputError: they are needed, and nobody can be asked.
        """
        found: list[tuple[date, date]] = []
        for written in self._written.values():
            if sql := written.span_sql():
                if self.ask_span is None:
                    raise InputError("Without a period the first day is not known: name a period")
                if sql not in self._spans:
                    self._spans[sql] = self.ask_span(sql)
                span = self._spans[sql]
                if span is not None:
                    found.append(span)
        if not found:
            return ()
        return ((min(low for low, _ in found), max(high for _, high in found)),)


def _change(value: exp.Expr, before: exp.Expr, what: str) -> exp.Expr:
    """Return the change of a value; in percent only from a value above zero."""
    from sqlglot import exp

    change = exp.Paren(this=exp.Sub(this=value.copy(), expression=before.copy()))
    if what == "change":
        return change
    above = exp.GT(this=before.copy(), expression=exp.Literal.number(0))
    quotient = exp.Div(this=nodes.cast(change, "DOUBLE"), expression=before.copy())
    return exp.Case(ifs=[exp.If(this=above, true=quotient)])
