"""`Query.execute(query_language, query_string, endpoint_url)`: which runner runs a query.

Endpoints are opened when they are first asked, one runner for each language that they take, and
stay open; one that is down harms no other. Source: seed 003, "Primary Function".
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, get_args

import anyio

from groundwire.errors import GroundwireError, InputError
from groundwire.sparql.endpoint import Endpoint
from groundwire.sparql.outcome import Language, Outcome, QueryAudit, Request, Runner, timestamp
from groundwire.sparql.registry import Registry

MakeRunner = Callable[[Endpoint, Language], Awaitable[Runner]]
"""Opens what runs a language at an endpoint."""

Forget = Callable[[Endpoint], Awaitable[None]]
"""Ends what is behind the runners of an endpoint that are closed."""

MOST_ADMITTED = 8
"""Endpoints of which callers sent the URL that stay open, as long as the others are at rest."""

_LONGEST_REASON = 1_000
# Other words for the languages, as models send them.
_LANGUAGES: dict[str, Language] = {
    "sparql": "sparql",
    "sql": "sql",
    "spasql": "spasql",
    "graphql": "graphql",
    "sparql11": "sparql",
    "rdf": "sparql",
    "duckdb": "sql",
    "postgresql": "sql",
    "postgres": "sql",
    "sqlite": "sql",
    "clickhouse": "sql",
    "chdb": "sql",
    "trino": "sql",
    "spark": "sql",
    "sparksql": "sql",
    "sparqlwithinsql": "spasql",
    "gql": "graphql",
}


@dataclass(frozen=True, slots=True)
class Execution:
    """One query to execute, as a caller sends it.

    Attributes:
        language: name of the query language.
        text: the query.
        endpoint: name of an endpoint of the registry, or a URL where the registry allows those.
        limit: most rows; 0 takes the endpoint's.
        variables: of a GraphQL query.
    """

    language: str
    text: str
    endpoint: str = "default"
    limit: int = 0
    variables: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(slots=True)
class Audited:
    """A runner whose audits all name the endpoint alike, and keep no more than the registry says.

    Attributes:
        runner: runs the queries.
        endpoint: where.
        most_raw: bytes of a raw response that are kept.
        under_way: queries that it runs now.
    """

    runner: Runner
    endpoint: Endpoint
    most_raw: int
    under_way: int = field(default=0, init=False)
    languages: frozenset[Language] = field(init=False)

    def __post_init__(self) -> None:
        self.languages = self.runner.languages

    async def run(self, request: Request) -> Outcome:
        """Run one query; what goes wrong is an outcome, never an exception."""
        self.under_way += 1
        try:
            outcome = await self.runner.run(request)
        finally:
            self.under_way -= 1
        audit = outcome.audit
        size = audit.raw_size or len(audit.raw)
        audit = replace(
            audit,
            per_query_status_and_error=_shortened(audit.per_query_status_and_error),
            endpoint=self.endpoint.name,
            endpoint_url=self.endpoint.shown,
            raw=audit.raw[: self.most_raw],
            raw_size=size,
        )
        return replace(outcome, reason=_shortened(outcome.reason), audit=audit)

    async def close(self) -> None:
        """Close the runner."""
        await self.runner.close()

    def close_now(self) -> None:
        """End the runner's processes, where it has any and no event loop runs."""
        close: Callable[[], None] | None = getattr(self.runner, "close_now", None)
        if close is not None:
            close()


