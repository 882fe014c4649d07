"""Words that arguments of a table query are written with."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Literal

Table = Literal["grains", "period", "operators", "directions", "changes", "numbers", "rolling"]


@cache
def _words() -> Mapping[str, Mapping[str, str]]:
    tree = tomllib.loads(files(__package__ or "").joinpath("words.toml").read_text("utf-8"))
    return {
        table: {word.casefold(): term for term, words in terms.items() for word in words}
        for table, terms in tree.items()
    }


def term_of(table: Table, raw: str) -> str:
    """Return the term that a word stands for, or "" where it is none of the table's."""
    return _words()[table].get(" ".join(raw.split()).casefold(), "")


@cache
def words_of(table: Table) -> tuple[str, ...]:
    """Return the words of a table, the longest first."""
    return tuple(sorted(_words()[table], key=len, reverse=True))


def terms(table: Table) -> tuple[str, ...]:
    """Return the terms of a table, in the order of the file."""
    return tuple(dict.fromkeys(_words()[table].values()))
