"""A server of Trino's REST protocol on loopback; Trino itself is no package that tests could have.

See https://trino.io/docs/current/develop/client-protocol.html. A statement's answer is found by
its text in `answers`; each answer comes on pages of `PAGE` rows behind `nextUri`. A statement that
is not there is translated and asked of the DuckDB file behind the server, where it has one, or
fails as an unknown table does; one that holds `forever` goes on until it is deleted.
"""

from __future__ import annotations

import json
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import duckdb
import sqlglot

PAGE = 2


class Handler(BaseHTTPRequestHandler):
    owner: TrinoServer

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_POST(self) -> None:
        text = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        self.owner.seen.append((text, dict(self.headers)))
        name = f"q{len(self.owner.seen)}"
        self.owner.running[name] = text
        if text.startswith("START TRANSACTION"):
            self.page(name, {}, started="tx-1")
        elif text == "ROLLBACK":
            self.page(name, {})
        elif "forever" in text:
            self.page(name, {"nextUri": self.next(name, 0)})
        elif not self.owner.answer(text):
            self.page(name, {"error": {
                "message": "line 1:15: Table 'hive.s.nope' does not exist",
                "errorCode": 46, "errorName": "TABLE_NOT_FOUND",
                "errorType": "USER_ERROR", "failureInfo": {},
            }})  # fmt: skip
        else:
            self.page(name, {"nextUri": self.next(name, 0)})

    def do_GET(self) -> None:
        name, _, number = self.path.rpartition("/v1/next/")[2].partition("/")
        text, place = self.owner.running[name], int(number)
        if "forever" in text:
            threading.Event().wait(0.05)
            self.page(name, {"nextUri": self.next(name, place + 1)})
            return
        columns, rows = self.owner.answers[text]
        part = rows[place : place + PAGE]
        more = {"nextUri": self.next(name, place + PAGE)} if rows[place + PAGE :] else {}
        self.page(name, {
            "columns": [
                {"name": column, "type": type_, "typeSignature": signature(type_)}
                for column, type_ in columns
            ],
            "data": part, **more,
        })  # fmt: skip

    def do_DELETE(self) -> None:
        self.owner.cancelled.append(self.path.rpartition("/v1/next/")[2].partition("/")[0])
        self.send_response(204)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def next(self, name: str, place: int) -> str:
        return f"http://127.0.0.1:{self.owner.port}/v1/next/{name}/{place}"

    def page(self, name: str, more: dict[str, Any], started: str = "") -> None:
        state = "RUNNING" if "nextUri" in more else "FAILED" if "error" in more else \
            "FINISHED"  # fmt: skip
        body = json.dumps({
            "id": name, "infoUri": f"http://127.0.0.1:{self.owner.port}/ui/{name}",
            "stats": {"state": state}, "warnings": [], **more,
        }).encode()  # fmt: skip
        self.send_response(200)
        if started:
            self.send_header("X-Trino-Started-Transaction-Id", started)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class TrinoServer:
    def __init__(self, port: int = 0, tables: Path | None = None) -> None:
        """Serve what stands in `answers`, and the tables of a DuckDB file where one is given."""
        self.tables = tables
        self.answers: dict[str, tuple[list[tuple[str, str]], list[list[Any]]]] = {}
        self.seen: list[tuple[str, dict[str, str]]] = []
        self.cancelled: list[str] = []
        self.running: dict[str, Any] = {}
        self._server = ThreadingHTTPServer(
            ("127.0.0.1", port), type("Bound", (Handler,), {"owner": self})
        )
        self.port = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def answer(self, text: str) -> bool:
        """Whether a statement has an answer; one that its tables can give is made."""
        if text not in self.answers and self.tables is not None:
            with suppress(duckdb.Error), duckdb.connect(str(self.tables), read_only=True) as own:
                asked = own.sql(sqlglot.transpile(text, read="trino", write="duckdb")[0])
                types = [_TYPES.get(str(one), str(one).lower()) for one in asked.types]
                rows = [list(map(_as_json, row)) for row in asked.fetchall()]
                self.answers[text] = list(zip(asked.columns, types, strict=True)), rows
        return text in self.answers

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


# Types of DuckDB that Trino calls by other names, or does not have.
_TYPES = {"HUGEINT": "decimal(38,0)", "TIMESTAMP": "timestamp(6)"}


def _as_json(value: object) -> object:
    """A value as the protocol carries it: numbers with a point and days as text."""
    return value if value is None or isinstance(value, bool | int | float) else str(value)


def signature(type_: str) -> dict[str, Any]:
    """The type as the protocol has it besides its text, for types with numbers."""
    raw, _, rest = type_.partition("(")
    numbers, _, tail = rest.partition(")")
    raw += tail
    inner = [part.strip() for part in numbers.split(",")] if numbers else []
    arguments: list[dict[str, Any]] = [
        {"kind": "LONG", "value": int(part)} if part.isdigit()
        else {"kind": "TYPE", "value": signature(part)}
        for part in inner
    ]  # fmt: skip
    return {"rawType": raw, "arguments": arguments}
