"""The loop: reason, act, observe, until there is a final answer or nothing more may be called.

Reading what a text-only model writes: Thought, Action, Action Input, Final Answer. The marks stand
at the start of a line, in any case, perhaps in bold. What a model writes after an action, an
observation or a final answer among it, it has made up: nothing was called yet.
"""

from __future__ import annotations

import inspect
import json
import re
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import cast

import anyio.to_thread
from pydantic import JsonValue

from groundwire.agents.runtime.actions import backoff, execute_actions, problem_of, shown
from groundwire.agents.runtime.contract import Verdict
from groundwire.agents.runtime.errors import (
    AgentFailure,
    LLMFailure,
    MaxIterationsFailure,
    ParseFailure,
    TimeoutFailure,
)
from groundwire.agents.runtime.evidence_guard import LEFT_OUT, is_proven
from groundwire.agents.runtime.model import (
    Message,
    ModelResponse,
    Part,
    RulesModel,
    TextPart,
    ToolCallPart,
    ToolChoice,
    ToolResultPart,
)
from groundwire.agents.runtime.observability import answered
from groundwire.agents.runtime.prompts import compact
from groundwire.agents.runtime.run import Run

_MARK = re.compile(
    r"^[ \t>*_#]*(thought|action input|action|observation|final answer)[ \t*_]*[::][ \t*_]*",
    re.IGNORECASE | re.MULTILINE,
)
_FENCE = "```"
_NAME = re.compile(r"[\w.-]+")


_DECODER = json.JSONDecoder()
_FORMAT_HELP = (
    "Write `Thought: ...`, then either `Action: tool_name` and on the next line "
    "`Action Input: {...}` with one JSON object, or `Final Answer: ...`."
)


@dataclass(frozen=True, slots=True)
class ParsedAction:
    """A call that a text asks for."""

    tool: str
    input: JsonValue


@dataclass(frozen=True, slots=True)
class ParsedResponse:
    """The parts of one response.

    Attributes:
        thought: what stands before action and answer.
        action: the call that it asks for, or None.
        done: whether it gives a final answer.
        result: the final answer: JSON if it is some, else its text.
    """

    thought: str
    action: ParsedAction | None = None
    done: bool = False
    result: JsonValue = None


MOST_MALFORMED = 2
"""Responses in a row that cannot be read and are asked for again."""

LONGEST_SAID = 20_000
"""Characters of what a model says that are read; the rest is cut off before any guard sees it."""

_CUT = f"what the model said was longer than {LONGEST_SAID:,} characters and was cut there"


@dataclass(frozen=True, slots=True)
class Said:
    """The wishes of a response: calls, or a final answer."""

    thought: str
    calls: tuple[ToolCallPart, ...] = ()
    final: JsonValue = None


async def execute_agent_loop(run: Run) -> Verdict:
    """Go round until the guard has a verdict on a final answer.

    Raises:
        AgentFailure: time, rounds or money are over, the model failed, or it cannot be understood.
    """
    behavior = run.with_.config.behavior
    forced = behavior.forced_tool
    choice: ToolChoice = ("tool", forced) if forced else "auto"
    malformed = 0
    asked_again = False
    for iteration in range(1, behavior.max_iterations + 1):
        run.with_.limits.check_time()
        run.iterations = iteration
        run.tells("thinks")
        response = await ask(run, choice)
        last = iteration == behavior.max_iterations
        try:
            said = read(run, response)
        except ParseFailure as error:
            malformed += 1
            if malformed > MOST_MALFORMED or last:
                raise
            _correct(run, response, extract_thought(response.text), str(error))
            continue
        malformed = 0
        if response.stop_reason == "pause_turn":
            # The provider stopped in between: it goes on from its own turn.
            run.step(said.thought or "Goes on.")
            run.messages.append(Message("assistant", (TextPart(response.text),), response.raw))
            continue
        if said.calls:
            choice = "auto"
            await _act(run, response, said)
            if not _is_enough(run, since=len(said.calls)):
                continue
            verdict = await judge(run, None)
            if verdict.ask_again and not asked_again and not last:
                asked_again = True
                run.messages.append(Message("user", (TextPart(verdict.ask_again),)))
                continue
            return verdict
        if forced and not run.judged and choice != "auto" and not last:
            # Once more by name, then the model has its way and the guard its say.
            choice = "auto"
            _correct(run, response, said.thought, f"Call {forced} first.")
            continue
        verdict = await judge(run, said.final)
        if verdict.ask_again and not asked_again and not last:
            asked_again = True
            run.fabrication |= verdict.fabrication
            _correct(run, response, said.thought, verdict.ask_again)
            continue
        run.step(said.thought or "Gives the final answer.")
        return verdict
    if _has_final(run):
        return await judge(run, None)
    raise MaxIterationsFailure(
        "The rounds of this run are used up: allow more, or ask for less at once.",
        details={"max_iterations": behavior.max_iterations},
    )


