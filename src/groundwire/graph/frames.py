"""Messages between this process and its children: a length, then a marshalled tuple.

Both ends are the same Python and the same code, and only plain values cross, so `marshal` is
the fastest encoding there is; nothing that came from a file or the network is ever decoded.
"""

from __future__ import annotations

import marshal
import os
import struct
from typing import Any

_HEADER = struct.Struct("<Q")
# Every reply is bounded by the worker long before this; past it the stream is not ours.
MAX_FRAME = 1 << 31


def encode(message: tuple[Any, ...]) -> bytes:
    """`message` as one frame."""
    body = marshal.dumps(message)
    return _HEADER.pack(len(body)) + body


def write(descriptor: int, frame: bytes) -> None:
    """Write a whole frame to a blocking pipe."""
    view = memoryview(frame)
    while view:
        view = view[os.write(descriptor, view) :]


def read(descriptor: int) -> tuple[Any, ...] | None:
    """The next message of a blocking pipe, or None at its end."""
    header = _read_exactly(descriptor, _HEADER.size)
    if header is None:
        return None
    (length,) = _HEADER.unpack(header)
    if length > MAX_FRAME:
        return None
    body = _read_exactly(descriptor, length)
    return None if body is None else marshal.loads(body)


def _read_exactly(descriptor: int, size: int) -> bytes | None:
    first = os.read(descriptor, size)
    if len(first) == size:
        return first
    parts = bytearray(first)
    while first and len(parts) < size:
        first = os.read(descriptor, min(size - len(parts), 1 << 20))
        parts += first
    return bytes(parts) if len(parts) == size else None
