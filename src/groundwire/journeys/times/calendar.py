"""Days as people name them, as dates.

A weekday is the next one that is not over, today included; "next Friday" is the one in the week
after this, weeks beginning on Monday; "this weekend" is its Saturday, or today on a Sunday; "next
week" is its Monday; a date without a year is the next such date.
"""

from __future__ import annotations

import calendar
from datetime import date, timedelta

from groundwire.errors import InputError
from groundwire.journeys.times.pieces import Day
from groundwire.journeys.times.words import FROM_ADVENT, FROM_EASTER, WEEKDAYS
from groundwire.journeys.wording import listed

_DAY = timedelta(days=1)


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
        return _easter(year) + FROM_EASTER[name] * _DAY
    christmas = date(year, 12, 25)
    return christmas + (FROM_ADVENT[name] - 22 - christmas.weekday()) * _DAY


def _easter(year: int) -> date:
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
