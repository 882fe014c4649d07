"""Aggregates of a numeric property over the assets that match: least, greatest, mean and sum.

The engine adds exact decimals, each statement once, however many conditions lead to it. Numbers of
several units are never put together, and how many assets have a number, and how many have none, is
part of the answer.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from decimal import Context, Decimal, Inexact, InvalidOperation
from functools import cache
from pathlib import Path as File
from typing import Annotated, Any, NamedTuple, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator

from groundwire.graph.terms import XSD, Term, iri_n3
from groundwire.ontology.catalogue import State
from groundwire.ontology.compile import aggregate_query, units_query
from groundwire.ontology.conditions import MAX_TEXT, is_blank, operator_key, unpack
from groundwire.ontology.index.constraints import NUMBERS
from groundwire.ontology.index.model import Property
from groundwire.ontology.index.units import unit_called, unit_in
from groundwire.ontology.lexicon import Match
from groundwire.ontology.pages import conditions_in_words, in_a_row
from groundwire.ontology.plan import Aggregation, Branch, Plan
from groundwire.ontology.references import Context as Submission
from groundwire.ontology.results import AggregateItem, CountItem
from groundwire.ontology.statements import names_of_values, property_of
from groundwire.vocabulary import KnownWords, Policy, Vocabulary, fold
from groundwire.vocabulary import Term as Word

_TIMEOUT = 15.0
_MOST_UNITS = 6
# A mean that does not end is given with so many significant digits.
_DIGITS = 10
_CALL = re.compile(r"([^()]{1,500})\(([^()]{1,500})\)\s{0,8}")
_EXACT_TYPES = frozenset(name for name in NUMBERS if not name.endswith(("float", "double")))


@cache
def _words() -> Mapping[str, Any]:
    return tomllib.loads(File(__file__).with_suffix(".toml").read_text("utf-8"))


def function_names(function: str) -> tuple[str, ...]:
    """Return what sentences call a function, the name in answers first."""
    return (_words()["spoken"][function], function, *_words()["functions"][function])


def compound_names(function: str, nouns: Sequence[str]) -> list[str]:
    """Return what German sentences call a function of a property, by its nouns: `Gesamtlänge`."""
    return [
        f"{start}{noun.lower()}"
        for noun in nouns
        if noun.isalpha() and noun.istitle()
        for start in _words()["compounds"][function]
    ]


@cache
def _functions() -> Vocabulary:
    functions = cast("dict[str, list[str]]", _words()["functions"])
    terms = [Word(name, name, tuple(synonyms)) for name, synonyms in functions.items()]
    return Vocabulary(terms, KnownWords())


# The argument


class Aggregate(BaseModel):
    """A function of a property's numbers, as the caller sent it."""

    model_config = ConfigDict(extra="forbid")

    property: str = Field(min_length=1, max_length=MAX_TEXT)
    function: str = Field(min_length=1, max_length=MAX_TEXT)

    @model_validator(mode="before")
    @classmethod
    def _spelled_otherwise(cls, raw: object) -> object:
        """Read `mean(length)`, `mean of length`, {"mean": "length"} and other names of the keys."""
        value = unpack(raw)
        if isinstance(value, str):
            call = _CALL.fullmatch(value)
            function, _, name = value.strip().partition(" ")
            if call is not None:
                function, name = call[1].strip(), call[2]
            return {"function": function, "property": name.strip().removeprefix("of ").strip()}
        if not isinstance(value, Mapping):
            return raw
        entries = cast("Mapping[str, object]", value)
        words = cast("dict[str, list[str]]", _words()["keys"])
        keys = {operator_key(word): key for key, several in words.items() for word in several}
        found = {keys.get(operator_key(name), name): content for name, content in entries.items()}
        if len(entries) == 1 and not found.keys() & {"property", "function"}:
            ((function, name),) = entries.items()
            return {"function": function, "property": name}
        return found


