"""The sections of a report: headings, sentences, drawings, and the numbers as a table."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape

from groundwire.learning.proof import decimals, percent
from groundwire.learning.report.figures import (
    DAYS,
    ConceptMap,
    Curve,
    DueDay,
    Figures,
    MapNode,
    Retention,
)
from groundwire.learning.terms import LEAST_PAIRS

_WIDTH, _HEIGHT = 720.0, 260.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 48.0, 16.0, 26.0, 40.0
_SQUARE = 320.0
_BOX_WIDTH, _BOX_HEIGHT, _ACROSS, _DOWN = 196.0, 44.0, 240.0, 62.0
_LONGEST = 22


_ARROW = (
    '<defs><marker id="gw-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
    'markerHeight="7" orient="auto"><path d="M0,0 L8,4 L0,8 z" class="arrow"/></marker></defs>'
)

_MOST_NEXT = 5


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report.

    Attributes:
        key: a short name of it.
        heading: what it is about.
        says: its sentences.
        drawings: its charts, as SVG; none where there is nothing to draw.
        columns: heads of its table.
        rows: the numbers behind its charts.
    """

    key: str
    heading: str
    says: tuple[str, ...]
    drawings: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


def sections(found: Figures) -> list[Section]:
    """Return the parts of a report in their order."""
    return [_due(found), _retention(found), _calibration(found), _concepts(found)]


def summary(found: Figures) -> str:
    """Return what is held and who rated it, in a sentence."""
    by = found.rated
    rated = ", ".join(
        f"{count:,} {who}"
        for count, who in (
            (by.server, "by comparison with the back"),
            (by.learner, "by the learner"),
            (by.imported, "in an imported log"),
            (by.host, "by the model alone, which count for no estimate"),
        )
        if count
    )
    said = f"{_count(found.held.cards, 'card')} in {_count(found.held.decks, 'deck')}"
    total = by.server + by.learner + by.imported + by.host
    return f"{said}; {_count(total, 'review')}" + (f", rated: {rated}." if rated else ".")


def _due(found: Figures) -> Section:
    today = found.days[0]
    total = sum(one.due + one.overdue for one in found.days)
    if not total + found.later:
        says = "No card has a schedule yet: it begins with the first review."
        return Section("due", "Due per day", (says, _new(found)))
    says = f"{_count(today.due + today.overdue, 'card')} due today"
    says += f", {today.overdue:,} of them since before" if today.overdue else ""
    says += f"; {_count(total, 'card')} in {DAYS} days, {found.later:,} later."
    return Section(
        "due",
        "Due per day",
        (says, _new(found)),
        (_due_chart(found.days),),
        ("day", "due", "overdue"),
        tuple(
            (one.date.isoformat(), f"{one.due:,}", f"{one.overdue:,}")
            for one in found.days
            if one.due + one.overdue
        ),
    )


def _new(found: Figures) -> str:
    per_day = found.policy.new_per_day
    begun = f"up to {per_day:,} of them a day" if per_day else "none of them now"
    return f"{_count(found.new, 'card')} never reviewed; the policy begins {begun}."


def _retention(found: Figures) -> Section:
    heading = "Retention, said and measured"
    whole = found.retention[-1]
    if not whole.n:
        says = "No review lies a day or more after the one before, so nothing can be compared yet."
        return Section("retention", heading, (says,))
    if whole.interval is None:
        says = (
            f"Nothing can be said yet: there {_are(whole.n)} of the {LEAST_PAIRS} reviews on later "
            "days that it takes."
        )
    else:
        says = (
            f"Of {whole.n:,} reviews on later days {_share(whole.came)} were recalled "
            f"({_interval(whole)}); the schedule had forecast {_share(whole.said)}, and the "
            f"policy asks for {percent(found.policy.desired_retention)} %."
        )
    few = sum(one.interval is None for one in found.retention[:-1])
    lacking = (
        f"{_count(few, 'month')} with fewer than {LEAST_PAIRS} such reviews "
        f"{'has' if few == 1 else 'have'} no number."
    )
    return Section(
        "retention",
        heading,
        (says, lacking) if few else (says,),
        (_retention_chart(found.retention, found.policy.desired_retention),),
        ("month", "reviews", "forecast", "recalled", "95 % interval"),
        tuple(
            (
                one.month,
                f"{one.n:,}",
                _share(one.said),
                _share(one.came),
                _interval(one) if one.interval else "too few",
            )
            for one in found.retention
        ),
    )


