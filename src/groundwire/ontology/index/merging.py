"""The shapes of a graph, each looked at once, and all places of a property merged into one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from groundwire.ontology.index.constraints import (
    NUMBERS,
    Bound,
    ConstraintReader,
    Constraints,
    loosest,
    tightest,
)
from groundwire.ontology.index.model import (
    EnumValue,
    Kind,
    Measure,
    Path,
    Property,
    Source,
    Step,
    Text,
    is_draft,
    local_name,
)
from groundwire.ontology.index.namespaces import MAX_COUNT, OWL, RDF, RDFS, SH, UNITS
from groundwire.ontology.index.schema import Schema
from groundwire.ontology.index.units import unit_of, without_unit
from groundwire.ontology.index.views import ALWAYS, Declared, Entered, Fact, Views, When

if TYPE_CHECKING:
    from groundwire.ontology.index.triples import Graph


_Item = TypeVar("_Item")
_PATHS = Property._fields.index("paths")
_KINDS = frozenset({SH + "datatype", SH + "class", SH + "nodeKind"})


class Place(NamedTuple):
    """One path to a property, with everything that is said of the values there.

    Attributes:
        facts: with their circumstances, as (fact, alternative, conditional).
        shapes: the property shapes and the IRI of the named shape that each belongs to.
        leads_on: the values have properties of their own.
    """

    path: Path
    facts: tuple[tuple[Fact, bool, bool], ...]
    shapes: tuple[tuple[str, str], ...]
    leads_on: bool

    def signature(self) -> tuple[object, ...]:
        """Equal for places of which the same is said, whatever their paths."""
        facts = tuple([(fact.shape, alt, cond) for fact, alt, cond in self.facts])
        return (facts, self.shapes, self.leads_on)


class Merger:
    """Makes properties; what many domains have in common is made once."""

    def __init__(self, graph: Graph, schema: Schema) -> None:
        self._graph = graph
        self._schema = schema
        self._constraints = ConstraintReader(graph, schema)
        self._made: dict[tuple[object, ...], Property] = {}
        self._sources: dict[tuple[str, str], Source] = {}

    def constraints(self, fact: Fact) -> Constraints:
        """The constraints of one fact."""
        return self._constraints.of(fact)

    def merge(self, step: Step, places: Sequence[Place]) -> Property:
        """The property at the end of all `places`, whose last step is `step`.

        Where given and drafted shapes declare it, labels and constraints are those of the given.
        """
        paths = [place.path for place in places]
        if len(paths) > 1:
            paths.sort(key=lambda path: len(path.steps))
        key = (step, frozenset([place.signature() for place in places]))
        known = self._made.get(key)
        if known is None:
            known = self._made[key] = self._make(step, places)
        return Property._make((*known[:_PATHS], tuple(paths), *known[_PATHS + 1 :]))

    def _make(self, step: Step, places: Sequence[Place]) -> Property:
        places = [_given_first(place) for place in places]
        sums = [_Sum.of(place, self._constraints) for place in places]
        if len(sums) == 1:
            said, main = sums[0].all, sums[0].main
        else:
            said = [constraints for each in sums for constraints in each.all]
            main = [constraints for each in sums for constraints in each.main]
        enum, conditional = _union(sums) if any(c.values for c in said) else ((), False)
        shapes = list(dict.fromkeys([shape for place in places for shape in place.shapes]))
        every = [shape for shape, _ in shapes]
        given = [shape for shape, named in shapes if not is_draft(named)]
        datatypes = _distinct([c.datatypes for c in said])
        classes = _distinct([c.classes for c in said])
        own = [self._schema.labels(s) for s in given]
        own = own if any(own) else [self._schema.labels(s) for s in every]
        labels = _texts(own, self._schema.labels(step.iri))
        descriptions = _texts(
            [self._schema.descriptions(s) for s in every], self._schema.descriptions(step.iri)
        )
        minimum = maximum = None
        if any(c.minimum or c.maximum for c in said):
            minimum = _across([s.bound("min") for s in sums], "min")
            maximum = _across([s.bound("max") for s in sums], "max")
        unit, measure = self._unit(step, datatypes, every, (*labels, *descriptions))
        if unit:
            bare = [Text(without_unit(text.value), text.language) for text in labels]
            labels = tuple(dict.fromkeys((*labels, *(text for text in bare if text.value))))
        return Property(
            iri=step.iri,
            local_name="^" * step.inverse + local_name(step.iri),
            curie=self._schema.curie(step.iri),
            paths=(),
            kind=_kind(said, any(place.leads_on for place in places)),
            datatypes=datatypes,
            classes=classes,
            enum=enum,
            closed=bool(enum) and all(s.closed for s in sums),
            has_values=_distinct([c.has_values for c in main]),
            individuals=_individuals(self._schema, classes),
            patterns=_distinct([c.patterns for c in main]),
            languages=_distinct([c.languages for c in main]),
            minimum=minimum.term if minimum else None,
            minimum_exclusive=bool(minimum and minimum.exclusive),
            maximum=maximum.term if maximum else None,
            maximum_exclusive=bool(maximum and maximum.exclusive),
            unit=unit,
            labels=labels,
            descriptions=descriptions,
            sources=tuple(dict.fromkeys(self._source(shape) for shape in shapes)),
            conditional=conditional,
            measure=measure,
        )

    def _unit(
        self, step: Step, datatypes: tuple[str, ...], shapes: list[str], texts: Sequence[Text]
    ) -> tuple[str | None, Measure | None]:
        if datatypes and not NUMBERS.intersection(datatypes):
            return None, None
        annotations = [
            value
            for subject in (*shapes, step.iri)
            for predicate in UNITS
            for value in self._graph.values(subject, predicate)
        ]
        if not annotations and not datatypes:
            return None, None
        return unit_of(self._graph, annotations, [text.value for text in texts])

    def _source(self, shape: tuple[str, str]) -> Source:
        known = self._sources.get(shape)
        if known is None:
            identifier, named = shape
            file = self._graph.origin.get(identifier, "")
            known = Source(file, self._graph.lines.get(identifier), named)
            self._sources[shape] = known
        return known


def _given_first(place: Place) -> Place:
    """The place without what drafts say of it, where given shapes declare it as well.

    What kind of values are stored is kept where the given shapes say nothing of it; a list of the
    stored values would close a property that the given shapes leave open.
    """
    given = [each for each in place.facts if not is_draft(each[0].named)]
    if len(given) == len(place.facts) or all(is_draft(named) for _, named in place.shapes):
        return place
    said = {predicate for fact, _, _ in given for predicate, _ in fact.constraints}
    added = [
        (fact._replace(constraints=kept), alternative, conditional)
        for fact, alternative, conditional in place.facts
        if is_draft(fact.named)
        and (kept := tuple([pair for pair in fact.constraints if pair[0] in _KINDS - said]))
    ]
    return place._replace(facts=(*given, *added))


class _Sum(NamedTuple):
    """Constraints that hold at one place.

    Attributes:
        plain: constraints that always hold; `alternatives`: of branches; `guarded`: of branches
            beside a guard.
    """

    plain: list[Constraints]
    alternatives: list[Constraints]
    guarded: list[Constraints]

    @staticmethod
    def of(place: Place, reader: ConstraintReader) -> _Sum:
        found = _Sum([], [], [])
        for fact, alternative, conditional in place.facts:
            which = 2 if conditional else int(alternative)
            found[which].append(reader.of(fact))
        return found

    @property
    def all(self) -> list[Constraints]:
        return self.plain + self.alternatives + self.guarded

    @property
    def main(self) -> list[Constraints]:
        """Those that say what values are like: branches only where nothing holds always."""
        return self.plain + self.alternatives

    @property
    def closed(self) -> bool:
        if any(c.values is not None for c in self.plain):
            return True
        said = [c for c in self.alternatives if c.values is not None or not c.has_values]
        return bool(said) and all(c.values is not None for c in said)

    def lists(self) -> tuple[list[tuple[EnumValue, ...]], list[tuple[EnumValue, ...]]]:
        """Lists whose values are allowed in any case, and lists under a condition."""
        plain = [c.values for c in self.plain if c.values is not None]
        branches = [c.values for c in self.alternatives if c.values is not None]
        guarded = [c.values for c in self.guarded if c.values is not None]
        if plain:
            return plain, branches + guarded
        if self.closed:
            return branches, guarded
        return [], branches + guarded

    def bound(self, end: str) -> Bound | None:
        """The bound at this place: what always holds, else what every branch has."""
        plain = [b for c in self.plain if (b := _end(c, end))]
        if plain:
            return tightest(plain, end)
        branches = [_end(c, end) for c in self.alternatives]
        return _across(branches, end)


def _end(constraints: Constraints, end: str) -> Bound | None:
    return constraints.minimum if end == "min" else constraints.maximum


def _across(bounds: list[Bound | None], end: str) -> Bound | None:
    """The bound that covers several places; None if one of them has none."""
    known = [bound for bound in bounds if bound is not None]
    return loosest(known, end) if known and len(known) == len(bounds) else None


def _union(sums: list[_Sum]) -> tuple[tuple[EnumValue, ...], bool]:
    sure: list[tuple[EnumValue, ...]] = []
    unsure: list[tuple[EnumValue, ...]] = []
    for each in sums:
        always, sometimes = each.lists()
        sure += always
        unsure += sometimes
    distinct = {id(values): values for values in sure}
    if len(distinct) == 1 and not unsure:
        return sure[0], False
    merged = {value.term: value for values in distinct.values() for value in values}
    conditional = False
    for values in unsure:
        for value in values:
            if value.term not in merged:
                merged[value.term] = value._replace(conditional=True)
                conditional = True
    return tuple(merged.values()), conditional


def _kind(constraints: list[Constraints], leads_on: bool) -> Kind:
    said = {kind for each in constraints for kind in each.kinds}
    leads_on |= "node" in said
    iri = "iri" in said
    if "literal" in said:
        return "any" if iri or leads_on else "literal"
    if leads_on:
        return "node"
    return "iri" if iri else "any"


def _individuals(schema: Schema, classes: tuple[str, ...]) -> tuple[EnumValue, ...]:
    if not classes:
        return ()
    found = {v.term: v for each in classes for v in schema.individuals(each)}
    return tuple(found.values())


def _texts(own: list[tuple[Text, ...]], general: tuple[Text, ...]) -> tuple[Text, ...]:
    if not any(own):
        return general
    return tuple(dict.fromkeys([text for texts in (*own, general) for text in texts]))


def _distinct(groups: list[tuple[_Item, ...]]) -> tuple[_Item, ...]:
    if len(groups) == 1:
        return groups[0]
    return tuple(dict.fromkeys([item for group in groups for item in group]))


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
