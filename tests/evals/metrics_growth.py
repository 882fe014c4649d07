"""Whether shares, growth, per-capita figures, margins and comparisons are answered, and right.

Every answer is worked out here from the CSV files of the embedded profile, with nothing of the
package. Half of the wordings are held out; nothing is tuned on what becomes of them. Beside the
questions that have an answer there are traps, of which nothing may be computed.

Run: python tests/evals/metrics_growth.py [--fraction 0.1] [--seed 7] [--show 5] [--held 1]
"""

from __future__ import annotations

import csv
import random
import re
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from groundwire.metrics.ask import Answered, ask  # noqa: E402
from tests.evals._report import Figures, Ratchet, arguments, table  # noqa: E402
from tests.evals.metrics_worlds import TODAY, open_default  # noqa: E402

WORDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
PROFILES = ROOT / "profiles"
# Questions of each kind, 500 in all.
COUNTS = {
    "share_of_group": 90, "share_of_channel": 45, "share_of_subsidiary": 45,
    "growth_of_country": 70, "growth_of_company": 55, "growth_on_quarter": 20,
    "growth_between": 35, "annual_growth": 20, "per_capita": 55, "margin": 30, "comparison": 35,
}  # fmt: skip
LANGUAGES = ("en", "en", "en", "zh", "zh", "de", "de")
BASE = frozenset(("GDP", "POPULATION", "REVENUE", "NET_PROFIT", "GROSS_MARGIN", "ROE",
                  "HEADCOUNT", "CASH"))  # fmt: skip
HAN = "一二三四"
ORDINALS = (("first", "ersten"), ("second", "zweiten"), ("third", "dritten"), ("fourth", "vierten"))
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_EXACT = Decimal("0.000002")
_HUNDRED = Decimal(100)
Facts = dict[tuple[str, str, str, str], Decimal]


@dataclass(frozen=True, slots=True)
class Case:
    """A question with what is right; `value` is None for a trap."""

    kind: str
    language: str
    text: str
    held_out: bool
    value: Decimal | None = None
    operands: tuple[Decimal, ...] = ()


