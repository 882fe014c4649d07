"""The body of a response, unpacked piece by piece within a size limit."""

from __future__ import annotations

import zlib
from typing import Literal

from groundwire.errors import UnavailableError

Cut = Literal["", "max_bytes", "connection", "encoding"]

# Bytes unpacked at once.
_PIECE = 65_536
# The window parameter of zlib for what a server may send.
_WINDOW = {"gzip": 31, "x-gzip": 31, "deflate": 15}


class BodyReader:
    """Collects a body of at most `max_bytes` bytes, before and after unpacking.

    The memory held is bounded by `max_bytes`, however far the server's bytes would unpack: they
    are unpacked in small pieces, and not beyond what is left.
    """

    def __init__(self, content_encoding: str, max_bytes: int) -> None:
        encoding = content_encoding.strip().lower()
        if encoding not in _WINDOW and encoding not in ("", "identity"):
            raise UnavailableError(
                "The server packed its answer in a way that was not asked for:"
                " it has to send gzip or nothing."
            )
        self._window = _WINDOW.get(encoding)
        self._unpacker = zlib.decompressobj(self._window) if self._window else None
        self._room = max_bytes
        # What does not shrink grows a little by packing, and very short bodies by a lot.
        self._wire_room = max_bytes + max_bytes // 64 + 1024 if self._window else max_bytes
        self._parts: list[bytes] = []
        self._started = False

    def feed(self, chunk: bytes) -> bool:
        """Take bytes as they came; False when the limit is reached and no more are wanted."""
        self._started = self._started or bool(chunk)
        if len(chunk) > self._wire_room:
            self._unpack(chunk[: self._wire_room])
            self._wire_room = 0
            return False
        self._wire_room -= len(chunk)
        return self._unpack(chunk)

    def finish(self) -> Cut:
        """Why the body is not whole although the connection ended in order, or nothing."""
        if self._unpacker is None or self._unpacker.eof or not self._started:
            return ""
        return "encoding"

    def body(self) -> bytes:
        """Return what was collected."""
        return b"".join(self._parts)

    def _unpack(self, chunk: bytes) -> bool:
        if self._unpacker is None:
            return self._keep(chunk)
        while True:
            # One byte beyond the room tells "exactly full" from "more to come".
            most = min(self._room + 1, _PIECE)
            piece = self._decompress(chunk, most)
            if not self._keep(piece):
                return False
            chunk = self._unpacker.unconsumed_tail
            if self._unpacker.eof and self._unpacker.unused_data and self._window == 31:
                # RFC 1952 section 2.2: a gzip file is a series of members.
                chunk = self._unpacker.unused_data
                self._unpacker = zlib.decompressobj(self._window)
            elif self._unpacker.eof or (not chunk and len(piece) < most):
                return True

    def _decompress(self, chunk: bytes, most: int) -> bytes:
        assert self._unpacker is not None
        try:
            return self._unpacker.decompress(chunk, most)
        except zlib.error:
            if self._window == 15 and not self._parts:
                # Some servers send "deflate" without the zlib wrapper of RFC 9110, 8.4.1.2.
                self._window = -15
                self._unpacker = zlib.decompressobj(self._window)
                return self._decompress(chunk, most)
            raise UnavailableError(
                "The server's packed answer is damaged: try again, or ask its operator."
            ) from None

    def _keep(self, piece: bytes) -> bool:
        self._parts.append(piece[: self._room])
        fits = len(piece) <= self._room
        self._room -= min(len(piece), self._room)
        return fits
