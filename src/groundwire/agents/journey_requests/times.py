"""The times of a request, as the arguments that the planner takes.

The words of the user are passed on, so that the planner reads them against its own clock and tells
what it assumed. A day that was said of another trip is passed on with them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, time

from pydantic import JsonValue

from groundwire.agents.journey_requests.model import THERE, TripAsked
from groundwire.agents.journey_requests.settings import blanked
from groundwire.agents.journey_requests.words import WORDS, content
from groundwire.errors import InputError
from groundwire.journeys.itinerary import LONDON
from groundwire.journeys.times.pieces import Clock
from groundwire.journeys.times.reading import TimeMention, find_times

# An hour before a verb: "at five go to Kew" is "at five, go to Kew".
_HOUR_THEN_VERB = re.compile(
    r"(\b(?:at|by|before|after|around|about)\s+(?:\d{1,2}|one|two|three|four|five|six|seven|eight|"
    r"nine|ten|eleven|twelve))\s(?=(?:i|we|go|going|get|take|head|leave|travel|be|come|return|"
    r"back|visit|plan|make|drive|walk|cycle|instead|rather)\b)",
    re.IGNORECASE,
)
_THERE = re.compile(r"(?:from\s+)?there\s+", re.IGNORECASE)
_REACH = re.compile(r"(?<![\w'])([\w']+)\s+reach[^,;.!?]*$", re.IGNORECASE)
_FOR_EVENT = re.compile(
    r"\bto\s+[^,;.!?]+?\sfor\s+(?:an?|the|my|our|some)\s+(?:[\w'’-]+\s+){0,4}$", re.IGNORECASE
)
_EVENT = re.compile(
    r"\b(?:dinner|supper|lunch|breakfast|brunch|meeting|interview|appointment|exam|class|lesson|lecture|concert|gig|show|match|film|movie|play|"
    r"party|drinks|reservation|booking|wedding|funeral|ceremony|conference|talk|session|seminar|"
    r"rehearsal|shift|date)(?:\s+(?:is|starts?|begins?))?\s+$|"
    r"\b(?:catch|mak|board)(?:e|ing)?\s+(?:the|an?|my|our)\s+$",
    re.IGNORECASE,
)
_OF_EVENING = re.compile(
    r"\b(?:concert|gig|show|film|movie|play|party|drinks|dinner|theatre|opera|ballet)\b[^,;.!?]{0,20}$",
    re.IGNORECASE,
)
# Farther before a time, and right behind it; in capitals they are parts of names.
_EVENING = (
    r"\b(?:[Cc]oncert|gig|party|drinks|[Dd]inner|[Ss]upper"
    r"|(?:the|an?|our)\s+(?:theatre|cinema|opera|ballet))\b"
)
_EVENING_BEFORE = re.compile(rf"{_EVENING}[^,;.!?]{{0,48}}$")
_EVENING_BEHIND = re.compile(
    r"(?:[^,;.!?\d]{0,80}?\s)?\s*for\s+"
    rf"(?:(?:an?\s+|the\s+|our\s+)?{_EVENING}|(?:theatre|cinema|opera|ballet)\b)"
)
_FLIGHT = re.compile(r"\b(?:flight|plane)\b", re.IGNORECASE)
_FROM = re.compile(r"\s*(?:from|leaving)\b", re.IGNORECASE)
_IN_THE_EVENING = " in the evening"
_CUE = re.compile(r"^(?:by|at|on|from|before|after|until|till|for|around|about)\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SaidTime:
    """A time of a request.

    Attributes:
        start, end: where it stands.
        wishes: date, time and time_is, as far as they were said.
        lends: whether it is a day that other times take, and no time of its own.
        day_only: whether it is a day without a time.
        vague: whether it is a part of the day and no time on the clock.
        part: the name of a part of the day, or empty.
    """

    start: int
    end: int
    wishes: dict[str, JsonValue]
    lends: bool
    day_only: bool
    vague: bool = False
    part: str = ""

    @property
    def words(self) -> str:
        """The words that said it."""
        return str(self.wishes.get("time") or self.wishes.get("date") or "")


def together(one: SaidTime, other: SaidTime) -> SaidTime | None:
    """A clock and a part of the day as one time: "in the evening ... at 6"; None for others."""
    if one.vague == other.vague or one.day_only or other.day_only:
        return None
    vague, exact = (one, other) if one.vague else (other, one)
    wishes = {**vague.wishes, **exact.wishes, "time": f"{exact.words} {vague.part}"}
    return SaidTime(exact.start, exact.end, wishes, lends=False, day_only=False)


def find_said_times(text: str, today: date | None = None) -> list[SaidTime]:
    """The times of a text, in order.

    Args:
        text: the request.
        today: the day that relative words are read against; None for the planner's own.
    """
    mentions = find_times(_HOUR_THEN_VERB.sub(r"\1,", text))
    found: list[SaidTime] = []
    day = counted = ""
    for index, mention in enumerate(mentions):
        expression = mention.expression
        timed = expression.clock is not None or expression.part is not None
        if expression.day is not None and not expression.borrowed:
            day, counted = _day_of(mention), ""
        wishes: dict[str, JsonValue] = {}
        start = mention.span[0]
        leading = _THERE.match(mention.raw)
        # "from there at 5": where it begins, and when.
        if leading is not None and leading[0].lower().startswith("from"):
            start += leading.end()
        raw = text[start : mention.span[1]]
        if mention.time_is == "arriving" and raw.lower().startswith("between"):
            # Which end of "between 8 and 9" counts is decided by these words.
            raw = f"arrive {raw}"
        wishes["time" if timed or expression.after or expression.exact else "date"] = raw
        if expression.borrowed:
            following = (said for one in mentions[index + 1 :] if (said := _day_of(one)))
            lent = day or next(following, "")
            if lent:
                wishes["date"] = lent
        if mention.time_is is not None and not _ends_a_name(mention, text[:start]):
            wishes["time_is"] = mention.time_is
        of_event = _is_of_event(mention, text[:start]) or _is_ahead_of_flight(mention)
        wishes |= {"time_is": "arriving"} if of_event else {}
        clock = expression.clock
        late = isinstance(clock, Clock) and not clock.placed and clock.hour in (7, 8, 9)
        if late and expression.part is None and _is_evening(text, start, mention, of_event):
            leaves = _FROM.match(text, mention.span[1]) is not None
            wishes |= {"time": f"{raw}{_IN_THE_EVENING}"}
            wishes |= {} if leaves else {"time_is": "arriving"}
        dinner = _hour_of_dinner(text, mention)
        if today is not None:
            wishes |= _dated(mention, today, wishes, later=any(not one.day_only for one in found))
            dinner.pop("date", None)
        if today is not None and expression.borrowed and "date" in wishes:
            # Hours of one day are of the day of the first, though "today" may be over for that.
            wishes["date"] = counted = max(str(wishes["date"]), counted)
        wishes |= dinner
        day_only = not (timed or expression.after or expression.exact)
        vague = expression.part is not None and expression.clock is None
        part = raw if expression.day is None else expression.part.name if expression.part else ""
        found.append(SaidTime(start, mention.span[1], wishes, mention.lends, day_only, vague, part))
    return found


def _ends_a_name(mention: TimeMention, before: str) -> bool:
    """Whether the word that says arriving ends a name: "to Gallions Reach at 9"."""
    led = _REACH.search(before)
    return mention.expression.cue == "reach" and led is not None and bool(content(led[1]))


def _is_of_event(mention: TimeMention, before: str) -> bool:
    """Whether a time is that of what one travels for: "to Oval for the cricket at 11"."""
    led = _FOR_EVENT.search(before) or _EVENT.search(before)
    return mention.expression.cue in ("", "at") and led is not None


def _is_ahead_of_flight(mention: TimeMention) -> bool:
    """Whether one is to be there so long before a flight: "two hours before my flight at 9"."""
    said = mention.expression
    return said.ahead > 0 and said.cue in ("", "at", "on") and bool(_FLIGHT.search(mention.raw))


def _is_evening(text: str, start: int, mention: TimeMention, of_event: bool) -> bool:
    """Whether what one travels for is in the evening: "dinner in Soho at 7", "at 8 for dinner"."""
    if of_event and _OF_EVENING.search(text[:start]):
        return True
    if mention.expression.cue not in ("", "at"):
        return False
    before = _EVENING_BEFORE.search(text, 0, start)
    return before is not None or _EVENING_BEHIND.match(text, mention.span[1]) is not None


def _hour_of_dinner(text: str, mention: TimeMention) -> dict[str, JsonValue]:
    """The evening hour of a dinner that is said by an hour before noon: "um 7 zum Abendessen"."""
    clock, behind = mention.expression.clock, _EVENING_BEHIND.match(text, mention.span[1])
    early = isinstance(clock, Clock) and clock.placed and clock.hour in range(5, 10)
    if not isinstance(clock, Clock) or not early or mention.expression.part is not None:
        return {}
    if behind is None or not behind[0].endswith("dinner"):
        return {}
    day = _day_of(mention)
    hour: dict[str, JsonValue] = {"time": f"{clock.hour + 12}:{clock.minute:02}"}
    return hour | ({"date": day} if day else {})


def _day_of(mention: TimeMention) -> str:
    """The words of an expression that say its day."""
    words = (
        mention.raw.replace(mention.expression.clock_raw, " ")
        if mention.expression.clock_raw
        else mention.raw
    )
    part = mention.expression.part
    if part is not None:
        words = re.sub(re.escape(part.name), " ", words, flags=re.IGNORECASE)
    plain = " ".join(words.replace(",", " ").split())
    while _CUE.match(plain):
        plain = _CUE.sub("", plain)
    plain = re.sub(r"(?<!\s)\s+(?:at|by|in the|on)$", "", plain)
    read = find_times(plain)
    if len(read) == 1 and read[0].expression.day is not None:
        return read[0].raw
    return ""


def clock_alone(words: str) -> str:
    """Return the words of a time without those of its day: "tomorrow at 9" is "9"."""
    for mention in find_times(words):
        said = mention.expression
        if said.day is not None and said.clock_raw:
            part = f" {said.part.name}" if said.part is not None else ""
            return f"{said.clock_raw}{part}"
        if said.day is not None and said.part is not None:
            return said.part.name
    return words


def day_said(trip: Mapping[str, JsonValue]) -> str:
    """Return the words that say the day of a trip, whether its date or its time holds them."""
    if trip.get("date"):
        return str(trip["date"])
    days = (_day_of(one) for one in find_times(str(trip.get("time", ""))) if one.expression.day)
    return next(days, "")


def in_its_part(clock: str, before: JsonValue) -> str:
    """Return a time in the part of the day of the time before: of "at 8 tonight", 9 is tonight.

    After noon an hour that leaves its half of the day open is the one nearer to the time before.
    """
    said = [one.expression for one in find_times(clock) or find_times(f"at {clock}")]
    earlier = [one.expression for one in find_times(f"at {before}") or find_times(str(before))]
    hour = said[0].clock if said else None
    if not isinstance(hour, Clock) or hour.placed or said[0].part or said[0].day:
        return clock
    parts = [one.part for one in earlier if one.part]
    if parts:
        name = parts[0].name
        return f"{clock} {name if name.endswith('night') else f'in the {name}'}"
    hours = [one.clock.hour for one in earlier if isinstance(one.clock, Clock) and one.clock.placed]
    late = len(hours) == 1 and hours[0] >= 12 and 2 * (hours[0] - hour.hour) >= 12
    return f"{hour.hour + 12}:{hour.minute:02}" if late and hour.hour < 12 else clock


def _dated(
    mention: TimeMention, today: date, said: Mapping[str, JsonValue], *, later: bool
) -> dict[str, JsonValue]:
    """A time as ISO date and clock, read against a day that is not the planner's own.

    What is counted from now on the present day is left to the planner, which has a clock. So is an
    hour without a day, which may be of the day of a trip before, and whether a later hour of a day
    is before noon.
    """
    words = mention.expression
    of_now = words.after is not None and today == datetime.now(LONDON).date()
    of_now = of_now or (words.after is not None and not words.after.minutes)
    if of_now or (words.day is None and words.after is None and words.exact is None):
        return {}
    try:
        reading = mention.on(_from_now(today) if words.after else _present(today))
    except InputError:
        return {}
    told: dict[str, JsonValue] = {"date": reading.when.date().isoformat()}
    if words.borrowed and later and isinstance(words.clock, Clock) and not words.clock.placed:
        return told
    if not _is_day_alone(mention):
        evening = str(said["time"]).endswith(_IN_THE_EVENING) and reading.when.hour < 12
        told["time"] = f"{reading.when.hour + 12 * evening:02}:{reading.when:%M}"
    return told


def counted_from(trip: Mapping[str, JsonValue], today: date) -> dict[str, JsonValue]:
    """Return a trip whose day is that of its words on a day that is not the planner's own."""
    made = dict(trip)
    for name in ("time", "date"):
        for said in find_said_times(str(trip.get(name) or ""), today):
            made |= said.wishes if "date" in said.wishes else {}
    return made


