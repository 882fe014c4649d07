"""OpenTelemetry spans of a run, by the names of the semantic conventions for generative AI.

A run is `invoke_agent`, a model call in it `chat`, a tool call `execute_tool`; the server's own
span of the call is below that. No span holds a text of the user's or the model's. The API that the
SDK of MCP brings is used; without an exporter it does nothing.
"""

from __future__ import annotations

import secrets
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from groundwire.agents.runtime.configuration import TracingConfig
from groundwire.agents.runtime.context import AgentContext
from groundwire.agents.runtime.errors import AgentFailure
from groundwire.agents.runtime.model import ModelResponse

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.trace import Span, SpanKind

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