async def ask(run: Run, choice: ToolChoice) -> ModelResponse:
    """One answer of the model; failures that pass are tried again after a while.

    Raises:
        LLMFailure: it gave none.
        TimeoutFailure: the deadline came first.
        BudgetExceededFailure: another answer does not fit the budget.
    """
    with_ = run.with_
    model, native = with_.model, with_.model.native_tools
    attempts = with_.config.behavior.retry_attempts
    for attempt in range(attempts + 1):
        account = run.account
        with_.limits.check_cost(
            account.cost_usd, account.dearest_usd, priced=account.priced, free=model.free
        )
        began = with_.clock.monotonic()
        try:
            with with_.limits.within_time(), with_.spans.chat() as span:
                response = await model.create(
                    run.system,
                    tuple(run.messages),
                    run.specs if native else (),
                    choice if native else "none",
                )
                answered(span, response)
        except LLMFailure as error:
            with_.log.event("model_failed", code=error.code, attempt=attempt + 1)
            if not error.recoverable or attempt == attempts:
                raise
            pause = backoff(attempt) if error.retry_after_s is None else error.retry_after_s
            with with_.limits.within_time():
                await with_.clock.sleep(pause)
            continue
        except AgentFailure:
            raise
        except Exception as error:
            raise LLMFailure(
                f"The model failed ({type(error).__name__}).", recoverable=False
            ) from error
        account.add(response, free=model.free)
        with_.log.event(
            "model_called",
            step=len(run.steps) + 1,
            model=model.name,
            stop_reason=response.stop_reason,
            prompt_tokens=response.usage.prompt,
            completion_tokens=response.usage.completion,
            cost_usd=response.cost_usd,
            time_ms=round((with_.clock.monotonic() - began) * 1e3, 3),
        )
        return _bounded(run, _usable(response))
    raise AssertionError("the last attempt returns or raises")


def _bounded(run: Run, response: ModelResponse) -> ModelResponse:
    """A response of which no text is longer than may be read; a cut is told."""
    if max(len(response.text), len(response.thinking)) <= LONGEST_SAID:
        return response
    if _CUT not in run.notes:
        run.notes.append(_CUT)
    return replace(
        response, text=response.text[:LONGEST_SAID], thinking=response.thinking[:LONGEST_SAID]
    )


def _usable(response: ModelResponse) -> ModelResponse:
    if response.stop_reason == "refusal":
        raise LLMFailure("The model refused this task: ask in other words.", recoverable=False)
    if response.stop_reason == "model_context_window_exceeded":
        raise LLMFailure(
            "The exchange has become too long for the model: ask for less at once.",
            recoverable=False,
        )
    return response


def read(run: Run, response: ModelResponse) -> Said:
    """Return what a response asks for: native calls first, then the text form.

    Raises:
        ParseFailure: it cannot be read, or was cut.
    """
    if response.stop_reason == "max_tokens":
        raise ParseFailure("The response was cut at its limit of tokens: write a shorter one.")
    thought = response.thinking.strip() or response.text.strip()
    if response.tool_calls:
        return Said(thought, response.tool_calls)
    if response.stop_reason == "pause_turn":
        return Said(thought)
    if not run.with_.model.native_tools:
        return _from_text(run, response.text)
    if not response.text.strip():
        raise ParseFailure("The response is empty: call a tool, or write the final answer.")
    if _writes_a_call(run, response.text):
        return _from_text(run, response.text)
    final = extract_final_answer(response.text)
    # The draft itself is no thought: what of it may be said is the guard's to decide.
    return Said(response.thinking.strip(), final=_answer(response.text) if final is None else final)


