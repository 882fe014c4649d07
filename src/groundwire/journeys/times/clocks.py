"""Forms of a time of the day: 18:00, 6.30 pm, half past five, noon, evening, a lone number."""

from __future__ import annotations

import re
from dataclasses import replace

from groundwire.journeys.times.pieces import Clock, Impossible, Meaning, Rule, any_of
from groundwire.journeys.times.words import ARRIVING, HOURS, MINUTES, PARTS

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
    Rule("half_hour", rf"half\s+(?P<hour>{'|'.join(HOURS)}|1[0-2]|[1-9])(?![.:\d])", _half_hour),
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
