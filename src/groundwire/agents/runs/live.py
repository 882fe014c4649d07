"""A run of this process while it goes on: what works on it, what it told, who waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field

import anyio

from groundwire.agents.runs.records import Asked, RunView
from groundwire.agents.runtime.progress import Progress

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
