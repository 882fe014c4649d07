"""TfL's answers kept for as long as it says they hold.

Sources: RFC 9111 sections 4.2.1 and 5.2.2, read as a private cache does: `max-age` counts, and
`s-maxage` where it is all there is; the `Age` that TfL's own cache sends is taken off.
"""

from __future__ import annotations

import re
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping

MOST_ENTRIES = 256
MOST_BYTES = 16_777_216
LONGEST = 86_400.0

_SECONDS = re.compile(r"(?:^|[,\s])(?P<name>max-age|s-maxage)\s*=\s*\"?(?P<value>\d{1,9})")
_NOT_KEPT = re.compile(r"(?:^|[,\s])no-(?:store|cache)\b")

Key = tuple[str, tuple[tuple[str, str], ...]]


def freshness(headers: Mapping[str, str], default: float) -> float:
    """Seconds that an answer holds.

    Args:
        headers: of the answer, names in lower case.
        default: seconds where the headers do not say.
    """
    control = headers.get("cache-control", "").lower()
    if _NOT_KEPT.search(control):
        return 0.0
    said = {match["name"]: float(match["value"]) for match in _SECONDS.finditer(control)}
    if not said:
        return default
    age = headers.get("age", "").strip()
    spent = float(age[:9]) if age.isascii() and age.isdigit() else 0.0
    return min(LONGEST, max(0.0, said.get("max-age", said.get("s-maxage", 0.0)) - spent))


class AnswerCache:
    """Bodies by request, bounded in number and bytes; the one not used for longest goes first."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        *,
        most_entries: int = MOST_ENTRIES,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        self._clock = clock
        self._most_entries = most_entries
        self._most_bytes = most_bytes
        self._entries: OrderedDict[Key, tuple[float, str]] = OrderedDict()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def size(self) -> int:
        """Characters of all bodies; TfL's are next to all ASCII, one byte each."""
        return self._bytes

    def get(self, key: Key) -> str | None:
        """The body that is kept for a request and still holds, or None."""
        found = self._entries.get(key)
        if found is None:
            return None
        if found[0] <= self._clock():
            self._drop(key)
            return None
        self._entries.move_to_end(key)
        return found[1]

    def put(self, key: Key, body: str, seconds: float) -> None:
        """Keep a body for so many seconds, unless that is none or it is too large."""
        self._drop(key)
        if seconds <= 0 or len(body) > self._most_bytes // 4:
            return
        self._entries[key] = (self._clock() + seconds, body)
        self._bytes += len(body)
        while len(self._entries) > self._most_entries or self._bytes > self._most_bytes:
            self._drop(next(iter(self._entries)))

    def _drop(self, key: Key) -> None:
        found = self._entries.pop(key, None)
        if found is not None:
            self._bytes -= len(found[1])
