"""The sentences of answers: what was asked in words, and what was found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from groundwire.ontology.conditions import Filter
from groundwire.ontology.index.model import Path
from groundwire.ontology.plan import Branch, Join, Plan, Test
from groundwire.ontology.results import AssetItem, GapItem
from groundwire.safe_text import safe_name

_MAX_NAMED = 3
_MAX_ROW = 800


def number_of(number: int, one: str, many: str) -> str:
    """A number with its noun: `1 property`, `5,046 values`."""
    return f"{number:,} {one if number == 1 else many}"


def in_a_row(names: Sequence[str], most: int, characters: int = _MAX_ROW) -> str:
    """Names in a row, the first of them where there are many: `a, b and more`.

    Args:
        names: what is listed.
        most: how many names are shown at most.
        characters: how long the row may be; one name is shown however long it is.
    """
    shown: list[str] = []
    for name in map(safe_name, names[:most]):
        characters -= len(name) + 2
        if shown and characters < 0:
            break
        shown.append(name)
    row = ", ".join(shown)
    return f"{row} and more" if len(names) > len(shown) else row


def describe(name: str, wanted: Filter) -> str:
    """A filter in words: `roadTypes any of motorway, rural`."""
    parts: list[str] = []
    for words, values in (
        ("any of", wanted.any_of),
        ("all of", wanted.all_of),
        ("none of", wanted.none_of),
        ("contains", wanted.contains),
    ):
        if values:
            listed = ", ".join(str(value) for value in values)
            parts.append(
                f"= {listed}" if words == "any of" and len(values) == 1 else f"{words} {listed}"
            )
    if wanted.exists is not None:
        parts.append("exists" if wanted.exists else "is absent")
    return f"{name} {' and '.join(parts)}"


def conditions_in_words(plan: Plan) -> str:
    """A plan as one phrase: `hdmap with country = DE and length >= 10`."""
    domains = " or ".join(branch.domain.name for branch in plan.branches)
    return _asset_in_words(domains, plan.branches[0].tests, plan.branches[0].joins)


def _asset_in_words(domain: str, tests: Sequence[Test], joins: Sequence[Join]) -> str:
    parts = [test.in_words for test in tests]
    parts += [_join_in_words(join) for join in joins]
    return f"{domain} with {' and '.join(parts)}" if parts else domain


def _join_in_words(join: Join) -> str:
    """A join as a phrase: `no connected scenario with weather = fog`."""
    asked = _asset_in_words(join.domain.name, join.tests, join.joins)
    way = f" (over {over(join)})" if join.repeated or not join.typed else ""
    article = "no" if join.negated else "a"
    return f"{article} {'connected' if join.typed else 'part'} {asked}{way}"


def over(join: Join) -> str:
    """The paths of a join as people read them, with `+` where they may be taken again."""
    often = "+" if join.repeated else ""
    ways = [path.local() for path in join.paths]
    ways += [f"^({path.local()})" for path in join.inverse_paths]
    return " or ".join(f"({way}){often}" if often and "/" in way else way + often for way in ways)


def of_one_part(plan: Plan) -> str:
    """A sentence that says which conditions one and the same part meets; empty where none does."""
    parts: dict[str, dict[str, None]] = {}
    pending: list[Branch | Join] = [plan.branches[0]]
    for one in pending:
        pending += one.joins
        for test in one.tests:
            if test.part:
                parts.setdefault(Path(test.part).local(), {})[test.name] = None
    return "".join(
        f" {' and '.join(names)} are those of one {part}." for part, names in parts.items()
    )


def applied(plan: Plan) -> dict[str, Any]:
    """Return the search, slot by slot, in the caller's terms after correction."""
    first = plan.branches[0]
    found: dict[str, Any] = {"domains": [branch.domain.name for branch in plan.branches]}
    found |= _applied_asset(first.tests, first.joins)
    if plan.ordering:
        found["sort"] = f"{plan.ordering.name} {'desc' if plan.ordering.descending else 'asc'}"
    if plan.grouping:
        found["count_by"] = plan.grouping.name
    if plan.aggregation:
        found["aggregate"] = {
            "property": plan.aggregation.name,
            "function": plan.aggregation.function,
        }
    return found


def _applied_asset(tests: Iterable[Test], joins: Iterable[Join]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for test in tests:
        kind = "ranges" if test.bounds is not None else "filters"
        condition = test.shown.removeprefix(f"{test.name} ").removeprefix("= ")
        entries = found.setdefault(kind, {})
        entries[test.name] = (
            f"{entries[test.name]} and {condition}" if (test.name in entries) else condition
        )
    references = [
        {
            "domain": join.domain.name,
            **({"none": True} if join.negated else {}),
            **({"over": over(join)} if join.repeated else {}),
            **_applied_asset(join.tests, join.joins),
        }
        for join in joins
    ]
    return found | ({"references": references} if references else {})


def counted(total: tuple[int, bool] | None, noun: str) -> str:
    """Say `12 hdmap assets`, `1 hdmap asset`, `at least 5,000 hdmap assets`."""
    if total is None:
        return f"more {noun} assets"
    number, exact = total
    plural = "" if number == 1 and exact else "s"
    return f"{'' if exact else 'at least '}{number:,} {noun} asset{plural}"


def found_answer(
    plan: Plan, total: tuple[int, bool] | None, offset: int, items: Sequence[AssetItem]
) -> str:
    """One sentence that says how many assets match and names the first of them."""
    noun = " or ".join(branch.domain.name for branch in plan.branches)
    asked = conditions_in_words(plan).removeprefix(noun)
    names = [
        f'"{safe_name(item.label)}"' if item.label else item.iri for item in items[:_MAX_NAMED]
    ]
    is_more = len(items) > len(names) or (total is not None and total[0] > offset + len(items))
    listed = ", ".join(names) + (" and more" if is_more else "")
    if offset:
        if not items:
            return f"There are no {noun} assets{asked} beyond the first {offset:,}."
        return f"Assets {offset + 1:,} to {offset + len(items):,} of {noun}{asked}: {listed}."
    verb = "matches" if total == (1, True) else "match"
    text = f"{counted(total, noun)} {verb}{asked and ' ' + asked.strip()}: {listed}."
    return text[0].upper() + text[1:]


def rejected_answer(gaps: Sequence[GapItem]) -> str:
    """One sentence that names the first gap and what to send instead."""
    first = gaps[0]
    text = f"Not searched: {first.detail or first.term}"
    if first.suggestions:
        text += f"; send one of: {in_a_row(first.suggestions[:5], 5)}"
    if len(gaps) > 1:
        text += f" (and {number_of(len(gaps) - 1, 'more gap', 'more gaps')})"
    return text + "."
