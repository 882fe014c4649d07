"""All entities of a kind added up: "Loans in total in 2022", "visitors without the harbour branch".

A kind is added up where none of its entities is the whole or a part of another.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from groundwire.metrics.intent.derivations import WHOLES
from groundwire.metrics.intent.parsed import Span
from groundwire.metrics.intent.roles import Explained
from groundwire.metrics.intent.slots import Value
from groundwire.metrics.intent.tokens import inside
from groundwire.metrics.profile import Metric, Profile

_MOST_ADDED = 40


def added_up(
    explained: Explained, text: str, profile: Profile, metric: Metric, values: Sequence[Value]
) -> list[Value]:
    """Return the values of a question with all entities that are to be added up; else none.

    Args:
        explained: the words of the question; those that ask for the whole are explained here.
        text: the cleaned question.
        profile: of its names.
        metric: the one that is asked for.
        values: of all slots.
    """
    named = [one for one in values if one.slot == "entity"]
    parts = _parts(profile, metric)
    if not parts or metric.measure == "rate" or "sum" not in metric.derivations:
        return []
    if named:
        spans = [span for one in named if (span := _excepted(text, one.span, named))]
        if len(spans) != len(named):
            return []
    else:
        metrics = [one.span for one in values if one.slot == "metric"]
        spans = [
            found.span()
            for found in _words("whole").finditer(text)
            if not any(first < found.end() and found.start() < last for first, last in metrics)
        ]
        # A sum of what is said to be listed is one of all that there is.
        if not spans and not any(one == "sum" for one, _, _ in explained.operations):
            return []
    left_out = {code for one in named for code in one.codes}
    codes = tuple(code for code in parts if code not in left_out)
    if len(codes) < 2:
        return []
    for span in spans:
        for at in inside(explained.tokens, *span):
            if explained.roles[at] != "term":
                explained.roles[at] = "function"
    place = named[0].span if named else (0, 0)
    return [
        *(one for one in values if one.slot != "entity"),
        *(Value("entity", (code,), place) for code in codes),
    ]


def _parts(profile: Profile, metric: Metric) -> tuple[str, ...]:
    """Return the entities of a kind that make a whole together; none where one is the whole."""
    own = [one for one in profile.entities if one.kind == metric.kind]
    is_flat = not profile.kinds[metric.kind].home and not any(
        one.parent or one.parents or _words("whole").search(f" {name} ")
        for one in own
        for name in (one.name, *one.aliases)
    )
    return tuple(one.code for one in own) if is_flat and 2 <= len(own) <= _MOST_ADDED else ()


def _excepted(text: str, place: Span, named: Sequence[Value]) -> Span | None:
    """Return the place of an entity with the words that leave it out; None where none do."""
    first, last = place
    before = [one for one in _words("except").finditer(text) if one.end() <= first]
    if not before:
        return None
    between = text[before[-1].end() : first]
    for one in named:
        between = between.replace(text[slice(*one.span)], "")
    if _words("between").sub("", between).strip(" ,，"):
        return None
    after = _words("except_after").match(text, last)
    return before[-1].start(), after.end() if after else last


@cache
def _words(name: str) -> re.Pattern[str]:
    """Return the pattern of some words, in any of the languages."""
    said = [one for language in WHOLES[name].values() for one in language]
    parts = [
        re.escape(one) if ord(one[0]) > 0x2E80 else rf"\b{re.escape(one)}\b"
        for one in sorted(said, key=len, reverse=True)
    ]
    return re.compile("|".join(parts), re.IGNORECASE)
