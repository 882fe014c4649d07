"""Ordinals and adjectives of measure: the place that "second longest" asks for, and of what.

"Deepest" and "deeper than" speak of a depth, "how deep" asks for it. One list serves all readers of
questions, so that what one of them knows is known to all.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal, NamedTuple

from groundwire.language.lexicon import LANGUAGES, lexicon

Way = Literal["plain", "more", "less", "most", "least", "general", "bare"]
_THAN = {"en": " than", "de": " als"}
_GERMAN_ENDINGS = ("", "n", "r", "s", "m")


class Field(NamedTuple):
    """The names that fields have for one measure, and the words that ask for it."""

    nouns: tuple[str, ...]
    asks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Measure:
    """One thing by which others are compared.

    Attributes:
        fields: what it is of, one or more: "long" is said of a length and of a duration.
        words: its adjectives, comparatives and superlatives, by way and language.
        verbs: verbs that ask for it.
    """

    fields: tuple[Field, ...]
    words: Mapping[Way, Mapping[str, tuple[str, ...]]]
    verbs: tuple[str, ...] = ()

    @property
    def nouns(self) -> tuple[str, ...]:
        """The names of all its fields."""
        return tuple(noun for one in self.fields for noun in one.nouns)

    def said(self, *ways: Way) -> tuple[str, ...]:
        """Return its words of some ways, in all languages."""
        return tuple(word for way in ways for of in self.words.get(way, {}).values() for word in of)

    def bounding(self, way: Literal["more", "less"]) -> tuple[str, ...]:
        """Return its comparatives with their particle: "longer than", "länger als"."""
        found = self.words.get(way, {})
        return tuple(f"{one}{_THAN[of]}" for of in _THAN for one in found.get(of, ()))


@cache
def measures() -> tuple[Measure, ...]:
    """Return every measure."""
    tree = tomllib.loads((files(__package__ or "") / "measures.toml").read_text("utf-8"))
    return tuple(_read(one) for one in tree["measure"])


def words_asking(names: Iterable[str]) -> Iterator[str]:
    """Yield the words that ask for a figure of some names: "weighs" for a weight in kg.

    What is paid is a price, a cost or a fee, and asked for by each of them.
    """
    called = [name.casefold() for name in names]
    for measure, field in ((one, field) for one in measures() for field in one.fields):
        if any(noun in name for noun in field.nouns for name in called):
            said = (*field.asks, *(field.nouns if measure.verbs else ()))
            yield from (word for word in said if " " not in word)


def _read(entry: Mapping[str, Any]) -> Measure:
    fields = tuple(Field(tuple(one["nouns"]), tuple(one["asks"])) for one in entry["fields"])
    words: dict[Way, dict[str, tuple[str, ...]]] = {}
    ways: tuple[Way, ...] = ("plain", "more", "less", "most", "least", "general", "bare")
    for language in ("en", "de", "zh"):
        said: Mapping[str, Sequence[str]] = entry.get(language) or {}
        for way in ways:
            if found := said.get(way):
                forms = (
                    _inflected(found) if language == "de" and way in ("most", "least") else found
                )
                words.setdefault(way, {})[language] = tuple(forms)
    return Measure(fields, words, tuple(str(one) for one in entry.get("verbs", ())))


def _inflected(superlatives: Sequence[str]) -> tuple[str, ...]:
    """Return German superlatives with all their endings, and as "am längsten"."""
    ended = (f"{one}{ending}" for one in superlatives for ending in _GERMAN_ENDINGS)
    return (*ended, *(f"am {one}n" for one in superlatives))


_NUMBER_BEFORE = re.compile(r"(?<![0-9.,])[0-9]{1,2}$")


def place_at(text: str) -> int:
    """Return the number of the ordinal that a text begins with, or 0; the longest counts."""
    found = [(match.end(), place) for place, one in _places() if (match := one.match(text.strip()))]
    return max(found)[1] if found else 0


def ranked_place(text: str) -> tuple[int, str]:
    """Return the place that a text asks for with a superlative, and the text without the ordinal.

    "The second longest map" asks for place 2 of "the longest map"; (0, text) where it asks for no
    such place.
    """
    for match in _ranked().finditer(text):
        place = place_at(match["ordinal"] or match["ordinal_"])
        if place:
            rest = match["superlative"] or match["superlative_"]
            superlative = f"最{rest}" if rest in _tree()["superlatives"]["zh"] else rest
            return place, f"{text[: match.start()]}{superlative}{text[match.end() :]}"
    return 0, text


def has_superlative(text: str) -> bool:
    """Return whether a text asks for what has the most or the least of something."""
    return superlative_in(text) is not None


def superlative_in(text: str) -> tuple[int, int] | None:
    """Return where a text first asks for the most or the least of something, or None."""
    found = _superlative().search(text)
    return found.span() if found else None


def is_ordinal(before: str, after: str) -> bool:
    """Whether a full stop between two texts makes a number an ordinal: "25. November"."""
    counted = after[:1].islower() or after.lower().startswith(_ordinal_follows())
    return counted and _NUMBER_BEFORE.search(before) is not None


@cache
def _ordinal_follows() -> tuple[str, ...]:
    follows = (lexicon(name).rules.ordinal_follows for name in LANGUAGES)
    return tuple(frozenset[str]().union(*follows))


@cache
def _tree() -> Mapping[str, Any]:
    return tomllib.loads((files(__package__ or "") / "ordinals.toml").read_text("utf-8"))


@cache
def _places() -> tuple[tuple[int, re.Pattern[str]], ...]:
    return tuple(
        (int(place), re.compile(f"(?:{pattern})", re.IGNORECASE))
        for place, pattern in _tree()["places"].items()
    )


@cache
def _superlative() -> re.Pattern[str]:
    words = _tree()["superlatives"]
    measured = [word for one in measures() for word in one.said("most", "least")]
    every = sorted({*words["en"], *words["de"], *measured}, key=len, reverse=True)
    latin = "|".join(re.escape(one) for one in every if one[0].isascii() or one.isalpha())
    han = "|".join((*words["zh"], "便宜"))
    return re.compile(rf"(?<!\w)(?:{latin})(?:[rnsm])?(?!\w)|最(?:{han})", re.IGNORECASE)


@cache
def _ranked() -> re.Pattern[str]:
    every = "|".join(_tree()["places"].values())
    words = _tree()["superlatives"]
    latin = "|".join(sorted((*words["en"], *words["de"]), key=len, reverse=True))
    han = "|".join(words["zh"])
    return re.compile(
        rf"(?P<ordinal>(?<!\w)(?:{every})(?:e[rnsm]?)?)(?:[ -]|am )?"
        rf"(?P<superlative>(?:{latin})(?:[rnsm])?(?!\w))"
        rf"|(?P<ordinal_>第(?:[一二三四五六七八九十]|\d+))(?P<superlative_>{han})",
        re.IGNORECASE,
    )
