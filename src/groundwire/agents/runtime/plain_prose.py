"""Whether a text of a model states anything: a figure, an IRI, or a name that nobody told."""

from __future__ import annotations

import re

from groundwire.metrics.guard import holds_figure
from groundwire.vocabulary import KnownWords

_WORD = re.compile(r"[^\W\d_]+")
_ADDRESS = re.compile(r"://|\burn:|\bwww\.|\S@\S", re.IGNORECASE)
_ENGLISH = KnownWords((), ("en",))


def states_nothing(text: str, question: str) -> bool:
    """Whether a text may be shown though no tool said it.

    Every word has to be an everyday English one, or one of the question: a tool repeats what a
    model sends it, so its answers prove no name here. Names of other scripts cannot be told from
    words, so such a text may not be shown.

    Args:
        text: the text.
        question: what the user asked.
    """
    if not text.strip() or holds_figure(text) or _ADDRESS.search(text):
        return False
    return not unknown_words(text, question)


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
