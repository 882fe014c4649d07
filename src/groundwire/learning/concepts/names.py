"""Which concept a written name stands for: exactly, folded or by an alias, never by likeness."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from groundwire.learning.concepts.graph import Graph, Node
from groundwire.safe_text import safe_line
from groundwire.vocabulary.fold import fold

How = Literal["exact", "folded", "alias", "ambiguous", "unknown"]

LONGEST_NAME = 200
"""Characters beyond which a text is no name, and is not searched for."""

_MOST_CANDIDATES = 5
# Names that are compared in full; they are chosen by a likeness that is computed quickly.
_MOST_COMPARED = 200


@dataclass(frozen=True, slots=True)
class Named:
    """The node that a written name stands for, or its candidates.

    Attributes:
        raw: what was sent.
        how: the step that decided; `ambiguous` and `unknown` have no node.
        node: the node, or None.
        candidates: nodes that may have been meant: those that share the name, or near ones.
    """

    raw: str
    how: How
    node: Node | None = None
    candidates: tuple[Node, ...] = ()


def clean_name(text: str) -> str:
    """Return a name on one line without characters that act or are not seen."""
    return safe_line(text)


def find_named(graph: Graph, raw: str) -> Named:
    """Return the node that a handle or a name stands for; near names are not looked for."""
    sent = clean_name(raw) if len(raw) <= 8 * LONGEST_NAME else ""
    if not sent or len(sent) > LONGEST_NAME:
        return Named(raw, "unknown")
    by_id = graph.node(sent)
    if by_id is not None:
        return Named(raw, "exact", by_id)
    folded = fold(sent)
    found = tuple(graph.named(folded))
    if found:
        return _one(raw, "exact" if found[0].name == sent else "folded", found)
    return _one(raw, "alias", tuple(graph.also_named(folded)))


def _one(raw: str, how: How, found: tuple[Node, ...]) -> Named:
    if len(found) == 1:
        return Named(raw, how, found[0])
    return Named(raw, "ambiguous" if found else "unknown", candidates=found[:_MOST_CANDIDATES])


def resolve_concept(graph: Graph, raw: str) -> Named:
    """Return the node that a handle or a name stands for, or near ones as candidates.

    Args:
        graph: where to look.
        raw: what was sent.
    """
    found = find_named(graph, raw)
    if found.how != "unknown":
        return found
    return Named(raw, "unknown", candidates=near_names(graph, raw))


def near_names(graph: Graph, raw: str) -> tuple[Node, ...]:
    """Return nodes whose names are like a text, best first; these are only ever offered."""
    sent = clean_name(raw) if len(raw) <= 8 * LONGEST_NAME else ""
    if not sent or len(sent) > LONGEST_NAME:
        return ()
    from rapidfuzz import fuzz, process

    from groundwire.vocabulary.terms import Term
    from groundwire.vocabulary.vocabulary import Vocabulary

    folded = graph.folded_names()
    likely = process.extract(fold(sent), folded, scorer=fuzz.ratio, limit=_MOST_COMPARED)
    nodes = {node_id: graph.node(node_id) for _, _, node_id in likely}
    terms = [Term(key, one.name, one.aliases) for key, one in nodes.items() if one is not None]
    offered = Vocabulary(terms).suggest(sent, _MOST_CANDIDATES)
    return tuple(one for c in offered if (one := nodes[c.term.id]) is not None)
