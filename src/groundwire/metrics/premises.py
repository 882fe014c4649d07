"""Whether what a question takes for granted of its values is so: "why did revenue fall".

A premise that the figures deny is corrected with both of them; one that they bear out is not
mentioned; one that cannot be compared, because a figure is not held, is said to be unchecked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Literal, NamedTuple

from groundwire.metrics.intent.premises import Premise
from groundwire.metrics.intent.wording import Language
from groundwire.metrics.results import Cell
from groundwire.metrics.terms import TOTAL
from groundwire.metrics.wording import grouped, with_unit, with_unit_in_chinese

_YEAR = re.compile(r"(FY)?(\d{4})(?:(Q|H|-)(\d{1,2}))?")
_PARTS = {"Q": 4, "H": 2, "-": 12}

Names = Mapping[str, str]


class _Said(NamedTuple):
    """The sentences of one language, for one way."""

    not_so: str
    instead: str
    unchanged: str
    unchecked: str


_TIME: dict[Language, dict[str, _Said]] = {
    "en": {
        "fall": _Said(
            "{what} did not fall in {period}: it {instead}.",
            "rose, in {earlier} it was {before}, in {period} it was {after}",
            "was {after}, as in {earlier}",
            "Whether {what} fell{then} is not checked: no figure to compare it with was found.",
        ),
        "rise": _Said(
            "{what} did not rise in {period}: it {instead}.",
            "fell, in {earlier} it was {before}, in {period} it was {after}",
            "was {after}, as in {earlier}",
            "Whether {what} rose{then} is not checked: no figure to compare it with was found.",
        ),
    },
    "zh": {
        "fall": _Said(
            "{period} {what}并未下降: {instead}。",
            "{earlier} 为 {before}，{period} 为 {after}，有所上升",
            "{earlier} 与 {period} 均为 {after}",
            "{what}{then}是否下降未经核实: 没有可供比较的数据。",
        ),
        "rise": _Said(
            "{period} {what}并未上升: {instead}。",
            "{earlier} 为 {before}，{period} 为 {after}，有所下降",
            "{earlier} 与 {period} 均为 {after}",
            "{what}{then}是否上升未经核实: 没有可供比较的数据。",
        ),
    },
}
_COMPARED: dict[Language, dict[str, tuple[str, str]]] = {
    "en": {
        "higher": ("{one} is lower than {other}, not higher: {first} against {second}.", "higher"),
        "lower": ("{one} is higher than {other}, not lower: {first} against {second}.", "lower"),
    },
    "zh": {
        "higher": ("{one}低于而非高于{other}: 前者为 {first}, 后者为 {second}。", "高"),
        "lower": ("{one}高于而非低于{other}: 前者为 {first}, 后者为 {second}。", "低"),
    },
}
_ALIKE: dict[Language, str] = {
    "en": "{one} and {other} do not differ: both are {first}.",
    "zh": "{one}与{other}并无差别: 均为 {first}。",
}
_COMPARED_UNCHECKED: dict[Language, str] = {
    "en": "Which of the two is {more} is not checked: not both figures are held.",
    "zh": "两者何者更{more}未经核实: 数据不全。",
}


def earlier_periods(label: str) -> tuple[str, ...]:
    """Labels of the periods that a change in one is told from.

    For a year the year before; for a part of a year the part before and that of the year before.
    """
    match = _YEAR.fullmatch(label)
    if match is None:
        return ()
    fiscal, year, mark, number = match[1] or "", int(match[2]), match[3], match[4]
    if mark is None:
        return (f"{fiscal}{year - 1:04d}",)
    width, count = len(number), int(number)
    before = (year, count - 1) if count > 1 else (year - 1, _PARTS[mark])
    places = dict.fromkeys((before, (year - 1, count)))
    return tuple(f"{fiscal}{one:04d}{mark}{part:0{width}d}" for one, part in places)


def compared_with(premise: Premise | None, periods: Sequence[str]) -> tuple[str, ...]:
    """Labels of the earlier periods that must be looked up to check a premise."""
    if premise not in ("rise", "fall") or len(periods) != 1:
        return ()
    return earlier_periods(periods[0])


def check_premise(
    premise: Premise | None,
    cells: Sequence[Cell],
    earlier: Iterable[Cell],
    names: Names,
    language: Language,
) -> list[str]:
    """Say where the figures deny what a question takes for granted, or cannot tell.

    Args:
        premise: what it takes for granted, or None.
        cells: the outcomes of what was asked for, in its order.
        earlier: outcomes for the periods before, in the order of `compared_with`.
        names: names for people of codes.
        language: of the sentences.
    """
    if premise is None or not cells:
        return []
    if premise in ("rise", "fall"):
        return list(dict.fromkeys(_over_time(premise, cells, list(earlier), names, language)))
    return _beside(premise, cells, names, language)


def _over_time(
    premise: Literal["rise", "fall"],
    cells: Sequence[Cell],
    earlier: Sequence[Cell],
    names: Names,
    language: Language,
) -> Iterator[str]:
    series: dict[tuple[str, ...], list[Cell]] = {}
    for cell in cells:
        if cell.status != "unrecognized_param":
            series.setdefault(_series(cell), []).append(cell)
    before: dict[tuple[str, ...], list[Cell]] = {}
    for cell in earlier:
        if cell.status == "found":
            before.setdefault(_series(cell), []).append(cell)
    said = _TIME[language][premise]
    for key, own in series.items():
        found = sorted((one for one in own if one.status == "found"), key=_end)
        of = found[:1] if len(found) > 1 else before.get(key, [])
        of = [one for one in of if found and one.unit == found[-1].unit]
        what = _what(own[0], names, language)
        if not found or not of:
            # A refusal holds no figure, and so no period either.
            then = "" if not found else _then(found[-1], language)
            yield said.unchecked.format(what=what, then=then)
            continue
        wanted = 1 if premise == "rise" else -1
        if not any(_way(one, found[-1]) == wanted for one in of):
            yield _corrected(said, what, of[0], found[-1], language)


def _corrected(said: _Said, what: str, one: Cell, last: Cell, language: Language) -> str:
    form = said.instead if _way(one, last) else said.unchanged
    instead = form.format(
        before=_value(one, language),
        earlier=one.period,
        after=_value(last, language),
        period=last.period,
    )
    return said.not_so.format(what=what, period=last.period, instead=instead)


def _beside(
    premise: Literal["higher", "lower"], cells: Sequence[Cell], names: Names, language: Language
) -> list[str]:
    """Whether the first that is named is more, or less, than the second."""
    if len(cells) != 2:
        return []
    form, more = _COMPARED[language][premise]
    first, second = cells
    if first.status != "found" or second.status != "found" or first.unit != second.unit:
        return [_COMPARED_UNCHECKED[language].format(more=more)]
    way = _way(second, first)
    if way == (1 if premise == "higher" else -1):
        return []
    form = form if way else _ALIKE[language]
    told = [
        f"{_what(one, names, language)} {one.period}"
        if language == "zh"
        else f"{_what(one, names, language)} in {one.period}"
        for one in cells
    ]
    return [
        form.format(
            one=told[0],
            other=told[1],
            first=_value(first, language),
            second=_value(second, language),
        )
    ]


def _series(cell: Cell) -> tuple[str, ...]:
    if cell.status == "found":
        return (str(cell.metric), str(cell.entity), str(cell.channel))
    named = cell.normalized or {}
    return (named.get("metric", ""), named.get("entity", ""), named.get("channel", TOTAL))


def _end(cell: Cell) -> str:
    return cell.interval.end if cell.interval else ""


def _way(one: Cell, other: Cell) -> int:
    """1 where a value rises to the other, -1 where it falls, else 0."""
    change = Decimal(other.value_text or 0) - Decimal(one.value_text or 0)
    return (change > 0) - (change < 0)


def _value(cell: Cell, language: Language) -> str:
    write = with_unit_in_chinese if language == "zh" else with_unit
    return write(grouped(Decimal(cell.value_text or 0)), cell.unit or "")


def _what(cell: Cell, names: Names, language: Language) -> str:
    metric, entity, channel = (names.get(one, one) for one in _series(cell))
    part = channel if _series(cell)[2] != TOTAL else ""
    if language == "zh":
        return f"{entity}{metric}{f'（{part}）' if part else ''}"
    return f"{metric}{f' ({part})' if part else ''} of {entity}"


def _then(cell: Cell, language: Language) -> str:
    return f"在{cell.period}" if language == "zh" else f" in {cell.period}"
