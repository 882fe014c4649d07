"""Questions that are asked back as they stand, and read when they are said in another way.

Each way changes one thing of a question, and is taken only where all of what it then says is
understood. What is not plain of it is told beside the answer.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, cast

from groundwire.language.asking import asked_in
from groundwire.language.plain_speech import plain_speech
from groundwire.metrics import standing
from groundwire.metrics.intent.beside_periods import all_of, grains
from groundwire.metrics.intent.clarify import Clarification, Understood
from groundwire.metrics.intent.parsed import Leftover, ParsedIntent
from groundwire.metrics.profile import Metric
from groundwire.metrics.standing import find_start, named, newest_period, only_start, until_newest
from groundwire.metrics.terms import TOTAL
from groundwire.metrics.wording import name_in, say
from groundwire.quantities import (
    CALENDAR_YEAR,
    Period,
    PeriodGrain,
    find_periods,
    interval_period,
)
from groundwire.quantities.numerals import any_of, number_words
from groundwire.quantities.periods import MONTHS, later
from groundwire.vocabulary.fold import split_words

if TYPE_CHECKING:
    from groundwire.metrics.factbase import State

_COMPLETE = ("none", "answer_with_assumptions")
# How far behind its beginning the name of a part ends; the longest list; the shortest word.
_LONGEST_PART, _MOST_OF_ALL, _SHORTEST_WORD = 24, 12, 4
_HAN_NUMBERS = "〇一两三四五六七八九十"
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
_SHORT_MONTH = re.compile(r"(?P<month>\b[^\W\d]{3,9})\.? (?P<year>\d{2})(?![\w%]|[.,:]\d| \d{4})")
# The grains whose values are added up for a longer time, with the sentence that says so.
_PARTS: dict[PeriodGrain, str] = {"quarter": "by_quarters", "month": "by_months"}


@dataclass(frozen=True, slots=True)
class Reader:
    """Everything that a question is read with.

    Attributes:
        state: the fact base.
        today: the day that relative periods count from.
        read: reads a text.
        clarified: what to do with a reading.
    """

    state: State
    today: date
    read: Callable[[str], Understood]
    clarified: Callable[[ParsedIntent], Clarification]


Way = Callable[[Reader, str, ParsedIntent], Understood | None]


def fuller_reading(reader: Reader, understood: Understood) -> Understood:
    """Return a reading of a question that needs to ask less, or the one at hand."""
    understood = _from_its_start(reader, understood)
    if understood.clarification.mode in _COMPLETE:
        return _by_parts_of_time(reader, understood) or _with_short_quarters(understood)
    if understood.clarification.mode != "ask_first":
        return understood
    question = understood.intent.raw_question
    ways = (
        *(_short_year, _reworded, _middle, _factor, _more, _mean_of_parts),
        *(_less_a_part, _denied, _every, _by_a_word),
    )
    plain = _pattern("alone").sub(" ", _pattern("now").sub(" ", plain_speech(question)))
    dated = _with_year(reader, question, understood.intent)
    ended = until_newest(reader.state, plain, understood.intent)
    texts = dict.fromkeys((question, plain, dated, *ended))
    # A month and two digits are a day only of what has a value of a day.
    fuller = _short_months(reader, question, understood.intent) or next(
        filter(None, _readings(reader, understood, texts, ways)), None
    )
    if fuller is not None:
        fuller = replace(fuller, intent=replace(fuller.intent, raw_question=question))
        return _by_parts_of_time(reader, fuller) or fuller
    return understood


def _from_its_start(reader: Reader, read: Understood) -> Understood:
    """The reading of a change "compared with 2010" up to the newest value, or asked back."""
    intent, question = read.intent, read.intent.raw_question
    start = only_start(question, intent, reader.today)
    if read.clarification.mode not in _COMPLETE or start is None:
        return read
    assumed = read.clarification.assumed_slots.get("entity", "")
    texts = until_newest(reader.state, question, intent, assumed)
    fuller = next(filter(None, (_complete(reader, text) for text in texts)), None)
    if fuller is not None:
        return replace(fuller, intent=replace(fuller.intent, raw_question=question))
    unread = replace(intent, leftovers=(Leftover(start[0], start.span(), "time"),))
    return replace(read, clarification=reader.clarified(unread))


def _readings(
    reader: Reader, understood: Understood, texts: Iterable[str], ways: Sequence[Way]
) -> Iterator[Understood | None]:
    """Yield the readings of each text as it stands, then in each way."""
    question = understood.intent.raw_question
    intents = {question: understood.intent}
    for text in texts:
        if text != question:
            read = reader.read(text)
            intents[text] = read.intent
            yield read if read.clarification.mode in _COMPLETE else None
    for text in texts:
        for way in ways:
            yield way(reader, text, intents[text])


def _complete(reader: Reader, text: str) -> Understood | None:
    """The reading of a text of which all is understood."""
    read = reader.read(text)
    return read if read.clarification.mode in _COMPLETE else None


def _noted(read: Understood, question: str, said: str) -> Understood:
    """A reading of a question with what was done to it."""
    note = " ".join(filter(None, (said, read.clarification.assumption_note)))
    clarified = replace(read.clarification, mode="answer_with_assumptions", assumption_note=note)
    return Understood(replace(read.intent, raw_question=question), clarified, read.note)


def _with(reader: Reader, read: Understood, question: str, **slots: object) -> Understood | None:
    """A reading with other slots, where all is still understood."""
    intent = replace(read.intent, raw_question=question, premise=None, **slots)  # type: ignore[arg-type]  # slots of an intent
    clarified = reader.clarified(intent)
    return Understood(intent, clarified, read.note) if clarified.mode in _COMPLETE else None


def _short_year(reader: Reader, question: str, intent: ParsedIntent) -> Understood | None:
    """The reading of "gdp usa 23" as of 2023, which is said."""
    read = [one.on(CALENDAR_YEAR, reader.today).kind for one in intent.periods]
    if set(read) - {"unreadable"} or len(intent.leftovers) != 1:
        return None
    digits = intent.leftovers[0].text.strip()
    year = 2000 + int(digits) if re.fullmatch(r"[0-9]{2}", digits) else 0
    alone = re.compile(rf"(?<![\w.,]){digits}(?![\w.,%])") if year else None
    if alone is None or year > reader.today.year or len(alone.findall(question)) != 1:
        return None
    fuller = _complete(reader, alone.sub(str(year), question))
    if fuller is None:
        return None
    said = say("short_year", asked_in(question), digits=digits, year=str(year))
    return _noted(fuller, question, said)


def _with_short_quarters(read: Understood) -> Understood:
    """A complete reading, with a note of each "q2 26" in it that is read as one of 2026."""
    question, raw = read.intent.raw_question, " ".join(one.raw for one in read.intent.periods)
    years = dict.fromkeys(re.findall(r"(?i)\bq[1-4] ([0-9]{2})(?![0-9])", raw))
    said = [say("short_year", asked_in(question), digits=one, year=f"20{one}") for one in years]
    return _noted(read, question, " ".join(said)) if said else read


def _short_months(reader: Reader, question: str, intent: ParsedIntent) -> Understood | None:
    """The reading of "sales aug 26" as of August 2026, which is said: of what has no days."""
    if not intent.metrics or any("day" in one.grains for one in _metrics(reader, intent)):
        return None
    said: list[str] = []

    def written(found: re.Match[str]) -> str:
        year = str(2000 + int(found["year"]))
        text = f"{found['month']} {year}"
        is_month = any(all_of(grains(one), "month") for one in find_periods(text))
        if not is_month or int(year) > reader.today.year:
            return found[0]
        said.append(say("short_year", asked_in(question), digits=found["year"], year=year))
        return text

    fuller = _complete(reader, _SHORT_MONTH.sub(written, question))
    return _noted(fuller, question, " ".join(dict.fromkeys(said))) if fuller and said else None


def _middle(reader: Reader, question: str, intent: ParsedIntent) -> Understood | None:
    """The reading of the middle of a year as 30 June, for what is counted at the end of a half."""
    found = _pattern("middle").search(question)
    if found is None:
        return None
    (year,) = filter(None, found.groups())
    fuller = _complete(reader, f"{question[: found.start()]}{year}H1 {question[found.end() :]}")
    if fuller is None or not all(
        one.measure == "stock" and "half" in one.grains for one in _metrics(reader, fuller.intent)
    ):
        return None
    said = say("middle_of_year", asked_in(question), text=found[0].strip(), year=year)
    return _noted(fuller, question, said)


def _factor(reader: Reader, question: str, intent: ParsedIntent) -> Understood | None:
    """The reading of a question how many times one value is that of an earlier time."""
    factor = _pattern("factor").search(question)
    found = factor or _pattern("times").search(question)
    if found is None:
        return None
    since = find_start(question) if factor else found
    text = question
    for first, last in sorted({found.span(), *([since.span()] if since else ())}, reverse=True):
        text = f"{text[:first]} {text[last:]}"
    text = _pattern("as_much").sub(" and ", _pattern("beside").sub(" ", text))
    base = _complete(reader, text)
    if base is None or len(base.intent.metrics) != 1 or set(base.intent.derive) - {"ratio"}:
        return None
    if factor and len(base.intent.entities) == 2 and len(base.intent.periods) == 1:
        return _with(reader, base, question, derive=("ratio",))
    year = standing.year_of(since) if since else ""
    periods = base.intent.periods
    if year and not periods:
        newest = _newest(reader, base)
        periods = (*find_periods(newest.label), *find_periods(year)) if newest else ()
    labels = [each.label for one in periods for each in one.on(CALENDAR_YEAR, reader.today).periods]
    if len(labels) < 2:
        return None
    ends = (*find_periods(labels[0]), *find_periods(labels[-1]))
    return _with(reader, base, question, period=ends[0], periods=ends, derive=("ratio",))


def _more(reader: Reader, question: str, intent: ParsedIntent) -> Understood | None:
    """The reading of "how many more people live in A than in B" as of both, and the difference."""
    found = _pattern("more").search(question)
    if found is None and not _pattern("against").search(question):
        return None
    text = _pattern("against").sub(" and ", _pattern("more").sub(" ", question))
    base = _complete(reader, _pattern("than").sub(" and ", text))
    if base is None or len(base.intent.metrics) != 1 or base.intent.derive:
        return None
    return _with(reader, base, question, derive=("delta",))


def _with_year(reader: Reader, question: str, intent: ParsedIntent) -> str:
    """Return "June 2026 against May" with the one year that is named, or the question as it is."""
    years = set(_YEAR.findall(question)) or _years_held(reader, intent)
    unread = {
        one.span
        for one in intent.periods
        if one.on(CALENDAR_YEAR, reader.today).kind == "unreadable"
    } | {one.span for one in intent.leftovers}
    text = question
    for first, last in sorted(unread, reverse=True) if len(years) == 1 else ():
        piece, (year,) = question[first:last], years
        written = f"{year}年{piece}" if "月" in piece or "季" in piece else f"{piece} {year}"
        if [one.span for one in find_periods(written)] == [(0, len(written))]:
            text = f"{text[:first]}{written}{text[last:]}"
    return text


def _years_held(reader: Reader, intent: ParsedIntent) -> set[str]:
    """Return the years of all values of the metric that is asked for: "June" is in the only one."""
    state, found = reader.state, set[str]()
    for metric in _metrics(reader, intent)[:1]:
        own = [one.code for one in state.profile.entities if one.kind == metric.kind]
        for entity in intent.entities or own[:_MOST_OF_ALL]:
            held = state.store.intervals(metric.code, entity, intent.channel or TOTAL, None)
            found |= {str(year) for one in held for year in (one.start.year, one.end.year)}
    return found


def _mean_of_parts(reader: Reader, question: str, intent: ParsedIntent) -> Understood | None:
    """The reading of "average revenue per quarter of 2025" as the mean of its four quarters."""
    text = _pattern("mean").sub(" ", question)
    for grain, pattern in _words()["per_part"]:
        rest = re.sub(pattern, " ", text, flags=re.IGNORECASE)
        if question == text or text == rest:
            continue
        base = _complete(reader, rest)
        if base is None or len(base.intent.periods) != 1 or base.intent.derive:
            return None
        entity = base.intent.entity or base.clarification.assumed_slots.get("entity", "")
        calendar = reader.state.profile.calendar_of[entity] if entity else CALENDAR_YEAR
        reading = base.intent.periods[0].on(calendar, reader.today)
        if reading.kind not in ("single", "several") or len(base.intent.entities) > 1:
            return None
        first, last = reading.periods[0].start, reading.periods[-1].end
        labels: list[str] = []
        while first <= last and len(labels) <= _MOST_OF_ALL:
            following = later(first, MONTHS[cast("PeriodGrain", grain)])
            labels.append(interval_period(first, following - timedelta(days=1), calendar).label)
            first = following
        if not 1 < len(labels) <= _MOST_OF_ALL:
            return None
        periods = tuple(each for label in labels for each in find_periods(label))
        return _with(reader, base, question, period=periods[0], periods=periods, derive=("mean",))
    return None


def _reworded(reader: Reader, question: str, intent: ParsedIntent) -> Understood | None:
    """The reading of a time that is told from today, or of a change, in other words."""
    kinds = ("changes",) if intent.periods else ("changes", "relative")
    for kind in kinds:
        for said, pattern in _words()[kind]:
            found = re.search(pattern, question, re.IGNORECASE)
            if found is None:
                continue
            text = f"{question[: found.start()]} {said} {question[found.end() :]}"
            fuller = _complete(reader, text)
            if fuller is None or kind == "changes":
                return fuller
            return _with(reader, fuller, question)
    return None


def _less_a_part(reader: Reader, question: str, intent: ParsedIntent) -> Understood | None:
    """The reading of "revenue without Hong Kong": of the whole, of the part, and the difference."""
    found = list(_pattern("less").finditer(question))
    if len(found) != 1:
        return None
    before, behind = question[: found[0].start()], question[found[0].end() :]
    behind = _pattern("less_after").sub(", ", behind[:_LONGEST_PART], 1) + behind[_LONGEST_PART:]
    mentions = reader.state.mentions.find(f"{before}, {behind}")
    part = next((one for one in mentions if one.span[0] == len(before) + 2), None)
    if part is None:
        return None
    listed = (f"{before}{joint}{behind}" for joint in (", ", " and "))
    base = next(filter(None, (_complete(reader, text) for text in listed)), None)
    if base is None or len(base.intent.metrics) != 1 or base.intent.derive:
        return None
    (metric,) = _metrics(reader, base.intent)
    if metric.measure == "rate" or "delta" not in metric.derivations:
        return None
    codes = {code for code, _ in part.candidates}
    if part.kind == "channel" and codes == set(base.intent.channels):
        (channel,) = codes if len(codes) == 1 else ("",)
        return _with(reader, base, question, channel=TOTAL, channels=(TOTAL, channel),
                     derive=("delta",)) if channel else None  # fmt: skip
    out = codes & set(base.intent.entities)
    others = [one for one in base.intent.entities if one not in out]
    home = reader.state.profile.kinds[metric.kind].home
    wholes = others or ([home] if home else [])
    if part.kind != "entity" or len(out) != 1 or len(wholes) != 1 or base.intent.channels:
        return None
    (left,) = out
    if reader.state.profile.membership.relation(wholes[0], left) != "holds":
        return None
    return _with(reader, base, question, entity=wholes[0], entities=(wholes[0], left),
                 derive=("delta",))  # fmt: skip


def _denied(reader: Reader, question: str, intent: ParsedIntent) -> Understood | None:
    """The reading of "did it make no profit": of the value, which says whether it is one."""
    text = _pattern("denied").sub("", question)
    fuller = _complete(reader, text) if text != question else None
    if fuller is None or not all(one.losses for one in _metrics(reader, fuller.intent)):
        return None
    raw = replace(fuller.intent, raw_question=question)
    return replace(fuller, intent=raw)


def _every(reader: Reader, question: str, intent: ParsedIntent) -> Understood | None:
    """The reading of "all wards" as each by name, where they are few and none holds another."""
    profile = reader.state.profile
    for code in {one.kind for one in _metrics(reader, intent)}:
        own = [one for one in profile.entities if one.kind == code]
        kind = profile.kinds[code]
        if not 1 < len(own) <= _MOST_OF_ALL or any(one.parent for one in own) or kind.home:
            continue
        nouns = "|".join(re.escape(one) for one in (code, kind.label, *kind.aliases))
        found = re.search(
            rf"(?:{_pattern('every').pattern}|{_all_of(len(own))})(?:{nouns})(?:e?[sn])?(?![a-zäöüß])",
            question,
            re.IGNORECASE,
        )
        if found is not None:
            names = " and ".join(one.name for one in own)
            text = f"{question[: found.start()]} {names} {question[found.end() :]}"
            fuller = _complete(reader, text)
            if fuller is not None and set(fuller.intent.entities) == {one.code for one in own}:
                return replace(fuller, intent=replace(fuller.intent, raw_question=question))
    return None


def _all_of(number: int) -> str:
    """Return the pattern of what says that all of some things are meant by their number."""
    ones = [
        word for one in ("en", "de") for word, n in number_words(one).ones.items() if n == number
    ]
    said = any_of((str(number), *ones, *_HAN_NUMBERS[number : number + 1]))
    every, counted = _pattern("every").pattern, _pattern("counted").pattern
    return rf"(?<!\d)(?:{every})?(?:{counted})?(?:{said})(?: |[家个座间所])"


def _by_a_word(reader: Reader, question: str, intent: ParsedIntent) -> Understood | None:
    """The reading of a word of one metric's name alone, or beside another metric, which is said.

    "Duration" is the one metric whose name has this word, and "cases filed" are what Filed counts.
    """
    if len(intent.leftovers) != 1 or len(intent.metrics) > 1:
        return None
    (left,) = intent.leftovers
    word = split_words(left.text).singular
    named = [one for one in reader.state.profile.metrics
             if len(word) == 1 and len(word[0]) >= _SHORTEST_WORD
             and word[0] in split_words(one.label).singular]  # fmt: skip
    if len(named) != 1:
        return None
    first, last = left.span
    put = "" if intent.metrics else named[0].label
    fuller = _complete(reader, f"{question[:first]}{put}{question[last:]}")
    if fuller is None or (intent.metrics and any(one.unit for one in _metrics(reader, intent))):
        return None
    (metric,) = _metrics(reader, fuller.intent)[:1]
    language = asked_in(question)
    name = name_in(language, metric.label, metric.aliases, metric.labels)
    return _noted(fuller, question, say("read_by_word", language, text=left.text, name=name))


def _by_parts_of_time(reader: Reader, read: Understood) -> Understood | None:
    """The reading of a time of which no value is held by its quarters or months, added up."""
    intent = read.intent
    entity = intent.entity or read.clarification.assumed_slots.get("entity", "")
    if len(intent.metrics) != 1 or len(intent.periods) != 1 or not entity:
        return None
    if intent.derive not in ((), ("sum",)):
        return None
    if len(intent.entities) > 1 or len(intent.channels) > 1 or intent.route == "narrative":
        return None
    if intent.premise:
        return None  # what it takes for granted is looked at in the time that it names
    (metric,) = _metrics(reader, intent)
    calendar = reader.state.profile.calendar_of[entity]
    reading = intent.periods[0].on(calendar, reader.today)
    if reading.kind != "single" or metric.measure != "flow" or "sum" not in metric.derivations:
        return None
    whole = reading.periods[0]
    if whole.grain not in MONTHS or not (whole.fiscal or calendar.is_calendar_year):
        return None
    channel = intent.channel or TOTAL
    held = [
        named(reader.state, entity, one)
        for one in reader.state.store.intervals(metric.code, entity, channel, None)
    ]
    within = [one for one in held if whole.start <= one.start and one.end <= whole.end]
    ways: dict[PeriodGrain, list[Period]] = {
        grain: sorted((one for one in within if one.grain == grain), key=lambda one: one.start)
        for grain in _PARTS
    }
    fits = (way for way in ways.items() if len(way[1]) * MONTHS[way[0]] == MONTHS[whole.grain])
    grain, parts = next(fits, (whole.grain, list[Period]()))
    is_held = any((one.start, one.end) == (whole.start, whole.end) for one in held)
    if is_held or len(parts) < 2:
        return None
    periods = tuple(each for one in parts for each in find_periods(one.label))
    fuller = _with(
        reader, read, intent.raw_question, period=periods[0], periods=periods, derive=("sum",)
    )
    if fuller is None:
        return None
    language = asked_in(intent.raw_question)
    return _noted(
        fuller, intent.raw_question, say(_PARTS[grain], language, period=intent.periods[0].raw)
    )


def _metrics(reader: Reader, intent: ParsedIntent) -> list[Metric]:
    return [reader.state.profile.metric_by_code[one] for one in intent.metrics]


def _newest(reader: Reader, read: Understood) -> Period | None:
    """The newest period with a value of what a reading asks for."""
    entity = read.intent.entity or read.clarification.assumed_slots.get("entity", "")
    channel = read.intent.channel or TOTAL
    return newest_period(reader.state, read.intent.metrics[0], entity, channel) if entity else None


@cache
def _words() -> dict[str, list[str]]:
    text = (files("groundwire.metrics") / "fuller_readings.toml").read_text("utf-8")
    return tomllib.loads(text)


@cache
def _pattern(kind: str) -> re.Pattern[str]:
    """The patterns of one kind; a group of a name that stands in several has no name."""
    joined = "|".join(f"(?:{one})" for one in _words()[kind])
    return re.compile(joined.replace("(?P<year>", "("), re.IGNORECASE)
