"""The gate of DuckDB: one SELECT, read by DuckDB's own parser, its functions and tables by list.

The tree is the one that `json_serialize_sql` gives, of DuckDB 2.0 (that of 1.4 is another). Every
kind of node must be known here: what the parser learns later is refused until it is. Views and
macros of the database are read as if their text stood in the query. Runs in the worker: standard
library and duckdb only.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from groundwire.tables.bounds import listed
from groundwire.tables.duckdb.functions import FUNCTIONS, TABLE_FUNCTIONS
from groundwire.tables.refusal import Refused, instead

Path = tuple[str, ...]

_EXPRESSIONS = listed(
    """BETWEEN CASE CAST COLLATE COLUMN_REF COMPARISON CONJUNCTION CONSTANT FUNCTION LAMBDA
    LAMBDA_REF OPERATOR POSITIONAL_REFERENCE STAR SUBQUERY TYPE WINDOW"""
)
_NODES = listed("SELECT_NODE SET_OPERATION_NODE RECURSIVE_CTE_NODE CTE_NODE")
_TABLES = listed(
    """BASE_TABLE EMPTY EMPTY_FROM EXPRESSION_LIST JOIN PIVOT SHOW_REF SUBQUERY
    TABLE_FUNCTION"""
)
_ORDERS = listed(
    "ORDER_MODIFIER LIMIT_MODIFIER DISTINCT_MODIFIER ORDER_DEFAULT ASCENDING DESCENDING"
)
_CATALOGUE = frozenset([("information_schema", "tables"), ("information_schema", "columns")])
_SHOWN = frozenset(("tables", "__show_tables_expanded"))
# Levels of the tree, several to a level of the query.
_DEEPEST = 800


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The contents of a database, all names in small letters.

    Attributes:
        tables: names of tables and views, each as (schema, name).
        views: the SELECT of each view; None where it could not be read.
        macros: the texts that each macro of the database stands for, as SELECT statements.
        database: the name under which the database itself can be written before a schema.
    """

    tables: frozenset[tuple[str, str]]
    views: Mapping[tuple[str, str], str | None]
    macros: Mapping[str, tuple[str, ...]]
    database: str


Parse = Callable[[str], Mapping[str, Any]]
"""`json_serialize_sql` of a text, decoded."""


def check(text: str, parse: Parse, catalogue: Catalogue, relations: Iterable[str] = ()) -> None:
    """Let a SELECT pass.

    Args:
        text: one statement.
        parse: the parser.
        catalogue: what the database holds.
        relations: names of tables that come with the query.

    Raises:
        Refused: it is not a SELECT, or calls or reads what is not on a list.
    """
    given = frozenset(name.lower() for name in relations)
    _Walk(parse, catalogue, given, []).statement(text)