def _none_if_blank(raw: object) -> object:
    value = unpack(raw)
    return None if is_blank(value) or (isinstance(value, str) and not value.strip()) else value


AggregateArgument = Annotated[
    Aggregate | None,
    BeforeValidator(_none_if_blank),
    WithJsonSchema(
        {
            "type": "object",
            "properties": {
                "property": {"type": "string"},
                "function": {"type": "string", "enum": ["min", "max", "mean", "sum"]},
            },
        }
    ),
]


# Resolution


async def resolve_aggregate(
    sent: Aggregate, matches: Sequence[Match], branches: Sequence[Branch], submission: Submission
) -> Aggregation | None:
    """Return what is computed of a property that was found in every branch, or None after a gap.

    Args:
        sent: the argument.
        matches: the property in each branch, in their order.
        branches: of the plan.
        submission: collects corrections and gaps.
    """
    findings = submission.findings
    named = _functions().resolve(sent.function, Policy.WORDWISE)
    if named.term is None:
        listed = in_a_row(list(_words()["functions"]), 4)
        near = [one.term.id for one in named.candidates] if named.how == "ambiguous" else []
        findings.gap(
            "aggregate.function",
            sent.function,
            "unsupported",
            f"{sent.function!r} cannot be computed: only {listed}",
            near,
        )
        return None
    function = named.term.id
    findings.term("aggregate.function", sent.function, function, named)
    first = matches[0]
    name = first.name or submission.lexicon.key_of(first.domain, first.prop)
    native = True
    for match in matches:
        is_numeric, exact = await _numbers(submission, match.prop)
        native = native and exact
        if not is_numeric:
            hint = f'; sort="{name}" shows the first or the last' if _is_dated(match.prop) else ""
            findings.gap(
                "aggregate.property",
                sent.property,
                "unsupported",
                f"{name} of {match.domain.name} holds no numbers, so it has no {function}{hint}",
                [
                    submission.lexicon.key_of(match.domain, prop)
                    for key in submission.keys.suggestions(sent.property, [match.domain])
                    for near in submission.keys.matches(key, [match.domain])[:1]
                    if (prop := near.prop) and NUMBERS.intersection(prop.datatypes)
                ],
            )
            return None
    units = {match.domain.name: match.prop.unit for match in matches}
    if len(set(units.values())) > 1:
        told = ", ".join(f"{kind}: {unit or 'none stated'}" for kind, unit in units.items())
        findings.gap(
            "aggregate.property",
            sent.property,
            "limitation",
            f"{name} has several units ({told}), and their numbers are not put together: ask for "
            "one kind at a time",
            [f'domains=["{kind}"]' for kind in units],
        )
        return None
    stated = {
        unit for text in first.prop.descriptions if (unit := unit_in((text.value,))) is not None
    }
    if first.prop.unit is None and len(stated) > 1 and len(first.paths) > 1:
        findings.gap(
            "aggregate.property",
            sent.property,
            "limitation",
            f"{name} is declared in several units ({', '.join(sorted(stated))}) at several places, "
            "and their numbers are not put together: send one of its paths",
            ["/".join(path.local().split("/")[-2:]) for path in first.paths],
        )
        return None
    paths = tuple(match.paths for match in matches)
    return Aggregation(name, function, paths, first.prop.unit, cast=not native)


async def _numbers(submission: Submission, prop: Property) -> tuple[bool, bool]:
    """Whether a property holds numbers, and whether all of them have an exact datatype."""
    declared = bool(NUMBERS.intersection(prop.datatypes))
    if not submission.lexicon.observed.counted:
        return declared or not prop.datatypes, False
    stored = (await submission.lexicon.observed.values(prop.iri)).datatypes
    is_numeric = bool(NUMBERS.intersection(stored)) or (declared and XSD + "boolean" not in stored)
    return is_numeric, bool(stored) and _EXACT_TYPES.issuperset(stored)


