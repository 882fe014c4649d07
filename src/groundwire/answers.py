"""Parts that the answers of every domain share: a quotable sentence, a proof, and pages.

Models whose list can be paged know how to shorten themselves, so that the caller can hold a budget
of characters: `item_count` items are there, and `shortened(keep)` is the same answer with the first
`keep` of them and `next_offset` set to where the next page begins.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator


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


class Settled(Answer):
    """A result with a `status`: it has all fields of that and none of another's.

    Attributes:
        own: for each status the names of its fields; those that none has are free.
        allowed: for each status the names of fields that it may have and no other has.
    """

    own: ClassVar[Mapping[str, frozenset[str]]]
    allowed: ClassVar[Mapping[str, frozenset[str]]] = {}

    @model_validator(mode="after")
    def _one_status(self) -> Self:
        status: str = vars(self)["status"]
        filled = {name for name in type(self).model_fields if getattr(self, name) is not None}
        own = self.own[status]
        missing = own - filled
        others = frozenset[str]().union(
            *(names for fields in (self.own, self.allowed) for names in fields.values())
        )
        foreign = filled & (others - own - self.allowed.get(status, frozenset()))
        if missing or foreign:
            differs = f"lacks {sorted(missing)} and has {sorted(foreign)}"
            raise ValueError(f"a result that is {status} {differs}")
        return self
