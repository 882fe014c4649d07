"""The words that stand for operators, bounds and booleans in what models send."""

from __future__ import annotations

import re
from collections.abc import Mapping


def operator_key(word: str) -> str:
    """An operator's name without case, spaces, hyphens and underscores."""
    return re.sub(r"[\s_\-]+", "", word).casefold()


def _table(groups: Mapping[str, str]) -> dict[str, str]:
    return {operator_key(word): name for name, words in groups.items() for word in words.split("|")}


FILTER_OPERATORS = _table(
    {
        "any_of": "any_of|any|in|one_of|or|eq|equals|equal|equal_to|is|=|==|value|values|$in|$eq",
        "all_of": "all_of|all|and|contains_all|has_all|$all|every",
        "none_of": "none_of|none|not|not_in|nin|ne|neq|not_equal|not_equals|!=|<>|is_not|exclude"
        "|excludes|without|$nin|$ne|$not",
        "contains": "contains|like|ilike|includes_text|text|matches|substring|search",
        "exists": "exists|exist|present|is_present|has_value|$exists",
        "missing": "missing|absent|is_null|null|is_missing|not_exists|$missing",
    }
)
RANGE_OPERATORS = _table(
    {
        "min": "min|minimum|from|since|at_least|gte|ge|>=|=>|≥|not_less_than|no_less_than|start"
        "|lower|not_before|$gte",
        "max": "max|maximum|to|until|till|at_most|lte|le|<=|=<|≤|not_more_than|no_more_than|end"
        "|upper|up_to|not_after|$lte",
        "gt": "gt|>|more_than|greater_than|greater|above|over|exceeds|after|larger_than"
        "|longer_than|higher_than|$gt|exclusive_min|min_exclusive",
        "lt": "lt|<|less_than|fewer_than|less|below|under|before|smaller_than|shorter_than"
        "|lower_than|$lt|exclusive_max|max_exclusive",
        "between": "between|range|interval",
        "equals": "eq|=|==|equals|equal|is|equal_to|$eq|value",
    }
)
# Longest first, so that "at least" is not read as "at".
BOUND_WORDS = sorted(
    (
        ("more than", "gt"), ("greater than", "gt"), ("larger than", "gt"), ("longer than", "gt"),
        ("higher than", "gt"), ("over", "gt"), ("above", "gt"), ("after", "gt"),
        ("exceeding", "gt"), ("less than", "lt"), ("fewer than", "lt"), ("smaller than", "lt"),
        ("shorter than", "lt"), ("lower than", "lt"), ("under", "lt"), ("below", "lt"),
        ("before", "lt"), ("at least", "min"), ("minimum", "min"), ("no less than", "min"),
        ("not less than", "min"), ("from", "min"), ("since", "min"), ("at most", "max"),
        ("maximum", "max"), ("no more than", "max"), ("not more than", "max"), ("up to", "max"),
        ("until", "max"), (">=", "min"), ("≥", "min"), ("<=", "max"), ("≤", "max"), (">", "gt"),
        ("<", "lt"),
    ),
    key=lambda pair: -len(pair[0]),
)  # fmt: skip
TRUE = frozenset({"true", "yes", "1", "on", "ja", "wahr", "oui", "sí", "si", "是", "真"})
FALSE = frozenset({"false", "no", "0", "off", "nein", "falsch", "non", "否", "假"})
