"""Trips that are made again and again: "every Tuesday", "Monday to Friday", "daily".

"until 18 December" is an end that a calendar can hold. "until the end of term", "the next three
Thursdays" and "twice a month" are asked about: nothing here knows which days they are.
"""

from __future__ import annotations

import re
from calendar import month_name, monthrange
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from pydantic import JsonValue

from groundwire.agents.journey_requests.model import Artefacts, TripAsked
from groundwire.journeys.itinerary import LONDON
from groundwire.journeys.times.reading import find_times
from groundwire.journeys.wording import listed

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
_SHORT = r"(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)"
_LIST = rf"(?:\s*(?:,|and|&)\s*(?:on\s+|every\s+)?{_DAY}s?\b)*"
_EXCEPT = (
    r"(?:\s*,?\s*(?:except(?:\s+for)?|excluding|but(?:\s+not)?|apart\s+from|other\s+than|not|bar(?:ring)?|save)"
    r"\s+(?:on\s+)?"
    rf"{_DAY}s?\b{_LIST})?"
)
_NTH = r"(?P<nth>first|1st|second|2nd|third|3rd|fourth|4th|last)"
_ORDINAL = r"(?P<date>\d{1,2})(?:st|nd|rd|th)"
_MONTHLY = r"(?:monthly|(?:every|each)\s+month)"
_DAYS_NAMED = rf"(?:on\s+)?(?:the\s+)?{_DAY}s?\b{_LIST}"
_WEEKS = r"(?P<weeks>two|2|three|3|four|4)\s+weeks"
_ALTERNATE = (
    rf"(?:(?:every|each)\s+(?:{_WEEKS}|(?:other|second|2nd)\s+week|fortnight)|fortnightly|biweekly)"
)
_APART = r"(?:,\s*|\s+)"
# The first that fits at a place counts; the first four are monthly, the first nine are clear.
_FORMS = (
    rf"(?:on\s+)?(?:(?:the|every|each)\s+)?{_NTH}\s+{_DAY}\s+(?:of|in)\s+(?:each|every|the|a)\s+month",
    rf"(?:every|each)\s+(?P<nth>first|1st|last)\s+{_DAY}",
    rf"{_MONTHLY}{_APART}(?:on\s+)?the\s+(?:{_NTH}\s+{_DAY}|{_ORDINAL})",
    rf"(?:on\s+)?(?:the\s+)?{_ORDINAL}\s+(?:day\s+)?of\s+(?:each|every)\s+month",
    rf"{_ALTERNATE}{_APART}{_DAYS_NAMED}",
    rf"{_DAYS_NAMED}{_APART}{_ALTERNATE}",
    rf"(?:on\s+)?(?:(?:every|each)\s+)?(?P<alternate>alternate|alternating)\s+{_DAY}s?\b{_LIST}",
    rf"(?:every|each)\s+(?P<alternate>other|second|2nd)\s+{_DAY}s?\b{_LIST}",
    rf"weekly{_APART}{_DAYS_NAMED}",
    rf"(?:(?:every|each)\s+(?:single\s+|week\s+)?)?(?:from\s+)?(?:{_DAY}s?\s+(?:to|through|until|till)\s+"
    rf"{_DAY}s?|{_SHORT}\s?[-–]\s?{_SHORT})\b{_EXCEPT}",
    r"(?:every|each)\s+(?:single\s+|(?P<unsure>other|second|third|3rd|fourth|4th|few|couple\s+of)\s+)?"
    rf"(?:{_DAY}|day|weekday|workday|working\s+day|morning|evening|afternoon|night|week|month|weekend)s?\b{_LIST}{_EXCEPT}",
    rf"(?:on\s+)?(?:{_DAY}s|weekdays|workdays|weekday\s+(?:mornings|evenings|afternoons))\b{_LIST}{_EXCEPT}",
    rf"{_ALTERNATE}|daily|weekly|monthly",
)
_READ = tuple(re.compile(one, re.IGNORECASE) for one in _FORMS)
RECURS = re.compile(
    rf"\b(?:{'|'.join(re.sub(r'[?]P<[a-z]+>', '?:', one) for one in _FORMS)})(?!\w)", re.IGNORECASE
)
_MONTHLY_FORMS, _CLEAR_FORMS = 4, 9
# What names no days, or not all that it means.
_OPEN = re.compile(
    r"\b(?:other|second|third|3rd|fourth|4th|few|couple|week|month|night|fortnight)s?\b|^(?:fortnightly|biweekly|weekly|monthly)$",
    re.IGNORECASE,
)
_COUNTS = {"two": 2, "three": 3, "four": 4}
_EVERY_OTHER = re.compile(r"\b(?:other|second|2nd)\s+week|fortnight|biweekly", re.IGNORECASE)
_DAILY = re.compile(r"^daily$|\b(?:day|morning)s?\b", re.IGNORECASE)
_NAMED = re.compile(_DAY, re.IGNORECASE)
_RANGE = re.compile(
    rf"(?P<one>{_DAY}|{_SHORT})s?(?:\s+(?:to|through|until|till)\s+|\s?[-–]\s?)(?P<other>{_DAY}|{_SHORT})",
    re.IGNORECASE,
)
_WITHOUT = re.compile(
    r"\b(?:except|excluding|but|not|apart|other\s+than|bar(?:ring)?|save)\b", re.IGNORECASE
)


