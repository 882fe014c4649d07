"""Acting: the calls of one response are checked, made, retried, judged, and put into the trace.

JSON that a model sends is checked before anything reads it: no deeper than people nest, and finite.
Deeper values end the functions of the standard library and of pydantic that walk them, and JSON has
no NaN and no infinity.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

import anyio
import anyio.to_thread
from pydantic import JsonValue

from groundwire.agents.runtime.contract import Action, Change, Progress, ToolAnswer, watched
from groundwire.agents.runtime.errors import AgentFailure, ToolExecutionFailure, ValidationFailure
from groundwire.agents.runtime.hints import Judged, hints_of
from groundwire.agents.runtime.model import RulesModel, ToolCallPart, ToolResultPart
from groundwire.agents.runtime.observability import failed
from groundwire.agents.runtime.prompts import compact, format_observation, variables_of
from groundwire.agents.runtime.registry import CONTEXT_KEY, RegisteredTool
from groundwire.agents.runtime.run import Run
from groundwire.language.plain_speech import plain_dates

MOST_CALLS = 16
"""Calls of one response that are made; more are refused."""

MOST_UNREACHABLE = 3
UNKNOWN_TOOL = "unknown_tool"
"""In the trace, what was called where there is no such tool."""

_BACKOFF_S = 0.25
_LONGEST_BACKOFF_S = 8.0
# What the servers of this house say of failures that pass.
_PASSING = ("failed inside the server", "does not answer now")


@dataclass(frozen=True, slots=True)
class Taken:
    """A call with its answer.

    Attributes:
        call: what the model asked for.
        judged: the answer with its hints.
        observation: what the model is shown.
        same_as: number of the step whose answer still holds, or None if the call was made.
    """

    call: ToolCallPart
    judged: Judged
    observation: str
    same_as: int | None = None


async def execute_actions(
    run: Run, thought: str, calls: Sequence[ToolCallPart]
) -> list[ToolResultPart]:
    """Make the calls of one response and add a step for each, in the order of the calls.

    Calls that change nothing run at the same time; one that changes something runs by itself,
    after those before it.

    Returns:
        What the model is told of each.

    Raises:
        TimeoutFailure: the deadline came; calls under way were stopped, and are traced as such.
        ToolExecutionFailure: several calls in a row reached no server.
    """
    taken: list[Taken | None] = [None] * len(calls)
    run.tells(f"calls {', '.join(dict.fromkeys(_known_name(run, call) for call in calls[:3]))}")

    async def take(position: int) -> None:
        taken[position] = await execute_action(run, calls[position], position)

    try:
        with run.with_.limits.within_time():
            for group in _groups(run, calls):
                run.with_.limits.check_time()
                if len(group) == 1:
                    await take(group[0])
                    continue
                async with anyio.create_task_group() as tasks:
                    for position in group:
                        tasks.start_soon(take, position)
    finally:
        for position, call in enumerate(calls):
            _trace(run, thought if position == 0 else "", call, taken[position])
    if run.unreachable >= MOST_UNREACHABLE:
        raise ToolExecutionFailure(
            "The tools cannot be reached: try again later.",
            details={"tool": _known_name(run, calls[-1])},
        )
    return [_told(one) for one in taken if one is not None]


async def execute_action(run: Run, call: ToolCallPart, position: int) -> Taken:
    """Check and make one call; whatever goes wrong is an answer that the model can act on."""
    with_ = run.with_
    try:
        tool = with_.tools.permitted(call.name, with_.config.enabled_tools)
        arguments = _object(call)
        if position >= MOST_CALLS:
            raise ValidationFailure(f"one response may make {MOST_CALLS} calls: send the rest next")
        await _check_allowed(run, tool, arguments)
    except AgentFailure as error:
        return _judged(run, call, _refusal(call, error), None)
    key = f"{call.name} {json.dumps(arguments, sort_keys=True, ensure_ascii=False)}"
    held = run.kept.get(key)
    if held is not None and with_.clock.monotonic() < held[0]:
        observation = f"(The same call as in step {held[2]}; its answer holds.)"
        return Taken(call, held[1], observation, held[2])
    call = replace(call, arguments=arguments)
    began = with_.clock.monotonic()
    with with_.spans.tool(call.name, call.id) as span:
        answer = await _called(run, tool, arguments)
        if answer.is_error:
            failed(span, "ToolExecutionError")
    with_.log.event(
        "tool_called",
        step=len(run.steps) + 1 + position,
        tool=call.name,
        success=not answer.is_error,
        time_ms=round((with_.clock.monotonic() - began) * 1e3, 3),
        evidence_id=answer.evidence_id,
        texts={"input": dict(arguments)},
    )
    run.account.add_called_agent(answer.data)
    return _judged(run, call, answer, tool)


async def _called(run: Run, tool: RegisteredTool, arguments: Mapping[str, JsonValue]) -> ToolAnswer:
    """Call, and call again after a failure that passes if that has no further effect."""
    with_ = run.with_
    attempts = with_.config.behavior.retry_attempts if tool.idempotent else 0
    attempt = 0
    while True:
        failure: ToolExecutionFailure | None = None
        answer: ToolAnswer | None = None
        try:
            # An agent that is called as a tool tells its progress to nobody: it is not the run.
            with watched(_unheard):
                answer = await with_.tools.call(tool.spec.name, arguments, _meta(run))
        except ToolExecutionFailure as error:
            failure = error
        if answer is not None and not _passes(answer):
            run.unreachable = 0
            return answer
        if attempt >= attempts:
            break
        await with_.clock.sleep(backoff(attempt))
        attempt += 1
    if answer is not None:
        run.unreachable = 0
        return answer
    assert failure is not None
    run.unreachable += 1
    return _failed(tool.spec.name, arguments, failure)


async def _check_allowed(
    run: Run, tool: RegisteredTool, arguments: Mapping[str, JsonValue]
) -> None:
    """Go on only if the call changes nothing, or the user's words ask for the change.

    Raises:
        ToolExecutionFailure: they do not; the message is what the agent's check says.
    """
    if tool.read_only:
        return
    change = Change(
        question=run.asked.question,
        turns=run.context.turns,
        tool=tool.spec.name,
        arguments=arguments,
        variables=variables_of(run.asked),
        answers=run.evidence().answers,
    )
    # A check reads the question, which may take a while: the loop goes on meanwhile.
    refused = await anyio.to_thread.run_sync(run.with_.allows, change, abandon_on_cancel=True)
    if refused is not None:
        raise ToolExecutionFailure(
            refused, details={"tool": tool.spec.name, "reason": "not asked for"}
        )


def _unheard(progress: Progress) -> None:
    """Take no notice."""


def backoff(attempt: int) -> float:
    """Seconds to wait before another try; twice as long each time."""
    return min(_BACKOFF_S * 2**attempt, _LONGEST_BACKOFF_S)


def _passes(answer: ToolAnswer) -> bool:
    """Whether a failure may be over at the next try; a refusal of arguments is not."""
    return answer.is_error and any(phrase in answer.text for phrase in _PASSING)


def _object(call: ToolCallPart) -> dict[str, JsonValue]:
    """The arguments as an object; some models send them as a text of JSON.

    Raises:
        ValidationFailure: they are none.
    """
    sent = cast("object", call.arguments)
    if isinstance(sent, str):
        try:
            sent = read_json(sent or "{}")
        except ValueError:
            sent = None
    if not isinstance(sent, Mapping):
        raise ValidationFailure(f"the arguments of {call.name} must be one JSON object")
    if problem := problem_of(cast("object", sent)):
        raise ValidationFailure(
            f"the arguments of {call.name} cannot be read: what was sent {problem}"
        )
    return dict(cast("Mapping[str, JsonValue]", sent))


def _meta(run: Run) -> dict[str, object]:
    """The ids of the run, and what it has left, for a tool that is an agent itself."""
    limits, context = run.with_.limits, run.context
    left: dict[str, object] = {"max_time_ms": max(1, round(limits.remaining_s * 1e3))}
    if limits.max_cost_usd is not None:
        left["max_cost_usd"] = max(0.0, limits.max_cost_usd - run.account.cost_usd)
    told: dict[str, object] = {**context.ids(), "metadata": dict(context.metadata), "budget": left}
    if context.required_quality is not None:
        told["required_quality"] = context.required_quality
    return {CONTEXT_KEY: told}


def _groups(run: Run, calls: Sequence[ToolCallPart]) -> Iterator[list[int]]:
    """Positions of calls that may run at the same time, group after group."""
    group: list[int] = []
    for position, call in enumerate(calls):
        tool = run.with_.tools.get(call.name)
        if tool is None or tool.read_only:
            group.append(position)
            continue
        if group:
            yield group
            group = []
        yield [position]
    if group:
        yield group


def _refusal(call: ToolCallPart, error: AgentFailure) -> ToolAnswer:
    fine = isinstance(cast("object", shown(call.arguments)), Mapping)
    return _failed(call.name[:100], dict(call.arguments) if fine else {}, error)


def _failed(name: str, arguments: Mapping[str, JsonValue], error: AgentFailure) -> ToolAnswer:
    """A failure as the data that the model sees."""
    return ToolAnswer(
        tool=name,
        arguments=dict(arguments),
        text=f"{error.code}: {error}",
        data={"error": {"code": error.code, "message": str(error)}},
        is_error=True,
    )


def _judged(run: Run, call: ToolCallPart, answer: ToolAnswer, tool: RegisteredTool | None) -> Taken:
    """An answer with its hints and its observation."""
    read_only = tool is not None and tool.read_only
    hints = hints_of(answer, read_only=read_only, open_world=tool is None or tool.open_world)
    limit = run.with_.config.behavior.max_observation_characters
    return Taken(call, Judged(answer, hints), format_observation(answer, hints, limit))


def _trace(run: Run, thought: str, call: ToolCallPart, taken: Taken | None) -> None:
    """Add the step of a call; one that was stopped has no output."""
    name = _known_name(run, call)
    thought = thought or f"Calls {name}."
    sent = cast("object", shown(call.arguments))
    arguments = cast("JsonValue", dict(call.arguments) if isinstance(sent, Mapping) else sent)
    if taken is None:
        stopped = "Stopped: the run ended before this call had an answer."
        run.step(thought, Action(tool=name, input=arguments), stopped)
        return
    answer = taken.judged.answer
    output: JsonValue = dict(answer.data) or answer.text
    if answer.is_error and not answer.data:
        output = {"error": {"code": "ToolExecutionError", "message": answer.text}}
    step = run.step(thought, Action(tool=name, input=arguments, output=output), taken.observation)
    if taken.same_as is not None:
        return
    run.judged.append(taken.judged)
    tool = run.with_.tools.get(call.name)
    if tool is not None and not tool.read_only:
        # What was known may have changed.
        run.kept.clear()
    elif (period := taken.judged.hints.validity_period) > 0:
        key = f"{answer.tool} {json.dumps(answer.arguments, sort_keys=True, ensure_ascii=False)}"
        run.kept[key] = (run.with_.clock.monotonic() + period, taken.judged, step.step)


def _known_name(run: Run, call: ToolCallPart) -> str:
    """The name of a tool that there is; any other is a model's own words, which say nothing."""
    return call.name if run.with_.tools.get(call.name) is not None else UNKNOWN_TOOL


