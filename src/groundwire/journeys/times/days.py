"""Forms of a day, of a time of the day, and of a time counted from now.

25/12, next Friday, tomorrow; 18:00, half past five, noon, evening, a lone number; in 20 minutes.
"""

from __future__ import annotations

import calendar
import re
from dataclasses import replace
from datetime import datetime

from groundwire.journeys.times.pieces import (
    ARRIVING,
    FEASTS,
    FROM_ADVENT,
    FROM_EASTER,
    HOURS,
    MINUTES,
    ORDINALS,
    PARTS,
    WEEKDAY_NUMBERS,
    WEEKDAYS,
    After,
    Ahead,
    Clock,
    Day,
    Impossible,
    Meaning,
    Rule,
    any_of,
)
from groundwire.quantities import parse_number
from groundwire.quantities.dates import MONTH_NUMBERS

_HOUR = "(?:" + "|".join(HOURS) + r"|1[0-2]|0?[1-9])"
_AMPM = r"(?P<half>[ap])\.?\s?m\b\.?"
_MINUTE_WORDS = r"(?:five|ten|quarter|twenty(?:[\s-]five)?|half|5|10|15|20|25)"


def _range_end(name: str) -> str:
    """The form of one end of "between 8 and 9.30 pm"."""
    return (
        rf"(?P<{name}_hour>\d{{1,2}}|{_HOUR})(?:[:.](?P<{name}_minute>[0-5]\d))?"
        rf"(?:\s?(?P<{name}_half>[ap])\.?m\b\.?)?"
    )


def _number(word: str) -> int:
    """An hour or a day of the month, in digits or words."""
    return HOURS.get(word.lower()) or int(word)


def clock_at(hour: int, minute: int, written: str, *, placed: bool = True) -> Meaning:
    """A time of the 24-hour clock, or why it is none."""
    if hour == 24 and minute == 0:
        return Clock(0, 0, ends_day=True)
    if hour > 23 or minute > 59:
        nearest = f"{min(hour, 23):02d}:{59 if hour > 23 else min(minute, 59):02d}"
        return Impossible(_none_such(written, nearest), "clock")
    return Clock(hour, minute, placed)


def _none_such(written: str, nearest: str) -> str:
    return (
        f"There is no time {written}: hours go from 0 to 23 and minutes from 0 to 59; the nearest "
        f"is {nearest}."
    )


def _half_day(match: re.Match[str]) -> Meaning:
    """6 pm, 6.30 a.m., twelve am."""
    hour, half = _number(match["hour"]), match["half"].lower()
    minute = int(match["minute"] or 0)
    written = " ".join(match[0].split())
    if hour > 23 or minute > 59 or (half == "a" and hour > 12):
        nearest = f"{12 if hour > 12 else hour or 12}:{min(minute, 59):02d} {half}m"
        if 12 < hour < 24 and minute < 60:
            nearest = f"{hour:02d}:{minute:02d}"
        elif hour > 12:
            nearest = f"11:59 {half}m"
        return Impossible(
            f"There is no time {written}: hours before am and pm go from 1 to 12; the nearest is "
            f"{nearest}.",
            "clock",
        )
    if hour > 12:
        return Clock(hour, minute)
    return Clock(hour % 12 + (12 if half == "p" else 0), minute)


def _digital(match: re.Match[str]) -> Meaning:
    """18:00, 05:30; one digit before the colon is an hour that has to be placed."""
    hour, minute = int(match["hour"]), int(match["minute"])
    placed = len(match["hour"]) > 1 or not 1 <= hour <= 12
    return clock_at(hour, minute, match[0], placed=placed)


def _dotted(match: re.Match[str]) -> Meaning:
    """6.30, which is a time only after a word that leads to one."""
    meaning = _digital(match)
    if isinstance(meaning, Clock):
        return Clock(meaning.hour, meaning.minute, meaning.placed, lone=True)
    return meaning


def _four_digits(match: re.Match[str]) -> Meaning:
    """0915, which is a time only beside a day or after a word that leads to one."""
    return Clock(int(match["hour"]), int(match["minute"]), lone=True)


def _military(match: re.Match[str]) -> Meaning:
    return clock_at(int(match["hour"]), int(match["minute"] or 0), match[0])


