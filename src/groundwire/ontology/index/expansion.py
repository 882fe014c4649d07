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
from groundwire.ontology.index.shapes import Behind, Shapes
from groundwire.ontology.index.views import Declared, Entered

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


def _after(prefix: Steps, step: Step) -> Steps:
    """A path to a part, and on from there any number of times."""
    if prefix[-1] == step:
        return (*prefix[:-1], step._replace(repeat="+"))
    return (*prefix, step._replace(repeat="*"))


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
        links: dict[str, int] = self._open_links(groups) if beside else {}
        loops = self._loops(prefix, groups, beside)
        prefixes = [_after(prefix, step) for (step,) in loops] or [prefix]
        for steps, members in groups.items():
            allowed = self._allowed(members)
            if allowed:
                # A shape with several open IRIs describes a thing, it does not stand for one.
                stands_in = not beside or all(links[member.owner] <= 1 for member in allowed)
                for start in [prefix] if steps in loops else prefixes:
                    way = (steps[0]._replace(repeat="+"),) if steps in loops else steps
                    self._place(start + way, allowed, active, beside if stands_in else [])

    def _loops(
        self, prefix: Steps, groups: dict[Steps, list[Declared]], beside: list[Entered]
    ) -> list[Steps]:
        """The steps that lead from a part to another part of the same shape.

        A shape of assets of their own is followed again only by the step that led to it: a part of
        a part is one, what is broader than the theme of an asset is no theme of it.
        """
        here = {each.shape for each in beside}
        found: list[Steps] = []
        for steps, members in groups.items():
            again = {
                entered.shape
                for each in members
                for entered in self._all.behind(each).entered
                if entered.shape in here and entered.shape in (each.owner, *each.inside)
            }
            parts = {shape for shape in again if shape not in self._all.classes}
            if (
                again
                and len(steps) == 1
                and not steps[0].repeat
                and (parts or steps[0] == prefix[-1])
            ):
                found.append(steps)
        return found

    def _open_links(self, groups: dict[Steps, list[Declared]]) -> Counter[str]:
        """How many properties of each shape may hold any IRI."""
        found = Counter[str]()
        for members in groups.values():
            found.update({member.owner for member in members if self._all.behind(member).link})
        return found

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
        behind = [self._all.behind(member) for member in members]
        path = Path(steps)
        if len(behind) == 1:
            children, entered = behind[0].declared, behind[0].entered
        else:
            children = [child for each in behind for child in each.declared]
            entered = [shape for each in behind for shape in each.entered]
        self._record(path, members, behind, leads_on=bool(children or entered))
        for each in behind:
            for target in each.classes:
                self._connect(path, target, "class")
        if not children and not entered:
            said = [each.link for each in behind if each.facts]
            if said and all(said):
                self._connect_links(path, members, beside)
            return
        active = active.union(*[(member.owner, *member.inside) for member in members])
        peers = self._connect_shapes(path, entered, active)
        shut = active | peers
        children = [c for c in children if c.owner not in active and shut.isdisjoint(c.inside)]
        if children:
            self._visit(steps, children, active, entered)

    def _stop(self, shape: str) -> None:
        self._all.graph.warn(
            shape,
            f"{self._all.names[self._class]} has paths of more than {MAX_STEPS} steps, or more "
            f"than {MAX_PLACES} paths: the rest is left out",
        )

    def _record(
        self, path: Path, members: list[Declared], behind: list[Behind], *, leads_on: bool
    ) -> None:
        facts = behind[0].facts
        if len(behind) > 1:
            facts = tuple([fact for each in behind for fact in each.facts])
        shapes = tuple([(member.shape, member.named) for member in members])
        last = path.steps[-1]
        places = self._places.setdefault((last.iri, last.inverse), {})
        known = places.get(path)
        if known is not None:
            facts += known.facts
            shapes += known.shapes
            leads_on = leads_on or known.leads_on
        if len(shapes) > 1:
            shapes = tuple(dict.fromkeys(shapes))
        places[path] = Place(path, facts, shapes, leads_on)

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

    def _connect_links(self, path: Path, members: list[Declared], beside: list[Entered]) -> None:
        """An IRI without any list or class may be any asset's; name those stated beside it."""
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
