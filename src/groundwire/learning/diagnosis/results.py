"""The answer of `diagnose_reviews`; it begins with one quotable sentence."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field

from groundwire.evidence.answers import Answer, Part, Proven


class FamilyItem(Part):
    """A family of failure with the failures that show it.

    `support` counts failures that bear the mark of the family; `reviews` are the latest of them,
    and `of` the first cards or concepts that it is about. `ratio_text` says how many times
    more frequent failures with the mark are than without, `at_least` its lower bound.
    """

    family: str
    means: str
    support: int
    reviews: list[str]
    of: list[str] | None = None
    ratio_text: str | None = None
    at_least: str | None = None
    marked: int | None = None
    rest: int | None = None
    said: str | None = None
    came: str | None = None


class WrongItem(Part):
    """Answers to one card that say the same, sorted by rules: `times` they were typed.

    `of` is the other card, or the misconception of the graph, that they name.
    """

    card: str
    typed: str
    sort: str
    means: str
    times: int
    reviews: list[str]
    of: str | None = None


class WrongAnswers(Part):
    """Wrong answers that were typed: those that rules could sort, and how many they could not.

    Who gave up typed no answer, and is counted apart.
    """

    typed: int
    unsorted: int
    gave_up: int
    groups: list[WrongItem]
    left_out: int | None = None


class PatchItem(Part):
    """One step that helps against a family. Nothing of it is done by itself."""

    family: str
    action: str
    says: str
    tool: str | None = None
    arguments: dict[str, Any] | None = None


class Diagnosis(Answer, Proven):
    """Why answers fail, as far as the reviews can tell."""

    unlisted: ClassVar[frozenset[str]] = frozenset(
        ("of", "since", "rated_by", "n_reviews", "failures", "wrong_answers")
    )

    status: Literal["found", "undetermined", "not_enough"]
    of: str | None = None
    since: str | None = None
    n_reviews: int
    failures: int
    rated_by: dict[str, int]
    families: list[FamilyItem] = Field(default_factory=list[FamilyItem])
    patches: list[PatchItem] = Field(default_factory=list[PatchItem])
    wrong_answers: WrongAnswers | None = None
    needs: str | None = None
