"""The answer, built from what was found: sentences with value, unit, period and source.

A question for yes or no about a value and a figure, as "was it above 50 million?", is read without
the figure, and the value that is found is held against it.
"""

from __future__ import annotations

import operator
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import cast

from pydantic import JsonValue

from groundwire.agents.metrics_agent.rules import DERIVED_ASKED, LISTS, Names, Plan, names_in
from groundwire.agents.runtime.contract import Evidence, Verdict
from groundwire.language.asking import asked_in
from groundwire.language.detection import small_words
from groundwire.language.sentences import Catalogue, read_catalogue
from groundwire.metrics.derive import SUM_OF_LISTED
from groundwire.metrics.intent.contents import dropped_words, shares_a_view
from groundwire.metrics.intent.shares import asks_which, compares
from groundwire.metrics.premises import Premise, check_premise
from groundwire.metrics.proof import guard, shares_together, value_sentence
from groundwire.metrics.results import Cell, DerivedItem, NotDerivedItem, PassageItem, SourceItem
from groundwire.metrics.table.single import WHOLE
from groundwire.metrics.wording import (
    Language,
    amount,
    formula_in,
    quoted,
    say,
    with_unit_in_chinese,
)
from groundwire.quantities import find_quantities
from groundwire.safe_text import safe_name

_MOST_CANDIDATES = 6
_LONG_NUMBER = re.compile(r"(?<![\d.])\d{4,}(?=\D|$)")


@cache
def _catalogue() -> Catalogue:
    return read_catalogue(files(__package__ or ""))


def told(key: str, language: Language, **parts: str) -> str:
    """Return a sentence of the agent with its gaps filled."""
    return _catalogue().say(key, language, **parts)


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


def most(cells: Sequence[Cell], names: Names, language: Language, question: str) -> str:
    """Tell which of several values is the greatest or least, where a question asks; else ""."""
    held = [one for one in cells if one.status == "found" and one.value_text is not None]
    same = {(one.metric, one.channel, one.unit) for one in held}
    are_alike = 1 < len(held) == len(cells) and len(same) == 1
    way = asks_which(question) if are_alike else ""
    if are_alike and not way and len({one.entity for one in held}) > 1 and compares(question):
        way = "most"
    if not way:
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


_MOST_OPTIONS = 12
_MOST_WORDS = 3
_MOST_BEFORE = 4
_HOLDS: Mapping[str, Callable[[Decimal, Decimal], bool]] = {
    "above": operator.gt,
    "below": operator.lt,
    "least": operator.ge,
    "most": operator.le,
}
# 过亿 says no number of its own.
_SCALE_ALONE = re.compile(r"(?:超过?|突?破|过)了?(?=[万亿])(?!\d)")


