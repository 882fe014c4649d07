"""Times of journeys as people write them, as moments in London.

`read_time` reads the arguments of a tool, `find_times` finds the expressions of a sentence. What
vague words are taken for stands in `words`, the rules for days in `moments`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, reduce
from itertools import pairwise

from groundwire.errors import InputError
from groundwire.journeys.itinerary import TimeIs
from groundwire.journeys.times.expressions import Expression, find_expressions
from groundwire.journeys.times.moments import (
    HORIZON,
    TimeReading,
    in_london,
    read_expression,
    told_day,
)
from groundwire.journeys.times.pieces import (
    CUES,
    FEASTS,
    HOURS,
    MINUTES,
    PARTS,
    WEEKDAYS,
    Clock,
    Day,
)
from groundwire.quantities.dates import MONTH_NUMBERS
from groundwire.vocabulary import KnownWords, Policy, Term, Vocabulary

__all__ = [
    "HORIZON",
    "TimeMention",
    "TimeReading",
    "find_times",
    "in_london",
    "read_time",
    "told_day",
]

_LONGEST = 100
_FORMS = {
    "time": "18:00, 6pm, half past five, in 20 minutes, early evening or by 6 pm tomorrow",
    "date": "2026-12-25, 25/12, 1 January, today, tomorrow, Friday or next Friday",
}
_COMPACT_TIME = re.compile(r"([0-9]{1,2})([0-9]{2})")
_FILLER = re.compile(
    r"[\s,.!?]*(?:(?:please|sharp|latest|or so|ish|gmt|london time)\b[\s,.!?]*)*", re.I
)
_WORD = re.compile(r"[A-Za-z]{4,}")
_PARTED = re.compile(r",[^,]*[A-Za-z][^,]*$")


@dataclass(frozen=True, slots=True)
class TimeMention:
    """An expression of time in a sentence.

    Attributes:
        span: where it stands with the words that lead to it ("by 10"), end exclusive.
        raw: as it was written.
        time_is: whether its words say departing or arriving; None where they do not say.
        lends: whether it is a day alone that the other times of the sentence take their day from
            ("tomorrow ... at 9"), and no time of its own.
        expression: what it is made of.
    """

    span: tuple[int, int]
    raw: str
    time_is: TimeIs | None
    lends: bool
    expression: Expression

    def on(self, now: datetime, after: datetime | None = None) -> TimeReading:
        """Read it against the clock.

        Args:
            now: the present moment; a naive one is London's.
            after: the moment of the trip before: a time without a day is the first such time
                after it.

        Raises:
            InputError: it cannot be, or is over; the line offers the nearest that can.
        """
        return read_expression(self.expression, now, after)


def find_times(text: str) -> tuple[TimeMention, ...]:
    """The expressions of time of a sentence, in order and without overlap.

    What has the form of a time and cannot be one (25:00) is found too, and refused when it is
    read. A day that stands apart from its time is lent to it: "tomorrow from Angel to Bank at 9".
    """
    found = find_expressions(text)
    mentions: list[TimeMention] = []
    day = _said_last(found)
    for index, expression in enumerate(found):
        alone = expression.day is not None and not _has_time(expression)
        lends = alone and (
            _takes_day(found[index + 1 : index + 2], forward=True)
            or _takes_day(found[index - 1 : index] if index else [], forward=False)
        )
        if expression.day is not None:
            day = expression.day
        elif _has_time(expression) and day is not None:
            expression = replace(expression, day=day, borrowed=True)
        elif _has_time(expression) and _lent_after(found, index):
            expression = replace(expression, day=found[index + 1].day, borrowed=True)
        mentions.append(
            TimeMention(expression.span, expression.raw, expression.time_is, lends, expression)
        )
    return tuple(mentions)


def read_time(
    date: str | None,
    time: str | None,
    time_is: TimeIs | None,
    now: datetime,
    after: datetime | None = None,
) -> TimeReading | None:
    """Read the date and the time that a caller sent.

    Args:
        date: a day, or None; it may hold the time as well.
        time: a time, or None; it may hold the day as well.
        time_is: whether it is the departure or the arrival; None where the words decide.
        now: the present moment; a naive one is London's.
        after: the moment of the trip before, where there is one.

    Returns:
        The moment; None where neither date nor time was sent.

    Raises:
        InputError: what was sent cannot be read, cannot be, or is over.
    """
    respelt: list[str] = []
    parts = [
        _read_argument(name, value, respelt)
        for name, value in (("date", date), ("time", time))
        if value is not None and value.strip()
    ]
    if not parts:
        return None
    expression = parts[0] if len(parts) == 1 else _merged(parts[0], parts[1])
    said = expression.time_is if expression.cue not in ("", "at") else None
    if time_is is not None:
        expression = replace(expression, time_is=time_is)
    reading = read_expression(expression, now, after)
    told = [*respelt, *reading.assumptions]
    if time_is is not None and said is not None and said != time_is:
        told.append(f"time_is {time_is!r} counts, not {expression.cue!r}")
    return replace(reading, assumptions=tuple(told))


def _read_argument(name: str, value: str, respelt: list[str]) -> Expression:
    """The one expression that an argument is.

    Raises:
        InputError: it is none.
    """
    text = " ".join(value.split())
    quoted = text if len(text) <= 40 else f"{text[:40]}..."
    if len(text) <= _LONGEST:
        for tried, notes in ((text, ()), _respelt(text)):
            expression = _whole(name, tried)
            if expression is not None:
                respelt += notes
                return expression
    raise InputError(f"The {name} {quoted!r} cannot be read: send one such as {_FORMS[name]}.")


def _whole(name: str, text: str) -> Expression | None:
    """The expression that a text is from end to end."""
    compact = _COMPACT_TIME.fullmatch(text) if name == "time" else None
    if compact is not None:
        text = f"{compact[1]:0>2}:{compact[2]}"
    found = find_expressions(text, whole=True)
    if not found:
        return None
    outside = text[: found[0].span[0]] + " " + text[found[-1].span[1] :]
    gaps = [text[a.span[1] : b.span[0]] for a, b in pairwise(found)]
    if any(_FILLER.fullmatch(piece) is None for piece in (outside, *gaps)):
        return None
    merged = reduce(_merged, found)
    clock = merged.clock
    if name == "date" and isinstance(clock, Clock) and clock.lone and merged.part is None:
        return None
    return merged


def _merged(one: Expression, other: Expression) -> Expression:
    """A date and a time that were sent apart.

    Raises:
        InputError: both say the same thing, and not alike.
    """
    for slot in ("clock", "day", "part", "after", "exact"):
        first, second = getattr(one, slot), getattr(other, slot)
        if first is not None and second is not None and first != second:
            what = "day" if slot == "day" else "time"
            raise InputError(
                f"{one.raw!r} and {other.raw!r} each name a {what}: send one of them alone."
            )
    if one.exact is not None or other.exact is not None:
        return one if one.exact is not None else other
    if one.after is not None and other.day is not None and one.after.minutes == 0:
        return other
    return replace(
        one,
        raw=f"{one.raw} {other.raw}",
        clock=one.clock or other.clock,
        clock_raw=one.clock_raw or other.clock_raw,
        day=one.day or other.day,
        part=one.part or other.part,
        after=one.after or other.after,
        ahead=one.ahead or other.ahead,
        impossible=one.impossible + other.impossible,
        time_is=other.time_is or one.time_is,
        cue=other.cue or one.cue,
        rough=one.rough or other.rough,
    )


def _has_time(expression: Expression) -> bool:
    return expression.clock is not None or expression.part is not None


def _takes_day(neighbours: list[Expression], *, forward: bool) -> bool:
    """Whether the expression beside a day that stands alone is a time without one."""
    return any(
        _has_time(one) and one.day is None and (forward or not one.impossible) for one in neighbours
    )


def _said_last(found: list[Expression]) -> Day | None:
    """The day of several hours that the last of them says: "at 9, back at 4, tomorrow".

    Where no comma parts it from its own hour, the hours before it have to be earlier ones.
    """
    times, last = found[:-1], found[-1] if found else None
    if last is None or last.day is None or not times:
        return None
    hours = [_in_minutes(one) for one in (*times, last)]
    if any(one is None for one in hours[:-1]) or any(one.day is not None for one in times):
        return None
    if not _has_time(last):
        return last.day if len(times) > 1 else None
    known = [one for one in hours if one is not None]
    in_order = len(known) == len(hours) and known == sorted(set(known))
    return last.day if in_order or _PARTED.search(last.raw) else None


def _in_minutes(said: Expression) -> int | None:
    """The hour of an expression from midnight, by day where its words leave that open."""
    clock = said.clock
    if not isinstance(clock, Clock) or said.part is not None:
        return None
    late = not clock.placed and clock.hour < 7
    return 60 * (clock.hour + 12 * late) + clock.minute


def _lent_after(found: list[Expression], index: int) -> bool:
    """Whether the day that a time lacks follows it: "at 6pm from Angel tomorrow"."""
    following = found[index + 1] if index + 1 < len(found) else None
    return following is not None and following.day is not None and not _has_time(following)


@cache
def _words() -> Vocabulary:
    """The words of which times are made, against which a misspelt one is read."""
    names = (
        *(
            word
            for source in (PARTS, FEASTS, CUES, MINUTES)
            for name in source
            for word in name.split()
        ),
        *WEEKDAYS,
        *HOURS,
        *MONTH_NUMBERS,
        *[
            "tomorrow",
            "today",
            "tonight",
            "yesterday",
            "weekend",
            "noon",
            "midday",
            "midnight",
            "minutes",
            "hours",
            "next",
            "this",
        ],
    )
    terms = (Term(word, word) for word in dict.fromkeys(names) if len(word) > 3)
    return Vocabulary(terms, KnownWords(languages=("en",)))


def _respelt(text: str) -> tuple[str, tuple[str, ...]]:
    """A text with its misspelt words corrected, and what was corrected."""
    notes: list[str] = []

    def respell(word: re.Match[str]) -> str:
        found = _words().resolve(word[0], Policy.WORDWISE)
        if found.how != "corrected" or found.term is None:
            return word[0]
        notes.append(f"{word[0]} = {found.term.label}")
        return found.term.label

    corrected = _WORD.sub(respell, text)
    return corrected, tuple(notes)
