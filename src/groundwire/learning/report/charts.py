"""The charts of a report, each one SVG: due cards, retention, calibration, the concept map."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from html import escape

from groundwire.learning.proof import percent
from groundwire.learning.report.figures import ConceptMap, Curve, DueDay, MapNode, Retention
from groundwire.learning.terms import LEAST_PAIRS

_WIDTH, _HEIGHT = 720.0, 260.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 48.0, 16.0, 26.0, 40.0
_SQUARE = 320.0
_BOX_WIDTH, _BOX_HEIGHT, _ACROSS, _DOWN = 196.0, 44.0, 240.0, 62.0
_LONGEST = 22


def due_chart(days: Sequence[DueDay]) -> str:
    """Return the cards that are due on each day; what is overdue stands on today's."""
    most = max((one.due + one.overdue for one in days), default=0)
    top, step = _scale(max(most, 1))
    width = (_WIDTH - _LEFT - _RIGHT) / len(days)
    floor = _HEIGHT - _BOTTOM

    def high(count: int) -> float:
        return (floor - _TOP) * count / top

    parts = [*_counts(top, step, floor)]
    for number, one in enumerate(days):
        x = _LEFT + number * width + 2
        told = f"{one.date.isoformat()}: {one.due + one.overdue} due"
        told += f", {one.overdue} of them overdue" if one.overdue else ""
        bars = _bar(x, floor - high(one.due), width - 4, high(one.due), "bar")
        upper = floor - high(one.due) - high(one.overdue)
        bars += _bar(x, upper, width - 4, high(one.overdue), "bar overdue")
        parts.append(_element("g", _element("title", told), bars or " "))
        if number % 7 == 0:
            name = "today" if not number else f"{one.date.day} {one.date.strftime('%b')}"
            parts.append(_words(name, x + width / 2 - 2, floor + 18, anchor="middle"))
    parts.append(_words("cards", _LEFT - 8, _TOP - 10, "unit", "end"))
    if any(one.overdue for one in days):
        parts.append(_bar(_WIDTH - 190, _TOP - 18, 10, 10, "bar overdue"))
        parts.append(_words("due since before today", _WIDTH - 174, _TOP - 9, "unit"))
    return _picture("Cards due on each of the days to come", _WIDTH, _HEIGHT, *parts)


def retention_chart(months: Sequence[Retention], desired: float) -> str:
    """Return what was said and what came, month by month, with intervals and the wish."""
    told = [one for one in months if one.interval is not None]
    lows = [min(one.interval[0], one.said or 1) for one in told if one.interval]
    least = math.floor(min((*lows, desired, 0.9)) * 10) / 10
    floor, width = _HEIGHT - _BOTTOM, (_WIDTH - _LEFT - _RIGHT) / len(months)

    def y(share: float) -> float:
        return floor - (floor - _TOP) * (share - least) / (1 - least)

    parts = [*_shares(least, y)]
    parts.append(_line(_LEFT, y(desired), _WIDTH - _RIGHT, y(desired), "wish"))
    wish = f"asked for: {percent(desired)} %"
    parts.append(_line(_LEFT + 4, _TOP - 14, _LEFT + 28, _TOP - 14, "wish"))
    parts.append(_words(wish, _LEFT + 34, _TOP - 10, "unit"))
    parts.append(_element("path", d=_diamond(_WIDTH - 268, _TOP - 14), class_="dot said"))
    parts.append(_words("forecast", _WIDTH - 258, _TOP - 10, "unit"))
    parts.append(_element("circle", cx=_WIDTH - 200, cy=_TOP - 14, r=5, class_="dot measured"))
    parts.append(_words("recalled, with its 95 % interval", _WIDTH - 190, _TOP - 10, "unit"))
    for number, one in enumerate(months):
        x = _LEFT + (number + 0.5) * width
        parts.append(_words(one.month, x, floor + 16, anchor="middle"))
        parts.append(_words(f"n = {one.n:,}", x, floor + 31, "unit", "middle"))
        if one.interval is None or one.said is None or one.came is None:
            parts.append(_words("too few", x, floor - 10, "missing", "middle"))
            continue
        low, high = one.interval
        text = (
            f"{one.month}: forecast {percent(one.said)} %, recalled {percent(one.came)} % "
            f"({percent(low)} % to {percent(high)} %), of {one.n}"
        )
        parts.append(
            _element(
                "g",
                _element("title", text),
                _line(x + 7, y(low), x + 7, y(high), "interval measured"),
                _element("circle", cx=x + 7, cy=y(one.came), r=5, class_="dot measured"),
                _element("path", d=_diamond(x - 7, y(one.said)), class_="dot said"),
            )
        )
    return _picture("Retention, said and measured", _WIDTH, _HEIGHT, *parts)


