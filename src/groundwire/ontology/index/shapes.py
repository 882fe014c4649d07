"""The shapes of a graph as the expansion of every domain needs them, each looked at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from groundwire.ontology.index.constraints import Constraints
from groundwire.ontology.index.merging import Merger
from groundwire.ontology.index.namespaces import MAX_COUNT, OWL, RDF, RDFS, SH
from groundwire.ontology.index.schema import Schema
from groundwire.ontology.index.views import ALWAYS, Declared, Entered, Fact, Views, When

if TYPE_CHECKING:
    from groundwire.ontology.index.triples import Graph

# Properties that lead to classes and shapes, never to assets.
_OF_THE_GRAPH = (RDF, RDFS, OWL, SH)


class Behind(NamedTuple):
    """The facts that one property shape states of the property's values.

    Attributes:
        facts: constraints with their circumstances, as (fact, alternative, conditional).
        declared: the properties that the values have.
        entered: the named shapes that apply to them.
        classes: target classes that `sh:class` makes them instances of, without those below them.
        link: they are IRIs, and nothing else is said of them.
    """

    facts: tuple[tuple[Fact, bool, bool], ...]
    declared: list[Declared]
    entered: list[Entered]
    classes: tuple[str, ...]
    link: bool


class Shapes:
    """The shapes of one graph.

    Attributes:
        names: of the domains, by class IRI.
        classes: the classes that each shape targets.
    """

    def __init__(self, graph: Graph, schema: Schema, names: dict[str, str]) -> None:
        self.graph = graph
        self.schema = schema
        self.names = names
        self.views = Views(graph)
        self.merger = Merger(graph, schema)
        self.classes: dict[str, list[str]] = {}
        for class_iri, shapes in schema.targets.items():
            for shape in shapes:
                self.classes.setdefault(shape, []).append(class_iri)
        self._components: dict[str, int] = {}
        # The components that each component leads to, itself included, as bits.
        self._reach: list[int] = []
        self._above: dict[str, frozenset[str]] = {}
        self._behind: dict[tuple[str, bool, bool, bool], Behind] = {}
        self._forbidding = {
            shape
            for shape, predicate, value in graph.watched
            if predicate == MAX_COUNT and value.value == "0"
        }

    def behind(self, declared: Declared) -> Behind:
        """Return the facts of a property's values under the circumstances of its declaration."""
        alternative, conditional, guard, _ = declared.when
        key = (declared.shape, alternative, conditional, guard)
        known = self._behind.get(key)
        if known is None:
            outer = When(alternative, conditional, guard)
            known = self._behind[key] = self._look_behind(declared, outer)
        return known

    def _look_behind(self, declared: Declared, outer: When) -> Behind:
        view = self.views.of(declared.shape, declared.named)
        facts = [(fact, fact.when.below(outer)) for fact in view.facts]
        said = [self.merger.constraints(fact) for fact, when in facts if not when.guard]
        below, entered = view.declared, view.entered
        if outer != ALWAYS:
            below = [c._replace(when=c.when.below(outer)) for c in below]
            entered = [Entered(e.shape, e.when.below(outer)) for e in entered]
        classes = [c for each in said if each.values is None for c in each.classes]
        return Behind(
            facts=tuple(
                [
                    (fact, when.alternative, when.conditional)
                    for fact, when in facts
                    if not when.guard
                ]
            ),
            declared=below,
            entered=[each for each in entered if not each.when.guard],
            classes=self.schema.targets_at_or_below(classes),
            link=_is_link(said) and not declared.paths[0][-1].iri.startswith(_OF_THE_GRAPH),
        )

    def above(self, class_iri: str) -> frozenset[str]:
        """The classes above one."""
        known = self._above.get(class_iri)
        if known is None:
            known = self._above[class_iri] = frozenset(self.schema.superclasses(class_iri))
        return known

    def forbids(self, shape: str) -> bool:
        """A property shape that allows no value at all."""
        return shape in self._forbidding

    def lead_back(self, shape: str, others: Iterable[str]) -> bool:
        """Whether a shape can lead to one of `others` by any path, or is one of them."""
        beyond = self._reach[self._component(shape)]
        return any(beyond >> self._component(other) & 1 for other in others)

    def _component(self, shape: str) -> int:
        """The number of a shape's component: shapes that lead to each other share one."""
        if shape not in self._components:
            self._find_components(shape)
        return self._components[shape]

    def _find_components(self, root: str) -> None:
        """Number the components of all shapes that one leads to, and note what each leads to.

        Source: Tarjan, Depth-first search and linear graph algorithms (1972). The stack is our
        own, as chains of shapes may be long.
        """
        numbers: dict[str, int] = {root: 0}
        lowest = [0]
        stack = [root]
        named = {root: ""}
        walk = [(root, iter(self._following(root, named)))]
        while walk:
            shape, following = walk[-1]
            number = numbers[shape]
            for other in following:
                if other in self._components:
                    continue
                if other in numbers:
                    lowest[number] = min(lowest[number], numbers[other])
                    continue
                numbers[other] = len(numbers)
                lowest.append(numbers[other])
                stack.append(other)
                walk.append((other, iter(self._following(other, named))))
                break
            else:
                walk.pop()
                if walk:
                    above = numbers[walk[-1][0]]
                    lowest[above] = min(lowest[above], lowest[number])
                if lowest[number] == number:
                    members = [stack.pop()]
                    while members[-1] != shape:
                        members.append(stack.pop())
                    self._add_component(members, named)

    def _add_component(self, members: list[str], named: dict[str, str]) -> None:
        number = len(self._reach)
        self._components |= dict.fromkeys(members, number)
        reach = 1 << number
        for member in members:
            for other in self._following(member, named):
                if self._components[other] != number:
                    reach |= self._reach[self._components[other]]
        self._reach.append(reach)

    def _following(self, shape: str, named: dict[str, str]) -> dict[str, None]:
        """The shapes that one leads to directly; `named` learns the named shape of each."""
        view = self.views.of(shape, named[shape])
        declared = [each for each in view.declared if not each.when.guard]
        for each in declared:
            named.setdefault(each.shape, each.named)
        entered = [each.shape for each in view.entered if not each.when.guard]
        for each in entered:
            named.setdefault(each, "")
        return dict.fromkeys([*entered, *[each.shape for each in declared]])


def _is_link(said: list[Constraints]) -> bool:
    return any(each.node_kind == "IRI" for each in said) and not any(
        each.values is not None or each.has_values or each.classes for each in said
    )
