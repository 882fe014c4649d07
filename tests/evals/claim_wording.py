"""Slots of the templates, filled in three languages: entities, metrics, periods, verbs.

`claim_check/words.toml` has the words, `claim_check/templates.toml` the sentences.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from tests.evals.claim_amounts import exact, scaled
from tests.evals.claim_check_worlds import FOLDER
from tests.evals.claim_facts import Figure, Leg, Plan, Scope

WORDS: Mapping[str, Any] = tomllib.loads((FOLDER / "words.toml").read_text("utf-8"))
TEMPLATES: Mapping[str, Any] = tomllib.loads((FOLDER / "templates.toml").read_text("utf-8"))
Slots = dict[str, str]

_PERIOD = re.compile(r"(FY)?(\d{4})(?:Q([1-4]))?")
_QUARTERS = {
    "en": ("first", "second", "third", "fourth"),
    "de": ("ersten", "zweiten", "dritten", "vierten"),
    "zh": ("一", "二", "三", "四"),
}
# German pronouns for a metric that is not repeated, by its article.
_PRONOUNS = {
    "der": {"der": "der", "den": "den", "dem": "dem"},
    "die": {"der": "die", "den": "die", "dem": "der"},
    "das": {"der": "das", "den": "das", "dem": "dem"},
}


def sentences(template: str, language: str, slots: Slots) -> Iterator[tuple[int, str]]:
    """Fill every wording of a template; yields its index and the sentence.

    A slot with a capital is the same slot at the start of a sentence.
    """
    capitals = {name.capitalize(): text[:1].upper() + text[1:] for name, text in slots.items()}
    for index, wording in enumerate(TEMPLATES[template][language]):
        yield index, wording.format_map({**slots, **capitals})


def period_of(period: str, language: str, quarter: str = "") -> Slots:
    """Name a period: `period`, and in German `im` for the time at which something was.

    Args:
        period: as recorded.
        language: of the names.
        quarter: a quarter to tell instead of the whole period, "1" to "4".
    """
    found = _PERIOD.fullmatch(period)
    assert found is not None, period
    fiscal, year, number = bool(found[1]), found[2], quarter or found[3]
    which = _QUARTERS[language][int(number) - 1] if number else ""
    if language == "zh":
        name = f"{year}财年" if fiscal else f"{year}年"
        return {"period": f"{name}第{which}季度" if which else name}
    if language == "en":
        name = f"fiscal year {year}" if fiscal else year
        return {"period": f"the {which} quarter of {name}" if which else name}
    name = f"Geschäftsjahr {year}" if fiscal else year
    if which:
        whole = f"des Geschäftsjahres {year}" if fiscal else year
        return {"period": f"{which[:-1]}s Quartal {year}", "im": f"im {which} Quartal {whole}"}
    return {"period": name, "im": f"im {name}" if fiscal else f"im Jahr {year}"}


def entity_of(entity: str, language: str, narrowing: int | None = None) -> Slots:
    """Name an entity: `name`, `of`, `in`; a part of it where a narrowing is chosen."""
    code = WORDS["codes"].get(entity, entity)
    told = WORDS["entities"][code][language]
    slots = (
        {"name": told} if language == "zh" else dict(zip(("name", "of", "in"), told, strict=True))
    )
    if narrowing is None:
        return slots
    forms = WORDS["narrowed"][company_or_country(entity)][language]
    form = forms[narrowing % len(forms)]
    if language == "zh":
        return {"name": form.format_map(slots)}
    parts = [one.format_map(slots) for one in form]
    return dict(zip(("name", "of", "in"), parts, strict=True))


def has_words(figure: Figure) -> bool:
    """Whether the words of the templates tell what a figure is of and what it measures."""
    code = WORDS["codes"].get(figure.entity, figure.entity)
    return code in WORDS["entities"] and figure.metric in WORDS["metrics"]


def company_or_country(entity: str) -> str:
    """Return "company" or "country"."""
    return "company" if entity in ("TVN", "CN", "HK", "JP") else "country"


def metric_of(metric: str, language: str) -> Slots:
    """Name a metric; in German with the pronouns for it."""
    return _metric(WORDS["metrics"][metric][language], language)


def qualified(metric: str, language: str) -> Iterator[Slots]:
    """Name metrics that are not held, instead of the one that is."""
    for name in WORDS["qualified"][metric.partition("_ONLINE")[0]].get(language, ()):
        yield _metric(name, language)


def _metric(name: str, language: str) -> Slots:
    if language != "de":
        return {"metric": name}
    return {"metric": name, **_PRONOUNS[name.partition(" ")[0]]}


def amounts(value: Decimal, unit: str, language: str) -> tuple[str, str]:
    """Write a value exactly, and rounded with a scale word."""
    return exact(value, unit, language), scaled(value, unit, language)


def figure_of(figure: Figure, language: str, **changed: Any) -> Slots:
    """Fill the slots of a figure, told exactly where `rounded` is not set.

    Args:
        figure: what is told.
        language: in which it is told.
        changed: fields of the figure to tell otherwise; `narrowing`, `quarter`, `rounded`.
    """
    narrowing, quarter = changed.pop("narrowing", None), changed.pop("quarter", "")
    rounded = changed.pop("rounded", False)
    told = replace(figure, **changed)
    return {
        **entity_of(told.entity, language, narrowing),
        **metric_of(told.metric, language),
        **period_of(told.period, language, quarter),
        "amount": amounts(told.value, told.unit, language)[rounded],
    }


def other(slots: Slots) -> Slots:
    """Return slots under the names of the other of two things."""
    return {f"than_{name}": text for name, text in slots.items()}


def scope_of(scope: Scope, language: str, **changed: Any) -> Slots | None:
    """Fill the slots of a set; None where a condition has no words."""
    more = changed.pop("more", "")
    told = replace(scope, **changed)
    kinds = WORDS["kinds"].get(told.kind)
    words: list[str] = []
    for name, value in told.conditions:
        one = WORDS["conditions"].get(name, {}).get(value)
        if one is None:
            return None
        words.append(one[language])
    if kinds is None:
        return None
    joined = ("" if language == "zh" else " ").join([*words, *([more] if more else [])])
    return {
        "total": str(told.total),
        "kind": kinds[language],
        "one": kinds["one"],
        "conditions": joined,
    }


def leg_of(leg: Leg) -> Slots:
    """Fill the slots of a ride."""
    return {
        "line": leg.line.removesuffix(" line"),
        "towards": leg.towards,
        "start": leg.start,
        "end": leg.end,
        "minutes": str(leg.minutes),
    }


def trip_of(plan: Plan, language: str) -> Slots:
    """Fill the slots of a trip."""
    one = plan.changes == 1
    words = {"en": ("change", "changes"), "de": ("Umstieg", "Umstiegen"), "zh": ("", "")}[language]
    return {
        "start": plan.start,
        "end": plan.end,
        "minutes": str(plan.minutes),
        "changes": str(plan.changes),
        "change_word": words[0] if one else words[1],
        "times": "time" if one else "times",
    }


def conditions_otherwise(scope: Scope) -> Iterator[tuple[tuple[str, str], ...]]:
    """Change one condition of a set at a time."""
    for at, (name, value) in enumerate(scope.conditions):
        for another in WORDS["conditions"].get(name, ()):
            if another != value:
                changed: Sequence[tuple[str, str]] = [*scope.conditions]
                yield (*changed[:at], (name, another), *changed[at + 1 :])
