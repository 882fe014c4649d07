"""Whether companies whose years end in different months are told apart, and shares within shares.

An invented world of five companies and seven countries; what is right is worked out here from the
drawn facts, with nothing of the package. An answer is wrong where it has a value that no right
computation has, and where it does not tell which days it took for the year of such a company, or
that the years of a ranking are not the same days.

Run: python tests/evals/metrics_years.py [--fraction 0.1] [--seed 7] [--half seen|held_out] [--show]
"""

from __future__ import annotations

import random
import re
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from groundwire.metrics.ask import Answered, ask  # noqa: E402
from groundwire.metrics.factbase import State  # noqa: E402
from groundwire.metrics.facts.store import SqliteFacts  # noqa: E402
from groundwire.metrics.importing.load import import_file  # noqa: E402
from groundwire.metrics.importing.mapping import parse_mapping  # noqa: E402
from groundwire.metrics.names import Names  # noqa: E402
from groundwire.metrics.narrative.store import NarrativeStore  # noqa: E402
from groundwire.metrics.profile import parse_profile  # noqa: E402
from tests.evals._report import drawn_halves, settle_answers  # noqa: E402
from tests.evals.metrics_plain import MAPPING  # noqa: E402
from tests.evals.metrics_worlds import TODAY  # noqa: E402

CASES = {
    "seen": tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8")),
    "held out": tomllib.loads(
        Path(__file__).with_name("metrics_years_held_out.toml").read_text("utf-8")
    ),
}
WORLD = CASES["seen"]["profile"]
YEARS = range(2014, 2024)
SIZES = {"DEU": 80, "FRA": 66, "ITA": 59, "ESP": 47, "POL": 38, "USA": 330, "CHN": 1400,
         "KES": 90, "DOR": 70, "HAL": 50, "BRW": 30, "QUI": 15}  # fmt: skip
MONTHS = {
    "en": ("January", "March", "June", "December"),
    "de": ("Januar", "März", "Juni", "Dezember"),
}
OUTCOMES = ("all", "right", "asked", "not answered", "wrong")
_FISCAL = ("fiscal year", "financial year", "Geschäftsjahr", "财年", "FY")
_EXACT = Decimal("0.000002")
Facts = dict[tuple[str, str, int], Decimal]


def draw_facts(rng: random.Random) -> Facts:
    """A value of every metric of every entity and year; a group has the sum of its members."""
    facts: Facts = {}
    for entity, size in SIZES.items():
        country = entity in WORLD["groups"]["WLD"]["members"]
        for year in YEARS:
            scale = Decimal(size) * (100 + year - 2014) / 100 * rng.randint(97_000, 103_000)
            if country:
                facts["POPULATION", entity, year] = (scale * 10).quantize(Decimal(1))
                facts["URBAN", entity, year] = (scale * rng.randint(62, 68) / 10).quantize(
                    Decimal(1)
                )
                facts["GDP", entity, year] = (scale * rng.randint(290_000, 310_000)).quantize(
                    Decimal(1)
                )
            else:
                facts["REVENUE", entity, year] = (scale * 1000).quantize(Decimal(1))
                facts["NET_PROFIT", entity, year] = (scale * rng.randint(80, 84)).quantize(
                    Decimal(1)
                )
                facts["STAFF", entity, year] = (scale / 100).quantize(Decimal(1))
    for group in ("EUU", "WLD"):
        members = [one for one in WORLD["groups"][group]["members"] if one in SIZES]
        for metric in ("POPULATION", "URBAN", "GDP"):
            for year in YEARS:
                facts[metric, group, year] = sum(
                    (facts[metric, one, year] for one in members), Decimal(0)
                )
    for (metric, entity, year), value in list(facts.items()):
        if metric == "GDP":
            per_person = value / facts["POPULATION", entity, year]
            facts["GDP_PER_CAPITA", entity, year] = per_person
    return facts


