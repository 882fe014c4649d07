"""Sentences as sequences of words that are known in full, or not read at all.

A sentence such as "the plan by the District line is three minutes slower than the first" is made of
names that records hold, of figures, and of words of a short list. Who reads such a sentence as a
whole must know that no other word stands in it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Any

from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.segments import Passage
from groundwire.language.ordinals import place_at
from groundwire.quantities import ClockTime, Quantity

SILENT = re.compile(r"[\s|,.:()（），。：、“”„‘’\"'*–—-]+")
"""Signs between words that say nothing."""

_WORD_GOES_ON = re.compile(r"(?<=[a-z])[a-zÀ-ɏ]")
_LANGUAGES = ("en", "de", "zh")
_STOP = re.compile(r"[;；]")
_GROUP = re.compile(r"\([^()]*\)")
_OPENING = re.compile(r"\(\?:([^()]*)\)(?![?*{])")
_BEGINS = re.compile(r"[^\W\d_](?![?*{])")
_ANY_WORD = re.compile(r"[a-zÀ-ɏ]++|[\s\S]")
# Behind these words a number says how many: "the first two".
_COUNTS_BEHIND = frozenset(("ordinal", "front", "last"))
_MOST_UNKNOWN = 20
_LINE_BEHIND = re.compile(r" ?(?:lines?(?![a-z])|linien?(?![a-zäöü])|号?线)")


@dataclass(frozen=True, slots=True)
class Word:
    """A word, name or figure of a sentence.

    Attributes:
        kind: a key of the word lists or of the names, or "minutes", "number", "clock", "stop",
            "end".
        start: where it begins.
        end: where it ends.
        number: the figure, or the number of an ordinal.
        names: the names that stand there, in lower case; of a time, the minutes after midnight
            that it may mean.
    """

    kind: str
    start: int
    end: int
    number: Decimal = Decimal(0)
    names: tuple[str, ...] = ()


END = Word("end", -1, -1)
"""Stands behind the last word."""


@dataclass(frozen=True, slots=True)
class Names:
    """Names of one kind that a sentence may hold.

    Attributes:
        kind: what they are names of.
        lengths: by a first letter, how long names may be that begin so, the longest first.
        names: the names in small letters.
        behind: kinds of words behind which a name is of this kind rather than of another.
        joined: whether names side by side are one word.
    """

    kind: str
    lengths: Mapping[str, Sequence[int]]
    names: frozenset[str]
    behind: frozenset[str] = frozenset()
    joined: bool = False


def names_of(
    kind: str, names: Collection[str], behind: Collection[str] = (), *, joined: bool = False
) -> Names:
    """Return the names of a kind; the longest that stands at a place counts."""
    small = frozenset(one.lower() for one in names)
    lengths: dict[str, set[int]] = {}
    for name in small:
        lengths.setdefault(name[:1], set()).add(len(name))
    longest = {letter: sorted(own, reverse=True) for letter, own in lengths.items()}
    return Names(kind, longest, small, frozenset(behind), joined)


@cache
def _lists(name: str) -> Mapping[str, tuple[Sequence[str], Sequence[str]]]:
    """Return the words of a file of word lists by their kind, those of Latin letters apart.

    A kind that takes common words has those of them that no kind of the file lists itself.
    """
    own, common = _file(name), _file("common_words")
    taken = own.get("common", {})
    found: dict[str, tuple[list[str], list[str]]] = {}
    for kind in own["en"]:
        words: dict[str, list[str]] = {}
        for language in _LANGUAGES:
            listed = {word for words in own[language].values() for word in words}
            shared = common[language][taken[kind]] if kind in taken else ()
            words[language] = own[language][kind] + [one for one in shared if one not in listed]
        found[kind] = ([*words["en"], *words["de"]], words["zh"])
    return found


@cache
def _file(name: str) -> Mapping[str, Mapping[str, Any]]:
    text = (files("groundwire.evidence.claims") / f"{name}.toml").read_text("utf-8")
    return tomllib.loads(text)


def _pattern(latin: Sequence[str], han: Sequence[str]) -> str:
    """Return what matches any of some words; Latin ones only as whole words."""
    west, east = ("|".join(sorted(own, key=len, reverse=True)) for own in (latin, han))
    return "|".join([rf"\b(?:{west})\b"] * bool(west) + [east] * bool(east))


@cache
def vocabulary(name: str) -> Mapping[str, re.Pattern[str]]:
    """Return the words of a file of word lists, by their kind.

    They match small letters only: a pattern that minds no case is many times slower.
    """
    return {kind: re.compile(_pattern(*words)) for kind, words in _lists(name).items()}


@cache
def _beginning(name: str, letter: str) -> tuple[Sequence[str], re.Pattern[str]]:
    """Return the kinds of which a word may begin with a letter, and a pattern.

    The pattern has a group for each kind, which holds the word that begins at a place.
    """
    found: dict[str, str] = {}
    for kind, lists in _lists(name).items():
        own = [[word for word in words if _may_begin(word, letter)] for words in lists]
        if any(own):
            found[kind] = f"(?:(?=({_pattern(*own)}))|)"
    return [*found], re.compile("".join(found.values()))


def _may_begin(word: str, letter: str) -> bool:
    """Whether what matches a word of a list may begin with a letter: always, unless that is plain.

    Plain are "a", "lines?" and "(?:goes|runs) to".
    """
    opening = _OPENING.match(word)
    heads = opening[1].split("|") if opening else [word]
    is_plain = "|" not in _GROUP.sub("", word) and all(map(_BEGINS.match, heads))
    return not is_plain or letter in {head[0] for head in heads}


def may_state(text: str, passage: Passage) -> bool:
    """Whether a passage of a text may be a sentence that states something: no cell, no question."""
    asks = text[: passage.end].rstrip().endswith(("?", "？"))
    return passage.kind != "cell" and not asks


def words_in(
    context: PassageContext,
    vocabulary_name: str,
    names: Sequence[Names],
    clocks: Sequence[ClockTime] = (),
    most_unknown: int = _MOST_UNKNOWN,
    *,
    bounds: bool = False,
    given: Sequence[Word] = (),
) -> tuple[list[Word], list[int]]:
    """Return the known words of a passage, and where it has others.

    Args:
        context: the passage.
        vocabulary_name: the file of its words; those of "glue" add no fact and are left out.
        names: the names that it may hold.
        clocks: times of day that are words of their own.
        most_unknown: a passage with more words that are not known is not read to its end.
        bounds: whether "more than 5" is a word, "over" or "under" with its figure.
        given: words that were read before, such as dates.
    """
    passage = context.passage
    plain = (None, "about", *(("over", "under") if bounds else ()))
    figures = {q.span[0]: (q, q.bound in plain) for q in context.quantities}
    times = {one.span[0]: one for one in clocks}
    read = {one.start: one for one in given}
    reading = context.contexts.reading
    text = reading.small
    pointers = {q.span[0]: q for q in reading.pointers.within((passage.start, passage.end))}
    joined = {one.kind for one in names if one.joined}
    found: list[Word] = []
    at, unknown = passage.start, list[int]()
    while at < passage.end:
        if (silent := SILENT.match(text, at, passage.end)) is not None:
            at = silent.end()
            continue
        before = found[-1].kind if found else ""
        word = _name_at(text, at, passage.end, before, names)
        if at in read:
            word = read[at]
        elif before in _COUNTS_BEHIND and (pointer := pointers.get(at)) is not None:
            word = Word("number", *pointer.span, pointer.value)
        elif (clock := times.get(at)) is not None:
            word = Word("clock", *clock.span, names=tuple(map(str, clock.minutes)))
        word = word or _word_at(text, at, passage.end, figures, vocabulary_name)
        if word is None:
            unknown.append(at)
            skipped = _ANY_WORD.match(text, at)
            at = skipped.end() if skipped else at + 1
            if len(unknown) > most_unknown:
                break
            continue
        at = word.end
        if word.kind in joined and before == word.kind:
            both = (*found[-1].names, *word.names)
            found[-1] = Word(word.kind, found[-1].start, word.end, names=both)
        elif word.kind != "glue":
            found.append(word)
    return [*_with_minutes(found)], unknown


def _name_at(text: str, at: int, end: int, before: str, names: Sequence[Names]) -> Word | None:
    """Return the name that begins here, or None; one that a word before it leads goes first.

    Of several the longest counts.
    """
    found: list[tuple[bool, int, Word]] = []
    for one in names:
        for size in one.lengths.get(text[at], ()):
            name, stop = text[at : at + size], at + size
            if stop <= end and name in one.names and not _WORD_GOES_ON.match(text, stop):
                break
        else:
            continue
        behind = _LINE_BEHIND.match(text, stop, end) if one.kind == "lines" else None
        last = behind.end() if behind else stop
        word = Word(one.kind, at, last, names=(name.casefold(),))
        found.append((before not in one.behind, -stop, word))
    return min(found, key=lambda one: one[:2])[2] if found else None


def listed_word(text: str, at: int, end: int, vocabulary_name: str) -> Word | None:
    """Return the longest word of a file of word lists that begins at a place, or None."""
    return _word_at(text, at, end, {}, vocabulary_name)


def _word_at(
    text: str,
    at: int,
    end: int,
    figures: Mapping[int, tuple[Quantity, bool]],
    vocabulary_name: str,
) -> Word | None:
    """Return the figure or the word of a list that begins here, or None; the longest counts."""
    if _STOP.match(text, at, end):
        return Word("stop", at, at + 1)
    figure, is_read = figures.get(at, (None, False))
    kinds, pattern = _beginning(vocabulary_name, text[at])
    match = pattern.match(text, at, end)
    ends = [last for _, last in match.regs[1:]] if match else []
    longest = max(ends, default=-1)
    if figure is not None and longest <= figure.span[1]:
        is_whole = figure.value == figure.value.to_integral_value()
        plain = is_read and is_whole
        if longest == figure.span[1] and not plain:
            return Word(kinds[ends.index(longest)], at, longest)  # "ein Viertel"
        if not plain or figure.unit not in (None, "min"):
            return None
        kind = "minutes" if figure.unit else "number"
        kind = figure.bound if figure.bound in ("over", "under") else kind
        return Word(kind, at, figure.span[1], figure.value)
    if longest < 0:
        return None
    kind = kinds[ends.index(longest)]
    place = place_at(text[at:longest]) if kind == "ordinal" else 0
    return Word(kind, at, longest, Decimal(place))


def _with_minutes(words: Sequence[Word]) -> Iterator[Word]:
    """Yield words; "64 and 66 minutes" and "55 against 64 minutes" have two lengths of time."""
    for place, word in enumerate(words):
        behind = [w for w in words[place + 1 : place + 3] if w.kind != "against"][:1]
        is_length = word.kind == "number" and behind and behind[0].kind == "minutes"
        yield Word("minutes", word.start, word.end, word.number) if is_length else word
