"""How datasets are reached from one another, and which field places their rows in time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.errors import NotFoundError
from groundwire.metrics.models.semantic import Dataset, ModelField, Relationship, SemanticModel

LONGEST_WAY = 8
# More ways to one dataset need not be told apart: two are enough to ask which is meant.
_MOST_WAYS = 4

Way = tuple[int, ...]
"""Relationships by their place in the model, one after another."""


@dataclass(frozen=True, slots=True)
class Reached:
    """A field as it is reached from a dataset.

    Attributes:
        way: relationships from the dataset to that of the field.
        dataset: name of the field's dataset.
        field: the field.
    """

    way: Way
    dataset: str
    field: ModelField


class ManyWaysError(Exception):
    """Several ways lead to a field.

    Attributes:
        ways: the ways, the shortest first, each as the code by which it is asked for.
    """

    def __init__(self, codes: Sequence[str], labels: Sequence[str]) -> None:
        """Keep the codes and what each means."""
        super().__init__(", ".join(codes))
        self.codes = tuple(codes)
        self.labels = tuple(labels)


class NoWayError(Exception):
    """No way leads to a field; the message says why."""


def role_name(relationship: Relationship) -> str:
    """Return the name of what is referred to, in its role: "ship_date"."""
    words = re.findall(r"\w+", relationship.label)
    return "_".join(words).lower() if words else relationship.name


class Joins:
    """The ways of one model, found when they are first asked for."""

    def __init__(self, model: SemanticModel) -> None:
        """Take the model."""
        self.model = model
        self._leaving: dict[str, list[int]] = {}
        for at, one in enumerate(model.relationships):
            self._leaving.setdefault(one.many, []).append(at)
        self._ways: dict[str, dict[str, tuple[Way, ...]]] = {}
        self._folded = {name.casefold(): name for name in model.datasets}

    def ways(self, base: str) -> dict[str, tuple[Way, ...]]:
        """Return the ways from a dataset to each that can be reached, the shortest first.

        A way passes no dataset twice; at most four ways to one dataset are kept.
        """
        if base not in self._ways:
            found: dict[str, list[Way]] = {base: [()]}
            front: list[tuple[Way, tuple[str, ...]]] = [((), (base,))]
            for _ in range(LONGEST_WAY):
                further: list[tuple[Way, tuple[str, ...]]] = []
                for way, passed in front:
                    for at in self._leaving.get(passed[-1], ()):
                        one = self.model.relationships[at].one
                        known = found.setdefault(one, [])
                        if one in passed or len(known) >= _MOST_WAYS:
                            continue
                        known.append((*way, at))
                        further.append(((*way, at), (*passed, one)))
                front = further
            self._ways[base] = {name: tuple(ways) for name, ways in found.items() if ways}
        return self._ways[base]

    def dataset(self, name: str) -> Dataset:
        """Return a dataset by its name; case does not matter where it is not needed.

        Raises:
            NotFoundError: there is none.
        """
        found = self.model.datasets.get(name)
        if found is None:
            found = self.model.datasets.get(self._folded.get(name.casefold(), ""))
        if found is None:
            raise NotFoundError(f"the model has no dataset {name[:80]!r}")
        return found

    def field(self, dataset: Dataset, name: str) -> ModelField:
        """Return a field of a dataset; case does not matter where it is not needed.

        Raises:
            NotFoundError: there is none.
        """
        found = dataset.fields.get(name)
        if found is None:
            alike = [one for one in dataset.fields if one.casefold() == name.casefold()]
            if len(alike) != 1:
                raise NotFoundError(f"the dataset {dataset.name} has no field {name[:80]!r}")
            found = dataset.fields[alike[0]]
        return found

    def reach(self, base: str, parts: Sequence[str]) -> Reached:
        """Return the field that a code names, reached from a dataset.

        Args:
            base: where to start.
            parts: ("store", "s_state"), or with roles ("store_sales", "ship_date", "d_year").

        Raises:
            NotFoundError: the field does not exist.
            ManyWaysError: several ways lead to it.
            NoWayError: none does.
        """
        start, *roles, name = parts
        found = self.dataset(start)
        tail, end = self._follow(found, roles)
        field = self.field(end, name)
        ways: tuple[Way, ...] = self.ways(base).get(found.name, ())
        if not ways:
            raise NoWayError(self._why_not(base, found.name))
        first, *others = ways
        if others:
            both = [(*way, *tail) for way in ways]
            raise ManyWaysError(
                [self.code(base, way, field.name) for way in both],
                [self.words(base, way) for way in both],
            )
        return Reached((*first, *tail), end.name, field)

    def _follow(self, start: Dataset, roles: Sequence[str]) -> tuple[Way, Dataset]:
        way: list[int] = []
        at = start
        for role in roles:
            fitting = [
                number
                for number in self._leaving.get(at.name, ())
                if role
                in (
                    self.model.relationships[number].name,
                    role_name(self.model.relationships[number]),
                )
            ]
            if len(fitting) != 1:
                raise NotFoundError(f"the dataset {at.name} refers to nothing as {role[:80]!r}")
            way.append(fitting[0])
            at = self.model.datasets[self.model.relationships[fitting[0]].one]
        return tuple(way), at

    def end(self, dataset: str, role: str) -> str:
        """Return the dataset that another refers to in a role.

        Raises:
            NotFoundError: it refers to nothing so.
        """
        return self._follow(self.model.datasets[dataset], [role])[1].name

    def _why_not(self, base: str, target: str) -> str:
        if base in self.ways(target):
            return (
                f"one row of {base} has many rows of {target}: what {base} counts has no single "
                f"value of {target}"
            )
        return f"no relationship leads from {base} to {target}"

    def code(self, base: str, way: Way, name: str) -> str:
        """Return the shortest code that names a field at the end of a way, from a dataset."""
        if len(way) == 0:
            return f"{base}.{name}"
        one = self.model.relationships[way[-1]].one
        if len(self.ways(base).get(one, ())) == 1:
            return f"{one}.{name}"
        for first in range(len(way) - 1, -1, -1):
            start = self.model.relationships[way[first]].many
            if len(self.ways(base).get(start, ())) == 1:
                roles = self._roles(way[first:])
                return ".".join((start, *roles, name))
        return ".".join((base, *self._roles(way), name))

    def _roles(self, way: Way) -> list[str]:
        """Roles along a way; the name of the relationship where two roles are called alike."""
        found: list[str] = []
        for at in way:
            one = self.model.relationships[at]
            name = role_name(one)
            alike = [
                other
                for other in self._leaving[one.many]
                if role_name(self.model.relationships[other]) == name
            ]
            found.append(name if len(alike) == 1 else one.name)
        return found

    def words(self, base: str, way: Way) -> str:
        """Say a way: "store_sales, its ship date (date_dim)"."""
        said = [base]
        for at in way:
            one = self.model.relationships[at]
            said.append(f"its {one.label or one.name} ({one.one})")
        return ", ".join(said)


TIME_TYPES = ("date", "timestamp")


def is_day_field(field: ModelField) -> bool:
    """Return whether a field is a time that has days."""
    return field.is_time and field.datatype in TIME_TYPES


def day_field(model: SemanticModel, joins: Joins, base: str, told: str) -> Reached:
    """Return the field that places the rows of a dataset in time.

    What the metric says comes first, then what the dataset says, then the only date that the
    dataset has, then the only date of the datasets that it refers to directly.

    Raises:
        ManyWaysError: there are several.
        NoWayError: there is none.
    """
    dataset = model.datasets[base]
    if told:
        try:
            return joins.reach(base, told.split("."))
        except (NotFoundError, NoWayError):
            if told.split(".")[0] == base:
                raise NoWayError(f"the model has no field {told}") from None
    if dataset.time_field:
        return _named(joins, dataset)
    own = [one for one in dataset.fields.values() if is_day_field(one)]
    if len(own) == 1:
        return Reached((), base, own[0])
    if own:
        codes = [f"{base}.{one.name}" for one in own]
        raise ManyWaysError(codes, [one.label or one.name for one in own])
    found: list[Reached] = []
    for ways in joins.ways(base).values():
        for way in ways:
            if len(way) == 1:
                one = model.datasets[model.relationships[way[0]].one]
                found += [
                    Reached(way, one.name, field)
                    for field in one.fields.values()
                    if is_day_field(field)
                ]
    if not found:
        raise NoWayError(f"neither {base} nor what it refers to has a date")
    if len(found) > 1:
        codes = [joins.code(base, one.way, one.field.name) for one in found]
        raise ManyWaysError(codes, [joins.words(base, one.way) for one in found])
    return found[0]


def _named(joins: Joins, dataset: Dataset) -> Reached:
    parts = dataset.time_field.split(".")
    try:
        return joins.reach(dataset.name, [dataset.name, *parts] if len(parts) == 1 else parts)
    except NotFoundError as problem:
        raise NoWayError(str(problem)) from None
