"""JSON as a model sends it, checked before anything reads it: no deeper than people nest, finite.

Deeper values end the functions of the standard library and of pydantic that walk them, and JSON
has no NaN and no infinity.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import cast

from pydantic import JsonValue

MOST_NESTED = 64


def problem_of(value: object) -> str:
    """Why a value cannot be used as JSON, as in "it ..."; empty where it can."""
    left = [(value, 0)]
    while left:
        one, depth = left.pop()
        if depth > MOST_NESTED:
            return f"is nested more than {MOST_NESTED} deep"
        if isinstance(one, float) and not math.isfinite(one):
            return "holds a number that is not finite"
        if isinstance(one, Mapping):
            below = cast("Mapping[object, object]", one)
            if not all(isinstance(key, str) for key in below):
                return "has a key that is no text"
            left += [(member, depth + 1) for member in below.values()]
        elif isinstance(one, list):
            left += [(member, depth + 1) for member in cast("list[object]", one)]
        elif not isinstance(one, str | int | float | None):
            return "holds a value that is no JSON"
    return ""


def shown(value: object) -> JsonValue:
    """A value for the trace and the exchange: itself, or why it is left out."""
    problem = problem_of(value)
    return f"(left out: it {problem})" if problem else cast("JsonValue", value)


def read_json(text: str) -> object:
    """The JSON of a text.

    Raises:
        ValueError: it is none, or is nested too deep to be read.
    """
    try:
        return json.loads(text, parse_constant=_no_number)
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is no JSON")
