"""Parts that the answers of every domain share: a quotable sentence, a proof, and pages.

Models whose list can be paged know how to shorten themselves, so that the caller can hold a budget
of characters: `item_count` items are there, and `shortened(keep)` is the same answer with the first
`keep` of them and `next_offset` set to where the next page begins.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field


class Part(BaseModel):
    """A part of a result. Validators are built on first use, so that a server starts quickly."""

    model_config = ConfigDict(extra="forbid", defer_build=True)


class Answer(Part):
    """A result with its quotable sentence first.

    Attributes:
        unlisted: fields that the definition of a tool does not list, to spare a model's context; an
            answer that has them holds them all the same.
    """

    unlisted: ClassVar[frozenset[str]] = frozenset()

    answer: str


class Paged(Answer):
    """A result with one list that is delivered page by page.

    Attributes:
        offset: where this page begins in the whole list.
        next_offset: where the next page begins, or None at the end.
        left_out: what was left out of this page and how to get it.
        next_cursor: the handle for the next page.
    """

    items: ClassVar[str]

    offset: int = Field(default=0, exclude=True)
    next_offset: int | None = Field(default=None, exclude=True)
    left_out: str | None = None
    next_cursor: str | None = None

    @property
    def item_count(self) -> int:
        """How many items this page holds."""
        return len(getattr(self, self.items))

    def shortened(self, keep: int) -> Self:
        """The same page with its first `keep` items; the next page begins after them."""
        kept = getattr(self, self.items)[:keep]
        return self.model_copy(update={self.items: kept, "next_offset": self.offset + keep})


class ResolvedItem(Part):
    """How one argument was read."""

    param: str
    raw: str
    resolved: str
    how: str


class Proven(Part):
    """The handle of the evidence record, or why nothing could be recorded."""

    evidence_id: str | None = None
    evidence_error: str | None = None


Checked = TypeVar("Checked", bound=Answer)


def with_fields_of(result: Checked, status: str, own: Mapping[str, frozenset[str]]) -> Checked:
    """Return a result that has all fields of its status and none of another's.

    Args:
        result: the result.
        status: its status.
        own: for each status the names of its fields; those that none has are free.

    Raises:
        ValueError: it lacks a field, or has one that is not its own.
    """
    filled = {name for name in type(result).model_fields if getattr(result, name) is not None}
    missing = own[status] - filled
    others = frozenset[str]().union(*(names for one, names in own.items() if one != status))
    foreign = filled & (others - own[status])
    if missing or foreign:
        differs = f"lacks {sorted(missing)} and has {sorted(foreign)}"
        raise ValueError(f"a result that is {status} {differs}")
    return result