def _told(taken: Taken) -> ToolResultPart:
    answer = taken.judged.answer
    return ToolResultPart(
        id=taken.call.id,
        name=taken.call.name,
        text=taken.observation or compact(answer.data),
        is_error=answer.is_error,
        data=answer.data,
    )


MOST_NESTED = 64


def problem_of(value: object) -> str:
    """Why a value cannot be used as JSON, as in "it ..."; empty where it can."""
    left = [(value, 0)]
    while left:
        one, depth = left.pop()
        if depth > MOST_NESTED:
            return f"is nested more than {MOST_NESTED} deep"
        if isinstance(one, float) and not math.isfinite(one):
            return "holds a number that is not finite"
        if isinstance(one, Mapping):
            below = cast("Mapping[object, object]", one)
            if not all(isinstance(key, str) for key in below):
                return "has a key that is no text"
            left += [(member, depth + 1) for member in below.values()]
        elif isinstance(one, list):
            left += [(member, depth + 1) for member in cast("list[object]", one)]
        elif not isinstance(one, str | int | float | None):
            return "holds a value that is no JSON"
    return ""


def shown(value: object) -> JsonValue:
    """A value for the trace and the exchange: itself, or why it is left out."""
    problem = problem_of(value)
    return f"(left out: it {problem})" if problem else cast("JsonValue", value)


