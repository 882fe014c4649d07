"""Observability of runs while and after they happen: structured logs, metrics and spans.

Logs are lines of JSON on stderr. They name the agent, its version, the user, the ids and the step.
Texts of the user and the model (thoughts, arguments, observations) are in them where they are asked
for, and never where privacy is configured.

Spans have the names of OpenTelemetry's semantic conventions for generative AI. A run is
`invoke_agent`, a model call in it `chat`, a tool call `execute_tool`; the server's own span of the
call is below that. No span holds a text of the user's or the model's. The API that the SDK of MCP
brings is used; without an exporter it does nothing.

OpenTelemetry metrics of runs, by the names of the semantic conventions for generative AI. Tokens
and the time of a run have names there (`gen_ai.client.token.usage`,
`gen_ai.client.operation.duration`); the others are the project's own. They are made only where the
SDK is installed, since nothing else could export them.
"""

from __future__ import annotations

import json
import logging
import secrets
import sys
import threading
from collections import Counter
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, cast

from groundwire.agents.runtime.configuration import TracingConfig
from groundwire.agents.runtime.contract import AgentContext, AgentOutput, iso
from groundwire.agents.runtime.errors import AgentFailure
from groundwire.agents.runtime.model import ModelResponse
from groundwire.evidence import Redactor

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.metrics import Counter as RunCounter
    from opentelemetry.metrics import Histogram
    from opentelemetry.trace import Span, SpanKind


ROOT = "groundwire.agents"
_FIELDS, _TEXTS = "groundwire_fields", "groundwire_texts"
_LONGEST_TEXT = 2_000


class JsonLines(logging.Formatter):
    """A record as one line of JSON.

    Args:
        texts: whether it holds words of the user and the model.
    """

    def __init__(self, texts: bool = False) -> None:
        super().__init__()
        self.texts = texts

    def format(self, record: logging.LogRecord) -> str:
        """The line: time, level, logger, event, and the fields of the event."""
        line: dict[str, Any] = {
            "time": iso(datetime.fromtimestamp(record.created, UTC)),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
            **cast("dict[str, Any]", getattr(record, _FIELDS, {})),
            **(cast("dict[str, Any]", getattr(record, _TEXTS, {})) if self.texts else {}),
        }
        return json.dumps(line, ensure_ascii=False, separators=(",", ":"), default=str)


def structured_logger(level: int | str = logging.INFO, *, texts: bool = False) -> logging.Logger:
    """The logger that agents are given unless whoever embeds them has one: JSON on stderr.

    Args:
        level: the least severe lines.
        texts: whether they hold words of the user and the model.
    """
    logger = logging.getLogger(ROOT)
    if not logger.handlers:
        logger.addHandler(_Stderr())
        logger.propagate = False
    logger.handlers[0].setFormatter(JsonLines(texts))
    logger.setLevel(level)
    return logger


class _Stderr(logging.StreamHandler[Any]):
    """Writes to whatever stderr is now: servers and tests replace it."""

    def __init__(self) -> None:
        super().__init__(sys.stderr)

    @property
    def stream(self) -> Any:
        return sys.stderr

    @stream.setter
    def stream(self, value: Any) -> None:
        """Ignored: see above."""


class RunLog:
    """The log of one run.

    Args:
        logger: the agent's child logger.
        agent: its name.
        version: its version.
        context: whose run it is.
        private: whether texts stay out.
        redactor: hides credentials in texts.
    """

    def __init__(
        self,
        logger: logging.Logger,
        agent: str,
        version: str,
        context: AgentContext,
        *,
        private: bool,
        redactor: Redactor,
    ) -> None:
        self._logger = logger
        self._fields = {"agent": agent, "agent_version": version, **context.ids()}
        self.private = private
        self._redactor = redactor

    def event(
        self,
        name: str,
        *,
        step: int | None = None,
        level: int = logging.INFO,
        texts: Mapping[str, object] | None = None,
        **fields: object,
    ) -> None:
        """Log an event.

        Args:
            name: what happened, such as `agent_step`.
            step: number of the step.
            level: of the record.
            texts: what may hold words of the user; left out where privacy is configured, and shown
                where texts are asked for.
            fields: anything else; what is None is not there.
        """
        if not self._logger.isEnabledFor(level):
            return
        told: dict[str, object] = dict(self._fields)
        # The name of a tool is a model's word too.
        told |= {
            key: self._shown(one) if isinstance(one, str) else one
            for key, one in fields.items()
            if one is not None
        }
        if step is not None:
            told["step"] = step
        said = {} if self.private else texts or {}
        shown = {key: self._shown(one) for key, one in said.items() if one is not None}
        self._logger.log(level, name, extra={_FIELDS: told, _TEXTS: shown})

    def _shown(self, value: object) -> object:
        """A text in short, and without credentials."""
        if isinstance(value, str):
            return self._redactor.clean(value[:_LONGEST_TEXT].encode("utf-8", "replace")).decode()
        text = json.dumps(value, ensure_ascii=False, default=str)
        if len(text) > _LONGEST_TEXT:
            return self._shown(text)
        return json.loads(self._redactor.clean(text.encode("utf-8", "replace")))


