"""Days that a passage names beside its figures: without their year, or the day of the call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from functools import lru_cache

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.segments import Span
from groundwire.language import LANGUAGES
from groundwire.language import Span as Word
from groundwire.quantities import find_dates


def named_days(words: Sequence[Word], facts: Sequence[Fact], known: Knowledge) -> Iterable[Span]:
    """Where words name a recorded day without its year: "24 November", "Tuesday"."""
    ids = {fact.evidence_id for fact in facts}
    days = {
        fact.date.start
        for fact in known.facts.dates
        if fact.evidence_id in ids and fact.date is not None and fact.date.grain == "day"
    }
    for word in words:
        unread = word.kind == "leftover" or (word.kind == "time" and word.role is None)
        if unread and any(_is_day(word.text, day) for day in days):
            yield word.start, word.end


@lru_cache(maxsize=7)
def _weekdays(weekday: int) -> frozenset[str]:
    """The names of a weekday, counted from Monday as 0, in every language."""
    from babel.dates import get_day_names

    return frozenset(
        get_day_names(locale=language)[weekday].casefold() for language in LANGUAGES if language
    )


@lru_cache(maxsize=1_024)
def _is_day(text: str, day: date) -> bool:
    """Whether a text is the weekday of a day, or its day and month."""
    if text.casefold() in _weekdays(day.weekday()):
        return True
    written = f"{day.year}年{text}" if "月" in text else f"{text} {day.year}"
    return any(one.start == day and one.grain == "day" for one in find_dates(written))


def day_of_asking(
    claims: Iterable[Claim], context: PassageContext, facts: Sequence[Fact], known: Knowledge
) -> Iterable[Span]:
    """Where a passage names the day of the call, and the period of its figures beside it."""
    periods = {key for fact in facts for key in fact.periods}
    dated = any(anchor.keys & periods for anchor in context.periods)
    days = {m.span for m in context.dates if m.grain == "day" and m.start.isoformat() in known.made}
    for claim in claims:
        asked = (claim.start, claim.end) in days and claim.status == "supported"
        if asked and (dated or not periods):
            yield claim.start, claim.end
