"""A ride, run of rides or plan as a sentence tells it, held against the recorded rides."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from importlib.resources import files

from groundwire.evidence.claims.rides import DAY, Chain, Ride
from groundwire.evidence.claims.statement_index import Term


@dataclass(frozen=True, slots=True)
class Item:
    """A part of a frame.

    Attributes:
        kind: line, from, to, towards, here, trip, departs, arrives, clock or minutes.
        start: where it begins.
        end: where it ends.
        terms: the places of statements that it names.
        numbers: minutes after midnight, or a length in minutes.
        slack: how many minutes a time may be off.
        sure: whether a word says its part.
    """

    kind: str
    start: int
    end: int
    terms: tuple[Term, ...] = ()
    numbers: tuple[Decimal, ...] = ()
    slack: int = 0
    sure: bool = True


@dataclass(slots=True)
class Frame:
    """Hold what a passage says of one ride, run of rides or plan.

    Attributes:
        items: the parts, in order.
        implied: where it begins, where the frame before says so.
        whole: whether it says by which lines one goes all the way: "the DLR runs from A to B".
        is_of_trip: whether its one end is that of a trip: "the plan to B".
        changes: how often one is said to change between its ends: "you change once on the way to
            B"; none where it is not told.
        is_left: whether one is said to leave a ride: "get off at B".
        is_then: whether its one time is that at its one place: "change at B at 9:33".
        is_first: whether its ride is said to be the first of a plan.
        sets_out: whether its time is when one sets out, and not when its line leaves.
        walks: whether its length is that of a walk: "then a 3-minute walk to B".
    """

    items: list[Item] = field(default_factory=list[Item])
    implied: Item | None = None
    whole: bool = False
    is_of_trip: bool = False
    changes: frozenset[Decimal] = frozenset()
    is_left: bool = False
    is_then: bool = False
    is_first: bool = False
    sets_out: bool = False
    walks: bool = False

    def of(self, *kinds: str) -> list[Item]:
        """Return the parts of some kinds."""
        return [one for one in self.items if one.kind in kinds]

    @property
    def start(self) -> int:
        """Where it begins."""
        return self.items[0].start

    @property
    def end(self) -> int:
        """Where it ends."""
        return max(one.end for one in self.items)

    @property
    def says_something(self) -> bool:
        """Whether it says more than which lines there are."""
        kinds = {one.kind for one in self.items}
        if self.implied is not None or self.whole or self.is_of_trip or self.is_left:
            return True
        if self.is_first:
            return True  # "first the District line"
        if any(not one.terms for one in self.of("line")):
            return True  # a line of no plan
        if self.changes and self.of("from", "to", "minutes"):
            return True
        if kinds <= {"clock", "departs", "arrives", "minutes"}:
            return len(kinds & {"departs", "arrives", "minutes"}) > 1
        return len(self.items) > 1 and (not kinds <= {"line", "trip"} or len(self.of("trip")) > 1)

    @property
    def is_timed_way(self) -> bool:
        """Whether it says when and where one begins or ends."""
        return bool(self.of("departs", "arrives") and self.of("from", "to"))

    @property
    def is_row(self) -> bool:
        """Whether it is a leg as a list has it, its time first: "18:24 Northern line, A → B"."""
        heads = [one.kind for one in self.items[:2]] == ["clock", "line"]
        return heads and len(self.of("clock", "departs", "arrives")) == 1 and self.tells_ends

    @property
    def tells_ends(self) -> bool:
        """Whether it says where a ride begins or ends."""
        return bool(self.of("from", "to", "towards", "here"))

    @property
    def is_explicit(self) -> bool:
        """Whether words say the part of each of its names."""
        ends = self.of("from", "to", "towards")
        ends += [self.implied] if self.implied is not None else []
        said = [*self.items, *ends]
        timed = self.of("clock", "minutes", "departs", "arrives")
        return bool(ends) and all(one.sure for one in said) and not timed


def is_of_trip(item: Item, chain: Chain, trips: frozenset[int]) -> bool:
    """Whether a name is that of a plan or of its trip; names of trips are those of plans, too."""
    own = {term.stated for term in item.terms if term.slot == "subject"}
    return not own.isdisjoint(chain.of_trip if own & trips else chain.numbers)


def spans(chain: Chain) -> Iterator[tuple[int, int]]:
    """Yield the first and the last of every run of rides of a plan."""
    for first in range(len(chain.rides)):
        for last in range(first, len(chain.rides)):
            yield first, last


def _begins_by(frame: Frame, rides: Sequence[Ride]) -> bool:
    """Whether the first ride of some is by the line that a frame names first."""
    rode = next((ride for ride in rides if not ride.walked), rides[0])
    return all(rode.has(one.terms, "line", "mode") for one in frame.of("line")[:1])


def fits_rides(frame: Frame, chain: Chain, first: int, last: int) -> bool:
    """Whether all that a frame says is so of some rides of a plan of its trip."""
    rides = chain.rides[first : last + 1]
    is_plan = len(rides) == len(chain.rides)
    if frame.whole and not (is_plan and _names_all_lines(frame, chain)):
        return False
    is_so_often = is_plan and chain.changes in (None, *frame.changes)
    if frame.changes and frame.of("from", "to", "minutes") and not is_so_often:
        return False
    if frame.walks and not _only_walks(rides):
        return False
    if frame.is_first and not (_only_walks(chain.rides[:first]) and _begins_by(frame, rides)):
        return False
    of_one_end = frame.is_of_trip and len(frame.of("from", "to")) < 2 and not frame.of("line")
    # "Plan 1 arrives at 17:28", "the trip takes 9 minutes" are of the whole.
    is_whole = bool(frame.of("trip")) and not frame.of("line", "from", "to", "towards", "here")
    if (of_one_end or is_whole) and not is_plan:
        return False
    # "Take the DLR from Canary Wharf", "the DLR leaves at 9": one does not walk on first.
    walks = [rides[0]] if rides[0].walked and frame.of("from", "departs", "clock") else []
    walks += [rides[-1]] if rides[-1].walked and frame.of("to", "arrives", "clock") else []
    lines = frame.of("line")
    is_ride = len(lines) == 1 and not is_plan
    if walks and is_ride and not any(w.has(lines[0].terms, "line", "mode") for w in walks):
        return False
    if not _takes(frame, rides, chain):
        return False
    starts = frame.of("from")
    starts += [frame.implied] if frame.implied and not starts else []
    if not all(rides[0].has(one.terms, "from") for one in starts):
        return False
    if not all(rides[-1].has(one.terms, "to") for one in frame.of("to")):
        return False
    # "Towards Reading" may be said of the last ride before one walks to Reading.
    ends = [rides[-1], *chain.rides[-1:]] if _only_walks(chain.rides[last + 1 :]) else [rides[-1]]
    if not all(
        any(ride.has(one.terms, "towards") for ride in rides)
        or any(ride.has(one.terms, "to") for ride in ends)
        for one in frame.of("towards")
    ):
        return False
    if not all(
        any(ride.has(one.terms, "from", "to", "calls at") for ride in rides)
        for one in frame.of("here")
    ):
        return False
    return _is_timed(frame, chain, first, last) and (
        not frame.is_then or _is_there(frame, chain, first, last)
    )


def _is_there(frame: Frame, chain: Chain, first: int, last: int) -> bool:
    """Whether rides begin or end at the place of a frame at its time."""
    here, time = frame.of("here")[0], frame.of("clock", "departs", "arrives")[0]
    departs, arrives = _ends_in_time(frame, chain, first, last)
    left = chain.rides[first].has(here.terms, "from") and near(time, departs)
    reached = chain.rides[last].has(here.terms, "to") and near(time, arrives)
    return (left and time.kind != "arrives") or (reached and time.kind != "departs")


def _ends_in_time(
    frame: Frame, chain: Chain, first: int, last: int
) -> tuple[set[int | None], set[int | None]]:
    """Return when rides may begin and end.

    Those at an end of a plan may do so as the whole does, unless the line of one ride is named: its
    train leaves after one has set out.
    """
    begin, end = chain.rides[first].departs, chain.rides[last].arrives
    is_plan = last - first == len(chain.rides) - 1
    is_ride = bool(frame.of("line")) and not is_plan
    starts = first == 0 and (frame.sets_out or not (is_ride and begin is not None))
    stops = last == len(chain.rides) - 1 and not (is_ride and end is not None)
    return (
        {begin} | (chain.departs if starts else set[int]()),
        {end} | (chain.arrives if stops else set[int]()),
    )


def _names_all_lines(frame: Frame, chain: Chain) -> bool:
    """Whether no line of a plan of which no legs are recorded is left out."""
    known = {term for ride in chain.rides for term in ride.terms.get("line", ())}
    return chain.has_legs or known <= {term for one in frame.of("line") for term in one.terms}


def _takes(frame: Frame, rides: Sequence[Ride], chain: Chain) -> bool:
    """Whether rides are by the lines of a frame, in their order; walks need not be told."""
    lines = frame.of("line")
    if not chain.has_legs and not _is_by(frame, chain):
        return False
    if not chain.has_legs and not frame.of("from", "to", "towards"):
        known = {term for ride in chain.rides for term in ride.terms.get("line", ())}
        # A value is compared with the line it belongs to. The record tells no leg of a mode.
        lines = [one for one in lines if not one.terms or known & set(one.terms)]
    if not lines:
        return True
    at = 0
    for ride in rides:
        if at < len(lines) and ride.has(lines[at].terms, "line", "mode"):
            at += 1
            while at < len(lines) and _is_one(lines[at - 1], lines[at], ride):
                at += 1
        elif ride.walked or (at and ride.has(lines[at - 1].terms, "mode")):
            continue
        else:
            return False
    return at == len(lines)


def _is_by(frame: Frame, chain: Chain) -> bool:
    """Whether a plan whose legs are not told may be meant by the lines and modes of a frame.

    Its length is that of all its lines.
    """
    lines = frame.of("line")
    if any(one.terms and chain.foreign.issuperset(one.terms) for one in lines):
        return False
    if any(not chain.goes_by(one.terms) and chain.others & set(one.terms) for one in lines):
        return False  # a line of another plan
    if len(lines) == 1 and (own := {t.place for t in chain.modes if t in lines[0].terms}):
        # "The bus leaves at 9" is of a plan whose first mode that is.
        places = [term.place for term in chain.modes]
        begins, ends = min(places) in own, max(places) in own
        if (frame.of("departs") and not begins) or (frame.of("arrives") and not ends):
            return False
    if len(lines) != 1 or not frame.of("minutes"):
        return True
    named = set(lines[0].terms)
    if named & set(chain.modes):
        return len(chain.modes) == 1
    is_one = any(ride.has(lines[0].terms, "line") for ride in chain.rides)
    return not is_one or len(chain.rides) == 1


def _only_walks(rides: Sequence[Ride]) -> bool:
    return all(ride.walked for ride in rides)


def _is_one(line: Item, mode: Item, ride: Ride) -> bool:
    """Whether two words name one ride: "the Great Western Railway train"."""
    return mode.start - line.end <= 1 and ride.has(mode.terms, "line", "mode")


def _is_timed(frame: Frame, chain: Chain, first: int, last: int) -> bool:
    """Whether rides begin and end when a frame says, and take as long."""
    departs, arrives = _ends_in_time(frame, chain, first, last)
    if not all(near(one, departs) for one in frame.of("departs")):
        return False
    if not all(near(one, arrives) for one in frame.of("arrives")):
        return False
    clocks = frame.of("clock")
    if frame.is_row and not near(clocks[0], departs):
        return False
    if len(clocks) == 1 and not near(clocks[0], departs | arrives):
        return False
    if len(clocks) > 1 and not (near(clocks[0], departs) and near(clocks[1], arrives)):
        return False
    lengths = {
        Decimal((late - early) % DAY)
        for early in departs
        for late in arrives
        if early is not None and late is not None
        # "You leave at 9:30 and it takes 26 minutes": these are of one way.
        if all(near(one, {early}) for one in frame.of("departs"))
        if all(near(one, {late}) for one in frame.of("arrives"))
    }
    own = [ride.minutes for ride in chain.rides[first : last + 1]]
    lengths |= {sum(it for it in own if it is not None)} if None not in own else set()
    has_place = frame.walks or frame.of("from", "to", "here")
    if _only_walks(chain.rides[first : last + 1]) and not has_place:
        # "You walk 18 minutes in all"; a walk that has a place is one of the walks.
        lengths.add(sum((one.minutes or Decimal() for one in chain.rides if one.walked), Decimal()))
    return all(
        any(abs(one.numbers[0] - length) <= one.slack for length in lengths)
        for one in frame.of("minutes")
    )


def near(item: Item, times: Collection[int | None]) -> bool:
    """Whether a time is one of some, as far as it is meant to be exact."""
    return any(
        time is not None and abs((number - time + DAY // 2) % DAY - DAY // 2) <= item.slack
        for number in item.numbers
        for time in times
    )


_CUES: Mapping[str, Sequence[str]] = tomllib.loads(
    (files("groundwire.evidence.claims") / "ride_cues.toml").read_text("utf-8")
)
# So many characters before a place or time may say its part.
_NEAR = 18
ROUGH = re.compile(
    r"(?:\b(?:about|around|approximately|roughly|circa|ca\.|nearly|etwa|ungefähr|gegen|rund)|~|约|大概)"
    r"\s*$",
    re.IGNORECASE,
)
"""A word right before a time that says that it is rough."""

THERE = re.compile(
    r"(?<!\s)\s*+(?:uhr\s*+)?(?:(?:at|in|an|am|ab|from)\s|在|到达?|抵达|从|离开)\s*+(?:(?:der|dem|the)\s++)?"
    r"(?:(?:station|bahnhof)\s++)?",
    re.IGNORECASE,
)
"""The words between a time and the place at which one is then."""


@cache
def cues(name: str) -> re.Pattern[str]:
    """Return the words of a list of `ride_cues.toml`."""
    words = _CUES[name]
    latin = "|".join(one for one in words if one.isascii() or (one[0].isalpha() and one[0] < "ɏ"))
    other = "|".join(one for one in words if not (one[0].isascii() or one[0] < "ɏ"))
    return re.compile(rf"\b(?:{latin})\b" + (f"|{other}" if other else ""), re.IGNORECASE)


# A noun right before a time, whatever verb is behind.
_OF_NOUN = re.compile(
    r"\b(?:departure|arrival|abfahrt|ankunft)\s*(?:(?:is|ist|um|at|about|around|gegen|ca\.)\s*)*$",
    re.IGNORECASE,
)
# So many characters behind a time a verb may say its part, and so many it may stand right behind.
_VERB_BEHIND, _RIGHT_BEHIND = 44, 6


def event_of(text: str, span: tuple[int, int], within: tuple[int, int]) -> str:
    """Return whether a time is said to be that of a "departure" or an "arrival"; else "".

    Args:
        text: the draft.
        span: where the time stands.
        within: from the time before it to the end of its passage.
    """
    start, end = span
    said = [
        (match.end(), kind)
        for kind in ("departure", "arrival")
        for match in cues(kind).finditer(text, within[0], start)
    ]
    # "Leave by 13:09" is no arrival.
    leaves = bool(said) and max(said)[1] == "departure" and "," not in text[max(said)[0] : start]
    if said and _OF_NOUN.search(text, max(within[0], max(said)[0] - _NEAR), start):
        return max(said)[1]  # "bei Abfahrt um 9:28 Uhr kommen Sie um 10 Uhr an"
    if stands_before("arrival_near", text, start) and not leaves:
        return "arrival"
    behind = [
        (match.start(), kind)
        for kind in ("departure", "arrival")
        for match in cues(f"{kind}_behind").finditer(text, end, min(within[1], end + _VERB_BEHIND))
        if not re.search(r"[,;，；。]|\d|\b(?:and|und)\b", text[end : match.start()])
        # "09:02乘A线到B" is when one leaves: 到 leads to the place.
        and not (match[0] == "到" and cues("boards").search(text, end, match.start()))
    ]
    # A verb that ends its clause goes before a word of the clause before.
    apart = bool(said) and re.search("[,，]", text[max(said)[0] : start]) is not None
    if behind and (not said or apart or behind[0][0] - end <= _RIGHT_BEHIND):
        return min(behind)[1]
    return max(said)[1] if said else ""


def stands_before(name: str, text: str, end: int) -> bool:
    """Whether a cue stands right before a place."""
    near = text[max(0, end - _NEAR) : end]
    found = list(cues(name).finditer(near))
    behind = r"[\s:,]*(?:the|der|die|das|den|dem)?\s*"
    return bool(found) and re.fullmatch(behind, near[found[-1].end() :], re.IGNORECASE) is not None
