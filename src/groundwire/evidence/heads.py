"""Heads and seals: what is kept of a chain outside of it, so that a cut or rewritten one is found.

A head is the place and the hash of a chain's last record. One is noted in a file beside the ledger
after each record, without waiting for the disk; people keep others elsewhere. A seal is the short
form of a record's hash: it stands beside the handle in each answer, so that a transcript holds it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from groundwire.errors import InputError

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
