"""Forms of questions for the ontology agent: what is asked, for words that say it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from groundwire.ontology.index.model import Domain
from tests.evals.ontology_agent_drawing import Asked, Words, asked, either
from tests.evals.ontology_drawing import Cond, Ref, branch
from tests.evals.ontology_meaning import of_search
from tests.evals.ontology_worlds import Place


class Figure(NamedTuple):
    """A numeric property with what is said of it."""

    domain: Domain
    place: Place
    name: str
    value: str
    written: str
    unit: str


def figure(words: Words) -> Figure | None:
    domain = words.domain()
    place = words.place("number", domain)
    name = place and words.called(place)
    if place is None or not name:
        return None
    value, written = words.number()
    return Figure(domain, place, name, value, written, words.unit(place))


def value(form: str, *, how: str = "any", count: int = 1, alone: bool = False) -> Maker_:
    """A value of a property; `{P}` names the property, `{V}`, `{W}` are values."""

    def make(words: Words) -> Asked | None:
        domain = words.domain()
        place = words.place("term", domain)
        name = place and words.called(place)
        found = place and words.values(place, count, alone=alone)
        if place is None or not name or not found:
            return None
        concepts = [concept for concept, _ in found]
        texts = dict(zip("VW", (text for _, text in found), strict=False))
        reads = {"any": words.term, "all": words.all_terms, "none": words.no_term}[how]
        question = form.format(D=words.many(domain), S=words.noun(domain), P=name, **texts)
        return asked(question, domain, reads(place, *concepts))

    return make


Maker_ = Callable[[Words], Asked | None]


def bound(form: str, side: str) -> Maker_:
    """A bound of a figure: gt, min, lt or max."""

    def make(words: Words) -> Asked | None:
        found = figure(words)
        if found is None:
            return None
        low, high = (found.value, None) if side in ("gt", "min") else (None, found.value)
        cond = words.bounds(found.place, low, high, open_=side in ("gt", "lt"))
        question = form.format(
            D=words.many(found.domain), P=found.name, N=found.written, U=found.unit
        )
        return asked(question, found.domain, cond)

    return make


def between(form: str) -> Maker_:
    def make(words: Words) -> Asked | None:
        found = figure(words)
        if found is None:
            return None
        low = words.rng.randint(2, 90)
        high = low + words.rng.randint(1, 90)
        question = form.format(
            D=words.many(found.domain), P=found.name, N=low, M=high, U=found.unit
        )
        return asked(question, found.domain, words.bounds(found.place, str(low), str(high)))

    return make


def exists(form: str, said: bool) -> Maker_:
    def make(words: Words) -> Asked | None:
        domain = words.domain()
        place = words.place(words.rng.choice(("term", "number", "date")), domain)
        name = place and words.called(place)
        if place is None or not name:
            return None
        question = form.format(D=words.many(domain), P=name)
        right = [words.exists(place, said)]
        if place.kind == "number":
            # What is counted is there from one on: "without traffic lights" may be none of them.
            right.append(words.bounds(place, *(("1", None) if said else (None, "0"))))
        return either(question, *(of_search(branch(domain, [cond])) for cond in right))

    return make


def truth_of(form: str, said: bool) -> Maker_:
    def make(words: Words) -> Asked | None:
        domain = words.domain()
        place = words.place("boolean", domain)
        name = place and words.called(place)
        if place is None or not name:
            return None
        question = form.format(D=words.many(domain), P=name)
        return asked(question, domain, words.true(place, said))

    return make


def dated(form: str, side: str) -> Maker_:
    def make(words: Words) -> Asked | None:
        domain = words.domain()
        place = words.place("date", domain)
        name = place and words.called(place)
        if place is None or not name:
            return None
        day = words.day()
        low, high, open_ = {
            "after": (day.isoformat(), None, True),
            "since": (day.isoformat(), None, False),
            "until": (None, day.isoformat(), False),
            "before": (None, day.isoformat(), True),
            "years": (f"{day.year}-01-01", f"{day.year + 2}-12-31", False),
            "year": (f"{day.year}-01-01", f"{day.year}-12-31", False),
        }[side]
        question = form.format(
            D=words.many(domain), P=name, T=day.isoformat(), Y=day.year, Z=day.year + 2
        )
        return asked(question, domain, words.bounds(place, low, high, open_=open_))

    return make


def sorted_by(form: str, *, descending: bool) -> Maker_:
    def make(words: Words) -> Asked | None:
        found = figure(words)
        if found is None:
            return None
        question = form.format(D=words.many(found.domain), P=found.name)
        order = (found.place.paths, descending)
        return either(question, of_search(branch(found.domain, ()), sort=order))

    return make


def counted(form: str) -> Maker_:
    def make(words: Words) -> Asked | None:
        domain = words.domain()
        place = words.place("term", domain)
        name = place and words.called(place)
        if place is None or not name:
            return None
        question = form.format(D=words.many(domain), P=name)
        return either(question, of_search(branch(domain, ()), group=place.paths))

    return make


def referring(form: str, *, bounded: bool = False) -> Maker_:
    """Assets that refer to others, of which a value or a figure is asked."""

    def make(words: Words) -> Asked | None:
        domain = words.domain()
        target = words.reference(domain)
        place = target and words.place("number" if bounded else "term", target)
        name = place and words.called(place)
        if target is None or place is None or not name:
            return None
        texts: dict[str, str] = {}
        if bounded:
            number, texts["N"] = words.number()
            texts["U"] = words.unit(place)
            cond = words.bounds(place, number, None)
        else:
            found = words.values(place, 1)
            if not found:
                return None
            texts["V"] = found[0][1]
            cond = words.term(place, found[0][0])
        question = form.format(
            D=words.many(domain), R=words.noun(target), RS=words.many(target), P=name, **texts
        )
        return asked(question, domain, refs=[Ref(target, target.name, (cond,))])

    return make


def two(form: str, *, negated: bool = False) -> Maker_:
    """A value and a least figure of one asset."""

    def make(words: Words) -> Asked | None:
        found = figure(words)
        if found is None:
            return None
        place = words.place("term", found.domain)
        name = place and words.called(place)
        values = place and words.values(place, 1)
        if place is None or not name or not values:
            return None
        concept, text = values[0]
        conds: list[Cond] = [
            (words.no_term if negated else words.term)(place, concept),
            words.bounds(found.place, found.value, None),
        ]
        question = form.format(
            D=words.many(found.domain), P=name, V=text, Q=found.name, N=found.written, U=found.unit
        )
        return asked(question, found.domain, *conds)

    return make
