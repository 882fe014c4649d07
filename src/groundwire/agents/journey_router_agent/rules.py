"""The router's rules, briefing and guard: the parts of a request go to the agents below one by one.

No sentence of a model passes the guard, however true it sounds: the answer is composed in code from
the outputs that the request asks for, which is also what the rules say.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import JsonValue

from groundwire.agents.journey_requests.asides import read_artefacts
from groundwire.agents.journey_requests.model import ArtefactKind, Artefacts
from groundwire.agents.journey_requests.subagents import (
    ASK,
    NOTHING_CHANGED,
    SET,
    exceeding,
    outputs_of,
    sentence_of,
    settings_arguments,
    settings_call,
    texts,
    values_of,
)
from groundwire.agents.journey_router_agent.conversation import understood
from groundwire.agents.journey_router_agent.route import ARTEFACTS, PLANNER, PREFERENCES, next_calls
from groundwire.agents.journey_router_agent.telling import told
from groundwire.agents.runtime.actions import Toolbox
from groundwire.agents.runtime.contract import (
    AgentContext,
    AgentInput,
    Change,
    Evidence,
    ReasoningStep,
    Verdict,
)
from groundwire.agents.runtime.definition import Brief, Briefing
from groundwire.agents.runtime.model import (
    Answered,
    Message,
    ModelResponse,
    RulesModel,
    Task,
    ToolSpec,
    answers_of,
    calling,
    saying,
    task_of,
)

_THOUGHTS = {
    PREFERENCES: "The request says something to keep, forget or tell.",
    PLANNER: "The next part of the request is for the planner.",
    ARTEFACTS: "The journeys are planned; now what is to be made of them.",
}
_NO_FILES = "The user did not ask for {}, so none was made."


def build_rules() -> RulesModel:
    """The model that routes without a key."""
    return RulesModel(answer)


def answer(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> ModelResponse:
    """The next calls, or the answer made of what came back."""
    task, answers = task_of(messages), answers_of(messages)
    offered = {tool.name for tool in tools}
    calls = [call for call in next_calls(task, answers) if call[0] in offered]
    if calls:
        return calling(*calls, thought=_THOUGHTS[calls[0][0]])
    return saying(str(told(task, answers)["answer"]))


def build_briefing() -> Brief:
    """Return what makes a question ready."""
    return brief


async def brief(asked: AgentInput, context: AgentContext, tools: Toolbox) -> Briefing:
    """Return the question with the names that the tools know in marks."""
    del context
    return Briefing(question=await tools.with_marked_names(asked.question))


def allows(change: Change) -> str | None:
    """Allow settings and files that the request itself asks for; planning is always allowed."""
    prompt = str(change.arguments.get("input_prompt", ""))
    asked = understood(Task(change.question, turns=tuple(change.turns)))
    if change.tool == PREFERENCES:
        tool, sent = settings_call(prompt)
        wanted = settings_arguments(asked.request.settings)
        beyond = exceeding(sent, wanted) if tool == SET else ()
        return f"{NOTHING_CHANGED.format(', '.join(beyond))} {ASK}" if beyond else None
    if change.tool == ARTEFACTS:
        kinds = (asked.request.artefacts or Artefacts(())).kinds
        beyond = [kind for kind in _kinds(prompt) if kind not in (*kinds, "text")]
        return _NO_FILES.format(" and ".join(beyond)) if beyond else None
    return None


def _kinds(prompt: str) -> tuple[ArtefactKind, ...]:
    """Return the kinds of artefacts that a prompt asks for, by its values and by its words."""
    listed = values_of(prompt).get("kinds")
    sent = {str(one) for one in listed} if isinstance(listed, list) else set[str]()
    said = read_artefacts(sentence_of(prompt)).artefacts or Artefacts(())
    kinds: tuple[ArtefactKind, ...] = ("map", "calendar", "text")
    return tuple(kind for kind in kinds if kind in sent or kind in said.kinds)


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
