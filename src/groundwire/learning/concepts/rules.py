"""The limits of a concept graph: types of nodes, relations and limits, from `learning.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from groundwire.config import read_toml, validated
from groundwire.vocabulary.fold import fold

_REMEDY = "install Groundwire again, which brings it"


class _Part(BaseModel):
    """A part of the profile."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class Limits(_Part):
    """How much one list of changes may hold: `[graph]`. Lengths are in characters.

    `mastered_at` is the estimate from which a prerequisite counts as met.
    """

    most_operations: int = Field(400, ge=1)
    most_aliases: int = Field(20, ge=0)
    longest_name: int = Field(200, ge=1)
    longest_definition: int = Field(4_000, ge=1)
    longest_rationale: int = Field(2_000, ge=1)
    most_quotes: int = Field(100, ge=0)
    longest_quote: int = Field(2_000, ge=1)
    mastered_at: float = Field(0.85, gt=0, lt=1)


class NodeType(_Part):
    """A type of nodes: `[nodes.NAME]`."""

    means: str


class Relation(_Part):
    """A relation of two nodes: `[relations.NAME]`.

    Attributes:
        reads: what stands between source and target in a sentence ("is a prerequisite of").
        inverse: name of the same relation the other way round, or empty.
        acyclic: whether no path of it may lead back to where it began.
        symmetric: whether it has no direction.
        same_type: whether both ends have one type.
        sources: types that the source may have (`from` in the file).
        targets: types that the target may have (`to` in the file).
    """

    reads: str
    inverse: str = ""
    acyclic: bool = False
    symmetric: bool = False
    same_type: bool = False
    sources: tuple[str, ...] = Field(alias="from")
    targets: tuple[str, ...] = Field(alias="to")

    @model_validator(mode="after")
    def _has_direction(self) -> Relation:
        if self.acyclic and self.symmetric:
            raise ValueError("a relation without direction cannot be acyclic")
        return self


class Rules(_Part):
    """The types, relations and limits of a graph."""

    graph: Limits = Field(default_factory=lambda: Limits.model_validate({}))
    nodes: Mapping[str, NodeType]
    relations: Mapping[str, Relation]

    @model_validator(mode="after")
    def _ends_are_types(self) -> Rules:
        for name, relation in self.relations.items():
            for kind in (*relation.sources, *relation.targets):
                if kind not in self.nodes:
                    raise ValueError(f"relations.{name} names {kind}, which is no type of nodes")
        return self

    @cached_property
    def _names(self) -> dict[str, tuple[str, bool]]:
        """Relations by their folded names; True where the name is that of the inverse."""
        found = {fold(one.inverse): (name, True) for name, one in self.relations.items()}
        found |= {fold(one.reads): (name, False) for name, one in self.relations.items()}
        return found | {fold(name): (name, False) for name in self.relations}

    def relation_named(self, raw: str) -> tuple[str, bool] | None:
        """Return a relation by its name, its reading or the name of its inverse.

        Returns:
            the relation's name, and whether source and target are to be exchanged; None where no
            relation is called so.
        """
        return self._names.get(fold(raw)) if raw and len(raw) <= self.graph.longest_name else None


def read_rules(path: Path) -> Rules:
    """Read the rules of concept graphs from a profile of learning.

    Raises:
        ConfigurationError: it cannot be read as TOML, or its rules are not valid.
    """
    stat = path.stat() if path.exists() else None
    return _read(path, stat.st_mtime_ns if stat else 0)


@lru_cache(maxsize=8)
def _read(path: Path, changed_ns: int) -> Rules:
    tree: dict[str, Any] = read_toml(path, "profile of learning", _REMEDY)
    kept = {key: tree[key] for key in ("graph", "nodes", "relations") if key in tree}
    return validated(Rules, kept, str(path), "profile of learning")
