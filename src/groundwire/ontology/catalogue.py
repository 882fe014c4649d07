"""A catalogue: shapes, assets, and everything that is derived from both.

Hosts run for days, so files that change are noticed and read anew; a call that has begun ends on
the state it began with.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Concatenate, NamedTuple, ParamSpec, TypeVar

from groundwire.errors import ConfigurationError, DeadlineError, GroundwireError

# A server names its catalogue when it starts, and needs none of these before the first call.
if TYPE_CHECKING:
    from groundwire.graph.engine import LocalGraph
    from groundwire.graph.queries import Graph
    from groundwire.graph.statistics import Statistics
    from groundwire.graph.stores import Build, Store
    from groundwire.ontology.index.model import Domain, ShapeIndex
    from groundwire.ontology.lexicon import Lexicon
    from groundwire.ontology.observed import Observed
    from groundwire.ontology.observed_paths import ObservedPaths

SCHEMA_GRAPH = "urn:graph:schema"
NO_DOMAIN = (
    "The shapes declare no class of assets, so nothing can be searched: give one a sh:targetClass, "
    "or draft shapes with `groundwire ontology infer DATA`."
)
_LOOK_AGAIN_AFTER = 1.0
# Files that a record names as the source of an answer.
_MOST_SOURCES = 4
# Of so many assets an endpoint was not asked for more.
_MANY = 10_001

Progress = Callable[[str, int, int], None]


class _Known(NamedTuple):
    """A store that was looked into: what it holds, where, and the graph to search it by."""

    statistics: Statistics
    paths: ObservedPaths
    graph: LocalGraph


@dataclass(frozen=True, slots=True)
class State:
    """One consistent reading of a catalogue.

    Attributes:
        index: what the shapes declare, with the properties that are stored and not declared.
        graph: the assets.
        observed: what is known of their content.
        lexicon: the vocabularies of both.
        assets: domains that have assets of their own, largest first; where nothing could
            be counted, every domain that is not part of another.
        instances: number of assets by class IRI, direct instances only.
        counts: number of assets by name of a domain, each asset once whatever classes it has.
        statistics: of the local store; None for an endpoint.
        paths: where the assets of a local store hold values; None for an endpoint, which is
            asked when a name is first needed.
        problems: files or statements that could not be read, one line each.
        sources: names of the files or the endpoint that hold the assets, without their folders.
        least: names of domains whose assets an endpoint was not asked to count to the end.
    """

    index: ShapeIndex
    graph: Graph
    observed: Observed
    lexicon: Lexicon
    assets: tuple[Domain, ...]
    instances: dict[str, int]
    counts: dict[str, int]
    statistics: Statistics | None
    paths: ObservedPaths | None
    problems: tuple[str, ...]
    sources: tuple[str, ...] = ()
    least: frozenset[str] = frozenset()

    def count(self, domain: Domain) -> int:
        """How many assets a domain has, those of its subclasses included."""
        return self.counts.get(domain.name, 0)

    def count_in_words(self, domain: Domain) -> str:
        """The same, with a word where it was not counted to the end."""
        if domain.name not in self.least:
            return f"{self.count(domain):,}"
        return "some" if self.count(domain) >= _MANY else f"about {self.count(domain):,}"


class Catalogue:
    """Opens a catalogue when it is first asked and keeps it current."""

    def __init__(
        self,
        shapes: Sequence[str | Path],
        assets: Sequence[str | Path],
        home: Path,
        progress: Progress | None = None,
        patience: float | None = None,
    ) -> None:
        """Name a catalogue; nothing is read yet.

        Args:
            shapes: SHACL and OWL files, or folders of them.
            assets: RDF files or folders of them, or one SPARQL endpoint URL.
            home: folder for stores and caches.
            progress: told the kind of work, how much is done and how much there is.
            patience: seconds that a call waits for assets that are read for the first time; they
                are read on while it is told to ask again. None waits as long as it takes.
        """
        self.shapes = tuple(str(path) for path in shapes)
        self.assets = tuple(str(path) for path in assets)
        self._home = home
        self._progress = progress
        self._patience = patience
        self._build: tuple[object, Build[_Known]] | None = None
        self._state: State | None = None
        self._signature: object = None
        self._looked = 0.0
        self._opening: object = None
        self._schema: LocalGraph | None = None
        self._replaced: list[Graph] = []

    @property
    def endpoint(self) -> str | None:
        """The URL of the endpoint that holds the assets, or None for files."""
        urls = [name for name in self.assets if name.lower().startswith(("http://", "https://"))]
        if urls and len(self.assets) > 1:
            raise ConfigurationError(
                "GROUNDWIRE_ASSETS names an endpoint beside other sources: name one endpoint, "
                "or files alone."
            )
        return urls[0] if urls else None

    async def state(self) -> State:
        """The current state, read anew where a file changed since the last look.

        Raises:
            ConfigurationError: no shapes or assets can be read where they are said to be.
            UnavailableError: the store cannot be written, or is not built yet, or the endpoint
                does not answer.
        """
        from anyio import Lock

        if self._state is not None and time.monotonic() - self._looked < _LOOK_AGAIN_AFTER:
            return self._state
        if self._opening is None:
            self._opening = Lock()
        assert isinstance(self._opening, Lock)
        async with self._opening:
            signature = _signature((*self.shapes, *self.assets))
            if self._state is None or signature != self._signature:
                await self._retire()
                self._state = await self._open(signature)
                self._signature = signature
            self._looked = time.monotonic()
            return self._state

    async def schema(self) -> LocalGraph:
        """The shapes as a graph named `urn:graph:schema`, opened when it is first asked."""
        await self.state()
        return await self._open_schema()

    async def _open_schema(self) -> LocalGraph:
        if self._schema is None:
            from groundwire.graph.formats import Source
            from groundwire.graph.stores import open_graph
            from groundwire.ontology.index.files import shape_files

            files = [
                Source(file.path, SCHEMA_GRAPH, lenient=True)
                for file in shape_files([Path(name) for name in self.shapes])
            ]
            self._schema, _ = await open_graph(files, self._stores(), workers=1)
        return self._schema

    async def close(self) -> None:
        """End the worker processes and connections of the catalogue."""
        self._abandon()
        await self._retire()
        for graph in self._replaced:
            await graph.close()
        self._replaced.clear()

    def close_now(self) -> None:
        """`close` where no event loop runs: ends the worker processes of local stores."""
        self._abandon()
        graphs = [*self._replaced, self._schema, self._state.graph if self._state else None]
        for graph in graphs:
            end = getattr(graph, "close_now", None)
            if end is not None:
                end()

    async def _retire(self) -> None:
        """Put graphs aside that calls in progress may still use; close those put aside before."""
        for graph in self._replaced:
            await graph.close()
        self._replaced = [graph for graph in (self._schema,) if graph is not None]
        if self._state is not None:
            self._replaced.append(self._state.graph)
        self._schema = self._state = None

    def _abandon(self) -> None:
        """Have a build that nobody waits for any more end what it opened."""
        if self._build is not None:
            self._build[1].abandon(lambda known: known.graph.close_now())
            self._build = None

    def _stores(self) -> Path:
        return self._home / "stores"

    async def _open(self, signature: object) -> State:
        from anyio.to_thread import run_sync

        from groundwire.ontology.endpoint import COUNTED_INSTANCES, EndpointObserved
        from groundwire.ontology.holdings import (
            asset_counts,
            asset_domains,
            at_least,
            held_classes,
        )
        from groundwire.ontology.index.load import load_index
        from groundwire.ontology.observed import StoreObserved
        from groundwire.ontology.stored_properties import (
            unshaped_classes,
            with_undeclared,
            with_unshaped,
        )

        if not self.shapes:
            raise ConfigurationError(
                "No shapes are named: set GROUNDWIRE_SHAPES, or draft some with "
                "`groundwire ontology infer`."
            )
        index = await run_sync(
            load_index, [Path(name) for name in self.shapes], self._home / "shapes"
        )
        problems = [_line(problem) for problem in index.problems]
        statistics: Statistics | None = None
        paths: ObservedPaths | None = None
        endpoint = self.endpoint
        remote: EndpointObserved | None = None
        if endpoint is not None:
            graph = _remote(endpoint)
            remote = EndpointObserved(graph)
            observed: Observed = remote
        else:
            store, (statistics, paths, graph) = await self._local(signature, index)
            problems += [str(problem) for problem in store.problems]
            observed = StoreObserved(statistics, graph, paths, ordered=store.ordered)
        shaped = index
        least: frozenset[str] = frozenset()
        if remote is not None:
            try:
                held = await remote.held(_classes(index.domains.values()))
            except BaseException:
                await graph.close()
                raise
            instances = dict.fromkeys(held.unknown, COUNTED_INSTANCES) | held.numbers
            if held.unknown:
                problems.append(
                    f"the endpoint did not say in time which of {len(held.unknown):,} classes have "
                    "assets, so all of them are taken to have some"
                )
        else:
            instances = dict(await observed.instances())
        unshaped = unshaped_classes(index, instances)
        if unshaped:
            try:
                index = await with_unshaped(index, unshaped, await self._open_schema())
            except GroundwireError as error:
                problems.append(f"classes without a shape were not read as kinds: {error}")
        if paths is not None:
            index = with_undeclared(index, paths)
        if remote is not None:
            by_domain = {
                domain.name: held_classes(domain, instances) for domain in index.domains.values()
            }
            counts = {name: at_least(found) for name, found in by_domain.items()}
            least = frozenset(name for name, found in by_domain.items() if found)
        else:
            counts = await asset_counts(index, graph, observed, instances)
        return State(
            index=index,
            graph=graph,
            observed=observed,
            lexicon=_lexicon(index, observed, self._open_schema),
            # A class without a shape is a part of the domain above it, which has its assets.
            assets=tuple(
                index.domains[domain.name] for domain in asset_domains(shaped, instances, counts)
            ),
            instances=instances,
            counts=counts,
            statistics=statistics,
            paths=paths,
            problems=tuple(problems),
            sources=_named_sources(self.assets),
            least=least,
        )

    async def _local(self, signature: object, index: ShapeIndex) -> tuple[Store, _Known]:
        from anyio.to_thread import run_sync

        from groundwire.graph.stores import Build, Loading, prune

        if not self.assets:
            raise ConfigurationError(
                "No assets are named: set GROUNDWIRE_ASSETS to files, a folder or an endpoint."
            )

        def told(loading: Loading) -> None:
            if self._progress is not None:
                self._progress(f"loading {loading.file}", loading.done, loading.total)

        async def look(store: Store) -> _Known:
            return await _look(store, index)

        if self._build is None or self._build[0] != signature or self._build[1].failed:
            self._abandon()
            sources = [Path(name) for name in self.assets]
            self._build = (signature, Build(sources, self._stores(), told, look))
        found = await self._build[1].store(self._patience)
        self._build = None
        await run_sync(prune, self._stores())
        return found


async def _look(store: Store, index: ShapeIndex) -> _Known:
    """Read what is known of a store; its paths are found when it is first read.

    The graph that finds them is the one that is searched, since opening it may take seconds.
    """
    from groundwire.graph.engine import LocalGraph
    from groundwire.graph.statistics import EMPTY, read_statistics
    from groundwire.ontology.holdings import asset_domains, held_classes
    from groundwire.ontology.observed_paths import kept_paths, observe_paths

    statistics = read_statistics(store.path).get("", EMPTY)
    instances = dict(statistics.named_instances)

    def classes(domains: Iterable[Domain]) -> list[str]:
        return sorted({iri for domain in domains for iri in held_classes(domain, instances)})

    domains = index.domains.values()
    kinds = classes(domains)
    assets = classes(asset_domains(index, instances, dict.fromkeys(index.domains, 0)))
    graph = LocalGraph(store.path)
    try:
        paths = await kept_paths(
            store.path, (kinds, assets), lambda: observe_paths(graph, statistics, kinds, assets)
        )
    except BaseException:
        graph.close_now()
        raise
    return _Known(statistics, paths, graph)


def _classes(domains: Iterable[Domain]) -> list[str]:
    """The classes of some domains, each once."""
    return list(dict.fromkeys(iri for one in domains for iri in (one.class_iri, *one.subclasses)))


def _lexicon(
    index: ShapeIndex, observed: Observed, schema: Callable[[], Awaitable[LocalGraph]]
) -> Lexicon:
    from groundwire.ontology.lexicon import Lexicon
    from groundwire.vocabulary import KnownWords

    return Lexicon(index, observed, KnownWords(index.words()), schema)


def _remote(endpoint: str) -> Graph:
    from groundwire.graph.remote import RemoteGraph

    return RemoteGraph.configured(endpoint)


def _named_sources(assets: Sequence[str]) -> tuple[str, ...]:
    """Return what a person calls the files or the endpoint of the assets; no path is told."""
    from urllib.parse import urlsplit

    from groundwire.safe_text import shown_url

    found: list[str] = []
    for name in assets[:_MOST_SOURCES]:
        if name.lower().startswith(("http://", "https://")):
            found += [shown_url(name), urlsplit(name).hostname or ""]
        else:
            found += [Path(name).name, Path(name).stem]
    return tuple(dict.fromkeys(one for one in found if one))


def _line(problem: object) -> str:
    file, line, message = (getattr(problem, name) for name in ("file", "line", "message"))
    return f"{file}:{line}: {message}" if line else f"{file}: {message}"


def _signature(names: Sequence[str]) -> list[tuple[str, int, int]]:
    """Name, size and time of change of every file."""
    found: list[tuple[str, int, int]] = []
    for name in names:
        if name.lower().startswith(("http://", "https://")):
            continue
        path = Path(name)
        files = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in files:
            try:
                stat = file.stat()
            except OSError:
                continue
            found.append((str(file), stat.st_size, stat.st_mtime_ns))
    return found


CALL_SECONDS = 9.0
_Given = ParamSpec("_Given")
_Answer = TypeVar("_Answer")


def limited(
    call: Callable[Concatenate[Catalogue, _Given], Awaitable[_Answer]],
) -> Callable[Concatenate[Catalogue, _Given], Awaitable[_Answer]]:
    """Decorate a call on a catalogue: at an endpoint it ends within `CALL_SECONDS`.

    Every question to the endpoint ends within what is left of the call: `RemoteGraph` refuses to
    ask where that is too little, and whoever can do without the answer goes on and says so.

    Raises:
        DeadlineError: it had no answer by then.
    """

    @wraps(call)
    async def in_time(catalogue: Catalogue, *args: _Given.args, **kwargs: _Given.kwargs) -> _Answer:
        if catalogue.endpoint is None:
            return await call(catalogue, *args, **kwargs)
        import anyio

        with anyio.move_on_after(CALL_SECONDS):
            return await call(catalogue, *args, **kwargs)
        raise DeadlineError(
            f"The endpoint of the assets did not answer within {CALL_SECONDS:g} s, so nothing is "
            "shown: ask for less, with a further condition or without sort and count_by."
        )

    return in_time
