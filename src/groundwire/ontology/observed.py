"""The observed content of the assets: values, datatypes and numbers of instances.

Shapes say what may be there; this says what is. A local store is read once when it is built; for
endpoints see `groundwire.ontology.endpoint`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, Protocol

from groundwire.errors import DeadlineError, GroundwireError
from groundwire.graph.queries import CompiledQuery, Graph
from groundwire.graph.statistics import RDF_TYPE, VALUE_CAP, Statistics
from groundwire.graph.terms import XSD, Term, iri_n3
from groundwire.ontology.index.model import Domain, Path, Property, Text, spoken_name
from groundwire.ontology.index.namespaces import LABELS
from groundwire.ontology.observed_paths import NOT_LOOKED_AT, ObservedPaths
from groundwire.ontology.parts import alternatives
from groundwire.ontology.plan import Known

Kind = Literal["number", "date", "boolean", "term"]

NUMERIC = frozenset(
    XSD + name
    for name in (
        *("integer", "decimal", "float", "double", "int", "long", "short", "byte"),
        *("nonNegativeInteger", "positiveInteger", "nonPositiveInteger", "negativeInteger"),
        *("unsignedInt", "unsignedLong", "unsignedShort", "unsignedByte"),
    )
)
TEMPORAL = frozenset(
    XSD + name for name in ("date", "dateTime", "dateTimeStamp", "gYear", "gYearMonth")
)
_BOOLEAN = frozenset({XSD + "boolean"})

VALUES_LIMIT = 5_000
_ASK_TIMEOUT = 2.0
_LABELLED = 1_000
_MOST_PAIRS = 50_000
# The values of one kind are told apart from those of others up to this many statements.
_MOST_READ = 200_000


class ObservedValues(NamedTuple):
    """The objects of one predicate.

    Attributes:
        counts: distinct IRIs and literals with their number of statements, most first.
        complete: False where there are more distinct values than were read.
        datatypes: IRIs of the literals' datatypes, most first.
        statements: how many statements there are, or None where nobody counted.
    """

    counts: tuple[tuple[Term, int], ...] = ()
    complete: bool = True
    datatypes: tuple[str, ...] = ()
    statements: int | None = None

    def kind_of(self, prop: Property) -> Kind:
        """How values of a property are compared: declared datatypes decide, else these."""
        declared = set(prop.datatypes)
        if not declared and not prop.enum and prop.kind != "iri":
            declared = set(self.datatypes)
        kinds: tuple[tuple[frozenset[str], Kind], ...] = (
            (NUMERIC, "number"),
            (TEMPORAL, "date"),
            (_BOOLEAN, "boolean"),
        )
        for datatypes, kind in kinds:
            if declared and declared <= datatypes:
                return kind
        return "term"


class Observed(Known, Protocol):
    """Knowledge of a graph's content, and the queries for more of it."""

    async def values(self, predicate: str) -> ObservedValues:
        """The values of a predicate, over all subjects."""
        ...

    async def values_of(self, domain: Domain, prop: Property) -> ObservedValues:
        """The values that assets of a domain hold on the paths of a property.

        An endpoint is asked for those of the predicate, over all subjects.
        """
        ...

    def is_stored(self, domain: Domain, paths: Sequence[Path]) -> bool | None:
        """Whether an asset of a domain holds a value on one of the paths; None if not known."""
        ...

    async def instances(self) -> Mapping[str, int]:
        """How many IRIs are direct instances of each class; blank nodes are not counted."""
        ...

    async def labels(self, iris: Sequence[str]) -> Mapping[str, tuple[Text, ...]]:
        """Return the labels of these IRIs; at most the first 1,000 are looked up."""
        ...

    async def connects(
        self, source: Domain, path: Path, target: Domain, *, unsure: bool = True
    ) -> bool:
        """Whether `path` leads from any asset of one domain to one of the other.

        `unsure` is the answer where that takes too long to be found out.
        """
        ...

    def may_end(self, path: Path, *, literal: bool) -> bool:
        """False where a path surely leads to no literal, or surely to nothing else."""
        ...

    async def named(self, name: str, domain: Domain) -> Sequence[str]:
        """Stored predicates of a `spoken_name`; of an endpoint those near the domain."""
        ...

    async def sample(self, predicates: Iterable[str]) -> None:
        """Prepare `values` of several predicates that are about to be asked for."""
        ...

    async def seek(self, predicates: Sequence[str], texts: Iterable[str]) -> bool:
        """Have `values` know in which forms texts are stored; whether that could be looked up."""
        ...

    async def read_list(self, predicate: str) -> bool:
        """Have `values` list a predicate as far as possible; whether the list is whole."""
        ...

    async def read_numbers(self, predicate: str) -> bool:
        """Have `values` count a predicate; whether it could be counted."""
        ...


