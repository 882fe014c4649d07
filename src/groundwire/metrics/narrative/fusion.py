"""Further channels beside the words: rankings fused by reciprocal rank, then put in another order.

A profile may name models for both (`narrative.remote`); by default there is neither. Whatever one
returns, a passage is read from the store under the same scope as any other, so that none of them
can show what is withheld.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from groundwire.errors import UnavailableError
from groundwire.metrics.narrative.store import MOST_PASSAGES, NarrativeStore, Passage, Scope

# The constant of Cormack, Clarke and Buettcher, "Reciprocal rank fusion", SIGIR 2009.
RANK_CONSTANT = 60
# How many passages of each channel take part, at least.
_DEPTH = 20


class VectorChannel(Protocol):
    """Finds chunks by likeness of meaning."""

    def rank(self, query: str, scope: Scope, limit: int) -> Sequence[int]:
        """Keys of chunks, best first.

        Args:
            query: as it was asked.
            scope: what may be seen; keys of other chunks are dropped.
            limit: how many at most.
        """
        ...


class Reranker(Protocol):
    """Puts passages in a better order, seeing all of them at once (listwise)."""

    def rerank(self, query: str, passages: Sequence[Passage]) -> Sequence[int]:
        """Places in `passages`, counted from 0, best first."""
        ...


def fused(rankings: Sequence[Sequence[int]]) -> list[tuple[int, float]]:
    """Keys with their fused scores, best first: the sum of 1 / (60 + rank) over the rankings.

    A key that a ranking has twice counts where it is first; of equals the one that an earlier
    ranking has is first.
    """
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, key in enumerate(dict.fromkeys(ranking), start=1):
            scores[key] = scores.get(key, 0.0) + 1 / (RANK_CONSTANT + rank)
    return sorted(scores.items(), key=lambda scored: -scored[1])


class NarrativeRetriever:
    """Searches a store by words, and by the channels that it was given."""

    def __init__(
        self,
        store: NarrativeStore,
        vectors: VectorChannel | None = None,
        reranker: Reranker | None = None,
    ) -> None:
        self._store = store
        self._vectors = vectors
        self._reranker = reranker

    def search(
        self, query: str, scope: Scope, limit: int = 5
    ) -> tuple[list[Passage], tuple[str, ...]]:
        """As `NarrativeStore.find`; with a vector channel the scores are the fused ones.

        Whether a passage found by vectors alone is relevant enough is the channel's to say. A
        channel that is not available is left out.

        Returns:
            the passages, best first, and a line for each channel that was left out.
        """
        notes: list[str] = []
        limit = min(limit, MOST_PASSAGES)
        if limit < 1:
            return [], ()
        depth = limit
        if self._vectors is not None or self._reranker is not None:
            depth = max(limit, _DEPTH)
        found = self._store.find(query, scope, depth)
        if self._vectors is not None:
            try:
                keys = self._vectors.rank(query, scope, depth)[:depth]
            except UnavailableError as error:
                notes.append(f"Passages were searched by their words alone: {error}")
            else:
                ranked = [passage.key for passage in self._store.passages(keys, scope)]
                found = self._fused([passage.key for passage in found], ranked, scope)[:depth]
        if self._reranker is not None and len(found) > 1:
            try:
                found = _reordered(found, self._reranker.rerank(query, tuple(found)))
            except UnavailableError as error:
                notes.append(f"The order of the passages is that of the search: {error}")
        return found[:limit], tuple(notes)

    def _fused(self, words: list[int], vectors: list[int], scope: Scope) -> list[Passage]:
        scores = dict(fused([words, vectors]))
        return [
            passage._replace(score=scores[passage.key])
            for passage in self._store.passages(list(scores), scope)
        ]


def _reordered(passages: list[Passage], order: Sequence[int]) -> list[Passage]:
    """The same passages in an order; those that it leaves out come last, as they were."""
    places = [at for at in order if type(at) is int and 0 <= at < len(passages)]
    return [passages[at] for at in dict.fromkeys([*places, *range(len(passages))])]
