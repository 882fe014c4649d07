"""Whether a search that finds nothing has earned its zero, and one for what is lacking its assets.

A zero is certain only where every way to read the conditions together finds nothing: conditions
that are each met, but never by one asset, make an honest zero wherever their values stand. What an
asset is said to lack it must hold nowhere, or it would be one too many.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import cached_property
from itertools import islice, product
from math import prod
from typing import NamedTuple, cast
from weakref import WeakKeyDictionary

from groundwire.errors import GroundwireError
from groundwire.graph.queries import Graph
from groundwire.graph.terms import iri_n3
from groundwire.ontology.compile import page_query, total_query
from groundwire.ontology.elsewhere import Elsewhere
from groundwire.ontology.held import (
    Condition,
    Place,
    Swap,
    arranged,
    exchanged,
    held_by,
    swapped,
    ways_of,
)
from groundwire.ontology.index.model import Domain, Path
from groundwire.ontology.parts import alternatives
from groundwire.ontology.plan import Branch, Join, Known, Plan, Test
from groundwire.ontology.stored_properties import StoredProperties

_MOST_VARIANTS = 16
_TIMEOUT = 5.0
_SOFT_LIMIT = 0.2
_MOST_PROPERTIES = 40

_differing = WeakKeyDictionary[Graph, dict[tuple[str, tuple[Path, ...]], bool]]()


class Offer(NamedTuple):
    """A gap that says what may be sent instead of a condition."""

    slot: str
    term: str
    detail: str
    suggestions: tuple[str, ...]


class Looked(NamedTuple):
    """Findings where a search found nothing, or where assets lack a property only as declared.

    Attributes:
        plan: the same search as the data have it; None where that makes no difference.
        changes: of `plan`: slot, name of the condition, and where it is stored.
        notes: sentences that say where a value or a property is, or that it is nowhere.
        offers: what may be meant instead.
        earned: whether nothing was found that casts doubt on the answer.
        looked: the places that were looked at, by name.
        declared: how many assets match as the shapes declare it.
        by_name: properties of other namespaces are read for no more than their name.
    """

    plan: Plan | None = None
    changes: tuple[tuple[str, str, str], ...] = ()
    notes: tuple[str, ...] = ()
    offers: tuple[Offer, ...] = ()
    earned: bool = True
    looked: tuple[str, ...] = ()
    declared: int = 0
    by_name: bool = False


class _Seen(NamedTuple):
    """A condition of a branch, with its kind of asset and its places."""

    domain: Domain
    asked: Condition
    place: Place


class _Kind(NamedTuple):
    """A kind of asset as the data have it: with further classes, or with things without an IRI."""

    domain: Domain
    more: tuple[str, ...]
    has_unnamed: bool
    is_empty: bool


class Zeros:
    """Looks into searches."""

    def __init__(self, stored: StoredProperties, graph: Graph) -> None:
        """Look in a graph for what `stored` finds there."""
        self._stored = stored
        self._graph = graph
        self._observed = stored.lexicon.observed

    @cached_property
    def _elsewhere(self) -> Elsewhere:
        """Finds the places of conditions; most searches need none."""
        return Elsewhere(self._stored, self._graph)

    async def _may_differ(self, domain: Domain, asked: Test) -> bool:
        """Whether some assets may hold a property otherwise than others; looked up once."""
        known = _differing.setdefault(self._graph, {})
        key = (domain.class_iri, asked.paths)
        if key not in known:
            known[key] = await self._elsewhere.differs(domain, asked)
        return known[key]

    async def look(self, plan: Plan) -> Looked:
        """Look for what an empty search asks for in every place that could hold it."""
        self._elsewhere.begin()
        kinds = [await self._kind(branch.domain) for branch in plan.branches]
        seen = [
            [
                _Seen(domain, asked, await self._elsewhere.place(domain, asked))
                for domain, asked in _positive(kind.domain, branch.tests, branch.joins)
            ]
            for kind, branch in zip(kinds, plan.branches, strict=True)
        ]
        every = [one for several in seen for one in several]
        wide, _ = _variants(plan, kinds, seen, loose=False)
        if wide is not None and await self._matches(wide):
            changes = await self._needed(plan, kinds, seen)
            return Looked(wide, changes, looked=_looked(every))
        loose, is_whole = _variants(plan, kinds, seen, loose=True)
        unnamed = any(kind.has_unnamed for kind in kinds)
        doubted = loose is not None and await self._matches(loose) is not False
        is_unnamed = False
        if unnamed and not doubted:
            known = cast("Known", _Unnamed(self._observed))
            is_unnamed = await self._matches(loose or plan, known) is not False
        notes: dict[str, None] = {}
        offers: list[Offer] = []
        if doubted:
            for one in every:
                if one.place.unknown or one.place.doubts:
                    notes |= dict.fromkeys((*one.place.notes, one.place.unknown))
                    offers += _offers(one)
            if not is_whole:
                notes["more ways to read the conditions were left out than could be tried"] = None
        elif is_unnamed:
            names = " or ".join(kind.domain.name for kind in kinds if kind.has_unnamed)
            notes[f"{names} things that may match have no IRI, so they are no assets"] = None
            doubted = True
        else:
            for one in every:
                notes |= dict.fromkeys(one.place.notes if not one.place.doubts else ())
            notes |= {
                f"the data hold no {kind.domain.name} at all": None
                for kind in kinds
                if kind.is_empty
            }
        for kind, branch in zip(kinds, plan.branches, strict=True):
            if await self._is_untyped(kind, branch):
                what = "such a thing" if not branch.tests else f"such a {branch.tests[0].name}"
                notes[f"{what} is stored where no path leads to it from an asset"] = None
                doubted = True
        notes.pop("", None)
        return Looked(None, (), tuple(notes), tuple(offers), not doubted, _looked(every))

    async def fewer(self, plan: Plan) -> Looked | None:
        """Look for assets that hold what is asked for otherwise than those that a search finds.

        Returns:
            the search with them, where there are more; None where nothing is to be said.
        """
        kinds = [_Kind(branch.domain, (), False, False) for branch in plan.branches]
        seen: list[list[_Seen]] = []
        for branch in plan.branches:
            seen.append([])
            for domain, asked in _positive(branch.domain, branch.tests, branch.joins):
                place = Place()
                if isinstance(asked, Test) and await self._may_differ(domain, asked):
                    self._elsewhere.begin()
                    place = await self._elsewhere.place(domain, asked)
                seen[-1].append(_Seen(domain, asked, place))
        if not any(one.place.readings for several in seen for one in several):
            return None
        wide, _ = _variants(plan, kinds, seen, loose=False)
        if wide is None:
            return None
        few, many = await self._count(plan), await self._count(wide)
        if few is None or many is None or not 0 < few < many:
            return None
        return Looked(wide, await self._needed(plan, kinds, seen), declared=few)

    async def lacking(self, plan: Plan, probe: Callable[[], Awaitable[Known]]) -> Looked | None:
        """Look for assets that hold elsewhere what a search says that they lack.

        Args:
            plan: what is searched.
            probe: finds what is known of its conditions; called where that is needed.

        Returns:
            the search without them, where there are some; None where nothing is to be said.
        """
        negative = [
            (domain, asked, absent)
            for branch in plan.branches
            for domain, asked, absent in _negative(branch.domain, branch.tests, branch.joins)
        ]
        if not negative:
            return None
        known = await probe()
        self._elsewhere.begin()
        own = [test for branch in plan.branches for test in branch.tests]
        swap: Swap = {}
        doubts: list[_Seen] = []
        notes: dict[str, None] = {}
        changes: list[tuple[str, str, str]] = []
        looked: list[_Seen] = []
        earned, by_name = True, False
        for domain, asked, absent in negative:
            if isinstance(absent, Test) and not await self._may_differ(domain, absent):
                among = total_query(plan, known=known) if asked in own else None
                place = await self._elsewhere.other_forms(domain, absent, among)
            else:
                place = await self._elsewhere.place(domain, absent)
            seen = _Seen(domain, asked, place)
            looked.append(seen)
            for reading in seen.place.readings:
                both = exchanged(plan, {id(asked): (asked, reading)})
                if await self._matches(both, known) is not False:
                    swap[id(asked)] = (_without(swap.get(id(asked), (asked,))[0], reading),)
            if id(asked) in swap:
                by_name = by_name or _by_name(asked, swap[id(asked)][0])
                changes.append((asked.slot, _name(asked), seen.place.change))
            for doubt in seen.place.doubts:
                both = exchanged(plan, {id(asked): (asked, doubt)})
                if await self._matches(both, known) is not False:
                    doubts.append(seen)
                    notes |= dict.fromkeys(seen.place.notes)
            if "in time" in seen.place.unknown:
                notes[seen.place.unknown] = None
                earned = False
        counted = max((one.place.without or 0 for one in looked), default=0)
        if not (swap or notes or counted):
            return None
        return Looked(
            exchanged(plan, swap) if swap else None,
            tuple(changes),
            tuple(notes),
            earned=earned and not doubts,
            looked=_looked(looked),
            declared=0 if swap else counted,
            by_name=by_name,
        )

    async def _needed(
        self, plan: Plan, kinds: Sequence[_Kind], seen: Sequence[Sequence[_Seen]]
    ) -> tuple[tuple[str, str, str], ...]:
        """The changes without which nothing is found; all where each alone is enough."""
        changed = [one for several in seen for one in several if one.place.readings]
        found: dict[tuple[str, str, str], None] = {}
        needed: dict[tuple[str, str, str], None] = {}
        for one in changed:
            change = (one.asked.slot, _name(one.asked), one.place.change)
            found[change] = None
            others = [
                [
                    each._replace(place=Place()) if each.asked is one.asked else each
                    for each in several
                ]
                for several in seen
            ]
            without, _ = _variants(plan, kinds, others, loose=False)
            if len(changed) > 1 and not await self._matches(without or plan):
                needed[change] = None
        for kind in kinds:
            if kind.more:
                classes = ", ".join(map(self._stored.lexicon.compact, kind.more))
                found["domains", kind.domain.name, classes] = None
                needed["domains", kind.domain.name, classes] = None
        return tuple(needed or found)

    async def _kind(self, domain: Domain) -> _Kind:
        """A kind with the classes that the data have beside those of the shapes."""
        instances = await self._observed.instances()
        own = {domain.class_iri, *domain.subclasses}
        wide = await self._elsewhere.as_stored(domain)
        more = tuple(iri for iri in wide.subclasses if iri not in own)
        if self._observed.counted:
            unnamed = any(self._observed.instances_of(iri) > instances.get(iri, 0) for iri in own)
        else:
            classes = " ".join(map(iri_n3, sorted(own)))
            unnamed = await self._elsewhere.ask(
                f"?asset a ?kind VALUES ?kind {{ {classes} }} FILTER(isBlank(?asset))"
            )
        return _Kind(wide, more, unnamed, not any(instances.get(iri) for iri in own))

    async def _is_untyped(self, kind: _Kind, branch: Branch) -> bool:
        """Whether a thing of no stated class, that nothing refers to, meets all conditions."""
        asked = [*(test for test in branch.tests if test.asks_for_something), *branch.joins]
        parts: list[str] = []
        for at, one in enumerate(asked):
            ways = dict.fromkeys(
                Path(way.steps[n:]) for way in ways_of(one) for n in range(len(way.steps))
            )
            usable = [path for path in ways if self._observed.may_match(path)]
            if not usable:
                return False
            held = held_by(one).replace("?value", f"?value{at}").replace("?target", f"?target{at}")
            if not await self._elsewhere.is_anywhere(usable, held_by(one)):
                return False
            parts.append(f"?asset {alternatives(usable)} ?value{at} . {held}")
        if not asked:
            if not kind.is_empty:
                return False
            firsts = {
                path.steps[:1] for prop in kind.domain.properties.values() for path in prop.paths
            }
            usable = [Path(steps) for steps in firsts if self._observed.may_match(Path(steps))]
            if not usable:
                return False
            parts = [f"?asset {alternatives(sorted(usable)[:_MOST_PROPERTIES])} ?value ."]
        return await self._elsewhere.ask(
            f"{' '.join(parts)} FILTER NOT EXISTS {{ ?asset a ?any }} "
            "FILTER NOT EXISTS { ?other ?link ?asset }"
        )

    async def _count(self, plan: Plan) -> int | None:
        """How many assets match; None where they cannot be counted in time."""
        try:
            found = await self._graph.count(
                total_query(plan, known=self._observed), timeout=_TIMEOUT, soft_timeout=_SOFT_LIMIT
            )
        except GroundwireError:
            return None
        return found.value if found.exact else None

    async def _matches(self, plan: Plan, known: Known | None = None) -> bool | None:
        """Whether an asset matches; None where that cannot be said in time."""
        bare = plan._replace(ordering=None, grouping=None, aggregation=None)
        query = page_query(bare, limit=1, known=known or self._observed)
        try:
            return bool((await self._graph.select(query, timeout=_TIMEOUT)).rows)
        except GroundwireError:
            return None


class _Unnamed:
    """The statistics of a graph, with things that have no IRI taken for assets."""

    def __init__(self, known: Known) -> None:
        self._known = known

    def __getattr__(self, name: str) -> object:
        return getattr(self._known, name)

    def all_named(self, class_iri: str) -> bool:
        """True, so that no query asks for an IRI."""
        return True


def _positive(
    domain: Domain, tests: Sequence[Test], joins: Sequence[Join]
) -> Iterator[tuple[Domain, Condition]]:
    """Conditions that can be met by nothing, with the kind that they are asked of."""
    for test in tests:
        if test.asks_for_something:
            yield domain, test
    for join in joins:
        # A part has no kind of its own that could be looked at.
        if not join.negated and join.typed:
            yield domain, join
            yield from _positive(join.domain, join.tests, join.joins)


def _negative(
    domain: Domain, tests: Sequence[Test], joins: Sequence[Join]
) -> Iterator[tuple[Domain, Condition, Condition]]:
    """Conditions that ask for absence, each with what must be absent."""
    for test in tests:
        bare = Test(test.slot, test.name, test.paths, shown=test.shown, said=test.said)
        if test.exists is False:
            yield domain, test, bare._replace(exists=True)
        elif test.none_of:
            yield domain, test, bare._replace(any_of=test.none_of)
        elif test.none_bounds:
            yield domain, test, bare._replace(any_bounds=test.none_bounds)
    for join in joins:
        if join.negated:
            # A relation of a kind to itself is asked for in its direction.
            if join.domain.class_iri != domain.class_iri:
                yield domain, join, join._replace(negated=False)
        else:
            yield from _negative(join.domain, join.tests, join.joins)


def _without(asked: Condition, reading: Condition) -> Condition:
    """A condition that asks for the absence of what another reading holds, too."""
    if isinstance(asked, Join) or isinstance(reading, Join):
        assert isinstance(asked, Join)
        assert isinstance(reading, Join)
        return asked._replace(paths=reading.paths, inverse_paths=reading.inverse_paths)
    terms = (*reading.any_of, *(term for group in reading.all_of for term in group))
    return asked._replace(
        paths=tuple(dict.fromkeys((*asked.paths, *reading.paths))),
        none_of=tuple(dict.fromkeys((*asked.none_of, *terms))),
        none_bounds=reading.any_bounds or asked.none_bounds,
    )


def _by_name(asked: Condition, reading: Condition) -> bool:
    """Whether a reading takes another property in, which is only called the same."""
    own = {path.steps[-1].iri for path in ways_of(asked)}
    return any(path.steps[-1].iri not in own for path in ways_of(reading))


def _variants(
    plan: Plan, kinds: Sequence[_Kind], seen: Sequence[Sequence[_Seen]], *, loose: bool
) -> tuple[Plan | None, bool]:
    """A search by every way to read the conditions, or None where there is one way only.

    Args:
        plan: what was asked.
        kinds: of asset, as the data have them.
        seen: the conditions of each branch, with their places.
        loose: conditions that cannot be judged are left out, and doubtful readings taken in.

    Returns:
        the search, and whether it has all ways; else conditions are left out in their place.
    """
    branches: list[tuple[int, Branch]] = []
    is_whole, is_changed = True, False
    for at, (branch, kind, several) in enumerate(zip(plan.branches, kinds, seen, strict=True)):
        options: list[list[tuple[Condition, ...]]] = []
        for one in several:
            ways: list[tuple[Condition, ...]] = [(one.asked,)]
            ways += [(way,) for way in one.place.readings]
            if loose:
                ways += [(way,) for way in one.place.doubts]
                ways = [()] if one.place.unknown else ways
            is_changed = is_changed or ways != [(one.asked,)]
            options.append(ways)
        if prod(map(len, options)) > _MOST_VARIANTS:
            is_whole = False
            if loose:
                options = [ways if len(ways) == 1 else [()] for ways in options]
        is_changed = is_changed or bool(kind.more)
        for chosen in islice(product(*options), _MOST_VARIANTS):
            swap = {id(one.asked): way for one, way in zip(several, chosen, strict=True)}
            branches.append((at, swapped(branch._replace(domain=kind.domain), swap)))
    if not is_changed:
        return None, is_whole
    return arranged(plan, branches), is_whole


def _offers(seen: _Seen) -> list[Offer]:
    asked, place = seen.asked, seen.place
    if not place.offers:
        return []
    term = asked.slot.rpartition(".")[2]
    if place.doubts and isinstance(asked, Test) and asked.any_of:
        term = asked.any_of[0].value
    detail = next(iter((*place.notes, place.unknown)))
    return [Offer(asked.slot, term, detail, place.offers)]


def _looked(seen: Sequence[_Seen]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for one in seen for name in one.place.looked))


def _name(asked: Condition) -> str:
    return asked.name if isinstance(asked, Test) else asked.domain.name
