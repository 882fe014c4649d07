"""English words that ask and join, and say nothing about which value is meant: an allow-list.

What is neither here nor a term, a period or a cue is left over, and what is left over is asked
about. So a word is in `GRAMMAR` only if a question with it means the same as the one without it.
"""

from __future__ import annotations

import tomllib
from importlib.resources import files

_TABLES = tomllib.loads((files(__package__ or "") / "english_words.toml").read_text("utf-8"))


def _words(name: str) -> frozenset[str]:
    """Return the words of a table of `english_words.toml`, which says what they are there for."""
    return frozenset(_TABLES[name])


GRAMMAR = _words("grammar")
FUTURE = _words("future")
NOUNS = _words("nouns")
NAMES_OF_VALUES = _words("names_of_values")
ALWAYS = _words("always")
CONNECTIVES = _words("connectives")
LISTING = _words("listing")
HAVING_A_SHARE = _words("having_a_share")
BEFORE_A_SHARER = HAVING_A_SHARE | _words("before_a_sharer")
COMPARED = _words("compared")
BESIDE_ASKED = _words("beside_asked")
OWN = _words("own")
AFTER_ENTITY = _words("after_entity")
HOME = _words("home")
BEFORE_US = _words("before_us")
ANNUAL = _words("annual")
BESIDE_PERIOD = _words("beside_period")
QUALIFIERS = _words("qualifiers")
MOVEMENTS = _words("movements")
RISES = _words("rises")
FALLS = _words("falls")
COUNT_BEFORE = _words("count_before")
ABOVE = _words("above")
BELOW = _words("below")
NARRATIVE = _words("narrative")
MEASURES = _words("measures")
NUMERIC = _words("numeric")
PHRASES: dict[tuple[str, ...], str] = {
    tuple(phrase.split()): role for role, said in _TABLES["phrases"].items() for phrase in said
}
"""Phrases by their words, each with its role in a question."""
