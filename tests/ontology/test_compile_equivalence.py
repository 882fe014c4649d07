"""Compiled queries answer what a reading of the statements one by one answers.

Small catalogues and searches are drawn at random: nodes with one or several values, assets without
names, values at several places, references to and fro. Each search is compiled three times: with
nothing known of the graph, with what its statistics say, and with estimates that are all wrong,
which may cost time and nothing else.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import pyoxigraph as ox
import pytest

from groundwire.graph.statistics import collect
from groundwire.graph.terms import XSD, Term, iri, literal
from groundwire.ontology import plan as plans
from groundwire.ontology.compile import NOTHING, group_query, page_query, total_query
from groundwire.ontology.index.model import Domain, Path, Step
from groundwire.ontology.observed import StoreObserved
from groundwire.ontology.plan import Bounds, Branch, Grouping, Join, Known, Ordering, Plan

NS = "urn:e:"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
SHIP = Domain("Ship", NS + "Ship", ":Ship", properties={}, subclasses=(NS + "Tug", NS + "Gone"))
PORT = Domain("Port", NS + "Port", ":Port", properties={})
CARGO = Domain("Cargo", NS + "Cargo", ":Cargo", properties={})
DOMAINS = (SHIP, PORT, CARGO)
CLASSES = ("Ship", "Tug", "Port", "Cargo")


def path(*steps: str) -> Path:
    """`path("a", "^b", "c*")`."""
    return Path(
        tuple(
            Step(NS + text.strip("^*"), text.startswith("^"), "*" if text.endswith("*") else "")
            for text in steps
        )
    )


TEXTS = (path("word"), path("node", "word"), path("node", "deep", "word"), path("node", "^back"))
NUMBERS = (path("size"), path("node", "size"), path("node", "deep", "size"))
DATES = (path("day"), path("node", "day"))
LINKS = (path("to"), path("node", "to"), path("next*", "to"), path("node", "deep", "to"))
WORDS = (
    *map(literal, ("fog", "Foggy", "rain", "snow")),
    literal("fog", language="en"),
    iri(NS + "fog"),
)


class Catalogue(NamedTuple):
    store: ox.Store
    statements: dict[tuple[Any, str], list[Any]]
    inverse: dict[tuple[Any, str], list[Any]]
    nodes: tuple[Any, ...]


def drawn(chance: random.Random) -> Catalogue:
    """A catalogue of 5 to 25 assets; whether a predicate has one value is drawn for each."""
    store = ox.Store()
    most = {name: chance.choice((1, 1, 3)) for name in ("word", "size", "day", "node", "to")}
    blank = chance.choice((0.0, 0.3))
    assets: list[Any] = [
        ox.BlankNode() if chance.random() < blank else ox.NamedNode(f"{NS}a{at:02d}")
        for at in range(chance.randint(5, 25))
    ]

    def add(subject: Any, name: str, value: Any) -> None:
        predicate = ox.NamedNode(TYPE if name == "a" else NS + name)
        store.add(ox.Quad(subject, predicate, value))

    def describe(subject: Any, level: int) -> None:
        for _ in range(chance.randint(0, most["word"])):
            add(subject, "word", _engine(chance.choice(WORDS)))
        for _ in range(chance.randint(0, most["size"])):
            kind = chance.choice(("integer", "decimal"))
            text = str(chance.randint(0, 6)) + ("" if kind == "integer" else ".5")
            add(subject, "size", ox.Literal(text, datatype=ox.NamedNode(XSD + kind)))
        for _ in range(chance.randint(0, most["day"])):
            text = f"2024-0{chance.randint(1, 4)}-15"
            add(subject, "day", ox.Literal(text, datatype=ox.NamedNode(XSD + "date")))
        for _ in range(chance.randint(0, most["to"])):
            add(subject, "to", chance.choice(assets))
        if chance.random() < 0.2:
            add(ox.NamedNode(NS + "fog"), "back", subject)
        for _ in range(chance.randint(0, most["node"]) if level < 2 else 0):
            inner = ox.BlankNode()
            add(subject, "node" if level == 0 else "deep", inner)
            describe(inner, level + 1)

    for asset in assets:
        for name in chance.sample(CLASSES, chance.choice((1, 1, 1, 2))):
            add(asset, "a", ox.NamedNode(NS + name))
        if chance.random() < 0.3:
            add(asset, "next", chance.choice(assets))
        describe(asset, 0)
    return read(store)


def read(store: ox.Store) -> Catalogue:
    statements: dict[tuple[Any, str], list[Any]] = {}
    inverse: dict[tuple[Any, str], list[Any]] = {}
    nodes: dict[Any, None] = {}
    for quad in store:
        statements.setdefault((quad.subject, quad.predicate.value), []).append(quad.object)
        inverse.setdefault((quad.object, quad.predicate.value), []).append(quad.subject)
        nodes |= dict.fromkeys((quad.subject, quad.object))
    return Catalogue(store, statements, inverse, tuple(nodes))


def _engine(term: Term) -> Any:
    if term.kind == "iri":
        return ox.NamedNode(term.value)
    return ox.Literal(term.value, language=term.language or None)


# The reading statement by statement


def ends(catalogue: Catalogue, start: Any, way: Path) -> set[Any]:
    """The nodes that a path leads to."""
    found = {start}
    for step in way.steps:
        table = catalogue.inverse if step.inverse else catalogue.statements
        following = {end for node in found for end in table.get((node, step.iri), ())}
        if step.repeat:
            reached = set(found)
            while following - reached:
                reached |= following
                following = {end for node in following for end in table.get((node, step.iri), ())}
            following = reached
        found = following
    return found


def values(catalogue: Catalogue, subject: Any, paths: Iterable[Path]) -> set[Any]:
    return {end for way in paths for end in ends(catalogue, subject, way)}


def is_a(catalogue: Catalogue, node: Any, domain: Domain) -> bool:
    kinds = {kind.value for kind in catalogue.statements.get((node, TYPE), ())}
    return bool(kinds & {domain.class_iri, *domain.subclasses})


def within(value: Any, bounds: Bounds) -> bool:
    if not isinstance(value, ox.Literal):
        return False
    kind = value.datatype.value.removeprefix(XSD)
    read: Any = str if bounds.temporal else Decimal
    if kind not in (("date",) if bounds.temporal else ("integer", "decimal")):
        return False
    found = read(value.value)
    low = bounds.lower is None or (
        found > read(bounds.lower) if bounds.lower_open else found >= read(bounds.lower)
    )
    high = bounds.upper is None or (
        found < read(bounds.upper) if bounds.upper_open else found <= read(bounds.upper)
    )
    return low and high


def holds(catalogue: Catalogue, subject: Any, test: plans.Test) -> bool:
    found = values(catalogue, subject, test.paths)

    def one_of(terms: Sequence[Term]) -> bool:
        return bool(found & {_engine(term) for term in terms})

    def limited(alternatives: Sequence[Bounds]) -> bool:
        return any(within(value, bounds) for value in found for bounds in alternatives)

    return (
        (not test.any_of or one_of(test.any_of))
        and all(one_of(group) for group in test.all_of)
        and not one_of(test.none_of)
        and all(
            any(not isinstance(v, ox.BlankNode) and text in v.value.lower() for v in found)
            for text in test.contains
        )
        and (test.exists is None or bool(found) == test.exists)
        and (test.bounds is None or limited([test.bounds]))
        and (not test.any_bounds or limited(test.any_bounds))
        and all(limited([bounds]) for bounds in test.all_bounds)
        and not limited(test.none_bounds)
    )


def fits(
    catalogue: Catalogue,
    node: Any,
    domain: Domain,
    tests: Sequence[plans.Test],
    joins: Sequence[Join],
) -> bool:
    return (
        is_a(catalogue, node, domain)
        and all(holds(catalogue, node, test) for test in tests if not test.part)
        and all(
            any(all(holds(catalogue, end, test) for test in several) for end in part)
            for part, several in of_parts(catalogue, node, tests)
        )
        and all(
            join.negated
            != any(
                fits(catalogue, other, join.domain, join.tests, join.joins)
                for other in connected(catalogue, node, join)
            )
            for join in joins
        )
    )


def of_parts(
    catalogue: Catalogue, node: Any, tests: Sequence[plans.Test]
) -> list[tuple[set[Any], list[plans.Test]]]:
    """The parts that conditions speak of, with these conditions as seen from there."""
    found: dict[tuple[Step, ...], list[plans.Test]] = {}
    for test in tests:
        if test.part:
            rest = tuple(Path(way.steps[len(test.part) :]) for way in test.paths)
            found.setdefault(test.part, []).append(test._replace(paths=rest))
    return [(ends(catalogue, node, Path(part)), several) for part, several in found.items()]


def connected(catalogue: Catalogue, node: Any, join: Join) -> set[Any]:
    if join.repeated:
        found: set[Any] = set()
        for way in (*join.paths, *(back.turned() for back in join.inverse_paths)):
            reached: set[Any] = set()
            following = ends(catalogue, node, way)
            while following - reached:
                reached |= following
                following = {end for one in following for end in ends(catalogue, one, way)}
            found |= reached
        return found
    forward = values(catalogue, node, join.paths)
    back = {n for n in catalogue.nodes if node in values(catalogue, n, join.inverse_paths)}
    return forward | back


def matching(catalogue: Catalogue, branch: Branch) -> list[Any]:
    return [
        node
        for node in catalogue.nodes
        if isinstance(node, ox.NamedNode)
        and fits(catalogue, node, branch.domain, branch.tests, branch.joins)
    ]


# Searches drawn at random


def some(chance: random.Random, items: Sequence[Any], most: int = 2) -> tuple[Any, ...]:
    return tuple(chance.sample(items, chance.randint(1, min(most, len(items)))))


def limits(chance: random.Random, *, temporal: bool) -> Bounds:
    def bound() -> str | None:
        if chance.random() < 0.3:
            return None
        if temporal:
            return f"2024-0{chance.randint(1, 4)}-15"
        return str(chance.randint(0, 6)) + chance.choice(("", ".5"))

    low, high = bound(), bound()
    if low is None and high is None:
        low = "2024-02-15" if temporal else "3"
    return Bounds(low, high, chance.random() < 0.3, chance.random() < 0.3, temporal)


def a_test(chance: random.Random) -> plans.Test:
    kind = chance.choice(("text", "text", "number", "date"))
    if kind == "text":
        extra: dict[str, Any] = {}
        for name in some(chance, ("any_of", "all_of", "none_of", "contains", "exists")):
            extra |= {
                "any_of": {"any_of": some(chance, WORDS, 3)},
                "all_of": {"all_of": tuple(some(chance, WORDS) for _ in range(2))},
                "none_of": {"none_of": some(chance, WORDS, 3)},
                "contains": {"contains": some(chance, ("fog", "o", "rain"))},
                "exists": {"exists": chance.random() < 0.5},
            }[name]
        return plans.Test("f", "f", some(chance, TEXTS, 3), **extra)
    temporal = kind == "date"
    bounds = [limits(chance, temporal=temporal) for _ in range(2)]
    extra = chance.choice(
        (
            {"bounds": bounds[0]},
            {"any_bounds": tuple(bounds)},
            {"all_bounds": tuple(bounds)},
            {"none_bounds": tuple(bounds)},
            {"bounds": bounds[0], "exists": True},
        )
    )
    return plans.Test("r", "r", some(chance, DATES if temporal else NUMBERS, 2), **extra)


def conditions_of_a_part(chance: random.Random) -> list[plans.Test]:
    """Two or three conditions that one and the same part must meet."""
    part = chance.choice((path("node"), path("node", "deep"))).steps
    found = [
        plans.Test("f", "word", (path("word"),), any_of=some(chance, WORDS, 3)),
        plans.Test("r", "size", (path("size"),), bounds=limits(chance, temporal=False)),
        plans.Test("c", "word too", (path("word"),), contains=("o",), exists=True),
    ]
    return [
        test._replace(part=part, paths=tuple(Path((*part, *way.steps)) for way in test.paths))
        for test in chance.sample(found, chance.choice((2, 3)))
    ]


def a_join(chance: random.Random, level: int = 0) -> Join:
    forward, both = chance.random() < 0.7, chance.random() < 0.3
    paths = some(chance, LINKS)
    return Join(
        "references[0]",
        chance.choice(DOMAINS),
        paths if forward or both else (),
        some(chance, LINKS) if both else () if forward else paths,
        tuple(a_test(chance) for _ in range(chance.randint(0, 2))),
        (a_join(chance, level + 1),) if level < 2 and chance.random() < 0.3 else (),
        negated=chance.random() < 0.25,
        repeated=chance.random() < 0.25,
    )


def a_branch(chance: random.Random, domain: Domain) -> Branch:
    return Branch(
        domain,
        (
            *(a_test(chance) for _ in range(chance.choice((0, 1, 1, 2, 3)))),
            *(conditions_of_a_part(chance) if chance.random() < 0.4 else ()),
        ),
        tuple(a_join(chance) for _ in range(chance.choice((0, 0, 0, 1, 2)))),
    )


def a_plan(chance: random.Random) -> Plan:
    domains = chance.sample(DOMAINS, chance.choice((1, 1, 2)))
    branches = [a_branch(chance, domain) for domain in domains]
    if chance.random() < 0.5:
        # Domains that share a shape are asked for the same.
        branches = [branches[0]._replace(domain=domain) for domain in domains]
    return Plan(tuple(branches))


def some_of_each(chance: random.Random, plan: Plan, ways: Sequence[Path], most: int) -> Any:
    """Paths of a property in each branch, the same in all or not."""
    found = tuple(some(chance, ways, most) for _ in plan.branches)
    return (found[0],) * len(found) if chance.random() < 0.5 else found


# What is known


class WrongEstimates(StoreObserved):
    """Sure of the same, wrong about every number, and always in the same way."""

    def __init__(self, statistics: Any, chance: random.Random) -> None:
        super().__init__(statistics, None)  # type: ignore[arg-type]
        self._chance = chance
        self._said: dict[Any, int] = {}

    def _anything(self, *question: Any) -> int:
        return self._said.setdefault(question, self._chance.choice((0, 1, 1_000, 10_000_000)))

    def statements(self, predicate: str) -> int:
        return self._anything(predicate)

    def occurrences(self, predicate: str, term: Term) -> int:
        return self._anything(predicate, term)

    def instances_of(self, class_iri: str) -> int:
        return self._anything("a", class_iri)


def knowledge(catalogue: Catalogue, chance: random.Random) -> list[Known]:
    statistics = collect(catalogue.store, ox.DefaultGraph())
    return [
        NOTHING,
        StoreObserved(statistics, None),  # type: ignore[arg-type]
        WrongEstimates(statistics, chance),
    ]


def rows(catalogue: Catalogue, query: str) -> list[tuple[Any, ...]]:
    found = catalogue.store.query(query)
    assert isinstance(found, ox.QuerySolutions)
    return [tuple(row) for row in found]


@pytest.fixture(autouse=True)
def _samples_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Estimate from samples of small predicates too."""
    monkeypatch.setattr("groundwire.ontology.plan._MANY", 2)


