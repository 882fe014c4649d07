"""A profile names models and a parser; what they do is told, and the gate stays first."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from groundwire.documents.blocks import Block
from groundwire.errors import ConfigurationError
from groundwire.metrics.factbase import State
from groundwire.metrics.narrative.store import NarrativeDocument
from groundwire.metrics.profile import parse_profile
from groundwire.metrics.questions import clarify_question
from groundwire.metrics.quoting import PassageRequest, search_narrative
from tests.metrics.conftest import SHOPS
from tests.model_servers import ModelServer

TODAY = date(2026, 11, 21)
MODELS = """
[narrative]
embeddings = {{ provider = "ollama", model = "e", base_url = "{0}" }}
rerank = {{ provider = "openai", model = "r", base_url = "{0}" }}
"""


def filled(state: State) -> State:
    for name, text, level in (
        ("open", "Shipping prices rose at the port.", "PUBLIC"),
        ("other", "The canteen serves soup.", "PUBLIC"),
        ("secret", "Shipping merger of the group.", "RESTRICTED"),
    ):
        document = NarrativeDocument(name, "", name, "", None, level)
        state.narrative.add(document, [Block(text, "paragraph 1", "")])
    return state


def test_the_models_of_a_profile_are_asked(shop_state: Callable[..., State]) -> None:
    def embed(text: str) -> list[float]:
        return [1.0, 0.0] if "hipping" in text or "cargo" in text else [0.0, 1.0]

    with ModelServer(embed=embed) as server:
        state = filled(shop_state(profile=SHOPS + MODELS.format(server.url)))
        result, _ = search_narrative(state, PassageRequest("cargo"), TODAY)
    assert [one.doc for one in result.passages] == ["open"]
    assert result.notes is None
    assert "merger" not in server.texts()


def test_a_model_that_is_down_is_told_in_the_result(shop_state: Callable[..., State]) -> None:
    with ModelServer() as server:
        pass
    state = filled(shop_state(profile=SHOPS + MODELS.format(server.url)))
    result, _ = search_narrative(state, PassageRequest("shipping prices"), TODAY)
    assert [one.doc for one in result.passages] == ["open"]
    assert result.notes is not None
    assert result.notes[0].startswith("Passages were searched by their words alone")


def test_a_query_out_of_scope_reaches_no_model(shop_state: Callable[..., State]) -> None:
    rival = '\n[[external]]\nname = "Globex"\n'
    with ModelServer() as server:
        state = filled(shop_state(profile=SHOPS + rival + MODELS.format(server.url)))
        result, _ = search_narrative(state, PassageRequest("shipping of Globex"), TODAY)
    assert result.status == "out_of_scope_entity"
    assert server.sent == []


def test_embeddings_are_kept_beside_the_documents(
    shop_state: Callable[..., State], tmp_path: Path
) -> None:
    with ModelServer() as server:
        state = filled(shop_state(profile=SHOPS + MODELS.format(server.url)))
        search_narrative(state, PassageRequest("cargo"), TODAY)
    assert [path.name for path in tmp_path.rglob("*.vectors.sqlite")]


def test_by_default_there_are_no_models(shop_state: Callable[..., State]) -> None:
    state = filled(shop_state())
    result, _ = search_narrative(state, PassageRequest("shipping prices"), TODAY)
    assert result.notes is None
    assert state.profile.narrative.embeddings is None
    assert state.profile.intent.parser == "rules"


@pytest.mark.parametrize(
    "part",
    [
        {"narrative": {"embeddings": {"provider": "other", "model": "m"}}},
        {"narrative": {"embeddings": {"provider": "ollama", "model": ""}}},
        {"narrative": {"rerank": {"provider": "openai", "model": "m", "base_url": "ftp://x"}}},
        {"narrative": {"rerank": {"provider": "openai", "model": "m", "timeout": 0}}},
        {"narrative": {"other": 1}},
        {"intent": {"parser": "os:system"}},
    ],
)
def test_choices_that_are_none_are_refused(part: dict[str, object]) -> None:
    import tomllib

    with pytest.raises(ConfigurationError):
        parse_profile(tomllib.loads(SHOPS) | part, "test")


def test_a_parser_that_is_not_installed_is_refused(shop_state: Callable[..., State]) -> None:
    state = shop_state(profile=SHOPS + '\n[intent]\nparser = "absent"\n')
    with pytest.raises(ConfigurationError, match="No package declares the intent parser 'absent'"):
        clarify_question(state, "revenue in 2023", "", TODAY)
