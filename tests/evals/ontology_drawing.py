"""Submissions as they should be, drawn at random from a world, and the cases made of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any

from groundwire.graph.terms import literal
from groundwire.ontology.concepts import Concept
from groundwire.ontology.index.model import Domain
from groundwire.ontology.plan import Bounds
from tests.evals.ontology_meaning import (
    Atom,
    Meaning,
    of_branch,
    of_search,
    one_of,
    within,
)
from tests.evals.ontology_worlds import Lacking, Place, World

_BOOLEAN = "http://www.w3.org/2001/XMLSchema#boolean"


@dataclass(frozen=True)
class Cond:
    """One condition: how it is sent, and what it means."""

    place: Place
    key: str
    sent: Any
    atoms: tuple[Atom, ...]
    part: str = "filters"


@dataclass(frozen=True)
class Ref:
    """A connected asset with its conditions."""

    domain: Domain
    name: str
    conds: tuple[Cond, ...] = ()
    refs: tuple[Ref, ...] = ()


@dataclass(frozen=True)
class Sub:
    """A submission; `name` is the domain as it is sent, empty where none is."""

    domain: Domain
    name: str
    conds: tuple[Cond, ...] = ()
    refs: tuple[Ref, ...] = ()

    def slots(self) -> dict[str, Any]:
        named = {"domains": [self.name]} if self.name else {}
        return named | _conditions(self.conds, self.refs)

    def meaning(self) -> Meaning:
        return of_search(branch(self.domain, self.conds, self.refs))


@dataclass
class Case:
    """A submission with what may come of it.

    Attributes:
        slots: what is sent; likewise `sort` and `count_by`.
        right: the meanings that may be applied at once; where it is empty, only asking is right.
        must: asking is asking too much, since the rules allow the correction.
        repaired: the meanings that the next call may have; empty where nothing can be meant.
        reported: what is read otherwise than as sent is to be found in the corrections.
        canonical: the slots as they should have been sent, and `form`: the words a line has to
            name before a host can know that form.
        lacking: the lexicon without the terms left out, made when it is needed.
        hidden: words that nobody knows while the case runs.
    """

    slots: dict[str, Any]
    right: frozenset[Meaning] = frozenset()
    must: bool = False
    repaired: frozenset[Meaning] = frozenset()
    reported: bool = False
    canonical: dict[str, Any] | None = None
    form: tuple[str, ...] = ()
    sort: str = ""
    count_by: str = ""
    lacking: Callable[[], Lacking] | None = None
    hidden: frozenset[str] = frozenset()


def corrected(sub: Sub, meant: Meaning, *, must: bool = True, reported: bool = False) -> Case:
    """A case whose one meaning may be applied, and is to be found by a repair otherwise."""
    return Case(sub.slots(), frozenset({meant}), must, frozenset({meant}), reported)


def asked(sub: Sub, *repaired: Meaning) -> Case:
    """A case that has to be asked about."""
    return Case(sub.slots(), repaired=frozenset(repaired))


def branch(domain: Domain, conds: Iterable[Cond], refs: Iterable[Ref] = ()) -> Meaning:
    joins = [branch(ref.domain, ref.conds, ref.refs) for ref in refs]
    return of_branch(domain, [(cond.place.paths, cond.atoms) for cond in conds], joins)


def _conditions(conds: Sequence[Cond], refs: Sequence[Ref]) -> dict[str, Any]:
    slots: dict[str, Any] = {}
    for cond in conds:
        slots.setdefault(cond.part, {})[cond.key] = cond.sent
    if refs:
        slots["references"] = [
            {"domain": ref.name, **_conditions(ref.conds, ref.refs)} for ref in refs
        ]
    return slots


@dataclass
class Draw:
    """Random choices in one world for one template."""

    world: World
    rng: random.Random
    held_out: bool = False
    others: Sequence[World] = ()
    _by_kind: dict[Any, list[Place]] = field(default_factory=dict)

    # What there is

    def places(self, *kinds: str, domain: Domain | None = None) -> list[Place]:
        key = (kinds, domain and domain.name)
        if key not in self._by_kind:
            found = self.world.of_kind(*(kinds or ("term", "number", "boolean", "date")))
            self._by_kind[key] = [p for p in found if domain is None or p.domain is domain]
        return self._by_kind[key]

    def place(self, *kinds: str, domain: Domain | None = None, at_least: int = 1) -> Place | None:
        """A property; four of five with values that are listed or few."""
        found = self.places(*kinds, domain=domain)
        if "term" in kinds:
            found = [p for p in found if p.kind != "term" or len(p.concepts) >= at_least]
            controlled = [p for p in found if p.kind == "term" and p.controlled]
            if controlled and self.rng.random() < 0.8:
                found = controlled
        return self.rng.choice(found) if found else None

    def domain(self) -> Domain:
        return self.rng.choice(self.world.assets)

    def connected(self, domain: Domain) -> list[Domain]:
        """Domains with a declared connection from or to this one."""
        ways = self.world.connected[domain.name]
        return [other for other in self.world.assets if ways.get(other.name)]

    def concept(self, place: Place) -> Concept:
        return self.rng.choice(place.concepts)

    # Conditions as they should be

    def of_concepts(self, place: Place, *concepts: Concept, sent: Any = None) -> Cond:
        terms = [term for concept in concepts for term in concept.terms]
        labels = [concept.label for concept in concepts]
        if sent is None:
            sent = labels[0] if len(labels) == 1 else labels
        return Cond(place, self.world.key_of(place), sent, (one_of(*terms),))

    def number(self) -> int:
        return self.rng.randint(2, 400)

    def day(self) -> date:
        return date(2021, 1, 1) + timedelta(days=self.rng.randrange(1800))

    def cond(self, place: Place) -> Cond:
        """Any condition on a property, in the form that the schema of the tool names."""
        key = self.world.key_of(place)
        if place.kind == "term":
            return self.of_concepts(place, self.concept(place))
        if place.kind == "boolean":
            said = self.rng.random() < 0.5
            return Cond(place, key, said, (truth(said),))
        if place.kind == "date":
            since = self.day().isoformat()
            bounds = Bounds(since, None, temporal=True)
            return Cond(place, key, {"min": since}, (within(bounds),), "ranges")
        least = self.number()
        return Cond(place, key, {"min": least}, (within(Bounds(str(least), None)),), "ranges")

    def another(self, domain: Domain, *used: Cond) -> Cond | None:
        """A condition on a property of the domain that is not used yet."""
        keys = {cond.key for cond in used} | {cond.place.prop.key for cond in used}
        for _ in range(8):
            place = self.place("term", "number", "boolean", "date", domain=domain)
            if place and place.prop.key not in keys and self.world.key_of(place) not in keys:
                return self.cond(place)
        return None

    # Submissions around a condition

    def around(self, main: Cond) -> Sub:
        """A submission that holds a condition, alone or among others."""
        domain = main.place.domain
        frames = [self._alone, self._alone, self._beside, self._beside_range, self._in_reference]
        if self.held_out:
            frames += [self._with_reference, self._with_reference, self._nested]
        return self.rng.choice(frames)(domain, main) or self._alone(domain, main)

    def _alone(self, domain: Domain, main: Cond) -> Sub:
        return Sub(domain, domain.name, (main,))

    def _beside(self, domain: Domain, main: Cond) -> Sub | None:
        other = self.another(domain, main)
        return other and Sub(domain, domain.name, (other, main))

    def _beside_range(self, domain: Domain, main: Cond) -> Sub | None:
        place = self.place("number", domain=domain)
        if place is None or place.prop.key == main.place.prop.key:
            return None
        return Sub(domain, domain.name, (main, self.cond(place)))

    def _in_reference(self, domain: Domain, main: Cond) -> Sub | None:
        sources = self.connected(domain)
        if not sources:
            return None
        source = self.rng.choice(sources)
        return Sub(source, source.name, refs=(Ref(domain, domain.name, (main,)),))

    def _with_reference(self, domain: Domain, main: Cond) -> Sub | None:
        targets = self.connected(domain)
        if not targets:
            return None
        target = self.rng.choice(targets)
        other = self.another(target)
        refs = (Ref(target, target.name, (other,) if other else ()),)
        return Sub(domain, domain.name, (main,), refs)

    def _nested(self, domain: Domain, main: Cond) -> Sub | None:
        middle = self.connected(domain)
        if not middle:
            return None
        between = self.rng.choice(middle)
        outer = self.rng.choice(self.connected(between))
        inner = Ref(domain, domain.name, (main,))
        return Sub(outer, outer.name, refs=(Ref(between, between.name, refs=(inner,)),))

    def in_other_words(
        self, main: Cond, sent: Any, part: str = "filters", form: tuple[str, ...] = ()
    ) -> Case:
        """A case that sends a condition in a form of its own."""
        whole = self.around(main)
        spoken = replace(main, sent=sent, part=part)
        sub = _swapped(whole, main, spoken)
        case = corrected(sub, whole.meaning())
        case.canonical, case.form = whole.slots(), form
        return case

    def respelt(
        self,
        main: Cond,
        *,
        key: str | None = None,
        sent: Any = None,
        must: bool = True,
        reported: bool = False,
    ) -> Case:
        """A case that sends a condition with another key or value."""
        whole = self.around(main)
        changed = replace(
            main, key=main.key if key is None else key, sent=main.sent if sent is None else sent
        )
        sub = _swapped(whole, main, changed)
        return corrected(sub, whole.meaning(), must=must, reported=reported)


def truth(said: bool) -> Atom:
    words = ("true", "1") if said else ("false", "0")
    return one_of(*(literal(word, _BOOLEAN) for word in words))


def _swapped(sub: Sub, old: Cond, new: Cond) -> Sub:
    return replace(
        sub,
        conds=tuple(new if cond is old else cond for cond in sub.conds),
        refs=tuple(_swapped_ref(ref, old, new) for ref in sub.refs),
    )


def _swapped_ref(ref: Ref, old: Cond, new: Cond) -> Ref:
    return replace(
        ref,
        conds=tuple(new if cond is old else cond for cond in ref.conds),
        refs=tuple(_swapped_ref(inner, old, new) for inner in ref.refs),
    )
