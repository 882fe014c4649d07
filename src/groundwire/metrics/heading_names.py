"""Ordinary names of a column in three languages: "Product name" is also product and 产品."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from groundwire.vocabulary.fold import fold


@lru_cache(maxsize=1_024)
def heading_names(heading: str) -> tuple[str, ...]:
    """Return a heading, its noun alone, and the words for the same in English, German and Chinese.

    >>> heading_names("区名")[:3]
    ('区名', '区', 'district')
    """
    tree, noun = _tree(), heading.strip()
    # In "surname" and "username" the name is what the column holds.
    for ending in tree["endings"]:
        shorter = noun[: -len(ending)].rstrip()
        if noun.casefold().endswith(ending if not ending.isascii() else f" {ending}") and shorter:
            noun = shorter
            break
    for beginning in tree["beginnings"]:
        if noun.startswith(beginning) and noun != beginning:
            noun = noun.removeprefix(beginning)
            break
    return tuple(dict.fromkeys((heading, noun, *_alike().get(fold(noun), ()))))


@cache
def _tree() -> Mapping[str, Any]:
    text = files("groundwire.metrics").joinpath("heading_words.toml").read_text("utf-8")
    return tomllib.loads(text)


@cache
def _alike() -> Mapping[str, Sequence[str]]:
    return {fold(word): group for group in _tree()["things"] for word in group}
