"""Bundles: records of the ledger in one signed file, which is checked without the ledger.

A bundle is UTF-8 text of one JSON object a line: a head (format, time, public key), then the
records as they are stored, each with the bytes that its hash covers and its response, then the
Ed25519 signature (RFC 8032) of the SHA-512 of every byte before it. Whoever changes a byte breaks
the signature; whoever signs anew has another key, whose fingerprint is told.
"""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from groundwire.errors import InputError, NotFoundError, UnavailableError
from groundwire.evidence import payloads
from groundwire.evidence.canonical import Header
from groundwire.evidence.connections import RecordStore, record_store
from groundwire.evidence.store import COLUMNS, Row, header_of
from groundwire.private_files import private_file
from groundwire.state import Connection, StatePlace

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

FORMAT = 1
KEY_FILE = "evidence_key.pem"
"""In the state folder: what signs its bundles."""
MOST_SIGNED = 50
"""Records of one bundle that is made in memory."""
# A response has 5 MB at most, a record about as much.
_LONGEST_LINE = 32_000_000
_HEAD = "groundwire_evidence"


@dataclass(frozen=True, slots=True)
class BundleCheck:
    """The result of checking a bundle.

    Attributes:
        ok: whether every record, link, response and the signature is as it was written.
        reason: what is wrong, one line, or None.
        records: records that were found good.
        gaps: places where records between two of the bundle are not in it, so that the link
            between them is vouched for by the signature alone.
        responses: stored responses that were found good.
        first: place of the first record in its ledger, or 0.
        last: place of the last one, or 0.
        fingerprint: SHA-256 of the public key, hexadecimal; "" where the head cannot be read.
    """

    ok: bool
    reason: str | None
    records: int = 0
    gaps: int = 0
    responses: int = 0
    first: int = 0
    last: int = 0
    fingerprint: str = ""


def is_bundle(path: Path) -> bool:
    """Whether a file begins as a bundle does."""
    try:
        with path.open("rb") as file:
            return file.read(len(_HEAD) + 2) == f'{{"{_HEAD}'.encode()
    except OSError:
        return False


def export_bundle(
    ledger: StatePlace, target: Path, key: Path, evidence_ids: Sequence[str] = (), owner: str = ""
) -> BundleCheck:
    """Write records into a bundle, in the order of the chain, and check what was written.

    Args:
        ledger: the file of the ledger, or its database.
        target: the bundle; another bundle there is replaced.
        key: the file of the private key, made if it is missing.
        evidence_ids: which records; none for all.
        owner: only the records of this owner, or "" for all.

    Raises:
        NotFoundError: a record is not in the ledger, or there is none to export.
        InputError: another file is at `target`, or none can be written there.
        UnavailableError: the ledger cannot be read, or was changed.
    """
    if target.exists() and not is_bundle(target):
        raise InputError(f"{target} is there already and is no bundle: name another file.")
    private = _private_key(key)
    new = target.with_name(f".{target.name}.new")
    store = record_store(ledger)
    try:
        with new.open("wb") as file:
            file.writelines(_signed_lines(store, private, evidence_ids, owner))
        new.replace(target)
    except OSError as error:
        raise InputError(
            f"{target} cannot be written ({error.strerror}): name a file in a folder of yours."
        ) from error
    finally:
        store.close()
        new.unlink(missing_ok=True)
    return check_bundle(target)


def signed_bundle(store: RecordStore, evidence_ids: Sequence[str], owner: str) -> bytes:
    """Return records of an owner as a bundle, signed by the key in the folder of the store.

    Args:
        store: where the records are.
        evidence_ids: which records.
        owner: whose they are.

    Raises:
        NotFoundError: the owner has no such record.
        InputError: none, or too many, are named.
        UnavailableError: the ledger or the key cannot be read, or a record was changed.
    """
    if not 0 < len(evidence_ids) <= MOST_SIGNED:
        raise InputError(
            f"A bundle holds 1 to {MOST_SIGNED} records, not {len(evidence_ids)}: name the "
            "evidence_ids of answers, separated by commas."
        )
    key = _private_key(store.folder / KEY_FILE)
    return b"".join(_signed_lines(store, key, evidence_ids, owner))


