"""Expressions of time as moments in London, against the clock.

A time without a day is the first such time from now on, or after the trip before; the midnight of
a day is the one that ends it. Everything that was chosen rather than said is told.

Days are as people name them. A weekday is the next one that is not over, today included; "next
Friday" is the one in the week after this, weeks beginning on Monday; "this weekend" is its
Saturday, or today on a Sunday; "next week" is its Monday; a date without a year is the next such
date.
"""

from __future__ import annotations

import calendar
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple

from groundwire.errors import InputError
from groundwire.journeys.itinerary import LONDON, TimeIs, zone_of
from groundwire.journeys.times.expressions import Expression
from groundwire.journeys.times.pieces import (
    FROM_ADVENT,
    FROM_EASTER,
    TIME_OF_A_DAY,
    WEEKDAYS,
    Clock,
    Day,
    Part,
)
from groundwire.journeys.wording import count, listed

_DAY = timedelta(days=1)
# Values that a trip may have which is the first of several.
_WAY = timedelta(hours=1)


def day_of(said: Day, today: date, *, over_today: bool = False) -> date:
    """The date of a day.

    Args:
        said: how it was named.
        today: the day that it is counted from.
        over_today: whether the time that stands beside it has passed today, so that a weekday is
            not today's.

    Raises:
        InputError: the date has another weekday, or does not exist.
    """
    if said.shift is not None:
        return today + timedelta(days=said.shift)
    if said.feast:
        days = (_day_of_feast(said.feast, year) for year in (today.year, today.year + 1))
        return next(day for day in days if day >= today)
    if said.weekdays:
        days = (today + ahead * _DAY for ahead in range(int(over_today), 8))
        return next(day for day in days if day.weekday() in said.weekdays)
    if said.nth:
        return _of_month(said, today + int(over_today) * _DAY)
    if said.day is None:
        return _weekday(said, today, over_today=over_today)
    if said.month is None:
        found = _next_day_of_month(today, said.day)
    elif said.year is None:
        found = _next_date(today, said.month, said.day)
    else:
        found = date(said.year, said.month, said.day)
    if said.weekday is not None and found.weekday() != said.weekday:
        raise InputError(
            f"{found.day} {found:%B %Y} is a {found:%A}, not a "
            f"{WEEKDAYS[said.weekday].capitalize()}: send one of the two alone."
        )
    return found


def told_day(day: date) -> str:
    """A day as it is told: "Friday 27 November 2026"."""
    return f"{day:%A} {day.day} {day:%B %Y}"


def told_name(said: Day) -> str:
    """The name of a day as it was said, in one spelling."""
    if said.weekdays:
        if len(said.weekdays) == len(WEEKDAYS):
            return "the next day"
        working = said.weekdays == (0, 1, 2, 3, 4)
        names = [WEEKDAYS[one].capitalize() for one in said.weekdays]
        return "the next weekday" if working else f"the next {listed(names, last='or')}"
    if said.feast:
        return said.feast.title().replace(" Of ", " of ").replace(" In ", " in ")
    if said.nth:
        nth = ("last", "", "first", "second", "third", "fourth")[said.nth + 1]
        return f"the {nth} {WEEKDAYS[said.weekday or 0].capitalize()} of a month"
    if said.day is not None:
        of = "of the month" if said.month is None else calendar.month_name[said.month]
        return f"day {said.day} {of}" if said.month is None else f"{said.day} {of}"
    if said.which in ("weekend", "next weekend", "next week"):
        return "this weekend" if said.which == "weekend" else said.which
    if said.which in ("week after", "fortnight after"):
        return f"a {said.which.partition(' ')[0]} on {WEEKDAYS[said.weekday or 0].capitalize()}"
    return " ".join(filter(None, (said.which, WEEKDAYS[said.weekday or 0].capitalize())))


def _weekday(said: Day, today: date, *, over_today: bool) -> date:
    monday = today - timedelta(days=today.weekday())
    number = said.weekday or 0
    match said.which:
        case "next" | "next week" | "next weekend":
            return monday + timedelta(days=7 + number)
        case "last":
            day = monday + timedelta(days=number)
            return day if day < today else day - 7 * _DAY
        case "week after" | "fortnight after":
            day = today + timedelta(days=(number - today.weekday()) % 7)
            return day + (7 if said.which == "week after" else 14) * _DAY
        case "weekend":
            return today if today.weekday() >= number else monday + timedelta(days=number)
        case _:
            day = today + timedelta(days=(number - today.weekday()) % 7)
            return day + 7 * _DAY if day == today and over_today else day


