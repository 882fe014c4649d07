"""The endpoint `default`: a local graph with the index of its labels, and sample tables.

All of it is made from files on the first opening, and opened in no time ever after.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.errors import ConfigurationError

if TYPE_CHECKING:
    from groundwire.graph.engine import LocalGraph
    from groundwire.graph.stores import Store
    from groundwire.sparql.label_file import Progress
    from groundwire.sparql.labels import LabelIndex


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
    workers: int = 2,
) -> Embedded:
    """Open the graph of some files, with its label index and the sample tables.

    Args:
        home: folder of stores, label indexes and samples.
        progress: told the kind of work, how much is done and how much there is; from any thread.
        files: RDF files and folders of them.
        sample: the definition of the sample tables.
        label_properties: IRIs of properties that are labels beside the usual ones.
        workers: most processes that answer queries of the graph at a time.

    Raises:
        ConfigurationError: a file cannot be read.
        UnavailableError: what is made of them cannot be written.
    """
    from anyio.to_thread import run_sync

    from groundwire.graph.engine import LocalGraph
    from groundwire.graph.stores import Loading, build_store, prune
    from groundwire.sparql.label_store import LABEL_PROPERTIES, open_labels, prune_labels
    from groundwire.sparql.sample import build_sample, prune_samples

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
    return Embedded(LocalGraph(store.path, workers=workers), store, labels, made, tuple(problems))
