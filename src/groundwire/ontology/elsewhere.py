"""Where shapes and data disagree: properties are read where they are stored, zeros looked into.

A declared property may have no statement while one of the same name has, stand on another path,
or be written from the other side. A search is told to be empty for certain only once the places
that could hold what was asked for have been looked at.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from itertools import islice, product
from typing import NamedTuple
from weakref import WeakKeyDictionary

from groundwire.errors import GroundwireError
from groundwire.graph.protocol import Graph
from groundwire.graph.queries import CompiledQuery
from groundwire.graph.statistics import RDF_TYPE
from groundwire.graph.terms import iri_n3, literal_n3
from groundwire.ontology.index.model import Domain, Path, Property, Step, local_name
from groundwire.ontology.keys import Match
from groundwire.ontology.lexicon import Lexicon
from groundwire.ontology.limits import within_any
from groundwire.ontology.patterns import alternatives
from groundwire.ontology.plan import Branch, Join, Plan, Test
from groundwire.ontology.stored_paths import StoredPaths, stored_paths
from groundwire.ontology.wording import in_a_row
from groundwire.vocabulary import Resolution, fold

Reader = Callable[[Test, Property], Awaitable[Test | None]]
"""Reads the condition of a test again, as one on another property; None where it is none."""

_MOST_VARIANTS = 16
_ASK_TIMEOUT = 1.0

_walked: WeakKeyDictionary[Graph, dict[str, StoredPaths]] = WeakKeyDictionary()
_stored: WeakKeyDictionary[Graph, dict[tuple[str, tuple[Path, ...]], bool]] = WeakKeyDictionary()


class Looked(NamedTuple):
    """What was found where a search found nothing.

    Attributes:
        plan: the same search on the paths that are stored; None where there are no others.
        changes: of `plan`: slot, name of the property, and the paths that it is also read on.
        notes: sentences that say where a value or a property is, or that it is nowhere.
        earned: whether nothing was found that casts doubt on the zero.
    """

    plan: Plan | None
    changes: tuple[tuple[str, str, str], ...]
    notes: tuple[str, ...]
    earned: bool


class _Place(NamedTuple):
    """What was found of one condition, in one kind of asset.

    Attributes:
        others: the condition on other paths of the kind.
        kinds: names of other kinds that hold the value, where this one does not.
        beside: another declared property of the kind that holds it, or empty.
        instead: a stored property of the same name without such a value, or empty.
        stored: whether any asset of the kind has the property where it is declared.
        orphaned: whether a statement holds the value that no path from an asset leads to.
        complete: whether every place was looked at.
    """

    others: tuple[Test | Join, ...]
    kinds: tuple[str, ...]
    beside: str
    instead: str
    stored: bool
    orphaned: bool
    complete: bool


class Elsewhere:
    """Looks for properties and values where the shapes do not say that they are."""

    def __init__(self, lexicon: Lexicon, graph: Graph, assets: Sequence[Domain]) -> None:
        """Look in a graph.

        Args:
            lexicon: the vocabularies of the catalogue.
            graph: its assets.
            assets: the kinds that have assets.
        """
        self._lexicon = lexicon
        self._graph = graph
        self._assets = assets

    # Properties

    async def as_stored(self, match: Match) -> Match:
        """The property as it is stored, where it is declared and never stored as declared."""
        if not self._lexicon.observed.counted:
            return match
        named = await self._homonyms(match.domain, match.prop.iri)
        if not named or await self._is_stored(match.domain, match.paths):
            return match
        found = await self._of_kind(match.domain, named)
        if not found or any(iri in match.domain.properties for iri in found):
            return match
        iri = next(iter(found))
        name = match.name or self._lexicon.key_of(match.domain, match.prop)
        prop = self._as_predicate(match.domain, match.prop, iri)
        paths = tuple(path for each in found.values() for path in each)
        return match._replace(prop=prop._replace(paths=paths), paths=paths, name=name)

    async def undeclared(self, key: str, domain: Domain) -> list[Match]:
        """Properties that assets of a domain hold under a name and no shape declares."""
        if not self._lexicon.observed.counted:
            return []
        compact = self._lexicon.compact
        named = await self._lexicon.observed.named(fold(local_name(key.split(":")[-1])), domain)
        exact = [iri for iri in named if key in (iri, compact(iri))]
        plain = [] if ":" in key else [iri for iri in named if fold(local_name(iri)) == fold(key)]
        found = await self._of_kind(domain, exact or plain)
        return [
            Match(
                domain,
                Property(iri, local_name(iri), compact(iri), paths),
                paths,
                Resolution(key, "exact", score=1.0),
                local_name(iri) if len(found) == 1 else compact(iri),
            )
            for iri, paths in found.items()
        ]

    async def _homonyms(self, domain: Domain, iri: str) -> list[str]:
        """Stored predicates of the same local name, the property's own left out."""
        named = await self._lexicon.observed.named(fold(local_name(iri)), domain)
        return [other for other in named if other not in (iri, RDF_TYPE)]

    async def _of_kind(
        self, domain: Domain, predicates: Sequence[str]
    ) -> dict[str, tuple[Path, ...]]:
        """The paths of a domain to each of some predicates that it has a path to."""
        found: dict[str, tuple[Path, ...]] = {}
        for iri in predicates:
            walked = await self._walked(iri)
            paths = [path for path in walked.of(domain) if not path.steps[-1].inverse]
            if paths:
                found[iri] = tuple(paths)
        return found

    async def _walked(self, iri: str) -> StoredPaths:
        """All paths to a predicate; found once for a graph."""
        known = _walked.setdefault(self._graph, {})
        if iri not in known:
            known[iri] = await stored_paths(self._graph, [iri], "", self._assets)
        return known[iri]

    def _as_predicate(self, domain: Domain, prop: Property, iri: str) -> Property:
        """A property with the values of another predicate."""
        if iri in domain.properties:
            return domain.properties[iri]
        return prop._replace(
            iri=iri,
            local_name=local_name(iri),
            curie=self._lexicon.compact(iri),
            paths=(Path((Step(iri),)),),
            kind="any",
            enum=(),
            individuals=(),
            has_values=(),
            closed=False,
        )

    # Zeros

    async def look(self, plan: Plan, read: Reader) -> Looked:
        """Look for what an empty search asks for in every place that could hold it.

        Args:
            plan: of the search.
            read: reads the condition of a test again, as one on another property.
        """
        notes: dict[str, None] = {}
        changes: dict[tuple[str, str, str], None] = {}
        earned = True
        variants: list[tuple[int, Branch]] = []
        for at, branch in enumerate(plan.branches):
            options: list[list[Test | Join]] = []
            for domain, asked in _asked(branch.domain, branch.tests, branch.joins):
                place = await self._place(domain, asked, read)
                earned = self._note(domain, asked, place, notes) and earned
                options.append([asked, *place.others])
                changes |= dict.fromkeys(self._change(asked, other) for other in place.others)
            for chosen in islice(product(*options), 1, _MOST_VARIANTS):
                swap = {id(option[0]): one for option, one in zip(options, chosen, strict=True)}
                variants.append((at, _swapped(branch, swap)))
        wider = None
        if variants:
            places = [at for at, _ in variants]
            wider = Plan(
                tuple(branch for _, branch in variants),
                plan.ordering and plan.ordering._replace(paths=_at(plan.ordering.paths, places)),
                plan.grouping and plan.grouping._replace(paths=_at(plan.grouping.paths, places)),
            )
        return Looked(wider, tuple(changes), tuple(notes), earned)

    async def _place(self, domain: Domain, asked: Test | Join, read: Reader) -> _Place:
        own = {path.steps[-1].iri for path in _paths(asked)}
        named = {
            iri: None
            for predicate in own
            for iri in (
                predicate,
                *await self._lexicon.observed.named(fold(local_name(predicate)), domain),
            )
            if iri != RDF_TYPE
        }
        others: list[Test | Join] = []
        kinds: dict[str, None] = {}
        beside, instead, orphaned, complete, here = "", "", False, True, False
        compact = self._lexicon.compact
        for iri in named:
            variant = asked
            if isinstance(asked, Test) and iri not in own:
                variant = await read(asked, self._as_predicate(domain, _property(domain, own), iri))
            held = _held(variant) if variant is not None else None
            if variant is None or held is None:
                if (await self._walked(iri)).of(domain):
                    # It is there, and nothing of it is called what was asked for.
                    instead = instead or compact(iri)
                continue
            found = await self._walked(iri)
            if not found.complete:
                # Where the value is can be found where the whole property is too large to read.
                found = await stored_paths(self._graph, [iri], held, self._assets)
            complete = complete and found.complete
            more = tuple(path for path in found.of(domain) if path not in _paths(asked))
            if more and iri not in own and iri in domain.properties:
                beside = beside or (await self._holds(domain, more, held) and compact(iri)) or ""
            elif more:
                others.append(_on(variant, more))
            if others or here or await self._holds(domain, found.of(domain), held):
                here = True
                continue
            holding = [
                each.name
                for each in self._assets
                if each is not domain and await self._holds(each, found.of(each), held)
            ]
            kinds |= dict.fromkeys(holding)
            orphaned = orphaned or (not holding and await self._is_there(iri, held))
        stored = await self._is_stored(domain, _paths(asked))
        elsewhere = () if here else tuple(kinds)
        return _Place(tuple(others), elsewhere, beside, instead, stored, orphaned, complete)

    def _note(
        self, domain: Domain, asked: Test | Join, place: _Place, notes: dict[str, None]
    ) -> bool:
        """Add what is to be said of a condition; whether a zero is earned as far as it goes."""
        if place.others:
            return True
        kind = domain.name
        name = asked.name if isinstance(asked, Test) else f"connected {asked.domain.name}"
        held = in_a_row(place.kinds, 4)
        if place.beside:
            notes[f"{place.beside} of {kind} is another property, which holds this: ask for it"] = (
                None
            )
        elif not place.stored and place.instead:
            notes[f"{kind} assets have {place.instead} instead of the {name} of the shapes"] = None
        elif not place.stored and held:
            notes[f"no {kind} asset has a {name}, but of this one there are in: {held}"] = None
        elif not place.stored:
            notes[f"no {kind} asset has a {name} under any name or path, though declared"] = None
        elif held:
            notes[f"assets with such a {name} are in: {held}"] = None
        elif place.orphaned:
            notes[f"such a {name} is stored where no path leads to it from an asset"] = None
        if not place.complete:
            notes[f"not every place that may hold {name} could be looked at in time"] = None
        return place.stored and place.complete and not (place.beside or place.orphaned)

    def _change(self, asked: Test | Join, other: Test | Join) -> tuple[str, str, str]:
        """Slot, name, and the other paths of a condition, for a correction."""
        compact = self._lexicon.compact
        name = asked.name if isinstance(asked, Test) else asked.domain.name
        listed = dict.fromkeys(
            f"{compact(path.steps[-1].iri)} ({path.local()})" for path in _paths(other)
        )
        return asked.slot, name, ", ".join(islice(listed, 3))

    async def _is_stored(self, domain: Domain, paths: Sequence[Path]) -> bool:
        """Whether any asset of a domain has a value on one of the paths; asked once."""
        known = _stored.setdefault(self._graph, {})
        place = (domain.class_iri, tuple(paths))
        if place not in known:
            known[place] = await self._holds(domain, paths, "")
        return known[place]

    async def _holds(self, domain: Domain, paths: Sequence[Path], held: str) -> bool:
        """Whether an asset of a domain holds a value on one of the paths."""
        usable = [path for path in paths if self._lexicon.observed.may_match(path)]
        if not usable:
            return False
        classes = " ".join(map(iri_n3, (domain.class_iri, *domain.subclasses)))
        return await self._ask(
            f"?asset {alternatives(usable)} ?value . {held} ?asset a ?kind "
            f"VALUES ?kind {{ {classes} }} FILTER(isIRI(?asset))"
        )

    async def _is_there(self, iri: str, held: str) -> bool:
        """Whether any statement of a predicate holds a value, reached from an asset or not."""
        return await self._ask(f"?node {iri_n3(iri)} ?value . {held}")

    async def _ask(self, pattern: str) -> bool:
        """Whether a pattern matches; no, where that cannot be said in time."""
        try:
            query = CompiledQuery(f"ASK {{ {pattern} }}")
            return await self._graph.ask(query, timeout=_ASK_TIMEOUT)
        except GroundwireError:
            return False


