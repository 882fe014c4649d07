"""Writes `profiles/countries.ttl`, the embedded graph of countries, from the extract beside it.

    python -m tests.profiles.countries.graph

Populations are those of `profiles/world_bank_population.csv`. A test holds that the file is the one
that this module writes.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from tests.profiles.countries.extract import FOLDER, folded

PROFILES = Path(__file__).parents[3] / "profiles"
TARGET = PROFILES / "countries.ttl"
LANGUAGES = ("en", "de", "zh")
LATEST = "2024"
YEARS = ("1960", "1970", "1980", "1990", "2000", "2010", "2015", "2020", "2022", "2023", LATEST)
CONTINENTS = {
    "AF": "002",
    "AN": "AQ",
    "AS": "142",
    "EU": "150",
    "NA": "003",
    "OC": "009",
    "SA": "005",
}


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _labels(names: dict[str, str], also: list[tuple[str, str]] = ()) -> Iterator[str]:  # type: ignore[assignment]
    yield "rdfs:label " + " , ".join(f"{_quoted(n)}@{lang}" for lang, n in names.items() if n)
    others = [f"{_quoted(n)}@{lang}" for lang, n in also if names.get(lang) != n]
    if others:
        yield "skos:altLabel " + " , ".join(others)


def _node(name: str, kind: str, *said: str) -> str:
    return f"c:{name} a c:{kind} ;\n  " + " ;\n  ".join(said) + " .\n"


def _of_cldr(section: str, code: str) -> dict[str, str]:
    from babel import Locale

    found = {lang: getattr(Locale(lang), section).get(code, "") for lang in LANGUAGES}
    return {lang: str(name) for lang, name in found.items() if name}


def _capital(row: dict[str, str], own: dict[str, dict[str, str]]) -> dict[str, str]:
    """The names of a capital: our own translations, else the zone of CLDR named after it."""
    from babel import Locale
    from babel.core import get_global

    name = row["capital"]
    if row["code"] in own:
        return {"en": name, "de": own[row["code"]]["de"], "zh": own[row["code"]]["zh"]}
    for zone in get_global("territory_zones").get(row["iso2"], ()):
        cities = {lang: Locale(lang).time_zones.get(zone, {}).get("city") for lang in LANGUAGES}
        english = cities["en"] or zone.rpartition("/")[2].replace("_", " ")
        if folded(english) == folded(name) and cities["zh"]:
            return {"en": name, "de": cities["de"] or name, "zh": cities["zh"]}
    return {"en": name}


def _rows(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def turtle() -> str:
    """The graph as Turtle."""
    with (PROFILES / "world_bank_population.csv").open(encoding="utf-8", newline="") as file:
        people = {row["Country Code"]: row for row in csv.DictReader(file)}
    rows, own = _rows("countries.csv"), {row["code"]: row for row in _rows("capitals.csv")}
    also: dict[str, list[tuple[str, str]]] = {}
    for row in _rows("names.csv"):
        also.setdefault(row["code"], []).append((row["language"], row["name"]))
    parts = [(FOLDER / "vocabulary.ttl").read_text("utf-8")]
    for row in rows:
        code = row["code"]
        figures = people.get(code, {})
        names = _of_cldr("territories", row["iso2"])
        said = [
            *_labels(names, also.get(code, [])),
            f'c:isoCode "{code}"',
            f"c:capital c:capital-{code}",
            f"c:continent c:continent-{row['continent']}",
            f"c:area {row['area']}",
        ]
        if figures.get(LATEST):
            said.append(f"c:population {figures[LATEST]}")
        for p, prefix, held in (
            ("currency", "currency-", row["currency"]),
            ("language", "language-", row["languages"]),
            ("borders", "", row["borders"]),
        ):
            if held:
                said.append(f"c:{p} " + " , ".join(f"c:{prefix}{one}" for one in held.split()))
        parts.append(_node(code, row["kind"], *said))
        parts.append(_node(f"capital-{code}", "City", *_labels(_capital(row, own))))
        parts += [
            f"c:population-{code}-{year} a c:PopulationFigure ; c:figureOf c:{code} ; "
            f"c:year {year} ; c:population {figures[year]} .\n"
            for year in YEARS
            if figures.get(year)
        ]
    for code in sorted({row["currency"] for row in rows}):
        parts.append(_node(f"currency-{code}", "Currency",
                           *_labels(_of_cldr("currencies", code), also.get(code, [])),
                           f'c:isoCode "{code}"'))  # fmt: skip
    for code in sorted({one for row in rows for one in row["languages"].split()}):
        names = _of_cldr("languages", code)
        parts.append(_node(f"language-{code}", "Language", *_labels(names), f'c:isoCode "{code}"'))
    for code in sorted({row["continent"] for row in rows}):
        names = _of_cldr("territories", CONTINENTS[code])
        hidden = [
            f"{_quoted(one['name'])}@{one['language']}"
            for one in _rows("demonyms.csv") if one["code"] == code
        ]  # fmt: skip
        said = [*_labels(names), *(["skos:hiddenLabel " + " , ".join(hidden)] if hidden else ())]
        parts.append(_node(f"continent-{code}", "Continent", *said))
    return "\n".join(parts)


def main() -> None:
    TARGET.write_text(turtle(), "utf-8")
    print(f"wrote {TARGET.name}, {TARGET.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
