"""Questions and results of the agents server's tools: all of the runtime that its start needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

RunStatus = Literal["running", "completed", "cancelled", "interrupted"]


class RunProgress(BaseModel):
    """How far a run is.

    Attributes:
        doing: what it does now, as in "it ...".
        steps: how many steps it has taken.
        tools_used: the tools that it called, each once.
        seconds: how long it has gone on.
    """

    model_config = ConfigDict(defer_build=True)

    doing: str
    steps: int
    tools_used: list[str]
    seconds: float


class TracePiece(BaseModel):
    """A part of a value that the first page has in short; `begin` counts from 0."""

    model_config = ConfigDict(defer_build=True)

    of: str
    text: str
    begin: int
    total: int


class AgentResult(BaseModel):
    """A run: its output, with the whole trace where that is asked for, or how far it is."""

    model_config = ConfigDict(defer_build=True)

    answer: str
    run_id: str
    agent: str
    status: RunStatus
    progress: RunProgress | None = None
    success: bool | None = None
    result: dict[str, Any] | None = None
    error: dict[str, Any] | None = None
    reasoning: dict[str, Any] | None = None
    metadata: dict[str, Any] | None = None
    evidence_ids: list[str] | None = None
    more: list[TracePiece] | None = None
    left_out: str | None = None
    next_offset: int | None = None
    next_cursor: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A question for an agent.

    Attributes:
        agent: its name.
        text: the question, in the user's own words.
        reference_date: what "today" is, ISO 8601; empty for the server's day.
        variables: what its prompt is told beside the question.
        context: ids and budget as the caller sent them, by the names of `AgentContext`; the others
            are minted.
        continue_run_id: a run whose conversation goes on; empty begins one.
        include_trace: whether the answer comes with its whole trace.
    """

    agent: str
    text: str
    reference_date: str = ""
    variables: Mapping[str, Any] = field(default_factory=dict[str, Any])
    context: Mapping[str, Any] = field(default_factory=dict[str, Any])
    continue_run_id: str = ""
    include_trace: bool = False
