"""German, Chinese and abbreviated requests said in the plain English that the reader takes apart.

The words are ordered rules in `rewriting_LANGUAGE.toml`: a pattern and what stands for it. Names of
places stay as they were written, and so does every word that no rule knows: the reader then names
it as not taken into account, so nothing that was not understood is lost on the way.
"""

from __future__ import annotations

import re
import tomllib
from calendar import month_name
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal

from groundwire import journeys
from groundwire.agents.journey_requests.names import (
    parted,
    plainly_spelled,
    with_joined_names,
    without_names,
)
from groundwire.agents.journey_requests.recurring import ordinal
from groundwire.agents.journey_requests.settings_languages import said_elsewhere

Language = Literal["en", "de", "zh"]
_LONGEST = 2_000
_STATEMENT_NAMES = Path(journeys.__file__).with_name("statement_names.toml")
_NAME = re.compile(r"\b[A-ZÄÖÜ][\w’'-]*")
_ENGLISH = re.compile(
    r"\b(?:to|from|the|at|by|please|tomorrow|today|which|how|is|are|with|without|avoiding|way|on|off|first|last|next|does|when)\b"
)
_HAN = re.compile(r"[\u4e00-\u9fff]")
# "am 30. November" ends no sentence.
_SENTENCE = re.compile(
    r"[^.!?。！？]+(?:(?:\.(?=\S)|(?<=\bSt)\.|(?<=\d)\.(?=\s?(?:jan|feb|mär|apr|mai|jun|jul|aug|sep|okt|nov|dez|"
    r"advent|weihnacht|"
    r"(?-i:[a-zäöü]))))"
    r"[^.!?。！？]*)*[.!?。！？]*\s*",
    re.IGNORECASE,
)
# Where another day begins, whose hours do not follow those before.
_DAY = re.compile(
    r"明天|后天|周|星期|每|morgen\b|tomorrow|(?<!\w)\w+(?:tags?|day)\b|mittwochs?\b", re.IGNORECASE
)
_TIME = re.compile(
    r"\b(\d\d):(\d\d)\b|\b(?:um|ab|bis|gegen)\s(\d{1,2})(?![\d:.])|(?<!\d)(\d{1,2})\s?点", re.I
)
_BY_THE_CLOCK = re.compile(r"uhr|0\d", re.IGNORECASE)
_EARLY = re.compile(
    r"früh|morgens|vormittag|nacht|凌晨|早|夜|上午|morning|night|flug|航班", re.IGNORECASE
)
_OF_NIGHT = re.compile("晚上|夜")
_BY = re.compile(r"bis|vor|spätestens|前|之前|以前")
_AROUND = re.compile(r"gegen|etwa|circa|ca|左右|大约|大概")
_WEEKS = {2: "two", 3: "three", 4: "four"}
_THEN = re.compile(r"[,，;；]\s*(?:然后|再|接着|und\s+dann|dann|und)?\s*")
_AND_THEN = re.compile(
    r"(?<!\w)(?:und|aber|dann)\s(?:dann\s)?|[,，;；]\s?(?:然后|再|并且?|还有|顺便|不过|但是?|同时)?"
)
_FILE = re.compile(r"kalender|日历|karte\b|地图", re.IGNORECASE)
_MOVED = re.compile(
    r"\b(?:später|früher)\b|[早晚](?![上餐饭间])|提前|推迟|延后|改[成到为]", re.IGNORECASE
)
_ENDS = re.compile(
    r"[从到去](?!日历|地图)|\b(?:von|nach)\s+(?-i:[A-ZÄÖÜ])|erinner|提醒", re.IGNORECASE
)
_TRAVELS = re.compile(r"[从去到回]|\b(?:von|vom|nach|zu[mr]?|wie|wann|heim|zurück)\b", re.I)
_Rule = tuple[re.Pattern[str], str]


def language_of(text: str) -> Language:
    """Return the language that a request is written in; English where no word tells."""
    text = without_names(plainly_spelled(text))
    if _HAN.search(text):
        return "zh"
    known = _known("de")
    if known.marks is None or not known.marks.search(text):
        return "en"
    # "Hauptbahnhof to Seestraße": a German name makes no German sentence.
    words = _NAME.sub(" ", text) if _ENGLISH.search(text) else text
    return "de" if known.marks.search(words) else "en"


