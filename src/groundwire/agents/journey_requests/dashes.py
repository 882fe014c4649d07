"""Dashes and arrows between places: "Angel - Bank", "Oval — Bank --> Angel".

A dash between two names leads from one to the other; any other ends what was said before it.
"""

from __future__ import annotations

import re

from groundwire.agents.journey_requests.clauses import OWN_PLACES
from groundwire.agents.journey_requests.fillers import BEGIN_NAMES, content, trailing_name
from groundwire.journeys.times.reading import find_times

# Long arrows; the short ones are words of direction already.
_ARROW = re.compile(r"(?<!\s)\s*(?:(?<!-)-{2,}|(?<!=)={1,}|(?<![–—])[–—]+)>\s*")
_DASH = re.compile(r"(?<!\s)\s+(?:-{1,2}|[–—]{1,2})\s+|(?<=\w)[–—](?=[A-Z])")
_BEFORE = re.compile(r"\A.*(?:[.,;:!?]\s|\bfrom\b|→)", re.IGNORECASE | re.DOTALL)
_FIRST = re.compile(r"(?:the\s+)?([\w'’&]+)", re.IGNORECASE)


def with_arrows(text: str) -> str:
    """A text in which every dash between two names is an arrow."""
    text = _ARROW.sub(" → ", text)
    found: list[str] = []
    at = 0
    for dash in _DASH.finditer(text):
        before = _BEFORE.sub("", "".join(found) + text[at : dash.start()])
        found.append(text[at : dash.start()])
        leads = _ends_with_name(before) and _begins_with_name(text[dash.end() :])
        found.append(" → " if leads else dash[0])
        at = dash.end()
    return "".join((*found, text[at:]))


def _ends_with_name(words: str) -> bool:
    if words.strip().lower() in OWN_PLACES:
        return True
    name = trailing_name(words)
    return bool(name) and (name[0].isupper() or name == words.strip())


def _begins_with_name(words: str) -> bool:
    first = _FIRST.match(words)
    if first is None or any(one.span[0] == 0 for one in find_times(words)):
        return False
    word = first[1].lower()
    return first[1][0].isupper() or bool(content(word)) or word in OWN_PLACES | BEGIN_NAMES
