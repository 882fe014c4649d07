"""Runs that outlive their call: handed out, told of, stopped, carried on, and kept."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from run_samples import answered, asked, progress, step

from groundwire.agents.runs import records, runs
from groundwire.agents.runs.records import Asked, RunView, carried_on
from groundwire.agents.runs.runs import Runs
from groundwire.agents.runs.store import RunStore
from groundwire.agents.runtime.contract import AgentOutput, Turn, tell
from groundwire.agents.runtime.errors import LLMFailure
from groundwire.errors import InputError, LimitError, NotFoundError
from groundwire.serving import current_owner

pytestmark = pytest.mark.anyio

LONG = 60.0
Opened = Callable[..., RunStore]


class Work:
    """A run that takes its steps when it is told to, and ends when it is told to."""

    def __init__(self, run_id: str = "run_1", steps: int = 2) -> None:
        self.run_id = run_id
        self.steps = steps
        self.begun = asyncio.Event()
        self.end = asyncio.Event()
        self.cancelled = False
        self.owner = ""

    async def __call__(self) -> AgentOutput:
        self.owner = current_owner()
        if self.steps:
            tell(progress(self.steps))
        self.begun.set()
        try:
            await self.end.wait()
        except asyncio.CancelledError:
            self.cancelled = True
            raise
        return answered(self.run_id)


async def at_once() -> AgentOutput:
    return answered()


async def handed_out(held: Runs, work: Work, owner: str = "ada") -> RunView:
    """A run that goes on after its call."""
    view = await held.ask(asked(work.run_id, owner), work, 0.0)
    await work.begun.wait()
    assert (view.status, view.output) == ("running", None)
    return view


async def test_a_quick_run_is_answered_by_its_call_and_kept(opened: Opened) -> None:
    held = Runs(opened())
    view = await held.ask(asked(), at_once, LONG)
    assert (view.status, view.output) == ("completed", answered())
    held.close()
    again = Runs(opened())
    assert await again.view("ada", "run_1") == view
    assert await again.wait("ada", "run_1", LONG) == view


async def test_a_long_run_gives_its_handle_then_progress_then_the_output(opened: Opened) -> None:
    held, work = Runs(opened()), Work()
    await handed_out(held, work)
    view = await held.wait("ada", "run_1", 0.0)
    assert (view.status, view.doing) == ("running", "calls find")
    assert view.steps == (step(1), step(2))
    work.end.set()
    view = await held.wait("ada", "run_1", LONG)
    assert (view.status, view.output) == ("completed", answered())
    assert (await held.view("ada", "run_1")).status == "completed"
    held.close()


async def test_whoever_waits_is_told_what_is_new(opened: Opened) -> None:
    held, work = Runs(opened()), Work(steps=0)
    seen: list[int] = []

    async def told(view: RunView) -> None:
        seen.append(len(view.steps))

    async def working() -> AgentOutput:
        for steps in (1, 2):
            tell(progress(steps))
            while not seen or seen[-1] < steps:
                await asyncio.sleep(0)
        return answered()

    view = await held.ask(asked(), working, LONG, told)
    assert view.status == "completed"
    assert seen[-1] == 2 and seen == sorted(seen)
    assert not work.begun.is_set()
    held.close()


async def test_a_run_is_its_owners_and_so_is_what_it_calls(opened: Opened) -> None:
    held, work = Runs(opened()), Work()
    await handed_out(held, work)
    assert (work.owner, current_owner()) == ("ada", "local")
    for call in (held.view("bob", "run_1"), held.wait("bob", "run_1", 0), held.cancel("bob", "x")):
        with pytest.raises(NotFoundError, match="unknown or has expired"):
            await call
    work.end.set()
    await held.wait("ada", "run_1", LONG)
    with pytest.raises(NotFoundError):
        await held.view("bob", "run_1")
    held.close()


async def test_a_cancelled_run_ends_and_keeps_its_trace(opened: Opened) -> None:
    held, work = Runs(opened()), Work()
    await handed_out(held, work)
    view, by_this = await held.cancel("ada", "run_1")
    assert (view.status, by_this, work.cancelled) == ("cancelled", True, True)
    assert view.output is not None and view.output.error is not None
    assert (view.output.success, view.output.error.code) == (False, "CancelledError")
    assert view.output.reasoning.steps == (step(1), step(2))
    assert view.output.metadata.iterations == 2
    assert view.output.evidence_ids == ("ev_1", "ev_2")
    held.close()
    again = Runs(opened())
    assert await again.view("ada", "run_1") == view
    assert await again.cancel("ada", "run_1") == (view, False)


async def test_a_run_that_does_not_stop_is_cancelled_nonetheless(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "GRACE_S", 0.01)
    held, begun, end = Runs(opened()), asyncio.Event(), asyncio.Event()

    async def stubborn() -> AgentOutput:
        begun.set()
        while not end.is_set():
            try:
                await end.wait()
            except asyncio.CancelledError:
                continue
        return answered()

    await held.ask(asked(), stubborn, 0.0)
    await begun.wait()
    view, by_this = await held.cancel("ada", "run_1")
    assert (view.status, by_this) == ("cancelled", True)
    end.set()
    await asyncio.sleep(0.01)
    assert (await held.view("ada", "run_1")).status == "cancelled"
    held.close()


async def test_a_run_that_was_cancelled_too_late_keeps_its_answer(opened: Opened) -> None:
    held = Runs(opened())

    async def unmoved() -> AgentOutput:
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        return answered()

    await held.ask(asked(), unmoved, 0.05)
    view, by_this = await held.cancel("ada", "run_1")
    assert (view.status, view.output, by_this) == ("completed", answered(), False)
    held.close()


async def test_a_caller_who_leaves_without_the_handle_stops_the_run(opened: Opened) -> None:
    held, work = Runs(opened()), Work()
    call = asyncio.create_task(held.ask(asked(), work, LONG))
    await work.begun.wait()
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    view = await held.wait("ada", "run_1", LONG)
    assert (view.status, work.cancelled) == ("cancelled", True)
    held.close()


async def test_a_caller_who_stops_waiting_with_the_handle_leaves_the_run_alone(
    opened: Opened,
) -> None:
    held, work = Runs(opened()), Work()
    await handed_out(held, work)
    with anyio.move_on_after(0.01):
        await held.wait("ada", "run_1", LONG)
    assert (await held.view("ada", "run_1")).status == "running"
    work.end.set()
    assert (await held.wait("ada", "run_1", LONG)).status == "completed"
    held.close()


async def test_closing_ends_every_run_and_says_so(opened: Opened) -> None:
    held, work = Runs(opened()), Work()
    await handed_out(held, work)
    held.close()
    view = await Runs(opened()).view("ada", "run_1")
    assert view.status == "interrupted"
    assert view.output is not None and view.output.error is not None
    assert view.output.error.code == "InterruptedError"
    assert view.output.reasoning.steps == (step(1), step(2))
    while not work.cancelled:
        await asyncio.sleep(0)
    held.close()


def test_a_run_ends_with_its_event_loop(opened: Opened) -> None:
    held = Runs(opened())

    async def left() -> None:
        await handed_out(held, Work())

    asyncio.run(left())
    held.close()

    async def later() -> RunView:
        return await Runs(opened()).view("ada", "run_1")

    assert asyncio.run(later()).status == "interrupted"


async def test_a_run_that_fails_inside_is_a_failure_without_its_text(
    opened: Opened, agent_logs: pytest.LogCaptureFixture
) -> None:
    async def failing() -> AgentOutput:
        tell(progress(1))
        raise RuntimeError("key=hunter2")

    async def refused() -> AgentOutput:
        raise LLMFailure("The model is away.")

    held = Runs(opened())
    view = await held.ask(asked(), failing, LONG)
    assert view.output is not None and view.output.error is not None
    assert (view.status, view.output.error.code) == ("completed", "InternalError")
    assert "hunter2" not in view.output.model_dump_json()
    assert view.output.reasoning.steps == (step(1),)
    view = await held.ask(asked("run_2"), refused, LONG)
    assert view.output is not None and view.output.error is not None
    assert view.output.error.message == "The model is away."
    assert "run run_1 of find_agent failed" in agent_logs.text
    held.close()


async def test_runs_of_one_owner_under_way_are_limited(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "MOST_UNDER_WAY", 2)
    held = Runs(opened())
    first, second = Work("run_1"), Work("run_2")
    await handed_out(held, first)
    await handed_out(held, second)
    with pytest.raises(LimitError, match="cancel_agent_run"):
        await held.ask(asked("run_3"), at_once, LONG)
    assert (await held.ask(asked("run_4", "bob"), at_once, LONG)).status == "completed"
    monkeypatch.setattr(runs, "MOST_OF_ALL", 2)
    with pytest.raises(LimitError, match="Too many"):
        await held.ask(asked("run_5", "bob"), at_once, LONG)
    first.end.set()
    await held.wait("ada", "run_1", LONG)
    assert (await held.ask(asked("run_6"), at_once, LONG)).status == "completed"
    held.close()


async def test_a_result_that_cannot_be_written_is_there_as_long_as_the_process(
    tmp_path: Path, agent_logs: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home").write_text("a file where the folder should be")
    held = Runs(RunStore(tmp_path / "home" / "runs.sqlite"))
    work = Work()
    await handed_out(held, work)
    work.end.set()
    await held.wait("ada", "run_1", LONG)
    assert (await held.view("ada", "run_1")).output == answered()
    assert "kept in memory" in agent_logs.text
    monkeypatch.setattr(runs, "_MOST_UNSAVED", 1)
    await held.ask(asked("run_2"), at_once, LONG)
    assert (await held.view("ada", "run_2")).status == "completed"
    held.close()


async def test_a_run_that_goes_on_gives_signs_of_life(opened: Opened, clock: Any) -> None:
    held, work = Runs(opened("elsewhere|7|a"), beat=0.01), Work()
    await handed_out(held, work)
    other = Runs(opened("here|7|b"))
    before = (await other.view("ada", "run_1")).seconds
    clock.on(seconds=1_000)
    while (await other.view("ada", "run_1")).status != "running":
        await asyncio.sleep(0.01)
    view = await other.view("ada", "run_1")
    assert view.steps == (step(1), step(2)) and before >= 0
    work.end.set()
    await held.wait("ada", "run_1", LONG)
    assert (await other.view("ada", "run_1")).output == answered()
    held.close()


async def test_another_process_stops_a_run_at_its_next_step(opened: Opened) -> None:
    held, other = Runs(opened("elsewhere|7|a"), look=LONG), Runs(opened("here|7|b"), look=0.01)
    begun, steps = asyncio.Event(), asyncio.Event()

    async def stepping() -> AgentOutput:
        tell(progress(1))
        begun.set()
        await steps.wait()
        tell(progress(2))
        await asyncio.Event().wait()
        return answered()

    await held.ask(asked(), stepping, 0.0)
    await begun.wait()
    stopping = asyncio.create_task(other.cancel("ada", "run_1"))
    while "is to end" not in (await other.view("ada", "run_1")).doing:
        await asyncio.sleep(0)
    assert (await held.view("ada", "run_1")).status == "running"
    steps.set()
    view, by_this = await stopping
    assert (view.status, by_this) == ("cancelled", True)
    assert view.output is not None and view.output.error is not None
    assert view.output.error.code == "CancelledError"
    assert view.output.reasoning.steps == (step(1), step(2))
    assert view.output.result == {"answer": "Before it ended, find had answered.", "partial": True}
    assert (await held.view("ada", "run_1")).output == view.output
    held.close()


async def test_another_process_stops_a_run_that_takes_no_step(opened: Opened) -> None:
    held, other = Runs(opened("elsewhere|7|a"), look=0.01), Runs(opened("here|7|b"), look=0.01)
    work = Work(steps=0)
    await handed_out(held, work)
    view, by_this = await other.cancel("ada", "run_1")
    assert (view.status, by_this, work.cancelled) == ("cancelled", True, True)
    assert view.output is not None and view.output.result is None
    assert await other.cancel("ada", "run_1") == (view, False)
    held.close()


async def test_a_sign_of_life_tells_that_a_run_is_to_end(opened: Opened) -> None:
    store = opened("elsewhere|7|a")
    held, work = Runs(store, beat=0.01, look=LONG), Work()
    await handed_out(held, work)
    opened("here|7|b").stop("ada", "run_1")
    assert (await held.wait("ada", "run_1", LONG)).status == "cancelled"
    held.close()


async def test_a_run_that_another_process_does_not_end_in_time_is_said_to_go_on(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "GRACE_S", 0.01)
    held, other = Runs(opened("elsewhere|7|a"), look=LONG), Runs(opened("here|7|b"), look=0.01)
    work = Work()
    await handed_out(held, work)
    view, by_this = await other.cancel("ada", "run_1")
    assert (view.status, view.doing, by_this) == ("running", "is to end in another process", False)
    held.close()


async def test_a_run_of_another_process_can_be_waited_for(opened: Opened) -> None:
    held, other = Runs(opened("elsewhere|7|a"), look=LONG), Runs(opened("here|7|b"), look=0.01)
    work = Work()
    await handed_out(held, work)
    told: list[str] = []

    async def tells(view: RunView) -> None:
        told.append(view.doing)
        work.end.set()

    assert (await other.wait("ada", "run_1", LONG, tells)).output == answered()
    assert set(told) == {"works in another process"}
    assert (await other.wait("ada", "run_1", 0.0)).status == "completed"
    held.close()


async def test_a_conversation_is_carried_on_by_the_handle(opened: Opened) -> None:
    held = Runs(opened())
    await held.ask(asked(), at_once, LONG)
    held.close()
    again = Runs(opened())
    turns = await again.conversation("ada", "find_agent", "run_1")
    assert turns == (
        Turn(
            question="What is it?",
            result={"answer": "It is 7."},
            assumptions=("it is it",),
            evidence_ids=("ev_1",),
        ),
    )
    second = Asked("run_2", "ada", "find_agent", "And there?", turns)
    await again.ask(second, lambda: answer("run_2"), LONG)
    third = await again.conversation("ada", "find_agent", "run_2")
    assert [turn.question for turn in third] == ["What is it?", "And there?"]
    with pytest.raises(InputError, match="find_agent"):
        await again.conversation("ada", "other_agent", "run_1")
    with pytest.raises(NotFoundError):
        await again.conversation("bob", "find_agent", "run_1")
    again.close()


def answer(run_id: str) -> Awaitable[AgentOutput]:
    async def made() -> AgentOutput:
        return answered(run_id)

    return made()


async def test_a_conversation_waits_for_the_run_that_it_carries_on(opened: Opened) -> None:
    held, work = Runs(opened()), Work()
    await handed_out(held, work)
    with pytest.raises(InputError, match="still goes on"):
        await held.conversation("ada", "find_agent", "run_1")
    held.close()


def test_of_a_long_conversation_the_oldest_exchanges_go(monkeypatch: pytest.MonkeyPatch) -> None:
    turns: tuple[Turn, ...] = ()
    for number in range(20):
        view = RunView(
            Asked("run_1", "ada", "find_agent", f"q{number}", turns), "completed", answered()
        )
        turns = carried_on(view, "find_agent")
    asked_before = [turn.question for turn in turns]
    assert asked_before == [f"q{number}" for number in range(12, 20)]
    monkeypatch.setattr(records, "MOST_TURN_CHARACTERS", 500)
    last = Asked("run_1", "ada", "find_agent", "q", turns)
    long = answered(answer="a" * 5_000, rows=["r"] * 500)
    (only,) = carried_on(RunView(last, "completed", long), "find_agent")
    assert only.result == {"answer": "a" * 4_000}
    few = carried_on(RunView(last, "completed", answered()), "find_agent")
    assert 1 < len(few) < 8 and few[-1].question == "q"
