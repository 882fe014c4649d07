"""Demonyms: a "German map" is one whose country is DE, Germany or Deutschland.

They are in `demonyms.toml`, read when a catalogue has the first value that may be a country.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from groundwire.vocabulary import fold


class Adjective(NamedTuple):
    """An adjective, and the language it is of."""

    text: str
    language: str


def adjectives(label: str, names: Collection[str]) -> tuple[Adjective, ...]:
    """Yield the adjectives of the country that a value stands for; none for other values.

    Args:
        label: of the value: a country's name, or its code if a name says so too.
        names: what else the value is called.
    """
    if len(label) == 2:
        # "DE" may be a language or a plate; with the name of the country it is the country.
        country = _countries().get(label.upper())
        if country is None:
            return ()
        known, found = country
        return found if any(fold(name) in known for name in names) else ()
    return _by_name().get(fold(label), ())


_IN = re.compile(r"\b(?:in|into|auf|ins)\s+$", re.IGNORECASE)
_NO_NOUN = re.compile(r"\s*(?:$|[^\w\s'’\"“„-]|(?:and|or|und|oder|only|nur|as well)\b)")


def tells_language(text: str, start: int, end: int) -> bool:
    """Whether an adjective of a country stands for a language: "maps in Japanese"."""
    is_adjective = text[start:end].casefold() in _adjectives()
    return (
        is_adjective
        and _IN.search(text, max(0, start - 8), start) is not None
        and _NO_NOUN.match(text, end) is not None
    )


def is_demonym(text: str) -> bool:
    """Return whether a word is the adjective of a country: Japanese."""
    return text.casefold() in _adjectives()


@cache
def _adjectives() -> frozenset[str]:
    every = (one for _, found in _countries().values() for one in found)
    return frozenset(form.casefold() for one in every for form in (one.text, *inflected(one)))


@cache
def _countries() -> Mapping[str, tuple[frozenset[str], tuple[Adjective, ...]]]:
    held: dict[str, Any] = tomllib.loads(
        (files("groundwire.language") / "demonyms.toml").read_text("utf-8")
    )
    return {
        code: (
            frozenset(fold(name) for name in entry["names"]),
            (
                *(Adjective(text, "en") for text in entry["english"]),
                *(Adjective(text, "de") for text in entry["german"]),
            ),
        )
        for code, entry in held.items()
    }


@cache
def _by_name() -> Mapping[str, tuple[Adjective, ...]]:
    return {name: found for names, found in _countries().values() for name in names}


def inflected(adjective: Adjective) -> tuple[str, ...]:
    """Return the forms of an adjective: English ones as they are, German ones in every case."""
    if adjective.language != "de" or not adjective.text.endswith("sch"):
        return (adjective.text,)
    return tuple(f"{adjective.text}{ending}" for ending in ("e", "en", "er", "es", "em"))
