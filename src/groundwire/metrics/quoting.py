"""`search_narrative`: quotations from documents, each with its place.

A quoted figure that was restated since is returned with the value that stands in its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from groundwire.errors import InputError
from groundwire.evidence.answers import ResolvedItem
from groundwire.evidence.records import Draft, Statement, Value
from groundwire.language.asking import asked_in
from groundwire.language.text import sentences
from groundwire.metrics.factbase import State
from groundwire.metrics.facts.model import Fact, Interval
from groundwire.metrics.formulas import read_formula
from groundwire.metrics.narrative.store import Passage, Scope
from groundwire.metrics.proof import Outcome, beside, documents, prove, value_sentence
from groundwire.metrics.query import look_up
from groundwire.metrics.results import NarrativeResult, PassageItem, candidates, near_names
from groundwire.metrics.standing import named
from groundwire.metrics.statements import (
    absence_of_passage,
    absence_of_term,
    out_of_scope,
    sources,
)
from groundwire.metrics.terms import TOTAL, Arguments
from groundwire.metrics.wording import Language, listed, name_in, phrases, say
from groundwire.quantities import (
    CALENDAR_YEAR,
    Quantity,
    find_dates,
    find_quantities,
    read_period,
)
from groundwire.safe_text import safe_name

_GOOD = 0.7
_BEST_SHARE = 0.95
_OF_GROUP = "its own documents hold nothing; these are of its group, and name it"
_MOST_OF_GROUPS = 50
# A figure whose last place is a larger part of it than this is rounded too much to be one fact's.
_COARSEST = 40


@dataclass(frozen=True, slots=True)
class PassageRequest:
    """The arguments of a search for passages.

    Attributes:
        query: plain words.
        entity: raw name of what the documents are about; "" for any.
        period: what they are about in time, as it was sent; "" for any.
        limit: how many passages at most.
    """

    query: str
    entity: str = ""
    period: str = ""
    limit: int = 5


def search_narrative(
    state: State, request: PassageRequest, today: date
) -> tuple[NarrativeResult, Draft | None]:
    """Find passages. Withheld levels are excluded in the query itself, whatever was sent.

    Raises:
        InputError: the query is blank.
        UnavailableError: the documents cannot be read.
    """
    if not request.query.strip():
        raise InputError("`query` is blank: send the words to look for.")
    for text in (request.query, request.entity, request.period):
        screen = state.gate.screen(text)
        if screen.hits:
            refused = NarrativeResult(
                answer=state.gate.refusal(screen.hits[0]),
                status="out_of_scope_entity",
                passages=[],
            )
            return refused, _nothing("out_of_scope_entity", out_of_scope(state, text))
    entities, resolved = _entities(state, request.entity)
    period = _period(request.period, entities, state, today, resolved)
    if isinstance(period, NarrativeResult):
        return period, _nothing("empty", absence_of_term(request.period, "period"))
    if request.entity.strip() and not entities:
        unknown, near = _unknown_entity(state, request.entity)
        objects = [(one,) for one in near]
        return unknown, _nothing("empty", absence_of_term(request.entity, "entity", objects))
    allowed = state.profile.sensitivity.quotable
    notes: dict[str, None] = {}

    def search(of: list[str], limit: int) -> tuple[Passage, ...]:
        scope = Scope(allowed, frozenset(of), period)
        passages, told = state.retriever.search(request.query, scope, limit)
        notes.update(dict.fromkeys(told))
        return tuple(passages)

    found = search(entities, request.limit)
    groups = _groups(state, entities) if entities and not found else []
    if groups:
        named = [
            one for one in search(groups, _MOST_OF_GROUPS) if _names(state, one.text, entities)
        ]
        found = tuple(named[: request.limit])
        resolved += [
            ResolvedItem(param="entity", raw=request.entity, resolved=group, how=_OF_GROUP)
            for group in (groups if found else ())
        ]
    if not found:
        empty = NarrativeResult(
            answer=phrases(asked_in(request.query)).no_passage,
            status="empty",
            passages=[],
            resolved=resolved or None,
            notes=list(notes) or None,
        )
        periods = [one.resolved for one in resolved if one.param == "period"]
        return empty, _nothing("empty", absence_of_passage(state, entities, periods))
    best = max(one.score for one in found)
    language = asked_in(request.query)
    restated = [list(restated_figures(state, one, language, today)) for one in found]
    passages = [
        PassageItem(
            text=one.text,
            doc=one.doc,
            title=one.title or None,
            locator=one.locator,
            score=_word(one.score, best),
            restated=[said for said, _ in figures] or None,
        )
        for one, figures in zip(found, restated, strict=True)
    ]
    told = [outcome for figures in restated for _, outcome in figures]
    told += (outcome for one in found for outcome in held_figures(state, one, today))
    held = list({one.facts: one for one in told}.values())
    result = NarrativeResult(
        answer=_said(passages),
        status="found",
        passages=passages,
        resolved=resolved or None,
        notes=list(notes) or None,
    )
    proof = _proof(state, passages)
    return result, beside(proof, prove(state, held)) if held else proof


def _said(passages: Sequence[PassageItem]) -> str:
    """Quote the first passage, and say of each passage which of its figures were restated."""
    first, *others = passages
    title = safe_name(first.title or first.doc)
    said = [f'From {title}: "{_cut(first.text)}" ({first.doc}, {first.locator}).']
    said += first.restated or ()
    notes: dict[str, dict[str, None]] = {}
    for one in others:
        notes.setdefault(one.title or one.doc, {}).update(dict.fromkeys(one.restated or ()))
    silent = [
        name for name, told in notes.items() if not told and name != (first.title or first.doc)
    ]
    said += [f"More passages are from {listed(silent, 3)}."] if silent else []
    for name, told in notes.items():
        said += [f"In a passage from {safe_name(name)}:", *told] if told else []
    return " ".join(said)


def _groups(state: State, entities: list[str]) -> list[str]:
    """The entities that others are parts of, the nearest first."""
    found: dict[str, None] = {}
    known = state.profile.entity_by_code
    for code in entities:
        parent = known[code].parent
        while parent and parent not in found and parent not in entities:
            found[parent] = None
            parent = known[parent].parent
    return list(found)


def _names(state: State, text: str, entities: list[str]) -> bool:
    """Whether a passage names one of some entities."""
    return any(
        code in entities
        for one in state.mentions.find(text)
        if one.kind == "entity"
        for code, _ in one.candidates
    )


def _word(score: float, best: float) -> Literal["best", "good", "fair"]:
    share = score / best if best > 0 else 1.0
    return "best" if share >= _BEST_SHARE else "good" if share >= _GOOD else "fair"


def _cut(text: str, most: int = 240) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= most else f"{flat[:most].rstrip()}..."


def _entities(state: State, raw: str) -> tuple[list[str], list[ResolvedItem]]:
    """Codes that a name stands for, in any kind."""
    if not raw.strip():
        return [], []
    codes: list[str] = []
    resolved: list[ResolvedItem] = []
    for kind in state.profile.kinds:
        found = state.names.entity(raw, kind)
        if found.term is not None:
            codes.append(found.term.id)
            resolved.append(
                ResolvedItem(param="entity", raw=raw, resolved=found.term.id, how=found.how)
            )
    return codes, resolved


def _unknown_entity(state: State, raw: str) -> tuple[NarrativeResult, list[str]]:
    """The refusal of an entity that no kind has, and the names near to it."""
    near = [
        name
        for kind in state.profile.kinds
        for name in near_names(raw, candidates(state.names.entity(raw, kind).candidates[:2]))
    ]
    hint = f"Near to it: {listed(near, 4)}" if near else "list_dimension_values has them all"
    result = NarrativeResult(
        answer=f"{raw[:80]!r} is not an entity that is held here, so nothing was searched. {hint}.",
        status="empty",
        passages=[],
    )
    return result, near


def _period(
    raw: str, entities: list[str], state: State, today: date, resolved: list[ResolvedItem]
) -> tuple[date, date] | NarrativeResult | None:
    """First and last day that are asked about."""
    if not raw.strip():
        return None
    expression = read_period(raw)
    if expression is not None:
        calendar = state.profile.calendar_of[entities[0]] if entities else CALENDAR_YEAR
        periods = expression.on(calendar, today).periods
        if periods:
            span = (periods[0].start, periods[-1].end)
            label = " to ".join(dict.fromkeys((periods[0].label, periods[-1].label)))
            resolved.append(ResolvedItem(param="period", raw=raw, resolved=label, how="read"))
            return span
    return NarrativeResult(
        answer=f"{raw[:80]!r} cannot be read as a period, so nothing was searched: send a year "
        "(2024, FY2024), quarter (2024Q3) or month (2024-03).",
        status="empty",
        passages=[],
    )


def _nothing(status: str, absent: Statement) -> Draft:
    """The record of a search that found nothing, or that was not made."""
    return Draft(audit={"status": status}, statements=(absent,))


def _proof(state: State, passages: list[PassageItem]) -> Draft:
    quoted = [
        Value("passage", one.text, "text", source=f"{one.doc}, {one.locator}") for one in passages
    ]
    named = documents(name for one in passages for name in (one.title, one.doc) if name)
    return Draft(
        values=(*quoted, *named),
        audit={"status": "found", "documents": sorted({one.doc for one in passages})},
        statements=tuple(sources(state, ((one.doc, one.title or "", "") for one in passages))),
    )


def restated_figures(
    state: State, passage: Passage, language: Language, today: date
) -> Iterator[tuple[str, Outcome]]:
    """Yield a sentence for each figure that was restated, with the value that stands now.

    A figure of a passage is a restated one where it is the earlier value, and not the later one,
    of a fact of what the document is about or the passage names. A passage that has the later
    value too tells of it itself. The outcome has the later fact first, and then the earlier one.
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
        found = _outcome(state, now, before, today=today)
        value = value_sentence(found.cell, _names_of(state, now, language), language)
        yield say("passage_restated", language, raw=figure.raw, value=value), found


