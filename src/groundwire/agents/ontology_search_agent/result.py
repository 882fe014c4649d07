"""The reading of a question as arguments of `submit_slots`."""

from __future__ import annotations

from dataclasses import dataclass

from groundwire.agents.ontology_search_agent.choosing import Gap
from groundwire.agents.ontology_search_agent.looking import Look
from groundwire.agents.ontology_search_agent.scopes import Slots


@dataclass(frozen=True, slots=True)
class Reading:
    """The reading of a question.

    Attributes:
        slots: for `submit_slots`.
        gaps: what was not placed.
        sort: a property, "-" before it to descend, or empty.
        count_by: a property, or empty.
        limit: how many assets were asked for, or None.
        look: what is asked of the catalogue itself, or None.
        aggregate: a property and the function of its values (min, max, mean or sum), or None.
    """

    slots: Slots
    gaps: tuple[Gap, ...] = ()
    sort: str = ""
    count_by: str = ""
    limit: int | None = None
    look: Look | None = None
    aggregate: tuple[str, str] | None = None

    @property
    def lacks_condition(self) -> bool:
        """Whether conditions were asked for and none of them was understood.

        What is left is every asset of a kind, which nobody asked for.
        """
        placed = any(self.slots.get(part) for part in ("filters", "ranges", "references"))
        return not placed and not all(gap.arranges for gap in self.gaps)

    def unconditioned(self) -> Reading:
        """The same reading as nothing but its kind and its gaps, which is refused and told."""
        return Reading(self.slots, self.gaps)

    def arguments(self) -> dict[str, object]:
        """The arguments of `submit_slots`."""
        sent: dict[str, object] = {"slots": self.slots}
        if self.gaps:
            sent["gaps"] = [
                {"term": gap.term, "reason": gap.reason, "suggestions": list(gap.suggestions)}
                | ({"about": "order"} if gap.arranges else {})
                for gap in self.gaps
            ]
        for name in ("sort", "count_by", "limit"):
            if value := getattr(self, name):
                sent[name] = value
        if self.aggregate is not None:
            sent["aggregate"] = dict(zip(("property", "function"), self.aggregate, strict=True))
        return sent


def narrowed(known: Slots, more: Slots) -> Slots:
    """Slots of before with those of now; what is said anew of a property replaces what was."""
    slots = {**known, "domains": known.get("domains", [])}
    for part in ("filters", "ranges"):
        if joined := {**known.get(part, {}), **more.get(part, {})}:
            slots[part] = joined
    if references := [*known.get("references", []), *more.get("references", [])]:
        slots["references"] = references
    return slots
