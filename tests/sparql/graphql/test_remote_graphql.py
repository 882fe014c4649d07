"""GraphQL at HTTP endpoints: one that answers as it should, and those that do not."""

from __future__ import annotations

import json

import pytest

from groundwire.errors import ConfigurationError
from groundwire.sparql.endpoint import Endpoint
from groundwire.sparql.graphql.remote import RemoteGraphqlRunner
from groundwire.sparql.outcome import Outcome, Request

pytestmark = pytest.mark.anyio

SECRET = "token-of-forty-two"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def ask(
    url: str, text: str = "{ a }", *, private: bool = True, timeout: float = 5.0, **settings: str
) -> Outcome:
    endpoint = Endpoint(
        name="api", kind="graphql", url=url, allow_private=private, languages=("graphql",),
        **settings,
    )  # type: ignore[arg-type]  # fmt: skip
    runner = RemoteGraphqlRunner(endpoint, environ={"API_TOKEN": SECRET})
    try:
        return await runner.run(Request("graphql", text, timeout=timeout))
    finally:
        await runner.close()


def saying(hostile, body: str | bytes, status: str = "200 OK", kind: str = "application/json"):
    return hostile.on("graphql", lambda to: to.answer(body, status, Content_Type=kind))


async def test_a_query_is_sent_as_it_was_read(hostile) -> None:
    url = saying(hostile, '{"data": {"a": [1, {"b": "\\u00e9"}]}}')
    text = "query Q { a { ...F } } # secret thoughts\nfragment F on T { b }"
    outcome = await ask(url, text, token_env="API_TOKEN")
    assert outcome.status == "complete"
    assert outcome.columns == ("data",)
    assert outcome.rows == (('{"a":[1,{"b":"é"}]}',),)
    assert outcome.audit.query_text == text
    assert outcome.audit.endpoint_url == url
    assert outcome.audit.status_code == 200
    assert outcome.audit.raw == b'{"data": {"a": [1, {"b": "\\u00e9"}]}}'
    [request] = hostile.requests
    assert request.request.startswith(b"POST /graphql ")
    assert "content-type: application/json" in request.head
    assert f"authorization: bearer {SECRET}" in request.head
    sent = json.loads(request.body)
    assert list(sent) == ["query"]
    assert "thoughts" not in sent["query"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ('{"data": {"a": []}}', "empty"),
        ('{"data": {"a": null}}', "empty"),
        ('{"data": {"a": 0}}', "complete"),
        ('{"data": {"a": 1}, "errors": []}', "complete"),
        ('{"data": {"a": 1}, "errors": [{"message": "no b"}]}', "partial"),
        ('{"data": null, "errors": [{"message": "no a"}, "odd"]}', "error"),
        ('{"errors": [{"message": "no a"}]}', "error"),
        ('{"errors": "no a"}', "error"),
        ('{"data": null}', "error"),
        ('{"data": [1]}', "error"),
        ('{"data": {"a": NaN}}', "error"),
        ('{"data": {"a": ' + "9" * 5000 + "}}", "error"),
        ('{"data": {"a": 1', "error"),
        ('{"a": 1}', "error"),
        ("[]", "error"),
        ('"data"', "error"),
        ("[" * 100_000, "error"),
        ("", "error"),
    ],
)
async def test_what_an_answer_is(hostile, body: str, status: str) -> None:
    outcome = await ask(saying(hostile, body))
    assert outcome.status == status
    assert bool(outcome.reason) == (status in ("partial", "error"))
    assert "\n" not in outcome.reason
    assert len(outcome.reason) < 600
    assert outcome.audit.raw == body.encode()


async def test_errors_are_told(hostile) -> None:
    body = '{"data": null, "errors": [{"message": "no\\na"}, {}, 3, {"message": "d"}]}'
    outcome = await ask(saying(hostile, body, "400 Bad Request"))
    assert outcome.reason == "The endpoint says: no a; no message; 3 (and 1 more)"
    assert outcome.audit.status_code == 400


