"""The search of the discover tools: which items of a list have the words that are looked for.

A word may stand in a name (a label in any language), in a step of a path or in a description, be
the beginning or a part of one of their words, or be spelt a little otherwise than there ("licence"
for "license"). What is found is only listed, so nothing is taken for something else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from groundwire.vocabulary import fold
from groundwire.vocabulary.fold import CJK_RUN, split_words

# How well a word is found: equal to a word, its beginning, nearly equal, a part of it.
_EQUAL, _BEGINNING, _NEAR, _PART = 8, 5, 4, 3
# A hit in a name counts more than one in the path, and that more than one in a description.
_NAME, _PATH = 4, 2
_SHORTEST_PART = 3
_SHORTEST_NEAR = 4
# From so many letters on, two edits make no other word.
_LONG = 8


class Entry(NamedTuple):
    """The texts of one item.

    Attributes:
        names: what it is called.
        path: what the steps of the way to it are called.
        descriptions: what is said of it.
    """

    names: Sequence[str]
    path: Sequence[str] = ()
    descriptions: Sequence[str] = ()


class Hits(NamedTuple):
    """The result of a search.

    Attributes:
        places: positions of the items, best first.
        near: words that no item has so, with the spelling that was found.
        missing: words that the items do not have.
    """

    places: list[int]
    near: Mapping[str, str]
    missing: tuple[str, ...] = ()


class _Words(NamedTuple):
    """Texts as words, and folded in a row."""

    words: frozenset[str]
    whole: str


def look_up(search: str, entries: Sequence[Entry]) -> Hits:
    """Find the items that have every word of a search; where none has, those that have most.

    Args:
        search: words in any language and order.
        entries: the texts of every item.
    """
    words = split_words(search)
    written = dict(zip(words.singular, words.written, strict=True))
    wanted = list(written)
    held = [(_read(one.names), _read(one.path), _read(one.descriptions)) for one in entries]
    found: list[dict[int, int]] = []
    near: dict[str, str] = {}
    for word in wanted:
        scores = _scores(word, held)
        if all(score < _PART * _PATH for score in scores.values()):
            alike = _near(word, [names for names, _, _ in held])
            alike = alike or _near(word, [path for _, path, _ in held])
            if alike:
                near[written[word]] = next(iter(alike.values()))
            scores |= dict.fromkeys(alike, _NEAR * _NAME)
        found.append(scores)
    totals: dict[int, int] = {}
    letters: dict[int, int] = {}
    for word, scores in zip(wanted, found, strict=True):
        for place, score in scores.items():
            totals[place] = totals.get(place, 0) + score * len(word)
            letters[place] = letters.get(place, 0) + len(word)
    most = max(letters.values(), default=0)
    places = sorted(
        (place for place in totals if letters[place] == most),
        key=lambda place: (-totals[place], place),
    )
    missing = tuple(
        written[word]
        for word, scores in zip(wanted, found, strict=True)
        if not all(place in scores for place in places)
    )
    return Hits(places, near, missing)


def _read(texts: Iterable[str]) -> _Words:
    words: set[str] = set()
    folded: list[str] = []
    for text in texts:
        parts = split_words(text)
        words.update(parts.plain, parts.singular)
        folded.append(fold(text))
    return _Words(frozenset(words), " ".join(folded))


def _scores(word: str, held: Sequence[tuple[_Words, _Words, _Words]]) -> dict[int, int]:
    """How well each item has a word; items that do not have it are left out."""
    found: dict[int, int] = {}
    for place, (names, path, descriptions) in enumerate(held):
        score = max(
            _NAME * _score(word, names), _PATH * _score(word, path), _score(word, descriptions)
        )
        if score:
            found[place] = score
    return found


def _score(word: str, held: _Words) -> int:
    if word in held.words:
        return _EQUAL
    if len(word) < _SHORTEST_PART and not CJK_RUN.fullmatch(word):
        return 0
    if word not in held.whole:
        return 0
    return _BEGINNING if any(one.startswith(word) for one in held.words) else _PART


def _near(word: str, held: Sequence[_Words]) -> dict[int, str]:
    """Items that have nearly this word, each with the word as it has it."""
    from rapidfuzz.distance import OSA

    if len(word) < _SHORTEST_NEAR or any(letter.isdigit() for letter in word):
        return {}
    edits = 2 if len(word) >= _LONG else 1
    alike = {
        one: OSA.distance(word, one)
        for one in sorted(frozenset[str]().union(*(texts.words for texts in held)))
        if one[:1] == word[:1] and abs(len(one) - len(word)) <= edits
    }
    best = min((number for number in alike.values() if number <= edits), default=-1)
    kept = [one for one, number in alike.items() if number == best]
    return {place: one for one in kept for place, texts in enumerate(held) if one in texts.words}