_APART_FROM_IT = re.compile(
    rf"(?P<words>{RECURS.pattern})(?P<between>[^.;!?]{{0,80}}?)\s?,?\s(?:but\s+)?"
    rf"(?:not|except(?:\s+for)?|excluding|never)\s+(?:on\s+)?(?P<days>{_DAY}s?\b{_LIST})",
    re.IGNORECASE,
)


def gathered(text: str) -> str:
    """A text in which the days that recurring words leave out stand beside them."""
    found = _APART_FROM_IT.search(text)
    if found is None or _WITHOUT.search(found["words"]):
        return text
    said = f"{found['words']} except {found['days']}{found['between']}"
    return f"{text[: found.start()]}{said}{text[found.end() :]}"


def repeats(words: str) -> dict[str, JsonValue]:
    """Return the options of a calendar entry that recurs as words say; none where they are open."""
    found = ((at, form) for at, one in enumerate(_READ) if (form := one.fullmatch(words)))
    at, form = next(found, (0, None))
    if form is None or (at >= _CLEAR_FORMS and _OPEN.search(words)):
        return {}
    said = {name: value.lower() for name, value in form.groupdict().items() if value}
    if "date" in said:
        return {"repeat_monthly": "date"}
    if "nth" in said:
        return {"repeat_monthly": "last_weekday" if said["nth"] == "last" else "weekday"}
    made: dict[str, JsonValue] = {"repeat_on": list(_days(words))}
    if "weeks" in said:
        made["repeat_weeks"] = _COUNTS.get(said["weeks"]) or int(said["weeks"])
    elif "alternate" in said or _EVERY_OTHER.search(words):
        made["repeat_weeks"] = 2
    return made


def _days(words: str) -> tuple[str, ...]:
    """The days of the week of which the first trip is, by their names in English."""
    said, *without = _WITHOUT.split(words, maxsplit=1)
    excepted = _named(without[0]) if without else frozenset[str]()
    days = _named(said)
    ranged = _RANGE.search(said)
    if ranged is not None:
        first, last = (_number(ranged[one]) for one in ("one", "other"))
        days = frozenset(_DAYS[(first + ahead) % 7] for ahead in range((last - first) % 7 + 1))
    elif not days and re.search(r"weekday|workday|working", said, re.IGNORECASE):
        days = frozenset(_DAYS[:5])
    elif not days and "weekend" in said.lower():
        days = frozenset(_DAYS[5:])
    return tuple(day for day in _DAYS if day in (days or _DAYS) and day not in excepted)


def _named(words: str) -> frozenset[str]:
    return frozenset(match[0].lower() for match in _NAMED.finditer(words))


def _named_once(words: str) -> str:
    return next(iter(_named(words))).capitalize()


def ordinal(number: int) -> str:
    """Return a number as one counts by it: 21st, 12th."""
    ends = {1: "st", 2: "nd", 3: "rd"}
    return f"{number}{'th' if number // 10 == 1 else ends.get(number % 10, 'th')}"


def _number(name: str) -> int:
    return next(at for at, day in enumerate(_DAYS) if day.startswith(name.lower()[:3]))


