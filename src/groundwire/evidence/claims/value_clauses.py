"""A clause about recorded values: its subject, time, property and set, and what it says.

Chinese says 比 B 多 for "more than B" and 四国中 for "of the four countries", and each language may
put what it says of things before them: "third came A", "over 5 million has only A". Such clauses
are brought into one order first.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise, takewhile
from typing import cast

from groundwire.evidence.claims.fact_index import PeriodKey
from groundwire.evidence.claims.value_rows import SETS, without_members
from groundwire.evidence.claims.value_tables import Measure, Table
from groundwire.evidence.claims.value_words import BOTH, Token, acts

JOINTS = frozenset(("but", "and"))
"""Kinds of words that join clauses."""

_BESIDE_PLACES = frozenset(("name", "word", "of", "number", "kind", "member", "all", "far"))
_SPAN = ["period", "period"]
_BEFORE_BUT = frozenset(("thing", "name", "word", "pron"))
_OTHER_TWO = ["both", "other"]
_MEASURES = frozenset(("name", "word", *acts()))
# Kinds of words that tell a place in an order.
_PLACES = frozenset(("ordinal", "most", "least", "last", "next"))

_ENDS = frozenset(("most", "least", "fastest"))
_MOVES = frozenset(("rise", "fall", "same"))
_DEGREES = frozenset(("slight", "far"))
_COMPARING = frozenset(("more", "less"))
_SAID = _PLACES | _COMPARING | {"figure", "number", "ahead", "behind", "rise", "fall", "not"}

_SUBJECTS = frozenset(
    ("thing", "and", "only", "all", "none", "number", "both", "other", "except", "sum")
)
_LEADING = _PLACES | {"far", "rise", "fall", "fastest", "figure"}
# "Above the year before" compares with it as "more than in" does.
_COMPARED = {"ahead": "more", "behind": "less"}


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
    """

    things: tuple[str, ...] = ()
    mode: str = "each"
    left_out: frozenset[str] = frozenset()
    count: int = 0
    size: int | None = None
    is_rest: bool = False

    def is_refuted(self, meant: Sequence[str], rest: Sequence[str]) -> bool:
        """Whether things of a set speak against what is said of it, whatever others there are."""
        if self.mode == "all":
            return len(meant) < len(rest)
        if self.mode == "only":
            return not set(self.things) <= set(meant)
        return self.mode == "none" and bool(meant)


def _kinds(tokens: Sequence[Token]) -> list[str]:
    return [one.kind for one in tokens]


def _has_set_behind(before: Sequence[Token], number: Token) -> bool:
    """Whether a number of things is the set: die größte der vier Regionen, zwei der drei."""
    ends = any(one.kind in _PLACES for one in before)
    return (ends and not number.apart) or _kinds(before[-1:]) == ["number"]


def _leads_on(time: Token, before: Sequence[Token], tokens: Sequence[Token]) -> bool:
    """Whether a time is the one that a change is counted from: "rose from A to B", "up from A"."""
    times = [one for one in tokens if one.kind == "period"]
    moved = any(one.kind in _MOVES for one in before)
    moves = moved or any(one.kind in _MOVES for one in tokens)
    return moves and len(times) <= BOTH and (times[0] is time or moved)


def _is_span(tokens: Sequence[Token], at: int) -> bool:
    """Whether a word joins the ends of a change that is compared with no other span of time."""
    between = _kinds(tokens[max(0, at - 2) : at - 1]) == ["from"]
    is_one = between or _ENDS.isdisjoint(_kinds(tokens))
    return _kinds(tokens[at - 1 : at + 2 : 2]) == _SPAN and is_one


def is_measure(token: Token) -> bool:
    """Whether a token names a property."""
    return token.kind in _MEASURES


def only_places(tokens: Sequence[Token]) -> bool:
    """Whether tokens tell nothing but a place in an order, and by what."""
    kinds = {one.kind for one in tokens}
    return bool(kinds & _PLACES) and kinds <= _PLACES | _BESIDE_PLACES


