"""Checks the chain of a ledger from first to last, by its hashes and by heads kept elsewhere.

A head is the place and the hash of a chain's last record. One is noted in a file beside the ledger
after each record, without waiting for the disk; people keep others elsewhere. A seal is the short
form of a record's hash: it stands beside the handle in each answer, so that a transcript holds it.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from groundwire.errors import InputError
from groundwire.evidence import payloads
from groundwire.evidence.canonical import GENESIS
from groundwire.evidence.connections import Head, RecordStore
from groundwire.evidence.store import COLUMNS, Row, header_of
from groundwire.state import Connection
from groundwire.statefile import DamagedError

SEAL_DIGITS = 12

# A whole line; other hashes of 64 digits stand in answers too.
_HEAD_LINE = re.compile(r"^[ \t]*(?:(\d{1,18})[: \t])?([0-9a-f]{64})[ \t\r]*$", re.I | re.M)
_SEAL_LINE = re.compile(r"^[ \t]*(ev_\w{1,40})[: \t]([0-9a-f]{12,64})[ \t\r]*$", re.M)
_SEAL_IN_ANSWER = re.compile(
    r"evidence_id\W{1,12}(ev_\w{1,40})\W{1,12}evidence_seal\W{1,12}([0-9a-f]{12})\b"
)


@dataclass(frozen=True, slots=True)
class Kept:
    """Heads and seals of a chain that were kept elsewhere.

    Attributes:
        heads: by their hash, the place in the chain; None where only the hash was kept.
        seals: by evidence id, the first digits of the record's hash.
    """

    heads: Mapping[str, int | None] = field(default_factory=dict[str, "int | None"])
    seals: Mapping[str, str] = field(default_factory=dict[str, str])


def read_kept(text: str) -> Kept:
    """The heads and seals in a text: lines of `groundwire evidence head`, or a transcript.

    Args:
        text: lines such as `12:<64 digits>`, `<64 digits>` or `ev_...:<12 digits>`, and answers
            with `evidence_id` and `evidence_seal`.

    Raises:
        InputError: it holds none.
    """
    heads: dict[str, int | None] = {}
    for place, hashed in _HEAD_LINE.findall(text):
        heads[hashed.lower()] = int(place) if place else None
    seals = {
        handle: seal
        for pattern in (_SEAL_IN_ANSWER, _SEAL_LINE)
        for handle, seal in pattern.findall(text)
    }
    if not heads and not seals:
        raise InputError(
            "A head is 64 hexadecimal digits, and a seal 12 behind its evidence id: send what "
            "`groundwire evidence head` printed, ev_...:SEAL, or a file that holds such lines or "
            "answers with evidence_id and evidence_seal."
        )
    return Kept(heads, seals)


Progress = Callable[[int, int], None]

_STEP = 1_000
# A payload is stored shortly before its record: nearer to its end of life it may be gone.
_CERTAIN_MS = payloads.KEPT_MILLISECONDS - 3_600_000


@dataclass(frozen=True, slots=True)
class Verification:
    """The outcome of a check of the chain.

    Attributes:
        ok: whether nothing was changed, as far as it can be told.
        records: records that were found good.
        first_bad: place of the first record that is not, or None.
        reason: what is wrong, one line, or None.
        head: the last good record, to be kept elsewhere.
        payloads: stored payloads that were found good.
        payloads_removed: records whose payload was removed after its 30 days.
        noted: the head that is noted beside the ledger, or None if none is.
        seals: how many seals that were kept are those of their records.
    """

    ok: bool
    records: int
    first_bad: int | None
    reason: str | None
    head: Head
    payloads: int = 0
    payloads_removed: int = 0
    noted: Head | None = None
    seals: int = 0


def verify_chain(
    store: RecordStore, kept: str | None, now: int, progress: Progress | None
) -> Verification:
    """Check records, places, tables, indices, payloads and what was kept; see `Ledger.verify`.

    Args:
        store: where the records are.
        kept: heads and seals that must be in the chain, or None.
        now: milliseconds since 1970.
        progress: called with what is done and what there is to do.

    Raises:
        InputError: `kept` holds no head and no seal.
        UnavailableError: the store cannot be opened.
    """
    wanted = Kept() if kept is None else read_kept(kept)
    beside = store.noted
    try:
        # Before the view of the store is taken, so that it is not ahead of it.
        check = _Check(wanted, beside.read(), beside.path.name)
    except ValueError:
        check = _Check(wanted, None, beside.path.name)
        return check.failed(f"the head beside the ledger, {beside.path.name}, was changed", 0)
    try:
        with store.viewing() as view:
            return check.result(0, 0) if view is None else _walk(store, view, check, now, progress)
    except DamagedError:
        return check.failed("the file is damaged from its beginning, or is no ledger", 0)
    except sqlite3.Error as error:
        return check.failed(f"the file is damaged there or behind it ({error})")


class _Check:
    """The state of a walk along the chain."""

    def __init__(self, kept: Kept, noted: Head | None, noted_name: str) -> None:
        self.head = Head(0, GENESIS)
        self._noted = noted
        self._noted_name = noted_name
        self._heads = {hashed: place for hashed, place in kept.heads.items() if hashed != GENESIS}
        self._noted_seen = noted is None
        self._seals = dict(kept.seals)
        self._sealed = 0

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
        hashed = row[6].hex()
        seal = self._seals.pop(header.evidence_id, None)
        if seal is not None:
            if not hashed.startswith(seal):
                return (
                    f"record {expected} ({header.evidence_id}) is not the one of the seal that "
                    "was kept"
                )
            self._sealed += 1
        self.head = Head(expected, hashed)
        if self._heads.get(hashed, expected) in (None, expected):
            self._heads.pop(hashed, None)
        self._noted_seen = self._noted_seen or self.head == self._noted
        return None

    def failed(self, reason: str, first_bad: int | None = None) -> Verification:
        bad = self.head.sequence + 1 if first_bad is None else first_bad
        return Verification(False, self.head.sequence, bad, reason, self.head, noted=self._noted)

    def result(self, stored: int, removed: int) -> Verification:
        reason = self._missing()
        return Verification(
            ok=reason is None,
            records=self.head.sequence,
            first_bad=None,
            reason=reason,
            head=self.head,
            payloads=stored,
            payloads_removed=removed,
            noted=self._noted,
            seals=self._sealed,
        )

    def _missing(self) -> str | None:
        """Name a kept head, seal or noted head that the chain lacks; None where it has all."""
        if self._heads:
            return (
                "the kept head is not in the chain: records were removed from its end, or the "
                "chain was written anew"
            )
        if self._seals:
            handle = next(iter(self._seals))
            return f"the record {handle}, whose seal was kept, is not in the chain"
        if not self._noted_seen and self._noted is not None:
            return (
                f"the head in {self._noted_name} (record {self._noted.sequence}) is not in the "
                "chain: records were removed from its end, or the ledger was replaced. If you "
                "moved a ledger away yourself, move that file with it"
            )
        return None


def _walk(
    store: RecordStore, view: Connection, check: _Check, now: int, progress: Progress | None
) -> Verification:
    (last,) = view.execute("SELECT coalesce(max(sequence), 0) FROM records").fetchone()
    (stored,) = view.execute("SELECT count(*) FROM payloads").fetchone()
    total = last + stored
    for row in store.each(view, f"SELECT {COLUMNS} FROM records ORDER BY sequence"):  # noqa: S608 - column names of this module
        if wrong := check.take(row):
            return check.failed(wrong + _fork(view, row))
        if progress and check.head.sequence % _STEP == 0:
            progress(check.head.sequence, total)
    if different := store.changed(view):
        return check.failed(f"the tables are not those of a ledger: {different}", first_bad=0)
    return _walk_payloads(store, view, check, now, progress, total)


def _fork(view: Connection, row: Row) -> str:
    """Return the text about a record that does not follow the one before it, or ""."""
    found = view.execute(
        "SELECT sequence FROM records WHERE hash = ? AND sequence < ?", (row[1], row[0] - 1)
    ).fetchone()
    return f": the chain forks behind record {found[0]}" if found else ""


def _walk_payloads(
    store: RecordStore,
    view: Connection,
    check: _Check,
    now: int,
    progress: Progress | None,
    total: int,
) -> Verification:
    good = 0
    for digest, data in store.each(view, "SELECT hash, data FROM payloads"):
        try:
            payloads.unpack(digest, data)
        except ValueError as error:
            (user,) = view.execute(
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
    (early,) = view.execute(
        f"SELECT min(sequence) {missing} AND created > ?",
        (now - _CERTAIN_MS,),
    ).fetchone()
    if early is not None:
        return check.failed(
            f"the payload of record {early} is missing before its 30 days are over",
            first_bad=early,
        )
    (removed,) = view.execute(f"SELECT count(*) {missing}").fetchone()
    if progress:
        progress(total, total)
    return check.result(good, removed)
