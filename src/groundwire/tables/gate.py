"""The gate of engines elsewhere: one reading query, read by sqlglot, its parts by list.

What passes is written anew from the tree and read once more, so that the engine gets what was
checked: comments are gone, and names and texts are quoted by the dialect's own rules. Every kind of
node must be known; every name before a parenthesis must be a function of the dialect's list; tables
must be plain names. The rights of the account and the engine's own read-only mode are further
walls.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundwire.tables.bounds import Refused, instead, unfit

if TYPE_CHECKING:
    from sqlglot import Token, exp

Parts = tuple[str, ...]

# Nested parentheses and brackets; deeper ones would pass the parser's own depth.
_DEEPEST = 60
# Parts of a SELECT that are none of reading, in sqlglot's names and as people write them.
_REFUSED_OF_SELECT = {
    "hint": "a hint",
    "into": "INTO",
    "locks": "FOR UPDATE",
    "settings": "SETTINGS",
    "format": "FORMAT",
    "options": "OPTION",
    "kind": "AS STRUCT or AS VALUE",
    "operation_modifiers": "a modifier of SELECT",
    "connect": "CONNECT BY",
    "match": "MATCH_RECOGNIZE",
    "for_": "FOR",
}
_REFUSED_OF_TABLE = {
    "hints": "a hint",
    "system_time": "a version of a table",
    "version": "a version of a table",
    "when": "a version of a table",
    "changes": "changes of a table",
    "format": "a format of files",
    "pattern": "a pattern of files",
    "partition": "a partition of a table",
    "rows_from": "ROWS FROM",
    "only": "ONLY",
    "indexed": "INDEXED BY",
}
_NAME = re.compile(r"[\w][\w $-]*")
_WORD = re.compile(r"[A-Za-z_]\w*")
_TIMES = frozenset(("CurrentDate", "CurrentDatetime", "CurrentTime", "CurrentTimestamp"))


@cache
def words(path: Path) -> frozenset[str]:
    """The words of a list in a file, in small letters; lines that begin with # are comments."""
    lines = path.read_text("utf-8").splitlines()
    return frozenset(" ".join(one for one in lines if not one.startswith("#")).lower().split())


def _no_suffix(name: str) -> str:
    return name


def _any_table(parts: Parts) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Policy:
    """The rules of the gate for one dialect. All names are in small letters.

    Attributes:
        dialect: in sqlglot's name.
        functions: what may be called.
        types: names of types with parameters.
        table_functions: what may be called after FROM.
        telling: names that are functions without a parenthesis and tell of the session.
        hidden: columns that no table declares and that tell where its files are.
        table: why a table may not be read, by the parts of its name; "" where it may.
        base: the function that a name with suffixes stands for.
        has_column_aliases: whether columns of a table may be named anew, `t AS u(a, b)`.
        texts: what no text of a query may hold, and what to say of it.
    """

    dialect: str
    functions: frozenset[str]
    types: frozenset[str] = frozenset()
    table_functions: frozenset[str] = frozenset()
    telling: frozenset[str] = frozenset()
    hidden: frozenset[str] = frozenset()
    table: Callable[[Parts], str] = _any_table
    base: Callable[[str], str] = _no_suffix
    has_column_aliases: bool = True
    texts: dict[str, str] = field(default_factory=dict[str, str])


def check(text: str, policy: Policy) -> str:
    """Check a query, and return the text to send, which is written anew from its tree.

    Args:
        text: the query.
        policy: what its dialect allows.

    Raises:
        Refused: it is not a single SELECT, or calls or reads what is not on a list.
    """
    reason = unfit(text)
    if reason:
        raise Refused(reason)
    for part, said in policy.texts.items():
        if part in text:
            raise Refused(said)
    try:
        tree = _one_query(text, policy.dialect)
        _Walk(policy, tree).check()
        written = _written(tree, policy.dialect)
        again = _one_query(written, policy.dialect)
        if _written(again, policy.dialect) != written:
            raise Refused("The query is read in two ways: write it more plainly.")
        _Walk(policy, again).check()
        _check_calls(written, again, policy)
    except RecursionError:
        raise Refused("The query is nested too deeply: flatten it.") from None
    return written


