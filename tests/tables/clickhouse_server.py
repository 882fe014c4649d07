"""A server of ClickHouse's HTTP interface over chDB: the engine is real, the server is the tests'.

Started as `python clickhouse_server.py PORT FOLDER`. It answers one query at a time, applies the
settings of output and of the number of rows, and holds a query that names
`numbers(1000000000000)` until it is killed by its id. `GET /seen` gives what it was sent.
"""

from __future__ import annotations

import base64
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from chdb import session

APPLIED = ("output_format_", "date_time_output_format", "session_timezone", "max_result_rows",
           "result_overflow_mode")  # fmt: skip
PASSWORD = "geheim-1"
seen: list[dict[str, str]] = []
killed: dict[str, threading.Event] = {}
lock = threading.Lock()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def answer(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        if parts.path == "/seen":
            self.answer(200, json.dumps(seen).encode())
        else:
            self.query(dict(parse_qsl(parts.query)), b"")

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.query(dict(parse_qsl(urlsplit(self.path).query)), body)

    def credentials(self) -> tuple[str, str]:
        _, _, basic = self.headers.get("Authorization", "").partition(" ")
        user, _, key = base64.b64decode(basic).decode().partition(":")
        return user, key

    def query(self, given: dict[str, str], body: bytes) -> None:
        text = given.pop("query", "") or body.decode()
        user, key = self.credentials()
        seen.append({**given, "text": text})
        if user == "reader" and key != PASSWORD:
            self.failed(516, f"reader: Authentication failed: password {key} is incorrect")
        elif text.startswith("KILL QUERY"):
            one = text.split("'")[1]
            killed.setdefault(one, threading.Event()).set()
            self.answer(200, b"")
        elif "numbers(1000000000000)" in text:
            event = killed.setdefault(given.get("query_id", ""), threading.Event())
            if event.wait(60):
                self.failed(394, "Query was cancelled")
            else:
                self.failed(159, "Timeout exceeded")
        else:
            self.run(given, text)

    def run(self, given: dict[str, str], text: str) -> None:
        if text.startswith("SHOW GRANTS"):
            grant = "SELECT ON w.*" if self.credentials()[0] == "reader" else \
                "SELECT, INSERT, CREATE TABLE ON *.*"  # fmt: skip
            text = text.replace("SHOW GRANTS", f"SELECT 'GRANT {grant} TO x' AS GRANTS")
        mode = int(given.get("readonly", 0))
        text = text.replace("getSetting('readonly')", f"toUInt64({mode})")
        with lock:
            applied = {key: value for key, value in given.items() if key.startswith(APPLIED)}
            try:
                held.query(f"USE {given.get('database', 'default')}")
                for key, value in applied.items():
                    held.query(f"SET {key} = '{value}'")
                found = held.query(text, given.get("default_format", "TabSeparated"))
                self.answer(200, found.bytes(), X_ClickHouse_Query_Id=given.get("query_id", ""))
            except Exception as error:
                self.failed(int(str(error).split("Code: ")[-1].split(".")[0]), str(error))
            finally:
                for key in applied:
                    held.query(f"SET {key} = DEFAULT")

    def failed(self, code: int, message: str) -> None:
        text = message if "Code: " in message else f"Code: {code}. DB::Exception: {message}. (X)"
        self.answer(500, text.encode(), X_ClickHouse_Exception_Code=str(code))


if __name__ == "__main__":
    port, folder = int(sys.argv[1]), sys.argv[2]
    held = session.Session(folder)
    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    print("ready", flush=True)
    server.serve_forever()
