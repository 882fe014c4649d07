"""Opens what runs a language at an endpoint, wherever the endpoint is.

The endpoint `default` is a local graph with the index of its labels, and sample tables. All of it
is made from files on the first opening, and opened in no time ever after.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import anyio

from groundwire.errors import ConfigurationError
from groundwire.sparql.endpoint import LAKES, Endpoint
from groundwire.sparql.outcome import Language, Runner
from groundwire.state import Database

if TYPE_CHECKING:
    from groundwire.graph.engine import LocalGraph
    from groundwire.graph.gate_policy import Policy
    from groundwire.graph.remote import RemoteGraph
    from groundwire.graph.stores import Store
    from groundwire.sparql.label_file import Progress
    from groundwire.sparql.label_store import LabelMirror
    from groundwire.sparql.labels import LabelIndex
    from groundwire.sparql.sql.files import DuckRunner
    from groundwire.sparql.workflow.model import Source
    from groundwire.sparql.workflow.sources import TextIndex
    from groundwire.transport.client import GuardedClient

HELP, SAMPLE, COUNTRIES = "local:help", "local:sample", "local:countries"


@dataclass(frozen=True, slots=True)
class Embedded:
    """The data of one home, open.

    Attributes:
        graph: to ask.
        store: where the graph is, with files that could not be read.
        labels: the index of its labels.
        sample: the DuckDB file, named `sample`; None where none was asked for or made.
        problems: what could not be read or made, one line each.
    """

    graph: LocalGraph
    store: Store
    labels: LabelIndex
    sample: Path | None
    problems: tuple[str, ...]

    async def close(self) -> None:
        """End the worker processes and close the index."""
        self.labels.close()
        await self.graph.close()

    def close_now(self) -> None:
        """`close` where no event loop runs."""
        self.labels.close()
        self.graph.close_now()


async def open_embedded(
    home: Path,
    progress: Progress | None = None,
    *,
    files: Sequence[Path],
    sample: Path | None = None,
    label_properties: Sequence[str] = (),
) -> Embedded:
    """Open the graph of some files, with its label index and the sample tables.

    Args:
        home: folder of stores, label indexes and samples.
        progress: told the kind of work, how much is done and how much there is; from any thread.
        files: RDF files and folders of them.
        sample: the definition of the sample tables.
        label_properties: IRIs of properties that are labels beside the usual ones.

    Raises:
        ConfigurationError: a file cannot be read.
        UnavailableError: what is made of them cannot be written.
    """
    from anyio.to_thread import run_sync

    from groundwire.graph.engine import LocalGraph
    from groundwire.graph.stores import Loading, build_store, prune
    from groundwire.sparql.label_store import LABEL_PROPERTIES, open_labels, prune_labels
    from groundwire.sparql.sql.files import build_sample, prune_samples

    def told(loading: Loading) -> None:
        if progress is not None:
            progress(f"loading {loading.file}", loading.done, loading.total)

    store = await run_sync(partial(build_store, files, home / "stores", progress=told))
    problems = [str(problem) for problem in store.problems]
    made: Path | None = None
    if sample is not None:
        try:
            made = await run_sync(build_sample, sample, home / "samples", progress)
        except ConfigurationError as error:
            # The graph answers without the tables.
            problems.append(str(error))
    wanted = (*LABEL_PROPERTIES, *label_properties)
    opening = partial(
        open_labels, store.path, home / "labels", properties=wanted, progress=progress
    )
    labels = await run_sync(opening)
    for work, folder in (
        (prune, home / "stores"),
        (prune_labels, home / "labels"),
        (prune_samples, home / "samples"),
    ):
        await run_sync(work, folder)
    return Embedded(LocalGraph(store.path), store, labels, made, tuple(problems))


@dataclass(frozen=True, slots=True)
class Supplies:
    """The parts of the embedded endpoints, handed over by whoever composes a server.

    Attributes:
        home: folder of stores, label indexes and samples.
        graph: RDF files of `local:help`.
        sample: definition of the tables of `local:sample`.
        progress: told the kind of work, how much is done and how much there is.
        countries: RDF files of `local:countries`.
        database: holds the policies of users; None for a file in `home`.
    """

    home: Path
    graph: tuple[Path, ...]
    sample: Path | None
    progress: Progress | None = None
    countries: tuple[Path, ...] = ()
    database: Database | None = None


@dataclass(slots=True)
class Opener:
    """Opens graphs and databases once each, and runners over them."""

    supplies: Supplies
    _held: dict[str, Embedded] = field(default_factory=dict[str, "Embedded"])
    _mixing: dict[str, DuckRunner] = field(default_factory=dict[str, "DuckRunner"])
    _remotes: dict[str, Reached] = field(default_factory=dict[str, "Reached"])
    _text_indexes: dict[str, TextIndex] = field(default_factory=dict[str, "TextIndex"])
    _mirrors: dict[str, LabelMirror] = field(default_factory=dict[str, "LabelMirror"])
    _lock: anyio.Lock = field(default_factory=anyio.Lock)

    async def runner(self, endpoint: Endpoint, language: Language) -> Runner:
        """Return the runner of a language at an endpoint.

        Raises:
            ConfigurationError: a file or credential that the registry names is missing.
            UnavailableError: what is made of its files cannot be written or read.
        """
        if endpoint.kind == "graphql":
            from groundwire.sparql.graphql.remote import RemoteGraphqlRunner

            return RemoteGraphqlRunner(endpoint)
        if endpoint.kind == "sql":
            return await self._database(endpoint, language)
        if language == "sparql":
            return await self.graph_runner(endpoint)
        if language == "graphql":
            from groundwire.sparql.graphql.runner import GraphqlRunner

            return GraphqlRunner(await self._graph(endpoint), endpoint=endpoint.name)
        if endpoint.place == "embedded":
            # The embedded tables stand beside every embedded graph.
            tables = Endpoint(name="help", url=HELP)
            return await self._mixed(endpoint, (await self.held(tables)).sample)
        return await self._mixed(endpoint, None)

    async def graph_runner(self, endpoint: Endpoint) -> Runner:
        """Return the runner of SPARQL at an endpoint."""
        from groundwire.sparql.sparql_runner import SparqlRunner

        graph = await self._graph(endpoint)
        return SparqlRunner(graph, policy_of(endpoint), endpoint=endpoint.name)

    async def _graph(self, endpoint: Endpoint) -> LocalGraph | RemoteGraph:
        if endpoint.place == "remote":
            # Every language at an endpoint shares its connections and its circuit breaker.
            if endpoint.key not in self._remotes:
                self._remotes[endpoint.key] = reached(endpoint)
            return self._remotes[endpoint.key].graph
        return (await self.held(endpoint)).graph

    async def source(self, endpoint: Endpoint, runner: Runner) -> Source:
        """An endpoint as the workflow asks it: with its label index where it has one."""
        from groundwire.sparql.workflow.sources import (
            IndexedSource,
            MirroredSource,
            QueriedSource,
            TextIndex,
        )

        if endpoint.text_search == "local" and endpoint.place in ("embedded", "files"):
            return IndexedSource(endpoint, runner, labels=(await self.held(endpoint)).labels)
        if endpoint.text_search == "index":
            return MirroredSource(endpoint, runner, mirror=self.mirror(endpoint))
        index = self._text_indexes.setdefault(endpoint.key, TextIndex())
        return QueriedSource(endpoint, runner, text_index=index)

    def mirror(self, endpoint: Endpoint) -> LabelMirror:
        """The label index beside a remote endpoint, which is made when it is first asked."""
        from groundwire.graph.remote import RemoteGraph
        from groundwire.sparql.label_store import MAX_BYTES, LabelMirror

        if endpoint.key not in self._mirrors:

            def connect() -> RemoteGraph:
                return RemoteGraph.owning(*reached(endpoint, max_bytes=MAX_BYTES))

            self._mirrors[endpoint.key] = LabelMirror(
                endpoint.url,
                self.supplies.home / "labels" / "endpoints",
                connect,
                refresh=endpoint.label_refresh_hours * 3_600,
            )
        return self._mirrors[endpoint.key]

    async def held(self, endpoint: Endpoint) -> Embedded:
        """The local graph of an endpoint with its label index, opened if it is not.

        Raises:
            ConfigurationError: the embedded graph is unknown, or a file cannot be read.
        """
        files, sample = self._files(endpoint)
        key = " ".join(map(str, files))
        async with self._lock:
            if key not in self._held:
                self._held[key] = await open_embedded(
                    self.supplies.home,
                    self.supplies.progress,
                    files=files,
                    sample=sample,
                    label_properties=(),
                )
            return self._held[key]

    def _files(self, endpoint: Endpoint) -> tuple[Sequence[Path], Path | None]:
        if endpoint.place == "files":
            return endpoint.files, None
        if endpoint.url.lower() in (HELP, SAMPLE):
            return self.supplies.graph, self.supplies.sample
        if endpoint.url.lower() == COUNTRIES and self.supplies.countries:
            return self.supplies.countries, None
        raise ConfigurationError(
            f"Endpoint {endpoint.name} is {endpoint.url}, which is not embedded: there are "
            f"{HELP}, {SAMPLE} and {COUNTRIES}."
        )

    async def _database(self, endpoint: Endpoint, language: Language) -> Runner:
        if language == "spasql":
            path = await self._duck_path(endpoint)
            return await self._mixed(endpoint, path)
        if endpoint.place == "sqlite":
            from groundwire.sparql.sql.files import SqliteRunner

            assert endpoint.path is not None
            return SqliteRunner(endpoint.path, endpoint.name)
        if endpoint.place == "postgresql":
            from groundwire.sparql.sql.engines import PostgresRunner

            return PostgresRunner(
                endpoint.url,
                endpoint.name,
                user_variable=endpoint.username_env or None,
                password_variable=endpoint.password_env or None,
                functions=endpoint.functions,
            )
        if endpoint.place in LAKES:
            from groundwire.sparql.sql.engines import EngineRunner, open_endpoint

            return EngineRunner(open_endpoint(endpoint), endpoint.name, endpoint.shown)
        from groundwire.sparql.sql.files import DuckRunner

        return DuckRunner(await self._duck_path(endpoint), endpoint.name)

    async def _duck_path(self, endpoint: Endpoint) -> Path:
        """The DuckDB file of an endpoint."""
        if endpoint.place == "duckdb":
            assert endpoint.path is not None
            return endpoint.path
        if endpoint.place != "embedded":
            raise ConfigurationError(
                f"Endpoint {endpoint.name} is no DuckDB file: SPARQL within SQL runs at DuckDB "
                "files and at graphs."
            )
        held = await self.held(endpoint)
        if held.sample is None:
            why = "; ".join(held.problems) or "no definition of its tables was given"
            raise ConfigurationError(f"The embedded tables are not there: {why}.")
        return held.sample

    async def _mixed(self, endpoint: Endpoint, database: Path | None) -> Runner:
        """SPARQL within SQL: blocks go to the endpoint's graph, or to the embedded one."""
        from groundwire.sparql.spasql import SpasqlRunner
        from groundwire.sparql.sql.files import DuckRunner

        graph = endpoint if endpoint.kind == "sparql" else Endpoint(name="help", url=HELP)
        outer = DuckRunner(database, endpoint.name)
        self._mixing[endpoint.key] = outer
        return SpasqlRunner(await self.graph_runner(graph), outer, endpoint=endpoint.name)

    async def forget(self, endpoint: Endpoint) -> None:
        """End what only an endpoint elsewhere needs: its connections, and its worker."""
        remote = self._remotes.pop(endpoint.key, None)
        outer = self._mixing.pop(endpoint.key, None)
        if remote is not None:
            await remote.client.aclose()
        if outer is not None:
            await outer.close()

    async def close(self) -> None:
        """End every worker, and the connections to every graph elsewhere."""
        for mirror in self._mirrors.values():
            mirror.close()
        self._mirrors.clear()
        mixing, held = list(self._mixing.values()), list(self._held.values())
        remotes = list(self._remotes.values())
        for opened in (self._mixing, self._held, self._remotes):
            opened.clear()
        for remote in remotes:
            await remote.client.aclose()
        for outer in mixing:
            await outer.close()
        for one in held:
            await one.close()

    def close_now(self) -> None:
        """`close` where no event loop runs."""
        for mirror in self._mirrors.values():
            mirror.close()
        self._mirrors.clear()
        for outer in self._mixing.values():
            outer.close_now()
        self._mixing.clear()
        for one in self._held.values():
            one.close_now()
        self._held.clear()
        self._remotes.clear()


