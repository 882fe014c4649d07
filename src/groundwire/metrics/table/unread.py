"""Asks about the words of a question on the warehouse that nothing explains."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING

from groundwire.language import Span, annotate
from groundwire.language.asking import asked_in
from groundwire.metrics.intent.clarify import Clarification
from groundwire.metrics.intent.contents import asks_for_reasons
from groundwire.metrics.intent.options import Option, unique
from groundwire.metrics.table.breakdowns import (
    has,
    is_scope,
    settle_metric,
    split_compounds,
    stored,
)
from groundwire.metrics.table.computed import is_over, told_apart
from groundwire.metrics.table.query import CHANNEL, ENTITY, PERIOD, TableMetric
from groundwire.metrics.table.question_names import names_with_values, ranked
from groundwire.metrics.table.question_parts import Name, Parts, parts_of
from groundwire.metrics.wording import Language, name_in, phrases, quoted, say
from groundwire.quantities import resolve_unit
from groundwire.vocabulary import Term, Vocabulary, fold

if TYPE_CHECKING:
    from groundwire.metrics.factbase import State

_MOST_TOLD = 2
_MOST_METRICS = 6
_SPELT_NEARLY = 0.7


def ask_of_warehouse(state: State, question: str, today: date) -> Clarification | None:
    """Return the question about what is not understood beside a metric of the warehouse.

    None where the question names no such metric, names one of the facts too, asks for reasons, or
    leaves it open whether the warehouse is meant. No table was read from the question.

    Raises:
        UnavailableError: the warehouse cannot be asked.
    """
    if state.warehouse is None or asks_for_reasons(question):
        return None
    tables = state.tables
    question = split_compounds(tables, question)
    spans = annotate(question, names_with_values(state)).spans
    named = {code for span in spans for code in _metrics(span)}
    asks, spans = told_apart(spans, ranked=True)
    parts = parts_of(spans, lenient=True)
    language = asked_in(question)
    if parts is None:
        return None
    if not named and (parts.ranks or asks.way or asks.fastest or parts.by_noun):
        return _which_metric(state, parts, language)
    settle_metric(tables, parts)
    if {tables.metrics[one][0] for one in parts.metrics} == {"facts", "warehouse"}:
        return _which_of_stores(state, parts.metrics, language)
    if len(parts.metrics) != 1:
        return None
    code = parts.metrics[0]
    store, metric = tables.metrics[code]
    if parts.by_noun and parts.nouns and not parts.others and not has(tables, code, parts.nouns):
        return _not_held_by(state, code, parts, language)
    if store == "facts" or any(tables.metrics[one][0] == "facts" for one in named):
        return None
    ways = [one for one in ranked(tables) if one.code in {*parts.nouns} & {*metric.dimensions}]
    if len(ways) > 1:
        # A table that is reached in several ways has a dimension for each of them.
        return _which([Option("dimension", one.code, one.label) for one in ways], language)
    has_whole = not asks.way or is_over(parts.period, today)
    return _of_words(state, code, question, spans, "" if has_whole else parts.period)


def _of_words(
    state: State, code: str, question: str, spans: Sequence[Span], unfinished: str
) -> Clarification:
    """The question about words that nothing explains, the period, or what is asked of a metric.

    Args:
        state: the fact base.
        code: of the metric.
        question: the question.
        spans: its spans that compute nothing.
        unfinished: the period that a change is asked of before it is over; "" for none.
    """
    metric = state.tables.metrics[code][1]
    language = asked_in(question)
    label = name_in(language, metric.label, metric.aliases, metric.labels)
    said = phrases(language)
    unread = list(_unread(state, metric, question, spans))
    told = [_problem(metric, label, text, language) for text in unread]
    if not told and all(one.period is None for one in spans):
        told = [say("for_which_period", language, metric=label)]
    if unfinished and not told:
        told = [say("no_whole", language, period=quoted(unfinished, language))]
    # Where every word is understood, and no table or value was read of them together.
    told = told or [say("not_together", language, metric=label)]
    told = [*dict.fromkeys(told)][:_MOST_TOLD]
    near = unique(one for text in unread for one in _near(state, metric, text))
    if near:
        told.append(said.choices.format(names=said.either.join(one.label for one in near)))
    elif all(one.startswith(said.not_understood[:4]) for one in told):
        told.append(said.choices.format(names=label))
    return Clarification(
        "ask_first",
        question=" ".join(told),
        narrowing_options=near or (Option("metric", code, label),),
    )


def _which_metric(state: State, parts: Parts, language: Language) -> Clarification | None:
    """The question by which metric of the warehouse something is ranked, where none is named.

    Those whose names have a word of the question come alone, where there are some.
    """
    words = {fold(word) for one in parts.others for word in one.split()}
    every = [
        (code, metric)
        for code, (store, metric) in state.tables.metrics.items()
        if store == "warehouse" and set(parts.nouns) & set(metric.dimensions)
    ]
    own = [one for one in every if words & set(map(fold, one[1].label.split()))]
    options = [
        Option("metric", code, name_in(language, metric.label, metric.aliases, metric.labels))
        for code, metric in (own or every)[:_MOST_METRICS]
    ]
    return _which(options, language) if options else None


def _which_of_stores(state: State, codes: Sequence[str], language: Language) -> Clarification:
    """The question which metric is meant, where facts and the warehouse have one of the name."""
    options: list[Option] = []
    for code in codes:
        store, metric = state.tables.metrics[code]
        name = name_in(language, metric.label, metric.aliases, metric.labels)
        place = say(f"of_{store}", language)
        options.append(Option("metric", code, f"{name} ({place})"))
    return _which(options, language)


def _not_held_by(state: State, code: str, parts: Parts, language: Language) -> Clarification:
    """The question what a metric is to be told by, where it is not held by what is named."""
    store, metric = state.tables.metrics[code]
    if store == "facts":
        code = state.profile.metric_by_code[metric.code].kind
        kind = state.profile.kinds[code]
        name = name_in(language, kind.label, kind.aliases, {})
        if code in ("company", "country"):
            name = say(f"told_by_{code}", language)
        options = [Option("dimension", ENTITY, name)]
        if CHANNEL in metric.dimensions:
            options.append(Option("dimension", CHANNEL, say("told_by_channel", language)))
    else:
        options = [
            Option("dimension", one.code, name_in(language, one.label, one.aliases, {}))
            for one in ranked(state.tables)
            if one.code in metric.dimensions
        ][:_MOST_METRICS]
    if metric.grains:
        options.append(Option("dimension", PERIOD, say("told_by_period", language)))
    told = say(
        "not_held_by",
        language,
        metric=name_in(language, metric.label, metric.aliases, metric.labels),
        by=quoted(parts.written.get("noun", ""), language),
        names=say("comma", language).join(one.label for one in options),
    )
    return Clarification("ask_first", question=told, narrowing_options=tuple(options))


def _which(options: Sequence[Option], language: Language) -> Clarification:
    said = phrases(language)
    told = said.choices.format(names=said.either.join(one.label for one in options))
    return Clarification("ask_first", question=told, narrowing_options=tuple(options))


def _near(state: State, metric: TableMetric, text: str) -> Iterator[Option]:
    """The stored values that are spelt nearly as a text is."""
    terms: dict[str, Term] = {}
    for one in ranked(state.tables):
        if one.code in metric.dimensions:
            found = state.tables.resolve("warehouse", (metric,), one.code, text)
            terms |= {str(key): Term(str(key), str(key)) for key in found.candidates}
    for found in Vocabulary(terms.values()).suggest(text):
        if found.score >= _SPELT_NEARLY:
            yield Option("entity", found.term.id, found.term.label)


def _metrics(span: Span) -> Iterator[str]:
    for term in span.terms:
        if isinstance(term, Name) and term.kind == "metric":
            yield term.code


def _unread(
    state: State, metric: TableMetric, question: str, spans: Sequence[Span]
) -> Iterator[str]:
    """The words that are neither a stored value nor a unit of the metric nor grammar.

    Neighbours are one name: "Mong Kock".
    """
    first = last = None
    for span in spans:
        alone = parts_of([span])
        lost = alone is None or (
            bool(alone.others or alone.values) and stored(state.tables, metric, alone) is None
        )
        if lost or (alone is not None and not is_scope(state, alone.entities)):
            first, last = first or span, span
        elif first and last:
            yield question[first.start : last.end]
            first = last = None
    if first and last:
        yield question[first.start : last.end]


def _problem(metric: TableMetric, label: str, text: str, language: Language) -> str:
    unit = resolve_unit(text)
    if unit is not None and metric.unit and unit.symbol != metric.unit:
        return say(
            "not_converted", language, metric=label, unit=metric.unit, other=quoted(text, language)
        )
    return phrases(language).not_understood.format(text=quoted(text, language))
