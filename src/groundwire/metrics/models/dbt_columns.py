"""Which column a call in a filter of dbt's manifest stands for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from groundwire.errors import InputError
from groundwire.metrics.models.dbt_filters import Call, identifier
from groundwire.metrics.models.semantic import ModelField, Relationship


@dataclass(frozen=True, slots=True)
class Base:
    """Where the rows of a metric come from: a dataset, and the field of its time."""

    dataset: str
    time_field: str


class Columns:
    """The columns of a manifest by their entities and names."""

    def __init__(
        self,
        fields: Mapping[str, Mapping[str, ModelField]],
        identifying: Mapping[str, frozenset[str]],
        relationships: Sequence[Relationship],
    ) -> None:
        """Take what columns there are.

        Args:
            fields: of each dataset, by name.
            identifying: of each dataset, names of the entities whose dimensions it holds.
            relationships: joins from many to one.
        """
        self._fields = fields
        self._identifying = identifying
        self._onward: dict[str, set[str]] = {}
        for one in relationships:
            self._onward.setdefault(one.many, set()).add(one.one)
        self._distances: dict[str, dict[str, int]] = {}

    def is_time(self, dataset: str, field: str) -> bool:
        """Return whether a dataset has such a field, and it is a time."""
        found = self._fields[dataset].get(field)
        return found is not None and found.is_time

    def resolve(self, call: Call, base: Base) -> str:
        """The column that a call of a filter stands for.

        Raises:
            InputError: there is none, or more than one.
        """
        if call.is_metric_time:
            if not base.time_field:
                raise InputError(f"it names metric_time, but {base.dataset} has no time of its own")
            return self._timed(call, base.dataset, base.time_field)
        name = call.name
        if call.kind == "entity" or not call.entities:
            # Without an entity, a name is one of the metric's own dataset.
            if name in self._fields[base.dataset]:
                return self._timed(call, base.dataset, name)
            owners = [key for key, own in self._identifying.items() if name in own]
        else:
            entity = call.entities[-1]
            owners = [
                key
                for key, own in self._identifying.items()
                if entity in own and name in self._fields[key]
            ]
        return self._timed(call, self._nearest(owners, call, base), name)

    def _nearest(self, owners: Sequence[str], call: Call, base: Base) -> str:
        distances = self._reachable(base.dataset)
        near = sorted((distances[one], one) for one in owners if one in distances)
        shown = "__".join((*call.entities, call.name))
        if not near:
            raise InputError(f"it names {shown[:80]}, which {base.dataset} is not joined to")
        nearest = [one for distance, one in near if distance == near[0][0]]
        if len(nearest) > 1:
            raise InputError(f"it names {shown[:80]}, which {' and '.join(nearest[:3])} have")
        return nearest[0]

    def _reachable(self, dataset: str) -> dict[str, int]:
        """Datasets by the number of joins to them."""
        if dataset not in self._distances:
            found = {dataset: 0}
            waiting = [dataset]
            for one in waiting:
                for other in sorted(self._onward.get(one, ())):
                    if other not in found:
                        found[other] = found[one] + 1
                        waiting.append(other)
            self._distances[dataset] = found
        return self._distances[dataset]

    def _timed(self, call: Call, dataset: str, field: str) -> str:
        """The column, after a check that a grain is asked of times only."""
        is_time = self.is_time(dataset, field)
        if (call.grain or call.date_part or call.kind == "time") and not is_time:
            raise InputError(f"it takes the time of {dataset}.{field}, which is no time")
        return column_of(dataset, field)


def column_of(dataset: str, field: str) -> str:
    """Return `dataset.field` as SQL writes it."""
    return f"{identifier(dataset)}.{identifier(field)}"
