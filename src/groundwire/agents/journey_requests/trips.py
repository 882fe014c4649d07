"""Tokens of a request put together to trips.

A clause with an end makes a trip, each end one; a clause without one says more of the trip before,
or of the one that follows. A trip that does not say where it begins, and has one before it, begins
where that one ends.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import cast

from pydantic import JsonValue

from groundwire.agents.journey_requests.clauses import (
    BARE,
    ENDING,
    HOME,
    OWN_PLACES,
    Clause,
    clauses_of,
)
from groundwire.agents.journey_requests.model import THERE, Question, QuestionTool, TripAsked
from groundwire.agents.journey_requests.times import SaidTime, day_said, together
from groundwire.agents.journey_requests.tokens import Token
from groundwire.agents.journey_requests.wishes import Wish, merged, modes_pattern
from groundwire.agents.journey_requests.words import content, trailing_name
from groundwire.errors import InputError
from groundwire.journeys.itinerary import LONDON
from groundwire.journeys.times.reading import find_times

WHENS: Mapping[QuestionTool, str] = {"get_line_status": "date", "get_arrivals": "when"}
"""The name by which a tool calls the time that a question is about."""
_EDGES = {"TripFirst": "first", "TripLast": "last"}
_OF_A_BOARD = frozenset({"adjustment", "mode", "only_lines", "date", "time", "time_is"})
_ADDING = frozenset(
    {"avoid_modes", "avoid_lines", "avoid_stops", "avoid_changes", "accessibility_preference"}
)


@dataclass(slots=True)
class TripDraft:
    """The parts of a trip that were said so far, and where its beginning and end stand.

    `others` is where others begin who come to the same end, and `meets` whether it was said that
    people meet there.
    """

    origin: str = ""
    end: str = ""
    via: str = ""
    time: SaidTime | None = None
    arriving: bool = False
    from_at: int = -1
    end_at: int = -1
    wishes: list[Wish] = field(default_factory=list[Wish])
    stay: tuple[int, str] = (0, "")
    others: list[str] = field(default_factory=list[str])
    meets: bool = False

    def begins(self, origin: str, at: int) -> None:
        """Take where it begins; a second beginning is that of somebody else."""
        if self.origin not in ("", THERE, origin):
            self.others.append(origin)
        else:
            self.origin, self.from_at = origin, at

    def takes(self, said: SaidTime) -> bool:
        """Whether there is room for a time: its own may be a day, or a part of one."""
        own = self.time
        return own is None or own.day_only or own.lends or together(own, said) is not None

    @property
    def blank(self) -> bool:
        """Whether no place of it was said."""
        return not (self.origin or self.end or self.via)


_BOTH = frozenset({"both", "beide", "都", "together", "zusammen"})
# Wishes about the traveller hold for every trip of a request, wherever they stand.
_PERSONAL = frozenset({"accessibility_preference", "walking_speed", "max_walking_minutes"})
_BOTH_WAYS = re.compile(
    r"there\s+and\s+back|(?:a\s+)?(?:round[\s-]trip|return\s+(?:trip|journey))|both\s+ways",
    re.IGNORECASE,
)
_MODE = re.compile(rf"\b{modes_pattern()}\b", re.IGNORECASE)
_STARTS = re.compile(r"(?:start|begin|set|com)", re.IGNORECASE)
_ARRIVES = re.compile(r"(?:to\s+)?(?:end|finish|reach)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Assembled:
    """The trips and settings that tokens come to.

    Attributes:
        trips: the trips; one whose end was not said has none.
        wishes: options that belong to no trip.
        unread: words that nothing was made of.
        left: the same as they stand there, with the small words that say nothing by themselves.
        notes: what no option grants, as sentences.
        goes_on: whether the first trip carries on from one before the request.
        returns: whether the first trip goes back to where one before the request began.
        towards_there: whether it only says "there" of where it ends.
        leg: the trip that its wishes are said of, where it has none itself; else None.
    """

    trips: tuple[TripAsked, ...]
    wishes: dict[str, JsonValue]
    unread: tuple[str, ...]
    goes_on: bool
    notes: tuple[str, ...] = ()
    returns: bool = False
    towards_there: bool = False
    left: tuple[str, ...] = ()
    leg: int | None = None


def assemble(
    tokens: Sequence[Token], times: Sequence[SaidTime], wishes: Sequence[Wish]
) -> Assembled:
    """Put tokens together.

    Args:
        tokens: the tokens of a request.
        times: its times, to which tokens point.
        wishes: its wishes, likewise.
    """
    made = _Assembly(times, wishes)
    for clause in clauses_of(tokens):
        made.read(clause)
    return made.done()


class _Assembly:
    """The trips as far as the clauses were read."""

    def __init__(self, times: Sequence[SaidTime], wishes: Sequence[Wish]) -> None:
        self._times = times
        self._wishes = wishes
        self._trips: list[TripDraft] = []
        self._next = TripDraft()
        self._common: list[Wish] = []
        self._unread: list[str] = []
        self._left: list[str] = []
        self._goes_on = False
        self._returns = False
        self._there = False
        self._both_ways = False
        self._stay = (0, "")
        self._late: SaidTime | None = None
        self._leg: int | None = None
        self._said: dict[int, str] = {}

    def read(self, clause: Clause) -> None:
        """Read a clause."""
        self._said |= {one.start: one.text for one in clause.tokens if one.kind == "wish"}
        if not clause.ends:
            self._say_more(clause)
            return
        if not self._trips and clause.announced:
            self._goes_on = True
        left = clause.ends
        current: TripDraft | None = None
        tokens = clause.tokens
        for index, token in enumerate(tokens):
            following = tokens[index + 1] if index + 1 < len(tokens) else None
            name = following.text if following is not None and following.kind == "place" else ""
            if token.kind == "back" and not self._trips and _BOTH_WAYS.match(token.text):
                self._both_ways = True
                left -= 1
            elif token.kind in ENDING:
                left -= 1
                current = self._ended(token, name, current)
            elif token.kind in ("from", "from_there"):
                origin = THERE if token.kind == "from_there" else name
                open_trip = current if current is not None and not left else self._next
                if current is open_trip and _STARTS.match(token.text) and self._begins_all():
                    current = open_trip = self._trips[0]
                if current is not None and not left and current.origin not in ("", THERE):
                    self._drop(f"from {origin}")
                elif origin:
                    open_trip.begins(origin, token.start)
            elif token.kind == "via":
                # "via Bank to Angel" passes Bank; so does "to Angel via Bank".
                self._pass(current if current is not None and not left else self._next, name)
            elif token.kind == "words":
                self._words(token, following, first=current is None or left > 0)
            else:
                # "to Bank and take the tube from there to Oval": the tube is of the second trip.
                ahead = left and following is not None and following.kind == "from_there"
                self._plain(token, self._next if ahead else current or self._next, named=True)

    def _ended(self, token: Token, name: str, current: TripDraft | None) -> TripDraft:
        """A trip that ends where a token leads."""
        trip, self._next = self._next, TripDraft()
        if token.kind == "back":
            trip.end = self._back_to()
            if not self._trips:
                self._goes_on = self._returns = True
        else:
            trip.end, trip.end_at = HOME if token.kind == "home" else name, token.start
            trip.meets = token.text.lower().startswith("meet")
            trip.arriving = token.kind == "at" or _ARRIVES.match(token.text) is not None
        if not trip.origin and self._trips:
            trip.origin = THERE
        if trip.origin == THERE and self._trips:
            trip.stay, self._stay = self._stay, (0, "")
        if trip.origin == THERE and not self._trips:
            self._goes_on = True
        self._trips.append(trip)
        return trip

    def _back_to(self) -> str:
        """Where one comes back to: where the trips so far began."""
        starts = [trip.origin for trip in self._trips if trip.origin not in ("", THERE)]
        return starts[0] if starts else (HOME if self._trips else "")

    def _say_more(self, clause: Clause) -> None:
        """A clause without an end."""
        last = self._trips[-1] if self._trips else None
        kinds = [token.kind for token in clause.tokens]
        for index, token in enumerate(clause.tokens):
            following = clause.tokens[index + 1] if index + 1 < len(clause.tokens) else None
            name = following.text if following is not None and following.kind == "place" else ""
            if token.kind in ("from", "from_there"):
                origin = THERE if token.kind == "from_there" else name
                takes = last is not None and last.origin in ("", THERE) and len(self._trips) == 1
                takes = takes or (last is not None and last.meets)
                begins_all = token.kind == "from" and "time" not in kinds and self._begins_all()
                if begins_all and not takes:
                    # "Old Street at 10, then Oval at 1. I start from Bank."
                    self._trips[0].begins(origin, token.start)
                    continue
                target = last if takes and token.kind == "from" and last is not None else self._next
                target.begins(origin, token.start)
            elif token.kind == "via":
                self._pass(last or self._next, name)
            elif token.kind == "there":
                self._there = True
            elif token.kind == "stay":
                self._stay = (token.index, token.text)
            elif token.kind == "words":
                self._words(token, following, first=False)
            elif token.kind == "wish":
                wishes = last.wishes if last and token.text[:3].lower() == "or " else self._common
                wishes.append(self._wishes[token.index])
            elif token.kind == "time":
                self._more_time(token, last, alone="from" not in kinds)

    def _begins_all(self) -> bool:
        """Whether only the first of several trips, which lead on to each other, has no origin."""
        leads_on = len(self._trips) > 1 and all(one.origin == THERE for one in self._trips[1:])
        return leads_on and not self._trips[0].origin

    def _more_time(self, token: Token, last: TripDraft | None, *, alone: bool) -> None:
        said = self._times[token.index]
        if last is not None and self._says_when_all_begins(last, said):
            # "To Bank, then to Oval, leaving at noon" begins at noon.
            last = self._trips[0]
        fits = last is not None and last.takes(said)
        self._time(last if fits and last is not None and alone else self._next, said, token)

    def _says_when_all_begins(self, last: TripDraft, said: SaidTime) -> bool:
        """Whether a time in a clause of its own is that of all trips, which lead on to each other.

        A time to be there is that of the last one, unless one stays on the way.
        """
        if said.lends or any(trip.time for trip in self._trips):
            return False
        leads_on = all(trip.origin == THERE for trip in self._trips[1:])
        return bool(last.stay[0]) or (leads_on and said.wishes.get("time_is") != "arriving")

    def _plain(self, token: Token, trip: TripDraft, *, named: bool) -> None:
        if token.kind == "time":
            self._time(trip, self._times[token.index], token)
        elif token.kind == "stay":
            self._stay = (token.index, token.text)
        elif token.kind == "wish":
            wish = self._wishes[token.index]
            (trip.wishes if not set(wish.values) & _PERSONAL else self._common).append(wish)

    def _time(self, trip: TripDraft, said: SaidTime, token: Token) -> None:
        if said.lends:
            return
        before = trip.time
        if before is None:
            trip.time = said
            return
        if before.day_only != said.day_only:
            timed, day = (said, before) if before.day_only else (before, said)
            wishes = {**timed.wishes, "date": day.wishes.get("date")}
            trip.time = SaidTime(said.start, said.end, wishes, lends=False, day_only=False)
            return
        both = together(before, said)
        if both is not None:
            trip.time = both
            return
        # A trip has one time: to be there in time counts before leaving then.
        if said.wishes.get("time_is") == "arriving" and before.wishes.get("time_is") != "arriving":
            trip.time, dropped = said, str(before.wishes.get("time") or before.wishes.get("date"))
        else:
            dropped = token.text
        self._drop(dropped)

    def _words(self, token: Token, following: Token | None, *, first: bool) -> None:
        """Words that nothing leads to: where a trip begins, if its end follows; else unread."""
        last = token.text.rsplit(maxsplit=1)[-1].lower()
        name = last if last in OWN_PLACES else trailing_name(token.text)
        bare = following is not None and following.kind == "to" and following.text.lower() in BARE
        if first and bare and name and not self._next.origin:
            self._next.origin = name
            # "bus Angel to Bank"
            for mode in _MODE.findall(token.text[: -len(name)]):
                self._drop(mode)
            return
        self._left.append(token.text)
        self._drop(content(token.text))

    def _pass(self, trip: TripDraft, name: str) -> None:
        """Let a trip pass a place; of two that are said apart the last counts."""
        if trip.via and name:
            self._drop(f"via {trip.via}")
        trip.via = name or trip.via

    def _drop(self, words: str) -> None:
        if words:
            self._unread.append(words)

    def done(self) -> Assembled:
        if not self._next.blank or (self._next.time is not None and self._trips):
            self._leftover(self._next)
        self._turn_round()
        self._back_once()
        self._share_out()
        every = (*self._common, *self._next.wishes, *(w for t in self._trips for w in t.wishes))
        notes = tuple(dict.fromkeys(wish.note for wish in every if wish.note))
        common = merged([*self._common, *(self._next.wishes if self._trips else ())])
        if not self._trips:
            common |= merged(self._next.wishes)
            common |= dict(self._next.time.wishes) if self._next.time is not None else {}
        trips = tuple(
            replace(_asked(trip, common), starting_point=origin)
            for trip in self._trips
            for origin in (trip.origin, *trip.others)
        )
        trips = _on_one_day(trips)
        kept = [trip.wishes for trip in trips] or [common]
        for wish in every:
            if any(
                not isinstance(value, list) and all(one.get(name) != value for one in kept)
                for name, value in wish.values.items()
            ):
                # Of two values of one option the last counts, and the other is told.
                self._drop(self._said.get(wish.start, ""))
        # "We both" is said where two trips have one end.
        met = any(trip.others for trip in self._trips)
        unread = (one for one in self._unread if not (met and one.lower() in _BOTH))
        return Assembled(
            trips,
            common,
            tuple(dict.fromkeys(unread)),
            self._goes_on,
            notes,
            self._returns,
            self._there,
            tuple(self._left),
            self._leg,
        )

    def _turn_round(self) -> None:
        """The way back of a "round trip from Angel to Bank", which says it before its ends."""
        if not self._both_ways or len(self._trips) != 1 or not self._trips[0].end:
            return
        first = self._trips[0]
        back = TripDraft(THERE, first.origin if first.origin not in ("", THERE) else HOME)
        back.time, self._late = self._late, None
        self._trips.append(back)

    def _back_once(self) -> None:
        """Give the time of a way back said twice to the way out: "leave at 10, back by 6"."""
        for out, back, again in zip(self._trips, self._trips[1:], self._trips[2:], strict=False):
            if back.end == again.end and again.origin == THERE and out.time is None:
                out.time = back.time
                self._trips.remove(back)
                return

    def _share_out(self) -> None:
        """Give wishes that were said of one trip to it, and tell of a time that none took."""
        if self._late is not None:
            self._drop(self._late.words)
        self._drop(self._stay[1])
        for trip in self._trips:
            if trip.time is not None:
                # A time of its own says when the trip begins, however long the stay.
                self._drop(trip.stay[1])
        held = [self._common, self._next.wishes, *(trip.wishes for trip in self._trips)]
        for wishes in held:
            for wish in [one for one in wishes if one.leg is not None]:
                wishes.remove(wish)
                at, count = wish.leg or 0, len(self._trips)
                if not count:
                    self._leg = at
                    wishes.append(replace(wish, leg=None))
                elif at < count and (at >= 0 or count > 1):
                    self._trips[at].wishes.append(replace(wish, leg=None))
                else:
                    self._drop(wish.words)

    def _leftover(self, rest: TripDraft) -> None:
        """Hand what a trip without an end says to the other trips, where they lack it."""
        if not self._trips:
            self._trips.append(rest)
            self._next = TripDraft()
            return
        first, last = self._trips[0], self._trips[-1]
        if rest.origin and first.origin in ("", THERE):
            # "see the Tower, then the Shard, starting at Baker Street at 10"
            first.origin = rest.origin
            if first.time is None:
                first.time, rest.time = rest.time, None
        elif rest.origin:
            self._drop(f"from {rest.origin}")
        if rest.via:
            last.via = last.via or rest.via
        if rest.time is not None:
            if last.time is None:
                last.time = rest.time
            else:
                self._late = rest.time


def _asked(trip: TripDraft, common: dict[str, JsonValue]) -> TripAsked:
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


def _on_one_day(trips: Sequence[TripAsked]) -> tuple[TripAsked, ...]:
    """Trips of which one that says no time is of the day of the trip that it leads on to."""
    found: list[TripAsked] = []
    day, leads_on = "", False
    for trip in reversed(trips):
        said = trip.wishes
        if leads_on and day and not day_said(said) and not said.get("time"):
            trip = replace(trip, wishes={**said, "date": day})
        day = _another_day(day_said(trip.wishes))
        leads_on = trip.starting_point == THERE
        found.append(trip)
    return tuple(reversed(found))


def _another_day(said: str) -> str:
    """The words of a day that is not the present one, else an empty text."""
    today = datetime.now(LONDON)
    read = find_times(said)
    try:
        return said if read and read[0].on(today).when.date() != today.date() else ""
    except InputError:
        return said


def _plain_at(said: SaidTime) -> bool:
    """Whether a time only says when: of "a meeting at Bank at 3" it is when one is there."""
    words = str(said.wishes.get("time", "")).lower()
    return not words.startswith(("leav", "depart", "after", "from", "start", "not before"))


def first_or_last(trip: TripAsked) -> Question | None:
    """The question for the first or last services at a stop that a trip without an end is."""
    said = trip.wishes
    edge = _EDGES.get(str(said.get("adjustment")))
    if not edge or not said.keys() <= _OF_A_BOARD or trip.starting_point in ("", THERE):
        return None
    when = [str(said[name]) for name in ("time", "date") if said.get(name)]
    lines: list[JsonValue] = []
    for name in ("only_lines", "mode"):
        lines += cast("list[JsonValue]", said.get(name, []))
    arguments: dict[str, JsonValue] = {"stop": trip.starting_point, "when": " ".join((edge, *when))}
    return Question("get_arrivals", {**arguments, **({"lines": lines} if lines else {})})
