"""The role of each word of a question: what it is there for.

Words of derivations ask for something computed from several values, which a question may list.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Literal

from groundwire.metrics.intent.tokens import Token
from groundwire.metrics.terms import DerivedBy

Operation = DerivedBy

_TABLES = tomllib.loads((files(__package__ or "") / "derivations.toml").read_text("utf-8"))
# Words and phrases, by their folded words.
SPACED: dict[tuple[str, ...], Operation] = {
    tuple(phrase.split()): operation
    for language in ("en", "de")
    for operation, said in _TABLES[language].items()
    for phrase in said
}
CHINESE: dict[str, Operation] = {
    word: operation for operation, said in _TABLES["zh"].items() for word in said
}

# Words for all that there is and for what is left out of it, by language.
WHOLES: Mapping[str, Mapping[str, Sequence[str]]] = _TABLES["wholes"]

Listed = Literal["metric", "entity", "period", "channel"]


def is_listed(operation: Operation, counts: dict[Listed, int]) -> bool:
    """Whether a question lists the operands of an operation.

    Args:
        operation: what is asked for.
        counts: how many values of each dimension the question lists.
    """
    several = [(dimension, count) for dimension, count in counts.items() if count > 1]
    if len(several) != 1:
        return False
    dimension, count = several[0]
    if operation == "percent_change":
        return dimension == "period"
    if operation == "delta":
        return dimension != "metric"
    if operation == "ratio":
        return count == 2
    if operation == "share":
        return dimension in ("entity", "channel")
    return dimension != "metric"


def longest_phrase(words: Sequence[str]) -> tuple[Operation, int] | None:
    """The operation whose phrase begins a sequence of folded words, and how many words it has."""
    for length in (3, 2, 1):
        operation = SPACED.get(tuple(words[:length])) if len(words) >= length else None
        if operation is not None:
            return operation, length
    return None


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