def _is_dated(prop: Property) -> bool:
    return any(name.startswith((XSD + "date", XSD + "gYear")) for name in prop.datatypes)


# Computation


class Measured(NamedTuple):
    """The results of an aggregate.

    Attributes:
        items: one, or one for each group that has a number, by the term of the group.
        units: the units that the numbers state beside themselves, more than one where they cannot
            be put together.
        query: what was run.
    """

    items: Mapping[Term | None, AggregateItem]
    units: tuple[str, ...]
    query: str


async def measure(state: State, plan: Plan, groups: Sequence[Term] = ()) -> Measured:
    """Compute the aggregate of a plan, for some groups where it is grouped.

    Raises:
        DeadlineError: it took too long.
    """
    asked = plan.aggregation
    assert asked is not None
    query = aggregate_query(plan, known=state.observed, groups=groups)
    predicates = await _unit_predicates(state, plan)
    units: tuple[str, ...] = ()
    unit = asked.unit
    if predicates:
        rows = await state.graph.select(
            units_query(plan, predicates, limit=_MOST_UNITS, known=state.observed),
            timeout=_TIMEOUT,
        )
        shown = state.lexicon.shown
        units = tuple("none" if row[0] is None else shown(row[0]) for row in rows.rows)
        if len(units) > 1:
            return Measured({}, units, str(query))
        stated = rows.rows[0][0] if rows.rows else None
        if stated is not None:
            unit = unit_called(stated.value) or state.lexicon.shown(stated)
    rows = await state.graph.select(query, timeout=_TIMEOUT)
    items: dict[Term | None, AggregateItem] = {}
    for row in rows.rows:
        *group, result, values, assets = row
        found = _item(asked, unit, result, values, assets)
        items[group[0] if group else None] = found
    return Measured(items, units, str(query))


async def _unit_predicates(state: State, plan: Plan) -> list[str]:
    """Stored predicates that may state the unit of a number beside it."""
    found: dict[str, None] = {}
    for branch in plan.branches:
        for name in _words()["units"]["predicates"]:
            named = await state.observed.named(fold(name), branch.domain)
            found |= dict.fromkeys(named)
    return [iri_n3(iri) for iri in found]


def _item(
    asked: Aggregation,
    unit: str | None,
    result: Term | None,
    values: Term | None,
    assets: Term | None,
) -> AggregateItem:
    count = 0 if values is None else int(values.value)
    text, rounded = None, None
    if count and result is not None:
        text, rounded = _exact(asked.function, result.value, count)
    return AggregateItem(
        property=asked.name,
        function=asked.function,
        value=text,
        unit=unit,
        is_rounded=rounded or None,
        values=count,
        assets_with_value=0 if assets is None else int(assets.value),
    )


def _exact(function: str, text: str, count: int) -> tuple[str | None, bool]:
    """The result as a plain decimal, and whether it had to be rounded."""
    try:
        number = Decimal(text)
        if not number.is_finite():
            return None, False
        if function == "mean":
            exact = Context(prec=40)
            number = exact.divide(number, Decimal(count))
            if exact.flags[Inexact]:
                return plain(Context(prec=_DIGITS).plus(number)), True
        return plain(number), False
    except InvalidOperation:
        return None, False


def plain(number: Decimal) -> str:
    """A number without exponent and without zeros at its end: `12.5`, `300`."""
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def unmeasured(plan: Plan) -> AggregateItem:
    """The aggregate where no asset has a number, or where each group has its own."""
    asked = plan.aggregation
    assert asked is not None
    return AggregateItem(property=asked.name, function=asked.function, unit=asked.unit)


def whole_of_groups(plan: Plan, measured: Measured) -> AggregateItem:
    """Return the aggregate without numbers, since each group has its own."""
    unit = next((item.unit for item in measured.items.values()), None)
    item = unmeasured(plan)
    own = {"unit": unit or item.unit, "values": None, "assets_with_value": None}
    return item.model_copy(update=own)


