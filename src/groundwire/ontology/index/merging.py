"""All places where a domain has a property, merged into one `Property`."""

from __future__ import annotations

from collections.abc import Sequence
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
from groundwire.ontology.index.namespaces import SH, UNITS
from groundwire.ontology.index.schema import Schema
from groundwire.ontology.index.units import unit_of

if TYPE_CHECKING:
    from groundwire.ontology.index.triples import Graph
    from groundwire.ontology.index.views import Fact

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
        english = [text.value for text in texts if text.language[:2] in ("", "en")]
        return unit_of(self._graph, annotations, english)

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
