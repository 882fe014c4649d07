"""`sh:path` expressions as the plain paths they stand for (SHACL, section 2.3.1)."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from groundwire.ontology.index.model import Step
from groundwire.ontology.index.namespaces import PATH, RDF, SH

if TYPE_CHECKING:
    from groundwire.ontology.index.triples import Graph

Steps = tuple[Step, ...]

_REPEATS = {
    SH + "zeroOrMorePath": "*",
    SH + "oneOrMorePath": "+",
    SH + "zeroOrOnePath": "?",
}
_MAX_ALTERNATIVES = 64
_MAX_DEPTH = 20


class PathError(ValueError):
    """A path expression that cannot be taken apart; the message says why."""


def read_paths(graph: Graph, shape: str) -> list[Steps]:
    """The paths of a property shape: one, or several where it has alternatives.

    Raises:
        PathError: the expression is broken, nested too deeply, stands for more than 64 paths, or
            repeats a group of steps.
    """
    found: list[Steps] = []
    for node in graph.objects(shape, PATH):
        found.extend(path for path in _read(graph, node.value, 0) if path not in found)
    return found


def _read(graph: Graph, node: str, depth: int) -> list[Steps]:
    if depth > _MAX_DEPTH:
        raise PathError("a path is nested more than 20 deep")
    if node in graph.first:
        parts = [_read(graph, item.value, depth + 1) for item in graph.items(node)]
        return _bounded([sum(choice, ()) for choice in product(*_bounded_product(parts))])
    for predicate, value in graph.triples.get(node, ()):
        if predicate == SH + "inversePath":
            return [_inverted(path) for path in _read(graph, value.value, depth + 1)]
        if predicate == SH + "alternativePath":
            found: list[Steps] = []
            for item in graph.items(value.value):
                found.extend(_read(graph, item.value, depth + 1))
            return _bounded(found)
        if predicate in _REPEATS:
            inner = _read(graph, value.value, depth + 1)
            if len(inner) != 1 or len(inner[0]) != 1 or inner[0][0].repeat:
                raise PathError("a path repeats a group of steps")
            return [(inner[0][0]._replace(repeat=_REPEATS[predicate]),)]
    if ":" not in node or node == RDF + "nil":
        raise PathError("a path expression is empty or of no known kind")
    return [(Step(node),)]


def _inverted(path: Steps) -> Steps:
    return tuple(step._replace(inverse=not step.inverse) for step in reversed(path))


def _bounded_product(parts: list[list[Steps]]) -> list[list[Steps]]:
    size = 1
    for part in parts:
        size *= len(part)
        if size > _MAX_ALTERNATIVES:
            raise PathError("a path stands for more than 64 alternatives")
    return parts


def _bounded(paths: list[Steps]) -> list[Steps]:
    if not paths:
        raise PathError("a path expression is empty or of no known kind")
    if len(paths) > _MAX_ALTERNATIVES:
        raise PathError("a path stands for more than 64 alternatives")
    return paths
