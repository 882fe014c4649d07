"""Ranges of periods, what is since one, and several that share a year."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from groundwire.quantities.dates import counts_something
from groundwire.quantities.period_marks import FIRST, IMPOSSIBLE, Mark, glue_between, kept_flags
from groundwire.quantities.period_meaning import (
    Ended,
    Part,
    Point,
    Since,
    Span,
    Unclear,
)
from groundwire.quantities.period_spellings import time_words

_RANGE = frozenset(
    (
        "-",
        "~",
        "to",
        "through",
        "thru",
        "up to",
        "until",
        "till",
        "至",
        "到",
        "--",
        "直到",
        "to the",
    )
) | frozenset(time_words("range"))
_BOTH = frozenset(("and", "和", "与", "及", "&", "跟", "and the")) | time_words("both")
_EACH = _BOTH | frozenset(
    (",", "、", ",", "，", "or", "或", "vs", "vs.", "versus", "/", ", and", "对比", "比", "以及")
)
_BETWEEN = re.compile(r"(?:\b(?:between|zwischen)|在|介于)\s?(?:the\s)?$", re.IGNORECASE)
_WITHIN = re.compile(r"之间|期间|间|各年度?|[\s-]period\b|,?\s?inclusive\b", re.IGNORECASE)
_FROM = re.compile(r"(?:\b(?:from|von|vom)|自从|自|从|由)\s?(?:the\s)?$", re.IGNORECASE)
_SINCE = re.compile(
    r"(?:\b(?:(?:ever\s)?since|seit)|自从|自)\s{0,2}(?:(?:the|dem)\s)?$", re.IGNORECASE
)
_AFTER = re.compile(r"\bafter\s{1,2}(?:the\s)?$", re.IGNORECASE)
_ON = re.compile(
    r"\s?(?:以来|起至今|至今|到现在|到目前|开始|起|onwards?\b|and\s(?:later|after|onwards?)\b"
    r"|(?:to|until|till|through)\s(?:date|now|today|the\spresent|present)\b)",
    re.IGNORECASE,
)
_BARE_ON = re.compile(r"\s(?:on|forward)\b(?!\s(?:the|a)\b)", re.IGNORECASE)


def ranges(text: str, marks: list[Mark]) -> list[Mark]:
    """Join the two ends of ranges, and read since and after."""
    joined: list[Mark] = []
    i = 0
    while i < len(marks):
        one = marks[i]
        ranged = _range(text, one, marks[i + 1]) if i + 1 < len(marks) else None
        if ranged is not None:
            i += 1
        joined.append(_since(text, one) if ranged is None else ranged)
        i += 1
    return joined


def _range(text: str, one: Mark, other: Mark) -> Mark | None:
    first, last = one.point, other.point
    if first is None or last is None:
        return None
    glue = glue_between(text, one, other)
    if glue == "/" and one.kind == other.kind == "year":
        why = "one fiscal year, or two years?"
        return Mark(one.start, other.end, "other", Unclear(why), one.flags & {"impossible"})
    prefix = _FROM.search(text, max(0, one.start - 10), one.start)
    if glue in _BOTH:
        prefix = _BETWEEN.search(text, max(0, one.start - 12), one.start)
        if prefix is None:
            return None
    elif glue not in _RANGE:
        return None
    if counts_something(text, other.start, other.end) and "bare" in other.flags:
        return None
    end = other.end
    within = _WITHIN.match(text, end)
    if within is not None:
        end = within.end()
    flags = kept_flags(one, other)
    start = one.start if prefix is None else prefix.start()
    return Mark(start, end, "other", _span(first, last, "suffixed" in other.flags), flags)


def _span(first: Point, last: Point, suffixed: bool) -> Span | Unclear:
    """A range of two points, of which one may take its year from the other."""
    fiscal = first.fiscal if last.fiscal is None else last.fiscal
    if first.fiscal != last.fiscal and not (last.fiscal is None or suffixed or not first.dated):
        return Unclear("fiscal or calendar?", fiscal=True)
    if first.dated and not last.dated and _follows(first.part, last.part):
        last = replace(last, year=first.year, shift=first.shift)
    elif last.dated and not first.dated and _follows(first.part, last.part):
        first = replace(first, year=last.year, shift=last.shift)
    if not (first.dated and last.dated):
        return Unclear("of which year?")
    return Span(_said(first, fiscal), _said(last, fiscal))


def _said(point: Point, fiscal: bool | None) -> Point:
    return replace(point, fiscal=fiscal)


def _follows(first: Part | None, last: Part | None) -> bool:
    """Whether two parts may be of one year, the first before the last."""
    if first is None or last is None:
        return False
    alike = (first.months, first.named, bool(first.day)) == (
        last.months,
        last.named,
        bool(last.day),
    )
    return alike and (first.skipped, first.day) < (last.skipped, last.day)


def _since(text: str, one: Mark) -> Mark:
    point = one.point
    if point is None or point.closing:
        return one
    since = _SINCE.search(text, max(0, one.start - 12), one.start)
    after = _AFTER.search(text, max(0, one.start - 12), one.start)
    start = _FROM.search(text, max(0, one.start - 10), one.start)
    on = _ON.match(text, one.end) or (_BARE_ON.match(text, one.end) if start is not None else None)
    if since is None and after is None and on is None:
        return one
    prefix = since or after or start
    if not point.dated:
        meaning: Since | Unclear = Unclear("since when? It names no year")
    else:
        meaning = Since(point, after is not None)
    return replace(
        one,
        start=one.start if prefix is None else prefix.start(),
        end=one.end if on is None else on.end(),
        kind="other",
        meaning=meaning,
        flags=one.flags - {"bare", "weak"},
    )


def each_of_several(text: str, marks: list[Mark]) -> list[Mark]:
    """Let "Q1 and Q3 2024" and 2024年3月和4月 share a year, and doubt "Q3 2023 and 2024"."""
    result = list(marks)
    listed = [
        (one.point is not None or isinstance(one.meaning, Ended))
        and other.point is not None
        and glue_between(text, one, other) in _EACH
        for one, other in pairwise(result)
    ]
    for i in reversed(range(len(listed))):
        if listed[i] and "part_first" in result[i + 1].flags:
            result[i] = _lent(result[i], result[i], result[i + 1])
    for i, one_of_list in enumerate(listed):
        if one_of_list:
            result[i], result[i + 1] = _two_of_several(result[i], result[i + 1])
    return result


def _two_of_several(one: Mark, other: Mark) -> tuple[Mark, Mark]:
    if "part_first" not in one.flags:
        other = _lent(other, one, other)
    if _shares_fiscal(one, other):
        return one, _fiscal(other)
    if "suffixed" in other.flags and _shares_fiscal(other, one):
        return _fiscal(one), other
    doubted = isinstance(one.meaning, Unclear) and "bare" in other.flags
    if doubted or _shares_part(one, other):
        return one, _doubt(other)
    if "part_first" not in other.flags and _shares_part(other, one):
        return _doubt(one), other
    return one, other


def _lent(one: Mark, first: Mark, last: Mark) -> Mark:
    """One of two, which stand in this order, with the year of the other where it has none."""
    lender = last if one is first else first
    mine, its = one.point, lender.point
    if mine is None or its is None or mine.dated or not its.dated:
        return one
    if first.point is None or last.point is None:
        return one
    if not _follows(first.point.part, last.point.part):
        return one
    lent = replace(its, part=mine.part, closing=False)
    flags = frozenset(flag for flag in one.flags if flag != "weak")
    if not lent.possible:
        flags |= IMPOSSIBLE
    return replace(one, kind="point", meaning=lent, flags=flags | (lender.flags & FIRST))


def _shares_part(parted: Mark, year: Mark) -> bool:
    """Whether a bare year beside a part of another year may mean that part of it."""
    if isinstance(parted.meaning, Ended) and "bare" in year.flags:
        # The two years that ended on 31 December are calendar years; those of another day are not.
        last = parted.meaning.point.part
        return parted.meaning.months != 12 or last is None or last.skipped != 11
    point = parted.point
    if point is None or point.part is None or year.kind != "year" or year.point is None:
        return False
    if year.point.fiscal is not None or year.point.year is None:
        return False
    return parted.start > year.start or "part_first" in parted.flags


def _shares_fiscal(fiscal: Mark, year: Mark) -> bool:
    """Whether a bare year is listed beside a fiscal one: "FY2023 and 2024"."""
    said, bare = fiscal.point, year.point
    if said is None or bare is None or said.part is not None or "bare" not in year.flags:
        return False
    return said.fiscal is True and bare.fiscal is None and said.year != bare.year


def _fiscal(one: Mark) -> Mark:
    return one if one.point is None else replace(one, meaning=replace(one.point, fiscal=True))


def _doubt(one: Mark) -> Mark:
    return replace(one, kind="other", meaning=Unclear("the whole year, or the same part of it?"))
