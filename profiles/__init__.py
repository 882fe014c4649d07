"""The embedded profiles, with the facts and documents that they name."""

from pathlib import Path

FOLDER = Path(__file__).parent


def metrics_profile() -> Path:
    """The default profile of the metrics server."""
    return FOLDER / "metrics.toml"


def endpoint_registry() -> Path:
    """The default endpoint registry of the sparql server; openlink.toml beside it is another."""
    return FOLDER / "endpoints.toml"
