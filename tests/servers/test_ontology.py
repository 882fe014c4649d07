"""The ontology server as a host sees it, through the in-memory client."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest
import rdflib
from mcp import MCPError
from mcp_types import PromptReference, ResourceTemplateReference
from one_host import OneHost as Host

from groundwire.config import Settings
from groundwire.errors import ConfigurationError
from groundwire.servers.ontology import build
from groundwire.serving import GroundwireServer

pytestmark = pytest.mark.anyio

MOTORWAYS = {"domains": "HD maps", "filters": {"roadTypes": "motorwy", "country": "Germany"}}


@pytest.fixture(scope="module")
def host(home: Path) -> Any:
    server = build(Settings(home=home))
    yield Host(server)
    server.close()


@pytest.fixture
def made() -> Any:
    """Builds further servers, and closes them."""
    servers: list[GroundwireServer] = []

    def make(settings: Settings) -> Host:
        servers.append(build(settings))
        return Host(servers[-1])

    yield make
    for server in servers:
        server.close()


# Every tool


async def test_every_tool_answers_with_text_equal_to_structured_content(host: Host) -> None:
    found = await host.call("submit_slots", slots=MOTORWAYS)
    calls: dict[str, dict[str, Any]] = {
        "submit_slots": {"slots": {"domains": ["scenario"]}, "count_by": "weather"},
        "discover_domains": {"search": "map"},
        "discover_properties": {"domain": "hdmap", "search": "speed"},
        "discover_values": {"property": "roadTypes"},
        "discover_connections": {"domain": "scenario"},
        "investigate_schema": {"query": "SELECT ?s WHERE { ?s ?p ?o } LIMIT 2"},
        "get_asset": {"iri": found["results"][0]["iri"]},
        "get_evidence": {"evidence_id": found["evidence_id"]},
        "verify_answer": {"draft": "There are 3 maps."},
    }
    await host.check_every_tool(calls)


async def test_every_tool_is_read_only_and_closed_world(host: Host) -> None:
    async with host.client() as client:
        for tool in (await client.list_tools()).tools:
            assert tool.annotations.read_only_hint, tool.name
            assert tool.annotations.open_world_hint is False, tool.name


async def test_mistakes_are_corrected_and_reported(host: Host) -> None:
    answer = await host.call("submit_slots", slots=MOTORWAYS, interpretation="motorways")
    assert (answer["status"], answer["confidence"]) == ("results", "medium")
    assert {(c["slot"], c["raw"], c["resolved"]) for c in answer["corrections"]} >= {
        ("filters.roadTypes", "motorwy", "motorway"),
        ("filters.country", "Germany", "DE"),
    }
    assert answer["applied"]["domains"] == ["hdmap"]
    for item in answer["results"]:
        assert item["values"]["country"] == "DE"
        assert "motorway" in item["values"]["roadTypes"]
    assert answer["interpretation"] == "motorways"


async def test_the_query_of_an_answer_is_read_from_its_evidence(host: Host) -> None:
    answer = await host.call("submit_slots", slots=MOTORWAYS)
    assert "sparql" not in answer
    record = await host.call("get_evidence", evidence_id=answer["evidence_id"], part="audit")
    tried = await host.call("submit_slots", slots=MOTORWAYS, dry_run=True)
    assert tried["sparql"].startswith("SELECT DISTINCT ?asset")
    assert json.dumps(tried["sparql"]) in record["text"]


@pytest.mark.parametrize("sort", ["", "-created"])
async def test_pages_without_a_limit_are_small_and_leave_nothing_out(host: Host, sort: str) -> None:
    slots = {"domains": ["scenario"], "references": {"domain": "hdmap"}}
    sent: dict[str, Any] = {"slots": slots, "sort": sort} if sort else {"slots": slots}
    page = await host.call("submit_slots", **sent)
    total, found = page["total"], [item["iri"] for item in page["results"]]
    left = total - len(found)
    assert page["left_out"].startswith(f"{left} more assets: send cursor = next_cursor, or a limit")
    while "next_cursor" in page:
        assert len(json.dumps(page, ensure_ascii=False, separators=(",", ":"))) <= 4_000
        page = await host.call("submit_slots", **sent, cursor=page["next_cursor"])
        found += [item["iri"] for item in page["results"]]
    assert len(found) == len(set(found)) == total > 50
    whole = await host.call("submit_slots", **sent, limit=50)
    assert [item["iri"] for item in whole["results"]] == found[:50] and "left_out" not in whole


async def test_what_an_asset_does_not_have_takes_no_room(host: Host) -> None:
    answer = await host.call("submit_slots", slots={"domains": ["hdmap"]}, limit=2)
    assert all(set(item) == {"iri", "label", "domain"} for item in answer["results"])


async def test_a_rejected_search_is_data_with_gaps_that_can_be_sent(host: Host) -> None:
    slots: dict[str, Any] = {"domains": ["hdmap"], "filters": {"roadTypes": "suburban"}}
    answer = await host.call("submit_slots", slots=slots)
    assert answer["status"] == "rejected"
    assert "results" not in answer or answer["results"] == []
    (gap,) = answer["gaps"]
    slots["filters"]["roadTypes"] = gap["suggestions"][0]
    assert (await host.call("submit_slots", slots=slots))["status"] == "results"


async def test_an_empty_search_is_explained(host: Host) -> None:
    slots = {
        "domains": ["hdmap"],
        "filters": {"country": "France"},
        "ranges": {"length": [900, 999]},
    }
    answer = await host.call("submit_slots", slots=slots)
    assert (answer["status"], answer["total"]) == ("empty", 0)
    assert {entry["slot"] for entry in answer["explanation_of_empty"]} == {
        "filters.country",
        "ranges.length",
    }


# Arguments as models send them


async def test_strings_for_arrays_and_objects(host: Host) -> None:
    plain = await host.call("submit_slots", slots=MOTORWAYS, limit=2)
    sent = await host.call(
        "submit_slots",
        slots=json.dumps(
            {
                "domains": '["hdmap"]',
                "filters": '{"roadTypes": {"in": "[\\"motorway\\"]"}, "country": {"eq": "DE"}}',
                "references": "",
                "ranges": None,
            }
        ),
        limit="2",
        gaps="",
        sort="",
        cursor="",
        dry_run="false",
    )
    assert sent["total"] == plain["total"]
    assert len(sent["results"]) == 2


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"slot": {"domains": ["hdmap"]}}, "no argument `slot`; did you mean `slots`?"),
        ({"slots": {"domain": ["hdmap"]}}, "did you mean `domains`?"),
        ({"slots": {"domains": ["hdmap"], "location": "DE"}}, "use filters.country"),
        ({"slots": {"domains": ["hdmap"], "license": "MIT"}}, "use filters.license"),
        ({"slots": {"domains": [["hdmap"]]}}, "`slots.domains"),
        ({"slots": 5}, "`slots` must be an object"),
        ({"slots": {"filters": "country"}}, "filters is an object"),
        ({"slots": {"filters": {"country": {"near": "DE"}}}}, "unknown operator 'near'"),
        ({"slots": {"ranges": {"length": {"around": 5}}}}, "unknown bound 'around'"),
        ({"slots": {"references": [{"filters": {}}]}}, "`slots.references[0].domain` is missing"),
        ({"slots": {"references": [{"domain": "hdmap", "sort": 1}]}}, "no `sort` in"),
        ({"slots": {"filters": {f"p{n}": 1 for n in range(10_000)}}}, "10,000 entries"),
        ({"slots": {"filters": {"country": ["DE"] * 10_000}}}, "10,000 values are too many"),
        ({"slots": {"domains": ["hdmap"], "filters": {"city": "a\x00b"}}}, "control characters"),
        ({"slots": {"domains": ["hdmap"]}, "limit": 0}, "`limit`"),
        ({"slots": {"domains": ["hdmap"]}, "limit": "many"}, "`limit` must be a whole number"),
        ({"slots": {"domains": ["hdmap"]}, "cursor": "made-up"}, "cursor"),
        ({"slots": {}}, "slots are empty"),
        ({}, "`slots` is missing"),
    ],
)
async def test_what_cannot_be_used_is_refused_in_one_line(
    host: Host, arguments: dict[str, Any], says: str
) -> None:
    assert says in await host.refused("submit_slots", **arguments)


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("discover_properties", {"domain": "zeppelin"}, "There is no domain 'zeppelin'"),
        ("discover_values", {"property": "rodeTips"}, "There is no property 'rodeTips'"),
        ("get_asset", {"iri": ""}, "`iri` must have at least 1 character"),
        ("get_asset", {"iri": "urn:nothing"}, "take one from the results of submit_slots"),
        ("get_evidence", {"evidence_id": "ev_nothing"}, "ev_nothing"),
        (
            "investigate_schema",
            {"query": "SELECT * WHERE { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }"},
            "SERVICE",
        ),
        ("discover_domains", {"serch": "x"}, "did you mean `search`?"),
    ],
)
async def test_every_refusal_says_what_to_send_instead(
    host: Host, tool: str, arguments: dict[str, Any], says: str
) -> None:
    assert says in await host.refused(tool, **arguments)


@pytest.mark.parametrize(
    "text",
    [
        '"} } DROP ALL #',
        "x" * 400,
        "\u202eright to left",
        "<b>&amp;</b>",
    ],
)
async def test_any_text_is_answered_or_refused(host: Host, text: str) -> None:
    for slots in (
        {"domains": [text]},
        {"domains": ["hdmap"], "filters": {"city": text}},
        {"domains": ["hdmap"], "filters": {text: "x"}},
        {"domains": ["hdmap"], "filters": {"name": {"contains": text}}},
    ):
        async with host.client() as client:
            result = await client.call_tool(
                "submit_slots", {"slots": slots, "interpretation": text}
            )
        if not result.is_error:
            assert result.structured_content["status"] in ("rejected", "empty")
            assert len(result.content[0].text) <= 20_000


async def test_deeply_nested_references_are_a_gap_or_a_line(host: Host) -> None:
    for levels in (10, 40):
        reference: dict[str, Any] = {"domain": "hdmap"}
        for level in range(levels):
            reference = {"domain": ("scenario", "hdmap")[level % 2], "references": [reference]}
        outer = "hdmap" if reference["domain"] == "scenario" else "scenario"
        async with host.client() as client:
            result = await client.call_tool(
                "submit_slots", {"slots": {"domains": [outer], "references": reference}}
            )
        if not result.is_error:
            assert result.structured_content["gaps"][0]["reason"] == "limitation"


# Pages


async def test_pages_across_calls_lose_and_double_nothing(host: Host) -> None:
    arguments: dict[str, Any] = {
        "slots": {"domains": ["ositrace"]},
        "sort": "-duration",
        "limit": 25,
    }
    seen: list[str] = []
    page = await host.call("submit_slots", **arguments)
    assert (page["total"], page["total_is_exact"]) == (60, True)
    while True:
        seen += [item["iri"] for item in page["results"]]
        if "next_cursor" not in page:
            break
        page = await host.call("submit_slots", **arguments, cursor=page["next_cursor"])
        assert "total" not in page
    assert len(seen) == len(set(seen)) == 60


async def test_a_cursor_is_of_its_search_alone(host: Host) -> None:
    page = await host.call("submit_slots", slots={"domains": ["ositrace"]}, limit=5)
    line = await host.refused(
        "submit_slots", slots={"domains": ["hdmap"]}, limit=5, cursor=page["next_cursor"]
    )
    assert "cursor" in line


async def test_a_page_too_long_for_the_budget_is_cut_and_continued(host: Host) -> None:
    arguments: dict[str, Any] = {
        "slots": {"domains": ["hdmap"], "filters": {"description": {"exists": True}}},
        "limit": 100,
    }
    seen: list[str] = []
    page = await host.call("submit_slots", **arguments)
    assert page["left_out"]
    total = page["total"]
    while True:
        assert len(json.dumps(page, ensure_ascii=False, separators=(",", ":"))) <= 20_000
        seen += [item["iri"] for item in page["results"]]
        if "next_cursor" not in page:
            break
        page = await host.call("submit_slots", **arguments, cursor=page["next_cursor"])
    assert len(seen) == len(set(seen)) == total


async def test_values_of_a_property_are_paged(host: Host) -> None:
    first = await host.call("discover_values", property="name", domain="hdmap")
    second = await host.call(
        "discover_values", property="name", domain="hdmap", cursor=first["next_cursor"]
    )
    values = [item["value"] for item in (*first["values"], *second["values"])]
    assert len(values) == len(set(values)) > 50


# Evidence


async def test_an_evidence_id_resolves_to_the_query_and_the_values(host: Host) -> None:
    answer = await host.call("submit_slots", slots=MOTORWAYS, limit=3)
    summary = await host.call("get_evidence", evidence_id=answer["evidence_id"])
    assert "submit_slots" in summary["text"]
    values = await host.call("get_evidence", evidence_id=answer["evidence_id"], part="values")
    assert answer["results"][0]["iri"] in values["text"]
    assert answer["results"][0]["label"] in values["text"]


async def test_empty_and_rejected_searches_and_assets_are_recorded(host: Host) -> None:
    for arguments in (
        {"slots": {"domains": ["hdmap"], "ranges": {"length": {"gt": 9_000}}}},
        {"slots": {"domains": ["zeppelin"]}},
    ):
        answer = await host.call("submit_slots", **arguments)
        assert (await host.call("get_evidence", evidence_id=answer["evidence_id"]))["text"]
    iri = (await host.call("submit_slots", slots=MOTORWAYS))["results"][0]["iri"]
    assert (await host.call("get_asset", iri=iri))["evidence_id"]


async def test_discovery_is_not_recorded(host: Host) -> None:
    assert "evidence_id" not in await host.call("discover_domains")


async def test_a_true_count_is_supported_and_an_invented_one_contradicted(host: Host) -> None:
    answer = await host.call("submit_slots", slots=MOTORWAYS)
    first = answer["results"][0]
    proof = [answer["evidence_id"]]
    true = await host.call(
        "verify_answer",
        draft=f"There are {answer['total']} HD maps with motorways in Germany, among them "
        f"“{first['label']}”.",
        evidence_ids=proof,
    )
    assert true["verdict"] == "supported", true
    assert {claim["status"] for claim in true["claims"]} <= {"supported", "derived"}, true
    false = await host.call(
        "verify_answer",
        draft=f"There are {answer['total'] * 3 + 1} HD maps with motorways in Germany.",
        evidence_ids=proof,
    )
    wrong = [c for c in false["claims"] if c["text"].startswith(str(answer["total"] * 3 + 1))]
    assert [claim["status"] for claim in wrong] == ["contradicted"], false


async def test_a_value_of_an_asset_is_verified_with_its_unit(host: Host) -> None:
    answer = await host.call(
        "submit_slots", slots={"domains": ["hdmap"], "ranges": {"length": {"gt": 1}}}, limit=1
    )
    item = answer["results"][0]
    number = item["values"]["length"].removesuffix(" km")
    said = f"The map “{item['label']}” has a length of {number} km."
    for draft, status in (
        (said, "supported"),
        (said.replace(number, str(round(float(number) * 2 + 1, 1))), "contradicted"),
    ):
        checked = await host.call(
            "verify_answer", draft=draft, evidence_ids=[answer["evidence_id"]]
        )
        figures = [claim for claim in checked["claims"] if "km" in claim["text"]]
        assert [claim["status"] for claim in figures] == [status], checked


@pytest.mark.skipif(os.name == "nt", reason="folders of others are a matter of POSIX")
async def test_a_home_that_cannot_be_written_says_so_and_answers(
    made: Callable[[Settings], Host], home: Path, tmp_path: Path
) -> None:
    """The store was built; then the ledger's place turns out not to be writable."""
    (tmp_path / "evidence.sqlite").mkdir()
    (tmp_path / "stores").symlink_to(home / "stores")
    (tmp_path / "shapes").symlink_to(home / "shapes")
    host = made(Settings(home=tmp_path))
    async with host.client() as client:
        result = await client.call_tool("submit_slots", {"slots": MOTORWAYS})
    assert not result.is_error, result.content
    answer = result.structured_content
    assert answer["status"] == "results"
    assert answer["evidence_id"] is None
    assert answer["evidence_error"]
    assert json.loads(result.content[0].text) == answer


