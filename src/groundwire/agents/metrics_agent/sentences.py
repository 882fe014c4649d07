"""What tools answered, as sentences in the language of the question."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, cast

from groundwire.agents.runtime.guards import ToolAnswer
from groundwire.metrics.derive import SUM_OF_LISTED
from groundwire.metrics.intent.wording import Language
from groundwire.metrics.results import Cell, DerivedItem, NotDerivedItem
from groundwire.metrics.terms import TOTAL
from groundwire.metrics.wording import chinese_name, grouped, with_unit_in_chinese
from groundwire.safe_text import safe_name

Names = Mapping[str, str]
"""Names for people by the codes of metrics, entities and channels."""

_OPERATIONS: dict[Language, dict[str, str]] = {
    "en": {
        "delta": "Difference",
        "percent_change": "Change in percent",
        "ratio": "Ratio",
        "share": "Share",
        "sum": "Sum",
        "growth": "Growth",
        "growth_previous": "Growth on the period before",
        "cagr": "Compound annual growth rate",
    },
    "zh": {
        "delta": "差额",
        "percent_change": "变化率",
        "ratio": "比值",
        "share": "占比",
        "sum": "合计",
        "growth": "同比增长率",
        "growth_previous": "环比增长率",
        "cagr": "年均复合增长率",
    },
}
_PARAMS = {
    "metric": "指标",
    "entity": "对象",
    "channel": "渠道",
    "period": "期间",
    "as_of": "截至日期",
}
_UNRECOGNIZED = {
    "unknown": "“{raw}”不是已知的{param}",
    "ambiguous": "“{raw}”作为{param}有不止一种理解",
    "unsupported": "不支持以“{raw}”作为{param}",
    "out_of_scope_entity": "“{raw}”不在本服务的范围内",
}
_MOST_CANDIDATES = 6
_LONG_NUMBER = re.compile(r"(?<![\d.])\d{4,}(?=\D|$)")


def names_in(lists: Sequence[ToolAnswer], language: Language) -> dict[str, str]:
    """The names that the list tools have for codes."""
    names: dict[str, str] = {}
    for one in lists:
        for items, code in (("metrics", "code"), ("values", "value")):
            for item in cast("list[Mapping[str, Any]]", one.data.get(items) or ()):
                label = str(item["label"])
                if language == "zh":
                    label = chinese_name(label, item.get("aliases") or ())
                names.setdefault(str(item[code]), label)
    return names


def spoken(cells: Sequence[Cell], names: Names, language: Language) -> list[Cell]:
    """The cells with their sentences in a language."""
    if language == "en":
        return list(cells)
    made = {"found": _found, "unrecognized_param": _unrecognized}
    return [
        cell.model_copy(update={"answer": made[cell.status](cell, names)})
        if cell.status in made
        else cell
        for cell in cells
    ]


def computed(item: DerivedItem, names: Names, language: Language) -> str:
    """What was computed, of what, with its figures grouped as those of the values are."""
    formula = _LONG_NUMBER.sub(lambda found: f"{int(found[0]):,}", item.formula)
    if language == "zh" and item.unit and formula.endswith(f" {item.unit}"):
        bare = formula.removesuffix(f" {item.unit}")
        formula = with_unit_in_chinese(bare, item.unit)
    operation = _OPERATIONS[language].get(item.operation, item.operation)
    which = _operands(item, names, language)
    if language == "zh":
        return f"{operation}（{which}）：{formula}。"
    return f"{operation} ({which}): {formula}."


def not_computed(item: NotDerivedItem, language: Language) -> str:
    """What was not computed; in English with the reason of the tool."""
    operation = _OPERATIONS[language].get(item.operation, item.operation)
    if language == "zh":
        why = item.reason_in_chinese or "所需的数值不全, 或不能这样计算"
        return f"未计算{operation}：{why}。"
    return f"{operation}: not computed, {item.reason}."


def uncounted(operation: str, language: Language) -> str:
    """That something was to be computed and was not."""
    named = _OPERATIONS[language].get(operation, operation)
    return f"未计算{named}。" if language == "zh" else f"Not computed: {named.lower()}."


def _operands(item: DerivedItem, names: Names, language: Language) -> str:
    """What tells the operands from each other: their periods, else entities, channels, metrics."""
    joint = "、" if language == "zh" else ", "
    operands = item.operands
    if item.operation in ("delta", "percent_change") and len(operands) == 2:
        after, before = operands
        if after.period != before.period:
            return f"{before.period} {'至' if language == 'zh' else 'to'} {after.period}"
    if item.operation == "share" and item.whole:
        return _share(item, names, language)
    axes = [
        [one.period for one in operands],
        [names.get(one.entity, one.entity) for one in operands],
        [names.get(one.channel, one.channel) for one in operands],
        [names.get(one.metric, one.metric) for one in operands],
    ]
    told = [dict.fromkeys(axis) for axis in axes if len(set(axis)) > 1]
    return joint.join(told[0] if told else dict.fromkeys(axes[1]))


def _share(item: DerivedItem, names: Names, language: Language) -> str:
    """What is a share of what: "Germany in European Union, 2020"."""
    one, *others = (names.get(each.entity, each.entity) for each in item.operands)
    of = ""
    if set(others) <= {one}:
        of = one
        one, *others = (names.get(each.channel, each.channel) for each in item.operands)
    whole = " + ".join([one, *others] if item.whole == SUM_OF_LISTED else others)
    period = item.operands[0].period
    if language == "zh":
        return f"{of}{one}占{whole}，{period}"
    return f"{one} in {whole}{f' of {of}' if of else ''}, {period}"


def _found(cell: Cell, names: Names) -> str:
    """The sentence of a found value."""
    assert cell.metric and cell.entity and cell.source and cell.value_text is not None
    what = names.get(cell.metric, cell.metric)
    if cell.channel not in (None, TOTAL):
        what += f"（{names.get(cell.channel, cell.channel)}）"
    unit = cell.unit or ""
    value = with_unit_in_chinese(grouped(Decimal(cell.value_text)), unit)
    differing = [
        f"{one.source.doc} 为 {with_unit_in_chinese(grouped(Decimal(one.value_text)), unit)}"
        for one in (cell.conflicts or ())[:3]
    ]
    others = f"；其他来源不同：{'，'.join(differing)}" if differing else ""
    return (
        f"{names.get(cell.entity, cell.entity)} {cell.period} {what}：{value}"
        f"（来源：{cell.source.doc}，{cell.source.locator}）{others}。"
    )


def _unrecognized(cell: Cell, names: Names) -> str:
    """Which argument is not used, and what could be sent instead."""
    param = _PARAMS.get(str(cell.param), str(cell.param))
    said = _UNRECOGNIZED[str(cell.reason)].format(raw=cell.raw, param=param)
    offered = [names.get(one.value, one.label) for one in (cell.candidates or ())]
    if offered:
        return f"{said}；可选：{'、'.join(map(safe_name, offered[:_MOST_CANDIDATES]))}。"
    return f"{said}。"
