"""Models from files, kept in memory and on disk so that a large one is read once."""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any, cast

from groundwire.errors import ConfigurationError, InputError, LimitError
from groundwire.metrics.models.checking import checked
from groundwire.metrics.models.document import Twice, parse_document, read_bytes
from groundwire.metrics.models.ossie import is_ossie, ossie_model
from groundwire.metrics.models.semantic import (
    Dataset,
    MetricInput,
    ModelField,
    ModelMetric,
    Problem,
    Relationship,
    SemanticModel,
)

# What reads a format: whether a document is of it, and the model that it holds.
Reader = tuple[Callable[[object], bool], Callable[[object, str, tuple[Twice, ...]], SemanticModel]]


def _is_dbt(document: object) -> bool:
    return isinstance(document, dict) and "semantic_models" in document


def _read_dbt(document: object, name: str, twice: tuple[Twice, ...]) -> SemanticModel:
    from groundwire.metrics.models.dbt_manifest import read_dbt_manifest

    try:
        model = read_dbt_manifest(cast("Mapping[str, Any]", document), name)
    except InputError as problem:
        raise ConfigurationError(str(problem)) from None
    told = tuple(Problem(one.key, f"{one.key} stands twice") for one in twice)
    return replace(model, problems=(*model.problems, *told))


READERS: tuple[Reader, ...] = ((is_ossie, ossie_model), (_is_dbt, _read_dbt))
"""Formats in the order in which they are tried."""

# Raised whenever what is kept on disk, or how a model is checked, changes.
_KEPT_VERSION = "2"

_models: dict[tuple[Path, str], tuple[tuple[int, int], SemanticModel]] = {}
_lock = threading.Lock()


MOST_METRICS = 20_000
MOST_FIELDS = 200_000


def load_model(path: Path, dialect: str = "duckdb", kept: Path | None = None) -> SemanticModel:
    """Read and check a model.

    Args:
        path: of the file.
        dialect: the engine's, whose own expressions are preferred.
        kept: folder in which checked models are kept, by the hash of their file; None: nowhere.

    Returns:
        the model; what could not be used is among its problems and not among its parts.

    Raises:
        ConfigurationError: the file cannot be read, or is of no known format.
        LimitError: it is larger or deeper than a model needs.
    """
    try:
        stat = path.stat()
    except OSError as problem:
        raise ConfigurationError(f"{path} cannot be read: {problem.strerror}") from None
    stamp = (stat.st_mtime_ns, stat.st_size)
    with _lock:
        known = _models.get((path, dialect))
    if known is not None and known[0] == stamp:
        return known[1]
    data = read_bytes(path)
    digest = hashlib.sha256(f"{_KEPT_VERSION} {dialect} {path.name}\n".encode() + data).hexdigest()
    place = None if kept is None else kept / f"{digest}.json"
    model = None if place is None else _from_disk(place)
    if model is None:
        model = checked(_bounded(read_model(data, path.name), path.name), dialect)
        if place is not None:
            _to_disk(place, model)
    with _lock:
        _models[path, dialect] = (stamp, model)
    return model


def read_model(data: bytes, name: str) -> SemanticModel:
    """Read a model from the bytes of a file that is called `name`; it is not checked yet.

    Raises:
        ConfigurationError: it is of no known format, or broken.
        LimitError: it is larger or deeper than a model needs.
    """
    document, twice = parse_document(data, name)
    for is_format, read in READERS:
        if is_format(document):
            return read(document, name, twice)
    raise ConfigurationError(f"{name} is of no known format: give an Ossie model or a dbt manifest")


def _bounded(model: SemanticModel, name: str) -> SemanticModel:
    """Return a model that is small enough to be checked.

    Raises:
        LimitError: it is not.
    """
    fields_of_all = sum(len(one.fields) for one in model.datasets.values())
    for held, most, noun in (
        (len(model.metrics), MOST_METRICS, "metrics"),
        (fields_of_all, MOST_FIELDS, "fields"),
    ):
        if held > most:
            raise LimitError(
                f"{name} has {held:,} {noun}: a model may have {most:,}; leave out what is not "
                "asked about, or split it"
            )
    return model


def _to_disk(place: Path, model: SemanticModel) -> None:
    """Keep a model; one that cannot be kept is read again next time."""
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        part = place.with_suffix(f".{os.getpid()}.{threading.get_ident()}")
        part.write_text(json.dumps(_plain(model), separators=(",", ":")), "utf-8")
        part.replace(place)
    except OSError:
        return


def _from_disk(place: Path) -> SemanticModel | None:
    """A kept model, or None where there is none that can be read."""
    try:
        return _model(json.loads(place.read_text("utf-8")))
    except (OSError, ValueError, TypeError, KeyError, IndexError):
        return None


def _plain(value: Any) -> Any:
    """A value as JSON holds it: dataclasses as lists of their fields."""
    if is_dataclass(value):
        return [_plain(getattr(value, one.name)) for one in fields(value)]
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in cast("Mapping[str, Any]", value).items()}
    if isinstance(value, tuple):
        return [_plain(one) for one in cast("tuple[Any, ...]", value)]
    return value


def _field(raw: list[Any]) -> ModelField:
    raw[4] = tuple(raw[4])
    return ModelField(*raw)


def _dataset(raw: list[Any]) -> Dataset:
    raw[2] = {name: _field(one) for name, one in raw[2].items()}
    raw[3] = tuple(raw[3])
    raw[4] = tuple(tuple(key) for key in raw[4])
    raw[8] = tuple(raw[8])
    return Dataset(*raw)


def _relationship(raw: list[Any]) -> Relationship:
    raw[3], raw[4] = tuple(raw[3]), tuple(raw[4])
    return Relationship(*raw)


def _pair(raw: list[Any] | None) -> Any:
    return None if raw is None else tuple(raw)


def _metric(raw: list[Any]) -> ModelMetric:
    raw[3] = tuple(MetricInput(one[0], one[1], one[2], _pair(one[3])) for one in raw[3])
    raw[6], raw[8] = _pair(raw[6]), _pair(raw[8])
    raw[13], raw[16] = tuple(raw[13]), tuple(raw[16])
    return ModelMetric(*raw)


def _model(raw: list[Any]) -> SemanticModel:
    raw[1] = {name: _dataset(one) for name, one in raw[1].items()}
    raw[2] = tuple(_relationship(one) for one in raw[2])
    raw[3] = {name: _metric(one) for name, one in raw[3].items()}
    raw[7] = tuple(Problem(*one) for one in raw[7])
    return SemanticModel(*raw)


def load_models(paths: Sequence[Path], dialect: str, kept: Path | None) -> SemanticModel:
    """The models of one warehouse as one; see `load_model`.

    Raises:
        ConfigurationError: one cannot be read, or two call different things by one name.
    """
    first, *others = [load_model(one, dialect, kept) for one in paths]
    for other in others:
        for kind, mine, theirs in (
            ("dataset", first.datasets, other.datasets),
            ("metric", first.metrics, other.metrics),
        ):
            twice = sorted(
                name for name in mine.keys() & theirs.keys() if mine[name] != theirs[name]
            )
            if twice:
                raise ConfigurationError(
                    f"The models {first.source} and {other.source} both have a {kind} {twice[0]}: "
                    "rename one, or leave one file out of GROUNDWIRE_MODELS."
                )
        first = replace(
            first,
            datasets={**first.datasets, **other.datasets},
            relationships=tuple(dict.fromkeys((*first.relationships, *other.relationships))),
            metrics={**first.metrics, **other.metrics},
            problems=(*first.problems, *other.problems),
        )
    return first
