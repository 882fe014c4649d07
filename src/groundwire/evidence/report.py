"""The lines that `groundwire evidence show`, `verify` and `head` print."""

from __future__ import annotations

from collections.abc import Iterator

from groundwire.errors import InputError
from groundwire.evidence.ledger import Ledger
from groundwire.evidence.pages import PARTS
from groundwire.evidence.verification import SEAL_DIGITS, Progress, Verification, read_kept


def show(ledger: Ledger, evidence_id: str, seal: str | None = None) -> Iterator[str]:
    """The lines of one record, of whichever owner; its payload is cut after its first page.

    Args:
        ledger: where it is.
        evidence_id: the record.
        seal: what stood beside its handle in the answer; it is held against the record.

    Raises:
        NotFoundError: the record is unknown.
        InputError: the seal is none, or it is not that of the record.
        UnavailableError: the ledger cannot be read.
    """
    record = ledger.inspect(evidence_id)
    owner = record.owner
    if seal is not None:
        given = seal.strip().lower()
        if len(given) < SEAL_DIGITS or not record.hash.startswith(given):
            raise InputError(
                f"The record {record.evidence_id} is not the one of the seal {seal[:70]!r}: its "
                f"seal is {record.hash[:SEAL_DIGITS]}. It was replaced since that answer, or the "
                "seal is another answer's."
            )
        yield f"seal: {given} is that of this record"
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
    """Return how many records there are and the hash of the last; `verify` takes this line.

    Raises:
        UnavailableError: the ledger cannot be read.
    """
    end = ledger.head()
    yield f"{end.sequence}:{end.hash}"


def verify(
    ledger: Ledger, kept: str | None = None, progress: Progress | None = None
) -> tuple[bool, list[str]]:
    """Whether the ledger is as it was written, and the lines that say so.

    Args:
        ledger: what to check.
        kept: heads that `head` printed earlier and seals of answers, or None.
        progress: called with what is done and what there is to do.

    Raises:
        InputError: `kept` holds no head and no seal.
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
        if found.seals:
            yield f"Kept seals that are those of their records: {found.seals:,}."
        if heads := len(read_kept(kept).heads):
            yield (
                "The kept head is in the chain."
                if heads == 1
                else (f"The {heads:,} kept heads are in the chain.")
            )


def _hint(found: Verification, kept: str | None) -> Iterator[str]:
    if found.ok and found.records and found.noted is None:
        yield "No head is noted beside the ledger: it is older than that, or the note was removed."
    if found.ok and kept is None:
        yield (
            "Whoever can write both files can cut or rewrite both: that is found only against a "
            "head that was kept elsewhere. Keep what `groundwire evidence head` prints, or answers "
            "with their evidence_seal, and pass it to verify."
        )
