"""`groundwire metrics model lint|show|draft`."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.errors import GroundwireError, InputError, UnavailableError

if TYPE_CHECKING:
    from groundwire.metrics.models.semantic import SemanticModel
    from groundwire.metrics.models.warehouse import Compiler
    from groundwire.metrics.table.query import TableMetric


def lint(arguments: argparse.Namespace) -> int:
    """Print what is wrong with models, by place; returns 1 where anything cannot be used."""
    from groundwire.metrics.models.loading import load_model

    told: list[dict[str, object]] = []
    lines: list[str] = []
    for name in arguments.files:
        try:
            model = load_model(Path(name), arguments.dialect)
        except GroundwireError as error:
            told.append({"file": name, "level": "error", "place": "", "message": str(error)})
            lines.append(f"error: {error}")
            continue
        for one in model.problems:
            level = "error" if one.is_error else "warning"
            told.append({"file": name, "level": level, "place": one.place, "message": one.text})
            lines.append(f"{level}: {name}: {one.place}: {one.text}")
        lines.append(
            f"{name}: {len(model.datasets):,} datasets, {len(model.relationships):,} "
            f"relationships, {len(model.metrics):,} metrics can be used"
        )
    errors = sum(one["level"] == "error" for one in told)
    if arguments.json:
        sys.stdout.write(json.dumps(told, indent=2, ensure_ascii=False) + "\n")
    else:
        _print([*lines, f"{errors} errors, {len(told) - errors} warnings"])
    return 1 if errors else 0


def show(arguments: argparse.Namespace) -> int:
    """Print the metrics of a model, or one with its dimensions and the joins that lead to them."""
    from groundwire.metrics.models.loading import load_model
    from groundwire.metrics.models.offered import Offered
    from groundwire.metrics.models.warehouse import Compiler

    model = load_model(Path(arguments.file), arguments.dialect)
    compiler = Compiler(model, arguments.dialect, frozenset())
    offered = Offered(compiler)
    metrics = {one.code: one for one in offered.metrics()}
    if not arguments.metric:
        _print(_overview(model, metrics.values()))
        return 0
    wanted = arguments.metric.casefold()
    found = [
        one for one in metrics.values() if wanted in (one.code.casefold(), one.label.casefold())
    ]
    if not found:
        near = ", ".join(sorted(metrics)[:20])
        raise InputError(f"{model.name} has no metric {arguments.metric[:80]!r}; it has: {near}.")
    labels = {one.code: one.label for one in offered.dimensions()}
    _print(_one_metric(model, compiler, found[0], labels))
    return 0


def _overview(model: SemanticModel, metrics: Iterable[TableMetric]) -> Iterator[str]:
    yield f"{model.name}: {model.description}" if model.description else model.name
    for dataset in model.datasets.values():
        joins = [one.one for one in model.relationships if one.many == dataset.name]
        to = f" -> {', '.join(joins)}" if joins else ""
        yield f"dataset {dataset.name} ({dataset.source}){to}"
    for one in metrics:
        unit = f" in {one.unit}" if one.unit else ""
        yield f"metric {one.code}{unit}: {one.label}; {len(one.dimensions)} dimensions"
    for problem in model.problems:
        if problem.is_error:
            yield f"left out: {problem.place}: {problem.text}"


def _one_metric(
    model: SemanticModel, compiler: Compiler, metric: TableMetric, labels: dict[str, str]
) -> Iterator[str]:
    told = model.metrics[metric.code]
    yield f"{metric.code}: {metric.label}"
    if metric.definition:
        yield f"  {metric.definition}"
    yield f"  unit: {metric.unit or 'not known'}"
    yield f"  kind: {told.kind}"
    for dialect, sql in told.expression.items():
        yield f"  expression{f' ({dialect})' if dialect else ''}: {sql}"
    if told.inputs:
        yield f"  made of: {', '.join(one.name for one in told.inputs)}"
    if told.filter:
        yield f"  filter: {told.filter}"
    if told.semi_additive:
        field, taken = told.semi_additive
        yield f"  not added over {field}: the {taken} is taken"
    if metric.aliases:
        yield f"  also called: {', '.join(metric.aliases)}"
    yield f"  grains of time: {', '.join(metric.grains) or 'none'}"
    for code in metric.dimensions:
        dataset, _, name = code.rpartition(".")
        field = model.datasets[dataset].fields.get(name) if dataset in model.datasets else None
        level = f" ({field.level})" if field is not None and field.level else ""
        yield f"  by {code}: {labels.get(code, code)}{level}"
    for base in sorted(_bases(model, metric.code)):
        for name, ways in compiler.joins.ways(base).items():
            for way in ways:
                if way:
                    path = [base, *(model.relationships[at].one for at in way)]
                    yield f"  join to {name}: {' -> '.join(path)}"


def _bases(model: SemanticModel, name: str) -> set[str]:
    """Names of the datasets whose rows a metric aggregates."""
    found: set[str] = set()
    seen: set[str] = set()
    waiting = [name]
    while waiting:
        if (one := waiting.pop()) in seen or one not in model.metrics:
            continue
        seen.add(one)
        metric = model.metrics[one]
        waiting += [each.name for each in metric.inputs]
        found |= {metric.dataset} - {""}
        for sql in metric.expression.values():
            found |= {
                dataset
                for dataset in model.datasets
                if re.search(rf'(?<![\w."]){re.escape(dataset)}"?\.', sql)
            }
    return found


def draft(arguments: argparse.Namespace) -> int:
    """Draft a model from the tables of an engine."""
    from groundwire.metrics.models.drafting import draft_model
    from groundwire.tables.opening import open_engine

    target = Path(arguments.output) if arguments.output else None
    if target is not None and target.exists() and not arguments.force:
        raise InputError(f"{target} exists: name another file, or add --force.")
    engine = open_engine(arguments.url)
    try:
        drafted = draft_model(engine, target.stem if target else "warehouse")
    finally:
        engine.close()
    if target is None:
        sys.stdout.write(drafted.text)
        return 0
    try:
        target.write_text(drafted.text, "utf-8")
    except OSError as error:
        raise UnavailableError(
            f"{target} cannot be written ({error.strerror}): name another file."
        ) from error
    guesses = drafted.text.count("# guess:")
    _print([f"drafted {target}, with {guesses} guesses that are marked in it"])
    _print(f"look at: {note}" for note in drafted.notes)
    _print(
        (
            "Read it, then:",
            f"  groundwire metrics model lint {target}",
            f"  export GROUNDWIRE_MODELS={target.absolute()} GROUNDWIRE_WAREHOUSE=...",
        )
    )
    return 0


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        sys.stdout.write(f"{line}\n")