def calibration_chart(curve: Curve, title: str) -> str:
    """Return said against came; the diagonal is what honest forecasts would come to."""
    left, floor, side = _LEFT, _SQUARE - _BOTTOM, _SQUARE - _LEFT - _RIGHT - 8

    def x(share: float) -> float:
        return left + side * share

    def y(share: float) -> float:
        return floor - (floor - _TOP) * share

    parts: list[str] = []
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(_line(x(0), y(share), x(1), y(share), "grid"))
        parts.append(_words(f"{share * 100:.0f} %", left - 6, y(share) + 4, anchor="end"))
        parts.append(_words(f"{share * 100:.0f} %", x(share), floor + 16, anchor="middle"))
    parts.append(_line(x(0), y(0), x(1), y(1), "wish"))
    parts.append(_words("came", left - 6, _TOP - 10, "unit", "end"))
    parts.append(_words(title, x(0.5), _TOP - 10, "name", "middle"))
    parts.append(_words("said", x(0.5), floor + 32, "unit", "middle"))
    if curve.judged is None:
        said = f"{curve.pairs} of {LEAST_PAIRS} forecasts"
        parts.append(_words("not enough to tell", x(0.5), y(0.56), "missing", "middle"))
        parts.append(_words(said, x(0.5), y(0.44), "missing", "middle"))
        return _picture(title, _SQUARE, _SQUARE, *parts)
    points = " ".join(f"{x(one.said):.1f},{y(one.came):.1f}" for one in curve.judged.bins)
    parts.append(_element("polyline", points=points, class_="curve"))
    for one in curve.judged.bins:
        low, high = one.interval
        text = (
            f"said {percent(one.said)} %, came {percent(one.came)} % "
            f"({percent(low)} % to {percent(high)} %), of {one.n}"
        )
        parts.append(
            _element(
                "g",
                _element("title", text),
                _line(x(one.said), y(low), x(one.said), y(high), "interval measured"),
                _element("circle", cx=x(one.said), cy=y(one.came), r=5, class_="dot measured"),
            )
        )
    return _picture(title, _SQUARE, _SQUARE, *parts)


def concept_chart(concepts: ConceptMap) -> str:
    """Return the concepts from left to right, what is needed before what needs it."""
    places = {one.node_id: _place(one) for one in concepts.nodes}
    width = max(x for x, _ in places.values()) + _BOX_WIDTH + 8
    height = max(y for _, y in places.values()) + _BOX_HEIGHT + 8
    parts = [_ARROW]
    for source, target in concepts.edges:
        (x1, y1), (x2, y2) = places[source], places[target]
        x1, y1, y2 = x1 + _BOX_WIDTH, y1 + _BOX_HEIGHT / 2, y2 + _BOX_HEIGHT / 2
        bend = (x2 - x1) / 2
        path = f"M{x1:.1f},{y1:.1f} C{x1 + bend:.1f},{y1:.1f} {x2 - bend:.1f},{y2:.1f} "
        path += f"{x2 - 3:.1f},{y2:.1f}"
        parts.append(_element("path", d=path, class_="edge", marker_end="url(#gw-arrow)"))
    parts += [_box(one, *places[one.node_id]) for one in concepts.nodes]
    return _picture("Concepts and what they need", width, height, *parts)


