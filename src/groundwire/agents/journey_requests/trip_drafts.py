"""A trip of a request while its words are put together."""

from __future__ import annotations

from dataclasses import dataclass, field

from pydantic import JsonValue

from groundwire.agents.journey_requests.model import THERE, TripAsked
from groundwire.agents.journey_requests.times import SaidTime, together
from groundwire.agents.journey_requests.wishes import Wish, merged

_ADDING = frozenset({"avoid_modes", "avoid_lines", "accessibility_preference"})


@dataclass(slots=True)
class TripDraft:
    """The parts of a trip that were said so far, and where its beginning and end stand."""

    origin: str = ""
    end: str = ""
    via: str = ""
    time: SaidTime | None = None
    arriving: bool = False
    from_at: int = -1
    end_at: int = -1
    wishes: list[Wish] = field(default_factory=list[Wish])
    stay: tuple[int, str] = (0, "")

    def takes(self, said: SaidTime) -> bool:
        """Whether there is room for a time: its own may be a day, or a part of one."""
        own = self.time
        return own is None or own.day_only or own.lends or together(own, said) is not None

    @property
    def blank(self) -> bool:
        """Whether no place of it was said."""
        return not (self.origin or self.end or self.via)


def asked(trip: TripDraft, common: dict[str, JsonValue]) -> TripAsked:
    """The trip with the options that all trips of its request have in common."""
    wishes = {**common, **merged(trip.wishes)}
    for name in _ADDING & set(common):
        # "not by tube, not by bus": what is avoided adds up.
        before, said = common[name], wishes[name]
        if isinstance(before, list) and isinstance(said, list):
            wishes[name] = [*said, *(one for one in before if one not in said)]
    if trip.time is not None:
        wishes |= {name: value for name, value in trip.time.wishes.items() if value is not None}
        # "leave Angel at 8, when do I arrive at Bank": said between both ends, it is of the first.
        leaves = 0 <= trip.from_at < trip.time.start < trip.end_at
        if trip.arriving and not leaves and not trip.time.day_only and _plain_at(trip.time):
            wishes["time_is"] = "arriving"
    stay = trip.stay[0] if trip.origin == THERE and trip.time is None else 0
    return TripAsked(trip.origin, trip.end, trip.via, wishes, stay)


def _plain_at(said: SaidTime) -> bool:
    """Whether a time only says when: of "a meeting at Bank at 3" it is when one is there."""
    words = str(said.wishes.get("time", "")).lower()
    return not words.startswith(("leav", "depart", "after", "from", "start", "not before"))