def _names_first_ones(tokens: Sequence[Token]) -> bool:
    """Whether a clause tells of all that are first, as a row: "the top 3 are A, B and C"."""
    things = sum(one.kind == "thing" for one in tokens)
    return any(
        (one.kind in _PLACES and two.quantity is not None and two.quantity.value == things > 1)
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
        self.whole: Decimal | None = None
        self.year_before = self.every_year = self.is_shown = self.may_be_when = False
        # "Only in 2025 did it rise" says nothing of other things.
        of_time = any(a.kind == "only" and b.kind == "period" for a, b in pairwise(tokens))
        self.is_read = not of_time and not _names_first_ones(tokens)
        self._told = told
        tokens, members = without_members(_without_pointers(tokens))
        self.members = members or told.members
        core = self._without_set(self._without_times(_in_plain_order(tokens)))
        self.measures = [one for one in core if one.kind in _MEASURES]
        first = next((i for i, one in enumerate(core) if one.kind not in _BEFORE_BUT), 0)
        if first and core[first].kind == "but":
            core = [*core[:first], *core[first + 1 :]]  # "bei den Einwohnern aber hinter B"
        core = [one for one in core if one.kind not in _MEASURES]
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
        whole = self.whole in (None, sum(table.values.values()))
        return whole and self.size in (None, len(table.values))

    def _without_times(self, tokens: Sequence[Token]) -> list[Token]:
        """Return tokens without those for times, which are kept."""
        kept: list[Token] = []
        for at, token in enumerate(tokens):
            if token.kind == "before" and kept and kept[-1].kind in _COMPARED:
                kept[-1:] = [Token(_COMPARED[kept[-1].kind]), Token("than")]
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
                and _kinds(tokens[at - 1 : at + 2 : 2]) == _SPAN
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
                self.may_be_when = not _ENDS.isdisjoint(_kinds(tokens))
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
                skip = 1 if behind[:1] == ["all"] else 0
                if behind[:1] == ["figure"] and any(map(_is_percent, kept[-1:])):
                    quantity = tokens[at + 1].quantity
                    self.whole = quantity.value if quantity is not None else None
                    self.is_read = self.is_read and quantity is not None and not quantity.unit
                    at += 1
                elif behind[skip : skip + 1] == ["number"] and behind[skip + 1 : skip + 2] != [
                    "thing"
                ]:
                    quantity = tokens[at + 1 + skip].quantity
                    self.size = int(quantity.value) if quantity is not None else 0
                    at += 1 + skip
                elif behind[:1] == ["pron"]:
                    at += 1
                    if not any(one.kind in ("number", "none", "both", "all") for one in kept):
                        kept.append(Token("unread"))
            else:
                kept.append(token)
            at += 1
        return kept

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
        core = _subject_first(core)
        reads: tuple[Callable[[Sequence[Token]], tuple[Subject | None, int]], ...] = (
            self._named,
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
        told = self._told.subject
        if told and core[:1] and core[0].kind == "only":  # "and is the only one above 5 million"
            return Subject(told, "only"), 1
        at = 1 if core and core[0].kind in ("pron", "both") else 0
        if not told or (core[:1] and core[0].kind == "both" and len(told) != BOTH):
            return None, 0
        return Subject(told, "sum" if self._told.summed else "each"), at


def _is_percent(token: Token) -> bool:
    percent = token.quantity is not None and token.quantity.unit == "%"
    return percent or token.kind in ("fraction", "half")


def _without_pointers(tokens: Sequence[Token]) -> list[Token]:
    """Return tokens without what points back: "saw their sales grow", "verlor dagegen 5 %"."""
    return [
        one
        for at, one in enumerate(tokens)
        if not (at and one.kind == "pron" and _MEASURES & {*_kinds(tokens[at + 1 : at + 2])})
        and not (one.kind == "share" and not any(map(_is_percent, tokens[at + 1 :])))
        and not (one.kind == "but" and _kinds(tokens[at - 1 : at]) in (["rise"], ["fall"]))
    ]


def _in_plain_order(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens of a clause with sets and comparisons in the order of English."""
    return _than_behind(_of_before(_began_apart(list(tokens))))


def _began_apart(tokens: list[Token]) -> list[Token]:
    """Return tokens with the value that a change began at apart from what it came to.

    "Fell from 5 in 2010 to 3 in 2020", 从2010年的5降至3: its time leads on to the other.
    """
    at = next((i for i, one in enumerate(tokens) if one.kind in ("of", "from")), len(tokens))
    own = [*takewhile(lambda one: one.kind in ("figure", "period"), tokens[at + 1 : at + 3])]
    figures = [one.quantity for one in own if one.quantity is not None]
    behind = tokens[at + 1 + len(own) :]
    ended = next((one.quantity for one in behind if one.kind == "figure"), None)
    moves = any(one.kind in ("rise", "fall") for one in tokens)
    if not moves or len(figures) != 1 or ended is None or "to" not in _kinds(behind):
        return tokens
    if figures[0].unit != ended.unit:
        return tokens  # "a fall of 3 % to 40"
    time = [Token("from"), *(one for one in own if one.kind == "period")]
    began = Token("began", quantity=figures[0])
    return [*tokens[:at], *(time if len(own) > 1 else ()), began, *behind]


def _of_before(tokens: list[Token]) -> list[Token]:
    """Return tokens with "of" before its set: 四国中 is "of the four countries"."""
    at = next((i for i, one in enumerate(tokens) if one.kind == "within"), 0)
    start = at
    while start and tokens[start - 1].kind in SETS:
        start -= 1
    if start == at:
        return tokens
    return [*tokens[:start], Token("of"), *tokens[start:at], *tokens[at + 1 :]]


def _than_behind(tokens: list[Token]) -> list[Token]:
    """Return tokens with a comparison before what it compares with: 比 B 多 is "more than B"."""
    kinds = [one.kind for one in tokens]
    start = kinds.index("than") if "than" in kinds else 0
    end = next((i for i in range(start, len(kinds)) if kinds[i] in _COMPARING), 0)
    if not start or not end or not _COMPARING.isdisjoint(kinds[:start]):
        return tokens
    first = end - 1 if kinds[end - 1] in _DEGREES else end
    figure = end + 1 if kinds[end + 1 : end + 2] in (["figure"], ["number"]) else end
    compared = [*tokens[first:end], *tokens[end + 1 : figure + 1], tokens[end]]
    return [*tokens[:start], *compared, *tokens[start:first], *tokens[figure + 1 :]]


def _subject_first(core: Sequence[Token]) -> Sequence[Token]:
    """Return a clause that begins with what it says in the usual order.

    So begin "third came A", 超过一亿的只有 A, and German clauses such as "stieg in A".
    """
    kinds = [one.kind for one in core]
    only = kinds.index("only") if "only" in kinds else 0
    if only and kinds[0] in _SAID and set(kinds[only + 1 :]) <= {"thing", "and"}:
        return [*core[only:], *core[:only]]
    at = next((i for i, kind in enumerate(kinds) if kind not in _LEADING), 0)
    if at and set(kinds[at:]) <= _SUBJECTS:
        return [*core[at:], *core[:at]]
    if not at or kinds[at] != "thing":
        return core
    return [core[at], *core[:at], *core[at + 1 :]]
