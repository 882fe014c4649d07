"""Where a fact base lies: its profile, its facts, and the file of its documents."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

# A server names its fact base when it starts, and reads no profile before the first call.
if TYPE_CHECKING:
    from groundwire.metrics.profile import Profile
    from groundwire.state import StatePlace

_MARK_LENGTH = 8


@dataclass(frozen=True, slots=True)
class Places:
    """Where a fact base lies.

    Attributes:
        profile: the profile's file.
        facts: the file or the database of the facts, or None for the file that belongs to the
            profile.
        home: folder for what belongs to no named file.
        models: files of the semantic models of a warehouse; empty where there is none.
        warehouse: URL of its engine, or "".
    """

    profile: Path
    facts: StatePlace | None
    home: Path
    models: tuple[Path, ...] = ()
    warehouse: str = ""

    @property
    def mark(self) -> str:
        """Short hash of where the profile lies: two profiles may have one name."""
        # Links are not followed: one that is set to a newer profile keeps what was imported.
        where = os.path.abspath(self.profile)  # noqa: PTH100
        return hashlib.sha256(os.fsencode(where)).hexdigest()[:_MARK_LENGTH]

    def facts_of(self, profile: Profile) -> StatePlace:
        """Where the facts of a profile are; by default a file named after it and where it lies.

        A profile that is moved has a new file, into which facts are taken anew.
        """
        return self.facts or self._own(profile)

    def _own(self, profile: Profile) -> Path:
        return self.home / "facts" / f"{profile.profile.name}-{self.mark}.sqlite"

    def narrative_of(self, profile: Profile) -> Path:
        """The file of the documents of a profile, beside its facts where they are in a file."""
        facts = self.facts if isinstance(self.facts, Path) else self._own(profile)
        return facts.with_name(f"{facts.stem}.narrative.sqlite")
