"""Plans journeys over the embedded network, without a connection and without a timetable.

The result has the types of any other itinerary. Its times are estimates: running times, typical
waiting, and walking along streets that are not known. What that leaves open is in `notes`.

Finds ways through the graph: the best, and others that are worth a look. Two searches by Dijkstra's
method meet. The first goes back from where one wants to be, and gives every node what it still
costs from there. The second goes forth, and only where the cost so far and the cost to come stay
within a limit. Then each node that it reached has a best way through it, and ways through different
nodes are the alternatives ("via nodes").
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, lru_cache
from heapq import heapify, heappop, heappush
from itertools import combinations, groupby, islice, pairwise, product
from operator import add
from typing import NamedTuple

from groundwire.errors import InputError, NotFoundError
from groundwire.journeys.itinerary import LONDON, Options, Place, Plan
from groundwire.journeys.network.course import Course, CourseReader, Ride, tell, walk_course
from groundwire.journeys.network.graph import (
    NODES,
    DirectRides,
    Edges,
    Graph,
    Grounds,
    Taste,
    cost_of,
    direct_rides,
    prepare,
    taste,
)
from groundwire.journeys.network.limits import End, Limits, called, find_end, read_limits, same
from groundwire.journeys.network.model import Network, by_bike_alone, cycled, left_out, service_day

# An alternative may cost so many times the best way, and a little more where that is short.
_WORSE, _MORE = 1.45, cost_of(4.0)

Costs = Mapping[int, int]
# More than any way costs.
_NEVER = cost_of(1e9)
_NODE = NODES - 1


class Way(NamedTuple):
    """Nodes in order, and what they cost."""

    nodes: tuple[int, ...]
    cost: int


COUNT = 3
# An alternative takes at most so many times the minutes of the quickest plan, or a few more.
LONGER, A_FEW = 1.6, 3.0
# A walk is worth telling where it is this short, even if a train would be quicker.
SHORT_WALK = 12.0
# Where there is no other way, nobody is sent on foot for longer than this.
LONGEST_WALK = 60.0
# So many ways are looked at for alternatives.
_LOOKED_AT = 150


def plan(
    network: Network,
    origin: Place,
    destination: Place,
    options: Options,
    now: datetime,
    *,
    via: Place | None = None,
    count: int = COUNT,
    any_day: bool = False,
) -> tuple[Plan, ...]:
    """Plans for a journey, best first, each with other lines than the others.

    Args:
        network: where to travel.
        origin: a stop or hub (`stop_id`, `ics`), or anywhere near one (`point`).
        destination: the same.
        options: what is asked for; what the network cannot tell is left out (see `notes`).
        now: the moment to depart at if the options name none. Moments without a zone are London's.
        via: a place to pass.
        count: how many plans at most.
        any_day: also use lines that have no service on the day.

    Raises:
        InputError: a place is unknown or too far from any stop, two places are the same, or no
            mode of the network may be used.
        NotFoundError: no way meets the restrictions, or nothing runs on the day.
    """
    arriving = options.when is not None and options.time_is == "arriving"
    when = _asked_for(options, now)
    if by_bike_alone(options):
        stages = [origin, destination] if via is None else [origin, via, destination]
        return (cycled(stages, options, when, arriving=arriving),)
    limits = read_limits(network, options, None if any_day else service_day(when))
    places = [origin, destination] if via is None else [origin, via, destination]
    ends = [find_end(network, place, limits.speed, limits.max_walking) for place in places]
    for one, other in pairwise(ends):
        if same(one, other):
            raise InputError(
                f"{one.place.name or 'the start'} and {other.place.name or 'the end'} are the same "
                "place: name two different ones"
            )
    prepared = _prepared(network)
    found = [_Search(prepared, one, other, limits).courses(count) for one, other in pairwise(ends)]
    courses = found[0] if via is None else _joined(found[0], found[1], limits)
    return tuple(
        tell(course, network, prepared.rides, when, arriving=arriving) for course in courses[:count]
    )


def _asked_for(options: Options, now: datetime) -> datetime:
    """The moment that a journey is asked for."""
    when = options.when or now
    return when.replace(tzinfo=LONDON) if when.tzinfo is None else when


def service_notes(
    network: Network,
    origin: Place,
    destination: Place,
    options: Options,
    now: datetime,
    plans: Sequence[Plan],
    *,
    via: Place | None = None,
) -> tuple[str, ...]:
    """Say what is special of the service on the day of plans, where they ride at all.

    These are lines that plans would use on other days, and that other services run.

    Args:
        network: where the plans are.
        origin: where they begin.
        destination: where they end.
        options: what was asked for.
        now: the moment to depart at if the options name none.
        plans: the plans.
        via: the place to pass, if any.
    """
    if not any(one.rides for one in plans):
        return ()
    on = service_day(_asked_for(options, now))
    resting, notes = network.resting(on), list[str]()
    if resting:
        usual = plan(network, origin, destination, options, now, via=via, any_day=True)
        used = {leg.line_id for one in usual for leg in one.rides}
        missed = [line for line in resting if line.id in used]
        notes += [left_out(called(missed), on, now.date())] if missed else []
    differs = network.service_days.differs(on, now.date())
    return (*notes, differs) if differs else tuple(notes)


@dataclass(frozen=True)
class _Prepared:
    """The parts of a network that are made once."""

    grounds: Grounds
    rides: DirectRides


@lru_cache(maxsize=4)
def _prepared(network: Network) -> _Prepared:
    return _Prepared(prepare(network), direct_rides(network))


def _joined(first: list[Course], second: list[Course], limits: Limits) -> list[Course]:
    """Courses by way of a place, those of the best on either side first.

    Raises:
        NotFoundError: all of them walk farther than allowed.
    """
    pairs = product(enumerate(first), enumerate(second))
    ranked = [(at + after, one.then(other)) for (at, one), (after, other) in pairs]
    ranked.sort(key=lambda pair: (pair[0], pair[1].minutes))
    joined = [course for _, course in ranked if limits.allow(course.walking)]
    if not joined:
        raise NotFoundError(
            f"the embedded network has no way by that place {limits.told}: raise "
            f"max_walking_minutes, or leave the place out{limits.beyond}"
        )
    return joined


class _Search:
    """The search for courses from one end to another."""

    def __init__(self, prepared: _Prepared, origin: End, destination: End, limits: Limits) -> None:
        self.grounds, self.limits = prepared.grounds, limits
        self.origin, self.destination = origin, destination
        self.reader = CourseReader(
            prepared.grounds, prepared.rides, origin, destination, limits.speed
        )

    def courses(self, count: int) -> list[Course]:
        """Distinct courses, best first; at least one.

        Raises:
            NotFoundError: there is none.
        """
        liking = taste(self.limits.preference, self.limits.speed, self.limits.max_transfer)
        found = self._distinct(liking, count)
        if not found and self.limits.max_walking is not None:
            # The quickest ways walk too far; those that walk little may not.
            found = self._distinct(taste("LeastWalking", liking.speed, liking.max_transfer), count)
        if not found:
            raise NotFoundError(
                f"the embedded network has no way from {self.origin.place.name or 'the start'} to "
                f"{self.destination.place.name or 'the end'} {self.limits.told}".rstrip()
                + f": allow more lines, modes or walking{self.limits.beyond}"
            )
        return found

    def _distinct(self, liking: Taste, count: int) -> list[Course]:
        network, rides = self.grounds.network, self.reader.direct
        chosen: list[Course] = []
        walk = self._walk()
        most = walk.minutes if walk else None
        for course in self._ways(liking):
            if most is not None and chosen and course.minutes > _bound(most):
                continue
            if any(course.like(other) for other in chosen):
                continue
            if chosen and (_turns_back(network, course) or _changes_in_vain(rides, course)):
                continue
            chosen.append(course)
            most = course.minutes if most is None else min(most, course.minutes)
            if len(chosen) == count:
                break
        return _with_walk(chosen, walk, count, least_walking=liking.walking > 1)

    def _ways(self, liking: Taste) -> Iterator[Course]:
        """Courses by rising cost that keep to the limits, one for each sequence of lines."""
        graph: Graph = self.grounds.graph(liking)
        found = ways(graph, *self._seeds(liking), self._closed, self.grounds.stops)
        seen: set[tuple[str, ...]] = set()
        for way in islice(found, _LOOKED_AT):
            lines = self._lines(way.nodes)
            # To leave a line and board it again is a detour, unless it is the best way.
            if lines in seen or (seen and len(set(lines)) < len(lines)):
                continue
            course = self.reader.read(way.nodes, self.limits)
            moves = all(len(ride.stop_ids) > 1 for ride in course.rides)
            changes = {at for one, other in pairwise(course.rides) for at in _between(one, other)}
            if not changes.isdisjoint(self.limits.no_change_at):
                continue
            if moves and self.limits.allow(course.walking):
                seen.add(lines)
                yield course

    def _lines(self, nodes: tuple[int, ...]) -> tuple[str, ...]:
        """The lines of a way, in order."""
        first, line_ids = self.grounds.stops, self.grounds.services.line_ids
        aboard = [line_ids[node - first] if node >= first else "" for node in nodes]
        return tuple(line_id for line_id, _ in groupby(aboard) if line_id)

    def _seeds(self, liking: Taste) -> tuple[dict[int, int], dict[int, int]]:
        """Nodes to begin and to end at, with what the way on foot there costs."""
        number, aboard_at = self.grounds.number, self.grounds.aboard_at
        origins = {
            number[stop_id]: cost_of(minutes * liking.walking)
            for stop_id, minutes in self.origin.minutes.items()
        }
        destinations: dict[int, int] = {}
        for stop_id, minutes in self.destination.minutes.items():
            cost = cost_of(minutes * liking.walking)
            destinations |= dict.fromkeys(aboard_at[stop_id], cost)
            if not minutes:
                destinations[number[stop_id]] = 0
        return origins, destinations

    @cached_property
    def _closed(self) -> tuple[int, ...]:
        grounds, limits = self.grounds, self.limits
        nodes: list[int] = []
        if limits.closed_lines:
            lines = enumerate(grounds.services.line_ids, grounds.stops)
            nodes += [node for node, line_id in lines if line_id in limits.closed_lines]
        for stop_id in limits.closed_stops:
            nodes += (grounds.number[stop_id], *grounds.aboard_at[stop_id])
        # Where one neither begins nor ends, to stand at a stop is to change there.
        ends = {*self.origin.minutes, *self.destination.minutes}
        nodes += [grounds.number[stop_id] for stop_id in limits.no_change_at - ends]
        return tuple(nodes)

    def _walk(self) -> Course | None:
        """The walk all the way, if one may and would walk so far."""
        walk = walk_course(self.origin, self.destination, self.limits.speed)
        if walk is None or not self.limits.on_foot or walk.minutes > LONGEST_WALK:
            return None
        return walk if self.limits.allow(walk.walking) else None


def _with_walk(
    chosen: list[Course], walk: Course | None, count: int, *, least_walking: bool
) -> list[Course]:
    """The courses with the walk among them where it is quick or short, and none far too long."""
    if walk and chosen and least_walking:
        walk = None
    if walk and (not chosen or walk.minutes <= max(SHORT_WALK, chosen[0].minutes * 1.1)):
        rides = chosen if count == 1 else chosen[: count - 1]
        quicker = sum(course.minutes <= walk.minutes for course in rides)
        chosen = [*rides[:quicker], walk, *rides[quicker:]][:count]
    if not chosen:
        return []
    longest = _bound(min(map(_minutes, chosen)))
    first, *others = chosen
    return [first, *(course for course in others if course.minutes <= longest)]


def _between(one: Ride, other: Ride) -> tuple[str, str]:
    """Where one ride is left, and where the next is entered."""
    return one.stop_ids[-1], other.stop_ids[0]


def _bound(best: float) -> float:
    return max(best * LONGER, best + A_FEW)


def _minutes(course: Course) -> float:
    return course.minutes


def _turns_back(network: Network, course: Course) -> bool:
    """Whether a course passes a station twice."""
    seen: set[str] = set()
    last = ""
    for ride in course.rides:
        stations = [network.stops[stop_id].hub or stop_id for stop_id in ride.stop_ids]
        fresh = stations[1:] if stations[0] == last else stations
        if seen.intersection(fresh):
            return True
        seen.update(stations)
        last = stations[-1]
    return False


def _changes_in_vain(rides: DirectRides, course: Course) -> bool:
    """Whether a course leaves a line, or boards one late, that goes all the way no slower."""
    network, taken = rides.network, list(course.rides)
    for first, last in combinations(range(len(taken)), 2):
        lines = course.serving[first] | course.serving[last]
        minutes = taken[first].minutes
        minutes += sum(ride.gap + ride.minutes for ride in taken[first + 1 : last + 1])
        origins = network.station(taken[first].stop_ids[0])
        destinations = network.station(taken[last].stop_ids[-1])
        if any(
            ride.line.id in lines and ride.minutes <= minutes
            for origin, destination in product(origins, destinations)
            for ride in rides.between(origin, destination)
        ):
            return True
    return False


def ways(
    graph: Graph,
    origins: Costs,
    destinations: Costs,
    closed: Collection[int] = (),
    first_via: int = 0,
) -> Iterator[Way]:
    """Ways from an origin to a destination, by rising cost; the first is the best.

    Args:
        graph: where to search.
        origins: nodes to begin at, and what it costs to get there.
        destinations: nodes to end at, and what it costs from there.
        closed: nodes that may not be passed.
        first_via: only nodes from this number on are tried as via nodes.
    """
    to_come, following, limit = _search_back(graph.back, destinations, origins, closed)
    if limit == _NEVER:
        return
    so_far, before = _search_forth(graph.onward, origins, to_come, limit)
    totals = map(add, so_far[first_via:], to_come[first_via:])
    through = [cost + node for node, cost in enumerate(totals, first_via) if cost <= limit]
    heapify(through)
    covered: set[int] = set()
    while through:
        key = heappop(through)
        node = key & _NODE
        if node in covered:
            continue
        nodes = _trace(node, before)[::-1] + _trace(node, following)[1:]
        covered.update(nodes)
        yield Way(tuple(nodes), key - node)


def _search_back(
    edges: Edges, destinations: Costs, origins: Costs, closed: Collection[int]
) -> tuple[list[int], dict[int, int], int]:
    """Costs to a destination, the node that follows each node, and the limit of a way's cost."""
    costs = [_NEVER] * len(edges)
    for node in closed:
        costs[node] = -1  # no way there is ever better, so it is never taken
    following: dict[int, int] = {}
    heap: list[int] = []
    for node, cost in destinations.items():
        if cost < costs[node]:
            costs[node] = cost
            heappush(heap, cost + node)
    limit = _NEVER
    while heap:
        key = heappop(heap)
        node = key & _NODE
        cost = key - node
        if cost > limit:
            break
        if cost > costs[node]:
            continue
        if node in origins:
            limit = min(limit, int((cost + origins[node]) * _WORSE) + _MORE)
        for previous, step in edges[node]:
            reached = cost + step
            if reached < costs[previous]:
                costs[previous] = reached
                following[previous] = node
                heappush(heap, reached + previous)
    for node in closed:
        costs[node] = _NEVER
    return costs, following, limit


def _search_forth(
    edges: Edges, origins: Costs, to_come: list[int], limit: int
) -> tuple[list[int], dict[int, int]]:
    """Costs from an origin of the nodes on ways within the limit, and the node before each."""
    costs = [_NEVER] * len(edges)
    before: dict[int, int] = {}
    heap: list[int] = []
    for node, cost in origins.items():
        if cost + to_come[node] <= limit:
            costs[node] = cost
            heappush(heap, cost + node)
    while heap:
        key = heappop(heap)
        node = key & _NODE
        cost = key - node
        if cost > costs[node]:
            continue
        for following, step in edges[node]:
            reached = cost + step
            if reached < costs[following] and reached + to_come[following] <= limit:
                costs[following] = reached
                before[following] = node
                heappush(heap, reached + following)
    return costs, before


def _trace(node: int, links: Mapping[int, int]) -> list[int]:
    """The node, and those that the links lead to from it."""
    nodes = [node]
    while node in links:
        node = links[node]
        nodes.append(node)
    return nodes
