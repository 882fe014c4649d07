"""The names by which statements call things and what they state of them: so many and no more.

A record would grow beyond all measure if it held every label of every thing that it names.

To keep records small, a thing and a predicate have all their names where a record first names
them, and after that only their label, with the code of a thing.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib.resources import files

from groundwire.evidence.canonical import without_secrets
from groundwire.evidence.records import Names
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
    """Return an identifier in words: `road types` for roadTypes, `ISO code` for ISO_CODE.

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


_FILE = "statement_names.toml"


@cache
def predicate_names(package: str) -> Mapping[str, Names]:
    """Return the names of each predicate of a package, the label first.

    Args:
        package: the package whose `statement_names.toml` is read ("groundwire.metrics").
    """
    return _table(package, "names")


@cache
def other_names(package: str, table: str) -> Mapping[str, Names]:
    """Return the names that another table of a package's file has for things or values.

    Args:
        package: the package whose `statement_names.toml` is read ("groundwire.journeys").
        table: the table of the file ("modes").

    Raises:
        KeyError: the file has no such table.
    """
    return _table(package, table)


def _table(package: str, table: str) -> Mapping[str, Names]:
    tree = tomllib.loads(files(package).joinpath(_FILE).read_text("utf-8"))
    return {key: tuple(names) for key, names in tree[table].items()}


class RecordNames:
    """The names of one record, with what it has named so far."""

    def __init__(self, package: str) -> None:
        """Begin a record whose predicates are those of a package."""
        self._predicates = predicate_names(package)
        self._named: set[tuple[str, str | Names]] = set()

    def predicate(self, key: str) -> Names:
        """Return the names of a predicate: all of them the first time, then its label."""
        names = self._predicates[key]
        return names if self._is_new("", key) else names[:1]

    def thing(self, kind: str, names: Names, kept: int = 2) -> Names:
        """Return the names of a thing: all of them the first time, then the first `kept`.

        Args:
            kind: what sort of thing it is.
            names: its label, then its code or its other names, each once.
            kept: how many names are enough for a thing that has been named.
        """
        return names if self._is_new(kind, names) else names[:kept]

    def _is_new(self, kind: str, names: str | Names) -> bool:
        key = kind, names
        if key in self._named:
            return False
        self._named.add(key)
        return True
