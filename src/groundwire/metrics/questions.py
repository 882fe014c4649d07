"""`clarify_question`: how a question is read, what is assumed, what must be asked first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from groundwire.errors import InputError
from groundwire.language.asking import asked_in
from groundwire.language.plain_speech import plain_speech
from groundwire.metrics.factbase import State
from groundwire.metrics.fuller_readings import Reader, Understood, fuller_reading
from groundwire.metrics.intent.clarify import Clarification, clarify
from groundwire.metrics.intent.options import Option, unique
from groundwire.metrics.intent.parsed import ParsedIntent
from groundwire.metrics.intent.shares import asks_which
from groundwire.metrics.plainer_texts import plainer_texts
from groundwire.metrics.premises import compared_with
from groundwire.metrics.results import Clarified, IntentItem, OptionItem
from groundwire.metrics.standing import (
    days_of,
    fiscal_beside,
    newest_period,
    unlike_calendar,
)
from groundwire.metrics.table.computed import Computed, read_computed
from groundwire.metrics.table.questions import read_table_question
from groundwire.metrics.table.unread import ask_of_warehouse
from groundwire.metrics.terms import TOTAL
from groundwire.metrics.wording import Language, phrases, say
from groundwire.quantities import CALENDAR_YEAR, Period, PeriodExpression, find_periods, read_day

_MOST_OPTIONS = 12
_MOST_YEARS = 4
_CHANGES = frozenset(("delta", "percent_change"))
# What sets values beside each other, so that it says nothing of one alone.
_SETS_BESIDE = re.compile(
    r"\b(?:compar\w+|versus|vs|than|(?:im )?vergleich\w*|verglichen|gegenüber|als)\b|相差|[比较]",
    re.IGNORECASE,
)
_AGAINST = re.compile(
    r"\b(?:vs|versus|gegen|gegenüber|against|compared (?:with|to))\b|对比|相比", re.IGNORECASE
)
_EVERY = re.compile(
    r"\b(?:each|every|yearly|annual\w*|per year|by year|jede\w*|jährlich\w*|pro jahr)\b"
    r"|每|逐年|各年|历年",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Asked:
    """How a question was read.

    Attributes:
        understood: its reading as one for values of the facts.
        table: the arguments of the table that it asks for, or None.
        computed: the share or the change of the warehouse that it asks for, or None.
        note: what was read in place of words of the question, or "".
    """

    understood: Understood
    table: Mapping[str, Any] | None = None
    computed: Computed | None = None
    note: str = ""

    @property
    def is_open(self) -> bool:
        """Whether something has to be asked first."""
        return not self.is_table and self.understood.clarification.mode == "ask_first"

    @property
    def is_table(self) -> bool:
        """Whether it asks for a table, or for what is computed of one."""
        return self.table is not None or self.computed is not None

    @property
    def tells_values(self) -> bool:
        """Whether values answer it, and nothing has to be asked."""
        read = self.understood
        is_read = read.clarification.mode in ("none", "answer_with_assumptions")
        return self.is_table or (is_read and read.intent.route != "narrative")


@dataclass(frozen=True, slots=True)
class Missing:
    """The question to a user, with its options.

    Attributes:
        slot: the slot that lacks.
        question: what to ask.
        options: what can be chosen.
    """

    slot: str
    question: str
    options: tuple[Option, ...]


def understand(state: State, question: str, today: date) -> Understood:
    """Read a question and decide what to do with it.

    Raises:
        InputError: the question is blank, or too long.
    """
    if not question.strip():
        raise InputError("`question` is blank: send it as the user asked it.")
    reader = Reader(
        state,
        today,
        lambda text: _understood(state, text, today),
        lambda intent: _clarified(state, intent, today),
    )
    understood = fuller_reading(reader, _understood(state, question, today))
    return _with_fiscal_years(state, understood, today)


def asked_for(state: State, question: str, today: date) -> Asked:
    """Read a question for values; one that names more than a single value, for a table too.

    One that is to be asked back is read in plainer words and with its typos corrected, if nothing
    is open then.

    Raises:
        InputError: the question is blank, or too long.
        UnavailableError: a store cannot be asked.
    """
    asked = _asked_for(state, question, today)
    is_searched = not asked.is_table and asked.understood.intent.route == "narrative"
    is_text = is_searched and not asked.is_open
    for text, note in plainer_texts(state, question) if asked.is_open or is_text else ():
        # A question for text is one for values only if a typo of their name kept it from that.
        fuller = _asked_for(state, text, today) if note or not is_text else asked
        is_whole = fuller.is_table or fuller.understood.clarification.mode == "none"
        if fuller.tells_values and (is_whole or not is_text):
            return replace(fuller, note=note)
    return asked


def _asked_for(state: State, question: str, today: date) -> Asked:
    understood = understand(state, question, today)
    made = understood.clarification
    if made.mode == "out_of_scope_entity" or _names_one_value(state, understood, today):
        return Asked(understood)
    for text in dict.fromkeys((question, plain_speech(question))):
        table = read_table_question(state, text, today)
        if table is not None:
            return Asked(understood, table)
        computed = read_computed(state, text, today)
        if computed is not None:
            return Asked(understood, computed=computed)
    made = ask_of_warehouse(state, question, today) or made
    return Asked(replace(understood, clarification=made))


def _names_one_value(state: State, understood: Understood, today: date) -> bool:
    """Whether every word of a question is understood, and it names one value of the facts.

    A metric that the warehouse has by the same name may be meant there.
    """
    intent = understood.intent
    slots = (intent.metrics, intent.entities, intent.periods)
    if understood.clarification.mode != "none" or intent.route != "structured":
        return False
    if any(len(one) != 1 for one in slots) or len(intent.channels) > 1:
        return False
    if intent.leftovers or intent.derive or intent.premise or intent.share_of:
        return False
    metric = state.profile.metric_by_code[intent.metrics[0]]
    names = (metric.code, metric.label, *metric.aliases)
    is_single = intent.periods[0].on(CALENDAR_YEAR, today).kind == "single"
    return is_single and not any(map(state.tables.may_ask_warehouse, names))


def _understood(state: State, question: str, today: date) -> Understood:
    intent, note = state.read(question)
    intent = _set_against(state, told_by_ends(intent, today))
    return Understood(intent, _clarified(state, intent, today), note)


def _set_against(state: State, intent: ParsedIntent) -> ParsedIntent:
    """Return "A versus B" with the difference of the two values."""
    counts = [len(one) for one in (intent.metrics, intent.entities, intent.periods)]
    is_pair = counts[0] == 1 and sorted(counts[1:]) == [1, 2] and len(intent.channels) < 2
    if not is_pair or intent.derive or intent.premise or not _AGAINST.search(intent.raw_question):
        return intent
    can = "delta" in state.profile.metric_by_code[intent.metrics[0]].derivations
    return replace(intent, derive=("delta",)) if can else intent


def _clarified(state: State, intent: ParsedIntent, today: date) -> Clarification:
    def newest(metric: str, entity: str, channel: str) -> Period | None:
        return newest_period(state, metric, entity, channel)

    return clarify(intent, state.names, state.gate, today, newest)


def _with_fiscal_years(state: State, understood: Understood, today: date) -> Understood:
    """The reading of a question, asked back where fiscal years alone are held of what it asks.

    "Revenue in 2023" of a company whose years end in June is of no year that is held: the fiscal
    years that share its days are offered with their days.
    """
    intent, made = understood.intent, understood.clarification
    if made.mode not in ("none", "answer_with_assumptions") or intent.route == "narrative":
        return understood
    years = _unlike_years(state, understood, today)
    if not years:
        return understood
    question = intent.raw_question
    compares = intent.derive or _SETS_BESIDE.search(question) or asks_which(question)
    if len(years) < len(intent.entities) and not compares:
        return understood  # of a list, those that have the year are answered, and the others told
    asked = _which_years(state, years, asked_in(question))
    return replace(understood, clarification=asked)


def _unlike_years(
    state: State, understood: Understood, today: date
) -> dict[str, dict[str, Period]]:
    """The held fiscal periods beside those that a question asks for, by entity and label."""
    intent, profile = understood.intent, state.profile
    assumed = understood.clarification.assumed_slots.get("entity")
    kinds = {profile.metric_by_code[one].kind: one for one in reversed(intent.metrics)}
    found: dict[str, dict[str, Period]] = {}
    for entity in intent.entities or ((assumed,) if assumed else ()):
        metric = kinds.get(profile.entity_by_code[entity].kind)
        if metric is None:
            continue
        key = (metric, entity, intent.channel or TOTAL)
        beside = {
            one.label: one
            for expression in intent.periods
            for period in expression.on(profile.calendar_of[entity], today).periods
            for one in fiscal_beside(profile, state.store, key, period)
        }
        if beside:
            found[entity] = beside
    return found


def _which_years(
    state: State, years: Mapping[str, Mapping[str, Period]], language: Language
) -> Clarification:
    every = list({label: one for held in years.values() for label, one in held.items()}.values())
    either = phrases(language).either
    shown = either.join(days_of(one, language) for one in every[:_MOST_YEARS])
    parts = [unlike_calendar(state.profile, entity, language) for entity in years]
    parts.append(say("which_of_years", language, years=shown))
    options = unique(_options(every, language))
    return Clarification("ask_first", narrowing_options=options, question=" ".join(parts))


def _options(periods: Iterable[Period], language: Language) -> Iterable[Option]:
    return (Option("period", one.label, days_of(one, language)) for one in periods)


def told_by_ends(intent: ParsedIntent, today: date) -> ParsedIntent:
    """Return a reading whose one range of periods is told by its first and its last.

    A change from 2010 to 2020 is the two ends and what lies between them; only who asks for every
    period gets all.
    """
    changes = bool(intent.derive) and set(intent.derive) <= _CHANGES
    if not (changes or intent.premise in ("rise", "fall")) or len(intent.periods) != 1:
        return intent
    reading = intent.periods[0].on(CALENDAR_YEAR, today)
    if reading.kind != "several" or len(reading.periods) < 3 or _EVERY.search(intent.raw_question):
        return intent
    labels = (reading.periods[0].label, reading.periods[-1].label)
    ends = tuple(one for label in labels for one in find_periods(label))
    derive = intent.derive if "percent_change" in intent.derive else ("delta", "percent_change")
    return replace(intent, period=ends[0], periods=ends, derive=derive)


def clarify_question(
    state: State, question: str, reference: str, today: date, chosen: str = ""
) -> Clarified:
    """Read a question as a caller sees it.

    Args:
        state: the fact base.
        question: the question as it was asked.
        reference: the day that counts as today, as it was sent; "" takes `today`.
        today: the day it is.
        chosen: what the user chose for the slot that lacked; "" for nothing.

    Raises:
        InputError: the question is blank or too long, or the reference is not a day.
    """
    day = reference_day(reference, today)
    if chosen:
        asked = Asked(understand(state, _completed(state, question, chosen, day), day))
    else:
        asked = asked_for(state, question, day)
    if asked.table is not None:
        return _for_table(question, asked.table, asked.note)
    if asked.computed is not None:
        return _for_computed(question, asked.computed, asked.note)
    understood = asked.understood
    made = understood.clarification
    notes = (asked.note, made.assumption_note, understood.note)
    return Clarified(
        answer=_sentence(understood),
        mode=made.mode,
        intent=_intent(state, understood, question, day),
        assumed_slots=dict(made.assumed_slots),
        assumption_note=" ".join(filter(None, notes)) or None,
        narrowing_options=[
            OptionItem(slot=one.slot, value=one.value, label=one.label)
            for one in made.narrowing_options
        ],
        question=made.question or None,
    )


def _for_table(question: str, table: Mapping[str, Any], note: str) -> Clarified:
    """How a question that asks for a table is read: it is complete, with its arguments."""
    return Clarified(
        answer="The question asks for a table: query_metric_table answers it with intent.table.",
        mode="none",
        intent=IntentItem(
            metrics=list(table["metrics"]),
            entities=[],
            periods=[],
            channels=[],
            route="structured",
            table=dict(table),
            raw_question=question,
        ),
        assumed_slots={},
        assumption_note=note or None,
        narrowing_options=[],
    )


def _for_computed(question: str, asked: Computed, note: str) -> Clarified:
    """How a question for a share or a change of the warehouse is read: by single values."""
    return Clarified(
        answer="The question is complete: query_metric_grid answers it.",
        mode="none",
        intent=IntentItem(
            metric=asked.metric,
            entity=asked.entities[0],
            period=asked.periods[-1],
            metrics=[asked.metric],
            entities=list(asked.entities),
            periods=list(asked.periods),
            channels=[],
            route=asked.route,
            derive=list(asked.derive),
            share_of=asked.share_of or None,
            premise=asked.premise,
            compared_with=list(asked.compared_with) or None,
            raw_question=question,
        ),
        assumed_slots={},
        assumption_note=note or None,
        narrowing_options=[],
    )


def missing(state: State, question: str, reference: str, today: date) -> Missing | None:
    """Return the question to a user, where a choice among options completes the question.

    Raises:
        InputError: as `clarify_question`.
    """
    day = reference_day(reference, today)
    asked = asked_for(state, question, day)
    if asked.is_table:
        return None
    made = asked.understood.clarification
    options = made.narrowing_options[:_MOST_OPTIONS]
    if made.mode != "ask_first" or not options or len({one.slot for one in options}) > 1:
        return None
    slot = options[0].slot
    chosen = _completed(state, question, options[0].value, day)
    completed = understand(state, chosen, day).clarification
    if completed.mode == "ask_first":
        # No choice would help: something else in the question is not understood.
        return None
    return Missing(slot, made.question, tuple(options))


def _completed(state: State, question: str, chosen: str, day: date) -> str:
    """The question with a choice: instead of a calendar year that is not held, else at its end."""
    if not chosen:
        return question
    understood = _understood(state, question, day)
    periods = understood.intent.periods
    if len(periods) == 1 and find_periods(chosen) and _unlike_years(state, understood, day):
        start, end = periods[0].span
        return f"{question[:start]}{chosen}{question[end:]}"
    return f"{question} {chosen}"


def reference_day(raw: str, today: date) -> date:
    """The day that counts as today.

    Raises:
        InputError: the text is not a day.
    """
    if not raw.strip():
        return today
    day = read_day(raw, today)
    if day is None:
        raise InputError(f"`reference_date` {raw[:40]!r} is no day: send one as 2026-11-21.")
    return day


def period_labels(
    state: State, periods: Iterable[PeriodExpression], entity: str | None, today: date
) -> list[str]:
    """Canonical names of periods on an entity's calendar; one that cannot be read as it stands."""
    calendar = state.profile.calendar_of[entity] if entity else CALENDAR_YEAR
    labels: dict[str, None] = {}
    for expression in periods:
        reading = expression.on(calendar, today)
        if reading.kind in ("single", "several"):
            labels |= dict.fromkeys(one.label for one in reading.periods)
        else:
            labels[expression.raw] = None
    return list(labels)


