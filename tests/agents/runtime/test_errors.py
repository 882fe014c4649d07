"""How failures are told."""

from __future__ import annotations

import pytest

from groundwire.agents.runtime import errors
from groundwire.agents.runtime.errors import AgentFailure, LLMFailure, as_agent_error
from groundwire.errors import ConfigurationError, DeadlineError, UnavailableError

CODES = {
    errors.ValidationFailure: ("ValidationError", False),
    errors.TimeoutFailure: ("TimeoutError", True),
    errors.MaxIterationsFailure: ("MaxIterationsError", True),
    errors.ToolExecutionFailure: ("ToolExecutionError", True),
    errors.LLMFailure: ("LLMError", True),
    errors.ParseFailure: ("ParseError", True),
    errors.BudgetExceededFailure: ("BudgetExceededError", False),
}


@pytest.mark.parametrize("failure", CODES)
def test_handle_error_keeps_the_names_of_the_specification(failure: type[AgentFailure]) -> None:
    told = as_agent_error(failure("so\n  it is", details={"a": 1}))
    assert (told.code, told.recoverable) == CODES[failure]
    assert told.message == "so it is"
    assert told.details == {"a": 1}


def test_handle_error_takes_another_word_on_recovery() -> None:
    assert not as_agent_error(LLMFailure("x", recoverable=False)).recoverable


@pytest.mark.parametrize(
    ("error", "code", "recoverable"),
    [
        (TimeoutError("x"), "TimeoutError", True),
        (DeadlineError("x"), "TimeoutError", True),
        (UnavailableError("the store is away"), "ToolExecutionError", True),
        (ConfigurationError("the file is wrong"), "ValidationError", False),
    ],
)
def test_handle_error_categorizes_the_errors_of_the_house(
    error: Exception, code: str, recoverable: bool
) -> None:
    told = as_agent_error(error)
    assert (told.code, told.recoverable) == (code, recoverable)


def test_handle_error_tells_of_internal_errors_where_they_happened_and_no_text() -> None:
    try:
        int("password=hunter2")
    except ValueError as error:
        told = as_agent_error(error)
    assert told.code == "InternalError"
    assert not told.recoverable
    assert "ValueError" in told.message
    assert "hunter2" not in told.model_dump_json()
    assert told.details is not None
    assert "test_errors.py" in str(told.details["stack"])
