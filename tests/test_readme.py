"""README and the pages of docs say what the commands print."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from groundwire.cli.hosts import CARRIED
from groundwire.cli.registry import HOSTS, SERVERS
from tests.tool_tables import names_row, page_of, rows, shown_in

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
README = (ROOT / "README.md").read_text("utf-8")
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as hosting services make them."""
    heads = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("server", SERVERS)
def test_the_tables_of_tools_are_current(server: str) -> None:
    current = rows(server)
    assert shown_in(page_of(server)) == current, "run python -m tests.tool_tables"
    assert names_row(server, current) in README


def test_every_variable_is_explained() -> None:
    variables = (DOCS / "variables.md").read_text("utf-8")
    for name in (*CARRIED, "GROUNDWIRE_HTTP_TOKEN"):
        assert f"`{name}`" in variables


def test_every_host_has_its_block() -> None:
    shown = re.sub(r"[^a-z]", "", README.split("## Hosts")[1].split("## Example")[0].lower())
    for host in HOSTS:
        assert host.replace("-", "") in shown


def test_every_server_has_three_example_prompts() -> None:
    section = README.split("## Example prompts")[1].split("\n## ")[0]
    prompts = dict(re.findall(r"^`(\w+)`:\n\n((?:(?:- |  ).*\n)+)", section, re.MULTILINE))
    assert {server: text.count('- "') for server, text in prompts.items()} == dict.fromkeys(
        SERVERS, 3
    )


def test_readme_is_short() -> None:
    assert len(README.encode("utf-8")) <= 12_000


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_and_pictures_lead_somewhere(page: Path) -> None:
    text = page.read_text("utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not re.match(r"[a-z]+:", target):
            name, _, anchor = target.partition("#")
            linked = (page.parent / name).resolve() if name else page
            assert linked.is_file(), target
            assert not anchor or anchor in anchors(linked), target
    for picture in re.findall(r'\b(?:src|srcset)="([^"]+)"', text):
        assert (page.parent / picture).read_bytes().startswith(b"\x89PNG"), picture
