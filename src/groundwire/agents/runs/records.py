"""Runs: the record of each, whose it is and how it stands, and one of this process at work."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal, get_args

import anyio

from groundwire.agents.runs.results import RunStatus
from groundwire.agents.runtime.contract import (
    Action,
    AgentError,
    AgentExecutionMetadata,
    AgentOutput,
    AgentReasoning,
    Progress,
    ReasoningStep,
    Turn,
)
from groundwire.agents.runtime.errors import as_agent_error
from groundwire.agents.runtime.outcome import partial_result
from groundwire.errors import InputError

STATUSES: tuple[RunStatus, ...] = get_args(RunStatus)

MOST_TURNS = 8
"""Exchanges of a conversation that are carried on; of more the oldest go."""
MOST_TURN_CHARACTERS = 100_000
"""Characters of all of them together, as JSON."""
_STOPPED = {
    "CancelledError": "The run was cancelled by its caller; the trace has what it did before.",
    "InterruptedError": (
        "The run was interrupted, since the server that worked on it ended; the trace has what it "
        "did before. Ask again."
    ),
}
_CARRIED_TEXT = 4_000


@dataclass(frozen=True, slots=True)
class Asked:
    """The question that a run is about.

    Attributes:
        run_id: its handle.
        owner: who alone may open it.
        agent: name of the agent.
        question: what it was asked.
        turns: the conversation before it, oldest first.
        model: the model that it uses.
        version: version of the agent.
    """

    run_id: str
    owner: str
    agent: str
    question: str
    turns: tuple[Turn, ...] = ()
    model: str = ""
    version: str = ""


@dataclass(frozen=True, slots=True)
class RunView:
    """A run as it stands.

    Attributes:
        asked: what it is about.
        status: whether it goes on, or how it ended.
        output: what came of it; of a run that goes on, None.
        doing: what it does now, as in "it ..."; empty unless it goes on.
        steps: the trace of a run that goes on.
        seconds: how long it has gone on.
    """

    asked: Asked
    status: RunStatus
    output: AgentOutput | None = None
    doing: str = ""
    steps: tuple[ReasoningStep, ...] = ()
    seconds: float = 0.0


def ended_early(
    asked: Asked,
    code: Literal["CancelledError", "InterruptedError"],
    progress: Progress | None,
    milliseconds: float,
) -> AgentOutput:
    """The output of a run that was stopped: its trace up to there, and no figure of it."""
    metadata = (
        progress.metadata
        if progress is not None
        else AgentExecutionMetadata(
            execution_time_ms=milliseconds,
            iterations=0,
            model=asked.model,
            agent_version=asked.version,
        )
    )
    steps = progress.steps if progress is not None else ()
    answered = [step.action.tool for step in steps if step.action and _has_answer(step.action)]
    done = "1 step" if len(steps) == 1 else f"{len(steps)} steps"
    return AgentOutput(
        run_id=asked.run_id,
        success=False,
        result=partial_result(answered),
        error=AgentError(code=code, message=_STOPPED[code], recoverable=True),
        reasoning=AgentReasoning(
            steps=steps, decision=f"Stopped after {done}, before an answer.", confidence=0.0
        ),
        metadata=metadata.model_copy(update={"execution_time_ms": round(milliseconds, 3)}),
        evidence_ids=progress.evidence_ids if progress is not None else (),
    )


def failed(
    asked: Asked, error: Exception, progress: Progress | None, milliseconds: float
) -> AgentOutput:
    """The output of a run that failed outside of its agent: its trace, and what may be told."""
    output = ended_early(asked, "InterruptedError", progress, milliseconds)
    told = as_agent_error(error)
    decision = f"Failed: {told.message}"
    return output.model_copy(
        update={
            "error": told,
            "reasoning": output.reasoning.model_copy(update={"decision": decision}),
        }
    )


def _has_answer(action: Action) -> bool:
    output = action.output
    return output is not None and not (isinstance(output, dict) and "error" in output)


def carried_on(view: RunView, agent: str) -> tuple[Turn, ...]:
    """The conversation as the next run of it is told: what went before, and this exchange.

    Args:
        view: the run that it goes on from.
        agent: whose run the next is.

    Raises:
        InputError: the run goes on, or is another agent's.
    """
    run_id = view.asked.run_id
    if view.asked.agent != agent:
        raise InputError(
            f"The run {run_id} is of {view.asked.agent}: carry it on there, or leave out "
            "continue_run_id."
        )
    if view.status == "running":
        raise InputError(
            f"The run {run_id} still goes on: wait for it with get_agent_result, then carry it on."
        )
    output = view.output
    turn = Turn(question=view.asked.question)
    if output is not None:
        turn = Turn(
            question=view.asked.question,
            result=output.result or {},
            assumptions=output.reasoning.assumptions_made,
            evidence_ids=output.evidence_ids,
        )
    room = MOST_TURN_CHARACTERS - _size(turn)
    if room < 0:
        # What the answer is made of can be had again; what was said cannot.
        said = str(turn.result.get("answer", ""))[:_CARRIED_TEXT]
        return (turn.model_copy(update={"result": {"answer": said}}),)
    turns = [turn]
    for earlier in reversed(view.asked.turns[1 - MOST_TURNS :]):
        room -= _size(earlier)
        if room < 0:
            break
        turns.insert(0, earlier)
    return tuple(turns)


def _size(turn: Turn) -> int:
    return len(turn.model_dump_json())


Told = Callable[[RunView], Awaitable[None]]


@dataclass(slots=True, eq=False)
class Live:
    """A run that has not ended.

    Attributes:
        asked: what it is about.
        clock: seconds that only grow.
        began: when, by that clock.
        task: what works on it.
        progress: what it told last.
        ending: how it ends, while that is being kept: nothing can stop it any more.
        view: how it ended.
        stopped: whether its caller wants it to end.
        waiting: those who wait for news of it.
        beat: what gives signs of life of it.
    """

    asked: Asked
    clock: Callable[[], float]
    began: float
    task: asyncio.Task[None] | None = None
    progress: Progress | None = None
    ending: RunView | None = None
    view: RunView | None = None
    stopped: bool = False
    waiting: set[asyncio.Event] = field(default_factory=set[asyncio.Event])
    beat: asyncio.Task[None] | None = None

    @property
    def milliseconds(self) -> float:
        """How long it has gone on."""
        return (self.clock() - self.began) * 1000

    def tell(self, progress: Progress) -> None:
        """Take what it tells, and wake whoever waits."""
        self.progress = progress
        self.news()

    def news(self) -> None:
        """Wake whoever waits."""
        for one in self.waiting:
            one.set()

    @contextmanager
    def watched(self) -> Generator[asyncio.Event]:
        """An event that is set whenever there is something new."""
        event = asyncio.Event()
        self.waiting.add(event)
        try:
            yield event
        finally:
            self.waiting.discard(event)

    async def awaited(self, seconds: float, told: Told | None) -> None:
        """Wait for the end for so many seconds.

        Args:
            seconds: how long.
            told: is called with what is new.
        """
        with self.watched() as event, anyio.move_on_after(seconds):
            while self.view is None:
                event.clear()
                if told is not None:
                    await told(self.seen())
                if self.view is None:
                    await event.wait()

    def stop(self) -> None:
        """Have it end; one that is at its end already is left alone."""
        if self.ending is None and self.task is not None:
            self.stopped = True
            self.task.cancel()

    def seen(self) -> RunView:
        """The run as it stands."""
        if self.view is not None:
            return self.view
        progress = self.progress
        return RunView(
            self.asked,
            "running",
            doing=progress.doing if progress is not None else "begins",
            steps=progress.steps if progress is not None else (),
            seconds=self.clock() - self.began,
        )
