"""Writes `profiles/countries.ttl`, the embedded graph of countries, from the extract beside it.

    python -m tests.profiles.countries.graph

Populations are those of `profiles/world_bank_population.csv`. A test holds that the file is the one
that this module writes.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.profiles.countries.extract import CONTINENTS, FOLDER, LANGUAGES

PROFILES = Path(__file__).parents[3] / "profiles"
TARGET = PROFILES / "countries.ttl"
LATEST = "2024"
YEARS = ("1960", "1970", "1980", "1990", "2000", "2010", "2015", "2020", "2022", "2023", LATEST)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _labels(names: dict[str, str], also: list[tuple[str, str]] = ()) -> Iterator[str]:  # type: ignore[assignment]
    yield "rdfs:label " + " , ".join(f"{_quoted(n)}@{lang}" for lang, n in names.items() if n)
    others = [f"{_quoted(n)}@{lang}" for lang, n in also if names.get(lang) != n]
    if others:
        yield "skos:altLabel " + " , ".join(others)


def _node(name: str, kind: str, *said: str) -> str:
    return f"c:{name} a c:{kind} ;\n  " + " ;\n  ".join(said) + " .\n"


def _names(section: str, code: str) -> dict[str, str]:
    """The names that `cldr.csv` has for a code, by language."""
    row = _cldr()[section, code]
    return {lang: row[lang] for lang in LANGUAGES if row[lang]}


@cache
def _cldr() -> dict[tuple[str, str], dict[str, str]]:
    return {(row["section"], row["code"]): row for row in _rows("cldr.csv")}


def _capital(row: dict[str, str], own: dict[str, dict[str, str]]) -> dict[str, str]:
    """The names of a capital: our own translations, else those of the CLDR."""
    if row["code"] in own:
        also = {lang: own[row["code"]][lang] for lang in ("de", "zh")}
        return {"en": row["capital"], **also}
    return _names("capital", row["code"])


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
        names = _names("territories", row["iso2"])
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
                           *_labels(_names("currencies", code), also.get(code, [])),
                           f'c:isoCode "{code}"'))  # fmt: skip
    for code in sorted({one for row in rows for one in row["languages"].split()}):
        names = _names("languages", code)
        parts.append(_node(f"language-{code}", "Language", *_labels(names), f'c:isoCode "{code}"'))
    for code in sorted({row["continent"] for row in rows}):
        names = _names("territories", CONTINENTS[code])
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
