"""Fact bases to ask: the embedded one, those drafted from public data, and altered copies."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from itertools import count
from pathlib import Path

from groundwire.metrics.factbase import FactBase, Places, State
from groundwire.metrics.facts.store import SqliteFacts
from groundwire.metrics.importing.draft import draft
from groundwire.metrics.importing.load import import_file
from groundwire.metrics.importing.mapping import parse_mapping
from groundwire.metrics.names import Names
from groundwire.metrics.narrative.store import NarrativeStore
from groundwire.metrics.profile import Entity, Profile, parse_profile
from groundwire.vocabulary import fold
from groundwire.vocabulary.fold import CJK_RUN
from tests.evals.metrics_truth import Key, Truth
from tests.shared_data import shared_folder

ROOT = Path(__file__).parents[2]
TODAY = date(2026, 11, 21)
REAL = shared_folder("data", "metrics")
DRAFTED = {
    "real GDP": "gdp.csv",
    "real population": "population.csv",
    "real SEC": "sec_snow_company_facts.json",
}
_copies = count()


@dataclass(frozen=True)
class World:
    """A fact base with its truth.

    Attributes:
        label: what its classes are called by: "" for the embedded one.
        state: what is asked.
        truth: what its store holds.
        folder: where its copies may be written.
    """

    label: str
    state: State
    truth: Truth
    folder: Path

    @property
    def profile(self) -> Profile:
        return self.state.profile

    @cached_property
    def chinese(self) -> bool:
        """Whether it can be asked in Chinese: its metrics and entities have Chinese names."""
        terms = [*self.profile.metrics[:5], *self.profile.entities[:5]]
        return all(any(map(CJK_RUN.search, one.aliases)) for one in terms)

    @cached_property
    def kinds(self) -> dict[str, frozenset[str]]:
        """Every name of the entities of each kind, folded."""
        return {
            kind: frozenset(
                fold(name)
                for one in self.profile.entities
                if one.kind == kind
                for name in (one.code, one.name, *one.aliases)
            )
            for kind in self.profile.kinds
        }

    @cached_property
    def names(self) -> frozenset[str]:
        """Every name of anything, folded."""
        terms = [
            *((one.code, one.label, *one.aliases) for one in self.profile.metrics),
            *((one.code, one.name, *one.aliases) for one in self.profile.entities),
            *((one.code, one.label, *one.aliases) for one in self.profile.channels),
        ]
        return frozenset(fold(name) for term in terms for name in term)

    def without_facts(self, gone: Collection[Key]) -> World:
        """A copy whose store lacks some facts."""
        truth = self.truth.without(gone)
        store = truth.write(self.folder / f"copy{next(_copies)}.sqlite")
        state = State(self.profile, self.state.names, store, self.state.narrative, ())
        return replace(self, state=state, truth=truth)

    def without_entities(self, gone: Collection[str]) -> World:
        """A copy whose profile lacks some entities; their facts stay in the store."""
        kept = tuple(
            one.model_copy(update={"parent": "" if one.parent in gone else one.parent})
            for one in self.profile.entities
            if one.code not in gone
        )
        return self.with_entities(kept)

    def with_entities(self, entities: tuple[Entity, ...]) -> World:
        """A copy with other entities in its profile."""
        parts = {name: getattr(self.profile, name) for name in Profile.model_fields}
        profile = Profile(**parts | {"entities": entities, "documents": (), "sources": ()})
        store, narrative = self.state.store, self.state.narrative
        return replace(self, state=State(profile, Names(profile), store, narrative, ()))


def open_default(folder: Path) -> World:
    """The embedded profile with its facts."""
    places = Places(ROOT / "profiles/metrics.toml", None, folder)
    state = FactBase(places, today=lambda: TODAY).state()
    if state.problems:
        raise SystemExit(f"the embedded profile is not whole: {state.problems}")
    return World("", state, Truth.read(places.facts_of(state.profile)), folder)


def open_real(folder: Path) -> Iterator[World]:
    """Public data, with the profiles that `groundwire metrics init` drafts for them."""
    for label, name in DRAFTED.items():
        made = draft(REAL / name)
        profile = parse_profile(tomllib.loads(made.profile_toml), name)
        mapping = parse_mapping(tomllib.loads(made.mapping_toml), name)
        path = folder / f"{name}.sqlite"
        store = SqliteFacts(path)
        import_file(REAL / name, mapping, profile, store, today=TODAY)
        state = State(profile, Names(profile), store, NarrativeStore(None), ())
        yield World(label, state, Truth.read(path), folder)
