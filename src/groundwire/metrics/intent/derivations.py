"""Words that ask for something computed from several values, and when the question lists them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from groundwire.metrics.terms import DerivedBy

Operation = DerivedBy

# Words and phrases, by their folded words.
ENGLISH: dict[tuple[str, ...], Operation] = {
    ("growth",): "percent_change",
    ("growth", "rate"): "percent_change",
    ("rate", "of", "growth"): "percent_change",
    ("percent", "change"): "percent_change",
    ("percentage", "change"): "percent_change",
    ("percentage", "growth"): "percent_change",
    ("year", "over", "year"): "percent_change",
    ("year", "on", "year"): "percent_change",
    ("yoy",): "percent_change",
    ("grow",): "percent_change",
    ("grew",): "percent_change",
    ("grown",): "percent_change",
    ("change",): "delta",
    ("changed",): "delta",
    ("increased",): "delta",
    ("decreased",): "delta",
    ("rise",): "delta",
    ("risen",): "delta",
    ("rose",): "delta",
    ("fall",): "delta",
    ("fallen",): "delta",
    ("fell",): "delta",
    ("drop",): "delta",
    ("dropped",): "delta",
    ("difference",): "delta",
    ("delta",): "delta",
    ("gap",): "delta",
    ("increase",): "delta",
    ("decrease",): "delta",
    ("ratio",): "ratio",
    ("share",): "share",
    ("shares",): "share",
    ("proportion",): "share",
    ("fraction",): "share",
    ("how", "much", "of"): "share",
    ("percentage", "of"): "share",
    ("percent", "of"): "share",
    ("what", "percent", "of"): "share",
    ("what", "percentage", "of"): "share",
    ("what", "part", "of"): "share",
    ("which", "part", "of"): "share",
    ("sum",): "sum",
    ("combined",): "sum",
    ("altogether",): "sum",
}
CHINESE: dict[str, Operation] = {
    "同比增长率": "percent_change",
    "同比增速": "percent_change",
    "同比增长": "percent_change",
    "同比": "percent_change",
    "增长率": "percent_change",
    "增长": "percent_change",
    "增速": "percent_change",
    "增幅": "percent_change",
    "变化": "delta",
    "变动": "delta",
    "差额": "delta",
    "差距": "delta",
    "差异": "delta",
    "差": "delta",
    "比值": "ratio",
    "比率": "ratio",
    "之比": "ratio",
    "占比": "share",
    "占": "share",
    "佔": "share",
    "份额": "share",
    "比重": "share",
    "合计": "sum",
    "之和": "sum",
    "总和": "sum",
    "合共": "sum",
    "加总": "sum",
}

Listed = Literal["metric", "entity", "period", "channel"]


def is_listed(operation: Operation, counts: dict[Listed, int]) -> bool:
    """Whether a question lists the operands of an operation.

    Args:
        operation: what is asked for.
        counts: how many values of each dimension the question lists.
    """
    several = [(dimension, count) for dimension, count in counts.items() if count > 1]
    if len(several) != 1:
        return False
    dimension, count = several[0]
    if operation == "percent_change":
        return dimension == "period"
    if operation == "delta":
        return dimension != "metric"
    if operation == "ratio":
        return count == 2
    if operation == "share":
        return dimension in ("entity", "channel")
    return dimension != "metric"


def longest_phrase(words: Sequence[str]) -> tuple[Operation, int] | None:
    """The operation whose phrase begins a sequence of folded words, and how many words it has."""
    for length in (3, 2, 1):
        operation = ENGLISH.get(tuple(words[:length])) if len(words) >= length else None
        if operation is not None:
            return operation, length
    return None