@dataclass(slots=True)
class _Walk:
    parse: Parse
    catalogue: Catalogue
    relations: frozenset[str]
    opened: list[str]
    ctes: set[str] = field(default_factory=set[str])

    def statement(self, text: str) -> None:
        tree = self.parse(text)
        if tree.get("error"):
            raise Refused(_why_not(tree))
        statements = tree.get("statements", ())
        if len(statements) != 1:
            raise Refused(f"These are {len(statements)} statements: send one SELECT statement.")
        self._find_ctes(statements[0])
        self._node(statements[0], 0)

    def _find_ctes(self, tree: Any) -> None:
        """Names that WITH gives. One that is used out of its scope finds no table when it runs."""
        pending = [tree]
        while pending:
            node = pending.pop()
            if isinstance(node, dict):
                members = cast("dict[str, Any]", node)
                for entry in members.get("cte_map", {}).get("map", ()):
                    self.ctes.add(str(entry["key"]).lower())
                pending.extend(members.values())
            elif isinstance(node, list):
                pending.extend(cast("list[Any]", node))

    def _node(self, node: Any, depth: int) -> None:
        if depth > _DEEPEST:
            raise Refused("The query is nested too deeply: flatten it.")
        if isinstance(node, list):
            for part in cast("list[Any]", node):
                self._node(part, depth + 1)
        elif isinstance(node, dict):
            members = self._members(cast("dict[str, Any]", node))
            for part in members.values():
                self._node(part, depth + 1)

    def _members(self, node: Mapping[str, Any]) -> Mapping[str, Any]:
        """Check a node by itself; what is left to check within it."""
        self._known(node)
        if "function_name" in node:
            self._function(str(node["function_name"]), FUNCTIONS)
        kind = node.get("type")
        if kind == "BASE_TABLE":
            self._table(_path(node))
        elif kind == "SHOW_REF":
            self._show(node)
        elif kind == "TABLE_FUNCTION":
            return self._table_function(node)
        return node

    def _known(self, node: Mapping[str, Any]) -> None:
        kind, expression = node.get("type"), node.get("class")
        if expression is not None:
            if expression not in _EXPRESSIONS:
                raise Refused(
                    f"The query holds {expression}, which is not read here: leave it out."
                )
        elif isinstance(kind, str) and kind not in _NODES | _TABLES | _ORDERS:
            what = kind.removesuffix("_QUERY_NODE").removesuffix("_NODE")
            raise Refused(f"The query holds {what}, and only SELECT is run here: leave it out.")
        if node.get("at_clause"):
            raise Refused("AT (...) is not read here: leave it out.")

    def _table_function(self, node: Mapping[str, Any]) -> Mapping[str, Any]:
        """Check the call after FROM; what is left to check of it."""
        call = node.get("function")
        if not isinstance(call, dict) or "function_name" not in call:
            raise Refused("What follows FROM is not understood: name a table.")
        parts = dict(cast("dict[str, Any]", call))
        self._function(str(parts.pop("function_name")), TABLE_FUNCTIONS)
        return {**node, "function": parts}

    def _function(self, name: str, listed: frozenset[str]) -> None:
        name = name.lower()
        if name in self.catalogue.macros:
            self._open(f"macro {name}", self.catalogue.macros[name])
        elif name not in listed:
            after = " after FROM" if listed is TABLE_FUNCTIONS else ""
            raise Refused(
                f"The function {name} is not on the list of those that may be called here{after}: "
                f"{instead(name, listed)}"
            )

    def _table(self, path: Path) -> None:
        folded = tuple(part.lower() for part in path)
        if len(folded) == 3 and folded[0] in (self.catalogue.database, "temp"):
            folded = folded[1:]
        if len(folded) == 1:
            if folded[0] in self.ctes or folded[0] in self.relations:
                return
            found = ("main", folded[0])
        elif len(folded) == 2:
            found = (folded[0], folded[1])
            if found[0] == self.catalogue.database and found not in self.catalogue.tables:
                found = ("main", found[1])
        else:
            found = ("", ".".join(folded))
        if found in _CATALOGUE or (found[0] == "temp" and found[1] in self.relations):
            return
        if found not in self.catalogue.tables:
            raise Refused(
                f"There is no table {'.'.join(path)!r} here: {instead(path[-1], self._names())}"
            )
        if found in self.catalogue.views:
            self._open(f"view {found[1]}", (self.catalogue.views[found],))

    def _names(self) -> frozenset[str]:
        """The names of tables as a query may write them."""
        tables = self.catalogue.tables
        return self.relations | {
            name if schema == "main" else f"{schema}.{name}" for schema, name in tables
        }

    def _show(self, node: Mapping[str, Any]) -> None:
        name = str(node.get("table_name") or "").strip('"').lower()
        if node.get("show_type") == "SHOW_SPECIAL":
            if name not in _SHOWN:
                raise Refused(f"SHOW {name.upper()} is not run here: SHOW TABLES is.")
        elif name:
            self._table(_path(node))

    def _open(self, what: str, texts: tuple[str | None, ...]) -> None:
        """Check what stands behind a view or a macro."""
        if what in self.opened:
            return
        for text in texts:
            if text is None:
                raise Refused(f"What stands behind the {what} cannot be read: leave it out.")
            try:
                # Names that WITH gives, and relations, are not seen inside.
                inner = _Walk(self.parse, self.catalogue, frozenset(), [*self.opened, what])
                inner.statement(text)
            except Refused as reason:
                raise Refused(f"The {what} may not be used: {reason}") from None


def _path(node: Mapping[str, Any]) -> Path:
    return tuple(str(part).strip('"') for part in node["qualified_name"]["path"])


def _why_not(tree: Mapping[str, Any]) -> str:
    message = str(tree.get("error_message", "")).strip().rstrip(".!")
    if tree.get("error_type") == "not implemented":
        return "Only SELECT statements are run here: send one."
    return f"The query is not well-formed SQL ({message}): mend it."


def decode(text: str) -> Mapping[str, Any]:
    """Return what `json_serialize_sql` returned.

    Raises:
        Refused: the tree is deeper than can be read.
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise Refused("The query is nested too deeply: flatten it.") from None
