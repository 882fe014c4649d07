"""Forms of a day, and of a time counted from now: 25/12, next Friday, tomorrow, in 20 minutes."""

from __future__ import annotations

import calendar
import re
from datetime import datetime

from groundwire.journeys.times.clocks import clock_at
from groundwire.journeys.times.pieces import After, Day, Impossible, Meaning, Rule, any_of
from groundwire.journeys.times.words import FEASTS, ORDINALS, WEEKDAY_NUMBERS, WEEKDAYS
from groundwire.quantities import parse_number
from groundwire.quantities.dates import MONTH_NUMBERS

_WEEKDAY = (
    "(?:" + "|".join(WEEKDAYS) + r"|(?:mon|tues?|weds?|thu(?:rs?)?|fri)\b\.?|(?-i:Sat|Sun)\b\.?)"
)
# Before a date "sat" is no verb, and "sun" does not shine.
_ANY_WEEKDAY = _WEEKDAY.replace("(?-i:Sat|Sun)", "(?:sat|sun)")
_MONTH = "(?:" + "|".join(sorted(MONTH_NUMBERS, key=len, reverse=True)) + r")\b\.?"
_COUNT = (
    r"(?:\d{1,4}(?:\.\d)?|an?|a\scouple\sof|(?:twenty|thirty|forty|fifty)(?:[\s-](?:five|one|two))?"
    r"|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|ninety)"
)
_DURATION = (
    rf"(?:(?P<fraction>half|quarter\sof)\san\shour|(?P<count>{_COUNT})\s?"
    r"(?P<unit>hours?|hrs?|h|minutes?|mins?|m|days?|weeks?|fortnights?)"
    r"(?P<more>\s+and\s+a\s+half|\s?(?:and\s+)?(?P<rest>[0-5]?\d)(?:\s?(?:minutes?|mins?|m))?)?)"
)
_UNIT_MINUTES = {"m": 1, "h": 60, "d": 1440, "w": 10_080, "f": 20_160}
_NTH = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": -1}
_WEEK_AHEAD = {"week": 7, "fortnight": 14}


def _iso(match: re.Match[str]) -> Meaning:
    """A whole timestamp; without an offset it is London's time."""
    try:
        return datetime.fromisoformat(match[0].upper().replace(" ", "T").replace("Z", "+00:00"))
    except ValueError:
        day = _date(int(match["day"]), int(match["month"]), int(match["year"]))
        if isinstance(day, Impossible):
            return day
        hour, minute = match[0][11:16].split(":")
        return clock_at(int(hour), int(minute), f"{hour}:{minute}")


def _date(
    day: int, month: int, year: int | None, weekday: int | None = None, written: str = ""
) -> Meaning:
    """A date, or why there is none such."""
    if not 1 <= month <= 12:
        offered = f"{month:02d}/{day:02d}" if 1 <= day <= 12 and 1 <= month <= 31 else ""
        said = f"; write the day first, as {offered}" if offered else ""
        return Impossible(f"There is no month {month}: months go from 1 to 12{said}.", "day")
    longest = 29 if month == 2 else calendar.monthrange(2001, month)[1]
    if year is not None:
        longest = calendar.monthrange(year, month)[1]
    if not 1 <= day <= longest:
        name = calendar.month_name[month] + (f" {year}" if year else "")
        nearest = f"{min(max(day, 1), longest if year or month != 2 else 28)} {name}"
        return Impossible(
            f"There is no {written or f'{day} {name}'}: the nearest is {nearest}.", "day"
        )
    return Day(day=day, month=month, year=year, weekday=weekday)


def _full_year(digits: str | None) -> int | None:
    if not digits:
        return None
    return int(digits) + (2000 if len(digits) == 2 else 0)


def _numeric_date(match: re.Match[str]) -> Meaning | None:
    """25/12, 25/12/2026, 2026-12-25, 20261225: the day first, but for the forms of ISO 8601."""
    if match[0] == "24/7":
        return None
    year = _full_year(match["year"])
    if year is not None and not 1900 <= year <= 2999:
        return None
    return _date(int(match["day"]), int(match["month"]), year)


