"""A Spark server as an SQL engine, over Spark Connect, behind a gate of functions and tables."""

from __future__ import annotations

import logging
import os
import socket
import threading
import time
import uuid
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache, partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from groundwire.errors import (
    DeadlineError,
    ForbiddenError,
    GroundwireError,
    InputError,
    UnavailableError,
)
from groundwire.tables import gate
from groundwire.tables.bounds import Refused, listed
from groundwire.tables.credentials import Server, read_server
from groundwire.tables.engine import (
    Check,
    Column,
    Limits,
    Result,
    Table,
    Value,
    late,
    plain,
    size,
    unpacked,
    within,
)
from groundwire.tables.gate import Parts, Policy, words
from groundwire.tables.quoting import written

# Before a point they name files: https://spark.apache.org/docs/latest/sql-data-sources.html
_SOURCES = listed(
    """
    avro binaryfile cloudfiles com console csv delta deltasharing excel hive hudi iceberg image jdbc
    json kafka libsvm memory noop orc org parquet protobuf rate socket statestore text xml
    """
)
# Tables about a table: https://iceberg.apache.org/docs/latest/spark-queries/#inspecting-tables
_FILES = listed(
    """
    all_data_files all_delete_files all_entries all_files all_manifests changes data_files
    delete_files entries files history manifests metadata_log_entries partitions position_deletes
    refs snapshots
    """
)
_TYPES = listed("array char decimal map numeric struct timestamp varchar")


@cache
def policy() -> Policy:
    """The rules of the gate for Spark's SQL."""
    return Policy(
        dialect="spark",
        functions=words(Path(__file__).with_name("functions.txt")),
        types=_TYPES,
        table_functions=listed(
            """
            explode explode_outer inline inline_outer posexplode posexplode_outer range stack
            variant_explode variant_explode_outer
            """
        ),
        telling=listed(
            "current_catalog current_database current_path current_schema current_user "
            "session_user user"
        ),
        # https://spark.apache.org/docs/latest/sql-data-sources-generic-options.html
        hidden=listed("_metadata"),
        table=_objection,
        texts={"${": "${...} would be replaced by a setting or variable: leave it out."},
    )


@lru_cache(maxsize=256)
def check(text: str) -> str:
    """Check a query, and return the text to send; see `groundwire.tables.gate.check`."""
    return gate.check(text, policy())


def _objection(parts: Parts) -> str:
    if len(parts) > 1 and parts[0] in _SOURCES:
        return f"{parts[0]}.`...` names files, which are not read here: name a table."
    if parts == ("stream",):
        return "Streams are not read here: name a table."
    if parts[:1] == ("system",):
        return "The tables of the catalog system are not read here: leave them out."
    if len(parts) > 2 and parts[-1] in _FILES:
        return f"The table {'.'.join(parts)} tells of files, and is not read here: leave it out."
    return ""


_MISSING = "Spark Connect's client is not installed: run `pip install 'groundwire[spark]'`."
_PORT = 15002
_OPTIONS = frozenset(("use_ssl",))
# Settings of the session: no files by path, no ${...} in texts, instants in UTC.
_SETTINGS = {
    "spark.sql.runSQLOnFiles": "false",
    "spark.sql.variable.substitute": "false",
    "spark.sql.session.timeZone": "UTC",
}
# Errors of a session that the server does not know any more.
_GONE = ("SESSION_NOT_FOUND", "SESSION_CHANGED", "SESSION_CLOSED", "INVALID_HANDLE")
_AWAY = ("UNAVAILABLE", "failed to connect", "Connection refused", "RETRIES_EXCEEDED")
_DESCRIBING = 60.0
_CONNECTING = 60.0
_CLOSING = 3.0


