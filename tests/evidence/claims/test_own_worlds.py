"""Drafts about worlds of a user's own: a survey, plants, shops, rents, meters, schools."""

from __future__ import annotations

import asyncio
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[3]))

from tests.evidence.claims.own_material import opened, prepared


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name(name).read_text("utf-8"))


DATA = _read("own_worlds.toml")
MORE = _read("more_worlds.toml")
HOLDS = [(w, one) for data in (DATA, MORE) for w, some in data["holds"].items() for one in some]
WRONG = [(w, one) for data in (DATA, MORE) for w, some in data["wrong"].items() for one in some]


async def _verdicts(folder: Path) -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}
    for own in (*DATA["own"], *MORE["own"]):
        place = folder / own["name"]
        place.mkdir()
        worlds = [one for one in (*DATA["world"], *MORE["world"]) if one["own"] == own["name"]]
        names = {one["name"] for one in worlds}
        async with opened(prepared(own, place), worlds) as house:
            for name, draft in (*HOLDS, *WRONG):
                if name in names:
                    found[name, draft] = (await house.check(name, draft))["verdict"]
    return found


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], str]:
    return asyncio.run(_verdicts(tmp_path_factory.mktemp("worlds")))


def test_what_was_answered_is_supported(verdicts) -> None:
    assert [one for one in HOLDS if verdicts[one] != "supported"] == []


def test_what_was_not_answered_is_not(verdicts) -> None:
    assert [one for one in WRONG if verdicts[one] == "supported"] == []


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