def days_of(entity: str, year: int) -> tuple[date, date]:
    """The first and last day of a company's year of this label."""
    own = next(one for one in WORLD["entities"] if one["code"] == entity)
    month = int(own.get("fiscal_year_start", "01-01")[:2])
    first = year - (month > 1 and own.get("fiscal_year_named_by", "end") == "end")
    return date(first, month, 1), date(first + 1, month, 1) - timedelta(days=1)


def open_world(folder: Path, facts: Facts) -> State:
    """The fact base, imported from a file as anybody's would be."""
    profile = parse_profile(WORLD, "years")
    units = {one["code"]: one["unit"] for one in WORLD["metrics"]}
    file = folder / "facts.csv"
    countries = WORLD["groups"]["WLD"]["members"] + ["WLD"]
    rows = [
        f"{metric},{entity},{'' if entity in countries else 'FY'}{year},{value},{units[metric]}"
        for (metric, entity, year), value in facts.items()
        if metric != "GDP_PER_CAPITA"
    ]
    file.write_text("\n".join(("metric,entity,period,value,unit", *rows)) + "\n", "utf-8")
    store = SqliteFacts(folder / "facts.sqlite")
    import_file(file, parse_mapping(tomllib.loads(MAPPING), "years"), profile, store, today=TODAY)
    return State(profile, Names(profile), store, NarrativeStore(None), ())


def computed(facts: Facts, text: str) -> tuple[list[Decimal], list[Decimal]]:
    """What a computation gives, and what it is computed from."""
    operation, _, listed = text.partition(": ")
    operands = [
        facts[metric, entity, int(year)]
        for metric, entity, year in (one.split() for one in listed.split(", "))
    ]
    first, second = operands[0], operands[1] if len(operands) > 1 else Decimal(1)
    match operation:
        case "value" | "values":
            return [], operands
        case "share":
            return [first / second * 100], operands
        case "ratio":
            return [first / second], operands
        case "delta":
            return [first - second], operands
        case "change":
            return [(first - second) / second * 100], operands
        case _:
            return [first / second / (operands[2] / operands[3])], operands


def tables_of(facts: Facts, case: dict[str, Any]) -> Iterator[list[tuple[str, Decimal]]]:
    """The tables that may answer, in their order."""
    for text in case.get("rows", ()):
        metric, first, *others = text.split()
        if first.isdigit():
            found = [(one, facts[metric, one, int(first)]) for one in others]
            found.sort(key=lambda one: one[1], reverse=case["ranked"] == "most")
            yield found
        else:
            yield [(first, facts[metric, first, int(year)]) for year in others]


def decimals(rows: Sequence[Sequence[str | None]], columns: Sequence[Any]) -> list[Decimal]:
    """The values of the first column of values."""
    at = next((n for n, one in enumerate(columns) if one.role == "value"), None)
    return [] if at is None else [Decimal(row[at] or "NaN") for row in rows]


def is_told(text: str, language: str, options: str) -> bool:
    """Whether the days of one of these years are told."""
    for option in options.split("|"):
        entity, year = option.split()
        first, last = days_of(entity, int(year))
        if first.isoformat() in text or last.isoformat() in text:
            return True
        for day in (first, last):
            names = [f"{day.year}年{day.month}月"]
            for months in MONTHS.values():
                for name in months:
                    if date(2001, day.month, 1).strftime("%B") == MONTHS["en"][months.index(name)]:
                        names += [f"{name} {day.year}", f"{name} {day.day}, {day.year}"]
            if any(name in text for name in names):
                return True
    return False


