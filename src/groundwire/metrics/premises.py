"""Whether what a question takes for granted of its values is so: "why did revenue fall".

A premise that the figures deny is corrected with both of them; one that they bear out is not
mentioned; one that cannot be compared, because a figure is not held, is said to be unchecked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Literal

from groundwire.metrics.intent import english_words as english
from groundwire.metrics.intent.german_words import german_words
from groundwire.metrics.intent.tokens import Explained, simplified
from groundwire.metrics.results import Cell
from groundwire.metrics.terms import TOTAL
from groundwire.metrics.wording import Language, amount, say

Premise = Literal["rise", "fall", "higher", "lower", "loss"]
"""That a value rose or fell in time, that the first named is higher or lower than the second, or
that it is below zero."""

_CHINESE = re.compile(
    r"(?P<rise>涨|上升|上涨|增加|增长|提升|提高|回升|走高|扩大|升高|猛增|激增|大增|大涨|暴涨|飙升|飆升|攀升)"
    r"|(?P<fall>跌|下滑|下跌|下降|减少|回落|降低|走低|萎缩|缩水|收缩|锐减|大跌|大减|暴跌|骤降|骤减|跳水|下挫)"
)
_CHINESE_COMPARED = re.compile(
    r"比.{0,40}?(?:(?P<higher>[更还]?[高多大])|(?P<lower>[更还]?[低少小]))"
)
_DENIED = frozenset(["not", "no", "never", "nor", "without", "t", "hardly", "slow", "slowed"])
_NO_WORDS = dict.fromkeys(("denied", "rises", "falls"), frozenset[str]())
_CHINESE_DENIED = re.compile("[没未不]|放缓|减速|速度")


def way_of(question: str) -> Premise | None:
    """Return rise or fall, as the words of a question about a change say; None for both or none."""
    found = {str(match.lastgroup) for match in _CHINESE.finditer(simplified(question))}
    words = set(re.findall(r"[^\W\d_]+", question.casefold()))
    german = german_words()
    if words & _DENIED or words & german["denied"]:
        return None
    found |= {"rise"} if words & (english.RISES | german["rises"]) else set()
    found |= {"fall"} if words & (english.FALLS | german["falls"]) else set()
    if len(found) != 1:
        return None
    return "rise" if found == {"rise"} else "fall"


def read_premise(explained: Explained, language: str = "en") -> Premise | None:
    """Find what a question says of the way that its values went.

    Args:
        explained: the question.
        language: in which it is asked.

    Returns:
        the first such word's way; None where there is none, or where it is denied.
    """
    tokens, roles = explained.tokens, explained.roles
    plain = [token.plain for token in tokens]
    free = [at for at, role in enumerate(roles) if role not in ("term", "period")]
    text = simplified(
        "".join(one.text if at in free else "N" for at, one in enumerate(tokens))
        if any(one.kind == "cjk" for one in tokens)
        else ""
    )
    if text:
        found = _CHINESE.search(text)
        if found is None:
            found = _CHINESE_COMPARED.search(text)
        if found is None or _CHINESE_DENIED.search(text.replace("不含", "")):
            return None
        groups: dict[str, Premise] = {
            "rise": "rise", "fall": "fall", "higher": "higher", "lower": "lower",
        }  # fmt: skip
        return groups[str(found.lastgroup)]
    german = german_words() if language == "de" else _NO_WORDS
    if (_DENIED | german["denied"]) & set(plain):
        return None
    for at in free:
        if plain[at] in english.RISES or plain[at] in german["rises"]:
            return "rise"
        if plain[at] in english.FALLS or plain[at] in german["falls"]:
            return "fall"
        if "than" in plain[at:] and plain[at] in english.ABOVE:
            return "higher"
        if "than" in plain[at:] and plain[at] in english.BELOW:
            return "lower"
    return None


_YEAR = re.compile(r"(FY)?(\d{4})(?:(Q|H|-)(\d{1,2}))?")
_PARTS = {"Q": 4, "H": 2, "-": 12}

Names = Mapping[str, str]


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
    if premise == "loss":
        return list(_losses(cells, names, language))
    return _beside(premise, cells, names, language)


def _losses(cells: Sequence[Cell], names: Names, language: Language) -> Iterator[str]:
    """Contradict a loss with each value that is not below zero."""
    for cell in cells:
        if cell.status == "found" and Decimal(cell.value_text or 0) >= 0:
            what = _what(cell, names, language)
            value = _value(cell, language)
            yield say("no_loss", language, what=what, period=str(cell.period), value=value)


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
    way = "rose" if premise == "rise" else "fell"
    for key, own in series.items():
        found = sorted((one for one in own if one.status == "found"), key=_end)
        # Who names one period may mean the change from the one before or from a year ago.
        of = [*(found[:1] if len(found) > 1 else ()), *before.get(key, [])]
        of = [one for one in of if found and one.unit == found[-1].unit]
        what = _what(own[0], names, language)
        if not found or not of:
            # A refusal holds no figure, and so no period either; nor is it of an earlier one.
            then = _then(found[-1], language) if len(found) == len(own) else ""
            yield say(f"{way}_unchecked", language, what=what, then=then)
            continue
        wanted = 1 if premise == "rise" else -1
        if not any(_way(one, found[-1]) == wanted for one in of):
            yield _corrected(way, what, of[0], found[-1], language)


def _corrected(way: str, what: str, one: Cell, last: Cell, language: Language) -> str:
    if _way(one, last):
        instead = say(
            f"{way}_instead",
            language,
            before=_value(one, language),
            earlier=str(one.period),
            after=_value(last, language),
            period=str(last.period),
        )
    else:
        instead = say("unchanged", language, after=_value(last, language), earlier=str(one.period))
    return say(f"{way}_not", language, what=what, period=str(last.period), instead=instead)


def _beside(
    premise: Literal["higher", "lower"], cells: Sequence[Cell], names: Names, language: Language
) -> list[str]:
    """Whether the first that is named is more, or less, than the second."""
    if len(cells) != 2:
        return []
    first, second = cells
    if first.status != "found" or second.status != "found" or first.unit != second.unit:
        return [say(f"{premise}_unchecked", language)]
    way = _way(second, first)
    if way == (1 if premise == "higher" else -1):
        return []
    one, other = (
        say("in_period", language, what=_what(cell, names, language), period=str(cell.period))
        for cell in cells
    )
    value = _value(first, language)
    if not way:
        return [say("alike", language, one=one, other=other, first=value)]
    second_value = _value(second, language)
    key = f"not_{premise}"
    return [say(key, language, one=one, other=other, first=value, second=second_value)]


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
    return amount(Decimal(cell.value_text or 0), cell.unit or "", language)


def _what(cell: Cell, names: Names, language: Language) -> str:
    metric, entity, channel = (names.get(one, one) for one in _series(cell))
    part = say("part", language, channel=channel) if _series(cell)[2] != TOTAL else ""
    return say("whose", language, metric=metric, part=part, entity=entity)


def _then(cell: Cell, language: Language) -> str:
    return say("then", language, period=str(cell.period))
