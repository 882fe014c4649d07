"""The failures of a run, by the names of the agent class specification."""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from pydantic import JsonValue

from groundwire.agents.runtime.contract import AgentError, ErrorCode
from groundwire.errors import DeadlineError, GroundwireError, UnavailableError

_FRAMES = 8


class AgentFailure(GroundwireError):
    """Base of what can end a run; the message is one line that holds no secret.

    Attributes:
        code: the specification's name for it.
        recoverable: whether trying again may help.
        details: what else is known of it, as JSON.
    """

    code: ClassVar[ErrorCode] = "InternalError"
    default_recoverable: ClassVar[bool] = False

    def __init__(
        self,
        message: str,
        *,
        recoverable: bool | None = None,
        details: Mapping[str, JsonValue] | None = None,
    ) -> None:
        super().__init__(message)
        self.recoverable = self.default_recoverable if recoverable is None else recoverable
        self.details = dict(details) if details else None


class ValidationFailure(AgentFailure):
    """The input, the configuration or what a model sent to a tool cannot be used."""

    code = "ValidationError"


class TimeoutFailure(AgentFailure):
    """The time of the configuration or of the budget is over."""

    code = "TimeoutError"
    default_recoverable = True


class MaxIterationsFailure(AgentFailure):
    """As many rounds as are allowed have not led to a final answer."""

    code = "MaxIterationsError"
    default_recoverable = True


class ToolExecutionFailure(AgentFailure):
    """A tool failed, is disabled or does not exist."""

    code = "ToolExecutionError"
    default_recoverable = True


class LLMFailure(AgentFailure):
    """The model did not answer.

    Attributes:
        retry_after_s: seconds after which the model's server wants to be asked again, or None.
    """

    code = "LLMError"
    default_recoverable = True

    def __init__(
        self,
        message: str,
        *,
        recoverable: bool | None = None,
        details: Mapping[str, JsonValue] | None = None,
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(message, recoverable=recoverable, details=details)
        self.retry_after_s = retry_after_s


class ParseFailure(AgentFailure):
    """The words of the model cannot be read."""

    code = "ParseError"
    default_recoverable = True


class BudgetExceededFailure(AgentFailure):
    """The budget of the run is spent."""

    code = "BudgetExceededError"


def as_agent_error(error: BaseException) -> AgentError:
    """Return an exception in the form in which a caller is told of it.

    An expected failure passes on with its own line. Of an unexpected one only its class and where
    it happened are told: its text may hold anything, a key among it.
    """
    if isinstance(error, AgentFailure):
        return AgentError(
            code=error.code,
            message=" ".join(str(error).split()),
            details=error.details,
            recoverable=error.recoverable,
        )
    if isinstance(error, TimeoutError | DeadlineError):
        return AgentError(
            code="TimeoutError", message="The time of this run is over.", recoverable=True
        )
    if isinstance(error, GroundwireError):
        passing = isinstance(error, UnavailableError)
        return AgentError(
            code="ToolExecutionError" if passing else "ValidationError",
            message=" ".join(str(error).split()),
            recoverable=passing,
        )
    return AgentError(
        code="InternalError",
        message=f"The agent failed inside ({type(error).__name__}); the log on stderr says where.",
        details={"stack": list[JsonValue](stack_of(error))},
        recoverable=False,
    )


def stack_of(error: BaseException) -> list[str]:
    """Where an exception was raised, innermost last: file, line and function, and no value."""
    frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
    return [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
