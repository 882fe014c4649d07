"""Everyday names in drafts of SEC company facts."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

from groundwire.metrics.importing.draft import draft
from groundwire.metrics.importing.draft_writing import everyday_names


def company(folder: Path, **concepts: str) -> Path:
    """Company facts with one year of each concept, by name and label."""
    year = {"start": "2023-01-01", "end": "2023-12-31", "val": 7, "accn": "1", "form": "10-K"}
    facts = {
        name: {
            "label": label,
            "description": "",
            "units": {"USD": [{**year, "fy": 2023, "fp": "FY", "filed": "2024-02-01"}]},
        }
        for name, label in concepts.items()
    }
    tree = {"cik": 1, "entityName": "Acme Inc.", "facts": {"us-gaap": facts}}
    path = folder / "facts.json"
    path.write_text(json.dumps(tree), "utf-8")
    return path


def aliases(path: Path) -> dict[str, list[str]]:
    metrics = tomllib.loads(draft(path).profile_toml)["metrics"]
    return {metric["code"]: metric.get("aliases", []) for metric in metrics}


def test_a_concept_gets_the_names_that_people_use(tmp_path: Path) -> None:
    path = company(
        tmp_path,
        RevenueFromContractWithCustomerExcludingAssessedTax="Revenue from Contract with Customer",
        NetIncomeLoss="Net Income (Loss) Attributable to Parent",
    )
    drafted = aliases(path)
    assert "revenue" in drafted["RevenueFromContractWithCustomerExcludingAssessedTax"]
    assert "净利润" in drafted["NetIncomeLoss"]
    assert any("everyday names" in note for note in draft(path).notes)


def test_a_name_that_several_concepts_may_mean_is_given_to_none() -> None:
    both = {"Revenues", "RevenueFromContractWithCustomerExcludingAssessedTax", "Assets"}
    assert dict(everyday_names(both)) == {"Assets": ("total assets", "总资产", "资产总计")}


def test_a_name_that_is_another_metrics_own_is_left_to_it(tmp_path: Path) -> None:
    path = company(tmp_path, Assets="Assets", TotalAssets="Total Assets")
    drafted = aliases(path)
    assert "total assets" not in [name.lower() for name in drafted["Assets"]]
    assert "总资产" in drafted["Assets"]
