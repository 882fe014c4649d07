"""Amounts as people write them in English, German and Chinese: exact, scaled, mixed, in words."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

from tests.evals.claim_check_worlds import FOLDER

LANGUAGES = ("en", "de", "zh")
# Scale words by power of ten, long first.
SCALES = {
    "en": ((15, "quadrillion"), (12, "trillion"), (9, "billion"), (6, "million"), (3, "thousand")),
    "de": ((15, "Billiarden"), (12, "Billionen"), (9, "Milliarden"), (6, "Millionen"),
           (3, "Tausend")),
    "zh": ((12, "万亿"), (8, "亿"), (4, "万")),
}  # fmt: skip
_SHORT = {
    "en": {12: "tn", 9: "bn", 6: "mn"},
    "de": {12: "Bio.", 9: "Mrd.", 6: "Mio."},
    "zh": {},
}
_SINGULAR = {"Millionen": "Million", "Milliarden": "Milliarde", "Billionen": "Billion"}
ABOUT = {"en": "about ", "de": "rund ", "zh": "约"}
_UNITS = {
    "en": {"people": " people", "CNY": " CNY", "USD": " US dollars", "EUR": " euros",
           "JPY": " yen", "GBP": " pounds", "HKD": " Hong Kong dollars", "%": "%"},
    "de": {"people": " Menschen", "CNY": " CNY", "USD": " US-Dollar", "EUR": " Euro",
           "JPY": " Yen", "GBP": " Pfund", "HKD": " Hongkong-Dollar", "%": " %"},
    "zh": {"people": "人", "CNY": "元", "USD": "美元", "EUR": "欧元",
           "JPY": "日元", "GBP": "英镑", "HKD": "港元", "%": "%"},
}  # fmt: skip
_VULGAR = {
    Fraction(1, 2): "½", Fraction(1, 4): "¼", Fraction(3, 4): "¾",
    Fraction(1, 3): "⅓", Fraction(2, 3): "⅔",
}  # fmt: skip
_SPOKEN = {
    "en": {Fraction(1, 2): "a half", Fraction(1, 4): "a quarter", Fraction(3, 4): "three quarters",
           Fraction(1, 3): "a third", Fraction(2, 3): "two thirds"},
    "de": {Fraction(1, 2): "einhalb", Fraction(1, 4): "einviertel", Fraction(3, 4): "dreiviertel",
           Fraction(1, 3): "eindrittel", Fraction(2, 3): "zweidrittel"},
}  # fmt: skip
_NUMBERS: Mapping[str, str] = tomllib.loads((FOLDER / "words.toml").read_text("utf-8"))["numbers"]
_EN, _EN_TENS = _NUMBERS["en"].split(), _NUMBERS["en_tens"].split()
_DE, _DE_TENS = _NUMBERS["de"].split(), _NUMBERS["de_tens"].split()
_ZH = "零一二三四五六七八九"
# "193⅔ million" is written by nobody.
MOST_WITH_A_FRACTION = 30
# A worded number may differ so much from the figure that it is told of.
NEAR = Decimal("0.012")


def exact(value: Decimal, unit: str, language: str) -> str:
    """Write every digit, with the language's separators."""
    return _signed(value, _digits(abs(value.normalize()), language), unit, language)


def scaled(value: Decimal, unit: str, language: str, places: int = 2) -> str:
    """Write a rounded number with a scale word, "about" where digits were lost."""
    power, word = scale_of(value, language)
    shown = (abs(value).scaleb(-power)).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    about = "" if shown.scaleb(power) == abs(value) else ABOUT[language]
    gap = "" if language == "zh" or not word else " "
    digits = _digits(shown.normalize(), language)
    if language == "zh":
        digits = digits.replace(",", "")
    return about + _signed(value, f"{digits}{gap}{word}", unit, language)


def scale_of(value: Decimal, language: str) -> tuple[int, str]:
    """Return the power of ten and the scale word of a value; (0, "") where none fits."""
    for power, word in SCALES[language]:
        if power > 3 and abs(value) >= Decimal(10) ** power:
            return power, word
    return 0, ""


def mixed(value: Decimal, unit: str, language: str) -> Iterator[tuple[str, str]]:
    """Write a positive value in every mixed and worded form that is near enough to it.

    Yields:
        The name of the form, and the amount with its unit.
    """
    power, word = scale_of(value, language)
    if not power:
        return
    parts = value.scaleb(-power)
    for form, text, told in (
        *_worded(parts, word, language),
        *_fractions(parts, word, language),
        *_lesser(value, power, language),
        *_shortened(parts, power, language),
    ):
        if abs(told - parts) <= NEAR * parts:
            yield form, ABOUT[language] + text + _UNITS[language][unit]


def _worded(parts: Decimal, word: str, language: str) -> Iterator[tuple[str, str, Decimal]]:
    whole = parts.quantize(Decimal(1), ROUND_HALF_UP)
    if whole < (10_000 if language == "zh" else 1000):
        spoken = in_words(int(whole), language)
        if not (language == "de" and whole == 1):
            yield "in words", f"{spoken}{'' if language == 'zh' else ' '}{word}", whole
    if language == "zh":
        tenth = parts.quantize(Decimal("0.1"), ROUND_HALF_UP)
        first, after = int(tenth), int(tenth * 10 % 10)
        if after and first < 1000:
            point = f"{in_words(first, language)}点{_ZH[after]}{word}"
            yield "in words with a point", point, tenth
    elif parts < 100:
        tenth = parts.quantize(Decimal("0.1"), ROUND_HALF_UP)
        first, after = int(tenth), int(tenth * 10 % 10)
        if after:
            point = {"en": " point ", "de": " Komma "}[language]
            head = in_words(first, language)
            head = "eins" if head == "ein" else head
            last = "eins" if language == "de" and after == 1 else in_words(after, language)
            yield "in words with a point", f"{head}{point}{last} {word}", tenth


