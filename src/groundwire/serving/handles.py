"""Handles that serving gives out beside evidence: cursors of listings, journeys, runs.

A cursor is published as a text. Serving opens it before the tool runs and mints the next one from
the result's `next_offset`, so a domain knows offsets only.

A handle stands for a small JSON object that its owner alone may open until it expires. Handles
outlive the process and are shared by all processes of one state folder or database. Nothing is lost
with one that is lost: the caller asks again. So a commit does not wait for the disk, and where
nothing can be written the handles of this process are kept in memory.
"""

from __future__ import annotations

import hashlib
import json
import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

from groundwire.errors import InputError, NotFoundError, UnavailableError
from groundwire.safe_text import may_be_handle, new_handle
from groundwire.state import Connection, Database, Layout, StatePlace, opened
from groundwire.statefile import DamagedError, StateFile

KIND = "cursor"
LIFETIME_SECONDS = 3600.0
MAX_HANDLE = 200


class HandleStore(Protocol):
    """Random handles that expire and belong to an owner."""

    def mint(self, owner: str, kind: str, payload: Mapping[str, Any], ttl: float) -> str:
        """A new handle for `payload`, valid for `ttl` seconds."""
        ...

    def open(self, handle: str, owner: str, kind: str) -> Mapping[str, Any]:
        """The payload of a handle.

        Raises:
            NotFoundError: unknown, expired, of another kind or of another owner.
        """
        ...

    def close(self) -> None:
        """Give back what is held open; a later call opens it again."""
        ...


@dataclass(frozen=True, slots=True)
class Cursor:
    """A position in a listing, as a tool argument.

    Attributes:
        handle: the `next_cursor` that was sent, or None on the first page.
        offset: how many items lie before this page.
        first_page: what stood on the first page, where the domain needs that to go on.
    """

    handle: str | None = None
    offset: int = 0
    first_page: tuple[str, ...] = ()

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Read from a text; written as the text that was sent."""
        return core_schema.no_info_after_validator_function(
            lambda handle: cls(handle=handle),
            core_schema.str_schema(strip_whitespace=True, max_length=MAX_HANDLE),
            serialization=core_schema.plain_serializer_function_ser_schema(
                lambda cursor: cursor.handle
            ),
        )

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """Published as a text; its length is nobody's concern."""
        return {"type": "string", "description": "The last next_cursor."}


START = Cursor()


