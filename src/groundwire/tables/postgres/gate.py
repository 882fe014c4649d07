"""The gate of PostgreSQL: one SELECT, its functions by list.

`check` has the tree of the server's own parser judged where that parser is installed (`tree_gate`),
and the words of the query where it is not. The server takes the text as one prepared statement
later; what the reading of words adds is that every name before a parenthesis is a function of the
list, an alias or a key word, and that every name after a point that would be a function of one
argument there (`('x'::text).pg_read_file`) is found out. What the server must be asked about is in
the verdict. Views and functions inside views are the administrator's, like the rights of the role
that connects.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from groundwire.tables.bounds import listed
from groundwire.tables.postgres.functions import FUNCTIONS
from groundwire.tables.postgres.lexer import Token, fold, tokens
from groundwire.tables.refusal import Refused, instead

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
    from groundwire.tables.postgres import tree_gate

    return tree_gate.check(text, extra) if tree_gate.is_here() else check_words(text, extra)


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
