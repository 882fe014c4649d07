"""Questions for what is computed of shares: changes, gaps and shares within shares; and of ratios.

"How did Germany's share of EU GDP change from 2010 to 2020" has one meaning, the difference of two
shares in percentage points. Such a question is read by its form as a whole: which name is the part
and which the whole is told by the words beside each, and one word more ends the reading. "By how
many percent did the share grow" has two readings, so it is not read here.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Literal, NamedTuple

from groundwire.metrics.formulas import PERCENT
from groundwire.metrics.intent.tokens import clean, tokenize
from groundwire.metrics.terms import TOTAL
from groundwire.quantities import CALENDAR_YEAR, PeriodExpression, find_periods

if TYPE_CHECKING:
    from datetime import date

    from groundwire.metrics.profile import Profile

Language = Literal["en", "de", "zh"]
Form = Literal["share", "gap", "within", "ratio", "points"]
_LONGEST_PHRASE = 4
_LEFT_OUT = "-"
# What may stand beside a form: words without a meaning of their own, periods, and what is asked.
_BESIDE = frozenset("foiukabPVGTD")
_ASKS = frozenset("VGTD")


class ShareForm(NamedTuple):
    """The form of a question and what follows from it.

    Attributes:
        form: a share, a gap of two shares, a share within a share, a ratio, or points of a rate.
        parts: numbers of the pieces that name the parts, in the order of the question.
        whole: number of the piece that names the whole of the share, or None.
        outer: number of the piece that names what the whole is a share of, or None.
        changes: whether a change over time is asked for.
    """

    form: Form
    parts: tuple[int, ...]
    whole: int | None
    outer: int | None
    changes: bool


class _Line(NamedTuple):
    """The letters of a question, with the number of the piece that each stands for."""

    letters: str
    places: tuple[int, ...]


def read_share_form(pieces: Sequence[tuple[str, str]], language: Language) -> ShareForm | None:
    """Return what a question asks of shares or ratios, or None where a word has no place.

    Args:
        pieces: its words and names in order: a letter of "EMCP", or "word" with the folded word.
        language: the language of its words.
    """
    line = _line(pieces, language)
    if line is None:
        return None
    for form, patterns in _forms(language).items():
        for pattern in patterns:
            for found in pattern.finditer(line.letters):
                read = _read(form, found, line)
                if read is not None:
                    return read
    return None


class ShareSlots(NamedTuple):
    """The slots of a question for what is computed of shares or ratios.

    Attributes:
        entities: codes of the parts, then of the whole.
        channels: codes of the channel that is the part, and of the total; or nothing.
        periods: the periods, of a range its ends.
        derive: what is computed.
        share_of: code of the entity that shares are of, or "".
    """

    entities: tuple[str, ...]
    channels: tuple[str, ...]
    periods: tuple[PeriodExpression, ...]
    derive: tuple[str, ...]
    share_of: str


class ShareNames(NamedTuple):
    """The names and periods of a question.

    Attributes:
        metric: code of the metric.
        entities: code of the entity that a piece names, by the number of the piece.
        channels: codes of the channels.
        periods: the periods, as they are written.
    """

    metric: str
    entities: Mapping[int, str]
    channels: tuple[str, ...]
    periods: tuple[PeriodExpression, ...]


def share_slots(
    form: ShareForm, names: ShareNames, profile: Profile, any_day: date
) -> ShareSlots | None:
    """Return the slots of a form, or None where its names or periods do not go together.

    Args:
        form: what is asked for.
        names: the names and periods of the question.
        profile: which entity holds which.
        any_day: a day that ranges of periods are told from.
    """
    metric, named, channels, periods = names
    parts = tuple(named[one] for one in form.parts if one in named)
    whole, outer = (named.get(one, "") if one is not None else "" for one in form[2:4])
    holds = profile.membership.relation
    by_channel = len(parts) < len(form.parts)
    if by_channel:
        # A channel is a part of the total of the company that is named.
        if parts or len(form.parts) > 1 or len(channels) != 1 or not whole:
            return None
        parts, channels = (), (channels[0], TOTAL)
    elif channels or (whole and any(holds(whole, one) != "holds" for one in parts)):
        return None
    if form.form == "points" and profile.metric_by_code[metric].unit != PERCENT:
        return None
    if outer and holds(outer, whole) != "holds":
        return None
    periods = ends_of(periods, any_day) if form.changes else periods
    if any(one.on(CALENDAR_YEAR, any_day).kind != "single" for one in periods):
        return None
    operation = "ratio" if form.form == "ratio" else "share"
    derive: tuple[str, ...] = (operation,)
    if form.form == "points":
        derive = ("delta",)
    elif form.changes or form.form == "gap":
        derive = (operation, f"{operation}_delta")
    elif form.form == "share" and len(periods) < 2:
        return None
    if (form.changes and len(periods) != 2) or (form.form == "gap" and len(periods) != 1):
        return None
    entities = (*parts, *filter(None, (whole,)))
    if len(set(entities)) < len(entities):
        return None
    return ShareSlots(entities, channels, periods, derive, "" if by_channel else whole)


def ends_of(periods: tuple[PeriodExpression, ...], any_day: date) -> tuple[PeriodExpression, ...]:
    """The first and the last period of a range; periods that are named one by one as they are."""
    if len(periods) != 1:
        return periods
    reading = periods[0].on(CALENDAR_YEAR, any_day)
    if reading.kind != "several":
        return periods
    labels = (reading.periods[0].label, reading.periods[-1].label)
    return tuple(one for label in labels for one in find_periods(label))


def _read(form: Form, found: re.Match[str], line: _Line) -> ShareForm | None:
    """The meaning of a form with what stands beside it; None where that does not go with it."""
    rest = line.letters[: found.start()] + line.letters[found.end() :]
    if set(rest) - _BESIDE:
        return None
    asks = set(rest) & _ASKS
    named = found.groupdict()

    def place(name: str) -> int | None:
        return line.places[found.start(name)] if named.get(name) else None

    parts = tuple(one for one in map(place, ("x", "y")) if one is not None)
    # A share may grow in percent or in points: the question is clear only if it names points. A
    # question about a change does not ask for the share itself.
    changes = asks == {"G", "T"} if "G" in asks else "V" in asks
    if any(rest.count(one) > 1 for one in asks):
        return None
    if form == "points":
        if not changes or "T" not in asks:
            return None
    elif form == "gap":
        compared = "D" in asks or "D" in found[0]
        if not compared or changes or "G" in asks:
            return None
    elif form == "within":
        if asks:
            return None
    elif "D" in asks or (asks and not changes) or (form == "ratio" and "T" in asks):
        return None
    whole, outer = (place("m"), place("w")) if form == "within" else (place("w"), None)
    return ShareForm(form, parts, whole, outer, changes)


def _line(pieces: Sequence[tuple[str, str]], language: Language) -> _Line | None:
    letters: list[str] = []
    places: list[int] = []
    run: list[str] = []
    first = 0
    for number, (kind, text) in enumerate([*pieces, ("end", "")]):
        if kind == "word":
            first = first if run else number
            run.append(text)
            continue
        for letter, length in _cut(run, _words(language)):
            if letter != _LEFT_OUT:
                letters.append(letter)
                places.append(first)
            first += length
        if run and first != number:
            return None
        run = []
        if kind != "end":
            letters.append(kind)
            places.append(number)
    return _Line("".join(letters), tuple(places))


def _cut(run: Sequence[str], words: Mapping[tuple[str, ...], str]) -> Iterator[tuple[str, int]]:
    """Cut words that stand together into phrases, the longest first; end at an unknown one."""
    at = 0
    while at < len(run):
        for length in range(min(_LONGEST_PHRASE, len(run) - at), 0, -1):
            letter = words.get(tuple(run[at : at + length]))
            if letter is not None:
                yield letter, length
                at += length
                break
        else:
            return


@lru_cache
def _words(language: Language) -> dict[tuple[str, ...], str]:
    """The letter of each phrase of a language, by its folded words."""
    made: dict[tuple[str, ...], str] = {}
    for letter, phrases in _data()[language]["words"].items():
        for phrase in phrases:
            made[tuple(one.plain for one in tokenize(clean(phrase).text))] = letter
    return made


@lru_cache
def _forms(language: Language) -> dict[Form, tuple[re.Pattern[str], ...]]:
    """The patterns of each form, those that hold others first."""
    forms = _data()[language]["forms"]
    order: tuple[Form, ...] = ("within", "gap", "ratio", "share", "points")
    return {one: tuple(map(re.compile, forms[one])) for one in order}


@lru_cache
def _data() -> dict[Language, dict[str, dict[str, list[str]]]]:
    text = files("groundwire.metrics.intent").joinpath("share_changes.toml").read_text("utf-8")
    return tomllib.loads(text)  # type: ignore[return-value]  # its tables are named by language