def _asked(
    domain: Domain, tests: Sequence[Test], joins: Sequence[Join]
) -> Iterator[tuple[Domain, Test | Join]]:
    """Conditions that can be met by nothing, with the kind that they are asked of."""
    for test in tests:
        if _held(test) is not None:
            yield domain, test
    for join in joins:
        yield domain, join
        yield from _asked(join.domain, join.tests, join.joins)


def _held(asked: Test | Join) -> str | None:
    """A pattern of what a value must be at least; None where nothing must be there."""
    if isinstance(asked, Join):
        classes = " ".join(map(iri_n3, (asked.domain.class_iri, *asked.domain.subclasses)))
        return f"?value a ?target VALUES ?target {{ {classes} }}"
    terms = [*asked.any_of, *(term for group in asked.all_of for term in group)]
    if terms:
        return f"VALUES ?value {{ {' '.join(term.n3() for term in terms)} }}"
    if asked.contains:
        texts = [f"CONTAINS(LCASE(STR(?value)), {literal_n3(t.lower())})" for t in asked.contains]
        return f"FILTER({' || '.join(texts)})"
    bounds = [*asked.any_bounds, *asked.all_bounds, *([asked.bounds] if asked.bounds else [])]
    if bounds:
        return f"FILTER({within_any(bounds, '?value')})"
    return "" if asked.exists else None


