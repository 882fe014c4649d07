"""Gaps in time: where a text names the period of one, what follows from it, what was published."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import partial

from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.fact_index import PeriodKey, key_of_period, period_key
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.segments import Passage, Span
from groundwire.evidence.claims.words import cue_tables, key_of, words_of
from groundwire.evidence.records import Condition, Statement
from groundwire.language import Span as Word
from groundwire.quantities import DateMention

_CONCLUDES = frozenset[str]((*cue_tables()["concludes"], *cue_tables()["hence"]))
_COMPUTED = frozenset[str](cue_tables()["computed"])
_TELLS = frozenset[str](cue_tables()["tells"])
_CLAUSE_ENDS = frozenset(",;.，；。")
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


def concluded(context: PassageContext, since: int) -> Iterator[Span]:
    """Yield the words by which a gap leaves something untold: "so no change can be given".

    Args:
        context: the passage.
        since: where the words begin that tell the gap.
    """
    behind = [word for word in context.words if word.start >= since]
    so = next((place for place, w in enumerate(behind) if w.text.casefold() in _CONCLUDES), None)
    if so is None:
        return
    while so and behind[so - 1].text not in _CLAUSE_ENDS:
        so -= 1  # "die Veränderung lässt sich daher nicht berechnen"
    clause = behind[so:]
    stop = next((place for place, w in enumerate(clause) if w.text in ".;；。"), len(clause))
    clause = clause[:stop]
    if any(w.quantity is not None and not w.quantity.words for w in clause):
        return
    if _goes_beyond(context, clause):
        return
    denies = any(
        (w.role is not None and w.role.role == "negation") or _has(w, {"no", "kein"})
        for w in clause
    )
    if denies and any(map(partial(_has, forms=_TELLS), clause)):
        for word in clause:
            role = word.role.role if word.role is not None else ""
            if role in ("negation", "cause", "question", "comparison") or _has(
                word, _COMPUTED | _TELLS | {"no"}
            ):
                yield word.start, word.end


def _goes_beyond(context: PassageContext, clause: Sequence[Word]) -> bool:
    """Whether a clause speaks of another thing, metric or time than what was told before it."""
    start, end = clause[0].start, clause[-1].end
    told, said = (context.passage.start, start), (start, end)
    computed = {word.start for word in clause if _has(word, _COMPUTED)}
    every = context.contexts
    for anchors, before in (
        (every.entities(said), every.entities(told)),
        (every.names(said), every.names(told)),
    ):
        known = frozenset(key for anchor in before for key in anchor.keys)
        if any(a.start not in computed and known.isdisjoint(a.keys) for a in anchors):
            return True
    periods = [anchor.keys for anchor in every.dated(said)]
    times = frozenset(key for anchor in every.dated(told) for key in anchor.keys)
    return bool(periods) and all(times.isdisjoint(keys) for keys in periods)


def is_whole_gap(condition: Condition, known: Knowledge, entities: Collection[str]) -> bool:
    """Whether nothing at all is recorded of the period of a condition, or not of some things.

    Args:
        condition: what an absence holds under.
        known: what the records hold.
        entities: keys of the things, none for any.
    """
    keys = periods_in(condition)
    return not any(
        fact.periods & keys
        for fact in known.facts.numbers()
        if not entities or not fact.entities.isdisjoint(entities)
    )


def is_of_all(one: Statement, known: Knowledge) -> bool:
    """Whether an absence is of the only thing that any value is recorded of."""
    things = {key for fact in known.facts.numbers() if fact.periods for key in fact.entities}
    return bool(things) and things <= frozenset(map(key_of, one.subject))


def periods_in(condition: Condition) -> frozenset[PeriodKey]:
    """Return the keys of the periods that a condition names."""
    return frozenset(key_of_period(name) for names in condition.objects for name in names)


def metric_before(one: Statement, passage: Passage, text: str, known: Knowledge) -> bool:
    """Whether the metric that an absence is of is the last one named before a passage, alone."""
    start = text.rfind("\n", 0, passage.start) + 1
    here, before = text[passage.start : passage.end], text[start : passage.start]
    own = frozenset(name.casefold() for name in one.subject)
    by_metric = {names: labels - own for names, labels in known.once(_labels).items()}
    if any(_last(labels, here) >= 0 for labels in by_metric.values()):
        return False
    places = {names: _last(labels, before) for names, labels in by_metric.items()}
    last = max(places.values(), default=-1)
    named = {names for names, place in places.items() if place == last >= 0}
    metric = {
        key_of(n) for c in one.conditions if "metric" in c.predicate for o in c.objects for n in o
    }
    return len(named) == 1 and bool(metric & named.pop())


def _labels(known: Knowledge) -> dict[frozenset[str], frozenset[str]]:
    """Return what every metric is called, by the keys of its name."""
    found: dict[frozenset[str], frozenset[str]] = {}
    for fact in known.facts.numbers():
        if fact.entities and fact.periods and not fact.operands:
            said = (one.casefold() for one in (fact.value.name, *fact.value.labels))
            found[fact.names] = found.get(fact.names, frozenset()) | frozenset(said)
    of_things = frozenset(x for a in found for b in found if a != b for x in found[a] & found[b])
    return {names: labels - of_things for names, labels in found.items()}


def _last(labels: Collection[str], text: str) -> int:
    folded = text.casefold()
    spans = (m for one in labels for m in re.finditer(rf"(?<!\w){re.escape(one)}", folded))
    return max((match.start() for match in spans), default=-1)
