"""The answer, built from what was found: sentences with value, unit, period and source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, cast

from pydantic import JsonValue

from groundwire.agents.metrics_agent.plan import LISTS, Plan
from groundwire.agents.runtime.guards import Evidence, ToolAnswer, Verdict
from groundwire.metrics.guard import guard
from groundwire.metrics.intent.wording import Language, language_of
from groundwire.metrics.results import Cell, DerivedItem, NotDerivedItem, PassageItem, SourceItem
from groundwire.metrics.terms import TOTAL
from groundwire.metrics.wording import chinese_name, grouped, with_unit

NOT_LOOKED_UP: dict[Language, str] = {
    "en": "No fact was looked up for this, so no figure is given.",
    "zh": "此回答没有查询任何事实，因此不提供任何数字。",
}
_NOT_SEARCHED: dict[Language, str] = {
    "en": "No document was searched for this, so nothing is quoted.",
    "zh": "此回答没有检索任何文档，因此不引用任何内容。",
}
_OPTIONS: dict[Language, str] = {"en": "Options: {}.", "zh": "可选：{}。"}
_LACKING: dict[Language, str] = {"en": "Not looked up: {}.", "zh": "尚未查询：{}。"}
_MORE: dict[Language, str] = {
    "en": "There are more values than are shown.",
    "zh": "还有更多数值未列出。",
}
_JOINT: dict[Language, str] = {"en": ", ", "zh": "、"}
_MOST_OPTIONS = 12


@dataclass(frozen=True, slots=True)
class Found:
    """What the tools of a run answered of what was asked.

    Attributes:
        cells: outcomes of values that the question asks for.
        derived, not_derived: what was computed of them, and what was not.
        passages: quotations, or None where no document was searched.
        empty: what the search said where it found nothing.
        lacking: what nobody looked up.
        more: whether there are values on pages that nobody asked for.
    """

    cells: tuple[Cell, ...] = ()
    derived: tuple[DerivedItem, ...] = ()
    not_derived: tuple[NotDerivedItem, ...] = ()
    passages: tuple[PassageItem, ...] | None = None
    empty: str = ""
    lacking: tuple[str, ...] = ()
    more: bool = False


def asking(plan: Plan) -> Verdict:
    """A question to the user, or a refusal, with its options."""
    language = language_of(plan.question)
    labels = [str(one.get("label") or one.get("value")) for one in plan.options[:_MOST_OPTIONS]]
    left = [one for one in labels if one not in plan.asks]
    listed = _OPTIONS[language].format(_JOINT[language].join(left)) if left else ""
    result = _result(plan, f"{plan.asks} {listed}".strip(), plan.mode, ())
    result["question"] = plan.asks
    if plan.mode == "ask_first" and not plan.not_understood:
        result["asked_about"] = plan.question
    return Verdict(result)


def compose(plan: Plan, found: Found, evidence: Evidence) -> dict[str, JsonValue]:
    """The result of a question that was looked up."""
    language = language_of(evidence.question or plan.question)
    parts: list[str] = []
    status = "quoted" if found.passages else "empty"
    if plan.route != "narrative":
        cells = _worded(found.cells, evidence, language)
        guarded = guard(cells, language=language) if cells else None
        status = guarded.verdict if guarded else "refused"
        parts += [plan.note if cells else "", guarded.text if guarded else NOT_LOOKED_UP[language]]
        parts += [f"{one.formula}." for one in found.derived]
        parts += [f"{one.operation}: {one.reason}." for one in found.not_derived]
        if cells and found.lacking:
            parts.append(_LACKING[language].format(_JOINT[language].join(found.lacking)))
        if found.more:
            parts.append(_MORE[language])
    text = " ".join(filter(None, parts))
    quoted = [f"“{one.text}” ({one.doc}, {one.locator})" for one in found.passages or ()]
    if plan.route == "narrative" and not quoted:
        quoted = [found.empty if found.passages is not None else _NOT_SEARCHED[language]]
    text = "\n".join(filter(None, (text, *quoted)))
    sources = [cell.source for cell in found.cells if cell.source is not None]
    quoted_from = [SourceItem(doc=one.doc, locator=one.locator) for one in found.passages or ()]
    result = _result(plan, text, status, (*sources, *quoted_from))
    values = [_value(cell) for cell in found.cells if cell.status == "found"]
    if values:
        result["values"] = cast("JsonValue", values)
    if found.derived:
        names = {"operation", "value", "unit", "exact", "formula"}
        result["derived"] = [one.model_dump(mode="json", include=names) for one in found.derived]
    return result


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


def _worded(cells: Sequence[Cell], evidence: Evidence, language: Language) -> list[Cell]:
    """The cells with their sentences in the language of the question."""
    if language == "en":
        return list(cells)
    names = _chinese_names(evidence.of(*LISTS))
    return [
        cell.model_copy(update={"answer": _in_chinese(cell, names)})
        if cell.status == "found"
        else cell
        for cell in cells
    ]


def _in_chinese(cell: Cell, names: Mapping[str, str]) -> str:
    """The sentence of a found value, by the names that the list tools have for its codes."""
    assert cell.metric and cell.entity and cell.source and cell.value_text is not None
    what = names.get(cell.metric, cell.metric)
    if cell.channel not in (None, TOTAL):
        what += f"（{cell.channel}）"
    value = with_unit(grouped(Decimal(cell.value_text)), cell.unit or "")
    differing = [
        f"{one.source.doc} 为 {with_unit(grouped(Decimal(one.value_text)), cell.unit or '')}"
        for one in (cell.conflicts or ())[:3]
    ]
    others = f"；其他来源不同：{'，'.join(differing)}" if differing else ""
    return (
        f"{names.get(cell.entity, cell.entity)} {cell.period} {what}：{value}"
        f"（来源：{cell.source.doc}，{cell.source.locator}）{others}。"
    )


def _chinese_names(lists: Sequence[ToolAnswer]) -> dict[str, str]:
    names: dict[str, str] = {}
    for one in lists:
        for items, code in (("metrics", "code"), ("values", "value")):
            for item in cast("list[Mapping[str, Any]]", one.data.get(items) or ()):
                names[str(item[code])] = chinese_name(str(item["label"]), item.get("aliases") or ())
    return names
