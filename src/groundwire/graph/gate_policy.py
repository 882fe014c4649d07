"""Permissions of a query, and the policies that are ready for use."""

from __future__ import annotations

from typing import Literal, NamedTuple

from groundwire.graph.queries import Form
from groundwire.graph.terms import XSD

# SPARQL 1.1, section 17.5: the constructor functions, and those that engines add for dates.
_CASTS = (
    *("boolean", "string", "integer", "decimal", "float", "double", "dateTime", "date", "time"),
    *("duration", "dayTimeDuration", "yearMonthDuration"),
    *("gYear", "gYearMonth", "gMonth", "gMonthDay", "gDay"),
)
XSD_CASTS = frozenset(XSD + name for name in _CASTS)

_GEO = "http://www.opengis.net/def/function/geosparql/"
# GeoSPARQL 1.0, sections 8.7 and 9 to 11: they compute on geometries, and read nothing else.
_SIMPLE = ("Equals", "Disjoint", "Intersects", "Touches", "Crosses", "Within", "Contains")
_EGENHOFER = ("Equals", "Disjoint", "Meet", "Overlap", "Covers", "CoveredBy", "Inside", "Contains")
_RCC8 = ("eq", "dc", "ec", "po", "tppi", "tpp", "ntpp", "ntppi")
_GEOMETRY = (
    *("distance", "buffer", "convexHull", "intersection", "union", "difference"),
    *("symDifference", "envelope", "boundary", "getSRID", "relate"),
)
GEOSPARQL_FUNCTIONS = frozenset(
    (
        *(f"{_GEO}{name}" for name in _GEOMETRY),
        *(f"{_GEO}sf{name}" for name in (*_SIMPLE, "Overlaps")),
        *(f"{_GEO}eh{name}" for name in _EGENHOFER),
        *(f"{_GEO}rcc8{name}" for name in _RCC8),
    )
)

SCHEMA_GRAPH = "urn:graph:schema"


class Policy(NamedTuple):
    """Permissions of a query.

    Attributes:
        forms: query forms.
        default_graphs: names of the graphs that make up the default graph where the query has no
            FROM; None is the store's own.
        allowed_graphs: IRIs that FROM, FROM NAMED and GRAPH may name; None allows all. `GRAPH ?g`
            ranges over them only.
        sources: IRIs that FROM and FROM NAMED may name, where they are others than those of
            GRAPH: some servers fetch what FROM names. None is `allowed_graphs`.
        functions: IRIs of functions that may be called besides the built-ins.
        max_rows: most rows of an answer.
        max_length: most characters of a query.
        max_tokens: most terminals of a query.
        max_depth: deepest nesting of brackets.
        max_patterns: most triple patterns and steps of paths; the engine orders n of them in a
            time that grows with the cube of n. Also the most triples of a CONSTRUCT template.
        max_values: most rows of a VALUES, and most members of an IN.
        dialect: whose extensions of SPARQL are understood; they are allowed by the three below.
        built_ins: names of Virtuoso's own functions that may be called, and `bif:contains`, which
            stands as a predicate with a constant free-text expression.
        defines: names of pragmas that DEFINE may set.
        options: words that OPTION after a pattern may hold, in lower case.
    """

    forms: frozenset[Form] = frozenset(("select", "ask", "construct", "describe"))
    default_graphs: tuple[str, ...] | None = None
    allowed_graphs: tuple[str, ...] | None = ()
    functions: frozenset[str] = XSD_CASTS
    max_rows: int = 10_000
    max_length: int = 8_000
    max_tokens: int = 1_200
    max_depth: int = 16
    max_patterns: int = 60
    max_values: int = 500
    dialect: Literal["generic", "virtuoso"] = "generic"
    built_ins: frozenset[str] = frozenset()
    defines: frozenset[str] = frozenset()
    options: frozenset[str] = frozenset()
    sources: tuple[str, ...] | None = None


SCHEMA_POLICY = Policy(
    forms=frozenset(("select",)),
    default_graphs=(SCHEMA_GRAPH,),
    allowed_graphs=(SCHEMA_GRAPH,),
    max_rows=50,
    max_length=4_000,
    max_tokens=600,
)
"""For `investigate_schema`: one SELECT on the schema graph, 50 rows."""

REMOTE_POLICY = Policy(
    allowed_graphs=None,
    sources=(),
    functions=XSD_CASTS | GEOSPARQL_FUNCTIONS,
)
"""For an endpoint of any make: every graph by GRAPH, none by FROM except those in `sources`."""

VIRTUOSO_POLICY = REMOTE_POLICY._replace(
    dialect="virtuoso",
    # It sorts no more than 10,000 rows, OFFSET and LIMIT together (SR353), and often gives no more.
    max_rows=5_000,
    built_ins=frozenset(("bif:contains",)),
    # Virtuoso's "Supported SPARQL-BI define pragmas". Left out is what fetches (get:*,
    # input:grab-*), chooses graphs or storages past FROM (input:default-graph-uri,
    # input:storage, ...), adds text to the generated SQL (sql:select-option, ...) or changes the
    # form of the answer (output:*).
    defines=frozenset(("input:inference", "input:same-as", "input:ifp")),
    # Left out is TABLE_OPTION, whose value goes into the generated SQL as it is.
    options=frozenset(
        (
            *("score", "score_limit", "inference", "transitive", "t_distinct", "t_in", "t_out"),
            *("t_min", "t_max", "t_step", "t_direction", "t_no_cycles", "t_cycles_only"),
            *("t_exists", "t_no_order", "t_shortest_only", "t_end_flag", "t_final_as"),
        )
    ),
)
"""For a Virtuoso endpoint: `REMOTE_POLICY` with free-text search, inference and transitivity."""
