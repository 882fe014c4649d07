"""Templates of wrong submissions: conditions in other words, and numbers with units."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable
from typing import Any

from groundwire.ontology.plan import Bounds
from tests.evals.ontology_drawing import Case, Cond, Draw, Sub, asked, truth
from tests.evals.ontology_meaning import none_of, within
from tests.evals.ontology_templates import Template

# Of terms: how a value or two are sent, what is meant by it, and whether it is held out.
_TERMS: list[tuple[str, Callable[[str, str], Any], str, bool]] = [
    ("eq", lambda a, b: {"eq": a}, "one", False),
    ("=", lambda a, b: {"=": a}, "one", False),
    ("is", lambda a, b: {"is": a}, "one", False),
    ("equals", lambda a, b: {"equals": a}, "one", False),
    ("in", lambda a, b: {"in": [a, b]}, "any", False),
    ("$in", lambda a, b: {"$in": [a, b]}, "any", False),
    ("or", lambda a, b: {"or": [a, b]}, "any", False),
    ("not", lambda a, b: {"not": a}, "none", False),
    ("!=", lambda a, b: {"!=": a}, "none", False),
    ("not in", lambda a, b: {"not_in": [a, b]}, "none both", False),
    ("and", lambda a, b: {"and": [a, b]}, "all", False),
    ("equal to", lambda a, b: {"equal to": a}, "one", True),
    ("one of", lambda a, b: {"one of": [a, b]}, "any", True),
    ("is not", lambda a, b: {"is not": a}, "none", True),
    ("excluding", lambda a, b: {"excluding": a}, "none", True),
    ("has all", lambda a, b: {"has all": [a, b]}, "all", True),
]
# Of numbers, as filters (text) or ranges: what is sent for the numbers a < b, and what it means.
_NUMBERS: list[tuple[str, str, Callable[[int, int], Any], str, bool]] = [
    ("more than", "filters", lambda a, b: f"more than {a}", ">a", False),
    (">=", "filters", lambda a, b: f">= {a}", ">=a", False),
    ("at least", "filters", lambda a, b: f"at least {a}", ">=a", False),
    ("between", "filters", lambda a, b: f"between {a} and {b}", "a..b", False),
    ("up to", "filters", lambda a, b: f"up to {b}", "<=b", False),
    ("a to b", "filters", lambda a, b: f"{a} to {b}", "a..b", False),
    ("gte", "filters", lambda a, b: {"gte": a}, ">=a", False),
    ("a bare number", "filters", lambda a, b: str(a), "=a", False),
    (">", "ranges", lambda a, b: {">": a}, ">a", False),
    ("at least (range)", "ranges", lambda a, b: {"at least": a}, ">=a", False),
    ("less than (range)", "ranges", lambda a, b: {"less than": b}, "<b", False),
    ("from, to", "ranges", lambda a, b: {"from": a, "to": b}, "a..b", False),
    ("pair", "ranges", lambda a, b: [a, b], "a..b", False),
    ("text", "ranges", lambda a, b: {"min": str(a), "max": f"{b}"}, "a..b", False),
    ("or more", "filters", lambda a, b: f"{a} or more", ">=a", True),
    ("no fewer than", "filters", lambda a, b: f"no fewer than {a}", ">=a", True),
    ("exceeds", "filters", lambda a, b: f"exceeds {a}", ">a", True),
    ("<", "filters", lambda a, b: f"<{b}", "<b", True),
    ("between pair", "ranges", lambda a, b: {"between": [a, b]}, "a..b", True),
    ("greater or equal", "ranges", lambda a, b: {"greater or equal": a}, ">=a", True),
    ("not above", "ranges", lambda a, b: {"not above": b}, "<=b", True),
]
_DATES: list[tuple[str, str, Callable[[int, int], Any], str, bool]] = [
    ("after a year", "filters", lambda y, m: f"after {y}", "after year", False),
    ("before a month", "filters", lambda y, m: f"before {y}-{m:02}", "before month", False),
    ("a year", "filters", lambda y, m: str(y), "year", False),
    ("since (range)", "ranges", lambda y, m: {"since": str(y)}, "since year", False),
    ("until (range)", "ranges", lambda y, m: {"until": f"{y}-{m:02}"}, "until month", False),
    ("a month", "filters", lambda y, m: f"{y}-{m:02}", "month", True),
    ("since", "filters", lambda y, m: f"since {y}-{m:02}", "since month", True),
    (
        "from, to",
        "ranges",
        lambda y, m: {"from": f"{y}-{m:02}", "to": f"{y}-{m:02}"},
        "month",
        True,
    ),
]
_TRUTHS = [
    ("yes", True, False), ("no", False, False), ("True", True, False), ("false", False, False),
    (1, True, False), ("ja", True, True), ("是", True, True), (0, False, True),
]  # fmt: skip


def operators() -> list[Template]:
    """Conditions in other words than the schema's."""
    kind = "operators in other words"
    found = [
        Template(kind, f"terms: {name}", lambda d, s=send, m=meant: _terms(d, s, m), held, 25)
        for name, send, meant, held in _TERMS
    ]
    found += [
        Template(
            kind, f"numbers: {n}", lambda d, p=part, s=send, m=meant: _numbers(d, p, s, m), held, 25
        )
        for n, part, send, meant, held in _NUMBERS
    ]
    found += [
        Template(
            kind, f"dates: {n}", lambda d, p=part, s=send, m=meant: _dates(d, p, s, m), held, 20
        )
        for n, part, send, meant, held in _DATES
    ]
    found += [
        Template(kind, f"truths: {word}", lambda d, w=word, s=said: _truths(d, w, s), held, 15)
        for word, said, held in _TRUTHS
    ]
    units = "numbers and units"
    found += [
        Template(units, "in the unit", lambda d: _units(d, 1, "{} {unit}"), False, 40),
        Template(units, "a thousandth", lambda d: _units(d, 1000, "{} m"), False, 30),
        Template(units, "without a space", lambda d: _units(d, 1, "at least {}{unit}"), True, 30),
        Template(units, "separator of thousands", _thousands, True, 30),
        Template(units, "of another dimension", lambda d: _other_unit(d, "kg"), False, 30),
        Template(units, "where none is stated", lambda d: _unit_unstated(d, "ranges"), False, 30),
        Template(
            units,
            "where none is stated, as a filter",
            lambda d: _unit_unstated(d, "filters"),
            True,
            20,
        ),
    ]
    return found


