"""Stops that a request wants to keep clear of, or not to change at, as patterns.

A name begins with a capital letter; whether it is that of a stop, the planner knows.
"""

from __future__ import annotations

import re

from groundwire.agents.journey_requests.wish_words import NOT

# "on the", "of" and "&" stand within names: Harrow on the Hill, Elephant & Castle.
_DAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_WORD = r"(?:St\.|(?-i:[A-ZÄÖÜ])[\w’'&-]*+)"
_NAME = rf"{_WORD}(?:\s(?:&\s|on\sthe\s|of\s)?(?!{_DAY}){_WORD})*+"
_NO_STOP = (
    r"(?!(?:Zones?|Central\s+London|Inner\s+London|London(?!\s+\w)|Oyster|Uber|TfL|Wi-?Fi|Rush|Peak|I|"
    rf"Christmas|Easter|{_DAY})(?!\w))"
)
_ALSO = r",?\s(?:and|or|nor)\s(?:(?:the|via|through|at)\s)?"
_NAMES = (
    rf"(?:the\s+)?(?P<stops>{_NO_STOP}{_NAME}(?:(?:,\s{_NAME})*{_ALSO}{_NAME}(?!\s+to\b))?)"
    r"(?:\s+(?:tube\s+)?stations?)?"
)
_SAID = (
    r"(?:(?:and|but|please)\s+)*(?:(?:i|we)(?:['’]d)?\s+"
    r"(?:(?:would\s+)?(?:want|need|like|rather|prefer|have)\s+(?:to\s+)?)?)?"
)
_PASSING = (
    r"(?:(?:(?:go(?:ing)?|travel(?:l?ing)?|rid(?:e|ing)|com(?:e|ing)|(?:rout|tak|send)(?:e|ing)?\s+me|"
    r"be(?:ing)?\s+(?:sent|routed))\s+)?(?:via|through|thru|by\s+way\s+of|past)|"
    r"pass(?:ing)?(?:\s+(?:through|by))?|(?:stop(?:ping)?|call(?:ing)?)\s+at)"
)
_CHANGING = (
    r"(?:chang(?:e|es|ing)|transfer(?:s|ring)?|interchang(?:e|es|ing)|switch(?:ing)?)"
    r"(?:\s+(?:trains?|lines?|tubes?))?\s+(?:at|in)"
)
_KEEPING = (
    r"(?:avoid(?:ing|s)?|(?:steer|keep|stay)(?:ing)?\s+(?:well\s+)?(?:clear\s+of|away\s+from|out\s+of)|"
    r"bypass(?:ing)?|skip(?:ping)?|leav(?:e|ing)\s+out|without|"
    r"any(?:thing|where|\s+way|\s+route)\s+(?:but|except|other\s+than))"
)
BESIDE_LINES = (
    rf"(?:\s(?:and|or|nor)\s(?:the\s)?(?P<stops>{_NO_STOP}{_NAME})(?!\s+(?:to\b|lines?\b)))?"
)
"""A stop that is named after lines: "avoiding the Central line and Oxford Circus"."""
CHANGES_AVOIDED = rf"{_SAID}{NOT}\s+(?:(?:to|have|any)\s+)*{_CHANGING}\s+{_NAMES}"
STOPS_PASSED = rf"{_SAID}{NOT}\s+(?:to\s+)?{_PASSING}\s+{_NAMES}"
# "dont go thru bank": who writes without capitals names stops so too.
LOWER_PASSED = (
    rf"{_SAID}{NOT}\s+(?:to\s+)?{_PASSING}\s+"
    r"(?P<stops>[a-z'’]+(?:\s[a-z'’]+){0,2})(?=\s*(?:[,.;:!?]|$))"
)
STATIONS_AVOIDED = rf"{_SAID}{_KEEPING}\s+{_NAMES.removesuffix('?')}"
STOPS_AVOIDED = rf"{_SAID}{_KEEPING}\s+{_NAMES}"


def stop_names(match: re.Match[str]) -> list[str]:
    """Return the names of the stops; two that "and" joins stay together, as one name may be."""
    return re.split(r",\s(?!and\s|or\s|nor\s)", match["stops"])