def _fractions(parts: Decimal, word: str, language: str) -> Iterator[tuple[str, str, Decimal]]:
    whole = int(parts)
    if whole > MOST_WITH_A_FRACTION:
        return
    best = min(_VULGAR, key=lambda one: abs(whole + _decimal(one) - parts))
    told = whole + _decimal(best)
    if language == "zh":
        if best == Fraction(1, 2):
            yield "and a half", f"{in_words(whole, language)}{word}半", told
        return
    yield "vulgar fraction", f"{whole}{_VULGAR[best]} {word}", told
    yield "vulgar fraction in ASCII", f"{whole} {best.numerator}/{best.denominator} {word}", told
    if language == "en":
        spoken = f"{in_words(whole, language)} and {_SPOKEN[language][best]} {word}"
        yield "fraction in words", spoken, told
    elif whole == 1 and best == Fraction(1, 2):
        yield "fraction in words", f"anderthalb {word}", told
    else:
        yield "fraction in words", f"{in_words(whole, 'de')}{_SPOKEN['de'][best]} {word}", told


def _lesser(value: Decimal, power: int, language: str) -> Iterator[tuple[str, str, Decimal]]:
    """Write the number with the scale word below its own, and with both."""
    below = [(at, word) for at, word in SCALES[language] if 3 < at < power]
    word = dict(SCALES[language])[power]
    gap = "" if language == "zh" else " "
    if below:
        at, lesser = below[0]
        rounded = value.scaleb(-at).quantize(Decimal(1), ROUND_HALF_UP)
        rounded = rounded.quantize(Decimal("1E1"), ROUND_HALF_UP)
        text = f"{_digits(Decimal(int(rounded)), language)}{gap}{lesser}"
        yield "lesser scale", text, rounded.scaleb(at - power)
        whole, rest = divmod(
            int(value.scaleb(-at).quantize(Decimal(1), ROUND_HALF_UP)), 10 ** (power - at)
        )
        if whole and rest:
            joined = {"en": " ", "de": " ", "zh": ""}[language]
            one = _SINGULAR.get(word, word) if whole == 1 else word
            both = f"{whole}{gap}{one}{joined}{rest}{gap}{lesser}"
            told = whole + Decimal(rest).scaleb(at - power)
            yield "two scales", both, told
    if language == "zh" and power == 8:
        whole, tens = divmod(int(value.scaleb(-7).quantize(Decimal(1), ROUND_HALF_UP)), 10)
        if whole and tens:
            yield "two scales", f"{whole}亿{tens}千万", whole + Decimal(tens).scaleb(-1)


def _shortened(parts: Decimal, power: int, language: str) -> Iterator[tuple[str, str, Decimal]]:
    word = _SHORT[language].get(power)
    tenth = parts.quantize(Decimal("0.1"), ROUND_HALF_UP)
    if word:
        gap = "" if language == "en" else " "
        yield "short scale word", f"{_digits(tenth.normalize(), language)}{gap}{word}", tenth


def in_words(number: int, language: str) -> str:
    """Write a number from 0 to 9,999 in words.

    Raises:
        ValueError: the number is outside that range.
    """
    if not 0 <= number < 10_000:
        raise ValueError(f"{number} is not between 0 and 9,999")
    return {"en": _english, "de": _german, "zh": _chinese}[language](number)


def _english(number: int) -> str:
    if number < 20:
        return _EN[number]
    if number < 100:
        tens = _EN_TENS[number // 10]
        return f"{tens}-{_EN[number % 10]}" if number % 10 else tens
    if number < 1000:
        rest = f" and {_english(number % 100)}" if number % 100 else ""
        return f"{_EN[number // 100]} hundred{rest}"
    return f"{_english(number // 1000)} thousand {_english(number % 1000)}".removesuffix(" zero")


def _german(number: int) -> str:
    if number < 20:
        return _DE[number]
    if number < 100:
        tens = _DE_TENS[number // 10]
        return f"{_DE[number % 10]}und{tens}" if number % 10 else tens
    if number < 1000:
        return f"{_DE[number // 100]}hundert{_german(number % 100) if number % 100 else ''}"
    return f"{_german(number // 1000)}tausend{_german(number % 1000) if number % 1000 else ''}"


def _chinese(number: int) -> str:
    if number == 0:
        return "零"
    text, gap = "", False
    for power, word in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = number // power % 10
        if digit:
            text += ("零" if gap and text else "") + _ZH[digit] + word
            gap = False
        else:
            gap = bool(text)
    return text.removeprefix("一") if text.startswith("一十") else text


def _digits(number: Decimal, language: str) -> str:
    text = f"{number:,f}"
    return text if language != "de" else text.translate(str.maketrans(",.", ".,"))


def _decimal(fraction: Fraction) -> Decimal:
    return Decimal(fraction.numerator) / Decimal(fraction.denominator)


def _signed(value: Decimal, text: str, unit: str, language: str) -> str:
    return f"{'-' if value < 0 else ''}{text}{_UNITS[language][unit]}"
