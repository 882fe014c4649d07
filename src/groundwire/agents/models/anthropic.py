"""Claude by the Messages API, through the maker's own SDK.

The SDK is imported when the first answer is asked for: that takes two seconds, and rules need none
of it. It sends through the guarded transport, follows no redirect (which would carry the key
elsewhere), and looks for no key of its own.

A tool that has to be called is forced where the model allows that; where it does not, it is held to
its schema. Asking again for a call that is missing, and going on with a turn that the API paused,
are the loop's: every request has its step, its tokens and its price there.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from groundwire.agents.models.chat_form import ANTHROPIC_LIMITS, StrictBudget
from groundwire.agents.models.costs import cost_of, imported
from groundwire.agents.models.keys import ApiKey, Asked, refused, too_slow, unreachable, unreadable
from groundwire.agents.models.options import REFUSING, GivenUp, Options, capabilities_of
from groundwire.agents.models.turns import (
    Json,
    Turn,
    as_count,
    as_object,
    as_objects,
    kept_turn,
    wanted_tool,
)
from groundwire.agents.runtime.errors import LLMFailure
from groundwire.agents.runtime.model import (
    Message,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolChoice,
    ToolResultPart,
    ToolSpec,
    Usage,
)
from groundwire.errors import GroundwireError
from groundwire.transport.targets import RequestPolicy, parse_target

if TYPE_CHECKING:
    import anthropic
    import httpx2


_PROVIDER = "anthropic"
_CACHED: Json = {"type": "ephemeral"}

_NO_ID = re.compile(r"[^A-Za-z0-9_-]")
# A response that was cut off may end within a call, whose arguments are then not all there.
_CUT = frozenset({"max_tokens", "model_context_window_exceeded"})


@dataclass(frozen=True, slots=True)
class Piece:
    """One message of the API.

    Attributes:
        content: its blocks as they came, without a call that was cut off.
        text: what was said.
        thinking: what was thought, where the API tells.
        calls: the calls.
        stop_reason: why it ended.
        usage: tokens.
        model: the model that answered.
    """

    content: list[Json]
    text: str
    thinking: str
    calls: tuple[ToolCallPart, ...]
    stop_reason: str
    usage: Usage
    model: str


class MessagesRequest:
    """Makes the requests to one model."""

    def __init__(self, model: str, options: Options) -> None:
        self._model = model
        self._can = capabilities_of(_PROVIDER, model)
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
        sent = _sent_tools(tools, strict, None if forced else wanted)
        if sent and caching:
            sent[-1]["cache_control"] = _CACHED
        body: Json = {
            "model": self._model,
            "max_tokens": options.max_tokens + can.room(options.effort, options.thinking_budget),
            "messages": _cached_to_here(messages) if caching else messages,
            **self._thinking(forced),
            **self._sampling(),
        }
        if system.strip():
            marked = {"cache_control": _CACHED} if caching else {}
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


API = "https://api.anthropic.com"
DEFAULT_MODEL = "claude-opus-5-5"

# Responses that may become longer than this are streamed, so that no connection idles.
_LONG = 16_000
# Errors within a stream have no status of their own.
_STATUS_OF = {
    "overloaded_error": 529,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "authentication_error": 401,
    "permission_error": 403,
    "invalid_request_error": 400,
}


class AnthropicModel:
    """A Claude model; used within one event loop."""

    native_tools = True
    free = False

    def __init__(
        self,
        key: ApiKey,
        model: str = DEFAULT_MODEL,
        *,
        options: Options | None = None,
        base_url: str = "",
        retries: int = 0,
        deadline: float = 120.0,
        stream: bool = False,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        """Prepare a model; nothing is imported or opened before the first answer.

        Args:
            key: the key of the API.
            model: its name.
            options: how it is sampled.
            base_url: where the API is, by the administrator; empty for the maker's own address.
            retries: how often the SDK asks again by itself after 408, 409, 429, 5xx and lost
                connections, as late as Retry-After says. None by default: the loop of the runtime
                asks again, within its time and its budget.
            deadline: seconds for an answer, with what the SDK asks again.
            stream: whether every answer is streamed; long ones always are.
            transport: instead of the guarded one, for tests.

        Raises:
            InputError: the address cannot be read.
            ForbiddenError: the address is not http(s), or holds a user name.
        """
        self.name = model
        self._key = key
        # The SDK names the version itself.
        self._base_url = base_url.rstrip("/").removesuffix("/v1") or API
        self._asked = Asked(parse_target(self._base_url).authority, model, key)
        self._policy = RequestPolicy.naming(base_url) if base_url else RequestPolicy()
        self._request = MessagesRequest(model, options or Options())
        self._retries = retries
        self._deadline = deadline
        self._stream = stream
        self._transport = transport
        self._sdk: anthropic.AsyncAnthropic | None = None

    def __repr__(self) -> str:
        return f"AnthropicModel({self.name!r}, {self._asked.server!r})"

    async def aclose(self) -> None:
        """Close every connection."""
        sdk, self._sdk = self._sdk, None
        if sdk is not None:
            await sdk.close()

    async def create(
        self,
        system: str,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        tool_choice: ToolChoice,
    ) -> ModelResponse:
        """Answer.

        Raises:
            LLMFailure: the API did not answer; its message holds no key.
        """
        import anyio

        try:
            with anyio.fail_after(self._deadline):
                await imported("anthropic", "genai_prices")
                return self._response(
                    await self._piece(system, _sent_messages(messages), tools, tool_choice)
                )
        except TimeoutError:
            raise too_slow(self._asked, self._deadline) from None

    def _response(self, piece: Piece) -> ModelResponse:
        hide = self._key.hide
        return ModelResponse(
            text=hide(piece.text),
            thinking=hide(piece.thinking),
            tool_calls=tuple(
                ToolCallPart(call.id, hide(call.name), self._key.hide_within(dict(call.arguments)))
                for call in piece.calls
            ),
            stop_reason=piece.stop_reason,
            usage=piece.usage,
            raw=Turn(_PROVIDER, {"role": "assistant", "content": piece.content})
            if piece.content
            else None,
            cost_usd=cost_of(piece.usage, piece.model or self.name, _PROVIDER),
        )

    async def _piece(
        self,
        system: str,
        messages: list[Json],
        tools: Sequence[ToolSpec],
        tool_choice: ToolChoice,
    ) -> Piece:
        """One message, asked for without what the server turns out not to take.

        Raises:
            LLMFailure: there is none.
        """
        import anthropic
        import httpx2

        while True:
            body, features = self._request.body(system, messages, tools, tool_choice)
            try:
                tree = await self._send(body)
            except anthropic.APIStatusError as error:
                failure, message = self._refused(error)
                if error.status_code in REFUSING and self._request.give_up(message, features):
                    continue
                raise failure from None
            except anthropic.AnthropicError as error:
                raise self._failed(error) from None
            except httpx2.TransportError:
                # Within a stream the SDK passes on what its transport raises.
                raise unreachable(self._asked, "broke off") from None
            except ValueError:
                raise unreadable(self._asked, "it is no JSON, or no stream of events") from None
            piece = _read_message(tree)
            if piece is None:
                raise unreadable(self._asked, "it is no message")
            return piece

    async def _send(self, body: Json) -> Json:
        sdk = self._client()
        if self._stream or body["max_tokens"] > _LONG:
            try:
                async with sdk.messages.stream(**body) as stream:
                    message = cast("object", await stream.get_final_message())
            except (AssertionError, AttributeError, LookupError, RuntimeError, TypeError) as error:
                # The SDK puts events together as if they always came in their order.
                raise ValueError("the stream is out of order") from error
        else:
            message = cast("object", await sdk.messages.create(**body))
        from anthropic import BaseModel

        if not isinstance(message, BaseModel):
            return {}
        tree = message.model_dump(mode="json", exclude_unset=True, by_alias=True, warnings=False)
        for block in as_objects(tree.get("content")):
            # The SDK's own addition to a streamed text, which the API would not take back.
            block.pop("parsed_output", None)
        return tree

    def _client(self) -> anthropic.AsyncAnthropic:
        if self._sdk is None:
            import anthropic
            import httpx2

            transport = self._transport or self._guarded()
            self._sdk = anthropic.AsyncAnthropic(
                api_key=self._key.reveal(),
                base_url=self._base_url,
                max_retries=self._retries,
                timeout=self._deadline,
                # The runtime makes the spans of model calls.
                open_telemetry=False,
                http_client=httpx2.AsyncClient(
                    transport=transport,
                    follow_redirects=False,
                    trust_env=False,
                    timeout=self._deadline,
                ),
            )
        return self._sdk

    def _guarded(self) -> httpx2.AsyncBaseTransport:
        import httpx2

        from groundwire.transport.pinned import PinnedTransport

        return PinnedTransport(self._policy.addresses, httpx2.create_ssl_context(trust_env=False))

    def _refused(self, error: anthropic.APIStatusError) -> tuple[LLMFailure, str]:
        status = error.status_code
        if status < 400:
            status = _STATUS_OF.get(str(error.type), status)
        message = error.api_message or error.message
        headers = {name.lower(): value for name, value in error.response.headers.items()}
        return refused(self._asked, status, headers, str(message)), str(message)

    def _failed(self, error: anthropic.AnthropicError) -> LLMFailure:
        import anthropic

        if isinstance(error, anthropic.APITimeoutError):
            return too_slow(self._asked, self._deadline)
        if isinstance(error, anthropic.APIConnectionError):
            cause = error.__cause__
            if isinstance(cause, GroundwireError):
                return LLMFailure(str(cause), recoverable=False, details={"model": self.name})
            return unreachable(self._asked, "cannot be reached or broke off")
        return unreadable(self._asked, f"the SDK cannot read it ({type(error).__name__})")


def _sent_messages(messages: Sequence[Message]) -> list[Json]:
    """A conversation; turns of this API go back as they came."""
    sent: list[Json] = []
    for message in messages:
        kept = kept_turn(message.raw, _PROVIDER)
        if kept is not None:
            sent.append(kept)
            continue
        blocks = [block for part in message.parts if (block := _block(part))]
        # Results answer the calls before them only where they come first.
        blocks.sort(key=lambda block: block["type"] != "tool_result")
        if blocks:
            sent.append({"role": message.role, "content": blocks})
    return sent


def _block(part: TextPart | ToolCallPart | ToolResultPart) -> Json | None:
    if isinstance(part, TextPart):
        return {"type": "text", "text": part.text} if part.text.strip() else None
    if isinstance(part, ToolCallPart):
        return {
            "type": "tool_use",
            "id": _id(part.id),
            "name": part.name,
            # The call was refused if the model sent no object.
            "input": dict(as_object(part.arguments)),
        }
    return {
        "type": "tool_result",
        "tool_use_id": _id(part.id),
        "content": part.text,
        "is_error": part.is_error,
    }


def _id(value: str) -> str:
    return _NO_ID.sub("_", value)


def _cached_to_here(messages: Sequence[Json]) -> list[Json]:
    """The conversation with its last block marked to be cached; thoughts cannot be."""
    if not messages or messages[-1]["role"] != "user":
        return list(messages)
    *before, last = messages
    *blocks, end = as_objects(last["content"])
    return [*before, {**last, "content": [*blocks, {**end, "cache_control": _CACHED}]}]


def _sent_tools(tools: Sequence[ToolSpec], strict: bool, wanted: str | None) -> list[Json]:
    """The definitions of tools.

    Args:
        tools: the tools.
        strict: whether the model can be held to schemas.
        wanted: a tool that has to be called and cannot be forced: it is held to its schema.
    """
    defined = StrictBudget(ANTHROPIC_LIMITS).defined(tools, strict, wanted)
    return [
        {"name": tool.name, "description": tool.description, "input_schema": schema, **held}
        for tool, schema, held in defined
    ]


def _read_message(tree: Mapping[str, Any]) -> Piece | None:
    """An answer of the API, or None if it is none."""
    reason = tree.get("stop_reason")
    if not isinstance(tree.get("content"), list) or not isinstance(reason, str):
        return None
    content = as_objects(tree.get("content"))
    if reason in _CUT and content and content[-1].get("type") == "tool_use":
        content.pop()
    if reason == "refusal":
        # A model that refuses has said nothing to use, and its calls least of all.
        content = []
    return Piece(
        content=content,
        text="\n".join(_texts(content, "text", "text")),
        thinking="\n".join(_texts(content, "thinking", "thinking")),
        calls=tuple(
            ToolCallPart(str(block.get("id", "")), str(block.get("name", "")), block["input"])
            for block in content
            if block.get("type") == "tool_use" and isinstance(block.get("input"), dict)
        ),
        stop_reason="end_turn" if reason == "stop_sequence" else reason,
        usage=_usage(tree.get("usage")),
        model=str(tree.get("model") or ""),
    )


def _texts(content: Sequence[Json], kind: str, field: str) -> list[str]:
    found = [block.get(field) for block in content if block.get("type") == kind]
    return [text for text in found if isinstance(text, str) and text.strip()]


def _usage(tree: object) -> Usage:
    fields = as_object(tree)
    return Usage(
        prompt=as_count(fields.get("input_tokens")),
        completion=as_count(fields.get("output_tokens")),
        cache_read=as_count(fields.get("cache_read_input_tokens")),
        cache_write=as_count(fields.get("cache_creation_input_tokens")),
    )
