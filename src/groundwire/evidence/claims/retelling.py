"""Whether words of a draft tell a recorded sentence again: its words, in its order or nearly so."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from groundwire.evidence.claims.recorded_texts import RecordedSentence, TextWord

_NOUNS = frozenset(("noun", "name", "other"))
_MODIFIERS = frozenset(("adjective", "adverb"))
_HAN = "\u2e80"


def told_at(
    words: Sequence[TextWord],
    sentence: RecordedSentence,
    earlier: Sequence[TextWord],
    *,
    is_cut: bool = False,
) -> Sequence[int] | None:
    """Return at which places words of a draft tell a recorded sentence, or None.

    Args:
        words: the words.
        sentence: the recorded sentence.
        earlier: words of the same sentence of the draft that have told it already.
        is_cut: whether phrases behind prepositions may be left out.
    """
    if not all(word.operator or word.forms & sentence.forms for word in words):
        return None
    places = _places(words, sentence.words) or _moved(words, sentence)
    if places is None:
        return None
    pairs = [(word, sentence.words[at]) for word, at in zip(words, places, strict=True)]
    if not _joined_alike(pairs if earlier else pairs[1:]) or not all(
        _opened_alike(*p) for p in pairs
    ):
        return None
    known = {*places, *(_places(earlier, sentence.words) or ())} if earlier else set(places)
    first, last = min(places), max(places)
    known |= _phrases_apart(sentence, known) if is_cut else set[int]()
    if any(
        one.operator and at not in known and not (at > last and one.operator.startswith("cause"))
        for at, one in enumerate(sentence.words)
    ):
        return None
    is_step = sentence.order is not None
    if not is_step and any(at not in known for at in range(first)):
        return None  # what it is said of is left out
    between = range(first + 1, last)
    whole = all(at in known or _only_narrows(sentence.words, at) for at in between)
    return places if whole else None


def _phrases_apart(sentence: RecordedSentence, known: set[int]) -> set[int]:
    """Return the places of the phrases behind prepositions of which a step tells no word.

    "Put the block into the file, under servers" asks to put it under servers.
    """
    keyed = [(one.group, one.opener) for one in sentence.words]
    found = set[int]()
    for key, run in groupby(range(len(keyed)), lambda at: keyed[at]):
        places = set(run)
        found |= places if key[1] and places.isdisjoint(known) else set[int]()
    return found


def _places(words: Sequence[TextWord], recorded: Sequence[TextWord]) -> list[int] | None:
    """Return the place of each word in a recorded sentence; None where one is not there in order.

    Verbs may stand anywhere among the others, which must stand behind those that stand before
    them. What a pronoun means may be told again in its place.
    """
    found: list[int] = []
    reached = verb_reached = -1
    for word in words:
        if found and recorded[found[-1]].is_meant_again:
            again = next((at for at in found if _alike(word, recorded[at])), None)
            if again is not None:
                found.append(again)
                continue
        options = [at for at, one in enumerate(recorded) if _alike(word, one) and at not in found]
        behind = next((at for at in options if at > reached), None)
        both = behind is not None and word.tag == recorded[behind].tag == "verb"
        if behind is not None and not both:
            reached = behind
        elif behind is None:
            behind = next((at for at in options if "verb" in (word.tag, recorded[at].tag)), None)
            both = behind is not None and word.tag == recorded[behind].tag == "verb"
        if behind is None or (both and behind < verb_reached and not _is_han(recorded[behind])):
            return None
        verb_reached = behind if both else verb_reached
        found.append(behind)
    return found


def _is_han(word: TextWord) -> bool:
    return any(form[:1] >= _HAN for form in word.forms)


def _moved(words: Sequence[TextWord], sentence: RecordedSentence) -> list[int] | None:
    """Return the place of each word where clauses, or parts of one, stand in another order.

    Words of one part keep their order and their preposition, parts stay in their clause, and a
    verb stays beside a name that it has there. Steps keep the order of their clauses.
    """
    found: dict[int, int] = {}
    in_order = sentence.order is not None or bool(sentence.cues)
    last = -1
    groups: dict[int, int] = {}
    for group in dict.fromkeys(word.group for word in words):
        own = [at for at, word in enumerate(words) if word.group == group and word.tag != "verb"]
        fits = _clause_with(words, own, sentence.words, last if in_order else -1)
        if fits is None:
            return None
        last = fits[0] if own else last
        groups[group] = last
        if not found.keys().isdisjoint(fits[1]) or set(found.values()) & set(fits[1].values()):
            return None
        found |= fits[1]
    for at, word in enumerate(words):
        if at not in found:
            beside = _beside(words, at)
            options = (
                place
                for place, one in enumerate(sentence.words)
                if place not in found.values() and _alike(word, one)
                if beside & _beside(sentence.words, place)
                if not in_order or one.group == groups[word.group]
            )
            if (place := next(options, None)) is None:
                return None
            found[at] = place
    return [found[at] for at in range(len(words))]


def _clause_with(
    words: Sequence[TextWord], own: Sequence[int], recorded: Sequence[TextWord], least: int
) -> tuple[int, dict[int, int]] | None:
    """Return the first clause from a number on that has some words, and where; None for none."""
    for group in dict.fromkeys(one.group for one in recorded):
        places = _within(words, own, recorded, group) if group >= least else None
        if places is not None:
            return group, places
    return None


def _within(
    words: Sequence[TextWord], own: Sequence[int], recorded: Sequence[TextWord], group: int
) -> dict[int, int] | None:
    """Return the places of some words in a clause of a recorded sentence, or None."""
    found: dict[int, int] = {}
    reached: dict[str, int] = {}
    for at in own:
        word = words[at]
        place = next(
            (
                place
                for place, one in enumerate(recorded)
                if one.group == group
                and one.opener == word.opener
                and place > reached.get(word.opener, -1)
                and _alike(word, one)
            ),
            None,
        )
        if place is None:
            return None
        found[at] = reached[word.opener] = place
    return found


def _beside(words: Sequence[TextWord], at: int) -> frozenset[str]:
    """Return the forms of the names next to a verb, on both sides."""
    found = set[str]()
    for way in (range(at - 1, -1, -1), range(at + 1, len(words))):
        begun = False
        for place in way:
            if words[place].tag == "verb":
                if begun:
                    break
                continue
            begun = True
            found |= words[place].forms
    return frozenset(found)


def _joined_alike(pairs: Sequence[tuple[TextWord, TextWord]]) -> bool:
    """Whether a draft joins by "and" or "or" what the recorded sentence joins so."""
    return all(
        word.joint == one.joint or "or" not in (word.joint, one.joint) for word, one in pairs
    )


def _opened_alike(word: TextWord, recorded: TextWord) -> bool:
    """Whether two words stand behind the same preposition, if both stand behind one."""
    return not word.opener or not recorded.opener or word.opener == recorded.opener


def _alike(word: TextWord, recorded: TextWord) -> bool:
    if word.operator or recorded.operator:
        return word.operator == recorded.operator
    return not word.forms.isdisjoint(recorded.forms)


def _only_narrows(words: Sequence[TextWord], at: int) -> bool:
    """Whether a word narrows the next noun, so that who leaves it out says no more than it."""
    word = words[at]
    if word.operator:
        return False
    if word.tag in _MODIFIERS:
        return True
    return word.tag in _NOUNS and word.is_joined and words[at + 1].tag in _NOUNS