async def counted_values(
    state: State, plan: Plan, rows: Sequence[Sequence[Term | None]]
) -> list[CountItem]:
    """Return how many assets hold each value that was counted by; an IRI also has its name."""
    assert plan.grouping is not None
    domain = plan.branches[0].domain
    prop = property_of(state, domain, plan.grouping.name)
    names = await names_of_values(state, domain, prop) if prop else None
    counts: list[CountItem] = []
    for value, number in rows:
        if value is not None and number is not None:
            shown = state.lexicon.shown(value)
            said = names.said(value.value) if names and value.kind == "iri" else shown
            label = None if said in (shown, value.value) else said
            counts.append(CountItem(value=shown, label=label, count=int(number.value)))
    return counts


def with_aggregate(group: CountItem, item: AggregateItem | None) -> CountItem:
    """A group with its number."""
    return group.model_copy(
        update={
            "aggregate": item.value if item else None,
            "is_rounded": item.is_rounded if item else None,
            "values": item.values if item else 0,
            "assets_with_value": item.assets_with_value if item else 0,
        }
    )


# Sentences


def aggregate_answer(plan: Plan, item: AggregateItem, total: tuple[int, bool] | None) -> str:
    """One sentence that says the number, of which assets, and how many have none."""
    noun = " or ".join(branch.domain.name for branch in plan.branches)
    kinds = f"{noun} assets{conditions_in_words(plan).removeprefix(noun)}"
    called = f"{_words()['spoken'][item.function]} {item.property}"
    if item.value is None:
        if not item.values:
            return f"None of the {kinds} has a number of {item.property}."
        return f"The {called} of {kinds} cannot be computed exactly."
    number = shown_number(item.value, item.unit)
    about = "about " if item.is_rounded else ""
    return f"The {called} of {kinds} is {about}{number}.{coverage(item, total)}"


def coverage(item: AggregateItem, total: tuple[int, bool] | None) -> str:
    """How many assets have a number and how many have none, as a sentence."""
    having, values = item.assets_with_value or 0, item.values or 0
    one = having == 1
    text = f" {having:,} matching asset{'' if one else 's'} "
    text += f"{'has' if one else 'have'} a {item.property}"
    if total is not None and total[1]:
        without = total[0] - having
        text += f", {without:,} {'has' if without == 1 else 'have'} none" if without else ""
    elif total is not None:
        text += f", of at least {total[0]:,} that match"
    if values > having:
        text += f"; some have several, so {values:,} values count"
    return text + "."


def shown_number(value: str, unit: str | None) -> str:
    """A number with its unit: `1,234.5 km`."""
    return f"{Decimal(value):,f}{f' {unit}' if unit else ''}"


def groups_answer(plan: Plan, counts: Sequence[CountItem], item: AggregateItem) -> str:
    """One sentence that says the number of each of the first groups."""
    assert plan.grouping is not None
    called = f"{_words()['spoken'][item.function]} {item.property}"
    told = [
        f"{one.label or one.value}: "
        + (
            f"{shown_number(one.aggregate, item.unit)} ({one.assets_with_value:,} of {one.count:,})"
            if one.aggregate is not None
            else f"no number (0 of {one.count:,})"
        )
        for one in counts
    ]
    several = " Some assets have several values, and each counts." if _several(counts) else ""
    return (
        f"{called[0].upper()}{called[1:]} by {plan.grouping.name}, with how many assets have one: "
        f"{in_a_row(told, 5)}.{several}"
    )


def _several(counts: Sequence[CountItem]) -> bool:
    return any((one.values or 0) > (one.assets_with_value or 0) for one in counts)


def no_one_unit(name: str, units: Sequence[str]) -> str:
    """Why numbers of several units are not put together."""
    return (
        f"{name} of the matching assets is stored in several units ({in_a_row(units, 5)}), and "
        "their numbers are not put together: add a condition that leaves one unit"
    )
