"""How a model writes recorded numbers and dates, in English and Chinese."""

from __future__ import annotations

import random
from datetime import date
from decimal import ROUND_HALF_EVEN, Decimal

from groundwire.evidence.records import Value

# fmt: off
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)
ENGLISH_DIGITS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
)
# fmt: on
HAN_UNITS = {"USD": "美元", "EUR": "欧元", "km²": "平方公里", "km": "公里", "MB": "MB", "%": "%"}
HAN_DIGITS = "零一二三四五六七八九"
SCALES = {
    "en": [("trillion", 12), ("billion", 9), ("million", 6), ("thousand", 3)],
    "zh": [("万亿", 12), ("亿", 8), ("万", 4)],
}


def _scaled(value: Decimal, language: str, rng: random.Random) -> tuple[str, str, Decimal]:
    """A large number by scale word, rounded to two decimals: text, scale word, scale."""
    word, power = next(((w, p) for w, p in SCALES[language] if abs(value) >= 10**p), ("", 0))
    scale = Decimal(10) ** power
    places = rng.choice(["0.1", "0.01"]) if abs(value) / scale < 100 else "0.1"
    text = str((value / scale).quantize(Decimal(places), ROUND_HALF_EVEN))
    return text, word, scale


def write_number(rng: random.Random, value: Value, language: str) -> tuple[str, str]:
    """A recorded number as a model would write it, and how it was written.

    Exactly, rounded by a scale word or "about", converted to another unit, in words, or as a count.
    """
    han = language == "zh"
    if value.name in ("total", "laneCount"):
        return _count(rng, value, han=han)
    if value.unit == "%":
        return f"{value.value}%" if han or rng.random() < 0.7 else f"{value.value} percent", "exact"
    if value.unit in ("km", "MB"):
        return _measure(rng, value, han=han)
    return _amount(rng, value, language)


def _count(rng: random.Random, value: Value, *, han: bool) -> tuple[str, str]:
    number = int(value.value)
    if value.name == "laneCount" and rng.random() < 0.3:
        if han:
            return ("两" if number == 2 else HAN_DIGITS[number]), "words"
        return ENGLISH_DIGITS[number], "words"
    return (f"{number:,}" if rng.random() < 0.5 else value.value), "count"


def _measure(rng: random.Random, value: Value, *, han: bool) -> tuple[str, str]:
    number, choice = Decimal(value.value), rng.random()
    if value.unit == "MB":
        if choice < 0.2:
            gigabytes = (number / 1000).quantize(Decimal("0.001"), ROUND_HALF_EVEN)
            return f"{gigabytes} GB", "converted"
        return f"{number} MB", "exact"
    if choice < 0.2:
        metres = f"{int(number * 1000):,}"
        return f"{metres}米" if han else f"{metres} m", "converted"
    if choice < 0.35 and number >= 10 and number != number.to_integral_value():
        whole = number.quantize(Decimal(1), ROUND_HALF_EVEN)
        return f"约{whole}公里" if han else f"about {whole} km", "rounded"
    unit = "公里" if han else " " + rng.choice(["km", "kilometres", "kilometers"])
    return f"{number}{unit}", "exact"


def _amount(rng: random.Random, value: Value, language: str) -> tuple[str, str]:
    number, unit, han = Decimal(value.value), value.unit, language == "zh"
    name = (HAN_UNITS[unit] if han else " " + unit) if unit else ""
    dollars = unit == "USD" and not han
    if abs(number) >= 10_000 and rng.random() < 0.65:
        text, word, _ = _scaled(number, language, rng)
        about = rng.choice(["", "", "约" if han else "about "])
        if dollars and rng.random() < 0.5:
            sign = "-" if text.startswith("-") else ""
            return f"{about}{sign}${text.lstrip('-')} {word}", "rounded"
        return f"{about}{text}{'' if han else ' '}{word}{name}", "rounded"
    text = f"{number:,}"
    if dollars and rng.random() < 0.4:
        return f"${text}", "exact"
    if unit == "km²" and not han and rng.random() < 0.5:
        return f"{text} square kilometres", "exact"
    return f"{text}{name}", "exact"


def write_date(rng: random.Random, iso: str, language: str) -> str:
    day = date.fromisoformat(iso)
    if language == "zh":
        return f"{day.year}年{day.month}月{day.day}日"
    month = MONTHS[day.month - 1]
    return rng.choice([iso, f"{day.day} {month} {day.year}", f"{month} {day.day}, {day.year}"])
