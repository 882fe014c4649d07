"""Scopes of a question while it is read: assets, the assets they refer to, and conditions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import JsonValue

Slots = dict[str, Any]

_SIDES = {"min": "low", "gt": "low", "max": "high", "lt": "high"}


@dataclass(slots=True)
class Conditions:
    """Conditions on one property."""

    any_of: list[str | bool] = field(default_factory=list[str | bool])
    all_of: list[str | bool] = field(default_factory=list[str | bool])
    none_of: list[str | bool] = field(default_factory=list[str | bool])
    contains: list[str | bool] = field(default_factory=list[str | bool])
    exists: bool | None = None

    @property
    def says_only_exists(self) -> bool:
        """Whether nothing is demanded but that there is a value, as any bound does too."""
        said = self.any_of or self.all_of or self.none_of or self.contains
        return self.exists is True and not said

    def sent(self) -> JsonValue:
        """The condition as `submit_slots` takes it."""
        parts: dict[str, Any] = {
            name: values
            for name in ("any_of", "all_of", "none_of", "contains")
            if (values := list(getattr(self, name)))
        }
        demanded = self.any_of or self.all_of or self.contains
        if self.exists is not None and not (self.exists and demanded):
            # What has a certain value has one.
            parts["exists"] = self.exists
        if set(parts) == {"any_of"}:
            values = parts["any_of"]
            return values[0] if len(values) == 1 else values
        return parts


@dataclass(slots=True)
class Scope:
    """Assets of one kind.

    Attributes:
        domains: the kind; several for assets of any of them; none where the question names none.
        parent: the assets that refer to these, or None.
        implied: nothing but a condition that is read in them speaks of these assets.
        left_out: conditions are read and not sent, since the reference itself cannot be.
        none: no such assets must be connected.
    """

    domains: list[str] = field(default_factory=list[str])
    parent: Scope | None = None
    left_out: bool = False
    implied: bool = False
    none: bool = False
    filters: dict[str, Conditions] = field(default_factory=dict[str, Conditions])
    ranges: dict[str, dict[str, Any]] = field(default_factory=dict[str, "dict[str, Any]"])
    references: list[Scope] = field(default_factory=list["Scope"])

    @property
    def is_void(self) -> bool:
        """Whether nothing is asked of these assets."""
        said = self.filters or self.ranges or self.references
        return self.left_out or (self.implied and not said)

    def chain(self) -> Iterator[Scope]:
        """This scope and those around it, innermost first."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent

    def add_values(self, key: str, values: Sequence[str | bool], how: str) -> None:
        """Demand values of a property: any_of, all_of or none_of, or a text that it contains."""
        held = self.filters.setdefault(key, Conditions())
        before = len(held.any_of) == 1 or (held.all_of and not held.any_of)
        if how == "any_of" and before and len(values) == 1:
            # Two conditions on one property hold together.
            held.all_of += [*held.any_of, *values]
            held.any_of = []
            return
        getattr(held, how).extend(value for value in values if value not in getattr(held, how))

    def add_exists(self, key: str, said: bool) -> None:
        """Demand that a property has a value, or none."""
        self.filters.setdefault(key, Conditions()).exists = said

    def add_range(self, key: str, bounds: Mapping[str, Any]) -> bool:
        """Demand bounds of a property; False where another one of the same side is demanded."""
        held = self.ranges.setdefault(key, {})
        taken = {_SIDES[side] for side, value in held.items() if bounds.get(side) != value}
        if taken & {_SIDES[side] for side in bounds}:
            return False
        held.update(bounds)
        return True

    def sent(self) -> Slots:
        """Slots of `submit_slots`; of a reference, what stands in its place."""
        slots: Slots = {}
        if self.parent is not None:
            slots["domain"] = self.domains[0]
            if self.none:
                slots["none"] = True
        elif self.domains:
            slots["domains"] = list(self.domains)
        filters = {
            key: held.sent()
            for key, held in self.filters.items()
            if not (held.says_only_exists and key in self.ranges)
        }
        if filters:
            slots["filters"] = filters
        if self.ranges:
            slots["ranges"] = {key: dict(bounds) for key, bounds in self.ranges.items()}
        references = [one.sent() for one in self.references if not one.is_void]
        if references:
            slots["references"] = references
        return slots
