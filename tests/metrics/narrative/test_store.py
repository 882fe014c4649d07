"""What is withheld is never returned, whatever is asked; what may be quoted is found."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.documents.blocks import Block
from groundwire.errors import ConfigurationError, UnavailableError
from groundwire.metrics.narrative.store import (
    MOST_PASSAGES,
    Days,
    NarrativeDocument,
    NarrativeStore,
    Scope,
)

About = Callable[..., NarrativeDocument]
OPEN = frozenset({"PUBLIC", "INTERNAL"})
YEAR_2024 = (date(2024, 1, 1), date(2024, 12, 31))
YEAR_2025 = (date(2025, 1, 1), date(2025, 12, 31))


def blocks(*texts: str, heading: str = "") -> list[Block]:
    place = f"section {heading!r}, " if heading else ""
    return [Block(text, f"{place}paragraph {n}", heading) for n, text in enumerate(texts, 1)]


def texts(
    store: NarrativeStore,
    query: str,
    allowed: Collection[str] = OPEN,
    entity: Collection[str] = (),
    period: Days | None = None,
    limit: int = 5,
) -> list[str]:
    scope = Scope(frozenset(allowed), frozenset(entity), period)
    found = store.find(query, scope, limit)
    return [passage.text for passage in found]


@pytest.fixture
def filled(store: NarrativeStore, about: About) -> NarrativeStore:
    store.add(
        about("results.md", title="Results", entity="HK", period=YEAR_2024),
        blocks("Freight revenue rose on new contracts in Hong Kong.", heading="Growth"),
    )
    store.add(
        about("report.md", "INTERNAL", entity="CN", period=YEAR_2025),
        blocks("2025年营业收入同比增长百分之九，主要由于航运需求。"),
    )
    store.add(
        about("merger.docx", "RESTRICTED", entity="HK", period=YEAR_2024),
        blocks("Secret merger talks: freight revenue of the target, 并购谈判 and 营业收入。"),
    )
    store.add(about("old.txt", "SECRET-OF-AN-OLD-PROFILE"), blocks("Freight revenue of old."))
    return store


def test_a_passage_says_where_it_is_from(filled: NarrativeStore) -> None:
    [passage] = filled.find("freight revenue", Scope(OPEN))
    assert passage.text == "Freight revenue rose on new contracts in Hong Kong."
    assert (passage.doc, passage.title) == ("results.md", "Results")
    assert passage.locator == "section 'Growth', paragraph 1"
    assert (passage.entity, passage.period, passage.sensitivity) == ("HK", YEAR_2024, "PUBLIC")
    assert passage.score > 0


def test_headings_are_found_but_not_quoted(filled: NarrativeStore) -> None:
    [text] = texts(filled, "growth contracts")
    assert "Growth" not in text


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("收入", True),
        ("航运", True),
        ("营业收入", True),
        ("入营", False),
        ("营业收入增长的主要原因是什么？", True),
        ("明天上海的天气怎么样", False),
        ("并购", False),
        ("并购谈判", False),
    ],
)
def test_chinese_words_of_two_characters(filled: NarrativeStore, query: str, found: bool) -> None:
    assert bool(texts(filled, query)) is found


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("What drove the freight revenue in Hong Kong?", True),
        ("revenues of FREIGHT", True),
        ("What is the weather in Paris tomorrow?", False),
        ("quarterly churn of premium subscribers in Hong Kong", False),
        ("what is it about", False),
        ("merger", False),
        ("secret merger talks", False),
        ("?!", False),
        ("", False),
    ],
)
def test_half_of_what_a_question_is_about_is_needed(
    filled: NarrativeStore, query: str, found: bool
) -> None:
    assert bool(texts(filled, query)) is found


def test_all_words_go_before_any(store: NarrativeStore, about: About) -> None:
    store.add(about("some"), blocks("Freight rates fell, and freight rates fell again."))
    store.add(about("all"), blocks("Freight rates, wages and, far less so, fuel prices fell."))
    found = store.find("freight rates fuel", Scope(OPEN))
    assert [passage.doc for passage in found] == ["all"]


def test_better_passages_come_first(store: NarrativeStore, about: About) -> None:
    store.add(about("long"), blocks("Dividend talk. " + "Other matters were dealt with. " * 14))
    store.add(about("short"), blocks("The dividend: no dividend is planned."))
    store.add(about("rare"), blocks("Ningbo was named once, and the dividend too."))
    assert [p.doc for p in store.find("dividend", Scope(OPEN))] == ["short", "rare", "long"]
    assert store.find("Ningbo dividend plan Q7", Scope(OPEN))[0].doc == "rare"


def test_entities_and_periods_narrow(filled: NarrativeStore) -> None:
    query = "收入 revenue freight 营业"
    assert len(texts(filled, query)) == 2
    assert len(texts(filled, query, entity=["HK"])) == 1
    assert len(texts(filled, query, entity=["HK", "CN"])) == 2
    assert texts(filled, query, entity=["US"]) == []
    assert len(texts(filled, query, period=YEAR_2024)) == 1
    assert len(texts(filled, query, period=(date(2024, 12, 31), date(2025, 1, 1)))) == 2
    assert texts(filled, query, period=(date(2023, 1, 1), date(2023, 12, 31))) == []


def test_documents_about_nothing_are_found_on_request(store: NarrativeStore, about: About) -> None:
    store.add(about("general"), blocks("Freight in general."))
    assert texts(store, "freight", entity=["HK"]) == []
    assert texts(store, "freight", entity=["HK", ""]) == ["Freight in general."]


def test_a_level_that_is_not_named_is_withheld(filled: NarrativeStore) -> None:
    assert len(texts(filled, "freight revenue", allowed=["PUBLIC"])) == 1
    assert texts(filled, "freight revenue", allowed=[]) == []
    assert (
        texts(filled, "freight revenue", allowed=["public", "PUBLIC ", "PUBLIC\x00", "%", "*"])
        == []
    )
    assert texts(filled, "freight revenue", allowed="RESTRICTED") == []


def test_the_same_document_again_changes_nothing(store: NarrativeStore, about: About) -> None:
    assert store.add(about("a"), blocks("one word")) == 1
    assert store.add(about("a"), blocks("another word")) == 0
    assert texts(store, "word") == ["one word"]


def test_another_content_replaces(store: NarrativeStore, about: About) -> None:
    store.add(about("a"), blocks("one word", heading="x"))
    store.add(about("b"), blocks("word of b"))
    [old] = [p.key for p in store.find("one word", Scope(OPEN))]
    assert store.add(about("a", sha256="1" * 64), blocks("another word")) == 1
    assert sorted(texts(store, "word")) == ["another word", "word of b"]
    assert [one.name for one in store.documents()] == ["a", "b"]
    assert store.passages([old], Scope(OPEN)) == []


def test_a_stricter_level_of_the_same_file_holds_at_once(
    store: NarrativeStore, about: About
) -> None:
    store.add(about("a", "PUBLIC"), blocks("one word"))
    assert store.add(about("a", "RESTRICTED"), blocks("one word")) == 1
    assert texts(store, "word") == []


def test_what_was_removed_is_not_found(filled: NarrativeStore) -> None:
    assert filled.remove("results.md")
    assert not filled.remove("results.md")
    assert texts(filled, "freight revenue") == []
    assert texts(filled, "收入") != []
    assert len(filled.documents()) == 3


def test_documents_of_an_origin_are_withdrawn_and_those_of_a_user_stay(
    store: NarrativeStore, about: About
) -> None:
    store.add(about("a"), blocks("word of a profile"), origin="p/a")
    store.add(about("b"), blocks("word of a profile that a user has too"), origin="p/b")
    store.add(about("b"), blocks("never read"))
    store.add(about("b"), blocks("never read"), origin="p/b")
    store.add(about("c"), blocks("word of a user"))
    store.add(about("c"), blocks("never read"), origin="p/b")
    assert [one.origin for one in store.documents()] == ["p/a", "", ""]
    assert (store.withdraw("p/b"), store.withdraw("p/a"), store.withdraw("p/a")) == (0, 1, 0)
    assert sorted(texts(store, "word")) == [
        "word of a profile that a user has too", "word of a user",
    ]  # fmt: skip


def test_documents_are_listed(store: NarrativeStore, about: About) -> None:
    document = about("a", title="A", entity="HK", period=YEAR_2024, dated=date(2025, 3, 1))
    store.add(document, blocks("word " * 300), imported=date(2026, 1, 2))
    [listed] = store.documents()
    assert (listed.name, listed.period, listed.dated) == ("a", YEAR_2024, date(2025, 3, 1))
    assert (listed.imported, listed.chunks) == (date(2026, 1, 2), 4)


def test_a_failed_import_leaves_the_old_state(store: NarrativeStore, about: About) -> None:
    def failing() -> Iterator[Block]:
        yield Block("half " * 200, "paragraph 1", "")
        raise RuntimeError("source broke")

    store.add(about("a"), blocks("old words"))
    with pytest.raises(RuntimeError, match="source broke"):
        store.add(about("a", sha256="1" * 64), failing())
    assert texts(store, "half") == []
    assert texts(store, "old") == ["old words"]
    assert [one.sha256 for one in store.documents()] == ["0" * 64]


KILLED = """
import os, signal, sys
from pathlib import Path
from groundwire.documents.blocks import Block
from groundwire.metrics.narrative.store import NarrativeDocument
from groundwire.metrics.narrative.store import NarrativeStore

