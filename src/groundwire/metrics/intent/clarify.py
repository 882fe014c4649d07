"""The clarification gateway: refuse, answer, ask first, or answer with what is assumed said.

The order is strict. The gate screens the question as it came, whatever a parser made of it. What
would change the answer is asked; what has an honest default is assumed and said.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Literal

from groundwire.language.asking import asked_in
from groundwire.metrics.intent import options
from groundwire.metrics.intent.options import Option
from groundwire.metrics.intent.parsed import Leftover, ParsedIntent
from groundwire.metrics.intent.shares import is_ranking
from groundwire.metrics.intent.tokens import check_length
from groundwire.metrics.names import Names
from groundwire.metrics.profile import Metric, Profile
from groundwire.metrics.wording import Language, note, phrases, quoted, say
from groundwire.quantities import CALENDAR_YEAR, FiscalCalendar, Period, read_period
from groundwire.safe_text import safe_name

if TYPE_CHECKING:
    from groundwire.metrics.gate.screen import Hit, SecurityGate

Mode = Literal["none", "ask_first", "answer_with_assumptions", "out_of_scope_entity"]
LATEST = "latest"
_MOST_LOOKED_UP = 4

# The newest period that has a fact, by metric, entity and channel; None where there is none.
Newest = Callable[[str, str, str], Period | None]


@dataclass(frozen=True, slots=True)
class Clarification:
    """The decision on a question: answer, assume, ask or refuse.

    Attributes:
        mode: what it is.
        assumed_slots: the value of each slot that is assumed.
        assumption_note: what is assumed, as a sentence in the language of the question; or "".
        narrowing_options: what one may send instead, each one step.
        question: what to ask, or the refusal; or "".
        external_entity: display name of the entity out of scope, or None.
    """

    mode: Mode
    assumed_slots: dict[str, str] = field(default_factory=dict[str, str])
    assumption_note: str = ""
    narrowing_options: tuple[Option, ...] = ()
    question: str = ""
    external_entity: str | None = None


@dataclass(frozen=True, slots=True)
class Understood:
    """A question that was read.

    Attributes:
        intent: its slots.
        clarification: what to do with it.
        note: who read it, where the parser that the profile names did not; or "".
    """

    intent: ParsedIntent
    clarification: Clarification
    note: str = ""


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question that is being clarified, with what its codes stand for."""

    intent: ParsedIntent
    names: Names
    reference: date
    language: Language
    metrics: tuple[Metric, ...]
    entities: tuple[str, ...]

    @property
    def profile(self) -> Profile:
        return self.names.profile


def clarify(
    intent: ParsedIntent,
    names: Names,
    gate: SecurityGate,
    reference: date,
    newest: Newest | None = None,
) -> Clarification:
    """Decide what to do with a question.

    Args:
        intent: how it was read. Only its raw question is trusted with the scope.
        names: the vocabularies of the profile.
        gate: what screens the question.
        reference: the day that "latest complete year" counts from.
        newest: tells the newest period with a fact; None if no facts are at hand.

    Raises:
        InputError: the question has more than 4,000 characters.
    """
    check_length(intent.raw_question)
    screen = gate.screen(intent.raw_question)
    if screen.refused:
        return _refused(screen.hits[0], names.profile, gate, asked_in(intent.raw_question))
    if intent.route == "narrative":
        return Clarification("none")
    asked = _known(intent, names, reference)
    return _asked_first(asked) or _assumed(asked, newest)


def _refused(hit: Hit, profile: Profile, gate: SecurityGate, language: Language) -> Clarification:
    """The refusal of a question about an entity out of scope, with the home entities."""
    offered = options.homes(profile, language)
    text = gate.refusal(hit)
    if language != "en" and offered:
        said = phrases(language)
        name = options.external_name(profile, hit.name, language)
        homes = said.either.join(one.label for one in offered)
        text = said.out_of_scope.format(name=name, homes=homes)
    return Clarification(
        "out_of_scope_entity",
        question=text,
        narrowing_options=offered,
        external_entity=hit.name,
    )


