"""A ClickHouse server, over HTTP by clickhouse-connect."""

from __future__ import annotations

import math
import threading
import uuid
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from groundwire.errors import UnavailableError
from groundwire.tables.clickhouse.engine import ClickHouseEngine, Failure, Lines
from groundwire.tables.clickhouse.values import FORMAT, SETTINGS, lines
from groundwire.tables.credentials import Server, read_server
from groundwire.tables.engine import Limits, within

_MISSING = "clickhouse-connect is not installed: run `pip install 'groundwire[clickhouse]'`."
_OPTIONS = frozenset(("secure", "verify", "ca_cert"))
_CHUNK = 1 << 16
# Longest that a connection waits for bytes, whoever has given up.
_LONGEST = 300


class ServerChannel:
    """Queries to one server; a `Channel`.

    Each is one HTTP request with `readonly=1`, a time limit and a limit of rows, whose answer the
    server holds back until it is whole; at the deadline the query is killed by its id. A connection
    that broke is made anew by the next query.

    Args:
        server: where it is, and the credentials.
    """

    can_write = None

    def __init__(self, server: Server) -> None:
        self._server = server
        self._lock = threading.Lock()
        self._client: Any = None

    def ask(self, sql: str, limits: Limits) -> Lines:
        """Answer a query; one that is late is killed on the server."""
        query_id = str(uuid.uuid4())
        return within(
            limits.seconds,
            lambda: self._fetch(sql, limits, query_id),
            lambda: self._kill(query_id),
        )

    def close(self) -> None:
        """Close the connections."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _connected(self) -> Any:
        """The client, which asks the server for its version and settings first."""
        if find_spec("clickhouse_connect") is None:
            raise UnavailableError(_MISSING)
        clickhouse_connect: Any = import_module("clickhouse_connect")
        with self._lock:
            if self._client is None:
                options = self._server.options
                secure = options.get("secure", "").lower() in ("1", "true", "yes")
                verified = options.get("verify", "").lower() not in ("0", "false", "no")
                self._client = clickhouse_connect.get_client(
                    host=self._server.host,
                    port=self._server.port or (8443 if secure else 8123),
                    username=self._server.user or None,
                    password=self._server.password,
                    database=self._server.path[0] if self._server.path else "__default__",
                    interface="https" if secure else "http",
                    verify=verified,
                    ca_cert=options.get("ca_cert"),
                    connect_timeout=5,
                    send_receive_timeout=_LONGEST,
                    autogenerate_session_id=False,
                    query_retries=0,
                    client_name="groundwire",
                )
            return self._client

    def _fetch(self, sql: str, limits: Limits, query_id: str) -> Lines:
        HTTPError: Any = import_module("urllib3.exceptions").HTTPError
        settings = {
            **SETTINGS,
            "max_execution_time": str(max(1, math.ceil(limits.seconds))),
            "timeout_overflow_mode": "throw",
            "max_result_rows": str(limits.rows + 1),
            "result_overflow_mode": "break",
            "cancel_http_readonly_queries_on_client_close": "1",
            "wait_end_of_query": "1",
            "query_id": query_id,
        }
        try:
            client = self._connected()
            stream = client.raw_stream(sql, settings=settings, fmt=FORMAT)
            try:
                return _taken(stream, limits)
            finally:
                stream.close()
        except UnavailableError:
            raise
        except (OSError, HTTPError) as error:
            raise self._unreachable(error) from None
        except Exception as error:
            # The client's errors have a class each; those of the server have a number.
            if "Code: " in str(error):
                raise Failure(self._server.without_secret(str(error))) from None
            raise self._unreachable(error) from None

    def _unreachable(self, error: Exception) -> UnavailableError:
        words = self._server.without_secret(str(error))[:200]
        return UnavailableError(
            f"ClickHouse at {self._server.shown} does not answer ({words}): check that it runs and "
            "that the URL names its HTTP port."
        )

    def _kill(self, query_id: str) -> None:
        with self._lock:
            client = self._client
        if client is None:
            return
        # Where the account may not, the server ends the query by its own limit of time.
        client.command(f"KILL QUERY WHERE query_id = '{query_id}' ASYNC")


def _taken(stream: Any, limits: Limits) -> Lines:
    """The lines of an answer up to the limits."""
    found: list[str] = []
    room = limits.characters
    for line in lines(iter(lambda: stream.read(_CHUNK), b"")):
        room -= len(line)
        if len(found) >= limits.rows + 2 or (room < 0 and len(found) > 2):
            return Lines(found, True)
        found.append(line.decode("utf-8", "replace"))
    return Lines(found, False)


def open_server(url: str, environ: Mapping[str, str]) -> ClickHouseEngine:
    """The engine on a server.

    Args:
        url: `clickhouse://[user@]host[:port][/database][?secure=true]`.
        environ: the environment, with the credentials.

    Raises:
        ConfigurationError: the URL is wrong, or holds a secret.
    """
    return ClickHouseEngine(ServerChannel(read_server(url, environ, _OPTIONS)))
