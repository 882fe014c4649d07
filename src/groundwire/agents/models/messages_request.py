"""Requests of the Messages API: what a model takes, and nothing that it has refused."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from groundwire.agents.models.capabilities import capabilities_of
from groundwire.agents.models.messages_form import CACHED, PROVIDER, cached_to_here, sent_tools
from groundwire.agents.models.options import Options
from groundwire.agents.models.refusals import GivenUp
from groundwire.agents.models.turns import Json, wanted_tool
from groundwire.agents.runtime.model import ToolChoice, ToolSpec


class MessagesRequest:
    """Makes the requests to one model."""

    def __init__(self, model: str, options: Options) -> None:
        self._model = model
        self._can = capabilities_of(PROVIDER, model)
        self._options = options.suited(self._can)
        self._given_up = GivenUp()

    def give_up(self, message: str, sent: Collection[str]) -> bool:
        """Leave out from now on what a refusal is about; whether there was anything."""
        return self._given_up.learn(message, sent)

    def body(
        self,
        system: str,
        messages: list[Json],
        tools: Sequence[ToolSpec],
        tool_choice: ToolChoice,
    ) -> tuple[Json, set[str]]:
        """The arguments of the SDK, and which of the optional features they use."""
        can, options = self._can, self._options
        wanted = wanted_tool(tool_choice)
        forced = wanted is not None and can.forced_tool and self._takes("tool_choice")
        caching = can.caching and self._takes("caching")
        strict = can.strict_tools and self._takes("strict")
        sent = sent_tools(tools, strict, None if forced else wanted)
        if sent and caching:
            sent[-1]["cache_control"] = CACHED
        body: Json = {
            "model": self._model,
            "max_tokens": options.max_tokens + can.room(options.effort, options.thinking_budget),
            "messages": cached_to_here(messages) if caching else messages,
            **self._thinking(forced),
            **self._sampling(),
        }
        if system.strip():
            marked = {"cache_control": CACHED} if caching else {}
            body["system"] = [{"type": "text", "text": system, **marked}]
        if sent:
            body["tools"] = sent
            if forced:
                body["tool_choice"] = {"type": "tool", "name": wanted}
            elif tool_choice == "none":
                body["tool_choice"] = {"type": "none"}
        sampled = body.get("extra_body", {})
        used = {
            "tool_choice": forced,
            "strict": any("strict" in tool for tool in sent),
            "caching": caching,
            "effort": "output_config" in body,
            "thinking": "thinking" in body,
            "temperature": "temperature" in sampled,
            "top_p": "top_p" in sampled,
        }
        return body, {feature for feature, is_used in used.items() if is_used}

    def _takes(self, feature: str) -> bool:
        return feature not in self._given_up

    def _thinking(self, forced: bool) -> Json:
        options, thinking = self._options, self._can.thinking
        body: Json = {}
        if options.effort and self._takes("effort"):
            body["output_config"] = {"effort": options.effort}
        # A forced tool and thinking that is asked for exclude each other.
        if forced or not self._takes("thinking"):
            return body
        if options.thinking_budget:
            body["thinking"] = {"type": "enabled", "budget_tokens": options.thinking_budget}
        elif thinking == "always" or (thinking == "adaptive" and options.effort):
            # Without a summary the thoughts between calls come back empty.
            body["thinking"] = {"type": "adaptive", "display": "summarized"}
        return body

    def _sampling(self) -> Json:
        """The SDK has no arguments for these any more; models of 2025 still take them."""
        wishes = {"temperature": self._options.temperature, "top_p": self._options.top_p}
        sampled = {
            name: value for name, value in wishes.items() if value is not None and self._takes(name)
        }
        return {"extra_body": sampled} if sampled else {}
