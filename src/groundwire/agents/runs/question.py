"""The questions that a server asks its agents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


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

    def fields(self) -> dict[str, Any]:
        """The input of the agent."""
        asked: dict[str, Any] = {"question": self.text, "context": dict(self.variables)}
        return asked | ({"reference_date": self.reference_date} if self.reference_date else {})
