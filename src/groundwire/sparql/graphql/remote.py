"""Runs GraphQL at an HTTP endpoint that the registry names.

Nobody knows here what a server does with a query, so what is sent is what was read and measured:
the text is printed anew from its tree. Source: "GraphQL over HTTP", working draft, 2023.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

import anyio

from groundwire.errors import GroundwireError, UnavailableError
from groundwire.graph.remote_exchange import secrets_of, without
from groundwire.safe_text import shown_text
from groundwire.sparql.graphql.document import Document, check_variables, read_document
from groundwire.sparql.graphql.reporting import Report
from groundwire.sparql.outcome import Language, Outcome, Request
from groundwire.transport.client import GuardedClient
from groundwire.transport.targets import RequestPolicy

if TYPE_CHECKING:
    from groundwire.sparql.endpoint import Endpoint
    from groundwire.transport.messages import Response

MAX_BYTES = 4_000_000
"""Bytes of a response; a longer one cannot be used."""

_RESPONSE = "application/graphql-response+json"
_TYPES = (_RESPONSE, "application/json")
_MOST_ERRORS = 3


class RemoteGraphqlRunner:
    """Runs GraphQL queries at one endpoint; see `groundwire.sparql.outcome.Runner`.

    The answer is one row of one column, `data`, with the data as JSON. A request's limit is not
    known to the server: lists are as long as the query asks for.

    Args:
        endpoint: an endpoint of the registry whose kind is graphql.
        client: what sends; None is one of its own, which may reach this endpoint's address.
        environ: where its credentials are; None for the environment.

    Raises:
        ConfigurationError: a variable that holds its credentials is not set.
    """

    languages: frozenset[Language] = frozenset(("graphql",))

    def __init__(
        self,
        endpoint: Endpoint,
        client: GuardedClient | None = None,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self._endpoint = endpoint
        self._credentials = endpoint.credentials(environ)
        self._secrets = secrets_of(endpoint.url, self._credentials)
        self._owns_client = client is None
        self._client = client or GuardedClient(RequestPolicy(endpoint.addresses))

    async def run(self, request: Request) -> Outcome:
        """Run one query; what goes wrong with it is an outcome, never an exception."""
        report = Report(request, self._endpoint.name, self._endpoint.shown)
        if request.language not in self.languages:
            return report.refused(f"This endpoint takes GraphQL, not {request.language}.")
        try:
            document = read_document(request.text)
            check_variables(document, request.variables)
        except GroundwireError as error:
            return report.refused(str(error))
        try:
            with anyio.fail_after(request.timeout):
                answer = await self._sent(report, document)
            return _judged(report, answer)
        except TimeoutError:
            return report.failed(
                f"The query passed its time limit of {request.timeout:g} s: ask for less."
            )
        except GroundwireError as error:
            return report.failed(str(error))

    async def close(self) -> None:
        """Close the connections of a client of its own."""
        if self._owns_client:
            await self._client.aclose()

    async def _sent(self, report: Report, document: Document) -> dict[str, Any]:
        """Return the endpoint's answer.

        Raises:
            GroundwireError: it does not answer, or its answer is none of GraphQL.
        """
        response = await self._client.request(
            "POST",
            self._endpoint.url,
            headers={"accept": ", ".join(_TYPES), "content-type": "application/json"},
            content=json.dumps(_body(document, report.request.variables)).encode(),
            auth=self._credentials,
            deadline=report.request.timeout,
            max_bytes=MAX_BYTES,
        )
        body = without(self._secrets, response.body)
        report.code, report.raw, report.raw_size = response.status, body, len(response.body)
        if response.cut:
            report.raw_size += 1
            raise UnavailableError(
                "The response of the endpoint is not whole: "
                + (f"it is larger than {MAX_BYTES:,} bytes, so ask for less."
                   if response.cut == "max_bytes" else "ask again.")
            )  # fmt: skip
        return _read(response, body)


def _body(document: Document, variables: Mapping[str, Any]) -> dict[str, Any]:
    body: dict[str, Any] = {"query": document.text}
    return body | ({"variables": dict(variables)} if variables else {})


def _read(response: Response, body: bytes) -> dict[str, Any]:
    """The response as GraphQL has it.

    Raises:
        UnavailableError: it is something else.
    """
    said = shown_text(body.decode("utf-8", "replace"))
    if response.content_type not in _TYPES:
        what = response.content_type or "no content type"
        raise UnavailableError(
            f"The endpoint answered HTTP {response.status} with {what}, which is no GraphQL:"
            f" check its URL. It says: {said}"
        )
    try:
        answer: Any = json.loads(body, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise UnavailableError(
            f"The endpoint answered HTTP {response.status} with JSON that cannot be read: {said}"
        ) from None
    if not isinstance(answer, dict) or not {"data", "errors"} & {*cast(dict[str, Any], answer)}:
        raise UnavailableError(
            f"The endpoint answered HTTP {response.status} with JSON that is no GraphQL: {said}"
        )
    found = cast(dict[str, Any], answer)
    # A response of the older type with a status of failure need not come from a GraphQL server.
    failed = response.status >= 400 and not found.get("errors")
    if failed or not isinstance(found.get("data"), (dict, type(None))):
        raise UnavailableError(f"The endpoint answered HTTP {response.status}: {said}")
    return found


def _refuse(constant: str) -> Any:
    """NaN and Infinity, which are no JSON (RFC 8259, section 6)."""
    raise ValueError(constant)


def _judged(report: Report, answer: Mapping[str, Any]) -> Outcome:
    data = answer.get("data")
    errors = _errors(answer.get("errors"))
    if data is None:
        return report.failed(errors or "The endpoint answered with no data and no error.")
    summary = f"{len(data)} field{'' if len(data) == 1 else 's'}"
    if errors:
        return report.answered("partial", data, errors, summary)
    if all(value in (None, [], {}) for value in data.values()):
        return report.answered("empty", data, "", summary)
    return report.answered("complete", data, "", summary)


def _errors(raw: Any) -> str:
    """The errors of an answer in a line; "" for none."""
    if raw in (None, []):
        return ""
    listed = cast(list[Any], raw) if isinstance(raw, list) else [raw]
    said = [
        shown_text(str(cast(dict[str, Any], one).get("message", "no message")))
        if isinstance(one, dict)
        else shown_text(str(one))
        for one in listed[:_MOST_ERRORS]
    ]
    more = f" (and {len(listed) - _MOST_ERRORS} more)" if len(listed) > _MOST_ERRORS else ""
    return f"The endpoint says: {'; '.join(said)}{more}"
