"""Table queries on warehouses, each equal to a brute force over rows in plain Python.

Three kinds of worlds: a star of a shop, an insurer of twenty tables, and schemas drawn at random.
Every value, key, order, total and cut is compared; a wrong value is a failure of the eval.
"""

from __future__ import annotations

import json
import random
import sys
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from _report import Ratchet, arguments, table
from warehouse_brute import World
from warehouse_cases import Case, cases, expected
from warehouse_engine import DuckEngine
from warehouse_worlds import drawn, insurance, star
from warehouse_writing import ossie, statements

from groundwire.errors import GroundwireError
from groundwire.metrics.models.checking import checked
from groundwire.metrics.models.loading import read_model
from groundwire.metrics.models.warehouse import WarehouseStore
from groundwire.metrics.table.query import TableRows

FLOATS = {"rate_total", "rate_mean"}


def store_of(world: World) -> WarehouseStore:
    engine = DuckEngine()
    for statement in statements(world):
        engine.connection.execute(statement)
    model = checked(read_model(json.dumps(ossie(world)).encode(), f"{world.name}.json"))
    wrong = [one for one in model.problems if one.is_error]
    assert not wrong, wrong
    return WarehouseStore(model, engine)


def near(left: Decimal | None, right: Decimal | None, exact: bool) -> bool:
    if left is None or right is None:
        return left is right
    if left == right:
        return True
    bound = Decimal("1e-30") if exact else Decimal("1e-12")
    return abs(left - right) <= bound * max(abs(left), abs(right), Decimal(1))


def plain(key: tuple) -> tuple:
    return tuple(
        Decimal(value) if isinstance(value, int) and not isinstance(value, bool) else value
        for value in key
    )


def difference(world: World, case: Case, found: TableRows, exact: bool = True) -> str:
    """What is wrong with an answer, or ""; where it is not exact, values need only be near."""
    right = {plain(key): value for key, value in expected(world, case).items()}
    if found.total_rows != len(right):
        return f"{found.total_rows} rows, not {len(right)}"
    shown = max(0, min(case.query.limit, len(right) - case.query.offset))
    if len(found.rows) != shown:
        return f"{len(found.rows)} rows shown, not {shown}"
    if len({row.keys for row in found.rows}) != len(found.rows):
        return "a key stands twice"
    for row in found.rows:
        if row.keys not in right:
            return f"no such key: {row.keys}"
        for have, want in zip((row.values, row.before), right[row.keys], strict=True):
            if len(have) != len(want):
                return f"{len(have)} values, not {len(want)}"
            for name, one, other in zip(case.query.metrics, have, want, strict=False):
                sure = exact and name not in FLOATS and not name.startswith("median")
                if not near(one, other, sure):
                    return f"{name} of {row.keys} is {one}, not {other}"
    return misplaced(case, found, right)


def changed(value: Decimal | None, earlier: Decimal | None, how: str) -> Decimal | None:
    """What a value changed by; in percent nothing from what is not above zero."""
    if value is None or earlier is None:
        return None
    change = Decimal(value) - Decimal(earlier)
    if how == "change":
        return change
    return change / Decimal(earlier) * 100 if earlier > 0 else None


def misplaced(case: Case, found: TableRows, right: dict) -> str:  # noqa: C901
    """Whether rows stand where they do not belong, or others belong there."""
    query = case.query
    if query.order:
        by, descending = query.order[0].by, query.order[0].descending
    elif query.by:
        by, descending = query.by[0], False
    else:
        return ""

    head, _, change = by.rpartition(".")
    is_change = by not in query.metrics and by not in query.by

    def rank(keys: tuple, values: object, earlier: object) -> tuple:
        if is_change:
            at = query.metrics.index(head)
            value = changed(values[at], earlier[at], change)
        elif by in query.metrics:
            value = values[query.metrics.index(by)]
        else:
            value = keys[query.by.index(by)]
        return value is None, value

    def before(one: tuple, other: tuple) -> bool:
        if one[0] or other[0]:
            return other[0] and not one[0]
        if isinstance(one[1], Decimal) and near(one[1], other[1], exact=False):
            return False
        return one[1] > other[1] if descending else one[1] < other[1]

    shown = [rank(row.keys, row.values, row.before) for row in found.rows]
    for one, other in pairwise(shown):
        if before(other, one):
            return f"{other} stands after {one}"
    if shown and not query.offset:
        keys = {row.keys for row in found.rows}
        for key, (values, earlier) in right.items():
            if key not in keys and before(rank(key, values, earlier), shown[-1]):
                return f"{key} is left out, though before {shown[-1]}"
    return ""


def worlds(seed: int, fraction: float) -> Iterator[tuple[World, int]]:
    """Worlds with how many queries each is asked."""
    rng = random.Random(seed)
    yield star(random.Random(rng.random())), round(700 * fraction)
    yield insurance(random.Random(rng.random())), round(700 * fraction)
    for number in range(max(1, round(60 * fraction))):
        yield drawn(random.Random(rng.random()), number), 10


def main() -> int:
    options = arguments(
        __doc__, show=(0, "how many wrong answers to print"), worlds=(0, "of a kind")
    )
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    shown = 0
    for world, count in worlds(options.seed, options.fraction):
        store = store_of(world)
        rng = random.Random(zlib.crc32(f"{options.seed} {world.name}".encode()))
        for case in cases(rng, world, count):
            kind = case.kind
            counts[kind]["asked"] += 1
            sql = ""
            try:
                found = store.run(case.query)
                sql = found.statement
                wrong = difference(world, case, found)
                counts[kind]["wrong" if wrong else "equal"] += 1
            except GroundwireError as problem:
                wrong = f"refused: {problem}"
                counts[kind]["refused"] += 1
            if wrong and shown < options.show:
                shown += 1
                print(world.name, case.query, wrong, sql[:2500], sep="\n", end="\n\n")
    order = ("asked", "equal", "wrong", "refused")
    rows = [(kind, *(counts[kind][name] for name in order)) for kind in sorted(counts)]
    total = [sum(row[at] for row in rows) for at in range(1, 5)]
    print(table(("class", *order), [*rows, ("all", *total)]))
    figures = {
        kind: {
            "wrong": count["wrong"],
            "refused": count["refused"],
            "equal_percent": round(100 * count["equal"] / count["asked"], 2),
        }
        for kind, count in counts.items()
    }
    return Ratchet(__file__, lower={"wrong", "refused"}).settle(figures, options)


if __name__ == "__main__":
    sys.exit(main())
