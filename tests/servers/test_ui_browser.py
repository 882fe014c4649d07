"""The pages at `/ui` as people see them, in headless Chromium."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from chromium import browse, framed, measured, screenshot, told
from kept_for_ui import browser, keep_answers, keep_journeys, keep_run, server
from mcp import Client

from groundwire.metrics.table.chart import can_draw

LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft" * 2
TABLES: tuple[dict[str, Any], ...] = (
    {"by": ["period"], "where": {"entity": "Germany"}, "period": "2001-2020", "chart": "line"},
    {"by": ["entity"], "period": "2019", "limit": 12, "order_by": ["-population"], "chart": "bar"},
    {
        "by": ["period", "entity"],
        "where": {"entity": ["Germany", "France", "Italy"]},
        "period": "2010-2020",
        "chart": "line",
    },
)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Each kind of page, as the server sends it."""
    home = tmp_path_factory.mktemp("home")
    return anyio.run(_pages, home)


async def _pages(home: Path) -> dict[str, str]:
    served = server(home)
    tables: list[str] = []
    if can_draw():
        async with Client(served) as client:
            for one in TABLES:
                sent = {"metrics": ["population"], **one}
                found = await client.call_tool("query_metric_table", sent)
                assert found.structured_content is not None
                tables.append(found.structured_content["evidence_id"])
    served.close()
    [answer] = keep_answers(home, "local", f"The A 9 is 12.5 km long. {LONG}")
    keep_run(home, "local", "run_1", f"How long is the A 9? {LONG}")
    [journey, _] = keep_journeys(home, "local", "Bank", LONG)
    paths = {
        "answers": "answers",
        "answer": f"answers/{answer}",
        "runs": "runs",
        "run": "runs/run_1",
        "journeys": "journeys",
        "map": f"journeys/{journey}.0",
        "chain": "chain",
        "nothing": "nothing",
        **{f"table {at}": f"answers/{one}" for at, one in enumerate(tables)},
    }
    async with browser(served) as client:
        return {name: (await client.get(f"/ui/{path}")).text for name, path in paths.items()}


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_every_text_can_be_read(
    pages: dict[str, str], tmp_path: Path, width: int, dark: bool
) -> None:
    path = tmp_path / "pages.html"
    path.write_text(framed({name: measured(one) for name, one in pages.items()}, width), "utf-8")
    found = told(path, dark, (max(width, 500), 2400))
    assert found.keys() == pages.keys()
    for name, seen in found.items():
        assert seen["room"] == width and seen["wide"] <= width, f"{name}: wider than the window"
        assert seen["edge"] >= 8, f"{name}: a text begins at the edge"
        assert round(seen["smallest"], 2) >= 11, name
        assert seen["contrast"] >= 4.5, f"{name}: WCAG AA"
        assert (seen["overlaps"], seen["unselectable"]) == ([], []), name
        assert seen["texts"] > 3, name


@pytest.mark.parametrize("name", ["answers", "map", "table 0"])
def test_light_and_dark_follow_the_reader(pages: dict[str, str], tmp_path: Path, name: str) -> None:
    if name not in pages:
        pytest.skip("vl-convert-python is not installed")
    path = tmp_path / "page.html"
    path.write_text(pages[name], "utf-8")
    assert min(screenshot(path).getpixel((2, 2))) > 230  # type: ignore[type-var]  # RGB
    assert max(screenshot(path, dark=True).getpixel((2, 2))) < 60  # type: ignore[type-var]  # RGB


@pytest.fixture
def listener() -> Iterator[tuple[int, list[object]]]:
    """A port on loopback that counts who calls."""
    opened = socket.create_server(("127.0.0.1", 0))
    calls: list[object] = []

    def listen() -> None:
        while True:
            try:
                connection, address = opened.accept()
            except OSError:
                return
            calls.append(address)
            connection.close()

    threading.Thread(target=listen, daemon=True).start()
    yield opened.getsockname()[1], calls
    opened.close()


@pytest.mark.anyio
async def test_no_stored_text_acts_and_no_request_leaves_a_page(
    listener: tuple[int, list[object]], tmp_path: Path
) -> None:
    port, calls = listener
    address = f"http://127.0.0.1:{port}/x"
    evil = (
        f"<script>document.title='run';fetch('{address}')</script><img src='{address}' "
        f"onerror=\"document.title='run'\"></pre></title></style><style>*{{background:"
        f"url({address})}}</style><link rel=stylesheet href='{address}'>"
        f"<meta http-equiv=refresh content='0;{address}'>"
    )
    [answer] = keep_answers(tmp_path, "local", evil)
    keep_run(tmp_path, "local", "run_1", evil)
    [journey] = keep_journeys(tmp_path, "local", evil)
    async with browser(server(tmp_path)) as client:
        for name in (f"answers/{answer}", "answers", "runs/run_1", f"journeys/{journey}.0"):
            page = (await client.get(f"/ui/{name}")).text
            path = tmp_path / "page.html"
            path.write_text(page, "utf-8")
            dumped = await anyio.to_thread.run_sync(browse, path, "--dump-dom")
            title = re.search("<title>(.*?)</title>", dumped, re.DOTALL)
            assert title and title[1] != "run"
            # Even with the policy taken away nothing runs: every text is only text.
            path.write_text(re.sub('<meta http-equiv="Content[^>]*>', "", page), "utf-8")
            bare = await anyio.to_thread.run_sync(browse, path, "--dump-dom")
            title = re.search("<title>(.*?)</title>", bare, re.DOTALL)
            assert title and title[1] != "run"
    assert calls == []