def language_of_all(texts: Iterable[str]) -> Language:
    """Return the language of the first of some texts that has a word which tells, else English."""
    for text in texts:
        found = language_of(text)
        if found != "en" or _ENGLISH.search(text):
            return found
    return "en"


def not_understood(unread: Sequence[str], language: Language) -> tuple[str, ...]:
    """Return words of a request, left in plain English, that may change which trip it asks for.

    They are none in English, whose reader says itself what its words may mean.
    """
    harmless = _known(language).harmless
    said = [(one, re.findall(r"[\w’'-]+", one)) for one in unread if harmless is not None]
    return tuple(one for one, words in said if harmless and not all(map(harmless.fullmatch, words)))


def in_english(text: str) -> str:
    """Return a request in plain English, its names as they are; an English one almost as it is."""
    return parted(in_joined_english(text))


@lru_cache(maxsize=256)
def in_joined_english(text: str) -> str:
    """Return a request in plain English, in which names that hold other words are one word each.

    A sentence of another language that states a setting for good is kept for its own reader, and
    so is a text that is longer than requests are.
    """
    language = language_of(text)
    if len(text) > _LONGEST:
        return text
    text = with_joined_names(plainly_spelled(text))
    if language == "en":
        return _rewritten(text, _known("en"))
    known = _known(language)
    sentences = _SENTENCE.findall(text) or [text]
    said, asks = list[str](), False
    for one in (part for sentence in sentences for part in _settings_apart(sentence, known)):
        if asks and not said[-1].rstrip().endswith(("?", "!", ".")):
            said[-1] += "?"  # a rule has taken the mark with its words
        asks = one.rstrip().endswith(("?", "？"))
        named = known.named(one)
        kept = said_elsewhere(named.strip())
        said.append(named if kept else _rewritten(one, known, " ".join(said)))
    return " ".join(" ".join(said).split())


def _settings_apart(sentence: str, known: _Known) -> Sequence[str]:
    """Return the parts of a sentence that keeps something first and then asks for a trip."""
    for mark in _THEN.finditer(sentence) if said_elsewhere(known.named(sentence)) else ():
        first, rest = sentence[: mark.start()], sentence[mark.end() :]
        kept, more = (said_elsewhere(known.named(one)) for one in (first, rest))
        if _TRAVELS.search(rest) and kept and not more:
            return f"{first}. ", rest
    return _files_apart(sentence)


def _files_apart(sentence: str) -> Sequence[str]:
    """Return the parts of a reply that moves a trip and asks for a file of it, in any order."""
    for mark in _AND_THEN.finditer(sentence) if not _ENDS.search(sentence) else ():
        first, rest = sentence[: mark.start()], sentence[mark.end() :]
        for file, moved in ((first, rest), (rest, first)):
            if _FILE.search(file) and _MOVED.search(moved) and not _FILE.search(moved):
                return f"{first.strip(' ,;，；')} ", rest
    return (sentence,)


def _rewritten(text: str, known: _Known, before: str = "") -> str:
    known = copy(known)
    known.before = before
    for pattern, said in known.rules:
        if said.startswith("="):
            text = pattern.sub(_MAKERS[said[1:]](known), text)
        else:
            text = pattern.sub(said, text)
    return text


