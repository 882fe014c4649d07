"""A tool's answer on its way to the host: recorded, fitted, and the same in text and structure."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

import anyio.to_thread
from mcp_types import CallToolResult, TextContent
from pydantic import BaseModel

from groundwire.errors import GroundwireError
from groundwire.evidence.records import Draft
from groundwire.serving.budget import RESULT_CHARACTERS, Fitted, Wire, compact, fit
from groundwire.serving.cursors import HandleStore, binding, minted
from groundwire.serving.refusals import one_line

Result = TypeVar("Result", bound=BaseModel)
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Grounded(Generic[Result]):
    """A result with what proves it.

    Attributes:
        result: the answer; its model has `evidence_id` and `evidence_error`.
        draft: what is recorded of it, or None where the answer states no fact.
    """

    result: Result
    draft: Draft | None


class Recorded(Protocol):
    """What the ledger returns of a record."""

    @property
    def evidence_id(self) -> str:
        """The handle of the record."""
        ...


class RecordKeeper(Protocol):
    """Where answers are recorded."""

    def record(self, owner: str, tool: str, arguments: Mapping[str, Any], draft: Draft) -> Recorded:
        """Write one record and return it once it is safe on disk."""
        ...


@dataclass(frozen=True, slots=True)
class Call:
    """One accepted call of a tool.

    Attributes:
        tool: the tool's name.
        owner: whose call it is.
        arguments: the normalized arguments.
    """

    tool: str
    owner: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Delivery:
    """Where results are recorded and cursors are kept.

    Attributes:
        ledger: the evidence ledger, or None where a server keeps none.
        handles: the store of cursors.
    """

    ledger: RecordKeeper | None
    handles: HandleStore

    async def deliver(
        self, call: Call, result: BaseModel, draft: Draft | None, *, pages: bool
    ) -> CallToolResult:
        """Record, fit and dump one result.

        Args:
            call: the call that it answers.
            result: the answer.
            draft: what to record of it, or None for nothing.
            pages: whether the tool takes a cursor.
        """
        proof = {} if draft is None else await self._record(call, draft)
        fitted = fit(result, proof)
        wire: Wire = {**fitted.wire, **proof}
        offset = getattr(fitted.result, "next_offset", None)
        if offset is not None and pages:
            bound_to = binding(call.tool, call.arguments)
            wire["next_cursor"] = await anyio.to_thread.run_sync(
                minted, self.handles, call.owner, offset, bound_to
            )
        if note := _left_out(fitted, wire):
            wire["left_out"] = note
        return CallToolResult(
            content=[TextContent(type="text", text=compact(wire))], structured_content=wire
        )

    async def _record(self, call: Call, draft: Draft) -> Wire:
        """The id of the record, or null and why nothing could be recorded."""
        if self.ledger is None:
            return {"evidence_id": None, "evidence_error": "this server keeps no ledger"}
        write = partial(self.ledger.record, call.owner, call.tool, call.arguments, draft)
        try:
            record = await anyio.to_thread.run_sync(write)
        except GroundwireError as exc:
            return {"evidence_id": None, "evidence_error": one_line(str(exc))}
        except (OSError, sqlite3.Error):
            log.exception("the answer of %s could not be recorded", call.tool)
            reason = "the evidence file could not be written; the server's log says why"
            return {"evidence_id": None, "evidence_error": reason}
        return {"evidence_id": record.evidence_id}


def _left_out(fitted: Fitted, wire: Mapping[str, Any]) -> str:
    """What was left out and how to get it; the domain's own note stands first."""
    notes: list[str] = [wire["left_out"]] if wire.get("left_out") else []
    limit = f"a result holds {RESULT_CHARACTERS:,} characters"
    if fitted.dropped:
        way = (
            "call again with cursor = next_cursor and the same arguments"
            if "next_cursor" in wire
            else "ask for less"
        )
        notes.append(f"{fitted.dropped:,} more items of this page ({limit}): {way}")
    if fitted.cut:
        way = (
            "get_evidence pages what was recorded"
            if wire.get("evidence_id")
            else "ask for less at a time"
        )
        notes.append(f"the ends of {', '.join(fitted.cut)} ({limit}): {way}")
    return "; ".join(notes)