def held_figures(state: State, passage: Passage, today: date) -> Iterator[Outcome]:
    """Yield the facts that figures of a passage tell, where the fact base holds them.

    The sentence of a figure names the metric or the channel, or is of one that was restated; the
    document or the passage names what it is of, and the document or the sentence its year. A
    figure that several facts have is of none of them.
    """
    about = _about(state, passage)
    versions = list(_versions(state, about))
    for sentence in sentences(passage.text):
        text = passage.text[sentence.start : sentence.end]
        figures = [one for one in find_quantities(text) if one.step * _COARSEST <= abs(one.value)]
        keys = set(_keys_named(state, passage, text, about)) if figures else ()
        for figure in figures:
            facts = [facts[0] for key in keys if (facts := state.store.lookup(*key))]
            told = [(fact,) for fact in facts if _is_of(figure, fact)]
            told += [(now, old) for old, now in versions if _is_of(figure, old)]
            if len({(one.metric, one.entity, one.channel, one.start) for one, *_ in told}) == 1:
                found = _outcome(state, *told[-1], today=today)
                yield from (found,) if found.facts else ()


def _keys_named(
    state: State, passage: Passage, text: str, about: Sequence[str]
) -> Iterator[tuple[str, str, str, date, date]]:
    """Yield the keys of facts of the metrics, channels and years that a sentence names."""
    named: dict[str, list[str]] = {}
    for one in state.mentions.find(text):
        named.setdefault(one.kind, []).extend(code for code, _ in one.candidates)
    years = [(one.start, one.end) for one in find_dates(text) if one.grain == "year"]
    years += [passage.period] if passage.period else []
    channels = named.get("channel", [])
    every = [one.code for one in state.profile.metrics] if channels else []
    for metric in named.get("metric", every):
        for entity in about:
            for channel in channels or [TOTAL]:
                yield from ((metric, entity, channel, *days) for days in years)


def _outcome(state: State, fact: Fact, *earlier: Fact, today: date) -> Outcome:
    """Return the outcome for a fact, with the value that was stated before it, if any."""
    period = named(state, fact.entity, Interval(fact.start, fact.end)).label
    found = look_up(state, Arguments(fact.metric, fact.entity, period, fact.channel), today)
    return replace(found, facts=(*found.facts[:1], *earlier)) if found.facts else found


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


def _names_of(state: State, fact: Fact, language: Language) -> dict[str, str]:
    """Return what the metric, entity and channel of a fact are called in a language."""
    profile = state.profile
    metric, entity = profile.metric_by_code[fact.metric], profile.entity_by_code[fact.entity]
    channel = profile.channel_by_code.get(fact.channel)
    named = [(metric.code, metric.label, metric), (entity.code, entity.name, entity)]
    named += [(channel.code, channel.label, channel)] if channel else []
    return {code: name_in(language, label, one.aliases, one.labels) for code, label, one in named}
