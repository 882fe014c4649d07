"""Assets on their way into a store: read beside the event loop, whoever gives up waiting."""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from groundwire.errors import UnavailableError

if TYPE_CHECKING:
    from groundwire.graph.stores import Loading, Store

_Seen = TypeVar("_Seen")


class Build(Generic[_Seen]):
    """One build of a store, begun at once and waited for by any number of calls.

    A call that ends early leaves the build going, so that the next one finds it further on.
    """

    def __init__(
        self,
        sources: Sequence[Path],
        root: Path,
        told: Callable[[Loading], None],
        look: Callable[[Store], Awaitable[_Seen]],
    ) -> None:
        """Begin to build the store of `sources` below `root`.

        Args:
            sources: files and folders.
            root: folder of all stores.
            told: hears how far it is.
            look: reads in the finished store what a search must know of it.
        """
        self._sources = sources
        self._root = root
        self._told = told
        self._look = look
        self._latest: Loading | None = None
        self._store: Future[tuple[Store, _Seen]] = Future()
        threading.Thread(target=self._run, name="loading", daemon=True).start()

    @property
    def failed(self) -> bool:
        """Whether it ended without a store."""
        return self._store.done() and self._store.exception() is not None

    def abandon(self, end: Callable[[_Seen], None]) -> None:
        """Have what is being read ended as soon as it is there; nobody will use it."""

        def done(built: Future[tuple[Store, _Seen]]) -> None:
            if not built.cancelled() and built.exception() is None:
                end(built.result()[1])

        self._store.add_done_callback(done)

    async def store(self, patience: float | None) -> tuple[Store, _Seen]:
        """The store and what was read in it, once it is built.

        Args:
            patience: seconds to wait for it; None for as long as it takes.

        Raises:
            UnavailableError: it was not built in time; says how far it is. Or it cannot be
                written.
            ConfigurationError: the sources cannot be read.
        """
        import asyncio

        built = asyncio.shield(asyncio.wrap_future(self._store))
        try:
            return await asyncio.wait_for(built, patience)
        except TimeoutError:
            raise UnavailableError(
                f"The assets are being read for the first time{self._how_far()}, which is done "
                "once: ask again in a minute."
            ) from None

    def _how_far(self) -> str:
        latest = self._latest
        if latest is None or not latest.total:
            return ""
        return f" ({100 * latest.done // latest.total} % of {latest.total / 1e6:,.0f} MB)"

    def _run(self) -> None:
        import anyio

        from groundwire.graph.stores import build_store

        try:
            store = build_store(self._sources, self._root, progress=self._hear)
            self._store.set_result((store, anyio.run(self._look, store)))
        except BaseException as error:
            self._store.set_exception(error)

    def _hear(self, loading: Loading) -> None:
        self._latest = loading
        self._told(loading)
