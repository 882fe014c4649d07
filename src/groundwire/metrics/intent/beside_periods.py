"""Words of time that say nothing more about the period beside them: "during 2024", "month of May".

A word that names a part of a year says nothing beside a part that is so long, and makes a value
unknown beside any other: "the 2024 quarter" is one of four. Words that bound a period are none of
these: "until 2024" may be a sum over years, and "from 2024" too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from groundwire.metrics.intent import english_words as english
from groundwire.metrics.intent.parsed import Span
from groundwire.metrics.intent.tokens import Explained, Role, inside
from groundwire.quantities import CALENDAR_YEAR, PeriodExpression, PeriodGrain, read_period

_OF_GRAIN: dict[str, PeriodGrain] = {
    "annual": "year",
    "annually": "year",
    "full": "year",
    "half": "half",
    "month": "month",
    "quarter": "quarter",
    "year": "year",
    "yearly": "year",
    "years": "year",
}
# "The year" is a whole, "a quarter" and "one half" may be a part of what is named.
_FRACTIONS = frozenset(["half", "quarter"])
_COUNTS = frozenset(["a", "an", "any", "each", "every", "one", "per", "some"])
_BOUNDS = frozenset(["from", "over", "through", "thru", "till", "to", "until"])
# "Like to know", "come to in 2024", "revenue from agents"; "sales to China" are not those of China.
_FOLLOWED: dict[str, Role] = {"to": "function", "from": "term"}
_ARTICLES = frozenset(["the"])
_BETWEEN = _ARTICLES | {"of", "in", "for"}
# Interim figures "ended March" are of a quarter or half as often as of the month itself.
_ENDED = frozenset(["ended", "ending"])
_WHOLE: frozenset[PeriodGrain] = frozenset(["year", "half", "quarter"])
# How long a period is, and how many a range lists, does not depend on the day.
ANY_DAY = date(2024, 6, 30)
_FOUR_DIGITS = re.compile(r"(?:1[5-9]|20)[0-9]{2}")


def year_before_metric(
    text: str, times: Sequence[Span], metrics: Sequence[Span]
) -> PeriodExpression | None:
    """Return the year that stands before the name of a metric: "look up 1962 inhabitants".

    Elsewhere four digits before a plural count it. Who asks for a metric does not know its value,
    so in a question that names no other time they are the year, which the answer tells. Behind a
    word that states or bounds an amount they stay a count, and the question is asked back.

    Args:
        text: the question, in which no period was read.
        times: what speaks of time and was not read.
        metrics: where metrics are named.
    """
    if len(times) != 1:
        return None
    first, last = times[0]
    before = text[:first].casefold().split()
    counts = bool(before) and before[-1] in english.COUNT_BEFORE
    if counts or not _FOUR_DIGITS.fullmatch(text[first:last]):
        return None
    follows = any(last < one[0] and text[last : one[0]].isspace() for one in metrics)
    year = read_period(text[first:last]) if follows else None
    return replace(year, span=(first, last)) if year else None


def explain_beside_periods(explained: Explained, periods: Sequence[PeriodExpression]) -> None:
    """Explain the words of time that repeat what the period beside them says.

    Args:
        explained: the question; words that repeat get the role of grammar, and words that bound
            a period by one end that of a time that is not read.
        periods: the periods in it, with spans of the same text.
    """
    places = {
        at: number
        for number, period in enumerate(periods)
        for at in inside(explained.tokens, *period.span)
    }
    if not places:
        return
    for at, token in enumerate(explained.tokens):
        role, word = explained.roles[at], token.plain
        if role not in ("loose", "time") and not (word == "over" and role == "qualifier"):
            continue
        if word in _BOUNDS:
            _explain_bound(explained, at, periods, places)
        elif word in english.BESIDE_PERIOD:
            _explain_repeated(explained, at, periods, places)


def grains(period: PeriodExpression) -> frozenset[PeriodGrain]:
    """How long the periods of an expression are; nothing where it cannot be told."""
    reading = period.on(CALENDAR_YEAR, ANY_DAY)
    if reading.kind == "latest" and reading.grain is not None:
        return frozenset([reading.grain])
    return frozenset(one.grain for one in reading.periods)


def all_of(found: frozenset[PeriodGrain], grain: PeriodGrain) -> bool:
    """Whether periods are known to be so long, each of them."""
    return len(found) == 1 and grain in found


def _explain_repeated(
    explained: Explained,
    at: int,
    periods: Sequence[PeriodExpression],
    places: dict[int, int],
) -> None:
    """A word of time before or after a period."""
    near = (_nearest(explained, places, at, +1), _nearest(explained, places, at, -1))
    beside = [
        (periods[number], after)
        for number, after in zip(near, (True, False), strict=True)
        if number is not None
    ]
    if any(_repeats(explained, at, period, after) for period, after in beside):
        explained.roles[at] = "function"
    elif beside:
        explained.roles[at] = "time"


def _repeats(explained: Explained, at: int, period: PeriodExpression, after: bool) -> bool:
    """Whether a word says no more than the period does that stands after or before it."""
    word = explained.tokens[at].plain
    found = grains(period)
    if word in _ENDED:
        return bool(found) and found <= _WHOLE
    if word == "calendar":
        return bool(found & {"month", "day"}) or "calendar" in period.raw.casefold()
    if word in ("fiscal", "financial", "fy"):
        return period.explicit_fiscal
    if word not in _OF_GRAIN:
        return True
    if not all_of(found, _OF_GRAIN[word]):
        return False
    if word in _FRACTIONS:
        before = explained.tokens[at - 1].plain if at else ""
        following = explained.tokens[at + 1].plain if at + 1 < len(explained.tokens) else ""
        return before not in _COUNTS and (after or following != "of")
    return True


def _explain_bound(
    explained: Explained,
    at: int,
    periods: Sequence[PeriodExpression],
    places: dict[int, int],
) -> None:
    """A word before a period that may make it one end of a longer one."""
    tokens, word = explained.tokens, explained.tokens[at].plain
    number = _nearest(explained, places, at, +1, _ARTICLES)
    if number is None:
        if word in _FOLLOWED and _next_role(explained, at) == _FOLLOWED[word]:
            explained.roles[at] = "function"
        return
    # "Over the year" and "over 2015-2019" are as long as what is named.
    named = at + 1 < len(tokens) and tokens[at + 1].plain == "the"
    several = len(periods[number].on(CALENDAR_YEAR, ANY_DAY).periods) > 1
    whole = word == "over" and (named or several)
    explained.roles[at] = "function" if whole else "time"


def _nearest(
    explained: Explained,
    places: dict[int, int],
    at: int,
    step: int,
    between: frozenset[str] = _BETWEEN,
) -> int | None:
    """Number of the period that is the next thing that is said, before or after a word."""
    at += step
    while 0 <= at < len(explained.tokens):
        if at in places:
            return places[at]
        word = explained.tokens[at].plain
        if word not in between and word not in english.BESIDE_PERIOD:
            return None
        at += step
    return None


def _next_role(explained: Explained, at: int) -> Role | None:
    """Return the role of the next token, articles skipped."""
    following = at + 1
    while following < len(explained.tokens) and explained.tokens[following].plain in _ARTICLES:
        following += 1
    return explained.role(following)


# The last characters of the words for a share.
_SHARE_ENDS = frozenset("重例额比")


def has_a_middle(pieces: Sequence[tuple[str, str]]) -> bool:
    """Whether a 中 does not follow a name or a word for a share: 2024年中, 中低收入国家.

    Args:
        pieces: words and names in order: a letter of "EMCP", or "word" with the word.
    """
    before = [("", ""), *pieces]
    return any(
        text == "中" and before[at][0] not in ("E", "M", "C") and before[at][1] not in _SHARE_ENDS
        for at, (_, text) in enumerate(pieces)
    )
