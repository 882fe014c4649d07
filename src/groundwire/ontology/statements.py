"""Statements of a catalogue answer beside its values: sets, relations, absence, source.

A condition is stated as it was applied, never as it was sent. What is asked of a connected asset is
a condition whose predicate begins with `references/` and the kinds on the way to it
(`references/hdmap/country`), so that it is not taken for a property of the asset itself.
"""

from __future__ import annotations

import re
import tomllib
from calendar import monthrange
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from groundwire.errors import GroundwireError
from groundwire.evidence.answers import by_language, in_words, names_of, plural, sent
from groundwire.evidence.records import Condition, Names, Operator, Statement
from groundwire.graph.terms import Term
from groundwire.ontology.catalogue import State
from groundwire.ontology.concepts import ValueNames
from groundwire.ontology.index.model import Domain, Property, Text, local_name
from groundwire.ontology.plan import Bounds, Join, Plan, Test
from groundwire.ontology.results import Correction, GapItem
from groundwire.vocabulary import Policy

_MOST_MEMBER_NAMES = 24
_MOST_JOINED_NAMES = 10
_REFERENCES = "references"
_OPPOSITES: Mapping[Operator, Operator] = {
    "is": "none_of",
    "any_of": "none_of",
    "all_of": "none_of",
    "contains": "none_of",
    "none_of": "any_of",
    "exists": "missing",
    "missing": "exists",
    "at_least": "less_than",
    "more_than": "at_most",
    "at_most": "more_than",
    "less_than": "at_least",
}
_INDEX = re.compile(r"\[\d+\]")


class SetOfAssets(NamedTuple):
    """The names of a set's members, and the conditions that all of them meet."""

    subject: Names
    conditions: tuple[Condition, ...]


@cache
def words() -> Mapping[str, Names]:
    """Return what statements call things that no catalogue names."""
    held = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    return {key: tuple(texts) for key, texts in held.items()}


# Sets and their conditions


async def set_of(state: State, plan: Plan) -> SetOfAssets:
    """Return the set that a plan describes."""
    domains = [branch.domain for branch in plan.branches]
    kinds = tuple(domain_names(state, domain) for domain in domains)
    called: Names = (" or ".join(one.name for one in domains),)
    if len(domains) == 1:
        called = _members(state, domains[0])
    operator: Operator = "is" if len(kinds) == 1 else "any_of"
    first = plan.branches[0]
    conditions = [Condition(words()["kind"], operator, kinds)]
    conditions += await _conditions(state, first.domain, first.tests, ())
    for join in first.joins:
        conditions += await _of_connected(state, join, ())
    subject = names_of(*called, *words()["members"], most=_MOST_MEMBER_NAMES)
    return SetOfAssets(subject, tuple(conditions))


def domain_names(state: State, domain: Domain) -> Names:
    """Return what a kind of asset is called, in the singular."""
    known = state.lexicon.spoken
    key = ("", domain.name)
    if key not in known:
        local = local_name(domain.class_iri)
        known[key] = names_of(domain.name, *by_language(domain.labels), in_words(local), local)
    return known[key]


def property_names(state: State, domain: Domain, name: str) -> Names:
    """Return what the property that is shown as `name` is called."""
    known = state.lexicon.spoken
    key = (domain.name, name)
    if key not in known:
        prop = property_of(state, domain, name)
        local = local_name(name) if prop is None else prop.local_name.lstrip("^")
        labels = by_language(prop.labels) if prop is not None else []
        known[key] = names_of(name, local, in_words(local), *labels)
    return known[key]


def property_of(state: State, domain: Domain, name: str) -> Property | None:
    """Return the property of a domain that is shown as `name`, or None."""
    named = state.lexicon.property_named(domain, name, Policy.CANDIDATES_ONLY)
    return domain.properties[named.term.id] if named.term else None


async def names_of_values(state: State, domain: Domain, prop: Property) -> ValueNames:
    """Return what the values of a property are called."""
    values = await state.lexicon.values(domain, prop)
    known = state.lexicon.spoken_values
    found = known.get((domain.name, prop.key))
    if found is None or found.values is not values:
        found = known[(domain.name, prop.key)] = ValueNames(values)
    return found


def _members(state: State, domain: Domain) -> Names:
    """Return what the assets of a kind are called, in the singular and the plural."""
    english = [text for text in domain.labels if text.language in ("", "en")]
    singular = domain_names(state, domain)
    several = [plural(name) for name in (domain.name, *(text.value for text in english))]
    return names_of(*singular, *several, most=_MOST_MEMBER_NAMES)


