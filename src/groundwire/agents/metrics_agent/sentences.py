"""Sentences that state the answers of tools in the language of the question."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Any, cast

from groundwire.agents.runtime.guards import ToolAnswer
from groundwire.language.sentences import Catalogue, read_catalogue
from groundwire.metrics.derive import SUM_OF_LISTED
from groundwire.metrics.guard import value_sentence
from groundwire.metrics.intent.wording import Language, say
from groundwire.metrics.results import Cell, DerivedItem, NotDerivedItem
from groundwire.metrics.wording import (
    amount,
    chinese_name,
    formula_in,
    german_name,
    with_unit_in_chinese,
)
from groundwire.safe_text import safe_name

Names = Mapping[str, str]
"""Names for people by the codes of metrics, entities and channels."""

_MOST_CANDIDATES = 6
_LONG_NUMBER = re.compile(r"(?<![\d.])\d{4,}(?=\D|$)")


@cache
def _catalogue() -> Catalogue:
    return read_catalogue(files(__package__ or ""))


def told(key: str, language: Language, **parts: str) -> str:
    """Return a sentence of the agent with its gaps filled."""
    return _catalogue().say(key, language, **parts)


def names_in(lists: Sequence[ToolAnswer], language: Language, question: str = "") -> dict[str, str]:
    """The names that the list tools have for codes.

    German names are those of the lists, those that the question uses, and those of countries.
    """
    asked = question.casefold()
    names: dict[str, str] = {}
    for one in lists:
        for items, code in (("metrics", "code"), ("values", "value")):
            for item in cast("list[Mapping[str, Any]]", one.data.get(items) or ()):
                label = str(item["label"])
                aliases = [str(alias) for alias in item.get("aliases") or ()]
                if language == "zh":
                    label = chinese_name(label, aliases)
                elif language == "de":
                    used = [one for one in (label, *aliases) if one.casefold() in asked]
                    own = item.get("label_de") or max(used, key=len, default="")
                    label = str(own or german_name(label))
                names.setdefault(str(item[code]), label)
    return names


def spoken(cells: Sequence[Cell], names: Names, language: Language) -> list[Cell]:
    """The cells with their sentences in a language."""
    if language == "en":
        return list(cells)
    made = {"found": value_sentence, "unrecognized_param": _unrecognized}
    return [
        cell.model_copy(update={"answer": made[cell.status](cell, names, language)})
        if cell.status in made
        else cell
        for cell in cells
    ]


def computed(item: DerivedItem, names: Names, language: Language) -> str:
    """Return the sentence of a derived value, its figures grouped like those of other values."""
    formula = item.formula
    if language == "de":
        formula = formula_in(formula, language)
    else:
        formula = _LONG_NUMBER.sub(lambda found: f"{int(found[0]):,}", formula)
    if language == "zh" and item.unit and formula.endswith(f" {item.unit}"):
        bare = formula.removesuffix(f" {item.unit}")
        formula = with_unit_in_chinese(bare, item.unit)
    which = _operands(item, names, language)
    operation = _operation(item.operation, language)
    return told("computed", language, operation=operation, which=which, formula=formula)


def not_computed(item: NotDerivedItem, language: Language) -> str:
    """Tell which computations failed, with the tool's reason where it is in the language."""
    reasons = {"en": item.reason, "de": item.reason_in_german, "zh": item.reason_in_chinese}
    reason = reasons[language] or say("cannot", language)
    operation = _operation(item.operation, language)
    return told("not_computed", language, operation=operation, reason=reason)


