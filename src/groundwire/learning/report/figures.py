"""The figures of a report: counts as they are, estimates with their intervals or why there is none.

Nothing is estimated here that the tools would not tell: the schedule is judged by reviews that
somebody else than the model rated, a group of fewer than 30 forecasts has no number, nor has a
concept without enough answers.
"""

from __future__ import annotations

import datetime as dt
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from groundwire.learning.concept_mastery import concept_mastery
from groundwire.learning.concepts.graph import Node, StoredGraph
from groundwire.learning.concepts.query import ConceptMastery
from groundwire.learning.concepts.rules import Rules
from groundwire.learning.holdings import Holdings, holdings
from groundwire.learning.knowing.answers import answered, shares
from groundwire.learning.knowing.calibration import (
    Calibration,
    Pair,
    counted_forecasts,
    judge,
    wilson,
)
from groundwire.learning.learner import Learner
from groundwire.learning.results import SharesItem
from groundwire.learning.schedule.policy import Policy, day_of, local_text, read_policy
from groundwire.learning.subjects import EVERYTHING
from groundwire.learning.terms import DAY_MS, LEAST_PAIRS
from groundwire.safe_text import safe_name

DAYS = 30
"""Days ahead that a report shows."""

MOST_MONTHS = 12
MOST_NODES = 40
"""Concepts of a map; those that most others need are shown."""

_SHOWN = 40


@dataclass(frozen=True, slots=True)
class DueDay:
    """Cards that are due on a day of the learner's.

    Attributes:
        date: the day.
        due: cards that become due on it.
        overdue: cards that were due before it; only today has any.
    """

    date: dt.date
    due: int
    overdue: int = 0


@dataclass(frozen=True, slots=True)
class Retention:
    """Recall as the schedule forecast it and as it came, of a month's reviews on later days.

    Attributes:
        month: as 2026-11, or "all".
        n: forecasts; below 30 no number is told.
        said: mean forecast, or None.
        came: share that was recalled, or None.
        interval: 95 % interval of that share, or None.
    """

    month: str
    n: int
    said: float | None = None
    came: float | None = None
    interval: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Curve:
    """Forecasts against what came.

    Attributes:
        pairs: how many there are; below 30 no curve is drawn.
        judged: the curve with its scores, or None.
    """

    pairs: int
    judged: Calibration | None


@dataclass(frozen=True, slots=True)
class MapNode:
    """A concept of the map.

    Attributes:
        node_id: its id.
        name: its name, fit to be shown.
        layer: edges of the longest chain of prerequisites that leads to it.
        row: its place in the layer, from the top.
        status: met, below (the mark of mastery), or not_enough answers to tell.
        value_text: the estimate as it is quoted, or None.
        interval: both ends of its 95 % interval, or None.
        n_reviews: answers about it.
        waits_for: names of direct prerequisites that are not met.
    """

    node_id: str
    name: str
    layer: int
    row: int
    status: str
    value_text: str | None
    interval: tuple[str, str] | None
    n_reviews: int
    waits_for: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ConceptMap:
    """The concepts that a report shows.

    Attributes:
        nodes: the concepts, layer by layer.
        edges: what is needed and by what, as ids.
        left_out: concepts that are not shown.
        mastered_at: the estimate from which a concept counts as met.
    """

    nodes: tuple[MapNode, ...]
    edges: tuple[tuple[str, str], ...]
    left_out: int
    mastered_at: float


@dataclass(frozen=True, slots=True)
class Figures:
    """Everything that a report shows.

    Attributes:
        made: when, on the learner's clock.
        policy: the learner's.
        held: decks, cards and reviews.
        rated: who rated the reviews that count.
        days: cards due in the days to come.
        later: cards that are due after those days.
        new: active cards that were never reviewed.
        retention: months, oldest first, and all of them at the end.
        confidence: the learner's own forecasts.
        schedule: the forecasts of the schedule.
        concepts: the map.
    """

    made: str
    policy: Policy
    held: Holdings
    rated: SharesItem
    days: tuple[DueDay, ...]
    later: int
    new: int
    retention: tuple[Retention, ...]
    confidence: Curve
    schedule: Curve
    concepts: ConceptMap


def figures(learner: Learner, rules: Rules, most_nodes: int = MOST_NODES) -> Figures:
    """Return the figures of a learner's report.

    Args:
        learner: whose report it is.
        rules: those of the concept graph, with the mark of mastery.
        most_nodes: concepts of the map, each of which takes up to 0.2 s.

    Raises:
        UnavailableError: the file cannot be read.
    """
    held = holdings(learner)
    now = learner.clock()
    with learner.reading() as connection:
        policy = read_policy(connection, learner.owner)
        days, later = _due(connection, learner.owner, policy, now)
        new = connection.execute(
            "SELECT count(*) FROM new_cards WHERE owner = ?", (learner.owner,)
        ).fetchone()[0]
        reviews = answered(connection, learner.owner, EVERYTHING)
        graph = StoredGraph(connection, learner.owner)
        concepts = _concepts(learner, rules, graph.nodes(), graph.edges(), most_nodes)
    said = [pair for _, pair in counted_forecasts(reviews, policy, "confidence")]
    planned = list(counted_forecasts(reviews, policy, "schedule"))
    by_month: dict[str, list[Pair]] = defaultdict(list)
    for one, pair in planned:
        by_month[local_text(policy, one.at_ms)[:7]].append(pair)
    months = [_retention(name, by_month[name]) for name in sorted(by_month)[-MOST_MONTHS:]]
    pairs = [pair for _, pair in planned]
    return Figures(
        local_text(policy, now),
        policy,
        held,
        shares(reviews),
        days,
        later,
        new,
        (*months, _retention("all", pairs)),
        Curve(len(said), judge(said)),
        Curve(len(pairs), judge(pairs)),
        concepts,
    )


