"""Ordinals: numbers with a full stop, and the place that "second longest" asks for."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from groundwire.language.lexicon import LANGUAGES, lexicon
from groundwire.language.measures import measures

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
