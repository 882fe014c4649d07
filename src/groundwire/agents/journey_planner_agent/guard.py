"""The guard: the output of the tools is the answer; only the router interprets it.

A prompt in plain words that the planner's own rules read may hold more than its calls could say:
that is told beside the output, since nobody above the planner knows it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pydantic import JsonValue

from groundwire.agents.journey_planner_agent.rules import calls_of
from groundwire.agents.journey_requests.model import JourneyRequest
from groundwire.agents.journey_requests.outputs import OutputGuard
from groundwire.agents.journey_requests.prompts import sentence_of, values_of
from groundwire.agents.journey_requests.reading import read_request
from groundwire.agents.runtime.guards import Evidence, Verdict
from groundwire.agents.runtime.output import ReasoningStep


def build_guard() -> PlannerGuard:
    """The guard of this agent."""
    return PlannerGuard()


class PlannerGuard:
    """The output of the tools, and what of the prompt is not in it."""

    def final(
        self, answer: JsonValue, trace: Sequence[ReasoningStep], evidence: Evidence
    ) -> Verdict:
        """As `OutputGuard`, with `notes` and `not_counted` beside the outputs."""
        verdict = OutputGuard().final(answer, trace, evidence)
        if verdict.result is None or values_of(evidence.question) or not _by_rules(evidence):
            return verdict
        request = read_request(sentence_of(evidence.question))
        dropped = _not_counted(request)
        beside: dict[str, JsonValue] = {}
        if request.notes:
            beside["notes"] = list(request.notes)
        if dropped:
            beside["not_counted"] = list(dropped)
        if not beside:
            return verdict
        told = [str(verdict.result["answer"]), *request.notes]
        if dropped:
            told.append(f"Not taken into account: {', '.join(f'“{one}”' for one in dropped)}.")
        result: Mapping[str, JsonValue] = {**verdict.result, "answer": "\n".join(told), **beside}
        return replace(verdict, result=result)


def _by_rules(evidence: Evidence) -> bool:
    """Whether the calls are those of the rules; a model may have read more of the prompt."""
    sent = [(one.tool, dict(one.arguments)) for one in evidence.answers]
    return bool(sent) and all(call in calls_of(evidence.question, {}) for call in sent)


def _not_counted(request: JourneyRequest) -> tuple[str, ...]:
    """Words that no call took in, and stays, which one call for all trips cannot hold."""
    stays = [f"a stay of {trip.stay} minutes" for trip in request.trips if trip.stay]
    return (*request.unread, *stays)