def read_facts() -> Facts:
    """(metric, entity, channel, period) -> the newest value, from the files alone."""
    facts: Facts = {}
    for name, metric in (("gdp", "GDP"), ("population", "POPULATION")):
        with (PROFILES / f"world_bank_{name}.csv").open(encoding="utf-8") as file:
            for row in csv.DictReader(file):
                code = row.pop("Country Code")
                for year, cell in row.items():
                    if cell:
                        facts[metric, code, "Total", year] = Decimal(cell)
    companies = {"Tolvarne Group": "TVN", "Mainland China": "CN", "Hong Kong": "HK"}
    rows: list[tuple[str, str, str, str, str, str, str]] = []
    with (PROFILES / "tolvarne_quarterly.csv").open(encoding="utf-8") as file:
        rows += [
            (row["Published"], row["Item"], companies[row["Company"]], row["Channel"],
             row["Quarter"], row["Amount"], row["Unit"])
            for row in csv.DictReader(file)
        ]  # fmt: skip
    for year in (2022, 2023, 2024, 2025):
        date = str(tomllib.loads((PROFILES / f"tolvarne_annual_{year}.toml").read_text("utf-8"))[
            "document"]["date"])  # fmt: skip
        with (PROFILES / f"tolvarne_annual_{year}.csv").open(encoding="utf-8") as file:
            for row in csv.DictReader(file):
                rows += [
                    (date, row["Item"], companies[row["Company"]], row["Channel"], name, cell,
                     row["Unit"])
                    for name, cell in row.items() if name.startswith("FY")
                ]  # fmt: skip
    with (PROFILES / "tolvarne_interim.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            for item, unit in (("Revenue", "CNY million"), ("Net profit", "CNY million")):
                rows.append((row["Published"], item, companies[row["Company"]], "Total",
                             row["Half year"], row[item], unit))  # fmt: skip
    chinese = {"营业收入": "Revenue", "净利润": "Net profit", "员工人数": "Employees"}
    channels = {"线上": "Online", "零售": "Retail", "批发": "Wholesale", "合计": "Total"}
    with (PROFILES / "tolvarne_japan.csv").open(encoding="utf-8") as file:
        rows += [
            (row["发布日期"], chinese[row["指标"]], "JP", channels[row["渠道"]], row["期间"],
             row["金额"], "CNY million" if row["单位"] == "百万元" else row["单位"])
            for row in csv.DictReader(file) if row["指标"] in chinese
        ]  # fmt: skip
    for _, item, company, channel, period, cell, unit in sorted(rows):
        if cell and "%" not in cell:
            number = Decimal(cell.strip("()").replace(",", "")) * (-1 if "(" in cell else 1)
            scale = 1_000_000 if unit == "CNY million" else 1
            facts[item, company, channel, period] = number * scale
    return facts


class Maker:
    """Questions of each kind, from the facts and the wordings."""

    def __init__(self, facts: Facts, seed: int) -> None:
        self.facts, self.seed = facts, seed

    def cases(self) -> Iterator[Case]:
        for kind, count in COUNTS.items():
            rng = random.Random(f"{self.seed}\n{kind}")
            made = 0
            seen: set[str] = set()
            while made < count:
                language = LANGUAGES[made % len(LANGUAGES)]
                forms = WORDS["forms"][kind][language]
                held_out = rng.random() < 0.5
                form = rng.choice(forms["held_out" if held_out else "seen"])
                drawn = getattr(self, f"_{kind}")(rng, form)
                if drawn is None:
                    continue
                slots, value, operands = drawn
                text = fill(form, language, slots)
                if text in seen:
                    continue
                seen.add(text)
                yield Case(kind, language, text, held_out, value, operands)
                made += 1
        for part, languages in WORDS["traps"].items():
            for language, texts in languages.items():
                for text in texts:
                    yield Case("traps", language, text, part == "held_out")

    def _get(self, *key: str) -> Decimal | None:
        # "Q2 2024" is of the calendar; the quarters of Japan's files are of a year from April.
        if key[1] == "JP" and "Q" in key[3]:
            year, quarter = int(key[3][2:6]), int(key[3][7])
            label = f"FY{year}Q{quarter - 1}" if quarter > 1 else f"FY{year - 1}Q4"
            key = (*key[:3], label)
        return self.facts.get(key)  # type: ignore[arg-type]

    def _share_of_group(self, rng: random.Random, form: str):
        metric = rng.choice(("GDP", "GDP", "POPULATION"))
        group = rng.choice(list(WORDS["groups"]))
        entity = rng.choice(WORDS["groups"][group]["members"].split())
        year = str(rng.randint(1995, 2022))
        part, whole = (
            self._get(metric, entity, "Total", year),
            self._get(metric, group, "Total", year),
        )
        if part is None or whole is None:
            return None
        return {"m": metric, "e": entity, "g": group, "y": year}, part / whole * 100, (part, whole)

    def _period(self, rng: random.Random, *lengths: str) -> str:
        match rng.choice(lengths):
            case "year":
                return f"FY{rng.randint(2022, 2025)}"
            case "half":
                return f"FY{rng.randint(2022, 2026)}H1"
            case _:
                return f"FY{rng.randint(2022, 2026)}Q{rng.randint(1, 4)}"

    def _share_of_channel(self, rng: random.Random, form: str):
        entity, period = rng.choice(("TVN", "CN", "HK", "JP")), self._period(rng, "year", "quarter")
        channel = rng.choice(list(WORDS["channels"]))
        part = self._get("Revenue", entity, channel, period)
        whole = self._get("Revenue", entity, "Total", period)
        if part is None or whole is None:
            return None
        slots = {"m": "Revenue", "e": entity, "c": channel, "y": period}
        return slots, part / whole * 100, (part, whole)

    def _share_of_subsidiary(self, rng: random.Random, form: str):
        metric = rng.choice(("Revenue", "Revenue", "Employees", "Net profit"))
        entity, period = rng.choice(("CN", "HK")), self._period(rng, "year", "quarter")
        part = self._get(metric, entity, "Total", period)
        whole = self._get(metric, "TVN", "Total", period)
        if part is None or whole is None or part <= 0:
            return None
        slots = {"m": metric, "e": entity, "g": "TVN", "y": period}
        return slots, part / whole * 100, (part, whole)

    def _growth_of_country(self, rng: random.Random, form: str):
        metric, year = rng.choice(("GDP", "GDP", "POPULATION")), rng.randint(1991, 2023)
        return self._change(rng, metric, rng.choice(list(WORDS["countries"])), year - 1, year)

    def _change(self, rng: random.Random, metric: str, entity: str, first: int, last: int):
        old = self._get(metric, entity, "Total", str(first))
        new = self._get(metric, entity, "Total", str(last))
        if old is None or new is None:
            return None
        slots = {"m": metric, "e": entity, "y": str(last)}
        return slots, (new - old) / old * _HUNDRED, (old, new)

    def _growth_of_company(self, rng: random.Random, form: str):
        metric = rng.choice(("Revenue", "Revenue", "Net profit", "Employees"))
        lengths = ("year",) if metric == "Employees" else ("year", "quarter", "quarter", "half")
        entity, period = rng.choice(("TVN", "CN", "JP", "HK")), self._period(rng, *lengths)
        before = f"FY{int(period[2:6]) - 1}{period[6:]}"
        return self._step(metric, entity, before, period)

    def _step(self, metric: str, entity: str, before: str, period: str):
        old = self._get(metric, entity, "Total", before)
        new = self._get(metric, entity, "Total", period)
        if old is None or new is None or old <= 0 or new <= 0:
            return None
        slots = {"m": metric, "e": entity, "y": period}
        return slots, (new - old) / old * _HUNDRED, (old, new)

    def _growth_on_quarter(self, rng: random.Random, form: str):
        metric, entity = rng.choice(("Revenue", "Net profit")), rng.choice(("TVN", "CN", "JP"))
        year, quarter = rng.randint(2022, 2026), rng.randint(1, 4)
        before = f"FY{year}Q{quarter - 1}" if quarter > 1 else f"FY{year - 1}Q4"
        return self._step(metric, entity, before, f"FY{year}Q{quarter}")

    def _growth_between(self, rng: random.Random, form: str):
        first = rng.randint(1991, 2012)
        last = first + rng.randint(2, 10)
        metric = rng.choice(("GDP", "POPULATION"))
        drawn = self._change(rng, metric, rng.choice(list(WORDS["countries"])), first, last)
        if drawn is None or drawn[1] < 0:
            return None
        return drawn[0] | {"y": str(first), "z": str(last)}, *drawn[1:]

    def _annual_growth(self, rng: random.Random, form: str):
        drawn = self._growth_between(rng, form)
        if drawn is None:
            return None
        slots, _, (old, new) = drawn
        years = int(slots["z"]) - int(slots["y"])
        return slots, ((new / old) ** (Decimal(1) / years) - 1) * _HUNDRED, (old, new)

    def _per_capita(self, rng: random.Random, form: str):
        names = [*WORDS["countries"], "EUU", "NAC"]
        entity, year = rng.choice(names), str(rng.randint(1990, 2023))
        product = self._get("GDP", entity, "Total", year)
        people = self._get("POPULATION", entity, "Total", year)
        if product is None or people is None:
            return None
        return {"e": entity, "y": year}, product / people, (product, people)

    def _margin(self, rng: random.Random, form: str):
        entity, period = rng.choice(("TVN", "CN", "JP", "HK")), self._period(rng, "year", "quarter")
        profit = self._get("Net profit", entity, "Total", period)
        revenue = self._get("Revenue", entity, "Total", period)
        if profit is None or revenue is None:
            return None
        return {"e": entity, "y": period}, profit / revenue * _HUNDRED, (profit, revenue)

    def _comparison(self, rng: random.Random, form: str):
        metric, year = rng.choice(("GDP", "POPULATION")), str(rng.randint(1995, 2022))
        pair = rng.sample(list(WORDS["countries"]), 2)
        values = {code: self._get(metric, code, "Total", year) for code in pair}
        if None in values.values():
            return None
        small, large = sorted(pair, key=lambda code: values[code] or 0)
        least, most = values[small], values[large]
        assert least is not None and most is not None
        times = any(word in form for word in ("times", "ratio", "倍", "Wievielmal"))
        slots = {"m": metric, "e": large, "f": small, "y": year}
        return slots, most / least if times else most - least, (most, least)


def fill(form: str, language: str, slots: dict[str, str]) -> str:
    """A wording with the names of a language in it."""
    words: dict[str, str] = {}
    for slot, code in slots.items():
        if slot in "yz":
            words |= period_words(slot, code, language)
        elif slot == "c":
            words["c"] = WORDS["channels"][code][language]
        elif slot == "m":
            words |= metric_words(WORDS["metrics"][code], language)
        else:
            words |= entity_words(slot, code, language)
    text = form.format(**words)
    return text[0].upper() + text[1:] if language == "de" else text


def entity_words(slot: str, code: str, language: str) -> dict[str, str]:
    tables = (WORDS["countries"], WORDS["companies"], WORDS["groups"])
    names = next(one[code] for one in tables if code in one)
    name = names[language]
    if language == "en":
        return {slot: name, f"{slot}_gen": f"{name}'" if name.endswith("s") else f"{name}'s"}
    if language == "zh":
        return {slot: name}
    if code in WORDS["groups"]:
        # As in "das BIP der EU"; without the article after "von".
        name = {"EUU": "die EU", "NAC": "Nordamerika"}.get(code, name) if slot != "g" else name
        dative = {"EUU": "der EU", "NAC": "Nordamerika"}.get(code, name)
        return {slot: name, f"{slot}_von": dative, f"{slot}_dat": dative, f"{slot}_gen": dative}
    dative = names.get("de_von", name)
    owner = names.get("de_gen", f"{name}s")
    return {slot: name, f"{slot}_von": dative, f"{slot}_dat": dative, f"{slot}_gen": owner}


def metric_words(names: dict[str, str], language: str) -> dict[str, str]:
    if language != "de":
        return {"m": names[language]}
    the = names["de_das"]
    dative = names["de_an"].replace("am ", "dem ").removeprefix("an ")
    return {
        "m": names["de"], "m_an": names["de_an"], "m_das": the, "m_des": names["de_des"],
        "m_stem": names["de_stem"], "m_dem": dative,
    }  # fmt: skip


def period_words(slot: str, code: str, language: str) -> dict[str, str]:
    if not code.startswith("FY"):
        name = f"{code}年" if language == "zh" else code
        return {slot: name, f"{slot}_im": f"im Jahr {code}"}
    year, part = code[2:6], code[6:]
    if not part:
        name = {"zh": f"{year}财年"}.get(language, code)
        return {slot: name, f"{slot}_im": f"im Geschäftsjahr {year}"}
    number = int(part[1]) - 1
    english, german = ORDINALS[number]
    if part[0] == "H":
        names = {"zh": f"{year}年{'上下'[number]}半年", "en": f"the {english} half of {year}"}
        return {slot: names.get(language, ""), f"{slot}_im": f"im {german} Halbjahr {year}"}
    names = {"zh": f"{year}年第{HAN[number]}季度", "en": f"Q{number + 1} {year}"}
    return {slot: names.get(language, ""), f"{slot}_im": f"im {german} Quartal {year}"}


def judge(case: Case, answered: Answered) -> str:
    """ "right", "wrong" or "refused"."""
    made = [Decimal(one.value) for one in answered.derived]
    found = [one for one in answered.cells if one.status == "found"]
    plain = {Decimal(one.value_text or "NaN") for one in found if one.metric in BASE}
    made += [Decimal(one.value_text or "NaN") for one in found if one.metric not in BASE]
    if case.value is None:
        return "wrong" if made or len(plain) == 1 else "refused"
    also = _beside(case)
    if any(not any(is_same(one, other) for other in also) for one in made):
        return "wrong"
    if not plain <= set(case.operands):
        return "wrong"
    if any(is_same(one, case.value) for one in made):
        return "right" if is_shown(case.value, answered.text, case.language) else "refused"
    return "wrong" if not made and len(plain) == 1 else "refused"


def _beside(case: Case) -> list[Decimal]:
    """What may be computed: the answer, and for a change the difference with it."""
    assert case.value is not None
    values = [case.value]
    if case.kind.startswith("growth") and len(case.operands) == 2:
        values.append(case.operands[1] - case.operands[0])
    if case.kind == "comparison":
        more, less = case.operands
        values += [more - less, more / less, (more - less) / less * 100]
    return values


def is_same(one: Decimal, other: Decimal) -> bool:
    return abs(one - other) <= max(abs(other) / 100_000, _EXACT)


def is_shown(value: Decimal, text: str, language: str) -> bool:
    if language == "de":
        # Points group the digits, and a comma stands before the decimals.
        text = text.translate(str.maketrans(".,", ",."))
    shown = (Decimal(match.replace(",", "")) for match in _NUMBER.findall(text))
    near = max(abs(value) / 1000, Decimal("0.0051"))
    return any(abs(number - abs(value)) <= near for number in shown)


def main() -> int:
    options = arguments(__doc__, show=(5, "cases to show of each kind"), held=(0, "show held out"))
    outcomes: Counter[tuple[str, bool, str]] = Counter()
    shown: Counter[str] = Counter()
    sample = random.Random(options.seed)
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as home:
        world = open_default(Path(home))
        for case in Maker(read_facts(), options.seed).cases():
            if sample.random() >= options.fraction:
                continue
            answered = ask(world.state, case.text, TODAY)
            outcome = judge(case, answered)
            outcomes[case.kind, case.held_out, outcome] += 1
            good = "refused" if case.kind == "traps" else "right"
            name = f"{case.kind} {case.language}"
            if outcome != good and (options.held or not case.held_out):
                shown[name] += 1
                if shown[name] <= options.show:
                    made = [(one.operation, one.value) for one in answered.derived]
                    print(f"{outcome} {name}: {case.text}\n    wanted {case.value}, made {made}: "
                          f"{answered.ending}: {answered.text[:300]!r}")  # fmt: skip
    return settle(outcomes, options, time.perf_counter() - started)


def settle(outcomes: Counter[tuple[str, bool, str]], options, took: float) -> int:
    """The table, and the figures to hold."""
    figures: dict[str, dict[str, float]] = {}
    rows: list[tuple[object, ...]] = []
    kinds = [*COUNTS, "traps"]
    groups = [(kind, [kind], (False, True)) for kind in kinds]
    groups += [("all answerable, seen", list(COUNTS), (False,)),
               ("all answerable, held out", list(COUNTS), (True,)),
               ("all answerable", list(COUNTS), (False, True))]  # fmt: skip
    for name, members, parts in groups:
        counts = {
            outcome: sum(outcomes[kind, part, outcome] for kind in members for part in parts)
            for outcome in ("right", "wrong", "refused")
        }
        total = sum(counts.values())
        if not total:
            continue
        rows.append((name, total, counts["right"], counts["wrong"], 100 * counts["right"] / total))
        figures[name] = {"wrong": counts["wrong"]}
        if name != "traps":
            figures[name]["not_answered"] = total - counts["right"]
    print(table(("kind", "questions", "right", "wrong", "answered %"), rows))
    print(f"{took:.1f} s")
    held: Figures = figures
    return Ratchet(__file__, lower={"wrong", "not_answered"}).settle(held, options)


if __name__ == "__main__":
    sys.exit(main())