def _spoken(match: re.Match[str]) -> Meaning:
    """Half past five, quarter to nine, ten to midnight."""
    word = re.sub(r"[\s-]+", " ", match["minutes"].lower())
    minutes = MINUTES[word] if word in MINUTES else int(word)
    to = match["side"].lower() in ("to", "till", "before")
    named = match["hour"].lower()
    if named in ("noon", "midday", "midnight"):
        total = (720 if named != "midnight" else 1440) + (-minutes if to else minutes)
        return Clock(total // 60 % 24, total % 60, ends_day=named == "midnight" and not to)
    total = _number(named) * 60 + (-minutes if to else minutes)
    hour = total // 60 or 12
    return Clock(hour, total % 60, placed=False)


def _half_hour(match: re.Match[str]) -> Meaning:
    """Half five, as it is said in Britain: half past."""
    hour = _number(match["hour"])
    return Clock(hour, 30, placed=False, assumed=f"{match[0].lower()} = half past {match['hour']}")


def _between(match: re.Match[str]) -> Meaning:
    """Between 8 and 9: the beginning, or the end where one arrives; am or pm is said of both."""
    arrives = ARRIVING.search(match.string[: match.start()].rpartition(",")[2]) is not None
    chosen, other = ("last", "first") if arrives else ("first", "last")
    digits, minutes = match[f"{chosen}_hour"], match[f"{chosen}_minute"]
    hour, minute = _number(digits), int(minutes or 0)
    half = match[f"{chosen}_half"] or match[f"{other}_half"]
    said = " ".join(match[0].lower().split())
    if half is None:
        found = clock_at(
            hour, minute, said, placed=hour > 12 or (bool(minutes) and digits[1:] != "")
        )
        told = f"{said} = the {chosen} of them"
        return replace(found, assumed=told) if isinstance(found, Clock) else found
    # "between 11 and 1pm" begins in the morning.
    turns = match["first_half"] is None and hour % 12 > _number(match["last_hour"]) % 12
    late = (half.lower() == "p") != (turns and not arrives)
    return Clock(hour % 12 + (12 if late else 0), minute)


def _worded(match: re.Match[str]) -> Meaning:
    """Six thirty, five o'clock."""
    word = re.sub(r"[\s-]+", " ", (match.groupdict().get("minutes") or "").lower())
    return Clock(_number(match["hour"]), MINUTES.get(word, 0), placed=False)


def _named_time(match: re.Match[str]) -> Meaning:
    return Clock(0, ends_day=True) if match[0].lower() == "midnight" else Clock(12)


def _lone(match: re.Match[str]) -> Meaning:
    """A number alone; 5 is an hour to be placed, 17 and 07 are of the 24-hour clock."""
    word = match[0]
    hour = _number(word)
    if word.isdigit() and (hour > 12 or hour == 0 or (len(word) > 1 and word[0] == "0")):
        if hour < 24:
            return Clock(hour, lone=True)
        return Impossible(_none_such(word, "23:59"), "clock", lone=True)
    return Clock(hour, placed=False, lone=True)


def _part(match: re.Match[str]) -> Meaning:
    words = " ".join(re.sub(r"[-\s]+", " ", match["part"].lower()).split())
    return PARTS[words.replace("lunch time", "lunchtime").replace("end of day", "end of the day")]


# fmt: off
CLOCK_RULES = (
    Rule("between", rf"between\s+{_range_end('first')}\s*(?:and|-)\s*{_range_end('last')}"
         r"(?!\s+(?:min|hour|people|stop|change))", _between),
    Rule("half_day",
         rf"(?P<hour>\d{{1,3}}|{_HOUR})(?:[:.\s](?P<minute>\d{{2}}))?\s?{_AMPM}", _half_day),
    Rule("digital", r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::\d{2})?", _digital),
    Rule("military", r"(?P<hour>[0-2]\d)(?P<minute>\d{2})\s?(?:hours|hrs|h)", _military),
    Rule("continental", r"(?P<hour>\d{1,2})h(?P<minute>\d{2})?", _military),
    Rule("spoken",
         rf"(?:a\s+)?(?P<minutes>{_MINUTE_WORDS})(?:\s+(?:minutes|mins))?\s+(?P<side>past|to|till)\s+"
         rf"(?=(?-i:[a-z0-9]))(?P<hour>{_HOUR}|noon|midday|midnight)(?!\s+(?:min|hour|people|stop))",
         _spoken),
    Rule("half_hour", rf"half\s+(?P<hour>{'|'.join(HOURS)}|1[0-2]|[1-9])(?![.:]?\d)", _half_hour),
    Rule("oclock", rf"(?P<hour>{_HOUR})\s?o'?\s?clock", _worded),
    Rule("worded",
         rf"(?P<hour>{'|'.join(HOURS)})[\s-](?P<minutes>fifteen|thirty|forty[\s-]five|twenty|forty"
         r"|fifty)", _worded),
    Rule("named_time", r"noon|midday|midnight", _named_time),
)
PART_RULES = (
    Rule("part", r"(?:in\s+the\s+|this\s+|the\s+)?"
         rf"(?P<part>{any_of([*PARTS, 'lunch time', 'end of day'])})", _part),
)
# What may as well be no time: looked for last.
LONE_RULES = (
    Rule("dotted", r"(?P<hour>\d{1,2})\.(?P<minute>[0-5]\d)", _dotted),
    Rule("four_digits", r"(?P<hour>[01]\d|2[0-3])(?P<minute>[0-5]\d)", _four_digits),
    Rule("lone", rf"\d{{1,2}}|{'|'.join(HOURS)}", _lone),
)
# fmt: on


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
    rf"(?:(?:a\s)?(?P<fraction>half|(?:three\s)?quarters?\sof)[\s-](?:an\s)?hour|(?P<count>{_COUNT})"
    r"(?P<halved>\s+and\s+a\s+half)?\s?(?P<unit>hours?|hrs?|h|minutes?|mins?|m|days?|weeks?|fortnights?)"
    r"(?P<more>\s+and\s+a\s+half|\s?(?:and\s+)?(?P<rest>[0-5]?\d)(?:\s?(?:minutes?|mins?|m))?"
    r"|\s+and\s+(?P<spoken>(?:twenty|forty|fifty)(?:[\s-]five)?|five|ten|fifteen|thirty)(?:\s+min(?:ute)?s?)?)?)"
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
    name = re.sub(r"[\s-]+", " ", match["feast"].lower().replace("’", "'"))
    if name not in FEASTS:
        return Day(feast=name)
    day, month = FEASTS[name]
    return Day(day=day, month=month)


def _bank_holiday(_: re.Match[str]) -> Meaning:
    return Impossible("Which days are bank holidays is not held here: send the date.", "day")


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
        return After({"h": 30, "q": 15, "t": 45}[match["fraction"][0].lower()])
    unit = match["unit"][0].lower()
    minutes = _count(match["count"]) * _UNIT_MINUTES[unit]
    if match["halved"]:
        minutes += 0.5 * _UNIT_MINUTES[unit]
    if match["more"]:
        minutes += (
            0.5 * _UNIT_MINUTES[unit]
            if "half" in match["more"].lower()
            else int(match["rest"] or _count(match["spoken"]))
        )
    if unit in "dwf":
        return Day(shift=round(minutes / 1440))
    return After(round(minutes))


def _ahead(match: re.Match[str]) -> Meaning | None:
    """10 minutes before, half an hour ahead of; below 0 for an hour after."""
    after = _after(match)
    if not isinstance(after, After):
        return None
    return Ahead(-after.minutes if match["behind"] else after.minutes)


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
    Rule("feast", rf"(?:the\s+)?(?P<feast>{any_of([*FEASTS, *FROM_EASTER, *FROM_ADVENT])})",
         _feast),
    Rule("bank_holiday", rf"(?:the\s+)?bank\s+holiday\s+{_WEEKDAY}", _bank_holiday),
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
    Rule("ahead", rf"{_DURATION}\s+(?:before|ahead\s+of|(?P<behind>after)(?=\s+\d))"
         r"(?:(?=\s+[a-z0-9])(?!\s+(?:the|my|our|an?)\b)"
         r"|\s+(?:the|my|our|an?)\s+\w+"
         r"(?=\s+(?:(?:today|tomorrow|(?:on\s+)?\w{3,6}day)\s+)?(?:at\s+)?\d))", _ahead),
    Rule("now", r"right\s+now|now|immediately|asap|as\s+soon\s+as\s+possible|straight\s+away"
         r"|at\s+once", _now),
)
# fmt: on
