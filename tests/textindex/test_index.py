"""Finding labels and passages by their words."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.errors import UnavailableError
from groundwire.textindex import Passage, TextIndex

PASSAGES = [
    Passage("en", "The motorway near Île-de-France has 3 lanes and no traffic lights."),
    Passage("lights", "Traffic lights and traffic signs: an overview of traffic control."),
    Passage("de", "Die Straße über die Brücke ist gesperrt."),
    Passage("zh", "2024年北京的高速公路收入增长了12%，城市道路没有变化。"),
    Passage("zh2", "高山公路快速通行"),
    Passage("short", "A to B in C, or not"),
    Passage("mixed", "GDP总量 and IT部门 revenue"),
]


@pytest.fixture
def index() -> Iterator[TextIndex]:
    with TextIndex() as made:
        made.build(PASSAGES)
        yield made


def keys(index: TextIndex, query: str, **options: bool) -> list[str]:
    return [hit.key for hit in index.search(query, **options)]


def test_all_words_are_needed_unless_any_will_do(index: TextIndex) -> None:
    assert keys(index, "traffic lights motorway") == ["en"]
    assert set(keys(index, "traffic lights motorway", any_of=True)) == {"en", "lights"}


def test_best_first_with_scores(index: TextIndex) -> None:
    hits = index.search("traffic")
    assert [hit.key for hit in hits] == ["lights", "en"]
    assert hits[0].score > hits[1].score > 0
    assert hits[1].text == PASSAGES[0].text


@pytest.mark.parametrize(
    ("query", "key"),
    [
        ("ile-DE-france", "en"),
        ("BRUCKE", "de"),
        ("straße", "de"),
        ("３ lanes", "en"),
        ("STRASSE", "de"),
        ("motorwayLane", "en"),
    ],
)
def test_case_accents_and_width_do_not_matter(index: TextIndex, query: str, key: str) -> None:
    assert keys(index, query) == [key]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("高速公路", ["zh"]),
        ("公路", ["zh2", "zh"]),
        ("北京", ["zh"]),
        ("京", ["zh"]),
        ("路", ["zh2", "zh"]),
        ("总量", ["mixed"]),
        ("GDP总量", ["mixed"]),
        ("IT部门", ["mixed"]),
        ("北京 增长", ["zh"]),
        ("速高", []),
        ("上海", []),
        ("2024年", ["zh"]),
    ],
)
def test_chinese_is_found_by_words_of_any_length(
    index: TextIndex, query: str, found: list[str]
) -> None:
    assert sorted(keys(index, query)) == sorted(found)


def test_any_part_of_a_chinese_question_will_do(index: TextIndex) -> None:
    assert keys(index, "北京的公路有多长", any_of=True)[0] == "zh"


def test_no_short_word_is_dropped(index: TextIndex) -> None:
    assert keys(index, "a to b in c") == ["short"]
    assert keys(index, "to") == ["short"]
    assert keys(index, "traffic to") == []
    assert keys(index, "高速公路 x") == []


@pytest.mark.parametrize(
    "query",
    [
        '"',
        "traffic OR",
        "NEAR(traffic lights)",
        "key : en",
        "text:motorway",
        "traf*",
        "^traffic",
        "- traffic",
        "traffic AND NOT lights",
        "{key text} : x",
        'a" OR "b',
        "(((",
        "\x00 traffic",
        "'; DROP TABLE passages; --",
        "+",
        "",
    ],
)
def test_nothing_in_a_query_is_an_operator(index: TextIndex, query: str) -> None:
    for any_of in (False, True):
        index.search(query, any_of=any_of)
    assert keys(index, "traf*") == []
    assert keys(index, "lights NOT motorway") == []
    assert keys(index, "not") == ["short"]
    assert len(index) == len(PASSAGES)


def test_a_query_without_a_word_finds_nothing(index: TextIndex) -> None:
    assert keys(index, "?!") == []
    assert index.search("traffic", limit=0) == []


def test_the_limit_holds(index: TextIndex) -> None:
    assert len(index.search("traffic", limit=1)) == 1
    assert index.search("traffic " * 5_000)[0].key == "lights"


def test_building_again_replaces(index: TextIndex) -> None:
    assert index.build([Passage("1", "old"), Passage("1", "new")]) == 1
    assert keys(index, "old") == []
    assert keys(index, "new") == ["1"]


def test_a_failed_build_changes_nothing(index: TextIndex) -> None:
    def failing() -> Iterator[Passage]:
        yield Passage("x", "half")
        raise RuntimeError("source broke")

    with pytest.raises(RuntimeError, match="source broke"):
        index.build(failing())
    with pytest.raises(TypeError):
        index.build([Passage("x", None)])  # type: ignore[arg-type]
    assert len(index) == len(PASSAGES)
    assert keys(index, "half") == []


def test_a_file_keeps_its_passages(tmp_path: Path) -> None:
    with TextIndex(tmp_path / "index.sqlite") as made:
        made.build(PASSAGES)
    with TextIndex(tmp_path / "index.sqlite") as again:
        assert keys(again, "北京") == ["zh"]


def test_a_file_that_is_none_says_what_to_do(tmp_path: Path) -> None:
    broken = tmp_path / "broken.sqlite"
    broken.write_bytes(b"this is no database, whatever its name says" * 40)
    with pytest.raises(UnavailableError, match="remove the file"):
        TextIndex(broken)
    with pytest.raises(UnavailableError, match="cannot be used"):
        TextIndex(tmp_path / "no" / "folder.sqlite")


def test_another_writer_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite"
    with TextIndex(path) as made:
        made.build(PASSAGES)
        made._connection.execute("PRAGMA busy_timeout = 10")
        other = sqlite3.connect(path, isolation_level=None)
        try:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(UnavailableError, match="locked"):
                made.build([Passage("1", "one")])
            other.execute("ROLLBACK")
        finally:
            other.close()
        assert len(made) == len(PASSAGES)


def test_threads_may_search_at_once(index: TextIndex) -> None:
    wrong: list[object] = []

    def ask() -> None:
        for _ in range(50):
            if keys(index, "高速公路") != ["zh"]:
                wrong.append(None)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@settings(max_examples=150, deadline=None)
@given(
    st.text(
        st.one_of(st.characters(codec="latin-1"), st.sampled_from("道路北京ガひ한")), max_size=40
    )
)
def test_every_text_is_found_by_itself(text: str) -> None:
    with TextIndex() as made:
        made.build([Passage("1", text)])
        for any_of in (False, True):
            found = [hit.text for hit in made.search(text, any_of=any_of)]
            assert found == ([text] if any(char.isalnum() for char in text) else [])


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=40))
def test_any_text_is_indexed_and_asked_for(text: str) -> None:
    with TextIndex() as made:
        assert made.build([Passage("1", text), Passage("2", "lane")]) == 2
        made.search(text)
        made.search(text, any_of=True)
        assert keys(made, "lane")[-1] in ("1", "2")


WORDS = ["道路", "北", "京", "lane", "高速公路", "A1", "Straße", "to", "trafficLights", "C++"]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(WORDS), min_size=1))
def test_words_are_found_in_what_holds_them(words: list[str]) -> None:
    with TextIndex() as made:
        made.build([Passage("1", " ".join(words)), Passage("2", "nothing alike")])
        for word in words:
            assert [hit.key for hit in made.search(word)] == ["1"]
