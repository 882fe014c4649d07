"""The procedure of an agent of learning: which calls it makes, and what it tells of their answers.

Rules, guard and the check of changes follow from one procedure. The rules make its calls. The
guard counts the answers of these very calls, whoever made them, and composes the answer from them
alone; of a draft nothing is repeated unless the procedure words it itself. A call that changes
something is made only if it is one of the procedure's.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from pydantic import JsonValue

from groundwire.agents.learning_agents.task import Asked, Task, left_over, task_from
from groundwire.agents.runtime.actions import Toolbox
from groundwire.agents.runtime.contract import (
    AgentContext,
    AgentInput,
    Change,
    Evidence,
    ReasoningStep,
    ToolAnswer,
    Verdict,
)
from groundwire.agents.runtime.definition import Briefing
from groundwire.agents.runtime.hints import hints_of, merged
from groundwire.agents.runtime.model import (
    Message,
    ModelResponse,
    RulesModel,
    ToolSpec,
    answers_of,
    calling,
    saying,
    task_of,
)
from groundwire.agents.runtime.prompts import variables_of
from groundwire.safe_text import safe_name

Arguments = Mapping[str, JsonValue]
Call = tuple[str, Arguments]
Result = dict[str, JsonValue]

DONE = "The tools have answered."
NOT_ASKED = "Nobody asked for this change, so it was not made."
_MOST_CALLS = 12
_MOST_WORDS = 4
Row = dict[str, JsonValue]
UNRECOGNIZED = "unrecognized_param"


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers that count, in the order of the procedure."""

    all: tuple[ToolAnswer, ...] = ()

    def of(self, tool: str) -> list[ToolAnswer]:
        """The answers of a tool that were no refusals."""
        return [one for one in self.all if one.tool == tool and not one.is_error]

    def data(self, tool: str) -> Mapping[str, JsonValue]:
        """The first answer of a tool, or an empty one."""
        found = self.of(tool)
        return found[0].data if found else {}

    def refused(self) -> list[str]:
        """The refusals, in the tools' words."""
        return [one.refusal for one in self.all if one.is_error]


Plan = Callable[[Task, Answers], Sequence[Call]]
"""All calls of a task, as far as the answers so far let them be known."""
Tell = Callable[[Task, Answers], Result]
"""The result of a task, `answer` first."""
Permit = Callable[[Task, Arguments], str | None]
"""Why a model's own arguments of a tool are not sent, or None where they may be."""
Wording = Callable[[Task, Answers, str], Result | None]
"""The result in a model's words, or None where they do not hold."""