async def _conditions(
    state: State, domain: Domain, tests: Sequence[Test], way: tuple[Domain, ...]
) -> list[Condition]:
    """Return the conditions of tests on an asset, or on one that `way` leads to."""
    found: list[Condition] = []
    for test in tests:
        predicate = _predicate(state, property_names(state, domain, test.name), way)
        prop = property_of(state, domain, test.name)
        unit = prop.unit if prop else None

        async def named(terms: Iterable[Term], prop: Property | None = prop) -> tuple[Names, ...]:
            return await _named_terms(state, domain, prop, terms)

        groups: list[tuple[Operator, tuple[Names, ...]]] = [
            ("any_of", await named(test.any_of)),
            ("all_of", await named(group[0] for group in test.all_of)),
            ("none_of", await named(test.none_of)),
            ("contains", tuple((sent(text),) for text in test.contains)),
        ]
        found += [
            Condition(predicate, "is" if operator == "any_of" and len(one) == 1 else operator, one)
            for operator, one in groups
            if one
        ]
        if test.exists is not None:
            found.append(Condition(predicate, "exists" if test.exists else "missing"))
        if test.bounds is not None:
            found += _within(predicate, test.bounds, unit)
        found += _of_bounds(predicate, test, unit)
    return found


async def _of_connected(state: State, join: Join, way: tuple[Domain, ...]) -> list[Condition]:
    """Return what a connection states: that there is one, or none, and what is asked of its asset.

    Of an asset that must not be there each condition is stated as what none meets.
    """
    ways = names_of(*(path.local() for path in (*join.paths, *join.inverse_paths)[:2]))
    further = (*way, join.domain)
    called = (*words()["reference"], *_directed(join), *ways)
    reference = _predicate(state, called, way)
    found = [Condition(reference, "exists", (domain_names(state, join.domain),))]
    found += await _conditions(state, join.domain, join.tests, further)
    for inner in join.joins:
        found += await _of_connected(state, inner, further)
    if join.negated:
        found = [replace(one, operator=_OPPOSITES[one.operator]) for one in found]
    return found


def _directed(join: Join) -> Names:
    """Return what a connection is called where it is known which of the two names the other."""
    ways = [*join.paths, *(path.turned() for path in join.inverse_paths)]
    inverse = {step.inverse for way in ways for step in way.steps}
    if len(inverse) != 1:
        return ()
    return words()["referred_to_by" if inverse.pop() else "refers_to"]


def _predicate(state: State, names: Names, way: tuple[Domain, ...]) -> Names:
    """Return the names of a predicate; of a connected asset, each with the kind of that asset."""
    if not way:
        return names
    place = "/".join((_REFERENCES, *(domain.name for domain in way), names[0]))
    kinds = domain_names(state, way[-1])[:3]
    joined = [f"{kind} {name}" for name in names[:4] for kind in kinds]
    return names_of(place, *joined, most=_MOST_JOINED_NAMES)


def _of_bounds(predicate: Names, test: Test, unit: str | None) -> list[Condition]:
    """Return conditions of numbers and dates that were sent as filters."""
    found: list[Condition] = []
    if len(test.any_bounds) == 1:
        found += _within(predicate, test.any_bounds[0], unit)
    elif test.any_bounds:
        found.append(Condition(predicate, "any_of", _intervals(test.any_bounds), unit))
    for bounds in test.all_bounds:
        found += _within(predicate, bounds, unit)
    if test.none_bounds:
        found.append(Condition(predicate, "none_of", _intervals(test.none_bounds), unit))
    return found


def _within(predicate: Names, bounds: Bounds, unit: str | None) -> list[Condition]:
    """Return limits as conditions; those of one value as that value."""
    unit = None if bounds.temporal else unit
    lower, upper = bounds.lower, bounds.upper
    if lower is not None and lower == upper and not (bounds.lower_open or bounds.upper_open):
        return [Condition(predicate, "is", ((lower,),), unit)]
    if bounds.temporal and (period := _period(bounds)):
        return [Condition(predicate, "is", ((period, f"{lower}/{upper}"),))]
    found: list[Condition] = []
    if lower is not None:
        operator: Operator = "more_than" if bounds.lower_open else "at_least"
        found.append(Condition(predicate, operator, ((lower,),), unit))
    if upper is not None:
        operator = "less_than" if bounds.upper_open else "at_most"
        found.append(Condition(predicate, operator, ((upper,),), unit))
    return found


