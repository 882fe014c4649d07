"""Terms of a text for the label index: its key, its words, and the labels that stand within it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from groundwire.textindex import all_words, indexed, informative_parts
from groundwire.textindex.index import CHINESE_RUN, ENGLISH
from groundwire.vocabulary.fold import CJK_RUN, fold, joined, split_words

# A prompt longer than this is a text: what follows is not looked at.
MOST_CHARACTERS = 4_096
# A label within a prompt has at most so many words, or characters of a run of CJK.
MOST_MENTION_WORDS = 8
MOST_MENTIONS = 1_000


class Part(NamedTuple):
    """One thing that a label may hold.

    Attributes:
        match: the MATCH text that asks for it.
        tokens: what it is made of, as the index holds them, in a row.
        column: the column that holds them.
    """

    match: str
    tokens: tuple[str, ...]
    column: str


class Asked(NamedTuple):
    """A text, as the label index is asked for it.

    Attributes:
        key: of labels that are this text but for spelling.
        phrase: the MATCH text that asks for all its words in a row; "" if there is none.
        length: number of its tokens.
        words: each of its words; all of them are asked for together.
        informative: those that say what it is about, by themselves.
    """

    key: int
    phrase: str
    length: int
    words: tuple[Part, ...]
    informative: tuple[Part, ...]


def label_key(text: str) -> int:
    """A number that two spellings of one label share, and hardly any two labels."""
    return _hashed(fold(text))


@lru_cache(maxsize=8_192)
def tokens_of(text: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """The words of a label in order, CJK as pairs; and each of its CJK characters."""
    words, characters = indexed(text)
    return tuple(words.split()), frozenset(characters.split())


def asked(text: str) -> Asked:
    """Take a text apart; nothing in it is an operator."""
    text = text[:MOST_CHARACTERS]
    row = indexed(text)[0]
    words = tuple(map(_part, dict.fromkeys(all_words(text).split(" AND ")))) if row else ()
    length = len(row.split())
    return Asked(
        key=label_key(text),
        phrase=f'words : "{row}"' if length > 1 else "".join(word.match for word in words),
        length=length,
        words=words,
        informative=tuple(map(_part, informative_parts(text))),
    )


def mentions(text: str) -> dict[int, tuple[str, ...]]:
    """Keys of the labels that may stand within a text, with their tokens; longest first.

    Each holds a word that says something: "What is" and 什么 are none.
    """
    words = split_words(text[:MOST_CHARACTERS])
    said = [_says(*pair) for pair in zip(words.plain, words.singular, strict=True)]
    found: list[tuple[str, ...]] = []
    for first in range(len(said)):
        for last in range(first + 1, min(first + MOST_MENTION_WORDS, len(said)) + 1):
            if any(said[first:last]):
                found.append(words.singular[first:last])
    for word in words.singular:
        if CJK_RUN.fullmatch(word):
            found += ((piece,) for piece in _pieces(word))
    found.sort(key=lambda row: -sum(map(len, row)))
    keys: dict[int, tuple[str, ...]] = {}
    for row in found[:MOST_MENTIONS]:
        keys.setdefault(_hashed(joined(row)), tuple(indexed(" ".join(row))[0].split()))
    return keys


def _hashed(folded: str) -> int:
    digest = hashlib.blake2b(folded.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def _part(match: str) -> Part:
    # No word holds a quote or a space: words are letters and digits.
    column, _, rest = match.partition(" : ")
    return Part(match, tuple(rest.strip('"').split()), column)


def _says(plain: str, singular: str) -> bool:
    if CJK_RUN.fullmatch(singular):
        return any(CHINESE_RUN.split(singular))
    return len(plain) > 1 and plain[0].isalnum() and plain not in ENGLISH


def _pieces(run: str) -> Iterator[str]:
    for first in range(len(run)):
        for last in range(first + 2, min(first + MOST_MENTION_WORDS, len(run)) + 1):
            if any(CHINESE_RUN.split(run[first:last])):
                yield run[first:last]
