"""The gate of Trino: which functions and tables a query may name."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path

from groundwire.tables import gate
from groundwire.tables.bounds import listed
from groundwire.tables.gate import Parts, Policy, words

_CATALOGUE = frozenset(("columns", "tables", "views"))
_TYPES = listed(
    """
    array char character decimal map numeric qdigest row time timestamp varbinary varchar
    """
)


@cache
def policy() -> Policy:
    """The rules of the gate for Trino's SQL."""
    return Policy(
        dialect="trino",
        functions=words(Path(__file__).with_name("functions.txt")),
        types=_TYPES,
        table_functions=listed("unnest"),
        telling=listed(
            "current_catalog current_groups current_path current_role current_schema current_user"
        ),
        # https://trino.io/docs/current/connector/hive.html#metadata-columns, and those of Iceberg.
        hidden=listed(
            "$bucket $file_modified_time $file_size $partition $path $row_id "
            "$last_updated_sequence_number"
        ),
        table=_objection,
    )


@lru_cache(maxsize=256)
def check(text: str) -> str:
    """Let a query pass, and return it as it is to be sent; see `groundwire.tables.gate.check`."""
    return gate.check(text, policy())


def _objection(parts: Parts) -> str:
    if any("$" in part for part in parts):
        # orders$files, orders$snapshots: https://trino.io/docs/current/connector/iceberg.html
        return f"The table {'.'.join(parts)} tells of files, and is not read here: leave it out."
    if len(parts) == 3 and parts[0] == "system":
        return "The tables of the catalog system are not read here: leave them out."
    if len(parts) > 1 and parts[-2] in ("runtime", "metadata", "jdbc"):
        return f"The tables of {parts[-2]} are not read here: leave them out."
    if len(parts) > 1 and parts[-2] == "information_schema" and parts[-1] not in _CATALOGUE:
        return f"The table {'.'.join(parts)} is not read here: information_schema.tables is."
    return ""
