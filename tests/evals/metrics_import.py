"""Import accuracy per format: what `groundwire metrics init` and `import` make of messy files.

Each case is a file of a kind that people have, and the cells that a person reads in it. The file
is drafted by `init` as it is, imported by its own draft, and every cell is looked for in the
store. A cell is right, wrong (another value or unit), or missed. What is not right may be marked:
`init` said on its output what a person must look at. A wrong cell without a mark is the worst
that can happen and must not. Facts beside the truth (a total row as an entity, a footnote) are
wrong as well.
"""

from __future__ import annotations

import contextlib
import io
import random
import re
import sqlite3
import sys
import tempfile
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from groundwire.cli import main  # noqa: E402
from groundwire.errors import InputError  # noqa: E402
from groundwire.metrics.facts.model import Fact  # noqa: E402
from groundwire.metrics.facts.store import SqliteFacts  # noqa: E402
from groundwire.metrics.profile import TOTAL  # noqa: E402
from groundwire.quantities.units import resolve_unit  # noqa: E402
from tests.evals._report import Ratchet, arguments, table  # noqa: E402
from tests.evals.import_files_fresh import fresh  # noqa: E402
from tests.evals.import_files_held_out import held_out  # noqa: E402
from tests.evals.import_files_seen import seen  # noqa: E402
from tests.evals.import_writing import Case, Cell, heading_files  # noqa: E402

LOOK = re.compile(r"^\s*look at: (.*)$", re.MULTILINE)
LOWER = ("wrong unmarked", "missed unmarked", "extra unmarked")


@dataclass
class Outcome:
    """What became of one file."""

    case: Case
    counts: Counter[str] = field(default_factory=Counter[str])
    told: list[str] = field(default_factory=list[str])
    problems: list[str] = field(default_factory=list[str])

    @property
    def word(self) -> str:
        """The whole file in a word: right, marked, or unmarked."""
        if any(self.counts[name] for name in LOWER):
            return "unmarked"
        bad = sum(self.counts[name] for name in ("wrong", "missed", "extra"))
        return "marked" if bad else "right"


def run(case: Case, folder: Path) -> Outcome:
    """Draft, import, and compare."""
    outcome = Outcome(case)
    path = case.write(folder)
    drafted = folder / "draft"
    code, said = _said("metrics", "init", str(path), "-o", str(drafted), *case.options)
    outcome.told = LOOK.findall(said)
    if code:
        # A refusal is a mark for the whole file if it says what to do.
        outcome.counts["missed"] += len(case.truth)
        outcome.problems.append(f"refused: {said.strip()}")
        if len(said.strip()) < 20:
            outcome.counts["missed unmarked"] += len(case.truth)
        return outcome
    store = folder / "facts.db"
    code, said = _said(
        "metrics", "import", str(path), "--profile", str(drafted / "profile.toml"), "--facts",
        str(store), "--mapping", str(drafted / "mapping.toml"), "--skip-bad",
    )  # fmt: skip
    if code:
        outcome.problems.append(f"import: {said.strip()[-300:]}")
    profile = tomllib.loads((drafted / "profile.toml").read_text("utf-8"))
    facts = list(_facts(store)) if store.is_file() else []
    _compare(outcome, facts, profile)
    return outcome


def _said(*args: str) -> tuple[int, str]:
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        try:
            code = main(list(args))
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 1
        except InputError as error:
            out.write(str(error))
            code = 1
    return int(code or 0), out.getvalue()


def _facts(path: Path) -> Iterable[Fact]:
    with SqliteFacts(path, read_only=True) as store:
        for metric in store.metrics():
            for interval in store.periods(metric):
                for entity in store.entities(metric, interval.start, interval.end):
                    for channel in store.channels(metric, entity) or [TOTAL]:
                        yield from store.lookup(
                            metric, entity, channel, interval.start, interval.end
                        )


def _names(profile: dict[str, Any], part: str) -> dict[str, str]:
    return {
        one["code"]: _folded(one.get("label") or one.get("name") or one["code"])
        for one in profile.get(part, ())
    }


def _folded(text: str) -> str:
    kept = "".join(c if c.isalnum() else " " for c in unicodedata.normalize("NFKC", text))
    return " ".join(kept.casefold().split())


def _compare(outcome: Outcome, facts: list[Fact], profile: dict[str, Any]) -> None:
    metrics, entities = _names(profile, "metrics"), _names(profile, "entities")
    left = list(facts)
    for cell in outcome.case.truth:
        here = [fact for fact in left if _is_at(cell, fact, metrics, entities)]
        if not here:
            _count(outcome, "missed", cell, "")
            continue
        good = [fact for fact in here if _equal(cell, fact)]
        if good:
            outcome.counts["right"] += 1
        else:
            _count(outcome, "wrong", cell, f"{here[0].value} {here[0].unit}")
        for fact in here:
            left.remove(fact)
    metric_names = {_folded(cell.metric) for cell in outcome.case.truth}
    for fact in left:
        label, entity = metrics.get(fact.metric, fact.metric), entities.get(fact.entity, "")
        if _sound_extra(label, metric_names):
            continue
        marked = _marked(outcome, label, entity)
        outcome.counts["extra"] += 1
        outcome.counts["extra unmarked"] += not marked
        outcome.problems.append(
            f"extra{'' if marked else ' unmarked'}: {label} | {entity} | {fact.channel} | "
            f"{fact.start}..{fact.end} = {fact.value} {fact.unit}"
        )


