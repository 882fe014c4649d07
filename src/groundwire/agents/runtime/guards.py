"""Guards, which decide in code, not by a prompt, what the final answer of an agent is made of."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Protocol

from pydantic import JsonValue

from groundwire.agents.runtime.context import Turn
from groundwire.agents.runtime.output import ReasoningStep

# Statuses of a result that answers what was asked.
_ANSWERED = ("found", "results", "answered")
# Status of a result that refuses the whole question for something that it names.
_OUT_OF_SCOPE = "out_of_scope_entity"


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """One answered call of a tool.

    Attributes:
        tool: its name.
        arguments: what was sent.
        text: the answer as text, whole.
        data: the structured answer; empty where a tool has none.
        is_error: whether the tool refused or failed; then `text` is its line.
        evidence_id: the record that proves it, or None.
        seconds: how long it took.
    """

    tool: str
    arguments: Mapping[str, JsonValue]
    text: str
    data: Mapping[str, JsonValue]
    is_error: bool = False
    evidence_id: str | None = None
    seconds: float = 0.0

    @property
    def refusal(self) -> str:
        """A refusal as a sentence, without the code of its error."""
        error = self.data.get("error")
        message = error.get("message") if isinstance(error, dict) else None
        return message if isinstance(message, str) else self.text


@dataclass(frozen=True, slots=True)
class Evidence:
    """The answers of a run's tools, in the order of the calls.

    Attributes:
        answers: every answer, refusals among them.
        ids: evidence ids, each once, first use first.
        question: what the run was asked, in the user's own words.
        turns: what was said before, oldest first.
        variables: values that came with the question.
        reference_date: what "today" is for the question, or None for the server's day.
    """

    answers: tuple[ToolAnswer, ...] = ()
    ids: tuple[str, ...] = ()
    question: str = ""
    turns: tuple[Turn, ...] = ()
    variables: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    reference_date: date | None = None

    def of(self, *tools: str) -> tuple[ToolAnswer, ...]:
        """The successful answers of some tools."""
        return tuple(one for one in self.answers if one.tool in tools and not one.is_error)


@dataclass(frozen=True, slots=True)
class Verdict:
    """A guard's decision on a draft.

    Attributes:
        result: what is answered, `answer` first; None if nothing of the draft can be.
        fabrication: whether the draft stated what no tool had answered.
        notes: assumptions and caveats for the trace.
        ask_again: what to tell the model so that it drafts once more, or empty to end here.
        leaves: the requests of the question that it does not answer.
    """

    result: Mapping[str, JsonValue] | None
    fabrication: bool = False
    notes: tuple[str, ...] = ()
    ask_again: str = ""
    leaves: tuple[str, ...] = ()

    @property
    def is_answered(self) -> bool:
        """Whether it answers what was asked, leaves no part of it open and asks nothing."""
        result = self.result or {}
        status = result.get("status")
        return (
            # That no asset matches is an answer, that no passage does is none.
            (status in _ANSWERED or (status == "empty" and "assets" in result))
            and not result.get("gaps")
            and not result.get("pending")
            and result.get("confidence") != "low"
        )

    @property
    def is_whole(self) -> bool:
        """Whether it answers every request of the question, or refuses the question as a whole."""
        if (self.result or {}).get("status") == _OUT_OF_SCOPE:
            return True
        return self.is_answered and not self.leaves


class Guard(Protocol):
    """Makes the result of a run from a draft and what the tools answered."""

    def final(
        self, answer: JsonValue, trace: Sequence[ReasoningStep], evidence: Evidence
    ) -> Verdict | Awaitable[Verdict]:
        """Judge a final answer.

        Args:
            answer: what the model said: a text, or an object if it wrote one.
            trace: the steps up to here.
            evidence: what the tools answered.
        """
        ...


NOT_ALLOWED = "This agent changes nothing, so the call was not made."


@dataclass(frozen=True, slots=True)
class Change:
    """A call that would change something, before it is made.

    Attributes:
        question: what the run was asked, in the user's own words.
        turns: what was said before, oldest first.
        tool: the tool that is to be called.
        arguments: what is to be sent.
        variables: values that came with the question.
        answers: what the tools of this run have answered, refusals among them.
    """

    question: str
    turns: Sequence[Turn]
    tool: str
    arguments: Mapping[str, JsonValue]
    variables: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    answers: Sequence[ToolAnswer] = ()


Allows = Callable[[Change], str | None]
"""None where the change was asked for, else the sentence that tells why the call is not made."""


def nothing_allowed(change: Change) -> str:
    """The check of an agent that brings none."""
    return NOT_ALLOWED