@dataclass(frozen=True, slots=True)
class Procedure:
    """The calls of an agent of learning, and the words for their answers.

    Attributes:
        plan: the calls of a task.
        tell: what is told of the answers.
        drafts: tools whose arguments a model may write itself, with what they must keep to.
        wording: whether a model's own words may be told, or None for never.
        named: whether the topic has to be a name that is known: one that was only guessed from the
            question, and that no tool knows, is let go.
    """

    plan: Plan
    tell: Tell
    drafts: Mapping[str, Permit] = field(default_factory=dict[str, Permit])
    wording: Wording | None = None
    named: bool = False

    @property
    def input_model(self) -> type[AgentInput]:
        """The input of the agent."""
        return Asked

    def rules(self) -> RulesModel:
        """Return the model that makes the calls, and needs no key."""
        return RulesModel(self._respond)

    def guard(self) -> ProcedureGuard:
        """Return what makes final answers."""
        return ProcedureGuard(self)

    def planned(self, task: Task, answers: Answers) -> Sequence[Call]:
        """Return the calls of a task, without its topic too where that was a wrong guess."""
        calls = list(self.plan(task, answers))
        if self._is_wrong_guess(task, answers):
            rest = Answers(tuple(one for one in answers.all if not _is_unread(one)))
            calls += self.plan(replace(task, topic=""), rest)
        return calls

    def told(self, task: Task, answers: Answers) -> Result:
        """Return the result of a task; of a topic that was a wrong guess it says so."""
        if not self._is_wrong_guess(task, answers):
            return _with_left_over(task, answers, self.tell(task, answers))
        rest = Answers(tuple(one for one in answers.all if not _is_unread(one)))
        if not rest.all:
            return self.tell(task, answers)
        result = self.tell(replace(task, topic=""), rest)
        said = task.say("let_go", name=safe_name(task.topic, 80))
        return result | {"answer": f"{said}\n{result['answer']}"}

    def _is_wrong_guess(self, task: Task, answers: Answers) -> bool:
        guessed = self.named and task.guessed and bool(task.topic)
        return guessed and any(_is_unread(one) for one in answers.all)

    async def brief(self, asked: AgentInput, context: AgentContext, toolbox: Toolbox) -> Briefing:
        """Tell a model the calls that the task begins with."""
        task = task_from(asked.question, variables_of(asked), context.turns)
        calls = [{"tool": tool, "arguments": dict(sent)} for tool, sent in self.planned(task, NONE)]
        return Briefing(values={"calls": calls})

    def allows(self, change: Change) -> str | None:
        """Return why a change is not made, or None where it is one of the procedure's calls."""
        task = task_from(change.question, change.variables, change.turns)
        found, _ = self.counted(task, change.answers)
        if any(_same(change.tool, change.arguments, call) for call in self.planned(task, found)):
            return None
        permit = self.drafts.get(change.tool)
        return NOT_ASKED if permit is None else permit(task, change.arguments)

    def counted(self, task: Task, answers: Sequence[ToolAnswer]) -> tuple[Answers, list[Call]]:
        """Return the answers of the procedure's calls, and the calls that were not made yet.

        Where a model may write the arguments of a tool, its own calls take the place of the
        procedure's.
        """
        left = list(answers)
        found: list[ToolAnswer] = []
        while True:
            missing: list[Call] = []
            taken: list[ToolAnswer] = []
            for call in self.planned(task, Answers(tuple(found)))[:_MOST_CALLS]:
                if any(_same(one.tool, one.arguments, call) for one in found):
                    continue
                own = self._answers_to(task, call, left)
                if own:
                    taken += own
                elif not any(one.tool == call[0] and call[0] in self.drafts for one in found):
                    missing.append(call)
            if not taken:
                return Answers(tuple(found)), missing
            found += taken
            left = [one for one in left if one not in taken]

    def _answers_to(self, task: Task, call: Call, left: Sequence[ToolAnswer]) -> list[ToolAnswer]:
        same = [one for one in left if _same(one.tool, one.arguments, call)]
        permit = self.drafts.get(call[0])
        if permit is not None:
            return same or [
                one
                for one in left
                if one.tool == call[0] and not one.is_error and permit(task, one.arguments) is None
            ]
        return same[-1:]

    def _respond(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> ModelResponse:
        """Make the calls that are still to be made, or end."""
        asked = task_of(messages)
        task = task_from(asked.text, asked.variables or {}, asked.turns)
        said = [
            ToolAnswer(one.tool, one.arguments, one.text, one.data, one.is_error)
            for one in answers_of(messages)
        ]
        _, missing = self.counted(task, said)
        offered = {tool.name for tool in tools}
        calls = [call for call in missing if call[0] in offered]
        if not calls:
            return saying(DONE)
        thought = "Ask what the task needs." if not said else "Go on with what was answered."
        return calling(*calls, thought=thought)


def _with_left_over(task: Task, answers: Answers, made: Result) -> Result:
    """Tell the words of a question that were of no use, before the answer."""
    # What tools hold and nothing asked for or told is of no use to the question.
    used = [one.arguments for one in answers.all if _has_found(one)]
    asked = json.dumps(used, ensure_ascii=False, default=str)
    words = left_over(task, f"{asked} {made.get('answer', '')}")
    if not words or task.turns or answers.refused():
        return made
    shown = ", ".join(f"“{safe_name(one, 40)}”" for one in words[:_MOST_WORDS])
    return made | {"answer": f"{task.say('left_over', words=shown)}\n{made['answer']}"}


NONE = Answers()


@dataclass(frozen=True, slots=True)
class ProcedureGuard:
    """Composes the answer from what the procedure's own calls were answered."""

    procedure: Procedure

    def final(
        self, answer: JsonValue, trace: Sequence[ReasoningStep], evidence: Evidence
    ) -> Verdict:
        """Compose the answer; a draft is told only where the procedure words it."""
        task = task_from(evidence.question, evidence.variables, evidence.turns)
        found, missing = self.procedure.counted(task, evidence.answers)
        result: Result = {"answer": task.say("nothing_asked")}
        if found.all:
            result = self.procedure.told(task, found)
        draft = answer if isinstance(answer, str) else ""
        if self.procedure.wording is not None and draft and draft != DONE and found.all:
            result = self.procedure.wording(task, found, draft) or result
        result["hints"] = merged([hints_of(one, open_world=False) for one in found.all]).dumped()
        if not missing:
            return Verdict(result)
        calls = "; ".join(f"{tool} {json.dumps(dict(sent))}" for tool, sent in missing)
        return Verdict(
            result | {"confidence": "low"},
            notes=("not everything that the task needs was looked up",),
            ask_again=f"Make these calls as they are: {calls}",
        )


def _is_unread(one: ToolAnswer) -> bool:
    """Whether a tool did not know a name that it was sent."""
    return one.is_error or one.data.get("status") == "unrecognized_param"


def _has_found(one: ToolAnswer) -> bool:
    """Whether an answer lists anything, where it is one that lists."""
    lists = [value for value in one.data.values() if isinstance(value, list)]
    return not lists or any(lists)


def _same(tool: str, sent: Arguments, call: Call) -> bool:
    """Whether a call is one of the procedure's; arguments that say nothing do not count."""
    return tool == call[0] and _said(sent) == _said(call[1])


def _said(sent: Arguments) -> dict[str, JsonValue]:
    return {name: one for name, one in sent.items() if one not in (None, "", [], {}, False)}


def rows(data: Mapping[str, JsonValue], name: str) -> list[Row]:
    """Return the objects of a list in an answer; no rows where it has no such list."""
    value = data.get(name)
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def text(row: Mapping[str, JsonValue], name: str) -> str:
    """Return a text of an object with single blanks, or ""."""
    value = row.get(name)
    return " ".join(value.split()) if isinstance(value, str) else ""


def picked(row: Mapping[str, JsonValue], *names: str) -> Row:
    """Return some fields of an object, of those that it has."""
    return {name: row[name] for name in names if row.get(name) is not None}


def sentences(task: Task, answers: Answers, *tools: str) -> list[str]:
    """Return the quotable sentences of some tools in the task's language, each once."""
    said = [text(one.data, "answer") for tool in tools for one in answers.of(tool)]
    return [task.worded(one) for one in dict.fromkeys(said) if one]


def about_all(task: Task) -> list[str]:
    """Return the sentence that an answer is about all cards; nothing where some are named."""
    return [] if task.deck or task.topic else [task.say("about_all")]


def joined(lines: Iterable[str]) -> str:
    """Join lines to one text, each once."""
    return "\n".join(dict.fromkeys(line for line in lines if line))


def result(task: Task, lines: Sequence[str], answers: Answers, **fields: object) -> Result:
    """Return a result with its answer, beside what tools refused or did not recognize.

    Args:
        task: what was asked.
        lines: of the answer.
        answers: what the tools answered.
        fields: the rest, as JSON; what is empty is left out.
    """
    refused = [task.worded(one) for one in answers.refused()]
    unread = [
        picked(one.data, "param", "raw", "candidates")
        for one in answers.all
        if one.data.get("status") == UNRECOGNIZED
    ]
    made: Result = {"answer": joined([*lines, *refused]) or task.say("nothing_held")}
    told = cast("Result", fields)
    made |= {name: value for name, value in told.items() if value not in (None, [], {}, "")}
    if refused:
        made |= {"refused": list(refused), "confidence": "low"}
    if unread:
        made |= {"unrecognized": list(unread), "confidence": "low"}
    return made
