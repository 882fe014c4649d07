"""A Trino server as an SQL engine over its REST protocol, behind a gate of functions and tables."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from groundwire.errors import (
    ConfigurationError,
    ForbiddenError,
    GroundwireError,
    InputError,
    UnavailableError,
)
from groundwire.tables import gate
from groundwire.tables.bounds import Refused, listed
from groundwire.tables.credentials import PASSWORD, USER, Server, read_server
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

_CATALOGUE = frozenset(("columns", "tables", "views"))
_TYPES = listed(
    """
    array char character decimal map numeric qdigest row time timestamp varbinary varchar
    """
)


@cache
def policy() -> Policy:
    """The rules of the gate for Trino's SQL."""
    return Policy(
        dialect="trino",
        functions=words(Path(__file__).with_name("functions.txt")),
        types=_TYPES,
        table_functions=listed("unnest"),
        telling=listed(
            "current_catalog current_groups current_path current_role current_schema current_user"
        ),
        # https://trino.io/docs/current/connector/hive.html#metadata-columns, and those of Iceberg.
        hidden=listed(
            "$bucket $file_modified_time $file_size $partition $path $row_id "
            "$last_updated_sequence_number"
        ),
        table=_objection,
    )


@lru_cache(maxsize=256)
def check(text: str) -> str:
    """Check a query, and return the text to send; see `groundwire.tables.gate.check`."""
    return gate.check(text, policy())


def _objection(parts: Parts) -> str:
    if any("$" in part for part in parts):
        # orders$files, orders$snapshots: https://trino.io/docs/current/connector/iceberg.html
        return f"The table {'.'.join(parts)} tells of files, and is not read here: leave it out."
    if len(parts) == 3 and parts[0] == "system":
        return "The tables of the catalog system are not read here: leave them out."
    if len(parts) > 1 and parts[-2] in ("runtime", "metadata", "jdbc"):
        return f"The tables of {parts[-2]} are not read here: leave them out."
    if len(parts) > 1 and parts[-2] == "information_schema" and parts[-1] not in _CATALOGUE:
        return f"The table {'.'.join(parts)} is not read here: information_schema.tables is."
    return ""


_MISSING = "The client of Trino is not installed: run `pip install 'groundwire[trino]'`."
_OPTIONS = frozenset(("secure", "verify"))
_OURS = Limits(seconds=60.0, rows=1_000_000, characters=200_000_000)
_CLIENT = ("trino.client", "trino.exceptions", "requests")
_BEGIN = "START TRANSACTION READ ONLY"
_STARTED = "X-Trino-Started-Transaction-Id"
# Seconds that the server may take to take a connection, and to give each page of an answer.
_CONNECTING, _PAGE = 5.0, 300.0