@dataclass(frozen=True, slots=True)
class Found:
    """The answers of a run's tools to a question, and the parts of it that have no answer.

    Attributes:
        cells: outcomes of values that the question asks for.
        derived, not_derived: what was computed of them, and what was not.
        passages: quotations, or None where no document was searched.
        empty: what the search said where it found nothing.
        earlier: outcomes of the periods before, which tell whether a premise is so.
        uncompared: whether some of those periods were not looked up.
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
    earlier: tuple[Cell, ...] = ()
    uncompared: bool = False
    lacking: tuple[str, ...] = ()
    uncomputed: tuple[str, ...] = ()
    unsearched: tuple[str, ...] = ()
    more: bool = False

    def untold(self, plan: Plan, language: Language) -> list[str]:
        """Return the parts of a question that were not looked at, one sentence for each kind."""
        said: list[str] = []
        if self.cells and self.lacking:
            said.append(told("lacking", language, names=_listed(self.lacking, language)))
        said += [uncounted(one, language) for one in self.uncomputed]
        if plan.route == "composite" and self.passages is None:
            said.append(told("not_searched", language))
        if self.unsearched:
            said.append(told("unsearched", language, names=_listed(self.unsearched, language)))
        return said


def _listed(names: Iterable[str], language: Language) -> str:
    return say("comma", language).join(names)


def asking(plan: Plan) -> Verdict:
    """A question to the user, or a refusal, with its options."""
    language = asked_in(plan.question)
    labels = [str(one.get("label") or one.get("value")) for one in plan.options[:_MOST_OPTIONS]]
    left = [one for one in labels if one not in plan.asks]
    listed = told("options", language, names=_listed(left, language)) if left else ""
    result = _result(plan, f"{plan.asks} {listed}".strip(), plan.mode, ())
    result["question"] = plan.asks
    if plan.mode == "ask_first":
        result["asked_about"] = plan.question
        if len(plan.not_understood) == 1:
            # The label that the user means takes its place.
            named = [one for one in labels if one in plan.asks]
            result["doubted"] = plan.not_understood[0]
            result |= {"suggested": named[0]} if len(named) == 1 else {}
    return Verdict(result)


def compose(plan: Plan, found: Found, evidence: Evidence) -> dict[str, JsonValue]:
    """The result of a question that was looked up."""
    language = asked_in(evidence.question or plan.question)
    found, absent = _on_the_matter(plan, found, language)
    names = names_in(evidence.of(*LISTS), language, evidence.question or plan.question)
    # What was not looked at comes first: nobody shall take a part for the whole.
    untold = found.untold(plan, language)
    parts = list(untold)
    status = "quoted" if found.passages else "empty"
    if plan.route != "narrative":
        names.setdefault(WHOLE, say("everything", language))
        cells = spoken(found.cells, names, language)
        guarded = guard(cells, language=language, names=names) if cells else None
        status = guarded.verdict if guarded else "refused"
        values = [guarded.text if guarded else say("unproven", language)]
        formulas = [computed(one, names, language) for one in found.derived]
        premise = cast("Premise | None", plan.premise or None)
        checked = check_premise(premise, found.cells, found.earlier, names, language)
        # What is computed of the ends of a long range answers; the values between them show it.
        long = len(cells) > _MOST_BEFORE
        parts += [
            plan.note if cells else "",
            *checked,
            *(formulas + values if long else values + formulas),
        ]
        parts.append(shares_together(found.derived, language))
        # A comparison of times shows the difference; where that is in points, no percent of it.
        plain = bool(found.derived) and compares(plan.question)
        parts += [
            not_computed(one, language)
            for one in found.not_derived
            if not (plain and one.operation == "percent_change")
        ]
        parts.insert(len(untold), held_against(evidence.question, plan.question, found.cells))
        parts.insert(len(untold), most(found.cells, names, language, plan.question))
        if found.more:
            parts.append(told("more", language))
    text = " ".join(filter(None, parts))
    quotations = [
        " ".join((f"“{one.text}” ({one.doc}, {one.locator})", *(one.restated or ())))
        for one in found.passages or ()
    ]
    if quotations and absent:
        words = _listed([quoted(one, language) for one in absent], language)
        untold.append(told("unquoted", language, words=words))
        quotations.insert(0, untold[-1])
    if plan.route == "composite" and found.passages is not None:
        quotations = (
            [told("reasons", language), *quotations]
            if quotations
            else [told("no_reason", language)]
        )
    if plan.route == "narrative" and not quotations:
        quotations = [_nothing(plan, found, evidence, language)]
    text = "\n".join(filter(None, (text, *quotations)))
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
        result[DERIVED_ASKED] = plan.question
        result["derived"] = [one.model_dump(mode="json", include=names) for one in found.derived]
    return result


def _on_the_matter(plan: Plan, found: Found, language: Language) -> tuple[Found, tuple[str, ...]]:
    """Return what was found without passages of something else, and words that no passage has.

    Passages that share only names with a question do not speak of what it asks for.
    """
    same = [one for one in found.passages or () if asked_in(one.text) == language]
    if plan.route != "narrative" or not same:
        return found, ()
    asked = dropped_words(" ".join((*plan.not_understood, *plan.periods)), "")
    asked = tuple(one for one in asked if one.casefold() not in small_words(language))
    said = " ".join(text for one in same for text in (one.text, one.doc, one.locator))
    absent = tuple(one for one in asked if one in dropped_words(" ".join(asked), said))
    is_apart = plan.not_understood and asked and absent == asked
    if is_apart and not shares_a_view(plan.question, said):
        return replace(found, passages=(), empty=say("no_passage", language)), ()
    return found, absent


def _nothing(plan: Plan, found: Found, evidence: Evidence, language: Language) -> str:
    """That nothing was quoted, and what can be asked for instead."""
    said = [found.empty] if found.passages is not None else []
    if not plan.searches:
        said.append(told("small_talk", language))
    held = names_in(evidence.of("list_metrics"), language).values()
    if held:
        shown = list(held)[:_MOST_OPTIONS]
        key = "held" if len(held) == len(shown) else "held_in_part"
        count = str(len(held) - len(shown))
        said.append(told(key, language, names=_listed(shown, language), count=count))
    if found.empty and plan.not_understood:
        words = [quoted(one, language) for one in plan.not_understood[:_MOST_WORDS]]
        said.append(told("left_over", language, words=_listed(words, language)))
    if not said:
        return told("not_searched", language)
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


@dataclass(frozen=True, slots=True)
class Bound:
    """A figure that a question holds a value against.

    Attributes:
        way: above, below, least or most.
        value: the figure.
        unit: its unit, or None.
        said: the words of the question.
        rest: the question without them.
    """

    way: str
    value: Decimal
    unit: str | None
    said: str
    rest: str


def bound_in(question: str) -> Bound | None:
    """Return the one figure that a question for yes or no compares with, or None."""
    text = _SCALE_ALONE.sub("超过1", question.strip())
    if not _asks(text):
        return None
    found: list[Bound] = []
    for one in find_quantities(text):
        first, last = one.span
        before = text[:first].rstrip()
        for way, cue in _cues():
            start = len(before) - len(cue)
            is_apart = start < 1 or not cue.isascii() or not before[start - 1].isalnum()
            if before.casefold().endswith(cue) and is_apart:
                rest = f"{text[:start].rstrip()} {text[last:].lstrip()}".strip()
                found.append(Bound(way, one.value, one.unit, text[start:last], rest))
                break
    return found[0] if len(found) == 1 else None


def held_against(question: str, read: str, cells: Sequence[Cell]) -> str:
    """Return whether a value meets the bound of a question, which was read without it; else "".

    Args:
        question: the question.
        read: the question as it was read.
        cells: what was found.
    """
    bound = bound_in(question)
    if bound is None or bound.rest != read or not cells:
        return ""
    language: Language = asked_in(question)
    found = [one for one in cells if one.status == "found"]
    is_alike = len(cells) == len(found) == 1 and bound.unit in (None, found[0].unit)
    if not is_alike:
        return told("bound_open", language, bound=bound.said)
    holds = _HOLDS[bound.way](Decimal(found[0].value_text or 0), bound.value)
    return told("bound_yes" if holds else "bound_no", language, bound=bound.said)


def _asks(text: str) -> bool:
    first = text.split(maxsplit=1)[:1]
    words = _words()["asks"]
    starts = {one.casefold() for one in first} & {*words["en"], *words["de"]}
    return bool(starts) or text.endswith(tuple(words["zh"]))


@cache
def _cues() -> tuple[tuple[str, str], ...]:
    """Return the ways with their words, the longest first."""
    found = [(way, cue) for way in _HOLDS for cues in _words()[way].values() for cue in cues]
    return tuple(sorted(found, key=lambda one: -len(one[1])))


@cache
def _words() -> Mapping[str, Mapping[str, Sequence[str]]]:
    return tomllib.loads((files(__package__ or "") / "bounds.toml").read_text("utf-8"))
