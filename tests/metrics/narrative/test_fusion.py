"""Injected channels are fused and may reorder; they cannot show, add or change anything."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.documents.blocks import Block
from groundwire.metrics.narrative.fusion import NarrativeRetriever, fused
from groundwire.metrics.narrative.store import NarrativeDocument, NarrativeStore, Passage, Scope

OPEN = frozenset({"PUBLIC"})
EVERYTHING = frozenset({"PUBLIC", "RESTRICTED"})


class Vectors:
    """Returns the keys that it was made with."""

    def __init__(self, *keys: Any) -> None:
        self.keys = keys
        self.asked: list[tuple[str, Scope, int]] = []

    def rank(self, query: str, scope: Scope, limit: int) -> Sequence[int]:
        self.asked.append((query, scope, limit))
        return self.keys


class Order:
    """Returns the places that it was made with."""

    def __init__(self, *places: Any) -> None:
        self.places = places
        self.seen: list[Passage] = []

    def rerank(self, query: str, passages: Sequence[Passage]) -> Sequence[int]:
        self.seen += passages
        return self.places


@pytest.fixture
def filled(store: NarrativeStore, about: Callable[..., NarrativeDocument]) -> NarrativeStore:
    store.add(about("a"), [Block("Freight freight freight.", "paragraph 1", "")])
    store.add(about("b"), [Block("Freight and fuel, at some length.", "paragraph 1", "")])
    store.add(about("c"), [Block("Shipping prices rose.", "paragraph 1", "")])
    store.add(about("r", "RESTRICTED"), [Block("Freight merger.", "paragraph 1", "")])
    return store


def key_of(store: NarrativeStore, words: str) -> int:
    return store.find(words, Scope(EVERYTHING))[0].key


def docs(retriever: NarrativeRetriever, query: str = "freight", limit: int = 5) -> list[str]:
    return [passage.doc for passage in retriever.search(query, Scope(OPEN), limit=limit)[0]]


def test_ranks_are_fused_by_their_reciprocals() -> None:
    assert fused([[1, 2], [2, 3]]) == [
        (2, pytest.approx(1 / 62 + 1 / 61)),
        (1, pytest.approx(1 / 61)),
        (3, pytest.approx(1 / 62)),
    ]
    assert fused([[7, 7, 8]]) == [(7, 1 / 61), (8, 1 / 62)]
    assert fused([[1], [2]]) == [(1, 1 / 61), (2, 1 / 61)]
    assert fused([]) == []


def test_without_channels_it_is_the_store(filled: NarrativeStore) -> None:
    assert NarrativeRetriever(filled).search("freight", Scope(OPEN))[0] == filled.find(
        "freight", Scope(OPEN)
    )


def test_a_vector_channel_finds_what_words_do_not(filled: NarrativeStore) -> None:
    vectors = Vectors(key_of(filled, "shipping"), key_of(filled, "fuel"))
    retriever = NarrativeRetriever(filled, vectors)
    assert docs(retriever) == ["b", "a", "c"]
    assert docs(retriever, "tariffs") == ["c", "b"]
    assert docs(retriever, limit=1) == ["b"]
    [first, *_] = retriever.search("freight", Scope(OPEN))[0]
    assert first.score == pytest.approx(1 / 62 + 1 / 62)
    assert vectors.asked[0] == ("freight", Scope(OPEN), 20)


def test_a_vector_channel_cannot_show_what_is_withheld(filled: NarrativeStore) -> None:
    restricted = key_of(filled, "merger")
    for query in ("freight", "merger", "nothing alike"):
        assert "r" not in docs(NarrativeRetriever(filled, Vectors(restricted)), query)
    assert docs(NarrativeRetriever(filled, Vectors(restricted)), "merger") == []


def test_keys_that_are_none_are_dropped(filled: NarrativeStore) -> None:
    vectors = Vectors("1 OR 1=1", None, 1.5, -1, 1 << 90, True, key_of(filled, "shipping"))
    assert docs(NarrativeRetriever(filled, vectors), "tariffs") == ["c"]


def test_a_reranker_reorders(filled: NarrativeStore) -> None:
    assert docs(NarrativeRetriever(filled), "freight") == ["a", "b"]
    order = Order(1, 0)
    retriever = NarrativeRetriever(filled, reranker=order)
    assert docs(retriever) == ["b", "a"]
    assert docs(retriever, limit=1) == ["b"]
    assert {passage.doc for passage in order.seen} == {"a", "b"}


@pytest.mark.parametrize("places", [(), (9, -1, 7), ("1", None, True), (0, 0, 0)])
def test_a_reranker_can_neither_add_nor_leave_out(
    filled: NarrativeStore, places: tuple[object, ...]
) -> None:
    assert docs(NarrativeRetriever(filled, reranker=Order(*places))) == ["a", "b"]


def test_a_limit_that_is_none_finds_nothing(filled: NarrativeStore) -> None:
    assert docs(NarrativeRetriever(filled, Vectors(key_of(filled, "fuel"))), limit=0) == []


anything = st.one_of(st.integers(), st.integers(0, 8), st.text(max_size=3), st.none())


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["PUBLIC", "RESTRICTED", "?"]), st.text(max_size=9))),
    st.lists(st.one_of(anything, st.integers(1, 9).map(lambda n: (n << 20) + 1))),
    st.lists(anything),
    st.text(max_size=9),
    st.integers(-1, 9),
)
def test_no_channel_widens_a_search(
    documents: list[tuple[str, str]],
    keys: list[object],
    places: list[object],
    query: str,
    limit: int,
) -> None:
    with NarrativeStore(None) as store:
        for number, (level, text) in enumerate(documents):
            made = NarrativeDocument(f"d{number}", "", "0" * 64, "", None, level)
            store.add(made, [Block(f"{text} freight", "paragraph 1", "")])
        held = store.find("freight", Scope(OPEN), limit=100)
        texts = {(passage.doc, passage.text) for passage in held}
        retriever = NarrativeRetriever(store, Vectors(*keys), Order(*places))
        found = retriever.search(f"{query} freight", Scope(OPEN), limit=limit)[0]
        assert {(passage.doc, passage.text) for passage in found} <= texts
        assert len(found) == len({passage.key for passage in found}) <= max(0, limit)
        assert all(passage.sensitivity == "PUBLIC" for passage in found)
