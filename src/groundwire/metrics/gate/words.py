"""English words that ordinary prose puts next to each other, and that names are homonyms of."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.resources import files

from groundwire.vocabulary import KnownWords

# Its list is read when a text first holds what only a dictionary can tell from a name.
_ENGLISH = KnownWords(languages=("en",))


@cache
def read_words(name: str) -> frozenset[str]:
    """The words of a list of the package: `common_words` or `function_words`."""
    content = files("groundwire.metrics.gate").joinpath(f"{name}.txt").read_text("utf-8")
    lines = content.split("\n")
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


@lru_cache(maxsize=4096)
def is_english(word: str) -> bool:
    """Whether a lower-case word, or its singular, is one of the English language."""
    return _ENGLISH.of_language(word)
