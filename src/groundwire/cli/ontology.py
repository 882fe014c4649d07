"""`groundwire ontology lint|index|infer`."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
import time
from pathlib import Path
from typing import Any, cast

import anyio

from groundwire.cli.progress import labelled_bar
from groundwire.config import load_settings
from groundwire.errors import ConfigurationError, InputError, UnavailableError
from groundwire.ontology.catalogue import NO_DOMAIN, Catalogue, Progress, State


def lint(arguments: argparse.Namespace) -> int:
    """Report what differs between shapes and assets."""
    from groundwire.ontology.lint import lint as check
    from groundwire.ontology.lint_text import report_lines

    state, _ = _opened()
    if state.statistics is None:
        raise InputError("An endpoint cannot be linted: set GROUNDWIRE_ASSETS to files.")
    report = check(state.index, state.statistics)
    if arguments.json:
        sys.stdout.write(json.dumps(_tree(report), indent=2, ensure_ascii=False) + "\n")
    else:
        # The report has what is wrong with shapes; what is left are files of assets.
        for problem in state.problems[len(state.index.problems) :]:
            sys.stdout.write(f"not read: {problem}\n")
        for line in report_lines(report, arguments.most):
            sys.stdout.write(f"{line}\n")
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
    from groundwire.ontology.wording import number_of

    state, seconds = _opened()
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
    # Hosts start servers elsewhere, so paths are absolute.
    shapes = Path(arguments.output).absolute()
    assets = os.pathsep.join(str(Path(name).absolute()) for name in arguments.data)
    sys.stderr.write(
        f"Drafted {arguments.output}: read it, then:\n"
        f"  export GROUNDWIRE_SHAPES={shlex.quote(str(shapes))}\n"
        f"  export GROUNDWIRE_ASSETS={shlex.quote(assets)}\n"
        "  groundwire ontology index\n"
        "  groundwire config HOST\n"
    )
    return 0


def _opened() -> tuple[State, float]:
    from groundwire.servers.ontology import locations

    settings = load_settings()
    shapes, assets = locations(settings)
    started = time.perf_counter()
    with labelled_bar() as told:
        state = anyio.run(_open, shapes, assets, settings.home, told)
    return state, time.perf_counter() - started


async def _open(shapes: list[str], assets: list[str], home: Path, told: Progress) -> State:
    catalogue = Catalogue(shapes, assets, home, told)
    try:
        return await catalogue.state()
    finally:
        await catalogue.close()
