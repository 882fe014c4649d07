"""Features of each answer: its card, its sitting, what came before; wrong ones by their kind.

Reviews that only a host rated are left out, and so are those that were undone: nobody knows that
the learner gave them. A review tests memory where the card was reviewed hours before.

A rule compares the words with the card's own answer, with those of other cards, and with the
misconceptions of the graph. What no rule fits stays unsorted and is counted: nothing is guessed.
What was answered once may be chance; it is told where it was answered again, or fits a rule.
"""

from __future__ import annotations

import json
import sqlite3
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from itertools import pairwise
from statistics import median
from typing import Literal

from groundwire.language import annotate
from groundwire.learning.diagnosis.thresholds import Thresholds
from groundwire.learning.reviews.grading import grade
from groundwire.quantities import Quantity, parse_quantity
from groundwire.vocabulary.fold import fold

_HOUR = 3_600_000
_MINUTE = 60_000
_AGAIN = 1

_REVIEWS = (
    "SELECT review_id, card_id, rating, rated_by, response, confidence, predicted, duration_ms,"
    " at_ms FROM reviews WHERE owner = ? AND kind = 'review' AND rating BETWEEN 1 AND 4"
    " AND review_id NOT IN (SELECT undoes FROM reviews WHERE owner = ? AND kind = 'undo'"
    " AND undoes IS NOT NULL) ORDER BY at_ms, sequence"
)


@dataclass(frozen=True, slots=True)
class Facet:
    """The features of a card: which note and which side of it, what it asks for, its concepts.

    `answers` are folded, `back` is as the card has it.
    """

    note_id: str
    ordinal: int
    answers: frozenset[str]
    concepts: frozenset[str]
    back: str = ""


@dataclass(slots=True)
class Answer:
    """One answer.

    Attributes:
        review_id: handle of the review.
        card_id: the card.
        failed: whether it was rated as forgotten.
        rated_by: server, learner or import.
        at_ms: when.
        gap_ms: time since the review of the card before, or None.
        earlier: how many reviews the card had before.
        run: right answers of the card in a row before this one.
        sitting: number of the sitting.
        place: place in the sitting, from 1.
        duration_ms: how long it took, or None.
        confidence: what was said before the answer was seen, 0 to 1, or None.
        predicted: recall that was to be expected, 0 to 1, or None.
        response: the typed answer, folded; None where none was typed.
        since_pause: whether a long pause lies between it and the card's review before.
        typed: the first 400 characters of the typed answer as they stand; None where none was.
    """

    review_id: str
    card_id: str
    failed: bool
    rated_by: str
    at_ms: int
    gap_ms: int | None
    earlier: int
    run: int
    sitting: int
    place: int
    duration_ms: int | None
    confidence: float | None
    predicted: float | None
    response: str | None
    since_pause: bool = False
    typed: str | None = None


@dataclass(slots=True)
class Trace:
    """Everything that is known of a learner's answers.

    Attributes:
        answers: every answer, in order.
        cards: what is known of each card.
        needs: by concept what it needs directly.
        usual_sitting: median length of sittings, in reviews.
        durations: median duration by sitting, where it is known.
        usual_duration: median of these, or None.
        rated: the card, the moment and the rater of every answer, with those left out.
    """

    answers: list[Answer]
    cards: Mapping[str, Facet]
    needs: Mapping[str, frozenset[str]]
    usual_sitting: float
    durations: Mapping[int, float]
    usual_duration: float | None
    rated: list[tuple[str, int, str]] = field(default_factory=list[tuple[str, int, str]])

    def tests(self, apart_hours: float) -> list[Answer]:
        """Return the answers that test memory."""
        apart = apart_hours * _HOUR
        return [one for one in self.answers if one.gap_ms is not None and one.gap_ms >= apart]


