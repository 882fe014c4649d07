"""The embedded profiles, with the facts and documents that they name."""

from pathlib import Path

FOLDER = Path(__file__).parent


def metrics_profile() -> Path:
    """The default profile of the metrics server."""
    return FOLDER / "metrics.toml"


def warehouse() -> tuple[Path, Path]:
    """The semantic model of the embedded warehouse, and the folder that holds its tables."""
    return FOLDER / "tolvarne_shops.yaml", FOLDER / "tolvarne_shops"


def endpoint_registry() -> Path:
    """The default endpoint registry of the sparql server; openlink.toml beside it is another."""
    return FOLDER / "endpoints.toml"


def sparql_help() -> list[Path]:
    """Groundwire's own help as RDF: questions, terms and instructions."""
    return [FOLDER / f"help_{part}.ttl" for part in ("questions", "terms", "howto")]


def sparql_countries() -> Path:
    """The countries of the world as RDF: capitals, borders, languages, currencies, populations."""
    return FOLDER / "countries.ttl"


def sparql_sample() -> Path:
    """The definition of the sample tables of the sparql server."""
    return FOLDER / "sparql_sample.toml"


def learning_profile() -> Path:
    """The file of the rules of concept graphs and of the thresholds of diagnoses."""
    return FOLDER / "learning.toml"


def learning_sample() -> tuple[Path, Path, Path, Path, Path]:
    """The text, cards, log, concepts and rules of the sample of the learning server."""
    return (
        FOLDER / "learning_sample.md",
        FOLDER / "learning_sample.csv",
        FOLDER / "learning_sample_log.csv",
        FOLDER / "learning_sample_graph.json",
        learning_profile(),
    )


def london_network() -> Path:
    """Stops, lines and running times of London, for planning without a connection."""
    return FOLDER / "london_network.json"


def london_places() -> Path:
    """Well-known places of London, for planning without a connection."""
    return FOLDER / "london_places.csv"
