"""Secrets by value and by shape; and nothing else."""

from __future__ import annotations

import base64
import json
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.evidence.canonical import REDACTED, Redactor, environment_secrets

JWT = (
    ".".join(
        base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=")
        for part in ({"alg": "HS256", "typ": "JWT"}, {"sub": "somebody", "exp": 1})
    )
    + ".c2lnbmF0dXJlLWJ5dGVz"
)


def clean(text: str, *known: str) -> str:
    return Redactor(known).clean(text.encode()).decode()


@pytest.mark.parametrize(
    ("text", "secret", "left"),
    [
        ("https://me:hunter2@db.example/x?a=1", "hunter2", "@db.example/x?a=1"),
        ("postgresql://u:p@ss@host:5432/db", "p@ss", "@host:5432/db"),
        ("https://api.example/Journey?app_key=0123abcd&mode=tube", "0123abcd", "&mode=tube"),
        ("https://maps.example/?q=1&key=abcdef#top", "abcdef", "#top"),
        ("GET /x\nAuthorization: Bearer abc.def-123\nAccept: */*", "abc.def-123", "Accept: */*"),
        ("Authorization: Basic dXNlcjpwYXNz", "dXNlcjpwYXNz", "Authorization: "),
        ("sent bearer Zm9vYmFyQmF6", "Zm9vYmFyQmF6", "sent bearer "),
        ("Set-Cookie: sid=31d4d96e407aad42; Path=/", "31d4d96e407aad42", "Set-Cookie: "),
        ('{"api_key": "my long key", "b": 1}', "my long key", '"b": 1'),
        ('{"password": "a\\"b", "b": 1}', "a\\", '"b": 1'),
        ('{"client_secret":["one","two]2"],"b":1}', "two", '"b":1'),
        ("{'X-Api-Key': 'abc'}", "abc", "X-Api-Key"),
        ('body: {\\"accessToken\\": \\"abc\\"}', "abc", "accessToken"),
        ('password = "correct horse"\nhost = "h"', "correct horse", 'host = "h"'),
        ("Server=h;Uid=u;Pwd=s3cret;Timeout=5", "s3cret", ";Timeout=5"),
        ("TFL_APP_KEY=0123456789abcdef", "0123456789abcdef", "TFL_APP_KEY="),
        ("Ocp-Apim-Subscription-Key: 12ab", "12ab", "Subscription-Key: "),
        ("used sk-" + "ab12" * 8 + " now", "ab12", " now"),
        ("used ghp_abcdefghij0123456789 now", "ghp_", " now"),
        ("used AKIAIOSFODNN7EXAMPLE now", "AKIA", " now"),
        (f"used {JWT} now", "eyJ", " now"),
        ("https://s3.example/o?X-Amz-Signature=0a1b2c&x=1", "0a1b2c", "&x=1"),
        (
            "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nAbC=\n-----END RSA PRIVATE KEY-----\nafter",
            "MIIEow",
            "after",
        ),
        ("密码 password：忽略 password=密码密码 结束", "密码密码", " 结束"),
    ],
)
def test_a_secret_is_found_by_its_shape(text: str, secret: str, left: str) -> None:
    cleaned = clean(text)
    assert secret not in cleaned
    assert REDACTED in cleaned
    assert left in cleaned
    assert clean(cleaned) == cleaned


@pytest.mark.parametrize(
    "text",
    [
        "A basic understanding of bearer infrastructure and of authorization.",
        "SELECT ?key ?token WHERE { ?s <https://schema.org/keywords> ?key ; ex:token ?token }",
        "https://medium.example/@someone/post and mail me@example.org",
        "https://w3id.org/gaia-x/key#monkey?lang=en&keyword=map",
        '{"prompt_tokens": 12, "token_usage": {"total_tokens": 30}, "password": null}',
        '{"text": "the password:", "next": "x", "secret": 5}',
        '{"text": "no password = ", "next": {"a": ["b"]}}',
        '{"a": "authorization:"}',
        "Asia, Slovakia (sk-SK), disk-space, highway, signature of the treaty",
        "urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
    ],
)
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    assert clean(text) == text


@pytest.mark.parametrize("secret", ["tr0ub4dor&3", 'quo"te\\d', "пароль-ключ", "a b/c+d=e"])
def test_a_known_secret_goes_in_every_form(secret: str) -> None:
    forms = [json.dumps(secret), json.dumps(secret, ensure_ascii=False), f'"{quote(secret)}"']
    for form in forms:
        tree = f'{{"x": ["before", {form}, "after"]}}'
        assert json.loads(clean(tree, secret)) == {"x": ["before", REDACTED, "after"]}


def test_facts_lose_known_secrets_and_url_passwords_only() -> None:
    facts = b'[["password: xyz","https://u:hunter2@h/","known-secret"]]'
    cleaned = Redactor(["known-secret"]).clean_facts(facts)
    assert cleaned == b'[["password: xyz","https://[redacted]@h/","[redacted]"]]'


def test_short_secrets_do_not_mangle_the_text() -> None:
    assert clean("the admin of 12345 hdmaps", "12345", "admin", "") == "the admin of 12345 hdmaps"


def test_secrets_of_the_environment_are_those_of_credential_variables() -> None:
    environ = {
        "TFL_APP_KEY": " abc ",
        "GROUNDWIRE_HTTP_TOKEN": "def",
        "DB_PASSWORD": "ghi",
        "PWD": "/home/me",
        "OLDPWD": "/",
        "HOME": "/home/me",
        "KEYBOARD": "us",
    }
    assert set(environment_secrets(environ)) == {"abc", "def", "ghi"}


# Pieces that the patterns begin, go on and end with, in any order.
WORDS = "password api_key token secret Authorization Set-Cookie Bearer key= = : , ; & ? :// @ /"
VALUES = "abc123 Zm9vQmFy é null known-secret -----END"
SIGNS = ['"', "\\", "'", "[", "]", "{", "}", " ", "\n", ": ", "-----BEGIN PRIVATE KEY-----"]
PIECES = st.sampled_from([*WORDS.split(), *VALUES.split(), *SIGNS])
TEXTS = st.lists(PIECES, max_size=12).map("".join)
TREES = st.recursive(
    TEXTS | st.integers() | st.none() | st.booleans(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=1500, deadline=None)
@given(TREES, st.booleans())
def test_json_stays_json(tree: object, spaced: bool) -> None:
    written = json.dumps(
        tree, ensure_ascii=False, separators=(", ", ": ") if spaced else (",", ":")
    ).encode()
    cleaned = Redactor(["known-secret"]).clean(written)
    json.loads(cleaned)
    assert b"known-secret" not in cleaned


def test_five_megabytes_take_no_time_that_a_caller_notices() -> None:
    import time

    data = b'{"token": "x", "key": "abc", "api_key": "foo", "pass": 1}\n' * 90_000
    started = time.thread_time()
    cleaned = Redactor().clean(data)
    assert time.thread_time() - started < 5
    assert cleaned.count(REDACTED.encode()) == 180_000
