"""Words that a passage has no place for, though the records know what they call.

They are the names and times that a list has named already ("Poland and Poland"), what a thing is
said to be related to that is itself, and what makes another figure of one: "every 83 million",
"9 million per month", "twice 83 million". No gap in the records is one in what was published.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from groundwire.evidence.claims.absences import NOT_HELD
from groundwire.evidence.claims.absent_periods import published
from groundwire.evidence.claims.accounts import of_some
from groundwire.evidence.claims.claim import Claim, is_value
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.derivation import SUM
from groundwire.evidence.claims.figure_cues import (
    ADDS,
    AND_OWN,
    ANOTHER,
    FIRST_OF,
    MULTIPLIES,
    ONWARD,
    PER,
    RATES,
    TO_END,
    is_comma,
    joins_last,
)
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.listed_things import misplaced_things
from groundwire.evidence.claims.proof import sense_of
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.table_heads import names_kind
from groundwire.evidence.claims.words import cue_tables, key_of, words_of
from groundwire.language import Span as Word
from groundwire.language.glossary import is_field
from groundwire.language.tagging import is_word
from groundwire.quantities import Quantity, resolve_unit

_NEAR = 24
_HOLDS = ("supported", "derived")
# A figure in brackets, behind a name of a list.
_FIGURE = re.compile(r"[(（][^()（）A-Za-z\u3400-\u9fff]*[)）]")
_SIDES = frozenset("东西南北東")
_AHEAD, _AFTER = "前", "后"
_FORMER = frozenset[str](cue_tables()["former"])
_ADJUSTED = frozenset[str](cue_tables()["adjusted"])
_NO_NOUNS = frozenset(("being", "having", "saying", "counting", "function", "direction", "sign"))
_LINE = re.compile(r"(?:lines?|linien?|线)$")
_LINE_BEHIND = re.compile(r"(?:号?线| lines?\b)", re.IGNORECASE)
_NUMBERED = re.compile(r"(?P<name>[a-z]{6,40})(?P<number>\d{1,2})")
_COLON = re.compile(r"[*_]*[:：][*_ ]*")
_LED = re.compile(r"(?:\b[A-Z][a-z]+ ){2,4}$")
# Between a name and itself: words alone, and no figure, bracket or clause.
_WORDS = re.compile(r"[^\W\d]+(?: [^\W\d]+)?")
_INNER = re.compile(r"(?:(?<=[在是和与于])|(?<![一-鿿]))内")


def misplaced(context: PassageContext, claims: Sequence[Claim]) -> Iterator[Span]:
    """Yield the words of a passage that it has no place for."""
    text = _without_figures(context.contexts.reading.text)
    names = [(m.start, m.end, _called(text[m.start : m.end])) for m in context.mentions]
    lines = {one.start(): one.end() for one in _LINE_BEHIND.finditer(text)}
    yield from _repeated(text, [(start, lines.get(end, end), key) for start, end, key in names])
    yield from _repeated(text, [(one.start, one.end, one.keys) for one in context.entities])
    yield from _repeated(text, [(one.start, one.end, one.keys) for one in context.periods])
    yield from _of_itself(context, names)
    yield from _before_own_names(context)
    yield from _before_colon(context)
    yield from _of_another_property(context, claims)
    yield from _numbers_of_names(context)
    yield from _added_parts(context, claims)
    yield from _sums_of_each(context, claims)
    yield from misplaced_things(context, text)
    yield from _qualifying(context)
    yield from _lengthened(context)
    for own in AND_OWN.finditer(text, context.passage.start, context.passage.end):
        word = context.contexts.annotated.at(own.end())
        if word is not None and sense_of(word) == "adjacent":
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
        if another := ANOTHER.search(text, max(0, start - _NEAR), start):
            yield another.span("cue")
        cue = MULTIPLIES.search(text, low, start)
        cue = cue or (FIRST_OF.search(text, low, start) if start in units else None)
        if cue is not None:
            yield cue.span()


@lru_cache(maxsize=4)
def _without_figures(text: str) -> str:
    """Return a draft, as long as it is, with quotes in place of figures in brackets."""
    return _FIGURE.sub(lambda m: '"' * len(m[0]), text)


def _added_parts(context: PassageContext, claims: Sequence[Claim]) -> Iterator[Span]:
    """Yield a part of a journey that is added to its whole time: "21 minutes, plus a walk of 4"."""
    times = [(c, c.facts[0].value) for c in claims if c.kind in ("number", "time") and c.facts]
    of_plans = [(c.start, v.name, v.item) for c, v in times if v.item and v.unit == "min"]
    wholes = [at for at, name, item in of_plans if name == "duration" and not item.pieces]
    for start, _, _ in of_plans:
        low = max(context.passage.start, start - _NEAR)
        added = ADDS.search(context.contexts.reading.text, low, start)
        if start not in wholes and added is not None and any(at < start for at in wholes):
            yield from ((w.start, w.end) for w in context.words if w.start == added.start())


def _sums_of_each(context: PassageContext, claims: Sequence[Claim]) -> Iterator[Span]:
    """Yield a sum that is told of each of those that are added: "per map: 118.5 km"."""
    contexts = context.contexts
    above = [scope.span for scope in context.passage.scopes if scope.hard]
    for claim in claims:
        first = claim.facts[0] if is_value(claim) else None
        if first is None or first.value.unit is None or not SUM.search(first.about):
            continue
        spans = (context.clause(claim.start), *above)
        led = (pair for span in spans for pair in pairwise(contexts.annotated.within(*span)))
        if any(f"{a.text.casefold()} " in PER and names_kind(b, contexts.known) for a, b in led):
            yield claim.start, claim.end


def _lengthened(context: PassageContext) -> Iterator[Span]:
    """Yield what makes another name of the one before it: "Prague City", 西 of 香港西.

    Or of the one behind it: 内蒙古, where nothing stands before 内 that it could be the inside of.
    """
    text, passage = context.contexts.reading.text, context.passage
    inner = {m.end() for m in _INNER.finditer(text, max(0, passage.start - 1), passage.end)}
    yield from ((one.start, one.end) for one in context.entities if one.start in inner)
    names, ends = context.mentions, {one.end for one in context.entities}
    sides = {one.end for one in names}
    for word in context.words:
        if word.role or word.quantity or any(m.start <= word.start < m.end for m in names):
            continue
        is_side = word.start in sides and word.text[0] in _SIDES
        is_side = is_side and (len(word.text) == 1 or not is_word(word.text))
        before = sides if is_field(word.text.lower()) else ends
        is_title = word.start - 1 in before and word.text.istitle()
        if is_side or (is_title and word.tokens[0].language == "en"):
            yield word.start, word.end


def _qualifying(context: PassageContext) -> Iterator[Span]:
    """Yield words that make another thing of what stands behind them, which no record has.

    "The former leader" is not the leader, 调整后收入 not the revenue, "the second five" not the
    first, and no neighbour of Chad is one of "Chad's capital".
    """
    words = context.words
    for before, word, behind in zip(words, words[1:], words[2:], strict=False):
        if (before.text, word.kind, behind.kind) == ("in", "superlative", "sign"):
            yield word.start, word.end  # "110 in highest" is first among none
        wider = (m for m in context.mentions if m.end - m.start > word.end - word.start)
        if not any(m.start <= word.start < m.end for m in wider) and _makes_another(
            before, word, behind
        ):
            yield word.start, word.end


def _makes_another(before: Word, word: Word, behind: Word) -> bool:
    """Whether a word says of what stands behind it that it was or was made so, or comes later."""
    forms = {form for token in word.tokens for form in (token.key, token.lemma)}
    amount = behind.quantity
    if sense_of(word) == "property" and before.text in ("'s", "’s"):
        return behind.text in (")", "(", ",") or sense_of(behind) == "adjacent"
    if forms & _FORMER:
        return behind.kind not in _NO_NOUNS
    if forms & _ADJUSTED:
        return behind.text == _AFTER or behind.kind in ("time", "leftover")
    if word.text == _AHEAD:
        led = before.end == word.start and (before.is_silent or before.kind == "quantifier")
        short = amount is not None or (behind.kind == "time" and not behind.text[:4].isdigit())
        return led and not short and behind.kind not in _NO_NOUNS
    counted = amount is not None and amount.value != 1 and not amount.unit
    is_next = counted or sense_of(behind) in ("whole", "document")
    return is_next and sense_of(word) == "then" and sense_of(before) == "determiner"


def _before_own_names(context: PassageContext) -> Iterator[Span]:
    """Yield a word of a name that says before it what it is: "the park Finsbury Park"."""
    text, kinds = context.contexts.reading.text, context.contexts.known.kinds
    for mention in context.mentions:
        words = (word for word in context.words if word.kind != "sign")
        before = [word for word in words if word.end <= mention.start][-1:]
        called = words_of(text[mention.start : mention.end])
        for word in before:
            apart = text[word.end : mention.start].strip(' "“„«')
            own = frozenset(words_of(word.text)) - kinds
            if word.role is None and not apart and len(called) > 1 and own and own <= {*called}:
                yield word.start, word.end


def _before_colon(context: PassageContext) -> Iterator[Span]:
    """Yield words before a list within a sentence that are told of some of its things alone."""
    text = context.contexts.reading.text
    at = text.find(":", context.passage.start, context.passage.end)
    things = [m for m in context.mentions if m.named.entities and m.start > at >= 0]
    inside = [m for m in context.mentions if m.end <= at]
    words = [w for w in context.words if w.end <= at]
    words = [w for w in words if not any(m.start <= w.start < m.end for m in inside)]
    named = [frozenset(words_of(text[m.start : m.end])) for m in things]
    yield from ((w.start, w.end) for w in of_some(words, named, frozenset()))


def _of_another_property(context: PassageContext, claims: Sequence[Claim]) -> Iterator[Span]:
    """Yield the name of a thing that a line tells as the value of a property: "Licence: Lyon"."""
    known, text = context.contexts.known, context.contexts.reading.text
    stated = [c for c in claims if c.kind == "statement" and c.status in _HOLDS]
    for anchor in context.names if context.passage.kind == "item" else ():
        colon = _COLON.match(text, anchor.end)
        told = (m for m in context.mentions if colon is not None and m.start == colon.end())
        for mention in told:
            rest = text[mention.end : context.passage.end].strip(" *_.0123456789")
            worded = anchor.keys & known.wordy_names - known.numeric_names
            held = any(fact.names & anchor.keys for fact in mention.named.values)
            held |= any(c.start <= anchor.start and mention.end <= c.end for c in stated)
            if worded and mention.named.entities and not rest and not held:
                yield mention.start, mention.end


def _numbers_of_names(context: PassageContext) -> Iterator[Span]:
    """Yield a number in the place of another of a recorded name: "Terminal 4", where it is 5."""
    text, numbered = context.contexts.reading.text, context.contexts.known.once(_numbered)
    for quantity in context.quantities if numbered else ():
        start, end = quantity.span
        led = _LED.search(text, context.passage.start, start)
        if led is None or not text[start:end].isdigit():
            continue
        words = led[0].split()
        some = (numbered.get(key_of(" ".join(words[at:]))) for at in range(len(words)))
        known = next(filter(None, some), None)
        if known is not None and text[start:end] not in known:
            yield start, end


def _numbered(known: Knowledge) -> Mapping[str, frozenset[str]]:
    """Return the numbers that recorded names end in, by what stands before them."""
    found: dict[str, set[str]] = {}
    for key in known.names.by_key:
        if ends := _NUMBERED.fullmatch(key):
            found.setdefault(ends["name"], set()).add(ends["number"])
    return {name: frozenset(numbers) for name, numbers in found.items()}


def _called(name: str) -> str:
    """Return what tells a name from others: "Jubilee line" is "Jubilee"."""
    key = key_of(name)
    return _LINE.sub("", key) or key


def _of_itself(context: PassageContext, names: Sequence[tuple[int, int, str]]) -> Iterator[Span]:
    """Yield a name that words alone join to itself: "tides come before tides"."""
    text, things = context.contexts.reading.text, {m.start: m.named for m in context.mentions}
    for one, other in pairwise(context.periods):  # "FY2024 to FY2024"
        if one.keys == other.keys and TO_END.fullmatch(text, one.end, other.start):
            yield other.start, other.end
    for (start, before, key), (at, end, name) in pairwise(names):
        named = things[at]
        between = text[before:at]
        joined = between.isalnum() if not between.isascii() else between[:1] == " "
        if key != name or not (named.entities or named.values) or not joined or start == at:
            continue
        goes_on = (
            ONWARD.match(text, end)
            or text[end : end + 1].isalnum()
            or text[end : end + 1] in ("'", "’")
        )
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
    ends = bool(again) and text[again[-1][1] : again[-1][1] + 1] in ".。"
    yield from again if (len(told) > 1 or ends) and not is_last else ()


def _is_of_time(quantity: Quantity) -> bool:
    unit = resolve_unit(quantity.unit) if quantity.unit else None
    return unit is not None and unit.dimension == "time"


def told_of_another(context: PassageContext, runs: Sequence[Span]) -> Iterator[Span]:
    """Yield properties behind which words of a recorded text stand that are told of another.

    "The loss of 2024 was restated" does not prove "The profit of 2024 was restated". The runs are
    where a passage has the words of such texts.
    """
    text, starts = context.contexts.reading.text, {start for start, _ in runs}
    for anchor in context.names:
        behind = anchor.end + (text[anchor.end : anchor.end + 1] == " ")
        told = behind not in starts or any(start <= anchor.start < end for start, end in runs)
        facts = () if told else context.contexts.known.facts.numbers()
        if any(fact.names & anchor.keys and fact.periods for fact in facts):
            yield anchor.start, anchor.end