def _known(intent: ParsedIntent, names: Names, reference: date) -> _Asked:
    """The codes of an intent that the profile has; a parser may claim any."""
    profile = names.profile
    metrics: dict[str, None] = dict.fromkeys([*intent.metrics, intent.metric or ""])
    entities: dict[str, None] = dict.fromkeys([*intent.entities, intent.entity or ""])
    return _Asked(
        intent,
        names,
        reference,
        asked_in(intent.raw_question),
        tuple(profile.metric_by_code[code] for code in metrics if code in profile.metric_by_code),
        tuple(code for code in entities if code in profile.entity_by_code),
    )


def _asked_first(asked: _Asked) -> Clarification | None:
    """The question to ask, where guessing would change the answer."""
    said = phrases(asked.language)
    leftovers = asked.intent.leftovers
    if any(is_ranking(one.text) for one in leftovers) and len(asked.entities) < 2:
        kinds = {one.kind for one in asked.metrics if asked.profile.kinds[one.kind].home}
        named = [options.entities(asked.profile, kind, asked.language, True) for kind in kinds]
        return _ask([said.not_ranked], named[0] if len(named) == 1 else ())
    parts = [_problem(one, asked.language) for one in leftovers[:2]]
    offered: list[Option] = []
    for one in leftovers[:_MOST_LOOKED_UP]:
        offered += options.for_leftover(one, asked.names, asked.metrics, asked.language)
    if not asked.metrics:
        return _which_metric(asked, parts, offered)
    unread = _unread_periods(asked)
    if not leftovers and not unread:
        return None
    for text in unread:
        parts.append(said.time_not_read.format(text=quoted(text, asked.language)))
    if unread or any(one.category == "time" for one in leftovers):
        parts.append(said.which_period)
        offered += _periods(asked)
    if not offered and not asked.entities:
        kind = asked.metrics[0].kind
        name = options.kind_name(asked.profile, kind, asked.language)
        held = options.entities(asked.profile, kind, asked.language, with_home=True)
        # The first of hundreds in the order of their codes are near to nothing.
        offered += held if asked.profile.kinds[kind].home else []
        return _ask([*parts, said.which_entity.format(kind=name)], offered)
    if not offered:
        return _ask(parts, ())
    names = [safe_name(option.label) for option in options.unique(offered)[:3]]
    parts.append(said.choices.format(names=" / ".join(names)))
    return _ask(parts, offered)


def _which_metric(asked: _Asked, parts: list[str], offered: list[Option]) -> Clarification:
    """The question for the metric: for what is nearly said, else for any."""
    said = phrases(asked.language)
    near = options.unique(offered)[:3]
    if any(one.slot == "metric" for one in near):
        parts.append(said.choices.format(names=" / ".join(safe_name(one.label) for one in near)))
    elif asked.entities:
        # One name may stand for entities of several kinds; the shortest says least of which.
        names = [options.name_in(asked.profile, one, asked.language) for one in asked.entities]
        parts.append(said.which_metric_of.format(entity=min(names, key=len)))
    else:
        parts.append(said.which_metric)
    return _ask(parts, [*offered, *options.metrics(asked.profile, asked.entities, asked.language)])


def _ask(parts: Sequence[str], offered: Sequence[Option]) -> Clarification:
    return Clarification(
        "ask_first", question=" ".join(parts), narrowing_options=options.unique(offered)
    )


def _problem(leftover: Leftover, language: Language) -> str:
    said = phrases(language)
    text = quoted(leftover.text, language)
    if leftover.category == "ambiguous":
        return (said.ambiguous if leftover.candidates else said.paired).format(text=text)
    if leftover.category == "derivation":
        return said.not_computed.format(text=text)
    if leftover.category == "whole":
        return said.which_whole.format(text=text)
    if leftover.category == "nested":
        return say("of_a_share", language, text=text)
    if leftover.category == "time":
        return said.time_not_read.format(text=text)
    return said.not_understood.format(text=text)


