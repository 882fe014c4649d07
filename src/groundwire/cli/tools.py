"""`groundwire tools` and `groundwire completion SHELL`: what the command line says of itself."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from groundwire.cli.registry import SERVERS, build
from groundwire.config import Settings


def tools(arguments: argparse.Namespace) -> int:
    """Print the table of one server, or of all."""
    for server in [arguments.server] if arguments.server else SERVERS:
        sys.stdout.write(table(server) + "\n")
    return 0


def table(server: str) -> str:
    """The tools of one server as a Markdown table: name, arguments, what it does."""
    import anyio

    with TemporaryDirectory() as folder:
        built = build(server, Settings(home=Path(folder)))
        listed = anyio.run(built.list_tools)
        built.close()
    lines = [f"#### {server}", "", "| tool | arguments | what it does |", "|---|---|---|"]
    for tool in listed:
        required = tool.input_schema.get("required", [])
        names = [
            name if name in required else f"{name}?" for name in tool.input_schema["properties"]
        ]
        lines.append(
            f"| `{tool.name}` | {', '.join(names)} | {_sentence(tool.description or '')} |"
        )
    return "\n".join([*lines, ""])


def _sentence(text: str) -> str:
    """The first sentence of a description, safe in a table cell."""
    first = re.split(r"(?<=[.!?])\s", text.strip(), maxsplit=1)[0]
    return first.replace("|", "\\|")


def completion(arguments: argparse.Namespace) -> int:
    """Print the script for one shell, made from the parser of the whole command line."""
    import shtab

    from groundwire.cli.arguments import parser

    sys.stdout.write(f"{shtab.complete(parser(), arguments.shell)}\n")
    return 0
