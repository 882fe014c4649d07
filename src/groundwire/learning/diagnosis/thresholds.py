"""When a pattern in reviews counts as a family of failure: `[diagnosis]` of `learning.toml`."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from groundwire.config import read_toml, validated


class _Part(BaseModel):
    """A part of the profile."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class Ratios(_Part):
    """How many times more frequent failures with a mark are, by its lower bound."""

    long_gap: float = Field(gt=1)
    overlong_sitting: float = Field(gt=1)
    rushing: float = Field(gt=1)
    slip: float = Field(gt=1)
    one_sided: float = Field(gt=1)
    missing_prerequisite: float = Field(gt=1)


class Marks(_Part):
    """The marks by which an answer belongs to a family.

    Attributes:
        pause_days: days without a review that make a long gap, at least.
        pause_multiple: as many times the usual time between sittings, at least.
        predicted_at_most: recall that was expected after a long gap, at most.
        sitting_multiple: places beyond so many times the usual length of sittings are late ones.
        rushed_share: median duration of a rushed sitting as a share of the learner's.
        slip_share: duration of a slip as a share of what is usual in its sitting.
        slip_predicted: recall that was expected of a card that is well known, at least, unless the
            learner's usual one is lower.
        confused_times: how often two cards are answered with each other's back.
        confused_share: share of the failures with a typed answer that this explains, at least.
        leech_failures: failures of one card, at least.
        leech_share: their share of the card's answers, at least.
        leech_chance: chance of as many failures at the learner's usual rate, at most.
        leech_among: chance that the hardest of as many cards, which differ as the others do, fails
            as often, at most.
        overconfident_by: mean confidence minus share of right answers, at least.
        overconfident_bound: lower bound of that difference, at least.
        least_confidences: answers with a confidence, at least.
    """

    pause_days: float = Field(gt=0)
    pause_multiple: float = Field(gt=1)
    predicted_at_most: float = Field(gt=0, lt=1)
    sitting_multiple: float = Field(gt=1)
    rushed_share: float = Field(gt=0, lt=1)
    slip_share: float = Field(gt=0, lt=1)
    slip_predicted: float = Field(gt=0, lt=1)
    confused_times: int = Field(ge=2)
    confused_share: float = Field(gt=0, lt=1)
    leech_failures: int = Field(ge=2)
    leech_share: float = Field(gt=0, lt=1)
    leech_chance: float = Field(gt=0, lt=1)
    leech_among: float = Field(gt=0, lt=1)
    overconfident_by: float = Field(gt=0, lt=1)
    overconfident_bound: float = Field(ge=0, lt=1)
    least_confidences: int = Field(ge=2)


class Thresholds(_Part):
    """The thresholds of every family.

    Attributes:
        least_answers: answers that test memory, at least.
        least_failures: failures among them, at least.
        apart_hours: hours between two reviews of a card, so that the second tests memory.
        pause_minutes: minutes without a review that end a sitting.
        z: standard errors of the one-sided lower bound of a ratio.
        least_support: failures that bear the mark of a family, at least.
        least_share: share of all failures that a family explains beyond what is usual, at least.
        ratios: by family.
        marks: what answers bear.
    """

    least_answers: int = Field(ge=10)
    least_failures: int = Field(ge=3)
    apart_hours: float = Field(gt=0)
    pause_minutes: float = Field(gt=0)
    z: float = Field(gt=0)
    least_support: int = Field(ge=2)
    least_share: float = Field(ge=0, lt=1)
    ratios: Ratios
    marks: Marks


def read_thresholds(path: Path) -> Thresholds:
    """Read the thresholds from a profile of learning.

    Raises:
        ConfigurationError: it cannot be read as TOML, or its thresholds are not valid.
    """
    return _read(path, path.stat().st_mtime_ns if path.exists() else 0)


@lru_cache(maxsize=8)
def _read(path: Path, changed_ns: int) -> Thresholds:
    remedy = "install Groundwire again, which brings it"
    tree: dict[str, Any] = read_toml(path, "profile of learning", remedy)
    return validated(Thresholds, tree.get("diagnosis"), str(path), "profile of learning")
