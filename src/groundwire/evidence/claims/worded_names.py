"""Things that a text calls by the words of their name in another order.

"The dry Wolfsburg asphalt patch" and "the dry asphalt patch in Wolfsburg" are both "Wolfsburg
asphalt patch, dry". Each word of the name must be there, and no other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from groundwire.evidence.claims.entity_linking import Mention, Named
from groundwire.evidence.claims.words import fold_word
from groundwire.language.glossary import other_words
from groundwire.language.places import forms_of_place

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*|[0-9]+")
_JOINTS = frozenset(
    ("in", "of", "on", "near", "the", "a", "an", "at", "from", "bei", "im", "am", "der")
)
# Fewer words may as well be two values.
_FEWEST = 3
# "Tolvarne Hong Kong" is no description, and "Tolvarne in Hong Kong" may be another firm there.
_DESCRIBED = 2


@dataclass(frozen=True, slots=True)
class WordedNames:
    """The words of the names of things.

    Attributes:
        places: by folded word, the places of the names that have it, and the word there.
        needed: the words of each name.
        keys: the key of each thing.
    """

    places: Mapping[str, Sequence[tuple[int, str]]] = field(
        default_factory=dict[str, Sequence[tuple[int, str]]]
    )
    needed: Sequence[frozenset[str]] = ()
    keys: Sequence[str] = ()


def worded_names(labels: Mapping[str, str]) -> WordedNames:
    """Collect the words of names, by each name the key of its thing."""
    words = [frozenset(map(fold_word, _WORD.findall(label))) - _JOINTS for label in labels]
    alike = Counter(words)
    places: dict[str, list[tuple[int, str]]] = {}
    for at, (label, own) in enumerate(zip(labels, words, strict=True)):
        described = [w for w in _WORD.findall(label) if w.islower() and w not in _JOINTS]
        if len(own) < _FEWEST or alike[own] > 1 or len(described) < _DESCRIBED:
            continue
        for word in _WORD.findall(label):
            for form in {*forms_of_place(word), *other_words(word)}:
                if (folded := fold_word(form)) not in _JOINTS:
                    places.setdefault(folded, []).append((at, fold_word(word)))
    return WordedNames(places, words, [*labels.values()])


def with_worded_names(text: str, mentions: Sequence[Mention], known: WordedNames) -> list[Mention]:
    """Return the mentions of a text, with those of things that it names in another order."""
    found: dict[tuple[int, int], Mention] = {}
    open_at: dict[int, tuple[int, set[str]]] = {}
    last = 0
    for match in _WORD.finditer(text) if known.places else ():
        word = fold_word(match[0])
        if text[last : match.start()] != " ":
            open_at = {}
        last = match.end()
        if word in _JOINTS:
            continue
        held = dict(known.places.get(word, ()))
        open_at = {at: one for at, one in open_at.items() if at in held}
        for at, own in held.items():
            start, seen = open_at.get(at, (match.start(), set[str]()))
            if own in seen:
                start, seen = match.start(), set[str]()
            open_at[at] = start, {*seen, own}
            if known.needed[at] <= open_at[at][1]:
                found[at, start] = Mention(start, last, Named(entities={known.keys[at]}))
    new = [
        one
        for one in found.values()
        if all(one.start <= m.start and m.end <= one.end for m in mentions if _meet(one, m))
        and not any(_meet(one, o) and o.end - o.start > one.end - one.start for o in found.values())
        and not any(m.start == one.start and m.end == one.end for m in mentions)
    ]
    kept = [m for m in mentions if not any(_meet(m, one) for one in new)]
    return sorted([*kept, *new], key=lambda one: one.start)


def _meet(one: Mention, other: Mention) -> bool:
    return one.start < other.end and other.start < one.end