@pytest.mark.parametrize("seed", range(120))
def test_the_same_assets_match(seed: int) -> None:
    chance = random.Random(seed)
    catalogue = drawn(chance)
    for _ in range(6):
        plan = a_plan(chance)
        expected = {node for branch in plan.branches for node in matching(catalogue, branch)}
        for known in knowledge(catalogue, chance):
            query = page_query(plan, limit=1000, known=known)
            found = [row[0] for row in rows(catalogue, query)]
            assert sorted(map(str, found)) == sorted(map(str, expected)), query
            query = total_query(plan, known=known)
            assert len(rows(catalogue, query)) == len(expected), query
            pages = [
                row[0]
                for start in range(0, len(expected) + 1, 3)
                for row in rows(catalogue, page_query(plan, limit=3, offset=start, known=known))
            ]
            assert sorted(map(str, pages)) == sorted(map(str, expected)), query


@pytest.mark.parametrize("seed", range(120))
def test_the_same_order(seed: int) -> None:
    chance = random.Random(10_000 + seed)
    catalogue = drawn(chance)
    for _ in range(4):
        plan = a_plan(chance)
        paths = some_of_each(chance, plan, NUMBERS, 2)
        ordering = Ordering("size", paths, chance.random() < 0.5)
        # An asset of several domains is sorted by all that it holds.
        ways = [way for each in paths for way in each]
        keys = {
            node: {Decimal(value.value) for value in values(catalogue, node, ways)}
            for branch in plan.branches
            for node in matching(catalogue, branch)
        }
        pick, sign = (max, -1) if ordering.descending else (min, 1)
        expected = sorted(
            keys,
            key=lambda node: (
                not keys[node],
                sign * pick(keys[node]) if keys[node] else 0,
                node.value,
            ),
        )
        for known in knowledge(catalogue, chance):
            query = page_query(plan._replace(ordering=ordering), limit=1000, known=known)
            assert [row[0] for row in rows(catalogue, query)] == expected, query
            query = page_query(plan._replace(ordering=ordering), limit=3, offset=2, known=known)
            assert [row[0] for row in rows(catalogue, query)] == expected[2:5], query


