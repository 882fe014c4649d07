"""How long and how often a trip recurs, where its days are said elsewhere or not at all.

"until 18 December" is an end that a calendar can hold. "until the end of term", "the next three
Thursdays" and "twice a month" are asked about: nothing here knows which days they are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.agents.journey_requests.model import Artefacts
from groundwire.agents.journey_requests.recurring import repeats
from groundwire.journeys.times.reading import find_times

_COUNT = (
    r"(?:a\s+(?:few|couple\s+of)|few|couple\s+of|two|three|four|five|six|eight|ten|twelve|\d{1,2})"
)
_UNIT = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days|days|weekdays|weekends|weeks|months|times)"
_UNTIL = re.compile(
    r"(?<!\w)(?:up\s+)?(?:un)?till?\s+(?P<end>(?:(?!(?:from|to|at|by|put|add|and|i|we|in|into|leaving|"
    r"arriving|please|as|every|each|with|on\s+foot)\b)[^\s,.;:!?]++\s?){1,6})",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    rf"(?<!\w)(?:(?:for\s+)?(?:the\s+)?(?:next|coming|following|first)\s+{_COUNT}\s+{_UNIT}|"
    rf"for\s+{_COUNT}\s+(?:days|weeks|months))(?!\w)",
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
    """

    start: int
    end: int
    words: str
    day: str = ""


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
        found.append(RecurrenceEnd(match.start(), end, words, said if known else ""))
    for match in _COUNTED.finditer(text):
        found.append(RecurrenceEnd(*match.span(), " ".join(match[0].split())))
    return sorted(found, key=lambda one: one.start)


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
