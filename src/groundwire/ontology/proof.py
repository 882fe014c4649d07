"""What the record of a search holds, so that a sentence about its answer can be checked.

The total, every fact that a page shows, the conditions that the assets meet, and the other values
of the properties that were asked about: a sentence that names one of those is then seen to name
another value than the answer has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from groundwire.evidence.records import Draft, Value
from groundwire.ontology.catalogue import State
from groundwire.ontology.concepts import Concept
from groundwire.ontology.index.model import Domain, Property
from groundwire.ontology.plan import Join, Plan, Test
from groundwire.vocabulary import Policy

_MAX_OF_PROPERTY = 60
_MAX_TERMS = 150
# Shorter words are too common to be taken for a value wherever they stand.
_SHORTEST_WORD = 4
_SHORTEST_CODE = 3

Total = tuple[int, bool]


async def prove(
    state: State,
    plan: Plan,
    total: Total | None,
    values: Sequence[Value],
    audit: Mapping[str, Any],
) -> Draft:
    """The record of an answer.

    Args:
        state: the catalogue that answered.
        plan: what was searched.
        total: how many assets match, and whether that is exact; None where nobody counted.
        values: the facts that the page shows.
        audit: the audit block.
    """
    conditions: list[Value] = []
    others: dict[str, None] = dict.fromkeys(branch.domain.name for branch in plan.branches)
    branch = plan.branches[0]
    for domain, test in _tests(branch.domain, branch.tests, branch.joins):
        prop = _property(state, domain, test.name)
        if prop is None or not (test.any_of or test.all_of):
            continue
        held = {*test.any_of, *(term for forms in test.all_of for term in forms)}
        known = (await state.lexicon.values(domain, prop)).concepts.values()
        for concept in known:
            if held & set(concept.terms):
                conditions.append(_condition(test.name, concept))
        terms = [name for concept in known for name in _spoken(concept)]
        others |= dict.fromkeys(terms[:_MAX_OF_PROPERTY])
    called = await _called(state, plan)
    return Draft(
        values=(*_total(plan, total), *conditions, *(_labelled(one, called) for one in values)),
        audit=audit,
        vocabulary=tuple(others)[:_MAX_TERMS],
    )


async def _called(state: State, plan: Plan) -> dict[str, tuple[str, ...]]:
    """What sentences call the values that are counted by: "Germany" for DE."""
    domain = plan.branches[0].domain
    prop = _property(state, domain, plan.grouping.name) if plan.grouping else None
    if prop is None:
        return {}
    concepts = (await state.lexicon.values(domain, prop)).concepts.values()
    return {one.label: tuple(dict.fromkeys(text.value for text in one.names)) for one in concepts}


def _labelled(value: Value, called: Mapping[str, tuple[str, ...]]) -> Value:
    """A count with the names of what it is the count of."""
    if value.entity is None or value.entity_iri is not None or value.entity not in called:
        return value
    return replace(value, labels=(*value.labels, *called[value.entity]))


def _total(plan: Plan, total: Total | None) -> tuple[Value, ...]:
    if total is None or not total[1]:
        return ()
    return (Value("total", str(total[0]), unit="assets", labels=_nouns(plan)),)


def _nouns(plan: Plan) -> tuple[str, ...]:
    """What a sentence may call the assets of a plan: names and labels of their domains."""
    names = ["results", "matches"]
    for branch in plan.branches:
        names += [branch.domain.name, *(label.value for label in branch.domain.labels)]
    return tuple(dict.fromkeys(names))


def _tests(
    domain: Domain, tests: Sequence[Test], joins: Sequence[Join]
) -> Iterator[tuple[Domain, Test]]:
    for test in tests:
        yield domain, test
    for join in joins:
        yield from _tests(join.domain, join.tests, join.joins)


def _property(state: State, domain: Domain, name: str) -> Property | None:
    named = state.lexicon.properties(domain).resolve(name, Policy.CANDIDATES_ONLY, limit=1)
    return domain.properties[named.term.id] if named.term else None


def _condition(name: str, concept: Concept) -> Value:
    """A value that all assets of the answer have."""
    names = [*(text.value for text in concept.names), *concept.variants]
    labels = tuple(dict.fromkeys(label for label in names if label != concept.label))
    return Value(name, concept.label, "name", labels=labels)


def _spoken(concept: Concept) -> Iterator[str]:
    """What a sentence may call a value: its own text, and its first English name."""
    english = [text.value for text in concept.names if text.language in ("en", "")]
    for name in (concept.label, *english[:1]):
        is_code = any(character.isupper() or character.isdigit() for character in name)
        if len(name) >= (_SHORTEST_CODE if is_code else _SHORTEST_WORD):
            yield name
