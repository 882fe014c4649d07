"""How often plain questions over profiles that nobody has seen are asked back instead of answered.

Each of forty profiles has an invented group with its subsidiaries and eight metrics drawn from
forty, with names in English, German and Chinese; its facts are drawn too. A question names metric,
entity and period in one language. Half of the wordings are held out.

Run: python tests/evals/metrics_plain.py [--fraction 0.1] [--seed 7] [--show 5] [--held 1]
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from groundwire.metrics.ask import ask  # noqa: E402
from groundwire.metrics.factbase import State  # noqa: E402
from groundwire.metrics.facts.store import SqliteFacts  # noqa: E402
from groundwire.metrics.importing.load import import_file  # noqa: E402
from groundwire.metrics.importing.mapping import parse_mapping  # noqa: E402
from groundwire.metrics.names import Names  # noqa: E402
from groundwire.metrics.narrative.store import NarrativeStore  # noqa: E402
from groundwire.metrics.profile import parse_profile  # noqa: E402
from tests.evals._report import Ratchet, arguments, table  # noqa: E402
from tests.evals.metrics_worlds import TODAY  # noqa: E402

WORDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
PROFILES, QUESTIONS = 40, 25
LANGUAGES = ("zh", "zh", "en", "de")
HAN = "一二三四"
ORDINALS = (("first", "ersten"), ("second", "zweiten"), ("third", "dritten"), ("fourth", "vierten"))
MONTHS = (
    ("January", "Januar"), ("February", "Februar"), ("March", "März"), ("April", "April"),
    ("May", "Mai"), ("June", "Juni"), ("July", "Juli"), ("August", "August"),
    ("September", "September"), ("October", "Oktober"), ("November", "November"),
    ("December", "Dezember"),
)  # fmt: skip
MAPPING = """
[document]
name = "Figures"
date = 2026-06-30

[layout]
kind = "long"

[columns]
metric = { column = "metric" }
entity = { column = "entity" }
period = { column = "period" }
value = { column = "value" }
unit = { column = "unit" }
"""


@dataclass(frozen=True, slots=True)
class Made:
    """A generated fact base, with the names of each language and the values of its facts."""

    state: State
    metrics: dict[str, dict[str, list[str]]]
    entities: dict[str, dict[str, str]]
    facts: dict[tuple[str, str, str], Decimal]


@dataclass(frozen=True, slots=True)
class Case:
    language: str
    text: str
    key: tuple[str, str, str]
    held_out: bool


def make(rng: random.Random, folder: Path) -> Made:
    """A profile, its facts, imported from a file as anybody's would be."""
    picked = rng.sample(WORDS["metrics"], 8)
    parts = rng.sample(WORDS["syllables"], rng.choice((2, 3)))
    business = rng.choice(WORDS["businesses"])
    stem = parts[0][0] + "".join(one[0].lower() for one in parts[1:])
    han = "".join(one[1] for one in parts)
    entities = {"G": {"en": f"{stem} {business['en']}", "de": f"{stem} {business['de']}",
                      "zh": f"{han}{business['zh']}"}}  # fmt: skip
    for number, place in enumerate(rng.sample(WORDS["places"], 3)):
        entities[f"S{number}"] = {"en": f"{stem} {place['en']}", "de": f"{stem} {place['de']}",
                                  "zh": f"{han}{place['zh']}"}  # fmt: skip
    grains = {one["code"]: rng.choice((["year"], ["year", "quarter"], ["year", "month"]))
              for one in picked}  # fmt: skip
    units = {one["code"]: one["unit"] for one in picked}
    facts = {
        (code, entity, period): Decimal(rng.randint(10_000, 99_999_999)) / (
            Decimal(1_000_000) if units[code] == "%" else 1
        )
        for code in units for entity in entities for period in periods(grains[code])
    }  # fmt: skip
    profile = parse_profile({
        "profile": {"name": stem.lower(), "title": stem},
        "kinds": {"company": {"label": "company", "home": "G"}},
        "entities": [
            {"code": code, "kind": "company", "name": names["en"],
             "aliases": sorted({names["de"], names["zh"]} - {names["en"]}),
             **({"parent": "G"} if code != "G" else {})}
            for code, names in entities.items()
        ],
        "metrics": [
            {"code": one["code"], "kind": "company", "label": one["en"][0],
             "aliases": sorted({*one["en"][1:], *one["de"], *one["zh"]} - {one["en"][0]}),
             "unit": one["unit"], "measure": one["measure"], "grains": grains[one["code"]]}
            for one in picked
        ],
    }, stem)  # fmt: skip
    table_file = folder / "facts.csv"
    rows = [f"{code},{entity},{period},{value},{units[code]}"
            for (code, entity, period), value in facts.items()]  # fmt: skip
    table_file.write_text("\n".join(("metric,entity,period,value,unit", *rows)) + "\n", "utf-8")
    store = SqliteFacts(folder / "facts.sqlite")
    import_file(table_file, parse_mapping(tomllib.loads(MAPPING), "made"), profile, store,
                today=TODAY)  # fmt: skip
    state = State(profile, Names(profile), store, NarrativeStore(None), ())
    names = {one["code"]: {language: one[language] for language in ("en", "de", "zh")}
             for one in picked}  # fmt: skip
    return Made(state, names, entities, facts)


