"""Where a listing goes on: a handle that only the tool and the arguments it was minted for take.

A cursor is published as a text. Serving opens it before the tool runs and mints the next one from
the result's `next_offset`, so a domain knows offsets only.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

from groundwire.errors import InputError, NotFoundError

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


def opened(handles: HandleStore, owner: str, handle: str, bound_to: str) -> Cursor:
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
