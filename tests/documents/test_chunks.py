"""Chunks are exact quotations of one size with their places."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.documents.blocks import Block, Outline
from groundwire.documents.chunks import CHUNK_CHARACTERS, OVERLAP_CHARACTERS, Chunk, chunks

ENGLISH = "Freight revenue rose again in quarter {}, although fuel was dear. "
CHINESE = "第{}季度营业收入同比增长百分之九，主要由于航运需求。"


def outlined(*parts: str) -> list[Block]:
    """Blocks of paragraphs; a part that starts with # is a heading."""
    outline = Outline()
    for part in parts:
        if part.startswith("#"):
            outline.heading(part[1:])
        else:
            outline.paragraph(part)
    return outline.blocks


def test_short_paragraphs_of_one_heading_are_gathered() -> None:
    made = list(chunks(outlined("# A", "one", "two", "# B", "three")))
    assert made == [
        Chunk("one\ntwo", "section 'A', paragraphs 1 to 2", "A", 0),
        Chunk("three", "section 'B', paragraph 1", "B", 8),
    ]


def test_two_sections_of_one_heading_are_not_gathered() -> None:
    made = list(chunks(outlined("# A", "one", "# A", "two")))
    assert [chunk.locator for chunk in made] == [
        "section 'A', paragraph 1",
        "section 'A' (2), paragraph 1",
    ]


def test_pages_are_not_gathered() -> None:
    pages = [Block("one", "page 1, paragraph 1", ""), Block("two", "page 2, paragraph 1", "")]
    assert [chunk.text for chunk in chunks(pages)] == ["one", "two"]


def test_tables_are_named_in_places() -> None:
    outline = Outline()
    outline.paragraph("one")
    outline.paragraph("a | b", "table")
    assert [chunk.locator for chunk in chunks(outline.blocks)] == ["paragraph 1 to table 2"]


def test_paragraphs_are_gathered_up_to_the_size() -> None:
    made = list(chunks(outlined(*["x" * 150] * 7)))
    assert [len(chunk.text) for chunk in made] == [452, 452, 150]
    assert made[1].locator == "paragraphs 4 to 6"


@pytest.mark.parametrize("sentence", [ENGLISH, CHINESE])
def test_long_paragraphs_are_cut_at_sentences(sentence: str) -> None:
    sentences = [sentence.format(n) for n in range(100, 160)]
    made = list(chunks(outlined("".join(sentences))))
    assert {chunk.locator for chunk in made} == {"paragraph 1"}
    quoted = [[s for s in sentences if s.strip() in chunk.text] for chunk in made]
    for chunk, held in zip(made, quoted, strict=True):
        assert chunk.text == "".join(held).strip()
        assert CHUNK_CHARACTERS - 2 * len(sentence) < len(chunk.text) <= CHUNK_CHARACTERS or (
            chunk is made[-1]
        )
    for before, after in pairwise(quoted):
        # As many sentences as fit in the overlap stand in both.
        shared = OVERLAP_CHARACTERS // len(sentence.format(100))
        assert before[-shared:] == after[:shared]
        assert before[-shared - 1] not in after


def test_abbreviations_end_no_sentence() -> None:
    text = "See the letter of Dr. Chan and of Mr. Li on it, as A. Wong asked" + " and so on" * 60
    [first, *_] = chunks(outlined(text))
    assert len(first.text) > CHUNK_CHARACTERS // 2
    assert not first.text.endswith(("Dr.", "Mr.", "A."))


def test_a_text_without_any_place_to_cut_is_cut() -> None:
    made = list(chunks(outlined("x" * 2_000)))
    assert max(len(chunk.text) for chunk in made) == CHUNK_CHARACTERS
    assert made[0].text[-OVERLAP_CHARACTERS:] == made[1].text[:OVERLAP_CHARACTERS]


words = st.text(st.sampled_from("aZ 9.,!?。，；、\n的收入-—…"), max_size=700)
parts = st.lists(st.one_of(words, words, st.just("# A"), st.just("# B")), max_size=8)


@settings(max_examples=200, deadline=None)
@given(parts)
def test_chunks_are_exact_quotations_in_order(parts: list[str]) -> None:
    blocks = outlined(*parts)
    made = list(chunks(blocks))
    whole = "\n".join(block.text for block in blocks)
    place = 0
    for chunk in made:
        assert 0 < len(chunk.text) <= CHUNK_CHARACTERS
        assert chunk.text.strip()
        # Each begins after the one before, so that none is looked for too far on.
        found = whole.find(chunk.text, max(0, place - CHUNK_CHARACTERS))
        assert found >= 0, chunk
        place = found + len(chunk.text)
    for block in blocks:
        if len(block.text) <= CHUNK_CHARACTERS:
            assert any(block.text in chunk.text for chunk in made)


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from("abc .。，\n收"), min_size=481, max_size=3_000))
def test_parts_join_to_the_paragraph(text: str) -> None:
    """Nothing is left out between two parts."""
    [block, *more] = outlined(text) or [Block("a", "paragraph 1", "")]
    assert not more
    position = 0
    for chunk in chunks([block]):
        latest = position
        while latest and block.text[latest - 1].isspace():
            latest -= 1
        starts = [
            at
            for at in range(max(0, latest - OVERLAP_CHARACTERS - 40), position + 3)
            if block.text.startswith(chunk.text, at) and not block.text[position:at].strip()
        ]
        assert starts, (position, chunk)
        position = max(starts) + len(chunk.text)
    assert not block.text[position:].strip()


def test_a_chunk_begins_where_its_text_stands() -> None:
    blocks = outlined("# A", "one", "words " * 300, "# B", "one", "words " * 300)
    text = "\n".join(block.text for block in blocks)
    for longest in (100, 480, 10_000):
        made = list(chunks(blocks, longest))
        assert all(text.startswith(chunk.text, chunk.start) for chunk in made)
        starts = [chunk.start for chunk in made]
        assert starts == sorted(set(starts))
