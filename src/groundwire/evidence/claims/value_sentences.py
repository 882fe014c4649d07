"""Sentences about recorded values, each read as a whole: subject, property, comparison, set, time.

"Only Chad and Libya have an area below 2 million" and "A sold more than B and C together, but paid
less rent" are made of the names of things, properties and times, of figures and of words of a short
list. A clause is one subject and what is said of it; property, time and what it is compared with
carry over from the clause before. It is supported where every word is known and has its place, and
the recorded tables have it so.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import cast

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.fact_index import PeriodKey
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.passage_statements import DraftStatements, Found
from groundwire.evidence.claims.period_references import year_before
from groundwire.evidence.claims.value_predicates import Predicate, Row, predicates_of
from groundwire.evidence.claims.value_tables import Measure, Table, ValueTables
from groundwire.evidence.claims.value_words import Token, acts, tokens_of

_MOST_TOKENS = 40
_MOST_CLAUSES = 4
_JOINTS = frozenset(("but", "and"))
_BOTH = 2
_PLACES = frozenset(("ordinal", "most", "least", "last", "next"))
_BESIDE_PLACES = frozenset(("name", "word", "of", "number", "kind", "member", "all", "far"))
_MEASURES = frozenset(("name", "word", *acts()))


@dataclass(frozen=True, slots=True)
class Told:
    """What the clauses before have told of.

    Attributes:
        subject: the things that the last clause was about.
        named: every thing that was named.
        measure: the property.
        periods: keys of the period.
        prior: keys of the period that it was compared with.
        since: keys of the period that it changed from.
        compared: the things that it was compared with.
        summed: whether the things were told of together.
    """

    subject: tuple[str, ...] = ()
    named: frozenset[str] = frozenset()
    measure: Measure | None = None
    periods: frozenset[PeriodKey] = frozenset()
    prior: frozenset[PeriodKey] = frozenset()
    since: frozenset[PeriodKey] = frozenset()
    compared: tuple[str, ...] = ()
    summed: bool = False


@dataclass(frozen=True, slots=True)
class Subject:
    """What a clause is about.

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


class ValueSentenceReader:
    """Reads the sentences of one draft about recorded values."""

    def __init__(self, draft: DraftStatements) -> None:
        self._text = draft.text
        self._known = draft.known
        self._told: dict[int, Told] = {}

    def read(self, context: PassageContext, claims: Sequence[Claim], found: Found) -> None:
        """Support a passage whose every word is known, where the recorded values are so."""
        passage = context.passage
        tables = self._known.once(ValueTables)
        if passage.kind == "cell" or not tables.all or not 0 < len(context.words) <= _MOST_TOKENS:
            return
        if self._text[: passage.end].rstrip().endswith(("?", "？")):
            return
        tokens = tokens_of(context, tables)
        if not tokens:
            return
        told = self._before(context, tables)
        clauses = _Clauses(tables, self._known)
        after = next(clauses.read(tokens, told), None)
        if after is None:
            if clauses.denied:
                detail = "the recorded values have it otherwise"
                found.judge_whole(passage, self._text, claims, False, clauses.denied, detail)
            return
        self._told[passage.end] = after
        if not clauses.compared:
            return
        detail = "the recorded values have it just so"
        found.judge_whole(passage, self._text, claims, True, clauses.compared, detail)

    def _before(self, context: PassageContext, tables: ValueTables) -> Told:
        """Return what the sentence right before a passage told of."""
        passage = context.passage
        start = (
            passage.start
            - len(self._text[: passage.start])
            + len(self._text[: passage.start].rstrip())
        )
        if start in self._told:
            return self._told[start]
        earlier = [scope.span for scope in passage.scopes if scope.earlier]
        spans = earlier or [scope.span for scope in passage.scopes]
        contexts = context.contexts
        things = [a.keys & tables.things for span in spans for a in contexts.entities(span)]
        periods = {a.keys for span in spans for a in contexts.dated(span)}
        names = {a.keys for span in spans for a in contexts.names(span)}
        measures = [m for m in tables.measures if any(m.names & keys for keys in names)]
        subject = tuple(dict.fromkeys(min(keys) for keys in things if keys))
        return Told(
            subject,
            frozenset(subject),
            measures[0] if len(measures) == 1 else None,
            periods.pop() if len(periods) == 1 else frozenset(),
        )


