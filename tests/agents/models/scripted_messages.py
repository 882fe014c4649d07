"""A Messages API server that plays a script, behind the real SDK."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import anyio
import httpx2
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

# In two parts, so that nobody takes it for a real one.
KEY = "sk-ant-" + "api03-very-secret-key"


def message(*content: dict[str, Any], stop: str = "end_turn", **fields: Any) -> dict[str, Any]:
    """A message of the API; blocks are made by `text`, `thinking` and `tool_use`."""
    usage = {"input_tokens": 100, "output_tokens": 20, **fields.pop("usage", {})}
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": fields.pop("model", "claude-opus-5-5"),
        "content": list(content),
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": usage,
        **fields,
    }


def text(said: str) -> dict[str, Any]:
    return {"type": "text", "text": said}


def thinking(thought: str) -> dict[str, Any]:
    return {"type": "thinking", "thinking": thought, "signature": "c2lnbmVk"}


def tool_use(name: str, arguments: dict[str, Any], id: str = "toolu_1") -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": name, "input": arguments}


def failure(status: int, kind: str, said: str, **headers: str) -> Response:
    return JSONResponse(
        {"type": "error", "error": {"type": kind, "message": said}},
        status,
        {name.replace("_", "-"): value for name, value in headers.items()},
    )


class MessagesServer:
    """Answers POST /v1/messages line by line.

    Attributes:
        requests: the bodies that came in.
        headers: the headers that came with them.
    """

    def __init__(self, *script: dict[str, Any] | Response | float) -> None:
        """A number is a pause of so many seconds before the next line."""
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.cancelled = 0
        self._script: Iterator[Any] = iter(script)
        app = Starlette(routes=[Route("/v1/messages", self._answer, methods=["POST"])])
        self.transport = httpx2.ASGITransport(app)

    async def _answer(self, request: Request) -> Response:
        body = await request.json()
        self.requests.append(body)
        self.headers.append(dict(request.headers))
        line = next(self._script)
        if isinstance(line, float):
            try:
                await anyio.sleep(line)
            except anyio.get_cancelled_exc_class():
                self.cancelled += 1
                raise
            line = next(self._script)
        if isinstance(line, Response):
            return line
        if body.get("stream"):
            return StreamingResponse(_events(line), media_type="text/event-stream")
        return JSONResponse(line)


async def _events(whole: dict[str, Any]):
    """A message as server-sent events, its texts and arguments in halves."""
    usage = whole["usage"]
    started = {
        **whole,
        "content": [],
        "stop_reason": None,
        "usage": {**usage, "output_tokens": 1},
    }
    yield _event("message_start", message=started)
    for index, block in enumerate(whole["content"]):
        empty = {**block, **{name: "" for name in ("text", "thinking") if name in block}}
        if block["type"] == "tool_use":
            empty["input"] = {}
        yield _event("content_block_start", index=index, content_block=empty)
        for delta in _deltas(block):
            yield _event("content_block_delta", index=index, delta=delta)
        yield _event("content_block_stop", index=index)
    ended = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    yield _event("message_delta", delta=ended, usage={"output_tokens": usage["output_tokens"]})
    yield _event("message_stop")


def _deltas(block: dict[str, Any]) -> Iterator[dict[str, Any]]:
    kinds = {
        "text": ("text_delta", "text", block.get("text")),
        "thinking": ("thinking_delta", "thinking", block.get("thinking")),
        "tool_use": ("input_json_delta", "partial_json", json.dumps(block.get("input"))),
    }
    kind, field, whole = kinds[block["type"]]
    for half in (whole[: len(whole) // 2], whole[len(whole) // 2 :]):
        yield {"type": kind, field: half}


def _event(name: str, **fields: Any) -> str:
    return f"event: {name}\ndata: {json.dumps({'type': name, **fields})}\n\n"
