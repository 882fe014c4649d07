"""Keys hide themselves."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from groundwire.agents.models.keys import ApiKey, error_message, retry_after, shown_line
from groundwire.errors import ConfigurationError

KEY = ApiKey('s3cret/key+with"quote', "OPENAI_API_KEY")


@pytest.mark.parametrize(
    "echo",
    [
        's3cret/key+with"quote',
        'S3CRET/KEY+WITH"QUOTE',
        "s3cret%2Fkey%2Bwith%22quote",
        's3cret/key+with\\"quote',
    ],
)
def test_every_spelling_is_hidden(echo: str) -> None:
    assert KEY.message(f"bad key {echo}, try again") == "bad key ***, try again"
    assert KEY.hide(f"<{echo}>") == "<***>"


def test_a_key_has_no_representation() -> None:
    assert repr(KEY) == "***"
    assert repr(ApiKey(None, "X")) == "no key"
    assert not ApiKey("", "X")


def test_what_no_key_holds_is_refused_without_it() -> None:
    with pytest.raises(ConfigurationError, match="OPENAI_API_KEY holds spaces") as refused:
        ApiKey("s3cret key\n", "OPENAI_API_KEY")
    assert "s3cret" not in str(refused.value)


def test_a_short_key_is_not_looked_for_in_answers() -> None:
    short = ApiKey("key", "X")
    assert short.hide("The key to the city") == "The key to the city"
    assert "key" not in short.message("no key")


@pytest.mark.parametrize(
    "other", ["sk-ant-api03-abcdefgh", "sk-proj-****abcd", "ghp_abcdefgh12", "github_pat_abc123"]
)
def test_keys_of_others_are_hidden_from_messages(other: str) -> None:
    assert shown_line(f"key {other}.\nline") == "key ***. line"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b'{"error": {"message": "a"}}', "a"),
        (b'{"error": "b"}', "b"),
        (b'{"message": "c"}', "c"),
        (b'{"detail": "d"}', "d"),
        (b'{"detail": [{"msg": "e"}]}', '{"detail": [{"msg": "e"}]}'),
        (b"<html>", "<html>"),
        (b"\xff", "\ufffd"),
    ],
)
def test_what_servers_say_is_wrong(body: bytes, message: str) -> None:
    assert error_message(body) == message


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("7", 7.0),
        ("0.5", 0.5),
        ("-3", 0.0),
        ("99999999", 3_600.0),
        ("Sat, 21 Nov 2026 12:00:30 GMT", 30.0),
        ("Sat, 21 Nov 2026 11:00:00 GMT", 0.0),
        ("nan", None),
        ("soon", None),
        ("", None),
    ],
)
def test_how_long_a_server_wants_to_be_left_alone(value: str, seconds: float | None) -> None:
    now = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
    assert retry_after({"retry-after": value}, now) == seconds