class TrinoEngine:
    """One catalog of a Trino server; an `Engine`.

    Each query runs in a READ ONLY transaction of its own, with `query_max_run_time`; at the
    deadline it is cancelled on the server. Decimals are exact; NaN and the infinities are None;
    instants with a zone are in UTC; varbinary is its first bytes in hexadecimal; arrays, maps and
    rows are JSON.

    Args:
        url: `trino://[user@]host[:port]/catalog[/schema][?secure=true]`.
        environ: the environment, with the credentials; a password needs `secure`.

    Raises:
        ConfigurationError: the URL is wrong, names no catalog or no user, or holds a secret.
    """

    dialect = "trino"

    def __init__(self, url: str, environ: Mapping[str, str]) -> None:
        server = read_server(url, environ, _OPTIONS)
        if not 1 <= len(server.path) <= 2:
            raise ConfigurationError(
                "The Trino URL names no catalog: write trino://HOST:PORT/CATALOG/SCHEMA."
            )
        if not server.user:
            raise ConfigurationError(f"Trino needs a user: set {USER}.")
        self._secure = server.options.get("secure", "").lower() in ("1", "true", "yes")
        if server.password and not self._secure:
            raise ConfigurationError(
                f"{PASSWORD} is set, and Trino takes it over HTTPS only: add ?secure=true."
            )
        self._server: Server = server
        self._catalog = server.path[0]
        self._schema = server.path[1] if len(server.path) > 1 else None
        self._lock = threading.Lock()
        self._http: Any = None

    def run(self, sql: str, limits: Limits = Limits()) -> Result:  # noqa: B008 - it is frozen
        """Run one reading statement; see `Engine`."""
        try:
            passed = check(sql)
        except Refused as refused:
            raise ForbiddenError(str(refused)) from None
        return self._ask(passed, limits)

    def tables(self) -> Sequence[Table]:
        """Tables and views of the catalog that the user can read; Trino knows no keys."""
        found = self._read("tables").rows
        columns: dict[tuple[Value, Value], list[tuple[Any, ...]]] = {}
        for schema, table, name, type_, nullable, comment in self._read("columns").rows:
            columns.setdefault((schema, table), []).append(
                (name, type_, nullable == "YES", comment or "")
            )
        return unpacked(
            (
                self._name(str(schema), str(table)),
                columns.get((schema, table), []),
                (),
                (),
                (),
                "",
                None,
            )
            for schema, table in found
        )

    def check(self) -> Check:
        """How the server is doing, and whether the user could write as far as grants tell."""
        (row,) = self._ask("SELECT version()", _OURS).rows
        version = f"Trino {row[0]}"
        try:
            found = self._read("writing").rows
        except InputError:
            found = ()
        mode = _BEGIN.partition(" ")[2]
        if found:
            privilege, schema, table = found[0]
            return Check(
                version,
                True,
                f"The user may {privilege} {schema}.{table}: connect as one that may only SELECT.",
                mode,
            )
        return Check(
            version,
            None,
            "Trino does not tell whether the user may write: see that its access control grants "
            "only SELECT.",
            mode,
        )

    def close(self) -> None:
        """Close the connections."""
        with self._lock:
            http, self._http = self._http, None
        if http is not None:
            http.close()

    def _name(self, schema: str, table: str) -> str:
        if schema == self._schema:
            return written(table, folds=True)
        return written(schema, table, folds=True)

    def _read(self, name: str) -> Result:
        query = (Path(__file__).parent / f"{name}.sql").read_text("utf-8")
        return self._ask(query, _OURS)

    def _ask(self, sql: str, limits: Limits) -> Result:
        if find_spec("trino") is None:
            raise UnavailableError(_MISSING)
        began = time.monotonic()
        running = _Running()
        heads, rows, whole = within(
            limits.seconds,
            lambda: self._fetch(sql, limits, running),
            running.cancel,
        )
        return Result(heads, rows, whole, time.monotonic() - began)

    def _fetch(
        self, sql: str, limits: Limits, running: _Running
    ) -> tuple[tuple[Column, ...], tuple[tuple[Value, ...], ...], bool]:
        client, exceptions, requests = map(import_module, _CLIENT)
        try:
            request = self._request(limits)
            _begin(request)
            try:
                query = client.TrinoQuery(request, sql)
                running.start(query)
                return _taken(query, limits)
            finally:
                _end(request)
        except exceptions.TrinoQueryError as error:
            raise self._explained(error, limits) from None
        except (exceptions.Error, exceptions.HttpError, requests.RequestException) as error:
            words = self._server.without_secret(str(error))[:200]
            raise UnavailableError(
                f"Trino at {self._server.shown} does not answer ({words}): check that it runs and "
                "that the credentials are right."
            ) from None

    def _request(self, limits: Limits) -> Any:
        client, _, requests = map(import_module, _CLIENT)
        basic = import_module("trino.auth").BasicAuthentication
        server = self._server
        with self._lock:
            if self._http is None:
                self._http = requests.Session()
                self._http.verify = server.options.get("verify", "true").lower() != "false"
        session = client.ClientSession(
            user=server.user,
            catalog=self._catalog,
            schema=self._schema,
            source="groundwire",
            properties={"query_max_run_time": f"{limits.seconds:.2f}s"},
            timezone="UTC",
        )
        return client.TrinoRequest(
            host=server.host,
            port=server.port or (443 if self._secure else 8080),
            client_session=session,
            http_session=self._http,
            http_scheme="https" if self._secure else "http",
            auth=basic(server.user, server.password) if server.password else None,
            max_attempts=1,
            request_timeout=(_CONNECTING, _PAGE),
        )

    def _explained(self, error: Any, limits: Limits) -> GroundwireError:
        words = self._server.without_secret(str(error.message)).rstrip(". ")[:300]
        if "TIME_LIMIT" in str(error.error_name) or error.error_name == "USER_CANCELED":
            return late(limits.seconds)
        if error.error_type == "INSUFFICIENT_RESOURCES":
            return InputError(f"The query needs more than it may have ({words}): narrow it.")
        return InputError(f"Trino: {words}. Mend the query.")


class _Running:
    """The query that is under way, for whoever cancels it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._query: Any = None
        self._cancelled = False

    def start(self, query: Any) -> None:
        """Remember the query; one whose time is up already is not begun."""
        with self._lock:
            self._query = query
            if self._cancelled:
                raise late(0)

    def cancel(self) -> None:
        """Have the server cancel it."""
        with self._lock:
            self._cancelled = True
            query = self._query
        if query is not None:
            query.cancel()


def _begin(request: Any) -> None:
    """Begin a READ ONLY transaction, in which the request then runs its queries.

    Raises:
        UnavailableError: the server says of none that it began.
    """
    response = request.post(_BEGIN)
    begun = False
    while True:
        started = response.headers.get(_STARTED)
        if started:
            request.transaction_id = started
            begun = True
        status = request.process(response)
        if not status.next_uri:
            break
        response = request.get(status.next_uri)
    if not begun:
        raise UnavailableError(
            "The server began no READ ONLY transaction, so nothing is asked of it: check that it "
            "is Trino and that no proxy leaves out its headers."
        )


def _end(request: Any) -> None:
    """Roll the transaction back; a server that is gone has forgotten it anyway."""
    _, exceptions, requests = map(import_module, _CLIENT)
    try:
        status = request.process(request.post("ROLLBACK"))
        while status.next_uri:
            status = request.process(request.get(status.next_uri))
    except (exceptions.Error, exceptions.HttpError, requests.RequestException):
        return


def _taken(
    query: Any, limits: Limits
) -> tuple[tuple[Column, ...], tuple[tuple[Value, ...], ...], bool]:
    """Columns, rows up to the limits, and whether those are all; the rest is cancelled."""
    result = query.execute()
    heads = tuple(Column(column["name"], column["type"]) for column in query.columns or ())
    rows: list[tuple[Value, ...]] = []
    room = limits.characters
    for row in result:
        values = tuple(map(plain, row))
        room -= sum(map(size, values))
        if len(rows) >= limits.rows or room < 0:
            query.cancel()
            return heads, tuple(rows), False
        rows.append(values)
    return heads, tuple(rows), True
