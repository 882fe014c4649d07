"""Raw responses: cut, compressed, stored once by the hash of their content, removed in time."""

from __future__ import annotations

import hashlib
import zlib
from dataclasses import dataclass

from groundwire.evidence.canonical import Redactor
from groundwire.state import Connection

PAYLOAD_BYTES = 5_242_880
KEPT_MILLISECONDS = 30 * 86_400_000
# Deleting overwrites what is deleted: a call that answers somebody removes only a few.
_REMOVED_AT_ONCE = 4
# A secret that the cut would split is still whole in the bytes after it.
_MARGIN = 4096


@dataclass(frozen=True, slots=True)
class Packed:
    """A payload as it is stored.

    Attributes:
        digest: SHA-256 of the stored bytes before compression.
        data: the bytes, compressed with zlib.
        cut: whether the payload was longer than `PAYLOAD_BYTES`.
    """

    digest: bytes
    data: bytes
    cut: bool


def pack(payload: bytes, redactor: Redactor) -> Packed:
    """Take the secrets out of a payload, cut it and compress it."""
    cut = len(payload) > PAYLOAD_BYTES
    clean = redactor.clean(payload[: PAYLOAD_BYTES + _MARGIN])
    if len(payload) > PAYLOAD_BYTES + _MARGIN:
        clean = clean[:-_MARGIN]
    kept = clean[:PAYLOAD_BYTES]
    return Packed(hashlib.sha256(kept).digest(), zlib.compress(kept, 1), cut)


def unpack(digest: bytes, data: bytes) -> bytes:
    """The bytes of a stored payload.

    Raises:
        ValueError: they are not the bytes that were stored.
    """
    stream = zlib.decompressobj()
    try:
        payload = stream.decompress(data, PAYLOAD_BYTES + 1)
    except zlib.error as error:
        raise ValueError(f"a payload cannot be unpacked: {error}") from error
    whole = stream.eof and not stream.unused_data
    if not whole or hashlib.sha256(payload).digest() != digest:
        raise ValueError("a payload is not the one that was stored")
    return payload


def insert(connection: Connection, packed: Packed, now: int) -> None:
    """Store a payload unless it is there; `now` in milliseconds since 1970."""
    there = connection.execute("SELECT 1 FROM payloads WHERE hash = ?", (packed.digest,))
    if there.fetchone() is None:
        connection.execute(
            "INSERT INTO payloads (hash, stored, data) VALUES (?, ?, ?)",
            (packed.digest, now, packed.data),
        )


def purge(connection: Connection, now: int) -> bool:
    """Remove some payloads that no record of the last 30 days has; whether more may be left."""
    before = now - KEPT_MILLISECONDS
    removed = connection.execute(
        """DELETE FROM payloads WHERE hash IN (
            SELECT hash FROM payloads AS old WHERE stored < ? AND NOT EXISTS (
                SELECT 1 FROM records WHERE payload = old.hash AND created >= ?
            ) ORDER BY stored LIMIT ?
        )""",
        (before, before, _REMOVED_AT_ONCE),
    ).rowcount
    return removed == _REMOVED_AT_ONCE
