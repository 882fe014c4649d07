"""The role of each word of a question: what it is there for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from groundwire.metrics.intent.derivations import Operation
from groundwire.metrics.intent.tokens import Token

Role = Literal[
    "term",
    "period",
    "function",
    "listing",
    "own",
    "cue",
    "movement",
    "derivation",
    "qualifier",
    "time",
    "loose",
]


@dataclass(slots=True)
class Explained:
    """The tokens of a question with what each is there for.

    Attributes:
        tokens: the tokens.
        roles: the role of each.
        terms: for each token the numbers of the mentions that it is part of.
        operations: derivations that are asked for, as (operation, first token, token after).
    """

    tokens: Sequence[Token]
    roles: list[Role]
    terms: list[tuple[int, ...]]
    operations: list[tuple[Operation, int, int]] = field(
        default_factory=list[tuple[Operation, int, int]]
    )

    def give(self, first: int, last: int, role: Role) -> None:
        """Give tokens a role."""
        for at in range(first, last):
            self.roles[at] = role

    def has(self, role: Role) -> bool:
        """Whether any token has a role."""
        return role in self.roles

    def role(self, at: int) -> Role | None:
        """The role of a token; None outside of the text."""
        return self.roles[at] if 0 <= at < len(self.roles) else None
