"""The view of a shape on its nodes: its paths, nested shapes and alternatives merged.

A view is flat: `sh:node`, `sh:and`, `sh:or`, `sh:xone` and `sh:qualifiedValueShape` are followed
at the same node, and each fact keeps under which circumstances it holds. What stands below
`sh:not`, or in a shape that is negated somewhere, is a guard: it tests values, so it declares
none.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from groundwire.ontology.index.model import Step
from groundwire.ontology.index.namespaces import PATH, RDF, SH, TARGET_CLASS

if TYPE_CHECKING:
    from groundwire.ontology.index.triples import Graph, Node


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


_PROPERTY = SH + "property"
_NODE = SH + "node"
_AND = SH + "and"
_NOT = SH + "not"
_QUALIFIED = SH + "qualifiedValueShape"
_DEACTIVATED = SH + "deactivated"
_COMBINED = (SH + "or", SH + "xone")
_IGNORED = {
    SH + "sparql": "sh:sparql",
    SH + "rule": "sh:rule",
    SH + "js": "sh:js",
    SH + "expression": "sh:expression",
    SH + "values": "sh:values",
}
_FACTS = frozenset(
    SH + name
    for name in (
        "datatype",
        "class",
        "in",
        "hasValue",
        "pattern",
        "languageIn",
        "nodeKind",
        "minInclusive",
        "maxInclusive",
        "minExclusive",
        "maxExclusive",
    )
)


# A shape that so many branches of others lead to at one node is entered no more.
_MOST_WAYS = 32
# The branches in which a shape was entered, by the shape and its other circumstances.
_Seen = dict[tuple[object, ...], set[tuple[tuple[str, int], ...]]]


class When(NamedTuple):
    """Under which circumstances a fact holds.

    Attributes:
        alternative: in one branch of several, or for some values only.
        conditional: a guard stands beside the branch.
        guard: it is a test, not a declaration.
        branches: the branches it stands in, as (list, position).
    """

    alternative: bool = False
    conditional: bool = False
    guard: bool = False
    branches: tuple[tuple[str, int], ...] = ()

    def below(self, outer: When) -> When:
        """These circumstances at the values of a property that has others itself.

        Branches are told apart at one node only.
        """
        if not (outer.alternative or outer.conditional or outer.guard):
            return self
        return When(
            self.alternative or outer.alternative,
            self.conditional or outer.conditional,
            self.guard or outer.guard,
            self.branches,
        )


ALWAYS = When()


class Fact(NamedTuple):
    """The constraints that one shape puts on the values themselves.

    `named` is the IRI of the nearest named shape.
    """

    shape: str
    constraints: tuple[tuple[str, Node], ...]
    when: When
    named: str = ""


class Declared(NamedTuple):
    """A property shape that applies at a node.

    Attributes:
        shape: the property shape.
        paths: its paths.
        owner: the shape that has it.
        inside: the node shapes that were entered on the way, from the outside in.
        named: IRI of the nearest named shape, for sources.
    """

    shape: str
    paths: list[Steps]
    owner: str
    inside: tuple[str, ...]
    named: str
    when: When


class Entered(NamedTuple):
    """A named node shape whose constraints hold at a node."""

    shape: str
    when: When


class View(NamedTuple):
    """Everything one shape says of its node."""

    facts: list[Fact]
    declared: list[Declared]
    entered: list[Entered]


class Views:
    """Views of the shapes of one graph, made once each."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._views: dict[str, View] = {}
        self._paths: dict[str, list[Steps]] = {}
        self._guards = _guards(graph)
        self._missing: set[str] = set()

    def of(self, shape: str, named: str = "") -> View:
        """The view of a shape; `named` stands for shapes without an IRI of their own."""
        view = self._views.get(shape)
        if view is None:
            view = View([], [], [])
            self._views[shape] = view
            self._enter(shape, view, _Place(ALWAYS, (), named), {})
        return view

    def _enter(self, shape: str, view: View, place: _Place, seen: _Seen) -> None:
        """Add a shape that applies to the node itself."""
        *alike, branches = place.when
        ways = seen.setdefault((shape, *alike), set())
        if branches in ways or len(ways) >= _MOST_WAYS:
            return
        ways.add(branches)
        if ":" in shape and shape != place.named:
            place = _Place(place.when, place.inside, shape)
        facts: list[tuple[str, Node]] = []
        nested: list[tuple[str, Node]] = []
        for pair in self._graph.triples.get(shape, ()):
            predicate, value = pair
            if predicate in _FACTS:
                facts.append(pair)
            elif predicate == _DEACTIVATED and value.value in ("true", "1"):
                return
            elif predicate.startswith(SH):
                nested.append(pair)
        if facts and not place.when.guard:
            view.facts.append(Fact(shape, tuple(facts), place.when, place.named))
        for predicate, value in nested:
            self._follow(shape, predicate, value.value, view, place, seen)

    def _follow(
        self,
        shape: str,
        predicate: str,
        target: str,
        view: View,
        place: _Place,
        seen: _Seen,
    ) -> None:
        if predicate == _PROPERTY:
            self._declare(target, shape, view, place)
        elif predicate == _NODE:
            self._step_into(target, shape, view, place, seen)
        elif predicate == _AND:
            for item in self._graph.items(target):
                self._step_into(item.value, shape, view, place, seen)
        elif predicate in _COMBINED:
            self._branch(shape, target, view, place, seen)
        elif predicate == _NOT:
            when = place.when._replace(guard=True)
            self._step_into(target, shape, view, place._replace(when=when), seen)
        elif predicate == _QUALIFIED:
            when = place.when._replace(alternative=True)
            self._step_into(target, shape, view, place._replace(when=when), seen)
        elif predicate in _IGNORED:
            name = place.named or "a shape"
            self._graph.ignore(shape, _IGNORED[predicate], name, "ignored")

    def _step_into(self, target: str, owner: str, view: View, place: _Place, seen: _Seen) -> None:
        """Follow a shape that is used inside another; it may be a property shape itself."""
        if self._is_property(target):
            self._declare(target, owner, view, place)
            return
        is_named = ":" in target and target != RDF + "nil"
        if is_named and target not in self._graph.triples and target not in self._missing:
            self._missing.add(target)
            self._graph.warn(owner, f"{target} is used as a shape, but no file describes it")
        if ":" in target:
            view.entered.append(Entered(target, place.when))
            place = place._replace(inside=(*place.inside, target))
        self._enter(target, view, place, seen)

    def _branch(self, shape: str, head: str, view: View, place: _Place, seen: _Seen) -> None:
        if any(head == other for other, _ in place.when.branches):
            # A shape that is a branch of itself adds nothing.
            return
        branches = [item.value for item in self._graph.items(head)]
        guards = [self._is_guard(branch) for branch in branches]
        for position, (branch, guard) in enumerate(zip(branches, guards, strict=True)):
            outer = place.when
            when = When(
                alternative=len(branches) > 1 or outer.alternative,
                conditional=any(guards) or outer.conditional,
                guard=guard or outer.guard,
                branches=(*outer.branches, (head, position)),
            )
            self._step_into(branch, shape, view, place._replace(when=when), seen)

    def _declare(self, shape: str, owner: str, view: View, place: _Place) -> None:
        paths = self._paths.get(shape)
        if paths is None:
            try:
                paths = read_paths(self._graph, shape)
                if not paths:
                    self._graph.warn(owner, "a property shape has no sh:path: left out")
            except PathError as error:
                paths = []
                self._graph.warn(shape, f"{error}: this property shape is left out")
            if "true" in self._graph.values(shape, _DEACTIVATED):
                paths = []
            self._paths[shape] = paths
        if paths:
            view.declared.append(
                Declared(shape, paths, owner, place.inside, place.named, place.when)
            )

    def _is_property(self, shape: str) -> bool:
        return any(p == PATH for p, _ in self._graph.triples.get(shape, ()))

    def _is_guard(self, branch: str) -> bool:
        """A branch that only negates, or only enters a shape that is negated elsewhere."""
        if branch in self._guards:
            return True
        pairs = [(p, o.value) for p, o in self._graph.triples.get(branch, ()) if p.startswith(SH)]
        return bool(pairs) and all(
            p == _NOT or (p == _NODE and value in self._guards) for p, value in pairs
        )


class _Place(NamedTuple):
    when: When
    inside: tuple[str, ...]
    named: str


def _guards(graph: Graph) -> frozenset[str]:
    """Shapes without a target that are negated, directly or as a negated shape's `sh:node`."""
    found: set[str] = set()
    for _, predicate, value in graph.watched:
        if predicate == _NOT:
            found.add(value.value)
            found.update(graph.values(value.value, _NODE))
    return frozenset(shape for shape in found if not graph.values(shape, TARGET_CLASS))