def blocks():
    for number in range(4000):
        yield Block(f"new words {number} " * 30, f"paragraph {number}", "")
    os.kill(os.getpid(), signal.SIGKILL)

store = NarrativeStore(Path(sys.argv[1]))
store.add(NarrativeDocument("a", "", "1" * 64, "", None, "PUBLIC"), blocks())
"""


def test_a_kill_in_the_middle_leaves_the_old_state(tmp_path: Path, about: About) -> None:
    path = tmp_path / "facts.narrative.sqlite"
    with NarrativeStore(path) as made:
        made.add(about("a"), blocks("old words"))
    killed = subprocess.run([sys.executable, "-c", KILLED, str(path)], capture_output=True)
    assert killed.returncode == -9, killed.stderr
    with NarrativeStore(path) as again:
        assert texts(again, "old words") == ["old words"]
        assert texts(again, "new") == []
        assert again.add(about("a", sha256="2" * 64), blocks("later words")) == 1
        assert texts(again, "later") == ["later words"]


def test_a_file_keeps_its_documents(tmp_path: Path, about: About) -> None:
    path = tmp_path / "n.sqlite"
    with NarrativeStore(path) as made:
        made.add(about("a"), blocks("one word"))
    with NarrativeStore(path) as again:
        assert texts(again, "word") == ["one word"]


def test_a_file_that_is_no_store_says_what_to_do(tmp_path: Path) -> None:
    broken = tmp_path / "broken.sqlite"
    broken.write_bytes(b"this is no database, whatever its name says" * 40)
    with pytest.raises(UnavailableError, match="import the documents again"):
        NarrativeStore(broken)
    with pytest.raises(UnavailableError, match="cannot be used"):
        NarrativeStore(tmp_path / "no" / "folder.sqlite")
    other = tmp_path / "other.sqlite"
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE facts (value)")
    connection.close()
    with pytest.raises(UnavailableError, match="another kind of file"):
        NarrativeStore(other)


@pytest.mark.parametrize(
    ("version", "way_out"),
    [(1, r"move .*n\.sqlite away and import the documents again"), (99, "update Groundwire")],
)
def test_a_file_of_another_version_says_what_to_do(
    tmp_path: Path, version: int, way_out: str
) -> None:
    path = tmp_path / "n.sqlite"
    NarrativeStore(path).close()
    with closing(sqlite3.connect(path)) as file:
        file.execute(f"PRAGMA user_version={version}")
    with pytest.raises(ConfigurationError, match=f"has version {version}, .*{way_out}") as told:
        NarrativeStore(path)
    assert "\n" not in str(told.value)


def test_a_damaged_file_is_reported(tmp_path: Path, about: About) -> None:
    path = tmp_path / "n.sqlite"
    with NarrativeStore(path) as made:
        made.add(about("a"), blocks(*(f"word {n} and more of it " * 9 for n in range(400))))
    data = path.read_bytes()
    path.write_bytes(data[:8192] + b"\xa5" * (len(data) - 8192))
    with NarrativeStore(path) as again, pytest.raises(UnavailableError, match="documents again"):
        again.find("word", Scope(OPEN))


def test_a_closed_store_is_reported(store: NarrativeStore) -> None:
    store.close()
    store.close()
    with pytest.raises(UnavailableError, match="closed"):
        store.find("word", Scope(OPEN))


def test_another_writer_is_reported(tmp_path: Path, about: About) -> None:
    path = tmp_path / "n.sqlite"
    with NarrativeStore(path) as made:
        made.add(about("a"), blocks("one word"))
        made._connection.execute("PRAGMA busy_timeout = 10")
        other = sqlite3.connect(path, isolation_level=None)
        try:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(UnavailableError, match="locked"):
                made.add(about("b"), blocks("two words"))
            assert texts(made, "word") == ["one word"]
            other.execute("ROLLBACK")
        finally:
            other.close()
        assert made.add(about("b"), blocks("two words")) == 1


def test_threads_may_search_at_once(filled: NarrativeStore) -> None:
    wrong: list[object] = []

    def ask() -> None:
        for _ in range(50):
            if len(texts(filled, "freight revenue")) != 1:
                wrong.append(None)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_query_of_a_megabyte_is_cut(filled: NarrativeStore) -> None:
    assert texts(filled, "freight " * 131_072) == texts(filled, "freight")
    assert texts(filled, "营业收入" * 262_144) == texts(filled, "营业收入")
    assert texts(filled, "x" * (1 << 20)) == []


@pytest.mark.parametrize("limit", [0, -1, -(10**30)])
def test_a_limit_that_is_none_finds_nothing(filled: NarrativeStore, limit: int) -> None:
    assert texts(filled, "freight", limit=limit) == []


def test_a_large_limit_is_cut(store: NarrativeStore, about: About) -> None:
    for number in range(MOST_PASSAGES + 20):
        store.add(about(f"d{number}"), blocks(f"freight {number}"))
    assert len(texts(store, "freight", limit=10**30)) == MOST_PASSAGES


@pytest.mark.parametrize(
    "keys",
    [
        [True, 1.5, "1", None, -1, 0, 1 << 63, 1 << 80],
        ["1) OR 1=1 --", b"1"],
        list(range(1 << 20, (1 << 20) + 50)),
    ],
)
def test_forged_keys_find_nothing_else(filled: NarrativeStore, keys: list[object]) -> None:
    found = filled.passages(keys, Scope(OPEN))  # type: ignore[arg-type]
    assert {passage.sensitivity for passage in found} <= OPEN


WORDS = [
    "freight",
    "revenue",
    "growth",
    "secret",
    "Hong",
    "Kong",
    "收入",
    "增长",
    "并购",
    "营业收入",
    "2024",
]
FORGED = [
    "RESTRICTED",
    "sensitivity:RESTRICTED",
    "' OR 1=1 --",
    '") OR sensitivity IN ("RESTRICTED',
    "'; DROP TABLE documents; --",
    "NEAR(freight secret)",
    "freight OR secret",
    "freight NOT public",
    "words : secret",
    "fre*",
    "^freight",
    '"',
    "\x00",
    "\ud800",
    "%",
    "_",
    "{words characters} : secret",
    "-secret",
    "(" * 300,
]
LEVELS = ["PUBLIC", "INTERNAL", "RESTRICTED", "UNKNOWN", ""]
word = st.sampled_from(WORDS)
document = st.tuples(
    st.sampled_from(LEVELS),
    st.sampled_from(["", "HK", "CN"]),
    st.sampled_from([None, YEAR_2024, YEAR_2025]),
    st.lists(st.lists(word, min_size=1, max_size=30).map(" ".join), min_size=1, max_size=4),
)
query = st.lists(
    st.one_of(word, st.sampled_from(FORGED), st.text(max_size=8)), min_size=1, max_size=8
).map(" ".join)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(document, min_size=1, max_size=8),
    query,
    st.sets(st.sampled_from(["PUBLIC", "INTERNAL", *FORGED[1:]])),
    st.sets(st.sampled_from(["", "HK", "CN", *FORGED])),
    st.sampled_from([None, YEAR_2024, YEAR_2025, (date.max, date.min)]),
    st.one_of(st.integers(), st.integers(-2, 20)),
)
def test_nothing_widens_a_search(
    documents: list[tuple[str, str, tuple[date, date] | None, list[str]]],
    query: str,
    allowed: set[str],
    entity: set[str],
    period: tuple[date, date] | None,
    limit: int,
) -> None:
    with NarrativeStore(None) as store:
        for number, (level, code, days, contents) in enumerate(documents):
            # Each text names its document, so that one that leaks is known by itself.
            marked = blocks(*(f"{text} mark{number}x" for text in contents))
            made = NarrativeDocument(f"d{number}", "", "0" * 64, code, days, level)
            store.add(made, marked)
        quotable = {
            f"mark{number}x"
            for number, (level, code, days, _) in enumerate(documents)
            if level in allowed
            and (not entity or code in entity)
            and (period is None or (days and days[0] <= period[1] and days[1] >= period[0]))
        }
        scope = Scope(frozenset(allowed), frozenset(entity), period)
        found = store.find(query, scope, limit)
        assert len(found) <= max(0, min(limit, MOST_PASSAGES))
        for passage in found:
            assert passage.sensitivity in allowed
            marks = {part for part in passage.text.split() if part.startswith("mark")}
            assert marks and marks <= quotable
        every = range(1 << 20, (len(documents) + 2) << 20)
        keys = [key for start in every[:: 1 << 20] for key in range(start, start + 6)]
        for passage in store.passages(keys, scope):
            assert passage.text.split()[-1] in quotable
        assert len(store.documents()) == len(documents)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(word, min_size=1, max_size=12), min_size=1, max_size=6), st.lists(word))
def test_withheld_documents_do_not_decide_what_is_found(
    contents: list[list[str]], words: list[str]
) -> None:
    """With and without withheld documents the same passages are found."""
    query = " ".join(words)
    found: list[set[str]] = []
    for withheld in (False, True):
        with NarrativeStore(None) as store:
            for number, content in enumerate(contents):
                made = NarrativeDocument(f"d{number}", "", "0" * 64, "", None, "PUBLIC")
                store.add(made, blocks(" ".join(content)))
                if withheld:
                    twin = NarrativeDocument(f"r{number}", "", "0" * 64, "", None, "RESTRICTED")
                    store.add(twin, blocks(f"{' '.join(content)} {query}"))
            found.append({one.doc for one in store.find(query, Scope(OPEN), limit=50)})
    assert found[0] == found[1]
