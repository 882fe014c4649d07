"""Messages on a store that another version of Groundwire wrote."""

from __future__ import annotations

from pathlib import Path

from groundwire.errors import ConfigurationError


def other_version(
    what: str, path: Path | str | None, version: int, known: int, content: str
) -> ConfigurationError:
    """The error to raise for a store whose tables are of another version.

    Tables of another version are not converted: the content of a profile is imported again by
    itself, and what a user imported is in the user's files.

    Args:
        what: what messages call the store.
        path: its file.
        version: the version of its tables.
        known: the version that this Groundwire reads.
        content: what it holds: "facts" or "documents".
    """
    way_out = "update Groundwire"
    if version < known:
        way_out = (
            f"move {path or 'it'} away and import the {content} again (those that come with the "
            "profile come back by themselves)"
        )
    return ConfigurationError(
        f"{what} has version {version}, this Groundwire reads version {known}: {way_out}."
    )