def _one_query(text: str, dialect: str) -> exp.Expr:
    import sqlglot
    from sqlglot.errors import SqlglotError

    try:
        _check_shape(sqlglot.tokenize(text, read=dialect))
        found = [tree for tree in sqlglot.parse(text, read=dialect) if tree is not None]
    except (SqlglotError, AttributeError, LookupError, TypeError, ValueError) as error:
        # The parser fails in its own ways on what is far from SQL.
        raise Refused(
            f"The query is not well-formed SQL of this engine ({_first(error)}): mend it."
        ) from None
    if len(found) != 1:
        raise Refused(f"These are {len(found)} statements: send one SELECT statement.")
    tree = found[0]
    inner: Any = tree
    while type(inner).__name__ in ("Subquery", "Paren"):
        inner = inner.this
    if type(inner).__name__ not in ("Select", "Union", "Intersect", "Except"):
        raise Refused("This is no SELECT: only SELECT is run here.")
    return tree  # pyright: ignore[reportReturnType]


def _check_shape(found: list[Token]) -> None:
    """Refuse anything but a single SELECT before it is parsed, and too deep a nesting."""
    first = next((token.text.lower() for token in found if token.text != "("), "")
    if first not in ("select", "with"):
        word = first.upper() if _WORD.fullmatch(first) else "no statement"
        raise Refused(f"This is {word}: only SELECT is run here.")
    depth = 0
    ended = False
    for token in found:
        if ended and token.text != ";":
            raise Refused("These are several statements: send one SELECT statement.")
        ended = token.text == ";" and token.token_type.name == "SEMICOLON"
        if token.text in ("(", "[", "{"):
            depth += 1
        elif token.text in (")", "]", "}"):
            depth -= 1
        if depth > _DEEPEST:
            raise Refused("The query is nested too deeply: flatten it.")


