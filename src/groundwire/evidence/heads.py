"""Heads and seals: what is kept of a chain outside of it, so that a cut or rewritten one is found.

A head is the place and the hash of a chain's last record. One is noted in a file beside the ledger
after each record, without waiting for the disk; people keep others elsewhere. A seal is the short
form of a record's hash: it stands beside the handle in each answer, so that a transcript holds it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from groundwire.errors import InputError

SEAL_DIGITS = 12

_NOTED = re.compile(rb"(\d{20}) ([0-9a-f]{64})\n")
_NOTED_BYTES = 86
# A whole line; other hashes of 64 digits stand in answers too.
_HEAD_LINE = re.compile(r"^[ \t]*(?:(\d{1,18})[: \t])?([0-9a-f]{64})[ \t\r]*$", re.I | re.M)
_SEAL_LINE = re.compile(r"^[ \t]*(ev_\w{1,40})[: \t]([0-9a-f]{12,64})[ \t\r]*$", re.M)
_SEAL_IN_ANSWER = re.compile(
    r"evidence_id\W{1,12}(ev_\w{1,40})\W{1,12}evidence_seal\W{1,12}([0-9a-f]{12})\b"
)


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


class HeadFile:
    """The head that is noted beside a ledger, in `<ledger>.head`.

    What it holds is only ever moved forward along the chain that it is of. Where records were
    removed or replaced it stays as it is, and `verify` finds it to be of no chain any more.
    """

    def __init__(self, ledger: Path) -> None:
        self.path = ledger.with_name(f"{ledger.name}.head")

    def read(self) -> Head | None:
        """The noted head, or None if none is.

        Raises:
            ValueError: the file holds no head.
        """
        try:
            data = self.path.read_bytes()
        except OSError:
            return None
        return _parsed(data)

    def move(self, new: Head, previous: str, hash_at: Callable[[int], str | None]) -> None:
        """Note a head behind the one that is noted, if that one is of the same chain.

        A failure is not told: verification then finds the older head in the chain.

        Args:
            new: the last record, which is on the disk.
            previous: hash of the record before it.
            hash_at: tells the hash of the record at a place, or None if there is none.
        """
        with suppress(OSError, ValueError):
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                noted = _parsed(os.pread(descriptor, _NOTED_BYTES + 1, 0))
                if noted is not None:
                    if noted.sequence >= new.sequence:
                        return
                    follows = noted.sequence == new.sequence - 1
                    if noted.hash != (previous if follows else hash_at(noted.sequence)):
                        return
                os.pwrite(descriptor, b"%020d %s\n" % (new.sequence, new.hash.encode()), 0)
            finally:
                os.close(descriptor)


def _parsed(data: bytes) -> Head | None:
    if not data:
        return None
    found = _NOTED.fullmatch(data)
    if found is None:
        raise ValueError("not a head")
    return Head(int(found[1]), found[2].decode())
