"""Words for the kind of a place that people add to its name: "the Tate Modern museum"."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_FILE = Path(__file__).with_suffix(".toml")
_ARTICLE = "the "


def words_of_kind(kind: str) -> frozenset[str]:
    """Return the words that may stand beside the name of a landmark of this kind."""
    return _kinds().get(kind, frozenset({kind}))


def without_kinds(text: str) -> Iterator[tuple[str, str]]:
    """Yield a text without a word of a kind at its end or its beginning, and that word."""
    words = text.split()
    bare = words[1:] if text.casefold().startswith(_ARTICLE) else words
    for length in (2, 1):
        if len(bare) <= length:
            continue
        last, first = " ".join(bare[-length:]).casefold(), " ".join(bare[:length]).casefold()
        if last in _every_word():
            yield " ".join(bare[:-length]), last
        if first in _every_word():
            yield " ".join(bare[length:]), first


@cache
def _kinds() -> dict[str, frozenset[str]]:
    tree = tomllib.loads(_FILE.read_text("utf-8"))
    return {kind: frozenset(words) for kind, words in tree.items()}


@cache
def _every_word() -> frozenset[str]:
    return frozenset(word for words in _kinds().values() for word in words)