class _Known:
    """The rules of a language, made of its file.

    Attributes:
        marks: what only a text of this language has; None where nothing tells.
        harmless: words that may be left without changing which trip is meant; None for English.
        rules: patterns and what stands for them, in the order in which they are applied.
        numbers: the words of numbers.
        days, short, nth: the days of the week, how a row of them is cut short, and the words that
            count them within a month.
        before: what was said before the text that is rewritten.
        late: words of the parts of a day whose hours are counted from noon.
        lines: names of lines in other languages, with those in English.
        places: names of stations, sights and towns in this language, likewise.
    """

    def __init__(self, file: Path) -> None:
        tree = tomllib.loads(file.read_text("utf-8"))
        marks = tree.get("marks")
        self.before = ""
        self.marks = re.compile(marks, re.IGNORECASE) if marks else None
        self.numbers: Mapping[str, int] = tree.get("numbers", {})
        self.days: Mapping[str, str] = tree.get("days", {})
        self.short: Mapping[str, str] = tree.get("short", self.days)
        self.nth: Mapping[str, str] = tree.get("nth", {})
        harmless = tree.get("harmless")
        self.harmless = re.compile(harmless, re.IGNORECASE) if harmless else None
        self.late = re.compile(tree["late"], re.IGNORECASE) if "late" in tree else None
        longest = sorted(self.numbers, key=lambda one: (-len(one), one))
        parts = {"number": r"\d{1,2}" + "".join(f"|{re.escape(one)}" for one in longest)}
        named = sorted(self.days, key=lambda one: (-len(one), one))
        parts["day"] = "|".join(map(re.escape, named)) or "(?!)"
        self.lines = _line_names()
        self.places: Mapping[str, str] = tree.get("places", {})
        for name, known in (("lines", self.lines), ("places", self.places)):
            longest = sorted(known, key=lambda one: (-len(one), one))
            parts[name] = "|".join(map(re.escape, longest)) or "(?!)"
        # A name that another one ends with is none: "北伊灵" is not the north of Ealing.
        parts["places"] = f"(?<![东西南北上下新])(?:{parts['places']})"
        self._place = re.compile(parts["places"])
        parts |= tree.get("parts", {})
        self.rules: list[_Rule] = []
        for pattern, said in tree["rules"]:
            for name, part in parts.items():
                pattern = pattern.replace(f"{{{name}}}", part)
            self.rules.append((re.compile(pattern, re.IGNORECASE), said))

    def is_late(self, before: str, minutes: int, *, said: bool) -> bool:
        """Return whether an hour is counted from noon.

        It is by the part of its day; without one also after an earlier time of the same day, which
        it would lie before otherwise: "at 14:30 to Bank, at 5 back".

        Args:
            before: the part of the day, or where there is none the text of the day before the hour.
            minutes: the hour as it stands, in minutes from midnight.
            said: whether `before` is the part of the day.
        """
        if self.late is not None and self.late.search(before):
            return True
        clock, early = 0, _EARLY.search(before)
        for one in _TIME.finditer(before):
            at = 60 * int(one[1] or one[3] or one[4]) + int(one[2] or 0)
            spoken = not one[1] and at < 7 * 60 and not early
            clock = at + 12 * 60 * (spoken or at < clock <= at + 12 * 60)
        return not said and minutes < clock <= minutes + 12 * 60

    def named(self, text: str) -> str:
        """Return a text with the English names of its places."""
        return self._place.sub(lambda match: f" {self.places[match[0]]} ", text)

    def number(self, said: str) -> int:
        """Return a number that is said in digits or words."""
        if said.isdigit():
            return int(said)
        if (known := self.numbers.get(said.casefold())) is not None:
            return known
        # Chinese tens: "四十五", "零五".
        tens, ten, ones = said.removeprefix("零").rpartition("十")
        return 10 * (self.numbers.get(tens, 1) if ten else 0) + self.numbers.get(ones, 0)


@cache
def _line_names() -> Mapping[str, str]:
    """Return the English name of each line of London by those that other languages have."""
    tree = tomllib.loads(_STATEMENT_NAMES.read_text("utf-8"))
    return {name: line for line, names in tree["lines"].items() for name in names}


def _clock(known: _Known) -> Callable[[re.Match[str]], str]:
    """Return what makes a time of a match: `hour` and its minutes, `lead`, `tail` and `day`."""

    def made(match: re.Match[str]) -> str:
        said = {name: value for name, value in match.groupdict().items() if value}
        hour = known.number(said["hour"])
        minutes = 60 * hour + _minutes(said, known)
        before = _DAY.split(f"{known.before} {match.string[: match.start()]}")[-1]
        if 0 < hour < 12 and known.is_late(said.get("day") or before, minutes, said="day" in said):
            minutes += 12 * 60
        elif 0 < hour < 7 and _is_of_day(said, match):
            # As in English: five is in the afternoon, where nothing says that it is early.
            minutes += 12 * 60
        if hour > 24 or not 0 <= minutes <= 24 * 60:
            return match[0]
        night = " night" if hour % 12 < 6 and _OF_NIGHT.search(said.get("day", "")) else ""
        minutes %= 12 * 60 if night else 24 * 60 + 1
        lead = f"{said.get('lead', '')} {said.get('tail', '')}"
        word = "by" if _BY.search(lead) else "around" if _AROUND.search(lead) else "at"
        return f"{night} {word} {minutes // 60 % 24:02}:{minutes % 60:02} "

    return made