def begun(
    trips: tuple[TripAsked, ...], words: tuple[str, ...], first: str = ""
) -> tuple[TripAsked, ...]:
    """Return trips of which those that name no day are of the first day on which they recur.

    Args:
        trips: the trips of a request.
        words: what says on which days they recur.
        first: that day, where it is known; empty where the words are to tell.
    """
    day: dict[str, JsonValue] = {"date": first} if first else first_day(words)
    return tuple(
        trip if names_day(trip) else replace(trip, wishes={**trip.wishes, **day}) for trip in trips
    )


def first_day(words: tuple[str, ...], *, planned: bool = False) -> dict[str, JsonValue]:
    """Return the day on which a trip is made first, as an argument; a planned one may be daily."""
    day = _first_day(words[0]) if len(words) == 1 else ""
    return {"date": day} if day and not (planned and _DAILY.search(words[0])) else {}


def _first_day(words: str) -> str:
    """The day of the first trip in words of the planner; empty where every day will do."""
    monthly = next(
        (found for one in _READ[:_MONTHLY_FORMS] if (found := one.fullmatch(words))), None
    )
    if monthly is not None:
        said = monthly.groupdict()
        if said.get("date"):
            return f"the {ordinal(int(said['date']))}"
        return f"the {said['nth'].lower()} {_named_once(words)} of each month"
    days = _days(words)
    if len(days) == len(_DAYS):
        # "at 7" of a part of the day is read by that part, and not moved to another day.
        return "the next of all days" if _DAILY.search(words) else ""
    if days == _DAYS[:5]:
        return "the next weekday"
    return f"the next of {listed([one.capitalize() for one in days], len(days))}"


def names_day(trip: TripAsked) -> bool:
    """Return whether a trip says its day itself."""
    said = [str(trip.wishes.get(name, "")) for name in ("date", "time")]
    return any(one.expression.day is not None for words in said for one in find_times(words))


def repeating(made: Artefacts | None, words: tuple[str, ...], until: str = "") -> Artefacts | None:
    """Return artefacts whose calendar entry repeats as a request says, where its words are clear.

    Args:
        made: what is made of the trips.
        words: what says on which days they recur.
        until: the last day, in words; empty where none is known.
    """
    if made is None or "calendar" not in made.kinds or len(words) != 1:
        return made
    found = repeats(words[0])
    return replace(made, repeats={**found, "repeat_until": until} if found and until else found)


def told_of(
    words: tuple[str, ...],
    made: Artefacts | None,
    ends: tuple[str, ...] = (),
    *,
    planned: bool = True,
) -> tuple[str, ...]:
    """Say of recurring words and their ends what the plan is of, and whether an entry repeats."""
    if not words:
        return ()
    named = (one if _NAMED.match(one) else one[0].lower() + one[1:] for one in words)
    said = " and ".join(dict.fromkeys(named))
    said = " ".join((said, *ends))
    if not planned:
        return (f"It recurs {said}: nothing is planned until that is clear.",)
    beside = "; say “put it in my calendar” for an entry that repeats"
    if made is not None and "calendar" in made.kinds:
        beside = ", and its calendar entry repeats" if made.repeats else ", and nothing repeats it"
    elif len(words) != 1 or not repeats(words[0]):
        beside = ", and nothing repeats it"
    return (f"It recurs {said}: the plan is of its first day{beside}.",)


