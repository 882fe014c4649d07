"""Models behind chat completions: OpenAI, Ollama, Mistral, Copilot, and any compatible server.

Requests go through the guarded client, which waits once by itself where a 429 or 503 says for how
long and the deadline allows it. A tool that has to be called is forced where the model allows that;
asking again is the loop's, as with every model.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, cast

from groundwire.agents.models.chat_form import (
    Completion,
    read_completion,
    sent_messages,
    sent_tools,
)
from groundwire.agents.models.costs import cost_of, imported
from groundwire.agents.models.keys import (
    ApiKey,
    Asked,
    error_message,
    refused,
    too_slow,
    unreachable,
    unreadable,
)
from groundwire.agents.models.options import REFUSING, GivenUp, Options, capabilities_of
from groundwire.agents.models.turns import Json, Turn, as_object, as_objects, wanted_tool
from groundwire.agents.runtime.errors import LLMFailure
from groundwire.agents.runtime.model import (
    Message,
    ModelResponse,
    ToolCallPart,
    ToolChoice,
    ToolSpec,
)
from groundwire.errors import DeadlineError, GroundwireError, UnavailableError
from groundwire.transport.client import GuardedClient
from groundwire.transport.messages import Response
from groundwire.transport.targets import RequestPolicy, parse_target

_END = "[DONE]"


class StreamError(Exception):
    """The stream is not whole, or tells of an error in its midst.

    Attributes:
        status: the status of such an error; 500 where it has none.
    """

    def __init__(self, message: str, status: int = 500) -> None:
        super().__init__(message)
        self.status = status


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


_MOST_BYTES = 8_388_608
_REFUSAL_BYTES = 1_000
_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 8.0


@dataclass(frozen=True, slots=True)
class ChatProvider:
    """Who offers chat completions.

    Attributes:
        name: as in AI_PROVIDER.
        base_url: where, up to and with the version.
        needs_key: whether it answers nobody without a key.
        local: whether that address is of this machine.
    """

    name: str
    base_url: str
    needs_key: bool = True
    local: bool = False


CHAT_PROVIDERS = {
    provider.name: provider
    for provider in (
        ChatProvider("openai", "https://api.openai.com/v1"),
        ChatProvider("ollama", "http://localhost:11434/v1", needs_key=False, local=True),
        ChatProvider("mistral", "https://api.mistral.ai/v1"),
        ChatProvider("copilot", "https://api.githubcopilot.com"),
    )
}


class ChatCompletionsModel:
    """A model behind chat completions; used within one event loop."""

    native_tools = True

    def __init__(
        self,
        provider: ChatProvider,
        key: ApiKey,
        model: str,
        *,
        options: Options | None = None,
        base_url: str = "",
        retries: int = 0,
        deadline: float = 120.0,
        stream: bool = False,
        sleep: Callable[[float], Awaitable[None]] | None = None,
    ) -> None:
        """Prepare a model; nothing is opened before the first answer.

        Args:
            provider: who offers it.
            key: its key; may be none.
            model: its name.
            options: how it is sampled.
            base_url: where it is, by the administrator, up to the version (`/v1` where it has no
                path); empty for the provider's own address.
            retries: how often it is asked again after failures that pass. None by default: the
                loop of the runtime asks again, within its time and its budget.
            deadline: seconds for one request.
            stream: whether the answer comes in events, for servers that do not answer otherwise
                or that cut connections on which nothing moves.
            sleep: waits so many seconds, for tests.

        Raises:
            InputError: the address cannot be read.
            ForbiddenError: the address is not http(s), or holds a user name.
        """
        base = (base_url or provider.base_url).rstrip("/")
        target = parse_target(base)
        if base_url and target.url.path in ("", "/"):
            # Whoever names the server alone means the version that all of them have.
            base += "/v1"
        named = bool(base_url) or provider.local
        policy = RequestPolicy.naming(base) if named else RequestPolicy()
        self.name = model
        # Ollama passes some names on to its makers' machines, which is paid for.
        self.free = provider.name == "ollama" and not model.endswith("cloud")
        self._provider = provider.name
        self._url = f"{base}/chat/completions"
        self._prices_at = base_url
        self._key = key
        self._asked = Asked(target.authority, model, key)
        self._request = ChatRequest(provider.name, model, options or Options(), stream=stream)
        self._retries = retries
        self._deadline = deadline
        self._sleep = sleep
        self._client = GuardedClient(
            RequestPolicy(policy.addresses, deadline, _MOST_BYTES, max_redirects=0)
        )

    def __repr__(self) -> str:
        return f"ChatCompletionsModel({self.name!r}, {self._asked.server!r})"

    async def aclose(self) -> None:
        """Close every connection."""
        await self._client.aclose()

    async def create(
        self,
        system: str,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        tool_choice: ToolChoice,
    ) -> ModelResponse:
        """Answer.

        Raises:
            LLMFailure: the server did not answer; its message holds no key.
        """
        if not self.free:
            await imported("genai_prices")
        sent = sent_messages(self._provider, system, messages)
        for attempt in range(self._retries + 1):
            try:
                return self._response(await self._completion(sent, tools, tool_choice))
            except LLMFailure as failure:
                if not failure.recoverable or attempt == self._retries:
                    raise
                pause = min(_FIRST_PAUSE * 2**attempt, _LONGEST_PAUSE)
                await self._wait(failure.retry_after_s or pause)
        raise AssertionError("the last attempt returns or raises")

    async def _wait(self, seconds: float) -> None:
        import anyio

        await (self._sleep or anyio.sleep)(seconds)

    def _response(self, completion: Completion) -> ModelResponse:
        hide = self._key.hide
        refusal = completion.stop_reason == "refusal"
        return ModelResponse(
            text=hide(completion.text),
            thinking=hide(completion.thinking),
            tool_calls=tuple(
                ToolCallPart(call.id, hide(call.name), self._key.hide_within(call.arguments))
                for call in completion.calls
            ),
            stop_reason=completion.stop_reason,
            usage=completion.usage,
            raw=None if refusal else Turn(self._provider, completion.message),
            cost_usd=self._cost(completion),
        )

    def _cost(self, completion: Completion) -> float | None:
        if self.free:
            return 0.0
        model = completion.model or self.name
        return cost_of(completion.usage, model, self._provider, base_url=self._prices_at)

    async def _completion(
        self, messages: list[Json], tools: Sequence[ToolSpec], tool_choice: ToolChoice
    ) -> Completion:
        """One answer, asked for without what the server turns out not to take.

        Raises:
            LLMFailure: there is none.
        """
        while True:
            body, features = self._request.body(messages, tools, tool_choice)
            response = await self._post(body)
            if response.status in REFUSING:
                # What follows may be an echo of the request, with the names of all its fields.
                said = response.body[:_REFUSAL_BYTES].decode("utf-8", "replace")
                if self._request.give_up(said, features):
                    continue
            return self._read(response)

    async def _post(self, body: Json) -> Response:
        """The server's answer, whatever its status.

        Raises:
            LLMFailure: it has none.
        """
        try:
            return await self._client.request(
                "POST",
                self._url,
                headers={
                    "content-type": "application/json",
                    "accept": "application/json, text/event-stream",
                },
                content=json.dumps(body, ensure_ascii=False).encode("utf-8", "replace"),
                auth=self._key.reveal() or None,
                deadline=self._deadline,
            )
        except DeadlineError:
            raise too_slow(self._asked, self._deadline) from None
        except GroundwireError as error:
            raise LLMFailure(
                self._key.message(str(error)),
                recoverable=isinstance(error, UnavailableError),
                details={"model": self.name},
            ) from None

    def _read(self, response: Response) -> Completion:
        """The answer in a response.

        Raises:
            LLMFailure: there is none.
        """
        if response.status != 200:
            message = error_message(response.body)
            raise refused(self._asked, response.status, response.headers, message)
        if response.cut == "max_bytes":
            raise unreadable(self._asked, "it is longer than any answer")
        if response.truncated:
            raise unreachable(self._asked, "broke off")
        try:
            # What a server was asked for is not always what it sends.
            if response.content_type == "text/event-stream":
                tree = joined(response.body)
            else:
                tree = as_object(json.loads(response.body))
        except StreamError as error:
            raise refused(self._asked, error.status, {}, str(error)) from None
        except (ValueError, RecursionError):
            raise unreadable(self._asked, "it is no JSON") from None
        completion = read_completion(tree)
        if completion is None:
            raise unreadable(self._asked, "it is no completion")
        return completion


def joined(body: bytes) -> Json:
    """The answer that a stream of chunks adds up to.

    Raises:
        StreamError: it tells of an error, ends early, or holds something else.
    """
    message: Json = {"role": "assistant"}
    tree: Json = {}
    calls: list[Json] = []
    reason: str | None = None
    for data in _events(body):
        chunk = _read(data)
        if chunk.get("error"):
            error = as_object(chunk["error"])
            code = error.get("code")
            status = code if isinstance(code, int) and 400 <= code < 600 else 500
            raise StreamError(str(error.get("message") or chunk["error"]), status)
        tree["model"] = chunk.get("model") or tree.get("model")
        tree["usage"] = chunk.get("usage") or tree.get("usage")
        for choice in as_objects(chunk.get("choices"))[:1]:
            delta = as_object(choice.get("delta"))
            for name in ("content", "reasoning", "reasoning_content", "refusal"):
                _grow(message, name, delta.get(name))
            for part in as_objects(delta.get("tool_calls")):
                _grow_call(calls, part)
            reason = choice.get("finish_reason") or reason
    if reason is None:
        raise StreamError("the stream ended before the answer did")
    if calls:
        message["tool_calls"] = calls
    return {**tree, "choices": [{"message": message, "finish_reason": reason}]}


def _events(body: bytes) -> list[str]:
    """The data of each event; events of several lines are joined (HTML standard, 9.2.6)."""
    events: list[str] = []
    for block in body.decode("utf-8", "replace").replace("\r\n", "\n").split("\n\n"):
        lines = [line[5:].removeprefix(" ") for line in block.split("\n") if line[:5] == "data:"]
        data = "\n".join(lines).strip()
        if data == _END:
            break
        if data:
            events.append(data)
    return events


def _read(data: str) -> Json:
    try:
        return as_object(json.loads(data))
    except (ValueError, RecursionError):
        raise StreamError("an event is no JSON") from None


def _grow(message: Json, name: str, more: object) -> None:
    """Add to a text, or to a list of chunks."""
    before: Any = message.get(name)
    if isinstance(more, list):
        chunks = as_objects(before)
        if isinstance(before, str) and before:
            chunks.append({"type": "text", "text": before})
        message[name] = [*chunks, *as_objects(cast("object", more))]
    elif isinstance(more, str) and isinstance(before, list):
        message[name] = [*cast("list[Json]", before), {"type": "text", "text": more}]
    elif isinstance(more, str):
        message[name] = (before or "") + more


def _grow_call(calls: list[Json], part: Json) -> None:
    """Add to the call that a part belongs to: by its index, by a new id, else to the last one."""
    id, index = part.get("id"), part.get("index")
    known: Json | None = None
    if isinstance(index, int):
        known = next((call for call in calls if call["index"] == index), None)
    elif calls and (not id or calls[-1]["id"] == id):
        known = calls[-1]
    if known is None:
        known = {"index": index, "id": "", "function": {"name": "", "arguments": ""}}
        calls.append(known)
    known["id"] = known["id"] or id or ""
    function = as_object(part.get("function"))
    known["function"]["name"] = known["function"]["name"] or str(function.get("name") or "")
    arguments = function.get("arguments")
    if isinstance(arguments, dict):
        arguments = json.dumps(arguments)
    known["function"]["arguments"] += arguments if isinstance(arguments, str) else ""