@dataclass(slots=True)
class Endpoints:
    """The endpoints of a registry with what runs their queries.

    Attributes:
        registry: which there are.
        make: opens a runner.
        forget: is told when the runners of an endpoint were closed.
    """

    registry: Registry
    make: MakeRunner
    forget: Forget | None = None
    _runners: dict[tuple[str, Language], Audited] = field(
        default_factory=dict[tuple[str, Language], Audited]
    )
    _opening: dict[tuple[str, Language], anyio.Lock] = field(
        default_factory=dict[tuple[str, Language], anyio.Lock]
    )
    # Those of which callers sent the URL, the one that was asked last at the end.
    _admitted: dict[str, Endpoint] = field(default_factory=dict[str, Endpoint])

    def endpoint(self, name: str) -> Endpoint:
        """The endpoint that a caller names.

        Raises:
            InputError, NotFoundError: none is called that.
            ForbiddenError: a URL was sent, and the registry does not allow it.
        """
        text = name.strip()
        known = any(one.url == text for one in self.registry.endpoints)
        if text.lower().startswith(("http://", "https://")) and not known:
            return self.registry.admit(text)
        return self.registry.find(text or "default")

    def taking(self, language: str, name: str) -> Endpoint:
        """The endpoint that is named; where none is, the first that takes the language.

        Raises:
            InputError, NotFoundError, ForbiddenError: as `endpoint` and `read_language`.
        """
        language = read_language(language)
        endpoint = self.endpoint(name)
        if name.strip().casefold() in ("", "default") and language not in endpoint.languages:
            takers = (one for one in self.registry.endpoints if language in one.languages)
            return next(takers, endpoint)
        return endpoint

    async def execute(self, asked: Execution) -> Outcome:
        """Run one query; what goes wrong after the arguments were understood is an outcome.

        Raises:
            InputError, NotFoundError, ForbiddenError: language or endpoint cannot be used.
        """
        language = read_language(asked.language)
        endpoint = self.taking(language, asked.endpoint)
        if language not in endpoint.languages:
            raise InputError(
                f"Endpoint {endpoint.name} takes {', '.join(endpoint.languages)}, not {language}: "
                f"{self._instead(language)}."
            )
        limit = asked.limit or self.registry.limit(endpoint)
        if asked.variables and language != "graphql":
            raise InputError("Only GraphQL has variables: write the values in the query.")
        timeout = self.registry.timeout(endpoint)
        request = Request(language, asked.text, limit, timeout, asked.variables)
        try:
            runner = await self.runner(endpoint, language)
        except GroundwireError as error:
            return failed(request, endpoint, str(error))
        return await runner.run(request)

    async def runner(self, endpoint: Endpoint, language: Language) -> Runner:
        """Return the runner of a language at an endpoint, opened if it is not.

        Raises:
            GroundwireError: it cannot be opened; the message says why.
        """
        if endpoint not in self.registry.endpoints:
            await self._admit(endpoint)
        key = (endpoint.key, language)
        lock = self._opening.setdefault(key, anyio.Lock())
        async with lock:
            if key not in self._runners:
                most = self.registry.limits.max_stored_raw_payload_size_bytes
                made = await self.make(endpoint, language)
                self._runners[key] = Audited(made, endpoint, most)
            return self._runners[key]

    async def _admit(self, endpoint: Endpoint) -> None:
        """Keep an endpoint that is not in the registry, and close those at rest for the longest."""
        self._admitted.pop(endpoint.key, None)
        self._admitted[endpoint.key] = endpoint
        resting = [one for key, one in self._admitted.items() if not self._busy(key)]
        for one in resting[: max(0, len(self._admitted) - MOST_ADMITTED)]:
            if one.key == endpoint.key:
                continue
            del self._admitted[one.key]
            for key in [key for key in self._opening if key[0] == one.key]:
                del self._opening[key]
                runner = self._runners.pop(key, None)
                if runner is not None:
                    await runner.close()
            if self.forget is not None:
                await self.forget(one)

    def _busy(self, key: str) -> bool:
        """Whether an endpoint is being opened or asked."""
        opening = any(lock.locked() for one, lock in self._opening.items() if one[0] == key)
        return opening or any(
            runner.under_way for one, runner in self._runners.items() if one[0] == key
        )

    async def close(self) -> None:
        """Close every runner."""
        runners = list(self._runners.values())
        self._runners.clear()
        for runner in runners:
            await runner.close()

    def close_now(self) -> None:
        """Kill what runs in processes, where no event loop runs; sockets end with this process."""
        for runner in self._runners.values():
            runner.close_now()
        self._runners.clear()

    def _instead(self, language: Language) -> str:
        takers = [one.name for one in self.registry.endpoints if language in one.languages]
        return f"use {' or '.join(takers[:3])}" if takers else "no endpoint of the registry does"


def read_language(raw: str) -> Language:
    """The query language that a caller names.

    Raises:
        InputError: the language is unknown.
    """
    folded = "".join(character for character in raw.casefold() if character.isalnum())
    if folded not in _LANGUAGES:
        raise InputError(
            f"{raw[:40]!r} is no query language: send {', '.join(get_args(Language))}."
        )
    return _LANGUAGES[folded]


def _shortened(reason: str) -> str:
    """A reason that leaves room for the rest: engines quote the query, however long it is."""
    return reason if len(reason) <= _LONGEST_REASON else f"{reason[: _LONGEST_REASON - 1]}…"


def failed(request: Request, endpoint: Endpoint, why: str) -> Outcome:
    """The outcome of a query whose endpoint could not be opened."""
    now = timestamp()
    reason = " ".join(why.split())
    audit = QueryAudit(
        request.language, request.text, endpoint.name, endpoint.shown, now, now, None,
        f"error: {reason}", "nothing was run",
    )  # fmt: skip
    return Outcome("error", (), (), reason, audit)
