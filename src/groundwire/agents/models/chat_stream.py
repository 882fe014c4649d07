"""Server-sent events of chat completions, put together as one answer."""

from __future__ import annotations

import json
from typing import Any, cast

from groundwire.agents.models.turns import Json, as_object, as_objects

_END = "[DONE]"


class StreamError(Exception):
    """The stream is not whole, or tells of an error in its midst.

    Attributes:
        status: the status of such an error; 500 where it has none.
    """

    def __init__(self, message: str, status: int = 500) -> None:
        super().__init__(message)
        self.status = status


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
