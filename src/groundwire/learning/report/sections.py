"""The sections of a report: headings, sentences, drawings, and the numbers as a table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from groundwire.learning.proof import decimals, percent
from groundwire.learning.report.charts import (
    calibration_chart,
    concept_chart,
    due_chart,
    retention_chart,
)
from groundwire.learning.report.figures import DAYS, Curve, Figures, Retention
from groundwire.learning.terms import LEAST_PAIRS

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
        (due_chart(found.days),),
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
        (retention_chart(found.retention, found.policy.desired_retention),),
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
        tuple(calibration_chart(curve, name) for name, curve in curves),
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
        (concept_chart(concepts),),
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
