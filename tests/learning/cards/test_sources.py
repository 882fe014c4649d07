"""Documents become passages, each an exact part of the text with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.documents.reading import read
from groundwire.errors import InputError
from groundwire.learning.cards.searching import SearchRequest, search_sources
from groundwire.learning.importing import LONGEST_PASSAGE, import_source
from groundwire.statefile import StateFile
from tests.documents.conftest import ALL_SENTENCES, WRITERS

NOW = 1_763_900_000_000


def passages(state: StateFile) -> list[tuple[int, int, str, str]]:
    with state.reading() as connection:
        assert connection is not None
        return connection.execute(
            "SELECT start, stop, locator, text FROM passages ORDER BY source_id, ordinal"
        ).fetchall()


@pytest.mark.parametrize("ending", WRITERS)
def test_every_format_is_taken_whole(state: StateFile, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"report{ending}"
    WRITERS[ending](path)
    report = import_source(state, "local", path, now_ms=NOW)
    found = passages(state)
    assert report.passages == len(found)
    text = " ".join(one[3] for one in found).replace("\n", " ")
    assert all(sentence in text for sentence in ALL_SENTENCES)
    assert all(one[2] for one in found)


@pytest.mark.parametrize("ending", WRITERS)
def test_offsets_are_those_of_the_text(state: StateFile, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"report{ending}"
    WRITERS[ending](path)
    import_source(state, "local", path, now_ms=NOW)
    text = "\n".join(block.text for block in read(path).blocks)
    assert all(text[start:stop] == own for start, stop, _, own in passages(state))


def test_long_and_repeated_paragraphs_keep_their_offsets(state: StateFile, tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    sentence = "The same sentence stands here again and again. "
    parts = [sentence * 120, "Cats", "Cats sleep.", sentence * 3, "长江" * 2_000, "Cats"]
    path.write_text("\n\n".join(parts), "utf-8")
    import_source(state, "local", path, now_ms=NOW)
    text = "\n".join(block.text for block in read(path).blocks)
    found = passages(state)
    assert all(text[start:stop] == own for start, stop, _, own in found)
    assert max(len(own) for *_, own in found) <= LONGEST_PASSAGE
    covered = set[int]()
    for start, stop, *_ in found:
        covered.update(range(start, stop))
    assert all(text[place].isspace() for place in set(range(len(text))) - covered)
    assert [one[0] for one in found] == sorted(one[0] for one in found)


def test_a_file_is_taken_once_and_each_owner_has_their_own(
    state: StateFile, tmp_path: Path
) -> None:
    path = tmp_path / "a.txt"
    path.write_text("One sentence.", "utf-8")
    first = import_source(state, "local", path, now_ms=NOW)
    again = import_source(state, "local", path, now_ms=NOW, title="other")
    assert (again.source_id, again.passages) == (first.source_id, 0)
    theirs = import_source(state, "eve", path, now_ms=NOW)
    assert theirs.source_id != first.source_id
    path.write_text("Another sentence.", "utf-8")
    assert import_source(state, "local", path, now_ms=NOW).source_id != first.source_id
    mine, _ = search_sources(state, "local", SearchRequest("sentence", limit=20))
    assert len(mine.passages) == 2
    hers, _ = search_sources(state, "eve", SearchRequest("sentence", first.source_id))
    assert hers.status == "unrecognized_param"


def test_a_title_is_given_or_of_the_document(state: StateFile, tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("---\ntitle: Of the document\n---\nText.", "utf-8")
    assert import_source(state, "local", path, now_ms=NOW).title == "Of the document"
    path.write_text("Text.", "utf-8")
    assert import_source(state, "local", path, now_ms=NOW).title == "a.md"
    path.write_text("Text!", "utf-8")
    assert import_source(state, "local", path, now_ms=NOW, title=" Given\n ").title == "Given"


def test_what_holds_no_text_is_refused(state: StateFile, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("\n\n", "utf-8")
    with pytest.raises(InputError, match="no text"):
        import_source(state, "local", path, now_ms=NOW)
    with pytest.raises(InputError):
        import_source(state, "local", tmp_path / "none.txt", now_ms=NOW)
    assert not state.path.exists()


@pytest.mark.parametrize(
    "query", ["长江", "AND OR NOT", 'a"b', "*", "passage_words MATCH 1", "x" * 10_000, "🙂"]
)
def test_no_query_is_an_operator(state: StateFile, tmp_path: Path, query: str) -> None:
    path = tmp_path / "a.txt"
    path.write_text("长江是亚洲最长的河流。\n\nDr. Smith and others did not agree.", "utf-8")
    import_source(state, "local", path, now_ms=NOW)
    found, _ = search_sources(state, "local", SearchRequest(query))
    assert found.status in ("found", "empty")
    if query == "长江":
        assert found.passages[0].text.startswith("长江")


def test_half_of_the_words_are_enough(state: StateFile, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("The heart pumps blood.\n\nThe sun is a star.", "utf-8")
    import_source(state, "local", path, now_ms=NOW)
    found, _ = search_sources(state, "local", SearchRequest("how does the heart pump"))
    assert "heart" in found.passages[0].text
    none, _ = search_sources(state, "local", SearchRequest("who grows coffee in Brazil"))
    assert none.status == "empty"


def test_a_source_that_is_removed_leaves_no_word(state: StateFile, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("The zyxwvut tower is tall.\n\nAnother paragraph.", "utf-8")
    source_id = import_source(state, "local", path, now_ms=NOW).source_id
    path.write_text("The tower of somebody else.", "utf-8")
    import_source(state, "eve", path, now_ms=NOW)
    with state.writing() as connection:
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute(
            "DELETE FROM sources WHERE owner = 'local' AND source_id = ?", (source_id,)
        )
    with state.reading() as connection:
        assert connection is not None
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert b"zyxwvut" not in state.path.read_bytes()
    found, _ = search_sources(state, "eve", SearchRequest("tower"))
    assert found.status == "found"
    mine, _ = search_sources(state, "local", SearchRequest("tower"))
    assert mine.status == "empty"


def test_a_source_that_is_named_by_its_title_is_found(state: StateFile, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("The heart pumps blood.\n\nThe sun is a star.", "utf-8")
    import_source(state, "local", path, now_ms=NOW, title="My first notes")
    found, _ = search_sources(state, "local", SearchRequest("Make cards of My first notes, please"))
    assert found.passages[0].text.startswith("The heart")
    none, _ = search_sources(state, "local", SearchRequest("Make cards of my first notebook"))
    assert none.status == "empty"
