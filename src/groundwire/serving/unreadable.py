"""Lines on stdin that are no message: answered as JSON-RPC 2.0 asks, section 5.1.

The SDK drops them, so that a host which sent a request waits for ever. An answer goes to the id of
the request where that can be read.
"""

from __future__ import annotations

import json
from contextvars import Context
from types import TracebackType
from typing import Self, cast

import anyio
from mcp.shared._context_streams import ContextReceiveStream, ContextSendStream
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError
from pydantic import ValidationError

_NO_JSON = "The line is no JSON: send one message of JSON-RPC 2.0 on one line."
_HALF = "The line holds half of a character (\\ud800 to \\udfff alone): send whole characters."
_NO_REQUEST = "The line is no message of JSON-RPC 2.0: send jsonrpc, id, method and params."


class Answering:
    """Messages that a host sends; what is no message is answered and not passed on."""

    def __init__(
        self,
        messages: ContextReceiveStream[SessionMessage | Exception],
        answers: ContextSendStream[SessionMessage],
    ) -> None:
        self._messages = messages
        self._answers = answers

    @property
    def last_context(self) -> Context | None:
        """The context in which the last message was received."""
        return self._messages.last_context

    async def receive(self) -> SessionMessage | Exception:
        """The next message.

        Raises:
            anyio.EndOfStream: the host has left.
        """
        while True:
            item = await self._messages.receive()
            if not isinstance(item, Exception):
                return item
            answer = answer_to(item)
            if answer is not None:
                await self._answers.send(SessionMessage(answer))

    async def aclose(self) -> None:
        """Take no more messages."""
        await self._messages.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        await self.aclose()


def answer_to(error: Exception) -> JSONRPCError | None:
    """The answer to a line that is no message; None where none is due.

    Nothing is answered to a blank line, a notification, and an answer to us.

    Args:
        error: why the SDK's reader refused the line; it holds what was read of it.
    """
    if not isinstance(error, ValidationError):
        return None
    problems = error.errors(include_url=False)
    unparsed = next((one["input"] for one in problems if one["type"] == "json_invalid"), None)
    if unparsed is None:
        whole = [one["input"] for one in problems if one["type"] in ("missing", "model_type")]
        return _refusal(whole[0], INVALID_REQUEST, _NO_REQUEST) if whole else None
    if not unparsed.strip():
        return None
    try:
        # Python's reader lets halves of characters pass, which JSON in UTF-8 cannot hold.
        tree: object = json.loads(unparsed)
    except (ValueError, RecursionError):
        return _error(None, PARSE_ERROR, _NO_JSON)
    return _refusal(tree, PARSE_ERROR, _HALF if "\\ud" in unparsed.casefold() else _NO_JSON)


def _refusal(tree: object, code: int, line: str) -> JSONRPCError | None:
    if not isinstance(tree, dict):
        return _error(None, code, line)
    sent = cast("dict[str, object]", tree)
    if sent.keys() & {"result", "error"} or ("method" in sent and "id" not in sent):
        return None
    number = sent.get("id")
    if isinstance(number, bool) or not isinstance(number, str | int):
        return _error(None, code, line)
    # An id that holds half of a character itself cannot be sent back.
    return _error(number if str(number).isprintable() else None, code, line)


def _error(number: str | int | None, code: int, message: str) -> JSONRPCError:
    return JSONRPCError(jsonrpc="2.0", id=number, error=ErrorData(code=code, message=message))
