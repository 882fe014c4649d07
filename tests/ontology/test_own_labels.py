"""Names and units that a user's own shapes give to kinds, properties and things."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from mcp import Client

from groundwire.config import load_settings
from groundwire.servers import ontology
from groundwire.servers.composition import compose, state

FOLDER = Path(__file__).parents[1] / "evidence/claims/own_catalogues"


async def _answers(name: str, home: Path, *calls: tuple[str, dict[str, Any]]) -> list[Any]:
    settings = load_settings(
        {
            "GROUNDWIRE_HOME": str(home),
            "GROUNDWIRE_SHAPES": str(FOLDER / f"{name}.shapes.ttl"),
            "GROUNDWIRE_ASSETS": str(FOLDER / f"{name}.ttl"),
        }
    )
    tools = ontology.toolset(settings)
    server = compose("ontology", [tools], settings, title=tools.title, shared=state(settings))
    async with Client(server) as client:
        found = [(await client.call_tool(*call)).structured_content for call in calls]
    server.close()
    return found


def test_a_kind_is_called_as_its_shape_and_a_figure_has_the_unit_in_its_name(
    tmp_path: Path,
) -> None:
    slots = {"domains": ["vacancy"], "ranges": {"highest salary": {"gt": 80000}}}
    found, asset = asyncio.run(
        _answers(
            "jobs",
            tmp_path,
            ("submit_slots", {"slots": slots}),
            ("get_asset", {"iri": "https://jobs.example/advert/1"}),
        )
    )
    assert found["total"] == 2
    assert [one["label"] for one in found["results"]] == ["Data engineer", "Firmware developer"]
    assert "88000 EUR" in str(found["results"][0]["values"])
    assert asset["answer"].startswith("“Data engineer” is an asset of the kind Advert")


def test_units_in_brackets_are_read_in_every_language(tmp_path: Path) -> None:
    slots = {"domains": ["菜谱"], "ranges": {"烹饪时间": {"lt": "0.5 h"}}}
    (found,) = asyncio.run(_answers("rezept", tmp_path, ("submit_slots", {"slots": slots})))
    assert sorted(one["label"] for one in found["results"]) == ["凉拌木耳", "麻婆豆腐"]