# Completions, prompt, resource


async def test_completions_of_prompt_and_resource(host: Host) -> None:
    async with host.client() as client:
        reference = ResourceTemplateReference(type="ref/resource", uri="shapes://{domain}")
        found = await client.complete(reference, {"name": "domain", "value": "hd"})
        assert found.completion.values == ["hdmap"]
        prompted = PromptReference(type="ref/prompt", name="search_catalogue")
        found = await client.complete(prompted, {"name": "domain", "value": "sc"})
        assert found.completion.values == ["scenario"]


async def test_the_prompt_carries_question_and_schema(host: Host) -> None:
    async with host.client() as client:
        prompt = await client.get_prompt(
            "search_catalogue", {"question": "Which maps have motorways?", "domain": "hdmap"}
        )
    text = prompt.messages[0].content.text
    assert "Which maps have motorways?" in text
    assert "roadTypes: motorway" in text


async def test_the_resource_is_the_turtle_of_a_domain(host: Host) -> None:
    async with host.client() as client:
        read = await client.read_resource("shapes://hdmap")
        (content,) = read.contents
        assert content.mime_type == "text/turtle"
        assert len(rdflib.Graph().parse(data=content.text, format="turtle")) > 100
        with pytest.raises(MCPError, match="There is no domain"):
            await client.read_resource("shapes://zeppelin")


