"""Mappings that contradict themselves are refused in one line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from groundwire.errors import ConfigurationError
from groundwire.metrics.importing.mapping import load_mapping, parse_mapping
from tests.metrics.importing.conftest import HEADINGS, LONG, Bench

COLUMN = {"column": "X"}


@pytest.mark.parametrize(
    ("tree", "said"),
    [
        ({}, "columns.metric is missing"),
        ({"columns": {"metric": COLUMN, "entity": COLUMN, "value": COLUMN}}, "columns.period"),
        ({"columns": {"metric": {}}}, "columns.metric: write either"),
        ({"columns": {"period": COLUMN, "end": COLUMN}}, "exclude each other"),
        ({"columns": {"quarter": COLUMN}}, "is a part of period"),
        ({"columns": {"start": COLUMN}}, "start needs end"),
        ({"columns": {"value": {"constant": "1"}}}, "value is a column"),
        ({"layout": {"kind": "wide"}}, "columns.metric is missing"),
        ({"layout": {"kind": "wide", "period_columns": "("}}, "no regular expression"),
        ({"layout": {"encoding": "klingon"}}, "no such encoding"),
        ({"values": {"scale": "zillion"}}, "a scale is a word"),
        ({"colums": {}}, "colums: there is no such key"),
        (LONG | {"value_columns": [{"column": "a", "metric": "b"}]}, "go together"),
    ],
)
def test_what_is_wrong_is_named(tree: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        parse_mapping(tree, "m.toml")
    assert said in str(caught.value)
    assert "m.toml" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_mapping_is_a_toml_file(tmp_path: Path) -> None:
    path = tmp_path / "m.toml"
    with pytest.raises(ConfigurationError, match="cannot be read"):
        load_mapping(path)
    path.write_text("[columns")
    with pytest.raises(ConfigurationError, match="is no TOML"):
        load_mapping(path)
    path.write_text(
        "[columns]\nmetric = { constant = 'GDP' }\nentity = { column = 'Land' }\n"
        "period = { column = 'Jahr' }\nvalue = { column = 'Wert' }\n[document]\ndate = 2024-01-31\n"
    )
    mapping = load_mapping(path)
    assert mapping.columns.entity is not None
    assert mapping.columns.entity.column == "Land"
    assert str(mapping.document.date) == "2024-01-31"


def test_aliases_stand_for_codes_of_the_profile(bench: Bench) -> None:
    with pytest.raises(ConfigurationError, match=r"aliases.entity .*'PRC' stands for 'CHINA'"):
        bench.load(HEADINGS, LONG | {"aliases": {"entity": {"PRC": "CHINA"}}})
