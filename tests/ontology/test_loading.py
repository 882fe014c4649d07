"""Assets that take long to read: calls end in time, and the reading goes on."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from groundwire.errors import ConfigurationError, UnavailableError
from groundwire.graph import stores
from groundwire.ontology.catalogue import Catalogue

TURTLE = "@prefix : <urn:e:> . @prefix sh: <http://www.w3.org/ns/shacl#> .\n"


class Slow:
    """Builds stores once it may, and counts the builds."""

    def __init__(self) -> None:
        self.may = threading.Event()
        self.told = threading.Event()
        self.builds = 0
        self._build = stores.build_store

    def __call__(self, *arguments: Any, progress: Any, **named: Any) -> stores.Store:
        self.builds += 1
        progress(stores.Loading(30_000_000, 120_000_000, "assets.ttl"))
        self.told.set()
        assert self.may.wait(120)
        return self._build(*arguments, progress=progress, **named)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Slow:
    slow = Slow()
    monkeypatch.setattr(stores, "build_store", slow)
    return slow


@pytest.fixture
def catalogue(tmp_path: Path) -> Iterator[Catalogue]:
    (tmp_path / "shapes.ttl").write_text(TURTLE + ":S a sh:NodeShape ; sh:targetClass :C .")
    (tmp_path / "assets.ttl").write_text(TURTLE + ":a a :C .")
    catalogue = Catalogue(
        [tmp_path / "shapes.ttl"], [tmp_path / "assets.ttl"], tmp_path / "home", patience=0.1
    )
    yield catalogue
    catalogue.close_now()


def test_a_call_is_told_how_far_the_reading_is_and_the_next_finds_it_done(
    slow: Slow, catalogue: Catalogue
) -> None:
    async def calls() -> None:
        with pytest.raises(UnavailableError, match=r"first time.* again"):
            await catalogue.state()
        assert await anyio.to_thread.run_sync(slow.told.wait, 60)
        for _ in range(2):
            with pytest.raises(UnavailableError, match=r"first time \(25 % of 120 MB\).* again"):
                await catalogue.state()
        slow.may.set()
        with anyio.fail_after(60):
            while True:
                try:
                    state = await catalogue.state()
                    break
                except UnavailableError:
                    continue
        assert state.count(state.assets[0]) == 1

    anyio.run(calls)
    assert slow.builds == 1


def test_a_call_that_is_given_up_leaves_the_reading_going(slow: Slow, catalogue: Catalogue) -> None:
    catalogue = Catalogue(catalogue.shapes, catalogue.assets, Path(catalogue.assets[0]).parent)

    async def calls() -> None:
        with anyio.move_on_after(0.1) as scope:
            await catalogue.state()
        assert scope.cancelled_caught
        slow.may.set()
        assert (await catalogue.state()).assets

    anyio.run(calls)
    assert slow.builds == 1
    catalogue.close_now()


def test_what_failed_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, slow: Slow, catalogue: Catalogue
) -> None:
    def broken(*_: Any, **__: Any) -> stores.Store:
        raise ConfigurationError("No RDF file can be read.")

    monkeypatch.setattr(stores, "build_store", broken)
    for _ in range(2):
        with pytest.raises(ConfigurationError, match="No RDF file"):
            anyio.run(catalogue.state)
    slow.may.set()
    monkeypatch.setattr(stores, "build_store", slow)
    monkeypatch.setattr(catalogue, "_patience", None)
    assert anyio.run(catalogue.state).assets
