"""The families of failure: each a mark that answers bear, and a comparison that has to hold.

Failures with a mark are compared with those without, of the same learner; a family is told where
they are surely more frequent and explain enough of all failures. What one family explains is left
out for the next, so that a card that is only asked in a rushed sitting does not count as a leech.
Definitions and thresholds are Groundwire's own.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Literal

from groundwire.learning.diagnosis.features import Answer, Trace
from groundwire.learning.diagnosis.thresholds import Thresholds

Family = Literal[
    "long_gap",
    "rushing",
    "overlong_sitting",
    "slip",
    "one_sided",
    "confusion",
    "missing_prerequisite",
    "leech",
    "overconfidence",
]
FAMILIES: tuple[Family, ...] = (
    "long_gap", "rushing", "overlong_sitting", "slip", "one_sided", "confusion",
    "missing_prerequisite", "leech", "overconfidence",
)  # fmt: skip

# Where a sitting may become too long, as multiples of the first place that is looked at.
_TIRED_AFTER = (1.0, 2.0, 4.0)
_LEAST_OF_CARD = 3
_LEAST_OF_GROUP = 8
_LEAST_REST = 20
_LEAST_SPREAD = 0.02


@dataclass(frozen=True, slots=True)
class Contrast:
    """Failures with a mark beside those without.

    Attributes:
        marked: answers with the mark.
        marked_failed: failures among them.
        rest: answers without it.
        rest_failed: failures among them.
    """

    marked: int
    marked_failed: int
    rest: int
    rest_failed: int

    @property
    def ratio(self) -> float:
        """How many times more frequent failures with the mark are; half a failure is added."""
        return ((self.marked_failed + 0.5) / (self.marked + 1)) / (
            (self.rest_failed + 0.5) / (self.rest + 1)
        )

    def lower(self, z: float) -> float:
        """The lower bound of the ratio, by the normal approximation of its logarithm."""
        spread = (
            1 / (self.marked_failed + 0.5)
            - 1 / (self.marked + 1)
            + 1 / (self.rest_failed + 0.5)
            - 1 / (self.rest + 1)
        )
        return self.ratio * math.exp(-z * math.sqrt(max(spread, 0.0)))

    @property
    def excess(self) -> float:
        """Failures with the mark beyond what the rate without it would make of them."""
        usual = (self.rest_failed + 0.5) / (self.rest + 1)
        return self.marked_failed - self.marked * usual


@dataclass(frozen=True, slots=True)
class Finding:
    """A family that is told.

    Attributes:
        family: which.
        reviews: handles of the failures that bear its mark, the latest last.
        of: cards or concepts that it is about, where it is about any.
        contrast: the comparison, or None where it rests on something else.
        facts: further numbers by name, as they are told.
    """

    family: Family
    reviews: tuple[str, ...]
    of: tuple[str, ...] = ()
    contrast: Contrast | None = None
    facts: dict[str, float] = field(default_factory=dict[str, float])


def contrast(answers: Iterable[Answer], mark: Callable[[Answer], bool]) -> Contrast:
    """Compare answers that bear a mark with those that do not."""
    counts: Counter[tuple[bool, bool]] = Counter((mark(one), one.failed) for one in answers)
    return Contrast(
        counts[True, True] + counts[True, False],
        counts[True, True],
        counts[False, True] + counts[False, False],
        counts[False, True],
    )


def diagnosed(trace: Trace, tests: Sequence[Answer], thresholds: Thresholds) -> list[Finding]:
    """Return the families that the answers of a learner show, the best supported first.

    Args:
        trace: what is known of all answers.
        tests: the answers that test memory; enough of them.
        thresholds: when a family is told.
    """
    work = _Diagnosis(trace, tests, thresholds)
    found = [
        *work.of_situations(),
        *work.of_sides(),
        *work.of_confusions(),
        *work.of_prerequisites(),
        *work.of_leeches(),
        *work.of_confidence(),
    ]
    return sorted(found, key=lambda one: (-len(one.reviews), FAMILIES.index(one.family)))


class _Diagnosis:
    """Looks for one family after the other."""

    def __init__(self, trace: Trace, tests: Sequence[Answer], thresholds: Thresholds) -> None:
        self._trace = trace
        self._all = list(tests)
        # What no family has explained yet.
        self._left = list(tests)
        self._thresholds = thresholds
        self._marks = thresholds.marks
        self._failures = sum(one.failed for one in tests)
        # Whoever reviews late expects less of every card: known is what is usual for them.
        expected = [one.predicted for one in tests if one.predicted is not None]
        usual = median(expected) if expected else 1.0
        self._known_from = min(thresholds.marks.slip_predicted, usual)

    def _holds(self, one: Contrast, ratio: float, z: float | None = None) -> bool:
        limits = self._thresholds
        return (
            one.marked_failed >= limits.least_support
            and one.rest >= _LEAST_REST
            and one.lower(limits.z if z is None else z) >= ratio
            and one.excess >= limits.least_share * self._failures
        )

    def _marked(
        self, family: Family, mark: Callable[[Answer], bool], ratio: float
    ) -> Finding | None:
        """Return a family whose mark makes failures more frequent; its answers are explained."""
        compared = contrast(self._left, mark)
        if not self._holds(compared, ratio):
            return None
        reviews = tuple(one.review_id for one in self._left if mark(one) and one.failed)
        self._left = [one for one in self._left if not mark(one)]
        return Finding(family, reviews, contrast=compared)

    # Situations

    def of_situations(self) -> list[Finding]:
        """Return families that lie in when and how an answer was given."""
        ratios = self._thresholds.ratios
        found = [
            self._marked("long_gap", self._after_gap, ratios.long_gap),
            self._marked("rushing", self._rushed, ratios.rushing),
            self._overlong(ratios.overlong_sitting),
            self._slips(),
        ]
        return [one for one in found if one is not None]

    def _after_gap(self, one: Answer) -> bool:
        low = one.predicted is None or one.predicted <= self._marks.predicted_at_most
        return one.since_pause and low

    def _rushed(self, one: Answer) -> bool:
        usual, own = self._trace.usual_duration, self._trace.durations.get(one.sitting)
        return own is not None and usual is not None and own <= self._marks.rushed_share * usual

    def _overlong(self, ratio: float) -> Finding | None:
        """Return late answers that fail more, from where on a sitting is too long for the learner.

        Who usually sits for a short time may tire long after that, so that later places are tried
        where earlier ones show nothing.
        """
        usual = self._marks.sitting_multiple * self._trace.usual_sitting
        for times in _TIRED_AFTER:
            place = max(10.0, times * usual)
            found = self._marked("overlong_sitting", lambda one, at=place: one.place > at, ratio)
            if found is not None:
                return found
        return None

    def _slips(self) -> Finding | None:
        """Return quick failures of cards that are well known, where quick answers fail more."""

        def quick(one: Answer) -> bool:
            usual = self._trace.durations.get(one.sitting)
            taken = one.duration_ms
            return (
                taken is not None and usual is not None and taken <= self._marks.slip_share * usual
            )

        known = [one for one in self._left if self._well_known(one) and one.duration_ms is not None]
        compared = contrast(known, quick)
        if not self._holds(compared, self._thresholds.ratios.slip):
            return None
        slips = {one.review_id for one in known if quick(one) and one.failed}
        self._left = [one for one in self._left if one.review_id not in slips]
        ordered = tuple(one.review_id for one in known if one.review_id in slips)
        return Finding("slip", ordered, contrast=compared)

    def _well_known(self, one: Answer) -> bool:
        if one.predicted is not None:
            return one.earlier >= 2 and one.predicted >= self._known_from
        return one.run >= 3

    # Cards and concepts

    def of_sides(self) -> list[Finding]:
        """Return one side of two-sided notes that fails more than the other."""
        sides: dict[str, set[int]] = defaultdict(set)
        for one in self._left:
            facet = self._trace.cards.get(one.card_id)
            if facet is not None:
                sides[facet.note_id].add(facet.ordinal)
        ratio = self._thresholds.ratios.one_sided
        both = [
            (one, facet)
            for one in self._left
            if (facet := self._trace.cards.get(one.card_id)) and len(sides[facet.note_id]) > 1
        ]
        for side in sorted({facet.ordinal for _, facet in both}):
            on = {one.review_id for one, facet in both if facet.ordinal == side}
            # Without the cards that fail most on either side: one card is no direction.
            kept = _without_worst((one for one in self._left if one.review_id in on), quarter=True)
            others = (one for one, _ in both if one.review_id not in on)
            kept += _without_worst(others, quarter=True)
            if not self._holds(contrast(kept, lambda one, on=on: one.review_id in on), ratio):
                continue
            compared = contrast([one for one, _ in both], lambda one, on=on: one.review_id in on)
            if not self._holds(compared, ratio):
                continue
            failed = [one for one, _ in both if one.review_id in on and one.failed]
            self._left = [one for one in self._left if one.review_id not in on]
            cards = tuple(dict.fromkeys(one.card_id for one in failed))
            reviews = tuple(one.review_id for one in failed)
            return [Finding("one_sided", reviews, cards, compared, {"side": side})]
        return []

    def of_confusions(self) -> list[Finding]:
        """Return cards that are answered with each other's back, again and again."""
        owners: dict[str, set[str]] = defaultdict(set)
        for card_id, facet in self._trace.cards.items():
            for text in facet.answers:
                owners[text].add(card_id)
        typed = [one for one in self._left if one.failed and one.response]
        pairs: dict[tuple[str, str], list[Answer]] = defaultdict(list)
        for one in typed:
            for other in owners.get(one.response or "", ()):
                if other != one.card_id:
                    a, b = sorted((one.card_id, other))
                    pairs[a, b].append(one)
        sure = {
            pair: some for pair, some in pairs.items() if len(some) >= self._marks.confused_times
        }
        failed = {one.review_id: one for some in sure.values() for one in some}
        least = max(self._thresholds.least_support, self._marks.confused_share * len(typed))
        if len(failed) < least:
            return []
        cards = {card for pair in sure for card in pair}
        self._left = [one for one in self._left if one.card_id not in cards]
        ordered = tuple(one.review_id for one in typed if one.review_id in failed)
        flat = tuple(card for pair in sorted(sure) for card in pair)
        return [Finding("confusion", ordered, flat, facts={"pairs": len(sure)})]

    def of_prerequisites(self) -> list[Finding]:
        """Return concepts that fail together with what needs them."""
        by_concept: dict[str, list[Answer]] = defaultdict(list)
        for one in self._left:
            facet = self._trace.cards.get(one.card_id)
            for node_id in facet.concepts if facet else ():
                by_concept[node_id].append(one)
        needing: dict[str, set[str]] = defaultdict(set)
        for node_id, before in self._trace.needs.items():
            for needed in before:
                needing[needed].add(node_id)
        found: list[tuple[float, str, list[Answer], Contrast]] = []
        for needed, dependents in needing.items():
            judged = self._prerequisite(needed, dependents, by_concept)
            if judged is not None:
                found.append((judged[1].excess, needed, *judged))
        if not found:
            return []
        explained: dict[str, Answer] = {}
        for _, _, answers, _ in found:
            explained |= {one.review_id: one for one in answers}
        reviews = tuple(
            one.review_id for one in self._left if one.review_id in explained and one.failed
        )
        self._left = [one for one in self._left if one.review_id not in explained]
        ordered = sorted(found, key=lambda one: (-one[0], one[1]))
        concepts = tuple(needed for _, needed, _, _ in ordered)
        return [Finding("missing_prerequisite", reviews, concepts, ordered[0][3])]

    def _prerequisite(
        self, needed: str, dependents: set[str], by_concept: dict[str, list[Answer]]
    ) -> tuple[list[Answer], Contrast] | None:
        """Return answers about a weak prerequisite and what needs it, where both fail together."""
        own = _without_worst(by_concept.get(needed, ()))
        above = [one for key in sorted(dependents) for one in by_concept.get(key, ())]
        own_ids = {one.review_id for one in by_concept.get(needed, ())}
        above = _without_worst([one for one in above if one.review_id not in own_ids])
        if len(own) < _LEAST_OF_GROUP or len(above) < _LEAST_OF_GROUP:
            return None
        both = own_ids | {one.review_id for key in dependents for one in by_concept.get(key, ())}
        rest = [one for one in self._left if one.review_id not in both]
        ratio, z = self._thresholds.ratios.missing_prerequisite, self._thresholds.z
        for group in (own, above):
            ids = {one.review_id for one in group}
            compared = contrast([*group, *rest], lambda one, ids=ids: one.review_id in ids)
            if compared.rest < _LEAST_REST or compared.lower(z) < ratio:
                return None
        compared = contrast([*own, *above, *rest], lambda one: one.review_id in both)
        if not self._holds(compared, ratio):
            return None
        return [one for one in self._left if one.review_id in both], compared

    def of_leeches(self) -> list[Finding]:
        """Return single cards that fail where others of their concepts do not."""
        by_card: dict[str, list[Answer]] = defaultdict(list)
        for one in self._left:
            by_card[one.card_id].append(one)
        if not by_card:
            return []
        rates = sorted(sum(one.failed for one in some) / len(some) for some in by_card.values())
        # The upper quarter may be leeches: the usual rate is that of the others.
        kept = rates[: max(1, 3 * len(rates) // 4)]
        limit = kept[-1]
        calm = [some for some in by_card.values() if _rate(some) <= limit]
        usual = max(0.03, _rate([one for some in calm for one in some]))
        spread = _spread([some for some in by_card.values() if not self._stands_out(some, usual)])
        leeches: dict[str, list[Answer]] = {}
        for card_id, some in sorted(by_card.items()):
            failed = sum(one.failed for one in some)
            # Cards differ: one that is merely the hardest of many is none.
            hard = _tail_of_spread(failed, len(some), *spread) * len(by_card)
            if self._stands_out(some, usual) and hard <= self._marks.leech_among:
                leeches[card_id] = some
        leeches = {c: some for c, some in leeches.items() if self._is_alone(c, by_card, leeches)}
        failures = [one for some in leeches.values() for one in some if one.failed]
        least = max(self._thresholds.least_support, self._thresholds.least_share * self._failures)
        if len(failures) < least:
            return []
        ids = {one.review_id for one in failures}
        self._left = [one for one in self._left if one.card_id not in leeches]
        reviews = tuple(one.review_id for one in self._all if one.review_id in ids)
        return [Finding("leech", reviews, tuple(leeches), facts={"usual_rate": usual})]

    def _stands_out(self, some: Sequence[Answer], usual: float) -> bool:
        """Whether a card fails too often for one that is as hard as the others."""
        failed = sum(one.failed for one in some)
        often = failed >= max(self._marks.leech_failures, self._marks.leech_share * len(some))
        return often and _tail(failed, len(some), usual) <= self._marks.leech_chance

    def _is_alone(
        self, card_id: str, by_card: dict[str, list[Answer]], leeches: dict[str, list[Answer]]
    ) -> bool:
        """Whether the other cards of a card's concepts do better."""
        facet = self._trace.cards.get(card_id)
        if facet is None or not facet.concepts:
            return True
        others = [
            one
            for other, some in by_card.items()
            if other not in leeches
            and (of := self._trace.cards.get(other)) is not None
            and of.concepts & facet.concepts
            for one in some
        ]
        return not others or _rate(others) <= 0.7 * _rate(by_card[card_id])

    def of_confidence(self) -> list[Finding]:
        """Return failures that the learner was sure of, where more was said than came."""
        said = [one for one in self._left if one.confidence is not None]
        if len(said) < self._marks.least_confidences:
            return []
        gaps = [(one.confidence or 0.0) - (not one.failed) for one in said]
        mean = sum(gaps) / len(gaps)
        variance = sum((gap - mean) ** 2 for gap in gaps) / (len(gaps) - 1)
        bound = mean - self._thresholds.z * math.sqrt(variance / len(gaps))
        sure = [one for one in said if one.failed and (one.confidence or 0.0) >= 0.75]
        if (
            mean < self._marks.overconfident_by
            or bound < self._marks.overconfident_bound
            or len(sure) < self._thresholds.least_support
        ):
            return []
        came = 1 - sum(one.failed for one in said) / len(said)
        facts = {"said": mean + came, "came": came, "n": float(len(said))}
        return [Finding("overconfidence", tuple(one.review_id for one in sure), facts=facts)]


def _rate(answers: Sequence[Answer]) -> float:
    return sum(one.failed for one in answers) / len(answers) if answers else 0.0


def _without_worst(answers: Iterable[Answer], *, quarter: bool = False) -> list[Answer]:
    """Return answers without those of the card that fails most, or of a quarter of the cards."""
    by_card: dict[str, list[Answer]] = defaultdict(list)
    for one in answers:
        by_card[one.card_id].append(one)
    if len(by_card) < _LEAST_OF_CARD - 1:
        return []
    ordered = sorted(by_card, key=lambda card: (sum(one.failed for one in by_card[card]), card))
    kept = ordered[: -max(1, len(ordered) // 4 if quarter else 1)]
    return [one for card in kept for one in by_card[card]]


def _spread(cards: Sequence[Sequence[Answer]]) -> tuple[float, float]:
    """Return the mean failure rate of cards, and how alike the answers of one card are (0 to 1).

    The second is the correlation within cards of the beta-binomial distribution, by its moments,
    and not below what cards of one deck usually differ by.
    """
    sizes = [len(some) for some in cards]
    total, failed = sum(sizes), sum(one.failed for some in cards for one in some)
    if total < _LEAST_REST:
        return max(0.03, failed / max(1, total)), _LEAST_SPREAD
    rate = min(0.97, max(0.03, failed / total))
    squares = sum(len(some) * (_rate(some) - rate) ** 2 for some in cards) / (rate * (1 - rate))
    free = total - sum(size * size for size in sizes) / total - (len(cards) - 1)
    within = (squares - (len(cards) - 1)) / free if free > 0 else 0.0
    return rate, min(0.5, max(_LEAST_SPREAD, within))


def _tail_of_spread(failed: int, answers: int, rate: float, within: float) -> float:
    """Return the chance of so many failures or more where cards differ (beta-binomial)."""
    a, b = rate * (1 - within) / within, (1 - rate) * (1 - within) / within
    least = math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
    return sum(
        math.exp(
            math.lgamma(answers + 1)
            - math.lgamma(n + 1)
            - math.lgamma(answers - n + 1)
            + math.lgamma(n + a)
            + math.lgamma(answers - n + b)
            - math.lgamma(answers + a + b)
            - least
        )
        for n in range(failed, answers + 1)
    )


def _tail(failed: int, answers: int, rate: float) -> float:
    """Return the chance of so many failures or more at a rate (binomial)."""
    return sum(
        math.comb(answers, n) * rate**n * (1 - rate) ** (answers - n)
        for n in range(failed, answers + 1)
    )
