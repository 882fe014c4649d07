"""A typed response against the back of a card: right, wrong, or not for a program to decide.

A response is right where it is the back or one of its aliases as written, or but for case, accents,
spaces and punctuation, or where both are one quantity with one value. It is wrong where both are
quantities of one kind with different values, or where the learner gave up. Everything else may be
another way to say the same, so it is undecided, and the learner is asked.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from groundwire.errors import InputError
from groundwire.quantities import Quantity, convert, parse_quantity, resolve_unit
from groundwire.vocabulary.fold import fold_plain

Outcome = Literal["right", "wrong", "undecided"]
GradedHow = Literal["exact", "folded", "alias", "number", "gave_up", "said", ""]

_LONGEST_QUANTITY = 60
_LONGEST_FOLDED = 20_000
# A mark before three digits is of thousands in one language and of decimals in another.
_THOUSANDS = re.compile(r"(?<!\d)\d{1,3}[.,]\d{3}(?!\d)")


@dataclass(frozen=True, slots=True)
class Grade:
    """The result of a comparison.

    Attributes:
        outcome: right, wrong or undecided.
        how: what decided it; "" where nothing did.
    """

    outcome: Outcome
    how: GradedHow = ""


def grade(response: str, back: str, aliases: Sequence[str] = ()) -> Grade:
    """Compare what a learner typed with the back of a card.

    Args:
        response: what was typed.
        back: the answer of the card.
        aliases: other answers that are right.
    """
    sent, right = _spaced(response), _spaced(back)
    if sent and sent == right:
        return Grade("right", "exact")
    folded = fold_plain(sent)
    if folded and _folds_to(right, folded):
        return Grade("right", "folded")
    if folded and any(_folds_to(_spaced(one), folded) for one in aliases):
        return Grade("right", "alias")
    if sent.casefold().rstrip(".!… ") in _gave_up():
        return Grade("wrong", "gave_up")
    same = _same_quantity(sent, right)
    if same is None:
        return Grade("undecided")
    return Grade("right" if same else "wrong", "number")


def _folds_to(text: str, folded: str) -> bool:
    # Folding takes a second for a million characters, and drops no more than signs and accents.
    return len(text) <= _LONGEST_FOLDED and fold_plain(text) == folded


def _spaced(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).replace("’", "'").split())


@cache
def _gave_up() -> frozenset[str]:
    text = files("groundwire.learning.reviews").joinpath("gave_up.toml").read_text("utf-8")
    return frozenset(one.casefold() for one in tomllib.loads(text)["words"])


def _same_quantity(response: str, back: str) -> bool | None:
    """Whether two texts are one quantity, or None where they cannot be compared."""
    if max(len(response), len(back)) > _LONGEST_QUANTITY:
        return None
    sent, right = parse_quantity(response), parse_quantity(back)
    if sent is None or right is None or sent.bound or right.bound:
        return None
    if (sent.noun or right.noun) and fold_plain(sent.noun) != fold_plain(right.noun):
        return None
    return _same_value(sent, right)


def _same_value(sent: Quantity, right: Quantity) -> bool | None:
    value = sent.value
    if sent.unit or right.unit:
        units = resolve_unit(sent.unit or ""), resolve_unit(right.unit or "")
        if units[0] is None or units[1] is None or units[0].dimension != units[1].dimension:
            return None
        try:
            value = convert(sent.value, units[0], units[1])
        except InputError:
            return None
    if value == right.value:
        return True
    # 3.14 for 3.14159 may do, and 5.000 may be five thousand: not for a program to decide.
    rounded = sent.decimals < right.decimals and round(right.value, sent.decimals) == value
    grouped = _THOUSANDS.search(sent.raw) or _THOUSANDS.search(right.raw)
    return None if rounded or grouped else False
