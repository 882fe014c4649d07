"""The singular of an English noun, by rule.

A folding must never make two different words alike, so whatever the rules are not sure of stays
as it is: a plural that is missed costs a question, a false one answers with another word.
"""

from __future__ import annotations

import tomllib
from importlib.resources import files

# Words that end in a plural's letters and are none, or that mean something else without them.
_TABLES = tomllib.loads((files("groundwire.vocabulary") / "plurals.toml").read_text("utf-8"))
_INVARIANT = frozenset[str](_TABLES["invariant"])
_IRREGULAR: dict[str, str] = _TABLES["irregular"]
# Nouns in "-use"; other words in "-uses" are plurals of "-us" (buses, statuses, viruses).
_USE_NOUNS = frozenset[str](_TABLES["use_nouns"])
# These endings take a whole "es" in the plural: classes, crashes, branches, boxes.
_ES_ENDINGS = ("sses", "shes", "ches", "xes", "zzes")


def singular(word: str) -> str:
    """The singular of a lower-case word, or the word itself where it is not a plain plural.

    >>> [singular(word) for word in ("lanes", "countries", "buses", "class", "species", "1990s")]
    ['lane', 'country', 'bus', 'class', 'species', '1990s']
    """
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < 4 or word[-1] != "s" or word[-2] in "sui" or word in _INVARIANT:
        return word
    if not (word.isascii() and word.isalpha()):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    takes_es = word.endswith(_ES_ENDINGS) or (word.endswith("oes") and len(word) > 5)
    us_noun = word.endswith("uses") and word[-5:-4] not in ("", "a", "o")
    if takes_es or (us_noun and word not in _USE_NOUNS):
        return word[:-2]
    return word[:-1]
