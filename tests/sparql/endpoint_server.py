"""A SPARQL endpoint on loopback that may answer some queries otherwise than its graph does."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

import pyoxigraph as ox


@contextmanager
def served(turtle: str, change: Callable[[str], tuple[int, str] | None]) -> Iterator[str]:
    """A SPARQL endpoint of a graph; `change` may answer a query in its place."""
    store = ox.Store()
    store.load(turtle.encode(), format=ox.RdfFormat.TURTLE)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
            plain = "sparql-query" in self.headers.get("content-type", "")
            self.answer(body if plain else parse_qs(body).get("query", [""])[0])

        def do_GET(self) -> None:
            self.answer(parse_qs(self.path.partition("?")[2]).get("query", [""])[0])

        def answer(self, query: str) -> None:
            status, text = change(query) or (200, "")
            if not text:
                found: Any = store.query(query)
                text = found.serialize(format=ox.QueryResultsFormat.JSON).decode()
            data = text.encode()
            self.send_response(status)
            self.send_header("content-type", "application/sparql-results+json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/sparql"
    finally:
        server.shutdown()
        server.server_close()
