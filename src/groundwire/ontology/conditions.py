"""Conditions of a search, read from every spelling of them that models are known to send.

A condition is parsed here and resolved later: parsing knows operators and forms of values, but no
catalogue.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast


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


Scalar = str | int | float | bool

MAX_VALUES = 100
MAX_TEXT = 500


@dataclass(frozen=True, slots=True)
class Filter:
    """Conditions on a property's values.

    Attributes:
        any_of: at least one of these values.
        all_of: every one of these values.
        none_of: not one of these values.
        contains: texts that the value holds, ignoring case.
        exists: True: the property has a value; False: it has none.
    """

    any_of: tuple[Scalar, ...] = ()
    all_of: tuple[Scalar, ...] = ()
    none_of: tuple[Scalar, ...] = ()
    contains: tuple[str, ...] = ()
    exists: bool | None = None


@dataclass(frozen=True, slots=True)
class Range:
    """Bounds of a property's values, as they were sent (numbers, dates, or with a unit)."""

    lower: Scalar | None = None
    upper: Scalar | None = None
    lower_open: bool = False
    upper_open: bool = False


@dataclass(frozen=True, slots=True)
class Condition:
    """One entry of `filters`.

    Attributes:
        filter: the values, or None where bounds were sent in their place.
        range: the bounds, or None. Both are there where one text can be read either way ("more
            than 10"): the property's datatype then decides.
    """

    filter: Filter | None = None
    range: Range | None = None


_BETWEEN = re.compile(
    r"(?:(?:between|from)\s+)?(\S.{0,60}?)\s*(?:\.\.+|–|—|\s-\s|\bto\b|\band\b)\s*(\S.{0,60})",
    re.IGNORECASE,
)

_AND = re.compile(r"(?<=\S)\s{1,8}and\s{1,8}", re.IGNORECASE)


def read_boolean(value: object) -> bool | None:
    """The boolean that `value` says, in English or a few other languages, or None."""
    if isinstance(value, bool):
        return value
    if isinstance(value, (int, float)):
        return bool(value) if value in (0, 1) else None
    word = str(value).strip().casefold()
    return True if word in TRUE else False if word in FALSE else None


def parse_condition(raw: object) -> Condition:
    """Read one entry of `filters`.

    Raises:
        ValueError: the entry has no form that can be read; the message says what to send.
    """
    value = unpack(raw)
    if isinstance(value, Condition):
        return value
    if isinstance(value, Mapping):
        return _condition_of(cast("Mapping[object, object]", value))
    spoken = spoken_range(value) if isinstance(value, str) else None
    return Condition(filter=Filter(any_of=_scalars(value)), range=spoken)


def _condition_of(entries: Mapping[object, object]) -> Condition:
    if not entries:
        raise ValueError('send a value, a list, or {"any_of": [...]}, not an empty object')
    names = {operator_key(str(name)) for name in entries}
    if names <= set(RANGE_OPERATORS) and not names & set(FILTER_OPERATORS):
        return Condition(range=parse_range(entries))
    parts: dict[str, tuple[Scalar, ...]] = {}
    exists: bool | None = None
    # Blanks stand for operators that a caller did not mean to send.
    sent = {name: content for name, content in entries.items() if not is_blank(content)} or entries
    for name, content in sent.items():
        operator = FILTER_OPERATORS.get(operator_key(str(name)))
        if operator is None:
            raise ValueError(
                f"unknown operator {str(name)[:40]!r}: use any_of, all_of, none_of, contains or "
                "exists, and put bounds (min, max, gt, gte, lt, lte) under ranges"
            )
        if operator in ("exists", "missing"):
            said = read_boolean(content)
            if said is None:
                raise ValueError('exists takes true or false, as in {"exists": true}')
            exists = said if operator == "exists" else not said
        elif operator == "any_of" and operator in parts:
            raise ValueError("any_of is given twice, in two spellings: send one list")
        else:
            parts[operator] = parts.get(operator, ()) + _scalars(unpack(content))
    return Condition(
        filter=Filter(
            any_of=parts.get("any_of", ()),
            all_of=parts.get("all_of", ()),
            none_of=parts.get("none_of", ()),
            contains=tuple(str(text) for text in parts.get("contains", ())),
            exists=exists,
        )
    )


def parse_range(raw: object) -> Range:
    """Read one entry of `ranges`.

    Raises:
        ValueError: the entry has no form that can be read; the message says what to send.
    """
    value = unpack(raw)
    if isinstance(value, Range):
        return value
    if isinstance(value, Mapping):
        return _range_of(cast("Mapping[object, object]", value))
    if isinstance(value, list):
        return _pair(cast("list[object]", value))
    if isinstance(value, str) and (bounds := spoken_range(value)) is not None:
        return bounds
    (only,) = _scalars(value)
    return Range(lower=only, upper=only)


def _range_of(entries: Mapping[object, object]) -> Range:
    if not entries:
        raise ValueError('send bounds such as {"min": 1, "max": 5}, not an empty object')
    found = Range()
    for name, content in entries.items():
        operator = RANGE_OPERATORS.get(operator_key(str(name)))
        if operator is None:
            raise ValueError(
                f"unknown bound {str(name)[:40]!r}: use min and max (closed), or gt, gte, lt, lte"
            )
        if content is None or content == "":
            continue
        found = _with_bound(found, operator, unpack(content))
    if found.lower is None and found.upper is None:
        raise ValueError('send at least one bound, such as {"min": 1}')
    return found