@dataclass(slots=True)
class AgentMetrics:
    """Sums over the runs of one agent, readable as data; may be fed from any thread."""

    executions: int = 0
    successes: int = 0
    time_ms: float = 0.0
    iterations: int = 0
    steps: int = 0
    cost_usd: float = 0.0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    tool_calls: Counter[str] = field(default_factory=Counter[str])
    errors: Counter[str] = field(default_factory=Counter[str])
    fabrications_stopped: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def record(self, output: AgentOutput) -> None:
        """Count a run that has ended."""
        taken = output.metadata
        with self._lock:
            self.executions += 1
            self.successes += output.success
            self.time_ms += taken.execution_time_ms
            self.iterations += taken.iterations
            self.steps += len(output.reasoning.steps)
            self.cost_usd += taken.estimated_cost_usd
            self.prompt_tokens += taken.token_usage.prompt_tokens
            self.completion_tokens += taken.token_usage.completion_tokens
            self.fabrications_stopped += taken.fabrication_guard_triggered
            self.tool_calls.update(
                step.action.tool for step in output.reasoning.steps if step.action
            )
            if output.error is not None:
                self.errors[output.error.code] += 1

    def snapshot(self) -> dict[str, Any]:
        """Executions, rates, averages, tool distribution and errors by type, as JSON."""
        with self._lock:
            runs = max(self.executions, 1)
            calls = sum(self.tool_calls.values())
            return {
                "executions": self.executions,
                "success_rate": self.successes / runs,
                "average_execution_time_ms": self.time_ms / runs,
                "average_iterations": self.iterations / runs,
                "average_steps": self.steps / runs,
                "average_cost_usd": self.cost_usd / runs,
                "total_cost_usd": self.cost_usd,
                "prompt_tokens": self.prompt_tokens,
                "completion_tokens": self.completion_tokens,
                "tool_calls": dict(self.tool_calls.most_common()),
                "tool_distribution": {
                    tool: count / calls for tool, count in self.tool_calls.most_common()
                },
                "errors": dict(self.errors.most_common()),
                "error_rate": {code: count / runs for code, count in self.errors.most_common()},
                "fabrications_stopped": self.fabrications_stopped,
            }


METER = "groundwire.agents"
DURATION = "gen_ai.client.operation.duration"
TOKENS = "gen_ai.client.token.usage"
RUNS = "groundwire.agent.runs"
ERRORS = "groundwire.agent.errors"
STEPS = "groundwire.agent.steps"
COST = "groundwire.agent.cost"


class Meters:
    """The instruments of all agents, of the meter provider that is set."""

    def __init__(self) -> None:
        from opentelemetry import metrics

        meter = metrics.get_meter(METER)
        self._duration: Histogram = meter.create_histogram(DURATION, "s", "Time of a run.")
        self._tokens: Histogram = meter.create_histogram(TOKENS, "{token}", "Tokens of a run.")
        self._runs: RunCounter = meter.create_counter(RUNS, "{run}", "Runs that have ended.")
        self._errors: RunCounter = meter.create_counter(ERRORS, "{run}", "Runs without an answer.")
        self._steps: RunCounter = meter.create_counter(STEPS, "{step}", "Steps of runs.")
        self._cost: RunCounter = meter.create_counter(COST, "USD", "Cost of model calls.")

    def record(self, agent: str, model: str, output: AgentOutput) -> None:
        """Count a run that has ended."""
        taken = output.metadata
        of = {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": agent,
            "gen_ai.request.model": model,
        }
        code = {} if output.error is None else {"error.type": output.error.code}
        self._runs.add(1, of | code)
        self._duration.record(taken.execution_time_ms / 1e3, of | code)
        self._steps.add(len(output.reasoning.steps), of)
        self._cost.add(taken.estimated_cost_usd, of)
        if code:
            self._errors.add(1, of | code)
        for kind, count in (
            ("input", taken.token_usage.prompt_tokens),
            ("output", taken.token_usage.completion_tokens),
        ):
            self._tokens.record(count, of | {"gen_ai.token.type": kind})


@cache
def meters() -> Meters | None:
    """The instruments of this process; None without the SDK."""
    return Meters() if find_spec("opentelemetry.sdk") is not None else None


def measure(agent: str, model: str, output: AgentOutput) -> None:
    """Count a run that has ended, where somebody may read it."""
    if (found := meters()) is not None:
        found.record(agent, model, output)


_TRACER = "groundwire.agents"
_RATE = 1 << 32


