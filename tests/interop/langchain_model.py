"""A chat model of LangChain that follows the script."""

from __future__ import annotations

from typing import Any

from host_script import STEPS, offered_as
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult

steps = list(STEPS.values())


class Follower(BaseChatModel):
    """The model: asks for the next step, keeps the results of those before."""

    offered: list[str]
    seen: list[str]

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Any, **_: Any) -> Any:
        self.offered[:] = [tool.name for tool in tools]
        return self

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        self.seen[:] = [one.text for one in messages if isinstance(one, ToolMessage)]
        done = len(self.seen)
        answer = AIMessage("The script is over.")
        if done < len(steps):
            name = offered_as(steps[done], self.offered)
            assert name, f"{steps[done].tool} is not offered, but {self.offered}"
            call = {"name": name, "args": steps[done].arguments, "id": f"call_{done}"}
            answer = AIMessage("", tool_calls=[call])
        return ChatResult(generations=[ChatGeneration(message=answer)])
