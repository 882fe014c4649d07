"""Parts that the answers of every domain share: a quotable sentence, a proof, pages, and names.

Models whose list can be paged know how to shorten themselves, so that the caller can hold a budget
of characters: `item_count` items are there, and `shortened(keep)` is the same answer with the first
`keep` of them and `next_offset` set to where the next page begins.

Statements call things by so many names and no more: a record would grow beyond all measure if it
held every label of every thing that it names. So a thing and a predicate have all their names where
a record first names them, and after that only their label, with the code of a thing.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import ClassVar, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from groundwire.evidence.canonical import without_secrets
from groundwire.evidence.records import Names
from groundwire.vocabulary.fold import split_words


class Part(BaseModel):
    """A part of a result. Validators are built on first use, so that a server starts quickly."""

    model_config = ConfigDict(extra="forbid", defer_build=True)


class Answer(Part):
    """A result with its quotable sentence first.

    Attributes:
        unlisted: fields that the definition of a tool does not list, to spare a model's context; an
            answer that has them holds them all the same.
    """

    unlisted: ClassVar[frozenset[str]] = frozenset()

    answer: str


class Paged(Answer):
    """A result with one list that is delivered page by page.

    Attributes:
        offset: where this page begins in the whole list.
        next_offset: where the next page begins, or None at the end.
        left_out: what was left out of this page and how to get it.
        next_cursor: the handle for the next page.
    """

    items: ClassVar[str]

    offset: int = Field(default=0, exclude=True)
    next_offset: int | None = Field(default=None, exclude=True)
    left_out: str | None = None
    next_cursor: str | None = None

    @property
    def item_count(self) -> int:
        """How many items this page holds."""
        return len(getattr(self, self.items))

    def shortened(self, keep: int) -> Self:
        """The same page with its first `keep` items; the next page begins after them."""
        kept = getattr(self, self.items)[:keep]
        return self.model_copy(update={self.items: kept, "next_offset": self.offset + keep})


class ResolvedItem(Part):
    """How one argument was read."""

    param: str
    raw: str
    resolved: str
    how: str


class Proven(Part):
    """The handle of the evidence record, or why nothing could be recorded."""

    evidence_id: str | None = None
    evidence_error: str | None = None


class Settled(Answer):
    """A result with a `status`: it has all fields of that and none of another's.

    Attributes:
        own: for each status the names of its fields; those that none has are free.
        allowed: for each status the names of fields that it may have and no other has.
    """

    own: ClassVar[Mapping[str, frozenset[str]]]
    allowed: ClassVar[Mapping[str, frozenset[str]]] = {}

    @model_validator(mode="after")
    def _one_status(self) -> Self:
        status: str = vars(self)["status"]
        filled = {name for name in type(self).model_fields if getattr(self, name) is not None}
        own = self.own[status]
        missing = own - filled
        others = frozenset[str]().union(
            *(names for fields in (self.own, self.allowed) for names in fields.values())
        )
        foreign = filled & (others - own - self.allowed.get(status, frozenset()))
        if missing or foreign:
            differs = f"lacks {sorted(missing)} and has {sorted(foreign)}"
            raise ValueError(f"a result that is {status} {differs}")
        return self


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


@cache
def words_of_telling(package: str, table: str) -> Mapping[str, Names]:
    """Return for each value one label of its name and the words by which sentences tell it.

    They explain words beside the value. None of them calls it by itself, as its other labels do.

    Args:
        package: the package whose `statement_names.toml` is read ("groundwire.learning").
        table: the table of the names of its values ("values").
    """
    names = _table(package, table)
    telling = _table(package, "telling").items()
    return {key: ("; ".join((*names[key][:1], *words)),) for key, words in telling}


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
