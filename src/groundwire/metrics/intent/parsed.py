"""The reading of a question: the four slots, the route, and what no slot explains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from groundwire.metrics.premises import Premise
from groundwire.quantities import PeriodExpression

Span = tuple[int, int]
Slot = Literal["metric", "entity", "channel", "period"]
Route = Literal["structured", "narrative", "composite"]
Category = Literal[
    "qualifier", "derivation", "whole", "nested", "name", "time", "ambiguous", "other"
]


@dataclass(frozen=True, slots=True)
class Leftover:
    """A part of a question that no slot and no function word explains.

    Attributes:
        text: as it was written.
        span: its place in the question.
        category: what it looks like. A `qualifier` changes what a metric means, a `derivation`
            is computed from values that the question does not list, a `whole` is a share of what
            the question does not say, `nested` is a share of a share or a change of one, a `name`
            may be of something unknown, a `time` cannot be read, and what is `ambiguous` has
            several readings.
        slot: the slot that the candidates are for, or None.
        candidates: controlled codes that may have been meant.
    """

    text: str
    span: Span
    category: Category
    slot: Slot | None = None
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ParsedIntent:
    """How a question was read.

    Attributes:
        raw_question: the question itself; whoever parses must fill it, since it is what the
            security gate screens.
        route: which channel answers it.
        metric, entity, channel: controlled code of the first value of each slot.
        period: the first period.
        metrics, entities, channels, periods: all values of each slot, as listed.
        kind: kind of the entities that the first metric is about.
        external_entity: name of an entity out of scope that the parser saw; never trusted.
        leftovers: what is not explained.
        derive: operations on the listed values: delta, percent_change, ratio, share, sum.
        share_of: controlled code of the entity that shares are of, `THOSE_LISTED`, or None.
        premise: what the question takes for granted of its values, or None.
    """

    raw_question: str
    route: Route
    metric: str | None = None
    entity: str | None = None
    channel: str | None = None
    period: PeriodExpression | None = None
    metrics: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()
    periods: tuple[PeriodExpression, ...] = ()
    kind: str | None = None
    external_entity: str | None = None
    leftovers: tuple[Leftover, ...] = ()
    derive: tuple[str, ...] = ()
    share_of: str | None = None
    premise: Premise | None = None


class IntentParser(Protocol):
    """Reads questions. A parser may be replaced, by one with a model too; the gate may not."""

    def parse(self, question: str) -> ParsedIntent:
        """Read a question. `raw_question` of the result is the question as it came."""
        ...
