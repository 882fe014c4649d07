"""Words that arguments of a table query are written with, and the refusal of one."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Literal

from groundwire.metrics.results import CandidateItem, Reason

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


class RefusedError(Exception):
    """An argument that is not used; it becomes an `unrecognized_param`.

    Attributes:
        answer: one sentence that says what is wrong and what to send.
        param: name of the argument, with the key of `where` ("where.entity").
        raw: what was sent.
        reason: why it is not used.
        candidates: what can be sent in its place.
    """

    def __init__(
        self,
        answer: str,
        param: str,
        raw: str,
        reason: Reason,
        candidates: Iterable[CandidateItem] = (),
    ) -> None:
        """Refuse an argument."""
        super().__init__(answer)
        self.answer = answer
        self.param = param
        self.raw = raw
        self.reason: Reason = reason
        self.candidates = list(candidates)


def offered(*terms: tuple[str, str]) -> list[CandidateItem]:
    """Return candidates of a value and its label each."""
    return [CandidateItem(value=value, label=label) for value, label in terms]