def _written_date(match: re.Match[str]) -> Meaning:
    """Friday 25 December, Dec 25th 2026, the 1st of January."""
    month = MONTH_NUMBERS[match["month"].lower().rstrip(".")]
    weekday = _weekday_number(match["weekday"])
    spoken = match["spoken"]
    day = ORDINALS[re.sub(r"[\s-]+", " ", spoken.lower())] if spoken else int(match["day"])
    return _date(day, month, _full_year(match["year"]), weekday)


def _day_of_month(match: re.Match[str]) -> Meaning:
    return Day(day=int(match["day"]), weekday=_weekday_number(match["weekday"]))


def _feast(match: re.Match[str]) -> Meaning:
    day, month = FEASTS[" ".join(match[0].lower().split())]
    return Day(day=day, month=month)


def _weekday_number(name: str | None) -> int | None:
    return WEEKDAY_NUMBERS[name.lower().rstrip(".")] if name else None


def _weekday(match: re.Match[str]) -> Meaning:
    which = (match["which"] or "").lower()
    return Day(weekday=_weekday_number(match["weekday"]), which="" if which == "coming" else which)


def _week_after(match: re.Match[str]) -> Meaning:
    """A week on Friday, Friday week, a fortnight tomorrow: so long after the next such day."""
    ahead = _WEEK_AHEAD[(match["span"] or match["after"]).lower()]
    near = (match["near"] or match["same"] or "").lower()
    if near:
        return Day(shift=ahead + (near == "tomorrow"))
    name = match["weekday"] or match["day"]
    return Day(
        weekday=_weekday_number(name), which="week after" if ahead == 7 else "fortnight after"
    )


def _working_day(_: re.Match[str]) -> Meaning:
    return Day(weekdays=(0, 1, 2, 3, 4))


def _any_day(_: re.Match[str]) -> Meaning:
    return Day(weekdays=tuple(range(7)))


def _one_of(match: re.Match[str]) -> Meaning:
    """The next of Monday and Thursday."""
    named = re.findall(_WEEKDAY, match[0], re.IGNORECASE)
    return Day(weekdays=tuple(sorted({WEEKDAY_NUMBERS[one.lower().rstrip(".")] for one in named})))


def _of_month(match: re.Match[str]) -> Meaning:
    """The first Monday of the month."""
    return Day(weekday=_weekday_number(match["weekday"]), nth=_NTH[match["nth"].lower()])


def _weekend(match: re.Match[str]) -> Meaning:
    following = (match["which"] or "").lower() == "next"
    return Day(weekday=5, which="next weekend" if following else "weekend")


def _near_day(match: re.Match[str]) -> Meaning:
    word = " ".join(match[0].lower().split())
    if word == "next week":
        return Day(weekday=0, which="next week")
    shifts = {"today": 0, "yesterday": -1}
    return Day(shift=2 if "after" in word else shifts.get(word, 1))


def _count(word: str) -> float:
    plain_word = re.sub(r"\s+", " ", word.lower())
    if plain_word in ("a", "an"):
        return 1
    if plain_word == "a couple of":
        return 2
    number = parse_number(
        plain_word.replace(" ", "-") if not plain_word[0].isdigit() else plain_word
    )
    return float(number) if number is not None else 0


def _after(match: re.Match[str]) -> Meaning:
    """In 20 minutes, in half an hour, in an hour and a half, in 1 h 30, in 3 days."""
    if match["fraction"]:
        return After(30 if match["fraction"].lower() == "half" else 15)
    unit = match["unit"][0].lower()
    minutes = _count(match["count"]) * _UNIT_MINUTES[unit]
    if match["more"]:
        minutes += (
            0.5 * _UNIT_MINUTES[unit] if "half" in match["more"].lower() else int(match["rest"])
        )
    if unit in "dwf":
        return Day(shift=round(minutes / 1440))
    return After(round(minutes))


def _now(_: re.Match[str]) -> Meaning:
    return After(0)


