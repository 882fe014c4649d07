"""The hash of a graph, kept up to date by what is added and taken away.

Each row is hashed to 1,024 numbers of 16 bits, and the graph's lanes are their sums. So the hash
does not depend on the order of rows, a change costs as much as it changes, and two different sets
of rows with one hash are as hard to find as short vectors in a lattice. Source: LtHash, in Lewi,
Kim, Maykov and Weis, "Securing Update Propagation with Homomorphic Hashing", 2019, section 3.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable

_LANES = 1_024
_BITS = 32
_BYTES = _LANES * _BITS // 8
_ONES = sum(1 << (_BITS * lane) for lane in range(_LANES))
# Of each 32 bits the lower 16 hold the number, and the others take what is carried.
_NUMBERS = _ONES * 0xFFFF
_CARRIES = _ONES << 16

EMPTY = bytes(_BYTES)
"""The lanes of a graph without rows."""


def row_text(*cells: str) -> bytes:
    """Return a row of texts as bytes that no other row has."""
    return json.dumps(cells, ensure_ascii=True, separators=(",", ":")).encode()


def changed(lanes: bytes, added: Iterable[bytes], removed: Iterable[bytes]) -> bytes:
    """Return the lanes of a set of rows after some were added and some taken away."""
    total = int.from_bytes(lanes, "little")
    for row in added:
        total = (total + _numbers(row)) & _NUMBERS
    for row in removed:
        total = ((total | _CARRIES) - _numbers(row)) & _NUMBERS
    return total.to_bytes(_BYTES, "little")


def digest(lanes: bytes) -> str:
    """Return the hash that lanes stand for: 64 hexadecimal digits (SHA-256)."""
    return hashlib.sha256(lanes).hexdigest()


def _numbers(row: bytes) -> int:
    return int.from_bytes(hashlib.shake_128(row).digest(_BYTES), "little") & _NUMBERS
