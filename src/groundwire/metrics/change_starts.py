"""Changes told by the time that they begin at: "grew compared with 2010", 比2010年增长.

The other end is the newest value, or what was asked about before; never the year before the one
that is named.
"""

from __future__ import annotations

import re
from datetime import date

from groundwire.language.asking import asked_in
from groundwire.metrics.factbase import State
from groundwire.metrics.intent.parsed import ParsedIntent
from groundwire.metrics.standing import newest_period
from groundwire.metrics.terms import TOTAL
from groundwire.quantities import CALENDAR_YEAR

_YEAR = r"(?P<{}>(?:19|20)\d{{2}})"
_ENGLISH = rf"""
    \b(?:since|compared\ (?:with|to)|relative\ to|against|versus|than)(?:\ in)?
    \ (?:the\ year\ )?{_YEAR.format("en")}\b(?![-/]\d)"""
_GERMAN = rf"""
    \b(?:seit|gegenüber|verglichen\ mit|im\ Vergleich\ zu|als)(?:\ (?:im|dem)\ Jahr|\ in)?
    \ {_YEAR.format("de")}\b(?![-/]\d)"""
_CHINESE = rf"""
    (?:自|从)?{_YEAR.format("zh")}年?以来
    |(?:比|较|相比|相较于?|对比){_YEAR.format("bi")}年?(?![年度]?[第一二三四上下]|\d)
    |(?:与|和|跟|同){_YEAR.format("yu")}年?(?:相?比较?|对比)"""
_START = re.compile("|".join((_ENGLISH, _GERMAN, _CHINESE)), re.IGNORECASE | re.VERBOSE)
_NEWEST = re.compile(r"(?:FY)?(?P<year>\d{4})")
_SINCE = re.compile(r"since|seit|以来", re.IGNORECASE)
_SPANS = {"en": "from {} to {}", "de": "von {} bis {}", "zh": "{}年到{}年"}
_PAIRS = {"en": "{} and {}", "de": "{} und {}", "zh": "{}年和{}年"}


def find_start(question: str) -> re.Match[str] | None:
    """Return the words by which a question tells a year as the one that a change begins at."""
    return _START.search(question)


def year_of(start: re.Match[str]) -> str:
    """Return the year that such words name."""
    return next(filter(None, start.groups()))


def only_start(question: str, intent: ParsedIntent, today: date) -> re.Match[str] | None:
    """Return the words of the start of a change that a question asks for without its end."""
    if not intent.derive or len(intent.periods) != 1:
        return None
    is_year = intent.periods[0].on(CALENDAR_YEAR, today).kind == "single"
    return find_start(question) if is_year else None


def until(question: str, label: str) -> tuple[str, ...]:
    """Return a question with both ends of its time, each way that may be read; none without both.

    Args:
        question: the question, with the year that the change begins at.
        label: the year that it ends with, such as 2024 or FY2024.
    """
    found, end = find_start(question), _NEWEST.fullmatch(label)
    if found is None or end is None or not year_of(found) < end["year"]:
        return ()
    ways = (_SPANS,) if _SINCE.search(found[0]) else (_PAIRS, _SPANS)
    first, last = question[: found.start()], question[found.end() :]
    spans = (way[asked_in(question)].format(year_of(found), end["year"]) for way in ways)
    return tuple(f"{first}{span}{last}" for span in spans)


def until_newest(
    state: State, question: str, intent: ParsedIntent, assumed: str = ""
) -> tuple[str, ...]:
    """Return a question with both ends of its time; none where the newest is not known.

    Args:
        state: the fact base.
        question: the question.
        intent: how it is read as it stands.
        assumed: the entity that is taken where it names none.
    """
    entity = intent.entity or next(iter(intent.entities), assumed)
    if not intent.metrics or not entity:
        return ()
    newest = newest_period(state, intent.metrics[0], entity, intent.channel or TOTAL)
    return until(question, newest.label) if newest else ()
