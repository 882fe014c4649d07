"""Messages that cannot be read: answered as JSON-RPC 2.0 asks, section 5.1.

The SDK drops lines on stdin that are no message, and takes a request whose id is neither a string
nor a whole number for a notification; a host which sent a request then waits for ever. An answer
goes to the id of the request where that can be read.
"""

from __future__ import annotations

import json
import re
from contextvars import Context
from types import TracebackType
from typing import TYPE_CHECKING, Self, cast

import anyio
from mcp.shared._context_streams import ContextReceiveStream, ContextSendStream
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError, JSONRPCNotification
from pydantic import ValidationError

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_NO_JSON = "The line is no JSON: send one message of JSON-RPC 2.0 on one line."
_HALF = "The line holds half of a character (\\ud800 to \\udfff alone): send whole characters."
_NO_ID = (
    "The request has no id that can be answered: send a string or a whole number as id, "
    "not null, a fraction, a list or an object."
)
_NO_REQUEST = "The line is no message of JSON-RPC 2.0: send jsonrpc, id, method and params."


# An id that is no string and no whole number; in a longer body than this none is looked for.
_ODD_ID = re.compile(rb'"id"[ \t\r\n]*+:[ \t\r\n]*+(?:[ntf{\[]|-?[0-9]++[.eE])')
_LONGEST_BODY = 4 * 1024 * 1024


class Answering:
    """Messages that a host sends; a line that cannot be read is answered and not passed on."""

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
            if isinstance(item, Exception):
                answer = answer_to(item)
            elif lacks_id(item.message):
                answer = _error(None, INVALID_REQUEST, _NO_ID)
            else:
                return item
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


class AnsweringIds:
    """Answers requests over HTTP that have an id which no answer can carry, or no end.

    It reads before everything else, tokens too, so that here a body has its time.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, unless it is late, or its id neither a string nor a whole number."""
        from starlette.responses import JSONResponse

        from groundwire.serving.limits import BODY_SECONDS, Ending

        if scope["type"] != "http" or scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        receive = Ending(receive)
        read: list[Message] = [await receive()]
        body = bytes(read[0].get("body", b""))
        while read[-1].get("more_body") and len(body) <= _LONGEST_BODY:
            read.append(await receive())
            body += bytes(read[-1].get("body", b""))
        if read[-1]["type"] == "http.disconnect":
            late = f"the body did not end within {BODY_SECONDS:g} s: send it whole"
            told = {"error": "request timeout", "error_description": late}
            # Who is gone does not hear it; who is slow does.
            await JSONResponse(told, 408, {"connection": "close"})(scope, receive, send)
            return
        if _ODD_ID.search(body) and _has_odd_id(body):
            answer = _error(None, INVALID_REQUEST, _NO_ID).model_dump(mode="json")
            await JSONResponse(answer, status_code=400)(scope, receive, send)
            return
        waiting = iter(read)

        async def again() -> Message:
            return next(waiting, None) or await receive()

        await self._app(scope, again, send)


def lacks_id(message: object) -> bool:
    """Whether a message is a request that the SDK read as a notification, for want of an id.

    Notifications of the protocol all begin with `notifications/`.
    """
    return isinstance(message, JSONRPCNotification) and not message.method.startswith(
        "notifications/"
    )


def _has_odd_id(body: bytes) -> bool:
    try:
        tree: object = json.loads(body)
    except (ValueError, RecursionError):
        return False
    sent = cast("dict[str, object]", tree) if isinstance(tree, dict) else {}
    number = sent.get("id", "")
    return "method" in sent and (isinstance(number, bool) or not isinstance(number, str | int))


def answer_to(error: Exception) -> JSONRPCError | None:
    """Return the answer to a line that cannot be read; None where none is due.

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