def _is_of_day(said: Mapping[str, str], match: re.Match[str]) -> bool:
    """Whether an hour is said as people speak, and not by the 24 hours of a timetable."""
    exact = "minute" in said or "day" in said or _BY_THE_CLOCK.search(match[0])
    return not exact and not _EARLY.search(match.string)


def _minutes(said: Mapping[str, str], known: _Known) -> int:
    """Return the minutes that are said beside an hour; below 0 for those before it."""
    if "half_to" in said:
        return -30
    if "half" in said:
        return 30
    if "quarter" in said:
        return 15 * known.number(said["quarter"])
    if "before" in said:
        return -known.number(said["before"])
    past = said.get("minute") or said.get("after")
    return known.number(past) if past else 0


def _evening(known: _Known) -> Callable[[re.Match[str]], str]:
    """Return what makes an event of a match, which is in the evening, the time to be there."""
    del known

    def made(match: re.Match[str]) -> str:
        hour = int(match["hour"]) + 12 * (4 < int(match["hour"]) < 11)
        return f" I need to be at {match['b']} by {hour}:{match['minute']} "

    return made


def _between(known: _Known) -> Callable[[re.Match[str]], str]:
    """Return what asks for directions by a line, which name the stops between two places."""

    def made(match: re.Match[str]) -> str:
        ends = [known.places.get(match[one], match[one]) for one in "ab"]
        line = match.groupdict().get("l")
        beside = f" only by the {line} line" if line else ""
        return f"give me directions from {ends[0]} to {ends[1]}{beside}"

    return made


def _date(known: _Known) -> Callable[[re.Match[str]], str]:
    """Return what makes a date of a match: its month and its day, both numbers."""
    del known
    return lambda match: (
        f" on {int(match[2])} {month_name[int(match[1])]} " if int(match[1]) < 13 else match[0]
    )


def _following(known: _Known) -> Callable[[re.Match[str]], str]:
    """Return what makes a departure of a match, which is not to be taken, the minute behind it."""
    del known

    def made(match: re.Match[str]) -> str:
        minutes = int(match["h"]) * 60 + int(match["m"]) + 1
        return f"after {minutes // 60 % 24}:{minutes % 60:02}"

    return made


def _margin(known: _Known) -> Callable[[re.Match[str]], str]:
    """Return what makes a departure and a margin before it the time at which to be there."""

    def made(match: re.Match[str]) -> str:
        groups = match.groupdict()
        hour, minute = int(groups["hour"]), int(groups.get("minute") or 0)
        if (groups.get("noon") or "").casefold().startswith("p") and hour < 12:
            hour += 12
        count = known.number(groups["count"])
        minutes = count * (60 if groups["unit"][0] in "hHsS小个" else 1)
        when = hour * 60 + minute - minutes
        if not 0 <= when < 24 * 60:
            return match[0]
        day = groups.get("day_said") or ""
        rest = groups.get("rest") or ""
        port = groups["port"].strip()
        where = f"I need to be at {port} by" if port else ", arriving by"
        return f"{where} {when // 60:02}:{when % 60:02} {day}{rest}"

    return made


def _row(known: _Known) -> Callable[[re.Match[str]], str]:
    """Return what names each day of a row in full: "Mon, Wed & Fri"."""

    def made(match: re.Match[str]) -> str:
        cut = re.findall(r"[a-z]+|[\u4e00-\u9fff]", match["days"].casefold())
        days = [known.short[one[:3]] for one in cut if one[:3] in known.short]
        led = re.search(r"(?:every|each|on)\s+$", match.string[: match.start()], re.IGNORECASE)
        return f"{'' if led else 'every '}{' and '.join(days)}"

    return made


