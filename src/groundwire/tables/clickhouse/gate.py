"""The gate of ClickHouse: which functions and tables a query may name."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path

from groundwire.tables import gate
from groundwire.tables.bounds import listed
from groundwire.tables.gate import Parts, Policy, words

_CATALOGUE = frozenset(
    ("columns", "key_column_usage", "referential_constraints", "tables", "views")
)
# https://clickhouse.com/docs/sql-reference/aggregate-functions/combinators
_COMBINATORS = (
    "simplestate", "ordefault", "argmin", "argmax", "distinct", "foreach", "ornull", "array",
    "merge", "state", "map", "if",
)  # fmt: skip
_TYPES = listed(
    """
    array char datetime datetime64 decimal decimal128 decimal256 decimal32
    decimal64 enum enum16 enum8 fixedstring json lowcardinality map nested nullable numeric
    time64 tuple varchar variant
    """
)


@cache
def policy() -> Policy:
    """The rules of the gate for ClickHouse's SQL."""
    here = Path(__file__)
    aggregates = words(here.with_name("aggregates.txt"))
    return Policy(
        dialect="clickhouse",
        functions=words(here.with_name("functions.txt")) | aggregates,
        types=_TYPES,
        table_functions=listed("numbers numbers_mt generate_series generateseries zeros values"),
        table=_objection,
        base=_without_combinators,
        has_column_aliases=False,
    )


@lru_cache(maxsize=256)
def check(text: str) -> str:
    """Let a query pass, and return it as it is to be sent; see `groundwire.tables.gate.check`."""
    return gate.check(text, policy())


def _objection(parts: Parts) -> str:
    if len(parts) > 1 and parts[-2] == "information_schema":
        if parts[-1] in _CATALOGUE:
            return ""
        return f"The table {'.'.join(parts)} is not read here: information_schema.tables is."
    head = next(iter(parts), "")
    if head in ("system", "information_schema", "_temporary_and_external_tables"):
        return f"The tables of {head} are not read here: information_schema.tables is."
    if len(parts) > 2:
        return f"There is no table {'.'.join(parts)!r} here: write DATABASE.TABLE."
    return ""


def _without_combinators(name: str) -> str:
    """The aggregate function of a name like `sumIf`."""
    aggregates = words(Path(__file__).with_name("aggregates.txt"))
    while name not in aggregates:
        ending = next((one for one in _COMBINATORS if name.endswith(one)), None)
        if ending is None:
            return name
        name = name.removesuffix(ending)
    return name