def _due(
    connection: sqlite3.Connection, owner: str, policy: Policy, now: int
) -> tuple[tuple[DueDay, ...], int]:
    """Return the cards that are due on each of the days to come, and those after them."""
    today = day_of(policy, now)
    counts = Counter[dt.date]()
    overdue = later = 0
    last = today.date + dt.timedelta(days=DAYS - 1)
    for (due_ms,) in connection.execute(
        "SELECT due_ms FROM schedule WHERE owner = ? AND active = 1", (owner,)
    ):
        if due_ms < today.start_ms:
            overdue += 1
        elif due_ms >= today.end_ms + DAYS * DAY_MS:
            later += 1
        else:
            date = day_of(policy, due_ms).date
            if date > last:
                later += 1
            else:
                counts[date] += 1
    dates = [today.date + dt.timedelta(days=number) for number in range(DAYS)]
    days = (DueDay(date, counts[date], 0 if number else overdue) for number, date in
            enumerate(dates))  # fmt: skip
    return tuple(days), later


def _retention(month: str, pairs: Sequence[Pair]) -> Retention:
    if len(pairs) < LEAST_PAIRS:
        return Retention(month, len(pairs))
    came = sum(one for _, one in pairs)
    return Retention(
        month,
        len(pairs),
        sum(said for said, _ in pairs) / len(pairs),
        came / len(pairs),
        wilson(came, len(pairs)),
    )


def _concepts(
    learner: Learner,
    rules: Rules,
    nodes: Sequence[Node],
    edges: Iterable[tuple[str, str, str]],
    most: int,
) -> ConceptMap:
    """Return the map of the concepts that most others need."""
    needed: dict[str, set[str]] = defaultdict(set)
    for source, relation, target in edges:
        if relation == "prerequisite":
            needed[target].add(source)
        elif relation == "depends_on":
            needed[source].add(target)
    degree = Counter(one for some in needed.values() for one in some)
    degree.update({one: len(some) for one, some in needed.items()})
    chosen = sorted(nodes, key=lambda one: (-degree[one.node_id], one.name))[:most]
    ids = {one.node_id for one in chosen}
    before = {one: sorted(needed[one] & ids) for one in ids}
    known = concept_mastery(learner, most)(sorted(ids)) if ids else {}
    at = rules.graph.mastered_at
    status = {one: _status(known.get(one), at) for one in ids}
    names = {one.node_id: safe_name(one.name, _SHOWN) for one in chosen}
    placed: list[MapNode] = []
    for layer, row, node_id in _placed(before, names):
        found = known.get(node_id, ConceptMastery("not_enough"))
        waits = [names[one] for one in before[node_id] if status[one] != "met"]
        if unseen := len(needed[node_id] - ids):
            waits.append(f"{unseen} more, not shown")
        placed.append(
            MapNode(
                node_id,
                names[node_id],
                layer,
                row,
                status[node_id],
                found.value_text,
                found.interval,
                found.n_reviews,
                tuple(waits),
            )
        )
    drawn = tuple((source, target) for target in sorted(ids) for source in before[target])
    return ConceptMap(tuple(placed), drawn, len(nodes) - len(chosen), at)


def _status(known: ConceptMastery | None, mastered_at: float) -> str:
    if known is None or known.value is None:
        return "not_enough"
    return "met" if known.value >= mastered_at else "below"


def _placed(before: dict[str, list[str]], names: dict[str, str]) -> list[tuple[int, int, str]]:
    """Return layer, row and id of each concept: what is needed stands left of what needs it."""
    layers: dict[str, int] = {}
    for node_id in _in_order(before):
        layers[node_id] = max((layers[one] + 1 for one in before[node_id]), default=0)
    rows: dict[str, float] = {}
    found: list[tuple[int, int, str]] = []
    for layer in range(max(layers.values(), default=-1) + 1):
        some = [one for one in layers if layers[one] == layer]
        some.sort(key=lambda one: (_mean(rows[other] for other in before[one]), names[one]))
        for row, node_id in enumerate(some):
            rows[node_id] = row
            found.append((layer, row, node_id))
    return found


def _in_order(before: dict[str, list[str]]) -> Iterable[str]:
    """Return ids so that each comes after what it needs; the graph has no circle."""
    from graphlib import TopologicalSorter

    return TopologicalSorter(before).static_order()


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found) if found else 0.0