def read_json(text: str) -> object:
    """The JSON of a text.

    Raises:
        ValueError: it is none, or is nested too deep to be read.
    """
    try:
        return json.loads(text, parse_constant=_no_number)
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is no JSON")


class Toolbox:
    """The enabled tools, for a briefing; every call is a step of the trace."""

    def __init__(self, run: Run) -> None:
        self._run = run

    async def call(
        self, name: str, arguments: Mapping[str, JsonValue], thought: str = "Looks before asking."
    ) -> ToolAnswer:
        """Call a tool; a refusal is an answer with `is_error`."""
        call = ToolCallPart(f"brief_{len(self._run.steps) + 1}", name, arguments)
        await execute_actions(self._run, thought, (call,))
        # A call whose answer still held was not made again: its answer came before.
        same = (
            one.answer
            for one in reversed(self._run.judged)
            if one.answer.tool == name and dict(one.answer.arguments) == dict(arguments)
        )
        return next(same, self._run.judged[-1].answer)

    async def read(self, uri: str) -> str:
        """Read a resource of a server: what a model is to know, and no step of the trace.

        Raises:
            ToolExecutionFailure: no server has it.
        """
        return await self._run.with_.tools.read(uri)

    async def with_marked_names(self, text: str) -> str:
        """Return a text in which the names that the tools know stand in marks: 「Bus Station」."""
        return await self._run.with_.tools.with_marked_names(text)

    def dated(self, question: str) -> str:
        """Return a question with the year behind its days and months that name none."""
        return plain_dates(question, self._run.today)

    @property
    def model_reads_prompt(self) -> bool:
        """Whether the prompt is worth making: rules are programs that read none."""
        return not isinstance(self._run.with_.model, RulesModel)
