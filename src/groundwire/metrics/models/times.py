"""Which field places the rows of a dataset in time."""

from __future__ import annotations

from groundwire.errors import NotFoundError
from groundwire.metrics.models.joins import Joins, ManyWaysError, NoWayError, Reached
from groundwire.metrics.models.semantic import Dataset, ModelField, SemanticModel

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
