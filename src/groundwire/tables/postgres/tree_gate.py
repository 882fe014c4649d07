"""The gate of PostgreSQL on the parse tree of the server's own parser.

The parser is PostgreSQL's, as `libpg_query` takes it out of the server
(https://github.com/pganalyze/libpg_query). Every kind of node must be known, and functions, tables
and types are judged by the same lists as `groundwire.tables.postgres.gate` has. No alias or key
word can be taken for a function here, nor a function for one of these.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

from groundwire.tables.gate import words
from groundwire.tables.postgres.functions import FUNCTIONS
from groundwire.tables.postgres.gate import CATALOGUE, Verdict
from groundwire.tables.postgres.lexer import tokens
from groundwire.tables.refusal import Refused, instead

# What the parser writes for LIKE ... ESCAPE, SIMILAR TO and IS NORMALIZED.
_OF_SYNTAX = frozenset(("is_normalized", "like_escape", "similar_to_escape"))
# Values of SQLValueFunction that tell the time; the others tell who asks.
_TIMES = ("SVFOP_CURRENT_DATE", "SVFOP_CURRENT_TIME", "SVFOP_LOCALTIME")
# Casts to these look names up in the server's catalogue.
_CATALOGUE_TYPES = frozenset(
    (
        *("regclass", "regcollation", "regnamespace", "regoper", "regoperator", "regproc"),
        *("regprocedure", "regrole", "regtype"),
    )
)
_UNFIT = re.compile("[\0\ud800-\udfff]")
_REFUSED_PARTS = {
    "intoClause": "INTO",
    "lockingClause": "FOR UPDATE",
}
_STATEMENT = re.compile(r"(\w+?)Stmt")
_WORD = re.compile(r"[A-Z][a-z]+")


def is_here() -> bool:
    """Whether the parser is installed."""
    return find_spec("pgparse") is not None


def check(text: str, extra: Collection[str] = ()) -> Verdict:
    """Let a SELECT pass.

    Args:
        text: the query.
        extra: functions that may be called besides the list, as they are written: `name` or
            `schema.name`, in small letters.

    Returns:
        the statement without what ends it, and the names that the server must be asked about.

    Raises:
        Refused: it is not a single SELECT, or calls or reads what is not on a list.
    """
    if _UNFIT.search(text):
        raise Refused("The query holds characters that no SQL has: leave them out.")
    # Names of the form U&"..." and parameters are refused by how they are written.
    if not tokens(text):
        raise Refused("The query holds only comments: send one SELECT statement.")
    parser: Any = import_module("pgparse")
    try:
        found = cast("list[dict[str, Any]]", parser.parse(text))
    except parser.PGQueryError as error:
        said = " ".join(str(error).split()).rstrip(".")[:200]
        raise Refused(f"The query cannot be run ({said}): mend it.") from None
    except (RecursionError, ValueError):
        raise Refused("The query is nested too deeply: flatten it.") from None
    if len(found) != 1:
        raise Refused("These are several statements: send one SELECT statement.")
    (kind, statement), *_ = found[0]["stmt"].items()
    if kind != "SelectStmt":
        raise Refused(f"This is no SELECT but {_spoken(kind)}: only SELECT is run here.")
    fields, columns = _Walk(frozenset(extra)).names({kind: statement})
    return Verdict(_cut(text, found[0]), fields - FUNCTIONS, columns - FUNCTIONS)


def _cut(text: str, found: dict[str, Any]) -> str:
    """The statement, without what stands behind the semicolon that ends it."""
    length = int(found.get("stmt_len", 0))
    if not length:
        return text
    return text.encode()[: int(found.get("stmt_location", 0)) + length].decode()


def _spoken(kind: str) -> str:
    """The kind of a statement as people write it: `CreateStmt` is CREATE."""
    match = _STATEMENT.fullmatch(kind)
    return " ".join(_WORD.findall(match[1] if match else kind)).upper()


class _Walk:
    """One walk over a tree; it refuses, and gathers the names after points."""

    def __init__(self, extra: frozenset[str]) -> None:
        self._extra = extra
        self._kinds = words(Path(__file__).with_name("tree_kinds.txt"))
        self._fields: set[str] = set()
        self._columns: set[str] = set()

    def names(self, tree: dict[str, Any]) -> tuple[frozenset[str], frozenset[str]]:
        """Names after a point that follows an expression, and a name."""
        waiting: list[Any] = [tree]
        while waiting:
            part = waiting.pop()
            if isinstance(part, list):
                waiting += cast("list[Any]", part)
            elif isinstance(part, dict):
                for key, value in cast("dict[str, Any]", part).items():
                    self._part(key, value)
                    waiting.append(value)
        return frozenset(self._fields), frozenset(self._columns)

    def _part(self, key: str, value: Any) -> None:
        if value and key in _REFUSED_PARTS:
            raise Refused(
                f"The query holds {_REFUSED_PARTS[key]}, which would change something: only SELECT "
                "is run here."
            )
        if key == "typeName":
            self._type(value)
        elif key[:1].isupper():
            if key.lower() not in self._kinds:
                raise Refused(f"The query holds {_spoken(key)}, and only SELECT is run here.")
            judge = getattr(self, f"_of_{key.lower()}", None)
            if judge is not None:
                judge(value)

    def _of_funccall(self, node: dict[str, Any]) -> None:
        *schema, name = _strings(node["funcname"])
        full = ".".join((*schema, name))
        plain = not schema or schema == ["pg_catalog"]
        if (plain and name in FUNCTIONS | _OF_SYNTAX) or full in self._extra:
            return
        if name.startswith("pg_") or (schema and schema != ["pg_catalog"]):
            raise Refused(
                f"The function {full} is not on the list of those that may be called here: "
                "functions of a schema are added to it by the administrator, those of the server's "
                "own catalogue are not read."
            )
        raise Refused(
            f"The function {name} is not on the list of those that may be called here: "
            f"{instead(name, FUNCTIONS)}"
        )

    def _of_sqlvaluefunction(self, node: dict[str, Any]) -> None:
        operation = str(node.get("op"))
        if not operation.startswith(_TIMES):
            raise Refused(f"{operation.removeprefix('SVFOP_')} is not told here: leave it out.")

    def _of_rangevar(self, node: dict[str, Any]) -> None:
        schema, name = str(node.get("schemaname", "")), str(node.get("relname", ""))
        if schema == "information_schema":
            if name not in CATALOGUE:
                raise Refused(
                    f"Of information_schema only {', '.join(sorted(CATALOGUE))} are read here."
                )
            return
        for one in (schema, name):
            self._catalogue(one)

    def _of_columnref(self, node: dict[str, Any]) -> None:
        first, *after = _strings(node["fields"]) or [""]
        self._catalogue(first)
        for name in after:
            self._catalogue(name)
            self._columns.add(name)

    def _of_a_indirection(self, node: dict[str, Any]) -> None:
        for name in _strings(node["indirection"]):
            self._catalogue(name)
            self._fields.add(name)

    def _of_a_expr(self, node: dict[str, Any]) -> None:
        self._operator(node.get("name", []))

    def _of_sublink(self, node: dict[str, Any]) -> None:
        self._operator(node.get("operName", []))

    def _of_sortby(self, node: dict[str, Any]) -> None:
        self._operator(node.get("useOp", []))

    def _operator(self, names: list[Any]) -> None:
        if len(names) > 1:
            raise Refused("Operators of a schema may not be used here: write the plain ones.")

    def _of_rangetablesample(self, node: dict[str, Any]) -> None:
        method = ".".join(_strings(node.get("method", [])))
        if method not in ("bernoulli", "system"):
            raise Refused(f"TABLESAMPLE {method} is not read here: write bernoulli or system.")

    def _type(self, node: dict[str, Any]) -> None:
        names = _strings(node.get("names", []))
        name = names[-1] if names else ""
        if name.startswith("pg_") or name in _CATALOGUE_TYPES:
            raise Refused(f"The type {name} is of the server's own catalogue: leave it out.")

    def _catalogue(self, name: str) -> None:
        if name.startswith("pg_") and name not in FUNCTIONS | self._extra:
            raise Refused(
                f"{name} is of the server's own catalogue, which is not read here: "
                "information_schema.tables and information_schema.columns are."
            )


def _strings(nodes: list[dict[str, Any]]) -> list[str]:
    """The names of a list; stars and subscripts are left out."""
    return list(_strings_in(nodes))


def _strings_in(nodes: list[dict[str, Any]]) -> Iterator[str]:
    for node in nodes:
        if "String" in node:
            yield str(node["String"].get("sval", ""))
