"""Finding what a caller names: a domain, a property, or items by the words looked for.

A word may stand in a name (a label in any language), in a step of a path or in a description, be
the beginning or a part of one of their words, or be spelt a little otherwise than there ("licence"
for "license"). What is found is only listed, so nothing is taken for something else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from groundwire.errors import InputError
from groundwire.ontology.catalogue import State
from groundwire.ontology.index.model import Domain, Property
from groundwire.ontology.lexicon import KeyReader
from groundwire.ontology.results import Correction
from groundwire.vocabulary import Resolution, fold
from groundwire.vocabulary.fold import CJK_RUN, split_words

_MOST_NAMED = 6


def find_domain(state: State, name: str, corrections: list[Correction] | None = None) -> Domain:
    """The domain that `name` names.

    Args:
        state: the catalogue.
        name: name, label, CURIE or IRI, as it was sent.
        corrections: where a near match is noted.

    Raises:
        InputError: there is none, or several; the message names the nearest.
    """
    resolution = state.lexicon.domain(name, state.assets)
    if resolution.term is None:
        near = [candidate.term.id for candidate in resolution.candidates]
        known = near or [domain.name for domain in state.assets]
        what = f"There is no domain {name[:80]!r}" if name.strip() else "The domain is blank"
        raise InputError(f"{what}: send one of {', '.join(known[:_MOST_NAMED])}.")
    _note(corrections, "domain", resolution, resolution.term.id)
    return state.index.domains[resolution.term.id]


def find_property(
    state: State,
    name: str,
    domains: Sequence[Domain],
    corrections: list[Correction] | None = None,
) -> tuple[Domain, Property]:
    """The property that `name` names in `domains`, with the first domain that has it.

    Args:
        state: the catalogue.
        name: local name, label, CURIE, IRI or end of a path, as it was sent.
        domains: where it is looked for.
        corrections: where a near match is noted.

    Raises:
        InputError: there is none, or several; the message names the nearest, or the domains
            that have it.
    """
    reader = KeyReader(state.lexicon)
    matches = reader.matches(name, domains)
    keys = list(dict.fromkeys(match.prop.curie for match in matches))
    if len({match.prop.key for match in matches}) == 1:
        first = matches[0]
        key = state.lexicon.key_of(first.domain, first.prop)
        _note(corrections, "property", first.resolution, key)
        return first.domain, first.prop
    if matches:
        listed = " or ".join(keys[:_MOST_NAMED])
        raise InputError(f"{name[:80]!r} names several properties: send {listed}.")
    elsewhere = [
        match.domain.name
        for match in reader.matches(name, [one for one in state.assets if one not in domains])
        if match.resolution.how != "corrected"
    ]
    if elsewhere:
        where = " or ".join(domain.name for domain in domains)
        having = " and ".join(dict.fromkeys(elsewhere))
        raise InputError(
            f"{where} has no property {name[:80]!r}, but {having} has: send that as the domain."
        )
    near = reader.suggestions(name, domains, _MOST_NAMED)
    way_out = f"near to it: {', '.join(near)}; " if near else ""
    what = f"There is no property {name[:80]!r}" if name.strip() else "The property is blank"
    raise InputError(f"{what}: {way_out}discover_properties has them all.")


def told(corrections: Sequence[Correction]) -> str:
    """A sentence before the answer that says what was read otherwise than it was sent."""
    read = [f"{one.raw[:80]!r} was read as {one.resolved}" for one in corrections]
    return f"{'; '.join(read)}. " if read else ""


def _note(
    corrections: list[Correction] | None, slot: str, resolution: Resolution, resolved: str
) -> None:
    if corrections is None or resolution.how != "corrected":
        return
    corrections.append(
        Correction(
            slot=slot,
            raw=resolution.raw,
            resolved=resolved,
            how=resolution.how,
            score=round(resolution.score, 3),
        )
    )


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
