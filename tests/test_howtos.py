"""The how-tos, word for word: files are written, commands are run, and their output is compared."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.sparql.endpoint_server import served

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "docs/how-to"
ENDPOINT = "http://127.0.0.1:7878/query"
SECONDS = 300
_BLOCK = re.compile(r"^```(\w+)(?: ([\w.-]+))?\n(.*?)^```$", re.DOTALL | re.MULTILINE)


class Block(NamedTuple):
    """A fenced block of a page."""

    language: str
    name: str
    text: str


def blocks(page: str) -> list[Block]:
    text = (PAGES / page).read_text("utf-8")
    return [Block(*found) for found in _BLOCK.findall(text)]


def test_every_page_is_on_the_site() -> None:
    listed = (ROOT / "docs/mkdocs.yml").read_text("utf-8")
    pages = [str(one.relative_to(ROOT / "docs")) for one in (ROOT / "docs").rglob("*.md")]
    assert [one for one in pages if f"- {one}\n" not in listed] == []


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    """An endpoint with the stations of the first page."""
    (stations,) = [one.text for one in blocks("own-catalogue.md") if one.name == "stations.ttl"]
    with served(stations, lambda query: None) as url:
        yield url


@pytest.mark.parametrize("page", sorted(one.name for one in PAGES.glob("*.md")))
def test_a_page_can_be_followed_word_for_word(page: str, tmp_path: Path, endpoint: str) -> None:
    work = tmp_path / "my work"
    work.mkdir()
    script, expected = "", list[str]()
    for block in blocks(page):
        if block.name:
            (work / block.name).write_text(block.text.replace(ENDPOINT, endpoint), "utf-8")
        elif block.language == "sh":
            script += f"{block.text}\necho '@@@'\n"
            expected.append("")
        elif block.language == "text":
            expected[-1] = block.text
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("GROUNDWIRE_")
    }
    done = subprocess.run(
        ["bash", "-e", "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
        cwd=work,
        env=environment
        | {
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
            "GROUNDWIRE_HOME": str(tmp_path / "home"),
            "TFL_BASE_URL": "offline",
        },
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stdout
    told = done.stdout.split("@@@\n")
    assert len(told) == len(expected) + 1
    for said, lines in zip(told, expected, strict=False):
        for line in lines.splitlines():
            assert line in said, f"{line!r} is not in {said!r}"
