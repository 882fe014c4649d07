"""Names for listed literals, from concepts that have the literal as their notation.

A list `( "DE" "FR" )` says nothing of Germany; a concept scheme beside it may: concepts with
`skos:notation "DE"` and labels (SKOS Reference, section 6). Schemes are matched to lists by what
they hold, so that "bicycle" among lanes is a cycle lane and among road users is a bicycle.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from groundwire.ontology.index.model import Text
from groundwire.ontology.index.namespaces import IN_SCHEME, NOTATION

if TYPE_CHECKING:
    from groundwire.ontology.index.schema import Schema
    from groundwire.ontology.index.triples import Graph


class Notations:
    """The concepts of all schemes by their notations."""

    def __init__(self, graph: Graph, schema: Schema) -> None:
        self._schema = schema
        self._schemes: dict[str, dict[str, list[str]]] = {}
        for concept, predicate, node in graph.watched:
            if predicate == NOTATION:
                for scheme in graph.values(concept, IN_SCHEME) or ("",):
                    held = self._schemes.setdefault(scheme, {})
                    held.setdefault(node.value, []).append(concept)

    def names(self, values: Sequence[str]) -> dict[str, tuple[Text, ...]]:
        """Labels by value, from the one scheme that fits the list; nothing where none does.

        A scheme fits if it has more than half of the values; of several the one that has most of
        them, then the one that has fewest others. Where two fit alike, neither is taken.
        """
        wanted = set(values)
        fits = sorted(
            (-len(wanted & held.keys()), len(held), scheme)
            for scheme, held in self._schemes.items()
            if 2 * len(wanted & held.keys()) > len(wanted)
        )
        if not fits or (len(fits) > 1 and fits[0][:2] == fits[1][:2]):
            return {}
        held = self._schemes[fits[0][2]]
        return {
            value: tuple(
                dict.fromkeys(
                    text for concept in held[value] for text in self._schema.labels(concept)
                )
            )
            for value in wanted & held.keys()
        }
