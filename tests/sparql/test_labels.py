"""Labels found by what a prompt says: best first, in any script, and safe from what it says."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundwire.errors import UnavailableError
from groundwire.graph.stores import build_store
from groundwire.sparql.label_file import Label, write_labels
from groundwire.sparql.label_store import LABEL_PROPERTIES, open_labels, prune_labels
from groundwire.sparql.labels import LabelIndex
from groundwire.vocabulary.fold import fold

NAME = "http://schema.org/name"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
QUESTION = "http://schema.org/Question"
TERM = "http://schema.org/DefinedTerm"
HELP = "https://example.org/help#"

Indexed = Callable[[Sequence[Label]], LabelIndex]


@pytest.fixture
def indexed(tmp_path: Path):
    opened: list[LabelIndex] = []

    def build(labels: Sequence[Label]) -> LabelIndex:
        path = tmp_path / f"{len(opened)}.sqlite"
        assert write_labels(path, labels) <= len(labels)
        opened.append(LabelIndex(path))
        return opened[-1]

    yield build
    for index in opened:
        index.close()


def named(*values: str, types: tuple[str, ...] = ()) -> list[Label]:
    return [Label(f"{HELP}{value}", NAME, value, "", types) for value in values]


def found(index: LabelIndex, text: str, **options) -> list[str]:
    return [match.value for match in index.match(text, **options)]


def test_exact_comes_before_phrase_before_all_words(indexed: Indexed) -> None:
    index = indexed(
        named(
            "Graph of what knowledge is",
            "What is a knowledge graph for?",
            "Knowledge graph",
            "knowledgeGraphs",
            "Graph",
        )
    )
    scores = {match.value: match.score for match in index.match("knowledge graph")}
    assert list(scores) == [
        "Knowledge graph",
        "knowledgeGraphs",
        "What is a knowledge graph for?",
        "Graph of what knowledge is",
    ]
    assert [scores["Knowledge graph"], scores["knowledgeGraphs"]] == [1.0, 1.0]
    assert 0.8 <= scores["What is a knowledge graph for?"] < 1.0
    assert 0.6 <= scores["Graph of what knowledge is"] < 0.8


def test_a_shorter_label_with_the_words_fits_better(indexed: Indexed) -> None:
    index = indexed(named("SPARQL endpoint of the public library", "SPARQL endpoint"))
    assert found(index, "sparql") == ["SPARQL endpoint", "SPARQL endpoint of the public library"]


def test_a_question_finds_labels_with_enough_of_what_it_is_about(indexed: Indexed) -> None:
    index = indexed(named("Connect Claude Desktop", "Connect Cursor", "Import figures"))
    matches = index.match("How do I connect Claude Desktop, please?")
    assert [match.value for match in matches] == ["Connect Claude Desktop"]
    assert matches[0].score < 0.6


def test_a_label_that_stands_in_the_text_whole_is_found(indexed: Indexed) -> None:
    index = indexed(named("Map", "HD map", "SPARQL", "What is"))
    text = "What is the best way to store lane markings of an HDMap and bridges in a warehouse?"
    assert found(index, text) == ["HD map", "Map"]


def test_a_text_about_something_else_finds_nothing(indexed: Indexed) -> None:
    index = indexed(named("What is SPARQL?", "What is a tri-state?"))
    assert found(index, "What is the weather in Paris tomorrow?") == []


def test_texts_without_a_word_find_nothing(indexed: Indexed) -> None:
    index = indexed(named("SPARQL"))
    assert [found(index, text) for text in ("", "?!", " \n ", "的", "\x00")] == [[]] * 5


def test_chinese_is_found_by_its_pairs_and_single_characters(indexed: Indexed) -> None:
    index = indexed(named("知识图谱", "什么是知识图谱？", "三态", "茶"))
    assert found(index, "知识图谱") == ["知识图谱", "什么是知识图谱？"]
    assert found(index, "什么是三态") == ["三态"]
    assert found(index, "茶") == ["茶"]
    assert found(index, "请问知识图谱有什么用") == ["知识图谱"]
    assert found(index, "图识") == []


def test_letters_with_marks_are_found_in_any_script(indexed: Indexed) -> None:
    index = indexed(named("Чайковский район", "Café Müller", "Ελληνικά γράμματα"))
    assert found(index, "чайковский") == ["Чайковский район"]
    assert found(index, "cafe muller") == ["Café Müller"]
    assert found(index, "ΕΛΛΗΝΙΚΑ") == ["Ελληνικά γράμματα"]


def test_types_choose_among_entities(indexed: Indexed) -> None:
    labels = [
        Label(f"{HELP}question", NAME, "SPARQL", "", (QUESTION,)),
        Label(f"{HELP}term", NAME, "SPARQL", "", (TERM, f"{HELP}Other")),
        Label(f"{HELP}long", NAME, "SPARQL protocol", "", (TERM,)),
    ]
    index = indexed(labels)
    matches = index.match("sparql", types=[TERM])
    assert [match.iri for match in matches] == [f"{HELP}term", f"{HELP}long"]
    assert matches[0].types == (TERM, f"{HELP}Other")
    assert index.match("sparql", types=["https://example.org/Nothing"]) == []
    assert len(index.match("sparql", types=[TERM, QUESTION])) == 3


def test_an_entity_is_found_once_and_called_by_the_language_that_was_asked(
    indexed: Indexed,
) -> None:
    labels = [
        Label(f"{HELP}a", NAME, "tri-state", "en"),
        Label(f"{HELP}a", "http://www.w3.org/2004/02/skos/core#altLabel", "three outcomes", "en"),
        Label(f"{HELP}a", NAME, "三态", "zh"),
        Label(f"{HELP}a", LABEL, "三态回答", "zh"),
    ]
    index = indexed(labels)
    [english] = index.match("three outcomes")
    assert (english.label, english.value) == ("tri-state", "three outcomes")
    [chinese] = index.match("三态")
    assert (chinese.label, chinese.value) == ("三态回答", "三态")


def test_the_limit_keeps_the_best(indexed: Indexed) -> None:
    index = indexed(named(*(f"graph {'of things ' * size}" for size in range(30, 0, -1)), "graph"))
    assert found(index, "graph", limit=2) == ["graph", "graph of things"]
    assert found(index, "graph", limit=0) == []


def test_words_in_many_labels_still_find_the_right_one(indexed: Indexed) -> None:
    common = [f"report of the year number {number}" for number in range(3_000)]
    index = indexed(named(*common, "the report of the year about tariffs and nothing besides it"))
    assert found(index, "report of the year about tariffs")[0].startswith("the report")
    assert found(index, "tariffs: where is the report of any year?")[0].startswith("the report")
    assert found(index, "report of the year number 2718") == ["report of the year number 2718"]


WORDS = st.sampled_from(["alpha", "beta", "gamma", "delta", "epsilon"])
SENTENCES = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(labels=st.lists(SENTENCES, min_size=1, max_size=25, unique=True), text=SENTENCES)
def test_tiers_are_those_of_a_plain_search(indexed: Indexed, labels: list[str], text: str) -> None:
    """The same entities, tier by tier, as a look at every label finds."""
    index = indexed(named(*labels))
    words = text.split()

    def tier(label: str) -> float:
        if fold(label) == fold(text):
            return 1.0
        if f" {text} " in f" {label} ":
            return 0.8
        return 0.6 if set(words) <= set(label.split()) else 0.0

    expected = {label: tier(label) for label in labels if tier(label)}
    matches = index.match(text, limit=100)
    if expected:
        tiers = {
            match.value: max(t for t in (0.6, 0.8, 1.0) if t <= match.score) for match in matches
        }
        assert tiers == expected
    else:
        assert all(match.score < 0.6 for match in matches)
    assert [m.score for m in matches] == sorted((m.score for m in matches), reverse=True)


@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(text=st.text(max_size=80) | st.from_regex(r'("|\'|\*|\^|:|NEAR|AND|OR|NOT|\(|\)| |x){1,30}'))
def test_nothing_in_a_text_is_an_operator(shared_index: LabelIndex, text: str) -> None:
    for match in shared_index.match(text):
        assert 0 < match.score <= 1


@pytest.fixture(scope="module")
def shared_index(tmp_path_factory: pytest.TempPathFactory):
    path = tmp_path_factory.mktemp("labels") / "labels.sqlite"
    write_labels(path, named("x and y", "near or not", "words : x", 'say "hello" to types', "三态"))
    with LabelIndex(path) as index:
        yield index


GRAPH = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix schema: <http://schema.org/> .
@prefix https: <https://schema.org/> .
:q a schema:Question ; schema:text "What is a graph?"@en ; schema:name 7 .
:a a schema:Answer ; schema:text "A graph is a set of statements." .
:b a https:Question , :Thing ; https:text "What is a lattice?" .
:c rdfs:label "Cyan" ; :nickname "Teal" .
[] rdfs:label "Nobody" .
:long rdfs:label "%s" .
""" % ("long " * 200)


