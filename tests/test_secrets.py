"""Secrets that configuration names are hidden, and kept from child processes; state is private."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest

from groundwire import config
from groundwire.config import Settings, holds_secret, read_toml, without_secrets
from groundwire.errors import ConfigurationError
from groundwire.evidence import Draft, Ledger, environment_secrets
from groundwire.private_files import close_folder, private_file
from groundwire.servers.composition import EVIDENCE_FILE, state

REGISTRY = """
[[endpoints]]
name = "private"
url = "https://example.org/sparql"
token_env = "OUR_WORD"

[[endpoints]]
name = "other"
url = "https://example.org/other"
username_env = "OUR_NAME"
password_env = "OUR_PASSPORT"
"""


@pytest.fixture
def named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(config, "_named_secrets", set())
    monkeypatch.setenv("OUR_WORD", "open-sesame-please")
    monkeypatch.setenv("OUR_PASSPORT", "another-hidden-word")
    registry = tmp_path / "endpoints.toml"
    registry.write_text(REGISTRY)
    return registry


def test_named_secrets_never_reach_the_ledger(named: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    held = state(Settings(home=home, endpoints=named))
    text = "it said open-sesame-please and another-hidden-word"
    with held.ledger as ledger:
        draft = Draft(audit={"error": text}, payload=text.encode())
        receipt = ledger.record("local", "t", {"note": text}, draft)
        record = ledger.get(receipt.evidence_id, "local")
        assert "open-sesame" not in str(record)
        assert "another-hidden" not in str(record)
        assert "open-sesame" not in ledger.page(receipt.evidence_id, "local", "payload").text
    for file in home.iterdir():
        assert b"open-sesame" not in file.read_bytes()


def test_named_secrets_are_not_handed_on(named: Path) -> None:
    environ = {"OUR_WORD": "x", "OUR_PASSPORT": "y", "OUR_NAME": "z", "A_TOKEN": "t", "PWD": "/"}
    assert without_secrets(environ).keys() == {"OUR_WORD", "OUR_PASSPORT", "OUR_NAME", "PWD"}
    read_toml(named, "endpoint registry", "")
    assert without_secrets(environ).keys() == {"OUR_NAME", "PWD"}
    assert environment_secrets(environ) == ("x", "y", "t")
    assert holds_secret("OUR_WORD") and not holds_secret("OUR_NAME")


@pytest.mark.parametrize("text", ["a = " + "[" * 100_000, "a = " + "{a=" * 100_000])
def test_toml_that_is_nested_too_deeply_is_one_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "deep.toml"
    path.write_text(text)
    with pytest.raises(ConfigurationError) as told:
        read_toml(path, "profile", "set it")
    assert len(str(told.value)) < 500
    assert "\n" not in str(told.value)


@pytest.mark.skipif(sys.platform == "win32", reason="modes are of POSIX")
def test_state_is_its_users_alone(tmp_path: Path) -> None:
    home = tmp_path / "new" / "home"
    private_file(home / "a.sqlite")
    for folder in (home, home.parent):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((home / "a.sqlite").stat().st_mode) == 0o600


@pytest.mark.skipif(sys.platform == "win32", reason="modes are of POSIX")
def test_state_that_was_open_to_others_is_closed(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with Ledger(home / EVIDENCE_FILE) as ledger:
        ledger.record("local", "t", {}, Draft())
    home.chmod(0o755)
    (home / EVIDENCE_FILE).chmod(0o644)
    with state(Settings(home=home)).ledger as ledger:
        ledger.record("local", "t", {}, Draft())
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    for file in home.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file.name


@pytest.mark.skipif(sys.platform == "win32", reason="modes are of POSIX")
def test_a_folder_that_many_share_stays_as_it_is(tmp_path: Path) -> None:
    tmp_path.chmod(0o1777)
    close_folder(tmp_path)
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o1777