def on_day(trips: tuple[TripAsked, ...], today: date) -> tuple[TripAsked, ...]:
    """Return trips, the first of them on a day that is told where that is not the planner's own.

    An hour without a day is its first such hour; a trip without a time is of the present hour.
    """
    found = list(trips)
    now = datetime.now(LONDON)
    begins = found[:1] if today != now.date() else []
    for one in begins:
        untimed = _IS_NOW.fullmatch(str(one.wishes.get("time", "now")))
        if untimed and one.starting_point != THERE and not day_said(one.wishes):
            moment = {"date": today.isoformat(), "time": f"{now:%H:%M}"}
            found[0] = replace(one, wishes={**one.wishes, **moment})
    first = next((at for at, one in enumerate(found) if "time" in one.wishes), None)
    if first is None or day_said(found[first].wishes):
        return tuple(found)
    said = find_times(str(found[first].wishes["time"]))
    try:
        timed = (one for one in said if one.expression.clock or one.expression.part)
        day = next(one.on(_present(today)).when for one in timed).date()
    except (StopIteration, InputError):
        return tuple(found)
    found[first] = replace(found[first], wishes={**found[first].wishes, "date": day.isoformat()})
    return tuple(found)


def day_counted(words: str, today: date | None) -> str:
    """Return the day that words name, counted from a day that is told; else the words.

    A weekend has two days, and what falls on the told day itself may be over: both stay words.
    """
    said = find_times(words)
    if today is None or len(said) != 1 or said[0].expression.day is None:
        return words
    if "weekend" in words.lower():
        return words
    try:
        day = said[0].on(_present(today)).when.date()
    except InputError:
        return words
    return words if day == today == datetime.now(LONDON).date() else day.isoformat()


