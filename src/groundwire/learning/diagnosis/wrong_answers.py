"""Wrong answers that were typed, sorted by rules into what may lie behind them.

A rule compares the words with the card's own answer, with those of other cards, and with the
misconceptions of the graph. What no rule fits stays unsorted and is counted: nothing is guessed.
What was answered once may be chance; it is told where it was answered again, or fits a rule.
"""

from __future__ import annotations

import tomllib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from groundwire.language import annotate
from groundwire.learning.diagnosis.features import Answer, Trace
from groundwire.learning.reviews.grading import grade
from groundwire.quantities import Quantity, parse_quantity
from groundwire.vocabulary.fold import fold

Sort = Literal[
    "known_misconception", "other_card", "misspelt", "power_of_ten", "other_unit", "other_number",
    "opposite", "part", "more", "repeated",
]  # fmt: skip

MOST_GROUPS = 20
"""Groups of wrong answers that are told, those of most answers first."""

_LONGEST = 400
_LEAST_MISSPELT, _LEAST_FAR = 4, 8
_REPEATED = 2


@dataclass(frozen=True, slots=True)
class WrongGroup:
    """Answers to one card that say the same and are of one sort.

    Attributes:
        card_id: the card.
        sort: what they are.
        typed: how they were typed first.
        reviews: their handles.
        of: the other card, or the misconception, that they name; "" where the sort names none.
    """

    card_id: str
    sort: Sort
    typed: str
    reviews: tuple[str, ...]
    of: str = ""


@dataclass(frozen=True, slots=True)
class Sorted:
    """The wrong answers that were typed, sorted into groups.

    Attributes:
        groups: the sorted ones, those of most answers first.
        typed: how many wrong answers were typed, without those that gave up.
        gave_up: how many gave up: "I don't know".
        unsorted: how many of the typed ones no rule fits.
    """

    groups: tuple[WrongGroup, ...]
    typed: int
    gave_up: int
    unsorted: int


def meaning_of(sort: Sort) -> str:
    """Return what a sort of wrong answers is, in a sentence."""
    return _means()[sort]


@cache
def _means() -> Mapping[str, str]:
    text = files("groundwire.learning.diagnosis").joinpath("wrong_answers.toml").read_text("utf-8")
    return tomllib.loads(text)["sorts"]


def sort_wrong(
    answers: Sequence[Answer], trace: Trace, misconceptions: Mapping[str, Sequence[str]]
) -> Sorted:
    """Sort the wrong answers that were typed.

    Args:
        answers: the answers to look at; those that were right, or not typed, are passed over.
        trace: the cards that they are about.
        misconceptions: by the handle of a misconception of the graph its name and aliases.
    """
    owners: dict[str, list[str]] = defaultdict(list)
    for card_id, facet in trace.cards.items():
        for text in facet.answers:
            owners[text].append(card_id)
    named = {fold(name): node for node, names in misconceptions.items() for name in names}
    same: dict[tuple[str, str], list[Answer]] = defaultdict(list)
    gave_up = 0
    for one in answers:
        if not one.failed or not one.typed or not one.typed.strip(" .?!-…"):
            continue
        facet = trace.cards.get(one.card_id)
        if facet is None or not facet.back or len(facet.back) > _LONGEST:
            continue
        judged = grade(one.typed, facet.back)
        if judged.how == "gave_up" or judged.outcome == "right":
            # Right words that were rated as forgotten tell nothing of what is believed.
            gave_up += judged.how == "gave_up"
            continue
        same[one.card_id, fold(one.typed)].append(one)
    groups: list[WrongGroup] = []
    unsorted = 0
    for (card_id, folded), some in same.items():
        found = _sort_of(card_id, folded, some, trace, owners, named)
        if found is None:
            unsorted += len(some)
            continue
        reviews = tuple(one.review_id for one in some)
        groups.append(WrongGroup(card_id, found[0], some[0].typed or "", reviews, found[1]))
    groups.sort(key=lambda group: (-len(group.reviews), group.card_id, group.typed))
    return Sorted(tuple(groups), sum(map(len, same.values())), gave_up, unsorted)


def _sort_of(
    card_id: str,
    folded: str,
    some: Sequence[Answer],
    trace: Trace,
    owners: Mapping[str, Sequence[str]],
    named: Mapping[str, str],
) -> tuple[Sort, str] | None:
    """The first sort that fits, with the handle that it names."""
    facet, typed = trace.cards[card_id], some[0].typed or ""
    if folded in named:
        return "known_misconception", named[folded]
    others = [other for other in owners.get(folded, ()) if other != card_id]
    if others:
        return "other_card", others[0]
    figure = _figure_sort(typed, facet.back)
    if figure is not None:
        return figure, ""
    right = fold(facet.back)
    if _is_misspelt(folded, right):
        return "misspelt", ""
    by_words = _word_sort(typed, facet.back)
    if by_words is not None:
        return by_words, ""
    return ("repeated", "") if len(some) >= _REPEATED else None


def _figure_sort(typed: str, back: str) -> Sort | None:
    sent, right = parse_quantity(typed[:60]), parse_quantity(back[:60])
    if sent is None or right is None:
        return None
    if sent.value == right.value:
        return "other_unit" if sent.unit != right.unit else None
    if sent.unit and right.unit and sent.unit != right.unit:
        return None
    return "power_of_ten" if _by_tens(sent, right) else "other_number"


def _by_tens(sent: Quantity, right: Quantity) -> bool:
    """Whether two figures have the same digits, up to zeros and the decimal point."""
    one, other = (f"{abs(figure.value):f}".replace(".", "").strip("0") for figure in (sent, right))
    return bool(one) and one == other and (sent.value < 0) == (right.value < 0)


def _is_misspelt(one: str, other: str) -> bool:
    """Whether two texts without figures differ by one letter, or two of long ones."""
    from rapidfuzz.distance import OSA

    if min(len(one), len(other)) < _LEAST_MISSPELT or any(map(str.isdigit, one + other)):
        return False
    far = 2 if len(other) >= _LEAST_FAR else 1
    return one[:1] == other[:1] and OSA.distance(one, other, score_cutoff=far) <= far


def _word_sort(typed: str, back: str) -> Sort | None:
    """Whether an answer denies the right one, or is a part of it or more than it."""
    (said, denied), (right, denies) = _words(typed), _words(back)
    if not said or not right:
        return None
    if said == right and denied != denies:
        return "opposite"
    if denied != denies:
        return None
    if not said - right:
        return "part"
    return "more" if not right - said else None


def _words(text: str) -> tuple[Counter[str], bool]:
    """The words of meaning of a text by their dictionary forms, and whether it denies."""
    reading = annotate(text)
    words: Counter[str] = Counter()
    denies = False
    for span in reading.spans:
        role = span.role
        if role is not None and role.role == "negation":
            denies = not denies
        elif not span.is_silent or span.quantity is not None:
            words.update(token.lemma for token in span.tokens if token.tag != "sign")
    return words, denies
