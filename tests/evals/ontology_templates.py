"""Templates of wrong submissions: names written otherwise.

A template makes cases of one kind in one way. A third of them is held out: their figures are
reported apart, and nothing is tuned by them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from groundwire.vocabulary import fold
from tests.evals.ontology_drawing import Case, Draw, Sub, asked, corrected
from tests.evals.ontology_spelling import (
    Edit,
    added,
    another_word,
    beside,
    counted,
    doubled,
    dropped,
    first_wrong,
    misspelt,
    misspelt_in_two,
    parted,
    swapped,
    within_rule,
    wrong,
)
from tests.evals.ontology_worlds import Forms, Place

Make = Callable[[Draw], Case | None]


class Template(NamedTuple):
    """How one sort of cases is made, and how many in each world.

    Attributes:
        kind: the class that its cases are reported in.
        name: what sets it apart within the class.
        make: a case, or None where the draw allows none.
        held_out: it is kept out of development.
        cases: how many cases of it a full run has in each world.
    """

    kind: str
    name: str
    make: Make
    held_out: bool = False
    cases: int = 40


def spelling() -> list[Template]:
    """Names of values, properties and domains, written otherwise."""
    found: list[Template] = []
    edits: dict[str, tuple[Edit, bool]] = {
        "a letter dropped": (dropped, False),
        "two letters swapped": (swapped, False),
        "a wrong letter": (wrong, False),
        "the first letter wrong": (first_wrong, False),
        "a letter added": (added, True),
        "a letter doubled": (doubled, True),
        "the key beside": (beside, True),
    }
    for name, (edit, held) in edits.items():
        found += _everywhere("typo, one edit", name, held, _typo(edit))
    twice: dict[str, tuple[tuple[Edit, Edit], bool, bool]] = {
        "in a word of eight letters": ((dropped, wrong), False, False),
        "in a shorter word": ((wrong, wrong), True, False),
        "in a word of eight letters, added": ((added, swapped), False, True),
    }
    for name, (pair, short, held) in twice.items():
        found += _everywhere("typo, two edits", name, held, _typo(*pair, least=5 if short else 8))
    found += _everywhere("typo, two edits", "in two words", False, _in_two(dropped, swapped))
    found += _everywhere("typo, two edits", "in two words, added", True, _in_two(added, beside))
    for name, change, held in (
        ("upper", str.upper, False),
        ("lower", str.lower, False),
        ("title", str.title, True),
    ):
        found += _everywhere("case", name, held, _changed(change))
    for name, by, held in (
        ("underscores", "_", False),
        ("spaces", " ", False),
        ("camelCase", "camel", False),
        ("hyphens", "-", True),
        ("none", "", True),
    ):
        found += _everywhere(
            "separators", name, held, _changed(lambda text, by=by: parted(text, by))
        )
    found += _everywhere("plurals", "the other number", False, _changed(counted))
    found += _everywhere(
        "plurals",
        "the other number, lower case",
        True,
        _changed(lambda text: (counted(text) or "").lower() or None),
    )
    return found


def two_mistakes() -> list[Template]:
    """A mistake in each of two names of one submission."""
    kind = "two mistakes"
    return [
        Template(kind, "property and value", lambda d: _both(d, swapped, dropped), False, 80),
        Template(kind, "domain and value", lambda d: _both(d, dropped, wrong, True), False, 60),
        Template(kind, "property and value, added", lambda d: _both(d, added, beside), True, 60),
        Template(kind, "domain, added", lambda d: _both(d, doubled, added, True), True, 40),
    ]


def other_words() -> list[Template]:
    """A word that exists and is an edit away from a name is no misspelling of it."""
    kind = "another word, an edit away"
    return [
        Template(kind, "value", lambda d: _other_word(d, "value"), False, 150),
        Template(kind, "property", lambda d: _other_word(d, "property"), True, 80),
        Template(kind, "domain", lambda d: _other_word(d, "domain"), False, 20),
    ]


def _other_word(draw: Draw, what: str) -> Case | None:
    place = draw.place("term")
    if place is None:
        return None
    world, domain = draw.world, place.domain
    concept = draw.concept(place)
    text = {
        "value": natural(draw, place, concept.key),
        "property": place.prop.local_name,
        "domain": domain.name,
    }[what]
    word = another_word(text, world.known, draw.rng) if text else None
    if word is None:
        return None
    main = draw.of_concepts(place, concept)
    if what == "value":
        if place.forms.owners(word):
            return None
        return asked(Sub(domain, domain.name, (replace(main, sent=word),)))
    if what == "property":
        if world.owners(word, world.assets):
            return None
        return asked(Sub(domain, domain.name, (replace(main, key=word),)))
    return None if world.domains.owners(word) else asked(Sub(domain, word, (main,)))


def _both(draw: Draw, first: Edit, second: Edit, of_domain: bool = False) -> Case | None:
    """The value and the property's or the domain's name misspelt."""
    place = draw.place("term")
    if place is None:
        return None
    world, domain = draw.world, place.domain
    forms = world.domains if of_domain else world.properties[domain.name]
    identifier = domain.name if of_domain else place.prop.key
    name = domain.name if of_domain else place.prop.local_name
    concept = draw.concept(place)
    text = natural(draw, place, concept.key)
    if text is None or not forms.names(name, identifier):
        return None
    named = _typo(first)(draw, forms, identifier, name)
    valued = _typo(second)(draw, place.forms, concept.key, text)
    if named is None or valued is None:
        return None
    main = draw.of_concepts(place, concept)
    meant = Sub(domain, domain.name, (main,)).meaning()
    key = main.key if of_domain else named[0]
    changed = replace(main, key=key, sent=valued[0])
    sub = Sub(domain, named[0] if of_domain else domain.name, (changed,))
    return corrected(sub, meant, must=named[1] and valued[1], reported=True)


# A change of a name: what is sent for it and whether it must be corrected, or None.
Change = Callable[[Draw, Forms, str, str], "tuple[str, bool] | None"]


def _everywhere(kind: str, name: str, held: bool, change: Change) -> list[Template]:
    makers: list[tuple[str, Make, int]] = [
        ("value", lambda draw: _value(draw, change), 45),
        ("property", lambda draw: _property(draw, change), 30),
        ("domain", lambda draw: _domain(draw, change), 12),
    ]
    return [Template(kind, f"{name}: {what}", make, held, cases) for what, make, cases in makers]


def _typo(*edits: Edit, least: int = 4) -> Change:
    def change(draw: Draw, forms: Forms, identifier: str, text: str) -> tuple[str, bool] | None:
        sent = misspelt(text, draw.rng, *edits, least=least)
        if sent is None or forms.owners(sent):
            return None
        return sent, within_rule(forms, draw.world.known, identifier, text, sent)

    return change


def _in_two(*edits: Edit) -> Change:
    def change(draw: Draw, forms: Forms, identifier: str, text: str) -> tuple[str, bool] | None:
        sent = misspelt_in_two(text, draw.rng, *edits)
        if sent is None or forms.owners(sent):
            return None
        return sent, within_rule(forms, draw.world.known, identifier, text, sent)

    return change


def _changed(make: Callable[[str], str | None]) -> Change:
    def change(draw: Draw, forms: Forms, identifier: str, text: str) -> tuple[str, bool] | None:
        sent = make(text)
        if not sent or sent == text or forms.owners(sent) - {identifier}:
            return None
        return sent, True

    return change


def natural(draw: Draw, place: Place, key: str) -> str | None:
    """A form of a value that names it alone and that a person might type."""
    forms = [
        form
        for form in place.forms.of_term[key]
        if "://" not in form and len(form) < 60 and form.isascii() and place.forms.names(form, key)
    ]
    return draw.rng.choice(forms[:3]) if forms else None


def _value(draw: Draw, change: Change) -> Case | None:
    place = draw.place("term")
    if place is None:
        return None
    concept = draw.concept(place)
    text = natural(draw, place, concept.key)
    found = text and change(draw, place.forms, concept.key, text)
    if not found:
        return None
    sent, must = found
    main = draw.of_concepts(place, concept)
    return draw.respelt(main, sent=sent, must=must, reported=bool(fold(sent) != fold(str(text))))


def _property(draw: Draw, change: Change) -> Case | None:
    place = draw.place("term", "number", "boolean", "date")
    if place is None:
        return None
    main = draw.cond(place)
    forms = draw.world.properties[place.domain.name]
    if not forms.names(place.prop.local_name, place.prop.key):
        return None
    found = change(draw, forms, place.prop.key, place.prop.local_name)
    if not found:
        return None
    sent, must = found
    reported = fold(sent) != fold(place.prop.local_name)
    return draw.respelt(main, key=sent, must=must, reported=reported)


def _domain(draw: Draw, change: Change) -> Case | None:
    domain = draw.domain()
    forms = draw.world.domains
    found = change(draw, forms, domain.name, domain.name)
    if not found:
        return None
    sent, must = found
    cond = draw.another(domain)
    sub = Sub(domain, sent, (cond,) if cond else ())
    return corrected(sub, sub.meaning(), must=must, reported=fold(sent) != fold(domain.name))
