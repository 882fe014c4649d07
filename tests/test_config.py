"""Settings: what each variable says, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import BaseModel, ConfigDict

from groundwire.config import load_settings, read_toml, validated
from groundwire.errors import ConfigurationError


def test_nothing_needs_to_be_set() -> None:
    settings = load_settings({})
    assert settings.home.is_absolute()
    assert (settings.profile, settings.facts, settings.endpoints) == (None, None, None)
    assert settings.http_token is None
    assert (settings.shapes, settings.assets, settings.toolsets, settings.tools) == ((),) * 4
    assert not settings.read_only


def test_blank_is_not_set() -> None:
    names = ("HOME", "SHAPES", "ASSETS", "PROFILE", "FACTS", "TOOLSETS", "TOOLS", "READ_ONLY")
    names = (*names, "ENDPOINTS", "HTTP_TOKEN", "LOG_LEVEL")
    blank = {f"GROUNDWIRE_{name}": " " for name in names}
    assert load_settings(blank) == load_settings({})


def test_paths_become_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "me"))
    settings = load_settings(
        {
            "GROUNDWIRE_HOME": "state",
            "GROUNDWIRE_PROFILE": " profile.toml ",
            "GROUNDWIRE_FACTS": "~/facts.sqlite",
            "GROUNDWIRE_ENDPOINTS": "endpoints.toml",
        }
    )
    assert settings.home == tmp_path / "state"
    assert settings.profile == tmp_path / "profile.toml"
    assert settings.facts == tmp_path / "me" / "facts.sqlite"
    assert settings.endpoints == tmp_path / "endpoints.toml"


@pytest.mark.parametrize(
    ("named", "path"),
    [
        ("sqlite:///facts.sqlite", "facts.sqlite"),
        ("SQLite:///deep/facts.db", "deep/facts.db"),
        ("sqlite:////var/facts.sqlite", "/var/facts.sqlite"),
        ("./facts.sqlite", "facts.sqlite"),
        ("/var/facts.sqlite", "/var/facts.sqlite"),
    ],
)
def test_facts_are_a_path_or_the_url_of_an_sqlite_file(
    named: str, path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert load_settings({"GROUNDWIRE_FACTS": named}).facts == tmp_path / path


def test_facts_may_be_in_a_database() -> None:
    url = "postgresql://me@db.example.org/facts"
    settings = load_settings({"GROUNDWIRE_FACTS": url})
    assert (settings.facts, settings.facts_database) == (None, url)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("mysql://me:s3cret@db.example.org/facts", r"names a mysql database.*SQLite or PostgreSQL"),
        ("postgresql://me:s3cret@db.example.org/facts", r"goes into GROUNDWIRE_FACTS_PASSWORD"),
        ("postgresql://me@db.example.org", r"GROUNDWIRE_FACTS: .* names no database"),
    ],
)
def test_another_engine_is_refused_without_its_password(url: str, said: str) -> None:
    with pytest.raises(ConfigurationError, match=said) as refused:
        load_settings({"GROUNDWIRE_FACTS": url})
    assert "s3cret" not in str(refused.value)


@pytest.mark.parametrize(("value", "read_only"), [("1", True), ("Yes", True), ("off", False)])
def test_flags(value: str, read_only: bool) -> None:
    assert load_settings({"GROUNDWIRE_READ_ONLY": value}).read_only is read_only


def test_a_flag_that_is_neither_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="set it to 1 or 0"):
        load_settings({"GROUNDWIRE_READ_ONLY": "perhaps"})


def test_a_level_of_logs_is_one_of_four() -> None:
    assert load_settings({"GROUNDWIRE_LOG_LEVEL": " Warning "}).log_level == "warning"
    with pytest.raises(ConfigurationError, match="'loud' is no level: set it to debug, info"):
        load_settings({"GROUNDWIRE_LOG_LEVEL": "loud"})


def test_the_token_is_in_no_representation() -> None:
    settings = load_settings({"GROUNDWIRE_HTTP_TOKEN": "s3cret"})
    assert settings.http_token == "s3cret"
    assert "s3cret" not in repr(settings)


def test_lists_of_places_and_of_names() -> None:
    settings = load_settings(
        {
            "GROUNDWIRE_ASSETS": "https://example.org:8890/sparql",
            "GROUNDWIRE_TOOLS": "query_metric, ,list_metrics",
        }
    )
    assert settings.assets == ("https://example.org:8890/sparql",)
    assert settings.tools == ("query_metric", "list_metrics")


def test_the_models_of_agents_are_read_as_written_and_their_keys_are_hidden() -> None:
    ai = load_settings(
        {
            "AI_PROVIDER": " anthropic ",
            "AI_MODEL": "claude-opus-5-5",
            "AI_BASE_URL": "https://models.example.org",
            "LLM_EFFORT": "high",
            "LLM_TEMPERATURE": "warm",
            "LLM_THINKING_BUDGET": "2000",
            "LLM_MAX_AGENT_STEPS": "4",
            "ANTHROPIC_API_KEY": "s3cret-a",
            "OPENAI_API_KEY": "s3cret-o",
        }
    ).ai
    assert (ai.provider, ai.model, ai.effort) == ("anthropic", "claude-opus-5-5", "high")
    # What other servers do not need is not checked when they start.
    assert (ai.temperature, ai.thinking_budget, ai.max_agent_steps) == ("warm", "2000", "4")
    assert (ai.anthropic_key, ai.openai_key) == ("s3cret-a", "s3cret-o")
    assert "s3cret" not in repr(ai)
    assert load_settings({"ANTHROPIC_API_KEY": " "}).ai == load_settings({}).ai


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str
    port: int = 80


def test_a_file_that_is_not_there_or_no_toml_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"The list .* cannot be read \(.*\): name one\."):
        read_toml(tmp_path / "absent.toml", "list", "name one")
    broken = tmp_path / "broken.toml"
    broken.write_text("name = ", "utf-8")
    with pytest.raises(ConfigurationError, match=r"The list .*broken\.toml is no TOML: "):
        read_toml(broken, "list", "name one")


def test_what_is_not_valid_is_named_by_its_place_and_without_its_value() -> None:
    assert validated(Part, {"name": "a"}, "a.toml", "list") == Part(name="a")
    with pytest.raises(ConfigurationError) as refused:
        validated(Part, {"nmae": "s3cret", "port": "s3cret"}, "a.toml", "list")
    message = str(refused.value)
    assert message.startswith("The list a.toml is not valid: ")
    assert "nmae: there is no such key, check its spelling" in message
    assert "name: is missing" in message
    assert "port: " in message
    assert "s3cret" not in message
    with pytest.raises(ConfigurationError, match="list: "):
        validated(Part, None, "a.toml", "list")
