"""The unexplained parts of a question, for which it may mean something else than it names.

Everything counts that is neither a term, nor a period, nor a word of grammar. "Revenue growth" is
no revenue, and 中国平安 is not 中国.

A question with an entity, a period and nearly the name of a metric wants a number. Which metric is
meant is asked, with the candidates; that no passage of a document answers the question would be
true, and of no use. A unit that the metric has changes nothing, any other is left over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from groundwire.metrics.intent import chinese_words as chinese
from groundwire.metrics.intent import english_words as english
from groundwire.metrics.intent.mentions import Mention
from groundwire.metrics.intent.parsed import Category, Leftover, Span
from groundwire.metrics.intent.slots import Doubt
from groundwire.metrics.intent.tokens import Cleaned, Explained, Role, Token, inside, simplified
from groundwire.quantities import resolve_unit
from groundwire.vocabulary import KnownWords, Vocabulary
from groundwire.vocabulary.fold import split_words

_SCALE = re.compile("(?:万亿|千万|百万|[万亿])?")
_SCALE_WORD = re.compile(
    r"(?:thousand|million|billion|trillion)s?|mio|mrd|mn|bn|tausend|millionen|milliarden|billionen",
    re.IGNORECASE,
)
_LONGEST_UNIT = 3
_PEOPLE = frozenset(["people", "persons", "人", "名"])
_PERCENT = frozenset(["percentage", "percentages", "百分比", "百分数", "百分率"])

# "In US dollars", "as a percentage"; the unit is the longest of the words that follow.
_OPENING = re.compile(r"\b(?:in|as)\s+(?:an?\s+)?", re.IGNORECASE)
_FOLLOWING = re.compile(r"[^\s\d,;:?!()\[\]]+(?:\s+[^\s\d,;:?!()\[\]]+){0,2}")
# （人民币）, (in USD), (unit: CNY): nothing but a unit between brackets.
_BRACKETED = re.compile(
    r"[(（\[【]\s*(?:(?:(?:in|as|units?)\b|单位|單位)\s*[:：为為是]?\s*|[以按用])?"
    r"(?P<unit>[^()（）\[\]【】]{1,24}?)\s*(?:[计計](?:价|價|算|量)?)?\s*[)）\]】]",
    re.IGNORECASE,
)
# 以人民币计, 按美元计价.
_COUNTED = re.compile(
    r"[以按用](?P<unit>[^\s\d,，。;；:：、?？()（）]{1,6}?)"
    r"(?:[计計][价價算量]?|为单位|為單位|表示)"
)
# 单位：元; unit: CNY.
_NAMED_UNIT = re.compile(
    r"(?:(?:单位|單位)\s*[:：为為是]?|\bunits?\s*:)\s*"
    r"(?P<unit>[^\s\d,，。;；:：、?？!！()（）.]{1,16})(?=$|[\s,，。;；、?？!！)）.])",
    re.IGNORECASE,
)


class UnitPhrase(NamedTuple):
    """A unit that a question asks for.

    Attributes:
        span: its place, with the words that show that it is one.
        unit: how it is written.
    """

    span: Span
    unit: str


def is_unit(text: str, units: frozenset[str]) -> bool:
    """Whether a text names one of some units.

    Args:
        text: the text, as it is written.
        units: unit symbols, as profiles have them.
    """
    if not text or not units:
        return False
    if "people" in units and text in _PEOPLE:
        return True
    named = _symbol(text)
    return (
        text in units
        or named in units
        or any(one.startswith(f"{named}/") for one in units if named)
    )


@lru_cache(maxsize=4096)
def _symbol(text: str) -> str:
    """The symbol of a unit; "" for what is none."""
    if text.casefold() in _PERCENT:
        return "%"
    simple = simplified(text)
    found = resolve_unit(simple) or resolve_unit(simple.replace(".", ""))
    return found.symbol if found else ""


def unit_phrases(text: str, units: frozenset[str]) -> list[UnitPhrase]:
    """The phrases of a question that ask for a value in one of some units.

    A scale ("in millions", 万元) says nothing, and its unit is "" where it names none: values are
    given as they are held.

    Args:
        text: the question.
        units: unit symbols of the metrics of a profile.
    """
    return [*_worded(text, units), *_written(text, units)]


def _worded(text: str, units: frozenset[str]) -> Iterator[UnitPhrase]:
    for opening in _OPENING.finditer(text):
        following = _FOLLOWING.match(text, opening.end())
        if following is None:
            continue
        words = list(re.finditer(r"\S+", following[0]))
        scale = _SCALE_WORD.fullmatch(words[0][0].rstrip(".'\""))
        for last in reversed(words):
            unit = following[0][: last.end()].rstrip(".'\"")
            if is_unit(unit, units):
                yield UnitPhrase((opening.start(), opening.end() + len(unit)), unit)
                break
            after = ""
            if scale and len(words) > 1:
                after = unit[words[1].start() :].removeprefix("of ")
            elif _SCALE_WORD.fullmatch(unit.rpartition(" ")[2]):
                after = unit.rpartition(" ")[0]
            if after and is_unit(after, units):
                yield UnitPhrase((opening.start(), opening.end() + len(unit)), after)
                break
        else:
            if scale:
                yield UnitPhrase((opening.start(), opening.end() + len(scale[0])), "")


def _written(text: str, units: frozenset[str]) -> Iterator[UnitPhrase]:
    for pattern in (_BRACKETED, _COUNTED, _NAMED_UNIT):
        for match in pattern.finditer(text):
            if is_unit(match["unit"], units):
                yield UnitPhrase(match.span(), match["unit"])


def unit_after(text: str, units: frozenset[str]) -> str:
    """The scale word and unit that a text begins with, as after 多少: 亿元; or ""."""
    scale = _SCALE.match(text)
    start = scale.end() if scale else 0
    for length in range(_LONGEST_UNIT, 0, -1):
        if len(text) >= start + length and is_unit(text[start : start + length], units):
            return text[: start + length]
    return ""


# Two letters in ten, or one character of four, may be wrong; one of three in a run of Chinese.
_ALIKE = 0.8
_ALIKE_CHINESE = 0.75
_ALIKE_SHORT = 0.65
_SHORT_CHINESE = 3
_SHORTEST = {"cjk": 2, "word": 4}
_LONGEST = 24
_MOST_STARTS = 4
_MOST_TRIED = 12
_NAMED: tuple[Role, ...] = ("term", "period", "cue", "own")

_LEFT: dict[Role, Category] = {
    "time": "time",
    "qualifier": "qualifier",
    "derivation": "derivation",
    "movement": "other",
    "loose": "other",
}
# Begin a clause that says more about a change that is asked about.
_CLAUSES = frozenset(["after", "following", "despite", "while", "when", "although", "due", "given"])


def apart_from_names(explained: Explained, mentions: Sequence[Mention]) -> set[int]:
    """Numbers of the mentions that are a part of an unknown name; their tokens become loose.

    A term is one if an unexplained character or symbol touches it (中国平安, US$), or, for the
    name of an entity, if an unexplained word with a capital stands beside it (China Mobile).
    """
    dropped: set[int] = set()
    places = [inside(explained.tokens, *mention.span) for mention in mentions]
    # What is dropped may make its neighbours a part of the name too.
    waiting = list(range(len(mentions) - 1, -1, -1))
    while waiting:
        number = waiting.pop()
        at = places[number]
        if number in dropped or not at:
            continue
        if _touched(explained, mentions[number], at[0], at[-1]):
            dropped.add(number)
            for place in at:
                kept = tuple(one for one in explained.terms[place] if one != number)
                explained.terms[place] = kept
                explained.roles[place] = "term" if kept else "loose"
            for place in (at[0] - 1, at[0], at[-1] + 1):
                if 0 <= place < len(explained.terms):
                    waiting += explained.terms[place]
    return dropped


def _touched(explained: Explained, mention: Mention, first: int, last: int) -> bool:
    tokens, roles = explained.tokens, explained.roles
    if first and roles[first - 1] == "loose" and _belongs(tokens, first, first - 1, mention):
        return True
    after = last + 1
    return (
        after < len(tokens) and roles[after] == "loose" and _belongs(tokens, after, after, mention)
    )


def _belongs(tokens: Sequence[Token], joint: int, other: int, mention: Mention) -> bool:
    """Whether a neighbour and a mention are written as one name."""
    if tokens[joint].glued:
        return True
    beside = not tokens[joint].broken
    return beside and mention.kind == "entity" and other > 0 and tokens[other].capitalised


def forgive_reasons(explained: Explained, complete: bool) -> None:
    """In a question for reasons, explain words of movement, and a clause after the last slot.

    Args:
        explained: the question.
        complete: whether it names an entity and a period. Where it does not, a name in a clause
            may be of what is asked about, and is left over.
    """
    tokens, roles = explained.tokens, explained.roles
    for at, token in enumerate(tokens):
        if (
            roles[at] == "movement"
            or (roles[at] == "derivation" and _moves(explained, at))
            or (token.plain == "by" and roles[at] == "qualifier")
        ):
            roles[at] = "cue"
    slots = [at for at, role in enumerate(roles) if role in ("term", "period")]
    last = slots[-1] if slots and complete else len(tokens)
    for at in range(last + 1, len(tokens)):
        if tokens[at].plain in _CLAUSES:
            explained.give(at, len(tokens), "cue")
            break


def _moves(explained: Explained, at: int) -> bool:
    for _, first, last in explained.operations:
        if first <= at < last:
            written = "".join(token.plain for token in explained.tokens[first:last])
            return written in english.MOVEMENTS or written in chinese.MOVEMENTS
    return False


def collect(
    explained: Explained,
    cleaned: Cleaned,
    question: str,
    doubts: Iterable[Doubt],
    known: KnownWords,
) -> tuple[Leftover, ...]:
    """All leftovers, in the order of the question.

    Args:
        explained: what each token is there for.
        cleaned: the text that was read, with the places of the question.
        question: the question as it came.
        doubts: terms with several readings.
        known: the words of the language; a word that is none of them is a name.
    """
    found: list[Leftover] = []
    at = 0
    tokens, roles = explained.tokens, explained.roles
    while at < len(tokens):
        category = _LEFT.get(roles[at])
        if category is None:
            at += 1
            continue
        last = at + 1
        while last < len(tokens) and _goes_on(explained, last):
            last += 1
        if "loose" in roles[at:last]:
            category = _look(tokens[at:last], at == 0, known)
        span = cleaned.original(tokens[at].start, tokens[last - 1].end)
        found.append(Leftover(question[slice(*span)], span, category))
        at = last
    for doubt in doubts:
        span = cleaned.original(*doubt.span)
        found.append(
            Leftover(question[slice(*span)], span, doubt.category, doubt.slot, doubt.candidates)
        )
    return tuple(sorted(found, key=lambda one: one.span))


def _goes_on(explained: Explained, at: int) -> bool:
    """Whether a token belongs to the same leftover as the one before it."""
    token, pair = explained.tokens[at], explained.roles[at - 1 : at + 1]
    if token.broken:
        return False
    # 毛利 is one word, though 毛 alone qualifies.
    whole = token.glued and token.kind == "cjk" and set(pair) <= {"loose", "qualifier"}
    return whole or pair[0] == pair[1]


def _look(tokens: Sequence[Token], begins: bool, known: KnownWords) -> Category:
    """Whether unexplained words look like a name."""
    for number, token in enumerate(tokens):
        if token.kind == "cjk":
            return "name"
        if token.kind == "word" and token.plain.isalpha():
            if token.capitalised and not (begins and number == 0):
                return "name"
            if not known.of_language(token.plain):
                return "name"
    return "other"


def near_metric(explained: Explained, metrics: Vocabulary) -> tuple[int, int] | None:
    """The tokens that are nearly the name of a metric, as (first, token after); else None.

    Args:
        explained: the question, in which no metric was found.
        metrics: the vocabulary of metrics.
    """
    for tried, (first, last) in enumerate(_stretches(explained)):
        if tried == _MOST_TRIED:
            return None
        tokens = explained.tokens[first:last]
        separator = "" if all(token.kind == "cjk" for token in tokens) else " "
        written = separator.join(token.text for token in tokens)
        if len(written) < _SHORTEST["word" if separator else "cjk"]:
            continue
        near = metrics.suggest(written, 1)
        if near and (
            near[0].score >= _least(written, bool(separator))
            or (separator and _is_head(written, near[0].label_matched))
        ):
            return first, last
    return None


def _is_head(written: str, name: str) -> bool:
    """Whether words begin or end a longer name: "Umsatz" of "Umsatz der Filialen"."""
    own, whole = split_words(written).singular, split_words(name).singular
    return len(own) < len(whole) and own in (whole[: len(own)], whole[-len(own) :])


def _least(written: str, words: bool) -> float:
    if words or written.isascii():
        return _ALIKE
    return _ALIKE_SHORT if len(written) <= _SHORT_CHINESE else _ALIKE_CHINESE


def _stretches(explained: Explained) -> Iterator[tuple[int, int]]:
    """Return the words between the terms and periods, without words of grammar at its ends.

    The first words may still belong to the request, so that some later starts are given too.
    """
    roles = explained.roles
    at = 0
    while at < len(roles):
        last = at
        while last < len(roles) and roles[last] not in _NAMED:
            last += 1
        first, end = at, last
        while first < end and roles[first] == "function":
            first += 1
        while first < end and roles[end - 1] == "function":
            end -= 1
        for start in range(first, min(end, first + _MOST_STARTS)):
            if roles[start] != "function" and end - start <= _LONGEST:
                yield start, end
        at = last + 1