def _from_text(run: Run, text: str) -> Said:
    parsed = parse_response(text)
    if parsed.action is None:
        return Said(parsed.thought, final=parsed.result)
    # Whatever was sent is checked where it is executed.
    arguments = cast("dict[str, JsonValue]", parsed.action.input)
    call = ToolCallPart(f"text_{run.iterations}", parsed.action.tool, arguments)
    return Said(parsed.thought, (call,))


def _writes_a_call(run: Run, text: str) -> bool:
    """Whether a model that could call natively wrote a call of a known tool as text."""
    if "ction" not in text:
        return False
    try:
        action = parse_response(text).action
    except ParseFailure:
        return False
    return action is not None and run.with_.tools.get(action.tool) is not None


def _answer(text: str) -> JsonValue:
    """A final answer without its mark: an object if it is one, else the text."""
    found = extract_final_answer(f"Final Answer: {text}")
    return found if isinstance(found, dict) else text.strip()


async def _act(run: Run, response: ModelResponse, said: Said) -> None:
    """Make the calls, and put call and results into the exchange in the model's own form."""
    native = bool(response.tool_calls)
    thought = said.thought
    parts: tuple[Part, ...] = (TextPart(response.text),) if response.text.strip() else ()
    results = await execute_actions(run, thought, said.calls)
    if native:
        calls = tuple(_shown(call) for call in said.calls)
        raw = response.raw if calls == said.calls else None
        run.messages.append(Message("assistant", (*parts, *calls), raw))
        run.messages.append(Message("user", tuple(results)))
        return
    call = said.calls[0]
    # What followed the action was made up before anything was called, so it is left out.
    spoken = f"Thought: {thought}\nAction: {call.name}\nAction Input: {compact(call.arguments)}"
    run.messages.append(Message("assistant", (TextPart(spoken),)))
    run.messages.append(Message("user", tuple(map(_observed, results))))


def _shown(call: ToolCallPart) -> ToolCallPart:
    """A call as it may stand in the exchange: one that cannot be sent on is without arguments."""
    fine = cast("object", shown(call.arguments)) is call.arguments
    return call if fine else replace(call, arguments={})


def _observed(result: ToolResultPart) -> TextPart:
    return TextPart(f"Observation: {result.text}", result.data)


def _correct(run: Run, response: ModelResponse, thought: str, told: str) -> None:
    """Add a step without an action, and tell the model what to do instead."""
    run.step(thought or "Says nothing that can be acted on.", None, told)
    parts: list[Part] = [TextPart(response.text)] if response.text.strip() else []
    if parts:
        raw = None if response.tool_calls else response.raw
        run.messages.append(Message("assistant", tuple(parts), raw))
    run.messages.append(Message("user", (TextPart(told),)))


def _is_enough(run: Run, since: int) -> bool:
    """Whether one of the last answers is what the agent is for, so that no words are needed."""
    finals = run.with_.config.behavior.final_tools
    return any(
        one.answer.tool in finals and not one.hints.superseded_by_success
        for one in run.judged[-since:]
    )


def _has_final(run: Run) -> bool:
    """Whether a tool whose answer is the agent's has answered at all, if only with nothing."""
    finals = run.with_.config.behavior.final_tools
    return any(one.answer.tool in finals and not one.answer.is_error for one in run.judged)


async def judge(run: Run, final: JsonValue) -> Verdict:
    """The guard's verdict on a final answer; None is the answer of a final tool alone.

    What a model wrote itself is checked, whatever guard the agent has: a draft that the evidence
    does not prove is flagged. Rules write nothing but what code says.

    A guard reads texts, which may take a while: the loop goes on meanwhile, and the run can end.
    """
    evidence = run.evidence()
    judged = partial(run.with_.guard.final, final, tuple(run.steps), evidence)
    with run.with_.limits.within_time():
        verdict = await anyio.to_thread.run_sync(judged, abandon_on_cancel=True)
        if inspect.isawaitable(verdict):
            verdict = await verdict
    if final is None or isinstance(run.with_.model, RulesModel):
        return verdict
    composed = verdict.result.get("answer") if verdict.result else None
    proven = partial(is_proven, final, composed, evidence, run.with_.ledger)
    # The answer is composed already: a check that has no time left proves nothing.
    with suppress(TimeoutFailure), run.with_.limits.within_time():
        if await anyio.to_thread.run_sync(proven, abandon_on_cancel=True):
            return verdict
    return replace(verdict, fabrication=True, notes=(*verdict.notes, LEFT_OUT))


