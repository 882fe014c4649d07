"""Observability of runs while and after they happen: structured logs and metrics.

Logs are lines of JSON on stderr. They name the agent, its version, the user, the ids and the step.
Where privacy is configured they hold no text of the user's: no question, thought, argument or
observation.
"""

from __future__ import annotations

import json
import logging
import sys
import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, cast

from groundwire.agents.runtime.context import AgentContext
from groundwire.agents.runtime.output import AgentOutput, iso
from groundwire.evidence.redaction import Redactor

ROOT = "groundwire.agents"
_FIELDS = "groundwire_fields"
_LONGEST_TEXT = 2_000


class JsonLines(logging.Formatter):
    """A record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """The line: time, level, logger, event, and the fields of the event."""
        line: dict[str, Any] = {
            "time": iso(datetime.fromtimestamp(record.created, UTC)),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
            **cast("dict[str, Any]", getattr(record, _FIELDS, {})),
        }
        return json.dumps(line, ensure_ascii=False, separators=(",", ":"), default=str)


def structured_logger(level: int | str = logging.INFO) -> logging.Logger:
    """The logger that agents are given unless whoever embeds them has one: JSON on stderr."""
    logger = logging.getLogger(ROOT)
    if not logger.handlers:
        handler = _Stderr()
        handler.setFormatter(JsonLines())
        logger.addHandler(handler)
        logger.propagate = False
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
            texts: what may hold words of the user; left out where privacy is configured.
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
        if texts and not self.private:
            told |= {key: self._shown(one) for key, one in texts.items() if one is not None}
        self._logger.log(level, name, extra={_FIELDS: told})

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
