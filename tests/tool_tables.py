"""Write the tables of tools into the pages of docs and README: python -m tests.tool_tables."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from groundwire.cli.registry import SERVERS
from groundwire.cli.tools import table

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
_BEGIN, _END = "<!-- tools -->\n", "<!-- /tools -->"


def rows(server: str) -> list[str]:
    """The rows of the table of a server, without the heading that the command prints above it."""
    return table(server).strip().splitlines()[2:]


def names_row(server: str, shown: list[str]) -> str:
    """The row of README's short table that names the tools of a server."""
    names = re.findall(r"^\| (`\w+`)", "\n".join(shown), re.MULTILINE)
    return f"| `{server}` | {', '.join(names)} |"


def page_of(server: str) -> Path:
    """The page of docs about a server."""
    return ROOT / "docs" / f"{server}.md"


def shown_in(page: Path) -> list[str]:
    """The rows that a page shows now."""
    text = page.read_text("utf-8")
    return text.split(_BEGIN)[1].split(_END)[0].strip().splitlines()


def main() -> int:
    """Write every table as the servers offer their tools now."""
    readme = README.read_text("utf-8")
    for server in SERVERS:
        page, current = page_of(server), rows(server)
        head, rest = page.read_text("utf-8").split(_BEGIN)
        tail = rest.split(_END)[1]
        lines = "\n".join(current)
        page.write_text(f"{head}{_BEGIN}\n{lines}\n\n{_END}{tail}", "utf-8")
        row = names_row(server, current)
        readme = re.sub(rf"^\| `{server}` \|.*$", lambda _, row=row: row, readme, flags=re.M)
    README.write_text(readme, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
