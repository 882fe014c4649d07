"""The ledger: one hash chain of what was answered, written by many processes."""

from __future__ import annotations

import datetime as dt
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from groundwire.errors import LimitError, NotFoundError, UnavailableError
from groundwire.evidence import payloads
from groundwire.evidence.canonical import GENESIS, Header, Redactor, decode, encode, join
from groundwire.evidence.connections import Head, record_store
from groundwire.evidence.pages import Page, Part, page_of
from groundwire.evidence.records import Draft, Record
from groundwire.evidence.store import COLUMNS, Row, header_of
from groundwire.evidence.verification import SEAL_DIGITS, Progress, Verification, verify_chain
from groundwire.safe_text import may_be_handle, new_handle
from groundwire.state import Connection, Database, StatePlace

CONTENT_BYTES = 5_242_880
RECENT = dt.timedelta(minutes=30)
MOST_REMEMBERED = 200

_PURGE_EVERY_MS = 3_600_000
_LAST = 2**63 - 1
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Receipt:
    """The receipt of a record that is on the disk.

    Attributes:
        evidence_id: its handle.
        sequence: its place in the chain, from 1.
        hash: its hash, hexadecimal.
    """

    evidence_id: str
    sequence: int
    hash: str

    @property
    def seal(self) -> str:
        """The short form of the hash, which stands beside the handle in an answer."""
        return self.hash[:SEAL_DIGITS]


