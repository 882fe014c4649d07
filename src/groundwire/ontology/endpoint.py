"""The content of an endpoint, asked bit by bit: no question reads a whole predicate first.

Before a search only what it names is looked up: whether a value is stored, in which forms, and
about how many statements its conditions touch. Whole lists and numbers come later, with a time
limit, and whatever could not be looked at is not told as known.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy
from typing import NamedTuple

from groundwire.errors import DeadlineError, ForbiddenError, GroundwireError, NotReachedError
from groundwire.graph.queries import CompiledQuery, Graph
from groundwire.graph.terms import RDF_LANG_STRING, Row, Term, iri, iri_n3, literal
from groundwire.ontology.index.model import Domain, Path, Property, local_name, spoken_name
from groundwire.ontology.observed import VALUES_LIMIT, Connected, Labelled, ObservedValues, listed
from groundwire.ontology.plan import Known, Nothing

_ASKED_AGAIN_AFTER = 600.0
# Seconds for a look that a search can do without, for a list, and for numbers.
_LOOK_TIMEOUT = 2.0
_LIST_TIMEOUT = 3.0
_COUNT_TIMEOUT = 4.0
_CONNECT_TIMEOUT = 6.0
_MOST_OF_A_CALL = 0.4
# A slower endpoint is not asked for what only makes a query quicker.
SLOW = 0.5
# Statements of a predicate that are read to know its datatypes and some of its values.
_SAMPLE = 500
_SAMPLE_OF_MANY = 100
_PREDICATES = 20
_CLASSES = 200
# How far instances of a class are counted when the endpoint is first asked.
COUNTED_INSTANCES = 10_001
_NEAR_LIMIT = 500
_MOST_FORMS = 60
_PLAIN_NAME = re.compile(r"[\w.-]+")
_LANGUAGES = ("en", "de", "fr", "es", "it", "zh")


class Held(NamedTuple):
    """Which classes have named instances.

    Attributes:
        numbers: about how many instances each has, unnamed ones included, counted no further than
            `COUNTED_INSTANCES`; as many where nobody counted.
        unknown: classes that could not be looked at.
    """

    numbers: dict[str, int]
    unknown: tuple[str, ...]


class _Seen(NamedTuple):
    """Knowledge of a predicate: since when, and whether its list or its numbers were read."""

    since: float
    values: ObservedValues
    listed: bool = False
    counted: bool = False


class EndpointObserved:
    """The content of a remote endpoint as far as it was asked; kept for ten minutes."""

    ordered = False
    same_term = False

    def __init__(self, graph: Graph) -> None:
        """Ask `graph`."""
        self._graph = graph
        self._known: Known = Nothing()
        self.connects = Connected(graph).connects
        self.labels = Labelled(graph).labels
        self._seen: dict[str, _Seen] = {}
        self._near: dict[str, tuple[str, ...]] = {}
        self._sought: set[tuple[str, Term]] = set()

    @property
    def is_slow(self) -> bool:
        """Whether even its quickest answers take long."""
        return getattr(self._graph, "pace", 0.0) > SLOW

    # Without asking, see `Known`

    def knowing(self, known: Known) -> EndpointObserved:
        """Return the same endpoint, of which `known` is known besides."""
        other = copy(self)
        other._known = known
        return other

    @property
    def counted(self) -> bool:
        """Whether numbers are known."""
        return self._known.counted

    def may_match(self, path: Path) -> bool:
        """Return True: the endpoint may hold such a statement."""
        return True

    def held_classes(self) -> Collection[str] | None:
        """Return None: which classes have unnamed instances was not looked at."""
        return None

    def single_valued(self, predicate: str) -> bool:
        """Return False: nothing is sure of an endpoint."""
        return False

    def all_named(self, class_iri: str) -> bool:
        """Return False: nothing is sure of an endpoint."""
        return False

    def statements(self, predicate: str) -> int:
        """About how many statements have the predicate."""
        return self._known.statements(predicate)

    def occurrences(self, predicate: str, term: Term) -> int:
        """About how many statements have both."""
        return self._known.occurrences(predicate, term)

    def instances_of(self, class_iri: str) -> int:
        """About how many direct instances a class has."""
        return self._known.instances_of(class_iri)

    def frequent(self, predicate: str) -> Sequence[tuple[Term, int]]:
        """Return nothing: objects of an endpoint are not counted by how frequent they are."""
        return ()

    # Classes

    async def held(self, classes: Sequence[str]) -> Held:
        """Return which of some classes have named instances, and about how many.

        Raises:
            UnavailableError: the endpoint does not answer at all.
        """
        end = time.monotonic() + _CONNECT_TIMEOUT
        found: list[str] = []
        unknown: list[str] = []
        for at in range(0, len(classes), _CLASSES):
            some = classes[at : at + _CLASSES]
            try:
                found += await self._with_instances(some, end)
            except DeadlineError:
                unknown += some
        numbers = dict.fromkeys(found, COUNTED_INSTANCES)
        if found and not self.is_slow:
            parts = {name: f"?asset a {iri_n3(name)}" for name in found[:_CLASSES]}
            seconds = min(max(end - time.monotonic(), 0.1), _LOOK_TIMEOUT)
            numbers |= await self.bounded_counts(parts, COUNTED_INSTANCES, seconds)
        return Held(numbers, tuple(unknown))

    async def _with_instances(self, classes: Sequence[str], end: float) -> list[str]:
        """Classes that have a named instance."""
        terms = " ".join(map(iri_n3, classes))
        query = CompiledQuery(
            f"SELECT ?class WHERE {{ VALUES ?class {{ {terms} }} "
            "FILTER EXISTS { ?asset a ?class FILTER(isIRI(?asset)) } }"
        )
        try:
            rows = await self._graph.select(query, timeout=max(end - time.monotonic(), 0.1))
            if rows.complete:
                return [row[0].value for row in rows.rows if row[0]]
        except (DeadlineError, ForbiddenError, NotReachedError):
            raise
        except GroundwireError:
            pass
        # It does not understand the question, or answers a part of it: class by class.
        found: list[str] = []
        for name in classes:
            ask = CompiledQuery(f"ASK {{ ?asset a {iri_n3(name)} FILTER(isIRI(?asset)) }}")
            if await self._graph.ask(ask, timeout=max(end - time.monotonic(), 0.1)):
                found.append(name)
        return found

    async def bounded_counts(
        self, patterns: Mapping[str, str], most: int, seconds: float = _LOOK_TIMEOUT
    ) -> dict[str, int]:
        """How many solutions some patterns have, none counted further than `most`; {} if refused.

        Args:
            patterns: by names of any kind.
            most: where counting ends.
            seconds: for all of them.
        """
        if not patterns:
            return {}
        names = list(patterns)
        parts = [
            f"{{ SELECT (COUNT(*) AS ?n{at}) WHERE {{ SELECT * WHERE {{ {patterns[name]} }} "
            f"LIMIT {most:d} }} }}"
            for at, name in enumerate(names)
        ]
        columns = " ".join(f"?n{at}" for at in range(len(names)))
        query = CompiledQuery(f"SELECT {columns} WHERE {{ {' '.join(parts)} }}")
        try:
            rows = await self._graph.select(query, timeout=_share(seconds))
            [row] = rows.rows
        except (GroundwireError, ValueError):
            return {}
        found = zip(names, row, strict=True)
        return {name: int(term.value) for name, term in found if term and term.value.isdigit()}

    async def instances(self) -> Mapping[str, int]:
        """Name no class here: `held` names those of the classes that it is asked for."""
        return {}

    # Values

    async def values(self, predicate: str) -> ObservedValues:
        """Some values of a predicate, those that searches named among them; all where few."""
        await self.sample([predicate])
        seen = self._seen.get(predicate)
        return seen.values if seen is not None else _NOTHING_SEEN

    async def values_of(self, domain: Domain, prop: Property) -> ObservedValues:
        """The values of a property's predicate, over all subjects."""
        return await self.values(prop.iri)

    def is_stored(self, domain: Domain, paths: Sequence[Path]) -> bool | None:
        """Return None: an endpoint was not counted."""
        return None

    async def sample(self, predicates: Iterable[str]) -> None:
        """Look at some statements of each predicate, of many at once."""
        new = [name for name in dict.fromkeys(predicates) if self._is_new(name)]
        most = _SAMPLE if len(new) == 1 else _SAMPLE_OF_MANY
        for at in range(0, len(new), _PREDICATES):
            await self._sample(new[at : at + _PREDICATES], most)

    async def _sample(self, predicates: Sequence[str], most: int) -> None:
        parts = [
            f"{{ SELECT ?predicate ?value WHERE {{ ?subject {iri_n3(name)} ?value "
            f"FILTER(!isBlank(?value)) BIND({iri_n3(name)} AS ?predicate) }} LIMIT {most + 1} }}"
            for name in predicates
        ]
        query = CompiledQuery(f"SELECT ?predicate ?value WHERE {{ {' UNION '.join(parts)} }}")
        try:
            rows = await self._graph.select(query, timeout=_share(_LOOK_TIMEOUT))
        except GroundwireError:
            return
        found: dict[str, Counter[Term]] = {name: Counter() for name in predicates}
        for predicate, value in rows.rows:
            if predicate and value and predicate.value in found:
                found[predicate.value][value] += 1
        for name, values in found.items():
            number = values.total()
            whole = rows.complete and number <= most
            # Numbers of a part are none that anybody asked for.
            counts = [(term, n if whole else 0) for term, n in values.most_common()]
            if not whole:
                # What searches named was looked up beside.
                counts += [(term, 0) for term, _ in self._counts(name) if term not in values]
            self._see(name, counts, whole, number if whole else None, listed=whole, counted=whole)

    async def seek(self, predicates: Sequence[str], texts: Iterable[str]) -> bool:
        """Look up in which forms predicates hold some texts; `values` knows them from then on.

        Returns:
            Whether that could be looked up.
        """
        known = [term for name in predicates for term, _ in self._counts(name)]
        sought = dict.fromkeys(text for text in texts if text)
        forms = list(dict.fromkeys(one for text in sought for one in _forms(text, known)))
        places = [
            name
            for name in dict.fromkeys(predicates)
            if not (name in self._seen and self._seen[name].values.complete)
        ]
        new = [form for form in forms if any((name, form) not in self._sought for name in places)]
        if not new:
            return True
        query = CompiledQuery(
            "SELECT ?predicate ?value WHERE { "
            f"VALUES ?predicate {{ {' '.join(map(iri_n3, places))} }} "
            f"VALUES ?value {{ {' '.join(term.n3() for term in new)} }} "
            "FILTER EXISTS { ?subject ?predicate ?value } }"
        )
        try:
            rows = await self._graph.select(query, timeout=_share(_LOOK_TIMEOUT))
        except GroundwireError:
            return False
        if not rows.complete:
            return False
        self._sought |= {(name, form) for name in places for form in new}
        for name in places:
            self._add(name, rows.rows)
        return True

    def _add(self, predicate: str, rows: Sequence[Row]) -> None:
        """Add values that were found to those that are known of a predicate."""
        known = self._counts(predicate)
        held = {term for term, _ in known}
        more = tuple(
            (value, 0)
            for name, value in rows
            if name and value and name.value == predicate and value not in held
        )
        if more:
            seen = self._seen.get(predicate)
            found = (*known, *more)
            if seen is None:
                # Nothing but this is known, so it is still to be looked at.
                self._see(predicate, found, False, None, since=0.0)
            else:
                self._see(predicate, found, seen.values.complete, None, listed=seen.listed)

    async def read_list(self, predicate: str) -> bool:
        """Read which values a predicate has, and return whether all of them are known now."""
        await self.sample([predicate])
        seen = self._seen.get(predicate)
        if seen is not None and seen.listed:
            return seen.values.complete
        query = CompiledQuery(
            f"SELECT DISTINCT ?value WHERE {{ ?subject {iri_n3(predicate)} ?value "
            f"FILTER(!isBlank(?value)) }} LIMIT {VALUES_LIMIT + 1}"
        )
        try:
            rows = await self._graph.select(query, timeout=_share(_LIST_TIMEOUT))
        except GroundwireError:
            return False
        found = dict.fromkeys(row[0] for row in rows.rows if row[0] is not None)
        complete = rows.complete and len(rows.rows) <= VALUES_LIMIT
        if not complete:
            found |= dict.fromkeys(term for term, _ in self._counts(predicate))
        self._see(predicate, [(term, 0) for term in found], complete, None, listed=True)
        return complete

    async def read_numbers(self, predicate: str) -> bool:
        """Count the values of a predicate, and return whether that could be done in time."""
        await self.sample([predicate])
        seen = self._seen.get(predicate)
        if seen is not None and seen.counted:
            return True
        query = CompiledQuery(
            "SELECT ?value (COUNT(*) AS ?n) WHERE { "
            f"?subject {iri_n3(predicate)} ?value FILTER(!isBlank(?value)) }} "
            f"GROUP BY ?value ORDER BY DESC(?n) LIMIT {VALUES_LIMIT + 1}"
        )
        try:
            rows = await self._graph.select(query, timeout=_share(_COUNT_TIMEOUT))
        except GroundwireError:
            await self.read_list(predicate)
            return False
        counts = [(v, int(n.value)) for v, n in rows.rows if v and n and n.value.isdigit()]
        complete = rows.complete and len(counts) <= VALUES_LIMIT
        number = sum(n for _, n in counts) if complete else None
        if not rows.complete:
            # Numbers of a part of the statements.
            counts = [(term, 0) for term, _ in counts]
        self._see(predicate, counts, complete, number, listed=True, counted=rows.complete)
        return rows.complete

    def may_end(self, path: Path, *, literal: bool) -> bool:
        """Return True: objects of an endpoint are not counted by their kind."""
        return True

    async def named(self, name: str, domain: Domain) -> Sequence[str]:
        """Predicates of a `spoken_name` that assets of the domain or their parts hold."""
        near = self._near.get(domain.class_iri)
        if near is None:
            some = f"SELECT ?asset WHERE {{ ?asset a ?kind VALUES ?kind {{ {listed(domain)} }} }}"
            query = CompiledQuery(
                f"SELECT DISTINCT ?predicate WHERE {{ {{ {some} LIMIT {_SAMPLE} }} "
                "{ ?asset ?predicate ?value } UNION "
                f"{{ ?asset ?to ?part . ?part ?predicate ?value }} }} LIMIT {_NEAR_LIMIT}"
            )
            try:
                rows = await self._graph.select(query, timeout=_share(_LOOK_TIMEOUT))
            except GroundwireError:
                return ()
            near = self._near[domain.class_iri] = tuple(row[0].value for row in rows.rows if row[0])
        return [iri for iri in near if spoken_name(iri) == name]

    def _is_new(self, predicate: str) -> bool:
        seen = self._seen.get(predicate)
        return seen is None or time.monotonic() - seen.since > _ASKED_AGAIN_AFTER or not seen.since

    def _counts(self, predicate: str) -> tuple[tuple[Term, int], ...]:
        seen = self._seen.get(predicate)
        return () if seen is None else seen.values.counts

    def _see(
        self,
        predicate: str,
        counts: Sequence[tuple[Term, int]],
        complete: bool,
        statements: int | None,
        *,
        listed: bool = False,
        counted: bool = False,
        since: float | None = None,
    ) -> None:
        datatypes: Counter[str] = Counter()
        for term, number in counts:
            if term.kind == "literal":
                datatypes[term.datatype] += max(number, 1)
        found = ObservedValues(
            tuple(counts[:VALUES_LIMIT]),
            complete,
            tuple(name for name, _ in datatypes.most_common()),
            statements,
        )
        since = time.monotonic() if since is None else since
        self._seen[predicate] = _Seen(since, found, listed, counted)


