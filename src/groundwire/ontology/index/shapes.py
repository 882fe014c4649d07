"""The shapes of a graph as the expansion of every domain needs them, each looked at once."""

from __future__ import annotations

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
    """What one property shape says of the property's values.

    Attributes:
        facts: constraints with their circumstances, as (fact, alternative, conditional).
        declared: the properties that the values have.
        entered: the named shapes that apply to them.
        classes: target classes that `sh:class` makes them instances of.
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
        self._closures: dict[str, frozenset[str]] = {}
        self._behind: dict[tuple[str, bool, bool, bool], Behind] = {}
        self._forbidding = {
            shape
            for shape, predicate, value in graph.watched
            if predicate == MAX_COUNT and value.value == "0"
        }

    def behind(self, declared: Declared) -> Behind:
        """What holds of a property's values, under the circumstances of its declaration."""
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
            classes=self._targeted(classes) if classes else (),
            link=_is_link(said) and not declared.paths[0][-1].iri.startswith(_OF_THE_GRAPH),
        )

    def _targeted(self, classes: list[str]) -> tuple[str, ...]:
        """The target classes among some and those below them."""
        every = [below for c in classes for below in (c, *self.schema.subclasses(c))]
        return tuple(dict.fromkeys([c for c in every if c in self.schema.targets]))

    def forbids(self, shape: str) -> bool:
        """A property shape that allows no value at all."""
        return shape in self._forbidding

    def closure(self, shape: str) -> frozenset[str]:
        """The shapes that a shape can lead to by any path, itself included."""
        known = self._closures.get(shape)
        if known is None:
            found = {shape}
            queue = [(shape, "")]
            while queue:
                view = self.views.of(*queue.pop())
                reached = [(e.shape, "") for e in view.entered if not e.when.guard]
                reached += [(d.shape, d.named) for d in view.declared if not d.when.guard]
                fresh = [(each, named) for each, named in reached if each not in found]
                found.update(each for each, _ in fresh)
                queue += fresh
            known = self._closures[shape] = frozenset(found)
        return known


def _is_link(said: list[Constraints]) -> bool:
    return any(each.node_kind == "IRI" for each in said) and not any(
        each.values is not None or each.has_values or each.classes for each in said
    )