class SparkEngine:
    """One Spark server; an `Engine`.

    The session reads no file by its path and replaces no variable in a text. Queries are sent with
    a tag, by which they are interrupted at the deadline. Decimals are exact; NaN and the infinities
    are None; instants are in UTC; binary is its first bytes in hexadecimal; arrays, maps and
    structures are JSON.

    Args:
        url: `sc://host[:port][/;use_ssl=true]` or `spark://host[:port]`.
        environ: the environment; the password is the server's token.

    Raises:
        ConfigurationError: the URL is wrong, or holds a secret.
    """

    dialect = "spark"

    def __init__(self, url: str, environ: Mapping[str, str]) -> None:
        self._server: Server = read_server(url, environ, _OPTIONS)
        self._lock = threading.Lock()
        self._held: Any = None

    def run(self, sql: str, limits: Limits = Limits()) -> Result:  # noqa: B008 - it is frozen
        """Run one reading statement; see `Engine`."""
        try:
            passed = check(sql)
        except Refused as refused:
            raise ForbiddenError(str(refused)) from None
        began = time.monotonic()
        heads, rows, whole = self._asked(limits.seconds, lambda held: _taken(held, passed, limits))
        return Result(heads, rows, whole, time.monotonic() - began)

    def tables(self) -> Sequence[Table]:
        """Tables and views of all databases of the current catalog; Spark knows no keys."""
        return unpacked(self._asked(_DESCRIBING, _described))

    def check(self) -> Check:
        """How the server is doing; Spark Connect does not tell what its user may do."""
        version = self._asked(_CONNECTING, _version)
        return Check(
            f"Spark {version}",
            None,
            "Spark does not tell whether the user may write: see that the catalogue behind it "
            "grants only SELECT, or mount the tables' files read-only.",
        )

    def close(self) -> None:
        """End the session."""
        with self._lock:
            held, self._held = self._held, None
        if held is not None:
            _stop(held)

    def _asked(self, seconds: float, work: Callable[[Any], Any]) -> Any:
        """Return the result of `work` in the session; a session that is gone is made anew, once."""
        deadline = time.monotonic() + seconds
        for again in (True, False):
            tag = f"groundwire-{uuid.uuid4()}"
            held = self._session()
            try:
                return within(
                    max(0.0, deadline - time.monotonic()),
                    partial(_tagged, held, tag, work),
                    partial(held.interruptTag, tag),
                )
            except DeadlineError:
                raise late(seconds) from None
            except GroundwireError:
                raise
            except Exception as error:
                text = str(error)
                if any(word in text for word in _GONE):
                    self._forget(held)
                    if again:
                        continue
                raise self._explained(error, seconds, held) from None
        raise UnavailableError("Spark ended the session twice: retry.")

    def _explained(self, error: Exception, seconds: float, held: Any) -> GroundwireError:
        text = self._server.without_secret(str(error).partition("JVM stacktrace")[0])
        if "OPERATION_CANCELED" in text or "OPERATION_CANCELLED" in text:
            return late(seconds)
        if any(word in text for word in _AWAY):
            self._forget(held)
            return UnavailableError(self._away(text[:150]))
        words = text.partition(" SQLSTATE")[0].partition("; line")[0].rstrip(". ;")[:300]
        return InputError(f"Spark: {words}. Mend the query.")

    def _away(self, why: str) -> str:
        return (
            f"Spark Connect at {self._server.shown} does not answer ({why}): check that it runs "
            "and that the token is right."
        )

    def _forget(self, held: Any) -> None:
        with self._lock:
            if self._held is held:
                self._held = None

    def _session(self) -> Any:
        if find_spec("pyspark") is None or find_spec("grpc") is None:
            raise UnavailableError(_MISSING)
        with self._lock:
            if self._held is None:
                self._held = within(_CONNECTING, self._connected, lambda: None)
            return self._held

    def _connected(self) -> Any:
        """A new session with its settings."""
        server = self._server
        port = server.port or _PORT
        try:
            # Spark's own client would try for minutes.
            socket.create_connection((server.host, port), timeout=5.0).close()
        except OSError as error:
            raise UnavailableError(self._away(str(error))) from None
        parts = [f"user_id={server.user}"] if server.user else []
        if server.password:
            parts.append(f"token={server.password}")
        if server.options.get("use_ssl", "").lower() == "true":
            parts.append("use_ssl=true")
        host = f"[{server.host}]" if ":" in server.host else server.host
        address = f"sc://{host}:{port}/;{';'.join(parts)}"
        os.environ.setdefault("GRPC_VERBOSITY", "NONE")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            sessions: Any = import_module("pyspark.sql.connect.session")
            for name in ("SQLQueryContextLogger", "pyspark.sql.connect.logging"):
                logging.getLogger(name).disabled = True
            try:
                held: Any = sessions.SparkSession.builder.remote(address).create()
                held.client.set_retry_policies([_patience()])
                for name, value in _SETTINGS.items():
                    held.conf.set(name, value)
            except Exception as error:
                raise UnavailableError(
                    self._away(server.without_secret(str(error))[:150])
                ) from None
        return held


def _patience() -> Any:
    """How often the client tries again; by itself it would for ten minutes, at the exit too."""
    retries: Any = import_module("pyspark.sql.connect.client.retries")
    return retries.DefaultPolicy(max_retries=3, max_backoff=1000, max_server_retry_delay=2000)


def _stop(held: Any) -> None:
    try:
        within(_CLOSING, held.client.close, lambda: None)
    except Exception:
        # The server is gone, and the session with it.
        return


def _tagged(held: Any, tag: str, work: Any) -> Any:
    # Tags are of the thread.
    held.addTag(tag)
    return work(held)


def _taken(
    held: Any, sql: str, limits: Limits
) -> tuple[tuple[Column, ...], tuple[tuple[Value, ...], ...], bool]:
    """Columns, rows up to the limits, and whether those are all."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        types: Any = import_module("pyspark.sql.pandas.types")
        table = held.sql(sql).limit(limits.rows + 1).toArrow()
        heads = tuple(
            Column(field.name, types.from_arrow_type(field.type).simpleString(), field.nullable)
            for field in table.schema
        )
    columns = [column.to_pylist() for column in table.columns]
    rows: list[tuple[Value, ...]] = []
    room = limits.characters
    for row in zip(*columns, strict=True):
        values = tuple(map(plain, row))
        room -= sum(map(size, values))
        if len(rows) >= limits.rows or room < 0:
            return heads, tuple(rows), False
        rows.append(values)
    return heads, tuple(rows), True


def _version(held: Any) -> str:
    return str(held.version)


def _described(held: Any) -> list[tuple[Any, ...]]:
    """All tables, as `described.unpacked` takes them."""
    current = held.catalog.currentDatabase()
    found: list[tuple[Any, ...]] = []
    for database in held.catalog.listDatabases():
        for table in held.catalog.listTables(database.name):
            if table.isTemporary:
                continue
            name = f"`{_quoted(database.name)}`.`{_quoted(table.name)}`"
            columns = [
                (column.name, column.dataType, column.nullable, column.description or "")
                for column in held.catalog.listColumns(name)
            ]
            path = (table.name,) if database.name == current else (database.name, table.name)
            shown = written(*path, quote="`")
            found.append((shown, columns, (), (), (), table.description or "", None))
    return found


def _quoted(name: str) -> str:
    return name.replace("`", "``")