class Spans:
    """The spans of one run.

    Args:
        agent: name of the agent.
        version: its version.
        model: name of its model.
        context: its ids; `trace_id` becomes the trace of the spans unless one is under way.
        tracing: whether, and for which share of runs, spans are made.
    """

    def __init__(
        self, agent: str, version: str, model: str, context: AgentContext, tracing: TracingConfig
    ) -> None:
        self._agent = agent
        self._version = version
        self._model = model
        self._context = context
        self.sampled = tracing.enabled and is_sampled(context.trace_id, tracing.sample_rate)

    @contextmanager
    def run(self) -> Generator[Span]:
        """The span of the whole run."""
        from opentelemetry.trace import SpanKind

        if not self.sampled:
            with untraced(trace_number(self._context.trace_id)) as span:
                yield span
            return
        attributes = {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": self._agent,
            "gen_ai.agent.version": self._version,
            "gen_ai.request.model": self._model,
            "groundwire.run_id": self._context.run_id,
            "groundwire.correlation_id": self._context.correlation_id,
        }
        if self._context.session_id:
            attributes["gen_ai.conversation.id"] = self._context.session_id
        with self._span(f"invoke_agent {self._agent}", SpanKind.INTERNAL, attributes) as span:
            yield span

    @contextmanager
    def chat(self) -> Generator[Span]:
        """The span of one model call."""
        from opentelemetry.trace import SpanKind

        attributes = {
            "gen_ai.operation.name": "chat",
            "gen_ai.request.model": self._model,
            "gen_ai.agent.name": self._agent,
        }
        with self._span(f"chat {self._model}", SpanKind.CLIENT, attributes) as span:
            yield span

    @contextmanager
    def tool(self, name: str, call_id: str) -> Generator[Span]:
        """The span of one tool call."""
        from opentelemetry.trace import SpanKind

        attributes = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": name,
            "gen_ai.tool.call.id": call_id,
            "gen_ai.tool.type": "function",
            "gen_ai.agent.name": self._agent,
        }
        with self._span(f"execute_tool {name}", SpanKind.INTERNAL, attributes) as span:
            yield span

    @contextmanager
    def _span(self, name: str, kind: SpanKind, attributes: Mapping[str, Any]) -> Generator[Span]:
        from opentelemetry import trace

        if not self.sampled:
            yield trace.INVALID_SPAN
            return
        with trace.get_tracer(_TRACER).start_as_current_span(
            name,
            context=self._parent(),
            kind=kind,
            attributes=dict(attributes),
            # Texts of exceptions may hold what the user said.
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            try:
                yield span
            except BaseException as error:
                failed(span, error)
                raise

    def _parent(self) -> Context | None:
        """The span under way, or the caller's trace as told by the context's `trace_id`."""
        from opentelemetry import trace

        if trace.get_current_span().get_span_context().is_valid:
            return None
        number = trace_number(self._context.trace_id)
        if number is None:
            return None
        parent = trace.SpanContext(
            number, secrets.randbits(63) + 1, is_remote=True, trace_flags=trace.TraceFlags(1)
        )
        return trace.set_span_in_context(trace.NonRecordingSpan(parent))


@contextmanager
def untraced(trace: int | None = None) -> Generator[Span]:
    """Leave what runs inside out of the spans, those that servers make of calls among it."""
    from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, use_span

    number = trace or secrets.randbits(127) + 1
    left_out = SpanContext(number, secrets.randbits(63) + 1, False, TraceFlags(0))
    with use_span(NonRecordingSpan(left_out)) as span:
        yield span


def answered(span: Span, response: ModelResponse) -> None:
    """Tell a `chat` span what came back."""
    usage = response.usage
    span.set_attributes(
        {
            "gen_ai.usage.input_tokens": usage.prompt + usage.cache_read + usage.cache_write,
            "gen_ai.usage.output_tokens": usage.completion,
            "gen_ai.usage.cache_read.input_tokens": usage.cache_read,
            "gen_ai.usage.cache_creation.input_tokens": usage.cache_write,
            "gen_ai.response.finish_reasons": (response.stop_reason,),
        }
    )


def failed(span: Span, error: BaseException | str) -> None:
    """Mark a span as failed, by the kind of the error alone."""
    from opentelemetry.trace import StatusCode

    kind = error if isinstance(error, str) else type(error).__name__
    if isinstance(error, AgentFailure):
        kind = error.code
    span.set_attribute("error.type", kind)
    span.set_status(StatusCode.ERROR)


def is_sampled(trace_id: str, rate: float) -> bool:
    """Whether a run is among the share that makes spans; the same for all parts of a trace."""
    number = trace_number(trace_id)
    if number is None:
        number = secrets.randbits(64)
    return number % _RATE < rate * _RATE


def trace_number(trace_id: str) -> int | None:
    """Return a W3C trace id as OpenTelemetry holds it, or None where it is invalid."""
    if len(trace_id) != 32:
        return None
    try:
        return int(trace_id, 16) or None
    except ValueError:
        return None