def _period(bounds: Bounds) -> str:
    """Return the year or month that two days begin and end; "" where they are others."""
    lower, upper = bounds.lower or "", bounds.upper or ""
    if (
        bounds.lower_open
        or bounds.upper_open
        or not (len(lower) == len(upper) == len("2021-01-01"))
    ):
        return ""
    if lower[:4] == upper[:4] and (lower[4:], upper[4:]) == ("-01-01", "-12-31"):
        return lower[:4]
    year, month = int(lower[:4]), int(lower[5:7])
    last = f"{lower[:7]}-{monthrange(year, month)[1]:02}"
    return lower[:7] if lower.endswith("-01") and upper == last else ""


def _intervals(several: Sequence[Bounds]) -> tuple[Names, ...]:
    """Return values, or intervals in the form of ISO 8601 (`2021-01-01/2021-12-31`)."""
    return tuple(
        (one.lower or "..",)
        if one.lower == one.upper
        else (f"{one.lower or '..'}/{one.upper or '..'}",)
        for one in several
    )


async def _named_terms(
    state: State, domain: Domain, prop: Property | None, terms: Iterable[Term]
) -> tuple[Names, ...]:
    """Return terms of a condition as things with names; forms of one value are one thing."""
    found: dict[Names, None] = {}
    for term in terms:
        named: Names = ()
        if prop is not None:
            values = await names_of_values(state, domain, prop)
            named = values.of(term.value)
            if not named and term.kind == "literal":
                named = values.of_unstored(prop, term.value)
        shown = names_of(state.lexicon.shown(term), local_name(term.value), term.value)
        found[named or shown] = None
    if _is_boolean(found):
        # The two lexical forms of one boolean.
        return (next(iter(found)),)
    return tuple(found)


def _is_boolean(found: Mapping[Names, None]) -> bool:
    values = {names[0] for names in found}
    return values in ({"true", "1"}, {"false", "0"})


# Corrections: names that were read otherwise than they were sent


def corrections_stated(corrections: Sequence[Correction]) -> list[Statement]:
    """Return each correction as a relation between what was sent and what was used."""
    return [
        Statement("relation", (sent(one.raw),), words()["read_as"], ((one.resolved,),))
        for one in corrections
    ]


def gaps_stated(
    state: State, gaps: Sequence[GapItem], domains: Sequence[Domain]
) -> list[Statement]:
    """Return each gap as the absence of a meaning, with what may be sent instead."""
    found: list[Statement] = []
    kinds = tuple(domain_names(state, domain) for domain in domains)
    where = (Condition(words()["kind"], "any_of", kinds),) if kinds else ()
    for gap in gaps:
        subject = (sent(gap.term),)
        reason = Condition(words()["reason"], "is", ((gap.reason,),))
        if gap.reason != "ambiguous":
            conditions = (*where, reason, *_slot(gap))
            found.append(Statement("absence", subject, words()["meaning"], (), conditions))
        if gap.suggestions:
            offered = tuple((sent(one),) for one in gap.suggestions)
            found.append(Statement("relation", subject, words()["suggestion"], offered, (reason,)))
    return found


def _slot(gap: GapItem) -> tuple[Condition, ...]:
    """Return the property that a gap is of, where its slot names one."""
    name = _INDEX.sub("", gap.slot or "").rpartition(".")[2]
    if not name:
        return ()
    named = words()["kind"] if name in ("domain", "domains") else names_of(name, in_words(name))
    return (Condition(words()["slot"], "is", (named,)),)


# Names of what is shown of assets


async def labels_of(state: State, iris: Sequence[str]) -> Mapping[str, tuple[Text, ...]]:
    """Return what the graph calls some IRIs; none where it cannot be asked in time."""
    if not iris:
        return {}
    try:
        return await state.observed.labels(list(dict.fromkeys(iris)))
    except GroundwireError:
        return {}


def iri_names(state: State, iri: str, labels: Mapping[str, tuple[Text, ...]]) -> Names:
    """Return the label of an IRI where it has one, its other labels, and the IRI."""
    called = by_language(labels.get(iri, ()))
    return names_of(*called[:8], state.lexicon.shown(Term("iri", iri)), iri)


def source_stated(state: State) -> list[Statement]:
    """Return where the answer comes from, by the words with which a person names it."""
    return [Statement("source", names_of(*state.sources, *words()["catalogue"]))]
