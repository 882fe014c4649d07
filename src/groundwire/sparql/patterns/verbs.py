"""Phrases of properties whose names are verbs: "depends on", "owned by", "mündet in"."""

from __future__ import annotations

from collections.abc import Iterator

from groundwire.language.verbs import Verb, verb_of
from groundwire.sparql.patterns.words import data, phrase, written


def is_verbal(name: str) -> bool:
    """Whether the name of a property is a verb, so that its subject stands before it."""
    said = written(name)
    verbs = data()["verbal"]["words"]
    is_known = bool(said) and (said[0] in verbs or "".join(said) in verbs)
    return is_known or verb_of(name, "") is not None


def phrases_of_verb(verb: Verb) -> Iterator[tuple[tuple[str, ...], bool]]:
    """Yield the phrases of a verb, and whether each is the whole name, as schemas keep them."""
    for form in verb.forms():
        yield phrase(f"{form} {verb.preposition}"), True
    for form in (*verb.forms(), *verb.active_forms()):
        yield phrase(form), False
