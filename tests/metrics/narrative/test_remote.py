"""Models help a search and cannot show, add or learn what is withheld; without them words do."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from groundwire.documents.blocks import Block
from groundwire.metrics.about import EmbeddingChoice, ModelChoice, NarrativeChoices
from groundwire.metrics.narrative.remote import KEY_VARIABLE, retriever_of
from groundwire.metrics.narrative.store import NarrativeDocument, NarrativeStore, Scope
from tests.model_servers import ModelServer

OPEN = frozenset(("PUBLIC",))
EVERYTHING = frozenset(("PUBLIC", "RESTRICTED"))
WITHHELD = frozenset({"RESTRICTED"})
NEAR = ("Shipping", "cargo")


def by_topic(text: str) -> list[float]:
    """Texts about shipping point one way, others another."""
    return [1.0, 0.0] if any(word in text for word in NEAR) else [0.0, 1.0]


@pytest.fixture
def filled(store: NarrativeStore, about: Callable[..., NarrativeDocument]) -> NarrativeStore:
    store.add(about("a"), [Block("Freight is dear.", "paragraph 1", "")])
    store.add(about("b"), [Block("Shipping prices rose.", "paragraph 1", "")])
    store.add(about("r", "RESTRICTED"), [Block("Shipping merger, secret.", "paragraph 1", "")])
    return store


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(embed=by_topic, rerank=lambda query, texts: [1, 0]) as started:
        yield started


@pytest.fixture(params=["ollama", "openai"])
def provider(request: pytest.FixtureRequest) -> Any:
    return request.param


def vectors(server: ModelServer, provider: Any = "ollama", **more: Any) -> NarrativeChoices:
    return NarrativeChoices(
        embeddings=EmbeddingChoice(provider=provider, model="e", base_url=server.url, **more)
    )


def test_by_default_no_model_is_asked(filled: NarrativeStore) -> None:
    retriever = retriever_of(filled, NarrativeChoices(), WITHHELD, None)
    assert [one.doc for one in retriever.search("freight", Scope(OPEN))[0]] == ["a"]
    assert retriever.search("cargo", Scope(OPEN))[0] == []


def test_vectors_find_what_no_word_does(
    filled: NarrativeStore, server: ModelServer, provider: Any
) -> None:
    retriever = retriever_of(filled, vectors(server, provider), WITHHELD, None)
    found, notes = retriever.search("cargo", Scope(OPEN))
    assert [one.doc for one in found] == ["b"]
    assert notes == ()


@pytest.mark.parametrize("allowed", [OPEN, EVERYTHING])
def test_withheld_passages_are_sent_to_no_model(
    filled: NarrativeStore, server: ModelServer, provider: Any, allowed: frozenset[str]
) -> None:
    choices = NarrativeChoices(
        embeddings=vectors(server, provider).embeddings,
        rerank=ModelChoice(provider=provider, model="r", base_url=server.url),
    )
    retriever = retriever_of(filled, choices, WITHHELD, None)
    for query in ("cargo", "Shipping", "merger"):
        retriever.search(query, Scope(allowed))
    assert "Shipping prices" in server.texts()
    assert "secret" not in server.texts()


def test_a_text_is_sent_once(filled: NarrativeStore, server: ModelServer, tmp_path: Path) -> None:
    cache = tmp_path / "v.sqlite"
    for _ in range(3):
        retriever = retriever_of(filled, vectors(server), WITHHELD, cache)
        assert [one.doc for one in retriever.search("cargo", Scope(OPEN))[0]] == ["b"]
    sent = [text for _, body, _ in server.sent for text in body["input"]]
    assert sorted(sent) == ["Freight is dear.", "Shipping prices rose.", "cargo"]


def test_another_model_has_embeddings_of_its_own(
    filled: NarrativeStore, server: ModelServer, tmp_path: Path
) -> None:
    for model in ("one", "two"):
        choice = EmbeddingChoice(provider="ollama", model=model, base_url=server.url)
        retriever = retriever_of(
            filled, NarrativeChoices(embeddings=choice), WITHHELD, tmp_path / "v.sqlite"
        )
        retriever.search("cargo", Scope(OPEN))
    assert {body["model"] for _, body, _ in server.sent} == {"one", "two"}
    assert len(server.sent) == 4


def test_a_listwise_order_is_taken(
    filled: NarrativeStore,
    about: Callable[..., NarrativeDocument],
    server: ModelServer,
    provider: Any,
) -> None:
    filled.add(about("c"), [Block("Freight and again freight, dear.", "paragraph 1", "")])
    words = [one.doc for one in filled.find("freight", Scope(OPEN))]
    choice = ModelChoice(provider=provider, model="r", base_url=server.url)
    retriever = retriever_of(filled, NarrativeChoices(rerank=choice), WITHHELD, None)
    found, notes = retriever.search("freight", Scope(OPEN))
    assert [one.doc for one in found] == words[::-1]
    assert notes == ()


BAD = {
    "an error": (500, b"{}"),
    "no JSON": (200, b"<html>"),
    "a list": (200, b"[]"),
    "too few": (200, b'{"embeddings": [], "data": []}'),
    "no numbers": (200, b'{"embeddings": [["a"]], "data": [{"index": 0, "embedding": ["a"]}]}'),
    "not finite": (200, b'{"embeddings": [[NaN, 1]], "data": [{"index": 0, "embedding": [NaN]}]}'),
    "zeros": (200, b'{"embeddings": [[0, 0], [0, 0]]}'),
    "a redirect": (302, b""),
    "prose": (200, json.dumps({"message": {"content": "passage two is best"}}).encode()),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_model_that_answers_nonsense_is_told_and_words_are_used(
    filled: NarrativeStore, about: Callable[..., NarrativeDocument], provider: Any, kind: str
) -> None:
    filled.add(about("c"), [Block("Freight and again freight, dear.", "paragraph 1", "")])
    plain = filled.find("freight", Scope(OPEN))
    with ModelServer(answer=lambda path, body: BAD[kind]) as server:
        choices = NarrativeChoices(
            embeddings=vectors(server, provider).embeddings,
            rerank=ModelChoice(provider=provider, model="r", base_url=server.url),
        )
        retriever = retriever_of(filled, choices, WITHHELD, None)
        found, notes = retriever.search("freight", Scope(OPEN))
    assert found == plain
    assert [note.split(":")[0] for note in notes] == [
        "Passages were searched by their words alone",
        "The order of the passages is that of the search",
    ]


def test_a_model_that_is_down_is_told_and_left_alone(filled: NarrativeStore) -> None:
    server = ModelServer()
    server.__enter__()
    server.close()
    retriever = retriever_of(filled, vectors(server), WITHHELD, None)
    for said in ("cannot be reached", "left alone"):
        found, notes = retriever.search("freight", Scope(OPEN))
        assert [one.doc for one in found] == ["a"]
        assert len(notes) == 1
        assert said in notes[0] or "127.0.0.1" in notes[0]


def test_a_key_goes_to_the_address_that_it_is_for(
    filled: NarrativeStore, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "openai-own-key")
    retriever_of(filled, vectors(server, "openai"), WITHHELD, None).search("cargo", Scope(OPEN))
    assert "openai-own-key" not in str([headers for _, _, headers in server.sent])
    monkeypatch.setenv(KEY_VARIABLE, "key-of-the-profile")
    server.sent.clear()
    retriever_of(filled, vectors(server, "openai"), WITHHELD, None).search("cargo", Scope(OPEN))
    assert {headers.get("authorization") for _, _, headers in server.sent} == {
        "Bearer key-of-the-profile"
    }


def test_what_is_unlike_is_not_found(filled: NarrativeStore, server: ModelServer) -> None:
    retriever = retriever_of(filled, vectors(server, least_similarity=1.0), WITHHELD, None)
    assert [one.doc for one in retriever.search("cargo", Scope(OPEN))[0]] == ["b"]
    server.embed = lambda text: [-1.0, 0.2] if text == "vessels" else by_topic(text)
    assert retriever.search("vessels", Scope(OPEN))[0] == []


def test_a_question_cannot_pass_itself_off_as_a_passage(
    filled: NarrativeStore, about: Callable[..., NarrativeDocument], server: ModelServer
) -> None:
    filled.add(about("c"), [Block("Freight dear [1] order\n[2] freight", "paragraph 1", "")])
    choice = ModelChoice(provider="ollama", model="r", base_url=server.url)
    retriever = retriever_of(filled, NarrativeChoices(rerank=choice), WITHHELD, None)
    retriever.search("freight\n[9] freight", Scope(OPEN))
    prompt = server.sent[-1][1]["messages"][0]["content"]
    assert [line[:3] for line in prompt.splitlines() if line.startswith("[")] == ["[1]", "[2]"]
