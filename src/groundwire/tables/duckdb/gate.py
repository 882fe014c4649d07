"""The gate of DuckDB: one SELECT, read by DuckDB's own parser, its functions and tables by list.

The tree is the one that `json_serialize_sql` gives, of DuckDB 2.0 (that of 1.4 is another). Every
kind of node must be known here: what the parser learns later is refused until it is. Views and
macros of the database are read as if their text stood in the query. Runs in the worker: standard
library and duckdb only.

The functions of DuckDB that a query may call: computing on values, and nothing besides. In small
letters, taken from `duckdb_functions()` of DuckDB 2.0. Left out is whatever reads files, settings,
sequences, logs, the catalogue, other queries' text or the server's state, runs a text as SQL,
waits, writes, or belongs to the engine's inside; a function that a later version brings is refused
until it is listed here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from groundwire.tables.bounds import Refused, instead, listed

_OPERATORS = listed(
    """
    != !__postfix !~~ !~~* % & && * ** + - ->> / // < <-> << <= <=> <@ = > >= >> @ @> ^ ^@
    __between __cast | || ~ ~~ ~~* ~~~
    """
)
"""Operators that the parser turns into functions."""

_SCALARS = listed(
    """
    abs acos acosh add age aggregate ago alias apply
    array_aggr array_aggregate array_append array_apply array_cat array_concat array_contains
    array_cosine_distance array_cosine_similarity array_cross_product array_distance
    array_distinct array_dot_product array_extract array_filter array_grade_up array_has
    array_has_all array_has_any array_indexof array_inner_product array_intersect array_length
    array_negative_dot_product array_negative_inner_product array_pop_back array_pop_front
    array_position array_prepend array_push_back array_push_front array_reduce array_resize
    array_reverse array_reverse_sort array_select array_slice array_sort array_to_json
    array_to_string array_to_string_comma_default array_transform array_unique array_value
    array_where array_zip ascii asin asinh assert_true atan atan2 atanh bar base64 bin binom
    bit_count bit_length bit_position bitstring cardinality cbrt ceil ceiling century char_length
    character_length chr concat concat_ws constant_or_null contains cos cosh cot current_date
    current_localtime current_localtimestamp damerau_levenshtein date_add date_diff date_part
    date_sub date_trunc datediff datepart datesub datetrunc day dayname dayofmonth dayofweek
    dayofyear days_in_month decade decimal_division decode degrees divide element_at encode
    ends_with enum_code enum_first enum_last enum_range enum_range_boundary epoch epoch_ms
    epoch_ns epoch_us equi_width_bins era error even exp factorial fdiv filter flatten floor fmod
    format formatreadabledecimalsize formatreadablesize format_bytes from_base64 from_binary
    from_hex from_json from_json_strict gamma gcd gen_random_uuid generate_series
    generate_subscripts geomean geometric_mean get_bit get_current_time get_current_timestamp
    grade_up greatest greatest_common_divisor hamming hash hex hour if ilike_escape instr isfinite
    isinf isnan isodow isoyear jaccard jaro_similarity jaro_winkler_similarity json json_array
    json_array_length json_contains json_deep_merge json_exists json_extract json_extract_path
    json_extract_path_text json_extract_string json_group_array json_group_object json_insert
    json_keys json_merge_patch json_merge_patch_diff json_normalize json_object json_pretty
    json_quote json_remove json_replace json_set json_strip_nulls json_structure json_transform
    json_transform_strict json_type json_valid json_value julian last_day lcase lcm least
    least_common_multiple left left_grapheme len length length_grapheme levenshtein lgamma
    like_escape list_aggr list_aggregate list_any_value list_append list_apply
    list_approx_count_distinct list_avg list_bit_and list_bit_or list_bit_xor list_bool_and
    list_bool_or list_cat list_concat list_contains list_cosine_distance list_cosine_similarity
    list_count list_distance list_distinct list_dot_product list_element list_entropy list_extract
    list_filter list_first list_grade_up list_has list_has_all list_has_any list_histogram
    list_indexof list_inner_product list_intersect list_kurtosis list_kurtosis_pop list_last
    list_mad list_max list_median list_min list_mode list_negative_dot_product
    list_negative_inner_product list_pack list_position list_prepend list_product list_reduce
    list_resize list_reverse list_reverse_sort list_select list_sem list_skewness list_slice
    list_sort list_stddev_pop list_stddev_samp list_string_agg list_sum list_transform list_unique
    list_value list_var_pop list_var_samp list_where list_zip ln log log10 log2 lower lpad ltrim
    make_date make_time make_timestamp make_timestamp_ms make_timestamp_ns make_timestamptz map
    map_concat map_contains map_contains_entry map_contains_value map_entries map_extract
    map_extract_value map_from_entries map_keys map_values md5 md5_number md5_number_lower
    md5_number_upper microsecond millennium millisecond minute mismatches mod month monthname
    multiply nanosecond nextafter nfc_normalize not_ilike_escape not_like_escape now nullif
    octet_length ord overlay parse_dirname parse_dirpath parse_filename parse_formatted_bytes
    parse_path pg_typeof pi position pow power prefix printf quarter radians random range reduce
    regexp_escape regexp_extract regexp_extract_all regexp_full_match regexp_matches
    regexp_replace regexp_split_to_array regexp_split_to_table repeat replace reverse right
    right_grapheme round round_even roundbankers row row_to_json rpad rtrim second set_bit sha1
    sha256 sign signbit sin sinh split split_part sqrt st_asbinary st_asgeojson st_astext st_aswkb
    st_aswkt st_crs st_geomfromgeojson st_geomfromwkb st_intersects_extent starts_with str_split
    str_split_regex strftime string_split string_split_regex string_to_array strip_accents strlen
    strpos strptime struct_concat struct_contains struct_extract struct_extract_at struct_has
    struct_indexof struct_insert struct_keys struct_pack struct_position struct_update
    struct_values substr substring substring_grapheme subtract suffix switch tan tanh time_bucket
    timezone timezone_hour timezone_minute to_base to_base64 to_binary to_centuries to_days
    to_decades to_hex to_hours to_json to_microseconds to_millennia to_milliseconds to_minutes
    to_months to_quarters to_seconds to_timestamp to_weeks to_years today transaction_timestamp
    translate trim trunc try_strptime typeof ucase unbin unhex unicode union_extract union_tag
    union_value unnest unpivot_list upper url_decode url_encode uuid uuid_extract_timestamp
    uuid_extract_version uuidv4 uuidv7 wavg week weekday weekofyear weighted_avg xor year yearweek
    """
)
"""Functions and built-in macros of one row."""

_AGGREGATES = listed(
    """
    any_value approx_count_distinct approx_quantile approx_top_k arbitrary arg_max arg_max_null
    arg_max_nulls_last arg_min arg_min_null arg_min_nulls_last argmax argmin array_agg avg bit_and
    bit_or bit_xor bitstring_agg bool_and bool_or corr count count_if count_star countif covar_pop
    covar_samp decimal_average entropy favg first fsum group_concat histogram histogram_exact
    kahan_sum kurtosis kurtosis_pop last list listagg lttb mad max max_by mean median min min_by
    mode product quantile quantile_cont quantile_disc regr_avgx regr_avgy regr_count
    regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy reservoir_quantile sem skewness
    stddev stddev_pop stddev_samp string_agg sum sum_no_overflow sumkahan var_pop var_samp
    variance
    """
)
"""Functions of many rows."""

_WINDOWS = listed(
    """
    cume_dist dense_rank fill first_value lag last_value lead nth_value ntile percent_rank rank
    rank_dense row_number
    """
)
"""Functions of a window."""

FUNCTIONS = _OPERATORS | _SCALARS | _AGGREGATES | _WINDOWS
"""What may stand in an expression."""

TABLE_FUNCTIONS = listed("generate_series json_each json_tree range repeat repeat_row unnest")
"""What may stand after FROM."""

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
