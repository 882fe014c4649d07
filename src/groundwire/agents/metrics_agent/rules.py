"""The plan of a question, and the model without a key that makes the calls of the plan.

The plan is read from the answer of `clarify_question`. The briefing of a model and the guard of the
answer use it too, so that what is asked, looked up and shown is one and the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, cast

from pydantic import JsonValue

from groundwire.agents.runtime.contract import ToolAnswer
from groundwire.agents.runtime.model import (
    Message,
    Model,
    ModelResponse,
    RulesModel,
    TextPart,
    ToolCallPart,
    ToolResultPart,
    ToolSpec,
    calling,
    saying,
)
from groundwire.language.asking import asked_in
from groundwire.metrics.intent.contents import asks_for_nothing
from groundwire.metrics.intent.shares import compares
from groundwire.metrics.terms import TOTAL
from groundwire.metrics.wording import Language, chinese_name, german_name

Route = Literal["structured", "narrative", "composite"]
Mode = Literal["none", "ask_first", "answer_with_assumptions", "out_of_scope_entity"]
Kinds = Mapping[tuple[str, str], str]
"""Kind of entity by ("metric" or "entity", code)."""

Names = Mapping[str, str]
"""Names for people by the codes of metrics, entities and channels."""

CLARIFY = "clarify_question"
QUERY = "query_metric"
GRID = "query_metric_grid"
TABLE = "query_metric_table"
SEARCH = "search_narrative"
LISTS = ("list_metrics", "list_dimension_values")
MOST_PASSAGES = 3
SLOTS = ("metrics", "entities", "periods", "channels")
TABLE_ASKED = "table_asked"
"""In the result of a turn: the question that a table answered."""
DERIVED_ASKED = "derived_asked"
"""In the result of a turn: the question that was answered by what is computed of its values."""
# What names exactly one period, so that one value answers.
_ONE_PERIOD = re.compile(r"latest|(?:FY)?\d{4}(?:Q[1-4]|H[12]|-\d{2}(?:-\d{2})?)?")


class Call(NamedTuple):
    """A call of a tool."""

    tool: str
    arguments: dict[str, JsonValue]


# What can be asked for, where a question asks for nothing or nothing answers it.
HOLDINGS = Call("list_metrics", {})


class CellKey(NamedTuple):
    """The metric, entity, channel and period of one value."""

    metric: str
    entity: str
    channel: str
    period: str


@dataclass(frozen=True, slots=True)
class Plan:
    """The values that a question asks for, and how they are looked up.

    Attributes:
        question: the question, as it was read.
        mode: what clarification decided.
        route: which channels answer.
        metrics, entities, periods, channels: codes and labels; what was assumed is among them.
        derive: what is to be computed of the values.
        share_of: code of the entity that shares are of, or "".
        premise: what the question takes for granted of the values, or "".
        compared_with: earlier periods that tell whether it is so.
        note: what was assumed, or "".
        asks: what the user has to be asked, or told of a refusal; else "".
        options: one-step options of the user.
        not_understood: parts of the question that nothing explains.
        table: arguments of the table that the question asks for, or None.
    """

    question: str
    mode: Mode
    route: Route
    metrics: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    periods: tuple[str, ...] = ()
    channels: tuple[str, ...] = (TOTAL,)
    derive: tuple[str, ...] = ()
    share_of: str = ""
    premise: str = ""
    compared_with: tuple[str, ...] = ()
    note: str = ""
    asks: str = ""
    options: tuple[Mapping[str, JsonValue], ...] = ()
    not_understood: tuple[str, ...] = ()
    table: Mapping[str, JsonValue] | None = None

    @property
    def ends(self) -> bool:
        """Whether a question or a refusal answers, before anything is called."""
        return self.mode in ("ask_first", "out_of_scope_entity")

    @property
    def searches(self) -> bool:
        """Whether documents are searched: not for a greeting, nor for values alone."""
        if self.route == "narrative":
            return not asks_for_nothing(self.question)
        return self.route == "composite"

    @property
    def looks_up(self) -> bool:
        """Whether anything is to be looked up: not for a greeting."""
        return self.route != "narrative" or self.searches

    @property
    def slots(self) -> dict[str, JsonValue]:
        """The slots, for a conversation that goes on."""
        return {name: list(getattr(self, name)) for name in SLOTS}


def read_plan(question: str, data: Mapping[str, JsonValue]) -> Plan:
    """The plan in an answer of `clarify_question`.

    Args:
        question: what was asked of the tool.
        data: its answer.
    """
    intent = cast("Mapping[str, Any]", data["intent"])
    assumed = cast("Mapping[str, str]", data.get("assumed_slots") or {})
    named = {name: tuple(cast("list[str]", intent.get(name) or ())) for name in SLOTS}
    mode = cast("Mode", data["mode"])
    plan = Plan(
        question=question,
        mode=mode,
        route=cast("Route", intent["route"]),
        metrics=named["metrics"],
        entities=named["entities"] or _given(assumed, "entity"),
        periods=named["periods"] or _given(assumed, "period"),
        channels=named["channels"] or (TOTAL,),
        derive=tuple(cast("list[str]", intent.get("derive") or ())),
        share_of=str(intent.get("share_of") or ""),
        premise=str(intent.get("premise") or ""),
        compared_with=tuple(cast("list[str]", intent.get("compared_with") or ())),
        note=str(data.get("assumption_note") or ""),
        asks=str(data.get("question") or data.get("answer") or "") if _ends(mode) else "",
        options=tuple(cast("list[Mapping[str, JsonValue]]", data.get("narrowing_options") or ())),
        not_understood=tuple(cast("list[str]", intent.get("not_understood") or ())),
        table=cast("Mapping[str, JsonValue] | None", intent.get("table")),
    )
    return _with_change(plan)


def _with_change(plan: Plan) -> Plan:
    """Return a plan that tells how far a value moved too, where two of its times are compared."""
    axes = (plan.metrics, plan.entities, plan.channels)
    plain = plan.route == "structured" and not (plan.derive or plan.premise or plan.table)
    two = len(plan.periods) == 2 and len({len(one) for one in plan.periods}) == 1
    if not (plain and two and all(len(axis) == 1 for axis in axes) and compares(plan.question)):
        return plan
    if not all(map(single, plan.periods)):
        return plan
    return replace(plan, periods=tuple(sorted(plan.periods)), derive=("delta", "percent_change"))


def clarifying(question: str, reference_date: str) -> Call:
    """The call that reads a question."""
    arguments: dict[str, JsonValue] = {"question": question}
    return Call(CLARIFY, arguments | ({"reference_date": reference_date} if reference_date else {}))


def naming(plan: Plan) -> tuple[Call, ...]:
    """Calls for the names and kinds of what is asked for, where the answer needs them."""
    # An answer names each missing value, and each value that a result is computed from.
    axes = (plan.metrics, plan.entities, plan.periods, plan.channels)
    several = any(len(axis) > 1 for axis in axes) or bool(plan.premise)
    needed = several or asked_in(plan.question) != "en"
    if plan.ends or plan.table or not plan.metrics or not needed:
        return ()
    metrics = [Call("list_metrics", {"search": code}) for code in plan.metrics]
    entities = [
        Call("list_dimension_values", {"dimension": "entity", "search": code})
        for code in plan.entities
    ]
    channels = [
        Call("list_dimension_values", {"dimension": "channel", "search": code})
        for code in plan.channels
        if code != TOTAL
    ]
    return (*metrics, *entities, *channels)


def kinds_of(data: Sequence[Mapping[str, JsonValue]]) -> Kinds:
    """Kinds by code, in answers of the list tools."""
    kinds: dict[tuple[str, str], str] = {}
    for one in data:
        for key, code, items in (("metric", "code", "metrics"), ("entity", "value", "values")):
            for item in cast("list[Mapping[str, Any]]", one.get(items) or ()):
                kinds[(key, str(item.get(code)))] = str(item.get("kind") or "")
    return kinds


def names_in(lists: Sequence[ToolAnswer], language: Language, question: str = "") -> dict[str, str]:
    """The names that the list tools have for codes.

    German names are those of the lists, those that the question uses, and those of countries.
    """
    asked = question.casefold()
    names: dict[str, str] = {}
    for one in lists:
        for items, code in (("metrics", "code"), ("values", "value")):
            for item in cast("list[Mapping[str, Any]]", one.data.get(items) or ()):
                label = str(item["label"])
                aliases = [str(alias) for alias in item.get("aliases") or ()]
                if language == "zh":
                    label = chinese_name(label, aliases)
                elif language == "de":
                    used = [one for one in (label, *aliases) if one.casefold() in asked]
                    own = item.get("label_de") or max(used, key=len, default="")
                    label = str(own or german_name(label))
                names.setdefault(str(item[code]), label)
    return names


def lookups(plan: Plan, kinds: Kinds) -> tuple[Call, ...]:
    """The calls that answer a complete question; none needs the answer of another."""
    if plan.table is not None:
        return (Call(TABLE, dict(plan.table)),)
    calls = [_lookup(plan, *group) for group in _groups(plan, kinds)]
    if plan.compared_with:
        before = replace(plan, periods=plan.compared_with, derive=(), share_of="")
        calls += [_lookup(before, *group) for group in _groups(plan, kinds)]
    if plan.searches:
        calls.append(Call(SEARCH, {"query": plan.question, "limit": MOST_PASSAGES}))
    elif plan.route == "narrative":
        calls.append(HOLDINGS)
    return tuple(calls)


def cells_of(plan: Plan, kinds: Kinds) -> Iterator[CellKey]:
    """Yield the keys of the values that are asked for; a range stands for all of its periods."""
    for metrics, entities in _groups(plan, kinds):
        for metric in metrics:
            for entity in entities:
                for channel in plan.channels:
                    for period in plan.periods:
                        yield CellKey(metric, entity, channel, period)


def single(period: str) -> bool:
    """Whether a period is exactly one."""
    return bool(_ONE_PERIOD.fullmatch(period))


def _groups(plan: Plan, kinds: Kinds) -> Iterator[tuple[list[str], list[str]]]:
    """Metrics of one kind of entity, with the entities of this kind."""
    if plan.route == "narrative":
        return
    known = {code: kinds.get(("metric", code), "") for code in plan.metrics}
    for kind in dict.fromkeys(known.values()):
        metrics = [code for code in plan.metrics if known[code] == kind]
        entities = [
            code for code in plan.entities if not kind or kinds.get(("entity", code), kind) == kind
        ]
        if entities:
            yield metrics, entities


def _lookup(plan: Plan, metrics: list[str], entities: list[str]) -> Call:
    axes = (metrics, entities, plan.periods, plan.channels)
    if all(len(axis) == 1 for axis in axes) and not plan.derive and single(plan.periods[0]):
        one: dict[str, JsonValue] = {
            "metric": metrics[0],
            "entity": entities[0],
            "period": plan.periods[0],
        }
        return Call(QUERY, one | _unless_total("channel", plan.channels[0]))
    grid: dict[str, JsonValue] = {
        "metrics": cast("list[JsonValue]", metrics),
        "entities": cast("list[JsonValue]", entities),
        "periods": list(plan.periods),
    }
    if plan.channels != (TOTAL,):
        grid["channels"] = list(plan.channels)
    if plan.derive:
        grid["derive"] = list(plan.derive)
        grid |= {"share_of": plan.share_of} if plan.share_of else {}
    return Call(GRID, grid)


def _unless_total(name: str, channel: str) -> dict[str, JsonValue]:
    return {} if channel == TOTAL else {name: channel}


def _given(assumed: Mapping[str, str], name: str) -> tuple[str, ...]:
    return (assumed[name],) if name in assumed else ()


def _ends(mode: Mode) -> bool:
    return mode in ("ask_first", "out_of_scope_entity")


# The guard builds the answer; these words only end the rounds.
_DONE = "What was looked up is the answer."


class _Answered(NamedTuple):
    """A call of this run with its result."""

    call: ToolCallPart
    result: ToolResultPart


def build_rules() -> Model:
    """The rules of this agent."""
    return RulesModel(respond)


def respond(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> ModelResponse:
    """The next calls, or the end: first what the question needs, then further pages of it."""
    said = list(_answered(messages))
    calls = list(_further(said)) if said else _wanted(messages)
    offered = {tool.name for tool in tools}
    calls = [one for one in calls if one.tool in offered]
    if not calls:
        return saying(_DONE)
    thought = "Look up the rest." if said else "Look up what the question asks for."
    return calling(*calls, thought=thought)


def _wanted(messages: Sequence[Message]) -> list[Call]:
    """The calls that were made ready when the question was read."""
    for message in reversed(messages):
        for part in message.parts:
            if not isinstance(part, TextPart) or part.data is None:
                continue
            ready = cast("Mapping[str, Mapping[str, JsonValue]]", part.data.get("ready") or {})
            calls = cast("list[Mapping[str, JsonValue]]", ready.get("reading", {}).get("calls"))
            return [
                Call(str(one["tool"]), cast("dict[str, JsonValue]", one["arguments"]))
                for one in calls or ()
            ]
    return []


def _further(said: Sequence[_Answered]) -> Iterator[Call]:
    """Further pages of grids; what can be asked for, where a search found nothing."""
    sent = {str(one.call.arguments.get("cursor")) for one in said}
    for one in said:
        cursor = (one.result.data or {}).get("next_cursor")
        if one.call.name == GRID and isinstance(cursor, str) and cursor not in sent:
            yield Call(GRID, {**one.call.arguments, "cursor": cursor})
    if len(said) == 1 and said[0].call.name == SEARCH and not _found(said[0]):
        yield HOLDINGS


def _found(one: _Answered) -> bool:
    return (one.result.data or {}).get("status") == "found"


def _answered(messages: Sequence[Message]) -> Iterator[_Answered]:
    calls: dict[str, ToolCallPart] = {}
    for message in messages:
        for part in message.parts:
            if isinstance(part, ToolCallPart):
                calls[part.id] = part
            elif isinstance(part, ToolResultPart) and part.id in calls:
                yield _Answered(calls[part.id], part)