_NOTHING_SEEN = ObservedValues(complete=False)


def _share(seconds: float) -> float:
    """Return at most `seconds`, and no more than leaves the call time for its answer."""
    from anyio import current_effective_deadline, current_time

    return max(min(seconds, (current_effective_deadline() - current_time()) * _MOST_OF_A_CALL), 0.0)


def _forms(text: str, known: Sequence[Term]) -> list[Term]:
    """The terms that a text may be stored as beside known values: plain, tagged, an IRI."""
    spellings = dict.fromkeys((text, text.lower(), text.upper(), text.capitalize(), text.title()))
    languages = dict.fromkeys((*(t.language for t in known if t.language), *_LANGUAGES))
    datatypes = dict.fromkeys(
        t.datatype for t in known if t.kind == "literal" and t.datatype != RDF_LANG_STRING
    )
    namespaces = dict.fromkeys(
        t.value.removesuffix(local_name(t.value)) for t in known if t.kind == "iri"
    )
    found = [iri(text)] if re.match(r"[a-z][a-z0-9+.-]*:\S+$", text, re.IGNORECASE) else []
    for one in spellings:
        found.append(literal(one))
        if _PLAIN_NAME.fullmatch(one):
            found += [iri(namespace + one) for namespace in list(namespaces)[:4]]
    for one in spellings:
        found += [literal(one, datatype) for datatype in list(datatypes)[:4]]
        found += [literal(one, language=language) for language in list(languages)[:8]]
    return list(dict.fromkeys(found))[:_MOST_FORMS]
