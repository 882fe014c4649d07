"""From a domain's shapes to every property that an asset's values can be reached by.

A shape is expanded once on each path. A path stops at a node that stands beside the asset rather
than inside it: one whose own shapes would contain the path again, or that has an indexed ancestor
class in common with the asset. Such nodes are connections.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from groundwire.ontology.index.merging import Place
from groundwire.ontology.index.model import ANY_DOMAIN, Connection, Path, Property, Step, Via
from groundwire.ontology.index.paths import Steps
from groundwire.ontology.index.shapes import Shapes
from groundwire.ontology.index.views import Declared, Entered, Fact

MAX_STEPS = 16
MAX_PLACES = 20_000


class Expanded(NamedTuple):
    """The properties and connections of one domain, and the classes of its components."""

    properties: dict[str, Property]
    connections: list[Connection]
    parts: set[str]


def expand(shapes: Shapes, class_iri: str) -> Expanded:
    """Everything about the domain of one class, shapes of its superclasses included."""
    return _Expansion(shapes, class_iri).run()


class _Expansion:
    """The walk for one domain."""

    def __init__(self, shapes: Shapes, class_iri: str) -> None:
        self._all = shapes
        self._class = class_iri
        schema = shapes.schema
        self._above = {c for c in schema.superclasses(class_iri) if c in schema.targets}
        self._places: dict[tuple[str, bool], dict[Path, Place]] = {}
        self._connections: dict[tuple[str, Path, str], Connection] = {}
        self._parts: set[str] = set()
        self._count = 0

    def run(self) -> Expanded:
        schema, views = self._all.schema, self._all.views
        declared: list[Declared] = []
        for class_iri in (self._class, *schema.superclasses(self._class)):
            for shape in schema.targets.get(class_iri, ()):
                for each in views.of(shape).declared:
                    inside = (shape, *each.inside)
                    declared.append(each._replace(inside=inside))
        self._visit((), declared, frozenset(), [])
        properties = {
            "^" * inverse + iri: self._all.merger.merge(Step(iri, inverse), list(places.values()))
            for (iri, inverse), places in self._places.items()
        }
        return Expanded(properties, list(self._connections.values()), self._parts)

    def _visit(
        self,
        prefix: Steps,
        declared: list[Declared],
        active: frozenset[str],
        beside: list[Entered],
    ) -> None:
        """Add the properties of one node.

        Args:
            prefix: the path to the node.
            declared: the property shapes that apply there.
            active: shapes that were expanded on the way.
            beside: the named shapes that apply at the node, for links to what they describe.
        """
        groups: dict[Steps, list[Declared]] = {}
        for each in declared:
            for steps in each.paths:
                groups.setdefault(steps, []).append(each)
        links = self._open_links(groups) if beside else Counter[str]()
        for steps, members in groups.items():
            allowed = self._allowed(members)
            if allowed:
                # A shape with several open IRIs describes a thing, it does not stand for one.
                stands_in = all(links[member.owner] <= 1 for member in allowed)
                self._place(prefix + steps, allowed, active, beside if stands_in else [])

    def _open_links(self, groups: dict[Steps, list[Declared]]) -> Counter[str]:
        """How many properties of each shape may hold any IRI."""
        return Counter(
            owner
            for members in groups.values()
            for owner in {member.owner for member in members if self._all.is_link(member)}
        )

    def _allowed(self, members: list[Declared]) -> list[Declared]:
        """The declarations of one path, without those that forbid it (`sh:maxCount 0`)."""
        allowed: list[Declared] = []
        for each in members:
            if self._all.forbids(each.shape):
                if not each.when.alternative and not each.when.guard:
                    return []
            elif not each.when.guard or self._all.views.of(each.shape, each.named).facts:
                allowed.append(each)
        return allowed

    def _place(
        self,
        steps: Steps,
        members: list[Declared],
        active: frozenset[str],
        beside: list[Entered],
    ) -> None:
        """Add one path, and what lies behind it."""
        self._count += 1
        if len(steps) > MAX_STEPS or self._count > MAX_PLACES:
            self._stop(members[0].shape)
            return
        facts: list[Fact] = []
        children: list[Declared] = []
        entered: list[Entered] = []
        for member in members:
            view = self._all.behind(member)
            facts += view.facts
            children += view.declared
            entered += view.entered
        active = active.union(*((m.owner, *m.inside) for m in members))
        peers = self._connect_shapes(Path(steps), entered, active)
        children = [
            child
            for child in children
            if child.owner not in active
            and active.isdisjoint(child.inside)
            and peers.isdisjoint(child.inside)
        ]
        self._record(Path(steps), members, facts, leads_on=bool(children or entered))
        self._connect_classes(Path(steps), facts)
        if not entered and not children:
            self._connect_links(Path(steps), members, beside)
        if children:
            self._visit(steps, children, active, entered)

    def _stop(self, shape: str) -> None:
        self._all.graph.warn(
            shape,
            f"{self._all.names[self._class]} has paths of more than {MAX_STEPS} steps, or more "
            f"than {MAX_PLACES} paths: the rest is left out",
        )

    def _record(
        self, path: Path, members: list[Declared], facts: list[Fact], *, leads_on: bool
    ) -> None:
        last = path.steps[-1]
        places = self._places.setdefault((last.iri, last.inverse), {})
        place = Place(
            path,
            tuple((fact, fact.when.alternative, fact.when.conditional) for fact in facts),
            tuple(dict.fromkeys((member.shape, member.named) for member in members)),
            leads_on,
        )
        known = places.get(path)
        if known is not None:
            place = Place(
                path,
                tuple(dict.fromkeys(known.facts + place.facts)),
                tuple(dict.fromkeys(known.shapes + place.shapes)),
                known.leads_on or leads_on,
            )
        places[path] = place

    def _connect_shapes(
        self, path: Path, entered: list[Entered], active: frozenset[str]
    ) -> set[str]:
        """Connect to the domains whose shapes apply here; give those that stand beside."""
        peers: set[str] = set()
        for each in entered:
            targets = self._all.classes.get(each.shape)
            if not targets:
                continue
            peer = not active.isdisjoint(self._all.closure(each.shape)) or any(
                not self._above.isdisjoint(self._all.schema.superclasses(t)) for t in targets
            )
            if peer:
                peers.add(each.shape)
            else:
                self._parts.update(targets)
            for target in targets:
                self._connect(path, target, "shape", nested=not peer)
        return peers

    def _connect_classes(self, path: Path, facts: list[Fact]) -> None:
        schema = self._all.schema
        for fact in facts:
            constraints = self._all.merger.constraints(fact)
            if constraints.classes and constraints.values is None:
                for class_iri in constraints.classes:
                    for target in (class_iri, *schema.subclasses(class_iri)):
                        if target in schema.targets:
                            self._connect(path, target, "class")

    def _connect_links(self, path: Path, members: list[Declared], beside: list[Entered]) -> None:
        """An IRI without any list or class may be any asset's; name those stated beside it."""
        said = [member for member in members if self._all.behind(member).facts]
        if not said or not all(self._all.is_link(member) for member in said):
            return
        for each in beside:
            others = dict(each.when.branches)
            apart = any(
                branch in others and others[branch] != position
                for member in members
                for branch, position in member.when.branches
            )
            if apart:
                for target in self._all.classes.get(each.shape, ()):
                    self._connect(path, target, "link")
        source = self._all.names[self._class]
        key = (ANY_DOMAIN, path, "link")
        self._connections.setdefault(key, Connection(source, ANY_DOMAIN, path, "link"))

    def _connect(self, path: Path, target: str, via: Via, *, nested: bool = False) -> None:
        names = self._all.names
        connection = Connection(names[self._class], names[target], path, via, nested)
        self._connections.setdefault((names[target], path, via), connection)