def periods(grains: list[str]) -> Iterator[str]:
    for year in (2022, 2023, 2024, 2025):
        yield str(year)
        if "quarter" in grains:
            yield from (f"{year}Q{number}" for number in range(1, 5))
        if "month" in grains:
            yield from (f"{year}-{number:02}" for number in range(1, 13))


def period_words(code: str, language: str) -> dict[str, str]:
    year = code[:4]
    if "Q" in code:
        number = int(code[-1]) - 1
        english, german = ORDINALS[number]
        p = {"en": f"the {english} quarter of {year}", "zh": f"{year}年第{HAN[number]}季度",
             "de": f"{german} Quartal {year}"}[language]  # fmt: skip
        return {"p": p, "p_im": f"im {german} Quartal {year}", "p_de": f"Q{number + 1} {year}"}
    if "-" in code:
        number = int(code[5:])
        english, german = MONTHS[number - 1]
        p = {"en": f"{english} {year}", "zh": f"{year}年{number}月", "de": f"{german} {year}"}
        return {"p": p[language], "p_im": f"im {german} {year}", "p_de": f"{german} {year}"}
    return {"p": f"{year}年" if language == "zh" else year, "p_im": f"im Jahr {year}", "p_de": year}


def cases(rng: random.Random, made: Made) -> Iterator[Case]:
    for number in range(QUESTIONS):
        language = LANGUAGES[number % len(LANGUAGES)]
        key = rng.choice(list(made.facts))
        held_out = rng.random() < 0.5
        form = rng.choice(WORDS["forms"][language]["held_out" if held_out else "seen"])
        metric = rng.choice(made.metrics[key[0]][language])
        if language == "en" and metric[1:2].islower():
            metric = metric[0].lower() + metric[1:]
        text = form.format(m=metric, e=made.entities[key[1]][language],
                           **period_words(key[2], language))  # fmt: skip
        yield Case(language, text[0].upper() + text[1:], key, held_out)


def judge(made: Made, case: Case) -> tuple[str, str]:
    answered = ask(made.state, case.text, date(2026, 11, 21))
    found = [one for one in answered.cells if one.status == "found"]
    note = f"{answered.ending}: {answered.text[:300]!r}"
    if answered.derived:
        return "wrong", note
    if not found:
        asked = answered.ending in ("asked", "unrecognized_param") or answered.mode == "ask_first"
        return "asked back" if asked else "refused", note
    value = made.facts[case.key]
    right = len(found) == 1 and (found[0].metric, found[0].entity) == case.key[:2]
    return "right" if right and Decimal(found[0].value_text or "NaN") == value else "wrong", note


def main() -> int:
    options = arguments(__doc__, show=(5, "cases to show of each language"), held=(0, "held out"))
    outcomes: Counter[tuple[str, bool, str]] = Counter()
    shown: Counter[str] = Counter()
    rng, started = random.Random(options.seed), time.perf_counter()
    for number in range(max(1, round(PROFILES * options.fraction))):
        with tempfile.TemporaryDirectory() as home:
            made = make(random.Random(f"{options.seed}\n{number}"), Path(home))
            for case in cases(rng, made):
                outcome, note = judge(made, case)
                outcomes[case.language, case.held_out, outcome] += 1
                if outcome != "right" and (options.held or not case.held_out):
                    shown[case.language] += 1
                    if shown[case.language] <= options.show:
                        print(f"{outcome}: {case.text}\n    {note}")
            made.state.store.close()
    return settle(outcomes, options, time.perf_counter() - started)


def settle(outcomes: Counter[tuple[str, bool, str]], options, took: float) -> int:
    figures: dict[str, dict[str, float]] = {}
    rows: list[tuple[object, ...]] = []
    languages = ("zh", "en", "de")
    groups = [(f"{one}, {'held out' if held else 'seen'}", (one,), (held,))
              for one in languages for held in (False, True)]  # fmt: skip
    groups += [(one, (one,), (False, True)) for one in languages]
    groups += [("all", languages, (False, True))]
    for name, members, parts in groups:
        counts = {
            outcome: sum(outcomes[one, part, outcome] for one in members for part in parts)
            for outcome in ("right", "wrong", "asked back", "refused")
        }
        total = sum(counts.values())
        if not total:
            continue
        asked = 100 * counts["asked back"] / total
        rows.append((name, total, *counts.values(), asked))
        figures[name] = {"wrong": counts["wrong"], "asked_back_percent": round(asked, 2),
                         "right_percent": round(100 * counts["right"] / total, 2)}  # fmt: skip
    print(table(("language", "questions", "right", "wrong", "asked back", "refused", "asked %"),
                rows))  # fmt: skip
    print(f"{took:.1f} s")
    return Ratchet(__file__, lower={"wrong", "asked_back_percent"}).settle(figures, options)


if __name__ == "__main__":
    sys.exit(main())
