"""Reports of resolution: corrections of what was sent, and gaps where nothing fits."""

from __future__ import annotations

from typing import Literal

from groundwire.ontology.results import Correction, GapItem
from groundwire.vocabulary import Resolution

Confidence = Literal["high", "medium", "low"]
Reason = Literal["unmapped", "ambiguous", "unsupported", "limitation"]

MAX_SUGGESTIONS = 8
_MAX_REPORTED = 50


class Findings:
    """Collects corrections and gaps in the order in which they are found."""

    def __init__(self) -> None:
        """Nothing was found yet."""
        self.corrections: list[Correction] = []
        self.gaps: list[GapItem] = []
        self._medium = False
        self._stored = False
        self._doubted = False
        # What could not be looked at, in words.
        self.unlooked: dict[str, None] = {}

    def doubt(self) -> None:
        """Lower the confidence to low: an empty search may have missed something."""
        self._doubted = True

    def lower(self) -> None:
        """Lower the confidence to medium."""
        self._medium = True

    @property
    def confidence(self) -> Confidence:
        """High for certain readings, medium after a respelling or an inferred slot, else low."""
        known = self.confidence_of_zero
        return "medium" if known == "high" and self._stored else known

    @property
    def confidence_of_zero(self) -> Confidence:
        """The same of an empty answer, on which reading a property as it is stored casts no doubt.

        Nothing is found as the shapes declare it, and nothing as the assets have it.
        """
        if self.gaps or self._doubted:
            return "low"
        return "medium" if self._medium else "high"

    def term(self, slot: str, raw: str, resolved: str, resolution: Resolution) -> None:
        """Report how a term was read."""
        self.correction(
            slot,
            raw,
            resolved,
            resolution.how,
            score=resolution.score,
            certain=resolution.how != "corrected",
        )

    def correction(
        self, slot: str, raw: str, resolved: str, how: str, *, score: float = 1.0, certain: bool
    ) -> None:
        """Report what was read otherwise than as sent.

        A correction that is not certain lowers the confidence to medium.
        """
        self._stored = self._stored or how == "stored"
        self._medium = self._medium or not (certain or how == "stored")
        found = Correction(slot=slot, raw=raw, resolved=resolved, how=how, score=round(score, 3))
        if (
            raw != resolved
            and found not in self.corrections
            and len(self.corrections) < _MAX_REPORTED
        ):
            self.corrections.append(found)

    def gap(
        self,
        slot: str | None,
        term: str,
        reason: Reason,
        detail: str,
        suggestions: list[str] | tuple[str, ...] = (),
    ) -> None:
        """Report a term that could not be used, with what may be sent instead."""
        unique = list(dict.fromkeys(suggestions))[:MAX_SUGGESTIONS]
        if len(self.gaps) < _MAX_REPORTED:
            self.gaps.append(
                GapItem(term=term, reason=reason, suggestions=unique, slot=slot, detail=detail)
            )
