"""Words that a passage has no place for, though the records know what they call.

They are the names and times that a list has named already ("Poland and Poland"), what a thing is
said to be related to that is itself, and what makes another figure of one: "every 83 million",
"9 million per month", "twice 83 million". A gap in the records is none in what was published.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from groundwire.evidence.claims.absences import NOT_HELD
from groundwire.evidence.claims.absent_periods import published
from groundwire.evidence.claims.claim import Claim, is_value
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.figure_cues import (
    AND_OWN,
    FIRST_OF,
    MULTIPLIES,
    ONWARD,
    PER,
    RATES,
    is_comma,
    joins_last,
)
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.words import key_of
from groundwire.quantities import Quantity, resolve_unit

_HOLDS = ("supported", "derived")
# A figure in brackets, behind a name of a list.
_FIGURE = re.compile(r"[(（][^()（）A-Za-z\u3400-\u9fff]*[)）]")
_LINE = re.compile(r"(?:lines?|linien?|线)$")
# Between a name and itself: words alone, and no figure, bracket or clause.
_WORDS = re.compile(r"[^\W\d]+(?: [^\W\d]+){0,3}")


def misplaced(context: PassageContext, claims: Sequence[Claim]) -> Iterator[Span]:
    """Yield the words of a passage that it has no place for."""
    text = _FIGURE.sub(lambda m: '"' * len(m[0]), context.contexts.reading.text)
    names = [(m.start, m.end, _called(text[m.start : m.end])) for m in context.mentions]
    yield from _repeated(text, names)
    yield from _repeated(text, [(one.start, one.end, one.keys) for one in context.periods])
    yield from _of_itself(context, names)
    for _, end, _ in names:
        own = AND_OWN.match(text, end)
        word = context.contexts.annotated.at(own.end()) if own is not None else None
        if word is not None and word.role is not None and word.role.sense == "adjacent":
            yield word.start, word.end  # "Austria and its neighbours"
    if any(claim.detail.startswith(NOT_HELD) for claim in claims):
        yield from published(context.words)
    figures = [c for c in claims if c.kind in ("number", "percent") and c.status in _HOLDS]
    starts = {q.span[0] for q in context.quantities if not _is_of_time(q)}
    starts = {c.start for c in figures} & starts | {c.start for c in claims if c.kind == "date"}
    starts |= {c.start for c in claims if c.kind == "time"}
    starts |= {c.start for c in figures if c.facts and "duration" in c.facts[0].value.name}
    ends = {c.end for c in figures if is_value(c) and c.facts[0].periods}
    for before, word in pairwise(context.words):
        if before.text.casefold() in RATES and word.start in starts:
            yield before.start, before.end
        role = word.role
        if role is None or role.sense != "recurrence":
            continue
        if before.end in ends or (ends and word.text.casefold().startswith(PER)):
            yield word.start, word.end
    units = {q.span[0] for q in context.quantities if q.unit is not None}
    for start in (*starts, *(mention.span[0] for mention in context.dates)):
        low = max(context.passage.start, start - 16)
        cue = MULTIPLIES.search(text, low, start)
        cue = cue or (FIRST_OF.search(text, low, start) if start in units else None)
        if cue is not None:
            yield cue.span()


def _called(name: str) -> str:
    """Return what tells a name from others: "Jubilee line" is "Jubilee"."""
    key = key_of(name)
    return _LINE.sub("", key) or key


def _of_itself(context: PassageContext, names: Sequence[tuple[int, int, str]]) -> Iterator[Span]:
    """Yield a name that words alone join to itself: "tides come before tides"."""
    text, things = context.contexts.reading.text, {m.start: m.named for m in context.mentions}
    for (start, before, key), (at, end, name) in pairwise(names):
        named = things[at]
        between = text[before:at]
        joined = between.isalnum() if not between.isascii() else between[:1] == " "
        if key != name or not (named.entities or named.values) or not joined or start == at:
            continue
        goes_on = text[end : end + 1].isalnum() or text[end : end + 1] in ("'", "’")
        if _WORDS.fullmatch(between.strip()) and not goes_on:
            yield at, end


def _repeated(text: str, parts: Sequence[tuple[int, int, object]]) -> Iterator[Span]:
    """Yield the names that a list has named already."""
    told: set[object] = set()
    again: list[Span] = []
    is_last = False
    for (_, before, key), (start, end, name) in pairwise(parts):
        was_last, is_last = is_last, joins_last(text, before, start)
        if is_last and not told and "," in text[before:start]:
            is_last = False  # ", and" joins two clauses
            continue
        if not is_last and (was_last or not is_comma(text, before, start)):
            yield from again if len(told) > 1 and not was_last else ()
            told, again = set(), []
            continue
        told.add(key)
        begins = ONWARD.match(text, end) is not None  # "A to B and B to C"
        again += [(start, end)] if name in told and not begins else []
        yield from again if is_last else ()
    yield from again if len(told) > 1 and not is_last else ()


def _is_of_time(quantity: Quantity) -> bool:
    unit = resolve_unit(quantity.unit) if quantity.unit else None
    return unit is not None and unit.dimension == "time"
