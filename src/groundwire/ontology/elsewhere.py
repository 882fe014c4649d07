"""What a search that found nothing may have missed, where shapes and data disagree.

A search is told to be empty for certain only once the places that could hold what was asked for
have been looked at: homonyms of its properties, other paths, the other direction, other kinds.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from itertools import islice, product
from math import prod
from typing import NamedTuple

from groundwire.graph.statistics import RDF_TYPE
from groundwire.graph.terms import iri_n3, literal_n3
from groundwire.ontology.index.model import Domain, Path, Property, local_name
from groundwire.ontology.limits import within_any
from groundwire.ontology.plan import Branch, Join, Plan, Test
from groundwire.ontology.stored_properties import StoredProperties
from groundwire.ontology.wording import in_a_row
from groundwire.vocabulary import fold

Reader = Callable[[Test, Property], Awaitable[Test | None]]
"""Reads the condition of a test again, as one on another property; None where it is none."""

_MOST_VARIANTS = 16
_SECONDS = 4.0


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
    """Looks into zeros."""

    def __init__(self, stored: StoredProperties) -> None:
        """Look where properties are stored."""
        self._stored = stored
        self._end = 0.0

    async def look(self, plan: Plan, read: Reader) -> Looked:
        """Look for what an empty search asks for in every place that could hold it.

        Args:
            plan: of the search.
            read: reads the condition of a test again, as one on another property.
        """
        self._end = time.monotonic() + _SECONDS
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
            if prod(map(len, options)) > _MOST_VARIANTS:
                notes["more ways to read the conditions were left out than could be tried"] = None
                earned = False
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
                plan.aggregation
                and plan.aggregation._replace(paths=_at(plan.aggregation.paths, places)),
            )
        return Looked(wider, tuple(changes), tuple(notes), earned)

    async def _place(self, domain: Domain, asked: Test | Join, read: Reader) -> _Place:
        unanswered = self._stored.unanswered
        own = {path.steps[-1].iri for path in _paths(asked)}
        named = {
            iri: None
            for predicate in own
            for iri in (
                predicate,
                *await self._stored.lexicon.observed.named(fold(local_name(predicate)), domain),
            )
            if iri != RDF_TYPE
        }
        others: list[Test | Join] = []
        kinds: dict[str, None] = {}
        beside, instead, orphaned, complete, here = "", "", False, True, False
        compact = self._stored.lexicon.compact
        for iri in named:
            variant = asked
            if isinstance(asked, Test) and iri not in own:
                variant = await read(
                    asked, self._stored.as_predicate(domain, _property(domain, own), iri)
                )
            held = _held(variant) if variant is not None else None
            if variant is None or held is None:
                if (await self._stored.paths_to(iri, "")).of(domain):
                    # It is there, and nothing of it is called what was asked for.
                    instead = instead or compact(iri)
                continue
            if time.monotonic() > self._end:
                complete = False
                break
            found = await self._stored.paths_to(iri, held)
            complete = complete and found.complete
            more = tuple(path for path in found.of(domain) if path not in _paths(asked))
            if more and iri not in own and _declares(domain, iri):
                beside = (
                    beside or (await self._stored.holds(domain, more, held) and compact(iri)) or ""
                )
            elif more:
                others.append(_on(variant, more))
            if others or here or await self._stored.holds(domain, found.of(domain), held):
                here = True
                continue
            holding = [
                each.name
                for each in self._stored.assets
                if each is not domain and await self._stored.holds(each, found.of(each), held)
            ]
            kinds |= dict.fromkeys(holding)
            orphaned = orphaned or (not holding and await self._stored.is_there(iri, held))
        stored = await self._stored.is_stored(domain, _paths(asked))
        complete = complete and self._stored.unanswered == unanswered
        elsewhere = () if here else tuple(kinds)
        return _Place(tuple(others), elsewhere, beside, instead, stored, orphaned, complete)

    def _note(
        self, domain: Domain, asked: Test | Join, place: _Place, notes: dict[str, None]
    ) -> bool:
        """Add what is to be said of a condition; whether a zero is earned as far as it goes."""
        if place.others:
            return place.complete
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
        elif not place.stored and place.complete:
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
        compact = self._stored.lexicon.compact
        name = asked.name if isinstance(asked, Test) else asked.domain.name
        listed = dict.fromkeys(
            f"{compact(path.steps[-1].iri)} ({path.local()})" for path in _paths(other)
        )
        return asked.slot, name, ", ".join(islice(listed, 3))


def _asked(
    domain: Domain, tests: Sequence[Test], joins: Sequence[Join]
) -> Iterator[tuple[Domain, Test | Join]]:
    """Conditions that can be met by nothing, with the kind that they are asked of."""
    for test in tests:
        if _held(test) is not None:
            yield domain, test
    for join in joins:
        if join.negated or not join.typed:
            # Nothing must be there; a part has no kind of its own that could be looked at.
            continue
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
        else (*asked.paths, *(path.turned() for path in asked.inverse_paths))
    )


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


def _declares(domain: Domain, iri: str) -> bool:
    """Whether a shape of a domain names a property."""
    return iri in domain.properties and domain.properties[iri].declared


def _property(domain: Domain, predicates: set[str]) -> Property:
    """The declared property of a domain that ends in one of some predicates."""
    for prop in domain.properties.values():
        if prop.iri in predicates:
            return prop
    (iri, *_) = predicates
    return Property(iri, local_name(iri), iri, ())