_ARROW = (
    '<defs><marker id="gw-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
    'markerHeight="7" orient="auto"><path d="M0,0 L8,4 L0,8 z" class="arrow"/></marker></defs>'
)


def _place(one: MapNode) -> tuple[float, float]:
    return 8 + one.layer * _ACROSS, 8 + one.row * _DOWN


def _box(one: MapNode, x: float, y: float) -> str:
    name = one.name if len(one.name) <= _LONGEST else f"{one.name[: _LONGEST - 1]}…"
    state = {"met": "known", "below": "not yet", "not_enough": "too few answers"}[one.status]
    # A value alone would read as surer than it is, so that the box has its interval.
    ends = f"{one.interval[0].removesuffix(' %')}–{one.interval[1]}, " if one.interval else ""
    said = f"{ends}n = {one.n_reviews}"
    text = f"{one.name}: {state}, {one.value_text or ''}{', ' * bool(one.value_text)}"
    text += f"n = {one.n_reviews}"
    text += f", 95 % interval {one.interval[0]} to {one.interval[1]}" if one.interval else ""
    text += f"; waits for {', '.join(one.waits_for)}" if one.waits_for else ""
    box = _element(
        "rect", x=x, y=y, width=_BOX_WIDTH, height=_BOX_HEIGHT, rx=8, class_=f"box {one.status}"
    )
    return _element(
        "g",
        _element("title", escape(text)),
        box,
        _words(name, x + 10, y + 19, "name"),
        _words(f"{state} · {said}", x + 10, y + 35, "unit"),
    )


def _scale(most: int) -> tuple[int, int]:
    """Return the top of an axis and the step of its lines: 1, 2 or 5 times a power of ten."""
    rough = max(1, math.ceil(most / 4))
    power = 10 ** int(math.log10(rough))
    step = next(power * one for one in (1, 2, 5, 10) if power * one >= rough)
    return math.ceil(most / step) * step, step


def _counts(top: int, step: int, floor: float) -> Iterator[str]:
    for count in range(0, top + 1, step):
        y = floor - (floor - _TOP) * count / top
        yield _line(_LEFT, y, _WIDTH - _RIGHT, y, "grid")
        yield _words(f"{count:,}", _LEFT - 8, y + 4, anchor="end")


def _shares(least: float, y: Callable[[float], float]) -> Iterator[str]:
    tenths = range(round(least * 10), 11, 1 if least > 0.5 else 2)
    for tenth in tenths:
        at = y(tenth / 10)
        yield _line(_LEFT, at, _WIDTH - _RIGHT, at, "grid")
        yield _words(f"{tenth * 10} %", _LEFT - 8, at + 4, anchor="end")


def _bar(x: float, y: float, width: float, height: float, kind: str) -> str:
    if height <= 0:
        return ""
    return _element("rect", x=x, y=y, width=width, height=height, class_=kind)


def _diamond(x: float, y: float) -> str:
    return f"M{x:.1f},{y - 6:.1f} l6,6 l-6,6 l-6,-6 z"


def _element(name: str, *inside: str, **attributes: object) -> str:
    """Return an element; `_` in the name of an attribute stands for `-`, and `class_` for class.

    Args:
        name: its name.
        inside: what is in it, as markup.
        attributes: its attributes; numbers are written with at most one decimal.
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_text(value))}"'
        for key, value in attributes.items()
    )
    content = "".join(inside)
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def _words(text: str, x: float, y: float, kind: str = "", anchor: str = "start") -> str:
    """Return a line of text."""
    return _element("text", escape(text), x=x, y=y, class_=kind or "label", text_anchor=anchor)


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    """Return a straight line."""
    return _element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=kind)


def _picture(title: str, width: float, height: float, *inside: str) -> str:
    """Return a whole drawing, which a reader of the screen calls by its title."""
    return _element(
        "svg",
        _element("title", escape(title)),
        *inside,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:g} {height:g}",
        width=width,
        height=height,
        role="img",
    )


def _text(value: object) -> str:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)