# What is offered


@pytest.mark.parametrize(
    ("changes", "offered"),
    [
        ({"tools": ("submit_slots", "verify_answer")}, ["submit_slots", "verify_answer"]),
        ({"toolsets": ("evidence",)}, ["get_evidence", "verify_answer"]),
        ({"read_only": True, "tools": ("get_asset",)}, ["get_asset"]),
    ],
)
async def test_toolsets_tools_and_read_only(
    made: Callable[[Settings], Host], home: Path, changes: Any, offered: list[str]
) -> None:
    host = made(replace(Settings(home=home), **changes))
    async with host.client() as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == offered


async def test_read_only_hides_nothing_here_and_still_records(
    made: Callable[[Settings], Host], home: Path
) -> None:
    host = made(Settings(home=home, read_only=True))
    async with host.client() as client:
        assert len((await client.list_tools()).tools) == 9
    assert (await host.call("submit_slots", slots={"domains": ["hdmap"]}))["evidence_id"]


def test_an_unknown_choice_or_half_a_catalogue_fails_at_start(home: Path) -> None:
    for changes, says in (
        ({"tools": ("submit_slot",)}, "submit_slots"),
        ({"toolsets": ("ontologie",)}, "ontology"),
        ({"shapes": ("x.ttl",)}, "GROUNDWIRE_ASSETS"),
    ):
        with pytest.raises(ConfigurationError, match=says):
            build(replace(Settings(home=home), **changes))


