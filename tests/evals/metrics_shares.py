"""Whether changes of shares, gaps of shares, shares within shares and changes of ratios are right.

Every answer is worked out here from the CSV files of the embedded profile, with nothing of the
package. An answer is wrong where it has a computed value that the right computation does not have,
or tells points as percent. What has two readings must be asked back.

Run: python tests/evals/metrics_shares.py [--fraction 0.1] [--half seen|held_out] [--show]
"""

from __future__ import annotations

import sys
import tempfile
import tomllib
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from groundwire.metrics.ask import Answered, ask  # noqa: E402
from tests.evals._report import drawn_halves, settle_answers  # noqa: E402
from tests.evals.metrics_growth import Facts, is_same, is_shown, read_facts  # noqa: E402
from tests.evals.metrics_worlds import TODAY, open_default  # noqa: E402

HERE = Path(__file__)
HALVES = {
    "seen": tomllib.loads(HERE.with_suffix(".toml").read_text("utf-8"))["seen"],
    "held_out": tomllib.loads(
        HERE.with_name("metrics_shares_held_out.toml").read_text("utf-8")
    )["held_out"],
}  # fmt: skip
OUTCOMES = ("all", "right", "not answered", "wrong")
NAMES = {"REVENUE": "Revenue", "NET_PROFIT": "Net profit"}
QUOTIENTS = {
    "GDP_PER_CAPITA": ("GDP", "POPULATION", 1),
    "NET_MARGIN": ("NET_PROFIT", "REVENUE", 100),
}
POINTS = {"en": "percentage point", "de": "Prozentpunkt", "zh": "百分点"}


class Wanted(NamedTuple):
    """What an answer has to show, what else may be computed, and the unit that it must name."""

    shown: tuple[Decimal, ...]
    also: tuple[Decimal, ...] = ()
    in_points: bool = False


def wanted(facts: Facts, text: str) -> Wanted:
    """The values of a right answer."""

    def value(metric: str, part: str, period: str, whole: str = "") -> Decimal:
        if metric in QUOTIENTS:
            over, under, times = QUOTIENTS[metric]
            return value(over, part, period) / value(under, part, period) * times
        entity, channel = (whole, part[8:]) if part.startswith("Channel:") else (part, "Total")
        # The quarters of Japan's files are of a year from April; its years have no other name.
        return facts[NAMES.get(metric, metric), entity, channel, period]

    kind, metric, *names = text.split()

    def share(part: str, whole: str, period: str) -> Decimal:
        return value(metric, part, period, whole) / value(metric, whole, period) * 100

    match kind:
        case "points":
            part, whole, first, last = names
            before, after = share(part, whole, first), share(part, whole, last)
            return Wanted((after - before, before, after), (), True)
        case "gap":
            one, other, whole, period = names
            first_share, second = share(one, whole, period), share(other, whole, period)
            gap = first_share - second
            return Wanted((abs(gap), first_share, second), (gap, -gap), True)
        case "shares":
            part, whole, *periods = names
            found = tuple(share(part, whole, one) for one in periods)
            return Wanted(found, (found[-1] - found[0],))
        case "within":
            part, middle, period = names
            return Wanted((share(part, middle, period),))
        case "quotient":
            one, other, first, last = names
            before, after = (
                value(metric, one, at) / value(metric, other, at) for at in (first, last)
            )
            return Wanted((before, after), (after - before, (after - before) / before * 100))
        case "percent" | "margin":
            entity, first, last = names
            before, after = (value(metric, entity, at) for at in (first, last))
            change = after - before
            if kind == "margin":
                return Wanted((change,), (before, after), True)
            return Wanted((change / before * 100,), (change, before, after))
        case _:
            raise ValueError(text)


def judge(facts: Facts, language: str, case: dict[str, Any], answered: Answered) -> str:
    """ "right", "not answered", or "wrong: " with the reason."""
    made = [Decimal(one.value) for one in answered.derived]
    if answered.table is not None and answered.table[1].status == "found":
        result = answered.table[1]
        at = [n for n, one in enumerate(result.columns or []) if one.role == "value"]
        made += [Decimal(row[n] or "NaN") for row in result.rows or [] for n in at]
    found = [one for one in answered.cells if one.status == "found"]
    if "right" not in case:
        if made or len(found) == 1:
            return f"wrong: computed {made or [one.value_text for one in found]}"
        return "right"
    right = wanted(facts, case["right"])
    allowed = (*right.shown, *right.also)
    if any(not any(is_same(one, other) for other in allowed) for one in made):
        return f"wrong: made {made}, wanted {right.shown}"
    if not made:
        return "not answered"
    if not any(is_same(one, other) for one in made for other in (right.shown[0], *right.also)):
        return "not answered"
    if not all(is_shown(one, answered.text, language) for one in right.shown):
        return "not answered"
    if right.in_points and POINTS[language] not in answered.text:
        return "wrong: points are not told as such"
    return "right"


def cases(half: str) -> list[tuple[str, dict[str, Any]]]:
    return [(one, case) for one in ("en", "de", "zh") for case in HALVES[half][one]]


def main() -> int:
    options, _, drawn = drawn_halves(__doc__, tuple(HALVES), cases)
    facts = read_facts()
    counts: Counter[tuple[str, str]] = Counter()
    with tempfile.TemporaryDirectory() as home:
        world = open_default(Path(home))
        for half, (language, case) in drawn:
            answered = ask(world.state, case["q"], TODAY)
            outcome = judge(facts, language, case, answered)
            kind = case.get("right", "asked").split()[0]
            for group in (f"{half}, {kind}", f"{half}, {language}", half):
                counts[group, "all"] += 1
                counts[group, outcome.partition(":")[0]] += 1
            if options.show and half == "seen" and outcome != "right":
                print(f"{outcome}\n    {case['q']}\n    {answered.ending}: {answered.text[:500]!r}")
    return settle_answers(__file__, OUTCOMES, counts, options)


if __name__ == "__main__":
    sys.exit(main())
