"""Words of a text as the check compares them: folded, singular, Chinese by character."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from groundwire.vocabulary.fold import without_accents

# camelCase counts as words; a decimal point keeps digits together, so that 4.0 is not 40.
WORD = re.compile(
    r"[0-9]+(?:\.[0-9]+)*+|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[\u3400-\u9fff]|[^\W_0-9A-Za-z]+"
)


@cache
def cue_tables() -> Mapping[str, Any]:
    """Return the word lists of `cues.toml`, by name."""
    return tomllib.loads((files("groundwire.evidence.claims") / "cues.toml").read_text("utf-8"))


@lru_cache(maxsize=65536)
def fold_word(word: str) -> str:
    """One word in lower case, without accents, in the singular of regular plurals."""
    folded = word.lower()
    if not folded.isascii():
        folded = "".join(
            c
            for c in unicodedata.normalize("NFKD", word.casefold())
            if not unicodedata.combining(c)
        )
    if len(folded) > 3 and folded[-1] == "s" and folded[-2] not in "sui":
        if folded.endswith("ies") and len(folded) > 4:
            return folded[:-3] + "y"
        return folded[:-1]
    return folded


@lru_cache(maxsize=16_384)
def words_of(text: str) -> tuple[str, ...]:
    """The folded words of a name."""
    return tuple(map(fold_word, WORD.findall(without_accents(text))))


@cache
def _turning() -> re.Pattern[str]:
    words: list[str] = cue_tables()["turning"]
    return re.compile("|".join(rf"^{w}\b" if w.isascii() else w for w in words), re.IGNORECASE)


def is_turned(name: str) -> bool:
    """Whether a name says nothing by one of its words alone: "too cautious"."""
    return _turning().search(name) is not None


def share_word(words: frozenset[str], others: frozenset[str]) -> bool:
    """Return whether two names share a word: of Chinese ones two characters, or all of the first.

    Args:
        words: folded words of a name, as `words_of` gives them.
        others: folded words of other names.
    """
    shared = words & others
    return bool(shared) and (
        len(shared) > 1 or shared == words or any(len(one) > 1 for one in shared)
    )


def key_of(text: str) -> str:
    """The folded words of a name, joined: "CC-BY-4.0", "CC BY 4.0" and "cc-by 4.0" are one."""
    return _key_of_name(text) if len(text) <= _LONGEST_NAME else _key_of(text)


def _key_of(text: str) -> str:
    return "".join(map(fold_word, WORD.findall(without_accents(text))))


# Names come again and again, long texts do not.
_LONGEST_NAME = 160
_key_of_name = lru_cache(maxsize=16_384)(_key_of)


_SHORTEST_BEGINNING = 4


def begins_word(name: str, text: str, end: int) -> bool:
    """Whether a word of a text up to a place is a name, or begins with a longer one: Nebelszene."""
    at = text.find(name, 0, end)
    while at >= 0:
        behind = at + len(name)
        is_short = len(name) < _SHORTEST_BEGINNING and behind < end
        if not name.isascii() or not (
            (at and text[at - 1].isalnum()) or (is_short and text[behind].isalnum())
        ):
            return True
        at = text.find(name, at + 1, end)
    return False


class Learned:
    """Folded words for which a test holds, each tried once, so that texts are asked in one go."""

    def __init__(self, test: Callable[[str], bool]) -> None:
        self._test = test
        self._tried: frozenset[str] = frozenset()
        self._held: frozenset[str] = frozenset()

    def among(self, forms: frozenset[str]) -> frozenset[str]:
        """Return those of some words for which the test holds."""
        if new := forms - self._tried:
            kept = len(self._tried) <= _MOST_LEARNED
            self._held = (self._held if kept else frozenset()) | set(filter(self._test, new))
            self._tried = self._tried | new if kept else new
        return forms & self._held


_MOST_LEARNED = 16_384
