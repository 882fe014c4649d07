"""Read a semantic model from a file, whichever format it has."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from groundwire.errors import InputError, LimitError, UnavailableError
from groundwire.metrics.models.semantic import SemanticModel

MOST_BYTES = 32 * 1024 * 1024
"""Bytes of a file of a model; the models of large projects have a tenth of it."""

MOST_NODES = 2_000_000
"""Values of a YAML file, counted wherever an alias repeats them."""


def read_model(path: Path) -> SemanticModel:
    """Read a semantic model: Apache Ossie in YAML or JSON, or dbt's semantic manifest.

    Args:
        path: the file.

    Returns:
        The model; its `problems` say what was left out.

    Raises:
        InputError: the file is of none of these formats.
        LimitError: it is larger than `MOST_BYTES`.
        UnavailableError: it cannot be read.
    """
    tree = load_tree(path)
    if "semantic_models" in tree:
        from groundwire.metrics.models.dbt_manifest import read_dbt_manifest

        return read_dbt_manifest(tree, str(path))
    if "semantic_model" in tree:
        from groundwire.metrics.models.ossie import read_ossie

        return read_ossie(tree, str(path))
    raise InputError(
        f"{path} is no semantic model: it has neither semantic_model (Apache Ossie) nor "
        "semantic_models (dbt's target/semantic_manifest.json)."
    )


def load_tree(path: Path) -> Mapping[str, Any]:
    """Load a YAML or JSON file whose top is an object.

    Raises:
        InputError: it is no YAML or JSON, or its top is no object.
        LimitError: it is larger than `MOST_BYTES`, or its aliases make it so.
        UnavailableError: it cannot be read.
    """
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise LimitError(
                f"{path} has {size:,} bytes; a model has at most {MOST_BYTES:,}: split it in two."
            )
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise UnavailableError(
            f"The model {path} cannot be read ({error.strerror}): set GROUNDWIRE_MODELS to files "
            "that exist."
        ) from error
    except UnicodeDecodeError:
        raise InputError(f"{path} is no text in UTF-8, so it is no model.") from None
    tree = _json(text, path) if text.lstrip()[:1] in ("{", "[") else _yaml(text, path)
    if not isinstance(tree, dict):
        raise InputError(f"{path} is no model: its top is no object with keys.")
    return cast("Mapping[str, Any]", tree)


def _json(text: str, path: Path) -> object:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        if text.lstrip()[:1] == "{" and path.suffix.lower() in (".yaml", ".yml"):
            return _yaml(text, path)
        raise InputError(
            f"{path} is no JSON: {error.msg} in line {error.lineno}, column {error.colno}. Was it "
            "cut short?"
        ) from None
    except (RecursionError, ValueError):
        raise InputError(f"{path} cannot be read: it is nested too deeply.") from None


def _yaml(text: str, path: Path) -> object:
    import yaml

    # The loader of libyaml, where it is there, is ten times as fast; both build plain values only.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        tree = yaml.load(text, Loader=loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f" in line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        told = getattr(error, "problem", None) or "it cannot be parsed"
        raise InputError(f"{path} is no YAML: {str(told)[:120]}{place}.") from None
    except (RecursionError, ValueError) as error:
        raise InputError(f"{path} cannot be read: {str(error)[:120]}.") from None
    if "*" in text and _expanded(tree) > MOST_NODES:
        raise LimitError(f"{path} has aliases that repeat too much: write out what they stand for.")
    return tree


def _expanded(tree: object) -> int:
    """How many values a tree has when what aliases share is counted each time.

    Returns:
        The number, or more than `MOST_NODES` where a value holds itself.
    """
    sizes: dict[int, int] = {}
    open_: set[int] = set()
    waiting: list[tuple[object, bool]] = [(tree, False)]
    while waiting:
        one, is_counted = waiting.pop()
        inside = _inside(one)
        if not inside or id(one) in sizes:
            continue
        if is_counted:
            sizes[id(one)] = 1 + sum(sizes.get(id(part), 1) for part in inside)
            open_.discard(id(one))
        elif id(one) in open_:
            return MOST_NODES + 1
        else:
            open_.add(id(one))
            waiting.append((one, True))
            waiting += [(part, False) for part in inside]
    return sizes.get(id(tree), 1)


def _inside(one: object) -> list[object]:
    if isinstance(one, dict):
        return list(cast("dict[object, object]", one).values())
    return cast("list[object]", one) if isinstance(one, list) else []
