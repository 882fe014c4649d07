"""Statements of the record of an answer, beside its values.

- Each value is of a metric (`subject`), under the conditions entity, period, grain, channel and
  the day from which it is known: a scope whose `value` is the position of the value. Its `source`
  is the document alone; no statement holds a locator.
- Of several outcomes the metrics, entities, channels and periods that were asked about are sets of
  their own (condition `asked about`), so that "the highest of the three" can be judged.
- What is not held, and a term that no vocabulary has, are absences.
- Documents are sources, by their titles, publishers and short names.

How often a thing is named in full, `groundwire.evidence.answers` says.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING

from groundwire.evidence.answers import RecordNames, predicate_names
from groundwire.evidence.records import Completeness, Condition, Names, Statement
from groundwire.metrics.factbase import State
from groundwire.metrics.facts.model import Fact
from groundwire.metrics.results import Cell
from groundwire.metrics.terms import MOST_ENTITIES, MOST_PERIODS
from groundwire.metrics.wording import source_names
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
        (one.cell.param, one.cell.raw): one
        for one in outcomes
        if one.cell.status == "unrecognized_param"
    }
    for one in refused.values():
        yield from stating.refused(one)
    yield from sources(state, ((fact.source.doc, "", fact.source.publisher) for _, fact in facts))


def period_names(state: State, cell: Cell, fact: Fact) -> Names:
    """Return every name of the days of a fact: FY2024 is 2024, or 2024-04-01 to 2025-03-31."""
    names = _day_names(state, fact.entity, fact.start, fact.end)
    return tuple(dict.fromkeys(filter(None, (cell.period or "", *names))))


def _day_names(state: State, entity: str, start: date, end: date) -> Names:
    """Return what some days are called, on the calendar of an entity and on everybody's."""
    own = state.profile.calendar_of[entity]
    named = [interval_period(start, end, one) for one in (own, CALENDAR_YEAR)]
    labels = [one.label for one in named]
    if own.is_calendar_year and named[0].grain in _FISCAL_GRAINS:
        labels.append(f"FY{named[0].label}")
    return tuple(labels)


def sources(state: State, documents: Iterable[tuple[str, str, str]]) -> Iterator[Statement]:
    """Yield a source for each document.

    Args:
        state: the fact base.
        documents: name, title or "", and publisher or "" of each.
    """
    for name, title, publisher in dict.fromkeys(documents):
        yield Statement("source", source_names(state.profile, name, title, publisher))


def absence_of_term(raw: str, vocabulary: str, objects: Iterable[Names] = ()) -> Statement:
    """Return that a vocabulary has no such term.

    Args:
        raw: the term as it was sent.
        vocabulary: key of what it is none of ("entity", "period").
        objects: what may have been meant.
    """
    names = predicate_names(PACKAGE)[vocabulary]
    return Statement("absence", (quoted_term(raw),), names, tuple(objects))


def out_of_scope(state: State, text: str) -> Statement:
    """Return that what a text names is out of scope."""
    return _Stating(state).out_of_scope(text)


def assumptions(state: State, slots: Mapping[str, str]) -> Iterator[Statement]:
    """Yield what was assumed where a question does not say it.

    Args:
        state: the fact base.
        slots: code, or label of the period, by slot ("entity", "period").
    """
    stating = _Stating(state)
    predicate = predicate_names(PACKAGE)
    for slot, value in slots.items():
        objects = (stating.names(slot, value),)
        yield Statement("relation", predicate[slot], predicate["assumed"], objects)