def judge(facts: Facts, language: str, case: dict[str, Any], answered: Answered) -> str:
    """ "right", "asked" with the days of a year, "not answered", or "wrong: " with the reason."""
    text = f"{answered.text} {answered.note}"
    if answered.table is not None and answered.table[1].status == "found":
        outcome = judge_table(facts, case, answered)
    else:
        outcome = judge_cells(facts, case, answered)
    if outcome == "not answered" and any(
        is_told(text, language, one) for one in case.get("told", ())
    ):
        return "asked"
    if outcome != "right":
        return outcome
    for options in case.get("told", ()):
        if not is_told(text, language, options):
            return "wrong: does not tell the days of " + options
    if case.get("mixed"):
        companies = [
            f"{one} {re.findall(r'[0-9]{4}', case['q'])[0]}" for one in ("HAL", "KES", "QUI")
        ]
        if not any(one in text for one in _FISCAL) or not any(
            is_told(text, language, one) for one in companies
        ):
            return "wrong: mixes years without saying so"
    return "right"


def judge_table(facts: Facts, case: dict[str, Any], answered: Answered) -> str:
    assert answered.table is not None
    result = answered.table[1]
    values = decimals(result.rows or [], result.columns or [])
    count = case.get("count")
    for wanted in tables_of(facts, case):
        size = min(len(values), len(wanted))
        same = all(map(is_same, values[:size], (value for _, value in wanted[:size])))
        if same and values and len(values) <= len(wanted):
            if "ranked" not in case and len(values) < len(wanted):
                continue
            return "right" if count in (None, len(values)) else f"wrong: not {count} rows"
    allowed = [
        one for text in case.get("right", ()) for part in computed(facts, text) for one in part
    ]
    if values and all(any(is_same(one, other) for other in allowed) for one in values):
        return "right"
    return f"wrong: rows {values[:4]}"


def judge_cells(facts: Facts, case: dict[str, Any], answered: Answered) -> str:
    made = [Decimal(one.value) for one in answered.derived]
    plain = [Decimal(one.value_text or "NaN") for one in answered.cells if one.status == "found"]
    every = [computed(facts, text) for text in case.get("right", ())]
    results = [one for values, _ in every for one in values]
    operands = [one for _, values in every for one in values]
    operands += [
        value for rows in tables_of(facts, case) for _, value in rows if "ranked" not in case
    ]
    if any(not any(is_same(one, other) for other in results) for one in made):
        return f"wrong: made {made}"
    if any(is_same(one, other) for one in made for other in results):
        return "right"
    whole = [values for text, (_, values) in zip(case.get("right", ()), every, strict=True)
             if text.startswith("value")]  # fmt: skip
    for values in whole:
        if len(plain) == len(values) and all(any(is_same(a, b) for b in values) for a in plain):
            return "right"
    formulas = [one for one in plain if any(is_same(one, other) for other in results)]
    if formulas and len(formulas) == len(plain):
        return "right"
    # A single value is taken for the answer, unless what is missing beside it is named.
    lacks = any(one.status == "not_found" for one in answered.cells)
    if (len(plain) == 1 and not lacks) or not all(
        any(is_same(one, other) for other in operands) for one in plain
    ):
        return f"wrong: shows {plain}"
    return "not answered" if results or operands or case.get("rows") else "right"


def is_same(one: Decimal, other: Decimal) -> bool:
    return abs(one - other) <= max(abs(other) / 100_000, _EXACT)


def cases(half: str) -> list[tuple[str, dict[str, Any]]]:
    return [(one, case) for one in ("en", "de", "zh") for case in CASES[half][one]]


def main() -> int:
    options, _, drawn = drawn_halves(__doc__, ("seen", "held out"), cases)
    facts = draw_facts(random.Random("years"))
    counts: Counter[tuple[str, str]] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        state = open_world(Path(folder), facts)
        for half, (language, case) in drawn:
            answered = ask(state, case["q"], TODAY)
            outcome = judge(facts, language, case, answered)
            for group in (f"{half}, {case['kind']}", f"{half}, {language}", half):
                counts[group, "all"] += 1
                counts[group, outcome.partition(":")[0]] += 1
            if options.show and outcome != "right":
                print(f"{outcome}\n    {case['q']}\n    {answered.ending}: {answered.text[:400]!r}")
        state.store.close()
    return settle_answers(__file__, OUTCOMES, counts, options)


if __name__ == "__main__":
    sys.exit(main())
