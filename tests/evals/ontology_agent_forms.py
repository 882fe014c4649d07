"""Further forms of questions: newest first, connected assets, two properties, lower case."""

from __future__ import annotations

from groundwire.ontology.index.model import Domain
from tests.evals.ontology_agent_drawing import Asked, Words, asked, either
from tests.evals.ontology_agent_templates import Maker_, figure
from tests.evals.ontology_drawing import Cond, Ref, branch
from tests.evals.ontology_meaning import of_search
from tests.evals.ontology_worlds import Place


def lower(make: Maker_) -> Maker_:
    """The question without a capital letter, as many type."""

    def made(words: Words) -> Asked | None:
        found = make(words)
        return found and Asked(found.question.lower(), found.right)

    return made


def _term(words: Words, domain: Domain, *used: Place) -> tuple[Cond, Place, str, str] | None:
    """A condition on a value of a domain, its place, and what the two are called."""
    place = words.place("term", domain, *used)
    name = place and words.called(place)
    found = place and words.values(place, 1)
    if place is None or not name or not found:
        return None
    return words.term(place, found[0][0]), place, name, found[0][1]


def newest(form: str, *, descending: bool = True) -> Maker_:
    """Assets in the order of a date."""

    def make(words: Words) -> Asked | None:
        domain = words.domain()
        place = words.place("date", domain)
        name = place and words.called(place)
        if place is None or not name:
            return None
        order = (place.paths, descending)
        question = form.format(D=words.many(domain), P=name)
        return either(question, of_search(branch(domain, ()), sort=order))

    return make


def linked(form: str) -> Maker_:
    """Assets that refer to any of another kind."""

    def make(words: Words) -> Asked | None:
        domain = words.domain()
        target = words.reference(domain)
        if target is None:
            return None
        question = form.format(D=words.many(domain), R=words.noun(target), RS=words.many(target))
        return asked(question, domain, refs=[Ref(target, target.name, ())])

    return make


def referring_too(form: str) -> Maker_:
    """Assets with a value of their own that refer to others with a value."""

    def make(words: Words) -> Asked | None:
        domain = words.domain()
        target = words.reference(domain)
        own = target and _term(words, domain)
        other = target and _term(words, target)
        if target is None or not own or not other:
            return None
        question = form.format(
            D=words.many(domain), R=words.noun(target), RS=words.many(target),
            P=own[2], V=own[3], Q=other[2], W=other[3],
        )  # fmt: skip
        return asked(question, domain, own[0], refs=[Ref(target, target.name, (other[0],))])

    return make


def both(form: str) -> Maker_:
    """Values of two properties."""

    def make(words: Words) -> Asked | None:
        domain = words.domain()
        first = _term(words, domain)
        second = first and _term(words, domain, first[1])
        if not first or not second:
            return None
        question = form.format(
            D=words.many(domain), P=first[2], V=first[3], Q=second[2], W=second[3]
        )
        return asked(question, domain, first[0], second[0])

    return make


def ranked(form: str, *, descending: bool) -> Maker_:
    """Assets with a value in the order of a figure."""

    def make(words: Words) -> Asked | None:
        found = figure(words)
        term = found and _term(words, found.domain)
        if found is None or not term:
            return None
        question = form.format(D=words.many(found.domain), P=term[2], V=term[3], Q=found.name)
        order = (found.place.paths, descending)
        return either(question, of_search(branch(found.domain, [term[0]]), sort=order))

    return make