def binding(tool: str, arguments: Mapping[str, Any]) -> str:
    """Return what a cursor is bound to: the tool and all its other arguments, as one hash."""
    text = json.dumps([tool, arguments], sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def cursor_at(handles: HandleStore, owner: str, handle: str, bound_to: str) -> Cursor:
    """The position behind a handle.

    Raises:
        InputError: the handle is unknown, expired, another owner's, or was minted for another
            tool or other arguments.
    """
    try:
        payload = handles.open(handle, owner, KIND)
    except NotFoundError as exc:
        raise InputError(
            "this cursor is unknown or has expired: call again without cursor to start over."
        ) from exc
    if payload.get("bound_to") != bound_to:
        raise InputError(
            "this cursor was given for other arguments: send it with exactly the arguments of "
            "the call that returned it, or leave cursor out to start over."
        )
    return Cursor(handle, int(payload["offset"]), tuple(payload.get("first_page", ())))


def minted(
    handles: HandleStore, owner: str, offset: int, bound_to: str, first_page: Sequence[str] = ()
) -> str:
    """A handle for the page that begins at `offset`, after a page that held `first_page`."""
    payload: dict[str, Any] = {"offset": offset, "bound_to": bound_to}
    if first_page:
        payload["first_page"] = list(first_page)
    return handles.mint(owner, KIND, payload, ttl=LIFETIME_SECONDS)


_TABLES = (
    """CREATE TABLE handles (
        handle TEXT PRIMARY KEY,
        owner TEXT NOT NULL,
        kind TEXT NOT NULL,
        expires REAL NOT NULL,
        payload TEXT NOT NULL
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX handles_by_expiry ON handles (expires)",
)
# A caller waits for the answer, not for the file: memory will do.
_BUSY_SECONDS = 0.25
_RETRY_SECONDS = 5.0
_PURGE_SECONDS = 300.0
_PURGED_AT_ONCE = 500
_MEMORY = 10_000
_log = logging.getLogger(__name__)

# owner, kind, expires, payload
_Entry = tuple[str, str, float, str]


class Handles:
    """The store of handles at a place; nothing is opened before it is needed.

    Its methods may be called from any thread and take 0.1 ms; none fails because of the disk.

    Args:
        place: the SQLite file, made with its folder when it is first needed; or the database.
        clock: seconds since 1970.
    """

    def __init__(self, place: StatePlace, clock: Callable[[], float] = time.time) -> None:
        layout = Layout(
            "handles",
            "file of handles",
            application=0x4757484E,  # "GWHN"
            version=1,
            tables=_TABLES,
            # This does not wait for the disk, and what is stored stays sound.
            synchronous="NORMAL",
            busy_seconds=_BUSY_SECONDS,
        )
        self._state = opened(place, layout)
        self._clock = place.clock(clock) if isinstance(place, Database) else clock
        self._lock = threading.Lock()
        self._memory: dict[str, _Entry] = {}
        self._retry_at = 0.0
        self._purge_at = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the store; a later call opens it again."""
        with self._lock:
            self._state.close()

    def mint(self, owner: str, kind: str, payload: Mapping[str, Any], ttl: float) -> str:
        """A new handle, which begins with the first two letters of `kind`.

        Args:
            owner: who may open it.
            kind: what it stands for ("cursor", "journey", ...).
            payload: what `open` returns; JSON.
            ttl: seconds until it expires.
        """
        handle = new_handle(kind[:2])
        now = self._clock()
        text = json.dumps(dict(payload), separators=(",", ":"))
        entry = (owner, kind, now + ttl, text)
        with self._lock:
            if not self._stored(handle, entry, now):
                self._remember(handle, entry, now)
        return handle

    def open(self, handle: str, owner: str, kind: str) -> dict[str, Any]:
        """Return what a handle stands for.

        Raises:
            NotFoundError: it is unknown, expired, of another kind or another owner's; which of
                these is not told.
        """
        with self._lock:
            entry = self._memory.get(handle)
            if entry is None and may_be_handle(handle):
                entry = self._read(handle)
        if entry is not None:
            whose, what, expires, text = entry
            if whose == owner and what == kind and expires > self._clock():
                return json.loads(text)
        raise NotFoundError(
            f"This {kind} is unknown or has expired: repeat the call that gave it, and send what "
            "that returns."
        )

    def _stored(self, handle: str, entry: _Entry, now: float) -> bool:
        """Write a handle to the store; whether that went well."""
        if now < self._retry_at:
            return False
        try:
            with self._state.writing() as connection:
                connection.execute(
                    "INSERT INTO handles (handle, owner, kind, expires, payload) "
                    "VALUES (?, ?, ?, ?, ?)",
                    (handle, *entry),
                )
                if now >= self._purge_at:
                    self._purge(connection, now)
        except UnavailableError as error:
            self._give_up(error, now)
            return False
        return True

    def _read(self, handle: str) -> _Entry | None:
        """Read a handle from the store, if it is there and can be read."""
        now = self._clock()
        if now < self._retry_at:
            return None
        try:
            with self._state.reading() as connection:
                if connection is None:
                    return None
                return connection.execute(
                    "SELECT owner, kind, expires, payload FROM handles WHERE handle = ?", (handle,)
                ).fetchone()
        except UnavailableError as error:
            self._give_up(error, now)
            return None

    def _remember(self, handle: str, entry: _Entry, now: float) -> None:
        """Keep a handle in memory; of too many the oldest go."""
        if len(self._memory) >= _MEMORY:
            self._memory = {name: kept for name, kept in self._memory.items() if kept[2] > now}
        while len(self._memory) >= _MEMORY:
            del self._memory[next(iter(self._memory))]
        self._memory[handle] = entry

    def _purge(self, connection: Connection, now: float) -> None:
        """Remove some of what has expired."""
        removed = connection.execute(
            "DELETE FROM handles WHERE handle IN "
            "(SELECT handle FROM handles WHERE expires <= ? LIMIT ?)",
            (now, _PURGED_AT_ONCE),
        ).rowcount
        if removed < _PURGED_AT_ONCE:
            self._purge_at = now + _PURGE_SECONDS

    def _give_up(self, error: UnavailableError, now: float) -> None:
        """Do without the store for a while, so that no call waits for it again and again."""
        self._retry_at = now + _RETRY_SECONDS
        _log.warning("handles are kept in memory for now: %s", error)
        if isinstance(error, DamagedError) and isinstance(self._state, StateFile):
            # What it held, callers ask for again.
            self._state.move_aside()
