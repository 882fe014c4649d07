"""Names of countries and cities in the languages that are read: India is Indien and 印度.

Countries are those of the Unicode CLDR, by babel; cities are a list of their own.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import cast

from groundwire.language.folding import fold_word

_LANGUAGES = ("de", "zh")


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
        if len(code) == 2:
            found[fold_word(name)] = tuple(of[code] for of in others if code in of)
    return found


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


def other_names(name: str) -> tuple[str, ...]:
    """Return what German and Chinese call a country or city; empty where it is none.

    Args:
        name: its English name.
    """
    return _places().get(fold_word(name), ())
