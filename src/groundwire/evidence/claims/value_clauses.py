"""A clause about recorded values: its subject, time, property and set, and what it says.

Chinese says 比 B 多 for "more than B" and 四国中 for "of the four countries", and each language may
put what it says of things before them: "third came A", "over 5 million has only A". Such clauses
are brought into one order first.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise
from typing import cast

from groundwire.evidence.claims.clause_order import (
    COMPARED,
    MEASURES,
    PLACES,
    WENT,
    in_plain_order,
    is_percent,
    kinds_of,
    neither,
    since_compared,
    subject_first,
    until_at,
    with_move,
    without_members,
    without_pointers,
)
from groundwire.evidence.claims.fact_index import PeriodKey
from groundwire.evidence.claims.value_predicates import Predicate, says
from groundwire.evidence.claims.value_tables import Measure, Table
from groundwire.evidence.claims.value_words import BOTH, Token
from groundwire.quantities import Quantity

JOINTS = frozenset(("but", "and"))
"""Kinds of words that join clauses."""

_BESIDE_PLACES = frozenset(("name", "word", "of", "number", "kind", "member", "all", "far"))
_SPAN = ["period", "period"]
_BEFORE_BUT = frozenset(("thing", "name", "word", "pron"))
_OTHER_TWO = ["both", "other"]
_COUNTING = frozenset(("number", "none", "both", "all"))


_ENDS = frozenset(("most", "least", "fastest"))
_MOVES = frozenset(("rise", "fall", "same"))


@dataclass(frozen=True, slots=True)
class Told:
    """Hold the subject, property and times of the clauses before.

    Attributes:
        subject: the things that the last clause was about.
        named: every thing that was named.
        measure: the property.
        periods: keys of the period.
        prior: keys of the period that it was compared with.
        since: keys of the period that it changed from.
        compared: the things that it was compared with.
        summed: whether the things were told of together.
        size: of how many things the set consists, or None where nothing said so.
        last: the property that was named last, where several were.
        members: the things of the set, where these are named.
        said: what the last clause said of its subject.
    """

    subject: tuple[str, ...] = ()
    named: frozenset[str] = frozenset()
    measure: Measure | None = None
    periods: frozenset[PeriodKey] = frozenset()
    prior: frozenset[PeriodKey] = frozenset()
    since: frozenset[PeriodKey] = frozenset()
    compared: tuple[str, ...] = ()
    summed: bool = False
    size: int | None = None
    last: Measure | None = None
    members: frozenset[str] = frozenset()
    said: Sequence[Predicate] = ()

    @property
    def placed(self) -> Predicate | None:
        """The place in an order that was told."""
        return next((one for one in self.said if one.place), None)

    @property
    def moved(self) -> str:
        """Rise or fall, where one was told."""
        return next((one.kind for one in self.said if one.kind in WENT), "")


@dataclass(frozen=True, slots=True)
class Subject:
    """Name the things that a clause is about, or the set and how many of it.

    Attributes:
        things: the things that are named.
        mode: each: all of them; sum: all of them together; only: they and no others; count: so many
            of the set; all and none: all or none of the set.
        left_out: things of the set that are not meant.
        count: how many of the set.
        size: of how many things the set, or what is left of it, consists.
        is_rest: whether those are left out that were named before.
        is_pair: whether it is both of all things that there are.
    """

    things: tuple[str, ...] = ()
    mode: str = "each"
    left_out: frozenset[str] = frozenset()
    count: int = 0
    size: int | None = None
    is_rest: bool = False
    is_pair: bool = False

    def is_refuted(self, meant: Sequence[str], rest: Sequence[str]) -> bool:
        """Whether things of a set speak against what is said of it, whatever others there are."""
        if self.mode == "all":
            return len(meant) < len(rest)
        if self.mode == "only":
            return not set(self.things) <= set(meant)
        return self.mode == "none" and bool(meant)


def _has_set_behind(before: Sequence[Token], number: Token) -> bool:
    """Whether a number of things is the set: die größte der vier Regionen, zwei der drei."""
    ends = any(one.kind in PLACES for one in before)
    return (ends and not number.apart) or kinds_of(before[-1:]) == ["number"]


def _leads_on(time: Token, before: Sequence[Token], tokens: Sequence[Token]) -> bool:
    """Whether a time is the one that a change is counted from: "rose from A to B", "up from A"."""
    times = [one for one in tokens if one.kind == "period"]
    moved = any(one.kind in _MOVES for one in before)
    moves = moved or any(one.kind in _MOVES for one in tokens)
    return moves and len(times) <= BOTH and (times[0] is time or moved)


def _is_span(tokens: Sequence[Token], at: int) -> bool:
    """Whether a word joins the ends of a change that is compared with no other span of time."""
    between = kinds_of(tokens[max(0, at - 2) : at - 1]) == ["from"]
    is_one = between or _ENDS.isdisjoint(kinds_of(tokens))
    return kinds_of(tokens[at - 1 : at + 2 : 2]) == _SPAN and is_one


def is_measure(token: Token) -> bool:
    """Whether a token names a property."""
    return token.kind in MEASURES


def only_places(tokens: Sequence[Token]) -> bool:
    """Whether tokens tell nothing but a place in an order, and by what."""
    kinds = {one.kind for one in tokens}
    return bool(kinds & PLACES) and kinds <= PLACES | _BESIDE_PLACES


def _counts(number: Token, things: Collection[str]) -> bool:
    """Whether a number is that of some things: "of these two"."""
    return number.quantity is not None and number.quantity.value == len(things)


def _names_first_ones(tokens: Sequence[Token]) -> bool:
    """Whether a clause tells of all that are first, as a row: "the top 3 are A, B and C"."""
    things = sum(one.kind == "thing" for one in tokens)
    return any(
        (one.kind in PLACES and two.quantity is not None and two.quantity.value == things > 1)
        or (one.kind == "number" and two.kind in ("most", "least"))
        for one, two in pairwise(tokens)
    )


class ClauseParts:
    """The parts of one clause: its times, properties and set apart from subject and predicate."""

    def __init__(self, tokens: Sequence[Token], told: Told) -> None:
        self.measures: list[Token] = []
        self.periods: frozenset[PeriodKey] = frozenset()
        self.prior: frozenset[PeriodKey] = frozenset()
        self.kinds: list[frozenset[frozenset[str]]] = []
        self.size: int | None = None
        self.size_before = told.size
        # How many all things of the set have together: "half of the 110 maps".
        self.whole: Quantity | None = None
        self.year_before = self.every_year = self.is_shown = self.may_be_when = False
        # Whether it tells a change from the first recorded time on: "fell to 3 by 2024".
        last = until_at(tokens)
        self.until = last > 0
        tokens = [one for at, one in enumerate(tokens) if not last or at != last]
        # "Only in 2025 did it rise" says nothing of other things, nor "it fell most, 49" of values.
        of_time = any(a.kind == "only" and b.kind == "period" for a, b in pairwise(tokens))
        of_time = of_time or (bool(told.moved) and kinds_of(tokens) == ["figure"])
        self.is_read = not of_time and not _names_first_ones(tokens)
        self.told = told
        tokens, members = without_members(
            with_move(since_compared(without_pointers(tokens)), told.moved)
        )
        self.members = members or told.members
        core = self._without_set(self._without_times(in_plain_order(tokens)))
        self.measures = [one for one in core if one.kind in MEASURES]
        first = next((i for i, one in enumerate(core) if one.kind not in _BEFORE_BUT), 0)
        if first and core[first].kind == "but":
            core = [*core[:first], *core[first + 1 :]]  # "bei den Einwohnern aber hinter B"
        core = [one for one in core if one.kind not in MEASURES]
        self.subject: Subject | None = None
        self.rest: Sequence[Token] = ()
        self._split(core)

    def is_of(self, names: Collection[frozenset[str]]) -> bool:
        """Whether its things are what some names call them, as far as it says what they are.

        A name counts in full: "countries" are not the things of a "supplier country".
        """
        known = frozenset[str]().union(*names)
        fitting = [[words for words in own if words <= known] for own in self.kinds]
        said = frozenset(word for own in fitting for words in own for word in words)
        return not self.kinds or (all(fitting) and any(name <= said for name in names))

    def meant(self, table: Table) -> Table:
        """Return a table, all of it where the set is what is listed: "the largest in the list"."""
        if self.members:
            values = {one: value for one, value in table.values.items() if one in self.members}
            whole = len(values) == len(self.members)
            table = replace(table, values=values, is_part=False, is_whole=whole, orders=())
        return replace(table, is_part=False, is_whole=True) if self.is_shown else table

    def counts(self, table: Table) -> bool:
        """Whether a table has as many things, and these as much together, as it says."""
        total = sum(table.values.values(), Decimal(0))
        whole = self.whole is None or says(self.whole, total, table.measure.unit)
        return whole and self.size in (None, len(table.values))

    def _without_times(self, tokens: Sequence[Token]) -> list[Token]:
        """Return tokens without those for times, which are kept."""
        kept: list[Token] = []
        for at, token in enumerate(tokens):
            if token.kind == "before" and kept and kept[-1].kind in COMPARED:
                kept[-1:] = [Token(COMPARED[kept[-1].kind]), Token("than")]
            compared = bool(kept) and kept[-1].kind == "than"
            led = kept[-1].kind if kept else ""
            if token.kind == "period":
                keys = cast("frozenset[PeriodKey]", token.keys)
                leads = led in ("of", "from") and not self.prior
                if compared or (leads and _leads_on(token, kept, tokens)):
                    if compared:
                        kept[-1] = Token("than_time")
                    else:
                        kept.pop()
                    self.is_read = self.is_read and not self.prior
                    self.prior = keys
                else:
                    self.is_read = self.is_read and not self.periods
                    self.periods = keys
            elif token.kind == "before":
                if compared:
                    kept[-1] = Token("than_time")
                self.is_read = self.is_read and compared
                self.year_before = True
            elif (
                token.kind in ("to", "until")
                and at
                and kinds_of(tokens[at - 1 : at + 2 : 2]) == _SPAN
            ):
                # "from 2010 to 2020", 2010年到2020年
                moves = any(one.kind in _MOVES for one in tokens)
                if not self.prior:
                    self.prior, self.periods = self.periods, frozenset()
                self.is_read = self.is_read and moves
            elif token.kind == "years":
                self.every_year = True
            elif token.kind != "and" or not self.prior or not _is_span(tokens, at):
                kept.append(token)  # and not the "and" of "between 2010 and 2020"
            else:  # "grew fastest between A and B" may be compared with another time
                self.may_be_when = not _ENDS.isdisjoint(kinds_of(tokens))
        return kept

    def _without_set(self, tokens: list[Token]) -> list[Token]:
        """Return tokens without those that tell the set: "of the four", "of the three regions"."""
        kept: list[Token] = []
        at = 0
        while at < len(tokens):
            token = tokens[at]
            behind = [one.kind for one in tokens[at + 1 : at + 4]]
            if token.kind in ("kind", "member"):
                self.kinds += [cast("frozenset[frozenset[str]]", token.keys)] * bool(token.keys)
                # "One of the largest" need not be the largest.
                self.is_read = self.is_read and behind[:2] not in (["of", "most"], ["of", "least"])
            elif token.kind == "shown":
                self.is_shown = True
            elif token.kind in ("by", "to") and behind[:1] != ["figure"]:
                pass
            elif token.kind == "number" and behind[:1] == ["kind"] and _has_set_behind(kept, token):
                self.size = int(token.quantity.value) if token.quantity is not None else 0
            elif token.kind == "of":
                at += self._of_set(tokens[at + 1 :], kept)
            else:
                kept.append(token)
            at += 1
        return kept

    def _of_set(self, behind: Sequence[Token], kept: list[Token]) -> int:
        """Read the set that stands behind "of", and return how many tokens tell it."""
        kinds = kinds_of(behind[:3])
        skip = 1 if kinds[:1] == ["all"] else 0
        shares = [one for one in kept if one.kind not in MEASURES]
        if kinds[:1] == ["figure"] and any(map(is_percent, shares[-1:])):
            self.whole = behind[0].quantity
            return 1
        named = [one for one in behind[skip + 1 : skip + 2] if one.kind == "thing"]
        is_apart = any(one.led and not one.signed for one in named)  # "the last of the five is A"
        if kinds[skip : skip + 1] == ["number"] and (not named or is_apart):
            quantity = behind[skip].quantity
            self.size = int(quantity.value) if quantity is not None else 0
            return 1 + skip
        if kinds[:1] == ["both"] and not set(kinds[1:2]) & {"thing", "kind"}:
            self.size = BOTH  # "the larger of the two"
            return 1
        if kinds[:2] == ["pron", "number"] and _counts(behind[1], self.told.named):
            self.members = self.told.named
            return 2
        if kinds[:1] == ["pron"] and not any(one.kind in _COUNTING for one in kept):
            kept.append(Token("unread"))
        return int(kinds[:1] == ["pron"])

    def _split(self, core: Sequence[Token]) -> None:
        """Tell the subject from what is said of it."""
        core = [
            one
            for at, one in enumerate(core)
            if not (one.kind == "that" and (not at or core[at - 1].kind in ("than", "as", "and")))
        ]
        if core and core[0].kind == "sum":
            core = [*core[1:2], *core[2:]]
            subject, at = self._things(core, 0)
            self.subject = replace(subject, mode="sum") if len(subject.things) > 1 else None
            self.rest = core[at:]
            return
        core = subject_first(neither(core))
        reads: tuple[Callable[[Sequence[Token]], tuple[Subject | None, int]], ...] = (
            self._named,
            self._both,
            self._all_but,
            self._counted,
            self._carried,
        )
        for read in reads:
            subject, at = read(core)
            if subject is not None:
                self.subject, self.rest = subject, core[at:]
                return

    def _things(self, core: Sequence[Token], at: int) -> tuple[Subject, int]:
        """Return the things that are listed from a place on, and where they end."""
        found: list[str] = []
        ended = False
        while at < len(core):
            joined = core[at].kind == "and" and bool(found)
            step = 1 if joined else 0
            if at + step < len(core) and core[at + step].kind == "that" and joined:
                step += 1
            is_next = at + step < len(core) and core[at + step].kind == "thing"
            if not is_next or (ended and not joined):
                break  # "of A, B and C, A has the most" goes on with another name
            keys = core[at + step].keys
            if len(keys) != 1:
                return Subject(), at
            found.append(str(next(iter(keys))))
            ended = joined
            at += step + 1
        if len(set(found)) < len(found):
            return Subject(), at
        return Subject(tuple(found)), at

    def _named(self, core: Sequence[Token]) -> tuple[Subject | None, int]:
        """Read "Chad", "only Chad and Libya", "both A and B", "two of them, A and B"."""
        at, only, count = 0, False, 0
        while at < len(core) and core[at].kind in ("only", "both", "number"):
            quantity = core[at].quantity
            only = only or core[at].kind == "only"
            count = int(quantity.value) if quantity else BOTH if core[at].kind == "both" else count
            at += 1
        subject, at = self._things(core, at)
        if not subject.things or (count and count != len(subject.things)):
            return None, 0
        while at < len(core) and core[at].kind in ("only", "both", "sum", "all"):
            kind = core[at].kind
            if kind == "sum":
                subject = replace(subject, mode="sum")
            only = only or kind == "only"
            if kind == "both" and len(subject.things) != BOTH:
                return None, 0
            at += 1
        if only:
            subject = replace(subject, mode="only")
        return subject, at

    def _both(self, core: Sequence[Token]) -> tuple[Subject | None, int]:
        """Read "both countries", where no two things were told of before."""
        kinds = kinds_of(core[:2])
        is_set = kinds[:1] == ["both"] and PLACES.isdisjoint(kinds)  # "the two largest"
        is_set = is_set and kinds[1:] not in (["other"], ["number"])
        is_set = is_set and len(self.told.subject) != BOTH
        return (Subject((), "all", size=BOTH, is_pair=True), 1) if is_set else (None, 0)

    def _all_but(self, core: Sequence[Token]) -> tuple[Subject | None, int]:
        """Read "all but one", "all seven except two": one where no number says how many."""
        kinds = kinds_of(core[:4])
        at = 2 if kinds[1:2] == ["number"] else 1
        excepts = kinds[:1] == ["all"] and kinds[at : at + 1] in (["except"], ["but"])
        if not excepts or kinds[at + 1 : at + 2] == ["thing"]:
            return None, 0
        whole = core[1].quantity if at > 1 else None
        left = core[at + 1].quantity if kinds[at + 1 : at + 2] == ["number"] else None
        size, count = (int(one.value) if one is not None else 0 for one in (whole, left))
        own = Subject((), "all_but", count=count or 1, size=size or None)
        return own, at + 1 + (left is not None)

    def _counted(self, core: Sequence[Token]) -> tuple[Subject | None, int]:
        """Read "seven", "all but Chile", "none of the other three", "the other two"."""
        kinds = [one.kind for one in core]
        left_out, at = frozenset[str](), 0
        if kinds[:1] == ["except"] or kinds[:2] == ["but", "thing"]:
            subject, at = self._things(core, 1)
            left_out = frozenset(subject.things)
            if not left_out:
                return None, 0
        mode = kinds[at] if at < len(kinds) and kinds[at] in ("all", "none", "any") else ""
        start = at
        at += 1 if mode or kinds[at : at + 2] == ["only", "number"] else 0
        size = count = None
        other = False
        while kinds[at : at + 1] in (["other"], ["number"]) or kinds[at : at + 2] == _OTHER_TWO:
            quantity = core[at].quantity
            if kinds[at] == "other":
                other = True
            elif count is not None:
                return None, 0
            else:
                count = int(quantity.value) if quantity is not None else BOTH
            at += 1
        if not mode and count is not None and kinds[at : at + 1] == ["all"]:
            mode, at = "all", at + 1  # 三国都
        if (
            kinds[at : at + 1] in (["except"], ["but"])
            and kinds[at + 1 : at + 2] == ["thing"]
            and mode
        ):
            subject, at = self._things(core, at + 1)
            left_out |= frozenset(subject.things)
            count = count and count - len(left_out)  # "all six except A"
        if at == start or mode == "any":
            return None, 0
        if other and left_out:
            return None, 0
        if mode or other:
            size, count = count, 0
            if self.size is not None and other:
                size, self.size = self.size, None
        mode = mode or ("all" if other else "count")
        return Subject((), mode, left_out, count or 0, size, is_rest=other), at

    def _carried(self, core: Sequence[Token]) -> tuple[Subject | None, int]:
        """Read "it", "both", or nothing: the subject of the clause before."""
        told = self.told.subject
        if told and core[:1] and core[0].kind == "only":  # "and is the only one above 5 million"
            return Subject(told, "only"), 1
        at = 1 if core and core[0].kind in ("pron", "both") else 0
        if not told or (core[:1] and core[0].kind == "both" and len(told) != BOTH):
            return None, 0
        return Subject(told, "sum" if self.told.summed else "each"), at
