"""The dimensions of facts: their codes, and which key of a row says what its values are of."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.metrics.table.query import Key

ENTITY = "entity"
CHANNEL = "channel"
PERIOD = "period"
GROUP = "group"
GEOGRAPHY = "geography"
KIND = "kind"
OF_ENTITIES = (ENTITY, GROUP, GEOGRAPHY, KIND)
"""Dimensions that say something of the entity of a fact."""

Keyed = tuple[str, Key]
"""A dimension and its key."""


class Places:
    """Where the keys of a row say what its values are of."""

    def __init__(self, by: Sequence[str], store: str) -> None:
        self._codes = [(place, code) for place, code in enumerate(by) if code != PERIOD]
        of_entities = [place for place, code in self._codes if code in OF_ENTITIES]
        if not of_entities and store != "facts":
            of_entities = [place for place, _ in self._codes]
        self._main = of_entities[0] if of_entities else None

    def keyed(self, keys: Sequence[Key]) -> tuple[Keyed, ...]:
        """Return the keys of a row but its period, each with its dimension."""
        return tuple([(code, keys[at]) for at, code in self._codes])

    def split(self, keyed: Sequence[Keyed]) -> tuple[Keyed | None, list[Keyed]]:
        """Return what the values of a row are of, and its other keys."""
        main, rest = None, list[Keyed]()
        for (place, _), one in zip(self._codes, keyed, strict=True):
            if place == self._main:
                main = one
            else:
                rest.append(one)
        return main, rest

    def without(self, code: str) -> bool:
        """Whether no key beside the one that the values are of is of a dimension."""
        return all(one != code or at == self._main for at, one in self._codes)
