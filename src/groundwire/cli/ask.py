"""`groundwire ask AGENT "question"`: one agent, as hosts reach it, from the command line."""

from __future__ import annotations

import argparse
import json
import logging
import math
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

from groundwire.cli.terminal import plain, terminal_width, traced
from groundwire.config import Settings, load_settings
from groundwire.errors import InputError

if TYPE_CHECKING:
    from groundwire.agents.runs.records import RunView
    from groundwire.agents.runs.results import Question
    from groundwire.agents.runtime.contract import AgentOutput

_FAILED = 1
_WORDS = re.compile(r"\w+")
# Names and figures, which are written alike in every language.
_NAMES = re.compile(r"\b[A-Z][\w'’]+|\d[\d:.-]*")
_EXIT_CODES = {
    "ValidationError": 2,
    "TimeoutError": 4,
    "LLMError": 4,
    "ToolExecutionError": 4,
    "MaxIterationsError": 5,
    "BudgetExceededError": 5,
}


def ask(arguments: argparse.Namespace) -> int:
    """Ask an agent, and print what it answers, from where, and under which assumptions."""
    import anyio

    from groundwire.agents.runs.results import Question

    question = Question(
        arguments.agent,
        arguments.question,
        arguments.reference_date or "",
        variables=dict(_variable(text) for text in arguments.variable),
        context={"budget": _budget(arguments)},
        continue_run_id=arguments.continue_run or "",
    )
    output = anyio.run(_asked, load_settings(), question)
    if arguments.json:
        _print([json.dumps(output.dumped(), indent=2, ensure_ascii=False)])
    else:
        _print(_told(arguments.agent, output, trace=arguments.trace))
    if output.error is None:
        return 0
    return _EXIT_CODES.get(output.error.code, _FAILED)


async def _asked(settings: Settings, question: Question) -> AgentOutput:
    """The output of one run, with a line on stderr that says what it does."""
    from groundwire.servers.agents import desk, servers_below
    from groundwire.servers.composition import state
    from groundwire.serving import LOCAL

    shared = state(settings)
    made = desk(settings, shared, lambda: servers_below(settings, shared), logging.ERROR)
    line = _Line()
    try:
        view = await made.ask(LOCAL, question, math.inf, line.tell)
    finally:
        line.clear()
        await made.aclose()
        made.close()
    assert view.output is not None, "it was waited for without end"
    return view.output


class _Line:
    """The state of a run as one line that replaces itself where a person watches."""

    def __init__(self) -> None:
        self._said = ""

    async def tell(self, view: RunView) -> None:
        """Say what is new."""
        from groundwire.agents.runs.showing import said_of

        said = said_of(view)
        if said == self._said:
            return
        self._said = said
        sys.stderr.write(f"\r\x1b[K{said}" if sys.stderr.isatty() else f"{said}\n")
        sys.stderr.flush()

    def clear(self) -> None:
        """Leave nothing of the line."""
        if self._said and sys.stderr.isatty():
            sys.stderr.write("\r\x1b[K")


def _variable(text: str) -> tuple[str, Any]:
    """A variable as `name=value`; the value may be JSON.

    Raises:
        InputError: it has no name.
    """
    name, mark, value = text.partition("=")
    if not mark or not name.strip():
        raise InputError(f"{text[:60]!r} is no variable: write name=value.")
    try:
        return name.strip(), json.loads(value)
    except ValueError:
        return name.strip(), value


def _budget(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the budget of the run.

    Raises:
        InputError: it may take nothing.
    """
    budget: dict[str, Any] = {}
    if arguments.max_cost is not None:
        budget["max_cost_usd"] = arguments.max_cost
    if arguments.max_seconds is not None:
        budget["max_time_ms"] = round(arguments.max_seconds * 1000)
    if any(value < 0 for value in budget.values()) or budget.get("max_time_ms") == 0:
        raise InputError("a budget is a number above 0: leave it out for the agent's own limits.")
    return budget


def _told(agent: str, output: AgentOutput, *, trace: bool) -> Iterator[str]:
    """An output as text: answer, sources, assumptions, evidence, run."""
    result = output.result or {}
    if output.error is not None:
        yield f"No answer: {output.error.message}"
    said = result.get("answer")
    said = said if isinstance(said, str) else ""
    if said:
        yield plain(said) if result.get("answer_format") == "markdown" else said
    if result.get("question"):
        yield ""
        yield f'To answer: groundwire ask {agent} "..." --continue-run {output.run_id}'
    yield ""
    yield from (f"Source: {source}" for source in _sources(result, said))
    # What the answer itself says is not said again.
    assumed = [one for one in output.reasoning.assumptions_made if not _is_told(one, said)]
    yield from (f"Assumed: {one}" for one in assumed)
    if not all(one in said for one in output.evidence_ids):
        yield f"Evidence: {', '.join(output.evidence_ids)}"
    taken, steps = output.metadata, len(output.reasoning.steps)
    cost = f", ${taken.estimated_cost_usd:.6f}" if taken.estimated_cost_usd else ""
    yield (
        f"Run: {output.run_id} ({taken.model}, {steps} step{'' if steps == 1 else 's'}, "
        f"{taken.execution_time_ms / 1000:.2f} s, confidence "
        f"{output.reasoning.confidence:.2f}{cost})"
    )
    if trace:
        yield ""
        yield from traced(output.dumped()["reasoning"], terminal_width())


def _is_told(assumption: str, said: str) -> bool:
    """Whether an answer has an assumption, in its words or, in another language, by its names."""
    from groundwire.language.detection import languages_of

    if assumption.rstrip(".") in said:
        return True
    names = _NAMES.findall(assumption)
    translated = languages_of([_WORDS.findall(said)])[0] in ("de", "zh")
    return translated and bool(names) and all(one in said for one in names)


def _sources(result: Mapping[str, Any], said: str) -> Iterator[str]:
    """Yield the sources of an answer, each once, but for those that it links itself."""
    listed = result.get("sources")
    named: dict[str, None] = {}
    for one in cast("list[Any]", listed) if isinstance(listed, list) else []:
        if isinstance(one, str):
            named[one] = None
        elif isinstance(one, Mapping):
            source = cast("Mapping[str, Any]", one)
            if not source.get("iri") or f"({source['iri']})" not in said:
                named[_source(source)] = None
    yield from named


def _source(source: Mapping[str, Any]) -> str:
    """A source in a line: a document and the place in it, or a thing of a graph and its address."""
    if iri := source.get("iri"):
        label, endpoint = source.get("label"), source.get("endpoint")
        named = f"{label} <{iri}>" if label else f"<{iri}>"
        return f"{named} ({endpoint})" if endpoint else named
    return ", ".join(dict.fromkeys(str(value) for value in source.values() if value))


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        sys.stdout.write(f"{line}\n")
