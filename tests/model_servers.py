"""A model on loopback that answers as Ollama and OpenAI-compatible servers do, and may fail."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

_PASSAGE = re.compile(r"^\[(\d+)\] (.*)$", re.MULTILINE)
_QUERY = re.compile(r"^Question: (.*)$", re.MULTILINE)


class ModelServer:
    """Serves embeddings and orders; keeps what it was sent."""

    def __init__(
        self,
        embed: Callable[[str], list[float]] = lambda text: [1.0, float(len(text))],
        rerank: Callable[[str, Sequence[str]], list[int]] = lambda query, texts: [],
        answer: Callable[[str, dict[str, Any]], tuple[int, bytes] | None] = lambda path, body: None,
    ) -> None:
        """Name what it answers.

        Args:
            embed: the vector of a text.
            rerank: places of the passages, from 0, best first.
            answer: another status and body instead, for failures.
        """
        self.embed, self.rerank, self.answer = embed, rerank, answer
        self.sent: list[tuple[str, dict[str, Any], dict[str, str]]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                body = json.loads(self.rfile.read(length))
                outer.sent.append(
                    (self.path, body, {name.lower(): text for name, text in self.headers.items()})
                )
                status, content = outer.answer(self.path, body) or (
                    200,
                    outer.reply(self.path, body),
                )
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def reply(self, path: str, body: dict[str, Any]) -> bytes:
        if path == "/api/embed":
            return json.dumps({"embeddings": [self.embed(one) for one in body["input"]]}).encode()
        if path == "/embeddings":
            data = [
                {"index": at, "embedding": self.embed(one)} for at, one in enumerate(body["input"])
            ]
            return json.dumps({"data": data[::-1]}).encode()
        prompt = body["messages"][-1]["content"]
        query = _QUERY.search(prompt)
        texts = [text for _, text in _PASSAGE.findall(prompt)]
        places = [at + 1 for at in self.rerank(query[1] if query else "", texts)]
        content = json.dumps({"order": places})
        if path == "/api/chat":
            return json.dumps({"message": {"role": "assistant", "content": content}}).encode()
        return json.dumps({"choices": [{"message": {"content": content}}]}).encode()

    def texts(self) -> str:
        """Everything that was sent, as one text."""
        return "\n".join(json.dumps(body, ensure_ascii=False) for _, body, _ in self.sent)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stop answering."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
