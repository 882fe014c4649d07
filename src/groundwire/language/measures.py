"""Adjectives of measure: "deepest" and "deeper than" speak of a depth, "how deep" asks for it.

One list serves all readers of questions, so that what one of them knows is known to all.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal, NamedTuple

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
