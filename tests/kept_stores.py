"""What tests and evals make once: stores of what comes with the package, and checks of schemas.

Hundreds of tests open servers on a home that is new, and each home gets the same embedded graphs,
labels, sample tables and facts, or graphs of the real data. What is made of files of a test's own
is made each time.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from shared_data import shared_folder

from groundwire.graph import stores
from groundwire.metrics.factbase import FactBase
from groundwire.metrics.profile import Profile
from groundwire.private_files import private_file, private_folder
from groundwire.profiles import metrics_profile
from groundwire.sparql import label_store
from groundwire.sparql.sql import files

ROOT = Path(__file__).parents[1]


class _Kept:
    """Makes of stores, each with what it makes put aside for the next time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._build, self._index, self._sample = stores._build, label_store._write, files._write
        self._facts, self._documents = FactBase._with_facts, FactBase._with_documents

    def copied(self, name: str, place: Path) -> bool:
        """Whether something of this name is kept and could be put where nothing was."""
        kept = self.folder / name
        if not kept.exists() or place.exists():
            return False
        try:
            private_folder(place.parent)
            if kept.is_dir():
                shutil.copytree(kept, place)
            else:
                private_file(place)
                shutil.copyfile(kept, place)
        except OSError:
            # What makes it says what is the matter with the place.
            shutil.rmtree(place, ignore_errors=True)
            with contextlib.suppress(OSError):
                place.unlink(missing_ok=True)
            return False
        return True

    def build(
        self, files: Sequence[stores.Source], root: Path, digest: str, *rest: Any
    ) -> stores.Store:
        kept = (ROOT, shared_folder("data"))
        ours = all(any(map(file.path.is_relative_to, kept)) for file in files)
        if ours and self.copied(digest, root / digest):
            found = stores._existing(root / digest, files)
            if found is not None:
                return found
        made = self._build(files, root, digest, *rest)
        if ours and not (self.folder / digest).exists():
            shutil.copytree(made.path, self.folder / digest)
        return made

    def index(self, store: Path, path: Path, *rest: Any) -> None:
        seal = label_store._seal_file(path)
        if self.copied(path.name, path) and self.copied(seal.name, seal):
            return
        self._index(store, path, *rest)
        if (self.folder / store.name).is_dir():
            for made in (path, seal):
                shutil.copyfile(made, self.folder / made.name)

    def sample(
        self, wanted: files.SampleDefinition, definition: Path, path: Path, *rest: Any
    ) -> None:
        if self.copied(wanted.digest, path):
            return
        self._sample(wanted, definition, path, *rest)
        if definition.is_relative_to(ROOT):
            shutil.copyfile(path, self.folder / wanted.digest)

    def facts(self, base: FactBase, profile: Profile) -> tuple[Any, tuple[str, ...]]:
        place = base.places.facts_of(profile)
        if base.places.facts is not None or base.places.profile != metrics_profile():
            return self._facts(base, profile)
        assert isinstance(place, Path)
        return self._filled(self._facts, base, profile, place)

    def documents(self, base: FactBase, profile: Profile) -> tuple[Any, tuple[str, ...]]:
        if base.places.profile != metrics_profile():
            return self._documents(base, profile)
        return self._filled(self._documents, base, profile, base.places.narrative_of(profile))

    def _filled(
        self,
        fill: Callable[[FactBase, Profile], tuple[Any, tuple[str, ...]]],
        base: FactBase,
        profile: Profile,
        place: Path,
    ) -> tuple[Any, tuple[str, ...]]:
        # A source without a date is known since the day of the import.
        whole = self.folder / f"{base.today()}-{place.name}"
        self.copied(whole.name, place)
        store, problems = fill(base, profile)
        if not whole.exists() and place.is_file() and not problems:
            with (
                contextlib.closing(sqlite3.connect(place)) as made,
                contextlib.closing(sqlite3.connect(whole)) as copy,
            ):
                made.backup(copy)
        return store, problems


@contextlib.contextmanager
def stores_kept(folder: Path) -> Iterator[_Kept]:
    """Keep the embedded stores that this process, and those forked from it, make."""
    made = _Kept(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stores, "_build", made.build)
        patch.setattr(label_store, "_write", made.index)
        patch.setattr(files, "_write", made.sample)
        patch.setattr(FactBase, "_with_facts", lambda *given: made.facts(*given))
        patch.setattr(FactBase, "_with_documents", lambda *given: made.documents(*given))
        yield made


@contextlib.contextmanager
def schemas_checked_once() -> Iterator[None]:
    """Have each published schema checked once by a process, not for each client that reads it.

    The SDK's clients check the schema of a result before they read it, which takes longer than
    most calls.
    """
    check = Draft202012Validator.check_schema
    sound: set[str] = set()

    def check_new(schema: Any, *rest: Any, **named: Any) -> None:
        text = json.dumps(schema, sort_keys=True)
        if text not in sound:
            check(schema, *rest, **named)
            sound.add(text)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Draft202012Validator, "check_schema", staticmethod(check_new))
        yield


@pytest.fixture(scope="session", autouse=True)
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[_Kept]:
    """Keep the embedded stores that the tests of this process make, and check schemas once."""
    with stores_kept(tmp_path_factory.mktemp("kept")) as made, schemas_checked_once():
        yield made


@pytest.fixture
def stores_made_anew(
    kept: _Kept, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Have every store made, for tests of what is told meanwhile."""
    monkeypatch.setattr(kept, "folder", tmp_path_factory.mktemp("anew"))
