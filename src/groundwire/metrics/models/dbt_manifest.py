"""dbt's `semantic_manifest.json`, as `dbt parse` writes it, read into a semantic model.

What its keys mean is from the classes of dbt-semantic-interfaces and of MetricFlow 0.213, which
write and read the file. Both layouts are read: metrics that name a measure of a semantic model, and
metrics that hold their own aggregation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from groundwire.errors import InputError
from groundwire.metrics.models.dbt_filters import GRAINS, identifier
from groundwire.metrics.models.dbt_metrics import Measure, MetricReader
from groundwire.metrics.models.document import (
    Problems,
    Tree,
    list_of,
    meta_of,
    named,
    text_of,
    tree_of,
    unknown_keys,
    words_of,
)
from groundwire.metrics.models.semantic import (
    Dataset,
    ModelField,
    Relationship,
    SemanticModel,
)

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*")
_RELATION_PART = re.compile(r"\"((?:[^\"]|\"\")*)\"|`([^`]*)`|\[([^\[\]]*)\]|([^\s.\"`\[\];'()]+)")
_IDENTIFYING = ("primary", "unique", "natural")
_SEMANTIC_MODEL_KEYS = frozenset(
    [
        "name",
        "defaults",
        "description",
        "node_relation",
        "primary_entity",
        "entities",
        "measures",
        "dimensions",
        "label",
        "metadata",
        "config",
    ]
)


@dataclass(frozen=True, slots=True)
class _Entity:
    """An entity of a dataset: its type, and its column, or "" where an expression stands."""

    name: str
    type: str
    column: str
    label: str


@dataclass(frozen=True, slots=True)
class _Source:
    """A dataset with what joins and measures need of it."""

    dataset: Dataset
    entities: Mapping[str, _Entity]
    measures: Mapping[str, Measure]
    partitions: tuple[str, ...]
    is_valid_for_a_time: bool
    primary_entity: str


def is_dbt_manifest(tree: object) -> bool:
    """Whether a tree of JSON has the keys of a semantic manifest."""
    found = tree_of(tree)
    return "semantic_models" in found and "metrics" in found


def read_dbt_manifest(tree: Mapping[str, Any], source: str) -> SemanticModel:
    """Read a semantic manifest.

    Args:
        tree: the parsed file.
        source: the file, for messages.

    Returns:
        The model; its `problems` say what was left out and what is doubtful.

    Raises:
        InputError: the tree is not a semantic manifest.
    """
    if not is_dbt_manifest(tree):
        raise InputError(
            f"{source} is no semantic manifest of dbt: it has no semantic_models and metrics. Run "
            "`dbt parse` and take target/semantic_manifest.json."
        )
    problems = Problems()
    sources: dict[str, _Source] = {}
    for name, entry in named(tree, "semantic_models", "", problems).items():
        if (one := _source(name, entry, problems)) is not None:
            sources[name] = one
    relationships = tuple(_relationships(sources, problems))
    metrics = MetricReader(
        {name: one.dataset for name, one in sources.items()},
        {name: _identifying(one) for name, one in sources.items()},
        {name: one.measures for name, one in sources.items()},
        relationships,
        problems,
    )
    read = metrics.read(named(tree, "metrics", "", problems))
    _tell_calendars(tree, problems)
    return SemanticModel(
        name=_model_name(source),
        datasets=metrics.datasets,
        relationships=relationships,
        metrics=read,
        problems=tuple(problems.found),
        source=source,
    )


def _model_name(source: str) -> str:
    stem = re.split(r"[\\/]", source)[-1].removesuffix(".json")
    return re.sub(r"[^A-Za-z0-9_]+", "_", stem).strip("_") or "dbt"


def _source(name: str, entry: Tree, problems: Problems) -> _Source | None:
    """A semantic model as a dataset, or None where its table cannot be read."""
    place = f"semantic_models.{name}"
    unknown_keys(entry, _SEMANTIC_MODEL_KEYS, place, problems)
    table = _relation(tree_of(entry.get("node_relation")))
    if not table:
        problems.error(f"{place}.node_relation", "names no table, so the dataset is left out")
        return None
    meta = meta_of(entry)
    level = text_of(meta, "level")
    fields: dict[str, ModelField] = {}
    dimensions = named(entry, "dimensions", f"{place}.", problems)
    for key, dimension in dimensions.items():
        fields[key] = _dimension(key, dimension, level, f"{place}.dimensions.{key}", problems)
    entities: dict[str, _Entity] = {}
    for key, entity in named(entry, "entities", f"{place}.", problems).items():
        entities[key] = _entity(key, entity, f"{place}.entities.{key}", problems)
        if key not in fields:
            fields[key] = _entity_field(key, entity, level)
    time_field = text_of(tree_of(entry.get("defaults")), "agg_time_dimension")
    if time_field and (time_field not in fields or not fields[time_field].is_time):
        problems.error(
            f"{place}.defaults.agg_time_dimension",
            f"names {time_field!r}, which is no time dimension of it: metrics have no time",
        )
        time_field = ""
    dataset = Dataset(
        name=name,
        source=table,
        fields=fields,
        primary_key=_key(entities, ("primary",)),
        unique_keys=tuple(
            (one.column,) for one in entities.values() if one.type == "unique" and one.column
        ),
        time_field=time_field,
        label=text_of(entry, "label") or text_of(meta, "label"),
        description=text_of(entry, "description"),
        synonyms=words_of(meta, "synonyms"),
        row_filter=text_of(meta, "row_filter"),
    )
    measures = {
        key: Measure(name, key, measure, f"{place}.measures.{key}")
        for key, measure in named(entry, "measures", f"{place}.", problems).items()
    }
    return _Source(
        dataset,
        entities,
        measures,
        tuple(key for key, one in dimensions.items() if one.get("is_partition") is True),
        any(tree_of(one.get("type_params")).get("validity_params") for one in dimensions.values()),
        text_of(entry, "primary_entity"),
    )


def _relation(node: Tree) -> str:
    """The table of a node, in parts that are quoted where they are not plain; "" for none."""
    parts: list[str] = []
    relation = text_of(node, "relation_name")
    at = 0
    while relation and at < len(relation):
        found = _RELATION_PART.match(relation, at)
        if found is None:
            return ""
        parts.append(next(one for one in found.groups() if one is not None).replace('""', '"'))
        at = found.end()
        if at < len(relation) and relation[at] != ".":
            return ""
        at += 1
    if not relation:
        parts = [text_of(node, key) for key in ("database", "schema_name", "alias")]
        parts = [one for one in parts if one] if parts[-1] else []
    if len(parts) > 3 or not all(parts):
        return ""
    return ".".join(identifier(one) for one in parts)


def _dimension(name: str, entry: Tree, level: str, place: str, problems: Problems) -> ModelField:
    meta = meta_of(entry)
    kind = text_of(entry, "type").lower()
    grain = ""
    if kind == "time":
        grain = text_of(tree_of(entry.get("type_params")), "time_granularity").lower() or "day"
        if grain not in GRAINS:
            finer = grain in ("millisecond", "microsecond", "nanosecond")
            if not finer:
                problems.doubt(f"{place}.type_params", f"has the grain {grain[:40]!r}: day it is")
            grain = "second" if finer else "day"
    elif kind != "categorical":
        problems.doubt(f"{place}.type", f"is {kind[:40]!r}: it is read as categorical")
    return ModelField(
        name=name,
        expression={"": text_of(entry, "expr") or identifier(name)},
        label=text_of(entry, "label") or text_of(meta, "label"),
        description=text_of(entry, "description"),
        synonyms=words_of(meta, "synonyms"),
        datatype="timestamp" if grain in ("second", "minute", "hour") else "",
        is_time=kind == "time",
        grain=grain,
        time_zone=text_of(meta, "time_zone"),
        level=text_of(meta, "level") or level,
    )


def _entity(name: str, entry: Tree, place: str, problems: Problems) -> _Entity:
    kind = text_of(entry, "type").lower()
    if kind not in (*_IDENTIFYING, "foreign"):
        problems.error(f"{place}.type", f"is {kind[:40]!r}: nothing is joined by it")
    column = text_of(entry, "expr") or name
    quoted = re.fullmatch(r'"([^"]+)"|`([^`]+)`', column)
    if quoted:
        column = quoted[1] or quoted[2]
    elif not _IDENTIFIER.fullmatch(column):
        problems.doubt(
            f"{place}.expr", "is an expression: joins go by columns, so nothing is joined by it"
        )
        column = ""
    return _Entity(name, kind, column, text_of(entry, "label"))


def _entity_field(name: str, entry: Tree, level: str) -> ModelField:
    meta = meta_of(entry)
    return ModelField(
        name=name,
        expression={"": text_of(entry, "expr") or identifier(name)},
        label=text_of(entry, "label") or text_of(meta, "label"),
        description=text_of(entry, "description"),
        synonyms=words_of(meta, "synonyms"),
        level=text_of(meta, "level") or level,
    )


def _key(entities: Mapping[str, _Entity], kinds: tuple[str, ...]) -> tuple[str, ...]:
    """The column of the first entity of these kinds."""
    for one in entities.values():
        if one.type in kinds and one.column:
            return (one.column,)
    return ()


def _identifying(source: _Source) -> frozenset[str]:
    """Names of the entities whose dimensions a dataset holds."""
    found = {key for key, entity in source.entities.items() if entity.type in _IDENTIFYING}
    return frozenset(found | {source.primary_entity} - {""})


def _relationships(sources: Mapping[str, _Source], problems: Problems) -> Iterator[Relationship]:
    """Joins from each dataset that has an entity to those that it identifies a row of."""
    holders: dict[str, list[tuple[str, _Entity]]] = {}
    for name, source in sources.items():
        for key, entity in source.entities.items():
            if entity.column and entity.type in (*_IDENTIFYING, "foreign"):
                holders.setdefault(key, []).append((name, entity))
    for key, found in holders.items():
        for one, target in found:
            if target.type in ("primary", "unique") and not sources[one].is_valid_for_a_time:
                for many, entity in found:
                    if many != one:
                        yield from _relationship(key, many, entity, one, target, sources, problems)
            elif target.type != "foreign":
                problems.doubt(
                    f"semantic_models.{one}.entities.{key}",
                    "its rows are valid for a span of time: joins to it are left out",
                )


def _relationship(
    key: str,
    many: str,
    entity: _Entity,
    one: str,
    target: _Entity,
    sources: Mapping[str, _Source],
    problems: Problems,
) -> Iterator[Relationship]:
    many_columns, one_columns = [entity.column], [target.column]
    for partition in sources[one].partitions:
        # Rows of a partitioned dataset are identified together with their partition.
        if partition not in sources[many].partitions:
            problems.doubt(
                f"semantic_models.{one}.dimensions.{partition}",
                f"is a partition that {many} does not have: {many} is not joined to it by {key}",
            )
            return
        for columns, name in ((many_columns, many), (one_columns, one)):
            column = sources[name].dataset.fields[partition].expression[""]
            columns.append(column.strip('"'))
    if not all(_IDENTIFIER.fullmatch(column) for column in (*many_columns[1:], *one_columns[1:])):
        problems.doubt(
            f"semantic_models.{one}.dimensions", f"a partition is no column: {many} is not joined"
        )
        return
    yield Relationship(
        name=f"{many}_to_{one}_by_{key}",
        many=many,
        one=one,
        many_columns=tuple(many_columns),
        one_columns=tuple(one_columns),
        label=entity.label,
    )


def _tell_calendars(tree: Tree, problems: Problems) -> None:
    """Tell grains of calendars of one's own, which no query can name."""
    configuration = tree_of(tree.get("project_configuration"))
    for index, spine in enumerate(list_of(configuration, "time_spines")):
        own = [
            text_of(tree_of(one), "name")[:40]
            for one in list_of(tree_of(spine), "custom_granularities")
        ]
        if own:
            problems.doubt(
                f"project_configuration.time_spines[{index}].custom_granularities",
                f"grains of a calendar of its own are not read: {', '.join(own[:8])}",
            )
