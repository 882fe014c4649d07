"""What journeys are planned with is opened when it is needed, and closed when it was opened."""

from __future__ import annotations

import threading
from datetime import timedelta
from pathlib import Path
from typing import Any

import anyio
import pytest
from opened import NOW, asked_for, done, opened

from groundwire.journeys.artefacts.files import folder_of, write
from groundwire.journeys.making import make_journeys
from groundwire.journeys.network import load as loading
from groundwire.journeys.tfl.client import TflClient
from groundwire.safe_text import new_handle


def test_closing_opens_and_loads_nothing(tmp_path: Path) -> None:
    london = opened(tmp_path / "home")
    london.close()
    assert not (tmp_path / "home").exists()
    assert {"_network", "_places", "_journeys", "_preferences"}.isdisjoint(vars(london))


def test_it_can_be_used_again_after_closing(tmp_path: Path) -> None:
    london = opened(tmp_path)
    first, _ = done(london, make_journeys, "local", asked_for("Bank", "Angel"))
    london.close()
    assert london.journeys.get("local", first.journey_id or "")
    london.close()


def test_the_network_is_loaded_beside_the_event_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[int] = []
    load = loading.load_network

    def noting(path: Path) -> Any:
        threads.append(threading.get_ident())
        return load(path)

    monkeypatch.setattr(loading, "load_network", noting)
    london = opened(tmp_path)
    result, _ = done(london, make_journeys, "local", asked_for("Bank", "Angel"))
    london.close()
    assert result.journeys[0].plans
    assert len(threads) == 1
    assert threads[0] != threading.get_ident()


def test_each_event_loop_has_connections_of_its_own(tmp_path: Path) -> None:
    london = opened(tmp_path, "http://127.0.0.1:9")

    async def client() -> TflClient | None:
        assert london.tfl() is london.tfl()
        return london.tfl()

    assert anyio.run(client) is not anyio.run(client)


def test_offline_has_no_client(tmp_path: Path) -> None:
    assert opened(tmp_path).tfl() is None
    assert opened(tmp_path, "OFFLINE").tfl() is None


def test_files_of_journeys_go_when_the_journeys_do(tmp_path: Path) -> None:
    london = opened(tmp_path)
    folders = [folder_of(tmp_path, new_handle("jo")) for _ in range(2)]
    write(folders[0], "plan-0-0.svg", b"<svg/>")
    first, _ = done(london, make_journeys, "local", asked_for("Bank", "Angel"))
    assert not folders[0].exists()
    own = write(folder_of(tmp_path, first.journey_id or ""), "plan-0-0.svg", b"<svg/>").path
    assert own is not None
    write(folders[1], "plan-0-0.svg", b"<svg/>")
    london.tidy()
    assert folders[1].exists(), "files are looked through once a day"
    london.close()
    tomorrow = opened(tmp_path, now=NOW + timedelta(days=1))
    tomorrow.tidy()
    tomorrow.close()
    assert not folders[1].exists()
    assert own.exists()
