"""The names by which statements call a thing: its label first, each name once, so many and no more.

A record would grow beyond all measure if it held every label of every thing that it names.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from groundwire.evidence.records import Names
from groundwire.evidence.redaction import without_secrets
from groundwire.vocabulary.fold import split_words

MOST_NAMES = 12
LONGEST_NAME = 400
# Labels of these languages are kept before those of others; "" is of a text without a tag.
LANGUAGES = ("", "en", "de", "zh")


def names_of(*texts: str | None, most: int = MOST_NAMES) -> Names:
    """Return the texts as names: no empty one, none twice, none too long for a name."""
    kept = dict.fromkeys(text for text in texts if text and len(text) <= LONGEST_NAME)
    return tuple(kept)[:most]


def sent(text: str) -> str:
    """Return a text of the request as an answer quotes it: without secrets, so long and no more."""
    return without_secrets(" ".join(text.split())[:LONGEST_NAME])


def by_language(texts: Iterable[tuple[str, str]]) -> list[str]:
    """Return texts that come with their language tags, those of `LANGUAGES` first."""

    def rank(entry: tuple[str, str]) -> int:
        language = entry[1].partition("-")[0].lower()
        return LANGUAGES.index(language) if language in LANGUAGES else len(LANGUAGES)

    return [text for text, _ in sorted(texts, key=rank)]


@lru_cache(maxsize=4_096)
def in_words(identifier: str) -> str:
    """Return an identifier as it is said: `road types` for roadTypes, `ISO code` for ISO_CODE.

    Acronyms stay as they are written.
    """
    words = split_words(identifier.replace("_", " ").strip("^ ")).written
    return " ".join(word if word.isupper() and len(words) > 1 else word.lower() for word in words)


def plural(noun: str) -> str:
    """Return the plural of an English noun by rule; "" where it has one already or has no letter.

    >>> [plural(noun) for noun in ("HD map", "country", "branch", "assets")]
    ['HD maps', 'countries', 'branches', '']
    """
    if not (noun.isascii() and noun[-1:].isalpha()) or noun.endswith("s"):
        return ""
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("x", "z", "ch", "sh")) else "s")