def _paths(asked: Test | Join) -> tuple[Path, ...]:
    return (
        asked.paths
        if isinstance(asked, Test)
        else (*asked.paths, *map(_turned, asked.inverse_paths))
    )


def _turned(path: Path) -> Path:
    """A path read from its other end."""
    return Path(tuple(step._replace(inverse=not step.inverse) for step in reversed(path.steps)))


def _on(asked: Test | Join, paths: tuple[Path, ...]) -> Test | Join:
    """A condition on other paths."""
    if isinstance(asked, Test):
        return asked._replace(paths=paths)
    return asked._replace(paths=paths, inverse_paths=())


def _swapped(branch: Branch, swap: dict[int, Test | Join]) -> Branch:
    """A branch with some of its conditions in another form."""
    return branch._replace(
        tests=tuple(_test(test, swap) for test in branch.tests),
        joins=tuple(_joined(join, swap) for join in branch.joins),
    )


def _test(test: Test, swap: dict[int, Test | Join]) -> Test:
    other = swap.get(id(test), test)
    return other if isinstance(other, Test) else test


def _joined(join: Join, swap: dict[int, Test | Join]) -> Join:
    other = swap.get(id(join), join)
    way = other if isinstance(other, Join) else join
    return way._replace(
        tests=tuple(_test(test, swap) for test in join.tests),
        joins=tuple(_joined(inner, swap) for inner in join.joins),
    )


def _at(paths: Sequence[tuple[Path, ...]], places: Sequence[int]) -> tuple[tuple[Path, ...], ...]:
    return tuple(paths[place] for place in places)


def _property(domain: Domain, predicates: set[str]) -> Property:
    """The declared property of a domain that ends in one of some predicates."""
    for prop in domain.properties.values():
        if prop.iri in predicates:
            return prop
    (iri, *_) = predicates
    return Property(iri, local_name(iri), iri, ())