class _Clauses:
    """The clauses of one sentence, read one after the other."""

    def __init__(self, tables: ValueTables, known: Knowledge) -> None:
        self._tables, self._known = tables, known
        self.compared = self.denied = ""

    def read(
        self, tokens: Sequence[Token], told: Told, left: int = _MOST_CLAUSES
    ) -> Iterator[Told]:
        """Yield what a sentence has told at its end, for each way to read it that holds."""
        while tokens and tokens[0].kind in _JOINTS:
            tokens = tokens[1:]
        if not tokens:
            return
        after = self._clause(tokens, told)
        if after is not None:
            yield after
        if after is not None or self.denied:
            return
        for at, token in enumerate(tokens) if left > 1 else ():
            if at and (token.kind in _JOINTS or token.apart):
                first = self._clause(tokens[:at], told) or self._fronted(tokens[:at], told)
                self.denied = ""
                if first is not None:
                    yield from self._rest(tokens, at, first, left - 1)

    def _rest(self, tokens: Sequence[Token], at: int, told: Told, left: int) -> Iterator[Told]:
        """Yield what is told behind the first clause of a sentence, which ends at a place.

        "A, third by area, ..." and "... than B, the largest" tell that of the name before them.
        """
        ends = [
            end
            for end in range(at + 1, len(tokens) + 1)
            if end == len(tokens) or tokens[end].apart or tokens[end].kind in _JOINTS
        ]
        before = tokens[at - 1]
        if tokens[at].kind not in _JOINTS and before.kind == "thing" and len(before.keys) == 1:
            own = replace(told, subject=(str(next(iter(before.keys))),))
            for end in ends:
                clause = tokens[at:end]
                if not _only_places(clause):
                    break
                if self._clause(clause, own) is not None:
                    if end == len(tokens):
                        yield told
                    else:
                        yield from self.read(tokens[end:], told, left)
                self.denied = ""
            if _only_places(tokens[at : ends[0]]):
                return
        yield from self.read(tokens[at:], told, left)

    def _fronted(self, tokens: Sequence[Token], told: Told) -> Told | None:
        """Return what a bare name at the beginning tells, of which more is said."""
        if len(tokens) != 1 or tokens[0].kind != "thing" or len(tokens[0].keys) != 1:
            return None
        thing = str(next(iter(tokens[0].keys)))
        return replace(told, subject=(thing,), named=told.named | {thing})

    def _clause(self, tokens: Sequence[Token], told: Told) -> Told | None:
        """Return what is told behind a clause that holds; None where it does not."""
        clause = _Parts(tokens, told, self._known)
        if not clause.is_read:
            return None
        subject = clause.subject
        if subject is None:
            return None
        for predicates in predicates_of(clause.rest):
            for after in self._judged(clause, subject, predicates, told):
                return after
        return None

    def _judged(
        self, clause: _Parts, subject: Subject, predicates: Sequence[Predicate], told: Told
    ) -> Iterator[Told]:
        """Yield what is told behind a clause that says some things of a subject, if it holds."""
        if told.compared and not (told.prior or clause.prior or clause.year_before):
            # "and it sold less" is less than what the clause before compares with
            predicates = [
                replace(one, things=told.compared) if one.is_bare else one for one in predicates
            ]
        if any(p.is_weak for p in predicates) > (subject.mode == "none"):
            return
        if subject.is_rest:
            compared = frozenset(one for p in predicates for one in p.things)
            subject = replace(subject, left_out=frozenset(told.subject) or compared)
            if not subject.left_out:
                return
        for measure in self._measures(clause, subject, predicates, told):
            after = self._holds(clause, subject, predicates, measure, told)
            if after is not None:
                yield after

    def _measures(
        self, clause: _Parts, subject: Subject, predicates: Sequence[Predicate], told: Told
    ) -> list[Measure]:
        """Return the one property that a clause may be about; none where it may be several."""
        things = {*subject.things, *(one for p in predicates for one in p.things)}
        own = {t.measure for t in self._tables.all if things <= t.values.keys()}
        words = self._tables.measures
        said = [
            one
            for one in own
            if all(
                token.keys <= words[one] if token.kind == "word" else token.keys & one.names
                for token in clause.measures
                if token.kind not in acts()
            )
            and all(acts()[t.kind] & words[one] for t in clause.measures if t.kind in acts())
        ]
        if not clause.measures and told.measure in said:
            return [told.measure] if told.measure is not None else []
        exact = [
            one
            for one in said
            if any(token.kind == "name" and token.keys >= one.names for token in clause.measures)
        ]
        said = exact or said
        if not clause.measures and len(self._tables.measures) > 1:
            return []
        return said if len(said) == 1 else []

    def _holds(
        self,
        clause: _Parts,
        subject: Subject,
        predicates: Sequence[Predicate],
        measure: Measure,
        told: Told,
    ) -> Told | None:
        """Return what is told behind a clause about a property; None where it does not hold."""
        periods = clause.periods or told.periods
        own = [t for t in self._tables.all if t.measure == measure]
        known = {key for t in own for key in t.periods}
        if clause.every_year:
            times = list(dict.fromkeys(t.periods for t in own))
            if len(times) != _BOTH or clause.periods:
                return None
        else:
            if periods and not periods & known and any(t.periods for t in own):
                return None
            if clause.periods and not known:
                return None
            here = {t.periods for t in own if not periods or not known or t.periods & periods}
            if len(here) != 1:
                return None
            times = [*here]
        prior = clause.prior
        if clause.year_before:
            prior = cast("frozenset[PeriodKey]", year_before(times[0], known))
        elif not prior and any(p.takes_prior for p in predicates) and not clause.every_year:
            changes = any(p.is_change for p in predicates)
            prior = told.since if changes else told.prior
            if not prior and changes:
                prior = cast("frozenset[PeriodKey]", year_before(times[0], known))
        if (clause.year_before or clause.prior) and not any(p.takes_prior for p in predicates):
            return None
        outcomes = [self._at(own, one, prior, clause, subject, predicates) for one in times]
        if not all(outcomes):
            return None
        things = subject.things or self._meant
        named = told.named | set(things) | {one for p in predicates for one in p.things}
        compared = next((p.things for p in predicates if p.kind in ("more", "less")), ())
        summed = subject.mode == "sum"
        changes = any(p.is_change for p in predicates)
        ends = (frozenset[PeriodKey](), prior) if changes else (prior, frozenset[PeriodKey]())
        return Told(things, named, measure, periods or times[0], *ends, compared, summed)

    _meant: tuple[str, ...] = ()

    def _at(
        self,
        own: Sequence[Table],
        periods: frozenset[PeriodKey],
        prior: frozenset[PeriodKey],
        clause: _Parts,
        subject: Subject,
        predicates: Sequence[Predicate],
    ) -> bool:
        """Whether a clause holds in a period, in every table that may be meant."""
        things = {
            *subject.things,
            *subject.left_out,
            *(one for p in predicates for one in p.things),
        }
        outcomes: list[bool | None] = []
        for table in own:
            if table.periods != periods or not things <= table.values.keys():
                continue
            if not clause.kinds <= (table.kinds or self._known.kinds):
                continue
            before = next(
                (
                    t
                    for t in own
                    if prior and t.periods & prior and t.values.keys() >= table.values.keys()
                ),
                None,
            )
            outcome = self._in_table(table, before, clause, subject, predicates)
            outcomes.append(outcome)
            if outcome:
                self.compared = table.evidence_id
            elif outcome is False:
                self.denied = table.evidence_id
        return True in outcomes and False not in outcomes

    def _in_table(
        self,
        table: Table,
        before: Table | None,
        clause: _Parts,
        subject: Subject,
        predicates: Sequence[Predicate],
    ) -> bool | None:
        """Whether a clause holds in a table; None where the table cannot tell."""
        size = len(table.values)
        if clause.size is not None and clause.size != size:
            return None
        closed = table.is_whole or clause.size == size
        row = Row(table, before, closed)

        def fits(thing: str) -> bool | None:
            outcomes = [one.holds((thing,), row) for one in predicates]
            return None if None in outcomes else all(outcomes)

        if subject.mode == "sum":
            sums = [one.holds(subject.things, row) for one in predicates]
            return None if None in sums else all(sums)
        if subject.mode == "each":
            each = [fits(one) for one in subject.things]
            return None if None in each else bool(each) and all(each)
        rest = [one for one in table.values if one not in subject.left_out]
        if subject.size is not None and len(rest) != subject.size:
            return None
        closed = closed or subject.size is not None
        row = Row(table, before, closed)
        every = {one: fits(one) for one in rest}
        if None in every.values():
            return None
        meant = [one for one, outcome in every.items() if outcome]
        if not closed and not (table.falls and all(one.is_upper for one in predicates)):
            return None
        if not closed and len(meant) == len(rest):
            return None
        self._meant = tuple(rest if subject.mode == "all" else meant)
        if subject.mode == "only":
            return set(meant) == set(subject.things)
        if subject.mode == "count":
            return len(meant) == subject.count
        return len(meant) == (len(rest) if subject.mode == "all" else 0)


