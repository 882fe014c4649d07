"""The times that a clause about recorded values means, and those it compares them with."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from decimal import Decimal

from groundwire.evidence.claims.fact_index import PeriodKey
from groundwire.evidence.claims.period_references import year_before
from groundwire.evidence.claims.value_clauses import ClauseParts, Subject, Told
from groundwire.evidence.claims.value_predicates import Predicate, Row
from groundwire.evidence.claims.value_tables import Measure, Table
from groundwire.evidence.claims.value_words import BOTH
from groundwire.quantities import resolve_unit

_MOST_TIMES = 4

_PERCENT = "%"
_OF_IT = ("of", ())  # the figure of what a bare comparison compares with


def times_of(
    own: Sequence[Table],
    clause: ClauseParts,
    periods: frozenset[PeriodKey],
    predicates: Sequence[Predicate],
) -> list[frozenset[PeriodKey]]:
    """Return the periods that a clause is about; none where that is not clear.

    Without a time it is said of each one that is recorded.
    """
    known = {key for t in own for key in t.periods}
    two_times = any(p.takes_prior for p in predicates)
    if (clause.year_before or clause.prior) and not two_times:
        return []
    once = len({t.periods for t in own}) == 1 and any(p.kind == "place" for p in predicates)
    moved = len({t.periods for t in own}) == BOTH and any(p.kind == "began" for p in predicates)
    untold = known and not (periods or once or moved)
    if untold and any(p.needs_time for p in predicates):
        return []
    if clause.every_year:
        times = list(dict.fromkeys(t.periods for t in own))
        return times if len(times) == BOTH and not clause.periods else []
    if (periods and known and not periods & known) or (clause.periods and not known):
        return []
    here = {t.periods for t in own if not periods or not known or t.periods & periods}
    # "Fell by 1,440" tells of times that nothing says.
    changes = any(p.is_change for p in predicates) and not any(
        p.figure is not None and p.figure.unit != "%" and not p.place for p in predicates
    )
    two = len(here) == BOTH and not (periods or clause.year_before)
    if (clause.year_before or (changes and not clause.prior)) and len(here) > 1:
        later = {o for o in here if year_before(o, known, of_parts=clause.year_before)}
        here = {max(here, key=_first_day)} if two and not later else later
    if clause.prior and not periods:  # "more than in 2024" is of what comes behind it
        here = {o for o in here if o and min(map(str, o)) > min(map(str, clause.prior))}
    most = 1 if periods or two_times else _MOST_TIMES
    return [*here] if len(here) <= most else []


def prior_of(
    own: Sequence[Table],
    clause: ClauseParts,
    times: Sequence[frozenset[PeriodKey]],
    predicates: Sequence[Predicate],
    told: Told,
) -> frozenset[PeriodKey]:
    """Return the period that a clause compares with, empty where it compares none."""
    known = {key for t in own for key in t.periods}
    changes = any(p.is_change for p in predicates)
    compares = any(p.takes_prior for p in predicates) and not clause.every_year
    since = told.since if not clause.periods - told.periods else clause.prior  # "and 2025 rose"
    said = clause.prior or (since if changes else told.prior if compares else clause.prior)
    if clause.until and changes:
        return min((t.periods for t in own if t.periods - times[0]), key=_first_day)
    if clause.year_before or (changes and compares and not said):
        before = year_before(times[0], known, of_parts=clause.year_before)
        only_two = len({t.periods for t in own}) == BOTH
        if not before and only_two:  # of two halves the one before is that of the year before
            before = year_before(times[0], known, of_parts=True)
        two = only_two and not (clause.year_before or clause.periods or told.periods)
        if not before and (two or any(p.stays for p in predicates)):
            # "Still" compares with the last, and what rose did so between two recorded times.
            earlier = [one for one in known if str(one) < min(map(str, times[0]))]
            before = frozenset(sorted(earlier, key=str)[-1:])
        return before
    return said if compares else clause.prior


def fitting_units(measures: list[Measure], predicates: Sequence[Predicate]) -> list[Measure]:
    """Return the properties of which figures with a unit may be told: an area of km²."""
    told = (one.figure.unit for one in predicates if one.figure is not None)
    units = [unit for one in told if one not in (None, _PERCENT) and (unit := resolve_unit(one))]
    held = {one: resolve_unit((one.unit or "").partition("/")[0]) for one in measures}
    fitting = (
        [m for m, own in held.items() if own and own.dimension == units[0].dimension]
        if units
        else []
    )
    return fitting or measures


def measures_told(
    measures: list[Measure],
    tables: Sequence[Table],
    subject: Subject,
    things: Collection[str],
    predicates: Sequence[Predicate],
) -> list[Measure]:
    """Return the one property of several of which a figure is told: "A comes last with $3 bn".

    Those are one that have the same values of some things.
    """
    told = [one for one in predicates if one.kind == "value" and one.figure is not None]
    held: dict[Measure, Sequence[Decimal]] = {}
    for table in tables if told else ():
        if table.measure in measures and table.values.keys() >= {*things}:
            row = Row(table, None, closed=False)
            if all(one.holds(subject.things, row) for one in told):
                held[table.measure] = tuple(table.values[one] for one in sorted(things))
    found = [*held] if told else measures
    return found[:1] if len({*held.values()}) == 1 else found


def _first_day(periods: frozenset[PeriodKey]) -> str:
    """Return the first day of a period."""
    return min(str(key) for key in periods)


def holds_over_time(
    own: Sequence[Table], table: Table, things: tuple[str, ...], predicates: Sequence[Predicate]
) -> bool:
    """Whether "A has more" holds against the time before as well, where one is recorded."""
    earlier = [t for t in own if t.periods and _first_day(t.periods) < _first_day(table.periods)]
    before = max(earlier, key=lambda one: _first_day(one.periods), default=None)
    row = Row(table, before, closed=False)
    bare = (replace(o, things=(), either=False, degree="") for o in predicates if o.either)
    return before is None or all(one.holds(things, row) for one in bare)


def with_others(
    clause: ClauseParts,
    subject: Subject,
    predicates: Sequence[Predicate],
    tables: Sequence[Table],
) -> Sequence[Predicate]:
    """Return predicates, bare comparisons as such with the others: "A is longer", "A grew faster".

    "And it sold less" is less than what the clause before compares with, "B had more" more than
    what it is about; a change is compared with those of all named before, or the other of two.

    Args:
        clause: the clause, with what was told before it.
        subject: what they are said of.
        predicates: what is said.
        tables: the recorded values; a value is compared with that of the other of two things.
    """
    told = clause.told
    if not (told.prior or clause.prior or clause.year_before):
        one_told = len(told.subject) == 1 and told.subject != subject.things
        compared = told.compared or (told.subject if one_told else ())
        predicates = [
            replace(one, things=compared)
            if one.is_bare or (one.kind, one.things) == _OF_IT
            else one
            for one in predicates
        ]
    if told.named and any(one.growth and not one.things for one in predicates):
        rest = tuple(sorted(told.named - {*subject.things}))
        return [replace(o, things=rest) if o.growth and not o.things else o for o in predicates]
    things = clause.members or {one for table in tables for one in table.values}
    other = tuple(things - {*subject.things})
    if len(things) == BOTH and len(subject.things) == 1 and any(one.growth for one in predicates):
        known = [o.things or other * bool(o.growth or o.kind == "of") for o in predicates]
        return [replace(o, things=own) for o, own in zip(predicates, known, strict=True)]
    timed = any(table.periods or table.earlier for table in tables)
    if len(things) != BOTH or len(subject.things) != 1 or told.prior or clause.prior:
        return predicates
    either = timed and BOTH not in (clause.size, len(clause.members)) and not clause.every_year
    return [
        replace(one, things=other, either=either and one.is_bare and not one.stays)
        if (one.is_bare and not clause.year_before) or (one.kind, one.things) == _OF_IT
        else one
        for one in predicates
    ]
