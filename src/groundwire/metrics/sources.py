"""Facts and documents that come with a profile, taken into its stores when those are opened."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import date
from pathlib import Path

from groundwire.errors import ConfigurationError, InputError, UnavailableError
from groundwire.metrics.facts.store import SqliteFacts
from groundwire.metrics.narrative.store import NarrativeStore
from groundwire.metrics.profile import Profile

Progress = Callable[[str, int, int], None]


def take_in_facts(
    profile: Profile, folder: Path, store: SqliteFacts, today: date, progress: Progress | None
) -> tuple[str, ...]:
    """Import the facts that a profile names and the store does not hold yet.

    Args:
        profile: the profile.
        folder: what its files are relative to.
        store: where facts go.
        today: the day of the import, for sources that have no date.
        progress: told the kind of work, how much is done and how much there is.

    Returns:
        what could not be imported, one line each.

    Raises:
        UnavailableError: the store cannot be read, or what is missing cannot be written to it.
    """
    from groundwire.metrics.importing.load import import_file
    from groundwire.metrics.importing.mapping import load_mapping

    problems: list[str] = []
    held = {one.document.sha256 for one in store.documents()}
    for source in profile.sources:
        path = folder / source.file
        try:
            if _sha256(path) not in held:
                mapping = load_mapping(folder / source.mapping)
                import_file(path, mapping, profile, store, progress=progress, today=today)
        except (InputError, ConfigurationError) as error:
            problems.append(f"{source.file}: {error}")
    return tuple(problems)


def take_in_documents(
    profile: Profile, folder: Path, narrative: NarrativeStore, today: date
) -> tuple[str, ...]:
    """Import the documents that a profile names, each with the level that it has now.

    Args:
        profile: the profile.
        folder: what its files are relative to.
        narrative: where documents go.
        today: the day of the import.

    Returns:
        what could not be imported, one line each.

    Raises:
        UnavailableError: the store cannot be read, or what is missing cannot be written to it.
    """
    from groundwire.metrics.narrative.ingest import import_document

    problems: list[str] = []
    held = {document.sha256 for document in narrative.documents()}
    for document in profile.documents:
        path = folder / document.file
        try:
            import_document(
                path,
                narrative,
                profile,
                title=document.title,
                entity=document.entity,
                period_text=document.period,
                sensitivity=document.sensitivity,
                today=today,
            )
        except UnavailableError:
            if _sha256(path) not in held:
                raise
        except (InputError, ConfigurationError) as error:
            problems.append(f"{document.file}: {error}")
    return tuple(problems)


def _sha256(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ConfigurationError(
            f"it cannot be read ({error.strerror}): correct its entry in the profile"
        ) from error
