"""How far a run is, told to whoever watches it: a caller who waits, or the store of runs.

The watcher is found by the run's own context, so that neither `Agent.execute` nor what lies between
takes it as an argument.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from groundwire.agents.runtime.output import AgentExecutionMetadata, ReasoningStep


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a run: what it has done so far, and what it does now.

    Attributes:
        doing: what it does now, as in "it ...": `thinks`, `calls submit_slots`.
        steps: the trace so far.
        metadata: what it took so far.
        evidence_ids: what proves it so far.
    """

    doing: str
    steps: tuple[ReasoningStep, ...]
    metadata: AgentExecutionMetadata
    evidence_ids: tuple[str, ...] = ()


Watcher = Callable[[Progress], None]
_watcher: ContextVar[Watcher | None] = ContextVar("agent_run_watcher", default=None)


@contextmanager
def watched(by: Watcher) -> Generator[None]:
    """Tell the progress of what runs inside to `by`; a run inside of that run tells nothing."""
    token = _watcher.set(by)
    try:
        yield
    finally:
        _watcher.reset(token)


def is_watched() -> bool:
    """Whether anyone wants to know, so that progress need be put together."""
    return _watcher.get() is not None


def tell(progress: Progress) -> None:
    """Tell how far the run is; nothing happens where nobody watches."""
    watcher = _watcher.get()
    if watcher is not None:
        watcher(progress)
