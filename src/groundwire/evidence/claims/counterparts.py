"""Changes and shares that a text tells, compared with those of another thing or time.

"Austria grew by 6.6 %, more than Germany" compares two growths, of which the text tells one. The
other one is taken from the records, and never the values that have grown. So is "the gap between A
and B shrank", which tells of a difference, and "the online share rose", which tells of a quotient.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any, NamedTuple

from groundwire.evidence.claims.attachment import Anchor, is_base
from groundwire.evidence.claims.change_spans import change_ends, is_base_time
from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.operators import operator
from groundwire.evidence.claims.proof import Outcome, Proof, sense_of
from groundwire.evidence.claims.shares import SHARE_NOUN
from groundwire.evidence.claims.stated_values import compared_values, stated_facts
from groundwire.evidence.claims.value_rows import by_kind, rows, time_of
from groundwire.language import Span as Word

_SHARE = "share"
_ANY_SHARE = re.compile(rf"{SHARE_NOUN.pattern}|\bshares?\b", re.IGNORECASE)
# Roles of words that may stand between a figure and what compares it: "by 6.6 %, which is more".
_TIES = frozenset(("function", "unit_noun", "set_noun", "sign", "approximation"))
_TIED = frozenset(
    (("comparison", "compare"), ("quantifier", "many"), ("quantifier", "few"), ("question", "what"))
)
_RELATIVES = frozenset(("which", "das", "was", "这"))
_JOINS = frozenset(("conjunction",))
# How many words from a computed figure to what compares it: "by 1.4 million people more".
_NEAR = 3


class Told(NamedTuple):
    """A change or share that a figure tells.

    Attributes:
        end: where the figure ends.
        kind: "share", "relative" or "absolute".
        first: the part, or the later value.
        second: the whole, or the earlier value.
    """

    end: int
    kind: str
    first: Fact
    second: Fact


def compared_told(
    proof: Proof, words: Sequence[Word], place: int
) -> list[tuple[Decimal, Decimal]] | None:
    """Return a told change or share beside that of what it is compared with, as a pair.

    Args:
        proof: the passage.
        words: its words.
        place: the place of the word that compares.

    Returns:
        None where the word compares something else; no pair where a side is not recorded.
    """
    told = _told_before(proof, words, place)
    others = list(_others(proof, words[place], told)) if told is not None else []
    if told is None or not others:
        return None
    own = _number(told.kind, told.first, told.second)
    pairs = [(own, other) for other in others if own is not None and other is not None]
    if len(pairs) != len(others) or any(a * b < 0 for a, b in pairs):
        return []
    return [(abs(a), abs(b)) for a, b in pairs]  # "fell by 3 %, less than Italy"


def agrees_with_figure(proof: Proof, words: Sequence[Word], place: int, way: str) -> Outcome:
    """Whether a computed figure beside a comparison goes the way that this says; None without one.

    "4.4 points above B" and "5 fewer than B" tell a difference whose sign the words give: it must
    be that of what stands before and behind them, or of the later and the earlier time.

    Args:
        proof: the passage.
        words: its words.
        place: the place of the word that compares.
        way: "more" or "less"; any other word says no way.
    """
    claim = _computed_beside(proof, words, place)
    if claim is None:
        return None
    is_recorded = claim.facts[0].operation == "difference" if claim.facts else False
    sides = claim.facts[0].operands if is_recorded else claim.facts if "−" in claim.detail else ()
    if way not in ("more", "less") or len(sides) != 2 or max(f.number or 0 for f in sides) < 0:
        return True  # a loss that is larger is a smaller value
    if sides[0].entities == sides[1].entities:
        early, late = sorted(sides, key=time_of)
        rises = (late.number or 0) > (early.number or 0)
        times = [a for a in proof.context.periods if is_base_time(proof.context, a.start)]
        if any(one.keys & late.periods and not one.keys & early.periods for one in times):
            return rises == (way == "less")
        return rises == (way == "more")
    pairs = list(compared_values(proof, words[place], sides)) or _with_base(proof, sides, claim.end)
    return all((first > second) == (way == "more") for first, second in pairs)


def _with_base(proof: Proof, sides: Sequence[Fact], end: int) -> list[tuple[Decimal, Decimal]]:
    """Return the two values of a difference, that of its base behind a place last."""
    anchors = proof.context.entities
    bases = [a for a in anchors if a.start > end and is_base(proof.text, a.start)]
    if len({a.keys for a in bases}) != 1:
        return []
    theirs = [fact for fact in sides if fact.entities & bases[0].keys]
    ours = [fact for fact in sides if not fact.entities & bases[0].keys]
    numbers = [fact.number or Decimal(0) for fact in (*ours, *theirs)]
    return [(numbers[0], numbers[1])] if len(ours) == len(theirs) == 1 else []


def _computed_beside(proof: Proof, words: Sequence[Word], place: int) -> Claim | None:
    """Return the computed figure right beside a word, or None."""
    computed = {c.start: c for c in proof.claims if c.status == "derived"}
    for way in (-1, 1):
        for word in words[place + way : (None if way > 0 else 0) : way][:_NEAR]:
            if word.start in computed:
                return computed[word.start]
            if word.kind == "sign" or word.quantity is not None:
                break
    return None


def outpaced(
    proof: Proof, words: Sequence[Word], place: int, *, is_pace: bool
) -> list[tuple[Decimal, Decimal]]:
    """Return a change beside those of the things named before it: "India grew faster, by 12.8 %".

    None are returned where a word says what is compared with, or a change is not recorded.

    Args:
        proof: the passage.
        words: its words.
        place: the place of the word that compares.
        is_pace: whether it compares how fast something changed.
    """
    context, word = proof.context, words[place]
    start, end = context.clause(word.start)
    figures = [c for c in proof.claims if c.kind in ("number", "percent")]
    told = next((one for one in map(_told, figures) if one is not None), None)
    named = list(dict.fromkeys(a.keys for a in context.entities if start <= a.start < end))
    if told is None and is_pace and len(named) == 1:
        told = _recorded_change(proof, named[0])
    if told is None or told.kind == _SHARE or len(named) > 1:
        return []
    kind = "relative" if is_pace else told.kind
    earlier = context.contexts.entities((0, context.passage.start))
    others = dict.fromkeys(a.keys for a in earlier if not a.keys & told.first.entities)
    ends = (told.first, told.second)
    made = [_made(proof, kind, *(replace(f, entities=keys) for f in ends)) for keys in others]
    if is_pace and not others:  # "revenue grew by 5.7 %, net profit faster, by 14.7 %"
        measures = {a.keys & proof.known.numeric_names for a in _names_before(proof, end)}
        made = [
            _made(proof, kind, *(replace(f, names=keys) for f in ends))
            for keys in measures
            if keys and not keys & told.first.names
        ]
    mine = _number(kind, told.first, told.second)
    return [(mine, one) for one in made if one is not None and mine is not None]


def _names_before(proof: Proof, end: int) -> Sequence[Anchor[str]]:
    """Return where the passage and the sentence before it name properties, up to a place."""
    spans = [scope.span for scope in proof.context.passage.scopes if scope.earlier]
    begin = min((start for start, _ in spans), default=proof.context.passage.start)
    return proof.context.contexts.names((begin, end))


def _recorded_change(proof: Proof, thing: frozenset[str]) -> Told | None:
    """Return the one relative change that the records have of a thing, or None."""
    found = {
        fact.operands
        for fact in proof.known.facts.numbers()
        if fact.operation == "percent_change" and fact.entities & thing
    }
    late, early = next(iter(found)) if len(found) == 1 else (None, None)
    return Told(0, "relative", late, early) if late is not None and early is not None else None


def _told_before(proof: Proof, words: Sequence[Word], place: int) -> Told | None:
    """Return the change or share that a comparison is of; None where it compares something else.

    It is the last figure before the word, with no verb of its own between, or any where a change is
    named right behind the word: "a larger increase than in Finland".
    """
    word = words[place]
    figures = [c for c in proof.claims if c.kind in ("number", "percent") and c.end <= word.start]
    told = _told(figures[-1]) if figures else None
    if told is None:
        return None
    behind = words[place + 1] if place + 1 < len(words) else None
    of_change = behind is not None and behind.role is not None and behind.role.role == "direction"
    between = [w for w in words[:place] if w.start >= told.end]
    return told if of_change or _ties(proof, between) else None


def _ties(proof: Proof, between: Sequence[Word]) -> bool:
    """Whether only a relative, names and dates stand between a figure and its comparison."""
    named = (*proof.context.entities, *proof.context.periods)
    if not any(word.kind == "sign" for word in between):
        return False  # "1.4 million more than Austria" tells a difference of two gains
    is_relative = any(word.text.casefold() in _RELATIVES for word in between)
    for word in between:
        role = word.role.role if word.role else ""
        sense = word.role.sense if word.role else ""
        if role == "function" and sense in _JOINS:
            return False
        tied = role in _TIES or (role, sense) in _TIED or (role == "being" and is_relative)
        is_named = any(a.start < word.end and word.start < a.end for a in named)
        if not (tied or is_named or word.kind in ("sign", "time")):
            return False
    return True


def _told(claim: Claim) -> Told | None:
    """Return the change or share that a claim tells, with the two values it is made of."""
    if claim.status != "derived" or not claim.facts:
        return None
    first, *rest = claim.facts
    made_of = (first, *rest) if " − " in claim.detail else first.operands or (first, *rest)
    if len(made_of) != 2:
        return None
    one, other = made_of
    if change_ends(claim) is not None:
        relative = claim.kind == "percent" and (
            first.operation == "percent_change" or "÷" in claim.detail
        )
        late, early = sorted(made_of, key=time_of)[::-1]
        return Told(claim.end, "relative" if relative else "absolute", late, early)
    is_part = one.names != other.names and one.entities == other.entities
    if is_part and (first.operation == _SHARE or "÷" in claim.detail):
        return Told(claim.end, _SHARE, one, other)
    return None


def _number(kind: str, first: Fact, second: Fact) -> Decimal | None:
    if first.number is None or second.number is None:
        return None
    if kind == "absolute":
        return first.number - second.number
    if not second.number:
        return None
    if kind == _SHARE:
        return first.number / second.number
    return (first.number - second.number) / abs(second.number)


def _others(proof: Proof, word: Word, told: Told) -> Iterator[Decimal | None]:
    """Yield the change or share of what stands behind a comparison, None where it has none."""
    context = proof.context
    first, second = told.first, told.second
    named = proof.known.parts.keys()
    parts = [a for a in context.names if a.keys & named and not a.keys & first.names]
    things = [a for a in context.entities if not a.keys & first.entities]
    if told.kind == _SHARE:
        things = []
    for anchor in _compared_with(proof, word, parts if told.kind == _SHARE else []):
        yield _made(proof, told.kind, replace(first, names=anchor.keys), second)
        return
    for anchor in _compared_with(proof, word, things):
        alike = (replace(fact, entities=anchor.keys) for fact in (first, second))
        yield _made(proof, told.kind, *alike)
        return
    times = [a for a in context.periods if not a.keys & first.periods]
    for anchor in _compared_with(proof, word, times if told.kind == _SHARE else []):
        alike = (replace(fact, periods=anchor.keys) for fact in (first, second))
        yield _made(proof, told.kind, *alike)
        return


def _compared_with(
    proof: Proof, word: Word, anchors: Sequence[Anchor[Any]]
) -> Sequence[Anchor[Any]]:
    """Return what stands right behind a comparison, or in Chinese as its base before it."""
    behind = [a for a in anchors if a.start >= word.end]
    bases = [a for a in anchors if a.end <= word.start and is_base(proof.text, a.start)]
    return behind[:1] or bases[-1:]


def _made(proof: Proof, kind: str, first: Fact, second: Fact) -> Decimal | None:
    """Return the change or share of two values that are like given ones, as they are recorded."""
    found: list[Fact] = []
    for wanted in (first, second):
        names, things, times = wanted.names, wanted.entities, wanted.periods
        alike = rows(proof.known, names=names, things=things, times=times)
        held = {one.number: one for one in alike if one.value.unit == wanted.value.unit}
        if len(held) != 1:
            return None
        found += held.values()
    proof.used.extend(found)
    return _number(kind, *found)


def changes_by_thing(proof: Proof) -> list[tuple[Fact, Fact]]:
    """Return by how much each thing of a passage changed, in relation to before and as it is.

    It is the change from the first to the last of the times that the passage names.
    """
    dated = (f for f in stated_facts(proof) if f.periods and f.number is not None)
    changes: list[tuple[Fact, Fact]] = []
    for held in by_kind(dated).values():
        first, *_, last = sorted([held[0], *held], key=time_of)
        start, end = first.number or Decimal(0), last.number or Decimal(0)
        if first.periods != last.periods and start:
            periods = first.periods | last.periods
            made = replace(last, number=end - start, periods=periods)
            changes.append((replace(made, number=(end - start) / abs(start)), made))
    if changes and all((one.number or 0) < 0 for _, one in changes):  # how much each fell
        return [(_sized(one), _sized(other)) for one, other in changes]
    return changes


def _sized(fact: Fact) -> Fact:
    """Return a change without its way."""
    return replace(fact, number=abs(fact.number or Decimal(0)))


_TO_THINGS = 60
_STOPS = re.compile("[,;:，。；：]")
Gap = tuple[frozenset[frozenset[str]], tuple[str, ...], Decimal]
"""The two things, the time and the size of a difference."""
_NARROWS = frozenset(("narrow",))


def speaks_of_gap(proof: Proof, word: Word) -> bool:
    """Whether a gap stands before a word in its part of a sentence: "the gap was down to"."""
    start = proof.context.passage.start
    gaps = list(operator("gap").finditer(proof.text, start, word.start))
    return bool(gaps) and not _STOPS.search(proof.text, gaps[-1].end(), word.start)


def judge_gap(proof: Proof, word: Word) -> Outcome:
    """Judge which way a gap went, by the differences of two things that the passage tells."""
    gaps = [_gap(claim) for claim in proof.claims]
    held = [one for one in gaps if one is not None]
    held += [one for one in (_gap_before(proof, claim) for claim in proof.claims) if one]
    if len({one[0] for one in held}) != 1 or len({one[1] for one in held}) < 2:
        return None
    ordered = sorted(held, key=lambda one: one[1])
    first, last = ordered[0][2], ordered[-1][2]
    narrows = any(token.lemma in _NARROWS for token in word.tokens)
    way = "down" if narrows else sense_of(word).partition("_")[0]
    if way not in ("up", "down") or first == last:
        return None
    return (last > first) == (way == "up")


def _gap_before(proof: Proof, claim: Claim) -> Gap | None:
    """Return the last recorded gap of two things before the one that a figure tells."""
    own = _gap(claim)
    if own is None:
        return None
    first, second = claim.facts
    earlier: dict[tuple[str, ...], dict[frozenset[str], Decimal]] = {}
    for fact in rows(proof.known):
        time = tuple(time_of(fact))
        same = fact.names == first.names and fact.value.unit == first.value.unit
        if same and time < own[1] and fact.number is not None:
            earlier.setdefault(time, {})[fact.entities] = fact.number
    for time in sorted(earlier, reverse=True):
        held = earlier[time]
        if first.entities in held and second.entities in held:
            return own[0], time, abs(held[first.entities] - held[second.entities])
    return None


def lies_between(proof: Proof, word: Word) -> bool:
    """Whether the two things behind "between" are those whose gap the passage tells."""
    gaps = [_gap(claim) for claim in proof.claims]
    pairs = {one[0] for one in gaps if one is not None}
    behind = [a for a in proof.context.entities if 0 <= a.start - word.end <= _TO_THINGS][:2]
    named = {key for anchor in behind or proof.context.entities for key in anchor.keys}
    if not (behind or speaks_of_gap(proof, word)):
        return False
    told = all(named & keys for pair in pairs for keys in pair)
    return len(pairs) == 1 and (told if named else True)


def _gap(claim: Claim) -> Gap | None:
    """Return the two things, the time and the size of a difference that a figure tells."""
    facts: Sequence[Fact] = claim.facts
    if claim.status != "derived" or len(facts) != 2 or "−" not in claim.detail:
        return None
    first, second = facts
    same = first.names == second.names and first.periods == second.periods
    if not same or first.entities == second.entities or first.number is None:
        return None
    size = abs(first.number - (second.number or Decimal(0)))
    times = tuple(time_of(first))
    return frozenset((first.entities, second.entities)), times, size


QUOTIENTS = frozenset(("share", "ratio"))


def quotient_changes(proof: Proof, word: Word) -> list[Decimal]:
    """Return by how much each share or ratio changed that the clause of a word tells.

    One that is told for one time alone is held against the last recorded one before it.
    """
    start, end = proof.context.clause(word.start)
    told = [
        fact for claim in proof.claims if start <= claim.start < end for fact in quotients_of(claim)
    ]
    if speaks_of_share(proof, word) and not told:  # "its share rose a little, from 18 % to 19 %"
        told = [fact for claim in proof.claims for fact in quotients_of(claim)]
    if len(told) == 1:  # "1.08 times as many in 2010, in 2020 down to 1.01 times"
        every = [fact for claim in proof.claims for fact in quotients_of(claim)]
        told = [fact for fact in every if _kind(fact) == _kind(told[0])]
    series: dict[tuple[object, ...], list[Fact]] = {}
    for fact in told:
        series.setdefault(_kind(fact), []).append(fact)
    changes = (_change(proof, held) for held in series.values())
    return [change for change in changes if change is not None]


def speaks_of_share(proof: Proof, word: Word) -> bool:
    """Whether the clause of a word names a share, so that a recorded value does not move in it."""
    return _ANY_SHARE.search(proof.text, *proof.context.clause(word.start)) is not None


def quotients_of(claim: Claim) -> list[Fact]:
    """Return the shares and ratios that a figure tells, recorded or computed."""
    if claim.status != "derived":
        return []
    is_ratio = len(claim.facts) == 2 and " ÷ " in claim.detail and " − " not in claim.detail
    if is_ratio and claim.kind == "number":
        a, b = claim.facts
        if a.number is not None and b.number and a.periods == b.periods:
            return [replace(a, operation="ratio", operands=(a, b), number=a.number / b.number)]
    return [fact for fact in claim.facts if fact.operation in QUOTIENTS]


def _change(proof: Proof, told: Sequence[Fact]) -> Decimal | None:
    """Return the change from the first to the last of one quotient, or from the one before it."""
    ordered = sorted(told, key=time_of)
    first, last = ordered[0], ordered[-1]
    if time_of(first) == time_of(last):
        same = (f for f in proof.known.facts.numbers() if _kind(f) == _kind(last))
        before = [fact for fact in same if time_of(fact) < time_of(last)]
        if not before:
            return None
        first = max(before, key=time_of)
    if first.number is None or last.number is None or not first.number:
        return None
    proof.used.extend((first, last))
    return (last.number - first.number) / abs(first.number)


def _kind(fact: Fact) -> tuple[object, ...]:
    return (fact.operation, *((one.names, one.entities) for one in fact.operands))


def share_of_named_part(proof: Proof) -> Iterator[Decimal]:
    """The share that the one part which a passage names has of its whole, at the time told."""
    known, context = proof.known, proof.context
    spans = ((context.passage.start, context.passage.end), *context.above)
    dated = (one.keys for span in spans for one in context.contexts.dated(span))
    times = next(iter(dated), None)
    named = {key for anchor in context.names for key in anchor.keys & known.parts.keys()}
    parts = [f for key in named for f in known.parts[key] if not times or f.periods & times]
    whole = known.whole_of(parts[0]) if len(parts) == 1 else None
    if whole is not None and whole.number and parts[0].number:
        proof.used.extend((parts[0], whole))
        yield parts[0].number / whole.number
