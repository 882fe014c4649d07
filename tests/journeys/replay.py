"""A server on loopback that speaks the TfL API: recorded payloads, and errors made up for tests.

    python tests/journeys/replay.py --port 8765

Then `TFL_BASE_URL=http://127.0.0.1:8765`. What is made up says "synthetic" in its text. A place,
stop or line named `synthetic-...` gets the outcome of that name (see `OUTCOMES`), as in
`/Journey/JourneyResults/synthetic-429/to/1000254`. Recorded payloads: Powered by TfL Open Data.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import socket
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, unquote

# Started by hand, it finds the module that names the folder of real data too.
sys.path.insert(0, str(Path(__file__).parents[1]))

import uvicorn
from replay_payloads import Answer, Recorded, error, payload
from starlette.types import Receive, Scope, Send

KEY_NAME = "app_key"
SLOW_SECONDS = 60.0

# What a path segment or query value of this name gets, whatever is asked.
OUTCOMES: dict[str, Callable[[str], Answer]] = {
    "synthetic-400": lambda key: error(
        400, "<b>synthetic:</b> The date 20261399 is not valid", "InvalidArgumentException"
    ),
    "synthetic-401": lambda key: Answer(
        401, b'{"statusCode": 401, "message": "synthetic: Access denied, invalid key."}'
    ),
    "synthetic-403": lambda key: Answer(403, b"<html><body>synthetic: Forbidden</body></html>"),
    "synthetic-404": lambda key: error(404, "No journey found for your inputs."),
    "synthetic-404-place": lambda key: error(404, "synthetic: The place is not recognised."),
    "synthetic-420": lambda key: Answer(420, b"synthetic: Enhance your calm"),
    "synthetic-429": lambda key: Answer(429, b'{"message": "synthetic: Rate limit is exceeded."}'),
    "synthetic-429-long": lambda key: Answer(
        429, b'{"message": "synthetic: Rate limit is exceeded."}', {"retry-after": "3600"}
    ),
    "synthetic-500": lambda key: error(500, "synthetic: An error has occurred", "Exception"),
    "synthetic-503": lambda key: Answer(503, b"<html><h1>synthetic: Unavailable</h1></html>"),
    "synthetic-html": lambda key: Answer(
        200, b"<!DOCTYPE html><html><body>synthetic: Sign in</body></html>", {}, "text/html"
    ),
    "synthetic-truncated": lambda key: Answer(200, b'{"journeys": [{"duration": 1'),
    "synthetic-shape": lambda key: Answer(200, b'{"synthetic": "of another shape"}'),
    "synthetic-slow": lambda key: Answer(200, b"{}", delay=SLOW_SECONDS),
    "synthetic-breaks-off": lambda key: Answer(200, b'{"journeys": [', {"content-length": "4096"}),
    "synthetic-key": lambda key: error(400, f"synthetic: app_key={key} or {key.upper()} is bad"),
    "synthetic-redirect": lambda key: Answer(
        302, b"", {"location": "https://elsewhere.example/collect"}
    ),
}


class Request(NamedTuple):
    """One request as it came.

    Attributes:
        path: as sent, still percent-encoded, without the query.
        segments: the decoded parts of the path.
        headers: names in lower case.
    """

    path: str
    segments: tuple[str, ...]
    query: Mapping[str, str]
    headers: Mapping[str, str]


class Replay:
    """The server; `.url` once it is started.

    Attributes:
        requests: every request so far, in order.
        holding: while cleared, answers wait: for tests of requests that overlap.
    """

    def __init__(self, port: int = 0, recorded: Recorded | None = None) -> None:
        self.requests: list[Request] = []
        self.holding = threading.Event()
        self.holding.set()
        self.recorded = recorded or Recorded.standard()
        self._answers: dict[str, list[Answer]] = {}
        self._closing = threading.Event()
        self._socket = socket.create_server(("127.0.0.1", port))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        config = uvicorn.Config(
            self._app, interface="asgi3", http="h11", ws="none", lifespan="off", log_config=None,
            access_log=False, timeout_graceful_shutdown=1,
        )  # fmt: skip
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [self._socket]}, daemon=True
        )

    def start(self) -> Replay:
        self._thread.start()
        while not self._server.started and self._thread.is_alive():
            time.sleep(0.005)
        return self

    def close(self) -> None:
        self._closing.set()
        self.holding.set()
        self._server.should_exit = True
        self._thread.join(30)
        self._socket.close()

    def answer(
        self,
        path: str,
        value: Any = None,
        *,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
        body: bytes | str | None = None,
        content_type: str = "application/json; charset=utf-8",
        delay: float = 0.0,
    ) -> None:
        """Answer this path (decoded, without query, in any case) so from now on.

        Called again for one path, the answers are given in order, the last one for good.
        `value` is sent as JSON, `body` as it is.
        """
        if body is None:
            body = json.dumps(value)
        data = body.encode() if isinstance(body, str) else body
        self._answers.setdefault(path.casefold(), []).append(
            Answer(status, data, dict(headers or {}), content_type, delay)
        )

    def asked(self, beginning: str = "") -> list[str]:
        """Decoded paths of the requests so far that begin so (any case)."""
        paths = ["/" + "/".join(request.segments) for request in self.requests]
        return [path for path in paths if path.casefold().startswith(beginning.casefold())]

    async def _app(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        raw = scope["raw_path"].decode("ascii").partition("?")[0]
        request = Request(
            raw,
            tuple(unquote(part) for part in raw.strip("/").split("/")),
            dict(parse_qsl(scope["query_string"].decode("ascii"), keep_blank_values=True)),
            {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]},
        )
        self.requests.append(request)
        found = self._choose(request)
        waited = 0.0
        while not self._closing.is_set() and (waited < found.delay or not self.holding.is_set()):
            await asyncio.sleep(0.01)
            waited += 0.01
        headers = {
            "content-type": found.content_type,
            "content-length": str(len(found.body)),
            **found.headers,
        }
        lines = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": found.status, "headers": lines})
        if int(headers["content-length"]) > len(found.body):
            # uvicorn closes the connection of an answer that is never finished.
            await send({"type": "http.response.body", "body": found.body, "more_body": True})
            return
        await send({"type": "http.response.body", "body": found.body})

    def _choose(self, request: Request) -> Answer:
        own = self._answers.get("/" + "/".join(request.segments).casefold())
        if own:
            return own.pop(0) if len(own) > 1 else own[0]
        key = request.headers.get(KEY_NAME, "")
        for part in (*request.segments, *request.query.values()):
            if part.casefold() in OUTCOMES:
                return OUTCOMES[part.casefold()](key)
        return self.recorded.find(request.segments, request.query)


__all__ = ["OUTCOMES", "Answer", "Replay", "Request", "error", "payload"]


def main() -> int:
    parser = argparse.ArgumentParser(description="Replay recorded TfL payloads on loopback.")
    parser.add_argument("--port", type=int, default=8765)
    options = parser.parse_args()
    server = Replay(options.port).start()
    print(f"TFL_BASE_URL={server.url}", flush=True)
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        server.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
