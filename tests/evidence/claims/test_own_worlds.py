"""Drafts about four worlds of a user's own: a survey, plants, a shop's orders and rents."""

from __future__ import annotations

import asyncio
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[3]))

from tests.evidence.claims.own_material import opened, prepared

DATA: dict[str, Any] = tomllib.loads(Path(__file__).with_name("own_worlds.toml").read_text("utf-8"))


async def _verdicts(folder: Path) -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}
    for own in DATA["own"]:
        place = folder / own["name"]
        place.mkdir()
        worlds = [one for one in DATA["world"] if one["own"] == own["name"]]
        async with opened(prepared(own, place), worlds) as house:
            for name in (one["name"] for one in worlds):
                for draft in (*DATA["holds"].get(name, ()), *DATA["wrong"].get(name, ())):
                    found[name, draft] = (await house.check(name, draft))["verdict"]
    return found


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], str]:
    return asyncio.run(_verdicts(tmp_path_factory.mktemp("worlds")))


def test_what_was_answered_is_supported(verdicts) -> None:
    drafts = ((world, one) for world, some in DATA["holds"].items() for one in some)
    assert [one for one in drafts if verdicts[one] != "supported"] == []


def test_what_was_not_answered_is_not(verdicts) -> None:
    drafts = ((world, one) for world, some in DATA["wrong"].items() for one in some)
    assert [one for one in drafts if verdicts[one] == "supported"] == []


def test_a_table_is_asked_by_the_words_of_its_columns(tmp_path: Path) -> None:
    environ = prepared(DATA["own"][0], tmp_path)
    sent = {"metrics": ["respondents"], "by": ["age group"], "where": {"region": "North"}}

    async def asked() -> list[list[str]]:
        world = {"name": "w", "call": [{"tool": "query_metric_table", "arguments": sent}]}
        async with opened(environ, [world]) as house:
            return (await house.answered("w")).results[0]["rows"]

    assert asyncio.run(asked()) == [["30-59", "391"], ["16-29", "198"], ["60+", "176"]]


def test_a_chinese_price_is_averaged_and_called_so(tmp_path: Path) -> None:
    prepared(DATA["own"][3], tmp_path)
    drafted = (tmp_path / "model.yaml").read_text("utf-8")
    assert 'AVG(\\"租赁\\".\\"月租金\\")' in drafted
    assert "平均租赁月租金" in drafted
