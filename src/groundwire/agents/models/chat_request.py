"""Requests for chat completions: what a model takes, and nothing that its server has refused."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from groundwire.agents.models.capabilities import capabilities_of
from groundwire.agents.models.chat_form import sent_tools
from groundwire.agents.models.options import Options
from groundwire.agents.models.refusals import GivenUp
from groundwire.agents.models.turns import Json, wanted_tool
from groundwire.agents.runtime.model import ToolChoice, ToolSpec


class ChatRequest:
    """Makes the requests to one model."""

    def __init__(self, provider: str, model: str, options: Options, *, stream: bool) -> None:
        self._provider = provider
        self._model = model
        self._can = capabilities_of(provider, model)
        self._options = options.suited(self._can)
        self._stream = stream
        self._given_up = GivenUp()

    def give_up(self, message: str, sent: Collection[str]) -> bool:
        """Leave out from now on what a refusal is about; whether there was anything."""
        return self._given_up.learn(message, sent)

    def body(
        self, messages: list[Json], tools: Sequence[ToolSpec], tool_choice: ToolChoice
    ) -> tuple[Json, set[str]]:
        """A request, and which of the optional features it uses."""
        can, options = self._can, self._options
        wanted = wanted_tool(tool_choice)
        forced = wanted is not None and can.forced_tool and self._takes("tool_choice")
        strict = can.strict_tools and self._takes("strict")
        sent = sent_tools(tools, strict, None if forced else wanted)
        body: Json = {
            "model": self._model,
            "messages": messages,
            self._limit(): options.max_tokens + can.room(options.effort, options.thinking_budget),
            **self._sampling(bool(sent)),
        }
        if sent:
            body["tools"] = sent
            if forced:
                body["tool_choice"] = {"type": "function", "function": {"name": wanted}}
            elif tool_choice == "none":
                body["tool_choice"] = "none"
        if self._stream:
            body["stream"] = True
            # Mistral tells the usage unasked, and refuses to be asked.
            if self._provider != "mistral" and self._takes("stream_options"):
                body["stream_options"] = {"include_usage": True}
        used = {
            "tool_choice": forced,
            "strict": any("strict" in tool["function"] for tool in sent),
            "effort": "reasoning_effort" in body,
            "completion_limit": True,
            **{name: name in body for name in ("temperature", "top_p", "stream_options")},
        }
        return body, {feature for feature, is_used in used.items() if is_used}

    def _takes(self, feature: str) -> bool:
        return feature not in self._given_up

    def _limit(self) -> str:
        """The name of the bound of a response; a server that refuses one takes the other."""
        names = ("max_tokens", "max_completion_tokens")
        first = self._can.completion_limit
        return first if self._takes("completion_limit") else names[first == names[0]]

    def _sampling(self, with_tools: bool) -> Json:
        options, can = self._options, self._can
        effort = "none" if with_tools and not can.effort_with_tools else options.effort
        wishes: dict[str, tuple[str, object]] = {
            "temperature": ("temperature", options.temperature),
            "top_p": ("top_p", options.top_p),
            "effort": ("reasoning_effort", effort or None),
        }
        return {
            field: value
            for feature, (field, value) in wishes.items()
            if value is not None and self._takes(feature)
        }
