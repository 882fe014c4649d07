"""How long a time a change spans: its words must not tell it of a shorter one.

"Austria grew by 6.6 % in 2020" and "by 6.6 % a year" are not what a growth of ten years proves. A
change is told of its last period alone only where it is that from the period right before. A
figure that is told as the size of a change is proven by a change, and never by a value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise

from groundwire.evidence.claims.attachment import Anchor, is_base
from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.derivation import TO
from groundwire.evidence.claims.fact_index import Fact, PeriodKey
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.known_words import vocabulary
from groundwire.evidence.claims.operators import operator
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.words import cue_tables
from groundwire.language import Span as Word

_LEAD = 24
_FULL_YEAR = 359
_DECADE = 10
_BEFORE_TAX = frozenset[str](cue_tables()["before_tax"])
_SPANS_TIMES = frozenset[str](cue_tables()["spans_times"])
_TENS = tuple("二两三四五六七八九")  # 二十年 is no decade
_FROM = re.compile(
    r"(?:\b(?:from|since|than|on|over|against|vs\.?|versus|with|relative to|seit|ab|als|von|"
    r"gegenüber)"
    r"\s+(?:(?:in|im|the|that of|dem|jahr|year)\s+)*|[比较从自]\s?)$",
    re.IGNORECASE,
)
_SINCE = re.compile(
    r"\b(?:since|ab|seit|starting (?:in|from))\s(?:(?:dem|jahr|the|year)\s)*$", re.I
)
_UNTIL = re.compile(
    r"(?:\b(?:until|till|by|up to|to|bis)\s(?:(?:zum|dem|jahr|the|year)\s)*|[到至]\s?)$",
    re.I,
)
_AFTER = re.compile(r"\b(?:after|following|nach|until|till|bis) $", re.IGNORECASE)
_ON = re.compile(r"\s?(?:on(?:wards?)?\b(?! (?:the|average))|an\b|起|以来|之?后|以后|开始)", re.I)
Period = tuple[str, str, bool]
_YEARS = {"decade": 10, "decades": 10, "jahrzehnt": 10, "jahrzehnts": 10, "jahrzehnten": 10}
# What tells a growth of one year, though it is made of two that lie further apart.
_PER_YEAR = frozenset(("cagr",))


def change_ends(claim: Claim) -> tuple[Period, Period] | None:
    """Return the periods from which to which a figure tells a change; None where it tells none."""
    facts: Sequence[Fact] = claim.facts
    if claim.status != "derived" or not facts or facts[0].operation in _PER_YEAR:
        return None
    first, *rest = facts
    operands = (first, *rest) if " − " in claim.detail else first.operands
    if len(operands) != 2:
        return None
    a, b = operands
    alike = a.names == b.names and a.entities == b.entities and a.value.item == b.value.item
    periods = [_period(one) for one in operands]
    if not alike or None in periods or periods[0] == periods[1]:
        return None
    early, late = sorted(one for one in periods if one is not None)
    return early, late


def _period(fact: Fact) -> Period | None:
    held = sorted(key for key in fact.periods if not isinstance(key, str))
    return held[0] if held else None


def is_next(early: Period, late: Period) -> bool:
    """Whether a period begins the day after another of the same length ends."""
    ends, begins = date.fromisoformat(early[1]), date.fromisoformat(late[0])
    length = (ends - date.fromisoformat(early[0])).days
    other = (date.fromisoformat(late[1]) - begins).days
    return (begins - ends).days == 1 and abs(length - other) <= 3


def is_year_apart(early: Period, late: Period) -> bool:
    """Whether a period is the same part of the year behind that of another: 2025H1 and 2026H1."""
    same = early[0][4:] == late[0][4:] and early[1][5:7] == late[1][5:7]
    days = (date.fromisoformat(early[1]) - date.fromisoformat(early[0])).days
    return same and int(late[0][:4]) - int(early[0][:4]) == 1 and days < _FULL_YEAR


def _is_yearly(context: PassageContext) -> bool:
    """Whether a passage says that it compares with the year before: 同比, year on year."""
    passage = context.passage
    said = context.contexts.reading.text[passage.start : passage.end].casefold()
    return any(phrase in said for phrase in cue_tables()["recurs"]["in_a_row"])


def leaps(claims: Iterable[Claim], clause: Span) -> bool:
    """Whether a change that a clause tells is of two periods that do not follow on each other."""
    ends = (change_ends(claim) for claim in claims if clause[0] <= claim.start < clause[1])
    return any(one is not None and not is_next(*one) and not is_year_apart(*one) for one in ends)


def untold_ends(
    context: PassageContext, claims: Sequence[Claim], words: Sequence[Word]
) -> Iterator[Span]:
    """Yield the one period of a passage that tells a change of it which is that of a longer time.

    So is "over the decade" yielded, where a change is of another time.

    Args:
        context: the passage.
        claims: its claims.
        words: its words.
    """
    own, passage = context.periods, context.passage
    yield from _turned_spans(context)
    for word in words:  # what is recorded after tax is not told before it
        if (said := word.text.casefold()) in _BEFORE_TAX:
            labels = (label for c in claims for fact in c.facts for label in fact.value.labels)
            if not any(said in label.casefold() for label in labels):
                yield word.start, word.end
    yield from _turned_bases(context, claims)
    changes = list(filter(None, map(change_ends, claims)))
    if len({f.periods for c in claims for f in c.facts if f.periods}) == 1:
        yield from _times_told(words)
        yield from _left_open(context)
    if any(int(late[0][:4]) - int(early[0][:4]) != _DECADE for early, late in changes):
        text = context.contexts.reading.text
        found = operator("decade").finditer(text, passage.start, passage.end)
        yield from (m.span() for m in found if text[m.start() - 1 : m.start()] not in _TENS)
    if len(own) != 1 or passage.kind == "cell":
        return
    above = (one.keys for span in context.above for one in context.contexts.dated(span))
    told = own[0].keys.union(*above)
    for early, late in changes:
        named = [one for one in (early, late) if told & _alike(one)]
        if _turns_away(context, own[0], early, late):
            yield own[0].start, own[0].end
            return
        if len(named) == 2 or not own[0].keys & _alike(early, late):
            continue
        if is_next(early, late) or (is_year_apart(early, late) and _is_yearly(context)):
            is_told = (named == [late]) != is_base_time(context, own[0].start)
        else:
            is_told = _years_between(context, words, early, late)
        if not is_told:
            yield own[0].start, own[0].end
            return


def _times_told(words: Sequence[Word]) -> Iterator[Span]:
    """Yield words that speak of several times, as "for years" does; "for 20 years" is a figure."""
    for before, word in pairwise(words):
        if word.text.casefold() in _SPANS_TIMES and before.quantity is None:
            yield word.start, word.end


def _left_open(context: PassageContext) -> Iterator[Span]:
    """Yield times that are told as the beginning of a longer one: "from 2020 on", 自2020年起."""
    text = context.contexts.reading.text
    for mention in context.dates:
        start, end = mention.span
        since = _SINCE.search(text, max(0, start - _LEAD), start)
        led = _FROM.search(text[max(0, start - _LEAD) : start])
        if since or (led and _ON.match(text, end)):
            yield start, end


def _begins(context: PassageContext, period: Anchor[PeriodKey]) -> bool:
    """Whether something is told since a time."""
    text = context.contexts.reading.text
    since = _SINCE.search(text, max(0, period.start - _LEAD), period.start)
    return since is not None or _ON.match(text, period.end) is not None


def _turns_away(
    context: PassageContext, period: Anchor[PeriodKey], early: Period, late: Period
) -> bool:
    """Whether a change is told since its end or until its beginning."""
    is_early, is_late = bool(period.keys & _alike(early)), bool(period.keys & _alike(late))
    text = context.contexts.reading.text
    until = _UNTIL.search(text, max(0, period.start - _LEAD), period.start)
    if is_late and not is_early:
        return _begins(context, period)
    return is_early and not is_late and until is not None


def is_base_time(context: PassageContext, start: int) -> bool:
    """Whether a period is what a change is told from: "5.3 % more than in 2024"."""
    text = context.contexts.reading.text
    return is_base(text, start) or _FROM.search(text[max(0, start - _LEAD) : start]) is not None


def _alike(*periods: Period) -> frozenset[PeriodKey]:
    """The keys of periods with and without the mark that one is a fiscal year."""
    return frozenset((*one[:2], mark) for one in periods for mark in (True, False))


def _years_between(
    context: PassageContext, words: Sequence[Word], early: Period, late: Period
) -> bool:
    """Whether a passage says how many years lie between two periods: "in the decade to 2020"."""
    years = int(late[0][:4]) - int(early[0][:4])
    said = {_YEARS.get(token.key, 0) for word in words for token in word.tokens}
    said |= {q.value for q in context.quantities if q.unit == "year"}
    for word, behind in pairwise(words):
        if word.quantity is not None and behind.role is not None and behind.role.role == "time":
            by = max((_YEARS.get(token.key, 1) for token in behind.tokens), default=1)
            said.add(int(word.quantity.value) * by)
            said -= {10} if by == 10 else set()
    return years > 0 and years in said


def is_led_to(
    text: str, claims: Sequence[Claim], words: Sequence[Word], clause: tuple[int, int]
) -> bool:
    """Whether a rise or fall is told to lead to what it is itself, and no growth is spoken of."""
    of_growth = any(
        word.role is not None and word.role.role == "direction" and word.tokens[0].tag == "noun"
        for word in words
        if clause[0] <= word.start < clause[1]
    )
    return not of_growth and any(
        TO.search(text, clause[0], claim.start) is not None
        for claim in claims
        if clause[0] <= claim.start < clause[1] and claim.kind == "percent"
        if any(fact.operation == "percent_change" for fact in claim.facts)
    )


def is_told_at_start(context: PassageContext, known: Knowledge) -> bool:
    """Whether the one time that a passage tells is the first of all that are recorded of it.

    What is recorded then has not changed yet: a fall from 2019 to 2020 is none in 2019.
    """
    if len(context.periods) != 1 or any(context.contexts.dated(span) for span in context.above):
        return False
    (time,), text = context.periods, context.contexts.reading.text
    behind = _AFTER.search(text, max(0, time.start - _LEAD), time.start)
    if behind or is_base_time(context, time.start) or _begins(context, time):
        return False
    things = frozenset(key for anchor in context.entities for key in anchor.keys)
    facts = (f for f in known.facts.numbers() if not things or f.entities & things)
    held = sorted({period[:2] for fact in facts if (period := _period(fact)) is not None})
    own = {key[:2] for key in time.keys if not isinstance(key, str)}
    return len(held) > 1 and held[0] in own and held[-1] not in own


def _turned_bases(context: PassageContext, claims: Sequence[Claim]) -> Iterator[Span]:
    """Yield the later time of a growth where it is told as the base: "3 % lower than in 2020".

    A percentage is one of what it is compared with, and the record has it of the earlier time.
    """
    for early, late in filter(None, (change_ends(c) for c in claims if c.kind == "percent")):
        for one in context.periods:
            is_late = one.keys & _alike(late) and not one.keys & _alike(early)
            if is_late and is_base_time(context, one.start):
                yield one.start, one.end


def _turned_spans(context: PassageContext) -> Iterator[Span]:
    """Yield the end of each span that ends before it begins: "it rose from 2020 to 2010"."""
    text, until = context.contexts.reading.small, vocabulary("value_sentences")["until"]
    for first, last in pairwise(context.periods):
        joint = text[first.end : last.start].strip(" 年")
        times = [sorted(map(str, one.keys)) for one in (first, last)]
        if all(times) and times[0] > times[1] and until.fullmatch(joint):
            yield last.start, last.end


_MOVES = frozenset(("up", "down", "up_sharply", "down_sharply", "change"))
_ENDS = frozenset(",;:.!?，；：。！？()（）|")
# How operations and properties are called that are changes.
_OF_CHANGE = ("change", "delta", "difference", "growth", "cagr", "increase", "decrease", "decline")
_RESULTS = frozenset[str](cue_tables()["result_moves"])
_PARTICLES = frozenset(("up", "down"))
_REACHES = frozenset("至到为")
# Words between a figure and a word before it that tells what it is the size of.
_VAGUE = frozenset(
    (("approximation", "about"), ("approximation", "nearly"), ("function", "determiner"))
)
_VERBS = frozenset(("being", "counting"))
_TIES = frozenset(("preposition", "determiner", "pronoun"))


def without_values(words: Sequence[Word], claims: Sequence[Claim]) -> list[Claim]:
    """Return the claims; a value that is told as the size of a change is unsupported.

    Args:
        words: the words of one passage.
        claims: its claims.
    """
    places = {word.start: place for place, word in enumerate(words) if word.quantity is not None}
    return [
        replace(
            claim,
            status="unsupported",
            detail=f"{claim.detail}; the text tells it as the size of a change, and it is none",
        )
        if claim.status in ("supported", "derived")
        and claim.kind in ("number", "percent")
        and (place := places.get(claim.start)) is not None
        and _is_told_as_change(words, place, claim.facts)
        and not _is_change(claim)
        else claim
        for claim in claims
    ]


def _is_change(claim: Claim) -> bool:
    of_journey = any(fact.value.item is not None for fact in claim.facts)
    if not claim.facts or of_journey or change_ends(claim) is not None:
        return True
    said = " ".join(f"{f.operation} {f.value.name} {' '.join(f.value.labels)}" for f in claim.facts)
    if any(one in said.casefold() for one in _OF_CHANGE):
        return True
    return any(operator(way).search(said) is not None for way in ("rises", "falls"))


def _is_told_as_change(words: Sequence[Word], place: int, facts: Sequence[Fact]) -> bool:
    at = place - 1
    while at >= 0 and _is_vague(words[at]):
        at -= 1
    if at < 0 or (role := words[at].role) is None:
        return False
    if role.role == "direction":
        particle = at > 0 and words[at].text in _PARTICLES and _is_act(words[at - 1])
        reaches = words[at].text[-1] in _REACHES
        return _moves(words[at], facts) and not (particle or reaches)  # "takes up 506 MB"
    if role.role == "function" and role.sense == "by":
        return any(_moves(word, facts) for word in _clause(words, place))
    return any(_moves(word, facts) for word in _heads(words[: at + 1]))


def _is_act(word: Word) -> bool:
    """Whether a word is a verb that a particle may belong to."""
    is_being = word.role is not None and word.role.role == "being"
    return word.tokens[-1].tag == "verb" and not is_being


def _is_vague(word: Word) -> bool:
    if word.role is None:
        return False
    if word.role.role == "bound":
        return " " in word.text  # "more than", while "above" leads to what is reached
    return (word.role.role, word.role.sense) in _VAGUE


def _moves(word: Word, facts: Sequence[Fact]) -> bool:
    """Whether a word tells a change; a loss or a gain of a result is a value."""
    if word.role is None or word.role.role != "direction" or word.role.sense not in _MOVES:
        return False
    is_result = any(token.lemma in _RESULTS for token in word.tokens)
    names = {
        part
        for fact in facts
        for part in " ".join((fact.value.name, *fact.value.labels))
        .casefold()
        .replace("_", " ")
        .split()
    }
    return not (is_result and names & {"profit", "loss", "result", "income", "margin"})


def _clause(words: Sequence[Word], place: int) -> Iterator[Word]:
    """Yield the words of the clause of a figure, on both sides of it."""
    for side in (words[place + 1 :], reversed(words[:place])):
        for word in side:
            if word.text in _ENDS:
                break
            yield word


def _heads(words: Sequence[Word]) -> Iterator[Word]:
    """Yield the noun that a figure behind some words is the size of: "the growth of A in B was"."""
    verb = False
    for word in reversed(words):
        role = word.role
        if role is not None and role.role == "direction" and word.tokens[-1].tag == "noun":
            yield word
        elif role is not None and role.role in _VERBS:
            if verb:
                return
            verb = True
        elif word.text in _ENDS or word.quantity is not None:
            return
        elif role is None and word.period is None and word.kind != "sign":
            if not verb and word.kind != "time":
                return
        elif role is not None and role.role != "set_noun" and role.sense not in _TIES:
            return
