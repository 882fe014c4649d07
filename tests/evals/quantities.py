"""Whether numbers and periods are read rightly or left unread, in English, German and Chinese.

Each text of `quantities_cases/` is read alone and in sentences. It is

- right: every reading has what the case expects, or nothing is read where nothing may be;
- refused: nothing is read, or a part that is right, though it could be read;
- misread: a value or an interval is read that the text does not state.

The cases of the group `held_out` are not looked at while the readers are worked on.
"""

from __future__ import annotations

import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from _report import Ratchet, arguments, table

from groundwire import quantities

CASES = Path(__file__).with_name("quantities_cases")
TODAY = date(2026, 11, 21)
SENTENCES = {
    "en": ("{}", "It came to {} in all.", "| {} |", "They say that {} is the figure."),
    "de": ("{}", "Es waren {} insgesamt.", "| {} |", "Man sagt, dass {} die Zahl ist."),
    "zh": ("{}", "总计{}。", "| {} |", "据报道，数字是{}，没有更多。"),
}
TIME_SENTENCES = {
    "en": ("{}", "It grew most ({}).", "The figure for {} is known."),
    "de": ("{}", "Es wuchs am meisten ({}).", "Die Zahl für {} ist bekannt."),
    "zh": ("{}", "增长最快（{}）。"),
}
# Thirds have no exact decimal: what is nearer than this is the same value.
NEAR = Fraction(1, 10**12)

Interval = tuple[str, str]


@dataclass(frozen=True)
class Verdict:
    """What became of one case, and the readings that say so."""

    kind: str
    text: str
    outcome: str
    readings: Sequence[object]


def groups(name: str, side: str) -> Iterator[tuple[str, str, list[dict[str, Any]]]]:
    """Class, language and cases of each group in a file."""
    for group in tomllib.loads((CASES / f"{name}.{side}.toml").read_text("utf-8"))["group"]:
        yield group["class"], group["language"], group["cases"]


def same(value: Fraction, expected: Fraction) -> bool:
    """Whether two values are the same, but for the rounding of an endless decimal."""
    return abs(value - expected) <= abs(expected) * NEAR


def among(value: Fraction, expected: Sequence[Fraction]) -> bool:
    """Whether a value is one of those expected."""
    return any(same(value, one) for one in expected)


def judge_number(kind: str, language: str, case: Mapping[str, Any]) -> Verdict:
    """Read one text with numbers alone and in sentences."""
    values = [Fraction(one) for one in case.get("values", ())]
    allowed = values + [Fraction(one) for one in case.get("may", ())]
    text = case["text"]
    readings: list[object] = []
    outcome = "right"
    for sentence in SENTENCES[language]:
        whole = sentence.format(text)
        found = [Fraction(one.value) for one in quantities.find_quantities(whole)]
        readings.append([str(one) for one in found])
        if any(not among(one, allowed) for one in found):
            outcome = "misread"
        elif values and not (len(found) == len(values) and all(map(same, found, values))):
            outcome = "refused" if outcome == "right" else outcome
    alone = quantities.parse_number(text)
    readings.append(f"alone {alone}")
    # `parse_number` has no unit: its percent is a share.
    shares = [*allowed, *(one / 100 for one in allowed), *(one / 1000 for one in allowed)]
    if alone is not None and not among(
        Fraction(alone),
        shares
        if "%" in text or "分" in text or "ercent" in text or "er cent" in text or "rozent" in text
        else allowed,
    ):
        outcome = "misread"
    return Verdict(kind, text, outcome, readings)


def interval(reading: quantities.PeriodReading) -> Interval | None:
    """First and last day of a reading, "" where it is open; None where nothing was read."""
    periods = reading.periods
    if not periods:
        return None
    start, end = periods[0].start.isoformat(), periods[-1].end.isoformat()
    return start, "" if reading.kind == "since" else end


def marked(text: str, span: tuple[int, int]) -> bool:
    """Whether a word of time that is not read stands beside a span, so that a caller sees it."""
    return any(
        len(between) <= 12 and not set(between) & set(".;。\n")
        for start, end in quantities.find_time_words(text)
        for between in (text[end : span[0]] if end <= span[0] else text[span[1] : start],)
    )


def judge_period(kind: str, language: str, case: Mapping[str, Any]) -> Verdict:
    """Read one expression of time alone and in sentences, by each of the readers.

    A reading beside which `find_time_words` shows a word of time that was left is none.
    """
    text = case["text"]
    expected = None if "refused" in case else (case.get("start", ""), case.get("end", ""))
    readings: list[object] = []
    outcomes: list[str] = []
    for sentence in TIME_SENTENCES[language]:
        whole = sentence.format(text)
        periods = [(one, one.span) for one in quantities.find_periods(whole)]
        if sentence == "{}" and (alone := quantities.read_period(text)) is not None:
            periods.append((alone, (0, 0)))
        told = [
            days
            for one, span in periods
            if not (span[1] and marked(whole, span))
            if (days := interval(one.on(quantities.CALENDAR_YEAR, TODAY))) is not None
        ]
        readings.append(("periods", told))
        outcomes.append(outcome_of(list(dict.fromkeys(told)), expected, case))
        dates = [
            (str(one.start), str(one.end))
            for one in quantities.find_dates(whole)
            if not marked(whole, one.span)
        ]
        readings.append(("dates", dates))
        if expected is None or all(expected):
            outcomes.append("misread" if wrong_dates(dates, expected, case) else "right")
    for worst in ("misread", "refused"):
        if worst in outcomes:
            return Verdict(kind, text, worst, readings)
    return Verdict(kind, text, "right", readings)


