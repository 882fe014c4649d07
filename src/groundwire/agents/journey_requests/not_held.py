"""Questions about travel in London whose answers are not held here, and what is said to each.

The kinds of questions are data in `not_held.toml`. A sentence of such a kind is never planned as
another trip: "the last train from Angel to Bank" does not ask for a trip that begins now.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

_FILE = Path(__file__).with_suffix(".toml")


class _Kind(NamedTuple):
    """A kind of question.

    Attributes:
        asked: what a sentence of it has.
        unless: what makes it another question, or None.
        answer: what is said to it.
    """

    asked: re.Pattern[str]
    unless: re.Pattern[str] | None
    answer: str


def not_held(sentence: str) -> str:
    """Return what is said to a question whose answer is not held; empty for any other sentence."""
    for kind in _kinds():
        if kind.asked.search(sentence) and not (kind.unless and kind.unless.search(sentence)):
            return kind.answer
    return ""


@cache
def _kinds() -> Sequence[_Kind]:
    tree = tomllib.loads(_FILE.read_text("utf-8"))
    return [
        _Kind(
            re.compile(kind["asked"], re.IGNORECASE),
            re.compile(kind["unless"], re.IGNORECASE) if "unless" in kind else None,
            kind["answer"],
        )
        for kind in tree["kind"]
    ]
