"""Lists of the parts of tables: metrics, dimensions and their values, of both stores."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from groundwire.errors import InputError
from groundwire.metrics.results import DimensionValue, MetricItem
from groundwire.metrics.table.query import PERIOD, Dimension, TableMetric
from groundwire.metrics.table.stores import StoreName, Tables
from groundwire.metrics.wording import listed
from groundwire.vocabulary import Policy, Term, Vocabulary, fold

MOST_VALUES = 2_000
_MOST_ALIASES = 8


class Chosen(NamedTuple):
    """A metric with its store."""

    store: StoreName
    metric: TableMetric


def warehouse_metrics(tables: Tables, search: str) -> list[tuple[str, TableMetric]]:
    """Return the metrics of the warehouse by what they are asked for by, those that match first."""
    every = [(name, one) for name, (store, one) in tables.metrics.items() if store == "warehouse"]
    if not search.strip() or not every:
        return every
    wanted = fold(search)
    return [
        (name, one)
        for name, one in every
        if any(wanted in fold(text) for text in (name, one.label, one.definition, *one.aliases))
    ]


def warehouse_item(name: str, metric: TableMetric) -> MetricItem:
    """Return a metric of the warehouse in the form of the list."""
    return MetricItem(
        code=name,
        label=metric.label,
        unit=metric.unit,
        aliases=list(metric.aliases[:_MOST_ALIASES]),
        grains=list(metric.grains),
        definition=metric.definition or None,
        dimensions=list(metric.dimensions),
        label_de=metric.labels.get("de"),
        store="warehouse",
    )


def metric_of(tables: Tables, raw: str) -> Chosen:
    """Return the metric that a text names.

    Raises:
        InputError: it names none, or several.
    """
    found = tables.metric(raw)
    if found.term is None:
        near = listed([one.term.label for one in found.candidates], 3)
        hint = f"near to it: {near}" if near else "list_metrics has them"
        problem = "may be several metrics" if found.how == "ambiguous" else "is no metric"
        raise InputError(f"{raw[:80]!r} {problem}; {hint}.")
    return Chosen(*tables.metrics[found.term.id])


def dimension_of(tables: Tables, chosen: Chosen | None, raw: str) -> str:
    """Return the code of the dimension that a text names.

    Raises:
        InputError: the metric, or any, has no such dimension; the message has them all.
    """
    every = {one.code: one for one in _dimensions(tables, chosen)}
    vocabulary = Vocabulary(
        Term(one.code, one.label, (one.code.rpartition(".")[2], *one.aliases))
        for one in every.values()
    )
    found = vocabulary.resolve(raw, Policy.CANDIDATES_ONLY)
    if found.term is None:
        names = listed([one.term.id for one in found.candidates] or [*every], 30)
        told = "may be any of" if found.how == "ambiguous" else "is no dimension: there is"
        raise InputError(f"{raw[:80]!r} {told} {names}.")
    return found.term.id


def _dimensions(tables: Tables, chosen: Chosen | None) -> Iterable[Dimension]:
    if chosen is not None:
        found = list(tables.dimensions(chosen.store, (chosen.metric,)))
    else:
        found = [*tables.facts.dimensions()]
        found += [*tables.warehouse.dimensions()] if tables.warehouse is not None else []
    has_time = chosen is None or bool(chosen.metric.grains)
    if has_time and all(one.code != PERIOD for one in found):
        found.append(Dimension(PERIOD, "Period", "time"))
    return found


def dimensions_of(tables: Tables, chosen: Chosen | None, search: str) -> list[DimensionValue]:
    """Return the dimensions of a metric, or all."""
    wanted = fold(search)
    return [
        DimensionValue(
            value=one.code,
            label=one.label,
            aliases=list(one.aliases[:_MOST_ALIASES]) or None,
            kind=one.kind,
        )
        for one in _dimensions(tables, chosen)
        if not wanted or any(wanted in fold(t) for t in (one.code, one.label, *one.aliases))
    ]


def stored_values(
    tables: Tables, chosen: Chosen | None, code: str, search: str
) -> list[DimensionValue]:
    """Return the stored values of a dimension, at most 2,000.

    Raises:
        UnavailableError: the store cannot be asked.
    """
    if chosen is not None:
        store: StoreName = chosen.store
    else:
        of_facts = any(one.code == code for one in tables.facts.dimensions())
        store = "facts" if of_facts else "warehouse"
    metric = chosen.metric.code if chosen else ""
    if store == "warehouse" and code == PERIOD:
        return []
    keys, _ = tables.store(store).values(code, metric, MOST_VALUES)
    wanted = fold(search)
    found = [(str(key), tables.called(store, code, key)) for key in keys if key is not None]
    return [
        DimensionValue(value=value, label=label)
        for value, label in found
        if not wanted or wanted in fold(value) or wanted in fold(label)
    ]
