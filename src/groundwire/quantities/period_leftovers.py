"""Words and numbers of time that are no period: where one of them stands, nobody may assume one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from groundwire.quantities.numerals import LANGUAGES, any_of, tables, time_words
from groundwire.quantities.period_grammar import scan
from groundwire.quantities.period_marks import MONTH, NUMBER

_BOUNDS = ("before", "until", "since", "after")
_FOLLOWS = (*(f"{kind}_follows" for kind in _BOUNDS), "vague_follows")
# The most characters before an expression in which a word of time stands.
_WINDOW = 40

_YEARS = (
    # The digits may be a year whatever is around them, except other digits.
    r"(?<![0-9])(?<![0-9][.,])(?:1[5-9]|2[01])[0-9]{2}(?![0-9])(?![.,][0-9])(?:\s?年代)?",
    r"(?<![0-9])(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])?(?![0-9])",
    r"(?<![0-9])(?:1[5-9]|2[01])[0-9]{2}[-/.][0-9]{1,2}(?:[-/.][0-9]{1,2})?(?![0-9])",
    r"(?<![0-9])[0-9]{1,2}[/.][0-9]{1,2}[/.](?:[0-9]{2}|[0-9]{4})(?![0-9])",
)
_HAN_NUMBER = "[0-9〇零○一二三四五六七八九十百千两几数半多这那每]"
_HAN_AMOUNT = (
    rf"(?<!统)(?:第\s?)?{_HAN_NUMBER}{{1,8}}\s?(?:多|余|来)?(?:个|整)?\s?"
    r"(?:年代|年(?!级|轻|薪|龄|化)|月(?!薪|饼|球|亮|票|租|活)|季(?!节|军)|日(?![本元常活程志益语圆文])|天(?![然气津花猫])"
    r"|周(?![转边围黑大杰])|季度|财年|世纪|年代|小时|分钟|号(?![码线机]))"
    r"(?:以?[前后来内]|之[前后内间]|[初末底中间])?"
)


@cache
def _pattern() -> re.Pattern[str]:
    """Return the pattern of every word and number of time, compiled when the first text is read."""

    def any_of(words: Iterable[str]) -> str:
        return "|".join(sorted(map(re.escape, words), key=len, reverse=True))

    latin = [tables(language)["time"] for language in LANGUAGES if language != "zh"]
    stems, words, phrases = (
        [one for table in latin for one in table[kind]] for kind in ("stems", "words", "phrases")
    )
    read = [one.replace("<month>", MONTH).replace("<number>", NUMBER) for one in phrases]
    han = tables("zh")["time"]["words"]
    # What begins no word of time is passed over at once.
    first = "".join(sorted({word[0] for word in han}))
    return re.compile(
        rf"(?<![0-9A-Za-z_])(?=[0-9a-z'])(?:{'|'.join(read)}|(?:{any_of(stems)})[a-z]{{0,12}}"
        rf"|(?:{any_of(words)}))(?![A-Za-z])"
        rf"|(?=[0-9])(?:{'|'.join(_YEARS)})|(?=[{first}])(?:{any_of(han)})"
        rf"|(?=[第0-9〇零○一二三四五六七八九十百千两几数半多这那每]){_HAN_AMOUNT}",
        re.IGNORECASE | re.ASCII,
    )


# What makes another time of the period beside it: 2024年初, 2024年前, 到2024年, "2019+".
_HAN_BEFORE = re.compile(r"(?:(?<![达得提看找])到|至|直至|早于|晚于)\s?$")
_BESIDE = re.compile(
    r"\s?\+|\s?(?:年?初|[以之]?前(?![0-9一二两三四五六七八九十])|[以之]?后|前后|左右|早期|晚期|后期"
    r"|[上中下]旬|[春夏秋冬]|年?中(?=$|[的,，。、?？)）;；\s]))"
)
# A number that a range sign ties to an expression: "1 to 31 March 2024", "2022Q1-3".
_NUMBER_TO = re.compile(
    r"(?<![0-9A-Za-z])[0-9]{1,4}\s?(?:-|~|to|and|through|&|至|到|、)\s?$", re.IGNORECASE
)
_TO_NUMBER = re.compile(
    r"\s?(?:-|~|to|through|/|至|到)\s?'?[0-9]{1,4}(?![0-9A-Za-z,.%])(?!\s?(?:million|billion|percent|[万亿%]))",
    re.IGNORECASE,
)


def find_time_words(text: str) -> list[tuple[int, int]]:
    """Find spans of what speaks of time and is not read by `find_periods`.

    Vague words ("recently", 近几年), comparisons (yoy, 同比), bounds ("before", "until"), units
    alone, seasons, feasts, eras, impossible periods (Q5 2024, 31 June), four digits that may be a
    year, and digits with 年, 月, 日 or 季. In order, without overlap.
    """
    found = scan(text)
    folded, marks = found.folded, found.marks
    spans = [*found.dropped]
    for mark in marks:
        before = _NUMBER_TO.search(folded, max(0, mark.start - 14), mark.start)
        after = _TO_NUMBER.match(folded, mark.end)
        until = _HAN_BEFORE.search(folded, max(0, mark.start - 3), mark.start)
        beside = _BESIDE.match(folded, mark.end)
        around = (before, after, until, beside)
        spans.extend(match.span() for match in around if match is not None)
        said = _word_before(folded, mark.start, *_BOUNDS, "vague")
        if said is not None and mark.start > said[2]:
            spans.append((said[2], said[2] + len(said[1])))
        late = _word_after(folded, mark.end, *_FOLLOWS)
        if late is not None:
            spans.append((late[2] - len(late[1]), late[2]))
    spans.extend(match.span() for match in _unread_pattern().finditer(folded))
    spans.extend(match.span() for match in _pattern().finditer(folded))
    apart = _apart(spans, [(mark.start, mark.end) for mark in marks])
    stripped = [(start, start + len(folded[start:end].rstrip())) for start, end in apart]
    return [found.respelt.span(start, end) for start, end in stripped]


def _apart(spans: list[tuple[int, int]], read: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans that touch nothing read, in order, merged where they overlap."""
    kept: list[tuple[int, int]] = []
    i = 0
    for start, end in sorted(spans):
        while i < len(read) and read[i][1] <= start:
            i += 1
        if i < len(read) and read[i][0] < end:
            if read[i][0] <= start:
                continue
            end = read[i][0]
            if end - start < 2:  # 过 of 过去年
                continue
        if kept and start < kept[-1][1]:
            kept[-1] = (kept[-1][0], max(end, kept[-1][1]))
        else:
            kept.append((start, end))
    return kept


