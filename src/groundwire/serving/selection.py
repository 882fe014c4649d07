"""Which of the declared tools a server offers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from groundwire.errors import ConfigurationError
from groundwire.serving.refusals import nearest
from groundwire.serving.toolsets import ToolDeclaration, Toolset


@dataclass(frozen=True, slots=True)
class OfferedTool:
    """A tool that may be offered: its name, its toolset, its declaration and its body."""

    name: str
    toolset: str
    declaration: ToolDeclaration
    method: Callable[..., Any]


def select_tools(
    offered: Sequence[Toolset],
    *,
    toolsets: Sequence[str] = (),
    names: Sequence[str] = (),
    read_only: bool = False,
    default: Sequence[str] = (),
) -> list[OfferedTool]:
    """The tools that a server offers, in the order of their declaration.

    Args:
        offered: every toolset that the server has.
        toolsets: toolsets to offer whole; empty means `default`.
        names: of these, only the tools named here; empty means all of them.
        read_only: leave out what changes state or writes files.
        default: tools offered without being asked for, to which `toolsets` adds; empty means
            every tool of every toolset, from which `toolsets` chooses.

    Raises:
        ConfigurationError: a name is unknown (the line has the nearest), or nothing remains.
        TypeError: two toolsets declare one name.
    """
    every = _every(offered)
    _check("toolset", "toolsets", toolsets, [toolset.name for toolset in offered])
    _check("tool", "tools", names, [one.name for one in every])
    chosen = set(names)
    if not chosen:
        chosen = {one.name for one in every if one.toolset in toolsets} | set(default)
    elif toolsets:
        outside = [one for one in every if one.name in chosen and one.toolset not in toolsets]
        if outside:
            raise ConfigurationError(
                f"tool {outside[0].name!r} is of toolset {outside[0].toolset!r}: add it to "
                "toolsets, or leave toolsets empty."
            )
    kept = [one for one in every if not chosen or one.name in chosen]
    if read_only:
        kept = [one for one in kept if not changes(one.declaration)]
    if not kept:
        raise ConfigurationError(
            "no tool is left to offer: read-only hides those that change state or write files; "
            f"name some of {', '.join(one.name for one in every)}."
        )
    return kept


def _every(offered: Iterable[Toolset]) -> list[OfferedTool]:
    every: list[OfferedTool] = []
    for toolset in offered:
        for name, declaration, method in toolset.declarations():
            if isinstance(declaration, ToolDeclaration):
                if any(other.name == name for other in every):
                    raise TypeError(f"two tools are named {name!r}")
                every.append(OfferedTool(name, toolset.name, declaration, method))
    return every


def changes(declaration: ToolDeclaration) -> bool:
    """Whether a tool changes what is kept, or writes files."""
    return declaration.changes_state or declaration.writes_files or declaration.destructive


def _check(kind: str, option: str, named: Iterable[str], known: Sequence[str]) -> None:
    for name in named:
        if name not in known:
            close = nearest(name, known)
            hint = f"; did you mean {close!r}?" if close else ";"
            raise ConfigurationError(
                f"{option}: there is no {kind} {name!r}{hint} {kind}s are: {', '.join(known)}."
            )
