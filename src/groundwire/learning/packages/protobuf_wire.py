"""The wire format of protocol buffers, as far as Anki's packages need it.

Source: protobuf.dev, "Encoding": a message is a row of fields, each a number and a value.
"""

from __future__ import annotations

from collections.abc import Iterator

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_LONGEST_VARINT = 10


def fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Yield number and value of each field.

    Raises:
        ValueError: the message is cut off, or of another format.
    """
    position = 0
    while position < len(message):
        key, position = _varint(message, position)
        number, wire = key >> 3, key & 7
        if wire == _VARINT:
            value, position = _varint(message, position)
            yield number, value
            continue
        if wire == _BYTES:
            size, position = _varint(message, position)
        elif wire in (_FIXED32, _FIXED64):
            size = 4 if wire == _FIXED32 else 8
        else:
            raise ValueError("a field of an unknown kind")
        if position + size > len(message):
            raise ValueError("a message that is cut off")
        yield number, message[position : position + size]
        position += size


def first_int(message: bytes, number: int) -> int:
    """Return the last whole number of a field, as the format has it, or 0."""
    found = 0
    for one, value in fields(message):
        if one == number and isinstance(value, int):
            found = value
    return found


def first_text(message: bytes, number: int) -> str:
    """Return the last text of a field, or ""."""
    found = b""
    for one, value in fields(message):
        if one == number and isinstance(value, bytes):
            found = value
    return found.decode("utf-8", "replace")


def _varint(message: bytes, position: int) -> tuple[int, int]:
    value = 0
    for place in range(_LONGEST_VARINT):
        if position >= len(message):
            raise ValueError("a number that is cut off")
        byte = message[position]
        position += 1
        value |= (byte & 127) << (7 * place)
        if byte < 128:
            return value, position
    raise ValueError("a number that is too long")