def check_bundle(path: Path, fingerprint: str = "") -> BundleCheck:
    """Check every record of a bundle, its links and responses, and the signature of it all.

    Args:
        path: the bundle.
        fingerprint: the beginning of the fingerprint that its key must have, or "" for any.

    Raises:
        InputError: the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            return _Reading(fingerprint.strip().lower()).of(file)
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}).") from error


def _line(tree: dict[str, Any]) -> bytes:
    return json.dumps(tree, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _signed_lines(
    store: RecordStore, private: Ed25519PrivateKey, evidence_ids: Sequence[str], owner: str
) -> Iterator[bytes]:
    """Every line of a bundle, its signature last."""
    digest = hashlib.sha512()
    for line in _lines(store, _public(private), evidence_ids, owner):
        digest.update(line)
        yield line
    yield _line({"signature": _encoded(private.sign(digest.digest()))})


def _lines(
    store: RecordStore, public: bytes, evidence_ids: Sequence[str], owner: str
) -> Iterator[bytes]:
    """The lines of a bundle before its signature."""
    try:
        with store.viewing() as view:
            if view is None:
                raise NotFoundError(
                    f"There is no ledger in {store.name}: no answer was recorded there."
                )
            yield from _lines_of(view, public, _wanted(view, evidence_ids, owner))
    except sqlite3.Error as error:
        raise UnavailableError(
            f"The evidence ledger {store.name} cannot be read ({error}): run `groundwire evidence "
            "verify`."
        ) from error


def _lines_of(view: Connection, public: bytes, wanted: Sequence[int]) -> Iterator[bytes]:
    made = dt.datetime.now(dt.UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    yield _line({_HEAD: FORMAT, "made": made, "records": len(wanted), "key": _encoded(public)})
    for sequence in wanted:
        row: Row = view.execute(
            f"SELECT {COLUMNS} FROM records WHERE sequence = ?",  # noqa: S608 - column names of this module
            (sequence,),
        ).fetchone()
        header = header_of(row)
        if header is None:
            raise UnavailableError(
                f"Record {sequence} of the ledger was changed after it was written: run "
                "`groundwire evidence verify`."
            )
        yield _line(_record(view, header, row))


def _wanted(connection: Connection, ids: Sequence[str], owner: str) -> list[int]:
    """Places of the records to export, in order."""
    if not ids:
        rows = connection.execute(
            "SELECT sequence FROM records WHERE ? IN ('', owner) ORDER BY sequence", (owner,)
        )
        every = [int(sequence) for (sequence,) in rows]
        if not every:
            raise NotFoundError("The ledger has no record to export.")
        return every
    found: list[int] = []
    for one in dict.fromkeys(ids):
        row = connection.execute(
            "SELECT sequence FROM records WHERE evidence_id = ? AND ? IN ('', owner)", (one, owner)
        ).fetchone()
        if row is None:
            raise NotFoundError(
                f"The ledger has no record {one[:40]!r}: copy the evidence_id of an answer."
            )
        found.append(int(row[0]))
    return sorted(found)


def _record(connection: Connection, header: Header, row: Row) -> dict[str, Any]:
    tree: dict[str, Any] = {
        "sequence": header.sequence,
        "previous": header.previous,
        "evidence_id": header.evidence_id,
        "owner": header.owner,
        "created": header.created,
        "payload": header.payload,
        "hash": row[6].hex(),
        "content": row[7].decode("utf-8"),
    }
    stored = connection.execute("SELECT data FROM payloads WHERE hash = ?", (row[5],)).fetchone()
    if row[5] is not None and stored is not None:
        try:
            tree["response"] = _encoded(payloads.unpack(row[5], stored[0]))
        except ValueError as error:
            raise UnavailableError(
                f"The response of record {header.sequence} was changed after it was written: run "
                "`groundwire evidence verify`."
            ) from error
    return tree


class _Reading:
    """The state of a walk through a bundle."""

    def __init__(self, wanted: str) -> None:
        self._wanted = wanted
        self._digest = hashlib.sha512()
        self._key = b""
        self._promised = self._records = self._gaps = self._responses = 0
        self._first = self._last = 0
        self._hash = ""

    def of(self, file: BinaryIO) -> BundleCheck:
        """Read a bundle to its end, or to the first thing that is wrong."""
        signed = False
        lines = iter(partial(file.readline, _LONGEST_LINE), b"")
        for number, line in enumerate(lines, 1):
            if signed:
                return self._failed("something stands behind the signature")
            wrong, signed = self._take(number, line)
            if wrong:
                return self._failed(f"line {number}: {wrong}")
        if not signed:
            return self._failed("its end with the signature is missing")
        if self._records != self._promised:
            return self._failed(f"{self._promised} records were exported, {self._records} are here")
        return self._result(None)

    def _take(self, number: int, line: bytes) -> tuple[str | None, bool]:
        """Check one line: what is wrong with it, and whether it was the signature."""
        try:
            tree = cast("dict[str, Any]", json.loads(line))
            if _line(tree) != line:
                return "it is not written as a bundle is", False
            if number == 1:
                return self._begin(tree, line), False
            if "signature" in tree:
                return self._end(tree), True
            self._digest.update(line)
            return self._check(tree), False
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return "it cannot be read", False

    def _begin(self, tree: dict[str, Any], line: bytes) -> str | None:
        if tree[_HEAD] != FORMAT:
            return f"bundles of format {str(tree[_HEAD])[:20]} are not known: update groundwire"
        self._key = _decoded(tree["key"])
        self._promised = int(tree["records"])
        self._digest.update(line)
        if not self._fingerprint().startswith(self._wanted):
            return f"its key has the fingerprint {self._fingerprint()}, another was asked for"
        return None

    def _check(self, tree: dict[str, Any]) -> str | None:
        header = Header(
            tree["sequence"],
            tree["previous"],
            tree["evidence_id"],
            tree["owner"],
            tree["created"],
            tree["payload"],
        )
        if header.hash(tree["content"].encode()) != tree["hash"]:
            return f"record {header.sequence} was changed after it was written"
        if self._records and header.sequence <= self._last:
            return f"record {header.sequence} stands in the wrong place"
        if self._records and header.sequence == self._last + 1:
            if header.previous != self._hash:
                return f"record {header.sequence} does not follow the record before it"
        elif self._records:
            self._gaps += 1
        if "response" in tree:
            response = _decoded(tree["response"])
            if hashlib.sha256(response).hexdigest() != header.payload:
                return f"the response of record {header.sequence} is not the one that was stored"
            self._responses += 1
        self._first = self._first or header.sequence
        self._last, self._hash = header.sequence, tree["hash"]
        self._records += 1
        return None

    def _end(self, tree: dict[str, Any]) -> str | None:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        try:
            key = Ed25519PublicKey.from_public_bytes(self._key)
            key.verify(_decoded(tree["signature"]), self._digest.digest())
        except InvalidSignature:
            return "the signature is not that of these bytes"
        return None

    def _fingerprint(self) -> str:
        return hashlib.sha256(self._key).hexdigest() if self._key else ""

    def _failed(self, reason: str) -> BundleCheck:
        return self._result(reason)

    def _result(self, reason: str | None) -> BundleCheck:
        return BundleCheck(
            reason is None,
            reason,
            self._records,
            self._gaps,
            self._responses,
            self._first,
            self._last,
            self._fingerprint(),
        )


def _encoded(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _decoded(text: str) -> bytes:
    """The bytes of a base64 text that is written in the one canonical way.

    Raises:
        ValueError: it is not.
    """
    data = base64.b64decode(text, validate=True)
    if _encoded(data) != text:
        raise ValueError("base64 that is not canonical")
    return data


def _private_key(path: Path) -> Ed25519PrivateKey:
    """The key in a file, which is made for its user alone if it is missing.

    Raises:
        UnavailableError: it cannot be read or made.
    """
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        private_file(path)
        data = path.read_bytes()
        if not data:
            made = Ed25519PrivateKey.generate()
            _write_key(path, made)
            return made
        found = load_pem_private_key(data, None)
    except (OSError, ValueError) as error:
        raise UnavailableError(f"The key {path} cannot be read or made ({error}).") from error
    if not isinstance(found, Ed25519PrivateKey):
        raise UnavailableError(f"The key {path} is of another kind than Ed25519.")
    return found


def _write_key(path: Path, key: Ed25519PrivateKey) -> None:
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    data = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _public(key: Ed25519PrivateKey) -> bytes:
    return key.public_key().public_bytes_raw()
