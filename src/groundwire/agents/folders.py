"""The folders of the agents: each agent has one, named as it is, with all that defines it."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

FILE = "agent.toml"
AGENTS = "agents"
"""The toolset of the agents whose folders stand here."""
HERE = Path(__file__).parent
_PACKAGE = "groundwire.agents"


def folders() -> dict[str, Path]:
    """The folders of all agents of this package, by name.

    An agent of the toolset `agents` has a folder here; one of another toolset stands in the folder
    of that toolset, beside what its agents share.
    """
    own = {path.parent.name: path.parent for path in sorted(HERE.glob(f"*/{FILE}"))}
    return own | {path.parent.name: path.parent for path in sorted(HERE.glob(f"*/*/{FILE}"))}


def toolset_of(folder: Path) -> str:
    """The toolset that offers the agent of a folder."""
    return folder.parent.name if folder.parent.parent == HERE else AGENTS


def found(agent: str, module: str, attribute: str) -> object | None:
    """Return an attribute of a module in an agent's folder, or None where it has no such attribute.

    Args:
        agent: name of the folder.
        module: name of the module.
        attribute: name of the attribute.

    Returns:
        The attribute; None where the module does not exist, or has nothing of that name.
    """
    dotted = f"{_package(agent)}.{module}"
    if find_spec(dotted) is None:
        return None
    return getattr(import_module(dotted), attribute, None)


def _package(agent: str) -> str:
    """The package of an agent's folder."""
    within = next(HERE.glob(f"*/{agent}/{FILE}"), None)
    return f"{_PACKAGE}.{agent}" if within is None else f"{_PACKAGE}.{within.parts[-3]}.{agent}"
