"""Documents to import, and a store in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from groundwire.metrics.narrative.store import NarrativeDocument, NarrativeStore


@pytest.fixture
def about() -> Callable[..., NarrativeDocument]:
    """A document about nothing, unless it is said."""

    def made(name: str, level: str = "PUBLIC", **more: object) -> NarrativeDocument:
        known: dict[str, object] = {"title": "", "entity": "", "period": None, "sha256": "0" * 64}
        return NarrativeDocument(name=name, sensitivity=level, **{**known, **more})  # type: ignore[arg-type]

    return made


@pytest.fixture
def store() -> Iterator[NarrativeStore]:
    with NarrativeStore(None) as made:
        yield made
