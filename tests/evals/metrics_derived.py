"""Questions for what is computed from two facts, and what must not be with one of them missing."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from groundwire.metrics.profile import TOTAL
from tests.evals import metrics_templates as templates
from tests.evals.metrics_drawing import Draw
from tests.evals.metrics_judging import FOUND, Case
from tests.evals.metrics_spelling import period_names
from tests.evals.metrics_truth import Key, Version


def derived(draw: Draw, count: int) -> Iterator[Case]:
    """Changes between two neighbouring years, and ratios of two entities."""
    truth, profile, made = draw.world.truth, draw.world.profile, 0
    for _ in range(count * 40):
        if made == count:
            return
        operation = draw.rng.choice(("delta", "percent_change", "ratio"))
        key = draw.key(channel=False)
        if operation not in profile.metric_by_code[key.metric].derivations:
            continue
        other = _entity_beside(draw, key) if operation == "ratio" else _year_after(draw, key)
        if other is None:
            continue
        first, second = truth.answer(key), truth.answer(other)
        assert first is not None
        if first.value <= 0 or (second is not None and second.value <= 0):
            continue
        chinese = draw.world.chinese and draw.rng.random() < 0.4
        yield _case(draw, operation, (first, second), other, chinese)
        made += 1


def _case(
    draw: Draw, operation: str, pair: tuple[Version, Version | None], other: Key, chinese: bool
) -> Case:
    first, second = pair
    key, profile = first.key, draw.world.profile
    pick = draw.chinese if chinese else draw.english
    forms = (templates.CHINESE_DERIVED if chinese else templates.ENGLISH_DERIVED)[operation]
    template = draw.rng.choice(forms)
    text = templates.filled(
        template,
        m=pick(draw.metric_names(key.metric)),
        e=pick(draw.entity_names(key.entity)),
        e2=pick(draw.entity_names(other.entity)),
        p=period_names(profile, key, chinese)[0],
        p2=period_names(profile, other, chinese)[0],
    )
    held = templates.is_held_out(template)
    found = frozenset((FOUND,))
    if second is None:
        return Case(
            "operand missing", draw.world, text, found, (first,), missing=(other,), derived=(),
            held_out=held,
        )  # fmt: skip
    values = {
        "delta": second.value - first.value,
        "percent_change": (second.value - first.value) / first.value * Decimal(100),
        "ratio": first.value / second.value,
    }
    # A change may be told in percent too, and a percentage with the difference.
    beside = {"delta": "percent_change", "percent_change": "delta"}.get(operation)
    return Case(
        f"computed: {operation.replace('_', ' ')}", draw.world, text, found, (first, second),
        derived=((operation, values[operation]),), held_out=held,
        beside=((beside, values[beside]),) if beside else (),
    )  # fmt: skip


def _year_after(draw: Draw, key: Key) -> Key | None:
    """The same series a year later; it may be missing."""
    if not 360 <= (key.end - key.start).days <= 366:
        return None
    try:
        start = key.start.replace(year=key.start.year + 1)
        return key._replace(start=start, end=key.end.replace(year=key.end.year + 1))
    except ValueError:
        return None


def _entity_beside(draw: Draw, key: Key) -> Key | None:
    """Another entity with the same period, on the same calendar."""
    profile = draw.world.profile
    others = [
        series[1]
        for series in draw.world.truth.series
        if (series[0], series[2]) == (key.metric, TOTAL) and series[1] != key.entity
    ]
    if not others:
        return None
    other = draw.rng.choice(others)
    if profile.calendar_of[other] != profile.calendar_of[key.entity]:
        return None
    return key._replace(entity=other)