def earlier_of(state: State, understood: Understood, today: date) -> tuple[str, ...]:
    """Labels of the earlier periods that must be looked up to check what a question assumes."""
    intent, assumed = understood.intent, understood.clarification.assumed_slots
    entity = intent.entity or assumed.get("entity")
    periods = period_labels(state, intent.periods, entity, today)
    if not periods and "period" in assumed:
        periods = [assumed["period"]]
    if periods == ["latest"] and entity and intent.metric:
        held = newest_period(state, intent.metric, entity, intent.channel or TOTAL)
        periods = [held.label] if held else []
    return compared_with(intent.premise, periods)


def _intent(state: State, understood: Understood, question: str, today: date) -> IntentItem:
    intent = understood.intent
    periods = period_labels(state, intent.periods, intent.entity, today)
    return IntentItem(
        metric=intent.metric,
        entity=intent.entity,
        period=periods[0] if periods else None,
        channel=intent.channel,
        metrics=list(intent.metrics),
        entities=list(intent.entities),
        periods=periods,
        channels=list(intent.channels),
        route=intent.route,
        derive=list(intent.derive) or None,
        share_of=intent.share_of,
        premise=intent.premise,
        compared_with=list(earlier_of(state, understood, today)) or None,
        external_entity=intent.external_entity,
        not_understood=[one.text for one in intent.leftovers] or None,
        raw_question=question,
    )


def _sentence(understood: Understood) -> str:
    made = understood.clarification
    if made.mode in ("ask_first", "out_of_scope_entity"):
        return made.question
    if made.mode == "answer_with_assumptions":
        return made.assumption_note
    if understood.intent.route == "narrative":
        return "The question is about text: search_narrative answers it."
    if understood.intent.route == "composite":
        return (
            "The question is complete: query_metric or query_metric_grid answers what is a number, "
            "search_narrative the rest."
        )
    return "The question is complete: query_metric or query_metric_grid answers it."
