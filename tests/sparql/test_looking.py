"""Single steps of the workflow as tools, on the embedded default."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from groundwire import profiles
from groundwire.errors import InputError, NotFoundError
from groundwire.profiles import sparql_help
from groundwire.sparql.looking import Search, describe_entity, explore_types, match_label, read_iri
from groundwire.sparql.opening import Supplies
from groundwire.sparql.workspace import Workspace

pytestmark = pytest.mark.anyio
SPARQL = "https://groundwire.example/help#what-is-sparql"


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
async def workspace(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Workspace]:
    supplies = Supplies(tmp_path_factory.mktemp("home"), sparql_help(), None)
    opened = Workspace(Path(profiles.__file__).parent / "endpoints.toml", supplies)
    yield opened
    await opened.close()


async def test_a_label_is_found_with_its_audit(workspace: Workspace) -> None:
    found, draft = await match_label(workspace, Search("What is SPARQL?"))
    assert (found.matches[0].iri, found.matches[0].score) == (SPARQL, 1.0)
    assert SPARQL in found.answer and len(found.audits) == 1
    assert draft is not None


async def test_variants_are_tried_where_a_text_matches_nothing(workspace: Workspace) -> None:
    search = Search("zzyzx", variants=("quux", "什么是SPARQL？"))
    found, _ = await match_label(workspace, search)
    assert found.matches[0].iri == SPARQL
    assert len(found.audits) == 3


async def test_no_match_says_so(workspace: Workspace) -> None:
    found, _ = await match_label(workspace, Search("zzyzx"))
    assert (found.matches, found.answer) == ([], "No label matches “zzyzx”.")
    assert found.audits[0]["per_query_status_and_error"] == "empty"


async def test_types_are_counted(workspace: Workspace) -> None:
    found, _ = await explore_types(workspace, ("Question", "<http://schema.org/HowTo>"), "", 10)
    counts = {one.iri: one.count for one in found.types}
    assert set(counts) == {"http://schema.org/Question", "http://schema.org/HowTo"}
    assert all(count > 0 for count in counts.values())
    some, _ = await explore_types(workspace, ("Question", "urn:nothing"), "", 10)
    assert some.answer.endswith("There is none of <urn:nothing>.")
    every, _ = await explore_types(workspace, (), "default", 3)
    assert len(every.types) == 3
    none, _ = await explore_types(workspace, ("urn:nothing",), "default", 3)
    assert "No entity of those asked for was found" in none.answer
    assert "the query ran and nothing matches" in none.answer


async def test_an_entity_is_described_both_ways(workspace: Workspace) -> None:
    found, _ = await describe_entity(workspace, f"<{SPARQL}>", "default")
    assert found.iri == SPARQL and found.audits
    assert any(one.inverse for one in found.triples)
    assert any(one.value == "What is SPARQL?" for one in found.triples)
    nothing, _ = await describe_entity(workspace, "urn:nothing", "default")
    assert (nothing.triples, nothing.answer.startswith("Nothing is said")) == ([], True)


async def test_what_is_no_graph_or_no_iri_is_said(workspace: Workspace) -> None:
    with pytest.raises(InputError, match="no graph"):
        await match_label(workspace, Search("x", endpoint="sample"))
    with pytest.raises(NotFoundError):
        await match_label(workspace, Search("x", endpoint="nowhere"))
    with pytest.raises(InputError, match="no word to look for"):
        await match_label(workspace, Search(" ?! "))
    with pytest.raises(InputError, match="no IRI"):
        await describe_entity(workspace, "no iri", "default")


def test_an_iri_in_any_writing() -> None:
    assert read_iri(" <urn:x> ") == "urn:x"
    assert read_iri("howto") == "http://schema.org/HowTo"


async def test_what_was_cut_is_not_told_as_all(workspace: Workspace) -> None:
    few, _ = await explore_types(workspace, (), "default", 3)
    assert len(few.types) == 3
    assert few.answer.endswith("There are more types.")
    whole, _ = await describe_entity(workspace, SPARQL, "default")
    assert "There are more" not in whole.answer


async def test_more_statements_than_are_shown(tmp_path: Path) -> None:
    turtle = "".join(f"<urn:a> <urn:p> {number} .\n" for number in range(201))
    (tmp_path / "many.ttl").write_text(turtle, "utf-8")
    (tmp_path / "endpoints.toml").write_text(
        'default_endpoint = "m"\n[[endpoints]]\nname = "m"\nfiles = ["many.ttl"]\n', "utf-8"
    )
    space = Workspace(tmp_path / "endpoints.toml", Supplies(tmp_path / "home", (), None))
    try:
        found, _ = await describe_entity(space, "urn:a", "m")
    finally:
        await space.close()
    assert len(found.triples) == 200
    assert found.answer == "200 statements about <urn:a> at m. There are more statements."


async def test_an_endpoint_that_is_down_says_nothing_about_anything(tmp_path: Path) -> None:
    (tmp_path / "endpoints.toml").write_text(
        'default_endpoint = "dead"\n[[endpoints]]\nname = "dead"\n'
        'url = "http://127.0.0.1:9/sparql"\nallow_private = true\n',
        "utf-8",
    )
    space = Workspace(tmp_path / "endpoints.toml", Supplies(tmp_path / "home", (), None))
    try:
        entity, _ = await describe_entity(space, "urn:a", "dead")
        types, _ = await explore_types(space, (), "dead", 3)
    finally:
        await space.close()
    assert entity.answer.startswith(
        "What dead says about <urn:a> could not be asked for: 127.0.0.1"
    )
    assert types.answer.startswith("The types at dead could not be asked for: 127.0.0.1:9")
    assert not entity.answer.endswith("..")
