"""What the endpoint `default` asks, made of files once and opened ever after."""

from __future__ import annotations

import sys
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from groundwire import shapes
from groundwire.errors import ConfigurationError
from groundwire.graph.queries import CompiledQuery
from groundwire.profiles import sparql_help, sparql_sample
from groundwire.sparql.opening import open_embedded
from groundwire.sparql.sql.files import FILE, build_sample, prune_samples

duckdb = pytest.importorskip("duckdb")
pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("stores_made_anew")]

FILES = [*sparql_help(), Path(shapes.__file__).parent / "catalogue.ttl"]
SMALL = """
files = ["towns.csv"]
[[tables]]
name = "town"
description = "Towns; it's small"
sql = "SELECT name, CAST(people AS INTEGER) AS people FROM towns WHERE people IS NOT NULL"
"""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def small(tmp_path: Path) -> Path:
    (tmp_path / "towns.csv").write_text("name,people\nUlm,128\nOld Town,\n", "utf-8")
    definition = tmp_path / "sample.toml"
    definition.write_text(SMALL, "utf-8")
    return definition


def rows(path: Path, query: str) -> list[tuple[object, ...]]:
    with duckdb.connect(str(path), read_only=True) as connection:
        return connection.execute(query).fetchall()


async def test_a_question_finds_its_answer_on_a_fresh_machine(tmp_path: Path) -> None:
    told: list[str] = []
    embedded = await open_embedded(
        tmp_path, lambda what, done, total: told.append(what), files=FILES, sample=sparql_sample()
    )
    try:
        assert embedded.problems == ()
        [match] = embedded.labels.match("What is SPARQL?", types=["http://schema.org/Question"])
        assert (match.iri, match.score) == ("https://groundwire.example/help#what-is-sparql", 1.0)
        answer = await embedded.graph.select(
            CompiledQuery(
                "PREFIX schema: <http://schema.org/> SELECT ?text WHERE { "
                f"<{match.iri}> schema:acceptedAnswer/schema:text ?text "
                'FILTER(LANG(?text) = "en") }'
            )
        )
        assert [row[0].value[:36] for row in answer.rows] == [
            "SPARQL is the standard query languag"
        ]
        [asset, *_] = embedded.labels.match("Coventry country roads and villages")
        assert asset.iri.startswith("https://example.org/groundwire/catalogue/hdmap/0001")
        assert {"reading labels", "indexing labels", "sample table gdp"} <= set(told)
    finally:
        await embedded.close()


async def test_nothing_is_made_twice(tmp_path: Path, small: Path) -> None:
    told: list[str] = []

    async def opened() -> Path | None:
        embedded = await open_embedded(
            tmp_path, lambda *progress: told.append("made"), files=sparql_help(), sample=small
        )
        await embedded.close()
        return embedded.sample

    first = await opened()
    made = len(told)
    assert made > 0
    assert await opened() == first
    assert len(told) == made


async def test_without_its_tables_the_graph_answers_and_says_why(
    tmp_path: Path, small: Path
) -> None:
    (tmp_path / "towns.csv").unlink()
    embedded = await open_embedded(tmp_path, files=sparql_help(), sample=small)
    assert embedded.sample is None
    assert "towns.csv" in embedded.problems[0]
    assert embedded.labels.match("知识图谱")
    embedded.close_now()


async def test_without_duckdb_the_graph_answers_and_says_how_to_get_it(
    tmp_path: Path, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    embedded = await open_embedded(tmp_path, files=sparql_help(), sample=small)
    await embedded.close()
    assert embedded.sample is None
    assert embedded.problems == ("The sample tables need duckdb: run `pip install duckdb`.",)


async def test_more_properties_can_be_labels(tmp_path: Path) -> None:
    file = tmp_path / "data.ttl"
    file.write_text('<urn:a> <urn:nickname> "Teal" .', "utf-8")
    embedded = await open_embedded(tmp_path, files=[file], label_properties=["urn:nickname"])
    assert [match.iri for match in embedded.labels.match("teal")] == ["urn:a"]
    await embedded.close()


def test_sample_tables_hold_the_figures_of_their_files(tmp_path: Path) -> None:
    path = build_sample(sparql_sample(), tmp_path)
    assert path.name == FILE
    population = "SELECT country, value FROM population WHERE country_code = ? AND year = ?"
    with duckdb.connect(str(path), read_only=True) as connection:
        assert connection.execute(population, ["ABW", 1960]).fetchall() == [("Aruba", 54922)]
    [(gdp,)] = rows(path, "SELECT value FROM gdp WHERE country_code = 'ABW' AND year = 1986")
    assert gdp == 405586592.17877096
    restated = (
        "SELECT value, published FROM company_revenue WHERE company = 'Tolvarne Group' "
        "AND channel = 'Total' AND quarter = 'FY2023Q4'"
    )
    assert rows(path, restated) == [(Decimal("1284.4"), date(2025, 3, 25))]
    loss = (
        "SELECT value FROM company_figures WHERE company = 'Hong Kong' AND item = 'Net profit' "
        "AND quarter = 'FY2022Q1'"
    )
    assert rows(path, loss) == [(Decimal("-2.5"),)]
    counts = rows(
        path,
        "SELECT table_name FROM duckdb_tables() WHERE comment IS NOT NULL ORDER BY table_name",
    )
    names = ["company_figures", "company_revenue", "country", "gdp", "population"]
    assert [name for (name,) in counts] == names


def test_channels_add_up_to_the_total(tmp_path: Path) -> None:
    path = build_sample(sparql_sample(), tmp_path)
    off = (
        "SELECT quarter FROM company_revenue WHERE company = 'Tolvarne Group' GROUP BY quarter "
        "HAVING abs(sum(value) FILTER (channel <> 'Total') - max(value) FILTER (channel = 'Total'))"
        " > 0.2"
    )
    assert rows(path, off) == []


def test_a_changed_file_makes_another_sample(tmp_path: Path, small: Path) -> None:
    before = build_sample(small, tmp_path / "samples")
    assert build_sample(small, tmp_path / "samples") == before
    (tmp_path / "towns.csv").write_text("name,people\nUlm,129\n", "utf-8")
    after = build_sample(small, tmp_path / "samples")
    assert rows(before, "FROM town") == [("Ulm", 128)]
    assert rows(after, "FROM town") == [("Ulm", 129)]
    assert {folder.name for folder in (tmp_path / "samples").iterdir()} == {
        before.parent.name,
        after.parent.name,
    }
    prune_samples(tmp_path / "samples", unused_days=-1)
    assert list((tmp_path / "samples").iterdir()) == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"towns.csv"', '"cities.csv"', "cities.csv"),
        ('name = "town"', "name = 7", "7 is no text"),
        ("CAST(people", "CAST(nobody", "nobody"),
        ("files =", "files", "cannot be used"),
    ],
)
def test_a_definition_that_cannot_be_used_is_named(
    tmp_path: Path, small: Path, old: str, new: str, said: str
) -> None:
    small.write_text(SMALL.replace(old, new), "utf-8")
    with pytest.raises(ConfigurationError, match=said) as caught:
        build_sample(small, tmp_path / "samples")
    assert "\n" not in str(caught.value)
    assert not list((tmp_path / "samples").glob("*"))
