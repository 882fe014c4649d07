"""The names that questions for a table are read by: metrics, what is ranked, entities, values."""

from __future__ import annotations

import time
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from groundwire.language import NameIndex
from groundwire.language.places import other_names
from groundwire.metrics.names import sizes_of
from groundwire.metrics.table.query import CHANNEL, Dimension
from groundwire.metrics.table.question_parts import Name, tree
from groundwire.metrics.table.stores import Tables

if TYPE_CHECKING:
    from groundwire.metrics.factbase import State

_MOST_VALUES = 200
_KEPT_SECONDS = 300.0
_INDEXES: WeakKeyDictionary[Tables, NameIndex] = WeakKeyDictionary()
_WITH_VALUES: WeakKeyDictionary[Tables, tuple[float, NameIndex]] = WeakKeyDictionary()


def names_of(state: State) -> NameIndex:
    """Return every name of a metric, of what can be ranked, and of an entity; made once."""
    tables = state.tables
    if (known := _INDEXES.get(tables)) is None:
        known = _INDEXES[tables] = _made(_names(state))
    return known


def names_with_values(state: State) -> NameIndex:
    """Return those names with the stored values of the warehouse, read again every five minutes.

    Raises:
        UnavailableError: the warehouse cannot be asked.
    """
    tables, now = state.tables, time.monotonic()
    known = _WITH_VALUES.get(tables)
    if known is None or now - known[0] > _KEPT_SECONDS:
        known = _WITH_VALUES[tables] = (now, _made((*_names(state), *_values(tables))))
    return known[1]


def ranked(tables: Tables) -> list[Dimension]:
    """Return the dimensions of the warehouse whose values can be ranked."""
    found = tables.warehouse.dimensions() if tables.warehouse is not None else ()
    return [one for one in found if one.kind == "category"]


def _made(terms: Iterable[tuple[Name, Iterable[str]]]) -> NameIndex:
    index = NameIndex()
    for term, names in terms:
        for name in names:
            index.add(name, term)
    return index


def _names(state: State) -> Iterator[tuple[Name, Iterable[str]]]:
    tables, profile = state.tables, state.profile
    for code, (_, metric) in tables.metrics.items():
        yield Name("metric", code), (metric.label, metric.code, *metric.aliases)
        yield Name("verb", code), metric.verbs
    for dimension in ranked(tables):
        yield Name("noun", dimension.code), _called(dimension)
    for code, kind in profile.kinds.items():
        yield Name("noun", code), (code, kind.label, *kind.aliases, *_nouns().get(code, ()))
    own = profile.profile.channel_names
    yield Name("noun", CHANNEL), (*_questions()["dimensions"][CHANNEL], *own)
    for grain, names in tree()["grains"].items():
        yield Name("noun", grain), names
    for entity in profile.entities:
        yield Name("entity", entity.code), (entity.name, *entity.aliases)
    for one in profile.metrics:
        if one.unit in one.hinted_by:
            # "Most people" is the highest population: what a metric counts is its unit.
            yield Name("hint", one.code), one.hinted_by
        elif hints := sizes_of(one, profile, _nouns().get(one.kind, ())):
            yield Name("hint", one.code), hints


def _called(dimension: Dimension) -> tuple[str, ...]:
    """The names of a dimension, and its column's: "by reason" is by the column "reason"."""
    return (dimension.label, dimension.code.rpartition(".")[2], *dimension.aliases)


def _values(tables: Tables) -> Iterator[tuple[Name, Iterable[str]]]:
    """Stored values of text; a dimension of very many is left to single words."""
    assert tables.warehouse is not None
    for one in ranked(tables):
        values, are_all = tables.warehouse.values(one.code, "", _MOST_VALUES)
        for value in values if are_all else ():
            if isinstance(value, str) and value.strip():
                yield Name("value", one.code, value), (value, *other_names(value))


@cache
def _questions() -> Mapping[str, Any]:
    return tomllib.loads(files(__package__ or "").joinpath("questions.toml").read_text("utf-8"))


def _nouns() -> Mapping[str, Sequence[str]]:
    return _questions()["nouns"]
