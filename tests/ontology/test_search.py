"""Pages, totals, sorting, counting, and what is recorded."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from groundwire.errors import InputError, UnavailableError
from groundwire.ontology.catalogue import Catalogue
from groundwire.ontology.discover import discover_domains

NUMBERED = (
    ":S a sh:NodeShape ; sh:targetClass :Crate ; sh:property [ sh:path :tags ; "
    'sh:in ( "a" "b" "c" ) ] , [ sh:path :size ; sh:datatype xsd:integer ] , '
    "[ sh:path :inside ; sh:class :Crate ] ."
)


@pytest.fixture(scope="module")
def crates(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Any:
    """57 crates, each with three tags, of which every third has no size."""
    harbour = request.getfixturevalue("harbour")
    folder = tmp_path_factory.mktemp("crates")
    shapes, assets = folder / "shapes.ttl", folder / "assets.ttl"
    prefixes = (
        "@prefix : <https://example.org/crates/> . @prefix sh: <http://www.w3.org/ns/shacl#> . "
        "@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n"
    )
    shapes.write_text(prefixes + NUMBERED, "utf-8")
    lines = [
        f':c{number:02} a :Crate ; :tags "a" , "b" , "c" ; :inside :c00 , :c01 , :c02 '
        f"{f'; :size {number % 7}' if number % 3 else ''} ."
        for number in range(57)
    ]
    assets.write_text(prefixes + "\n".join(lines), "utf-8")
    catalogue = Catalogue([shapes], [assets], folder / "home")
    yield type(harbour)(catalogue)
    catalogue.close_now()


def pages(bench: Any, slots: Any, limit: int, **rest: Any) -> list[list[str]]:
    found: list[list[str]] = []
    offset: int | None = 0
    while offset is not None:
        result = bench.search(slots, limit=limit, offset=offset, **rest)
        found.append([item.iri.rsplit("/", 1)[-1] for item in result.results])
        offset = result.next_offset
    return found


# Limit and pages


def test_the_limit_counts_assets_not_rows(crates: Any) -> None:
    slots = {"domains": ["crate"], "filters": {"tags": ["a", "b", "c"]}, "references": "crate"}
    result = crates.search(slots, limit=10)
    assert len(result.results) == len({item.iri for item in result.results}) == 10
    assert (result.total, result.total_is_exact, result.next_offset) == (57, True, 10)
    for item in result.results:
        assert item.values["tags"] == ["a", "b", "c"]
        assert len(item.references) == 3


@pytest.mark.parametrize("sort", ["", "size", "-size"])
@pytest.mark.parametrize("limit", [1, 10, 19, 57, 58])
def test_pages_lose_and_double_nothing(crates: Any, limit: int, sort: str) -> None:
    slots = {"domains": ["crate"], "filters": {"tags": ["a", "b", "c"]}}
    found = pages(crates, slots, limit, sort=sort)
    names = [name for page in found for name in page]
    assert sorted(names) == [f"c{number:02}" for number in range(57)]
    assert all(len(page) == limit for page in found[:-1])


def test_the_total_is_counted_on_the_first_page_only(crates: Any) -> None:
    second = crates.search({"domains": ["crate"]}, limit=10, offset=10)
    assert (second.total, second.total_is_exact) == (None, None)
    assert second.answer.startswith("Assets 11 to 20 of Crate")


def test_a_page_beyond_the_end_says_so(crates: Any) -> None:
    result = crates.search({"domains": ["crate"]}, limit=10, offset=1_000)
    assert result.results == []
    assert result.next_offset is None
    assert "beyond the first 1,000" in result.answer
    assert "No asset matches" not in result.answer


def test_the_total_is_exact_when_all_are_seen(harbour: Any) -> None:
    result = harbour.search({"domains": ["port"]})
    assert (result.total, result.total_is_exact) == (2, True)
    assert result.answer.startswith("2 Port assets match: ")


# Sorting


def test_missing_values_come_last_in_both_directions(crates: Any) -> None:
    for sort in ("size", "-size", "size desc", "size:asc"):
        result = crates.search({"domains": ["crate"]}, limit=57, sort=sort)
        sizes = [item.values.get("size") for item in result.results]
        assert sizes[-19:] == [None] * 19
        known = [int(size) for size in sizes[:-19]]
        assert known == sorted(known, reverse="-" in sort or "desc" in sort), sort


def test_sorting_by_dates_and_text(harbour: Any) -> None:
    ships = {"domains": ["ship"]}
    assert harbour.found(ships, sort="launched") == ["aurora", "boreas", "ceres", "delphin"]
    assert harbour.found(ships, sort="-launched") == ["ceres", "boreas", "aurora", "delphin"]
    assert harbour.found(ships, sort="-name")[:3] == ["ceres", "boreas", "aurora"]
    assert harbour.found(ships, sort="lenght desc") == ["delphin", "aurora", "boreas", "ceres"]


def test_assets_without_a_value_to_sort_by_come_last_and_are_said(harbour: Any) -> None:
    ships = {"domains": ["ship"]}
    whole = harbour.found(ships, sort="surveyYear")
    assert set(whole[2:]) == {"ceres", "delphin"}
    assert (
        "The last 2 of these have no surveyYear." in harbour.search(ships, sort="surveyYear").answer
    )
    for limit in (1, 2, 3):
        pages = [
            name
            for offset in range(0, 4, limit)
            for name in harbour.found(ships, sort="surveyYear", limit=limit, offset=offset)
        ]
        assert pages == whole
    first = harbour.search(ships, sort="surveyYear", limit=2)
    assert (first.next_offset, "have no" in first.answer) == (2, False)


def test_an_asset_with_several_values_is_sorted_once(harbour: Any) -> None:
    found = harbour.found({"domains": ["ship"]}, sort="cargoTypes")
    assert found == ["ceres", "aurora", "boreas", "delphin"]


# Counting


def test_all_assets_of_a_kind_are_counted_with_and_without_subclasses(harbour: Any) -> None:
    for domain, number in (("ship", 4), ("port", 2), ("voyage", 3)):
        result = harbour.search({"domains": [domain]}, limit=1)
        assert (result.total, result.total_is_exact, len(result.results)) == (number, True, 1)


def test_count_by_counts_assets_per_value(harbour: Any) -> None:
    result = harbour.search({"domains": ["ship"]}, count_by="cargo type")
    assert [(item.value, item.count) for item in result.counts] == [
        ("containers", 2),
        ("bulk", 1),
        ("reefer", 1),
    ]
    assert (result.total, result.results) == (4, [])
    assert result.answer == "Assets by cargoTypes: containers: 2, bulk: 1, reefer: 1."
    assert result.applied["count_by"] == "cargoTypes"


def test_count_by_with_conditions_and_references(harbour: Any) -> None:
    slots = {"domains": ["ship"], "references": {"domain": "voyage", "filters": {"weather": "fog"}}}
    counts = harbour.search(slots, count_by="flag").counts
    assert {item.value: item.count for item in counts} == {"DE": 1, "NL": 1}


def test_count_by_what_no_match_holds(harbour: Any) -> None:
    slots = {"domains": ["ship"], "filters": {"hullNumber": {"exists": False}}}
    result = harbour.search(slots, count_by="hullNumber")
    assert (result.status, result.total, result.counts) == ("results", 2, [])
    assert result.answer == "No matching asset holds a value of hullNumber."
    nothing = {"domains": ["ship"], "filters": {"flag": "DE", "crew": 25}}
    assert harbour.search(nothing, count_by="flag").status == "empty"


def test_count_by_pages(crates: Any) -> None:
    first = crates.search({"domains": ["crate"]}, count_by="size", limit=4)
    second = crates.search({"domains": ["crate"]}, count_by="size", limit=4, offset=4)
    values = [item.value for item in (*first.counts, *second.counts)]
    assert (first.next_offset, second.next_offset) == (4, None)
    assert sorted(values) == list("0123456")
    assert sum(item.count for item in (*first.counts, *second.counts)) == 38


# Forms of a call


def test_nothing_to_search_is_refused_with_an_example(harbour: Any) -> None:
    for slots in ({}, {"domains": []}, {"domains": "", "filters": {}, "references": ""}):
        with pytest.raises(InputError, match="slots are empty: send at least one"):
            harbour.search(slots)


def test_nothing_to_search_where_there_are_no_domains_either(
    make: Callable[[str, str], Any],
) -> None:
    with pytest.raises(InputError, match="slots are empty"):
        make(":x rdfs:label 'no shape' .", ":y a :Thing .").search({})


def test_a_dry_run_shows_the_query_and_runs_nothing(harbour: Any) -> None:
    result = harbour.search({"domains": ["ship"], "filters": {"flag": "DE"}}, dry_run=True)
    assert "dry run" in result.answer
    assert result.sparql.startswith("SELECT DISTINCT ?asset")
    assert (result.results, result.total) == ([], None)


def test_the_query_stands_in_evidence_and_in_dry_runs_only(harbour: Any) -> None:
    slots = {"domains": ["ship"], "filters": {"flag": "DE"}}
    for sent, more in (
        (slots, {}),
        (slots, {"count_by": "crew"}),
        ({"domains": ["ship"], "filters": {"flag": "DE", "crew": 25}}, {}),
    ):
        result, draft = harbour.submit(sent, **more)
        assert result.sparql is None
        tried, recorded = harbour.submit(sent, **more, dry_run=True)
        assert tried.sparql == recorded.audit["query_text"] == draft.audit["query_text"]


def test_the_interpretation_comes_back(harbour: Any) -> None:
    said = "ships under the German flag"
    for slots in ({"domains": ["ship"]}, {"domains": ["dragon"]}):
        assert harbour.search(slots, interpretation=said).interpretation == said


# What is recorded


def test_every_shown_fact_is_recorded_with_its_asset(harbour: Any) -> None:
    result, draft = harbour.submit({"domains": ["ship"], "filters": {"length": 200}})
    facts = {(value.name, value.value, value.unit) for value in draft.values}
    assert ("total", "1", "assets") in facts
    assert ("length", "200", "m") in facts
    assert ("label", "Aurora", None) in facts
    assert ("iri", result.results[0].iri, None) in facts
    assert draft.audit["query_text"].startswith("SELECT DISTINCT ?asset")
    assert draft.audit["status_code"] == "ok"
    assert draft.vocabulary == ("Ship",)


def test_empty_and_rejected_answers_are_recorded_as_such(harbour: Any) -> None:
    _, empty = harbour.submit({"domains": ["ship"], "filters": {"cargoTypes": "livestock"}})
    assert (empty.values[0].name, empty.values[0].value) == ("total", "0")
    _, rejected = harbour.submit({"domains": ["dragon"]})
    assert rejected.audit["status_code"] == "rejected"
    assert rejected.values == ()


def test_counts_are_recorded_with_the_value_they_count(harbour: Any) -> None:
    _, draft = harbour.submit({"domains": ["ship"]}, count_by="flag")
    assert ("flag", "2", "DE") in {(v.name, v.value, v.entity) for v in draft.values}


def test_every_asset_of_an_answer_comes_with_its_iri(harbour: Any) -> None:
    for item in harbour.search({"domains": ["ship"]}).results:
        assert item.iri.startswith("https://example.org/harbour/")


def test_confidence_comes_from_how_the_terms_matched(harbour: Any) -> None:
    for slots, confidence in (
        ({"domains": ["Ship"], "filters": {"flag": "DE"}}, "high"),
        ({"domains": ["ships"], "filters": {"flag": "Germany"}}, "high"),
        ({"domains": ["ship"], "filters": {"cargoTypes": "reefr"}}, "medium"),
        ({"domains": ["voyage"], "filters": {"quays": "stone"}}, "medium"),
        ({"domains": ["ship"], "filters": {"cargoTypes": "spice"}}, "low"),
    ):
        assert harbour.search(slots).confidence == confidence, slots


# Graphs that are not ours


class Partial:
    """A catalogue whose graph gives part of each answer, as an endpoint with a row limit does."""

    endpoint = None

    def __init__(self, state: Any, kept: int) -> None:
        self._state = replace(state, graph=self, statistics=None)
        self._graph = state.graph
        self._kept = kept
        self.asked: list[str] = []

    async def state(self) -> Any:
        return self._state

    async def select(self, query: Any, **options: Any) -> Any:
        rows = await self._graph.select(query, **options)
        if not query.startswith("SELECT ?asset") and not query.startswith(
            "SELECT DISTINCT ?asset W"
        ):
            return rows
        self.asked.append(query)
        return rows._replace(rows=rows.rows[: self._kept], complete=len(rows.rows) <= self._kept)

    async def count(self, query: Any, **options: Any) -> Any:
        return await self._graph.count(query, **options)


def test_an_answer_in_part_is_never_taken_for_the_whole(harbour: Any) -> None:
    partial = Partial(harbour.state(), kept=3)
    bench = type(harbour)(partial)
    first = bench.search({"domains": ["ship"]})
    assert (first.total, first.total_is_exact, first.next_offset) == (3, False, 3)
    assert first.answer.startswith("At least 3 Ship assets match")
    rest = bench.search({"domains": ["ship"]}, offset=3)
    assert rest.next_offset is None
    names = [item.label for item in (*first.results, *rest.results)]
    assert sorted(names) == ["Aurora", "Boreas", "Ceres", "Delphin"]


def test_nothing_of_an_answer_is_not_no_asset(harbour: Any) -> None:
    with pytest.raises(UnavailableError, match="only part of its answer"):
        type(harbour)(Partial(harbour.state(), kept=0)).search({"domains": ["ship"]})


def test_pages_are_sorted_so_that_they_do_not_overlap(harbour: Any) -> None:
    assert "ORDER BY ?asset LIMIT 2" in harbour.query({"domains": ["ship"]}, limit=1)


def test_many_assets_are_paged_without_sorting_the_first_page(
    harbour: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groundwire.ontology.page_queries.SORTED_ASSETS", 0)
    first, draft = harbour.submit({"domains": ["ship"]}, limit=2)
    assert "ORDER BY" not in draft.audit["query_text"]
    found = [item.iri for item in first.results]
    assert first.first_page == tuple(found)
    offset = first.next_offset
    while offset is not None:
        later, draft = harbour.submit(
            {"domains": ["ship"]}, limit=1, offset=offset, first_page=first.first_page
        )
        query = draft.audit["query_text"]
        assert "NOT IN" in query and "ORDER BY ?asset" in query
        assert later.first_page == first.first_page
        found += [item.iri for item in later.results]
        offset = later.next_offset
    assert len(found) == len(set(found)) == 4


def test_pages_of_a_sorted_store_go_on_in_its_own_order(
    harbour: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groundwire.ontology.page_queries.SORTED_ASSETS", 0)
    # What a compressed file grows to is not known, so its store is a database on disk.
    packed = tmp_path / "assets.ttl.gz"
    packed.write_bytes(gzip.compress(Path(harbour.catalogue.assets[0]).read_bytes()))
    catalogue = Catalogue(harbour.catalogue.shapes, [packed], tmp_path / "home")
    bench = type(harbour)(catalogue)
    found: list[str] = []
    for offset in range(4):
        page, draft = bench.submit(
            {"domains": ["ship"]}, limit=1, offset=offset, first_page=tuple(found[:1])
        )
        query = draft.audit["query_text"]
        assert "ORDER BY" not in query and "NOT IN" not in query
        found += [item.iri for item in page.results]
    catalogue.close_now()
    assert len(found) == len(set(found)) == 4


def test_a_shortened_first_page_leaves_the_rest_to_the_next(harbour: Any) -> None:
    cut = harbour.search({"domains": ["ship"]}, limit=4).shortened(1)
    assert (cut.next_offset, cut.first_page) == (1, (cut.results[0].iri,))


def test_an_asset_of_a_class_and_its_subclass_is_counted_once(
    make: Callable[[str, str], Any],
) -> None:
    bench = make(
        ":Tanker rdfs:subClassOf :Ship . :S a sh:NodeShape ; sh:targetClass :Ship ; "
        "sh:property [ sh:path :crew ; sh:datatype xsd:integer ] .",
        " ".join(f":s{n} a :Ship , :Tanker ; :crew {n} ." for n in range(30)) + " :t a :Tanker .",
    )
    result = bench.search({"domains": ["ship"]}, limit=5)
    assert (result.total, result.total_is_exact) == (31, True)
    assert bench.call(discover_domains).domains[0].asset_count == 31
