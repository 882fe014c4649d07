"""Names in ordinary speech of recorded things: "the Chinese subsidiary", 集团整体."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from groundwire.evidence.claims.fact_index import Fact, Facts
from groundwire.evidence.claims.words import cue_tables, fold_word
from groundwire.language.field_names import names_of_field
from groundwire.language.glossary import other_words, words_for
from groundwire.language.lexicon import lexicon
from groundwire.language.places import adjective_forms, german_adjectives, other_names

_GROUP = re.compile(r" (?:Group|Gruppe)$|集团$")
# The short form of an address that is the value of a property: core:Day.
_COMPACT = re.compile(r"[a-z][\w-]*:([A-Za-z][A-Za-z-]{2,})")
# Of what a thing is, "type" and "kind" are told for each other.
_ADDRESSED = frozenset(("iri", "type", "kind"))
# "Vereinigte" of "Vereinigte Staaten".
_ADJECTIVE = re.compile(r"^([A-ZÄÖÜ][a-zäöüß]{3,})e (?=[A-ZÄÖÜ])")
_HAN = "\u2e80"


@lru_cache(maxsize=4_096)
def place_of_branch(name: str) -> str:
    """Return the place with which the name of a branch ends, or "" (a place alone has none)."""
    parts = name.split()
    ends = (" ".join(parts[count:]) for count in range(1, len(parts)))
    return "" if other_names(name) else next((one for one in ends if other_names(one)), "")


def called_things(facts: Facts) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield what companies are called, with the keys of each: by their place, and the one group.

    One that is recorded alone is "the subsidiary".
    """
    forms = cue_tables()["companies"]
    things = {f.value.entity: f.entities for f in facts.all if f.value.entity and f.entities}
    groups = {min(keys): keys for name, keys in things.items() if _GROUP.search(name)}
    for keys in groups.values() if len(groups) == 1 else ():
        yield from ((word, keys) for word in forms["group"])
    for name, keys in things.items():
        place = place_of_branch(name)
        if not place:
            continue
        called = (place, *other_names(place))
        kinds = [("han" if one[0] >= _HAN else "latin", one) for one in called]
        kinds += [("adjective", form) for form in adjective_forms(place)]
        kinds += [("adjective", form) for one in called for form in german_adjectives(one)]
        yield from ((form.format(place=word), keys) for kind, word in kinds for form in forms[kind])
        yield from ((word, keys) for word in forms["alone"] if len(things) == 1)


def called_fields(facts: Facts) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield what recorded fields are called beside their own names, with the keys of each.

    A name that two of them may have belongs to neither.
    """
    fields = {
        (f.value.name, *f.value.labels): f.names for f in facts.all if f.names and not f.operands
    }
    called: dict[str, set[frozenset[str]]] = {}
    for names, keys in fields.items():
        named = (own for name in names[:2] if (own := names_of_field(name)))
        parts = (other for label in names[2:] for other in words_for(label))
        for other in (*next(named, ()), *parts):
            called.setdefault(other, set()).add(keys)
    yield from ((name, min(of)) for name, of in called.items() if len(of) == 1)


def called_addresses(facts: Facts) -> Iterator[tuple[str, Fact]]:
    """Yield what a value that is an address is called by its end: core:Day is the daytime.

    Where things are counted by that value, they bear the name; "day" alone tells a time.
    """
    counted = {fact.value.entity for fact in facts.all}
    for fact in facts.all:
        value = fact.value
        is_address = value.kind == "iri" and value.entity and value.name not in _ADDRESSED
        for label in value.labels if is_address and counted.isdisjoint(value.labels) else ():
            local = _COMPACT.fullmatch(label)
            for called in (local[1], *other_words(local[1])) if local else ():
                role = lexicon("en").role_of(fold_word(called))
                if role is None or role.role != "time":
                    yield called, fact


def forms_of_name(name: str) -> Iterator[str]:
    """Yield a name, and one with a German adjective with its other endings."""
    yield name
    if name.endswith("lande"):
        yield f"{name}n"  # "in den Niederlanden"
    if _ADJECTIVE.search(name):
        yield from (_ADJECTIVE.sub(rf"\1{ending} ", name) for ending in ("en", "er"))
