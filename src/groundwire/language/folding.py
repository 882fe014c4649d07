"""Folding of a written word: width, case and the forms of apostrophes and hyphens."""

from __future__ import annotations

import unicodedata

_SIGNS = str.maketrans({"\u2019": "'", "\u2018": "'", "\u02bc": "'", "\u2010": "-", "\u2011": "-"})


def fold_word(text: str) -> str:
    """Return a word in NFKC and without case.

    >>> fold_word("ＧＤＰ")
    'gdp'
    """
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", text).casefold().translate(_SIGNS)
