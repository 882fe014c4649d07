"""The record of a search, by which sentences about its answer are checked.

The total, every fact of a page, the conditions that all assets meet, the other values of the
properties asked about, so that another value is seen to be one, and the statements.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from groundwire.evidence.answers import names_of
from groundwire.evidence.records import Condition, Draft, Names, Statement, Value
from groundwire.ontology.aggregates import compound_names, function_names
from groundwire.ontology.catalogue import State
from groundwire.ontology.concepts import Concept, ValueNames
from groundwire.ontology.explain import without
from groundwire.ontology.index.model import Domain
from groundwire.ontology.plan import Join, Plan, Test
from groundwire.ontology.results import SearchResult
from groundwire.ontology.statements import (
    SetOfAssets,
    corrections_stated,
    domain_names,
    gaps_stated,
    iri_names,
    labels_of,
    names_of_values,
    property_names,
    property_of,
    set_of,
    source_stated,
    words,
)

_MAX_OF_PROPERTY = 60
_MAX_TERMS = 150
# Values that an empty search has no asset of are named in short.
_MOST_NEAR_NAMES = 3
# Shorter words are too common to be taken for a value wherever they stand.
_SHORTEST_WORD = 4
_SHORTEST_CODE = 3
_SENTENCE = "remark"


class Shown(NamedTuple):
    """Facts that an answer shows beside its result.

    Attributes:
        values: the facts of the page, or the counts of a grouping.
        remark: sentences of the answer about what is stored where, or "".
        looked: the places that were looked at where nothing was found.
        is_whole: each asset has no other values of the properties that are shown.
        is_dry: nothing was searched.
    """

    values: Sequence[Value] = ()
    remark: str = ""
    looked: Sequence[str] = ()
    is_whole: bool = False
    is_dry: bool = False


async def prove(
    state: State, plan: Plan, result: SearchResult, shown: Shown, audit: Mapping[str, Any]
) -> Draft:
    """Return the record of an answer.

    Args:
        state: the catalogue that answered.
        plan: what was searched.
        result: the answer.
        shown: the facts that it shows.
        audit: the audit block.
    """
    conditions: list[Value] = []
    others: dict[str, None] = dict.fromkeys(branch.domain.name for branch in plan.branches)
    spoken: dict[str, ValueNames] = {}
    branch = plan.branches[0]
    for domain, test in () if shown.is_dry else _tests(branch.domain, branch.tests, branch.joins):
        prop = property_of(state, domain, test.name)
        if prop is None or not (test.any_of or test.all_of):
            continue
        held = {*test.any_of, *(term for forms in test.all_of for term in forms)}
        known = (await state.lexicon.values(domain, prop)).concepts.values()
        for concept in known:
            if held & set(concept.terms):
                conditions.append(_condition(test.name, concept))
        if domain is branch.domain:
            spoken[test.name] = await names_of_values(state, domain, prop)
        terms = [name for concept in known for name in _spoken(concept)]
        others |= dict.fromkeys(terms[:_MAX_OF_PROPERTY])
    called = await _called(state, plan)
    values = [
        *_total(plan, result, shown),
        *conditions,
        *(_labelled(one, called) for one in shown.values),
    ]
    values += _positions(result)
    values += aggregate_values(state, plan, result, called)
    if shown.remark:
        values.append(Value(_SENTENCE, shown.remark.strip(), "text"))
    statements = await _statements(state, plan, result, shown, values)
    statements[1:1] = _attributes(state, branch.domain, shown, spoken)
    return Draft(
        values=tuple(values),
        audit=audit,
        vocabulary=tuple(others)[:_MAX_TERMS],
        statements=tuple(statements),
    )


def refuse(state: State, result: SearchResult, domains: Sequence[Domain]) -> Draft:
    """Return the record of an answer that says why nothing was searched."""
    gaps = [gap.model_dump(exclude_none=True) for gap in result.gaps]
    return Draft(
        audit={"status_code": "rejected", "gaps": gaps},
        statements=(
            *corrections_stated(result.corrections),
            *gaps_stated(state, result.gaps, domains),
            *source_stated(state),
        ),
    )


# Statements


async def _statements(
    state: State, plan: Plan, result: SearchResult, shown: Shown, values: list[Value]
) -> list[Statement]:
    """Return what an answer states; counts of an empty search are added to the values."""
    whole = await set_of(state, plan)
    found = [_scope(whole, result, values, shown), *_at_least(whole, result)]
    if result.status == "empty" and not shown.is_dry:
        found += await _of_nothing(state, plan, result, whole, values)
        found += _looked_at(whole, shown.looked)
    if result.counts is not None:
        found += await _groups(state, plan, whole, values, len(result.counts))
    if plan.aggregation is not None and result.aggregate is not None:
        found += await _aggregates(state, plan, whole, result, values)
    if plan.ordering is not None and result.results:
        found.append(_order(state, plan, whole, result))
    found += await _references(state, result)
    found += corrections_stated(result.corrections)
    found += gaps_stated(state, result.gaps, [branch.domain for branch in plan.branches])
    return [*found, *source_stated(state)]


def _scope(
    whole: SetOfAssets, result: SearchResult, values: Sequence[Value], shown: Shown
) -> Statement:
    """Return the set of all assets that match, with those that the page lists."""
    stated = Statement("scope", whole.subject, conditions=whole.conditions, objects=_listed(result))
    if shown.is_dry or (result.status == "empty" and result.confidence == "low"):
        # Nothing is known of the set, so its count is not stated.
        return stated
    is_counted = bool(values) and values[0].name == "total"
    if result.status == "empty" or (
        is_counted and not result.offset and result.total == len(result.results)
    ):
        return replace(stated, value=0 if is_counted else None, complete="all_listed")
    if is_counted:
        return replace(stated, value=0, complete="all_counted")
    return replace(stated, complete="page")


def _at_least(whole: SetOfAssets, result: SearchResult) -> list[Statement]:
    """Return how many assets there are at least, where they were not all counted."""
    if result.total is None or result.total_is_exact:
        return []
    number = Condition(words()["count"], "at_least", ((str(result.total),),), "assets")
    return [Statement("relation", whole.subject, words()["count"], (), (*whole.conditions, number))]


def _listed(result: SearchResult) -> tuple[Names, ...]:
    return tuple(names_of(item.label, item.iri) for item in result.results)


async def _of_nothing(
    state: State, plan: Plan, result: SearchResult, whole: SetOfAssets, values: list[Value]
) -> list[Statement]:
    """Return that there is none, where that is sure, and what remains without each condition."""
    found: list[Statement] = []
    if result.confidence != "low":
        found.append(
            Statement("absence", whole.subject, words()["match"], (), conditions=whole.conditions)
        )
    tests = {
        test.slot: (domain, test)
        for branch in plan.branches
        for domain, test in _tests(branch.domain, branch.tests, branch.joins)
    }
    for one in result.explanation_of_empty or ():
        if one.remaining_is_exact:
            rest = await set_of(state, without(plan, one.slot))
            values.append(
                Value(
                    "remaining",
                    str(one.remaining),
                    unit="assets",
                    entity=f"without {one.condition}",
                )
            )
            found.append(
                Statement(
                    "scope",
                    rest.subject,
                    conditions=rest.conditions,
                    value=len(values) - 1,
                    complete="all_counted",
                )
            )
        if one.nearest and one.slot in tests:
            domain, test = tests[one.slot]
            near = await _named(state, domain, test.name, one.nearest)
            near = tuple(names[:_MOST_NEAR_NAMES] for names in near)
            held_by = Condition(words()["kind"], "is", (domain_names(state, domain),))
            name = property_names(state, domain, test.name)
            found.append(Statement("relation", name, words()["stored"], near, (held_by,)))
    return found


def _looked_at(whole: SetOfAssets, looked: Sequence[str]) -> list[Statement]:
    """Return where what was not found was looked for."""
    if not looked:
        return []
    places = tuple((place,) for place in looked)
    return [Statement("relation", whole.subject, words()["looked_at"], places, whole.conditions)]


async def _groups(
    state: State, plan: Plan, whole: SetOfAssets, values: Sequence[Value], count: int
) -> list[Statement]:
    """Return each group of a count as a set with one condition more."""
    assert plan.grouping is not None
    domain, name = plan.branches[0].domain, plan.grouping.name
    predicate = property_names(state, domain, name)
    places = [at for at, one in enumerate(values) if _is_group(one, name)][:count]
    groups = await _named(state, domain, name, [values[at].entity or "" for at in places])
    found: list[Statement] = []
    for at, names in zip(places, groups, strict=True):
        condition = Condition(predicate, "is", (names,))
        conditions = (*whole.conditions, condition)
        found.append(
            Statement(
                "scope", whole.subject, conditions=conditions, value=at, complete="all_counted"
            )
        )
    return found


def _is_group(value: Value, name: str) -> bool:
    """Whether a value is the count of a group."""
    return value.name == name and value.unit == "assets" and value.entity_iri is None


async def _aggregates(
    state: State,
    plan: Plan,
    whole: SetOfAssets,
    result: SearchResult,
    values: Sequence[Value],
) -> list[Statement]:
    """Return of which set each number of an aggregate is, and how many of it have one."""
    item = result.aggregate
    assert item is not None
    domain = plan.branches[0].domain
    measured = property_names(state, domain, item.property)
    has = {
        with_number(item.property): Condition(measured, "exists"),
        without_number(item.property): Condition(measured, "missing"),
    }
    computed = aggregate_names(state, plan)[0]
    names = (
        *function_names(item.function),
        *compound_names(item.function, measured),
    )
    # A sentence that does not say which function it is says something else of the assets.
    by_function = Condition(words()["function"], "is", (names,))
    places = [at for at, one in enumerate(values) if one.name in (computed, *has)]
    groups = [values[at].entity for at in places]
    by: dict[str, Condition] = {}
    if plan.grouping is not None:
        texts = list(dict.fromkeys(one for one in groups if one))
        named = await _named(state, domain, plan.grouping.name, texts)
        predicate = property_names(state, domain, plan.grouping.name)
        by = {
            text: Condition(predicate, "is", (names,))
            for text, names in zip(texts, named, strict=True)
        }
    found: list[Statement] = []
    for at, group in zip(places, groups, strict=True):
        conditions = (*whole.conditions, *([by[group]] if group else []))
        conditions += (has.get(values[at].name, by_function),)
        found.append(
            Statement(
                "scope", whole.subject, conditions=conditions, value=at, complete="all_counted"
            )
        )
    return found


def _order(state: State, plan: Plan, whole: SetOfAssets, result: SearchResult) -> Statement:
    """Return by which property the listed assets are sorted, and in which direction."""
    assert plan.ordering is not None
    predicate = property_names(state, plan.branches[0].domain, plan.ordering.name)
    direction = words()["descending" if plan.ordering.descending else "ascending"]
    return Statement(
        "order",
        whole.subject,
        predicate,
        _listed(result),
        (*whole.conditions, Condition(words()["order"], "is", (direction,))),
    )


def _attributes(
    state: State, domain: Domain, shown: Shown, spoken: Mapping[str, ValueNames]
) -> list[Statement]:
    """Return the values of the listed assets that have names, property by property."""
    groups: dict[tuple[str, str], list[Value]] = {}
    for one in shown.values:
        if one.name in spoken and one.entity_iri is not None:
            groups.setdefault((one.entity_iri, one.name), []).append(one)
    return [
        Statement(
            "relation",
            names_of(values[0].entity, iri),
            property_names(state, domain, name),
            tuple(spoken[name].of(one.value) or (one.value,) for one in values),
            complete="all_listed" if shown.is_whole else "",
        )
        for (iri, name), values in groups.items()
    ]


async def _references(state: State, result: SearchResult) -> list[Statement]:
    """Return what the listed assets are connected with, each by its labels."""
    connected = [iri for item in result.results for iri in item.references]
    labels = await labels_of(state, connected)
    return [
        Statement(
            "relation",
            names_of(item.label, item.iri),
            words()["reference"],
            tuple(iri_names(state, iri, labels) for iri in item.references),
        )
        for item in result.results
        if item.references
    ]


async def _named(
    state: State, domain: Domain, name: str, texts: Sequence[str]
) -> tuple[Names, ...]:
    """Return what values of a property are called, each as it is shown where it has no name."""
    prop = property_of(state, domain, name)
    if prop is None:
        return tuple((text,) for text in texts)
    values = await names_of_values(state, domain, prop)
    return tuple(values.of(text) or (text,) for text in texts)


# Values


async def _called(state: State, plan: Plan) -> dict[str, tuple[str, ...]]:
    """Return what sentences call the values that are counted by: "Germany" for DE."""
    domain = plan.branches[0].domain
    prop = property_of(state, domain, plan.grouping.name) if plan.grouping else None
    if prop is None:
        return {}
    concepts = (await state.lexicon.values(domain, prop)).concepts.values()
    return {one.label: tuple(dict.fromkeys(text.value for text in one.names)) for one in concepts}


def _labelled(value: Value, called: Mapping[str, tuple[str, ...]]) -> Value:
    """A count with the names of what it is the count of."""
    if value.entity is None or value.entity_iri is not None or value.entity not in called:
        return value
    return replace(value, labels=(*value.labels, *called[value.entity]))


def aggregate_names(state: State, plan: Plan) -> Names:
    """Return what sentences call an aggregate: `mean length`, `durchschnittliche Länge`."""
    asked = plan.aggregation
    assert asked is not None
    functions = function_names(asked.function)
    called = property_names(state, plan.branches[0].domain, asked.name)
    return (
        f"{functions[0]} {asked.name}",
        *(f"{function} {name}" for name in called[:4] for function in functions),
        *compound_names(asked.function, called),
    )


def with_number(name: str) -> str:
    """The name of the count of assets that have a number."""
    return f"assets with {name}"


def without_number(name: str) -> str:
    """The name of the count of assets that have none."""
    return f"assets without {name}"


def aggregate_values(
    state: State, plan: Plan, result: SearchResult, called: Mapping[str, tuple[str, ...]]
) -> list[Value]:
    """Return the numbers of an aggregate, and how many assets have one and how many have none."""
    item = result.aggregate
    if item is None or plan.aggregation is None:
        return []
    name, *labels = aggregate_names(state, plan)
    rows = [
        (one.value, one.aggregate, one.assets_with_value or 0, one.count, one.values or 0)
        for one in result.counts or ()
    ]
    if result.counts is None:
        having = item.assets_with_value or 0
        total = having + (item.assets_without_value or 0)
        rows = [(None, item.value, having, total, item.values or 0)]
    found: list[Value] = []
    for group, number, having, total, values in rows:
        names = called.get(group, ()) if group else ()
        if number is not None:
            found.append(
                Value(name, number, unit=item.unit, entity=group, labels=(*labels, *names))
            )
        counted = [
            (with_number(item.property), having),
            (without_number(item.property), total - having),
        ]
        if values > having:
            found.append(
                Value(f"values of {item.property}", str(values), unit="values", entity=group)
            )
        found += [
            Value(key, str(count), unit="assets", entity=group, labels=names)
            for key, count in counted
            if group is None or total > having
        ]
    return found


def _total(plan: Plan, result: SearchResult, shown: Shown) -> tuple[Value, ...]:
    if result.status == "empty" and not shown.is_dry:
        number = 0
    elif result.total is not None and result.total_is_exact:
        number = result.total
    else:
        return ()
    return (Value("total", str(number), unit="assets", labels=_nouns(plan)),)


def _positions(result: SearchResult) -> list[Value]:
    """Return the places of the first and the last asset of a later page among all that match."""
    if not result.offset or result.counts is not None:
        return []
    if not result.results:
        return [Value("earlier pages", str(result.offset), unit="assets")]
    ends = {result.offset + 1: result.results[0]}
    ends[result.offset + len(result.results)] = result.results[-1]
    return [
        Value("position", str(at), entity=item.label, entity_iri=item.iri)
        for at, item in ends.items()
    ]


def _nouns(plan: Plan) -> tuple[str, ...]:
    """Return what a sentence may call the assets of a plan: names and labels of their domains."""
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


def _condition(name: str, concept: Concept) -> Value:
    """A value that all assets of the answer have."""
    names = dict.fromkeys([*(text.value for text in concept.names), *concept.variants])
    return Value(name, concept.label, "name", labels=tuple(n for n in names if n != concept.label))


def _spoken(concept: Concept) -> Iterator[str]:
    """Return what a sentence may call a value: its own text, and its first English name."""
    for name in (concept.label, *[t.value for t in concept.names if t.language in ("en", "")][:1]):
        is_code = any(character.isupper() or character.isdigit() for character in name)
        if len(name) >= (_SHORTEST_CODE if is_code else _SHORTEST_WORD):
            yield name