async def test_a_catalogue_that_cannot_be_read_is_told_by_the_first_call(
    made: Callable[[Settings], Host], tmp_path: Path
) -> None:
    host = made(Settings(home=tmp_path, shapes=(str(tmp_path),), assets=("gone.ttl",)))
    assert str(tmp_path) in await host.refused("discover_domains")


async def test_several_calls_at_once_share_one_opening(
    made: Callable[[Settings], Host], home: Path
) -> None:
    host = made(Settings(home=home))
    totals: list[int] = []
    async with host.client() as client, anyio.create_task_group() as group:

        async def ask() -> None:
            result = await client.call_tool("submit_slots", {"slots": {"domains": ["hdmap"]}})
            totals.append(result.structured_content["total"])

        for _ in range(8):
            group.start_soon(ask)
    assert totals == [110] * 8


def children() -> set[str]:
    """Processes that this one started and that still run."""
    listed = Path(f"/proc/{os.getpid()}/task").glob("*/children")
    return {child for file in listed for child in file.read_text("utf-8").split()}


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="reads /proc")
async def test_a_server_that_is_closed_leaves_no_process(home: Path) -> None:
    server = build(Settings(home=home))
    before = children()
    await Host(server).call("submit_slots", slots={"domains": ["hdmap"]})
    await Host(server).call("investigate_schema", query="SELECT * WHERE { ?s ?p ?o } LIMIT 1")
    assert children() > before
    server.close()
    assert children() <= before


async def test_sentences_name_values_without_prefixes(host: Host) -> None:
    night = {"domains": ["scenario"], "filters": {"timeOfDay": "night"}}
    found = await host.call("submit_slots", slots=night)
    assert "timeOfDay = night" in found["answer"]
    assert found["applied"]["filters"] == {"timeOfDay": "core:Night"}
    counted = await host.call("submit_slots", slots={"domains": ["scenario"]}, count_by="timeOfDay")
    assert "night: 21" in counted["answer"] and "core:" not in counted["answer"]
    assert {"value": "core:Night", "label": "night", "count": 21} in counted["counts"]
    draft = "21 scenarios are at night, and 49 by day."
    checked = await host.call("verify_answer", draft=draft, evidence_ids=[counted["evidence_id"]])
    assert all(one["status"] == "supported" for one in checked["claims"]), checked["claims"]
    asset = await host.call("get_asset", iri=found["results"][0]["iri"])
    assert "is an asset of the kind scenario" in asset["answer"]
