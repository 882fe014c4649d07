"""Sentences that compare recorded values, held against tables of these values.

"Of the three districts only Kowloon grew in 2025, the other two lost" is proven where one answer
holds each of its clauses. What is said of all, of others, of only some or of the first needs all
things there are: as many as the sentence or the answer counts, and nothing that narrows them and is
not said.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import Contexts, PassageContext
from groundwire.evidence.claims.explained_words import merely_origins
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.period_references import year_before
from groundwire.evidence.claims.value_clauses import Clause, ClauseReader, Group
from groundwire.evidence.claims.value_tables import Column, Periods, ValueTable, value_tables
from groundwire.quantities import Quantity, resolve_unit

_HOLDS = ("supported", "derived")
_DETAIL = "the recorded values compare as the sentence says"
_SIGNS = {"more": 1, "up": 1, "over": 1, "most": 1}


def proven_by_values(claims: Sequence[Claim], contexts: Contexts) -> list[Claim]:
    """Return claims, those of a sentence derived that recorded values prove as a whole.

    Args:
        claims: the claims of a draft.
        contexts: its passages.
    """
    proven: list[Claim] = list(claims)
    for passage in contexts.reading.passages:
        start, end = passage.start, passage.end
        statuses = {c.status for c in claims if start <= c.start < end}
        alone = passage.kind == "sentence" and all(scope.earlier for scope in passage.scopes)
        if alone and "contradicted" not in statuses and not statuses <= set(_HOLDS):
            record = _proof(contexts.of(passage))
            proven = [_derived(c, record) if start <= c.start < end else c for c in proven]
    return proven


def _derived(claim: Claim, record: str) -> Claim:
    """Return a claim of a sentence that a record proves, or may not: then there is none."""
    if not record or claim.status in _HOLDS:
        return claim
    return replace(claim, status="derived", evidence_id=record, detail=_DETAIL)


def _proof(context: PassageContext) -> str:
    """Return the record whose values hold every clause of a passage, or ""."""
    text = context.contexts.reading.text[context.passage.start : context.passage.end].rstrip()
    known = context.contexts.known
    tables = known.once(value_tables)
    if not tables or text.endswith(("?", "？", ":", "：")):
        return ""
    if any(merely_origins(context.words, context, known)):
        return ""  # what comes from a country is not sold there
    reader = ClauseReader(context, tables)
    clauses = reader.clauses()
    for record in dict.fromkeys(t.evidence_id for t in tables) if clauses else ():
        own = [table for table in tables if table.evidence_id == record]
        if _Answer(own, context, reader.kinds).holds(clauses):
            return record
    return ""


class _Answer:
    """The tables of one answer, held against the clauses of a passage."""

    def __init__(
        self,
        tables: Sequence[ValueTable],
        context: PassageContext,
        kinds: Mapping[int, frozenset[str]],
    ) -> None:
        self._tables, self._context, self._kinds = tables, context, kinds
        self._counted = False

    def holds(self, clauses: Sequence[Clause]) -> bool:
        """Whether each clause holds, with what it carries on from those before it."""
        self._counted = any(c.own.count or c.than.count for c in clauses)
        before = Group()
        for clause in clauses:
            if not self._holds(clause, before):
                return False
            before = clause.own
        return bool(clauses)

    def _holds(self, clause: Clause, before: Group) -> bool:
        """Whether one clause holds."""
        fitting = [one for one in self._tables if one.names & clause.names]
        if len(fitting) != 1 or not self._are_kinds(clause, fitting[0]):
            return False
        table = fitting[0]
        now = self._now(clause, table)
        things = _chosen(clause.own, now, before.things) if now else []
        if not now or not things or clause.own.is_sum or not _have(clause, now, things):
            return False
        if _is_of_all(clause) and not self._is_whole(table, now):
            return False
        test = self._test(clause, table, now, things)
        if test is None:
            return False
        if clause.own.every == "none":
            return not any(map(test, things))
        if clause.own.every == "only":
            return {one for one in now if test(one)} == set(things)
        return all(map(test, things))

    def _are_kinds(self, clause: Clause, table: ValueTable) -> bool:
        """Whether the things of a table are of the kinds that a clause names."""
        country = "country" in table.kinds
        return all(
            table.evidence_id in self._kinds[at] if at in self._kinds else country
            for at in clause.kinds
        )

    def _now(self, clause: Clause, table: ValueTable) -> Column | None:
        """Return the values at the time that a clause is about: until it, where it tells a span."""
        at = -1 if clause.is_span else 0
        return table.at(clause.periods[at] if clause.periods else Periods())

    def _then(self, clause: Clause, table: ValueTable) -> Column | None:
        """Return the values with which those of the time that a clause is about are compared."""
        if len(clause.periods) == 2:
            first, last = (min(map(str, one)) for one in clause.periods)
            is_right = clause.compares_times or first < last
            return table.at(clause.periods[int(clause.compares_times)]) if is_right else None
        known = self._context.contexts.known.periods
        return table.at(year_before(clause.periods[0], known)) if clause.periods else None

    def _is_whole(self, table: ValueTable, now: Column) -> bool:
        """Whether the things of a table are all that a sentence may mean."""
        whole = frozenset(now) in self._context.contexts.known.whole_kinds
        return (self._counted or table.is_counted or whole) and table.is_told(self._context)

    def _test(
        self, clause: Clause, table: ValueTable, now: Column, things: Sequence[str]
    ) -> Callable[[str], bool] | None:
        """Return a test of one thing, by the way in which a clause compares; None for no such."""
        sign, several = _SIGNS.get(clause.way, -1), len(things) > 1 and not clause.own.every
        if several and clause.way in ("less", "under"):
            return None  # "A and B have fewer than 5" may tell of both together
        if clause.bound is not None:
            limit = clause.bound
            return lambda one: (_gap(now[one], limit) or 0) * sign > 0
        if clause.way in ("most", "least"):
            best = max(_number(fact) * sign for fact in now.values())
            first = [one for one, fact in now.items() if _number(fact) * sign == best]
            return lambda one: one not in first if clause.denied else first == [one]
        if clause.way in ("up", "down") or clause.compares_times:
            then = self._then(clause, table)
            if then is None or not set(then) >= set(now):
                return None
            return lambda one: (_number(now[one]) - _number(then[one])) * sign > 0
        others = _chosen(clause.than, now, clause.own.things)
        if not others or set(others) & set(things):
            return None
        values = [_number(now[one]) for one in others]
        values = [sum(values, Decimal(0))] if clause.than.is_sum else values
        return lambda one: all((_number(now[one]) - value) * sign > 0 for value in values)


def _is_of_all(clause: Clause) -> bool:
    """Whether a clause tells of all things that there are, and not only of those it names."""
    groups = (clause.own, clause.than)
    tells = any(group.others or group.every in ("none", "only") for group in groups)
    return tells or clause.way in ("most", "least") or not clause.own.things


def _chosen(group: Group, now: Column, before: Sequence[frozenset[str]]) -> list[str]:
    """Return the things of a group; none where one has no value, or they are not as many."""
    named = [key for keys in (group.things or before) for key in keys if key in now]
    if group.others:
        chosen = [one for one in now if one not in named]
        return chosen if named and group.count in (0, len(chosen)) else []
    if not group.things:
        is_all = group.every in ("all", "both", "none") and group.count == len(now)
        return [*now] if is_all else []
    right = len(named) == len(group.things) and group.count in (0, len(now))
    alone = len(named) < 2 and group.every in ("all", "both")
    of_two = group.every != "both" or len(named) == 2
    return named if right and of_two and not alone and group.every != "none" else []


def _have(clause: Clause, now: Column, things: Sequence[str]) -> bool:
    """Whether the one thing that a clause is about has the figures that it tells."""
    if not clause.values:
        return True
    gaps = [(_gap(now[things[0]], figure), figure.step) for figure in clause.values]
    alone = len(things) == 1 and clause.way in ("most", "least", "more", "less")
    return alone and all(gap is not None and abs(gap) * 2 <= step for gap, step in gaps)


def _number(fact: Fact) -> Decimal:
    return fact.number or Decimal(0)


def _gap(fact: Fact, figure: Quantity) -> Decimal | None:
    """Return by how much a value lies over a figure, in the unit of the figure; None for others."""
    unit = resolve_unit(figure.unit) if figure.unit else None
    if unit is None:
        return _number(fact) - figure.value
    if fact.unit is None or unit.dimension != fact.unit.dimension:
        return None
    one = unit.to_base(Decimal(1))
    return (fact.unit.to_base(_number(fact)) - unit.to_base(figure.value)) / one
