"""A tool's answer on its way to the host: recorded, fitted, and the same in text and structure."""

from __future__ import annotations

import asyncio
import base64
import logging
import sqlite3
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Protocol, TypeVar

import anyio.to_thread
from mcp_types import CallToolResult, ImageContent, ResourceLink, TextContent
from pydantic import BaseModel

from groundwire.errors import GroundwireError
from groundwire.evidence.records import Draft
from groundwire.safe_text import is_safe_json, safe_tree
from groundwire.serving.files import FileLinks, ServerFolders
from groundwire.serving.fitting import RESULT_CHARACTERS, Fitted, Wire, Wording, compact, fit
from groundwire.serving.handles import HandleStore, binding, minted
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
        site: the URL at which the caller reaches this server; None for one on this machine.
    """

    tool: str
    owner: str
    arguments: Mapping[str, Any]
    site: str | None = None


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


Result = TypeVar("Result", bound=BaseModel)


MAX_RECORDED_ANSWER = 4_000
"""Longer answers are recorded up to this many characters."""


@dataclass(frozen=True, slots=True)
class Picture:
    """An image that goes beside an answer.

    Attributes:
        data: the bytes of the image.
        mime_type: what they are, such as `image/png`.
    """

    data: bytes
    mime_type: str


@dataclass(frozen=True, slots=True)
class Illustration:
    """Pictures and a view of an answer that is recorded.

    Attributes:
        pictures: images that go beside it.
        view: what an inline app of the tool draws.
        fields: fields of the answer that are replaced, by name.
    """

    pictures: tuple[Picture, ...] = ()
    view: Mapping[str, Any] = field(default_factory=dict[str, Any])
    fields: Mapping[str, Any] = field(default_factory=dict[str, Any])


class Settling(Protocol):
    """Something that is written and not yet safe on the disk."""

    def start(self) -> None:
        """Begin to bring it to the disk, and return."""
        ...

    def wait(self) -> None:
        """Block until it is there."""
        ...


@dataclass(frozen=True, slots=True)
class Grounded(Generic[Result]):
    """A result with what proves it.

    Attributes:
        result: the answer; its model has `evidence_id` and `evidence_error`.
        draft: what is recorded of it, or None where the answer states no fact.
        pictures: images that go beside it; what they show is in the result as well.
        view: what an inline app of the tool draws, put into the result's `_meta`; a model does not
            see it.
        illustrate: draws what has to name the record of the answer: it is handed the evidence id,
            or None where nothing was recorded, after the record is written.
        settle: what the answer tells of, where that is not yet safe on the disk: it is brought
            there at the same moment as the record of the answer, and its `UnavailableError` takes
            the place of the answer.
    """

    result: Result
    draft: Draft | None
    pictures: tuple[Picture, ...] = ()
    view: Mapping[str, Any] = field(default_factory=dict[str, Any])
    illustrate: Callable[[str | None], Illustration] | None = None
    settle: Settling | None = None


@dataclass(frozen=True, slots=True)
class Viewed(Generic[Result]):
    """A result that states no fact of its own, with what an inline app draws of it.

    Attributes:
        result: the answer.
        view: what is put into the result's `_meta`; a model does not see it.
    """

    result: Result
    view: Mapping[str, Any]


_TOLD = ("answer", "text", "markdown", "answer_in_german", "answer_in_chinese")


def _told(result: BaseModel) -> str:
    """Return what a result says in sentences: its answer, and the texts that it gives beside it.

    Of its cells these are the answers without a value, which no recorded value stands for.
    """
    told = [getattr(result, name, None) for name in _TOLD]
    cells = (one for one in getattr(result, "cells", ()) if getattr(one, "value", None) is None)
    told += [getattr(one, "answer", None) for one in cells]
    return "\n".join(part for part in told if isinstance(part, str))[:MAX_RECORDED_ANSWER]


@dataclass(frozen=True, slots=True)
class Delivery:
    """Where results are recorded and cursors are kept.

    Attributes:
        recorder: writes the evidence.
        handles: the store of cursors.
        folders: what callers over HTTP are not told.
        wording: fits texts to the tools that are offered.
        files: links to files, for callers over HTTP.
        links: whether answers may hold links, which the toolset made itself.
    """

    recorder: Recorder
    handles: HandleStore
    folders: ServerFolders
    wording: Wording
    files: FileLinks
    links: bool = False

    async def deliver(
        self, call: Call, grounded: Grounded[BaseModel], *, pages: bool
    ) -> CallToolResult:
        """Record, fit and dump one result, its texts safe to show.

        Args:
            call: the call that it answers.
            grounded: the answer with what to record of it.
            pages: whether the tool takes a cursor.
        """
        links: list[ResourceLink] = []
        if call.site is not None and hasattr(grounded.result, "files"):
            result, links = await anyio.to_thread.run_sync(
                self.files.linked, grounded.result, call.owner, call.site
            )
            grounded = replace(grounded, result=result)
        draft = grounded.draft
        if draft is not None and not draft.answer:
            draft = replace(draft, answer=self.wording.fitted(_told(grounded.result)))
        beside = None if grounded.settle is None else grounded.settle.start
        record = None if draft is None else self.recorder.begin(call, draft, beside)
        fitted = fit(grounded.result)
        added: Wire = {} if record is None else dict(await record)
        if grounded.settle is not None:
            await anyio.to_thread.run_sync(grounded.settle.wait)
        offset = getattr(fitted.result, "next_offset", None)
        if offset is not None and pages:
            bound_to = binding(call.tool, call.arguments)
            added["next_cursor"] = await anyio.to_thread.run_sync(
                minted,
                self.handles,
                call.owner,
                offset,
                bound_to,
                getattr(fitted.result, "first_page", ()),
            )
        if note := _left_out(fitted, added):
            added["left_out"] = note
        drawn = Illustration(grounded.pictures, grounded.view)
        if grounded.illustrate is not None:
            evidence_id = added.get("evidence_id")
            drawn = await anyio.to_thread.run_sync(grounded.illustrate, evidence_id)
            added |= drawn.fields
        wire: Wire = {**fitted.wire, **added}
        text = compact(wire) if added else fitted.text
        verbatim: frozenset[str] = getattr(grounded.result, "verbatim", frozenset[str]())
        worded = self.wording.wire(text, wire, verbatim)
        if worded is not wire:
            wire, text = worded, compact(worded)
        if not is_safe_json(text):
            wire = safe_tree(wire, inert_answers=not self.links)
            text = compact(wire)
        pictures = [
            ImageContent(
                type="image", data=base64.b64encode(one.data).decode(), mime_type=one.mime_type
            )
            for one in drawn.pictures
        ]
        return CallToolResult(
            content=[TextContent(type="text", text=text), *pictures, *links],
            structured_content=wire,
            _meta=dict(drawn.view) or None,
        )


def _left_out(fitted: Fitted, added: Mapping[str, Any]) -> str:
    """Say what was left out and how to get it, behind the domain's own note; or return ""."""
    if not fitted.dropped and not fitted.cut:
        return ""
    notes: list[str] = [fitted.wire["left_out"]] if "left_out" in fitted.wire else []
    limit = f"a result holds {RESULT_CHARACTERS:,} characters"
    if fitted.dropped:
        way = (
            "call again with cursor = next_cursor and the same arguments"
            if "next_cursor" in added
            else "ask for less"
        )
        notes.append(f"{fitted.dropped:,} more items of this page ({limit}): {way}")
    if fitted.cut:
        way = (
            "get_evidence pages what was recorded"
            if added.get("evidence_id")
            else "ask for less at a time"
        )
        notes.append(f"the ends of {', '.join(fitted.cut)} ({limit}): {way}")
    return "; ".join(notes)