_COUNT = (
    r"(?:a\s+(?:few|couple\s+of)|few|couple\s+of|two|three|four|five|six|eight|ten|twelve|\d{1,2})"
)
_UNIT = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days|days|weekdays|weekends|weeks|months|times)"
_UNTIL = re.compile(
    r"(?<!\w)(?:up\s+)?(?:un)?till?\s+(?P<end>(?:(?!(?:from|to|at|by|put|add|and|i|we|in|into|leaving|"
    r"arriving|please|as|every|each|with|on\s+foot)\b)(?![-–—]\s)[^\s,.;:!?]++\s?){1,6})",
    re.IGNORECASE,
)
# The last day before a feast, by which an end is said, in the words of each language.
_FEASTS = tuple(
    (re.compile(words, re.IGNORECASE), day)
    for words, day in (
        (r"christmas(?:\s+time)?|x-?mas|weihnachten|圣诞节?", "24 December"),
        (
            r"(?:the\s+)?(?:new\s+year(?:['’]?s)?|end\s+of\s+(?:the|this)\s+year|year['’]?s?\s+end)|"
            r"silvester|neujahr|jahreswechsel|(?:ende\s+des\s+)?jahres(?:ende)?|jahresende|"
            r"元旦|新年|(?:今年)?年[底末]",
            "31 December",
        ),
        (r"easter|ostern|复活节", "Easter Sunday"),
    )
)
_MONTHS = (
    "jan(?:uary|uar)?", "feb(?:ruary|ruar)?", "march|märz", "april", "may|mai", "june|juni",
    "july|juli", "august", "sep(?:t(?:ember)?)?", "o[ck]t(?:ober)?", "nov(?:ember)?",
    "de[cz](?:ember)?",
)  # fmt: skip
_END_OF_MONTH = re.compile(
    r"(?:(?:the\s+)?end\s+of|ende)\s+(?P<month>\w{3,9})|(?P<number>\d{1,2})月[底末]", re.IGNORECASE
)
_COUNTED = re.compile(
    rf"(?<!\w)(?:(?:for\s+)?(?:the\s+)?(?:next|coming|following|first)\s+{_COUNT}\s+{_UNIT}|"
    rf"for\s+{_COUNT}\s+(?:days|weeks|months))(?!\w)",
    re.IGNORECASE,
)
_MONTH = "January|February|March|April|May|June|July|August|September|October|November|December"
_WITHIN = re.compile(
    r"(?<!from )(?<!starting )(?<!since )(?<!of )(?<!\w)"
    r"(?:(?:next|this|the\s+coming)\s+(?:week|month)(?!end)|"
    rf"(?:in|during|throughout)\s+(?:{_MONTH})|(?:in|during|over)\s+the\s+\w*\s?holidays)(?!\w)(?!\s+on\b)",
    re.IGNORECASE,
)
_OFTEN = re.compile(
    r"(?<!\w)(?:(?:once|twice|(?:\d|two|three|four)\s+times)\s+(?:a|an|per|each|every)\s+"
    r"(?:day|week|fortnight|month|year)|"
    r"(?:whenever|every\s+time|each\s+time)\s[^,.;!?]{1,60}|every\s+now\s+and\s+(?:then|again)|"
    r"now\s+and\s+then|from\s+time\s+to\s+time|"
    # The same in German and Chinese, whose words stand for themselves.
    r"(?:ein|zwei|drei|vier)\s?mal\s+(?:(?:im|pro|in|der|die|am)\s+)*(?:tag|woche|monat|jahr))(?!\w)|"
    r"每(?:个)?(?:周|月|天|年|星期)[一二两三四五\d]次|"
    r"每(?:当|次)[^\s,.;!?]{1,12}(?:的?时候?)",
    re.IGNORECASE,
)
ASK_DAYS = (
    "On which days does it recur? “{}” leaves that open: say it once more with the days, such as "
    "“every Tuesday”, “every three weeks on Tuesday” or “the first Monday of each month”."
)
ASK_UNTIL = (
    "Until which day does it recur? “{}” is no date that is known here: say it once more with one, "
    "such as “until 18 December”."
)


@dataclass(frozen=True, slots=True)
class RecurrenceEnd:
    """Until when a trip recurs.

    Attributes:
        start, end: where it stands.
        words: as it was said.
        day: the words of a day that can be looked up, or empty.
        first: the first day on which it recurs, where these words say that too.
    """

    start: int
    end: int
    words: str
    day: str = ""
    first: str = ""


def _end_of_month(said: str) -> str:
    """Return the last day of the month that words name the end of, or an empty text."""
    match = _END_OF_MONTH.fullmatch(said)
    if match is None:
        return ""
    named = (
        at for at, one in enumerate(_MONTHS, 1) if re.fullmatch(one, match["month"] or "", re.I)
    )
    month = int(match["number"] or next(named, 0))
    if not 1 <= month <= 12:
        return ""
    today = datetime.now(LONDON).date()
    year = today.year + (month < today.month)
    return f"{monthrange(year, month)[1]} {month_name[month]}"