def within(one: Interval, expected: Interval) -> bool:
    """Whether an interval lies in another, both closed."""
    return bool(one[0] and one[1]) and expected[0] <= one[0] and one[1] <= expected[1]


def outcome_of(
    intervals: Sequence[Interval], expected: Interval | None, case: Mapping[str, Any]
) -> str:
    """Right, refused or misread."""
    if expected is None or not intervals:
        if intervals:
            return "misread"
        return "right" if expected is None or "unread_too" in case else "refused"
    if list(intervals) == [expected]:
        return "right"
    if not expected[0] and list(intervals) == [(expected[1], expected[1])]:
        return "right"  # as of the last day
    if case.get("range") and all(within(one, expected) for one in intervals):
        return "refused"
    return "misread"


def wrong_dates(
    dates: Sequence[Interval], expected: Interval | None, case: Mapping[str, Any]
) -> bool:
    """Whether a date was found that the text does not name."""
    if expected is None:
        return bool(dates)
    if case.get("range"):
        return not all(within(one, expected) for one in dates)
    return any(one != expected for one in dates)


FORMS = {
    "en": (
        "{n}{v} {s}", "{n} {v} {s}", "{n} {f} {s}", "{w} and {words} {s}", "{n} and {words} {s}",
        "{w}-and-{tied} {s}", "{w} {s} and {words}", "${n}{v} {s}", "{n}{v} {s} people",
    ),
    "de": ("{n}{v} {s}", "{n} {v} {s}", "{n} {f} {s}", "{compound} {s}", "{n},{d} {s}"),
    "zh": ("{n}.{d}{s}", "{n}{v}{s}", "{n} {f}{s}"),
}  # fmt: skip
FRACTIONS = {
    "1/2": ("½", "a half", "einhalb", "5"),
    "1/4": ("¼", "a quarter", "einviertel", "25"),
    "3/4": ("¾", "three quarters", "dreiviertel", "75"),
}
WHOLES = {
    2: ("two", "zwei"), 3: ("three", "drei"), 4: ("four", "vier"), 7: ("seven", "sieben"),
    12: ("twelve", "zwölf"),
}  # fmt: skip
SCALES = {
    "en": {"thousand": 3, "million": 6, "billion": 9, "trillion": 12},
    "de": {"Millionen": 6, "Mio.": 6, "Milliarden": 9, "Mrd.": 9, "Billionen": 12},
    "zh": {"万": 4, "亿": 8, "万亿": 12},
}


def templates() -> Iterator[tuple[str, str, Fraction]]:
    """Language, text and value of every mixed number that the forms make."""
    for language, forms in FORMS.items():
        for form in forms:
            for whole, (english, german) in WHOLES.items():
                for fraction, (sign, words, ending, decimals) in FRACTIONS.items():
                    for scale, power in SCALES[language].items():
                        text = form.format(
                            n=whole, v=sign, f=fraction, w=english, words=words, s=scale,
                            tied=words.replace(" ", "-"), compound=german + ending, d=decimals,
                        )  # fmt: skip
                        yield language, text, (whole + Fraction(fraction)) * 10**power


def judge_templates() -> Iterator[Verdict]:
    """Judge the templates; any other value, such as a thousandth or a part, is a misreading."""
    for language, text, value in templates():
        case = {"text": text, "values": [str(value)]}
        yield judge_number(f"templates {language}", language, case)


def verdicts(side: str) -> Iterator[Verdict]:
    """Every case of one half, judged."""
    for kind, language, cases in groups("numbers", side):
        for case in cases:
            yield judge_number(kind, language, case)
    if side == "held_out":
        yield from judge_templates()
    for kind, language, cases in groups("periods", side):
        for case in cases:
            yield judge_period(kind, language, case)


def run(show: float) -> dict[str, dict[str, float]]:
    """Judge both halves; print a line a class, and of the seen half what was not right."""
    figures: dict[str, dict[str, float]] = {}
    rows: list[tuple[object, ...]] = []
    for side in ("seen", "held_out"):
        counts: dict[str, Counter[str]] = {}
        for verdict in verdicts(side):
            tally = counts.setdefault(verdict.kind, Counter())
            tally["cases"] += 1
            tally[verdict.outcome] += 1
            if verdict.outcome != "right" and (show > 1 or (show and side == "seen")):
                print(f"{side} {verdict.outcome}: {verdict.text!r} {verdict.readings}")
        total = sum(counts.values(), Counter[str]())
        for kind, tally in [*counts.items(), ("all", total)]:
            names = ("cases", "right", "refused", "misread")
            figures[f"{side}: {kind}"] = {name: tally[name] for name in names}
            rows.append((f"{side}: {kind}", *(tally[name] for name in names)))
    print(table(("class", "cases", "right", "refused", "misread"), rows))
    return figures


def main() -> int:
    """Run the eval; its exit code says whether a figure is worse than the one held."""
    options = arguments(__doc__, show=(0.0, "1: failures of the seen half; 2: of both"))
    return Ratchet(__file__, lower={"refused", "misread"}).settle(run(options.show), options)


if __name__ == "__main__":
    sys.exit(main())
