"""Whether a text of a model states anything: a figure, an IRI, or a name that nobody told."""

from __future__ import annotations

import re

from groundwire.agents.guards import Evidence
from groundwire.metrics.guard import holds_figure
from groundwire.vocabulary import KnownWords

_WORD = re.compile(r"[^\W\d_]+")
_ADDRESS = re.compile(r"://|\burn:|\bwww\.|\S@\S", re.IGNORECASE)
_ENGLISH = KnownWords((), ("en",))


def states_nothing(text: str, evidence: Evidence) -> bool:
    """Whether a text may be shown though no tool said it.

    Every word has to be an everyday English one, or one of the question or of a tool's answer.
    Names of other scripts cannot be told from words, so such a text may not.

    Args:
        text: the text.
        evidence: the question, and what the tools answered.
    """
    if not text.strip() or holds_figure(text) or _ADDRESS.search(text):
        return False
    told = "\n".join((evidence.question, *(one.text for one in evidence.answers)))
    known = set(_WORD.findall(told.casefold()))
    return all(_is_plain(word, known) for word in _WORD.findall(text))


def _is_plain(word: str, known: set[str]) -> bool:
    folded = word.casefold()
    return folded in known or (word.isascii() and _ENGLISH.of_language(folded))
