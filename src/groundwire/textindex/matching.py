"""Indexed form of a text, and how a query asks for it in the language of FTS5.

CJK text is stored and asked for as pairs of characters, since the tokenizer `unicode61` takes a
run of it for one word and the tokenizer `trigram` cannot find words of two characters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from groundwire.textindex.stopwords import CHINESE_RUN, ENGLISH
from groundwire.vocabulary.fold import CJK_RUN, split_words

# Queries are cut here: a longer one is a text, and one word more finds nothing more.
MOST_QUERY_WORDS = 64
_MOST_QUERY_CHARACTERS = 4_096

PASSAGES_TABLE = (
    "CREATE VIRTUAL TABLE IF NOT EXISTS passages USING fts5("
    "key UNINDEXED, text UNINDEXED, words, characters, "
    "tokenize = 'unicode61 remove_diacritics 2')"
)


def _is_cjk(word: str) -> bool:
    return CJK_RUN.fullmatch(word) is not None


def _pairs(run: str) -> Iterator[str]:
    """A CJK run as its overlapping pairs of characters; a single character as itself."""
    if len(run) == 1:
        yield run
    yield from (run[at : at + 2] for at in range(len(run) - 1))


def _words(text: str) -> list[str]:
    """The words of a text, folded as terms are; signs are left out."""
    return [word for word in split_words(text).singular if word[0].isalnum()]


def indexed(text: str) -> tuple[str, str]:
    """Return a text as it is indexed: words with CJK as pairs, and each CJK character alone."""
    parts: list[str] = []
    characters: dict[str, None] = {}
    for word in _words(text):
        if _is_cjk(word):
            parts += _pairs(word)
            characters.update(dict.fromkeys(word))
        else:
            parts.append(word)
    return " ".join(parts), " ".join(characters)


def _asked(words: Sequence[str]) -> str:
    """Words in a row, quoted, so that none is an operator."""
    column = "characters" if len(words[0]) == 1 and _is_cjk(words[0]) else "words"
    return f'{column} : "{" ".join(words)}"'


def all_words(query: str) -> str:
    """The MATCH text that asks for all words of a query; empty for a query without a word."""
    left = MOST_QUERY_WORDS
    parts: list[str] = []
    for word in _words(query[:_MOST_QUERY_CHARACTERS]):
        # Pairs in a row: the run itself, not its pairs from anywhere.
        row = list(islice(_pairs(word), left)) if _is_cjk(word) else [word]
        left -= len(row)
        parts.append(_asked(row))
        if left <= 0:
            break
    return " AND ".join(parts)


def any_word(query: str) -> str:
    """The MATCH text that asks for any word of a query, or any pair of a CJK run."""
    words = _words(query[:_MOST_QUERY_CHARACTERS])
    return any_part(
        islice((_asked([part]) for word in words for part in _parts(word)), MOST_QUERY_WORDS)
    )


def any_part(parts: Iterable[str]) -> str:
    """The MATCH text that asks for any of some parts."""
    return " OR ".join(parts)


def informative_parts(query: str) -> tuple[str, ...]:
    """MATCH texts of what a query is about: each word, and each pair of a CJK run, by itself.

    Words such as "what", "the" and 多少 are left out, and what repeats.
    """
    words = split_words(query[:_MOST_QUERY_CHARACTERS])
    parts: dict[str, None] = {}
    for plain, word in zip(words.plain, words.singular, strict=True):
        if plain in ENGLISH or not word[0].isalnum():
            continue
        runs = CHINESE_RUN.split(word) if _is_cjk(word) else [word]
        parts.update(dict.fromkeys(_asked([part]) for run in runs if run for part in _parts(run)))
    return tuple(islice(parts, MOST_QUERY_WORDS))


def _parts(word: str) -> Iterable[str]:
    return _pairs(word) if _is_cjk(word) else (word,)