@cache
def _before(kinds: tuple[str, ...]) -> re.Pattern[str]:
    words = [word for kind in kinds for word in time_words(kind)]
    latin = any_of(word for word in words if word[0].isascii())
    han = any_of(word for word in words if not word[0].isascii()) or "(?!)"
    fillers = any_of(time_words("fillers"))
    return re.compile(
        rf"(?:(?<![A-Za-zÄÖÜäöüß])(?P<latin>{latin})[ -]{{1,2}}(?:(?:{fillers}) ){{0,2}}"
        rf"|(?<![达得提看找])(?P<han>{han}) ?)$",
        re.IGNORECASE,
    )


@cache
def _after(kinds: tuple[str, ...]) -> re.Pattern[str]:
    words = [word for kind in kinds for word in time_words(kind)]
    latin = any_of(word for word in words if word[0].isascii()) or "(?!)"
    han = any_of(word for word in words if not word[0].isascii()) or "(?!)"
    return re.compile(rf",? (?P<latin>{latin})(?![A-Za-zäöü])| ?(?P<han>{han})", re.IGNORECASE)


def _word_before(text: str, start: int, *kinds: str) -> tuple[str, str, int] | None:
    """The word of time before a place: its kind, the word, and where it begins."""
    match = _before(kinds).search(text, max(0, start - _WINDOW), start)
    if match is None:
        return None
    word = (match["latin"] or match["han"]).lower()
    return next(kind for kind in kinds if word in time_words(kind)), word, match.start()


def _word_after(text: str, end: int, *kinds: str) -> tuple[str, str, int] | None:
    """The word of time after a place: its kind, the word, and where it ends."""
    match = _after(kinds).match(text, end)
    if match is None:
        return None
    word = (match["latin"] or match["han"]).lower()
    return next(kind for kind in kinds if word in time_words(kind)), word, match.end()


@cache
def _unread_pattern() -> re.Pattern[str]:
    """Spans that speak of time in the word files and are not read."""
    forms = [form for language in LANGUAGES for form in tables(language)["time"]["unread"]]
    return re.compile(
        rf"(?<![0-9A-Za-zÄÖÜäöüß])(?:{'|'.join(forms)})(?![0-9A-Za-zäöü])", re.IGNORECASE
    )