def read_trace(
    connection: sqlite3.Connection, owners: tuple[str, str], thresholds: Thresholds
) -> Trace:
    """Read a learner's answers with what stands around them.

    Args:
        connection: the file of learning.
        owners: whose answers, and the owner of the shared graph.
        thresholds: what makes a sitting, and a pause.
    """
    owner = owners[0]
    rated: list[tuple[str, int, str]] = []
    answers: list[Answer] = []
    last: dict[str, Answer] = {}
    sitting, place, before = 0, 0, None
    for row in connection.execute(_REVIEWS, (owner, owner)):
        review_id, card_id, rating, rated_by, response, confidence, predicted, duration, at = row
        rated.append((card_id, at, rated_by))
        if rated_by == "host":
            continue
        if before is None or at - before > thresholds.pause_minutes * _MINUTE:
            sitting, place = sitting + 1, 0
        before, place = at, place + 1
        earlier = last.get(card_id)
        one = Answer(
            review_id, card_id, rating == _AGAIN, rated_by, at,
            at - earlier.at_ms if earlier else None,
            earlier.earlier + 1 if earlier else 0,
            0 if earlier is None or earlier.failed else earlier.run + 1,
            sitting, place,
            duration if duration and duration > 0 else None,
            confidence, predicted,
            fold(response[:400]) if response is not None else None,
            typed=response[:400] if response is not None else None,
        )  # fmt: skip
        answers.append(one)
        last[card_id] = one
    _mark_pauses(answers, thresholds)
    sizes: dict[int, int] = {}
    taken: dict[int, list[int]] = {}
    for one in answers:
        sizes[one.sitting] = one.place
        if one.duration_ms is not None:
            taken.setdefault(one.sitting, []).append(one.duration_ms)
    durations = {key: float(median(some)) for key, some in taken.items() if len(some) >= 5}
    return Trace(
        answers,
        _facets(connection, owner),
        _needs(connection, owners),
        median(sizes.values()) if sizes else 0.0,
        durations,
        median(durations.values()) if durations else None,
        rated,
    )


def _mark_pauses(answers: list[Answer], thresholds: Thresholds) -> None:
    """Note which answers come after a long pause of the learner, with none of the card between."""
    begins: dict[int, int] = {}
    for one in answers:
        begins.setdefault(one.sitting, one.at_ms)
    starts = sorted(begins.values())
    gaps = [after - before for before, after in pairwise(starts)]
    if not gaps:
        return
    marks = thresholds.marks
    least = max(marks.pause_days * 24 * _HOUR, marks.pause_multiple * median(gaps))
    ends = [after for gap, after in zip(gaps, starts[1:], strict=True) if gap >= least]
    for one in answers:
        if one.gap_ms is not None:
            seen = one.at_ms - one.gap_ms
            one.since_pause = any(seen < end <= one.at_ms for end in ends)


def _facets(connection: sqlite3.Connection, owner: str) -> dict[str, Facet]:
    concepts: dict[str, set[str]] = {}
    for card_id, node_id in connection.execute(
        "SELECT card_id, node_id FROM card_concepts WHERE owner = ?", (owner,)
    ):
        concepts.setdefault(card_id, set()).add(node_id)
    found: dict[str, Facet] = {}
    for card_id, note_id, ordinal, back, aliases in connection.execute(
        "SELECT card_id, note_id, ordinal, back, aliases FROM cards WHERE owner = ?", (owner,)
    ):
        texts: Iterable[str] = (back, *json.loads(aliases))
        answers = frozenset(fold(text[:400]) for text in texts if text.strip())
        found[card_id] = Facet(
            note_id, ordinal, answers, frozenset(concepts.get(card_id, ())), back
        )
    return found


def _needs(connection: sqlite3.Connection, owners: tuple[str, str]) -> dict[str, frozenset[str]]:
    """Return what each concept needs directly, by the learner's graph and the shared one."""
    found: dict[str, set[str]] = {}
    for source, relation, target in connection.execute(
        "SELECT source_id, relation, target_id FROM edges WHERE owner IN (?, ?)"
        " AND relation IN ('prerequisite', 'depends_on')",
        owners,
    ):
        before, after = (source, target) if relation == "prerequisite" else (target, source)
        found.setdefault(after, set()).add(before)
    return {node_id: frozenset(before) for node_id, before in found.items()}


def read_misconceptions(
    connection: sqlite3.Connection, owners: tuple[str, str]
) -> dict[str, tuple[str, ...]]:
    """Return the names and aliases of the misconceptions of a learner's graph and the shared one.

    Args:
        connection: the file of learning.
        owners: the learner, and the owner of the shared graph.
    """
    rows = connection.execute(
        "SELECT node_id, name, data FROM nodes WHERE owner IN (?, ?) AND type = 'misconception'",
        owners,
    )
    return {
        node_id: (name, *(one for one in json.loads(data).get("aliases", ()) if one))
        for node_id, name, data in rows
    }


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
