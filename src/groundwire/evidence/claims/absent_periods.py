"""Gaps in time: where a text names the period of one, and words that tell of what was published."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from groundwire.evidence.claims.fact_index import key_of_period, period_key
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.words import cue_tables, words_of
from groundwire.evidence.records import Condition
from groundwire.language import Span as Word
from groundwire.quantities import DateMention

_PUBLISHES = frozenset[str](cue_tables()["publishes"])
_PERIODS = frozenset(("period", "year", "quarter"))


def published(words: Sequence[Word]) -> Iterator[Span]:
    """Yield the words by which a gap in the records is told as one of what somebody published."""
    yield from ((word.start, word.end) for word in words if _has(word, _PUBLISHES))


def _has(word: Word, forms: Collection[str]) -> bool:
    return any(token.key in forms or token.lemma in forms for token in word.tokens)


def periods_named(condition: Condition, dates: Sequence[DateMention]) -> list[tuple[int, int]]:
    """Return where a text names the period of a condition, in whatever way it is written."""
    if not _PERIODS & {word for name in condition.predicate for word in words_of(name)}:
        return []
    keys = [key_of_period(name) for names in condition.objects for name in names]
    spans = {key[:2] for key in keys if not isinstance(key, str)}
    return [date.span for date in dates if period_key(date)[:2] in spans]
