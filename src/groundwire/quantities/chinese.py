"""Numbers in Chinese characters and in digits with Chinese scales: 一百二十三, 两亿半, 3千5百万."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cache

from groundwire.quantities.numerals import (
    Numeral,
    digits_at,
    exact_decimal,
    number_words,
    significant_digits,
)


@dataclass(frozen=True, slots=True)
class HanCharacters:
    """The characters of Chinese numbers and the patterns made of them.

    Attributes:
        digits: characters of 0 to 9 with their value.
        small, large: places within a section of four, and scales above a section.
        scales: both.
        run: a run of digits and scales.
        fraction: digits after the point.
    """

    digits: Mapping[str, int]
    small: Mapping[str, int]
    large: Mapping[str, int]
    scales: Mapping[str, int]
    run: re.Pattern[str]
    fraction: re.Pattern[str]


@cache
def han_characters() -> HanCharacters:
    """The characters of Chinese numbers, read from the word file."""
    words = number_words("zh")
    digits, scales = "".join(words.ones), "".join([*words.tens, *words.scales])
    point = "".join(words.point)
    return HanCharacters(
        words.ones,
        words.tens,
        words.scales,
        {**words.tens, **words.scales},
        re.compile(f"[{digits}{scales}]{{1,40}}"),
        re.compile(f"[{point}]([{digits}]{{1,30}})"),
    )


def read_chinese(text: str, position: int) -> tuple[Decimal, int, int] | None:
    """Read a number in Chinese characters that begins at a position.

    Returns:
        The value, its decimals and the position after it; None where no number begins. 十 is ten;
        a scale character alone (万, 千) and two or three digits side by side (三四, "three or
        four") are not numbers.
    """
    han = han_characters()
    run = han.run.match(text, position)
    if run is None:
        return None
    places = _Places()
    value = _positional(run[0]) if all(c in han.digits for c in run[0]) else None
    if value is None:
        for character in run[0]:
            if not places.take(character, None):
                return None
        read = places.total()
        if read is None:
            return None
        value = read
    fraction = han.fraction.match(text, run.end())
    if fraction is None:
        return Decimal(int(value)), 0, run.end()
    digits = "".join(str(han.digits[c]) for c in fraction[1])
    return Decimal(f"{int(value)}.{digits}"), len(digits), fraction.end()


def _positional(run: str) -> Fraction | None:
    """Digits side by side as a number: one, four or more, or after a zero."""
    digits = han_characters().digits
    if len(run) == 1 or len(run) >= 4 or run[0] in "〇零○":
        return Fraction(int("".join(str(digits[c]) for c in run)))
    return None


@dataclass(slots=True)
class _Places:
    """A number as it is put together from digits and scales, from left to right."""

    sum: Fraction = Fraction(0)
    section: Fraction = Fraction(0)
    pending: Fraction | None = None
    spelt: bool = True
    zero: bool = False
    unit: Fraction = Fraction(1)
    place: int = 10**6
    last: str = ""
    seen: list[str] = field(default_factory=list[str])

    def take(self, character: str, number: Fraction | None) -> bool:
        """Take the next digit, number or scale; False where it does not fit."""
        han = han_characters()
        fits = True
        if number is not None or character in han.digits:
            fits = self._number(Fraction(han.digits[character]) if number is None else number)
        elif character in han.small:
            fits = self._small(han.small[character])
        else:
            fits = self._large(han.large[character])
        self.last = character if number is None else "0"
        return fits

    def _number(self, value: Fraction) -> bool:
        if self.pending is not None:
            return False  # 三四, "three or four"
        if value == 0 and (self.sum or self.section):
            self.zero = True
        else:
            self.pending = value
        return True

    def _small(self, place: int) -> bool:
        if self.pending is None:
            if place != 10 or (self.section and not self.zero) or (self.sum and not self.zero):
                return False
            self.pending = Fraction(1)
        if place >= self.place:
            return False
        self.section += self.pending * place
        self.pending, self.place, self.unit, self.zero = None, place, Fraction(place), False
        return True

    def _large(self, scale: int) -> bool:
        own = self.section + (self.pending or 0)
        chained = not own and self.last in han_characters().large
        if not own and not chained:
            return False
        if self.sum and self.sum >= scale:
            if chained:
                return False  # 万万
            self.sum, self.unit = self.sum + own * scale, Fraction(scale)
        else:
            self.unit = self.unit * scale if chained else Fraction(scale)
            self.sum = (self.sum + own) * scale
        self.section, self.pending, self.place, self.zero = Fraction(0), None, 10**6, False
        return True

    def total(self) -> Fraction | None:
        """The number, or None where its end can be read in two ways."""
        value = self.sum + self.section
        if self.pending is None:
            tail = self.section and not self.zero and self.sum >= 10**8
            return (
                None if tail and self.unit < 10**4 and self.place < 10**6 and self._bare else value
            )
        if self.pending.denominator > 1 and not self.zero and self.unit > 10:
            return None  # 两千三点一
        if self.zero or self.unit in (1, 10):
            return value + self.pending
        if self.pending >= 10 or self.pending.denominator > 1:
            return value + self.pending if self.pending < self.unit else None
        return value + self.pending * self.unit / 10  # 一万五 is 15,000

    @property
    def _bare(self) -> bool:
        return self.sum % 10**8 == 0


_SLASHED = re.compile(r"[ \u00a0]?([1-9])/([2-9]|1[0-9])(?![0-9/])")
_HAN_AFTER = re.compile(
    r" {0,3}(?:分 {0,2}之|[个個]?[万萬亿億]|[十百千]|兆|[个個]半|又|半|打(?![印算开造工击破])"
    r"|[多余餘几数][十百千万萬亿億])"
)
_UNIT_OF_SCALE = re.compile(r"[千兆][米克瓦赫帕焦伏]|千卡(?![车片通])|百帕|[百千万][分]")
_COUNTED_SCALE = re.compile(r"[个個](?=[万萬亿億兆])")
_COUNTED_HALF = re.compile(r"[个個]半(?![导岛径场球天年夜数半])")
_HALF_OF = re.compile(r"半[个個]?(?=[万萬亿億])")
_HALF_UNIT = re.compile(
    r"半(?=[个個]?(?:小时|小時|钟头|月|星期|百分点)|公里|公斤|英里)(?!月[刊报])"
)
_MOST = 40


def read_han_run(
    text: str, position: int, vulgar: Mapping[str, Fraction]
) -> Numeral | tuple[int, int] | None:
    """Read a number that is written with Chinese characters.

    Args:
        text: a text that went through `plain`.
        position: where it begins.
        vulgar: signs of fractions with their value.

    Returns:
        The number, the span of one that cannot be read as a whole, or None where none begins.
    """
    han = han_characters()
    first = text[position]
    if first.isascii() or first in vulgar:
        numeral = digits_at(text, position) if first.isascii() else None
        if first.isascii() and (numeral is None or not first.isdigit()):
            return None
        if _HAN_AFTER.match(text, _number_end(text, position, numeral, vulgar)) is None:
            return None
    elif first not in han.digits and first not in han.scales and first != "半":
        return None
    if not first.isascii() and text[position - 1 : position] in _vague_before() and position:
        return None
    return _HanRun(text, position, vulgar).read()


@cache
def _vague_before() -> frozenset[str]:
    return number_words("zh").vague


def _number_end(
    text: str, position: int, numeral: Numeral | None, vulgar: Mapping[str, Fraction]
) -> int:
    """Where digits and the fraction that belongs to them end."""
    end = position if numeral is None else numeral.end
    spaced = end + (text[end : end + 1] == " ")
    if text[spaced : spaced + 1] in vulgar and text[spaced : spaced + 1]:
        return spaced + 1
    slashed = _SLASHED.match(text, end)
    if slashed is not None:
        return slashed.end()
    whole = _SLASHED.match(text, position)
    return whole.end() if whole is not None else end


class _HanRun:
    """One number with Chinese characters, read from left to right."""

    def __init__(self, text: str, position: int, vulgar: Mapping[str, Fraction]) -> None:
        self.text, self.start, self.at, self.vulgar = text, position, position, vulgar
        self.places = _Places()
        self.numerals: list[Numeral] = []
        self.scale = Decimal(1)
        self.failed = False
        self.characters = 0
        self.parts = 1

    def read(self) -> Numeral | tuple[int, int] | None:
        """The number, an unread span, or None."""
        value = self.value()
        if value is None:
            end = self.chain_end()
            long = end - self.start > 1 and any(
                c in han_characters().scales or c in self.vulgar
                for c in self.text[self.start : end]
            )
            return (self.start, end) if long and self.characters_but_names() else None
        if self.left_over():
            part = _PART_OF.match(self.text, self.at)
            return self.start, max(self.chain_end(), part.end() if part is not None else 0)
        words = not self.numerals
        exact = exact_decimal(value)
        decimals = sum(numeral.decimals for numeral in self.numerals[-1:]) if self.numerals else 0
        if len(self.numerals) == 1 and self.at > self.numerals[0].end:
            scale = self.scale
            significant = self.numerals[0].significant
        elif self.numerals:
            scale = self.scale
            significant = sum(numeral.significant for numeral in self.numerals)
        else:
            decimals = self.spelt_decimals
            scale = self.scale if decimals else Decimal(1)
            significant = significant_digits(exact / scale, decimals)
        return Numeral(exact, self.at, decimals, significant, scale, words, scale, self.parts)

    spelt_decimals = 0

    def characters_but_names(self) -> bool:
        """Whether an unread run is a number at all, and not 百 or 万 in a word."""
        run = self.text[self.start : self.chain_end()]
        return any(c in han_characters().digits or c.isdigit() or c in self.vulgar for c in run)

    def value(self) -> Fraction | None:
        """Read as far as the number goes; None where it cannot be read."""
        half = self.half()
        if half is not None:
            return half
        run = han_characters().run.match(self.text, self.at)
        digits = han_characters().digits
        if run is not None and all(c in digits for c in run[0]):
            value = _positional(run[0])
            if value is None:
                return None
            self.at = run.end()
            self.places.pending = value
            spelt = self.point()
            if spelt is None:
                return None
            self.places.pending = spelt
        while self.at < len(self.text) and self.characters < _MOST:
            self.characters += 1
            if not self.step():
                break
        if self.failed:
            return None
        total = self.places.total()
        if total is None:
            return None
        return self.of_whole(self.with_half(total))

    def half(self) -> Fraction | None:
        """半个亿, 半小时."""
        match = _HALF_OF.match(self.text, self.at)
        if match is not None and self.text[self.at - 1 : self.at] not in ("大", "多", "小", "半"):
            scale = han_characters().large[self.text[match.end()]]
            self.at = match.end() + 1
            return Fraction(scale, 2)
        match = _HALF_UNIT.match(self.text, self.at)
        if match is not None and self.text[self.at - 1 : self.at] not in tuple("上下前后大多一"):
            self.at = match.end()
            return Fraction(1, 2)
        return None

    def point(self) -> Fraction | None:
        """The pending digits with those after a point."""
        match = han_characters().fraction.match(self.text, self.at)
        pending = self.places.pending
        if match is None or pending is None:
            return pending
        digits = "".join(str(han_characters().digits[c]) for c in match[1])
        self.at = match.end()
        self.spelt_decimals = len(digits)
        return pending + Fraction(int(digits), 10 ** len(digits))

    def step(self) -> bool:
        """Take one piece; False at the end of the number."""
        text, at = self.text, self.at
        character = text[at]
        spaced = character == " " and self.places.last in ("0", "½")
        if spaced:
            at, character = at + 1, text[at + 1 : at + 2]
        han = han_characters()
        if character.isascii() and character.isdigit():
            return not spaced and self.take_digits(at)
        if character in self.vulgar and character:
            return self.take_vulgar(at)
        if self.take_counted(at):
            return True
        if character not in (han.scales if spaced else {**han.digits, **han.scales}):
            return False
        if _UNIT_OF_SCALE.match(text, at) is not None:
            return False
        if not self.places.take(character, None):
            self.failed = True
            return False
        self.at = at + 1
        if character in han.scales:
            self.scale = Decimal(int(self.places.unit))
        elif self.places.pending is not None:
            spelt = self.point()
            if spelt is not None:
                self.places.pending = spelt
        return True

    def take_counted(self, at: int) -> bool:
        """Take 个 between a number and its scale, or 个半 after it."""
        pending = self.places.pending
        counted = _COUNTED_SCALE.match(self.text, at)
        half = _COUNTED_HALF.match(self.text, at)
        if pending is None or (counted is None and half is None):
            return False
        if half is not None:
            self.places.pending = pending + Fraction(1, 2)
            self.places.last = "½"
            self.parts, self.spelt_decimals = 2, 1  # a half is written with one decimal
        self.at = at + 1 if half is None else half.end()
        return True

    def take_digits(self, at: int) -> bool:
        """Take a number in digits, with the fraction beside it."""
        numeral = digits_at(self.text, at)
        if numeral is None or self.places.pending is not None:
            self.failed = True
            return False
        value = Fraction(numeral.value)
        end = numeral.end
        slashed = _SLASHED.match(self.text, end)
        whole = _SLASHED.match(self.text, at)
        if whole is not None and slashed is None and not self.numerals:
            value, end = Fraction(int(whole[1]), int(whole[2])), whole.end()
        elif slashed is not None and self.text[end] == " " and numeral.decimals == 0:
            value, end = value + Fraction(int(slashed[1]), int(slashed[2])), slashed.end()
        if self.places.last and value >= self.places.unit:
            self.failed = True
            return False
        if not self.places.take("0", value):
            self.failed = True
            return False
        self.numerals.append(numeral)
        self.at = end
        return True

    def take_vulgar(self, at: int) -> bool:
        pending = self.places.pending or Fraction(0)
        if pending.denominator != 1 or (self.places.last not in ("0", "")):
            self.failed = True
            return False
        self.places.pending = pending + self.vulgar[self.text[at]]
        self.places.last = "½"
        self.parts = self.vulgar[self.text[at]].denominator
        self.at = at + 1
        return True

    def with_half(self, total: Fraction) -> Fraction:
        """Add 半 after a scale: 两亿半."""
        places = self.places
        if self.text[self.at : self.at + 1] != "半" or places.last not in han_characters().large:
            return total
        if _COUNTED_HALF.match("个" + self.text[self.at : self.at + 2]) is None:
            return total
        if (total / places.unit).denominator != 1:
            return total
        self.at += 1
        self.parts, self.spelt_decimals = 2, 1  # a half is written with one decimal
        return total + places.unit / 2

    def of_whole(self, total: Fraction) -> Fraction | None:
        """Three quarters as 四分之三: a part of the number that was read so far."""
        if self.text[self.at : self.at + 2] != "分之" or total == 0:
            return total
        part = read_chinese(self.text, self.at + 2)
        if part is None:
            arabic = digits_at(self.text, self.at + 2)
            if arabic is None:
                return None
            part = arabic.value, 0, arabic.end
        self.at = part[2]
        value = Fraction(part[0]) / total
        self.numerals.clear()
        large = han_characters().large.get(self.text[self.at : self.at + 1])
        # 四分之三亿: the scale was read as part of the second number.
        if large is not None:
            return None
        return value

    def left_over(self) -> bool:
        """Whether what follows belongs to the number and was not joined to it."""
        text, at = self.text, self.at
        following = text[at : at + 2]
        han = han_characters()
        vague = number_words("zh").vague_after
        if following[:1] in vague and (following[1:] in han.scales) and following[1:]:
            return True
        if following[:1] and (following[0] in self.vulgar or following[0] in "又兆打"):
            if following[0] == "打":
                return _NOT_DOZEN.match(text, at) is None
            return following[0] != "兆" or _UNIT_OF_SCALE.match(text, at) is None
        if following.startswith("半"):
            return following[1:] not in _HALF_OF_NAME
        fits = following[:1] in han.scales or following[:1] in han.digits
        if fits and following and _UNIT_OF_SCALE.match(text, at) is None:
            return True
        if _OF_AT.match(text, at) is not None or _SCALE_APART.match(text, at) is not None:
            return True
        if following[:1] in ("成",) and _NOT_TENTH.match(text, at) is None:
            return True
        if _PART_OF.match(text, at) is not None or _HALF_AFTER_UNIT.match(text, at) is not None:
            return True
        if text[at - 1] in {*han.scales, *han.digits} and _SPACED_SCALE.match(text, at) is not None:
            return True
        before = text[max(0, self.start - 3) : self.start]
        return before.endswith(("千分之", "万分之", "亿分之"))

    def chain_end(self) -> int:
        """Where the characters of the number end, read or not."""
        match = _CHAIN.match(self.text, self.start)
        return max(self.at, match.end() if match is not None else self.start + 1)


_HALF_OF_NAME = frozenset("导岛径场球天年夜数")
_OF_AT = re.compile("[ \u00a0]{0,3}[万百千亿十]?分 {0,2}之|[点點][零〇一二三四五六七八九]")
_SCALE_APART = re.compile("[ \u00a0]{1,3}[十百千万萬亿億]")
_NOT_DOZEN = re.compile("打[印算开造工击破]")
_NOT_TENTH = re.compile("成[为為立功本员員交都长長就果熟绩績人年份分品语語型品]")
_PART_OF = re.compile(
    "[^，。,.;；]{0,3}的(?:一半|[一二三四五六七八九十百]{1,3}分之[0-9一二三四五六七八九十百]{0,6}|[两二三]倍)"
)
_HALF_AFTER_UNIT = re.compile("(?:倍|小时|天|年|公斤|公里|米|吨|斤)半(?![导岛径场球天年夜数])")
_SPACED_SCALE = re.compile(
    "[ \u00a0]{1,3}[0-9点點分又零〇一二两三四五六七八九十百千万萬亿億兆半余多几]"
)
_CHAINED = (
    "[0-9.,零〇○一二两兩三四五六七八九壹贰貳叁參肆伍陆陸柒捌玖十拾百佰千仟万萬亿億兆半几幾多余餘点點"
    "½⅓⅔¼¾个個分之又负負]"
)
_CHAIN = re.compile(f"{_CHAINED}(?: {{0,2}}{_CHAINED}){{0,60}}+")
