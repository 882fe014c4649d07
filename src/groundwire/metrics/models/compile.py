"""Table queries on a semantic model become SQL of one dialect."""

from __future__ import annotations

from collections.abc import Collection

from groundwire.errors import InputError, NotFoundError
from groundwire.metrics.models.compilation import Compilation
from groundwire.metrics.models.compiled import AskSpan, Compiled
from groundwire.metrics.models.day_sql import DaySql
from groundwire.metrics.models.expressions import DIALECTS
from groundwire.metrics.models.joins import Joins, ManyWaysError, NoWayError
from groundwire.metrics.models.measures import Measures
from groundwire.metrics.models.metric_trees import Collected, MetricTrees
from groundwire.metrics.models.rows import FieldSql
from groundwire.metrics.models.semantic import SemanticModel
from groundwire.metrics.models.spans import GRAINS, Grain, RowPeriods
from groundwire.metrics.table.query import TableQuery


class Compiler:
    """Compiles queries on one model for one dialect; threads may share it."""

    def __init__(self, model: SemanticModel, dialect: str, withheld: Collection[str] = ()) -> None:
        """Take the model, the dialect, and the levels whose fields and metrics are not offered.

        Raises:
            InputError: queries cannot be written in that dialect.
        """
        if dialect not in DIALECTS:
            raise InputError(f"No such dialect as {dialect[:40]!r}: use {', '.join(DIALECTS)}")
        self.model = model
        self.dialect = dialect
        self.withheld = frozenset(withheld)
        self.joins = Joins(model)
        self.days = DaySql(dialect)
        self.fields = FieldSql(model, self.joins, dialect)
        self.measures = Measures(model, self.joins, dialect)
        self.trees = MetricTrees(model, self.measures, dialect)
        month, day = model.fiscal_year_start.split("-")
        self.fiscal = (int(month), int(day))

    def compile(self, query: TableQuery, ask_span: AskSpan | None = None) -> Compiled:
        """Write a query as SQL.

        Args:
            query: the query.
            ask_span: asks for the first and last day of rows, which cumulative metrics need where
                the query names no period.

        Raises:
            AmbiguousQueryError: a dimension is reached in several ways, or in none.
            InputError: the query cannot be asked of this model.
        """
        return Compilation(self, query, ask_span).compiled()

    def grain(self, query: TableQuery) -> Grain:
        """Return the grain of a query on the model's calendar.

        Years, halves and quarters are the fiscal year's where one of the query's periods is.

        Raises:
            InputError: the grain does not exist, or none is named.
        """
        text = str(query.grain or "")
        unit = text.removeprefix("fiscal_")
        if unit not in GRAINS:
            said = f"{text[:40]!r} is no grain" if text else "The period needs a grain"
            raise InputError(f"{said}: use one of {', '.join(GRAINS)}")
        fiscal = text != unit or any(one.fiscal for one in query.periods)
        month, day = self.fiscal if fiscal else (1, 1)
        return Grain(unit, self.model.week_start, month, day)

    def periods(self, query: TableQuery) -> RowPeriods:
        """Return what tells the periods that rows of a query's answer are of."""
        grain = self.grain(query) if "period" in query.by else None
        return RowPeriods(query, grain, self.fiscal)

    def is_open(self, dataset: str, name: str) -> bool:
        """Return whether a field may be read."""
        return self.model.datasets[dataset].fields[name].level not in self.withheld

    def is_offered(self, name: str) -> bool:
        """Return whether a metric may be asked for: neither it nor what it reads is withheld."""
        if not self.withheld:
            return True
        collected = Collected()
        try:
            self.trees.tree(name, collected)
            return not self._withheld_part(name, (), collected)
        except (InputError, NotFoundError, ManyWaysError, NoWayError):
            return False

    def _withheld_part(self, name: str, above: tuple[str, ...], collected: Collected) -> bool:
        from groundwire.metrics.models.expressions import column_parts, columns, parse

        metric = self.model.metrics[name]
        if metric.level in self.withheld:
            return True
        if any(self._withheld_part(one.name, (*above, name), collected) for one in metric.inputs):
            return True
        if above:
            return False
        for rowset, measures in collected.rowsets.items():
            trees = [parse(measure.sql, "") for measure in measures]
            for text, dataset in rowset.filters:
                trees.append(self.measures.qualified(text, dataset))
            for tree in trees:
                for column in columns(tree):
                    reached = self.joins.reach(rowset.base, column_parts(column))
                    if not self.is_open(reached.dataset, reached.field.name):
                        return True
        return False