@pytest.mark.parametrize("seed", range(120))
def test_the_same_numbers_by_value(seed: int) -> None:
    chance = random.Random(20_000 + seed)
    catalogue = drawn(chance)
    for _ in range(4):
        plan = a_plan(chance)
        paths = some_of_each(chance, plan, (*TEXTS, *NUMBERS), 3)
        held: dict[Any, set[Any]] = {}
        for branch, ways in zip(plan.branches, paths, strict=True):
            for node in matching(catalogue, branch):
                for value in values(catalogue, node, ways):
                    held.setdefault(value, set()).add(node)
        expected = Counter({str(value): len(nodes) for value, nodes in held.items()})
        grouped = plan._replace(grouping=Grouping("word", paths))
        for known in knowledge(catalogue, chance):
            query = group_query(grouped, limit=1000, known=known)
            found = [(str(value), int(number.value)) for value, number in rows(catalogue, query)]
            assert dict(found) == dict(expected) and len(found) == len(expected), query
            assert [number for _, number in found] == sorted(expected.values(), reverse=True)


def test_searches_are_not_all_empty() -> None:
    """The tests above would hold for nothing at all."""
    sizes = []
    for seed in range(40):
        chance = random.Random(seed)
        catalogue = drawn(chance)
        plan = a_plan(chance)
        sizes.append(len({n for branch in plan.branches for n in matching(catalogue, branch)}))
    assert sum(size > 0 for size in sizes) >= 12
    assert sum(size > 2 for size in sizes) >= 6


@pytest.mark.parametrize("seed", range(60))
def test_assets_with_a_value_to_sort_by_and_those_without_are_the_whole(seed: int) -> None:
    chance = random.Random(20_000 + seed)
    catalogue = drawn(chance)
    for _ in range(4):
        plan = a_plan(chance)
        paths = some_of_each(chance, plan, NUMBERS, 2)
        plan = plan._replace(ordering=Ordering("size", paths, chance.random() < 0.5))
        for known in knowledge(catalogue, chance):
            whole = page_query(plan, limit=1000, known=known)
            parts = [
                page_query(plan, limit=1000, known=known, having=some) for some in (True, False)
            ]
            found = [row[0] for query in parts for row in rows(catalogue, query)]
            assert found == [row[0] for row in rows(catalogue, whole)], parts
