"""Words of a text that are neither everyday ones nor told by anyone: names, most of them."""

from __future__ import annotations

import re

from groundwire.vocabulary import KnownWords

_WORD = re.compile(r"[^\W\d_]+")
_ENGLISH = KnownWords((), ("en",))


def unknown_words(text: str, told: str) -> tuple[str, ...]:
    """Words of a text that are neither everyday English nor told, in order.

    Args:
        text: the text.
        told: everything that was asked and answered.
    """
    known = set(_WORD.findall(told.casefold()))
    words = dict.fromkeys(_WORD.findall(text))
    return tuple(word for word in words if not _is_plain(word.casefold(), known))


def _is_plain(word: str, known: set[str]) -> bool:
    return word in known or (word.isascii() and _ENGLISH.of_language(word))