def _day_first(known: _Known) -> Callable[[re.Match[str]], str]:
    """Return what makes a date of a match that has its day before its month: "3.12."."""
    del known

    def made(match: re.Match[str]) -> str:
        day, month, year = int(match["d"]), int(match["m"]), match["y"] or ""
        return f" on {day} {month_name[month]} {year} " if 0 < month < 13 else match[0]

    return made


def _ahead(known: _Known) -> Callable[[re.Match[str]], str]:
    """Return what makes days or weeks from now of a match."""

    def made(match: re.Match[str]) -> str:
        weeks = match["unit"][0] in "wW周星礼"
        return f" in {known.number(match['count'])} {'weeks' if weeks else 'days'} "

    return made


def _days(known: _Known) -> Callable[[re.Match[str]], str]:
    """Return what names the days of a match in English: a row, those excepted, every other one."""

    def made(match: re.Match[str]) -> str:
        said = match.groupdict()
        one, other = (known.days.get((said.get(key) or "").casefold(), "") for key in ("one", "to"))
        if said.get("except"):
            return f" except {one} "
        if said.get("weeks"):
            return f" every {_WEEKS[known.number(said['weeks'])]} weeks on {one} "
        if said.get("alternate"):
            return f" every other {one} "
        return f" every {one} to {other} "

    return made


def _monthly(known: _Known) -> Callable[[re.Match[str]], str]:
    """Return what names the day of each month of a match: a date `d`, or the `nth` day `one`."""

    def made(match: re.Match[str]) -> str:
        said = match.groupdict()
        if said.get("d"):
            return f" on the {ordinal(known.number(said['d']))} of each month "
        nth, day = known.nth[said["nth"].casefold()], known.days[said["one"].casefold()]
        return f" on the {nth} {day} of each month "

    return made


def _next_days(known: _Known) -> Callable[[re.Match[str]], str]:
    """Return what names the next so many days of a match in English: "next three Tuesdays"."""

    def made(match: re.Match[str]) -> str:
        day, weeks = known.days[match["one"].casefold()], known.number(match["n"])
        return f" every {day} for the next {weeks} weeks "

    return made


def _lasting(form: str) -> Callable[[_Known], Callable[[re.Match[str]], str]]:
    """Return what puts the minutes of a match into a form.

    They are its `count` of minutes or `hours`, else half or a quarter of an hour.
    """

    def maker(known: _Known) -> Callable[[re.Match[str]], str]:
        def made(match: re.Match[str]) -> str:
            said = match.groupdict()
            words = next(filter(None, (said.get("count"), said.get("count_after"))), "")
            minutes = (
                known.number(words)
                if words
                else 30
                if {"half", "half_hour"} & set(filter(said.get, said))
                else 15
            )
            return form.format(minutes * (60 if said.get("hours") else 1))

        return made

    return maker


_MAKERS: Mapping[str, Callable[[_Known], Callable[[re.Match[str]], str]]] = {
    "between": _between,
    "line": lambda known: lambda match: f" {known.lines[match['line']]}线",
    "place": lambda known: lambda match: f" {known.places[match['place']]} ",
    "clock": _clock,
    "date": _date,
    "day_first": _day_first,
    "ahead": _ahead,
    "next_days": _next_days,
    "row": _row,
    "days": _days,
    "evening": _evening,
    "most": _lasting(", in at most {} minutes, "),
    "reminder": _lasting(", remind me {} minutes before, "),
    "sooner": lambda known: lambda match: "earlier" if match["w"] == "früher" else "later",
    "ready": _lasting(", I need {} minutes to get ready, "),
    "spare": _lasting(", with {} minutes to spare, "),
    "earlier": _lasting(" {} minutes earlier "),
    "plan": lambda known: lambda match: f" describe plan {known.number(match['n'])} ",
    "changes": _lasting(", at most {} changes, "),
    "passport": _lasting(", I need {} minutes for passport control, "),
    "stay": _lasting(" stay for {} minutes "),
    "later": _lasting(" {} minutes later "),
    "following": _following,
    "margin": _margin,
    "monthly": _monthly,
}


@cache
def _known(language: Language) -> _Known:
    return _Known(Path(__file__).with_name(f"rewriting_{language}.toml"))
