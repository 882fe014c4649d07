"""README says what the commands print."""

from __future__ import annotations

import re
from pathlib import Path

from groundwire.cli.hosts import CARRIED
from groundwire.cli.registry import HOSTS, SERVERS
from groundwire.cli.tools import table

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def test_the_tables_of_tools_are_current() -> None:
    shown = README.split("<!-- tools -->\n")[1].split("<!-- /tools -->")[0]
    assert shown.strip() == "\n".join(table(server) for server in SERVERS).strip()


def test_every_variable_is_explained() -> None:
    for name in (*CARRIED, "GROUNDWIRE_HTTP_TOKEN"):
        assert f"`{name}`" in README


def test_every_host_has_its_block() -> None:
    shown = re.sub(r"[^a-z]", "", README.split("## Hosts")[1].split("## Example")[0].lower())
    for host in HOSTS:
        assert host.replace("-", "") in shown


def test_pictures_are_where_they_are_shown_from() -> None:
    shown = re.findall(r'\b(?:src|srcset)="([^"]+)"', README)
    assert len(shown) == 2
    for name in shown:
        assert (ROOT / name).read_bytes().startswith(b"\x89PNG")
