"""Words that ask for something computed from several values, and when the question lists them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Literal

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