def _calibration(found: Figures) -> Section:
    curves = (("The learner's confidence", found.confidence), ("The schedule", found.schedule))
    return Section(
        "calibration",
        "Calibration: what was said, and what came",
        tuple(_judged(name, curve) for name, curve in curves),
        tuple(_calibration_chart(curve, name) for name, curve in curves),
        ("whose", "said", "came", "reviews", "95 % interval"),
        tuple(_bins(curves)),
    )


def _judged(name: str, curve: Curve) -> str:
    judged = curve.judged
    if judged is None:
        held = f"there {_are(curve.pairs)} of {LEAST_PAIRS} forecasts"
        return f"{name}: nothing can be said yet, {held}."
    lean = "too high" if judged.bias > 0 else "too low"
    left_out = (
        f" {judged.left_out:,} of them lie in bins of too few to draw." if judged.left_out else ""
    )
    return (
        f"{name}: {judged.pairs:,} forecasts, on average {percent(abs(judged.bias))} points "
        f"{lean}; Brier score {decimals(judged.brier.score, 3)}, calibration error "
        f"{decimals(judged.ece, 3)}.{left_out}"
    )


def _bins(curves: tuple[tuple[str, Curve], ...]) -> Iterator[tuple[str, ...]]:
    for name, curve in curves:
        for one in curve.judged.bins if curve.judged else ():
            low, high = one.interval
            span = f"{percent(low)} % to {percent(high)} %"
            yield name, _share(one.said), _share(one.came), f"{one.n:,}", span


def _concepts(found: Figures) -> Section:
    concepts = found.concepts
    heading = "Concepts, and what is unmet"
    if not concepts.nodes:
        says = "There are no concepts yet: submit_graph_changes adds them."
        return Section("concepts", heading, (says,))
    counts = {
        kind: sum(one.status == kind for one in concepts.nodes)
        for kind in ("met", "below", "not_enough")
    }
    says = (
        f"{_count(len(concepts.nodes), 'concept')}: {counts['met']:,} known with "
        f"{percent(concepts.mastered_at)} % or more, {counts['below']:,} not yet, "
        f"{counts['not_enough']:,} with too few answers to tell."
    )
    ready = [one for one in concepts.nodes if one.status != "met" and not one.waits_for]
    following = ", ".join(one.name for one in ready[:_MOST_NEXT])
    lines = [says]
    if following:
        lines.append(f"Ready to be learnt next, since all that they need is known: {following}.")
    if concepts.left_out:
        left_out = _count(concepts.left_out, "concept")
        lines.append(f"{left_out} that others need less are not shown.")
    return Section(
        "concepts",
        heading,
        tuple(lines),
        (_concept_chart(concepts),),
        ("concept", "known", "95 % interval", "answers", "waits for"),
        tuple(
            (
                one.name,
                one.value_text or "too few answers",
                " to ".join(one.interval) if one.interval else "-",
                f"{one.n_reviews:,}",
                ", ".join(one.waits_for) or "-",
            )
            for one in concepts.nodes
        ),
    )


def _share(value: float | None) -> str:
    return "-" if value is None else f"{percent(value)} %"


def _interval(one: Retention) -> str:
    assert one.interval is not None
    low, high = one.interval
    return f"{percent(low)} % to {percent(high)} %"


def _are(count: int) -> str:
    return f"is {count}" if count == 1 else f"are {count:,}"


def _count(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _due_chart(days: Sequence[DueDay]) -> str:
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


def _retention_chart(months: Sequence[Retention], desired: float) -> str:
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


def _calibration_chart(curve: Curve, title: str) -> str:
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


def _concept_chart(concepts: ConceptMap) -> str:
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
