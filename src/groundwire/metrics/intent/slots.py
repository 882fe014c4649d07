"""Mentions to slots: each name within the kind of the metric asked, each list only if it is one.

中国 is the country for a population and the subsidiary for a revenue. "CN and HK" is a list; two
names side by side, or values that are paired rather than crossed, are not, and are asked about.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, pairwise

from groundwire.metrics.intent import chinese_words as chinese
from groundwire.metrics.intent import english_words as english
from groundwire.metrics.intent.german_words import german_words
from groundwire.metrics.intent.mentions import Mention
from groundwire.metrics.intent.parsed import Category, Slot, Span
from groundwire.metrics.intent.tokens import WHOLES, Explained
from groundwire.metrics.intent.tokens import inside as tokens_inside
from groundwire.metrics.profile import Metric, Profile
from groundwire.quantities import PeriodExpression

_MOST_ADDED = 40


def parts_of_whole(profile: Profile, kind: str) -> tuple[str, ...]:
    """Return the entities of a kind that make a whole together; none where one is the whole."""
    own = [one for one in profile.entities if one.kind == kind]
    if profile.kinds[kind].home or not 2 <= len(own) <= _MOST_ADDED:
        return ()
    is_deep = any(one.parent or one.parents for one in own) or any(
        whole_words("whole").search(f" {name} ") for one in own for name in (one.name, *one.aliases)
    )
    return () if is_deep else tuple(one.code for one in own)


@cache
def whole_words(name: str) -> re.Pattern[str]:
    """Return the pattern of some words, in any of the languages."""
    said = [one for language in WHOLES[name].values() for one in language]
    parts = [
        re.escape(one) if ord(one[0]) > 0x2E80 else rf"\b{re.escape(one)}\b"
        for one in sorted(said, key=len, reverse=True)
    ]
    return re.compile("|".join(parts), re.IGNORECASE)


_LIST_MARKS = frozenset(",;、，；/")
_COMMAS = frozenset(",，")
# A question for a total adds up the entities of a kind, if it has no more than this.


@dataclass(frozen=True, slots=True)
class Value:
    """One value of one slot.

    Attributes:
        slot: the slot.
        codes: controlled codes: of an entity one for each kind that is asked about; of a period
            its text.
        span: its place in the cleaned text.
    """

    slot: Slot
    codes: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Doubt:
    """A part of a question that has several readings, or one that does not fit.

    Attributes:
        span: its place in the cleaned text.
        category: `ambiguous`, `name` for a term that does not go with the metric, or `nested`.
        slot: what it would be a value of, or None.
        candidates: the codes.
    """

    span: Span
    category: Category
    slot: Slot | None
    candidates: tuple[str, ...]


def fill(
    profile: Profile, mentions: Sequence[Mention], periods: Sequence[PeriodExpression]
) -> tuple[list[Value], list[Doubt]]:
    """The values of all slots, in the order of the text, and what is in doubt."""
    values: list[Value] = []
    doubts: list[Doubt] = []
    metrics = [one for one in mentions if one.kind == "metric"]
    kinds = list(dict.fromkeys(kind for one in metrics for _, kind in one.candidates))
    shared = _claimed_twice(mentions)
    for one in mentions:
        slot: Slot = one.kind
        codes, category = _codes(profile, one, kinds)
        if one.span in shared and category is None:
            others = [other for other in mentions if other.span == one.span and other != one]
            if any(_codes(profile, other, kinds)[1] is None for other in others):
                category = "ambiguous"
        if one.span in shared and category == "name":
            continue
        if category is None:
            values.append(Value(slot, codes, one.span))
        else:
            doubts.append(Doubt(one.span, category, slot, codes))
    values += [Value("period", (one.raw,), one.span) for one in periods]
    return sorted(values, key=lambda value: value.span), doubts


def _claimed_twice(mentions: Sequence[Mention]) -> set[Span]:
    counts = Counter(one.span for one in mentions)
    return {span for span, count in counts.items() if count > 1}


def _codes(
    profile: Profile, mention: Mention, kinds: Sequence[str]
) -> tuple[tuple[str, ...], Category | None]:
    """The codes that a mention stands for; a category where they are in doubt."""
    every = tuple(dict.fromkeys(code for code, _ in mention.candidates))
    if mention.kind == "metric":
        return every, None if len(every) == 1 else "ambiguous"
    if mention.kind == "channel":
        fitting = tuple(
            code
            for code in every
            if not kinds
            or not profile.channel_by_code[code].kinds
            or any(kind in profile.channel_by_code[code].kinds for kind in kinds)
        )
        return (fitting, None) if len(fitting) == 1 else (every, _doubt(fitting))
    found: list[str] = []
    for kind in kinds or dict.fromkeys(own for _, own in mention.candidates):
        of_kind = [code for code, own in mention.candidates if own == kind]
        if len(of_kind) > 1:
            return tuple(of_kind), "ambiguous"
        found += of_kind
    if found:
        return tuple(found), None
    return _of_the_same_place(profile, every, kinds) or every, "name"


def _of_the_same_place(
    profile: Profile, codes: Sequence[str], kinds: Sequence[str]
) -> tuple[str, ...]:
    """Entities of the kinds asked about that stand for the place of others, or have it."""
    places = {profile.entity_by_code[code].geography or code for code in codes}
    return tuple(
        one.code
        for one in profile.entities
        if one.kind in kinds and (one.geography or one.code) in places
    )


def _doubt(fitting: Sequence[str]) -> Category:
    return "ambiguous" if fitting else "name"


def two_readings(
    hidden: Sequence[Mention], mentions: Sequence[Mention], periods: Sequence[PeriodExpression]
) -> list[Doubt]:
    """Periods that hold the name of an entity that the metrics asked for may be of.

    Args:
        hidden: entities that were read as a part of a period.
        mentions: the terms, the metrics among them.
        periods: the periods.
    """
    kinds = {kind for one in mentions if one.kind == "metric" for _, kind in one.candidates}
    doubts: list[Doubt] = []
    for one in hidden:
        codes = tuple(code for code, kind in one.candidates if kind in kinds)
        spans = [period.span for period in periods if _covers(period.span, one.span)]
        if codes and spans:
            doubts.append(Doubt(spans[0], "ambiguous", "entity", codes))
    return doubts


def _covers(outer: Span, inner: Span) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def unlisted(
    explained: Explained, values: Sequence[Value], siblings: Callable[[str, str], bool]
) -> list[Doubt]:
    """Values that stand side by side without being listed, and lists that are paired.

    Args:
        explained: what each token is there for.
        values: the values, in the order of the text.
        siblings: whether two entities belong to the same one and neither name holds the other.
            A comma alone lists two such; "Georgia, USA" may be a place of that name in the USA.
    """
    doubts: list[Doubt] = []
    of_slot: dict[Slot, list[Value]] = {}
    for value in values:
        of_slot.setdefault(value.slot, []).append(value)
    for slot, own in of_slot.items():
        for one, following in pairwise(own):
            if one.codes == following.codes:
                continue
            if not _is_list(explained, one, following, siblings if len(own) == 2 else _always):
                span = (one.span[0], following.span[1])
                doubts.append(Doubt(span, "ambiguous", slot, one.codes + following.codes))
    several = [own for own in of_slot.values() if len({value.codes for value in own}) > 1]
    for one, other in combinations(several, 2):
        first, second = sorted((one, other), key=lambda own: own[0].span)
        if second[0].span[0] < first[-1].span[0] and not _crossed(first, second):
            span = (first[0].span[0], max(first[-1].span[1], second[-1].span[1]))
            doubts.append(Doubt(span, "ambiguous", first[0].slot, ()))
    return doubts


def _always(_one: str, _other: str) -> bool:
    """Accept every comma as a separator, as in a list of three or more."""
    return True


def _crossed(first: Sequence[Value], second: Sequence[Value]) -> bool:
    """Whether two interleaved slots name every pair of their values."""
    ordered = sorted([*first, *second], key=lambda value: value.span)
    pairs: set[tuple[tuple[str, ...], tuple[str, ...]]] = set()
    for one, following in pairwise(ordered):
        if one.slot != following.slot:
            pair = (one, following) if one.slot == first[0].slot else (following, one)
            pairs.add((pair[0].codes, pair[1].codes))
    firsts = {value.codes for value in first}
    seconds = {value.codes for value in second}
    return len(pairs) == len(firsts) * len(seconds) and len(first) * 2 == len(ordered)


def _is_list(
    explained: Explained, one: Value, following: Value, siblings: Callable[[str, str], bool]
) -> bool:
    """Whether a word or mark that lists stands between two values."""
    between = tokens_inside(explained.tokens, one.span[1], following.span[0] + 1)
    if not between:
        return False
    tokens = [explained.tokens[at] for at in between]
    if _has_listing_word(explained, between[:-1]):
        return True
    asked = any(role == "derivation" for role in explained.roles)
    if asked and any(token.plain in ("to", "from") for token in tokens[:-1]):
        return True
    marks = {mark for mark in _LIST_MARKS if any(mark in token.before for token in tokens)}
    if one.slot == "metric":
        marks -= {"/"}
    if one.slot != "entity" or tokens[-1].kind == "cjk" or marks - _COMMAS:
        return bool(marks)
    return bool(marks) and any(
        siblings(first, second) for first in one.codes for second in following.codes
    )


def _has_listing_word(explained: Explained, between: Sequence[int]) -> bool:
    tokens = [explained.tokens[at] for at in between]
    plain = [token.plain for token in tokens]
    listing = english.LISTING | german_words()["listing"]
    if any(
        token.plain in listing or explained.roles[at] in ("derivation", "listing")
        for at, token in zip(between, tokens, strict=True)
    ):
        return True
    written = "".join(token.text for token in tokens)
    return " as well as " in f" {' '.join(plain)} " or any(
        word in written for word in chinese.LISTING
    )


def added_up(
    explained: Explained, text: str, profile: Profile, metric: Metric, values: Sequence[Value]
) -> list[Value]:
    """Return the values of a question with all entities that are to be added up; else none.

    Args:
        explained: the words of the question; those that ask for the whole are explained here.
        text: the cleaned question.
        profile: of its names.
        metric: the one that is asked for.
        values: of all slots.
    """
    named = [one for one in values if one.slot == "entity"]
    asked = {one for one, _, _ in explained.operations}
    if metric.measure == "rate" or "sum" not in metric.derivations:
        return []
    if named:
        spans = [span for one in named if (span := _excepted(text, one.span, named))]
        if len(spans) != len(named):
            return []
    else:
        spans = told_whole(text, values)
        # A sum of what is said to be listed is one of all that there is.
        if not spans and not asked & {"sum", "mean"}:
            return []
        spans += told_each(text, profile, metric.kind, values)
    left_out = {code for one in named for code in one.codes}
    parts = parts_of_whole(profile, metric.kind)
    codes = tuple(code for code in parts if code not in left_out)
    if len(codes) < 2:
        return []
    explain_whole(explained, spans)
    place = named[0].span if named else (0, 0)
    return [
        *(one for one in values if one.slot != "entity"),
        *(Value("entity", (code,), place) for code in codes),
    ]


def told_whole(text: str, values: Sequence[Value]) -> list[Span]:
    """Return the places of words for all together that are no part of the name of a metric."""
    metrics = [one.span for one in values if one.slot == "metric"]
    return [
        found.span()
        for found in whole_words("whole").finditer(text)
        if not any(first < found.end() and found.start() < last for first, last in metrics)
    ]


def told_each(text: str, profile: Profile, kind: str, values: Sequence[Value]) -> list[Span]:
    """Return the places of "per depot" and "of all rides": each of a kind, all of a metric."""
    own = profile.kinds[kind]
    metrics = [text[slice(*one.span)] for one in values if one.slot == "metric"]
    nouns = "|".join(map(re.escape, (kind, own.label, *own.aliases, *metrics)))
    each = re.compile(
        rf"(?:{whole_words('each').pattern})\s*(?:{nouns})(?:e?[sn])?(?![a-zäöüß])", re.I
    )
    return [found.span() for found in each.finditer(text)]


def explain_whole(explained: Explained, spans: Sequence[Span]) -> None:
    """Explain the words for all together by the sum that they ask for."""
    for span in spans:
        for at in tokens_inside(explained.tokens, *span):
            if explained.roles[at] != "term":
                explained.roles[at] = "function"


def _excepted(text: str, place: Span, named: Sequence[Value]) -> Span | None:
    """Return the place of an entity with the words that leave it out; None where none do."""
    first, last = place
    before = [one for one in whole_words("except").finditer(text) if one.end() <= first]
    if not before:
        return None
    between = text[before[-1].end() : first]
    for one in named:
        between = between.replace(text[slice(*one.span)], "")
    if whole_words("between").sub("", between).strip(" ,，"):
        return None
    after = whole_words("except_after").match(text, last)
    return before[-1].start(), after.end() if after else last
