"""The embedded SHACL shapes and the sample catalogue that they describe."""

from pathlib import Path

FOLDER = Path(__file__).parent
_CATALOGUE = "catalogue.ttl"


def shape_files() -> list[Path]:
    """The shape and ontology files, sorted by name."""
    return sorted(path for path in FOLDER.glob("*.ttl") if path.name != _CATALOGUE)


def catalogue_file() -> Path:
    """The sample catalogue."""
    return FOLDER / _CATALOGUE
