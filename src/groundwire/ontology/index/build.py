"""The shape index of a graph.

From a domain's shapes to every property that an asset's values can be reached by. A shape is
expanded once on each path. A path stops at a node that stands beside the asset rather than inside
it: one whose own shapes would contain the path again, or that has an indexed ancestor class in
common with the asset. Such nodes are connections.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from groundwire.ontology.index.merging import Behind, Place, Shapes
from groundwire.ontology.index.model import (
    ANY_DOMAIN,
    Connection,
    Domain,
    Path,
    Property,
    ShapeIndex,
    Source,
    Step,
    Via,
)
from groundwire.ontology.index.schema import Schema
from groundwire.ontology.index.triples import Graph
from groundwire.ontology.index.views import Declared, Entered, Steps

_MAX_STEPS = 16
_MAX_PLACES = 20_000


# A connection whose source is not known yet: target, path, via. What it maps to is `nested`.
Link = tuple[str, Path, Via]


class Expanded(NamedTuple):
    """The expanded shapes of one domain.

    Attributes:
        properties: by key; domains with the same shapes share one dictionary.
        links: the connections of the domain, those of its superclasses included.
        parts: the classes of its components.
    """

    properties: dict[str, Property]
    links: dict[Link, bool]
    parts: set[str]


class _Found(NamedTuple):
    """Places on one path from an asset and behind it.

    Attributes:
        places: of properties, in the order of the walk.
        tests: what the walk asked of the classes above the asset: the classes, and whether one
            of them was among those above. Another asset of the same answers has the same places.
        stopped: the shape at which the walk had to end, if it had to.
    """

    places: list[Place]
    links: dict[Link, bool]
    parts: set[str]
    tests: list[tuple[frozenset[str], bool]]
    stopped: str | None


class Expander:
    """Expands the shapes of domains; what domains inherit alike is walked and kept once."""

    def __init__(self, shapes: Shapes) -> None:
        """Expand `shapes`, nothing yet."""
        self._shapes = shapes
        self._declared: dict[str, list[Declared]] = {}
        self._found: dict[tuple[Steps, tuple[int, ...]], list[_Found]] = {}
        self._members: list[list[Declared]] = []
        self._expanded: dict[tuple[int, ...], Expanded] = {}
        self._properties: dict[tuple[int, ...], Property] = {}
        self._joined: dict[tuple[int, int], Place] = {}

    def expand(self, class_iri: str) -> Expanded:
        """Everything about the domain of one class, shapes of its superclasses included."""
        schema = self._shapes.schema
        superclasses = schema.superclasses(class_iri)
        groups: dict[Steps, list[Declared]] = {}
        for each in (class_iri, *superclasses):
            for shape in schema.targets.get(each, ()):
                for declared in self._declared_by(shape):
                    for steps in declared.paths:
                        groups.setdefault(steps, []).append(declared)
        above = frozenset(c for c in superclasses if c in schema.targets)
        found = [self._walked(steps, members, above) for steps, members in groups.items()]
        key = tuple(map(id, found))
        known = self._expanded.get(key)
        if known is None:
            known = self._expanded[key] = self._put_together(found)
        stopped = [each.stopped for each in found if each.stopped is not None]
        if stopped or sum(len(each.places) for each in found) > _MAX_PLACES:
            self._warn(class_iri, (stopped or schema.targets[class_iri])[0])
        return known

    def _declared_by(self, shape: str) -> list[Declared]:
        known = self._declared.get(shape)
        if known is None:
            declared = self._shapes.views.of(shape).declared
            known = [each._replace(inside=(shape, *each.inside)) for each in declared]
            self._declared[shape] = known
        return known

    def _walked(self, steps: Steps, members: list[Declared], above: frozenset[str]) -> _Found:
        key = (steps, tuple(map(id, members)))
        variants = self._found.setdefault(key, [])
        for each in variants:
            if all((above.isdisjoint(classes) is not met) for classes, met in each.tests):
                return each
        found = _Walk(self._shapes, above).run(steps, members)
        variants.append(found)
        # The key holds where members are, so they have to stay.
        self._members.append(members)
        return found

    def _put_together(self, found: list[_Found]) -> Expanded:
        places: dict[tuple[str, bool], dict[Path, Place]] = {}
        links: dict[Link, bool] = {}
        parts: set[str] = set()
        count = 0
        for each in found:
            links = each.links | links
            parts |= each.parts
            for place in each.places:
                count += 1
                if count > _MAX_PLACES:
                    break
                last = place.path.steps[-1]
                known = places.setdefault((last.iri, last.inverse), {})
                other = known.get(place.path)
                known[place.path] = place if other is None else self._both(other, place)
        properties = {
            "^" * inverse + iri: self._property(Step(iri, inverse), list(held.values()))
            for (iri, inverse), held in places.items()
        }
        return Expanded(properties, links, parts)

    def _both(self, one: Place, other: Place) -> Place:
        key = (id(one), id(other))
        known = self._joined.get(key)
        if known is None:
            known = self._joined[key] = _joined(other, one)
        return known

    def _property(self, step: Step, places: list[Place]) -> Property:
        key = tuple(map(id, places))
        known = self._properties.get(key)
        if known is None:
            known = self._properties[key] = self._shapes.merger.merge(step, places)
        return known

    def _warn(self, class_iri: str, shape: str) -> None:
        self._shapes.graph.warn(
            shape,
            f"{self._shapes.names[class_iri]} has paths of more than {_MAX_STEPS} steps, or more "
            f"than {_MAX_PLACES} paths: the rest is left out",
        )


class _Walk:
    """The walk from an asset along one path and on."""

    def __init__(self, shapes: Shapes, above: frozenset[str]) -> None:
        """Walk for an asset of a class below `above`."""
        self._all = shapes
        self._above = above
        self._tests: dict[frozenset[str], bool] = {}
        self._places: dict[Path, Place] = {}
        self._links: dict[Link, bool] = {}
        self._parts: set[str] = set()
        self._stopped: str | None = None
        self._count = 0

    def run(self, steps: Steps, members: list[Declared]) -> _Found:
        """Everything on the path that `members` declare, and behind it."""
        allowed = self._allowed(members)
        if allowed:
            self._place(steps, allowed, frozenset(), [])
        return _Found(
            list(self._places.values()),
            self._links,
            self._parts,
            list(self._tests.items()),
            self._stopped,
        )

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
        a part is one, what is broader than the theme of an asset is not its theme.
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
        if len(steps) > _MAX_STEPS or self._count > _MAX_PLACES:
            self._stopped = members[0].shape
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

    def _record(
        self, path: Path, members: list[Declared], behind: list[Behind], *, leads_on: bool
    ) -> None:
        facts = behind[0].facts
        if len(behind) > 1:
            facts = tuple([fact for each in behind for fact in each.facts])
        shapes = tuple([(member.shape, member.named) for member in members])
        place = Place(path, facts, shapes, leads_on)
        known = self._places.get(path)
        self._places[path] = place if known is None else _joined(place, known)

    def _connect_shapes(
        self, path: Path, entered: list[Entered], active: frozenset[str]
    ) -> set[str]:
        """Connect to the domains whose shapes apply here; give those that stand beside."""
        peers: set[str] = set()
        for each in entered:
            targets = self._all.classes.get(each.shape)
            if not targets:
                continue
            kin = [self._is_kin(target) for target in targets]
            peer = any(kin) or self._all.lead_back(each.shape, active)
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
        self._links.setdefault((ANY_DOMAIN, path, "link"), False)

    def _connect(self, path: Path, target: str, via: Via, *, nested: bool = False) -> None:
        self._links.setdefault((self._all.names[target], path, via), nested)

    def _is_kin(self, target: str) -> bool:
        """Whether a class has an indexed superclass in common with the asset."""
        classes = self._all.above(target)
        met = self._tests.get(classes)
        if met is None:
            met = self._tests[classes] = not self._above.isdisjoint(classes)
        return met


def build_index(
    graph: Graph, digest: str, progress: Callable[[str], None] | None = None
) -> ShapeIndex:
    """Every domain of the graph with its properties and connections, and all problems."""
    schema = Schema(graph)
    names = schema.domain_names()
    shapes = Shapes(graph, schema, names)
    expander = Expander(shapes)
    expanded: dict[str, Expanded] = {}
    for class_iri, name in names.items():
        if progress:
            progress(name)
        expanded[class_iri] = expander.expand(class_iri)
    parts = {part for each, found in expanded.items() for part in found.parts - {each}}
    domains: dict[str, Domain] = {}
    for class_iri in sorted(names, key=lambda iri: names[iri].casefold()):
        domains[names[class_iri]] = Domain(
            names[class_iri],
            class_iri,
            schema.curie(class_iri),
            properties=partial(_held, expanded[class_iri].properties),
            subclasses=schema.subclasses(class_iri),
            superclasses=schema.superclasses(class_iri),
            part=class_iri in parts,
            labels=schema.labels(class_iri) or schema.labels_of_shapes(class_iri),
            descriptions=schema.descriptions(class_iri),
            sources=tuple(
                Source(graph.origin.get(shape, ""), graph.lines.get(shape), shape)
                for shape in schema.targets[class_iri]
            ),
        )
    connections = sorted(_connections(schema, names, expanded), key=_order)
    return ShapeIndex(
        domains,
        tuple(connections),
        schema.prefixes,
        graph.told(),
        digest,
    )


def _connections(
    schema: Schema, names: dict[str, str], expanded: dict[str, Expanded]
) -> Iterator[Connection]:
    """Each connection once, with the uppermost classes that it holds for.

    A class that has all that a class above it has is named by what it has beside.
    """
    for class_iri, found in expanded.items():
        above = [expanded[each].links for each in schema.targets_above(class_iri)]
        if any(links is found.links for links in above):
            continue
        for link, nested in found.links.items():
            if all(links.get(link) is not nested for links in above):
                target, path, via = link
                yield Connection(names[class_iri], target, path, via, nested)


def _held(properties: dict[str, Property]) -> dict[str, Property]:
    return properties


def _order(connection: Connection) -> tuple[str, bool, str, int, Path]:
    source, target, path = connection.source, connection.target, connection.path
    return (source, target == ANY_DOMAIN, target, len(path.steps), path)


def _after(prefix: Steps, step: Step) -> Steps:
    """A path to a part, and on from there any number of times."""
    if prefix[-1] == step:
        return (*prefix[:-1], step._replace(repeat="+"))
    return (*prefix, step._replace(repeat="*"))


def _joined(place: Place, known: Place) -> Place:
    """One place of two on the same path; what was said first comes last, as it is the outer."""
    return Place(
        place.path,
        place.facts + known.facts,
        tuple(dict.fromkeys(place.shapes + known.shapes)),
        place.leads_on or known.leads_on,
    )
