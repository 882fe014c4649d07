"""The answer, built from what was found: sentences with value, unit, period and source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from pydantic import JsonValue

from groundwire.agents.metrics_agent.plan import LISTS, Plan
from groundwire.agents.metrics_agent.sentences import (
    computed,
    names_in,
    not_computed,
    spoken,
    uncounted,
)
from groundwire.agents.runtime.guards import Evidence, Verdict
from groundwire.metrics.guard import guard
from groundwire.metrics.intent.wording import Language, language_of
from groundwire.metrics.results import Cell, DerivedItem, NotDerivedItem, PassageItem, SourceItem

NOT_LOOKED_UP: dict[Language, str] = {
    "en": "No fact was looked up for this, so no figure is given.",
    "zh": "此回答没有查询任何事实，因此不提供任何数字。",
}
_NOT_SEARCHED: dict[Language, str] = {
    "en": "No document was searched for this, so nothing is quoted.",
    "zh": "此回答没有检索任何文档，因此不引用任何内容。",
}
_SMALL_TALK: dict[Language, str] = {
    "en": "Ask for a figure by its metric, entity and period, or for what the documents say.",
    "zh": "请按指标、对象和期间询问数值，或询问文档的内容。",
}
_LEFT_OUT: dict[Language, str] = {
    "en": "Not searched for: {}.",
    "zh": "检索未包括：{}。",
}
_OPTIONS: dict[Language, str] = {"en": "Options: {}.", "zh": "可选：{}。"}
_LACKING: dict[Language, str] = {"en": "Not looked up: {}.", "zh": "尚未查询：{}。"}
_MORE: dict[Language, str] = {
    "en": "There are more values than are shown.",
    "zh": "还有更多数值未列出。",
}
_HELD: dict[Language, str] = {
    "en": "Figures that can be asked for: {}.",
    "zh": "可查询的指标：{}。",
}
_JOINT: dict[Language, str] = {"en": ", ", "zh": "、"}
_MOST_OPTIONS = 12
_MOST_BEFORE = 4


@dataclass(frozen=True, slots=True)
class Found:
    """What the tools of a run answered of what was asked.

    Attributes:
        cells: outcomes of values that the question asks for.
        derived, not_derived: what was computed of them, and what was not.
        passages: quotations, or None where no document was searched.
        empty: what the search said where it found nothing.
        lacking: what nobody looked up.
        uncomputed: what was to be computed and nobody had computed.
        unsearched: words of the question that the search left out.
        more: whether there are values on pages that nobody asked for.
    """

    cells: tuple[Cell, ...] = ()
    derived: tuple[DerivedItem, ...] = ()
    not_derived: tuple[NotDerivedItem, ...] = ()
    passages: tuple[PassageItem, ...] | None = None
    empty: str = ""
    lacking: tuple[str, ...] = ()
    uncomputed: tuple[str, ...] = ()
    unsearched: tuple[str, ...] = ()
    more: bool = False

    def untold(self, plan: Plan, language: Language) -> list[str]:
        """What of a question was not looked at, one sentence for each kind."""
        said: list[str] = []
        if self.cells and self.lacking:
            said.append(_LACKING[language].format(_JOINT[language].join(self.lacking)))
        said += [uncounted(one, language) for one in self.uncomputed]
        if plan.route == "composite" and self.passages is None:
            said.append(_NOT_SEARCHED[language])
        if self.unsearched:
            said.append(_LEFT_OUT[language].format(_JOINT[language].join(self.unsearched)))
        return said


def asking(plan: Plan) -> Verdict:
    """A question to the user, or a refusal, with its options."""
    language = language_of(plan.question)
    labels = [str(one.get("label") or one.get("value")) for one in plan.options[:_MOST_OPTIONS]]
    left = [one for one in labels if one not in plan.asks]
    listed = _OPTIONS[language].format(_JOINT[language].join(left)) if left else ""
    result = _result(plan, f"{plan.asks} {listed}".strip(), plan.mode, ())
    result["question"] = plan.asks
    if plan.mode == "ask_first":
        result["asked_about"] = plan.question
    return Verdict(result)


def compose(plan: Plan, found: Found, evidence: Evidence) -> dict[str, JsonValue]:
    """The result of a question that was looked up."""
    language = language_of(evidence.question or plan.question)
    names = names_in(evidence.of(*LISTS), language)
    # What was not looked at comes first: nobody shall take a part for the whole.
    untold = found.untold(plan, language)
    parts = list(untold)
    status = "quoted" if found.passages else "empty"
    if plan.route != "narrative":
        cells = spoken(found.cells, names, language)
        guarded = guard(cells, language=language, names=names) if cells else None
        status = guarded.verdict if guarded else "refused"
        values = [guarded.text if guarded else NOT_LOOKED_UP[language]]
        formulas = [computed(one, names, language) for one in found.derived]
        # What is computed of the ends of a long range answers; the values between them show it.
        long = len(cells) > _MOST_BEFORE
        parts += [plan.note if cells else "", *(formulas + values if long else values + formulas)]
        parts += [not_computed(one, language) for one in found.not_derived]
        if found.more:
            parts.append(_MORE[language])
    text = " ".join(filter(None, parts))
    quoted = [f"“{one.text}” ({one.doc}, {one.locator})" for one in found.passages or ()]
    if plan.route == "narrative" and not quoted:
        quoted = [_nothing(plan, found, evidence, language)]
    text = "\n".join(filter(None, (text, *quoted)))
    sources = [cell.source for cell in found.cells if cell.source is not None]
    quoted_from = [SourceItem(doc=one.doc, locator=one.locator) for one in found.passages or ()]
    result = _result(plan, text, status, (*sources, *quoted_from))
    if untold or not (found.cells or found.passages is not None or not plan.looks_up):
        result["confidence"] = "low"
    values = [_value(cell) for cell in found.cells if cell.status == "found"]
    if values:
        result["values"] = cast("JsonValue", values)
    if found.derived:
        names = {"operation", "value", "unit", "exact", "formula"}
        result["derived"] = [one.model_dump(mode="json", include=names) for one in found.derived]
    return result


def _nothing(plan: Plan, found: Found, evidence: Evidence, language: Language) -> str:
    """That nothing was quoted, and what can be asked for instead."""
    said = [found.empty] if found.passages is not None else []
    if not plan.searches:
        said.append(_SMALL_TALK[language])
    held = names_in(evidence.of("list_metrics"), language).values()
    if held:
        said.append(_HELD[language].format(_JOINT[language].join(held)))
    if not said:
        return _NOT_SEARCHED[language]
    return " ".join(said)


def _result(
    plan: Plan, text: str, status: str, sources: Sequence[SourceItem]
) -> dict[str, JsonValue]:
    """The fields of every result."""
    places = dict.fromkeys((one.doc, one.locator) for one in sources)
    result: dict[str, JsonValue] = {
        "answer": text,
        "route": plan.route,
        "mode": plan.mode,
        "status": status,
        "sources": [{"doc": doc, "locator": locator} for doc, locator in places],
        "slots": plan.slots,
    }
    if plan.note:
        result["assumption_note"] = plan.note
    if plan.options:
        result["narrowing_options"] = [dict(one) for one in plan.options]
    return result


def _value(cell: Cell) -> dict[str, JsonValue]:
    """A value with what it is of."""
    shown = cell.model_dump(
        mode="json",
        include={"metric", "entity", "channel", "period", "value_text", "unit", "as_of"},
    )
    assert cell.source is not None
    return {**shown, "source": {"doc": cell.source.doc, "locator": cell.source.locator}}
