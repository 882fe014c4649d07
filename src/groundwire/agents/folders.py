"""The folders of the agents: each agent has one, named as it is, with all that defines it."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

FILE = "agent.toml"
TOOL = "tool.py"
HERE = Path(__file__).parent
_PACKAGE = "groundwire.agents"


def folders() -> dict[str, Path]:
    """The folders of all agents of this package, by name."""
    return {path.parent.name: path.parent for path in sorted(HERE.glob(f"*/{FILE}"))}


def offered() -> tuple[str, ...]:
    """Names of the agents that hosts are offered as tools: those whose folder declares one.

    Only the folders are looked at, so a server that offers none of them imports none.
    """
    return tuple(name for name, path in folders().items() if (path / TOOL).is_file())


def found(agent: str, module: str, attribute: str) -> object | None:
    """Something that stands in a module of an agent's folder.

    Args:
        agent: name of the folder.
        module: name of the module.
        attribute: what of it.

    Returns:
        What stands there; None where there is no such module.
    """
    dotted = f"{_PACKAGE}.{agent}.{module}"
    if find_spec(dotted) is None:
        return None
    return getattr(import_module(dotted), attribute)
