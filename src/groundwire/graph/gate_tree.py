"""Ways through the parse trees of rdflib."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast


def plain_predicate(node: Any) -> str:
    """The IRI of a predicate that is written as one, else empty."""
    from rdflib import URIRef

    # It is a path of one step that has one alternative.
    for name in ("PathAlternative", "PathSequence", "PathElt"):
        part = node.part if getattr(node, "name", "") == name else None
        if part is None or (name == "PathElt" and node.mod):
            return ""
        node = part if name == "PathElt" else part[0] if len(part) == 1 else None
    return str(node) if isinstance(node, URIRef) else ""


def plain_string(node: Any) -> str | None:
    """The text of a string literal without language and datatype."""
    if getattr(node, "name", "") != "literal" or node.lang or node.datatype:
        return None
    return str(node.string)


def is_nested(aggregate: Any) -> bool:
    """Whether an aggregate stands within this one; those of its groups and sub-queries aside."""
    below = nodes(list(aggregate.values()), without=("GroupGraphPatternSub", "SubSelect"))
    return any(node.name.startswith("Aggregate_") for node in below)


def nodes(root: object, without: Sequence[str] = ()) -> Iterator[Any]:
    """Every node of a parse tree, wherever it stands; not those below nodes named in `without`."""
    from pyparsing import ParseResults
    from rdflib.plugins.sparql.parserutils import CompValue

    pending: list[Any] = [root]
    while pending:
        node = pending.pop()
        if isinstance(node, CompValue):
            if node.name in without:
                continue
            yield node
            pending.extend(cast("dict[str, Any]", node).values())
        elif isinstance(node, (list, tuple, ParseResults)):
            pending.extend(cast("Sequence[Any]", node))
        elif isinstance(node, dict):
            pending.extend(cast("dict[Any, Any]", node).values())
