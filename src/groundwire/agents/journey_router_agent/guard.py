"""The router's guard: its answer is made of what the agents below it returned, and of nothing else.

No sentence of a model passes, however true it sounds: the answer is composed in code from the
outputs that the request asks for, which is also what the rules say.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import JsonValue

from groundwire.agents.journey_requests.outputs import outputs_of, texts
from groundwire.agents.journey_router_agent.telling import told
from groundwire.agents.runtime.contract import Evidence, ReasoningStep, Verdict
from groundwire.agents.runtime.model import Answered, Task


def build_guard() -> JourneyGuard:
    """The guard of the router."""
    return JourneyGuard()


class JourneyGuard:
    """Answers with what code makes of the outputs; the draft changes nothing of it."""

    def final(
        self, answer: JsonValue, trace: Sequence[ReasoningStep], evidence: Evidence
    ) -> Verdict:
        """Judge a draft."""
        task = Task(evidence.question, evidence.reference_date, turns=evidence.turns)
        answers = [
            Answered(one.tool, one.arguments, one.data, one.text, one.is_error)
            for one in evidence.answers
        ]
        return Verdict(told(task, answers), notes=_assumed(answers))


def _assumed(answers: Sequence[Answered]) -> tuple[str, ...]:
    """Return what the planner took for granted."""
    outputs = [output for one in answers for output in outputs_of(one.data)]
    return tuple(dict.fromkeys(line for output in outputs for line in texts(output, "assumptions")))
