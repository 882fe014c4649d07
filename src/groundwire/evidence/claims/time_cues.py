"""Words of time: a year, since, before and after, days without their year, things by their days."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise
from typing import Any

from groundwire.evidence.claims.absences import NOT_HELD
from groundwire.evidence.claims.change_spans import is_next, is_year_apart, leaps
from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.counterparts import QUOTIENTS, quotients_of
from groundwire.evidence.claims.fact_index import Fact, distinct, key_of_period
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.proof import Outcome, Proof, sense_of
from groundwire.evidence.claims.runs import (
    LENGTHS,
    fits_length,
    is_decade,
    judge_step,
    lies_within_each,
    years_apart,
)
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.series import days_of, length_of
from groundwire.evidence.claims.stated_values import compared_values, stated_facts
from groundwire.evidence.claims.value_rows import rows, time_of
from groundwire.evidence.claims.words import cue_tables, words_of
from groundwire.language import LANGUAGES
from groundwire.language import Span as Word
from groundwire.quantities import find_clock_times, find_dates

_WORDS = cue_tables()["recurs"]
_REASON = "reason is"
_PART_OF_TIME = frozenset[str](cue_tables()["part_of_time"])
# So many words before a date may tell what was then: "published on".
_NEAR_DATE = 2
_STILL = frozenset[str](cue_tables()["still"])
_EACH_TIME = frozenset[str](cue_tables()["each_time"])
_LENGTHS_OF_TIME = frozenset[str](cue_tables()["lengths_of_time"])
_STOPS = frozenset(",;:.()，；。（）")
_NEW = frozenset[str](cue_tables()["new"])
_PARTS: Mapping[str, Mapping[str, Any]] = cue_tables()["parts_of_day"]
_DAY = 24 * 60
_PER = {"year": ("year", "annual", "jahr", "jähr", "年"), "quarter": ("quarter", "quartal", "季"),
             "month": ("month", "monat", "月")}  # fmt: skip
_EVENTS, _OF_DAY = ("departure", "arrival"), " day"
# An item of which no option is told is of any of so many.
_MOST_OPTIONS = 16
_TEN = 10
# From "after" to the figure of the earlier time, a verb between them: "after falling to 9.7 %".
_NEAR = 24
# The unit of what there is at a time, and not of what happens in it.
_OF_STOCKS = "people"


def judge_time_word(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """Words of time: a year is one where a date is proven, a span where two are."""
    sense, periods = sense_of(words[place]), {key for fact in proof.facts for key in fact.periods}
    dated = bool(periods) or any(c.kind in ("date", "time") for c in proof.claims if c.facts)
    if _is_of_other_time(proof, words, place):
        return None
    if sense in ("period", "during"):
        decade = is_decade(words[place]) and years_apart(proof.context) == _TEN
        dated = dated or decade or _names_group(proof, words, place)
        return True if dated or _is_unit(proof, words[place]) else None
    if sense == "part":
        return _is_part(proof, words[place])
    each = sense == "step" or (sense == "recurrence" and _is_each(words[place]))
    if each and lies_within_each(proof.claims, words[place].text):
        return True
    if sense == "step":
        return (
            judge_step(proof, words, words[place])
            if fits_length(words[place].text, proof.facts)
            else None
        )
    if sense == "recurrence":
        return _recurs(proof, words, place)
    if sense in ("since", "until"):
        return True if len({fact.periods for fact in proof.facts if fact.periods}) > 1 else None
    if sense == "now" and is_still(words[place]):
        return judge_still(proof, words, place)
    told = [c.detail for c in proof.claims if c.kind != "name"]
    if sense == "now" and told and all(d.startswith(NOT_HELD) and _REASON in d for d in told):
        return True  # "the live status cannot be seen right now"
    if sense == "now":
        is_new = words[place].text.casefold() in _NEW
        return (
            True if proof.facts and not periods and proof.found.is_present and not is_new else None
        )
    return None


def _names_group(proof: Proof, words: Sequence[Word], place: int) -> bool:
    """Whether a word of time leads to a thing that a figure is of: "during the day"."""
    behind = {word.start for word in words[place : place + 3]}
    own = {key for claim in proof.claims for fact in claim.facts for key in fact.entities}
    return any(a.start in behind and a.keys & own for a in proof.context.entities)


def _tells_how_often(words: Sequence[Word], place: int) -> bool:
    """Whether a word of time follows a number of times, which are then those of that time."""
    before = words[max(0, place - 2) : place]
    return any(word.quantity is not None and word.quantity.unit == "×" for word in before)


def _is_of_other_time(proof: Proof, words: Sequence[Word], place: int) -> bool:
    """Whether a word tells of another time than what proves its passage.

    "Mid 2020" is a part of it, "6.6 % a year" no growth of ten years, and "the same decade" not
    twenty years.
    """
    word = words[place]
    if word.text.casefold() in _NEW or _tells_how_often(words, place):
        return True  # "five times this week"
    if any({token.key, token.lemma} & _PART_OF_TIME for token in word.tokens):
        return True
    is_per = bool(place) and words[place - 1].text.casefold() in ("per", "pro")
    if is_per or sense_of(word) in ("step", "recurrence"):
        return leaps(proof.claims, proof.context.clause(word.start))
    if place and words[place - 1].text.casefold() in _EACH_TIME and _is_rate(proof, words, place):
        return True
    before = words[place - 1].role if place else None
    each = before is not None and before.role == "quantifier"
    if each or not is_decade(words[place]):
        return False
    apart = years_apart(proof.context)
    return apart not in (None, _TEN) and not _is_unit(proof, words[place], least=2)


def _is_rate(proof: Proof, words: Sequence[Word], place: int) -> bool:
    """Whether "a day", "im Monat" makes a rate of a figure that is recorded as none, or another."""
    word = words[place]
    forms = {form for token in word.tokens for form in (token.key, token.lemma)}
    figures = [c for c in proof.claims if c.kind == "number" and c.end < word.start]
    facts = figures[-1].facts if figures and forms & _LENGTHS_OF_TIME else ()
    facts = [fact for fact in facts if not fact.operands]
    behind = words[place + 1] if place + 1 < len(words) else None
    if not facts or _STOPS & set(proof.text[figures[-1].end : word.start]):
        return False
    if behind is not None and (behind.quantity is not None or behind.text[:1].isdigit()):
        return False  # "im Jahr 2020"
    spans = [days for fact in facts if (days := days_of(fact))]
    if not spans:
        grain = next((key for key, stems in _PER.items() if forms & {*stems}), "")
        return not (grain and _is_named_by(proof, _PER[grain]))
    return not any(length_of(one) in LENGTHS.get(form, ()) for one in spans for form in forms)


def is_still(word: Word) -> bool:
    """Whether a word says that something was so before: "still", "remained"."""
    return word.text.casefold() in _STILL or any(token.lemma in _STILL for token in word.tokens)


def judge_still(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """Still: by the same comparison at the recorded time before, or by a later figure beside.

    "In 2020 it was still larger" was so in 2010 as well; "in 2010 it was still 8.4 million" tells a
    figure that is another one at a later time of the passage.
    """
    behind = words[place + 1 : place + 3]
    cue = next((w for w in behind if w.role and w.role.role in ("comparison", "bound")), None)
    if cue is None:
        return _changes_later(proof, words[place])
    now = stated_facts(proof)
    periods = {fact.periods for fact in now if fact.periods}
    about = {(fact.names, fact.value.unit) for fact in now}
    if len(periods) != 1:
        return None
    told = tuple(sorted(map(str, next(iter(periods)))))
    earlier: dict[tuple[str, ...], list[Fact]] = {}
    for fact in rows(proof.known):
        time = tuple(time_of(fact))
        if time and time < told and (fact.names, fact.value.unit) in about:
            earlier.setdefault(time, []).append(fact)
    pairs = list(compared_values(proof, cue, now))
    for time in sorted(earlier, reverse=True):
        before = list(compared_values(proof, cue, distinct(earlier[time])))
        if before and pairs:
            return True if [a > b for a, b in before] == [a > b for a, b in pairs] else None
    return None


def _changes_later(proof: Proof, word: Word) -> Outcome:
    """Whether the figure beside a word is of an earlier time than another one of its passage."""
    held = [
        (abs(claim.start - word.end), claim.facts[0])
        for claim in proof.claims
        if claim.kind in ("number", "percent") and claim.status == "supported"
        if claim.facts and claim.facts[0].periods and not claim.facts[0].operands
    ]
    if _is_less_than_before(proof):
        return True
    if len(held) < 2:
        return None
    _, own = min(held, key=lambda one: one[0])
    alike = (f for _, f in held if (f.names, f.entities) == (own.names, own.entities))
    return any(time_of(fact) > time_of(own) for fact in alike) or None


def _is_part(proof: Proof, word: Word) -> Outcome:
    """Morning, weekend: beside a date or a time; a part of a day must hold the first time."""
    dated = any(c.kind in ("date", "time") for c in proof.claims if c.facts)
    names = {name for token in word.tokens for name in (token.lemma, token.key)}
    part = next((one for one in _PARTS.values() if names & set(one["words"])), None)
    times = [
        minutes
        for claim in proof.claims
        if claim.kind == "time"
        for fact in claim.facts[:1]
        for clock in find_clock_times(fact.value.value)
        for minutes in clock.minutes[:1]
    ]
    times = times or sorted(_departures(proof))
    if part is None or not times:
        return True if dated else None
    dated = dated or bool(times)
    begins = [times[0], times[0] + _DAY]
    return True if any(part["from"] <= at <= part["to"] for at in begins) else None


def _departures(proof: Proof) -> set[int]:
    """Return when the one trip that a passage tells of departs, in minutes after midnight."""
    items = {f.value.item.names for f in proof.facts if f.value.item is not None}
    return {
        minutes
        for minutes, facts in proof.known.facts.times.items()
        for fact in facts
        if len(items) == 1 and fact.value.name == "departure" and fact.value.item is not None
        if fact.value.item.names in items and not fact.value.item.pieces
    }


def _is_each(word: Word) -> bool:
    folded = word.text.casefold()
    return any(folded.startswith(one) for one in _WORDS["each"])


def _recurs(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """Each year, year on year, annual: by a series, by two years in a row, by values of years."""
    folded = words[place].text.casefold()
    if _is_each(words[place]):
        return judge_step(proof, words, words[place])
    spans = _spans_of(proof)
    grain = next((key for key in ("quarter", "month") if folded in _WORDS[key]), "year")
    alike = [span for span in spans if _days(span) in LENGTHS[grain]]
    if folded in _WORDS["in_a_row"]:
        if any(is_next(a, b) for a in alike for b in alike):
            return True
        yearly = grain == "year" and any(is_year_apart(a, b) for a in spans for b in spans)
        return True if yearly else None
    moves = any(word.role is not None and word.role.role == "direction" for word in words)
    if moves and len(spans) > 1 and not all(is_next(a, b) for a, b in pairwise(spans)):
        return judge_step(proof, words, words[place])
    if not spans:
        return True if _is_named_by(proof, _PER[grain]) else None
    if any(fact.value.unit == _OF_STOCKS for fact in proof.plain) and not moves:
        return None  # people are, and are not so many each year
    return True if len(alike) == len(spans) else None


def _is_named_by(proof: Proof, words: Iterable[str]) -> bool:
    """Whether what the figures of a passage are called says a length of time: "yearly cost"."""
    facts = [fact for claim in proof.claims for fact in claim.facts]
    said = [{one for name in fact.names for one in words_of(name)} for fact in facts]
    return bool(said) and all(any(one.startswith(tuple(words)) for one in own) for own in said)


def _spans_of(proof: Proof) -> list[tuple[str, str, bool]]:
    """Return the periods of the values that speak for a passage, and of what these are made of."""
    used = [f for c in proof.claims if c.status in ("supported", "derived") for f in c.facts]
    periods = {p for fact in used for one in (fact, *fact.operands) for p in one.periods}
    return sorted(p for p in periods if not isinstance(p, str))


def _days(span: tuple[str, str, bool]) -> int:
    return (date.fromisoformat(span[1]) - date.fromisoformat(span[0])).days


def _is_unit(proof: Proof, word: Word, least: int = 0) -> bool:
    return any(
        quantity.span[1] - 1 <= word.start <= quantity.span[1] + 12
        for quantity in proof.context.quantities
        if quantity.value >= least
    )


def in_time(proof: Proof, word: Word, sense: str) -> Outcome:
    """Whether the figures before and behind a word are of times in the order that it says."""
    held = [
        (claim, min(fact.periods, key=str))
        for claim in proof.claims
        if claim.kind in ("number", "percent") and claim.status == "supported"
        for fact in claim.facts[:1]
        if fact.periods
    ]
    before = [period for claim, period in held if claim.end <= word.start]
    behind = [period for claim, period in held if 0 <= claim.start - word.end <= _NEAR]
    if not before or not behind or before[-1] == behind[0]:
        return None
    return (str(before[-1]) > str(behind[0])) == (sense == "after")


def named_days(
    words: Sequence[Word],
    claims: Sequence[Claim],
    facts: Sequence[Fact],
    context: PassageContext,
    known: Knowledge,
) -> Iterable[Span]:
    """Where words name a recorded day without its year: "24 November", "Tuesday".

    Beside claims of one trip it is a day of that trip, beside a departure that of the departure.
    """
    ids = {fact.evidence_id for fact in facts}
    dated = [
        fact
        for fact in known.facts.dates
        if fact.evidence_id in ids and fact.date is not None and fact.date.grain == "day"
    ]
    starts = {fact.date.start for fact in dated if fact.date is not None}
    for word in words if dated else ():
        if word.kind == "leftover" or (word.kind == "time" and word.role is None):
            called = {day for day in starts if _is_day(word.text, day)}
            start, end = context.clause(word.start)
            near = [claim for claim in claims if called and start <= claim.start < end]
            days = _of_items(dated, near, _of_items(dated, claims, dated)) if called else ()
            if any(fact.date and fact.date.start in called for fact in days):
                yield word.start, word.end


def _is_of_other_item(claim: Claim, claims: Sequence[Claim], context: PassageContext) -> bool:
    """Whether a date is the day of another trip or event than a passage speaks of."""
    days = [fact for fact in claim.facts if fact.value.name.endswith(_OF_DAY)]
    start, end = context.clause(claim.start)
    others = [one for one in claims if one is not claim]
    near = [one for one in others if start <= one.start < end]
    dated = context.contexts.known.facts.dates
    own = _of_items(dated, near, _of_items(dated, others, dated)) if days else ()
    return bool(days) and not any(fact in own for fact in days)


def _of_items(
    dated: Sequence[Fact], claims: Sequence[Claim], otherwise: Sequence[Fact]
) -> Sequence[Fact]:
    """Return the dates of the items, ways and events that all of some claims may be of."""
    every = [
        {key for fact in claim.facts for key in _keys(fact)} for claim in claims if claim.facts
    ]
    common: set[tuple[str, int, str]] | None = None
    for keys in filter(None, every):
        common = keys if common is None else common & keys
    of_both = [fact for fact in dated if common and not common.isdisjoint(_keys(fact))]
    return of_both or otherwise


def _keys(fact: Fact) -> Iterable[tuple[str, int, str]]:
    """Yield what a value may be of: its item, each option of it, and each event of that."""
    item, name = fact.value.item, fact.value.name.removesuffix(_OF_DAY)
    if item is not None:
        whole = name in _EVENTS and not item.pieces
        for option in item.options or range(1, _MOST_OPTIONS):
            for event in (name,) if whole else _EVENTS:
                yield item.names[0], option, event


@lru_cache(maxsize=7)
def _weekdays(weekday: int) -> frozenset[str]:
    """The names of a weekday, counted from Monday as 0, in every language, long and short."""
    from babel import Locale

    every: Any = [Locale(one).days["format"] for one in LANGUAGES if one]
    both = (days[width][weekday] for days in every for width in ("wide", "abbreviated"))
    return frozenset(name.casefold().rstrip(".") for name in both)


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
    for claim in claims if dated or not periods else ():
        if (claim.start, claim.end) in days and claim.status == "supported":
            yield claim.start, claim.end


def other_events(
    claims: Sequence[Claim], words: Sequence[Word], context: PassageContext, known: Knowledge
) -> Iterable[Span]:
    """Yield the verbs right before a date that tell of another event: "recorded on", "published".

    The day on which a map was created is not the one on which it was published, and that of one
    trip not that of another.
    """
    for claim in claims:
        if claim.kind == "date" and _is_of_other_item(claim, claims, context):
            yield claim.start, claim.end
        facts = [fact for fact in claim.facts if fact.value.kind == "date"]
        own = [known.words_about(fact) for fact in facts if fact.entities]
        before = [word for word in words if word.end <= claim.start][-_NEAR_DATE:]
        for word in before if own and claim.kind == "date" else ():
            told = {form for token in word.tokens for form in (token.key, token.lemma)}
            tells = word.role is not None and word.role.role == "saying"
            if tells and all(told.isdisjoint(of) for of in own):
                yield word.start, word.end


def _is_less_than_before(proof: Proof) -> bool:
    """Whether the last value that a passage tells of one thing is the least: "2021 noch 44.3"."""
    told = distinct(
        part
        for claim in proof.claims
        if claim.kind in ("number", "percent") and claim.status in ("supported", "derived")
        for part in quotients_of(claim) or claim.facts
        if part.periods and (not part.operands or part.operation in QUOTIENTS)
    )
    kinds = {(f.names, f.entities, f.operation, f.value.unit) for f in told}
    ordered = sorted(told, key=time_of)
    if len(kinds) != 1 or len(ordered) < 2 or ordered[0].periods == ordered[-1].periods:
        return False
    return all((a.number or 0) > (b.number or 0) for a, b in pairwise(ordered))


_YEARS = range(1000, 2101)
_DAYS_OF_YEAR = 366
_Days = Mapping[frozenset[str], tuple[date, Fact]]


def judge_dates(proof: Proof, word: Word, sense: str) -> Outcome:
    """Return whether what stands before a word is of an earlier or later time than what is behind.

    Args:
        proof: the passage.
        word: what compares the two.
        sense: "before" or "after".

    Returns:
        None where the two have no date of one property, or of several that none is named of.
    """
    start, end = proof.context.clause(word.start)
    here = [a for a in proof.context.entities if start <= a.start < end]
    before = [a for a in here if a.end <= word.start]
    behind = [a for a in here if a.start >= word.end]
    if before and behind:
        first, second = before[-1], behind[0]
    elif len(before) > 1 and not word.text.isascii():
        first, second = before[-2:]  # A在B之前
    else:
        return None
    held = [_days_of(proof, one.keys) for one in (first, second)]
    common = held[0].keys() & held[1].keys()
    said = frozenset(words_of(proof.text[start:end]))
    named = [names for names in common if said & proof.known.words_about(held[0][names][1])]
    of = named or list(common)
    if len(of) != 1:
        return None
    (earlier, one), (later, other) = (days[of[0]] for days in held)
    proof.used.extend((one, other))
    years = [q for q in proof.context.quantities if start <= q.span[0] < end and q.unit]
    apart = abs(later.year - earlier.year)
    full = abs((later - earlier).days) // _DAYS_OF_YEAR
    if any(q.unit not in ("a", "yr", "year") or q.value not in (apart, full) for q in years):
        return None
    return earlier != later and (earlier < later) == (sense == "before")


def _days_of(proof: Proof, keys: frozenset[str]) -> _Days:
    """Return by the names of a property the one day, or year, that a thing has of it."""
    found: dict[frozenset[str], list[tuple[date, Fact]]] = {}
    for fact in proof.known.facts.all:
        if fact.entities & keys and (day := _day(fact)) is not None:
            found.setdefault(fact.names, []).append((day, fact))
    return {names: days[0] for names, days in found.items() if len({d for d, _ in days}) == 1}


def _day(fact: Fact) -> date | None:
    """Return the day that a value is, or the first of the year that it is."""
    if fact.date is not None and not fact.periods:
        return fact.date.start
    is_year = fact.unit is None and not fact.periods and not fact.operands
    if is_year and fact.number is not None and fact.number in map(Decimal, _YEARS):
        return date(int(fact.number), 1, 1)
    key = key_of_period(fact.value.value) if len(fact.value.value) == len("2020-01-01") else ""
    return date.fromisoformat(key[0]) if not isinstance(key, str) else None
