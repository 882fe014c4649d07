"""Values of conditions that are not stored are refused with candidates; no argument reaches SQL.

Over the embedded warehouse of shops: every stored text of every dimension, as it is and with other
case (answered alike), with one letter changed (refused, with the stored one offered), and of
another dimension (refused). Beside that, texts that carry SQL in every argument of
`query_metric_table`: none may be answered, and none of their words may stand in a statement.

Run: python tests/evals/warehouse_where.py [--fraction 0.1] [--seed 7] [--show 5]
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from groundwire import profiles
from groundwire.errors import GroundwireError
from groundwire.metrics.factbase import State
from groundwire.metrics.models.loading import load_model
from groundwire.metrics.models.warehouse import WarehouseStore
from groundwire.metrics.table.answering import query_table
from groundwire.metrics.table.query import TableArguments
from groundwire.metrics.table.results import TableResult
from groundwire.tables.engine import Check, Engine, Limits, Result, Table
from groundwire.tables.opening import open_engine
from groundwire.vocabulary import fold
from tests.evals._report import Ratchet, arguments, table
from tests.evals.metrics_spelling import one_edit
from tests.evals.metrics_worlds import open_default
from tests.profiles import tolvarne_shops

TODAY = date(2026, 11, 21)
MODEL = profiles.metrics_profile().parent / "tolvarne_shops.yaml"
MARK = "zzgeheim"
# Dimensions of texts, with a metric that has them.
DIMENSIONS = {
    "shop": "SHOP_SALES", "district": "SHOP_SALES", "product": "UNITS_SOLD",
    "category": "UNITS_SOLD",
}  # fmt: skip
ATTACKS = (
    f"x' OR '1'='1' -- {MARK}", f"'; DROP TABLE sales; -- {MARK}", f"{MARK}) UNION SELECT 1 --",
    f"(SELECT max(name) FROM shops) {MARK}", f'"; ATTACH \'{MARK}.db\'', f"\\'; {MARK}",
    f"%{MARK}%", f"{MARK}\x00' OR 1=1", f"read_csv('/etc/{MARK}')", f"$$ {MARK} $$",
)  # fmt: skip
TYPOS_OF_EACH = 25
_SHORTEST = 5
OUTCOMES = ("right", "wrong", "not offered")


class Watched:
    """An engine that keeps the statements that it is sent."""

    def __init__(self, engine: Engine) -> None:
        self._engine, self.dialect = engine, engine.dialect
        self.statements: list[str] = []

    def run(self, sql: str, limits: Limits = Limits()) -> Result:  # noqa: B008 - as the engine's own
        self.statements.append(sql)
        return self._engine.run(sql, limits)

    def tables(self) -> Sequence[Table]:
        return self._engine.tables()

    def check(self) -> Check:
        return self._engine.check()

    def close(self) -> None:
        self._engine.close()


def asked(state: State, **sent: Any) -> TableResult | None:
    """The answer, or None where the call is refused as an error."""
    try:
        return query_table(state, TableArguments(**sent), TODAY)[0]
    except GroundwireError:
        return None


def values(engine: Watched) -> dict[str, list[str]]:
    """The stored texts of each dimension."""
    columns = {"shop": "shops.name", "district": "shops.district", "product": "products.name",
               "category": "products.category"}  # fmt: skip
    found: dict[str, list[str]] = {}
    for name, column in columns.items():
        source = column.partition(".")[0]
        rows = engine.run(f"SELECT DISTINCT {column} FROM {source} ORDER BY 1").rows
        found[name] = [str(row[0]) for row in rows]
    return found


def _letters(text: str) -> str:
    return text.casefold().replace(" ", "")


def conditions(
    rng: random.Random, stored: dict[str, list[str]]
) -> Iterator[tuple[str, str, str, str]]:
    """Conditions: kind, dimension, what is sent, and the stored value that is meant."""
    known = {name: {fold(one) for one in own} for name, own in stored.items()}
    for name, own in stored.items():
        for value in own:
            yield "as stored", name, value, value
            yield "other case", name, rng.choice((value.upper(), value.lower())), value
            for _ in range(TYPOS_OF_EACH if len(value) >= _SHORTEST else 0):
                typed = one_edit(value, rng)
                # What differs in its spaces or a plural alone is read as it is stored.
                same = {_letters(one) for one in own}
                if _letters(typed) not in same and fold(typed) not in known[name]:
                    yield "one letter", name, typed, value
            for other, theirs in stored.items():
                if other != name and fold(value) not in known[other] and theirs:
                    yield "another dimension", other, value, value


def attacks() -> Iterator[dict[str, Any]]:
    """Calls with SQL in each argument."""
    plain: dict[str, Any] = {"metrics": ["SHOP_SALES"], "by": ["shop"], "period": "2025"}
    for text in ATTACKS:
        yield plain | {"metrics": [text]}
        yield plain | {"metrics": [f"SHOP_SALES {text}"]}
        yield plain | {"by": [text]}
        yield plain | {"period": text}
        yield plain | {"grain": text, "by": ["period"]}
        yield plain | {"order_by": [text]}
        yield plain | {"compare": text}
        yield plain | {"as_of": text}
        yield plain | {"where": {text: "Kowloon"}}
        for value in (text, [text], ["Kowloon", text], {"none_of": [text]}, {"gt": text}):
            yield plain | {"where": {"district": value}}


def judge(state: State, kind: str, dimension: str, sent: str, meant: str) -> str:
    metrics = [DIMENSIONS[dimension]]
    result = asked(state, metrics=metrics, where={dimension: sent})
    if kind in ("as stored", "other case"):
        same = asked(state, metrics=metrics, where={dimension: meant})
        is_right = result is not None and same is not None and result.rows == same.rows
        return "right" if is_right and result.status == "found" else "wrong"
    if result is None or result.status != "unrecognized_param":
        return "wrong"
    offered = [one.value for one in result.candidates or ()]
    return "right" if kind == "another dimension" or meant in offered else "not offered"


def main() -> int:
    options = arguments(__doc__, show=(5, "cases to show"))
    rng = random.Random(options.seed)
    counts: Counter[tuple[str, str]] = Counter()
    with tempfile.TemporaryDirectory() as name:
        engine = Watched(open_engine(f"duckdb:{tolvarne_shops.FOLDER}"))
        stored = values(engine)
        store = WarehouseStore(load_model(MODEL, engine.dialect), engine, ("RESTRICTED",))
        state = replace(open_default(Path(name) / "home").state, warehouse=store)
        for kind, dimension, sent, meant in conditions(rng, stored):
            if rng.random() >= options.fraction:
                continue
            outcome = judge(state, kind, dimension, sent, meant)
            counts[kind, outcome] += 1
            missed = counts[kind, "wrong"] + counts[kind, "not offered"]
            if outcome != "right" and missed <= options.show:
                print(f"{outcome}, {kind}: {dimension} {sent!r}, meant {meant!r}")
        for call in attacks():
            result = asked(state, **call)
            reached = any(MARK in one for one in engine.statements)
            engine.statements.clear()
            answered = result is not None and result.status == "found"
            counts["SQL in an argument", "wrong" if reached or answered else "right"] += 1
            if reached or answered:
                print(f"answered or reached the engine: {call}")
        engine.close()
    kinds = list(dict.fromkeys(kind for kind, _ in counts))
    lines = [(kind, *(counts[kind, one] for one in OUTCOMES)) for kind in kinds]
    print(table(("conditions", *OUTCOMES), lines))
    figures = {
        kind: {"wrong": counts[kind, "wrong"], "not_offered": counts[kind, "not offered"]}
        for kind in kinds
    }
    return Ratchet(__file__, lower={"wrong", "not_offered"}).settle(figures, options)


if __name__ == "__main__":
    sys.exit(main())
