"""The gate of PostgreSQL: one SELECT, its functions by list.

`check` judges the parse tree of the server's own parser (`check_tree`) where `libpg_query`
(https://github.com/pganalyze/libpg_query) is installed, and the words of the query (`check_words`)
where it is not. The server takes the text as one prepared statement
later; what the reading of words adds is that every name before a parenthesis is a function of the
list, an alias or a key word, and that every name after a point that would be a function of one
argument there (`('x'::text).pg_read_file`) is found out. What the server must be asked about is in
the verdict. Views and functions inside views are the administrator's, like the rights of the role
that connects.

In the tree every kind of node must be known; functions, tables and types are judged by the same
lists, and no alias or key word can be taken for a function, nor a function for one of these.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, cast

from groundwire.tables.bounds import Refused, instead, listed
from groundwire.tables.gate import words
from groundwire.tables.postgres.lexer import Token, fold, tokens

FUNCTIONS = words(Path(__file__).with_name("functions.txt"))
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


_FIRST = listed("select with values table")
# Reserved key words that stand before a parenthesis (SQL Key Words, appendix C).
_BEFORE_PARENTHESIS = listed(
    """
    all and any array as between both case distinct else except exists for from group grouping
    having in intersect join lateral leading like ilike limit not offset on only or placing select
    similar some symmetric then to trailing union using values variadic when where with
    """
)
# Others, which could name a function elsewhere, and what comes before them.
_AFTER = {
    "by": listed("group order partition"),
    "sets": listed("grouping"),
    "materialized": listed("as not"),
    "cube": listed("by ,"),
    "rollup": listed("by ,"),
    "filter": listed(")"),
    "over": listed(")"),
    "bernoulli": listed("tablesample"),
    "system": listed("tablesample"),
}
# All key words: after one of them a name with a parenthesis is no alias (pg_get_keywords(), and
# those that later versions brought).
_KEYWORDS = listed(
    """
    abort absent absolute access action add admin after aggregate all also alter always analyse
    analyze and any array as asc asensitive assertion assignment asymmetric at atomic attach
    attribute authorization backward before begin between bigint binary bit boolean both breadth by
    cache call called cascade cascaded case cast catalog chain char character characteristics check
    checkpoint class close cluster coalesce collate collation column columns comment comments
    commit committed compression concurrently conditional configuration conflict connection
    constraint constraints content continue conversion copy cost create cross csv cube current
    current_catalog current_date current_role current_schema current_time current_timestamp
    current_user cursor cycle data database day deallocate dec decimal declare default defaults
    deferrable deferred definer delete delimiter delimiters depends depth desc detach dictionary
    disable discard distinct do document domain double drop each else empty enable encoding
    encrypted end enforced enum error escape event except exclude excluding exclusive execute exists
    explain expression extension external extract false family fetch filter finalize first float
    following for force foreign forward freeze from full function functions generated global grant
    granted greatest group grouping groups handler having header hold hour identity if ignore ilike
    immediate immutable implicit import in include including increment indent index indexes inherit
    inherits initially inline inner inout input insensitive insert instead int integer intersect
    interval into invoker is isnull isolation join json json_array json_arrayagg json_exists
    json_object json_objectagg json_query json_scalar json_serialize json_table json_value keep key
    keys label language large last lateral leading leakproof least left level like limit listen
    load local localtime localtimestamp location lock locked logged mapping match matched
    materialized maxvalue merge merge_action method minute minvalue mode month move name names
    national natural nchar nested new next nfc nfd nfkc nfkd no none normalize normalized not
    nothing notify notnull nowait null nullif nulls numeric object objects of off offset oids old
    omit on only operator option options or order ordinality others out outer over overlaps overlay
    overriding owned owner parallel parameter parser partial partition passing password path period
    placing plan plans policy position preceding precision prepare prepared preserve primary prior
    privileges procedural procedure procedures program publication quote quotes range read real
    reassign recheck recursive ref references referencing refresh reindex relative release rename
    repeatable replace replica reset respect restart restrict return returning returns revoke right
    role rollback rollup routine routines row rows rule savepoint scalar schema schemas scroll
    search second security select sequence sequences serializable server session session_user set
    setof sets share show similar simple skip smallint snapshot some source sql stable standalone
    start statement statistics stdin stdout storage stored strict string strip subscription
    substring support symmetric sysid system system_user table tables tablesample tablespace target
    temp template temporary text then ties time timestamp to trailing transaction transform treat
    trigger trim true truncate trusted type types uescape unbounded uncommitted unconditional
    unencrypted union unique unknown unlisten unlogged until update user using vacuum valid
    validate validator value values varchar variadic varying verbose version view views virtual
    volatile when where whitespace window with within without work wrapper write xml xmlattributes
    xmlconcat xmlelement xmlexists xmlforest xmlnamespaces xmlparse xmlpi xmlroot xmlserialize
    xmltable year yes zone
    """
)
_TELLING = listed(
    """
    current_catalog current_role current_schema current_user session_user system_user user
    """
)
_CHANGING = listed("insert update delete merge")
CATALOGUE = listed(
    """
    columns constraint_column_usage key_column_usage referential_constraints table_constraints
    tables
    """
)
"""Tables of information_schema that may be read."""

# PostgreSQL cuts longer names, which would then be others than those that were checked.
_LONGEST = 63


class Verdict(NamedTuple):
    """The gate's verdict: what passed, and what is still to be asked of the server.

    Attributes:
        text: the statement, without what ends it.
        fields: names after a point that follows an expression: any function of one argument.
        columns: names after a point that follows a name: a function of a whole row.
    """

    text: str
    fields: frozenset[str]
    columns: frozenset[str]


def check(text: str, extra: Collection[str] = ()) -> Verdict:
    """Let a SELECT pass, judged by the server's own parser where that is installed.

    Raises:
        Refused: as `check_words`, which judges where it is not.
    """
    return check_tree(text, extra) if _is_here() else check_words(text, extra)


def check_words(text: str, extra: Collection[str] = ()) -> Verdict:
    """Let a SELECT pass, judged by its words alone.

    Args:
        text: the query.
        extra: functions that may be called besides the list, as they are written: `name` or
            `schema.name`, in small letters.

    Raises:
        Refused: it is not a SELECT, or calls or reads what is not on a list.
    """
    found = tokens(text)
    end = len(text)
    while found and found[-1].is_sign(";"):
        end = found.pop().start
    if not found:
        raise Refused("The query holds only comments: send one SELECT statement.")
    if any(token.is_sign(";") for token in found):
        raise Refused("These are several statements: send one SELECT statement.")
    first = next((token for token in found if not token.is_sign("(")), found[0])
    if not first.is_word(*_FIRST):
        raise Refused(f"This is no SELECT but {first.text.upper()}: only SELECT is run here.")
    return _Reader(found, frozenset(extra)).verdict(text[:end])


class _Reader:
    def __init__(self, found: list[Token], extra: frozenset[str]) -> None:
        self._found = found
        self._extra = extra
        self._partner = _partners(found)

    def verdict(self, text: str) -> Verdict:
        fields: set[str] = set()
        columns: set[str] = set()
        for place, token in enumerate(self._found):
            if token.kind not in ("word", "name"):
                continue
            self._name(place, token)
            if self._sign(place + 1, "("):
                self._call(place, token)
            elif self._sign(place - 1, "."):
                (fields if self._follows_expression(place) else columns).add(token.text)
        return Verdict(text, frozenset(fields - FUNCTIONS), frozenset(columns - FUNCTIONS))

    def _sign(self, place: int, sign: str) -> bool:
        return 0 <= place < len(self._found) and self._found[place].is_sign(sign)

    def _follows_expression(self, place: int) -> bool:
        """Whether the name at `place`, after a point, is of a value: `(x).a.b` or `x[1].a`."""
        while self._sign(place - 1, "."):
            place -= 2
        return place >= 0 and self._found[place].kind not in ("word", "name")

    def _name(self, place: int, token: Token) -> None:
        """Refuse names that tell of the server, and statements that change data."""
        name = fold(token.text)
        if len(name.encode()) > _LONGEST:
            raise Refused(f"The name {name[:20]}… is longer than {_LONGEST} bytes: shorten it.")
        if token.kind == "word" and not self._sign(place - 1, "."):
            if name in _TELLING:
                raise Refused(f"{name.upper()} is not told here: leave it out.")
            if name in _CHANGING and self._sign(place - 1, "("):
                raise Refused(f"The query holds {name.upper()}, and only SELECT is run here.")
        follows = self._found[place + 2].text if self._sign(place + 1, ".") else ""
        if name == "information_schema":
            if fold(follows) not in CATALOGUE:
                raise Refused(
                    f"Of information_schema only {', '.join(sorted(CATALOGUE))} are read here."
                )
        elif name == "pg_catalog" and fold(follows) in FUNCTIONS:
            return
        elif name.startswith("pg_") and name not in FUNCTIONS | self._extra:
            raise Refused(
                f"{token.text} is of the server's own catalogue, which is not read here: "
                "information_schema.tables and information_schema.columns are."
            )

    def _call(self, place: int, token: Token) -> None:
        """Refuse a call of what is not on the list."""
        name = token.text
        if self._sign(place - 1, "."):
            schema = self._found[place - 2].text
            full = f"{schema}.{name}"
            if full in self._extra or (schema == "pg_catalog" and name in FUNCTIONS):
                return
            raise Refused(
                f"The function {full} is not on the list of those that may be called here: "
                "functions of a schema are added to it by the administrator."
            )
        plain = token.kind == "word"
        if plain and (name in _BEFORE_PARENTHESIS or name == "cast"):
            return
        if plain and place and self._found[place - 1].text in _AFTER.get(name, ()):
            return
        if name in FUNCTIONS or name in self._extra or self._is_alias(place):
            return
        raise Refused(
            f"The function {name} is not on the list of those that may be called here: "
            f"{instead(name, FUNCTIONS)}"
        )

    def _word(self, place: int, *words: str) -> bool:
        return 0 <= place < len(self._found) and self._found[place].is_word(*words)

    def _is_plain(self, place: int) -> bool:
        """Whether an identifier other than a key word stands at `place`."""
        if not 0 <= place < len(self._found):
            return False
        token = self._found[place]
        return token.kind == "name" or (token.kind == "word" and token.text not in _KEYWORDS)

    def _is_alias(self, place: int) -> bool:
        """Whether the name at `place` names a table and its columns: `g(i)`, `WITH g(i) AS (`."""
        before = place - 1
        if self._word(before, "as", "ordinality") or self._is_plain(before):
            return True
        if self._sign(before, ")"):
            # After a function or subquery in FROM, and not after DISTINCT ON (...).
            opening = self._partner[before] - 1
            return (
                self._is_plain(opening)
                or self._word(opening, "from", "join", "lateral")
                or self._sign(opening, ",")
            )
        return self._is_common_table(self._partner[place + 1] + 1)

    def _is_common_table(self, place: int) -> bool:
        """Whether `AS [NOT] [MATERIALIZED] (SELECT` stands at `place`, as only WITH has it."""
        if not self._word(place, "as"):
            return False
        place += 1
        while self._word(place, "not", "materialized"):
            place += 1
        if not self._sign(place, "("):
            return False
        # VALUES may be the name of a column, where no parenthesis follows it.
        return (
            self._word(place + 1, "select", "with", "table")
            or self._sign(place + 1, "(")
            or (self._word(place + 1, "values") and self._sign(place + 2, "("))
        )


def _partners(found: list[Token]) -> dict[int, int]:
    """For each parenthesis the place of the other."""
    partner: dict[int, int] = {}
    opened: list[int] = []
    for place, token in enumerate(found):
        if token.is_sign("("):
            opened.append(place)
        elif token.is_sign(")"):
            if not opened:
                raise Refused("A parenthesis is closed that was not opened: mend it.")
            partner[place] = opened.pop()
            partner[partner[place]] = place
    if opened:
        raise Refused("A parenthesis is not closed: mend it.")
    return partner


def _is_here() -> bool:
    """Whether the parser is installed."""
    return find_spec("pgparse") is not None


def check_tree(text: str, extra: Collection[str] = ()) -> Verdict:
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


def _strings(nodes: list[dict[str, Any]]) -> list[str]:
    """The names of a list; stars and subscripts are left out."""
    return list(_strings_in(nodes))


def _strings_in(nodes: list[dict[str, Any]]) -> Iterator[str]:
    for node in nodes:
        if "String" in node:
            yield str(node["String"].get("sval", ""))
