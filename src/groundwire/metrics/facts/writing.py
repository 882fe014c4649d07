"""Documents and rows, as an import hands them to the store."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from types import TracebackType
from typing import NamedTuple, Protocol, Self


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A document that facts are from.

    Attributes:
        name: what answers call it.
        sha256: its hash, hexadecimal; of a filing inside a file, the file's.
        publisher: who issued it.
        dated: its own date (a filing's is the day it was filed), or None.
    """

    name: str
    sha256: str
    publisher: str
    dated: date | None


class FactRow(NamedTuple):
    """One fact on its way into the store, in the store's own terms.

    Attributes:
        metric, entity, channel: controlled codes.
        start, end, as_of: days, as `date.toordinal` counts them.
        mantissa, exponent: the value is mantissa * 10 ** exponent, with the source's digits.
        unit: canonical unit symbol, or "".
        document: what `FactWriter.document` returned.
        place: the part of the locator that many rows share, with `{}` where the number belongs
            ("row {}, column Value", "sheet Q3, cell C{}").
        number: the number.
        raw: the cell as it was written where it is not the value's plain text, else None.
    """

    metric: str
    entity: str
    channel: str
    start: int
    end: int
    as_of: int
    mantissa: int
    exponent: int
    unit: str
    document: int
    place: str
    number: int
    raw: str | None


class FactWriter(Protocol):
    """One import: all of it is kept when the block ends, or nothing if it ends by an error."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...

    def document(self, document: SourceDocument) -> int:
        """Register a document; the same name and hash again is the same number."""
        ...

    def add(self, rows: Iterable[FactRow]) -> int:
        """Take rows in; how many were new. A row that is there already with all its parts is not.

        Raises:
            InputError: a unit differs from what the same metric, entity and channel have, or one
                document says two values for one fact; the message names the place of the row.
        """
        ...
