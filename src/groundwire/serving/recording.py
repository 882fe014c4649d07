"""Answers on their way into the ledger, beside the event loop."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol

import anyio.to_thread

from groundwire.errors import GroundwireError
from groundwire.evidence.records import Draft
from groundwire.serving.refusals import one_line

MAX_ERROR = 300
log = logging.getLogger(__name__)


class Recorded(Protocol):
    """The ledger's answer for a record."""

    @property
    def evidence_id(self) -> str:
        """The handle of the record."""
        ...

    @property
    def seal(self) -> str:
        """The first digits of the record's hash."""
        ...


class RecordKeeper(Protocol):
    """Where answers are recorded."""

    def record(
        self,
        owner: str,
        tool: str,
        arguments: Mapping[str, Any],
        draft: Draft,
        beside: Callable[[], None] | None = None,
    ) -> Recorded:
        """Write one record and return it once it is safe on disk; call `beside` right before."""
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


class Recorder:
    """Writes records in a thread of its own, one after the other.

    A write waits for the disk, which the event loop must not do. One thread is enough, since the
    ledger takes one record at a time, and it lets a result be fitted while its record is written.
    """

    def __init__(self, ledger: RecordKeeper | None) -> None:
        self._ledger = ledger
        self._writer: ThreadPoolExecutor | None = None

    def begin(
        self, call: Call, draft: Draft, beside: Callable[[], None] | None = None
    ) -> asyncio.Future[dict[str, str | None]]:
        """Start to write; the future holds the fields that tell the host of the record.

        It holds `evidence_id` and `evidence_seal`, or null in the first and `evidence_error`; it
        never fails for a reason that a ledger is known to have.

        Args:
            call: the call that is answered.
            draft: the answer.
            beside: what the ledger calls right before it waits for the disk.
        """
        if self._writer is None:
            self._writer = ThreadPoolExecutor(1, thread_name_prefix="evidence")
        loop = asyncio.get_running_loop()
        return loop.run_in_executor(self._writer, self._write, call, draft, beside)

    async def look(self) -> None:
        """Fail where records cannot be read.

        Raises:
            GroundwireError: the ledger does not answer.
        """
        look = getattr(self._ledger, "head", None)
        if look is not None:
            await anyio.to_thread.run_sync(look)

    def close(self) -> None:
        """Wait for what is being written."""
        if self._writer is not None:
            self._writer.shutdown()
            self._writer = None

    def _write(
        self, call: Call, draft: Draft, beside: Callable[[], None] | None
    ) -> dict[str, str | None]:
        if self._ledger is None:
            return {"evidence_id": None, "evidence_error": "this server keeps no ledger"}
        try:
            record = self._ledger.record(call.owner, call.tool, call.arguments, draft, beside)
        except GroundwireError as exc:
            return {"evidence_id": None, "evidence_error": one_line(str(exc))[:MAX_ERROR]}
        except (OSError, sqlite3.Error):
            log.exception("the answer of %s could not be recorded", call.tool)
            reason = "the evidence file could not be written; the server's log says why"
            return {"evidence_id": None, "evidence_error": reason}
        return {"evidence_id": record.evidence_id, "evidence_seal": record.seal}