def _in_order(core: Sequence[Token]) -> Sequence[Token]:
    """Return a clause that begins with a place in the usual order: "third came A"."""
    at = next((i for i, one in enumerate(core) if one.kind not in _PLACES | {"far"}), 0)
    if not at or core[at].kind != "thing":
        return core
    return [core[at], *core[:at], *core[at + 1 :]]


def _only_places(tokens: Sequence[Token]) -> bool:
    """Whether tokens tell nothing but a place in an order, and by what."""
    kinds = {one.kind for one in tokens}
    return bool(kinds & _PLACES) and kinds <= _PLACES | _BESIDE_PLACES


class _Parts:
    """The parts of one clause: its times, properties and set apart from subject and predicate."""

    def __init__(self, tokens: Sequence[Token], told: Told, known: Knowledge) -> None:
        self.measures: list[Token] = []
        self.periods: frozenset[PeriodKey] = frozenset()
        self.prior: frozenset[PeriodKey] = frozenset()
        self.kinds: frozenset[Hashable] = frozenset()
        self.size: int | None = None
        self.year_before = self.every_year = False
        self.is_read = True
        self._told = told
        core = self._without_set(self._without_times(tokens))
        self.measures = [one for one in core if one.kind in _MEASURES]
        core = [one for one in core if one.kind not in _MEASURES]
        self.subject: Subject | None = None
        self.rest: Sequence[Token] = ()
        self._split(core)

    def _without_times(self, tokens: Sequence[Token]) -> list[Token]:
        """Return tokens without those for times, which are kept."""
        kept: list[Token] = []
        for token in tokens:
            compared = bool(kept) and kept[-1].kind == "than"
            led = kept[-1].kind if kept else ""
            if token.kind == "period":
                keys = cast("frozenset[PeriodKey]", token.keys)
                if compared or (
                    led in ("of", "from") and not self.prior and self._leads_on(token, tokens)
                ):
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
            elif token.kind == "years":
                self.every_year = True
            else:
                kept.append(token)
        return kept

    def _leads_on(self, token: Token, tokens: Sequence[Token]) -> bool:
        """Whether a time is the first of two, or the one that a change is counted from."""
        times = [one for one in tokens if one.kind == "period"]
        moves = any(one.kind in ("rise", "fall") for one in tokens)
        return moves and (len(times) == 1 or (len(times) == _BOTH and times[0] is token))

    def _without_set(self, tokens: list[Token]) -> list[Token]:
        """Return tokens without those that tell the set: "of the four", "of the three regions"."""
        kept: list[Token] = []
        at = 0
        while at < len(tokens):
            token = tokens[at]
            behind = [one.kind for one in tokens[at + 1 : at + 4]]
            if token.kind in ("kind", "member"):
                self.kinds |= token.keys
            elif token.kind == "shown":
                pass
            elif token.kind == "of":
                skip = 1 if behind[:1] == ["all"] else 0
                if behind[skip : skip + 1] == ["number"] and behind[skip + 1 : skip + 2] != [
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
        core = _in_order(core)
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
        while at < len(core):
            joined = core[at].kind == "and" and found
            step = 1 if joined else 0
            if at + step < len(core) and core[at + step].kind == "that" and joined:
                step += 1
            if at + step >= len(core) or core[at + step].kind != "thing":
                break
            keys = core[at + step].keys
            if len(keys) != 1:
                return Subject(), at
            found.append(str(next(iter(keys))))
            at += step + 1
        return Subject(tuple(found)), at

    def _named(self, core: Sequence[Token]) -> tuple[Subject | None, int]:
        """Read "Chad", "only Chad and Libya", "both A and B", "two of them, A and B"."""
        at, only, count = 0, False, 0
        while at < len(core) and core[at].kind in ("only", "both", "number"):
            quantity = core[at].quantity
            only = only or core[at].kind == "only"
            count = int(quantity.value) if quantity else _BOTH if core[at].kind == "both" else count
            at += 1
        subject, at = self._things(core, at)
        if not subject.things or (count and count != len(subject.things)):
            return None, 0
        while at < len(core) and core[at].kind in ("only", "both", "sum", "all"):
            kind = core[at].kind
            if kind == "sum":
                subject = replace(subject, mode="sum")
            only = only or kind == "only"
            if kind == "both" and len(subject.things) != _BOTH:
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
        at += 1 if mode else 0
        size = count = None
        other = False
        while at < len(kinds) and kinds[at] in ("other", "number"):
            quantity = core[at].quantity
            if quantity is None:
                other = True
            elif count is not None:
                return None, 0
            else:
                count = int(quantity.value)
            at += 1
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
        at = 1 if core and core[0].kind in ("pron", "both") else 0
        if not told or (core[:1] and core[0].kind == "both" and len(told) != _BOTH):
            return None, 0
        return Subject(told, "sum" if self._told.summed else "each"), at
