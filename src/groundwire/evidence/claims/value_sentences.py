"""Sentences about recorded values, each read as a whole: subject, property, comparison, set, time.

"Only Chad and Libya have an area below 2 million" and "A sold more than B and C together, but paid
less rent" are made of the names of things, properties and times, of figures and of words of a short
list. A clause is one subject and what is said of it; property, time and what it is compared with
carry over from the clause before. It is supported where every word is known and has its place, and
the recorded tables have it so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import dropwhile, takewhile

from groundwire.evidence.claims.claim import Claim, Status
from groundwire.evidence.claims.clause_order import (
    WENT,
    clauses_apart,
    first_ones,
    in_order,
    is_structure,
    lacks_divisor,
    rows_of,
)
from groundwire.evidence.claims.clause_times import (
    fitting_units,
    holds_over_time,
    measures_told,
    prior_of,
    times_of,
    with_others,
)
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.explained_words import merely_origins
from groundwire.evidence.claims.fact_index import PeriodKey
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.passage_statements import DraftStatements, Found
from groundwire.evidence.claims.told_predicates import EXTENTS, predicates_of
from groundwire.evidence.claims.value_clauses import (
    JOINTS,
    ClauseParts,
    Subject,
    Told,
    is_measure,
    only_places,
)
from groundwire.evidence.claims.value_predicates import Predicate, Row
from groundwire.evidence.claims.value_series import TimeTables, Turned, by_property, turned
from groundwire.evidence.claims.value_tables import Measure, Table, ValueTables
from groundwire.evidence.claims.value_words import BOTH, Token, acts, is_owned, spans_of, tokens_of

_NONE: tuple[Table, Status] | None = None
_NOUNS = frozenset(("kind", "member"))
_JUST_SO = "the recorded values have it just so"
# "So A had more" and "which is more" go on with what was told before.
_BEFORE_CLAUSES = JOINTS | {"as", "rel"}
_SORTS = frozenset(("descending", "ascending"))
_MOST_TOKENS, _MOST_CLAUSES = 40, 5
# A sentence without any of these tells plain figures, which are judged one by one.
_ROLES = frozenset(("comparison", "superlative", "bound", "order", "direction", "quantifier"))


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
        is_short = 0 < len(context.words) <= _MOST_TOKENS
        asks = self._text[: passage.end].rstrip().endswith(("?", "？"))
        if passage.kind == "cell" or not is_short or asks:
            return
        denied = _NONE
        for turn in self._readings(context, tables):
            if context.roles.isdisjoint(_ROLES) and not any(map(is_structure, turn.tokens)):
                return
            clauses = _Clauses(turn, self._known)
            after = next(clauses.read(turn.tokens, turn.told), None)
            if after is not None and len(tables.things) > 1 and turn.compares_times:
                return  # "in 2024 A had the higher margin" is of A, or of 2024
            denied = denied or clauses.denied
            if after is None or lacks_divisor(context, after.measure, turn.measures):
                continue
            self._told[len(self._text[: passage.end].rstrip())] = turn.told_after(after)
            if not clauses.compared or any(merely_origins(context.words, context, self._known)):
                return  # what comes from a country is not sold there
            found.judge_whole(passage, self._text, claims, True, clauses.compared, _JUST_SO)
            return
        sorts = any(w.role is not None and w.role.sense in _SORTS for w in context.words)
        if denied is not None and not sorts:
            (table, status), who = denied, denied[0].evidence_id
            detail = f"the record has {table.told(self._known)}"
            found.judge_whole(passage, self._text, claims, False, who, detail, status)

    def _readings(self, context: PassageContext, tables: ValueTables) -> Iterator[Turned]:
        """Yield a passage as one about things, and as one about the times of one thing."""
        scopes = spans_of(tables.scopes, context)
        if tables.all and (tokens := tokens_of(context, tables, scopes)):
            told = self._before(context, tables)
            of_parts = any(one.keys & self._known.parts.keys() for one in tokens)
            if of_parts:  # "the largest channel of the group"
                tokens = [one for one in tokens if not (one.keys and one.keys <= tables.owners)]
            yield Turned(tokens, told, tables.within(context, scopes), tables.measures)
            yield from by_property(tokens, told, tables)
        times = self._known.once(TimeTables)
        if times.all and (tokens := tokens_of(context, times)):
            yield from turned(tokens, self._before(context, times), times)

    def _before(self, context: PassageContext, tables: ValueTables | TimeTables) -> Told:
        """Return what the sentence right before a passage told of."""
        passage = context.passage
        start = len(self._text[: passage.start].rstrip())
        if start in self._told:
            return self._told[start]
        earlier = [scope.span for scope in passage.scopes if scope.earlier]
        spans = earlier or [scope.span for scope in passage.scopes]
        contexts = context.contexts
        things = [a.keys & tables.things for span in spans for a in contexts.entities(span)]
        periods = {a.keys for span in spans for a in contexts.dated(span)}
        names = [a for span in spans for a in contexts.names(span)]
        named = [m for a in sorted(names, key=lambda one: one.start)
                 for m in tables.measures if m.names & a.keys]  # fmt: skip
        measures = [*dict.fromkeys(named)]
        subject = tuple(dict.fromkeys(min(keys) for keys in things if keys))
        if len(tables.things) == 1:  # nothing else is told of
            subject = tuple(tables.things)
        own = measures[0] if len(measures) == 1 else None
        when = periods.pop() if len(periods) == 1 else frozenset[PeriodKey]()
        last = named[-1] if named else None
        return Told(subject, frozenset(subject), own, when, last=last)


class _Clauses:
    """The clauses of one sentence, read one after the other."""

    def __init__(self, tables: Turned, known: Knowledge) -> None:
        self._tables, self._known = tables, known
        self.compared, self.denied = "", _NONE
        # The things of a set for which the last clause holds.
        self._meant: tuple[str, ...] = ()

    def read(
        self, tokens: Sequence[Token], told: Told, left: int = _MOST_CLAUSES
    ) -> Iterator[Told]:
        """Yield what a sentence has told at its end, for each way to read it that holds."""
        tokens = [*dropwhile(lambda one: one.kind in _BEFORE_CLAUSES, tokens)]
        if not tokens:
            return
        tokens, rows = first_ones(tokens)
        if rows:
            yield from self._first_ones(tokens, rows, told)
            return
        near = tokens[0].kind if tokens[0].kind in EXTENTS else ""  # "closely followed by B"
        first, *behind = tokens[bool(near) :] or tokens
        if first.kind == "next" and told.placed and (rows := rows_of(behind)):
            yield from self._next_ones(rows, told.placed, told, near)
            return
        tokens = clauses_apart(tokens)
        after = self._clause(tokens, told) or self._of_each(tokens, told)
        if after is not None:
            yield after
        if after is not None or self.denied is not None:
            return
        for at, token in enumerate(tokens) if left > 1 else ():
            ends = token.kind in (*JOINTS, "rel") or token.apart
            # The figure of "Increase: 5 million" is that of the increase.
            label = at == 1 and tokens[0].kind in WENT and token.kind == "figure"
            if at and ends and not label and not is_owned(tokens, at):
                first = self._clause(tokens[:at], told)
                if first is None and token.kind not in (*JOINTS, "thing"):
                    first = self._fronted(tokens[:at], told)
                self.denied = None
                if first is not None:
                    yield from self._rest(tokens, at, first, left - 1)

    def _of_each(self, tokens: Sequence[Token], told: Told) -> Told | None:
        """Return what is told behind a clause about two properties: "more A and B than C"."""
        for at, one in enumerate(tokens[1:-1], 1):
            left = [*takewhile(is_measure, tokens[:at][::-1])]
            right = [*takewhile(is_measure, tokens[at + 1 :])]
            if one.kind == "and" and left and right:
                rest = tokens[at + 1 + len(right) :]
                first = self._clause([*tokens[:at], *rest], told)
                second = [*tokens[: at - len(left)], *right, *rest]
                return self._clause(second, told) if first is not None else None
        return None

    def _first_ones(
        self, tokens: Sequence[Token], rows: Sequence[Sequence[Token]], told: Told
    ) -> Iterator[Told]:
        """Yield what is told behind those that are first: "the countries with most are A and B"."""
        start = next(at for at, one in enumerate(tokens) if one.kind == "thing")
        head = [one for one in tokens[:start] if one.kind not in ("number", "member", "both")]
        counts = [t.quantity.value for t in tokens[:start] if t.kind == "number" and t.quantity]
        counts += [Decimal(BOTH) for one in tokens[:start] if one.kind == "both"]
        clause = ClauseParts([*head, rows[0][0]], told)
        things = tuple(str(next(iter(row[0].keys))) for row in rows)
        kinds = {one.kind for one in head}
        if counts not in ([], [len(things)]) or clause.subject is None or not clause.is_read:
            return
        if "only" in kinds or not in_order(rows, falling="most" in kinds):
            return  # that others have none is read of no row
        for predicates in predicates_of(clause.rest):
            own = [replace(one, among=len(things)) for one in predicates if one.kind == "place"]
            whole = len(own) == len(predicates) == 1 and abs(own[0].place) == 1
            for after in self._judged(clause, Subject(things), own, told) if whole else ():
                if all(len(row) == 1 or self._clause(row, after) for row in rows):
                    yield after

    def _next_ones(
        self, rows: Sequence[Sequence[Token]], place: Predicate, told: Told, near: str
    ) -> Iterator[Told]:
        """Yield what is told behind those that come next: "followed by B with 3 and C with 2".

        A degree tells how far the first of them is from the one before: "closely followed".
        """
        step, after = 1 if place.place > 0 else -1, told
        for at, (thing, *figures) in enumerate(rows, 1):
            figure = figures[0].quantity if figures else None
            own = replace(place, place=place.place + step * at, figure=None, degree="")
            moved = own.kind != "place"
            said = [replace(own, figure=figure)] if moved else [own]
            said += [Predicate("value", figure=figure)] if figure and not moved else []
            if near and at == 1:
                if moved or len(told.subject) != 1:
                    return
                said.append(Predicate("less" if step > 0 else "more", told.subject, degree=near))
            clause = ClauseParts([thing], after)
            subject = clause.subject or Subject()
            if not (held := next(self._judged(clause, subject, said, after), None)):
                return
            after = held
        yield after

    def _rest(self, tokens: Sequence[Token], at: int, told: Told, left: int) -> Iterator[Told]:
        """Yield what is told behind the first clause of a sentence, which ends at a place.

        "A, third by area, ..." and "... than B, the largest" tell that of the name before them.
        """
        ends = [
            end
            for end in range(at + 1, len(tokens) + 1)
            if end == len(tokens) or tokens[end].apart or tokens[end].kind in JOINTS
        ]
        before = next((t for t in tokens[at - 1 :: -1] if t.kind not in _NOUNS), tokens[at - 1])
        if tokens[at].kind not in JOINTS and before.kind == "thing" and len(before.keys) == 1:
            own = replace(told, subject=(str(next(iter(before.keys))),))
            told = own if tokens[at].kind == "rel" else told
            if tokens[at].kind == "figure" and not tokens[at].signed:
                told = own  # "longer than the Lyon map with 9 km"
            for end in ends:
                clause = tokens[at:end]
                if not only_places(clause):
                    break
                if self._clause(clause, own) is not None:
                    if end == len(tokens):
                        yield told
                    else:
                        yield from self.read(tokens[end:], told, left)
                self.denied = None
            if only_places(tokens[at : ends[0]]):
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
        clause = ClauseParts(tokens, told)
        subject = clause.subject
        if not clause.is_read or subject is None:
            return None
        if subject.mode == "sum" and self._known.overlap(frozenset(subject.things)):
            return None  # the sum of a whole and its part counts the part twice
        for predicates in predicates_of(clause.rest, of_several=len(subject.things) != 1):
            for after in self._judged(clause, subject, predicates, told):
                return after
        return None

    def _judged(
        self, clause: ClauseParts, subject: Subject, predicates: Sequence[Predicate], told: Told
    ) -> Iterator[Told]:
        """Yield what is told behind a clause that says some things of a subject, if it holds."""
        predicates = with_others(clause, subject, predicates, self._tables.all)
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
        self, clause: ClauseParts, subject: Subject, predicates: Sequence[Predicate], told: Told
    ) -> list[Measure]:
        """Return the one property that a clause may be about; none where it may be several."""
        if told.since and not clause.measures and any(p.compares_values for p in predicates):
            return []  # "it grew by 6 %, more than B" compares how they grew
        things = {*subject.things, *(one for p in predicates for one in p.things)}
        own = {t.measure for t in self._tables.all if things <= t.values.keys()}
        words = self._tables.measures
        said = [
            one
            for one in own
            if all(
                one in token.keys if token.kind == "word" else token.keys & one.names
                for token in clause.measures
                if token.kind not in acts()
            )
            and all(acts()[t.kind] & words[one] for t in clause.measures if t.kind in acts())
        ]
        if not clause.measures:
            said = fitting_units(said, predicates)
        if not clause.measures and told.measure is not None and told.measure in said:
            return [told.measure]
        exact = [
            one
            for one in said
            if any(token.kind == "name" and token.keys >= one.names for token in clause.measures)
        ]
        said = exact or said
        figured = any(p.figure is not None or p.tells_course for p in predicates)
        kinds = clause.kinds if self._tables.owner is None else ()  # "the largest building"
        several = len(self._tables.measures) > 1 or bool(kinds)
        several = several and not (things and things <= self._known.parts.keys())
        if not clause.measures and several and not figured:
            ranked = {t.measure for t in self._tables.all if t.falls and t.measure in said}
            counted = all(p.kind == "place" and not p.of_all for p in predicates)
            return [*ranked] if counted and len(ranked) == 1 and not told.named else []
        if not clause.measures and told.last in said and any(p.figure for p in predicates):
            return [told.last]  # "Its lowest point was 9.7 %" is of what was named last
        if len(said) > 1 and not clause.measures:
            said = measures_told(said, self._tables.all, subject, things, predicates)
        return list(said) if len(said) == 1 else []

    def _holds(
        self,
        clause: ClauseParts,
        subject: Subject,
        predicates: Sequence[Predicate],
        measure: Measure,
        told: Told,
    ) -> Told | None:
        """Return what is told behind a clause about a property; None where it does not hold."""
        periods = clause.periods or told.periods
        own = [t for t in self._tables.all if t.measure == measure]
        named = {*subject.things, *(one for p in predicates for one in p.things)}
        if not (periods or clause.prior or clause.size):  # of A and B, where both are recorded
            own = [t for t in own if named <= t.values.keys()] or own
        times = times_of(own, clause, periods, predicates)
        of_more = subject.is_pair and any(len(table.values) != BOTH for table in own)
        if not times or of_more or (clause.may_be_when and len({t.periods for t in own}) > BOTH):
            return None
        prior = prior_of(own, clause, times, predicates, told)
        changes = any(p.is_change for p in predicates)
        if changes and prior and times[0] and min(map(str, prior)) > min(map(str, times[0])):
            self.denied = own[0], "contradicted"  # "from 2020 to 2010"
            return None
        outcomes = [self._at(own, one, prior, clause, subject, predicates) for one in times]
        if not all(outcomes):
            return None
        things = subject.things or self._meant
        named = told.named | set(things) | {one for p in predicates for one in p.things}
        compared = next((p.things for p in predicates if p.kind in ("more", "less")), ())
        summed = subject.mode == "sum"
        nothing = frozenset[PeriodKey]()
        compared_with = nothing if changes else prior
        since = prior if changes and not clause.until else nothing
        periods = periods or (times[0] if len(times) == 1 else periods)
        return Told(
            things,
            named,
            measure,
            periods,
            compared_with,
            since,
            compared,
            summed,
            clause.size or told.size,
            members=clause.members,
            said=predicates,
        )

    def _at(
        self,
        own: Sequence[Table],
        periods: frozenset[PeriodKey],
        prior: frozenset[PeriodKey],
        clause: ClauseParts,
        subject: Subject,
        predicates: Sequence[Predicate],
    ) -> bool:
        """Whether a clause holds in a period, in every table that may be meant."""
        things = {*subject.things, *subject.left_out}
        things |= {one for p in predicates for one in p.things}
        outcomes: list[bool | None] = []
        # Figures are refused where they are judged one by one.
        figured = any(p.figure is not None for p in predicates)
        others: Table | None = None
        for table in own:
            before = None
            if table.earlier and any(p.takes_prior for p in predicates):
                table, before = table.beside_earlier(by_year=clause.year_before)
            if table.periods != periods or not things <= table.values.keys():
                continue
            if not clause.is_of(table.kinds or {frozenset((one,)) for one in self._known.kinds}):
                others = table if table.kinds else None  # "Kowloon is the largest shop"
                continue
            before = before or next(
                (
                    t
                    for t in own
                    if prior and t.periods & prior and t.values.keys() >= table.values.keys()
                ),
                None,
            )
            outcome = self._in_table(clause.meant(table), before, clause, subject, predicates)
            if outcome and any(p.either for p in predicates):
                outcome = holds_over_time(own, table, subject.things, predicates) or None
            outcomes.append(outcome)
            if outcome:
                self.compared = table.evidence_id
            elif outcome is False and (not figured or subject.mode in ("all_but", "none")):
                status = "contradicted" if subject.mode == "each" else "unsupported"
                self.denied = table.changed_from(before, things), status
        if not (outcomes or others is None or any(p.kind in ("of", "share") for p in predicates)):
            self.denied = others, "unsupported"
        return True in outcomes and False not in outcomes

    def _in_table(
        self,
        table: Table,
        before: Table | None,
        clause: ClauseParts,
        subject: Subject,
        predicates: Sequence[Predicate],
    ) -> bool | None:
        """Whether a clause holds in a table; None where the table cannot tell."""
        if not clause.counts(table):
            return None
        closed = table.is_whole or len(table.values) in (clause.size, clause.size_before)
        asked = closed or (table.is_asked and clause.size_before in (None, len(table.values)))
        row = Row(table, before, closed, asked)
        if any(one.kind == "of" and one.holds((), row) is not True for one in predicates):
            return None  # "none came near Brazil's 208 billion": the figure is Brazil's alone

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
        if subject.mode in ("only", "count"):  # nothing is more than itself
            rest = [one for one in rest if not any(one in p.things for p in predicates)]
        if len(rest) < 1 + (not subject.left_out) or subject.size not in (None, len(rest)):
            return None  # one thing alone is no set
        closed = closed or subject.size is not None
        row = Row(table, before, closed, asked)
        closed = closed or (asked and subject.mode == "only")
        every = {one: fits(one) for one in rest}
        excepted = [] if subject.is_rest or subject.mode != "all" else [*subject.left_out]
        if None in every.values() or any(map(fits, excepted)):
            return None  # "all but A" says that A is not so
        meant = [one for one, outcome in every.items() if outcome]
        falls = table.falls and not table.is_part
        open_ = not closed and not (falls and all(one.is_upper for one in predicates))
        if open_ or (not closed and len(meant) == len(rest)):
            return False if subject.is_refuted(meant, rest) else None
        self._meant = tuple(rest if subject.mode == "all" else meant)
        if subject.mode == "only":
            bare = [one.without_figure for one in predicates]
            rivals = [r for r in rest if all(one.holds((r,), row) for one in bare)]
            return set(meant) == set(rivals) == set(subject.things)
        if subject.mode in ("count", "all_but"):
            left = subject.count if subject.mode == "all_but" else 0
            return len(meant) == (len(rest) - left if left else subject.count)
        return len(meant) == (len(rest) if subject.mode == "all" else 0)
