"""Questions for a share or a change of a metric of the warehouse, as slots of single values.

What is computed of such values (`query_metric_grid`) is of a stored value in the total, or of one
period beside another. A question is read as a whole: nothing is read where a word has no place.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

from groundwire.language import Span, annotate
from groundwire.metrics.intent.parsed import Route
from groundwire.metrics.premises import Premise, earlier_periods
from groundwire.metrics.table.breakdowns import (
    is_scope,
    more,
    read_parts,
    says_its_aside,
    says_its_noun,
    split_compounds,
    stored,
)
from groundwire.metrics.table.query import PERIOD
from groundwire.metrics.table.question_names import names_of, names_with_values
from groundwire.metrics.table.question_parts import Parts, compares, parts_of, tree
from groundwire.metrics.table.rankings import most_rows
from groundwire.metrics.table.single import WHOLE
from groundwire.metrics.terms import DerivedBy
from groundwire.quantities import CALENDAR_YEAR, read_period

if TYPE_CHECKING:
    from groundwire.metrics.factbase import State

_LONGEST = 200
_MOST_SHARES = 60
_CHANGES: tuple[DerivedBy, ...] = ("delta", "percent_change")


class Computed(NamedTuple):
    """The slots of a question that asks to have something computed.

    Attributes:
        metric: code of the metric.
        entities: the stored value or "total"; for a share both.
        periods: labels of the periods, the earlier first.
        derive: what is computed.
        share_of: "total" for a share, else "".
        premise: what the question takes for granted of the change, or None.
        compared_with: earlier periods that tell whether it is so.
        route: composite where reasons are asked for too.
    """

    metric: str
    entities: tuple[str, ...]
    periods: tuple[str, ...]
    derive: tuple[DerivedBy, ...]
    share_of: str = ""
    premise: Premise | None = None
    compared_with: tuple[str, ...] = ()
    route: Route = "structured"


class Asks(NamedTuple):
    """Which of their senses the words beside names and times have."""

    share: bool
    percent: bool
    way: str
    compares: bool
    reasons: bool
    fastest: bool = False
    slowest: bool = False
    on_period: bool = False


def read_computed(state: State, question: str, today: date) -> Computed | None:
    """Return the share or the change that a question of the warehouse asks for, or None.

    Raises:
        UnavailableError: the warehouse cannot be asked.
    """
    if state.warehouse is None or len(question) > _LONGEST:
        return None
    question = split_compounds(state.tables, question)
    loose = parts_of(annotate(question, names_of(state)).spans, lenient=True)
    stores = {state.tables.metrics[code][0] for code in loose.metrics} if loose else set[str]()
    if stores != {"warehouse"}:
        return None
    asks, rest = told_apart(annotate(question, names_with_values(state)).spans)
    parts = parts_of(rest)
    if parts is None or not (asks.share or asks.way or asks.compares):
        return None
    periods = _periods(parts, today)
    if asks.share and parts.by_noun:
        entities = _each(state, parts)
    else:
        entities = tuple(filter(None, (_whose(state, parts),)))
    if not entities or not periods:
        return None
    (code,) = parts.metrics
    entity = entities[0]
    if asks.share:
        whole = entity == WHOLE or len(periods) > 1 or bool(asks.way) or asks.compares
        if whole or not state.tables.metrics[code][1].adds_up:
            return None
        return Computed(code, (*entities, WHOLE), periods, ("share",), WHOLE)
    asked = _change(Computed(code, (entity,), periods, _CHANGES), asks)
    if asked is not None and not is_over(asked.periods[-1], today):
        # A period that is not over has no whole value yet, so nothing rose or fell in it.
        return asked._replace(premise=None, compared_with=())
    return asked


def read_changes(state: State, question: str, today: date) -> dict[str, Any] | None:
    """Return the arguments of the table of changes that a question asks for, or None.

    "Growth of shop sales by district in 2025", "which district's shop sales grew fastest".

    Raises:
        UnavailableError: a store cannot be asked.
    """
    if len(question) > _LONGEST:
        return None
    question = split_compounds(state.tables, question)
    spans = annotate(question, names_of(state)).spans
    loose = parts_of(spans, lenient=True)
    if loose is None or len(loose.metrics) != 1 or loose.beside or not loose.nouns:
        return None
    if state.tables.metrics[loose.metrics[0]][0] == "warehouse":
        spans = annotate(question, names_with_values(state)).spans
    asks, rest = told_apart(spans, ranked=True)
    parts = parts_of(rest)
    if parts is None or asks.share or asks.reasons or (asks.compares and asks.way):
        return None
    if parts.place or parts.follows or parts.counted or parts.also:
        return None
    if asks.compares:
        # "Fewer in 2024 than in 2023" asks for those that fell.
        said = [one.role.sense for one in spans if one.role and one.role.role == "comparison"]
        ways = {{"more": "up", "less": "down"}[one] for one in said if one in ("more", "less")}
        asks = asks._replace(way=ways.pop() if len(ways) == 1 else "")
    return _changes_by(state, parts, asks, today)


def _changes_by(state: State, parts: Parts, asks: Asks, today: date) -> dict[str, Any] | None:
    """The table of changes up to the one period that is named, or between two that follow."""
    periods = list(_periods(parts, today))
    is_ranked = asks.fastest or parts.ranks
    if not periods or (not asks.way and len(periods) != 2) or (parts.count and not is_ranked):
        return None
    if not is_ranked and asks.way and set(parts.nouns) & set(tree()["grains"]):
        asked = read_parts(state, parts) if parts.by_noun and len(parts.periods) == 1 else None
        return asked | {"compare": "previous_period"} if asked else None
    before = list(earlier_periods(periods[-1]))
    compared = (
        periods[0] if len(periods) > 1 else "".join(before[:1] if asks.on_period else before[-1:])
    )
    least = parts.least or asks.slowest
    if is_ranked and asks.way == "change":  # the largest change may be a rise or a fall
        return None
    if compared not in before or not is_over(periods[-1], today) or (least and asks.way == "down"):
        return None
    limit = {"limit": parts.count or most_rows(parts)} if is_ranked else {}
    parts.periods, parts.period = [periods[-1]], periods[-1]
    parts.count, parts.ranks, parts.orders = 0, False, False
    parts.by_noun = parts.by_noun or is_ranked
    asked = read_parts(state, parts) if parts.by_noun else None
    if asked is None or PERIOD in asked["by"]:
        return None
    asked["compare"] = "previous_year" if compared == before[-1] else "previous_period"
    if asks.way:
        sign = "" if least or asks.way == "down" else "-"
        asked["order_by"] = [f"{sign}{asked['metrics'][0]}.percent_change"]
    return asked | limit


def _change(asked: Computed, asks: Asks) -> Computed | None:
    """The change up to the one period that is named, or between two."""
    periods = asked.periods
    before: tuple[str, ...] = ()
    if len(periods) == 1:
        before = earlier_periods(periods[0])
        if not asks.way or not before:
            return None
        periods = (before[-1], *periods)
    premise: Premise | None = {"up": "rise", "down": "fall"}.get(asks.way)  # type: ignore[assignment] - both are premises
    route: Route = "composite" if asks.reasons else "structured"
    return asked._replace(
        periods=periods, premise=premise, compared_with=before if premise else (), route=route
    )


def is_over(label: str, today: date) -> bool:
    """Return whether a period lies in the past as a whole."""
    expression = read_period(label)
    read = expression.on(CALENDAR_YEAR, today).periods if expression is not None else ()
    return bool(read) and read[-1].end < today


def told_apart(spans: Sequence[Span], *, ranked: bool = False) -> tuple[Asks, list[Span]]:
    """Return what the words that compute or compare ask for, and the spans that are left.

    Args:
        spans: the spans of a question.
        ranked: whether "fastest" and "slowest" rank changes.
    """
    words = tree()["words"]
    found: set[str] = set()
    rest: list[Span] = []
    for at, span in enumerate(spans):
        sense = span.role.sense if span.role is not None else ""
        text = span.text.casefold()
        before = spans[at - 1] if at else None
        # "Rose by 3 %" says nothing more; "by shop" tells each.
        tells_each = text in words["by"] and any(
            one.kind == "name" for one in spans[at + 1 : at + 2]
        )
        if span.kind == "direction" and sense in ("up", "down", "change"):
            found.add(sense)
        elif text in words["on_year"] or text in words["on_period"]:
            found |= {"change"} | ({"on_period"} if text in words["on_period"] else set())
        elif text in words["rise"] or text in words["fall"]:
            found.add("up" if text in words["rise"] else "down")
        elif (span.kind == "relation" and sense == "part_of") or text in words["shared"]:
            found.add("share")
        elif ranked and _is_among(text, words["fastest"]):
            found.add("fastest")
        elif ranked and _is_among(text, words["slowest"]):
            found |= {"fastest", "slowest"}
        elif span.kind == "unit_noun" and sense == "percent":
            found.add("percent")
        elif text in words["versus"] or compares(span, spans[at + 1 :]):
            found.add("compares")
        elif span.kind == "question" and sense == "why":
            found.add("reasons")
        elif (text in words["beside_change"] and not tells_each) or (
            before is not None and before.kind == "unit_noun" and text in words["some"]
        ):
            continue
        else:
            rest.append(span)
    ways = found & {"up", "down"} or found & {"change"}
    asks = Asks(
        "share" in found or ("percent" in found and not ways and "compares" not in found),
        "percent" in found,
        ways.pop() if len(ways) == 1 else "",
        "compares" in found,
        "reasons" in found,
        "fastest" in found,
        "slowest" in found,
        "on_period" in found,
    )
    return asks, rest


def _is_among(text: str, words: Sequence[str]) -> bool:
    return text.removeprefix("am ").removeprefix("the ") in words


def _each(state: State, parts: Parts) -> tuple[str, ...]:
    """Every value of the one dimension that shares are told by; nothing for very many."""
    if len(parts.metrics) != 1 or parts.values or parts.others or more(parts) or parts.without:
        return ()
    if not says_its_aside(state, parts):
        return ()
    if not is_scope(state, parts.entities) or parts.ranks or parts.place or parts.count:
        return ()
    dimensions = state.tables.metrics[parts.metrics[0]][1].dimensions
    named = [one for one in parts.nouns if one in dimensions]
    if len(named) != 1 or state.tables.warehouse is None:
        return ()
    values, are_all = state.tables.warehouse.values(named[0], "", _MOST_SHARES)
    if not are_all:
        return ()
    return tuple(one for one in values if isinstance(one, str) and one.strip())


def _whose(state: State, parts: Parts) -> str:
    """The stored value that is named, "total" for none, or "" where more is said."""
    if len(parts.metrics) != 1 or parts.ranks or parts.place or parts.count or parts.follows:
        return ""
    if (
        parts.compares
        or parts.counted
        or parts.by_noun
        or parts.beside
        or not is_scope(state, parts.entities)
    ):
        return ""
    if parts.nouns and not parts.values and not says_its_noun(state, parts):
        return ""
    where = stored(state.tables, state.tables.metrics[parts.metrics[0]][1], parts)
    if where is None or len(where) > 1:
        return ""
    (value,) = where.values() or (WHOLE,)
    return value if isinstance(value, str) else ""


def _periods(parts: Parts, today: date) -> tuple[str, ...]:
    """Labels of the times that are named, the earlier first; nothing where one is not clear."""
    labels: dict[str, date] = {}
    for text in parts.periods:
        expression = read_period(text)
        if expression is None:
            return ()
        reading = expression.on(CALENDAR_YEAR, today)
        if reading.kind not in ("single", "several"):
            return ()
        for one in (reading.periods[0], reading.periods[-1]):
            labels[one.label] = one.start
    return tuple(sorted(labels, key=labels.__getitem__)) if len(labels) < 3 else ()
