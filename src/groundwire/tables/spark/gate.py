"""The gate of Spark: which functions and tables a query may name."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path

from groundwire.tables import gate
from groundwire.tables.bounds import listed
from groundwire.tables.gate import Parts, Policy, words

# Before a point they name files: https://spark.apache.org/docs/latest/sql-data-sources.html
_SOURCES = listed(
    """
    avro binaryfile cloudfiles com console csv delta deltasharing excel hive hudi iceberg image jdbc
    json kafka libsvm memory noop orc org parquet protobuf rate socket statestore text xml
    """
)
# Tables about a table: https://iceberg.apache.org/docs/latest/spark-queries/#inspecting-tables
_FILES = listed(
    """
    all_data_files all_delete_files all_entries all_files all_manifests changes data_files
    delete_files entries files history manifests metadata_log_entries partitions position_deletes
    refs snapshots
    """
)
_TYPES = listed("array char decimal map numeric struct timestamp varchar")


@cache
def policy() -> Policy:
    """The rules of the gate for Spark's SQL."""
    return Policy(
        dialect="spark",
        functions=words(Path(__file__).with_name("functions.txt")),
        types=_TYPES,
        table_functions=listed(
            """
            explode explode_outer inline inline_outer posexplode posexplode_outer range stack
            variant_explode variant_explode_outer
            """
        ),
        telling=listed(
            "current_catalog current_database current_path current_schema current_user "
            "session_user user"
        ),
        # https://spark.apache.org/docs/latest/sql-data-sources-generic-options.html
        hidden=listed("_metadata"),
        table=_objection,
        texts={"${": "${...} would be replaced by a setting or variable: leave it out."},
    )


@lru_cache(maxsize=256)
def check(text: str) -> str:
    """Let a query pass, and return it as it is to be sent; see `groundwire.tables.gate.check`."""
    return gate.check(text, policy())


def _objection(parts: Parts) -> str:
    if len(parts) > 1 and parts[0] in _SOURCES:
        return f"{parts[0]}.`...` names files, which are not read here: name a table."
    if parts == ("stream",):
        return "Streams are not read here: name a table."
    if parts[:1] == ("system",):
        return "The tables of the catalog system are not read here: leave them out."
    if len(parts) > 2 and parts[-1] in _FILES:
        return f"The table {'.'.join(parts)} tells of files, and is not read here: leave it out."
    return ""
