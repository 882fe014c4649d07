"""Print figures of the code itself: its size, its floors, how far a reader has to walk.

python -m tests.house              # figures that are read from the source
python -m tests.house --calls      # also: files that one warm call of each server crosses
python -m tests.house --floors     # the floors with their imports, as ARCHITECTURE shows them
python -m tests.house --update     # write the figures to hold into tests/house.json
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import re
import sys
import threading
import tokenize
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.import_graph import ROOT, distances, importers, imports, modules
from tests.test_floors import DOMAINS, FLOORS

HELD = Path(__file__).with_suffix(".json")
PAGE = ROOT / "docs" / "ARCHITECTURE.md"
_BEGIN, _END = "<!-- floors -->\n```\n", "```\n<!-- /floors -->"
# Where human language is read: words and numbers, drafts, questions.
READERS = (
    "language",
    "quantities",
    "evidence/claims",
    "metrics/intent",
    "sparql/patterns",
    "agents/ontology_search_agent",
    "agents/metrics_agent",
    "agents/kg_agent",
    "agents/journey_requests",
    "journeys/wishes",
    "journeys/times",
)
STEPS = 3
# The figures that a test holds: sizes grow with what the product can do.
KEPT = ("sibling_only_percent", "far_from_server_percent", "hard_docstrings")
# One call of each kind: server, tool, arguments.
CALLS: Mapping[str, tuple[str, str, Mapping[str, Any]]] = {
    "submit_slots": (
        "ontology",
        "submit_slots",
        {"slots": {"domains": ["hdmap"], "filters": {"country": "Germany"}}},
    ),
    "query_metric": (
        "metrics",
        "query_metric",
        {"metric": "population", "entity": "China", "period": "2010"},
    ),
    "a plan": (
        "journeys",
        "compute_journey_plans",
        {"starting_point": "Brixton", "destination": "Euston"},
    ),
    "an agent": ("agents", "metrics_agent", {"question": "Population of China in 2010?"}),
}


def source_modules() -> Mapping[str, Path]:
    """The modules of the product: everything but tests."""
    return {name: path for name, path in modules().items() if name.startswith("groundwire")}


@lru_cache(maxsize=4096)
def syntax(path: Path) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse(path.read_text("utf-8"))


def docstrings(path: Path) -> Iterator[tuple[int, str]]:
    """The docstrings of a file with the lines on which they begin."""
    for node in ast.walk(syntax(path)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node)
            if text:
                yield node.body[0].lineno, text


def code_lines(path: Path) -> int:
    """Lines of a file that hold code: no blank ones, comments or docstrings."""
    quoted: set[int] = set()
    for node in ast.walk(syntax(path)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            quoted |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    passed = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    tokens = tokenize.generate_tokens(io.StringIO(path.read_text("utf-8")).readline)
    held = {
        line
        for token in tokens
        if token.type not in passed and token.type != tokenize.ENDMARKER
        for line in range(token.start[0], token.end[0] + 1)
    }
    return len(held - quoted)


def holds_code(path: Path) -> bool:
    """Whether a file has a statement beside its docstring."""
    return any(
        not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        for node in syntax(path).body
    )


def reader_lines() -> dict[str, int]:
    """Code lines of each room that reads human language."""
    source = ROOT / "src" / "groundwire"
    return {
        room: sum(code_lines(path) for path in (source / room).rglob("*.py")) for room in READERS
    }


def sibling_only() -> list[str]:
    """Modules that only one module of their own folder imports, tests left aside."""
    found: list[str] = []
    for name, path in source_modules().items():
        users = {user for user in importers()[name] if user.startswith("groundwire")}
        if path.name == "__init__.py" or len(users) != 1:
            continue
        [user] = users
        if modules()[user].parent == path.parent and modules()[user].name != "__init__.py":
            found.append(name)
    return found


def far_modules() -> tuple[list[str], int]:
    """Modules of domains that are more than three imports away from their server, and all.

    The mark of a package holds no rule and is left aside.
    """
    far: list[str] = []
    count = 0
    for domain in sorted(DOMAINS):
        own = {
            name
            for name, path in source_modules().items()
            if name.startswith(f"groundwire.{domain}.") and holds_code(path)
        }
        near = distances([f"groundwire.servers.{domain}"], imports(), STEPS)
        far += sorted(own - near.keys())
        count += len(own)
    return far, count


def hard_docstrings() -> list[str]:
    """Docstrings that begin with "What" or say that something "is no ..."."""
    return [
        f"{path.relative_to(ROOT)}:{line}"
        for path in source_modules().values()
        for line, text in docstrings(path)
        if text.startswith("What ") or re.search(r"\bis no\b(?! longer)", text)
    ]


def _percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 1)


# Figures that are read from the source; of each of them less is better.
FIGURES: Mapping[str, Callable[[], float]] = {
    "code_lines": lambda: sum(code_lines(path) for path in source_modules().values()),
    "reader_code_lines": lambda: sum(reader_lines().values()),
    "modules": lambda: len(source_modules()),
    "sibling_only_percent": lambda: _percent(len(sibling_only()), len(source_modules())),
    "far_from_server_percent": lambda: _percent(len(far_modules()[0]), far_modules()[1]),
    "hard_docstrings": lambda: len(hard_docstrings()),
}


def floors() -> str:
    """The floors from top to bottom; behind each room, the rooms that it imports."""
    used: dict[str, Counter[str]] = {}
    for name, others in imports().items():
        parts = name.split(".")
        if parts[0] != "groundwire" or len(parts) < 2:
            continue
        rooms = {other.split(".")[1] for other in others if other.startswith("groundwire.")}
        used.setdefault(parts[1], Counter()).update(rooms - {parts[1]})
    lines: list[str] = []
    for level in reversed(FLOORS):
        for room in sorted(level):
            below = ", ".join(sorted(used.get(room, ())))
            lines.append(f"{room:<14} {below or '-'}")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def shown_floors() -> str:
    """The floors as the page on architecture shows them."""
    return PAGE.read_text("utf-8").split(_BEGIN)[1].split(_END)[0]


def crossed_modules(server: str, tool: str, arguments: Mapping[str, Any]) -> list[str]:
    """Modules of the product in which one call runs code, after the same call ran once.

    What starts and closes the server does not count.
    """
    import anyio
    from mcp import Client

    from groundwire.cli.registry import build
    from groundwire.config import Settings

    seen: set[str] = set()
    crossed: set[str] = set()

    def note(frame: Any, _event: str, _argument: object) -> None:
        seen.add(frame.f_code.co_filename)

    async def call() -> None:
        with TemporaryDirectory() as folder:
            built = build(server, Settings(home=Path(folder), tfl_base_url="offline"))
            try:
                async with Client(built) as client:
                    await client.call_tool(tool, dict(arguments))
                    seen.clear()
                    await client.call_tool(tool, dict(arguments))
                    crossed.update(seen)
            finally:
                built.close()

    threading.settrace(note)  # Of threads that begin from here on, as workers do.
    sys.settrace(note)
    try:
        anyio.run(call)
    finally:
        sys.settrace(None)
        threading.settrace(None)
    return [name for name, path in source_modules().items() if str(path) in crossed]


def main() -> int:
    """Print what is asked for."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.house", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--calls", action="store_true", help="files that one warm call crosses")
    parser.add_argument("--floors", action="store_true", help="the floors with their imports")
    parser.add_argument("--list", action="store_true", help="name what is counted")
    parser.add_argument("--update", action="store_true", help="write figures and floors")
    options = parser.parse_args()
    if options.floors:
        print(floors(), end="")
        return 0
    now = {name: read() for name, read in FIGURES.items()}
    for name, value in now.items():
        print(f"{name:<26} {value:>10,}")
    for room, lines in reader_lines().items():
        print(f"  {room:<30} {lines:>6,}")
    if options.list:
        for title, names in (
            ("only a sibling imports", sibling_only()),
            ("more than three steps from a server", far_modules()[0]),
            ("docstrings", hard_docstrings()),
        ):
            print(f"\n{title}:", *names, sep="\n  ")
    if options.calls:
        for name, (server, tool, arguments) in CALLS.items():
            crossed = crossed_modules(server, tool, arguments)
            print(f"files crossed by {name:<14} {len(crossed):>5}")
            if options.list:
                print("", *crossed, sep="\n  ")
    if options.update:
        held = {name: value for name, value in now.items() if name in KEPT}
        HELD.write_text(json.dumps(held, indent=2) + "\n", "utf-8")
        page = PAGE.read_text("utf-8")
        PAGE.write_text(page.replace(shown_floors(), floors()), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