@pytest.mark.parametrize(
    ("status", "kind", "body"),
    [
        ("200 OK", "text/html", "<html>hello</html>"),
        ("200 OK", "application/sparql-results+json", '{"data": {"a": 1}}'),
        ("502 Bad Gateway", "text/plain", "down"),
        ("500 Oh", "application/json", '{"data": {"a": 1}}'),
    ],
)
async def test_what_is_no_graphql_is_an_error(hostile, status: str, kind: str, body: str) -> None:
    outcome = await ask(saying(hostile, body, status, kind))
    assert outcome.status == "error"
    assert status[:3] in outcome.reason
    assert outcome.audit.status_code == int(status[:3])


async def test_the_newer_content_type_is_read(hostile) -> None:
    kind = "application/graphql-response+json; charset=utf-8"
    assert (await ask(saying(hostile, '{"data": {"a": 1}}', kind=kind))).status == "complete"


async def test_an_endless_answer_ends(hostile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("groundwire.sparql.graphql.remote.MAX_BYTES", 10_000)
    outcome = await ask(saying(hostile, '{"data": "' + "x" * 100_000 + '"}'))
    assert outcome.status == "error"
    assert "larger than 10,000 bytes" in outcome.reason
    assert len(outcome.audit.raw) <= 10_000
    assert outcome.audit.raw_size > 10_000


async def test_a_slow_answer_ends(hostile, on_time) -> None:
    url = hostile.on("graphql", lambda to: to.pause(30))
    for _ in on_time(2, least=0.3):
        outcome = await ask(url, timeout=0.3)
        assert outcome.status == "error"


async def test_a_redirect_leads_nowhere_else(hostile, canary) -> None:
    other = canary.on("graphql", lambda to: to.answer('{"data": {"a": 1}}'))
    url = hostile.on("graphql", lambda to: to.answer("", "307 Temporary Redirect", Location=other))
    outcome = await ask(url, token_env="API_TOKEN")
    assert outcome.status == "error"
    assert canary.connections == 0


async def test_a_private_address_is_only_for_the_registry(hostile) -> None:
    url = saying(hostile, '{"data": {"a": 1}}').replace("127.0.0.1", "localhost.localdomain")
    outcome = await ask(url, private=False)
    assert outcome.status == "error"
    assert hostile.connections == 0


async def test_secrets_do_not_come_back(hostile) -> None:
    body = json.dumps({"data": {"a": SECRET}, "errors": [{"message": f"Bearer {SECRET}"}]})
    outcome = await ask(saying(hostile, body), token_env="API_TOKEN")
    assert outcome.status == "partial"
    assert SECRET not in f"{outcome.rows} {outcome.reason} {outcome.audit.block()}"
    assert SECRET.encode() not in outcome.audit.raw


def test_credentials_have_to_be_there() -> None:
    endpoint = Endpoint(
        name="api", kind="graphql", url="https://api.example/graphql", token_env="API_TOKEN",
        languages=("graphql",),
    )  # fmt: skip
    with pytest.raises(ConfigurationError, match="API_TOKEN"):
        RemoteGraphqlRunner(endpoint, environ={})


@pytest.mark.parametrize(
    "text",
    [
        "mutation { drop }",
        "subscription { a }",
        "{ a(x: $x) }",
        "{ a { b { c { d { e { f { g { h { i } } } } } } } } }",
        "{ __schema { types { fields { type { fields { name } } } } } }",
        "{ a @defer { b } }",
        "not graphql",
    ],
)
async def test_what_is_refused_is_not_sent(hostile, text: str) -> None:
    outcome = await ask(saying(hostile, '{"data": {"a": 1}}'), text)
    assert outcome.status == "refused"
    assert outcome.audit.query_text == text
    assert hostile.connections == 0
