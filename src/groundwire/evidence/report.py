"""What `groundwire evidence show`, `verify` and `head` print."""

from __future__ import annotations

from collections.abc import Iterator

from groundwire.evidence.ledger import Ledger
from groundwire.evidence.pages import PARTS
from groundwire.evidence.verification import Progress, Verification


def show(ledger: Ledger, evidence_id: str) -> Iterator[str]:
    """The lines of one record, of whichever owner; its payload is cut after its first page.

    Raises:
        NotFoundError: there is no such record.
        UnavailableError: the ledger cannot be read.
    """
    owner = ledger.inspect(evidence_id).owner
    yield f"owner: {owner}"
    for part in PARTS:
        page = ledger.page(evidence_id, owner, part)
        while page.text or (page.note and part == "payload"):
            if not page.offset:
                yield f"{part}:"
                if page.note:
                    yield f"  {page.note}"
            yield from (f"  {line}" for line in page.text.splitlines())
            if page.next_offset is None:
                break
            if part == "payload":
                left = page.total - page.next_offset
                yield f"  ({left:,} more characters)"
                break
            page = ledger.page(evidence_id, owner, part, page.next_offset)


def head(ledger: Ledger) -> Iterator[str]:
    """The hash to keep elsewhere, and nothing more: `verify` takes it as it is.

    Raises:
        UnavailableError: the ledger cannot be read.
    """
    yield ledger.head().hash


def verify(
    ledger: Ledger, kept: str | None = None, progress: Progress | None = None
) -> tuple[bool, list[str]]:
    """Whether the ledger is as it was written, and the lines that say so.

    Args:
        ledger: what to check.
        kept: a hash that `head` printed earlier, or None.
        progress: called with what is done and what there is to do.

    Raises:
        InputError: `kept` is no hash.
        UnavailableError: the ledger cannot be opened.
    """
    found = ledger.verify(kept, progress)
    return found.ok, [*_verdict(found, kept), *_hint(found, kept)]


def _verdict(found: Verification, kept: str | None) -> Iterator[str]:
    if not found.ok:
        yield f"NOT AS WRITTEN: {found.reason}."
        yield f"Records before that, unchanged: {found.records:,}."
        return
    yield f"Unchanged: {found.records:,} records, {found.payloads:,} payloads."
    if found.payloads_removed:
        yield f"Payloads removed after their 30 days: of {found.payloads_removed:,} records."
    if kept is not None:
        yield "The kept head is in the chain."


def _hint(found: Verification, kept: str | None) -> Iterator[str]:
    if found.ok and kept is None:
        yield (
            "A removed end is found only against a head that was kept elsewhere: keep what "
            "`groundwire evidence head` prints, and pass it to verify."
        )
