"""`groundwire ontology lint|index|infer`."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import anyio

from groundwire.cli.terminal import labelled_bar
from groundwire.config import load_settings
from groundwire.errors import ConfigurationError, InputError, UnavailableError
from groundwire.ontology.catalogue import NO_DOMAIN, Catalogue, State


def lint(arguments: argparse.Namespace) -> int:
    """Report what differs between shapes and assets."""
    from groundwire.ontology.connections import (
        Reachability,
        coverage,
        measured,
        offer,
        reachability,
    )
    from groundwire.ontology.lint import lint as check
    from groundwire.ontology.lint import reachability_lines, report_lines
    from groundwire.servers.ontology import locations

    async def look(state: State) -> Reachability:
        if state.statistics is None:
            raise InputError("An endpoint cannot be linted: set GROUNDWIRE_ASSETS to files.")
        return await reachability(state)

    state, _, found = _opened(look)
    assert state.statistics is not None
    report = check(state.index, state.statistics)._replace(unreachable=found.unreachable)
    declared = coverage(state.assets, state.statistics)
    if arguments.json:
        tree = {**_tree(report), "reachability": _tree(found), "coverage": _tree(declared)}
        sys.stdout.write(json.dumps(tree, indent=2, ensure_ascii=False) + "\n")
    else:
        for line in reachability_lines(found):
            sys.stdout.write(f"{line}\n")
        # The report has what is wrong with shapes; what is left are files of assets.
        for problem in state.problems[len(state.index.problems) :]:
            sys.stdout.write(f"not read: {problem}\n")
        for line in report_lines(report, arguments.most):
            sys.stdout.write(f"{line}\n")
        sys.stdout.write(f"{measured(declared)}\n")
        if commands := offer(declared, *locations(load_settings())):
            lines = "".join(f"  {command}\n" for command in commands)
            sys.stdout.write(f"Draft shapes for the rest and add them:\n{lines}")
    return 1 if arguments.strict and any(report) else 0


def _tree(part: Any) -> Any:
    """Named tuples as objects, so that JSON keeps the names."""
    if hasattr(part, "_asdict"):
        return {name: _tree(value) for name, value in part._asdict().items()}
    if isinstance(part, tuple):
        return [_tree(entry) for entry in cast("tuple[Any, ...]", part)]
    return part


def index(arguments: argparse.Namespace) -> int:
    """Read shapes and assets now, so that the first search does not wait."""
    from groundwire.ontology.pages import number_of

    state, seconds, _ = _opened(_nothing)
    kinds = ", ".join(f"{domain.name} {state.count_in_words(domain)}" for domain in state.assets)
    sys.stdout.write(
        f"{number_of(len(state.index.domains), 'domain', 'domains')}, "
        f"{number_of(len(state.index.connections), 'connection', 'connections')}; "
        f"assets: {kinds or 'none'}; {seconds:.2f} s\n"
    )
    for problem in state.problems:
        sys.stdout.write(f"not read: {problem}\n")
    if not state.index.domains:
        raise ConfigurationError(NO_DOMAIN)
    if not any(map(state.count, state.assets)):
        sys.stdout.write(
            "no asset is of a class that the shapes declare: `groundwire ontology lint` says what "
            "differs\n"
        )
    return 0


def infer(arguments: argparse.Namespace) -> int:
    """Draft shapes for data that has none."""
    from groundwire.ontology.infer import infer as draft

    turtle = draft([Path(name) for name in arguments.data])
    if not arguments.output:
        sys.stdout.write(turtle)
        return 0
    try:
        Path(arguments.output).write_text(turtle, "utf-8")
    except OSError as error:
        raise UnavailableError(
            f"{arguments.output} cannot be written ({error.strerror}): name another file."
        ) from error
    from groundwire.ontology.connections import added

    # Hosts start servers elsewhere, so paths are absolute.
    assets = os.pathsep.join(str(Path(name).absolute()) for name in arguments.data)
    sys.stderr.write(
        f"Drafted {arguments.output}: read it, then:\n"
        f"  {added(load_settings().shapes, str(Path(arguments.output).absolute()))}\n"
        f"  export GROUNDWIRE_ASSETS={shlex.quote(assets)}\n"
        "  groundwire ontology index\n"
        "  groundwire config HOST\n"
    )
    return 0


_Seen = TypeVar("_Seen")


async def _nothing(_: State) -> None:
    """Look at nothing."""


def _opened(look: Callable[[State], Awaitable[_Seen]]) -> tuple[State, float, _Seen]:
    """The catalogue, the seconds that it took to open, and what was seen while it was open."""
    from groundwire.servers.ontology import locations

    settings = load_settings()
    shapes, assets = locations(settings)
    with labelled_bar() as told:
        return anyio.run(_open, Catalogue(shapes, assets, settings.home, told), look)


async def _open(
    catalogue: Catalogue, look: Callable[[State], Awaitable[_Seen]]
) -> tuple[State, float, _Seen]:
    started = time.perf_counter()
    try:
        state = await catalogue.state()
        seconds = time.perf_counter() - started
        return state, seconds, await look(state)
    finally:
        await catalogue.close()