def _terms(draw: Draw, send: Callable[[str, str], Any], meant: str) -> Case | None:
    place = draw.place("term", at_least=2)
    if place is None:
        return None
    first, second = draw.rng.sample(place.concepts, 2)
    one = draw.of_concepts(place, first)
    two = draw.of_concepts(place, second)
    atoms = {
        "one": one.atoms,
        "any": draw.of_concepts(place, first, second).atoms,
        "none": (none_of(*first.terms),),
        "none both": (none_of(*first.terms, *second.terms),),
        "all": (*one.atoms, *two.atoms),
    }[meant]
    operator = {"one": "any_of", "any": "any_of", "all": "all_of"}.get(meant, "none_of")
    labels = [first.label] if meant in ("one", "none") else [first.label, second.label]
    main = Cond(place, one.key, {operator: labels}, atoms)
    return draw.in_other_words(main, send(first.label, second.label), form=(operator,))


def _numbers(draw: Draw, part: str, send: Callable[[int, int], Any], meant: str) -> Case | None:
    place = draw.place("number")
    if place is None:
        return None
    low, high = sorted(draw.rng.sample(range(2, 900), 2))
    a, b = str(low), str(high)
    bounds, sent = {
        ">a": (Bounds(a, None, True), {"gt": low}),
        ">=a": (Bounds(a, None), {"min": low}),
        "<b": (Bounds(None, b, False, True), {"lt": high}),
        "<=b": (Bounds(None, b), {"max": high}),
        "a..b": (Bounds(a, b), {"min": low, "max": high}),
        "=a": (Bounds(a, a), {"min": low, "max": low}),
    }[meant]
    main = Cond(place, draw.world.key_of(place), sent, (within(bounds),), "ranges")
    return draw.in_other_words(main, send(low, high), part, tuple(sent))