def _written(tree: exp.Expr, dialect: str) -> str:
    from sqlglot.errors import ErrorLevel, SqlglotError

    try:
        return tree.sql(
            dialect=dialect,
            comments=False,
            normalize_functions=False,
            unsupported_level=ErrorLevel.RAISE,
        )
    except (SqlglotError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise Refused(f"The query is not understood ({_first(error)}): mend it.") from None


def _first(error: Exception) -> str:
    """The first sentence of an error of sqlglot, without the excerpt of the query."""
    line = str(error).partition("\n")[0].partition("\x1b")[0]
    return " ".join(line.split()).rstrip(".:")[:200]


class _Walk:
    def __init__(self, policy: Policy, tree: exp.Expr) -> None:
        from sqlglot import exp

        self._exp = exp
        self._policy = policy
        self._tree = tree
        self._ctes = {cte.alias.lower() for cte in tree.find_all(exp.CTE)}
        self._kinds = words(Path(__file__).with_name("node_kinds.txt"))

    def check(self) -> None:
        for node in self._tree.walk():
            self._node(node)

    def _node(self, node: Any) -> None:
        exp = self._exp
        kind = type(node).__name__
        if isinstance(node, exp.Func):
            # What follows FROM is checked with its table.
            if not (isinstance(node.parent, exp.Table) and node.arg_key == "this"):
                self._function(node, kind)
        elif kind.lower() not in self._kinds:
            raise Refused(f"The query holds {kind}, which is not read here: leave it out.")
        if isinstance(node, exp.Select) and not node.expressions:
            raise Refused("A SELECT selects nothing: name what it should give.")
        if isinstance(node, exp.Query):
            _without(node, _REFUSED_OF_SELECT)
        if isinstance(node, exp.Table):
            self._table(node)
        elif isinstance(node, exp.In):
            self._members(node)
        elif isinstance(node, exp.Column):
            self._column(node)
        elif isinstance(node, exp.Dot) and isinstance(node.expression, exp.Func):
            raise Refused("Functions of a schema may not be called here: leave them out.")

    def _function(self, node: Any, kind: str) -> None:
        exp = self._exp
        if isinstance(node, (exp.Anonymous, exp.AnonymousAggFunc)):
            _known(str(node.name or node.this), self._policy)
        elif isinstance(node, exp.JSONTable | exp.OpenJSON | exp.XMLTable):
            raise Refused(f"The query holds {kind}, which is not read here: leave it out.")
        elif kind.startswith(("Current", "Session")) and kind not in _TIMES:
            raise Refused("Who is asking is not told here: leave it out.")

    def _column(self, node: Any) -> None:
        hidden = self._policy.hidden.intersection(part.name.lower() for part in node.parts)
        if hidden:
            raise Refused(f"The column {min(hidden)} tells of files, and is not read here.")
        if not node.args.get("table") and node.name.lower() in self._policy.telling:
            raise Refused(f"{node.name.upper()} is not told here: leave it out.")

    def _members(self, node: Any) -> None:
        """Refuse `x IN name` where the name is a table that may not be read."""
        found = node.args.get("field")
        if found is None:
            return
        if not isinstance(found, (self._exp.Column, self._exp.Identifier)):
            if isinstance(found, self._exp.Func):
                raise Refused("IN takes a list or a SELECT here: write one.")
            return
        self._named(tuple(part.name for part in getattr(found, "parts", [found])))

    def _table(self, node: Any) -> None:
        _without(node, _REFUSED_OF_TABLE)
        named = node.this
        if isinstance(named, self._exp.Func):
            name = named.sql(self._policy.dialect).partition("(")[0].strip('"`').lower()
            if node.args.get("db") or name not in self._policy.table_functions:
                raise Refused(
                    f"The function {name} is not on the list of those that may be called after "
                    f"FROM: {instead(name, self._policy.table_functions)}"
                )
            return
        if not isinstance(named, (self._exp.Identifier, self._exp.Dot)):
            raise Refused("What follows FROM is not understood: name a table.")
        alias = node.args.get("alias")
        if alias is not None and alias.args.get("columns") and not self._policy.has_column_aliases:
            raise Refused(f"What follows {node.name} is not understood: name a table.")
        self._named(tuple(part.name for part in node.parts))

    def _named(self, parts: Parts) -> None:
        if len(parts) == 1 and parts[0].lower() in self._ctes:
            return
        if not all(_NAME.fullmatch(part) for part in parts):
            raise Refused(
                f"There is no table {'.'.join(parts)[:80]!r} here: name a table of the database."
            )
        reason = self._policy.table(tuple(part.lower() for part in parts))
        if reason:
            raise Refused(reason)


def _without(node: Any, refused: dict[str, str]) -> None:
    for name, said in refused.items():
        if node.args.get(name):
            raise Refused(f"The query holds {said}, which is not read here: leave it out.")


def _known(name: str, policy: Policy) -> None:
    folded = name.lower()
    if folded not in policy.functions and policy.base(folded) not in policy.functions:
        raise Refused(
            f"The function {name} is not on the list of those that may be called here: "
            f"{instead(name, policy.functions)}"
        )


def _check_calls(text: str, tree: exp.Expr, policy: Policy) -> None:
    """Refuse names before a parenthesis that are no function of the list.

    A name that an alias with columns bears (`WITH name(a) AS`) may stand there as often as that.
    """
    import sqlglot
    from sqlglot import exp

    free = Counter(
        alias.name.lower()
        for alias in tree.find_all(exp.TableAlias)
        if alias.args.get("columns") and alias.name
    )
    before = words(Path(__file__).with_name("words_before_parenthesis.txt"))
    for name, is_quoted, follows_point in _calls(sqlglot.tokenize(text, read=policy.dialect)):
        folded = name.lower()
        if follows_point:
            raise Refused(f"The function {name} of a schema may not be called here: leave it out.")
        if not is_quoted and (folded in before or folded in policy.types):
            continue
        if free[folded] > 0:
            free[folded] -= 1
            continue
        if folded not in policy.table_functions:
            _known(name, policy)


def _calls(found: list[Token]) -> Iterator[tuple[str, bool, bool]]:
    """Each name before a parenthesis, whether it is quoted, and whether a point is before it."""
    from sqlglot.tokens import TokenType  # pyright: ignore[reportAttributeAccessIssue, reportPrivateImportUsage]

    for place, token in enumerate(found[:-1]):
        if found[place + 1].token_type != TokenType.L_PAREN:
            continue
        quoted = token.token_type == TokenType.IDENTIFIER
        is_word = bool(_WORD.fullmatch(token.text)) and token.token_type != TokenType.STRING
        if quoted or is_word:
            before = found[place - 1].token_type if place else None
            yield token.text, quoted, before == TokenType.DOT
