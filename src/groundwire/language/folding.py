"""Folding of a written word: width, case and the forms of apostrophes and hyphens."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_SIGNS = str.maketrans({"\u2019": "'", "\u2018": "'", "\u02bc": "'", "\u2010": "-", "\u2011": "-"})


def fold_word(text: str) -> str:
    """Return a word in NFKC and without case.

    >>> fold_word("ＧＤＰ")
    'gdp'
    """
    if text.isascii():
        return text.lower()
    return _fold_short(text) if len(text) <= _SHORT else _fold(text)


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().translate(_SIGNS)


# Words come again and again, long runs do not.
_SHORT = 24
_fold_short = lru_cache(maxsize=65_536)(_fold)


def without_accents(text: str) -> str:
    """Return a text without accents, as names of fields are compared.

    >>> without_accents("Gründe")
    'Grunde'
    """
    if text.isascii():
        return text
    apart = unicodedata.normalize("NFKD", text.replace("ß", "ss"))
    return "".join(c for c in apart if not unicodedata.combining(c))
