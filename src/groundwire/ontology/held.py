"""Conditions as patterns of what a value must be, where they may hold, and their exchange."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple, TypeVar

from groundwire.graph.terms import Term, contains, iri_n3, is_one_of, literal_n3
from groundwire.ontology.conditions import FALSE, TRUE
from groundwire.ontology.index.model import Domain, Path, Property, Step, local_name
from groundwire.ontology.lexicon import Lexicon
from groundwire.ontology.parts import within_any
from groundwire.ontology.plan import Bounds, Branch, Join, Plan, Test

Condition = Test | Join
_MOST_NAMED = 4


class Place(NamedTuple):
    """Where one condition may hold beside where it is declared.

    Attributes:
        readings: the condition in other forms and on other paths; each holds something.
        doubts: readings of what may be meant and may not; they are offered and not searched.
        unknown: why it cannot be said what meets the condition, or "".
        notes: sentences about what holds it elsewhere.
        offers: conditions that may be sent instead, such as `filters.license="The MIT License"`.
        change: where it is stored, for a correction, or "".
        looked: what was looked at, by name.
        without: how many assets of a search were seen to hold none of it; None where not counted.
    """

    readings: tuple[Condition, ...] = ()
    doubts: tuple[Condition, ...] = ()
    unknown: str = ""
    notes: tuple[str, ...] = ()
    offers: tuple[str, ...] = ()
    change: str = ""
    looked: tuple[str, ...] = ()
    without: int | None = None


def late(asked: Condition) -> str:
    """That there was no time to look for a condition."""
    name = asked.name if isinstance(asked, Test) else f"connected {asked.domain.name}"
    return f"not every place that may hold {name} could be looked at in time"


class Groups:
    """Readings of a condition as terms: each a list of groups, of which one term must be held."""

    def __init__(self) -> None:
        self.same: list[list[tuple[Term, ...]]] = []
        self.like: list[list[tuple[Term, ...]]] = []

    def add_same(self, groups: list[tuple[Term, ...]]) -> None:
        """Add a reading that means the same, where each group has a term."""
        if all(groups):
            self.same.append(groups)

    def add_like(self, groups: list[tuple[Term, ...]]) -> None:
        """Add a possible reading unless one that means the same is there."""
        if all(groups) and groups not in self.same:
            self.like.append(groups)


def one_of(asked: Test, groups: Sequence[tuple[Term, ...]], paths: tuple[Path, ...]) -> Test:
    """A condition that demands a term of each group, in place of its values and bounds."""
    return Test(
        asked.slot,
        asked.name,
        paths,
        all_of=tuple(groups),
        none_of=asked.none_of,
        none_bounds=asked.none_bounds,
        shown=asked.shown,
        said=asked.said,
    )


def spread(asked: Test, paths: Iterable[Path], cast: bool) -> Test:
    """A condition on further paths; where they are of other predicates, values are read as text."""
    more = tuple(path for path in paths if path not in asked.paths)
    if not more:
        return asked

    def read(several: Sequence[Bounds]) -> tuple[Bounds, ...]:
        return tuple(each._replace(cast=True) for each in several)

    spread = asked._replace(paths=tuple(dict.fromkeys((*asked.paths, *more))))
    return spread._replace(
        bounds=spread.bounds and spread.bounds._replace(cast=True),
        any_bounds=read(spread.any_bounds),
        all_bounds=read(spread.all_bounds),
        none_bounds=read(spread.none_bounds),
    )


def held_by(asked: Condition) -> str:
    """A pattern of what a value must be at least; "" where any will do."""
    if isinstance(asked, Join):
        classes = [iri_n3(iri) for iri in (asked.domain.class_iri, *asked.domain.subclasses)]
        return f"?value a ?target FILTER({is_one_of('?target', classes)})"
    terms = [*asked.any_of, *chain(*asked.all_of)]
    if terms:
        return f"VALUES ?value {{ {' '.join(term.n3() for term in terms)} }}"
    if asked.contains:
        texts = [contains(text, "?value") for text in asked.contains]
        return f"FILTER({' || '.join(texts)})"
    limits = [each._replace(cast=True) for several in asked.limits for each in several]
    return f"FILTER({within_any(limits, '?value')})" if limits else ""


def ways_of(asked: Condition) -> tuple[Path, ...]:
    """The paths of a condition, those of a connection in the direction from the asset."""
    if isinstance(asked, Test):
        return asked.paths
    return (*asked.paths, *(path.turned() for path in asked.inverse_paths))


def terms_of(asked: Condition) -> tuple[Term, ...]:
    """The terms that a condition asks for; a connection asks for none."""
    return () if isinstance(asked, Join) else (*asked.any_of, *chain(*asked.all_of))


def held_as_text(asked: Test) -> str:
    """A filter of the texts that the values of a condition are written as, or ""."""
    texts = dict.fromkeys(
        text.lower()
        for term in terms_of(asked)
        for text in (
            (TRUE if term.value in ("true", "1") else FALSE)
            if term.datatype.endswith("#boolean")
            else (term.value, local_name(term.value))
        )
    )
    listed = ", ".join(map(literal_n3, texts))
    return f"FILTER(LCASE(STR(?value)) IN ({listed}))" if texts else ""


def alike_text(asked: Test) -> str:
    """A filter of stored values that may be meant, where there are too many to be listed."""
    if asked.limits:
        return "FILTER(isLiteral(?value) && !isNumeric(?value))"
    texts = {
        text.lower() for term in terms_of(asked) for text in (term.value, local_name(term.value))
    }
    if not texts:
        return ""
    listed = ", ".join(map(literal_n3, sorted(texts)))
    ends = " || ".join(
        f"STRENDS(LCASE(STR(?value)), {literal_n3(mark + text)})"
        for text in sorted(texts)
        for mark in "/#"
    )
    return f"FILTER(LCASE(STR(?value)) IN ({listed}) || (isIRI(?value) && ({ends})))"


def of_kind(domain: Domain) -> str:
    """A pattern: the asset is an IRI and an instance of a domain."""
    classes = [iri_n3(iri) for iri in (domain.class_iri, *domain.subclasses)]
    if len(classes) == 1:
        return f"?asset a {classes[0]} FILTER(isIRI(?asset))"
    # Compared and not matched, so that the engine goes on from asset to asset.
    return f"?asset a ?kind FILTER(({is_one_of('?kind', classes)}) && isIRI(?asset))"


def is_other(path: Path, known: Sequence[Path], domain: Domain) -> bool:
    """Whether a path is not known, and no shape declares it the other way round."""
    last = path.steps[-1]
    turned = all(
        last.iri != way.steps[-1].iri or last.inverse != way.steps[-1].inverse for way in known
    )
    return not any(way.covers(path) for way in known) and not (
        turned and declares(domain, _key(last))
    )


def _key(step: Step) -> str:
    return "^" * step.inverse + step.iri


def declares(domain: Domain, iri: str) -> bool:
    """Whether a shape of a domain names a property."""
    return iri in domain.properties and domain.properties[iri].declared


def property_of(domain: Domain, asked: Test) -> Property:
    """The property of a domain that a condition is on."""
    ends = [path.steps[-1] for path in asked.paths]
    for prop in domain.properties.values():
        if any(prop.key == _key(step) for step in ends):
            return prop
    iri = ends[0].iri
    return Property(iri, local_name(iri), iri, asked.paths)


def change_of(asked: Condition, readings: Sequence[Condition], lexicon: Lexicon) -> str:
    """The other paths and forms of a condition, for a correction."""
    known, before = set(ways_of(asked)), set(terms_of(asked))
    paths = dict.fromkeys(path for one in readings for path in ways_of(one))
    terms = dict.fromkeys(term for one in readings for term in terms_of(one))
    listed = [
        f"{lexicon.compact(path.steps[-1].iri)} ({path.local()})"
        for path in paths
        if path not in known
    ]
    listed += [lexicon.shown(term) for term in terms if term not in before]
    return ", ".join(dict.fromkeys(listed[:_MOST_NAMED]))


def looked_at(
    domain: Domain, asked: Test, named: Iterable[str], lexicon: Lexicon
) -> tuple[str, ...]:
    """The paths and the predicates that a condition was looked for on."""
    paths = [f"{domain.name} {path.local()}" for path in asked.paths]
    return tuple(dict.fromkeys((*paths[:_MOST_NAMED], *map(lexicon.compact, named))))


_Each = TypeVar("_Each")
_Part = TypeVar("_Part", Branch, Join)
Swap = dict[int, tuple[Condition, ...]]
"""The conditions that replace a condition, by its `id`; an empty tuple leaves it out."""


def exchanged(plan: Plan, swap: Swap) -> Plan:
    """Return a plan with some of its conditions exchanged."""
    return plan._replace(branches=tuple(swapped(branch, swap) for branch in plan.branches))


def arranged(plan: Plan, branches: Sequence[tuple[int, Branch]]) -> Plan:
    """Return a plan of other branches, each sorted and counted as the one in its place was."""
    places = [at for at, _ in branches]

    def paths(known: Sequence[tuple[Path, ...]]) -> tuple[tuple[Path, ...], ...]:
        return tuple(known[at] for at in places)

    return Plan(
        tuple(branch for _, branch in branches),
        plan.ordering and plan.ordering._replace(paths=paths(plan.ordering.paths)),
        plan.grouping and plan.grouping._replace(paths=paths(plan.grouping.paths)),
        plan.aggregation and plan.aggregation._replace(paths=paths(plan.aggregation.paths)),
    )


def swapped(part: _Part, swap: Swap) -> _Part:
    """Return a branch, or a join within one, with some of its conditions exchanged."""
    return part._replace(
        tests=_each_swapped(part.tests, Test, swap),
        joins=tuple(swapped(join, swap) for one in part.joins for join in _ways(one, swap)),
    )


def _each_swapped(tests: Sequence[Test], kind: type[_Each], swap: Swap) -> tuple[_Each, ...]:
    return tuple(
        one for test in tests for one in swap.get(id(test), (test,)) if isinstance(one, kind)
    )


def _ways(join: Join, swap: Swap) -> list[Join]:
    return [
        one._replace(tests=join.tests, joins=join.joins)
        for one in swap.get(id(join), (join,))
        if isinstance(one, Join)
    ]