class Ledger:
    """A ledger at a place; nothing is opened before it is needed.

    Its methods may be called from any thread. Each blocks while the disk works: `record` for
    0.2 ms with a few kilobytes, for longer with a payload of megabytes, and for 3 s at most
    while other processes write. After a failure the next call tries anew.

    Args:
        place: the SQLite file, which the first record creates with its folder; or the database.
        hidden: secrets of this process that must not be recorded.
        clock: seconds since 1970.
    """

    def __init__(
        self, place: StatePlace, hidden: Iterable[str] = (), clock: Callable[[], float] = time.time
    ) -> None:
        self._redactor = Redactor(hidden)
        self._clock = place.clock(clock) if isinstance(place, Database) else clock
        self._purge_at = 0
        self._store = record_store(place)
        self._answered: deque[str] = deque(maxlen=MOST_REMEMBERED)
        self._answering = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close what is open; a later call opens it again."""
        self._store.close()

    def hide(self, *values: str) -> None:
        """Keep these secrets out of what is recorded from now on."""
        self._redactor.hide(*values)

    def record(
        self,
        owner: str,
        tool: str,
        arguments: Mapping[str, Any],
        draft: Draft,
        beside: Callable[[], None] | None = None,
    ) -> Receipt:
        """Write one record; when this returns, it survives a crash and a power cut.

        Args:
            owner: whose answer it is.
            tool: the tool that answered.
            arguments: its normalized arguments.
            draft: the answer.
            beside: called right before the record is brought to the disk, so that what the answer
                tells of may go there at the same moment.

        Raises:
            UnavailableError: it could not be written (disk full, read-only, busy, damaged);
                nothing of it is in the chain.
            InputError: it holds something that JSON cannot carry.
            LimitError: its content is longer than `CONTENT_BYTES`.
        """
        packed = None if draft.payload is None else payloads.pack(draft.payload, self._redactor)
        context, facts = encode(tool, arguments, draft, packed is not None and packed.cut)
        content = join(self._redactor.clean(context), self._redactor.clean_facts(facts))
        if len(content) > CONTENT_BYTES:
            raise LimitError(
                f"A record holds at most {CONTENT_BYTES:,} bytes, this one has {len(content):,}: "
                "ask for fewer values at once."
            )
        evidence_id = new_handle("ev")
        if packed:
            with self._store.writing() as connection:
                payloads.insert(connection, packed, self._now())
        with self._store.writing() as connection:
            receipt, previous = self._append(connection, owner, evidence_id, content, packed)
            if beside is not None:
                beside()
        self._store.noted.move(Head(receipt.sequence, receipt.hash), previous, self._hash_at)
        self._purge()
        self.remember((evidence_id,))
        return receipt

    def remember(self, evidence_ids: Iterable[str]) -> None:
        """Count records among the answers of this process, as those that it writes are counted.

        For records that another process wrote and this one hands out, as an agent's kept result
        does. The last `MOST_REMEMBERED` are remembered.
        """
        with self._answering:
            for evidence_id in evidence_ids:
                if evidence_id in self._answered:
                    self._answered.remove(evidence_id)
                self._answered.append(evidence_id)

    def answered(self, owner: str) -> list[Record]:
        """The owner's records among the answers of this process, the newest first.

        Over stdio a process serves one connection, so these are the connection's answers; what
        other processes write to the same file is not among them.

        Raises:
            UnavailableError: as `get`.
        """
        with self._answering:
            ids = tuple(one for one in self._answered if may_be_handle(one))
        if not ids:
            return []
        marks = ", ".join("?" * len(ids))
        rows: list[Row] = self._store.select(
            f"SELECT {COLUMNS} FROM records WHERE owner = ? "  # noqa: S608 - column names of this module
            f"AND evidence_id IN ({marks}) ORDER BY created DESC, sequence DESC",
            (owner, *ids),
        )
        return [self._record(row) for row in rows]

    def get(self, evidence_id: str, owner: str) -> Record:
        """Read a record.

        Raises:
            NotFoundError: the record is unknown, or it is another owner's.
            UnavailableError: the ledger cannot be read, or the record was changed in it.
        """
        record = self._find(evidence_id)
        if record is None or record.owner != owner:
            raise NotFoundError(
                f"There is no evidence {evidence_id[:40]!r}: send an evidence_id that an earlier "
                "answer returned."
            )
        return record

    def inspect(self, evidence_id: str) -> Record:
        """Read a record of any owner, for the person who holds the file.

        Raises:
            NotFoundError: the record is unknown.
            UnavailableError: as `get`.
        """
        record = self._find(evidence_id)
        if record is None:
            raise NotFoundError(
                f"The ledger has no record {evidence_id[:40]!r}: copy the evidence_id of an answer "
                "(it begins with ev_)."
            )
        return record

    def page(self, evidence_id: str, owner: str, part: Part = "summary", offset: int = 0) -> Page:
        """Read a bounded piece of one part of a record.

        Args:
            evidence_id: the record.
            owner: who asks.
            part: what to read of it.
            offset: the `next_offset` of the page before, in characters.

        Raises:
            InputError: the part or place does not exist.
            NotFoundError, UnavailableError: as `get`.
        """
        record = self.get(evidence_id, owner)
        payload = self.payload(record) if part in ("summary", "payload") else None
        return page_of(record, payload, part, offset)

    def recent(
        self, owner: str, since: dt.timedelta = RECENT, limit: int = MOST_REMEMBERED
    ) -> list[Record]:
        """The owner's records of the last time, the newest first.

        Raises:
            UnavailableError: as `get`.
        """
        rows: list[Row] = self._store.select(
            f"SELECT {COLUMNS} FROM records WHERE owner = ? AND created >= ? "  # noqa: S608 - column names of this module
            "ORDER BY created DESC, sequence DESC LIMIT ?",
            (owner, self._now() - round(since.total_seconds() * 1000), limit),
        )
        return [self._record(row) for row in rows]

    def listed(self, owner: str, limit: int, before: str = "") -> list[Record]:
        """The owner's records, the newest first.

        Args:
            owner: whose.
            limit: so many of them at most.
            before: only those recorded before this one; empty: all.

        Raises:
            NotFoundError: the owner has no record `before`.
            UnavailableError: as `get`.
        """
        place = self._store.select(
            "SELECT created, sequence FROM records WHERE evidence_id = ? AND owner = ?",
            (before if may_be_handle(before) else "", owner),
        )
        if before and not place:
            raise NotFoundError(f"There is no evidence {before[:40]!r}: begin at the newest.")
        rows: list[Row] = self._store.select(
            f"SELECT {COLUMNS} FROM records WHERE owner = ? AND (created, sequence) < (?, ?) "  # noqa: S608 - column names of this module
            "ORDER BY created DESC, sequence DESC LIMIT ?",
            (owner, *(place[0] if place else (_LAST, _LAST)), limit),
        )
        return [self._record(row) for row in rows]

    def head(self) -> Head:
        """The last record's place and hash, to be kept elsewhere; `Head(0, GENESIS)` if empty.

        Raises:
            UnavailableError: the ledger cannot be read.
        """
        rows = self._store.select(
            "SELECT sequence, hash FROM records ORDER BY sequence DESC LIMIT 1"
        )
        return Head(rows[0][0], rows[0][1].hex()) if rows else Head(0, GENESIS)

    def bundle(self, evidence_ids: Sequence[str], owner: str) -> bytes:
        """Return some records of an owner as a bundle, signed by this machine's key.

        Raises:
            NotFoundError: the owner has no such record.
            InputError: none, or too many, are named.
            UnavailableError: the ledger or the key cannot be read, or a record was changed.
        """
        from groundwire.evidence.bundle import signed_bundle

        return signed_bundle(self._store, evidence_ids, owner)

    def verify(self, kept: str | None = None, progress: Progress | None = None) -> Verification:
        """Check every record, its place in the chain, the tables and the payloads.

        The head that is noted beside the file must be in the chain, so a removed end or an older
        copy is found; whoever changes both is found by what was kept elsewhere.

        Args:
            kept: heads and seals that were kept, as `read_kept` reads them; all must be in the
                chain.
            progress: called with what is done and what there is to do.

        Raises:
            InputError: `kept` holds no head and no seal.
            UnavailableError: the ledger cannot be opened.
        """
        return verify_chain(self._store, kept, self._now(), progress)

    def _append(
        self,
        connection: Connection,
        owner: str,
        evidence_id: str,
        content: bytes,
        packed: payloads.Packed | None,
    ) -> tuple[Receipt, str]:
        """Append a record; its receipt, and the hash of the record before it."""
        last = connection.execute(
            "SELECT sequence, hash FROM records ORDER BY sequence DESC LIMIT 1"
        ).fetchone()
        sequence, previous = (last[0] + 1, last[1]) if last else (1, bytes.fromhex(GENESIS))
        now = self._now()
        digest = packed.digest if packed else None
        if packed:
            # It is there, unless another process removed it since, as old.
            payloads.insert(connection, packed, now)
        header = Header(
            sequence, previous.hex(), evidence_id, owner, now, digest.hex() if digest else None
        )
        hashed = header.hash(content)
        connection.execute(
            f"INSERT INTO records ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608 - column names of this module
            (sequence, previous, evidence_id, owner, now, digest, bytes.fromhex(hashed), content),
        )
        return Receipt(evidence_id, sequence, hashed), header.previous

    def _hash_at(self, sequence: int) -> str | None:
        """The hash of the record at a place, or None."""
        rows = self._store.select("SELECT hash FROM records WHERE sequence = ?", (sequence,))
        return rows[0][0].hex() if rows else None

    def _purge(self) -> None:
        """Remove old payloads now and then; what was just recorded does not depend on it."""
        now = self._now()
        if now < self._purge_at:
            return
        try:
            with self._store.writing() as connection:
                more = payloads.purge(connection, now)
        except UnavailableError as error:
            more = False
            _log.warning("old payloads stay for now: %s", error)
        if not more:
            self._purge_at = now + _PURGE_EVERY_MS

    def _find(self, evidence_id: str) -> Record | None:
        if not may_be_handle(evidence_id):
            return None
        rows: list[Row] = self._store.select(
            f"SELECT {COLUMNS} FROM records WHERE evidence_id = ?",  # noqa: S608 - column names of this module
            (evidence_id,),
        )
        return self._record(rows[0]) if rows else None

    def _record(self, row: Row) -> Record:
        """The record of a row, if it is the one that was written."""
        header = header_of(row)
        if header is None:
            raise UnavailableError(
                f"Record {row[0]} of the evidence ledger was changed after it was written: run "
                "`groundwire evidence verify`, and do not rely on it."
            )
        written = decode(row[7])
        moment = dt.datetime.fromtimestamp(header.created / 1000, dt.UTC)
        return Record(
            evidence_id=header.evidence_id,
            sequence=header.sequence,
            owner=header.owner,
            tool=written.tool,
            arguments=written.arguments,
            created=moment.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            draft=written.draft,
            payload_hash=header.payload,
            payload_size=written.payload_size,
            payload_cut=written.payload_cut,
            previous_hash=header.previous,
            hash=row[6].hex(),
        )

    def payload(self, record: Record) -> bytes | None:
        """The stored payload of a record, or None if it has none any more.

        Raises:
            UnavailableError: the ledger cannot be read, or the payload was changed in it.
        """
        if record.payload_hash is None:
            return None
        digest = bytes.fromhex(record.payload_hash)
        rows = self._store.select("SELECT data FROM payloads WHERE hash = ?", (digest,))
        try:
            return payloads.unpack(digest, rows[0][0]) if rows else None
        except ValueError as error:
            raise UnavailableError(
                f"The payload of record {record.sequence} was changed after it was written: run "
                "`groundwire evidence verify`."
            ) from error

    def _now(self) -> int:
        return int(self._clock() * 1000)
