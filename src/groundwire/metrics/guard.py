"""The anti-fabrication guard: every answer that is shown is built from the facts.

Each path has its own rule (seed 001, "Anti-fabrication"), and it holds in control flow:

- something was found: the answer is built from the facts;
- nothing was found and something is not held: a fixed refusal without any number;
- only unrecognized parameters: the parameter is named;
- no tool result at all: a refusal.

The text of a model is not checked here: the agents hold that against the evidence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from groundwire.metrics.results import Cell, DerivedItem
from groundwire.metrics.standing import label_with_days
from groundwire.metrics.terms import TOTAL
from groundwire.metrics.wording import Language, amount, say
from groundwire.quantities import find_quantities
from groundwire.safe_text import safe_name

Verdict = Literal["found", "not_found", "unrecognized_param", "refused"]

# Any digit of any script: a figure that is written in another one is still a figure.
# Shares are rounded to six digits.
_ROUNDED = Decimal("0.001")
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Guarded:
    """The answer that may be shown.

    Attributes:
        text: the answer.
        verdict: which path it took.
    """

    text: str
    verdict: Verdict


def guard(
    cells: Sequence[Cell],
    language: Language = "en",
    names: Mapping[str, str] | None = None,
) -> Guarded:
    """The answer that the outcomes of the tools allow.

    Args:
        cells: every outcome of `query_metric` of this turn.
        language: of the fixed sentences.
        names: of codes, for people; a code without one stands for itself.
    """
    found = [cell for cell in cells if cell.status == "found"]
    if found:
        said = [cell.answer for cell in cells if cell.status != "not_found"]
        missing = [cell for cell in cells if cell.status == "not_found"]
        said += [_missing(cell, language, names or {}) for cell in missing]
        return Guarded(" ".join(dict.fromkeys(said)), "found")
    if any(cell.status == "not_found" for cell in cells):
        channels = _by_channel(cells, language, names or {})
        return Guarded(f"{say('not_held', language)}{channels}", "not_found")
    if cells:
        text = " ".join(dict.fromkeys(cell.answer for cell in cells))
        return Guarded(text, "unrecognized_param")
    return Guarded(say("unproven", language), "refused")


def value_sentence(cell: Cell, names: Mapping[str, str], language: Language) -> str:
    """Return the sentence of a found value, with those of sources that differ.

    Args:
        cell: the outcome.
        names: of codes, for people.
        language: of the sentence.
    """
    assert cell.metric and cell.entity and cell.source and cell.value_text is not None
    metric = names.get(cell.metric, cell.metric)
    if cell.channel not in (None, TOTAL):
        metric += say("part", language, channel=names.get(str(cell.channel), str(cell.channel)))
    unit = cell.unit or ""
    differing = [
        say(
            "differs",
            language,
            doc=one.source.doc,
            value=amount(Decimal(one.value_text), unit, language),
        )
        for one in (cell.conflicts or ())[:3]
    ]
    period = str(cell.period)
    if cell.interval is not None:
        first, last = map(date.fromisoformat, (cell.interval.start, cell.interval.end))
        period = label_with_days(period, first, last, language)
    return say(
        "value",
        language,
        metric=metric,
        entity=names.get(cell.entity, cell.entity),
        period=period,
        value=amount(Decimal(cell.value_text), unit, language),
        doc=cell.source.doc,
        locator=cell.source.locator,
        differing=say("differing", language, values=say("listing", language).join(differing))
        if differing
        else "",
    )


def shares_together(derived: Sequence[DerivedItem], language: Language) -> str:
    """Return how much of the whole several shares are, where it is not all of it; else "".

    What has no value of the dimension that shares are told by is in the whole alone.
    """
    shares = [Decimal(one.value) for one in derived if one.operation == "share"]
    if len(shares) < 3 or len({(one.whole, one.operands[0].period) for one in derived}) > 1:
        return ""
    added = sum(shares, Decimal(0))
    if abs(added - 100) < _ROUNDED or added > 100:
        return ""
    told = amount(round(added, 4).normalize(), "%", language)
    return say("together", language, share=told)


def holds_figure(text: str) -> bool:
    """Whether a text holds a number, in digits or in words."""
    return bool(_DIGIT.search(text)) or bool(find_quantities(text))


def _by_channel(cells: Sequence[Cell], language: Language, names: Mapping[str, str]) -> str:
    """The channels that hold all that was asked for without one; "" where none does."""
    missing = [cell for cell in cells if cell.status == "not_found"]
    if any((cell.normalized or {}).get("channel", TOTAL) != TOTAL for cell in missing):
        return ""
    each = [cell.available.channels if cell.available else [] for cell in missing]
    held = [
        names.get(code, code)
        for code in (each[0] if each else ())
        if code != TOTAL and all(code in channels for channels in each)
    ]
    # The refusal holds no figure, and neither does a name in it.
    told = [safe_name(name) for name in dict.fromkeys(held) if not holds_figure(name)]
    if not told:
        return ""
    return say("by_channel", language, names=say("comma", language).join(told))


def _missing(cell: Cell, language: Language, names: Mapping[str, str]) -> str:
    """One sentence that names a missing cell."""
    asked = cell.normalized or {}
    metric, entity, channel = (
        names.get(asked.get(key, ""), asked.get(key, "")) for key in ("metric", "entity", "channel")
    )
    period = asked.get("period", "")
    part = ""
    if asked.get("channel", TOTAL) not in ("", TOTAL):
        part = say("part", language, channel=channel)
    return say("missing", language, metric=metric, part=part, entity=entity, period=period)