def _with_bound(found: Range, operator: str, content: object) -> Range:
    if operator in ("between", "equals"):
        given = content if operator == "between" else [content, content]
        if isinstance(given, str):
            return parse_range(given)
        if found.lower is not None or found.upper is not None:
            raise ValueError("bounds are given twice")
        return _pair(cast("list[object]", given) if isinstance(given, list) else [given])
    if isinstance(content, list):
        raise ValueError("a bound is one value, not a list")
    (bound,) = _scalars(content)
    side = "lower" if operator in ("min", "gt") else "upper"
    if getattr(found, side) is not None:
        raise ValueError(f"the {side} bound is given twice")
    if side == "lower":
        return Range(bound, found.upper, operator == "gt", found.upper_open)
    return Range(found.lower, bound, found.lower_open, operator == "lt")


def _pair(values: list[object]) -> Range:
    if len(values) != 2:
        raise ValueError("a range takes two values, [min, max]")
    lower, upper = (None if value in (None, "") else _scalars([value])[0] for value in values)
    if lower is None and upper is None:
        raise ValueError("send at least one bound, such as [1, null]")
    return Range(lower=lower, upper=upper)


def spoken_range(text: str) -> Range | None:
    """Read "more than 10", ">= 3 km" or "between 2 and 4"; None where the text is not a range."""
    words = text.strip()
    match = _BETWEEN.fullmatch(words) if len(words) <= 140 else None
    if match and all(re.match(r"[+\-−]?\d", part) for part in match.groups()):
        return Range(lower=match[1], upper=match[2])
    sides = [_one_sided(side.strip()) for side in _AND.split(words)] if len(words) <= 140 else []
    if len(sides) == 2 and all(sides):
        return _both_sides(cast("list[Range]", sides))
    return _one_sided(words)


def _both_sides(sides: list[Range]) -> Range | None:
    """The range between two bounds, one of each side: ">= 2 km and < 4 km"."""
    lower = [side for side in sides if side.upper is None]
    upper = [side for side in sides if side.lower is None]
    if len(lower) != 1 or len(upper) != 1:
        return None
    return Range(lower[0].lower, upper[0].upper, lower[0].lower_open, upper[0].upper_open)


def _one_sided(words: str) -> Range | None:
    lowered = words.casefold()
    for phrase, operator in BOUND_WORDS:
        if lowered.startswith(phrase):
            rest = words[len(phrase) :].strip()
            if re.match(r"[\d.,+\-−]", rest):
                return _with_bound(Range(), operator, rest)
    return None


def written(condition: Condition) -> Any:
    """A condition as it can be sent."""
    if condition.filter is None or condition.range is not None:
        bounds = condition.range
        if condition.filter is not None and condition.filter.any_of:
            return condition.filter.any_of[0]
        assert bounds is not None
        parts: dict[str, Any] = {}
        if bounds.lower is not None:
            parts["gt" if bounds.lower_open else "min"] = bounds.lower
        if bounds.upper is not None:
            parts["lt" if bounds.upper_open else "max"] = bounds.upper
        return parts
    wanted = condition.filter
    parts = {
        name: list(cast("tuple[Scalar, ...]", held))
        for name in ("any_of", "all_of", "none_of", "contains")
        if (held := getattr(wanted, name))
    }
    if wanted.exists is not None:
        parts["exists"] = wanted.exists
    if set(parts) == {"any_of"}:
        return parts["any_of"][0] if len(parts["any_of"]) == 1 else parts["any_of"]
    return parts


def is_blank(content: object) -> bool:
    """Whether nothing was sent: null, or an empty text, list or object."""
    return content is None or content in ("", [], {})


def unpack(raw: object) -> object:
    """Objects and arrays that arrive as JSON text are read."""
    if isinstance(raw, str):
        text = raw.strip()
        if text[:1] in ("{", "[") and text[-1:] in ("}", "]"):
            try:
                return cast("object", json.loads(text))
            except (ValueError, RecursionError):
                return text
        return text
    return raw


def _scalars(value: object) -> tuple[Scalar, ...]:
    items = cast("list[object]", value) if isinstance(value, (list, tuple)) else [value]
    if not items:
        raise ValueError("send at least one value, not an empty list")
    if len(items) > MAX_VALUES:
        raise ValueError(f"{len(items):,} values are too many: send at most {MAX_VALUES}")
    return tuple(_scalar(item) for item in items)


def _scalar(item: object) -> Scalar:
    kind = "null" if item is None else type(item).__name__
    if isinstance(item, Mapping):
        nested = cast("Mapping[str, object]", item)
        for name in ("value", "@value", "iri", "@id", "id"):
            if name in nested:
                return _scalar(nested[name])
    if isinstance(item, (bool, int, float)):
        return item
    if not isinstance(item, str):
        raise ValueError(f"a value is text, a number or a boolean, not {kind}")
    return read_text(item, "a value")


def read_text(raw: str, what: str) -> str:
    """A name or a value, stripped.

    Raises:
        ValueError: it is blank, too long, or no plain text.
    """
    text = raw.strip()
    if not text:
        raise ValueError(f"{what} is blank: send one, or leave it out")
    if len(text) > MAX_TEXT:
        raise ValueError(f"{what} has {len(text):,} characters: send at most {MAX_TEXT}")
    if any(ord(character) < 32 or ord(character) == 127 for character in text):
        raise ValueError(f"{what} holds control characters: send plain text")
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError(f"{what} is not valid text, it holds half of a character: send plain text")
    return text
