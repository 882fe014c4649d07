"""SEC company facts: identity by interval, days of filing, and what the profile picks of them."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from groundwire.errors import InputError
from groundwire.metrics.facts.store import SqliteFacts
from groundwire.metrics.importing.load import import_file
from groundwire.metrics.importing.mapping import Mapping, parse_mapping
from groundwire.metrics.importing.report import BadRowsError, ImportReport
from groundwire.metrics.profile import Profile, parse_profile

Values = list[dict[str, Any]]


def filed(end: str, val: object, accn: str = "A-1", start: str = "", on: str = "2024-02-01") -> Any:
    value = {"end": end, "val": val, "accn": accn, "fy": 2023, "fp": "FY", "form": "10-K"}
    return value | {"filed": on} | ({"start": start} if start else {})


def company(**concepts: dict[str, Values]) -> str:
    named = {name: {"label": name, "units": units} for name, units in concepts.items()}
    return json.dumps({"cik": 1, "entityName": "ACME INC.", "facts": {"us-gaap": named}})


@pytest.fixture
def acme() -> Profile:
    metric = {"kind": "company", "unit": "USD"}
    return parse_profile(
        {
            "profile": {"name": "acme"},
            "kinds": {"company": {"label": "company", "fiscal_year_start": "02-01"}},
            "entities": [{"code": "ACME", "kind": "company", "name": "Acme Inc"}],
            "metrics": [
                metric | {"code": "Revenues", "label": "Revenues", "grains": ["year", "quarter"]},
                metric | {"code": "Cash", "label": "Cash", "measure": "stock"},
                metric | {"code": "EPS", "label": "EPS", "unit": "USD/shares"},
            ],
        },
        "acme",
    )


def load(text: str, profile: Profile, store: SqliteFacts, folder: Path) -> ImportReport:
    path = folder / "acme.json"
    path.write_text(text)
    return import_file(path, None, profile, store)


def test_a_value_is_its_interval_and_a_later_filing_restates_it(
    acme: Profile, store: SqliteFacts, tmp_path: Path
) -> None:
    year = {"start": "2022-02-01"}
    text = company(
        Revenues={"USD": [
            filed("2023-01-31", 100, **year),
            filed("2023-01-31", 100, **year),
            filed("2023-01-31", 101.5, "A-2", on="2024-05-01", **year),
        ]},
        Cash={"USD": [filed("2023-01-31", 7)]},
        EPS={"USD/shares": [filed("2023-01-31", -0.25, **year)]},
    )  # fmt: skip
    report = load(text, acme, store, tmp_path)
    assert (report.rows_read, report.facts_new, report.facts_known) == (5, 4, 1)
    days = date(2022, 2, 1), date(2023, 1, 31)
    (now,) = store.lookup("Revenues", "ACME", "TOTAL", *days)
    (then,) = store.lookup("Revenues", "ACME", "TOTAL", *days, date(2024, 3, 1))
    assert (str(now.value), str(then.value)) == ("101.5", "100")
    assert then.source.doc == "10-K A-1"
    assert then.source.publisher == "SEC ACME INC."
    assert now.source.locator == "facts.us-gaap.Revenues.units.USD[2]"
    assert now.as_of == date(2024, 5, 1)
    (cash,) = store.lookup("Cash", "ACME", "TOTAL", date(2023, 1, 31), date(2023, 1, 31))
    assert cash.value == 7
    (share,) = store.lookup("EPS", "ACME", "TOTAL", *days)
    assert (str(share.value), share.unit) == ("-0.25", "USD/shares")


def test_what_the_profile_does_not_pick_is_counted(
    acme: Profile, store: SqliteFacts, tmp_path: Path
) -> None:
    text = company(
        Revenue={"USD": [filed("2023-01-31", 1), filed("2024-01-31", 1)]},
        Revenues={"USD": [filed("2022-10-31", 5, start="2022-02-01")]},
    )
    report = load(text, acme, store, tmp_path)
    assert (report.facts_new, report.bad_total) == (0, 0)
    assert report.skipped == (
        ("Revenue is no metric code of the profile", 2),
        ("Revenues has a nine months, which is no grain of it", 1),
    )


def test_unknown_concepts_may_be_made_bad_and_the_entity_named(
    acme: Profile, store: SqliteFacts, tmp_path: Path
) -> None:
    path = tmp_path / "acme.json"
    path.write_text(company(Other={"USD": [filed("2023-01-31", 1)]}))
    strict = parse_mapping(
        {"layout": {"format": "sec_company_facts"}, "unknown": {"metric": "bad"}}, "m"
    )
    with pytest.raises(BadRowsError, match=r"units\.USD\[0\]: Other is no metric code"):
        import_file(path, strict, acme, store)
    path.write_text(
        company(Cash={"USD": [filed("2023-01-31", 1)]}).replace("ACME INC.", "Umbrella")
    )
    with pytest.raises(BadRowsError, match="'Umbrella' is no entity"):
        import_file(path, None, acme, store)
    named = parse_mapping(
        {"layout": {"format": "sec_company_facts"}, "columns": {"entity": {"constant": "ACME"}}},
        "m",
    )
    assert import_file(path, named, acme, store).facts_new == 1


@pytest.mark.parametrize(
    ("concept", "said"),
    [
        ({"EUR": [filed("2023-01-31", 1)]}, "the unit is 'EUR'"),
        ({"pure": [filed("2023-01-31", 1)]}, "bare number"),
        ({"USD": [filed("2023-02-30", 1)]}, "no day of the calendar"),
        ({"USD": [filed("2023-01-31", "1")]}, "'1' is no number"),
        ({"USD": [filed("2023-01-31", None)]}, "is no number"),
        ({"USD": [filed("2023-01-31", 1, start="2023-03-01")]}, "before the start"),
    ],
)
def test_what_contradicts_is_bad(
    acme: Profile, store: SqliteFacts, tmp_path: Path, concept: Any, said: str
) -> None:
    with pytest.raises(BadRowsError) as caught:
        load(company(Cash=concept), acme, store, tmp_path)
    assert said in caught.value.rows[0].reason


@pytest.mark.parametrize(
    "text", ["{}", '{"facts": []}', "[" * 100_000, '{"facts": {"a": {"b": {}}}}']
)
def test_another_json_is_refused(
    acme: Profile, store: SqliteFacts, tmp_path: Path, text: str
) -> None:
    with pytest.raises(InputError):
        load(text, acme, store, tmp_path)


def test_the_mapping_of_company_facts_may_be_empty() -> None:
    assert Mapping.model_validate({"layout": {"format": "sec_company_facts"}})
