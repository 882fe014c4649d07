"""Figures in quoted passages that were restated since, and what stands in their place."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from groundwire.metrics.factbase import State
from groundwire.metrics.facts.model import Fact, Interval
from groundwire.metrics.formulas import read_formula
from groundwire.metrics.guard import value_sentence
from groundwire.metrics.intent.wording import Language, say
from groundwire.metrics.narrative.store import Passage
from groundwire.metrics.proof import Outcome
from groundwire.metrics.query import look_up
from groundwire.metrics.reading import Arguments
from groundwire.metrics.standing import named
from groundwire.metrics.wording import name_in
from groundwire.quantities import Quantity, find_quantities

# A figure whose last place is a larger part of it than this is rounded too much to be one fact's.
_COARSEST = 40


def restated_figures(
    state: State, passage: Passage, language: Language, today: date
) -> Iterator[tuple[str, Outcome]]:
    """Yield what is to be said of each figure that was restated, with what stands now.

    A figure of a passage is a restated one where it is the earlier value, and not the later one,
    of a fact of what the document is about or the passage names. A passage that has the later
    value too tells of it itself.
    """
    figures = [
        one for one in find_quantities(passage.text) if one.step * _COARSEST <= abs(one.value)
    ]
    if not figures:
        return
    told: set[str] = set()
    for before, now in _versions(state, _about(state, passage)):
        if any(_is_of(one, now) for one in figures):
            continue
        figure = next((one for one in figures if _is_of(one, before)), None)
        if figure is None or figure.raw in told:
            continue
        told.add(figure.raw)
        period = named(state, now.entity, Interval(now.start, now.end)).label
        found = look_up(state, Arguments(now.metric, now.entity, period, now.channel), today)
        value = value_sentence(found.cell, _names(state, now, language), language)
        yield say("passage_restated", language, raw=figure.raw, value=value), found


def _about(state: State, passage: Passage) -> list[str]:
    """Codes of the entity of a document and of those that its passage names."""
    codes = [code for one in state.mentions.find(passage.text) if one.kind == "entity"
             for code, _ in one.candidates]  # fmt: skip
    return list(dict.fromkeys(filter(None, (*codes, passage.entity))))


def _versions(state: State, entities: list[str]) -> Iterator[tuple[Fact, Fact]]:
    """Yield what was stated of some entities with what is stated now, where these differ.

    Metrics that are computed from a restated one are restated with it.
    """
    formulas = {
        one.code: {code for code, _ in read_formula(one.formula).operands}
        for one in state.profile.metrics
        if one.formula
    }
    for one in state.store.restated(entities):
        metric, entity, channel, start, end, as_of = one
        computed = (code for code, operands in formulas.items() if metric in operands)
        for code in (metric, *computed):
            key = (code, entity, channel, start, end)
            before, now = state.store.lookup(*key, as_of), state.store.lookup(*key)
            if before and now and before[0].value != now[0].value:
                yield before[0], now[0]


def _is_of(figure: Quantity, fact: Fact) -> bool:
    """Whether a figure is the value of a fact, in its unit and as far as it was rounded."""
    unit = figure.unit or ("" if fact.unit == "%" else fact.unit)
    return unit == fact.unit and abs(abs(figure.value) - abs(fact.value)) * 2 <= figure.step


def _names(state: State, fact: Fact, language: Language) -> dict[str, str]:
    """Return what the metric, entity and channel of a fact are called in a language."""
    profile = state.profile
    metric, entity = profile.metric_by_code[fact.metric], profile.entity_by_code[fact.entity]
    channel = profile.channel_by_code.get(fact.channel)
    named = [(metric.code, metric.label, metric), (entity.code, entity.name, entity)]
    named += [(channel.code, channel.label, channel)] if channel else []
    return {code: name_in(language, label, one.aliases, one.labels) for code, label, one in named}