def find_ends(text: str) -> list[RecurrenceEnd]:
    """Return what a text of a trip that recurs says of its end, in order."""
    found: list[RecurrenceEnd] = []
    for match in _UNTIL.finditer(text):
        said = match["end"].strip()
        times = find_times(said)
        if any(one.expression.clock is not None or one.expression.part for one in times):
            # "every day until 6pm" says by when, and not until which day.
            continue
        whole = len(times) == 1 and times[0].span == (0, len(said))
        end = match.start("end") + len(said)
        known = whole and times[0].expression.day is not None
        words = " ".join(text[match.start() : end].split())
        named = next((at for one, at in _FEASTS if one.fullmatch(said)), "")
        day = said if known else named or _end_of_month(said)
        words = words if known or not day else f"{words} ({day})"
        found.append(RecurrenceEnd(match.start(), end, words, day))
    for match in _WITHIN.finditer(text):
        # A span that it recurs within has an end, though these words also say its first day.
        found.append(RecurrenceEnd(match.start(), match.start(), " ".join(match[0].split())))
    for match in _COUNTED.finditer(text):
        found.append(RecurrenceEnd(*match.span(), " ".join(match[0].split())))
    return sorted(found, key=lambda one: one.start)


_NEXT_WEEK = re.compile(
    r"(?<!from )(?<!starting )(?<!since )(?<!\w)(?:(?:in|for|during|of)\s+)?next\s+week(?!\w)"
    r"(?!\s+on\b)",
    re.IGNORECASE,
)

_IN_A_MONTH = re.compile(
    rf"(?<!\w)(?:in|during|throughout|all\s+through)\s+(?P<month>{_MONTH})(?!\w)", re.IGNORECASE
)


def within_next_week(
    text: str, words: Sequence[str], ends: list[RecurrenceEnd], today: date | None
) -> list[RecurrenceEnd]:
    """Return the ends of a trip that recurs; "weekdays next week" has its days in that week.

    Args:
        text: the text of the request.
        words: what says on which days it recurs.
        ends: what was found of its end.
        today: the day that it is counted from, where it is not the present one.
    """
    today = today or datetime.now(LONDON).date()
    found = _NEXT_WEEK.search(text) or _IN_A_MONTH.search(text)
    days = repeats(words[0]) if len(words) == 1 else {}
    named = days.get("repeat_on") if days.keys() == {"repeat_on"} else None
    if found is None or not isinstance(named, list) or len(ends) != 1 or ends[0].day:
        return ends
    begins, length = _span_of(found, today)
    every = (begins + timedelta(days=ahead) for ahead in range(length))
    first, *others = [day for day in every if f"{day:%A}".lower() in named] or [today]
    last = others[-1] if others else first
    said = f"{' '.join(found[0].split())} ({first.day} {first:%B} to {last.day} {last:%B})"
    until = f"{last.day} {last:%B} {last.year}"
    return [RecurrenceEnd(*found.span(), said, until, first.isoformat())]


def _span_of(found: re.Match[str], today: date) -> tuple[date, int]:
    """Return the first day of the next week or of a month from today on, and the days to come."""
    month = found.groupdict().get("month")
    if month is None:
        return today + timedelta(days=7 - today.weekday()), 7
    number = next(at for at in range(1, 13) if month_name[at].lower() == month.lower())
    first = date(today.year + (number < today.month), number, 1)
    length = monthrange(first.year, number)[1]
    begins = max(first, today)
    return begins, length - (begins - first).days


def frequencies(text: str) -> list[re.Match[str]]:
    """Return where a text says how often a trip is made without its days: "twice a month"."""
    return list(_OFTEN.finditer(text))


def open_recurrence(
    words: Sequence[str],
    ends: Sequence[RecurrenceEnd],
    often: Sequence[str],
    made: Artefacts | None,
) -> str:
    """Return the question that a calendar entry which recurs leaves open, or an empty text.

    Args:
        words: what says on which days a trip recurs.
        ends: what says until when.
        often: what says only how often.
        made: what is made of the trip; without a calendar file nothing is asked.
    """
    if made is None or "calendar" not in made.kinds:
        return ""
    unclear = [*often, *(words if len(words) > 1 or not all(map(repeats, words)) else ())]
    if unclear:
        return ASK_DAYS.format(" ".join(unclear))
    endless = [one.words for one in ends if not one.day]
    if endless or len(ends) > 1:
        return ASK_UNTIL.format(" ".join(endless or [one.words for one in ends]))
    return ""
