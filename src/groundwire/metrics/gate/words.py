"""English words that ordinary prose puts next to each other, and that names are homonyms of."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def read_words(name: str) -> frozenset[str]:
    """The words of a list of the package: `common_words` or `function_words`."""
    content = files("groundwire.metrics.gate").joinpath(f"{name}.txt").read_text("utf-8")
    lines = content.split("\n")
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())
