"""The answers of the learning tools. Field names are public (design.md, "learning").

Every model begins with `answer`, one sentence that can be quoted as it is. A result of
`query_mastery` or `query_calibration` has exactly the fields of its status: where there is not
enough to estimate from, it has no field whose number could be taken for an estimate.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import Field

from groundwire.evidence.answers import Answer, Paged, Part, Proven, ResolvedItem, Settled

REFUSED = frozenset(("param", "raw", "reason", "candidates"))
"""Fields of a name that was not recognized; `answer` says the same."""

Param = Literal["of", "as_of", "deck", "concept", "by"]
Reason = Literal["unknown", "ambiguous", "unsupported"]


class CandidateItem(Part):
    """A candidate for what was meant; `value` can be sent as it stands."""

    value: str
    label: str


class CardItem(Part):
    """One card of a list. `back` is there where it was asked for."""

    card_id: str
    front: str
    back: str | None = None
    deck: str | None = None
    state: str
    due: str | None = None
    retrievability: float | None = None
    reviews: int = 0
    lapses: int | None = None
    why: str


class CardList(Paged, Proven):
    """Cards, page by page, with how many there are to do."""

    items: ClassVar[str] = "cards"
    unlisted: ClassVar[frozenset[str]] = REFUSED | {"begun_today"}

    status: Literal["found", "empty", "unrecognized_param"]
    due_count: int | None = None
    new_today: int | None = None
    begun_today: int | None = None
    next_due: str | None = None
    cards: list[CardItem] = Field(default_factory=list[CardItem])
    param: str | None = None
    raw: str | None = None
    reason: Reason | None = None
    candidates: list[CandidateItem] | None = None


class GradeItem(Part):
    """Whether a response was right, what decided it, and who rated it."""

    outcome: Literal["right", "wrong", "undecided"]
    how: str | None = None
    rating: str | None = None
    rated_by: str | None = None
    reported_by: str | None = None
    back: str | None = None


class MemoryItem(Part):
    """The memory of a card: stability in days, difficulty from 1 to 10, and when it is due."""

    phase: str
    stability: float
    difficulty: float
    due: str
    reviews: int
    lapses: int


class ReviewResult(Answer, Proven):
    """One review that was recorded or undone, or that the learner has to judge first."""

    unlisted: ClassVar[frozenset[str]] = frozenset(("card_id", "before"))

    status: Literal["recorded", "already_recorded", "undecided", "undone", "already_undone"]
    card_id: str
    review_id: str | None = None
    graded: GradeItem | None = None
    before: MemoryItem | None = None
    after: MemoryItem | None = None
    response: str | None = None
    question: str | None = None
    options: list[str] | None = None


class IntervalItem(Part):
    """The interval of an estimate, both ends from 0 to 1, and what it rests on."""

    low: float
    high: float
    level: float
    basis: str


class SharesItem(Part):
    """How many reviews each rated: a comparison, the learner, the model, an imported log.

    `reported_by_host`: of those that count, answers that the model sent without the learner being
    asked here.
    """

    server: int = 0
    learner: int = 0
    host: int = 0
    imported: int = 0
    reported_by_host: int | None = None


_ESTIMATED = frozenset(("value", "value_text", "kind", "method", "parameters_id", "interval"))
_NOT_ENOUGH = frozenset(("needed",))
_UNRECOGNIZED = frozenset(("param", "raw", "reason", "candidates"))
_OWN: Mapping[str, frozenset[str]] = {
    "estimated": _ESTIMATED,
    "not_enough": _NOT_ENOUGH,
    "unrecognized_param": _UNRECOGNIZED,
}


class MasteryResult(Settled, Proven):
    """Mastery of a card, a concept or a deck: estimated, not_enough or unrecognized_param."""

    own = _OWN
    unlisted: ClassVar[frozenset[str]] = REFUSED | {
        "resolved", "parameters_id", "last_review", "n_cards", "as_of",
    }  # fmt: skip

    status: Literal["estimated", "not_enough", "unrecognized_param"]
    value: float | None = None
    value_text: str | None = None
    kind: Literal["recall", "known"] | None = None
    method: str | None = None
    parameters_id: str | None = None
    n_reviews: int | None = None
    n_cards: int | None = None
    interval: IntervalItem | None = None
    rated_by: SharesItem | None = None
    as_of: str | None = None
    last_review: str | None = None
    needed: str | None = None
    param: Param | None = None
    raw: str | None = None
    reason: Reason | None = None
    candidates: list[CandidateItem] | None = None
    resolved: list[ResolvedItem] | None = None


class BrierItem(Part):
    """The Brier score and its parts (Murphy 1973): reliability - resolution + uncertainty + within.

    `within` is what forecasts of one bin differ by.
    """

    score: float
    reliability: float
    resolution: float
    uncertainty: float
    within: float


class BinItem(Part):
    """Forecasts that lie close together: what was said, what came, of how many."""

    said: float
    came: float
    n: int
    low: float
    high: float


class GroupItem(Part):
    """The calibration of one group; without scores where it has too few pairs."""

    name: str
    n: int
    brier: float | None = None
    ece: float | None = None
    bias: float | None = None


_CALIBRATED = frozenset(("brier", "ece", "bias", "bins"))
_OWN_CALIBRATION: Mapping[str, frozenset[str]] = {
    "estimated": _CALIBRATED,
    "not_enough": _NOT_ENOUGH,
    "unrecognized_param": _UNRECOGNIZED,
}


class CalibrationResult(Settled, Proven):
    """How well forecasts were met: estimated, not_enough or unrecognized_param."""

    own = _OWN_CALIBRATION
    unlisted: ClassVar[frozenset[str]] = REFUSED | {
        "resolved", "auc", "bias", "bins_left_out", "reported_left_out",
    }  # fmt: skip

    status: Literal["estimated", "not_enough", "unrecognized_param"]
    source: Literal["confidence", "schedule"] | None = None
    n: int | None = None
    brier: BrierItem | None = None
    ece: float | None = None
    auc: float | None = None
    bias: float | None = None
    bins: list[BinItem] | None = None
    bins_left_out: int | None = None
    reported_left_out: int | None = None
    groups: list[GroupItem] | None = None
    rated_by: SharesItem | None = None
    needed: str | None = None
    param: Param | None = None
    raw: str | None = None
    reason: Reason | None = None
    candidates: list[CandidateItem] | None = None
    resolved: list[ResolvedItem] | None = None


class WorkloadItem(Part):
    """The work that is expected of a policy in the days to come."""

    days: int
    reviews: int
    reviews_per_day: float
    new_cards: int
    recalled_at_end: float | None = None


class PolicyItem(Part):
    """The choices of a learner."""

    loadout: str
    desired_retention: float
    new_per_day: int
    day_ends: str
    zone: str
    parameters_id: str


class AlternativeItem(Part):
    """A loadout played forward: its reviews, what is remembered at the end, and its regret.

    `regret`: cards that another loadout of no more reviews, `better`, keeps beyond this one.
    """

    loadout: str
    in_force: bool
    reviews: int
    remembered: int
    regret: int
    better: str | None = None


class PolicyResult(Answer, Proven):
    """The policy in force, and the work that is expected with it and with the one before."""

    unlisted: ClassVar[frozenset[str]] = frozenset(("moved_cards", "loadouts", "alternatives"))

    policy: PolicyItem
    changed: list[str]
    workload: WorkloadItem
    workload_before: WorkloadItem | None = None
    moved_cards: int | None = None
    loadouts: dict[str, str]
    alternatives: list[AlternativeItem] | None = None