# fmt: off
DAY_RULES = (
    Rule("iso",
         r"(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?"
         r"(?:Z|[+-]\d{2}:?\d{2})?", _iso),
    Rule("iso_date", r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})", _numeric_date),
    Rule("compact_date", r"(?P<year>20\d{2})(?P<month>\d{2})(?P<day>\d{2})", _numeric_date),
    Rule("numeric_date",
         r"(?P<day>\d{1,2})(?P<sep>[/.-])(?P<month>\d{1,2})(?P=sep)(?P<year>\d{4}|\d{2})",
         _numeric_date),
    Rule("short_date", r"(?P<day>\d{1,2})/(?P<month>\d{1,2})(?P<year>)(?!/)", _numeric_date),
    Rule("day_month",
         rf"(?:(?P<weekday>{_ANY_WEEKDAY}),?\s+)?(?:the\s+)?(?:(?P<day>\d{{1,2}})"
         rf"(?:st|nd|rd|th)?(?:\s+of)?|(?P<spoken>{any_of(ORDINALS)})\s+of)\s+(?P<month>{_MONTH})"
         r"(?:,?\s+(?P<year>\d{4}))?", _written_date),
    Rule("month_day",
         rf"(?:(?P<weekday>{_WEEKDAY}),?\s+)?(?P<month>{_MONTH})\s+(?:the\s+)?(?:(?P<day>\d{{1,2}})"
         rf"(?:st|nd|rd|th)?|(?P<spoken>{any_of(ORDINALS)}))"
         r"(?:,?\s+(?P<year>\d{4}))?(?!:|\s?[ap]\.?m)", _written_date),
    Rule("day_of_month",
         rf"(?:(?P<weekday>{_WEEKDAY}),?\s+)?the\s+(?P<day>[12]?\d|3[01])(?:st|nd|rd|th)",
         _day_of_month),
    Rule("feast", any_of(FEASTS), _feast),
)
NEAR_RULES = (
    Rule("week_after",
         rf"(?:a\s+)?(?P<span>week|fortnight)\s+(?:on\s+|from\s+)?(?:(?P<near>today|tomorrow)|"
         rf"(?P<weekday>{_WEEKDAY}))|(?:(?P<same>today|tomorrow)|(?P<day>{_WEEKDAY}))\s+"
         r"(?P<after>week|fortnight)", _week_after),
    Rule("one_of",
         rf"(?:the\s+)?next\s+of\s+{_WEEKDAY}(?:(?:,|,?\s+and|,?\s+or)\s+{_WEEKDAY})*", _one_of),
    Rule("of_month",
         rf"(?:the\s+)?(?P<nth>{'|'.join(_NTH)})\s+(?P<weekday>{_WEEKDAY})\s+(?:of|in)\s+"
         r"(?:the|each|every|a)\s+month", _of_month),
    Rule("working_day", r"(?:(?:the\s+)?next\s+|an?\s+)?(?:weekday|working\s+day|workday)",
         _working_day),
    # The first of all days on which an hour is still to come, for trips that are made daily.
    Rule("any_day", r"the\s+next\s+of\s+all\s+days", _any_day),
    Rule("near_day",
         r"(?:the\s+)?day\s+after\s+tomorrow|today|tomorrow|tmrw|tmr|tomoz|2moro|yesterday|next\s+week(?!end)",
         _near_day),
    Rule("weekday", rf"(?:(?P<which>this|next|coming|last)\s+)?(?P<weekday>{_WEEKDAY})", _weekday),
    Rule("weekend", r"(?:(?P<which>this|next|the|coming)\s+)?weekend", _weekend),
)
FROM_NOW_RULES = (
    Rule("after", rf"(?:in|within)\s+{_DURATION}(?:\s+time)?(?!\s+(?:of|walk|or\s+less))", _after),
    Rule("from_now", rf"{_DURATION}\s+from\s+now", _after),
    Rule("now", r"right\s+now|now|immediately|asap|as\s+soon\s+as\s+possible|straight\s+away"
         r"|at\s+once", _now),
)
# fmt: on
