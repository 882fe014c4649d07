"""A model for tests that plays a script, and tells afterwards what it was asked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass

from groundwire.agents.runtime.errors import LLMFailure
from groundwire.agents.runtime.model import Message, ModelResponse, ToolChoice, ToolSpec


@dataclass(frozen=True, slots=True)
class Request:
    """The request that a model was sent."""

    system: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...]
    tool_choice: ToolChoice


Line = (
    ModelResponse
    | str
    | BaseException
    | Callable[[Request], "ModelResponse | Awaitable[ModelResponse]"]
)
"""One answer of a script: a response, its text alone, what is raised, or what makes one of them."""


class ScriptedModel:
    """Answers by a script, line for line.

    Attributes:
        requests: what it was asked, in order.
    """

    def __init__(
        self,
        *script: Line,
        forever: bool = False,
        name: str = "scripted",
        native_tools: bool = True,
        free: bool = False,
    ) -> None:
        """Take a script.

        Args:
            script: the answers in order.
            forever: whether the last one is repeated; else the script may end.
            name: what it is called.
            native_tools: whether it calls tools itself.
            free: whether it costs nothing.
        """
        self.name = name
        self.native_tools = native_tools
        self.free = free
        self.requests: list[Request] = []
        self._script: Iterable[Line] = script
        self._forever = forever

    async def create(
        self,
        system: str,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        tool_choice: ToolChoice,
    ) -> ModelResponse:
        """The next line.

        Raises:
            LLMFailure: the script has ended.
        """
        request = Request(system, tuple(messages), tuple(tools), tool_choice)
        self.requests.append(request)
        script = tuple(self._script)
        turn = len(self.requests) - 1
        if turn >= len(script) and not (self._forever and script):
            raise LLMFailure(
                f"The script of the model {self.name} ends after {len(script)} answers.",
                recoverable=False,
            )
        line = script[min(turn, len(script) - 1)]
        if isinstance(line, BaseException):
            raise line
        if isinstance(line, str):
            return ModelResponse(text=line)
        if isinstance(line, ModelResponse):
            return line
        made = line(request)
        return await made if isinstance(made, Awaitable) else made
