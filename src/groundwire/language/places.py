"""Names of countries and cities in the languages that are read: India is Indien and 印度.

Countries and continents are those of the Unicode CLDR, by babel; cities are a list of their own.

A "German map" is one whose country is DE, Germany or Deutschland: such words are in
`demonyms.toml`, read when a catalogue has the first value that may be a country.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple, cast

from groundwire.vocabulary import fold
from groundwire.vocabulary.fold import fold_word

_LANGUAGES = ("de", "zh")
_TWO_PARTS = re.compile(r"([^\W\d_]{3,}), (\S.+)")
# This code names the whole world, and not a part of it.
_WORLD = "001"
_HAN = re.compile("[\u3400-\u9fff]")


@cache
def _places() -> dict[str, tuple[str, ...]]:
    """Return the names of every place in other languages, by its folded English name."""
    from babel import Locale

    text = (files("groundwire.language") / "places.toml").read_text("utf-8")
    found = {
        fold_word(name): tuple(others) for name, others in tomllib.loads(text)["cities"].items()
    }
    here = cast("Mapping[str, str]", Locale("en").territories)
    others = [cast("Mapping[str, str]", Locale(one).territories) for one in _LANGUAGES]
    for code, name in here.items():
        if len(code) == 2 or (code.isdigit() and code != _WORLD):
            found[fold_word(name)] = tuple(of[code] for of in others if code in of)
    return found


@cache
def names_of_codes() -> Mapping[str, tuple[str, ...]]:
    """Return the names of every country, English ones first, by its code of two letters."""
    from babel import Locale

    every = [cast("Mapping[str, str]", Locale(one).territories) for one in ("en", *_LANGUAGES)]
    codes = (code for code in every[0] if len(code) == 2 and code.isupper())
    return {code: tuple(of[code] for of in every if code in of) for code in codes}


@cache
def cities() -> Mapping[str, str]:
    """Return the English name of every city by what German and Chinese call it."""
    text = (files("groundwire.language") / "places.toml").read_text("utf-8")
    return {
        other: name for name, others in tomllib.loads(text)["cities"].items() for other in others
    }


@cache
def english_names() -> Mapping[str, str]:
    """Return the English name of every country and city by what German and Chinese call it."""
    from babel import Locale

    found = dict(cities())
    here = cast("Mapping[str, str]", Locale("en").territories)
    for one in _LANGUAGES:
        of = cast("Mapping[str, str]", Locale(one).territories)
        found |= {of[code]: name for code, name in here.items() if len(code) == 2 and code in of}
    return found


def country_name(code: str, language: str) -> str:
    """Return what a language calls the country of a code of two letters, or empty."""
    from babel import Locale

    return cast("Mapping[str, str]", Locale(language).territories).get(code, "")


def other_names(name: str) -> tuple[str, ...]:
    """Return what German and Chinese call a country or city; empty where it is none.

    Args:
        name: its English name.
    """
    return _places().get(fold_word(name), ())


def forms_of_place(word: str) -> Iterator[str]:
    """Yield a place's name, what other languages call it, and its German adjectives."""
    for name in (word, *other_names(word)):
        yield name
        if not _HAN.search(name):
            yield from german_adjectives(name)


def german_adjectives(name: str) -> Iterator[str]:
    """Yield the forms that a German adjective of a place may have: Lyoner, Bremer, Münchner."""
    yield f"{name}r" if name.endswith("e") else f"{name}er"
    if name.endswith("en"):
        yield f"{name[:-2]}er"
        yield f"{name[:-2]}ner"


def adjective_names(label: str) -> Iterator[str]:
    """Yield other forms of a German label of a place and a thing: Münchner Autobahnkreuz."""
    parts = _TWO_PARTS.fullmatch(label)
    if parts is not None:
        for adjective in german_adjectives(parts[1]):
            for ending in ("", "s", "es"):
                yield f"{adjective} {parts[2]}{ending}"


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


def adjective_forms(country: str) -> Iterator[str]:
    """Yield the adjectives of a country in all their forms."""
    return (form for one in adjectives(country, ()) for form in inflected(one))


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
