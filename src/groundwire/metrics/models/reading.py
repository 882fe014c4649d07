"""Read a semantic model from a file, whichever format it has."""

from __future__ import annotations

import threading
from pathlib import Path

from groundwire.errors import ConfigurationError, InputError
from groundwire.metrics.models.dbt_manifest import is_dbt_manifest, read_dbt_manifest
from groundwire.metrics.models.semantic import SemanticModel

_manifests: dict[tuple[Path, str], tuple[tuple[int, int], SemanticModel | None]] = {}
_lock = threading.Lock()


def read_model(path: Path, dialect: str = "duckdb", kept: Path | None = None) -> SemanticModel:
    """Read and check a model: Apache Ossie in YAML or JSON, or dbt's semantic manifest.

    Args:
        path: the file.
        dialect: the engine's, in the names of sqlglot.
        kept: folder in which checked models are kept, or None.

    Returns:
        The model, the same object as long as the file does not change; its `problems` say what was
        left out.

    Raises:
        ConfigurationError: the file cannot be read, or is of none of these formats.
        LimitError: it is larger than a model needs.
    """
    from groundwire.metrics.models.loading import load_model

    return _manifest(path, dialect) or load_model(path, dialect, kept)


def _manifest(path: Path, dialect: str) -> SemanticModel | None:
    """A semantic manifest of dbt, or None where the file is another model."""
    from groundwire.metrics.models.checking import checked
    from groundwire.metrics.models.document import parse_document, read_bytes

    if path.suffix.lower() != ".json":
        return None
    try:
        stat = path.stat()
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error.strerror}.") from None
    stamp = (stat.st_mtime_ns, stat.st_size)
    with _lock:
        known = _manifests.get((path, dialect))
    if known is not None and known[0] == stamp:
        return known[1]
    tree, twice = parse_document(read_bytes(path), path.name)
    if not is_dbt_manifest(tree):
        with _lock:
            _manifests[path, dialect] = (stamp, None)
        return None
    if twice:
        raise ConfigurationError(f"{path.name} has the key {twice[0].key[:60]!r} twice in a place.")
    try:
        model = checked(read_dbt_manifest(tree, path.name), dialect)
    except InputError as error:
        raise ConfigurationError(str(error)) from None
    with _lock:
        _manifests[path, dialect] = (stamp, model)
    return model
