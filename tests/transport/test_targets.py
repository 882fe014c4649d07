"""URLs: what is read, what is refused, and what may be shown of them."""

from __future__ import annotations

import pytest

from groundwire.errors import ForbiddenError, InputError
from groundwire.safe_text import shown_text, shown_url
from groundwire.transport.targets import parse_target


def test_a_plain_url() -> None:
    target = parse_target("HTTPS://Example.ORG/sparql?query=ASK#part")
    assert (target.scheme, target.host, target.port) == ("https", "example.org", 443)
    assert target.authority == "example.org:443"
    assert str(target.url) == "https://example.org/sparql?query=ASK"


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "ftp://example.org/",
        "gopher://127.0.0.1:11211/_stats",
        "unix:///var/run/docker.sock",
        "javascript:alert(1)",
        "//example.org/",
        "example.org",
    ],
)
def test_other_schemes_are_refused(url: str) -> None:
    with pytest.raises(ForbiddenError):
        parse_target(url)


@pytest.mark.parametrize(
    "url", ["http://user:secret@example.org/", "http://example.org@127.0.0.1/", "http://u@h/"]
)
def test_user_names_are_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(ForbiddenError) as refusal:
        parse_target(url)
    assert "secret" not in str(refusal.value)


@pytest.mark.parametrize(
    "host",
    [
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "017700000001",
        "0177.0.0.1",
        "127.1",
        "127.0.1",
        "127.0.0.01",
        "0x7F.0x0.0x0.0x1",
        "127.0.0.1.",
        "1.2.3.4.5",
        "example.123",
        "0x",
    ],
)
def test_numbers_in_other_spellings_are_refused(host: str) -> None:
    with pytest.raises((ForbiddenError, InputError)):
        parse_target(f"http://{host}/")


@pytest.mark.parametrize("host", ["127.0.0.1", "8.8.8.8", "a1.example", "1password.com", "x.y0x1"])
def test_plain_numbers_and_names_are_read(host: str) -> None:
    assert parse_target(f"http://{host}/").host == host


@pytest.mark.parametrize(
    "url",
    [
        "http:///path",
        "http://./",
        "http://１２７.0.0.1/",
        "http://example.org:0/",
        "http://example.org:99999/",
        "http://a b/",
        "http://example.org/a\r\nHost: evil",
        "http://example.org\\@127.0.0.1/",
        "http://example.org/\x00",
        "http://example.org:80:90/",
        "http://" + "a" * 20_000 + "/",
    ],
)
def test_unreadable_urls_are_refused(url: str) -> None:
    with pytest.raises(InputError):
        parse_target(url)


@pytest.mark.parametrize("url", ["http://a%2eb/", "http://[fe80::1%25eth0]/"])
def test_percent_signs_in_hosts_are_refused(url: str) -> None:
    with pytest.raises(ForbiddenError):
        parse_target(url)


def test_secrets_are_hidden_in_urls() -> None:
    url = "https://u:p@h/x?app_key=K1&q=tea&access_token=K2&API-Key=K3&sig=K4&design=yes"
    assert shown_url(url) == (
        "https://***@h/x?app_key=***&q=tea&access_token=***&API-Key=***&sig=***&design=yes"
    )
    assert "K1" not in repr(parse_target("https://h/?app_key=K1"))


def test_texts_of_servers_become_one_short_line() -> None:
    text = shown_text(
        "Virtuoso 37000\n\tError\x00 Basic dXNlcjpwdw== at http://h/?token=K" + "z" * 999
    )
    assert text.startswith("Virtuoso 37000 Error Basic *** at http://h/?token=***")
    assert len(shown_text("x " * 999)) <= 200