def absence_of_passage(state: State, entities: Sequence[str], periods: Sequence[str]) -> Statement:
    """Return that no document holds a passage that answers.

    Args:
        state: the fact base.
        entities: codes of what the documents had to be about, any of them.
        periods: label of the period that they had to be about, or nothing.
    """
    names = predicate_names(PACKAGE)
    stating = _Stating(state)
    conditions = [
        Condition(names[axis], "any_of" if len(codes) > 1 else "is", objects)
        for axis, codes in (("entity", entities), ("period", periods))
        if (objects := tuple(stating.names(axis, code) for code in codes))
    ]
    return Statement("absence", names["documents"], names["passage"], (), tuple(conditions))


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
        if axis == "channel":
            return self._said(axis) + self._profile.profile.channel_names
        if axis != "entity":
            return self._said(axis)
        kind = self._profile.entity_by_code[code].kind
        label = self._profile.kinds[kind].label
        # A label of several words, "country or group of countries", explains the kind.
        named = (kind, label) if len(label.split()) == 1 else (kind,)
        return tuple(dict.fromkeys((*self._said(axis)[:1], *named)))

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
            every = axis == "entity" and self._is_whole_kind(codes)
            conditions = (condition, *([Condition(self._said("every"), "exists")] if every else ()))
            yield Statement(
                "scope", self._axis(axis, first), (), objects, conditions, complete=complete
            )

    def _is_whole_kind(self, codes: Collection[str]) -> bool:
        """Whether some entities are all that there are of their kinds, and are no one's parts."""
        profile = self._profile
        kinds = {profile.entity_by_code[code].kind for code in codes}
        every = {one.code for one in profile.entities if one.kind in kinds}
        return every == set(codes) and not any(profile.entity_by_code[c].parent for c in codes)

    def not_held(self, one: Outcome) -> Statement:
        """Return the statement that no fact is held."""
        asked = one.cell.normalized or {}
        subject = self.names("entity", asked["entity"])
        predicate = (*self._said("fact"), *self.names("metric", asked["metric"]))
        conditions = [self.condition(axis, asked[axis]) for axis in ("metric", "channel")]
        if one.period is not None:
            names = _day_names(self._state, asked["entity"], one.period.start, one.period.end)
            named = tuple(dict.fromkeys((one.period.label, *names)))
            conditions.append(Condition(self._said("period"), "is", (named,)))
            conditions.append(self._grain(one.period.grain))
        elif one.grain:
            conditions.append(self._grain(one.grain))
        if "as_of" in asked:
            conditions.append(Condition(self._said("as_of"), "is", ((asked["as_of"],),)))
        return Statement("absence", subject, predicate, conditions=tuple(conditions))

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
            ("period", periods, (entity, channel, *self._ends(asked)), len(periods) < MOST_PERIODS),
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

    def _ends(self, asked: Mapping[str, str]) -> Iterator[Condition]:
        """Yield the first and the last period of a series, listed or not."""
        series = asked["metric"], asked["entity"], asked["channel"]
        as_of = date.fromisoformat(asked["as_of"]) if "as_of" in asked else None
        if held := self._state.store.intervals(*series, as_of):
            first, last = (
                tuple(dict.fromkeys(_day_names(self._state, asked["entity"], *days)))
                for days in (min(held), max(held, key=lambda one: one.end))
            )
            yield Condition(self._said("period"), "at_least", (first,))
            yield Condition(self._said("period"), "at_most", (last,))

    def refused(self, one: Outcome) -> Iterator[Statement]:
        """Yield that a term is in no vocabulary, or what it may be, and what there is instead."""
        cell = one.cell
        raw, subject = str(cell.raw), (quoted_term(str(cell.raw)),)
        objects = tuple(
            tuple(dict.fromkeys((each.label, each.value))) for each in cell.candidates or ()
        )
        if cell.reason == "out_of_scope_entity":
            yield self.out_of_scope(raw)
        elif cell.reason == "ambiguous" and objects:
            said = self._said("may_be")
            yield Statement("relation", subject, said, objects, complete="all_listed")
        elif cell.param == "period" and objects:
            yield Statement("relation", subject, self._said("several"), objects)
        else:
            said = self._said(str(cell.param))
            kind = self._profile.metric_by_code[one.metric].kind if one.metric else ""
            if cell.param == "entity" and kind:
                # One of another kind is an entity all the same.
                known = cell.reason == "unsupported"
                said = self._kind(kind) if known else (*said, *self._kind(kind))
            reason = Condition(self._said("reason"), "is", ((str(cell.reason),),))
            yield Statement("absence", subject, said, objects, (reason,))
            if cell.param == "entity" and cell.reason == "unsupported":
                yield from self._of_another_kind(raw, one.metric)
            elif cell.param == "channel" and kind:
                yield from self._channels_of(kind)

    def out_of_scope(self, text: str) -> Statement:
        """Return that what a text names is out of scope, with the entities that are offered."""
        hits = self._state.gate.screen(text).hits
        names = (*(hit.name for hit in hits[:1]), quoted_term(text))
        homes = [kind.home for kind in self._profile.kinds.values() if kind.home]
        objects = tuple(self.names("entity", code) for code in homes)
        reason = Condition(self._said("reason"), "is", (("out_of_scope_entity",),))
        return Statement(
            "absence", tuple(dict.fromkeys(names)), self._said("in_scope"), objects, (reason,)
        )

    def _kind(self, name: str) -> Names:
        kind = self._profile.kinds[name]
        return self._names.thing("kind", tuple(dict.fromkeys((kind.label, name, *kind.aliases))))

    def _of_another_kind(self, raw: str, metric: str) -> Iterator[Statement]:
        """Yield what an entity is, and which kind of entity the metric is held of."""
        own = self._profile.metric_by_code[metric].kind
        for kind in self._profile.kinds:
            term = self._state.names.entity(raw, kind).term if kind != own else None
            if term is not None:
                entity = self.names("entity", term.id)
                yield Statement("relation", entity, self._said("is_a"), (self._kind(kind),))
        held_of = self._said("held_of")
        names = self.names("metric", metric)
        yield Statement("relation", names, held_of, (self._kind(own),), complete="all_listed")

    def _channels_of(self, kind: str) -> Iterator[Statement]:
        """Yield the channels that there are for entities of a kind."""
        channels = self._profile.channel_by_code.values()
        codes = [one.code for one in channels if not one.kinds or kind in one.kinds]
        objects = tuple(self.names("channel", code) for code in codes)
        conditions = (Condition(self._said("entity"), "is", (self._kind(kind),)),)
        yield Statement(
            "scope", self._said("channel"), (), objects, conditions, complete="all_listed"
        )


def _code(cell: Cell, axis: str) -> str | None:
    """Return the code, or the label of the period, that an outcome is of."""
    if cell.status == "found":
        return str(getattr(cell, axis))
    return (cell.normalized or {}).get(axis)
