"""The truth of table cases, by brute force over the CSV files that come with the profile.

Nothing of the store or of its queries is used: files are read as text, and names from the TOML.
"""

from __future__ import annotations

import csv
import tomllib
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from pathlib import Path

PROFILES = Path(__file__).parents[2] / "profiles"
FILES = {"POPULATION": "world_bank_population.csv", "GDP": "world_bank_gdp.csv"}
LABELS = {"POPULATION": "Population", "GDP": "GDP (current US$)"}


@dataclass(frozen=True)
class Countries:
    """Values of countries by metric, code and year, and who they are."""

    values: dict[str, dict[str, dict[int, Decimal]]]
    names: dict[str, str]
    aliases: dict[str, list[str]]
    members: dict[str, list[str]]
    complete: dict[str, bool]

    @cached_property
    def single(self) -> list[str]:
        """Codes of those that hold no others."""
        return [code for code in self.names if code not in self.members]

    def held(self, metric: str, year: int, among: list[str] | None = None) -> dict[str, Decimal]:
        """The value of each one that has one in a year."""
        codes = self.single if among is None else among
        values = self.values[metric]
        return {
            code: values[code][year] for code in codes if code in values and year in values[code]
        }

    def ranked(
        self, metric: str, year: int, among: list[str] | None = None, *, least: bool = False
    ) -> list[tuple[str, Decimal]]:
        """Codes with their values in order; of equal values by code."""
        held = sorted(self.held(metric, year, among).items())
        return sorted(held, key=lambda one: one[1] if least else -one[1])

    def last_parts(self, group: str) -> list[str]:
        """Members of a group that hold no others, at any depth."""
        found: dict[str, None] = {}
        waiting, seen = [*self.members[group]], {group}
        while waiting:
            one = waiting.pop()
            if one in seen:
                continue
            seen.add(one)
            if one in self.members:
                waiting += self.members[one]
            else:
                found[one] = None
        return [code for code in self.single if code in found]


def countries() -> Countries:
    """Read the files."""
    tree = tomllib.loads((PROFILES / "metrics.toml").read_text("utf-8"))
    own = [one for one in tree["entities"] if one["kind"] == "country"]
    names = {one["code"]: one["name"] for one in own}
    values: dict[str, dict[str, dict[int, Decimal]]] = {}
    for metric, file in FILES.items():
        with (PROFILES / file).open(encoding="utf-8-sig", newline="") as lines:
            header, *rows = csv.reader(lines)
        values[metric] = {
            row[0]: {
                int(year): Decimal(cell)
                for year, cell in zip(header[1:], row[1:], strict=False)
                if cell.strip()
            }
            for row in rows
        }
    groups = {code: one for code, one in tree["groups"].items() if code in names}
    return Countries(
        values,
        names,
        {one["code"]: one.get("aliases", []) for one in own},
        {code: [m for m in one["members"] if m in names] for code, one in groups.items()},
        {code: bool(one.get("complete")) for code, one in groups.items()},
    )


def channels() -> dict[tuple[str, str, str], Decimal]:
    """Revenue of the fictitious group by company, channel and year, as the newest report has it."""
    found: dict[tuple[str, str, str], Decimal] = {}
    for year in (2022, 2023, 2024, 2025):
        path = PROFILES / f"tolvarne_annual_{year}.csv"
        with path.open(encoding="utf-8-sig", newline="") as lines:
            for row in csv.DictReader(lines):
                if row["Item"] != "Revenue":
                    continue
                for column, cell in row.items():
                    if column.startswith("FY") and cell.strip() not in ("", "-", "n/a"):
                        text = cell.replace(",", "")
                        scale = {"CNY million": 10**6, "CNY thousand": 10**3, "CNY": 1}[row["Unit"]]
                        found[row["Company"], row["Channel"], column] = Decimal(text) * scale
    return found
