"""Templates of wrong submissions: what nobody has, so that only asking is right."""

from __future__ import annotations

import string
from dataclasses import replace

from tests.evals.ontology_drawing import Case, Cond, Draw, Sub, asked
from tests.evals.ontology_templates import Template

# Words that no catalogue of driving simulations has.
_INVENTED = ("flavour", "mood", "favouriteColour", "ownerBudget", "tasteProfile", "priceInDollars")
_INVENTED_HELD = ("moonPhase", "shoeSize", "numberOfBananas", "happiness")
_VALUES = ("purple", "banana", "gigantic", "quantum foam", "medieval castle", "umpteen")
_VALUES_HELD = ("octopus", "chocolate road", "whenever", "unbelievably good")
# Words of the field that a catalogue may have under another name, or not at all.
_FIELD = (
    "freeway", "autobahn", "lorry", "drizzle", "blizzard", "semaphore", "kerb", "roundabout",
    "public domain", "proprietary", "tailgating", "twilight", "tram", "gravel", "mirror signal",
)  # fmt: skip
_FIELD_HELD = (
    "turnpike", "boulevard", "hail", "sleet", "minibus", "cobblestone", "freeware", "sunrise",
    "jaywalking", "tarmac",
)  # fmt: skip
_AROUND = ("wet {}", "{} with bananas", "old {} style", "{} or similar")
_AROUND_HELD = ("non-{}", "sub{}", "pseudo-{}", "{} deluxe")


def invented() -> list[Template]:
    """What nobody has: only asking is right."""
    return [
        Template("invented property", "a word", lambda d: _no_property(d, _INVENTED), False, 60),
        Template(
            "invented property", "another word", lambda d: _no_property(d, _INVENTED_HELD), True, 40
        ),
        Template("invented property", "coined", lambda d: _no_property(d, ()), False, 40),
        Template("invented value", "a word", lambda d: _no_value(d, _VALUES), False, 100),
        Template("invented value", "another word", lambda d: _no_value(d, _VALUES_HELD), True, 50),
        Template("invented value", "coined", lambda d: _no_value(d, ()), False, 50),
        Template("undeclared synonym", "a word", lambda d: _no_value(d, _FIELD), False, 120),
        Template("undeclared synonym", "another", lambda d: _no_value(d, _FIELD_HELD), True, 60),
        Template("invented value", "words around one", lambda d: _no_value(d, _AROUND), False, 80),
        Template(
            "invented value", "parts around one", lambda d: _no_value(d, _AROUND_HELD), True, 60
        ),
        Template("invented domain", "a word", _no_domain, False, 30),
    ]


def _coined(draw: Draw) -> str:
    vowels = "aeiou"
    letters = "".join(set(string.ascii_lowercase) - set(vowels))
    pairs = [draw.rng.choice(sorted(letters)) + draw.rng.choice(vowels) for _ in range(4)]
    return "".join(pairs) + draw.rng.choice("xzqk")


def _no_property(draw: Draw, words: tuple[str, ...]) -> Case | None:
    place = draw.place("term", "number", "boolean", "date")
    word = draw.rng.choice(words) if words else _coined(draw)
    if place is None or draw.world.owners(word, draw.world.assets):
        return None
    main = draw.cond(place)
    return asked(_with(draw, main, replace(main, key=word)))


def _no_value(draw: Draw, words: tuple[str, ...]) -> Case | None:
    place = draw.place("term", "term", "term", "boolean", "number", "date")
    if place is None:
        return None
    word = draw.rng.choice(words) if words else _coined(draw)
    if "{}" in word:
        if place.kind != "term":
            return None
        word = word.format(draw.concept(place).label)
    if place.forms.owners(word):
        return None
    main = replace(draw.cond(place), part="filters")
    return asked(_with(draw, main, replace(main, sent=word)))


def _no_domain(draw: Draw) -> Case | None:
    word = draw.rng.choice((*_INVENTED, *_VALUES, _coined(draw)))
    domain = draw.domain()
    if draw.world.domains.owners(word):
        return None
    cond = draw.another(domain)
    return asked(Sub(domain, word, (cond,) if cond else ()))


def _with(draw: Draw, main: Cond, changed: Cond) -> Sub:
    domain = main.place.domain
    other = draw.another(domain, main, changed) if draw.rng.random() < 0.4 else None
    return Sub(domain, domain.name, (*([other] if other else ()), changed))