def _day_of_feast(name: str, year: int) -> date:
    """The day on which a feast that moves is in a year."""
    if name in FROM_EASTER:
        return easter(year) + FROM_EASTER[name] * _DAY
    christmas = date(year, 12, 25)
    return christmas + (FROM_ADVENT[name] - 22 - christmas.weekday()) * _DAY


def easter(year: int) -> date:
    """Easter Sunday: the Sunday after the first full moon of spring, as the churches count it."""
    century = year // 100
    moon = (19 * (year % 19) + century - century // 4 - (8 * century + 13) // 25 + 15) % 30
    moon -= moon // 28 * (1 - moon // 28 * (29 // (moon + 1)) * ((21 - year % 19) // 11))
    weekday = (year + year // 4 + moon + 2 - century + century // 4) % 7
    return date(year, 3, 28) + (moon - weekday) * _DAY


def _of_month(said: Day, earliest: date) -> date:
    """The next day that is the nth such weekday of its month."""
    day = earliest + timedelta(days=((said.weekday or 0) - earliest.weekday()) % 7)
    while not _is_nth(day, said.nth):
        day += 7 * _DAY
    return day


def _is_nth(day: date, nth: int) -> bool:
    if nth < 0:
        return (day + 7 * _DAY).month != day.month
    return (day.day - 1) // 7 + 1 == nth


def _next_date(today: date, month: int, day: int) -> date:
    """The next date of a day and month, today included; 29 February waits for its year."""
    for year in range(today.year, today.year + 9):
        if day <= calendar.monthrange(year, month)[1] and date(year, month, day) >= today:
            return date(year, month, day)
    name = calendar.month_name[month]
    raise InputError(f"There is no {day} {name} in the years to come: send another date.")


def _next_day_of_month(today: date, day: int) -> date:
    """The next such day, of this month or of the first after it that is long enough."""
    year, month = today.year, today.month
    while day > calendar.monthrange(year, month)[1] or date(year, month, day) < today:
        year, month = (year, month + 1) if month < 12 else (year + 1, 1)
    return date(year, month, day)


HORIZON = timedelta(weeks=12)
"""How far ahead timetables are known: National Rail confirms its own 12 weeks ahead, TfL's follow.

What is planned beyond is told to be provisional; nothing is refused.
"""

# "home by early evening" still holds when one sets out this long after it.
_STILL = timedelta(hours=4)
_MORNING = time(6)


@dataclass(frozen=True, slots=True)
class TimeReading:
    """When a journey is to begin or end.

    Attributes:
        when: the moment, in Europe/London.
        time_is: whether it is the departure or the arrival.
        assumptions: what was chosen rather than said, each a line: "early evening = 18:00".
    """

    when: datetime
    time_is: TimeIs
    assumptions: tuple[str, ...] = ()


def read_expression(
    expression: Expression, now: datetime, after: datetime | None = None
) -> TimeReading:
    """Read an expression against the clock.

    Args:
        expression: what was found.
        now: the present moment; a naive one is London's.
        after: the moment of the trip before, where there is one: a time without a day is the first
            such time after it.

    Raises:
        InputError: it cannot be, or is over; the line offers the nearest that can.
    """
    if expression.impossible:
        raise InputError(" ".join(one.problem for one in expression.impossible))
    return _Reader(expression, _in_place(now), after and _in_place(after)).read()


def in_london(moment: datetime) -> datetime:
    """A moment in London's time; a naive one is London's already."""
    return moment.replace(tzinfo=LONDON) if moment.tzinfo is None else moment.astimezone(LONDON)


def _in_place(moment: datetime) -> datetime:
    """A moment in the time of its place, which is London where it names none."""
    return in_london(moment) if moment.tzinfo is None else moment.astimezone(zone_of(moment))


class _TimeOfDay(NamedTuple):
    """A time of the day, the days to add to it (midnight ends a day), and what was chosen."""

    at: time
    ahead: timedelta = timedelta()
    chosen: tuple[str, ...] = ()


class _Reader:
    """One reading, and the assumptions that it makes on its way."""

    def __init__(self, expression: Expression, now: datetime, after: datetime | None) -> None:
        self._said = expression
        self._zone = zone_of(now)
        self._now = now.replace(second=0, microsecond=0)
        self._after = after
        self._base = self._now if after is None else max(after, self._now)
        self._assumptions: list[str] = []
        self._at_once = False

    def read(self) -> TimeReading:
        when = self._moment()
        if self._said.ahead:
            before = when
            when = (when.astimezone(UTC) - timedelta(minutes=self._said.ahead)).astimezone(
                self._zone
            )
            side = "before" if self._said.ahead > 0 else "after"
            minutes = count(abs(self._said.ahead), "minute")
            self._assume(f"{minutes} {side} {before:%H:%M} = {when:%H:%M}")
        if when.timestamp() < self._now.timestamp():
            raise InputError(self._over(when))
        if when - self._now > HORIZON:
            self._assume(
                f"{told_day(when.date())} is more than {HORIZON.days // 7} weeks ahead: timetables "
                "are not final for it"
            )
        if self._said.rough:
            self._assume(f"about = {when:%H:%M} sharp")
        if self._said.cue == "for" and self._said.time_is == "arriving":
            self._assume(f"{self._said.raw!r} = to arrive by {when:%H:%M}")
        time_is = "departing" if self._at_once else self._said.time_is or "departing"
        return TimeReading(when, time_is, tuple(self._assumptions))

    def _assume(self, line: str) -> None:
        self._assumptions.append(line)

    def _moment(self) -> datetime:
        said = self._said
        if said.after is not None:
            ahead = timedelta(minutes=said.after.minutes)
            return (self._now.astimezone(UTC) + ahead).astimezone(self._zone)
        if said.exact is not None:
            if said.exact.tzinfo is not None:
                return said.exact.astimezone(self._zone)
            return self._local(said.exact.date(), said.exact.time())
        day = None if said.day is None else self._day(said.day)
        if said.clock is None and said.part is None:
            return self._of_day(day or self._now.date())
        if day is None and self._is_of_today(said.part):
            day = self._now.date()
        if day is None:
            return self._next()
        if self._after is not None and day == self._after.date() and self._is_just_over():
            return self._base
        when = self._at(day)
        if said.borrowed and self._after is not None and when < self._after:
            when = self._at(day + _DAY)
        return when

    def _is_of_today(self, part: Part | None) -> bool:
        """Whether its words say that it is today: tonight, this evening."""
        raw = self._said.raw.lower()
        return part is not None and (part.name == "tonight" or f"this {part.name}" in raw)

    def _of_day(self, day: date) -> datetime:
        """A moment of a day that is named without a time."""
        if day == self._now.date():
            return self._now
        self._assume(f"no time given = {TIME_OF_A_DAY:%H:%M}")
        return self._local(day, TIME_OF_A_DAY)

    def _next(self) -> datetime:
        """The first moment from now on, or after the trip before, that the time can be."""
        start = self._base.date()
        if self._is_just_over():
            return self._base
        told = len(self._assumptions)
        when = self._at(start)
        over = when.timestamp() < self._base.timestamp()
        if over:
            del self._assumptions[told:]
            when = self._at(start + _DAY)
        if when.date() != self._now.date():
            why = f", since {when:%H:%M} has passed" if over and start == self._now.date() else ""
            self._assume(f"no day given = {told_day(when.date())}{why}")
        return when

    def _is_just_over(self) -> bool:
        """Whether a vague time has passed while the trip before was made: then one goes at once."""
        part, after = self._said.part, self._after
        if part is None or after is None or self._said.clock is not None:
            return False
        begun = datetime.combine(after.date(), part.at, tzinfo=self._zone)
        if not begun < after <= begun + _STILL:
            return False
        self._at_once = True
        self._assume(
            f"{part.name} = {part.at:%H:%M}, which has passed when the trip before ends: leaving "
            "at once"
        )
        return True

    def _at(self, day: date) -> datetime:
        """The moment of a day that its words name, and what was chosen for it."""
        time_of_day = self._time(day)
        for line in time_of_day.chosen:
            self._assume(line)
        return self._local(day + time_of_day.ahead, time_of_day.at)

    def _time(self, day: date) -> _TimeOfDay:
        clock, part = self._said.clock, self._said.part
        if clock is None:
            if part is None:
                return _TimeOfDay(TIME_OF_A_DAY)
            return _TimeOfDay(part.at, chosen=(f"{part.name} = {part.at:%H:%M}",))
        at = time(clock.hour % 24, clock.minute)
        if clock.ends_day:
            ended = ("midnight = the end of that day",) if self._said.day is not None else ()
            return _TimeOfDay(at, _DAY, ended)
        if clock.placed:
            return self._by_the_clock(at, part, day)
        if part is not None:
            return _placed_by(clock, part)
        return self._placed(clock, day)

    def _by_the_clock(self, at: time, part: Part | None, day: date) -> _TimeOfDay:
        """A time of the 24-hour clock; early on Friday night, it is on the day after."""
        if part is None or part.half != "night":
            return _TimeOfDay(at)
        if part.name == "tonight":
            again = self._now.time() < at
            return _TimeOfDay(at, _DAY) if at < _MORNING and not again else _TimeOfDay(at)
        if at < _MORNING and self._said.day is not None:
            told = f"{at:%H:%M} at night = {told_day(day + _DAY)}"
            return _TimeOfDay(at, _DAY, (told,))
        # "Friday night at 11:00" is no morning, unless its words say so.
        late = at.hour < 12 and "a" not in self._said.clock_raw.lower()
        return (
            _TimeOfDay(at.replace(hour=at.hour + 12)) if at >= _MORNING and late else _TimeOfDay(at)
        )

    def _placed(self, clock: Clock, day: date) -> _TimeOfDay:
        """An hour without am or pm: by day, or where that is over by then, in the evening."""
        hour = clock.hour if clock.hour >= 7 else clock.hour + 12
        at = time(hour, clock.minute)
        free = self._said.day is None or self._said.borrowed or self._after is not None
        meant = datetime.combine(day, at) - timedelta(minutes=self._said.ahead)
        over = free and meant < self._base.replace(tzinfo=None)
        if over and hour < 12 and day == self._base.date():
            at = time(hour + 12, clock.minute)
        words = " ".join(self._said.clock_raw.lower().split())
        return _TimeOfDay(at, chosen=tuple(filter(None, (clock.assumed, f"{words} = {at:%H:%M}"))))

    def _day(self, said: Day) -> date:
        """The day that is named, and what was chosen for it."""
        today = self._now.date()
        day = day_of(said, today, over_today=self._is_over_today())
        if said.shift is None and said.year is None:
            self._assume(f"{told_name(said)} = {told_day(day)}")
        return day

    def _is_over_today(self) -> bool:
        """Whether the time that stands beside a day has passed today."""
        if self._said.clock is None and self._said.part is None:
            return False
        time_of_day = self._time(self._now.date())
        # The first of trips that recur has to be on its way before it arrives.
        recurs = self._said.day is not None and self._said.day.weekdays
        way = _WAY if recurs and self._said.time_is == "arriving" else timedelta(0)
        at = datetime.combine(self._now.date(), time_of_day.at)
        return not time_of_day.ahead and at < self._now.replace(tzinfo=None) + way

    def _local(self, day: date, at: time) -> datetime:
        """A time of the clocks there, also where they are put forward or back."""
        when = datetime.combine(day, at.replace(second=0, microsecond=0), tzinfo=self._zone)
        there = when.astimezone(UTC).astimezone(self._zone)
        if there.replace(tzinfo=None) != when.replace(tzinfo=None):
            self._assume(
                f"{at:%H:%M} does not exist on {told_day(day)}, when the clocks go forward: "
                f"{there:%H:%M} was taken"
            )
            return there
        if when.utcoffset() != when.replace(fold=1).utcoffset():
            self._assume(
                f"{at:%H:%M} comes twice on {told_day(day)}, when the clocks go back: the first, "
                "in summer time, was taken"
            )
        return when

    def _over(self, when: datetime) -> str:
        """One line on a moment that is over, with one that is not."""
        offered = when
        while offered.timestamp() < self._now.timestamp():
            if self._now - offered > 400 * _DAY:
                offered = self._now
            else:
                offered = datetime.combine(offered.date() + _DAY, offered.time(), tzinfo=self._zone)
        return (
            f"{when:%H:%M} on {told_day(when.date())} has passed, it is {self._now:%H:%M} on "
            f"{told_day(self._now.date())}: send a later time, such as "
            f"{offered:%Y-%m-%d %H:%M}, or now."
        )


def _placed_by(clock: Clock, part: Part) -> _TimeOfDay:
    """An hour beside a part of the day: seven in the evening, two at night."""
    hour = clock.hour % 12
    at = time(hour, clock.minute)
    evening = time(hour + 12, clock.minute)
    match part.half:
        case "am":
            return _TimeOfDay(at)
        case "pm":
            return _TimeOfDay(evening)
        case "night":
            return _TimeOfDay(evening) if hour >= 6 else _TimeOfDay(at, _DAY)
