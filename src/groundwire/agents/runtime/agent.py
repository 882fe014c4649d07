"""The one class of agents, and the factory that makes them by name with the caller's wishes.

Agents differ in definition, configuration and guard alone.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from pydantic import ValidationError

from groundwire.agents.folders import folders
from groundwire.agents.runtime.actions import Toolbox
from groundwire.agents.runtime.configuration import RULES, AgentConfig, LLMConfig
from groundwire.agents.runtime.contract import (
    RUNNING,
    AgentContext,
    AgentError,
    AgentInput,
    AgentOutput,
    Verdict,
)
from groundwire.agents.runtime.definition import AgentDefinition, Briefing, load_definition
from groundwire.agents.runtime.errors import ValidationFailure, as_agent_error, stack_of
from groundwire.agents.runtime.loop import execute_agent_loop
from groundwire.agents.runtime.model import Message, Model, RulesModel, TextPart
from groundwire.agents.runtime.observability import (
    AgentMetrics,
    RunLog,
    Spans,
    failed,
    measure,
    structured_logger,
)
from groundwire.agents.runtime.outcome import QUALITY_REACHED, outcome
from groundwire.agents.runtime.prompts import (
    PromptStore,
    format_input,
    format_tool_description,
    variables_of,
)
from groundwire.agents.runtime.registry import ToolRegistry
from groundwire.agents.runtime.requests import (
    Part,
    in_turn,
    joined,
    left_open,
    part_of,
)
from groundwire.agents.runtime.run import Clock, Equipment, Limits, Run
from groundwire.errors import ConfigurationError
from groundwire.evidence import Redactor, environment_secrets
from groundwire.language.requests import asked_of_each, requests_of
from groundwire.problems import phrase

if TYPE_CHECKING:
    from groundwire.evidence import Ledger


class Agent:
    """An agent that reasons, acts and observes; `execute` is all that a caller needs.

    Args:
        definition: name, version, prompt and input of the agent.
        config: its configuration, already checked.
        model: what thinks.
        tools: what it may call.
        prompts: where its prompt is.
        logger: its log becomes a child of this.
        metrics: sums over its runs.
        clock: where time comes from.
        ledger: where the answers of the tools are recorded; what a model says is held against it.
        redactor: hides credentials; default: those of this process.
    """

    def __init__(
        self,
        definition: AgentDefinition,
        config: AgentConfig,
        model: Model,
        tools: ToolRegistry,
        prompts: PromptStore,
        logger: logging.Logger,
        *,
        metrics: AgentMetrics | None = None,
        clock: Clock | None = None,
        ledger: Ledger | None = None,
        redactor: Redactor | None = None,
    ) -> None:
        self._definition = definition
        self._config = config
        self._model = model
        self._tools = tools
        self._prompts = prompts
        self._logger = logger.getChild(definition.name)
        self._metrics = metrics or AgentMetrics()
        self._clock = clock or Clock()
        self._ledger = ledger
        self._redactor = redactor or Redactor(environment_secrets(os.environ))

    async def execute(
        self, asked: AgentInput | Mapping[str, Any], context: AgentContext | None = None
    ) -> AgentOutput:
        """Do a task.

        Args:
            asked: the input, or its fields.
            context: for whom, under which ids, within which budget; absent ids are minted.

        Returns:
            The answer with its trace; a failure is an `error` in it, beside what was done before.
            Only a cancellation is raised.
        """
        context = context or AgentContext()
        private = self._config.tracing.private or context.metadata.get("private") is True
        log = RunLog(
            self._logger,
            self._definition.name,
            self._definition.version,
            context,
            private=private,
            redactor=self._redactor,
        )
        spans = Spans(
            self._definition.name,
            self._definition.version,
            self._model.name,
            context,
            self._config.tracing,
        )
        token = RUNNING.set(context)
        try:
            with spans.run() as span:
                run = self._begun(AgentInput.unread(), context, log, spans)
                verdict, error = await self._ended(run, asked)
                output = _without_secrets(outcome(run, verdict, error), self._redactor)
                if output.error is not None:
                    failed(span, output.error.code)
                elif output.metadata.fabrication_guard_triggered:
                    span.set_attribute("groundwire.fabrication_guard_triggered", True)
        except asyncio.CancelledError:
            log.event("agent_cancelled", level=logging.WARNING)
            raise
        finally:
            RUNNING.reset(token)
        self._metrics.record(output)
        measure(self._definition.name, self._model.name, output)
        self._tell_end(log, output)
        return output

    async def _ended(
        self, run: Run, asked: AgentInput | Mapping[str, Any]
    ) -> tuple[Verdict | None, AgentError | None]:
        """Everything that can fail, and how it failed."""
        try:
            run.asked = validated_input(self._definition.input_model, asked)
            run.with_ = self._equipped(run.asked, run.context, run.with_.log, run.with_.spans)
            run.with_.log.event("agent_started", texts={"question": run.asked.question})
            return await self._answered(run), None
        except Exception as error:
            told = as_agent_error(error)
            run.with_.log.event(
                "agent_error",
                step=len(run.steps),
                level=logging.ERROR if told.code == "InternalError" else logging.WARNING,
                code=told.code,
                error=type(error).__name__,
                stack=stack_of(error) if told.code == "InternalError" else None,
                texts={"message": told.message},
            )
            return None, told

    async def _answered(self, run: Run) -> Verdict:
        """Return the verdict on a question, or on its requests where it is not answered at once.

        Raises:
            ValidationFailure: nothing of the answer could be proven.
        """
        asked = run.asked
        verdict = await self._answered_at_once(run)
        splits = self._definition.splits_requests and isinstance(self._model, RulesModel)
        if not splits or verdict.is_whole:
            return verdict
        requests = requests_of(asked.question)
        if len(requests) < 2 and not verdict.is_answered:
            # The answer tells what is held of one request, and says that the other has no answer.
            requests = asked_of_each(asked.question)
        if len(requests) < 2:
            return verdict
        parts: list[Part] = []
        for request in left_open(verdict, requests):
            part = part_of(run, asked, request, parts)
            told = await self._answered_at_once(part)
            parts.append(Part(request, part, in_turn(told, request, parts, asked.question)))
        return joined(run, verdict, parts, requests)

    async def _answered_at_once(self, run: Run) -> Verdict:
        """The guard's verdict, or that of the briefing where it needs no model.

        Raises:
            ValidationFailure: nothing of the answer could be proven.
        """
        with run.with_.limits.within_time():
            await self._tools.open()
            run.specs = self._tools.specs(self._config.enabled_tools)
            briefing = await self._briefed(run)
        run.notes += briefing.notes
        if briefing.question:
            run.asked = run.asked.model_copy(update={"question": briefing.question})
        if briefing.verdict is None:
            run.system = self._system_prompt(run, briefing.values)
            run.messages = _opening(run, briefing.values)
            verdict = await execute_agent_loop(run)
        else:
            run.step("Answers without a model.")
            verdict = briefing.verdict
        run.fabrication |= verdict.fabrication
        run.notes += verdict.notes
        if verdict.result is None:
            raise ValidationFailure(
                "Nothing of the answer is proven by what the tools said, so it was withheld.",
                recoverable=True,
            )
        return verdict

    async def _briefed(self, run: Run) -> Briefing:
        if self._definition.briefing is None:
            return Briefing()
        return await self._definition.briefing(run.asked, run.context, Toolbox(run))

    def _begun(self, asked: AgentInput, context: AgentContext, log: RunLog, spans: Spans) -> Run:
        return Run(asked, context, self._equipped(asked, context, log, spans))

    def _equipped(
        self, asked: AgentInput, context: AgentContext, log: RunLog, spans: Spans
    ) -> Equipment:
        return Equipment(
            config=self._config,
            model=self._model,
            tools=self._tools,
            guard=self._definition.guard,
            allows=self._definition.allows,
            clock=self._clock,
            limits=Limits(self._config, context, asked.constraints, self._clock),
            log=log,
            spans=spans,
            version=self._definition.version,
            ledger=self._ledger,
        )

    def _system_prompt(self, run: Run, values: Mapping[str, Any]) -> str:
        """The system prompt: role, tools, form, examples, constraints, and the task."""
        definition, limits = self._definition, run.with_.limits
        native = self._model.native_tools
        return self._prompts.render(
            definition.prompt,
            self._config.prompts.system_prompt_version,
            {
                "role": definition.role,
                "capabilities": definition.capabilities,
                "tools": [
                    format_tool_description(
                        spec, definition.tool_examples.get(spec.name), brief=native
                    )
                    for spec in run.specs
                ],
                "native_tools": native,
                "few_shot": self._config.prompts.few_shot_examples,
                "limits": {
                    "max_iterations": self._config.behavior.max_iterations,
                    "max_time_s": f"{limits.max_time_ms / 1e3:g}",
                    "max_cost_usd": limits.max_cost_usd,
                },
                "today": run.today.isoformat(),
                "task": format_input(run.asked),
                "variables": variables_of(run.asked),
                **values,
            },
        )

    def _tell_end(self, log: RunLog, output: AgentOutput) -> None:
        taken = output.metadata
        log.event(
            "agent_finished",
            success=output.success,
            code=output.error.code if output.error else None,
            time_ms=taken.execution_time_ms,
            iterations=taken.iterations,
            tools_used=list(taken.tools_used),
            tokens=taken.token_usage.total_tokens,
            cost_usd=taken.estimated_cost_usd,
            confidence=output.reasoning.confidence,
            reaches_required_quality=(output.result or {}).get(QUALITY_REACHED),
            fabrication_guard_triggered=taken.fabrication_guard_triggered,
        )


_Input = TypeVar("_Input", bound=AgentInput)


def validated_input(model: type[_Input], sent: Mapping[str, Any] | AgentInput) -> _Input:
    """Return what was sent, as an agent's input.

    Raises:
        ValidationFailure: it is not valid; the message names the fields and what they must be.
    """
    if isinstance(sent, model):
        return sent
    if not isinstance(cast("object", sent), AgentInput | Mapping):
        raise ValidationFailure("The input must be an object with a `question`.", recoverable=True)
    tree = sent.model_dump() if isinstance(sent, AgentInput) else dict(sent)
    try:
        return model.model_validate(tree)
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False)
        told = "; ".join(
            f"`{'.'.join(map(str, one['loc'])) or 'input'}`: {phrase(one)}" for one in problems[:5]
        )
        raise ValidationFailure(f"The input cannot be used: {told}.", recoverable=True) from error


def _opening(run: Run, ready: Mapping[str, Any]) -> list[Message]:
    """The exchange before the first round: what was said before, and the task.

    What was made ready goes with the task's data, for models that are programs.
    """
    messages: list[Message] = []
    for turn in run.context.turns:
        said = turn.result.get("answer")
        answer = TextPart(said if isinstance(said, str) else "(no answer)", dict(turn.result))
        messages.append(Message("user", (TextPart(turn.question),)))
        messages.append(Message("assistant", (answer,)))
    data = run.asked.model_dump(mode="json", exclude_none=True)
    task = TextPart(format_input(run.asked), {**data, "ready": dict(ready)})
    messages.append(Message("user", (task,)))
    return messages


def _without_secrets(output: AgentOutput, redactor: Redactor) -> AgentOutput:
    """The output without values of credentials, wherever they came from."""
    told = output.model_dump_json().encode()
    clean = redactor.clean_facts(told)
    return output if clean == told else AgentOutput.model_validate_json(clean)


Choose = Callable[[LLMConfig, AgentDefinition], Model]
"""Makes the model of an agent by its configuration."""


def rules_only(llm: LLMConfig, definition: AgentDefinition) -> Model:
    """The agent's own rules; no other model.

    Raises:
        ConfigurationError: another model is configured, or the agent has no rules.
    """
    if llm.model != RULES:
        raise ConfigurationError(
            f"The model {llm.model!r} of {definition.name} needs a provider: set AI_PROVIDER."
        )
    if definition.rules is None:
        raise ConfigurationError(f"The agent {definition.name} has no rules: set AI_PROVIDER.")
    return definition.rules()


class AgentFactory:
    """Makes agents and injects what they work with.

    Args:
        tools: the registry of all tools.
        choose: makes models.
        prompts: the prompts; default: those in the agents' folders.
        logger: parent of the agents' logs; default: JSON on stderr.
        clock: where time comes from.
        definitions: definitions of agents that have no folder, by name.
        closing: gives back what the models hold open.
        ledger: where the servers of these tools record their answers; without one a model's own
            words can be proven by nothing but sentences of the tools.

    Attributes:
        redactor: hides the values of credentials of this process.
    """

    def __init__(
        self,
        tools: ToolRegistry,
        *,
        choose: Choose = rules_only,
        prompts: PromptStore | None = None,
        logger: logging.Logger | None = None,
        clock: Clock | None = None,
        definitions: dict[str, AgentDefinition] | None = None,
        closing: Callable[[], Awaitable[None]] | None = None,
        ledger: Ledger | None = None,
    ) -> None:
        self._tools = tools
        self._choose = choose
        self._prompts = prompts or PromptStore(folders())
        self._logger = logger or structured_logger()
        self._clock = clock or Clock()
        self._definitions = dict(definitions or {})
        self._metrics: dict[str, AgentMetrics] = {}
        self._closing = closing
        self._ledger = ledger
        self.redactor = Redactor(environment_secrets(os.environ))

    def create(self, name: str, **overrides: Any) -> Agent:
        """An agent, set up by its own defaults and what is named here.

        Args:
            name: the agent's.
            overrides: a partial configuration: `behavior={"max_iterations": 3}`.

        Raises:
            ConfigurationError: the agent is unknown, the configuration is not valid, or its
                model cannot be made.
        """
        definition = self.definition(name)
        config = definition.config.merged(overrides) if overrides else definition.config
        return Agent(
            definition,
            config,
            self._choose(config.llm, definition),
            self._tools,
            self._prompts,
            self._logger,
            metrics=self.metrics(name),
            clock=self._clock,
            ledger=self._ledger,
            redactor=self.redactor,
        )

    async def aclose(self) -> None:
        """Have the models give back what belongs to the running event loop."""
        if self._closing is not None:
            await self._closing()

    def definition(self, name: str) -> AgentDefinition:
        """The definition of an agent, read once."""
        if name not in self._definitions:
            self._definitions[name] = load_definition(name)
        return self._definitions[name]

    def metrics(self, name: str) -> AgentMetrics:
        """The metrics of all agents of this name that this factory has made."""
        return self._metrics.setdefault(name, AgentMetrics())