class Connected:
    """Remembers which paths connect which domains in a graph."""

    def __init__(self, graph: Graph, *, whole: bool = False) -> None:
        """Ask `graph`, for all classes that a path connects at once if `whole`."""
        self._graph = graph
        self._whole = whole
        self._known: dict[tuple[str, Path, str], bool] = {}
        self._connected: dict[Path, frozenset[tuple[str, str]] | None] = {}

    async def connects(
        self, source: Domain, path: Path, target: Domain, *, unsure: bool = True
    ) -> bool:
        """See `Observed.connects`."""
        question = (source.class_iri, path, target.class_iri)
        found = self._known.get(question)
        if found is None and self._whole:
            pairs = await self._pairs(path)
            if pairs is not None:
                ends = [{each.class_iri, *each.subclasses} for each in (source, target)]
                found = any(one in ends[0] and other in ends[1] for one, other in pairs)
                self._known[question] = found
        if found is None:
            classes = (listed(source), listed(target))
            ask = CompiledQuery(
                f"ASK {{ ?from {path.sparql()} ?to . ?from a ?kind . ?to a ?other "
                f"VALUES ?kind {{ {classes[0]} }} VALUES ?other {{ {classes[1]} }} }}"
            )
            try:
                found = await self._graph.ask(ask, timeout=_ASK_TIMEOUT)
            except DeadlineError:
                found = unsure
            self._known[question] = found
        return found

    async def _pairs(self, path: Path) -> frozenset[tuple[str, str]] | None:
        """The classes that a path connects; None where looking at all of them takes too long."""
        if path not in self._connected:
            query = CompiledQuery(
                "SELECT DISTINCT ?kind ?other WHERE { "
                f"?from {path.sparql()} ?to . ?from a ?kind . ?to a ?other }}"
            )
            try:
                rows = await self._graph.select(query, timeout=_ASK_TIMEOUT, max_rows=_MOST_PAIRS)
            except DeadlineError:
                rows = None
            found = None
            if rows is not None and rows.complete:
                found = frozenset((o.value, t.value) for o, t in rows.rows if o and t)
            self._connected[path] = found
        return self._connected[path]


def listed(domain: Domain) -> str:
    """The classes of a domain as they stand in a query."""
    return " ".join(map(iri_n3, (domain.class_iri, *domain.subclasses)))


def _counted(counts: tuple[tuple[Term, int], ...], *, complete: bool) -> ObservedValues:
    """Read rows of values with their numbers; one more may be read than is kept."""
    datatypes: dict[str, int] = {}
    for term, number in counts:
        if term.kind == "literal":
            datatypes[term.datatype] = datatypes.get(term.datatype, 0) + number
    return ObservedValues(
        counts[:VALUES_LIMIT],
        complete,
        tuple(sorted(datatypes, key=lambda name: -datatypes[name])),
        sum(number for _, number in counts) if complete else None,
    )


def _is_open(path: Path) -> bool:
    """Whether a path may lead where no walk along single steps forward has come by."""
    return any(step.repeat or step.inverse for step in path.steps)


async def labels_in(
    graph: Graph, iris: Sequence[str], place: str = "{}"
) -> dict[str, tuple[Text, ...]]:
    """Return the graph's labels of some IRIs, at most of the first 1,000.

    Args:
        graph: where the labels are.
        iris: what is looked up.
        place: the pattern of the graph that they are in, with `{}` for the pattern of a label.

    Raises:
        DeadlineError: the question takes too long.
    """
    these = " ".join(map(iri_n3, iris[:_LABELLED]))
    labels = f"?iri {'|'.join(map(iri_n3, LABELS))} ?label FILTER(isLiteral(?label))"
    query = CompiledQuery(
        f"SELECT DISTINCT ?iri ?label WHERE {{ VALUES ?iri {{ {these} }} {place.format(labels)} }}"
    )
    rows = await graph.select(query, timeout=_ASK_TIMEOUT)
    found: dict[str, tuple[Text, ...]] = {}
    for iri, label in rows.rows:
        if iri and label:
            text = Text(label.value, label.language)
            found[iri.value] = (*found.get(iri.value, ()), text)
    return found


