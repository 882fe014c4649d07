"""Checks the chain of a ledger from its first record to its last."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from groundwire.errors import InputError
from groundwire.evidence import payloads
from groundwire.evidence.canonical import GENESIS
from groundwire.evidence.failures import unavailable
from groundwire.evidence.store import COLUMNS, Row, header_of, open_reader
from groundwire.statefile import DamagedError, is_busy

Progress = Callable[[int, int], None]

_HASH = re.compile(r"[0-9a-f]{64}")
_STEP = 1_000
# A payload is stored shortly before its record: nearer to its end of life it may be gone.
_CERTAIN_MS = payloads.KEPT_MILLISECONDS - 3_600_000


@dataclass(frozen=True, slots=True)
class Head:
    """The end of a chain.

    Attributes:
        sequence: the last record's place; 0 in an empty ledger.
        hash: its hash, hexadecimal.
    """

    sequence: int
    hash: str


@dataclass(frozen=True, slots=True)
class Verification:
    """What a check of the chain found.

    Attributes:
        ok: whether nothing was changed, as far as it can be told.
        records: records that were found good.
        first_bad: place of the first record that is not, or None.
        reason: what is wrong, one line, or None.
        head: the last good record, to be kept elsewhere.
        payloads: stored payloads that were found good.
        payloads_removed: records whose payload was removed after its 30 days.
    """

    ok: bool
    records: int
    first_bad: int | None
    reason: str | None
    head: Head
    payloads: int = 0
    payloads_removed: int = 0


def verify_chain(path: Path, kept: str | None, now: int, progress: Progress | None) -> Verification:
    """Check every record, its place, the indices and the payloads; see `Ledger.verify`.

    Args:
        path: the file.
        kept: a hash that must be in the chain, or None.
        now: milliseconds since 1970.
        progress: called with what is done and what there is to do.

    Raises:
        InputError: `kept` is no hash.
        UnavailableError: the file cannot be opened.
    """
    if kept is not None:
        kept = kept.strip().lower()
        if not _HASH.fullmatch(kept):
            raise InputError(
                "A head is 64 hexadecimal digits: send what `groundwire evidence head` printed."
            )
    check = _Check(kept)
    try:
        connection = open_reader(path)
    except DamagedError:
        return check.failed("the file is damaged from its beginning, or is no ledger", 0)
    if connection is None:
        return check.result(0, 0)
    try:
        # One view of the file, whatever is written meanwhile.
        connection.execute("BEGIN")
        return _walk(connection, check, now, progress)
    except sqlite3.Error as error:
        if is_busy(error):
            raise unavailable(path, error) from error
        return check.failed(f"the file is damaged there or behind it ({error})")
    finally:
        connection.close()


class _Check:
    """The state of a walk along the chain."""

    def __init__(self, kept: str | None) -> None:
        self.kept = kept
        self.kept_seen = kept is None or kept == GENESIS
        self.head = Head(0, GENESIS)

    def take(self, row: Row) -> str | None:
        """Check one record; what is wrong with it, or None."""
        expected = self.head.sequence + 1
        if row[0] != expected:
            return f"record {expected} is missing, record {row[0]} follows"
        header = header_of(row)
        if header is None:
            return f"record {expected} was changed after it was written"
        if header.previous != self.head.hash:
            return f"record {expected} does not follow the record before it"
        self.head = Head(expected, row[6].hex())
        self.kept_seen = self.kept_seen or self.head.hash == self.kept
        return None

    def failed(self, reason: str, first_bad: int | None = None) -> Verification:
        bad = self.head.sequence + 1 if first_bad is None else first_bad
        return Verification(False, self.head.sequence, bad, reason, self.head)

    def result(self, stored: int, removed: int) -> Verification:
        reason = None
        if not self.kept_seen:
            reason = (
                "the kept head is not in the chain: records were removed from its end, or the "
                "chain was written anew"
            )
        return Verification(
            self.kept_seen, self.head.sequence, None, reason, self.head, stored, removed
        )


def _walk(
    connection: sqlite3.Connection, check: _Check, now: int, progress: Progress | None
) -> Verification:
    (last,) = connection.execute("SELECT coalesce(max(sequence), 0) FROM records").fetchone()
    (stored,) = connection.execute("SELECT count(*) FROM payloads").fetchone()
    total = last + stored
    rows = connection.execute(f"SELECT {COLUMNS} FROM records ORDER BY sequence")  # noqa: S608 - columns of ours
    for row in rows:
        if wrong := check.take(row):
            return check.failed(wrong)
        if progress and check.head.sequence % _STEP == 0:
            progress(check.head.sequence, total)
    # The handles are found through indices, which hold copies of them.
    (damage,) = connection.execute("PRAGMA integrity_check('records')").fetchone()
    if damage != "ok":
        return check.failed(f"the file is damaged: {damage}", first_bad=0)
    return _walk_payloads(connection, check, now, progress, total)


def _walk_payloads(
    connection: sqlite3.Connection,
    check: _Check,
    now: int,
    progress: Progress | None,
    total: int,
) -> Verification:
    good = 0
    for digest, data in connection.execute("SELECT hash, data FROM payloads"):
        try:
            payloads.unpack(digest, data)
        except ValueError as error:
            (user,) = connection.execute(
                "SELECT coalesce(min(sequence), 0) FROM records WHERE payload = ?", (digest,)
            ).fetchone()
            return check.failed(str(error), first_bad=user)
        good += 1
        if progress:
            progress(check.head.sequence + good, total)
    missing = (
        "FROM records WHERE payload IS NOT NULL "
        "AND NOT EXISTS (SELECT 1 FROM payloads WHERE payloads.hash = records.payload)"
    )
    (early,) = connection.execute(
        f"SELECT min(sequence) {missing} AND created > ?",
        (now - _CERTAIN_MS,),
    ).fetchone()
    if early is not None:
        return check.failed(
            f"the payload of record {early} is missing before its 30 days are over",
            first_bad=early,
        )
    (removed,) = connection.execute(f"SELECT count(*) {missing}").fetchone()
    if progress:
        progress(total, total)
    return check.result(good, removed)
