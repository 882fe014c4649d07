"""Marks of time put together: a part with its year, what ended with its day, what stands alone."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from groundwire.quantities.dates import counts_something
from groundwire.quantities.numerals import time_words
from groundwire.quantities.period_marks import (
    FIRST,
    IMPOSSIBLE,
    Mark,
    glue_between,
    kept_flags,
)
from groundwire.quantities.period_meaning import (
    Ended,
    Latest,
    Part,
    Point,
    Rolling,
    Since,
    Span,
    Unclear,
)

_RANGE, _BOTH = time_words("range"), time_words("both")
_EACH = _BOTH | time_words("each")
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

# What may stand between two marks, spaces folded.
_PART_YEAR = frozenset(
    ("", ",", "-", "/", "of", "of the", "in", "in the", "for", "for the", "的", ", of", "the")
)
_YEAR_PART = frozenset(("", ",", "-", "/", "'s", "s'", "的", "'s the", ":"))
_OF = frozenset(("of", "of the", "in", "in the", "for", "的", "to", "ending", "ended"))
_TO_DATE = frozenset(("", "of", "through", "to", "as of", "at", "for", "in", "的", ","))
_AS_OF = re.compile(
    r"(?:\bas\s(?:of|at)(?:\s(?:the|end))?|截至到?|截止到?|截至于)\s{0,2}$", re.IGNORECASE
)
_END_OF = re.compile(
    r"(?:\b(?:(?:the\s)?(?:end|close)\sof(?:\sthe)?|(?:year|quarter|month|period)[\s-]?end(?:\sof)?))"
    r"\s{1,2}$",
    re.IGNORECASE,
)
_CLOSING = re.compile(r"\s?(?:年底|年末|底|末)|[\s-](?:year[\s-]?end|end)\b", re.IGNORECASE)
_ENDED_HAN = re.compile(
    r"\s?止的?\s?(?:(?P<fiscal>财政|会计)?年度|(?P<count>[三六九369]|十二|12)个月|(?P<half>半年))"
)
_HAN_MONTHS = {"三": 3, "六": 6, "九": 9, "十二": 12}
_ATTACHED_BEFORE = re.compile(r"[0-9][.,/_:-]$|[A-Za-z_][./_-]$|[0-9A-Za-z_]$")
# A time of day may follow a day without a space: 11月24日9:30.
_ATTACHED_AFTER = re.compile(r"(?!(?<=[日号])[0-9]{1,2}[:点时])[0-9A-Za-z_]|[.,/_:-][0-9]")


def join(text: str, marks: list[Mark]) -> tuple[list[Mark], list[tuple[int, int]]]:
    """Put marks together.

    Args:
        text: the folded text.
        marks: what stands in it, in order.

    Returns:
        The expressions, each a mark whose meaning is whole, and the spans of what looks like
        time and is none.
    """
    joined = _dated(text, marks)
    joined = _bound(text, joined)
    joined = [_closed(text, one) for one in joined]
    joined = _ranges(text, joined)
    joined = _each_of_several(text, joined)
    kept: list[Mark] = []
    dropped: list[tuple[int, int]] = []
    ends = {one.end for one in joined}
    starts = {one.start for one in joined}
    for one in joined:
        if _stands(text, one, starts, ends):
            kept.append(one)
        elif "weak" not in one.flags or "impossible" in one.flags:
            dropped.append((one.start, one.end))
    return _anaphora(kept), dropped


def _dated(text: str, marks: list[Mark]) -> list[Mark]:
    """Join each part with the year beside it."""
    joined: list[Mark] = []
    i = 0
    while i < len(marks):
        pair = _pair(text, marks, i)
        joined.append(marks[i] if pair is None else pair)
        i += 1 if pair is None else 2
    return joined


def _pair(text: str, marks: list[Mark], i: int) -> Mark | None:
    one = marks[i]
    if i + 1 == len(marks):
        return None
    other = marks[i + 1]
    glue = glue_between(text, one, other)
    if glue is None:
        return None
    if other.kind == "year":
        if (one.kind == "part" and glue in _PART_YEAR) or (
            one.ordinal is not None and glue in ("of", "of the", "in", "in the")
        ):
            if "short" in other.flags and glue:
                return None
            return None if _leans_on(text, marks, i + 1, glue) else _merge(one, other, one)
        return None
    if one.kind != "year" or other.kind != "part" or glue not in _YEAR_PART:
        return None
    if glue == "," and _takes_year(text, marks, i + 1):
        return None
    return _merge(one, other, other)


def _leans_on(text: str, marks: list[Mark], i: int, glue: str) -> bool:
    """Whether a year belongs to the part after it rather than to the one before."""
    if i + 1 == len(marks) or marks[i + 1].kind != "part":
        return False
    after = glue_between(text, marks[i], marks[i + 1])
    if after not in _YEAR_PART or (after != "" and glue != ","):
        return False
    return not _takes_year(text, marks, i + 1)


def _takes_year(text: str, marks: list[Mark], i: int) -> bool:
    """Whether a part has a year after it."""
    if i + 1 == len(marks) or marks[i + 1].kind != "year":
        return False
    return glue_between(text, marks[i], marks[i + 1]) in _PART_YEAR


def _merge(left: Mark, right: Mark, part: Mark) -> Mark:
    year = right if part is left else left
    flags = kept_flags(left, right)
    if part is left:
        flags |= FIRST
    dated, parted = year.point, part.point
    meaning: Point | Unclear
    months = part.ordinal if part.ordinal is not None and part.kind == "other" else None
    if dated is None or (parted is None and months is None):
        return replace(left, end=right.end, meaning=Unclear("what is it?"), flags=flags)
    if months is None and parted is not None:
        months = parted.part
    said = {fiscal for fiscal in (dated.fiscal, parted and parted.fiscal) if fiscal is not None}
    if len(said) > 1:
        meaning = Unclear("fiscal or calendar?", fiscal=True)
    elif months is not None and months.named and said == {True}:
        meaning = Unclear("a month of a fiscal year: write the calendar month", fiscal=True)
    else:
        fiscal = said.pop() if said else None
        meaning = replace(dated, part=months, fiscal=fiscal)
        if not meaning.possible:
            flags |= IMPOSSIBLE
    if part.kind == "other":
        flags -= frozenset({"anaphoric"})
    return Mark(left.start, right.end, "point", meaning, flags)


def _bound(text: str, marks: list[Mark]) -> list[Mark]:
    """Join what ended with its day, and windows with what they would be windows of."""
    joined: list[Mark] = []
    for one in marks:
        last = joined[-1] if joined else None
        bound = None if last is None else _bind(last, one, glue_between(text, last, one))
        if bound is not None:
            joined[-1] = bound
        else:
            joined.append(one)
    result: list[Mark] = []
    for one in joined:
        if one.kind == "ended":
            one = replace(one, kind="other", meaning=Unclear("ended on which day?"))
        result.append(one)
    return result


def _bind(left: Mark, right: Mark, glue: str | None) -> Mark | None:
    if glue is None or right.point is None:
        if glue in _TO_DATE and left.point is not None and _is_to_date(right):
            return replace(left, end=right.end, kind="other", meaning=right.meaning)
        return None
    meaning = left.meaning
    if left.kind == "ended" and glue in ("", ",", "on", "at") and isinstance(meaning, Point):
        months = meaning.part.months if meaning.part is not None else 12
        point = replace(right.point, fiscal=meaning.fiscal)
        return Mark(left.start, right.end, "other", Ended(point, months), right.flags)
    if _is_to_date(left) and glue in _TO_DATE:
        return replace(left, end=right.end)
    window = isinstance(meaning, Latest | Rolling) or (left.point and left.point.steps is not None)
    if window and glue in _OF and right.point.dated:
        why = "a window within a period: name its first and last period"
        return Mark(left.start, right.end, "other", Unclear(why))
    return None


def _is_to_date(one: Mark) -> bool:
    return isinstance(one.meaning, Rolling) and not one.meaning.count


def _closed(text: str, one: Mark) -> Mark:
    """Read "end of", "as of" and 止年度 around a period."""
    point = one.point
    if point is None or not point.dated:
        return one
    daily = point.part is not None and point.part.day > 0
    as_of = _AS_OF.search(text, max(0, one.start - 16), one.start)
    if daily:
        ended = _ENDED_HAN.match(text, one.end) if as_of is not None else None
        start = one.start if as_of is None else as_of.start()
        if ended is None:
            return replace(one, start=start)
        months = 6 if ended["half"] else 12
        if ended["count"]:
            months = _HAN_MONTHS.get(ended["count"]) or int(ended["count"])
        fiscal = True if ended["fiscal"] else None
        meaning = Ended(replace(point, fiscal=fiscal), months)
        return replace(one, start=start, end=ended.end(), kind="other", meaning=meaning)
    before = _END_OF.search(text, max(0, one.start - 20), one.start)
    after = _CLOSING.match(text, one.end)
    if before is None and after is None:
        return one
    start = one.start if before is None else before.start()
    as_of = _AS_OF.search(text, max(0, start - 16), start)
    return replace(
        one,
        start=start if as_of is None else as_of.start(),
        end=one.end if after is None else after.end(),
        kind="point",
        meaning=replace(point, closing=True),
        flags=one.flags - {"bare"},
    )


def _stands(text: str, one: Mark, starts: set[int], ends: set[int]) -> bool:
    """Whether a mark is time, and not part of a name, an amount or a number."""
    if one.flags & {"impossible", "short", "weak"}:
        return False
    if "bare" in one.flags and counts_something(text, one.start, one.end):
        return False
    # A Chinese word begins anew behind Latin letters: "GDP从2010到2020".
    is_apart = "\u3400" <= text[one.start] <= "\u9fff"
    before = not is_apart and _ATTACHED_BEFORE.search(text, max(0, one.start - 2), one.start)
    listed = one.start - 1 in ends and text[one.start - 1] in ",/"
    if before and not listed:
        return False
    after = _ATTACHED_AFTER.match(text, one.end)
    return after is None or (one.end + 1 in starts and text[one.end] in ",/")


def _anaphora(marks: list[Mark]) -> list[Mark]:
    """Doubt "the previous year" where the text names another period that it may be before."""
    named = [one for one in marks if "anaphoric" not in one.flags]
    if not named or len(named) == len(marks):
        return marks
    why = "before today, or before the other period that is named?"
    return [
        replace(one, meaning=Unclear(why)) if "anaphoric" in one.flags else one for one in marks
    ]


def _ranges(text: str, marks: list[Mark]) -> list[Mark]:
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


def _each_of_several(text: str, marks: list[Mark]) -> list[Mark]:
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
