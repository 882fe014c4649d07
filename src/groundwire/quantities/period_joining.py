"""Marks of time put together: a part with its year, what ended with its day, what stands alone."""

from __future__ import annotations

import re
from dataclasses import replace

from groundwire.quantities.dates import counts_something
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
    Point,
    Rolling,
    Unclear,
)
from groundwire.quantities.period_ranges import each_of_several, ranges

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
_ATTACHED_AFTER = re.compile(r"[0-9A-Za-z_]|[.,/_:-][0-9]")


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
    joined = ranges(text, joined)
    joined = each_of_several(text, joined)
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
    before = _ATTACHED_BEFORE.search(text, max(0, one.start - 2), one.start)
    listed = one.start - 1 in ends and text[one.start - 1] in ",/"
    if before is not None and not listed:
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
