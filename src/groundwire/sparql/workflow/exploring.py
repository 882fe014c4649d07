"""Step 2: which types of entity a graph has, and how many of each; kept for a while."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.graph.terms import Term
from groundwire.sparql.outcome import Outcome
from groundwire.sparql.workflow.model import Source
from groundwire.sparql.workflow.queries import USUAL_TYPES, types_query
from groundwire.sparql.workflow.sources import text_of

_KEPT_SECONDS = 600.0
_MOST_TYPES = 20
_MOST_KEPT = 200


@dataclass(frozen=True, slots=True)
class TypeCount:
    """A type with the number of its entities."""

    iri: str
    count: int


@dataclass(frozen=True, slots=True)
class Exploration:
    """What a graph has of the types that matter.

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
        """The types in a few words."""
        return ", ".join(f"{local_name(one.iri)} {one.count:,}" for one in self.counts[:6])


class _Explorer:
    """Explores, and remembers what it found."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str, tuple[str, ...]], tuple[float, Exploration]] = {}

    def cached(self, source: Source, types: Sequence[str]) -> Exploration | None:
        """What was found a while ago, or None."""
        kept = self._kept.get(self._key(source, types))
        if kept is None or time.monotonic() - kept[0] > _KEPT_SECONDS:
            return None
        return kept[1]

    async def __call__(
        self, source: Source, types: Sequence[str], timeout: float
    ) -> tuple[Exploration, Outcome]:
        """Count the entities of some types, or of the usual ones."""
        wanted = tuple(types) or USUAL_TYPES
        outcome = await source.select(types_query(wanted, _MOST_TYPES), _MOST_TYPES, timeout)
        explored = Exploration(tuple(counted(outcome)))
        if outcome.status in ("complete", "empty"):
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            self._kept[self._key(source, types)] = (time.monotonic(), explored)
        return explored, outcome

    @staticmethod
    def _key(source: Source, types: Sequence[str]) -> tuple[str, str, tuple[str, ...]]:
        return (source.endpoint.name, source.endpoint.url, tuple(types))


explore = _Explorer()


def counted(outcome: Outcome) -> list[TypeCount]:
    """Types and numbers of a types query."""
    found: list[TypeCount] = []
    for row in outcome.rows:
        cells = dict(zip(outcome.columns, row, strict=False))
        type_, count = cells.get("type"), text_of(cells.get("count"))
        if isinstance(type_, Term) and type_.kind == "iri" and count.isdigit():
            found.append(TypeCount(type_.value, int(count)))
    return found


def local_name(iri: str) -> str:
    """The last part of an IRI."""
    return iri.rstrip("/#").replace("#", "/").rpartition("/")[2] or iri