def test_an_index_holds_the_labels_of_a_store(tmp_path: Path) -> None:
    file = tmp_path / "data.ttl"
    file.write_text(GRAPH, "utf-8")
    store = build_store([file], tmp_path / "stores")
    told: list[str] = []
    with open_labels(
        store.path, tmp_path / "labels", progress=lambda what, done, total: told.append(what)
    ) as index:
        assert len(index) == 3
        assert [m.iri for m in index.match("what is a graph")] == ["http://example.org/q"]
        [lattice] = index.match("lattice", types=["https://schema.org/Question"])
        assert lattice.types == ("http://example.org/Thing", "https://schema.org/Question")
        assert [found(index, text) for text in ("statements", "nobody", "long", "teal")] == [[]] * 4
    assert told == ["reading labels", "indexing labels"]
    more = (*LABEL_PROPERTIES, "http://example.org/nickname")
    with open_labels(store.path, tmp_path / "labels", properties=more) as index:
        assert [match.label for match in index.match("teal")] == ["Cyan"]


def test_an_index_is_written_once_and_mended_when_damaged(tmp_path: Path) -> None:
    file = tmp_path / "data.ttl"
    file.write_text(GRAPH, "utf-8")
    store = build_store([file], tmp_path / "stores")
    told: list[str] = []

    def opened() -> int:
        with open_labels(
            store.path, tmp_path / "labels", progress=lambda *progress: told.append("built")
        ) as index:
            return len(index)

    assert opened() == opened() == 3
    assert told == ["built", "built"]
    [path] = (tmp_path / "labels").glob("*.sqlite")
    path.write_bytes(b"no database")
    assert opened() == 3
    assert len(told) == 4
    with contextlib.closing(sqlite3.connect(path)) as edited:
        edited.execute("UPDATE labels SET value = 'Somebody else'")
        edited.commit()
    assert opened() == 3
    assert len(told) == 6


def test_unused_indexes_are_removed(tmp_path: Path) -> None:
    write_labels(tmp_path / "a.sqlite", named("graph"))
    assert prune_labels(tmp_path) == []
    assert prune_labels(tmp_path, unused_days=-1) == [tmp_path / "a.sqlite"]


def test_a_build_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "labels.sqlite"
    write_labels(path, named("graph"))

    def broken():
        yield from named("lattice")
        raise OSError("the disk is gone")

    with pytest.raises(UnavailableError, match="GROUNDWIRE_HOME"):
        write_labels(path, broken())
    with LabelIndex(path) as index:
        assert found(index, "graph") == ["graph"]
    assert list(tmp_path.iterdir()) == [path]


def test_another_kind_of_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnavailableError, match="build it first"):
        LabelIndex(tmp_path / "none.sqlite")
    other = tmp_path / "other.sqlite"
    other.write_bytes(b"")
    with pytest.raises(UnavailableError, match="another kind"):
        LabelIndex(other)
