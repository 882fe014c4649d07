"""Step 2: which types of entity a graph has, and by which predicates they say texts; cached."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from groundwire.graph.terms import Term
from groundwire.sparql.outcome import Outcome, text_of
from groundwire.sparql.workflow.model import Asked, Source
from groundwire.sparql.workflow.queries import (
    USUAL_TYPES,
    predicates_query,
    types_query,
    with_members,
)

KEPT_SECONDS = 600.0
_MOST_TYPES = 20
_MOST_PREDICATES = 20
_MOST_KEPT = 200
_Key = tuple[str | tuple[str, ...], ...]


class Types(NamedTuple):
    """Which types are explored.

    Attributes:
        types: IRIs; empty for the usual ones.
        names: what a type may be called too, where the endpoint has ontologies.
    """

    types: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TypeCount:
    """A type with the number of its entities; or a predicate with the number of its values."""

    iri: str
    count: int


@dataclass(frozen=True, slots=True)
class Exploration:
    """The types and predicates of a graph that matter.

    Attributes:
        counts: types with their numbers, the most first.
    """

    counts: tuple[TypeCount, ...] = ()

    @property
    def types(self) -> tuple[str, ...]:
        """IRIs of the types that have entities."""
        return tuple(one.iri for one in self.counts if one.count)

    @property
    def said(self) -> str:
        """The types in a few words; "" for none."""
        return ", ".join(f"{local_name(one.iri)} {one.count:,}" for one in self.counts[:6])


class Explorer:
    """Explores, and remembers for a while what it found at an endpoint."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Remember nothing yet; `clock` counts seconds."""
        self._clock = clock
        self._kept: dict[_Key, tuple[float, tuple[TypeCount, ...]]] = {}

    def known_types(self, source: Source, wanted: Types) -> Exploration | None:
        """Return what `types` found a while ago, or None."""
        kept = self._known(_key("types", source, *wanted))
        return None if kept is None else Exploration(kept)

    def known_predicates(self, source: Source, types: Sequence[str]) -> tuple[str, ...] | None:
        """Return what `predicates` found a while ago, or None."""
        kept = self._known(_key("predicates", source, types))
        return None if kept is None else tuple(one.iri for one in kept)

    async def types(
        self, source: Source, wanted: Types, timeout: float
    ) -> tuple[Exploration, Outcome]:
        """Count the entities of some types, or of the usual ones."""
        query = types_query(
            wanted.types or USUAL_TYPES, _MOST_TYPES, source.endpoint.ontologies, wanted.names
        )
        outcome = await source.select(query, _MOST_TYPES, timeout)
        found = tuple(counted(outcome))
        self._keep(_key("types", source, *wanted), found, outcome)
        return Exploration(found), outcome

    async def predicates(
        self, source: Source, types: Sequence[str], timeout: float
    ) -> tuple[tuple[str, ...], Outcome]:
        """The predicates by which entities of some types say texts, the most used first."""
        query = predicates_query(types, _MOST_PREDICATES)
        outcome = await source.select(query, _MOST_PREDICATES, timeout)
        found = tuple(counted(outcome, "predicate"))
        self._keep(_key("predicates", source, types), found, outcome)
        return tuple(one.iri for one in found), outcome

    def _known(self, key: _Key) -> tuple[TypeCount, ...] | None:
        kept = self._kept.get(key)
        if kept is None or self._clock() - kept[0] > KEPT_SECONDS:
            return None
        return kept[1]

    def _keep(self, key: _Key, found: tuple[TypeCount, ...], outcome: Outcome) -> None:
        # What was cut short is no knowledge of the graph.
        if outcome.status in ("complete", "empty"):
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            self._kept[key] = (self._clock(), found)


def searched(asked: Asked, explored: Exploration) -> tuple[str, ...]:
    """Types that an answer may have: those asked for, or the usual ones with what is in them."""
    if asked.entity_types:
        return explored.types or asked.entity_types
    return with_members(explored.types)


def _key(kind: str, source: Source, *parts: Sequence[str]) -> _Key:
    return (kind, source.endpoint.name, source.endpoint.url, *(tuple(part) for part in parts))


explore = Explorer()


def counted(outcome: Outcome, column: str = "type") -> list[TypeCount]:
    """IRIs and numbers of a query that counts."""
    found: list[TypeCount] = []
    for row in outcome.rows:
        cells = dict(zip(outcome.columns, row, strict=False))
        type_, count = cells.get(column), text_of(cells.get("count"))
        if isinstance(type_, Term) and type_.kind == "iri" and count.isdigit():
            found.append(TypeCount(type_.value, int(count)))
    return found


def local_name(iri: str) -> str:
    """The last part of an IRI."""
    return iri.rstrip("/#").replace("#", "/").rpartition("/")[2] or iri
