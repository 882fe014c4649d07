"""Rows are put in order before they are read, and nothing is where the mapping does not say so."""

from __future__ import annotations

from typing import Any

import pytest

from groundwire.metrics.importing.mapping import Layout, parse_mapping
from groundwire.metrics.importing.table import joined_headings, without_mark
from tests.metrics.importing.conftest import LONG, Bench


@pytest.mark.parametrize(
    ("rows", "wanted"),
    [
        (
            [["Company", "Revenue", "", "Stores", ""], ["", "2022", "2023", "2022", "2023"]],
            ("Company", "Revenue | 2022", "Revenue | 2023", "Stores | 2022", "Stores | 2023"),
        ),
        ([["", "2022", "2023"]], ("column 1", "2022", "2023")),
        ([["A", "B"], ["A", "t"]], ("A", "B | t")),
        ([["A"], ["", "b", "c"]], ("A", "A | b", "A | c")),
        ([["A", "", "B"], ["", "", "x"]], ("A", "column 2", "B | x")),
    ],
)
def test_headings_of_several_rows(rows: list[list[str]], wanted: tuple[str, ...]) -> None:
    assert joined_headings(rows) == wanted


@pytest.mark.parametrize(
    ("cell", "wanted"),
    [
        ("Chile (1)", "Chile"), ("Chile [a]", "Chile"), ("Chile¹", "Chile"), ("Chile 2)", "Chile"),
        ("800*", "800"), ("9 †", "9"), ("1,200 [b]", "1,200"), ("12%¹", "12%"),
        # These are values and names as they are.
        ("(1)", "(1)"), ("(1,100)", "(1,100)"), ("(12)", "(12)"), ("Area m²", "Area m²"),
        ("Revenue (m)", "Revenue (m)"), ("Weight (t)", "Weight (t)"), ("Boeing 747", "Boeing 747"),
        ("*", "*"), ("", ""), ("Sales (USD)", "Sales (USD)"), ("-5", "-5"),
    ],
)  # fmt: skip
def test_signs_of_footnotes_are_cut_off(cell: str, wanted: str) -> None:
    assert without_mark(cell) == wanted


def test_an_old_layout_arranges_nothing() -> None:
    assert not Layout().is_arranged
    assert not Layout(header_row=3, sheet="x", encoding="cp1252", delimiter=";").is_arranged


def arranged(**layout: Any) -> dict[str, Any]:
    return LONG | {"layout": layout}


def test_the_table_ends_where_the_mapping_says(bench: Bench) -> None:
    text = "Metric,Entity,Period,Value\nGDP,France,2022,1\nGDP,France,2023,2\n\nNotes,,,\nx,y,z,1\n"
    report = bench.load(text, arranged(last_row=3))
    assert (report.facts_new, report.bad_total) == (2, 0)


def test_repeated_headings_are_no_rows(bench: Bench) -> None:
    head = "Metric,Entity,Period,Value\n"
    report = bench.load(
        f"{head}GDP,France,2022,1\n{head}GDP,France,2023,2\n", arranged(repeated_headings=True)
    )
    assert (report.facts_new, report.bad_total) == (2, 0)


def test_rows_that_are_left_out_are_counted(bench: Bench) -> None:
    text = "Metric,Entity,Period,Value\nGDP,France,2022,1\nGDP,Total,2022,9\n"
    report = bench.load(text, arranged(leave_out="(?:Total)"))
    assert (report.facts_new, report.bad_total) == (1, 0)
    assert any("'Total' are left out" in str(skip) for skip in report.skipped)


def test_a_mark_behind_a_value_is_cut_off_where_it_is_told(bench: Bench) -> None:
    text = "Metric,Entity,Period,Value\nGDP,France (1),2022,800*\n"
    assert bench.load(text, arranged(footnotes=True)).facts_new == 1
    assert bench.value("GDP", "FRA", 2022)[0] == "800"


@pytest.mark.parametrize(
    "columns",
    [
        [{"column": "a", "metric": "GDP", "period": "2022"}, {"column": "b", "metric": "GDP"}],
        [{"column": "a", "metric": "GDP"}],
    ],
)
def test_periods_stand_with_each_column_or_with_none(columns: list[dict[str, str]]) -> None:
    tree = {
        "layout": {"kind": "metric_columns"},
        "columns": {"entity": {"column": "e"}},
        "value_columns": columns,
    }
    with pytest.raises(Exception, match="period"):
        parse_mapping(tree, "test")