class Labelled:
    """Reads what a graph calls its things."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    async def labels(self, iris: Sequence[str]) -> Mapping[str, tuple[Text, ...]]:
        """See `Observed.labels`; none are known where the question takes too long."""
        try:
            return await labels_in(self._graph, iris) if iris else {}
        except DeadlineError:
            return {}


class StoreObserved:
    """The content of a local store as counted when it was built."""

    def __init__(
        self,
        statistics: Statistics,
        graph: Graph,
        paths: ObservedPaths = NOT_LOOKED_AT,
        *,
        ordered: bool = False,
    ) -> None:
        """Read from the statistics of the assets' graph, and ask it what they do not say.

        Args:
            statistics: of the store's default graph.
            graph: the store.
            paths: where its assets hold values.
            ordered: see `Known.ordered`.
        """
        self._statistics = statistics
        self._graph = graph
        self._paths = paths
        self._held: dict[tuple[str, ...], Mapping[Path, int]] = {}
        self._on: dict[tuple[str, tuple[Path, ...]], ObservedValues] = {}
        self.connects = Connected(graph, whole=True).connects
        self.labels = Labelled(graph).labels
        self._values: dict[str, ObservedValues] = {}
        self.ordered = ordered
        self._occurrences: dict[str, dict[Term, int]] = {}
        self._named: dict[str, list[str]] | None = None

    async def values(self, predicate: str) -> ObservedValues:
        """The values of a predicate; see `Observed.values`."""
        found = self._values.get(predicate)
        if found is None:
            counted = self._statistics.predicates.get(predicate)
            found = ObservedValues(complete=self._statistics.complete, statements=0)
            if counted is not None:
                datatypes = sorted(counted.datatypes, key=lambda name: -counted.datatypes[name])
                found = ObservedValues(
                    counted.values,
                    counted.values_complete and self._statistics.complete,
                    tuple(datatypes),
                    counted.triples,
                )
            self._values[predicate] = found
        return found

    async def values_of(self, domain: Domain, prop: Property) -> ObservedValues:
        """The values on the paths of a property; of its predicate where that takes too long."""
        place = (domain.class_iri, prop.paths)
        found = self._on.get(place)
        if found is None:
            found = everywhere = await self.values(prop.iri)
            ends = {path.steps[-1].iri for path in prop.paths}
            few = 0 < sum(map(self.statements, ends)) <= _MOST_READ
            if few and not self._is_alone(domain, prop):
                read = await self._read_on(domain, prop.paths)
                found = read or everywhere._replace(complete=False)
            self._on[place] = found
        return found

    def is_stored(self, domain: Domain, paths: Sequence[Path]) -> bool | None:
        """Whether there is a path with values; not known where not all were looked for."""
        classes = (domain.class_iri, *domain.subclasses)
        held = self._held.get(classes)
        if held is None:
            held = self._held[classes] = self._paths.of(domain)
        if any(path in held for path in paths):
            return True
        looked_for = self._paths.complete and not any(_is_open(path) for path in paths)
        return False if looked_for else None

    def _is_alone(self, domain: Domain, prop: Property) -> bool:
        """Whether all statements of a property's predicate are on its paths in one domain."""
        counted = self._statistics.predicates.get(prop.iri)
        classes = (domain.class_iri, *domain.subclasses)
        held = [on_paths for iri in classes if (on_paths := self._paths.by_class.get(iri))]
        same = all(path.steps[-1].iri == prop.iri for path in prop.paths)
        if counted is None or not same or len(held) != 1:
            # Assets of several classes would count twice.
            return False
        found = sum(held[0].get(path, 0) for path in prop.paths)
        return found == counted.triples - counted.bnodes

    async def _read_on(self, domain: Domain, paths: Sequence[Path]) -> ObservedValues | None:
        """The values that assets of a domain hold on some paths; None where it takes too long."""
        usable = [path for path in paths if self.may_match(path)]
        if not usable:
            return ObservedValues(statements=0)
        query = CompiledQuery(
            "SELECT ?value (COUNT(*) AS ?n) WHERE { ?asset a ?kind . "
            f"VALUES ?kind {{ {listed(domain)} }} ?asset {alternatives(usable)} ?value "
            "FILTER(isIRI(?asset) && !isBLANK(?value)) } "
            f"GROUP BY ?value ORDER BY DESC(?n) LIMIT {VALUES_LIMIT + 1}"
        )
        try:
            rows = await self._graph.select(query, timeout=_ASK_TIMEOUT)
        except GroundwireError:
            return None
        counts = tuple((value, int(n.value)) for value, n in rows.rows if value and n)
        complete = rows.complete and len(counts) <= VALUES_LIMIT
        return _counted(counts, complete=complete)

    async def named(self, name: str, domain: Domain) -> Sequence[str]:
        """Stored predicates of a `spoken_name`; those of most statements first."""
        if self._named is None:
            self._named = {}
            for iri in self._statistics.predicates:
                self._named.setdefault(spoken_name(iri), []).append(iri)
        return self._named.get(name, ())

    async def sample(self, predicates: Iterable[str]) -> None:
        """Do nothing: the store was counted when it was built."""

    async def seek(self, predicates: Sequence[str], texts: Iterable[str]) -> bool:
        """Do nothing, as for `sample`; a text that was not listed is looked up by its text."""
        return True

    async def read_list(self, predicate: str) -> bool:
        """Do nothing, as for `sample`; see `Observed.read_list`."""
        return (await self.values(predicate)).complete

    async def read_numbers(self, predicate: str) -> bool:
        """Do nothing, as for `sample`."""
        return True

    async def instances(self) -> Mapping[str, int]:
        """How many IRIs are direct instances of each class."""
        return self._statistics.named_instances

    def may_match(self, path: Path) -> bool:
        """False where a predicate of the path has no statement."""
        return not self._statistics.complete or all(
            step.iri in self._statistics.predicates or step.repeat in ("*", "?")
            for step in path.steps
        )

    def may_end(self, path: Path, *, literal: bool) -> bool:
        """False where the last predicate of the path has no such object."""
        last = path.steps[-1]
        counted = self._statistics.predicates.get(last.iri)
        if counted is None or last.inverse or last.repeat:
            return not (literal and last.inverse)
        nodes = counted.iris + counted.bnodes
        return counted.triples > nodes if literal else nodes > 0

    @property
    def same_term(self) -> bool:
        """Return True: the engine is known."""
        return True

    @property
    def counted(self) -> bool:
        """Return True: the store was counted when it was built."""
        return True

    def single_valued(self, predicate: str) -> bool:
        """True where every subject of the predicate has one value."""
        counted = self._statistics.predicates.get(predicate)
        return counted is not None and counted.subjects == counted.triples

    def all_named(self, class_iri: str) -> bool:
        """True where as many IRIs as things are instances of the class."""
        instances = self._statistics.classes.get(class_iri)
        return instances is not None and instances == self._statistics.named_instances.get(
            class_iri
        )

    def statements(self, predicate: str) -> int:
        """How many statements have the predicate."""
        counted = self._statistics.predicates.get(predicate)
        return 0 if counted is None else counted.triples

    def occurrences(self, predicate: str, term: Term) -> int:
        """How many statements have both; of an object that was not listed, the most there are."""
        counted = self._statistics.predicates.get(predicate)
        if counted is None:
            return 0
        known = self._occurrences.get(predicate)
        if known is None:
            known = self._occurrences[predicate] = dict(counted.values)
        most = 0 if counted.values_complete else max(1, counted.triples // VALUE_CAP)
        return known.get(term, most)

    def held_classes(self) -> Collection[str] | None:
        """Every class that has an instance; None where there are more than were counted."""
        counted = self._statistics.predicates.get(RDF_TYPE)
        whole = self._statistics.complete and (counted is None or counted.values_complete)
        return self._statistics.classes if whole else None

    def instances_of(self, class_iri: str) -> int:
        """How many direct instances a class has."""
        return self._statistics.classes.get(class_iri, 0)

    def frequent(self, predicate: str) -> Sequence[tuple[Term, int]]:
        """Objects of the predicate with their numbers of statements, most first."""
        counted = self._statistics.predicates.get(predicate)
        return () if counted is None else counted.values