def _dates(draw: Draw, part: str, send: Callable[[int, int], Any], meant: str) -> Case | None:
    place = draw.place("date")
    if place is None:
        return None
    year, month = draw.rng.randint(2021, 2025), draw.rng.randint(1, 12)
    relation, _, grain = meant.rpartition(" ")
    first, last = f"{year}-01-01", f"{year}-12-31"
    if grain == "month":
        first = f"{year}-{month:02}-01"
        last = f"{year}-{month:02}-{monthrange(year, month)[1]:02}"
    bounds, sent = {
        "after": (Bounds(last, None, True, temporal=True), {"gt": last}),
        "before": (Bounds(None, first, False, True, temporal=True), {"lt": first}),
        "since": (Bounds(first, None, temporal=True), {"min": first}),
        "until": (Bounds(None, last, temporal=True), {"max": last}),
        "": (Bounds(first, last, temporal=True), {"min": first, "max": last}),
    }[relation]
    main = Cond(place, draw.world.key_of(place), sent, (within(bounds),), "ranges")
    return draw.in_other_words(main, send(year, month), part, tuple(sent))


def _truths(draw: Draw, word: Any, said: bool) -> Case | None:
    place = draw.place("boolean")
    if place is None:
        return None
    main = Cond(place, draw.world.key_of(place), said, (truth(said),))
    return draw.in_other_words(main, word, form=("true", "false"))


def _units(draw: Draw, factor: int, text: str) -> Case | None:
    """A number with its unit, or, for kilometres, in metres."""
    places = [
        p for p in draw.places("number") if p.prop.unit and (factor == 1 or p.prop.unit == "km")
    ]
    if not places:
        return None
    place = draw.rng.choice(places)
    number = draw.number()
    sent = text.format(number * factor, unit=place.prop.unit)
    plain = not sent.startswith("at least")
    bounds = Bounds(str(number), str(number) if plain else None)
    canonical = {"min": number, "max": number} if plain else {"min": number}
    main = Cond(place, draw.world.key_of(place), canonical, (within(bounds),), "ranges")
    if not plain:
        return draw.in_other_words(main, sent, form=("min",))
    return draw.in_other_words(main, {"min": sent, "max": sent}, "ranges", form=("number",))


def _thousands(draw: Draw) -> Case | None:
    place = draw.place("number")
    if place is None:
        return None
    number = draw.rng.randint(1_000, 999_999)
    bounds = Bounds(str(number), None)
    main = Cond(place, draw.world.key_of(place), {"min": number}, (within(bounds),), "ranges")
    return draw.in_other_words(main, {"min": f"{number:,}"}, "ranges", form=("number",))


def _other_unit(draw: Draw, unit: str) -> Case | None:
    """A unit that the property's unit does not convert to."""
    places = [p for p in draw.places("number") if p.prop.unit and p.prop.unit not in ("kg", "%")]
    if not places:
        return None
    place = draw.rng.choice(places)
    sent = {"min": f"{draw.number()} {unit}"}
    main = Cond(place, draw.world.key_of(place), sent, (), "ranges")
    return asked(Sub(place.domain, place.domain.name, (main,)))


def _unit_unstated(draw: Draw, part: str) -> Case | None:
    """A unit for a property that states none: asked about, and never simply left out."""
    places = [p for p in draw.places("number") if not p.prop.unit]
    if not places:
        return None
    place = draw.rng.choice(places)
    number = draw.number()
    bounds = Bounds(str(number), None if part == "ranges" else str(number))
    sent = f"{number} km"
    key = draw.world.key_of(place)
    main = Cond(place, key, {"gte": sent} if part == "ranges" else sent, (within(bounds),), part)
    sub = Sub(place.domain, place.domain.name, (main,))
    return asked(sub)
