"""Recorded values as tables of times: of one thing, the value of a property in each period.

"The fourth quarter was the strongest of 2022" compares periods as "China was the largest" compares
countries. Its periods are read as the things of a table, so that one reading serves both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise
from typing import cast

from groundwire.evidence.claims.clause_order import SETS, WENT, kinds_of
from groundwire.evidence.claims.fact_index import Fact, PeriodKey
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.period_references import follow_on
from groundwire.evidence.claims.runs import LENGTHS
from groundwire.evidence.claims.series import Days, days_of, length_of
from groundwire.evidence.claims.value_clauses import JOINTS, Told
from groundwire.evidence.claims.value_tables import Measure, Table, ValueTables
from groundwire.evidence.claims.value_words import Token
from groundwire.evidence.claims.words import words_of

# As many values of one answer make a course of which a text may name the peak.
_FEW = 4
_PLACES = frozenset(("most", "least"))
# How the key of a quarter begins that is told by its place in a year.
_PLACE = "#"
_LEADS = frozenset(("of", "from"))
_STEADY = frozenset(("steady", "each"))
_PACES = frozenset(("faster", "slower", "pace"))
_RATE = Measure(frozenset(("#rate",)), None)
_GRAINS = frozenset(("year", "quarter", "month"))
_MOVES = WENT | {"same"}
# "The higher margin" is the one of two.
_COMPARED = frozenset((("more", "name"), ("less", "name")))


@dataclass(frozen=True, slots=True)
class Series:
    """The values of one property of one thing, in periods of one length.

    Attributes:
        owner: the key of the thing; "" where the values are of nothing that is named.
        measure: the property.
        values: the value of each period, in the order of time.
        evidence_ids: the records that have them.
        kinds: folded words of each name for such periods: quarter, Quartal.
    """

    owner: str
    measure: Measure
    values: Mapping[Days, Decimal]
    evidence_ids: Sequence[str]
    kinds: frozenset[frozenset[str]]

    def table(self, points: Sequence[Days], *, is_named: bool, gaps: bool = False) -> Table:
        """Return some of its periods as the things of a table.

        Args:
            points: the periods.
            is_named: whether a text names the time that they make up.
            gaps: whether what lies between two recorded ones does not matter.
        """
        whole = follow_on(points) and (
            is_named or (len(set(self.evidence_ids)) == 1 and len(points) >= _FEW)
        )
        earlier = {_name(two): self.values[one] for one, two in pairwise(self.values)
                   if gaps or follow_on((one, two))}  # fmt: skip
        years = {(one[0][:4], one[0][4:], one[1][4:]): value for one, value in self.values.items()}
        last_year = {
            _name(one): years[before]
            for one in self.values
            if (before := (str(int(one[0][:4]) - 1), one[0][4:], one[1][4:])) in years
        }
        return Table(
            self.evidence_ids[0],
            self.measure,
            frozenset(),
            {_name(one): self.values[one] for one in points},
            self.kinds,
            is_whole=whole,
            is_asked=whole,
            falls=False,
            is_part=False,
            earlier=earlier,
            last_year=last_year,
        )

    def by_year(self) -> Iterator[Table]:
        """Yield a table for each year of which all quarters are recorded, by their places."""
        for first in self.values:
            points = _of_year(first, self.values)
            if points[0] == first and len(points) == _FEW and follow_on(points):
                values = {f"{_PLACE}{at}": self.values[p] for at, p in enumerate(points, 1)}
                table = self.table(points, is_named=True)
                yield replace(
                    table, periods=_year_of(first), values=values, earlier={}, last_year={}
                )


class TimeTables:
    """The tables of times that the values of some records make."""

    def __init__(self, known: Knowledge) -> None:
        tables = known.once(ValueTables)
        found: dict[tuple[str, Measure, frozenset[str]], dict[Days, list[Fact]]] = {}
        for fact in known.facts.numbers():
            days = days_of(fact)
            if days is None or fact.number is None or fact.operands or len(fact.entities) > 1:
                continue
            noun = next((word for word, own in LENGTHS.items() if length_of(days) in own), "")
            if not noun or fact.value.item or not tables.is_plain(fact):
                continue
            kinds = frozenset(word for word in LENGTHS if LENGTHS[word] == LENGTHS[noun])
            measure = Measure(fact.names, fact.value.unit)
            series = found.setdefault((min(fact.entities, default=""), measure, kinds), {})
            series.setdefault(days, []).append(fact)
        self.series = [
            Series(
                owner,
                measure,
                {days: held[days][0].number or Decimal(0) for days in sorted(held)},
                [one.evidence_id for facts in held.values() for one in facts[:1]],
                frozenset(frozenset(words_of(word)) for word in kinds),
            )
            for (owner, measure, kinds), held in found.items()
            if len(held) > 1
            and all(len({one.number for one in facts}) == 1 for facts in held.values())
        ]
        self.all = [one.table([*one.values], is_named=False) for one in self.series]
        self.things = frozenset(one.owner for one in self.series if one.owner)
        self.measures: Mapping[Measure, frozenset[str]] = {
            one.measure: tables.words_of_measure(one.measure) for one in self.series
        }
        self.kinds = frozenset(word for one in self.series for own in one.kinds for word in own)


@dataclass(frozen=True, slots=True)
class Turned:
    """A sentence as it is read: as it stands, or with its periods as things.

    Attributes:
        tokens: its tokens.
        told: what was told before it.
        all: the tables that it may be about.
        measures: the properties of these, with the words by which they are called.
        owner: the thing whose values periods have; None where these are no things.
    """

    tokens: Sequence[Token]
    told: Told
    all: Sequence[Table]
    measures: Mapping[Measure, frozenset[str]]
    owner: str | None = None

    @property
    def compares_times(self) -> bool:
        """Whether it compares a time and does not say with which: "in 2024 A had more"."""
        kinds = [one.kind for one in self.tokens]
        compares = any(pair in _COMPARED for pair in pairwise(kinds)) and "than" not in kinds
        return self.owner is not None and compares

    def told_after(self, after: Told) -> Told:
        """Return what is told behind the sentence, its periods being times again."""
        if self.owner is None:
            return after
        if any(_PLACE in name for name in after.subject):
            return replace(after, subject=(), named=frozenset())
        keys = [name.split("/") for name in after.subject if len(after.subject) == 1]
        periods = frozenset[PeriodKey](
            (start, end, fiscal) for start, end in keys for fiscal in (False, True)
        )
        owner = (self.owner,) if self.owner else ()
        return Told(owner, frozenset(owner), after.measure, periods)


def turned(tokens: Sequence[Token], told: Told, tables: TimeTables) -> Iterator[Turned]:
    """Yield a sentence about the values of one thing with its periods as things.

    Args:
        tokens: its tokens.
        told: what was told before it.
        tables: the tables of times.
    """
    kinds = kinds_of(tokens)
    fell = kinds.index("fall") if "fall" in kinds else len(kinds)
    tokens = [
        replace(one, kind="rise") if one.kind == "recover" and at > fell else one
        for at, one in enumerate(tokens)
    ]
    gaps = "each" not in kinds and not {"since", "until"}.isdisjoint(kinds)
    grains = {frozenset(words_of(kind)) for kind in _GRAINS.intersection(kinds)}
    if not _STEADY.isdisjoint(kinds):  # "rose every quarter" is of all of them
        tokens = [Token("all"), *(one for one in tokens if one.kind not in _STEADY | _GRAINS)]
    named = {key for one in tokens if one.kind == "thing" for key in one.keys}
    owners = {one.owner for one in tables.series}
    held = owners & named or owners & set(told.subject) or owners & {""} or owners
    if len(held) != 1 or any(one.kind == "thing" and not one.keys & held for one in tokens):
        return  # what is told of one thing is no series of another
    owner = str(held.pop())
    rest = [
        one
        for one, behind in zip(tokens, (*tokens[1:], None), strict=True)
        if one.kind != "thing"  # nor "its lowest value"
        and not (one.kind == "pron" and behind is not None and behind.kind in _PLACES)
    ]
    own = [one for one in tables.series if one.owner == owner]
    yield from _by_place(
        rest, told, own, {m: tables.measures[m] for one in own for m in (one.measure,)}
    )
    for kinds in dict.fromkeys(one.kinds for one in own if grains <= one.kinds):
        series = [one for one in own if one.kinds == kinds]
        points = sorted({days for one in series for days in one.values})
        found = _with_points(rest, points)
        if found is None:
            continue
        read, span = found
        meant = [
            one.table(
                [p for p in one.values if not span or p in span], is_named=bool(span), gaps=gaps
            )
            for one in series
        ]
        before = [_name(p) for p in points if told.periods & {(*p[:2], f) for f in (True, False)}]
        subject = tuple(before) if len(before) == 1 else ()
        yield Turned(
            read,
            Told(subject, frozenset(subject), told.measure, last=told.last),
            [one for one in meant if len(one.values) > 1],
            {one.measure: tables.measures[one.measure] for one in series},
            owner,
        )


def by_property(tokens: Sequence[Token], told: Told, tables: ValueTables) -> Iterator[Turned]:
    """Yield a sentence that compares how properties of one thing changed, with these as things.

    "Net profit grew faster than revenue" compares rates, whatever the properties are told in.
    """
    named = {key for one in tokens if one.kind == "thing" for key in one.keys}
    owners = named or set(told.subject) or tables.things
    own = [_property_of(one, tables) for one in tokens]
    measures = {one for one in own if one is not None}
    if _PACES.isdisjoint(kinds_of(tokens)) or len(owners) != 1 or len(measures) < 2:
        return
    owner = str(next(iter(owners)))
    found: dict[frozenset[PeriodKey], dict[str, Decimal]] = {}
    for table in tables.all:
        if table.measure in measures and owner in table.values:
            found.setdefault(table.periods, {})[_key_of(table.measure)] = table.values[owner]
    record = next(t.evidence_id for t in tables.all if t.measure in measures)
    read = [
        one if measure is None else replace(one, kind="thing", keys=frozenset((_key_of(measure),)))
        for one, measure in zip(tokens, own, strict=True)
        if one.kind not in ("thing", "pron")
    ]
    made = [
        Table(record, _RATE, periods, values, frozenset(), False, False, False, False)
        for periods, values in found.items()
        if len(values) == len(measures)
    ]
    yield Turned(read, Told(periods=told.periods), made, {_RATE: frozenset()}, "")


def _property_of(token: Token, tables: ValueTables) -> Measure | None:
    """Return the one property that a token names, or None."""
    held = [
        one
        for one in tables.measures
        if (token.kind == "word" and one in token.keys)
        or (token.kind == "name" and token.keys >= one.names)
    ]
    return held[0] if len(held) == 1 else None


def _key_of(measure: Measure) -> str:
    """Return the key of a property as a thing."""
    return f"{_PLACE}{min(measure.names)}"


def _with_points(
    tokens: Sequence[Token], points: Sequence[Days]
) -> tuple[list[Token], list[Days]] | None:
    """Return tokens with recorded periods as things, and the periods that a longer time has.

    None where a time is neither of these, or several times are told that make no single one.
    """
    read: list[Token] = []
    span: list[Days] = []
    at = 0
    tokens = _since_first(tokens)
    while at < len(tokens):
        token = tokens[at]
        opens = token.kind if token.kind in ("since", "until", "to") else ""
        ahead = tokens[at + 1] if at + 1 < len(tokens) else None
        if opens and (told := _since_or_until(opens, ahead, read, points)):
            ends = kinds_of(tokens[at + 2 : at + 6])
            if ends[:1] in (["of"], ["from"]) and ends[1:] == ["figure", "to", "figure"]:
                first, last = _row([told[0], told[-1]], apart=False)[::2]
                told_ends = [Token("and"), tokens[at + 3], first]
                told_ends += [Token("and"), tokens[at + 5], last]
                tokens = [*tokens[: at + 2], *tokens[at + 6 :], *told_ends]
            moves = not _MOVES.isdisjoint(kinds_of(_clause_at(tokens, at)))
            if moves and not told[1:]:
                return None
            if moves:
                read = [one for one in read if one.kind != "all"]
                then = ahead is None or ahead.kind != "period"
                read += _row(told[1:], apart=token.apart or then)
            elif span:
                return None
            else:
                span = told
            at += 1 + (ahead is not None and ahead.kind == "period")
            continue
        if token.kind != "period":
            read.append(token)
            at += 1
            continue
        own = _within(token, points)
        if own is None or (len(own) > 1 and span):
            return None
        end = tokens[at + 2] if [t.kind for t in tokens[at + 1 : at + 3]] in _ENDS else None
        last = _within(end, points) if end is not None else None
        leads = bool(read) and read[-1].kind in _LEADS
        whole = bool(own and last) and len(own) > 1 and follow_on([*own, *(last or ())])
        set_behind = leads or whole or _is_set(tokens[at + 3 :])
        if last is not None and own and own[0] < last[-1] and set_behind:
            span = [p for p in points if own[0] <= p <= last[-1]]
            read = read[:-1] if leads else read
            at += 3
        elif len(own) > 1:
            span = own
            if read and read[-1].kind in _LEADS:
                read.pop()
            at += 1
        else:
            read.append(Token("thing", frozenset((_name(own[0]),)), apart=token.apart))
            at += 1
    return read, span


def _since_first(tokens: Sequence[Token]) -> list[Token]:
    """Return tokens with the time behind what it opens: 2022年以来 is "since 2022"."""
    found: list[Token] = []
    for token in tokens:
        if token.kind != "onward":
            found.append(token)
        elif kinds_of(found[-2:]) != ["since", "period"]:
            found.insert(len(found) - 1, Token("since"))
    return found


def _clause_at(tokens: Sequence[Token], at: int) -> Sequence[Token]:
    """Return the tokens of the clause in which one stands."""
    ends = [i for i, one in enumerate(tokens) if one.kind in JOINTS or one.apart]
    start = max((i for i in ends if i <= at), default=0)
    return tokens[start : min((i for i in ends if i > at), default=len(tokens))]


def _since_or_until(
    opens: str, time: Token | None, read: Sequence[Token], points: Sequence[Days]
) -> list[Days]:
    """Return the periods from a time on, or up to it, with it; none for an unrecorded one.

    "It has fallen since" begins at the time that was told last.
    """
    if time is not None and time.kind == "period":
        own = _within(time, points) or []
    else:
        last = next((one for one in reversed(read) if one.kind == "thing"), None)
        own = [p for p in points if last is not None and _name(p) in last.keys]
    if len(own) != 1 or (opens != "since" and (time is None or time.kind != "period")):
        return []
    return [p for p in points if (p >= own[0] if opens == "since" else p <= own[0])]


def _row(points: Sequence[Days], *, apart: bool) -> list[Token]:
    """Return periods as a list of things."""
    things = [Token("thing", frozenset((_name(one),))) for one in points]
    things[:1] = [replace(one, apart=apart) for one in things[:1]]
    return [*things[:-1], Token("and"), things[-1]] if len(things) > 1 else things


def _by_place(
    tokens: Sequence[Token],
    told: Told,
    series: Sequence[Series],
    measures: Mapping[Measure, frozenset[str]],
) -> Iterator[Turned]:
    """Yield a sentence that tells quarters by their places: "the fourth was the best".

    Each year is then a time, and its quarters are the things of a table.
    """
    read: list[Token] = []
    points = [p for one in series for p in one.values]
    kinds = "".join(f"{one.kind} " for one in tokens if one.kind not in ("of", "kind"))
    of_year = "ordinal period" in kinds  # "the first of 2024" may be compared with all
    if of_year or any(len(_within(o, points) or ()) == 1 for o in tokens if o.kind == "period"):
        return
    for at, token in enumerate(tokens):
        behind = tokens[at + 1].kind if at + 1 < len(tokens) else ""
        place = token.place if token.kind == "ordinal" else _FEW if token.kind == "last" else 0
        if place and (behind not in _PLACES or tokens[at + 1].led):  # "the first the weakest"
            read.append(Token("thing", frozenset((f"{_PLACE}{place}",)), apart=token.apart))
        elif not (token.kind == "member" or (token.kind == "kind" and read and not read[-1].apart
                                             and _is_place(read[-1]))):  # fmt: skip
            read.append(token)
    if any(map(_is_place, read)):
        tables = [table for one in series for table in one.by_year()]
        yield Turned(read, Told(measure=told.measure, last=told.last), tables, measures, "")


def _is_place(token: Token) -> bool:
    """Whether a token is a quarter that is told by its place in a year."""
    return token.kind == "thing" and any(str(key).startswith(_PLACE) for key in token.keys)


def _of_year(point: Days, points: Iterable[Days]) -> list[Days]:
    """Return the recorded periods of the calendar year in which one begins."""
    return sorted(p for p in points if p[0][:4] == point[0][:4] and p[2] == point[2])


def _year_of(point: Days) -> frozenset[PeriodKey]:
    """Return the keys of the calendar year in which a period begins."""
    year = point[0][:4]
    return frozenset((f"{year}-01-01", f"{year}-12-31", fiscal) for fiscal in (False, True))


_ENDS = (["to", "period"], ["until", "period"], ["and", "period"])


def _is_set(tokens: Sequence[Token]) -> bool:
    """Whether tokens begin with what a time has, as a set: 2024年至2025年的八个季度中."""
    end = next((at for at, one in enumerate(tokens) if one.kind not in SETS), len(tokens))
    return 0 < end < len(tokens) and tokens[end].kind == "within"


def _within(token: Token, points: Sequence[Days]) -> list[Days] | None:
    """Return the one recorded period that a time is, or all that make it up; else None."""
    keys = [cast("Days", key) for key in token.keys if isinstance(key, tuple)]
    for key in keys:
        own = [p for p in points if key[0] <= p[0] and p[1] <= key[1]]
        if len(own) > 1 and own[0][0] == key[0] and own[-1][1] == key[1] and follow_on(own):
            return own
    same = [p for p in points if any(key[:2] == p[:2] for key in keys)]
    return same if len(same) == 1 else None


def _name(days: Days) -> str:
    """Return the key of a period as a thing."""
    return f"{days[0]}/{days[1]}"