def _present(today: date) -> datetime:
    """The present moment, or the beginning of a day that counts as today."""
    now = datetime.now(LONDON)
    return now if today == now.date() else datetime.combine(today, time(0))


def _from_now(today: date) -> datetime:
    """The present hour of a day that counts as today."""
    now = datetime.now(LONDON)
    return datetime.combine(today, now.time(), now.tzinfo)


def _is_day_alone(mention: TimeMention) -> bool:
    said = mention.expression
    return said.clock is None and said.part is None and said.after is None and said.exact is None


def half_open(words: str) -> bool:
    """Whether the hour of a time may be early or late: "every day at 6:50"."""
    said = (one.expression for one in find_times(words))
    return any(
        one.part is None
        and isinstance(one.clock, Clock)
        and not one.clock.placed
        and 4 < one.clock.hour < 7
        for one in said
    )


_ANOTHER_DAY = re.compile(
    r"(?<!\w)\w*day\b(?<!today)|\beve\b|\btomorrow\b|\bweekend\b|\d{4}-|[a-z]{3} \d|\d [a-z]{3}",
    re.I,
)
_IS_NOW = re.compile(r"(?:right\s+)?now|immediately|asap", re.IGNORECASE)
_NOW = re.compile(r"(?:right\s+)?now|today|tonight|at\s+the\s+moment|currently", re.IGNORECASE)
_OPEN = re.compile(
    rf"\b(?:(?:at|over|during|on|in)\s+)?(?:the\s+)?(?:{'|'.join(WORDS['open_days'])})\b", re.I
)


def times_said(text: str) -> list[str]:
    """Return the times of a question but "now"; else the words of a day that may be several.

    Who answers says that these name no date: the answer of today would stand for another day.
    """
    times = [one.raw for one in find_times(text) if not _NOW.fullmatch(one.raw)]
    return times or [one[0] for one in _OPEN.finditer(text)][:1]


def without_days(text: str) -> str:
    """Return a question without its times, and without days that may be several."""
    return _OPEN.sub(" ", blanked(text, [one.span for one in find_times(text)]))


def is_another_day(said: str) -> bool:
    """Return whether a time names a day, and not an hour of today alone."""
    return _ANOTHER_DAY.search(said) is not None or _OPEN.search(said) is not None