def policy_of(endpoint: Endpoint) -> Policy:
    """Return the policy of an endpoint: that of its dialect, and what its registry adds."""
    from groundwire.graph.gate_policy import REMOTE_POLICY, VIRTUOSO_POLICY, Policy

    if endpoint.place != "remote":
        policy = Policy(allowed_graphs=None, sources=())
    else:
        policy = VIRTUOSO_POLICY if endpoint.dialect == "virtuoso" else REMOTE_POLICY
    return policy._replace(
        functions=policy.functions | frozenset(endpoint.functions), sources=endpoint.graphs
    )


class Reached(NamedTuple):
    """A graph elsewhere, and what sends to it."""

    graph: RemoteGraph
    client: GuardedClient


def reached(endpoint: Endpoint, max_bytes: int = 5_242_880) -> Reached:
    """A graph elsewhere, with a client of its own, which whoever asks for it closes.

    Args:
        endpoint: where.
        max_bytes: the largest answer that is read.
    """
    from groundwire.graph.remote import RemoteGraph
    from groundwire.transport.client import GuardedClient
    from groundwire.transport.targets import RequestPolicy

    client = GuardedClient(RequestPolicy(endpoint.addresses))
    graph = RemoteGraph(
        endpoint.url,
        client,
        dialect=endpoint.dialect,
        credentials=endpoint.credentials(),
        max_bytes=max_bytes,
    )
    return Reached(graph, client)
