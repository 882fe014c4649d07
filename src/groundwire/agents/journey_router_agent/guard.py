"""The router's guard: what it says of journeys stands in what the agents below it returned.

A draft passes if all of its figures, times, paths and names were answered. Any other one is
replaced by the sentences that the answers themselves make, which is also what the rules say.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import JsonValue

from groundwire.agents.journey_requests.driving import Answered, Task
from groundwire.agents.journey_requests.outputs import outputs_of, texts
from groundwire.agents.journey_router_agent.proof import invented
from groundwire.agents.journey_router_agent.telling import told
from groundwire.agents.runtime.guards import Evidence, Verdict
from groundwire.agents.runtime.output import ReasoningStep


def build_guard() -> JourneyGuard:
    """The guard of the router."""
    return JourneyGuard()


class JourneyGuard:
    """Lets a draft pass only if nothing in it was made up."""

    def final(
        self, answer: JsonValue, trace: Sequence[ReasoningStep], evidence: Evidence
    ) -> Verdict:
        """Judge a draft."""
        task = Task(evidence.question, turns=evidence.turns)
        answers = [
            Answered(one.tool, one.arguments, one.data, one.text, one.is_error)
            for one in evidence.answers
        ]
        result = told(task, answers)
        draft = answer.get("answer") if isinstance(answer, dict) else answer
        if not isinstance(draft, str) or not draft.strip() or draft.strip() == result["answer"]:
            return Verdict(result, notes=_assumed(answers))
        wrong = invented(draft, task, answers, str(result["answer"]))
        if not wrong:
            return Verdict({**result, "answer": draft.strip()}, notes=_assumed(answers))
        named = ", ".join(wrong[:3])
        note = f"the draft stated what no agent had answered ({named}) and was replaced"
        return Verdict(result, fabrication=True, notes=(*_assumed(answers), note))


def _assumed(answers: Sequence[Answered]) -> tuple[str, ...]:
    """What the planner took for granted."""
    outputs = [output for one in answers for output in outputs_of(one.data)]
    return tuple(dict.fromkeys(line for output in outputs for line in texts(output, "assumptions")))