def _sound_extra(label: str, names: set[str]) -> bool:
    """A line of the table that the truth leaves out (a breakdown, a ratio)."""
    return "*" not in names and label not in names


def _is_at(cell: Cell, fact: Fact, metrics: dict[str, str], entities: dict[str, str]) -> bool:
    if fact.end != cell.end or fact.start not in (cell.start, cell.end):
        return False
    label = metrics.get(fact.metric, _folded(fact.metric))
    name = entities.get(fact.entity, _folded(fact.entity))
    wanted = _folded(cell.entity)
    if cell.entity != "*" and wanted not in (name, _folded(fact.channel)):
        return False
    asked = _folded(cell.metric)
    return asked == label or cell.metric == "*"


def _equal(cell: Cell, fact: Fact) -> bool:
    want, have = resolve_unit(cell.unit), resolve_unit(fact.unit)
    if want is None or have is None:
        # A count may name what is counted ("people"), but no currency or measure.
        return want is None and have is None and cell.value == fact.value
    if want.dimension != have.dimension:
        return False
    return want.to_base(cell.value) == have.to_base(fact.value) and (
        want.symbol == have.symbol or want.dimension not in ("currency", "money")
    )


def _marked(outcome: Outcome, metric: str, entity: str) -> bool:
    """Whether a line of `init` points a person at this metric, this entity, or the whole file."""
    for line in outcome.told:
        said = f" {_folded(line)} "
        if (metric and f" {metric} " in said) or (entity and f" {entity} " in said):
            return True
        if " every value " in said or " the whole table " in said:
            return True
    return False


def _count(outcome: Outcome, what: str, cell: Cell, found: str) -> None:
    marked = _marked(outcome, _folded(cell.metric), _folded(cell.entity))
    if outcome.case.undecidable and cell.metric == "*":
        marked = bool(outcome.told)
    outcome.counts[what] += 1
    outcome.counts[f"{what} unmarked"] += not marked
    outcome.problems.append(
        f"{what}{'' if marked else ' unmarked'}: {cell.metric} | {cell.entity} | "
        f"{cell.start}..{cell.end} = {cell.value} {cell.unit} {found and 'but ' + found}"
    )


def figures_of(outcomes: list[Outcome]) -> dict[str, dict[str, float]]:
    """The figures to hold, by format, and for all."""
    by: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        by.setdefault(outcome.case.format, []).append(outcome)
        by.setdefault("all", []).append(outcome)
    return {
        kind: {
            "files right or marked percent": round(
                100 * sum(one.word != "unmarked" for one in held) / len(held), 2
            ),
            "files right percent": round(
                100 * sum(one.word == "right" for one in held) / len(held), 2
            ),
            "cells right percent": round(
                100
                * sum(one.counts["right"] for one in held)
                / sum(len(one.case.truth) for one in held),
                2,
            ),
            **{name: sum(one.counts[name] for one in held) for name in LOWER},
        }
        for kind, held in by.items()
    }


def evaluate(argv: list[str] | None = None) -> int:
    """Run the eval; its exit code."""
    options = arguments(__doc__, argv, show=(0, "print what is wrong with that many files"))
    figures: dict[str, dict[str, float]] = {}
    rows: list[tuple[object, ...]] = []
    rng = random.Random(options.seed)
    for part, cases in (
        ("seen", seen()),
        ("held out", held_out()),
        ("fresh", fresh()),
        ("headings, seen", heading_files("seen")),
        ("headings, held out", heading_files("held_out")),
    ):
        if options.fraction < 1:
            cases = rng.sample(cases, max(1, round(len(cases) * options.fraction)))
        outcomes = [_in_folder(case) for case in cases]
        shown = [one for one in outcomes if one.word != "right" and part != "headings, held out"]
        for outcome in shown[: int(options.show)]:
            print(f"-- {part}: {outcome.case.name} ({outcome.case.format}): {outcome.word}")
            print(*[f"   told: {line}" for line in outcome.told], sep="\n")
            print(*[f"   {line}" for line in outcome.problems[:12]], sep="\n")
        if part.startswith("headings"):
            figures[part] = {
                "files not right": sum(one.word != "right" for one in outcomes),
                **{name: sum(one.counts[name] for one in outcomes) for name in LOWER},
            }
            continue
        for kind, values in figures_of(outcomes).items():
            figures[f"{part}: {kind}"] = values
            rows.append(
                (f"{part}: {kind}", sum(kind in ("all", c.format) for c in cases), *values.values())
            )
    names = ("format", "files", *next(iter(figures.values())))
    print(table(names, rows))
    headings = {part: values for part, values in figures.items() if part.startswith("headings")}
    print(*(f"{part}: {values}" for part, values in headings.items()), sep="\n")
    return Ratchet(__file__, lower={*LOWER, "files not right"}).settle(figures, options)


def _in_folder(case: Case) -> Outcome:
    with tempfile.TemporaryDirectory() as folder:
        try:
            return run(case, Path(folder))
        except (sqlite3.Error, ValueError, TypeError, KeyError, AttributeError) as error:
            broken = Outcome(case)
            broken.counts["missed"] += len(case.truth)
            broken.counts["missed unmarked"] += len(case.truth)
            broken.problems.append(f"raised {error!r}")
            return broken


if __name__ == "__main__":
    sys.exit(evaluate())
