"""The memory of a card by FSRS-6: stability, difficulty and due date as py-fsrs computes them.

This is the only module that imports `fsrs` (MIT, github.com/open-spaced-repetition/py-fsrs); it
does so with the first card. Fuzz is off: one log always gives one schedule, to the last bit.

One thing is not taken over. py-fsrs floors the days since the last review, and so forecasts
certain recall for every review within 24 hours. The probability here counts a part of the first
day as it is, and whole days after that, on which the parameters of FSRS were fitted.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from groundwire.errors import InputError
from groundwire.learning.terms import DAY_MS, Phase

if TYPE_CHECKING:
    from fsrs import Card, Rating

DEFAULTS_ID = "fsrs-6-defaults"
"""The id of the parameters that FSRS-6 comes with."""

METHOD = "fsrs-6"
DEFAULT_RETENTION = 0.9

_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_MILLISECOND = dt.timedelta(milliseconds=1)
_PHASES: tuple[Phase, ...] = ("learning", "review", "relearning")
_AGAIN = 1
_NAMED: Mapping[int, Phase] = dict(enumerate(_PHASES, 1))
_new = object.__new__


class Memory(NamedTuple):
    """The memory of one card after its reviews.

    Attributes:
        phase: learning, review or relearning.
        step: the step of (re)learning, or None in review.
        stability: days until recall is 90 % likely.
        difficulty: from 1 to 10.
        due_ms: when it is due, milliseconds since 1970 in UTC.
        last_ms: when it was last reviewed.
        reviews: reviews that count.
        lapses: how often it was forgotten in review.
    """

    phase: Phase
    step: int | None
    stability: float
    difficulty: float
    due_ms: int
    last_ms: int
    reviews: int
    lapses: int


class Fsrs:
    """FSRS-6 with its parameters. It holds no card, and threads may share it."""

    def __init__(
        self, parameters: Sequence[float] = (), desired_retention: float = DEFAULT_RETENTION
    ) -> None:
        """Take the parameters.

        Args:
            parameters: the 21 parameters of FSRS-6; none for its defaults.
            desired_retention: the probability of recall at which a card becomes due.

        Raises:
            InputError: the parameters are not 21 numbers within the bounds of FSRS-6.
        """
        from fsrs import Card, Rating, Scheduler, State
        from fsrs.scheduler import DEFAULT_PARAMETERS

        try:
            self._scheduler = Scheduler(
                tuple(parameters) or DEFAULT_PARAMETERS, desired_retention, enable_fuzzing=False
            )
        except (TypeError, ValueError) as error:
            said = " ".join(str(error).split())
            raise InputError(f"These are no parameters of FSRS-6: {said}") from error
        self.parameters = self._scheduler.parameters
        self._review_card = self._scheduler.review_card
        self.desired_retention = desired_retention
        self._decay = -self.parameters[20]
        self._factor = 0.9 ** (1 / self._decay) - 1
        self._card = Card
        self._ratings: tuple[Rating, ...] = (Rating(1), *(Rating(one) for one in range(1, 5)))
        # The last moment that was made: a card's next review often follows in the same log.
        self._latest = (0, _EPOCH)
        self._states = {name: State(at) for at, name in enumerate(_PHASES, 1)}

    def step(self, memory: Memory | None, rating: int, at_ms: int) -> Memory:
        """Return the memory after one more review.

        Args:
            memory: the memory before it, or None for a new card.
            rating: 1 (again) to 4 (easy).
            at_ms: when it was, not before the review before it.
        """
        moment = _EPOCH + at_ms * _MILLISECOND
        card = _new(self._card)
        if memory is None:
            reviews = lapses = 0
            card.__dict__ = {
                "card_id": 1, "state": self._states["learning"], "step": 0, "stability": None,
                "difficulty": None, "due": moment, "last_review": None,
            }  # fmt: skip
        else:
            phase, step, stability, difficulty, _, last_ms, reviews, lapses = memory
            latest_ms, latest = self._latest
            last = latest if latest_ms == last_ms else _EPOCH + last_ms * _MILLISECOND
            # The fields as they are: the constructor reads the clock for what is absent.
            card.__dict__ = {
                "card_id": 1, "state": self._states[phase], "step": step, "stability": stability,
                "difficulty": difficulty, "due": last, "last_review": last,
            }  # fmt: skip
            if rating == _AGAIN and phase == "review":
                lapses += 1
        self._latest = at_ms, moment
        after, _ = self._review_card(card, self._ratings[rating], moment)
        return _memory(after, at_ms, reviews + 1, lapses)

    def replay(self, reviews: Iterable[tuple[int, int]]) -> Memory | None:
        """Return the memory after all reviews of one card, or None without a review.

        Args:
            reviews: rating and time of each, in order.
        """
        review_card, ratings, in_review = self._review_card, self._ratings, self._states["review"]
        card: Card | None = None
        count = lapses = at_ms = 0
        for rating, at_ms in reviews:
            if card is None:
                card = self._card(card_id=1)
            elif rating == _AGAIN and card.state is in_review:
                lapses += 1
            card, _ = review_card(card, ratings[rating], _EPOCH + at_ms * _MILLISECOND)
            count += 1
        return None if card is None else _memory(card, at_ms, count, lapses)

    def retrievability(self, memory: Memory, at_ms: int) -> float:
        """Return the probability that a card is recalled at a time, above 0 and at most 1.

        Before the last review it is 1.
        """
        return self.recall(memory.stability, at_ms - memory.last_ms)

    def recall(self, stability: float, elapsed_ms: int) -> float:
        """Return the probability of recall so long after a review.

        Args:
            stability: days until recall is 90 % likely.
            elapsed_ms: milliseconds since the review; below 0 counts as 0.
        """
        days = elapsed_ms // DAY_MS if elapsed_ms >= DAY_MS else max(0, elapsed_ms) / DAY_MS
        return (1 + self._factor * days / stability) ** self._decay

    def due_for(self, memory: Memory) -> int:
        """Return when a card in review is due by this retention, as py-fsrs rounds it.

        The due date of a card that moves by minutes stays as it is.
        """
        if memory.phase != "review":
            return memory.due_ms
        interval = (memory.stability / self._factor) * (
            (self.desired_retention ** (1 / self._decay)) - 1
        )
        days = min(max(round(interval), 1), self._scheduler.maximum_interval)
        return memory.last_ms + days * DAY_MS


@lru_cache(maxsize=64)
def fsrs(parameters: tuple[float, ...], desired_retention: float) -> Fsrs:
    """Return FSRS-6 with these parameters (none: its defaults), made once."""
    return Fsrs(parameters, desired_retention)


def within_bounds(values: Sequence[float]) -> tuple[float, ...]:
    """Return parameters without what single precision put a hair beyond the bounds of FSRS-6.

    Raises:
        ValueError: they are not as many as FSRS-6 has.
    """
    from fsrs.scheduler import LOWER_BOUNDS_PARAMETERS, UPPER_BOUNDS_PARAMETERS

    bounds = zip(values, LOWER_BOUNDS_PARAMETERS, UPPER_BOUNDS_PARAMETERS, strict=True)
    return tuple(min(max(float(one), low), high) for one, low, high in bounds)


def _memory(card: Card, at_ms: int, reviews: int, lapses: int) -> Memory:
    # A card that was reviewed has both numbers.
    stability: float = card.stability  # pyright: ignore[reportAssignmentType]
    difficulty: float = card.difficulty  # pyright: ignore[reportAssignmentType]
    gap = card.due - _EPOCH
    due_ms = gap.days * DAY_MS + gap.seconds * 1000 + gap.microseconds // 1000
    phase = _NAMED[card.state]
    return Memory._make((phase, card.step, stability, difficulty, due_ms, at_ms, reviews, lapses))
