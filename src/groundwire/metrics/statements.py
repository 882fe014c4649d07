"""What the record of an answer states beside its values.

- Each value is of a metric (`subject`), under the conditions entity, period, grain, channel and
  the day from which it is known: a scope whose `value` is the position of the value. Its `source`
  is the document alone; no statement holds a locator.
- Of several outcomes the metrics, entities, channels and periods that were asked about are sets of
  their own (condition `asked about`), so that "the highest of the three" can be judged.
- What is not held, and a term that no vocabulary has, are absences.
- Documents are sources, by their titles, publishers and short names.

How often a thing is named in full, `groundwire.evidence.predicates` says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from groundwire.evidence.predicates import RecordNames, predicate_names
from groundwire.evidence.records import Completeness, Condition, Names, Statement
from groundwire.metrics.factbase import State
from groundwire.metrics.facts.model import Fact
from groundwire.metrics.results import Cell
from groundwire.metrics.source_names import source_names
from groundwire.metrics.terms import MOST_ENTITIES, MOST_PERIODS
from groundwire.quantities import CALENDAR_YEAR, interval_period

if TYPE_CHECKING:
    from groundwire.metrics.proof import Outcome

PACKAGE = "groundwire.metrics"
# Refusals of which it is recorded what is held instead: the sentence of a grid tells it of none.
_MOST_EXPLAINED = 4
_MOST_QUOTED = 80
_FISCAL_GRAINS = ("year", "half", "quarter", "nine_months")
_AXES = ("metric", "entity", "channel", "period")


def statements(state: State, outcomes: Sequence[Outcome]) -> Iterator[Statement]:
    """Yield what some outcomes state; positions are those of `groundwire.metrics.proof.prove`.

    Args:
        state: the fact base that answered.
        outcomes: each outcome, in the order in which its values are recorded.
    """
    stating = _Stating(state)
    found = [one for one in outcomes if one.facts]
    facts = [(one, one.facts[0]) for one in found]
    facts += [(one, other) for one in found for other in one.facts[1:]]
    for position, (one, fact) in enumerate(facts):
        yield stating.scope(one, fact, position)
    if len(outcomes) > 1:
        yield from stating.asked_about(outcomes)
    explained = 0
    for one in outcomes:
        if one.cell.status == "not_found":
            yield stating.not_held(one)
            if explained < _MOST_EXPLAINED:
                yield from stating.held_instead(one)
            explained += 1
    refused = {
        (one.cell.param, one.cell.raw): one.cell
        for one in outcomes
        if one.cell.status == "unrecognized_param"
    }
    for cell in refused.values():
        yield from stating.refused(cell)
    yield from sources(state, ((fact.source.doc, "", fact.source.publisher) for _, fact in facts))


def period_names(state: State, cell: Cell, fact: Fact) -> tuple[str, ...]:
    """Return every name of the days of a fact: FY2024 is 2024, or 2024-04-01 to 2025-03-31."""
    own = state.profile.calendar(fact.entity)
    named = [interval_period(fact.start, fact.end, one) for one in (own, CALENDAR_YEAR)]
    labels = [cell.period or "", *(one.label for one in named)]
    if own.is_calendar_year and named[0].grain in _FISCAL_GRAINS:
        labels.append(f"FY{named[0].label}")
    return tuple(dict.fromkeys(filter(None, labels)))


def sources(state: State, documents: Iterable[tuple[str, str, str]]) -> Iterator[Statement]:
    """Yield a source for each document.

    Args:
        state: the fact base.
        documents: name, title or "", and publisher or "" of each.
    """
    for name, title, publisher in dict.fromkeys(documents):
        yield Statement("source", source_names(state.profile, name, title, publisher))


def absence_of_term(raw: str, vocabulary: str, objects: Iterable[Names] = ()) -> Statement:
    """Return that no vocabulary of a kind has a term.

    Args:
        raw: the term as it was sent.
        vocabulary: key of what it is none of ("metric", "entity", "period", "in_scope").
        objects: what may have been meant.
    """
    return Statement(
        "absence", (quoted_term(raw),), predicate_names(PACKAGE)[vocabulary], tuple(objects)
    )


def absence_of_passage(state: State, looked_in: Iterable[tuple[str, str]]) -> Statement:
    """Return that no document holds a passage that answers.

    Args:
        state: the fact base.
        looked_in: axis and code, or label, of what the documents had to be about.
    """
    names = predicate_names(PACKAGE)
    stating = _Stating(state)
    conditions = tuple(stating.condition(axis, code) for axis, code in looked_in)
    return Statement("absence", names["documents"], names["passage"], conditions=conditions)


def quoted_term(raw: str) -> str:
    """Return what was sent, cut as the sentence of a refusal cuts it."""
    text = " ".join(raw.split())
    return f"{text[:_MOST_QUOTED]}..." if len(text) > _MOST_QUOTED else text


class _Stating:
    """States what one record holds."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._profile = state.profile
        self._names = RecordNames(PACKAGE)
        self._said = self._names.predicate

    def names(self, axis: str, code: str) -> Names:
        """Return the names of a metric, entity or channel; a period is named by its label."""
        profile = self._profile
        if axis == "metric":
            metric = profile.metric_by_code[code]
            names = (metric.label, code, *metric.aliases)
        elif axis == "entity":
            entity = profile.entity_by_code[code]
            names = (entity.name, code, *entity.aliases)
        elif axis == "channel":
            channel = profile.channel_by_code[code]
            names = (channel.label, code, *channel.aliases)
        else:
            return (code,)
        return self._names.thing(axis, tuple(dict.fromkeys(names)))

    def condition(self, axis: str, code: str) -> Condition:
        """Return that a value is of a metric, entity, channel or period."""
        return Condition(self._axis(axis, code), "is", (self.names(axis, code),))

    def _axis(self, axis: str, code: str) -> Names:
        """Return the names of an axis; of entities also what their kind is called."""
        if axis != "entity":
            return self._said(axis)
        return (*self._said(axis)[:1], self._profile.entity_by_code[code].kind)

    def _grain(self, *grains: str) -> Condition:
        named = tuple(self._said(f"grain_{one}") for one in dict.fromkeys(grains))
        return Condition(self._said("grain"), "any_of" if len(named) > 1 else "is", named)

    def scope(self, one: Outcome, fact: Fact, position: int) -> Statement:
        """Return the qualifiers of a value."""
        cell = one.cell
        grains = [one.period.grain] if one.period else []
        held = [cell.interval.grain] if cell.interval else []
        return Statement(
            "scope",
            self.names("metric", fact.metric),
            conditions=(
                self.condition("entity", fact.entity),
                Condition(self._said("period"), "is", (period_names(self._state, cell, fact),)),
                self._grain(*grains, *held),
                self.condition("channel", fact.channel),
                Condition(self._said("as_of"), "is", ((fact.as_of.isoformat(),),)),
            ),
            value=position,
            source=fact.source.doc,
        )

    def asked_about(self, outcomes: Sequence[Outcome]) -> Iterator[Statement]:
        """Yield what was asked about, axis by axis; a term that no vocabulary has is missing."""
        cells = [one.cell for one in outcomes]
        unread = {cell.param for cell in cells if cell.status == "unrecognized_param"}
        condition = Condition(self._said("asked_about"), "exists")
        for axis in _AXES:
            codes = dict.fromkeys(filter(None, (_code(cell, axis) for cell in cells)))
            if not codes:
                continue
            first = next(iter(codes))
            complete: Completeness = "page" if unread else "all_listed"
            objects = tuple(self.names(axis, code) for code in codes)
            yield Statement(
                "scope", self._axis(axis, first), (), objects, (condition,), complete=complete
            )

    def not_held(self, one: Outcome) -> Statement:
        """Return that there is no fact."""
        asked = one.cell.normalized or {}
        conditions = [self.condition("channel", asked["channel"])]
        if one.period is not None:
            conditions.insert(0, Condition(self._said("period"), "is", ((one.period.label,),)))
            conditions.append(self._grain(one.period.grain))
        elif one.grain:
            conditions.append(self._grain(one.grain))
        if "as_of" in asked:
            conditions.append(Condition(self._said("as_of"), "is", ((asked["as_of"],),)))
        metric = self.names("metric", asked["metric"])
        return Statement(
            "absence",
            self.names("entity", asked["entity"]),
            (*self._said("fact"), *metric),
            conditions=tuple(conditions),
        )

    def held_instead(self, one: Outcome) -> Iterator[Statement]:
        """Yield what there is in place of a fact that is not held."""
        asked, available = one.cell.normalized or {}, one.cell.available
        if available is None:
            return
        of = [self.condition("metric", asked["metric"])]
        entity, channel = (self.condition(axis, asked[axis]) for axis in ("entity", "channel"))
        period = Condition(self._said("period"), "is", ((asked["period"],),))
        periods, entities = available.periods, available.entities
        held = (
            ("period", periods, (entity, channel), len(periods) < MOST_PERIODS),
            ("entity", entities, (period, channel), len(entities) < MOST_ENTITIES),
            ("channel", available.channels, (entity, period), True),
        )
        for axis, codes, conditions, all_listed in held:
            if codes:
                yield Statement(
                    "scope",
                    self._axis(axis, codes[0]),
                    (),
                    tuple(self.names(axis, code)[:2] for code in codes),
                    (*of, *conditions),
                    complete="all_listed" if all_listed else "page",
                )
        if one.grains:
            objects = tuple(self._grain(grain).objects[0] for grain in one.grains)
            yield Statement(
                "scope",
                self._said("grain"),
                (),
                objects,
                (*of, entity, channel),
                complete="all_listed",
            )
        if available.known_from:
            yield Statement(
                "relation",
                self.names("entity", asked["entity"]),
                self._said("known_from"),
                ((available.known_from,),),
                (*of, period, channel),
            )

    def refused(self, cell: Cell) -> Iterator[Statement]:
        """Yield that a term is in no vocabulary, or what it may be."""
        subject = (quoted_term(str(cell.raw)),)
        objects = tuple(
            tuple(dict.fromkeys((one.label, one.value))) for one in cell.candidates or ()
        )
        if cell.reason == "ambiguous" and objects:
            said = self._said("may_be")
            yield Statement("relation", subject, said, objects, complete="all_listed")
        elif cell.param == "period" and objects:
            yield Statement("relation", subject, self._said("several"), objects)
        else:
            out_of_scope = cell.reason == "out_of_scope_entity"
            said = self._said("in_scope" if out_of_scope else str(cell.param))
            reason = Condition(self._said("reason"), "is", ((str(cell.reason),),))
            yield Statement("absence", subject, said, objects, (reason,))


def _code(cell: Cell, axis: str) -> str | None:
    """Return the code, or the label of the period, that an outcome is of."""
    if cell.status == "found":
        return str(getattr(cell, axis))
    return (cell.normalized or {}).get(axis)