def parse_response(content: str) -> ParsedResponse:
    """Read one response.

    Raises:
        ParseFailure: it has neither an action nor a final answer, or an action's input is not JSON;
            the message says what to write instead.
    """
    action = extract_action(content)
    thought = extract_thought(content)
    if action is not None:
        return ParsedResponse(thought, action)
    if any(mark == "final answer" for mark, _ in _sections(content)):
        return ParsedResponse(thought, done=True, result=extract_final_answer(content))
    if not content.strip():
        raise ParseFailure(f"The response is empty. {_FORMAT_HELP}")
    raise ParseFailure(f"The response has no action and no final answer. {_FORMAT_HELP}")


def extract_thought(content: str) -> str:
    """The text after "Thought:", up to the next mark; without one, what stands before any mark."""
    sections = _sections(content)
    for mark, text in sections:
        if mark == "thought":
            return text.strip()
    first = _MARK.search(content)
    return content[: first.start()].strip() if first else content.strip()


def extract_action(content: str) -> ParsedAction | None:
    """The first call that a text asks for, or None; a final answer before it means none.

    Raises:
        ParseFailure: the action does not name a tool, or its input is not JSON.
    """
    sections = _sections(content)
    for position, (mark, text) in enumerate(sections):
        if mark == "final answer":
            return None
        if mark != "action":
            continue
        name = _NAME.search(text)
        if name is None:
            raise ParseFailure(f"The action names no tool. {_FORMAT_HELP}")
        following = sections[position + 1 : position + 2]
        if following and following[0][0] == "action input":
            return ParsedAction(name[0], _input(following[0][1]))
        # Some write the input behind the name: tool_name({"a": 1}) or tool_name {"a": 1}.
        rest = text[name.end() :].strip().removeprefix("(").removesuffix(")").strip(" `")
        return ParsedAction(name[0], _input(rest) if rest.startswith("{") else {})
    return None


def extract_final_answer(content: str) -> JsonValue:
    """Return what follows "Final Answer:": as JSON if it is some, else as text; None without it."""
    for mark in _MARK.finditer(content):
        if mark[1].lower() == "final answer":
            text = content[mark.end() :].strip()
            found = _json(text)
            return text if found is None else found
    return None


def _sections(content: str) -> list[tuple[str, str]]:
    """Marks in lower case with their texts, in order; a final answer runs to the end."""
    marks = list(_MARK.finditer(content))
    found: list[tuple[str, str]] = []
    for position, mark in enumerate(marks):
        name = mark[1].lower()
        last = name == "final answer" or position + 1 == len(marks)
        end = len(content) if last else marks[position + 1].start()
        found.append((name, content[mark.end() : end]))
        if name == "final answer":
            break
    return found


def _input(text: str) -> JsonValue:
    found = _json(text)
    if found is not None:
        return found
    if not text.strip() or text.strip().lower() in ("none", "null", "{}"):
        return {}
    raise ParseFailure(f"The action input is no JSON. {_FORMAT_HELP}")


def _json(text: str) -> JsonValue | None:
    """The JSON that a text is, in a code fence or followed by other words; None if it is none."""
    body = _unfenced(text.strip()).strip().strip("`").strip()
    if not body or body[0] not in '{["-0123456789tfn':
        return None
    try:
        value, end = _DECODER.raw_decode(body)
    except (ValueError, RecursionError):
        return None
    if problem_of(value):
        return None
    rest = body[end:].strip()
    # A sentence may begin with a digit or a bracket; only an object may be followed by words.
    return cast("JsonValue", value) if not rest or body[0] == "{" else None


def _unfenced(text: str) -> str:
    """Return the content of the code fence that a text begins with; a text without one as it is."""
    first, line, rest = text.partition("\n")
    word = first.removeprefix(_FENCE).strip()
    opens = first.startswith(_FENCE) and (not word or word.isalpha())
    return rest.partition(_FENCE)[0] if opens and line and _FENCE in rest else text
