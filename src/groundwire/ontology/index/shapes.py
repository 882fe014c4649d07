"""The shapes of a graph as the expansion of every domain needs them, each looked at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.ontology.index.merging import Merger
from groundwire.ontology.index.namespaces import OWL, RDF, RDFS, SH
from groundwire.ontology.index.schema import Schema
from groundwire.ontology.index.views import Declared, Entered, Fact, View, Views, When

if TYPE_CHECKING:
    from groundwire.ontology.index.triples import Graph

# Properties that lead to classes and shapes, never to assets.
_OF_THE_GRAPH = (RDF, RDFS, OWL, SH)


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
        self._links: dict[str, bool] = {}
        self._behind: dict[tuple[str, When], View] = {}
        self._forbidding = {
            shape
            for shape, predicate, value in graph.watched
            if predicate == SH + "maxCount" and value.value == "0"
        }

    def behind(self, declared: Declared) -> View:
        """The view of a property shape under the circumstances of its declaration."""
        key = (declared.shape, declared.when)
        known = self._behind.get(key)
        if known is None:
            view = self.views.of(declared.shape, declared.named)
            outer = declared.when
            facts = [Fact(f.shape, f.constraints, f.when.within(outer)) for f in view.facts]
            entered = [Entered(e.shape, e.when.within(outer)) for e in view.entered]
            known = self._behind[key] = View(
                [fact for fact in facts if not fact.when.guard],
                [c._replace(when=c.when.within(outer)) for c in view.declared],
                [each for each in entered if not each.when.guard],
            )
        return known

    def is_link(self, declared: Declared) -> bool:
        """Values are IRIs of which the shapes say nothing else."""
        known = self._links.get(declared.shape)
        if known is None:
            view = self.views.of(declared.shape, declared.named)
            found = [self.merger.constraints(fact) for fact in view.facts]
            known = (
                any(each.node_kind == "IRI" for each in found)
                and not any(
                    each.values is not None or each.has_values or each.classes for each in found
                )
                and not declared.paths[0][-1].iri.startswith(_OF_THE_GRAPH)
            )
            self._links[declared.shape] = known
        return known

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