def _calendars(asked: _Asked) -> list[FiscalCalendar]:
    found = [asked.profile.calendar_of[code] for code in asked.entities]
    homes = [asked.profile.kinds[metric.kind].home for metric in asked.metrics]
    found += [asked.profile.calendar_of[home] for home in homes if home]
    return list(dict.fromkeys(found)) or [CALENDAR_YEAR]


def _unread_periods(asked: _Asked) -> list[str]:
    """Expressions of time that mean no period on a calendar that is asked about."""
    return [
        one.raw
        for one in asked.intent.periods or ((asked.intent.period,) if asked.intent.period else ())
        if any(
            one.on(calendar, asked.reference).kind == "unreadable" for calendar in _calendars(asked)
        )
    ]


def _complete_year(asked: _Asked, calendar: FiscalCalendar, before: int = 1) -> str:
    """Label of the fiscal year that is some years before the one that holds the reference day."""
    expression = read_period(f"FY{calendar.year_of(asked.reference) - before}")
    if expression is None:
        return LATEST
    reading = expression.on(calendar, asked.reference)
    return reading.periods[0].label if reading.periods else LATEST


def _periods(asked: _Asked, latest_too: bool = True) -> list[Option]:
    """Periods to send instead: the last complete years, the latest quarter, the latest."""
    calendar = _calendars(asked)[0]
    labels = [_complete_year(asked, calendar), _complete_year(asked, calendar, 2)]
    if not latest_too:
        labels = labels[1:]
    if any("quarter" in metric.grains for metric in asked.metrics):
        labels.append("latest quarter")
    said = phrases(asked.language)
    shown = {"latest quarter": said.latest_quarter, LATEST: said.latest}
    return [Option("period", label, shown.get(label, label)) for label in [*labels, LATEST]]


def _assumed(asked: _Asked, newest: Newest | None) -> Clarification:
    """Fill the entity and the period by default, and say so; ask where a default is missing."""
    said = phrases(asked.language)
    assumed: dict[str, str] = {}
    parts: list[str] = []
    offered: list[Option] = []
    kinds = dict.fromkeys(metric.kind for metric in asked.metrics)
    held = {asked.profile.entity_by_code[code].kind for code in asked.entities}
    missing = [kind for kind in kinds if kind not in held]
    for kind in missing:
        label = options.kind_name(asked.profile, kind, asked.language)
        home = asked.profile.kinds[kind].home
        others = options.entities(asked.profile, kind, asked.language)
        if not home or len(kinds) > 1:
            return _ask([said.which_entity.format(kind=label)], others)
        name = options.name_in(asked.profile, home, asked.language)
        assumed["entity"] = home
        parts.append(said.assumed_entity.format(kind=label, entity=name))
        offered += others
    if not asked.intent.periods and not asked.intent.period:
        entities = [*asked.entities, *([assumed["entity"]] if assumed else [])]
        period = _default_period(asked, entities)
        if period is None:
            return _ask([said.which_period], _periods(asked))
        assumed["period"] = period
        parts.append(_period_note(asked, entities, period, newest))
        offered += _periods(asked, latest_too=False)
    if not assumed:
        return Clarification("none")
    return Clarification(
        "answer_with_assumptions", assumed, note(parts, asked.language), options.unique(offered)
    )


def _default_period(asked: _Asked, entities: Sequence[str]) -> str | None:
    """The period that is assumed; None where the entities' defaults differ."""
    found: set[str] = set()
    for code in entities:
        kind = asked.profile.kinds[asked.profile.entity_by_code[code].kind]
        if kind.default_period == LATEST:
            found.add(LATEST)
        else:
            found.add(_complete_year(asked, asked.profile.calendar_of[code]))
    return found.pop() if len(found) == 1 else None


def _period_note(asked: _Asked, entities: Sequence[str], period: str, newest: Newest | None) -> str:
    said = phrases(asked.language)
    if period != LATEST:
        return said.assumed_period.format(period=period)
    channel = asked.intent.channel or "TOTAL"
    known = newest(asked.metrics[0].code, entities[0], channel) if newest else None
    return said.assumed_latest + (f" ({known.label})" if known else "")
