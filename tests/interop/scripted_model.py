"""A model on loopback that follows a script, for interfaces of OpenAI, Gemini and Anthropic.

It asks for one tool call after the other, keeps what each result looked like when it came back,
and ends. Responses are streamed, as the hosts ask for it.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from host_script import Step, offered_as

Body = dict[str, Any]
END = "The script is over."


class ScriptedModel(ThreadingHTTPServer):
    """Serves `/v1/responses`, `/v1/chat/completions`, `/v1/messages` and Gemini's
    `/v1beta/models/M:streamGenerateContent`.

    Attributes:
        steps: the calls to ask for.
        seen: per answered call, the text of its result as the host showed it to the model.
        offered: names of all tools that the last request offered.
    """

    daemon_threads = True

    def __init__(self, steps: Sequence[Step]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.steps = list(steps)
        self.seen: list[str] = []
        self.offered: list[str] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def next_call(self, results: list[str], offered: list[str]) -> tuple[str, str] | None:
        """The name and the arguments of the next call; None at the end of the script."""
        self.seen, self.offered = results, offered
        if len(results) >= len(self.steps):
            return None
        step = self.steps[len(results)]
        name = offered_as(step, offered)
        return name and (name, json.dumps(step.arguments, ensure_ascii=False))


@contextmanager
def scripted_model(steps: Sequence[Step]) -> Iterator[ScriptedModel]:
    with ScriptedModel(steps) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join(10)


class _Handler(BaseHTTPRequestHandler):
    server: ScriptedModel

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
        called = self.path.partition("?")[0].rpartition("/")[2].rpartition(":")[2]
        answer = _INTERFACES.get(called)
        if answer is None:
            self.send_error(404)
            return
        data = "".join(answer(self.server, body)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *arguments: object) -> None:
        """The tests' output is no place for an access log."""


def _text(content: Any) -> str:
    """The text of a result, which is one string or a list of parts."""
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content)


def _response(model: ScriptedModel, body: Body) -> Iterator[str]:
    """One answer of the Responses API."""
    tools: dict[str, Body] = {}
    for tool in body.get("tools", []):
        if tool["type"] == "function":
            tools[tool["name"]] = {"name": tool["name"]}
        for inner in tool.get("tools", []):
            called = {"namespace": tool["name"], "name": inner["name"]}
            tools[f"{tool['name']}__{inner['name']}"] = called
    results = [
        _text(item["output"]) for item in body["input"] if item["type"] == "function_call_output"
    ]
    call = model.next_call(results, list(tools))
    if call:
        item = tools[call[0]] | {
            "type": "function_call",
            "id": f"fc_{len(results)}",
            "call_id": f"call_{len(results)}",
            "arguments": call[1],
        }
    else:
        part = {"type": "output_text", "text": END, "annotations": []}
        item = {"type": "message", "id": "msg_0", "role": "assistant", "content": [part]}
    item["status"] = "completed"
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    for event in (
        {"type": "response.created", "response": {"id": "resp_0"}},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": {"id": "resp_0", "usage": usage}},
    ):
        yield f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"


def _completion(model: ScriptedModel, body: Body) -> Iterator[str]:
    """One answer of the chat completions API."""
    delta: Body = {"role": "assistant", "content": END}
    reason = "stop"
    # A host asks without tools as well, for a title say: that is no step of the script.
    if offered := [tool["function"]["name"] for tool in body.get("tools", [])]:
        results = [_text(said["content"]) for said in body["messages"] if said["role"] == "tool"]
        if call := model.next_call(results, offered):
            function = {"name": call[0], "arguments": call[1]}
            wanted = {"index": 0, "id": f"call_{len(results)}", "type": "function"}
            delta = {"role": "assistant", "tool_calls": [wanted | {"function": function}]}
            reason = "tool_calls"
    for choice in (
        {"index": 0, "delta": delta, "finish_reason": None},
        {"index": 0, "delta": {}, "finish_reason": reason},
    ):
        chunk = {"id": "chat_0", "object": "chat.completion.chunk", "created": 1, "model": "m"}
        yield f"data: {json.dumps(chunk | {'choices': [choice]})}\n\n"
    yield "data: [DONE]\n\n"


def _content(model: ScriptedModel, body: Body) -> Iterator[str]:
    """One answer of Gemini's interface."""
    part: Body = {"text": END}
    declared = [
        one for tool in body.get("tools", []) for one in tool.get("functionDeclarations", [])
    ]
    if offered := [one["name"] for one in declared]:
        parts = [part for said in body["contents"] for part in said["parts"]]
        answers = [
            one["functionResponse"]["response"] for one in parts if "functionResponse" in one
        ]
        results = [str(one.get("output") or one.get("error") or one) for one in answers]
        if call := model.next_call(results, offered):
            part = {"functionCall": {"name": call[0], "args": json.loads(call[1])}}
    candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    yield f"data: {json.dumps({'candidates': [candidate], 'usageMetadata': usage})}\n\n"


def _message(model: ScriptedModel, body: Body) -> Iterator[str]:
    """One answer of the Messages API."""
    block: Body = {"type": "text", "text": ""}
    delta: Body = {"type": "text_delta", "text": END}
    reason = "end_turn"
    # The script skips requests without our tools: a host makes them for a title, say.
    if offered := [tool["name"] for tool in body.get("tools", [])]:
        parts = [
            part
            for said in body["messages"]
            if isinstance(said["content"], list)
            for part in said["content"]
        ]
        results = [_text(one["content"]) for one in parts if one["type"] == "tool_result"]
        if call := model.next_call(results, offered):
            used = f"toolu_{len(results)}"
            block = {"type": "tool_use", "id": used, "name": call[0], "input": {}}
            delta = {"type": "input_json_delta", "partial_json": call[1]}
            reason = "tool_use"
    usage = {"input_tokens": 1, "output_tokens": 1}
    begun = {"id": "msg_0", "type": "message", "role": "assistant", "model": body["model"]}
    begun |= {"content": [], "stop_reason": None, "stop_sequence": None, "usage": usage}
    for event in (
        {"type": "message_start", "message": begun},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None},
         "usage": usage},
        {"type": "message_stop"},
    ):  # fmt: skip
        yield f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"


_INTERFACES = {
    "messages": _message,
    "responses": _response,
    "completions": _completion,
    "streamGenerateContent": _content,
}
