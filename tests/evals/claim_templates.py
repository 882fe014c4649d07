"""Whether verify_answer tells true from false in some 4,500 drafts made by template.

Facts are read from the answers of all worlds of `claim_check/`; a true draft tells one, a false
draft tells it with one slot changed: a narrowed entity, a qualified metric, an invented source, a
swapped line. Of the wordings of each template half are seen, half held out. Run:
python tests/evals/claim_templates.py [--half seen|held_out|all] [--language en|de|zh|all] [--show]
    [--only "CLASS"] [--fraction 0.1] [--seed 7] [--update]
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import combinations
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.evals.claim_check_drafts import LANGUAGES, Draft, Truth  # noqa: E402
from tests.evals.claim_check_worlds import House, worlds_of_templates  # noqa: E402
from tests.evals.claim_facts import (  # noqa: E402
    Attribute,
    Fact,
    Figure,
    Plan,
    Relation,
    Scope,
    Step,
    facts_of,
)
from tests.evals.claim_runs import run  # noqa: E402
from tests.evals.claim_wording import (  # noqa: E402
    TEMPLATES,
    WORDS,
    Slots,
    company_or_country,
    conditions_otherwise,
    figure_of,
    has_words,
    leg_of,
    other,
    period_of,
    qualified,
    scope_of,
    sentences,
    trip_of,
)

# The choice of drafts is fixed, so that a half held out stays held out; --seed draws a fraction.
SEED = 20261123
EACH_FALSE, EACH_TRUE = 44, 56
# A figure told by a false draft is at least this far from every recorded one of the same key.
FAR = Decimal("0.05")
_CURRENCIES = {"CNY": ("USD", "EUR", "JPY", "HKD"), "USD": ("EUR", "CNY", "JPY", "GBP")}
_SAME_UNIT = (
    ("REVENUE", "NET_PROFIT", "CASH"),
    ("GROSS_MARGIN", "ROE"),
)


@dataclass(frozen=True, slots=True)
class Told:
    """Slots that tell something about a world, and the template that takes them."""

    world: str
    template: str
    slots: Slots


Maker = Callable[["Facts", str], Iterator[Told]]


class Facts:
    """The facts of all worlds, by kind."""

    def __init__(self, facts: Sequence[Fact]) -> None:
        self.figures = [one for one in facts if isinstance(one, Figure)]
        self.scopes = [one for one in facts if isinstance(one, Scope)]
        self.attributes = [
            one for one in facts if isinstance(one, Attribute) and one.name in WORDS["properties"]
        ]
        self.plans = [one for one in facts if isinstance(one, Plan)]
        self.relations = [one for one in facts if isinstance(one, Relation)]
        self.steps = [one for one in facts if isinstance(one, Step)]

    def apart(self, figure: Figure) -> bool:
        """Return whether no recorded figure of its key is near to this one."""
        same = [
            one.value
            for one in self.figures
            if (one.metric, one.period) == (figure.metric, figure.period)
            and _code(one.entity) == _code(figure.entity)
        ]
        return all(abs(one - figure.value) > FAR * abs(one) for one in same)

    def single(self) -> list[Figure]:
        """The figures of which no other value is held of the same key in their world."""
        keys = [(one.world, one.metric, one.entity, one.period) for one in self.figures]
        return [one for one, key in zip(self.figures, keys, strict=True) if keys.count(key) == 1]

    def may_ride(self, world: str, line: str) -> bool:
        """Return whether another plan of the world rides this line: it may ride the same way."""
        return any(line in lines for lines in self._other_lines(world))

    def rides(self, world: str, first: str, then: str) -> bool:
        """Return whether another plan of the world rides one line before the other."""
        return any(
            first in lines and then in lines[lines.index(first) :]
            for lines in self._other_lines(world)
        )

    def _other_lines(self, world: str) -> list[tuple[str, ...]]:
        return [one[2] for plan in self.plans if plan.world == world for one in plan.others]


def _code(entity: str) -> str:
    return WORDS["codes"].get(entity, entity)


# --- true drafts


def plain_figure(facts: Facts, language: str) -> Iterator[Told]:
    for one in facts.single():
        yield Told(one.world, "figure", figure_of(one, language))


def rounded_figure(facts: Facts, language: str) -> Iterator[Told]:
    for one in facts.single():
        if abs(one.value) >= 1_000_000:
            yield Told(one.world, "figure", figure_of(one, language, rounded=True))


def source_as_recorded(facts: Facts, language: str) -> Iterator[Told]:
    for one in facts.single():
        if one.publisher == "World Bank":
            source = WORDS["sources"]["World Bank"][language]
            yield Told(one.world, "sourced", {**figure_of(one, language), "source": source})


def right_comparison(facts: Facts, language: str) -> Iterator[Told]:
    for low, high in _pairs_of_entities(facts):
        slots = {**figure_of(high, language), **other(figure_of(low, language))}
        yield Told(high.world, "higher", slots)


def right_direction(facts: Facts, language: str) -> Iterator[Told]:
    yield from _changes(facts, language, right=True)


def right_set(facts: Facts, language: str) -> Iterator[Told]:
    for one in facts.scopes:
        slots = scope_of(one, language)
        if slots is not None and one.total > 1:
            yield Told(one.world, "scope", slots)


def right_attribute(facts: Facts, language: str) -> Iterator[Told]:
    for one in facts.attributes:
        yield Told(one.world, "attribute", _attribute(one, one.value, language))


def right_ride(facts: Facts, language: str) -> Iterator[Told]:
    for plan in facts.plans:
        for leg in plan.legs:
            yield Told(plan.world, "leg", leg_of(leg))
            if " or " not in leg.towards:
                yield Told(plan.world, "towards", leg_of(leg))


def right_order(facts: Facts, language: str) -> Iterator[Told]:
    for plan in facts.plans:
        for one, after in zip(plan.legs, plan.legs[1:], strict=False):
            yield Told(plan.world, "order", {**leg_of(one), "next_line": leg_of(after)["line"]})


def right_trip(facts: Facts, language: str) -> Iterator[Told]:
    for plan in facts.plans:
        if plan.minutes:
            yield Told(plan.world, "trip", trip_of(plan, language))


def right_relation(facts: Facts, language: str) -> Iterator[Told]:
    for one in facts.relations:
        slots = {"subject": one.subject, "object": one.object}
        yield Told(one.world, one.relation, slots)


def right_step(facts: Facts, language: str) -> Iterator[Told]:
    for one in facts.steps:
        yield Told(one.world, "step", _step(one, one.number))


# --- false drafts


def narrowed_entity(facts: Facts, language: str) -> Iterator[Told]:
    for one in facts.figures:
        for at in range(5):
            for rounded in (False, True):
                slots = figure_of(one, language, narrowing=at, rounded=rounded)
                yield Told(one.world, "figure", slots)


def qualified_metric(facts: Facts, language: str) -> Iterator[Told]:
    for one in facts.figures:
        if one.metric in WORDS["qualified"]:
            for metric in qualified(one.metric, language):
                yield Told(one.world, "figure", {**figure_of(one, language), **metric})


def other_metric(facts: Facts, language: str) -> Iterator[Told]:
    for one in facts.figures:
        for group in _SAME_UNIT:
            for metric in group:
                changed = replace(one, metric=metric)
                if one.metric in group and metric != one.metric and facts.apart(changed):
                    yield Told(one.world, "figure", figure_of(changed, language))


def invented_source(facts: Facts, language: str) -> Iterator[Told]:
    for one in facts.figures:
        for source in WORDS["sources"][language]:
            yield Told(one.world, "sourced", {**figure_of(one, language), "source": source})


def quarter_of_a_year(facts: Facts, language: str) -> Iterator[Told]:
    for one in facts.figures:
        if "Q" not in one.period:
            slots = {**figure_of(one, language), **period_of(one.period, language, "1")}
            yield Told(one.world, "figure", slots)


def changed_number(facts: Facts, language: str) -> Iterator[Told]:
    for one in facts.figures:
        for factor in ("1.1", "0.9", "1.27", "0.73", "10", "0.1", "1000", "0.001"):
            value = (one.value * Decimal(factor)).quantize(Decimal("0.1"))
            changed = replace(one, value=value)
            if value and facts.apart(changed):
                for rounded in (False, True):
                    yield Told(one.world, "figure", figure_of(changed, language, rounded=rounded))


def changed_year(facts: Facts, language: str) -> Iterator[Told]:
    for one in facts.figures:
        year = one.period.removeprefix("FY")[:4]
        for shift in (-7, -2, -1, 1, 3):
            changed = replace(one, period=one.period.replace(year, str(int(year) + shift)))
            if facts.apart(changed):
                yield Told(one.world, "figure", figure_of(changed, language))


def changed_entity(facts: Facts, language: str) -> Iterator[Told]:
    for one in facts.figures:
        for entity in WORDS["entities"]:
            changed = replace(one, entity=entity)
            same = company_or_country(entity) == company_or_country(_code(one.entity))
            if same and entity != _code(one.entity) and facts.apart(changed):
                yield Told(one.world, "figure", figure_of(changed, language))


def changed_sign(facts: Facts, language: str) -> Iterator[Told]:
    for one in facts.figures:
        if one.unit in ("CNY", "%"):
            for rounded in (False, True):
                slots = figure_of(one, language, value=-one.value, rounded=rounded)
                yield Told(one.world, "figure", slots)


def changed_currency(facts: Facts, language: str) -> Iterator[Told]:
    for one in facts.figures:
        for unit in _CURRENCIES.get(one.unit, ()):
            for rounded in (False, True):
                slots = figure_of(one, language, unit=unit, rounded=rounded)
                yield Told(one.world, "figure", slots)


def digit_of_a_locator(facts: Facts, language: str) -> Iterator[Told]:
    for one in facts.figures:
        if one.row is not None and facts.apart(replace(one, value=Decimal(one.row))):
            yield Told(one.world, "figure", figure_of(one, language, value=Decimal(one.row)))


def wrong_comparison(facts: Facts, language: str) -> Iterator[Told]:
    for low, high in _pairs_of_entities(facts):
        slots = {**figure_of(low, language), **other(figure_of(high, language))}
        yield Told(low.world, "higher", slots)


def wrong_direction(facts: Facts, language: str) -> Iterator[Told]:
    yield from _changes(facts, language, right=False)


def swapped_attribute_of_a_set(facts: Facts, language: str) -> Iterator[Told]:
    for one in facts.scopes:
        for conditions in conditions_otherwise(one):
            slots = scope_of(one, language, conditions=conditions)
            counted = [
                them
                for them in facts.scopes
                if (them.kind, set(them.conditions)) == (one.kind, set(conditions))
            ]
            if slots is not None and all(them.total != one.total for them in counted):
                yield Told(one.world, "scope", slots)


def narrowed_set(facts: Facts, language: str) -> Iterator[Told]:
    for one in facts.scopes:
        for more in WORDS["unknown_conditions"][language]:
            slots = scope_of(one, language, more=more)
            if slots is not None:
                yield Told(one.world, "scope", slots)


def changed_count(facts: Facts, language: str) -> Iterator[Told]:
    for one in facts.scopes:
        for total in (one.total + 3, one.total * 10, one.total * 2 + 1):
            slots = scope_of(one, language, total=total)
            if slots is not None:
                yield Told(one.world, "scope", slots)


def wrong_quantifier(facts: Facts, language: str) -> Iterator[Told]:
    for one in facts.scopes:
        slots = scope_of(one, language)
        if slots is not None:
            yield Told(one.world, "quantified", slots)


def wrong_attribute(facts: Facts, language: str) -> Iterator[Told]:
    for one in facts.attributes:
        others: list[str] = WORDS["properties"][one.name]["others"]
        if not others:
            number = Decimal(one.value.partition(" ")[0])
            others = [str(number * 10), str(number + 7)]
        for value in others:
            if value != one.value:
                yield Told(one.world, "attribute", _attribute(one, value, language))


def swapped_line(facts: Facts, language: str) -> Iterator[Told]:
    for plan in facts.plans:
        for leg in plan.legs:
            lines = {leg_of(one)["line"] for one in plan.legs} | set(WORDS["lines"]["others"])
            for line in sorted(lines - {leg_of(leg)["line"]}):
                if not facts.may_ride(plan.world, line):
                    yield Told(plan.world, "leg", {**leg_of(leg), "line": line})


def swapped_direction(facts: Facts, language: str) -> Iterator[Told]:
    for plan in facts.plans:
        for leg in plan.legs:
            slots = leg_of(leg)
            yield Told(plan.world, "leg", {**slots, "start": leg.end, "end": leg.start})
            opposite = WORDS["lines"]["opposite"].get(leg.towards)
            if opposite:
                yield Told(plan.world, "towards", {**slots, "towards": opposite})


def swapped_order(facts: Facts, language: str) -> Iterator[Told]:
    for plan in facts.plans:
        for one, after in combinations(plan.legs, 2):
            slots = {**leg_of(after), "next_line": leg_of(one)["line"], "end": one.end}
            if not facts.rides(plan.world, after.line, one.line):
                yield Told(plan.world, "order", slots)


def changed_trip(facts: Facts, language: str) -> Iterator[Told]:
    for plan in facts.plans:
        if plan.minutes:
            for minutes, changes in ((7, 0), (-9, 0), (0, 2), (60, 0), (0, 1)):
                longer, more = plan.minutes + minutes, plan.changes + changes
                changed = replace(plan, minutes=longer, changes=more)
                if not any(
                    changes == changed.changes and abs(minutes - changed.minutes) < 3
                    for minutes, changes, _ in plan.others
                ):
                    yield Told(plan.world, "trip", trip_of(changed, language))
            back = replace(plan, start=plan.end, end=plan.start, minutes=plan.minutes + 4)
            yield Told(plan.world, "trip", trip_of(back, language))


def inverted_relation(facts: Facts, language: str) -> Iterator[Told]:
    for one in facts.relations:
        slots = {"subject": one.subject, "object": one.object}
        yield Told(one.world, "inverted", slots)
        for term in WORDS["terms"]["others"]:
            yield Told(one.world, "related", {**slots, "object": term})


def swapped_step(facts: Facts, language: str) -> Iterator[Told]:
    for one in facts.steps:
        for number in range(1, one.of + 1):
            if number != one.number:
                yield Told(one.world, "step", _step(one, number))


TRUE: dict[str, Maker] = {
    "plain figure": plain_figure,
    "rounded figure": rounded_figure,
    "source as recorded": source_as_recorded,
    "comparison": right_comparison,
    "direction": right_direction,
    "set": right_set,
    "attribute": right_attribute,
    "ride": right_ride,
    "order": right_order,
    "trip": right_trip,
    "relation": right_relation,
    "step": right_step,
}
FALSE: dict[str, Maker] = {
    "narrowed entity": narrowed_entity,
    "qualified metric": qualified_metric,
    "other metric": other_metric,
    "invented source": invented_source,
    "first quarter of a year's value": quarter_of_a_year,
    "changed number": changed_number,
    "changed year": changed_year,
    "changed entity": changed_entity,
    "changed sign": changed_sign,
    "changed currency": changed_currency,
    "digit of a locator": digit_of_a_locator,
    "comparison": wrong_comparison,
    "direction": wrong_direction,
    "attribute of a set": swapped_attribute_of_a_set,
    "narrowed set": narrowed_set,
    "changed count": changed_count,
    "quantifier": wrong_quantifier,
    "attribute": wrong_attribute,
    "line": swapped_line,
    "direction of a ride": swapped_direction,
    "order": swapped_order,
    "trip": changed_trip,
    "relation": inverted_relation,
    "step": swapped_step,
}
CHANGED = ("number", "year", "entity", "sign", "currency")


def made(facts: Facts) -> list[Draft]:
    """Make the drafts: of each class, language and half as many, where there are enough."""
    rng = random.Random(SEED)
    found: list[Draft] = []
    classes: list[tuple[Truth, dict[str, Maker], int]] = [
        ("false", FALSE, EACH_FALSE),
        ("true", TRUE, EACH_TRUE),
    ]
    for truth, makers, each in classes:
        for kind, maker in makers.items():
            for language in LANGUAGES:
                drafts = sorted(
                    {
                        Draft(told.world, text, truth, kind, (), language, _half(index))
                        for told in maker(facts, language)
                        for index, text in sentences(told.template, language, told.slots)
                    },
                    key=lambda one: (one.half, one.world, one.text),
                )
                rng.shuffle(drafts)
                for half in ("seen", "held_out"):
                    found += [one for one in drafts if one.half == half][: each // 2]
    return found


def _half(index: int) -> str:
    return "held_out" if index % 2 else "seen"


def _pairs_of_entities(facts: Facts) -> Iterator[tuple[Figure, Figure]]:
    """Pairs of one world, metric and period; the lower first."""
    for one, two in combinations(facts.single(), 2):
        same = (one.world, one.metric, one.period) == (two.world, two.metric, two.period)
        if same and one.value != two.value:
            yield (one, two) if one.value < two.value else (two, one)


def _changes(facts: Facts, language: str, *, right: bool) -> Iterator[Told]:
    for one, two in combinations(facts.single(), 2):
        if (one.world, one.metric, one.entity) != (two.world, two.metric, two.entity):
            continue
        before, after = sorted((one, two), key=lambda each: each.period)
        if before.value == after.value or before.period == after.period:
            continue
        risen = after.value > before.value
        verbs = TEMPLATES["verbs"][language]
        slots = {
            **figure_of(before, language),
            **other(figure_of(after, language)),
            "verb": verbs["up" if risen == right else "down"],
        }
        yield Told(before.world, "change", slots)


def _attribute(one: Attribute, value: str, language: str) -> Slots:
    name = WORDS["properties"][one.name][language]
    return {"label": one.label, "property": name, "value": value}


def _step(one: Step, number: int) -> Slots:
    return {"number": str(number), "of": str(one.of), "text": one.text}


async def facts_of_all(house: House) -> Facts:
    """Make the calls of all worlds but the agents', and read their facts."""
    found: list[Fact] = []
    for name in worlds_of_templates():
        answered = await house.answered(name)
        if answered.server != "agents":
            facts = facts_of(name, answered.results)
            found += [one for one in facts if not isinstance(one, Figure) or has_words(one)]
    return Facts(found)


async def drafts_of(house: House) -> list[Draft]:
    """Make the drafts from the facts of all worlds."""
    return made(await facts_of_all(house))


def main() -> int:
    return run(__file__, __doc__, drafts_of, {f"changed {one}" for one in CHANGED})


if __name__ == "__main__":
    sys.exit(main())
