"""True drafts with one claim changed: what was changed is wrong by construction."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal

from groundwire.evidence.records import Value
from tests.evals.draft_statements import Case, Part
from tests.evals.draft_worlds import (
    COUNTRIES,
    FORMATS,
    KINDS,
    LICENSES,
    METRICS,
    PLACES,
    ROADS,
    World,
)
from tests.evals.draft_writing import (
    ENGLISH_DIGITS,
    HAN_DIGITS,
    HAN_UNITS,
    SCALES,
    write_date,
)

INVENTED = ["Freedonia", "Atlantis", "Ruritania", "Nordmark"]
INVENTED_HAN = ["弗里多尼亚", "亚特兰蒂斯", "诺德马克"]
CHANGES = (
    "digit",
    "magnitude",
    "unit",
    "sign",
    "rounding too far",
    "year",
    "date",
    "name",
    "value name",
    "property name",
    "iri",
)


def change(rng: random.Random, case: Case, world: World, kind: str) -> tuple[Case, int] | None:
    """The case with one part changed so that it says what no record says, and which part.

    None where nothing in the draft can be changed in this way.
    """
    order = list(range(len(case.parts)))
    rng.shuffle(order)
    for i in order:
        part = case.parts[i]
        text = _changed(rng, part, case, world, kind)
        if text is not None and text != part.text:
            parts = list(case.parts)
            parts[i] = replace(part, text=text)
            return replace(case, parts=tuple(parts)), i
    return None


NUMBERS = ("number", "percent", "derived")


def _changed(rng: random.Random, part: Part, case: Case, world: World, kind: str) -> str | None:
    if kind == "sign" and part.role == "verb":
        return part.style
    makers: dict[str, tuple[Sequence[str], Callable[[], str | None]]] = {
        "digit": (NUMBERS, lambda: _digit(rng, part)),
        "magnitude": (NUMBERS, lambda: _magnitude(rng, part)),
        "unit": (NUMBERS, lambda: _unit(rng, part)),
        "sign": (("number", "percent"), lambda: _sign(part)),
        "rounding too far": (("number",), lambda: _too_far(part, case.language)),
        "year": (("period",), lambda: _year(rng, part, case.parts, world)),
        "date": (("date",), lambda: _date(rng, part, case.language)),
        "name": (("entity",), lambda: _entity(rng, part, case, world)),
        "value name": (("word",), lambda: _word(rng, part, world)),
        "property name": (("label",), lambda: _label(rng, part, case.language)),
        "iri": (("iri",), lambda: _iri(rng, part)),
    }
    roles, make = makers[kind]
    return make() if part.role in roles and part.value is not None else None


def _digit(rng: random.Random, part: Part) -> str | None:
    for table in (HAN_DIGITS, ENGLISH_DIGITS):
        if part.style == "words":
            spelt = [d for d in table if d == part.text]
            if spelt or part.text == "两":
                return rng.choice([d for d in table[1:] if d != part.text and d != "二"])
    places = [i for i, c in enumerate(part.text) if c.isascii() and c.isdigit()]
    if part.style == "words" or not places:
        return None
    i = rng.choice(places)
    digits = [d for d in "0123456789" if d != part.text[i] and not (d == "0" and i == places[0])]
    changed = part.text[:i] + rng.choice(digits) + part.text[i + 1 :]
    # 34,400 made 34,000 is no wrong digit but a rounding.
    return None if re.search(r"[1-9]\D?[0-9]\D?000(?!\d)", changed) else changed


_SCALES = [
    ("trillion", "billion"),
    ("billion", "million"),
    ("million", "billion"),
    ("thousand", "million"),
    ("万亿", "亿"),
    ("亿", "万"),
    ("万", "亿"),
]


def _magnitude(rng: random.Random, part: Part) -> str | None:
    if part.style == "words":
        return None
    for word, other in _SCALES:
        if word in part.text and rng.random() < 0.5:
            return part.text.replace(word, other)
    number = re.search(r"[0-9][0-9,]*(?:\.[0-9]+)?", part.text)
    if number is None or not Decimal(number[0].replace(",", "")):
        return None
    factor = rng.choice([Decimal(10), Decimal("0.1"), Decimal(1000)])
    shifted = Decimal(number[0].replace(",", "")) * factor
    if shifted < 1 and part.style == "count":
        shifted = Decimal(number[0].replace(",", "")) * 10
    if part.style == "count":
        shifted = shifted.to_integral_value()
    text = f"{shifted.normalize():,f}" if "," in part.text else f"{shifted.normalize():f}"
    return part.text[: number.start()] + text + part.text[number.end() :]


_UNITS = {
    "kilometres": ["metres", "miles"],
    "kilometers": ["meters", "miles"],
    "square kilometres": ["hectares"],
    "km²": ["m²", "ha"],
    "km": ["m", "miles"],
    " m": [" km", " ft"],
    "MB": ["GB", "kB"],
    "GB": ["MB", "TB"],
    "USD": ["EUR", "JPY"],
    "EUR": ["USD", "GBP"],
    "$": ["€", "£"],
    "平方公里": ["公顷", "平方米"],
    "公里": ["米", "英里"],
    "米": ["公里"],
    "美元": ["欧元", "日元"],
    "欧元": ["美元"],
    " percent": [" percentage points", " km"],
    "%": [" percentage points", "‰", " USD"],
}


def _unit(rng: random.Random, part: Part) -> str | None:
    for unit in sorted(_UNITS, key=len, reverse=True):
        if unit in part.text:
            return part.text.replace(unit, rng.choice(_UNITS[unit]))
    return None


def _sign(part: Part) -> str | None:
    number = re.search(r"-?\$?[0-9]", part.text)
    if number is None or part.style in ("count", "words"):
        return None
    if number[0].startswith("-"):
        return part.text[: number.start()] + part.text[number.start() + 1 :]
    return part.text[: number.start()] + "-" + part.text[number.start() :]


def _too_far(part: Part, language: str) -> str | None:
    """One digit where that is off by more than 5 %."""
    value = part.value
    if value is None or part.style in ("count", "words"):
        return None
    number = Decimal(value.value)
    if not number:
        return None
    coarse = Decimal(f"{number:.0e}")
    if abs(coarse - number) / abs(number) <= Decimal("0.05"):
        return None
    if abs(coarse) < 10_000:
        written = f"{coarse:,f}"
    else:
        word, power = next((w, p) for w, p in SCALES[language] if abs(coarse) >= 10**p)
        written = f"{(coarse / 10**power).normalize():f}{'' if language == 'zh' else ' '}{word}"
    if value.unit is None or part.style == "bare":
        return written
    return f"{written}{HAN_UNITS[value.unit]}" if language == "zh" else f"{written} {value.unit}"


def _year(rng: random.Random, part: Part, parts: Sequence[Part], world: World) -> str | None:
    value = part.value
    assert value is not None
    year = int(value.period or 0)
    recorded = [
        other.period
        for other in world.values
        if other.period and other.period != value.period and _apart(world, value, other.period)
    ]
    sums = any(p.role == "derived" and "%" not in p.text and p.group == part.group for p in parts)
    if recorded and not sums and rng.random() < 0.6:
        return rng.choice(sorted(recorded))
    return str(year + rng.choice([-12, -10, -3, -2, 2, 3, 5]))


def _apart(world: World, value: Value, period: str) -> bool:
    """Whether what is recorded for another period is far off, so that the change is a lie."""
    return all(
        abs(Decimal(other.value) - Decimal(value.value)) > abs(Decimal(value.value)) / 10
        for other in world.values
        if (other.name, other.entity, other.period) == (value.name, value.entity, period)
    )


def _date(rng: random.Random, part: Part, language: str) -> str | None:
    value = part.value
    assert value is not None
    day = date.fromisoformat(value.value)
    field = rng.choice(["year", "month", "day"])
    changed = {
        "year": lambda: day.replace(year=day.year + rng.choice([-2, -1, 1, 2])),
        "month": lambda: day.replace(month=day.month % 12 + 1),
        "day": lambda: day.replace(day=day.day % 28 + 1),
    }[field]()
    if re.fullmatch(r"[0-9-]+", part.text):
        return changed.isoformat()
    return write_date(rng, changed.isoformat(), language)


def _entity(rng: random.Random, part: Part, case: Case, world: World) -> str | None:
    """Another recorded entity for which the statement is false, a known one, or an invented one."""
    group = [p for p in case.parts if p.group == part.group and p.value is not None]
    stated = [p.value for p in group if p.role in (*NUMBERS, "word", "date", "iri") and p.value]
    if not stated:
        return None
    names = {p.text for p in group if p.role == "entity"}
    own = [v for v in stated if v.entity == part.value.entity] if part.value else []
    if not own and not any(p.role == "derived" for p in group):
        return None
    source = rng.choice(["recorded", "known", "invented"])
    han = case.language == "zh"
    if source == "recorded":
        others = [
            e
            for e in world.entities()
            if world.names[e][han] not in names and all(_differs(world, v, e) for v in own)
        ]
        if others:
            return world.names[rng.choice(others)][han]
    if world.kind == "metrics":
        if source != "invented":
            known = [pair[han] for pair in COUNTRIES if pair[0] not in world.names]
            return rng.choice(known)
        return rng.choice(INVENTED_HAN if han else INVENTED)
    invented = f"{rng.choice(PLACES)} {rng.choice(KINDS)}"
    return None if invented in world.names else invented


def _differs(world: World, value: Value, entity: str) -> bool:
    """Whether another entity has no value of this name and period, or one that is far off."""
    for other in world.values:
        if other.entity == entity and (other.name, other.period) == (value.name, value.period):
            if value.kind != "number":
                return other.value != value.value
            a, b = Decimal(value.value), Decimal(other.value)
            return abs(a - b) > abs(b) / 10
    return True


def _word(rng: random.Random, part: Part, world: World) -> str | None:
    value = part.value
    assert value is not None
    has = {v.value for v in world.values if v.entity == value.entity}
    group = next(g for g in (_words_like(value, world),) if g)
    others = [word for word in group if word not in has]
    return rng.choice(others) if others else None


def _words_like(value: Value, world: World) -> list[str]:
    return next(words for words in (ROADS, LICENSES, FORMATS) if value.value in words)


def _label(rng: random.Random, part: Part, language: str) -> str | None:
    value = part.value
    assert value is not None
    others = [METRICS[code][language == "zh"] for code in METRICS if code != value.name]
    own = METRICS[value.name][language == "zh"]
    others = [o for o in others if own not in o and o not in own]
    text = rng.choice(others)
    return text[0].upper() + text[1:] if part.text[0].isupper() and language == "en" else text


def _iri(rng: random.Random, part: Part) -> str | None:
    i = rng.choice([i for i, c in enumerate(part.text) if i > 30 and c.isalnum()])
    other = rng.choice([c for c in "0123456789abcdef" if c != part.text[i]])
    return part.text[:i] + other + part.text[i + 1 :]