def most(cells: Sequence[Cell], names: Names, language: Language, way: str = "most") -> str:
    """Tell which of several values of one metric is the greatest, or the least; "" for none."""
    held = [one for one in cells if one.status == "found" and one.value_text is not None]
    same = {(one.metric, one.channel, one.unit) for one in held}
    if len(held) < 2 or len(held) < len(cells) or len(same) != 1:
        return ""
    ordered = sorted(held, key=lambda one: Decimal(one.value_text or 0), reverse=way == "most")
    first, second = ordered[:2]
    if first.value_text == second.value_text or (first.entity == second.entity) != (
        first.period != second.period
    ):
        return ""
    name = str(first.period)
    if first.entity != second.entity:
        name = names.get(str(first.entity), str(first.entity))
    value = amount(Decimal(first.value_text or 0), first.unit or "", language)
    return told(way, language, name=name, value=value)


def uncounted(operation: str, language: Language) -> str:
    """That something was to be computed and was not."""
    named = _operation(operation, language)
    return told("uncounted", language, operation=named.lower() if language == "en" else named)


def _operation(operation: str, language: Language) -> str:
    known = _catalogue().sentences[language]
    return known.get(operation, operation)


def _operands(item: DerivedItem, names: Names, language: Language) -> str:
    """Name the operands by what differs: their periods, else entities, channels or metrics."""
    operands = item.operands
    if item.operation in ("delta", "percent_change") and len(operands) == 2:
        after, before = operands
        if after.period != before.period:
            return told("from_to", language, before=before.period, after=after.period)
    if item.operation == "share" and item.whole:
        return _share(item, names, language)
    if item.operation in ("share_delta", "ratio_delta"):
        return _difference(item, names, language)
    axes = [
        [one.period for one in operands],
        [names.get(one.entity, one.entity) for one in operands],
        [names.get(one.channel, one.channel) for one in operands],
        [names.get(one.metric, one.metric) for one in operands],
    ]
    different = [dict.fromkeys(axis) for axis in axes if len(set(axis)) > 1]
    return say("comma", language).join(different[0] if different else dict.fromkeys(axes[1]))


def _share(item: DerivedItem, names: Names, language: Language) -> str:
    """Name the part and the whole of a share: "Germany in European Union, 2020"."""
    one, *others = (names.get(each.entity, each.entity) for each in item.operands)
    of = ""
    if set(others) <= {one}:
        of = told("of", language, entity=one)
        one, *others = (names.get(each.channel, each.channel) for each in item.operands)
    whole = " + ".join([one, *others] if item.whole == SUM_OF_LISTED else others)
    period = item.operands[0].period
    return told("share_of", language, part=one, whole=whole, of=of, period=period)


def _difference(item: DerivedItem, names: Names, language: Language) -> str:
    """Name the parts of two shares or ratios, and their periods."""
    half = len(item.operands) // 2
    one, other = item.operands[0], item.operands[half]
    by_channel = one.entity == item.operands[1].entity
    told_by = [each.channel if by_channel else each.entity for each in item.operands]
    codes = dict.fromkeys(told_by[: half if one.period != other.period else None])
    period = one.period
    if other.period != one.period:
        period = told("from_to", language, before=other.period, after=one.period)
    of = [names.get(one.entity, one.entity)] if by_channel else []
    return say("comma", language).join([*(names.get(each, each) for each in codes), *of, period])


def _unrecognized(cell: Cell, names: Names, language: Language) -> str:
    """Which argument is not used, and what could be sent instead."""
    offered = [names.get(one.value, one.label) for one in (cell.candidates or ())]
    return refused(language, str(cell.reason), str(cell.raw), str(cell.param), offered)


def refused(
    language: Language, reason: str, raw: str, param: str, offered: Sequence[str] = ()
) -> str:
    """Return which argument is not used and why, and what could be sent instead.

    Args:
        language: the language of the sentence.
        reason: why it is not used, as a tool says it.
        raw: what was sent.
        param: the name of the argument.
        offered: names of what could be sent.
    """
    said = told(reason, language, raw=raw, param=_operation(param, language))
    if offered:
        shown = say("comma", language).join(map(safe_name, offered[:_MOST_CANDIDATES]))
        said += told("offered", language, names=shown)
    return said + told("end", language)
