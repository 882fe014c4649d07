"""Words about one journey that state something beside its figures, held against the recorded plan.

"Without having to change", "one change in all", "from there it is another 15 minutes on foot", "the
first leg": each is proven by what is recorded of the plan that the passage speaks of, or left over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from math import inf

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.compared_plans import trips_of
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.known_words import vocabulary
from groundwire.evidence.claims.proof import Proof
from groundwire.evidence.claims.rides import LINE_OF_PLAN, Ride, allows_for_change, legs_of
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.stop_sentences import lines_of_stops
from groundwire.language.ordinals import place_at

# From a word to the figure that it is said of, with a noun between them: "one change in all".
_NEAR = 24
_AVOIDED = re.compile(r"(?<![a-z])(?P<line>[a-z]+(?: & [a-z]+)?) ?(?:线|lini?e)")
# "Only with two changes" says that there is no other way: the figure must stand right behind.
_NEXT = re.compile(r"\s*(?:需?要?(?:在[A-Za-z][A-Za-z .'’&]{1,40})?(?:换乘|坐|乘|走|花)?)?")
_DIGIT = re.compile(r"[1-9]")
_LINE = re.compile("线|line|linie")
_LAST = re.compile(r"last|final|letzt|schluss|最后", re.IGNORECASE)
_MIDDLE = re.compile("中间|途中")
_CHANGES = "interchanges"
_STOPS = ("stop of the plan", "start of the journey", "end of the journey")
_STOP = "stop of the plan"
_HOLDS = ("supported", "derived")
_WRONG = ("unsupported", "contradicted")


def of_later_plan(proof: Proof) -> bool:
    """Whether a passage tells when one of several plans leaves or arrives, and not the first."""
    told = [fact for claim in proof.claims for fact in claim.facts if claim.kind == "time"]
    for trip in proof.known.once(trips_of):
        for name, what in (("departure", "departs"), ("arrival", "arrives")):
            own = {
                number
                for fact in told
                if (item := fact.value.item) is not None
                and not item.pieces
                and item.names[0] == trip.name
                and fact.value.name == name
                for number in item.options
            }
            best = trip.extreme(what, least=True)
            if own and len(trip.plans) > 1 and own != {plan.number for plan in best}:
                return True
    return False


def journey_words(proof: Proof) -> list[Span]:
    """Return where words of a passage say of its journey what the recorded plan shows."""
    journey = _Journey(proof)
    kinds = _JUDGES.keys() if journey.trips else ("stop_noun",)
    if any(c.status in _WRONG for c in proof.claims):
        return []
    passage, small = proof.context.passage, proof.context.contexts.reading.small
    return [
        match.span()
        for kind, pattern in vocabulary("journey_cues").items()
        if kind in kinds
        for match in pattern.finditer(small, passage.start, passage.end)
        if _JUDGES[kind](journey, match)
    ]


class _Journey:
    """A passage and the journey that its claims are of."""

    def __init__(self, proof: Proof) -> None:
        self.proof = proof
        self.held = [c for c in proof.claims if c.status in _HOLDS and c.facts]

    @cached_property
    def trips(self) -> frozenset[str]:
        """The names of the trips that the claims of the passage are of."""
        return frozenset(
            fact.value.item.names[0]
            for claim in self.held
            for fact in claim.facts
            if fact.value.item is not None
        )

    def recorded(self, name: str, at: int) -> list[Fact]:
        """Return the recorded values of a name, of the plans that the passage speaks of."""
        starts = [c.start for c in self.held if c.kind in ("number", "time")]
        items = self.proof.context.items(at, starts)
        plans = self._plans
        return [
            fact
            for fact in self.proof.known.facts.all
            if fact.value.name == name
            and fact.value.item is not None
            and fact.value.item.names[0] in self.trips
            and (plans is None or not plans.isdisjoint(fact.value.item.options))
            and items.allows(fact)
        ]

    @cached_property
    def _plans(self) -> frozenset[int] | None:
        """The numbers of the plans of which all claims of the passage hold, if any have such."""
        common: frozenset[int] | None = None
        for claim in self.held:
            items = (fact.value.item for fact in claim.facts)
            own = frozenset(o for item in items if item is not None for o in item.options)
            if own:
                common = own if common is None else common & own
        return common

    @property
    def is_of_all(self) -> bool:
        """Whether the passage speaks of all plans."""
        passage, reading = self.proof.context.passage, self.proof.context.contexts.reading
        every = vocabulary("plan_comparison")["all"]
        return every.search(reading.small, passage.start, passage.end) is not None

    def names(self) -> list[Claim]:
        """Return the proven names of the passage, in order."""
        return [claim for claim in self.held if claim.kind == "name"]

    def before(self, at: int) -> list[Claim]:
        """Return the proven names that end before a place."""
        return [claim for claim in self.names() if claim.end <= at]

    def behind(self, at: int, near: float = inf) -> list[Claim]:
        """Return the proven names that begin behind a place, or near behind it."""
        return [claim for claim in self.names() if 0 <= claim.start - at <= near]

    @property
    def legs(self) -> Sequence[Ride]:
        """The legs of all recorded plans."""
        return self.proof.known.once(legs_of)


def _is_kind_of_stop(journey: _Journey, match: re.Match[str]) -> bool:
    """Whether a word for a stop stands beside the name of one, or means the one described."""
    described = lines_of_stops(journey.proof.known).keys()
    held = [c for c in journey.proof.claims if c.status in _HOLDS]
    stops = {c.text.casefold() for c in held for f in c.facts if f.value.name in _STOPS} | described
    beside = [c for c in held if c.text.casefold() in stops]
    if any(match.start() - c.end in (0, 1) or 1 <= c.start - match.end() <= 2 for c in beside):
        return True  # "Bank station", "der Bahnhof „Bank“"
    is_led = match[0].startswith(("the ", "die ", "der ", "这"))
    return is_led and len(described) == 1 and all(c.text.casefold() in described for c in beside)


def _is_direct(journey: _Journey, match: re.Match[str]) -> bool:
    often = journey.recorded(_CHANGES, match.start())
    return bool(often) and all(fact.number == 0 for fact in often)


def _is_of_whole(journey: _Journey, match: re.Match[str]) -> bool:
    """Whether a figure that stands near is one of the whole journey, and not of a leg."""
    near = [
        claim
        for claim in journey.held
        if claim.kind == "number"
        and (
            0 <= match.start() - claim.end <= _NEAR or 0 <= claim.start - match.end() <= _NEAR // 2
        )
    ]
    items = [fact.value.item for claim in near[-1:] for fact in claim.facts]
    return bool(items) and all(item is not None and not item.pieces for item in items)


def _limits_changes(journey: _Journey, match: re.Match[str]) -> bool:
    """Whether "only" calls small a figure of the journey that stands right behind it."""
    text = journey.proof.text
    behind = [
        c for c in journey.held if _NEXT.fullmatch(text, match.end(), max(match.end(), c.start))
    ]
    if journey.is_of_all:
        return False  # "all plans with only one change" speaks of others, too
    # "Only two stops", "just 14 minutes": what is counted is of a plan or of a ride.
    return any(
        claim.kind == "number" and all(fact.value.item is not None for fact in claim.facts)
        for claim in behind
    )


def _changes_once(journey: _Journey, match: re.Match[str]) -> bool:
    """Whether the best of the plans that a passage may speak of has one change."""
    items = ((one.value.item, one.number) for one in journey.recorded(_CHANGES, match.start()))
    often = [(item.options or (0,), number) for item, number in items if item]
    best = min((min(options) for options, _ in often), default=0)
    own = [number for options, number in often if best in options]
    return bool(own) and not journey.is_of_all and all(number == 1 for number in own)


def _avoids(journey: _Journey, match: re.Match[str]) -> bool:
    """Whether no plan that the passage speaks of has the line that is named behind a word."""
    # "Gemieden wird" says it of the line that is told before it.
    start = match.start() if _LINE.search(match[0]) else journey.proof.context.passage.start
    small = journey.proof.context.contexts.reading.small
    named = _AVOIDED.search(small, start, match.end())
    lines = {
        fact.value.value.casefold().removesuffix(" line")
        for fact in journey.recorded(LINE_OF_PLAN, match.start())
    }
    return named is not None and bool(lines) and named["line"] not in lines


def _is_leg(journey: _Journey, match: re.Match[str]) -> bool:
    """Whether all that a passage names belongs to the leg, or to the trip, of a number."""
    digit = _DIGIT.search(match[0])
    place = int(digit[0]) if digit else place_at(match[0])
    legs = journey.legs
    statements = (
        journey.proof.known.statements[n].statement
        for n in journey.proof.known.by_kind.get("order", ())
    )
    for one in statements:
        named = one.objects[place - 1 : place] if "trip" in one.predicate and place else ()
        if any(journey.trips == frozenset(names[:1]) for names in named):
            return True
    names = [claim.text.casefold().removesuffix(" line") for claim in journey.names()]
    return bool(names) and any(
        _is_at(leg, legs, place, match[0])
        and all({name, f"{name} line"} & leg.named(*leg.cells) for name in names)
        for leg in legs
    )


def _is_at(leg: Ride, legs: Sequence[Ride], place: int | None, said: str) -> bool:
    """Whether a leg is the one of a number, the last one, or one between others."""
    last = max(one.place for one in legs)
    if _LAST.search(said):
        return leg.place == last
    return 1 < leg.place < last if _MIDDLE.search(said) else leg.place == place


def _is_further(journey: _Journey, match: re.Match[str]) -> bool:
    """Whether the minutes behind a word are those of the walk from the place named before it."""
    figure = next((c for c in journey.held if 0 <= c.start - match.end() <= 2), None)
    before = journey.before(match.start())
    if figure is None or figure.kind != "number" or not before:
        return False
    place, minutes = before[-1].text.casefold(), _minutes(figure)
    return any(
        (place in leg.named("from") if leg.walked else leg.place > 1 and place in leg.named("to"))
        and minutes in leg.named("minutes")
        for leg in journey.legs
    )


def _minutes(claim: Claim) -> str:
    return next((fact.value.value for fact in claim.facts if fact.value.unit == "min"), "")


def _is_part(journey: _Journey, match: re.Match[str]) -> bool:
    """Whether a ride calls at more stops than the passage names."""
    stops = [c for c in journey.names() if any(f.value.name == _STOP for f in c.facts)]
    rides = {f.value.item.pieces for c in stops for f in c.facts if f.value.item is not None}
    calls: dict[tuple[str, ...], set[str]] = {}
    for fact in journey.recorded(_STOP, match.start()):
        if fact.value.item is not None:
            calls.setdefault(fact.value.item.pieces, set()).add(fact.value.value)
    return bool(stops) and any(len(calls.get(one, ())) > len(stops) for one in rides if one)


def _is_train(journey: _Journey, match: re.Match[str]) -> bool:
    """Whether what calls somewhere calls at stops of a ride, or is of a line named before it."""
    if match[0].startswith(("train", "service", "züge")):
        lines = [f.value.value.casefold() for f in journey.recorded(LINE_OF_PLAN, match.start())]
        return any(c.text.casefold() in lines for c in journey.before(match.start())[-1:])
    return any(fact.value.name == _STOP for claim in journey.names() for fact in claim.facts)


def _alights(journey: _Journey, match: re.Match[str]) -> bool:
    """Whether a ride ends at the place beside a word."""
    behind = journey.behind(match.end(), _NEAR)
    within = [c for c in journey.names() if match.start() <= c.start < match.end()]
    before = [c for c in journey.names() if 0 <= match.start() - c.end <= 2]
    named = [*within, *behind[:1], *before[-1:]][:1]
    return any(
        claim.text.casefold() in leg.named("to") and not leg.walked
        for claim in named
        for leg in journey.legs
    )


def _switches(journey: _Journey, _match: re.Match[str]) -> bool:
    """Whether a passage tells rides as they are recorded, where it changes to one or names one.

    The ride of a line does not go the way of a trip of several.
    """
    passage = journey.proof.context.passage
    said = journey.proof.text[passage.start : passage.end].casefold()
    names = (
        name
        for claim in journey.held
        for fact in claim.facts
        if fact.value.item
        for name in fact.value.item.names
    )
    return journey.proof.found.ordered is True and not any(n.casefold() in said for n in names)


def _allows(journey: _Journey, match: re.Match[str]) -> bool:
    """Whether the minutes beside a word are those of a change at the place that is named last."""
    figures = [c for c in journey.held if c.kind == "number" and _minutes(c)]
    alone = len(figures) == 1
    near = [c for c in figures if alone or abs(c.start - match.end()) <= _NEAR]
    behind = next((c for c in figures if 0 <= c.start - match.end() <= _NEAR), None)
    placed = any(f.value.name in _STOPS for c in journey.names() for f in c.facts)
    if behind and not placed and {f.value.name for f in behind.facts} == {"time to change"}:
        return True
    return len(near) == 1 and any(
        allows_for_change(journey.proof.known, claim.text, Decimal(_minutes(near[0])))
        for claim in (*journey.before(near[0].start)[-1:], *journey.behind(near[0].start)[:1])
    )


def _is_wish(journey: _Journey, match: re.Match[str]) -> bool:
    """Whether all times of a passage that says when one wants to be somewhere are proven."""
    kinds = ("time", "number") if match[0] == "should" else ("time",)
    times = [claim for claim in journey.proof.claims if claim.kind in kinds]
    return bool(times) and all(c.status in _HOLDS for c in journey.proof.claims)


def _is_latest(journey: _Journey, match: re.Match[str]) -> bool:
    """Whether no plan of the trip leaves later than it is said to at the latest."""
    told = [f for c in journey.held if c.kind == "time" for f in c.facts[:1]]
    left = [fact.value.value for fact in told if fact.value.name == "departure"]
    all_left = [
        fact.value.value
        for fact in journey.proof.known.facts.all
        if fact.value.name == "departure"
        and fact.value.item is not None
        and fact.value.item.names[0] in journey.trips
        and not fact.value.item.pieces
    ]
    return _is_wish(journey, match) and (not left or left[-1] == max(all_left))


def _boards(journey: _Journey, match: re.Match[str]) -> bool:
    """Whether the line right behind a word is boarded where the passage is told last before it."""
    before = [claim.text.casefold() for claim in journey.before(match.start())[-1:]]
    lines = [claim.text.casefold() for claim in journey.behind(match.end(), _NEAR)[:1]]
    return any(
        line in leg.named("line", "mode") and leg.named("from").issuperset(before)
        for line in lines
        for leg in journey.legs
    )


def _joins_ends(journey: _Journey, match: re.Match[str]) -> bool:
    """Whether the two places beside a word are the ends of one leg."""
    behind, before = journey.behind(match.end())[:2], journey.before(match.start())[-2:]
    ends = [c.text.casefold() for c in (before if match[0] == "之间" else behind)]
    return len(ends) == 2 and any(leg.named("from", "to").issuperset(ends) for leg in journey.legs)


_JUDGES: Mapping[str, Callable[[_Journey, re.Match[str]], bool]] = {
    "stop_noun": _is_kind_of_stop,
    "direct": _is_direct,
    "in_all": _is_of_whole,
    "only": _limits_changes,
    "once": _changes_once,
    "avoid": _avoids,
    "leg": _is_leg,
    "further": _is_further,
    "part": _is_part,
    "train": _is_train,
    "alight": _alights,
    "switch": _switches,
    "wish": _is_wish,
    "latest": _is_latest,
    "allow": _allows,
    "between": _joins_ends,
    "board": _boards,
}
